//! Hands that were opened after the wall was used up: which of them are tenpai, and what is paid.

use super::{SURE_ENOUGH, opened::OpenedHand};
use crate::{
    calibration::table::Edge,
    hand::Reading,
    layout::Doubt,
    points::Points,
    rules::{Circumstances, RuleSet, WaitsError, Win},
    tile::{Face, Seat},
};

/// An opened hand after a draw.
#[derive(Clone, Debug)]
pub struct HandAtDraw {
    /// Where its player sits.
    pub edge: Edge,
    /// What was read.
    pub reading: Reading,
    /// The probability that it is read right, 0-1.
    pub confidence: f32,
    /// The tiles that it waits for; none where it is not tenpai.
    pub waits: Vec<Face>,
    /// Why it cannot be said whether it is tenpai.
    pub fault: Option<WaitsError>,
    /// Doubts about it, and whether the other reading would change whether it is tenpai.
    pub doubts: Vec<(Doubt, bool)>,
}

impl HandAtDraw {
    fn new(hand: &OpenedHand, rules: &RuleSet) -> Option<Self> {
        let shown = hand.shown.hand.as_ref()?;
        let waits = waits(rules, &shown.reading);
        let is_tenpai = |reading: &Reading| self::waits(rules, reading).map(|all| !all.is_empty());
        let doubts = shown.doubts.iter().map(|doubt| {
            let other = doubt.otherwise.as_ref().map(is_tenpai);
            let changes = other.is_some_and(|other| other != is_tenpai(&shown.reading));
            (doubt.clone(), changes)
        });
        Some(Self {
            edge: hand.edge,
            reading: shown.reading.clone(),
            confidence: shown.confidence,
            doubts: doubts.collect(),
            fault: waits.as_ref().err().cloned(),
            waits: waits.unwrap_or_default(),
        })
    }

    /// Whether it waits for a tile.
    pub fn is_tenpai(&self) -> bool {
        !self.waits.is_empty()
    }

    /// Whether it is known well enough whether it is tenpai.
    pub fn is_sure(&self) -> bool {
        let changes = self.doubts.iter().any(|(_, changes)| *changes);
        self.fault.is_none() && (self.confidence >= SURE_ENOUGH || !changes)
    }
}

/// The tiles that complete a hand.
fn waits(rules: &RuleSet, reading: &Reading) -> Result<Vec<Face>, WaitsError> {
    let at = Circumstances::new(Seat::East, Seat::East, Win::SelfDraw);
    Ok(rules.waits(reading, &[], &at)?.iter().map(|wait| wait.tile).collect())
}

/// The opened hands after a draw, and what is paid.
#[derive(Clone, Debug)]
pub struct DrawAppraisal {
    /// The hands, in the order in which they were given.
    pub hands: Vec<HandAtDraw>,
    /// What each tenpai player gets and each other one pays; `None` where a hand is unsure, zero where nothing is paid.
    pub paid: Option<(Points, Points)>,
}

/// Which of the opened hands are tenpai. A player who has not opened his hand is not.
pub fn after_draw(opened: &[OpenedHand], rules: &RuleSet) -> DrawAppraisal {
    let hands: Vec<HandAtDraw> =
        opened.iter().filter_map(|hand| HandAtDraw::new(hand, rules)).collect();
    let ready = hands.iter().filter(|hand| hand.is_tenpai()).count();
    let players = if rules.four_players() { 4 } else { 3 };
    let sure = hands.len() == opened.len() && hands.iter().all(HandAtDraw::is_sure);
    let paid = sure.then(|| rules.session().draw.paid(ready, players)).flatten();
    DrawAppraisal { hands, paid }
}

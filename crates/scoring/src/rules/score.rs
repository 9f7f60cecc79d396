//! A scored hand: its items with the tiles that earn them, the items left out, the payments.

use std::borrow::Cow;

use serde::Serialize;
use thiserror::Error;

use super::{
    Circumstances, Contradiction, Halves, Payments, RuleSet, UnitName, compiled::Core,
    file::BonusTiles, points_listed::PointItem, scoring::Rank,
};
use crate::{
    hand::{Arrangement, ArrangementText, Form, Hand, each_face},
    tile::{Face, Seat, Tile},
};

/// The totals of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Faan, doublings or point value before the table.
    pub faan: Halves,
    /// Auxiliary points, where the rules have them.
    pub points: Option<u32>,
    /// The table's value, before East's or self-draw factors.
    pub score: Halves,
    /// Whether it is a limit hand.
    pub limit: bool,
    /// The extra faan that the dealer pays or is paid, where the rules have them; they are not among
    /// `faan`.
    pub dealer_faan: Option<u32>,
    /// The payments of every seat.
    pub payments: Payments,
    /// Whether a player is liable for some of it.
    pub liable: bool,
    /// The value of the riichi sticks on the table, where their number was given; it is not a payment
    /// between players.
    pub sticks: Option<u32>,
}

/// Why a hand does not win: it is incomplete, or below the minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NoWin {
    /// No reading as a winning hand.
    #[error("not a complete hand")]
    NotComplete,
    /// The value is below the minimum.
    #[error("worth {faan}, the minimum is {minimum}")]
    BelowMinimum {
        /// Its value, without auxiliary points.
        faan: Halves,
        /// The minimum.
        minimum: Halves,
    },
}

/// Why a hand is not scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ScoreError {
    /// A flower or season where the rules have none.
    #[error(
        "{0} in the hand: this rule set is played without flowers and seasons; leave them out, or choose one with them"
    )]
    Flower(Face),
    /// A hand of another number of sets than the rules play.
    #[error(
        "the tiles are those of {found} sets and a pair: this rule set plays {expected} sets and a pair, {} tiles and one more for each kong",
        3 * expected + 2
    )]
    Sets {
        /// The number of sets that the tiles would make, beside a pair.
        found: u8,
        /// The number of sets that the rules play.
        expected: u8,
    },
    /// A flower or season as the winning tile where none wins.
    #[error("+{0}: a flower or season is no winning tile here, it is replaced")]
    BonusWins(Face),
    /// A red five twice: a set of tiles has one in each suit.
    #[error("{0} twice: there is one red five in each suit")]
    RedFiveTwice(Tile),
    /// A tile that the rules are played without.
    #[error("{0}: this rule set is played without it")]
    MissingTile(Face),
    /// More than four of a face in the hand, among the indicators and put aside.
    #[error("{count} {face} in the hand and among the indicators: there are four of each")]
    TooManyWithIndicators {
        /// The face.
        face: Face,
        /// The number of copies there would be.
        count: u8,
    },
    /// Circumstances that contradict each other.
    #[error(transparent)]
    NotAllowed(#[from] Contradiction),
    /// It does not win.
    #[error(transparent)]
    NoWin(#[from] NoWin),
}

impl ScoreError {
    /// Whether the hand itself is wrong, whatever the circumstances.
    pub const fn is_bad_hand(&self) -> bool {
        matches!(
            self,
            Self::Flower(_)
                | Self::Sets { .. }
                | Self::BonusWins(_)
                | Self::RedFiveTwice(_)
                | Self::MissingTile(_)
                | Self::TooManyWithIndicators { .. }
        )
    }
}

/// One item of a score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ScoredItem {
    /// Its name in the rule file.
    pub id: String,
    /// The name for people.
    #[serde(skip)]
    pub name: String,
    /// Its value.
    pub value: Halves,
    /// The unit of the value.
    pub unit: UnitName,
    /// The tiles that earn it, as hand text.
    pub tiles: String,
    /// Whether a hand that has not won waits for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fishing: bool,
}

impl ScoredItem {
    /// An item that is worth points and that no rule file lists.
    pub(crate) fn of_points(id: &str, points: u32, tiles: String) -> Self {
        Self {
            id: id.to_owned(),
            name: id.replace('_', " "),
            value: Halves::whole(points as i32),
            unit: UnitName::Points,
            tiles,
            fishing: false,
        }
    }
}

/// An item that the hand has but that does not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Its name in the rule file.
    pub id: String,
    /// The name for people.
    #[serde(skip)]
    pub name: String,
    /// Why it does not count.
    pub why: String,
}

/// A scored hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    /// The totals.
    pub value: Value,
    /// Its items.
    pub items: Vec<ScoredItem>,
    /// The items left out.
    pub left_out: Vec<LeftOut>,
    /// The reading, as text: groups, `+` before the one that the winning tile completes.
    pub arrangement: String,
    /// The auxiliary points one by one, where the rules list them.
    pub point_items: Vec<PointItem>,
}

impl Score {
    /// The score of a hand of which the value alone is known.
    pub(super) fn of_value(value: Value) -> Self {
        Self {
            value,
            items: Vec::new(),
            left_out: Vec::new(),
            arrangement: String::new(),
            point_items: Vec::new(),
        }
    }
}

impl Core {
    pub(crate) fn check(&self, hand: &Hand, at: &Circumstances) -> Result<(), ScoreError> {
        if self.bonus_tiles == BonusTiles::None
            && let Some(flower) = hand.bonus_faces().next()
        {
            return Err(ScoreError::Flower(flower));
        }
        if hand.sets() != self.sets {
            return Err(ScoreError::Sets { found: hand.sets(), expected: self.sets });
        }
        if hand.winning().is_bonus() && !self.forms.contains(Form::EightFlowers) {
            return Err(ScoreError::BonusWins(hand.winning()));
        }
        let at = &self.declared(at);
        if let Some(face) = self.missing_tile(hand, at) {
            return Err(ScoreError::MissingTile(face));
        }
        if self.red_fives
            && let Some(tile) = red_five_twice(hand, at)
        {
            return Err(ScoreError::RedFiveTwice(tile));
        }
        if let Some((face, count)) = too_many_with_indicators(hand, at) {
            return Err(ScoreError::TooManyWithIndicators { face, count });
        }
        if !self.four_players && at.round == Seat::North {
            return Err(Contradiction::NorthRound.into());
        }
        self.check_giver_liable(at)?;
        if self.has_refused_chow(hand) {
            return Err(Contradiction::ClaimedChow.into());
        }
        let flowers_count = self.bonus_tiles == BonusTiles::Count && self.flower_supplement;
        Ok(at.check(hand, flowers_count, self.three_players)?)
    }

    /// Refuses a liable player who did not give the winning tile, where only its giver can be.
    pub(crate) fn check_giver_liable(&self, at: &Circumstances) -> Result<(), Contradiction> {
        match self.liable_giver && at.pao.is_some() && at.pao != at.win.from() {
            true => Err(Contradiction::PaoNotGiver),
            false => Ok(()),
        }
    }

    /// A tile of the hand or among the indicators that is not played.
    fn missing_tile(&self, hand: &Hand, at: &Circumstances) -> Option<Face> {
        let shown = indicators(at).fold(0, |faces, tile| faces | 1 << tile.face().index());
        each_face((hand.tally().present | shown) & self.facts.missing).next()
    }

    /// The hand under this rule set: red fives are plain fives where it does not play them.
    pub(crate) fn shown<'a>(&self, hand: &'a Hand) -> Cow<'a, Hand> {
        if self.red_fives || hand.red_fives() == 0 {
            Cow::Borrowed(hand)
        } else {
            Cow::Owned(hand.without_red_fives())
        }
    }
}

fn indicators(at: &Circumstances) -> impl Iterator<Item = Tile> + Clone + '_ {
    at.dora_indicators.iter().chain(at.ura_indicators.iter())
}

/// A red five that the hand, or the hand and the indicators, show twice.
fn red_five_twice(hand: &Hand, at: &Circumstances) -> Option<Tile> {
    if let Some(tile) = hand.red_five_twice() {
        return Some(tile);
    }
    let mut seen = hand.red_suits();
    indicators(at).filter(|tile| tile.is_red()).find(|tile| {
        let bit = 1u8 << (tile.face().index() / 9);
        let twice = seen & bit != 0;
        seen |= bit;
        twice
    })
}

/// A face of which the hand, the indicators and the tiles put aside hold more than there are.
fn too_many_with_indicators(hand: &Hand, at: &Circumstances) -> Option<(Face, u8)> {
    let north = Seat::North.wind();
    let aside = (at.north > 0).then_some(north);
    (indicators(at).map(Tile::face).chain(aside))
        .map(|face| {
            let lying = indicators(at).filter(|other| other.face() == face).count() as u8;
            let aside = if face == north { at.north } else { 0 };
            (face, lying + aside + hand.count(face))
        })
        .find(|(_, count)| *count > Face::COPIES)
}

impl RuleSet {
    /// Checks a hand against the prohibitions of this rule set, before anything is scored.
    ///
    /// # Errors
    /// A flower where there are none, or circumstances that contradict each other.
    pub fn check(&self, hand: &Hand, at: &Circumstances) -> Result<(), ScoreError> {
        self.core.check(hand, at)
    }

    /// Scores a hand: items, totals and payments of its best reading.
    ///
    /// # Errors
    /// [`ScoreError`]: the prohibition, or the reason why it does not win.
    pub fn score(&self, hand: &Hand, at: &Circumstances) -> Result<Score, ScoreError> {
        self.check(hand, at)?;
        let core = &self.core;
        let (hand, at) = (&*core.shown(hand), &core.used(at));
        let (best, arrangement) = core.best(hand, at).ok_or(NoWin::NotComplete)?;
        let value = core.settle(hand, at, &best, &arrangement)?;
        let deal = core.deal(hand, at);
        let view = deal.view(&arrangement);
        let text = text_of(hand, &arrangement);
        let (items, left_out) = core.itemise(&view, &best, self.unit, &text);
        let held = core.held(&view);
        let point_items = match best.rank {
            Rank::Limit(_) | Rank::Instead => Vec::new(),
            rank => core.list_points(&view, held, rank != Rank::OwnSum),
        };
        Ok(Score { value, items, left_out, arrangement: text, point_items })
    }
}

/// A reading as text.
pub(crate) fn text_of(hand: &Hand, arrangement: &Arrangement) -> String {
    ArrangementText { hand, arrangement }.to_string()
}

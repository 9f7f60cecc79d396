//! Advice with the range of the hand's values, also as one JSON object (docs/advise.md).

use serde::Serialize;

use super::{
    Advice, AdviceError, Discard, Help, Outlook, Shape, Turn, WorthRange, advise, size, without,
    worth,
};
use crate::{
    hand::Reading,
    rules::{Circumstances, Halves, Payments, RuleSet, Value},
    tile::Face,
};

/// Advice on a hand under a rule set, and the range of its values wherever it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighed {
    /// The advice on the hand.
    pub advice: Advice,
    /// The current hand's range of values, or that after each discard, in the order of the advice.
    pub worth: Vec<Option<WorthRange>>,
}

impl Weighed {
    /// Weighs a hand. `seen`: tiles that are face up elsewhere. `at`: seats and round; every way to win is
    /// tried.
    ///
    /// # Errors
    /// [`AdviceError`], as of [`advise`].
    pub fn new(
        rules: &RuleSet,
        hand: &Reading,
        seen: &[Face],
        at: &Circumstances,
    ) -> Result<Self, AdviceError> {
        let advice = advise(hand, seen, Shape::of(rules, size(hand)))?;
        let worth_of = |standing: &Outlook, hand: &Reading| {
            (standing.missing == 1).then(|| worth(rules, hand, seen, at)).flatten()
        };
        let worth = match &advice.turn {
            Turn::Draw(standing) => vec![worth_of(standing, hand)],
            Turn::Discard { discards, .. } => (discards.iter())
                .map(|discard| worth_of(&discard.after, &without(hand, discard.tile)))
                .collect(),
        };
        Ok(Self { advice, worth })
    }

    /// Advice without values.
    pub fn unpriced(advice: Advice) -> Self {
        let worth = match &advice.turn {
            Turn::Draw(_) => vec![None],
            Turn::Discard { discards, .. } => vec![None; discards.len()],
        };
        Self { advice, worth }
    }

    /// Each discard with the range of the hand's values after it; empty where the hand draws.
    pub fn discards(&self) -> impl Iterator<Item = (&Discard, Option<&WorthRange>)> {
        let discards = match &self.advice.turn {
            Turn::Draw(_) => &[][..],
            Turn::Discard { discards, .. } => discards,
        };
        discards.iter().zip(self.worth.iter().map(Option::as_ref))
    }

    /// The JSON object of docs/advise.md for the hand that was weighed.
    pub fn json(&self, rules: &RuleSet, hand: &Reading) -> AdviceJson {
        let turn = match &self.advice.turn {
            Turn::Draw(outlook) => TurnJson::Draw(OutlookJson::of(
                outlook,
                self.worth.first().and_then(Option::as_ref),
            )),
            Turn::Discard { missing, .. } => TurnJson::Discard {
                shanten: i16::from(*missing) - 1,
                discards: (self.discards())
                    .map(|(discard, worth)| DiscardJson {
                        discard: discard.tile.to_string(),
                        after: OutlookJson::of(&discard.after, worth),
                    })
                    .collect(),
            },
        };
        AdviceJson {
            hand: hand.to_string(),
            rules: rules.id.clone(),
            tiles: self.advice.tiles,
            unwritten_sets: self.advice.unwritten_sets,
            turn,
        }
    }
}

/// Advice on a hand, as docs/advise.md describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Advice"))]
pub struct AdviceJson {
    /// The hand, as text.
    hand: String,
    /// The rule set's id.
    rules: String,
    /// Its tiles, each kong counted as three.
    tiles: usize,
    /// The claimed sets that are not written.
    unwritten_sets: usize,
    #[serde(flatten)]
    turn: TurnJson,
}

/// The next step of the player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "AdviceOnTurn"))]
enum TurnJson {
    /// The hand draws next.
    Draw(OutlookJson),
    /// The hand has drawn.
    Discard {
        /// Tiles away from waiting; -1: complete.
        shanten: i16,
        /// Each discard, the best first.
        discards: Vec<DiscardJson>,
    },
}

/// A discard, and the hand after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "DiscardAdvice"))]
struct DiscardJson {
    /// The tile.
    discard: String,
    #[serde(flatten)]
    after: OutlookJson,
}

/// A hand that has to draw a tile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Outlook"))]
struct OutlookJson {
    /// Tiles away from waiting.
    shanten: i8,
    /// The tiles that bring it nearer.
    helps: Vec<HelpJson>,
    /// The number of these that are left.
    left: u32,
    /// Tiles of which the hand holds all four, and of which a fifth would bring it nearer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held_out: Vec<Face>,
    /// Whether it would wait, but only for such tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_ready: Option<bool>,
    /// The range of a waiting hand's values.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<WorthJson>,
}

/// A tile that helps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "HelpfulTile"))]
struct HelpJson {
    /// The tile.
    tile: Face,
    /// Copies that nobody sees.
    left: u8,
}

/// A range of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WorthRange"))]
struct WorthJson {
    /// The win that brings the winner the least.
    least: ValueJson,
    /// The win that brings the most.
    most: ValueJson,
    /// Whether some win is worth too little.
    some_refused: bool,
}

/// A value and its payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WorthOfWin"))]
struct ValueJson {
    /// Faan, doublings or point value before the table.
    faan: Halves,
    /// The table's value.
    score: Halves,
    /// The payments of every seat.
    payments: Payments,
}

impl OutlookJson {
    fn of(outlook: &Outlook, worth: Option<&WorthRange>) -> Self {
        let value = |value: &Value| ValueJson {
            faan: value.faan,
            score: value.score,
            payments: value.payments,
        };
        let help = |help: &Help| HelpJson { tile: help.tile, left: help.left };
        Self {
            shanten: outlook.shanten(),
            helps: outlook.helps.iter().map(help).collect(),
            left: outlook.left(),
            held_out: outlook.held_out.clone(),
            not_ready: (!outlook.held_out.is_empty()).then(|| outlook.waits_for_a_fifth()),
            worth: worth.map(|worth| WorthJson {
                least: value(&worth.least),
                most: value(&worth.most),
                some_refused: worth.some_refused,
            }),
        }
    }
}

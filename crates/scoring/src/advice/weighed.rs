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
        let (shanten, standing, discards) = match &self.advice.turn {
            Turn::Draw(standing) => {
                let worth = self.worth.first().and_then(Option::as_ref);
                (standing.shanten(), Some(StandingJson::of(standing, worth)), None)
            }
            Turn::Discard { missing, .. } => {
                let discards = self.discards().map(|(discard, worth)| DiscardJson {
                    discard: discard.tile.to_string(),
                    shanten: discard.after.shanten(),
                    standing: StandingJson::of(&discard.after, worth),
                });
                (*missing as i8 - 1, None, Some(discards.collect()))
            }
        };
        AdviceJson {
            hand: hand.to_string(),
            rules: rules.id.clone(),
            tiles: self.advice.tiles,
            unwritten_sets: self.advice.unwritten_sets,
            shanten,
            standing,
            discards,
        }
    }
}

/// Advice on a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Advice"))]
pub struct AdviceJson {
    /// The hand, as text.
    hand: String,
    /// The rule set.
    rules: String,
    /// The number of tiles, each kong counted as three.
    tiles: usize,
    /// The number of claimed sets that the hand text leaves out.
    unwritten_sets: usize,
    /// Tiles away from waiting: -1 is complete, 0 waits.
    shanten: i8,
    #[serde(flatten)]
    standing: Option<StandingJson>,
    /// What each discard of a hand that has drawn leaves, the best first.
    #[serde(skip_serializing_if = "Option::is_none")]
    discards: Option<Vec<DiscardJson>>,
}

/// A discard and the hand after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Discard"))]
struct DiscardJson {
    /// The tile.
    discard: String,
    /// Tiles away from waiting after it: 0 waits.
    shanten: i8,
    #[serde(flatten)]
    standing: StandingJson,
}

/// The outlook of a hand that draws next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Outlook"))]
struct StandingJson {
    /// The tiles that help.
    helps: Vec<Help>,
    /// The number of tiles left that help.
    left: u32,
    /// Tiles of which the hand holds all four, and of which a fifth would help.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    held_out: Vec<Face>,
    /// Whether it would wait only for these; given with `held_out`.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_ready: Option<bool>,
    /// Its worth, where it waits.
    #[serde(skip_serializing_if = "Option::is_none")]
    worth: Option<WorthJson>,
}

/// The wins that bring least and most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WorthRange"))]
struct WorthJson {
    /// The least.
    least: ValueJson,
    /// The most.
    most: ValueJson,
    /// Whether some wins are worth too little.
    some_refused: bool,
}

/// The value of a win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WinValue"))]
struct ValueJson {
    /// The faan.
    faan: Halves,
    /// The points.
    score: Halves,
    /// The gain of each player (negative: the player pays).
    payments: Payments,
}

impl StandingJson {
    fn of(standing: &Outlook, worth: Option<&WorthRange>) -> Self {
        let value = |value: &Value| ValueJson {
            faan: value.faan,
            score: value.score,
            payments: value.payments,
        };
        let held_out = standing.held_out.clone();
        Self {
            helps: standing.helps.clone(),
            left: standing.left(),
            not_ready: (!held_out.is_empty()).then(|| standing.waits_for_a_fifth()),
            held_out,
            worth: worth.map(|worth| WorthJson {
                least: value(&worth.least),
                most: value(&worth.most),
                some_refused: worth.some_refused,
            }),
        }
    }
}

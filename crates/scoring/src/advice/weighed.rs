//! Advice with the range of the hand's values, also as one JSON object (docs/advise.md).

use serde_json::{Map, Value as Json, json};

use super::{
    Advice, AdviceError, Discard, Outlook, Shape, Turn, WorthRange, advise, size, without, worth,
};
use crate::{
    hand::Reading,
    rules::{Circumstances, RuleSet, Value},
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
    pub fn json(&self, rules: &RuleSet, hand: &Reading) -> Json {
        let mut object = match &self.advice.turn {
            Turn::Draw(standing) => {
                standing_json(standing, self.worth.first().and_then(Option::as_ref))
            }
            Turn::Discard { missing, .. } => {
                let discards: Vec<Json> = (self.discards())
                    .map(|(discard, worth)| {
                        let mut object = standing_json(&discard.after, worth);
                        object.insert("discard".to_owned(), discard.tile.to_string().into());
                        object.into()
                    })
                    .collect();
                Map::from_iter([
                    ("shanten".to_owned(), (i16::from(*missing) - 1).into()),
                    ("discards".to_owned(), discards.into()),
                ])
            }
        };
        object.insert("hand".to_owned(), hand.to_string().into());
        object.insert("rules".to_owned(), rules.id.clone().into());
        object.insert("tiles".to_owned(), self.advice.tiles.into());
        object.insert("unwritten_sets".to_owned(), self.advice.unwritten_sets.into());
        object.into()
    }
}

fn standing_json(standing: &Outlook, worth: Option<&WorthRange>) -> Map<String, Json> {
    let helps: Vec<Json> = (standing.helps.iter())
        .map(|help| json!({ "tile": help.tile, "left": help.left }))
        .collect();
    let mut object = Map::new();
    object.insert("shanten".to_owned(), standing.shanten().into());
    object.insert("helps".to_owned(), helps.into());
    object.insert("left".to_owned(), standing.left().into());
    if !standing.held_out.is_empty() {
        object.insert("held_out".to_owned(), json!(standing.held_out));
        object.insert("not_ready".to_owned(), standing.waits_for_a_fifth().into());
    }
    if let Some(worth) = worth {
        let value = |value: &Value| json!({ "faan": value.faan, "score": value.score, "payments": value.payments });
        object.insert(
            "worth".to_owned(),
            json!({
                "least": value(&worth.least), "most": value(&worth.most),
                "some_refused": worth.some_refused,
            }),
        );
    }
    object
}

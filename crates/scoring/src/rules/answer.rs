//! The answer to a request, as one JSON object (FORMATS, Scoring).

use std::collections::BTreeMap;

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    Circumstances, Contradiction, Halves, LeftOut, LoserScore, LosingHands, NoWin, Payments,
    RuleSet, RulingEffect, RunnerUp, Score, ScoreError, ScoreStep, ScoredItem, Value,
    settlement::hands_json,
};
use crate::{
    hand::Hand,
    tile::Seat,
    words::{Say, say},
};

/// Why a request has no score, in the words of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorKind {
    /// No JSON object, an unknown rule set, field value, ruling or choice.
    BadRequest,
    /// No legal hand.
    BadHand,
    /// Contradictory circumstances.
    NotAllowed,
    /// No reading as a winning hand.
    NotComplete,
    /// Complete, but worth too little.
    BelowMinimum,
}

impl From<&ScoreError> for ErrorKind {
    fn from(refusal: &ScoreError) -> Self {
        match refusal {
            ScoreError::NotAllowed(_) => Self::NotAllowed,
            ScoreError::NoWin(NoWin::NotComplete) => Self::NotComplete,
            ScoreError::NoWin(NoWin::BelowMinimum { .. }) => Self::BelowMinimum,
            _ => Self::BadHand,
        }
    }
}

/// A failed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The fault and the expected value, for people.
    pub message: Say,
    /// The value of the hand, where that is too low.
    pub faan: Option<Halves>,
}

/// A scored hand with all that explains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Items, totals and payments, or the reason why there is no score.
    pub outcome: Result<Score, Failure>,
    /// The runner-up reading.
    pub next: Option<RunnerUp>,
    /// The steps to the score and the payments.
    pub steps: Vec<ScoreStep>,
    /// The effects of other rulings.
    pub rulings: Vec<RulingEffect>,
    /// The losers' hands, where all four were given.
    pub hands: Vec<(Seat, LoserScore)>,
}

/// The answer to one request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The rule set, where it is known.
    pub rules: Option<String>,
    /// The score or the error.
    pub explained: Explained,
    /// Whether to leave out the explanations.
    pub brief: bool,
}

impl RuleSet {
    /// Scores a hand and explains the score: the runner-up, and the effect of each ruling.
    /// `brief`: the score alone. `contradiction`: one that was found before.
    pub fn explain(
        &self,
        hand: &Hand,
        at: &Circumstances,
        contradiction: Option<Contradiction>,
        brief: bool,
    ) -> Explained {
        self.explain_with(hand, at, None, contradiction, brief)
    }

    /// [`RuleSet::explain`] of which the rulings take the losers' hands into account.
    pub(crate) fn explain_with(
        &self,
        hand: &Hand,
        at: &Circumstances,
        losers: Option<&LosingHands>,
        contradiction: Option<Contradiction>,
        brief: bool,
    ) -> Explained {
        let scored = match contradiction {
            // A hand that this set refuses comes first.
            Some(contradiction) => match self.check(hand, at) {
                Err(refusal) if refusal.is_bad_hand() => Err(refusal),
                _ => Err(ScoreError::NotAllowed(contradiction)),
            },
            None => self.score(hand, at),
        };
        let outcome = scored.map_err(|refusal| self.failure(hand, at, &refusal));
        let explain = !brief && contradiction.is_none();
        Explained {
            steps: if explain && outcome.is_ok() {
                self.steps(hand, at).unwrap_or_default()
            } else {
                Vec::new()
            },
            next: if explain && outcome.is_ok() { self.runner_up(hand, at) } else { None },
            rulings: if explain { self.effects_with(hand, at, losers) } else { Vec::new() },
            hands: Vec::new(),
            outcome,
        }
    }

    fn failure(&self, hand: &Hand, at: &Circumstances, refusal: &ScoreError) -> Failure {
        let (message, faan) = match refusal {
            ScoreError::NoWin(NoWin::NotComplete) => {
                (say!("not a complete hand: {why}", why = self.lacks(hand, at)), None)
            }
            ScoreError::NoWin(NoWin::BelowMinimum { faan, minimum }) => (
                say!(
                    "complete, but worth {faan} {unit}: the minimum is {minimum}",
                    faan,
                    unit = Say::of(self.unit.counted(*faan)),
                    minimum
                ),
                Some(*faan),
            ),
            other => (Say::from(other), None),
        };
        Failure { kind: refusal.into(), message, faan }
    }
}

impl Answer {
    /// The answer to an unreadable request.
    pub fn failed(kind: ErrorKind, message: impl ToString) -> Self {
        let failure = Failure { kind, message: Say::from(message.to_string()), faan: None };
        let explained = Explained {
            outcome: Err(failure),
            next: None,
            steps: Vec::new(),
            rulings: Vec::new(),
            hands: Vec::new(),
        };
        Self { rules: None, explained, brief: true }
    }
}

/// Writes a number that may be a fraction as text.
pub(crate) struct AsText<T>(pub T);

impl<T: std::fmt::Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl Serialize for Payments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(seat, amount)| (seat, AsText(amount))))
    }
}

impl Serialize for ScoredItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("value", &self.value)?;
        map.serialize_entry("unit", &self.unit)?;
        map.serialize_entry("tiles", &self.tiles)?;
        if self.fishing {
            map.serialize_entry("fishing", &true)?;
        }
        map.end()
    }
}

impl Serialize for LeftOut {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(BTreeMap::from([("id", &self.id), ("why", &self.why)]))
    }
}

impl Serialize for RunnerUp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("arrangement", &self.arrangement)?;
        map.serialize_entry("faan", &self.faan)?;
        map.serialize_entry("score", &self.score)?;
        map.end()
    }
}

impl Serialize for RulingEffect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("choice", &self.choice)?;
        match &self.outcome {
            Ok(Value { payments, .. }) => map.serialize_entry("payments", payments)?,
            Err(refusal) => {
                map.serialize_entry("ok", &false)?;
                map.serialize_entry("error", &ErrorKind::from(refusal))?;
            }
        }
        map.end()
    }
}

impl Failure {
    /// The entries of an answer that failed.
    pub(crate) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("error", &self.kind)?;
        map.serialize_entry("message", &self.message.english())?;
        match self.faan {
            Some(faan) => map.serialize_entry("faan", &faan),
            None => Ok(()),
        }
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("ok", &self.explained.outcome.is_ok())?;
        if let Some(rules) = &self.rules {
            map.serialize_entry("rules", rules)?;
        }
        match &self.explained.outcome {
            Ok(score) => {
                map.serialize_entry("items", &score.items)?;
                if let Some(points) = score.value.points {
                    map.serialize_entry("points", &points)?;
                }
                if !score.point_items.is_empty() {
                    map.serialize_entry("point_items", &score.point_items)?;
                }
                map.serialize_entry("faan", &score.value.faan)?;
                map.serialize_entry("score", &score.value.score)?;
                if let Some(dealer) = score.value.dealer_faan {
                    map.serialize_entry("dealer_faan", &AsText(dealer))?;
                }
                map.serialize_entry("payments", &score.value.payments)?;
                if let Some(sticks) = score.value.sticks {
                    map.serialize_entry("sticks", &AsText(sticks))?;
                }
                if !self.explained.hands.is_empty() {
                    map.serialize_entry("hands", &hands_json(&self.explained.hands))?;
                }
                map.serialize_entry("arrangement", &score.arrangement)?;
                if !self.brief {
                    map.serialize_entry("steps", &self.explained.steps)?;
                    map.serialize_entry("left_out", &score.left_out)?;
                    map.serialize_entry("next", &self.explained.next)?;
                }
            }
            Err(failure) => failure.write(&mut map)?,
        }
        if !self.brief {
            map.serialize_entry("rulings", &self.explained.rulings)?;
        }
        map.end()
    }
}

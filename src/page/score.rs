//! Scores as pages get them: of a hand, of a typed worth, or typed payments.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::wording;
use crate::{
    points::Points,
    rules::{Answer, Halves, Payments, ScoreStep, ScoredItem, Value},
    schema::described_as,
    tile::Seat,
    words::Say,
};

/// A score as pages get it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PageScore {
    /// Of a hand.
    Hand {
        /// The score, or why the hand does not win.
        #[serde(flatten)]
        answer: Box<Answer>,
        /// Why it does not win, for a page's language.
        #[serde(skip_serializing_if = "Option::is_none")]
        message_said: Option<Say>,
    },
    /// Of a typed worth.
    Worth(Box<Counted>),
    /// Typed payments.
    Payments(TypedPayments),
    /// A worth or payments that are refused.
    Refused(RefusedScore),
}

/// What a hand counts, and how its payments come about.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Its items; none of a typed worth.
    pub items: Vec<ScoredItem>,
    /// The totals and the payments.
    pub value: Value,
    /// The steps to them.
    pub steps: Vec<ScoreStep>,
}

/// What a hand counts, as it is written.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Counted")]
struct WrittenCounted<'a> {
    /// True.
    ok: bool,
    items: &'a [ScoredItem],
    faan: Halves,
    score: Halves,
    payments: &'a Payments,
    steps: &'a [ScoreStep],
    // As in an answer: only if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer_faan: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sticks: Option<String>,
}

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Value { faan, points, score, dealer_faan, payments, sticks, .. } = &self.value;
        let written = WrittenCounted {
            ok: true,
            items: &self.items,
            faan: *faan,
            score: *score,
            payments,
            steps: &self.steps,
            points: *points,
            dealer_faan: dealer_faan.map(|faan| faan.to_string()),
            sticks: sticks.map(|sticks| sticks.to_string()),
        };
        written.serialize(serializer)
    }
}

described_as!("Counted", Counted, WrittenCounted<'static>);

/// Typed payments, which add up to nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TypedPayments {
    /// True.
    ok: bool,
    /// No items.
    items: [ScoredItem; 0],
    /// The points that each player received.
    payments: BTreeMap<Seat, Points>,
}

impl TypedPayments {
    /// These payments.
    pub const fn new(payments: BTreeMap<Seat, Points>) -> Self {
        Self { ok: true, items: [], payments }
    }
}

/// Why a typed worth or payments have no score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedScore {
    /// False.
    ok: bool,
    /// Why, in English.
    message: String,
}

impl PageScore {
    pub(super) fn of_hand(mut answer: Answer) -> Self {
        let message_said = answer.explained.outcome.as_mut().err().map(|failure| {
            let labelled = Say::from(wording::labels(&failure.message.english()));
            std::mem::replace(&mut failure.message, labelled)
        });
        Self::Hand { answer: Box::new(answer), message_said }
    }

    pub(super) fn refused(why: impl ToString) -> Self {
        Self::Refused(RefusedScore { ok: false, message: why.to_string() })
    }

    /// Whether the deal can be confirmed with it.
    pub fn is_ok(&self) -> bool {
        match self {
            Self::Hand { answer, .. } => answer.explained.outcome.is_ok(),
            Self::Worth(_) | Self::Payments(_) => true,
            Self::Refused(_) => false,
        }
    }

    /// What the hand counts; `None` for typed payments, and where it does not win.
    pub fn counted(&self) -> Option<Counted> {
        match self {
            Self::Hand { answer, .. } => {
                let score = answer.explained.outcome.as_ref().ok()?;
                Some(Counted {
                    items: score.items.clone(),
                    value: score.value,
                    steps: answer.explained.steps.clone(),
                })
            }
            Self::Worth(counted) => Some((**counted).clone()),
            Self::Payments(_) | Self::Refused(_) => None,
        }
    }

    /// The points that each player receives.
    pub fn payments(&self) -> BTreeMap<Seat, Points> {
        if let Self::Payments(TypedPayments { payments, .. }) = self {
            return payments.clone();
        }
        let counted = self.counted();
        let payments = counted.iter().flat_map(|counted| counted.value.payments.iter());
        payments.filter_map(|(seat, amount)| Some((seat, Points::of(amount)?))).collect()
    }
}

//! The answer to a request, as one JSON object (docs/formats.md).

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::{
    Circumstances, Contradiction, Halves, LeftOut, LoserScore, LosingHands, NoWin, Payments,
    PointItem, RuleSet, RulingEffect, RunnerUp, Score, ScoreError, ScoreStep, ScoredItem,
};
use crate::{
    hand::Hand,
    tile::Seat,
    words::{Say, say},
};

/// Why a request has no score, in the words of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// The kind of error.
    #[serde(rename = "error")]
    pub kind: ErrorKind,
    /// The fault and the expected value, for people.
    #[serde(serialize_with = "english")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub message: Say,
    /// The value of the hand, where that is too low.
    #[serde(skip_serializing_if = "Option::is_none")]
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

/// A number that may be a fraction, as text.
pub(super) struct AsText<T>(pub T);

impl<T: std::fmt::Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        as_text(&self.0, serializer)
    }
}

/// Writes a number that may be a fraction as text.
pub(super) fn as_text<T: std::fmt::Display, S: Serializer>(
    number: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

/// A sentence in English.
pub(super) fn english<S: Serializer>(said: &Say, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&said.english())
}

impl Serialize for Payments {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(seat, amount)| (seat, AsText(amount))))
    }
}

/// What all answers have: whether there is a score, the score or the error, and the effects of other rulings.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct WrittenAnswer<'a, S, F, R> {
    /// Whether there is a score.
    ok: bool,
    /// The rule set, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    rules: Option<&'a str>,
    #[serde(flatten)]
    outcome: ScoredOr<S, F>,
    /// Each ruling that, decided otherwise, changes the answer, with its effect; unless the request was brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    rulings: Option<&'a [R]>,
}

impl<'a, S, F, R> WrittenAnswer<'a, S, F, R> {
    pub fn new(
        rules: Option<&'a str>,
        outcome: Result<S, F>,
        rulings: &'a [R],
        brief: bool,
    ) -> Self {
        Self {
            ok: outcome.is_ok(),
            rules,
            outcome: outcome.into(),
            rulings: (!brief).then_some(rulings),
        }
    }
}

/// A score, or what refuses it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum ScoredOr<S, F> {
    Scored(S),
    Failed(F),
}

impl<S, F> From<Result<S, F>> for ScoredOr<S, F> {
    fn from(outcome: Result<S, F>) -> Self {
        match outcome {
            Ok(scored) => Self::Scored(scored),
            Err(failed) => Self::Failed(failed),
        }
    }
}

/// The effect of a ruling: other payments, or an error.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Effect"))]
#[serde(untagged)]
pub(super) enum WrittenEffect<P> {
    Paid {
        /// The payments under it.
        payments: P,
    },
    Refused {
        /// False.
        ok: bool,
        error: ErrorKind,
    },
}

impl<P> WrittenEffect<P> {
    pub fn of(outcome: Result<P, ErrorKind>) -> Self {
        match outcome {
            Ok(payments) => Self::Paid { payments },
            Err(error) => Self::Refused { ok: false, error },
        }
    }
}

/// A score as it is written.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Score"))]
struct WrittenScore<'a> {
    /// The items that count.
    items: &'a [ScoredItem],
    /// Auxiliary points, where the rules have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
    /// The auxiliary points one by one, where the rules list them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    point_items: &'a [PointItem],
    /// Faan, doublings or point value before the table.
    faan: Halves,
    /// The table's value, before East's or self-draw factors.
    score: Halves,
    /// The extra faan that the dealer pays or is paid, where the rules have them.
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer_faan: Option<AsText<u32>>,
    payments: Payments,
    /// The value of the riichi sticks on the table, where the request has their number.
    #[serde(skip_serializing_if = "Option::is_none")]
    sticks: Option<AsText<u32>>,
    /// The losers' hands, where the request has them.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    hands: IndexMap<Seat, &'a LoserScore>,
    /// The reading as hand text, `+` before the group that the winning tile completes.
    arrangement: &'a str,
    /// How the score and the payments come about; unless the request was brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<&'a [ScoreStep]>,
    /// Items that the hand has and that do not count; unless the request was brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<&'a [LeftOut]>,
    /// The best reading that was not taken, or null; unless the request was brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Option<&'a RunnerUp>>,
}

impl<'a> WrittenScore<'a> {
    fn of(
        score: &'a Score,
        Explained { steps, next, hands, .. }: &'a Explained,
        brief: bool,
    ) -> Self {
        Self {
            items: &score.items,
            points: score.value.points,
            point_items: &score.point_items,
            faan: score.value.faan,
            score: score.value.score,
            dealer_faan: score.value.dealer_faan.map(AsText),
            payments: score.value.payments,
            sticks: score.value.sticks.map(AsText),
            hands: hands.iter().map(|(seat, score)| (*seat, score)).collect(),
            arrangement: &score.arrangement,
            steps: (!brief).then_some(steps),
            left_out: (!brief).then_some(&score.left_out),
            next: (!brief).then_some(next.as_ref()),
        }
    }
}

type Written<'a> = WrittenAnswer<'a, WrittenScore<'a>, &'a Failure, RulingEffect>;

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rules, explained, brief } = self;
        let score = |score| WrittenScore::of(score, explained, *brief);
        let outcome = explained.outcome.as_ref().map(score);
        Written::new(rules.as_deref(), outcome, &explained.rulings, *brief).serialize(serializer)
    }
}

#[cfg(feature = "schema")]
mod schema {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator};

    use super::{Answer, AsText, Payments, Written};
    use crate::schema::{ExactNumber, amounts, described_as};

    impl<T> JsonSchema for AsText<T> {
        fn schema_name() -> Cow<'static, str> {
            ExactNumber::schema_name()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            ExactNumber::json_schema(generator)
        }
    }

    described_as!("Answer", Answer, Written<'static>);
    described_as!("Payments", Payments, |generator| amounts(generator));
}

//! Alternatives to a score: the runner-up reading, and the effect of each other ruling.

use serde::{Serialize, Serializer};

use super::{
    Circumstances, ErrorKind, Halves, LosingHands, RuleSet, ScoreError, Value,
    answer::WrittenEffect, compiled::Core, score::text_of, scoring::ReadingValue,
};
use crate::{
    hand::{Arrangement, Hand},
    words::{Say, say},
};

/// The best reading that was not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunnerUp {
    /// The reading as text.
    pub arrangement: String,
    /// Its faan before the table.
    pub faan: Halves,
    /// Its score.
    pub score: Halves,
}

/// A ruling that, decided otherwise, changes the payments or whether the hand wins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulingEffect {
    /// The ruling.
    pub id: String,
    /// The other choice.
    pub choice: String,
    /// The result of the hand under it.
    #[serde(flatten, serialize_with = "written_effect")]
    #[cfg_attr(feature = "schema", schemars(with = "WrittenEffect<super::Payments>"))]
    pub outcome: Result<Value, ScoreError>,
}

fn written_effect<S: Serializer>(
    outcome: &Result<Value, ScoreError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let payments = outcome.as_ref().map(|value| value.payments);
    WrittenEffect::of(payments.map_err(ErrorKind::from)).serialize(serializer)
}

impl Core {
    /// Totals, after all checks.
    pub(crate) fn outcome(&self, hand: &Hand, at: &Circumstances) -> Result<Value, ScoreError> {
        self.check(hand, at)?;
        Ok(self.value(hand, at)?)
    }

    fn runner_up(&self, hand: &Hand, at: &Circumstances) -> Option<(ReadingValue, Arrangement)> {
        let at = &self.used(at);
        let mut best: Option<(ReadingValue, Arrangement)> = None;
        let mut second: Option<(ReadingValue, Arrangement)> = None;
        self.each_reading(hand, at, |appraisal, view| {
            let found = (appraisal, *view.arrangement);
            if best.as_ref().is_none_or(|(other, _)| appraisal > *other) {
                second = best.replace(found);
            } else if second.as_ref().is_none_or(|(other, _)| appraisal > *other) {
                second = Some(found);
            }
        });
        second
    }
}

/// Whether two outcomes differ in the winner, the reason against a win, or the payments.
fn differs(one: &Result<Value, ScoreError>, other: &Result<Value, ScoreError>) -> bool {
    use std::mem::discriminant;
    match (one, other) {
        (Ok(one), Ok(other)) => one.payments != other.payments,
        (Err(ScoreError::NoWin(one)), Err(ScoreError::NoWin(other))) => {
            discriminant(one) != discriminant(other)
        }
        (Err(one), Err(other)) => discriminant(one) != discriminant(other),
        _ => true,
    }
}

impl RuleSet {
    /// The best reading beside the one that is scored, where there is one.
    pub fn runner_up(&self, hand: &Hand, at: &Circumstances) -> Option<RunnerUp> {
        let (appraisal, arrangement) = self.core.runner_up(hand, at)?;
        let arrangement = text_of(&self.core.shown(hand), &arrangement);
        Some(RunnerUp { arrangement, faan: appraisal.faan, score: appraisal.score })
    }

    /// Each ruling of this set that, changed alone, changes the outcome for this hand.
    pub fn ruling_effects(&self, hand: &Hand, at: &Circumstances) -> Vec<RulingEffect> {
        self.effects_with(hand, at, None)
    }

    /// [`RuleSet::ruling_effects`]; `losers`: the other hands, where they are settled too.
    pub(crate) fn effects_with(
        &self,
        hand: &Hand,
        at: &Circumstances,
        losers: Option<&LosingHands>,
    ) -> Vec<RulingEffect> {
        let outcome = |core: &Core| {
            let value = core.outcome(hand, at)?;
            Ok(match losers {
                Some(losers) => core.with_losers(value, at, losers, &mut |_| {}),
                None => value,
            })
        };
        let now = outcome(&self.core);
        (self.alternatives().iter())
            .filter_map(|other| {
                let outcome = outcome(&other.core);
                differs(&now, &outcome).then(|| RulingEffect {
                    id: other.ruling.clone(),
                    choice: other.choice.clone(),
                    outcome,
                })
            })
            .collect()
    }

    /// The tiles that an incomplete hand lacks, for people: the tiles that would complete it in
    /// place of one that it has.
    pub fn lacks(&self, hand: &Hand, at: &Circumstances) -> Say {
        let melds: Vec<_> = hand.melds().collect();
        let mut swaps: Vec<Say> = Vec::new();
        let mut counts = *hand.concealed();
        for (out, _) in hand.concealed().iter().enumerate().filter(|(_, count)| **count > 0) {
            counts[out] -= 1;
            for (wanted, face) in crate::tile::Face::all().take(counts.len()).enumerate() {
                if wanted == out || counts[wanted] >= 4 {
                    continue;
                }
                counts[wanted] += 1;
                let complete = Hand::new(counts, &melds, hand.bonus(), face)
                    .is_ok_and(|hand| self.core.best(&hand, at).is_some());
                counts[wanted] -= 1;
                if let (true, Some(out)) = (complete, crate::tile::Face::from_index(out)) {
                    swaps.push(say!(
                        "{face} for {out}",
                        face = Say::tiles(face),
                        out = Say::tiles(out)
                    ));
                }
            }
            counts[out] += 1;
        }
        let count = swaps.len();
        let all = count <= 6;
        let some = swaps.into_iter().take(if all { 6 } else { 4 }).reduce(|some, one| match all {
            true => say!("{some}, or {one}", some, one),
            false => say!("{some}, {one}", some, one),
        });
        match some {
            None => say!("no single tile would complete it"),
            Some(swaps) if all => say!("one tile short: {swaps} would complete it", swaps),
            Some(swaps) => say!(
                "one tile short: {swaps} and {count} other exchanges would complete it",
                swaps,
                count = count - 4
            ),
        }
    }
}

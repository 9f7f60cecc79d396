//! The four hands of a deal: the winner's, and those of the losers, who settle among themselves.

use serde::{Serialize, Serializer};

use super::{
    Circumstances, Contradiction, ErrorKind, Explained, Failure, Halves, Loser, LoserScore,
    RuleSet, Score, ScoreError, ScoreStep, Value, Worth, WorthError, answer::WrittenAnswer,
    compiled::Core, payment::Settled,
};
use crate::{
    hand::{Hand, HandError, UnwonHand},
    tile::{Face, Seat, Seats},
    words::Say,
};

/// The hands of the three losers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LosingHands {
    /// Each loser's hand.
    pub hands: Vec<(Seat, UnwonHand)>,
    /// Losers' scores where their hands are not known.
    pub scores: Vec<(Seat, Halves)>,
    /// Players whose hands are dead: they score nothing.
    pub dead: Seats,
    /// Players who had declared that they wait for a limit hand.
    pub fishing: Seats,
}

impl LosingHands {
    fn loser(&self, seat: Seat, round: Seat) -> Option<Loser<'_>> {
        let (_, hand) = self.hands.iter().find(|(other, _)| *other == seat)?;
        let (dead, fishing) = (self.dead.contains(seat), self.fishing.contains(seat));
        Some(Loser { hand, seat, round, dead, fishing })
    }

    fn each(&self, round: Seat) -> impl Iterator<Item = Loser<'_>> {
        Seat::ALL.into_iter().filter_map(move |seat| self.loser(seat, round))
    }

    /// Looks for more of a tile than there are among all hands that are known.
    ///
    /// # Errors
    /// The tile of which there are too many.
    pub fn check(&self, winner: Option<&Hand>) -> Result<(), HandError> {
        let all = || winner.into_iter().chain(self.hands.iter().map(|(_, hand)| hand.tiles()));
        for face in Face::all().take(Face::SET_FACES) {
            let count = all().map(|hand| hand.count(face)).fold(0, u8::saturating_add);
            if count > Face::COPIES {
                return Err(HandError::TooMany { face, count });
            }
        }
        let mut seen = 0;
        for hand in all() {
            if let Some(face) = hand.bonus_faces().find(|face| seen >> (face.number() - 1) & 1 == 1)
            {
                return Err(HandError::BonusTwice(face));
            }
            seen |= hand.bonus();
        }
        Ok(())
    }
}

impl Core {
    /// What each loser has; the winner nothing.
    fn losing_scores(&self, losers: &LosingHands, round: Seat) -> [Halves; 4] {
        let mut scores = [Halves::ZERO; 4];
        for loser in losers.each(round) {
            scores[loser.seat.index()] = self.loser_value(&loser);
        }
        for (seat, score) in losers.scores.iter().filter(|(seat, _)| !losers.dead.contains(*seat)) {
            scores[seat.index()] = *score;
        }
        scores
    }

    /// Adds what the losers settle among themselves to the winner's payments.
    pub(crate) fn with_losers(
        &self,
        value: Value,
        at: &Circumstances,
        losers: &LosingHands,
        note: &mut impl FnMut(Settled),
    ) -> Value {
        if value.liable {
            return value;
        }
        let scores = self.losing_scores(losers, at.round);
        let payments = self.scheme.settle_losers(value.payments, at.seat, scores, note);
        Value { payments, ..value }
    }
}

impl RuleSet {
    /// The value of a win with the payments of all four players: the losers settle among themselves.
    pub fn with_losers(&self, value: Value, at: &Circumstances, losers: &LosingHands) -> Value {
        self.core.with_losers(value, at, losers, &mut |_| {})
    }

    /// What each loser has, by his seat; the winner nothing.
    ///
    /// # Errors
    /// A flower, or a tile, that the rules are played without.
    pub fn losing_scores(
        &self,
        losers: &LosingHands,
        round: Seat,
    ) -> Result<[Halves; 4], ScoreError> {
        losers.hands.iter().try_for_each(|(_, hand)| self.core.check_tiles(hand.tiles()))?;
        Ok(self.core.losing_scores(losers, round))
    }

    /// The steps of what the losers settle among themselves: with each both players' share of it.
    pub fn settlement_steps(
        &self,
        value: Value,
        at: &Circumstances,
        losers: &LosingHands,
    ) -> Vec<ScoreStep> {
        let mut settled = Vec::new();
        self.core.with_losers(value, at, losers, &mut |part| settled.push(part));
        settled.into_iter().flat_map(|part| self.settled_steps(part)).collect()
    }

    /// [`RuleSet::explain`] for all four hands: the payments between each two players are among the steps.
    pub fn explain_table(
        &self,
        hand: &Hand,
        at: &Circumstances,
        losers: &LosingHands,
        contradiction: Option<Contradiction>,
        brief: bool,
    ) -> Explained {
        let explained = self.explain_with(hand, at, Some(losers), contradiction, brief);
        self.explain_losers(explained, at, losers, brief)
    }

    /// [`RuleSet::explain_table`] where of the winner the worth alone is known.
    ///
    /// # Errors
    /// As [`RuleSet::value_of`].
    pub fn explain_scores(
        &self,
        worth: Worth,
        at: &Circumstances,
        losers: &LosingHands,
    ) -> Result<Explained, WorthError> {
        let won = Score::of_value(self.value_of(worth, at)?);
        let explained = Explained {
            outcome: Ok(won),
            next: None,
            steps: self.steps_of(worth, at)?,
            rulings: Vec::new(),
            hands: Vec::new(),
        };
        Ok(self.explain_losers(explained, at, losers, false))
    }

    /// Adds what the losers settle, and their hands.
    fn explain_losers(
        &self,
        mut explained: Explained,
        at: &Circumstances,
        losers: &LosingHands,
        brief: bool,
    ) -> Explained {
        if let Ok(score) = &mut explained.outcome {
            if !brief {
                explained.steps.extend(self.settlement_steps(score.value, at, losers));
            }
            score.value = self.with_losers(score.value, at, losers);
            explained.hands = (losers.each(at.round))
                .map(|loser| (loser.seat, self.core.score_loser(&loser, self.unit)))
                .collect();
        }
        explained
    }

    fn settled_steps(&self, part: Settled) -> [ScoreStep; 2] {
        ScoreStep::of_settlement(part, |units| self.core.scheme.ratio(units))
    }
}

/// A ruling that, decided otherwise, changes the score of a hand that has not won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoserEffect {
    /// The ruling.
    pub id: String,
    /// The other choice.
    pub choice: String,
    /// The score under it.
    pub score: Halves,
}

/// The answer to a request for a hand that has not won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoserAnswer {
    /// The rule set.
    pub rules: String,
    /// The score, or why there is none.
    pub outcome: Result<LoserScore, Failure>,
    /// The effects of other rulings.
    pub rulings: Vec<LoserEffect>,
    /// Whether to leave out the explanations.
    pub brief: bool,
}

impl RuleSet {
    /// The answer for a hand that has not won.
    pub fn answer_loser(&self, loser: &Loser, brief: bool) -> LoserAnswer {
        let refused = |refusal: ScoreError| Failure {
            kind: ErrorKind::from(&refusal),
            message: Say::from(&refusal),
            faan: None,
        };
        let outcome = self.score_loser(loser).map_err(refused);
        let mut rulings = Vec::new();
        if let (Ok(score), false) = (&outcome, brief) {
            let effects = self.alternatives().iter().map(|other| LoserEffect {
                id: other.ruling.clone(),
                choice: other.choice.clone(),
                score: other.core.loser_value(loser),
            });
            rulings.extend(effects.filter(|effect| effect.score != score.score));
        }
        LoserAnswer { rules: self.id.clone(), outcome, rulings, brief }
    }
}

type Written<'a> = WrittenAnswer<'a, &'a LoserScore, &'a Failure, LoserEffect>;

impl Serialize for LoserAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rules, outcome, rulings, brief } = self;
        Written::new(Some(rules), outcome.as_ref(), rulings, *brief).serialize(serializer)
    }
}

#[cfg(feature = "schema")]
crate::schema::described_as!("LoserAnswer", LoserAnswer, Written<'static>);

//! Plays a deal with several winners: kongs paid at once, wins, and the settlement at its end.

use super::{
    Circumstances, Contradiction, Deal, DealEffect, DealError, DealEvent, DealOutcome, DealWin,
    EndHand, FailedStep, Holding, KongKind, NoWin, RuleSet, Score, ScoreError, SettlementEntry,
    SettlementKind, Value, Win, WonHand,
    compiled::Core,
    deal::{DealRules, Fine, FinedTo},
};
use crate::{
    hand::{Hand, UnwonHand, completing_tiles},
    tile::{Seat, Seats, Side, Suit},
};

/// A kong's payment.
struct KongPaid {
    to: Seat,
    from: Seat,
    points: i64,
}

/// The tile that the last event was won on: who gave it.
type LastWin = Option<Option<Seat>>;

/// A player who is settled.
struct Settled {
    seat: Seat,
    /// Whether he is fined.
    pig: bool,
    /// The points of his dearest hand, where he is ready.
    dearest: Option<i64>,
}

/// A deal being played.
struct Play<'a> {
    core: &'a Core,
    rules: &'a DealRules,
    won: Seats,
    kongs: Vec<KongPaid>,
    last_win: LastWin,
    outcome: DealOutcome,
}

impl Play<'_> {
    fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let won = self.won;
        Seat::ALL.into_iter().filter(move |other| *other != seat && !won.contains(*other))
    }

    fn kong(
        &mut self,
        seat: Seat,
        kind: KongKind,
        is_paid: bool,
    ) -> Result<[i64; 4], Contradiction> {
        self.last_win = None;
        let from = if let KongKind::Claimed { from } = kind { Some(from) } else { None };
        if self.won.contains(seat) {
            return Err(Contradiction::WonBefore);
        }
        if from == Some(seat) {
            return Err(Contradiction::FromSelf);
        }
        if from.is_some_and(|from| self.won.contains(from)) {
            return Err(Contradiction::GiverWonBefore);
        }
        let paid = self.rules.kong;
        let each = match kind {
            KongKind::Concealed => paid.concealed,
            KongKind::Claimed { .. } => paid.claimed,
            KongKind::Added { late: false } => paid.added,
            KongKind::Added { late: true } => paid.late,
        };
        let points = i64::from(each);
        let mut step = [0; 4];
        let payers = self.others(seat).filter(|other| from.is_none_or(|from| from == *other));
        for payer in payers.filter(|_| is_paid && points > 0) {
            step[payer.index()] -= points;
            step[seat.index()] += points;
            self.kongs.push(KongPaid { to: seat, from: payer, points });
        }
        Ok(step)
    }

    /// A player who has not won pays each other one who has not, and returns what he got for kongs.
    fn false_win(&mut self, seat: Seat) -> Result<[i64; 4], Contradiction> {
        self.last_win = None;
        if self.won.contains(seat) {
            return Err(Contradiction::WonBefore);
        }
        let mut step = [0; 4];
        let points = i64::from(self.rules.false_win);
        let mut pay = |to: Seat, points: i64| {
            step[seat.index()] -= points;
            step[to.index()] += points;
        };
        self.others(seat).for_each(|to| pay(to, points));
        for kong in self.kongs.extract_if(.., |kong| kong.to == seat) {
            pay(kong.from, kong.points);
        }
        Ok(step)
    }

    fn win(
        &mut self,
        hand: &WonHand,
        at: &Circumstances,
        contradiction: Option<Contradiction>,
        same: bool,
    ) -> Result<[i64; 4], DealError> {
        let at = Circumstances { won: self.won, ..*at };
        let giver = at.win.from();
        let is_same = matches!(self.last_win, Some(last) if last.is_some() && last == giver);
        let contradiction =
            contradiction.or((same && !is_same).then_some(Contradiction::NotSameTile));
        let value = self.value_of_win(hand, &at, contradiction)?;
        // The first winner deals next; of several on one tile their giver.
        if self.won.is_empty() {
            self.outcome.next_dealer = at.seat;
        } else if let Some(giver) = giver.filter(|_| same && self.won.len() == 1) {
            self.outcome.next_dealer = giver;
        }
        self.won = self.won.with(at.seat);
        self.last_win = Some(giver);
        let mut step = [0; 4];
        for (seat, amount) in value.payments.iter() {
            step[seat.index()] = amount.to_integer();
        }
        Ok(step)
    }

    fn value_of_win(
        &self,
        hand: &WonHand,
        at: &Circumstances,
        contradiction: Option<Contradiction>,
    ) -> Result<Value, DealError> {
        let hand: Hand = match hand {
            WonHand::Tiles(text) => text.parse()?,
            WonHand::Worth(worth) => {
                let contradiction = contradiction.map_or(Ok(()), Err);
                contradiction.and_then(|()| at.check_players()).map_err(ScoreError::NotAllowed)?;
                return Ok(self.core.value_of_worth(*worth, at)?);
            }
        };
        match (self.core.check(&hand, at), contradiction) {
            (Err(refusal), Some(_)) if refusal.is_bad_hand() => return Err(refusal.into()),
            (_, Some(contradiction)) => return Err(ScoreError::NotAllowed(contradiction).into()),
            (checked, None) => checked?,
        }
        Ok(self.core.value(&hand, at).map_err(ScoreError::NoWin)?)
    }

    /// Whether a player is fined, and the points of his dearest hand.
    fn look_at(&self, end: &EndHand) -> Result<Settled, DealError> {
        let known = |pig, dearest| Ok(Settled { seat: end.seat, pig, dearest });
        match &end.holding {
            Holding::Hand { hand, missing, only_missing } => {
                let (pig, dearest) = self.look_at_hand(end.seat, hand, *missing, *only_missing)?;
                known(pig, dearest)
            }
            Holding::Ready(worth) => {
                let score = self.core.score_of(*worth)?;
                known(false, Some(i64::from(score.0) / 2))
            }
            Holding::NotReady => known(false, None),
            Holding::Pig => known(true, None),
        }
    }

    fn look_at_hand(
        &self,
        seat: Seat,
        hand: &str,
        missing: Option<Suit>,
        only_missing: bool,
    ) -> Result<(bool, Option<i64>), DealError> {
        let hand: UnwonHand = hand.parse()?;
        self.core.check_tiles(hand.tiles())?;
        if hand.number() != 13 {
            return Err(DealError::Size { found: hand.number() });
        }
        if self.core.has_refused_chow(hand.tiles()) {
            return Err(ScoreError::NotAllowed(Contradiction::ClaimedChow).into());
        }
        let holds = |suit: Suit| {
            let place =
                [Suit::Characters, Suit::Dots, Suit::Bamboo].iter().position(|it| *it == suit);
            place.is_some_and(|place| hand.tiles().tally().all[place] != 0)
        };
        let pig = missing.is_some_and(holds) && !only_missing;
        let from = seat.neighbour(Side::Left);
        let mut at = Circumstances::new(seat, Seat::East, Win::Discard { from });
        at.missing_suit = missing;
        let valued =
            if self.rules.dearest_without_kongs { hand.with_pungs_for_kongs() } else { hand };
        let waits = crate::hand::each_face(completing_tiles(&hand, self.core.forms));
        let points = waits.filter_map(|tile| {
            let complete = valued.with(tile)?;
            let value = self.core.value(&complete, &at).ok()?;
            Some(i64::from(value.score.0) / 2)
        });
        Ok((pig, points.max()))
    }

    fn settle(&mut self, players: &[Settled]) {
        let rules = self.rules.pig;
        let fined = |player: &Settled| player.pig && rules.fine != Fine::None;
        let mut entries = Vec::new();
        let mut add = |kind, from, to, points| {
            if points > 0 {
                entries.push(SettlementEntry { kind, from, to, points });
            }
        };
        let find = |seat: Seat| players.iter().find(|player| player.seat == seat);
        for pig in players.iter().filter(|player| fined(player)) {
            let points = i64::from(rules.points);
            if rules.fine == Fine::Lost {
                add(SettlementKind::Pig, pig.seat, None, points);
                continue;
            }
            for seat in Seat::ALL.into_iter().filter(|seat| *seat != pig.seat) {
                let player = find(seat);
                let dearest = player.and_then(|player| player.dearest);
                let gets = match rules.to {
                    FinedTo::Everybody => true,
                    FinedTo::Playing => player.is_some(),
                    FinedTo::Ready => dearest.is_some(),
                };
                if !gets || player.is_some_and(|player| player.pig) {
                    continue;
                }
                let points = match rules.fine {
                    Fine::Cap => i64::from(self.rules.cap),
                    Fine::Hand => dearest.unwrap_or(0).max(points),
                    _ => points,
                };
                add(SettlementKind::Pig, pig.seat, Some(seat), points);
            }
        }
        let not_ready = || players.iter().filter(|player| player.dearest.is_none());
        for payer in not_ready().filter(|payer| !(rules.only && fined(payer))) {
            for (seat, dearest) in players.iter().filter_map(|it| Some((it.seat, it.dearest?))) {
                if !self.rules.not_ready_pays_nothing {
                    add(SettlementKind::NotReady, payer.seat, Some(seat), dearest);
                }
            }
        }
        for payer in not_ready().filter(|_| !self.rules.kongs_stay) {
            for kong in self.kongs.iter().filter(|kong| kong.to == payer.seat) {
                add(SettlementKind::KongReturned, payer.seat, Some(kong.from), kong.points);
            }
        }
        self.outcome.settlement = entries;
    }
}

impl Core {
    /// Whether a chow is claimed where none may be.
    pub(crate) fn has_refused_chow(&self, hand: &Hand) -> bool {
        let mut melds = hand.melds();
        !self.claimed_chows && melds.any(|meld| meld.kind() == crate::hand::MeldKind::Chow)
    }

    /// The players who are settled at the end.
    fn check_end(&self, rules: &DealRules, deal: &Deal) -> Result<(), DealError> {
        let won: Seats = (deal.events.iter())
            .filter_map(|event| match event {
                DealEvent::Win { at, .. } => Some(at.seat),
                DealEvent::Kong { .. } | DealEvent::FalseWin { .. } => None,
            })
            .collect();
        let over = won.len() >= usize::from(rules.winners) && !rules.checks_the_last;
        let expected = |seat: &Seat| !over && !won.contains(*seat);
        let expected: Seats = Seat::ALL.into_iter().filter(expected).collect();
        if deal.end.iter().map(|end| end.seat).eq(expected.iter()) {
            return Ok(());
        }
        Err(DealError::End(expected))
    }

    fn play(&self, deal: &Deal) -> Result<DealOutcome, FailedStep> {
        let Some(rules) = &self.deal else {
            return Err((None, ScoreError::NoWin(NoWin::NotComplete).into()));
        };
        self.check_end(rules, deal).map_err(|error| (None, error))?;
        let mut play = Play {
            core: self,
            rules,
            won: Seats::NONE,
            kongs: Vec::new(),
            last_win: None,
            outcome: DealOutcome::default(),
        };
        for (place, event) in deal.events.iter().enumerate() {
            let step = match event {
                DealEvent::Kong { seat, kind, robbed, shot } => {
                    let is_paid = !robbed && (!shot || rules.shot_kong_kept);
                    let step = play.kong(*seat, *kind, is_paid);
                    step.map_err(|why| ScoreError::NotAllowed(why).into())
                }
                DealEvent::FalseWin { seat } => {
                    play.false_win(*seat).map_err(|why| ScoreError::NotAllowed(why).into())
                }
                DealEvent::Win { hand, at, contradiction, same } => {
                    play.win(hand, at, *contradiction, *same)
                }
            };
            let step = step.map_err(|error| (Some(place), error))?;
            play.outcome.steps.push(step);
        }
        let players: Result<Vec<Settled>, DealError> =
            deal.end.iter().map(|end| play.look_at(end)).collect();
        play.settle(&players.map_err(|error| (None, error))?);
        let mut outcome = play.outcome;
        for step in &outcome.steps {
            outcome.payments.iter_mut().zip(step).for_each(|(all, step)| *all += step);
        }
        for entry in &outcome.settlement {
            outcome.payments[entry.from.index()] -= entry.points;
            if let Some(to) = entry.to {
                outcome.payments[to.index()] += entry.points;
            }
        }
        Ok(outcome)
    }
}

impl RuleSet {
    /// Whether play goes on after a win, so that whole deals are scored.
    pub fn plays_on(&self) -> bool {
        self.core.deal.is_some()
    }

    /// Whether nobody but a winner is paid in a deal.
    pub fn pays_winners_alone(&self) -> bool {
        !self.scores_losers() && !self.plays_on()
    }

    /// What a deal comes to.
    ///
    /// # Errors
    /// The event that is refused, or the hand at the end.
    pub fn play(&self, deal: &Deal) -> Result<DealOutcome, FailedStep> {
        self.core.play(deal)
    }

    /// The wins of a deal that was played, with their items.
    pub fn wins(&self, deal: &Deal) -> Vec<DealWin> {
        let mut won = Seats::NONE;
        let mut wins = Vec::new();
        for (step, event) in deal.events.iter().enumerate() {
            let DealEvent::Win { hand, at, .. } = event else { continue };
            let at = Circumstances { won, ..**at };
            let score = match hand {
                WonHand::Tiles(text) => text.parse().ok().and_then(|it| self.score(&it, &at).ok()),
                WonHand::Worth(worth) => self.value_of(*worth, &at).ok().map(Score::of_value),
            };
            if let Some(score) = score {
                let (faan, points) = (score.value.faan, score.value.score);
                wins.push(DealWin { step, seat: at.seat, faan, score: points, items: score.items });
            }
            won = won.with(at.seat);
        }
        wins
    }

    /// Each ruling of this set that, changed alone, changes what a deal comes to.
    pub fn deal_effects(&self, deal: &Deal) -> Vec<DealEffect> {
        let short = |core: &Core| core.play(deal).map(|outcome| outcome.payments);
        let now = short(&self.core);
        let effect = |other: &super::rule_set::Alternative| DealEffect {
            id: other.ruling.clone(),
            choice: other.choice.clone(),
            outcome: short(&other.core),
        };
        self.alternatives().iter().map(effect).filter(|effect| effect.outcome != now).collect()
    }
}

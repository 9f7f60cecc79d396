//! The effect of each event on a table: one step of the fold.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    Chombo, Deal, DealPlace, DealRecord, Discards, Draw, Event, Loss, Opened, Over, Penalty,
    PenaltyRecord, PerPlayer, PlayedOn, PlayerState, Problem, Recorded, Scored, TableError,
    TableState, Winner,
    claims::{face, faces},
    deal::paid_in,
    moving_on::{Ended, begin_round, move_on, pass},
    played_on,
    scoring::score,
    stakes::{chombo_payments, draw_payments, honba, sticks_moved},
    words::DealWords,
};
use crate::{
    clock::Clock,
    points::Points,
    rules::{PenaltyRules, RuleSet},
    tile::Seat,
};

/// The message about an event that nothing proves.
pub(crate) const UNPROVEN: &str = "it was kept, but nothing proves that it is as it was written, as what came before it is lost: compare it with what you know";

/// The rules and the state, once the table was opened.
#[derive(Clone, Debug)]
pub(super) struct Folded {
    pub opened: Opened,
    pub rules: Arc<RuleSet>,
    pub state: TableState,
    /// The last event that nothing proves after a loss.
    pub unproven_until: u64,
}

/// Applies an event, or its correction by the event `corrected_by`.
pub(super) fn apply(
    folded: &mut Option<Folded>,
    number: u32,
    recorded: &Recorded,
    event: &Event,
    corrected_by: Option<u64>,
) -> Result<(), TableError> {
    match (folded.as_mut(), event) {
        (None, Event::Opened(opened)) => {
            *folded = Some(Folded::new(number, recorded.seq, opened)?);
            Ok(())
        }
        (Some(_), Event::Opened(_)) => Err(TableError::OpenedTwice { seq: recorded.seq }),
        (None, _) => Err(TableError::NotOpened),
        (Some(folded), event) => folded.apply(recorded, event, corrected_by),
    }
}

impl Folded {
    /// The point penalties that count at this table.
    pub(super) fn penalty_rules(&self) -> &PenaltyRules {
        self.opened.penalties.as_ref().unwrap_or(&self.rules.session().penalties)
    }

    /// The length of the session's clock in minutes.
    pub(super) fn clock_minutes(&self) -> Option<u32> {
        self.opened.clock.map(|clock| clock.minutes).or(self.rules.session().clock_minutes)
    }

    fn player(&mut self, player: usize) -> Result<&mut PlayerState, TableError> {
        let seated = self.state.players.len();
        self.state.players.get_mut(player).ok_or(TableError::NoPlayer { player, seated })
    }

    fn apply(
        &mut self,
        recorded: &Recorded,
        event: &Event,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        if recorded.seq <= self.unproven_until && !matches!(event, Event::Lost { .. }) {
            self.problem(recorded.seq, UNPROVEN.to_owned());
        }
        match event {
            // Their targets were looked up before the fold began.
            Event::Opened(_) | Event::Undone { .. } | Event::Corrected { .. } => {}
            Event::Lost { unproven } => self.lost(recorded.seq, *unproven),
            Event::VoidClaim(fault) => {
                self.player(fault.player)?;
            }
            Event::ClockStarted { minutes, started } => {
                let minutes = minutes.or(self.clock_minutes()).unwrap_or(0);
                let own = self.rules.session().after_time;
                let then = self.opened.clock.map_or(own, |clock| clock.then);
                let started = started.unwrap_or(recorded.at);
                self.state.clock = Some(Clock::of(started, minutes, then));
                self.state.clock_event = Some(recorded.seq);
            }
            Event::ClockSet { ends, paused } => {
                // The start may have been taken back since.
                let clock = self.state.clock.as_mut();
                clock.into_iter().for_each(|clock| (clock.ends, clock.paused) = (*ends, *paused));
            }
            Event::Deal(deal) => self.deal(recorded, deal, corrected_by)?,
            Event::Draw(draw) => self.draw(recorded, draw, corrected_by)?,
            Event::Chombo(chombo) => self.chombo(recorded, chombo, corrected_by)?,
            Event::Discarded { player, tile } => {
                self.player(*player)?;
                let tile = face(tile)?;
                match &mut self.state.discards {
                    Discards::Order(all) => all.push((*player, tile)),
                    // Where rows were seen first, later discards go on in their rows.
                    Discards::Rows { rows, .. } => rows[*player].push(tile),
                    none => *none = Discards::Order(vec![(*player, tile)]),
                }
            }
            Event::DiscardRows { rows, claimed } => {
                let seated = self.state.players.len();
                if rows.len() != seated || claimed.len() != seated {
                    return Err(TableError::Shape("a row of discards for each player"));
                }
                let faces =
                    |rows: &[String]| rows.iter().map(|row| faces(row)).collect::<Result<_, _>>();
                self.state.discards =
                    Discards::Rows { rows: faces(rows)?, claimed: faces(claimed)? };
            }
            Event::Penalty(penalty) => self.penalty(recorded, penalty)?,
            Event::DeadHand(fault) => {
                self.player(fault.player)?.dead_hand = Some(reason(fault));
            }
            Event::Disqualified(fault) => {
                self.player(fault.player)?.disqualified = Some(reason(fault));
                self.state.rank();
            }
            Event::Ended { why } => self.state.over = Some(Over::Ended { note: why.clone() }),
        }
        self.state.last_event = recorded.seq;
        if self.state.over.is_some() {
            self.state.close(&self.rules);
        }
        Ok(())
    }

    fn penalty(&mut self, recorded: &Recorded, penalty: &Penalty) -> Result<(), TableError> {
        let rules = self.penalty_rules().clone();
        let cause = penalty.cause.as_ref().and_then(|cause| rules.causes.get(cause));
        let count = cause.map_or(1, |cause| cause.counts);
        let in_table = rules.is_in_table(cause);
        let points = penalty.points.or(cause.and_then(|cause| cause.points));
        let player = self.player(penalty.player)?;
        let cost = match points {
            Some(points) => points,
            None => u32::try_from(rules.cost(player.penalties, count)).unwrap_or(u32::MAX),
        };
        player.penalties = player.penalties.saturating_add(count);
        if in_table {
            player.total += -Points::whole(cost);
        } else {
            player.penalty_points += Points::whole(cost);
        }
        if let Some(cause) = cause.filter(|cause| cause.dead_hand) {
            player.dead_hand = Some(cause.about.clone());
        }
        self.state.penalties.push(PenaltyRecord {
            event: recorded.seq,
            at: recorded.at,
            player: penalty.player,
            cause: penalty.cause.clone(),
            count,
            points,
            in_table,
            note: penalty.note.clone(),
        });
        self.state.rank();
        Ok(())
    }

    fn draw(
        &mut self,
        recorded: &Recorded,
        draw: &Draw,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        let named = [draw.tenpai.as_deref().unwrap_or_default(), &draw.riichi, &draw.nagashi];
        named
            .iter()
            .flat_map(|players| players.iter())
            .try_for_each(|&player| self.player(player).map(|_| ()))?;
        self.find_place(recorded.seq, draw.place.as_ref(), None);
        let payments = draw_payments(&self.rules, &self.state, draw)?;
        let said = Draw { place: None, rolled: None, riichi: Vec::new(), ..draw.clone() };
        let details = Details {
            riichi: draw.riichi.clone(),
            draw: (said != Draw::default()).then(|| Arc::new(said)),
            ..Details::default()
        };
        let at = draw.rolled.unwrap_or(recorded.at);
        self.settle((recorded.seq, at), details, payments, corrected_by);
        Ok(())
    }

    fn chombo(
        &mut self,
        recorded: &Recorded,
        chombo: &Chombo,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        self.player(chombo.player)?;
        self.find_place(recorded.seq, chombo.place.as_ref(), None);
        let (payments, cost) = match &chombo.payments {
            Some(said) if said.len() == self.state.players.len() => {
                (said.iter().copied().collect(), 0)
            }
            Some(_) => return Err(TableError::Shape("a payment for each player")),
            None => {
                let payments = chombo_payments(&self.rules, &self.state, chombo.player)?;
                (payments, self.rules.session().chombo.standings)
            }
        };
        if cost > 0 {
            self.player(chombo.player)?.penalty_points += Points::whole(cost);
            self.state.penalties.push(PenaltyRecord {
                event: recorded.seq,
                at: recorded.at,
                player: chombo.player,
                cause: chombo.cause.clone(),
                count: 0,
                points: Some(cost),
                in_table: false,
                note: chombo.note.clone(),
            });
        }
        let said = Chombo { place: None, rolled: None, ..chombo.clone() };
        let details = Details { chombo: Some(Arc::new(said)), ..Details::default() };
        let at = chombo.rolled.unwrap_or(recorded.at);
        self.settle((recorded.seq, at), details, payments, corrected_by);
        Ok(())
    }

    fn deal(
        &mut self,
        recorded: &Recorded,
        deal: &Deal,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        let plays_on = self.rules.plays_on();
        if deal.winners.is_empty() && !plays_on {
            return Err(TableError::Shape("a winner in a deal that was won"));
        }
        let scored = deal.winners.iter().find_map(|winner| winner.scored.as_ref());
        self.find_place(recorded.seq, deal.place.as_ref(), scored.map(|scored| &scored.seats));
        let mut deal = deal.clone();
        deal.riichi.iter().try_for_each(|&player| self.player(player).map(|_| ()))?;
        for winner in &deal.winners {
            self.player(winner.player)?;
            winner.from.map_or(Ok(()), |giver| self.player(giver).map(|_| ()))?;
            winner.others.iter().try_for_each(|other| self.player(other.player).map(|_| ()))?;
        }
        if plays_on {
            self.pay_again_where_moved(recorded.seq, &mut deal);
        } else {
            for place in 0..deal.winners.len() {
                let honba = honba(self.rules.session(), &self.state, &deal.winners, place);
                self.rescore_where_moved(recorded.seq, &mut deal.winners[place], honba);
            }
        }
        let payments = paid_in(&deal, self.state.players.len())?;
        let Deal { winners, riichi, played_on, rolled, .. } = deal;
        for winner in &winners {
            let state = self.player(winner.player)?;
            state.wins += 1;
            if state.dead_hand.is_some() || state.disqualified.is_some() {
                let name = state.name.clone();
                self.problem(recorded.seq, format!("{name} wins, but may not win in this deal"));
            }
        }
        let at = rolled.unwrap_or(recorded.at);
        let details = Details { winners, riichi, played_on, ..Details::default() };
        self.settle((recorded.seq, at), details, payments, corrected_by);
        Ok(())
    }

    /// Whether a hand was scored for other seats, another round or another minimum than its winner has now.
    fn has_moved(&self, winner: &Winner, scored: &Scored) -> bool {
        let seats = self.state.players.iter().map(|player| &player.seat);
        let minimum = self.state.players[winner.player].minimum;
        !scored.seats.iter().eq(seats)
            || (scored.round, scored.minimum) != (self.state.place.round, minimum)
    }

    /// A deal that went on after a win keeps what was paid, unless a correction of an earlier deal has moved the winds.
    fn pay_again_where_moved(&mut self, seq: u64, deal: &mut Deal) {
        let scored = |winner: &Winner| {
            winner.scored.as_ref().is_some_and(|scored| self.has_moved(winner, scored))
        };
        if self.state.adrift || !deal.winners.iter().any(scored) {
            return;
        }
        let mut again = deal.clone();
        match played_on::pay(&self.rules, &self.state, &mut again) {
            Ok(()) => *deal = again,
            Err(error) => self.problem(
                seq,
                format!("it would not be paid as the seats are now ({error}); its payments stay as they were: correct this deal"),
            ),
        }
    }

    /// A hand keeps the worth that was written down, unless a correction of an earlier deal has
    /// moved the winds, the winner's minimum or his counters since.
    fn rescore_where_moved(&mut self, seq: u64, winner: &mut Winner, honba: u32) {
        // Where nobody knows who sits where, it stays as it was.
        let Some(scored) = winner.scored.as_ref().filter(|_| !self.state.adrift) else { return };
        if !self.has_moved(winner, scored) && scored.honba == honba {
            return;
        }
        match score(&self.rules, &self.state, winner, honba) {
            Ok(scored) => winner.scored = Some(scored.into()),
            Err(error) => {
                let name = self.state.players[winner.player].name.clone();
                self.problem(
                    seq,
                    format!("{name}'s hand would not win as the seats are now ({error}); its payments stay as they were: correct this deal"),
                );
            }
        }
    }

    /// An event is lost: from here to the next deal nobody knows who sits where.
    fn lost(&mut self, event: u64, unproven: u64) {
        self.state.adrift = true;
        match self.state.lost.last_mut() {
            Some(loss) if loss.last + 1 == event && loss.deals.is_none() => loss.last = event,
            _ => self.state.lost.push(Loss { first: event, last: event, deals: None }),
        }
        self.unproven_until = event.saturating_add(unproven);
    }

    /// After a loss, continues at the place that a later deal recorded.
    fn find_place(
        &mut self,
        event: u64,
        said: Option<&DealPlace>,
        seats: Option<&PerPlayer<Seat>>,
    ) {
        let Some(said) = said.filter(|_| self.state.adrift) else { return };
        let before = self.state.place;
        if *said != before {
            let seated = self.state.players.len();
            let passed = self.state.rounds_played as usize * seated + self.state.passes;
            let extension = self.rules.session().end.extension;
            let most = (self.state.rounds.saturating_add(extension) as usize + 1) * seated;
            // From the first deal on, as the lost events may have taken deals back.
            let mut trial = self.state.clone();
            trial.sit_as_at_first();
            let mut nearest: Option<(usize, TableState)> = None;
            for passes in 0..=most {
                let fits = (trial.place.round, trial.at_seat(Seat::East))
                    == (said.round, Some(said.dealer))
                    && seats
                        .is_none_or(|seats| trial.players.iter().map(|p| &p.seat).eq(seats.iter()));
                let off = passes.abs_diff(passed);
                if fits && nearest.as_ref().is_none_or(|(nearest, _)| off < *nearest) {
                    nearest = Some((off, trial.clone()));
                }
                if pass(&mut trial) {
                    begin_round(&mut trial, self.rules.session());
                }
            }
            let Some((_, found)) = nearest else {
                let (number, round) = (said.number, said.round);
                self.problem(event, format!("it says deal {number} of round {round}, which cannot be reached from what is left: its winds are as they were written, those after it may be wrong"));
                return;
            };
            self.state = TableState { place: *said, ..found };
            self.set_minimums();
        }
        self.state.adrift = false;
        if said.number != before.number {
            // Notes on a lost deal ended with it.
            self.state.discards = Discards::Unknown;
            self.state.players.iter_mut().for_each(|player| player.dead_hand = None);
        }
        match (said.number.checked_sub(before.number), self.state.lost.last_mut()) {
            // Without a gap between the numbers nobody knows: it may be a deal that was entered since.
            (Some(deals @ 1..), Some(loss)) => loss.deals = Some(deals),
            (None, _) => {
                let (number, comes_to) = (said.number, before.number);
                self.problem(event, format!("it says deal {number}, but with what is left it would be deal {comes_to}: something that was taken back may count again"));
            }
            _ => {}
        }
    }

    /// Records an event that does not fit after a loss and is passed over.
    pub(super) fn passed_over(&mut self, event: u64, why: &TableError) {
        self.state.last_event = event;
        self.problem(event, format!("it does not count, as it does not fit what is left ({why})"));
    }

    fn problem(&mut self, event: u64, what: String) {
        self.state.problems.push(Problem { event, what });
    }

    fn settle(
        &mut self,
        (event, at): (u64, Timestamp),
        details: Details,
        payments: PerPlayer<Points>,
        corrected_by: Option<u64>,
    ) {
        if self.state.over.is_some() {
            let what = "played after the session's end: undo it, or correct what ended the session";
            self.problem(event, what.to_owned());
        }
        let Details { winners, riichi, draw, chombo, played_on } = details;
        let session = self.rules.session();
        let state = &mut self.state;
        let moved = sticks_moved(session.sticks, state, &winners, &riichi);
        let stick = Points::whole(self.rules.stick());
        let sticks: PerPlayer<Points> = moved.iter().map(|count| stick * *count).collect();
        for (player, (payment, sticks)) in
            state.players.iter_mut().zip(payments.iter().zip(&sticks))
        {
            player.total += *payment + *sticks;
            player.dead_hand = None;
        }
        state.rank();
        state.discards = Discards::Unknown;
        let dealer = state.place.dealer;
        let end = if chombo.is_some() {
            Ended::Void
        } else if winners.is_empty() {
            let tenpai = draw.as_ref().and_then(|draw| draw.tenpai.as_ref());
            let aborted = draw.as_ref().is_some_and(|draw| draw.abortive.is_some());
            Ended::Drawn { tenpai: tenpai.is_some_and(|all| all.contains(&dealer)), aborted }
        } else {
            Ended::Won { dealer: winners.iter().any(|winner| winner.player == dealer) }
        };
        let next = played_on::next_dealer(&winners).filter(|_| session.deals.is_some());
        let words = DealWords { players: &state.players, terms: state.terms.as_deref() };
        let said = match &played_on {
            Some(played_on) => words.played_on(&winners, played_on),
            None => words.deal(&winners, draw.as_deref(), chombo.as_deref(), &riichi),
        };
        state.history.push(Arc::new(DealRecord {
            event,
            at,
            said,
            place: state.place,
            seats: state.players.iter().map(|player| player.seat).collect(),
            winners,
            payments,
            sticks_moved: moved.iter().any(|count| *count != 0).then_some(sticks),
            riichi,
            draw,
            chombo,
            played_on,
            totals: state.players.iter().map(|player| player.total).collect(),
            corrected_by,
        }));
        if let Some(sticks) = &mut state.place.sticks {
            let left = i64::from(*sticks) - moved.iter().sum::<i64>();
            *sticks = u32::try_from(left).unwrap_or(0);
        }
        move_on(state, session, (end, next), at);
        self.set_minimums();
    }

    pub(super) fn set_minimums(&mut self) {
        let Some(handicap) = self.rules.session().handicap else { return };
        let most = self.rules.minimum();
        for player in &mut self.state.players {
            let before = player.new_player_wins;
            player.minimum = before.map(|before| {
                let wins = i32::try_from(before.saturating_add(player.wins)).unwrap_or(i32::MAX);
                let own = handicap.step.0.saturating_mul(wins).saturating_add(handicap.start.0);
                most.min(crate::rules::Halves(own))
            });
        }
    }
}

/// The details of a deal beside its payments.
#[derive(Default)]
struct Details {
    winners: Vec<Winner>,
    riichi: Vec<usize>,
    draw: Option<Arc<Draw>>,
    chombo: Option<Arc<Chombo>>,
    played_on: Option<Arc<PlayedOn>>,
}

fn reason(fault: &super::PlayerFault) -> String {
    let cause = fault.cause.as_deref().unwrap_or_default();
    match (cause, fault.note.as_str()) {
        (cause, "") => cause.to_owned(),
        ("", note) => note.to_owned(),
        (cause, note) => format!("{cause}: {note}"),
    }
}

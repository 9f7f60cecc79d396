//! The effect of each event on a tournament: one step of the fold, checked against the events before.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{
    By, Disqualification, Entrant, Event, Format, GivenPenalty, LedgerTable, MayPlay, Number,
    Paired, Recorded, Roster, Schedule, Seating, Sitter, Table, Tournament, TournamentError, draw,
    error::MOST_PENALTIES,
};
use crate::{name::Name, points::Points};

impl Tournament {
    /// The tournament after its first event.
    pub(super) fn begin(event: &Event) -> Result<Self, TournamentError> {
        let Event::Begun { name, rules, rule_file, rulings, format } = event else {
            return Err(TournamentError::NotBegun);
        };
        if name.trim().is_empty() {
            return Err(TournamentError::NoName);
        }
        Ok(Self {
            name: name.clone(),
            rules: rules.clone(),
            rule_file: rule_file.clone(),
            rulings: rulings.clone(),
            format: Format::clone(format),
            roster: Roster::default(),
            seating: None,
            started: BTreeMap::new(),
            results: BTreeMap::new(),
            paper_wins: BTreeMap::new(),
            played: BTreeMap::new(),
            strays: Vec::new(),
            absences: BTreeSet::new(),
            substitutes: BTreeMap::new(),
            penalties: Vec::new(),
            disqualified: BTreeMap::new(),
            joined_in: BTreeMap::new(),
            left: BTreeMap::new(),
        })
    }

    /// Whether an event may be written for the current tournament, its tables included;
    /// an undo is judged by the log.
    ///
    /// # Errors
    /// Why it may not be written.
    pub fn holds(mut self, recorded: &Recorded) -> Result<(), TournamentError> {
        match &recorded.event {
            Event::Undone { .. } => return Ok(()),
            // A replay does not know who was disqualified at a table.
            Event::Substituted { round, number, .. } => {
                self.has_seat(*round, *number)?;
                if let Sitter::Player(player) = self.sitter(self.seated()?, *round, *number) {
                    let (player, number, round) = (player.clone(), *number, *round);
                    return Err(TournamentError::SeatTaken { player, number, round });
                }
            }
            Event::Absent { player, round, .. } => {
                self.plays(player)?;
                self.has_seat(*round, self.number_of_player(player)?)?;
            }
            // Earlier logs do not say it.
            Event::Result { round, table, wins, .. } => {
                let unknown = self.wins_to_be_said(*round, *table, wins)?;
                if !unknown.is_empty() {
                    return Err(TournamentError::Wins {
                        names: unknown,
                        round: *round,
                        table: *table,
                    });
                }
            }
            _ => {}
        }
        self.apply(recorded)
    }

    /// Applies one more event; undoing is done by the log. A refused event changes nothing.
    pub(super) fn apply(&mut self, recorded: &Recorded) -> Result<(), TournamentError> {
        match &recorded.event {
            Event::Begun { .. } => return Err(TournamentError::NotBegun),
            Event::Lost { .. } => {}
            Event::Undone { event } => return Err(TournamentError::NoEvent(*event)),
            Event::Entered { entrants } => {
                let mut roster = self.roster.clone();
                for entrant in entrants {
                    if self.seating.is_some() && !entrant.reserve {
                        return Err(TournamentError::AfterDraw(entrant.name.clone()));
                    }
                    if entrant.new_player_wins.is_some() && !self.format.handicap {
                        let (player, rules) = (entrant.name.clone(), self.rules.clone());
                        return Err(TournamentError::NoHandicap { player, rules });
                    }
                    roster.enter(entrant.clone())?;
                }
                self.roster = roster;
            }
            Event::Seated { seed, numbers, schedule, starts, plan } => {
                let planned = plan.as_ref().and_then(|plan| plan.rounds).map_or(0, usize::from);
                self.seat(Seating {
                    seed: seed.clone(),
                    numbers: numbers.clone(),
                    schedule: schedule.clone(),
                    starts: starts.clone(),
                    planned: planned.max(schedule.rounds().len()),
                    apart: plan.as_ref().map(|plan| plan.apart.clone()).unwrap_or_default(),
                    by: By::Meetings,
                })?;
            }
            Event::Started { round, start } => {
                self.round(*round)?;
                if self.started.contains_key(round) {
                    return Err(TournamentError::StartedAlready(*round));
                }
                self.started.insert(*round, *start);
            }
            Event::Result { round, table, points, wins, taken } => {
                self.result((*round, *table), *points, *taken)?;
                self.paper_wins.insert((*round, *table), *wins);
            }
            Event::Absent { player, round, reserve } => {
                self.absent(recorded.at, player, *round, reserve.as_ref())?;
            }
            Event::Substituted { round, number, reserve } => {
                self.substitute(*round, *number, reserve)?;
            }
            Event::Penalty { player, cause, count, points, note } => {
                self.plays(player)?;
                let rules = &self.format.penalties;
                let known = rules.causes.get(cause);
                // A penalty whose cost the referee states may have any cause.
                if known.is_none() && points.is_none() {
                    let known: Vec<&str> =
                        self.format.penalties.causes.keys().map(String::as_str).collect();
                    return Err(TournamentError::NoCause {
                        cause: cause.clone(),
                        known: known.join(", "),
                    });
                }
                let own = known.and_then(|cause| cause.points);
                let own = own.map(|own| Points::whole(own) * i64::from(*count));
                let fixed = points.map(Points::whole).or(own);
                if fixed.is_none() && rules.first == 0 {
                    return Err(TournamentError::Cost { cause: cause.clone() });
                }
                let all = self.penalty_count(player).saturating_add(*count);
                if *count == 0 || all > MOST_PENALTIES {
                    return Err(TournamentError::Penalties(all));
                }
                self.penalties.push(GivenPenalty {
                    at: recorded.at,
                    player: player.clone(),
                    cause: cause.clone(),
                    count: *count,
                    fixed,
                    note: note.clone(),
                    table: None,
                });
            }
            Event::Joined { entrants, round, schedule, out } => {
                self.join(entrants, *round, schedule, out)?;
            }
            Event::Paired(paired) => self.paired(paired)?,
            Event::Described { player, about } => {
                if !self.roster.describe(player, about) {
                    return Err(TournamentError::Nobody(player.clone()));
                }
            }
            Event::Withdrawn { player, round, .. } => {
                self.plays(player)?;
                self.planned_round(*round)?;
                let rounds = *round..=self.seated()?.schedule.rounds().len();
                rounds.clone().try_for_each(|round| self.no_result_yet(player, round))?;
                let first = self.left.get(player).map_or(*round, |first| *round.min(first));
                self.left.insert(player.clone(), first);
            }
            Event::Renamed { player, name } => self.rename(player, name)?,
            Event::Disqualified { player, round, note } => {
                self.plays(player)?;
                let rounds = self.seated()?.schedule.rounds().len();
                if *round == 0 || *round > rounds + 1 {
                    return Err(TournamentError::NoRound { round: *round, rounds });
                }
                for round in *round..=rounds {
                    self.no_result_yet(player, round)?;
                }
                let out = Disqualification { from_round: *round, note: note.clone() };
                self.disqualified.insert(player.clone(), out);
            }
        }
        Ok(())
    }

    /// Players after the draw, with the rounds laid out again from their first one on.
    fn join(
        &mut self,
        entrants: &[Entrant],
        first: usize,
        schedule: &Schedule,
        out: &[Name],
    ) -> Result<(), TournamentError> {
        self.planned_round(first)?;
        let mut roster = self.roster.clone();
        for entrant in entrants {
            if entrant.new_player_wins.is_some() && !self.format.handicap {
                let (player, rules) = (entrant.name.clone(), self.rules.clone());
                return Err(TournamentError::NoHandicap { player, rules });
            }
            roster.join(Entrant { reserve: false, ..entrant.clone() })?;
        }
        let mut next = Self { roster, ..self.clone() };
        let laid_out = self.seated()?.schedule.rounds().len();
        let seating = next.seating.as_mut().ok_or(TournamentError::NotSeated)?;
        seating.numbers.extend(entrants.iter().map(|entrant| entrant.name.clone()));
        next.joined_in.extend(entrants.iter().map(|entrant| (entrant.name.clone(), first)));
        next.seats_needed()?;
        if schedule.rounds().len() != laid_out {
            return Err(TournamentError::NoRound {
                round: schedule.rounds().len(),
                rounds: laid_out,
            });
        }
        next.lay_out_again(first, schedule, out)?;
        *self = next;
        Ok(())
    }

    /// Rounds laid out by the standings, or again.
    fn paired(&mut self, paired: &Paired) -> Result<(), TournamentError> {
        let Paired { round, schedule, out, starts, apart, .. } = paired;
        let mut next = self.clone();
        next.lay_out_again(*round, schedule, out)?;
        let seating = next.seating.as_mut().ok_or(TournamentError::NotSeated)?;
        let rounds = schedule.rounds().len();
        if rounds < *round {
            return Err(TournamentError::NoRound { round: *round, rounds });
        }
        let begin = seating.starts.len();
        let planned = seating.planned.max(rounds);
        seating.starts.extend(starts);
        let rising = seating.starts.windows(2).all(|pair| pair[0] < pair[1]);
        let gap = !starts.is_empty() && begin < seating.planned;
        if gap || !rising || seating.starts.len() > planned {
            return Err(TournamentError::Starts { starts: seating.starts.len(), rounds: planned });
        }
        seating.planned = planned;
        seating.apart.clone_from(apart);
        seating.by = paired.by;
        *self = next;
        Ok(())
    }

    /// Other rounds from one on of which nothing has begun. Everybody sits once in each, but for those who
    /// are out.
    fn lay_out_again(
        &mut self,
        first: usize,
        schedule: &Schedule,
        out: &[Name],
    ) -> Result<(), TournamentError> {
        let open = self.first_open_round()?;
        if first < open {
            return Err(TournamentError::RoundBegun { round: first, open });
        }
        let seating = self.seating.as_ref().ok_or(TournamentError::NotSeated)?;
        let (before, after) = (seating.schedule.rounds(), schedule.rounds());
        let kept = first.saturating_sub(1);
        if first == 0 || kept > before.len() {
            return Err(TournamentError::NotNext { round: first, next: before.len() + 1 });
        }
        if after.len() < kept || before[..kept] != after[..kept] {
            let (seats, players) = (schedule.seats(), self.roster.players().count());
            return Err(TournamentError::Seats { seats, players });
        }
        for (index, tables) in after.iter().enumerate().skip(kept) {
            let round = index + 1;
            let mut due: BTreeSet<usize> = (seating.numbers.iter().enumerate())
                .filter(|(_, name)| !out.contains(name))
                .map(|(number, _)| number)
                .collect();
            // Reserves fill the tables.
            let reserves = due.len().next_multiple_of(4) - due.len();
            due.extend(seating.numbers.len()..seating.numbers.len() + reserves);
            let at_tables: BTreeSet<usize> =
                tables.iter().flatten().map(|number| number.index()).collect();
            if at_tables != due {
                let odd = at_tables.symmetric_difference(&due).next().copied().unwrap_or(0);
                let number = Number::at(u16::try_from(odd).unwrap_or(u16::MAX - 1));
                return Err(TournamentError::NotOnce { round, number });
            }
        }
        let schedule = schedule.clone();
        self.substitutes.retain(|(round, number), _| {
            *round < first || schedule.place(*round - 1, *number).is_some()
        });
        if let Some(seating) = &mut self.seating {
            seating.schedule = schedule;
        }
        Ok(())
    }

    /// Whether a number sits in a round.
    fn has_seat(&self, round: usize, number: Number) -> Result<(), TournamentError> {
        self.round(round)?;
        let schedule = &self.seated()?.schedule;
        let seats = schedule.seats();
        if !(1..=seats).contains(&number.0) {
            return Err(TournamentError::NoNumber { number, seats });
        }
        let seat = schedule.place(round - 1, number);
        seat.map(drop).ok_or(TournamentError::NoSeat { number, round })
    }

    /// Whether a round is to be played, laid out or not.
    fn planned_round(&self, round: usize) -> Result<(), TournamentError> {
        let rounds = self.seated()?.planned;
        let known = (1..=rounds).contains(&round);
        if known { Ok(()) } else { Err(TournamentError::NoRound { round, rounds }) }
    }

    /// Renames a person everywhere in the tournament.
    fn rename(&mut self, player: &Name, name: &Name) -> Result<(), TournamentError> {
        if !self.roster.entrants().iter().any(|entrant| entrant.name == *player) {
            return Err(TournamentError::Nobody(player.clone()));
        }
        self.roster.rename(player, name)?;
        let renamed = |known: &mut Name| {
            if known == player {
                known.clone_from(name);
            }
        };
        if let Some(seating) = &mut self.seating {
            seating.numbers.iter_mut().for_each(renamed);
        }
        self.substitutes.values_mut().for_each(renamed);
        self.penalties.iter_mut().for_each(|penalty| renamed(&mut penalty.player));
        let called = |known: Name| if known == *player { name.clone() } else { known };
        let absences = std::mem::take(&mut self.absences).into_iter();
        self.absences = absences.map(|(round, known)| (round, called(known))).collect();
        let joined = std::mem::take(&mut self.joined_in).into_iter();
        self.joined_in = joined.map(|(known, first)| (called(known), first)).collect();
        let left = std::mem::take(&mut self.left).into_iter();
        self.left = left.map(|(known, first)| (called(known), first)).collect();
        let out = std::mem::take(&mut self.disqualified).into_iter();
        self.disqualified = out.map(|(known, out)| (called(known), out)).collect();
        Ok(())
    }

    fn seat(&mut self, seating: Seating) -> Result<(), TournamentError> {
        if self.seating.is_some() {
            return Err(TournamentError::SeatedAlready);
        }
        let seats = self.seats_needed()?;
        if seating.schedule.seats() != seats {
            return Err(TournamentError::Seats {
                seats: seating.schedule.seats(),
                players: self.roster.players().count(),
            });
        }
        for (round, tables) in (1..).zip(seating.schedule.rounds()) {
            let sits: BTreeSet<u16> = tables.iter().flatten().map(|number| number.0).collect();
            if let Some(number) = (1..=seats).find(|number| !sits.contains(number)) {
                return Err(TournamentError::NotOnce { round, number: Number(number) });
            }
        }
        if seating.numbers != draw(&seating.seed, self.roster.players()) {
            return Err(TournamentError::Draw(seating.seed));
        }
        let (starts, rounds) = (seating.starts.len(), seating.planned);
        let rising = seating.starts.windows(2).all(|pair| pair[0] < pair[1]);
        if starts > 0 && (starts != rounds || !rising) {
            return Err(TournamentError::Starts { starts, rounds });
        }
        self.seating = Some(seating);
        Ok(())
    }

    pub(super) fn result(
        &mut self,
        (round, table): (usize, usize),
        points: [Points; 4],
        taken: Points,
    ) -> Result<(), TournamentError> {
        self.table(round, table)?;
        if let Some(played) = self.played.get(&(round, table)).filter(|played| played.deals > 0) {
            return Err(TournamentError::InTheLedger { round, table, number: played.number });
        }
        if self.results.contains_key(&(round, table)) {
            return Err(TournamentError::ResultAlready { round, table });
        }
        if taken < Points::ZERO {
            return Err(TournamentError::Taken(taken));
        }
        let expected = self.format.starting_points * 4 - taken;
        let sum: Points = points.into_iter().sum();
        if sum != expected {
            let rules = &self.format.penalties;
            let mut all = rules.causes.values().map(Some).chain([None]);
            let may_be_taken = sum < expected && all.any(|cause| rules.is_in_table(cause));
            return Err(TournamentError::Sum { sum, expected, off: sum - expected, may_be_taken });
        }
        let earned = points.map(|points| points - self.format.starting_points);
        self.results.insert((round, table), earned);
        Ok(())
    }

    fn absent(
        &mut self,
        at: Timestamp,
        player: &Name,
        round: usize,
        reserve: Option<&Name>,
    ) -> Result<(), TournamentError> {
        self.plays(player)?;
        self.round(round)?;
        self.no_result_yet(player, round)?;
        if let Some(reading) = self.read_clock(round, at, 0)
            && reading.may_play != MayPlay::NotYet
            && reading.late_seconds > 0
        {
            return Err(TournamentError::NotLateYet {
                player: player.clone(),
                round,
                minutes: (reading.late_seconds + 59) / 60,
            });
        }
        let key = (round, player.clone());
        if self.absences.contains(&key)
            || self.left.get(player).is_some_and(|first| *first <= round)
        {
            return Err(TournamentError::AbsentAlready { player: player.clone(), round });
        }
        if let Some(reserve) = reserve {
            self.free_reserve(round, reserve)?;
            self.substitutes.insert((round, self.number_of_player(player)?), reserve.clone());
        }
        self.absences.insert(key);
        Ok(())
    }

    /// Names the reserve on a seat.
    fn substitute(
        &mut self,
        round: usize,
        number: Number,
        reserve: &Name,
    ) -> Result<(), TournamentError> {
        self.round(round)?;
        let seating = self.seated()?;
        // Earlier logs may name a seat of a round that has none.
        let seats = seating.schedule.seats();
        if !(1..=seats).contains(&number.0) {
            return Err(TournamentError::NoNumber { number, seats });
        }
        if let Some(reserve) = self.substitutes.get(&(round, number)) {
            return Err(TournamentError::ReserveNamed { reserve: reserve.clone(), number, round });
        }
        self.free_reserve(round, reserve)?;
        self.substitutes.insert((round, number), reserve.clone());
        Ok(())
    }

    /// Checks that a reserve exists and sits nowhere else in that round.
    fn free_reserve(&self, round: usize, reserve: &Name) -> Result<(), TournamentError> {
        if !self.roster.reserves().any(|name| name == reserve) {
            return Err(TournamentError::NoReserve(reserve.clone()));
        }
        let mut taken = self.substitutes.iter().filter(|((when, _), _)| *when == round);
        match taken.find(|(_, who)| *who == reserve) {
            Some(((_, number), _)) => Err(TournamentError::ReserveTaken {
                reserve: reserve.clone(),
                number: *number,
                round,
            }),
            None => Ok(()),
        }
    }

    /// The number in the ledger of a table whose result was played there.
    fn number_in_ledger(&self, round: usize, table: usize) -> Option<u32> {
        let paper = self.paper_wins.contains_key(&(round, table));
        self.played.get(&(round, table)).filter(|_| !paper).map(|played| played.number)
    }

    /// Checks that after an undo every played session still counts for the same players.
    pub(crate) fn counts_as(&self, before: &Self) -> Result<(), TournamentError> {
        let dealt = |(_, played): &(&(usize, usize), &LedgerTable)| played.deals > 0;
        let played = before.played.iter().filter(dealt).map(|(at, _)| at);
        let all = before.results.keys().chain(played).filter(|_| self.seating.is_some());
        for (round, table) in all {
            let at = |tournament: &Self| -> Option<Table> {
                tournament.round(*round).ok()?.get(table.checked_sub(1)?).copied()
            };
            // Other numbers sit at the table: the session belongs to others.
            if let (Some(was), is) = (at(before), at(self))
                && Some(was) != is
                && let Some(seating) = &before.seating
            {
                let moved = was
                    .iter()
                    .enumerate()
                    .find(|(seat, number)| is.is_none_or(|is| is[*seat] != **number));
                let name = moved.and_then(|(_, number)| seating.numbers.get(number.index()));
                let (player, round, table) = (name.cloned().unwrap_or_default(), *round, *table);
                let number = before.number_in_ledger(round, table);
                return Err(TournamentError::WouldChange { player, round, table, number });
            }
        }
        for (round, table) in self.results.keys().filter(|at| before.results.contains_key(at)) {
            let seats = before.table(*round, *table)?.into_iter().zip(self.table(*round, *table)?);
            for (was, is) in seats {
                let player = match (was, is) {
                    (Sitter::Player(player), Sitter::Reserve { .. }) => player,
                    (Sitter::Reserve { .. }, Sitter::Player(player)) => player,
                    _ => continue,
                };
                let (player, round, table) = (player.clone(), *round, *table);
                let number = self.number_in_ledger(round, table);
                return Err(TournamentError::WouldChange { player, round, table, number });
            }
        }
        Ok(())
    }

    /// Refuses to give a played session to another player.
    fn no_result_yet(&self, player: &Name, round: usize) -> Result<(), TournamentError> {
        for ((_, table), _) in self.results.range((round, 0)..=(round, usize::MAX)) {
            let sits = |sitter: &Sitter| matches!(sitter, Sitter::Player(name) if *name == player);
            if self.table(round, *table)?.iter().any(sits) {
                let (player, table) = (player.clone(), *table);
                let number = self.number_in_ledger(round, table);
                return Err(TournamentError::PlayedAlready { player, round, table, number });
            }
        }
        Ok(())
    }

    /// Checks that somebody is a player and may play.
    fn plays(&self, player: &Name) -> Result<(), TournamentError> {
        self.seated()?;
        if !self.roster.players().any(|name| name == player) {
            return Err(TournamentError::NoPlayer(player.clone()));
        }
        if self.disqualified.contains_key(player) {
            return Err(TournamentError::Disqualified(player.clone()));
        }
        Ok(())
    }
}

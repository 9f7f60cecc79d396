//! What the draw, and rounds laid out after it, make of a tournament.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::{
    name::Name,
    tournament::{Entrant, Number, Paired, Schedule, Seating, Tournament, TournamentError, draw},
};

impl Tournament {
    /// The numbers are drawn and rounds laid out, once.
    pub(super) fn seat(&mut self, seating: Seating) -> Result<(), TournamentError> {
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

    /// Players after the draw, with the rounds laid out again from their first one on.
    pub(super) fn join(
        &mut self,
        entrants: &[Entrant],
        first: usize,
        schedule: &Schedule,
        out: &[Name],
    ) -> Result<(), TournamentError> {
        self.planned_round(first)?;
        let mut roster = self.roster.clone();
        for entrant in entrants {
            self.check_handicap(entrant)?;
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
    pub(super) fn paired(&mut self, paired: &Paired) -> Result<(), TournamentError> {
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

    pub(super) fn start(&mut self, round: usize, start: Timestamp) -> Result<(), TournamentError> {
        self.round(round)?;
        if self.started.contains_key(&round) {
            return Err(TournamentError::StartedAlready(round));
        }
        self.started.insert(round, start);
        Ok(())
    }
}

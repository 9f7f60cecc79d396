//! What becomes of people in a tournament: who enters, is away, leaves or is disqualified, who plays instead, what they are
//! called, and their penalties.

use jiff::Timestamp;

use crate::{
    name::Name,
    points::Points,
    tournament::{
        Disqualification, Entrant, GivenPenalty, MayPlay, Number, PersonDetails, Tournament,
        TournamentError, error::MOST_PENALTIES,
    },
};

impl Tournament {
    /// Players and reserves enter, players before the draw alone.
    pub(super) fn enter(&mut self, entrants: &[Entrant]) -> Result<(), TournamentError> {
        let mut roster = self.roster.clone();
        for entrant in entrants {
            if self.seating.is_some() && !entrant.reserve {
                return Err(TournamentError::AfterDraw(entrant.name.clone()));
            }
            self.check_handicap(entrant)?;
            roster.enter(entrant.clone())?;
        }
        self.roster = roster;
        Ok(())
    }

    /// Renames a person everywhere in the tournament.
    pub(super) fn rename(&mut self, player: &Name, name: &Name) -> Result<(), TournamentError> {
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

    pub(super) fn describe(
        &mut self,
        player: &Name,
        about: &PersonDetails,
    ) -> Result<(), TournamentError> {
        let known = self.roster.describe(player, about);
        if known { Ok(()) } else { Err(TournamentError::Nobody(player.clone())) }
    }

    /// A player does not appear in a round.
    pub(super) fn absent(
        &mut self,
        at: Timestamp,
        player: &Name,
        round: usize,
        reserve: Option<&Name>,
    ) -> Result<(), TournamentError> {
        self.plays(player)?;
        self.round(round)?;
        self.no_result_yet(player, round)?;
        if let Some(reading) = self.read_clock((round, None), at, 0)
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
    pub(super) fn substitute(
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

    /// A player is absent from a round on.
    pub(super) fn withdraw(&mut self, player: &Name, round: usize) -> Result<(), TournamentError> {
        self.plays(player)?;
        self.planned_round(round)?;
        self.no_result_from(player, round)?;
        let first = self.left.get(player).map_or(round, |first| round.min(*first));
        self.left.insert(player.clone(), first);
        Ok(())
    }

    /// A reserve plays for a player from a round on.
    pub(super) fn disqualify(
        &mut self,
        player: &Name,
        round: usize,
        note: &str,
    ) -> Result<(), TournamentError> {
        self.plays(player)?;
        let rounds = self.seated()?.schedule.rounds().len();
        if round == 0 || round > rounds + 1 {
            return Err(TournamentError::NoRound { round, rounds });
        }
        self.no_result_from(player, round)?;
        let out = Disqualification { from_round: round, note: note.to_owned() };
        self.disqualified.insert(player.clone(), out);
        Ok(())
    }

    /// A player gets point penalties, which cost what the referee or the rules say.
    pub(super) fn penalise(
        &mut self,
        given: GivenPenalty,
        points: Option<u32>,
    ) -> Result<(), TournamentError> {
        let GivenPenalty { player, cause, count, .. } = &given;
        self.plays(player)?;
        let rules = &self.format.penalties;
        let known = rules.causes.get(cause);
        // A penalty whose cost the referee states may have any cause.
        if known.is_none() && points.is_none() {
            let known: Vec<&str> = rules.causes.keys().map(String::as_str).collect();
            return Err(TournamentError::NoCause { cause: cause.clone(), known: known.join(", ") });
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
        self.penalties.push(GivenPenalty { fixed, ..given });
        Ok(())
    }
}

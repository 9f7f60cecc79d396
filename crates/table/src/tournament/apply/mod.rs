//! The effect of each event on a tournament: one step of the fold, checked against the events before.

mod people;
mod results;
mod rounds;

use std::collections::{BTreeMap, BTreeSet};

use super::{
    By, ClockChanged, Entrant, Event, Format, GivenPenalty, Number, Recorded, Roster, Seating,
    Sitter, Tournament, TournamentError,
};
use crate::name::Name;

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
            clock_changes: Vec::new(),
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
            Event::Begun { .. } => Err(TournamentError::NotBegun),
            Event::Lost { .. } => Ok(()),
            Event::Undone { event } => Err(TournamentError::NoEvent(*event)),
            Event::Entered { entrants } => self.enter(entrants),
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
                })
            }
            Event::Started { round, start } => self.start(*round, *start),
            Event::ClockChanged { round, table, change } => self.change_clock(ClockChanged {
                round: *round,
                table: *table,
                change: *change,
                at: recorded.at,
            }),
            Event::Result { round, table, points, wins, taken } => {
                self.result((*round, *table), *points, *taken)?;
                self.paper_wins.insert((*round, *table), *wins);
                Ok(())
            }
            Event::Absent { player, round, reserve } => {
                self.absent(recorded.at, player, *round, reserve.as_ref())
            }
            Event::Substituted { round, number, reserve } => {
                self.substitute(*round, *number, reserve)
            }
            Event::Penalty { player, cause, count, points, note } => {
                let given = GivenPenalty {
                    at: recorded.at,
                    player: player.clone(),
                    cause: cause.clone(),
                    count: *count,
                    fixed: None,
                    note: note.clone(),
                    table: None,
                };
                self.penalise(given, *points)
            }
            Event::Joined { entrants, round, schedule, out } => {
                self.join(entrants, *round, schedule, out)
            }
            Event::Paired(paired) => self.paired(paired),
            Event::Described { player, about } => self.describe(player, about),
            Event::Withdrawn { player, round, .. } => self.withdraw(player, *round),
            Event::Renamed { player, name } => self.rename(player, name),
            Event::Disqualified { player, round, note } => self.disqualify(player, *round, note),
        }
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

    /// Checks that a minimum of an entrant's own is known to the rules.
    fn check_handicap(&self, entrant: &Entrant) -> Result<(), TournamentError> {
        if entrant.new_player_wins.is_some() && !self.format.handicap {
            let (player, rules) = (entrant.name.clone(), self.rules.clone());
            return Err(TournamentError::NoHandicap { player, rules });
        }
        Ok(())
    }

    /// Whether a round is to be played, laid out or not.
    fn planned_round(&self, round: usize) -> Result<(), TournamentError> {
        let rounds = self.seated()?.planned;
        let known = (1..=rounds).contains(&round);
        if known { Ok(()) } else { Err(TournamentError::NoRound { round, rounds }) }
    }
}

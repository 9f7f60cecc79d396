//! The current state of a tournament.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use super::{
    By, ClockChanged, Format, Group, LedgerTable, Number, Roster, Schedule, Table, TournamentError,
    Wins,
};
use crate::{name::Name, points::Points};

/// Numbers and tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seating {
    /// The seed of the draw.
    pub seed: String,
    /// Players in the order of their numbers. Higher numbers of the schedule are reserves' seats.
    pub numbers: Vec<Name>,
    /// The seating.
    pub schedule: Schedule,
    /// When each session is to start; empty where that was not said.
    pub starts: Vec<Timestamp>,
    /// The number of planned rounds; not all need be laid out.
    pub planned: usize,
    /// Which groups are kept apart.
    pub apart: Vec<Group>,
    /// The way in which the last rounds were laid out.
    pub by: By,
}

/// The player or reserve on a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sitter<'a> {
    /// The player whose number it is.
    Player(&'a Name),
    /// A reserve, whose points do not count. `player` is the one who is missing, if the seat is
    /// anybody's; `reserve` the one who plays, if that was said.
    Reserve {
        /// The missing player.
        player: Option<&'a Name>,
        /// The reserve who plays.
        reserve: Option<&'a Name>,
    },
}

/// Point penalties that a player got at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenPenalty {
    /// The time.
    pub at: Timestamp,
    /// The player.
    pub player: Name,
    /// The cause's id in the format.
    pub cause: String,
    /// The number of penalties.
    pub count: u32,
    /// Their cost, where the referee set it at a table; otherwise the rules'.
    pub fixed: Option<Points>,
    /// The reason in the referee's words.
    pub note: String,
    /// The table of the ledger at which they were given.
    pub table: Option<u32>,
}

/// A player who may not play on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disqualification {
    /// The first round in which a reserve plays instead.
    pub from_round: usize,
    /// The reason in the referee's words.
    pub note: String,
}

/// The current state of a tournament. Rounds and tables count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// The tournament's name.
    pub name: String,
    /// The rule set that hands are scored with.
    pub rules: String,
    /// The text of its rule file, where it is no preset.
    pub rule_file: Option<String>,
    /// Rulings chosen, ids and choices.
    pub rulings: Vec<(String, String)>,
    /// The values of the tournament's rules.
    pub format: Format,
    /// Everybody entered.
    pub roster: Roster,
    /// Numbers and tables, once drawn.
    pub seating: Option<Seating>,
    /// When sessions started.
    pub started: BTreeMap<usize, Timestamp>,
    /// How the clocks were changed, in order.
    pub clock_changes: Vec<ClockChanged>,
    /// Points won and lost at a table (round, table), in the order of its seats.
    pub results: BTreeMap<(usize, usize), [Points; 4]>,
    /// The wins of each player at a table (round, table) with an entered result, as far as given.
    pub paper_wins: BTreeMap<(usize, usize), Wins>,
    /// Tables (round, table) that are played in the ledger; see [`Tournament::joined`].
    pub played: BTreeMap<(usize, usize), LedgerTable>,
    /// Tables of the ledger that claim to belong to this tournament, but do not.
    pub strays: Vec<u32>,
    /// The absent players by round.
    pub absences: BTreeSet<(usize, Name)>,
    /// Reserves by round and the number of the seat on which they play.
    pub substitutes: BTreeMap<(usize, Number), Name>,
    /// Point penalties in the order given.
    pub penalties: Vec<GivenPenalty>,
    /// The players who may not play on.
    pub disqualified: BTreeMap<Name, Disqualification>,
    /// The players who joined after the draw, with their first round.
    pub joined_in: BTreeMap<Name, usize>,
    /// The players who left, with the first round that they do not play.
    pub left: BTreeMap<Name, usize>,
}

impl Tournament {
    /// When a round has started, or is to start where that was said.
    pub fn start_of(&self, round: usize) -> Option<Timestamp> {
        let planned = || self.seating.as_ref()?.starts.get(round.checked_sub(1)?);
        self.started.get(&round).or_else(planned).copied()
    }

    /// The number of seats needed: reserves fill up to a multiple of four.
    ///
    /// # Errors
    /// Where there are too few players, or too many.
    pub fn seats_needed(&self) -> Result<u16, TournamentError> {
        let players = self.roster.players().count();
        if players < 4 {
            return Err(TournamentError::TooFew(players));
        }
        u16::try_from(players.next_multiple_of(4))
            .ok()
            .filter(|seats| *seats <= Schedule::MOST_SEATS)
            .ok_or(TournamentError::TooMany(players))
    }

    /// Numbers and tables.
    ///
    /// # Errors
    /// Where they are not drawn yet.
    pub fn seated(&self) -> Result<&Seating, TournamentError> {
        self.seating.as_ref().ok_or(TournamentError::NotSeated)
    }

    /// The tables of a round.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn round(&self, round: usize) -> Result<&[Table], TournamentError> {
        let rounds = self.seated()?.schedule.rounds();
        let found = round.checked_sub(1).and_then(|index| rounds.get(index));
        found.map(Vec::as_slice).ok_or(TournamentError::NoRound { round, rounds: rounds.len() })
    }

    /// The players and reserves at a table, East first.
    ///
    /// # Errors
    /// Where there is no such round or table.
    pub fn table(&self, round: usize, table: usize) -> Result<[Sitter<'_>; 4], TournamentError> {
        let tables = self.round(round)?;
        let found = table.checked_sub(1).and_then(|index| tables.get(index));
        let seats = found.ok_or(TournamentError::NoTable { table, round, tables: tables.len() })?;
        let seating = self.seated()?;
        Ok(seats.map(|number| self.sitter(seating, round, number)))
    }

    pub(super) fn sitter<'a>(
        &'a self,
        seating: &'a Seating,
        round: usize,
        number: Number,
    ) -> Sitter<'a> {
        let reserve = self.substitutes.get(&(round, number));
        let Some(player) = seating.numbers.get(number.index()) else {
            return Sitter::Reserve { player: None, reserve };
        };
        if self.joined_in.get(player).is_some_and(|first| *first > round) {
            return Sitter::Reserve { player: None, reserve };
        }
        if self.is_missing(player, round) {
            Sitter::Reserve { player: Some(player), reserve }
        } else {
            Sitter::Player(player)
        }
    }

    /// Whether a player misses a round: he is absent, has left or may not play.
    pub(super) fn is_missing(&self, player: &Name, round: usize) -> bool {
        self.absences.contains(&(round, player.clone()))
            || self.left.get(player).is_some_and(|first| *first <= round)
            || self.disqualified.get(player).is_some_and(|out| out.from_round <= round)
    }

    /// The number of point penalties of a player.
    pub fn penalty_count(&self, player: &Name) -> u32 {
        self.penalties
            .iter()
            .filter(|penalty| penalty.player == *player)
            .map(|penalty| penalty.count)
            .sum()
    }

    /// The cost of all point penalties of a player: each is dearer than the one before, whatever
    /// session it was given in (chumchu, Penalties).
    pub fn penalty_cost(&self, player: &Name) -> Points {
        let rules = &self.format.penalties;
        let (mut before, mut cost) = (0_u32, Points::ZERO);
        for penalty in self.penalties.iter().filter(|penalty| penalty.player == *player) {
            let due = i64::try_from(rules.cost(before, penalty.count)).unwrap_or(i64::MAX);
            cost += penalty.fixed.unwrap_or_else(|| Points::whole(due));
            before = before.saturating_add(penalty.count);
        }
        cost
    }

    /// The first round of which nothing has begun: no session, no table, no result; one more than there are
    /// rounds where all have.
    ///
    /// # Errors
    /// Where nothing is drawn yet.
    pub fn first_open_round(&self) -> Result<usize, TournamentError> {
        self.seated()?;
        let tables = self.results.keys().chain(self.played.keys()).map(|(round, _)| *round);
        Ok(tables.chain(self.started.keys().copied()).max().unwrap_or(0) + 1)
    }

    /// A player's number.
    ///
    /// # Errors
    /// Where he has none.
    pub fn number_of_player(&self, player: &Name) -> Result<Number, TournamentError> {
        let index = self.seated()?.numbers.iter().position(|name| name == player);
        index
            .and_then(|index| u16::try_from(index).ok())
            .map(Number::at)
            .ok_or_else(|| TournamentError::NoPlayer(player.clone()))
    }

    /// The first round in which a player's table has no result; one more than are laid out where all have.
    ///
    /// # Errors
    /// Where nothing is drawn yet.
    pub fn next_round(&self, player: &Name) -> Result<usize, TournamentError> {
        let seating = self.seated()?;
        let number = self.number_of_player(player)?;
        let rounds = seating.schedule.rounds().len();
        let open = (0..rounds).find(|round| {
            let place = seating.schedule.place(*round, number);
            place.is_some_and(|(table, _)| !self.results.contains_key(&(round + 1, table + 1)))
        });
        Ok(open.unwrap_or(rounds) + 1)
    }
}

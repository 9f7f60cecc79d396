//! A ledger's tournament as pages show it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    clock::Clock,
    ledger::TournamentLedger,
    name::Name,
    points::Points,
    tournament::{Sitter, Standing, Tournament},
    words::Say,
};

/// A ledger's tournament as the scoreboard shows it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct TournamentShown {
    name: String,
    standings: Vec<Standing>,
    /// The points so far at tables that still play.
    running: BTreeMap<Name, Points>,
    /// The rounds that count so far.
    results: Say,
    /// The clock of the current round.
    clock: Option<RoundClock>,
    /// The seating of the first round that has not begun.
    seating: Option<RoundSeating>,
}

/// The clock of a round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
struct RoundClock {
    round: usize,
    #[serde(flatten)]
    clock: Clock,
}

/// The seating of a round, tables in order.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct RoundSeating {
    round: usize,
    tables: Vec<TableSeating>,
    /// The reserves that are missing.
    lack: Option<Say>,
}

/// The seats of a table, East first; an unknown player is null.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
struct TableSeating {
    table: usize,
    seats: [Option<Name>; 4],
}

impl TournamentShown {
    /// The tournament of a ledger; `None` without one.
    pub fn of(hall: &TournamentLedger) -> Option<Self> {
        let tournament = hall.tournament().ok()?;
        let round = tournament.started.keys().next_back().copied();
        let clock = |round| Some(RoundClock { round, clock: tournament.clock(round, None)? });
        Some(Self {
            name: tournament.name.clone(),
            standings: tournament.standings().unwrap_or_default(),
            running: tournament.running(),
            results: tournament.results_line(),
            clock: round.and_then(clock),
            seating: next_seating(&tournament),
        })
    }
}

fn next_seating(tournament: &Tournament) -> Option<RoundSeating> {
    let round = tournament.first_open_round().ok()?;
    let tables = tournament.round(round).ok()?;
    let seats = |table: usize| {
        let seats = tournament.table(round, table).ok()?.map(|sitter| match sitter {
            Sitter::Player(name) => Some(name.clone()),
            Sitter::Reserve { reserve, .. } => reserve.cloned(),
        });
        Some(TableSeating { table, seats })
    };
    let lack = tournament.lack_of_reserves(round).ok().flatten();
    Some(RoundSeating { round, tables: (1..=tables.len()).filter_map(seats).collect(), lack })
}

//! A ledger's tournament as pages show it.

use serde_json::{Value, json};

use crate::{
    ledger::TournamentLedger,
    tournament::{Sitter, Tournament},
};

/// A ledger's tournament as the scoreboard shows it: its name, standings, current round and clock; null without a
/// tournament.
pub fn tournament_shown(hall: &TournamentLedger) -> Value {
    let Ok(tournament) = hall.tournament() else { return Value::Null };
    let round = tournament.started.keys().next_back().copied();
    let clock = round.and_then(|round| {
        let clock = tournament.clock(round)?;
        Some(json!({ "round": round, "started": clock.started, "ends": clock.ends, "then": clock.then }))
    });
    json!({
        "name": tournament.name,
        "standings": tournament.standings().unwrap_or_default(),
        "results": tournament.results_line(),
        "clock": clock,
        "seating": next_seating(&tournament),
    })
}

/// The seating of the first round that has not begun, tables in order and East first; an unknown player is null. `lack` says
/// that reserves are missing. Null without such a round.
fn next_seating(tournament: &Tournament) -> Value {
    let Ok(round) = tournament.first_open_round() else { return Value::Null };
    let Ok(tables) = tournament.round(round) else { return Value::Null };
    let tables: Vec<Value> = (1..=tables.len())
        .filter_map(|table| {
            let seats = tournament.table(round, table).ok()?.map(|sitter| match sitter {
                Sitter::Player(name) => Some(name),
                Sitter::Reserve { reserve, .. } => reserve,
            });
            Some(json!({ "table": table, "seats": seats }))
        })
        .collect();
    let lack = tournament.lack_of_reserves(round).ok().flatten();
    json!({ "round": round, "tables": tables, "lack": lack })
}

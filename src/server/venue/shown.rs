//! What the pages of the hall show: a table on its phones, and the desk.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Waiting, desk::StoredPaperEntry};
use crate::{
    clock::Clock,
    ledger::{Branch, TournamentLedger},
    name::Name,
    points::Points,
    rules::{PenaltyRules, Terms},
    server::{Context, TournamentShown},
    table::{self, DealRecord, Event, Over, PlayerState, Table, TableState},
    tile::Seat,
    tournament::Tournament,
    words::Say,
};

/// A pending entry as pages show it.
#[derive(Serialize, JsonSchema)]
pub(super) struct WaitingShown<'a> {
    /// Its own name, by which it is answered.
    id: &'a str,
    /// The player's index at the table.
    by: usize,
    /// The phone.
    device: &'a str,
    at: Timestamp,
    /// Whether the table has changed since: it cannot be confirmed.
    stale: bool,
    /// The deal that it takes back.
    undoes: Option<&'a DealRecord>,
    /// Its deal.
    deal: Option<&'a DealRecord>,
    /// The players' totals after it.
    totals: Option<Vec<Points>>,
}

/// A question for the desk.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(super) struct Asked {
    /// The player who asks.
    pub(super) by: String,
    pub(super) at: Timestamp,
    pub(super) text: String,
}

/// A table of the hall, as its phones show it.
#[derive(Serialize, JsonSchema)]
pub(in crate::server) struct HallTable<'a> {
    /// Its number in the hall.
    pub(super) number: u32,
    /// Its session; null while none is open.
    pub(super) table: Option<&'a TableState>,
    #[serde(flatten)]
    pub(super) session: Option<HallSession<'a>>,
}

/// What phones show beside the session's table.
#[derive(Serialize, JsonSchema)]
pub(super) struct HallSession<'a> {
    /// The context of the next hand.
    #[schemars(with = "Context")]
    pub(super) context: Map<String, Value>,
    /// The entry that waits for a confirmation.
    pub(super) waiting: Option<WaitingShown<'a>>,
    /// The questions that wait at the desk.
    pub(super) asked: Vec<Asked>,
    /// The event of the last deal, which can be taken back.
    pub(super) undo: Option<u64>,
    /// The events that could not be sent to the database yet.
    pub(super) unsent: Option<u64>,
    /// Whether the desk has to choose between two versions of it.
    pub(super) apart: bool,
    /// Whether another player confirms each entry.
    pub(super) four_eyes: bool,
}

impl Waiting {
    /// It as pages show it; `after` is the table after it.
    pub(super) fn shown<'a>(
        &'a self,
        table: &'a Table,
        after: Option<&'a Table>,
    ) -> WaitingShown<'a> {
        let state = after.and_then(|after| after.state().ok());
        let undoes = match &self.event {
            Event::Undone { event } => table.state().ok().and_then(|state| state.record(*event)),
            _ => None,
        };
        WaitingShown {
            id: &self.id,
            by: self.who.by,
            device: &self.who.device,
            at: self.at,
            stale: table.state().is_ok_and(|state| state.last_event != self.after),
            undoes,
            deal: if undoes.is_some() { None } else { state.and_then(TableState::last_deal) },
            totals: state.map(|state| state.players.iter().map(|player| player.total).collect()),
        }
    }
}

/// The desk: the tables of the rounds that play, and the tournament.
#[derive(Serialize, JsonSchema)]
pub(in crate::server) struct DeskShown<'a> {
    /// Why nothing can be sent to the database.
    pub(super) cut: Option<Say>,
    /// The events that were not sent to it yet.
    pub(super) unsent: u64,
    /// The tables of which two versions exist.
    pub(super) branches: Vec<BranchShown>,
    pub(super) tournament: Option<DeskTournament<'a>>,
    /// The last round that was opened.
    pub(super) round: Option<usize>,
    /// The tables that play, by round.
    pub(super) playing: BTreeMap<usize, Vec<usize>>,
    /// Whether that round can be closed.
    pub(super) closable: bool,
    pub(super) tables: Vec<TableAtAGlance<'a>>,
    /// The results from paper that a second person has to enter, too.
    pub(super) paper: Vec<PaperShown>,
    /// Whether another player confirms each entry.
    pub(super) four_eyes: bool,
}

/// The tournament as screens show it, with the desk's further fields.
#[derive(Serialize, JsonSchema)]
pub(super) struct DeskTournament<'a> {
    #[serde(flatten)]
    shown: Option<TournamentShown>,
    /// The number of rounds that are seated.
    rounds: usize,
    /// The number of planned rounds.
    planned: usize,
    /// The first round that has not begun.
    next: Option<usize>,
    /// The players by their numbers.
    players: &'a [Name],
    penalties: &'a PenaltyRules,
    /// The number of its events.
    events: usize,
}

impl<'a> DeskTournament<'a> {
    pub(super) fn of(tournament: &'a Tournament, hall: &TournamentLedger) -> Self {
        let seated = tournament.seated().ok();
        Self {
            shown: TournamentShown::of(hall),
            rounds: seated.map_or(0, |seating| seating.schedule.rounds().len()),
            planned: seated.map_or(0, |seating| seating.planned),
            next: tournament.first_open_round().ok(),
            players: seated.map_or(&[], |seating| &seating.numbers),
            penalties: &tournament.format.penalties,
            events: hall.log.events().len(),
        }
    }
}

/// A result from paper.
#[derive(Serialize, JsonSchema)]
pub(super) struct PaperShown {
    /// Its round and table.
    pub(super) of: String,
    pub(super) entered: Vec<StoredPaperEntry>,
}

/// Two versions of a table between which the desk chooses.
#[derive(Serialize, JsonSchema)]
pub(super) struct BranchShown {
    /// Its name, by which a version is chosen.
    name: String,
    /// The table's number in the ledger.
    number: u32,
    /// The machine on which the table went on.
    machine: String,
    /// What the database has.
    database: Version,
    /// What was written at the table.
    table: Version,
}

/// A version of a table, since both were the same.
#[derive(Serialize, JsonSchema)]
pub(super) struct Version {
    deals: Vec<Arc<DealRecord>>,
    events: Vec<EventShown>,
    players: Option<Vec<PlayerState>>,
    /// The words of those who play these rules, where they have their own.
    terms: Option<Arc<Terms>>,
}

/// An event: who wrote what, and when.
#[derive(Serialize, JsonSchema)]
pub(super) struct EventShown {
    at: Timestamp,
    author: String,
    what: &'static str,
}

impl BranchShown {
    pub(super) fn of(branch: &Branch, now: &Table) -> Self {
        let version = |table: Option<&Table>, events: &[table::Recorded]| {
            let state = table.and_then(|table| table.state().ok());
            let since = |deal: &&Arc<DealRecord>| deal.event > branch.after;
            let event = |written: &table::Recorded| EventShown {
                at: written.at,
                author: written.author.clone(),
                what: written.event.name(),
            };
            Version {
                deals: state.map_or_else(Vec::new, |state| {
                    state.history.iter().filter(since).cloned().collect()
                }),
                events: events.iter().map(event).collect(),
                players: state.map(|state| state.players.clone()),
                terms: state.and_then(|state| state.terms.clone()),
            }
        };
        let before = now.after(branch.after).ok();
        let at_table = before.and_then(|before| before.extended(branch.at_table.clone()).ok());
        Self {
            name: branch.name.clone(),
            number: branch.table,
            machine: branch.machine.clone(),
            database: version(Some(now), &branch.database),
            table: version(at_table.as_ref(), &branch.at_table),
        }
    }
}

/// A table in the desk's list.
#[derive(Serialize, JsonSchema)]
pub(super) struct TableAtAGlance<'a> {
    /// Its number in the ledger.
    number: u32,
    /// Its number in the hall.
    table: usize,
    /// Its round of the tournament.
    of_round: Option<usize>,
    players: Vec<PlayerAtAGlance<'a>>,
    /// The wind of the round that is played.
    round: Seat,
    /// The number of its deals.
    deals: usize,
    last: Option<&'a DealRecord>,
    /// The number of its last event.
    last_event: u64,
    over: Option<&'a Over>,
    clock: Option<&'a Clock>,
    problems: Vec<&'a str>,
    /// Whether events were lost to damage.
    lost: bool,
    /// The entry that waits for a confirmation.
    waiting: Option<WaitingShown<'a>>,
    asked: Vec<NamedQuestion<'a>>,
    /// The event of the last deal, which can be taken back.
    undo: Option<u64>,
    rules_name: &'a str,
    /// The words of those who play these rules, where they have their own.
    terms: Option<&'a Terms>,
}

/// A player in the desk's list.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlayerAtAGlance<'a> {
    name: &'a Name,
    seat: Seat,
    total: Points,
    /// The number of point penalties.
    penalties: u32,
}

/// A question for the desk, and the name by which it is answered.
#[derive(Serialize, JsonSchema)]
pub(super) struct NamedQuestion<'a> {
    name: &'a str,
    asked: &'a Asked,
}

impl<'a> TableAtAGlance<'a> {
    pub(super) fn of(
        state: &'a TableState,
        waiting: Option<WaitingShown<'a>>,
        asked: &'a BTreeMap<String, Asked>,
    ) -> Self {
        let number = state.table;
        let of_it = format!("{number} ");
        let asked = asked.iter().filter(|(name, _)| name.starts_with(&of_it));
        let player = |player: &'a PlayerState| PlayerAtAGlance {
            name: &player.name,
            seat: player.seat,
            total: player.total,
            penalties: player.penalties,
        };
        Self {
            number,
            table: state.sitting.map_or(number as usize, |sitting| sitting.table),
            of_round: state.sitting.map(|sitting| sitting.round),
            players: state.players.iter().map(player).collect(),
            round: state.place.round,
            deals: state.history.len(),
            last: state.last_deal(),
            last_event: state.last_event,
            over: state.over.as_ref(),
            clock: state.clock.as_ref(),
            problems: state.problems.iter().map(|problem| problem.what.as_str()).collect(),
            lost: !state.lost.is_empty(),
            waiting,
            asked: asked.map(|(name, asked)| NamedQuestion { name, asked }).collect(),
            undo: state.last_deal().map(|deal| deal.event),
            rules_name: &state.rules_name,
            terms: state.terms.as_deref(),
        }
    }
}

//! Results from paper in a tournament's ledger: the seating, the entered results, and entering them.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ContextError, EntryError, ledger_handle::AUTHOR};
use crate::{
    ledger::{Act, Ledger, LedgerError, TournamentLedger},
    points::Points,
    tile::Seat,
    tournament::{Event, Sitter, Tournament, TournamentError, Wins},
};

/// The ledger of a tournament, for its results from paper.
#[derive(Debug)]
pub(super) struct Paper {
    ledger: Arc<Ledger>,
}

/// A table's result as entered, by the players' first winds.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TableResult {
    round: usize,
    table: usize,
    /// The final scores; empty to take a result back.
    #[serde(default)]
    points: Option<BTreeMap<Seat, String>>,
    /// The number of wins of each player, where entered.
    #[serde(default)]
    wins: BTreeMap<Seat, u32>,
    /// The points that penalties and lost sticks took from the table's sum.
    #[serde(default)]
    taken: Option<String>,
}

/// Why a result was not entered.
#[derive(Debug)]
pub(super) enum PaperError {
    /// A field with invalid points: its name and the reason.
    Field(String, String),
    /// The tournament rejects it.
    Entry(EntryError),
}

impl From<LedgerError> for PaperError {
    fn from(error: LedgerError) -> Self {
        Self::Entry(error.into())
    }
}

impl TableResult {
    /// The round and the table.
    pub fn of(&self) -> (usize, usize) {
        (self.round, self.table)
    }

    /// The result as the tournament's log has it.
    ///
    /// # Errors
    /// A field that cannot be read.
    pub fn as_event(&self) -> Result<Event, PaperError> {
        self.event(self.points.as_ref().unwrap_or(&BTreeMap::new()))
    }

    fn event(&self, texts: &BTreeMap<Seat, String>) -> Result<Event, PaperError> {
        let read = |field: String, text: &str| {
            text.parse::<Points>().map_err(|error| PaperError::Field(field, error.to_string()))
        };
        let mut points = [Points::ZERO; 4];
        for (seat, points) in Seat::ALL.into_iter().zip(&mut points) {
            let text = texts.get(&seat).map_or("", |text| text.trim());
            if text.is_empty() {
                let why = "what is the final score?".to_owned();
                return Err(PaperError::Field(seat.to_string(), why));
            }
            *points = read(seat.to_string(), text)?;
        }
        let taken = self.taken.as_deref().map(str::trim).filter(|text| !text.is_empty());
        let taken = taken.map(|text| read("taken".to_owned(), text)).transpose()?;
        let wins: Wins = Seat::ALL.map(|seat| self.wins.get(&seat).copied());
        let (round, table) = (self.round, self.table);
        Ok(Event::Result { round, table, points, wins, taken: taken.unwrap_or_default() })
    }
}

impl Paper {
    pub fn new(ledger: Arc<Ledger>) -> Self {
        Self { ledger }
    }

    /// The seating and results of each round.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub async fn tables(&self) -> Result<ListedResults, EntryError> {
        let hall = self.ledger.tournament_ledger().await?;
        Ok(listed(&hall.tournament().map_err(LedgerError::from)?))
    }

    /// Writes a result down, or takes it back; the tables afterwards.
    ///
    /// # Errors
    /// An invalid field, or a result that the tournament rejects.
    pub async fn enter(&self, said: &TableResult) -> Result<ListedResults, PaperError> {
        let done = self.ledger.organise(AUTHOR, |hall| {
            let event = match &said.points {
                Some(points) => said.event(points)?,
                None => Event::Undone { event: entered(hall, said.round, said.table)? },
            };
            Ok::<_, PaperError>(vec![Act::Tournament(event)])
        });
        Ok(listed(&done.await?.tournament))
    }
}

/// The event that entered a table's result.
fn entered(hall: &TournamentLedger, round: usize, table: usize) -> Result<u64, PaperError> {
    let void = hall.log.taken_back();
    let mut stands = hall.log.events().iter().rev().filter(|event| !void.contains(&event.seq));
    let is_it = |event: &Event| matches!(event, Event::Result { round: of, table: at, .. } if (*of, *at) == (round, table));
    stands.find(|recorded| is_it(&recorded.event)).map(|recorded| recorded.seq).ok_or_else(|| {
        let why = format!("table {table} of round {round} has no result from paper");
        PaperError::Entry(ContextError(why).into())
    })
}

/// The seats and results of a tournament.
#[derive(Serialize, JsonSchema)]
pub(super) struct ListedResults {
    name: String,
    starting_points: Points,
    /// Whether new players have a minimum of their own.
    handicap: bool,
    /// The tables of each round.
    rounds: Vec<Vec<ListedTable>>,
}

/// A table of a round.
#[derive(Serialize, JsonSchema)]
struct ListedTable {
    /// By their first seats, East first.
    players: Vec<String>,
    /// Their final scores, once they are entered.
    points: Option<[Points; 4]>,
    /// Its number in the ledger, if it was played there.
    in_ledger: Option<u32>,
}

fn listed(tournament: &Tournament) -> ListedResults {
    let count = tournament.seated().map_or(0, |seating| seating.schedule.rounds().len());
    ListedResults {
        name: tournament.name.clone(),
        starting_points: tournament.format.starting_points,
        handicap: tournament.format.handicap,
        rounds: (1..=count).map(|round| tables_of(tournament, round)).collect(),
    }
}

fn tables_of(tournament: &Tournament, round: usize) -> Vec<ListedTable> {
    let tables = tournament.round(round).map_or(0, <[_]>::len);
    let of_table = |table: usize| -> Result<ListedTable, TournamentError> {
        let players: Vec<String> =
            tournament.table(round, table)?.into_iter().map(called).collect();
        let key = (round, table);
        let earned = tournament.results.get(&key);
        let points = earned.map(|all| all.map(|own| own + tournament.format.starting_points));
        let in_ledger = tournament.played.get(&key).map(|played| played.number);
        Ok(ListedTable { players, points, in_ledger })
    };
    (1..=tables).filter_map(|table| of_table(table).ok()).collect()
}

fn called(sitter: Sitter<'_>) -> String {
    match sitter {
        Sitter::Player(name) | Sitter::Reserve { reserve: Some(name), .. } => name.to_string(),
        Sitter::Reserve { player: Some(name), .. } => format!("a reserve for {name}"),
        Sitter::Reserve { .. } => "a reserve".to_owned(),
    }
}

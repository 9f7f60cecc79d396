//! The desk: every table at a glance, what its players ask, paper entered by two people, and whatever an organiser does.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tokio::sync::watch;

use super::{
    ASKED, Venue, WAITING, Waiting, by_name, missing, replaced,
    shown::{Asked, BranchShown, DeskShown, DeskTournament, PaperShown, TableAtAGlance},
    unread,
};
use crate::{
    ledger::{Act, Keep, LedgerError, TournamentLedger},
    name::Name,
    server::{
        EntryError,
        paper::{PaperError, TableResult},
    },
    table::{self, ConfirmationRequest, Proposal, Table, TableError, TableState},
    tournament::{self, By, Entrant, Pairing, Tournament, TournamentError},
    words::Say,
};

/// The name prefix of notes with results from paper that a second person has to enter, too.
const PAPER: &str = "paper ";
/// Who writes what comes from the desk.
const AUTHOR: &str = "desk";

/// Something that the desk does.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(in crate::server) enum Does {
    /// Something happens at the tournament: an event as the ledger has it.
    Tournament(#[schemars(with = "Map<String, Value>")] tournament::Event),
    /// The tables of a round are opened, all that are not yet.
    Open {
        /// Which round.
        round: usize,
    },
    /// A round's clock starts, now.
    Start {
        /// Which round.
        round: usize,
    },
    /// The sessions of a round that still go on are ended.
    End {
        /// Which round.
        round: usize,
    },
    /// A round that was opened too early is closed again.
    Close {
        /// Which round.
        round: usize,
    },
    /// Players join, from the next round that has not begun on.
    Join {
        /// Their names.
        players: Vec<String>,
    },
    /// The next round is laid out by the standings.
    Pair,
    /// Something happens at a table, by its number in the ledger: a penalty, a correction, an undo.
    Table {
        /// Which.
        number: u32,
        /// What.
        event: table::Event,
        /// The table's last event as the desk saw it.
        after: u64,
    },
    /// The questions of a table are answered.
    Answered {
        /// The question's name.
        name: String,
    },
    /// What waits at a table is taken away.
    Refused {
        /// The table's number in the ledger.
        number: u32,
        /// What waits.
        id: String,
    },
    /// Of two versions of a table, one stays: the other was written while the database could not be reached.
    Choose {
        /// Between which.
        branch: String,
        /// Which stays.
        keep: Keep,
    },
}

/// An action of the desk, and whether it is confirmed although it looks like a slip.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct Doing {
    does: Does,
    #[serde(default)]
    meant: bool,
}

/// A result from paper, and who entered it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::server) struct PaperEntry {
    /// Who: two people enter each result.
    by: String,
    #[serde(flatten)]
    result: TableResult,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
pub(super) struct StoredPaperEntry {
    by: String,
    at: Timestamp,
    #[schemars(with = "Map<String, Value>")]
    event: tournament::Event,
}

impl Venue {
    /// The desk's page, now and after each change.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(in crate::server) async fn watch_desk(
        &self,
    ) -> Result<watch::Receiver<Arc<str>>, EntryError> {
        let now: Arc<str> = self.desk_shown().await?.to_string().into();
        self.desk.send_if_modified(|known| replaced(known, now));
        Ok(self.desk.subscribe())
    }

    /// Every table, and the tournament.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub(in crate::server) async fn desk_shown(&self) -> Result<Value, EntryError> {
        let hall = self.ledger.tournament_ledger().await?;
        let tournament = hall.tournament().ok();
        let (waiting, asked) = (self.ledger.notes(WAITING).await?, self.ledger.notes(ASKED).await?);
        let waiting: BTreeMap<String, Waiting> = by_name(&waiting, WAITING)?;
        let asked: BTreeMap<String, Asked> = by_name(&asked, ASKED)?;
        let paper: BTreeMap<String, Vec<StoredPaperEntry>> =
            by_name(&self.ledger.notes(PAPER).await?, PAPER)?;
        let own;
        let tables: &[Table] = if tournament.is_some() {
            &hall.tables
        } else {
            let mut all = Vec::new();
            for number in self.ledger.tables().await? {
                all.push(self.ledger.table(number).await?);
            }
            own = all;
            &own
        };
        let rounds = tournament.as_ref().map(OpenRounds::of);
        let shown: Vec<(&TableState, &Table)> = tables
            .iter()
            .filter_map(|table| Some((table.state().ok()?, table)))
            .filter(|(state, _)| rounds.as_ref().is_none_or(|rounds| rounds.show(state)))
            .collect();
        // The tables after what waits there.
        let after: BTreeMap<u32, Table> = shown
            .iter()
            .filter_map(|(state, table)| {
                let waiting = waiting.get(&state.table.to_string())?;
                Some((state.table, waiting.after(table)?))
            })
            .collect();
        let tables = shown.into_iter().map(|(state, table)| {
            let waiting = waiting.get(&state.table.to_string());
            let waiting = waiting.map(|waiting| waiting.shown(table, after.get(&state.table)));
            TableAtAGlance::of(state, waiting, &asked)
        });
        let last = rounds.as_ref().and_then(|rounds| rounds.last);
        let unsent = self.ledger.unsent().await?;
        let mut branches = Vec::new();
        for branch in self.ledger.branches().await? {
            branches.push(BranchShown::of(&branch, &self.ledger.table(branch.table).await?));
        }
        Ok(json!(DeskShown {
            cut: unsent.cut.map(Say::of),
            unsent: unsent.tables.values().sum(),
            branches,
            tournament: tournament.as_ref().map(|tournament| DeskTournament::of(tournament, &hall)),
            round: last,
            playing: rounds.as_ref().map(|rounds| rounds.playing.clone()).unwrap_or_default(),
            closable: last.is_some_and(|round| hall.close_round(round).is_ok()),
            tables: tables.collect(),
            paper: paper.into_iter().map(|(of, entered)| PaperShown { of, entered }).collect(),
            four_eyes: self.four_eyes,
        }))
    }

    /// Runs an action of the desk; returns the desk's page afterwards.
    ///
    /// # Errors
    /// Where the tournament or a table rejects it, a confirmation is missing, or something has changed meanwhile.
    pub(in crate::server) async fn desk_does(&self, doing: Doing) -> Result<Value, EntryError> {
        match doing.does {
            Does::Tournament(event) => self.organise(|_| Ok(vec![Act::Tournament(event)])).await?,
            Does::Open { round } => self.organise(|hall| open(hall, round, doing.meant)).await?,
            Does::Start { round } => {
                let start = Timestamp::now();
                let started = tournament::Event::Started { round, start };
                self.organise(|_| Ok(vec![Act::Tournament(started)])).await?;
            }
            Does::End { round } => self.organise(|hall| decided(hall.end_round(round))).await?,
            Does::Close { round } => self.organise(|hall| decided(hall.close_round(round))).await?,
            Does::Join { players } => self.organise(|hall| join(hall, &players)).await?,
            Does::Pair => self.organise(pair).await?,
            Does::Table { number, event, after } => {
                let (seen, meant) = (Some(after), doing.meant);
                let entry = Proposal { seen, meant, ..Proposal::new(event, AUTHOR) };
                self.ledger.enter(number, entry).await?;
            }
            Does::Answered { name } => {
                let name = format!("{ASKED}{name}");
                self.ledger
                    .note(&name, |_| Ok::<_, EntryError>(vec![(name.clone(), None)]))
                    .await?;
            }
            Does::Refused { number, id } => self.no_longer(number, &id).await?,
            Does::Choose { branch, keep } => self.ledger.choose(&branch, keep, AUTHOR).await?,
        }
        self.entered.notify_one();
        self.desk_shown().await
    }

    async fn organise(
        &self,
        decide: impl FnOnce(&TournamentLedger) -> Result<Vec<Act>, EntryError>,
    ) -> Result<(), EntryError> {
        self.ledger.organise(AUTHOR, decide).await.map(drop)
    }

    /// Takes a result from paper: written down once two people have entered the same.
    ///
    /// # Errors
    /// A field that cannot be read, or why the tournament does not take it.
    pub(in crate::server) async fn enter_paper(
        &self,
        said: PaperEntry,
    ) -> Result<Value, PaperError> {
        let by = said.by.trim().to_owned();
        if by.is_empty() {
            return Err(PaperError::Field("by".to_owned(), "who enters it?".to_owned()));
        }
        let event = said.result.as_event()?;
        let (round, table) = said.result.of();
        // A result that the tournament would reject is refused to the first person.
        let hall = self.ledger.tournament_ledger().await?;
        let checked = tournament::Recorded {
            seq: hall.log.events().len() as u64 + 1,
            at: Timestamp::now(),
            author: by.clone(),
            event: event.clone(),
        };
        let tournament = hall.tournament().map_err(LedgerError::from)?;
        tournament.holds(&checked).map_err(LedgerError::from)?;
        let name = format!("{PAPER}{round} {table}");
        let mut is_twice = false;
        let noted = self.ledger.note(&name, |known| {
            let known: BTreeMap<String, Vec<StoredPaperEntry>> = by_name(&known, PAPER)?;
            let mut entered = known
                .into_iter()
                .find(|(of, _)| format!("{PAPER}{of}") == name)
                .map_or_else(Vec::new, |(_, entered)| entered);
            entered.retain(|other| other.by.to_lowercase() != by.to_lowercase());
            is_twice = entered.iter().any(|other| other.event == event);
            entered.push(StoredPaperEntry {
                by: by.clone(),
                at: Timestamp::now(),
                event: event.clone(),
            });
            let text = serde_json::to_string(&entered).map_err(|error| unread(&error))?;
            Ok::<_, EntryError>(vec![(name.clone(), Some(text))])
        });
        noted.await.map_err(PaperError::Entry)?;
        if is_twice {
            self.organise(|_| Ok(vec![Act::Tournament(event)])).await.map_err(PaperError::Entry)?;
            let gone = self.ledger.note(&name, |_| Ok::<_, EntryError>(vec![(name.clone(), None)]));
            gone.await.map_err(PaperError::Entry)?;
        }
        self.entered.notify_one();
        self.desk_shown().await.map_err(PaperError::Entry)
    }
}

/// What the tournament has decided; a refusal is the ledger's.
fn decided<T>(decision: Result<T, TournamentError>) -> Result<T, EntryError> {
    decision.map_err(|error| LedgerError::from(error).into())
}

/// Asks for a confirmation, if there is a doubt.
fn ask(doubts: Vec<Say>) -> Result<(), EntryError> {
    if doubts.is_empty() {
        return Ok(());
    }
    let asked = ConfirmationRequest { doubts, ..ConfirmationRequest::default() };
    Err(TableError::Unconfirmed(asked.into()).into())
}

/// Opens the tables of a round; with `meant` also while others play.
fn open(hall: &TournamentLedger, round: usize, meant: bool) -> Result<Vec<Act>, EntryError> {
    let acts = decided(hall.open_round(round))?;
    if acts.is_empty() {
        return Err(missing(format!("every table of round {round} is open already")));
    }
    if !meant {
        ask(decided(hall.tournament().and_then(|known| known.doubts_of_opening(round)))?)?;
    }
    Ok(acts)
}

/// Players who join from the next round on that has not begun.
fn join(hall: &TournamentLedger, players: &[String]) -> Result<Vec<Act>, EntryError> {
    let tournament = decided(hall.tournament())?;
    let entrant = |name: &String| {
        let name = Name::new(name.trim()).map_err(|error| missing(error.to_string()))?;
        let about = tournament.roster.about(&name).cloned().unwrap_or_default();
        Ok(Entrant { name, about, ..Entrant::default() })
    };
    let entrants = players.iter().map(entrant).collect::<Result<_, EntryError>>()?;
    let first = decided(tournament.first_open_round())?;
    Ok(vec![Act::Tournament(decided(tournament.joining(entrants, first))?)])
}

/// The next round by the standings.
fn pair(hall: &TournamentLedger) -> Result<Vec<Act>, EntryError> {
    // The log keeps the seed, so that the draw can be repeated.
    let seed = Timestamp::now().to_string();
    let asked = Pairing { by: By::Standings, seed, ..Pairing::default() };
    let paired = decided(hall.tournament().and_then(|tournament| tournament.pair(&asked)))?;
    Ok(vec![Act::Tournament(paired)])
}

/// The rounds with open tables.
struct OpenRounds {
    /// The tables that play, by round.
    playing: BTreeMap<usize, Vec<usize>>,
    /// The last round that was opened.
    last: Option<usize>,
}

impl OpenRounds {
    fn of(tournament: &Tournament) -> Self {
        let last = tournament.played.keys().next_back().map(|(round, _)| *round);
        Self { playing: tournament.playing(), last }
    }

    /// Whether the desk shows a table: one of a round that still plays, or of the last.
    fn show(&self, state: &TableState) -> bool {
        let of = |round: usize| self.playing.contains_key(&round) || self.last == Some(round);
        !state.is_closed() && state.sitting.is_some_and(|sitting| of(sitting.round))
    }
}

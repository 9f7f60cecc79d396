//! The tournament of a ledger and its tables: read together, written together.

use std::collections::HashMap;

use jiff::Timestamp;

use super::{
    Ledger, LedgerError, ReadLog, ReadLogs, printable,
    replayed::{LogKind, TOURNAMENT},
    rows,
    store::{Begun, For},
    whole_milliseconds,
};
use crate::{
    recorded::{Recorded, Undoes as _},
    table::{self, Table},
    tournament::{self, Log, Tournament, TournamentError},
};

/// An action of an organiser.
#[derive(Clone, Debug)]
pub enum Act {
    /// An event of the tournament.
    Tournament(tournament::Event),
    /// A table of a round is opened in the ledger, or opened again after it was closed.
    Open {
        /// The round, from 1.
        round: usize,
        /// The table in it, from 1.
        table: usize,
    },
    /// An event of a table, with the table's number in the ledger.
    Table(u32, table::Event),
}

/// The log of a tournament and its tables, as read from the ledger.
#[derive(Clone, Debug, Default)]
pub struct TournamentLedger {
    /// The tournament's log.
    pub log: Log,
    /// Its tables that are played in the ledger.
    pub tables: Vec<Table>,
}

impl TournamentLedger {
    /// The logs as they stood at that time.
    ///
    /// # Errors
    /// Where a log cannot be replayed so far.
    pub fn at(&self, time: Timestamp) -> Result<Self, LedgerError> {
        let events = self.log.events().iter().take_while(|recorded| recorded.at <= time);
        let log = Log::replay(events.cloned()).map_err(|(_, why)| why)?;
        let tables = self.tables.iter().map(|table| table.at(time));
        Ok(Self { log, tables: tables.collect::<Result<_, _>>()? })
    }

    /// The tournament with the results of its tables.
    ///
    /// # Errors
    /// Where no tournament has begun.
    pub fn tournament(&self) -> Result<Tournament, TournamentError> {
        let states = self.tables.iter().filter_map(|table| table.state().ok());
        Ok(self.log.tournament()?.clone().joined(states))
    }
}

/// The events that were written for an organiser.
#[derive(Clone, Debug)]
pub struct Organised {
    /// The events of the tournament.
    pub events: Vec<tournament::Recorded>,
    /// The events of its tables: the table's number in the ledger, and the event.
    pub at_tables: Vec<(u32, table::Recorded)>,
    /// The tournament afterwards.
    pub tournament: Tournament,
}

impl Ledger {
    /// The tournament in the file with its tables; a log without events where there is no tournament.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub async fn tournament_ledger(&self) -> Result<TournamentLedger, LedgerError> {
        let mut inner = self.inner().await?;
        // One moment for all its logs.
        let begun = inner.begin(For::Reading).await;
        let (mut begun, kept) = begun.map_err(|error| self.error_of(error))?;
        let logs = self.logs_in(&mut begun, kept).await?;
        begun.commit().await.map_err(|error| self.error_of(error))?;
        Ok(logs)
    }

    async fn logs_in(
        &self,
        begun: &mut Begun<'_>,
        kept: &mut ReadLogs,
    ) -> Result<TournamentLedger, LedgerError> {
        let heads = rows::heads(begun).await.map_err(|error| self.error_of(error))?;
        let noted: HashMap<u32, u64> = heads.into_iter().collect();
        let numbers = rows::logs(begun).await.map_err(|error| self.error_of(error))?;
        let known = kept.tournament.take();
        let log = self.catch_up(begun, TOURNAMENT, known).await?;
        let mut tables = Vec::new();
        if !log.replayed.events().is_empty() {
            for number in numbers.into_iter().filter_map(LogKind::table) {
                let known = kept.tables.remove(&number);
                let written = |kept: &ReadLog<Table>| kept.replayed.events().len() as u64;
                let now = match known {
                    Some(known) if noted.get(&number) == Some(&written(&known)) => known,
                    known => self.catch_up(begun, number, known).await?,
                };
                if let Some(noted) = noted.get(&number).filter(|noted| **noted > written(&now)) {
                    return Err(self.cut_off(number, written(&now), *noted));
                }
                if now.replayed.state().is_ok_and(|state| state.sitting.is_some()) {
                    tables.push(now.replayed.clone());
                }
                kept.tables.insert(number, now);
            }
        }
        let logs = TournamentLedger { log: log.replayed.clone(), tables };
        kept.tournament = Some(log);
        Ok(logs)
    }

    /// Writes an organiser's actions, all of them or nothing; the tournament's tables in the
    /// file follow: names, earlier penalties, the clock. `decide` sees the current tournament,
    /// and nobody else writes until it is done.
    ///
    /// # Errors
    /// Those of `decide`, and why it could not be written.
    pub async fn organise<E: From<LedgerError>>(
        &self,
        author: &str,
        decide: impl FnOnce(&TournamentLedger) -> Result<Vec<Act>, E>,
    ) -> Result<Organised, E> {
        if !self.writable {
            return Err(LedgerError::ReadOnly(self.path.clone()).into());
        }
        let mut inner = self.inner().await?;
        let begun = inner.begin(For::Writing).await;
        let (mut begun, kept) = begun.map_err(|error| self.error_of(error))?;
        self.only_together(&begun)?;
        // Taken out: an interrupted or refused write is read again from the file.
        let mut known = std::mem::take(kept);
        let logs = self.logs_in(&mut begun, &mut known).await?;
        let acts = decide(&logs)?;
        let at = whole_milliseconds(Timestamp::now());
        let author = printable(author);
        let mut writer = JointWriter { ledger: self, begun: &mut begun, at, author };
        let done = writer.organise(logs, acts, &mut known).await?;
        begun.commit().await.map_err(|error| self.error_of(error))?;
        *kept = known;
        Ok(done)
    }
}

impl Ledger {
    /// Lets the tournament's other tables follow an event at one of them: penalties that
    /// count on, a new player's wins, who may not play on.
    pub(super) async fn others_follow(
        &self,
        begun: &mut Begun<'_>,
        kept: &mut ReadLogs,
        (at, author): (Timestamp, &str),
    ) -> Result<(), LedgerError> {
        let logs = self.logs_in(begun, kept).await?;
        let Ok(tournament) = logs.tournament() else { return Ok(()) };
        let author = author.to_owned();
        let mut writer = JointWriter { ledger: self, begun, at, author };
        for table in &logs.tables {
            match writer.follow(&tournament, &tournament, table, kept).await {
                // A refusal at another table must not keep a deal from being written.
                Ok(_) | Err(LedgerError::Table(_) | LedgerError::Tournament(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Writes the events of a tournament and its tables in one transaction.
struct JointWriter<'a, 'b> {
    ledger: &'a Ledger,
    begun: &'a mut Begun<'b>,
    at: Timestamp,
    author: String,
}

impl JointWriter<'_, '_> {
    async fn organise(
        &mut self,
        logs: TournamentLedger,
        acts: Vec<Act>,
        kept: &mut ReadLogs,
    ) -> Result<Organised, LedgerError> {
        let before = logs.tournament().ok();
        let mut joined = before.clone();
        let (mut events, mut at_tables) = (Vec::new(), Vec::new());
        let mut numbers: Vec<u32> = logs.tables.iter().map(Table::number).collect();
        for act in acts {
            match act {
                Act::Tournament(event) => {
                    events.push(self.happened(event, &mut joined, &logs, kept).await?);
                }
                Act::Open { round, table } => {
                    let tournament = joined.as_ref().ok_or(TournamentError::NotBegun)?;
                    if tournament.results.contains_key(&(round, table))
                        && !tournament.played.contains_key(&(round, table))
                    {
                        return Err(TournamentError::OnPaper { round, table }.into());
                    }
                    let opened = table::Event::Opened(tournament.opening(round, table)?);
                    let number = Tournament::number_of(round, table);
                    let number =
                        number.ok_or(TournamentError::NoTable { table, round, tables: 0 })?;
                    let known = logs.tables.iter().find(|known| known.number() == number);
                    let opens = match known.and_then(Table::closed_by) {
                        Some(event) => table::Event::Undone { event },
                        None => opened,
                    };
                    at_tables.push((number, self.at_table(number, opens, kept).await?));
                    if known.is_none() {
                        numbers.push(number);
                    }
                }
                Act::Table(number, event) => {
                    at_tables.push((number, self.at_table(number, event, kept).await?));
                }
            }
        }
        let table = |kept: &ReadLogs, number: u32| {
            kept.tables.get(&number).map(|kept| kept.replayed.clone())
        };
        let log = kept.tournament.as_ref().map(|kept| kept.replayed.clone()).unwrap_or_default();
        let tables = numbers.iter().filter_map(|number| table(kept, *number)).collect();
        let now = TournamentLedger { log, tables };
        let tournament = now.tournament()?;
        if let Some(stray) = tournament.strays.first() {
            return Err(TournamentError::TablesOpen(*stray).into());
        }
        let before = before.as_ref().unwrap_or(&tournament);
        for played in &now.tables {
            at_tables.extend(self.follow(&tournament, before, played, kept).await?);
        }
        Ok(Organised { events, at_tables, tournament })
    }

    /// Writes the events that keep a table in step with the tournament.
    async fn follow(
        &mut self,
        tournament: &Tournament,
        before: &Tournament,
        table: &Table,
        kept: &mut ReadLogs,
    ) -> Result<Vec<(u32, table::Recorded)>, LedgerError> {
        let (mut written, number) = (Vec::new(), table.number());
        for event in tournament.follow(before, table)? {
            written.push((number, self.at_table(number, event, kept).await?));
        }
        Ok(written)
    }

    /// Writes an event of the tournament, which has to be consistent with the deals at its tables too.
    async fn happened(
        &mut self,
        event: tournament::Event,
        joined: &mut Option<Tournament>,
        logs: &TournamentLedger,
        kept: &mut ReadLogs,
    ) -> Result<tournament::Recorded, LedgerError> {
        let known = kept.tournament.take();
        let mut log = match known {
            Some(known) => known,
            None => self.ledger.catch_up(self.begun, TOURNAMENT, None).await?,
        };
        let seq = log.replayed.events().len() as u64 + 1;
        let recorded = Recorded { seq, at: self.at, author: self.author.clone(), event };
        if let Some(joined) = joined {
            joined.clone().holds(&recorded)?;
        }
        if let Some(event) = recorded.event.undoes() {
            log.replayed.check_undo(event)?;
        }
        log.replayed.push(recorded.clone())?;
        self.write(&mut log, TOURNAMENT, &recorded).await?;
        let states = logs.tables.iter().filter_map(|table| table.state().ok());
        let after = log.replayed.tournament()?.clone().joined(states);
        if let Some(before) = joined {
            after.counts_as(before)?;
        }
        *joined = Some(after);
        kept.tournament = Some(log);
        Ok(recorded)
    }

    async fn at_table(
        &mut self,
        number: u32,
        event: table::Event,
        kept: &mut ReadLogs,
    ) -> Result<table::Recorded, LedgerError> {
        let known = kept.tables.remove(&number);
        let mut table = self.ledger.catch_up(self.begun, number, known).await?;
        let event = table.replayed.complete(event, self.at)?;
        let seq = table.replayed.events().len() as u64 + 1;
        let recorded = Recorded { seq, at: self.at, author: self.author.clone(), event };
        table.replayed.push(recorded.clone())?;
        self.write(&mut table, number, &recorded).await?;
        kept.tables.insert(number, table);
        Ok(recorded)
    }

    async fn write<R: super::replayed::Replayed>(
        &mut self,
        kept: &mut ReadLog<R>,
        number: u32,
        recorded: &Recorded<R::Event>,
    ) -> Result<(), LedgerError> {
        let row = rows::Row::of(number, recorded, None, kept.last)?;
        kept.last = row.hash;
        let written = rows::insert(self.begun, number, &row).await;
        written.map_err(|error| self.ledger.error_of(error))
    }
}

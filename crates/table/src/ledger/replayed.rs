//! The kinds of logs in a ledger: the tournament's, a table's, and a table's record.

use std::fmt::{self, Display, Formatter};

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    recorded::Recorded,
    table::{self, Loss, Table},
    tournament,
};

/// The number of the tournament's log.
pub(super) const TOURNAMENT: u32 = 0;
/// What the log of a table's record has over the number of the table.
const RECORD: u32 = 1 << 31;

/// What a log of a ledger is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogKind {
    /// The tournament.
    Tournament,
    /// A table, with its number.
    Table(u32),
    /// The record of a table, with the number of the table.
    Record(u32),
}

impl LogKind {
    /// What the log of that number is.
    pub(super) const fn of(log: u32) -> Self {
        match log {
            TOURNAMENT => Self::Tournament,
            RECORD.. => Self::Record(log - RECORD),
            _ => Self::Table(log),
        }
    }

    /// The table whose log that is; `None`: it is another log.
    pub(super) fn table(log: u32) -> Option<u32> {
        (Self::of(log) == Self::Table(log)).then_some(log)
    }

    /// The table whose record that log is; `None`: it is another log.
    pub(super) const fn recorded_table(log: u32) -> Option<u32> {
        match Self::of(log) {
            Self::Record(table) => Some(table),
            _ => None,
        }
    }

    /// The log of a table's record; `None` where that number can be no table's.
    pub(super) fn record_of(table: u32) -> Option<u32> {
        Self::table(table).map(|table| table | RECORD)
    }
}

impl Display for LogKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tournament => f.write_str("the tournament"),
            Self::Table(table) => write!(f, "table {table}"),
            Self::Record(table) => write!(f, "the record of table {table}"),
        }
    }
}

/// A log that is replayed while it is read.
pub(super) trait Replayed: Sized {
    /// The type of its events.
    type Event: Serialize + DeserializeOwned + Send;

    /// An empty log.
    fn empty(number: u32) -> Self;

    /// All its events.
    fn events(&self) -> &[Recorded<Self::Event>];

    /// The log with events that were written since; or the first that cannot be replayed, and why.
    fn extended(self, events: Vec<Recorded<Self::Event>>) -> Result<Self, (u64, String)>;

    /// Adds an event after checking that it fits the events before it, for an audit.
    fn audit(&mut self, recorded: Recorded<Self::Event>) -> Result<(), String>;

    /// The number of deals played, and the contradictions since a correction or a loss.
    fn comes_to(&self) -> (usize, Vec<String>);

    /// The placeholder for an event that damage has destroyed; `unproven` events after it are not proven.
    fn destroyed(unproven: u64) -> Self::Event;

    /// The events that damage has destroyed and that nobody has entered again since.
    fn lost(&self) -> Vec<Loss>;
}

/// Events in rows, where they follow one another.
pub(super) fn in_rows(events: Vec<u64>) -> Vec<Loss> {
    let mut rows: Vec<Loss> = Vec::new();
    for event in events {
        match rows.last_mut() {
            Some(row) if row.last + 1 == event => row.last = event,
            _ => rows.push(Loss { first: event, last: event, deals: None }),
        }
    }
    rows
}

impl Replayed for Table {
    type Event = table::Event;

    fn empty(number: u32) -> Self {
        Self::new(number)
    }

    fn events(&self) -> &[table::Recorded] {
        self.events()
    }

    fn extended(self, events: Vec<table::Recorded>) -> Result<Self, (u64, String)> {
        self.extended(events).map_err(|(seq, error)| (seq, error.to_string()))
    }

    fn audit(&mut self, recorded: table::Recorded) -> Result<(), String> {
        self.fits(&recorded.event)?;
        self.push(recorded).map_err(|error| error.to_string())
    }

    fn comes_to(&self) -> (usize, Vec<String>) {
        let Ok(state) = self.state() else { return (0, Vec::new()) };
        let problems =
            state.problems.iter().map(|one| format!("event {}: {}", one.event, one.what));
        (state.history.len(), problems.collect())
    }

    fn destroyed(unproven: u64) -> table::Event {
        table::Event::Lost { unproven }
    }

    fn lost(&self) -> Vec<Loss> {
        self.state().map_or_else(|_| in_rows(self.lost()), |state| state.lost.clone())
    }
}

impl Replayed for tournament::Log {
    type Event = tournament::Event;

    fn empty(_number: u32) -> Self {
        Self::default()
    }

    fn events(&self) -> &[tournament::Recorded] {
        self.events()
    }

    fn extended(mut self, events: Vec<tournament::Recorded>) -> Result<Self, (u64, String)> {
        for recorded in events {
            let seq = recorded.seq;
            self.push(recorded).map_err(|error| (seq, error.to_string()))?;
        }
        Ok(self)
    }

    fn audit(&mut self, recorded: tournament::Recorded) -> Result<(), String> {
        self.push(recorded).map_err(|error| error.to_string())
    }

    fn comes_to(&self) -> (usize, Vec<String>) {
        let passed_over = self.passed_over().iter().map(|(event, why)| {
            format!("event {event}: it does not count, as it does not fit what is left ({why})")
        });
        let last = self.events().len() as u64;
        let kept = self.events().iter().filter_map(|recorded| match recorded.event {
            tournament::Event::Lost { unproven } => {
                Some(recorded.seq + 1..=last.min(recorded.seq.saturating_add(unproven)))
            }
            _ => None,
        });
        let unproven = kept.flatten().map(|event| format!("event {event}: {}", table::UNPROVEN));
        (0, passed_over.chain(unproven).collect())
    }

    fn destroyed(unproven: u64) -> tournament::Event {
        tournament::Event::Lost { unproven }
    }

    fn lost(&self) -> Vec<Loss> {
        in_rows(self.lost())
    }
}

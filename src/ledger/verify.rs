//! Whether a ledger is whole: its pages, each table's chain, sums and winds.

use std::path::Path;

use sqlx::SqliteConnection;

use super::{
    LedgerError,
    chain::Link,
    file::{self, Row},
    replayed::{Replayed, TOURNAMENT},
};
use crate::{table::Table, tournament::Log};

/// What was found in a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// What SQLite says of the file's pages; none where they are whole.
    pub pages: Option<String>,
    /// The tournament, where there is one, and each table.
    pub logs: Vec<LogReport>,
}

impl Verification {
    /// Whether nothing is damaged.
    pub fn is_intact(&self) -> bool {
        self.pages.is_none()
            && self.logs.iter().all(|log| log.fault.is_none() && log.note.is_none())
    }
}

/// What was found in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogReport {
    /// The table's number; none: the tournament.
    pub table: Option<u32>,
    /// Events up to the first fault.
    pub intact: u64,
    /// Events that there should be.
    pub events: u64,
    /// Deals in the intact part.
    pub deals: usize,
    /// The first fault: the event and what is wrong.
    pub fault: Option<(u64, String)>,
    /// What is wrong with the note of its last event, where every event is whole.
    pub note: Option<String>,
    /// What does not fit together since a correction: no damage, but to be looked at.
    pub problems: Vec<String>,
}

/// The intact beginning of a log.
pub(super) struct Prefix {
    pub log: u32,
    pub rows: Vec<Row>,
    pub report: LogReport,
}

/// The event that is wrong, and what is wrong with it; 0 where SQLite cannot read on.
struct Fault(u64, String);

impl From<sqlx::Error> for Fault {
    fn from(error: sqlx::Error) -> Self {
        Self(0, format!("it cannot be read: {error}"))
    }
}

pub(super) async fn verify(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<Verification, LedgerError> {
    let told = |error| LedgerError::sqlite(path, error);
    let checked: Result<Vec<String>, _> =
        sqlx::query_scalar("PRAGMA integrity_check(5)").fetch_all(&mut *connection).await;
    let pages = match checked {
        Ok(lines) if lines == ["ok"] => None,
        Ok(lines) => Some(lines.join("; ")),
        Err(error) => Some(told(error).to_string()),
    };
    let mut logs = Vec::new();
    for number in all_logs(connection).await {
        logs.push(prefix(connection, number).await.report);
    }
    Ok(Verification { pages, logs })
}

/// The logs of a file that may be damaged: from the log, and from the notes of their last events.
pub(super) async fn all_logs(connection: &mut SqliteConnection) -> Vec<u32> {
    /// How many numbers are tried in a file whose lists cannot be read.
    const TRIED: u32 = 1_000;
    let listed = file::logs(connection).await;
    let heads: Result<Vec<i64>, _> =
        sqlx::query_scalar("SELECT log FROM heads").fetch_all(&mut *connection).await;
    let mut all: Vec<u32> = match (&listed, &heads) {
        (Err(_), Err(_)) => (TOURNAMENT..=TRIED).collect(),
        _ => Vec::new(),
    };
    all.extend(listed.into_iter().flatten());
    all.extend(heads.into_iter().flatten().filter_map(|number| u32::try_from(number).ok()));
    all.sort_unstable();
    all.dedup();
    all
}

/// Reads a log as far as it is intact.
pub(super) async fn prefix(connection: &mut SqliteConnection, number: u32) -> Prefix {
    if number == TOURNAMENT {
        return read::<Log>(connection, number).await.0;
    }
    let (mut prefix, table) = read::<Table>(connection, number).await;
    let state = table.state().ok();
    let problems = state.into_iter().flat_map(|state| &state.problems);
    let told = problems.map(|problem| format!("event {}: {}", problem.event, problem.what));
    prefix.report.problems = told.collect();
    prefix.report.deals = state.map_or(0, |state| state.history.len());
    prefix
}

async fn read<Kind: Replayed>(connection: &mut SqliteConnection, number: u32) -> (Prefix, Kind) {
    let head = file::head(connection, number).await;
    let mut rows: Vec<Row> = Vec::new();
    let mut log = Kind::empty(number);
    let mut last = Link::START;
    let read = file::each_after(connection, number, 0, |row| {
        let seq = rows.len() as u64 + 1;
        if row.seq != seq {
            return Err(Fault(seq, format!("it is missing, {} comes after it", row.seq)));
        }
        let recorded = row.recorded(number, last).map_err(|what| Fault(seq, what))?;
        log.audit(recorded).map_err(|what| Fault(seq, what))?;
        last = row.hash;
        rows.push(row);
        Ok(())
    });
    let read = read.await;
    let next = rows.len() as u64 + 1;
    let (fault, note) = match read {
        Ok(()) => cut_off(next, &head, last),
        Err(Fault(0, what)) => (Some((next, what)), None),
        Err(Fault(seq, what)) => (Some((seq, what)), None),
    };
    let intact = rows.len() as u64;
    let noted = head.ok().flatten().map_or(0, |(seq, _)| seq);
    let report = LogReport {
        table: (number != TOURNAMENT).then_some(number),
        intact,
        events: noted.max(intact + u64::from(fault.is_some())),
        deals: 0,
        fault,
        note,
        problems: Vec::new(),
    };
    (Prefix { log: number, rows, report }, log)
}

/// Whether a log ends too early, and whether the note of its last event is right.
fn cut_off(
    next: u64,
    head: &Result<Option<(u64, Vec<u8>)>, sqlx::Error>,
    last: Link,
) -> (Option<(u64, String)>, Option<String>) {
    match head {
        Ok(Some((noted, _))) if *noted >= next => {
            let what = format!("it is missing: there should be events up to {noted}");
            (Some((next, what)), None)
        }
        Ok(Some((noted, hash))) if *noted + 1 == next && *hash == last.0 => (None, None),
        Ok(None) if next == 1 => (None, None),
        Ok(Some(_)) => (None, Some("does not fit the log".to_owned())),
        Ok(None) => (None, Some("is missing".to_owned())),
        Err(error) => (None, Some(format!("cannot be read ({error})"))),
    }
}

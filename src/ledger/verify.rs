//! Whether a ledger is whole: its pages, each table's chain, sums and winds.

use std::path::Path;

use sqlx::SqliteConnection;

use super::{
    LedgerError,
    chain::Link,
    file::{self, Row},
};
use crate::table::{Table, TableError};

/// What was found in a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// What SQLite says of the file's pages; none where they are whole.
    pub pages: Option<String>,
    /// Each table.
    pub tables: Vec<TableReport>,
}

impl Verification {
    /// Whether nothing is damaged.
    pub fn is_intact(&self) -> bool {
        self.pages.is_none() && self.tables.iter().all(|table| table.fault.is_none())
    }
}

/// What was found at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableReport {
    /// Its number.
    pub table: u32,
    /// Events up to the first fault.
    pub intact: u64,
    /// Events that there should be.
    pub events: u64,
    /// Deals in the intact part.
    pub deals: usize,
    /// The first fault: the event and what is wrong.
    pub fault: Option<(u64, String)>,
    /// What does not fit together since a correction: no damage, but to be looked at.
    pub problems: Vec<String>,
}

/// The intact beginning of a table's log.
pub(super) struct Prefix {
    pub rows: Vec<Row>,
    pub report: TableReport,
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
    let mut tables = Vec::new();
    for number in all_tables(connection).await {
        tables.push(prefix(connection, number).await.report);
    }
    Ok(Verification { pages, tables })
}

/// The tables of a file that may be damaged: from the log, and from the notes of their last events.
pub(super) async fn all_tables(connection: &mut SqliteConnection) -> Vec<u32> {
    /// How many numbers are tried in a file whose lists cannot be read.
    const TRIED: u32 = 1_000;
    let listed = file::tables(connection).await;
    let heads: Result<Vec<i64>, _> =
        sqlx::query_scalar("SELECT table_number FROM heads").fetch_all(&mut *connection).await;
    let mut all: Vec<u32> = match (&listed, &heads) {
        (Err(_), Err(_)) => (1..=TRIED).collect(),
        _ => Vec::new(),
    };
    all.extend(listed.into_iter().flatten());
    all.extend(heads.into_iter().flatten().filter_map(|number| u32::try_from(number).ok()));
    all.sort_unstable();
    all.dedup();
    all
}

/// Reads a table's log as far as it is intact.
pub(super) async fn prefix(connection: &mut SqliteConnection, number: u32) -> Prefix {
    let head = file::head(connection, number).await;
    let mut rows: Vec<Row> = Vec::new();
    let mut table = Table::new(number);
    let mut last = Link::START;
    let read = file::each_after(connection, number, 0, |row| {
        let seq = rows.len() as u64 + 1;
        if row.seq != seq {
            return Err(Fault(seq, format!("it is missing, {} comes after it", row.seq)));
        }
        last = add(&mut table, row.clone(), last).map_err(|what| Fault(seq, what))?;
        rows.push(row);
        Ok(())
    });
    let read = read.await;
    let next = rows.len() as u64 + 1;
    let fault = match read {
        Ok(()) => cut_off(next, &head, last),
        Err(Fault(0, what)) => Some((next, what)),
        Err(Fault(seq, what)) => Some((seq, what)),
    };
    let intact = rows.len() as u64;
    let noted = head.ok().flatten().map_or(0, |(seq, _)| seq);
    let state = table.state().ok();
    let problems = state.into_iter().flat_map(|state| &state.problems);
    let report = TableReport {
        table: number,
        intact,
        events: noted.max(intact + u64::from(fault.is_some())),
        deals: state.map_or(0, |state| state.history.len()),
        fault,
        problems: problems
            .map(|problem| format!("event {}: {}", problem.event, problem.what))
            .collect(),
    };
    Prefix { rows, report }
}

fn add(table: &mut Table, row: Row, last: Link) -> Result<Link, String> {
    let (recorded, link) = row.recorded(table.number(), last)?;
    table.fits(&recorded.event)?;
    table.push(recorded).map_err(|error: TableError| error.to_string())?;
    Ok(link)
}

/// Whether a log ends too early.
fn cut_off(
    next: u64,
    head: &Result<Option<(u64, Vec<u8>)>, sqlx::Error>,
    last: Link,
) -> Option<(u64, String)> {
    let what = match head {
        Err(error) => format!("the note of the last event: {error}"),
        Ok(None) if next == 1 => return None,
        Ok(None) => "the note of the last event is missing".to_owned(),
        Ok(Some((noted, _))) if *noted >= next => {
            format!("it is missing: there should be events up to {noted}")
        }
        Ok(Some((noted, hash))) if *noted + 1 != next || *hash != last.0 => {
            "the note of the last event does not fit the log".to_owned()
        }
        Ok(Some(_)) => return None,
    };
    Some((next, what))
}

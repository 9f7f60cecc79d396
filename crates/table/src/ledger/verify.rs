//! Verifies a ledger: its pages, each table's chain, sums and winds.

use std::path::Path;

use jiff::Timestamp;

use super::{
    LedgerError,
    chain::Link,
    proof::{Hashes, LogRecovery},
    record::TableRecord,
    replayed::{LogKind, Replayed, TOURNAMENT},
    rows::{self, Row},
    salvage::{Logs, Remains},
    store::Begun,
};
use crate::{
    recorded::Recorded,
    table::{Loss, Table},
    tournament::Log,
};

/// The result of verifying a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// SQLite's report on the file's pages; `None` where they are intact.
    pub pages: Option<String>,
    /// The tournament, where there is one, each table, and each record of one.
    pub logs: Vec<LogReport>,
}

impl Verification {
    /// Whether nothing is damaged.
    pub fn is_intact(&self) -> bool {
        self.pages.is_none()
            && self.logs.iter().all(|log| log.fault.is_none() && log.note.is_none())
    }

    /// Whether events are missing that were lost before a repair.
    pub fn has_losses(&self) -> bool {
        self.logs.iter().any(|log| !log.lost.is_empty())
    }
}

/// The result of verifying a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogReport {
    /// What it is.
    pub log: LogKind,
    /// Events up to the first fault; of a repaired log those that were kept.
    pub intact: u64,
    /// The number of events that there should be.
    pub events: u64,
    /// Deals in the intact part.
    pub deals: usize,
    /// The first faulty event, and its fault.
    pub fault: Option<(u64, String)>,
    /// The fault of the note of its last event, where every event is intact.
    pub note: Option<String>,
    /// Contradictions since a correction or a loss: not damage, but worth a check.
    pub problems: Vec<String>,
    /// Events that were lost before a repair, and that nobody has entered again or taken back since:
    /// the sums are without them.
    pub lost: Vec<Loss>,
}

/// A log rebuilt from its remains.
pub(super) struct RecoveredLog {
    pub log: u32,
    pub rows: Vec<Row<'static>>,
    pub report: LogReport,
}

/// The faulty event and its fault; 0 where SQLite cannot read on.
struct LogFault(u64, String);

impl From<sqlx::Error> for LogFault {
    fn from(error: sqlx::Error) -> Self {
        Self(0, format!("it cannot be read: {error}"))
    }
}

pub(super) async fn verify(
    begun: &mut Begun<'_>,
    path: &Path,
) -> Result<Verification, LedgerError> {
    let failed = |error| LedgerError::of(path, error);
    let checked: Result<Vec<String>, _> = match begun {
        Begun::File(connection) => {
            sqlx::query_scalar("PRAGMA integrity_check(5)").fetch_all(&mut **connection).await
        }
        // A database looks after its own pages.
        Begun::Database(_) => Ok(vec!["ok".to_owned()]),
    };
    let pages = match checked {
        Ok(lines) if lines == ["ok"] => None,
        Ok(lines) => Some(lines.join("; ")),
        Err(error) => Some(failed(error).to_string()),
    };
    let mut logs = Vec::new();
    for number in all_logs(begun).await {
        logs.push(examine(begun, number).await);
    }
    Ok(Verification { pages, logs })
}

/// The logs of a file that may be damaged: from the log, and from the notes of their last events.
async fn all_logs(begun: &mut Begun<'_>) -> Vec<u32> {
    /// The number of tables tried in a file whose lists cannot be read.
    const TRIED: u32 = 1_000;
    let listed = rows::logs(begun).await;
    let heads = rows::heads(begun).await;
    let mut all: Vec<u32> = match (&listed, &heads) {
        (Err(_), Err(_)) => {
            (TOURNAMENT..=TRIED).chain((1..=TRIED).filter_map(LogKind::record_of)).collect()
        }
        _ => Vec::new(),
    };
    all.extend(listed.into_iter().flatten());
    all.extend(heads.into_iter().flatten().map(|(number, _)| number));
    all.sort_unstable();
    all.dedup();
    all
}

/// Reads the intact part of a log.
async fn examine(begun: &mut Begun<'_>, number: u32) -> LogReport {
    match LogKind::of(number) {
        LogKind::Tournament => read::<Log>(begun, number).await,
        LogKind::Table(_) => read::<Table>(begun, number).await,
        LogKind::Record(_) => read::<TableRecord>(begun, number).await,
    }
}

async fn read<Kind: Replayed>(begun: &mut Begun<'_>, number: u32) -> LogReport {
    let head = rows::head(begun, number).await.map_err(|error| error.to_string());
    let mut intact = Intact::<Kind>::empty(number);
    let read =
        rows::each_after(begun, number, 0, |rows| rows.iter().try_for_each(|row| intact.take(row)));
    let read = read.await;
    intact.report(&head, read, 0)
}

/// Rebuilds all logs of a damaged file from their remains.
pub(super) fn rebuild_all(logs: &Logs, hashes: &Hashes) -> Vec<RecoveredLog> {
    let each = logs.iter().filter_map(|(number, remains)| match LogKind::of(*number) {
        LogKind::Tournament => rebuild::<Log>(*number, remains, logs, hashes),
        LogKind::Table(_) => rebuild::<Table>(*number, remains, logs, hashes),
        LogKind::Record(_) => rebuild::<TableRecord>(*number, remains, logs, hashes),
    });
    each.collect()
}

/// Rebuilds a log in which each intact event keeps its number and placeholders replace the others.
/// `None` where nothing is known of the log.
fn rebuild<Kind: Replayed>(
    number: u32,
    remains: &Remains,
    logs: &Logs,
    hashes: &Hashes,
) -> Option<RecoveredLog> {
    let can_be_read = can_be_read::<Kind>;
    let mut left = LogRecovery { number, logs, hashes, can_be_read }.left(remains);
    if left.last == 0 {
        return None;
    }
    let first = left.kept.values().next().map(|kept| kept.row.at.to_string());
    let mut at = first.unwrap_or_else(|| Timestamp::now().to_string());
    let mut intact = Intact::<Kind>::empty(number);
    let (mut rows, mut kept) = (Vec::new(), 0);
    for seq in 1..=left.last {
        let event = left.kept.remove(&seq).and_then(|event| {
            let texts = [&*event.row.at, &*event.row.author, &*event.row.id, &*event.row.body];
            let hash = intact.last.next(number, seq, texts);
            let row = Row { hash, ..event.row };
            // A row that its hash proves but the rules of the game exclude is not an event either.
            intact.take(&row).ok().map(|()| row)
        });
        if let Some(row) = event {
            at = row.at.to_string();
            kept += 1;
            rows.push(row);
            continue;
        }
        let unproven = (seq + 1..)
            .take_while(|next| left.kept.get(next).is_some_and(|next| !next.is_proven))
            .count();
        let row = destroyed::<Kind>(number, seq, &at, unproven as u64, intact.last)?;
        intact.take(&row).ok()?;
        rows.push(row);
    }
    let head = Ok(Some((left.last, intact.last.0.to_vec())));
    let report = intact.report(&head, Ok(()), left.last);
    Some(RecoveredLog {
        log: number,
        rows,
        report: LogReport { intact: kept, note: left.note, ..report },
    })
}

/// The placeholder of an event that damage has destroyed.
fn destroyed<Kind: Replayed>(
    log: u32,
    seq: u64,
    at: &str,
    unproven: u64,
    last: Link,
) -> Option<Row<'static>> {
    let event = Kind::destroyed(unproven);
    let recorded = Recorded { seq, at: at.parse().ok()?, author: "repair".to_owned(), event };
    Row::of(log, &recorded, None, last).ok()
}

/// Whether a row whose hash proves nothing is an event of that kind all the same.
fn can_be_read<Kind: Replayed>(row: &Row<'_>) -> bool {
    row.at.parse::<Timestamp>().is_ok() && serde_json::from_str::<Kind::Event>(&row.body).is_ok()
}

/// The intact part of a log.
struct Intact<Kind> {
    number: u32,
    log: Kind,
    events: u64,
    last: Link,
}

impl<Kind: Replayed> Intact<Kind> {
    fn empty(number: u32) -> Self {
        Self { number, log: Kind::empty(number), events: 0, last: Link::START }
    }

    /// The number of the event that should come now.
    fn next(&self) -> u64 {
        self.events + 1
    }

    /// Takes the next event if it is one.
    fn take(&mut self, row: &Row<'_>) -> Result<(), LogFault> {
        let seq = self.next();
        if row.seq != seq {
            return Err(LogFault(seq, format!("it is missing, {} comes after it", row.seq)));
        }
        let recorded = row.recorded(self.number, self.last).map_err(|what| LogFault(seq, what))?;
        self.log.audit(recorded).map_err(|what| LogFault(seq, what))?;
        self.last = row.hash;
        self.events = seq;
        Ok(())
    }

    /// The report on the log: `read` is why no more was read, `seen` the last event
    /// of which anything is left.
    fn report(self, head: &Head, read: Result<(), LogFault>, seen: u64) -> LogReport {
        let next = self.next();
        let (fault, note) = match read {
            Ok(()) => cut_off(next, head, self.last),
            Err(LogFault(0, what)) => (Some((next, what)), None),
            Err(LogFault(seq, what)) => (Some((seq, what)), None),
        };
        let intact = self.events;
        let noted = head.as_ref().ok().and_then(Option::as_ref).map_or(0, |(seq, _)| *seq);
        let (deals, problems) = self.log.comes_to();
        let lost = self.log.lost();
        LogReport {
            log: LogKind::of(self.number),
            intact,
            events: noted.max(seen).max(intact + u64::from(fault.is_some())),
            deals,
            fault,
            note,
            problems,
            lost,
        }
    }
}

/// The note of a log's last event, or why it cannot be read.
type Head = Result<Option<(u64, Vec<u8>)>, String>;

/// Whether a log ends too early, and whether the note of its last event is right.
fn cut_off(next: u64, head: &Head, last: Link) -> (Option<(u64, String)>, Option<String>) {
    match head {
        Ok(Some((noted, _))) if *noted >= next => {
            let what = format!("it is missing: there should be events up to {noted}");
            (Some((next, what)), None)
        }
        Ok(Some((noted, hash))) if *noted + 1 == next && *hash == last.0 => (None, None),
        Ok(None) if next == 1 => (None, None),
        Ok(Some(_)) => (None, Some("does not fit the log".to_owned())),
        Ok(None) => (
            None,
            Some(format!("is missing, so nobody can tell whether any came after {}", next - 1)),
        ),
        Err(error) => (None, Some(format!("cannot be read ({error})"))),
    }
}

//! What the database has not got yet: the notes that say so, and the way it is sent when the database can be reached.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use serde::Serialize;
use sqlx::PgConnection;

use super::{Mirrored, branch};
use crate::{
    ledger::{
        Ledger, LedgerError, OpenStore, ReadLogs,
        chain::Link,
        database, is_sent_again,
        replayed::LogKind,
        rows::{self, Row},
        store::{Access, Begun, For, Store},
    },
    table::Event,
};

/// The prefix of the file's own notes that hold, for a log, its first unsent event.
pub(super) const OF_LOG: &str = "unsent log ";
pub(super) const OF_NOTE: &str = "unsent note ";

/// The events that have not been sent to the database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unsent {
    /// Why the database is not used just now.
    pub cut: Option<String>,
    /// The number of events of each table that are kept here.
    pub tables: BTreeMap<u32, u64>,
}

/// Notes that a log's events from this one on have not been sent, unless earlier ones have not either.
pub(in crate::ledger) async fn not_sent(
    begun: &mut Begun<'_>,
    log: u32,
    seq: u64,
) -> Result<(), sqlx::Error> {
    let name = format!("{OF_LOG}{log}");
    let known = rows::notes(begun, &name).await?;
    if known.iter().any(|(other, _)| *other == name) {
        return Ok(());
    }
    rows::note(begun, &name, Some(&seq.to_string())).await
}

/// Records the database's text of a note that is about to change.
pub(in crate::ledger) async fn note_not_sent(
    begun: &mut Begun<'_>,
    of: &str,
) -> Result<(), sqlx::Error> {
    let name = format!("{OF_NOTE}{of}");
    let find = |notes: Vec<(String, String)>, name: &str| {
        notes.into_iter().find(|(other, _)| other == name).map(|(_, text)| text)
    };
    if find(rows::notes(begun, &name).await?, &name).is_some() {
        return Ok(());
    }
    let before = find(rows::notes(begun, of).await?, of);
    let text = serde_json::to_string(&before).unwrap_or_default();
    rows::note(begun, &name, Some(&text)).await
}

/// The logs with events that were not sent, and the first of these.
async fn unsent_logs(begun: &mut Begun<'_>) -> Result<Vec<(u32, u64)>, sqlx::Error> {
    let notes = rows::notes(begun, OF_LOG).await?;
    let read = notes.iter().filter_map(|(name, first)| {
        Some((name.strip_prefix(OF_LOG)?.parse().ok()?, first.parse().ok()?))
    });
    Ok(read.collect())
}

/// Whether an event is the same as another, were it written at another time.
fn is_same(log: u32, one: &Row<'_>, other: &Row<'_>) -> bool {
    if one.hash == other.hash {
        return true;
    }
    let event = |row: &Row<'_>| serde_json::from_str::<Event>(&row.body).ok();
    LogKind::table(log).is_some()
        && !one.id.is_empty()
        && one.id == other.id
        && event(one).zip(event(other)).is_some_and(|(one, other)| is_sent_again(&one, &other))
}

/// The outcome of sending events.
#[derive(Default)]
struct SendOutcome {
    /// The author and time of the last event in the database.
    last: Option<(Timestamp, String)>,
    /// Whether the database's log differs from the file's.
    differs: bool,
}

/// The hash of the event with that number, if it is the first of these, and the events after it.
fn since(rows: Vec<Row<'static>>, after: u64) -> Option<(Link, Vec<Row<'static>>)> {
    if after == 0 {
        return Some((Link::START, rows));
    }
    let mut rows = rows.into_iter();
    let first = rows.next().filter(|row| row.seq == after)?;
    Some((first.hash, rows.collect()))
}

/// Sends a log's events from that one on.
async fn send(
    begun: &mut Begun<'_>,
    own: &mut Begun<'_>,
    (log, first): (u32, u64),
    sent: &mut SendOutcome,
) -> Result<(), sqlx::Error> {
    let after = first.saturating_sub(1);
    let from = after.saturating_sub(1);
    let Some((end, mine)) = since(rows::all_after(own, log, from).await?, after) else {
        // The event of the note no longer exists.
        sent.differs = true;
        return Ok(());
    };
    let found = since(rows::all_after(begun, log, from).await?, after);
    let theirs = found.filter(|(last, _)| *last == end);
    let is_known = theirs.is_some();
    let (_, theirs) = theirs.unwrap_or((end, Vec::new()));
    let common = mine.iter().zip(&theirs).take_while(|(a, b)| is_same(log, a, b)).count();
    if is_known && common == theirs.len() {
        let mut last = theirs.last().map_or(end, |row| row.hash);
        sent.differs |= common.checked_sub(1).is_some_and(|place| mine[place].hash != last);
        for row in &mine[common..] {
            let hash = row.link(log, last);
            rows::insert(begun, log, &Row { hash, ..row.clone() }).await?;
            sent.last = row.at.parse().ok().map(|at| (at, row.author.to_string()));
            last = hash;
        }
        return Ok(());
    }
    let (known, mut left) = mine.split_at(common);
    sent.differs |= known.iter().zip(&theirs).any(|(one, other)| one.hash != other.hash);
    // A phone may have entered all of it at another machine too.
    if left.iter().all(|row| theirs.iter().any(|other| is_same(log, row, other))) {
        sent.differs |= !left.is_empty();
        left = &[];
    }
    let Some(end) = left.last() else { return Ok(()) };
    sent.differs = true;
    // Nobody chooses between two records of one game: what was recorded here stays in this file, which is kept.
    if LogKind::recorded_table(log).is_some() {
        return Ok(());
    }
    branch::note(begun, log, after + common as u64, left, end).await
}

/// Sends notes that were written without the database, where nobody has changed them there.
async fn send_notes(begun: &mut Begun<'_>, own: &mut Begun<'_>) -> Result<(), sqlx::Error> {
    let mine: BTreeMap<String, String> = rows::notes(own, "").await?.into_iter().collect();
    let theirs: BTreeMap<String, String> = rows::notes(begun, "").await?.into_iter().collect();
    for (name, before) in &mine {
        let Some(name) = name.strip_prefix(OF_NOTE) else { continue };
        let before: Option<String> = serde_json::from_str(before).unwrap_or_default();
        if theirs.get(name) == before.as_ref() && mine.get(name) != before.as_ref() {
            rows::note(begun, name, mine.get(name).map(String::as_str)).await?;
        }
    }
    Ok(())
}

impl Ledger {
    /// Sends the events written while the database could not be reached, if it can be now; keeps the file beside it up to
    /// date where nothing is to be sent.
    ///
    /// # Errors
    /// Why the database does not take it; events go on into the file then.
    pub async fn send_unsent(&self) -> Result<(), LedgerError> {
        let (Some(address), Some(_)) = (&self.address, &self.beside) else { return Ok(()) };
        if !self.inner().await?.store.uses_file() {
            let mut inner = self.inner().await?;
            return match &mut inner.store {
                Store::Mirrored(both) if both.cut.is_none() => both.update().await,
                _ => Ok(()),
            };
        }
        // Nobody who writes waits for a network that is cut.
        let mut connection = database::connect(address).await?;
        database::ready(address, &mut connection, Access::Write).await?;
        let sent = self.send_over(connection).await;
        if let Err(error) = &sent
            && let Store::Mirrored(both) = &mut self.inner().await?.store
            && let Some(cut) = &mut both.cut
        {
            *cut = match error {
                LedgerError::Unreachable { cause, .. } => cause.clone(),
                error => error.to_string(),
            };
        }
        sent
    }

    async fn send_over(&self, connection: PgConnection) -> Result<(), LedgerError> {
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let OpenStore { store: Store::Mirrored(both), kept } = &mut *inner else { return Ok(()) };
        both.database.reached(connection);
        let Mirrored { database, file, .. } = &mut **both;
        let mut own = file.begin(For::Reading).await.map_err(failed)?;
        let mut begun = Begun::Database(database.begin(For::Writing).await.map_err(failed)?);
        let mut sent = SendOutcome::default();
        for unsent in unsent_logs(&mut own).await.map_err(failed)? {
            send(&mut begun, &mut own, unsent, &mut sent).await.map_err(failed)?;
        }
        send_notes(&mut begun, &mut own).await.map_err(failed)?;
        if let Some((at, author)) = &sent.last {
            self.others_follow(&mut begun, &mut ReadLogs::default(), (*at, author)).await?;
        }
        own.commit().await.map_err(failed)?;
        begun.commit().await.map_err(failed)?;
        *kept = ReadLogs::default();
        both.cut = None;
        if sent.differs {
            both.renew().await?;
        } else {
            let forgotten = async {
                let mut own = both.file.begin(For::Writing).await?;
                for (name, _) in rows::notes(&mut own, "unsent ").await? {
                    rows::note(&mut own, &name, None).await?;
                }
                own.commit().await
            };
            // Sent again, it would be there already.
            if forgotten.await.is_err() {
                both.whole = false;
                return Ok(());
            }
        }
        both.update().await
    }

    /// The events that have not been sent to the database.
    ///
    /// # Errors
    /// Where the file beside it cannot be read.
    pub async fn unsent(&self) -> Result<Unsent, LedgerError> {
        let mut inner = self.inner().await?;
        let Store::Mirrored(both) = &mut inner.store else { return Ok(Unsent::default()) };
        let Some(cut) = both.cut.clone() else { return Ok(Unsent::default()) };
        let failed = |error| self.error_of(error);
        let mut own = both.file.begin(For::Reading).await.map_err(failed)?;
        let ends = rows::heads(&mut own).await.map_err(failed)?;
        let ends: HashMap<u32, u64> = ends.into_iter().collect();
        let unsent = unsent_logs(&mut own).await.map_err(failed)?;
        own.commit().await.map_err(failed)?;
        let count = |(log, first): (u32, u64)| {
            let end = ends.get(&log).copied().unwrap_or_default();
            (log, (end + 1).saturating_sub(first))
        };
        let tables = unsent.into_iter().filter(|(log, _)| LogKind::recorded_table(*log).is_none());
        Ok(Unsent { cut: Some(cut), tables: tables.map(count).collect() })
    }
}

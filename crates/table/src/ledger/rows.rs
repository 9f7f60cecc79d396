//! The rows of a ledger: events, the note of each log's last one, and notes beside them.

use std::borrow::Cow;

use futures_util::{TryStreamExt, future::join};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use sqlx::{
    ColumnIndex, Decode, Row as _, Sqlite, SqliteConnection, Type,
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};

use super::{
    LedgerError,
    chain::Link,
    database,
    store::{Begun, either},
};
use crate::recorded::Recorded;

/// An event as stored in the file.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct Row<'a> {
    pub seq: u64,
    pub at: Cow<'a, str>,
    pub author: Cow<'a, str>,
    /// The writer's own name for it; empty where there is no name.
    pub id: Cow<'a, str>,
    pub body: Cow<'a, str>,
    pub hash: Link,
}

impl Row<'static> {
    pub(super) fn of<Event: Serialize>(
        log: u32,
        recorded: &Recorded<Event>,
        id: Option<String>,
        last: Link,
    ) -> Result<Self, LedgerError> {
        let body = serde_json::to_string(&recorded.event).map_err(|error| LedgerError::Other {
            path: Default::default(),
            cause: error.to_string(),
        })?;
        let (seq, at, author) = (recorded.seq, recorded.at.to_string(), recorded.author.clone());
        let id = id.unwrap_or_default();
        let hash = last.next(log, seq, [&at, &author, &id, &body]);
        let [at, author, id, body] = [at, author, id, body].map(Cow::Owned);
        Ok(Self { seq, at, author, id, body, hash })
    }
}

impl Row<'_> {
    /// The row with owned texts.
    pub(super) fn to_owned(&self) -> Row<'static> {
        let [at, author, id, body] = [&self.at, &self.author, &self.id, &self.body]
            .map(|text| Cow::Owned(text.clone().into_owned()));
        Row { seq: self.seq, at, author, id, body, hash: self.hash }
    }

    /// The hash that it has after that event of a log.
    pub(super) fn link(&self, log: u32, last: Link) -> Link {
        last.next(log, self.seq, [&self.at, &self.author, &self.id, &self.body])
    }

    /// The event, its hash checked against the chain.
    ///
    /// # Errors
    /// The fault of the row.
    pub(super) fn recorded<Event: DeserializeOwned>(
        &self,
        log: u32,
        last: Link,
    ) -> Result<Recorded<Event>, String> {
        if self.link(log, last) != self.hash {
            return Err("its hash does not fit: it, or one before it, was changed".to_owned());
        }
        let at = self.at.parse().map_err(|error| format!("its time cannot be read: {error}"))?;
        let event = serde_json::from_str(&self.body)
            .map_err(|error| format!("it cannot be read: {error}"))?;
        Ok(Recorded { seq: self.seq, at, author: self.author.to_string(), event })
    }
}

/// A log's events after one, some hundred at a time.
pub(super) async fn each_after<E: From<sqlx::Error>>(
    begun: &mut Begun<'_>,
    log: u32,
    seq: u64,
    mut each: impl FnMut(&[Row<'_>]) -> Result<(), E>,
) -> Result<(), E> {
    let connection = match begun {
        Begun::File(begun) => return each_of_file(begun, log, seq, each).await,
        Begun::Database(begun) => begun,
    };
    let mut known = i64::try_from(seq).unwrap_or(i64::MAX);
    loop {
        let query = sqlx::query(ONE_BY_ONE).bind(i64::from(log)).bind(known).bind(AT_ONCE as i64);
        let rows = database::in_time(query.fetch_all(&mut **connection)).await?;
        let read: Vec<Row<'_>> = rows.iter().map(one).collect::<Result<_, _>>()?;
        each(&read)?;
        match read.last() {
            Some(last) if read.len() == AT_ONCE => {
                known = i64::try_from(last.seq).unwrap_or(i64::MAX)
            }
            _ => return Ok(()),
        }
    }
}

/// All of a log's events after one.
pub(super) async fn all_after(
    begun: &mut Begun<'_>,
    log: u32,
    seq: u64,
) -> Result<Vec<Row<'static>>, sqlx::Error> {
    let mut all = Vec::new();
    let read = each_after(begun, log, seq, |rows| {
        all.extend(rows.iter().map(Row::to_owned));
        Ok::<_, sqlx::Error>(())
    });
    read.await?;
    Ok(all)
}

/// Reads events joined column by column, many times cheaper than a row for each. Where they cannot be
/// split again exactly, or SQLite stops half-way, they are read one by one, so that every readable event
/// is returned.
async fn each_of_file<E: From<sqlx::Error>>(
    connection: &mut SqliteConnection,
    log: u32,
    seq: u64,
    mut each: impl FnMut(&[Row<'_>]) -> Result<(), E>,
) -> Result<(), E> {
    let mut known = seq;
    let mut reading = joined(connection, log, known).await;
    loop {
        let before = known;
        let mut read = 0;
        if let Some(rows) = reading.as_ref().ok().and_then(apart) {
            let Some(last) = rows.last() else { return Ok(()) };
            (known, read) = (last.seq, rows.len());
            if read == AT_ONCE && known > before {
                // SQLite's thread reads on while these are dealt with.
                let (next, done) =
                    join(joined(connection, log, known), async { each(&rows) }).await;
                done?;
                reading = next;
                continue;
            }
            each(&rows)?;
        } else {
            let mut rows = next_of(ONE_BY_ONE, log, known).fetch(&mut *connection);
            while let Some(row) = rows.try_next().await? {
                let row = one(&row)?;
                (known, read) = (row.seq, read + 1);
                each(&[row])?;
            }
        }
        if read < AT_ONCE || known <= before {
            return Ok(());
        }
        reading = joined(connection, log, known).await;
    }
}

/// The number of events read at once.
const AT_ONCE: usize = 1_000;
/// The separator between joined events; no text that this program writes contains it.
const BETWEEN: char = '\u{1f}';

const ONE_BY_ONE: &str = "SELECT seq, at, author, coalesce(id, ''), body, hash FROM events
    WHERE log = $1 AND seq > $2 ORDER BY seq LIMIT $3";
const JOINED: &str = "SELECT group_concat(seq, x'1f'), group_concat(at, x'1f'),
        group_concat(author, x'1f'), group_concat(ifnull(id, ''), x'1f'),
        group_concat(body, x'1f'), CAST(group_concat(hash, '') AS BLOB)
    FROM (SELECT * FROM events WHERE log = ? AND seq > ? ORDER BY seq LIMIT ?)";

fn next_of(sql: &'static str, log: u32, seq: u64) -> Query<'static, Sqlite, SqliteArguments> {
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    sqlx::query(sql).bind(i64::from(log)).bind(seq).bind(AT_ONCE as i64)
}

async fn joined(
    connection: &mut SqliteConnection,
    log: u32,
    seq: u64,
) -> Result<SqliteRow, sqlx::Error> {
    next_of(JOINED, log, seq).fetch_one(connection).await
}

/// Splits joined rows; `None` where they do not split exactly.
fn apart(joined: &SqliteRow) -> Option<Vec<Row<'_>>> {
    let hashes: Option<&[u8]> = joined.try_get(5).ok()?;
    let Some(hashes) = hashes else { return Some(Vec::new()) };
    let (hashes, rest) = hashes.as_chunks::<32>();
    let column = |place: usize| {
        let texts: &str = joined.try_get(place).ok()?;
        let between = texts.bytes().filter(|byte| *byte == BETWEEN as u8).count();
        (between + 1 == hashes.len() && rest.is_empty()).then(|| texts.split(BETWEEN))
    };
    let texts = column(1)?.zip(column(2)?).zip(column(3)?.zip(column(4)?));
    (column(0)?.zip(texts).zip(hashes))
        .map(|((seq, ((at, author), (id, body))), hash)| {
            let [at, author, id, body] = [at, author, id, body].map(Cow::Borrowed);
            Some(Row { seq: seq.parse().ok()?, at, author, id, body, hash: Link(*hash) })
        })
        .collect()
}

/// A row that was read by itself.
fn one<'r, R: sqlx::Row>(row: &'r R) -> Result<Row<'r>, sqlx::Error>
where
    usize: ColumnIndex<R>,
    &'r str: Decode<'r, R::Database> + Type<R::Database>,
    &'r [u8]: Decode<'r, R::Database> + Type<R::Database>,
    i64: Decode<'r, R::Database> + Type<R::Database>,
{
    let text = |place: usize| row.try_get::<&str, _>(place).map(Cow::Borrowed);
    let hash: &[u8] = row.try_get(5)?;
    Ok(Row {
        seq: row.try_get::<i64, _>(0)?.unsigned_abs(),
        at: text(1)?,
        author: text(2)?,
        id: text(3)?,
        body: text(4)?,
        // A hash of another length fits no chain.
        hash: hash.try_into().map_or(Link::START, Link),
    })
}

/// The number of the event that has this name.
pub(super) async fn seq_of_id(
    begun: &mut Begun<'_>,
    log: u32,
    id: &str,
) -> Result<Option<u64>, sqlx::Error> {
    const BY_ID: &str = "SELECT seq FROM events WHERE log = $1 AND id = $2";
    let log = i64::from(log);
    let seq: Option<i64> = either!(begun, connection => {
        sqlx::query_scalar(BY_ID).bind(log).bind(id).fetch_optional(connection)
    })?;
    Ok(seq.map(i64::unsigned_abs))
}

/// Writes an event and notes it as the last of its log.
pub(super) async fn insert(
    begun: &mut Begun<'_>,
    log: u32,
    row: &Row<'_>,
) -> Result<(), sqlx::Error> {
    const EVENT: &str = "INSERT INTO events (log, seq, at, author, id, body, hash)
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    const HEAD: &str = "INSERT INTO heads (log, seq, hash) VALUES ($1, $2, $3)
        ON CONFLICT (log) DO UPDATE SET seq = excluded.seq, hash = excluded.hash";
    begun.has_written(log, row);
    let (log, seq) = (i64::from(log), i64::try_from(row.seq).unwrap_or(i64::MAX));
    let id = Some(&*row.id).filter(|id| !id.is_empty());
    either!(begun, connection => async {
        let event = sqlx::query(EVENT).bind(log).bind(seq).bind(&*row.at).bind(&*row.author);
        let event = event.bind(id).bind(&*row.body).bind(row.hash.0.as_slice());
        event.execute(connection).await.map(|_| ())
    })?;
    // The database does that by itself.
    if let Begun::File(connection) = begun {
        let head = sqlx::query(HEAD).bind(log).bind(seq).bind(row.hash.0.as_slice());
        head.execute(&mut **connection).await?;
    }
    Ok(())
}

/// The last event that was noted for a log: its number and hash.
pub(super) async fn head(
    begun: &mut Begun<'_>,
    log: u32,
) -> Result<Option<(u64, Vec<u8>)>, sqlx::Error> {
    const HEAD: &str = "SELECT seq, hash FROM heads WHERE log = $1";
    let log = i64::from(log);
    let head: Option<(i64, Vec<u8>)> = either!(begun, connection => {
        sqlx::query_as(HEAD).bind(log).fetch_optional(connection)
    })?;
    Ok(head.map(|(seq, hash)| (seq.unsigned_abs(), hash)))
}

/// The numbers of all logs.
pub(super) async fn logs(begun: &mut Begun<'_>) -> Result<Vec<u32>, sqlx::Error> {
    // Steps from one log's number to the next; DISTINCT would read every event.
    const LOGS: &str = "WITH RECURSIVE each_log (log) AS (
             SELECT min(log) FROM events
             UNION ALL
             SELECT (SELECT min(log) FROM events WHERE log > each_log.log) FROM each_log
             WHERE each_log.log IS NOT NULL)
         SELECT log FROM each_log WHERE log IS NOT NULL";
    let numbers: Vec<i64> =
        either!(begun, connection => sqlx::query_scalar(LOGS).fetch_all(connection))?;
    Ok(numbers.into_iter().filter_map(|number| u32::try_from(number).ok()).collect())
}

/// Each log's number, and that of its last event.
pub(super) async fn heads(begun: &mut Begun<'_>) -> Result<Vec<(u32, u64)>, sqlx::Error> {
    Ok(ends(begun).await?.into_iter().map(|(log, seq, _)| (log, seq)).collect())
}

/// Each log's number, and the number and hash of its last event.
pub(super) async fn ends(begun: &mut Begun<'_>) -> Result<Vec<(u32, u64, Vec<u8>)>, sqlx::Error> {
    const ENDS: &str = "SELECT log, seq, hash FROM heads ORDER BY log";
    let ends: Vec<(i64, i64, Vec<u8>)> =
        either!(begun, connection => sqlx::query_as(ENDS).fetch_all(connection))?;
    let known = |(log, seq, hash): (i64, i64, Vec<u8>)| {
        Some((u32::try_from(log).ok()?, seq.unsigned_abs(), hash))
    };
    Ok(ends.into_iter().filter_map(known).collect())
}

/// Whether there is a table of notes: a file gets one with its first note, so that programs that know nothing of notes
/// still read it.
async fn has_notes(begun: &mut Begun<'_>) -> Result<bool, sqlx::Error> {
    const THERE: &str = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'notes')";
    match begun {
        Begun::File(connection) => sqlx::query_scalar(THERE).fetch_one(&mut **connection).await,
        Begun::Database(_) => Ok(true),
    }
}

/// The notes whose names begin so, by their names.
pub(super) async fn notes(
    begun: &mut Begun<'_>,
    start: &str,
) -> Result<Vec<(String, String)>, sqlx::Error> {
    if !has_notes(begun).await? {
        return Ok(Vec::new());
    }
    const NOTES: &str = "SELECT name, text FROM notes WHERE substr(name, 1, $1) = $2 ORDER BY name";
    let length = i32::try_from(start.chars().count()).unwrap_or(i32::MAX);
    either!(begun, connection => {
        sqlx::query_as(NOTES).bind(length).bind(start).fetch_all(connection)
    })
}

/// Writes a note in place of the one before; `None`: takes it away.
pub(super) async fn note(
    begun: &mut Begun<'_>,
    name: &str,
    text: Option<&str>,
) -> Result<(), sqlx::Error> {
    const WRITTEN: &str = "INSERT INTO notes (name, text) VALUES ($1, $2)
        ON CONFLICT (name) DO UPDATE SET text = excluded.text";
    const AWAY: &str = "DELETE FROM notes WHERE name = $1";
    if !has_notes(begun).await? {
        let (Begun::File(connection), Some(_)) = (&mut *begun, text) else { return Ok(()) };
        sqlx::raw_sql(include_str!("schema/notes.sql")).execute(&mut **connection).await?;
    }
    either!(begun, connection => async {
        let query = sqlx::query(if text.is_some() { WRITTEN } else { AWAY }).bind(name);
        let query = match text {
            Some(text) => query.bind(text),
            None => query,
        };
        query.execute(connection).await.map(|_| ())
    })
}

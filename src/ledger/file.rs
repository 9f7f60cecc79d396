//! The file: its format, how it is opened, the rows of its one table that matters.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use futures_util::TryStreamExt;
use sqlx::{
    Connection, Row as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteRow},
};

use super::{LedgerError, chain::Link};
use crate::journal::Recorded;

use serde::{Serialize, de::DeserializeOwned};

/// "TLEG", by which `file` and this program know a ledger.
const APPLICATION: i64 = 0x544C_4547;
/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// Rows that SQLite's thread reads ahead: it should not stop for each one that is decoded.
const ROWS_AHEAD: usize = 4096;

/// From an empty file to the format of today, a step each. A step that was published never changes.
pub(super) const STEPS: &[&str] = &[include_str!("schema/1.sql"), include_str!("schema/2.sql")];
/// The format of today.
pub(super) const FORMAT: i64 = STEPS.len() as i64;

/// What a ledger is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    Create,
}

/// An event as it lies in the file.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub seq: u64,
    pub at: String,
    pub author: String,
    pub id: Option<String>,
    pub body: String,
    pub hash: Link,
}

impl Row {
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
        let texts = [&at, &author, id.as_deref().unwrap_or_default(), &body];
        let hash = last.next(log, seq, texts);
        Ok(Self { seq, at, author, id, body, hash })
    }

    /// The event, its hash checked against the chain.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn recorded<Event: DeserializeOwned>(
        &self,
        log: u32,
        last: Link,
    ) -> Result<Recorded<Event>, String> {
        let texts = [&*self.at, &self.author, self.id.as_deref().unwrap_or_default(), &self.body];
        let link = last.next(log, self.seq, texts);
        if link != self.hash {
            return Err("its hash does not fit: it, or one before it, was changed".to_owned());
        }
        let at = self.at.parse().map_err(|error| format!("its time cannot be read: {error}"))?;
        let event = serde_json::from_str(&self.body)
            .map_err(|error| format!("it cannot be read: {error}"))?;
        Ok(Recorded { seq: self.seq, at, author: self.author.clone(), event })
    }
}

/// Opens the file for that, checked and brought up to date.
pub(super) async fn open(path: &Path, access: Access) -> Result<SqliteConnection, LedgerError> {
    let about = std::fs::metadata(path);
    let absent = about.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    if absent && access != Access::Create {
        return Err(LedgerError::Absent(path.to_owned()));
    }
    let read_only = about.is_ok_and(|about| about.permissions().readonly());
    if read_only && access != Access::Read {
        return Err(LedgerError::ReadOnly(path.to_owned()));
    }
    if read_only {
        return open_unchanging(path).await;
    }
    match connect(path, access).await {
        // A folder or a medium that cannot be written to.
        Err(LedgerError::ReadOnly(_) | LedgerError::Open { .. })
            if access == Access::Read && path.exists() =>
        {
            open_unchanging(path).await
        }
        done => done,
    }
}

/// A file that nobody can write to: looked at without locks or a write-ahead log.
async fn open_unchanging(path: &Path) -> Result<SqliteConnection, LedgerError> {
    let options = (SqliteConnectOptions::new().filename(path).row_buffer_size(ROWS_AHEAD))
        .read_only(true)
        .immutable(true);
    let told = |error| LedgerError::sqlite(path, error);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(told)?;
    let found = format_of(&mut connection, path).await?;
    if found < FORMAT {
        return Err(LedgerError::Older { path: path.to_owned(), found });
    }
    Ok(connection)
}

async fn connect(path: &Path, access: Access) -> Result<SqliteConnection, LedgerError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(access == Access::Create)
        .row_buffer_size(ROWS_AHEAD)
        .busy_timeout(PATIENCE);
    let told = |error| LedgerError::sqlite(path, error);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(told)?;
    let found = format_of(&mut connection, path).await?;
    if found == 0 && access != Access::Create {
        return Err(LedgerError::NotALedger(path.to_owned()));
    }
    write_ahead(&mut connection).await.map_err(told)?;
    migrate(&mut connection, STEPS).await.map_err(told)?;
    Ok(connection)
}

/// Readers go on while one writes; what is acknowledged has been synced.
async fn write_ahead(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    let start = Instant::now();
    loop {
        let set = sqlx::query("PRAGMA journal_mode = WAL").execute(&mut *connection).await;
        match set {
            Ok(_) => break,
            // The change of mode does not wait for another program by itself.
            Err(sqlx::Error::Database(error))
                if error.code().is_some_and(|code| code == "5" || code == "261")
                    && start.elapsed() < PATIENCE =>
            {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(error) => return Err(error),
        }
    }
    sqlx::query("PRAGMA synchronous = FULL").execute(connection).await.map(|_| ())
}

/// The format of a file: 0 of an empty one.
async fn format_of(connection: &mut SqliteConnection, path: &Path) -> Result<i64, LedgerError> {
    let told = |error| LedgerError::sqlite(path, error);
    let one = |sql: &'static str| sqlx::query_scalar::<_, i64>(sql);
    let application =
        one("PRAGMA application_id").fetch_one(&mut *connection).await.map_err(told)?;
    let found = one("PRAGMA user_version").fetch_one(&mut *connection).await.map_err(told)?;
    let tables =
        one("SELECT count(*) FROM sqlite_schema").fetch_one(connection).await.map_err(told)?;
    if application != APPLICATION && (application, found, tables) != (0, 0, 0) {
        return Err(LedgerError::NotALedger(path.to_owned()));
    }
    if found > FORMAT {
        return Err(LedgerError::Newer { path: path.to_owned(), found });
    }
    Ok(found)
}

/// Takes the steps that a file has not taken yet, all or none.
pub(super) async fn migrate(
    connection: &mut SqliteConnection,
    steps: &[&'static str],
) -> Result<(), sqlx::Error> {
    let version = "PRAGMA user_version";
    let before: i64 = sqlx::query_scalar(version).fetch_one(&mut *connection).await?;
    if before as usize >= steps.len() {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    // Another program may have been quicker.
    let before: i64 = sqlx::query_scalar(version).fetch_one(&mut *transaction).await?;
    for step in steps.iter().skip(before as usize) {
        sqlx::raw_sql(*step).execute(&mut *transaction).await?;
    }
    let marks =
        format!("PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {};", steps.len());
    sqlx::raw_sql(sqlx::AssertSqlSafe(marks)).execute(&mut *transaction).await?;
    transaction.commit().await
}

/// The columns of `read`, in its order.
fn read(row: &SqliteRow) -> Result<Row, sqlx::Error> {
    let hash: &[u8] = row.try_get(5)?;
    Ok(Row {
        seq: row.try_get::<i64, _>(0)?.unsigned_abs(),
        at: row.try_get(1)?,
        author: row.try_get(2)?,
        id: row.try_get(3)?,
        body: row.try_get(4)?,
        // A hash of another length fits no chain.
        hash: hash.try_into().map_or(Link::START, Link),
    })
}

/// Calls `each` with a log's events after that one, while SQLite reads the next ones.
pub(super) async fn each_after<E: From<sqlx::Error>>(
    connection: &mut SqliteConnection,
    log: u32,
    seq: u64,
    mut each: impl FnMut(Row) -> Result<(), E>,
) -> Result<(), E> {
    let mut rows = sqlx::query(
        "SELECT seq, at, author, id, body, hash FROM events
         WHERE log = ? AND seq > ? ORDER BY seq",
    )
    .bind(i64::from(log))
    .bind(i64::try_from(seq).unwrap_or(i64::MAX))
    .fetch(connection);
    while let Some(row) = rows.try_next().await? {
        each(read(&row)?)?;
    }
    Ok(())
}

/// The number of the event that has this name.
pub(super) async fn seq_of_id(
    connection: &mut SqliteConnection,
    log: u32,
    id: &str,
) -> Result<Option<u64>, sqlx::Error> {
    let seq: Option<i64> = sqlx::query_scalar("SELECT seq FROM events WHERE log = ? AND id = ?")
        .bind(i64::from(log))
        .bind(id)
        .fetch_optional(connection)
        .await?;
    Ok(seq.map(i64::unsigned_abs))
}

/// Writes an event and notes it as the last of its log.
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    log: u32,
    row: &Row,
) -> Result<(), sqlx::Error> {
    let seq = i64::try_from(row.seq).unwrap_or(i64::MAX);
    sqlx::query(
        "INSERT INTO events (log, seq, at, author, id, body, hash)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(i64::from(log))
    .bind(seq)
    .bind(&row.at)
    .bind(&row.author)
    .bind(&row.id)
    .bind(&row.body)
    .bind(row.hash.0.as_slice())
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO heads (log, seq, hash) VALUES (?, ?, ?)
         ON CONFLICT (log) DO UPDATE SET seq = excluded.seq, hash = excluded.hash",
    )
    .bind(i64::from(log))
    .bind(seq)
    .bind(row.hash.0.as_slice())
    .execute(connection)
    .await
    .map(|_| ())
}

/// The last event that was noted for a log: its number and hash.
pub(super) async fn head(
    connection: &mut SqliteConnection,
    log: u32,
) -> Result<Option<(u64, Vec<u8>)>, sqlx::Error> {
    let head: Option<(i64, Vec<u8>)> = sqlx::query_as("SELECT seq, hash FROM heads WHERE log = ?")
        .bind(i64::from(log))
        .fetch_optional(connection)
        .await?;
    Ok(head.map(|(seq, hash)| (seq.unsigned_abs(), hash)))
}

/// The numbers of all logs.
pub(super) async fn logs(connection: &mut SqliteConnection) -> Result<Vec<u32>, sqlx::Error> {
    // From one log's number to the next, where DISTINCT would read every event.
    let numbers: Vec<i64> = sqlx::query_scalar(
        "WITH RECURSIVE each (log) AS (
             SELECT min(log) FROM events
             UNION ALL
             SELECT (SELECT min(log) FROM events WHERE log > each.log) FROM each
             WHERE each.log IS NOT NULL)
         SELECT log FROM each WHERE log IS NOT NULL",
    )
    .fetch_all(connection)
    .await?;
    Ok(numbers.into_iter().filter_map(|number| u32::try_from(number).ok()).collect())
}

/// Each log's number, and that of its last event.
pub(super) async fn heads(
    connection: &mut SqliteConnection,
) -> Result<Vec<(u32, u64)>, sqlx::Error> {
    let heads: Vec<(i64, i64)> =
        sqlx::query_as("SELECT log, seq FROM heads ORDER BY log").fetch_all(connection).await?;
    let known = |(log, seq): (i64, i64)| Some((u32::try_from(log).ok()?, seq.unsigned_abs()));
    Ok(heads.into_iter().filter_map(known).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn steps_are_taken_once_and_in_order() {
        const FIRST: &str = "CREATE TABLE a (x INTEGER); INSERT INTO a VALUES (1);";
        const SECOND: &str = "ALTER TABLE a ADD COLUMN y INTEGER; UPDATE a SET y = x + 1;";
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrate(&mut file, &[FIRST]).await.unwrap();
        migrate(&mut file, &[FIRST, SECOND]).await.unwrap();
        migrate(&mut file, &[FIRST, SECOND]).await.unwrap();
        let rows: Vec<(i64, i64)> =
            sqlx::query_as("SELECT x, y FROM a").fetch_all(&mut file).await.unwrap();
        assert_eq!(rows, [(1, 2)]);
        let version: i64 =
            sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut file).await.unwrap();
        assert_eq!(version, 2);
    }

    #[tokio::test]
    async fn a_step_that_fails_leaves_everything_as_it_was() {
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let steps = ["CREATE TABLE a (x INTEGER);", "CREATE TABLE a (x INTEGER);"];
        assert!(migrate(&mut file, &steps).await.is_err());
        let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_schema")
            .fetch_one(&mut file)
            .await
            .unwrap();
        assert_eq!(tables, 0);
    }

    #[tokio::test]
    async fn events_cannot_be_changed_or_deleted() {
        let mut file = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        migrate(&mut file, STEPS).await.unwrap();
        let row = Row {
            seq: 1,
            at: String::new(),
            author: String::new(),
            id: None,
            body: String::new(),
            hash: Link::START,
        };
        insert(&mut file, 1, &row).await.unwrap();
        assert!(insert(&mut file, 1, &row).await.is_err(), "one event has one number");
        for sql in ["UPDATE events SET author = 'x'", "DELETE FROM events"] {
            let error = sqlx::query(sql).execute(&mut file).await.unwrap_err();
            assert!(error.to_string().contains("append-only"), "{error}");
        }
    }

    #[tokio::test]
    async fn a_file_that_may_not_grow_is_told_as_full() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.tlg");
        let mut file = open(&path, Access::Create).await.unwrap();
        sqlx::raw_sql("PRAGMA max_page_count = 12").execute(&mut file).await.unwrap();
        let mut last = Ok(());
        for seq in 1..100 {
            let row = Row {
                seq,
                at: String::new(),
                author: "x".repeat(1000),
                id: None,
                body: String::new(),
                hash: Link::START,
            };
            last = insert(&mut file, 1, &row).await;
            if last.is_err() {
                break;
            }
        }
        let error = LedgerError::sqlite(&path, last.unwrap_err());
        assert!(matches!(error, LedgerError::Full { .. }), "{error}");
    }
}

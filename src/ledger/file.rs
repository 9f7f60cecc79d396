//! The file: its format, how it is opened and brought up to date.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::LedgerError;

/// "TLEG", by which `file` and this program know a ledger.
const APPLICATION: i64 = 0x544C_4547;
/// How long a writer waits for another.
const PATIENCE: Duration = Duration::from_secs(20);

/// From an empty file to the format of today, a step each. A step that was published never changes.
pub(super) const STEPS: &[&str] = &[include_str!("schema/1.sql"), include_str!("schema/2.sql")];
/// The format of today.
pub(super) const FORMAT: i64 = STEPS.len() as i64;
/// No format of tomorrow has a higher number: what says so is damaged.
const LAST_FORMAT: i64 = 1_000;

/// What a ledger is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    Create,
}

/// The file's name with something added: `evening.tlg-wal`.
pub(super) fn beside(path: &Path, added: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(added);
    PathBuf::from(name)
}

/// Opens the file for that, checked and brought up to date.
pub(super) async fn open(path: &Path, access: Access) -> Result<SqliteConnection, LedgerError> {
    let about = std::fs::metadata(path);
    let absent = about.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    if absent && access != Access::Create {
        return Err(LedgerError::Absent(path.to_owned()));
    }
    // SQLite would throw away the write-ahead log of an empty file, and all that lies in it.
    let holds = |path: &Path| std::fs::metadata(path).is_ok_and(|about| about.len() > 0);
    if about.as_ref().is_ok_and(|about| about.len() == 0) && holds(&beside(path, "-wal")) {
        let cause = "it is empty, but what was written last lies beside it".to_owned();
        return Err(LedgerError::Damaged { path: path.to_owned(), cause });
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
    let options = (SqliteConnectOptions::new().filename(path)).read_only(true).immutable(true);
    let told = |error| LedgerError::sqlite(path, error);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(told)?;
    match format_of(&mut connection, path).await {
        Ok(found) if found >= FORMAT => Ok(connection),
        Ok(found) => {
            Err(let_go(connection, LedgerError::Older { path: path.to_owned(), found }).await)
        }
        Err(error) => Err(let_go(connection, error).await),
    }
}

async fn connect(path: &Path, access: Access) -> Result<SqliteConnection, LedgerError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(access == Access::Create)
        .busy_timeout(PATIENCE);
    let told = |error| LedgerError::sqlite(path, error);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(told)?;
    match made_ready(&mut connection, path, access).await {
        Ok(()) => Ok(connection),
        Err(error) => Err(let_go(connection, error).await),
    }
}

async fn made_ready(
    connection: &mut SqliteConnection,
    path: &Path,
    access: Access,
) -> Result<(), LedgerError> {
    let told = |error| LedgerError::sqlite(path, error);
    let found = format_of(connection, path).await?;
    if found == 0 && access != Access::Create {
        return Err(LedgerError::NotALedger(path.to_owned()));
    }
    write_ahead(connection).await.map_err(told)?;
    migrate(connection, STEPS).await.map_err(told)
}

/// Closes what cannot be used before anybody hears of it. One that is only dropped is closed some
/// time later, and removes the write-ahead log beside the file then: beneath a repair that has begun.
async fn let_go(connection: SqliteConnection, error: LedgerError) -> LedgerError {
    let _ = connection.close().await;
    error
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
pub(super) async fn format_of(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<i64, LedgerError> {
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
    if !(0..=LAST_FORMAT).contains(&found) {
        let cause = format!("it says that it is of format {found}");
        return Err(LedgerError::Damaged { path: path.to_owned(), cause });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::{
        chain::Link,
        rows::{Row, insert},
    };

    fn row(seq: u64, author: &str) -> Row<'_> {
        let [at, id, body] = ["", "", ""].map(Into::into);
        Row { seq, at, author: author.into(), id, body, hash: Link::START }
    }

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
        let row = row(1, "");
        insert(&mut file, 1, &row).await.unwrap();
        assert!(insert(&mut file, 1, &row).await.is_err(), "one event has one number");
        for sql in ["UPDATE events SET author = 'x'", "DELETE FROM events"] {
            let error = sqlx::query(sql).execute(&mut file).await.unwrap_err();
            assert!(error.to_string().contains("append-only"), "{error}");
        }
    }

    /// Only power that fails would show it otherwise.
    #[tokio::test]
    async fn what_is_acknowledged_has_been_synced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.tlg");
        for access in [Access::Create, Access::Write] {
            let mut file = open(&path, access).await.unwrap();
            let level: i64 =
                sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut file).await.unwrap();
            assert_eq!(level, 2, "FULL, {access:?}");
        }
    }

    #[tokio::test]
    async fn a_file_that_may_not_grow_is_told_as_full() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.tlg");
        let mut file = open(&path, Access::Create).await.unwrap();
        sqlx::raw_sql("PRAGMA max_page_count = 12").execute(&mut file).await.unwrap();
        let mut last = Ok(());
        let author = "x".repeat(1000);
        for seq in 1..100 {
            last = insert(&mut file, 1, &row(seq, &author)).await;
            if last.is_err() {
                break;
            }
        }
        let error = LedgerError::sqlite(&path, last.unwrap_err());
        assert!(matches!(error, LedgerError::Full { .. }), "{error}");
    }
}

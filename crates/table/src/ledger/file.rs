//! The file: its format, how it is opened and brought up to date.

use std::{
    io::{self, Read as _},
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sqlx::{Connection, Sqlite, SqliteConnection, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use super::{
    LedgerError, journal,
    rows::Row,
    storage::{self, Storage},
    store::{Access, Begun, For},
};

/// "TLEG", the application id by which `file` and this program recognise a ledger.
const APPLICATION: i64 = 0x544C_4547;
/// The longest wait of a writer for another writer.
const PATIENCE: Duration = Duration::from_secs(20);

/// The migrations from an empty file to the current format. A published one never changes.
pub(super) const STEPS: &[&str] = &[
    include_str!("schema/1.sql"),
    include_str!("schema/2.sql"),
    include_str!("schema/3.sql"),
    include_str!("schema/4.sql"),
];
/// The current format number.
pub(super) const FORMAT: i64 = STEPS.len() as i64;
/// The highest plausible format number: a file that claims a higher one is damaged.
const LAST_FORMAT: i64 = 1_000;

/// The file's name with something added: `evening.tlg-wal`.
pub(super) fn beside(path: &Path, added: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(added);
    PathBuf::from(name)
}

/// Whether a file begins as those of SQLite do.
pub(super) fn is_of_sqlite(path: &Path) -> bool {
    const BEGIN: &[u8; 16] = b"SQLite format 3\0";
    let mut begin = [0; BEGIN.len()];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin));
    read.is_ok() && begin == *BEGIN
}

/// A file that is open.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub connection: SqliteConnection,
    /// How the file is connected again.
    options: Box<SqliteConnectOptions>,
    /// The journal to which rows are appended, where the file was opened to write to it.
    journal: Option<PathBuf>,
    /// The folder of the copy that is read in place of a file that must not be touched.
    pub copy: Option<TempDir>,
}

/// A transaction, which is rolled back unless it is committed.
pub(super) struct Transaction<'a> {
    begun: sqlx::Transaction<'a, Sqlite>,
    journal: Option<&'a Path>,
    written: Vec<(u32, Row<'static>)>,
}

impl Transaction<'_> {
    /// Remembers a written row for the journal.
    pub fn has_written(&mut self, log: u32, row: &Row<'_>) {
        self.written.push((log, row.to_owned()));
    }

    /// Writes the rows to the journal, then commits. Nobody else can write in between, not even another task of this
    /// program: it does not wait for the journal, so that rows of an entry that is dropped meanwhile never come later.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        if let Some(journal) = self.journal.filter(|_| !self.written.is_empty()) {
            journal::append(journal, &self.written)?;
        }
        self.begun.commit().await
    }
}

impl Deref for Transaction<'_> {
    type Target = SqliteConnection;

    fn deref(&self) -> &SqliteConnection {
        &self.begun
    }
}

impl DerefMut for Transaction<'_> {
    fn deref_mut(&mut self) -> &mut SqliteConnection {
        &mut self.begun
    }
}

impl OpenFile {
    /// Begins a transaction, over a new connection where the one before did not end in order.
    pub async fn begin(&mut self, what_for: For) -> Result<Begun<'_>, sqlx::Error> {
        if self.connection.is_in_transaction() {
            // The answer comes after the roll-back of a dropped transaction.
            let answers = self.connection.ping().await.is_ok();
            if !answers || self.connection.is_in_transaction() {
                self.connect_again().await?;
            }
        }
        let begin = match what_for {
            For::Reading => "BEGIN",
            For::Writing => "BEGIN IMMEDIATE",
        };
        let begun = self.connection.begin_with(begin).await?;
        let journal = self.journal.as_deref();
        Ok(Begun::File(Transaction { begun, journal, written: Vec::new() }))
    }

    /// Appends to the journal whatever it lacks; from then on rows go there too.
    async fn with_journal(mut self, path: &Path) -> Result<Self, LedgerError> {
        let journal = journal::of(path);
        let failed = |error| LedgerError::of(path, error);
        self.journal = Some(journal.clone());
        let mut begun = self.begin(For::Writing).await.map_err(failed)?;
        let known = journal::read(&journal).map_err(|error| unopened(&journal, &error))?;
        // What cannot be read is reported to whoever asks for it.
        for (log, row) in journal::missing(&mut begun, &known).await.unwrap_or_default() {
            begun.has_written(log, &row);
        }
        begun.commit().await.map_err(failed)?;
        Ok(self)
    }

    /// Replaces the connection. On a full disk SQLite rolls back by itself, so that the `ROLLBACK` of the driver fails, and
    /// the driver counts the transaction as open for ever. The old connection stays until the new one is open: without any,
    /// SQLite would lay out its shared memory again, for which a full disk has no room.
    async fn connect_again(&mut self) -> Result<(), sqlx::Error> {
        let mut new = SqliteConnection::connect_with(&self.options).await?;
        write_ahead(&mut new).await?;
        let _ = std::mem::replace(&mut self.connection, new).close().await;
        Ok(())
    }

    /// Closes the file. The write-ahead log is merged into it, so that the file alone is complete, unless
    /// another program still has it open and will merge the log itself.
    pub async fn close(mut self) {
        /// The wait for current readers is limited to one second.
        const READERS: &str = "PRAGMA busy_timeout = 1000";
        // Everything was synced when it was written, so a failure here loses nothing.
        if self.copy.is_none() {
            let fold = [READERS, "PRAGMA wal_checkpoint(TRUNCATE)"];
            for sql in fold {
                let _ = sqlx::raw_sql(sql).execute(&mut self.connection).await;
            }
        }
        let _ = self.connection.close().await;
    }

    /// Closes the file without an async caller; it is closed when this returns.
    pub fn close_now(self) {
        // A thread of its own, as the one that drops a ledger may be the one that runs its tasks.
        let closing = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            if let Ok(runtime) = runtime {
                runtime.block_on(self.close());
            }
        });
        let _ = closing.join();
    }
}

/// Checks that programs that write to the file would see each other.
pub(super) fn check_storage(path: &Path) -> Result<(), LedgerError> {
    match storage_of(path)? {
        Storage::Local => Ok(()),
        storage => Err(LedgerError::Shared { path: path.to_owned(), storage }),
    }
}

fn storage_of(path: &Path) -> Result<Storage, LedgerError> {
    Storage::of(path).map_err(|error| unopened(path, &error))
}

fn unopened(path: &Path, error: &io::Error) -> LedgerError {
    LedgerError::Open { path: path.to_owned(), cause: error.to_string() }
}

/// Opens the file for that, checked and brought up to date.
pub(super) async fn open(path: &Path, access: Access) -> Result<OpenFile, LedgerError> {
    // SQLite looks for the write-ahead log beside the file itself, not beside a link to it.
    let real = storage::real(path).map_err(|error| unopened(path, &error))?;
    let path = real.as_path();
    let about = std::fs::metadata(path);
    let absent = about.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound);
    // SQLite would throw away the write-ahead log of an empty file, and everything in it.
    let is_empty = absent || about.as_ref().is_ok_and(|about| about.len() == 0);
    let holds = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|about| about.len() > 0);
    let left = [journal::of(path), beside(path, "-wal")].into_iter().find(holds);
    if let Some(left) = left.filter(|_| is_empty) {
        let (state, left) = (if absent { "missing" } else { "empty" }, left.display());
        let cause =
            format!("it is {state}, but {left} has events of it: for a new ledger take that away");
        return Err(LedgerError::Damaged { path: path.to_owned(), cause });
    }
    if absent && access != Access::Create {
        return Err(LedgerError::Absent(path.to_owned()));
    }
    let read_only = about.is_ok_and(|about| about.permissions().readonly());
    if read_only && access != Access::Read {
        return Err(LedgerError::ReadOnly(path.to_owned()));
    }
    if access != Access::Read {
        check_storage(path)?;
    } else if read_only || storage_of(path)? != Storage::Local {
        return open_copy(path).await;
    }
    match connect(path, path, access).await {
        // The folder or the medium is read-only.
        Err(LedgerError::ReadOnly(_) | LedgerError::Open { .. })
            if access == Access::Read && path.exists() =>
        {
            open_copy(path).await
        }
        Ok(open) if access != Access::Read => open.with_journal(path).await,
        done => done,
    }
}

/// Reads a file that must not be touched from a copy, with the write-ahead log beside it: SQLite could not
/// read that log without writing beside it, and without the log the newest events would be missing.
async fn open_copy(path: &Path) -> Result<OpenFile, LedgerError> {
    let failed = |error: io::Error| unopened(path, &error);
    let (file, log) = unchanging(path)?;
    let folder = tempfile::tempdir().map_err(failed)?;
    let copy = folder.path().join("copy.tlg");
    std::fs::write(&copy, file).map_err(failed)?;
    if let Some(log) = log {
        std::fs::write(beside(&copy, "-wal"), log).map_err(failed)?;
    }
    let open = connect(&copy, path, Access::Read).await?;
    Ok(OpenFile { copy: Some(folder), ..open })
}

/// The bytes of a file and of its write-ahead log, at one moment.
fn unchanging(path: &Path) -> Result<(Vec<u8>, Option<Vec<u8>>), LedgerError> {
    /// The most attempts to read the file unchanged; each write between two reads costs one.
    const LOOKS: usize = 10;
    /// The largest file that is copied into memory, in bytes.
    const MOST: u64 = 1 << 30;
    if std::fs::metadata(path).is_ok_and(|about| about.len() > MOST) {
        return Err(LedgerError::NotALedger(path.to_owned()));
    }
    let read = || -> io::Result<_> {
        let file = std::fs::read(path)?;
        match std::fs::read(beside(path, "-wal")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((file, None)),
            log => Ok((file, Some(log?))),
        }
    };
    let look = || read().map_err(|error| unopened(path, &error));
    let mut before = look()?;
    for _ in 0..LOOKS {
        let now = look()?;
        if now == before {
            return Ok(now);
        }
        before = now;
    }
    Err(LedgerError::Changing(path.to_owned()))
}

/// Opens a file; `shown` is the path for messages.
async fn connect(path: &Path, shown: &Path, access: Access) -> Result<OpenFile, LedgerError> {
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(PATIENCE);
    let first = options.clone().create_if_missing(access == Access::Create);
    let failed = |error| LedgerError::of(shown, error);
    let mut connection = SqliteConnection::connect_with(&first).await.map_err(failed)?;
    match made_ready(&mut connection, shown, access).await {
        Ok(()) => {
            Ok(OpenFile { connection, options: Box::new(options), journal: None, copy: None })
        }
        Err(error) => Err(let_go(connection, error).await),
    }
}

async fn made_ready(
    connection: &mut SqliteConnection,
    path: &Path,
    access: Access,
) -> Result<(), LedgerError> {
    let failed = |error| LedgerError::of(path, error);
    let found = format_of(connection, path).await?;
    if found == 0 && access != Access::Create {
        return Err(LedgerError::NotALedger(path.to_owned()));
    }
    write_ahead(connection).await.map_err(failed)?;
    migrate(connection, STEPS).await.map_err(failed)
}

/// Closes an unusable connection before the error is returned. A connection that is only dropped is closed
/// some time later, and would then remove the write-ahead log while a repair is using it.
async fn let_go(connection: SqliteConnection, error: LedgerError) -> LedgerError {
    let _ = connection.close().await;
    error
}

/// Lets readers go on while one writes, and syncs every write before it is acknowledged.
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

/// The format number of a file; 0 for an empty one.
pub(super) async fn format_of(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<i64, LedgerError> {
    let failed = |error| LedgerError::of(path, error);
    let one = |sql: &'static str| sqlx::query_scalar::<_, i64>(sql);
    let application =
        one("PRAGMA application_id").fetch_one(&mut *connection).await.map_err(failed)?;
    let found = one("PRAGMA user_version").fetch_one(&mut *connection).await.map_err(failed)?;
    let tables =
        one("SELECT count(*) FROM sqlite_schema").fetch_one(connection).await.map_err(failed)?;
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

    async fn begin(file: &mut SqliteConnection) -> Begun<'_> {
        let begun = file.begin().await.unwrap();
        Begun::File(Transaction { begun, journal: None, written: Vec::new() })
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
        let mut begun = begin(&mut file).await;
        insert(&mut begun, 1, &row).await.unwrap();
        assert!(insert(&mut begun, 1, &row).await.is_err(), "one event has one number");
        begun.commit().await.unwrap();
        for sql in ["UPDATE events SET author = 'x'", "DELETE FROM events"] {
            let error = sqlx::query(sql).execute(&mut file).await.unwrap_err();
            assert!(error.to_string().contains("append-only"), "{error}");
        }
    }

    /// Without this check only a power failure would show a missing sync.
    #[tokio::test]
    async fn what_is_acknowledged_has_been_synced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.tlg");
        for access in [Access::Create, Access::Write] {
            let mut file = open(&path, access).await.unwrap().connection;
            let level: i64 =
                sqlx::query_scalar("PRAGMA synchronous").fetch_one(&mut file).await.unwrap();
            assert_eq!(level, 2, "FULL, {access:?}");
        }
    }

    #[tokio::test]
    async fn a_file_that_may_not_grow_is_reported_as_full() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.tlg");
        let mut file = open(&path, Access::Create).await.unwrap().connection;
        sqlx::raw_sql("PRAGMA max_page_count = 12").execute(&mut file).await.unwrap();
        let mut last = Ok(());
        let author = "x".repeat(1000);
        for seq in 1..100 {
            let mut begun = begin(&mut file).await;
            last = insert(&mut begun, 1, &row(seq, &author)).await;
            if last.is_err() {
                break;
            }
            begun.commit().await.unwrap();
        }
        let error = LedgerError::of(&path, last.unwrap_err());
        assert!(matches!(error, LedgerError::Full { .. }), "{error}");
    }
}

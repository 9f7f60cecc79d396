//! What is left of a damaged ledger: rows of its journal, and of its file whatever SQLite still reads there. The chain of
//! hashes proves the rows, so nothing here has to be trusted.

use std::{borrow::Cow, collections::BTreeMap, fs, io, path::Path};

use futures_util::TryStreamExt as _;
use sqlx::{
    Connection as _, Row as _, SqliteConnection,
    sqlite::{SqliteConnectOptions, SqliteRow},
};

use super::{LedgerError, chain::Link, file, journal, rows::Row, store::Access};

/// The rows recovered of a log.
#[derive(Debug, Default)]
pub(super) struct Remains {
    /// The rows by their numbers, those of the file first: the ledger decides what was committed.
    pub rows: BTreeMap<u64, Vec<Row<'static>>>,
    /// The last event that was noted: its number and hash.
    pub head: Option<(u64, Vec<u8>)>,
}

impl Remains {
    fn add(&mut self, row: Row<'static>) {
        let found = self.rows.entry(row.seq).or_default();
        if !found.contains(&row) {
            found.push(row);
        }
    }

    fn add_head(&mut self, seq: u64, hash: Link) {
        if self.head.as_ref().is_none_or(|(known, _)| *known < seq) {
            self.head = Some((seq, hash.0.to_vec()));
        }
    }
}

/// The recovered rows of every log, by its number.
pub(super) type Logs = BTreeMap<u32, Remains>;

/// What is left of a ledger.
///
/// # Errors
/// Where a file cannot be read, copied or made.
pub(super) async fn salvage(path: &Path) -> Result<Logs, LedgerError> {
    let failed =
        |error: io::Error| LedgerError::Open { path: path.to_owned(), cause: error.to_string() };
    let folder = tempfile::tempdir().map_err(failed)?;
    let [copy, new] = ["copy", "new"].map(|name| folder.path().join(name));
    file::open(&new, Access::Create).await?.close().await;
    copy_with_head(path, &new, &copy).map_err(failed)?;
    let mut logs = Logs::new();
    // An error ends the reading, not the repair.
    let _ = read(&copy, &mut logs).await;
    for (log, rows) in journal::read(&journal::of(path)).map_err(failed)? {
        let remains = logs.entry(log).or_default();
        if let Some(last) = rows.values().last() {
            remains.add_head(last.seq, last.hash);
        }
        rows.into_values().for_each(|row| remains.add(row));
    }
    Ok(logs)
}

/// Copies a file and its write-ahead log, where they are there, with the first page of a new ledger: every ledger begins
/// with the same header and schema, so a damaged beginning and a cut end keep SQLite from no other page.
fn copy_with_head(path: &Path, new: &Path, copy: &Path) -> io::Result<()> {
    /// The page size of every ledger.
    const PAGE: usize = 4096;
    /// The header's number of pages; where it is 0, SQLite goes by the size of the file.
    const PAGES: std::ops::Range<usize> = 28..32;
    let there = |name: &Path| match fs::read(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        bytes => bytes,
    };
    let mut bytes = fs::read(new)?;
    bytes.truncate(PAGE);
    bytes[PAGES].fill(0);
    bytes.extend(there(path)?.iter().skip(PAGE));
    fs::write(copy, bytes)?;
    fs::write(file::beside(copy, "-wal"), there(&file::beside(path, "-wal"))?)
}

/// Adds the rows that SQLite reads in a copy of a file. Each page is given to it as the root of the events' tree, so that
/// it reads those too to which no other page leads any more.
async fn read(copy: &Path, logs: &mut Logs) -> Result<(), sqlx::Error> {
    let options = SqliteConnectOptions::new().filename(copy);
    let mut file = SqliteConnection::connect_with(&options).await?;
    let mut heads = sqlx::query("SELECT log, seq, hash FROM heads").fetch(&mut file);
    while let Ok(Some(row)) = heads.try_next().await {
        if let Some((log, seq, hash)) = head(&row) {
            logs.entry(log).or_default().add_head(seq, hash);
        }
    }
    drop(heads);
    let pages: i64 = sqlx::query_scalar("PRAGMA page_count").fetch_one(&mut file).await?;
    let alone = "PRAGMA synchronous = OFF; PRAGMA writable_schema = ON;
        DELETE FROM sqlite_schema WHERE name <> 'events'";
    sqlx::raw_sql(alone).execute(&mut file).await?;
    // The first page has the schema itself.
    for page in 2..=pages {
        let root = format!(
            "PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET rootpage = {page};
            PRAGMA writable_schema = RESET"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(root)).execute(&mut file).await?;
        let mut rows = sqlx::query("SELECT * FROM events").persistent(false).fetch(&mut file);
        while let Ok(Some(row)) = rows.try_next().await {
            if let Some((log, row)) = event(&row) {
                logs.entry(log).or_default().add(row);
            }
        }
    }
    file.close().await
}

/// A column's number, whatever its type became.
fn number<N: TryFrom<i64>>(row: &SqliteRow, column: usize) -> Option<N> {
    row.try_get_unchecked::<i64, _>(column).ok()?.try_into().ok()
}

fn hash(row: &SqliteRow, column: usize) -> Option<Link> {
    row.try_get_unchecked::<&[u8], _>(column).ok()?.try_into().ok().map(Link)
}

fn event(row: &SqliteRow) -> Option<(u32, Row<'static>)> {
    let text = |column: usize| {
        let bytes: &[u8] = row.try_get_unchecked(column).ok()?;
        // The hash of a changed text is still useful.
        Some(Cow::Owned(String::from_utf8_lossy(bytes).into_owned()))
    };
    let (at, author, id, body) = (text(2)?, text(3)?, text(4)?, text(5)?);
    let event = Row { seq: number(row, 1)?, at, author, id, body, hash: hash(row, 6)? };
    Some((number(row, 0)?, event))
}

fn head(row: &SqliteRow) -> Option<(u32, u64, Link)> {
    Some((number(row, 0)?, number(row, 1)?, hash(row, 2)?))
}

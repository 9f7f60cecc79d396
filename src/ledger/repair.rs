//! A damaged ledger made whole: of each table the longest intact beginning, in a new file. The
//! damaged one stays beside it.

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    LedgerError,
    file::{self, Access},
    verify::{LogReport, all_logs, prefix},
};

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The tournament and each table: what was kept, and why the rest was not.
    pub logs: Vec<LogReport>,
    /// Where the damaged file lies now.
    pub backup: PathBuf,
}

/// The file's name with something added: `evening.tlg-wal`.
fn beside(path: &Path, added: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(added);
    PathBuf::from(name)
}

/// A header that speaks of more bytes than this speaks nonsense.
const MOST_PADDED: u64 = 4 << 30;

/// A name for the damaged file that no file has yet.
fn backup_name(path: &Path) -> PathBuf {
    (1..)
        .map(|number| beside(path, &format!(".damaged-{number}")))
        .find(|name| !name.exists())
        .unwrap_or_else(|| beside(path, ".damaged"))
}

/// A copy that is removed again.
struct Copy(PathBuf);

impl Copy {
    fn as_path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        for part in ["", "-wal", "-shm", "-journal"] {
            // A copy that is left over does no harm.
            let _ = std::fs::remove_file(beside(&self.0, part));
        }
    }
}

/// Of a file that is shorter than its header says, a copy filled up with nothing: SQLite reads no
/// page of a file that was cut off, and the pages before the cut are whole.
fn padded(path: &Path) -> std::io::Result<Option<Copy>> {
    let mut header = [0u8; 32];
    let mut file = std::fs::File::open(path)?;
    let long = file.metadata()?.len();
    if long < 100 {
        return Ok(None);
    }
    file.read_exact(&mut header)?;
    // Page size and count stand in the header (SQLite's file format, 1.3).
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65_536,
        size => u64::from(size),
    };
    let pages = u64::from(u32::from_be_bytes([header[28], header[29], header[30], header[31]]));
    let whole = page * pages;
    if !header.starts_with(b"SQLite format 3") || whole <= long || whole > MOST_PADDED {
        return Ok(None);
    }
    let copy = Copy(beside(path, ".cut-off"));
    std::fs::copy(path, &copy.0)?;
    let wal = beside(path, "-wal");
    if wal.exists() {
        std::fs::copy(wal, beside(&copy.0, "-wal"))?;
    }
    std::fs::OpenOptions::new().write(true).open(&copy.0)?.set_len(whole)?;
    Ok(Some(copy))
}

/// Makes a damaged ledger whole.
///
/// # Errors
/// Where another program has it open, nothing at all can be read, or the new file cannot be written; the
/// damaged one is then where it was.
pub async fn repair(path: &Path) -> Result<Repair, LedgerError> {
    if !path.exists() {
        return Err(LedgerError::Absent(path.to_owned()));
    }
    let told = |error| LedgerError::sqlite(path, error);
    let io = |error: std::io::Error| LedgerError::Open {
        path: path.to_owned(),
        cause: error.to_string(),
    };
    let cut_off = padded(path).map_err(io)?;
    let source = cut_off.as_ref().map_or(path, |copy| copy.as_path());
    let options = SqliteConnectOptions::new().filename(source);
    let mut damaged = SqliteConnection::connect_with(&options).await.map_err(told)?;
    // A file of a newer format is no damaged one.
    let version: Result<i64, _> =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut damaged).await;
    let found = version.map_err(told)?;
    if found > file::FORMAT {
        return Err(LedgerError::Newer { path: path.to_owned(), found });
    }
    if found < file::FORMAT {
        // Where even that cannot be done nothing can be read either, which is said below.
        let _ = file::migrate(&mut damaged, file::STEPS).await;
    }
    // Whoever has the file open would go on writing to what is moved away. Only one that is alone
    // with a file can change its journal.
    let journal: Result<String, _> =
        sqlx::query_scalar("PRAGMA journal_mode = DELETE").fetch_one(&mut damaged).await;
    match journal.map_err(told) {
        Ok(mode) if mode == "wal" => return Err(LedgerError::Busy(path.to_owned())),
        Err(error @ LedgerError::Busy(_)) => return Err(error),
        // What cannot be done for the damage is no reason to stop.
        Ok(_) | Err(_) => {}
    }
    let mut kept = Vec::new();
    for number in all_logs(&mut damaged).await {
        kept.push(prefix(&mut damaged, number).await);
    }
    let _ = damaged.close().await;
    drop(cut_off);
    let intact: u64 = kept.iter().map(|prefix| prefix.report.intact).sum();
    if intact == 0 {
        let cause = "not one event can be read: go back to a copy".to_owned();
        return Err(LedgerError::Other { path: path.to_owned(), cause });
    }
    let new = beside(path, ".repaired");
    for name in [new.clone(), beside(&new, "-wal"), beside(&new, "-shm")] {
        match std::fs::remove_file(name) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(error)),
            _ => {}
        }
    }
    let mut whole = file::open(&new, Access::Create).await?;
    let mut transaction = whole.begin_with("BEGIN IMMEDIATE").await.map_err(told)?;
    for prefix in &kept {
        for row in &prefix.rows {
            file::insert(&mut transaction, prefix.log, row).await.map_err(told)?;
        }
    }
    transaction.commit().await.map_err(told)?;
    whole.close().await.map_err(told)?;
    let backup = backup_name(path);
    // Logs that belong to the damaged file must not be taken for the new one's.
    for part in ["-wal", "-shm", ""] {
        match std::fs::rename(beside(path, part), beside(&backup, part)) {
            Err(error) if part.is_empty() || error.kind() != std::io::ErrorKind::NotFound => {
                return Err(io(error));
            }
            _ => {}
        }
    }
    std::fs::rename(&new, path).map_err(io)?;
    let logs = kept.into_iter().map(|prefix| prefix.report).filter(|report| report.events > 0);
    Ok(Repair { logs: logs.collect(), backup })
}

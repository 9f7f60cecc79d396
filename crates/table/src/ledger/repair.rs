//! A damaged ledger made usable again: every event of each log that its file or its journal still has, in a new file; the
//! others are marked as lost. The damaged files stay beside it.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    Ledger, LedgerError, file, journal,
    proof::Hashes,
    rows,
    salvage::salvage,
    storage,
    store::{Access, For},
    verify::{LogReport, rebuild_all},
};

/// The result of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The tournament and each table: the kept and the lost events.
    pub logs: Vec<LogReport>,
    /// The new path of the damaged file; its journal is beside it.
    pub backup: PathBuf,
}

/// A name for the damaged file that no file has yet.
fn backup_name(path: &Path) -> PathBuf {
    (1..)
        .map(|number| file::beside(path, &format!(".damaged-{number}")))
        .find(|name| Ledger::is_new(name))
        .unwrap_or_else(|| file::beside(path, ".damaged"))
}

/// The longest wait for another program to close the file.
const PATIENCE: Duration = Duration::from_secs(1);

/// Files beside the ledger, such as copies of a damaged one, removed again unless they are kept.
struct Unfinished(Vec<PathBuf>);

impl Unfinished {
    fn of(path: &Path, backup: &Path) -> io::Result<Self> {
        let mut copies = Self(Vec::new());
        for part in ["", "-wal", ".journal"] {
            let (from, to) = (file::beside(path, part), file::beside(backup, part));
            copies.0.push(to.clone());
            match std::fs::copy(from, to) {
                // An old ledger has no journal, one that was closed no log, and the file itself may be what is lost.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                copied => drop(copied?),
            }
        }
        Ok(copies)
    }

    fn keep(mut self) {
        self.0.clear();
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // A leftover file does no harm.
        let _ = remove(self.0.drain(..));
    }
}

/// Removes files that may be there.
fn remove(files: impl IntoIterator<Item = PathBuf>) -> io::Result<()> {
    files.into_iter().try_for_each(|name| match std::fs::remove_file(name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    })
}

/// Makes a damaged ledger whole.
///
/// # Errors
/// Where another program has it open, not one event is left of it, or the new file cannot be written; the
/// damaged one is then where it was.
pub async fn repair(path: &Path) -> Result<Repair, LedgerError> {
    if super::database::address(path).is_some() {
        return Err(LedgerError::NotRepaired(super::store::name_of(path)));
    }
    if Ledger::is_new(path) {
        return Err(LedgerError::Absent(path.to_owned()));
    }
    let failed = |error| LedgerError::of(path, error);
    let io =
        |error: io::Error| LedgerError::Open { path: path.to_owned(), cause: error.to_string() };
    let real = storage::real(path).map_err(io)?;
    let path = real.as_path();
    file::check_storage(path)?;
    let backup = backup_name(path);
    // Before SQLite does anything to it.
    let copy = Unfinished::of(path, &backup).map_err(io)?;
    alone(path).await?;
    let logs = salvage(path).await?;
    let kept = rebuild_all(&logs, &Hashes::of(&logs));
    if kept.iter().all(|log| log.report.intact == 0) {
        return Err(LedgerError::NothingLeft(path.to_owned()));
    }
    let new = file::beside(path, ".repaired");
    let half_made = Unfinished(Ledger::files(&new).into());
    remove(half_made.0.iter().cloned()).map_err(io)?;
    let mut whole = file::open(&new, Access::Create).await?;
    let mut begun = whole.begin(For::Writing).await.map_err(failed)?;
    for log in &kept {
        for row in &log.rows {
            rows::insert(&mut begun, log.log, row).await.map_err(failed)?;
        }
    }
    begun.commit().await.map_err(failed)?;
    whole.close().await;
    copy.keep();
    // A log that belongs to the damaged file must not be taken for the new one's.
    remove([file::beside(path, "-wal"), file::beside(path, "-shm")]).map_err(io)?;
    std::fs::rename(&new, path).map_err(io)?;
    std::fs::rename(journal::of(&new), journal::of(path)).map_err(io)?;
    half_made.keep();
    Ok(Repair { logs: kept.into_iter().map(|log| log.report).collect(), backup })
}

/// Checks that no other program has the file open, as it would go on writing to the replaced file, and
/// that the format is not newer, which is not damage. SQLite errors caused by the damage do not stop
/// the repair.
async fn alone(path: &Path) -> Result<(), LedgerError> {
    // SQLite throws the write-ahead log of an empty file away.
    if std::fs::metadata(path).is_ok_and(|about| about.len() == 0) {
        return Ok(());
    }
    let options = SqliteConnectOptions::new().filename(path).busy_timeout(PATIENCE);
    let Ok(mut damaged) = SqliteConnection::connect_with(&options).await else { return Ok(()) };
    let newer = file::format_of(&mut damaged, path).await;
    let held = sqlx::raw_sql("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; ROLLBACK")
        .execute(&mut damaged)
        .await
        .map_err(|error| LedgerError::of(path, error));
    let _ = damaged.close().await;
    match (newer, held) {
        (Err(error @ LedgerError::Newer { .. }), _) => Err(error),
        (_, Err(error @ LedgerError::Busy(_))) => Err(error),
        _ => Ok(()),
    }
}

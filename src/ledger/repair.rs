//! A damaged ledger made whole: of each table the longest intact beginning, in a new file. The
//! damaged one stays beside it.

use std::path::{Path, PathBuf};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::{
    LedgerError,
    file::{self, Access},
    verify::{TableReport, all_tables, prefix},
};

/// What a repair did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// Each table: what was kept, and why the rest was not.
    pub tables: Vec<TableReport>,
    /// Where the damaged file lies now.
    pub backup: PathBuf,
}

/// The file's name with something added: `evening.tlg-wal`.
fn beside(path: &Path, added: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(added);
    PathBuf::from(name)
}

/// A name for the damaged file that no file has yet.
fn backup_name(path: &Path) -> PathBuf {
    (1..)
        .map(|number| beside(path, &format!(".damaged-{number}")))
        .find(|name| !name.exists())
        .unwrap_or_else(|| beside(path, ".damaged"))
}

/// Makes a damaged ledger whole. No other program should have it open.
///
/// # Errors
/// Where nothing at all can be read, or the new file cannot be written; the damaged one is then
/// where it was.
pub async fn repair(path: &Path) -> Result<Repair, LedgerError> {
    if !path.exists() {
        return Err(LedgerError::Absent(path.to_owned()));
    }
    let told = |error| LedgerError::sqlite(path, error);
    let io = |error: std::io::Error| LedgerError::Open {
        path: path.to_owned(),
        cause: error.to_string(),
    };
    let options = SqliteConnectOptions::new().filename(path);
    let mut damaged = SqliteConnection::connect_with(&options).await.map_err(told)?;
    // A file of a newer format is no damaged one.
    let version: Result<i64, _> =
        sqlx::query_scalar("PRAGMA user_version").fetch_one(&mut damaged).await;
    let found = version.map_err(told)?;
    if found > file::FORMAT {
        return Err(LedgerError::Newer { path: path.to_owned(), found });
    }
    let mut kept = Vec::new();
    for number in all_tables(&mut damaged).await {
        kept.push(prefix(&mut damaged, number).await);
    }
    let _ = damaged.close().await;
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
            file::insert(&mut transaction, prefix.report.table, row).await.map_err(told)?;
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
    let tables = kept.into_iter().map(|prefix| prefix.report).filter(|report| report.events > 0);
    Ok(Repair { tables: tables.collect(), backup })
}

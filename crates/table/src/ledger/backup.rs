//! A copy of a ledger that is whole, made while others write to it.

use std::{fs, io::Write as _, path::Path};

use super::{LedgerError, Verification, copy};
use crate::output;

/// Copies a ledger into a new file while other programs may write to it: the copy holds the ledger of
/// one moment, in one file. The copy is verified before it gets its name.
///
/// # Errors
/// Where there is something of that name already, the ledger is damaged, or one of the files cannot be read or written.
pub async fn backup(path: &Path, to: &Path) -> Result<Verification, LedgerError> {
    let failed =
        |error: std::io::Error| LedgerError::Open { path: to.to_owned(), cause: error.to_string() };
    let exists = || LedgerError::Exists(to.to_owned());
    if to.symlink_metadata().is_ok() {
        return Err(exists());
    }
    // Made on a local disk, as SQLite writes safely to no other: only the finished bytes go to the destination.
    let folder = tempfile::tempdir().map_err(failed)?;
    let made = folder.path().join("backup.tlg");
    let found = copy(path, &made).await?;
    if !found.is_intact() {
        return Err(LedgerError::NotIntact(path.to_owned()));
    }
    let bytes = fs::read(&made).map_err(failed)?;
    let mut part = output::part_of(to).map_err(failed)?;
    part.write_all(&bytes).and_then(|()| part.as_file().sync_all()).map_err(failed)?;
    if fs::read(part.path()).map_err(failed)? != bytes {
        return Err(failed(std::io::Error::other("what was written cannot be read back")));
    }
    match part.persist_noclobber(to) {
        Ok(_) => Ok(found),
        Err(error) if error.error.kind() == std::io::ErrorKind::AlreadyExists => Err(exists()),
        Err(error) => Err(failed(error.error)),
    }
}

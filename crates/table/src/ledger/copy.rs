//! A ledger copied: from a file to a database, and back. Every event and hash stays the same.

use std::path::Path;

use super::{Ledger, LedgerError, Verification, chain::Link, rows, store::For};

/// Copies a ledger, a file or a database, into an empty one, and returns the verification of the copy.
///
/// # Errors
/// Where one of the two cannot be opened, the other holds something already, or the ledger is damaged; nothing is
/// copied then.
pub async fn copy(from: &Path, to: &Path) -> Result<Verification, LedgerError> {
    let from = Ledger::read(from).await?;
    let to = Ledger::create(to).await?;
    let copied = from.copy_into(&to).await;
    from.close().await;
    let found = match copied {
        Ok(()) => to.verify().await,
        Err(error) => Err(error),
    };
    to.close().await;
    found
}

impl Ledger {
    /// Copies the current contents into an empty ledger.
    pub(super) async fn copy_into(&self, to: &Ledger) -> Result<(), LedgerError> {
        let (mut inner, mut other) = (self.inner().await?, to.inner().await?);
        let mut reading = inner.store.begin(For::Reading).await.map_err(|e| self.error_of(e))?;
        let mut writing = other.store.begin(For::Writing).await.map_err(|e| to.error_of(e))?;
        if !rows::logs(&mut writing).await.map_err(|error| to.error_of(error))?.is_empty() {
            return Err(LedgerError::Exists(to.path.clone()));
        }
        let logs = rows::logs(&mut reading).await.map_err(|error| self.error_of(error))?;
        let noted = rows::heads(&mut reading).await.map_err(|error| self.error_of(error))?;
        if noted.iter().any(|(log, _)| !logs.contains(log)) {
            return Err(LedgerError::NotIntact(self.path.clone()));
        }
        for log in logs {
            let copied =
                rows::all_after(&mut reading, log, 0).await.map_err(|e| self.error_of(e))?;
            let head = rows::head(&mut reading, log).await.map_err(|error| self.error_of(error))?;
            let last = copied.last().map_or(Link::START, |row| row.hash);
            if head.is_some_and(|(seq, hash)| seq != copied.len() as u64 || hash != last.0) {
                return Err(LedgerError::NotIntact(self.path.clone()));
            }
            for row in &copied {
                rows::insert(&mut writing, log, row).await.map_err(|error| to.error_of(error))?;
            }
        }
        for (name, text) in rows::notes(&mut reading, "").await.map_err(|e| self.error_of(e))? {
            rows::note(&mut writing, &name, Some(&text)).await.map_err(|e| to.error_of(e))?;
        }
        writing.commit().await.map_err(|error| to.error_of(error))
    }
}

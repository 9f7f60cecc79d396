//! The table's ledger behind the control page: entries are written, and taken back by other events.

use std::sync::Arc;

use jiff::Timestamp;

use super::EntryTarget;
use crate::{
    ledger::{Ledger, LedgerError},
    page::{ContextError, wording},
    rules::RuleSet,
    table::{ConfirmationRequest, Event, Proposal, TableError, TableState},
};

/// The author of entries from the control page.
pub(super) const AUTHOR: &str = "control page";

/// One table of a ledger.
#[derive(Clone)]
pub struct LedgerHandle {
    ledger: Arc<Ledger>,
    table: u32,
}

/// Why an entry was not written.
#[derive(Debug, thiserror::Error)]
pub enum EntryError {
    /// The table rejects it or asks about it first, or the ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The page has to give more, or something else.
    #[error(transparent)]
    Said(#[from] ContextError),
}

impl From<TableError> for EntryError {
    fn from(error: TableError) -> Self {
        Self::Ledger(error.into())
    }
}

impl EntryError {
    /// The text that a page shows.
    pub fn for_page(&self) -> String {
        match self {
            Self::Ledger(error) => wording::refusal(error, error.cure().as_ref()),
            Self::Said(error) => error.to_string(),
        }
    }

    /// What has to be confirmed, if that is the only reason.
    pub fn asked(&self) -> Option<&ConfirmationRequest> {
        match self {
            Self::Ledger(LedgerError::Table(TableError::Unconfirmed(asked))) => Some(asked),
            _ => None,
        }
    }
}

impl LedgerHandle {
    /// A table of an open ledger.
    pub fn new(ledger: Arc<Ledger>, table: u32) -> Self {
        Self { ledger, table }
    }

    /// The current state of the table.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub async fn state(&self) -> Result<TableState, LedgerError> {
        self.ledger.state(self.table).await
    }

    /// The rules that are played.
    ///
    /// # Errors
    /// Where the file cannot be read, or the table was never opened.
    pub async fn rules(&self) -> Result<Arc<RuleSet>, LedgerError> {
        Ok(Arc::clone(self.ledger.table(self.table).await?.rules()?))
    }

    /// Writes an entry: all its events or none.
    ///
    /// # Errors
    /// Where the table rejects it, a confirmation is missing, or the table has changed meanwhile.
    pub async fn enter(&self, proposal: Proposal) -> Result<TableState, EntryError> {
        Ok(self.ledger.enter(self.table, proposal).await?)
    }

    /// The table as it would be after an entry, all that it asks about confirmed. Nothing is written.
    ///
    /// # Errors
    /// Where the table rejects the entry, or the file cannot be read.
    pub async fn after(&self, proposal: Proposal) -> Result<TableState, EntryError> {
        let table = self.ledger.table(self.table).await?;
        let meant = Proposal { meant: true, ..proposal };
        Ok(table.proposed(&meant, Timestamp::now())?.state()?.clone())
    }

    /// Takes an event back, and the discards that were written with a deal. Where a deal depends on it, this has to be
    /// meant; `None` where somebody else has taken it back already. `shown` is the table as the page shows it.
    ///
    /// # Errors
    /// Where a confirmation is missing, the table has changed meanwhile, or the file cannot be written.
    pub async fn take_back(
        &self,
        shown: TableState,
        event: u64,
        meant: bool,
    ) -> Result<Option<TableState>, EntryError> {
        let table = self.ledger.table(self.table).await?;
        if !table.stands(event) {
            return Ok(None);
        }
        let written = |seq: u64| table.events().iter().find(|written| written.seq == seq);
        let is_deal = written(event).is_some_and(|written| {
            let changes = matches!(written.event, Event::Corrected { .. } | Event::Undone { .. });
            written.event.is_deal() || changes
        });
        let rows = event.saturating_sub(1);
        let has_rows = table.stands(rows)
            && written(rows).is_some_and(|written| {
                written.author == AUTHOR && matches!(written.event, Event::DiscardRows { .. })
            });
        let events = [event].into_iter().chain(has_rows.then_some(rows)).collect();
        let taken_back = EntryTarget::now(shown, AUTHOR).taken_back(events, is_deal);
        self.enter(Proposal { meant, ..taken_back }).await.map(Some)
    }
}

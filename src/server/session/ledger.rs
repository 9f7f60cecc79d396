//! Opens the ledger of a session and shows its table and its tournament.

use std::{path::PathBuf, sync::Arc};

use sha2::{Digest as _, Sha256};

use super::{Report, SessionError};
use crate::{
    ledger::{Ledger, LedgerError},
    server::{Hub, ServedLedger, TournamentShown},
};

/// The ledger of a session.
pub struct LedgerOptions {
    /// A file, or the address of a database.
    pub place: PathBuf,
    /// The table's number; not needed where the ledger has one.
    pub table: Option<u32>,
    /// Whether another player confirms a player's entry.
    pub four_eyes: bool,
    /// The folder for what cannot be sent to a database.
    pub unsent: PathBuf,
}

impl LedgerOptions {
    /// The ledger that is served, whose table and tournament the pages show from the beginning.
    pub(super) async fn served(
        self,
        hub: &Hub,
        port: u16,
        report: &Report,
    ) -> Result<ServedLedger, SessionError> {
        let ledger = self.open(port, report).await?;
        let tournament = TournamentShown::of(&ledger.tournament_ledger().await?);
        let tables = ledger.tables().await?;
        let table = match (self.table, tables.as_slice()) {
            (Some(table), _) => Some(table),
            (None, [only]) => Some(*only),
            // A screen in the hall shows the tournament alone.
            (None, _) if tournament.is_some() => None,
            (None, []) => return Err(SessionError::Empty(self.place)),
            (None, several) => {
                let numbers: Vec<String> = several.iter().map(u32::to_string).collect();
                return Err(SessionError::SeveralTables(numbers.join(", ")));
            }
        };
        hub.set_tournament(tournament);
        if let Some(table) = table {
            if !ledger.is_writable() {
                // The control page enters the table's deals.
                Ledger::open(&self.place).await?.close().await;
            }
            // Its state refuses a table that was never opened.
            ledger.state(table).await?;
            hub.open_table(&ledger.table(table).await?)
                .map_err(|error| SessionError::RulesOfTable(self.place, error))?;
        }
        Ok(ServedLedger { ledger, table, four_eyes: self.four_eyes })
    }

    /// The ledger, to be read alone where it may not be written.
    async fn open(&self, port: u16, report: &Report) -> Result<Arc<Ledger>, LedgerError> {
        let opened = if Ledger::is_database(&self.place) {
            self.database(port, report).await
        } else {
            Ledger::open(&self.place).await
        };
        match opened {
            Err(
                error @ (LedgerError::ReadOnly(_)
                | LedgerError::Shared { .. }
                | LedgerError::NotAllowed { .. }),
            ) => {
                report(&format!("No pages for tables and the desk: {error}"));
                Ok(Arc::new(Ledger::read(&self.place).await?))
            }
            opened => Ok(Arc::new(opened?)),
        }
    }

    /// Opens a database with a local file, in which tables go on while the database cannot be reached. The file is
    /// named after the database and the port, since programs that run at the same time need one each.
    async fn database(&self, port: u16, report: &Report) -> Result<Ledger, LedgerError> {
        let name = Ledger::name(&self.place);
        let hash = format!("{:x}", Sha256::digest(name.as_os_str().as_encoded_bytes()));
        let beside = self.unsent.join(format!("{}-{port}", &hash[..16]));
        let ledger = match Ledger::open_beside(&self.place, &beside).await {
            Ok(ledger) => ledger,
            Err(error) => {
                // If only the file fails, the database is used without it.
                let Ok(plain) = Ledger::open(&self.place).await else { return Err(error) };
                report(&format!(
                    "While the database cannot be reached, nothing can be entered on this machine: {error}"
                ));
                return Ok(plain);
            }
        };
        if ledger.unsent().await.is_ok_and(|unsent| unsent.cut.is_some()) {
            report(&format!(
                "{} cannot be reached: what is entered at tables is kept in {} and sent later.",
                name.display(),
                beside.display()
            ));
        }
        Ok(ledger)
    }
}

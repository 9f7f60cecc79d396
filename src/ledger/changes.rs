//! When to look again: somebody may have written, here or on another machine.

use std::time::Duration;

use sqlx::postgres::PgListener;

use super::database;

/// How often a file is looked at.
const BEAT: Duration = Duration::from_millis(500);
/// How often a database is asked where it says nothing, and how soon it is tried again.
const QUIET: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_secs(1);

/// Tells when a ledger has to be read again. A database says so itself; a file is looked at twice a second.
pub struct Changes {
    database: Option<database::Address>,
    listener: Option<PgListener>,
}

impl Changes {
    /// Of a database; `None`: of a file.
    pub(super) const fn of(database: Option<database::Address>) -> Self {
        Self { database, listener: None }
    }

    /// Returns when something may have been written since this was called last, and now and then without that. After
    /// a connection was lost it returns as soon as there is one, so that nothing is missed.
    pub async fn next(&mut self) {
        let Some(address) = &self.database else { return tokio::time::sleep(BEAT).await };
        let Some(listener) = &mut self.listener else {
            match database::listener(address).await {
                Ok(listener) => self.listener = Some(listener),
                Err(_) => tokio::time::sleep(AGAIN).await,
            }
            return;
        };
        match tokio::time::timeout(QUIET, listener.try_recv()).await {
            // Of several at once one is enough.
            Ok(Ok(_)) => while listener.next_buffered().is_some() {},
            Ok(Err(_)) => self.listener = None,
            // A network that was cut says nothing either.
            Err(_) => {
                let asked = sqlx::query("SELECT 1").execute(listener);
                if database::in_time(asked).await.is_err() {
                    self.listener = None;
                }
            }
        }
    }
}

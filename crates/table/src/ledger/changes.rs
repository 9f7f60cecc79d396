//! Waits until a ledger may have changed, here or on another machine.

use std::time::Duration;

use sqlx::postgres::PgListener;

use super::database;

/// The interval between two checks of a file.
const BEAT: Duration = Duration::from_millis(500);
/// The longest wait for a database's notice, and the wait before it is connected again.
const QUIET: Duration = Duration::from_secs(5);
const AGAIN: Duration = Duration::from_secs(1);

/// Waits until a ledger has to be read again. A database announces changes; a file is checked twice a second.
pub struct Changes {
    database: Option<database::DatabaseAddress>,
    listener: Option<PgListener>,
}

impl Changes {
    /// The changes of a database; `None`: of a file.
    pub(super) const fn of(database: Option<database::DatabaseAddress>) -> Self {
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
            // One notice is enough for several changes at once.
            Ok(Ok(_)) => while listener.next_buffered().is_some() {},
            Ok(Err(_)) => self.listener = None,
            // A cut network sends no notice either.
            Err(_) => {
                let asked = sqlx::query("SELECT 1").execute(listener);
                if database::in_time(asked).await.is_err() {
                    self.listener = None;
                }
            }
        }
    }
}

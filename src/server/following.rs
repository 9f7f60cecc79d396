//! The one ledger of a server, and the task that shows on its pages what this or another program writes.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use tokio::sync::Notify;

use super::{Hub, TournamentShown, routes::Deciding, venue::Venue};
use crate::ledger::{Changes, Ledger, Unsent};

/// The interval between copies of a ledger that is read from a copy.
const COPY: Duration = Duration::from_secs(5);

/// The ledger that is served.
pub struct ServedLedger {
    /// The ledger; its tables and the desk have pages if it can be written.
    pub ledger: Arc<Ledger>,
    /// The table whose deals the control page enters.
    pub table: Option<u32>,
    /// Whether another player confirms a player's entry.
    pub four_eyes: bool,
}

/// The pages that follow a ledger.
pub(super) struct Follower {
    pub hub: Arc<Hub>,
    pub table: Option<u32>,
    pub venue: Option<Arc<Venue>>,
    pub deciding: Deciding,
    /// Rung after an entry of this program.
    pub entered: Arc<Notify>,
}

impl Follower {
    /// Shows each change until the ledger is gone. While it cannot be read, as during a repair, the last reading stays
    /// on show, and a failed reading is repeated at the next change.
    pub async fn follow(self, ledger: Weak<Ledger>) {
        let Some(changes) = ledger.upgrade().map(|ledger| ledger.changes()) else { return };
        let mut next = Box::pin(after_next(changes));
        let mut known = Known::default();
        let mut is_changed = true;
        loop {
            let Some(open) = ledger.upgrade() else { return };
            if is_changed && self.venue.is_some() {
                // Entries that cannot be sent yet are sent later; the pages say so.
                let _ = open.send_unsent().await;
            }
            self.show(&open, &mut known).await;
            if open.is_copy() {
                tokio::time::sleep(COPY).await;
                let _ = open.read_again().await;
            }
            drop(open);
            tokio::select! {
                changes = &mut next => {
                    next.set(after_next(changes));
                    is_changed = true;
                }
                () = self.entered.notified() => is_changed = false,
            }
        }
    }

    async fn show(&self, ledger: &Ledger, known: &mut Known) {
        if let Some(table) = self.table {
            let _none_in_between = self.deciding.lock().await;
            if let Ok(table) = ledger.state(table).await {
                self.hub.set_table(table);
            }
        }
        let Ok(written) = ledger.written().await else { return };
        if known.written != Some(written)
            && let Ok(hall) = ledger.tournament_ledger().await
        {
            self.hub.set_tournament(TournamentShown::of(&hall));
            known.written = Some(written);
        }
        let Some(venue) = &self.venue else { return };
        let beside = ledger.notes("").await.ok().zip(ledger.unsent().await.ok());
        let now = beside.map(|(notes, unsent)| VenueShown { written, notes, unsent });
        if now.is_some() && now != known.of_venue {
            venue.refresh().await;
            known.of_venue = now;
        }
    }
}

/// What was shown last.
#[derive(Default)]
struct Known {
    written: Option<u64>,
    of_venue: Option<VenueShown>,
}

/// What the venue's pages showed.
#[derive(PartialEq)]
struct VenueShown {
    /// The number of events.
    written: u64,
    notes: Vec<(String, String)>,
    unsent: Unsent,
}

/// Waits for the next change; what waits for it is not started again by an entry in between.
async fn after_next(mut changes: Changes) -> Changes {
    changes.next().await;
    changes
}

//! What is kept, whatever happens to the file, the disk and the network.

#[path = "../support/mod.rs"]
mod support;

#[cfg(all(feature = "ledger", unix))]
mod crash;
#[cfg(feature = "ledger")]
mod damage;
#[cfg(feature = "ledger")]
mod format;
#[cfg(all(feature = "ledger", unix))]
mod journal;
#[cfg(feature = "ledger")]
mod offline;
#[cfg(feature = "ledger")]
mod stores;

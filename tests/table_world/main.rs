//! Tables and tournaments under riichi and the Mahjong Competition Rules: what lies on the table between
//! the hands, what is paid without a hand, how a session ends and what its places are worth.

#[path = "../support/random.rs"]
mod random;
#[path = "../support/session.rs"]
mod session;

#[cfg(feature = "ledger")]
mod commands;
mod mcr;
mod riichi;
mod rulings;
mod sessions;
mod tournaments;

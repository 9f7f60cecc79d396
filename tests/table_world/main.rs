//! Tables and tournaments under riichi and the Mahjong Competition Rules: stakes on the table between
//! the hands, payments without a hand, the end of a session and the values of its places.

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

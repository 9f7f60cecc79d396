//! Tables and tournaments under riichi and the Mahjong Competition Rules: stakes on the table between
//! the hands, payments without a hand, the end of a session and the values of its places.

#[cfg(feature = "ledger")]
mod commands;
mod mcr;
mod riichi;
mod rulings;
mod sessions;
mod tournaments;

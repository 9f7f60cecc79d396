//! Tables and tournaments of mahjong, as lists of events, and the ledger that keeps them.
//!
//! [`table`] is a session of one table, [`tournament`] a tournament with its draw, rounds and standings: both pure, every state
//! computed from events. With the feature `ledger`, `ledger` keeps the events of many tables in a SQLite file or a PostgreSQL
//! database, chained so that a change is noticed.

#![warn(clippy::unwrap_used)]

pub mod clock;
pub mod cure;
pub mod journal;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod name;
pub mod output;
pub mod table;
pub mod tournament;

use tilelens_scoring::{hand, points, rules, tile, words};

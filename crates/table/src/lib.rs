#![doc = include_str!("../README.md")]
#![warn(clippy::too_many_lines, clippy::unwrap_used)]

pub mod clock;
pub mod cure;
pub mod game_log;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod name;
pub mod recorded;
pub mod table;
pub mod tournament;

#[cfg(feature = "ledger")]
use tilelens_files::output;
#[cfg(feature = "ledger")]
use tilelens_scoring::{convert, record};
use tilelens_scoring::{hand, points, rules, tile, words};

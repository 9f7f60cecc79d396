#![doc = include_str!("../README.md")]
#![warn(clippy::unwrap_used)]

pub mod clock;
pub mod cure;
pub mod journal;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod name;
pub mod table;
pub mod tournament;

use tilelens_output as output;
use tilelens_scoring::{hand, points, rules, tile, words};

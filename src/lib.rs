//! Tilelens: point a camera at a mahjong hand, see what it is worth and who pays whom.
//!
//! Stages in one direction, each handing one type on: `vision` finds and names the tiles of a
//! picture, `layout` makes a hand of them, `hand` and `rules` price it. `tile`, `hand`, `rules`
//! and `layout` are pure and need no native library.

#![warn(clippy::unwrap_used)]

pub mod appraisal;
pub mod cli;
#[cfg(feature = "vision")]
pub mod draw;
pub mod evaluation;
pub mod hand;
pub mod layout;
#[cfg(feature = "ledger")]
pub mod ledger;
pub mod rules;
pub mod table;
pub mod tile;
pub mod vision;

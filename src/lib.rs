//! Tilelens: point a camera at a mahjong hand, see what it is worth and who pays whom.
//!
//! Stages in one direction, each handing one type on: `capture` gives frames (`picture` decodes them), `vision` finds and
//! classifies the tiles of one as `sight` describes them, `live` follows them over time, `calibration` says whose they are,
//! `layout` makes a hand of them, `hand` and `rules` price it. `tile`, `sight`, `hand`, `rules` and `layout` are pure and need no
//! native library.

#![warn(clippy::unwrap_used)]

pub mod advice;
pub mod appraisal;
pub mod calibration;
#[cfg(all(feature = "vision", not(target_family = "wasm")))]
pub mod capture;
#[cfg(not(target_family = "wasm"))]
pub mod cli;
pub mod clock;
pub mod convert;
#[cfg(all(feature = "vision", not(target_family = "wasm")))]
pub mod draw;
pub mod evaluation;
pub mod hand;
pub mod journal;
pub mod layout;
#[cfg(feature = "ledger")]
pub mod ledger;
#[cfg(feature = "vision")]
pub mod lesson;
pub mod live;
pub mod name;
pub mod output;
pub mod page;
#[cfg(feature = "vision")]
pub mod picture;
pub mod picture_name;
pub mod points;
pub mod rules;
#[cfg(feature = "server")]
pub mod server;
pub mod sight;
pub mod table;
pub mod tile;
pub mod tileset;
pub mod tournament;
#[cfg(feature = "vision")]
pub mod vision;
pub mod words;

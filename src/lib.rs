//! Tilelens: point a camera at a mahjong hand, see what it is worth and who pays whom.
//!
//! The crate's root has what most programs need: a [`Picture`], the [`Reader`] that sees its tiles, [`appraise`] for the hand that
//! they make and its worth, a [`RuleSet`] for a [`Hand`] in text. `examples/` shows each.
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
pub mod cure;
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

pub use appraisal::{Appraisal, Input, appraise};
pub use hand::{Hand, Reading};
#[cfg(feature = "vision")]
pub use picture::Picture;
pub use rules::{Circumstances, Library, RuleSet, Score, Win};
pub use sight::SeenTile;
pub use tile::{Face, Seat, Tile};
#[cfg(feature = "vision")]
pub use vision::Reader;

/// What README shows in Rust is run as a test.
#[cfg(all(doctest, feature = "vision"))]
#[doc = include_str!("../README.md")]
struct Readme;

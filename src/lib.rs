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

pub mod appraisal;
#[cfg(all(feature = "vision", not(target_family = "wasm")))]
pub mod capture;
pub mod hand;
pub mod layout;
pub mod live;
#[cfg(feature = "vision")]
pub mod picture;
pub mod points;
pub mod rules;
pub mod sight;
pub mod tile;
#[cfg(feature = "vision")]
pub mod vision;

// Parts of the program: public for its tests, benchmarks and the page in WebAssembly, and changed without notice.
#[doc(hidden)]
pub mod advice;
#[doc(hidden)]
pub mod calibration;
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod convert;
#[doc(hidden)]
pub mod cure;
#[cfg(all(feature = "vision", not(target_family = "wasm")))]
#[doc(hidden)]
pub mod draw;
#[doc(hidden)]
pub mod evaluation;
#[doc(hidden)]
pub mod journal;
#[cfg(feature = "ledger")]
#[doc(hidden)]
pub mod ledger;
#[cfg(feature = "vision")]
#[doc(hidden)]
pub mod lesson;
#[doc(hidden)]
pub mod name;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod page;
#[doc(hidden)]
pub mod picture_name;
#[cfg(feature = "server")]
#[doc(hidden)]
pub mod server;
#[doc(hidden)]
pub mod table;
#[doc(hidden)]
pub mod tileset;
#[doc(hidden)]
pub mod tournament;
#[doc(hidden)]
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

/// The Rust code of README is run as a test.
#[cfg(all(doctest, feature = "vision"))]
#[doc = include_str!("../README.md")]
struct Readme;

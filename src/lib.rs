//! Tilelens: point a camera at a mahjong hand, see what it is worth and who pays whom.
//!
//! The crate's root has what most programs need: a [`Picture`], the [`Reader`] that sees its tiles, [`appraise`] for the hand that
//! they make and its worth, a [`RuleSet`] for a [`Hand`] in text. `examples/` shows each.
//!
//! Stages in one direction, each handing one type on: `capture` gives frames (`picture` decodes them), `vision` finds and
//! classifies the tiles of one as `sight` describes them, `live` follows them over time, `calibration` says whose they are,
//! `layout` makes a hand of them, `hand` and `rules` price it. `tile`, `sight`, `hand`, `rules` and `layout` are pure and need no
//! native library.

#![warn(clippy::too_many_lines, clippy::unwrap_used)]

// Parts of the program: public for its tests, benchmarks and the page in WebAssembly, and changed without notice.
#[cfg(not(target_family = "wasm"))]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod page;
#[cfg(feature = "server")]
#[doc(hidden)]
pub mod server;

#[cfg(all(feature = "vision", not(target_family = "wasm")))]
pub use tilelens_eye::{capture, draw};
#[cfg(feature = "vision")]
pub use tilelens_eye::{
    evaluation, lesson, live,
    picture::{self, Picture},
    tileset,
    vision::{self, Reader},
};
pub use tilelens_files::{output, picture_name};
pub use tilelens_scoring::{
    Appraisal, Circumstances, Face, Hand, Input, Library, Reading, RuleSet, Score, Seat, SeenTile,
    Tile, Win, advice, appraisal, appraise, calibration, calls, convert, hand, layout, points,
    record, recorder, rules, schema, sight, tile, words,
};
#[cfg(feature = "ledger")]
pub use tilelens_table::ledger;
pub use tilelens_table::{clock, cure, game_log, name, recorded, table, tournament};

/// The Rust code of README is run as a test.
#[cfg(all(doctest, feature = "vision"))]
#[doc = include_str!("../README.md")]
struct Readme;

#![doc = include_str!("../README.md")]
#![warn(clippy::too_many_lines, clippy::unwrap_used)]

pub mod advice;
pub mod appraisal;
pub mod calibration;
pub mod calls;
pub mod convert;
pub mod hand;
pub mod layout;
pub mod points;
pub mod record;
pub mod recorder;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
pub mod sight;
pub mod tile;
pub mod words;

pub use appraisal::{Appraisal, Input, appraise};
pub use hand::{Hand, Reading};
pub use rules::{Circumstances, Library, RuleSet, Score, Win};
pub use sight::SeenTile;
pub use tile::{Face, Seat, Tile};

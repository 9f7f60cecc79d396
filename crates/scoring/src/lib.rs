//! Mahjong hands priced under the rule sets that people play: tiles, hands, layouts, worth, payments, waits and advice.
//!
//! Pure: no files, no clock, no native library. Modules from the bottom up: [`tile`], [`points`] and [`words`]; [`hand`] is what
//! a player holds, [`convert`] its notation elsewhere; [`rules`] prices it; [`advice`] says what a discard leaves. [`sight`]
//! describes tiles that were seen in a picture, [`calibration`] whose they are, [`layout`] makes a hand of them, and
//! [`appraisal`] goes the whole way from seen tiles to a score.
//!
//! ```
//! use tilelens_scoring::{Circumstances, Hand, RuleSet, Win};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let rules = RuleSet::named("hk").ok_or("no such rule set")?;
//! # let _ = (rules, Circumstances::default()); Ok(()) }
//! ```

#![warn(clippy::unwrap_used)]

pub mod advice;
pub mod appraisal;
pub mod calibration;
pub mod convert;
pub mod hand;
pub mod layout;
pub mod points;
pub mod rules;
pub mod sight;
pub mod tile;
pub mod words;

pub use appraisal::{Appraisal, Input, appraise};
pub use hand::{Hand, Reading};
pub use rules::{Circumstances, Library, RuleSet, Score, Win};
pub use sight::SeenTile;
pub use tile::{Face, Seat, Tile};

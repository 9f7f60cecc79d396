//! Hands: what was seen ([`Reading`]), what is legal, and how it divides into sets.

mod notation;
mod reading;

pub use notation::NotationError;
pub use reading::{Reading, SeenSet, SetForm, SetTile};

//! Hands: what was seen ([`Reading`]), what is legal, and how it divides into sets.

mod reading;

pub use reading::{Reading, SeenSet, SetForm, SetTile};

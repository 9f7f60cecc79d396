//! Hands: what was seen ([`Reading`]), what is legal, and how it divides into sets.

mod legal;
mod meld;
mod notation;
mod reading;

pub use legal::{Hand, HandError, TextError};
pub use meld::{Meld, MeldError, MeldKind};
pub use notation::NotationError;
pub use reading::{Reading, SeenSet, SetForm, SetTile};

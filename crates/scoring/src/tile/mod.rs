//! The pieces: faces, tiles, seats. Small `Copy` types with a text form each; no hands, no rules.

mod face;
mod glyph;
mod seat;
mod seen;

pub use face::{Face, FaceError, Suit};
pub use seat::{Seat, Seats, Side};
pub use seen::{SeenFace, Tile};

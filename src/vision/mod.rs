//! From a picture to the tiles in it. What needs no native library is always there: the
//! [`SeenTile`] that this stage hands on, and its geometry.

mod seen;

pub use seen::{Corners, SeenTile};

//! What the eye hands on, and its geometry: pure, without a native library, so that `layout`, `live`, `calibration` and tile sets
//! need nothing of `vision`.

pub(crate) mod frame;
#[cfg(test)]
pub(crate) mod laid;
pub mod quad;
pub mod rank;
mod seen;

pub use seen::{Corners, SeenTile};

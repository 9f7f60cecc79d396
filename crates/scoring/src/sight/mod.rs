//! The tiles seen in a picture, and their geometry: pure, without a native library, so that `layout`, `live`,
//! `calibration` and tile sets do not depend on `vision`.

#[doc(hidden)]
pub mod frame;
pub mod laid;
#[doc(hidden)]
pub mod quad;
#[doc(hidden)]
pub mod rank;
mod seen;

pub use seen::{Corners, SeenTile};

//! Tiles over time: always the newest frame, each tile followed from frame to frame.
//!
//! [`Tracker`] is the memory: it takes what each frame shows and gives the tiles that lie there,
//! their probabilities accumulated. It is pure; time is handed in. [`Live`] runs a reader over a
//! capture on a thread of its own; [`FrameReader`] is what it does with each frame.

#[cfg(feature = "vision")]
mod change;
mod evidence;
#[cfg(feature = "vision")]
mod frames;
mod motion;
#[cfg(feature = "vision")]
mod places;
#[cfg(all(feature = "vision", not(target_family = "wasm")))]
mod run;
mod tracker;

#[cfg(feature = "vision")]
pub use frames::FrameReader;
#[cfg(all(feature = "vision", not(target_family = "wasm")))]
pub use run::{Live, Snapshot, Timing};
pub use tracker::{Place, Tracker};

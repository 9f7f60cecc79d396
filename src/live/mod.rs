//! Tiles over time: always the newest frame, each tile followed from frame to frame.
//!
//! [`Tracker`] is the memory: it takes in the tiles of each frame and gives the tiles on the table, their
//! probabilities accumulated. It is pure; the caller gives the time. [`Live`] runs a reader over a capture on a
//! thread of its own; [`FrameReader`] reads each frame.

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
pub use tracker::{TrackedSlot, Tracker};

//! Tiles over time: always the newest frame, each tile followed from frame to frame.
//!
//! [`Tracker`] is the memory: it takes in the tiles of each frame and gives the tiles on the table, their
//! probabilities accumulated. It is pure; the caller gives the time. [`Live`] runs a reader over a capture on a
//! thread of its own; [`FrameReader`] reads each frame.

mod change;
mod evidence;
mod frames;
mod motion;
mod places;
#[cfg(not(target_family = "wasm"))]
mod run;
mod steady;
mod tracker;

pub use frames::FrameReader;
#[cfg(not(target_family = "wasm"))]
pub use run::{Live, Snapshot, Timing};
pub use tracker::{TrackedSlot, Tracker};

//! Frames from cameras, video files, network streams, the screen, and folders of pictures.
//!
//! A [`SourceSpec`] names a source; [`Capture`] reads it on threads of its own and keeps only the newest
//! [`Frame`]: a slow reader misses frames and never gets old ones. A lost source is retried, at growing
//! intervals, while the capture lives. It knows nothing of tiles.

mod address;
#[cfg(feature = "camera")]
#[doc(hidden)]
pub mod camera;
#[cfg(all(feature = "camera", any(test, windows)))]
mod dshow;
mod ffmpeg;
mod folder;
mod framed;
#[cfg(feature = "camera")]
mod grab;
mod newest;
#[cfg(all(feature = "camera", target_os = "macos"))]
mod nokhwa;
mod spec;
mod supervise;
#[cfg(all(feature = "camera", target_os = "linux"))]
mod v4l2;
#[cfg(feature = "camera")]
mod yuyv;

#[cfg(all(feature = "camera", windows))]
use dshow as device;
#[cfg(all(feature = "camera", target_os = "macos"))]
use nokhwa as device;
#[cfg(all(feature = "camera", target_os = "linux"))]
use v4l2 as device;

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

pub use address::{Address, mask_addresses};
pub use spec::{CameraWish, ScreenWish, SourceSpec, SpecError, Wishes, parse_rate, parse_size};
pub use supervise::{Capture, Settings};

use crate::picture::Picture;

/// One picture of a source.
#[derive(Debug)]
pub struct Frame {
    /// The pixels, upright.
    pub picture: Arc<Picture>,
    /// The time at which it came.
    pub at: Instant,
    /// Number of the frame in the source, from 1, unread ones included.
    pub number: u64,
}

/// The state of a source.
#[derive(Clone, Debug, PartialEq)]
pub enum SourceState {
    /// Being opened; no frame has come yet.
    Starting,
    /// Frames are coming.
    Running {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Frames a second over about the last second; 0 before the second frame.
        fps: f32,
    },
    /// Missing or lost; it is retried.
    Lost {
        /// The fault and its cure, for the person at the table.
        why: String,
        /// Time from the failure to the next attempt.
        retry_in: Duration,
    },
    /// A file has been shown to its end.
    Ended,
}

//! Frames from anywhere: cameras, video files, network streams, the screen, a folder of pictures.
//!
//! A [`SourceSpec`] names a source, [`Capture`] reads it on threads of its own and keeps the newest
//! [`Frame`] and no other: whoever is slow misses frames and never gets old ones. A source that is
//! lost is tried again, at growing intervals, for as long as the capture lives. Knows nothing of
//! tiles.

mod address;
#[cfg(feature = "camera")]
pub mod camera;
mod ffmpeg;
mod folder;
mod framed;
#[cfg(feature = "camera")]
mod grab;
mod newest;
#[cfg(all(feature = "camera", not(target_os = "linux")))]
mod nokhwa;
mod spec;
mod supervise;
#[cfg(all(feature = "camera", target_os = "linux"))]
mod v4l2;
#[cfg(feature = "camera")]
mod yuyv;

#[cfg(all(feature = "camera", not(target_os = "linux")))]
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
    /// When it came.
    pub at: Instant,
    /// Counts the source's frames from 1, those that nobody asked for included.
    pub number: u64,
}

/// How a source is doing.
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
        /// Frames a second as they come, over about the last second; 0 before the second frame.
        fps: f32,
    },
    /// Not there, or gone; it is tried again.
    Lost {
        /// What is wrong and what to do, for the person at the table.
        why: String,
        /// After how long from then the next attempt comes.
        retry_in: Duration,
    },
    /// A file that has been shown to its end.
    Ended,
}

//! Cameras of Windows, through `ffmpeg`, which reads DirectShow: virtual cameras such as that of OBS are there alone.

#[cfg(windows)]
mod device;
mod listing;

#[cfg(windows)]
pub(super) use device::{Camera, ffmpeg_input, indices};

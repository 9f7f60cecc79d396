//! Asks `ffmpeg` about cameras.

use std::{ffi::OsString, process::Command};

use super::listing::{self, DirectShowCamera};
use crate::capture::{
    CameraWish,
    camera::{Failure, Mode, Shot},
    ffmpeg,
};

/// Bytes that wait in `ffmpeg` at most, lest a slow moment costs pictures: a second of pixels in Full HD.
const WAITING: &str = "150M";

fn cameras() -> Result<Vec<DirectShowCamera>, String> {
    Ok(listing::cameras(&said(&["-list_devices", "true"], "dummy")?))
}

/// What `ffmpeg` says about DirectShow. It fails each time, as it is given nothing to write.
fn said(options: &[&str], input: &str) -> Result<String, String> {
    let mut asked = Command::new(ffmpeg::PROGRAM);
    asked.args(["-hide_banner", "-nostdin", "-f", "dshow"]).args(options).args(["-i", input]);
    let output = asked.output().map_err(|error| ffmpeg::missing(ffmpeg::PROGRAM.as_ref(), &error));
    Ok(String::from_utf8_lossy(&output?.stderr).into_owned())
}

/// Numbers of the cameras, with their names.
pub(in crate::capture) fn indices() -> Result<Vec<(u32, String)>, String> {
    Ok((0..).zip(cameras()?).map(|(index, camera)| (index, camera.name)).collect())
}

/// What `ffmpeg` is given to read a camera.
pub(in crate::capture) fn ffmpeg_input(index: u32, mode: &Mode) -> Result<Vec<OsString>, String> {
    let camera = camera(index)?;
    let format = if mode.encoding.is_compressed() { "-vcodec" } else { "-pixel_format" };
    let mut input: Vec<OsString> = ["-f", "dshow", "-rtbufsize", WAITING].map(Into::into).into();
    if let Some(encoding) = mode.encoding.in_ffmpeg() {
        input.extend([format.into(), encoding.into()]);
    }
    input.extend(ffmpeg::size_and_rate(mode));
    input.extend(["-i".into(), camera.input().into()]);
    Ok(input)
}

fn camera(index: u32) -> Result<DirectShowCamera, String> {
    cameras()?.into_iter().nth(index as usize).ok_or_else(|| {
        format!("there is no camera {index}: plug it in (`tilelens cameras` lists those there are)")
    })
}

/// A camera that is there.
pub(in crate::capture) struct Camera(DirectShowCamera);

impl Camera {
    pub fn open(index: u32) -> Result<Self, Failure> {
        camera(index).map(Self).map_err(Failure::Message)
    }

    /// Its own name.
    pub fn name(&self) -> Option<String> {
        Some(self.0.name.clone())
    }

    /// Its modes.
    pub fn modes(&mut self, _: &CameraWish) -> Result<Vec<Mode>, Failure> {
        let said = said(&["-list_options", "true"], &self.0.input()).map_err(Failure::Message)?;
        Ok(listing::modes(&said))
    }

    /// Sets a mode: `ffmpeg` does.
    pub fn set(&mut self, mode: &Mode) -> Result<Mode, Failure> {
        Ok(*mode)
    }

    /// No picture is read without `ffmpeg`.
    pub fn stream(&mut self, _: impl FnMut(Shot) -> bool) -> Result<(), Failure> {
        Err(Failure::NoPictures)
    }
}

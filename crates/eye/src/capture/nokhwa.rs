//! Cameras of macOS, through nokhwa.

use std::{
    ffi::OsString,
    time::{Duration, Instant, SystemTime},
};

use nokhwa::{
    Buffer, NokhwaError,
    utils::{
        ApiBackend, CameraFormat, CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType,
    },
};

use super::{
    CameraWish,
    camera::{Encoding, Failure, Mode, Rate, Shot},
};

const READ: [FrameFormat; 2] = [FrameFormat::MJPEG, FrameFormat::YUYV];
/// Age above which a time stamp belongs to another clock.
const OLDEST: Duration = Duration::from_secs(2);

/// Numbers of the cameras, with their names.
pub(super) fn indices() -> Result<Vec<(u32, String)>, String> {
    let listed = nokhwa::query(ApiBackend::Auto).map_err(|error| error.to_string())?;
    Ok(listed
        .iter()
        .filter_map(|info| Some((info.index().as_index().ok()?, info.human_name())))
        .collect())
}

/// What `ffmpeg` is given to read a camera; each format that nokhwa knows is read without it.
pub(super) fn ffmpeg_input(index: u32, _: &Mode) -> Result<Vec<OsString>, String> {
    Err(format!("camera {index} gives no pictures"))
}

/// An open camera.
pub(super) struct Camera {
    camera: nokhwa::Camera,
    index: u32,
}

impl Camera {
    pub fn open(index: u32) -> Result<Self, Failure> {
        // Either of the two, whichever comes first: the camera has to be open to list its modes.
        let any = RequestedFormat::with_formats(RequestedFormatType::None, &READ);
        let camera = nokhwa::Camera::new(CameraIndex::Index(index), any);
        Ok(Self { camera: camera.map_err(|error| failure(index, &error))?, index })
    }

    /// Its own name.
    pub fn name(&self) -> Option<String> {
        Some(self.camera.info().human_name())
    }

    /// Its modes that nokhwa knows.
    pub fn modes(&mut self, _: &CameraWish) -> Result<Vec<Mode>, Failure> {
        let formats = self.camera.compatible_camera_formats();
        let formats = formats.map_err(|error| failure(self.index, &error))?;
        Ok(formats.iter().filter_map(mode).collect())
    }

    /// Sets a mode.
    pub fn set(&mut self, mode: &Mode) -> Result<Mode, Failure> {
        let format = match mode.encoding {
            Encoding::YUYV => FrameFormat::YUYV,
            _ => FrameFormat::MJPEG,
        };
        let fps = mode.fps.map_or(0, Rate::rounded);
        // Exactly one that is listed: asked for the nearest, nokhwa fails where none is equal.
        let exact = CameraFormat::new_from(mode.width, mode.height, format, fps);
        let exact = RequestedFormatType::Exact(exact);
        let set = self.camera.set_camera_requset(RequestedFormat::with_formats(exact, &[format]));
        set.map(|_| *mode).map_err(|error| failure(self.index, &error))
    }

    /// Takes pictures while they are wanted.
    pub fn stream(&mut self, mut wanted: impl FnMut(Shot) -> bool) -> Result<(), Failure> {
        let failed = |error: NokhwaError| failure(self.index, &error);
        self.camera.open_stream().map_err(failed)?;
        loop {
            let buffer = self.camera.frame().map_err(failed)?;
            let bytes = buffer.buffer().to_vec();
            let stride = 2 * buffer.resolution().width();
            if !wanted(Shot { bytes, stride, at: taken(&buffer) }) {
                return self.camera.stop_stream().map_err(failed);
            }
        }
    }
}

fn mode(format: &CameraFormat) -> Option<Mode> {
    let encoding = match format.format() {
        FrameFormat::MJPEG => Encoding::MJPEG,
        FrameFormat::YUYV => Encoding::YUYV,
        _ => return None,
    };
    let fps = Some(Rate::new(format.frame_rate(), 1)?);
    Some(Mode { encoding, width: format.width(), height: format.height(), fps })
}

/// The time at which a buffer was filled, by the driver, on the clock of this process.
fn taken(buffer: &Buffer) -> Instant {
    let now = Instant::now();
    let age = buffer.capture_timestamp().and_then(|stamp| {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.checked_sub(stamp)
    });
    age.filter(|age| *age < OLDEST).and_then(|age| now.checked_sub(age)).unwrap_or(now)
}

/// A message for an error of nokhwa, which passes on the system's words.
fn failure(index: u32, error: &NokhwaError) -> Failure {
    let text = error.to_string();
    Failure::Message(match text.contains("Fufill") {
        true => format!("camera {index} offers neither MJPEG nor YUYV, which are what is read"),
        false => format!("camera {index}: {text}"),
    })
}

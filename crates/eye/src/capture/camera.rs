//! Cameras of this machine: lists them and their modes, and chooses the mode for a wish.
//!
//! The system's own interface is behind `device`: V4L2 on Linux, DirectShow on Windows, nokhwa on macOS.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    time::Instant,
};

use serde::{Serialize, Serializer};

use super::{
    CameraWish,
    device::{self, Camera},
};

/// Largest size that is chosen unasked, if it comes fast enough.
pub(super) const ENOUGH: [u32; 2] = [1920, 1080];
/// Frames a second that are fast enough, if no rate is given.
const FAST: u32 = 30;
/// Highest rate of a camera; drivers that accept any rate list a thousand.
const MOST_FPS: u32 = 240;

/// A camera's pixel format, by its four characters in V4L2 and USB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Encoding(pub(super) [u8; 4]);

impl Encoding {
    /// Each picture a JPEG: fast over USB 2.
    pub const MJPEG: Self = Self(*b"MJPG");
    /// JPEG by its older name.
    pub const JPEG: Self = Self(*b"JPEG");
    /// Plain pixels with halved colour: sharp, and slow over USB 2.
    pub const YUYV: Self = Self(*b"YUYV");

    /// Whether this program reads it without `ffmpeg`, which reads all cameras of Windows.
    #[must_use]
    pub const fn is_read_here(self) -> bool {
        cfg!(not(windows)) && matches!(self, Self::MJPEG | Self::JPEG | Self::YUYV)
    }

    pub(super) const fn is_compressed(self) -> bool {
        matches!(&self.0, b"MJPG" | b"JPEG" | b"H264")
    }

    /// Its name in `ffmpeg`, if it is read by that.
    #[must_use]
    pub fn in_ffmpeg(self) -> Option<&'static str> {
        IN_FFMPEG.iter().find(|(own, _)| *own == self).map(|(_, name)| *name)
    }

    /// The format with a name of `ffmpeg`.
    #[cfg(any(test, windows))]
    pub(super) fn of_ffmpeg(name: &str) -> Option<Self> {
        IN_FFMPEG.iter().find(|(_, own)| *own == name).map(|(format, _)| *format)
    }
}

/// The formats that `ffmpeg` reads by its names for them: those of its table libavdevice/v4l2-common.c that current
/// devices offer.
const IN_FFMPEG: [(Encoding, &str); 13] = [
    (Encoding::MJPEG, "mjpeg"),
    (Encoding::YUYV, "yuyv422"),
    (Encoding(*b"YU12"), "yuv420p"),
    (Encoding(*b"NV12"), "nv12"),
    (Encoding(*b"UYVY"), "uyvy422"),
    (Encoding(*b"422P"), "yuv422p"),
    (Encoding(*b"H264"), "h264"),
    (Encoding(*b"RGB3"), "rgb24"),
    (Encoding(*b"BGR3"), "bgr24"),
    (Encoding(*b"RGB4"), "0rgb"),
    (Encoding(*b"BGR4"), "bgr0"),
    (Encoding(*b"RGBP"), "rgb565le"),
    (Encoding(*b"GREY"), "gray"),
];

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::MJPEG => f.write_str("MJPEG"),
            // Drivers of their own make may use any bytes.
            Self(code) => f.write_str(String::from_utf8_lossy(&code).trim_end()),
        }
    }
}

impl Serialize for Encoding {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Frames a second, as the camera's fraction: 30000 in 1001 seconds for television's 29.97.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rate {
    frames: u32,
    seconds: u32,
}

impl Rate {
    /// A number of frames in a number of seconds; `None` for a rate that no camera has.
    #[must_use]
    pub fn new(frames: u32, seconds: u32) -> Option<Self> {
        let rate = Self { frames, seconds };
        (seconds > 0 && (1..=MOST_FPS).contains(&rate.rounded())).then_some(rate)
    }

    /// Frames, and the seconds that they take.
    #[must_use]
    pub const fn fraction(self) -> [u32; 2] {
        [self.frames, self.seconds]
    }

    /// Whole frames a second, as in an option.
    #[must_use]
    pub fn rounded(self) -> u32 {
        self.per_second().round() as u32
    }

    fn per_second(self) -> f64 {
        f64::from(self.frames) / f64::from(self.seconds)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (100.0 * self.per_second()).round() / 100.0)
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.frames % self.seconds {
            0 => serializer.serialize_u32(self.frames / self.seconds),
            _ => serializer.serialize_f64((100.0 * self.per_second()).round() / 100.0),
        }
    }
}

/// A mode of a camera.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Mode {
    /// The pixel format.
    pub encoding: Encoding,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Frames a second; `None` if the camera does not report it.
    pub fps: Option<Rate>,
}

impl Mode {
    /// Whether another mode has the same size, and the same rate in whole frames.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        let key = |mode: &Self| (mode.width, mode.height, mode.rate());
        key(self) == key(other)
    }

    /// Frames a second, or the usual rate if the camera does not report it.
    fn rate(&self) -> u32 {
        self.fps.map_or(FAST, Rate::rounded)
    }
}

/// A camera of this machine.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// Its number, for `camera:0`.
    pub index: u32,
    /// Its own name.
    pub name: String,
    /// Its readable modes, the largest first.
    pub modes: Vec<Mode>,
    /// Why it cannot be used.
    pub trouble: Option<String>,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        if let Some(fps) = self.fps {
            write!(f, " {fps} fps")?;
        }
        write!(f, " {}", self.encoding)?;
        if self.encoding.is_read_here() { Ok(()) } else { f.write_str(", read by ffmpeg") }
    }
}

/// Every camera with its modes. Nodes of a device without pictures are left out.
///
/// # Errors
/// The system's list of devices cannot be read.
pub fn devices() -> Result<Vec<Device>, String> {
    let mut devices = Vec::new();
    for (index, mut name) in device::indices()? {
        let looked = guarded(|| {
            let mut camera = Camera::open(index)?;
            name = camera.name().unwrap_or_else(|| name.clone());
            modes(&mut camera, &CameraWish { index, size: None, fps: None })
        });
        match looked {
            Ok(modes) => devices.push(Device { index, name, modes, trouble: None }),
            Err(Failure::NoPictures) => {}
            Err(Failure::Message(why)) => {
                devices.push(Device { index, name, modes: Vec::new(), trouble: Some(why) });
            }
        }
    }
    Ok(devices)
}

/// A picture as the camera delivered it.
pub(super) struct Shot {
    pub bytes: Vec<u8>,
    /// Bytes from one line to the next, for uncompressed pixels.
    pub stride: u32,
    /// The time at which it was taken, by the driver.
    pub at: Instant,
}

/// Why a camera cannot be used.
#[derive(Debug)]
pub(super) enum Failure {
    /// The node does not give pictures, for example only metadata.
    NoPictures,
    /// A message for the user.
    Message(String),
}

/// Runs a call of a driver's library: those panic if a device disappears at a bad moment.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let unexpected = || Failure::Message("the camera's driver did something unexpected".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(unexpected()))
}

/// The readable modes of a camera, the largest and fastest first. Those that need `ffmpeg` count only if there
/// are no others.
///
/// # Errors
/// The camera answers wrongly, or has no readable mode.
pub(super) fn modes(camera: &mut Camera, wish: &CameraWish) -> Result<Vec<Mode>, Failure> {
    let mut modes = camera.modes(wish)?;
    let encodings: Vec<String> = modes.iter().map(|mode| mode.encoding.to_string()).collect();
    if modes.iter().any(|mode| mode.encoding.is_read_here()) {
        modes.retain(|mode| mode.encoding.is_read_here());
    } else {
        modes.retain(|mode| mode.encoding.in_ffmpeg().is_some());
    }
    if modes.is_empty() {
        let index = wish.index;
        return Err(Failure::Message(match encodings.first() {
            Some(encoding) => format!("camera {index} offers only {encoding}, which is not read"),
            None => format!(
                "camera {index} offers no pictures: start the program that feeds it, if it is a \
                 virtual camera"
            ),
        }));
    }
    modes.sort_by_key(|mode| {
        std::cmp::Reverse((mode.width * mode.height, mode.rate(), mode.encoding))
    });
    modes.dedup();
    Ok(modes)
}

/// The modes in the order in which they suit a wish.
///
/// A given size goes before the rate, and a given rate before the size. Without either, modes fast enough for a
/// live picture come first, and of those the largest up to 1920 x 1080.
#[must_use]
pub fn by_suitability(modes: &[Mode], wish: &CameraWish) -> Vec<Mode> {
    let wanted = wish.fps.unwrap_or(FAST);
    let size = |mode: &Mode| {
        let [w, h] = wish.size.unwrap_or(ENOUGH);
        let away = mode.width.abs_diff(w) + mode.height.abs_diff(h);
        let larger = mode.width > w || mode.height > h;
        // Larger than enough is worse than smaller: it costs time and shows nothing more.
        away * if larger && wish.size.is_none() { 4 } else { 1 }
    };
    let slow = |mode: &Mode| {
        // Half of the given rate, or a frame less, is not the same.
        if wish.fps.is_some() {
            mode.rate().abs_diff(wanted)
        } else {
            wanted.saturating_sub(mode.rate()) / 6
        }
    };
    let mut modes = modes.to_vec();
    modes.sort_by_key(|mode| {
        let (size, slow) = (size(mode), slow(mode));
        let order = if wish.size.is_some() { (size, slow) } else { (slow, size) };
        // Of equal ones the uncompressed.
        (order, mode.rate().abs_diff(wanted), mode.encoding.is_compressed())
    });
    modes
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn mode(encoding: Encoding, width: u32, height: u32, fps: u32) -> Mode {
        Mode { encoding, width, height, fps: Some(Rate { frames: fps, seconds: 1 }) }
    }

    const fn wish(size: Option<[u32; 2]>, fps: Option<u32>) -> CameraWish {
        CameraWish { index: 0, size, fps }
    }

    /// The usual modes of a webcam over USB 2.
    const WEBCAM: [Mode; 7] = [
        mode(Encoding::MJPEG, 3840, 2160, 30),
        mode(Encoding::YUYV, 1920, 1080, 5),
        mode(Encoding::MJPEG, 1920, 1080, 30),
        mode(Encoding::MJPEG, 1280, 720, 60),
        mode(Encoding::YUYV, 1280, 720, 10),
        mode(Encoding::YUYV, 640, 480, 30),
        mode(Encoding::MJPEG, 640, 480, 30),
    ];

    #[test]
    fn the_largest_that_is_fast_enough_is_taken() {
        let best = |wish| by_suitability(&WEBCAM, &wish)[0];
        assert_eq!(best(wish(None, None)), WEBCAM[2]);
        assert_eq!(best(wish(None, Some(60))), WEBCAM[3]);
        assert_eq!(best(wish(Some([640, 480]), None)), WEBCAM[5]);
        assert_eq!(best(wish(Some([1280, 720]), Some(10))), WEBCAM[4]);
        assert_eq!(best(wish(Some([3840, 2160]), None)), WEBCAM[0]);
    }

    #[test]
    fn what_is_not_offered_gives_the_nearest() {
        let best = |wish| by_suitability(&WEBCAM, &wish)[0];
        assert_eq!(best(wish(Some([1280, 800]), None)), WEBCAM[3]);
        assert_eq!(by_suitability(&[], &wish(None, None)), []);
        let television =
            Mode { fps: Rate::new(30_000, 1001), ..mode(Encoding::MJPEG, 1280, 720, 0) };
        let offered = [WEBCAM[4], television];
        assert_eq!(by_suitability(&offered, &wish(None, Some(30)))[0], television);
        assert_eq!(television.to_string(), "1280x720 29.97 fps MJPEG");
        let slow = [mode(Encoding::YUYV, 1280, 720, 10), mode(Encoding::YUYV, 320, 240, 30)];
        assert_eq!(by_suitability(&slow[..1], &wish(None, None))[0], slow[0]);
    }
}

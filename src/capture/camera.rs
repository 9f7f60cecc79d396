//! Cameras through `nokhwa`: which there are and what they offer.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
};

use nokhwa::{
    Camera, NokhwaError,
    utils::{CameraFormat, CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType},
};
use serde::Serialize;

use super::CameraWish;

/// Where no size is asked for: the largest up to this one, if it comes fast enough.
const ENOUGH: [u32; 2] = [1920, 1080];
/// Frames a second, where no rate is asked for.
const FAST: u32 = 30;
/// Frame rates above this are fractions that the listing misreads.
const MOST_FPS: u32 = 240;

/// How a camera sends its pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Encoding {
    /// Each picture a JPEG: fast over USB 2.
    #[serde(rename = "MJPEG")]
    Mjpeg,
    /// Plain pixels with halved colour: sharp, and slow over USB 2.
    #[serde(rename = "YUYV")]
    Yuyv,
}

/// One of the ways in which a camera can send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Mode {
    /// How the pictures are packed.
    pub encoding: Encoding,
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Frames a second.
    pub fps: u32,
}

/// A camera of this machine.
#[derive(Clone, Debug, Serialize)]
pub struct Device {
    /// Its number, for `camera:0`.
    pub index: u32,
    /// What it calls itself.
    pub name: String,
    /// What it offers that can be read, the largest first.
    pub modes: Vec<Mode>,
    /// Why it cannot be used as it is.
    pub trouble: Option<String>,
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let encoding = match self.encoding {
            Encoding::Mjpeg => "MJPEG",
            Encoding::Yuyv => "YUYV",
        };
        write!(f, "{}x{} {} fps {encoding}", self.width, self.height, self.fps)
    }
}

/// Every camera, with what it offers. Nodes of a device that give no pictures are left out.
///
/// # Errors
/// The system's list of devices cannot be had.
pub fn devices() -> Result<Vec<Device>, String> {
    let mut devices = Vec::new();
    for (index, name) in indices()? {
        let looked = guarded(|| {
            let mut camera = open(index)?;
            let name = camera.info().human_name();
            modes(&mut camera).map(|modes| (name, modes))
        });
        match looked {
            Ok((name, modes)) => {
                let trouble = modes
                    .is_empty()
                    .then(|| "it offers neither MJPEG nor YUYV, which are what is read".to_owned());
                devices.push(Device { index, name, modes, trouble });
            }
            Err(Failure::NoPictures) => {}
            Err(Failure::Told(why)) => {
                devices.push(Device { index, name, modes: Vec::new(), trouble: Some(why) });
            }
        }
    }
    Ok(devices)
}

/// Numbers of the device nodes, with a name to begin with. nokhwa's own list panics on a name in
/// `/dev` that begins with `video` and has no digit, as a link may.
#[cfg(target_os = "linux")]
fn indices() -> Result<Vec<(u32, String)>, String> {
    let entries =
        std::fs::read_dir("/dev").map_err(|error| format!("cannot read /dev: {error}"))?;
    let mut indices: Vec<u32> = entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.strip_prefix("video")?.parse().ok())
        .collect();
    indices.sort_unstable();
    indices.dedup();
    Ok(indices.into_iter().map(|index| (index, format!("/dev/video{index}"))).collect())
}

#[cfg(not(target_os = "linux"))]
fn indices() -> Result<Vec<(u32, String)>, String> {
    let listed =
        nokhwa::query(nokhwa::utils::ApiBackend::Auto).map_err(|error| error.to_string())?;
    Ok(listed
        .iter()
        .filter_map(|info| Some((info.index().as_index().ok()?, info.human_name())))
        .collect())
}

/// Why a camera cannot be used.
pub(super) enum Failure {
    /// The node is not one that gives pictures, such as one for metadata.
    NoPictures,
    /// What to tell.
    Told(String),
}

/// Runs what calls nokhwa: it panics where a device goes at a bad moment.
pub(super) fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let unexpected = || Failure::Told("the camera's driver did something unexpected".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(unexpected()))
}

const READ: [FrameFormat; 2] = [FrameFormat::MJPEG, FrameFormat::YUYV];

pub(super) fn open(index: u32) -> Result<Camera, Failure> {
    // Any of the two, whichever comes first: the camera has to be open to say what it offers.
    let any = RequestedFormat::with_formats(RequestedFormatType::None, &READ);
    Camera::new(CameraIndex::Index(index), any).map_err(|error| failure(index, &error))
}

/// What stands behind an error of nokhwa, which passes the system's words on.
pub(super) fn failure(index: u32, error: &NokhwaError) -> Failure {
    let text = error.to_string();
    let has = |words: &str| text.contains(words);
    let why = if has("os error 2)") || has("os error 19)") || has("os error 6)") {
        format!("there is no camera {index}: plug it in (`tilelens cameras` lists those there are)")
    } else if has("os error 13)") {
        format!(
            "camera {index} may not be opened: add yourself to the group that may \
             (sudo usermod -aG video $USER) and log in again"
        )
    } else if has("os error 16)") {
        format!("camera {index} is in use: close the other program that shows it")
    } else if has("FrameFormat") && (has("os error 22)") || has("os error 25)")) {
        return Failure::NoPictures;
    } else if has("Fufill") {
        format!("camera {index} offers neither MJPEG nor YUYV, which are what is read")
    } else {
        format!("camera {index}: {text}")
    };
    Failure::Told(why)
}

/// What a camera offers that can be read, the largest and fastest first.
pub(super) fn modes(camera: &mut Camera) -> Result<Vec<Mode>, Failure> {
    let index = camera.index().as_index().unwrap_or_default();
    let formats = camera.compatible_camera_formats().map_err(|error| failure(index, &error))?;
    let mut modes: Vec<Mode> = formats.iter().filter_map(mode).collect();
    modes
        .sort_by_key(|mode| std::cmp::Reverse((mode.width * mode.height, mode.fps, mode.encoding)));
    modes.dedup();
    Ok(modes)
}

fn mode(format: &CameraFormat) -> Option<Mode> {
    let encoding = match format.format() {
        FrameFormat::MJPEG => Encoding::Mjpeg,
        FrameFormat::YUYV => Encoding::Yuyv,
        _ => return None,
    };
    let fps = format.frame_rate();
    let fits = (1..=MOST_FPS).contains(&fps) && format.width().max(format.height()) <= 16_384;
    fits.then(|| Mode { encoding, width: format.width(), height: format.height(), fps })
}

/// The modes in the order in which they suit a wish.
///
/// A size that is asked for goes before the rate, a rate before the size; where neither is asked
/// for, what is fast enough for a live picture, and of that the largest up to 1920 x 1080.
#[must_use]
pub fn by_suitability(modes: &[Mode], wish: &CameraWish) -> Vec<Mode> {
    let wanted = wish.fps.unwrap_or(FAST);
    let size = |mode: &Mode| {
        let [w, h] = wish.size.unwrap_or(ENOUGH);
        let away = mode.width.abs_diff(w) + mode.height.abs_diff(h);
        let larger = mode.width > w || mode.height > h;
        // Beyond enough is worse than below it: it costs time and shows nothing more.
        away * if larger && wish.size.is_none() { 4 } else { 1 }
    };
    let slow = |mode: &Mode| {
        // Half of what is wanted, or a frame less, is not the same.
        if wish.fps.is_some() {
            mode.fps.abs_diff(wanted)
        } else {
            wanted.saturating_sub(mode.fps) / 6
        }
    };
    let mut modes = modes.to_vec();
    modes.sort_by_key(|mode| {
        let (size, slow) = (size(mode), slow(mode));
        let order = if wish.size.is_some() { (size, slow) } else { (slow, size) };
        // Of equals the one without compression.
        (order, mode.fps.abs_diff(wanted), mode.encoding == Encoding::Mjpeg)
    });
    modes
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn mode(encoding: Encoding, width: u32, height: u32, fps: u32) -> Mode {
        Mode { encoding, width, height, fps }
    }

    const fn wish(size: Option<[u32; 2]>, fps: Option<u32>) -> CameraWish {
        CameraWish { index: 0, size, fps }
    }

    /// What a usual webcam offers over USB 2.
    const WEBCAM: [Mode; 7] = [
        mode(Encoding::Mjpeg, 3840, 2160, 30),
        mode(Encoding::Yuyv, 1920, 1080, 5),
        mode(Encoding::Mjpeg, 1920, 1080, 30),
        mode(Encoding::Mjpeg, 1280, 720, 60),
        mode(Encoding::Yuyv, 1280, 720, 10),
        mode(Encoding::Yuyv, 640, 480, 30),
        mode(Encoding::Mjpeg, 640, 480, 30),
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
        let slow = [mode(Encoding::Yuyv, 1280, 720, 10), mode(Encoding::Yuyv, 320, 240, 30)];
        assert_eq!(by_suitability(&slow[..1], &wish(None, None))[0], slow[0]);
    }
}

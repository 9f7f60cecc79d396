//! Cameras through `nokhwa`: which there are, what they offer, and their pictures.
//!
//! A camera that hangs blocks whoever waits for it, for ever. So one thread (`grab`) talks to it,
//! keeps taking what it gives and holds the newest buffer; the capture's own thread decodes that and
//! watches the clock. A grabbing thread that hangs is left behind, and no other is started while it
//! hangs.

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime},
};

use nokhwa::{
    Buffer, Camera, NokhwaError,
    utils::{CameraFormat, CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType},
};
use serde::Serialize;

use super::{
    CameraWish, Settings, jpeg,
    newest::Newest,
    supervise::{End, finish},
    yuyv,
};
use crate::vision::Picture;

/// How often the clock is looked at while no buffer comes.
const TICK: Duration = Duration::from_millis(50);
/// How long the grabbing thread may take to let go of a camera that works.
const LETTING_GO: Duration = Duration::from_secs(1);
/// A stamp older than this is that of another clock.
const OLDEST: Duration = Duration::from_secs(2);
/// Where no size is asked for: the largest up to this one, if it comes fast enough.
const ENOUGH: [u32; 2] = [1920, 1080];
/// Frames a second, where no rate is asked for.
const FAST: u32 = 30;
/// Frame rates above this are fractions that the listing misreads.
const MOST_FPS: u32 = 240;
/// Modes that are tried before a camera is given up.
const TRIES: usize = 6;

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
enum Failure {
    /// The node is not one that gives pictures, such as one for metadata.
    NoPictures,
    /// What to tell.
    Told(String),
}

/// Runs what calls nokhwa: it panics where a device goes at a bad moment.
fn guarded<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    let unexpected = || Failure::Told("the camera's driver did something unexpected".to_owned());
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(unexpected()))
}

const READ: [FrameFormat; 2] = [FrameFormat::MJPEG, FrameFormat::YUYV];

fn open(index: u32) -> Result<Camera, Failure> {
    // Any of the two, whichever comes first: the camera has to be open to say what it offers.
    let any = RequestedFormat::with_formats(RequestedFormatType::None, &READ);
    Camera::new(CameraIndex::Index(index), any).map_err(|error| failure(index, &error))
}

/// What stands behind an error of nokhwa, which passes the system's words on.
fn failure(index: u32, error: &NokhwaError) -> Failure {
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
fn modes(camera: &mut Camera) -> Result<Vec<Mode>, Failure> {
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

/// Where the grabbing thread leaves what it has.
#[derive(Default)]
struct Slot {
    inner: Mutex<Left>,
    changed: Condvar,
}

#[derive(Default)]
struct Left {
    buffer: Option<(Buffer, Mode)>,
    failed: Option<String>,
    /// What was asked for and cannot be had.
    remark: Option<String>,
    quit: bool,
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, Left> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, change: impl FnOnce(&mut Left)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

/// Shows what a camera gives until it fails, hangs, or the capture stops.
///
/// `hung`: a grabbing thread of an earlier attempt that never came back.
pub(super) fn attempt(
    wish: &CameraWish,
    settings: &Settings,
    newest: &Newest,
    hung: &mut Option<JoinHandle<()>>,
) -> End {
    if hung.as_ref().is_some_and(|thread| !thread.is_finished()) {
        return End::Failed(hangs(wish.index));
    }
    *hung = None;
    let slot = Arc::new(Slot::default());
    let (grabbing, wished) = (Arc::clone(&slot), *wish);
    let started = thread::Builder::new().name("camera".to_owned()).spawn(move || {
        if let Err(Failure::Told(why)) = guarded(|| grab(&wished, &grabbing)) {
            grabbing.leave(|left| left.failed = Some(why));
        } else {
            let why = format!("camera {} gives no pictures", wished.index);
            grabbing.leave(|left| left.failed = Some(why));
        }
    });
    let thread = match started {
        Ok(thread) => thread,
        Err(error) => return End::Failed(format!("no thread could be started: {error}")),
    };
    let end = decode(wish, settings, newest, &slot);
    slot.leave(|left| left.quit = true);
    *hung = finish(thread, LETTING_GO);
    end
}

fn hangs(index: u32) -> String {
    format!("camera {index} hangs: unplug it and plug it in again")
}

/// Talks to the camera: opens it in the mode that suits best, then keeps taking buffers so that none
/// gets old.
fn grab(wish: &CameraWish, slot: &Slot) -> Result<(), Failure> {
    let mut camera = open(wish.index)?;
    let offered = modes(&mut camera)?;
    let mode = set_mode(&mut camera, &by_suitability(&offered, wish), wish.index)?;
    let other_size = wish.size.is_some_and(|size| size != [mode.width, mode.height]);
    if other_size || wish.fps.is_some_and(|fps| fps != mode.fps) {
        let remark = format!("camera {} does not offer what was asked for: {mode}", wish.index);
        slot.leave(|left| left.remark = Some(remark));
    }
    let told = |error: NokhwaError| failure(wish.index, &error);
    camera.open_stream().map_err(told)?;
    while !slot.lock().quit {
        let buffer = camera.frame().map_err(|error| match failure(wish.index, &error) {
            Failure::Told(why) if why.starts_with("there is no") => {
                Failure::Told(format!("camera {} was unplugged", wish.index))
            }
            other => other,
        })?;
        slot.leave(|left| left.buffer = Some((buffer, mode)));
    }
    camera.stop_stream().map_err(told)
}

/// Sets the first of the modes that the camera takes: some list what they then refuse.
fn set_mode(camera: &mut Camera, wanted: &[Mode], index: u32) -> Result<Mode, Failure> {
    let mut refused = None;
    for mode in wanted.iter().take(TRIES) {
        let format = match mode.encoding {
            Encoding::Mjpeg => FrameFormat::MJPEG,
            Encoding::Yuyv => FrameFormat::YUYV,
        };
        // Exactly one that is listed: asked for the nearest, nokhwa fails where none is the same.
        let exact = CameraFormat::new_from(mode.width, mode.height, format, mode.fps);
        let exact = RequestedFormatType::Exact(exact);
        match camera.set_camera_requset(RequestedFormat::with_formats(exact, &[format])) {
            Ok(_) => return Ok(*mode),
            Err(error) => refused = Some(failure(index, &error)),
        }
    }
    let none = format!("camera {index} offers neither MJPEG nor YUYV, which are what is read");
    Err(refused.unwrap_or(Failure::Told(none)))
}

/// Decodes the newest buffer each time, and watches the clock.
fn decode(wish: &CameraWish, settings: &Settings, newest: &Newest, slot: &Slot) -> End {
    let (mut good, mut patience) = (Instant::now(), settings.first_frame);
    let (mut damaged, mut why_damaged) = (0u64, None);
    loop {
        let mut left = slot.lock();
        if left.buffer.is_none() && left.failed.is_none() {
            let waited = slot.changed.wait_timeout(left, TICK);
            left = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(remark) = left.remark.take() {
            newest.complain(remark);
        }
        let (buffer, failed) = (left.buffer.take(), left.failed.take());
        drop(left);
        if newest.is_stopped() {
            return End::Stopped;
        }
        if let Some((buffer, mode)) = buffer {
            match picture(&buffer, &mode) {
                Ok(picture) => {
                    newest.show(picture, taken(&buffer));
                    (good, patience, why_damaged) = (Instant::now(), settings.stall, None);
                }
                Err(why) => {
                    damaged += 1;
                    let index = wish.index;
                    newest.complain(format!("camera {index}: {damaged} damaged pictures: {why}"));
                    why_damaged = Some(why);
                }
            }
        }
        if let Some(why) = failed {
            return End::Failed(why);
        }
        if good.elapsed() > patience {
            return End::Failed(match why_damaged {
                Some(why) => format!(
                    "camera {} gives only damaged pictures ({why}): try another cable or port",
                    wish.index
                ),
                None => hangs(wish.index),
            });
        }
    }
}

/// The buffer is all that the driver mapped: what lies behind the picture is left over from others.
fn picture(buffer: &Buffer, mode: &Mode) -> Result<Picture, String> {
    let bytes = buffer.buffer();
    match mode.encoding {
        Encoding::Mjpeg => {
            let whole = jpeg::whole(bytes).ok_or("it is cut off")?;
            Picture::from_bytes(&whole).map_err(|error| error.to_string())
        }
        Encoding::Yuyv => {
            let rgb = yuyv::picture(bytes, mode.width, mode.height).ok_or("it is cut off")?;
            Picture::from_rgb(rgb).map_err(|error| error.to_string())
        }
    }
}

/// When the driver says that a buffer was filled, on the clock of this process.
fn taken(buffer: &Buffer) -> Instant {
    let now = Instant::now();
    let age = buffer.capture_timestamp().and_then(|stamp| {
        SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok()?.checked_sub(stamp)
    });
    age.filter(|age| *age < OLDEST).and_then(|age| now.checked_sub(age)).unwrap_or(now)
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

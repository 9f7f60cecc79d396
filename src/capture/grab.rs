//! The pictures of a camera.
//!
//! A camera that hangs blocks whoever waits for it, for ever. So one thread (`grab`) talks to it,
//! keeps taking what it gives and holds the newest buffer; the capture's own thread decodes that and
//! watches the clock. A grabbing thread that hangs is left behind, and no other is started while it
//! hangs.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime},
};

use nokhwa::{
    Buffer, Camera, NokhwaError,
    utils::{CameraFormat, FrameFormat, RequestedFormat, RequestedFormatType},
};

use super::{
    CameraWish, Settings,
    camera::{Encoding, Failure, Mode, by_suitability, failure, guarded, modes, open},
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
/// Modes that are tried before a camera is given up.
const TRIES: usize = 6;

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
        Encoding::Mjpeg => Picture::from_bytes(bytes).map_err(|error| error.to_string()),
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

//! The pictures of a camera.
//!
//! A camera that hangs blocks whoever waits for it, for ever. So one thread (`grab`) talks to it,
//! keeps taking what it gives and holds the newest buffer; the capture's own thread decodes that and
//! watches the clock. A grabbing thread that hangs is left behind, and no other is started while it
//! hangs.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{
    CameraWish, Settings,
    camera::{Encoding, Failure, Mode, Shot, by_suitability, guarded, modes},
    device::Camera,
    ffmpeg,
    newest::Newest,
    supervise::{End, finish},
    yuyv,
};
use crate::picture::Picture;

/// How often the clock is looked at while no buffer comes.
const TICK: Duration = Duration::from_millis(50);
/// How long the grabbing thread may take to let go of a camera that works.
const LETTING_GO: Duration = Duration::from_secs(1);
/// Damage is complained of until pictures have been whole for as long.
const COMPLAINT: Duration = Duration::from_secs(10);
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
    shot: Option<(Shot, Mode)>,
    /// The mode in which `ffmpeg` has to read the camera, which has been let go for that.
    for_ffmpeg: Option<Mode>,
    failed: Option<String>,
    /// What was asked for and cannot be had.
    remark: Option<String>,
    quit: bool,
}

impl Left {
    fn is_empty(&self) -> bool {
        self.shot.is_none() && self.failed.is_none() && self.for_ffmpeg.is_none()
    }
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
    newest: &Arc<Newest>,
    hung: &mut Option<JoinHandle<()>>,
) -> End {
    if hung.as_ref().is_some_and(|thread| !thread.is_finished()) {
        return End::Failed(hangs(wish.index));
    }
    *hung = None;
    let slot = Arc::new(Slot::default());
    let (grabbing, wished) = (Arc::clone(&slot), *wish);
    let started = thread::Builder::new().name("camera".to_owned()).spawn(move || {
        let grabbed = guarded(|| grab(&wished, &grabbing));
        grabbing.leave(|left| match grabbed {
            Ok(for_ffmpeg @ Some(_)) => left.for_ffmpeg = for_ffmpeg,
            Err(Failure::Told(why)) => left.failed = Some(why),
            Ok(None) | Err(Failure::NoPictures) => {
                left.failed = Some(format!("camera {} gives no pictures", wished.index));
            }
        });
    });
    let thread = match started {
        Ok(thread) => thread,
        Err(error) => return End::Failed(format!("no thread could be started: {error}")),
    };
    let end = decode(wish, settings, newest, &slot);
    slot.leave(|left| left.quit = true);
    *hung = finish(thread, LETTING_GO);
    match end {
        Ok(mode) => ffmpeg::read_camera(wish.index, &mode, settings, newest),
        Err(end) => end,
    }
}

fn hangs(index: u32) -> String {
    format!("camera {index} hangs: unplug it and plug it in again")
}

/// Talks to the camera: opens it in the mode that suits best, then keeps taking pictures so that none
/// gets old. A mode that `ffmpeg` has to read is returned.
fn grab(wish: &CameraWish, slot: &Slot) -> Result<Option<Mode>, Failure> {
    let mut camera = Camera::open(wish.index)?;
    let offered = modes(&mut camera, wish)?;
    let mode = set_mode(&mut camera, &by_suitability(&offered, wish))?;
    let other_size = wish.size.is_some_and(|size| size != [mode.width, mode.height]);
    let other_rate =
        wish.fps.is_some_and(|fps| mode.fps.is_some_and(|offered| offered.rounded() != fps));
    let mut remarks = Vec::new();
    if other_size || other_rate {
        remarks.push(format!("camera {} does not offer what was asked for: {mode}", wish.index));
    }
    if !mode.encoding.is_read_here() {
        let encoding = mode.encoding;
        let index = wish.index;
        remarks.push(format!(
            "camera {index} offers neither MJPEG nor YUYV: ffmpeg reads its {encoding}"
        ));
    }
    slot.leave(|left| left.remark = (!remarks.is_empty()).then(|| remarks.join("; ")));
    if !mode.encoding.is_read_here() {
        return Ok(Some(mode));
    }
    camera.stream(|shot| {
        slot.leave(|left| left.shot = Some((shot, mode)));
        !slot.lock().quit
    })?;
    Ok(None)
}

/// Sets the first of the modes that the camera takes as it lists it, or else the first that it takes
/// otherwise: some list what they then refuse.
fn set_mode(camera: &mut Camera, wanted: &[Mode]) -> Result<Mode, Failure> {
    let (mut other, mut refused) = (None, None);
    for mode in wanted.iter().take(TRIES) {
        match camera.set(mode) {
            Ok(taken) if taken.is_like(mode) => return Ok(taken),
            Ok(_) => other = other.or(Some(mode)),
            Err(why) => refused = Some(why),
        }
    }
    match (other, refused) {
        (Some(mode), _) => camera.set(mode),
        (None, Some(why)) => Err(why),
        (None, None) => Err(Failure::NoPictures),
    }
}

/// Decodes the newest picture each time, and watches the clock. A mode for `ffmpeg` is handed on.
fn decode(
    wish: &CameraWish,
    settings: &Settings,
    newest: &Newest,
    slot: &Slot,
) -> Result<Mode, End> {
    let (mut good, mut patience) = (Instant::now(), settings.first_frame);
    let (mut remark, mut why_damaged) = (None, None);
    let mut damaged = newest.trouble().map(|_| Instant::now());
    loop {
        let mut left = slot.lock();
        if left.is_empty() {
            let waited = slot.changed.wait_timeout(left, TICK);
            left = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(said) = left.remark.take() {
            newest.complain(Some(said.clone()));
            remark = Some(said);
        }
        let (shot, failed) = (left.shot.take(), left.failed.take());
        let for_ffmpeg = left.for_ffmpeg.take();
        drop(left);
        if newest.is_stopped() {
            return Err(End::Stopped);
        }
        if let Some(mode) = for_ffmpeg {
            return Ok(mode);
        }
        if let Some((shot, mode)) = shot {
            match picture(&shot, &mode) {
                Ok(picture) => {
                    newest.show(picture, shot.at);
                    (good, patience, why_damaged) = (Instant::now(), settings.stall, None);
                    if damaged.is_some_and(|last: Instant| last.elapsed() > COMPLAINT) {
                        newest.complain(remark.clone());
                        damaged = None;
                    }
                }
                Err(why) => {
                    damaged = Some(Instant::now());
                    let index = wish.index;
                    newest.complain(Some(format!(
                        "camera {index}: damaged pictures are left out: {why}"
                    )));
                    why_damaged = Some(why);
                }
            }
        }
        if let Some(why) = failed {
            return Err(End::Failed(why));
        }
        if good.elapsed() > patience {
            return Err(End::Failed(match why_damaged {
                Some(why) => format!(
                    "camera {} gives only damaged pictures ({why}): try another cable or port",
                    wish.index
                ),
                None => hangs(wish.index),
            }));
        }
    }
}

/// Decodes what the camera gave. Drivers may hand on more than the picture: what lies behind it is left over from others.
fn picture(shot: &Shot, mode: &Mode) -> Result<Picture, String> {
    if mode.encoding == Encoding::YUYV {
        let rgb = yuyv::picture(&shot.bytes, mode.width, mode.height, shot.stride);
        return Picture::from_rgb(rgb.ok_or("it is cut off")?).map_err(|error| error.to_string());
    }
    Picture::from_bytes(&shot.bytes).map_err(|error| error.to_string())
}

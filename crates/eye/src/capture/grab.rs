//! The pictures of a camera.
//!
//! A camera that hangs blocks its caller for ever. So one thread (`grab`) talks to it, takes every picture and
//! holds the newest buffer; the capture's own thread decodes that and checks the clock. A hanging grabbing thread
//! is abandoned, and no other is started while it hangs.

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

/// Interval of checking the clock while no buffer comes.
const TICK: Duration = Duration::from_millis(50);
/// Time that the grabbing thread may take to release a working camera.
const LETTING_GO: Duration = Duration::from_secs(1);
/// Time of whole pictures after which a report of damage is withdrawn.
const COMPLAINT: Duration = Duration::from_secs(10);
/// Modes that are tried before a camera is given up.
const TRIES: usize = 6;

/// The place where the grabbing thread leaves its results.
#[derive(Default)]
struct Slot {
    inner: Mutex<SlotContents>,
    changed: Condvar,
}

#[derive(Default)]
struct SlotContents {
    shot: Option<(Shot, Mode)>,
    /// The mode in which `ffmpeg` has to read the camera, which has been released for that.
    for_ffmpeg: Option<Mode>,
    failed: Option<String>,
    /// Wishes that the camera cannot satisfy.
    remark: Option<String>,
    quit: bool,
}

impl SlotContents {
    fn is_empty(&self) -> bool {
        self.shot.is_none() && self.failed.is_none() && self.for_ffmpeg.is_none()
    }
}

impl Slot {
    fn lock(&self) -> MutexGuard<'_, SlotContents> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn leave(&self, change: impl FnOnce(&mut SlotContents)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

/// Shows a camera's pictures until it fails, hangs, or the capture stops.
///
/// `hung`: a grabbing thread of an earlier attempt that never returned.
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
        grabbing.leave(|contents| match grabbed {
            Ok(for_ffmpeg @ Some(_)) => contents.for_ffmpeg = for_ffmpeg,
            Err(Failure::Message(why)) => contents.failed = Some(why),
            Ok(None) | Err(Failure::NoPictures) => {
                contents.failed = Some(format!("camera {} gives no pictures", wished.index));
            }
        });
    });
    let thread = match started {
        Ok(thread) => thread,
        Err(error) => return End::Failed(format!("no thread could be started: {error}")),
    };
    let end = decode(wish, settings, newest, &slot);
    slot.leave(|contents| contents.quit = true);
    *hung = finish(thread, LETTING_GO);
    match end {
        Ok(mode) => ffmpeg::read_camera(wish.index, &mode, settings, newest),
        Err(end) => end,
    }
}

fn hangs(index: u32) -> String {
    format!("camera {index} hangs: unplug it and plug it in again")
}

/// Talks to the camera: opens it in the best mode, then takes every picture so that no buffer gets old. Returns a
/// mode that `ffmpeg` has to read.
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
    if cfg!(not(windows)) && !mode.encoding.is_read_here() {
        let encoding = mode.encoding;
        let index = wish.index;
        remarks.push(format!(
            "camera {index} offers neither MJPEG nor YUYV: ffmpeg reads its {encoding}"
        ));
    }
    slot.leave(|contents| contents.remark = (!remarks.is_empty()).then(|| remarks.join("; ")));
    if !mode.encoding.is_read_here() {
        return Ok(Some(mode));
    }
    camera.stream(|shot| {
        slot.leave(|contents| contents.shot = Some((shot, mode)));
        !slot.lock().quit
    })?;
    Ok(None)
}

/// Sets the first mode that the camera accepts as it lists it, or else the first that it accepts with changes:
/// some list modes that they refuse.
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

/// Decodes the newest picture each time, and checks the clock. Returns a mode for `ffmpeg`.
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
        let mut contents = slot.lock();
        if contents.is_empty() {
            let waited = slot.changed.wait_timeout(contents, TICK);
            contents = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        if let Some(said) = contents.remark.take() {
            newest.complain(Some(said.clone()));
            remark = Some(said);
        }
        let (shot, failed) = (contents.shot.take(), contents.failed.take());
        let for_ffmpeg = contents.for_ffmpeg.take();
        drop(contents);
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

/// Decodes a camera's picture. Drivers may deliver more than the picture: the rest is left over from others.
fn picture(shot: &Shot, mode: &Mode) -> Result<Picture, String> {
    if mode.encoding == Encoding::YUYV {
        let rgb = yuyv::picture(&shot.bytes, mode.width, mode.height, shot.stride);
        return Picture::from_rgb(rgb.ok_or("it is cut off")?).map_err(|error| error.to_string());
    }
    Picture::from_bytes(&shot.bytes).map_err(|error| error.to_string())
}

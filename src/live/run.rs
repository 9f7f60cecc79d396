//! A reader over a capture, on a thread of its own: the newest frame each time, never one of a queue.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::FrameReader;
use crate::{
    capture::{Capture, Frame, SourceState},
    sight::SeenTile,
    tileset::SetName,
    vision::Reader,
};

/// How long to wait for a frame before the source's state is looked at.
const PATIENCE: Duration = Duration::from_millis(100);
/// A picture that stays is looked at so often after it has come, though nothing may seem to move in it, or when
/// the reader has changed: one look soon after that at another picture tells little of what is new, and
/// what is found anew has to be believed in.
const AGAIN: u32 = 10;
/// Weight of the last interval in the mean that gives the frame rate.
const RECENT: f32 = 0.1;

/// What lies on the table as of one frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The frame.
    pub frame: Arc<Frame>,
    /// The moment of which it tells: when the frame came, or was looked at again.
    pub at: Instant,
    /// The tiles, their probabilities accumulated over time; those a hand covers among them.
    pub tiles: Vec<SeenTile>,
    /// For each tile a number that stays with it while it lies there.
    pub ids: Vec<u64>,
    /// For each tile how long it has not been seen: it is covered, gone, or something else is seen there.
    pub unseen: Vec<Duration>,
    /// Whether nothing has moved or changed for a while: what is shown and scored has to be.
    pub settled: bool,
    /// Counts changes of the tiles.
    pub changed: u64,
    /// The tile set that has a say in their names.
    pub tileset: Option<SetName>,
    /// How the source is doing.
    pub source: SourceState,
    /// How long it took.
    pub timing: Timing,
}

/// How long a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// From the frame's coming, or its being looked at again, to this snapshot, in milliseconds.
    pub tracked_ms: f32,
    /// Of that the reading; 0 where the picture had not changed, in milliseconds.
    pub read_ms: f32,
    /// Frames a second that are looked at.
    pub fps: f32,
}

/// What the reader is to do before the next look.
type Change = Box<dyn FnOnce(&mut Reader) + Send>;

/// A source being read. Dropping it stops the reading and the source.
pub struct Live {
    capture: Arc<Capture>,
    stop: Arc<AtomicBool>,
    trouble: Arc<Mutex<Option<String>>>,
    change: Arc<Mutex<Option<Change>>>,
    thread: Option<JoinHandle<()>>,
}

impl Live {
    /// Starts reading. `on_snapshot` is called on the reading thread, after each frame, and when the
    /// source's state changes after the first one: what takes long in it slows the reading down.
    #[must_use]
    pub fn start(
        capture: Capture,
        reader: Reader,
        on_snapshot: impl FnMut(Snapshot) + Send + 'static,
    ) -> Self {
        let (capture, stop) = (Arc::new(capture), Arc::new(AtomicBool::new(false)));
        let (trouble, change) = (Arc::default(), Arc::default());
        let run = Run {
            capture: Arc::clone(&capture),
            stop: Arc::clone(&stop),
            trouble: Arc::clone(&trouble),
            change: Arc::clone(&change),
            on_snapshot,
            reading: FrameReader::new(reader),
        };
        let started = thread::Builder::new().name("live".to_owned()).spawn(move || run.run());
        if let Err(error) = &started {
            tell(&trouble, Some(format!("no thread could be started: {error}")));
        }
        Self { capture, stop, trouble, change, thread: started.ok() }
    }

    /// Has the reader do something before the next look, such as taking other tile sets. A second word
    /// before that look goes in place of the first.
    pub fn with_reader(&self, change: impl FnOnce(&mut Reader) + Send + 'static) {
        let mut waiting = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = Some(Box::new(change));
    }

    /// How the source is doing, from before the first frame on.
    #[must_use]
    pub fn source(&self) -> SourceState {
        self.capture.state()
    }

    /// What is wrong with the reading, or else the last thing that was wrong with a frame.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        let reading = self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone();
        reading.or_else(|| self.capture.trouble())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic in it has been printed; there is nothing more to do about it.
            let _ = thread.join();
        }
    }
}

fn tell(trouble: &Mutex<Option<String>>, what: Option<String>) {
    *trouble.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

struct Run<F> {
    capture: Arc<Capture>,
    stop: Arc<AtomicBool>,
    trouble: Arc<Mutex<Option<String>>>,
    change: Arc<Mutex<Option<Change>>>,
    on_snapshot: F,
    reading: FrameReader,
}

impl<F: FnMut(Snapshot)> Run<F> {
    fn run(mut self) {
        let mut so_far =
            SoFar { start: Instant::now(), number: 0, last: None, rate: Rate::default(), again: 0 };
        while !self.stop.load(Ordering::Relaxed) {
            // A frame over which the reader trips is no reason to see nothing for the rest of the evening.
            let looked = catch_unwind(AssertUnwindSafe(|| self.turn(&mut so_far)));
            if looked.is_err() {
                // What it remembers may be half of something.
                self.reading.with_reader(|_| ());
                tell(&self.trouble, Some("reading a frame broke off: it was left out".to_owned()));
            }
        }
    }

    /// Waits a moment for a frame and looks at it, or again at the one before where there is reason to.
    fn turn(&mut self, so_far: &mut SoFar) {
        let came = self.capture.newest(so_far.number, PATIENCE);
        let source = self.capture.state();
        let again = if self.change_reader() { AGAIN } else { so_far.again.saturating_sub(1) };
        so_far.again = again;
        let (start, changed) = (so_far.start, again > 0);
        let snapshot = match (came, so_far.last.take()) {
            (Some(frame), _) => {
                (so_far.number, so_far.again) = (frame.number, AGAIN);
                let since = frame.at;
                so_far.rate.count();
                self.look(frame, source, start, since, so_far.rate.fps())
            }
            // A folder's picture, or a video's last one, lies there until another one comes.
            (None, Some(before)) if (changed || !before.settled) && shows(&source) => {
                self.look(before.frame, source, start, Instant::now(), so_far.rate.fps())
            }
            (None, Some(before)) if before.source != source => Snapshot { source, ..before },
            (None, before) => {
                so_far.last = before;
                return;
            }
        };
        so_far.last = Some(snapshot.clone());
        (self.on_snapshot)(snapshot);
    }

    /// Does with the reader what waits to be done; whether there was anything.
    fn change_reader(&mut self) -> bool {
        let waiting = self.change.lock().unwrap_or_else(PoisonError::into_inner).take();
        let changes = waiting.is_some();
        if let Some(change) = waiting {
            self.reading.with_reader(change);
        }
        changes
    }

    /// Reads what a frame shows at a moment.
    fn look(
        &mut self,
        frame: Arc<Frame>,
        source: SourceState,
        start: Instant,
        moment: Instant,
        fps: f32,
    ) -> Snapshot {
        let at = moment.saturating_duration_since(start);
        let read = self.reading.read(&frame.picture, at);
        tell(&self.trouble, read.as_ref().err().map(ToString::to_string));
        let ms = |duration: Duration| 1e3 * duration.as_secs_f32();
        let tracker = self.reading.tracker();
        Snapshot {
            tiles: tracker.tiles(),
            ids: tracker.ids(),
            unseen: tracker.unseen(),
            settled: tracker.settled(at),
            changed: tracker.changed(),
            tileset: self.reading.tileset().cloned(),
            source,
            frame,
            at: moment,
            timing: Timing {
                tracked_ms: ms(moment.elapsed()),
                read_ms: ms(read.unwrap_or_default()),
                fps,
            },
        }
    }
}

/// What is known from one look to the next.
struct SoFar {
    start: Instant,
    /// That of the last frame that was looked at.
    number: u64,
    last: Option<Snapshot>,
    rate: Rate,
    /// So many looks at the same picture are still to come.
    again: u32,
}

/// Whether what came last is what is there.
const fn shows(source: &SourceState) -> bool {
    matches!(source, SourceState::Running { .. } | SourceState::Ended)
}

/// Frames a second, the recent ones counting more.
#[derive(Default)]
struct Rate {
    last: Option<Instant>,
    interval: Option<f32>,
}

impl Rate {
    fn count(&mut self) {
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            let passed = (now - last).as_secs_f32();
            self.interval =
                Some(self.interval.map_or(passed, |mean| mean + RECENT * (passed - mean)));
        }
    }

    fn fps(&self) -> f32 {
        self.interval.map_or(0.0, |interval| 1.0 / interval.max(1e-3))
    }
}

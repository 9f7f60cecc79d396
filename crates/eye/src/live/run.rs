//! Runs a reader over a capture on a thread of its own: always on the newest frame, without a queue.

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

/// Time to wait for a frame before the source's state is checked.
const PATIENCE: Duration = Duration::from_millis(100);
/// Number of times that an unchanged picture is read after it has come or the reader has changed: one reading
/// says little about its new tiles, which have to be confirmed.
const AGAIN: u32 = 10;
/// Weight of the last interval in the mean that gives the frame rate.
const RECENT: f32 = 0.1;

/// The tiles on the table as of one frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The frame.
    pub frame: Arc<Frame>,
    /// The time of the snapshot: when the frame came or was read again.
    pub at: Instant,
    /// The tiles, with accumulated probabilities, including those covered by a hand.
    pub tiles: Vec<SeenTile>,
    /// A number for each tile, constant while it is on the table.
    pub ids: Vec<u64>,
    /// For each tile the time since it was last seen: it may be covered, gone, or replaced.
    pub unseen: Vec<Duration>,
    /// Whether nothing has moved or changed for a while, which is required before a hand is shown and scored.
    pub settled: bool,
    /// Number of changes of the tiles.
    pub changed: u64,
    /// The tile set in use.
    pub tileset: Option<SetName>,
    /// The state of the source.
    pub source: SourceState,
    /// The time that it took.
    pub timing: Timing,
}

/// The time that a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// From the frame's arrival, or from reading it again, to this snapshot, in milliseconds.
    pub tracked_ms: f32,
    /// The part of it that reading took, in milliseconds; 0 for an unchanged picture.
    pub read_ms: f32,
    /// Frames read in a second.
    pub fps: f32,
}

/// A change of the reader before the next reading.
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
    /// Starts reading. `on_snapshot` is called on the reading thread, after each frame and, from the first frame
    /// on, when the source's state changes; slow work in it slows the reading down.
    #[must_use]
    pub fn start(
        capture: Capture,
        reader: Reader,
        on_snapshot: impl FnMut(Snapshot) + Send + 'static,
    ) -> Self {
        let (capture, stop) = (Arc::new(capture), Arc::new(AtomicBool::new(false)));
        let (trouble, change) = (Arc::default(), Arc::default());
        let run = ReadingLoop {
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

    /// Changes the reader before the next reading, for example its tile sets. Another change before that reading
    /// replaces this one.
    pub fn with_reader(&self, change: impl FnOnce(&mut Reader) + Send + 'static) {
        let mut waiting = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        *waiting = Some(Box::new(change));
    }

    /// The state of the source, also before the first frame.
    #[must_use]
    pub fn source(&self) -> SourceState {
        self.capture.state()
    }

    /// The error of the reading, or else the last error of a frame.
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
            // A panic has already been printed; nothing more can be done.
            let _ = thread.join();
        }
    }
}

fn tell(trouble: &Mutex<Option<String>>, what: Option<String>) {
    *trouble.lock().unwrap_or_else(PoisonError::into_inner) = what;
}

struct ReadingLoop<F> {
    capture: Arc<Capture>,
    stop: Arc<AtomicBool>,
    trouble: Arc<Mutex<Option<String>>>,
    change: Arc<Mutex<Option<Change>>>,
    on_snapshot: F,
    reading: FrameReader,
}

impl<F: FnMut(Snapshot)> ReadingLoop<F> {
    fn run(mut self) {
        let mut so_far =
            SoFar { start: Instant::now(), number: 0, last: None, rate: Rate::default(), again: 0 };
        while !self.stop.load(Ordering::Relaxed) {
            // A panic in one frame must not end the reading for the rest of the evening.
            let looked = catch_unwind(AssertUnwindSafe(|| self.turn(&mut so_far)));
            if looked.is_err() {
                // Its memory may be incomplete: it starts again.
                self.reading.with_reader(|_| ());
                tell(
                    &self.trouble,
                    Some("reading a frame failed unexpectedly: it was left out".to_owned()),
                );
            }
        }
    }

    /// Waits a moment for a frame and reads it, or reads the one before again if there is reason to.
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
                self.read_frame(frame, source, start, since, so_far.rate.fps())
            }
            // The picture of a folder, or the last one of a video, stays until another one comes.
            (None, Some(before)) if (changed || !before.settled) && shows(&source) => {
                self.read_frame(before.frame, source, start, Instant::now(), so_far.rate.fps())
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

    /// Applies a waiting change of the reader; returns whether there was one.
    fn change_reader(&mut self) -> bool {
        let waiting = self.change.lock().unwrap_or_else(PoisonError::into_inner).take();
        let changes = waiting.is_some();
        if let Some(change) = waiting {
            self.reading.with_reader(change);
        }
        changes
    }

    /// Reads a frame at a moment.
    fn read_frame(
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
            tiles: self.reading.tiles(),
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

/// The state between readings.
struct SoFar {
    start: Instant,
    /// Number of the last frame that was read.
    number: u64,
    last: Option<Snapshot>,
    rate: Rate,
    /// Number of readings of this picture still to come.
    again: u32,
}

/// Whether the source's last frame is still current.
const fn shows(source: &SourceState) -> bool {
    matches!(source, SourceState::Running { .. } | SourceState::Ended)
}

/// Frames in a second, the recent ones counting more.
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

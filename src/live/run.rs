//! A reader over a capture, on a thread of its own: the newest frame each time, never one of a queue.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{Place, Tracker, change::Changes};
use crate::{
    capture::{Capture, Frame, SourceState},
    vision::{LiveMemory, ModelError, Reader, SeenTile},
};

/// How long to wait for a frame before the source's state is looked at.
const PATIENCE: Duration = Duration::from_millis(100);
/// Nothing has changed for so long: time for one full reading, and then for none.
const STILL: Duration = Duration::from_millis(200);
/// Nothing moves in a place that has not changed for so long.
const STILL_THERE: Duration = Duration::from_millis(300);
/// Weight of the last interval in the mean that gives the frame rate.
const RECENT: f32 = 0.1;

/// What lies on the table as of one frame.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The frame.
    pub frame: Arc<Frame>,
    /// The tiles, their probabilities accumulated over time; those a hand covers among them.
    pub tiles: Vec<SeenTile>,
    /// For each tile a number that stays with it while it lies there.
    pub ids: Vec<u64>,
    /// Whether nothing has moved or changed for a while: what is shown and scored has to be.
    pub settled: bool,
    /// Counts changes of the tiles.
    pub changed: u64,
    /// How the source is doing.
    pub source: SourceState,
    /// How long it took.
    pub timing: Timing,
}

/// How long a frame took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Timing {
    /// From the frame's coming to this snapshot, in milliseconds.
    pub tracked_ms: f32,
    /// Of that the reading; 0 where the picture had not changed, in milliseconds.
    pub read_ms: f32,
    /// Frames a second that are looked at.
    pub fps: f32,
}

/// A source being read. Dropping it stops the reading and the source.
pub struct Live {
    capture: Arc<Capture>,
    stop: Arc<AtomicBool>,
    trouble: Arc<Mutex<Option<String>>>,
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
        let trouble = Arc::default();
        let run = Run {
            capture: Arc::clone(&capture),
            stop: Arc::clone(&stop),
            trouble: Arc::clone(&trouble),
            on_snapshot,
            reading: Reading::new(reader),
        };
        let started = thread::Builder::new().name("live".to_owned()).spawn(move || run.run());
        if let Err(error) = &started {
            tell(&trouble, Some(format!("no thread could be started: {error}")));
        }
        Self { capture, stop, trouble, thread: started.ok() }
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
    on_snapshot: F,
    reading: Reading,
}

impl<F: FnMut(Snapshot)> Run<F> {
    fn run(mut self) {
        let start = Instant::now();
        let mut last: Option<Snapshot> = None;
        let mut interval: Option<f32> = None;
        let mut before: Option<Instant> = None;
        while !self.stop.load(Ordering::Relaxed) {
            let number = last.as_ref().map_or(0, |snapshot| snapshot.frame.number);
            let Some(frame) = self.capture.newest(number, PATIENCE) else {
                let source = self.capture.state();
                if let Some(snapshot) = last.as_mut().filter(|snapshot| snapshot.source != source) {
                    snapshot.source = source;
                    (self.on_snapshot)(snapshot.clone());
                }
                continue;
            };
            let at = frame.at.saturating_duration_since(start);
            let read = match self.reading.read(&frame, at) {
                Ok(read) => {
                    tell(&self.trouble, None);
                    read
                }
                Err(error) => {
                    tell(&self.trouble, Some(error.to_string()));
                    Duration::ZERO
                }
            };
            let now = Instant::now();
            if let Some(before) = before.replace(now) {
                let passed = (now - before).as_secs_f32();
                interval = Some(interval.map_or(passed, |mean| mean + RECENT * (passed - mean)));
            }
            let timing = Timing {
                tracked_ms: 1e3 * (now - frame.at).as_secs_f32(),
                read_ms: 1e3 * read.as_secs_f32(),
                fps: interval.map_or(0.0, |interval| 1.0 / interval.max(1e-3)),
            };
            let tracker = &self.reading.tracker;
            let snapshot = Snapshot {
                tiles: tracker.tiles(),
                ids: tracker.ids(),
                settled: tracker.settled(at),
                changed: tracker.changed(),
                source: self.capture.state(),
                frame,
                timing,
            };
            last = Some(snapshot.clone());
            (self.on_snapshot)(snapshot);
        }
    }
}

/// The reader with its memory, and the tracker that it feeds.
struct Reading {
    reader: Reader,
    memory: LiveMemory,
    changes: Changes,
    tracker: Tracker,
    seen: Vec<SeenTile>,
    /// Whether what lies still has been read in full.
    in_full: bool,
}

impl Reading {
    fn new(reader: Reader) -> Self {
        Self {
            reader,
            memory: LiveMemory::default(),
            changes: Changes::default(),
            tracker: Tracker::default(),
            seen: Vec::new(),
            in_full: false,
        }
    }

    /// Reads a frame as far as it differs from those before, and tells the tracker; how long the
    /// reading took.
    fn read(&mut self, frame: &Frame, at: Duration) -> Result<Duration, ModelError> {
        let began = Instant::now();
        if self.changes.watch(&frame.picture, at) {
            self.in_full = false;
        }
        let mut took = Duration::ZERO;
        if !self.in_full {
            if self.changes.quiet(at) >= STILL {
                // It lies still: there is time for a full reading, and one is enough.
                self.seen = self.reader.read(&frame.picture)?;
                self.memory.learn(&frame.picture, &self.seen);
                self.in_full = true;
            } else {
                self.seen = self.reader.read_live(&frame.picture, &mut self.memory)?;
            }
            took = began.elapsed();
        }
        let (changes, tiles) = (&self.changes, self.tracker.places());
        self.tracker.observe_where(&self.seen, at, |place| {
            Some(if changes.quiet_at(place, at) < STILL_THERE {
                Place::Moving
            } else if changes.is_other_around(place, &tiles) {
                Place::Covered
            } else {
                Place::Bare
            })
        });
        if self.in_full && self.tracker.all_seen() {
            self.changes.remember();
        }
        Ok(took)
    }
}

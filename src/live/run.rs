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
/// Without a full reading of what lies there, of a place that has not changed for so long.
const SURELY_STILL: Duration = Duration::from_millis(1200);
/// While something moves and tiles are missing, there is a full reading every so long.
const FULL_EVERY: Duration = Duration::from_millis(1500);
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
    /// From the frame's coming, or its being looked at again, to this snapshot, in milliseconds.
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
        let mut rate = Rate::default();
        while !self.stop.load(Ordering::Relaxed) {
            let number = last.as_ref().map_or(0, |snapshot| snapshot.frame.number);
            let came = self.capture.newest(number, PATIENCE);
            let source = self.capture.state();
            let snapshot = match (came, last.take()) {
                (Some(frame), _) => {
                    let since = frame.at;
                    rate.count();
                    self.look(frame, source, start, since, rate.fps())
                }
                // A folder's picture, or a video's last one, lies there until another one comes.
                (None, Some(before)) if !before.settled && shows(&source) => {
                    self.look(before.frame, source, start, Instant::now(), rate.fps())
                }
                (None, Some(before)) if before.source != source => Snapshot { source, ..before },
                (None, before) => {
                    last = before;
                    continue;
                }
            };
            last = Some(snapshot.clone());
            (self.on_snapshot)(snapshot);
        }
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
        let read = self.reading.read(&frame, at);
        tell(&self.trouble, read.as_ref().err().map(ToString::to_string));
        let ms = |duration: Duration| 1e3 * duration.as_secs_f32();
        let tracker = &self.reading.tracker;
        Snapshot {
            tiles: tracker.tiles(),
            ids: tracker.ids(),
            settled: tracker.settled(at),
            changed: tracker.changed(),
            source,
            frame,
            timing: Timing {
                tracked_ms: ms(moment.elapsed()),
                read_ms: ms(read.unwrap_or_default()),
                fps,
            },
        }
    }
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

/// The reader with its memory, and the tracker that it feeds.
struct Reading {
    reader: Reader,
    memory: LiveMemory,
    changes: Changes,
    tracker: Tracker,
    seen: Vec<SeenTile>,
    /// Whether what lies still has been read in full.
    in_full: bool,
    /// When there was a full reading.
    last_full: Duration,
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
            last_full: Duration::ZERO,
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
        let still = self.changes.quiet(at) >= STILL;
        let due = at.saturating_sub(self.last_full) >= FULL_EVERY && !self.tracker.all_seen();
        let in_full = !self.in_full && (still || due);
        if in_full {
            // It lies still: there is time for a full reading, and one is enough.
            self.seen = self.reader.read(&frame.picture)?;
            self.memory.learn(&frame.picture, &self.seen);
            (self.in_full, self.last_full) = (still, at);
        } else if !self.in_full {
            self.seen = self.reader.read_live(&frame.picture, &mut self.memory)?;
        }
        if in_full || !self.in_full {
            took = began.elapsed();
        }
        let (changes, tiles) = (&self.changes, self.tracker.places());
        let long_enough = if in_full || self.in_full { STILL_THERE } else { SURELY_STILL };
        self.tracker.observe_where(&self.seen, at, |place| {
            Some(if changes.is_as_before(place) {
                Place::AsBefore
            } else if changes.quiet_at(place, at) < long_enough {
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use image::{Rgb, RgbImage, imageops};

    use super::*;
    use crate::{layout, vision::Picture};

    /// A photo of the repository with a margin, through which a camera looks.
    struct Scene {
        photo: RgbImage,
        reading: Reading,
        at: Duration,
    }

    const SIZE: [u32; 2] = [960, 720];
    const STEP: Duration = Duration::from_millis(66);

    impl Scene {
        fn new() -> Self {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("datasets/photos/tables/pung-from-left.jpg");
            let photo = image::open(path).unwrap().into_rgb8();
            let filter = imageops::FilterType::Triangle;
            let photo = imageops::resize(&photo, SIZE[0] + 80, SIZE[1] + 60, filter);
            let reading = Reading::new(Reader::builtin(2).unwrap());
            Self { photo, reading, at: Duration::ZERO }
        }

        /// A frame of the photo, seen from a place, with something over it.
        fn see(&mut self, from: [u32; 2], over: impl Fn(u32, u32) -> Option<Rgb<u8>>) {
            let mut rgb =
                imageops::crop_imm(&self.photo, from[0], from[1], SIZE[0], SIZE[1]).to_image();
            let noise = self.at.as_millis() as u32;
            for (x, y, pixel) in rgb.enumerate_pixels_mut() {
                if let Some(colour) = over(x, y) {
                    *pixel = colour;
                }
                let shade = ((x * 31 + y * 17 + noise) % 7) as u8;
                pixel.0 = pixel.0.map(|channel| channel.saturating_add(shade));
            }
            self.at += STEP;
            let picture = Picture::from_rgb(rgb).unwrap();
            let frame = Frame { picture: Arc::new(picture), at: Instant::now(), number: 1 };
            self.reading.read(&frame, self.at).unwrap();
        }

        fn see_for(&mut self, frames: usize, from: [u32; 2]) {
            for _ in 0..frames {
                self.see(from, |_, _| None);
            }
        }

        fn settled(&self) -> bool {
            self.reading.tracker.settled(self.at)
        }

        fn text(&self) -> Option<String> {
            let hand = layout::read(&self.reading.tracker.tiles(), &layout::Hints::default()).hand;
            hand.map(|hand| hand.reading.to_string())
        }
    }

    const HAND: &str = "123m456p55z78s (7'77z) +9s";

    #[test]
    fn a_hand_is_read_under_an_arm_and_through_a_nudge() {
        let mut scene = Scene::new();
        scene.see_for(20, [40, 30]);
        assert!(scene.settled());
        assert_eq!(scene.text().as_deref(), Some(HAND));
        let ids = scene.reading.tracker.ids();
        // An arm goes over the tiles, and stays over some for a while.
        for frame in 0..24u32 {
            let x = (frame * 40).min(520);
            let skin = Rgb([205, 150, 125]);
            scene.see([40, 30], |u, v| ((x..x + 130).contains(&u) && v > 150).then_some(skin));
            assert_eq!(scene.reading.tracker.tiles().len(), ids.len(), "frame {frame}");
            assert_eq!(scene.text().as_deref(), Some(HAND), "frame {frame}");
        }
        assert!(!scene.settled(), "nobody knows what is under it");
        scene.see_for(20, [40, 30]);
        assert!(scene.settled());
        assert_eq!(scene.reading.tracker.ids(), ids);
        let changed = scene.reading.tracker.changed();
        scene.see_for(1, [46, 33]);
        scene.see_for(1, [58, 36]);
        scene.see_for(20, [64, 40]);
        assert!(scene.settled());
        assert_eq!(scene.text().as_deref(), Some(HAND));
        assert_eq!(scene.reading.tracker.ids(), ids, "the same tiles, moved");
        assert!(scene.reading.tracker.changed() <= changed + 3, "they moved together");
    }

    #[test]
    fn what_does_not_change_is_not_read_again() {
        let mut scene = Scene::new();
        scene.see_for(20, [40, 30]);
        let read = scene.reading.last_full;
        scene.see_for(10, [40, 30]);
        assert!(scene.reading.in_full);
        assert_eq!(scene.reading.last_full, read);
    }

    #[test]
    fn a_tile_taken_away_is_gone_soon() {
        let mut scene = Scene::new();
        scene.see_for(20, [40, 30]);
        let before = scene.reading.tracker.tiles();
        // The winning tile, which lies apart at the right.
        let right = |tile: &SeenTile| crate::vision::quad::centre(&tile.corners)[0];
        let gone = before.iter().max_by(|a, b| right(a).total_cmp(&right(b))).unwrap().corners;
        let [left, top, right, bottom] = crate::vision::quad::bounding_box(&gone).map(|v| v as u32);
        // Its body shows around the face.
        let [left, top, right, bottom] = [left - 10, top - 10, right + 10, bottom + 25];
        // What lies above and below it, run into each other.
        let photo = scene.photo.clone();
        let cloth = |u: u32, v: u32| {
            let part = (v - top) as f32 / (bottom - top) as f32;
            let [a, b] = [top - 8, bottom + 8].map(|v| photo.get_pixel(u + 40, v + 30).0);
            let mix = |k: usize| f32::from(a[k]) + part * (f32::from(b[k]) - f32::from(a[k]));
            Rgb([0, 1, 2].map(|k| mix(k) as u8))
        };
        let inside = |u: u32, v: u32| (left..=right).contains(&u) && (top..=bottom).contains(&v);
        for _ in 0..20 {
            scene.see([40, 30], |u, v| inside(u, v).then(|| cloth(u, v)));
        }
        assert_eq!(scene.reading.tracker.tiles().len(), before.len() - 1);
        assert!(scene.settled(), "within 1.3 s");
    }
}

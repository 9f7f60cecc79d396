//! Reads the frames of one source one after another: in full once the picture is at rest, and only its changes
//! before that. It has no clock and no threads: the caller gives the time.

use std::time::{Duration, Instant};

use super::{
    TrackedSlot, Tracker,
    change::Changes,
    places::{Places, SlotAppearance},
    steady::Steady,
};
use crate::{
    picture::Picture,
    sight::{Corners, SeenTile, quad::overlap},
    tileset::SetName,
    vision::{LiveMemory, ModelError, Reader},
};

/// Time without change after which one full reading is made.
const STILL: Duration = Duration::from_millis(200);
/// Least overlap (intersection over union) at which two detections are one tile.
const FOUND: f32 = 0.6;
/// Interval of full readings while something moves and tiles are missing.
const FULL_EVERY: Duration = Duration::from_millis(1500);

/// A reader with its memory, and the tracker that it feeds.
pub struct FrameReader {
    reader: Reader,
    memory: LiveMemory,
    steady: Steady,
    changes: Changes,
    places: Places,
    tracker: Tracker,
    seen: Vec<SeenTile>,
    /// Whether the picture at rest has been read in full.
    in_full: bool,
    /// The time of the last full reading.
    last_full: Duration,
}

impl FrameReader {
    /// The tile set in use, if one fits.
    #[must_use]
    pub fn tileset(&self) -> Option<&SetName> {
        self.reader.tileset().filter(|set| set.weight > 0.0).map(|set| set.name)
    }

    /// A frame reader before its first frame.
    #[must_use]
    pub fn new(reader: Reader) -> Self {
        Self {
            reader,
            memory: LiveMemory::default(),
            steady: Steady::default(),
            changes: Changes::default(),
            places: Places::default(),
            tracker: Tracker::default(),
            seen: Vec::new(),
            in_full: false,
            last_full: Duration::ZERO,
        }
    }

    /// Changes the reader, for example its tile sets; the next frame is classified again.
    pub fn with_reader(&mut self, change: impl FnOnce(&mut Reader)) {
        change(&mut self.reader);
        (self.memory, self.in_full) = (LiveMemory::default(), false);
    }

    /// The tracker as of the last frame.
    #[must_use]
    pub const fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    /// The tiles on the table, where they lie in the last frame.
    #[must_use]
    pub fn tiles(&self) -> Vec<SeenTile> {
        let mut tiles = self.tracker.tiles();
        let motion = self.steady.motion();
        tiles.iter_mut().for_each(|tile| tile.corners = motion.quad(&tile.corners));
        tiles
    }

    /// Reads the changes of a frame, at a time that does not go back, and passes them to the tracker. Returns the
    /// time that the networks took, 0 without a change.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read(&mut self, frame: &Picture, at: Duration) -> Result<Duration, ModelError> {
        let began = Instant::now();
        let held = self.steady.held(frame);
        let picture = &*held;
        if self.changes.watch(picture, at) {
            self.in_full = false;
        }
        let mut took = Duration::ZERO;
        let before = self.seen.clone();
        let still = self.changes.quiet(at) >= STILL;
        let due = at.saturating_sub(self.last_full) >= FULL_EVERY && !self.tracker.all_seen();
        // The moving things are at rest now, though the picture may still flicker here and there.
        let moved = self.changes.moved();
        let came_to_rest = moved >= self.last_full && at.saturating_sub(moved) >= STILL;
        let in_full = !self.in_full && (still || due || came_to_rest);
        if in_full {
            // At rest there is time for a full reading, and one is enough.
            self.seen = self.reader.read(picture)?;
            self.memory.learn(picture, &self.seen);
            self.steady.rest(picture);
            (self.in_full, self.last_full) = (still, at);
        } else if !self.in_full {
            let changed = self.changes.boxes(at);
            self.seen = self.reader.read_live(picture, &mut self.memory, &changed)?;
        }
        if in_full || !self.in_full {
            took = began.elapsed();
        }
        let (changes, places) = (&self.changes, &self.places);
        let tiles: Vec<Corners> = self.tracker.places().map(|(_, corners, _)| corners).collect();
        self.tracker.observe_where(&self.seen, at, |id, place| {
            Some(match places.appearance(picture, id, place, at) {
                SlotAppearance::AsWithTile => TrackedSlot::AsBefore,
                SlotAppearance::Changing => TrackedSlot::Moving,
                SlotAppearance::Otherwise
                    if changes.is_other_around(place, &tiles) && !changes.is_as_without(place) =>
                {
                    TrackedSlot::Covered
                }
                SlotAppearance::Otherwise => TrackedSlot::Bare,
            })
        });
        // Recalled tiles are in exactly the same place.
        let found: Vec<&SeenTile> = (self.seen.iter())
            .filter(|tile| in_full || before.iter().all(|other| other.corners != tile.corners))
            .collect();
        let is_found =
            |corners: &Corners| found.iter().any(|tile| overlap(&tile.corners, corners)[0] > FOUND);
        let places = self.tracker.places();
        let places = places.map(|(id, corners, seen)| (id, corners, seen && is_found(&corners)));
        self.places.watch(picture, places, at);
        let (seen, missing): (Vec<_>, Vec<_>) = self.tracker.places().partition(|(.., seen)| *seen);
        let corners = |tiles: Vec<(u64, Corners, bool)>| -> Vec<Corners> {
            tiles.into_iter().map(|(_, corners, _)| corners).collect()
        };
        // A tile that is seen and not yet confirmed is not bare table either.
        let seen = [corners(seen), self.seen.iter().map(|tile| tile.corners).collect()].concat();
        self.changes.remember(&seen, &corners(missing), at);
        Ok(took)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use image::{Rgb, RgbImage, imageops};

    use super::*;
    use crate::{layout, picture::Picture};

    /// A photo of the repository with a margin, through which a camera looks.
    struct Scene {
        photo: RgbImage,
        reading: FrameReader,
        at: Duration,
    }

    const SIZE: [u32; 2] = [960, 720];
    const STEP: Duration = Duration::from_millis(66);

    impl Scene {
        fn new() -> Self {
            let path = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("../../datasets/photos/tables/pung-from-left.jpg");
            let photo = image::open(path).unwrap().into_rgb8();
            let filter = imageops::FilterType::Triangle;
            let photo = imageops::resize(&photo, SIZE[0] + 80, SIZE[1] + 60, filter);
            let reading = FrameReader::new(Reader::builtin(2).unwrap());
            Self { photo, reading, at: Duration::ZERO }
        }

        /// Reads a frame of the photo from a place, with an overlay.
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
            self.reading.read(&picture, self.at).unwrap();
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
        // An arm moves over the tiles, and rests on some for a while.
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

    /// A camera on a shelf that people walk by. The tiles are where the frame shows them.
    #[test]
    fn a_sway_is_not_read_again_and_its_tiles_move_with_the_picture() {
        let mut scene = Scene::new();
        scene.see_for(20, [40, 30]);
        let (read, ids) = (scene.reading.last_full, scene.reading.tracker.ids());
        let left = |tiles: &[SeenTile]| tiles.iter().map(|tile| tile.corners[0][0]).sum::<f32>();
        let before = left(&scene.reading.tiles());
        for [x, y] in
            [[41, 30], [42, 31], [43, 31], [42, 30], [40, 29], [38, 30], [37, 31], [39, 30]]
        {
            scene.see_for(1, [x, y]);
            assert!(scene.reading.in_full && scene.settled(), "{x} {y}");
            let by = (before - left(&scene.reading.tiles())) / ids.len() as f32;
            assert!((by + 40.0 - x as f32).abs() < 0.5, "{x} {y}: {by}");
        }
        assert_eq!((scene.reading.last_full, scene.reading.tracker.ids()), (read, ids));
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
    fn what_comes_to_rest_is_read_in_full_though_the_picture_flickers() {
        let mut scene = Scene::new();
        scene.see_for(20, [40, 30]);
        for frame in 0..6u32 {
            let arm = frame * 150..frame * 150 + 130;
            scene.see([40, 30], |u, _| arm.contains(&u).then_some(Rgb([205, 150, 125])));
        }
        let gone = scene.at;
        // Flicker of a video's compression on the cloth, each frame somewhere else.
        for frame in 0..8u32 {
            let [x, y] = [10 + 90 * frame, 10];
            let inside = |u: u32, v: u32| (x..x + 12).contains(&u) && (y..y + 12).contains(&v);
            scene.see([40, 30], |u, v| inside(u, v).then_some(Rgb([250; 3])));
            assert!(!scene.reading.in_full);
        }
        assert!(scene.reading.last_full > gone, "{gone:?}");
        let read = scene.reading.last_full;
        for frame in 0..8u32 {
            let [x, y] = [10 + 90 * frame, 30];
            let inside = |u: u32, v: u32| (x..x + 12).contains(&u) && (y..y + 12).contains(&v);
            scene.see([40, 30], |u, v| inside(u, v).then_some(Rgb([250; 3])));
        }
        assert_eq!(scene.reading.last_full, read, "once is enough");
        assert_eq!(scene.text().as_deref(), Some(HAND));
    }

    #[test]
    fn a_tile_taken_away_is_gone_soon() {
        let mut scene = Scene::new();
        scene.see_for(20, [40, 30]);
        let before = scene.reading.tracker.tiles();
        // The winning tile, apart at the right.
        let right = |tile: &SeenTile| crate::sight::quad::centre(&tile.corners)[0];
        let gone = before.iter().max_by(|a, b| right(a).total_cmp(&right(b))).unwrap().corners;
        let [left, top, right, bottom] = crate::sight::quad::bounding_box(&gone).map(|v| v as u32);
        // Its body shows around the face.
        let [left, top, right, bottom] = [left - 10, top - 10, right + 10, bottom + 25];
        // Mixes the picture above and below the tile.
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

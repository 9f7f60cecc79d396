//! Reads a picture's tiles: detect, merge detections over scales, classify, judge.

use std::path::Path;

use super::{
    ModelError,
    agreement::Cluster,
    features::features,
    inside::Inside,
    networks::{CROP, Classified, Models, REJECT},
    out_of_shape::{BLIND, SHOWN, into_shape},
    passes::{self, DetectorPass},
    pixels::{Lights, Pixels},
    rules::Rule,
    tilesets::Tilesets,
    verdicts::{in_reading_order, judged, laid_out, lies_face_down},
    views::{COLDEST, Pool},
    whites::JudgedDetection,
};
use crate::{
    picture::Picture,
    sight::{
        Corners, SeenTile,
        quad::{from_corner, grown},
    },
    tileset::TurnedEmbedding,
};

/// Crops that are no tile with at least this probability are not classified again.
const NO_TILE: f32 = 0.95;
/// Crops with a face of at least this probability are not classified again.
const PLAIN: f32 = 0.999;
/// Sides of the quad, in its own, in each of the four turns of an unsure crop: the exact edges then matter less.
const ROOM: [f32; 4] = [1.0, 1.06, 0.95, 1.0];
/// Crops in one run of the classifier.
const BATCH: usize = 64;

/// The networks and the rules that use them. Runs on `threads` threads; OpenCV uses as many as the program's
/// first reader was given.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tilelens_eye::{picture::Picture, vision::Reader};
/// let mut reader = match Reader::builtin(2) {
///     Ok(reader) => reader,
///     Err(_) => return Ok(()), // built without ONNX Runtime
/// };
/// let blank = image::RgbImage::from_pixel(320, 240, image::Rgb([20, 90, 60]));
/// assert!(reader.read(&Picture::from_rgb(blank)?)?.is_empty());
/// # Ok(()) }
/// ```
pub struct Reader {
    pub(super) models: Models,
    pub(super) tilesets: Tilesets,
    watcher: Option<Watcher>,
    /// The record of a reading, where it is wanted.
    pub(super) inside: Option<Inside>,
    /// Rules that are left out.
    without: Vec<Rule>,
    /// Readings since the watcher was set.
    readings: u32,
    /// The networks' work on the last picture.
    pub(super) work: Work,
    /// Whether the last full reading saw the tiles with light and dark exchanged.
    pub(super) exchanged: bool,
}

/// The networks' work on a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Work {
    /// Pixels in the detector's passes.
    pub detector_pixels: usize,
    /// Crops that the corner network was given.
    pub fitted: usize,
    /// Crops that the classifier was given.
    pub named: usize,
}

/// A step that a reader is about to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Whether tiles are being classified, rather than detected.
    pub naming: bool,
    /// Number of the picture since the watcher was set, from 1 on.
    pub reading: u32,
}

/// Called before each step; the reader stops where it returns false.
pub type Watcher = Box<dyn FnMut(Step) -> bool + Send>;

/// A crop and the classifier's output for it.
pub(super) struct Crop {
    /// The classes, turns and red of the crop.
    pub classified: Classified,
    /// The embedding of each turn; empty without tile sets.
    pub shown: Vec<TurnedEmbedding>,
}

impl Reader {
    /// A reader with the built-in networks.
    ///
    /// # Errors
    /// ONNX Runtime is missing.
    pub fn builtin(threads: usize) -> Result<Self, ModelError> {
        Ok(Self::of(Models::builtin(threads)?))
    }

    fn of(models: Models) -> Self {
        Self {
            models,
            tilesets: Tilesets::default(),
            watcher: None,
            inside: None,
            without: Vec::new(),
            readings: 0,
            work: Work::default(),
            exchanged: false,
        }
    }

    /// A reader with the networks of a folder: see [`Models::from_folder`].
    ///
    /// # Errors
    /// A file is missing, damaged, or another kind of network.
    pub fn from_folder(folder: &Path, threads: usize) -> Result<Self, ModelError> {
        Ok(Self::of(Models::from_folder(folder, threads)?))
    }

    /// Leaves rules out from now on, to measure their worth.
    pub fn leave_out(&mut self, rules: &[Rule]) {
        self.without = rules.to_vec();
    }

    /// The networks' work on the last picture.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Whether a rule applies.
    pub(super) fn heeds(&self, rule: Rule) -> bool {
        !self.without.contains(&rule)
    }

    /// Sets or removes the watcher of every step. A reading that the watcher stops returns
    /// [`ModelError::Stopped`].
    pub fn watch(&mut self, watcher: Option<Watcher>) {
        (self.watcher, self.readings) = (watcher, 0);
    }

    /// Counts the readings, for the watcher.
    fn begin_reading(&mut self) {
        self.readings += u32::from(self.watcher.is_some());
    }

    pub(super) fn step(&mut self, naming: bool) -> Result<(), ModelError> {
        let Some(watcher) = &mut self.watcher else { return Ok(()) };
        let goes_on = watcher(Step { naming, reading: self.readings });
        if goes_on { Ok(()) } else { Err(ModelError::Stopped) }
    }

    /// Every tile of a picture, from the top to the bottom, in each row from the left; empty if no tile shows its
    /// face.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        self.begin_reading();
        self.work = Work::default();
        let lights = Lights::new(picture.rgb())?;
        let (mut seen, mut pool) = self.see(&lights, picture)?;
        if self.heeds(Rule::Pull) {
            let (width, height) = (picture.width(), picture.height());
            let shows_little = seen.has_detail && pool.shown().len() < SHOWN;
            let exchanged = pool.is_exchanged();
            for pull in BLIND.into_iter().filter(|_| shows_little) {
                let passes = passes::in_shape(width, height, &[], pull, seen.next_level());
                self.run_passes(&lights, picture, passes, exchanged, &mut seen)?;
                pool = self.pool(&lights, &seen, pool)?;
            }
            if let Some(pull) = into_shape(&pool.shown()) {
                let detections = seen.warm(COLDEST, exchanged);
                let passes = passes::in_shape(width, height, &detections, pull, seen.next_level());
                self.run_passes(&lights, picture, passes, exchanged, &mut seen)?;
                pool = self.pool(&lights, &seen, pool)?;
            }
        }
        self.exchanged = pool.is_exchanged();
        let pixels = lights.pixels(self.exchanged);
        let Pool { clusters, crops, cold } = pool;
        let found: Vec<JudgedDetection> = (clusters.iter().chain(&cold))
            .map(|cluster| JudgedDetection {
                quad: cluster.quad,
                score: cluster.score,
                is_back: cluster.is_back(),
            })
            .collect();
        self.tilesets.choose(&crops);
        let classified = self.tilesets.classified(crops);
        let mut tiles = self.judge(&clusters, classified, &seen.passes, picture);
        // Cells of a pattern look like face-down tiles; among real ones some show a face.
        if tiles.iter().all(lies_face_down) {
            return Ok(Vec::new());
        }
        self.keep_step("judged", &tiles);
        self.apply(Rule::Proposals, &mut tiles, |reader, tiles| reader.propose(pixels, tiles))?;
        self.apply(Rule::Whites, &mut tiles, |reader, tiles| {
            reader.settle_whites(pixels, &found, tiles)
        })?;
        Ok(in_reading_order(tiles))
    }

    /// Applies one step to the tiles, unless its rule is left out.
    fn apply(
        &mut self,
        rule: Rule,
        tiles: &mut Vec<SeenTile>,
        step: impl FnOnce(&mut Self, &mut Vec<SeenTile>) -> Result<(), ModelError>,
    ) -> Result<(), ModelError> {
        if self.heeds(rule) {
            step(self, tiles)?;
            self.keep_step(rule.name(), tiles);
        }
        Ok(())
    }

    /// Every tile of a picture in which tiles were laid out: a detection of the size of the known faces is a tile,
    /// whatever it shows. Tile sets do not count.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read_laid_out(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        self.begin_reading();
        let lights = Lights::new(picture.rgb())?;
        let (mut seen, pool) = self.see(&lights, picture)?;
        self.exchanged = pool.is_exchanged();
        // Each tile counts and there is time, so the whole picture is read closely as well.
        let passes = passes::laid_out(picture.width(), picture.height(), seen.next_level());
        self.run_passes(&lights, picture, passes, self.exchanged, &mut seen)?;
        let Pool { clusters, crops, .. } = self.pool(&lights, &seen, pool)?;
        let classified: Vec<Classified> = (clusters.iter().zip(crops))
            .map(|(cluster, crop)| laid_out(crop.classified, cluster.is_back()))
            .collect();
        Ok(self.judge(&clusters, classified, &seen.passes, picture))
    }

    /// Judges which candidates are tiles.
    pub(super) fn judge(
        &mut self,
        clusters: &[Cluster],
        classified: Vec<Classified>,
        passes: &[DetectorPass],
        picture: &Picture,
    ) -> Vec<SeenTile> {
        let features = features(clusters, &classified, passes, [picture.width(), picture.height()]);
        self.keep_candidates(clusters, &features);
        judged(clusters, classified, &features)
    }

    /// The classes of quads, tile sets included.
    pub(super) fn classified(
        &mut self,
        pixels: &Pixels<'_>,
        quads: &[Corners],
    ) -> Result<Vec<Classified>, ModelError> {
        let crops = self.classify(pixels, quads)?;
        Ok(self.tilesets.classified(crops))
    }

    /// Classifies quads; unsure ones by the mean over four turns, each cut a little larger or smaller. With tile- set
    /// profiles each crop has its embeddings.
    pub(super) fn classify(
        &mut self,
        pixels: &Pixels<'_>,
        quads: &[Corners],
    ) -> Result<Vec<Crop>, ModelError> {
        const SIZE: usize = 3 * CROP * CROP;
        let mut classified = Vec::with_capacity(quads.len());
        for batch in quads.chunks(BATCH) {
            self.step(true)?;
            let mut crops = vec![0.0; batch.len() * SIZE];
            for (quad, crop) in batch.iter().zip(crops.chunks_exact_mut(SIZE)) {
                pixels.upright(quad, crop)?;
            }
            let mut first = self.crops(&crops, 0)?;
            let sure = |crop: &Crop| {
                crop.classified.classes.iter().any(|p| *p >= PLAIN)
                    || crop.classified.classes[REJECT] >= NO_TILE
            };
            let unsure: Vec<usize> = (0..batch.len()).filter(|n| !sure(&first[*n])).collect();
            if self.heeds(Rule::Turns) {
                let mut turned = vec![0.0; unsure.len() * SIZE];
                for (turns, times) in ROOM.into_iter().enumerate().skip(1) {
                    for (n, crop) in unsure.iter().zip(turned.chunks_exact_mut(SIZE)) {
                        pixels.upright(&from_corner(&grown(&batch[*n], times), turns), crop)?;
                    }
                    for (n, again) in unsure.iter().zip(self.crops(&turned, turns)?) {
                        add(&mut first[*n].classified, &again.classified, turns);
                        first[*n].shown.extend(again.shown);
                    }
                }
                for n in unsure {
                    let all = &mut first[n].classified;
                    all.red /= ROOM.len() as f32;
                    let each = all.classes.iter_mut().chain(&mut all.turns);
                    each.for_each(|p| *p /= ROOM.len() as f32);
                }
            }
            self.keep_crops(batch, &crops, &first);
            classified.append(&mut first);
        }
        Ok(classified)
    }

    /// Classifies crops turned by `quarters` quarters.
    fn crops(&mut self, crops: &[f32], quarters: usize) -> Result<Vec<Crop>, ModelError> {
        self.work.named += crops.len() / (3 * CROP * CROP);
        if self.tilesets.is_empty() {
            let classified = self.models.classify(crops)?.into_iter();
            return Ok(classified
                .map(|classified| Crop { classified, shown: Vec::new() })
                .collect());
        }
        let crops = self.models.embed(crops)?.into_iter();
        Ok(crops
            .map(|(classified, embedding)| Crop {
                classified,
                shown: vec![TurnedEmbedding { quarters, embedding }],
            })
            .collect())
    }
}

/// Adds the reading after `turns` quarter turns, its turns counted from the first corner.
fn add(sum: &mut Classified, again: &Classified, turns: usize) {
    for (sum, p) in sum.classes.iter_mut().zip(&again.classes) {
        *sum += p;
    }
    for (k, p) in again.turns.iter().enumerate() {
        sum.turns[(k + turns) % 4] += p;
    }
    sum.red += again.red;
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            networks::{
                CLASSES, WHITE,
                painted::{RunFunction, detected, painted},
            },
            verdicts::seen_tile,
        },
        *,
    };

    const SIZE: [u32; 2] = [760, 480];
    const FOUR_OF_DOTS: usize = 12;
    const TWO_OF_DOTS: usize = 10;

    fn reader(detector: RunFunction) -> Reader {
        Reader::of(Models::painted(detector))
    }

    /// The `number`th tile of a row.
    fn place(number: u32) -> [u32; 4] {
        [80 + 66 * number, 200, 64, 84]
    }

    /// A row of tiles, each of another class from the first on, and the last ones overlooked.
    fn row(seen: usize, overlooked: usize) -> Vec<([u32; 4], usize, bool)> {
        (0..seen + overlooked).map(|class| (place(class as u32), class, class < seen)).collect()
    }

    /// The class of each tile that is read.
    fn read(
        reader: &mut Reader,
        tiles: &[([u32; 4], usize, bool)],
    ) -> Result<Vec<usize>, ModelError> {
        let picture = Picture::from_rgb(painted(SIZE, tiles)).expect("a picture");
        let best = |tile: &SeenTile| tile.likeliest_faces()[0].0.index();
        Ok(reader.read(&picture)?.iter().map(best).collect())
    }

    #[test]
    fn a_row_is_read_from_the_left_each_crop_shown_once() {
        let mut reader = reader(detected);
        let mut tiles = row(9, 0);
        tiles.reverse();
        assert_eq!(read(&mut reader, &tiles).unwrap(), (0..9).collect::<Vec<_>>());
        let work = reader.work();
        // Besides the nine tiles the corner network gets the places beyond both ends.
        assert_eq!((work.fitted, work.named), (11, 9));
    }

    #[test]
    fn cloth_costs_one_look_that_finds_nothing_to_see() {
        let mut reader = reader(detected);
        assert_eq!(read(&mut reader, &[]).unwrap(), Vec::<usize>::new());
        assert_eq!(reader.work(), Work::default());
    }

    /// The detector's passes over a row of things that are no tiles.
    fn passes_over(things: u32) -> usize {
        let mut reader = reader(detected);
        reader.leave_out(&[Rule::Pull]);
        reader.keep_inside(true);
        let row: Vec<_> = (0..things).map(|number| (place(number), REJECT, true)).collect();
        read(&mut reader, &row).unwrap();
        reader.take_inside().passes.len()
    }

    #[test]
    fn the_other_light_is_followed_only_where_its_first_pass_shows_as_much() {
        // With light and dark exchanged the cloth is one large bright thing.
        assert_eq!(passes_over(3), 2);
        assert!(passes_over(1) > 2);
    }

    #[test]
    fn tiles_that_were_overlooked_at_the_end_of_a_row_are_read() {
        let tiles = row(6, 2);
        assert_eq!(read(&mut reader(detected), &tiles).unwrap(), (0..8).collect::<Vec<_>>());
        let mut without = reader(detected);
        without.leave_out(&[Rule::Proposals]);
        assert_eq!(read(&mut without, &tiles).unwrap(), (0..6).collect::<Vec<_>>());
    }

    #[test]
    fn a_tile_taken_for_its_two_halves_is_read_whole() {
        let mut tiles = row(6, 0);
        let [left, top, width, height] = place(6);
        let half = width / 2 - 2;
        tiles.push(([left, top, width, height], FOUR_OF_DOTS, false));
        tiles.push(([left, top, half, height], TWO_OF_DOTS, true));
        tiles.push(([left + width - half, top, half, height], TWO_OF_DOTS, true));
        assert_eq!(read(&mut reader(detected), &tiles).unwrap(), [0, 1, 2, 3, 4, 5, FOUR_OF_DOTS]);
    }

    #[test]
    fn a_reading_ends_where_its_watcher_stops_it_or_a_network_fails() {
        let mut stopped = reader(detected);
        stopped.watch(Some(Box::new(|step| !step.naming)));
        assert!(matches!(read(&mut stopped, &row(6, 0)), Err(ModelError::Stopped)));
        let mut failing = reader(|_, _| Err("no memory".to_owned()));
        let why = read(&mut failing, &row(6, 0)).unwrap_err();
        assert!(why.to_string().contains("no memory"), "{why}");
        let mut strange = reader(|_, _| Ok(vec![(vec![1, 10, 1, 1], vec![0.0; 10])]));
        let why = read(&mut strange, &row(6, 0)).unwrap_err();
        assert!(why.to_string().contains("[1, 10, 1, 1]"), "{why}");
    }

    /// Whether what may be a plain white dragon, of this height in pixels, still is one after the judge of blanks, at the end of a
    /// row of printed faces.
    fn stays_white(faces: u32, height: u32) -> bool {
        let shows = |[left, top, width, height]: [u32; 4], class: usize, p: f32| {
            let [left, top, right, low] = [left, top, left + width, top + height].map(|x| x as f32);
            let mut classes = [0.0; CLASSES];
            (classes[class], classes[FOUR_OF_DOTS]) = (p, 1.0 - p);
            let classified = Classified { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 };
            seen_tile(0.9, &[[left, top], [right, top], [right, low], [left, low]], &classified)
        };
        let mut tiles: Vec<SeenTile> =
            (0..faces).map(|number| shows(place(number), number as usize, 0.99)).collect();
        let [left, top, width, _] = place(faces);
        tiles.push(shows([left, top, width, height], WHITE, 0.7));
        let picture = painted(SIZE, &row(faces as usize, 0));
        let lights = Lights::new(&picture).unwrap();
        reader(detected).settle_whites(lights.pixels(false), &[], &mut tiles).unwrap();
        tiles.len() > faces as usize
    }

    #[test]
    fn the_top_of_a_standing_tile_is_no_white_dragon() {
        assert!(!stays_white(6, 40), "half as high as the faces beside it");
        assert!(
            stays_white(3, 40),
            "with too few faces to compare with, the classifier's word counts"
        );
    }
}

//! From a picture to its tiles: look, find, agree over scales, name.

use std::path::Path;

use super::{
    ModelError,
    agreement::{Cluster, clusters},
    dark_bodies::{are_dark, inverted},
    ends::{ends, is_free},
    features::features,
    halves::{self, Whole},
    inside::Inside,
    judgement::{
        COVERS, IS_FACE, SURE_FACE, TILE_AROUND, best, in_reading_order, judged, laid_out,
        lies_face_down, seen_tile, white,
    },
    looks,
    networks::{BACK, CROP, Models, Named, REJECT},
    out_of_shape::{BLIND, SHOWN, into_shape},
    pixels::Pixels,
    rules::Rule,
    tilesets::Tilesets,
    views::{COLDEST, Pool, Seen},
    whites::Detection,
};
use crate::{
    picture::Picture,
    sight::{
        Corners, SeenTile,
        quad::{from_corner, grown, overlap},
    },
    tileset::Shown,
};

/// What is no tile more surely than this needs no second look,
const NO_TILE: f32 = 0.99;
/// nor does a face named more surely than this,
const PLAIN: f32 = 0.999;
/// others are looked at in each of its turns, its quad so many times as large: where exactly its edges are matters less then.
const ROOM: [f32; 4] = [1.0, 1.06, 0.95, 1.0];
/// Most tiles by which a row goes on.
const MORE_OF_A_ROW: usize = 6;
/// How sure one is that what lies beyond the end of a row is a tile.
const AT_END: f32 = 0.75;
/// A white dragon's frame beyond the end of a row is one where the corner network's logit of a tile exceeds this.
const FRAME_AROUND: f32 = 3.3;
/// Places that share this much of both are one.
const ASKED: f32 = 0.85;
/// How sure one is that halves of a tile which cannot be named are two.
const HALF_IS_TILE: f32 = 0.5;
/// Crops in one run of the classifier.
const BATCH: usize = 64;

/// The networks and the way they are used. Runs on `threads` threads; what OpenCV does of it, on as many as the program's
/// first reader was given.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tilelens::{picture::Picture, vision::Reader};
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
    /// What happens, where somebody wants to see it.
    pub(super) inside: Option<Inside>,
    /// Rules that are left out.
    without: Vec<Rule>,
    /// Readings since it is watched.
    readings: u32,
    /// What the networks were shown for the last picture.
    pub(super) work: Work,
}

/// What the networks were shown for a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Work {
    /// Pixels that the detector was shown.
    pub detector_pixels: usize,
    /// Crops that the network of corners was shown.
    pub fitted: usize,
    /// Crops that the classifier was shown.
    pub named: usize,
}

/// What a reader is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Tiles are named, rather than looked for.
    pub naming: bool,
    /// Which picture since the reader is watched, from 1 on.
    pub reading: u32,
}

/// Called before each step; where it returns false the reader stops there.
pub type Watcher = Box<dyn FnMut(Step) -> bool + Send>;

/// A crop as the classifier sees it.
pub(super) struct Crop {
    /// What it says.
    pub named: Named,
    /// What its last layer made of each turn; empty where no tile set asks.
    pub shown: Vec<Shown>,
}

impl Reader {
    /// With the networks inside the program.
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
        }
    }

    /// With the networks of a folder: see [`Models::from_folder`].
    ///
    /// # Errors
    /// A file is missing, damaged, or another kind of network.
    pub fn from_folder(folder: &Path, threads: usize) -> Result<Self, ModelError> {
        Ok(Self::of(Models::from_folder(folder, threads)?))
    }

    /// Leaves rules out from now on, to see what they are worth.
    pub fn leave_out(&mut self, rules: &[Rule]) {
        self.without = rules.to_vec();
    }

    /// What the networks were shown for the last picture that was read.
    #[must_use]
    pub fn work(&self) -> Work {
        self.work
    }

    /// Whether a rule is heeded.
    pub(super) fn heeds(&self, rule: Rule) -> bool {
        !self.without.contains(&rule)
    }

    /// Has somebody watch every step from now on, or nobody. A reading that the watcher stops is
    /// [`ModelError::Stopped`].
    pub fn watch(&mut self, watcher: Option<Watcher>) {
        (self.watcher, self.readings) = (watcher, 0);
    }

    /// Counts the readings of a picture, for whoever watches.
    fn begin_reading(&mut self) {
        self.readings += u32::from(self.watcher.is_some());
    }

    pub(super) fn step(&mut self, naming: bool) -> Result<(), ModelError> {
        let Some(watcher) = &mut self.watcher else { return Ok(()) };
        let goes_on = watcher(Step { naming, reading: self.readings });
        if goes_on { Ok(()) } else { Err(ModelError::Stopped) }
    }

    /// Every tile of a picture, from the top to the bottom, in each row from the left; none where none shows its face.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        self.begin_reading();
        self.work = Work::default();
        let pixels = Pixels::new(picture.rgb())?;
        let seen = self.see(&pixels, picture)?;
        let pool = self.pool(&pixels, &seen, Pool::default())?;
        let quads: Vec<Corners> = pool.clusters.iter().map(|cluster| cluster.quad).collect();
        let is_doubtful = 2 * pool.shown().len() < quads.len();
        if self.heeds(Rule::Dark) && is_doubtful && are_dark(&pixels, &quads)? {
            let exchanged = inverted(picture)?;
            let others = Pixels::new(exchanged.rgb())?;
            let other = self.see(&others, &exchanged)?;
            let other_pool = self.pool(&others, &other, Pool::default())?;
            if other_pool.shown().len() > pool.shown().len() {
                return self.reading(&others, &exchanged, other, other_pool);
            }
        }
        self.reading(&pixels, picture, seen, pool)
    }

    /// What is made of all that was seen.
    fn reading(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
        mut seen: Seen,
        mut pool: Pool,
    ) -> Result<Vec<SeenTile>, ModelError> {
        if self.heeds(Rule::Pull) {
            let (width, height) = (picture.width(), picture.height());
            let shows_little = seen.has_detail && pool.shown().len() < SHOWN;
            for pull in BLIND.into_iter().filter(|_| shows_little) {
                let looks = looks::in_shape(width, height, &[], pull, seen.next_level());
                self.look_at(pixels, picture, looks, &mut seen)?;
                pool = self.pool(pixels, &seen, pool)?;
            }
            if let Some(pull) = into_shape(&pool.shown()) {
                let finds = seen.warm(COLDEST);
                let looks = looks::in_shape(width, height, &finds, pull, seen.next_level());
                self.look_at(pixels, picture, looks, &mut seen)?;
                pool = self.pool(pixels, &seen, pool)?;
            }
        }
        let Pool { clusters, crops, cold } = pool;
        let found: Vec<Detection> = (clusters.iter().chain(&cold))
            .map(|cluster| Detection {
                quad: cluster.quad,
                score: cluster.heat,
                is_back: cluster.is_back(),
            })
            .collect();
        self.tilesets.choose(&crops);
        let named = self.tilesets.named(crops);
        let picture = [picture.width(), picture.height()];
        let features = features(&clusters, &named, &seen.looks, picture);
        self.keep_candidates(&clusters, &features);
        let mut tiles = judged(&clusters, named, &features);
        // Cells of a pattern look like tiles that lie face down; where these lie, others show a face.
        if tiles.iter().all(lies_face_down) {
            return Ok(Vec::new());
        }
        self.keep_step("judged", &tiles);
        self.apply(Rule::Halves, &mut tiles, |reader, tiles| {
            reader.join_halves(pixels, tiles)?;
            reader.complete_halves(pixels, tiles)
        })?;
        self.apply(Rule::Ends, &mut tiles, |reader, tiles| reader.fill_rows(pixels, tiles))?;
        self.apply(Rule::Whites, &mut tiles, |reader, tiles| {
            reader.settle_whites(pixels, &found, tiles)
        })?;
        Ok(in_reading_order(tiles))
    }

    /// One step over the tiles, unless its rule is left out.
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

    /// Looks for tiles beyond the ends of rows until no more are found.
    fn fill_rows(
        &mut self,
        pixels: &Pixels<'_>,
        tiles: &mut Vec<SeenTile>,
    ) -> Result<(), ModelError> {
        let mut asked = Vec::new();
        for _ in 0..MORE_OF_A_ROW {
            let more = self.beyond_rows(pixels, tiles, &mut asked)?;
            if more.is_empty() {
                break;
            }
            let covered = |tile: &SeenTile| {
                more.iter().any(|new| overlap(&new.corners, &tile.corners)[0] >= COVERS[0])
            };
            tiles.retain(|tile| !covered(tile));
            tiles.extend(more);
            if self.heeds(Rule::Halves) {
                self.join_halves(pixels, tiles)?;
            }
        }
        Ok(())
    }

    /// Puts the whole tile in the place of its two halves, where it can be named; where it cannot and they are no two tiles, they are left in
    /// doubt.
    fn join_halves(
        &mut self,
        pixels: &Pixels<'_>,
        tiles: &mut Vec<SeenTile>,
    ) -> Result<(), ModelError> {
        let quads: Vec<Corners> = tiles.iter().map(|tile| tile.corners).collect();
        let sure = |tile: &SeenTile| tile.faces.iter().position(|p| *p > SURE_FACE);
        let faces: Vec<Option<usize>> = tiles.iter().map(sure).collect();
        let wholes = halves::wholes(&quads, &faces);
        for whole in wholes.iter().filter(|whole| whole.is_surely_one) {
            whole.halves.iter().for_each(|half| tiles[*half].doubt(HALF_IS_TILE));
        }
        let quads: Vec<Corners> = wholes.iter().map(|whole| whole.quad).collect();
        let named = self.named(pixels, &quads)?.into_iter();
        let mut faces: Vec<(f32, Whole, Named)> = (wholes.into_iter().zip(named))
            .filter_map(|(whole, named)| {
                let face = best(&named.classes);
                let finds = whole.halves.map(|half| {
                    let face = best(&tiles[half].faces);
                    (face, tiles[half].faces[face])
                });
                let is_tile = shows_sure_face(&named) && !halves::are_two(face, finds);
                is_tile.then_some((named.classes[face], whole, named))
            })
            .collect();
        faces.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut gone, mut joined) = (Vec::new(), Vec::new());
        for (_, whole, named) in faces {
            if !whole.halves.iter().any(|half| gone.contains(half)) {
                let found = whole.halves.map(|half| tiles[half].found);
                joined.push(seen_tile(found[0].min(found[1]), &whole.quad, &named));
                gone.extend(whole.halves);
            }
        }
        put_in_place(tiles, &gone, joined);
        Ok(())
    }

    /// Puts the whole tile in the place of a half whose other half was not found beside it, where it can be named.
    fn complete_halves(
        &mut self,
        pixels: &Pixels<'_>,
        tiles: &mut Vec<SeenTile>,
    ) -> Result<(), ModelError> {
        let quads: Vec<Corners> = tiles.iter().map(|tile| tile.corners).collect();
        let lone = halves::lone(&quads);
        let mut places: Vec<Corners> = lone.iter().flat_map(|(_, places)| *places).collect();
        self.fit(pixels, &mut places)?;
        let named = self.named(pixels, &places)?;
        let halves: Vec<usize> = lone.iter().map(|(half, _)| *half).collect();
        let (mut gone, mut whole) = (Vec::new(), Vec::new());
        for ((half, places), named) in
            halves.iter().zip(places.chunks_exact(4)).zip(named.chunks_exact(4))
        {
            let face = |named: &Named| named.classes[best(&named.classes)];
            // What else the whole covers has to be a half as well, and is gone with this one.
            let others = |place: &Corners| {
                let covered = |other: &usize| overlap(place, &quads[*other])[1] > COVERS[0];
                (0..quads.len()).filter(covered).collect::<Vec<usize>>()
            };
            let surest = (places.iter().zip(named))
                .filter(|(place, named)| {
                    shows_sure_face(named)
                        && best(&named.classes) != best(&tiles[*half].faces)
                        && halves::holds(place, &quads[*half])
                        && others(place).iter().all(|other| halves.contains(other))
                })
                .max_by(|(_, a), (_, b)| face(a).total_cmp(&face(b)));
            let covered = surest.map(|(place, _)| others(place)).unwrap_or_default();
            let free = !covered.iter().any(|other| gone.contains(other));
            if let Some((place, named)) = surest.filter(|_| free) {
                gone.extend(covered);
                whole.push(seen_tile(tiles[*half].found, place, named));
            }
        }
        put_in_place(tiles, &gone, whole);
        Ok(())
    }

    /// The overlooked tiles by which rows go on: a face that can be named, or a framed white dragon that lies as a tile does.
    fn beyond_rows(
        &mut self,
        pixels: &Pixels<'_>,
        tiles: &[SeenTile],
        asked: &mut Vec<Corners>,
    ) -> Result<Vec<SeenTile>, ModelError> {
        let faces: Vec<Corners> = tiles.iter().filter(|tile| is_face(tile)).map(quad).collect();
        let mut taken: Vec<Corners> = tiles.iter().map(quad).collect();
        let mut places = ends(&faces, &taken);
        places.retain(|place| pixels.shows(place) && is_new(asked, place));
        let around = self.fit(pixels, &mut places)?;
        let (places, around): (Vec<Corners>, Vec<f32>) =
            (places.into_iter().zip(around)).filter(|(_, around)| *around > TILE_AROUND).unzip();
        let mut found = Vec::new();
        for ((place, around), named) in places.iter().zip(around).zip(self.named(pixels, &places)?)
        {
            let framed = is_sure_white(&named) && around > FRAME_AROUND;
            if is_free(place, &taken) && (shows_sure_face(&named) || framed) {
                taken.push(*place);
                found.push(seen_tile(AT_END, place, &named));
            }
        }
        Ok(found)
    }

    /// Every tile of a picture in which tiles were laid out: what is found to be one, and is as large
    /// as the faces that are known, is one, whatever it shows. No tile set has a say.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read_laid_out(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        self.begin_reading();
        let pixels = Pixels::new(picture.rgb())?;
        let mut seen = self.see(&pixels, picture)?;
        // Each tile counts, and there is time: all of it is looked at closely as well.
        for look in looks::laid_out(picture.width(), picture.height(), seen.next_level()) {
            self.look_at(&pixels, picture, vec![look], &mut seen)?;
        }
        let mut clusters = clusters(&seen.finds, &seen.looks);
        self.fit_clusters(&pixels, &mut clusters)?;
        let quads: Vec<Corners> = clusters.iter().map(|cluster| cluster.quad).collect();
        let crops = self.classify(&pixels, &quads)?;
        Ok(laid_out(&clusters, crops.into_iter().map(|crop| crop.named).collect()))
    }

    /// Fits the corners of what several scales see.
    fn fit_clusters(
        &mut self,
        pixels: &Pixels<'_>,
        clusters: &mut [Cluster],
    ) -> Result<(), ModelError> {
        let mut quads: Vec<Corners> = clusters.iter().map(|cluster| cluster.quad).collect();
        let tiles = self.fit(pixels, &mut quads)?;
        for ((cluster, quad), tile) in clusters.iter_mut().zip(quads).zip(tiles) {
            (cluster.quad, cluster.tile) = (quad, tile);
        }
        Ok(())
    }

    /// What quads show, tile sets taken into account.
    fn named(&mut self, pixels: &Pixels<'_>, quads: &[Corners]) -> Result<Vec<Named>, ModelError> {
        let crops = self.classify(pixels, quads)?;
        Ok(self.tilesets.named(crops))
    }

    /// Names quads, the unsure ones by the mean of what the classifier says of all four turns, each cut a little larger or smaller. Where profiles of tile sets are
    /// at hand each crop has its embeddings with it.
    pub(super) fn classify(
        &mut self,
        pixels: &Pixels<'_>,
        quads: &[Corners],
    ) -> Result<Vec<Crop>, ModelError> {
        const SIZE: usize = 3 * CROP * CROP;
        let mut named = Vec::with_capacity(quads.len());
        for batch in quads.chunks(BATCH) {
            self.step(true)?;
            let mut crops = vec![0.0; batch.len() * SIZE];
            for (quad, crop) in batch.iter().zip(crops.chunks_exact_mut(SIZE)) {
                pixels.upright(quad, crop)?;
            }
            let mut first = self.crops(&crops, 0)?;
            let sure = |crop: &Crop| {
                crop.named.classes.iter().any(|p| *p >= PLAIN)
                    || crop.named.classes[REJECT] >= NO_TILE
            };
            let unsure: Vec<usize> = (0..batch.len()).filter(|n| !sure(&first[*n])).collect();
            if self.heeds(Rule::Turns) {
                let mut turned = vec![0.0; unsure.len() * SIZE];
                for (turns, times) in ROOM.into_iter().enumerate().skip(1) {
                    for (n, crop) in unsure.iter().zip(turned.chunks_exact_mut(SIZE)) {
                        pixels.upright(&from_corner(&grown(&batch[*n], times), turns), crop)?;
                    }
                    for (n, again) in unsure.iter().zip(self.crops(&turned, turns)?) {
                        add(&mut first[*n].named, &again.named, turns);
                        first[*n].shown.extend(again.shown);
                    }
                }
                for n in unsure {
                    let all = &mut first[n].named;
                    all.red /= ROOM.len() as f32;
                    let each = all.classes.iter_mut().chain(&mut all.turns);
                    each.for_each(|p| *p /= ROOM.len() as f32);
                }
            }
            self.keep_crops(batch, &crops, &first);
            named.append(&mut first);
        }
        Ok(named)
    }

    /// Names crops that were turned by so many quarters.
    fn crops(&mut self, crops: &[f32], quarters: usize) -> Result<Vec<Crop>, ModelError> {
        self.work.named += crops.len() / (3 * CROP * CROP);
        if self.tilesets.is_empty() {
            let named = self.models.classify(crops)?.into_iter();
            return Ok(named.map(|named| Crop { named, shown: Vec::new() }).collect());
        }
        let crops = self.models.embed(crops)?.into_iter();
        Ok(crops
            .map(|(named, embedding)| Crop { named, shown: vec![Shown { quarters, embedding }] })
            .collect())
    }
}

/// Whether nobody asked about a place before; from now on somebody has.
fn is_new(asked: &mut Vec<Corners>, place: &Corners) -> bool {
    let is_new = !asked.iter().any(|other| overlap(other, place)[0] > ASKED);
    if is_new {
        asked.push(*place);
    }
    is_new
}

/// Puts other tiles in the place of those with these numbers.
fn put_in_place(tiles: &mut Vec<SeenTile>, gone: &[usize], others: Vec<SeenTile>) {
    let mut number = 0..;
    tiles.retain(|_| number.next().is_none_or(|number| !gone.contains(&number)));
    tiles.extend(others);
}

/// Adds what was read after `turns` quarter turns, its turns counted from the first corner.
fn add(sum: &mut Named, again: &Named, turns: usize) {
    for (sum, p) in sum.classes.iter_mut().zip(&again.classes) {
        *sum += p;
    }
    for (k, p) in again.turns.iter().enumerate() {
        sum.turns[(k + turns) % 4] += p;
    }
    sum.red += again.red;
}

/// Whether there is a face on it that can be named surely; a white dragon's might be any blank.
fn shows_sure_face(named: &Named) -> bool {
    let best = best(&named.classes);
    best < BACK && Some(best) != white() && named.classes[best] > SURE_FACE
}

fn is_sure_white(named: &Named) -> bool {
    white().is_some_and(|white| named.classes[white] > SURE_FACE)
}

/// Whether a tile likelier shows some face than not, and which can be told.
fn is_face(tile: &SeenTile) -> bool {
    tile.faces.iter().any(|p| *p > IS_FACE)
}

fn quad(tile: &SeenTile) -> Corners {
    tile.corners
}

//! Reads a frame with the memory of the frames before: one detector pass over the parts that changed, at the scale of
//! the known tiles. Only places that are new, changed or unsure are classified; the others keep their reading.

use super::{
    ModelError, Reader,
    agreement::clusters,
    features::logit,
    networks::{BACK, CLASSES, Classified, REJECT},
    passes::{self, DetectorPass},
    pixels::{Lights, Pixels},
    verdicts::in_reading_order,
};
use crate::{
    picture::Picture,
    sight::{
        Corners, SeenTile,
        quad::{bounding_box, from_corner, nearest_start, overlap, sides},
    },
    tile::Face,
};
/// Least probability of a tile that one pass detects where no tile was known. A full reading relies on several
/// passes instead.
const SURELY_NEW: f32 = 0.55;
/// Least overlap (intersection over union) with a tile's former place at which a tile is taken to be there.
const WAS_THERE: f32 = 0.2;
/// A classification is reused if a class has a higher probability than this.
const SURE: f32 = 0.97;
/// Number of frames, about, for which a classification is reused.
const OLD: u32 = 24;
/// Largest distance of any corner from where it was, as a share of the short side, for a quad that has not moved.
const SAME_PLACE: f32 = 0.12;
/// Number of samples across and down a quad, to compare its look.
pub(crate) const SAMPLES: usize = 8;
/// Largest mean difference, in grey levels, between the samples of an unchanged tile, after a common shift is
/// removed.
const SAME_LOOK: f32 = 9.0;
/// Number of frames for which a tile that is not detected is still looked for in its place.
const STAYS: u32 = 90;
/// Number of frames within which a covered tile is recognised when it shows again.
const COVERED: u32 = 900;
/// Most covered places kept.
const MOST_COVERED: usize = 300;
/// Least overlap (intersection over union) at which a detection is the known tile again.
const FOUND_AGAIN: f32 = 0.35;
/// A quad with more than this share of it inside another tile is a part of that tile.
const PART: f32 = 0.6;

/// The memory of a reader from frame to frame: one for each source, empty at first.
#[derive(Default)]
pub struct LiveMemory {
    known: Vec<KnownPlace>,
    frames: u32,
    /// Places where a tile was covered, each with the number of that frame.
    covered: Vec<(Corners, u32)>,
}

/// A place in which something was detected.
struct KnownPlace {
    quad: Corners,
    said: Recalled,
    samples: [f32; SAMPLES * SAMPLES],
    /// Frames since it was last detected.
    missed: u32,
    /// The tile it was judged to be, if any.
    tile: Option<SeenTile>,
    /// Whether a full reading judged it.
    in_full: bool,
}

/// The networks' output for a place.
#[derive(Clone)]
struct Recalled {
    classified: Classified,
    /// Logit of the probability of a tile, by the corner network.
    around: f32,
    /// Frames since it was classified.
    age: u32,
}

impl LiveMemory {
    /// Replaces the memory by a full reading of a frame; places that may be covered are kept.
    pub fn learn(&mut self, picture: &Picture, tiles: &[SeenTile]) {
        let learnt = tiles.iter().map(|tile| KnownPlace {
            quad: tile.corners,
            said: Recalled { classified: classified(tile), around: logit(tile.found), age: 0 },
            samples: grey_samples(picture, &tile.corners),
            missed: 0,
            tile: Some(tile.clone()),
            in_full: true,
        });
        let before = std::mem::replace(&mut self.known, learnt.collect());
        for gone in before.iter().filter(|known| known.tile.is_some() && known.in_full) {
            self.cover(gone.quad);
        }
        self.uncover(tiles);
    }

    /// Notes that something covers a tile.
    fn cover(&mut self, place: Corners) {
        let known = |(other, _): &(Corners, u32)| overlap(other, &place)[0] > WAS_THERE;
        if self.covered.len() < MOST_COVERED && !self.covered.iter().any(known) {
            self.covered.push((place, self.frames));
        }
    }

    /// Forgets covered places where there are tiles, and those covered too long ago.
    fn uncover(&mut self, tiles: &[SeenTile]) {
        let now = self.frames;
        self.covered.retain(|(place, since)| {
            let free = |tile: &SeenTile| overlap(&tile.corners, place)[0] <= WAS_THERE;
            now.wrapping_sub(*since) < COVERED && tiles.iter().all(free)
        });
    }

    /// Short sides of the known tiles.
    fn short_sides(&self) -> Vec<f32> {
        let tiles = self.known.iter().filter(|known| known.tile.is_some());
        tiles.map(|known| sides(&known.quad)[0]).collect()
    }

    fn has_tile_at(&self, quad: &Corners) -> bool {
        let known = self.known.iter().filter(|known| known.tile.is_some()).map(|known| &known.quad);
        let mut places = known.chain(self.covered.iter().map(|(place, _)| place));
        places.any(|place| overlap(place, quad)[0] > WAS_THERE)
    }

    /// The memory of a quad that has not moved or changed, its turns counted from the quad's first corner.
    fn recall(&self, picture: &Picture, quad: &Corners) -> Option<Recalled> {
        let known = self.known.iter().find(|known| is_place(&known.quad, quad))?;
        let sure = known.said.classified.classes.iter().any(|p| *p > SURE);
        // Spread by place, so that not all expire at the same time.
        let old = OLD + (known.quad[0][0] as u32 / 8) % (OLD / 2);
        let start = nearest_start(quad, &known.quad);
        let same = || {
            is_same_pattern(
                &known.samples,
                &grey_samples(picture, &from_corner(quad, (4 - start) % 4)),
            )
        };
        if !sure || known.said.age >= old || !same() {
            return None;
        }
        let mut again = Recalled { age: known.said.age + 1, ..known.said.clone() };
        again.classified.turns = [0, 1, 2, 3].map(|k| known.said.classified.turns[(k + start) % 4]);
        Some(again)
    }
}

impl Reader {
    /// The tiles of a frame, with the memory of the frames before: many times as fast as [`Reader::read`], and
    /// equally good if
    /// [`LiveMemory::learn`] was given a full reading. `changed`: boxes (left, top, right, bottom, in pixels)
    /// outside of which the frame
    /// is unchanged.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read_live(
        &mut self,
        picture: &Picture,
        memory: &mut LiveMemory,
        changed: &[[f32; 4]],
    ) -> Result<Vec<SeenTile>, ModelError> {
        let (width, height) = (picture.width(), picture.height());
        memory.frames = memory.frames.wrapping_add(1);
        let Some(mut passes) = passes::live(width, height, &memory.short_sides(), changed) else {
            let tiles = self.read(picture)?;
            memory.learn(picture, &tiles);
            return Ok(tiles);
        };
        let lights = Lights::new(picture.rgb())?;
        let pixels = lights.pixels(self.exchanged);
        let mut seen = Vec::new();
        for pass in &mut passes {
            pass.exchanged = self.exchanged;
            self.run_pass(pixels, pass, picture, &mut seen)?;
        }
        let mut clusters = clusters(&seen, &passes);
        let quads: Vec<Corners> = clusters.iter().map(|cluster| cluster.quad).collect();
        let all = self.recalled_or_classified(pixels, picture, memory, &quads)?;
        for (cluster, said) in clusters.iter_mut().zip(&all) {
            cluster.tile = said.around;
        }
        let names = all.iter().map(|one| one.classified.clone()).collect();
        let mut tiles = self.judge(&clusters, names, &passes, picture);
        tiles.retain(|tile| tile.found >= SURELY_NEW || memory.has_tile_at(&tile.corners));
        let mut known: Vec<KnownPlace> = (quads.iter().zip(all))
            .map(|(quad, said)| {
                let samples = grey_samples(picture, quad);
                KnownPlace { quad: *quad, said, samples, missed: 0, tile: None, in_full: false }
            })
            .collect();
        for tile in &tiles {
            let mine = known.iter_mut().find(|known| is_place(&known.quad, &tile.corners));
            if let Some(mine) = mine {
                mine.tile = Some(tile.clone());
            }
        }
        let mut lost = Vec::new();
        for mut old in memory.known.drain(..) {
            let Some(tile) = &old.tile else { continue };
            if !passes.iter().any(|pass| is_in_sight(&old.quad, pass)) {
                tiles.push(tile.clone());
                known.push(old);
                continue;
            }
            let covers = |quad: &Corners| overlap(quad, &old.quad)[0] > FOUND_AGAIN;
            let again = tiles.iter().any(|tile| covers(&tile.corners));
            let stays = if old.in_full { true } else { !again && old.missed < STAYS };
            // A part of a tile that now shows whole.
            let part = |quad: &Corners| overlap(quad, &old.quad)[1] > PART;
            let stays =
                stays && !tiles.iter().any(|tile| part(&tile.corners) && !covers(&tile.corners));
            if !stays || !is_same_pattern(&old.samples, &grey_samples(picture, &old.quad)) {
                if !again {
                    lost.push(old.quad);
                }
                continue;
            }
            // Unchanged: the earlier reading, from more than one pass, is better.
            tiles.retain(|tile| !covers(&tile.corners));
            known.retain(|known| !covers(&known.quad));
            tiles.push(tile.clone());
            old.missed += 1;
            known.push(old);
        }
        lost.into_iter().for_each(|place| memory.cover(place));
        memory.uncover(&tiles);
        memory.known = known;
        Ok(in_reading_order(tiles))
    }

    /// The memory of unchanged places, and the networks' output for the others.
    fn recalled_or_classified(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
        memory: &LiveMemory,
        quads: &[Corners],
    ) -> Result<Vec<Recalled>, ModelError> {
        let recalled: Vec<Option<Recalled>> =
            quads.iter().map(|quad| memory.recall(picture, quad)).collect();
        let mut new: Vec<Corners> = (quads.iter().zip(&recalled))
            .filter(|(_, recalled)| recalled.is_none())
            .map(|(quad, _)| *quad)
            .collect();
        let around = self.fit(pixels, &mut new)?;
        let crops = self.classify(pixels, &new)?;
        // The tile set is chosen where the whole table is read.
        let fresh = self.tilesets.classified(crops).into_iter().zip(around);
        let mut fresh = fresh.map(|(classified, around)| Recalled { classified, around, age: 0 });
        let all = recalled.into_iter().map(|recalled| recalled.or_else(|| fresh.next()));
        let all: Option<Vec<Recalled>> = all.collect();
        all.ok_or_else(|| ModelError::Run("a crop was not classified".to_owned()))
    }
}

/// Whether a pass shows any part of a quad.
fn is_in_sight(quad: &Corners, pass: &DetectorPass) -> bool {
    let [left, top, right, bottom] = bounding_box(quad);
    let inside = |from: f32, to: f32, axis: usize| {
        from < pass.high[axis] as f32 && to > pass.low[axis] as f32
    };
    inside(left, right, 0) && inside(top, bottom, 1)
}

fn classified(tile: &SeenTile) -> Classified {
    let mut classes = [0.0; CLASSES];
    classes[..Face::COUNT].copy_from_slice(&tile.faces);
    classes[BACK] = tile.back;
    classes[REJECT] = tile.reject;
    Classified { classes, turns: tile.turns, red: tile.red }
}

fn is_place(a: &Corners, b: &Corners) -> bool {
    let most = SAME_PLACE * sides(a)[0];
    let b = from_corner(b, nearest_start(a, b));
    a.iter().zip(&b).all(|(p, q)| (p[0] - q[0]).hypot(p[1] - q[1]) < most)
}

/// Grey levels at points spread over a quad, from its first corner on, each the mean of a few pixels.
pub(crate) fn grey_samples(picture: &Picture, quad: &Corners) -> [f32; SAMPLES * SAMPLES] {
    let rgb = picture.rgb();
    let (width, height) = (rgb.width() as i32, rgb.height() as i32);
    // Points as far apart as the samples are: a mean over more would blur, over less would alias.
    let reach = (sides(quad)[0] / SAMPLES as f32 / 2.0).clamp(1.0, 4.0) as i32;
    let [a, b, c, d] = *quad;
    let mut samples = [0.0; SAMPLES * SAMPLES];
    for (place, sample) in samples.iter_mut().enumerate() {
        let u = ((place % SAMPLES) as f32 + 0.5) / SAMPLES as f32;
        let v = ((place / SAMPLES) as f32 + 0.5) / SAMPLES as f32;
        let [x, y] = [0, 1].map(|k| {
            let (top, bottom) = (a[k] + u * (b[k] - a[k]), d[k] + u * (c[k] - d[k]));
            (top + v * (bottom - top)) as i32
        });
        let (mut sum, mut count) = (0u32, 0u32);
        for py in (y - reach).max(0)..=(y + reach).min(height - 1) {
            for px in (x - reach).max(0)..=(x + reach).min(width - 1) {
                let [r, g, b] = rgb.get_pixel(px as u32, py as u32).0.map(u32::from);
                sum += r + 2 * g + b;
                count += 4;
            }
        }
        *sample = sum as f32 / count.max(1) as f32;
    }
    samples
}

/// Whether two sets of samples show the same, apart from the light.
pub(crate) fn is_same_pattern(a: &[f32; SAMPLES * SAMPLES], b: &[f32; SAMPLES * SAMPLES]) -> bool {
    let count = (SAMPLES * SAMPLES) as f32;
    let shift = a.iter().zip(b).map(|(a, b)| a - b).sum::<f32>() / count;
    let differ = a.iter().zip(b).map(|(a, b)| (a - b - shift).abs()).sum::<f32>() / count;
    // A common shift is the light, unless it is large.
    differ < SAME_LOOK && shift.abs() < 4.0 * SAME_LOOK
}

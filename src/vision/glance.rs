//! A frame among frames: one look at what has changed, as large as the tiles known so far need, and
//! names only for what is new, has changed or was unsure. What looks the same as before is the same.

use super::{
    ModelError, Reader,
    agreement::clusters,
    features::logit,
    judgement::in_reading_order,
    looks::{self, Look},
    networks::{BACK, CLASSES, Named, REJECT},
    pixels::Pixels,
};
use crate::{
    picture::Picture,
    sight::{
        Corners, SeenTile,
        quad::{bounding_box, from_corner, nearest_start, overlap, sides},
    },
    tile::Face,
};
/// What one look alone finds where no tile was is one if it is found as surely as this: a full
/// reading has the agreement of several looks instead.
const SURELY_NEW: f32 = 0.55;
/// It is where a tile was when it shares this much of both with it.
const WAS_THERE: f32 = 0.2;
/// A name is taken over if it was surer than this,
const SURE: f32 = 0.97;
/// for at most about so many glances.
const OLD: u32 = 24;
/// A quad is where it was when no corner is farther away than this share of the short side.
const SAME_PLACE: f32 = 0.12;
/// Samples across and down a quad that tell whether it looks the same.
pub(crate) const SAMPLES: usize = 8;
/// Grey levels, beside a common shift of all, by which samples of an unchanged tile differ in the mean.
const SAME_LOOK: f32 = 9.0;
/// A tile that was not found again is looked for in its place for so many glances.
const STAYS: u32 = 90;
/// Where one was covered, it is taken for one when it shows again within so many glances.
const COVERED: u32 = 900;
/// More places than this are not kept.
const MOST_COVERED: usize = 300;
/// What covers this much of both is found again, whatever it is.
const FOUND_AGAIN: f32 = 0.35;
/// What lies in another tile by this is a part of it.
const PART: f32 = 0.6;

/// What a reader remembers from frame to frame. One for each source; begins empty.
#[derive(Default)]
pub struct LiveMemory {
    known: Vec<Known>,
    glances: u32,
    /// Where tiles were that something came over since, each with the glance of that.
    covered: Vec<(Corners, u32)>,
}

/// What was found in one place.
struct Known {
    quad: Corners,
    said: Recalled,
    look: [f32; SAMPLES * SAMPLES],
    /// Glances since it was found.
    missed: u32,
    /// The tile it was judged to be, if it was.
    tile: Option<SeenTile>,
    /// Whether a full reading judged it.
    in_full: bool,
}

/// What the networks said of a place.
#[derive(Clone)]
struct Recalled {
    named: Named,
    /// Logit of a tile by what lies around the place.
    around: f32,
    /// Glances since it was named.
    age: u32,
}

impl LiveMemory {
    /// Takes over what a full reading of a frame found.
    ///
    /// What it did not find is forgotten, but for places that may be covered.
    pub fn learn(&mut self, picture: &Picture, tiles: &[SeenTile]) {
        let learnt = tiles.iter().map(|tile| Known {
            quad: tile.corners,
            said: Recalled { named: named(tile), around: logit(tile.found), age: 0 },
            look: look(picture, &tile.corners),
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

    /// Something came over a tile.
    fn cover(&mut self, place: Corners) {
        let known = |(other, _): &(Corners, u32)| overlap(other, &place)[0] > WAS_THERE;
        if self.covered.len() < MOST_COVERED && !self.covered.iter().any(known) {
            self.covered.push((place, self.glances));
        }
    }

    /// Where there are tiles nothing is covered; and what was is forgotten after a while.
    fn uncover(&mut self, tiles: &[SeenTile]) {
        let now = self.glances;
        self.covered.retain(|(place, since)| {
            let free = |tile: &SeenTile| overlap(&tile.corners, place)[0] <= WAS_THERE;
            now.wrapping_sub(*since) < COVERED && tiles.iter().all(free)
        });
    }

    /// Short sides of the tiles that are known.
    fn short_sides(&self) -> Vec<f32> {
        let tiles = self.known.iter().filter(|known| known.tile.is_some());
        tiles.map(|known| sides(&known.quad)[0]).collect()
    }

    fn has_tile_at(&self, quad: &Corners) -> bool {
        let known = self.known.iter().filter(|known| known.tile.is_some()).map(|known| &known.quad);
        let mut places = known.chain(self.covered.iter().map(|(place, _)| place));
        places.any(|place| overlap(place, quad)[0] > WAS_THERE)
    }

    /// What is known of a quad that lies and looks as it did, turned to begin where it begins.
    fn recall(&self, picture: &Picture, quad: &Corners) -> Option<Recalled> {
        let known = self.known.iter().find(|known| is_place(&known.quad, quad))?;
        let sure = known.said.named.classes.iter().any(|p| *p > SURE);
        // Not all at the same time.
        let old = OLD + (known.quad[0][0] as u32 / 8) % (OLD / 2);
        let start = nearest_start(quad, &known.quad);
        let same = || same_look(&known.look, &look(picture, &from_corner(quad, (4 - start) % 4)));
        if !sure || known.said.age >= old || !same() {
            return None;
        }
        let mut again = Recalled { age: known.said.age + 1, ..known.said.clone() };
        again.named.turns = [0, 1, 2, 3].map(|k| known.said.named.turns[(k + start) % 4]);
        Some(again)
    }
}

impl Reader {
    /// The tiles of a frame, with what is remembered of those before it: many times as fast as
    /// [`Reader::read`], and as good where [`LiveMemory::learn`] has been told of a full reading.
    /// `changed`: boxes (left, top, right, bottom, in pixels) outside of which it is as it was.
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
        memory.glances = memory.glances.wrapping_add(1);
        let Some(views) = looks::live(width, height, &memory.short_sides(), changed) else {
            let tiles = self.read(picture)?;
            memory.learn(picture, &tiles);
            return Ok(tiles);
        };
        let pixels = Pixels::new(picture.rgb())?;
        let mut seen = Vec::new();
        for view in &views {
            self.look(&pixels, view, picture, &mut seen)?;
        }
        let mut clusters = clusters(&seen, &views);
        let quads: Vec<Corners> = clusters.iter().map(|cluster| cluster.quad).collect();
        let all = self.recalled_or_named(&pixels, picture, memory, &quads)?;
        for (cluster, said) in clusters.iter_mut().zip(&all) {
            cluster.tile = said.around;
        }
        let names = all.iter().map(|one| one.named.clone()).collect();
        let mut tiles = self.judge(&clusters, names, &views, picture);
        tiles.retain(|tile| tile.found >= SURELY_NEW || memory.has_tile_at(&tile.corners));
        let mut known: Vec<Known> = (quads.iter().zip(all))
            .map(|(quad, said)| {
                let look = look(picture, quad);
                Known { quad: *quad, said, look, missed: 0, tile: None, in_full: false }
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
            if !views.iter().any(|view| is_in_sight(&old.quad, view)) {
                tiles.push(tile.clone());
                known.push(old);
                continue;
            }
            let covers = |quad: &Corners| overlap(quad, &old.quad)[0] > FOUND_AGAIN;
            let again = tiles.iter().any(|tile| covers(&tile.corners));
            let stays = if old.in_full { true } else { !again && old.missed < STAYS };
            // A part of what now shows whole.
            let part = |quad: &Corners| overlap(quad, &old.quad)[1] > PART;
            let stays =
                stays && !tiles.iter().any(|tile| part(&tile.corners) && !covers(&tile.corners));
            if !stays || !same_look(&old.look, &look(picture, &old.quad)) {
                if !again {
                    lost.push(old.quad);
                }
                continue;
            }
            // It looks as it did: what was read of it then, from more than one look, is better.
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

    /// What is remembered of places that look as they did, and what the networks say of the others.
    fn recalled_or_named(
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
        // Which set lies there is decided where all of the table is looked at.
        let fresh = self.tilesets.named(crops).into_iter().zip(around);
        let mut fresh = fresh.map(|(named, around)| Recalled { named, around, age: 0 });
        let all = recalled.into_iter().map(|recalled| recalled.or_else(|| fresh.next()));
        let all: Option<Vec<Recalled>> = all.collect();
        all.ok_or_else(|| ModelError::Run("a crop was not named".to_owned()))
    }
}

/// Whether a look shows a part of a quad.
fn is_in_sight(quad: &Corners, view: &Look) -> bool {
    let [left, top, right, bottom] = bounding_box(quad);
    let inside = |from: f32, to: f32, axis: usize| {
        from < view.high[axis] as f32 && to > view.low[axis] as f32
    };
    inside(left, right, 0) && inside(top, bottom, 1)
}

fn named(tile: &SeenTile) -> Named {
    let mut classes = [0.0; CLASSES];
    classes[..Face::COUNT].copy_from_slice(&tile.faces);
    classes[BACK] = tile.back;
    classes[REJECT] = tile.reject;
    Named { classes, turns: tile.turns, red: tile.red }
}

fn is_place(a: &Corners, b: &Corners) -> bool {
    let most = SAME_PLACE * sides(a)[0];
    let b = from_corner(b, nearest_start(a, b));
    a.iter().zip(&b).all(|(p, q)| (p[0] - q[0]).hypot(p[1] - q[1]) < most)
}

/// Grey levels at points spread over a quad, from its first corner on, each the mean of a few pixels.
pub(crate) fn look(picture: &Picture, quad: &Corners) -> [f32; SAMPLES * SAMPLES] {
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

/// Whether two looks at a quad show the same, whatever the light.
pub(crate) fn same_look(a: &[f32; SAMPLES * SAMPLES], b: &[f32; SAMPLES * SAMPLES]) -> bool {
    let count = (SAMPLES * SAMPLES) as f32;
    let shift = a.iter().zip(b).map(|(a, b)| a - b).sum::<f32>() / count;
    let differ = a.iter().zip(b).map(|(a, b)| (a - b - shift).abs()).sum::<f32>() / count;
    // A common shift is the light; much of it is something else.
    differ < SAME_LOOK && shift.abs() < 4.0 * SAME_LOOK
}

//! From a picture to its tiles: look, find, agree over scales, name.

use std::path::Path;

use super::{
    Corners, ModelError, Picture, SeenTile,
    company::{ends_row, has_company},
    finds::{Find, finds},
    looks::{self, Found, Look},
    models::{BACK, CLASSES, CROP, Models, Named, REJECT},
    pixels::{Pixels, quarter_turn},
    quad::{bounding_box, centre, from_corner, nearest_start, overlap, sides, signed_area},
    tilesets::Tilesets,
};
use crate::{
    tile::{Face, Suit},
    tileset::Shown,
};

/// Heat from which on a peak is looked at at all.
const COLDEST: f32 = 0.15;
/// Heat of a find that tells how large tiles are in this picture.
const LIKELY: f32 = 0.4;
/// Short sides in pixels as shown between which the detector is at home.
const AT_HOME: [f32; 2] = [14.0, 105.0];
/// How fast its heat loses weight outside of them.
const AWAY: f32 = 0.7;
/// Finds that share this much of both together show one tile from two scales.
const SAME: f32 = 0.6;
/// Of tiles that share this much of both together, or this much of the smaller, one goes.
const COVERS: [f32; 2] = [0.4, 0.75];
/// A tile's own probability counts for this power beside the heat.
const NAMED: f32 = 0.6;
/// A tile shorter than this share of the picture's median is suspect.
const DWARF: f32 = 0.5;
/// Backs are between these many times as wide as the faces of the picture.
const SIZES: [f32; 2] = [0.55, 1.6];
/// And so many times where one of each face is laid out.
const LAID_OUT: [f32; 2] = [0.7, 1.4];
/// What lies this far in a face at least twice as large is printed on it.
const INSIDE: f32 = 0.75;
/// What scores less is left out.
const KEPT: f32 = 0.25;
/// A face named more surely than this needs no second look.
const PLAIN: f32 = 0.999;
/// A face named more surely than this is one more likely than not, whatever the detector says.
const IS_FACE: f32 = 0.6;
/// A face named more surely than this is a tile whatever else is.
const SURE_FACE: f32 = 0.8;
/// What is left of the probability that a blank is no tile when it lies beside a face of its size.
const IN_COMPANY: f32 = 0.12;
/// The white dragon.
const WHITE: Option<Face> = Face::new(Suit::Honors, 5);
/// What scores less, and shows no face, has to lie beside one.
const ALONE: f32 = 0.45;
/// Crops in one run of the classifier.
const BATCH: usize = 64;

/// Both networks and the way they are used. Runs on `threads` threads.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use tilelens::vision::{Picture, Reader};
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
}

/// A crop as the classifier sees it.
pub(super) struct Crop {
    /// What it says.
    pub named: Named,
    /// What its last layer made of each turn; empty where no tile set asks.
    pub shown: Vec<Shown>,
}

/// One tile as several scales see it.
pub(super) struct Cluster {
    /// The weightiest find's quad: others are compared with it.
    leader: Corners,
    /// Mean of the finds' quads, weighted.
    pub(super) quad: Corners,
    /// Sum of the weights.
    weight: f32,
    /// Weight of the finds in the map of backs.
    back: f32,
    /// Largest damped heat.
    heat: f32,
    /// Largest heat at each level.
    levels: Vec<f32>,
    /// Short side in the picture.
    short: f32,
}

impl Reader {
    /// With the networks inside the program.
    ///
    /// # Errors
    /// ONNX Runtime is missing.
    pub fn builtin(threads: usize) -> Result<Self, ModelError> {
        limit_threads(threads)?;
        Ok(Self { models: Models::builtin(threads)?, tilesets: Tilesets::default() })
    }

    /// With the networks of a folder: see [`Models::from_folder`].
    ///
    /// # Errors
    /// A file is missing, damaged, or another kind of network.
    pub fn from_folder(folder: &Path, threads: usize) -> Result<Self, ModelError> {
        limit_threads(threads)?;
        let models = Models::from_folder(folder, threads)?;
        Ok(Self { models, tilesets: Tilesets::default() })
    }

    /// Every tile of a picture, from the top to the bottom, in each row from the left.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        let pixels = Pixels::new(picture.rgb())?;
        let (clusters, looks) = self.find(&pixels, picture)?;
        let quads: Vec<Corners> = clusters.iter().map(|cluster| cluster.quad).collect();
        let crops = self.classify(&pixels, &quads)?;
        self.tilesets.choose(&crops);
        Ok(judged(clusters, self.tilesets.named(crops), &looks))
    }

    /// Every tile of a picture in which tiles were laid out: what is found to be one, and is as large
    /// as the faces that are known, is one, whatever it shows. No tile set has a say.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read_laid_out(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        let pixels = Pixels::new(picture.rgb())?;
        let (clusters, _) = self.find(&pixels, picture)?;
        let quads: Vec<Corners> = clusters.iter().map(|cluster| cluster.quad).collect();
        let crops = self.classify(&pixels, &quads)?;
        let named: Vec<Named> = crops.into_iter().map(|crop| crop.named).collect();
        let Some(typical) = typical(&clusters, &named) else { return Ok(Vec::new()) };
        let printed = printed(&clusters, &named);
        let mut tiles: Vec<(SeenTile, Corners)> = Vec::new();
        // The surest come first.
        for ((cluster, mut named), printed) in clusters.iter().zip(named).zip(printed) {
            let of_size = (LAID_OUT[0]..LAID_OUT[1]).contains(&(cluster.short / typical));
            let covered = tiles.iter().any(|(_, other)| {
                let [both, smaller] = overlap(other, &cluster.quad);
                both >= COVERS[0] || smaller >= COVERS[1]
            });
            if printed || !of_size || covered || cluster.heat < LIKELY {
                continue;
            }
            let rest = (1.0 - named.classes[REJECT]).max(1e-6);
            named.classes[REJECT] = 0.0;
            named.classes.iter_mut().for_each(|p| *p /= rest);
            let is_face = named.classes[..BACK].iter().any(|p| *p > IS_FACE);
            if cluster.back > 0.5 * cluster.weight && !is_face {
                named.classes = [0.0; CLASSES];
                named.classes[BACK] = 1.0;
            }
            tiles.push((seen_tile(cluster.heat, cluster, &named), cluster.quad));
        }
        Ok(in_reading_order(tiles.into_iter().map(|(tile, _)| tile).collect()))
    }

    /// What may be a tile, at all scales, and what was looked at.
    pub(super) fn find(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
    ) -> Result<(Vec<Cluster>, Vec<Look>), ModelError> {
        let (width, height) = (picture.width(), picture.height());
        let mut looks = looks::first(width, height);
        let mut seen = Vec::new();
        for look in &looks {
            self.look(pixels, look, [width, height], &mut seen)?;
        }
        for plan in [looks::closer, looks::closest] {
            let level = looks.last().map_or(0, |look| look.level + 1);
            let more = plan(width, height, &found(&seen), level);
            for look in &more {
                self.look(pixels, look, [width, height], &mut seen)?;
            }
            looks.extend(more);
        }
        Ok((clusters(seen, &looks), looks))
    }

    /// Finds of one look, in pixels of the picture.
    pub(super) fn look(
        &mut self,
        pixels: &Pixels<'_>,
        look: &Look,
        picture: [u32; 2],
        seen: &mut Vec<(Find, Look)>,
    ) -> Result<(), ModelError> {
        let patch = pixels.patch(look.low, look.high, look.scale)?;
        let maps = self.models.detect(&patch.values, patch.width, patch.height)?;
        for mut find in finds(&maps, COLDEST) {
            for corner in &mut find.quad {
                *corner = [0, 1].map(|k| corner[k] / patch.scale[k] + patch.origin[k]);
            }
            if is_whole(&find.quad, look, picture) {
                seen.push((find, *look));
            }
        }
        Ok(())
    }

    /// Names quads, the unsure ones by the mean of all four turns. Where profiles of tile sets are
    /// at hand each crop has its embeddings with it.
    pub(super) fn classify(
        &mut self,
        pixels: &Pixels<'_>,
        quads: &[Corners],
    ) -> Result<Vec<Crop>, ModelError> {
        const SIZE: usize = 3 * CROP * CROP;
        let mut named = Vec::with_capacity(quads.len());
        for batch in quads.chunks(BATCH) {
            let mut crops = vec![0.0; batch.len() * SIZE];
            for (quad, crop) in batch.iter().zip(crops.chunks_exact_mut(SIZE)) {
                pixels.upright(quad, crop)?;
            }
            let mut first = self.crops(&crops, 0)?;
            let sure = |crop: &Crop| crop.named.classes.iter().any(|p| *p >= PLAIN);
            let unsure: Vec<usize> = (0..batch.len()).filter(|n| !sure(&first[*n])).collect();
            let mut turned: Vec<f32> =
                unsure.iter().flat_map(|n| crops[n * SIZE..][..SIZE].iter().copied()).collect();
            let mut next = vec![0.0; turned.len()];
            for turns in 1..4 {
                for (from, to) in turned.chunks_exact(SIZE).zip(next.chunks_exact_mut(SIZE)) {
                    quarter_turn(from, to);
                }
                std::mem::swap(&mut turned, &mut next);
                for (n, again) in unsure.iter().zip(self.crops(&turned, turns)?) {
                    add(&mut first[*n].named, &again.named, turns);
                    first[*n].shown.extend(again.shown);
                }
            }
            for n in unsure {
                let all = &mut first[n].named;
                all.red /= 4.0;
                all.classes.iter_mut().chain(&mut all.turns).for_each(|p| *p /= 4.0);
            }
            named.append(&mut first);
        }
        Ok(named)
    }

    /// Names crops that were turned by so many quarters.
    fn crops(&mut self, crops: &[f32], quarters: usize) -> Result<Vec<Crop>, ModelError> {
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

/// Keeps what is a tile, in reading order.
pub(super) fn judged(clusters: Vec<Cluster>, named: Vec<Named>, looks: &[Look]) -> Vec<SeenTile> {
    let printed = printed(&clusters, &named);
    let (clusters, named): (Vec<Cluster>, Vec<Named>) = (clusters.into_iter().zip(named))
        .zip(printed)
        .filter_map(|(tile, printed)| (!printed).then_some(tile))
        .unzip();
    let typical = typical(&clusters, &named);
    let faces: Vec<Corners> = (clusters.iter().zip(&named))
        .filter(|(_, named)| named.classes[..BACK].iter().any(|p| *p > SURE_FACE))
        .map(|(cluster, _)| cluster.quad)
        .collect();
    let backs: Vec<Corners> = (clusters.iter().zip(&named))
        .filter(|(cluster, named)| named.classes[BACK] > SURE_FACE && cluster.heat > LIKELY)
        .map(|(cluster, _)| cluster.quad)
        .collect();
    let mut judged: Vec<(f32, &Cluster, Named)> = Vec::new();
    for (cluster, mut named) in clusters.iter().zip(named) {
        let white = WHITE.map_or(0.0, |face| named.classes[face.index()]);
        let blank = white > 0.05 && white + named.classes[BACK] + named.classes[REJECT] > 0.8;
        if blank && has_company(&cluster.quad, &faces) {
            let shrink = 1.0 / (1.0 - named.classes[REJECT] * (1.0 - IN_COMPANY));
            named.classes[REJECT] *= IN_COMPANY;
            named.classes.iter_mut().for_each(|p| *p *= shrink);
        }
        let best = best(&named.classes[..REJECT + 1]);
        let is_face = best < BACK && named.classes[best] > IS_FACE;
        if cluster.back > 0.5 * cluster.weight && !is_face {
            // The detector knows backs by what lies around them, which the crop does not show.
            let doubtful = named.classes[BACK] + named.classes[REJECT] + white;
            let back = named.classes[BACK].max(0.5 * doubtful);
            let rest = (1.0 - named.classes[BACK]).max(1e-6);
            let shrink = (1.0 - back) / rest;
            named.classes.iter_mut().for_each(|p| *p *= shrink);
            named.classes[BACK] = back;
        } else if best == REJECT {
            continue;
        }
        let likely = named.classes[..REJECT].iter().copied().fold(0.0, f32::max);
        let of_size = |typical: f32| (SIZES[0]..SIZES[1]).contains(&(cluster.short / typical));
        let back = named.classes[BACK] >= likely;
        if back && typical.is_some_and(|typical| !of_size(typical)) {
            continue;
        }
        let dwarf = match typical {
            Some(typical) if cluster.short < DWARF * typical => {
                (cluster.short / (DWARF * typical)).powf(1.5)
            }
            _ => 1.0,
        };
        let score = cluster.heat * support(cluster, looks) * dwarf * likely.powf(NAMED);
        // A face that can be named; or some flower, whichever: each maker draws his own.
        let flower: f32 = named.classes[Face::SET_FACES..BACK].iter().sum();
        let is_face = !back && (likely > IS_FACE && likely > white || flower > IS_FACE);
        let stands_alone = score >= ALONE || is_face;
        let beside = |tiles: &[Corners]| has_company(&cluster.quad, tiles);
        let apart = || !back && ends_row(&cluster.quad, &faces);
        if score >= KEPT && (stands_alone || beside(&faces) || back && beside(&backs) || apart()) {
            judged.push((score, cluster, named));
        }
    }
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut tiles: Vec<(SeenTile, Corners)> = Vec::new();
    for (score, cluster, named) in judged {
        let covered = tiles.iter().any(|(_, other)| {
            let [both, smaller] = overlap(other, &cluster.quad);
            both >= COVERS[0] || smaller >= COVERS[1]
        });
        if !covered {
            tiles.push((seen_tile(score, cluster, &named), cluster.quad));
        }
    }
    in_reading_order(tiles.into_iter().map(|(tile, _)| tile).collect())
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

fn limit_threads(threads: usize) -> Result<(), ModelError> {
    opencv::core::set_num_threads(threads as i32)
        .map_err(|error| ModelError::Run(error.to_string()))
}

/// Whether a find lies well inside its look, or at the picture's own edge: what a look cuts in
/// two, another one shows whole.
fn is_whole(quad: &Corners, look: &Look, picture: [u32; 2]) -> bool {
    let [left, top, right, bottom] = bounding_box(quad);
    let slack = 2.0 / look.scale;
    (look.low[0] <= 0 || left > look.low[0] as f32 - slack)
        && (look.low[1] <= 0 || top > look.low[1] as f32 - slack)
        && (look.high[0] >= picture[0] as i32 || right < look.high[0] as f32 + slack)
        && (look.high[1] >= picture[1] as i32 || bottom < look.high[1] as f32 + slack)
}

/// What the next look has to know.
fn found(seen: &[(Find, Look)]) -> Found {
    let likely: Vec<&Find> =
        seen.iter().map(|(find, _)| find).filter(|find| find.heat > LIKELY).collect();
    // Each tile once: the same tile is found at several scales.
    let mut each: Vec<&Find> = Vec::new();
    for find in &likely {
        if !each.iter().any(|other| overlap(&other.quad, &find.quad)[0] > SAME) {
            each.push(find);
        }
    }
    let around = seen
        .iter()
        .map(|(find, _)| bounding_box(&find.quad))
        .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
    Found { short_sides: each.iter().map(|find| sides(&find.quad)[0]).collect(), around }
}

/// How much a find of this size, as shown, is to be trusted.
fn at_home(shown: f32) -> f32 {
    (AT_HOME[1] / shown).min(1.0).min(shown / AT_HOME[0]).powf(AWAY)
}

/// Finds of all scales, those of one tile together, the surest first.
pub(super) fn clusters(seen: Vec<(Find, Look)>, looks: &[Look]) -> Vec<Cluster> {
    let levels = looks.last().map_or(0, |look| look.level + 1);
    let mut weighed: Vec<(f32, Find, Look)> = seen
        .into_iter()
        .map(|(find, look)| (find.heat * at_home(sides(&find.quad)[0] * look.scale), find, look))
        .collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut clusters: Vec<Cluster> = Vec::new();
    for (heat, find, look) in weighed {
        let [x, y] = centre(&find.quad);
        let short = sides(&find.quad)[0];
        let mine = clusters.iter_mut().find(|cluster| {
            let [cx, cy] = centre(&cluster.leader);
            (x - cx).abs().max((y - cy).abs()) < short
                && overlap(&cluster.leader, &find.quad)[0] >= SAME
        });
        let weight = heat * heat;
        let back = if find.back { weight } else { 0.0 };
        match mine {
            Some(cluster) => {
                let start = nearest_start(&cluster.leader, &find.quad);
                let aligned = from_corner(&find.quad, start);
                let share = weight / (cluster.weight + weight);
                for (mean, corner) in cluster.quad.iter_mut().zip(aligned) {
                    for axis in 0..2 {
                        mean[axis] += share * (corner[axis] - mean[axis]);
                    }
                }
                cluster.weight += weight;
                cluster.back += back;
                cluster.levels[look.level] = cluster.levels[look.level].max(find.heat);
            }
            None => {
                let mut at = vec![0.0; levels];
                at[look.level] = find.heat;
                clusters.push(Cluster {
                    leader: find.quad,
                    quad: find.quad,
                    weight,
                    back,
                    heat,
                    levels: at,
                    short,
                });
            }
        }
    }
    clusters
}

/// How much of what the scales at which it should be seen say of it: a real tile is seen at each.
fn support(cluster: &Cluster, looks: &[Look]) -> f32 {
    let [x, y] = centre(&cluster.quad);
    let mut levels: Vec<usize> = Vec::new();
    for look in looks {
        let shown = cluster.short * look.scale;
        let inside = (look.low[0] as f32..look.high[0] as f32).contains(&x)
            && (look.low[1] as f32..look.high[1] as f32).contains(&y);
        if inside && (AT_HOME[0]..=AT_HOME[1]).contains(&shown) && !levels.contains(&look.level) {
            levels.push(look.level);
        }
    }
    let most = cluster.levels.iter().copied().fold(1e-3, f32::max);
    if levels.len() < 2 {
        return 1.0;
    }
    let sum: f32 = levels.iter().map(|level| cluster.levels[*level]).sum();
    sum / levels.len() as f32 / most
}

/// Which finds are only a part of what a larger face shows, as one dot of nine.
fn printed(clusters: &[Cluster], named: &[Named]) -> Vec<bool> {
    let area = |cluster: &Cluster| signed_area(&cluster.quad).abs();
    let large: Vec<(&Cluster, f32)> = (clusters.iter().zip(named))
        .filter(|(cluster, named)| {
            let face = best(&named.classes);
            let white = WHITE.is_some_and(|white| face == white.index());
            face < BACK && !white && cluster.heat > LIKELY && named.classes[face] > IS_FACE
        })
        .map(|(cluster, _)| (cluster, area(cluster)))
        .collect();
    (clusters.iter())
        .map(|small| {
            let [x, y] = centre(&small.quad);
            let size = area(small);
            large.iter().any(|(face, larger)| {
                let [cx, cy] = centre(&face.quad);
                *larger > 2.0 * size
                    && face.heat > 0.8 * small.heat
                    && (x - cx).hypot(y - cy) < 1.5 * face.short
                    && overlap(&face.quad, &small.quad)[1] >= INSIDE
            })
        })
        .collect()
}

/// Median short side of what is surely a face, weighted by how sure.
fn typical(clusters: &[Cluster], named: &[Named]) -> Option<f32> {
    let mut sure: Vec<(f32, f32)> = clusters
        .iter()
        .zip(named)
        .filter_map(|(cluster, named)| {
            let likely = named.classes[..REJECT].iter().copied().fold(0.0, f32::max);
            let score = cluster.heat * likely.powf(NAMED);
            let is_face = cluster.back <= 0.5 * cluster.weight;
            (is_face && score > 0.45).then_some((cluster.short, score))
        })
        .collect();
    if sure.len() < 2 {
        return None;
    }
    sure.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half: f32 = sure.iter().map(|(_, score)| score).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    sure.iter().find_map(|(short, score)| {
        sum += score;
        (sum >= half).then_some(*short)
    })
}

/// Row by row: a tile is of a row when its centre is not a tile's length below the row's first.
pub(super) fn in_reading_order(mut tiles: Vec<SeenTile>) -> Vec<SeenTile> {
    let mut long: Vec<f32> = tiles.iter().map(|tile| sides(&tile.corners)[1]).collect();
    long.sort_by(f32::total_cmp);
    let reach = long.get(long.len() / 2).copied().unwrap_or(1.0).max(1.0);
    let at = |tile: &SeenTile| centre(&tile.corners);
    tiles.sort_by(|a, b| at(a)[1].total_cmp(&at(b)[1]));
    let mut first = f32::NEG_INFINITY;
    let mut row = 0usize;
    let mut placed: Vec<(usize, SeenTile)> = Vec::with_capacity(tiles.len());
    for tile in tiles {
        let [_, y] = at(&tile);
        if y - first > 0.8 * reach {
            (first, row) = (y, row + 1);
        }
        placed.push((row, tile));
    }
    placed.sort_by(|(a, s), (b, t)| a.cmp(b).then(at(s)[0].total_cmp(&at(t)[0])));
    placed.into_iter().map(|(_, tile)| tile).collect()
}

fn best(values: &[f32]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0)
}

fn seen_tile(score: f32, cluster: &Cluster, named: &Named) -> SeenTile {
    let start = best(&named.turns);
    let mut faces = [0.0; Face::COUNT];
    faces.copy_from_slice(&named.classes[..Face::COUNT]);
    debug_assert_eq!(named.classes.len(), CLASSES);
    SeenTile {
        corners: from_corner(&cluster.quad, start),
        found: score.min(1.0),
        faces,
        back: named.classes[BACK],
        reject: named.classes[REJECT],
        red: named.red,
        turns: [0, 1, 2, 3].map(|k| named.turns[(k + start) % 4]),
    }
}

//! A learned judge separates plain white dragons from backs, side walls and paper.
//!
//! The blank itself shows little. Its colour beside the bodies of the nearest faces, its size, its place in their rows and the
//! detector's score decide. A small network weighs them (`models/white_judge.json`, trained by
//! `tilelens_training.train.judges`).

use super::{
    ModelError, Reader,
    bodies::{BodyComparison, NEAREST, beside_nearest, nearest_faces, shades},
    features::logit,
    judge::WHITES,
    neighbours::{count_neighbours, ends_row, is_as_large},
    networks::{BACK, CLASSES, Classified, REJECT, WHITE},
    pixels::Pixels,
    propose::is_free as is_free_of,
    verdicts::{best, is_blank, is_sure_face, lies_face_down, seen_tile},
};
use crate::{
    sight::{
        Corners, SeenTile,
        quad::{centre, overlap, sides},
        rank::quantile,
    },
    tile::Face,
};
/// Number of features of a blank.
pub(super) const FEATURES: usize = 18;
/// A place whose brightness, tint or roughness differs from the nearest faces' bodies by more than this share of their
/// contrast is not a candidate.
const PLAIN_ENOUGH: f32 = 0.6;
/// A detection is the blank's own where their overlap (intersection over union) exceeds this.
const SAME: f32 = 0.5;
/// A blank has the faces' tint where the difference is below this share of their contrast.
const ALIKE: f32 = 0.15;
/// Count at which blanks with the faces' tint are capped.
const MOST_ALIKE: usize = 16;
/// Absolute logit, and distance in tile widths, at which features are capped.
const MOST: f32 = 8.0;

/// White dragons with a higher probability than this show a frame, or lie where only a tile can.
const PLAIN_TO_SEE: f32 = 0.985;
/// Largest probability of a white dragon by the judge alone: it might be paper.
const MOST_SURE: f32 = 0.75;
/// Probability from which a blank is a white dragon.
const IS_WHITE: f32 = 0.5;

/// A detection, kept as a tile or not.
pub(super) struct JudgedDetection {
    pub quad: Corners,
    /// 0-1.
    pub score: f32,
    pub is_back: bool,
}

/// A candidate for a plain white dragon.
pub(super) struct Blank {
    pub quad: Corners,
    /// Its index among the tiles; `None` for a detection that was not kept.
    pub tile: Option<usize>,
    pub features: [f32; FEATURES],
}

/// The tiles read as backs or as plain white dragons, with their index, and the detections that no tile covers.
fn places(found: &[JudgedDetection], tiles: &[SeenTile]) -> Vec<(Corners, Option<usize>)> {
    let may_be_white =
        |tile: &SeenTile| lies_face_down(tile) || best(&tile.faces) == WHITE && !is_framed(tile);
    let mut places: Vec<(Corners, Option<usize>)> = (tiles.iter().enumerate())
        .filter(|(_, tile)| may_be_white(tile))
        .map(|(at, tile)| (tile.corners, Some(at)))
        .collect();
    let mut taken: Vec<Corners> = tiles.iter().map(|tile| tile.corners).collect();
    for detection in found {
        if is_free_of(&detection.quad, &taken) {
            taken.push(detection.quad);
            places.push((detection.quad, None));
        }
    }
    places
}

/// The scene around the blanks of a picture.
struct AroundBlanks<'s> {
    /// Faces with print.
    faces: &'s [Corners],
    found: &'s [JudgedDetection],
    /// How many blanks have the tint of faces.
    alike: usize,
    /// Whether a white dragon shows its frame.
    framed: bool,
}

impl AroundBlanks<'_> {
    /// The features of a blank. `around`: the corner network's logit of a tile; `beside` and `edge`: the comparison with the
    /// nearest faces, and the weakest edge in levels (0-255).
    fn features(
        &self,
        quad: &Corners,
        classified: &Classified,
        around: f32,
        (beside, edge): &(BodyComparison, f32),
    ) -> [f32; FEATURES] {
        let detection = (self.found.iter())
            .map(|detection| (overlap(&detection.quad, quad)[0], detection))
            .filter(|(shared, _)| *shared > SAME)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, detection)| detection);
        let near = nearest_faces(quad, self.faces);
        let [short, long] = sides(quad);
        let size = |side: usize, own: f32| {
            let usual = quantile(near.iter().map(|face| sides(face)[side]), 0.5);
            (own / usual.unwrap_or(own)).ln()
        };
        let [x, y] = centre(quad);
        let distances = near.iter().map(|face| {
            let [u, v] = centre(face);
            (u - x).hypot(v - y) / short
        });
        let (back, reject) = (classified.classes[BACK], classified.classes[REJECT]);
        let white = classified.classes[WHITE];
        let share = |value: f32| value / beside.contrast.max(1.0);
        let flag = |is: bool| f32::from(u8::from(is));
        [
            logit(white / (white + back).max(1e-6)),
            logit(reject),
            detection.map_or(0.0, |detection| detection.score),
            detection.map_or(0.5, |detection| flag(detection.is_back)),
            if around.is_nan() { 0.0 } else { around.clamp(-MOST, MOST) },
            size(0, short),
            size(1, long),
            share(beside.brighter),
            share(beside.tinted),
            share(beside.yellower),
            share(beside.rough),
            share(*edge).min(1.0),
            count_neighbours(quad, self.faces).min(2) as f32,
            flag(ends_row(quad, self.faces)),
            distances.fold(f32::INFINITY, f32::min).min(MOST),
            (self.alike.min(MOST_ALIKE) as f32).ln_1p(),
            beside.contrast / 255.0,
            flag(self.framed),
        ]
    }
}

impl Reader {
    /// The candidates of a picture; empty with fewer than [`NEAREST`] printed faces to compare with.
    pub(super) fn blanks(
        &mut self,
        pixels: &Pixels<'_>,
        found: &[JudgedDetection],
        tiles: &[SeenTile],
    ) -> Result<Vec<Blank>, ModelError> {
        let faces = printed(tiles);
        if faces.len() < NEAREST {
            return Ok(Vec::new());
        }
        let places = places(found, tiles);
        let shades = if places.is_empty() { Vec::new() } else { shades(pixels, &faces)? };
        let mut comparisons: Vec<(BodyComparison, f32)> = Vec::new();
        let mut kept = Vec::new();
        for (quad, tile) in places {
            if !is_as_large(&quad, &nearest_faces(&quad, &faces)) {
                continue;
            }
            let (beside, edge) = beside_nearest(pixels, &quad, &faces, &shades)?;
            let within = |value: f32| value.abs() <= PLAIN_ENOUGH * beside.contrast;
            if within(beside.brighter) && within(beside.tinted) && within(beside.rough) {
                comparisons.push((beside, edge));
                kept.push((quad, tile));
            }
        }
        let mut quads: Vec<Corners> = kept.iter().map(|(quad, _)| *quad).collect();
        let around = self.fit(pixels, &mut quads)?;
        let crops = self.classify(pixels, &quads)?;
        let classified: Vec<Classified> = crops.into_iter().map(|crop| crop.classified).collect();
        let seen = AroundBlanks {
            faces: &faces,
            found,
            alike: comparisons
                .iter()
                .filter(|(beside, _)| beside.tinted < ALIKE * beside.contrast)
                .count(),
            framed: tiles.iter().any(is_framed),
        };
        let mut blanks = Vec::new();
        for (at, (quad, classified)) in quads.iter().zip(&classified).enumerate() {
            if is_blank(classified) && is_as_large(quad, &nearest_faces(quad, &faces)) {
                let features = seen.features(quad, classified, around[at], &comparisons[at]);
                let tile = kept[at].1;
                let quad = tile.map_or(*quad, |tile| tiles[tile].corners);
                blanks.push(Blank { quad, tile, features });
            }
        }
        Ok(blanks)
    }

    /// Judges each candidate. A back or a dropped detection may become a white dragon; a tile wrongly read as one, or read as one
    /// without being a candidate, becomes a back where that is likely, or is removed. A picture keeps at most four.
    pub(super) fn settle_whites(
        &mut self,
        pixels: &Pixels<'_>,
        found: &[JudgedDetection],
        tiles: &mut Vec<SeenTile>,
    ) -> Result<(), ModelError> {
        let can_compare = printed(tiles).len() >= NEAREST;
        let blanks = self.blanks(pixels, found, tiles)?;
        let asked: Vec<usize> = blanks.iter().filter_map(|blank| blank.tile).collect();
        let mut judged: Vec<(f32, Blank)> =
            blanks.into_iter().map(|blank| (WHITES.says(&blank.features), blank)).collect();
        self.keep_blanks(&judged);
        judged.sort_by(|a, b| b.0.total_cmp(&a.0));
        let framed = tiles.iter().filter(|tile| is_framed(tile)).count();
        let mut free = usize::from(Face::COPIES).saturating_sub(framed);
        let mut gone = Vec::new();
        let mut unmake = |at: usize, tile: &mut SeenTile| {
            if tile.back > tile.reject {
                tile.back += tile.faces[WHITE];
                tile.faces[WHITE] = 0.0;
            } else {
                gone.push(at);
            }
        };
        let was_white = |tile: &SeenTile| best(&tile.faces) == WHITE && !lies_face_down(tile);
        // The tops of standing tiles and cells of paper have not the size or the body of the faces around.
        for (at, tile) in tiles.iter_mut().enumerate() {
            if can_compare && was_white(tile) && !is_framed(tile) && !asked.contains(&at) {
                unmake(at, tile);
            }
        }
        for (p, blank) in judged {
            // After fitting, a detection may overlap a tile.
            let lies_free = blank.tile.is_some() || is_free(&blank.quad, tiles);
            let is_white = p > IS_WHITE && free > 0 && lies_free;
            free -= usize::from(is_white);
            // It might be paper, so the judge alone never makes it sure.
            let p = p.min(MOST_SURE);
            match blank.tile {
                Some(at) if is_white && !was_white(&tiles[at]) => {
                    let tile = &mut tiles[at];
                    tile.faces = [0.0; Face::COUNT];
                    (tile.faces[WHITE], tile.back, tile.reject) = (p, 1.0 - p, 0.0);
                }
                None if is_white => tiles.push(seen_tile(p, &blank.quad, &white_with(p))),
                Some(at) if !is_white && was_white(&tiles[at]) => unmake(at, &mut tiles[at]),
                _ => {}
            }
        }
        let mut at = 0..;
        tiles.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
        doubt_lone_whites(tiles);
        Ok(())
    }
}

/// Lowers the probability of possibly plain white dragons without a printed face beside them: they might be
/// paper.
fn doubt_lone_whites(tiles: &mut [SeenTile]) {
    let faces = printed(tiles);
    for tile in tiles {
        let p = tile.faces[WHITE];
        let may_be_blank = best(&tile.faces) == WHITE && p < PLAIN_TO_SEE;
        if may_be_blank && p > MOST_SURE && count_neighbours(&tile.corners, &faces) == 0 {
            tile.faces[WHITE] = MOST_SURE;
            tile.reject += p - MOST_SURE;
        }
    }
}

/// The sure faces that have print.
fn printed(tiles: &[SeenTile]) -> Vec<Corners> {
    let printed = tiles.iter().filter(|tile| is_sure_face(tile) && best(&tile.faces) != WHITE);
    printed.map(|tile| tile.corners).collect()
}

/// Whether a tile, if it is one, is plainly a white dragon.
fn is_framed(tile: &SeenTile) -> bool {
    tile.faces[WHITE] >= PLAIN_TO_SEE * (1.0 - tile.reject)
}

/// Whether no tile lies in a place.
fn is_free(quad: &Corners, tiles: &[SeenTile]) -> bool {
    let taken: Vec<Corners> = tiles.iter().map(|tile| tile.corners).collect();
    is_free_of(quad, &taken)
}

/// A white dragon with this probability.
fn white_with(p: f32) -> Classified {
    let mut classes = [0.0; CLASSES];
    (classes[WHITE], classes[REJECT]) = (p, 1.0 - p);
    Classified { classes, turns: [0.5, 0.0, 0.5, 0.0], red: 0.0 }
}

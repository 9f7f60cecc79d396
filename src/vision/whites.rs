//! White dragons that show nothing, told from backs, side walls and paper by a learned judge.
//!
//! What a blank shows says little: what tells is how it looks beside the bodies of the faces around it, whether it has their
//! size and lies in their rows, how surely the detector found it and as what. A small network weighs all of it
//! (`models/white_judge.json`, taught by `models/training/white_judge.py`).

use std::sync::LazyLock;

use serde::Deserialize;

use super::{
    Corners, ModelError, Reader, SeenTile,
    classifier::{BACK, CLASSES, Named, REJECT},
    company::{companions, ends_row, is_as_large},
    gaps::{self, Beside},
    judgement::{best, is_blank, lies_face_down, seen_tile, white},
    pixels::Pixels,
    plain_faces::{IN_GAP, NEAREST, beside_nearest, nearest_faces, printed},
    quad::{centre, overlap, sides},
};
use crate::tile::Face;

/// What the judge is told of a blank.
pub(super) const FEATURES: usize = 18;
/// A blank that differs more from the bodies of faces, in shares of their contrast, is none.
const PLAIN_ENOUGH: f32 = 0.6;
/// A white dragon named more surely than this shows its frame, and needs no judge.
const FRAMED: f32 = 0.985;
/// Two places that share this much of both are one.
const SAME: f32 = 0.5;
/// Blanks whose tint differs from that of faces by less than this share of their contrast are alike,
const ALIKE: f32 = 0.15;
/// and more of them than this say no more.
const MOST_ALIKE: usize = 16;
/// Logits beyond this say no more.
const MOST: f32 = 8.0;

/// A blank is a white dragon where that is likelier than not.
const IS_WHITE: f32 = 0.5;

/// The judge's weights: of what it is told, scaled, a hidden layer, and of this the logit of the probability.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Judge {
    mean: Vec<f32>,
    scale: Vec<f32>,
    hidden: Vec<Vec<f32>>,
    hidden_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: f32,
}

/// `None` only if the file that is built in were none, which a test rules out.
static JUDGE: LazyLock<Option<Judge>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../models/white_judge.json")).ok());

impl Judge {
    /// How likely a blank is a white dragon, 0-1.
    fn says(&self, features: &[f32; FEATURES]) -> f32 {
        let scaled = features.iter().zip(&self.mean).zip(&self.scale);
        let scaled: Vec<f32> =
            scaled.map(|((value, mean), scale)| (value - mean) / scale).collect();
        let hidden = self.hidden.iter().zip(&self.hidden_bias).map(|(weights, bias)| {
            (weights.iter().zip(&scaled).map(|(w, x)| w * x).sum::<f32>() + bias).tanh()
        });
        let logit = hidden.zip(&self.out).map(|(h, w)| h * w).sum::<f32>() + self.out_bias;
        1.0 / (1.0 + (-logit).exp())
    }
}

/// A find of the detector, whatever was made of it.
pub(super) struct Found {
    pub quad: Corners,
    pub heat: f32,
    pub is_back: bool,
}

/// What may be a white dragon that shows nothing.
pub(super) struct Blank {
    pub quad: Corners,
    /// Which of the tiles it is so far.
    pub tile: Option<usize>,
    pub features: [f32; FEATURES],
}

fn logit(p: f32) -> f32 {
    let p = p.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln()
}

/// The tiles that may be white dragons or were taken for such, by their number, and the finds that lie where no tile is.
fn places(found: &[Found], tiles: &[SeenTile], white: usize) -> Vec<(Corners, Option<usize>)> {
    let may_be_white = |tile: &SeenTile| {
        lies_face_down(tile) || best(&tile.faces) == white && tile.faces[white] < FRAMED
    };
    let mut places: Vec<(Corners, Option<usize>)> = (tiles.iter().enumerate())
        .filter(|(_, tile)| may_be_white(tile))
        .map(|(at, tile)| (tile.corners, Some(at)))
        .collect();
    let mut taken: Vec<Corners> = tiles.iter().map(|tile| tile.corners).collect();
    for find in found {
        if gaps::is_free(&find.quad, &taken) {
            taken.push(find.quad);
            places.push((find.quad, None));
        }
    }
    places
}

/// What a picture tells of its blanks.
struct AroundBlanks<'s> {
    /// Faces with print.
    faces: &'s [Corners],
    found: &'s [Found],
    /// How many blanks have the tint of faces.
    alike: usize,
    /// Whether a white dragon shows its frame.
    framed: bool,
}

impl AroundBlanks<'_> {
    /// What the judge is told of a blank; `around`: the logit of a tile by what lies around it, `look`: how it looks beside the
    /// faces nearest to it, and its weakest edge.
    fn features(
        &self,
        quad: &Corners,
        named: &Named,
        around: f32,
        (beside, edge): &(Beside, f32),
    ) -> [f32; FEATURES] {
        let find = (self.found.iter())
            .map(|find| (overlap(&find.quad, quad)[0], find))
            .filter(|(shared, _)| *shared > SAME)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, find)| find);
        let near = nearest_faces(quad, self.faces);
        let [short, long] = sides(quad);
        let size = |side: usize, own: f32| {
            let mut others: Vec<f32> = near.iter().map(|face| sides(face)[side]).collect();
            others.sort_by(f32::total_cmp);
            (own / others[others.len() / 2]).ln()
        };
        let [x, y] = centre(quad);
        let distances = near.iter().map(|face| {
            let [u, v] = centre(face);
            (u - x).hypot(v - y) / short
        });
        let (back, reject) = (named.classes[BACK], named.classes[REJECT]);
        let white = white().map_or(0.0, |white| named.classes[white]);
        let share = |value: f32| value / beside.contrast.max(1.0);
        let flag = |is: bool| f32::from(u8::from(is));
        [
            logit(white / (white + back).max(1e-6)),
            logit(reject),
            find.map_or(0.0, |find| find.heat),
            find.map_or(0.5, |find| flag(find.is_back)),
            if around.is_nan() { 0.0 } else { around.clamp(-MOST, MOST) },
            size(0, short),
            size(1, long),
            share(beside.brighter),
            share(beside.tinted),
            share(beside.yellower),
            share(beside.rough),
            share(*edge).min(1.0),
            companions(quad, self.faces).min(2) as f32,
            flag(ends_row(quad, self.faces)),
            distances.fold(f32::INFINITY, f32::min).min(MOST),
            (self.alike.min(MOST_ALIKE) as f32).ln_1p(),
            beside.contrast / 255.0,
            flag(self.framed),
        ]
    }
}

impl Reader {
    /// The blanks among tiles, and those of the finds that lie where no tile is; none where too few faces tell what bodies
    /// look like.
    pub(super) fn blanks(
        &mut self,
        pixels: &Pixels<'_>,
        found: &[Found],
        tiles: &[SeenTile],
    ) -> Result<Vec<Blank>, ModelError> {
        let (Some(white), faces) = (white(), printed(tiles)) else { return Ok(Vec::new()) };
        if faces.len() < NEAREST {
            return Ok(Vec::new());
        }
        let places = places(found, tiles, white);
        let mut looks: Vec<(Beside, f32)> = Vec::new();
        let mut kept = Vec::new();
        for (quad, tile) in places {
            if !is_as_large(&quad, &nearest_faces(&quad, &faces)) {
                continue;
            }
            let (beside, edge) = beside_nearest(pixels, &quad, &faces)?;
            let within = |value: f32| value.abs() <= PLAIN_ENOUGH * beside.contrast;
            if within(beside.brighter) && within(beside.tinted) && within(beside.rough) {
                looks.push((beside, edge));
                kept.push((quad, tile));
            }
        }
        let mut quads: Vec<Corners> = kept.iter().map(|(quad, _)| *quad).collect();
        let around = self.fit(pixels, &mut quads)?;
        let crops = self.classify(pixels, &quads)?;
        let named: Vec<Named> = crops.into_iter().map(|crop| crop.named).collect();
        let seen = AroundBlanks {
            faces: &faces,
            found,
            alike: looks.iter().filter(|(look, _)| look.tinted < ALIKE * look.contrast).count(),
            framed: tiles.iter().any(|tile| tile.faces[white] >= FRAMED),
        };
        let mut blanks = Vec::new();
        for (at, (quad, named)) in quads.iter().zip(&named).enumerate() {
            if is_blank(named) && is_as_large(quad, &nearest_faces(quad, &faces)) {
                let features = seen.features(quad, named, around[at], &looks[at]);
                let tile = kept[at].1;
                let quad = tile.map_or(*quad, |tile| tiles[tile].corners);
                blanks.push(Blank { quad, tile, features });
            }
        }
        Ok(blanks)
    }

    /// Asks the judge about each blank: white dragons that were taken for backs or overlooked become such, and what was taken
    /// for one and is none becomes a back, where it may be one, or goes. A set has four.
    pub(super) fn settle_whites(
        &mut self,
        pixels: &Pixels<'_>,
        found: &[Found],
        tiles: &mut Vec<SeenTile>,
    ) -> Result<(), ModelError> {
        let (Some(white), Some(judge)) = (white(), JUDGE.as_ref()) else { return Ok(()) };
        let blanks = self.blanks(pixels, found, tiles)?;
        self.keep_blanks(&blanks);
        let mut judged: Vec<(f32, Blank)> =
            blanks.into_iter().map(|blank| (judge.says(&blank.features), blank)).collect();
        judged.sort_by(|a, b| b.0.total_cmp(&a.0));
        let is_framed = |tile: &&SeenTile| tile.faces[white] >= FRAMED;
        let framed = tiles.iter().filter(is_framed).count();
        let mut free = usize::from(Face::COPIES).saturating_sub(framed);
        let mut gone = Vec::new();
        for (p, blank) in judged {
            let is_white = p > IS_WHITE && free > 0;
            free -= usize::from(is_white);
            // It might be paper: what only the judge says is never sure.
            let p = p.min(IN_GAP);
            let was_white = |tile: &SeenTile| best(&tile.faces) == white && !lies_face_down(tile);
            match blank.tile {
                Some(at) if is_white && !was_white(&tiles[at]) => {
                    let tile = &mut tiles[at];
                    tile.faces = [0.0; Face::COUNT];
                    (tile.faces[white], tile.back, tile.reject) = (p, 1.0 - p, 0.0);
                }
                None if is_white => tiles.push(seen_tile(p, &blank.quad, &white_so_sure(white, p))),
                Some(at) if !is_white && was_white(&tiles[at]) => {
                    let tile = &mut tiles[at];
                    if tile.back > tile.reject {
                        tile.back += tile.faces[white];
                        tile.faces[white] = 0.0;
                    } else {
                        gone.push(at);
                    }
                }
                _ => {}
            }
        }
        let mut at = 0..;
        tiles.retain(|_| at.next().is_none_or(|at| !gone.contains(&at)));
        Ok(())
    }
}

/// A white dragon that is so sure.
fn white_so_sure(white: usize, p: f32) -> Named {
    let mut classes = [0.0; CLASSES];
    (classes[white], classes[REJECT]) = (p, 1.0 - p);
    Named { classes, turns: [0.5, 0.0, 0.5, 0.0], red: 0.0, around: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_judge_that_is_built_in_has_a_weight_for_all_that_it_is_told() {
        let judge = JUDGE.as_ref().expect("a judge");
        assert_eq!((judge.mean.len(), judge.scale.len()), (FEATURES, FEATURES));
        assert!(judge.hidden.iter().all(|weights| weights.len() == FEATURES));
        assert_eq!(
            (judge.hidden_bias.len(), judge.out.len()),
            (judge.hidden.len(), judge.hidden.len())
        );
    }

    #[test]
    fn a_blank_like_the_bodies_of_faces_is_likelier_a_white_dragon_than_a_coloured_one() {
        let judge = JUDGE.as_ref().expect("a judge");
        let mut blank: [f32; FEATURES] = std::array::from_fn(|feature| judge.mean[feature]);
        (blank[8], blank[9]) = (0.02, 0.0);
        let alike = judge.says(&blank);
        (blank[8], blank[9]) = (0.5, 0.5);
        assert!(judge.says(&blank) < alike);
    }
}

//! Compares a crop with a profile, measures how well the profile fits the picture, and combines the network's and
//! the profile's classes.
//!
//! The network's probability of each class is multiplied by the exponential of [`STRENGTH`] times the cosine
//! between the crop's embedding and the face's nearest exemplar; classes without an exemplar (among them the back
//! and no tile) count as if their cosine were [`UNSHOWN`]. The constants are chosen on sets of split `val` alone,
//! by `tilelens_training.measure.tileset_profiles` (docs/tilesets.md).

use super::{Embedding, Profile};
use crate::{
    sight::rank::quantile,
    tile::{Face, Tile},
};

/// Number of classes: faces by [`Face::index`], the back, no tile.
pub const CLASSES: usize = Face::COUNT + 2;

/// Weight of a cosine of one, in nats.
const STRENGTH: f32 = 40.0;
/// Cosine that stands for a class without an exemplar.
const UNSHOWN: f32 = 0.75;
/// Weight of the network's turns when exemplars are compared, as a cosine for each nat.
const TURN: f32 = 0.02;
/// Least logarithm of a turn's probability that counts there, in nats.
const LEAST_TURN: f32 = -6.0;
/// Least probability, by the network, of a crop that counts for the fit.
const SURE: f32 = 0.97;
/// Fewest such crops; with fewer the fit is unknown.
const ENOUGH: usize = 5;
/// Median cosines at which a profile starts to count (below, it is another set's), and at which it counts fully.
const FITS: [f32; 2] = [0.955, 0.985];
/// Weight of a profile that a person chose, while its fit is unknown.
const CHOSEN: f32 = 0.3;

/// A crop's embedding in one turn.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnedEmbedding {
    /// Number of quarter turns of the crop: its corner of this number was the first.
    pub quarters: usize,
    /// The classifier's last layer, of length one.
    pub embedding: Embedding,
}

/// Likeness of a crop to each face of a profile.
#[derive(Clone, Debug)]
pub struct Likeness {
    /// Cosine with the nearest exemplar in each turn of the crop; `None` for faces without one.
    faces: [Option<[f32; 4]>; Face::COUNT],
    /// Cosines with red fives alone, and with the plain ones, by suit.
    fives: [[Option<[f32; 4]>; 2]; 3],
}

/// Fit of a profile to the tiles of one picture.
#[derive(Clone, Debug, Default)]
pub struct Fit(Vec<f32>);

impl Profile {
    /// Compares a crop, in one turn or more, with the whole profile.
    #[must_use]
    pub fn likeness(&self, crop: &[TurnedEmbedding]) -> Likeness {
        let mut likeness = Likeness { faces: [None; Face::COUNT], fives: [[None; 2]; 3] };
        for exemplar in self.exemplars() {
            let alike = alike(crop, &exemplar.turns);
            let face = exemplar.tile.face();
            keep_nearer(&mut likeness.faces[face.index()], Some(alike));
            if let Some(suit) = suit_of_five(face) {
                let red = usize::from(exemplar.tile.is_red());
                keep_nearer(&mut likeness.fives[suit][red], Some(alike));
            }
        }
        likeness
    }

    /// Counts a crop: whether it looks like the face that the network is sure of.
    ///
    /// `classes` and `turns` are the network's.
    pub fn fit(
        &self,
        fit: &mut Fit,
        classes: &[f32; CLASSES],
        turns: &[f32; 4],
        crop: &[TurnedEmbedding],
    ) {
        let Some(face) = Face::all().find(|face| classes[face.index()] >= SURE) else { return };
        let cosine = (self.exemplars().iter())
            .filter(|shown| shown.tile.face() == face)
            .map(|shown| in_some_turn(&alike(crop, &shown.turns), turns))
            .reduce(f32::max);
        fit.0.extend(cosine);
    }
}

impl Fit {
    /// The median cosine of the crops that count; `None` with too few of them.
    #[must_use]
    pub fn median(&self) -> Option<f32> {
        quantile(self.0.iter().copied(), 0.5).filter(|_| self.0.len() >= ENOUGH)
    }
}

/// The weight of a profile, 0-1, by its fit; while that is unknown, by whether a person chose it.
#[must_use]
pub fn weight(fit: Option<f32>, chosen: bool) -> f32 {
    match fit {
        Some(fit) => ((fit - FITS[0]) / (FITS[1] - FITS[0])).clamp(0.0, 1.0),
        None if chosen => CHOSEN,
        None => 0.0,
    }
}

fn keep_nearer(best: &mut Option<[f32; 4]>, alike: Option<[f32; 4]>) {
    *best = match (*best, alike) {
        (Some(best), Some(alike)) => Some([0, 1, 2, 3].map(|k: usize| alike[k].max(best[k]))),
        (best, alike) => best.or(alike),
    };
}

/// The number of the suit, of fives of a suit.
fn suit_of_five(face: Face) -> Option<usize> {
    let five = Tile::red_five(face.suit())?.face() == face;
    five.then_some(face.index() / 9)
}

impl Likeness {
    /// The likeness to either of two sets: for each face the nearer exemplar.
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        self.faces.iter_mut().zip(&other.faces).for_each(|(own, other)| keep_nearer(own, *other));
        let fives = self.fives.iter_mut().flatten().zip(other.fives.iter().flatten());
        fives.for_each(|(own, other)| keep_nearer(own, *other));
        self
    }

    /// The probability of red for a five, by the network and by a set that has both the red and the plain one.
    #[must_use]
    pub fn red(&self, face: Face, turns: &[f32; 4], red: f32, weight: f32) -> f32 {
        let Some([Some(plain), Some(own)]) = suit_of_five(face).map(|suit| self.fives[suit]) else {
            return red;
        };
        let lead = in_some_turn(&own, turns) - in_some_turn(&plain, turns);
        let red = red.clamp(1e-6, 1.0 - 1e-6);
        let odds = (red / (1.0 - red)).ln() + weight * STRENGTH * lead;
        1.0 / (1.0 + (-odds).exp())
    }

    /// Combines the network's classes with the profile's.
    ///
    /// `classes` sum to one before and after; `turns[k]` is the probability that the face's own top
    /// left is the crop's corner `k`. With a `weight` of 0 nothing changes.
    pub fn apply(&self, classes: &mut [f32; CLASSES], turns: &mut [f32; 4], weight: f32) {
        if weight <= 0.0 {
            return;
        }
        let strength = weight * STRENGTH;
        let best = self.faces.map(|alike| alike.map(|alike| in_some_turn(&alike, turns)));
        let most = best.iter().flatten().copied().fold(UNSHOWN, f32::max);
        for (class, p) in classes.iter_mut().enumerate() {
            let cosine = best.get(class).copied().flatten().unwrap_or(UNSHOWN);
            *p = p.max(1e-9) * (strength * (cosine - most)).exp();
        }
        let sum: f32 = classes.iter().sum();
        classes.iter_mut().for_each(|p| *p /= sum);
        let likeliest = Face::all()
            .max_by(|a, b| classes[a.index()].total_cmp(&classes[b.index()]))
            .and_then(|face| self.faces[face.index()].map(|alike| (face, alike)));
        let Some((face, alike)) = likeliest.filter(|(face, _)| classes[face.index()] > 0.5) else {
            return;
        };
        // Exemplars of faces that look the same both ways up do not separate these turns.
        let alike = if face.looks_alike_upside_down() {
            [0, 1, 2, 3].map(|k: usize| alike[k].max(alike[(k + 2) % 4]))
        } else {
            alike
        };
        let most = alike.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for (p, cosine) in turns.iter_mut().zip(alike) {
            *p = p.max(1e-6) * (strength * (cosine - most)).exp();
        }
        let sum: f32 = turns.iter().sum();
        turns.iter_mut().for_each(|p| *p /= sum);
    }
}

/// Likeness of a crop and an exemplar in the best turn, with the network's turns counted in.
fn in_some_turn(alike: &[f32; 4], turns: &[f32; 4]) -> f32 {
    (alike.iter().zip(turns))
        .map(|(cosine, p)| cosine + TURN * p.max(f32::MIN_POSITIVE).ln().max(LEAST_TURN))
        .fold(-1.0, f32::max)
}

/// Cosines of a crop with an exemplar, by the corner of the crop that would be the face's top left.
fn alike(crop: &[TurnedEmbedding], turns: &[Embedding; 4]) -> [f32; 4] {
    let share = 1.0 / crop.len().max(1) as f32;
    let mut alike = [0.0; 4];
    for shown in crop {
        for (corner, sum) in alike.iter_mut().enumerate() {
            let turn = (corner + 4 - shown.quarters % 4) % 4;
            *sum += share * dot(&shown.embedding, &turns[turn]);
        }
    }
    alike
}

/// Summed in eight lanes, which compilers turn into vector instructions.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut lanes = [0.0f32; 8];
    let (left, right) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f32 = left.remainder().iter().zip(right.remainder()).map(|(x, y)| x * y).sum();
    for (a, b) in left.zip(right) {
        for lane in 0..8 {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f32>() + rest
}

//! The features of a candidate for the judge of tiles: the networks' outputs for it, and the scene around it.

use super::{
    agreement::{Cluster, support},
    neighbours::{count_neighbours, ends_row},
    networks::{BACK, Classified, REJECT, WHITE},
    passes::DetectorPass,
    verdicts::{SURE_FACE, best},
};
use crate::{
    sight::{
        Corners,
        quad::{bounding_box, centre, nearest, overlap, sides, signed_area},
        rank::quantile,
    },
    tile::{Face, Suit},
};
/// Number of features of a candidate.
pub(super) const FEATURES: usize = 26;
/// Cap of absolute logits, of distances in tiles, and of counts.
const MOST: f32 = 8.0;
/// Number of nearest sure faces that give the size of tiles around a candidate.
const NEAREST: usize = 4;
/// Most dots on a side of a die.
const DOTS_OF_DIE: u8 = 6;

/// The logit of a probability, capped.
pub(super) fn logit(p: f32) -> f32 {
    let p = p.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln().clamp(-MOST, MOST)
}

/// A candidate as others compare themselves with it.
struct Candidate {
    quad: Corners,
    area: f32,
    short: f32,
    score: f32,
    /// The face that it shows with [`SURE_FACE`], if any.
    face: Option<usize>,
    is_back: bool,
}

/// The features of each candidate, in the order of `models/tile_judge.md`. `edge`: width and height of the picture.
pub(super) fn features(
    clusters: &[Cluster],
    classified: &[Classified],
    passes: &[DetectorPass],
    picture: [u32; 2],
) -> Vec<[f32; FEATURES]> {
    let candidates: Vec<Candidate> = (clusters.iter().zip(classified))
        .map(|(cluster, classified)| Candidate {
            quad: cluster.quad,
            area: signed_area(&cluster.quad).abs().max(1.0),
            short: sides(&cluster.quad)[0].max(1.0),
            score: cluster.score,
            face: classified.classes[..BACK].iter().position(|p| *p > SURE_FACE),
            is_back: classified.classes[BACK] > SURE_FACE || cluster.is_back(),
        })
        .collect();
    (clusters.iter().zip(classified).enumerate())
        .map(|(at, (cluster, classified))| {
            of_one(at, cluster, classified, &candidates, passes, picture)
        })
        .collect()
}

fn of_one(
    at: usize,
    cluster: &Cluster,
    classified: &Classified,
    candidates: &[Candidate],
    passes: &[DetectorPass],
    picture: [u32; 2],
) -> [f32; FEATURES] {
    let own = &candidates[at];
    let others =
        || candidates.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one);
    let faces: Vec<&Candidate> = others().filter(|one| one.face.is_some()).collect();
    let quads: Vec<Corners> = faces.iter().map(|face| face.quad).collect();
    let backs: Vec<Corners> = others().filter(|one| one.is_back).map(|one| one.quad).collect();
    let near: Vec<&Candidate> =
        nearest(&own.quad, &quads, NEAREST).into_iter().map(|face| faces[face]).collect();
    let ratio = |own: f32, others: Option<f32>| {
        others.map_or(0.0, |others| (own / others).ln().clamp(-3.0, 3.0))
    };
    // Anything inside a larger face may be its print; anything that holds others may be two tiles.
    let within = |is: &dyn Fn(&Candidate) -> bool| {
        let shared = others().filter(|one| is(one)).map(|one| overlap(&own.quad, &one.quad)[1]);
        shared.fold(0.0, f32::max)
    };
    let inside = within(&|one| one.face.is_some() && one.area > 1.5 * own.area);
    let around = within(&|one| one.face.is_some() && 1.5 * one.area < own.area);
    let rival = others().filter(|one| one.score > own.score);
    let rival = rival.map(|one| overlap(&own.quad, &one.quad)[0]).fold(0.0, f32::max);
    let best_face = best(&classified.classes[..BACK]);
    let same = faces.iter().filter(|face| face.face == Some(best_face)).count();
    let is_die = Face::from_index(best_face)
        .is_some_and(|face| face.suit() == Suit::Dots && face.number() <= DOTS_OF_DIE);
    let white = classified.classes[WHITE];
    let shows: f32 = classified.classes[..BACK].iter().sum();
    let flag = |is: bool| f32::from(u8::from(is));
    let [left, top, right, bottom] = bounding_box(&own.quad);
    let cut = left < 2.0
        || top < 2.0
        || right > picture[0] as f32 - 2.0
        || bottom > picture[1] as f32 - 2.0;
    let shown = passes.iter().map(|pass| pass.shown(&own.quad)).fold(1.0, f32::max);
    [
        logit(own.score),
        support(cluster, passes),
        cluster.share_of_backs(),
        if cluster.tile.is_nan() { 0.0 } else { cluster.tile.clamp(-MOST, MOST) },
        logit(classified.classes[REJECT]),
        logit(classified.classes[best_face]),
        logit(white),
        logit(classified.classes[BACK]),
        shows - white,
        classified.classes[Face::SET_FACES..BACK].iter().sum(),
        ratio(own.short, quantile(faces.iter().map(|face| face.short), 0.5)),
        ratio(own.area, quantile(near.iter().map(|face| face.area), 0.5)),
        ratio(own.short, quantile(near.iter().map(|face| face.short), 0.5)),
        (faces.len() as f32).ln_1p(),
        count_neighbours(&own.quad, &quads).min(2) as f32,
        count_neighbours(&own.quad, &backs).min(2) as f32,
        flag(ends_row(&own.quad, &quads)),
        away(own, &quads),
        away(own, &backs),
        inside,
        around,
        rival,
        flag(is_die),
        (same as f32).min(MOST),
        flag(cut),
        shown.ln(),
    ]
}

/// Distance to the nearest of some quads, in the candidate's longer side.
fn away(own: &Candidate, quads: &[Corners]) -> f32 {
    let [x, y] = centre(&own.quad);
    let far = quads.iter().map(|quad| {
        let [u, v] = centre(quad);
        let size = own.area.max(signed_area(quad).abs()).sqrt();
        (u - x).hypot(v - y) / size
    });
    far.fold(MOST, f32::min)
}

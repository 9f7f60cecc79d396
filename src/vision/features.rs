//! What the judge of tiles is given of each candidate: what the networks say of it, and what lies around it in the scene.

use super::{
    agreement::{Cluster, support},
    company::{companions, ends_row},
    judgement::{SURE_FACE, best},
    looks::Look,
    networks::{BACK, Named, REJECT, WHITE},
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
/// Absolute logits, distances in tiles and counts are capped here.
const MOST: f32 = 8.0;
/// Number of nearest sure faces that say how large tiles are around a candidate.
const NEAREST: usize = 4;
/// Most dots on a side of a die.
const DOTS_OF_DIE: u8 = 6;

/// The logit of a probability, capped.
pub(super) fn logit(p: f32) -> f32 {
    let p = p.clamp(1e-4, 1.0 - 1e-4);
    (p / (1.0 - p)).ln().clamp(-MOST, MOST)
}

/// A candidate as the others see it.
struct Sight {
    quad: Corners,
    area: f32,
    short: f32,
    heat: f32,
    /// The face that it surely shows.
    face: Option<usize>,
    is_back: bool,
}

/// The features of each candidate, in the order of `models/tile_judge.md`. `edge`: width and height of the picture.
pub(super) fn features(
    clusters: &[Cluster],
    named: &[Named],
    looks: &[Look],
    picture: [u32; 2],
) -> Vec<[f32; FEATURES]> {
    let sights: Vec<Sight> = (clusters.iter().zip(named))
        .map(|(cluster, named)| Sight {
            quad: cluster.quad,
            area: signed_area(&cluster.quad).abs().max(1.0),
            short: sides(&cluster.quad)[0].max(1.0),
            heat: cluster.heat,
            face: named.classes[..BACK].iter().position(|p| *p > SURE_FACE),
            is_back: named.classes[BACK] > SURE_FACE || cluster.is_back(),
        })
        .collect();
    (clusters.iter().zip(named).enumerate())
        .map(|(at, (cluster, named))| of_one(at, cluster, named, &sights, looks, picture))
        .collect()
}

fn of_one(
    at: usize,
    cluster: &Cluster,
    named: &Named,
    sights: &[Sight],
    looks: &[Look],
    picture: [u32; 2],
) -> [f32; FEATURES] {
    let own = &sights[at];
    let others = || sights.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, one)| one);
    let faces: Vec<&Sight> = others().filter(|one| one.face.is_some()).collect();
    let quads: Vec<Corners> = faces.iter().map(|face| face.quad).collect();
    let backs: Vec<Corners> = others().filter(|one| one.is_back).map(|one| one.quad).collect();
    let near: Vec<&Sight> =
        nearest(&own.quad, &quads, NEAREST).into_iter().map(|face| faces[face]).collect();
    let ratio = |own: f32, others: Option<f32>| {
        others.map_or(0.0, |others| (own / others).ln().clamp(-3.0, 3.0))
    };
    // What lies in a larger face may be printed on it; what holds others may be two tiles.
    let within = |is: &dyn Fn(&Sight) -> bool| {
        let shared = others().filter(|one| is(one)).map(|one| overlap(&own.quad, &one.quad)[1]);
        shared.fold(0.0, f32::max)
    };
    let inside = within(&|one| one.face.is_some() && one.area > 1.5 * own.area);
    let around = within(&|one| one.face.is_some() && 1.5 * one.area < own.area);
    let rival = others().filter(|one| one.heat > own.heat);
    let rival = rival.map(|one| overlap(&own.quad, &one.quad)[0]).fold(0.0, f32::max);
    let best_face = best(&named.classes[..BACK]);
    let same = faces.iter().filter(|face| face.face == Some(best_face)).count();
    let is_die = Face::from_index(best_face)
        .is_some_and(|face| face.suit() == Suit::Dots && face.number() <= DOTS_OF_DIE);
    let white = named.classes[WHITE];
    let shows: f32 = named.classes[..BACK].iter().sum();
    let flag = |is: bool| f32::from(u8::from(is));
    let [left, top, right, bottom] = bounding_box(&own.quad);
    let cut = left < 2.0
        || top < 2.0
        || right > picture[0] as f32 - 2.0
        || bottom > picture[1] as f32 - 2.0;
    let shown = looks.iter().map(|look| look.shown(&own.quad)).fold(1.0, f32::max);
    [
        logit(own.heat),
        support(cluster, looks),
        cluster.share_of_backs(),
        if cluster.tile.is_nan() { 0.0 } else { cluster.tile.clamp(-MOST, MOST) },
        logit(named.classes[REJECT]),
        logit(named.classes[best_face]),
        logit(white),
        logit(named.classes[BACK]),
        shows - white,
        named.classes[Face::SET_FACES..BACK].iter().sum(),
        ratio(own.short, quantile(faces.iter().map(|face| face.short), 0.5)),
        ratio(own.area, quantile(near.iter().map(|face| face.area), 0.5)),
        ratio(own.short, quantile(near.iter().map(|face| face.short), 0.5)),
        (faces.len() as f32).ln_1p(),
        companions(&own.quad, &quads).min(2) as f32,
        companions(&own.quad, &backs).min(2) as f32,
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

/// How far the nearest of some quads is, in sides of a tile, the larger of the two.
fn away(own: &Sight, quads: &[Corners]) -> f32 {
    let [x, y] = centre(&own.quad);
    let far = quads.iter().map(|quad| {
        let [u, v] = centre(quad);
        let size = own.area.max(signed_area(quad).abs()).sqrt();
        (u - x).hypot(v - y) / size
    });
    far.fold(MOST, f32::min)
}

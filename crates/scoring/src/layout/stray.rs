//! Finds tiles beside a hand that may be its flowers or seasons: each maker draws his own, so a set unknown to the
//! networks gives no sure face, yet such a tile counts.

use super::{
    arrange::ArrangedHand,
    doubt::{Doubt, Uncertainty},
    scene::Scene,
    shown::Opened,
};
use crate::{
    hand::Reading,
    tile::{Face, SeenFace, Tile},
};

/// Probability, given that a face shows, above which the face is known.
const KNOWN: f32 = 0.8;
/// Largest distance, in widths and heights, of a bonus tile from a tile of the hand.
const NEAR: f32 = 2.5;
/// Number of known faces in a tile's run from which on it lies among discards.
const DISCARDS: usize = 2;
/// Confidence that such tiles leave to the hand, at most and at least: low enough to be asked about, high enough that
/// a sure hand has its score where flowers count nothing.
const LEAVES: [f32; 2] = [0.8, 0.6];

/// Doubts about possible bonus tiles of the hand, and the confidence that they leave.
pub fn stray_bonus(scene: &Scene, arranged: &ArrangedHand, reading: &Reading) -> (Vec<Doubt>, f32) {
    let hand: Vec<usize> = arranged.tiles().collect();
    let mut doubts = Vec::new();
    let mut leaves = 1.0f32;
    for (tile, shown) in scene.tiles.iter().enumerate() {
        let Some((face, bonus)) = unknown(scene, tile, reading) else { continue };
        let centre = scene.frames[tile].centre;
        let near = hand.iter().any(|&other| {
            let [x, y] = scene.frames[other].local(centre);
            x.abs() < NEAR && y.abs() < NEAR
        });
        let known = |other: &&usize| scene.tiles[**other].confidence >= KNOWN;
        let discard = scene.runs.iter().any(|run| {
            let tiles: Vec<usize> = run.tiles.iter().map(|placed| placed.tile).collect();
            tiles.contains(&tile) && tiles.iter().filter(known).count() >= DISCARDS
        });
        if hand.contains(&tile) || !near || discard {
            continue;
        }
        let mut other = reading.clone();
        other.bonus.push(SeenFace::Tile(Tile::from(face)));
        other.bonus.sort();
        let looks = match shown.face {
            SeenFace::Tile(tile) => Some(tile),
            SeenFace::Back | SeenFace::Unknown => None,
        };
        let why = Uncertainty::StrayBonus { looks, bonus: face };
        doubts.push(Doubt { otherwise: Some(other), ..Doubt::of_tile(tile, why) });
        leaves *= (1.0 - bonus).clamp(LEAVES[1], LEAVES[0]);
    }
    (doubts, leaves.max(LEAVES[1]))
}

/// The flower or season that a tile may be, and its probability; `None` if its face is known or it is face down.
fn unknown(scene: &Scene, tile: usize, reading: &Reading) -> Option<(Face, f32)> {
    let seen = &scene.seen[scene.tiles[tile].seen];
    let some: f32 = seen.faces.iter().sum();
    let best = seen.faces.iter().copied().fold(0.0, f32::max);
    if scene.hints.opened != Opened::Alone && scene.is_print(tile) {
        return None;
    }
    let fixed = scene.hints.fixes.iter().any(|(other, _)| *other == tile);
    if fixed || scene.appearances[tile].back || best >= KNOWN * some {
        return None;
    }
    let free = |face: &Face| {
        face.is_bonus() && !reading.bonus.contains(&SeenFace::Tile(Tile::from(*face)))
    };
    let face = (Face::all().filter(free))
        .max_by(|a, b| seen.faces[a.index()].total_cmp(&seen.faces[b.index()]))?;
    let bonus: f32 = seen.faces[Face::SET_FACES..].iter().sum();
    Some((face, bonus / some.max(f32::MIN_POSITIVE)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        layout::{Hints, read},
        sight::laid,
    };

    #[test]
    fn a_print_beside_an_opened_hand_is_no_flower_of_it() {
        const HAND: &str = "1m 2m 3m 7m 8m 9m 4p 6p 7p 1z 1z 2z 3z";
        let bonus = |reject: f32| {
            let mut seen = laid::row(HAND, [100.0, 940.0], [30.0, 40.0]);
            let mut flower = laid::row("2f", [140.0, 880.0], [30.0, 40.0]).remove(0);
            flower.faces.iter_mut().for_each(|face| *face *= 1.0 - reject);
            flower.reject = reject;
            seen.push(flower);
            let hints = Hints { opened: Opened::Lost, ..Hints::default() };
            read(&seen, &hints).hand.unwrap().reading.bonus.len()
        };
        assert_eq!(bonus(0.0), 1);
        assert_eq!(bonus(0.4), 1);
        assert_eq!(bonus(0.6), 0, "likelier no tile");
    }
}

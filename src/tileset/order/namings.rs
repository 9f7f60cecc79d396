//! The possible faces of a piece's tiles, by the rows of the order that fit it.

use super::pieces::Piece;
use crate::{
    sight::SeenTile,
    tile::{Face, Suit, Tile},
};

/// Least probability of any face, however sure the network is of another: each maker draws flowers and seasons in
/// his own way.
const LEAST: f32 = 0.004;
/// Least probability of a flower or season.
pub(super) const LEAST_BONUS: f32 = 0.02;
/// Most readings of one piece that are followed up.
const READINGS: usize = 12;
/// Cost of a row with only a part of its tiles, in nats.
const PART: f32 = 3.0;
/// Probability from which on a five is red.
const RED: f32 = 0.5;

/// A naming of a piece's tiles.
pub(super) struct Naming {
    pub tiles: Vec<Tile>,
    /// Whether it runs from right to left.
    pub reversed: bool,
    /// Sum of log probabilities.
    pub likelihood: f32,
    /// A bit for each face.
    pub faces: u64,
}

/// The likeliest face of a tile.
pub(super) fn best(tile: &SeenTile) -> (Face, f32) {
    Face::all()
        .map(|face| (face, tile.faces[face.index()]))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((Face::FIRST, 0.0))
}

/// Probability of a face; a white dragon may look like a plain body.
pub(super) fn probability(tile: &SeenTile, face: Face) -> f32 {
    let blank = if Face::new(Suit::Honors, 5) == Some(face) {
        0.5 * (tile.back + tile.reject)
    } else {
        0.0
    };
    tile.faces[face.index()] + blank
}

/// The possible lines, from left to right; of rows that begin alike the shorter first.
fn lines() -> Vec<Vec<Tile>> {
    let run = |suit: Suit, numbers: &[u8]| -> Vec<Tile> {
        numbers.iter().filter_map(|n| Face::new(suit, *n).map(Tile::new)).collect()
    };
    let mut lines = Vec::new();
    for suit in [Suit::Characters, Suit::Dots, Suit::Bamboo] {
        let plain = run(suit, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for place in [4, 5] {
            let mut with_red = plain.clone();
            if let Some(red) = Tile::red_five(suit) {
                with_red.insert(place, red);
                lines.push(with_red);
            }
        }
        lines.push(plain);
    }
    let honors: [&[u8]; 4] =
        [&[1, 2, 3, 4], &[7, 6, 5], &[1, 2, 3, 4, 7, 6, 5], &[1, 2, 3, 4, 5, 6, 7]];
    lines.extend(honors.map(|numbers| run(Suit::Honors, numbers)));
    let bonus: [&[u8]; 3] = [&[1, 2, 3, 4], &[5, 6, 7, 8], &[1, 2, 3, 4, 5, 6, 7, 8]];
    lines.extend(bonus.map(|numbers| run(Suit::Bonus, numbers)));
    lines
}

/// The likeliest namings of a piece, the likeliest first.
pub(super) fn namings_of(piece: &Piece, seen: &[SeenTile]) -> Vec<Naming> {
    let count = piece.tiles.len();
    let mut namings: Vec<Naming> = Vec::new();
    for line in lines() {
        for part in line.windows(count) {
            for reversed in [false, true] {
                let mut tiles = part.to_vec();
                if reversed {
                    tiles.reverse();
                }
                let mut likelihood = if part.len() < line.len() { -PART } else { 0.0 };
                for ((index, _), tile) in piece.tiles.iter().zip(&mut tiles) {
                    let one = &seen[*index];
                    let bonus = tile.face().suit() == Suit::Bonus;
                    let least = if bonus { LEAST_BONUS } else { LEAST };
                    likelihood += probability(one, tile.face()).max(least).ln();
                    let five =
                        Tile::red_five(tile.face().suit()).filter(|red| red.face() == tile.face());
                    if let Some(red) = five {
                        let beside =
                            part.iter().filter(|other| other.face() == red.face()).count() > 1;
                        if beside {
                            let p = if tile.is_red() { one.red } else { 1.0 - one.red };
                            likelihood += p.max(0.1).ln();
                        } else if one.red > RED {
                            *tile = red;
                        }
                    }
                }
                let faces = tiles.iter().fold(0, |faces, tile| faces | 1u64 << tile.face().index());
                let naming = Naming { tiles, reversed, likelihood, faces };
                match namings.iter_mut().find(|other| other.tiles == naming.tiles) {
                    Some(other) if other.likelihood < naming.likelihood => *other = naming,
                    Some(_) => {}
                    None => namings.push(naming),
                }
            }
        }
    }
    namings.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood));
    namings.truncate(READINGS);
    namings
}

//! Pieces of rows, by how tiles lie to each other.

use super::namings::best;
use crate::{
    sight::frame::{Frame, Point, cosine},
    sight::{SeenTile, rank::quantile},
};

/// Neighbours of a row are at most so many widths from middle to middle, and so much out of line, in heights.
const APART: f32 = 1.65;
const OUT_OF_LINE: f32 = 0.4;
/// Finds nearer than this to each other, in widths and heights, are one tile and something beside it.
const SAME_PLACE: [f32; 2] = [0.65, 0.5];
/// A step so much wider than is usual in its row is a gap where a tile was not found or does not lie,
const GAP: f32 = 1.5;
/// in rows of so many tiles.
const ENOUGH_STEPS: usize = 4;

/// One piece of a row, from the left as the faces stand.
pub(super) struct Piece {
    pub tiles: Vec<(usize, Frame)>,
    pub centre: Point,
}

/// Tiles side by side, from the top and from the left as the faces stand.
pub(super) fn pieces(seen: &[SeenTile]) -> Vec<Piece> {
    let named: Vec<usize> = (0..seen.len())
        .filter(|tile| seen[*tile].back < 0.5 && Frame::new(seen[*tile].corners).is_sound())
        .collect();
    let Some(&first) = named.first() else { return Vec::new() };
    // All faces stand the same way: which, they say together.
    let reference = Frame::new(seen[first].corners).right;
    let mut up = [0.0f32; 4];
    for &tile in &named {
        let (quarters, _) = Frame::new(seen[tile].corners).facing(reference);
        for (k, sum) in up.iter_mut().enumerate() {
            *sum += seen[tile].turns[(quarters + k) % 4].max(0.02).ln();
        }
    }
    let turn = (0..4).max_by(|a, b| up[*a].total_cmp(&up[*b])).unwrap_or(0);
    let frames: Vec<(usize, Frame)> = (named.iter())
        .map(|&tile| (tile, Frame::new(seen[tile].corners).facing(reference).1.turned(turn)))
        .collect();
    let frames = distinct(frames, seen);
    let beside = |from: usize, side: f32| {
        let own = frames[from].1;
        (0..frames.len())
            .filter(|other| *other != from)
            .filter_map(|other| {
                let [x, y] = own.local(frames[other].1.centre);
                let level = cosine(own.right, frames[other].1.right) > 0.8;
                (level && (0.5..APART).contains(&(side * x)) && y.abs() < OUT_OF_LINE)
                    .then_some((other, side * x))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(other, _)| other)
    };
    let right: Vec<Option<usize>> = (0..frames.len()).map(|from| beside(from, 1.0)).collect();
    let left: Vec<Option<usize>> = (0..frames.len()).map(|from| beside(from, -1.0)).collect();
    let mutual = |from: usize| right[from].filter(|to| left[*to] == Some(from));
    let begins = |at: usize| left[at].is_none_or(|before| right[before] != Some(at));
    let mut pieces = Vec::new();
    for start in (0..frames.len()).filter(|at| begins(*at)) {
        let mut tiles = vec![frames[start]];
        let mut at = start;
        while let Some(next) = mutual(at) {
            tiles.push(frames[next]);
            at = next;
            if tiles.len() > frames.len() {
                break;
            }
        }
        for tiles in parted(&tiles).into_iter().filter(|tiles| tiles.len() > 1) {
            let count = tiles.len() as f32;
            let sum = tiles.iter().fold([0.0; 2], |sum, (_, frame)| {
                [sum[0] + frame.centre[0], sum[1] + frame.centre[1]]
            });
            pieces.push(Piece { tiles: tiles.to_vec(), centre: sum.map(|x| x / count) });
        }
    }
    // From the top, as a tile in the middle of all sees it; what lies level, from the left.
    if let Some(middle) = frames.get(frames.len() / 2).map(|(_, frame)| *frame) {
        let place = |piece: &Piece| {
            let [x, y] = middle.local(piece.centre);
            ((y / 0.6).round() as i32, x)
        };
        pieces.sort_by(|a, b| {
            let ((row, x), (other, y)) = (place(a), place(b));
            row.cmp(&other).then(x.total_cmp(&y))
        });
    }
    pieces
}

/// Finds without those that lie half over a better one: what is between two tiles is none.
fn distinct(mut frames: Vec<(usize, Frame)>, seen: &[SeenTile]) -> Vec<(usize, Frame)> {
    let good = |tile: usize| seen[tile].found + best(&seen[tile]).1;
    frames.sort_by(|a, b| good(b.0).total_cmp(&good(a.0)));
    let mut kept: Vec<(usize, Frame)> = Vec::with_capacity(frames.len());
    for (tile, frame) in frames {
        let twice = kept.iter().any(|(_, other)| {
            let [x, y] = other.local(frame.centre);
            x.abs() < SAME_PLACE[0] && y.abs() < SAME_PLACE[1]
        });
        if !twice {
            kept.push((tile, frame));
        }
    }
    kept.sort_unstable_by_key(|(tile, _)| *tile);
    kept
}

/// Tiles side by side, parted where a step is much wider than the others.
fn parted(tiles: &[(usize, Frame)]) -> Vec<&[(usize, Frame)]> {
    let steps: Vec<f32> =
        tiles.windows(2).map(|pair| pair[0].1.local(pair[1].1.centre)[0]).collect();
    let usual = match quantile(steps.iter().copied(), 0.5) {
        Some(usual) if steps.len() >= ENOUGH_STEPS => usual,
        _ => return vec![tiles],
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, step) in steps.iter().enumerate() {
        if *step > GAP * usual {
            parts.push(&tiles[start..=at]);
            start = at + 1;
        }
    }
    parts.push(&tiles[start..]);
    parts
}

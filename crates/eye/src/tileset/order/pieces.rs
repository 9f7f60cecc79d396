//! Divides tiles into pieces of rows, by their places.

use crate::{
    sight::frame::{Point, TileFrame, cosine},
    sight::{SeenTile, rank::quantile},
    tile::Face,
};

/// Largest distance of neighbours in a row, in widths from middle to middle.
const APART: f32 = 1.65;
/// Largest distance of neighbours out of line, in heights.
const OUT_OF_LINE: f32 = 0.4;
/// Least distance of two tiles, in widths and heights; nearer detections are one tile and something beside it.
const SAME_PLACE: [f32; 2] = [0.65, 0.5];
/// Least width of a gap in a row, in its usual steps.
const GAP: f32 = 1.5;
/// Fewest steps of a row in which gaps are found.
const ENOUGH_STEPS: usize = 4;

/// One piece of a row, from the left by the direction of the faces.
pub(super) struct Piece {
    pub tiles: Vec<(usize, TileFrame)>,
    pub centre: Point,
}

/// Pieces of tiles side by side, from the top and from the left by the direction of the faces.
pub(super) fn pieces(seen: &[SeenTile]) -> Vec<Piece> {
    let named: Vec<usize> = (0..seen.len())
        .filter(|tile| seen[*tile].back < 0.5 && TileFrame::new(seen[*tile].corners).is_sound())
        .collect();
    let Some(&first) = named.first() else { return Vec::new() };
    // All faces have the same direction, which they decide together.
    let reference = TileFrame::new(seen[first].corners).right;
    let mut up = [0.0f32; 4];
    for &tile in &named {
        let (quarters, _) = TileFrame::new(seen[tile].corners).facing(reference);
        for (k, sum) in up.iter_mut().enumerate() {
            *sum += seen[tile].turns[(quarters + k) % 4].max(0.02).ln();
        }
    }
    let turn = (0..4).max_by(|a, b| up[*a].total_cmp(&up[*b])).unwrap_or(0);
    let frames: Vec<(usize, TileFrame)> = (named.iter())
        .map(|&tile| (tile, TileFrame::new(seen[tile].corners).facing(reference).1.turned(turn)))
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
    // From the top, as a tile in the middle sees it; level ones from the left.
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

/// Detections without those that half overlap a better one: a detection between two tiles is not one.
fn distinct(mut frames: Vec<(usize, TileFrame)>, seen: &[SeenTile]) -> Vec<(usize, TileFrame)> {
    let good = |tile: usize| seen[tile].found + best(&seen[tile]).1;
    frames.sort_by(|a, b| good(b.0).total_cmp(&good(a.0)));
    let mut kept: Vec<(usize, TileFrame)> = Vec::with_capacity(frames.len());
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

/// Tiles side by side, divided where a step is much wider than the others.
fn parted(tiles: &[(usize, TileFrame)]) -> Vec<&[(usize, TileFrame)]> {
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

/// The likeliest face of a tile.
pub(super) fn best(tile: &SeenTile) -> (Face, f32) {
    Face::all()
        .map(|face| (face, tile.faces[face.index()]))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((Face::FIRST, 0.0))
}

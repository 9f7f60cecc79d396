//! Divides the tiles of a table among the players who have opened their hands around it.

use super::{
    arrange::TileAppearance,
    rows::{Run, apart},
    scene::Scene,
    shown::Hints,
};
use crate::sight::{
    SeenTile,
    frame::{HEIGHT, Point, cosine},
};

/// Fewest faces in the first row of an opened hand: a claimed set may lie before the others.
const OF_A_HAND: usize = 3;
/// Least probability of a face that counts.
const CLEAR: f32 = 0.5;
/// Largest distance of the row from the outermost one of its player, as a part of the table's edge: rows in one line lie
/// equally far out, discards nearer to the middle.
const IN_LINE: f32 = 0.04;
/// Least cosine between a row and the edge that it lies along.
const ALONG_EDGE: f32 = 0.9;
/// Least distance of a hand from the table's middle, as a part of its edge.
const OFF_MIDDLE: f32 = 0.12;
/// Largest distances of a hand's other tiles from its first row: along it in widths, across it in heights.
const REACH: [f32; 2] = [8.0, 2.2];

/// Rightwards as the players see it: those at the lower edge, at the right one, the upper and the left one.
const RIGHTWARDS: [Point; 4] = [[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0], [0.0, 1.0]];
/// From the middle towards the same players.
const OUTWARDS: [Point; 4] = [[0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]];

/// The tiles of each opened hand by index, for the players at the lower edge, the right one, the upper and the left
/// one. `seen`: all tiles from above, as the player at the lower edge sees them; `size`: the length of the table's
/// edges. A player whose hand is not opened has none.
pub fn hands_around(seen: &[SeenTile], size: f32) -> [Vec<usize>; 4] {
    let hints = Hints::default();
    let Scene { runs, appearances, tiles, .. } = Scene::new(seen, &hints);
    let faces = |run: &Run| {
        let clear = |tile: usize| {
            let TileAppearance { back, bonus, .. } = appearances[tile];
            !back && !bonus && tiles[tile].confidence >= CLEAR
        };
        run.tiles.iter().filter(|placed| clear(placed.tile)).count()
    };
    let place = |run: &Run, edge: usize| Place::new(run, edge, size);
    let firsts = [0, 1, 2, 3].map(|edge| {
        let out = |index: usize| place(&runs[index], edge).out;
        let may_be = |index: &usize| {
            let run = &runs[*index];
            faces(run) >= OF_A_HAND && place(run, edge).may_be_first()
        };
        let all: Vec<usize> = (0..runs.len()).filter(may_be).collect();
        let outermost = all.iter().map(|&index| out(index)).fold(f32::NEG_INFINITY, f32::max);
        let in_line = all.into_iter().filter(|&index| out(index) > outermost - IN_LINE);
        in_line.max_by_key(|&index| faces(&runs[index]))
    });
    let mut hands: [Vec<usize>; 4] = Default::default();
    for (index, run) in runs.iter().enumerate() {
        let owner = match firsts.iter().position(|first| *first == Some(index)) {
            Some(edge) => Some(edge),
            None => (0..4)
                .filter_map(|edge| {
                    let distance = reach(&runs[firsts[edge]?], run)?;
                    place(run, edge).may_be_beside().then_some((edge, distance))
                })
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .map(|(edge, _)| edge),
        };
        if let Some(edge) = owner {
            hands[edge].extend(run.tiles.iter().map(|placed| tiles[placed.tile].seen));
        }
    }
    hands
}

/// How a run lies to a player's edge.
struct Place {
    /// Number of its tiles.
    tiles: usize,
    /// Distance of its middle from the table's, towards the player, as a part of the table's edge.
    out: f32,
    /// Cosine between it and the edge, whichever way round: where it lies says more than a few faces.
    parallel: f32,
}

impl Place {
    fn new(run: &Run, edge: usize, size: f32) -> Self {
        let count = run.tiles.len();
        let middle = run.tiles.iter().fold([0.0, 0.0], |[x, y], placed| {
            let [u, v] = placed.frame.centre;
            [x + u / count as f32, y + v / count as f32]
        });
        let [x, y] = middle.map(|at| at / size - 0.5);
        Self {
            tiles: count,
            out: x * OUTWARDS[edge][0] + y * OUTWARDS[edge][1],
            parallel: cosine(run.right(), RIGHTWARDS[edge]).abs(),
        }
    }

    /// Whether it may be the first row of the player's hand.
    fn may_be_first(&self) -> bool {
        self.parallel > ALONG_EDGE && self.out > OFF_MIDDLE
    }

    /// Whether it may be another part of the player's hand. A single tile may be sideways or have fallen.
    fn may_be_beside(&self) -> bool {
        self.tiles == 1 || self.parallel > ALONG_EDGE
    }
}

/// The distance of a run from a hand's first row, in widths; `None` out of reach.
fn reach(first: &Run, run: &Run) -> Option<f32> {
    let lies = apart(first, run);
    let [along, across] = [lies.along.max(0.0), lies.across.max(0.0)];
    (along <= REACH[0] && across <= REACH[1]).then_some(along.hypot(across * HEIGHT))
}

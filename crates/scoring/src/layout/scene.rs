//! The tiles before the hand is known: each once, upright, with its neighbours.

use super::{
    arrange::TileAppearance,
    decode::FaceChoices,
    rows::{Run, find_runs, run_along},
    shown::{Hints, Role, ShownTile},
};
use crate::{
    sight::SeenTile,
    sight::frame::{HEIGHT, PARALLEL, TileFrame, cosine, knows_axis, settle, upright},
    tile::{Face, SeenFace, Tile},
};

/// Tiles with a lower probability of a tile than this are dropped.
const SOME_TILE: f32 = 0.2;
/// Distance of the middles along both axes, in widths and heights, below which two tiles are one.
const SAME_PLACE: f32 = 0.4;
/// Least distance of a tile on a sideways one from its middle, in heights.
const STACKED: f32 = 0.35;
/// Probability that a mark is no tile above which it is a print on the table.
const PRINT: f32 = 0.5;
/// Most alternative faces of a tile.
const ALTERNATIVES: usize = 3;
/// Least probability of an alternative face.
const LEAST_LIKELY: f32 = 0.001;

/// The tiles without a hand: each once, named and upright.
pub fn tiles(seen: &[SeenTile]) -> Vec<ShownTile> {
    (distinct(seen).into_iter())
        .map(|index| shown_tile(index, &seen[index], &upright(&seen[index]).0, None))
        .collect()
}

/// A picture's tiles with their corrections, and the runs that they make.
pub struct Scene<'a> {
    pub seen: &'a [SeenTile],
    pub hints: &'a Hints,
    /// Named one by one, independent of the others.
    pub tiles: Vec<ShownTile>,
    /// Indices in the other fields are those of `tiles`.
    pub appearances: Vec<TileAppearance>,
    pub frames: Vec<TileFrame>,
    /// How sure each tile is of its upper side.
    pub ups: Vec<f32>,
    pub runs: Vec<Run>,
}

impl<'a> Scene<'a> {
    pub fn new(seen: &'a [SeenTile], hints: &'a Hints) -> Self {
        let kept = distinct(seen);
        let (mut frames, mut ups): (Vec<TileFrame>, Vec<f32>) =
            kept.iter().map(|&index| upright(&seen[index])).unzip();
        let known: Vec<bool> = kept.iter().map(|&index| knows_axis(&seen[index])).collect();
        settle(&mut frames, &known);
        let mut appearances: Vec<TileAppearance> =
            kept.iter().map(|&index| appearance(&seen[index])).collect();
        for (tile, fixed) in &hints.fixes {
            if let Some(appearance) = appearances.get_mut(*tile) {
                appearance.choices = FaceChoices::certain(fixed.face());
                appearance.back = false;
                appearance.bonus = fixed.face().is_bonus();
                appearance.corrected = true;
            }
        }
        let tiles = (kept.iter().zip(&frames).enumerate())
            .map(|(place, (&index, frame))| {
                let fixed = hints.fixes.iter().find(|(tile, _)| *tile == place);
                shown_tile(index, &seen[index], frame, fixed.map(|(_, tile)| *tile))
            })
            .collect();
        if hints.seated_below {
            // A tile's own upper side says less than its player's seat.
            for (frame, up) in frames.iter_mut().zip(&mut ups) {
                if frame.right[0].abs() > frame.right[1].abs() {
                    *frame = frame.facing([1.0, 0.0]).1;
                    *up = 1.0;
                }
            }
        }
        let runs = with_stacked(find_runs(&frames, &ups), &frames, &ups);
        Self { seen, hints, tiles, appearances, frames, ups, runs }
    }

    /// Whether a mark is likelier no tile than one: a print on the table.
    pub fn is_print(&self, tile: usize) -> bool {
        let corrected = self.appearances[tile].corrected;
        !corrected && self.seen[self.tiles[tile].seen].reject > PRINT
    }
}

/// Indices of the tiles, each once.
fn distinct(seen: &[SeenTile]) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut order: Vec<usize> = (0..seen.len())
        .filter(|&index| {
            let tile = &seen[index];
            tile.found * (1.0 - tile.reject) >= SOME_TILE && upright(tile).0.is_sound()
        })
        .collect();
    order.sort_by(|&a, &b| seen[b].found.total_cmp(&seen[a].found));
    for index in order {
        let frame = upright(&seen[index]).0;
        let twice = kept.iter().any(|&other| {
            let other = upright(&seen[other]).0;
            let [x, y] = other.local(frame.centre);
            let [u, v] = frame.local(other.centre);
            x.abs().max(y.abs()).min(u.abs().max(v.abs())) < SAME_PLACE
        });
        if !twice {
            kept.push(index);
        }
    }
    kept.sort_unstable();
    kept
}

fn appearance(tile: &SeenTile) -> TileAppearance {
    let bonus: f32 = tile.faces[Face::SET_FACES..].iter().sum();
    let face: f32 = tile.faces.iter().sum();
    TileAppearance {
        choices: FaceChoices::new(&tile.faces),
        back: tile.back > face,
        bonus: tile.back <= face && bonus > face / 2.0,
        corrected: false,
    }
}

/// The alternative faces of a tile, the likeliest first.
pub fn alternatives(tile: &SeenTile, but: Face) -> Vec<(Face, f32)> {
    let others = tile.likeliest_faces().into_iter().filter(|&(face, _)| face != but);
    others.take(ALTERNATIVES).filter(|&(_, p)| p >= LEAST_LIKELY).collect()
}

fn shown_tile(seen: usize, tile: &SeenTile, frame: &TileFrame, fixed: Option<Tile>) -> ShownTile {
    let (name, confidence) =
        fixed.map_or_else(|| tile.classified(), |fixed| (SeenFace::Tile(fixed), 1.0));
    let alternatives = if fixed.is_some() || name == SeenFace::Back {
        Vec::new()
    } else {
        alternatives(tile, tile.likeliest_faces()[0].0)
    };
    ShownTile {
        seen,
        face: name,
        confidence,
        alternatives,
        corners: frame.corners,
        role: Role::Other,
        group: None,
    }
}

/// Single tiles that lie on a sideways tile of a run belong to that run.
fn with_stacked(mut runs: Vec<Run>, frames: &[TileFrame], ups: &[f32]) -> Vec<Run> {
    let mut at = 0;
    while at < runs.len() {
        let base = if let [single] = runs[at].tiles[..] {
            runs.iter().position(|run| {
                run.tiles.len() > 1
                    && run.tiles.iter().any(|base| {
                        let (quarters, stacked) = frames[single.tile].facing(base.frame.right);
                        let [x, y] = base.frame.sees(&stacked).centre();
                        base.sideways
                            && quarters % 2 == 1
                            && cosine(stacked.right, base.frame.right) > PARALLEL
                            && x.abs() < SAME_PLACE
                            && (STACKED..HEIGHT).contains(&y.abs())
                    })
            })
        } else {
            None
        };
        if let Some(base) = base {
            let mut tiles: Vec<usize> = runs[base].tiles.iter().map(|placed| placed.tile).collect();
            tiles.push(runs[at].tiles[0].tile);
            runs[base] = run_along(&tiles, frames, ups, runs[base].right());
            runs.remove(at);
        } else {
            at += 1;
        }
    }
    runs
}

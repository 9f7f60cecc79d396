//! The tiles before any hand is seen in them: each once, the right way up, and which lie side by side.

use super::{
    arrange::Look,
    decode::Choices,
    rows::{Run, find_runs, run_along},
    shown::{Hints, Role, ShownTile},
};
use crate::{
    sight::SeenTile,
    sight::frame::{Frame, HEIGHT, PARALLEL, cosine, knows_axis, settle, upright},
    tile::{Face, SeenFace, Tile},
};

/// Tiles less likely than this to be tiles at all are passed over.
const SOME_TILE: f32 = 0.2;
/// Two tiles lie over each other where their middles are nearer than this along both axes, in widths and heights.
const SAME_PLACE: f32 = 0.4;
/// A tile that lies on a sideways one has its middle so many heights from that one's, at least.
const STACKED: f32 = 0.35;
/// Most other faces that are named for a tile,
const ALTERNATIVES: usize = 3;
/// each with this probability at least.
const LEAST_LIKELY: f32 = 0.001;

/// The tiles alone, whatever they make: each once, named and upright, without what is no tile.
pub fn tiles(seen: &[SeenTile]) -> Vec<ShownTile> {
    (distinct(seen).into_iter())
        .map(|index| shown_tile(index, &seen[index], &upright(&seen[index]).0, None))
        .collect()
}

/// A picture's tiles, those that are corrected as they are corrected, and which of them lie side by side.
pub struct Scene<'a> {
    pub seen: &'a [SeenTile],
    pub hints: &'a Hints,
    /// Named one by one, whatever the rest is.
    pub tiles: Vec<ShownTile>,
    /// The others are by the index in `tiles`, too.
    pub looks: Vec<Look>,
    pub frames: Vec<Frame>,
    /// How sure each tile is of its upper side.
    pub ups: Vec<f32>,
    pub runs: Vec<Run>,
}

impl<'a> Scene<'a> {
    pub fn new(seen: &'a [SeenTile], hints: &'a Hints) -> Self {
        let kept = distinct(seen);
        let (mut frames, mut ups): (Vec<Frame>, Vec<f32>) =
            kept.iter().map(|&index| upright(&seen[index])).unzip();
        let known: Vec<bool> = kept.iter().map(|&index| knows_axis(&seen[index])).collect();
        settle(&mut frames, &known);
        let mut looks: Vec<Look> = kept.iter().map(|&index| look(&seen[index])).collect();
        for (tile, fixed) in &hints.fixes {
            if let Some(look) = looks.get_mut(*tile) {
                look.choices = Choices::certain(fixed.face());
                look.back = false;
                look.bonus = fixed.face().is_bonus();
                look.told = true;
            }
        }
        let tiles = (kept.iter().zip(&frames).enumerate())
            .map(|(place, (&index, frame))| {
                let fixed = hints.fixes.iter().find(|(tile, _)| *tile == place);
                shown_tile(index, &seen[index], frame, fixed.map(|(_, tile)| *tile))
            })
            .collect();
        if hints.seated_below {
            // Which way up a tile lies says less than where its player sits.
            for (frame, up) in frames.iter_mut().zip(&mut ups) {
                if frame.right[0].abs() > frame.right[1].abs() {
                    *frame = frame.facing([1.0, 0.0]).1;
                    *up = 1.0;
                }
            }
        }
        let runs = with_stacked(find_runs(&frames, &ups), &frames, &ups);
        Self { seen, hints, tiles, looks, frames, ups, runs }
    }
}

/// Tiles that are tiles, each found once.
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

fn look(tile: &SeenTile) -> Look {
    let bonus: f32 = tile.faces[Face::SET_FACES..].iter().sum();
    let face: f32 = tile.faces.iter().sum();
    Look {
        choices: Choices::new(&tile.faces),
        back: tile.back > face,
        bonus: tile.back <= face && bonus > face / 2.0,
        told: false,
    }
}

/// What else a tile may be, the likeliest first.
pub fn alternatives(tile: &SeenTile, but: Face) -> Vec<(Face, f32)> {
    let others = tile.likeliest_faces().into_iter().filter(|&(face, _)| face != but);
    others.take(ALTERNATIVES).filter(|&(_, p)| p >= LEAST_LIKELY).collect()
}

fn shown_tile(seen: usize, tile: &SeenTile, frame: &Frame, fixed: Option<Tile>) -> ShownTile {
    let (name, confidence) =
        fixed.map_or_else(|| tile.named(), |fixed| (SeenFace::Tile(fixed), 1.0));
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
fn with_stacked(mut runs: Vec<Run>, frames: &[Frame], ups: &[f32]) -> Vec<Run> {
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

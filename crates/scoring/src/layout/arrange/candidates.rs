//! The runs that may belong to one hand: a core, and the runs near it as seen from the core.

use super::{
    TileAppearance, costs,
    divide::{SetsApart, Taken, ways},
};
use crate::{
    layout::{
        rows::{PlacedTile, Run, RunDistance, apart, run_along, times_as_long},
        scene::Scene,
        shown::Opened,
    },
    sight::frame::{HEIGHT, TileFrame, cosine},
};

/// Factor between tile sides above which two runs do not belong to one hand: printed tiles of a card or a book are
/// smaller, a plate with the wind of a seat is larger. Within hands it is 1.12 at most in 60 rendered pictures, 1.20 in
/// 92 photos, by area.
const OTHER_SIZE: f32 = 1.25;

/// Least probability of a flower's face with which it is surely a tile of an opened hand.
const CLEAR_FLOWER: f32 = 0.5;

/// Largest length of a hand along its row, in tile widths, beyond two sets with their room.
const FARTHEST: f32 = 9.0;
/// Additional length for each set beyond four, in tile widths.
const SET_WITH_ROOM: f32 = 4.5;

/// Most runs that are tried beside a core.
const MOST_CANDIDATES: usize = 9;

/// A run as seen from the core of a hand.
pub struct Candidate {
    pub run: Run,
    pub lies: RunDistance,
    pub include: f32,
    pub exclude: f32,
    pub ways: Vec<Taken>,
    /// Other candidates or runs that it touches.
    pub touches: Vec<usize>,
}

/// A run that may belong to the hand of a core, turned as the core is.
struct NearRun {
    distance: f32,
    run: Run,
    lies: RunDistance,
}

/// The core, which is the first of them, and the runs near it.
pub fn candidates(core: usize, scene: &Scene) -> Vec<Candidate> {
    let mut middle = scene.runs[core].clone();
    let mut near = near_runs(core, scene);
    if faces_away(&middle, &near) {
        middle.turn_round();
        for NearRun { run, lies, .. } in &mut near {
            run.turn_round();
            lies.below = -lies.below;
            lies.after = -lies.after;
        }
    }
    let short = middle.tiles.len() < costs::SHORT_ROW;
    let home = RunDistance { along: -1.0, across: -1.0, below: 0.0, after: 0.0 };
    let mut candidates = vec![Candidate {
        ways: ways(&middle, home, &scene.appearances, SetsApart::UnmarkedRow),
        run: middle,
        lies: home,
        include: 0.0,
        exclude: f32::INFINITY,
        touches: Vec::new(),
    }];
    candidates.extend(near.into_iter().map(|near| beside(near, short, scene)));
    find_blocks(&mut candidates, &scene.appearances);
    candidates
}

/// The nearest runs that lie and look as runs of the core's hand do.
fn near_runs(core: usize, scene: &Scene) -> Vec<NearRun> {
    let Scene { runs, frames, ups, appearances, .. } = scene;
    let opened = scene.hints.opened != Opened::Alone;
    let more_sets = scene.hints.whole.sets.saturating_sub(4);
    let farthest = if opened { f32::INFINITY } else { FARTHEST + more_sets as f32 * SET_WITH_ROOM };
    let middle = &runs[core];
    let right = middle.right();
    let mut near = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        // Backs belong to a hand only as kongs: others, or tiles taken for backs, are in the way.
        let backs = run.tiles.iter().all(|placed| appearances[placed.tile].back);
        let prints = opened && run.tiles.iter().all(|placed| scene.is_print(placed.tile));
        if index == core || prints || backs && run.tiles.len() < 4 {
            continue;
        }
        let freed = beside_backs(run, middle, frames, ups, appearances);
        let run = freed.as_ref().unwrap_or(run);
        let single = run.tiles.len() == 1;
        let along = cosine(run.right(), right).abs();
        if !single && along < costs::SAME_WAY {
            continue;
        }
        let tiles: Vec<usize> = run.tiles.iter().map(|placed| placed.tile).collect();
        let lead = &run.tiles[0].frame;
        let towards = if single { lead.facing(right).1.right } else { run.right() };
        let sign = if cosine(towards, right) < 0.0 { -1.0 } else { 1.0 };
        let mut seen = run_along(&tiles, frames, ups, [sign * towards[0], sign * towards[1]]);
        if cosine(seen.right(), right) < 0.0 {
            seen.turn_round();
        }
        let lies = apart(middle, &seen);
        let times = times_as_long(middle, &seen).ln().abs();
        let distance = lies.along.max(0.0) * costs::ALONG + lies.across.max(0.0) * HEIGHT;
        if lies.across > costs::FARTHEST_ACROSS || lies.along > farthest || times > OTHER_SIZE.ln()
        {
            continue;
        }
        near.push(NearRun { distance, run: seen, lies });
    }
    near.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    near.truncate(MOST_CANDIDATES - 1);
    near
}

/// Whether the player sits on the core's upper side: runs near the core vote.
fn faces_away(middle: &Run, near: &[NearRun]) -> bool {
    let mut direction = middle.up;
    for NearRun { distance, run, .. } in near {
        if *distance < costs::HALF_SAYS_SIDE && run.tiles.len() > 1 {
            direction += run.up * if *distance < costs::SAYS_SIDE { 1.0 } else { 0.5 };
        }
    }
    if direction.abs() < costs::SIDE_UNSAID {
        // Without a vote the player sits at the bottom of the picture.
        middle.right()[0] < 0.0
    } else {
        direction < 0.0
    }
}

/// A run near a core with its costs; `short`: the core has few tiles.
fn beside(NearRun { distance, run, lies }: NearRun, short: bool, scene: &Scene) -> Candidate {
    let appearances = &scene.appearances;
    let opened = scene.hints.opened != Opened::Alone;
    let single = run.tiles.len() == 1;
    let bonus = run.tiles.iter().all(|placed| appearances[placed.tile].bonus);
    let backs = run.tiles.iter().all(|placed| appearances[placed.tile].back);
    // A person who corrects a tile to a flower means his own hand.
    let corrected = run.tiles.iter().all(|placed| appearances[placed.tile].corrected);
    let out = |[most, each, least]: [f32; 3]| (most - each * distance).max(least);
    let clear = |placed: &PlacedTile| scene.tiles[placed.tile].confidence >= CLEAR_FLOWER;
    let own = opened && run.tiles.iter().all(clear);
    let exclude = match (single, bonus) {
        (_, true) => {
            out(costs::FLOWER_OUT) + if corrected || own { costs::OWN_FLOWER_OUT } else { 0.0 }
        }
        (true, _) => out(costs::SINGLE_OUT),
        _ if backs => 0.0,
        _ => out(costs::ROW_OUT),
    };
    let against = (-run.up).clamp(0.0, costs::UPSIDE_DOWN) * if single { 1.0 } else { 2.0 };
    let [each, free] = costs::IN_ACROSS;
    let across = each * (lies.across - free).max(0.0);
    let include = across + costs::IN_ALONG * lies.along.max(0.0) + against;
    let sets = if opened { SetsApart::Any } else { SetsApart::Unmarked };
    let mut ways = ways(&run, lies, appearances, sets);
    if short && lies.across < 0.0 && !opened {
        for way in ways.iter_mut().filter(|way| way.unmarked_sets) {
            way.cost += costs::SETS_BESIDE_SHORT;
        }
    }
    Candidate { ways, run, lies, include, exclude, touches: Vec::new() }
}

/// Notes which candidates touch: discards lie in blocks; tiles taken for backs may be the cloth.
fn find_blocks(candidates: &mut [Candidate], appearances: &[TileAppearance]) {
    let block: Vec<bool> = (candidates.iter())
        .map(|candidate| {
            let faces = candidate.run.tiles.iter().filter(|placed| !appearances[placed.tile].back);
            candidate.run.tiles.len() > 1 && faces.count() > 0
        })
        .collect();
    for a in 0..candidates.len() {
        for b in 0..candidates.len() {
            if a != b && block[b] {
                let lies = apart(&candidates[a].run, &candidates[b].run);
                if lies.across < costs::BLOCK[0] && lies.along < costs::BLOCK[1] {
                    candidates[a].touches.push(b);
                }
            }
        }
    }
}

/// The only face of a run of backs, if it is in line with a row and near it: a cloth's pattern may look like backs,
/// and a concealed kong shows two faces or only backs.
fn beside_backs(
    run: &Run,
    row: &Run,
    frames: &[TileFrame],
    ups: &[f32],
    appearances: &[TileAppearance],
) -> Option<Run> {
    let mut faces =
        run.tiles.iter().map(|placed| placed.tile).filter(|&tile| !appearances[tile].back);
    let (Some(face), None, true) = (faces.next(), faces.next(), run.tiles.len() > 1) else {
        return None;
    };
    let freed = run_along(&[face], frames, ups, frames[face].facing(row.right()).1.right);
    let lies = apart(row, &freed);
    // That is, a winning tile: flowers lie elsewhere.
    let beside = lies.across < costs::WELL_IN_LINE && lies.along < costs::NEAR_END;
    (!appearances[face].bonus && beside).then_some(freed)
}

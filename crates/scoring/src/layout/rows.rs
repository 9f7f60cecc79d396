//! Finds runs of touching tiles from neighbour to neighbour, in the tiles' own axes.

use crate::sight::frame::{HEIGHT, PARALLEL, Point, TileFrame, cosine, dot, length, minus};
use crate::sight::rank::quantile;

/// Largest free space, in tile widths, between touching tiles.
const TOUCHING: f32 = 0.5;
/// Least free space, in tile widths, between touching tiles: tiles that overlap more do not touch.
const OVERLAP: f32 = -0.65;
/// Least cosine between the directions of neighbours.
const ABOUT_PARALLEL: f32 = 0.8;
/// Least share of their sides that neighbours have in common.
const BESIDE: f32 = 0.4;
/// Least distance ahead of a neighbour's middle, in widths.
const AHEAD: f32 = 0.3;
/// Additional distance of a neighbour out of line, as a share of its offset.
const OUT_OF_LINE: f32 = 0.12;
/// Least cosine between a tile and the run that it lies along.
const ALONG: f32 = 0.7;
/// Weight of the distance between middles beside the free space, so that of touching tiles the nearest is taken.
const MIDDLES: f32 = 0.05;
/// Factor between the sides of neighbours above which they do not belong to one run: a printed tile or a plate may
/// touch a row. Tiles of one row differ by 1.09 at most in 60 rendered pictures and 92 photos; a tile that another
/// covers by a third still passes.
const OTHER_SIZE: f32 = 1.4;

/// A tile in a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedTile {
    /// Its index among the tiles.
    pub tile: usize,
    /// Whether it is at right angles to the run's upright tiles.
    pub sideways: bool,
    /// Its frame seen along the run: right is towards the run's right end.
    pub frame: TileFrame,
}

/// Touching tiles in a line, from the left as the player sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub tiles: Vec<PlacedTile>,
    /// Sum over its tiles of the faces' votes for this direction of the run.
    pub up: f32,
}

impl Run {
    pub fn right(&self) -> Point {
        self.tiles
            .iter()
            .map(|placed| placed.frame.right)
            .fold([0.0, 0.0], |sum, right| [sum[0] + right[0], sum[1] + right[1]])
    }

    /// Turns the run to the other side of the table.
    pub fn turn_round(&mut self) {
        self.tiles.reverse();
        for placed in &mut self.tiles {
            placed.frame = placed.frame.turned(2);
        }
        self.up = -self.up;
    }

    /// Free space between each tile and the next, in widths of an upright tile.
    pub fn gaps(line: &[PlacedTile]) -> Vec<f32> {
        line.windows(2)
            .map(|pair| {
                let unit = |placed: &PlacedTile| if placed.sideways { HEIGHT } else { 1.0 };
                let ahead = pair[0].frame.sees(&pair[1].frame).x[0] - 0.5;
                let behind = -0.5 - pair[1].frame.sees(&pair[0].frame).x[1];
                (ahead * unit(&pair[0]) + behind * unit(&pair[1])) / 2.0
            })
            .collect()
    }

    pub fn uprights(&self) -> usize {
        self.tiles.iter().filter(|placed| !placed.sideways).count()
    }
}

/// The tile that touches a tile's side (0 right, 1 bottom, 2 left, 3 top) most closely.
fn nearest(frames: &[TileFrame], tile: usize, side: usize) -> Option<usize> {
    let own = frames[tile].turned(side);
    let mut best: Option<(f32, usize)> = None;
    for (other, frame) in frames.iter().enumerate() {
        if other == tile {
            continue;
        }
        let (_, theirs) = frame.facing(own.right);
        if cosine(theirs.right, own.right) < ABOUT_PARALLEL
            || own.times(frame).ln().abs() > OTHER_SIZE.ln()
        {
            continue;
        }
        let seen = own.sees(frame);
        let back = theirs.sees(&own);
        let gap = (seen.x[0] - 0.5 + -0.5 - back.x[1]) / 2.0;
        let (ahead, behind) = (seen.centre()[0], -back.centre()[0]);
        if seen.beside().min(back.beside()) < BESIDE
            || !(OVERLAP..1.0).contains(&gap)
            || ahead.min(behind) < AHEAD
        {
            continue;
        }
        // In widths of an upright tile, for either direction.
        let unit = if side.is_multiple_of(2) { 1.0 } else { HEIGHT };
        let gap = gap * unit + OUT_OF_LINE * (seen.centre()[1].abs() + back.centre()[1].abs());
        if best.is_none_or(|(least, _)| gap < least) {
            best = Some((gap, other));
        }
    }
    best.filter(|&(gap, _)| gap < TOUCHING).map(|(_, other)| other)
}

struct Union(Vec<usize>);

impl Union {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}

/// All runs. `frames`: the tiles by the direction of their faces; `ups`: how sure each is of its upper side.
pub fn find_runs(frames: &[TileFrame], ups: &[f32]) -> Vec<Run> {
    let count = frames.len();
    let touching: Vec<[Option<usize>; 4]> =
        (0..count).map(|tile| [0, 1, 2, 3].map(|side| nearest(frames, tile, side))).collect();
    // Mutual neighbours: (tile, side, other, other's side).
    let mut links = Vec::new();
    for (tile, sides) in touching.iter().enumerate() {
        for (side, &other) in sides.iter().enumerate() {
            let Some(other) = other.filter(|&other| other > tile) else { continue };
            if let Some(back) = touching[other].iter().position(|&back| back == Some(tile)) {
                links.push((tile, side, other, back));
            }
        }
    }
    let level = |side: usize| side.is_multiple_of(2);
    let mut runs = Union((0..count).collect());
    for &(a, side, b, back) in &links {
        if level(side) && level(back) && cosine(frames[a].right, frames[b].right).abs() > PARALLEL {
            runs.join(a, b);
        }
    }
    let mut size = vec![0usize; count];
    for tile in 0..count {
        size[runs.root(tile)] += 1;
    }
    let sizes: Vec<usize> = (0..count).map(|tile| size[runs.root(tile)]).collect();
    // A tile at right angles joins the run that it touches with its top or bottom.
    let mut sideways = vec![false; count];
    for &(a, side, b, back) in &links {
        let lying = match (level(side), level(back)) {
            (true, false) => b,
            (false, true) => a,
            _ => continue,
        };
        if sizes[lying] <= 2 {
            runs.join(a, b);
            sideways[lying] = true;
        }
    }
    // Two sideways tiles end to end.
    for &(a, side, b, back) in &links {
        if !level(side)
            && !level(back)
            && (sideways[a] || sideways[b])
            && sizes[a] <= 2
            && sizes[b] <= 2
        {
            runs.join(a, b);
            sideways[a] = true;
            sideways[b] = true;
        }
    }
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); count];
    for tile in 0..count {
        members[runs.root(tile)].push(tile);
    }
    members.retain(|tiles| !tiles.is_empty());
    members.into_iter().map(|tiles| run_of(&tiles, frames, ups, &sideways)).collect()
}

fn run_of(tiles: &[usize], frames: &[TileFrame], ups: &[f32], sideways: &[bool]) -> Run {
    // The run's axis: the direction in which most of its tiles are upright.
    let votes = |right: Point| -> f32 {
        tiles
            .iter()
            .map(|&tile| {
                let along = cosine(frames[tile].right, right).abs() > ALONG;
                let marked = if sideways[tile] { 0.5 } else { 1.0 };
                if along { marked } else { 0.0 }
            })
            .sum()
    };
    let lead = tiles
        .iter()
        .copied()
        .max_by(|&a, &b| votes(frames[a].right).total_cmp(&votes(frames[b].right)))
        .unwrap_or(tiles[0]);
    run_along(tiles, frames, ups, frames[lead].right)
}

/// The same tiles as a run in a given direction.
pub fn run_along(tiles: &[usize], frames: &[TileFrame], ups: &[f32], right: Point) -> Run {
    let mut run = Run { tiles: Vec::new(), up: 0.0 };
    for &tile in tiles {
        let (quarters, frame) = frames[tile].facing(right);
        match quarters {
            0 => run.up += ups[tile],
            2 => run.up -= ups[tile],
            _ => {}
        }
        run.tiles.push(PlacedTile { tile, sideways: quarters % 2 == 1, frame });
    }
    let along = |placed: &PlacedTile| {
        (placed.frame.centre[0] * right[0] + placed.frame.centre[1] * right[1])
            / (right[0] * right[0] + right[1] * right[1]).max(1e-6)
    };
    run.tiles.sort_by(|a, b| along(a).total_cmp(&along(b)));
    if run.up < 0.0 {
        run.turn_round();
    }
    run
}

/// The sides of a run's tiles, divided by those that a tile of the row would have in their place. Standing tiles and those
/// that lie before or behind them are equally wide along the row; a tile whose direction is unclear has its area. The
/// milder of both factors counts.
pub fn times_as_long(row: &Run, run: &Run) -> f32 {
    let width = |placed: &PlacedTile| {
        let upright = if placed.sideways { HEIGHT } else { 1.0 };
        (length(placed.frame.right) / upright).ln()
    };
    let root_of_area = |placed: &PlacedTile| placed.frame.area().ln() / 2.0;
    let (by_width, by_area) = (times_by(row, run, &width), times_by(row, run, &root_of_area));
    if by_width.ln().abs() < by_area.ln().abs() { by_width } else { by_area }
}

/// The sides of a run's tiles, given as logarithms, divided by those that a tile of the row would have in their place, with
/// perspective along the row. The median of up to three tiles nearest to the row.
fn times_by(row: &Run, run: &Run, side: &dyn Fn(&PlacedTile) -> f32) -> f32 {
    const SAMPLE: usize = 3;
    // Over the place along the row in tiles: the straight line nearest to them.
    let count = row.tiles.len() as f32;
    let mean = |of: &dyn Fn(&PlacedTile) -> f32| row.tiles.iter().map(of).sum::<f32>() / count;
    let right = row.right();
    let unit = dot(right, right).max(f32::MIN_POSITIVE) / count;
    let along = |placed: &PlacedTile| dot(placed.frame.centre, right) / unit;
    let (middle, usual) = (mean(&along), mean(&side));
    let spread = mean(&|placed| (along(placed) - middle).powi(2));
    let slope = mean(&|placed| (along(placed) - middle) * (side(placed) - usual));
    // Two tiles cannot tell a trend from chance.
    let slope = if row.tiles.len() < SAMPLE { 0.0 } else { slope / spread.max(f32::MIN_POSITIVE) };
    let distance = |placed: &PlacedTile| {
        let to = |own: &PlacedTile| length(minus(own.frame.centre, placed.frame.centre));
        row.tiles.iter().map(to).fold(f32::INFINITY, f32::min)
    };
    let mut tiles: Vec<&PlacedTile> = run.tiles.iter().collect();
    tiles.sort_by(|a, b| distance(a).total_cmp(&distance(b)));
    let off = |placed: &PlacedTile| {
        let to = |own: &&PlacedTile| length(minus(own.frame.centre, placed.frame.centre));
        let nearest = row.tiles.iter().min_by(|a, b| to(a).total_cmp(&to(b)));
        let beside = side(placed) - nearest.map_or(usual, side);
        let expected = side(placed) - usual - slope * (along(placed) - middle);
        // Few tiles say little about perspective, and far ones little about sizes: the milder factor counts.
        if beside.abs() < expected.abs() { beside } else { expected }
    };
    quantile(tiles.iter().take(SAMPLE).map(|placed| off(placed)), 0.5).map_or(1.0, f32::exp)
}

/// The distance of a run from another, in widths along it and heights across it.
#[derive(Clone, Copy, Debug)]
pub struct RunDistance {
    /// Free space along the row; negative where they lie over each other.
    pub along: f32,
    /// Free space across the row; negative where they are in one line.
    pub across: f32,
    /// Above (-1) or below (1), as the player sees it.
    pub below: f32,
    /// To the left (-1) or right (1).
    pub after: f32,
}

/// The distance of two runs, at their nearest tiles.
pub fn apart(run: &Run, other: &Run) -> RunDistance {
    let mut nearest: Option<(f32, RunDistance)> = None;
    for own in &run.tiles {
        let own_frame = if own.sideways { [1.0 / HEIGHT, HEIGHT] } else { [1.0, 1.0] };
        for their in &other.tiles {
            let seen = own.frame.sees(&their.frame);
            let back = their.frame.facing(own.frame.right).1.sees(&own.frame);
            // The mean of both directions evens out perspective.
            let back_unit =
                if their.sideways != own.sideways { [HEIGHT, 1.0 / HEIGHT] } else { [1.0; 2] };
            let [gx, gy] = seen.gaps();
            let [bx, by] = back.gaps();
            let along = (gx + bx * back_unit[0]) / 2.0 / own_frame[0];
            let across = (gy + by * back_unit[1]) / 2.0 / own_frame[1];
            let centre = seen.centre();
            let distance = along.max(0.0)
                + HEIGHT * across.max(0.0)
                + MIDDLES * (centre[0].abs() + centre[1].abs());
            if nearest.is_none_or(|(least, _)| distance < least) {
                let found = RunDistance {
                    along,
                    across,
                    below: centre[1].signum(),
                    after: centre[0].signum(),
                };
                nearest = Some((distance, found));
            }
        }
    }
    nearest
        .map_or(RunDistance { along: 99.0, across: 99.0, below: 1.0, after: 1.0 }, |(_, apart)| {
            apart
        })
}

//! Divides a run of tiles into the parts that its stretches play in a hand.

use super::{Laid, TileAppearance, costs};
use crate::{
    hand::SetForm,
    layout::{
        decode::{FaceChoices, OpenSet},
        rows::{PlacedTile, Run, RunDistance},
    },
    sight::rank::quantile,
};

/// One way to take the tiles of a run.
#[derive(Clone, Debug, Default)]
pub struct Taken {
    pub concealed: Vec<usize>,
    pub sets: Vec<Laid>,
    pub bonus: Vec<usize>,
    pub winning: Option<usize>,
    pub cost: f32,
    pub marked: bool,
    /// Whether all of it is whole sets, of which some need no mark, and flowers.
    pub unmarked_sets: bool,
    /// Whether it could be taken as such.
    pub maybe_sets: bool,
}

impl Taken {
    /// Its number of tiles as a whole hand counts them: three for a set.
    pub fn size(&self) -> usize {
        self.concealed.len() + usize::from(self.winning.is_some()) + 3 * self.sets.len()
    }
}

/// The open sets that a run may hold without concealed tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetsApart {
    /// Sets without a mark, less likely in line with the row.
    Unmarked,
    /// Sets without a mark: the run is the row itself.
    UnmarkedRow,
    /// Sets with and without a mark, wherever they lie: the hand was opened.
    Any,
}

/// The ways to take a run into a hand.
pub fn ways(
    run: &Run,
    lies: RunDistance,
    appearances: &[TileAppearance],
    sets: SetsApart,
) -> Vec<Taken> {
    if let [placed] = run.tiles[..] {
        return single_ways(placed, lies, appearances);
    }
    let mut ways = Vec::new();
    for won in [false, true] {
        if let Some(way) = divide(run, appearances, won, None) {
            ways.push(way);
        }
    }
    if let Some(mut way) = divide(run, appearances, false, Some(sets)) {
        // Sets without a mark in the row of other tiles are less often open ones.
        let likely = sets != SetsApart::Unmarked || lies.across > costs::IN_LINE;
        way.cost += if likely { 0.0 } else { costs::SETS_IN_LINE };
        for other in &mut ways {
            other.maybe_sets = true;
        }
        ways.push(way);
    }
    ways
}

fn single_ways(
    placed: PlacedTile,
    lies: RunDistance,
    appearances: &[TileAppearance],
) -> Vec<Taken> {
    let tile = placed.tile;
    let appearance = &appearances[tile];
    if appearance.back {
        return Vec::new();
    }
    if appearance.bonus {
        return vec![Taken { bonus: vec![tile], ..Taken::default() }];
    }
    let in_line = lies.across < costs::IN_LINE;
    let (along, across) = (lies.along.max(0.0), lies.across.max(0.0));
    let cost = if in_line {
        let [least, by_along] = costs::WINNING_IN_LINE;
        least + by_along * along
    } else {
        let [least, by_across, by_along] = costs::WINNING_ELSEWHERE;
        least + by_across * across + by_along * along
    };
    let is_near = in_line && lies.along < costs::NEAR_END;
    let beside = if is_near { costs::NOT_APART } else { costs::STRAY_CONCEALED };
    vec![
        Taken { winning: Some(tile), cost, marked: false, ..Taken::default() },
        Taken { concealed: vec![tile], cost: beside, ..Taken::default() },
    ]
}

/// Largest distances along and across between the middles of a sideways tile and of a tile on or beyond it.
const STACKED: [f32; 2] = [0.45, 0.35];
/// Cost of a chow whose sideways tile is not its first (docs/formats.md).
const CHOW_NOT_FIRST: f32 = 2.5;

/// The part that a stretch of a run plays.
#[derive(Clone, Copy, Debug)]
enum RunPart {
    /// A back beside the hand, or a tile taken for one.
    Passed,
    Concealed,
    Bonus,
    Winning,
    Set {
        length: usize,
        form: SetForm,
    },
}

/// Costs of a row's last tile, a little apart from the others, as the winning one and as another one.
struct EndApart {
    winning: f32,
    concealed: f32,
}

/// `None` if the first or last gap is about the usual one. Loose rows have wide gaps elsewhere, too: of the hands of
/// split `train` without a tile laid apart, one, which is misread, has a last gap wider by more than 0.11 than all
/// others.
fn end_apart(gaps: &[f32], usual: f32, first: bool) -> Option<EndApart> {
    let (gap, others) = if first { gaps.split_first()? } else { gaps.split_last()? };
    if *gap <= usual + costs::GAP_APART {
        return None;
    }
    let widest = others.iter().copied().fold(usual, f32::max);
    let [most, each, widest_gap] = costs::WINNING_APART;
    let [clear, wholly] = costs::GAP_CLEAR;
    Some(EndApart {
        winning: most - each * (gap - usual).min(widest_gap),
        concealed: costs::NOT_APART * ((gap - widest - clear) / wholly).clamp(0.0, 1.0),
    })
}

/// The cheapest way to divide a run; `won`: with the winning tile in it; `sets`: all of it such whole sets, and
/// flowers.
fn divide(
    run: &Run,
    appearances: &[TileAppearance],
    won: bool,
    sets: Option<SetsApart>,
) -> Option<Taken> {
    let (line, stacked) = unstack(run);
    let gaps = Run::gaps(&line);
    let usual = quantile(gaps.iter().copied(), 0.5).unwrap_or(0.0);
    let division = Division { line, stacked, gaps, usual, appearances, won, sets };
    let taken = division.taken(&division.cheapest())?;
    let marks_allowed = sets == Some(SetsApart::Any);
    if sets.is_some() && (taken.sets.is_empty() || taken.marked && !marks_allowed) {
        return None;
    }
    Some(taken)
}

/// The cheapest way to a place of the line, without and with a winning tile so far: its cost, the part that led
/// there, and whether a winning tile came before that part.
type Cheapest = [Option<(f32, RunPart, usize)>; 2];

/// A run that is divided.
struct Division<'a> {
    /// The tiles that lie in line.
    line: Vec<PlacedTile>,
    /// The sideways tiles with another one on them, and that one.
    stacked: Vec<(usize, usize)>,
    /// The gaps between the tiles, and the usual one.
    gaps: Vec<f32>,
    usual: f32,
    appearances: &'a [TileAppearance],
    won: bool,
    sets: Option<SetsApart>,
}

impl Division<'_> {
    /// The parts that may begin at a tile, with their lengths and costs.
    fn parts(&self, at: usize) -> Vec<(RunPart, usize, f32)> {
        let mut parts: Vec<(RunPart, usize, f32)> = Vec::new();
        if self.appearances[self.line[at].tile].bonus {
            parts.push((RunPart::Bonus, 1, 0.0));
        } else if self.sets.is_none() {
            self.add_singles(at, &mut parts);
        }
        for length in [3, 4] {
            if let Some(window) = self.line.get(at..at + length)
                && let Some((form, cost)) = self.set_of(window)
            {
                parts.push((RunPart::Set { length, form }, length, cost));
            }
        }
        parts
    }

    /// The parts that a tile may play alone.
    fn add_singles(&self, at: usize, parts: &mut Vec<(RunPart, usize, f32)>) {
        let (placed, count) = (self.line[at], self.line.len());
        let back = self.appearances[placed.tile].back;
        let sideways = if placed.sideways { costs::SIDEWAYS_CONCEALED } else { 0.0 };
        let end = at == 0 || at + 1 == count;
        let apart = (end && !back && count > 4)
            .then(|| end_apart(&self.gaps, self.usual, at == 0))
            .flatten();
        if back {
            parts.push((RunPart::Passed, 1, costs::PASSED_BACK[usize::from(!end)]));
        } else {
            let stays = apart.as_ref().map_or(0.0, |apart| apart.concealed);
            parts.push((RunPart::Concealed, 1, sideways + stays));
        }
        if self.won && placed.sideways && !back {
            parts.push((RunPart::Winning, 1, costs::WINNING_SIDEWAYS[usize::from(!end)]));
        } else if let Some(apart) = apart.filter(|_| self.won) {
            parts.push((RunPart::Winning, 1, apart.winning));
        }
    }

    fn set_of(&self, window: &[PlacedTile]) -> Option<(SetForm, f32)> {
        let set = |unmarked| set_cost(window, &self.stacked, self.appearances, unmarked);
        match self.sets {
            Some(SetsApart::Any) => set(false).or_else(|| set(true)),
            sets => set(sets.is_some()),
        }
    }

    /// The cheapest ways to every place of the line and to its end.
    fn cheapest(&self) -> Vec<Cheapest> {
        let count = self.line.len();
        let mut best: Vec<Cheapest> = vec![[None; 2]; count + 1];
        best[0][0] = Some((0.0, RunPart::Bonus, 0));
        for at in 0..count {
            if best[at].iter().all(Option::is_none) {
                continue;
            }
            for (part, length, cost) in self.parts(at) {
                for winner in 0..2 {
                    let Some((so_far, before, _)) = best[at][winner] else { continue };
                    let now = match part {
                        RunPart::Winning if winner == 1 => continue,
                        RunPart::Winning => 1,
                        _ => winner,
                    };
                    let total = so_far + cost + self.touching(at, before, part);
                    let slot = &mut best[at + length][now];
                    if slot.is_none_or(|(least, ..)| total < least) {
                        *slot = Some((total, part, winner));
                    }
                }
            }
        }
        best
    }

    /// The cost of two parts that meet at a place: an open set seldom touches concealed tiles.
    fn touching(&self, at: usize, before: RunPart, part: RunPart) -> f32 {
        let meet = at > 0
            && matches!(
                (before, part),
                (RunPart::Concealed, RunPart::Set { .. })
                    | (RunPart::Set { .. }, RunPart::Concealed)
            );
        if meet {
            let [most, least, width] = costs::TOUCHING;
            most * (1.0 - (self.gaps[at - 1] - self.usual) / width).clamp(least, 1.0)
        } else {
            0.0
        }
    }

    /// The tiles as the cheapest way to the end takes them.
    fn taken(&self, best: &[Cheapest]) -> Option<Taken> {
        let mut at = self.line.len();
        let mut winner = usize::from(self.won);
        let (cost, ..) = best[at][winner]?;
        let mut taken = Taken { cost, unmarked_sets: self.sets.is_some(), ..Taken::default() };
        while at > 0 {
            let (_, part, before) = best[at][winner]?;
            match part {
                RunPart::Passed => at -= 1,
                RunPart::Concealed => {
                    at -= 1;
                    taken.concealed.insert(0, self.line[at].tile);
                }
                RunPart::Bonus => {
                    at -= 1;
                    taken.bonus.insert(0, self.line[at].tile);
                }
                RunPart::Winning => {
                    at -= 1;
                    taken.winning = Some(self.line[at].tile);
                }
                RunPart::Set { length, form } => {
                    at -= length;
                    let tiles = self.set_tiles(&self.line[at..at + length]);
                    let marked = form == SetForm::ConcealedKong || tiles.iter().any(|tile| tile.1);
                    taken.marked |= marked;
                    taken.sets.insert(0, Laid { tiles, form, by_count: false });
                }
            }
            winner = before;
        }
        Some(taken)
    }

    /// The tiles of a set, each before the one that lies on it, and whether they are sideways.
    fn set_tiles(&self, window: &[PlacedTile]) -> Vec<(usize, bool)> {
        let mut tiles = Vec::new();
        for placed in window {
            tiles.push((placed.tile, placed.sideways));
            if let Some((_, upper)) = self.stacked.iter().find(|(base, _)| *base == placed.tile) {
                tiles.push((*upper, true));
            }
        }
        tiles
    }
}

/// Tiles that lie on or directly beyond a sideways tile: the fourth of a kong. Gives the line
/// without them, and (base, stacked) pairs.
pub fn unstack(run: &Run) -> (Vec<PlacedTile>, Vec<(usize, usize)>) {
    let mut line = run.tiles.clone();
    let mut stacked = Vec::new();
    let mut at = 0;
    while at + 1 < line.len() {
        let (a, b) = (line[at], line[at + 1]);
        let seen = a.frame.sees(&b.frame).centre();
        if a.sideways && b.sideways && seen[0].abs() < STACKED[0] && seen[1].abs() > STACKED[1] {
            // The one farther from the row's line is the stacked one.
            let off = |placed: &PlacedTile| -> f32 {
                run.tiles
                    .iter()
                    .filter(|other| !other.sideways)
                    .map(|other| other.frame.sees(&placed.frame).centre()[1].abs())
                    .fold(0.0, f32::max)
            };
            let upper = if off(&a) > off(&b) { at } else { at + 1 };
            let base = if upper == at { b.tile } else { a.tile };
            stacked.push((base, line.remove(upper).tile));
        } else {
            at += 1;
        }
    }
    (line, stacked)
}

/// The cost of a set in three or four neighbours; `None` if they are not a set.
pub fn set_cost(
    window: &[PlacedTile],
    stacked: &[(usize, usize)],
    appearances: &[TileAppearance],
    unmarked: bool,
) -> Option<(SetForm, f32)> {
    if window.iter().any(|placed| appearances[placed.tile].bonus) {
        return None;
    }
    let length = window.len();
    let sideways: Vec<usize> = (0..length).filter(|&i| window[i].sideways).collect();
    let backs: Vec<usize> = (0..length).filter(|&i| appearances[window[i].tile].back).collect();
    let upper = |placed: &PlacedTile| stacked.iter().find(|(base, _)| *base == placed.tile);
    let on_top = window.iter().filter(|placed| upper(placed).is_some()).count();
    let mut tiles: Vec<Option<FaceChoices>> = window
        .iter()
        .map(|placed| {
            let appearance = &appearances[placed.tile];
            (!appearance.back).then(|| appearance.choices.clone())
        })
        .collect();
    if !backs.is_empty() {
        let kong = length == 4
            && on_top == 0
            && sideways.is_empty()
            && !unmarked
            && matches!(backs[..], [0, 3] | [1, 2] | [0, 1, 2, 3]);
        let set = OpenSet { tiles, may_be_chow: false };
        return kong.then(|| set.price()).flatten().map(|price| {
            (SetForm::ConcealedKong, price.min(4.0) + if backs.len() == 4 { 0.5 } else { 0.0 })
        });
    }
    if unmarked {
        if !sideways.is_empty() || on_top > 0 {
            return None;
        }
    } else if on_top > 0 {
        if length != 3
            || on_top != 1
            || sideways.len() != 1
            || upper(&window[sideways[0]]).is_none()
        {
            return None;
        }
        for placed in window {
            if let Some((_, upper)) = upper(placed) {
                tiles.push(Some(appearances[*upper].choices.clone()));
            }
        }
    } else {
        let ends = sideways.contains(&0) && sideways.contains(&(length - 1));
        if ends || sideways.is_empty() || sideways.len() > length - 2 {
            return None;
        }
    }
    let alike = window
        .iter()
        .all(|placed| appearances[placed.tile].face() == appearances[window[0].tile].face());
    let odd_chow = length == 3 && !alike && sideways.first().is_some_and(|&place| place != 0);
    let may_be_chow = tiles.len() == 3;
    let set = OpenSet { tiles, may_be_chow };
    let price = set.price()?;
    // A set that the faces do not support is rejected.
    let odd = if odd_chow { CHOW_NOT_FIRST } else { 0.0 };
    (price < 7.0).then_some((SetForm::Claimed, 0.5 * price + 0.1 + odd))
}

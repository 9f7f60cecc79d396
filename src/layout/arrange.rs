//! Which runs of tiles are the hand, and what each of their tiles is in it.
//!
//! Every run of touching tiles may belong to the hand or not, may hold concealed tiles, sets that
//! lie open, flowers, the winning tile. Each way to choose has a cost: what lies near belongs
//! more likely, a hand has fourteen tiles and one for each kong, marks are never there for nothing.
//! The cheapest ways are handed on to be named and judged by their faces.

use super::{
    decode::{Choices, OpenSet, is_finished, is_waiting},
    frame::{Frame, cosine},
    rows::{Apart, Placed, Run, apart, run_along},
};
use crate::{hand::SetForm, tile::Face};

/// What a tile looks like before the hand is known.
#[derive(Clone, Debug)]
pub struct Look {
    pub choices: Choices,
    /// Lies face down.
    pub back: bool,
    /// A flower or season, more likely than not.
    pub bonus: bool,
}

impl Look {
    fn face(&self) -> usize {
        usize::from(self.choices.best().0)
    }
}

/// A set that lies apart.
#[derive(Clone, Debug, PartialEq)]
pub struct Laid {
    /// Tiles and whether they lie sideways, from the player's left.
    pub tiles: Vec<(usize, bool)>,
    pub form: SetForm,
    /// Four alike that only the number of tiles makes a kong.
    pub by_count: bool,
}

/// One way to see a hand in the runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arranged {
    /// In the order in which they lie.
    pub concealed: Vec<usize>,
    pub sets: Vec<Laid>,
    pub bonus: Vec<usize>,
    pub winning: Option<usize>,
    /// What the arrangement costs, in nats, faces left aside.
    pub cost: f32,
    /// Sum of how sure the faces are of the player's side.
    pub up: f32,
}

impl Arranged {
    /// Tiles that count towards fourteen: a set three.
    pub fn size(&self) -> usize {
        self.concealed.len() + usize::from(self.winning.is_some()) + 3 * self.sets.len()
    }

    /// All its tiles.
    pub fn tiles(&self) -> impl Iterator<Item = usize> + '_ {
        (self.concealed.iter().copied())
            .chain(self.sets.iter().flat_map(|set| set.tiles.iter().map(|&(tile, _)| tile)))
            .chain(self.bonus.iter().copied())
            .chain(self.winning)
    }
}

/// One way to take the tiles of a run.
#[derive(Clone, Debug, Default)]
struct Taken {
    concealed: Vec<usize>,
    sets: Vec<Laid>,
    bonus: Vec<usize>,
    winning: Option<usize>,
    cost: f32,
    marked: bool,
    /// All of it is whole sets without any mark (and flowers).
    unmarked_sets: bool,
    /// It might be taken as such.
    maybe_sets: bool,
}

/// A run as seen from the core of a hand.
struct Candidate {
    run: Run,
    lies: Apart,
    include: f32,
    exclude: f32,
    ways: Vec<Taken>,
    /// Other candidates or runs that it touches.
    touches: Vec<usize>,
}

const MOST_CANDIDATES: usize = 9;
const KEPT: usize = 8;

/// The cheapest arrangements of each core, all together by cost.
pub fn arrangements(runs: &[Run], frames: &[Frame], ups: &[f32], looks: &[Look]) -> Vec<Arranged> {
    let mut cores: Vec<usize> = (0..runs.len()).filter(|&r| runs[r].tiles.len() >= 2).collect();
    cores.sort_by_key(|&r| std::cmp::Reverse((runs[r].uprights(), runs[r].tiles.len())));
    cores.truncate(5);
    let mut found: Vec<Arranged> = Vec::new();
    for core in cores {
        for arranged in around(core, runs, frames, ups, looks) {
            let same = |other: &Arranged| {
                other.concealed == arranged.concealed
                    && other.sets == arranged.sets
                    && other.winning == arranged.winning
                    && other.bonus == arranged.bonus
            };
            match found.iter_mut().find(|other| same(other)) {
                Some(other) => other.cost = other.cost.min(arranged.cost),
                None => found.push(arranged),
            }
        }
    }
    found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    found
}

fn around(
    core: usize,
    runs: &[Run],
    frames: &[Frame],
    ups: &[f32],
    looks: &[Look],
) -> Vec<Arranged> {
    let mut middle = runs[core].clone();
    let right = middle.right();
    let mut candidates = Vec::new();
    let mut direction = middle.up;
    let mean_area = |run: &Run| {
        run.tiles.iter().map(|placed| placed.frame.area()).sum::<f32>() / run.tiles.len() as f32
    };
    let mut near: Vec<(f32, usize, Run, Apart)> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        if index == core {
            continue;
        }
        let single = run.tiles.len() == 1;
        let along = cosine(run.right(), right).abs();
        if !single && along < 0.8 {
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
        let lies = apart(&middle, &seen);
        let ratio = (mean_area(&seen) / mean_area(&middle)).ln().abs();
        let distance = lies.along.max(0.0) * 0.6 + lies.across.max(0.0) * 1.35;
        if lies.across > 4.0 || lies.along > 9.0 || ratio > 1.3 {
            continue;
        }
        near.push((distance, index, seen, lies));
    }
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(MOST_CANDIDATES - 1);
    // The player's side: what lies near the core has a say.
    for (distance, _, run, _) in &near {
        if *distance < 1.5 && run.tiles.len() > 1 {
            direction += run.up * if *distance < 0.8 { 1.0 } else { 0.5 };
        }
    }
    let turn = if direction.abs() < 0.3 {
        // No face says: the player sits at the bottom of the picture.
        right[0] < 0.0
    } else {
        direction < 0.0
    };
    if turn {
        middle.turn_round();
        for (_, _, run, lies) in &mut near {
            run.turn_round();
            lies.below = -lies.below;
            lies.after = -lies.after;
        }
    }
    let core_len = middle.tiles.len();
    let home = Apart { along: -1.0, across: -1.0, below: 0.0, after: 0.0 };
    candidates.push(Candidate {
        ways: ways(&middle, home, looks, true),
        run: middle,
        lies: home,
        include: 0.0,
        exclude: f32::INFINITY,
        touches: Vec::new(),
    });
    for (distance, _, run, lies) in near {
        let single = run.tiles.len() == 1;
        let bonus = run.tiles.iter().all(|placed| looks[placed.tile].bonus);
        let backs = run.tiles.iter().all(|placed| looks[placed.tile].back);
        let exclude = match (single, bonus) {
            (_, true) => (2.2 - 0.4 * distance).max(0.3),
            (true, _) => (1.5 - 0.6 * distance).max(0.0),
            _ if backs => 0.0,
            _ => (3.2 - 1.2 * distance).max(0.0),
        };
        let against = (-run.up).clamp(0.0, 3.0) * if single { 1.0 } else { 2.0 };
        let include = 0.45 * (lies.across - 0.3).max(0.0) + 0.15 * lies.along.max(0.0) + against;
        let mut ways = ways(&run, lies, looks, false);
        if core_len < 5 && lies.across < 0.0 {
            for way in ways.iter_mut().filter(|way| way.unmarked_sets) {
                way.cost += 1.2;
            }
        }
        candidates.push(Candidate { ways, run, lies, include, exclude, touches: Vec::new() });
    }
    for a in 0..candidates.len() {
        for b in 0..candidates.len() {
            if a != b && candidates[b].run.tiles.len() > 1 {
                let lies = apart(&candidates[a].run, &candidates[b].run);
                if lies.across < 0.45 && lies.along < 0.6 {
                    candidates[a].touches.push(b);
                }
            }
        }
    }
    let mut search = Search { candidates: &candidates, looks, best: Vec::new() };
    search.choose(0, &mut Vec::new(), 0.0, 0);
    search.best.into_iter().map(|(_, arranged)| arranged).collect()
}

struct Search<'a> {
    candidates: &'a [Candidate],
    looks: &'a [Look],
    /// Cost with what the likeliest faces say of the whole, for the ranking alone.
    best: Vec<(f32, Arranged)>,
}

/// What a finished hand is worth when arrangements are ranked.
pub const WHOLE: f32 = 6.0;
/// The same for thirteen tiles that wait for one.
pub const WAITING: f32 = 3.5;

impl Search<'_> {
    fn choose(&mut self, at: usize, chosen: &mut Vec<Option<usize>>, cost: f32, winners: usize) {
        let bound = self.best.get(KEPT - 1).map_or(f32::INFINITY, |(cost, _)| *cost);
        if cost - WHOLE > bound {
            return;
        }
        let Some(candidate) = self.candidates.get(at) else {
            self.judge(chosen, cost);
            return;
        };
        for (w, way) in candidate.ways.iter().enumerate() {
            let won = usize::from(way.winning.is_some());
            if winners + won <= 1 {
                chosen.push(Some(w));
                self.choose(at + 1, chosen, cost + candidate.include + way.cost, winners + won);
                chosen.pop();
            }
        }
        if candidate.exclude.is_finite() {
            chosen.push(None);
            self.choose(at + 1, chosen, cost + candidate.exclude, winners);
            chosen.pop();
        }
    }

    fn judge(&mut self, chosen: &[Option<usize>], mut cost: f32) {
        let mut taken: Vec<(&Candidate, &Taken)> = Vec::new();
        for (index, way) in chosen.iter().enumerate() {
            let Some(way) = way else { continue };
            let candidate = &self.candidates[index];
            // Part of a block whose other rows are left out: discards.
            if candidate.touches.iter().any(|&other| chosen[other].is_none()) {
                cost += if candidate.run.tiles.len() == 1 { 3.0 } else { 2.0 };
            }
            taken.push((candidate, &candidate.ways[*way]));
        }
        let marked = taken.iter().any(|(_, way)| way.marked);
        let mut concealed_alone = 0;
        for (_, way) in &taken {
            if way.unmarked_sets {
                cost += if marked { 1.6 } else { 0.0 };
            }
            concealed_alone += way.concealed.len();
        }
        if taken.iter().any(|(_, way)| way.unmarked_sets) && concealed_alone < 2 {
            cost += 3.0;
        }
        // Whole sets in a row of their own beside a row that holds the rest lie open.
        let rest = |own: usize| {
            taken.iter().enumerate().any(|(index, (_, way))| {
                index != own && way.concealed.len() >= 2 && !way.maybe_sets
            })
        };
        let in_line = |own: &Candidate| own.lies.across < -0.2;
        for (index, (candidate, way)) in taken.iter().enumerate() {
            if way.maybe_sets && !marked && rest(index) {
                let row = if index == 0 { taken.len() > 1 } else { !in_line(candidate) };
                cost += if row { 2.4 } else { 1.2 };
            }
        }
        // Rows from the far one to the near one, each from the left.
        taken.sort_by(|(a, _), (b, _)| order(&a.run, &b.run));
        let mut arranged = Arranged::default();
        for (candidate, way) in &taken {
            arranged.concealed.extend(&way.concealed);
            arranged.sets.extend(way.sets.iter().cloned());
            arranged.bonus.extend(&way.bonus);
            arranged.winning = arranged.winning.or(way.winning);
            arranged.up += candidate.run.up;
        }
        let size = arranged.size();
        if size < 5 || arranged.sets.len() > 4 {
            return;
        }
        if size > 14 {
            kongs_by_count(&mut arranged, self.looks, size - 14);
        }
        let by_count = arranged.sets.iter().filter(|set| set.by_count).count();
        let size = arranged.size();
        cost += 0.3 * by_count as f32
            + match (size, arranged.winning.is_some()) {
                (14, true) => 0.0,
                (14, false) => 0.7,
                (13, false) => 1.6,
                (13, true) => 4.0,
                (..13, _) => 3.0 + 0.7 * (13 - size) as f32,
                _ => 4.0 + 1.0 * (size - 14) as f32,
            };
        arranged.cost = cost;
        let rank = cost - self.wholeness(&arranged);
        let place = self.best.partition_point(|(other, _)| *other <= rank);
        if place < KEPT {
            if self.best.iter().any(|(_, other)| *other == arranged) {
                return;
            }
            self.best.insert(place, (rank, arranged));
            self.best.truncate(KEPT);
        }
    }

    fn wholeness(&self, arranged: &Arranged) -> f32 {
        let mut counts = [0u8; Face::SET_FACES];
        for &tile in arranged.concealed.iter().chain(&arranged.winning) {
            match counts.get_mut(self.looks[tile].face()) {
                Some(count) if !self.looks[tile].back => *count += 1,
                _ => return 0.0,
            }
        }
        if counts.iter().any(|&count| count > 4) {
            return 0.0;
        }
        match arranged.size() {
            14 if is_finished(&counts, arranged.sets.len()) => WHOLE,
            13 if is_waiting(&counts, arranged.sets.len()) => WAITING,
            _ => 0.0,
        }
    }
}

/// Far rows first; in one line from the left.
fn order(a: &Run, b: &Run) -> std::cmp::Ordering {
    let lies = apart(a, b);
    let below = if lies.across > -0.4 { lies.below } else { 0.0 };
    if below != 0.0 {
        if below > 0.0 { std::cmp::Ordering::Less } else { std::cmp::Ordering::Greater }
    } else if lies.after > 0.0 {
        std::cmp::Ordering::Less
    } else {
        std::cmp::Ordering::Greater
    }
}

/// Takes four alike beside each other as kongs where the hand has that many tiles too many.
fn kongs_by_count(arranged: &mut Arranged, looks: &[Look], surplus: usize) {
    let fours: Vec<usize> = (0..arranged.concealed.len().saturating_sub(3))
        .filter(|&at| {
            let four = &arranged.concealed[at..at + 4];
            !looks[four[0]].back
                && !looks[four[0]].bonus
                && four.iter().all(|&tile| looks[tile].face() == looks[four[0]].face())
        })
        .collect();
    if fours.len() < surplus || surplus > 4 {
        return;
    }
    // Where there are more than are needed, those that leave a finished hand.
    let mut best: Option<(bool, Vec<usize>)> = None;
    for mask in 0u32..1 << fours.len().min(5) {
        if mask.count_ones() as usize != surplus {
            continue;
        }
        let some: Vec<usize> = fours
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1)
            .map(|(_, &at)| at)
            .collect();
        let mut counts = [0u8; Face::SET_FACES];
        let mut sound = some.windows(2).all(|pair| pair[1] >= pair[0] + 4);
        for (place, &tile) in arranged.concealed.iter().enumerate() {
            if !some.iter().any(|&at| (at..at + 4).contains(&place)) {
                match counts.get_mut(looks[tile].face()) {
                    Some(count) => *count += 1,
                    None => sound = false,
                }
            }
        }
        if let Some(winning) = arranged.winning
            && let Some(count) = counts.get_mut(looks[winning].face())
        {
            *count += 1;
        }
        // Five alike are two fours that share tiles: not both of them are kongs.
        if !sound {
            continue;
        }
        let whole = is_finished(&counts, arranged.sets.len() + surplus);
        if best.as_ref().is_none_or(|(so_far, _)| whole && !so_far) {
            best = Some((whole, some));
        }
    }
    let Some((_, some)) = best else { return };
    for &at in some.iter().rev() {
        let tiles: Vec<(usize, bool)> =
            arranged.concealed.drain(at..at + 4).map(|tile| (tile, false)).collect();
        arranged.sets.insert(0, Laid { tiles, form: SetForm::ConcealedKong, by_count: true });
    }
}

/// What a run may be in a hand.
fn ways(run: &Run, lies: Apart, looks: &[Look], core: bool) -> Vec<Taken> {
    if let [placed] = run.tiles[..] {
        return single_ways(placed, lies, looks);
    }
    let mut ways = Vec::new();
    for won in [false, true] {
        if let Some(way) = divide(run, looks, won, false) {
            ways.push(way);
        }
    }
    if let Some(mut way) = divide(run, looks, false, true) {
        // Sets without a mark in the row of other tiles are less often open ones.
        way.cost += if core || lies.across > -0.2 { 0.0 } else { 1.5 };
        for other in &mut ways {
            other.maybe_sets = true;
        }
        ways.push(way);
    }
    ways
}

fn single_ways(placed: Placed, lies: Apart, looks: &[Look]) -> Vec<Taken> {
    let tile = placed.tile;
    let look = &looks[tile];
    if look.back {
        return Vec::new();
    }
    if look.bonus {
        return vec![Taken { bonus: vec![tile], ..Taken::default() }];
    }
    let in_line = lies.across < -0.2;
    let cost = if in_line {
        0.2 + 0.1 * lies.along.max(0.0)
    } else {
        0.6 + 0.3 * lies.across.max(0.0) + 0.4 * lies.along.max(0.0)
    };
    let beside = if in_line && lies.along < 1.5 { 2.5 } else { 4.0 };
    vec![
        Taken { winning: Some(tile), cost, marked: false, ..Taken::default() },
        Taken { concealed: vec![tile], cost: beside, ..Taken::default() },
    ]
}

/// What it costs that an open set touches concealed tiles; less the wider the gap.
const TOUCHING: f32 = 1.6;
/// What it costs that the sideways tile of a chow is not its first (FORMATS, Hands).
const CHOW_NOT_FIRST: f32 = 2.5;

/// The part that a stretch of a run plays.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// A back beside the hand, or what was taken for one.
    Passed,
    Concealed,
    Bonus,
    Winning,
    Set {
        length: usize,
        form: SetForm,
    },
}

/// The cheapest way to divide a run; `won`: with the winning tile in it; `sets`: all of it whole
/// sets without a mark, and flowers.
fn divide(run: &Run, looks: &[Look], won: bool, sets: bool) -> Option<Taken> {
    let (line, stacked) = unstack(run);
    let count = line.len();
    let gaps = Run::gaps(&line);
    let mut sorted = gaps.clone();
    sorted.sort_by(f32::total_cmp);
    let usual = sorted.get(sorted.len() / 2).copied().unwrap_or(0.0);
    // best[at][winner so far]: cost and the part that led here.
    let mut best: Vec<[Option<(f32, Part, usize)>; 2]> = vec![[None; 2]; count + 1];
    best[0][0] = Some((0.0, Part::Bonus, 0));
    let parts = |at: usize| {
        let placed = line[at];
        let look = &looks[placed.tile];
        let mut parts: Vec<(Part, usize, f32)> = Vec::new();
        if look.bonus {
            parts.push((Part::Bonus, 1, 0.0));
        } else if !sets {
            let sideways = if placed.sideways { 5.0 } else { 0.0 };
            let end = at == 0 || at + 1 == count;
            if look.back {
                parts.push((Part::Passed, 1, if end { 1.5 } else { 4.0 }));
            } else {
                parts.push((Part::Concealed, 1, sideways));
            }
            if won && placed.sideways && !look.back {
                parts.push((Part::Winning, 1, if end { 0.2 } else { 1.5 }));
            } else if won && end && !look.back && count > 4 {
                // A little apart from the others.
                let gap = gaps[if at == 0 { 0 } else { count - 2 }];
                if gap > usual + 0.2 {
                    parts.push((Part::Winning, 1, 1.6 - 2.0 * (gap - usual).min(0.6)));
                }
            }
        }
        for length in [3, 4] {
            if let Some(window) = line.get(at..at + length)
                && let Some((form, cost)) = set_cost(window, &stacked, looks, sets)
            {
                parts.push((Part::Set { length, form }, length, cost));
            }
        }
        parts
    };
    for at in 0..count {
        if best[at].iter().all(Option::is_none) {
            continue;
        }
        for (part, length, cost) in parts(at) {
            for winner in 0..2 {
                let Some((so_far, before, _)) = best[at][winner] else { continue };
                let now = match part {
                    Part::Winning if winner == 1 => continue,
                    Part::Winning => 1,
                    _ => winner,
                };
                // An open set seldom touches concealed tiles.
                let meet = at > 0
                    && matches!(
                        (before, part),
                        (Part::Concealed, Part::Set { .. }) | (Part::Set { .. }, Part::Concealed)
                    );
                let touching = if meet {
                    TOUCHING * (1.0 - (gaps[at - 1] - usual) / 0.3).clamp(0.2, 1.0)
                } else {
                    0.0
                };
                let total = so_far + cost + touching;
                let slot = &mut best[at + length][now];
                if slot.is_none_or(|(least, ..)| total < least) {
                    *slot = Some((total, part, winner));
                }
            }
        }
    }
    let mut winner = usize::from(won);
    let (cost, ..) = best[count][winner]?;
    let mut taken = Taken { cost, unmarked_sets: sets, ..Taken::default() };
    let mut at = count;
    while at > 0 {
        let (_, part, before) = best[at][winner]?;
        match part {
            Part::Passed => at -= 1,
            Part::Concealed => {
                at -= 1;
                taken.concealed.insert(0, line[at].tile);
            }
            Part::Bonus => {
                at -= 1;
                taken.bonus.insert(0, line[at].tile);
            }
            Part::Winning => {
                at -= 1;
                taken.winning = Some(line[at].tile);
            }
            Part::Set { length, form } => {
                at -= length;
                let mut tiles = Vec::new();
                for placed in &line[at..at + length] {
                    tiles.push((placed.tile, placed.sideways));
                    if let Some((_, upper)) = stacked.iter().find(|(base, _)| *base == placed.tile)
                    {
                        tiles.push((*upper, true));
                    }
                }
                let marked = form == SetForm::ConcealedKong || tiles.iter().any(|tile| tile.1);
                taken.marked |= marked;
                taken.sets.insert(0, Laid { tiles, form, by_count: false });
            }
        }
        winner = before;
    }
    if sets && (taken.sets.is_empty() || taken.marked) {
        return None;
    }
    Some(taken)
}

/// Tiles that lie on or directly beyond a sideways tile: the fourth of a kong. Gives the line
/// without them, and (base, stacked) pairs.
pub fn unstack(run: &Run) -> (Vec<Placed>, Vec<(usize, usize)>) {
    let mut line = run.tiles.clone();
    let mut stacked = Vec::new();
    let mut at = 0;
    while at + 1 < line.len() {
        let (a, b) = (line[at], line[at + 1]);
        let seen = a.frame.sees(&b.frame).centre();
        if a.sideways && b.sideways && seen[0].abs() < 0.45 && seen[1].abs() > 0.35 {
            // The one farther from the row's line is the stacked one.
            let off = |placed: &Placed| -> f32 {
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

/// What it costs to see a set in three or four neighbours; `None` where there is none.
pub fn set_cost(
    window: &[Placed],
    stacked: &[(usize, usize)],
    looks: &[Look],
    unmarked: bool,
) -> Option<(SetForm, f32)> {
    if window.iter().any(|placed| looks[placed.tile].bonus) {
        return None;
    }
    let length = window.len();
    let sideways: Vec<usize> = (0..length).filter(|&i| window[i].sideways).collect();
    let backs: Vec<usize> = (0..length).filter(|&i| looks[window[i].tile].back).collect();
    let upper = |placed: &Placed| stacked.iter().find(|(base, _)| *base == placed.tile);
    let on_top = window.iter().filter(|placed| upper(placed).is_some()).count();
    let mut tiles: Vec<Option<Choices>> = window
        .iter()
        .map(|placed| {
            let look = &looks[placed.tile];
            (!look.back).then(|| look.choices.clone())
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
                tiles.push(Some(looks[*upper].choices.clone()));
            }
        }
    } else {
        let ends = sideways.contains(&0) && sideways.contains(&(length - 1));
        if ends || sideways.is_empty() || sideways.len() > length - 2 {
            return None;
        }
    }
    let alike =
        window.iter().all(|placed| looks[placed.tile].face() == looks[window[0].tile].face());
    let odd_chow = length == 3 && !alike && sideways.first().is_some_and(|&place| place != 0);
    let may_be_chow = tiles.len() == 3;
    let set = OpenSet { tiles, may_be_chow };
    let price = set.price()?;
    // A set that the faces do not support is none.
    let odd = if odd_chow { CHOW_NOT_FIRST } else { 0.0 };
    (price < 7.0).then_some((SetForm::Claimed, 0.5 * price + 0.1 + odd))
}

//! The likeliest legal hand, found exactly.
//!
//! In: for every tile of the hand the probability of each face, and which tiles lie together as an
//! open set. Out: the likeliest assignment of faces under the limits of the game (four of a face,
//! one of a flower, open sets valid), with a mild preference for finished hands, beside the free
//! reading that knows no limits, and how sure the whole is.
//!
//! The search sweeps over the faces in order. A state is the tiles already named and what the
//! counts so far still allow (chows begun, pair taken, seven pairs, orphans, knitted). Every
//! assignment reaches exactly one state, so that the least cost *and* the total probability of all
//! legal hands come out of the same sweep. Nothing is left out but faces that are [`FAINT`] nats
//! less likely than the tile's best, and namings that are [`BUDGET`] nats less likely than the free
//! one: each tile's cheapest later face bounds what a state can still come to.

use std::collections::HashMap;

use crate::tile::Face;

/// Faces this much less likely than the tile's best (in nats) are no alternatives.
pub const FAINT: f32 = 9.0;
/// Namings that cost this much more than the free one are not looked for: they would not be
/// believed.
pub const BUDGET: f32 = 10.0;
/// What a finished hand is favoured by over one that is merely legal, in nats. The number of
/// finished hands among all would justify some twelve; a row that is one tile short must not be
/// bent into a win, so the preference only settles what the eye leaves nearly open.
pub const FINISHED: f32 = 3.0;
/// Sweeps with more states than this are cut short and reported as not exact.
const MOST_STATES: usize = 20_000;
const MOST_SET_CHOICES: usize = 48;

/// The faces a single tile may show, each with its cost: minus the logarithm of its probability.
#[derive(Clone, Debug, PartialEq)]
pub struct Choices(Vec<(u8, f32)>);

impl Choices {
    /// From probabilities by [`Face::index`]; they need not sum to one.
    pub fn new(faces: &[f32; Face::COUNT]) -> Self {
        let cost = |p: f32| -p.max(1e-9).ln();
        let least = faces.iter().copied().map(cost).fold(f32::INFINITY, f32::min);
        let mut choices: Vec<(u8, f32)> = (0u8..)
            .zip(faces)
            .map(|(face, &p)| (face, cost(p)))
            .filter(|&(_, cost)| cost <= least + FAINT)
            .collect();
        choices.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        Self(choices)
    }

    /// One face and no other.
    pub fn certain(face: Face) -> Self {
        Self(vec![(face.index() as u8, 0.0)])
    }

    /// The likeliest face on its own, and its cost.
    pub fn best(&self) -> (u8, f32) {
        self.0.first().copied().unwrap_or((0, 0.0))
    }

    /// The likeliest first.
    pub fn iter(&self) -> impl Iterator<Item = (u8, f32)> + '_ {
        self.0.iter().copied()
    }

    fn cost_of(&self, face: u8) -> Option<f32> {
        self.0.iter().find(|&&(other, _)| other == face).map(|&(_, cost)| cost)
    }

    fn without(&self, face: u8) -> Self {
        Self(self.0.iter().copied().filter(|&(other, _)| other != face).collect())
    }
}

/// The tiles of a set that lies apart; face-down tiles are `None`.
#[derive(Clone, Debug)]
pub struct OpenSet {
    /// Its tiles in their order.
    pub tiles: Vec<Option<Choices>>,
    /// Whether it may be a chow: three tiles, claimed.
    pub may_be_chow: bool,
}

/// What is to be named.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// Tiles that stand alone: concealed, winning, flowers.
    pub singles: Vec<Choices>,
    /// Sets that lie apart.
    pub sets: Vec<OpenSet>,
}

/// One naming of all tiles.
#[derive(Clone, Debug, PartialEq)]
pub struct Naming {
    /// Face indices of the single tiles.
    pub singles: Vec<u8>,
    /// Face indices of the sets' tiles; `None` for those face down.
    pub sets: Vec<Vec<Option<u8>>>,
    /// Minus the logarithm of its probability.
    pub cost: f32,
    /// Whether it is a finished hand: sets and a pair, seven pairs, orphans, knitted.
    pub finished: bool,
}

/// What the search found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Every tile's likeliest face on its own.
    pub free: Naming,
    /// The likeliest legal naming, finished hands favoured by [`FINISHED`]; `None` where none is
    /// legal.
    pub legal: Option<Naming>,
    /// Its share of the probability of all legal namings.
    pub confidence: f32,
    /// False where the search was cut short.
    pub exact: bool,
}

impl Answer {
    /// How much less likely the legal naming is than the free one, in nats.
    pub fn price(&self) -> f32 {
        self.legal.as_ref().map_or(f32::INFINITY, |legal| legal.cost - self.free.cost)
    }
}

#[derive(Clone)]
struct SetChoice {
    faces: Vec<Option<u8>>,
    cost: f32,
}

impl OpenSet {
    /// All valid sets that are not too unlikely, the likeliest first.
    fn choices(&self) -> Vec<SetChoice> {
        if self.tiles.iter().all(Option::is_none) {
            return vec![SetChoice { faces: vec![None; self.tiles.len()], cost: 0.0 }];
        }
        let mut found = Vec::new();
        for face in 0..Face::SET_FACES as u8 {
            let cost = (self.tiles.iter().flatten())
                .try_fold(0.0, |sum, tile| tile.cost_of(face).map(|cost| sum + cost));
            if let Some(cost) = cost {
                let faces = self.tiles.iter().map(|tile| tile.as_ref().map(|_| face)).collect();
                found.push(SetChoice { faces, cost });
            }
        }
        if let (true, [Some(a), Some(b), Some(c)]) = (self.may_be_chow, &self.tiles[..]) {
            const ORDERS: [[u8; 3]; 6] =
                [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
            for lowest in (0..27u8).filter(|face| face % 9 < 7) {
                for [x, y, z] in ORDERS.map(|order| order.map(|step| lowest + step)) {
                    if let (Some(p), Some(q), Some(r)) = (a.cost_of(x), b.cost_of(y), c.cost_of(z))
                    {
                        let faces = vec![Some(x), Some(y), Some(z)];
                        found.push(SetChoice { faces, cost: p + q + r });
                    }
                }
            }
        }
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        let least = found.first().map_or(0.0, |choice| choice.cost);
        found.retain(|choice| choice.cost <= least + FAINT);
        found
    }

    /// What it costs to read these tiles as a valid set, beyond reading each on its own.
    pub fn price(&self) -> Option<f32> {
        let free: f32 = self.tiles.iter().flatten().map(|tile| tile.best().1).sum();
        self.choices().first().map(|choice| choice.cost - free)
    }
}

/// Chows begun and the pair: a bit for each (begun at the last face, at the one before, pair).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SetStates(u64);

impl SetStates {
    const START: Self = Self(1);
    const fn bit(last: u8, before: u8, pair: u8) -> u64 {
        1 << ((last * 5 + before) * 2 + pair)
    }

    /// After `count` tiles of a face; chows may begin where `chow` says so.
    fn step(self, count: u8, chow: bool) -> Self {
        let mut next = 0;
        let mut left = self.0;
        while left != 0 {
            let state = left.trailing_zeros() as u8;
            left &= left - 1;
            let (last, before, pair) = (state / 10, state / 2 % 5, state % 2);
            let Some(rest) = count.checked_sub(last + before) else { continue };
            for begun in 0..=if chow { rest } else { 0 } {
                match (rest - begun, pair) {
                    (0 | 3, pair) => next |= Self::bit(begun, last, pair),
                    (2, 0) => next |= Self::bit(begun, last, 1),
                    _ => {}
                }
            }
        }
        Self(next)
    }

    const fn whole(self) -> Self {
        Self(self.0 & (Self::bit(0, 0, 0) | Self::bit(0, 0, 1)))
    }

    const fn finished(self) -> bool {
        self.0 & Self::bit(0, 0, 1) != 0
    }
}

/// What the counts of the faces so far still allow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Prospect {
    sets: SetStates,
    pairs: bool,
    /// Orphans: 0 lost, 1 none doubled yet, 2 one doubled.
    orphans: u8,
    /// Knitted: a bit for each way to share out the three thirds that still fits.
    knitted: u8,
    /// Knitted: different honors so far, and whether one is doubled.
    honors: (u8, bool),
}

/// Which third of a suit (remainder of number - 1) the suits take, in every order.
const KNITTED: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Prospect {
    const fn start(apart: usize) -> Self {
        let alone = apart == 0;
        Self {
            sets: SetStates::START,
            pairs: alone,
            orphans: alone as u8,
            knitted: if alone { 0b11_1111 } else { 0 },
            honors: (0, false),
        }
    }

    fn step(mut self, face: u8, count: u8) -> Self {
        let place = face % 9;
        let suited = face < 27;
        self.sets = self.sets.step(count, suited && place < 7);
        if !suited || place == 8 {
            self.sets = self.sets.whole();
        }
        self.pairs &= count.is_multiple_of(2);
        let major = !suited || place == 0 || place == 8;
        self.orphans = match (self.orphans, major, count) {
            (state, true, 1) | (state, false, 0) => state,
            (1, true, 2) => 2,
            _ => 0,
        };
        if suited {
            for (way, thirds) in KNITTED.iter().enumerate() {
                let due = u8::from(thirds[usize::from(face / 9)] == place % 3);
                if count != due {
                    self.knitted &= !(1 << way);
                }
            }
        } else {
            match (count, self.honors) {
                (0, _) => {}
                (1, (kinds, doubled)) => self.honors = (kinds + 1, doubled),
                (2, (kinds, false)) => self.honors = (kinds + 1, true),
                _ => self.knitted = 0,
            }
        }
        if self.knitted == 0 {
            self.honors = (0, false);
        }
        self
    }

    fn finished(self) -> bool {
        self.sets.finished()
            || self.pairs
            || self.orphans == 2
            || (self.knitted != 0 && self.honors == (4, true))
    }
}

/// Whether counts by [`Face::index`], beside a number of sets apart, make a finished hand.
pub fn is_finished(counts: &[u8; Face::SET_FACES], apart: usize) -> bool {
    let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
    total + 3 * apart == 14
        && (0u8..).zip(counts).fold(Prospect::start(apart), |p, (f, &n)| p.step(f, n)).finished()
}

/// Whether one more tile would finish it.
pub fn is_waiting(counts: &[u8; Face::SET_FACES], apart: usize) -> bool {
    (0..Face::SET_FACES).any(|face| {
        let mut counts = *counts;
        counts[face] += 1;
        counts[face] <= 4 && is_finished(&counts, apart)
    })
}

struct Reached {
    cost: f32,
    /// Total probability of all ways here, relative to `exp(-base)`.
    weight: f64,
    from: usize,
    taken: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    named: u32,
    prospect: Prospect,
    finished: bool,
}

struct Swept {
    /// Best of the unfinished and of the finished: cost and naming.
    best: [Option<(f32, Vec<u8>)>; 2],
    weight: [f64; 2],
    exact: bool,
}

/// All namings of single tiles with at most `room` of each face that cost at most `budget` more
/// than the free one.
fn sweep(singles: &[Choices], room: &[u8; Face::COUNT], apart: usize, budget: f32) -> Swept {
    if singles.len() >= 32 || singles.iter().any(|choices| choices.0.is_empty()) {
        return cut_short();
    }
    let all = (1u32 << singles.len()) - 1;
    let base: f32 = singles.iter().map(|choices| choices.best().1).sum();
    let price = prices(singles);
    // What a tile costs at least if it is named after a face.
    let mut later = vec![vec![f32::INFINITY; singles.len()]; Face::COUNT + 1];
    for face in (0..Face::COUNT).rev() {
        for tile in 0..singles.len() {
            later[face][tile] = later[face + 1][tile].min(price[face][tile]);
        }
    }
    let start = Place { named: 0, prospect: Prospect::start(apart), finished: false };
    let mut layers: Vec<Vec<(Place, Reached)>> =
        vec![vec![(start, Reached { cost: 0.0, weight: 1.0, from: 0, taken: 0 })]];
    let mut exact = true;
    for face in 0..Face::COUNT as u8 {
        let f = usize::from(face);
        let mut index: HashMap<Place, usize> = HashMap::new();
        let mut layer: Vec<(Place, Reached)> = Vec::new();
        for (from, (place, reached)) in layers[f].iter().enumerate() {
            let mut bound = reached.cost;
            let mut open = Vec::new();
            for tile in (0..singles.len()).filter(|tile| place.named >> tile & 1 == 0) {
                if price[f][tile].is_finite() {
                    open.push((tile, price[f][tile], later[f + 1][tile]));
                } else {
                    bound += later[f + 1][tile];
                }
            }
            let mut taking = Taking { open: &open, room: room[f], budget, found: Vec::new() };
            taking.choose(0, 0, 0.0, bound);
            for (taken, cost) in taking.found {
                let mut next = *place;
                next.named |= taken;
                if f < Face::SET_FACES {
                    next.prospect = place.prospect.step(face, taken.count_ones() as u8);
                }
                if f + 1 == Face::SET_FACES {
                    let right = next.named.count_ones() as usize + 3 * apart == 14;
                    next.finished = right && next.prospect.finished();
                    next.prospect = Prospect::start(1);
                }
                let total = reached.cost + cost;
                let weight = reached.weight * f64::from(-cost).exp();
                let at = *index.entry(next).or_insert_with(|| {
                    let nothing = Reached { cost: f32::INFINITY, weight: 0.0, from, taken };
                    layer.push((next, nothing));
                    layer.len() - 1
                });
                let here = &mut layer[at].1;
                here.weight += weight;
                if total < here.cost {
                    (here.cost, here.from, here.taken) = (total, from, taken);
                }
            }
        }
        if layer.len() > MOST_STATES {
            layer.sort_by(|a, b| a.1.cost.total_cmp(&b.1.cost));
            layer.truncate(MOST_STATES);
            exact = false;
        }
        layers.push(layer);
    }
    let mut swept = Swept { best: [None, None], weight: [0.0; 2], exact };
    for (end, (place, reached)) in layers[Face::COUNT].iter().enumerate() {
        if place.named != all {
            continue;
        }
        let kind = usize::from(place.finished);
        swept.weight[kind] += reached.weight * f64::from(-base).exp();
        let cost = base + reached.cost;
        if swept.best[kind].as_ref().is_none_or(|(least, _)| cost < *least) {
            swept.best[kind] = Some((cost, trace(&layers, end, singles.len())));
        }
    }
    swept
}

/// What each face costs each tile beyond its likeliest one; infinite where it is no alternative.
fn prices(singles: &[Choices]) -> Vec<Vec<f32>> {
    let mut price = vec![vec![f32::INFINITY; singles.len()]; Face::COUNT];
    for (tile, choices) in singles.iter().enumerate() {
        let least = choices.best().1;
        for (face, cost) in choices.iter() {
            price[usize::from(face)][tile] = cost - least;
        }
    }
    price
}

/// The names that led to a state of the last layer.
fn trace(layers: &[Vec<(Place, Reached)>], end: usize, tiles: usize) -> Vec<u8> {
    let mut names = vec![0; tiles];
    let mut at = end;
    for face in (0..Face::COUNT as u8).rev() {
        let step = &layers[usize::from(face) + 1][at].1;
        for (tile, name) in names.iter_mut().enumerate() {
            if step.taken >> tile & 1 == 1 {
                *name = face;
            }
        }
        at = step.from;
    }
    names
}

/// Which of the open tiles take a face: every choice that can still stay within the budget.
struct Taking<'a> {
    /// Tile, what the face costs it, what any later one costs it at least.
    open: &'a [(usize, f32, f32)],
    room: u8,
    budget: f32,
    found: Vec<(u32, f32)>,
}

impl Taking<'_> {
    fn choose(&mut self, at: usize, taken: u32, cost: f32, bound: f32) {
        if bound > self.budget {
            return;
        }
        let Some(&(tile, now, later)) = self.open.get(at) else {
            self.found.push((taken, cost));
            return;
        };
        if (taken.count_ones() as u8) < self.room {
            self.choose(at + 1, taken | 1 << tile, cost + now, bound + now);
        }
        self.choose(at + 1, taken, cost, bound + later);
    }
}

fn cut_short() -> Swept {
    Swept { best: [None, None], weight: [0.0; 2], exact: false }
}

/// The likeliest legal naming and how sure it is.
pub fn decode(question: &Question) -> Answer {
    let free = Naming {
        singles: question.singles.iter().map(|tile| tile.best().0).collect(),
        sets: (question.sets.iter())
            .map(|set| {
                set.tiles.iter().map(|tile| tile.as_ref().map(|tile| tile.best().0)).collect()
            })
            .collect(),
        cost: (question.singles.iter())
            .chain(question.sets.iter().flat_map(|set| set.tiles.iter().flatten()))
            .map(|tile| tile.best().1)
            .sum(),
        finished: false,
    };
    let choices: Vec<Vec<SetChoice>> = question.sets.iter().map(OpenSet::choices).collect();
    let (combined, whole) = combine(&choices);
    let least: f32 = choices.iter().filter_map(|set| Some(set.first()?.cost)).sum();
    let mut best: Option<(f32, Naming)> = None;
    let mut total = 0.0f64;
    let mut exact = whole;
    for sets in &combined {
        let mut room = [4u8; Face::COUNT];
        room[Face::SET_FACES..].fill(1);
        let mut legal = true;
        for (set, tiles) in sets.iter().zip(&question.sets) {
            // Face-down tiles of a kong are the face of the others.
            let known = set.faces.iter().flatten().count();
            let hidden = if known > 0 { tiles.tiles.len() - known } else { 0 };
            for (i, &face) in set.faces.iter().flatten().enumerate() {
                let used = 1 + if i == 0 { hidden as u8 } else { 0 };
                match room[usize::from(face)].checked_sub(used) {
                    Some(left) => room[usize::from(face)] = left,
                    None => legal = false,
                }
            }
        }
        if !legal {
            continue;
        }
        let set_cost: f32 = sets.iter().map(|set| set.cost).sum();
        let budget = BUDGET - (set_cost - least);
        let swept = sweep(&question.singles, &room, sets.len(), budget);
        exact &= swept.exact;
        for (kind, found) in swept.best.into_iter().enumerate() {
            let favour = if kind == 1 { FINISHED } else { 0.0 };
            total += swept.weight[kind] * f64::from(favour - set_cost).exp();
            let Some((cost, singles)) = found else { continue };
            let judged = cost + set_cost - favour;
            if best.as_ref().is_none_or(|(least, _)| judged < *least) {
                let naming = Naming {
                    singles,
                    sets: sets.iter().map(|set| set.faces.clone()).collect(),
                    cost: cost + set_cost,
                    finished: kind == 1,
                };
                best = Some((judged, naming));
            }
        }
    }
    let confidence = best.as_ref().map_or(0.0, |(judged, _)| {
        if total > 0.0 { (f64::from(-judged).exp() / total).min(1.0) as f32 } else { 0.0 }
    });
    Answer { free, legal: best.map(|(_, naming)| naming), confidence, exact }
}

/// Every choice of sets, the likeliest first; false where some were left out.
fn combine(choices: &[Vec<SetChoice>]) -> (Vec<Vec<&SetChoice>>, bool) {
    let mut combined: Vec<(f32, Vec<&SetChoice>)> = vec![(0.0, Vec::new())];
    let mut whole = true;
    for set in choices {
        combined = (combined.iter())
            .flat_map(|(cost, chosen)| {
                set.iter().map(move |choice| {
                    let mut chosen = chosen.clone();
                    chosen.push(choice);
                    (cost + choice.cost, chosen)
                })
            })
            .collect();
        combined.sort_by(|a, b| a.0.total_cmp(&b.0));
        let least = combined.first().map_or(0.0, |(cost, _)| *cost);
        combined.retain(|(cost, _)| *cost <= least + FAINT);
        if combined.len() > MOST_SET_CHOICES {
            combined.truncate(MOST_SET_CHOICES);
            whole = false;
        }
    }
    (combined.into_iter().map(|(_, chosen)| chosen).collect(), whole)
}

/// A tile of a [`Question`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// A single tile, by its place.
    Single(usize),
    /// A tile of a set: the set's place, the tile's in it.
    Set(usize, usize),
}

/// The likeliest legal hand in which one tile is not what it was taken for, and how likely that is
/// beside the answer (0-1).
pub fn otherwise(question: &Question, answer: &Answer, which: Which) -> Option<(Naming, f32)> {
    let legal = answer.legal.as_ref()?;
    let mut question = question.clone();
    match which {
        Which::Single(i) => {
            question.singles[i] = question.singles[i].without(legal.singles[i]);
            if question.singles[i].0.is_empty() {
                return None;
            }
        }
        Which::Set(i, j) => {
            let taken = legal.sets[i][j]?;
            let tile = question.sets[i].tiles[j].as_mut()?;
            *tile = tile.without(taken);
            if tile.0.is_empty() {
                return None;
            }
        }
    }
    let other = decode(&question).legal?;
    let favour = |naming: &Naming| if naming.finished { FINISHED } else { 0.0 };
    let gap = (other.cost - favour(&other)) - (legal.cost - favour(legal));
    Some((other, 1.0 / (1.0 + gap.exp())))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hand::{Forms, Hand, for_each_arrangement};

    fn choices(faces: &[(&str, f32)]) -> Choices {
        let mut all = [0.0; Face::COUNT];
        for (code, p) in faces {
            all[code.parse::<Face>().unwrap().index()] = *p;
        }
        Choices::new(&all)
    }

    /// Single tiles from hand text without marks.
    fn sure(text: &str) -> Vec<Choices> {
        let reading: crate::hand::Reading = text.parse().unwrap();
        let tiles = reading.concealed.iter().chain(&reading.bonus);
        tiles.map(|tile| choices(&[(&tile.to_string(), 1.0)])).collect()
    }

    fn names(naming: &Naming) -> String {
        naming
            .singles
            .iter()
            .map(|&face| Face::from_index(usize::from(face)).unwrap().to_string())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Every product of choices, one by one; whether it is finished by the hand's own arrangements.
    fn by_force(question: &Question) -> (Option<(f32, bool)>, f64) {
        let mut best: Option<(f32, bool)> = None;
        let mut total = 0.0;
        let mut stack = vec![(Vec::<u8>::new(), 0.0f32)];
        while let Some((names, cost)) = stack.pop() {
            if let Some(tile) = question.singles.get(names.len()) {
                for (face, more) in tile.iter() {
                    let mut names = names.clone();
                    names.push(face);
                    stack.push((names, cost + more));
                }
                continue;
            }
            let mut counts = [0u8; Face::COUNT];
            for &face in &names {
                counts[usize::from(face)] += 1;
            }
            if (0..Face::COUNT).any(|face| counts[face] > if face < 34 { 4 } else { 1 }) {
                continue;
            }
            let mut concealed = [0; Face::SET_FACES];
            concealed.copy_from_slice(&counts[..Face::SET_FACES]);
            let winning = (0..Face::SET_FACES).find(|&face| concealed[face] > 0);
            let finished = winning
                .and_then(|face| Hand::new(concealed, &[], 0, Face::from_index(face)?).ok())
                .is_some_and(|hand| {
                    let mut any = false;
                    for_each_arrangement(&hand, false, Forms::ALL, |_| any = true);
                    any
                });
            let free: f32 = question.singles.iter().map(|tile| tile.best().1).sum();
            if cost - free > BUDGET {
                continue;
            }
            let judged = cost - if finished { FINISHED } else { 0.0 };
            total += f64::from(-judged).exp();
            if best.is_none_or(|(least, _)| judged < least) {
                best = Some((judged, finished));
            }
        }
        (best, total)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]
        #[test]
        fn the_sweep_finds_what_trying_everything_finds(
            start in 0usize..6,
            faces in prop::collection::vec((0usize..14, 0usize..14, 0usize..14, 0.05f32..1.0, 0.05f32..1.0), 7),
        ) {
            // Half of a hand that is nearly finished is sure, the other half open.
            let base = ["111234m", "112233p", "19m19p19s1z", "1122m33p", "147m258p3s", "555666z", "78999s"];
            let mut question = Question { singles: sure(base[start]), sets: Vec::new() };
            let near: Vec<Face> = ["1m","2m","3m","4m","1p","2p","3p","9s","8s","1z","2z","5z","1f","6s"]
                .iter().map(|code| code.parse().unwrap()).collect();
            for (a, b, c, p, q) in faces {
                let mut all = [0.0; Face::COUNT];
                all[near[a].index()] += 1.0;
                all[near[b].index()] += p;
                all[near[c].index()] += q;
                question.singles.push(Choices::new(&all));
            }
            question.singles.truncate(14);
            let answer = decode(&question);
            let (best, total) = by_force(&question);
            prop_assert!(answer.exact);
            match (answer.legal, best) {
                (Some(naming), Some((judged, finished))) => {
                    let own = naming.cost - if naming.finished { FINISHED } else { 0.0 };
                    prop_assert!((own - judged).abs() < 1e-3, "{own} {judged}");
                    let chance = f64::from(-judged).exp() / total;
                    prop_assert!((chance - f64::from(answer.confidence)).abs() < 1e-3);
                    let _ = finished;
                }
                (None, None) => {}
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }

    #[test]
    fn the_fifth_copy_goes_where_it_costs_least() {
        // Greedy naming has five 1m; the cheapest way out is the second tile, not the last.
        let mut singles = sure("11m456p789s1122z");
        singles.push(choices(&[("1m", 0.6), ("4m", 0.4)]));
        singles.push(choices(&[("1m", 0.9), ("7m", 0.1)]));
        singles.push(choices(&[("1m", 0.9), ("9m", 0.1)]));
        let answer = decode(&Question { singles, sets: Vec::new() });
        assert_eq!(names(&answer.free).matches("1m").count(), 5);
        let legal = answer.legal.unwrap();
        assert_eq!(names(&legal), "1m 1m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 4m 1m 1m");
    }

    #[test]
    fn a_set_takes_a_copy_that_a_concealed_tile_wanted() {
        let tile = |code: &str| Some(choices(&[(code, 1.0)]));
        let sets = vec![OpenSet { tiles: vec![tile("5p"); 4], may_be_chow: false }];
        let mut singles = sure("123m789s1122z");
        singles.push(choices(&[("5p", 0.7), ("8p", 0.3)]));
        let answer = decode(&Question { singles, sets });
        assert!(names(&answer.legal.unwrap()).ends_with("8p"));
    }

    #[test]
    fn two_of_a_flower_are_no_legal_hand() {
        let mut singles = sure("123m456p789s11222z");
        singles.push(choices(&[("1f", 1.0)]));
        singles.push(choices(&[("1f", 1.0)]));
        let answer = decode(&Question { singles, sets: Vec::new() });
        assert!(answer.legal.is_none());
        assert!(answer.price().is_infinite());
    }

    #[test]
    fn finished_hands_of_every_form() {
        let counts = |text: &str| {
            let reading: crate::hand::Reading = text.parse().unwrap();
            let mut counts = [0u8; Face::SET_FACES];
            for tile in &reading.concealed {
                counts[tile.to_string().parse::<Face>().unwrap().index()] += 1;
            }
            counts
        };
        for (text, apart, finished) in [
            ("123m456p789s11222z", 0, true),
            ("123m456p789s11223z", 0, false),
            ("1122m3344p5566s77z", 0, true),
            ("1111m3344p5566s77z", 0, true),
            ("19m19p19s12345677z", 0, true),
            ("19m19p19s12345666z", 0, false),
            ("147m258p369s12344z", 0, true),
            ("147m258p369s12234z", 0, true),
            ("147m147p369s12344z", 0, false),
            ("11122233344455m", 0, true),
            ("11122233344457m", 0, false),
            ("11m", 4, true),
            ("1122m", 4, false),
            ("12m", 4, false),
            ("1112345678999m5m", 0, true),
        ] {
            assert_eq!(is_finished(&counts(text), apart), finished, "{text}");
        }
        assert!(is_waiting(&counts("1112345678999m"), 0));
        assert!(!is_waiting(&counts("123m456p789s1457z"), 0));
    }

    #[test]
    fn forty_unclear_tiles_are_no_panic() {
        let unclear = Choices::new(&[1.0 / 42.0; Face::COUNT]);
        let answer = decode(&Question { singles: vec![unclear; 40], sets: Vec::new() });
        assert!(!answer.exact);
    }
}

//! The search over the faces in order.

use std::collections::HashMap;

use super::{FaceChoices, Question, complete::Prospect};
use crate::{hand::WholeHand, tile::Face};

/// Sweeps with more states than this are cut short and reported as not exact.
const MOST_STATES: usize = 20_000;

struct Reached {
    cost: f32,
    /// Total probability of all ways here, relative to `exp(-base)`.
    weight: f64,
    from: usize,
    taken: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct SweepState {
    named: u32,
    prospect: Prospect,
    finished: bool,
}

pub struct Swept {
    /// Best of the unfinished and of the finished: cost and naming.
    pub best: [Option<(f32, Vec<u8>)>; 2],
    pub weight: [f64; 2],
    pub exact: bool,
}

/// All namings of single tiles with at most `room` of each face whose cost exceeds the free one's by `budget` at
/// most.
pub fn sweep(question: &Question, room: &[u8; Face::COUNT], apart: usize, budget: f32) -> Swept {
    let Question { singles, whole, .. } = question;
    if singles.len() >= 32 || singles.iter().any(|choices| choices.0.is_empty()) {
        return cut_short();
    }
    let base: f32 = singles.iter().map(|choices| choices.best().1).sum();
    let price = prices(singles);
    let sweep =
        Sweep { whole: *whole, apart, budget, tiles: singles.len(), later: later(&price), price };
    let start = SweepState { named: 0, prospect: Prospect::start(*whole, apart), finished: false };
    let mut layers: Vec<Layer> =
        vec![vec![(start, Reached { cost: 0.0, weight: 1.0, from: 0, taken: 0 })]];
    let mut exact = true;
    for face in 0..Face::COUNT as u8 {
        let f = usize::from(face);
        let mut layer = sweep.step(&layers[f], face, room[f]);
        if layer.len() > MOST_STATES {
            layer.sort_by(|a, b| a.1.cost.total_cmp(&b.1.cost));
            layer.truncate(MOST_STATES);
            exact = false;
        }
        layers.push(layer);
    }
    sweep.ends(&layers, base, exact)
}

/// The states after a face.
type Layer = Vec<(SweepState, Reached)>;

/// What is the same for all faces of a sweep.
struct Sweep {
    whole: WholeHand,
    apart: usize,
    budget: f32,
    /// The number of tiles that are named.
    tiles: usize,
    /// The least cost of a tile that is named after a face or a later one.
    later: Vec<Vec<f32>>,
    price: Vec<Vec<f32>>,
}

impl Sweep {
    /// The states that naming tiles after one more face leads to.
    fn step(&self, layer: &Layer, face: u8, room: u8) -> Layer {
        let f = usize::from(face);
        let mut index: HashMap<SweepState, usize> = HashMap::new();
        let mut next_layer: Layer = Vec::new();
        for (from, (place, reached)) in layer.iter().enumerate() {
            for (taken, cost) in self.choices(place.named, reached.cost, f, room) {
                let next = self.after(place, face, taken);
                let total = reached.cost + cost;
                let weight = reached.weight * f64::from(-cost).exp();
                let at = *index.entry(next).or_insert_with(|| {
                    let nothing = Reached { cost: f32::INFINITY, weight: 0.0, from, taken };
                    next_layer.push((next, nothing));
                    next_layer.len() - 1
                });
                let here = &mut next_layer[at].1;
                here.weight += weight;
                if total < here.cost {
                    (here.cost, here.from, here.taken) = (total, from, taken);
                }
            }
        }
        next_layer
    }

    /// Which tiles may be named after a face, and the cost of that.
    #[inline]
    fn choices(&self, named: u32, cost: f32, f: usize, room: u8) -> Vec<(u32, f32)> {
        let mut bound = cost;
        let mut open = Vec::new();
        for tile in (0..self.tiles).filter(|tile| named >> tile & 1 == 0) {
            if self.price[f][tile].is_finite() {
                open.push((tile, self.price[f][tile], self.later[f + 1][tile]));
            } else {
                bound += self.later[f + 1][tile];
            }
        }
        let mut taking = Taking { open: &open, room, budget: self.budget, found: Vec::new() };
        taking.choose(0, 0, 0.0, bound);
        taking.found
    }

    /// The state after tiles were named after a face.
    #[inline]
    fn after(&self, place: &SweepState, face: u8, taken: u32) -> SweepState {
        let f = usize::from(face);
        let mut next = *place;
        next.named |= taken;
        if f < Face::SET_FACES {
            next.prospect = place.prospect.step(face, taken.count_ones() as u8);
        }
        if f + 1 == Face::SET_FACES {
            let right = next.named.count_ones() as usize + 3 * self.apart == self.whole.tiles();
            next.finished = right && next.prospect.finished();
            next.prospect = Prospect::default();
        }
        next
    }

    /// The best namings of all tiles. `base`: the cost of the likeliest faces.
    fn ends(&self, layers: &[Layer], base: f32, exact: bool) -> Swept {
        let all = (1u32 << self.tiles) - 1;
        let mut swept = Swept { best: [None, None], weight: [0.0; 2], exact };
        for (end, (place, reached)) in layers[Face::COUNT].iter().enumerate() {
            if place.named != all {
                continue;
            }
            let kind = usize::from(place.finished);
            swept.weight[kind] += reached.weight * f64::from(-base).exp();
            let cost = base + reached.cost;
            if swept.best[kind].as_ref().is_none_or(|(least, _)| cost < *least) {
                swept.best[kind] = Some((cost, trace(layers, end, self.tiles)));
            }
        }
        swept
    }
}

/// The least cost of each tile that is named after a face or a later one.
fn later(price: &[Vec<f32>]) -> Vec<Vec<f32>> {
    let tiles = price[0].len();
    let mut later = vec![vec![f32::INFINITY; tiles]; Face::COUNT + 1];
    for face in (0..Face::COUNT).rev() {
        for tile in 0..tiles {
            later[face][tile] = later[face + 1][tile].min(price[face][tile]);
        }
    }
    later
}

/// The cost of each face of each tile beyond its likeliest one; infinite where it is left out.
fn prices(singles: &[FaceChoices]) -> Vec<Vec<f32>> {
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
fn trace(layers: &[Layer], end: usize, tiles: usize) -> Vec<u8> {
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
    /// The tile, the cost of the face, the least cost of any later one.
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

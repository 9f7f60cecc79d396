//! The search over the faces in order.

use std::collections::HashMap;

use super::{FaceChoices, Question, complete::Prospect};
use crate::tile::Face;

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
    let all = (1u32 << singles.len()) - 1;
    let base: f32 = singles.iter().map(|choices| choices.best().1).sum();
    let price = prices(singles);
    // The least cost of a tile that is named after a face or a later one.
    let mut later = vec![vec![f32::INFINITY; singles.len()]; Face::COUNT + 1];
    for face in (0..Face::COUNT).rev() {
        for tile in 0..singles.len() {
            later[face][tile] = later[face + 1][tile].min(price[face][tile]);
        }
    }
    let start = SweepState { named: 0, prospect: Prospect::start(*whole, apart), finished: false };
    let mut layers: Vec<Vec<(SweepState, Reached)>> =
        vec![vec![(start, Reached { cost: 0.0, weight: 1.0, from: 0, taken: 0 })]];
    let mut exact = true;
    for face in 0..Face::COUNT as u8 {
        let f = usize::from(face);
        let mut index: HashMap<SweepState, usize> = HashMap::new();
        let mut layer: Vec<(SweepState, Reached)> = Vec::new();
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
                    let right = next.named.count_ones() as usize + 3 * apart == whole.tiles();
                    next.finished = right && next.prospect.finished();
                    next.prospect = Prospect::default();
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
fn trace(layers: &[Vec<(SweepState, Reached)>], end: usize, tiles: usize) -> Vec<u8> {
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

//! The possible faces of the tiles of an open set.

use super::{FAINT, FaceChoices};
use crate::tile::Face;

/// Most combinations of sets that are tried.
const MOST_SET_CHOICES: usize = 48;

/// The tiles of a set that lies apart; face-down tiles are `None`.
#[derive(Clone, Debug)]
pub struct OpenSet {
    /// Its tiles in their order.
    pub tiles: Vec<Option<FaceChoices>>,
    /// Whether it may be a chow: three tiles, claimed.
    pub may_be_chow: bool,
}

#[derive(Clone)]
pub struct SetChoice {
    pub faces: Vec<Option<u8>>,
    pub cost: f32,
}

impl OpenSet {
    /// All valid sets that are not too unlikely, the likeliest first.
    pub(super) fn choices(&self) -> Vec<SetChoice> {
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

    /// The cost of reading these tiles as a valid set, beyond reading each on its own.
    pub fn price(&self) -> Option<f32> {
        let free: f32 = self.tiles.iter().flatten().map(|tile| tile.best().1).sum();
        self.choices().first().map(|choice| choice.cost - free)
    }
}

/// Every choice of sets, the likeliest first; false where some were left out.
pub fn combine(choices: &[Vec<SetChoice>]) -> (Vec<Vec<&SetChoice>>, bool) {
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

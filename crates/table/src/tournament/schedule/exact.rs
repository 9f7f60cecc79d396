//! The cheapest round of all, by trying every one: for small fields, and to prove a search right.

use super::Round;

/// The result of trying all rounds.
pub(super) struct Tried {
    /// The cheapest round, where one is cheaper than the limit.
    pub(super) round: Option<Round>,
    /// Whether it is proven that no cheaper round exists.
    pub(super) proven: bool,
}

/// Tries all rounds of the players that are cheaper than `below`; gives up after `steps` steps. `costs` are
/// those of each two at a table, none below 0.
pub(super) fn cheapest(costs: &[i64], players: usize, below: i64, steps: u64) -> Tried {
    // Who is dear to everybody is seated first, so that hopeless beginnings end early.
    let total = |one: usize| (0..players).map(|other| costs[one * players + other]).sum::<i64>();
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by_key(|one| (std::cmp::Reverse(total(*one)), *one));
    let mut trial = Trial {
        costs,
        players,
        left: order,
        // Each has three others: half the cost of the three cheapest cannot be avoided.
        least: (0..players).map(|one| least_of_three(costs, players, one)).collect(),
        tables: Vec::new(),
        best: below,
        round: None,
        steps,
    };
    let rest = trial.least.iter().sum();
    let proven = trial.seat(0, rest);
    Tried { round: trial.round, proven }
}

/// A lower bound on the cost of any round.
pub(super) fn bound(costs: &[i64], players: usize) -> i64 {
    let sum: i64 = (0..players).map(|one| least_of_three(costs, players, one)).sum();
    (sum + 1) / 2
}

fn least_of_three(costs: &[i64], players: usize, one: usize) -> i64 {
    let mut row: Vec<i64> = (0..players)
        .filter(|other| *other != one)
        .map(|other| costs[one * players + other])
        .collect();
    row.sort_unstable();
    row.iter().take(3).sum()
}

struct Trial<'a> {
    costs: &'a [i64],
    players: usize,
    /// The players who are not seated yet.
    left: Vec<usize>,
    least: Vec<i64>,
    tables: Round,
    best: i64,
    round: Option<Round>,
    steps: u64,
}

impl Trial<'_> {
    fn cost(&self, one: usize, other: usize) -> i64 {
        self.costs[one * self.players + other]
    }

    /// Seats the remaining players; `false` where it gave up. `spent`: the cost of the tables so far; `rest`:
    /// the sum of the least costs of the remaining players.
    fn seat(&mut self, spent: i64, rest: i64) -> bool {
        let Some(first) = self.left.first().copied() else {
            self.best = spent;
            self.round = Some(self.tables.clone());
            return true;
        };
        let left = self.left.clone();
        for one in 1..left.len() {
            if !self.goes_on() {
                return false;
            }
            let b = left[one];
            let two = spent + self.cost(first, b);
            if two + (rest + 1) / 2 - self.slack(&[first, b]) >= self.best {
                continue;
            }
            for other in one + 1..left.len() {
                if !self.goes_on() {
                    return false;
                }
                let c = left[other];
                let three = two + self.cost(first, c) + self.cost(b, c);
                if three + (rest + 1) / 2 - self.slack(&[first, b, c]) >= self.best {
                    continue;
                }
                for last in other + 1..left.len() {
                    if !self.goes_on() {
                        return false;
                    }
                    let d = left[last];
                    let four = three + self.cost(first, d) + self.cost(b, d) + self.cost(c, d);
                    let gone = [first, b, c, d].map(|player| self.least[player]);
                    let rest = rest - gone.into_iter().sum::<i64>();
                    if four + (rest + 1) / 2 >= self.best {
                        continue;
                    }
                    self.left.retain(|player| ![first, b, c, d].contains(player));
                    self.tables.push([first, b, c, d].map(|player| player as u16));
                    let done = self.seat(four, rest);
                    self.tables.pop();
                    self.left.clone_from(&left);
                    if !done {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Counts a step; `false` where there were enough.
    const fn goes_on(&mut self) -> bool {
        let left = self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        left
    }

    /// The part of the bound that belongs to a begun table, rounded up.
    fn slack(&self, begun: &[usize]) -> i64 {
        (begun.iter().map(|player| self.least[*player]).sum::<i64>() + 1) / 2
    }
}

//! Rounds where meetings have to repeat, or no construction is known: exchanges of two players of a
//! round, at first some for the worse (simulated annealing), so that meetings spread evenly.

use super::{
    Round,
    random::{Cooling, Stream},
};

struct Rounds {
    rounds: Vec<Round>,
    seats: usize,
    /// The number of meetings of each pair.
    meetings: Vec<u16>,
    /// The number of meetings that no pair exceeds when meetings are spread evenly.
    enough: u16,
    weights: Weights,
}

/// The costs of meetings. Seats are indices from 0; each two are at `low * seats + high`.
pub(super) struct Weights {
    /// The cost of a repeated meeting.
    pub(super) again: i64,
    /// The extra cost of each earlier meeting but the first.
    pub(super) oftener: i64,
    /// The cost of each pair's meeting at all; empty where that is free.
    pub(super) apart: Vec<i64>,
    /// Everybody's place in the standings, in rounds where those of like places are to meet; empty where
    /// they are not.
    pub(super) places: Vec<u16>,
}

impl Weights {
    /// The weights that only spread meetings evenly.
    const EVENLY: Self = Self { again: 1, oftener: 1, apart: Vec::new(), places: Vec::new() };

    /// The cost of two sitting together who never met.
    fn of_pair(&self, seats: usize, one: u16, other: u16) -> i64 {
        let mut cost = 0;
        if !self.apart.is_empty() {
            cost += self.apart[usize::from(one.min(other)) * seats + usize::from(one.max(other))];
        }
        if !self.places.is_empty() {
            let [one, other] = [one, other].map(|player| self.places[usize::from(player)]);
            cost += distance(one, other, seats);
        }
        cost
    }
}

/// The cost of a meeting of two places of the standings: the square of their distance, so that nobody is moved far.
fn distance(one: u16, other: u16, seats: usize) -> i64 {
    let apart = i64::from(one.abs_diff(other));
    // With more seats the squares would outweigh heavier costs.
    if seats <= 256 { apart * apart } else { apart * apart / 16 }
}

/// The number of steps of a search.
fn steps(seats: u16, wanted: u16) -> u64 {
    const STEPS_A_SEAT: u64 = 6_000;
    const MOST_STEPS: u64 = 1_500_000;
    (STEPS_A_SEAT * u64::from(seats) * u64::from(wanted)).min(MOST_STEPS)
}

/// The input of a search for rounds that follow others.
pub(super) struct Beginning {
    /// Rounds to begin with, `wanted` of them; by chance where there are none.
    pub(super) rounds: Vec<Round>,
    /// The number of earlier meetings of each pair.
    pub(super) meetings: Vec<u16>,
    /// The number of rounds in all, played ones included.
    pub(super) all: u16,
    /// The extra cost that the search accepts half the time at first.
    pub(super) hot: u64,
    /// The extra cost that the search accepts half the time at last.
    pub(super) cold: u64,
    /// The factor by which the search is shorter than usual.
    pub(super) hurry: u64,
}

/// The cheapest rounds that the search reaches, and their cost.
pub(super) fn follow(
    from: Beginning,
    seats: u16,
    wanted: u16,
    weights: Weights,
    stream: &mut Stream,
) -> (Vec<Round>, i64) {
    let begun = !from.rounds.is_empty();
    let mut all = Rounds::new(Vec::new(), seats, from.all);
    (all.meetings, all.weights) = (from.meetings, weights);
    from.rounds.into_iter().for_each(|round| all.add(round));
    all.fill(wanted, stream);
    let steps = steps(seats, wanted) / from.hurry;
    if begun && !all.weights.apart.is_empty() && all.weights.places.is_empty() {
        all.relabel(steps / 16, from.hot, from.cold, stream);
    }
    all.improve(0, Cooling::between(from.hot, from.cold, steps), stream);
    let cost = all.cost();
    (all.rounds, cost)
}

/// Adds the missing rounds to given ones without repeats, and improves all of them.
pub(super) fn complete(built: &[Round], seats: u16, wanted: u16) -> Vec<Round> {
    let steps = steps(seats, wanted);
    let copied = copied(built, seats, wanted);
    if copied.is_even() {
        return copied.rounds;
    }
    let mut stream = Stream::new(u64::from(seats) << 32 | u64::from(wanted));
    let mut filled = Rounds::new(built.to_vec(), seats, wanted);
    filled.fill(wanted, &mut stream);
    let filled = filled.rounds;
    // First the others alone, then, if that leaves repeats, all.
    let mut found = Vec::new();
    for (rounds, first) in [(filled.clone(), built.len()), (filled, 0), (copied.rounds, 0)] {
        let mut rounds = Rounds::new(rounds, seats, wanted);
        rounds.improve(first, Cooling::over(steps), &mut stream);
        if rounds.is_even() {
            return rounds.rounds;
        }
        found.push(rounds);
    }
    let best = found.into_iter().min_by_key(|rounds| (rounds.most(), rounds.cost()));
    best.map(|rounds| rounds.rounds).unwrap_or_default()
}

/// The given rounds, repeated with other players until there are enough: nobody
/// meets anybody oftener than there are copies.
fn copied(built: &[Round], seats: u16, wanted: u16) -> Rounds {
    let mut stream = Stream::new(u64::from(seats));
    let mut all = Rounds::new(built.to_vec(), seats, wanted);
    while !built.is_empty() && all.rounds.len() < usize::from(wanted) {
        let mut other: Vec<u16> = (0..seats).collect();
        stream.shuffle(&mut other);
        let left = usize::from(wanted) - all.rounds.len();
        for round in built.iter().take(left) {
            let table = |table: &[u16; 4]| table.map(|player| other[usize::from(player)]);
            all.add(round.iter().map(table).collect());
        }
    }
    all
}

impl Rounds {
    fn new(rounds: Vec<Round>, seats: u16, wanted: u16) -> Self {
        let enough = (3 * wanted / seats.max(2).saturating_sub(1)).max(1);
        let seats = usize::from(seats);
        let (meetings, weights) = (vec![0; seats * seats], Weights::EVENLY);
        let mut all = Self { rounds: Vec::new(), seats, meetings, enough, weights };
        rounds.into_iter().for_each(|round| all.add(round));
        all
    }

    fn add(&mut self, round: Round) {
        for table in &round {
            for (seat, one) in table.iter().enumerate() {
                for other in &table[seat + 1..] {
                    *self.met(*one, *other) += 1;
                }
            }
        }
        self.rounds.push(round);
    }

    /// Adds rounds by chance until there are enough.
    fn fill(&mut self, wanted: u16, stream: &mut Stream) {
        while self.rounds.len() < usize::from(wanted) {
            let mut order: Vec<u16> = (0..self.seats as u16).collect();
            stream.shuffle(&mut order);
            let tables = order.chunks_exact(4);
            self.add(tables.map(|table| [table[0], table[1], table[2], table[3]]).collect());
        }
    }

    fn met(&mut self, one: u16, other: u16) -> &mut u16 {
        let (low, high) = (usize::from(one.min(other)), usize::from(one.max(other)));
        &mut self.meetings[low * self.seats + high]
    }

    /// The cost of a meeting of two who have met `times` times.
    fn again(&self, times: u16) -> i64 {
        let further = i64::from(times) - 1 + i64::from(times > self.enough);
        if times == 0 { 0 } else { self.weights.again + self.weights.oftener * further }
    }

    /// The number of pairs of meetings of the same two, which falls as meetings spread evenly. A pair that
    /// meets oftener than necessary costs more.
    fn cost(&self) -> i64 {
        let of_pair = |times: &u16| (0..*times).map(|before| self.again(before)).sum::<i64>();
        self.meetings.iter().map(of_pair).sum::<i64>() + self.cost_of_tables()
    }

    /// The cost of all tables, whether or not their players have met.
    fn cost_of_tables(&self) -> i64 {
        let Weights { apart, places, .. } = &self.weights;
        if apart.is_empty() && places.is_empty() {
            return 0;
        }
        let tables = self.rounds.iter().flatten();
        tables
            .map(|table| {
                let pairs = (0..4).flat_map(|one| (one + 1..4).map(move |other| (one, other)));
                pairs
                    .map(|(one, other)| self.weights.of_pair(self.seats, table[one], table[other]))
                    .sum::<i64>()
            })
            .sum()
    }

    /// The cost of an even spread over all pairs, a lower bound for any rounds.
    fn least_cost(&self) -> i64 {
        let pairs = (self.seats * (self.seats - 1) / 2) as i64;
        let meetings: i64 = self.meetings.iter().map(|times| i64::from(*times)).sum();
        let (each, more) = (meetings / pairs, meetings % pairs);
        let evenly = (pairs - more) * each * (each - 1) / 2 + more * (each + 1) * each / 2;
        // Otherwise no meeting is known to cost something.
        if self.weights.again == self.weights.oftener { evenly * self.weights.again } else { 0 }
    }

    /// The largest number of meetings of any pair.
    fn most(&self) -> u16 {
        self.meetings.iter().copied().max().unwrap_or(0)
    }

    /// Whether meetings are spread as evenly as possible.
    fn is_even(&self) -> bool {
        self.cost() == self.least_cost()
    }

    /// Adds (`up`) or removes the meetings of a seat with its table, and returns the change in cost.
    fn count(&mut self, round: usize, table: usize, seat: usize, up: bool) -> i64 {
        let seated = self.rounds[round][table];
        let mut change = 0;
        for (other, player) in seated.into_iter().enumerate() {
            if other == seat {
                continue;
            }
            let times = *self.met(seated[seat], player);
            let pair = self.weights.of_pair(self.seats, seated[seat], player);
            change += if up { pair } else { -pair };
            if up {
                change += self.again(times);
                *self.met(seated[seat], player) += 1;
            } else {
                change -= self.again(times - 1);
                *self.met(seated[seat], player) -= 1;
            }
        }
        change
    }

    fn exchange(&mut self, round: usize, one: (usize, usize), other: (usize, usize)) -> i64 {
        let out =
            self.count(round, one.0, one.1, false) + self.count(round, other.0, other.1, false);
        let player = self.rounds[round][one.0][one.1];
        self.rounds[round][one.0][one.1] = self.rounds[round][other.0][other.1];
        self.rounds[round][other.0][other.1] = player;
        out + self.count(round, one.0, one.1, true) + self.count(round, other.0, other.1, true)
    }

    /// Exchanges players in the rounds from `first` on.
    fn improve(&mut self, first: usize, mut cooling: Cooling, stream: &mut Stream) {
        let tables = self.seats / 4;
        if tables < 2 || first >= self.rounds.len() {
            return;
        }
        let (mut cost, least) = (self.cost(), self.least_cost());
        let mut best = (cost, self.rounds.clone());
        while best.0 > least && cooling.goes_on() {
            let round = first + stream.below(self.rounds.len() - first);
            let one = (stream.below(tables), stream.below(4));
            let mut other = (stream.below(tables), stream.below(4));
            if !self.weights.places.is_empty() {
                // Tables are in the order of the standings at first: near ones oftener.
                let far = 1 << stream.below(tables.ilog2() as usize + 1);
                let step = 1 + stream.below(far);
                other.0 = (one.0 + if other.0 < one.0 { tables - step } else { step }) % tables;
            }
            if one.0 == other.0 {
                continue;
            }
            let worse = self.exchange(round, one, other);
            if cooling.takes(worse, stream) {
                cost += worse;
                if cost < best.0 {
                    best = (cost, self.rounds.clone());
                }
            } else {
                self.exchange(round, one, other);
            }
        }
        self.go_back_to(best.1);
    }

    /// Exchanges players in all rounds, which keeps the number of meetings and changes only who meets.
    fn relabel(&mut self, steps: u64, hot: u64, cold: u64, stream: &mut Stream) {
        let (mut cost, mut best) = (self.cost(), (self.cost(), self.rounds.clone()));
        let mut cooling = Cooling::between(hot, cold, steps / self.rounds.len().max(1) as u64);
        let place = |round: &Round, player: usize| {
            let sits = |table: &[u16; 4]| table.iter().position(|one| usize::from(*one) == player);
            let found =
                round.iter().enumerate().find_map(|(table, four)| Some((table, sits(four)?)));
            found.unwrap_or_default()
        };
        while cooling.goes_on() {
            let (one, other) = (stream.below(self.seats), stream.below(self.seats));
            let exchange = |all: &mut Self| -> i64 {
                (0..all.rounds.len())
                    .map(|round| {
                        let at = [one, other].map(|player| place(&all.rounds[round], player));
                        if at[0].0 == at[1].0 { 0 } else { all.exchange(round, at[0], at[1]) }
                    })
                    .sum()
            };
            let worse = exchange(self);
            if cooling.takes(worse, stream) {
                cost += worse;
                if cost < best.0 {
                    best = (cost, self.rounds.clone());
                }
            } else {
                exchange(self);
            }
        }
        self.go_back_to(best.1);
    }

    /// Seats everybody as in these rounds.
    fn go_back_to(&mut self, rounds: Vec<Round>) {
        let now = std::mem::take(&mut self.rounds);
        for table in now.iter().flatten() {
            for (seat, one) in table.iter().enumerate() {
                table[seat + 1..].iter().for_each(|other| *self.met(*one, *other) -= 1);
            }
        }
        rounds.into_iter().for_each(|round| self.add(round));
    }
}

//! Rounds where meetings have to repeat, or no construction is known: exchanges of two players of a
//! round, at first some for the worse (simulated annealing), so that meetings spread evenly.

use super::{
    Round,
    random::{Cooling, Stream},
};

struct Rounds {
    rounds: Vec<Round>,
    seats: usize,
    /// How often each two meet.
    meetings: Vec<u16>,
}

/// How long is searched.
fn steps(seats: u16, wanted: u16) -> u64 {
    const STEPS_A_SEAT: u64 = 6_000;
    const MOST_STEPS: u64 = 1_500_000;
    (STEPS_A_SEAT * u64::from(seats) * u64::from(wanted)).min(MOST_STEPS)
}

/// The rounds that are there, which stay as they are, and those that are missing after them. Seats beyond the
/// players' are reserves': who sits with one of these is not to sit with another.
pub(super) fn follow(rounds: Vec<Round>, players: u16, seats: u16, wanted: usize) -> Vec<Round> {
    let wanted = u16::try_from(wanted).unwrap_or(u16::MAX);
    let mut stream = Stream::new(u64::from(seats) << 32 | u64::from(wanted));
    let played = rounds.len();
    let mut all = Rounds::new(rounds, seats);
    // As if reserves had met before.
    for one in players..seats {
        (one + 1..seats).for_each(|other| *all.met(one, other) += 2);
    }
    all.fill(wanted, &mut stream);
    all.improve(played, steps(seats, wanted), &mut stream);
    all.rounds
}

/// Adds what is missing to the rounds that are there, and improves all of them.
pub(super) fn complete(rounds: Vec<Round>, seats: u16, wanted: u16) -> Vec<Round> {
    let steps = steps(seats, wanted);
    let mut stream = Stream::new(u64::from(seats) << 32 | u64::from(wanted));
    let built = rounds.len();
    let mut all = Rounds::new(rounds, seats);
    all.fill(wanted, &mut stream);
    // What is built repeats nothing: first the others alone, then, if that leaves repeats, all.
    let mut alone = Rounds::new(all.rounds.clone(), seats);
    alone.improve(built, steps, &mut stream);
    if alone.cost() == alone.least_cost() {
        return alone.rounds;
    }
    all.improve(0, steps, &mut stream);
    if all.cost() < alone.cost() { all.rounds } else { alone.rounds }
}

impl Rounds {
    fn new(rounds: Vec<Round>, seats: u16) -> Self {
        let seats = usize::from(seats);
        let mut all = Self { rounds: Vec::new(), seats, meetings: vec![0; seats * seats] };
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

    /// Pairs of meetings of the same two: the more evenly spread, the fewer.
    fn cost(&self) -> i64 {
        self.meetings.iter().map(|times| i64::from(*times) * (i64::from(*times) - 1) / 2).sum()
    }

    /// What even spreading over all pairs would cost; no rounds cost less.
    fn least_cost(&self) -> i64 {
        let pairs = (self.seats * (self.seats - 1) / 2) as i64;
        let meetings: i64 = self.meetings.iter().map(|times| i64::from(*times)).sum();
        let (each, more) = (meetings / pairs, meetings % pairs);
        (pairs - more) * each * (each - 1) / 2 + more * (each + 1) * each / 2
    }

    /// Puts the meetings of a seat with its table in (`up`) or out; says what it costs more.
    fn count(&mut self, round: usize, table: usize, seat: usize, up: bool) -> i64 {
        let seated = self.rounds[round][table];
        let mut change = 0;
        for (other, player) in seated.into_iter().enumerate() {
            if other == seat {
                continue;
            }
            let times = self.met(seated[seat], player);
            if up {
                change += i64::from(*times);
                *times += 1;
            } else {
                *times -= 1;
                change -= i64::from(*times);
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
    fn improve(&mut self, first: usize, steps: u64, stream: &mut Stream) {
        let tables = self.seats / 4;
        if tables < 2 || first >= self.rounds.len() {
            return;
        }
        let (mut cost, least) = (self.cost(), self.least_cost());
        let mut best = (cost, self.rounds.clone());
        let mut cooling = Cooling::over(steps);
        while best.0 > least && cooling.goes_on() {
            let round = first + stream.below(self.rounds.len() - first);
            let one = (stream.below(tables), stream.below(4));
            let other = (stream.below(tables), stream.below(4));
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
        let seats = self.seats as u16;
        *self = Self::new(best.1, seats);
    }
}

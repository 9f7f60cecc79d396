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
    /// Who have met oftener than this had better not meet again: with meetings spread evenly nobody
    /// does.
    enough: u16,
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
    let mut all = Rounds::new(rounds, seats, wanted);
    // As if reserves had met before.
    for one in players..seats {
        (one + 1..seats).for_each(|other| *all.met(one, other) += 2);
    }
    all.fill(wanted, &mut stream);
    all.improve(played, steps(seats, wanted), &mut stream);
    all.rounds
}

/// Adds what is missing to the rounds that are there, which repeat nothing, and improves all of
/// them.
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
        rounds.improve(first, steps, &mut stream);
        if rounds.is_even() {
            return rounds.rounds;
        }
        found.push(rounds);
    }
    let best = found.into_iter().min_by_key(|rounds| (rounds.most(), rounds.cost()));
    best.map(|rounds| rounds.rounds).unwrap_or_default()
}

/// The rounds that are there, and the same again with other players until there are enough: nobody
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
        let mut all = Self { rounds: Vec::new(), seats, meetings: vec![0; seats * seats], enough };
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

    /// What it costs that two meet who have met so often.
    fn again(&self, times: u16) -> i64 {
        i64::from(times) + i64::from(times > self.enough)
    }

    /// Pairs of meetings of the same two: the more evenly spread, the fewer. Who meets oftener than
    /// anybody need costs more.
    fn cost(&self) -> i64 {
        let of_pair = |times: &u16| (0..*times).map(|before| self.again(before)).sum::<i64>();
        self.meetings.iter().map(of_pair).sum()
    }

    /// What even spreading over all pairs would cost; no rounds cost less.
    fn least_cost(&self) -> i64 {
        let pairs = (self.seats * (self.seats - 1) / 2) as i64;
        let meetings: i64 = self.meetings.iter().map(|times| i64::from(*times)).sum();
        let (each, more) = (meetings / pairs, meetings % pairs);
        (pairs - more) * each * (each - 1) / 2 + more * (each + 1) * each / 2
    }

    /// How often the two meet who meet most often.
    fn most(&self) -> u16 {
        self.meetings.iter().copied().max().unwrap_or(0)
    }

    /// Whether meetings are spread as evenly as can be.
    fn is_even(&self) -> bool {
        self.cost() == self.least_cost()
    }

    /// Puts the meetings of a seat with its table in (`up`) or out; says what it costs more.
    fn count(&mut self, round: usize, table: usize, seat: usize, up: bool) -> i64 {
        let seated = self.rounds[round][table];
        let mut change = 0;
        for (other, player) in seated.into_iter().enumerate() {
            if other == seat {
                continue;
            }
            let times = *self.met(seated[seat], player);
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
        let mut found = Self::new(best.1, seats, 0);
        found.enough = self.enough;
        *self = found;
    }
}

//! Rounds that are one round turned: a base round is searched for whose turns repeat no meeting.
//!
//! The players are k circles of m places and a few who stay; each further round moves every circle
//! on by one place (the nine places of 28 players three by three). Two players meet again only where the base round has the same difference between the
//! same circles twice, so that one round is searched instead of all of them. Known designs have
//! this form (Bose 1939, "On the construction of balanced incomplete block designs"): 16 players in
//! 5 rounds, 28 in 9, 40 in 13, in which everybody meets everybody once.

use super::{
    Round,
    random::{Cooling, Stream},
};

/// Where a player is: on a circle, or one who stays.
#[derive(Clone, Copy)]
enum Place {
    Circle { circle: u16, at: u16 },
    Stays(u16),
}

struct Base {
    /// Places in a circle: the most rounds.
    places: u16,
    /// Places are added as numbers of digits of this size, without carry; one digit of the size
    /// `places` is the plain circle.
    digit: u16,
    circles: u16,
    seats: u16,
    /// The base round, table after table.
    seated: Vec<u16>,
    /// How many pairs of the base round are of each kind.
    kinds: Vec<u16>,
}

/// A block of four players, each as circle and place; of three circles.
type Block = [(u16, u16); 4];

/// Base rounds in which everybody meets everybody once: seats, places, digit, and blocks, each of
/// which is seated three times, moved on from circle to circle. The one who stays sits with the
/// first of each circle.
const KNOWN: [(u16, u16, u16, &[Block]); 2] = [
    (28, 9, 3, &[[(0, 3), (0, 6), (0, 1), (1, 2)], [(0, 4), (1, 7), (2, 5), (1, 8)]]),
    (
        40,
        13,
        13,
        &[
            [(0, 1), (1, 5), (1, 8), (0, 12)],
            [(0, 3), (1, 2), (1, 11), (0, 10)],
            [(0, 9), (1, 6), (1, 7), (0, 4)],
        ],
    ),
];

/// The players of a base round, table after table.
fn known(seats: u16, places: u16, blocks: &[Block]) -> Vec<u16> {
    let mut seated = vec![seats - 1, 0, places, 2 * places];
    for block in blocks {
        for on in 0..3 {
            seated.extend(block.map(|(circle, place)| (circle + on) % 3 * places + place));
        }
    }
    seated
}

/// All rounds, none with a repeated meeting; `None` where none were found.
pub(super) fn rounds(seats: u16, rounds: u16) -> Option<Vec<Round>> {
    /// Larger tournaments have the transversal construction for as many rounds as are played.
    const MOST_SEATS: u16 = 100;
    const STEPS_A_SEAT: u64 = 4_000;
    const TRIES: u64 = 4;
    let most = (seats - 1) / 3;
    if rounds > most || seats > MOST_SEATS {
        return None;
    }
    if let Some((_, places, digit, blocks)) = KNOWN.iter().find(|known| known.0 == seats) {
        let base = Base::new(seats, (*places, *digit), known(seats, *places, blocks));
        return Some((0..rounds).map(|turn| base.turned(turn)).collect());
    }
    for attempt in 0..TRIES {
        for places in rounds..=most {
            if seats % places > seats / 4 {
                continue;
            }
            let seed = u64::from(seats) << 32 | u64::from(places) << 16 | attempt;
            let mut stream = Stream::new(seed);
            let mut seated: Vec<u16> = (0..seats).collect();
            stream.shuffle(&mut seated);
            let mut base = Base::new(seats, (places, places), seated);
            if base.improve(STEPS_A_SEAT * u64::from(seats), &mut stream) {
                return Some((0..rounds).map(|turn| base.turned(turn)).collect());
            }
        }
    }
    None
}

impl Base {
    fn new(seats: u16, (places, digit): (u16, u16), seated: Vec<u16>) -> Self {
        let all = usize::from(seats) * usize::from(seats);
        let circles = seats / places;
        let mut base = Self { places, digit, circles, seats, seated, kinds: vec![0; all] };
        for seat in 0..base.seated.len() {
            for other in neighbours(seat).filter(|other| *other > seat) {
                let kind = base.kind(base.seated[seat], base.seated[other]);
                base.kinds[kind] += 1;
            }
        }
        base
    }

    fn place(&self, player: u16) -> Place {
        let circle = player / self.places;
        if circle < self.circles {
            Place::Circle { circle, at: player % self.places }
        } else {
            Place::Stays(player)
        }
    }

    /// One place and another, digit by digit.
    fn add(&self, one: u16, other: u16) -> u16 {
        let (mut sum, mut unit) = (0, 1);
        while unit < self.places {
            sum += (one / unit + other / unit) % self.digit * unit;
            unit *= self.digit;
        }
        sum
    }

    /// What added to a place gives the first one.
    fn back(&self, place: u16) -> u16 {
        let (mut sum, mut unit) = (0, 1);
        while unit < self.places {
            sum += (self.digit - place / unit % self.digit) % self.digit * unit;
            unit *= self.digit;
        }
        sum
    }

    /// The player who is that far on.
    fn turn(&self, player: u16, steps: u16) -> u16 {
        match self.place(player) {
            Place::Circle { circle, at } => circle * self.places + self.add(at, steps),
            Place::Stays(player) => player,
        }
    }

    /// Pairs of one kind are turned into each other: the pair with the first of its circle, as an
    /// index.
    fn kind(&self, one: u16, other: u16) -> usize {
        let index =
            |low: u16, high: u16| usize::from(low) * usize::from(self.seats) + usize::from(high);
        match (self.place(one), self.place(other)) {
            (Place::Stays(one), Place::Stays(other)) => index(one.min(other), one.max(other)),
            (Place::Stays(stays), Place::Circle { circle, .. })
            | (Place::Circle { circle, .. }, Place::Stays(stays)) => {
                index(circle * self.places, stays)
            }
            (Place::Circle { circle: a, at: from }, Place::Circle { circle: b, at: to }) => {
                let (low, high, from, to) =
                    if a <= b { (a, b, from, to) } else { (b, a, to, from) };
                let on = self.add(to, self.back(from));
                // Within a circle a step is its opposite from the other side.
                let on = if low == high { on.min(self.back(on)) } else { on };
                index(low * self.places, high * self.places + on)
            }
        }
    }

    /// How much worse one more pair of a kind is. Two who stay, and two opposite each other in a
    /// circle, would meet again by themselves.
    fn weight(&self, one: u16, other: u16) -> i64 {
        let again = match (self.place(one), self.place(other)) {
            (Place::Stays(_), Place::Stays(_)) => true,
            (Place::Circle { circle: a, at: from }, Place::Circle { circle: b, at: to }) => {
                a == b && self.add(to, self.back(from)) == self.add(from, self.back(to))
            }
            _ => false,
        };
        i64::from(again)
    }

    /// The change in cost where the pairs of two seats with their tables are put in (`up`) or out.
    fn count(&mut self, seat: usize, up: bool) -> i64 {
        let mut change = 0;
        for other in neighbours(seat) {
            let (one, two) = (self.seated[seat], self.seated[other]);
            let kind = self.kind(one, two);
            if up {
                change += i64::from(self.kinds[kind]) + self.weight(one, two);
                self.kinds[kind] += 1;
            } else {
                self.kinds[kind] -= 1;
                change -= i64::from(self.kinds[kind]) + self.weight(one, two);
            }
        }
        change
    }

    fn cost(&self) -> i64 {
        let mut cost: i64 =
            self.kinds.iter().map(|count| i64::from(*count) * (i64::from(*count) - 1) / 2).sum();
        for seat in 0..self.seated.len() {
            for other in neighbours(seat).filter(|other| *other > seat) {
                cost += self.weight(self.seated[seat], self.seated[other]);
            }
        }
        cost
    }

    /// Exchanges two seats of different tables; says what it costs more.
    fn exchange(&mut self, one: usize, other: usize) -> i64 {
        let out = self.count(one, false) + self.count(other, false);
        self.seated.swap(one, other);
        out + self.count(one, true) + self.count(other, true)
    }

    /// Whether a round without repeats was found.
    fn improve(&mut self, steps: u64, stream: &mut Stream) -> bool {
        let mut cost = self.cost();
        let mut cooling = Cooling::over(steps);
        while cost > 0 && cooling.goes_on() {
            let (one, other) = (stream.below(self.seated.len()), stream.below(self.seated.len()));
            if one / 4 == other / 4 {
                continue;
            }
            let worse = self.exchange(one, other);
            if cooling.takes(worse, stream) {
                cost += worse;
            } else {
                self.exchange(one, other);
            }
        }
        cost == 0
    }

    fn turned(&self, steps: u16) -> Round {
        let turn = |player: &u16| self.turn(*player, steps);
        self.seated
            .chunks_exact(4)
            .map(|table| [turn(&table[0]), turn(&table[1]), turn(&table[2]), turn(&table[3])])
            .collect()
    }
}

/// The other three seats of a seat's table.
fn neighbours(seat: usize) -> impl Iterator<Item = usize> {
    let table = seat / 4 * 4;
    (table..table + 4).filter(move |other| *other != seat)
}

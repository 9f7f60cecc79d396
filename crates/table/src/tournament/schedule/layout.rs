//! Rounds after the draw of numbers, or after others, by weights for every meeting. Heavier weights count
//! first: fixed tables, teams, repeated meetings, groups, meetings with reserves, and at last
//! places in the standings.

use sha2::{Digest, Sha256};

use super::{
    Number, Round, Schedule, Table, exact,
    random::Stream,
    search::{self, Beginning, Weights},
    winds,
};

/// The cost of players of different fixed tables at one table, or of one fixed table at two.
const FIXED: i64 = 1 << 45;
/// The cost of two of one team, or two reserves, at a table.
const TEAM: i64 = 1 << 41;
/// The cost of a repeated meeting.
const AGAIN: i64 = 1 << 34;
/// The cost of a meeting of two of one group.
const GROUP: i64 = 1 << 24;
/// The cost of a player meeting a reserve, for each reserve he had at his table before.
const RESERVE: i64 = 1 << 20;
/// The cost of each earlier meeting but the first of two who meet again, in rounds by the standings: fewer
/// repeated meetings count before it.
const OFTENER: i64 = GROUP / 2;
/// The extra cost of a round by the standings that the search accepts half the time at first, where it begins
/// with players of the nearest places.
const NEARBY: i64 = 1 << 12;
/// The largest number of partial tables that the exact search tries.
const STEPS: u64 = 1_000_000;

/// A seat to be filled.
#[derive(Clone, Debug, Default)]
pub(in crate::tournament) struct Guest {
    /// The number that sits there.
    pub(in crate::tournament) number: Option<Number>,
    /// Whether it is a reserve's seat.
    pub(in crate::tournament) reserve: bool,
    /// The team: players of one team never meet.
    pub(in crate::tournament) team: Option<usize>,
    /// The groups, one entry for each kind: players of one group are kept apart as far as possible.
    pub(in crate::tournament) groups: Vec<Option<usize>>,
    /// The table at which he always sits, from 1.
    pub(in crate::tournament) fixed: Option<u16>,
    /// The number of times he sat with a reserve.
    pub(in crate::tournament) with_reserves: u16,
}

/// The input of a layout.
pub(in crate::tournament) struct Layout<'a> {
    /// The seats to fill, a multiple of four; in rounds by the standings the best first, reserves last.
    pub(in crate::tournament) guests: &'a [Guest],
    /// The number of meetings of each pair, in the order of `guests`: a row for each.
    pub(in crate::tournament) met: &'a [u16],
    /// The rounds before.
    pub(in crate::tournament) earlier: &'a [Vec<Table>],
    /// The number of rounds.
    pub(in crate::tournament) rounds: u16,
    /// Whether players of similar places are to meet; otherwise as many as possible meet.
    pub(in crate::tournament) by_standings: bool,
    /// The seed of all random choices.
    pub(in crate::tournament) seed: &'a str,
}

/// Rounds that were laid out.
pub(in crate::tournament) struct LaidOut {
    pub(in crate::tournament) rounds: Vec<Vec<Table>>,
    /// Whether it is proven that no rounds that keep teams and fixed tables have fewer repeated meetings.
    pub(in crate::tournament) proven: bool,
}

impl Layout<'_> {
    fn seats(&self) -> usize {
        self.guests.len()
    }

    fn met(&self, one: usize, other: usize) -> u16 {
        let is_player = |guest: usize| !self.guests[guest].reserve;
        if is_player(one) && is_player(other) { self.met[one * self.seats() + other] } else { 0 }
    }

    /// The cost of two sitting together, whether or not they have met.
    fn apart(&self, one: usize, other: usize) -> i64 {
        let (a, b) = (&self.guests[one], &self.guests[other]);
        let mut cost = match (a.reserve, b.reserve) {
            (true, true) => TEAM,
            (true, false) => RESERVE * i64::from(b.with_reserves),
            (false, true) => RESERVE * i64::from(a.with_reserves),
            (false, false) => 0,
        };
        let mates = |guest: &Guest| {
            let same = |other: &&Guest| guest.fixed.is_some() && other.fixed == guest.fixed;
            self.guests.iter().filter(same).count() > 1
        };
        if a.fixed != b.fixed && ((a.fixed.is_some() && b.fixed.is_some()) || mates(a) || mates(b))
        {
            cost += FIXED;
        }
        if a.team.is_some() && a.team == b.team {
            cost += TEAM;
        }
        let groups = a.groups.iter().zip(&b.groups);
        cost + GROUP * groups.filter(|(one, other)| one.is_some() && one == other).count() as i64
    }

    fn matrix(&self, of: impl Fn(usize, usize) -> i64) -> Vec<i64> {
        let seats = self.seats();
        let at = |place: usize| (place / seats, place % seats);
        let pair = |(one, other): (usize, usize)| if one == other { 0 } else { of(one, other) };
        (0..seats * seats).map(|place| pair(at(place))).collect()
    }

    /// Lays the rounds out.
    pub(in crate::tournament) fn lay_out(&self) -> LaidOut {
        let apart = self.matrix(|one, other| self.apart(one, other));
        let mut stream = Stream::new(number_of(self.seed, self.earlier.len()));
        let (found, proven) = self.best_of_all(&apart, &mut stream).unwrap_or_else(|| {
            let found = self.search(&apart, &mut stream);
            self.prove(&apart, found, &mut stream)
        });
        LaidOut { rounds: self.seated(found), proven }
    }

    /// The best round by the standings there is, where there are so few that all can be tried.
    fn best_of_all(&self, apart: &[i64], stream: &mut Stream) -> Option<(Vec<Round>, bool)> {
        const FEW: usize = 16;
        let seats = self.seats();
        if !self.by_standings || self.rounds != 1 || seats > FEW {
            return None;
        }
        let costs = self.matrix(|one, other| {
            let times = i64::from(self.met(one, other));
            let again = if times == 0 { 0 } else { AGAIN + OFTENER * (times - 1) };
            let far = one.abs_diff(other) as i64;
            again + far * far + apart[one * seats + other]
        });
        // A good round first: dearer ones are not tried.
        let found = self.follow(apart, self.blocks(), (NEARBY, 1, 20), stream).0;
        let cost = cost_of(&costs, seats, found.first()?);
        let tried = exact::cheapest(&costs, seats, cost, STEPS);
        let best = tried.round.map_or(found, |round| vec![round]);
        tried.proven.then_some((best, true))
    }

    /// Rounds in which players of the nearest places meet, regardless of earlier meetings.
    fn blocks(&self) -> Vec<Round> {
        let table = |first: u16| std::array::from_fn(|seat| first + seat as u16);
        let round = |_| (0..self.seats() as u16).step_by(4).map(table).collect();
        (0..self.rounds).map(round).collect()
    }

    /// Searches from `from`, if there is something to begin with.
    fn follow(
        &self,
        apart: &[i64],
        from: Vec<Round>,
        (hot, cold, hurry): (i64, i64, u64),
        stream: &mut Stream,
    ) -> (Vec<Round>, i64) {
        let seats = self.seats();
        let meetings = (0..seats * seats)
            .map(|place| (place / seats, place % seats))
            .map(|(one, other)| if one < other { self.met(one, other) } else { 0 });
        let weights = Weights {
            again: AGAIN,
            oftener: if self.by_standings { OFTENER } else { AGAIN },
            apart: if apart.iter().any(|cost| *cost > 0) { apart.to_vec() } else { Vec::new() },
            places: if self.by_standings { (0..seats as u16).collect() } else { Vec::new() },
        };
        let begun = Beginning {
            rounds: from,
            meetings: meetings.collect(),
            all: u16::try_from(self.earlier.len()).unwrap_or(u16::MAX) + self.rounds,
            hot: hot.cast_unsigned(),
            cold: cold.cast_unsigned(),
            hurry,
        };
        search::follow(begun, seats as u16, self.rounds, weights, stream)
    }

    fn search(&self, apart: &[i64], stream: &mut Stream) -> Vec<Round> {
        let seats = self.seats();
        if self.by_standings {
            let near = self.follow(apart, self.blocks(), (NEARBY, 1, 1), stream);
            if self.heavy(apart, &near.0) == 0 {
                return near.0;
            }
            let far = self.follow(apart, self.blocks(), (AGAIN, 1, 1), stream);
            return if far.1 < near.1 { far.0 } else { near.0 };
        }
        let lightest = apart.iter().copied().filter(|cost| *cost > 0).min().unwrap_or(AGAIN);
        let sizes = (AGAIN / 2, (lightest.min(AGAIN) / 32).max(1), 1);
        // Nobody has met yet: the rounds in which nobody meets again, as far as there are some.
        let new = match Schedule::new(seats as u16, self.rounds) {
            Ok(schedule) if self.met.iter().all(|times| *times == 0) => {
                let index = |number: Number| number.0.saturating_sub(1);
                let rounds = schedule.rounds.iter();
                rounds.map(|round| round.iter().map(|table| table.map(index)).collect()).collect()
            }
            _ => Vec::new(),
        };
        self.follow(apart, new, sizes, stream).0
    }

    /// The cost of two meeting, in the weights that count before everything else.
    fn heaviest(&self, apart: &[i64], one: usize, other: usize) -> i64 {
        let again = if self.met(one, other) > 0 { AGAIN } else { 0 };
        again + apart[one * self.seats() + other] / TEAM * TEAM
    }

    /// The cost of rounds in the weights that count before everything else, including meetings within the rounds.
    fn heavy(&self, apart: &[i64], rounds: &[Round]) -> i64 {
        let seats = self.seats();
        let mut met = vec![false; seats * seats];
        let mut cost = 0;
        for table in rounds.iter().flatten() {
            for (seat, one) in table.iter().enumerate() {
                for other in &table[seat + 1..] {
                    let (one, other) = (usize::from(*one.min(other)), usize::from(*one.max(other)));
                    let own = self.heaviest(apart, one, other);
                    let before = std::mem::replace(&mut met[one * seats + other], true);
                    let both = !self.guests[one].reserve && !self.guests[other].reserve;
                    let again = before && both && self.met(one, other) == 0;
                    cost += own + if again { AGAIN } else { 0 };
                }
            }
        }
        cost
    }

    /// Equal or better rounds, and whether it is proven that no rounds have fewer repeated meetings.
    fn prove(&self, apart: &[i64], found: Vec<Round>, stream: &mut Stream) -> (Vec<Round>, bool) {
        let heavy = self.heavy(apart, &found);
        if self.rounds > 1 || (!self.by_standings && heavy == 0) {
            return (found, heavy <= self.least_again());
        }
        let seats = self.seats();
        let heaviest = self.matrix(|one, other| self.heaviest(apart, one, other));
        if heavy <= exact::bound(&heaviest, seats) {
            return (found, true);
        }
        let tried = exact::cheapest(&heaviest, seats, heavy, STEPS);
        match tried.round {
            // Lighter weights are improved from there on; no heavy cost comes back.
            Some(round) => {
                (self.follow(apart, vec![round], (RESERVE, 1, 1), stream).0, tried.proven)
            }
            None => (found, tried.proven),
        }
    }

    /// The least cost of repeated meetings by counting: everybody meets three in a round, and only a limited
    /// number of others is new to him.
    fn least_again(&self) -> i64 {
        let reserves = self.guests.iter().filter(|guest| guest.reserve).count();
        let in_a_round = 3_usize.saturating_sub(reserves);
        let players = (0..self.seats()).filter(|one| !self.guests[*one].reserve);
        let missing = |one: usize| {
            let new = players.clone().filter(|other| *other != one && self.met(one, *other) == 0);
            (in_a_round * usize::from(self.rounds)).saturating_sub(new.count())
        };
        let all: usize = players.clone().map(missing).sum();
        AGAIN * all.div_ceil(2) as i64
    }

    /// The rounds with numbers, tables in their order, winds dealt.
    fn seated(&self, found: Vec<Round>) -> Vec<Vec<Table>> {
        let ordered: Vec<Round> = found.into_iter().map(|round| self.in_order(round)).collect();
        let number = |number: Number| {
            let guest = self.guests.get(number.index());
            guest.and_then(|guest| guest.number).unwrap_or(number)
        };
        let dealt = winds::dealt(&ordered).into_iter();
        let dealt = dealt.map(|round| round.into_iter().map(|table| table.map(number)).collect());
        winds::evened(self.earlier, dealt.collect())
    }

    /// Tables by the standings, the best first; those of fixed tables at theirs.
    fn in_order(&self, mut round: Round) -> Round {
        if self.by_standings {
            round.sort_by_key(|table| table.iter().map(|place| u32::from(*place)).sum::<u32>());
        }
        let fixed = |table: &[u16; 4]| {
            let at = table.iter().find_map(|guest| self.guests[usize::from(*guest)].fixed);
            at.map(|table| usize::from(table) - 1)
        };
        let (at_theirs, others): (Round, Round) =
            round.iter().copied().partition(|table| fixed(table).is_some());
        let mut places = vec![None; round.len()];
        let mut left: Round = Vec::new();
        for table in at_theirs {
            match fixed(&table).and_then(|at| places.get_mut(at)) {
                Some(place @ None) => *place = Some(table),
                _ => left.push(table),
            }
        }
        let mut rest = others.into_iter().chain(left);
        let filled = places.into_iter().map(|place| place.or_else(|| rest.next()));
        filled.flatten().collect()
    }
}

fn cost_of(costs: &[i64], seats: usize, round: &Round) -> i64 {
    let pairs = |table: &[u16; 4]| -> i64 {
        let table = table.map(usize::from);
        (0..4)
            .flat_map(|one| (one + 1..4).map(move |other| (one, other)))
            .map(|(one, other)| costs[table[one] * seats + table[other]])
            .sum()
    };
    round.iter().map(pairs).sum()
}

/// The random seed for the rounds after `earlier` others.
fn number_of(seed: &str, earlier: usize) -> u64 {
    let digest =
        Sha256::new().chain_update(seed).chain_update([0]).chain_update(earlier.to_le_bytes());
    let digest = digest.finalize();
    u64::from_le_bytes(std::array::from_fn(|byte| digest[byte]))
}

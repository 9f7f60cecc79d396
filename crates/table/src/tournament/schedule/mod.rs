//! The seating of every round: numbers at tables, before lots decide which player has which
//! number (chumchu, Tournament set-up).
//!
//! As many as possible meet: constructions without a repeated meeting where there is one, a local
//! search elsewhere. The result depends on the two sizes alone, unless more is asked for: then also on
//! the groups kept apart, the standings, and a seed. Winds are dealt exactly: in each block of four rounds
//! everybody begins once in every wind.

mod bound;
mod designs;
mod exact;
mod layout;
mod quality;
mod random;
mod search;
mod transversal;
mod winds;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub(super) use self::layout::{Guest, LaidOut, Layout};
pub use self::{
    bound::{MostRounds, Why},
    quality::{Quality, WindCounts},
};

/// A player's number, from 1.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(transparent)]
pub struct Number(pub u16);

impl Number {
    /// The number of the player at an index, from 0.
    pub(super) const fn at(index: u16) -> Self {
        Self(index + 1)
    }

    /// Its index, from 0.
    pub(super) const fn index(self) -> usize {
        self.0.saturating_sub(1) as usize
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A table in one round: who begins as East, South, West, North.
pub type Table = [Number; 4];

/// One round before winds are dealt: indices from 0.
type Round = Vec<[u16; 4]>;

/// Tables of every round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec<Table>>", into = "Vec<Vec<Table>>")]
pub struct Schedule {
    rounds: Vec<Vec<Table>>,
}

/// Why there is no such schedule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ScheduleError {
    /// Too few, too many, or not four to a table.
    #[error("{0} seats: a schedule needs a multiple of four, from 4 to {most}", most = Schedule::MOST_SEATS)]
    Seats(u16),
    /// No rounds, or too many.
    #[error("{0} rounds: a schedule has 1 to {most}", most = Schedule::MOST_ROUNDS)]
    Rounds(u16),
    /// A round in which a number sits twice, or that no schedule has.
    #[error("round {round}: number {number} sits twice, or is not from 1 to {most}", most = Schedule::MOST_SEATS)]
    Twice {
        /// The round, from 1.
        round: usize,
        /// The player's number.
        number: u16,
    },
}

impl Schedule {
    /// The most seats: 250 tables.
    pub const MOST_SEATS: u16 = 1000;
    /// The most rounds.
    pub const MOST_ROUNDS: u16 = 100;
    /// The largest number of seats for which random rounds are tried: three tables.
    const FEW: u16 = 12;
    /// The number of random schedules tried for so few seats.
    const TRIES: usize = 12_000;

    /// A schedule in which as few as possible meet again.
    ///
    /// ```
    /// use tilelens_table::tournament::Schedule;
    /// let quality = Schedule::new(16, 5).unwrap().quality(16);
    /// assert_eq!((quality.repeated, quality.never_met), (0, 0));
    /// ```
    ///
    /// # Errors
    /// Where the seats are no multiple of four, or either size is out of bounds.
    pub fn new(seats: u16, rounds: u16) -> Result<Self, ScheduleError> {
        if seats == 0 || !seats.is_multiple_of(4) || seats > Self::MOST_SEATS {
            return Err(ScheduleError::Seats(seats));
        }
        if rounds == 0 || rounds > Self::MOST_ROUNDS {
            return Err(ScheduleError::Rounds(rounds));
        }
        let mut found = without_repeats(seats, rounds);
        if found.len() < usize::from(rounds) {
            found = designs::at_most_twice(seats, rounds)
                .unwrap_or_else(|| search::complete(&found, seats, rounds));
        }
        let found = Self { rounds: winds::dealt(&found) };
        Ok(if seats <= Self::FEW { found.or_a_lucky_one(seats, rounds) } else { found })
    }

    /// Two or three tables: the searches look for meetings spread evenly, and so few seats let luck
    /// do better where as many as possible are to meet at all; nobody meets anybody oftener for it.
    fn or_a_lucky_one(self, seats: u16, rounds: u16) -> Self {
        let mut stream = random::Stream::new(u64::from(seats) << 16 | u64::from(rounds));
        let lucky = (0..Self::TRIES / usize::from(rounds)).map(|_| {
            let round = || {
                let mut order: Vec<u16> = (0..seats).collect();
                stream.shuffle(&mut order);
                order.chunks_exact(4).map(|four| std::array::from_fn(|seat| four[seat])).collect()
            };
            let found: Vec<Round> =
                std::iter::repeat_with(round).take(usize::from(rounds)).collect();
            Self { rounds: winds::dealt(&found) }
        });
        let worst = |schedule: &Self| {
            let quality = schedule.quality(seats);
            (quality.pairs_by_meetings.len(), quality.repeated)
        };
        // Of equal ones the first, which is the searched one.
        std::iter::once(self.clone()).chain(lucky).min_by_key(worst).unwrap_or(self)
    }

    /// Tables of each round, each as who begins East, South, West, North.
    pub fn rounds(&self) -> &[Vec<Table>] {
        &self.rounds
    }

    /// These rounds, as they were laid out.
    pub(super) const fn of(rounds: Vec<Vec<Table>>) -> Self {
        Self { rounds }
    }

    /// The highest number that sits anywhere: how many seats there are, where nobody left.
    pub fn seats(&self) -> u16 {
        self.rounds.iter().flatten().flatten().map(|number| number.0).max().unwrap_or(0)
    }

    /// The place of a number in a round (from 0): the table and the seat, from 0.
    pub fn place(&self, round: usize, number: Number) -> Option<(usize, usize)> {
        self.rounds.get(round)?.iter().enumerate().find_map(|(table, seats)| {
            Some((table, seats.iter().position(|seat| *seat == number)?))
        })
    }

    /// The quality for the first `players` numbers; the others are reserves' seats.
    pub fn quality(&self, players: u16) -> Quality {
        let player = |number: Number| (number.0 <= players).then_some(number);
        let tables = self.rounds.iter().flatten();
        Quality::of(tables.map(|table| table.map(player)), usize::from(players))
    }
}

/// Rounds in which nobody meets anybody twice, as many of `rounds` as the constructions give.
fn without_repeats(seats: u16, rounds: u16) -> Vec<Round> {
    let transversal = transversal::rounds(seats, rounds);
    if transversal.len() == usize::from(rounds) {
        return transversal;
    }
    let mut design = designs::rounds(seats);
    design.truncate(rounds.into());
    if design.len() > transversal.len() { design } else { transversal }
}

impl TryFrom<Vec<Vec<Table>>> for Schedule {
    type Error = ScheduleError;

    fn try_from(rounds: Vec<Vec<Table>>) -> Result<Self, ScheduleError> {
        let count = u16::try_from(rounds.len()).unwrap_or(u16::MAX);
        if count == 0 || count > Self::MOST_ROUNDS {
            return Err(ScheduleError::Rounds(count));
        }
        for (index, round) in rounds.iter().enumerate() {
            let seats = u16::try_from(round.len().saturating_mul(4)).unwrap_or(u16::MAX);
            if seats == 0 || seats > Self::MOST_SEATS {
                return Err(ScheduleError::Seats(seats));
            }
            let mut sits = [false; Self::MOST_SEATS as usize];
            for number in round.iter().flatten() {
                match sits.get_mut(usize::from(number.0).wrapping_sub(1)) {
                    Some(sits @ false) => *sits = true,
                    _ => return Err(ScheduleError::Twice { round: index + 1, number: number.0 }),
                }
            }
        }
        Ok(Self { rounds })
    }
}

impl From<Schedule> for Vec<Vec<Table>> {
    fn from(schedule: Schedule) -> Self {
        schedule.rounds
    }
}

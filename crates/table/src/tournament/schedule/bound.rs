//! How many rounds there can be before two have to meet again, and why there can be no more.

use serde::Serialize;

use super::without_repeats;

/// Why there can be no more rounds without a repeated meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Every round brings three others, and all have been met.
    Counting,
    /// With fewer than four tables, two of each table have just sat together.
    FewTables,
    /// Counting would allow one more, and a proof says that there is none: no resolvable
    /// group-divisible design of tables of four has ten groups of two (Handbook of Combinatorial
    /// Designs, 2nd edition, IV.5.4).
    NoDesign,
}

/// The rounds without a repeated meeting: how many there can be, and how many a schedule has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MostRounds {
    /// The largest possible number of rounds.
    pub at_most: u16,
    /// The reason.
    pub why: Why,
    /// The number of rounds that the constructions here give.
    pub reached: u16,
}

impl MostRounds {
    /// The rounds for a number of seats, a multiple of four.
    ///
    /// ```
    /// use tilelens_table::tournament::{MostRounds, Why};
    /// let most = MostRounds::of(32);
    /// assert_eq!((most.at_most, most.why, most.reached), (10, Why::Counting, 10));
    /// ```
    pub fn of(seats: u16) -> Self {
        let (at_most, why) = match seats {
            8 | 12 => (1, Why::FewTables),
            20 => (5, Why::NoDesign),
            _ => (seats.saturating_sub(1) / 3, Why::Counting),
        };
        let reached = without_repeats(seats, at_most).len();
        Self { at_most, why, reached: u16::try_from(reached).unwrap_or(at_most) }
    }
}

//! The quality of a schedule: repeated and missing meetings, and the winds in which each player begins.

use serde::Serialize;

use super::Number;

/// The number of times a player begins as East, South, West, North.
pub type WindCounts = [u16; 4];

/// The quality of a schedule for its players; reserves' seats do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Quality {
    /// The number of meetings of two who had met before.
    pub repeated: usize,
    /// The fewest repeated meetings that any schedule can have by counting alone; perhaps no schedule
    /// reaches it.
    pub repeated_at_least: usize,
    /// The number of pairs who never meet.
    pub never_met: usize,
    /// The number of pairs that meet 0, 1, 2, … times.
    pub pairs_by_meetings: Vec<usize>,
    /// The winds of each player, in the order of numbers.
    pub winds: Vec<WindCounts>,
    /// The largest difference, over players, between the winds one begins in most and least often.
    pub wind_spread: u16,
}

impl Quality {
    /// The quality of tables, each with its players; `None` at a reserve's seat.
    pub(in crate::tournament) fn of(
        tables: impl IntoIterator<Item = [Option<Number>; 4]>,
        players: usize,
    ) -> Self {
        let mut meetings = vec![0_usize; players * players];
        let mut winds = vec![WindCounts::default(); players];
        let mut met = 0_usize;
        for seats in tables {
            for (wind, one) in seats.iter().enumerate() {
                let Some(one) = one else { continue };
                winds[one.index()][wind] += 1;
                for other in seats[wind + 1..].iter().flatten() {
                    let (low, high) =
                        (one.index().min(other.index()), one.index().max(other.index()));
                    meetings[low * players + high] += 1;
                    met += 1;
                }
            }
        }
        let mut pairs_by_meetings = vec![0; 1];
        for low in 0..players {
            for times in &meetings[low * players + low + 1..(low + 1) * players] {
                if pairs_by_meetings.len() <= *times {
                    pairs_by_meetings.resize(times + 1, 0);
                }
                pairs_by_meetings[*times] += 1;
            }
        }
        let repeated = pairs_by_meetings
            .iter()
            .enumerate()
            .map(|(times, pairs)| times.saturating_sub(1) * pairs)
            .sum();
        let spread = |counts: &WindCounts| {
            counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0)
        };
        Self {
            repeated,
            repeated_at_least: met.saturating_sub(players * players.saturating_sub(1) / 2),
            never_met: pairs_by_meetings[0],
            wind_spread: winds.iter().map(spread).max().unwrap_or(0),
            winds,
            pairs_by_meetings,
        }
    }
}

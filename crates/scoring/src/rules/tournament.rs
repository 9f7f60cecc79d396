//! The `[tournament]` table of a rule file: how sessions at several tables become standings.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{RuleFileError, file::line_of};
use crate::points::Points;

/// The way level players share the places that they have together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The mean of these places.
    #[default]
    Share,
    /// A place each, in the order of the seats in which they began.
    SeatOrder,
}

impl Level {
    /// The share of each player in the values of places, by their points, in their order.
    ///
    /// ```
    /// use tilelens_scoring::{points::Points, rules::Level};
    /// let [places, points] = [[4, 2, 1, 0], [30, 5, 5, -40]].map(|all| all.map(Points::whole));
    /// let shared = Level::Share.share(&places, points).map(|points| points.to_string());
    /// assert_eq!(shared, ["4", "3/2", "3/2", "0"]);
    /// assert_eq!(Level::SeatOrder.share(&places, points), places);
    /// ```
    pub fn share<const N: usize>(self, places: &[Points; N], points: [Points; N]) -> [Points; N] {
        std::array::from_fn(|player| {
            let own = points[player];
            let better = points.iter().filter(|other| **other > own).count();
            let level = points.iter().filter(|other| **other == own).count();
            match self {
                Self::Share => {
                    let worth = places.iter().copied().skip(better).take(level);
                    Points::mean(worth).unwrap_or_default()
                }
                Self::SeatOrder => {
                    let before = points[..player].iter().filter(|other| **other == own).count();
                    places[better + before]
                }
            }
        })
    }
}

fn is_share(level: &Level) -> bool {
    *level == Level::Share
}

/// A key by which players are ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RankBy {
    /// Points and placement bonus, less penalties.
    Total,
    /// Table points.
    TablePoints,
    /// Points won and lost, less penalties.
    Points,
    /// Placement bonus.
    Bonus,
}

fn by_total(ranking: &[RankBy]) -> bool {
    ranking == [RankBy::Total]
}

fn are_none(places: &[Points; 4]) -> bool {
    *places == [Points::ZERO; 4]
}

/// The rules for a tournament's sessions and standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentRules {
    /// The points of first to fourth place at a table beside their scores; level players share the mean
    /// of their places.
    pub bonus: [Points; 4],
    /// The way level players share bonus and table points.
    #[serde(skip_serializing_if = "is_share")]
    pub level: Level,
    /// The table points of first to fourth place at a table, which are ranked apart from points.
    #[serde(skip_serializing_if = "are_none")]
    pub table_points: [Points; 4],
    /// The keys by which players are ranked; the second decides between players level by the first, and
    /// so on.
    #[serde(skip_serializing_if = "by_total")]
    pub ranking: Vec<RankBy>,
    /// The number of deals in a whole session.
    pub deals: u32,
    /// The planned minutes from one session's start to the next one's.
    pub minutes: u32,
    /// The minutes after the start from which a missing player is replaced by a reserve.
    pub late_minutes: u32,
}

impl Default for TournamentRules {
    /// The default tournament: points alone, sessions of 16 deals in two hours.
    fn default() -> Self {
        Self {
            bonus: [Points::ZERO; 4],
            level: Level::Share,
            table_points: [Points::ZERO; 4],
            ranking: vec![RankBy::Total],
            deals: 16,
            minutes: 120,
            late_minutes: 10,
        }
    }
}

impl TournamentRules {
    /// Whether places at a table are worth table points.
    pub fn has_table_points(&self) -> bool {
        !are_none(&self.table_points)
    }
}

impl TournamentRules {
    /// Checks the values for contradictions. `clock_minutes`: of the session, where it has a clock.
    pub(super) fn check(
        &self,
        text: &str,
        clock_minutes: Option<u32>,
    ) -> Result<(), RuleFileError> {
        let wrong = |key: &str, problem: &str| {
            Err(RuleFileError::Key {
                line: line_of(text, key),
                key: format!("tournament.{key}"),
                problem: problem.to_owned(),
            })
        };
        for (key, places) in [("bonus", &self.bonus), ("table_points", &self.table_points)] {
            if places.iter().any(|worth| worth.abs() > Points::whole(1_000_000)) {
                return wrong(key, "is more than a million");
            }
            if !places.is_sorted_by(|higher, lower| higher >= lower) {
                return wrong(key, "names first to fourth place, falling");
            }
        }
        let twice = |place: usize| self.ranking[..place].contains(&self.ranking[place]);
        if self.ranking.is_empty() || (0..self.ranking.len()).any(twice) {
            return wrong("ranking", "names keys, the first one first, each once");
        }
        if self.ranking.contains(&RankBy::TablePoints) && !self.has_table_points() {
            return wrong("ranking", "names table_points, and there are none");
        }
        if !(1..=100).contains(&self.deals) {
            return wrong("deals", "must be 1 to 100");
        }
        if !(1..=24 * 60).contains(&self.minutes) {
            return wrong("minutes", "must be 1 to 1440");
        }
        if self.late_minutes > self.minutes {
            return wrong("late_minutes", "is longer than a session");
        }
        if clock_minutes.is_some_and(|clock| clock > self.minutes) {
            return wrong("minutes", "is shorter than session.clock_minutes");
        }
        Ok(())
    }

    /// The section of a rule set's page. `placed`: the session already gives the values of places.
    pub(super) fn write_page(&self, page: &mut String, placed: bool) -> std::fmt::Result {
        let mixed = |places: &[Points; 4]| places.map(Points::mixed).join(", ");
        let level = match self.level {
            Level::Share => "players level share the mean",
            Level::SeatOrder => "of players level the first in the seats of the first deal",
        };
        writeln!(page, "## Tournament\n")?;
        if self.has_table_points() {
            let points = mixed(&self.table_points);
            writeln!(page, "- Table points, first to fourth: {points}; {level}.")?;
        }
        if placed {
            writeln!(page, "- Placement bonus: as at the end of a session.")?;
        } else if !self.has_table_points() || !are_none(&self.bonus) {
            writeln!(page, "- Placement bonus, first to fourth: {}; {level}.", mixed(&self.bonus))?;
        }
        if !by_total(&self.ranking) {
            let keys: Vec<&str> = (self.ranking.iter())
                .map(|key| match key {
                    RankBy::Total => "points and placement bonus, less penalties",
                    RankBy::TablePoints => "table points",
                    RankBy::Points => "points, less penalties",
                    RankBy::Bonus => "placement bonus",
                })
                .collect();
            writeln!(page, "- Ranked by {}.", keys.join(", then "))?;
        }
        writeln!(
            page,
            "- A session is {} deals and planned for {} minutes; who is {} minutes late is replaced.\n",
            self.deals, self.minutes, self.late_minutes
        )
    }
}

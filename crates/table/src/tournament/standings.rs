//! Standings: earned points and placement bonus of all sessions, less point penalties (chumchu, How
//! to win, Penalties), and table points where places are worth some (the Mahjong Competition Rules):
//! ranked as the format says.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Number, Sitter, Tournament, TournamentError};
use crate::{name::Name, points::Points, rules::RankBy};

/// A session of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionResult {
    /// Points won and lost at the table.
    pub earned: Points,
    /// Placement bonus.
    pub bonus: Points,
    /// Table points, where places are worth some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_points: Option<Points>,
    /// Whether a reserve played instead; then both are 0.
    pub absent: bool,
}

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    /// 1 for the first; level players share it. `None` for a disqualified player.
    pub rank: Option<usize>,
    /// The player's number.
    pub number: Number,
    /// The player.
    pub name: Name,
    /// Each round's session; `None` where there is no result yet.
    pub sessions: Vec<Option<SessionResult>>,
    /// Earned points of all sessions.
    pub earned: Points,
    /// Placement bonus of all sessions.
    pub bonus: Points,
    /// Table points of all sessions, where places are worth some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_points: Option<Points>,
    /// The cost of point penalties.
    pub penalty: Points,
    /// Earned points and bonus, less penalties.
    pub total: Points,
    /// Whether the player is disqualified, and so not ranked.
    pub disqualified: bool,
}

/// The sums of several sessions of a player or a team.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    pub(super) earned: Points,
    pub(super) bonus: Points,
    pub(super) table_points: Option<Points>,
    pub(super) penalty: Points,
}

impl Sums {
    /// The value by which they are ranked.
    pub(super) fn key(&self, by: RankBy) -> Points {
        match by {
            RankBy::Total => self.total(),
            RankBy::TablePoints => self.table_points.unwrap_or_default(),
            RankBy::Points => self.earned - self.penalty,
            RankBy::Bonus => self.bonus,
        }
    }

    pub(super) fn total(&self) -> Points {
        self.earned + self.bonus - self.penalty
    }
}

impl Standing {
    pub(super) const fn sums(&self) -> Sums {
        let Self { earned, bonus, table_points, penalty, .. } = *self;
        Sums { earned, bonus, table_points, penalty }
    }

    /// The value by which a player is ranked.
    fn key(&self, by: RankBy) -> Points {
        self.sums().key(by)
    }
}

impl Tournament {
    /// The results of the four at a table, in the order of its seats; `None` where there is no result
    /// yet. A reserve takes a place and its bonus away from the others, but counts for nobody.
    ///
    /// # Errors
    /// Where there is no such table.
    pub fn sessions(
        &self,
        round: usize,
        table: usize,
    ) -> Result<Option<[SessionResult; 4]>, TournamentError> {
        let sitters = self.table(round, table)?;
        let Some(earned) = self.results.get(&(round, table)) else { return Ok(None) };
        let bonus = self.format.placement_bonus(*earned);
        let table_points = self.format.table_points(*earned);
        Ok(Some(std::array::from_fn(|seat| match sitters[seat] {
            Sitter::Player(_) => {
                let table_points = table_points.map(|points| points[seat]);
                SessionResult {
                    earned: earned[seat],
                    bonus: bonus[seat],
                    table_points,
                    absent: false,
                }
            }
            Sitter::Reserve { .. } => {
                let table_points = table_points.map(|_| Points::ZERO);
                SessionResult {
                    earned: Points::ZERO,
                    bonus: Points::ZERO,
                    table_points,
                    absent: true,
                }
            }
        })))
    }

    /// All players, the best first; disqualified ones last.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn standings(&self) -> Result<Vec<Standing>, TournamentError> {
        let seating = self.seated()?;
        let rounds = seating.schedule.rounds();
        let mut sessions = vec![vec![None; rounds.len()]; seating.numbers.len()];
        for (round, tables) in rounds.iter().enumerate() {
            for (table, seats) in tables.iter().enumerate() {
                let Some(four) = self.sessions(round + 1, table + 1)? else { continue };
                for (number, session) in seats.iter().zip(four) {
                    // A seat was a reserve's before somebody joined and took its number.
                    let name = seating.numbers.get(number.index());
                    let first = name.and_then(|name| self.joined_in.get(name));
                    if first.is_some_and(|first| *first > round + 1) {
                        continue;
                    }
                    if let Some(own) = sessions.get_mut(number.index()) {
                        own[round] = Some(session);
                    }
                }
            }
        }
        let mut standings: Vec<Standing> = seating
            .numbers
            .iter()
            .zip(sessions)
            .zip(1..)
            .map(|((name, sessions), number)| {
                let all =
                    |part: fn(&SessionResult) -> Points| sessions.iter().flatten().map(part).sum();
                let earned: Points = all(|session| session.earned);
                let bonus: Points = all(|session| session.bonus);
                let table_points: Points =
                    sessions.iter().flatten().filter_map(|session| session.table_points).sum();
                let penalty = self.penalty_cost(name);
                Standing {
                    rank: None,
                    number: Number(number),
                    name: name.clone(),
                    earned,
                    bonus,
                    table_points: self.format.rules.has_table_points().then_some(table_points),
                    penalty,
                    total: earned + bonus - penalty,
                    disqualified: self.disqualified.contains_key(name),
                    sessions,
                }
            })
            .collect();
        let ranking = &self.format.rules.ranking;
        let keys = |standing: &Standing| -> Vec<Points> {
            ranking.iter().map(|by| standing.key(*by)).collect()
        };
        standings.sort_by(|one, other| {
            let worse = one.disqualified.cmp(&other.disqualified);
            let by_keys = || keys(other).cmp(&keys(one));
            worse.then_with(by_keys).then_with(|| one.number.cmp(&other.number))
        });
        let mut rank = 0;
        for place in 0..standings.len() {
            if place == 0 || keys(&standings[place]) != keys(&standings[place - 1]) {
                rank = place + 1;
            }
            standings[place].rank = (!standings[place].disqualified).then_some(rank);
        }
        Ok(standings)
    }
}

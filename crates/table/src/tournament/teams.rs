//! Teams: the sums of their players.

use serde::Serialize;

use super::{Tournament, TournamentError, roster::is_same, standings::Sums};
use crate::{name::Name, points::Points};

/// A team in the standings of teams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TeamStanding {
    /// 1 for the first; teams level share it.
    pub rank: usize,
    /// The team's name.
    pub team: String,
    /// Its players, the best first. A disqualified player's points do not count.
    pub players: Vec<Name>,
    /// Earned points of all.
    pub earned: Points,
    /// Placement bonus of all.
    pub bonus: Points,
    /// Table points of all, where places are worth some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_points: Option<Points>,
    /// The cost of point penalties.
    pub penalty: Points,
    /// Earned points and bonus, less penalties.
    pub total: Points,
}

impl Tournament {
    /// All teams, the best first: the sums of their players, ranked as players are.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn team_standings(&self) -> Result<Vec<TeamStanding>, TournamentError> {
        let mut teams: Vec<(String, Vec<Name>, Sums)> = Vec::new();
        for standing in self.standings()? {
            let Some(team) = self.roster.about(&standing.name).map(|about| about.team.as_str())
            else {
                continue;
            };
            if team.is_empty() {
                continue;
            }
            let at = teams.iter().position(|(known, ..)| is_same(known, team));
            let at = at.unwrap_or_else(|| {
                // Spelt as by the first entered player.
                let all = self.roster.entrants().iter().map(|entrant| &entrant.about.team);
                let called = all.into_iter().find(|other| is_same(other, team));
                let called = called.map_or_else(|| team.to_owned(), Clone::clone);
                teams.push((called, Vec::new(), Sums::default()));
                teams.len() - 1
            });
            let (_, players, sums) = &mut teams[at];
            players.push(standing.name.clone());
            let own = standing.sums();
            let counts = !standing.disqualified;
            let of = |points: Points| if counts { points } else { Points::ZERO };
            sums.earned += of(own.earned);
            sums.bonus += of(own.bonus);
            sums.penalty += of(own.penalty);
            sums.table_points =
                own.table_points.map(|points| sums.table_points.unwrap_or_default() + of(points));
        }
        let ranking = &self.format.rules.ranking;
        let keys =
            |sums: &Sums| -> Vec<Points> { ranking.iter().map(|by| sums.key(*by)).collect() };
        teams.sort_by(|one, other| keys(&other.2).cmp(&keys(&one.2)).then(one.0.cmp(&other.0)));
        let rank =
            |sums: &Sums| 1 + teams.iter().filter(|(.., other)| keys(other) > keys(sums)).count();
        let ranks: Vec<usize> = teams.iter().map(|(.., sums)| rank(sums)).collect();
        Ok(teams
            .into_iter()
            .zip(ranks)
            .map(|((team, players, sums), rank)| TeamStanding {
                rank,
                team,
                players,
                earned: sums.earned,
                bonus: sums.bonus,
                table_points: sums.table_points,
                penalty: sums.penalty,
                total: sums.total(),
            })
            .collect())
    }
}

//! Standings: earned points and placement bonus of all sessions, less point penalties (chumchu, How
//! to win, Penalties).

use serde::Serialize;

use super::{Number, Refusal, Sitter, Tournament};
use crate::{name::Name, points::Points};

/// A session of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Session {
    /// Won and lost at the table.
    pub earned: Points,
    /// Placement bonus.
    pub bonus: Points,
    /// Whether a reserve played instead; then both are 0.
    pub absent: bool,
}

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// 1 for the first; players level share it. None for a disqualified player.
    pub rank: Option<usize>,
    /// The player's number.
    pub number: Number,
    /// The player.
    pub name: Name,
    /// Each round's session; none where there is no result yet.
    pub sessions: Vec<Option<Session>>,
    /// Earned points of all sessions.
    pub earned: Points,
    /// Placement bonus of all sessions.
    pub bonus: Points,
    /// What point penalties cost.
    pub penalty: Points,
    /// Earned points and bonus, less penalties.
    pub total: Points,
    /// Whether the player is disqualified, and so not ranked.
    pub disqualified: bool,
}

impl Tournament {
    /// What the four at a table got, in the order of its seats; `None` where there is no result
    /// yet. A reserve takes a place and its bonus away from the others, but counts for nobody.
    ///
    /// # Errors
    /// Where there is no such table.
    pub fn sessions(&self, round: usize, table: usize) -> Result<Option<[Session; 4]>, Refusal> {
        let sitters = self.table(round, table)?;
        let Some(earned) = self.results.get(&(round, table)) else { return Ok(None) };
        let bonus = self.format.placement_bonus(*earned);
        Ok(Some(std::array::from_fn(|seat| match sitters[seat] {
            Sitter::Player(_) => {
                Session { earned: earned[seat], bonus: bonus[seat], absent: false }
            }
            Sitter::Reserve { .. } => {
                Session { earned: Points::ZERO, bonus: Points::ZERO, absent: true }
            }
        })))
    }

    /// All players, the best first; disqualified ones last.
    ///
    /// # Errors
    /// Where players are not seated yet.
    pub fn standings(&self) -> Result<Vec<Standing>, Refusal> {
        let seating = self.seated()?;
        let rounds = seating.schedule.rounds();
        let mut sessions = vec![vec![None; rounds.len()]; seating.numbers.len()];
        for (round, tables) in rounds.iter().enumerate() {
            for (table, seats) in tables.iter().enumerate() {
                let Some(four) = self.sessions(round + 1, table + 1)? else { continue };
                for (number, session) in seats.iter().zip(four) {
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
                let all = |part: fn(&Session) -> Points| sessions.iter().flatten().map(part).sum();
                let earned: Points = all(|session| session.earned);
                let bonus: Points = all(|session| session.bonus);
                let penalty = self.penalty_cost(name);
                Standing {
                    rank: None,
                    number: Number(number),
                    name: name.clone(),
                    earned,
                    bonus,
                    penalty,
                    total: earned + bonus - penalty,
                    disqualified: self.disqualified.contains_key(name),
                    sessions,
                }
            })
            .collect();
        standings.sort_by(|one, other| {
            (one.disqualified, other.total, one.number).cmp(&(
                other.disqualified,
                one.total,
                other.number,
            ))
        });
        let mut rank = 0;
        for place in 0..standings.len() {
            if place == 0 || standings[place].total != standings[place - 1].total {
                rank = place + 1;
            }
            standings[place].rank = (!standings[place].disqualified).then_some(rank);
        }
        Ok(standings)
    }
}

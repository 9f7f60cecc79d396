//! The values of a tournament: those of the rule set that is played, and, where it has no tournament
//! rules, of one that has.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    points::Points,
    rules::{AfterTime, HandicapRules, PenaltyRules, RuleSet, SessionRules, TournamentRules},
};

/// The values of a tournament's rules. A tournament's log holds those it was begun with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Format {
    /// The rule set whose way of running a tournament it is.
    pub id: String,
    /// Placement bonus, sessions.
    #[serde(flatten)]
    pub rules: TournamentRules,
    /// Every player's points at the start of a session; subtracted from entered scores.
    pub starting_points: Points,
    /// The length of a session's clock in minutes.
    pub clock_minutes: u32,
    /// The play that is allowed after that.
    pub after_time: AfterTime,
    /// Point penalties.
    pub penalties: PenaltyRules,
    /// Whether new players have a minimum of their own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub handicap: bool,
    /// The number of wins after which a new player's minimum is everybody's; `None` in logs without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub full_after: Option<u32>,
}

/// Why no tournament can be run by the given rule set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoFormat {
    /// It says nothing of tournaments.
    #[error("{0} says nothing of tournaments: a rule file with a `[tournament]` table is needed")]
    Silent(String),
    /// Tables under it are not kept yet.
    #[error("a tournament under `{0}` is not kept yet, nor is a table: choose another rule set")]
    NotKept(String),
    /// It is played by three.
    #[error(
        "tournaments seat four at a table, and `{0}` is played by three: keep its tables one by one (tilelens table new), or choose another rule set"
    )]
    Three(String),
}

impl Format {
    /// The usual format for sessions of `played`: its own clock and penalties, and missing values from
    /// `like`.
    ///
    /// ```
    /// use tilelens_scoring::RuleSet;
    /// use tilelens_table::tournament::Format;
    /// let [mmm, chumchu] = ["mmm", "chumchu"].map(|id| RuleSet::preset(id).unwrap());
    /// let format = Format::of(mmm, chumchu).unwrap();
    /// assert_eq!(format.starting_points.to_string(), "2000");
    /// assert_eq!(format.penalties.cost(0, 2), 30);
    /// ```
    ///
    /// # Errors
    /// [`NoFormat`], where neither says anything of tournaments among others.
    pub fn of(played: &RuleSet, like: &RuleSet) -> Result<Self, NoFormat> {
        Self::first_of(played, [played, like])
    }

    /// Sessions of `played`, run as `like` says, its clock and penalties too.
    ///
    /// # Errors
    /// [`NoFormat`], where `like` says nothing of tournaments among others.
    pub fn run_like(played: &RuleSet, like: &RuleSet) -> Result<Self, NoFormat> {
        like.tournament().ok_or_else(|| NoFormat::Silent(like.id.clone()))?;
        Self::first_of(played, [like, played])
    }

    /// Takes each value from the first set that has it.
    fn first_of(played: &RuleSet, sets: [&RuleSet; 2]) -> Result<Self, NoFormat> {
        if !played.session().kept {
            return Err(NoFormat::NotKept(played.id.clone()));
        }
        if !played.four_players() {
            return Err(NoFormat::Three(played.id.clone()));
        }
        let [first, other] = sets;
        let like = if first.tournament().is_some() { first } else { other };
        let mut rules =
            like.tournament().cloned().ok_or_else(|| NoFormat::Silent(like.id.clone()))?;
        // Places have the same value here as at the end of a session.
        if let Some(placement) = like.session().placement
            && let Some(bonus) = placement.bonus(like.session().initial_points)
        {
            (rules.bonus, rules.level) = (bonus, placement.level);
        }
        let session = |says: fn(&SessionRules) -> bool| {
            let set = if !says(first.session()) && says(other.session()) { other } else { first };
            set.session()
        };
        let clock = session(|session| session.clock_minutes.is_some());
        let own = played.session();
        let full = |handicap: HandicapRules| {
            let missing = (played.minimum().0 - handicap.start.0).max(0);
            match u32::try_from(handicap.step.0) {
                Ok(step) if step > 0 => missing.cast_unsigned().div_ceil(step),
                _ => 0,
            }
        };
        Ok(Self {
            id: like.id.clone(),
            starting_points: Points::whole(own.initial_points),
            clock_minutes: clock.clock_minutes.unwrap_or(rules.minutes),
            after_time: clock.after_time,
            penalties: session(|session| session.penalties.are_known()).penalties.clone(),
            handicap: own.handicap.is_some(),
            full_after: own.handicap.map(full),
            rules,
        })
    }

    /// The bonus of each of four players with these points, in the order in which they began: where the
    /// rules say nothing else, players level share the mean of their places (chumchu, How to win; the
    /// mean of 80 and 50 is 65).
    ///
    /// ```
    /// use tilelens_scoring::{RuleSet, points::Points};
    /// use tilelens_table::tournament::Format;
    /// let chumchu = RuleSet::preset("chumchu").unwrap();
    /// let format = Format::of(chumchu, chumchu).unwrap();
    /// let bonus = format.placement_bonus([12, -20, 12, -4].map(Points::whole));
    /// assert_eq!(bonus, [65, 10, 65, 30].map(Points::whole));
    /// ```
    pub fn placement_bonus(&self, points: [Points; 4]) -> [Points; 4] {
        self.rules.level.share(&self.rules.bonus, points)
    }

    /// The table points of each of four players, where places are worth some: as
    /// [`Format::placement_bonus`].
    pub fn table_points(&self, points: [Points; 4]) -> Option<[Points; 4]> {
        let rules = &self.rules;
        rules.has_table_points().then(|| rules.level.share(&rules.table_points, points))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(played: &str) -> Format {
        let [played, like] = [played, "chumchu"].map(|id| RuleSet::preset(id).unwrap());
        Format::of(played, like).unwrap()
    }

    fn bonus(points: [i32; 4]) -> [String; 4] {
        of("chumchu").placement_bonus(points.map(Points::whole)).map(|points| points.to_string())
    }

    #[test]
    fn places_pay_80_50_30_10() {
        assert_eq!(bonus([40, -10, 10, -40]), ["80", "30", "50", "10"]);
    }

    #[test]
    fn players_level_share_the_mean_of_their_places() {
        assert_eq!(bonus([20, 20, -10, -30]), ["65", "65", "30", "10"]);
        assert_eq!(bonus([30, 0, 0, -30]), ["80", "40", "40", "10"]);
        assert_eq!(bonus([30, 10, -20, -20]), ["80", "50", "20", "20"]);
        assert_eq!(bonus([10, 10, -10, -10]), ["65", "65", "20", "20"]);
        assert_eq!(bonus([10, 10, 10, -30]), ["160/3", "160/3", "160/3", "10"]);
        assert_eq!(bonus([30, -10, -10, -10]), ["80", "30", "30", "30"]);
        assert_eq!(bonus([0; 4]), ["85/2"; 4]);
    }

    #[test]
    fn every_rule_set_can_be_played_as_chumchu_recommends() {
        for id in ["mmm", "mmm-dk", "ims", "hkos", "chumchu"] {
            let format = of(id);
            assert_eq!((format.clock_minutes, format.rules.deals), (115, 16), "{id}");
            assert_eq!(format.penalties.cost(2, 1), 30, "{id}");
        }
        let ims = RuleSet::preset("ims").unwrap();
        assert_eq!(Format::of(ims, ims), Err(NoFormat::Silent("ims".into())));
    }
}

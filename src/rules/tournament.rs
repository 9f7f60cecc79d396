//! The `[tournament]` table of a rule file: how sessions at several tables become standings.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::{RuleFileError, file::line_of};
use crate::points::Points;

/// How sessions become standings, and how they are run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TournamentRules {
    /// What first to fourth place at a table get beside their points; players level share the mean
    /// of their places.
    pub bonus: [Points; 4],
    /// Deals of a whole session.
    pub deals: u32,
    /// Planned from one session's start to the next one's, in minutes.
    pub minutes: u32,
    /// From so many minutes after the start a missing player is replaced by a reserve.
    pub late_minutes: u32,
}

impl Default for TournamentRules {
    /// What a file runs that says nothing else: points alone, sessions of 16 deals in two hours.
    fn default() -> Self {
        Self { bonus: [Points::ZERO; 4], deals: 16, minutes: 120, late_minutes: 10 }
    }
}

impl TournamentRules {
    /// Looks for what makes no sense. `clock_minutes`: of the session, where it has a clock.
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
        if self.bonus.iter().any(|bonus| bonus.abs() > Points::whole(1_000_000)) {
            return wrong("bonus", "is more than a million");
        }
        if !self.bonus.is_sorted_by(|higher, lower| higher >= lower) {
            return wrong("bonus", "names first to fourth place, falling");
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

    /// The section of a rule set's page.
    pub(super) fn write_page(&self, page: &mut String) -> std::fmt::Result {
        let bonus: Vec<String> = self.bonus.iter().map(|bonus| bonus.mixed()).collect();
        writeln!(page, "## Tournament\n")?;
        writeln!(
            page,
            "- Placement bonus, first to fourth: {}; players level share the mean.",
            bonus.join(", ")
        )?;
        writeln!(
            page,
            "- A session is {} deals and planned for {} minutes; who is {} minutes late is replaced.\n",
            self.deals, self.minutes, self.late_minutes
        )
    }
}

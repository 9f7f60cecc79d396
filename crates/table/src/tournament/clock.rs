//! The session clock: limits the play.
//!
//! When it runs out the deal being played is finished and none is started; a deal starts when the
//! dice are rolled (chumchu, Tournament set-up). Other rule sets may finish the round, or stop.

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::{Tournament, TournamentError};
use crate::{
    clock::{Clock, ClockChange, later, seconds_until},
    rules::AfterTime,
};

/// The play that is allowed at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MayPlay {
    /// The session has not started.
    NotYet,
    /// Deals may be started.
    StartDeals,
    /// The deal being played may be finished; none may be started.
    FinishDeal,
    /// The round may be finished.
    FinishRound,
    /// Nothing may be played.
    Nothing,
}

/// The clock at one moment; all times in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockReading {
    /// When the session started.
    pub started: Timestamp,
    /// When no deal may be started any more.
    pub ends: Timestamp,
    /// When it was stopped, while it stands.
    pub paused: Option<Timestamp>,
    /// The play that is allowed.
    pub may_play: MayPlay,
    /// Seconds since the start; negative before it.
    pub elapsed_seconds: i64,
    /// Seconds until no deal may be started any more; 0 from then on.
    pub left_seconds: i64,
    /// Seconds until the planned end of the session; 0 from then on.
    pub end_seconds: i64,
    /// Seconds until a missing player is replaced by a reserve; 0 from then on.
    pub late_seconds: i64,
}

/// A change of a round's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockChanged {
    /// The round.
    pub round: usize,
    /// The table alone whose clock was changed; all of the round where this is `None`.
    pub table: Option<usize>,
    /// The change.
    pub change: ClockChange,
    /// Its time.
    pub at: Timestamp,
}

impl Tournament {
    /// The clock of a session that has started: a table's, or the round's.
    pub fn clock(&self, round: usize, table: Option<usize>) -> Option<Clock> {
        let start = *self.started.get(&round)?;
        let begun = Clock::of(start, self.format.clock_minutes, self.format.after_time);
        let counts = |changed: &&ClockChanged| {
            changed.round == round && (changed.table.is_none() || changed.table == table)
        };
        let changes = self.clock_changes.iter().filter(counts);
        Some(changes.fold(begun, |clock, changed| clock.after(changed.change, changed.at)))
    }

    /// Changes the clock of a started round, or of one of its tables.
    pub(super) fn change_clock(&mut self, changed: ClockChanged) -> Result<(), TournamentError> {
        let ClockChanged { round, table, change, at } = changed;
        let tables = match table {
            Some(table) => {
                self.table(round, table)?;
                table..=table
            }
            None => 1..=self.round(round)?.len(),
        };
        if !self.started.contains_key(&round) {
            return Err(TournamentError::ClockNotStarted(round));
        }
        if change == ClockChange::Added(0) {
            return Err(TournamentError::NoMinutes);
        }
        let mut clocks = tables.filter_map(|table| self.clock(round, Some(table)));
        if clocks.all(|clock| clock.after(change, at) == clock) {
            return Err(TournamentError::ClockIsSo {
                round,
                stands: change == ClockChange::Paused,
            });
        }
        self.clock_changes.push(changed);
        Ok(())
    }

    /// The clock of a started session at one moment, at a table with `deals` started deals.
    pub fn read_clock(
        &self,
        (round, table): (usize, Option<usize>),
        now: Timestamp,
        deals_started: u32,
    ) -> Option<ClockReading> {
        let clock = self.clock(round, table)?;
        let length = |minutes: u32| SignedDuration::from_mins(i64::from(minutes));
        // A session is planned to end some minutes after its clock.
        let over = length(self.format.rules.minutes) - length(self.format.clock_minutes);
        let late = later(clock.started, length(self.format.rules.late_minutes));
        let may_play = if now < clock.started {
            MayPlay::NotYet
        } else if deals_started >= self.format.rules.deals {
            MayPlay::FinishDeal
        } else if clock.is_up(now) {
            match clock.then {
                AfterTime::FinishDeal => MayPlay::FinishDeal,
                AfterTime::FinishRound => MayPlay::FinishRound,
                AfterTime::Stop => MayPlay::Nothing,
            }
        } else {
            MayPlay::StartDeals
        };
        Some(ClockReading {
            started: clock.started,
            ends: clock.ends,
            may_play,
            paused: clock.paused,
            elapsed_seconds: now.duration_since(clock.started).as_secs(),
            left_seconds: seconds_until(clock.ends, clock.time(now)),
            end_seconds: seconds_until(later(clock.ends, over), clock.time(now)),
            late_seconds: seconds_until(late, now),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        rules::RuleSet,
        tournament::{Event, Format},
    };

    fn at(time: &str, deals_started: u32) -> ClockReading {
        let rules = RuleSet::preset("chumchu").unwrap();
        let begun = Event::Begun {
            name: "Clock".into(),
            rules: rules.id.clone(),
            rule_file: None,
            rulings: vec![],
            format: Box::new(Format::of(rules, rules).unwrap()),
        };
        let mut tournament = Tournament::begin(&begun).unwrap();
        tournament.started.insert(1, "2026-11-21T10:00:00Z".parse().unwrap());
        tournament.read_clock((1, None), time.parse().unwrap(), deals_started).unwrap()
    }

    #[test]
    fn nothing_is_played_before_the_start() {
        let reading = at("2026-11-21T09:59:30Z", 0);
        assert_eq!(reading.may_play, MayPlay::NotYet);
        assert_eq!((reading.elapsed_seconds, reading.left_seconds), (-30, 115 * 60 + 30));
        assert_eq!(at("2026-11-21T10:00:00Z", 0).may_play, MayPlay::StartDeals);
    }

    #[test]
    fn the_last_moment_still_starts_a_deal() {
        let reading = at("2026-11-21T11:54:59.5Z", 15);
        assert_eq!((reading.may_play, reading.left_seconds), (MayPlay::StartDeals, 1));
        let reading = at("2026-11-21T11:55:00Z", 15);
        assert_eq!((reading.may_play, reading.left_seconds), (MayPlay::FinishDeal, 0));
        assert_eq!(reading.end_seconds, 300);
        assert_eq!(at("2026-11-22T11:55:00Z", 3).end_seconds, 0);
    }

    #[test]
    fn sixteen_deals_are_a_session() {
        assert_eq!(at("2026-11-21T11:00:00Z", 16).may_play, MayPlay::FinishDeal);
    }

    #[test]
    fn a_player_has_ten_minutes_to_appear() {
        assert_eq!(at("2026-11-21T10:09:59Z", 0).late_seconds, 1);
        assert_eq!(at("2026-11-21T10:10:00Z", 0).late_seconds, 0);
    }
}

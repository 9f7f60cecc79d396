//! A session's clock: its start, its end, and the play allowed after that.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::AfterTime;

/// A time as the clocks of a zone show it, to the second and with its offset: 2026-11-21T20:00:00+01:00.
#[must_use]
pub fn time_in(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// A clock that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The time of the start.
    pub started: Timestamp,
    /// The time at which it runs out.
    pub ends: Timestamp,
    /// The play that is allowed after that.
    pub then: AfterTime,
    /// When it was stopped, while it stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused: Option<Timestamp>,
}

/// What is done to a clock that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ClockChange {
    /// It stands.
    Paused,
    /// It goes on: what it stood is added.
    Resumed,
    /// Minutes are added; it may have run out.
    Added(u32),
}

impl ClockChange {
    /// For a log.
    pub(crate) fn summary(self) -> String {
        match self {
            Self::Paused => "stopped".to_owned(),
            Self::Resumed => "goes on".to_owned(),
            Self::Added(minutes) => format!("got {minutes} more minutes"),
        }
    }
}

impl Clock {
    /// A clock of `minutes` minutes.
    pub fn of(started: Timestamp, minutes: u32, then: AfterTime) -> Self {
        let length = SignedDuration::from_mins(i64::from(minutes));
        Self { started, ends: later(started, length), then, paused: None }
    }

    /// The clock after a change at that time. Nothing changes where it stands, or runs, already.
    #[must_use]
    pub fn after(self, change: ClockChange, at: Timestamp) -> Self {
        match (change, self.paused) {
            (ClockChange::Paused, None) => Self { paused: Some(at), ..self },
            (ClockChange::Resumed, Some(since)) => {
                Self { paused: None, ends: later(self.ends, at.duration_since(since)), ..self }
            }
            (ClockChange::Added(minutes), _) => {
                let added = SignedDuration::from_mins(i64::from(minutes));
                Self { ends: later(self.ends, added), ..self }
            }
            (ClockChange::Paused, Some(_)) | (ClockChange::Resumed, None) => self,
        }
    }

    /// The time that it shows: while it stands, when it was stopped.
    pub fn time(self, now: Timestamp) -> Timestamp {
        self.paused.map_or(now, |since| since.min(now))
    }

    /// Whether it has run out.
    pub fn is_up(self, now: Timestamp) -> bool {
        self.time(now) >= self.ends
    }
}

/// The time after a while; at most the last that there is.
pub(crate) fn later(time: Timestamp, by: SignedDuration) -> Timestamp {
    time.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// Whole seconds until then, one that has begun among them; 0 from then on.
pub fn seconds_until(then: Timestamp, now: Timestamp) -> i64 {
    let left = then.duration_since(now);
    (left.as_secs() + i64::from(left.subsec_nanos() > 0)).max(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64) -> Timestamp {
        later(Timestamp::UNIX_EPOCH, SignedDuration::from_mins(minutes))
    }

    #[test]
    fn a_clock_that_stands_does_not_run_out_and_goes_on_where_it_stood() {
        let begun = Clock::of(at(0), 60, AfterTime::FinishDeal);
        let stands = begun.after(ClockChange::Paused, at(50));
        assert!(!stands.is_up(at(500)));
        assert_eq!(stands.after(ClockChange::Paused, at(55)), stands, "it stands already");
        let runs = stands.after(ClockChange::Resumed, at(70));
        assert_eq!((runs.ends, runs.paused), (at(80), None));
        assert!(!runs.is_up(at(79)) && runs.is_up(at(80)));
        assert_eq!(runs.after(ClockChange::Resumed, at(75)), runs, "it runs already");
    }

    #[test]
    fn minutes_are_added_to_a_clock_that_runs_stands_or_has_run_out() {
        let begun = Clock::of(at(0), 60, AfterTime::Stop);
        for clock in [begun, begun.after(ClockChange::Paused, at(59))] {
            assert_eq!(clock.after(ClockChange::Added(5), at(70)).ends, at(65));
        }
        // What was stopped after it had run out stays run out.
        let late = begun.after(ClockChange::Paused, at(61));
        assert!(late.is_up(at(90)) && late.after(ClockChange::Resumed, at(90)).is_up(at(90)));
    }
}

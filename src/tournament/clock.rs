//! The session clock: what may still be played.
//!
//! When it runs out the deal being played is finished and none is started; a deal starts when the
//! dice are rolled (chumchu, Tournament set-up).

use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::SessionFormat;

/// A session that has a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionClock {
    /// When the session starts.
    pub start: Timestamp,
    /// How long it is.
    pub format: SessionFormat,
}

/// What may be done at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MayPlay {
    /// The session has not started.
    NotYet,
    /// Deals may be started.
    StartDeals,
    /// The deal being played may be finished; none may be started.
    FinishDeal,
}

/// The clock at one moment; all times in whole seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockReading {
    /// What may be done.
    pub may_play: MayPlay,
    /// Since the start; negative before it.
    pub elapsed_seconds: i64,
    /// Until no deal may be started any more; 0 from then on.
    pub left_seconds: i64,
    /// Until the planned end of the session; 0 from then on.
    pub end_seconds: i64,
    /// Until a missing player is replaced by a reserve; 0 from then on.
    pub late_seconds: i64,
}

impl SessionClock {
    /// The clock at a moment, at a table where so many deals have been started.
    ///
    /// ```
    /// use tilelens::tournament::{Format, MayPlay, SessionClock};
    /// let start = "2026-11-21T10:00:00Z".parse().unwrap();
    /// let clock = SessionClock { start, format: Format::preset("chumchu").unwrap().session };
    /// let at = |time: &str| clock.read(time.parse().unwrap(), 9).may_play;
    /// assert_eq!(at("2026-11-21T11:54:59Z"), MayPlay::StartDeals);
    /// assert_eq!(at("2026-11-21T11:55:00Z"), MayPlay::FinishDeal);
    /// ```
    pub fn read(&self, now: Timestamp, deals_started: u32) -> ClockReading {
        let elapsed = now.duration_since(self.start);
        let left = |minutes: u32| {
            let left = SignedDuration::from_mins(i64::from(minutes)) - elapsed;
            // A second that has begun is still there.
            let begun = i64::from(left.subsec_nanos() > 0);
            (left.as_secs() + begun).max(0)
        };
        let left_seconds = left(self.format.clock_minutes);
        let may_play = if elapsed.is_negative() {
            MayPlay::NotYet
        } else if left_seconds == 0 || deals_started >= self.format.deals {
            MayPlay::FinishDeal
        } else {
            MayPlay::StartDeals
        };
        ClockReading {
            may_play,
            elapsed_seconds: elapsed.as_secs(),
            left_seconds,
            end_seconds: left(self.format.minutes),
            late_seconds: left(self.format.late_minutes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::Format;

    fn at(time: &str, deals_started: u32) -> ClockReading {
        let start = "2026-11-21T10:00:00Z".parse().unwrap();
        let clock = SessionClock { start, format: Format::preset("chumchu").unwrap().session };
        clock.read(time.parse().unwrap(), deals_started)
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

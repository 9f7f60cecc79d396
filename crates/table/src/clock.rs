//! A session's clock: its start, its end, and the play allowed after that.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::rules::AfterTime;

/// A time as the clocks of a zone show it, to the second and with its offset: 2026-11-21T20:00:00+01:00.
#[must_use]
pub fn time_in(time: Timestamp, zone: &TimeZone) -> String {
    time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

/// A clock that was started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// The time of the start.
    pub started: Timestamp,
    /// The time at which it runs out.
    pub ends: Timestamp,
    /// The play that is allowed after that.
    pub then: AfterTime,
}

impl Clock {
    /// A clock of `minutes` minutes.
    pub fn of(started: Timestamp, minutes: u32, then: AfterTime) -> Self {
        let length = SignedDuration::from_mins(i64::from(minutes));
        Self { started, ends: started.checked_add(length).unwrap_or(Timestamp::MAX), then }
    }

    /// Whether it has run out.
    pub fn is_up(self, now: Timestamp) -> bool {
        now >= self.ends
    }
}

/// Whole seconds until then, one that has begun among them; 0 from then on.
pub fn seconds_until(then: Timestamp, now: Timestamp) -> i64 {
    let left = then.duration_since(now);
    (left.as_secs() + i64::from(left.subsec_nanos() > 0)).max(0)
}

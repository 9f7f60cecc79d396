//! Moments as people write and read them.

use anyhow::bail;
use jiff::{
    SignedDuration, Timestamp, ToSpan, Zoned, civil,
    tz::{AmbiguousOffset, TimeZone},
};

/// A planned moment: 18:00 (today), a date and time of this place, or one with its zone.
pub(super) fn planned(text: &str) -> anyhow::Result<Timestamp> {
    read(text, |time| Zoned::now().date().to_datetime(time))
}

/// A moment like a planned one, but a time of day is the last one: 23:55 entered after midnight is yesterday's.
pub(super) fn moment(text: &str) -> anyhow::Result<Timestamp> {
    read(text, |time| last(time, Zoned::now().datetime()))
}

/// The most hours ahead for a time of day to be the coming one: clocks differ, and a plan may be asked about.
const AHEAD: i64 = 6;

/// The last time that clocks show this time of day, or the coming one if it is near.
fn last(time: civil::Time, now: civil::DateTime) -> civil::DateTime {
    let latest = now.saturating_add(SignedDuration::from_hours(AHEAD));
    let day = latest.date().to_datetime(time);
    if day > latest { day.saturating_sub(1.day()) } else { day }
}

/// Reads a moment; `on`: the date of a time of day.
fn read(text: &str, on: impl FnOnce(civil::Time) -> civil::DateTime) -> anyhow::Result<Timestamp> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let here = TimeZone::system();
    if let Ok(moment) = text.parse::<civil::DateTime>()
        && text.contains(':')
    {
        return in_zone(moment, &here);
    }
    if let Ok(time) = text.parse::<civil::Time>()
        && text.contains(':')
    {
        return in_zone(on(time), &here);
    }
    bail!("`{text}` is not a time: expected 18:00, \"2026-11-21 18:00\" or 2026-11-21T18:00:00Z")
}

/// The timestamp of a local time. A time that clocks skip or show twice is rejected.
fn in_zone(time: civil::DateTime, zone: &TimeZone) -> anyhow::Result<Timestamp> {
    let moment = zone.to_ambiguous_zoned(time);
    match moment.offset() {
        AmbiguousOffset::Unambiguous { .. } => {}
        AmbiguousOffset::Gap { .. } => bail!(
            "there is no {time}: clocks are put forward over it that day; give a time before or after"
        ),
        AmbiguousOffset::Fold { before, after } => bail!(
            "{time} comes twice that day, as clocks are put back: give {time}{before} or {time}{after}"
        ),
    }
    Ok(moment.unambiguous()?.timestamp())
}

/// A moment as it is here.
pub(super) fn local(moment: Timestamp) -> String {
    moment.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_that_clocks_skip_or_repeat_are_said() {
        let rule = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let at = |text: &str| in_zone(text.parse().unwrap(), &rule);
        let winter = at("2026-03-29 01:59").unwrap();
        assert_eq!(winter, "2026-03-29T00:59:00Z".parse().unwrap());
        assert_eq!(at("2026-03-29 03:00").unwrap(), "2026-03-29T01:00:00Z".parse().unwrap());
        assert!(at("2026-03-29 02:30").unwrap_err().to_string().contains("clocks are put forward"));
        let twice = at("2026-10-25 02:30").unwrap_err().to_string();
        assert!(twice.contains("2026-10-25T02:30:00+02 or 2026-10-25T02:30:00+01"), "{twice}");
        assert!(moment("2026-10-25T02:30:00+02").is_ok());
    }

    #[test]
    fn a_time_of_day_is_the_last_one_unless_it_comes_soon() {
        for (now, time, meant) in [
            ("2026-11-22 00:05", "23:55", "2026-11-21 23:55"),
            ("2026-11-22 00:05", "00:01", "2026-11-22 00:01"),
            ("2026-11-21 23:58", "00:02", "2026-11-22 00:02"),
            ("2026-11-21 22:00", "09:00", "2026-11-21 09:00"),
            ("2026-11-21 18:00", "20:10", "2026-11-21 20:10"),
            ("2026-11-21 09:00", "20:10", "2026-11-20 20:10"),
        ] {
            let found = last(time.parse().unwrap(), now.parse().unwrap());
            assert_eq!(found, meant.parse().unwrap(), "{time} entered at {now}");
        }
    }

    #[test]
    fn moments_are_read() {
        assert_eq!(
            moment("2026-11-21T18:00:00+01:00").unwrap(),
            moment("2026-11-21T17:00:00Z").unwrap()
        );
        assert!(moment("18:00").is_ok() && moment("2026-11-21 18:00").is_ok());
        for text in ["", "18", "2026-11-21", "25:00", "soon"] {
            assert!(moment(text).is_err(), "{text}");
        }
    }
}

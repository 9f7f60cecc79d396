//! Moments as people write and read them.

use anyhow::bail;
use jiff::{
    Timestamp, Zoned, civil,
    tz::{AmbiguousOffset, TimeZone},
};

/// A moment: 18:00 (today), a date and time of this place, or one with its zone.
pub(super) fn moment(text: &str) -> anyhow::Result<Timestamp> {
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
        return in_zone(Zoned::now().date().to_datetime(time), &here);
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

//! Moments as people write and read them.

use anyhow::bail;
use jiff::{Timestamp, Zoned, civil, tz::TimeZone};

/// A moment: 18:00 (today), a date and time of this place, or one with its zone.
pub(super) fn moment(text: &str) -> anyhow::Result<Timestamp> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    let here = TimeZone::system();
    if let Ok(moment) = text.parse::<civil::DateTime>()
        && text.contains(':')
    {
        return Ok(moment.to_zoned(here)?.timestamp());
    }
    if let Ok(time) = text.parse::<civil::Time>()
        && text.contains(':')
    {
        return Ok(Zoned::now().date().to_datetime(time).to_zoned(here)?.timestamp());
    }
    bail!("`{text}` is no time: expected 18:00, \"2026-11-21 18:00\" or 2026-11-21T18:00:00Z")
}

/// A moment as it is here.
pub(super) fn local(moment: Timestamp) -> String {
    moment.to_zoned(TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

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

//! The values of a tournament's rules, as data: placement bonus, session, penalties.
//!
//! A format is a TOML file beside the rule set that hands are scored with; a tournament's file holds
//! the one it was begun with.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Points;

/// The built-in formats, as files.
const PRESETS: [&str; 1] = [include_str!("formats/chumchu.toml")];

/// The values of a tournament's rules.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Format {
    /// Its short name.
    pub id: String,
    /// For people.
    pub name: String,
    /// Where the values come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// First to fourth place at a table.
    pub bonus: [Points; 4],
    /// What every player begins a session with; taken off what is entered.
    #[serde(default)]
    pub starting_points: Points,
    /// A session at a table.
    pub session: SessionFormat,
    /// Point penalties.
    pub penalties: PenaltyFormat,
}

/// How long a session is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionFormat {
    /// Deals of a whole session.
    pub deals: u32,
    /// Planned from one session's start to its end, in minutes.
    pub minutes: u32,
    /// After so many minutes no deal may be started; the one being played is finished.
    pub clock_minutes: u32,
    /// From so many minutes after the start a missing player is replaced.
    pub late_minutes: u32,
}

/// What point penalties cost, and what for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyFormat {
    /// A player's first.
    pub first: Points,
    /// How much more each later one costs.
    pub step: Points,
    /// Causes by id.
    pub causes: IndexMap<String, PenaltyCause>,
}

/// A cause of point penalties.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyCause {
    /// For people.
    pub about: String,
    /// How many point penalties it is.
    pub count: u32,
}

/// What is wrong with a format.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FormatError {
    /// Not TOML, an unknown key, or a value of the wrong kind.
    #[error("{0}")]
    Syntax(String),
    /// A value that fits nothing.
    #[error("{key} = {value}: {problem}")]
    Value {
        /// The key.
        key: &'static str,
        /// What it is.
        value: String,
        /// What was expected.
        problem: &'static str,
    },
}

impl Format {
    /// Reads a format.
    ///
    /// # Errors
    /// Where it is not TOML, a key is missing or unknown, or a value makes no sense.
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let format: Self = toml::from_str(text)
            .map_err(|error| FormatError::Syntax(error.to_string().trim_end().to_owned()))?;
        format.check()?;
        Ok(format)
    }

    /// Whether the values make sense.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        const MOST_DEALS: u32 = 100;
        const MOST_MINUTES: u32 = 24 * 60;
        const MOST_AT_ONCE: u32 = 100;
        const MOST_POINTS: i32 = 1_000_000;
        let refused = |key, value: &dyn ToString, problem| {
            Err(FormatError::Value { key, value: value.to_string(), problem })
        };
        let amounts = [self.starting_points, self.penalties.first, self.penalties.step];
        for amount in self.bonus.iter().chain(&amounts) {
            if amount.abs() > Points::whole(MOST_POINTS) {
                return refused("an amount", amount, "expected at most 1000000");
            }
        }
        if !self.bonus.is_sorted_by(|higher, lower| higher >= lower) {
            let bonus: Vec<String> = self.bonus.iter().map(ToString::to_string).collect();
            return refused("bonus", &bonus.join(", "), "expected first to fourth place, falling");
        }
        let SessionFormat { deals, minutes, clock_minutes, late_minutes } = self.session;
        if !(1..=MOST_DEALS).contains(&deals) {
            return refused("session.deals", &deals, "expected 1 to 100");
        }
        if !(1..=MOST_MINUTES).contains(&minutes) {
            return refused("session.minutes", &minutes, "expected 1 to 1440");
        }
        if !(1..=minutes).contains(&clock_minutes) {
            return refused(
                "session.clock_minutes",
                &clock_minutes,
                "expected 1 to session.minutes",
            );
        }
        if late_minutes > clock_minutes {
            return refused(
                "session.late_minutes",
                &late_minutes,
                "expected at most session.clock_minutes",
            );
        }
        if self.penalties.first < Points::ZERO || self.penalties.step < Points::ZERO {
            return refused(
                "penalties.first, penalties.step",
                &format!("{}, {}", self.penalties.first, self.penalties.step),
                "expected what is taken off, not negative",
            );
        }
        for cause in self.penalties.causes.values() {
            if !(1..=MOST_AT_ONCE).contains(&cause.count) {
                return refused("penalties.causes: count", &cause.count, "expected 1 to 100");
            }
        }
        Ok(())
    }

    /// The built-in formats.
    pub fn presets() -> Vec<Self> {
        PRESETS.iter().filter_map(|text| Self::parse(text).ok()).collect()
    }

    /// A built-in format by its id.
    pub fn preset(id: &str) -> Option<Self> {
        Self::presets().into_iter().find(|format| format.id == id)
    }

    /// The text of a built-in format, to start a file of one's own from.
    pub fn preset_text(id: &str) -> Option<&'static str> {
        PRESETS.into_iter().find(|text| Self::parse(text).is_ok_and(|format| format.id == id))
    }

    /// The bonus of each of four players with these points, in their order: players level share
    /// the mean of their places (chumchu, How to win; the mean of 80 and 50 is 65).
    ///
    /// ```
    /// use tilelens::tournament::{Format, Points};
    /// let format = Format::preset("chumchu").unwrap();
    /// let bonus = format.placement_bonus([12, -20, 12, -4].map(Points::whole));
    /// assert_eq!(bonus, [65, 10, 65, 30].map(Points::whole));
    /// ```
    pub fn placement_bonus(&self, points: [Points; 4]) -> [Points; 4] {
        points.map(|own| {
            let better = points.iter().filter(|other| **other > own).count();
            let level = points.iter().filter(|other| **other == own).count();
            Points::mean(self.bonus.iter().copied().skip(better).take(level)).unwrap_or_default()
        })
    }
}

impl PenaltyFormat {
    /// What so many point penalties of one player cost in all: the first `first`, each later one
    /// `step` more.
    pub fn cost(&self, count: u32) -> Points {
        let count = i64::from(count);
        self.first * count + self.step * (count * (count - 1) / 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chumchu() -> Format {
        Format::preset("chumchu").unwrap()
    }

    fn bonus(points: [i32; 4]) -> [String; 4] {
        chumchu().placement_bonus(points.map(Points::whole)).map(|points| points.to_string())
    }

    #[test]
    fn every_built_in_format_reads() {
        assert_eq!(Format::presets().len(), PRESETS.len());
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
    fn penalties_rise_by_ten() {
        let cost = |count| chumchu().penalties.cost(count).to_string();
        assert_eq!([0, 1, 2, 3, 4].map(cost), ["0", "10", "30", "60", "100"]);
    }

    #[test]
    fn a_format_that_makes_no_sense_is_refused() {
        let text = PRESETS[0];
        for (good, bad, cause) in [
            ("[80, 50, 30, 10]", "[10, 30, 50, 80]", "falling"),
            ("[80, 50, 30, 10]", "[80, 50, 30]", "bonus"),
            ("clock_minutes = 115", "clock_minutes = 121", "session.clock_minutes = 121"),
            ("deals = 16", "deals = 0", "session.deals"),
            ("late_minutes = 10", "late_minutes = 116", "late_minutes"),
            ("first = 10", "first = -10", "not negative"),
            ("step = 10", "stride = 10", "stride"),
            ("count = 2", "count = 0", "count"),
        ] {
            let error = Format::parse(&text.replacen(good, bad, 1)).unwrap_err().to_string();
            assert!(error.contains(cause), "{bad}: {error}");
        }
    }
}

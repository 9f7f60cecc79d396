//! The optional rules of the reader, by name, so that each can be left out and its worth measured.

use std::str::FromStr;

/// A rule or a pass of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Passes at smaller scales, for tiles that may fill the picture.
    Afar,
    /// A closer pass over a large picture without detections.
    Closer,
    /// Closer passes over small tiles.
    Near,
    /// A stretched pass for tiles that are out of shape.
    Pull,
    /// Light and dark exchanged, for dark sets.
    Dark,
    /// Four turns of each unsure crop.
    Turns,
    /// Proposed places of tiles that were overlooked or taken for two.
    Proposals,
    /// A judge that separates plain white dragons from backs and other blanks.
    Whites,
}

impl Rule {
    /// All rules, with their names.
    pub const ALL: [(Self, &'static str); 8] = [
        (Self::Afar, "afar"),
        (Self::Closer, "closer"),
        (Self::Near, "near"),
        (Self::Pull, "pull"),
        (Self::Dark, "dark"),
        (Self::Turns, "turns"),
        (Self::Proposals, "proposals"),
        (Self::Whites, "whites"),
    ];
}

impl Rule {
    /// The name by which it is left out.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(rule, _)| *rule == self).map_or("", |(_, name)| name)
    }
}

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.iter().find(|(_, name)| *name == text);
        known.map(|(rule, _)| *rule).ok_or_else(|| {
            let names = Self::ALL.map(|(_, name)| name).join(", ");
            format!("the reader has no rule `{text}`: it has {names}")
        })
    }
}

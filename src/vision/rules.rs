//! What the reader does besides looking, fitting and naming, each by a name, so that it can be left out and its worth be measured.

use std::str::FromStr;

/// A rule or a view of the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Looks from afar, for tiles that may fill the picture.
    Afar,
    /// A closer look at all of a large picture in which nothing is found.
    Closer,
    /// Closer looks at small tiles.
    Near,
    /// A look at tiles that are out of shape, pulled into it.
    Pull,
    /// Light and dark exchanged, for dark sets.
    Dark,
    /// Unsure crops are named in all four turns.
    Turns,
    /// Places where a tile may have been overlooked, or taken for two, are named.
    Proposals,
    /// White dragons that show nothing are told from backs and what else is blank by their judge.
    Whites,
}

impl Rule {
    /// All of them, with their names.
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

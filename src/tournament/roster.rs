//! Who plays: names that can be told apart, players and reserves.

use std::{collections::HashSet, fmt};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A person's name: spaces at its ends and doubled ones removed, something to read left, nothing
/// that a spreadsheet takes for a formula or this program for a number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Name(String);

/// Why a text is no name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// Nothing in it.
    #[error("the name is empty")]
    Empty,
    /// Too long.
    #[error("the name has {0} letters: at most {most} fit a score sheet", most = Name::LONGEST)]
    Long(usize),
    /// A control character.
    #[error("the name `{0}` holds a character that cannot be printed")]
    Control(String),
    /// What a spreadsheet would calculate.
    #[error("the name `{0}` begins with {1}, which a spreadsheet takes for a formula")]
    Formula(String, char),
    /// Digits alone.
    #[error("the name `{0}` is a number, and players have numbers already")]
    Number(String),
}

impl Name {
    /// The longest name, in letters.
    pub const LONGEST: usize = 80;

    /// Reads a name.
    ///
    /// ```
    /// use tilelens::tournament::Name;
    /// assert_eq!(Name::new("  Søren   Å. ").unwrap().as_str(), "Søren Å.");
    /// assert!(Name::new(" ").is_err());
    /// ```
    ///
    /// # Errors
    /// Where it is empty, too long, or would be taken for something else.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let letters = name.chars().count();
        if letters > Self::LONGEST {
            return Err(NameError::Long(letters));
        }
        if name.chars().any(char::is_control) {
            return Err(NameError::Control(name.escape_debug().to_string()));
        }
        match name.chars().next() {
            None => Err(NameError::Empty),
            Some(first @ ('=' | '+' | '-' | '@')) => Err(NameError::Formula(name, first)),
            Some(_) if name.chars().all(|letter| letter.is_ascii_digit()) => {
                Err(NameError::Number(name))
            }
            Some(_) => Ok(Self(name)),
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What two names that cannot be told apart have in common: they differ in capital letters at
    /// most.
    fn key(&self) -> String {
        self.0.to_lowercase()
    }

    /// Whether two names cannot be told apart.
    pub fn same_as(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for Name {
    type Error = NameError;

    fn try_from(text: String) -> Result<Self, NameError> {
        Self::new(&text)
    }
}

impl From<Name> for String {
    fn from(name: Name) -> Self {
        name.0
    }
}

/// Somebody who plays, or stands by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entrant {
    /// Who.
    pub name: Name,
    /// Whether to stand by for players who do not appear.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reserve: bool,
}

/// Everybody entered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    entrants: Vec<Entrant>,
    keys: HashSet<String>,
}

/// Somebody entered twice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0} is entered already: names have to differ, add a letter or a club to one of them")]
pub struct EnteredTwice(pub Name);

impl Roster {
    /// Enters one more.
    ///
    /// # Errors
    /// Where the name cannot be told from another.
    pub fn enter(&mut self, entrant: Entrant) -> Result<(), EnteredTwice> {
        if !self.keys.insert(entrant.name.key()) {
            return Err(EnteredTwice(entrant.name));
        }
        self.entrants.push(entrant);
        Ok(())
    }

    /// Everybody, in the order entered.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// Those who play.
    pub fn players(&self) -> impl Iterator<Item = &Name> {
        self.entrants.iter().filter(|entrant| !entrant.reserve).map(|entrant| &entrant.name)
    }

    /// Those who stand by.
    pub fn reserves(&self) -> impl Iterator<Item = &Name> {
        self.entrants.iter().filter(|entrant| entrant.reserve).map(|entrant| &entrant.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_none_is_refused() {
        for text in ["", " \t ", "=1+1", "@x", "-Bo", "+45", "7", "a\u{7}b", &"x".repeat(81)] {
            assert!(Name::new(text).is_err(), "{text:?}");
        }
        for text in ["7 of 9", "Bo-Å", "李小龍", "O'Neil & <b>", &"x".repeat(80)] {
            assert!(Name::new(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn names_differ_by_more_than_capitals() {
        let mut roster = Roster::default();
        let mut enter =
            |name: &str| roster.enter(Entrant { name: Name::new(name).unwrap(), reserve: false });
        assert!(enter("Åse Berg").is_ok());
        assert!(enter("åse  berg").is_err());
        assert!(enter("Åse Bergh").is_ok());
    }
}

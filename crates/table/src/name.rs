//! People's names, at a table and in a tournament: distinct, printable, and not confusable with
//! numbers or seats.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A short text that goes into spreadsheets, such as a club: spaces at its ends and doubled ones removed; may
/// be empty.
///
/// ```
/// use tilelens_table::name::label;
/// assert_eq!(label("  Aarhus   Øst ").unwrap(), "Aarhus Øst");
/// assert!(label("=1+1").is_err());
/// ```
///
/// # Errors
/// Where it is too long, cannot be printed, or a spreadsheet would calculate it.
pub fn label(text: &str) -> Result<String, NameError> {
    let label = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let letters = label.chars().count();
    if letters > Name::LONGEST {
        return Err(NameError::Long(letters));
    }
    if label.chars().any(char::is_control) {
        return Err(NameError::Control(label.escape_debug().to_string()));
    }
    match label.chars().next() {
        Some(first @ ('=' | '+' | '-' | '@')) => Err(NameError::Formula(label, first)),
        _ => Ok(label),
    }
}

/// A person's name: spaces at its ends and doubled ones removed, something to read left, nothing
/// that a spreadsheet takes for a formula or this program for a number or a seat.
///
/// A log keeps names as they were written: one that is read from there is not checked again.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Name(String);

/// Why a text is not a name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NameError {
    /// The text is empty.
    #[error("the name is empty")]
    Empty,
    /// Too long.
    #[error("the name has {0} letters: at most {most} fit a score sheet", most = Name::LONGEST)]
    Long(usize),
    /// A control character.
    #[error("the name `{0}` holds a character that cannot be printed")]
    Control(String),
    /// A text that a spreadsheet would calculate.
    #[error("the name `{0}` begins with {1}, which a spreadsheet takes for a formula")]
    Formula(String, char),
    /// Digits alone.
    #[error("the name `{0}` is a number, and players have numbers already")]
    Number(String),
    /// A wind's letter or word.
    #[error("the name `{0}` is a seat's: players are named by their seats too")]
    Seat(String),
}

impl Name {
    /// The longest name, in letters.
    pub const LONGEST: usize = 80;

    /// Reads a name.
    ///
    /// ```
    /// use tilelens_table::name::Name;
    /// assert_eq!(Name::new("  Søren   Å. ").unwrap().as_str(), "Søren Å.");
    /// assert!(Name::new(" ").is_err());
    /// ```
    ///
    /// # Errors
    /// Where it is empty, too long, or would be taken for something else.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let name = label(text)?;
        let seats = ["e", "s", "w", "n", "east", "south", "west", "north"];
        if seats.contains(&name.to_lowercase().as_str()) {
            return Err(NameError::Seat(name));
        }
        match name.chars().next() {
            None => Err(NameError::Empty),
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

    /// The key that two names share if they differ in capital letters at most.
    pub fn key(&self) -> String {
        self.0.to_lowercase()
    }

    /// Whether two names differ in capital letters at most.
    pub fn same_as(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl std::ops::Deref for Name {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

/// The name as typed; entered names are checked by [`Name::new`].
impl From<&str> for Name {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl PartialEq<str> for Name {
    fn eq(&self, text: &str) -> bool {
        self.0 == text
    }
}

impl PartialEq<&str> for Name {
    fn eq(&self, text: &&str) -> bool {
        self.0 == *text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invalid_name_is_refused() {
        for text in
            ["", " \t ", "=1+1", "@x", "-Bo", "+45", "7", "a\u{7}b", "E", " north", &"x".repeat(81)]
        {
            assert!(Name::new(text).is_err(), "{text:?}");
        }
        for text in ["7 of 9", "Bo-Å", "李小龍", "O'Neil & <b>", "Esther", &"x".repeat(80)] {
            assert!(Name::new(text).is_ok(), "{text:?}");
        }
    }
}

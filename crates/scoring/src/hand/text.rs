//! Hands as text.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{Hand, HandError, NotationError, Reading};

impl fmt::Display for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Reading::from(self).fmt(f)
    }
}

impl FromStr for Hand {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let reading: Reading = text.parse()?;
        Ok(Self::try_from(&reading)?)
    }
}

/// Why a text is not a legal hand.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TextError {
    /// The text is not hand text.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// The hand text is not a legal hand.
    #[error(transparent)]
    Hand(#[from] HandError),
}

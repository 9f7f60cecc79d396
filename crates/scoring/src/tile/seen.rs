//! Tiles as pieces of plastic: a face that may be a red five, a back, or an unrecognised tile.

use std::fmt;

use super::{Face, FaceError, Suit};

/// A face, and whether it is printed as a red five (`0m` `0p` `0s`), which scores as the five.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tile {
    face: Face,
    red: bool,
}

/// The visible side of a tile: a face, its back (`x`), or an unrecognised face (`?`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeenFace {
    /// A recognised face.
    Tile(Tile),
    /// A tile face down.
    Back,
    /// A tile seen but not recognised well enough.
    Unknown,
}

impl Tile {
    /// A tile with an ordinary face.
    pub const fn new(face: Face) -> Self {
        Self { face, red: false }
    }

    /// The red five of a suit; `None` for honors and bonus tiles.
    pub const fn red_five(suit: Suit) -> Option<Self> {
        match suit {
            Suit::Honors | Suit::Bonus => None,
            _ => match Face::new(suit, 5) {
                Some(face) => Some(Self { face, red: true }),
                None => None,
            },
        }
    }

    /// The face that it counts as.
    pub const fn face(self) -> Face {
        self.face
    }

    /// Whether it is a red five.
    pub const fn is_red(self) -> bool {
        self.red
    }

    /// The digit of the notation: 0 for a red five.
    pub const fn digit(self) -> u8 {
        if self.red { 0 } else { self.face.number() }
    }
}

impl From<Face> for Tile {
    fn from(face: Face) -> Self {
        Self::new(face)
    }
}

impl std::str::FromStr for Tile {
    type Err = FaceError;

    fn from_str(text: &str) -> Result<Self, FaceError> {
        let red = text
            .strip_prefix('0')
            .and_then(|rest| Suit::from_letter(rest.chars().next()?).filter(|_| rest.len() == 1))
            .and_then(Self::red_five);
        red.map_or_else(|| text.parse().map(Self::new), Ok)
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.digit(), self.face.suit().letter())
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SeenFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tile(tile) => tile.fmt(f),
            Self::Back => f.write_str("x"),
            Self::Unknown => f.write_str("?"),
        }
    }
}

impl fmt::Debug for SeenFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_red_five_counts_as_the_five_and_keeps_its_code() {
        let tile: Tile = "0p".parse().unwrap();
        assert_eq!(tile.face(), "5p".parse().unwrap());
        assert!(tile.is_red());
        assert_eq!(tile.to_string(), "0p");
        assert!("0z".parse::<Tile>().is_err());
    }
}

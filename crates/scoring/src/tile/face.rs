//! A tile's face: 34 that make sets, 4 flowers, 4 seasons. Order as in the notation: characters,
//! dots, bamboo, honors, bonus tiles.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of the 42 faces, as an index: `1m`-`9m` 0-8, `1p`-`9p` 9-17, `1s`-`9s` 18-26,
/// `1z`-`7z` 27-33 (East South West North White Green Red), `1f`-`8f` 34-41.
///
/// ```
/// use tilelens_scoring::tile::{Face, Suit};
/// let face: Face = "7s".parse().unwrap();
/// assert_eq!((face.suit(), face.number()), (Suit::Bamboo, 7));
/// assert_eq!(face.to_string(), "7s");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Face(u8);

/// The family a face belongs to.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Suit {
    /// `m`
    #[serde(rename = "m")]
    Characters,
    /// `p`
    #[serde(rename = "p")]
    Dots,
    /// `s`
    #[serde(rename = "s")]
    Bamboo,
    /// `z`: winds 1-4, dragons 5-7
    #[serde(rename = "z")]
    Honors,
    /// `f`: flowers 1-4, seasons 5-8
    #[serde(rename = "f")]
    Bonus,
}

/// A text that is not a face.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{0}` is no tile: expected a digit and one of m p s z f, such as 5p or 7z")]
pub struct FaceError(pub String);

impl Suit {
    /// All families in the order of the notation.
    pub const ALL: [Self; 5] =
        [Self::Characters, Self::Dots, Self::Bamboo, Self::Honors, Self::Bonus];

    /// The letter of the notation.
    pub const fn letter(self) -> char {
        match self {
            Self::Characters => 'm',
            Self::Dots => 'p',
            Self::Bamboo => 's',
            Self::Honors => 'z',
            Self::Bonus => 'f',
        }
    }

    /// The family of a letter of the notation.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'm' => Self::Characters,
            'p' => Self::Dots,
            's' => Self::Bamboo,
            'z' => Self::Honors,
            'f' => Self::Bonus,
            _ => return None,
        })
    }

    /// Number of faces in the family.
    pub const fn len(self) -> u8 {
        match self {
            Self::Characters | Self::Dots | Self::Bamboo => 9,
            Self::Honors => 7,
            Self::Bonus => 8,
        }
    }

    /// Always false: no family is empty.
    pub const fn is_empty(self) -> bool {
        false
    }

    const fn first(self) -> u8 {
        match self {
            Self::Characters => 0,
            Self::Dots => 9,
            Self::Bamboo => 18,
            Self::Honors => 27,
            Self::Bonus => 34,
        }
    }
}

impl Face {
    /// The first in order, the one of characters.
    pub const FIRST: Self = Self(0);

    /// Number of faces that make sets.
    pub const SET_FACES: usize = 34;
    /// Number of all faces, bonus tiles included.
    pub const COUNT: usize = 42;
    /// Tiles of one face in a set; of a bonus tile there is one (RULEBOOK, the tiles).
    pub const COPIES: u8 = 4;

    /// The face at an index below [`Face::COUNT`].
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// The face of a family by its number, from 1.
    pub const fn new(suit: Suit, number: u8) -> Option<Self> {
        if number >= 1 && number <= suit.len() {
            Some(Self(suit.first() + number - 1))
        } else {
            None
        }
    }

    /// Its place in the order of the notation, 0-41.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The family.
    pub const fn suit(self) -> Suit {
        match self.0 {
            0..=8 => Suit::Characters,
            9..=17 => Suit::Dots,
            18..=26 => Suit::Bamboo,
            27..=33 => Suit::Honors,
            _ => Suit::Bonus,
        }
    }

    /// The digit of the notation, from 1.
    pub const fn number(self) -> u8 {
        self.0 - self.suit().first() + 1
    }

    /// Every face in order.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Whether it looks the same after half a turn, so that a picture gives its turn only up to that.
    pub const fn looks_alike_upside_down(self) -> bool {
        matches!(
            (self.suit(), self.number()),
            (Suit::Dots, 1..=5 | 8 | 9) | (Suit::Bamboo, 2 | 4 | 5 | 6 | 8 | 9) | (Suit::Honors, 5)
        )
    }

    /// A wind or a dragon.
    pub const fn is_honor(self) -> bool {
        matches!(self.0, 27..=33)
    }

    /// One of the four winds.
    pub const fn is_wind(self) -> bool {
        matches!(self.0, 27..=30)
    }

    /// White, green or red.
    pub const fn is_dragon(self) -> bool {
        matches!(self.0, 31..=33)
    }

    /// A one or a nine of a suit.
    pub const fn is_terminal(self) -> bool {
        self.0 < 27 && matches!(self.0 % 9, 0 | 8)
    }

    /// Terminal or honor.
    pub const fn is_major(self) -> bool {
        self.is_terminal() || self.is_honor()
    }

    /// A flower or a season.
    pub const fn is_bonus(self) -> bool {
        self.0 >= 34
    }
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.number(), self.suit().letter())
    }
}

impl fmt::Debug for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl serde::Serialize for Face {
    /// As its code, `5p`.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "schema")]
crate::schema::described_as!("Face", Face, |_| {
    schemars::json_schema!({ "type": "string", "pattern": "^([1-9][mps]|[1-7]z|[1-8]f)$" })
});

impl FromStr for Face {
    type Err = FaceError;

    fn from_str(text: &str) -> Result<Self, FaceError> {
        let mut letters = text.chars();
        let face = match (letters.next(), letters.next(), letters.next()) {
            (Some(digit), Some(letter), None) => digit
                .to_digit(10)
                .and_then(|n| Self::new(Suit::from_letter(letter)?, u8::try_from(n).ok()?)),
            _ => None,
        };
        face.ok_or_else(|| FaceError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_prints_and_reads_back() {
        for face in Face::all() {
            assert_eq!(face.to_string().parse(), Ok(face));
            assert_eq!(Face::new(face.suit(), face.number()), Some(face));
        }
    }

    #[test]
    fn there_is_no_eighth_honor_and_no_tenth_dot() {
        for text in ["8z", "0z", "9f", "10p", "5x", "", "m5"] {
            assert_eq!(text.parse::<Face>(), Err(FaceError(text.to_owned())));
        }
    }

    #[test]
    fn thirteen_majors() {
        assert_eq!(Face::all().filter(|face| face.is_major()).count(), 13);
    }
}

//! Seats by their winds, and neighbours.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Face, Suit};

/// A seat, named by its wind. Play goes East, South, West, North.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Seat {
    /// The dealer.
    #[default]
    #[serde(rename = "E")]
    East,
    /// Right of East.
    #[serde(rename = "S")]
    South,
    /// Opposite East.
    #[serde(rename = "W")]
    West,
    /// Left of East.
    #[serde(rename = "N")]
    North,
}

#[cfg(feature = "schema")]
crate::schema::described_as!("Seat", Seat, |_| {
    schemars::json_schema!({ "type": "string", "enum": ["E", "S", "W", "N"] })
});

/// A player as another one sees him: the one to whom a sideways tile points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The seat before one's own: left of East sits North.
    Left,
    /// Across the table.
    Opposite,
    /// The seat after one's own.
    Right,
}

impl Seat {
    /// All seats in the order of play.
    pub const ALL: [Self; 4] = [Self::East, Self::South, Self::West, Self::North];

    /// East 0, South 1, West 2, North 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat's wind tile.
    pub const fn wind(self) -> Face {
        match Face::new(Suit::Honors, self as u8 + 1) {
            Some(face) => face,
            None => unreachable!(),
        }
    }

    /// The seat on that side of this one.
    ///
    /// ```
    /// use tilelens_scoring::tile::{Seat, Side};
    /// assert_eq!(Seat::East.neighbour(Side::Left), Seat::North);
    /// ```
    pub const fn neighbour(self, side: Side) -> Self {
        let steps = match side {
            Side::Right => 1,
            Side::Opposite => 2,
            Side::Left => 3,
        };
        Self::ALL[(self as usize + steps) % 4]
    }

    /// The wind's name: `East`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::East => "East",
            Self::South => "South",
            Self::West => "West",
            Self::North => "North",
        }
    }

    /// The letter of the notation.
    pub const fn letter(self) -> char {
        match self {
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
            Self::North => 'N',
        }
    }

    /// The seat of a letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        Some(match letter {
            'E' => Self::East,
            'S' => Self::South,
            'W' => Self::West,
            'N' => Self::North,
            _ => return None,
        })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

/// A set of seats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Seats(u8);

impl Seats {
    /// No seat.
    pub const NONE: Self = Self(0);

    /// With one more seat.
    #[must_use]
    pub const fn with(self, seat: Seat) -> Self {
        Self(self.0 | 1 << seat as u8)
    }

    /// Whether a seat is among them.
    pub const fn contains(self, seat: Seat) -> bool {
        self.0 >> seat as u8 & 1 == 1
    }

    /// The number of seats.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether it holds no seat.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Its seats in the order of play.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        Seat::ALL.into_iter().filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        seats.into_iter().fold(Self::NONE, Self::with)
    }
}

//! Hands in the notations of other programs: each read to a [`Reading`] and written from it.
//!
//! A missing sign in a format is an error where the tiles would change, and a note where a detail is
//! lost (a red five that becomes a plain one, the giver of a set, the winning tile).

mod botzone;
mod call;
mod gb;
mod kajongg;
pub mod log;
mod mjai;
mod own;
mod tenhou;
mod tenhou_log;
mod unicode;

use std::{fmt, str::FromStr};

use thiserror::Error;

use crate::{
    hand::{MeldError, NotationError, Reading},
    tile::{SeenFace, Tile},
};

/// A notation for hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandFormat {
    /// Our own.
    Tilelens,
    /// Tenhou's text for concealed hands: `123m406p11z`.
    Tenhou,
    /// Tiles and calls of Tenhou's JSON log: `[12,13,"p474747"]`.
    TenhouLog,
    /// Events of the mjai protocol, one JSON object a line.
    Mjai,
    /// Text of the library GB-Mahjong: `[123m,1]456p33s4p`.
    Gb,
    /// The arguments of `MahjongFanCalculator` (Botzone, PyMahjongGB), as JSON.
    Botzone,
    /// Text of kajongg: `b1b1b1 RC1C2C3 LC3`.
    Kajongg,
    /// Our own with Unicode's glyphs in place of digits and letters.
    Unicode,
}

type Parse = fn(&str) -> Result<Converted<Reading>, ConvertError>;
type Print = fn(&Reading) -> Result<Converted<String>, ConvertError>;

/// A format's name, and how it is read and written.
struct Notation {
    name: &'static str,
    is_a_line: bool,
    parse: Parse,
    print: Print,
}

impl Notation {
    /// A format of a hand a line.
    const fn lines(name: &'static str, parse: Parse, print: Print) -> Self {
        Self { name, is_a_line: true, parse, print }
    }

    /// A format that may spread a hand over lines.
    const fn whole(name: &'static str, parse: Parse, print: Print) -> Self {
        Self { name, is_a_line: false, parse, print }
    }
}

/// A format that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no format `{0}`: expected one of {known}", known = HandFormat::ALL.map(HandFormat::name).join(", "))]
pub struct FormatError(pub String);

/// Why a hand is not converted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConvertError {
    /// The text is not in the format.
    #[error("not {format} text: {problem}")]
    Text {
        /// The format.
        format: HandFormat,
        /// The problem, and the expected text.
        problem: String,
    },
    /// The text is not our hand text.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Tiles of a set that make no set.
    #[error(transparent)]
    Meld(#[from] MeldError),
    /// Something that the format has no sign for.
    #[error("{format} cannot say this: {what}")]
    Cannot {
        /// The format.
        format: HandFormat,
        /// The thing without a sign.
        what: String,
    },
}

/// A result, and the details lost on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted<T> {
    /// The result.
    pub value: T,
    /// The lost details, one sentence each.
    pub notes: Vec<String>,
}

impl<T> From<T> for Converted<T> {
    fn from(value: T) -> Self {
        Self { value, notes: Vec::new() }
    }
}

impl HandFormat {
    /// Every format.
    pub const ALL: [Self; 8] = [
        Self::Tilelens,
        Self::Tenhou,
        Self::TenhouLog,
        Self::Mjai,
        Self::Gb,
        Self::Botzone,
        Self::Kajongg,
        Self::Unicode,
    ];

    /// What it is called, and how it is read and written.
    const fn notation(self) -> Notation {
        match self {
            Self::Tilelens => Notation::lines("tilelens", own::parse, own::print),
            Self::Tenhou => Notation::lines("tenhou", tenhou::parse, tenhou::print),
            Self::TenhouLog => Notation::lines("tenhou-log", tenhou_log::parse, tenhou_log::print),
            Self::Mjai => Notation::whole("mjai", mjai::parse, mjai::print),
            Self::Gb => Notation::lines("gb", gb::parse, gb::print),
            Self::Botzone => Notation::whole("botzone", botzone::parse, botzone::print),
            Self::Kajongg => Notation::lines("kajongg", kajongg::parse, kajongg::print),
            Self::Unicode => Notation::lines("unicode", unicode::parse, unicode::print),
        }
    }

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        self.notation().name
    }

    /// Whether each line of a file is a hand of its own. The others may spread a hand over lines.
    pub const fn is_a_line(self) -> bool {
        self.notation().is_a_line
    }

    /// Reads a hand.
    ///
    /// # Errors
    /// [`ConvertError`] where the text is not in this format.
    pub fn parse(self, text: &str) -> Result<Converted<Reading>, ConvertError> {
        (self.notation().parse)(text)
    }

    /// Writes a hand.
    ///
    /// # Errors
    /// [`ConvertError`] where the format has no sign for something that the hand holds.
    pub fn print(self, hand: &Reading) -> Result<Converted<String>, ConvertError> {
        (self.notation().print)(hand)
    }

    fn error(self, problem: impl Into<String>) -> ConvertError {
        ConvertError::Text { format: self, problem: problem.into() }
    }

    fn cannot(self, what: impl Into<String>) -> ConvertError {
        ConvertError::Cannot { format: self, what: what.into() }
    }

    /// A tile that has to be known, for a format with signs for known tiles alone.
    fn known(self, seen: SeenFace) -> Result<Tile, ConvertError> {
        match seen {
            SeenFace::Tile(tile) => Ok(tile),
            SeenFace::Back => Err(self.cannot("x, a tile that lies face down")),
            SeenFace::Unknown => Err(self.cannot("?, a tile that was not recognised")),
        }
    }

    /// The tiles of a list, all of which have to be known and make sets.
    fn known_tiles(self, seen: &[SeenFace]) -> Result<Vec<Tile>, ConvertError> {
        (seen.iter())
            .map(|seen| match self.known(*seen)? {
                tile if tile.face().is_bonus() => {
                    Err(self.cannot(format!("{tile} among the other tiles")))
                }
                tile => Ok(tile),
            })
            .collect()
    }

    /// Refuses flowers, for a format of a game without them.
    fn no_bonus(self, hand: &Reading) -> Result<(), ConvertError> {
        if hand.bonus.is_empty() {
            return Ok(());
        }
        let bonus = Reading { bonus: hand.bonus.clone(), ..Reading::default() };
        Err(self.cannot(format!("{bonus}: flowers and seasons; leave them out")))
    }

    /// The note that red fives become plain ones, where there are any.
    fn red_note(self, hand: &Reading) -> Option<String> {
        let sets = hand.sets.iter().flat_map(|set| &set.tiles).map(|tile| tile.face);
        let red = (hand.concealed.iter().copied())
            .chain(sets)
            .chain(hand.winning)
            .any(|seen| matches!(seen, SeenFace::Tile(tile) if tile.is_red()));
        red.then(|| format!("{self} has no red fives: they are written as plain fives"))
    }
}

impl fmt::Display for HandFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for HandFormat {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Self, FormatError> {
        (Self::ALL.into_iter())
            .find(|format| format.name() == text)
            .ok_or_else(|| FormatError(text.to_owned()))
    }
}

/// Tiles as a reading holds them.
fn seen(tiles: impl IntoIterator<Item = Tile>) -> Vec<SeenFace> {
    tiles.into_iter().map(SeenFace::Tile).collect()
}

//! A legal set laid apart from the concealed tiles; an illegal one cannot be represented.

use std::fmt::{self, Write};

use thiserror::Error;

use super::{SeenSet, SetForm, SetTile, write_tiles};
use crate::tile::{Face, SeenFace, Side, Tile};

/// The kind of a meld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MeldKind {
    /// Three in a row of one suit.
    Chow,
    /// Three alike.
    Pung,
    /// Four alike, claimed or added to a claimed pung.
    OpenKong,
    /// Four alike, declared from the hand; it leaves the hand concealed.
    ConcealedKong,
}

/// A claimed set or a concealed kong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meld {
    kind: MeldKind,
    face: Face,
    giver: Option<Side>,
    red: RedFive,
    /// Whether two tiles lie sideways: a kong that was added to a claimed pung.
    added: bool,
}

/// Whether a set holds its suit's red five, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum RedFive {
    /// The set has no red five.
    Absent,
    /// The red five came from the winner's own tiles, or is in a chow.
    Held,
    /// The claimed tile is the red five.
    Claimed,
}

/// Why the tiles of a set are not a meld.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MeldError {
    /// Too few or too many tiles.
    #[error("{set} has {found} tiles: a set has three, a kong four")]
    Size {
        /// The set as text.
        set: String,
        /// The number of its tiles.
        found: usize,
    },
    /// A tile that cannot be read.
    #[error("{set} holds a tile that is not known")]
    Unknown {
        /// The set as text.
        set: String,
    },
    /// Flowers do not make sets.
    #[error("{set}: flowers and seasons make no sets, write them apart, such as 13f")]
    Bonus {
        /// The set as text.
        set: String,
    },
    /// Neither alike nor in a row.
    #[error("{set} is neither a chow of one suit, nor three or four alike")]
    NoSet {
        /// The set as text.
        set: String,
    },
    /// Square brackets around something else.
    #[error("{set}: square brackets hold a concealed kong, four alike")]
    NotConcealedKong {
        /// The set as text.
        set: String,
    },
    /// Marks that show no giver, or two of them.
    #[error("{set}: {expected}")]
    Marks {
        /// The set as text.
        set: String,
        /// The marks that are allowed.
        expected: &'static str,
    },
}

impl Meld {
    /// Fills arrays that have fewer than four melds; never shown.
    pub(super) const PLACEHOLDER: Self = Self::plain(MeldKind::Pung, Face::FIRST, None);

    const fn plain(kind: MeldKind, face: Face, giver: Option<Side>) -> Self {
        Self { kind, face, giver, red: RedFive::Absent, added: false }
    }

    /// A chow by its lowest tile; always claimed from the left.
    ///
    /// `None` where the face is an honor, a bonus tile or above seven.
    pub const fn chow(lowest: Face, giver: Option<Side>) -> Option<Self> {
        if lowest.index() < 27 && lowest.number() <= 7 {
            Some(Self::plain(MeldKind::Chow, lowest, giver))
        } else {
            None
        }
    }

    /// Three or four alike; `None` for a bonus tile, or a chow.
    pub const fn alike(kind: MeldKind, face: Face, giver: Option<Side>) -> Option<Self> {
        match kind {
            MeldKind::Chow => None,
            _ if face.is_bonus() => None,
            MeldKind::ConcealedKong => Some(Self::plain(kind, face, None)),
            _ => Some(Self::plain(kind, face, giver)),
        }
    }

    /// Its kind.
    pub const fn kind(self) -> MeldKind {
        self.kind
    }

    /// Its face; a chow's lowest.
    pub const fn face(self) -> Face {
        self.face
    }

    /// The giver of the claimed tile, where the set shows it.
    pub const fn giver(self) -> Option<Side> {
        self.giver
    }

    /// Whether it was claimed from another player.
    pub const fn is_claimed(self) -> bool {
        !matches!(self.kind, MeldKind::ConcealedKong)
    }

    /// Three or four of the same face.
    pub const fn is_kong(self) -> bool {
        matches!(self.kind, MeldKind::OpenKong | MeldKind::ConcealedKong)
    }

    /// Whether it is a kong that shows one sideways tile: claimed for three concealed ones.
    pub const fn is_claimed_kong(self) -> bool {
        matches!(self.kind, MeldKind::OpenKong) && self.giver.is_some() && !self.added
    }

    /// The pung of a kong's face, from the same giver; any other set as it is.
    #[must_use]
    pub(crate) const fn as_pung(self) -> Self {
        if self.is_kong() { Self::plain(MeldKind::Pung, self.face, self.giver) } else { self }
    }

    /// Whether one of its tiles is a red five.
    pub const fn has_red_five(self) -> bool {
        !matches!(self.red, RedFive::Absent)
    }

    /// The same set of ordinary tiles.
    #[must_use]
    pub const fn without_red_five(self) -> Self {
        Self { red: RedFive::Absent, ..self }
    }

    /// The same set with the red five of its suit among the winner's own tiles; unchanged where the
    /// set has no five.
    #[must_use]
    pub fn with_red_five(self) -> Self {
        let five = self.faces().any(|face| !face.is_honor() && face.number() == 5);
        Self { red: if five { RedFive::Held } else { RedFive::Absent }, ..self }
    }

    /// Its faces, each once for each tile: three or four of them.
    pub fn faces(self) -> impl Iterator<Item = Face> + Clone {
        let (step, count) = match self.kind {
            MeldKind::Chow => (1, 3),
            MeldKind::Pung => (0, 3),
            MeldKind::OpenKong | MeldKind::ConcealedKong => (0, 4),
        };
        (0..count).filter_map(move |i| Face::from_index(self.face.index() + i * step))
    }

    /// Its tiles on the table: the claimed one sideways in its giver's place.
    fn tiles(self) -> impl Iterator<Item = SetTile> + Clone {
        let last = if self.is_kong() { 3 } else { 2 };
        let place = self.giver.map(|side| match side {
            Side::Left => 0,
            Side::Opposite => 1,
            Side::Right => last,
        });
        let red = match (self.kind, self.red) {
            (_, RedFive::Absent) => None,
            (MeldKind::Chow, _) => self.faces().position(|face| face.number() == 5),
            (_, RedFive::Claimed) => place.or(Some(0)),
            (_, RedFive::Held) => Some(usize::from(place == Some(0))),
        };
        self.faces().enumerate().map(move |(i, face)| {
            let tile = Tile::red_five(face.suit()).filter(|_| red == Some(i));
            SetTile {
                face: SeenFace::Tile(tile.unwrap_or(Tile::new(face))),
                sideways: place == Some(i),
            }
        })
    }

    /// The set on the table: the claimed tile sideways in its giver's place.
    pub fn seen(self) -> SeenSet {
        let form = if self.is_claimed() { SetForm::Claimed } else { SetForm::ConcealedKong };
        SeenSet { tiles: self.tiles().collect(), form }
    }
}

impl fmt::Display for Meld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (open, close) = if self.is_claimed() { ('(', ')') } else { ('[', ']') };
        f.write_char(open)?;
        write_tiles(f, self.tiles())?;
        f.write_char(close)
    }
}

/// Reads who gave a set from the places of its sideways tiles: first left, last right, others
/// opposite; a kong may have two, but not both ends.
fn giver(set: &SeenSet, kind: MeldKind) -> Result<Option<Side>, &'static str> {
    let last = set.tiles.len() - 1;
    let marked = |i: usize| set.tiles[i].sideways;
    let marks = set.tiles.iter().filter(|tile| tile.sideways).count();
    if marks > 0 && marked(0) && marked(last) {
        return Err(
            "tiles are marked in the first and in the last place; the claimed one has one place",
        );
    }
    match (kind, marks) {
        (_, 0) => Ok(None),
        (MeldKind::Chow, 1) => Ok(Some(Side::Left)),
        (MeldKind::Chow, _) => Err("two tiles are marked as claimed; a chow has one"),
        (MeldKind::Pung, 2..) => Err("two tiles are marked as claimed; a pung has one"),
        (_, 3..) => Err("three tiles are marked; a kong has one or two sideways"),
        _ if marked(0) => Ok(Some(Side::Left)),
        _ if marked(last) => Ok(Some(Side::Right)),
        _ => Ok(Some(Side::Opposite)),
    }
}

impl TryFrom<&SeenSet> for Meld {
    type Error = MeldError;

    /// # Errors
    /// Where the tiles are no chow, pung or kong, or the marks name no one giver.
    fn try_from(set: &SeenSet) -> Result<Self, MeldError> {
        let text = || set.to_string();
        let mut faces = [0u8; 4];
        let count = set.tiles.len();
        if !(3..=4).contains(&count) {
            return Err(MeldError::Size { set: text(), found: count });
        }
        for (slot, tile) in faces.iter_mut().zip(&set.tiles) {
            let SeenFace::Tile(tile) = tile.face else {
                return Err(MeldError::Unknown { set: text() });
            };
            if tile.face().is_bonus() {
                return Err(MeldError::Bonus { set: text() });
            }
            *slot = tile.face().index() as u8;
        }
        let faces = &mut faces[..count];
        faces.sort_unstable();
        let lowest = Face::from_index(usize::from(faces[0]));
        let alike = faces[0] == faces[count - 1];
        let in_a_row = count == 3 && faces[1] == faces[0] + 1 && faces[2] == faces[0] + 2;
        let kind = match (alike, count, set.form) {
            (true, 4, SetForm::ConcealedKong) => MeldKind::ConcealedKong,
            (_, _, SetForm::ConcealedKong) => {
                return Err(MeldError::NotConcealedKong { set: text() });
            }
            (true, 4, _) => MeldKind::OpenKong,
            (true, _, _) => MeldKind::Pung,
            _ => MeldKind::Chow,
        };
        if kind == MeldKind::Chow && !in_a_row {
            return Err(MeldError::NoSet { set: text() });
        }
        let giver =
            giver(set, kind).map_err(|expected| MeldError::Marks { set: text(), expected })?;
        let red = match (set.tiles.iter()).find(|tile| is_red(tile.face)) {
            None => RedFive::Absent,
            Some(tile) if tile.sideways && kind != MeldKind::Chow => RedFive::Claimed,
            Some(_) => RedFive::Held,
        };
        let meld = lowest.and_then(|face| match kind {
            MeldKind::Chow => Self::chow(face, giver),
            _ => Self::alike(kind, face, giver),
        });
        let meld = meld.ok_or_else(|| MeldError::NoSet { set: text() })?;
        let added = set.tiles.iter().filter(|tile| tile.sideways).count() == 2;
        Ok(Self { red, added, ..meld })
    }
}

/// Whether a tile is seen to be a red five.
pub(super) fn is_red(seen: SeenFace) -> bool {
    matches!(seen, SeenFace::Tile(tile) if tile.is_red())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::Reading;

    fn meld(text: &str) -> Result<Meld, MeldError> {
        let reading: Reading = text.parse().unwrap();
        Meld::try_from(&reading.sets[0])
    }

    #[test]
    fn the_sideways_tile_names_the_giver() {
        use Side::{Left, Opposite, Right};
        for (text, side) in [
            ("(7'77z)", Some(Left)),
            ("(77'7z)", Some(Opposite)),
            ("(777'z)", Some(Right)),
            ("(777z)", None),
            ("(1'111m)", Some(Left)),
            ("(11'11m)", Some(Opposite)),
            ("(111'1m)", Some(Opposite)),
            ("(11'1'1m)", Some(Opposite)),
            ("(1'1'11m)", Some(Left)),
            ("(111'1'm)", Some(Right)),
            ("(1111'm)", Some(Right)),
            ("(2'13m)", Some(Left)),
            ("(12'3m)", Some(Left)),
            ("(123'm)", Some(Left)),
            ("(123m)", None),
        ] {
            assert_eq!(meld(text).map(Meld::giver), Ok(side), "{text}");
        }
    }

    #[test]
    fn near_misses_are_refused() {
        for text in [
            "(12m)",
            "(12345m)",
            "(124m)",
            "(89m1p)",
            "(123z)",
            "(1123m)",
            "[123m]",
            "[111z]",
            "(11x1z)",
            "(123f)",
            "(1'23'm)",
            "(1'2'3m)",
            "(1'1'1m)",
            "(1'111'm)",
            "(1'1'1'1m)",
        ] {
            assert!(meld(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_meld_lies_as_its_giver_says() {
        for text in ["(7'77z)", "(77'7z)", "(777'z)", "(1'23s)", "(1111'm)", "[1111z]", "(345p)"] {
            let reading: Reading = text.parse().unwrap();
            let meld = Meld::try_from(&reading.sets[0]).unwrap();
            assert_eq!(meld.seen(), reading.sets[0]);
            assert_eq!(meld.to_string(), text);
        }
    }
}

//! Tiles in the JSON of records: hand text, `123m0p?`, flowers last.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use crate::{
    hand::{NotationError, Reading, SetTile, write_tiles},
    tile::SeenFace,
};

/// Tiles in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiles(pub Vec<SeenFace>);

impl Tiles {
    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<SeenFace> for Tiles {
    fn from_iter<I: IntoIterator<Item = SeenFace>>(tiles: I) -> Self {
        Self(tiles.into_iter().collect())
    }
}

impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_tiles(f, self.0.iter().map(|&face| SetTile { face, sideways: false }))
    }
}

/// Why a text is no list of tiles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TilesError {
    /// The text is not hand text.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// Sets or a winning tile.
    #[error("`{0}` has sets or a winning tile: expected tiles alone, such as 123m77z")]
    More(String),
}

impl FromStr for Tiles {
    type Err = TilesError;

    fn from_str(text: &str) -> Result<Self, TilesError> {
        let reading: Reading = text.parse()?;
        if !reading.sets.is_empty() || reading.winning.is_some() {
            return Err(TilesError::More(text.to_owned()));
        }
        Ok(Self([reading.concealed, reading.bonus].concat()))
    }
}

impl Serialize for Tiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Tiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// One tile as text, which may be unknown or face down.
pub(super) mod one {
    use super::*;

    pub fn serialize<S: Serializer>(tile: &SeenFace, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(tile)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<SeenFace, D::Error> {
        match Tiles::deserialize(deserializer)?.0[..] {
            [tile] => Ok(tile),
            ref more => Err(D::Error::custom(format!("{} tiles instead of one", more.len()))),
        }
    }
}

/// One tile as text, which has to be known.
pub(super) mod known {
    use super::*;
    use crate::tile::Tile;

    pub fn serialize<S: Serializer>(tile: &Tile, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(tile)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tile, D::Error> {
        match one::deserialize(deserializer)? {
            SeenFace::Tile(tile) => Ok(tile),
            other => Err(D::Error::custom(format!("`{other}` instead of a known tile"))),
        }
    }
}

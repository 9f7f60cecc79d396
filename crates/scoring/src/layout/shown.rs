//! The result of the layout: the tiles of a picture, its hand, and the doubts.

use super::doubt::{Doubt, Unread};
use crate::{
    hand::{Reading, WholeHand},
    sight::Corners,
    tile::{Face, SeenFace, Tile},
};

/// The role of a tile in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// A tile of the hand outside of its sets.
    Concealed,
    /// A tile of a claimed set or a concealed kong.
    Meld,
    /// The tile that finished the hand.
    Winning,
    /// A flower or season of the hand.
    Bonus,
    /// A tile of no hand: discards, walls, indicators, other players' tiles.
    Other,
}

impl Role {
    /// The word of the JSON format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Concealed => "concealed",
            Self::Meld => "meld",
            Self::Winning => "winning",
            Self::Bonus => "bonus",
            Self::Other => "other",
        }
    }
}

/// A tile of the picture with its place in the hand.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownTile {
    /// Its index among the tiles that were seen.
    pub seen: usize,
    /// The face that it shows.
    pub face: SeenFace,
    /// The probability of that face, 0-1.
    pub confidence: f32,
    /// Other faces that it may show, the likelier first, with their probabilities.
    pub alternatives: Vec<(Face, f32)>,
    /// Its corners from the face's own top left, clockwise.
    pub corners: Corners,
    /// Its role in the picture.
    pub role: Role,
    /// Its group, by index in [`PictureLayout::groups`].
    pub group: Option<usize>,
}

/// Tiles of one role that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct TileGroup {
    /// The role of its tiles.
    pub role: Role,
    /// Their indices in [`PictureLayout::tiles`], from the player's left.
    pub tiles: Vec<usize>,
    /// For sets: the index in [`Reading::sets`].
    pub set: Option<usize>,
}

/// The hand that a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownHand {
    /// The reading, with any number of tiles.
    pub reading: Reading,
    /// Probability that all of it is right, by faces and layout, 0-1.
    pub confidence: f32,
    /// Logarithm of the probability of its faces.
    pub log_likelihood: f32,
    /// Cost of making the hand legal, beyond the free reading, in nats; infinite where it could not be made legal, and
    /// then the reading is the free one.
    pub price: f32,
    /// Whether the tiles make a finished hand.
    pub finished: bool,
    /// The unsure and wrong parts.
    pub doubts: Vec<Doubt>,
}

/// The layout of a picture's tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PictureLayout {
    /// Every tile, those of no hand included.
    pub tiles: Vec<ShownTile>,
    /// The groups of the hand.
    pub groups: Vec<TileGroup>,
    /// The hand, where one is shown.
    pub hand: Option<ShownHand>,
    /// Face-up tiles in a row of face-down ones, by index in the tiles: in riichi the dora indicators.
    pub indicators: Vec<usize>,
    /// Why there is no hand.
    pub refusal: Option<Unread>,
}

impl PictureLayout {
    /// The dora indicators in the wall that show a face.
    pub fn indicators(&self) -> Vec<Tile> {
        (self.indicators.iter())
            .filter_map(|&tile| match self.tiles[tile].face {
                SeenFace::Tile(tile) => Some(tile),
                SeenFace::Back | SeenFace::Unknown => None,
            })
            .collect()
    }

    /// The known faces of all tiles outside the hand.
    pub fn elsewhere(&self) -> Vec<Face> {
        (self.tiles.iter())
            .filter(|tile| tile.role == Role::Other)
            .filter_map(|tile| match tile.face {
                SeenFace::Tile(tile) => Some(tile.face()),
                SeenFace::Back | SeenFace::Unknown => None,
            })
            .collect()
    }
}

/// A person's input about the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Hints {
    /// Corrections: index in [`PictureLayout::tiles`], and the tile's face.
    pub fixes: Vec<(usize, Tile)>,
    /// The size and forms of a whole hand under the rules.
    pub whole: WholeHand,
    /// The winning tile, where none is marked.
    pub winning: Option<Tile>,
    /// Whether the rest of the hand weighs in each tile's face; otherwise every tile has its likeliest face.
    pub joint: bool,
    /// Whether the player sits at the lower edge and sees the tiles as in the picture.
    pub seated_below: bool,
    /// Whether the hand is one of those that all players opened at the end of a deal.
    pub opened: Opened,
}

/// A hand's part in the hands that all players open at the end of a deal: nothing of such a hand lies elsewhere, and
/// its claimed sets lie apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Opened {
    /// It is none of these, as far as is known.
    #[default]
    Alone,
    /// It has won.
    Won,
    /// It has not won: it has a tile less than a whole one, and no winning tile.
    Lost,
}

impl Hints {
    /// The number of tiles that the hand should have, kongs counted as three.
    pub(super) const fn tiles(&self) -> usize {
        self.whole.tiles() - matches!(self.opened, Opened::Lost) as usize
    }
}

impl Default for Hints {
    fn default() -> Self {
        Self {
            fixes: Vec::new(),
            whole: WholeHand::default(),
            winning: None,
            joint: true,
            seated_below: false,
            opened: Opened::Alone,
        }
    }
}

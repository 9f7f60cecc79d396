//! What the layout gives: the tiles of a picture, the hand that they show, and what is in doubt.

use super::doubt::{Doubt, Unread};
use crate::{
    hand::{Reading, WholeHand},
    sight::Corners,
    tile::{Face, SeenFace, Tile},
};

/// What a tile is in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Of the hand, not laid open in a set.
    Concealed,
    /// Of a claimed set or a concealed kong.
    Meld,
    /// The tile that finished the hand.
    Winning,
    /// A flower or season of the hand.
    Bonus,
    /// Belongs to no hand: discards, walls, indicators, other players' tiles.
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
    /// What it shows.
    pub face: SeenFace,
    /// How sure that is, 0-1.
    pub confidence: f32,
    /// Other faces that it may show, the likelier first, with their probabilities.
    pub alternatives: Vec<(Face, f32)>,
    /// Its corners from the face's own top left, clockwise.
    pub corners: Corners,
    /// What it is in the picture.
    pub role: Role,
    /// Its group, by index in [`Shown::groups`].
    pub group: Option<usize>,
}

/// Tiles of one role that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// What they are.
    pub role: Role,
    /// Their indices in [`Shown::tiles`], from the player's left.
    pub tiles: Vec<usize>,
    /// For sets: the index in [`Reading::sets`].
    pub set: Option<usize>,
}

/// The hand that a picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownHand {
    /// What was read, whatever the number of tiles.
    pub reading: Reading,
    /// Probability that all of it is right, as far as faces and layout tell, 0-1.
    pub confidence: f32,
    /// Logarithm of the probability of its faces.
    pub log_likelihood: f32,
    /// What making the hand legal cost beside the free reading, in nats; infinite where it could
    /// not be made legal, and then the reading is the free one.
    pub price: f32,
    /// Whether the tiles make a finished hand.
    pub finished: bool,
    /// What is unsure or wrong.
    pub doubts: Vec<Doubt>,
}

/// What a picture shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    /// Every tile, those of no hand included.
    pub tiles: Vec<ShownTile>,
    /// The groups of the hand.
    pub groups: Vec<Group>,
    /// The hand, where one is shown.
    pub hand: Option<ShownHand>,
    /// Face-up tiles in a row of face-down ones, by index in the tiles: in riichi the dora indicators.
    pub indicators: Vec<usize>,
    /// Why there is no hand.
    pub refusal: Option<Unread>,
}

impl Shown {
    /// What the dora indicators in the wall show, where any is seen.
    pub fn indicators(&self) -> Vec<Tile> {
        (self.indicators.iter())
            .filter_map(|&tile| match self.tiles[tile].face {
                SeenFace::Tile(tile) => Some(tile),
                SeenFace::Back | SeenFace::Unknown => None,
            })
            .collect()
    }

    /// The faces of all tiles that belong to no hand, as far as they are known.
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

/// What a person tells about the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Hints {
    /// Corrections: index in [`Shown::tiles`], and what the tile is.
    pub fixes: Vec<(usize, Tile)>,
    /// What a whole hand is under the rules that are played.
    pub whole: WholeHand,
    /// The winning tile, where none is marked.
    pub winning: Option<Tile>,
    /// False: take every tile for its likeliest face, whatever the rest of the hand says.
    pub joint: bool,
    /// The player sits at the lower edge: the tiles are given as he sees them.
    pub seated_below: bool,
}

impl Default for Hints {
    fn default() -> Self {
        Self {
            fixes: Vec::new(),
            whole: WholeHand::default(),
            winning: None,
            joint: true,
            seated_below: false,
        }
    }
}

//! The seen tiles of a hand, legal or not: any tiles, any number of them, face down or unknown
//! ones included. Turning a reading into a legal hand is a step that can fail.

use crate::tile::{Face, SeenFace};

/// Anything that can be written as one line of hand text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Reading {
    /// The concealed tiles in their order, without the winning tile.
    pub concealed: Vec<SeenFace>,
    /// Open sets and concealed kongs, in the order in which they were laid down.
    pub sets: Vec<SeenSet>,
    /// Flowers and seasons.
    pub bonus: Vec<SeenFace>,
    /// The winning tile, where one is marked. It is part of the hand and kept only here.
    pub winning: Option<SeenFace>,
}

impl Reading {
    /// The faces of all its recognised tiles.
    pub fn faces(&self) -> impl Iterator<Item = Face> + '_ {
        let sets = self.sets.iter().flat_map(|set| &set.tiles).map(|tile| &tile.face);
        let all = self.concealed.iter().chain(sets).chain(&self.bonus).chain(&self.winning);
        all.filter_map(|seen| match seen {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        })
    }
}

/// A set laid apart from the concealed tiles.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeenSet {
    /// Its tiles in order, from the player's left.
    pub tiles: Vec<SetTile>,
    /// The way in which it was made.
    pub form: SetForm,
}

/// A tile of a set laid apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetTile {
    /// Its face.
    pub face: SeenFace,
    /// Whether it is sideways, that is claimed (`'` in the notation).
    pub sideways: bool,
}

/// Whether a set was claimed or declared from the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetForm {
    /// `(...)`: claimed from another player.
    Claimed,
    /// `[....]`: a concealed kong.
    ConcealedKong,
}

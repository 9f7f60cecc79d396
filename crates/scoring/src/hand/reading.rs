//! The seen tiles of a hand, legal or not: any tiles, any number of them, face down or unknown
//! ones included. Turning a reading into a legal hand is a step that can fail.

use crate::tile::{Face, SeenFace, Side, Tile};

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

impl SeenSet {
    /// A set of tiles from the hand and a claimed one, which lies sideways on its giver's side.
    pub fn claimed(
        giver: Side,
        claimed: SeenFace,
        own: impl IntoIterator<Item = SeenFace>,
    ) -> Self {
        let upright = |face| SetTile { face, sideways: false };
        let mut tiles: Vec<SetTile> = own.into_iter().map(upright).collect();
        let place = match giver {
            Side::Left => 0,
            Side::Opposite => tiles.len().min(1),
            Side::Right => tiles.len(),
        };
        tiles.insert(place, SetTile { face: claimed, sideways: true });
        Self { tiles, form: SetForm::Claimed }
    }

    /// A claimed pung and its fourth tile, sideways before the claimed one; `None` where this is no pung of that face with
    /// one sideways tile.
    pub fn with_added(&self, added: Tile) -> Option<Self> {
        let is_alike = |tile: &SetTile| match tile.face {
            SeenFace::Tile(tile) => tile.face() == added.face(),
            SeenFace::Back | SeenFace::Unknown => true,
        };
        let claimed = self.tiles.iter().position(|tile| tile.sideways)?;
        let marks = self.tiles.iter().filter(|tile| tile.sideways).count();
        if self.tiles.len() != 3 || marks != 1 || !self.tiles.iter().all(is_alike) {
            return None;
        }
        let mut kong = self.clone();
        kong.tiles.insert(claimed, SetTile { face: SeenFace::Tile(added), sideways: true });
        Some(kong)
    }
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

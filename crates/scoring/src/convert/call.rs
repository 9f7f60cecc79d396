//! The parts of a set laid apart: the claimed tile with its giver, and the tiles from the hand.
//!
//! Of an added kong with its two sideways tiles side by side, the first is the added one and the second
//! the claimed one, as in Tenhou's log.

use super::ConvertError;
use crate::{
    hand::{Meld, MeldKind, SeenSet, SetForm, SetTile},
    tile::{SeenFace, Side, Tile},
};

/// A claimed set or a concealed kong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub kind: CallKind,
    /// The giver of the claimed tile; `None` where it is not shown. A chow's comes from the left.
    pub giver: Option<Side>,
    /// The tiles in their order on the table. Without a giver the order means nothing.
    pub tiles: Vec<Tile>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CallKind {
    Chow,
    Pung,
    /// Claimed from a discard.
    Kong,
    /// A claimed pung to which the fourth was added.
    AddedKong,
    ConcealedKong,
}

impl Call {
    /// The place of the tile that was claimed, in `tiles`; `None` for a concealed kong or where it is
    /// not shown.
    pub(super) fn claimed(&self) -> Option<usize> {
        let last = self.tiles.len() - 1;
        Some(match (self.kind, self.giver?) {
            (CallKind::ConcealedKong, _) => return None,
            (CallKind::AddedKong, Side::Left) => 1,
            (CallKind::AddedKong, Side::Opposite) => 2,
            (_, Side::Left) => 0,
            (_, Side::Opposite) => 1,
            (_, Side::Right) => last,
        })
    }

    /// The place of the tile that was added to a pung: before the claimed one.
    pub(super) fn added(&self) -> Option<usize> {
        (self.kind == CallKind::AddedKong).then(|| self.claimed()).flatten().map(|place| place - 1)
    }

    /// The tiles from the hand when the set was claimed, in their order.
    pub(super) fn own(&self) -> Vec<Tile> {
        let (claimed, added) = (self.claimed(), self.added());
        (self.tiles.iter().enumerate())
            .filter(|(place, _)| Some(*place) != claimed && Some(*place) != added)
            .map(|(_, tile)| *tile)
            .collect()
    }

    pub(super) fn seen(&self) -> SeenSet {
        let (claimed, added) = (self.claimed(), self.added());
        SeenSet {
            tiles: (self.tiles.iter().enumerate())
                .map(|(place, tile)| SetTile {
                    face: SeenFace::Tile(*tile),
                    sideways: Some(place) == claimed || Some(place) == added,
                })
                .collect(),
            form: match self.kind {
                CallKind::ConcealedKong => SetForm::ConcealedKong,
                _ => SetForm::Claimed,
            },
        }
    }
}

impl TryFrom<&SeenSet> for Call {
    type Error = ConvertError;

    fn try_from(set: &SeenSet) -> Result<Self, ConvertError> {
        let meld = Meld::try_from(set)?;
        let marked = set.tiles.iter().filter(|tile| tile.sideways).count();
        let kind = match meld.kind() {
            MeldKind::Chow => CallKind::Chow,
            MeldKind::Pung => CallKind::Pung,
            MeldKind::OpenKong if marked == 2 => CallKind::AddedKong,
            MeldKind::OpenKong => CallKind::Kong,
            MeldKind::ConcealedKong => CallKind::ConcealedKong,
        };
        let known = |wanted: Option<bool>| -> Vec<Tile> {
            (set.tiles.iter().filter(|tile| wanted.is_none_or(|wanted| tile.sideways == wanted)))
                .filter_map(|tile| match tile.face {
                    SeenFace::Tile(tile) => Some(tile),
                    SeenFace::Back | SeenFace::Unknown => None,
                })
                .collect()
        };
        let mut call = Self { kind, giver: meld.giver(), tiles: known(None) };
        // The claimed tile of a chow is first, wherever the mark is; a kong's marks may be in any of its middle
        // places.
        if let Some(place) = call.added().or(call.claimed()) {
            call.tiles = known(Some(false));
            for (step, tile) in known(Some(true)).into_iter().enumerate() {
                call.tiles.insert(place + step, tile);
            }
        }
        Ok(call)
    }
}

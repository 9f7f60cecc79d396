//! The tiles that lie still: a tile that a hand carries over the table passes every area on its way.

use std::{collections::BTreeMap, time::Duration};

use super::Look;
use crate::{
    calibration::table::{Edge, TableView},
    sight::{
        SeenTile,
        quad::{centre, sides},
        rank::quantile,
    },
    tile::SeenFace,
};

/// Time without a move and with the same face after which a tile lies still.
const STILL: Duration = Duration::from_millis(500);
/// Time out of sight after which something may have happened to a tile.
pub(super) const HIDDEN: Duration = Duration::from_millis(700);
/// Distance by which a tile has moved, as a part of its short side.
const MOVED: f32 = 0.3;

/// Least short side of a whole tile, as a share of most tiles': a part that shows beside an arm looks like another tile.
const WHOLE: f32 = 0.8;

/// Where a tile is on the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Its middle, in thousandths of the table's edge.
    pub at: [f32; 2],
    /// Its short side in the same unit.
    pub short: f32,
    /// The time since it was last seen there.
    pub unseen: Duration,
}

impl Spot {
    /// The distance of another one's middle, in short sides.
    pub fn away(&self, other: [f32; 2]) -> f32 {
        (self.at[0] - other[0]).hypot(self.at[1] - other[1]) / self.short.max(1e-3)
    }
}

/// A tile that lies still.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resting<'a> {
    pub id: u64,
    pub tile: &'a SeenTile,
    pub face: SeenFace,
    /// The probability of its face.
    pub confidence: f32,
    pub spot: Spot,
    /// Since when it has lain like this.
    pub since: Duration,
    /// When it was first seen.
    pub first: Duration,
}

/// How a tile lies.
#[derive(Debug)]
struct Rest {
    first: Duration,
    since: Duration,
    at: [f32; 2],
    face: SeenFace,
}

/// Where each tile last came to lie, and with which face.
#[derive(Debug, Default)]
pub(super) struct Rests(BTreeMap<u64, Rest>);

impl Rests {
    /// Takes the tiles in; returns where each one is, and those that lie still.
    pub fn take<'a>(
        &mut self,
        look: &Look<'a>,
        view: &TableView,
    ) -> (BTreeMap<u64, Spot>, Vec<Resting<'a>>) {
        let mut before = std::mem::take(&mut self.0);
        let (mut spots, mut resting) = (BTreeMap::new(), Vec::new());
        for (place, (tile, id)) in look.tiles.iter().zip(look.ids).enumerate() {
            let Some(above) = view.seen_from(Edge::Bottom, tile) else { continue };
            let unseen = look.unseen.get(place).copied().unwrap_or_default();
            let spot = Spot { at: centre(&above.corners), short: sides(&above.corners)[0], unseen };
            let (face, confidence) = tile.classified();
            let known = before.remove(id);
            let first = known.as_ref().map_or(look.at, |known| known.first);
            let new = || Rest { first, since: look.at, at: spot.at, face };
            let still = known.filter(|it| spot.away(it.at) <= MOVED && it.face == face);
            let rest = still.unwrap_or_else(new);
            let since = rest.since;
            self.0.insert(*id, rest);
            spots.insert(*id, spot);
            if look.at.saturating_sub(since) >= STILL {
                resting.push(Resting { id: *id, tile, face, confidence, spot, since, first });
            }
        }
        let most = quantile(spots.values().map(|spot| spot.short), 0.5).unwrap_or_default();
        resting.retain(|rest: &Resting| rest.spot.short >= WHOLE * most);
        (spots, resting)
    }
}

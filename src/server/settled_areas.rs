//! The settled areas of a table: each player's tiles settle separately, since something always moves somewhere.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::tracked_picture::{STIRRED, TrackedPicture, face, stirred};
use crate::{
    calibration::table::{TableView, Zone},
    sight::SeenTile,
    tile::Seat,
};

/// Tiles that have not moved for this time have settled.
const SETTLED: Duration = Duration::from_millis(800);

/// An area of the table: a player's own tiles, a player's discards, or the rest.
type TableArea = (u8, Option<Seat>);

const fn part(zone: Zone) -> TableArea {
    match zone {
        Zone::Own(seat) => (0, Some(seat)),
        Zone::Discards(seat) => (1, Some(seat)),
        Zone::Elsewhere => (2, None),
    }
}

/// A tile and its tracking number.
type NumberedTile = (u64, SeenTile);

struct AreaState {
    /// The tiles at their last move or change.
    tiles: Vec<NumberedTile>,
    since: Instant,
    /// The tiles when they last were settled.
    settled: Vec<NumberedTile>,
    /// Whether they have moved since.
    moving: bool,
}

/// The areas of a table, each as it last was settled.
#[derive(Default)]
pub(super) struct SettledAreas {
    parts: BTreeMap<TableArea, AreaState>,
    /// The area and position of each tile. A tile on the border of two areas keeps its area; otherwise noise would move
    /// it back and forth, and neither would settle.
    lie: BTreeMap<u64, (TableArea, [f32; 2])>,
    changed: u64,
}

impl SettledAreas {
    /// Starts the count of changes at `changed`.
    pub fn counting_from(changed: u64) -> Self {
        Self { changed, ..Self::default() }
    }

    /// Takes a picture in; returns whether an area settled or began to move.
    pub fn take(&mut self, tracked: &TrackedPicture, view: &TableView) -> bool {
        let mut now: BTreeMap<TableArea, Vec<NumberedTile>> = BTreeMap::new();
        for part in self.parts.keys() {
            now.insert(*part, Vec::new());
        }
        let before = std::mem::take(&mut self.lie);
        for (id, tile) in tracked.ids.iter().zip(&tracked.tiles) {
            let centre = crate::sight::quad::centre(&tile.corners);
            let lay = before
                .get(id)
                .copied()
                .filter(|(_, at)| (at[0] - centre[0]).hypot(at[1] - centre[1]) <= STIRRED);
            let lies = lay.unwrap_or_else(|| (part(view.zone(centre)), centre));
            now.entry(lies.0).or_default().push((*id, tile.clone()));
            self.lie.insert(*id, lies);
        }
        let (mut news, mut settled_anew) = (false, false);
        for (part, tiles) in now {
            let watched = self.parts.entry(part).or_insert_with(|| AreaState {
                tiles: Vec::new(),
                since: tracked.at,
                settled: Vec::new(),
                moving: false,
            });
            if !same(&watched.tiles, &tiles) {
                watched.tiles = tiles;
                watched.since = tracked.at;
            }
            let lain = tracked.at.saturating_duration_since(watched.since);
            let moving = !tracked.settled && lain < SETTLED;
            if !moving && !same(&watched.settled, &watched.tiles) {
                watched.settled = watched.tiles.clone();
                settled_anew = true;
            }
            news |= moving != watched.moving;
            watched.moving = moving;
        }
        self.changed += u64::from(settled_anew);
        news || settled_anew
    }

    /// The players before whom something moves.
    pub fn moving(&self) -> Vec<Seat> {
        let moving = self.parts.iter().filter(|(_, watched)| watched.moving);
        let mut seats: Vec<Seat> = moving.filter_map(|((_, seat), _)| *seat).collect();
        seats.sort();
        seats.dedup();
        seats
    }

    /// The newest picture with the tiles of all areas as they last were settled.
    pub fn picture(&self, newest: &TrackedPicture) -> TrackedPicture {
        let settled = self.parts.values().flat_map(|watched| &watched.settled);
        let (ids, tiles) = settled.cloned().unzip();
        TrackedPicture { ids, tiles, settled: true, changed: self.changed, ..newest.clone() }
    }
}

/// The same tiles with the same faces in the same places.
fn same(before: &[NumberedTile], now: &[NumberedTile]) -> bool {
    before.len() == now.len()
        && before.iter().zip(now).all(|((a, before), (b, now))| {
            a == b && face(before) == face(now) && !stirred(before, now, STIRRED)
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{
        calibration::table::{Edge, TableProfile},
        picture::Picture,
        sight::laid,
        tile::Face,
    };

    fn view() -> TableView {
        let corners = [[0.0, 0.0], [1000.0, 0.0], [1000.0, 1000.0], [0.0, 1000.0]];
        TableProfile::new([1000, 1000], corners, Edge::Bottom).unwrap().view([1000, 1000])
    }

    fn tracked(at: Instant, tiles: &[(u64, f32, f32, usize)]) -> TrackedPicture {
        let seen = |&(_, x, y, face): &(u64, f32, f32, usize)| {
            let corners = [[x, y], [x + 26.0, y], [x + 26.0, y + 34.0], [x, y + 34.0]];
            laid::tile(Face::from_index(face).unwrap(), corners)
        };
        TrackedPicture {
            tileset: None,
            unseen: Vec::new(),
            picture: Arc::new(Picture::from_rgb(image::RgbImage::new(64, 64)).unwrap()),
            at,
            tiles: tiles.iter().map(seen).collect(),
            ids: tiles.iter().map(|tile| tile.0).collect(),
            settled: false,
            changed: 0,
        }
    }

    #[test]
    fn one_players_tiles_settle_while_another_moves_his() {
        let (view, start) = (view(), Instant::now());
        let mut settling = SettledAreas::default();
        let mut came = Vec::new();
        for step in 0..20u64 {
            let at = start + Duration::from_millis(100 * step);
            let east = (1, 480.0, 900.0, 5);
            let west = (2, 400.0 + 10.0 * step as f32, 60.0, 7);
            let now = tracked(at, &[east, west]);
            if settling.take(&now, &view) {
                came.push((step, settling.picture(&now).ids, settling.moving()));
            }
        }
        let both = vec![Seat::East, Seat::West];
        assert_eq!(came, [(0, vec![], both), (8, vec![1], vec![Seat::West])]);
    }

    #[test]
    fn a_tile_on_a_border_settles_though_the_picture_is_noisy() {
        let (view, start) = (view(), Instant::now());
        let mut settling = SettledAreas::default();
        for step in 0..12u64 {
            // Its centre is now on this side of the border of East's hand, now on that.
            let y = if step % 2 == 0 { 742.5 } else { 743.5 };
            let now = tracked(start + Duration::from_millis(100 * step), &[(1, 480.0, y, 5)]);
            settling.take(&now, &view);
        }
        assert_eq!(settling.moving(), []);
    }

    #[test]
    fn what_changes_is_shown_as_it_was_until_it_has_settled_again() {
        let (view, start) = (view(), Instant::now());
        let mut settling = SettledAreas::default();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let shown = |settling: &SettledAreas, now: &TrackedPicture| {
            settling.picture(now).tiles.iter().map(face).collect::<Vec<_>>()
        };
        let five = |ms| tracked(at(ms), &[(1, 480.0, 900.0, 5)]);
        let six = |ms| tracked(at(ms), &[(1, 480.0, 900.0, 6)]);
        settling.take(&five(0), &view);
        settling.take(&five(900), &view);
        assert_eq!(shown(&settling, &five(900)), [Some(5)]);
        settling.take(&six(1000), &view);
        assert_eq!(shown(&settling, &six(1000)), [Some(5)]);
        settling.take(&five(1300), &view);
        settling.take(&six(1400), &view);
        settling.take(&six(2100), &view);
        assert_eq!(shown(&settling, &six(2100)), [Some(5)], "less than 0.8 s");
        assert!(settling.take(&six(2200), &view));
        assert_eq!(shown(&settling, &six(2200)), [Some(6)]);
        // All gone: that settles too.
        settling.take(&tracked(at(2300), &[]), &view);
        settling.take(&tracked(at(3200), &[]), &view);
        assert_eq!(shown(&settling, &six(3200)), []);
    }
}

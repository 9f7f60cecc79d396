//! What has settled of a table on which four people play: each player's tiles by themselves, since
//! somewhere something always moves.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::look::{Look, STIRRED, face, stirred};
use crate::{
    calibration::table::{TableView, Zone},
    sight::SeenTile,
    tile::Seat,
};

/// Tiles that have lain as they are for so long have settled.
const SETTLED: Duration = Duration::from_millis(800);

/// A part of the table: a player's own tiles, his discards, or the rest.
type Part = (u8, Option<Seat>);

const fn part(zone: Zone) -> Part {
    match zone {
        Zone::Own(seat) => (0, Some(seat)),
        Zone::Discards(seat) => (1, Some(seat)),
        Zone::Elsewhere => (2, None),
    }
}

/// A tile with the number that stays with it.
type Numbered = (u64, SeenTile);

struct Watched {
    /// How they lay when they last moved or changed.
    tiles: Vec<Numbered>,
    since: Instant,
    /// How they lay when they last were settled.
    settled: Vec<Numbered>,
    /// Whether they have moved since.
    moving: bool,
}

/// The parts of a table, each as it last was settled.
#[derive(Default)]
pub(super) struct Settling {
    parts: BTreeMap<Part, Watched>,
    /// In which part each tile was found to lie, and where: on the border between two it would
    /// otherwise go from one to the other with the noise of the picture, and neither would settle.
    lie: BTreeMap<u64, (Part, [f32; 2])>,
    changed: u64,
}

impl Settling {
    /// Changes are counted from that number.
    pub fn counting_from(changed: u64) -> Self {
        Self { changed, ..Self::default() }
    }

    /// Takes a look in; whether anything settled anew, or began to move.
    pub fn take(&mut self, look: &Look, view: &TableView) -> bool {
        let mut now: BTreeMap<Part, Vec<Numbered>> = BTreeMap::new();
        for part in self.parts.keys() {
            now.insert(*part, Vec::new());
        }
        let before = std::mem::take(&mut self.lie);
        for (id, tile) in look.ids.iter().zip(&look.tiles) {
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
            let watched = self.parts.entry(part).or_insert_with(|| Watched {
                tiles: Vec::new(),
                since: look.at,
                settled: Vec::new(),
                moving: false,
            });
            if !same(&watched.tiles, &tiles) {
                watched.tiles = tiles;
                watched.since = look.at;
            }
            let lain = look.at.saturating_duration_since(watched.since);
            let moving = !look.settled && lain < SETTLED;
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

    /// All parts together, each as it last was settled; the picture is the newest.
    pub fn look(&self, newest: &Look) -> Look {
        let settled = self.parts.values().flat_map(|watched| &watched.settled);
        let (ids, tiles) = settled.cloned().unzip();
        Look { ids, tiles, settled: true, changed: self.changed, ..newest.clone() }
    }
}

/// The same tiles with the same faces in the same places.
fn same(before: &[Numbered], now: &[Numbered]) -> bool {
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

    fn look(at: Instant, tiles: &[(u64, f32, f32, usize)]) -> Look {
        let seen = |&(_, x, y, face): &(u64, f32, f32, usize)| {
            let corners = [[x, y], [x + 26.0, y], [x + 26.0, y + 34.0], [x, y + 34.0]];
            laid::tile(Face::from_index(face).unwrap(), corners)
        };
        Look {
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
        let mut settling = Settling::default();
        let mut came = Vec::new();
        for step in 0..20u64 {
            let at = start + Duration::from_millis(100 * step);
            let east = (1, 480.0, 900.0, 5);
            let west = (2, 400.0 + 10.0 * step as f32, 60.0, 7);
            let now = look(at, &[east, west]);
            if settling.take(&now, &view) {
                came.push((step, settling.look(&now).ids, settling.moving()));
            }
        }
        let both = vec![Seat::East, Seat::West];
        assert_eq!(came, [(0, vec![], both), (8, vec![1], vec![Seat::West])]);
    }

    #[test]
    fn a_tile_on_a_border_settles_though_the_picture_is_noisy() {
        let (view, start) = (view(), Instant::now());
        let mut settling = Settling::default();
        for step in 0..12u64 {
            // Its centre is now on this side of the border of East's hand, now on that.
            let y = if step % 2 == 0 { 742.5 } else { 743.5 };
            let now = look(start + Duration::from_millis(100 * step), &[(1, 480.0, y, 5)]);
            settling.take(&now, &view);
        }
        assert_eq!(settling.moving(), []);
    }

    #[test]
    fn what_changes_is_shown_as_it_was_until_it_has_settled_again() {
        let (view, start) = (view(), Instant::now());
        let mut settling = Settling::default();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let shown = |settling: &Settling, now: &Look| {
            settling.look(now).tiles.iter().map(face).collect::<Vec<_>>()
        };
        let five = |ms| look(at(ms), &[(1, 480.0, 900.0, 5)]);
        let six = |ms| look(at(ms), &[(1, 480.0, 900.0, 6)]);
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
        settling.take(&look(at(2300), &[]), &view);
        settling.take(&look(at(3200), &[]), &view);
        assert_eq!(shown(&settling, &six(3200)), []);
    }
}

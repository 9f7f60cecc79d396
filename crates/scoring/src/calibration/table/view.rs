//! Assigns tiles to players and gives each player's view of his own.

use std::collections::BTreeMap;

use super::{Area, Edge, Homography, TableProfile};
use crate::{
    sight::{Corners, SeenTile, rank::quantile},
    tile::Seat,
};

/// Width of a player's own view, in pixels.
const VIEW: f32 = 1000.0;
/// Largest distance across a row between discards of one row, as a share of a tile's height.
const SAME_ROW: f32 = 0.5;
/// Least width of a free place in a row, as a share of a tile's width.
const FREE_PLACE: f32 = 0.7;
/// Number of discards in a full row.
const ROW: usize = 6;

/// The area of the table in which a tile lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// A player's hand or open sets.
    Own(Seat),
    /// A player's discards.
    Discards(Seat),
    /// Outside of all areas.
    Elsewhere,
}

/// A player's discards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Discarded {
    /// Indices, in the order of discarding: from the left, the row farthest from the player first.
    pub tiles: Vec<usize>,
    /// Whether the rows have no free place, so that probably no discard was missed.
    pub without_gaps: bool,
    /// Those at right angles to the others, by index: one after a riichi.
    pub sideways: Vec<usize>,
}

/// The tiles in front of one player, by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerTiles {
    /// His hand and open sets.
    pub own: Vec<usize>,
    /// His discards.
    pub discards: Discarded,
}

/// A table in pictures of one size.
#[derive(Clone, Debug)]
pub struct TableView {
    /// `None` for a picture without a size: it has no areas.
    to_table: Option<Homography>,
    seats: Vec<(Seat, Edge, [Area; 2], Area)>,
}

impl TableView {
    pub(super) fn new(profile: &TableProfile, size: [u32; 2]) -> Self {
        let scale = [0, 1].map(|axis| size[axis] as f32 / profile.picture[axis].max(1) as f32);
        let corners = profile.corners.map(|[x, y]| [x * scale[0], y * scale[1]]);
        let to_table = Homography::from_square(&corners).map(|there| there.inverse());
        let seats = (profile.seats.iter())
            .map(|(seat, place)| {
                let areas = profile.areas_of(*seat);
                (*seat, place.edge, [areas.hand, areas.sets], areas.discards)
            })
            .collect();
        Self { to_table, seats }
    }

    /// The visible seats.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + '_ {
        self.seats.iter().map(|(seat, ..)| *seat)
    }

    /// The zone of a point of the picture.
    #[must_use]
    pub fn zone(&self, point: [f32; 2]) -> Zone {
        let Some(at) = self.to_table.and_then(|there| there.map(point)) else {
            return Zone::Elsewhere;
        };
        // Where areas overlap, the one in which the point is deepest.
        let mut zones = self.zones_at(at);
        zones.sort_by(|a, b| b.0.total_cmp(&a.0));
        zones.first().map_or(Zone::Elsewhere, |(_, zone)| *zone)
    }

    /// The zones of a point of the table, with its depth in each.
    pub(super) fn zones_at(&self, at: [f32; 2]) -> Vec<(f32, Zone)> {
        (self.seats.iter())
            .flat_map(|(seat, edge, own, discards)| {
                let seen = seen_from(*edge, at);
                let own = own.iter().map(|area| area.depth_of(seen)).fold(f32::MIN, f32::max);
                [(own, Zone::Own(*seat)), (discards.depth_of(seen), Zone::Discards(*seat))]
            })
            .filter(|(depth, _)| *depth >= 0.0)
            .collect()
    }

    /// Whether a point of the picture lies among a player's open sets, rather than in his hand.
    #[must_use]
    pub fn is_among_sets(&self, seat: Seat, point: [f32; 2]) -> bool {
        let at = self.to_table.and_then(|there| there.map(point));
        let own = self.seats.iter().find(|(other, ..)| *other == seat);
        at.zip(own).is_some_and(|(at, (_, edge, [hand, sets], _))| {
            let seen = seen_from(*edge, at);
            sets.depth_of(seen) >= hand.depth_of(seen).max(0.0)
        })
    }

    /// A tile as a player sees it from his side, in a view of 1000 pixels each way; `None` beyond the horizon, or
    /// if the seat is not visible.
    #[must_use]
    pub fn seen_by(&self, seat: Seat, tile: &SeenTile) -> Option<SeenTile> {
        let edge = self.seats.iter().find(|(other, ..)| *other == seat)?.1;
        self.seen_from(edge, tile)
    }

    /// A tile as seen from an edge of the table, in a view of 1000 pixels each way; `None` beyond the horizon.
    #[must_use]
    pub fn seen_from(&self, edge: Edge, tile: &SeenTile) -> Option<SeenTile> {
        let to_table = self.to_table?;
        let mut corners: Corners = tile.corners;
        for corner in &mut corners {
            *corner = seen_from(edge, to_table.map(*corner)?).map(|x| x * VIEW);
        }
        Some(SeenTile { corners, ..tile.clone() })
    }

    /// The tiles on the table outside of all players' areas, by index.
    #[must_use]
    pub fn strays(&self, tiles: &[SeenTile]) -> Vec<usize> {
        let on_table = |at: [f32; 2]| at.iter().all(|x| (0.0..=1.0).contains(x));
        let strays = tiles.iter().enumerate().filter(|(_, tile)| {
            let point = middle(&tile.corners);
            let at = self.to_table.and_then(|there| there.map(point));
            self.zone(point) == Zone::Elsewhere && at.is_some_and(on_table)
        });
        strays.map(|(index, _)| index).collect()
    }

    /// Assigns each tile to the player in front of whom it lies.
    #[must_use]
    pub fn divide(&self, tiles: &[SeenTile]) -> BTreeMap<Seat, PlayerTiles> {
        let mut lying: BTreeMap<Seat, PlayerTiles> =
            self.seats().map(|seat| (seat, PlayerTiles::default())).collect();
        for (index, tile) in tiles.iter().enumerate() {
            match self.zone(middle(&tile.corners)) {
                Zone::Own(seat) => lying.entry(seat).or_default().own.push(index),
                Zone::Discards(seat) => {
                    lying.entry(seat).or_default().discards.tiles.push(index);
                }
                Zone::Elsewhere => {}
            }
        }
        for (seat, lying) in &mut lying {
            let seen: Vec<(usize, Corners)> = (lying.discards.tiles.iter())
                .filter_map(|&index| Some((index, self.seen_by(*seat, &tiles[index])?.corners)))
                .collect();
            lying.discards = in_rows(seen);
        }
        lying
    }
}

fn middle(corners: &Corners) -> [f32; 2] {
    [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f32>() / 4.0)
}

/// A point of the table in the view of the player at an edge.
fn seen_from(edge: Edge, [x, y]: [f32; 2]) -> [f32; 2] {
    match edge {
        Edge::Bottom => [x, y],
        Edge::Right => [1.0 - y, x],
        Edge::Top => [1.0 - x, 1.0 - y],
        Edge::Left => [y, 1.0 - x],
    }
}

/// Discards in order, by their places in their player's view.
fn in_rows(mut seen: Vec<(usize, Corners)>) -> Discarded {
    if seen.is_empty() {
        return Discarded { without_gaps: true, ..Discarded::default() };
    }
    let extent = |corners: &Corners, axis: usize| {
        let along = corners.map(|corner| corner[axis]);
        along.into_iter().fold(f32::MIN, f32::max) - along.into_iter().fold(f32::MAX, f32::min)
    };
    let median = |axis: usize| {
        quantile(seen.iter().map(|(_, corners)| extent(corners, axis)), 0.5).unwrap_or(0.0)
    };
    let (width, height) = (median(0), median(1));
    // By its long sides: some faces look much the same from every side.
    let lies_sideways = |[a, b, c, _]: &Corners| {
        let [ab, bc] = [[a, b], [b, c]].map(|[p, q]| [q[0] - p[0], q[1] - p[1]]);
        let [x, y] = if ab[0].hypot(ab[1]) > bc[0].hypot(bc[1]) { ab } else { bc };
        x.abs() > y.abs()
    };
    let sideways = seen.iter().filter(|(_, corners)| lies_sideways(corners));
    let sideways = sideways.map(|(index, _)| *index).collect();
    seen.sort_by(|(_, a), (_, b)| middle(a)[1].total_cmp(&middle(b)[1]));
    let mut rows: Vec<Vec<(usize, Corners)>> = Vec::new();
    let mut last = f32::MIN;
    for (index, corners) in seen {
        let y = middle(&corners)[1];
        match rows.last_mut() {
            Some(row) if y - last < SAME_ROW * height => row.push((index, corners)),
            _ => rows.push(vec![(index, corners)]),
        }
        last = y;
    }
    for row in &mut rows {
        row.sort_by(|(_, a), (_, b)| middle(a)[0].total_cmp(&middle(b)[0]));
    }
    let free = |[a, b]: [&Corners; 2]| {
        let between = middle(b)[0] - middle(a)[0];
        between - (extent(a, 0) + extent(b, 0)) / 2.0 > FREE_PLACE * width
    };
    let full = rows.iter().rev().skip(1).all(|row| row.len() >= ROW);
    let closed = (rows.iter()).all(|row| !row.windows(2).any(|p| free([&p[0].1, &p[1].1])));
    let from = |row: &Vec<(usize, Corners)>| middle(&row[0].1)[0];
    let left = rows.iter().map(from).fold(f32::MAX, f32::min);
    let flush = rows.iter().all(|row| from(row) - left < FREE_PLACE * width);
    Discarded {
        tiles: rows.into_iter().flatten().map(|(index, _)| index).collect(),
        without_gaps: full && closed && flush,
        sideways,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{sight::laid, tile::Face};

    const UNIT: Corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    /// A table seen straight from above, 1000 pixels each way.
    fn view() -> TableView {
        let corners = UNIT.map(|corner| corner.map(|x| 1000.0 * x));
        TableProfile::new([1000, 1000], corners, Edge::Bottom).unwrap().view([1000, 1000])
    }

    fn tile(x: f32, y: f32) -> SeenTile {
        let corners = [
            [x - 13.0, y - 17.0],
            [x + 13.0, y - 17.0],
            [x + 13.0, y + 17.0],
            [x - 13.0, y + 17.0],
        ];
        SeenTile {
            faces: [1.0 / Face::COUNT as f32; Face::COUNT],
            ..laid::tile(Face::from_index(0).unwrap(), corners)
        }
    }

    #[test]
    fn tiles_belong_to_the_player_before_whom_they_lie() {
        let view = view();
        for (x, y, zone) in [
            (500.0, 930.0, Zone::Own(Seat::East)),
            (930.0, 500.0, Zone::Own(Seat::South)),
            (500.0, 70.0, Zone::Own(Seat::West)),
            (70.0, 500.0, Zone::Own(Seat::North)),
            // Each player's area includes the corner to his right.
            (950.0, 950.0, Zone::Own(Seat::East)),
            (950.0, 50.0, Zone::Own(Seat::South)),
            (50.0, 50.0, Zone::Own(Seat::West)),
            (50.0, 950.0, Zone::Own(Seat::North)),
            (500.0, 650.0, Zone::Discards(Seat::East)),
            (650.0, 500.0, Zone::Discards(Seat::South)),
            (500.0, 350.0, Zone::Discards(Seat::West)),
            (350.0, 500.0, Zone::Discards(Seat::North)),
            (500.0, 500.0, Zone::Elsewhere),
            (500.0, 1200.0, Zone::Elsewhere),
        ] {
            assert_eq!(view.zone([x, y]), zone, "{x} {y}");
        }
    }

    #[test]
    fn each_player_sees_his_own_tiles_from_his_side() {
        let view = view();
        // A tile at South's edge whose top points to the middle, to the left of the picture.
        let mut seen = tile(930.0, 400.0);
        seen.corners = [[913.0, 413.0], [913.0, 387.0], [947.0, 387.0], [947.0, 413.0]];
        let own = view.seen_by(Seat::South, &seen).unwrap();
        let [a, b, _, d] = own.corners;
        assert!(a[1] == b[1] && b[0] - a[0] > 25.0, "its top is level, from left to right");
        assert!(d[1] > a[1] && a[1] > 900.0, "and it stands near him: {:?}", own.corners);
        assert!((a[0] - 587.0).abs() < 1.0, "to the right of his middle");
    }

    #[test]
    fn discards_are_read_from_the_left_and_the_far_row_first() {
        let view = view();
        let mut tiles = Vec::new();
        // East's rows, entered from the near one and from the right.
        for row in [1u8, 0] {
            for place in (0..if row == 0 { 6u8 } else { 2 }).rev() {
                tiles.push(tile(430.0 + 28.0 * f32::from(place), 580.0 + 38.0 * f32::from(row)));
            }
        }
        let lying = &view.divide(&tiles)[&Seat::East];
        assert_eq!(lying.discards.tiles, [7, 6, 5, 4, 3, 2, 1, 0]);
        assert!(lying.discards.without_gaps);
        // As West sees it: turned by half a turn.
        let turned: Vec<SeenTile> = (tiles.iter())
            .map(|tile| {
                let corners = tile.corners.map(|corner| corner.map(|x| 1000.0 - x));
                SeenTile { corners, ..tile.clone() }
            })
            .collect();
        assert_eq!(view.divide(&turned)[&Seat::West].discards.tiles, [7, 6, 5, 4, 3, 2, 1, 0]);
        // A missed discard leaves a gap, or a row that is too short.
        for missed in [1, 2, 4, 7] {
            let mut fewer = tiles.clone();
            fewer.remove(missed);
            assert!(!view.divide(&fewer)[&Seat::East].discards.without_gaps, "{missed}");
        }
        assert!(lying.discards.sideways.is_empty());
        let mut declared = tiles.clone();
        // A quarter turn of the third discard, which pushes the others of its row aside.
        let [x, y] = middle(&declared[5].corners);
        declared[5].corners = [
            [x - 17.0, y + 13.0],
            [x - 17.0, y - 13.0],
            [x + 17.0, y - 13.0],
            [x + 17.0, y + 13.0],
        ];
        let discards = &view.divide(&declared)[&Seat::East].discards;
        assert_eq!((&discards.sideways[..], discards.tiles.len()), (&[5][..], 8));
        tiles.remove(0);
        assert!(view.divide(&tiles)[&Seat::East].discards.without_gaps, "the last one alone");
    }

    #[test]
    fn corners_are_scaled_to_the_picture() {
        let corners = UNIT.map(|corner| corner.map(|x| 1000.0 * x));
        let profile = TableProfile::new([1000, 1000], corners, Edge::Bottom).unwrap();
        assert_eq!(profile.view([500, 500]).zone([250.0, 465.0]), Zone::Own(Seat::East));
    }
}

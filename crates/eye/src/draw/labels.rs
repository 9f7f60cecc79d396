//! Places the names of tiles, so that they hide neither tiles nor each other.

use crate::sight::{Corners, quad::bounding_box};

/// Left, top, right, bottom.
type Box = [f32; 4];

/// The boxes in the picture, and the names placed so far.
pub(super) struct Labels {
    tiles: Vec<Box>,
    placed: Vec<Box>,
    size: [f32; 2],
}

/// Cost of hiding another name, in costs of hiding an equal area of a tile.
const OVER_A_NAME: f32 = 3.0;
/// Cost of each later choice of place, in shares of the name's area.
const LATER: f32 = 0.05;

impl Labels {
    /// Names for these tiles in a picture of this size.
    pub fn new(tiles: &[Corners], size: [f32; 2]) -> Self {
        // Neighbours' boxes overlap a little where a row slants.
        let tiles = tiles.iter().map(|corners| shrunk(bounding_box(corners))).collect();
        Self { tiles, placed: Vec::new(), size }
    }

    /// The left top of a name of this width and height for the tile in a box: above it, to its right, left,
    /// below, or on it, where it hides least.
    pub fn place(&mut self, tile: Box, [wide, high]: [f32; 2]) -> [f32; 2] {
        let [left, top, right, bottom] = tile;
        let (middle, centre) = ((left + right - wide) / 2.0, (top + bottom - high) / 2.0);
        let room = 0.1 * high;
        let places = [
            [middle, top - high - room],
            [right + room, centre],
            [left - wide - room, centre],
            [middle, bottom + room],
            [middle, top + room],
        ];
        let cost = |k: usize, [x, y]: [f32; 2]| {
            let own = [x, y, x + wide, y + high];
            let tiles: f32 = self.tiles.iter().map(|other| overlap(own, *other)).sum();
            let names: f32 = self.placed.iter().map(|other| overlap(own, *other)).sum();
            tiles + OVER_A_NAME * names + LATER * k as f32 * wide * high
        };
        let [x, y] = (places.into_iter().enumerate())
            .map(|(k, place)| (k, self.inside(place, [wide, high])))
            .min_by(|a, b| cost(a.0, a.1).total_cmp(&cost(b.0, b.1)))
            .map_or([middle, top], |(_, place)| place);
        self.placed.push([x, y, x + wide, y + high]);
        [x, y]
    }

    fn inside(&self, place: [f32; 2], size: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|axis| place[axis].min(self.size[axis] - size[axis]).max(0.0))
    }
}

fn shrunk([left, top, right, bottom]: Box) -> Box {
    let (x, y) = (0.06 * (right - left), 0.06 * (bottom - top));
    [left + x, top + y, right - x, bottom - y]
}

fn overlap(a: Box, b: Box) -> f32 {
    let along = |low: usize| (a[low + 2].min(b[low + 2]) - a[low].max(b[low])).max(0.0);
    along(0) * along(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(x: f32, y: f32) -> Corners {
        [[x, y], [x + 40.0, y], [x + 40.0, y + 54.0], [x, y + 54.0]]
    }

    #[test]
    fn names_of_a_row_stand_above_it_and_those_of_a_column_beside_it() {
        let row: Vec<Corners> = (0..5).map(|k| tile(100.0 + 41.0 * k as f32, 200.0)).collect();
        let mut labels = Labels::new(&row, [640.0, 480.0]);
        for corners in &row {
            let [_, y] = labels.place(bounding_box(corners), [30.0, 16.0]);
            assert!(y + 16.0 <= 200.0, "{y}");
        }
        let column: Vec<Corners> = (0..5).map(|k| tile(100.0, 50.0 + 55.0 * k as f32)).collect();
        let mut labels = Labels::new(&column, [640.0, 480.0]);
        for (k, corners) in column.iter().enumerate() {
            let [x, _] = labels.place(bounding_box(corners), [30.0, 16.0]);
            assert!(k == 0 || x >= 140.0, "{k}: {x}");
        }
    }

    #[test]
    fn a_name_stays_in_the_picture_and_off_the_names_there_are() {
        let tiles = [tile(0.0, 0.0), tile(2.0, 3.0)];
        let mut labels = Labels::new(&tiles, [100.0, 100.0]);
        let [a, b] = tiles.map(|corners| {
            let [x, y] = labels.place(bounding_box(&corners), [30.0, 16.0]);
            assert!(x >= 0.0 && y >= 0.0 && x <= 70.0 && y <= 84.0, "{x} {y}");
            [x, y, x + 30.0, y + 16.0]
        });
        assert!(overlap(a, b) < 1.0, "{a:?} {b:?}");
    }
}

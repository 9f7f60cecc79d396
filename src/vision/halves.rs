//! Half a tile that was taken for one.
//!
//! Seen from low down a tile is wider than it is high, and half of a four of dots then looks like a
//! whole two. Its size gives it away: the tiles around are twice as large.

use super::{
    Corners,
    quad::{centre, overlap, sides, signed_area},
};

/// Shares of a tile's area that a half has: networks cut halves close to the print, so that the tile's rim may be lacking.
const HALF: [f32; 2] = [0.25, 0.67];
/// A whole holds this much of its half,
const HELD: f32 = 0.8;
/// and is so many times as large at least.
const LARGER: f32 = 1.5;
/// How large tiles are here is told by so many near ones, at least
const TELL: usize = 3;
/// and at most, the largest quarter of them left out.
const NEAREST: usize = 8;
/// Near ones are within so many long sides.
const NEAR: f32 = 6.0;

/// Tiles half as large as those around, by number, each with the wholes of which it may be a half: as large again to each
/// side. The other half may have been found too, or not, or lie a little apart, as columns of dots do.
pub fn halves(tiles: &[Corners]) -> Vec<(usize, [Corners; 4])> {
    (tiles.iter().enumerate())
        .filter_map(|(number, tile)| {
            let usual = usual_area(tiles, number, tile)?;
            let share = signed_area(tile).abs() / usual;
            (HALF[0]..HALF[1])
                .contains(&share)
                .then(|| (number, [0, 1, 2, 3].map(|edge| across(tile, edge, &beyond(tile, edge)))))
        })
        .collect()
}

/// Whether a quad is the whole of which a tile is a half: it holds the tile, and half as much again at least.
pub fn holds(whole: &Corners, half: &Corners) -> bool {
    let larger = signed_area(whole).abs() / signed_area(half).abs().max(1.0);
    overlap(whole, half)[1] > HELD && larger > LARGER
}

/// The place beyond an edge of a quad, as large as it.
fn beyond(quad: &Corners, edge: usize) -> Corners {
    let at = |corner: usize| quad[(edge + corner) % 4];
    // From the far side to this edge.
    let step = [0, 1].map(|axis| (at(0)[axis] - at(3)[axis] + at(1)[axis] - at(2)[axis]) / 2.0);
    quad.map(|[x, y]| [x + step[0], y + step[1]])
}

/// A quad with its edge moved to where that of the other one is.
fn across(quad: &Corners, edge: usize, other: &Corners) -> Corners {
    let mut quad = *quad;
    for corner in [edge, (edge + 1) % 4] {
        quad[corner] = other[corner];
    }
    quad
}

/// The area of the tiles around, in square pixels; where too few lie there, none.
fn usual_area(tiles: &[Corners], but: usize, place: &Corners) -> Option<f32> {
    let [x, y] = centre(place);
    let mut near: Vec<(f32, f32)> = (tiles.iter().enumerate())
        .filter(|(number, _)| *number != but)
        .map(|(_, tile)| {
            let [u, v] = centre(tile);
            ((x - u).hypot(y - v), signed_area(tile).abs())
        })
        .filter(|(away, _)| *away < NEAR * sides(place)[1])
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    near.truncate(NEAREST);
    let mut areas: Vec<f32> = near.into_iter().map(|(_, area)| area).collect();
    areas.sort_by(f32::total_cmp);
    // There may be more halves among them, but hardly anything larger than a tile.
    (areas.len() >= TELL).then(|| areas[(areas.len() * 3 / 4).min(areas.len() - 1)])
}

#[cfg(test)]
mod tests {
    use super::{super::quad::from_corner, *};

    fn tile(x: f32, y: f32, width: f32, height: f32) -> Corners {
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    }

    /// Wide low tiles in a row from 0, and a last one in two halves.
    fn row(tiles: usize) -> Vec<Corners> {
        let whole = (0..tiles).map(|k| tile(62.0 * k as f32, 0.0, 60.0, 40.0));
        let x = 62.0 * tiles as f32;
        whole.chain([tile(x, 0.0, 30.0, 40.0), tile(x + 31.0, 0.0, 29.0, 40.0)]).collect()
    }

    /// The best that the wholes of a half share of both with a place.
    fn best(wholes: &[Corners; 4], place: &Corners) -> f32 {
        wholes.iter().map(|whole| overlap(whole, place)[0]).fold(0.0, f32::max)
    }

    fn numbers(tiles: &[Corners]) -> Vec<usize> {
        halves(tiles).iter().map(|(number, _)| *number).collect()
    }

    #[test]
    fn either_half_beside_whole_tiles_leads_to_the_whole() {
        let tiles = row(4);
        let whole = tile(248.0, 0.0, 60.0, 40.0);
        assert_eq!(numbers(&tiles), [4, 5]);
        for (half, wholes) in halves(&tiles) {
            assert!(best(&wholes, &whole) > 0.93 && holds(&whole, &tiles[half]), "{half}");
        }
    }

    #[test]
    fn half_a_tile_whose_other_half_was_not_found_may_be_a_whole_to_either_side() {
        let mut tiles = row(4);
        assert_eq!(tiles.pop().map(|half| half[0]), Some([279.0, 0.0]));
        let found = halves(&tiles);
        assert_eq!(numbers(&tiles), [4]);
        let whole = tile(248.0, 0.0, 60.0, 40.0);
        assert!(best(&found[0].1, &whole) > 0.95 && holds(&whole, &tiles[4]));
        assert!(!holds(&tiles[3], &tiles[4]), "the tile beside it");
        assert!(!holds(&tile(248.0, 0.0, 32.0, 42.0), &tiles[4]), "hardly larger");
        tiles.truncate(4);
        assert!(numbers(&tiles).is_empty(), "tiles as large as those around");
        tiles.drain(..2);
        tiles.push(tile(248.0, 0.0, 30.0, 40.0));
        assert!(numbers(&tiles).is_empty(), "too few around");
    }

    #[test]
    fn it_does_not_matter_where_corners_begin_or_how_the_picture_is_turned() {
        for (start, [sin, cos]) in (0..4).zip([[0.0, 1.0], [0.6, 0.8], [1.0, 0.0], [-0.8, 0.6]]) {
            let turn = |[x, y]: [f32; 2]| [cos * x - sin * y, sin * x + cos * y];
            let turned: Vec<Corners> = (row(4).iter().enumerate())
                .map(|(k, tile)| from_corner(&tile.map(turn), (start + k) % 4))
                .collect();
            let whole = tile(248.0, 0.0, 60.0, 40.0).map(turn);
            assert_eq!(numbers(&turned), [4, 5], "{start}");
            assert!(
                halves(&turned).iter().all(|(_, wholes)| best(wholes, &whole) > 0.93),
                "{start}"
            );
        }
    }

    #[test]
    fn tiles_of_one_size_are_no_halves_nor_are_any_where_nothing_tells_the_size() {
        let same: Vec<Corners> = (0..6).map(|k| tile(31.0 * k as f32, 0.0, 30.0, 40.0)).collect();
        assert!(numbers(&same).is_empty());
        assert!(numbers(&row(1)).is_empty());
    }

    /// A print's half, cut at the print's edges and not at the tile's.
    #[test]
    fn a_half_may_lack_the_rim_of_the_tile_but_not_half_of_it() {
        let with_half = |inset: f32| {
            let mut tiles = row(4);
            tiles.truncate(5);
            tiles[4] = tile(248.0 + inset, inset, 30.0 - inset, 40.0 - 2.0 * inset);
            numbers(&tiles)
        };
        assert_eq!(with_half(4.5), [4]);
        assert!(with_half(8.0).is_empty(), "less than a quarter of a tile");
    }
}

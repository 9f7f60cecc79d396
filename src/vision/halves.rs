//! Halves of one tile that were each taken for a tile.
//!
//! Seen from low down a tile is wider than it is high, and half of a four of dots then looks like a
//! whole two. Its size gives it away: the tiles around are twice as large, and about as large as both together
//! (networks cut halves close to the print, so that the tile's rim may be lacking). So does that they lie over each other.

use super::judgement::SURE_FACE;
use crate::sight::{
    Corners,
    quad::{centre, from_corner, moved, nearest_start, overlap, sides, signed_area, step},
};

/// The second half is where the first one would be after a step across it: they share this much of both.
const BESIDE: f32 = 0.5;
/// Shares of a tile's area that a half has,
const HALF: [f32; 2] = [0.25, 0.67];
/// and both together.
const WHOLE: [f32; 2] = [0.6, 1.25];
/// A whole holds this much of its half,
const HELD: f32 = 0.8;
/// and is so many times as large at least.
const LARGER: f32 = 1.5;
/// Two that surely show one face, and share this much of the smaller, are halves whatever the size of others: each takes in some of what lies
/// between. In 1,095 pictures, real and rendered, with 17,794 finds, three such pairs share more than 0.06: the halves of two fours of dots, 0.18
/// and 0.33, and two tiles of a pile, 0.11.
const TWICE: f32 = 0.15;
/// Then the second half may lie so much less where it would be after a step across the first.
const TWICE_BESIDE: f32 = 0.3;
/// How large tiles are here is told by so many near ones, at least
const TELL: usize = 3;
/// and at most, the largest quarter of them left out.
const NEAREST: usize = 8;
/// Near ones are within so many long sides.
const NEAR: f32 = 6.0;

/// A tile that was found as two.
#[derive(Clone, Copy, Debug)]
pub struct Whole {
    /// Its halves, as numbers of the tiles given.
    pub halves: [usize; 2],
    /// Its corners, beginning anywhere.
    pub quad: Corners,
    /// Whether its halves show one face and lie over each other: they are no two tiles, whether or not the whole can be named.
    pub is_surely_one: bool,
}

/// Pairs of tiles that may be halves of one as large as those around, or surely are, as they show one face and lie over each other; where
/// four such lie together, each with the one beside it and with the one above it. `faces`: what each shows, where that is sure.
pub fn wholes(tiles: &[Corners], faces: &[Option<usize>]) -> Vec<Whole> {
    let mut found = Vec::new();
    for first in 0..tiles.len() {
        for second in first + 1..tiles.len() {
            let halves = [first, second];
            let is_surely_one = faces[first].is_some()
                && faces[first] == faces[second]
                && overlap(&tiles[first], &tiles[second])[1] > TWICE;
            let beside = if is_surely_one { TWICE_BESIDE } else { BESIDE };
            let Some(quad) = both(&tiles[first], &tiles[second], beside) else { continue };
            if is_surely_one {
                found.push(Whole { halves, quad, is_surely_one });
                continue;
            }
            let Some(usual) = usual_area(tiles, halves, &quad) else { continue };
            let is = |quad: &Corners, share: [f32; 2]| {
                (share[0]..share[1]).contains(&(signed_area(quad).abs() / usual))
            };
            if is(&quad, WHOLE) && halves.iter().all(|half| is(&tiles[*half], HALF)) {
                found.push(Whole { halves, quad, is_surely_one });
            }
        }
    }
    found
}

/// Tiles half as large as those around, by number, each with the wholes of which it may be a half: as large again to each
/// side. The other half may not have been found, or lie a little apart, as columns of dots do.
pub fn lone(tiles: &[Corners]) -> Vec<(usize, [Corners; 4])> {
    (tiles.iter().enumerate())
        .filter_map(|(number, tile)| {
            let usual = usual_area(tiles, [number; 2], tile)?;
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

/// Whether two finds are sure of two faces, and both together show the face of one of them: then they are two tiles, as
/// half a face is not the whole one. Faces by number, those of the finds with how sure they are.
pub fn are_two(both: usize, finds: [(usize, f32); 2]) -> bool {
    let [(one, sure), (other, as_sure)] = finds;
    sure.min(as_sure) > SURE_FACE && one != other && [one, other].contains(&both)
}

/// The quad of two that lie edge to edge, so that a step across the first and the second share so much of both.
fn both(first: &Corners, second: &Corners, beside: f32) -> Option<Corners> {
    let ([ax, ay], [bx, by]) = (centre(first), centre(second));
    if (ax - bx).hypot(ay - by) > sides(first)[1] + sides(second)[1] {
        return None;
    }
    let second = from_corner(second, nearest_start(first, second));
    (0..4).find_map(|edge| {
        let next = beyond(first, edge);
        (overlap(&next, &second)[0] > beside).then(|| across(first, edge, &second))
    })
}

/// The place beyond an edge of a quad, as large as it.
fn beyond(quad: &Corners, edge: usize) -> Corners {
    moved(quad, step(quad, edge))
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
fn usual_area(tiles: &[Corners], but: [usize; 2], place: &Corners) -> Option<f32> {
    let [x, y] = centre(place);
    let mut near: Vec<(f32, f32)> = (tiles.iter().enumerate())
        .filter(|(number, _)| !but.contains(number))
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
    use super::*;

    fn tile(x: f32, y: f32, width: f32, height: f32) -> Corners {
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    }

    /// Wide low tiles in a row from 0, and a last one in two halves.
    fn row(tiles: usize) -> Vec<Corners> {
        let whole = (0..tiles).map(|k| tile(62.0 * k as f32, 0.0, 60.0, 40.0));
        let x = 62.0 * tiles as f32;
        whole.chain([tile(x, 0.0, 30.0, 40.0), tile(x + 31.0, 0.0, 29.0, 40.0)]).collect()
    }

    /// By their size alone.
    fn of_size(tiles: &[Corners]) -> Vec<Whole> {
        wholes(tiles, &vec![None; tiles.len()])
    }

    #[test]
    fn one_face_twice_over_each_other_is_one_tile_wherever_it_lies() {
        let two = Some(10);
        let lies = |step: f32, faces: [Option<usize>; 2]| {
            let found = wholes(&[tile(0.0, 0.0, 60.0, 50.0), tile(1.0, step, 60.0, 50.0)], &faces);
            found.first().map(|whole| {
                (
                    whole.is_surely_one,
                    overlap(&whole.quad, &tile(0.0, 0.0, 60.0, 50.0 + step))[0] > 0.95,
                )
            })
        };
        assert_eq!(lies(34.0, [two, two]), Some((true, true)), "halves of a four of dots");
        assert_eq!(lies(34.0, [two, Some(11)]), None, "two tiles, one half under the other");
        assert_eq!(lies(34.0, [None, None]), None, "not sure");
        assert_eq!(lies(51.0, [two, two]), None, "a pair of twos");
    }

    #[test]
    fn two_halves_beside_whole_tiles_are_one_tile() {
        let found = of_size(&row(4));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].halves, [4, 5]);
        assert!(overlap(&found[0].quad, &tile(248.0, 0.0, 60.0, 40.0))[0] > 0.95);
    }

    #[test]
    fn half_a_tile_whose_other_half_was_not_found_may_be_a_whole_to_either_side() {
        let mut tiles = row(4);
        assert_eq!(tiles.pop().map(|half| half[0]), Some([279.0, 0.0]));
        let found = lone(&tiles);
        assert_eq!(found.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [4]);
        let whole = tile(248.0, 0.0, 60.0, 40.0);
        let best = found[0].1.iter().map(|place| overlap(place, &whole)[0]).fold(0.0, f32::max);
        assert!(best > 0.95 && holds(&whole, &tiles[4]));
        assert!(!holds(&tiles[3], &tiles[4]), "the tile beside it");
        assert!(!holds(&tile(248.0, 0.0, 32.0, 42.0), &tiles[4]), "hardly larger");
        tiles.truncate(4);
        assert!(lone(&tiles).is_empty(), "tiles as large as those around");
        tiles.drain(..2);
        tiles.push(tile(248.0, 0.0, 30.0, 40.0));
        assert!(lone(&tiles).is_empty(), "too few around");
    }

    #[test]
    fn it_does_not_matter_where_corners_begin_or_how_the_picture_is_turned() {
        for (start, [sin, cos]) in (0..4).zip([[0.0, 1.0], [0.6, 0.8], [1.0, 0.0], [-0.8, 0.6]]) {
            let turned: Vec<Corners> = (row(4).iter().enumerate())
                .map(|(k, tile)| {
                    let tile = tile.map(|[x, y]| [cos * x - sin * y, sin * x + cos * y]);
                    from_corner(&tile, (start + k) % 4)
                })
                .collect();
            let found = of_size(&turned);
            assert_eq!(found.len(), 1, "{start}");
            let area = signed_area(&found[0].quad).abs();
            assert!((area - 2400.0).abs() < 60.0, "{area}");
        }
    }

    #[test]
    fn tiles_of_one_size_are_no_halves_nor_is_one_alone_or_where_nothing_tells_the_size() {
        let same: Vec<Corners> = (0..6).map(|k| tile(31.0 * k as f32, 0.0, 30.0, 40.0)).collect();
        assert!(of_size(&same).is_empty());
        let mut lone = row(4);
        lone.pop();
        assert!(of_size(&lone).is_empty());
        assert!(of_size(&row(2)).is_empty());
        // Half as large and apart: two small things.
        let mut apart = row(4);
        apart[5] = tile(330.0, 0.0, 29.0, 40.0);
        assert!(of_size(&apart).is_empty());
    }

    /// A print's halves, cut at the print's edges and not at the tile's.
    #[test]
    fn halves_may_lack_the_rim_of_the_tile_but_not_half_of_it() {
        let with_halves = |inset: f32| {
            let mut tiles = row(4);
            let x = 248.0;
            tiles[4] = tile(x + inset, inset, 30.0 - inset, 40.0 - 2.0 * inset);
            tiles[5] = tile(x + 30.0, inset, 30.0 - inset, 40.0 - 2.0 * inset);
            of_size(&tiles)
        };
        assert_eq!(with_halves(4.5).len(), 1);
        assert!(with_halves(8.0).is_empty(), "two of them make up less than half of a tile");
    }

    #[test]
    fn several_split_tiles_are_each_one() {
        let mut tiles = row(5);
        tiles.extend([tile(0.0, 45.0, 30.0, 40.0), tile(30.0, 45.0, 30.0, 40.0)]);
        assert_eq!(of_size(&tiles).len(), 2);
        // One above the other: what their faces say has to decide.
        tiles.extend([tile(310.0, 42.0, 30.0, 40.0), tile(341.0, 42.0, 29.0, 40.0)]);
        let pairs: Vec<[usize; 2]> = of_size(&tiles).iter().map(|whole| whole.halves).collect();
        assert!([[5, 6], [9, 10], [5, 9], [6, 10]].iter().all(|pair| pairs.contains(pair)));
    }

    #[test]
    fn half_a_face_is_not_the_whole_one() {
        let (two, four, east) = (10, 12, 27);
        assert!(are_two(four, [(east, 0.95), (four, 0.98)]), "of two tiles one is seen in both");
        assert!(!are_two(four, [(two, 0.99), (two, 0.99)]), "a four of dots seen from low down");
        assert!(!are_two(four, [(four, 0.95), (four, 0.98)]));
        assert!(
            !are_two(four, [(east, 0.5), (four, 0.98)]),
            "which face the half shows is in doubt"
        );
    }
}

//! Proposes places of tiles that the detector overlooked or took for smaller ones.
//!
//! A row of two or more faces may continue at its ends. Seen from low down a tile is wider than high, so that half of
//! a four of dots looks like a whole two; its size, half that of the tiles around, gives it away.

use super::{
    ModelError, Reader,
    networks::WHITE,
    pixels::Pixels,
    verdicts::{IS_FACE, SURE_FACE, TILE_AROUND, best, seen_tile, shows_face},
};
use crate::sight::{
    Corners, SeenTile,
    quad::{centre, moved, nearest, overlap, sides, signed_area, step},
    rank::quantile,
};

/// Most rounds of proposals; in each, rows may grow by a tile.
const ROUNDS: usize = 6;
/// Most places proposed at once.
const MOST: usize = 96;
/// Overlap (intersection over union) above which two places are one, and classified once.
const ASKED: f32 = 0.85;
/// Probability of a tile in an accepted proposal.
const PROPOSED: f32 = 0.75;
/// Least logit of the corner network at which a white dragon's frame is a tile.
const FRAME_AROUND: f32 = 3.3;
/// Distance from the middle of a face to that of the next, in its widths or heights.
const PITCH: f32 = 1.06;
/// Overlap (intersection over union) above which a face already lies in a place.
const SAME: f32 = 0.6;
/// Share of the smaller one above which a tile occupies a place.
const TAKEN: f32 = 0.25;
/// Least and greatest area of half a tile, as a share of the area of the tiles around.
const HALF: [f32; 2] = [0.25, 0.67];
/// Least share of a part that lies inside its whole tile.
const HELD: f32 = 0.8;
/// Least area of a whole tile, in areas of its part.
const LARGER: f32 = 1.5;
/// Fewest near tiles that give the size of tiles around a place, and most that count. The upper quartile is used.
const NEAREST: [usize; 2] = [3, 8];
/// Largest distance of near tiles, in long sides.
const NEAR: f32 = 6.0;

impl Reader {
    /// Classifies proposed places until no more tiles are accepted. A place with a sure face that looks like a tile
    /// becomes one, in place of the parts of it that were taken for tiles.
    pub(super) fn propose(
        &mut self,
        pixels: &Pixels<'_>,
        tiles: &mut Vec<SeenTile>,
    ) -> Result<(), ModelError> {
        let mut asked: Vec<Corners> = Vec::new();
        for _ in 0..ROUNDS {
            let mut places = proposals(tiles);
            places.retain(|place| pixels.shows(place) && is_new(&mut asked, place));
            let around = self.fit(pixels, &mut places)?;
            let (places, around): (Vec<Corners>, Vec<f32>) = (places.into_iter().zip(around))
                .filter(|(_, around)| *around > TILE_AROUND)
                .unzip();
            let classified = self.classified(pixels, &places)?;
            let mut found: Vec<(SeenTile, f32)> = (places.iter().zip(around).zip(&classified))
                .filter(|((_, around), classified)| {
                    let is_white = classified.classes[WHITE] > SURE_FACE;
                    shows_face(classified, SURE_FACE) || is_white && *around > FRAME_AROUND
                })
                .map(|((place, around), classified)| {
                    (seen_tile(PROPOSED, place, classified), around)
                })
                .collect();
            found.sort_by(|a, b| b.1.total_cmp(&a.1));
            let mut is_still = true;
            for (tile, _) in found {
                if let Some(parts) = parts(&tile, tiles) {
                    let mut at = 0..;
                    tiles.retain(|_| at.next().is_none_or(|at| !parts.contains(&at)));
                    tiles.push(tile);
                    is_still = false;
                }
            }
            if is_still {
                break;
            }
        }
        Ok(())
    }
}

/// The places beyond the ends of rows, and the wholes of possible halves.
fn proposals(tiles: &[SeenTile]) -> Vec<Corners> {
    let all: Vec<Corners> = tiles.iter().map(|tile| tile.corners).collect();
    let is_face = |tile: &&SeenTile| tile.faces.iter().any(|p| *p > IS_FACE);
    let faces: Vec<Corners> = tiles.iter().filter(is_face).map(|tile| tile.corners).collect();
    ends(&faces, &all).chain(wholes(&all)).take(MOST).collect()
}

/// The free places beyond the ends of rows of at least two `faces`, each of the size of the row's last face;
/// `taken`: all tiles.
fn ends(faces: &[Corners], taken: &[Corners]) -> impl Iterator<Item = Corners> {
    let is_face = |quad: &Corners| {
        faces.iter().any(|face| is_near(face, quad) && overlap(face, quad)[0] > SAME)
    };
    let beside = faces.iter().flat_map(|face| {
        let ways = [1, 3, 2, 0].map(|edge| step(face, edge).map(|way| PITCH * way));
        ways.map(|[x, y]| (moved(face, [x, y]), moved(face, [-x, -y])))
    });
    beside
        .filter(move |(place, before)| is_free(place, taken) && is_face(before))
        .map(|(place, _)| place)
}

/// For each tile half the size of those around, the whole tiles of which it may be a half, on each side.
fn wholes(tiles: &[Corners]) -> impl Iterator<Item = Corners> {
    let is_half = |(at, tile): &(usize, &Corners)| {
        let usual = usual_area(tiles, *at);
        usual.is_some_and(|usual| (HALF[0]..HALF[1]).contains(&(signed_area(*tile).abs() / usual)))
    };
    (tiles.iter().enumerate()).filter(is_half).flat_map(|(_, tile)| {
        [0, 1, 2, 3].map(|edge| {
            let beyond = moved(tile, step(tile, edge));
            let mut whole = *tile;
            for corner in [edge, (edge + 1) % 4] {
                whole[corner] = beyond[corner];
            }
            whole
        })
    })
}

/// The area of the tiles around one of them, in square pixels; `None` with too few tiles.
fn usual_area(tiles: &[Corners], at: usize) -> Option<f32> {
    let [x, y] = centre(&tiles[at]);
    let reach = NEAR * sides(&tiles[at])[1];
    let near = nearest(&tiles[at], tiles, NEAREST[1] + 1).into_iter().filter(|other| {
        let [u, v] = centre(&tiles[*other]);
        *other != at && (x - u).hypot(y - v) < reach
    });
    let areas: Vec<f32> = near.map(|other| signed_area(&tiles[other]).abs()).collect();
    // There may be more halves among them, but hardly anything larger than a tile.
    quantile(areas.iter().copied(), 0.75).filter(|_| areas.len() >= NEAREST[0])
}

/// The tiles that are only parts of a new one; `None` if another tile is in its way. A tile with the same face is not
/// a part: half a face does not look like the whole.
fn parts(new: &SeenTile, tiles: &[SeenTile]) -> Option<Vec<usize>> {
    let in_way = (tiles.iter().enumerate()).filter(|(_, tile)| {
        is_near(&tile.corners, &new.corners) && overlap(&tile.corners, &new.corners)[1] > TAKEN
    });
    in_way
        .map(|(at, tile)| {
            let larger =
                signed_area(&new.corners).abs() / signed_area(&tile.corners).abs().max(1.0);
            let is_part = overlap(&new.corners, &tile.corners)[1] > HELD
                && larger > LARGER
                && best(&new.faces) != best(&tile.faces);
            is_part.then_some(at)
        })
        .collect()
}

/// Whether a place holds no tile.
pub(super) fn is_free(quad: &Corners, taken: &[Corners]) -> bool {
    !taken.iter().any(|tile| is_near(tile, quad) && overlap(tile, quad)[1] > TAKEN)
}

fn is_near(a: &Corners, b: &Corners) -> bool {
    let ([ax, ay], [bx, by]) = (centre(a), centre(b));
    (ax - bx).hypot(ay - by) < sides(a)[1] + sides(b)[1]
}

/// Whether a place is new; it is remembered.
fn is_new(asked: &mut Vec<Corners>, place: &Corners) -> bool {
    let is_new = !asked.iter().any(|other| overlap(other, place)[0] > ASKED);
    if is_new {
        asked.push(*place);
    }
    is_new
}

#[cfg(test)]
mod tests {
    use super::{
        super::networks::{CLASSES, Classified},
        *,
    };
    use crate::sight::quad::from_corner;

    fn tile(x: f32, y: f32, width: f32, height: f32) -> Corners {
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    }

    fn shows(face: usize, quad: Corners) -> SeenTile {
        let mut classes = [0.0; CLASSES];
        classes[face] = 1.0;
        seen_tile(0.9, &quad, &Classified { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 })
    }

    /// Wide low tiles in a row from 0, and after them half a tile.
    fn with_half(tiles: usize) -> Vec<Corners> {
        let whole = (0..tiles).map(|k| tile(62.0 * k as f32, 0.0, 60.0, 40.0));
        whole.chain([tile(62.0 * tiles as f32, 0.0, 30.0, 40.0)]).collect()
    }

    #[test]
    fn a_row_may_go_on_at_both_ends_and_not_to_its_sides() {
        let row = [0.0, 32.0, 64.0].map(|x| tile(x, 0.0, 30.0, 40.0));
        let mut found: Vec<Corners> = ends(&row, &row).collect();
        found.sort_by(|a, b| a[0][0].total_cmp(&b[0][0]));
        assert_eq!(found.len(), 2);
        for (place, x) in found.iter().zip([-32.0, 96.0]) {
            assert!(overlap(place, &tile(x, 0.0, 30.0, 40.0))[0] > 0.9);
        }
        let turned = [row[0], from_corner(&row[1], 2), from_corner(&row[2], 1)];
        assert_eq!(ends(&turned, &turned).count(), 2, "whichever corner a tile begins with");
        let with_next = [row[0], row[1], row[2], tile(98.0, 6.0, 30.0, 40.0)];
        assert_eq!(ends(&row, &with_next).count(), 1, "one end is taken");
        assert_eq!(ends(&row[..1], &row[..1]).count(), 0, "one tile is no row");
        let apart = [row[0], tile(50.0, 0.0, 30.0, 40.0)];
        assert_eq!(ends(&apart, &apart).count(), 0);
    }

    #[test]
    fn a_tile_half_as_large_as_those_around_may_be_half_of_one_to_each_side() {
        let whole = tile(248.0, 0.0, 60.0, 40.0);
        for [sin, cos] in [[0.0, 1.0], [0.6, 0.8], [1.0, 0.0]] {
            let turned = |quad: &Corners| quad.map(|[x, y]| [cos * x - sin * y, sin * x + cos * y]);
            let tiles: Vec<Corners> = with_half(4).iter().map(turned).collect();
            let found: Vec<Corners> = wholes(&tiles).collect();
            assert_eq!(found.len(), 4);
            let best =
                found.iter().map(|place| overlap(place, &turned(&whole))[0]).fold(0.0, f32::max);
            assert!(best > 0.95);
        }
        assert_eq!(wholes(&with_half(4)[..4]).count(), 0, "tiles as large as those around");
        assert_eq!(wholes(&with_half(2)).count(), 0, "too few around");
    }

    #[test]
    fn a_new_tile_replaces_smaller_parts_of_it_and_gives_way_to_others() {
        let (two, four) = (10, 12);
        let whole = shows(four, tile(0.0, 0.0, 60.0, 40.0));
        let halves =
            [(0.0, two), (30.0, two)].map(|(x, face)| shows(face, tile(x, 0.0, 30.0, 40.0)));
        assert_eq!(parts(&whole, &halves), Some(vec![0, 1]));
        let elsewhere = shows(two, tile(300.0, 0.0, 60.0, 40.0));
        assert_eq!(parts(&whole, &[elsewhere]), Some(vec![]));
        let beside = shows(two, tile(40.0, 0.0, 60.0, 40.0));
        assert_eq!(parts(&whole, &[halves[0].clone(), beside]), None, "half under another tile");
        let of_the_same = shows(four, tile(0.0, 0.0, 30.0, 40.0));
        assert_eq!(parts(&whole, &[of_the_same]), None, "half a face is not the whole one");
        let as_large = shows(two, tile(1.0, 0.0, 56.0, 40.0));
        assert_eq!(parts(&whole, &[as_large]), None, "another reading of the same tile");
    }
}

//! Judges a blank face by the tiles beside it.
//!
//! A plain white dragon shows only a tile's body, as a side wall, a card or paper does. A blank beside a face, of the
//! same size and turned the same way or by a quarter, is a tile: walls are lower, and paper has another size.

use crate::sight::{
    Corners,
    quad::{centre, sides, step},
    rank::quantile,
};

/// Edges whose lengths differ by less than this share are alike.
const ALIKE: f32 = 0.22;
/// Least and greatest distance between the middles of neighbours, in widths or heights.
const APART: [f32; 2] = [0.8, 1.35];
/// Greatest distance of a neighbour out of line, in widths or heights.
const OUT_OF_LINE: f32 = 0.3;
/// Least and greatest side of a tile of the set, in sides of the nearest faces.
const AS_LARGE: [f32; 2] = [0.75, 1.35];
/// Greatest distance of a tile that lies apart, such as a winning one, from the end of its row, in widths.
const APART_FROM_ROW: f32 = 2.0;
/// Fewest tiles of a row.
const ROW: usize = 3;
/// Greatest distance from one tile of a row to the next, in widths.
const NEXT: f32 = 1.15;

/// Whether one of `faces` lies beside the quad, of its size and turned the same way or by a quarter.
pub fn has_neighbour(quad: &Corners, faces: &[Corners]) -> bool {
    let edges = edges(quad);
    let [ux, uy] = edges[0];
    let [vx, vy] = edges[1];
    let area = ux * vy - uy * vx;
    if area.abs() < 1.0 {
        return false;
    }
    let [x, y] = centre(quad);
    faces.iter().any(|face| {
        let [fx, fy] = centre(face);
        let (dx, dy) = (fx - x, fy - y);
        // The way to the face in widths and heights of the quad.
        let along = ((dx * vy - dy * vx) / area).abs();
        let across = ((ux * dy - uy * dx) / area).abs();
        let beside =
            |far: f32, near: f32| (APART[0]..APART[1]).contains(&far) && near < OUT_OF_LINE;
        if !beside(along, across) && !beside(across, along) {
            return false;
        }
        let [a, b] = self::edges(face);
        let same =
            |u: [f32; 2], v: [f32; 2]| (alike(u, a) && alike(v, b)) || (alike(u, b) && alike(v, a));
        // The same size turned by a quarter, as a claimed tile beside the others of its set.
        let shape = (vx.hypot(vy) / ux.hypot(uy)).max(1e-3);
        same(edges[0], edges[1]) || same([ux * shape, uy * shape], [vx / shape, vy / shape])
    })
}

/// Number of `faces` that lie beside the quad as in [`has_neighbour`].
pub fn count_neighbours(quad: &Corners, faces: &[Corners]) -> usize {
    faces.iter().filter(|face| has_neighbour(quad, &[**face])).count()
}

/// Whether both sides of the quad are about the median sides of these faces.
pub fn is_as_large(quad: &Corners, faces: &[Corners]) -> bool {
    let own = sides(quad);
    (0..2).all(|side| {
        let middle = quantile(faces.iter().map(|face| sides(face)[side]), 0.5);
        middle.is_some_and(|middle| (AS_LARGE[0]..AS_LARGE[1]).contains(&(own[side] / middle)))
    })
}

/// Whether the quad continues a row of `faces`: in line with it, of its size and direction, and near its end.
pub fn ends_row(quad: &Corners, faces: &[Corners]) -> bool {
    let [a, b] = edges(quad);
    // Tiles of a row lie side by side along their short edges.
    let [u, v] = if a[0].hypot(a[1]) < b[0].hypot(b[1]) { [a, b] } else { [b, a] };
    let area = u[0] * v[1] - u[1] * v[0];
    if area.abs() < 1.0 {
        return false;
    }
    let [x, y] = centre(quad);
    let mut along: Vec<f32> = faces
        .iter()
        .filter_map(|face| {
            let [fx, fy] = centre(face);
            let (dx, dy) = (fx - x, fy - y);
            let out = ((u[0] * dy - u[1] * dx) / area).abs();
            let [a, b] = edges(face);
            let same = (alike(u, a) && alike(v, b)) || (alike(u, b) && alike(v, a));
            (same && out < OUT_OF_LINE).then_some((dx * v[1] - dy * v[0]) / area)
        })
        .collect();
    along.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    [1.0, -1.0].into_iter().any(|side| {
        let row: Vec<f32> = along.iter().map(|at| at * side).filter(|at| *at > 0.0).collect();
        let beside = row.windows(2).take_while(|pair| pair[1] - pair[0] <= NEXT).count();
        row.first().is_some_and(|nearest| *nearest <= APART_FROM_ROW) && beside + 1 >= ROW
    })
}

/// The mean of each pair of opposite edges.
fn edges(quad: &Corners) -> [[f32; 2]; 2] {
    [step(quad, 1), step(quad, 2)]
}

/// Whether two edges have one length and direction, either way round.
fn alike(a: [f32; 2], b: [f32; 2]) -> bool {
    let most = ALIKE * a[0].hypot(a[1]);
    (a[0] - b[0]).hypot(a[1] - b[1]) < most || (a[0] + b[0]).hypot(a[1] + b[1]) < most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(x: f32, y: f32, width: f32, height: f32) -> Corners {
        [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
    }

    #[test]
    fn a_neighbour_of_the_same_size_is_company_whichever_corner_comes_first() {
        let [a, b, c, d] = tile(31.0, 1.0, 30.0, 40.0);
        for face in [[a, b, c, d], [b, c, d, a], [c, d, a, b]] {
            assert!(has_neighbour(&tile(0.0, 0.0, 30.0, 40.0), &[face]));
        }
        assert!(has_neighbour(&tile(0.0, 0.0, 30.0, 40.0), &[tile(0.0, 42.0, 30.0, 40.0)]));
    }

    #[test]
    fn a_tile_of_the_same_size_on_its_side_is_company() {
        let face = tile(31.0, 0.0, 30.0, 40.0);
        assert!(has_neighbour(&tile(-10.0, 10.0, 40.0, 30.0), &[face]));
        assert!(!has_neighbour(&tile(-10.0, 10.0, 40.0, 18.0), &[face]));
    }

    #[test]
    fn a_tile_of_the_set_is_as_large_as_the_middle_one_of_the_faces_around_on_either_side() {
        let sizes = [(30.0, 40.0), (28.0, 38.0), (33.0, 44.0), (60.0, 80.0)];
        let faces = sizes.map(|(width, height)| tile(0.0, 0.0, width, height));
        let is_one = |width: f32, height: f32| is_as_large(&tile(90.0, 0.0, width, height), &faces);
        assert!(is_one(30.0, 40.0) && is_one(40.0, 30.0), "on its side");
        assert!(!is_one(30.0, 22.0), "the side of a tile is not as high");
        assert!(!is_one(50.0, 65.0), "paper");
        assert!(!is_as_large(&tile(90.0, 0.0, 30.0, 40.0), &[]), "nothing tells");
    }

    #[test]
    fn what_lies_a_little_apart_from_the_end_of_a_row_ends_it() {
        let row: Vec<Corners> = (0..4).map(|k| tile(31.0 * k as f32, 0.0, 30.0, 40.0)).collect();
        let ends = |quad: Corners, faces: &[Corners]| ends_row(&quad, faces);
        let [a, b, c, d] = tile(93.0 + 46.0, 3.0, 30.0, 40.0);
        for apart in [[a, b, c, d], [b, c, d, a], tile(-46.0, -3.0, 30.0, 40.0)] {
            assert!(ends(apart, &row) && !has_neighbour(&apart, &row));
        }
        assert!(!ends([a, b, c, d], &row[2..]), "two tiles are no row");
        assert!(!ends(tile(93.0 + 80.0, 0.0, 30.0, 40.0), &row), "too far away");
        assert!(!ends(tile(93.0 + 46.0, 20.0, 30.0, 40.0), &row), "out of line");
        assert!(!ends(tile(93.0 + 46.0, 0.0, 45.0, 60.0), &row), "of another size");
        assert!(!ends(tile(0.0, 60.0, 30.0, 40.0), &row), "below it");
    }

    #[test]
    fn a_side_wall_a_far_tile_and_a_tile_out_of_line_are_none() {
        let face = tile(0.0, 0.0, 30.0, 40.0);
        assert!(!has_neighbour(&tile(0.0, 41.0, 30.0, 22.0), &[face]));
        assert!(!has_neighbour(&tile(80.0, 0.0, 30.0, 40.0), &[face]));
        assert!(!has_neighbour(&tile(31.0, 20.0, 30.0, 40.0), &[face]));
        assert!(!has_neighbour(&tile(31.0, 0.0, 60.0, 80.0), &[face]));
        assert!(!has_neighbour(&[[3.0, 3.0]; 4], &[face]));
    }
}

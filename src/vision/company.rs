//! What a tile's neighbours say of a blank face.
//!
//! A plain white dragon shows nothing but the body of a tile, as a side wall, a card or paper do.
//! A blank beside a face, of the same size and turned the same way or by a quarter, is a tile: walls
//! are less high, paper has another size.

use super::{Corners, quad::centre};

/// Edges that differ by less than this share of their length are alike.
const ALIKE: f32 = 0.22;
/// Middles of neighbours lie this many widths or heights apart, at least and at most.
const APART: [f32; 2] = [0.8, 1.35];
/// And this much, at most, out of line.
const OUT_OF_LINE: f32 = 0.3;

/// Whether one of `faces` lies beside the quad, of its size and turned as it is or by a quarter.
pub fn has_company(quad: &Corners, faces: &[Corners]) -> bool {
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

/// The mean of each pair of opposite edges.
fn edges(quad: &Corners) -> [[f32; 2]; 2] {
    let [a, b, c, d] = *quad;
    let mean = |from: [f32; 2], to: [f32; 2], from2: [f32; 2], to2: [f32; 2]| {
        [0, 1].map(|k| (to[k] - from[k] + to2[k] - from2[k]) / 2.0)
    };
    [mean(a, b, d, c), mean(b, c, a, d)]
}

/// Of one length and direction, either way round.
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
            assert!(has_company(&tile(0.0, 0.0, 30.0, 40.0), &[face]));
        }
        assert!(has_company(&tile(0.0, 0.0, 30.0, 40.0), &[tile(0.0, 42.0, 30.0, 40.0)]));
    }

    #[test]
    fn a_tile_of_the_same_size_on_its_side_is_company() {
        let face = tile(31.0, 0.0, 30.0, 40.0);
        assert!(has_company(&tile(-10.0, 10.0, 40.0, 30.0), &[face]));
        assert!(!has_company(&tile(-10.0, 10.0, 40.0, 18.0), &[face]));
    }

    #[test]
    fn a_side_wall_a_far_tile_and_a_tile_out_of_line_are_none() {
        let face = tile(0.0, 0.0, 30.0, 40.0);
        assert!(!has_company(&tile(0.0, 41.0, 30.0, 22.0), &[face]));
        assert!(!has_company(&tile(80.0, 0.0, 30.0, 40.0), &[face]));
        assert!(!has_company(&tile(31.0, 20.0, 30.0, 40.0), &[face]));
        assert!(!has_company(&tile(31.0, 0.0, 60.0, 80.0), &[face]));
        assert!(!has_company(&[[3.0, 3.0]; 4], &[face]));
    }
}

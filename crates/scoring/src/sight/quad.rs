//! Geometry of quads: the corners of one tile, clockwise as the picture shows them.

use super::Corners;

/// The mean of the four corners.
#[must_use]
pub fn centre(quad: &Corners) -> [f32; 2] {
    [0, 1].map(|axis| quad.iter().map(|corner| corner[axis]).sum::<f32>() / 4.0)
}

/// Short and long side, each the mean of two opposite edges.
#[must_use]
pub fn sides(quad: &Corners) -> [f32; 2] {
    let edge = |k: usize| {
        let (a, b) = (quad[k], quad[(k + 1) % 4]);
        (a[0] - b[0]).hypot(a[1] - b[1])
    };
    let (across, down) = ((edge(0) + edge(2)) / 2.0, (edge(1) + edge(3)) / 2.0);
    [across.min(down), across.max(down)]
}

/// The area inside a closed line, positive if it runs clockwise as seen (y down).
#[must_use]
pub fn signed_area(points: &[[f32; 2]]) -> f32 {
    let next = points.iter().cycle().skip(1);
    points.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f32>() / 2.0
}

/// The quad from its corner `start` on.
#[must_use]
pub fn from_corner(quad: &Corners, start: usize) -> Corners {
    [0, 1, 2, 3].map(|k| quad[(k + start) % 4])
}

/// Left, top, right, bottom.
#[must_use]
pub fn bounding_box(quad: &Corners) -> [f32; 4] {
    let low = |axis: usize| quad.iter().map(|corner| corner[axis]).fold(f32::INFINITY, f32::min);
    let high =
        |axis: usize| quad.iter().map(|corner| corner[axis]).fold(f32::NEG_INFINITY, f32::max);
    [low(0), low(1), high(0), high(1)]
}

/// Left, top, right, bottom of all quads; `None` without quads.
#[must_use]
pub fn around<'a>(quads: impl IntoIterator<Item = &'a Corners>) -> Option<[f32; 4]> {
    (quads.into_iter().map(bounding_box))
        .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}

/// The intersection over union of two boxes (left, top, right, bottom).
#[must_use]
pub fn box_overlap(a: [f32; 4], b: [f32; 4]) -> f32 {
    let area = |r: [f32; 4]| (r[2] - r[0]).max(0.0) * (r[3] - r[1]).max(0.0);
    let shared = area([a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]);
    if shared <= 0.0 { 0.0 } else { shared / (area(a) + area(b) - shared) }
}

/// The vector from a quad's far side to its `edge`-th, which begins at corner `edge`: the mean of both sides
/// between them.
#[must_use]
pub fn step(quad: &Corners, edge: usize) -> [f32; 2] {
    let at = |corner: usize| quad[(edge + corner) % 4];
    [0, 1].map(|axis| (at(0)[axis] - at(3)[axis] + at(1)[axis] - at(2)[axis]) / 2.0)
}

/// A quad moved by a vector.
#[must_use]
pub fn moved(quad: &Corners, [x, y]: [f32; 2]) -> Corners {
    quad.map(|corner| [corner[0] + x, corner[1] + y])
}

/// The intersection of two quads: over their union, and as a share of the smaller.
///
/// For quads that are not convex, clipping by their edges gives too little.
#[must_use]
pub fn overlap(a: &Corners, b: &Corners) -> [f32; 2] {
    let (area_a, area_b) = (signed_area(a), signed_area(b));
    if area_a <= 0.0 || area_b <= 0.0 {
        return [0.0; 2];
    }
    let shared = signed_area(&clipped(a, b)).max(0.0);
    [shared / (area_a + area_b - shared), shared / area_a.min(area_b)].map(|part| part.min(1.0))
}

/// The part of `a` inside `b` (Sutherland and Hodgman, 1974): both clockwise and convex.
fn clipped(a: &Corners, b: &Corners) -> Vec<[f32; 2]> {
    let mut shape = a.to_vec();
    for k in 0..4 {
        let (from, to) = (b[k], b[(k + 1) % 4]);
        let depth = |p: [f32; 2]| {
            (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0])
        };
        let mut kept = Vec::with_capacity(shape.len() + 1);
        for (place, &point) in shape.iter().enumerate() {
            let before = shape[(place + shape.len() - 1) % shape.len()];
            let (d, e) = (depth(point), depth(before));
            if (d >= 0.0) != (e >= 0.0) {
                let t = e / (e - d);
                kept.push([0, 1].map(|axis| before[axis] + t * (point[axis] - before[axis])));
            }
            if d >= 0.0 {
                kept.push(point);
            }
        }
        shape = kept;
    }
    shape
}

/// The quad enlarged by a factor about its middle.
#[must_use]
pub fn grown(quad: &Corners, times: f32) -> Corners {
    let middle = centre(quad);
    quad.map(|corner| [0, 1].map(|axis| middle[axis] + times * (corner[axis] - middle[axis])))
}

/// Indices of the quads nearest to a place, at most `most` of them, the nearest first.
#[must_use]
pub fn nearest(place: &Corners, quads: &[Corners], most: usize) -> Vec<usize> {
    let [x, y] = centre(place);
    let far = |at: usize| {
        let [u, v] = centre(&quads[at]);
        (u - x).hypot(v - y)
    };
    let mut places: Vec<usize> = (0..quads.len()).collect();
    places.sort_by(|a, b| far(*a).total_cmp(&far(*b)));
    places.truncate(most);
    places
}

/// Whether a point is in the quad, for either direction of its corners.
#[must_use]
pub fn holds_point(quad: &Corners, [x, y]: [f32; 2]) -> bool {
    let is_left = |edge: usize| {
        let ([ax, ay], [bx, by]) = (quad[edge], quad[(edge + 1) % 4]);
        (bx - ax) * (y - ay) >= (by - ay) * (x - ax)
    };
    (1..4).all(|edge| is_left(edge) == is_left(0))
}

/// The image of a point of the unit square when its corners (0, 0), (1, 0), (1, 1), (0, 1) map to this quad's
/// (Heckbert, "Fundamentals of Texture Mapping and Image Warping", 1989); `None` if the quad has no area.
#[must_use]
pub fn from_unit_square(quad: &Corners, [u, v]: [f32; 2]) -> Option<[f32; 2]> {
    let [a, b, c, d] = *quad;
    let from = |p: [f32; 2], q: [f32; 2]| [p[0] - q[0], p[1] - q[1]];
    let cross = |p: [f32; 2], q: [f32; 2]| p[0] * q[1] - p[1] * q[0];
    let (right, bottom) = (from(b, c), from(d, c));
    let bent = [0, 1].map(|axis| a[axis] - b[axis] + c[axis] - d[axis]);
    let area = cross(right, bottom);
    let [g, h] = [cross(bent, bottom) / area, cross(right, bent) / area];
    let depth = g * u + h * v + 1.0;
    let point = [0, 1].map(|axis| {
        let across = b[axis] - a[axis] + g * b[axis];
        let down = d[axis] - a[axis] + h * d[axis];
        (across * u + down * v + a[axis]) / depth
    });
    point.iter().all(|x| x.is_finite()).then_some(point)
}

/// The corner of `other` that corresponds to the first of `leader`, by the distance of all four.
#[must_use]
pub fn nearest_start(leader: &Corners, other: &Corners) -> usize {
    let distance = |start: usize| -> f32 {
        let aligned = from_corner(other, start);
        leader.iter().zip(&aligned).map(|(a, b)| (a[0] - b[0]).abs() + (a[1] - b[1]).abs()).sum()
    };
    (0..4).min_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rectangle(x: f32, y: f32, w: f32, h: f32) -> Corners {
        [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
    }

    #[test]
    fn overlap_of_rectangles_is_that_of_their_boxes() {
        let (a, b) = (rectangle(0.0, 0.0, 4.0, 2.0), rectangle(2.0, 1.0, 4.0, 2.0));
        let [both, smaller] = overlap(&a, &b);
        assert!((both - 2.0 / 14.0).abs() < 1e-5 && (smaller - 0.25).abs() < 1e-5);
        assert!((box_overlap(bounding_box(&a), bounding_box(&b)) - both).abs() < 1e-5);
        assert_eq!(overlap(&a, &rectangle(5.0, 0.0, 1.0, 1.0)), [0.0; 2]);
    }

    #[test]
    fn the_nearest_come_first() {
        let at = |x: f32| [[x, 0.0], [x + 3.0, 0.0], [x + 3.0, 4.0], [x, 4.0]];
        let quads = [at(40.0), at(-5.0), at(9.0), at(100.0)];
        assert_eq!(nearest(&at(0.0), &quads, 3), [1, 2, 0]);
        assert!(nearest(&at(0.0), &[], 3).is_empty());
    }

    #[test]
    fn a_point_lies_in_a_quad_whichever_way_round() {
        let quad = [[10.0, 0.0], [20.0, 10.0], [10.0, 20.0], [0.0, 10.0]];
        let reverse = [quad[3], quad[2], quad[1], quad[0]];
        for quad in [quad, reverse] {
            assert!(holds_point(&quad, [10.0, 10.0]) && holds_point(&quad, [4.0, 8.0]));
            assert!(!holds_point(&quad, [2.0, 2.0]) && !holds_point(&quad, [10.0, 21.0]));
        }
    }

    #[test]
    fn a_tile_within_another_is_all_of_the_smaller() {
        let [both, smaller] =
            overlap(&rectangle(0.0, 0.0, 10.0, 10.0), &rectangle(2.0, 2.0, 5.0, 5.0));
        assert!((both - 0.25).abs() < 1e-5 && (smaller - 1.0).abs() < 1e-5);
    }

    #[test]
    fn the_unit_square_comes_to_lie_on_the_quad_as_a_camera_sees_it() {
        // A square floor that recedes from the camera: its middle appears nearer to the far side.
        let floor = [[4.0, 1.0], [6.0, 1.0], [10.0, 5.0], [0.0, 5.0]];
        for (corner, at) in floor.iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            let there = from_unit_square(&floor, at).expect("a point");
            assert!((there[0] - corner[0]).abs() + (there[1] - corner[1]).abs() < 1e-4);
        }
        let [x, y] = from_unit_square(&floor, [0.5, 0.5]).expect("a point");
        // The crossing of the diagonals.
        assert!((x - 5.0).abs() < 1e-4 && (y - 5.0 / 3.0).abs() < 1e-4, "{x} {y}");
        assert_eq!(from_unit_square(&[[1.0, 1.0]; 4], [0.5, 0.5]), None);
    }

    #[test]
    fn a_quad_grows_about_its_middle() {
        assert_eq!(grown(&rectangle(2.0, 2.0, 4.0, 2.0), 1.5), rectangle(1.0, 1.5, 6.0, 3.0));
    }

    proptest! {
        #[test]
        fn overlap_does_not_care_where_corners_begin(
            x in -20f32..20.0, y in -20f32..20.0, angle in 0f32..6.3, i in 0usize..4, j in 0usize..4,
        ) {
            let a = rectangle(-10.0, -14.0, 20.0, 28.0);
            let turned = a.map(|[px, py]| {
                [x + px * angle.cos() - py * angle.sin(), y + px * angle.sin() + py * angle.cos()]
            });
            let [one, part] = overlap(&a, &turned);
            let [other, _] = overlap(&from_corner(&turned, i), &from_corner(&a, j));
            prop_assert!((one - other).abs() < 1e-3);
            prop_assert!((0.0..=1.0).contains(&one) && part >= one - 1e-4);
        }
    }
}

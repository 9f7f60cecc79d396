//! Finds the stretch that undoes the shape of tiles seen low, from over a corner of the table, or in a picture
//! that was squeezed.

use super::pixels::Linear;
use crate::sight::{Corners, rank::quantile};

/// Least ratio by which tiles are too short in one direction to count as out of shape, as seen 34° off from straight
/// above. In unknown sets, tiles that are overlooked so are often detected in shape.
const OUT_OF_SHAPE: f32 = 1.2;
/// Largest stretch at once: of flatter tiles too little is seen to measure more.
const MOST: f32 = 4.0;
/// Height of a face in widths.
const UPRIGHT: f32 = 4.0 / 3.0;
/// Fewest faces that give a shape; fewer may give one by chance.
pub(super) const SHOWN: usize = 2;
/// Stretches that are tried where fewer faces are known.
pub(super) const BLIND: [Linear; 2] = [[[3.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 3.0]]];

/// The stretch that brings faces into shape, whichever way they are turned, in the direction in which most are too
/// short; `None` where they are in shape. `shown`: faces, each from its own top left.
pub(super) fn into_shape(shown: &[Corners]) -> Option<Linear> {
    // Steps of one tile's width along and across a face: the same for all tiles on one table, however each is turned.
    // A symmetric matrix, by two entries on the diagonal and one beside it.
    let mut spread: [Vec<f32>; 3] = Default::default();
    for [a, b, c, d] in shown {
        let across = [0, 1].map(|k| (b[k] - a[k] + c[k] - d[k]) / 2.0);
        let down = [0, 1].map(|k| (d[k] - a[k] + c[k] - b[k]) / 2.0 / UPRIGHT);
        let area = (across[0] * down[1] - across[1] * down[0]).abs();
        if area > 0.0 {
            for (spread, [i, j]) in spread.iter_mut().zip([[0, 0], [0, 1], [1, 1]]) {
                spread.push((across[i] * across[j] + down[i] * down[j]) / area);
            }
        }
    }
    if spread[0].len() < SHOWN {
        return None;
    }
    let [xx, xy, yy] = spread.map(|values| quantile(values, 0.5).unwrap_or(0.0));
    let (middle, half) = ((xx + yy) / 2.0, ((xx - yy) / 2.0).hypot(xy));
    let by = ((middle + half) / (middle - half).max(1e-6)).sqrt().min(MOST);
    if by <= OUT_OF_SHAPE {
        return None;
    }
    // The direction in which tiles are short is that of the smaller eigenvalue.
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy) + std::f32::consts::FRAC_PI_2;
    let (sin, cos) = angle.sin_cos();
    let more = by - 1.0;
    Some([[1.0 + more * cos * cos, more * cos * sin], [more * cos * sin, 1.0 + more * sin * sin]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn face([width, height]: [f32; 2]) -> Corners {
        [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]
    }

    fn moved(quad: Corners, [[a, b], [c, d]]: Linear) -> Corners {
        quad.map(|[x, y]| [a * x + b * y, c * x + d * y])
    }

    /// One after the other: first `b`, then `a`.
    fn product(a: Linear, b: Linear) -> Linear {
        [0, 1].map(|row| [0, 1].map(|column| a[row][0] * b[0][column] + a[row][1] * b[1][column]))
    }

    fn turn(degrees: f32) -> Linear {
        let (sin, cos) = degrees.to_radians().sin_cos();
        [[cos, -sin], [sin, cos]]
    }

    #[test]
    fn upright_sideways_and_turned_faces_are_in_shape_and_so_are_those_a_little_low() {
        let upright = face([30.0, 40.0]);
        let row = [0.0, 90.0, 30.0, 200.0].map(|degrees| moved(upright, turn(degrees)));
        assert_eq!(into_shape(&row), None);
        let low = |by: f32| into_shape(&row.map(|quad| moved(quad, [[1.0, 0.0], [0.0, by]])));
        assert_eq!(low(0.85), None);
        assert!(low(0.8).is_some(), "a little lower");
        assert_eq!(into_shape(&row[..1]), None, "one face may be anything");
        assert_eq!(into_shape(&[[[3.0, 3.0]; 4]; 4]), None, "no area");
    }

    #[test]
    fn what_was_pressed_is_pulled_back_in_that_direction_however_the_faces_are_turned() {
        let upright = face([30.0, 40.0]);
        for direction in [0.0, 35.0, 90.0, 140.0] {
            let pressed =
                product(turn(direction), product([[0.4, 0.0], [0.0, 1.0]], turn(-direction)));
            let row = [0.0, 90.0, 50.0, 200.0]
                .map(|degrees| moved(moved(upright, turn(degrees)), pressed));
            let pull = into_shape(&row).expect("out of shape");
            let [[a, b], [c, d]] = product(pull, pressed);
            for (is, should) in [(a, 1.0), (b, 0.0), (c, 0.0), (d, 1.0)] {
                assert!((is - should).abs() < 0.01, "{direction}: {a} {b} {c} {d}");
            }
        }
    }
}

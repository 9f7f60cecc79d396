//! Finds how the whole picture moved between two frames: a nudged table, a shaken camera.

use crate::sight::{Corners, quad, rank::quantile};

/// Largest error of a tile that takes part in a movement, as a share of its short side.
const NEAR: f32 = 0.35;
/// Largest error while the movement is being searched for, as a share of the short side.
const AROUND: f32 = 0.6;
/// Fewest tiles in a movement.
const FEWEST: usize = 3;
/// Least share of all tiles that takes part in a movement.
const MOST_OF: f32 = 0.5;
/// Most movements that are tried.
const TRIES: usize = 400;
/// Rounds of refinement.
const ROUNDS: usize = 6;
/// Error of a tile, in short sides, at which it counts half in the fit.
const FITS: f32 = 0.08;

/// An affine map of the picture's plane: `[a, b, c, d, e, f]` takes `(x, y)` to
/// `(ax + by + c, dx + ey + f)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Motion([f32; 6]);

/// A tile as it takes part in the search for a movement.
pub(super) struct Mark {
    pub corners: Corners,
    pub centre: [f32; 2],
    pub short: f32,
}

impl Mark {
    pub fn new(corners: &Corners) -> Self {
        Self { corners: *corners, centre: quad::centre(corners), short: quad::sides(corners)[0] }
    }
}

impl Motion {
    pub const NONE: Self = Self([1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);

    pub const fn of(map: [f32; 6]) -> Self {
        Self(map)
    }

    /// The same in pixels of another size, each `by` of which make one.
    pub fn scaled(self, by: f32) -> Self {
        let [a, b, c, d, e, f] = self.0;
        Self([a, b, by * c, d, e, by * f])
    }

    /// First this, then the other.
    pub fn then(&self, other: &Self) -> Self {
        let [origin, right, below] =
            [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]].map(|point| other.point(self.point(point)));
        let [[c, f], [x, y], [u, v]] = [origin, right, below];
        Self([x - c, u - c, c, y - f, v - f, f])
    }

    /// The way back; `None` where there is none.
    pub fn inverse(&self) -> Option<Self> {
        let [a, b, c, d, e, f] = self.0;
        let determinant = a * e - b * d;
        if !determinant.is_normal() {
            return None;
        }
        let [a, b, d, e] = [e, -b, -d, a].map(|value| value / determinant);
        Some(Self([a, b, -(a * c + b * f), d, e, -(d * c + e * f)]))
    }

    fn shift(by: [f32; 2]) -> Self {
        Self([1.0, 0.0, by[0], 0.0, 1.0, by[1]])
    }

    pub fn point(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let [a, b, c, d, e, f] = self.0;
        [a * x + b * y + c, d * x + e * y + f]
    }

    pub fn quad(&self, corners: &Corners) -> Corners {
        corners.map(|corner| self.point(corner))
    }

    /// The movement that most of the tiles make together, from the tracks' places to the seen ones; `None`
    /// without one. `alike(track, seen)`: whether they may be one tile, by their faces.
    pub fn between(
        tracks: &[Mark],
        seen: &[Mark],
        alike: impl Fn(usize, usize) -> bool,
    ) -> Option<Self> {
        let enough = |pairs: usize| {
            let there = tracks.len().min(seen.len());
            pairs >= FEWEST && pairs as f32 >= MOST_OF * there as f32
        };
        let still = pairs(tracks, seen, &Self::NONE, NEAR, &alike);
        let (mut motion, mut found) = if enough(still.len()) {
            (Self::NONE, still)
        } else {
            shifts(tracks, seen, &alike)
                .into_iter()
                .map(|by| (Self::shift(by), pairs(tracks, seen, &Self::shift(by), AROUND, &alike)))
                .max_by_key(|(_, pairs)| pairs.len())?
        };
        if found.len() < FEWEST {
            return None;
        }
        // The median of their shifts: a few tiles that move on their own do not count.
        let shift = |axis: usize| {
            let by = |(a, b): &(usize, usize)| seen[*b].centre[axis] - tracks[*a].centre[axis];
            quantile(found.iter().map(by), 0.5).unwrap_or(0.0)
        };
        if motion == Self::NONE {
            motion = Self::shift([shift(0), shift(1)]);
        }
        for round in 0..ROUNDS {
            motion = motion.fitted(tracks, seen, &found)?;
            let near = if round + 2 < ROUNDS { AROUND } else { NEAR };
            found = pairs(tracks, seen, &motion, near, &alike);
        }
        (enough(found.len()) && motion.is_plausible()).then_some(motion)
    }

    /// Whether it is neither mirrored nor stretched more than a nudge does.
    fn is_plausible(&self) -> bool {
        let [a, b, _, d, e, _] = self.0;
        (0.5..2.0).contains(&(a * e - b * d))
            && a.hypot(d) < 1.6
            && b.hypot(e) < 1.6
            && self.0.iter().all(|value| value.is_finite())
    }

    /// Least squares over the corners of all pairs; those far from the movement so far count little (iteratively
    /// reweighted, Cauchy's weights).
    fn fitted(&self, tracks: &[Mark], seen: &[Mark], pairs: &[(usize, usize)]) -> Option<Self> {
        let mut points = Vec::with_capacity(4 * pairs.len());
        for (track, found) in pairs {
            let (track, found) = (&tracks[*track], &seen[*found]);
            let [x, y] = self.point(track.centre);
            let away = (found.centre[0] - x).hypot(found.centre[1] - y) / track.short.max(1e-3);
            let weight = f64::from(1.0 / (1.0 + (away / FITS).powi(2)));
            let start = start_beside(&track.corners, &found.corners);
            let to = quad::from_corner(&found.corners, start);
            for (from, to) in track.corners.iter().zip(to) {
                points.push((weight, from.map(f64::from), to.map(f64::from)));
            }
        }
        let total: f64 = points.iter().map(|(weight, ..)| weight).sum();
        // About the means, so that the sums stay small.
        let (mut from_mean, mut to_mean) = ([0.0; 2], [0.0; 2]);
        for (weight, from, to) in &points {
            for axis in 0..2 {
                from_mean[axis] += weight * from[axis] / total;
                to_mean[axis] += weight * to[axis] / total;
            }
        }
        let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
        let mut right = [[0.0; 2]; 2];
        for (weight, from, to) in &points {
            let [x, y] = [0, 1].map(|axis| from[axis] - from_mean[axis]);
            xx += weight * x * x;
            xy += weight * x * y;
            yy += weight * y * y;
            for axis in 0..2 {
                right[axis][0] += weight * x * (to[axis] - to_mean[axis]);
                right[axis][1] += weight * y * (to[axis] - to_mean[axis]);
            }
        }
        let determinant = xx * yy - xy * xy;
        if determinant.abs() < 1e-6 {
            return None;
        }
        let row = |axis: usize| {
            let [p, q] = right[axis];
            let (a, b) = ((p * yy - q * xy) / determinant, (q * xx - p * xy) / determinant);
            [a, b, to_mean[axis] - a * from_mean[0] - b * from_mean[1]]
        };
        let ([a, b, c], [d, e, f]) = (row(0), row(1));
        Some(Self([a, b, c, d, e, f].map(|value| value as f32)))
    }
}

/// The corner of `other` that corresponds to the first one of `leader`, wherever the two lie.
pub(super) fn start_beside(leader: &Corners, other: &Corners) -> usize {
    let ([x, y], [u, v]) = (quad::centre(leader), quad::centre(other));
    quad::nearest_start(leader, &other.map(|[p, q]| [p - u + x, q - v + y]))
}

/// Pairs of tracks and seen tiles nearby after the movement, each used once.
fn pairs(
    tracks: &[Mark],
    seen: &[Mark],
    motion: &Motion,
    near: f32,
    alike: &impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut taken = vec![false; seen.len()];
    let mut pairs = Vec::new();
    for (number, track) in tracks.iter().enumerate() {
        let [x, y] = motion.point(track.centre);
        let nearest = (0..seen.len())
            .map(|k| (k, (seen[k].centre[0] - x).hypot(seen[k].centre[1] - y)))
            .filter(|(k, away)| {
                *away < near * track.short
                    && !taken[*k]
                    && of_size(track, &seen[*k])
                    && alike(number, *k)
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((k, _)) = nearest {
            taken[k] = true;
            pairs.push((number, k));
        }
    }
    pairs
}

pub(super) fn of_size(a: &Mark, b: &Mark) -> bool {
    (0.67..1.5).contains(&(a.short / b.short.max(1e-3)))
}

/// Shifts between pairs of like tiles. Of a large number, those spread evenly over all.
fn shifts(tracks: &[Mark], seen: &[Mark], alike: &impl Fn(usize, usize) -> bool) -> Vec<[f32; 2]> {
    let mut shifts = Vec::new();
    for (number, track) in tracks.iter().enumerate() {
        for (k, found) in seen.iter().enumerate() {
            if of_size(track, found) && alike(number, k) {
                shifts.push([0, 1].map(|axis| found.centre[axis] - track.centre[axis]));
            }
        }
    }
    // Short ones first: of equal ones the nearest is right.
    shifts.sort_by(|a, b| {
        a[0].hypot(a[1])
            .total_cmp(&b[0].hypot(b[1]))
            .then(a[0].total_cmp(&b[0]))
            .then(a[1].total_cmp(&b[1]))
    });
    let step = shifts.len().div_ceil(TRIES).max(1);
    let mut shifts: Vec<[f32; 2]> = shifts.into_iter().step_by(step).collect();
    // `max_by_key` takes the last of equals.
    shifts.reverse();
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(count: usize, width: f32) -> Vec<Corners> {
        (0..count)
            .map(|k| {
                let x = 100.0 + k as f32 * (width + 1.0);
                [[x, 200.0], [x + width, 200.0], [x + width, 240.0], [x, 240.0]]
            })
            .collect()
    }

    fn marks(quads: &[Corners]) -> Vec<Mark> {
        quads.iter().map(Mark::new).collect()
    }

    #[test]
    fn a_row_shifted_by_half_a_tile_and_turned_a_little_is_followed() {
        let before = row(14, 30.0);
        let (sin, cos) = 0.05f32.sin_cos();
        let moved: Vec<Corners> = before
            .iter()
            .map(|quad| quad.map(|[x, y]| [x * cos - y * sin + 25.0, x * sin + y * cos - 12.0]))
            .collect();
        // Every third tile has the same face: faces alone settle only a part.
        let motion =
            Motion::between(&marks(&before), &marks(&moved), |a, b| a % 3 == b % 3).unwrap();
        for (from, to) in before.iter().zip(&moved) {
            let ([x, y], [u, v]) = (motion.point(quad::centre(from)), quad::centre(to));
            assert!((x - u).hypot(y - v) < 0.5);
        }
    }

    #[test]
    fn one_tile_taken_from_a_row_moves_nothing() {
        let before = row(14, 30.0);
        let after: Vec<Corners> = before[1..].to_vec();
        let motion = Motion::between(&marks(&before), &marks(&after), |a, b| a == b + 1).unwrap();
        let [x, y] = motion.point([300.0, 220.0]);
        assert!((x - 300.0).hypot(y - 220.0) < 0.1);
    }

    #[test]
    fn tiles_that_go_their_own_ways_make_no_movement() {
        let before = row(6, 30.0);
        let shift = [7.0, -90.0, 130.0, 45.0, -200.0, 60.0];
        let after: Vec<Corners> = before
            .iter()
            .zip(shift)
            .map(|(quad, by)| quad.map(|[x, y]| [x + by, y + 2.0 * by]))
            .collect();
        assert_eq!(Motion::between(&marks(&before), &marks(&after), |a, b| a == b), None);
    }
}

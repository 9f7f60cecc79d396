//! The table of a picture without a profile, from the shapes of the tiles that lie on it.
//!
//! Tiles are rectangles of one size. Their areas in the picture give the perspective, their sides the scales along the
//! table, and most of them lie parallel to its edges.

use super::{Edge, Homography, TableProfile};
use crate::sight::{
    Corners, SeenTile,
    frame::{HEIGHT, PARALLEL, Point, TileFrame, dot, length, minus, upright},
    rank::quantile,
};

/// Fewest tiles from which a table is made.
const FEWEST: usize = 10;
/// Least probability of a tile's class with which it counts: prints on the table are less clear.
const CLEAR: f32 = 0.8;
/// Number of fits; before each but the first, tiles that fit badly are left out.
const FITS: usize = 4;
/// Largest error of a tile's sides, as a part of their lengths, at which it is kept.
const WELL_FITTING: f32 = 0.2;
/// Least sureness of a tile's upper side with which it says where its player sits.
const KNOWS_SIDE: f32 = 0.5;
/// Share of the tiles that face a player which lie no nearer to him than the row of his hand; flowers may.
const ROW: f32 = 0.8;
/// Largest distance across of a tile from the row that it belongs to, in widths.
const IN_ROW: f32 = 0.7;
/// Fewest tiles of the row of an opened hand.
const OF_A_HAND: usize = 7;
/// Distance of the hands' rows from the table's edges, in widths of a tile.
const TO_EDGE: f32 = 2.5;
/// Least and largest distance of a row from the middle of the table, in widths of a tile.
const FROM_MIDDLE: std::ops::Range<f32> = 5.0..30.0;

/// A map from the picture to a plane in which tiles are rectangles, [`HEIGHT`] times as long as wide.
#[derive(Clone, Copy)]
struct Plane {
    /// A point of the picture amid the tiles.
    origin: Point,
    /// Coefficients of the nearness, from the origin: of x, of y, and alone.
    nearness: [f32; 3],
    /// Takes points freed of perspective to the plane.
    along: [Point; 2],
}

impl Plane {
    fn nearness(&self, point: Point) -> f32 {
        let [x, y] = minus(point, self.origin);
        self.nearness[0] * x + self.nearness[1] * y + self.nearness[2]
    }

    fn map(&self, point: Point) -> Point {
        let near = self.nearness(point);
        self.along.map(|row| dot(row, minus(point, self.origin)) / near)
    }

    fn frame(&self, frame: &TileFrame) -> TileFrame {
        TileFrame::new(frame.corners.map(|corner| self.map(corner)))
    }

    /// From the plane to the picture.
    fn to_picture(self) -> Option<Homography> {
        let [a, b, c] = self.nearness;
        let moved = |[x, y]: Point, alone: f32| [x, y, alone - dot([x, y], self.origin)];
        let rows = [moved(self.along[0], 0.0), moved(self.along[1], 0.0), moved([a, b], c)];
        Homography::new(rows.map(|row| row.map(f64::from))).map(|there| there.inverse())
    }

    /// The plane turned so that most tiles lie along its axes, with the picture's lower side below.
    fn turned(self, frames: &[TileFrame]) -> Self {
        let sum = frames.iter().fold([0.0, 0.0], |[x, y], frame| {
            let [right, up] = self.frame(frame).right;
            let angle = 4.0 * up.atan2(right);
            [x + angle.cos(), y + angle.sin()]
        });
        let slant = sum[1].atan2(sum[0]) / 4.0;
        let below = self.map([self.origin[0], self.origin[1] + 1.0]);
        let down = below[0].atan2(below[1]);
        // The nearest quarter turn after which downwards is downwards.
        let quarters = ((down + slant) / std::f32::consts::FRAC_PI_2).round();
        let turn = quarters * std::f32::consts::FRAC_PI_2 - slant;
        let (sin, cos) = turn.sin_cos();
        let [u, v] = self.along;
        let mixed = |by: Point| [by[0] * u[0] + by[1] * v[0], by[0] * u[1] + by[1] * v[1]];
        Self { along: [mixed([cos, -sin]), mixed([sin, cos])], ..self }
    }
}

/// Solves three linear equations; `None` where they depend on each other.
fn solve(mut equations: [[f64; 4]; 3]) -> Option<[f64; 3]> {
    for at in 0..3 {
        let size = |row: &usize| equations[*row][at].abs();
        let pivot = (at..3).max_by(|a, b| size(a).total_cmp(&size(b)))?;
        equations.swap(at, pivot);
        let lead = equations[at];
        if lead[at].abs() < f64::MIN_POSITIVE {
            return None;
        }
        for (_, equation) in equations.iter_mut().enumerate().filter(|(row, _)| *row != at) {
            let times = equation[at] / lead[at];
            equation.iter_mut().zip(lead).for_each(|(value, lead)| *value -= times * lead);
        }
    }
    Some([0, 1, 2].map(|at| equations[at][3] / equations[at][at]))
}

/// The least squares of equations: three coefficients each, and their result.
fn least_squares(equations: impl Iterator<Item = [f64; 4]>) -> Option<[f64; 3]> {
    let mut normal = [[0.0; 4]; 3];
    for equation in equations {
        for (row, sums) in normal.iter_mut().enumerate() {
            sums.iter_mut().zip(equation).for_each(|(sum, value)| *sum += equation[row] * value);
        }
    }
    solve(normal)
}

/// The plane in which these tiles come nearest to rectangles of one size.
fn plane_of(frames: &[TileFrame]) -> Option<Plane> {
    let mean = |axis: usize| {
        frames.iter().map(|frame| frame.centre[axis]).sum::<f32>() / frames.len() as f32
    };
    let origin = [mean(0), mean(1)];
    // A tile's area in the picture goes with the third power of its nearness.
    let nearness = least_squares(frames.iter().map(|frame| {
        let [x, y] = minus(frame.centre, origin).map(f64::from);
        [x, y, 1.0, f64::from(frame.area()).cbrt()]
    }))?;
    let nearness = nearness.map(|value| value as f32);
    let free = Plane { origin, nearness, along: [[1.0, 0.0], [0.0, 1.0]] };
    if frames.iter().flat_map(|frame| frame.corners).any(|corner| free.nearness(corner) <= 0.0) {
        return None;
    }
    // A metric [[1 + k, q], [q, 1 - k]] in which the sides are at right angles and their lengths in proportion.
    let ratio = f64::from(HEIGHT * HEIGHT);
    let equations = frames.iter().flat_map(|frame| {
        let seen = free.frame(frame);
        let [[rx, ry], [dx, dy]] = [seen.right, seen.down].map(|side| side.map(f64::from));
        let size = f64::from(seen.area()).max(f64::MIN_POSITIVE);
        let right_angle = [rx * dx - ry * dy, rx * dy + ry * dx, 0.0, -(rx * dx + ry * dy)];
        let lengths = [
            dx * dx - dy * dy - ratio * (rx * rx - ry * ry),
            2.0 * (dx * dy - ratio * rx * ry),
            0.0,
            ratio * (rx * rx + ry * ry) - dx * dx - dy * dy,
        ];
        [right_angle, lengths].map(|equation| equation.map(|value| value / size))
    });
    // There are two unknowns; the third is held at nothing.
    let [k, q, _] = least_squares(equations.chain([[0.0, 0.0, 1.0, 0.0]]))?;
    let wide = (1.0 + k).sqrt();
    let slant = q / wide;
    let high = (1.0 - k - slant * slant).sqrt();
    let along = [[wide as f32, slant as f32], [0.0, high as f32]];
    (high > 0.0 && wide.is_finite()).then_some(Plane { along, ..free })
}

/// The width of a tile in the plane.
fn width_in(plane: &Plane, frames: &[TileFrame]) -> Option<f32> {
    quantile(frames.iter().map(|frame| (plane.frame(frame).area() / HEIGHT).sqrt()), 0.5)
}

/// The plane of the tiles that fit it, and the width of a tile in it.
fn fitted(frames: &[TileFrame]) -> Option<(Plane, f32)> {
    let mut kept = frames.to_vec();
    for _ in 1..FITS {
        let plane = plane_of(&kept)?;
        let width = width_in(&plane, &kept)?;
        let misfit = |frame: &TileFrame| {
            let seen = plane.frame(frame);
            let wide = length(seen.right) / width - 1.0;
            let high = length(seen.down) / (width * HEIGHT) - 1.0;
            let slant = dot(seen.right, seen.down) / (width * width * HEIGHT);
            wide.abs().max(high.abs()).max(slant.abs())
        };
        let usual = quantile(frames.iter().map(misfit), 0.5)?;
        kept = frames.to_vec();
        kept.retain(|frame| misfit(frame) <= WELL_FITTING.max(2.0 * usual));
    }
    let plane = plane_of(&kept)?.turned(&kept);
    Some((plane, width_in(&plane, &kept)?))
}

/// The row of an opened hand in the plane.
struct HandRow {
    /// Its distance outwards from the plane's origin, towards its player.
    out: f32,
    /// The middle of its tiles along the row.
    middle: f32,
}

/// The rows of opened hands, by the edges in [`Edge::IN_PLAY`].
fn rows(tiles: &[(TileFrame, f32)], width: f32) -> [Option<HandRow>; 4] {
    [0, 1, 2, 3].map(|edge| {
        let facing = |frame: &TileFrame| {
            let [x, y] = frame.right;
            [x, -y, -x, y][edge] / length(frame.right)
        };
        let at = |frame: &TileFrame| {
            let [x, y] = frame.centre;
            ([y, x, -y, -x][edge], [x, y, x, y][edge])
        };
        let own = (tiles.iter())
            .filter(|(frame, up)| *up >= KNOWS_SIDE && facing(frame) > PARALLEL)
            .map(|(frame, _)| at(frame).0);
        let out = quantile(own, ROW)?;
        // Faces that look the same both ways up belong to the row too.
        let row: Vec<f32> = (tiles.iter())
            .filter(|(frame, _)| facing(frame).abs() > PARALLEL)
            .map(|(frame, _)| at(frame))
            .filter(|(other, _)| (other - out).abs() < IN_ROW * width)
            .map(|(_, along)| along)
            .collect();
        let middle = row.iter().sum::<f32>() / row.len() as f32;
        (row.len() >= OF_A_HAND).then_some(HandRow { out, middle })
    })
}

/// The middle between two opposite rows, or that of the tiles of the rows between them.
fn middle(
    low: Option<&HandRow>,
    high: Option<&HandRow>,
    between: [Option<&HandRow>; 2],
) -> Option<f32> {
    if let (Some(low), Some(high)) = (low, high) {
        return Some((high.out - low.out) / 2.0);
    }
    let middles: Vec<f32> = between.into_iter().flatten().map(|row| row.middle).collect();
    (!middles.is_empty()).then(|| middles.iter().sum::<f32>() / middles.len() as f32)
}

impl TableProfile {
    /// The table on which opened hands lie around its middle, from the tiles alone: the picture's lower edge is that
    /// of East. `None` where fewer than two players have opened their hands.
    #[must_use]
    pub fn of_hands(tiles: &[SeenTile], picture: [u32; 2]) -> Option<Self> {
        let (frames, ups): (Vec<TileFrame>, Vec<f32>) = (tiles.iter())
            .filter(|tile| tile.classified().1 >= CLEAR)
            .map(upright)
            .filter(|(frame, _)| frame.is_sound())
            .unzip();
        if frames.len() < FEWEST {
            return None;
        }
        let (plane, width) = fitted(&frames)?;
        let seen: Vec<(TileFrame, f32)> =
            frames.iter().map(|frame| plane.frame(frame)).zip(ups).collect();
        let rows = rows(&seen, width);
        let [bottom, right, top, left] = [0, 1, 2, 3].map(|edge| rows[edge].as_ref());
        let [x, y] = [middle(left, right, [bottom, top])?, middle(top, bottom, [left, right])?];
        let known: Vec<f32> = [(bottom, -y), (right, -x), (top, y), (left, x)]
            .into_iter()
            .filter_map(|(row, moved)| Some(row?.out + moved))
            .collect();
        let from_middle = known.iter().sum::<f32>() / known.len() as f32;
        if known.len() < 2 || !FROM_MIDDLE.contains(&(from_middle / width)) {
            return None;
        }
        let half = from_middle + TO_EDGE * width;
        let to_picture = plane.to_picture()?;
        let corner = |[u, v]: Point| to_picture.map([x + u * half, y + v * half]);
        let corners: Corners = [
            corner([-1.0, -1.0])?,
            corner([1.0, -1.0])?,
            corner([1.0, 1.0])?,
            corner([-1.0, 1.0])?,
        ];
        Self::new(picture, corners, Edge::Bottom).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::laid;

    const TABLE: Corners = [[500.0, 150.0], [1400.0, 120.0], [1750.0, 1040.0], [130.0, 1060.0]];

    /// A hand in a row at the lower edge of a table of 1000 units.
    const HAND: &str = "1m 2m 3m 7m 8m 9m 4p 6p 7p 1z 1z 2z 3z";

    /// The tiles of hands at some edges of the table, as a camera sees them.
    fn seen(edges: &[usize]) -> Vec<SeenTile> {
        let to_picture = Homography::from_square(&TABLE).unwrap();
        let at = |edge: usize, [x, y]: Point| {
            let [x, y] = [x / 1000.0, y / 1000.0];
            let on_table = [[x, y], [y, 1.0 - x], [1.0 - x, 1.0 - y], [1.0 - y, x]][edge];
            to_picture.map(on_table).unwrap()
        };
        let mut all = Vec::new();
        for &edge in edges {
            for mut tile in laid::row(HAND, [280.0, 935.0], [33.0, 44.0]) {
                tile.corners = tile.corners.map(|corner| at(edge, corner));
                all.push(tile);
            }
        }
        all
    }

    fn off(profile: &TableProfile) -> f32 {
        let corners = profile.corners.iter().zip(TABLE);
        corners.map(|(a, b)| length(minus(*a, b))).fold(0.0, f32::max)
    }

    #[test]
    fn the_table_is_where_its_hands_lie() {
        for edges in [&[0, 1, 2, 3][..], &[0, 2], &[1, 3], &[0, 1, 2], &[1, 2]] {
            let profile = TableProfile::of_hands(&seen(edges), [1920, 1080]);
            let off = off(&profile.unwrap_or_else(|| panic!("{edges:?}")));
            assert!(off < 120.0, "{edges:?}: {off}");
        }
        assert_eq!(TableProfile::of_hands(&seen(&[0]), [1920, 1080]), None);
        assert_eq!(TableProfile::of_hands(&[], [1920, 1080]), None);
    }
}

//! Maps four points of a picture to the unit square and back.

/// A point: in pixels of a picture, or in parts of the table's edge.
type Point = [f32; 2];

/// The projection of a flat table onto a picture; straight lines stay straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homography([[f64; 3]; 3]);

impl Homography {
    /// Takes the unit square's corners (0,0), (1,0), (1,1), (0,1) to four points (Heckbert,
    /// Fundamentals of Texture Mapping and Image Warping, 1989, 2.2.3). `None` where three of them
    /// lie in a line.
    #[must_use]
    pub fn from_square(corners: &[Point; 4]) -> Option<Self> {
        let [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners.map(|corner| corner.map(f64::from));
        let (dx1, dx2, sx) = (x1 - x2, x3 - x2, x0 - x1 + x2 - x3);
        let (dy1, dy2, sy) = (y1 - y2, y3 - y2, y0 - y1 + y2 - y3);
        let area = dx1 * dy2 - dx2 * dy1;
        let g = (sx * dy2 - dx2 * sy) / area;
        let h = (dx1 * sy - sx * dy1) / area;
        let found = [
            [x1 - x0 + g * x1, x3 - x0 + h * x3, x0],
            [y1 - y0 + g * y1, y3 - y0 + h * y3, y0],
            [g, h, 1.0],
        ];
        Self::new(found)
    }

    /// A map by its matrix; `None` where it has no inverse.
    pub(super) fn new(matrix: [[f64; 3]; 3]) -> Option<Self> {
        let sound = matrix.iter().flatten().all(|x| x.is_finite());
        (sound && determinant(&matrix).abs() > 1e-9).then_some(Self(matrix))
    }

    /// The inverse map.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let m = &self.0;
        let minor = |row: usize, column: usize| {
            let (a, b) = ((row + 1) % 3, (row + 2) % 3);
            let (c, d) = ((column + 1) % 3, (column + 2) % 3);
            m[a][c] * m[b][d] - m[a][d] * m[b][c]
        };
        // A homography has no scale, so its adjugate serves as its inverse.
        let sign = determinant(m).signum();
        Self([0, 1, 2].map(|row| [0, 1, 2].map(|column| sign * minor(column, row))))
    }

    /// The image of a point; `None` beyond the horizon.
    #[must_use]
    pub fn map(&self, [x, y]: Point) -> Option<Point> {
        let (x, y) = (f64::from(x), f64::from(y));
        let [u, v, w] = self.0.map(|[a, b, c]| a * x + b * y + c);
        (w > 1e-9).then(|| [(u / w) as f32, (v / w) as f32])
    }
}

fn determinant(m: &[[f64; 3]; 3]) -> f64 {
    m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1])
        - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
        + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TABLE: [Point; 4] = [[400.0, 100.0], [1500.0, 90.0], [1800.0, 1000.0], [120.0, 1010.0]];

    #[test]
    fn corners_come_to_corners() {
        let there = Homography::from_square(&TABLE).unwrap();
        let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
        for (from, to) in square.into_iter().zip(TABLE) {
            let [x, y] = there.map(from).unwrap();
            assert!((x - to[0]).abs() < 1e-2 && (y - to[1]).abs() < 1e-2, "{x} {y}");
        }
    }

    #[test]
    fn the_middle_of_the_table_is_where_its_diagonals_meet() {
        let there = Homography::from_square(&TABLE).unwrap();
        let [x, y] = there.map([0.5, 0.5]).unwrap();
        let beside = |a: Point, b: Point| (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
        assert!(beside(TABLE[0], TABLE[2]).abs() < 50.0 && beside(TABLE[1], TABLE[3]).abs() < 50.0);
        assert!(y < 555.0, "farther away is smaller");
    }

    #[test]
    fn a_line_is_no_table() {
        let flat = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [0.0, 5.0]];
        assert_eq!(Homography::from_square(&flat), None);
        assert_eq!(Homography::from_square(&[[3.0, 3.0]; 4]), None);
    }

    proptest! {
        #[test]
        fn there_and_back_is_the_same_point(x in -0.2f32..1.2, y in -0.2f32..1.2) {
            let there = Homography::from_square(&TABLE).unwrap();
            let back = there.inverse().map(there.map([x, y]).unwrap()).unwrap();
            prop_assert!((back[0] - x).abs() < 1e-3 && (back[1] - y).abs() < 1e-3);
        }
    }
}

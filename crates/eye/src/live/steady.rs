//! Holds the picture of a camera that sways still: each frame is shown as the camera stood when the picture was last at rest, so
//! that only what moves on the table is looked at again.
//!
//! The strongest edges of a small copy are followed by Gauss-Newton steps on the picture at rest (inverse compositional:
//! Baker and Matthews, Lucas-Kanade 20 Years On, 2004), with Cauchy's weights: arms and tiles that move count little.

use std::borrow::Cow;

use image::RgbImage;

use super::motion::Motion;
use crate::picture::Picture;

/// Pixels across the longer side of the small copy, about.
const ACROSS: u32 = 480;
/// Pixels across and down a square of the small copy, of which the strongest edge is followed.
const SQUARE: usize = 8;
/// Least slope of an edge, in grey levels a pixel of the small copy.
const EDGE: f32 = 8.0;
/// Fewest edges that show a movement.
const FEWEST: usize = 40;
/// Rounds from the movement of the frame before.
const ROUNDS: usize = 8;
/// Difference of grey at which an edge counts half, and up to which it agrees.
const AGREES: f32 = 10.0;
/// Least share of the edges that agree.
const MOST: f32 = 0.6;
/// Farthest movement of a corner of the picture, as a share of its longer side: farther, the camera stands elsewhere.
const FAR: f32 = 0.02;
/// Movement of all corners, in pixels, up to which a picture stays as it is.
const STILL: f32 = 0.5;
/// Pixels of a row that are moved together.
const SPAN: usize = 64;

/// The picture at rest, and how the newest frame lies to it.
#[derive(Default)]
pub(super) struct Steady {
    rest: Option<Rest>,
    /// From places in the picture at rest to those in the newest frame.
    motion: Option<Motion>,
}

/// A picture at rest.
struct Rest {
    /// Shown where a frame that has moved has nothing.
    picture: RgbImage,
    step: u32,
    edges: Vec<Edge>,
}

/// An edge of the small copy.
struct Edge {
    at: [f32; 2],
    grey: f32,
    slope: [f32; 2],
}

impl Steady {
    /// A frame as the camera would have shown it at rest; as it is where that is not known.
    pub fn held<'a>(&mut self, frame: &'a Picture) -> Cow<'a, Picture> {
        let before = self.motion.take().unwrap_or(Motion::NONE);
        let rgb = frame.rgb();
        let rest = self.rest.as_ref().filter(|rest| rest.picture.dimensions() == rgb.dimensions());
        let Some(rest) = rest else { return Cow::Borrowed(frame) };
        self.motion = rest.motion_to(rgb, before);
        let moved = self.motion.filter(|motion| farthest(motion, rgb) > STILL);
        let held = moved.map(|motion| moved_back(rgb, &motion, &rest.picture));
        let held = held.and_then(|held| Picture::from_rgb(held).ok());
        held.map_or(Cow::Borrowed(frame), Cow::Owned)
    }

    /// Takes a picture that was held, and is at rest now.
    pub fn rest(&mut self, held: &Picture) {
        let picture = held.rgb().clone();
        let step = picture.width().max(picture.height()).div_ceil(ACROSS).max(1);
        let edges = Small::of(&picture, step).edges();
        self.rest = Some(Rest { picture, step, edges });
    }

    /// From places in the picture that is held to those in the newest frame.
    pub fn motion(&self) -> Motion {
        self.motion.unwrap_or(Motion::NONE)
    }
}

impl Rest {
    /// The movement to a frame; `None` where the edges do not agree on one, or it is far.
    fn motion_to(&self, frame: &RgbImage, before: Motion) -> Option<Motion> {
        if self.edges.len() < FEWEST {
            return None;
        }
        let small = Small::of(frame, self.step);
        let mut motion = before.scaled(1.0 / self.step as f32);
        for _ in 0..ROUNDS {
            motion = self.closer(&small, &motion)?;
        }
        let light = self.light(&small, &motion)?;
        let agree = (self.edges.iter())
            .filter_map(|edge| Some(small.at(motion.point(edge.at))? - edge.grey - light))
            .filter(|error| error.abs() < AGREES)
            .count();
        let motion = motion.scaled(self.step as f32);
        let is_near = farthest(&motion, frame) < FAR * frame.width().max(frame.height()) as f32;
        (is_near && agree as f32 >= MOST * self.edges.len() as f32).then_some(motion)
    }

    /// By how much the edges that are seen are lighter than at rest.
    fn light(&self, small: &Small, motion: &Motion) -> Option<f32> {
        let lighter = (self.edges.iter())
            .filter_map(|edge| Some(small.at(motion.point(edge.at))? - edge.grey));
        crate::sight::rank::quantile(lighter, 0.5)
    }

    /// A step of Gauss and Newton.
    fn closer(&self, small: &Small, motion: &Motion) -> Option<Motion> {
        let light = self.light(small, motion)?;
        let (mut left, mut right) = ([[0.0; 6]; 6], [0.0; 6]);
        for Edge { at: at @ [x, y], grey, slope: [u, v] } in &self.edges {
            let Some(now) = small.at(motion.point(*at)) else { continue };
            let error = now - grey - light;
            let weight = f64::from(1.0 / (1.0 + (error / AGREES).powi(2)));
            let by = [u * x, u * y, *u, v * x, v * y, *v].map(f64::from);
            for (row, of_row) in left.iter_mut().zip(by) {
                row.iter_mut().zip(by).for_each(|(sum, of)| *sum += weight * of_row * of);
            }
            right.iter_mut().zip(by).for_each(|(sum, of)| *sum += weight * of * f64::from(error));
        }
        let by = solved(left, right)?.map(|value| value as f32);
        let [a, b, c, d, e, f] = by;
        // The picture at rest would have to move so: the frame moves the other way.
        let back = Motion::of([1.0 + a, b, c, d, 1.0 + e, f]).inverse()?;
        Some(back.then(motion))
    }
}

/// The solution of linear equations, by elimination with pivots; `None` where there is not one.
fn solved(mut left: [[f64; 6]; 6], mut right: [f64; 6]) -> Option<[f64; 6]> {
    for k in 0..6 {
        let pivot = (k..6).max_by(|&i, &j| left[i][k].abs().total_cmp(&left[j][k].abs()))?;
        if left[pivot][k].abs() < 1e-6 {
            return None;
        }
        left.swap(k, pivot);
        right.swap(k, pivot);
        let (pivot, of_pivot) = (left[k], right[k]);
        for (row, (of_row, right)) in left.iter_mut().zip(&mut right).enumerate() {
            if row == k {
                continue;
            }
            let share = of_row[k] / pivot[k];
            of_row.iter_mut().zip(pivot).for_each(|(value, of)| *value -= share * of);
            *right -= share * of_pivot;
        }
    }
    Some(std::array::from_fn(|k| right[k] / left[k][k]))
}

/// The movement of the corner of a picture that moves most, in pixels.
fn farthest(motion: &Motion, picture: &RgbImage) -> f32 {
    let [width, height] = [picture.width() as f32, picture.height() as f32];
    let corners = [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]];
    let by = corners.map(|corner| {
        let [x, y] = motion.point(corner);
        (x - corner[0]).hypot(y - corner[1])
    });
    by.into_iter().fold(0.0, f32::max)
}

/// A frame moved back to where the picture lay at rest, by whole pixels: between pixels it would be softer, and read worse.
fn moved_back(frame: &RgbImage, motion: &Motion, rest: &RgbImage) -> RgbImage {
    let (width, height) = (frame.width() as usize, frame.height() as usize);
    let (from, mut held) = (frame.as_raw(), rest.clone());
    for (y, row) in held.chunks_exact_mut(3 * width).enumerate() {
        for start in (0..width).step_by(SPAN) {
            let middle = (start + SPAN / 2) as f32;
            let [u, v] = motion.point([middle, y as f32]);
            let (right, at) = ((u - middle).round() as isize, v.round());
            if at < 0.0 || at >= height as f32 {
                continue;
            }
            // What the frame shows of the span.
            let shown = |place: usize| place.saturating_add_signed(right).min(width);
            let (first, last) = (shown(start), shown((start + SPAN).min(width)));
            let to = 3 * first.saturating_add_signed(-right);
            let pixels = &from[3 * (at as usize * width + first)..3 * (at as usize * width + last)];
            row[to..to + pixels.len()].copy_from_slice(pixels);
        }
    }
    held
}

/// A small copy of a picture: the mean of squares.
struct Small {
    width: usize,
    height: usize,
    grey: Vec<f32>,
}

impl Small {
    fn of(picture: &RgbImage, step: u32) -> Self {
        let (width, height) =
            ((picture.width() / step) as usize, (picture.height() / step) as usize);
        let (stride, step) = (3 * picture.width() as usize, step as usize);
        let mut grey = Vec::with_capacity(width * height);
        for rows in picture.as_raw().chunks_exact(stride * step).take(height) {
            let mut sums = vec![0u32; width];
            for row in rows.chunks_exact(stride) {
                for (sum, values) in sums.iter_mut().zip(row.chunks_exact(3 * step)) {
                    *sum += values.iter().map(|value| u32::from(*value)).sum::<u32>();
                }
            }
            grey.extend(sums.iter().map(|sum| *sum as f32 / (3 * step * step) as f32));
        }
        Self { width, height, grey }
    }

    fn get(&self, x: usize, y: usize) -> f32 {
        self.grey[y * self.width + x]
    }

    /// The grey between pixels; `None` outside.
    fn at(&self, [x, y]: [f32; 2]) -> Option<f32> {
        let most = |size: usize| size as f32 - 1.0;
        if !(x >= 0.0 && y >= 0.0 && x < most(self.width) && y < most(self.height)) {
            return None;
        }
        let (column, row) = (x as usize, y as usize);
        let (u, v) = (x - column as f32, y - row as f32);
        let of_row = |row: usize| {
            let (left, right) = (self.get(column, row), self.get(column + 1, row));
            left + u * (right - left)
        };
        let (top, bottom) = (of_row(row), of_row(row + 1));
        Some(top + v * (bottom - top))
    }

    /// The strongest edge of each square, without those at the border.
    fn edges(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        let inner = |size: usize| (1..size.saturating_sub(1)).step_by(SQUARE);
        for top in inner(self.height) {
            for left in inner(self.width) {
                let square = (top..(top + SQUARE).min(self.height - 1))
                    .flat_map(|y| (left..(left + SQUARE).min(self.width - 1)).map(move |x| [x, y]));
                let edge = square.map(|[x, y]| {
                    let slope = [
                        (self.get(x + 1, y) - self.get(x - 1, y)) / 2.0,
                        (self.get(x, y + 1) - self.get(x, y - 1)) / 2.0,
                    ];
                    Edge { at: [x as f32, y as f32], grey: self.get(x, y), slope }
                });
                let steep = |edge: &Edge| edge.slope[0].hypot(edge.slope[1]);
                let strongest = edge.max_by(|a, b| steep(a).total_cmp(&steep(b)));
                edges.extend(strongest.filter(|edge| steep(edge) >= EDGE));
            }
        }
        edges
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// A table with tiles, seen from a place.
    fn seen(from: [f32; 2], arm: Option<u32>) -> Picture {
        let value = |x: f32, y: f32| {
            let (u, v) = (x.rem_euclid(60.0), y.rem_euclid(90.0));
            // Soft edges, as a lens draws them, a little different on each tile.
            let edge = |at: f32, size: f32| {
                (at - 8.0).clamp(0.0, 3.0) / 3.0 * (size - 6.0 - at).clamp(0.0, 3.0) / 3.0
            };
            let print = f32::from(u8::from((u - 25.0).hypot(v - 40.0) < 9.0));
            70.0 + edge(u, 60.0) * edge(v, 90.0) * (120.0 - 60.0 * print)
        };
        let pixel = |x: u32, y: u32| {
            if arm.is_some_and(|arm| (arm..arm + 200).contains(&x)) {
                return Rgb([200, 150, 120]);
            }
            // Four points of each pixel.
            let sum: f32 = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]]
                .iter()
                .map(|[u, v]| value(x as f32 + u + from[0], y as f32 + v + from[1]))
                .sum();
            Rgb([(sum / 4.0) as u8; 3])
        };
        Picture::from_rgb(RgbImage::from_fn(960, 720, pixel)).unwrap()
    }

    fn at_rest() -> Steady {
        let mut steady = Steady::default();
        let first = seen([0.0; 2], None);
        assert_eq!(steady.held(&first).rgb(), first.rgb());
        steady.rest(&first);
        steady
    }

    /// Mean difference of two pictures, in grey levels.
    fn differ(a: &Picture, b: &Picture) -> f32 {
        let sum: u64 =
            a.rgb().iter().zip(b.rgb().iter()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sum as f32 / a.rgb().len() as f32
    }

    #[test]
    fn a_sway_is_taken_out_and_known() {
        let (mut steady, first) = (at_rest(), seen([0.0; 2], None));
        for frame in 0..40 {
            let (sin, cos) = (frame as f32 * 0.25).sin_cos();
            let from = [6.0 * sin, 4.0 * (1.0 - cos)];
            let now = seen(from, (frame > 20).then_some(5 * frame));
            let held = steady.held(&now);
            let [x, y] = steady.motion().point([480.0, 360.0]);
            let error = (x - 480.0 + from[0]).hypot(y - 360.0 + from[1]);
            assert!(error < 0.2, "{frame}: {error}");
            // The nearest pixels lie up to half a pixel off.
            if frame <= 20 && from[0].hypot(from[1]) > 3.0 {
                assert!(differ(&held, &first) < differ(&now, &first) / 3.0, "{frame}");
            }
        }
    }

    #[test]
    fn a_camera_that_stands_elsewhere_is_not_held() {
        let mut steady = at_rest();
        // By half a tile: its neighbours look alike.
        let elsewhere = seen([30.0, 0.0], None);
        assert_eq!(steady.held(&elsewhere).rgb(), elsewhere.rgb());
        assert_eq!(steady.motion(), Motion::NONE);
        steady.rest(&elsewhere);
        let sways = seen([32.0, 0.0], None);
        assert!(differ(&steady.held(&sways), &elsewhere) < differ(&sways, &elsewhere) / 3.0);
        let small = Picture::from_rgb(RgbImage::new(640, 480)).unwrap();
        assert_eq!(steady.held(&small).rgb(), small.rgb());
    }

    #[test]
    fn a_plain_table_shows_no_movement() {
        let mut steady = Steady::default();
        let plain =
            |grey| Picture::from_rgb(RgbImage::from_pixel(960, 720, Rgb([grey; 3]))).unwrap();
        steady.rest(&plain(90));
        assert_eq!(steady.held(&plain(93)).rgb(), plain(93).rgb());
        assert_eq!(steady.motion(), Motion::NONE);
    }
}

//! Scaling and warping in Rust, with the grids, weights and roundings of OpenCV 4, for builds without OpenCV, such as
//! in a browser. Pixels are squares whose middles are at halves; only [`Image::warped`] and [`Image::upright`] treat
//! them as points.

use std::borrow::Cow;

use image::RgbImage;

use super::{CROP, Method, ModelError, Region};
use crate::sight::Corners;

/// Weights of neighbours in a resized row or column are whole 2048ths.
const ONE: f32 = 2048.0;
/// Places in a warped image are whole 32nds of a pixel.
const PLACES: i32 = 32;
/// Weights that are smaller add nothing, in pixels.
const NOTHING: f64 = 1e-3;

/// Pixels, RGB, 8 bits: those of a picture without a copy, or its own.
#[derive(Clone)]
pub(super) struct Image<'p> {
    width: usize,
    height: usize,
    bytes: Cow<'p, [u8]>,
}

/// The pixels that make up a resized one along one axis: the first, clamped later, and the weight of each in
/// 2048ths.
type Taps = (i32, [i32; 4]);

impl<'p> Image<'p> {
    /// The pixels of a picture.
    ///
    /// # Errors
    /// Never; the OpenCV version may refuse the picture.
    pub fn of(picture: &'p RgbImage) -> Result<Self, ModelError> {
        let [width, height] = [picture.width(), picture.height()].map(|side| side as usize);
        Ok(Self { width, height, bytes: Cow::Borrowed(picture.as_raw()) })
    }

    /// Pixels across.
    pub fn width(&self) -> i32 {
        self.width as i32
    }

    /// Pixels down.
    pub fn height(&self) -> i32 {
        self.height as i32
    }

    /// Its pixels, row after row.
    ///
    /// # Errors
    /// Never.
    pub fn bytes(&self) -> Result<&[u8], ModelError> {
        Ok(&self.bytes)
    }

    /// A part of it at another size.
    ///
    /// # Errors
    /// Never.
    pub fn resized(
        &self,
        part: Region,
        to: [i32; 2],
        method: Method,
    ) -> Result<Image<'static>, ModelError> {
        Ok(if part.size == to.map(|side| 2 * side) && method != Method::Cubic {
            self.halved(part, to)
        } else {
            match method {
                Method::Area => self.averaged(part, to),
                Method::Linear => self.mixed(part, to, linear, |[a, b, ..], [s, t, ..]| {
                    (((a * (s >> 4)) >> 16) + ((b * (t >> 4)) >> 16) + 2) >> 2
                }),
                Method::Cubic => self.mixed(part, to, cubic, |weights, rows| {
                    let sum: i32 = weights.iter().zip(rows).map(|(weight, row)| weight * row).sum();
                    (sum + (1 << 21)) >> 22
                }),
            }
        })
    }

    /// Warped by a matrix of two rows, mixing neighbours; outside of the image it has the mean colour.
    ///
    /// # Errors
    /// Never.
    pub fn warped(
        &self,
        matrix: [[f32; 3]; 2],
        size: [i32; 2],
    ) -> Result<Image<'static>, ModelError> {
        // Places are first rounded to whole 1024ths.
        const FINE: f64 = 1024.0;
        let [[a, b, shift], [c, d, fall]] = matrix.map(|row| row.map(f64::from));
        let area = a * d - b * c;
        let by = if area == 0.0 { 0.0 } else { 1.0 / area };
        let [a, b, c, d] = [d * by, -b * by, -c * by, a * by];
        let [shift, fall] = [-a * shift - b * fall, -c * shift - d * fall];
        let mean = self.mean();
        let all = Region { low: [0, 0], size: [self.width(), self.height()] };
        Ok(Image::drawn(size, |x, y| {
            let [x, y] = [f64::from(x), f64::from(y)];
            let place = |by_x: f64, by_y: f64, add: f64| {
                let fine = whole((by_y * y + add) * FINE).wrapping_add(whole(by_x * x * FINE));
                fine.wrapping_add(FINE as i32 / PLACES / 2) >> 5
            };
            self.at(all, [place(a, b, shift), place(c, d, fall)], Some(mean))
        }))
    }

    /// A quad of a part of the image, upright in a square of [`CROP`] pixels, mixing neighbours; the pixels at
    /// the edge continue beyond it.
    ///
    /// # Errors
    /// Never.
    pub fn upright(&self, part: Region, quad: &Corners) -> Result<Image<'static>, ModelError> {
        let [[a, b, c], [d, e, f], [g, h, _]] = from_square(quad, CROP as f64);
        Ok(Image::drawn([CROP as i32; 2], |x, y| {
            let [x, y] = [f64::from(x), f64::from(y)];
            let depth = g * x + h * y + 1.0;
            let by = if depth == 0.0 { 0.0 } else { f64::from(PLACES) / depth };
            let place = [whole((a * x + b * y + c) * by), whole((d * x + e * y + f) * by)];
            self.at(part, place, None)
        }))
    }

    fn drawn(size: [i32; 2], mut pixel: impl FnMut(i32, i32) -> [u8; 3]) -> Image<'static> {
        let [width, height] = size.map(|side| side as usize);
        let mut bytes = Vec::with_capacity(3 * width * height);
        for y in 0..size[1] {
            for x in 0..size[0] {
                bytes.extend(pixel(x, y));
            }
        }
        Image { width, height, bytes: bytes.into() }
    }

    /// The bytes of a row of a part, and no more.
    fn row(&self, part: Region, y: i32) -> &[u8] {
        let [left, top] = part.low.map(|low| low as usize);
        let begin = 3 * ((top + y as usize) * self.width + left);
        &self.bytes[begin..begin + 3 * part.size[0] as usize]
    }

    fn halved(&self, part: Region, to: [i32; 2]) -> Image<'static> {
        let mut bytes = Vec::with_capacity(3 * to[0] as usize * to[1] as usize);
        for y in 0..to[1] {
            let rows = [self.row(part, 2 * y), self.row(part, 2 * y + 1)];
            for (above, below) in rows[0].chunks_exact(6).zip(rows[1].chunks_exact(6)) {
                bytes.extend([0, 1, 2].map(|channel| {
                    let four =
                        [above[channel], above[channel + 3], below[channel], below[channel + 3]];
                    ((four.map(u16::from).iter().sum::<u16>() + 2) >> 2) as u8
                }));
            }
        }
        Image { width: to[0] as usize, height: to[1] as usize, bytes: bytes.into() }
    }

    /// Each pixel the mean over the area that it covers.
    fn averaged(&self, part: Region, to: [i32; 2]) -> Image<'static> {
        let [across, down] = [0, 1].map(|axis| areas(part.size[axis], to[axis]));
        let mut bytes = Vec::with_capacity(3 * to[0] as usize * to[1] as usize);
        let mut sums = vec![0.0f32; 3 * to[0] as usize];
        for rows in down {
            sums.fill(0.0);
            for (y, weight) in rows {
                let row = self.row(part, y);
                for (sum, columns) in sums.chunks_exact_mut(3).zip(&across) {
                    let mut of_row = [0.0f32; 3];
                    for (x, weight) in columns {
                        for (of_row, byte) in of_row.iter_mut().zip(&row[3 * *x as usize..]) {
                            *of_row += f32::from(*byte) * weight;
                        }
                    }
                    for (sum, of_row) in sum.iter_mut().zip(of_row) {
                        *sum += weight * of_row;
                    }
                }
            }
            bytes.extend(sums.iter().map(|sum| sum.round_ties_even() as u8));
        }
        Image { width: to[0] as usize, height: to[1] as usize, bytes: bytes.into() }
    }

    /// Each pixel a mixture of neighbours: along rows by weights in 2048ths, then, as `mix` does, of four such rows.
    fn mixed(
        &self,
        part: Region,
        to: [i32; 2],
        taps: impl Fn(i32, i32) -> Vec<Taps>,
        mix: impl Fn([i32; 4], [i32; 4]) -> i32,
    ) -> Image<'static> {
        let [across, down] = [0, 1].map(|axis| taps(part.size[axis], to[axis]));
        let [last_x, last_y] = part.size.map(|side| side - 1);
        let mut bytes = Vec::with_capacity(3 * to[0] as usize * to[1] as usize);
        // The last four mixed rows: neighbouring rows need mostly the same.
        let mut along: [(i32, Vec<i32>); 4] = [const { (-1, Vec::new()) }; 4];
        for (first, weights) in down {
            let rows = [0, 1, 2, 3].map(|n| (first + n).clamp(0, last_y));
            for (y, _) in rows.iter().zip(weights).filter(|(_, weight)| *weight != 0) {
                let (held, mixed) = &mut along[*y as usize % 4];
                if std::mem::replace(held, *y) == *y {
                    continue;
                }
                let row = self.row(part, *y);
                mixed.clear();
                for (first, weights) in &across {
                    let mut sum = [0; 3];
                    for (n, weight) in (0..).zip(weights).filter(|(_, weight)| **weight != 0) {
                        let x = 3 * (first + n).clamp(0, last_x) as usize;
                        for (sum, byte) in sum.iter_mut().zip(&row[x..]) {
                            *sum += weight * i32::from(*byte);
                        }
                    }
                    mixed.extend(sum);
                }
            }
            let rows = [0, 1, 2, 3].map(|n| match weights[n] {
                0 => None,
                _ => Some(&along[rows[n] as usize % 4].1),
            });
            bytes.extend((0..3 * to[0] as usize).map(|x| {
                let column = rows.map(|row| row.map_or(0, |row| row[x]));
                mix(weights, column).clamp(0, 255) as u8
            }));
        }
        Image { width: to[0] as usize, height: to[1] as usize, bytes: bytes.into() }
    }

    /// The colour at a place of a part, in 32nds of a pixel; beyond its edges `outside`, or the pixels at the
    /// edge.
    fn at(&self, part: Region, place: [i32; 2], outside: Option<[u8; 3]>) -> [u8; 3] {
        let [x, y] = place.map(|place| place >> 5);
        let [right, down] = place.map(|place| place & (PLACES - 1));
        let size = part.size;
        let pixel = |x: i32, y: i32| -> [i32; 3] {
            let inside = (0..size[0]).contains(&x) && (0..size[1]).contains(&y);
            if let (false, Some(outside)) = (inside, outside) {
                return outside.map(i32::from);
            }
            let [x, y] = [x.clamp(0, size[0] - 1), y.clamp(0, size[1] - 1)];
            let at = 3 * ((part.low[1] + y) as usize * self.width + (part.low[0] + x) as usize);
            [0, 1, 2].map(|channel| i32::from(self.bytes[at + channel]))
        };
        let [x_next, y_next] = [x.saturating_add(1), y.saturating_add(1)];
        let rows = [y, y_next].map(|y| {
            let [left, next] = [pixel(x, y), pixel(x_next, y)];
            [0, 1, 2].map(|channel| left[channel] * (PLACES - right) + next[channel] * right)
        });
        [0, 1, 2].map(|channel| {
            let sum = rows[0][channel] * (PLACES - down) + rows[1][channel] * down;
            ((sum + PLACES * PLACES / 2) / (PLACES * PLACES)) as u8
        })
    }

    /// The mean of each channel.
    fn mean(&self) -> [u8; 3] {
        let mut sums = [0u64; 3];
        for pixel in self.bytes.chunks_exact(3) {
            for (sum, byte) in sums.iter_mut().zip(pixel) {
                *sum += u64::from(*byte);
            }
        }
        let pixels = (self.width * self.height).max(1) as f64;
        sums.map(|sum| (sum as f64 / pixels).round_ties_even() as u8)
    }
}

fn whole(number: f64) -> i32 {
    number.round_ties_even() as i32
}

/// For each pixel of a row or column that gets shorter: the pixels that it covers, and the share of each.
fn areas(from: i32, to: i32) -> Vec<Vec<(i32, f32)>> {
    let scale = f64::from(from) / f64::from(to);
    let one = |n: i32| {
        let begin = f64::from(n) * scale;
        let end = begin + scale;
        let width = scale.min(f64::from(from) - begin);
        let last = (end.floor() as i32).min(from - 1);
        let first = (begin.ceil() as i32).min(last);
        let before = f64::from(first) - begin;
        let after = end - f64::from(last);
        let mut covered = Vec::new();
        if before > NOTHING {
            covered.push((first - 1, (before / width) as f32));
        }
        covered.extend((first..last).map(|pixel| (pixel, (1.0 / width) as f32)));
        if after > NOTHING {
            covered.push((last, (after.min(1.0).min(width) / width) as f32));
        }
        covered
    };
    (0..to).map(one).collect()
}

/// For each pixel of a resized row: the pixel before it in the other row, and the distance beyond that one.
fn between(from: i32, to: i32) -> impl Iterator<Item = (i32, f32)> {
    let scale = f64::from(from) / f64::from(to);
    (0..to).map(move |n| {
        let place = ((f64::from(n) + 0.5) * scale - 0.5) as f32;
        (place.floor() as i32, place - place.floor())
    })
}

fn weight(share: f32) -> i32 {
    (share * ONE).round_ties_even() as i32
}

fn linear(from: i32, to: i32) -> Vec<Taps> {
    let one = |(first, beyond): (i32, f32)| match first {
        first if first < 0 => (0, [weight(1.0), 0, 0, 0]),
        first if first >= from - 1 => (from - 1, [weight(1.0), 0, 0, 0]),
        first => (first, [weight(1.0 - beyond), weight(beyond), 0, 0]),
    };
    between(from, to).map(one).collect()
}

fn cubic(from: i32, to: i32) -> Vec<Taps> {
    const A: f32 = -0.75;
    let one = |(first, x): (i32, f32)| {
        let far = |x: f32| ((A * x - 5.0 * A) * x + 8.0 * A) * x - 4.0 * A;
        let near = |x: f32| ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0;
        let [before, here, next] = [far(x + 1.0), near(x), near(1.0 - x)];
        (first - 1, [before, here, next, 1.0 - before - here - next].map(weight))
    };
    between(from, to).map(one).collect()
}

/// The projective map from a square at the origin to a quad (Heckbert 1989, 2.2.3), its last number one.
fn from_square(quad: &Corners, side: f64) -> [[f64; 3]; 3] {
    let [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = quad.map(|corner| corner.map(f64::from));
    let [bend_x, bend_y] = [x0 - x1 + x2 - x3, y0 - y1 + y2 - y3];
    let [dx1, dx2, dy1, dy2] = [x1 - x2, x3 - x2, y1 - y2, y3 - y2];
    let area = dx1 * dy2 - dx2 * dy1;
    let by = if area == 0.0 { 0.0 } else { 1.0 / area };
    let g = (bend_x * dy2 - dx2 * bend_y) * by;
    let h = (dx1 * bend_y - bend_x * dy1) * by;
    [
        [(x1 - x0 + g * x1) / side, (x3 - x0 + h * x3) / side, x0],
        [(y1 - y0 + g * y1) / side, (y3 - y0 + h * y3) / side, y0],
        [g / side, h / side, 1.0],
    ]
}

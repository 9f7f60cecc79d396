//! Pixels for the networks: a part of the picture at another scale, and single tiles upright.

use std::{borrow::Cow, cell::OnceCell};

use image::RgbImage;

#[cfg(all(test, feature = "opencv"))]
mod alike;
#[cfg(any(test, not(feature = "opencv")))]
mod plain;
#[cfg(feature = "opencv")]
mod with_opencv;

#[cfg(not(feature = "opencv"))]
use plain::Image;
#[cfg(feature = "opencv")]
use with_opencv::Image;

use super::{ModelError, networks::CROP, passes::DetectorPass};
use crate::sight::{Corners, quad::sides};

/// Largest ratio of a tile's long side to its crop's for which the crop is taken from the full picture; larger
/// ones come from a halved one.
const SAMPLED: f32 = 2.2;
/// Largest difference between the darkest and the brightest level of one colour, grain included.
const ONE_COLOUR: u8 = 24;
/// Most halvings of a picture: beyond, it is smaller than any pass.
const HALVINGS: usize = 5;

/// Every side of a warped image is shorter than this, in pixels.
const WARPED: i32 = i16::MAX as i32;

/// A part of an image.
#[derive(Clone, Copy, Debug)]
struct Region {
    /// Its left and its top.
    low: [i32; 2],
    /// Pixels across and down.
    size: [i32; 2],
}

/// How the pixels of a resized image are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// Mean over the covered area; for smaller images.
    Area,
    /// Mixture of two by two neighbours.
    Linear,
    /// Mixture of four by four neighbours.
    Cubic,
}

/// A picture without a copy; its halves are made on first use.
pub struct Pixels<'p> {
    image: Image<'p>,
    width: i32,
    height: i32,
    halved: [OnceCell<Image<'static>>; HALVINGS],
    /// Whether light and dark are exchanged in all that is shown.
    exchanged: bool,
}

/// A picture as it is, and with light and dark exchanged. Nothing is computed before it is shown.
pub struct Lights<'p> {
    plain: Pixels<'p>,
    exchanged: Pixels<'p>,
}

impl<'p> Lights<'p> {
    /// # Errors
    /// OpenCV refuses the picture.
    pub fn new(picture: &'p RgbImage) -> Result<Self, ModelError> {
        let exchanged = Pixels { exchanged: true, ..Pixels::new(picture)? };
        Ok(Self { plain: Pixels::new(picture)?, exchanged })
    }

    /// The picture in one of its lights.
    pub fn pixels(&self, exchanged: bool) -> &Pixels<'p> {
        if exchanged { &self.exchanged } else { &self.plain }
    }
}

/// Part of a picture at some scale, as the detector takes it.
pub struct ScaledPatch {
    /// 3 x height x width, BGR, 0-255; both sides multiples of 32, the rest black.
    pub values: Vec<f32>,
    /// Pixels across, filling included.
    pub width: usize,
    /// Pixels down, filling included.
    pub height: usize,
    /// From places in the patch to those in the picture: a linear map by rows, and what is added.
    back: [[f32; 3]; 2],
    /// Whether it has any detail: a part of one colour shows no tile.
    pub has_detail: bool,
}

impl ScaledPatch {
    /// Where a place in the patch is in the picture.
    pub fn place(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        self.back.map(|[a, b, shift]| a * x + b * y + shift)
    }

    /// An image as planes with filling.
    fn new(shown: &Image<'_>, bytes: &[u8], back: [[f32; 3]; 2]) -> Self {
        let (width, height) = (filled(shown.width()), filled(shown.height()));
        let mut values = vec![0.0; 3 * width * height];
        let row = shown.width().unsigned_abs() as usize * 3;
        for (y, line) in bytes.chunks_exact(row).enumerate() {
            planes(line, &mut values, width * height, y * width);
        }
        let greens = bytes.chunks_exact(3).map(|pixel| pixel[1]);
        let [low, high] =
            greens.fold([u8::MAX, 0], |[low, high], green| [low.min(green), high.max(green)]);
        Self { values, width, height, back, has_detail: high.saturating_sub(low) > ONE_COLOUR }
    }
}

/// A linear map of places in a picture, by rows.
pub type Linear = [[f32; 2]; 2];

/// The part of an image with an even number of rows and columns, and its half size.
fn even_half(size: [i32; 2]) -> (Region, [i32; 2]) {
    let half = size.map(|side| side / 2);
    (Region { low: [0, 0], size: half.map(|side| 2 * side) }, half)
}

/// The mean of each two by two pixels; an odd last row or column falls away.
fn half(image: &Image<'_>) -> Result<Image<'static>, ModelError> {
    let (even, to) = even_half([image.width(), image.height()]);
    image.resized(even, to, Method::Area)
}

impl<'p> Pixels<'p> {
    /// # Errors
    /// OpenCV refuses the picture.
    pub fn new(picture: &'p RgbImage) -> Result<Self, ModelError> {
        let image = Image::of(picture)?;
        let (width, height) = (image.width(), image.height());
        Ok(Self { image, width, height, halved: Default::default(), exchanged: false })
    }

    /// Whether a quad is inside the picture.
    pub fn shows(&self, quad: &Corners) -> bool {
        let [left, top, right, bottom] = crate::sight::quad::bounding_box(quad);
        let slack = 0.1 * sides(quad)[0];
        left > -slack
            && top > -slack
            && right < self.width as f32 + slack
            && bottom < self.height as f32 + slack
    }

    /// The part of the picture that a pass shows.
    ///
    /// # Errors
    /// OpenCV fails, as for want of memory.
    pub fn patch(&self, pass: &DetectorPass) -> Result<ScaledPatch, ModelError> {
        if let Some(pull) = pass.pull {
            return self.pulled(pass, pull);
        }
        let DetectorPass { low, high, scale, .. } = *pass;
        // Halving and mixing neighbours in the last step, to more than half, is many times as fast as averaging
        // over fractional areas.
        let (mut times, mut step) = (0, 1);
        let least = self.width.min(self.height);
        while times < HALVINGS && least >= 2 * step && scale * (2 * step) as f32 <= 1.0 {
            (times, step) = (times + 1, 2 * step);
        }
        let sides = [self.width / step, self.height / step];
        let low = [0, 1].map(|axis| (low[axis] / step).clamp(0, sides[axis] - 1));
        let size = [0, 1].map(|axis| {
            let end = (high[axis] + step - 1) / step;
            (end.min(sides[axis]) - low[axis]).max(1)
        });
        let to = size.map(|side| ((side as f32 * scale * step as f32).round() as i32).max(1));
        let method = match (times, scale) {
            (0, scale) if scale < 1.0 => Method::Area,
            (0, _) => Method::Cubic,
            _ => Method::Linear,
        };
        let small = self.halved(times)?.resized(Region { low, size }, to, method)?;
        let scale = [0, 1].map(|axis| to[axis] as f32 / (size[axis] * step) as f32);
        let origin = low.map(|side| (side * step) as f32);
        Ok(ScaledPatch::new(
            &small,
            &self.bytes(&small)?,
            [[1.0 / scale[0], 0.0, origin[0]], [0.0, 1.0 / scale[1], origin[1]]],
        ))
    }

    /// The part of a stretched picture that a pass shows; outside of the picture it has the mean colour.
    fn pulled(&self, pass: &DetectorPass, pull: Linear) -> Result<ScaledPatch, ModelError> {
        let [[a, b], [c, d]] = pull.map(|row| row.map(|by| pass.scale * by));
        let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[right, down]| {
            let x = if right == 1 { pass.high[0] } else { pass.low[0] } as f32;
            let y = if down == 1 { pass.high[1] } else { pass.low[1] } as f32;
            [a * x + b * y, c * x + d * y]
        });
        let [left, top, right, bottom] = crate::sight::quad::bounding_box(&corners);
        let size = [right - left, bottom - top].map(|side| side.ceil().max(1.0) as i32);
        // Where it gets smaller both ways it is halved first, so that fine detail is averaged and not skipped.
        let least = (a * d - b * c).abs() / (a * a + b * b + c * c + d * d).sqrt();
        let (mut times, mut step) = (0, 1);
        while times < HALVINGS
            && self.width.min(self.height) >= 2 * step
            && least * (2 * step) as f32 <= 1.0
        {
            (times, step) = (times + 1, 2 * step);
        }
        let by = step as f32;
        let matrix = [[a * by, b * by, -left], [c * by, d * by, -top]];
        let shown = self.halved(times)?.warped(matrix, size)?;
        let area = a * d - b * c;
        let (ia, ib, ic, id) = (d / area, -b / area, -c / area, a / area);
        Ok(ScaledPatch::new(
            &shown,
            &self.bytes(&shown)?,
            [[ia, ib, ia * left + ib * top], [ic, id, ic * left + id * top]],
        ))
    }

    /// The picture halved `times` times; an odd last row or column is dropped.
    fn halved(&self, times: usize) -> Result<&Image<'_>, ModelError> {
        let Some(place) = times.checked_sub(1).map(|before| &self.halved[before]) else {
            return Ok(&self.image);
        };
        if place.get().is_none() {
            let _ = place.set(half(self.halved(times - 1)?)?);
        }
        place.get().ok_or_else(|| ModelError::Run("a picture could not be halved".to_owned()))
    }

    /// One tile as a square of [`CROP`] pixels, its first corner at the top left.
    ///
    /// `into`: 3 x [`CROP`] x [`CROP`], BGR, 0-255.
    ///
    /// # Errors
    /// OpenCV fails.
    pub fn upright(&self, quad: &Corners, into: &mut [f32]) -> Result<(), ModelError> {
        let crop = CROP as f32;
        // Taken from a halved picture where the tile is large: sampling would skip fine lines.
        let (mut times, mut step) = (0, 1);
        let (side, least) = (sides(quad)[1], self.width.min(self.height));
        while times < HALVINGS && least >= 2 * step && side > SAMPLED * crop * step as f32 {
            (times, step) = (times + 1, 2 * step);
        }
        let image = self.halved(times)?;
        let mut quad = quad.map(|corner| corner.map(|at| at / step as f32));
        let mut part = Region { low: [0, 0], size: [image.width(), image.height()] };
        if part.size[0].max(part.size[1]) >= WARPED {
            let [left, top, right, bottom] = crate::sight::quad::bounding_box(&quad);
            let low = [left, top].map(|side| side.floor() as i32 - 2);
            part.low = [0, 1].map(|axis| low[axis].clamp(0, part.size[axis] - 1));
            let end = [right, bottom].map(|side| side as i32 + 2);
            part.size = [0, 1]
                .map(|axis| end[axis].clamp(part.low[axis] + 1, part.size[axis]) - part.low[axis]);
            quad = quad.map(|[x, y]| [x - part.low[0] as f32, y - part.low[1] as f32]);
        }
        planes(&self.bytes(&image.upright(part, &quad)?)?, into, CROP * CROP, 0);
        Ok(())
    }

    /// The pixels of a part in this light, row after row.
    fn bytes<'i>(&self, part: &'i Image<'_>) -> Result<Cow<'i, [u8]>, ModelError> {
        let bytes = part.bytes()?;
        Ok(if self.exchanged { Cow::Owned(exchanged(bytes)) } else { Cow::Borrowed(bytes) })
    }

    /// Each of several tiles as [`Pixels::upright`] cuts it out.
    ///
    /// # Errors
    /// OpenCV fails.
    pub fn each_upright(&self, quads: &[Corners]) -> Result<Vec<Vec<f32>>, ModelError> {
        let one = |quad: &Corners| {
            let mut crop = vec![0.0; 3 * CROP * CROP];
            self.upright(quad, &mut crop).map(|()| crop)
        };
        quads.iter().map(one).collect()
    }
}

/// RGB bytes with light and dark exchanged and every hue as it was.
fn exchanged(rgb: &[u8]) -> Vec<u8> {
    let mut rgb = rgb.to_vec();
    for pixel in rgb.chunks_exact_mut(3) {
        let [red, green, blue] = [pixel[0], pixel[1], pixel[2]].map(u32::from);
        let to = 255 - 2 * ((77 * red + 150 * green + 29 * blue) >> 8) as i16;
        pixel.iter_mut().for_each(|is| *is = (to + i16::from(*is)).clamp(0, 255) as u8);
    }
    rgb
}

/// Interleaved RGB bytes into planes of BGR.
fn planes(rgb: &[u8], into: &mut [f32], plane: usize, at: usize) {
    let (blue, others) = into.split_at_mut(plane);
    let (green, red) = others.split_at_mut(plane);
    let places = blue[at..].iter_mut().zip(&mut green[at..]).zip(&mut red[at..]);
    for (((blue, green), red), pixel) in places.zip(rgb.chunks_exact(3)) {
        [*red, *green, *blue] = [pixel[0], pixel[1], pixel[2]].map(f32::from);
    }
}

/// The next multiple of 32.
fn filled(side: i32) -> usize {
    side.unsigned_abs().next_multiple_of(32) as usize
}

/// Turns a square crop a quarter turn: what was its top left comes to its bottom left, so that
/// the corner that was second is first. Planes of [`CROP`] x [`CROP`].
pub fn quarter_turn(crop: &[f32], into: &mut [f32]) {
    let plane = CROP * CROP;
    for (from, to) in crop.chunks_exact(plane).zip(into.chunks_exact_mut(plane)) {
        for y in 0..CROP {
            for x in 0..CROP {
                to[y * CROP + x] = from[x * CROP + (CROP - 1 - y)];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn places_of_a_pulled_look_are_found_again_in_the_picture() {
        let ramp = RgbImage::from_fn(600, 400, |x, y| Rgb([(x / 3) as u8, (y / 2) as u8, 0]));
        let pixels = Pixels::new(&ramp).expect("a picture");
        for pull in [[[3.0, 0.0], [0.0, 1.0]], [[1.5, -0.5], [-0.5, 1.5]], [[1.0, 0.4], [0.0, 2.0]]]
        {
            for scale in [1.0, 0.3] {
                let pass = DetectorPass {
                    low: [60, 40],
                    high: [540, 360],
                    scale,
                    level: 0,
                    pull: Some(pull),
                    exchanged: false,
                };
                let patch = pixels.patch(&pass).expect("a patch");
                let plane = patch.width * patch.height;
                // The middle of the part of the picture is the middle of what is shown of it.
                let across = pull[0].map(f32::abs);
                let down = pull[1].map(f32::abs);
                let size = [across, down].map(|[a, b]| scale * (480.0 * a + 320.0 * b));
                let [u, v] = size.map(|side| (side / 2.0) as usize);
                let [x, y] = patch.place([u as f32 + 0.5, v as f32 + 0.5]);
                assert!((x - 300.0).abs() < 6.0 && (y - 200.0).abs() < 6.0, "{x} {y}");
                let at = v * patch.width + u;
                for (place, shown) in
                    [x / 3.0, y / 2.0].into_iter().zip([2 * plane + at, plane + at])
                {
                    assert!((place - patch.values[shown]).abs() < 3.0, "{pull:?} {scale}: {place}");
                }
            }
        }
    }

    #[test]
    fn what_is_of_one_colour_has_no_detail() {
        let pass = |_: ()| DetectorPass {
            low: [0, 0],
            high: [64, 64],
            scale: 1.0,
            level: 0,
            pull: None,
            exchanged: false,
        };
        let detail = |print: u8| {
            let grain = |x: u32, y: u32| 200 + ((x * 7 + y * 13) % 9) as u8;
            let picture = RgbImage::from_fn(64, 64, |x, y| {
                Rgb([if (x, y) == (30, 30) { print } else { grain(x, y) }; 3])
            });
            Pixels::new(&picture).and_then(|pixels| pixels.patch(&pass(()))).map(|p| p.has_detail)
        };
        assert_eq!(detail(200).ok(), Some(false), "grain");
        assert_eq!(detail(90).ok(), Some(true), "a dot");
    }

    #[test]
    fn a_tile_of_a_very_long_picture_is_set_upright_too() {
        for turned in [false, true] {
            let [width, height] = if turned { [64, 40_000] } else { [40_000, 64] };
            let grey = |x: u32, y: u32| Rgb([(x.max(y) / 200) as u8; 3]);
            let picture = RgbImage::from_fn(width, height, grey);
            let pixels = Pixels::new(&picture).expect("a picture");
            let quad = [[39_000.0, 5.0], [39_030.0, 5.0], [39_030.0, 45.0], [39_000.0, 45.0]];
            let quad = if turned { quad.map(|[x, y]| [y, x]) } else { quad };
            let mut crop = vec![0.0; 3 * CROP * CROP];
            pixels.upright(&quad, &mut crop).expect("set upright");
            assert!(crop.iter().all(|shown| (shown - 195.0).abs() <= 1.0));
        }
    }

    #[test]
    fn a_patch_of_a_large_picture_shows_the_same_places_as_one_of_a_small_one() {
        // On a ramp, the value of a pixel of the patch gives its origin.
        let side = 1237;
        let ramp = RgbImage::from_fn(side, side, |x, y| {
            Rgb([(x * 255 / side) as u8, (y * 255 / side) as u8, 0])
        });
        let pixels = Pixels::new(&ramp).expect("a picture");
        for scale in [1.0, 0.6, 0.34, 0.2, 0.11, 0.04] {
            let pass = DetectorPass {
                low: [301, 202],
                high: [1201, 1002],
                scale,
                level: 0,
                pull: None,
                exchanged: false,
            };
            let patch = pixels.patch(&pass).expect("a patch");
            let plane = patch.width * patch.height;
            let [across, down] = [890.0, 790.0].map(|side: f32| (side * scale) as usize);
            for [u, v] in [[0, 0], [across / 2, down / 3], [across - 1, down - 1]] {
                let at = v * patch.width + u;
                let place = patch.place([u as f32 + 0.5, v as f32 + 0.5]);
                for (place, plane_of) in place.into_iter().zip([2 * plane, plane]) {
                    let tells = (patch.values[plane_of + at] + 0.5) * side as f32 / 255.0;
                    let slack = 6.0 + 0.6 / scale;
                    assert!((place - tells).abs() < slack, "{pass:?}: {place} {tells}");
                }
            }
        }
    }

    #[test]
    fn a_strip_too_thin_to_halve_is_shown_all_the_same() {
        let strip = RgbImage::new(4000, 3);
        let pass = DetectorPass {
            low: [0, 0],
            high: [4000, 3],
            scale: 0.01,
            level: 0,
            pull: None,
            exchanged: false,
        };
        let patch = Pixels::new(&strip).and_then(|pixels| pixels.patch(&pass));
        assert_eq!(patch.map(|patch| (patch.width, patch.height)).ok(), Some((64, 32)));
    }
}

//! Pixels for the networks: a part of the picture at another scale, and single tiles set upright.

use std::cell::OnceCell;

use image::{RgbImage, imageops::thumbnail};
use opencv::{
    boxed_ref::{BoxedRef, BoxedRefMut},
    core::{
        BORDER_CONSTANT, BORDER_REPLICATE, Mat, MatTraitConst, MatTraitConstManual, Point2f,
        ROTATE_90_CLOCKWISE, Rect, Scalar, Size, Vec3b, rotate,
    },
    imgproc,
};

use super::{
    Corners, ModelError, Picture, classifier::CROP, looks::Look, picture::check_size, quad::sides,
};

fn told(error: opencv::Error) -> ModelError {
    ModelError::Run(error.to_string())
}

/// How often a picture is halved at most: beyond, it is no larger than what is looked at.
const HALVINGS: usize = 5;

/// A picture as OpenCV sees it, without a copy; its halves are made when first asked for.
pub struct Pixels<'p> {
    mat: opencv::boxed_ref::BoxedRef<'p, Mat>,
    width: i32,
    height: i32,
    halved: [OnceCell<Mat>; HALVINGS],
}

/// Part of a picture at some scale, as the detector takes it.
pub struct Patch {
    /// 3 x height x width, BGR, 0-255; both sides multiples of 32, the rest black.
    pub values: Vec<f32>,
    /// Pixels across, filling included.
    pub width: usize,
    /// Pixels down, filling included.
    pub height: usize,
    /// Left and top of the part in the picture.
    origin: [f32; 2],
    /// Pixels of the patch for one of the picture, across and down of the picture.
    scale: [f32; 2],
    /// Where it was turned by a quarter to the right: its pixels across then, filling left out.
    turned: Option<f32>,
}

impl Patch {
    /// Where a place in the patch is in the picture.
    pub fn place(&self, [x, y]: [f32; 2]) -> [f32; 2] {
        let place = self.turned.map_or([x, y], |across| [y, across - x]);
        [0, 1].map(|axis| place[axis] / self.scale[axis] + self.origin[axis])
    }
}

/// A linear map of places in a picture, by rows.
pub type Linear = [[f32; 2]; 2];

/// How a picture is pulled into another shape.
pub struct Pull {
    linear: Linear,
    /// Added afterwards: what is farthest to the left and to the top lies at 0.
    shift: [f32; 2],
    size: [u32; 2],
}

impl Pull {
    /// The long side afterwards is no longer than this,
    const LONG: f32 = 2048.0;
    /// or, where it was longer, as it was, up to this.
    const LONGEST: f32 = 4096.0;

    /// Pulls by `linear`, and brings down what becomes too large; `None` where that leaves too little to see.
    pub fn new(picture: &Picture, linear: Linear) -> Option<Self> {
        let before = [picture.width() as f32, picture.height() as f32];
        let reach = |[a, b]: [f32; 2]| {
            let ends = [0.0, a * before[0], b * before[1], a * before[0] + b * before[1]];
            let low = ends.into_iter().fold(f32::INFINITY, f32::min);
            [low, ends.into_iter().fold(f32::NEG_INFINITY, f32::max) - low]
        };
        let [across, down] = linear.map(reach);
        let most = before[0].max(before[1]).clamp(Self::LONG, Self::LONGEST);
        let scale = (most / across[1].max(down[1])).min(1.0);
        let size = [across[1], down[1]].map(|side| (scale * side) as u32);
        let shift = [-scale * across[0], -scale * down[0]];
        let sound = check_size(size[0], size[1]).is_ok();
        sound.then_some(Self { linear: linear.map(|row| row.map(|by| scale * by)), shift, size })
    }

    /// The picture as it is afterwards; what it does not fill is of its mean colour.
    ///
    /// # Errors
    /// OpenCV refuses the picture.
    pub fn picture(&self, picture: &Picture) -> Result<Picture, ModelError> {
        let [[a, b], [c, d]] = self.linear;
        // Where it gets smaller both ways it is brought down first, so that fine detail is averaged and not skipped.
        let least = (a * d - b * c).abs() / (a * a + b * b + c * c + d * d).sqrt();
        let first = if least < 0.6 { least / 0.85 } else { 1.0 };
        let size = [picture.width(), picture.height()].map(|side| (side as f32 * first).ceil());
        let small = (first < 1.0).then(|| thumbnail(picture.rgb(), size[0] as u32, size[1] as u32));
        let from = small.as_ref().unwrap_or(picture.rgb());
        let by = [
            picture.width() as f32 / from.width() as f32,
            picture.height() as f32 / from.height() as f32,
        ];
        let matrix = Mat::from_slice_2d(&[
            [a * by[0], b * by[1], self.shift[0]],
            [c * by[0], d * by[1], self.shift[1]],
        ])
        .map_err(told)?;
        let from = Mat::new_rows_cols_with_bytes::<Vec3b>(
            from.height() as i32,
            from.width() as i32,
            from.as_raw(),
        )
        .map_err(told)?;
        let mean = opencv::core::mean_def(&from).map_err(told)?;
        let [width, height] = self.size;
        let mut pulled = RgbImage::new(width, height);
        let size = Size::new(width as i32, height as i32);
        let mut to =
            Mat::new_rows_cols_with_bytes_mut::<Vec3b>(size.height, size.width, &mut pulled)
                .map_err(told)?;
        imgproc::warp_affine(
            &from,
            &mut to,
            &matrix,
            size,
            imgproc::INTER_LINEAR,
            BORDER_CONSTANT,
            mean,
        )
        .map_err(told)?;
        drop(to);
        Picture::from_rgb(pulled).map_err(|error| ModelError::Run(error.to_string()))
    }

    /// Where a place in the picture afterwards was before.
    pub fn back(&self, place: [f32; 2]) -> [f32; 2] {
        let [[a, b], [c, d]] = self.linear;
        let [x, y] = [place[0] - self.shift[0], place[1] - self.shift[1]];
        let area = a * d - b * c;
        [(d * x - b * y) / area, (a * y - c * x) / area]
    }
}

impl<'p> Pixels<'p> {
    /// # Errors
    /// OpenCV refuses the picture.
    pub fn new(picture: &'p RgbImage) -> Result<Self, ModelError> {
        let (width, height) = (picture.width() as i32, picture.height() as i32);
        let mat = Mat::new_rows_cols_with_bytes::<Vec3b>(height, width, picture.as_raw())
            .map_err(told)?;
        Ok(Self { mat, width, height, halved: Default::default() })
    }

    /// Whether a quad lies in the picture.
    pub fn shows(&self, quad: &Corners) -> bool {
        let [left, top, right, bottom] = super::quad::bounding_box(quad);
        let slack = 0.1 * sides(quad)[0];
        left > -slack
            && top > -slack
            && right < self.width as f32 + slack
            && bottom < self.height as f32 + slack
    }

    /// What a look shows.
    ///
    /// # Errors
    /// OpenCV fails, as for want of memory.
    pub fn patch(&self, look: &Look) -> Result<Patch, ModelError> {
        let Look { low, high, scale, turned, .. } = *look;
        // Halving, and mixing neighbours in the last step, to more than half, is many times as fast as
        // averaging over areas that are no whole pixels.
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
            (0, scale) if scale < 1.0 => imgproc::INTER_AREA,
            (0, _) => imgproc::INTER_CUBIC,
            _ => imgproc::INTER_LINEAR,
        };
        let part = Rect::new(low[0], low[1], size[0], size[1]);
        let mut small = Mat::default();
        let to_size = Size::new(to[0], to[1]);
        if times == 0 {
            let part = Mat::roi(&self.mat, part).map_err(told)?;
            imgproc::resize(&part, &mut small, to_size, 0.0, 0.0, method)
        } else {
            let part = Mat::roi(self.halved(times)?, part).map_err(told)?;
            imgproc::resize(&part, &mut small, to_size, 0.0, 0.0, method)
        }
        .map_err(told)?;
        let scale = [0, 1].map(|axis| to[axis] as f32 / (size[axis] * step) as f32);
        if turned {
            let upright = std::mem::take(&mut small);
            rotate(&upright, &mut small, ROTATE_90_CLOCKWISE).map_err(told)?;
        }
        let to = [small.cols(), small.rows()];
        let (width, height) = (filled(to[0]), filled(to[1]));
        let mut values = vec![0.0; 3 * width * height];
        let row = to[0] as usize * 3;
        let bytes = small.data_bytes().map_err(told)?;
        for (y, line) in bytes.chunks_exact(row).enumerate() {
            planes(line, &mut values, width * height, y * width);
        }
        let origin = low.map(|side| (side * step) as f32);
        let turned = turned.then_some(to[0] as f32);
        Ok(Patch { values, width, height, origin, scale, turned })
    }

    /// The picture halved so many times, from one on; an odd last row or column falls away.
    fn halved(&self, times: usize) -> Result<&Mat, ModelError> {
        let place = &self.halved[times - 1];
        if place.get().is_none() {
            let half = match times {
                1 => half(&self.mat),
                _ => half(self.halved(times - 1)?),
            };
            let _ = place.set(half.map_err(told)?);
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
        let mut source = *quad;
        let side = sides(quad)[1];
        let mut shrunk = Mat::default();
        let shrink = (1.25 * crop / side).min(1.0);
        // OpenCV warps no picture with a side this long: a part of it.
        let long = self.width.max(self.height) >= i32::from(i16::MAX);
        let large = shrink < 0.7 || long;
        if large {
            // Shrink what lies around it first: sampling a large tile would skip fine lines.
            let reach = 0.08 * side + 2.0;
            let [left, top, right, bottom] = super::quad::bounding_box(quad);
            let low = [left - reach, top - reach].map(|v| v.floor() as i32);
            let high = [right + reach, bottom + reach].map(|v| v.ceil() as i32);
            let low = [low[0].clamp(0, self.width - 1), low[1].clamp(0, self.height - 1)];
            let size = [
                (high[0].min(self.width) - low[0]).max(1),
                (high[1].min(self.height) - low[1]).max(1),
            ];
            let part =
                Mat::roi(&self.mat, Rect::new(low[0], low[1], size[0], size[1])).map_err(told)?;
            let to = size.map(|side| ((side as f32 * shrink).round() as i32).max(1));
            imgproc::resize(
                &part,
                &mut shrunk,
                Size::new(to[0], to[1]),
                0.0,
                0.0,
                imgproc::INTER_AREA,
            )
            .map_err(told)?;
            source = quad.map(|corner| {
                [0, 1].map(|axis| {
                    (corner[axis] - low[axis] as f32) * to[axis] as f32 / size[axis] as f32
                })
            });
        }
        let points = source.map(|[x, y]| Point2f::new(x, y));
        let square = [[0.0, 0.0], [crop, 0.0], [crop, crop], [0.0, crop]];
        let square = square.map(|[x, y]| Point2f::new(x, y));
        let homography =
            imgproc::get_perspective_transform_slice_def(points, square).map_err(told)?;
        let mut upright = Mat::default();
        let size = Size::new(CROP as i32, CROP as i32);
        let (linear, edge) = (imgproc::INTER_LINEAR, Scalar::default());
        if large {
            imgproc::warp_perspective(
                &shrunk,
                &mut upright,
                &homography,
                size,
                linear,
                BORDER_REPLICATE,
                edge,
            )
        } else {
            imgproc::warp_perspective(
                &self.mat,
                &mut upright,
                &homography,
                size,
                linear,
                BORDER_REPLICATE,
                edge,
            )
        }
        .map_err(told)?;
        planes(upright.data_bytes().map_err(told)?, into, CROP * CROP, 0);
        Ok(())
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

/// A picture half as wide and high; `None` where that leaves too little to see.
///
/// # Errors
/// OpenCV fails, as for want of memory.
pub fn halved(picture: &Picture) -> Result<Option<Picture>, ModelError> {
    let pixels = Pixels::new(picture.rgb())?;
    let small = half(&pixels.mat).map_err(told)?;
    let [width, height] = [small.cols(), small.rows()].map(i32::unsigned_abs);
    let bytes = small.data_bytes().map_err(told)?.to_vec();
    let rgb = RgbImage::from_raw(width, height, bytes);
    Ok(rgb.and_then(|rgb| Picture::from_rgb(rgb).ok()))
}

/// A picture as it is out of focus by so many pixels (the deviation of a Gaussian).
///
/// # Errors
/// OpenCV fails.
pub fn soft(picture: &Picture, spread: f64) -> Result<RgbImage, ModelError> {
    filtered(picture, |from, to| imgproc::gaussian_blur_def(from, to, Size::default(), spread))
}

/// A picture each of whose pixels is the median of the three by three around it.
///
/// # Errors
/// OpenCV fails.
pub fn median(picture: &Picture) -> Result<RgbImage, ModelError> {
    filtered(picture, |from, to| imgproc::median_blur(from, to, 3))
}

/// How much light falls on a picture, 0-255, in so many cells across and down, row by row: the brightness of what is bright,
/// as nothing that is narrower than `print` cells counts that is darker than what is around it.
///
/// # Errors
/// OpenCV fails.
pub fn light(picture: &Picture, size: [usize; 2], print: i32) -> Result<Vec<f32>, ModelError> {
    let pixels = Pixels::new(picture.rgb())?;
    let mut small = Mat::default();
    let cells = Size::new(size[0] as i32, size[1] as i32);
    let (mut grey, mut light) = (Mat::default(), Mat::default());
    let square = imgproc::get_structuring_element_def(imgproc::MORPH_RECT, Size::new(print, print))
        .map_err(told)?;
    imgproc::resize(&pixels.mat, &mut small, cells, 0.0, 0.0, imgproc::INTER_AREA)
        .and_then(|()| imgproc::cvt_color_def(&small, &mut grey, imgproc::COLOR_RGB2GRAY))
        .and_then(|()| imgproc::morphology_ex_def(&grey, &mut light, imgproc::MORPH_CLOSE, &square))
        .and_then(|()| imgproc::gaussian_blur_def(&light, &mut grey, Size::default(), 1.0))
        .map_err(told)?;
    Ok(grey.data_bytes().map_err(told)?.iter().copied().map(f32::from).collect())
}

/// In so many cells across and down, row by row, which share of what is around is brighter than `white`, and how bright, 0-255,
/// the darkest around is; `around`: cells across and down, odd.
///
/// # Errors
/// OpenCV fails.
pub fn white_and_dark(
    picture: &Picture,
    size: [usize; 2],
    around: i32,
    white: u8,
) -> Result<(Vec<f32>, Vec<f32>), ModelError> {
    let pixels = Pixels::new(picture.rgb())?;
    let cells = Size::new(size[0] as i32, size[1] as i32);
    let window = Size::new(around, around);
    let round =
        imgproc::get_structuring_element_def(imgproc::MORPH_ELLIPSE, window).map_err(told)?;
    let [mut small, mut grey, mut bright, mut dark, mut soft] =
        std::array::from_fn(|_| Mat::default());
    imgproc::resize(&pixels.mat, &mut small, cells, 0.0, 0.0, imgproc::INTER_AREA)
        .and_then(|()| imgproc::cvt_color_def(&small, &mut grey, imgproc::COLOR_RGB2GRAY))
        .and_then(|()| {
            imgproc::threshold(&grey, &mut bright, f64::from(white), 255.0, imgproc::THRESH_BINARY)
        })
        .and_then(|_| {
            imgproc::gaussian_blur_def(&bright, &mut soft, Size::default(), f64::from(around) / 2.0)
        })
        .and_then(|()| imgproc::morphology_ex_def(&grey, &mut dark, imgproc::MORPH_ERODE, &round))
        .and_then(|()| imgproc::blur_def(&dark, &mut grey, window))
        .map_err(told)?;
    let values = |mat: &Mat| -> Result<Vec<f32>, ModelError> {
        Ok(mat.data_bytes().map_err(told)?.iter().copied().map(f32::from).collect())
    };
    let share = values(&soft)?.into_iter().map(|share| share / 255.0).collect();
    Ok((share, values(&grey)?))
}

/// What OpenCV makes of a picture, as large as it is.
fn filtered(
    picture: &Picture,
    filter: impl Fn(&BoxedRef<'_, Mat>, &mut BoxedRefMut<'_, Mat>) -> opencv::Result<()>,
) -> Result<RgbImage, ModelError> {
    let (width, height) = (picture.width(), picture.height());
    let pixels = Pixels::new(picture.rgb())?;
    let mut rgb = RgbImage::new(width, height);
    let mut to = Mat::new_rows_cols_with_bytes_mut::<Vec3b>(height as i32, width as i32, &mut rgb)
        .map_err(told)?;
    filter(&pixels.mat, &mut to).map_err(told)?;
    drop(to);
    Ok(rgb)
}

/// The mean of each two by two pixels.
fn half(mat: &(impl MatTraitConst + opencv::core::ToInputArray)) -> opencv::Result<Mat> {
    let size = Size::new(mat.cols() / 2, mat.rows() / 2);
    let even = Mat::roi(mat, Rect::new(0, 0, 2 * size.width, 2 * size.height))?;
    let mut small = Mat::default();
    imgproc::resize(&even, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
    Ok(small)
}

/// Interleaved RGB bytes into planes of BGR.
fn planes(rgb: &[u8], into: &mut [f32], plane: usize, at: usize) {
    for (channel, start) in [(2, 0), (1, plane), (0, 2 * plane)] {
        let values = &mut into[start + at..];
        for (value, pixel) in values.iter_mut().zip(rgb.chunks_exact(3)) {
            *value = f32::from(pixel[channel]);
        }
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
    fn a_picture_is_pulled_where_enough_is_left_and_its_places_are_found_again() {
        let ramp = RgbImage::from_fn(600, 400, |x, y| Rgb([(x / 3) as u8, (y / 2) as u8, 0]));
        let picture = Picture::from_rgb(ramp).expect("a picture");
        for linear in
            [[[3.0, 0.0], [0.0, 1.0]], [[1.5, -0.5], [-0.5, 1.5]], [[0.2, 0.1], [0.0, 0.2]]]
        {
            let pull = Pull::new(&picture, linear).expect("enough is left");
            let pulled = pull.picture(&picture).expect("pulled");
            assert_eq!([pulled.width(), pulled.height()], pull.size);
            let middle = pull.size.map(|side| side / 2);
            let [x, y] = pull.back(middle.map(|side| side as f32 + 0.5));
            let [shown_x, shown_y, _] = pulled.rgb().get_pixel(middle[0], middle[1]).0;
            assert!((x / 3.0 - f32::from(shown_x)).abs() < 2.0, "{x} {shown_x}");
            assert!((y / 2.0 - f32::from(shown_y)).abs() < 2.0, "{y} {shown_y}");
        }
    }

    #[test]
    fn a_large_picture_is_no_larger_when_it_was_pulled_and_a_thin_one_is_left_alone() {
        let size = |width, height, linear| {
            let picture = Picture::from_rgb(RgbImage::new(width, height)).expect("a picture");
            Pull::new(&picture, linear).map(|pull| pull.size)
        };
        assert_eq!(size(640, 640, [[2.0, 0.0], [0.0, 1.0]]), Some([1280, 640]));
        assert_eq!(size(640, 640, [[4.0, 0.0], [0.0, 1.0]]), Some([2048, 512]));
        assert_eq!(size(3000, 2000, [[3.0, 0.0], [0.0, 1.0]]), Some([3000, 666]));
        assert_eq!(size(9000, 3000, [[1.0, 0.0], [0.0, 3.0]]), Some([4096, 4096]));
        assert_eq!(size(4000, 64, [[3.0, 0.0], [0.0, 1.0]]), None);
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
        // A ramp: what a pixel of the patch shows tells where it came from.
        let side = 1237;
        let ramp = RgbImage::from_fn(side, side, |x, y| {
            Rgb([(x * 255 / side) as u8, (y * 255 / side) as u8, 0])
        });
        let pixels = Pixels::new(&ramp).expect("a picture");
        for scale in [1.0, 0.6, 0.34, 0.2, 0.11, 0.04] {
            for turned in [false, true] {
                let look = Look { low: [301, 202], high: [1201, 1002], scale, level: 0, turned };
                let patch = pixels.patch(&look).expect("a patch");
                let plane = patch.width * patch.height;
                let [across, down] = if turned { [790.0, 890.0] } else { [890.0, 790.0] };
                let [across, down] = [across, down].map(|side| (side * scale) as usize);
                for [u, v] in [[0, 0], [across / 2, down / 3], [across - 1, down - 1]] {
                    let at = v * patch.width + u;
                    let place = patch.place([u as f32 + 0.5, v as f32 + 0.5]);
                    for (place, plane_of) in place.into_iter().zip([2 * plane, plane]) {
                        let tells = (patch.values[plane_of + at] + 0.5) * side as f32 / 255.0;
                        let slack = 6.0 + 0.6 / scale;
                        assert!((place - tells).abs() < slack, "{look:?}: {place} {tells}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_strip_too_thin_to_halve_is_shown_all_the_same() {
        let strip = RgbImage::new(4000, 3);
        let look = Look { low: [0, 0], high: [4000, 3], scale: 0.01, level: 0, turned: false };
        let patch = Pixels::new(&strip).and_then(|pixels| pixels.patch(&look));
        assert_eq!(patch.map(|patch| (patch.width, patch.height)).ok(), Some((64, 32)));
    }
}

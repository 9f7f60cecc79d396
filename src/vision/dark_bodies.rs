//! Sets of black or dark tiles with light print: hardly a face of them is read as it is, and all are with light and dark
//! exchanged.

use super::{Corners, ModelError, Picture, classifier::CROP, pixels::Pixels};

/// One in so many of the finds on dark bodies is enough to try: others may be made of single dots, which are light.
const SHARE: usize = 4;
/// One in so many of a face's pixels is darker than what counts as its darkest, and one brighter than its brightest.
const EXTREME: usize = 20;
/// So many finds tell.
const TELL: usize = 16;

/// Whether finds lie on dark bodies.
///
/// # Errors
/// OpenCV fails.
pub(super) fn are_dark(pixels: &Pixels<'_>, finds: &[Corners]) -> Result<bool, ModelError> {
    let finds = &finds[..finds.len().min(TELL)];
    let mut crop = vec![0.0; 3 * CROP * CROP];
    let mut dark = 0;
    for find in finds {
        pixels.upright(find, &mut crop)?;
        dark += usize::from(is_dark(&crop));
    }
    Ok(!finds.is_empty() && SHARE * dark >= finds.len())
}

/// The picture with light and dark exchanged and every hue as it was.
pub(super) fn inverted(picture: &Picture) -> Result<Picture, ModelError> {
    let mut rgb = picture.rgb().clone();
    for pixel in rgb.pixels_mut() {
        let [red, green, blue] = pixel.0.map(u32::from);
        let to = 255 - 2 * ((77 * red + 150 * green + 29 * blue) >> 8) as i16;
        pixel.0 = pixel.0.map(|is| (to + i16::from(is)).clamp(0, 255) as u8);
    }
    Picture::from_rgb(rgb).map_err(|error| ModelError::Run(error.to_string()))
}

/// Whether a face's body, which most of it is, is darker than its print. `crop`: 3 x [`CROP`] x [`CROP`].
fn is_dark(crop: &[f32]) -> bool {
    let (blue, rest) = crop.split_at(CROP * CROP);
    let (green, red) = rest.split_at(CROP * CROP);
    let mut levels: Vec<f32> =
        blue.iter().zip(green).zip(red).map(|((b, g), r)| (b + g + r) / 3.0).collect();
    levels.sort_unstable_by(f32::total_cmp);
    let last = levels.len() - 1;
    let [darkest, body, brightest] =
        [last / EXTREME, last / 2, last - last / EXTREME].map(|k| levels[k]);
    brightest - body > body - darkest
}

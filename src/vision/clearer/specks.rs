//! Single pixels that are white or black, as bad transmission leaves them and as collections of photos strew them over
//! theirs: a plain white dragon full of them is no blank any more.

use super::{super::pixels::median, ModelError, Picture, SAMPLED, SoFar};

/// A speck is so many levels brighter than all pixels around it, or darker.
const STANDS_OUT: u8 = 55;
/// A picture is specked where more than this share of its pixels are specks.
const SPECKED: f32 = 0.0005;
/// What is so many levels off the median around it is what is left of a speck.
const OFF: u8 = 25;

/// The picture without its specks; `None` where it has few.
///
/// # Errors
/// OpenCV fails.
pub(super) fn removed(picture: &Picture, _: &SoFar) -> Result<Option<Picture>, ModelError> {
    if specks(picture) <= SPECKED {
        return Ok(None);
    }
    let mut rgb = median(picture)?;
    for (around, pixel) in rgb.pixels_mut().zip(picture.rgb().pixels()) {
        let is_off = around.0.iter().zip(pixel.0).any(|(a, b)| a.abs_diff(b) > OFF);
        if !is_off {
            *around = *pixel;
        }
    }
    Picture::from_rgb(rgb).map(Some).map_err(|error| ModelError::Run(error.to_string()))
}

/// Which share of the pixels are specks, by rows spread over the picture.
fn specks(picture: &Picture) -> f32 {
    let rgb = picture.rgb();
    let (width, height) = (rgb.width(), rgb.height());
    let rows = (SAMPLED as u32 / width).clamp(1, height - 2);
    let mut found = 0_u32;
    for row in 0..rows {
        let y = 1 + (u64::from(row) * u64::from(height - 2) / u64::from(rows)) as u32;
        for x in 1..width - 1 {
            let green = |dx: u32, dy: u32| rgb.get_pixel(x + dx - 1, y + dy - 1).0[1];
            let own = green(1, 1);
            let around = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
            let (darkest, brightest) = around
                .map(|(dx, dy)| green(dx, dy))
                .iter()
                .fold((u8::MAX, 0), |(low, high), &v| (v.min(low), v.max(high)));
            let stands_out = own > brightest.saturating_add(STANDS_OUT)
                || own < darkest.saturating_sub(STANDS_OUT);
            found += u32::from(stands_out);
        }
    }
    found as f32 / (rows * (width - 2)) as f32
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    /// Stripes as of ink on paper, with a speck in so many pixels.
    fn striped(specks: Option<u32>) -> Picture {
        let rgb = RgbImage::from_fn(320, 240, |x, y| {
            let is_speck = specks.is_some_and(|every| (x * 7919 + y * 104_729) % every == 0);
            let ink = if x % 20 < 6 { 60 } else { 180 };
            Rgb([if is_speck { 255 } else { ink }; 3])
        });
        Picture::from_rgb(rgb).expect("a picture")
    }

    #[test]
    fn specks_go_and_print_stays() {
        let without = removed(&striped(Some(211)), &SoFar::default()).expect("OpenCV");
        let without = without.expect("specked");
        let clean = striped(None);
        let left = without.rgb().pixels().zip(clean.rgb().pixels()).filter(|(a, b)| a != b);
        assert!(left.count() < 8, "corners of the picture at most");
    }

    #[test]
    fn a_picture_without_specks_is_left() {
        for clean in [striped(None), striped(Some(9973))] {
            assert!(removed(&clean, &SoFar::default()).expect("OpenCV").is_none());
        }
    }
}

//! Single pixels that are white or black, as bad transmission leaves them and as collections of photos strew them over
//! theirs: a plain white dragon full of them is no blank any more.

use super::{super::pixels::median, ModelError, Picture, SoFar, patches, picture_of};

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
pub(super) fn removed(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let picture = &so_far.picture;
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
    picture_of(rgb).map(Some)
}

/// Which share of the pixels are specks.
fn specks(picture: &Picture) -> f32 {
    let (mut all, mut found) = (0_u32, 0_u32);
    for [a, b, c, d, own, e, f, g, h] in patches(picture) {
        let (darkest, brightest) = [a, b, c, d, e, f, g, h]
            .iter()
            .fold((u8::MAX, 0), |(low, high), &v| (v.min(low), v.max(high)));
        let stands_out =
            own > brightest.saturating_add(STANDS_OUT) || own < darkest.saturating_sub(STANDS_OUT);
        all += 1;
        found += u32::from(stands_out);
    }
    found as f32 / all as f32
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{super::read, *};

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
        let without = removed(&read(&striped(Some(211)), Vec::new())).expect("OpenCV");
        let without = without.expect("specked");
        let clean = striped(None);
        let left = without.rgb().pixels().zip(clean.rgb().pixels()).filter(|(a, b)| a != b);
        assert!(left.count() < 8, "corners of the picture at most");
    }

    #[test]
    fn a_picture_without_specks_is_left() {
        for clean in [striped(None), striped(Some(9973))] {
            assert!(removed(&read(&clean, Vec::new())).expect("OpenCV").is_none());
        }
    }
}

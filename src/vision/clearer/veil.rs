//! Stray light of a window or a dirty lens that lies over the whole picture: nothing in it is dark.

use super::{ModelError, Picture, SoFar, changed, range};

/// A veil makes the darkest brighter than this share of the brightest.
const VEILED: f32 = 0.45;
/// What these are made.
const TO: [f32; 2] = [10.0, 245.0];
/// Less light and shade than this, in levels, is a picture of nothing.
const LEAST: f32 = 16.0;

/// The picture without the veil; `None` where there is none.
///
/// # Errors
/// The picture's size is not one that can be read, which it was before.
pub(super) fn lifted(picture: &Picture, _: &SoFar) -> Result<Option<Picture>, ModelError> {
    let [dark, bright] = range(picture);
    if dark <= VEILED * bright || bright - dark < LEAST {
        return Ok(None);
    }
    let by = (TO[1] - TO[0]) / (bright - dark);
    let lifted: [u8; 256] =
        std::array::from_fn(|is| (TO[0] + by * (is as f32 - dark)).round().clamp(0.0, 255.0) as u8);
    changed(picture, |pixel| pixel.map(|is| lifted[usize::from(is)])).map(Some)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    fn table(ink: u8, body: u8) -> Picture {
        let rgb = RgbImage::from_fn(320, 240, |x, _| Rgb([if x % 20 < 6 { ink } else { body }; 3]));
        Picture::from_rgb(rgb).expect("a picture")
    }

    #[test]
    fn a_veil_is_lifted_from_ink_and_bodies() {
        let lifted =
            lifted(&table(140, 195), &SoFar::default()).expect("a picture").expect("veiled");
        assert_eq!(lifted.rgb().get_pixel(0, 0), &Rgb([10; 3]));
        assert_eq!(lifted.rgb().get_pixel(10, 0), &Rgb([245; 3]));
        assert!(
            super::lifted(&lifted, &SoFar::default()).expect("a picture").is_none(),
            "once is enough"
        );
    }

    #[test]
    fn neither_dim_light_nor_a_light_table_nor_a_blank_picture_is_veiled() {
        for (ink, body) in [(8, 40), (60, 210), (90, 240), (200, 206), (255, 255)] {
            assert!(
                lifted(&table(ink, body), &SoFar::default()).expect("a picture").is_none(),
                "{ink} {body}"
            );
        }
    }
}

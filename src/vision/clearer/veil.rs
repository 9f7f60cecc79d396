//! Stray light of a window or a dirty lens that lies over the whole picture: nothing in it is dark.

use super::{FACES, ModelError, Picture, SoFar, changed, level};

/// A veil makes the darkest brighter than this share of the brightest.
const VEILED: f32 = 0.45;
/// What these are made.
const TO: [f32; 2] = [10.0, 245.0];
/// Less light and shade than this, in levels, is a picture of nothing.
const LEAST: f32 = 16.0;

/// So much of a face is ink.
const INK: f32 = 0.02;

/// The picture without the veil; `None` where there is none. (A light table alone is none: where it takes nearly all of the
/// picture, the ink of the faces tells.)
///
/// # Errors
/// OpenCV fails.
pub(super) fn lifted(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let [dark, bright] = so_far.range();
    if dark <= VEILED * bright || bright - dark < LEAST {
        return Ok(None);
    }
    if so_far.faces.len() >= FACES {
        let mut inks = so_far.of_each(|crop| level(crop, INK))?;
        // Colours are brighter inks than black.
        let quarter = inks.len() / 4;
        if f32::from(*inks.select_nth_unstable(quarter).1) <= VEILED * bright {
            return Ok(None);
        }
    }
    let by = (TO[1] - TO[0]) / (bright - dark);
    let lifted: [u8; 256] =
        std::array::from_fn(|is| (TO[0] + by * (is as f32 - dark)).round().clamp(0.0, 255.0) as u8);
    changed(&so_far.picture, |pixel| pixel.map(|is| lifted[usize::from(is)])).map(Some)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{super::read, *};

    fn table(ink: u8, body: u8) -> Picture {
        let rgb = RgbImage::from_fn(320, 240, |x, _| Rgb([if x % 20 < 6 { ink } else { body }; 3]));
        Picture::from_rgb(rgb).expect("a picture")
    }

    #[test]
    fn a_veil_is_lifted_from_ink_and_bodies() {
        let lifted =
            lifted(&read(&table(140, 195), Vec::new())).expect("a picture").expect("veiled");
        assert_eq!(lifted.rgb().get_pixel(0, 0), &Rgb([10; 3]));
        assert_eq!(lifted.rgb().get_pixel(10, 0), &Rgb([245; 3]));
        assert!(
            super::lifted(&read(&lifted, Vec::new())).expect("a picture").is_none(),
            "once is enough"
        );
    }

    #[test]
    fn neither_dim_light_nor_a_light_table_nor_a_blank_picture_is_veiled() {
        for (ink, body) in [(8, 40), (60, 210), (90, 240), (200, 206), (255, 255)] {
            assert!(
                lifted(&read(&table(ink, body), Vec::new())).expect("a picture").is_none(),
                "{ink} {body}"
            );
        }
    }

    #[test]
    fn a_light_table_with_a_few_tiles_of_dark_ink_is_not_veiled() {
        let tiles = |ink: u8| {
            let rgb = RgbImage::from_fn(1600, 1200, |x, y| {
                let tile = (100..340).contains(&x) && (100..180).contains(&y);
                Rgb([if tile && x % 20 < 6 { ink } else { 195 + (x % 2) as u8 * 30 }; 3])
            });
            let corner = |x: f32, y: f32| [100.0 + x, 100.0 + y];
            let faces = (0..4).map(|k| 60.0 * k as f32);
            let faces = faces.map(|x| {
                [corner(x, 0.0), corner(x + 60.0, 0.0), corner(x + 60.0, 80.0), corner(x, 80.0)]
            });
            let picture = Picture::from_rgb(rgb).expect("a picture");
            lifted(&read(&picture, faces.collect())).expect("a picture").is_some()
        };
        assert!(!tiles(30), "the ink tells");
        assert!(tiles(150), "it is veiled, too");
    }
}

//! Sets of black or dark tiles with light print: hardly a face of them is read as it is, and all are with light and dark
//! exchanged.

use super::{super::classifier::CROP, ModelError, Picture, SoFar, brightness, changed};

/// One in so many of the faces on dark bodies is enough to try: others may be made of single dots, which are light.
const SHARE: usize = 4;
/// One in so many of a face's pixels is darker than what counts as its darkest, and one brighter than its brightest.
const EXTREME: usize = 20;
/// Fewer sure faces than half a hand may all be what light print leaves free between two strokes.
const HALF_A_HAND: usize = 7;

/// The picture with light and dark exchanged and every hue as it was; `None` where there are faces enough, sure ones for the
/// most part, and their bodies are light.
///
/// # Errors
/// OpenCV fails.
pub(super) fn inverted(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let faces = so_far.faces.len();
    if faces >= HALF_A_HAND && !so_far.is_doubtful {
        let dark = so_far.of_each(is_dark)?.iter().filter(|is_dark| **is_dark).count();
        if SHARE * dark < faces {
            return Ok(None);
        }
    }
    changed(&so_far.picture, |pixel| {
        let to = 255 - 2 * i16::from(brightness(pixel));
        pixel.map(|is| (to + i16::from(is)).clamp(0, 255) as u8)
    })
    .map(Some)
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

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{super::read, *};

    #[test]
    fn black_bodies_get_white_and_red_print_stays_red() {
        let black_red = RgbImage::from_fn(320, 240, |x, _| {
            if x % 2 == 0 { Rgb([12, 12, 12]) } else { Rgb([200, 40, 40]) }
        });
        let picture = Picture::from_rgb(black_red).expect("a picture");
        let inverted = inverted(&read(&picture, Vec::new())).expect("a picture").expect("no faces");
        assert_eq!(inverted.rgb().get_pixel(0, 0), &Rgb([243, 243, 243]));
        let Rgb([red, green, blue]) = *inverted.rgb().get_pixel(1, 0);
        assert!(red > 250 && green < 140 && blue < 140, "{red} {green} {blue}");
    }

    #[test]
    fn faces_on_dark_bodies_are_inverted_and_on_light_ones_or_in_dim_light_are_not() {
        let face = |k: usize| {
            let x = 50.0 * k as f32;
            [[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]
        };
        for (print, body, dark) in
            [(220, 30, true), (220, 130, true), (30, 220, false), (10, 60, false)]
        {
            let stroke = |x: u32| if x % 50 % 40 < 12 { print } else { body };
            let picture =
                Picture::from_rgb(RgbImage::from_fn(400, 240, |x, _| Rgb([stroke(x); 3])));
            let picture = picture.expect("a picture");
            let is_inverted = |is_doubtful| {
                let so_far = SoFar { is_doubtful, ..read(&picture, (0..7).map(face).collect()) };
                inverted(&so_far).expect("a picture").is_some()
            };
            assert_eq!(is_inverted(false), dark, "print {print} on {body}");
            assert!(is_inverted(true), "faces among many finds that show none surely");
        }
    }
}

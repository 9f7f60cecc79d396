//! Sets of dark tiles with light print. The classifier reads hardly a face of them, and all of them once light
//! and dark are exchanged.

use super::{ModelError, networks::CROP, pixels::Pixels};
use crate::{
    picture::Picture,
    sight::{Corners, rank::quantile},
};

/// One dark body in this number of detections is enough to try the inverted picture: faces of single dots look light.
const SHARE: usize = 4;
/// Share of a face's pixels that are darker than its dark level; the same share is brighter than its bright
/// level.
const EXTREME: f32 = 0.05;
/// Number of detections that are tested for dark bodies.
const TELL: usize = 16;

/// Whether detections lie on dark bodies.
///
/// # Errors
/// OpenCV fails.
pub(super) fn are_dark(pixels: &Pixels<'_>, detections: &[Corners]) -> Result<bool, ModelError> {
    let detections = &detections[..detections.len().min(TELL)];
    let mut crop = vec![0.0; 3 * CROP * CROP];
    let mut dark = 0;
    for detection in detections {
        pixels.upright(detection, &mut crop)?;
        dark += usize::from(is_dark(&crop));
    }
    Ok(!detections.is_empty() && SHARE * dark >= detections.len())
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

/// Whether a face's body, which is most of it, is darker than its print. `crop`: 3 x [`CROP`] x [`CROP`].
fn is_dark(crop: &[f32]) -> bool {
    let (blue, rest) = crop.split_at(CROP * CROP);
    let (green, red) = rest.split_at(CROP * CROP);
    let levels = || blue.iter().zip(green).zip(red).map(|((b, g), r)| (b + g + r) / 3.0);
    let [darkest, body, brightest] =
        [EXTREME, 0.5, 1.0 - EXTREME].map(|share| quantile(levels(), share).unwrap_or(0.0));
    brightest - body > body - darkest
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn black_bodies_get_white_and_red_print_stays_red() {
        let black_red = RgbImage::from_fn(320, 240, |x, _| {
            if x % 2 == 0 { Rgb([12, 12, 12]) } else { Rgb([200, 40, 40]) }
        });
        let picture = Picture::from_rgb(black_red).expect("a picture");
        let inverted = inverted(&picture).expect("a picture");
        assert_eq!(inverted.rgb().get_pixel(0, 0), &Rgb([243, 243, 243]));
        let Rgb([red, green, blue]) = *inverted.rgb().get_pixel(1, 0);
        assert!(red > 250 && green < 140 && blue < 140, "{red} {green} {blue}");
    }

    #[test]
    fn print_brighter_than_its_body_tells_a_dark_set_and_dim_light_does_not() {
        let face = |k: usize| {
            let x = 50.0 * k as f32;
            [[x, 0.0], [x + 40.0, 0.0], [x + 40.0, 40.0], [x, 40.0]]
        };
        for (print, body, dark) in
            [(220, 30, true), (220, 130, true), (30, 220, false), (10, 60, false)]
        {
            let stroke = |x: u32| if x % 50 % 40 < 12 { print } else { body };
            let picture = RgbImage::from_fn(400, 240, |x, _| Rgb([stroke(x); 3]));
            let pixels = Pixels::new(&picture).expect("a picture");
            let faces: Vec<Corners> = (0..7).map(face).collect();
            let is = are_dark(&pixels, &faces).expect("cut out");
            assert_eq!(is, dark, "print {print} on {body}");
            assert!(!are_dark(&pixels, &[]).expect("nothing to cut"), "nothing tells");
        }
    }
}

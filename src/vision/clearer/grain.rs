//! Grain of a camera in bad light, lines of a screen that was photographed, and what sharpening makes of both: detail of
//! a pixel or two. Where tiles are little larger than what the networks look at, it hides their print.

use super::{super::pixels::soft, ModelError, Picture, SoFar, patches, picture_of};

/// A picture is grainy where its grain is more than this of what lies between its darkest and its brightest.
const GRAINY: f32 = 0.02;
/// A picture with less light and shade than this, in levels, loses more with its grain than it gains.
const DIM: f32 = 80.0;
/// How wide it is softened, in pixels: wide enough for the lines of screens.
const SPREAD: f64 = 1.5;

/// The picture without its grain; `None` where it has little.
///
/// # Errors
/// OpenCV fails.
pub(super) fn softened(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let [darkest, brightest] = so_far.range();
    let range = brightest - darkest;
    if range < DIM || grain(&so_far.picture) < GRAINY * range {
        return Ok(None);
    }
    picture_of(soft(&so_far.picture, SPREAD)?).map(Some)
}

/// How many levels the grain is (the standard deviation that noise would have): Immerkær, Fast noise variance estimation
/// (1996), with the median in place of the mean, which edges leave alone.
fn grain(picture: &Picture) -> f32 {
    let mut counts = [0_u32; 4 * 255 * 2 + 1];
    for patch in patches(picture) {
        let [a, b, c, d, middle, e, f, g, h] = patch.map(i32::from);
        counts[(a + c + f + h - 2 * (b + d + e + g) + 4 * middle).unsigned_abs() as usize] += 1;
    }
    let half = counts.iter().sum::<u32>() / 2;
    let mut seen = 0;
    let median = counts.iter().position(|count| {
        seen += count;
        seen > half
    });
    // The mask makes six times the deviation of its pixels; of noise half lies within 0.6745 deviations.
    median.unwrap_or(0) as f32 / (6.0 * 0.6745)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{super::read, *};

    fn striped(grain: impl Fn(u32) -> u8) -> Picture {
        let mut state = 7_u32;
        let rgb = RgbImage::from_fn(320, 240, |x, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let ink = if x % 20 < 6 { 60 } else { 180 };
            Rgb([ink + grain(state >> 16); 3])
        });
        Picture::from_rgb(rgb).expect("a picture")
    }

    #[test]
    fn grain_is_told_from_print_and_measured_in_levels() {
        assert!(grain(&striped(|_| 0)) < 1.0, "edges are no grain");
        // Evenly spread over 0..=34: a deviation of 10.
        let noisy = grain(&striped(|random| (random % 35) as u8));
        assert!((8.0..12.5).contains(&noisy), "{noisy}");
    }

    #[test]
    fn a_grainy_picture_is_softened_and_a_clean_one_left() {
        let noisy = striped(|random| (random % 35) as u8);
        let softened = softened(&read(&noisy, Vec::new())).expect("a picture").expect("grainy");
        assert_eq!((softened.width(), softened.height()), (320, 240));
        assert!(grain(&softened) < 0.3 * grain(&noisy));
        assert!(super::softened(&read(&striped(|_| 0), Vec::new())).expect("a picture").is_none());
    }
}

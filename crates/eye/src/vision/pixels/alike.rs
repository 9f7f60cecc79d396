//! Compares the Rust code for scaling and warping with OpenCV.

use image::{Rgb, RgbImage};

use super::{Method, Region, even_half, plain, with_opencv};

/// A picture with edges, fine print and grain, which reveal a wrong grid or weight.
fn picture(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let grain =
            (x.wrapping_mul(7919) ^ y.wrapping_mul(104_729)).wrapping_mul(2_654_435_761) >> 27;
        let stripes = if (x / 5 + y / 3) % 2 == 0 { 200 } else { 30 };
        let ramp = 255 * x / width;
        Rgb([stripes + grain, (ramp + grain).min(255), 255 * y / height].map(|level| level as u8))
    })
}

/// The largest and the mean difference.
fn difference(one: &[u8], other: &[u8]) -> (u8, f64) {
    assert_eq!(one.len(), other.len());
    let each = one.iter().zip(other).map(|(one, other)| one.abs_diff(*other));
    let sum: f64 = each.clone().map(f64::from).sum();
    (each.max().unwrap_or(0), sum / one.len() as f64)
}

/// Largest difference, in levels: places are rounded to a 32nd of a pixel, and this is one such step of a hard
/// edge.
const A_STEP: u8 = 8;

/// Asserts that both do the same to a picture, except for rounding.
fn assert_alike(
    what: &str,
    picture: &RgbImage,
    one: impl Fn(&plain::Image<'_>) -> plain::Image<'static>,
    other: impl Fn(&with_opencv::Image<'_>) -> with_opencv::Image<'static>,
) {
    let one = one(&plain::Image::of(picture).expect("a picture"));
    let other = other(&with_opencv::Image::of(picture).expect("a picture"));
    assert_eq!((one.width(), one.height()), (other.width(), other.height()), "{what}");
    let (most, mean) = difference(one.bytes().expect("bytes"), other.bytes().expect("bytes"));
    assert!(most <= A_STEP && mean < 0.01, "{what}: {most} at most, {mean} on average");
}

#[test]
fn a_part_is_resized_as_by_opencv() {
    let picture = picture(301, 203);
    for (size, to, method) in [
        ([280, 180], [140, 90], Method::Area),
        ([281, 173], [200, 131], Method::Area),
        ([281, 173], [281, 100], Method::Area),
        ([97, 61], [96, 60], Method::Area),
        ([2, 1], [1, 1], Method::Area),
        ([281, 173], [201, 120], Method::Linear),
        ([281, 173], [281, 173], Method::Linear),
        ([280, 180], [140, 90], Method::Linear),
        ([3, 1], [2, 1], Method::Linear),
        ([90, 61], [291, 189], Method::Cubic),
        ([90, 61], [90, 61], Method::Cubic),
        ([2, 3], [31, 17], Method::Cubic),
    ] {
        let part = Region { low: [11, 7], size };
        assert_alike(
            &format!("{size:?} to {to:?}, {method:?}"),
            &picture,
            |image| image.resized(part, to, method).expect("resized"),
            |image| image.resized(part, to, method).expect("resized"),
        );
    }
}

#[test]
fn a_picture_is_halved_as_by_opencv() {
    for [width, height] in [[300, 202], [301, 203], [33, 32]] {
        let (even, to) = even_half([width as i32, height as i32]);
        assert_alike(
            &format!("{width} x {height}"),
            &picture(width, height),
            |image| image.resized(even, to, Method::Area).expect("half"),
            |image| image.resized(even, to, Method::Area).expect("half"),
        );
    }
}

#[test]
fn a_tile_is_set_upright_as_by_opencv() {
    let picture = picture(301, 203);
    for quad in [
        [[40.3, 50.1], [77.7, 52.9], [75.2, 101.4], [38.8, 99.6]],
        [[20.0, 20.0], [84.0, 20.0], [84.0, 84.0], [20.0, 84.0]],
        // From low down, turned, and over two edges of the picture.
        [[100.0, 60.0], [190.0, 70.0], [210.0, 110.0], [70.0, 95.0]],
        [[200.0, 180.0], [150.0, 190.0], [140.0, 120.0], [195.0, 110.0]],
        [[-20.0, -12.0], [35.0, -15.0], [30.0, 44.0], [-18.0, 40.0]],
        [[270.0, 170.0], [330.0, 170.0], [330.0, 240.0], [270.0, 240.0]],
    ] {
        for part in
            [Region { low: [0, 0], size: [301, 203] }, Region { low: [9, 5], size: [250, 170] }]
        {
            assert_alike(
                &format!("{quad:?} of {part:?}"),
                &picture,
                |image| image.upright(part, &quad).expect("upright"),
                |image| image.upright(part, &quad).expect("upright"),
            );
        }
    }
}

#[test]
fn a_picture_is_pulled_as_by_opencv() {
    let picture = picture(301, 203);
    for (matrix, size) in [
        ([[3.0, 0.0, -90.0], [0.0, 1.0, -10.0]], [700, 180]),
        ([[0.9, 0.31, -20.5], [-0.24, 1.1, 40.25]], [260, 240]),
        ([[0.5, 0.0, 0.0], [0.0, 0.7, 0.0]], [170, 160]),
    ] {
        assert_alike(
            &format!("{matrix:?}"),
            &picture,
            |image| image.warped(matrix, size).expect("pulled"),
            |image| image.warped(matrix, size).expect("pulled"),
        );
    }
}

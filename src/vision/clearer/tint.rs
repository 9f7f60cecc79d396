//! Tiles that are tinted: by lamps or a camera that takes yellow light for white, or by their own plastic. The networks
//! have seen few such, and read more of them in white light.

use super::{super::gaps, FACES, ModelError, Picture, SoFar, changed};

/// The bodies of tiles are tinted where their weakest colour is less than this of the strongest.
const TINTED: f32 = 0.75;
/// Bodies are made no brighter than this, so that nothing on them is.
const BRIGHT: f32 = 215.0;
/// A colour is made at most so many times as strong: beyond, it is more noise than colour.
const MOST: f32 = 4.0;

/// The picture as it would be in white light, where the bodies of most faces are coloured; `None` where they are nearly
/// grey.
///
/// # Errors
/// OpenCV fails.
pub(super) fn freed(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let bodies = so_far.of_each(gaps::body)?;
    let Some(gains) = gains(&bodies) else { return Ok(None) };
    let [red, green, blue] = gains.map(|gain| {
        std::array::from_fn::<u8, 256, _>(|is| (is as f32 * gain).round().min(255.0) as u8)
    });
    changed(&so_far.picture, |[r, g, b]| {
        [red[usize::from(r)], green[usize::from(g)], blue[usize::from(b)]]
    })
    .map(Some)
}

/// How many times as strong red, green and blue have to be for bodies (blue, green and red) to be grey; `None` where they
/// are nearly so.
fn gains(bodies: &[[f32; 3]]) -> Option<[f32; 3]> {
    if bodies.len() < FACES {
        return None;
    }
    let [blue, green, red] = gaps::median(bodies);
    let strongest = blue.max(green).max(red);
    let weakest = blue.min(green).min(red);
    (weakest < TINTED * strongest)
        .then(|| [red, green, blue].map(|is| (strongest.min(BRIGHT) / is.max(1.0)).min(MOST)))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::{super::read, *};

    #[test]
    fn white_ivory_and_dim_bodies_are_not_tinted_and_yellow_and_blue_ones_are() {
        let gains = |body: [f32; 3]| super::gains(&[body; 5]);
        assert_eq!(gains([215.0, 225.0, 230.0]), None);
        assert_eq!(gains([180.0, 215.0, 235.0]), None, "ivory");
        assert_eq!(gains([38.0, 42.0, 45.0]), None, "dim light is no tint");
        let [red, green, blue] = gains([80.0, 160.0, 200.0]).expect("lamp light");
        assert!(
            (red - 1.0).abs() < 1e-6 && (green - 1.25).abs() < 1e-6 && (blue - 2.5).abs() < 1e-6
        );
        let [red, _, blue] = gains([250.0, 200.0, 120.0]).expect("a blue cast");
        assert!(blue < 1.0 && red > 1.7, "nothing gets brighter than white");
    }

    #[test]
    fn a_few_bodies_of_another_colour_do_not_tell_nor_do_fewer_than_a_row() {
        let (white, yellow) = ([220.0; 3], [80.0, 160.0, 200.0]);
        assert_eq!(gains(&[yellow; 3]), None);
        assert_eq!(gains(&[white, white, white, yellow, yellow]), None);
        assert!(gains(&[[0.0; 3]; 4]).is_none(), "no light");
        assert_eq!(gains(&[[0.0, 90.0, 100.0]; 4]).map(|[.., blue]| blue), Some(MOST));
    }

    #[test]
    fn the_bodies_of_faces_in_a_picture_are_grey_afterwards() {
        let table = image::RgbImage::from_fn(400, 200, |x, y| {
            let on_tile = x % 50 < 40 && (50..110).contains(&y);
            Rgb(if on_tile { [200, 150, 80] } else { [20, 90, 60] })
        });
        let picture = Picture::from_rgb(table).expect("a picture");
        let faces: Vec<_> = (0..8)
            .map(|k| 50.0 * k as f32)
            .map(|x| [[x, 50.0], [x + 40.0, 50.0], [x + 40.0, 110.0], [x, 110.0]])
            .collect();
        let after = freed(&read(&picture, faces.clone())).expect("a picture").expect("tinted");
        assert_eq!(after.rgb().get_pixel(20, 80), &Rgb([200, 200, 200]));
        assert!(freed(&read(&after, faces)).expect("a picture").is_none(), "once is enough");
    }
}

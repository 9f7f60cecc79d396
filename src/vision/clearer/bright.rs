//! Far too much light: bodies of tiles have become white, and with them what parts one from the next.

use super::{FACES, ModelError, Picture, SoFar, changed, level};

/// So much of a face is darker than what tells how bright its body is.
const BODY: f32 = 0.7;
/// As bright as this is white, with nothing left to tell: bodies of tiles hardly ever are in a picture with the right light.
const WHITE: u8 = 254;
/// A picture with hardly a face, of which more is white than this, may have too much light for more to be seen.
const SHARE: f32 = 0.05;
/// Light is made weaker by this power: what is nearly white differs more from white then.
const POWER: f32 = 3.5;

/// The picture with less light, where the bodies of most faces are white; where there is hardly a face, where much of it is.
/// `None` otherwise.
///
/// # Errors
/// OpenCV fails.
pub(super) fn dimmed(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let is_too_bright = if so_far.faces.len() < FACES {
        white_share(so_far) > SHARE
    } else {
        has_white_bodies(so_far)?
    };
    if !is_too_bright {
        return Ok(None);
    }
    let dimmed: [u8; 256] =
        std::array::from_fn(|is| (255.0 * (is as f32 / 255.0).powf(POWER)).round() as u8);
    changed(&so_far.picture, |pixel| pixel.map(|is| dimmed[usize::from(is)])).map(Some)
}

fn white_share(so_far: &SoFar<'_>) -> f32 {
    let counts = so_far.counts();
    let white: usize = counts[usize::from(WHITE)..].iter().sum();
    white as f32 / counts.iter().sum::<usize>() as f32
}

/// Whether most faces are white but for their print.
fn has_white_bodies(so_far: &SoFar<'_>) -> Result<bool, ModelError> {
    let bodies = so_far.of_each(|crop| level(crop, BODY))?;
    let white = bodies.iter().filter(|body| **body >= WHITE).count();
    Ok(2 * white > bodies.len())
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{
        super::{Corners, read},
        *,
    };

    /// A row of tiles with bodies of that light, on a table of which so many rows of pixels are white.
    fn table(body: u8, white: u32) -> Picture {
        let rgb = RgbImage::from_fn(800, 600, |x, y| {
            let is_tile = x < 400 && (50..110).contains(&y);
            let is_white = y >= 600 - white;
            let gap = if is_tile { 230 } else { 90 };
            let body = if is_tile && x % 50 < 46 { body } else { gap };
            Rgb([if is_white { 255 } else { body }; 3])
        });
        Picture::from_rgb(rgb).expect("a picture")
    }

    fn faces(count: usize) -> Vec<Corners> {
        let faces = (0..count).map(|k| 50.0 * k as f32);
        let faces = faces.map(|x| [[x, 50.0], [x + 46.0, 50.0], [x + 46.0, 110.0], [x, 110.0]]);
        faces.collect()
    }

    #[test]
    fn what_parts_white_tiles_differs_more_from_them_in_less_light() {
        let table = table(255, 0);
        let dimmed = dimmed(&read(&table, faces(8))).expect("a picture").expect("too bright");
        let [body, gap] = [20, 48].map(|x| dimmed.rgb().get_pixel(x, 80).0[0]);
        assert!(body - gap > 50, "{body} {gap}");
    }

    #[test]
    fn light_tiles_that_are_not_white_are_left_and_so_are_a_few_white_things() {
        for (body, count) in [(250, 8), (255, 3), (255, 0)] {
            let table = table(body, 0);
            assert!(dimmed(&read(&table, faces(count))).expect("a picture").is_none());
        }
    }

    #[test]
    fn much_white_where_hardly_a_face_is_seen_may_hide_tiles_and_faces_tell_more_than_it() {
        let is_too_bright =
            |white, faces| dimmed(&read(&table(250, white), faces)).expect("a picture").is_some();
        assert!(is_too_bright(60, faces(3)));
        assert!(!is_too_bright(20, faces(3)), "a cup");
        assert!(!is_too_bright(60, faces(8)), "a sheet of paper beside tiles in good light");
    }
}

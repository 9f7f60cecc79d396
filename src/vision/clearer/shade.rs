//! The shadow of a hand, a lamp or the photographer over a part of the table: tiles in it are hardly seen beside those in the
//! light.

use super::{
    super::pixels::light, ModelError, Picture, SoFar, by_cells, cells, level, typical_short,
};

/// Faces lie in a shadow where the brightest body is more than so many times as bright as the darkest: in the photos of `val`
/// as they are three in a hundred are, and with a shadow across them nineteen in twenty.
const SHADED: f32 = 2.0;
/// So much of a face is darker than what counts as its body.
const BODY: f32 = 0.9;

/// The light is told in cells, so many to the short side of a tile,
const CELLS: f32 = 4.0;
/// but no more to the long side of a picture.
const MOST_CELLS: f32 = 400.0;
/// Print is not taken for shadow: what is darker over fewer cells than this counts as what is around it.
const PRINT: i32 = 5;
/// What is darkest is made so many times as bright at most.
const MOST: f32 = 4.0;
/// Of the light that lacks, as an exponent, so much is given: some of what is dark is not in a shadow.
const GIVEN: f32 = 0.85;
/// One in so many cells is brighter than what all is made as bright as.
const BRIGHTEST: usize = 50;

/// The picture as it is by even light; `None` where all faces lie in the same light.
///
/// # Errors
/// OpenCV fails.
pub(in super::super) fn evened(so_far: &SoFar<'_>) -> Result<Option<Picture>, ModelError> {
    let picture = &so_far.picture;
    let mut bodies = so_far.of_each(|crop| f32::from(level(crop, BODY)))?;
    bodies.sort_by(f32::total_cmp);
    match (bodies.first(), bodies.last()) {
        (Some(darkest), Some(brightest)) if *brightest > SHADED * darkest.max(1.0) => {}
        _ => return Ok(None),
    }
    let Some(short) = typical_short(&so_far.faces) else { return Ok(None) };
    let size = cells(picture, short / CELLS, MOST_CELLS);
    let light = light(picture, size, PRINT)?;
    let mut sorted = light.clone();
    sorted.sort_by(f32::total_cmp);
    let brightest = sorted[sorted.len() - 1 - sorted.len() / BRIGHTEST];
    let gains: Vec<f32> =
        light.iter().map(|is| (brightest / is.max(1.0)).powf(GIVEN).clamp(1.0, MOST)).collect();
    by_cells(picture, size, &gains, |pixel, gain| pixel.map(|is| (f32::from(is) * gain) as u8))
        .map(Some)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::{
        super::{Corners, read},
        *,
    };

    /// Tiles of print on bodies of a brightness of 200 along a dark table, `lit(x)` of the light on them; and where they lie.
    fn row(lit: impl Fn(u32) -> f32) -> (Picture, Vec<Corners>) {
        let faces = (0..8).map(|k| {
            let x = 20.0 + 35.0 * k as f32;
            [[x, 100.0], [x + 30.0, 100.0], [x + 30.0, 140.0], [x, 140.0]]
        });
        let rgb = RgbImage::from_fn(320, 240, |x, y| {
            let (across, is_row) = ((x + 15) % 35, (100..140).contains(&y));
            let is_print = (10..16).contains(&across) && (110..130).contains(&y);
            let is = if is_row && is_print { 40.0 } else { 200.0 };
            let is = if is_row && across < 30 { is } else { 60.0 };
            Rgb([(is * lit(x)) as u8; 3])
        });
        (Picture::from_rgb(rgb).expect("a picture"), faces.collect())
    }

    #[test]
    fn tiles_in_a_shadow_get_as_bright_as_those_in_the_light_and_their_print_stays_dark() {
        let (picture, faces) = row(|x| if x < 160 { 1.0 } else { 0.3 });
        let even = evened(&read(&picture, faces.clone())).expect("a picture").expect("a shadow");
        let evenly = read(&even, faces);
        let levels = |share| {
            let told = evenly.of_each(|crop| level(crop, share)).expect("levels");
            (told.iter().copied().min().expect("faces"), told.iter().copied().max().expect("faces"))
        };
        let (darkest, brightest) = levels(BODY);
        assert!(f32::from(brightest) < 1.3 * f32::from(darkest), "{darkest} {brightest}");
        assert!(levels(0.05).1 < 80, "print");
    }

    #[test]
    fn a_lamp_to_one_side_dim_light_and_a_single_face_are_no_shadow() {
        let ways: [fn(u32) -> f32; 3] = [|_| 1.0, |_| 0.2, |x| 1.0 - 0.4 * x as f32 / 320.0];
        for lit in ways {
            let (picture, faces) = row(lit);
            assert!(evened(&read(&picture, faces)).expect("a picture").is_none());
        }
        let (picture, faces) = row(|x| if x < 160 { 1.0 } else { 0.3 });
        let one = read(&picture, faces[..1].to_vec());
        assert!(evened(&one).expect("a picture").is_none());
        let nothing = read(&picture, Vec::new());
        assert!(evened(&nothing).expect("a picture").is_none(), "nothing was read");
    }
}

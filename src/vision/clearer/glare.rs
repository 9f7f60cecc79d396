//! The reflection of a lamp on tiles: print in it is faint, and what is around it white. Where a face shows surely all the same, there is nothing
//! to win, and a white body may be as white.

use super::{
    super::{
        picture::SHORTEST_SIDE,
        pixels::white_and_dark,
        quad::{around, grown, holds_point},
    },
    Corners, ModelError, Picture, brightness, by_cells, cells, picture_of, typical_short,
};

/// What is white and what is dark is told in cells, so many to the short side of a tile,
const CELLS: f32 = 16.0;
/// but no more to the long side of a picture.
const MOST_CELLS: f32 = 1600.0;
/// Print is looked for so far around a place, in short sides of a tile.
const AROUND: f32 = 0.8;
/// Brighter than this is white.
const WHITE: u8 = 249;
/// Where less than this share of what is around is white, nothing is changed; from the second on all is given.
const DULLED: [f32; 2] = [0.1, 0.4];
/// Tiles lie in a reflection where more than this share of what is around is white.
const REFLECTED: f32 = 0.2;
/// Only what is around faces counts, with so many short sides of a tile of room.
const ROOM: f32 = 2.0;
/// and of that only what is not on one of them, made so many times as large.
const SHOWN: f32 = 1.5;
/// Where what is around faces is less than this share of the picture, nothing else of it is read again.
const PART: f32 = 0.5;
/// A place is hardly white where fewer pixels than it needs are as bright as this.
const NEARLY_WHITE: u8 = 240;
/// What is darkest around is to be as dark as this share of white,
const DARK: f32 = 0.3;
/// by a power of at most this.
const MOST: f32 = 6.0;
/// Powers are told apart by steps of one in so many.
const STEPS: f32 = 8.0;

/// The picture, or the part of it where the faces lie, with less light where it is reflected, and where in the picture its top
/// left lies; `None` where no light is reflected among the faces.
///
/// # Errors
/// OpenCV fails.
pub(in super::super) fn dulled(
    picture: &Picture,
    faces: &[Corners],
) -> Result<Option<(Picture, [f32; 2])>, ModelError> {
    let (Some(short), Some([left, top, right, bottom])) = (typical_short(faces), around(faces))
    else {
        return Ok(None);
    };
    let room = ROOM * short;
    let among = [left - room, top - room, right + room, bottom + room];
    let shown: Vec<Corners> = faces.iter().map(|face| grown(face, SHOWN)).collect();
    let is_open = |at: [f32; 2]| {
        (0..2).all(|axis| (among[axis]..among[axis + 2]).contains(&at[axis]))
            && !shown.iter().any(|face| holds_point(face, at))
    };
    let (_, cell, window) = grid(picture, short);
    // Of most pictures a few pixels tell that nothing in them can be white enough.
    if (white_pixels(picture, among, cell, is_open) as f32) < REFLECTED * (window * window) as f32 {
        return Ok(None);
    }
    let (part, corner) = part(picture, among)?;
    let picture = part.as_ref().unwrap_or(picture);
    let (size, cell, window) = grid(picture, short);
    let (white, dark) = white_and_dark(picture, size, window, WHITE)?;
    let place = |at: usize| {
        [corner[0] + (at % size[0]) as f32 * cell, corner[1] + (at / size[0]) as f32 * cell]
    };
    if !white.iter().enumerate().any(|(at, white)| *white > REFLECTED && is_open(place(at))) {
        return Ok(None);
    }
    let powers: Vec<f32> = (white.iter().zip(&dark))
        .map(|(white, dark)| {
            let power = (DARK.ln() / (dark.clamp(1.0, 253.0) / 255.0).ln()).clamp(1.0, MOST);
            1.0 + (power - 1.0) * ((white - DULLED[0]) / (DULLED[1] - DULLED[0])).clamp(0.0, 1.0)
        })
        .collect();
    let levels: Vec<[u8; 256]> = (0..=((MOST - 1.0) * STEPS) as usize)
        .map(|step| {
            let power = 1.0 + step as f32 / STEPS;
            std::array::from_fn(|is| (255.0 * (is as f32 / 255.0).powf(power)).round() as u8)
        })
        .collect();
    by_cells(picture, size, &powers, |pixel, power| {
        let levels = &levels[(((power - 1.0) * STEPS).round() as usize).min(levels.len() - 1)];
        pixel.map(|is| levels[usize::from(is)])
    })
    .map(|dull| Some((dull, corner)))
}

/// Cells across and down, the side of one in pixels, and how many of them are around a place.
fn grid(picture: &Picture, short: f32) -> ([usize; 2], f32, i32) {
    let size = cells(picture, short / CELLS, MOST_CELLS);
    let cell = picture.width() as f32 / size[0] as f32;
    (size, cell, ((AROUND * short / cell) as i32).max(3) | 1)
}

/// What of a picture lies in a box, where that is a small part of it, and where its top left is.
fn part(
    picture: &Picture,
    [left, top, right, bottom]: [f32; 4],
) -> Result<(Option<Picture>, [f32; 2]), ModelError> {
    let [x, y] = [left, top].map(|low| low.max(0.0) as u32);
    let width = (right.max(0.0) as u32).min(picture.width()).saturating_sub(x);
    let height = (bottom.max(0.0) as u32).min(picture.height()).saturating_sub(y);
    let [area, all] = [[width, height], [picture.width(), picture.height()]]
        .map(|[across, down]| across as f32 * down as f32);
    if width.min(height) < SHORTEST_SIDE || area > PART * all {
        return Ok((None, [0.0; 2]));
    }
    let rgb = image::imageops::crop_imm(picture.rgb(), x, y, width, height).to_image();
    Ok((Some(picture_of(rgb)?), [x as f32, y as f32]))
}

/// How many pixels in a box are nearly white, of one in every `step` across and down.
fn white_pixels(
    picture: &Picture,
    [left, top, right, bottom]: [f32; 4],
    step: f32,
    is_open: impl Fn([f32; 2]) -> bool,
) -> usize {
    let step = step.max(1.0) as usize;
    let within = |low: f32, high: f32, side: u32| {
        (low.max(0.0) as u32..(high.max(0.0) as u32).min(side)).step_by(step)
    };
    let rows = within(top, bottom, picture.height());
    let white = |x: u32, y: u32| {
        brightness(picture.rgb().get_pixel(x, y).0) >= NEARLY_WHITE && is_open([x as f32, y as f32])
    };
    rows.map(|y| within(left, right, picture.width()).filter(|x| white(*x, y)).count()).sum()
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    /// Where the third tile of a row lies.
    const THIRD: [f32; 2] = [188.0, 240.0];

    /// Tiles along a green table, each with a bar of print, and the reflection of a lamp there; and where the tiles lie.
    fn row(lamp: [f32; 2]) -> (Picture, Vec<Corners>) {
        let rgb = RgbImage::from_fn(640, 480, |x, y| {
            let (across, is_row) = (x.wrapping_sub(40) % 60, (200..280).contains(&y));
            let is_tile = is_row && (40..520).contains(&x) && across < 56;
            let is_print = is_tile && (24..32).contains(&across) && (215..265).contains(&y);
            let [dx, dy] = [x as f32 - lamp[0], y as f32 - lamp[1]];
            let reflected = 180.0 * (-(dx * dx + dy * dy) / 3000.0).exp();
            let is: [f32; 3] = match (is_print, is_tile) {
                (true, _) => [40.0, 40.0, 90.0],
                (_, true) => [215.0; 3],
                _ => [30.0, 90.0, 50.0],
            };
            Rgb(is.map(|is| (is + reflected) as u8))
        });
        let faces = (0..8).map(|k| 40.0 + 60.0 * k as f32);
        let faces = faces.map(|x| [[x, 200.0], [x + 56.0, 200.0], [x + 56.0, 280.0], [x, 280.0]]);
        (Picture::from_rgb(rgb).expect("a picture"), faces.collect())
    }

    #[test]
    fn print_in_a_reflection_gets_dark_and_bodies_stay_white() {
        let (picture, mut faces) = row(THIRD);
        faces.remove(2);
        let (dull, corner) = dulled(&picture, &faces).expect("a picture").expect("a reflection");
        assert_eq!(corner, [0.0; 2], "the tiles take more than half of the picture");
        let red = |picture: &Picture, x, y| picture.rgb().get_pixel(x, y).0[0];
        let [print, body] = [188, 176].map(|x| [&picture, &dull].map(|of| red(of, x, 240)));
        assert!(body[0] - print[0] < 40, "{body:?} {print:?}");
        assert!(body[1] > 250 && body[1] - print[1] > 100, "{body:?} {print:?}");
        assert_eq!(red(&dull, 488, 240), red(&picture, 488, 240), "no lamp there");
    }

    #[test]
    fn of_a_large_picture_what_lies_around_the_tiles_is_enough() {
        let (small, mut faces) = row(THIRD);
        faces.remove(2);
        let mut large = RgbImage::from_pixel(1920, 1440, Rgb([30, 90, 50]));
        image::imageops::replace(&mut large, small.rgb(), 700, 500);
        let large = Picture::from_rgb(large).expect("a picture");
        let faces: Vec<Corners> =
            (faces.iter()).map(|face| face.map(|[x, y]| [x + 700.0, y + 500.0])).collect();
        let (dull, [x, y]) = dulled(&large, &faces).expect("a picture").expect("a reflection");
        assert_eq!([x, y], [628.0, 588.0]);
        assert!(dull.width() < 800 && dull.height() < 400);
        let print =
            |of: &Picture, at: [f32; 2]| of.rgb().get_pixel(at[0] as u32, at[1] as u32).0[0];
        let [before, after] = [print(&large, [888.0, 740.0]), print(&dull, [888.0 - x, 740.0 - y])];
        assert!(before > after + 60, "{before} {after}");
    }

    #[test]
    fn what_is_white_where_all_faces_show_is_left() {
        let (picture, faces) = row(THIRD);
        assert!(dulled(&picture, &faces).expect("a picture").is_none());
    }

    #[test]
    fn a_lamp_far_from_all_tiles_and_tiles_in_even_light_are_left() {
        for lamp in [[600.0, 40.0], [9000.0, 9000.0]] {
            let (picture, faces) = row(lamp);
            assert!(dulled(&picture, &faces).expect("a picture").is_none());
        }
        let (picture, _) = row(THIRD);
        assert!(dulled(&picture, &[]).expect("a picture").is_none(), "nothing was read");
    }
}

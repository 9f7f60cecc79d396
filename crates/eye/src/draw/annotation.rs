//! Draws a reading onto its photo.

use std::fmt::Write as _;

use image::{RgbImage, imageops};

use super::{DrawError, document, labels::Labels, overlay, text};
use crate::{
    layout::{PictureLayout, Role, ShownTile},
    sight::{
        Corners,
        quad::{bounding_box, sides},
        rank::quantile,
    },
    tile::SeenFace,
};

/// Least width at which the hand's tiles are drawn, in pixels, if [`LARGEST`] allows it.
const LEGIBLE: f32 = 40.0;
/// Largest side of an enlarged photo, in pixels.
const LARGEST: f32 = 2400.0;
/// Width of a letter of the font Hack, as a share of its size.
const LETTER: f32 = 0.602;

/// The photo with each tile outlined in its role's colour and named; below it, in a band of their own, the hand's
/// picture and the lines of `caption`. Photos with small tiles are enlarged until their names can be read.
///
/// # Errors
/// The picture does not fit in memory twice.
pub fn annotated(
    photo: &RgbImage,
    shown: &PictureLayout,
    caption: &[String],
) -> Result<RgbImage, DrawError> {
    let scale = scale(photo, shown);
    let [width, height] =
        [photo.width(), photo.height()].map(|side| (side as f32 * scale).round() as u32);
    let letter = (width as f32 / 46.0).clamp(9.0, 64.0);
    let fits = ((width as f32 - letter) / (1.01 * LETTER * letter)).max(12.0) as usize;
    let caption: Vec<String> = caption.iter().flat_map(|line| wrapped(line, fits)).collect();
    let band = if caption.is_empty() { 0.0 } else { letter * (1.45 * caption.len() as f32 + 0.9) };
    let whole = height + band.ceil() as u32;
    let mut picture = RgbImage::new(width, whole);
    if scale > 1.0 {
        let large = imageops::resize(photo, width, height, imageops::FilterType::CatmullRom);
        imageops::replace(&mut picture, &large, 0, 0);
    } else {
        imageops::replace(&mut picture, photo, 0, 0);
    }
    let mut tiles = shown.tiles.clone();
    for tile in &mut tiles {
        tile.corners = tile.corners.map(|corner| corner.map(|x| x * scale));
    }
    let mut body = String::new();
    for tile in &tiles {
        outline(&mut body, tile);
    }
    // Backs outside of the hand have nothing to hide.
    let quads: Vec<Corners> = (tiles.iter())
        .filter(|tile| tile.role != Role::Other || tile.face != SeenFace::Back)
        .map(|tile| tile.corners)
        .collect();
    let mut labels = Labels::new(&quads, [width as f32, height as f32]);
    let unsure: Vec<usize> =
        shown.hand.iter().flat_map(|hand| &hand.doubts).filter_map(|doubt| doubt.tile).collect();
    // The hand's names are placed first.
    let mut order: Vec<usize> = (0..tiles.len()).collect();
    order.sort_by_key(|&number| tiles[number].role == Role::Other);
    for number in order {
        name(&mut body, &mut labels, number, &tiles[number], unsure.contains(&number));
    }
    if !caption.is_empty() {
        // Painted over any part of tiles that the picture's edge cuts.
        let _ = write!(
            body,
            r##"<rect x="0" y="{height}" width="{width}" height="{}" fill="#181b20"/>"##,
            whole - height
        );
    }
    for (row, line) in caption.iter().enumerate() {
        let colour = if row == 0 { "#ffffff" } else { "#c9d1d9" };
        let y = height as f32 + letter * (1.45 * row as f32 + 1.35);
        text(&mut body, letter / 2.0, y, letter, colour, "start", line);
    }
    overlay(&mut picture, &document(width, whole, &body))?;
    Ok(picture)
}

/// The factor by which a photo is enlarged, so that the names of the hand's tiles can be read.
fn scale(photo: &RgbImage, shown: &PictureLayout) -> f32 {
    let hand = shown.tiles.iter().any(|tile| tile.role != Role::Other);
    let own = |tile: &&ShownTile| !hand || tile.role != Role::Other;
    let widths = shown.tiles.iter().filter(own).map(|tile| sides(&tile.corners)[0]);
    let Some(usual) = quantile(widths, 0.5) else { return 1.0 };
    let most = LARGEST / photo.width().max(photo.height()).max(1) as f32;
    (LEGIBLE / usual.max(1.0)).min(most).max(1.0)
}

/// A line in pieces of at most `fits` letters, broken at spaces; a longer word gets a line of its own.
fn wrapped(line: &str, fits: usize) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in line.split(' ') {
        match pieces.last_mut() {
            Some(piece) if piece.chars().count() + 1 + word.chars().count() <= fits => {
                piece.push(' ');
                piece.push_str(word);
            }
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// The colour of a tile's role, colour-blind safe (Okabe and Ito, 2008).
fn colour(tile: &ShownTile) -> &'static str {
    match tile.role {
        _ if tile.face == SeenFace::Unknown => "#d55e00",
        Role::Concealed => "#56b4e9",
        Role::Meld => "#009e73",
        Role::Winning => "#e69f00",
        Role::Bonus => "#cc79a7",
        Role::Other => "#9aa0a6",
    }
}

fn outline(body: &mut String, tile: &ShownTile) {
    let colour = colour(tile);
    let points: Vec<String> = tile.corners.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    let short = sides(&tile.corners)[0];
    let stroke = (short / if tile.role == Role::Other { 32.0 } else { 16.0 }).clamp(1.0, 8.0);
    // Writing to a string cannot fail.
    let _ = write!(
        body,
        r##"<polygon points="{}" fill="none" stroke="{colour}" stroke-width="{stroke:.1}" stroke-linejoin="round"/>"##,
        points.join(" ")
    );
    if tile.face == SeenFace::Back {
        return;
    }
    // The bar along the face's own top shows how it is turned.
    let [[ax, ay], [bx, by], ..] = tile.corners;
    let _ = write!(
        body,
        r##"<line x1="{ax:.1}" y1="{ay:.1}" x2="{bx:.1}" y2="{by:.1}" stroke="{colour}" stroke-width="{:.1}" stroke-linecap="round"/>"##,
        2.4 * stroke
    );
}

/// Writes a tile's face, with `?` if it is in doubt, and, for tiles of the hand, the small number for corrections
/// (`--fix 3=5p`), on a ground of its role's colour, in free space beside the tile.
fn name(body: &mut String, labels: &mut Labels, number: usize, tile: &ShownTile, unsure: bool) {
    if tile.role == Role::Other && tile.face == SeenFace::Back {
        return;
    }
    let colour = colour(tile);
    let short = sides(&tile.corners)[0];
    let size = (0.36 * short).clamp(7.0, 80.0);
    let mark = if unsure && tile.face != SeenFace::Unknown { "?" } else { "" };
    let face = format!("{}{mark}", tile.face);
    let number = if tile.role == Role::Other { String::new() } else { number.to_string() };
    let small = 0.62 * size;
    let wide = |text: &str, size: f32| LETTER * size * text.chars().count() as f32;
    let gap = if number.is_empty() { 0.0 } else { 0.12 * size };
    let width = wide(&face, size) + gap + wide(&number, small) + 0.24 * size;
    let [x, y] = labels.place(bounding_box(&tile.corners), [width, 1.12 * size]);
    let _ = write!(
        body,
        r##"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{:.1}" rx="{:.1}" fill="{colour}"/>"##,
        1.12 * size,
        0.2 * size,
    );
    let left = x + 0.12 * size;
    text(body, left, y + 0.87 * size, size, "#101214", "start", &face);
    let left = left + wide(&face, size) + gap;
    text(body, left, y + 0.87 * size, small, "#101214", "start", &number);
}

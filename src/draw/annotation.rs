//! A photo with what was read drawn onto it.

use std::fmt::Write as _;

use image::RgbImage;

use super::{DrawError, document, escaped, overlay, text};
use crate::{
    layout::{Role, Shown, ShownTile},
    tile::SeenFace,
    vision::quad::{bounding_box, sides},
};

/// The photo with each tile outlined in its role's colour and named; the lines of `caption` below
/// the hand's picture, in a band of their own so that they hide nothing.
///
/// # Errors
/// The picture does not fit in memory twice.
pub fn annotated(
    photo: &RgbImage,
    shown: &Shown,
    caption: &[String],
) -> Result<RgbImage, DrawError> {
    let (width, height) = photo.dimensions();
    let letter = (width as f32 / 46.0).clamp(9.0, 64.0);
    // Hack is 0.602 of its size wide.
    let fits = ((width as f32 - letter) / (0.61 * letter)).max(12.0) as usize;
    let caption: Vec<String> = caption.iter().flat_map(|line| wrapped(line, fits)).collect();
    let band = if caption.is_empty() { 0.0 } else { letter * (1.45 * caption.len() as f32 + 0.9) };
    let whole = height + band.ceil() as u32;
    let mut picture = RgbImage::from_pixel(width, whole, image::Rgb([24, 27, 32]));
    image::imageops::replace(&mut picture, photo, 0, 0);
    let mut body = String::new();
    for tile in &shown.tiles {
        outline(&mut body, tile);
    }
    for (number, tile) in shown.tiles.iter().enumerate() {
        name_above(&mut body, tile);
        if tile.role != Role::Other {
            number_below(&mut body, number, tile);
        }
    }
    for (row, line) in caption.iter().enumerate() {
        let colour = if row == 0 { "#ffffff" } else { "#c9d1d9" };
        let y = height as f32 + letter * (1.45 * row as f32 + 1.35);
        text(&mut body, letter / 2.0, y, letter, colour, "start", line);
    }
    overlay(&mut picture, &document(width, whole, &body))?;
    Ok(picture)
}

/// A line in pieces of at most `fits` letters, broken at spaces; a longer word stands alone.
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

/// Colour-blind safe (Okabe and Ito, 2008).
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

/// The number by which a tile of the hand is corrected (`--fix 3=5p`).
fn number_below(body: &mut String, number: usize, tile: &ShownTile) {
    let size = (0.26 * sides(&tile.corners)[0]).clamp(6.0, 48.0);
    let [left, _, right, bottom] = bounding_box(&tile.corners);
    let (x, y) = ((left + right) / 2.0, bottom - 0.2 * size);
    // A dark rim keeps it readable on any ground.
    let _ = write!(
        body,
        r##"<text x="{x:.1}" y="{y:.1}" font-size="{size:.1}" text-anchor="middle" stroke="#101214" stroke-width="{:.1}" stroke-linejoin="round">{number}</text>"##,
        0.24 * size
    );
    text(body, x, y, size, "#ffffff", "middle", &number.to_string());
}

fn outline(body: &mut String, tile: &ShownTile) {
    let colour = colour(tile);
    let points: Vec<String> = tile.corners.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
    let short = sides(&tile.corners)[0];
    let stroke = (short / 16.0).clamp(1.0, 8.0);
    // Writing to a string cannot fail.
    let _ = write!(
        body,
        r##"<polygon points="{}" fill="none" stroke="{colour}" stroke-width="{stroke:.1}" stroke-linejoin="round"/>"##,
        points.join(" ")
    );
    // The bar along the face's own top shows how it is turned.
    let [[ax, ay], [bx, by], ..] = tile.corners;
    let _ = write!(
        body,
        r##"<line x1="{ax:.1}" y1="{ay:.1}" x2="{bx:.1}" y2="{by:.1}" stroke="{colour}" stroke-width="{:.1}" stroke-linecap="round"/>"##,
        2.4 * stroke
    );
}

fn name_above(body: &mut String, tile: &ShownTile) {
    if tile.role == Role::Other && tile.face == SeenFace::Back {
        return;
    }
    let colour = colour(tile);
    let short = sides(&tile.corners)[0];
    let name = tile.face.to_string();
    let size = (0.36 * short).clamp(7.0, 80.0);
    let [left, top, right, _] = bounding_box(&tile.corners);
    let (x, width) = ((left + right) / 2.0, 0.68 * size * name.len() as f32);
    let y = (top - 0.15 * size).max(size);
    let _ = write!(
        body,
        r##"<rect x="{:.1}" y="{:.1}" width="{width:.1}" height="{:.1}" rx="{:.1}" fill="{colour}"/><text x="{x:.1}" y="{:.1}" font-size="{size:.1}" fill="#101214" text-anchor="middle">{}</text>"##,
        x - width / 2.0,
        y - 0.92 * size,
        1.12 * size,
        0.2 * size,
        y - 0.05 * size,
        escaped(&name)
    );
}

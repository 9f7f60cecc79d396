//! Draws the worst errors side by side.

use image::{Rgb, RgbImage, imageops};

use super::{DrawError, document, overlay, text};

/// One error: its picture, and two lines that describe it.
#[derive(Clone, Debug)]
pub struct Miss {
    /// The tile with its surroundings.
    pub view: RgbImage,
    /// The error, such as `5p read as 6p 0.93`.
    pub what: String,
    /// The photo.
    pub place: String,
}

/// Errors in rows of ten.
///
/// # Errors
/// The picture does not fit in memory.
pub fn contact_sheet(misses: &[Miss]) -> Result<RgbImage, DrawError> {
    const VIEW: u32 = 120;
    const CELL: [u32; 2] = [132, 160];
    const COLUMNS: u32 = 10;
    let rows = (misses.len() as u32).div_ceil(COLUMNS).max(1);
    let (width, height) = (COLUMNS * CELL[0], rows * CELL[1]);
    let mut sheet = RgbImage::from_pixel(width, height, Rgb([250; 3]));
    let mut body = String::new();
    for (k, miss) in misses.iter().enumerate() {
        let (x, y) = (k as u32 % COLUMNS * CELL[0] + 6, k as u32 / COLUMNS * CELL[1] + 6);
        let view = imageops::resize(&miss.view, VIEW, VIEW, imageops::FilterType::Triangle);
        imageops::replace(&mut sheet, &view, i64::from(x), i64::from(y));
        let (x, y) = (x as f32, (y + VIEW) as f32);
        text(&mut body, x, y + 14.0, 11.0, "#b00000", "start", &miss.what);
        let place: String = miss.place.chars().rev().take(22).collect();
        let place: String = place.chars().rev().collect();
        text(&mut body, x, y + 26.0, 8.5, "#555555", "start", &place);
    }
    overlay(&mut sheet, &document(width, height, &body))?;
    Ok(sheet)
}

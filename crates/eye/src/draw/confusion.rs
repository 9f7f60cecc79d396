//! Draws which faces were read as which.

use std::fmt::Write as _;

use image::RgbImage;

use super::{DrawError, drawing, text};

/// A matrix of counts: `counts[truth][read]`, both in the order of `names`. Right ones are grey, wrong ones red,
/// larger counts darker.
///
/// # Errors
/// The picture does not fit in memory.
pub fn confusion_matrix(names: &[String], counts: &[Vec<u32>]) -> Result<RgbImage, DrawError> {
    const CELL: f32 = 22.0;
    const EDGE: f32 = 60.0;
    let side = EDGE + CELL * names.len() as f32 + 12.0;
    let mut body = String::new();
    text(
        &mut body,
        EDGE,
        14.0,
        11.0,
        "#333333",
        "start",
        "across: read as; down: is; x: back, ?: no name, none: no tile",
    );
    for (k, name) in names.iter().enumerate() {
        let at = EDGE + CELL * (k as f32 + 0.5);
        text(&mut body, EDGE - 6.0, at + 4.0, 10.0, "#333333", "end", name);
        text(&mut body, at, EDGE - 8.0, 10.0, "#333333", "middle", name);
    }
    for (truth, row) in counts.iter().enumerate() {
        let sum: u32 = row.iter().sum();
        for (read, count) in row.iter().enumerate() {
            let (x, y) = (EDGE + CELL * read as f32, EDGE + CELL * truth as f32);
            let share = if sum == 0 { 0.0 } else { *count as f32 / sum as f32 };
            let (fill, strength) = match (*count, truth == read) {
                (0, _) => ("#f4f4f4", 1.0),
                (_, true) => ("#6e7781", 0.25 + 0.55 * share),
                (_, false) => ("#d1242f", 0.35 + 0.65 * share),
            };
            // Writing to a string cannot fail.
            let _ = write!(
                body,
                r##"<rect x="{x:.0}" y="{y:.0}" width="21" height="21" fill="{fill}" fill-opacity="{strength:.2}"/>"##
            );
            if *count > 0 {
                let (x, y) = (x + CELL / 2.0, y + 14.0);
                text(&mut body, x, y, 8.5, "#000000", "middle", &count.to_string());
            }
        }
    }
    drawing(side.ceil() as u32, side.ceil() as u32, &body)
}

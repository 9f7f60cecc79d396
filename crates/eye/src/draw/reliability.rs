//! Draws how often a confidence was right.

use std::fmt::Write as _;

use image::RgbImage;

use super::{DrawError, drawing, text};

/// One bar a bin: its mean confidence, its share of right ones, its count.
///
/// # Errors
/// The picture does not fit in memory.
pub fn reliability_diagram(bins: &[(f64, f64, usize)]) -> Result<RgbImage, DrawError> {
    const SIDE: f64 = 400.0;
    const EDGE: f64 = 50.0;
    let mut body = String::new();
    let down = |share: f64| EDGE + SIDE * (1.0 - share);
    let width = SIDE / bins.len().max(1) as f64;
    for (k, (confidence, right, count)) in bins.iter().enumerate() {
        if *count == 0 {
            continue;
        }
        let x = EDGE + width * k as f64;
        // Writing to a string cannot fail.
        let _ = write!(
            body,
            r##"<rect x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill="#56b4e9"/><circle cx="{:.1}" cy="{:.1}" r="4" fill="#d55e00"/>"##,
            x + 1.0,
            down(*right),
            width - 2.0,
            SIDE * right,
            x + width / 2.0,
            down(*confidence),
        );
        let at = (x + width / 2.0) as f32;
        text(&mut body, at, down(*right) as f32 - 4.0, 10.0, "#333", "middle", &count.to_string());
    }
    let _ = write!(
        body,
        r##"<line x1="{EDGE}" y1="{}" x2="{}" y2="{EDGE}" stroke="#888" stroke-dasharray="4 4"/><rect x="{EDGE}" y="{EDGE}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#333"/>"##,
        EDGE + SIDE,
        EDGE + SIDE,
    );
    let low = (EDGE + SIDE) as f32;
    text(&mut body, 250.0, low + 30.0, 12.0, "#333", "middle", "confidence (dots: its mean)");
    text(&mut body, 50.0, 36.0, 12.0, "#333", "start", "share of right ones, and how many");
    for tenth in [0, 5, 10] {
        let at = EDGE as f32 + SIDE as f32 * tenth as f32 / 10.0;
        let name = format!("{}.{}", tenth / 10, tenth % 10);
        text(&mut body, at, low + 14.0, 10.0, "#333", "middle", &name);
        text(&mut body, 44.0, low + EDGE as f32 - at + 4.0, 10.0, "#333", "end", &name);
    }
    let whole = (SIDE + 2.0 * EDGE) as u32;
    drawing(whole, whole, &body)
}

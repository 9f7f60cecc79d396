//! Drawings for people: SVG text over pixels, and pictures made with it.

mod annotation;
mod confusion;
mod contact_sheet;
mod labels;
mod reliability;

use std::{
    fmt::Write as _,
    sync::{Arc, OnceLock},
};

pub use annotation::annotated;
pub use confusion::confusion_matrix;
pub use contact_sheet::{Miss, contact_sheet};
use image::{Rgb, RgbImage};
pub use reliability::reliability_diagram;
use resvg::{
    tiny_skia::{Pixmap, Transform},
    usvg::{Options, Tree, fontdb},
};

/// A drawing that cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw: {0}")]
pub struct DrawError(String);

/// Draws an SVG of the picture's size onto it.
fn overlay(picture: &mut RgbImage, svg: &str) -> Result<(), DrawError> {
    let tree = Tree::from_str(svg, options()).map_err(|error| DrawError(error.to_string()))?;
    let (width, height) = picture.dimensions();
    let mut drawn = Pixmap::new(width, height)
        .ok_or_else(|| DrawError(format!("{width} x {height} pixels do not fit in memory")))?;
    resvg::render(&tree, Transform::identity(), &mut drawn.as_mut());
    for (under, over) in picture.pixels_mut().zip(drawn.pixels()) {
        let rest = 255 - u32::from(over.alpha());
        // The drawing's colours are already multiplied by its alpha.
        let mix = |under: u8, over: u8| (u32::from(over) + u32::from(under) * rest / 255) as u8;
        let Rgb([r, g, b]) = *under;
        *under = Rgb([mix(r, over.red()), mix(g, over.green()), mix(b, over.blue())]);
    }
    Ok(())
}

/// A drawing on plain ground.
fn drawing(width: u32, height: u32, body: &str) -> Result<RgbImage, DrawError> {
    let mut picture = RgbImage::from_pixel(width, height, Rgb([255; 3]));
    overlay(&mut picture, &document(width, height, body))?;
    Ok(picture)
}

fn document(width: u32, height: u32, body: &str) -> String {
    format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="Hack">{body}</svg>"#
    )
}

/// Text with SVG's markup characters replaced.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Control characters are invalid in XML.
            letter if letter < ' ' => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}

/// One line of text into an SVG's body.
fn text(into: &mut String, x: f32, y: f32, size: f32, colour: &str, anchor: &str, line: &str) {
    // Writing to a string cannot fail.
    let _ = write!(
        into,
        r#"<text x="{x:.1}" y="{y:.1}" font-size="{size:.1}" fill="{colour}" text-anchor="{anchor}">{}</text>"#,
        escaped(line)
    );
}

fn options() -> &'static Options<'static> {
    static OPTIONS: OnceLock<Options<'static>> = OnceLock::new();
    OPTIONS.get_or_init(|| {
        let mut fonts = fontdb::Database::new();
        fonts.load_font_data(epaint_default_fonts::HACK_REGULAR.to_vec());
        Options { fontdb: Arc::new(fonts), font_family: "Hack".to_owned(), ..Options::default() }
    })
}

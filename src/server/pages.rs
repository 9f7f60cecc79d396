//! The pages and drawings inside the program.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "src/server/pages"]
struct Pages;

/// Our own drawings of the 42 faces.
#[derive(RustEmbed)]
#[folder = "datasets/artwork"]
#[include = "*.svg"]
struct Faces;

/// Pages ask nobody else for anything.
const OWN_ONLY: &str = "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; \
                        style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

fn embedded(name: &str, file: Option<rust_embed::EmbeddedFile>) -> Response {
    let Some(file) = file else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [
        (header::CONTENT_TYPE, kind(name)),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, OWN_ONLY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, file.data).into_response()
}

/// One of the pages.
pub(super) fn page(name: &'static str) -> Response {
    embedded(name, Pages::get(name))
}

/// A script or style sheet. Pages have addresses of their own, which not everybody may open.
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    let file = if name.ends_with(".html") { None } else { Pages::get(&name) };
    embedded(&name, file)
}

/// The drawing of a face, by its code: `5p.svg`.
pub(super) async fn face(Path(name): Path<String>) -> Response {
    embedded(&name, Faces::get(&name))
}

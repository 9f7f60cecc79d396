//! The pages and drawings inside the program.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use rust_embed::RustEmbed;

use super::page_query::PageQuery;
use crate::words::Language;

#[derive(RustEmbed)]
#[folder = "src/server/pages"]
#[exclude = "*.d.ts"]
struct Pages;

/// Our own drawings of the 42 faces.
#[derive(RustEmbed)]
#[folder = "datasets/artwork"]
#[include = "*.svg"]
struct Faces;

/// Pages load nothing from other hosts.
pub(super) const OWN_ONLY: &str = "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws: wss:; \
                        style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("webmanifest") => "application/manifest+json",
        Some("png") => "image/png",
        Some("jpg" | "jpeg") => "image/jpeg",
        Some("webp") => "image/webp",
        Some("gif") => "image/gif",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        _ => "application/octet-stream",
    }
}

fn embedded(name: &str, file: Option<rust_embed::EmbeddedFile>) -> Response {
    let Some(file) = file else { return StatusCode::NOT_FOUND.into_response() };
    file_of_page(name, OWN_ONLY, file.data)
}

/// A file of a page; `policy` is its content security policy.
pub(super) fn file_of_page(name: &str, policy: &'static str, bytes: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind(name)),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, bytes).into_response()
}

/// One of the pages.
pub(super) fn page(name: &'static str) -> Response {
    embedded(name, Pages::get(name))
}

/// A page with the options of its address, which its script and style sheet read from the `html` element. Messages
/// about rejected options are shown at the foot of the page.
pub(super) fn page_asked(name: &'static str, asked: &PageQuery) -> Response {
    let Some(file) = Pages::get(name) else { return StatusCode::NOT_FOUND.into_response() };
    let mut text = String::from_utf8_lossy(&file.data).into_owned();
    let data: String = asked
        .data
        .iter()
        .map(|(name, value)| format!(" data-{name}=\"{}\"", escaped(value)))
        .collect();
    text = text.replacen("<html lang=\"en\">", &format!("<html lang=\"en\"{data}>"), 1);
    if !asked.wrong.is_empty() {
        let wrong = format!("<p id=\"wrong\">{}</p>", escaped(&asked.wrong.join(" ")));
        text = text.replacen("</body>", &format!("{wrong}</body>"), 1);
    }
    let file = rust_embed::EmbeddedFile { data: text.into_bytes().into(), ..file };
    embedded(name, Some(file))
}

/// The text of a page, a script or a style sheet.
pub(super) fn text_of_page(name: &str) -> Option<String> {
    Pages::get(name).map(|file| String::from_utf8_lossy(&file.data).into_owned())
}

/// The drawing of a face, by its file: `5p.svg`.
pub(super) fn face_drawing(name: &str) -> Option<String> {
    Faces::get(name).map(|file| String::from_utf8_lossy(&file.data).into_owned())
}

/// The page of a table's players: the phone's page with the table. Its address is one level deeper.
pub(super) fn table_page() -> Response {
    let (Some(phone), Some(table)) = (text_of_page("phone.html"), text_of_page("table.html"))
    else {
        return StatusCode::NOT_FOUND.into_response();
    };
    const STEP: &str = "<head>\n    <base href=\"../\">";
    const OWN: &str = "<link rel=\"stylesheet\" href=\"assets/seats.css\">\n    \
                       <script type=\"module\" src=\"assets/seats.js\"></script>\n  </head>";
    let page = phone.replacen("<head>", STEP, 1).replacen("</head>", OWN, 1);
    let page = page.replacen("</header>", &format!("</header>\n{table}"), 1);
    file_of_page("table.html", OWN_ONLY, page)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A script or style sheet. Pages have their own routes, which check access.
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    let language = name.strip_prefix("words.").and_then(|name| name.strip_suffix(".json"));
    if let Some(words) = language.and_then(Language::named).and_then(Language::file) {
        return file_of_page(&name, OWN_ONLY, words);
    }
    let file = if name.ends_with(".html") { None } else { Pages::get(&name) };
    embedded(&name, file)
}

/// The drawing of a face, by its code: `5p.svg`.
pub(super) async fn face(Path(name): Path<String>) -> Response {
    embedded(&name, Faces::get(&name))
}

//! The page that reads by itself, from the folder that `make web` made.

use std::path::{Component, Path, PathBuf};

use axum::{
    http::StatusCode,
    response::{IntoResponse, Response},
};

use super::pages::file_of_page;

/// The content security policy: nothing from other hosts, and its own WebAssembly.
const OWN_ONLY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; \
                        media-src 'self' blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'self'";

/// A file of the folder, or 404.
pub(super) async fn file(folder: Option<&Path>, name: &str) -> Response {
    let none = |why: String| (StatusCode::NOT_FOUND, why).into_response();
    let Some(folder) = folder else {
        let why = "This server was started without the pocket page: `make web`, then --pocket target/pocket.\n";
        return none(why.to_owned());
    };
    let name = if name.is_empty() { "index.html" } else { name };
    let path = PathBuf::from(name);
    if !path.components().all(|part| matches!(part, Component::Normal(_))) {
        return none("There is no such file.\n".to_owned());
    }
    match tokio::fs::read(folder.join(path)).await {
        Ok(bytes) => file_of_page(name, OWN_ONLY, bytes),
        Err(error) => none(format!("{name} cannot be read: {error}.\n")),
    }
}

//! Which files are taken for pictures, by their names.

use std::path::Path;

const EXTENSIONS: [&str; 11] =
    ["jpg", "jpeg", "png", "webp", "tif", "tiff", "bmp", "gif", "heic", "heif", "avif"];

/// Whether a file's name is that of a picture; those that cannot be read say so when they are.
#[must_use]
pub fn is_picture_name(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()))
}

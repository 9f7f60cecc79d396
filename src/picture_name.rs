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

/// The same of a file in a folder: not of hidden ones, such as the `._name.jpg` that macOS puts beside each
/// picture on a stick or share, which holds no picture.
#[must_use]
pub fn is_listed_picture(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !hidden && is_picture_name(path)
}

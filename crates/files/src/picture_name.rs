//! Recognises pictures by their file names.

use std::path::Path;

const EXTENSIONS: [&str; 11] =
    ["jpg", "jpeg", "png", "webp", "tif", "tiff", "bmp", "gif", "heic", "heif", "avif"];

/// Whether a file's name is a picture's; unreadable ones are reported when they are read.
#[must_use]
pub fn is_picture_name(path: &Path) -> bool {
    path.extension()
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| EXTENSIONS.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Whether a file in a folder is a picture by its name. Hidden files are not, such as the `._name.jpg` that macOS
/// writes beside each picture on a stick or share.
#[must_use]
pub fn is_listed_picture(path: &Path) -> bool {
    let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !hidden && is_picture_name(path)
}

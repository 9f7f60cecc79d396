//! JPEG without MozJPEG, by the crate `image`, which reports unsupported kinds.

use image::{ImageFormat, RgbImage, metadata::Orientation};

use super::PictureError;

/// Whether a file begins with JPEG's first bytes.
pub(super) fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xD8])
}

/// Decodes a JPEG, and gives its EXIF orientation.
///
/// # Errors
/// Cut off, damaged, or of an unsupported kind; too large or too small, before any pixel is decoded.
pub(super) fn decoded(bytes: &[u8]) -> Result<(RgbImage, Option<Orientation>), PictureError> {
    let (decoded, orientation) = super::decoded(bytes, ImageFormat::Jpeg)?;
    Ok((decoded.into_rgb8(), orientation))
}

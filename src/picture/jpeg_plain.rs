//! JPEG without MozJPEG, by the crate `image`: of what it does not know it says so.

use image::{ImageFormat, RgbImage, metadata::Orientation};

use super::PictureError;

/// Whether a file begins as JPEG does.
pub(super) fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, 0xD8])
}

/// Decodes a JPEG, and says how its EXIF says it is to be turned.
///
/// # Errors
/// Cut off, damaged, or of a kind that is not read; too large or too small, before any pixel is decoded.
pub(super) fn decoded(bytes: &[u8]) -> Result<(RgbImage, Option<Orientation>), PictureError> {
    let (decoded, orientation) = super::decoded(bytes, ImageFormat::Jpeg)?;
    Ok((decoded.into_rgb8(), orientation))
}

//! HEIC, the format in which phones keep their photos.

use image::{RgbImage, RgbaImage};

use super::{PictureError, check_size};

/// Content of an ISO base media file with pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heif {
    /// Pictures coded as HEVC: read here.
    Heic,
    /// Pictures coded as AV1: not read.
    Avif,
}

impl Heif {
    /// The content by the first bytes of a file, or `None` for other files.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        match (bytes.get(4..8)?, bytes.get(8..12)?) {
            (b"ftyp", b"avif" | b"avis") => Some(Self::Avif),
            (b"ftyp", b"heic" | b"heix" | b"hevc" | b"heim" | b"heis" | b"mif1" | b"msf1") => {
                Some(Self::Heic)
            }
            _ => None,
        }
    }
}

/// Decodes a HEIC file, upright by its own turns (its EXIF repeats them for programs that know no others, and is
/// ignored). Transparency stays.
///
/// # Errors
/// Cut off, damaged, or of a kind that the decoder does not know; too large or too small, before any pixel is decoded.
pub(super) fn decoded(bytes: &[u8]) -> Result<image::DynamicImage, PictureError> {
    let declared = heic_decoder::probe(bytes).map_err(|error| refused(bytes, &error))?;
    let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
    check_size(side(declared.coded_width), side(declared.coded_height))?;
    let decoded = heic_decoder::decode(bytes).map_err(|error| refused(bytes, &error))?;
    let damaged = || PictureError::Damaged("its rows do not fill its size".into());
    if decoded.alpha.is_some() {
        let pixels = decoded.to_rgba8().map_err(|error| refused(bytes, &error))?;
        return RgbaImage::from_raw(side(decoded.width), side(decoded.height), pixels.data)
            .map(Into::into)
            .ok_or_else(damaged);
    }
    let pixels = decoded.to_rgb8().map_err(|error| refused(bytes, &error))?;
    RgbImage::from_raw(side(decoded.width), side(decoded.height), pixels.data)
        .map(Into::into)
        .ok_or_else(damaged)
}

fn refused(bytes: &[u8], error: &heic_decoder::HeifError) -> PictureError {
    if boxes_end_early(bytes) {
        return PictureError::Truncated;
    }
    match error {
        heic_decoder::HeifError::Unsupported(what) => {
            PictureError::unread(format!("a rare kind of HEIC ({what})"))
        }
        other => PictureError::Damaged(other.to_string()),
    }
}

/// Whether the file's last box is longer than the rest of the file (ISO/IEC 14496-12, 4.2).
fn boxes_end_early(bytes: &[u8]) -> bool {
    let mut rest = bytes;
    while !rest.is_empty() {
        let Some((head, _)) = rest.split_first_chunk::<8>() else { return true };
        let [a, b, c, d, ..] = *head;
        let length = match u32::from_be_bytes([a, b, c, d]) {
            0 => return false,
            1 => match rest.get(8..16).and_then(|long| long.try_into().ok()) {
                Some(long) => u64::from_be_bytes(long),
                None => return true,
            },
            short => u64::from(short),
        };
        let Some(next) = usize::try_from(length.max(8)).ok().and_then(|length| rest.get(length..))
        else {
            return true;
        };
        rest = next;
    }
    false
}

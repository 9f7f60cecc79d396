//! Names kinds of files that are not supported: other kinds of picture, cameras' raw pictures, videos, documents.

use infer::MatcherType;

use super::PictureError;

/// Raw pictures of cameras with first bytes of their own; the others are TIFF files.
const RAW: [(&[u8], &str); 7] = [
    (b"FUJIFILMCCD-RAW", "Fujifilm"),
    (b"IIRO", "Olympus"),
    (b"IIRS", "Olympus"),
    (b"MMOR", "Olympus"),
    (b"IIU\0", "Panasonic"),
    (b"\0MRM", "Minolta"),
    (b"FOVb", "Sigma"),
];
const CANON_RAW: &[u8] = b"ftypcrx ";

/// The reason for refusing a file whose first bytes are not a supported format's.
pub(super) fn refused(bytes: &[u8]) -> PictureError {
    let raw = (RAW.iter().find(|(start, _)| bytes.starts_with(start)))
        .map(|(_, maker)| *maker)
        .or_else(|| bytes.get(4..)?.starts_with(CANON_RAW).then_some("Canon"));
    if let Some(maker) = raw {
        return raw_picture(maker);
    }
    let Some(kind) = infer::get(bytes) else { return PictureError::Unknown };
    match (kind.matcher_type(), kind.extension()) {
        (MatcherType::Image, "jxl") => PictureError::unread("a JPEG XL picture"),
        (MatcherType::Image, "jp2") => PictureError::unread("a JPEG 2000 picture"),
        (MatcherType::Video, name) => PictureError::Unread {
            kind: format!("a video ({})", name.to_uppercase()),
            cure: "give a picture, or read the video with tilelens live --source FILE",
        },
        (MatcherType::Image, name) => {
            PictureError::unread(format!("a file of the kind {}", name.to_uppercase()))
        }
        (_, "pdf") => PictureError::unread("a PDF document"),
        (_, name) => PictureError::Unread {
            kind: format!("a file of the kind {}", name.to_uppercase()),
            cure: "give a picture as JPEG, HEIC, PNG, WebP, TIFF, BMP or GIF",
        },
    }
}

/// The raw picture of a maker's camera.
pub(super) fn raw_picture(maker: &str) -> PictureError {
    PictureError::Unread {
        kind: format!("a raw picture of a camera ({maker})"),
        cure: "take the JPEG beside it, or save it as JPEG",
    }
}

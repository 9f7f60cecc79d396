//! Decodes pictures of any usual format, turns them upright by their EXIF, and bounds their size and memory.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageFormat, ImageReader, Limits, RgbImage, metadata::Orientation,
};

mod heif;
#[cfg_attr(not(feature = "mozjpeg"), path = "jpeg_plain.rs")]
mod jpeg;
mod kinds;
mod tiff;

use heif::Heif;

/// Most pixels of a picture; a JPEG of up to four times that number is halved while it is decoded.
pub const MOST_PIXELS: u64 = 100_000_000;
/// Shortest side of a picture that may hold a readable tile.
pub const SHORTEST_SIDE: u32 = 32;
/// Most bytes of a picture file.
pub const MOST_BYTES: u64 = 200 << 20;

/// Why a file is not a readable picture.
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The file is empty.
    #[error("the file is empty: copy it again")]
    Empty,
    /// The first bytes belong to no known format.
    #[error("not a picture of a kind that is read: give JPEG, HEIC, PNG, WebP, TIFF, BMP or GIF")]
    Unknown,
    /// A known format, or a kind of one, is not supported.
    #[error("this is {kind}, which is not read: {cure}")]
    Unread {
        /// Its kind, with an article.
        kind: String,
        /// The cure.
        cure: &'static str,
    },
    /// The data end before the picture does, or some are missing.
    #[error("the picture is cut off: rows of it are missing; copy it again")]
    Truncated,
    /// The data are damaged.
    #[error("the picture is damaged: {0}")]
    Damaged(String),
    /// The picture has too many pixels.
    #[error(
        "{width} x {height} pixels are too many: at most {} megapixels are read, of most JPEGs {}; save it smaller",
        MOST_PIXELS / 1_000_000,
        4 * MOST_PIXELS / 1_000_000
    )]
    TooLarge {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// The picture is too small to show a tile.
    #[error(
        "{width} x {height} pixels are too few to show a tile: at least {SHORTEST_SIDE} on the short side"
    )]
    TooSmall {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
}

impl PictureError {
    /// A picture that has to be saved in another way; `kind` has its article.
    pub(super) fn unread(kind: impl Into<String>) -> Self {
        Self::Unread { kind: kind.into(), cure: "save it as JPEG or PNG" }
    }
}

/// Pixels, RGB, 8 bits, row-major, upright.
#[derive(Clone, Debug)]
pub struct Picture {
    rgb: RgbImage,
}

impl Picture {
    /// Decodes the bytes of a picture file.
    ///
    /// The size is checked before any pixel is decoded, so a small file that unpacks to a huge
    /// picture costs nothing. Transparency is laid on white.
    ///
    /// # Errors
    /// Empty, not a picture, of an unsupported kind, cut off, damaged, too large or too small.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, PictureError> {
        if bytes.is_empty() {
            return Err(PictureError::Empty);
        }
        match Heif::of(bytes) {
            Some(Heif::Heic) => return Ok(Self { rgb: opaque(heif::decoded(bytes)?) }),
            Some(Heif::Avif) => return Err(PictureError::unread("an AVIF picture")),
            None => {}
        }
        let (decoded, orientation) = if jpeg::is_jpeg(bytes) {
            let (rgb, orientation) = jpeg::decoded(bytes)?;
            (rgb.into(), orientation)
        } else if tiff::is_tiff(bytes) {
            decoded(&tiff::first_page(bytes)?, ImageFormat::Tiff)?
        } else {
            let format = image::guess_format(bytes).map_err(|_| kinds::refused(bytes))?;
            decoded(bytes, format)?
        };
        let mut decoded: DynamicImage = decoded;
        if let Some(orientation) = orientation {
            decoded.apply_orientation(orientation);
        }
        Ok(Self { rgb: opaque(decoded) })
    }

    /// Takes pixels that are already decoded.
    ///
    /// # Errors
    /// Too large or too small.
    pub fn from_rgb(rgb: RgbImage) -> Result<Self, PictureError> {
        check_size(rgb.width(), rgb.height())?;
        Ok(Self { rgb })
    }

    /// Pixels across.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.rgb.width()
    }

    /// Pixels down.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.rgb.height()
    }

    /// The pixels.
    #[must_use]
    pub fn rgb(&self) -> &RgbImage {
        &self.rgb
    }
}

pub(super) fn check_size(width: u32, height: u32) -> Result<(), PictureError> {
    if u64::from(width) * u64::from(height) > MOST_PIXELS {
        return Err(PictureError::TooLarge { width, height });
    }
    if width.min(height) < SHORTEST_SIDE {
        return Err(PictureError::TooSmall { width, height });
    }
    Ok(())
}

/// The pixels of a picture in its file's orientation, and that orientation.
fn decoded(
    bytes: &[u8],
    format: ImageFormat,
) -> Result<(DynamicImage, Option<Orientation>), PictureError> {
    let refused = |error| refused(format, error);
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(8 * MOST_PIXELS);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    check_size(width, height)?;
    let orientation = decoder.orientation().ok();
    let decoded = DynamicImage::from_decoder(decoder).map_err(refused)?;
    Ok((decoded, orientation))
}

fn refused(format: ImageFormat, error: image::ImageError) -> PictureError {
    let cut = |error: &(dyn std::error::Error + 'static)| {
        error
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::UnexpectedEof)
    };
    let text = error.to_string();
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(&error);
    while let Some(error) = cause {
        if cut(error) {
            return PictureError::Truncated;
        }
        cause = error.source();
    }
    if matches!(error, image::ImageError::Unsupported(_)) {
        return PictureError::unread(match format {
            // A known format whose decoder is not in the build.
            _ if !format.reading_enabled() => format!("a picture of the format {format:?}"),
            _ => format!("a rare kind of {format:?} ({text})"),
        });
    }
    if text.to_ascii_lowercase().contains("end of file") || text.contains("exhausted") {
        return PictureError::Truncated;
    }
    PictureError::Damaged(text)
}

/// Any kind of pixel as RGB; transparent ones show white paper.
fn opaque(decoded: DynamicImage) -> RgbImage {
    if !decoded.color().has_alpha() {
        return decoded.into_rgb8();
    }
    let rgba = decoded.into_rgba8();
    let mut rgb = RgbImage::new(rgba.width(), rgba.height());
    for (from, to) in rgba.pixels().zip(rgb.pixels_mut()) {
        let [r, g, b, alpha] = from.0.map(u32::from);
        let over = |colour: u32| ((colour * alpha + 255 * (255 - alpha)) / 255) as u8;
        to.0 = [over(r), over(g), over(b)];
    }
    rgb
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb};

    use super::*;

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let picture = RgbImage::from_fn(64, 48, |x, y| Rgb([(x * 4) as u8, (y * 5) as u8, 90]));
        let mut bytes = Cursor::new(Vec::new());
        picture.write_to(&mut bytes, format).expect("encoding in memory");
        bytes.into_inner()
    }

    const FORMATS: [ImageFormat; 6] = [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Tiff,
        ImageFormat::Bmp,
        ImageFormat::Gif,
    ];

    #[test]
    fn every_format_gives_its_pixels() {
        for format in FORMATS {
            let picture = Picture::from_bytes(&encoded(format)).expect("a whole picture");
            assert_eq!((picture.width(), picture.height()), (64, 48), "{format:?}");
        }
    }

    #[test]
    fn a_picture_cut_off_anywhere_is_refused() {
        for format in FORMATS {
            let bytes = encoded(format);
            for share in [0.3, 0.6, 0.9] {
                let cut = &bytes[..(bytes.len() as f64 * share) as usize];
                assert!(Picture::from_bytes(cut).is_err(), "{format:?} cut at {share}");
            }
        }
        let jpeg = encoded(ImageFormat::Jpeg);
        let cut = Picture::from_bytes(&jpeg[..jpeg.len() * 9 / 10]);
        assert!(matches!(cut, Err(PictureError::Truncated)), "{cut:?}");
    }

    #[test]
    fn what_is_no_picture_says_what_is_read() {
        for bytes in [&b"no picture at all, but text"[..], b"%PDF-1.7"] {
            let error = Picture::from_bytes(bytes).expect_err("not a picture").to_string();
            assert!(error.contains("JPEG"), "{error}");
        }
        let avif = Picture::from_bytes(b"\0\0\0\x18ftypavif\0\0\0\0mif1avif").expect_err("AVIF");
        assert!(avif.to_string().contains("save it as JPEG"), "{avif}");
    }

    #[test]
    fn a_bomb_is_refused_by_its_header() {
        // A PNG that claims 60,000 x 60,000 pixels in a few hundred bytes.
        let mut bytes = encoded(ImageFormat::Png);
        bytes[16..24].copy_from_slice(&[0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60]);
        let mut crc = flate_crc(&bytes[12..29]).to_be_bytes().to_vec();
        bytes.splice(29..33, crc.drain(..));
        let error = Picture::from_bytes(&bytes).expect_err("too many pixels");
        assert!(matches!(error, PictureError::TooLarge { .. }), "{error}");
    }

    #[test]
    fn a_bomb_of_heic_is_refused_by_its_header() {
        // A phone's photo, put together of parts, that claims 12,000 x 12,000 pixels: the decoder would take
        // up to 16,384 x 16,384.
        let mut bytes = include_bytes!("../../../../tests/pictures/phone.heic").to_vec();
        let place = bytes.windows(4).position(|word| word == b"idat").expect("its grid");
        bytes[place + 8..place + 12].copy_from_slice(&[0x2E, 0xE0, 0x2E, 0xE0]);
        let refused = Picture::from_bytes(&bytes).map(|picture| picture.width());
        assert!(matches!(refused, Err(PictureError::TooLarge { .. })), "{refused:?}");
    }

    /// The checksum of a PNG chunk.
    fn flate_crc(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 }
            })
        })
    }

    #[test]
    fn exif_turns_the_picture() {
        // The smallest EXIF segment that holds an orientation: 6, a quarter turn clockwise.
        let exif = b"\xFF\xE1\x00\x22Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0";
        let mut bytes = encoded(ImageFormat::Jpeg);
        bytes.splice(2..2, exif.iter().copied());
        let picture = Picture::from_bytes(&bytes).expect("a whole picture");
        assert_eq!((picture.width(), picture.height()), (48, 64));
    }
}

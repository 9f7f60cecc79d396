//! TIFF: chooses the page with the picture, and refuses unsupported kinds.

use std::{borrow::Cow, io::Cursor};

use tiff::{
    TiffError,
    decoder::Decoder,
    tags::{PhotometricInterpretation, SampleFormat, Tag},
};

use super::{PictureError, kinds};

/// First bytes, in either byte order; BigTIFF has the greater number.
const STARTS: [[u8; 4]; 4] = [*b"II*\0", *b"MM\0*", *b"II+\0", *b"MM\0+"];
/// Bit of NewSubfileType for a page that shows another one in fewer pixels.
const REDUCED: u32 = 1;
/// Bit of NewSubfileType for a page that is a mask.
const MASK: u32 = 4;
/// The tag that every DNG has: its format's version.
const DNG_VERSION: Tag = Tag::Unknown(50_706);

/// Whether a file begins with TIFF's first bytes.
pub(super) fn is_tiff(bytes: &[u8]) -> bool {
    STARTS.iter().any(|start| bytes.starts_with(start))
}

/// The file with its first page of full resolution in front, if smaller copies or masks come before that.
///
/// # Errors
/// Of an unsupported kind, cut off or damaged.
pub(super) fn first_page(bytes: &[u8]) -> Result<Cow<'_, [u8]>, PictureError> {
    // Canon's raw pictures continue with letters of their own.
    if bytes.get(8..10) == Some(b"CR") {
        return Err(kinds::raw_picture("Canon"));
    }
    let mut decoder = Decoder::new(Cursor::new(bytes)).map_err(refused)?;
    let mut is_first = true;
    loop {
        let kind: Option<u32> = decoder.find_tag_unsigned(Tag::NewSubfileType).map_err(refused)?;
        if kind.unwrap_or(0) & (REDUCED | MASK) == 0 {
            break;
        }
        if !decoder.more_images() {
            return Err(match decoder.find_tag(DNG_VERSION) {
                Ok(Some(_)) => kinds::raw_picture("DNG"),
                _ => PictureError::unread(
                    "a TIFF of small copies alone, as raw pictures of cameras are",
                ),
            });
        }
        decoder.next_image().map_err(refused)?;
        is_first = false;
    }
    check_kind(&mut decoder)?;
    let page = decoder.ifd_pointer().map_or(0, |pointer| pointer.0);
    Ok(if is_first { Cow::Borrowed(bytes) } else { Cow::Owned(with_first(bytes, page)) })
}

/// The file with another page as its first: its head holds that position.
fn with_first(bytes: &[u8], page: u64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let is_little = bytes.starts_with(b"II");
    let is_big = bytes[2..4].contains(&b'+');
    let place = if is_little { page.to_le_bytes() } else { page.to_be_bytes() };
    if is_big {
        bytes[8..16].copy_from_slice(&place);
    } else {
        bytes[4..8].copy_from_slice(if is_little { &place[..4] } else { &place[4..] });
    }
    bytes
}

/// Refuses the kinds of colour that the decoder does not convert to red, green and blue.
fn check_kind(decoder: &mut Decoder<Cursor<&[u8]>>) -> Result<(), PictureError> {
    let number = |decoder: &mut Decoder<_>, tag| -> Result<u16, PictureError> {
        let values: Option<Vec<u16>> = decoder.find_tag_unsigned_vec(tag).map_err(refused)?;
        Ok(values.and_then(|values| values.first().copied()).unwrap_or(1))
    };
    let colours = number(decoder, Tag::PhotometricInterpretation)?;
    let format = SampleFormat::from_u16_exhaustive(number(decoder, Tag::SampleFormat)?);
    let bits = number(decoder, Tag::BitsPerSample)?;
    use PhotometricInterpretation as Colours;
    let kind = match (Colours::from_u16(colours), format) {
        (Some(Colours::RGBPalette), _) => "with a palette of colours".to_owned(),
        (Some(Colours::YCbCr), _) => "of YCbCr colours".to_owned(),
        (Some(Colours::CIELab | Colours::IccLab | Colours::ItuLab), _) => {
            "of Lab colours".to_owned()
        }
        (Some(Colours::RGB), SampleFormat::IEEEFP) if bits == 32 => return Ok(()),
        (_, SampleFormat::IEEEFP) => format!("of floating-point numbers of {bits} bits"),
        (_, SampleFormat::Int) => "of signed numbers".to_owned(),
        (Some(Colours::BlackIsZero | Colours::WhiteIsZero), _) if ![1, 8, 16].contains(&bits) => {
            format!("of {bits} bits of grey")
        }
        _ => return Ok(()),
    };
    Err(PictureError::unread(format!("a TIFF {kind}")))
}

fn refused(error: TiffError) -> PictureError {
    match error {
        TiffError::IoError(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            PictureError::Truncated
        }
        TiffError::UnsupportedError(what) => {
            PictureError::unread(format!("a rare kind of TIFF ({what})"))
        }
        other => PictureError::Damaged(other.to_string()),
    }
}

//! JPEG: finds a picture's end among other pictures and padding, checks that its last block was decoded, and
//! halves phones' pictures that are too large.

use std::{
    ffi::c_int,
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use image::{RgbImage, metadata::Orientation};
use mozjpeg::{ColorSpace, Decompress};
use mozjpeg_sys as libjpeg;

use super::{MOST_PIXELS, PictureError, check_size};

const START: u8 = 0xD8;
const END: u8 = 0xD9;
const START_OF_SCAN: u8 = 0xDA;
const NUMBER_OF_LINES: u8 = 0xDC;
const APP1: u8 = 0xE1;
const EXIF: &[u8] = b"Exif\0\0";
/// Appended to the picture for the decoder, whether or not its own end is there.
const AN_END: [u8; 2] = [0xFF, END];
/// Eighths of its size to which a too large picture is decoded, so that 200 megapixels are read as 50.
const HALF: u8 = 4;
/// All coefficients of a block, one bit for each.
const ALL_COEFFICIENTS: u64 = u64::MAX;

/// The head of a frame (ITU-T T.81, B.2.2).
struct JpegFrame {
    /// The low byte of its marker, which gives the coding.
    coding: u8,
    bits: u8,
    height: u16,
    width: u16,
    components: Vec<u8>,
    /// Position of its height in the file.
    height_at: usize,
}

/// The parts of the first picture of a file, without decoding it.
#[derive(Default)]
struct Parts<'a> {
    frame: Option<JpegFrame>,
    exif: Option<&'a [u8]>,
    /// Number of components in the first scan.
    first_scan: Option<usize>,
    /// For each component of the frame, the coefficients that a scan gives to their last bit.
    exact: Vec<u64>,
    /// The height that follows the first scan, if the frame's head has none.
    lines: Option<u16>,
    /// The end of the picture: its own end, the start of another picture, or the end of the file.
    end: usize,
    /// Whether the picture has its own end.
    is_ended: bool,
}

impl<'a> Parts<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let mut parts = Self { end: bytes.len(), ..Self::default() };
        let mut at = 2;
        while let Some((place, marker)) = next_marker(bytes, at) {
            if matches!(marker, START | END) {
                (parts.end, parts.is_ended) = (place, marker == END);
                break;
            }
            let body = place + 2;
            let length = bytes
                .get(body..body + 2)
                .map_or(2, |length| usize::from(u16::from_be_bytes([length[0], length[1]])).max(2));
            at = body + length;
            let Some(segment) = bytes.get(body + 2..at) else {
                // The rest would be taken for a part of it.
                parts.end = place;
                break;
            };
            match marker {
                // C4, C8 and CC are tables, not frames.
                0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF if parts.frame.is_none() => {
                    parts.frame = frame(marker, segment, body + 3);
                    let count = parts.frame.as_ref().map_or(0, |frame| frame.components.len());
                    parts.exact = vec![0; count];
                }
                START_OF_SCAN => parts.note_scan(segment),
                NUMBER_OF_LINES => {
                    parts.lines = segment.first_chunk().map(|lines| u16::from_be_bytes(*lines));
                }
                APP1 if parts.exif.is_none() => parts.exif = segment.strip_prefix(EXIF),
                _ => {}
            }
        }
        if !parts.is_ended {
            parts.end = without_filling(&bytes[..parts.end]).len();
        }
        parts
    }

    /// Records the coefficients of a scan (ITU-T T.81, B.2.3).
    fn note_scan(&mut self, head: &[u8]) {
        let Some((&count, rest)) = head.split_first() else { return };
        self.first_scan.get_or_insert(count.into());
        let (Some(ids), Some(frame)) = (rest.get(..2 * usize::from(count)), &self.frame) else {
            return;
        };
        let Some(&[first, last, bits, ..]) = rest.get(2 * usize::from(count)..) else { return };
        if bits & 0x0F != 0 || first > last || last > 63 {
            return;
        }
        let given = ALL_COEFFICIENTS >> (63 - last) & ALL_COEFFICIENTS << first;
        for id in ids.chunks_exact(2).map(|pair| pair[0]) {
            let places = frame.components.iter().zip(&mut self.exact);
            places.filter(|(own, _)| **own == id).for_each(|(_, exact)| *exact |= given);
        }
    }
}

/// The data without a run of one byte at their end: the filling after a broken copy, or of a camera's buffer,
/// would be decoded as the missing blocks.
fn without_filling(bytes: &[u8]) -> &[u8] {
    /// Fewest equal bytes that are filling: coded data hardly end on that number.
    const FILLING: usize = 16;
    let Some(last) = bytes.last() else { return bytes };
    let data = bytes.iter().rposition(|byte| byte != last).map_or(0, |place| place + 1);
    if bytes.len() - data < FILLING {
        return bytes;
    }
    // A zero after 0xFF belongs to it.
    let is_stuffed = *last == 0 && bytes[..data].ends_with(&[0xFF]);
    &bytes[..data + usize::from(is_stuffed)]
}

/// The next marker that is neither a stuffed zero nor a restart, and its place: coded data lies before it.
fn next_marker(bytes: &[u8], mut at: usize) -> Option<(usize, u8)> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        match *bytes.get(at + 1)? {
            // Markers may be preceded by any number of filling bytes.
            0xFF => at += 1,
            0x00 | 0x01 | 0xD0..=0xD7 => at += 2,
            marker => return Some((at, marker)),
        }
    }
}

fn frame(coding: u8, head: &[u8], height_at: usize) -> Option<JpegFrame> {
    let &[bits, h, height, w, width, count, ref rest @ ..] = head else { return None };
    let components = rest.get(..3 * usize::from(count))?.chunks_exact(3).map(|of| of[0]).collect();
    let [height, width] = [[h, height], [w, width]].map(u16::from_be_bytes);
    Some(JpegFrame { coding, bits, height, width, components, height_at })
}

/// Whether a file begins with JPEG's first bytes.
pub(super) fn is_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xFF, START])
}

/// Decodes the first picture of a file, and gives its EXIF orientation.
///
/// Its end may be missing, and padding or other pictures may follow: it is whole if its last block was decoded.
/// One of more than [`MOST_PIXELS`], up to four times that number, is halved while it is decoded.
///
/// # Errors
/// Cut off, damaged, or of an unsupported kind; too large or too small, before any pixel is decoded.
pub(super) fn decoded(bytes: &[u8]) -> Result<(RgbImage, Option<Orientation>), PictureError> {
    let mut parts = Parts::of(bytes);
    let frame = parts.frame.take().filter(|_| parts.first_scan.is_some());
    let Some(mut frame) = frame else { return Err(PictureError::Truncated) };
    check_kind(&frame)?;
    let mut completed = None;
    if frame.height == 0 {
        // Some scanners write it only at the end.
        frame.height = parts.lines.ok_or(PictureError::Truncated)?;
        let bytes = completed.insert(bytes[..parts.end].to_vec());
        bytes[frame.height_at..frame.height_at + 2].copy_from_slice(&frame.height.to_be_bytes());
    }
    let picture = completed.as_deref().unwrap_or(&bytes[..parts.end]);
    let scale = scale(&frame, &parts)?;
    let rgb = decode(picture, scale)?;
    // Without its own end a picture of several scans may lack whole scans, although all its blocks are there
    // roughly; and arithmetic coding continues for ever, on zeros.
    let is_arithmetic = frame.coding > 0xC8;
    let is_rough = parts.exact.iter().any(|exact| *exact != ALL_COEFFICIENTS);
    if !parts.is_ended && (is_arithmetic || is_rough) {
        return Err(PictureError::Truncated);
    }
    Ok((rgb, parts.exif.and_then(Orientation::from_exif_chunk)))
}

fn check_kind(frame: &JpegFrame) -> Result<(), PictureError> {
    let kind = match frame.coding {
        0xC3 | 0xCB => "a lossless JPEG",
        0xC5..=0xC7 | 0xCD..=0xCF => "a hierarchical JPEG",
        _ if frame.bits != 8 => "a JPEG of more than 8 bits for each colour",
        _ => return Ok(()),
    };
    Err(PictureError::unread(kind))
}

/// Eighths of the size to decode to.
fn scale(frame: &JpegFrame, parts: &Parts) -> Result<u8, PictureError> {
    const WHOLE: u8 = 8;
    let [width, height] = [frame.width, frame.height].map(u32::from);
    // A picture whose scans bring a part of each block has to be held whole while it is decoded.
    let is_held = matches!(frame.coding, 0xC2 | 0xCA)
        || parts.first_scan.is_some_and(|first| first < frame.components.len());
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MOST_PIXELS && pixels <= 4 * MOST_PIXELS && !is_held {
        return Ok(HALF);
    }
    check_size(width, height)?;
    Ok(WHOLE)
}

/// The pixels of a picture without its own end.
fn decode(picture: &[u8], scale: u8) -> Result<RgbImage, PictureError> {
    let decoding = AssertUnwindSafe(|| -> std::io::Result<Option<RgbImage>> {
        let source = picture.chain(&AN_END[..]);
        let mut decoder = Decompress::builder().with_err(errors()).from_reader(source)?;
        decoder.scale(scale);
        let is_cmyk = matches!(decoder.color_space(), ColorSpace::JCS_CMYK | ColorSpace::JCS_YCCK);
        let colours = if is_cmyk { ColorSpace::JCS_CMYK } else { ColorSpace::JCS_RGB };
        let mut rows = decoder.to_colorspace(colours)?;
        let [width, height] = [rows.width(), rows.height()].map(|side| side as u32);
        let pixels = if is_cmyk {
            rows.read_scanlines::<[u8; 4]>()?.into_iter().flat_map(rgb_of_cmyk).collect()
        } else {
            rows.read_scanlines::<u8>()?
        };
        rows.finish()?;
        Ok(RgbImage::from_raw(width, height, pixels))
    });
    match catch_unwind(decoding) {
        Ok(Ok(Some(rgb))) => Ok(rgb),
        Ok(Ok(None)) => Err(PictureError::Damaged("its rows do not fill its size".into())),
        Ok(Err(error)) => Err(PictureError::Damaged(error.to_string())),
        Err(thrown) => Err(match thrown.downcast::<Fault>() {
            Ok(fault) => fault.as_error(),
            Err(other) => resume_unwind(other),
        }),
    }
}

/// Programs that write CMYK write the lack of each ink.
fn rgb_of_cmyk([c, m, y, k]: [u8; 4]) -> [u8; 3] {
    [c, m, y].map(|ink| (u16::from(ink) * u16::from(k) / 255) as u8)
}

/// The number of the decoder's last message.
struct Fault(c_int);

impl Fault {
    fn as_error(&self) -> PictureError {
        let what = match self.0 {
            libjpeg::JWRN_HIT_MARKER | libjpeg::JWRN_JPEG_EOF | libjpeg::JWRN_MUST_RESYNC => {
                return PictureError::Truncated;
            }
            libjpeg::JERR_EMPTY_IMAGE => "it has no size",
            libjpeg::JERR_NO_IMAGE | libjpeg::JERR_SOF_NO_SOS => "it has no rows",
            libjpeg::JERR_BAD_LENGTH => "a part has a wrong length",
            libjpeg::JERR_NO_QUANT_TABLE | libjpeg::JERR_NO_HUFF_TABLE => "a table is missing",
            libjpeg::JERR_OUT_OF_MEMORY => "it needs more memory than there is",
            libjpeg::JWRN_HUFF_BAD_CODE => "its rows hold an invalid code",
            other => return PictureError::Damaged(format!("the decoder's error {other}")),
        };
        PictureError::Damaged(what.into())
    }
}

/// The decoder's error handling: errors, and the warnings of [`heed`], end it.
#[allow(unsafe_code)]
fn errors() -> libjpeg::jpeg_error_mgr {
    // SAFETY: numbers, null pointers and absent functions are valid, and the library then fills them all in.
    let mut errors = unsafe {
        let mut errors: libjpeg::jpeg_error_mgr = std::mem::zeroed();
        libjpeg::jpeg_std_error(&mut errors);
        errors
    };
    errors.error_exit = Some(fail);
    errors.emit_message = Some(heed);
    errors
}

extern "C-unwind" fn fail(common: &mut libjpeg::jpeg_common_struct) {
    resume_unwind(Box::new(Fault(code(common))));
}

/// Ends the decoding at a warning that blocks are missing or wrong. Other warnings are ignored: cameras leave
/// bytes after the last block, and programs write unknown versions, and nothing of those pictures is missing.
extern "C-unwind" fn heed(common: &mut libjpeg::jpeg_common_struct, level: c_int) {
    let harmless = [
        libjpeg::JWRN_EXTRANEOUS_DATA,
        libjpeg::JWRN_ADOBE_XFORM,
        libjpeg::JWRN_JFIF_MAJOR,
        libjpeg::JWRN_BOGUS_PROGRESSION,
        libjpeg::JWRN_NOT_SEQUENTIAL,
    ];
    if level < 0 && !harmless.contains(&code(common)) {
        fail(common);
    }
}

#[allow(unsafe_code)]
fn code(common: &libjpeg::jpeg_common_struct) -> c_int {
    // SAFETY: the library calls the two functions above with the errors that `errors` made, which live as long as the decoder.
    unsafe { (*common.err).msg_code }
}

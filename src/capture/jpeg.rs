//! A JPEG in a camera's buffer: where it ends, and the tables that it may lack.

use std::borrow::Cow;

const START_OF_SCAN: u8 = 0xDA;
const END: u8 = 0xD9;
const HUFFMAN_TABLES: u8 = 0xC4;

/// The picture at the start of a buffer, without what lies behind it, fit for any decoder; `None`
/// where it has no end.
///
/// Many cameras leave the Huffman tables out, because they are always those of ITU-T T.81, annex K.3.
#[must_use]
pub(super) fn whole(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if !bytes.starts_with(&[0xFF, 0xD8]) {
        return None;
    }
    let (mut at, mut scan, mut has_tables) = (2, None, false);
    loop {
        if *bytes.get(at)? != 0xFF {
            return None;
        }
        match *bytes.get(at + 1)? {
            END => break,
            // Markers may be preceded by any number of filling bytes.
            0xFF => at += 1,
            marker => {
                has_tables |= marker == HUFFMAN_TABLES;
                let length = bytes.get(at + 2..at + 4)?;
                let length = usize::from(length[0]) << 8 | usize::from(length[1]);
                if marker == START_OF_SCAN {
                    scan.get_or_insert(at);
                    at = after_scan(bytes, at + 2 + length.max(2))?;
                } else {
                    at += 2 + length.max(2);
                }
            }
        }
    }
    let picture = &bytes[..at + 2];
    match scan? {
        _ if has_tables => Some(Cow::Borrowed(picture)),
        scan => Some(Cow::Owned([&picture[..scan], &tables(), &picture[scan..]].concat())),
    }
}

/// The next marker that is neither a stuffed zero nor a restart.
fn after_scan(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == 0xFF)?;
        match *bytes.get(at + 1)? {
            0x00 | 0xD0..=0xD7 => at += 2,
            _ => return Some(at),
        }
    }
}

/// The tables of annex K.3 as a segment of their own.
fn tables() -> Vec<u8> {
    let tables: [(u8, [u8; 16], &[u8]); 4] = [
        (0x00, DC_LUMA, &DC),
        (0x10, AC_LUMA_COUNTS, &AC_LUMA),
        (0x01, DC_CHROMA, &DC),
        (0x11, AC_CHROMA_COUNTS, &AC_CHROMA),
    ];
    let mut body = Vec::new();
    for (class, counts, values) in tables {
        body.push(class);
        body.extend(counts);
        body.extend(values);
    }
    let length = (body.len() + 2) as u16;
    [&[0xFF, HUFFMAN_TABLES][..], &length.to_be_bytes(), &body].concat()
}

const DC: [u8; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const DC_LUMA: [u8; 16] = [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0];
const DC_CHROMA: [u8; 16] = [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0];
const AC_LUMA_COUNTS: [u8; 16] = [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7D];
const AC_CHROMA_COUNTS: [u8; 16] = [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 0x77];
#[rustfmt::skip]
const AC_LUMA: [u8; 162] = [
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07,
    0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xA1, 0x08, 0x23, 0x42, 0xB1, 0xC1, 0x15, 0x52, 0xD1, 0xF0,
    0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0A, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x25, 0x26, 0x27, 0x28,
    0x29, 0x2A, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
    0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69,
    0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
    0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3, 0xA4, 0xA5, 0xA6, 0xA7,
    0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3, 0xC4, 0xC5,
    0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA, 0xE1, 0xE2,
    0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF1, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
    0xF9, 0xFA,
];
#[rustfmt::skip]
const AC_CHROMA: [u8; 162] = [
    0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07, 0x61, 0x71,
    0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xA1, 0xB1, 0xC1, 0x09, 0x23, 0x33, 0x52, 0xF0,
    0x15, 0x62, 0x72, 0xD1, 0x0A, 0x16, 0x24, 0x34, 0xE1, 0x25, 0xF1, 0x17, 0x18, 0x19, 0x1A, 0x26,
    0x27, 0x28, 0x29, 0x2A, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3A, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48,
    0x49, 0x4A, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68,
    0x69, 0x6A, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7A, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87,
    0x88, 0x89, 0x8A, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9A, 0xA2, 0xA3, 0xA4, 0xA5,
    0xA6, 0xA7, 0xA8, 0xA9, 0xAA, 0xB2, 0xB3, 0xB4, 0xB5, 0xB6, 0xB7, 0xB8, 0xB9, 0xBA, 0xC2, 0xC3,
    0xC4, 0xC5, 0xC6, 0xC7, 0xC8, 0xC9, 0xCA, 0xD2, 0xD3, 0xD4, 0xD5, 0xD6, 0xD7, 0xD8, 0xD9, 0xDA,
    0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8, 0xE9, 0xEA, 0xF2, 0xF3, 0xF4, 0xF5, 0xF6, 0xF7, 0xF8,
    0xF9, 0xFA,
];

#[cfg(test)]
mod tests {
    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;

    fn encoded() -> Vec<u8> {
        let picture = RgbImage::from_fn(64, 48, |x, y| Rgb([(x * 4) as u8, (y * 5) as u8, 90]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn what_lies_behind_the_picture_is_left_out() {
        let jpeg = encoded();
        let buffer = [&jpeg[..], &[0xAB; 64], &jpeg[jpeg.len() / 2..]].concat();
        assert_eq!(whole(&buffer).unwrap(), jpeg);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_after_the_start_do_no_harm(bytes: Vec<u8>, cut in 0usize..2000, at in 0usize..2000) {
            let _ = whole(&[&[0xFF, 0xD8][..], &bytes].concat());
            let mut jpeg = encoded();
            let place = at % jpeg.len();
            jpeg[place] ^= 0x55;
            let _ = whole(&jpeg[..cut.min(jpeg.len())]);
        }
    }

    #[test]
    fn a_picture_without_an_end_is_none() {
        let jpeg = encoded();
        for length in 0..jpeg.len() {
            assert!(whole(&jpeg[..length]).is_none(), "{length}");
        }
        assert!(whole(&[0xAB; 4096]).is_none());
    }

    #[test]
    fn tables_that_a_camera_leaves_out_are_put_in() {
        // The encoder writes the tables of annex K.3: taken out and put in again, it is the same picture.
        let jpeg = encoded();
        let (mut bare, mut at) = (jpeg[..2].to_vec(), 2);
        while jpeg[at + 1] != START_OF_SCAN {
            let end = at + 2 + (usize::from(jpeg[at + 2]) << 8 | usize::from(jpeg[at + 3]));
            if jpeg[at + 1] != HUFFMAN_TABLES {
                bare.extend(&jpeg[at..end]);
            }
            at = end;
        }
        bare.extend(&jpeg[at..]);
        assert!(bare.len() < jpeg.len());
        let mended = image::load_from_memory(&whole(&bare).unwrap()).unwrap();
        assert_eq!(mended, image::load_from_memory(&jpeg).unwrap());
    }
}

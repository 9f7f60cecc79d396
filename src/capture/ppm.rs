//! Pictures in a row as `ffmpeg` pipes them: binary PPM (`P6`), each with its own size, so that a
//! source may change its size while it runs.

use std::io::{self, BufRead, Read};

use image::RgbImage;

/// No frame has more pixels (8K): bounds the memory.
const MOST_PIXELS: u64 = 7680 * 4320;
/// No number of a header has more digits.
const MOST_DIGITS: usize = 6;

/// The next picture; `None` at the end between two pictures.
///
/// # Errors
/// The pipe breaks, ends within a picture, or carries something else.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<RgbImage>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut magic = [0; 2];
    from.read_exact(&mut magic)?;
    if &magic != b"P6" {
        return Err(wrong("no PPM picture"));
    }
    let (width, height, most) = (number(from)?, number(from)?, number(from)?);
    if most != 255 {
        return Err(wrong("not 8 bits a channel"));
    }
    if u64::from(width) * u64::from(height) > MOST_PIXELS || width == 0 || height == 0 {
        return Err(wrong(&format!("{width} x {height} pixels: at most 7680 x 4320 are read")));
    }
    let mut bytes = vec![0; width as usize * height as usize * 3];
    from.read_exact(&mut bytes)?;
    RgbImage::from_raw(width, height, bytes).map(Some).ok_or_else(|| wrong("too few bytes"))
}

/// A number with one white space after it and any before.
fn number(from: &mut impl Read) -> io::Result<u32> {
    let mut digits = String::new();
    loop {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        match byte[0] {
            digit @ b'0'..=b'9' if digits.len() < MOST_DIGITS => digits.push(char::from(digit)),
            b' ' | b'\n' | b'\r' | b'\t' if digits.is_empty() => {}
            b' ' | b'\n' | b'\r' | b'\t' => break,
            _ => return Err(wrong("a broken PPM header")),
        }
    }
    digits.parse().map_err(|_| wrong("a broken PPM header"))
}

fn wrong(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_any_size_follow_one_another() {
        let bytes = b"P6\n2 1\n255\n\x01\x02\x03\x04\x05\x06P6 1 1 255 \x0a\x0b\x0c";
        let mut from = &bytes[..];
        let first = read(&mut from).unwrap().unwrap();
        assert_eq!((first.dimensions(), first.as_raw()[5]), ((2, 1), 6));
        assert_eq!(read(&mut from).unwrap().unwrap().as_raw(), b"\x0a\x0b\x0c");
        assert!(read(&mut from).unwrap().is_none());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_to_an_end(bytes: Vec<u8>) {
            let mut from = &bytes[..];
            while let Ok(Some(_)) = read(&mut from) {}
        }
    }

    #[test]
    fn what_is_cut_or_no_picture_is_an_error_and_takes_no_memory() {
        for bytes in [
            &b"P6\n2 1\n255\n\x01"[..],
            b"P",
            b"P5\n1 1\n255\n\x01",
            b"P6\n999999 999999\n255\n",
            b"P6\n0 1\n255\n",
            b"P6\n1111111 1\n255\n",
            b"P6\n1 1\n65535\n\x01\x01\x01\x01\x01\x01",
        ] {
            assert!(read(&mut &bytes[..]).is_err(), "{bytes:?}");
        }
    }
}

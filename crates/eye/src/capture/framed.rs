//! Pictures in a row as `ffmpeg` pipes them: bare pixels in a frame that two of its filters draw around each
//! picture and that this module removes.
//!
//! A source may change its size while it runs, and of `ffmpeg`'s encoders only that of bare pixels follows: the
//! others keep the first size, and PPM reads beyond smaller pictures. Bare pixels do not carry their size, but
//! the frame does: a line of one colour above, a pixel of another at the start of each line, a line of the first
//! below.

use std::io::{self, BufRead, Read};

use image::RgbImage;

/// Filters that draw the frame.
pub(super) const FILTERS: &str =
    "format=rgb24,pad=iw+1:ih:1:0:color=0x01fe02,pad=iw:ih+2:0:1:color=0xfe01fd";
/// Colour of the lines above and below.
const EDGE: [u8; 3] = [0xFE, 0x01, 0xFD];
/// Colour of the first pixel of each line between them.
const LINE: [u8; 3] = [0x01, 0xFE, 0x02];
/// Most pixels of a frame (8K), which bounds the memory.
const MOST_PIXELS: usize = 7680 * 4320;

/// The next picture; `None` at the end between two pictures.
///
/// # Errors
/// The pipe breaks, ends within a picture, or carries other data.
pub(super) fn read(from: &mut impl BufRead) -> io::Result<Option<RgbImage>> {
    if from.fill_buf()?.is_empty() {
        return Ok(None);
    }
    let mut length = 0;
    while pixel(from)? == EDGE {
        length += 1;
        check(length)?;
    }
    // The pixel that ended it is the first of a line, whose other pixels are the picture's.
    let width = match length {
        0 | 1 => return Err(wrong("no picture")),
        _ => length - 1,
    };
    let mut pixels = Vec::new();
    let mut height = 0;
    loop {
        height += 1;
        check(width * height)?;
        let start = pixels.len();
        pixels.resize(start + 3 * width, 0);
        from.read_exact(&mut pixels[start..])?;
        match pixel(from)? {
            LINE => {}
            EDGE => break,
            _ => return Err(wrong("a broken picture")),
        }
    }
    for _ in 0..width {
        if pixel(from)? != EDGE {
            return Err(wrong("a broken picture"));
        }
    }
    // Both are below the bound.
    let (width, height) = (width as u32, height as u32);
    RgbImage::from_raw(width, height, pixels).map(Some).ok_or_else(|| wrong("too few bytes"))
}

fn pixel(from: &mut impl Read) -> io::Result<[u8; 3]> {
    let mut pixel = [0; 3];
    from.read_exact(&mut pixel)?;
    Ok(pixel)
}

fn check(pixels: usize) -> io::Result<()> {
    if pixels > MOST_PIXELS {
        return Err(wrong("larger than what is read: at most 7680 x 4320 pixels"));
    }
    Ok(())
}

fn wrong(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    fn framed(picture: &RgbImage) -> Vec<u8> {
        let edge = EDGE.repeat(picture.width() as usize + 1);
        let lines = picture.rows().flat_map(|row| {
            LINE.into_iter().chain(row.flat_map(|pixel| pixel.0)).collect::<Vec<u8>>()
        });
        [edge.clone(), lines.collect(), edge].concat()
    }

    proptest::proptest! {
        #[test]
        fn pictures_of_any_size_and_colour_follow_one_another(
            sizes in proptest::collection::vec((1u32..6, 1u32..6), 1..4),
            colours in proptest::collection::vec(0usize..3, 1..20),
        ) {
            // With the frame's own colours within the picture as well.
            let colour = |at: u32| [EDGE, LINE, [9, 8, 7]][colours[at as usize % colours.len()]];
            let pictures: Vec<RgbImage> = sizes
                .iter()
                .map(|(w, h)| RgbImage::from_fn(*w, *h, |x, y| Rgb(colour(x + w * y))))
                .collect();
            let bytes: Vec<u8> = pictures.iter().flat_map(framed).collect();
            let mut from = &bytes[..];
            for picture in &pictures {
                proptest::prop_assert_eq!(&read(&mut from).unwrap().unwrap(), picture);
            }
            proptest::prop_assert!(read(&mut from).unwrap().is_none());
            // Cut anywhere, it gives no other picture.
            for length in 1..framed(&pictures[0]).len() {
                proptest::prop_assert!(read(&mut &bytes[..length]).is_err());
            }
        }

        #[test]
        fn any_bytes_are_read_to_an_end(bytes: Vec<u8>) {
            let mut from = &bytes[..];
            while let Ok(Some(_)) = read(&mut from) {}
        }
    }

    #[test]
    fn endless_lines_and_columns_take_no_memory() {
        let wide = EDGE.repeat(MOST_PIXELS + 1);
        assert!(read(&mut &wide[..]).unwrap_err().to_string().contains("at most"));
        let start = [&EDGE.repeat(2)[..], &LINE].concat();
        let endless = [&[0, 0, 0][..], &LINE].concat().repeat(MOST_PIXELS + 1);
        let mut high = io::BufReader::new(start.chain(&endless[..]));
        assert!(read(&mut high).unwrap_err().to_string().contains("at most"));
    }
}

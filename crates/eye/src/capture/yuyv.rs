//! Decodes YUYV (YUY2) from cameras: two pixels in four bytes, `Y0 U Y1 V`, ITU-R BT.601, luma 16-235.

use image::RgbImage;

/// The picture in the first bytes of a buffer, which may be larger; `None` if it is too small.
///
/// `stride`: bytes from one line to the next, padding included; a value below a line's length is ignored.
#[must_use]
pub(super) fn picture(bytes: &[u8], width: u32, height: u32, stride: u32) -> Option<RgbImage> {
    let line = 2 * width as usize;
    let stride = line.max(stride as usize);
    let mut rgb = Vec::with_capacity(line / 2 * 3 * height as usize);
    let lines = (0..height as usize).map(|y| bytes.get(y * stride..y * stride + line));
    let lines: Vec<&[u8]> = lines.collect::<Option<_>>()?;
    for pair in lines.iter().flat_map(|line| line.chunks_exact(4)) {
        let (u, v) = (i32::from(pair[1]) - 128, i32::from(pair[3]) - 128);
        for luma in [pair[0], pair[2]] {
            // In 256ths, as in Microsoft's "Recommended 8-bit YUV formats for video rendering".
            let y = 298 * (i32::from(luma) - 16) + 128;
            let channel = |value: i32| (value >> 8).clamp(0, 255) as u8;
            rgb.extend([
                channel(y + 409 * v),
                channel(y - 100 * u - 208 * v),
                channel(y + 516 * u),
            ]);
        }
    }
    RgbImage::from_raw(width, height, rgb)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_out_and_what_lies_behind_the_picture_is_left() {
        // Black, white; a saturated red twice.
        let bytes = [16, 128, 235, 128, 81, 90, 81, 240, 77, 77, 77, 77];
        let rgb = picture(&bytes, 2, 2, 0).unwrap();
        assert_eq!(rgb.as_raw()[..6], [0, 0, 0, 255, 255, 255]);
        let [r, g, b] = rgb.get_pixel(1, 1).0;
        assert!(r > 250 && g < 5 && b < 5, "{r} {g} {b}");
        assert!(picture(&bytes[..7], 2, 2, 0).is_none());
        // Lines padded to six bytes.
        let filled = [16, 128, 235, 128, 9, 9, 81, 90, 81, 240];
        assert_eq!(picture(&filled, 2, 2, 6), Some(rgb));
        assert!(picture(&filled[..9], 2, 2, 6).is_none());
    }
}

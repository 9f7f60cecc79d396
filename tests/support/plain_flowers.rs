//! Pictures of `datasets/` in which flowers and seasons have neither numeral nor character, as some makers have them:
//! only people who know the set can tell which is which.

use std::io::Cursor;

use image::{ImageFormat, Rgb, RgbImage};

/// Where the marks of flowers are in `tilesets/in-order.jpg`: from which row to which, and of each tile from which column
/// to which.
const FLOWERS: ([u32; 2], [[u32; 2]; 4]) =
    ([829, 862], [[108, 186], [202, 278], [296, 374], [388, 464]]);
/// The same of seasons.
const SEASONS: ([u32; 2], [[u32; 2]; 4]) =
    ([966, 1000], [[88, 172], [184, 266], [282, 360], [378, 456]]);
/// And of the flowers and the season in `photos/tables/flowers-many.jpg`.
const ON_TABLE: ([u32; 2], [[u32; 2]; 4]) =
    ([500, 527], [[156, 218], [229, 291], [302, 364], [374, 436]]);

fn picture(path: &str) -> RgbImage {
    let path = format!("{}/datasets/{path}", env!("CARGO_MANIFEST_DIR"));
    image::open(path).unwrap().into_rgb8()
}

/// Paints the tile's body over marks.
fn wipe(picture: &mut RgbImage, rows: [u32; 2], columns: &[[u32; 2]], body: [u8; 3]) {
    for [left, right] in columns {
        for (x, y) in (*left..*right).flat_map(|x| (rows[0]..rows[1]).map(move |y| (x, y))) {
            picture.put_pixel(x, y, Rgb(body));
        }
    }
}

/// A picture as the bytes of a PNG file.
pub fn png(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// One of each tile, laid out; a bamboo flower keeps its mark, lest it be taken for a wind, and so does an autumn.
pub fn laid_out() -> RgbImage {
    let mut laid = picture("tilesets/in-order.jpg");
    let ((rows, flowers), (below, seasons)) = (FLOWERS, SEASONS);
    wipe(&mut laid, rows, &flowers[..3], BODY);
    wipe(&mut laid, below, &[seasons[0], seasons[1], seasons[3]], BODY);
    laid
}

/// The colour of a tile in `tilesets/in-order.jpg`.
const BODY: [u8; 3] = [228, 227, 218];

/// A hand with 1f, 2f, 4f and 6f, of which one alone, 4f, has its mark.
pub fn on_table() -> RgbImage {
    let mut table = picture("photos/tables/flowers-many.jpg");
    let (rows, columns) = ON_TABLE;
    wipe(&mut table, rows, &[columns[0], columns[1], columns[3]], [250, 230, 238]);
    table
}

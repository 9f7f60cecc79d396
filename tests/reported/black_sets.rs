//! Black sets, sold everywhere now: their tiles are found once light and dark are exchanged.

use tilelens::{picture::Picture, tile::SeenFace, vision::Reader};

fn photo(name: &str) -> image::RgbImage {
    let path = format!("{}/datasets/photos/tables/{name}.jpg", env!("CARGO_MANIFEST_DIR"));
    image::open(path).unwrap().into_rgb8()
}

fn read(picture: image::RgbImage) -> String {
    let tiles = Reader::builtin(2).unwrap().read(&Picture::from_rgb(picture).unwrap()).unwrap();
    let code = |tile: &tilelens::sight::SeenTile| match tile.classified().0 {
        SeenFace::Tile(tile) => tile.to_string(),
        _ => "?".to_owned(),
    };
    tiles.iter().map(code).collect::<Vec<_>>().join(" ")
}

/// Light and dark exchanged, every hue as it was.
fn exchanged(mut picture: image::RgbImage) -> image::RgbImage {
    for pixel in picture.pixels_mut() {
        let light = pixel.0.iter().map(|level| i32::from(*level)).sum::<i32>() / 3;
        pixel.0 = pixel.0.map(|level| (i32::from(level) + 255 - 2 * light).clamp(0, 255) as u8);
    }
    picture
}

#[test]
fn a_black_row_is_read_as_it_is_and_with_light_and_dark_exchanged() {
    let row = "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 1z 5z 5z";
    assert_eq!(read(photo("black-row")), row);
    assert_eq!(read(exchanged(photo("black-row"))), row);
}

#[test]
fn a_light_row_with_light_and_dark_exchanged_is_read_too() {
    let row = "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 1z 5z 5z";
    assert_eq!(read(photo("row-sorted")), row);
    assert_eq!(read(exchanged(photo("row-sorted"))), row);
}

#[test]
fn only_strange_pictures_are_seen_in_the_other_light() {
    let mut reader = Reader::builtin(2).unwrap();
    let light = Picture::from_rgb(photo("row-sorted")).unwrap();
    reader.read(&light).unwrap();
    let work = reader.work();
    reader.leave_out(&["dark".parse().unwrap()]);
    reader.read(&light).unwrap();
    assert_eq!(reader.work(), work);
}

//! The programs of `examples/` say what their first lines promise.

#![allow(dead_code, clippy::unwrap_used)]

#[cfg(feature = "vision")]
#[path = "../../examples/read_photo.rs"]
mod read_photo;
#[path = "../../examples/score_text.rs"]
mod score_text;
#[path = "../../examples/waits.rs"]
mod waits;
#[cfg(feature = "vision")]
#[path = "../../examples/watch_camera.rs"]
mod watch_camera;

#[test]
fn a_hand_in_text_has_its_items_score_and_payments() {
    let said = score_text::shown("123m456m789p23s55s +4s").unwrap();
    assert!(
        said.contains("\nscore 20\n") && said.contains("W 20") && said.contains("S -20"),
        "{said}"
    );
    let why = score_text::shown("123m").unwrap_err().to_string();
    assert!(why.contains("no winning tile"), "{why}");
}

#[test]
fn a_hand_one_tile_short_has_its_waits() {
    let said = waits::shown("123m456m789p23s55s").unwrap();
    let tiles: Vec<&str> = said.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(tiles, ["1s", "4s"], "{said}");
    assert!(waits::shown("123m456m789p23s55s +4s").is_err());
}

#[cfg(feature = "vision")]
#[test]
fn a_photo_has_its_hand_and_score() {
    let tables = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/photos/tables");
    let photo = std::fs::read(format!("{tables}/table-discards.jpg")).unwrap();
    let said = read_photo::shown(&photo).unwrap();
    assert!(said.starts_with("123m456p78s55z (7'77z) +9s: score 20"), "{said}");
    assert!(read_photo::shown(b"no picture").is_err());
}

#[cfg(feature = "vision")]
#[test]
fn a_source_is_watched_until_it_is_not_there() {
    let why = watch_camera::watch("/no/such/film.mp4", |line| panic!("{line}")).unwrap_err();
    assert!(why.to_string().contains("film.mp4"), "{why}");
}

//! Sets of tiles: learnt from a photo by the program, kept, used, taught, and refused.

use std::process::{Command, Output};

use crate::support::plain_flowers;
use serde_json::Value;
use tempfile::TempDir;
use tilelens::tileset::{Folder, Profile};

/// A home of its own for what is learnt.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn tilelens(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_tilelens"))
            .args(arguments)
            .env("XDG_DATA_HOME", self.0.path())
            .output()
            .unwrap()
    }

    fn folder(&self) -> Folder {
        Folder::at(self.0.path().join("tilelens/tilesets"))
    }

    fn learn(&self, photo: &str, name: &str) -> Output {
        self.tilelens(&["calibrate", "tiles", &layout(photo), "--name", name, "--yes", "--json"])
    }
}

fn layout(name: &str) -> String {
    format!("{}/datasets/tilesets/{name}.jpg", env!("CARGO_MANIFEST_DIR"))
}

fn table(name: &str) -> String {
    format!("{}/datasets/photos/tables/{name}.jpg", env!("CARGO_MANIFEST_DIR"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn codes(tiles: &Value) -> Vec<String> {
    let tiles = tiles.as_array().unwrap();
    tiles.iter().map(|tile| tile["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_photo_of_one_of_each_gives_every_face_its_name_by_its_place() {
    let home = Home::new();
    let output = home.learn("in-order", "mine");
    assert!(output.status.success(), "{}", said(&output));
    let learnt: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = learnt["photos"][0]["rows"].as_array().unwrap();
    let rows: Vec<String> = rows.iter().map(|row| codes(&row["tiles"]).join(" ")).collect();
    assert_eq!(
        rows,
        [
            "1m 2m 3m 4m 5m 6m 7m 8m 9m",
            "1p 2p 3p 4p 5p 0p 6p 7p 8p 9p",
            "1s 2s 3s 4s 5s 6s 7s 8s 9s",
            "1z 2z 3z 4z",
            "7z 6z 5z",
            "1f 2f 3f 4f",
            "5f 6f 7f 8f",
        ]
    );
    assert_eq!(learnt["missing"].as_array().unwrap().len(), 0);
    assert_eq!(
        (learnt["tiles"].as_u64(), learnt["red_fives"][0].as_str()),
        (Some(144), Some("0p"))
    );
    assert_eq!(learnt["white"], "framed");
    let back: Vec<u64> =
        learnt["back"].as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert!(back[0] > back[1] && back[1] > back[2], "the backs are orange: {back:?}");
}

#[test]
fn rows_may_lack_go_the_other_way_and_be_seen_from_any_side() {
    let home = Home::new();
    let output = home.learn("other-side", "mine");
    assert!(output.status.success(), "{}", said(&output));
    let learnt: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = learnt["photos"][0]["rows"].as_array().unwrap();
    let reversed: Vec<bool> = rows.iter().map(|row| row["reversed"].as_bool().unwrap()).collect();
    assert_eq!(reversed, [false, false, true, false, false]);
    assert_eq!(codes(&rows[2]["tiles"])[0], "1s");
    assert_eq!(learnt["missing"].as_array().unwrap().len(), 8);
    assert_eq!(learnt["tiles"], 136);
    assert!(learnt["back"].is_null(), "the cloth is no back");
}

#[test]
fn a_row_of_seasons_alone_is_recognised_by_its_numerals_or_by_a_person() {
    let home = Home::new();
    // The same tiles without the row of flowers: cloth from beside them lies over it.
    let mut picture = image::open(layout("in-order")).unwrap().into_rgb8();
    let cloth = image::imageops::crop_imm(&picture, 560, 826, 430, 132).to_image();
    image::imageops::replace(&mut picture, &cloth, 60, 826);
    let photo = home.0.path().join("seasons.png");
    picture.save(&photo).unwrap();
    let learn = |more: &[&str]| {
        let arguments = ["calibrate", "tiles", photo.to_str().unwrap(), "--name", "mine", "--yes"];
        let output = home.tilelens(&[&arguments, more, &["--json"]].concat());
        let learnt: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        let rows = learnt["photos"][0]["rows"].as_array().unwrap();
        let open = rows.last().unwrap()["open"] == true;
        let profile = home.folder().load(&"mine".parse().unwrap()).unwrap();
        let kept = profile.exemplars().iter().map(|shown| shown.tile.to_string());
        (open, kept.filter(|code| code.ends_with('f')).collect::<Vec<_>>().join(" "))
    };
    assert_eq!(learn(&[]), (false, "5f 6f 7f 8f".to_owned()), "the network tells");
    // Without their numerals and characters, and all with the plant of the first, they may be either.
    let body = *picture.get_pixel(110, 1060);
    let plant = image::imageops::crop_imm(&picture, 88, 1000, 78, 86).to_image();
    for (left, right) in [(88, 172), (184, 266), (282, 360), (378, 456)] {
        for (x, y) in (left..right).flat_map(|x| (966..1000).map(move |y| (x, y))) {
            picture.put_pixel(x, y, body);
        }
        image::imageops::replace(&mut picture, &plant, left.into(), 1000);
    }
    picture.save(&photo).unwrap();
    assert_eq!(learn(&[]), (true, "1f 2f 3f 4f".to_owned()), "a guess, unless corrected");
    assert_eq!(learn(&["--seasons"]), (true, "5f 6f 7f 8f".to_owned()));
}

#[test]
fn a_row_that_is_laid_twice_is_learnt_once() {
    let home = Home::new();
    let output = home.learn("doubled", "mine");
    assert!(output.status.success(), "{}", said(&output));
    let profile = home.folder().load(&"mine".parse().unwrap()).unwrap();
    let learnt: Vec<String> = profile.exemplars().iter().map(|e| e.tile.to_string()).collect();
    assert_eq!(learnt.len(), 25, "{learnt:?}");
    assert_eq!(learnt.iter().filter(|code| code.ends_with('p')).count(), 9, "{learnt:?}");
}

#[test]
fn a_mirrored_photo_is_refused_and_nothing_is_kept() {
    let home = Home::new();
    let output = home.learn("mirrored", "mine");
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("mirrored"), "{}", said(&output));
    // Nobody is there to ask.
    let output = home.tilelens(&["calibrate", "tiles", &layout("in-order"), "--name", "mine"]);
    assert!(!output.status.success() && said(&output).contains("--yes"), "{}", said(&output));
    let output =
        home.tilelens(&["calibrate", "tiles", &layout("in-order"), "--name", "../x", "--yes"]);
    assert!(!output.status.success() && said(&output).contains("not a name for a set"));
    assert!(home.folder().names().unwrap().is_empty());
}

#[test]
fn a_learnt_set_reads_flowers_that_the_network_does_not_know() {
    let home = Home::new();
    let [photo, laid_out] =
        [("table.png", plain_flowers::on_table()), ("laid-out.png", plain_flowers::laid_out())]
            .map(|(name, picture)| {
                let path = home.0.path().join(name);
                std::fs::write(&path, plain_flowers::png(&picture)).unwrap();
                path.to_str().unwrap().to_owned()
            });
    let flowers = |arguments: &[&str]| {
        let output = home.tilelens(&[&["tiles", &photo, "--json"], arguments].concat());
        let read: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
        let mut found = codes(&read["tiles"]);
        found.retain(|code| code.ends_with('f'));
        found.sort();
        found
    };
    let truth = ["1f", "2f", "4f", "6f"];
    assert_ne!(flowers(&[]), truth, "the network alone does not know this artwork");
    let learnt = home.tilelens(&["calibrate", "tiles", &laid_out, "--name", "mine", "--yes"]);
    assert!(learnt.status.success(), "{}", said(&learnt));
    assert_eq!(flowers(&[]), truth, "chosen by itself");
    assert_eq!(flowers(&["--tileset", "mine"]), truth);
    assert_ne!(flowers(&["--tileset", "none"]), truth);
}

#[test]
fn a_correction_can_be_kept_and_taken_back() {
    let home = Home::new();
    assert!(home.learn("in-order", "mine").status.success());
    let before = home.folder().load(&"mine".parse().unwrap()).unwrap();
    let photo = table("row-sorted");
    let output =
        home.tilelens(&["photo", &photo, "--fix", "3=4p", "--teach", "mine", "--no-questions"]);
    let after = home.folder().load(&"mine".parse().unwrap()).unwrap();
    assert_eq!(after.exemplars().len(), before.exemplars().len() + 1, "{}", said(&output));
    let taught = after.exemplars().last().unwrap();
    assert!(taught.taught && taught.tile.to_string() == "4p");
    // Without --teach nothing is kept.
    home.tilelens(&["photo", &photo, "--fix", "3=4p", "--no-questions"]);
    assert_eq!(home.folder().load(&"mine".parse().unwrap()).unwrap(), after);
    assert!(home.tilelens(&["tilesets", "undo", "mine"]).status.success());
    assert_eq!(home.folder().load(&"mine".parse().unwrap()).unwrap(), before);
    assert_eq!(home.tilelens(&["tilesets", "undo", "mine"]).status.code(), Some(1));
    assert!(home.tilelens(&["tilesets", "remove", "mine"]).status.success());
    let output = home.tilelens(&["tiles", &photo, "--tileset", "mine"]);
    assert!(said(&output).contains("no tile set `mine`"), "{}", said(&output));
}

#[test]
fn the_sample_that_ships_is_of_the_built_in_classifier() {
    let home = Home::new();
    let output = home.tilelens(&["tiles", &table("row-sorted"), "--tileset", "tilelens-artwork"]);
    assert!(output.status.success(), "{}", said(&output));
    let (_, text) = tilelens::tileset::SHIPPED[0];
    let profile = Profile::parse(text).unwrap();
    assert_eq!(Profile::parse(&profile.to_string()).unwrap(), profile);
    // Of another network it is refused, with what to do.
    let file = home.0.path().join("other.toml");
    let network = profile.about.network.clone();
    std::fs::write(&file, text.replace(&network, "0123456789abcdef")).unwrap();
    let output =
        home.tilelens(&["tiles", &table("row-sorted"), "--tileset", file.to_str().unwrap()]);
    assert!(said(&output).contains("another classifier"), "{}", said(&output));
}

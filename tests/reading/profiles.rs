//! Profiles of tile sets without a network: the order of a lay-out, files, and how far a profile is believed.

use proptest::prelude::*;
use tilelens::{
    sight::SeenTile,
    tile::{Face, Tile},
    tileset::{
        CLASSES, Exemplar, Fit, Folder, Profile, SetInfo, SetName, TurnedEmbedding, White,
        order::{OrderRefusal, Row, laid_out},
        weight,
    },
};

/// A tile of 30 x 40 pixels as a network that is `sure` of its face sees it.
fn seen(code: &str, x: f32, y: f32, sure: f32) -> SeenTile {
    let tile: Tile = code.parse().unwrap();
    let mut faces = [(1.0 - sure) / 41.0; Face::COUNT];
    faces[tile.face().index()] = sure;
    let turns = if tile.face().looks_alike_upside_down() {
        [0.49, 0.01, 0.49, 0.01]
    } else {
        [0.97, 0.01, 0.01, 0.01]
    };
    SeenTile {
        corners: [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]],
        found: 0.9,
        faces,
        back: 0.0,
        reject: 0.0,
        red: if tile.is_red() { 0.95 } else { 0.05 },
        turns,
    }
}

/// Rows one below another, tiles side by side; `-` is a free place, `?` a face unlike all that is known.
fn laid(rows: &[&str]) -> Vec<SeenTile> {
    let mut tiles = Vec::new();
    for (row, text) in rows.iter().enumerate() {
        for (place, code) in text.split(' ').enumerate() {
            let (x, y) = (31.0 * place as f32, 44.0 * row as f32);
            match code {
                "-" => {}
                "?" => tiles.push(seen("1s", x, y, 1.0 / 42.0)),
                code => tiles.push(seen(code, x, y, 0.95)),
            }
        }
    }
    tiles
}

fn codes(rows: &[Row]) -> Vec<String> {
    let row =
        |row: &Row| row.places.iter().map(|p| p.tile.to_string()).collect::<Vec<_>>().join(" ");
    rows.iter().map(row).collect()
}

const CHARACTERS: &str = "1m 2m 3m 4m 5m 6m 7m 8m 9m";
const DOTS: &str = "1p 2p 3p 4p 5p 6p 7p 8p 9p";

#[test]
fn places_identify_faces_where_the_network_is_wrong_or_unsure() {
    // Three of characters is read as two, and flowers as nothing or as something else.
    let rows =
        ["1m 2m 2m 4m 5m 6m 7m 8m 9m", DOTS, "1z 2z 3z 4z", "7z 6z 5z", "? ? 6f ?", "? ? ? ?"];
    let found = laid_out(&laid(&rows)).unwrap();
    assert_eq!(
        codes(&found),
        [CHARACTERS, DOTS, "1z 2z 3z 4z", "7z 6z 5z", "1f 2f 3f 4f", "5f 6f 7f 8f"]
    );
    let three = &found[0].places[2];
    let two: Face = "2m".parse().unwrap();
    assert_eq!(three.instead.map(|(face, _)| face), Some(two), "this is asked about");
    assert!(found[4].places[0].instead.is_none(), "what is not known is not asked about");
    assert!(found[4].places[2].instead.is_some());
}

#[test]
fn rows_go_either_way_and_may_have_gaps_and_red_fives() {
    let found = laid_out(&laid(&["9m 8m 7m 6m 5m 4m 3m 2m 1m"])).unwrap();
    assert_eq!((codes(&found), found[0].reversed), (vec![CHARACTERS.to_owned()], true));
    let found = laid_out(&laid(&["1m 2m 3m - 5m 6m 7m 8m 9m"])).unwrap();
    assert_eq!(codes(&found), ["1m 2m 3m", "5m 6m 7m 8m 9m"]);
    let found =
        laid_out(&laid(&["1p 2p 3p 4p 5p 0p 6p 7p 8p 9p", "1s 2s 3s 4s 0s 6s 7s 8s 9s"])).unwrap();
    assert_eq!(codes(&found), ["1p 2p 3p 4p 5p 0p 6p 7p 8p 9p", "1s 2s 3s 4s 0s 6s 7s 8s 9s"]);
    let found = laid_out(&laid(&["1z 2z 3z 4z 5z 6z 7z"])).unwrap();
    assert_eq!(codes(&found), ["1z 2z 3z 4z 5z 6z 7z"]);
}

#[test]
fn the_order_is_a_help_and_no_condition() {
    assert_eq!(laid_out(&[]), Err(OrderRefusal::NoRows));
    let read = |rows: &[&str]| {
        let rows = laid_out(&laid(rows)).unwrap();
        (codes(&rows), asked(&rows))
    };
    // Dragons in any order, a red five where it is put, faces of several groups in one row.
    let mixed = ["6z 7z 5z", "1p 2p 3p 4p 5p 6p 7p 8p 9p 0p", "1z 2z 3z 4z", "9s 3m 5s 6f"];
    assert_eq!(read(&mixed).0, mixed);
    assert_eq!(read(&mixed[..3]).1, Vec::<String>::new());
    // Two tiles in each other's places are known by their looks, and one by its place where its looks are strange.
    let swapped = "1p 2p 3p 4p 6p 5p 7p 8p 9p";
    assert_eq!(read(&[swapped, CHARACTERS]).0, [swapped, CHARACTERS]);
    assert_eq!(read(&["1p 2p ? 4p 5p", CHARACTERS]).0, ["1p 2p 3p 4p 5p", CHARACTERS]);
}

#[test]
fn the_trays_of_a_box_teach_each_face_once() {
    let four = |row: &'static str| [row; 4];
    let red = "1p 2p 3p 4p 0p 6p 7p 8p 9p";
    let trays = [four(CHARACTERS), [DOTS, red, DOTS, DOTS], four("1z 2z 3z 4z 5z 6z 7z")].concat();
    let rows = laid_out(&laid(&trays)).unwrap();
    let mut learnt: Vec<String> =
        codes(&rows).iter().flat_map(|row| row.split(' ')).map(str::to_owned).collect();
    learnt.sort();
    let mut meant: Vec<String> = [CHARACTERS, DOTS, "0p", "1z 2z 3z 4z 5z 6z 7z"]
        .iter()
        .flat_map(|row| row.split(' '))
        .map(str::to_owned)
        .collect();
    meant.sort();
    assert_eq!(learnt, meant);
    assert!(asked(&rows).is_empty(), "{:?}", asked(&rows));
}

#[test]
fn of_several_tiles_of_a_face_the_surest_is_learnt() {
    let mut tiles = laid(&[DOTS, CHARACTERS, DOTS]);
    // The first one of dots lies in a reflection.
    tiles[0].faces = [0.5 / 41.0; Face::COUNT];
    tiles[0].faces["1p".parse::<Face>().unwrap().index()] = 0.5;
    let rows = laid_out(&tiles).unwrap();
    let one = rows.iter().flat_map(|row| &row.places).find(|p| p.tile.to_string() == "1p");
    assert_eq!(one.map(|place| place.seen), Some(18));
}

const BAMBOO: &str = "1s 2s 3s 4s 5s 6s 7s 8s 9s";

/// The questions to a person, as `place~other`.
fn asked(rows: &[Row]) -> Vec<String> {
    let places = rows.iter().flat_map(|row| &row.places);
    places.filter_map(|p| p.instead.map(|(face, _)| format!("{}~{face}", p.tile))).collect()
}

#[test]
fn a_detection_between_two_tiles_is_dropped() {
    let mut tiles = laid(&[CHARACTERS, BAMBOO]);
    let mut between = seen("4s", 31.0 * 2.5, 44.0, 0.3);
    between.found = 0.4;
    tiles.push(between);
    let rows = laid_out(&tiles).unwrap();
    assert_eq!(codes(&rows), [CHARACTERS, BAMBOO]);
    assert!(asked(&rows).is_empty());
}

#[test]
fn a_tile_that_was_not_found_parts_a_row_though_finds_are_wide() {
    // Finds a fifth too wide: the neighbours of the missing tile are hardly more than a width apart.
    let mut tiles = laid(&[CHARACTERS, "1s 2s 3s - 5s 6s 7s 8s 9s"]);
    for tile in &mut tiles {
        let [left, right] = [tile.corners[0][0] - 3.5, tile.corners[1][0] + 3.5];
        tile.corners = [0, 1, 2, 3]
            .map(|k: usize| [if k == 1 || k == 2 { right } else { left }, tile.corners[k][1]]);
    }
    let rows = laid_out(&tiles).unwrap();
    assert_eq!(codes(&rows), [CHARACTERS, "1s 2s 3s", "5s 6s 7s 8s 9s"]);
}

#[test]
fn a_face_that_the_network_sees_nothing_of_is_asked_about() {
    // A hole in the row through which the table is seen; it is found as a tile, and like nothing.
    let rows = laid_out(&laid(&[CHARACTERS, "1p 2p ? 4p 5p 6p 7p 8p 9p"])).unwrap();
    assert!(asked(&rows).is_empty(), "one in forty is no word against it");
    let mut tiles = laid(&[CHARACTERS, "1p 2p 9s 4p 5p 6p 7p 8p 9p"]);
    let hole = &mut tiles[11];
    hole.faces = [0.0; Face::COUNT];
    hole.faces["9s".parse::<Face>().unwrap().index()] = 0.4;
    hole.faces["4f".parse::<Face>().unwrap().index()] = 0.3;
    assert_eq!(asked(&laid_out(&tiles).unwrap()), ["3p~9s"]);
    // One of bamboo, white dragons and flowers are drawn in many ways.
    let mut tiles = laid(&[CHARACTERS, BAMBOO]);
    tiles[9].faces = hole_faces();
    assert!(asked(&laid_out(&tiles).unwrap()).is_empty());
}

/// Like no face but a little like a flower.
fn hole_faces() -> [f32; Face::COUNT] {
    let mut faces = [0.0; Face::COUNT];
    faces["4f".parse::<Face>().unwrap().index()] = 0.4;
    faces
}

#[test]
fn flowers_alone_that_may_be_seasons_are_asked_about() {
    // Flowers or seasons, each tile as likely.
    let open = |rows: &[&str]| {
        let mut tiles = laid(rows);
        for (number, tile) in tiles[9..13].iter_mut().enumerate() {
            tile.faces = [0.001; Face::COUNT];
            for first in [1, 5] {
                let face: Face = format!("{}f", first + number).parse().unwrap();
                tile.faces[face.index()] = 0.4;
            }
        }
        laid_out(&tiles).unwrap()
    };
    let rows = open(&[CHARACTERS, "? ? ? ?"]);
    assert_eq!(asked(&rows), ["1f~5f", "2f~6f", "3f~7f", "4f~8f"]);
    // A person says that they are seasons.
    assert!(rows[1].is_open() && !rows[0].is_open());
    let instead: Vec<Tile> = rows[1].places.iter().map(|place| place.tile).collect();
    let answered = |instead: &[Tile]| {
        let places = rows.iter().flat_map(|row| &row.places);
        places.map(|place| place.answered(instead).to_string()).collect::<Vec<_>>().join(" ")
    };
    assert!(answered(&instead).ends_with("8m 9m 5f 6f 7f 8f"));
    assert!(answered(&[]).ends_with("8m 9m 1f 2f 3f 4f"));
    // Where both rows lie, or the network knows them, nobody is asked.
    assert!(asked(&open(&[CHARACTERS, "? ? ? ?", "5f 6f 7f 8f"])).is_empty());
    assert!(asked(&laid_out(&laid(&[CHARACTERS, "1f 2f 3f 4f"])).unwrap()).is_empty());
}

#[test]
fn a_part_of_a_row_laid_again_is_no_row_of_flowers() {
    let rows = laid_out(&laid(&[CHARACTERS, DOTS, "1p 2p 8p 9p"])).unwrap();
    let learnt = codes(&rows).join(" ");
    assert_eq!(learnt.split(' ').count(), 18, "{learnt}");
    assert!(!learnt.contains('f') && asked(&rows).is_empty(), "{learnt}");
}

proptest! {
    #[test]
    fn a_photo_may_be_taken_from_any_side(angle in 0f32..6.3, size in 0.5f32..4.0, start in 0usize..4) {
        let mut tiles = laid(&[CHARACTERS, "9p 8p 7p 6p 5p 4p 3p 2p 1p", "1z 2z 3z 4z", "7z 6z 5z"]);
        for tile in &mut tiles {
            tile.corners = tile.corners.map(|[x, y]| {
                let (x, y) = (size * x, size * y);
                [x * angle.cos() - y * angle.sin(), x * angle.sin() + y * angle.cos()]
            });
            // Which corner comes first is the network's choice, and it may be wrong.
            tile.corners.rotate_left(start);
            tile.turns.rotate_left(start);
        }
        let found = laid_out(&tiles).unwrap();
        prop_assert_eq!(codes(&found), [CHARACTERS, DOTS, "1z 2z 3z 4z", "7z 6z 5z"]);
        let reversed: Vec<bool> = found.iter().map(|row| row.reversed).collect();
        prop_assert_eq!(reversed, [false, true, false, false]);
    }

    #[test]
    fn any_text_is_a_profile_or_is_refused(text in ".{0,200}") {
        let _ = Profile::parse(&text);
        let _ = text.parse::<SetName>();
    }

    #[test]
    fn probabilities_stay_probabilities(p in proptest::collection::vec(0.001f32..1.0, CLASSES), weight in 0f32..=1.0, angle in 0f32..6.3) {
        let sum: f32 = p.iter().sum();
        let mut classes = [0.0; CLASSES];
        p.iter().zip(&mut classes).for_each(|(p, class)| *class = p / sum);
        let before = classes;
        let mut turns = [0.25; 4];
        let crop = [TurnedEmbedding { quarters: 0, embedding: vec![angle.cos(), angle.sin()] }];
        profile(&["1m", "2m"]).likeness(&crop).apply(&mut classes, &mut turns, weight);
        prop_assert!((classes.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        prop_assert!((turns.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        prop_assert!(weight > 0.0 || classes == before);
    }
}

/// Exemplars that lie at right angles to each other, each the same in all turns.
fn profile(codes: &[&str]) -> Profile {
    let about = SetInfo {
        name: "small".parse().unwrap(),
        network: "00ff".to_owned(),
        white: Some(White::Blank),
        back: Some([1, 2, 3]),
        body: None,
    };
    let exemplars = codes.iter().enumerate().map(|(place, code)| {
        let mut embedding = vec![0.0; codes.len()];
        embedding[place] = 1.0;
        Exemplar::new(code.parse().unwrap(), false, std::array::from_fn(|_| embedding.clone()))
            .unwrap()
    });
    Profile::new(about, exemplars.collect()).unwrap()
}

#[test]
fn a_profile_outweighs_the_network_only_as_far_as_it_fits() {
    let profile = profile(&["1f", "2f"]);
    let face = |code: &str| code.parse::<Face>().unwrap().index();
    // The network takes plum for orchid; the crop is the plum that was shown.
    let crop = [TurnedEmbedding { quarters: 0, embedding: vec![1.0, 0.0] }];
    let read = |weight: f32| {
        let mut classes = [0.001; CLASSES];
        classes[face("1f")] = 0.05;
        classes[face("2f")] = 0.908;
        profile.likeness(&crop).apply(&mut classes, &mut [0.25; 4], weight);
        (0..CLASSES).max_by(|a, b| classes[*a].total_cmp(&classes[*b])).unwrap()
    };
    assert_eq!((read(0.0), read(0.01), read(1.0)), (face("2f"), face("2f"), face("1f")));
    assert_eq!((weight(Some(0.9), true), weight(Some(0.99), false)), (0.0, 1.0));
    assert!(weight(None, true) > 0.0 && weight(None, false) == 0.0, "unknown fit: only if chosen");
}

#[test]
fn red_and_plain_fives_are_separated_where_the_set_shows_both() {
    let five: Face = "5p".parse().unwrap();
    let (red, plain) = ([0.0, 1.0], [1.0, 0.0]);
    let red_after = |profile: &Profile, crop: [f32; 2], red: f32, weight: f32| {
        let crop = [TurnedEmbedding { quarters: 0, embedding: crop.to_vec() }];
        profile.likeness(&crop).red(five, &[1.0, 0.0, 0.0, 0.0], red, weight)
    };
    let both = profile(&["5p", "0p"]);
    assert!(red_after(&both, red, 0.1, 1.0) > 0.9 && red_after(&both, plain, 0.9, 1.0) < 0.1);
    assert!(
        (red_after(&both, red, 0.3, 0.0) - 0.3).abs() < 1e-5,
        "a set that does not fit has no say"
    );
    // A set of which only one of them was shown says nothing of the other.
    assert_eq!(red_after(&profile(&["5p", "1p"]), plain, 0.9, 1.0), 0.9);
    assert!(
        red_after(&both, red, 1.0, 1.0).is_finite()
            && red_after(&both, plain, 0.0, 1.0).is_finite()
    );
}

#[test]
fn of_two_sets_the_nearer_exemplar_counts() {
    let (one, other) = (profile(&["1f", "2f"]), profile(&["3f", "1f"]));
    let face = |code: &str| code.parse::<Face>().unwrap().index();
    // The plum of the other set, which looks like the orchid of this one.
    let crop = [TurnedEmbedding { quarters: 0, embedding: vec![0.0, 1.0] }];
    let mut classes = [1.0 / CLASSES as f32; CLASSES];
    one.likeness(&crop).or(&other.likeness(&crop)).apply(&mut classes, &mut [0.25; 4], 1.0);
    assert!((classes[face("1f")] - classes[face("2f")]).abs() < 1e-6);
    assert!(classes[face("1f")] > 0.49, "{}", classes[face("1f")]);
}

#[test]
fn the_fit_is_measured_on_sure_tiles() {
    let profile = profile(&["1m", "2m"]);
    let mut fit = Fit::default();
    let mut classes = [0.0; CLASSES];
    classes[0] = 0.99;
    let crop = |x: f32, y: f32| [TurnedEmbedding { quarters: 2, embedding: vec![x, y] }];
    for _ in 0..4 {
        profile.fit(&mut fit, &classes, &[1.0, 0.0, 0.0, 0.0], &crop(1.0, 0.0));
        // Not sure enough to tell.
        profile.fit(&mut fit, &[1.0 / CLASSES as f32; CLASSES], &[0.25; 4], &crop(0.0, 1.0));
    }
    assert_eq!(fit.median(), None, "four are too few");
    profile.fit(&mut fit, &classes, &[1.0, 0.0, 0.0, 0.0], &crop(1.0, 0.0));
    assert!((fit.median().unwrap() - 1.0).abs() < 1e-6);
}

#[test]
fn files_read_back_and_damaged_ones_report_the_fault() {
    let home = tempfile::tempdir().unwrap();
    let folder = Folder::at(home.path().join("sets"));
    let mut profile = profile(&["1m", "0p", "7f"]);
    assert_eq!((profile.tiles(), profile.red_fives()), (9, vec!["0p".parse().unwrap()]));
    profile.teach("5p".parse().unwrap(), std::array::from_fn(|_| vec![0.0, 2.0, 0.0])).unwrap();
    assert!(profile.teach("5p".parse().unwrap(), std::array::from_fn(|_| vec![1.0])).is_err());
    folder.save(&profile).unwrap();
    assert_eq!(folder.load(&profile.about.name).unwrap(), profile);
    assert_eq!(folder.names().unwrap(), [profile.about.name.clone()]);
    assert_eq!(profile.forget().map(|tile| tile.to_string()), Some("5p".to_owned()));
    assert_eq!(profile.forget(), None, "what the photo showed stays");
    let text = profile.to_string();
    for (from, to, why) in [
        ("format = 1", "format = 2", "format 2"),
        ("\"blank\"", "\"green\"", "not blank or framed"),
        ("#010203", "#0102+3", "not a colour"),
        ("name = \"small\"", "name = \"../x\"", "not a name for a set"),
        ("\"0p\"", "\"0z\"", "no tile"),
        ("\"7f0000\"", "\"7f00\"", "embedding of 1m"),
        ("\"007f00\"", "\"zz7f00\"", "embedding of 0p"),
        ("\"00007f\"", "\"000000\"", "embedding of 7f"),
        ("network", "netwrok", "netwrok"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let error = Profile::parse(&damaged).unwrap_err().to_string();
        assert!(error.contains(why), "{why} in {error}");
    }
    for bad in ["", "-a", "a/b", "A", "none", &"a".repeat(41)] {
        assert!(bad.parse::<SetName>().is_err(), "{bad}");
    }
}

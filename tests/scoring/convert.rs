//! Hands to and from the notations of others: public examples, round trips, and lost details.

use std::collections::HashSet;

use assert_cmd::Command;
use proptest::prelude::*;
use tilelens::{
    convert::HandFormat,
    hand::{Meld, MeldKind, Reading, SeenSet, SetForm, SetTile},
    tile::{Face, SeenFace, Side, Suit, Tile},
};

fn read(format: HandFormat, text: &str) -> String {
    match format.parse(text) {
        Ok(read) => read.value.to_string(),
        Err(error) => panic!("{text}: {error}"),
    }
}

fn written(format: HandFormat, hand: &str) -> String {
    match format.print(&hand.parse().unwrap()) {
        Ok(written) => written.value,
        Err(error) => panic!("{hand}: {error}"),
    }
}

fn refusal(format: HandFormat, text: &str) -> String {
    match format.parse(text) {
        Ok(read) => panic!("{text} was read as {}", read.value),
        Err(error) => error.to_string(),
    }
}

#[test]
fn tenhous_text_has_red_fives_and_the_drawn_tile_last() {
    for (text, hand) in [
        ("123m406p789s1155z7z", "123m406p789s11557z"),
        ("123m4r6p", "123m406p"),
        ("1m 2m 3m", "123m"),
        ("1234567z", "1234567z"),
    ] {
        assert_eq!(read(HandFormat::Tenhou, text), hand);
    }
    assert_eq!(written(HandFormat::Tenhou, "123m406p +7z"), "123m406p7z");
    for text in ["8z", "0z", "12", "m1", "E", "(123m)", "1f"] {
        refusal(HandFormat::Tenhou, text);
    }
    let error = HandFormat::Tenhou.print(&"12m (7'77z)".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("(7'77z)") && error.contains("tenhou-log"), "{error}");
}

/// Calls as the editor at tenhou.net/6 writes them.
const CALLS: [(&str, &str); 11] = [
    ("c275226", "(7'06p)"),
    ("p252525", "(5'55p)"),
    ("12p1212", "(22'2m)"),
    ("3737p37", "(777's)"),
    ("m39393939", "(9'999s)"),
    ("26m262626", "(66'66p)"),
    ("131313m13", "(3333'm)"),
    ("k16161616", "(6'6'66m)"),
    ("41k414141", "(11'1'1z)"),
    ("4646k4646", "(666'6'z)"),
    ("424242a42", "[2222z]"),
];

#[test]
fn the_letter_of_a_call_in_tenhous_log_stands_where_the_giver_sits() {
    for (call, set) in CALLS {
        assert_eq!(read(HandFormat::TenhouLog, call), set, "{call}");
        assert_eq!(written(HandFormat::TenhouLog, set), format!("[\"{call}\"]"));
    }
    assert_eq!(read(HandFormat::TenhouLog, "[11, 51, 47, \"c275226\"]"), "10m7z (7'06p)");
    assert_eq!(read(HandFormat::TenhouLog, "11 22,33 44"), "1m2p3s4z");
    for text in [
        "48",
        "10",
        "54",
        "60",
        "0",
        "[[11]]",
        "r37",
        "p25252",
        "2p52525",
        "25c2627",
        "252525p25",
        "p252626",
        "c252525",
        "42a424242",
        "3939m393939",
        "x",
        "[\"é1\"]",
        "99999999999999999999",
        "pp25252525",
    ] {
        refusal(HandFormat::TenhouLog, text);
    }
    let error = HandFormat::TenhouLog.print(&"(777z)".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("(777z) does not show"), "{error}");
}

#[test]
fn events_of_mjai_make_a_hand() {
    let text = r#"
        {"type":"chi","actor":0,"target":3,"pai":"4p","consumed":["5pr","6p"]}
        {"type":"pon","actor":0,"target":1,"pai":"5sr","consumed":["5s","5s"]}
        {"type":"ankan","actor":0,"consumed":["N","N","N","N"]}
        {"type":"kakan","actor":0,"pai":"5s","consumed":["5sr","5s","5s"]}
        {"type":"hora","actor":0,"target":2,"pai":"9m","uradora_markers":[],"hora_tehais":["P","P","7m","8m"]}"#;
    let hand = "55z78m (4'06p) (555'0's) [4444z] +9m";
    assert_eq!(read(HandFormat::Mjai, text), hand);
    assert_eq!(read(HandFormat::Mjai, &written(HandFormat::Mjai, hand)), hand);
    // Self-drawn, `hora_tehais` holds the winning tile, too.
    let drawn =
        r#"{"type":"hora","actor":1,"target":1,"pai":"1m","hora_tehais":["1m","F","F","1m","1m"]}"#;
    assert_eq!(read(HandFormat::Mjai, drawn), "1m66z1m +1m");
    assert_eq!(read(HandFormat::Mjai, r#"["1m","5mr","E","C"]"#), "10m17z");
    let kan =
        r#"{"type":"daiminkan","actor":3,"target":1,"pai":"5m","consumed":["5m","5m","5mr"]}"#;
    assert_eq!(read(HandFormat::Mjai, kan), "(55'50m)");
    let alone = r#"{"type":"kakan","actor":3,"pai":"S","consumed":["S","S","S"]}"#;
    let alone = HandFormat::Mjai.parse(alone).unwrap();
    assert_eq!(alone.value.to_string(), "(2222z)");
    assert!(alone.notes[0].contains("no pon before"));
    for (text, why) in [
        (r#"{"type":"tsumo","actor":0,"pai":"1m"}"#, "expected chi"),
        (
            r#"{"type":"pon","actor":0,"target":0,"pai":"1m","consumed":["1m","1m"]}"#,
            "`target` is `actor`",
        ),
        (
            r#"{"type":"chi","actor":0,"target":2,"pai":"1m","consumed":["2m","3m"]}"#,
            "player before",
        ),
        (
            r#"{"type":"chi","actor":0,"target":3,"pai":"1m","consumed":["1m","1m"]}"#,
            "another kind",
        ),
        (r#"{"type":"pon","actor":9,"target":0,"pai":"1m","consumed":["1m","1m"]}"#, "no player"),
        (
            r#"{"type":"pon","actor":0,"target":1,"pai":"0m","consumed":["1m","1m"]}"#,
            "`0m` is no tile",
        ),
        (
            r#"{"type":"pon","actor":0,"target":1,"pai":"1z","consumed":["1m","1m"]}"#,
            "`1z` is no tile",
        ),
        (r#"{"type":"ankan","actor":0,"consumed":["N"]}"#, "1 tiles instead of 4"),
        (
            r#"{"type":"ankan","actor":0,"consumed":["N","N","N","N"]}{"type":"ankan","actor":1,"consumed":["E","E","E","E"]}"#,
            "another `actor`",
        ),
        ("{", "EOF"),
        ("7", "no list"),
    ] {
        let error = refusal(HandFormat::Mjai, text);
        assert!(error.contains(why), "{text}: {error}");
    }
}

#[test]
fn packs_of_gb_mahjong_have_offers() {
    for (text, hand) in [
        ("[1111s,1][2222m,2][3333p,7][4444p]88s", "8s (1'111s) (22'22m) (333'3'p) [4444p] +8s"),
        ("[123m,1][123p,3]44s", "4s (1'23m) (3'12p) +4s"),
        ("[EEE,3]C", "7z (111'z)"),
        ("123789s123789p33m", "123789s123789p3m +3m"),
    ] {
        assert_eq!(read(HandFormat::Gb, text), hand);
        assert_eq!(read(HandFormat::Gb, &written(HandFormat::Gb, hand)), hand);
    }
    let read = HandFormat::Gb.parse("345s3p55p5567p[7777s]4p|EE0100|cbaghdfe").unwrap();
    assert_eq!(read.value.to_string(), "345s3555567p [7777s] 42178365f +4p");
    assert!(read.notes[0].contains("EE0100"));
    assert_eq!(HandFormat::Gb.parse("11m|EE0000|2").unwrap().value.bonus.len(), 2);
    for text in [
        "[123m,4]",
        "[111m,5]",
        "[1111m,8]",
        "[124m,1]",
        "[123m",
        "123",
        "0m",
        "[12m]",
        "m",
        "1m|EE0000|x",
        "[1m1]",
        "[[",
        "[111m,12]",
        "1B",
    ] {
        refusal(HandFormat::Gb, text);
    }
    for set in ["(345s)", "(777z)"] {
        let error = HandFormat::Gb.print(&set.parse().unwrap()).unwrap_err().to_string();
        assert!(error.contains(set), "{error}");
    }
}

#[test]
fn botzones_arguments_name_chows_by_their_middle_tile_and_dragons_backwards() {
    let text = r#"{"pack":[["CHI","W2",3],["PENG","J1",2],["GANG","F1",0],["GANG","B9",3]],"hand":["T9"],"winTile":"T9"}"#;
    let hand = "9s (3'12m) (77'7z) [1111z] (9999'p) +9s";
    assert_eq!(read(HandFormat::Botzone, text), hand);
    assert_eq!(read(HandFormat::Botzone, &written(HandFormat::Botzone, hand)), hand);
    assert_eq!(read(HandFormat::Botzone, r#"{"hand":["J2","J3","F4"]}"#), "654z");
    for text in [
        "[]",
        "{}",
        r#"{"hand":["J4"]}"#,
        r#"{"hand":["F5"]}"#,
        r#"{"hand":["W0"]}"#,
        r#"{"hand":[1]}"#,
        r#"{"hand":[],"pack":[["CHI","W9",1]]}"#,
        r#"{"hand":[],"pack":[["CHI","F2",1]]}"#,
        r#"{"hand":[],"pack":[["PENG","W1",4]]}"#,
        r#"{"hand":[],"pack":[["PENG","W1"]]}"#,
        r#"{"hand":[],"pack":7}"#,
    ] {
        refusal(HandFormat::Botzone, text);
    }
    let lost = HandFormat::Botzone.print(&"0m 13f (7'7'77z)".parse().unwrap()).unwrap();
    assert_eq!(lost.notes.len(), 3, "{:?}", lost.notes);
}

#[test]
fn kajonggs_capitals_are_concealed() {
    for (text, hand) in [
        ("b1b2b3 wewewe C5C5 RS1S2S3DbDgDrWn LWn", "55m123p567z (123s) (111z) +4z"),
        ("c1c1c1C1 c2c2c2c2 s3S3S3s3 fe yn RB1B1", "11s (1111m) (2222m) [3333p] 18f"),
    ] {
        assert_eq!(read(HandFormat::Kajongg, text), hand);
    }
    assert_eq!(
        written(HandFormat::Kajongg, "11s (1'111m) (2'2'22m) [3333p] (55'0p) 18f +1s"),
        "c1c1c1C1 c2c2c2c2 s3S3S3s3 s5s5s5 fe yn RB1B1B1 LB1"
    );
    for text in
        ["b0", "d1", "wx", "b", "C1C1C1C1", "b1b1b2", "RB1 LB2", "L", "RB1B1 LB1 LB1", "é1", "X1"]
    {
        refusal(HandFormat::Kajongg, text);
    }
}

#[test]
fn unicode_has_no_red_fives() {
    assert_eq!(
        written(HandFormat::Unicode, "123m55z (7'77z) [1111z] 13f +9s"),
        "🀇🀈🀉🀆🀆 (🀄'🀄🀄) [🀀🀀🀀🀀] 🀢🀥 +🀘"
    );
    let red = HandFormat::Unicode.print(&"10m (0'46p)".parse().unwrap()).unwrap();
    assert_eq!(red.value, "🀇🀋 (🀝'🀜🀞)");
    assert!(red.notes[0].contains("no red fives"));
    assert!(refusal(HandFormat::Unicode, "🀇1m").contains("`1`"));
}

fn tile(index: usize) -> Tile {
    match index {
        34..=36 => Tile::red_five(Suit::ALL[index - 34]).unwrap(),
        index => Face::from_index(index).unwrap().into(),
    }
}

fn any_set() -> impl Strategy<Value = SeenSet> {
    (0..34usize, 0..5usize, 0..3usize, 0..4usize, any::<bool>()).prop_map(
        |(face, kind, side, red, added)| {
            let face = Face::from_index(face).unwrap();
            let side = [Side::Left, Side::Opposite, Side::Right][side];
            let meld = match kind {
                0 | 1 => Meld::chow(face, Some(Side::Left)),
                2 => Meld::alike(MeldKind::Pung, face, Some(side)),
                3 => Meld::alike(MeldKind::OpenKong, face, Some(side)),
                _ => Meld::alike(MeldKind::ConcealedKong, face, None),
            };
            let meld = meld.or(Meld::alike(MeldKind::Pung, face, Some(side))).unwrap();
            let mut set = meld.seen();
            if meld.kind() == MeldKind::Chow {
                // Any of its tiles was claimed; it is first.
                let claimed = set.tiles.remove(red % 3).face;
                set.tiles.iter_mut().for_each(|tile| tile.sideways = false);
                set.tiles.insert(0, SetTile { face: claimed, sideways: true });
            }
            if meld.kind() == MeldKind::OpenKong && added {
                let marks = match side {
                    Side::Left => [0, 1],
                    Side::Opposite => [1, 2],
                    Side::Right => [2, 3],
                };
                marks.into_iter().for_each(|place| set.tiles[place].sideways = true);
            }
            if let Some(tile) = set.tiles.get_mut(red)
                && let SeenFace::Tile(plain) = tile.face
                && plain.face().number() == 5
                && let Some(five) = Tile::red_five(plain.face().suit())
            {
                tile.face = SeenFace::Tile(five);
            }
            set
        },
    )
}

/// A hand of 13 or 14 tiles, whether or not that many exist.
fn any_hand() -> impl Strategy<Value = Reading> {
    prop::collection::vec(any_set(), 0..5).prop_flat_map(|mut sets| {
        // Of two pungs of a face, nobody could say to which a fourth tile was added.
        let mut lowest = HashSet::new();
        sets.retain(|set| {
            lowest
                .insert(set.tiles.iter().map(|tile| tile.face.to_string().replace('0', "5")).min())
        });
        let standing = 13 - 3 * sets.len();
        (
            prop::collection::vec(0..37usize, standing),
            prop::option::of(0..37usize),
            prop::collection::vec(0..8usize, 0..3),
        )
            .prop_map(move |(concealed, winning, bonus)| Reading {
                concealed: concealed.into_iter().map(|index| SeenFace::Tile(tile(index))).collect(),
                sets: sets.clone(),
                bonus: bonus
                    .into_iter()
                    .map(|n| SeenFace::Tile(Face::from_index(34 + n).unwrap().into()))
                    .collect(),
                winning: winning.map(|index| SeenFace::Tile(tile(index))),
            })
    })
}

/// A hand as it comes back from a format.
fn carried(format: HandFormat, mut hand: Reading) -> Reading {
    let has_red = matches!(
        format,
        HandFormat::Tilelens | HandFormat::Tenhou | HandFormat::TenhouLog | HandFormat::Mjai
    );
    let plain = |seen: &mut SeenFace| {
        if let SeenFace::Tile(tile) = *seen
            && !has_red
        {
            *seen = SeenFace::Tile(tile.face().into());
        }
    };
    hand.concealed.iter_mut().for_each(plain);
    hand.winning.iter_mut().for_each(plain);
    for set in &mut hand.sets {
        set.tiles.iter_mut().for_each(|tile| plain(&mut tile.face));
        let marks = set.tiles.iter().filter(|tile| tile.sideways).count();
        if format == HandFormat::Kajongg {
            set.tiles.iter_mut().for_each(|tile| tile.sideways = false);
            set.tiles.sort_by_key(|tile| tile.face);
        }
        if format == HandFormat::Botzone && marks == 2 {
            // An added kong becomes a claimed one: its mark stays in the giver's place.
            let stays = if set.tiles[3].sideways {
                3
            } else {
                set.tiles.iter().position(|tile| tile.sideways).unwrap()
            };
            for (place, tile) in set.tiles.iter_mut().enumerate() {
                tile.sideways = place == stays;
            }
        }
        if set.form == SetForm::ConcealedKong && format == HandFormat::Gb {
            set.tiles.sort_by_key(|tile| tile.face);
        }
    }
    if matches!(format, HandFormat::Tenhou | HandFormat::TenhouLog) {
        hand.concealed.extend(hand.winning.take());
    }
    if format == HandFormat::Botzone {
        hand.bonus.clear();
    }
    hand
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn what_a_format_carries_comes_back(hand in any_hand()) {
        for format in HandFormat::ALL {
            let mut hand = hand.clone();
            if matches!(format, HandFormat::Tenhou | HandFormat::TenhouLog | HandFormat::Mjai) {
                hand.bonus.clear();
            }
            if format == HandFormat::Tenhou {
                hand.sets.clear();
            }
            let written = format.print(&hand);
            let written = match written {
                Ok(written) => written,
                Err(error) => return Err(TestCaseError::fail(format!("{format} {hand}: {error}"))),
            };
            let expected = carried(format, hand.clone());
            let read = format.parse(&written.value).unwrap();
            prop_assert_eq!(read.value.to_string(), expected.to_string(), "{} {}", format, written.value);
            let lost = hand != expected;
            prop_assert!(!lost || !written.notes.is_empty(), "{} says nothing of what is lost", format);
        }
    }

    #[test]
    fn no_text_panics(text in "[0-9mpszcka\\[\\](),|'\"{}:+ EWSNPFCRLBTJHfyrbge🀀🀫é]{0,40}", any in ".{0,40}") {
        for format in HandFormat::ALL {
            for text in [&text, &any] {
                if let Ok(read) = format.parse(text) {
                    for other in HandFormat::ALL {
                        let _ = other.print(&read.value);
                    }
                }
            }
        }
    }

    #[test]
    fn no_calls_or_events_panic(
        call in "[cpmkar]?[0-9]{0,9}[cpmkar]?[0-9]{0,4}",
        kind in "(chi|pon|daiminkan|kakan|ankan|hora|x)",
        actor in 0..5u8,
        target in 0..5u8,
        tiles in prop::collection::vec("([1-9][mps]|5[mps]r|[ESWNPFC]|0m|\\?)", 0..6),
    ) {
        let _ = HandFormat::TenhouLog.parse(&call);
        let event = serde_json::json!({
            "type": kind, "actor": actor, "target": target, "pai": tiles.first(), "consumed": tiles.get(1..),
            "hora_tehais": tiles,
        });
        if let Ok(read) = HandFormat::Mjai.parse(&event.to_string()) {
            let _ = HandFormat::Mjai.print(&read.value);
        }
    }
}

fn convert(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("tilelens")
        .unwrap()
        .arg("convert")
        .args(arguments)
        .write_stdin(input)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_reads_text_files_and_standard_input_and_says_what_is_lost() {
    let ok = convert(&["--from", "tenhou-log", "--to", "tilelens", "[12,13,14,\"p474747\"]"], "");
    assert_eq!(ok, (0, "234m (7'77z)\n".to_owned(), String::new()));
    let (code, out, err) = convert(&["--from", "tenhou", "--to", "unicode", "-"], "10m\n\n22p\n");
    assert_eq!((code, out.as_str()), (0, "🀇🀋\n🀚🀚\n"));
    assert!(err.contains("line 1") && err.contains("no red fives"), "{err}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hands.txt");
    std::fs::write(&file, "123m +4m\n12q\n").unwrap();
    let (code, out, err) =
        convert(&["--from", "tilelens", "--to", "mjai", file.to_str().unwrap()], "");
    assert_eq!(code, 2);
    assert!(out.contains("hora"), "{out}");
    assert!(err.contains("line 2") && err.contains("`q` at character 3"), "{err}");
    let (code, _, err) = convert(&["--from", "tenhou7", "--to", "mjai", "1m"], "");
    assert!(code == 2 && err.contains("expected one of tilelens, tenhou"), "{err}");
    assert_eq!(convert(&["--from", "tenhou", "--to", "mjai", "-"], "\n").0, 2);
}

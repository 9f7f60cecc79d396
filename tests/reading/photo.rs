//! `tilelens photo` as a person runs it, on readings as `--json` prints them.

use std::process::{Command, Output};

use serde_json::{Value, json};

/// A row of upright tiles; `'` lays one sideways, a space leaves room.
fn row(tiles: &mut Vec<Value>, codes: &str, y: f64) {
    let (mut x, wide, high) = (100.0, 60.0, 80.0);
    for code in codes.split(' ') {
        if code.is_empty() {
            x += 40.0;
            continue;
        }
        let lies = code.ends_with('\'');
        let (w, h) = if lies { (high, wide) } else { (wide, high) };
        let mut corners = [[x, y - h], [x + w, y - h], [x + w, y], [x, y]];
        if lies {
            corners.rotate_left(1);
        }
        let code = code.trim_end_matches('\'');
        tiles.push(json!({ "code": code, "corners": corners, "confidence": 0.998 }));
        x += w + 1.0;
    }
}

fn picture(rows: &[(&str, f64)]) -> Value {
    let mut tiles = Vec::new();
    for (codes, y) in rows {
        row(&mut tiles, codes, *y);
    }
    json!({ "image": { "width": 1600, "height": 900 }, "tiles": tiles })
}

struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tilelens-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn put(&self, name: &str, picture: &Value) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, picture.to_string()).unwrap();
        path.to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn photo(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tilelens")).arg("photo").args(arguments).output().unwrap()
}

fn read(arguments: &[&str]) -> (Value, i32) {
    let output = photo(&[arguments, &["--json"]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    (serde_json::from_str(&text).unwrap_or(Value::Null), output.status.code().unwrap())
}

const WON: [&str; 6] = ["--seat", "S", "--round", "E", "--from", "W"];

fn claimed() -> Value {
    picture(&[("2m 3m 4m 5p 6p 7p 2s 2s'", 500.0), ("7z 7z' 7z  3s' 4s 5s", 380.0)])
}

#[test]
fn a_hand_with_claimed_sets_is_scored() {
    let folder = Folder::new("claimed");
    let file = folder.put("a.json", &claimed());
    let (answer, code) = read(&[&[&file[..]], &WON[..]].concat());
    assert_eq!(code, 0);
    assert_eq!(answer["hand"]["text"], "234m567p2s (77'7z) (3'45s) +2s");
    assert_eq!(answer["hand"]["doubts"], json!([]));
    assert_eq!(answer["score"]["ok"], true);
    assert_eq!(answer["score"]["payments"]["W"], "-20");
    assert_eq!(answer["tiles"].as_array().unwrap().len(), 14);
    assert_eq!(answer["tiles"][7]["role"], "winning");
    let page = String::from_utf8(photo(&[&[&file[..]], &WON[..]].concat()).stdout).unwrap();
    assert!(page.contains("(77'7z)  from opposite (N)"), "{page}");
    assert!(page.contains("South  receives 20"), "{page}");
}

#[test]
fn hands_of_every_rule_set_are_scored() {
    let folder = Folder::new("rule-sets");
    let taiwan = picture(&[("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 1z 2z 2z 2z 3z 3z'", 500.0)]);
    let knitted = picture(&[("1m 4m 7m 2p 5p 8p 3s 6s 9s 1z 2z 3z 4z 5z'", 500.0)]);
    let riichi = picture(&[("2m 3m 4m 5m 6m 7m 3p 4p 6s 7s 8s 5s 5s 2p'", 500.0)]);
    for (rules, name, tiles) in
        [("taiwan", "a.json", taiwan), ("mcr", "b.json", knitted), ("riichi", "c.json", riichi)]
    {
        let file = folder.put(name, &tiles);
        let (answer, code) = read(&[&[&file[..], "--rules", rules], &WON[..]].concat());
        assert_eq!((answer["score"]["ok"].clone(), code), (json!(true), 0), "{rules}: {answer}");
    }
}

#[test]
fn riichi_and_its_indicators_are_options_and_an_indicator_in_the_wall_is_asked_about() {
    let folder = Folder::new("riichi");
    let hand = ("2m 3m 4m 5m 6m 7m 3p 4p 6s 7s 8s 5s 5s 2p'", 800.0);
    let file = folder.put("a.json", &picture(&[hand, ("x x 1p x x x x", 200.0)]));
    let arguments = |more: &[&'static str]| -> Vec<String> {
        let all = [&[&file[..], "--rules", "riichi"], &WON[..], more].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    let score = |more: &[&'static str]| {
        let arguments = arguments(more);
        let (answer, _) = read(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let han = answer["score"]["faan"].as_str().unwrap_or_default().to_owned();
        (han, answer["hand"]["doubts"].to_string())
    };
    let (pinfu_and_simples, doubts) = score(&[]);
    assert_eq!(pinfu_and_simples, "2");
    assert!(doubts.contains("--dora 1p; then the score is"), "{doubts}");
    let (with_riichi, _) = score(&["--riichi"]);
    assert_eq!(with_riichi, "3");
    let (with_dora, doubts) = score(&["--riichi", "--dora", "1p"]);
    assert_eq!((with_dora.as_str(), doubts.as_str()), ("4", "[]"));
    // Rules without dora say nothing of it.
    let (answer, _) = read(&[&[&file[..]], &WON[..]].concat());
    assert!(!answer["hand"]["doubts"].to_string().contains("dora"));
}

#[test]
fn what_was_printed_is_read_again_and_corrected() {
    let folder = Folder::new("again");
    let file = folder.put("a.json", &claimed());
    let (answer, _) = read(&[&[&file[..]], &WON[..]].concat());
    let again = folder.put("b.json", &answer);
    let (fixed, code) = read(&[&[&again[..], "--fix", "3=8p"], &WON[..]].concat());
    assert_eq!(fixed["hand"]["text"], "234m867p2s (77'7z) (3'45s) +2s");
    assert_eq!(code, 0);
    let (broken, code) = read(&[&[&again[..], "--fix", "3=1z"], &WON[..]].concat());
    assert_eq!(broken["score"], Value::Null);
    assert_eq!(code, 1);
}

#[test]
fn without_seats_there_is_a_hand_and_no_score() {
    let folder = Folder::new("seats");
    let file = folder.put("a.json", &claimed());
    let (answer, code) = read(&[&file]);
    assert_eq!(code, 0);
    assert_eq!(answer["score"], Value::Null);
    let doubts = answer["hand"]["doubts"].to_string();
    assert!(doubts.contains("--seat"), "{doubts}");
}

#[test]
fn a_missing_winning_tile_is_asked_for_where_it_matters() {
    let folder = Folder::new("winning");
    let waiting = picture(&[("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z", 500.0)]);
    let file = folder.put("a.json", &waiting);
    let (answer, code) = read(&[&[&file[..]], &WON[..]].concat());
    assert_eq!((answer["score"].clone(), code), (Value::Null, 1));
    assert!(answer["hand"]["doubts"].to_string().contains("--winning 5p"));
    let (answer, code) = read(&[&[&file[..], "--winning", "2z"], &WON[..]].concat());
    assert_eq!(answer["hand"]["text"], "123m456p789s1122z +2z");
    assert_eq!((answer["score"]["ok"].clone(), code), (json!(true), 0));
}

#[test]
fn four_backs_are_asked_for() {
    let folder = Folder::new("backs");
    let backs = picture(&[("1m 2m 3m 4p 5p 6p 7s 8s 2z 2z 9s'", 500.0), ("x x x x", 380.0)]);
    let file = folder.put("a.json", &backs);
    let (answer, _) = read(&[&[&file[..]], &WON[..]].concat());
    assert_eq!(answer["hand"]["text"], "123m456p78s22z [xxxx] +9s");
    assert_eq!(answer["score"], Value::Null);
    let (answer, code) = read(&[&[&file[..], "--hidden", "7z"], &WON[..]].concat());
    assert_eq!((answer["score"]["ok"].clone(), code), (json!(true), 0));
}

#[test]
fn a_kong_by_count_is_settled_by_saying_so() {
    let folder = Folder::new("kong");
    let file =
        folder.put("a.json", &picture(&[("1m 1m 1m 1m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z'", 500.0)]));
    let (answer, _) = read(&[&[&file[..]], &WON[..]].concat());
    assert_eq!(answer["hand"]["text"], "456p789s1122z [1111m] +2z");
    assert!(answer["hand"]["doubts"].to_string().contains("--kongs claimed"));
    let (answer, _) = read(&[&[&file[..], "--kongs", "claimed"], &WON[..]].concat());
    assert_eq!(answer["hand"]["text"], "456p789s1122z (1111m) +2z");
    assert_eq!(answer["score"]["ok"], true);
}

#[test]
fn fifteen_tiles_and_five_of_a_face_have_no_score() {
    let folder = Folder::new("wrong");
    for (name, codes) in [
        ("fifteen.json", "1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 3z 2z'"),
        ("five.json", "5p 5p 5p 5p 1m 2m 3m 7s 8s 9s 2z 2z 2z 5p'"),
    ] {
        let file = folder.put(name, &picture(&[(codes, 500.0)]));
        let (answer, code) = read(&[&[&file[..]], &WON[..]].concat());
        assert_eq!((answer["score"].clone(), code), (Value::Null, 1), "{name}");
        assert_ne!(answer["hand"]["doubts"], json!([]), "{name}");
    }
}

#[test]
fn why_there_is_no_score_is_said_once_and_for_a_photo() {
    let folder = Folder::new("why");
    for (codes, why) in [
        ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z", "12 tiles: a finished hand has 14"),
        ("1m 4m 7m 2p 5p 8p 3s 6s 9s 1z 1z 3z 5z", "13 tiles, and no other tile makes them a win"),
        ("1m 4m 7m 2p 5p 8p 3s 6s 9s 1z 1z 3z 5z 5z", "not a complete hand"),
        ("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z", "which tile won is not known: name it"),
    ] {
        let file = folder.put("a.json", &picture(&[(codes, 500.0)]));
        let page = String::from_utf8(photo(&[&[&file[..]], &WON[..]].concat()).stdout).unwrap();
        assert!(page.contains(&format!("No score: {why}")), "{codes}: {page}");
        assert_eq!(page.matches(why).count(), 1, "{page}");
        assert!(!page.contains("mark it with +"), "{page}");
        assert!(!page.contains("no tile is marked"), "{page}");
    }
    // The wrong winning tile is no silent correction.
    let whole = picture(&[("1m 2m 3m 4p 5p 6p 7s 8s 9s 1z 1z 2z 2z 2z", 500.0)]);
    let file = folder.put("b.json", &whole);
    let page = photo(&[&[&file[..], "--winning", "5s"], &WON[..]].concat());
    assert_eq!(page.status.code(), Some(1));
    let page = String::from_utf8(page.stdout).unwrap();
    assert!(page.contains("No score: no 5s is among the tiles"), "{page}");
}

#[test]
fn an_unsure_tile_that_changes_the_score_withholds_it() {
    let folder = Folder::new("unsure");
    let mut unsure = claimed();
    unsure["tiles"][0]["confidence"] = json!(0.5);
    unsure["tiles"][0]["alternatives"] = json!([["9m", 0.48]]);
    unsure["tiles"][1]["confidence"] = json!(0.5);
    unsure["tiles"][1]["alternatives"] = json!([["8m", 0.48]]);
    unsure["tiles"][2]["confidence"] = json!(0.5);
    unsure["tiles"][2]["alternatives"] = json!([["7m", 0.48]]);
    unsure["tiles"][10]["confidence"] = json!(0.51);
    unsure["tiles"][8]["confidence"] = json!(0.51);
    unsure["tiles"][9]["confidence"] = json!(0.51);
    for tile in [8, 9, 10] {
        unsure["tiles"][tile]["alternatives"] = json!([["6z", 0.48], ["4z", 0.01]]);
    }
    let file = folder.put("a.json", &unsure);
    let (answer, _) = read(&[&[&file[..]], &WON[..]].concat());
    assert!(answer["hand"]["confidence"].as_f64().unwrap() < 0.85, "{answer}");
    assert!(answer["hand"]["doubts"].to_string().contains("9m"), "{answer}");
}

#[test]
fn several_pictures_give_a_line_each_and_a_summary() {
    let folder = Folder::new("several");
    let a = folder.put("a.json", &claimed());
    let b = folder.put("b.json", &picture(&[("1m", 500.0)]));
    let c = folder.put("c.json", &json!({ "no": "reading" }));
    let output = photo(&[&[&a[..], &b[..], &c[..]], &WON[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("score 20"), "{text}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("3 pictures: 1 hands read"));
    assert_eq!(output.status.code(), Some(2), "one of them could not be read");
}

#[test]
fn no_hand_is_1_and_no_picture_is_2() {
    let folder = Folder::new("codes");
    let (answer, code) = read(&[&folder.put("a.json", &picture(&[("1m", 500.0)]))]);
    assert_eq!((answer["hand"].clone(), code), (Value::Null, 1));
    assert!(answer["refusal"].is_string());
    assert_eq!(photo(&["/no/such/picture.json"]).status.code(), Some(2));
    assert_eq!(photo(&[&folder.put("b.json", &json!(7))]).status.code(), Some(2));
    assert_eq!(photo(&[folder.0.to_str().unwrap()]).status.code(), Some(2));
    let file = folder.put("c.json", &claimed());
    assert_eq!(photo(&[&file, "--fix", "3"]).status.code(), Some(2));
    let fixed = photo(&[&file, "--fix", "99=5p"]);
    assert_eq!(fixed.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&fixed.stderr).contains("numbers 0 to 13"), "never silently");
    assert_eq!(photo(&[&file, &file, "--fix", "3=5p"]).status.code(), Some(2));
    assert_eq!(photo(&[&file, "--rules", "none"]).status.code(), Some(2));
}

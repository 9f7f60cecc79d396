//! `serve --records`: the games of a folder.

use std::fs;

use serde_json::json;

use crate::support::served::Served;

fn with_games() -> (tempfile::TempDir, Served) {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir_all(games.join("folder")).unwrap();
    fs::write(folder.path().join("outside.mjson"), "{}").unwrap();
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/table/logs/calls.mjson");
    fs::copy(log, games.join("Friday & Bo.mjson")).unwrap();
    fs::write(games.join("notes.txt"), "Bring tea").unwrap();
    fs::write(games.join(".hidden"), "").unwrap();
    let served = Served::start(&["serve", "--port", "0", "--records", games.to_str().unwrap()]);
    (folder, served)
}

#[test]
fn the_games_of_a_folder_are_listed_and_replayed() {
    let (_folder, served) = with_games();
    assert!(served.greeting.contains("/replay"), "{}", served.greeting);
    let games = served.get("api/records").json();
    let mut names: Vec<_> = games.as_array().unwrap().iter().map(|game| &game["name"]).collect();
    names.sort_by_key(|name| name.as_str());
    assert_eq!(names, [&json!("Friday & Bo.mjson"), &json!("notes.txt")]);
    assert!(games[0]["written"].as_i64() >= games[1]["written"].as_i64());
    assert!(served.get("replay").text().contains("records.js"));
    let page = served.get("replay/Friday%20%26%20Bo.mjson");
    assert_eq!(page.status, 200);
    assert!(page.text().contains("id=\"own-game\""));
}

/// A name never leads out of the folder, and a file that is no game says so.
#[test]
fn what_is_no_game_of_the_folder_is_refused() {
    let (_folder, served) = with_games();
    for name in [
        "..%2Foutside.mjson",
        "..",
        "folder%2F..%2F..%2Foutside.mjson",
        "gone.jsonl",
        "%2Fetc%2Fhostname",
    ] {
        let answer = served.get(&format!("replay/{name}"));
        assert_eq!(answer.status, 404, "{name}: {}", answer.text());
    }
    let answer = served.get("replay/notes.txt");
    assert_eq!(answer.status, 422);
    assert!(
        answer.json()["error"].as_str().unwrap().starts_with("notes.txt: "),
        "{}",
        answer.text()
    );
    let without = Served::serve();
    let answer = without.get("api/records");
    assert_eq!(answer.status, 404);
    assert!(answer.json()["error"].as_str().unwrap().contains("--records"), "{}", answer.text());
}

const RECORD: &str = r#"{"type":"game","players":["Ann","Bo"]}
{"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????"]}
{"type":"draw","player":0,"tile":"?"}
{"type":"discard","player":0,"tile":"5m","at":7,"confidence":0.5}
{"type":"draw","player":1,"tile":"?"}
{"type":"doubt","event":2,"why":"tile"}
{"type":"no_win","why":"exhausted"}
{"type":"end"}
"#;

/// The operator says what was discarded; what was recorded stays in the file, and nobody else may say it.
#[test]
fn a_record_is_mended_by_the_operator() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.jsonl");
    fs::write(&file, RECORD).unwrap();
    fs::write(folder.path().join("notes.txt"), "Bring tea").unwrap();
    let records = folder.path().to_str().unwrap();
    let served = Served::start(&["serve", "--port", "0", "--records", records]);
    let page = || served.get("replay/evening.jsonl").text();
    assert!(page().contains("which tile it is") && page().contains("own-name"));

    for (said, status, why) in [
        (json!({ "deal": 0, "event": 9 }), 409, "load the page again"),
        (json!({ "deal": 1, "event": 0 }), 409, "load the page again"),
        (json!({ "deal": 0, "event": 1, "tile": "3p" }), 422, "only a discard"),
        (json!({ "deal": 0, "event": 2, "tile": "10p" }), 422, "10p"),
    ] {
        let answer = served.post("api/records/evening.jsonl", &said);
        assert_eq!(answer.status, status, "{said}: {}", answer.text());
        assert!(answer.text().contains(why), "{said}: {}", answer.text());
    }
    let other = served.post("api/records/notes.txt", &json!({ "deal": 0, "event": 0 }));
    assert_eq!(other.status, 422, "{}", other.text());
    // `live` holds the file as long as it writes it.
    let held = fs::File::open(&file).unwrap();
    held.lock().unwrap();
    let said = json!({ "deal": 0, "event": 2, "tile": "3p" });
    let answer = served.post("api/records/evening.jsonl", &said);
    assert_eq!(answer.status, 409, "{}", answer.text());
    drop(held);
    assert_eq!(fs::read_to_string(&file).unwrap(), RECORD);

    let answer = served.post("api/records/evening.jsonl", &said);
    assert_eq!(answer.status, 204, "{}", answer.text());
    assert!(!page().contains("which tile it is"), "settled");
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..7], RECORD.lines().collect::<Vec<_>>()[..7]);
    assert!(lines[7].starts_with(r#"{"type":"correction","event":2,"tile":"3p","at":"#), "{text}");
    assert_eq!(lines[9], r#"{"type":"end"}"#);
}

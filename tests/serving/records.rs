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

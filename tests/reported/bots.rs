//! Programs that use the pages' calls and the commands.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use crate::support::{
    schemas::{of_call, path_of},
    served::{Reply, Served, table, table_path, tilelens},
};

/// The face of a tile that is not that one.
fn another(code: &str) -> &'static str {
    if code == "5p" { "6p" } else { "5p" }
}

/// A user saw: "`fixes: [[3, \"5p\"]]`, as docs/api.md has it, changes nothing, and the answer is 200."
#[test]
fn a_tile_has_one_number_everywhere() {
    let served = Served::serve();
    let photo = served.send("api/photo", &table("row-sorted")).json();
    let tiles = photo["tiles"].as_array().unwrap();
    let printed = tilelens(&["photo", &table_path("row-sorted"), "--json"]);
    let printed: Value = serde_json::from_str(&printed).unwrap();
    for (place, tile) in tiles.iter().enumerate() {
        assert_eq!(tile["id"], json!(place));
        assert_eq!(printed["tiles"][place]["id"], json!(place));
        assert_eq!(printed["tiles"][place]["code"], tile["code"]);
    }
    let again = format!("api/photo/{}", photo["photo"]);
    let is = another(tiles[3]["code"].as_str().unwrap());
    let fixes = json!({ "fixes": [[3, is]] });
    let fixed = served.post(&again, &fixes).json();
    assert_eq!(fixed["tiles"][3]["code"], is, "{fixed}");
    // Doubts name tiles by the same number.
    for reading in [&photo, &fixed, &printed] {
        let doubts = reading["hand"]["doubts"].as_array().unwrap();
        let known = |doubt: &Value| {
            doubt["tile"].is_null() || doubt["tile"].as_u64() < Some(tiles.len() as u64)
        };
        assert!(doubts.iter().all(known), "{reading}");
    }
    let shown = served.post(&format!("{again}/show"), &fixes);
    assert_eq!(shown.status, 200, "{}", shown.text());
    let reading = served.state()["reading"].clone();
    assert_eq!(reading["tiles"][3]["code"], is);
    // On show it keeps its number.
    let ids = reading["tiles"].as_array().unwrap().iter().map(|tile| tile["id"].clone());
    assert!(ids.eq((0..tiles.len()).map(Value::from)));
    let corrected = served.post("api/correct", &json!({ "tile": 3, "code": tiles[3]["code"] }));
    assert_eq!(corrected.json()["reading"]["tiles"][3]["code"], tiles[3]["code"]);
    let unknown = served.post("api/correct", &json!({ "tile": tiles.len(), "code": "5p" }));
    assert_eq!(unknown.status, 404);
    for path in [again.clone(), format!("{again}/show")] {
        for number in [tiles.len() as u64, 1 << 40, u64::MAX] {
            let refused = served.post(&path, &json!({ "fixes": [[number, "5p"]] }));
            assert_eq!(refused.status, 422, "{}", refused.text());
            assert!(refused.text().contains(&format!("tile {number}")), "{}", refused.text());
        }
    }
}

/// A user saw: "I sent `dora` in place of `dora_indicators`, and everything was scored without dora, with 200."
#[test]
fn a_field_that_a_call_does_not_know_is_refused_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let photo = served.send("api/photo", &table("row-sorted")).json();
    let photo = format!("api/photo/{}", photo["photo"]);
    let who = json!({ "by": 0, "device": "a", "id": "1" });
    let with = |more: Value| {
        let mut all = who.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let draw = json!({ "drawn": { "riichi": [], "drawn": {} } });
    let cases = [
        ("api/context", json!({ "dora": "1m" })),
        ("api/context", json!({ "seats": ["E"] })),
        ("api/correct", json!({ "tile": 1, "kode": "5p" })),
        ("api/confirm", json!({ "ment": true })),
        ("api/undo", json!({ "ment": true })),
        ("api/reject", json!({ "why": "" })),
        ("api/next", json!({ "seats": ["E"] })),
        ("api/also", json!({ "seats": ["E"] })),
        ("api/show", json!({ "now": true })),
        ("api/hide", json!({ "now": true })),
        ("api/auto", json!({ "most": 1 })),
        ("api/draw", json!({ "noten": true })),
        ("api/penalty", json!({ "seat": "E", "seats": [] })),
        ("api/amend", json!({ "event": 1, "deal": 1 })),
        ("api/take-out", json!({ "event": 1, "deal": 1 })),
        ("api/result", json!({ "round": 1, "table": 1, "point": {} })),
        ("api/ask", json!({ "photo": 1, "show": true, "now": true })),
        ("api/line", json!({ "size": 1 })),
        (
            "api/table-profile",
            json!({ "picture": [1, 1], "corners": [[0, 0], [1, 0], [1, 1], [0, 1]], "east": "bottom", "west": "top" }),
        ),
        ("api/tileset/1", json!({ "shure": [] })),
        ("api/advise", json!({ "hand": "1m", "set": "x" })),
        ("api/advise", json!({ "hand": "1m", "context": { "dora": "1m" } })),
        ("api/four-hands", json!({ "worths": {} })),
        ("api/four-hands", json!({ "answers": [{ "ask": "fishing", "seat": "E", "no": true }] })),
        (&photo, json!({ "fix": [] })),
        (&photo, json!({ "context": { "dora": "1m" } })),
        ("api/table/1/enter", with(json!({ "now": draw, "ment": true }))),
        ("api/table/1/enter", with(json!({ "now": { "drawn": { "riichi": [], "tenpai": [] } } }))),
        ("api/table/1/confirm", with(json!({ "now": 1 }))),
        ("api/table/1/refuse", with(json!({ "now": 1 }))),
        ("api/table/1/ask", with(json!({ "text": "x", "now": 1 }))),
        ("api/desk", json!({ "does": "pair", "now": 1 })),
        (
            "api/desk",
            json!({ "does": { "table": { "number": 1, "event": { "penalty": { "player": 0, "pints": 1 } }, "after": 1 } } }),
        ),
        ("api/desk/paper", json!({ "by": "Ida", "round": 1, "table": 1, "point": {} })),
    ];
    let before = tilelens(&["table", "log", file]);
    for (path, words) in cases {
        let refused = served.post(path, &words);
        assert_eq!(refused.status, 422, "{path} {words}: {}", refused.text());
        assert!(refused.text().contains("unknown field"), "{path} {words}: {}", refused.text());
        let takes = of_call(&path_of(path), "post", "requestBody").unwrap();
        // A ledger's events are open: a log may hold fields of a newer program.
        let is_event = words.pointer("/does/table/event").is_some();
        assert!(is_event || !takes.is_valid(&words), "the schema of {path} accepts {words}");
    }
    assert_eq!(tilelens(&["table", "log", file]), before);
    // A known one is taken, also one that these rules do not use.
    let known =
        json!({ "dora_indicators": "1m", "safe": true, "title": "x", "names": { "E": "Ann" } });
    assert_eq!(served.post("api/context", &known).status, 200);
}

/// A user saw: "an empty body is documented, and `curl -X POST -H 'Content-Type: application/json'` gets 400."
#[test]
fn a_body_that_may_be_empty_may_have_any_type() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let send = |path: &str, kind: Option<&str>, body: &str| -> Reply {
        let mut request = ureq::post(format!("{}{path}", served.address));
        if let Some(kind) = kind {
            request = request.header("Content-Type", kind);
        }
        let answer = request.config().http_status_as_error(false).build().send(body).unwrap();
        let status = answer.status().as_u16();
        Reply { status, body: answer.into_body().read_to_vec().unwrap() }
    };
    let kinds = [
        None,
        Some("application/json"),
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
    ];
    for kind in kinds {
        let drawn = send("api/draw", kind, "");
        assert_eq!(drawn.status, 200, "{kind:?}: {}", drawn.text());
        let undoes = format!("{{\"decision\": {}, \"meant\": true}}", served.last_decision());
        for (path, body) in
            [("api/undo", &*undoes), ("api/next", ""), ("api/hide", ""), ("api/line", "")]
        {
            let answer = send(path, kind, body);
            assert_eq!(answer.status, 200, "{path} {kind:?}: {}", answer.text());
        }
        // What has to be said is named, and nonsense is refused.
        let refused = send("api/take-out", kind, "");
        assert_eq!(refused.status, 422);
        assert!(refused.text().contains("event"), "{}", refused.text());
        assert_eq!(send("api/draw", kind, "meant=true").status, 422);
    }
}

/// A user saw: "after Ctrl-C nobody knows how many of the photos were read."
#[test]
fn the_number_of_pictures_that_were_read_is_said_at_ctrl_c() {
    let pictures = vec![table_path("row-sorted"); 200];
    let mut child = Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .arg("photo")
        .args(&pictures)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    lines.next().unwrap().unwrap();
    let sent = Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let read = 1 + lines.map_while(Result::ok).count();
    assert_eq!(child.wait().unwrap().code(), Some(2));
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(read < 200, "it went on");
    let expected = format!("stopped by Ctrl-C: {read} of 200 pictures were read");
    assert!(said.contains(&expected), "{expected}: {said}");
}

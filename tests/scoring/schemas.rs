//! Requests and answers of worked hands fit their schemas, and what the program refuses does not.

use std::{fs, path::Path};

use serde_json::{Value, json};
use tilelens::rules::Library;

use crate::support::schemas::{check, schema};

/// The requests of all worked hands.
fn requests() -> Vec<Value> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hands");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|it| it == "jsonl"));
    let mut requests = Vec::new();
    for file in files {
        for line in fs::read_to_string(file).unwrap().lines() {
            let worked: Value = serde_json::from_str(line).unwrap();
            requests.push(worked["request"].clone());
        }
    }
    requests
}

fn answer(request: &Value, brief: bool) -> Value {
    serde_json::to_value(Library::default().answer(&request.to_string(), brief)).unwrap()
}

#[test]
fn worked_hands_and_their_answers_fit_the_schemas() {
    let (sent, given) = (schema("score-request"), schema("score-answer"));
    let requests = requests();
    assert!(requests.len() > 600, "{}", requests.len());
    let library = Library::default();
    for request in &requests {
        check(&sent, request, "request");
        for brief in [false, true] {
            let answer = library.answer(&request.to_string(), brief);
            check(&given, &serde_json::to_value(answer).unwrap(), &request.to_string());
        }
    }
    // Answers of each kind: a deal, a hand that has not won, and errors.
    for field in ["deal", "others"] {
        assert!(requests.iter().any(|request| request.get(field).is_some()), "{field}");
    }
}

/// A hand under a rule set that knows every field that is tried.
fn good(rules: &str) -> Value {
    json!({ "rules": rules, "hand": "123m456m789p23s55s +4s", "seat": "W", "round": "E", "win": "discard", "from": "S" })
}

fn with(mut request: Value, more: Value) -> Value {
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    request
}

#[test]
fn a_near_miss_is_refused_by_the_schema_and_by_the_program() {
    let sent = schema("score-request");
    let classical =
        json!({ "rules": "classical-bmja", "hand": "111z 333s 678s (2'22s) 9s 2f +9s" });
    let cases = [
        with(good("mmm"), json!({ "note": "x" })),
        with(good("mmm"), json!({ "seat": "X" })),
        with(good("mmm"), json!({ "seat": "EE" })),
        with(good("mmm"), json!({ "win": "tsumo" })),
        with(good("mmm"), json!({ "win": 1 })),
        with(good("mmm"), json!({ "last_tile": "yes" })),
        with(good("mmm"), json!({ "players": 5 })),
        with(good("mmm"), json!({ "minimum": -1 })),
        with(good("mmm"), json!({ "minimum": "1/3" })),
        with(good("mmm"), json!({ "rulings": ["mmm.seven_pairs"] })),
        with(good("mmm"), json!({ "rulings": { "mmm.self_draw_share": true } })),
        with(good("riichi"), json!({ "honba": 100 })),
        with(good("riichi"), json!({ "honba": "1" })),
        with(good("riichi"), json!({ "sticks": -1 })),
        with(good("riichi"), json!({ "riichi": 1 })),
        with(good("zung-jung"), json!({ "responsible": "X" })),
        with(good("riichi"), json!({ "dora_indicators": ["1m"] })),
        with(good("riichi-sanma"), json!({ "north": 5 })),
        with(good("sichuan"), json!({ "missing": "z" })),
        with(good("sichuan"), json!({ "won": ["E"] })),
        with(good("classical-bmja"), with(classical.clone(), json!({ "others": { "X": "1m" } }))),
        with(good("classical-bmja"), with(classical.clone(), json!({ "others": { "E": 1 } }))),
        with(good("classical-bmja"), with(classical, json!({ "dead": ["X"] }))),
        json!([]),
        json!("mmm"),
        json!({ "rules": "sichuan", "deal": [{ "kong": "shown", "seat": "E" }] }),
        json!({ "rules": "sichuan", "deal": [{ "kong": "concealed", "seat": "E", "by": "S" }] }),
        json!({ "rules": "sichuan", "deal": [{ "win": { "hand": "1m", "seat": "E", "win": "self_draw" }, "sam": true }] }),
        json!({ "rules": "sichuan", "deal": [], "end": { "E": { "hand": "1m", "mising": "s" } } }),
        json!({ "rules": "sichuan", "deal": [], "ends": {} }),
        json!({ "rules": "sichuan", "deal": {} }),
    ];
    check(&sent, &good("mmm"), "the request that the misses are near to");
    assert_eq!(answer(&good("mmm"), true)["ok"], true);
    for request in cases {
        assert!(!sent.is_valid(&request), "the schema accepts {request}");
        let answer = answer(&request, true);
        assert_eq!(answer["error"], "bad_request", "{request}: {answer}");
    }
}

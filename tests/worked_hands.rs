//! The worked hands of the rulebook, through the JSON that other programs speak.

use std::{fs, path::Path};

use serde_json::Value as Json;
use tilelens::rules::Library;

/// Every field that the answer is expected to have.
fn check(line: &str) {
    let case: Json = serde_json::from_str(line).unwrap();
    let answer = Library::default().answer(&case["request"].to_string(), false);
    let answer: Json = serde_json::to_value(&answer).unwrap();
    for (field, expected) in case["expect"].as_object().unwrap() {
        assert_eq!(&answer[field], expected, "{field} of {line}\n{answer:#}");
    }
}

#[test]
fn worked_hands_of_the_rulebook() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/rules/hands.jsonl");
    match fs::read_to_string(&path) {
        Ok(text) => text.lines().for_each(check),
        Err(_) => println!("skipped: there is no {}", path.display()),
    }
}

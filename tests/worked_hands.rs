//! Hands with answers, through the JSON that other programs speak.

use std::{fs, path::Path};

use serde_json::Value as Json;
use tilelens::rules::Library;

/// Every field that the answer is expected to have.
fn check(line: &str) {
    let case: Json = serde_json::from_str(line).expect("a case is JSON");
    let answer = Library::default().answer(&case["request"].to_string(), false);
    let answer: Json = serde_json::to_value(&answer).expect("an answer is JSON");
    for (field, expected) in case["expect"].as_object().expect("fields") {
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

/// Random hands under all sets and rulings. The answers come from a second implementation,
/// written naively from the rulebook with lists of sets in place of masks.
#[test]
fn hands_on_which_a_second_implementation_agrees() {
    let text = include_str!("hands/agreed.jsonl");
    assert!(text.lines().count() > 400);
    text.lines().for_each(check);
}

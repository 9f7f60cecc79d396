//! Hands with answers, through the JSON that other programs speak.

use std::{fs, path::Path};

use serde_json::Value as Json;
use tilelens::rules::Library;

/// Every field that the answer is expected to have. An item of a list is expected with some of its
/// own fields alone.
fn check(line: &str) {
    let case: Json = serde_json::from_str(line).expect("a case is JSON");
    let answer = Library::default().answer(&case["request"].to_string(), false);
    let answer: Json = serde_json::to_value(&answer).expect("an answer is JSON");
    for (field, expected) in case["expect"].as_object().expect("fields") {
        let mut found = answer[field].clone();
        if let (Some(found), Some(expected)) = (found.as_array_mut(), expected.as_array()) {
            for (found, expected) in found.iter_mut().zip(expected) {
                if let (Some(found), Some(expected)) = (found.as_object_mut(), expected.as_object())
                {
                    found.retain(|key, _| expected.contains_key(key));
                }
            }
        }
        assert_eq!(&found, expected, "{field} of {line}\n{answer:#}");
    }
}

#[test]
fn worked_hands_of_the_rulebook() {
    for name in ["hands.jsonl", "hands-riichi.jsonl", "hands-mcr.jsonl"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/rules").join(name);
        match fs::read_to_string(&path) {
            Ok(text) => text.lines().for_each(check),
            Err(_) => println!("skipped: there is no {}", path.display()),
        }
    }
}

/// Hands worked out from the specifications of Zung Jung and of riichi for three.
#[test]
fn worked_hands_of_zung_jung_and_of_riichi_for_three() {
    let zung_jung = include_str!("../hands/hands-zung-jung.jsonl");
    let sanma = include_str!("../hands/hands-riichi-sanma.jsonl");
    for text in [zung_jung, sanma] {
        assert!(text.lines().count() >= 30);
        text.lines().for_each(check);
    }
}

/// Hands worked out by hand from public rules, each with a line that says why.
#[test]
fn worked_hands_of_hong_kong_and_taiwan() {
    for text in
        [include_str!("../hands/hands-hk.jsonl"), include_str!("../hands/hands-taiwan.jsonl")]
    {
        assert!(text.lines().count() >= 30);
        text.lines().for_each(check);
    }
}

/// Random hands under all sets and rulings. The answers come from a second implementation,
/// written naively from the rulebook with lists of sets in place of masks.
#[test]
fn hands_on_which_a_second_implementation_agrees() {
    let text = include_str!("../hands/agreed.jsonl");
    assert!(text.lines().count() > 400);
    text.lines().for_each(check);
}

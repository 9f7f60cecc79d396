//! Answers and what is expected of them, compared whatever the order of their lists.

use serde_json::Value as Json;

/// Lists in an order of their own, for items may be listed in any.
pub fn sorted(mut value: Json) -> Json {
    match &mut value {
        Json::Array(list) => {
            let mut all: Vec<Json> = list.drain(..).map(sorted).collect();
            all.sort_by_key(Json::to_string);
            Json::Array(all)
        }
        Json::Object(map) => Json::Object(
            map.iter().map(|(key, value)| (key.clone(), sorted(value.clone()))).collect(),
        ),
        _ => value,
    }
}

/// The answer with nothing but what is expected, so that both can be compared.
pub fn like(answer: &Json, expected: &Json) -> Json {
    match (answer, expected) {
        (Json::Object(answer), Json::Object(expected)) => {
            let known = expected.iter().filter_map(|(key, expected)| {
                Some((key.clone(), like(answer.get(key)?, expected)))
            });
            Json::Object(known.collect())
        }
        (Json::Array(list), Json::Array(_)) => {
            // Texts and tiles of an entry are no part of what is expected.
            let beside = ["tiles", "text"];
            let item = |item: &Json| match item.as_object() {
                Some(map) => {
                    let kept = map.iter().filter(|(key, _)| !beside.contains(&key.as_str()));
                    Json::Object(kept.map(|(key, value)| (key.clone(), value.clone())).collect())
                }
                None => item.clone(),
            };
            Json::Array(list.iter().map(item).collect())
        }
        (answer, _) => answer.clone(),
    }
}

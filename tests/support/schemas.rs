//! The schemas of `docs/schema`, and what they accept.

use jsonschema::Validator;
use serde_json::Value;

/// A document of `docs/schema`.
pub fn document(name: &str) -> Value {
    let path = format!("{}/docs/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// What a schema accepts.
pub fn schema(name: &str) -> Validator {
    jsonschema::validator_for(&document(name)).unwrap()
}

/// What a call of the server takes or gives, by the place of its schema below `/paths`.
pub fn of_call(path: &str, method: &str, part: &str) -> Option<Validator> {
    let mut api = document("api");
    let place = format!(
        "/paths/{}/{method}/{part}/content/application~1json/schema",
        path.replace('~', "~0").replace('/', "~1")
    );
    let mut schema = api.pointer(&place)?.clone();
    schema["components"] = api["components"].take();
    Some(jsonschema::validator_for(&schema).unwrap())
}

/// The documented path of an address such as `api/photo/3`.
pub fn path_of(address: &str) -> String {
    let numbered = |part: &str| part.parse::<u64>().is_ok();
    let parts: Vec<&str> = address.split('?').next().unwrap().split('/').collect();
    let named = parts.iter().enumerate().map(|(place, part)| {
        match place.checked_sub(1).map(|it| parts[it]) {
            Some("table") if numbered(part) => "{table}",
            Some("records") => "{name}",
            _ if numbered(part) => "{number}",
            _ => part,
        }
    });
    format!("/{}", named.collect::<Vec<_>>().join("/"))
}

/// Checks a value against a schema.
pub fn check(schema: &Validator, value: &Value, about: &str) {
    let faults: Vec<String> = schema
        .iter_errors(value)
        .map(|error| format!("{} at {}", error, error.instance_path))
        .collect();
    assert!(faults.is_empty(), "{about}: {faults:#?}\n{value}");
}

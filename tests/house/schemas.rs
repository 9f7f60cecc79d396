//! `docs/schema` is what `tilelens schema` prints, and the examples of the documentation fit it.
//! `UPDATE=1 cargo test --test house schemas` writes it.

use std::{fs, path::Path};

use assert_cmd::Command;
use serde_json::Value;

use crate::described::{check, document, of_call, path_of, schema};

const SCHEMAS: &[&str] =
    &["score-request", "score-answer", "photo", "tiles", "package", "page-request", "state", "api"];

fn tilelens(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("tilelens").unwrap().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[cfg(all(feature = "server", feature = "vision"))]
#[test]
fn the_schemas_of_the_documentation_are_those_of_the_program() {
    for name in SCHEMAS {
        let (code, made, error) = tilelens(&["schema", name]);
        assert_eq!(code, 0, "{error}");
        let file = root().join(format!("docs/schema/{name}.json"));
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&file, &made).unwrap();
        }
        // By value: the order of fields depends on what else is built.
        let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        let kept = fs::read_to_string(&file).unwrap_or_default();
        assert!(
            read(&kept) == read(&made),
            "{name} differs: run UPDATE=1 cargo test --test house schemas"
        );
    }
}

/// The blocks of a page that name a schema: ` ```json NAME `.
fn examples(page: &str) -> Vec<(String, Vec<Value>)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix("```json ") else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = block.join("\n");
        let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>();
        let values = values.collect::<Result<_, _>>();
        found.push((name.to_owned(), values.unwrap_or_else(|error| panic!("{error}: {text}"))));
    }
    found
}

/// Requests of examples get the answer of the kind that is printed beside them.
#[test]
fn documented_examples_fit_their_schemas() {
    let mut checked = 0;
    for page in ["docs/formats.md", "docs/rules/README.md"] {
        for (name, values) in examples(&fs::read_to_string(root().join(page)).unwrap()) {
            for value in values {
                check(&schema(&name), &value, page);
                checked += 1;
                if name == "score-request" {
                    let library = tilelens::rules::Library::default();
                    let answer = library.answer(&value.to_string(), false);
                    let answer = serde_json::to_value(answer).unwrap();
                    assert_eq!(answer["ok"], true, "{value}: {answer}");
                    check(&schema("score-answer"), &answer, page);
                }
            }
        }
    }
    assert!(checked >= 8, "{checked}");
}

/// The bodies of the table of calls, where they are whole.
#[test]
fn documented_bodies_fit_the_schemas_of_their_calls() {
    let page = fs::read_to_string(root().join("docs/api.md")).unwrap();
    let mut checked = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("| `POST ")) {
        let mut cells = line.trim_matches('|').split(" | ");
        let (calls, about) = (cells.next().unwrap(), cells.next().unwrap_or_default());
        let Some(body) = about.trim().strip_prefix('`').and_then(|rest| rest.split('`').next())
        else {
            continue;
        };
        let Ok(body) = serde_json::from_str::<Value>(body) else { continue };
        let address = calls.trim().trim_start_matches("`POST ").split(['`', ',']).next().unwrap();
        let path = path_of(&address.replace("NUMBER", "1").replace("/N/", "/1/"));
        let takes = of_call(&path, "post", "requestBody").unwrap_or_else(|| panic!("{path}"));
        check(&takes, &body, &path);
        checked.push(path);
    }
    assert!(checked.len() >= 8, "{checked:?}");
}

/// Every call of the document is on the page for people, and every call of the page is in the document.
#[test]
fn the_page_of_calls_has_every_call() {
    let page = fs::read_to_string(root().join("docs/api.md")).unwrap();
    for path in document("api")["paths"].as_object().unwrap().keys() {
        let parts = path.trim_start_matches('/').replace("{table}", "N").replace("{name}", "NAME");
        let known = [parts.replace("{number}", "NUMBER"), parts.replace("{number}", "TICKET")];
        let (last, start) = (
            parts.rsplit('/').next().unwrap(),
            parts.trim_end_matches("/refuse").trim_end_matches("/ask"),
        );
        let is_known = known.iter().any(|path| page.contains(path.as_str()))
            || (page.contains(&format!("`{last}`")) && page.contains(start));
        assert!(is_known, "docs/api.md lacks {path}");
    }
}

#[cfg(feature = "vision")]
#[test]
fn readings_of_pictures_fit_their_schemas() {
    let pictures = ["photos/tables/row-sorted", "photos/tables/row-shuffled"]
        .map(|name| root().join(format!("datasets/{name}.jpg")).display().to_string());
    let pictures: Vec<&str> =
        pictures.iter().map(String::as_str).filter(|path| Path::new(path).exists()).collect();
    assert!(!pictures.is_empty());
    for (command, more) in
        [("photo", &["--seat", "E", "--round", "E", "--self-draw"][..]), ("tiles", &[])]
    {
        let arguments: Vec<&str> = [command, "--json"]
            .into_iter()
            .chain(pictures.iter().copied())
            .chain(more.iter().copied())
            .collect();
        let (_, out, error) = tilelens(&arguments);
        let read: Vec<Value> =
            out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(read.len(), pictures.len(), "{error}");
        for reading in &read {
            check(&schema(command), reading, command);
            // The reading is read back; one with a field that no reading has is refused by its name.
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("reading.json");
            let again = |reading: &Value| {
                fs::write(&file, reading.to_string()).unwrap();
                tilelens(&[
                    "photo",
                    file.to_str().unwrap(),
                    "--json",
                    "--seat",
                    "E",
                    "--round",
                    "E",
                    "--self-draw",
                ])
            };
            let (code, _, error) = again(reading);
            assert!(code < 2, "{error}");
            for place in ["", "/image", "/tiles/0"] {
                let mut other = reading.clone();
                other.pointer_mut(place).unwrap()["kode"] = "5p".into();
                let (code, _, error) = again(&other);
                assert!(code == 2 && error.contains("unknown field `kode`"), "{place}: {error}");
            }
        }
    }
}

/// The pocket page's requests: fields that no request has are refused.
#[test]
fn requests_of_the_pocket_page_have_no_unknown_fields() {
    let takes = schema("page-request");
    let answer = |asked: &Value| tilelens::page::answer(asked.clone(), Default::default(), &[]);
    for good in [
        serde_json::json!({ "ask": "rules" }),
        serde_json::json!({ "ask": "hand", "context": { "rules": "mmm" }, "fixes": [] }),
        serde_json::json!({ "ask": "advice", "hand": "123m456p789s1122z", "context": { "rules": "mmm" } }),
        serde_json::json!({ "ask": "evening", "events": [], "at": "2026-01-10T17:40:03Z",
            "now": { "open": { "rules": "mmm", "players": ["Ann", "Bo", "Cy", "Di"] } } }),
        serde_json::json!({ "ask": "four_hands", "context": { "rules": "classical-bmja", "round": "E" }, "hands": {} }),
    ] {
        check(&takes, &good, "request");
        assert!(answer(&good).is_ok(), "{good}: {:?}", answer(&good));
        let mut miss = good.clone();
        miss["kontext"] = serde_json::json!({});
        assert!(!takes.is_valid(&miss), "the schema accepts {miss}");
        let error = answer(&miss).unwrap_err().to_string();
        assert!(error.contains("unknown field `kontext`"), "{miss}: {error}");
    }
}

//! A page that needs no server: the replay of a game in one file, with its scripts, words and drawings.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Map, Value, json};

use super::pages::{face_drawing, text_of_page};
use crate::{tile::Face, words::LANGUAGES, words::Language};

const SCRIPT: &str = "replay.js";
/// What the page of a record that can be mended has beside it.
const MENDS: &str = "mend.js";
/// It loads nothing: all it needs is in it. A record is mended at the server that the page is from.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:; connect-src 'self'";

/// The page of a game, which [`crate::page::replay::replay`] gives; `None` where a part of the program is missing.
/// `mends`: the name under which the server mends the record, where whoever is shown the page may do so.
pub fn replay_page(game: &Value, mends: Option<&str>) -> Option<String> {
    let mut page = text_of_page("replay.html")?;
    let mut texts = BTreeSet::new();
    texts_of(game, &mut texts);
    let mut used = page.clone() + &texts.into_iter().collect::<Vec<_>>().join("\n");
    let mut scripts = Map::new();
    let begins = if mends.is_some() { MENDS } else { SCRIPT };
    let mut wanted = vec![begins.to_owned()];
    while let Some(name) = wanted.pop() {
        if scripts.contains_key(&name) {
            continue;
        }
        let script = text_of_page(&name)?;
        used += &script;
        // A script without an address has no neighbours: the page names each.
        let (script, imports) = with_plain_imports(&script);
        scripts.insert(name, format!("data:text/javascript,{}", encoded(&script)).into());
        wanted.extend(imports);
    }
    let styles = text_of_page("table.css")? + &text_of_page("replay.css")?;
    let faces: Map<String, Value> = Face::all()
        .filter_map(|face| Some((face.to_string(), face_drawing(&format!("{face}.svg"))?.into())))
        .collect();
    let parts = [
        format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">"),
        format!("<style>{styles}</style>"),
        data("importmap", None, &json!({ "imports": scripts })),
        data("application/json", Some("own-words"), &words(&used)),
        data("application/json", Some("own-faces"), &faces.into()),
        data("application/json", Some("own-game"), game),
        mends.map_or_else(String::new, |name| {
            data("application/json", Some("own-name"), &name.into())
        }),
        format!("<script type=\"module\">import {};</script>", Value::from(begins)),
    ];
    let begin = page.find("<link")?;
    let end = page.find("</head>")?;
    page.replace_range(begin..end, &parts.join("\n"));
    Some(page)
}

/// A script's text with its imports by plain names, `"./kit.js"` as `"kit.js"`, and those names.
fn with_plain_imports(script: &str) -> (String, Vec<String>) {
    let mut parts = script.split("from \"./");
    let mut text = parts.next().unwrap_or_default().to_owned();
    let mut names = Vec::new();
    for part in parts {
        names.extend(part.split('"').next().map(str::to_owned));
        text += "from \"";
        text += part;
    }
    (text, names)
}

/// The different texts of a value, with the names of its fields.
fn texts_of<'a>(value: &'a Value, into: &mut BTreeSet<&'a str>) {
    match value {
        Value::String(text) => drop(into.insert(text)),
        Value::Array(values) => values.iter().for_each(|value| texts_of(value, into)),
        Value::Object(fields) => {
            for (name, value) in fields {
                into.insert(name);
                texts_of(value, into);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// The words of the other languages for whatever is in a text.
fn words(used: &str) -> Value {
    let mut known: HashMap<String, bool> = HashMap::new();
    let mut is_used = |english: &str| {
        if let Some(known) = known.get(english) {
            return *known;
        }
        // A tradition's own word stands by the id of its item, and an id is spaced where it has no other name.
        let id = english.split_once(": ").map_or(english, |(id, _)| id);
        let is_used = used.contains(id) || used.contains(&id.replace(' ', "_"));
        known.insert(english.to_owned(), is_used);
        is_used
    };
    let languages = LANGUAGES.into_iter().filter_map(Language::named);
    let of = |language: Language| {
        let mut words: Map<String, Value> = serde_json::from_str(language.file()?).ok()?;
        words.retain(|english, _| is_used(english));
        Some((language.tag().to_owned(), Value::from(words)))
    };
    languages.filter_map(of).collect::<Map<_, _>>().into()
}

/// Data in a page, as a script that nothing runs. A `<` in a text would end it.
fn data(kind: &str, id: Option<&str>, value: &Value) -> String {
    let id = id.map_or(String::new(), |id| format!(" id=\"{id}\""));
    format!("<script type=\"{kind}\"{id}>{}</script>", value.to_string().replace('<', "\\u003c"))
}

/// A text in an address.
fn encoded(text: &str) -> String {
    let is_plain =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.~ ,;:()[]{}=*/!'&|@$".contains(byte);
    let mut address = String::with_capacity(2 * text.len());
    for byte in text.bytes() {
        if is_plain(&byte) {
            address.push(char::from(byte));
        } else {
            address += &format!("%{byte:02X}");
        }
    }
    address
}

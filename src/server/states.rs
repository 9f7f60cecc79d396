//! The state as each kind of client gets it. Screens and phones get the fields that they show and no others, so that a
//! new field is the operator's alone until it is listed here.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Client;
use crate::page::TYPED;

/// The fields for overlay and scoreboard: without the sources and the operator's drafts.
const SCREEN: [&str; 12] = [
    "revision",
    "context",
    "phase",
    "photo",
    "moving",
    "doubtful",
    "stale",
    "reading",
    "seats",
    "table",
    "tournament",
    "also",
];
/// The fields for phones: without any hand.
const PHONE: [&str; 2] = ["revision", "context"];
/// The context fields for phones: the rules, not the players.
const PLAYED: [&str; 3] = ["rules", "rulings", "round"];

/// One state as JSON, for each kind of client.
#[derive(Clone, Debug)]
pub struct States {
    whole: Arc<str>,
    screen: Arc<str>,
    phone: Arc<str>,
}

impl States {
    /// Splits the whole state by kind of client.
    #[must_use]
    pub fn new(state: &Value) -> Self {
        // Screens get these fields as they are on air, without the operator's drafts.
        let mut screen = only(state, &SCREEN);
        for (field, seen) in state["programme"].as_object().into_iter().flatten() {
            screen[field] = seen.clone();
        }
        // What is typed is on air as a reading or not at all.
        if let Some(context) = screen.get_mut("context").and_then(Value::as_object_mut) {
            context.retain(|field, _| !TYPED.contains(&field.as_str()));
        }
        let mut phone = only(state, &PHONE);
        phone["context"] = only(&state["context"], &PLAYED);
        let text = |state: &Value| Arc::from(state.to_string());
        Self { whole: text(state), screen: text(&screen), phone: text(&phone) }
    }

    /// The state for a client, as JSON.
    #[must_use]
    pub fn of(&self, client: Client) -> &str {
        match client {
            Client::ThisMachine | Client::Operator => &self.whole,
            Client::Screen => &self.screen,
            Client::Phone | Client::Table => &self.phone,
        }
    }
}

fn only(object: &Value, fields: &[&str]) -> Value {
    let field = |name: &&str| Some(((*name).to_owned(), object.get(*name)?.clone()));
    fields.iter().filter_map(field).collect::<Map<_, _>>().into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn screens_get_what_is_on_air_and_no_draft() {
        let state = json!({
            "revision": 3, "phase": "watching", "reading": { "hand": "draft" }, "context": { "win": "self_draw" },
            "on_air": {}, "programme": { "reading": null, "context": { "hand": "draft" } },
        });
        let states = States::new(&state);
        let screen: Value = serde_json::from_str(states.of(Client::Screen)).unwrap();
        let seen = json!({ "revision": 3, "phase": "watching", "reading": null, "context": {} });
        assert_eq!(screen, seen);
        assert!(states.of(Client::Operator).contains("draft"));
    }
}

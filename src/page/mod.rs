//! What pages ask, and what they are answered: by the server, or by the same code inside the browser.

pub mod advice;
mod context;
pub mod deals;
mod described;
pub mod evening;
pub mod reading;
pub mod wording;

pub use context::{Context, ContextError, TYPED, Typed};
pub use described::described;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use self::reading::Seen;
use crate::{
    rules::{Library, RuleSet},
    tile::Tile,
};

/// What a page asks that has no server.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Asked {
    /// The rule sets to choose from.
    Rules,
    /// The hand of the picture.
    Hand {
        #[serde(default)]
        context: Map<String, Value>,
        #[serde(default)]
        fixes: Vec<(u64, String)>,
    },
    /// Advice on a hand.
    Advice(advice::Asked),
    /// The evening's table.
    Evening(evening::Evening),
}

/// The rule sets to choose from, with their rulings and what has to be asked under them.
pub fn rules() -> Value {
    let sets: Vec<Value> = RuleSet::presets().map(described).collect();
    json!({ "rules": sets })
}

/// Answers a page that has no server: what it asks, as JSON, of the tiles of a picture.
///
/// # Errors
/// What is wrong with the question.
pub fn answer(asked: Value, seen: Seen) -> Result<Value, ContextError> {
    let wrong = |error: &dyn std::fmt::Display| ContextError(error.to_string());
    let library = Library::default();
    match serde_json::from_value(asked).map_err(|error| wrong(&error))? {
        Asked::Rules => Ok(rules()),
        Asked::Advice(asked) => asked.answer(&library),
        Asked::Evening(evening) => evening.answer(&library),
        Asked::Hand { context, fixes } => {
            let fix =
                |(id, code): (u64, String)| Ok((id, code.parse().map_err(|error| wrong(&error))?));
            let fixes: Vec<(u64, Tile)> =
                fixes.into_iter().map(fix).collect::<Result<_, ContextError>>()?;
            let (rules, told) = Context::new("mmm").with(context, &library)?.told(&library)?;
            Ok(reading::of_picture(seen, &rules, told, &fixes))
        }
    }
}

//! Requests of pages and their answers, by the server or by the same code inside the browser.

pub mod advice;
mod context;
pub mod deals;
mod described;
pub mod evening;
pub mod four_hands;
pub mod package;
pub mod reading;
pub mod replay;
pub mod score;
pub mod wording;

pub use context::{Context, ContextError, SCORES, TYPED, Typed};
pub use described::{DescribedRules, RulesList};

use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{
    appraisal::ImageSize, rules::Library, schema::of_request, sight::SeenTile, tile::Tile,
};

/// A request of a page without a server.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
enum PageRequest {
    /// The rule sets to choose from.
    Rules {},
    /// The hand of the picture.
    Hand {
        /// Fields beside the picture.
        #[serde(default)]
        #[schemars(with = "Context")]
        context: Map<String, Value>,
        /// Corrections: a tile's number in the reading and its face.
        #[serde(default)]
        fixes: Vec<(u64, String)>,
    },
    /// Advice on a hand.
    Advice(advice::AdviceRequest),
    /// The evening's table.
    Evening(evening::Evening),
    /// A deal of which all hands are scored.
    FourHands(four_hands::CollectedDeal),
}

/// The schema of a request of a page without a server.
#[must_use]
pub fn request_schema() -> Schema {
    of_request::<PageRequest>()
}

/// Answers a request, as JSON, of a page without a server about the tiles of a picture.
///
/// # Errors
/// An invalid request.
pub fn answer(asked: Value, image: ImageSize, tiles: &[SeenTile]) -> Result<Value, ContextError> {
    let wrong = |error: &dyn std::fmt::Display| ContextError(error.to_string());
    let library = Library::default();
    match serde_json::from_value(asked).map_err(|error| wrong(&error))? {
        PageRequest::Rules {} => {
            serde_json::to_value(RulesList::presets()).map_err(|error| wrong(&error))
        }
        PageRequest::Advice(asked) => {
            serde_json::to_value(asked.answer(&library)?).map_err(|error| wrong(&error))
        }
        PageRequest::Evening(evening) => evening.answer(&library),
        PageRequest::FourHands(deal) => {
            serde_json::to_value(deal.answer(&library)?).map_err(|error| wrong(&error))
        }
        PageRequest::Hand { context, fixes } => {
            let fix =
                |(id, code): (u64, String)| Ok((id, code.parse().map_err(|error| wrong(&error))?));
            let fixes: Vec<(u64, Tile)> =
                fixes.into_iter().map(fix).collect::<Result<_, ContextError>>()?;
            let context = Context::new("mmm").with(context, &library)?;
            let (rules, input) = context.resolve(&library)?;
            let reading = reading::of_photo(image, tiles, &rules, input, &fixes, &context)?;
            serde_json::to_value(reading).map_err(|error| wrong(&error))
        }
    }
}

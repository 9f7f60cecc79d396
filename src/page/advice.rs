//! Advice on a hand, requested by a page.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Context, ContextError};
use crate::{
    advice::{AdviceJson, Weighed},
    hand::Reading,
    rules::{Circumstances, Library, Win},
    tile::{Face, Seat},
};

/// A request for advice on a hand.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdviceRequest {
    /// The hand, as text.
    hand: String,
    /// Face-up tiles elsewhere, as text.
    #[serde(default)]
    seen: String,
    /// The rule set, its rulings, seats and round, and what the hand's player has declared.
    #[serde(default)]
    #[schemars(with = "Context")]
    context: Map<String, Value>,
}

impl AdviceRequest {
    /// Advice as `tilelens advise --json` prints it.
    ///
    /// # Errors
    /// An invalid hand or context.
    pub fn answer(self, library: &Library) -> Result<AdviceJson, ContextError> {
        let wrong = |error: &dyn std::fmt::Display| ContextError(error.to_string());
        let context = Context::new("mmm").with(self.context, library)?;
        let seat = context.seat();
        let (rules, input) = context.of_seat(seat).resolve(library)?;
        let hand: Reading = self.hand.parse().map_err(|error| wrong(&error))?;
        let seen: Reading = self.seen.parse().map_err(|error| wrong(&error))?;
        let seen: Vec<Face> = seen.faces().collect();
        let plain = || Circumstances::new(seat, Seat::East, Win::SelfDraw);
        let at = input.at.unwrap_or_else(plain);
        let weighed = Weighed::new(&rules, &hand, &seen, &at).map_err(|error| wrong(&error))?;
        Ok(weighed.json(&rules, &hand))
    }
}

//! JSON Schema of requests to score and of their answers.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::{Reply, deal_request::WrittenDeal, request::Written};
use crate::schema::{of_answer, of_request};

/// A request to score a hand or a whole deal.
#[derive(JsonSchema)]
#[schemars(rename = "ScoreRequest")]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes requests, which are read by their fields")]
enum ScoreRequest<'a> {
    Hand(Box<Written<'a>>),
    Deal(WrittenDeal),
}

/// The fields of a request to score a hand.
pub fn hand_request(generator: &mut SchemaGenerator) -> Schema {
    Written::json_schema(generator)
}

/// The schema of a request to score, a line of `tilelens score --batch`.
#[must_use]
pub fn score_request() -> Schema {
    of_request::<ScoreRequest>()
}

/// The schema of an answer to a request to score.
#[must_use]
pub fn score_answer() -> Schema {
    of_answer::<Reply>()
}

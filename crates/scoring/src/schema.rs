//! JSON Schema (draft 2020-12) of requests and answers, made from the types that read and write them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};

use crate::{
    points::Points,
    rules::{AsText, Halves, Reply, WrittenDeal, WrittenRequest},
    tile::{Face, Seat},
    words::Say,
};

/// A request to score a hand or a whole deal.
#[derive(JsonSchema)]
#[schemars(rename = "ScoreRequest")]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes requests, which are read by their fields")]
enum ScoreRequest<'a> {
    Hand(Box<WrittenRequest<'a>>),
    Deal(WrittenDeal),
}

/// The fields of a request to score a hand.
pub fn hand_request(generator: &mut SchemaGenerator) -> Schema {
    WrittenRequest::json_schema(generator)
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

/// The schema of texts that are read as a type.
#[must_use]
pub fn of_request<T: JsonSchema + ?Sized>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// The schema of texts that a type is written as.
#[must_use]
pub fn of_answer<T: JsonSchema + ?Sized>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// Describes a type under a name: as the type that it is written as, or by a function of the generator. Types with one
/// name share one definition.
#[doc(hidden)]
#[macro_export]
macro_rules! described_as {
    ($name:literal, $type:ty, |$generator:pat_param| $schema:expr) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
    ($name:literal, $type:ty, $written:ty) => {
        $crate::schema::described_as!($name, $type, |generator| {
            <$written as schemars::JsonSchema>::json_schema(generator)
        });
    };
}
#[doc(hidden)]
pub use described_as;

/// Amounts by seats as text; nobody may sit at North.
pub(crate) fn amounts(generator: &mut SchemaGenerator) -> Schema {
    let amount = generator.subschema_for::<AsText<i64>>();
    json_schema!({
        "type": "object",
        "properties": { "E": amount, "S": amount, "W": amount, "N": amount },
        "required": ["E", "S", "W"],
        "additionalProperties": false,
    })
}

/// An exact number as it is written, or texts and numbers that are read as one.
fn number(generator: &mut SchemaGenerator, read: &str, least: i64) -> Schema {
    if generator.contract().is_serialize() {
        return generator.subschema_for::<AsText<i64>>();
    }
    json_schema!({ "anyOf": [
        { "type": "integer", "minimum": least },
        { "type": "string", "pattern": read },
    ] })
}

described_as!("Halves", Halves, |generator| number(generator, "^[0-9]+(/2)?$", 0));
described_as!("Points", Points, |generator| number(generator, "[0-9]", i64::MIN));
described_as!("Seat", Seat, |_| json_schema!({ "type": "string", "enum": ["E", "S", "W", "N"] }));
described_as!("Face", Face, |_| {
    json_schema!({ "type": "string", "pattern": "^([1-9][mps]|[1-7]z|[1-8]f)$" })
});
described_as!("Say", Say, |generator| {
    let said = generator.subschema_for::<Say>();
    let tiles = json_schema!({
        "type": "object",
        "properties": { "tiles": { "type": "string" } },
        "required": ["tiles"],
        "additionalProperties": false,
    });
    let words = json_schema!({
        "type": "array",
        "prefixItems": [{ "type": "string" }, { "type": "object", "additionalProperties": said }],
        "items": false,
        "minItems": 1,
    });
    json_schema!({
        "description": "A sentence that pages translate: a text that is the same in each language, tiles, or an English text and its values.",
        "anyOf": [{ "type": "string" }, tiles, words],
    })
});

impl<T> JsonSchema for AsText<T> {
    fn schema_name() -> Cow<'static, str> {
        "ExactNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number that may be a fraction, in lowest terms.",
            "type": "string",
            "pattern": "^-?[0-9]+(/[0-9]+)?$",
        })
    }
}

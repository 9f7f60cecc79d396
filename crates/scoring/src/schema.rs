//! JSON Schema (draft 2020-12) of types that are read and written, made from them.

use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};

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
    let amount = generator.subschema_for::<ExactNumber>();
    json_schema!({
        "type": "object",
        "properties": { "E": amount, "S": amount, "W": amount, "N": amount },
        "required": ["E", "S", "W"],
        "additionalProperties": false,
    })
}

/// An exact number as it is written, or texts and numbers that are read as one.
pub(crate) fn number(generator: &mut SchemaGenerator, read: &str, least: i64) -> Schema {
    if generator.contract().is_serialize() {
        return generator.subschema_for::<ExactNumber>();
    }
    json_schema!({ "anyOf": [
        { "type": "integer", "minimum": least },
        { "type": "string", "pattern": read },
    ] })
}

/// A number that may be a fraction, as text.
pub(crate) struct ExactNumber;

described_as!("ExactNumber", ExactNumber, |_| {
    json_schema!({
        "description": "A number that may be a fraction, in lowest terms.",
        "type": "string",
        "pattern": "^-?[0-9]+(/[0-9]+)?$",
    })
});

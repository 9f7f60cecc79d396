//! The calls for programs as an OpenAPI 3.1 document.

use schemars::{
    Schema, SchemaGenerator,
    generate::{Contract, SchemaSettings},
    json_schema,
};
use serde_json::{Map, Value, json};

use super::calls::{CALLS, Call, Describe, Gives, Takes};

/// The refusals of every call with a body: another site's page, no whole request in time, too large, not understood.
const OF_BODIES: [u16; 4] = [403, 408, 413, 422];

/// The document under construction: each contract has definitions of its own.
struct Document {
    sent: SchemaGenerator,
    answered: SchemaGenerator,
}

impl Document {
    fn new() -> Self {
        let generator = |contract: Contract| {
            let mut settings = SchemaSettings::draft2020_12();
            settings.contract = contract;
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
            settings.into_generator()
        };
        Self { sent: generator(Contract::Deserialize), answered: generator(Contract::Serialize) }
    }

    fn operation(&mut self, call: &Call) -> Value {
        let is_number = |part: &&str| part.starts_with('{');
        let path = call.path.split('/').filter(is_number).map(|part| {
            let name = part.trim_matches(['{', '}']);
            let schema = json!({ "type": "integer", "minimum": 0 });
            json!({ "name": name, "in": "path", "required": true, "schema": schema })
        });
        let mut parameters: Vec<Value> = path.collect();
        let mut operation = json!({ "summary": call.about });
        let refused = json!({
            "description": "Refused",
            "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Refusal" } } },
        });
        let mut responses = Map::new();
        let bodies: &[u16] = if call.method == "post" { &OF_BODIES } else { &[] };
        for status in call.refusals.iter().chain(bodies) {
            let mut refused = refused.clone();
            if *status == 400 {
                // Of an address that cannot be read.
                refused["content"]["text/plain"] = json!({ "schema": { "type": "string" } });
            }
            responses.insert(status.to_string(), refused);
        }
        match &call.takes {
            Takes::Nothing => {}
            Takes::Query(query) => parameters.extend(self.parameters(*query)),
            Takes::Json(body) => {
                let schema = renamed(body(&mut self.sent));
                operation["requestBody"] =
                    json!({ "content": { "application/json": { "schema": schema } } });
            }
            Takes::Picture(query) => {
                parameters.extend(self.parameters(*query));
                let picture =
                    json!({ "schema": { "type": "string", "contentMediaType": "image/*" } });
                operation["requestBody"] = json!({ "content": { "image/*": picture } });
            }
        }
        let (status, answer) = match &call.gives {
            Gives::Done => ("204", json!({ "description": "Done" })),
            Gives::Socket(schema) => {
                let messages = schema(&mut self.answered);
                ("101", json!({ "description": "A WebSocket", "x-messages": messages }))
            }
            Gives::Json(schema) => {
                let content =
                    json!({ "application/json": { "schema": schema(&mut self.answered) } });
                ("200", json!({ "description": "Done", "content": content }))
            }
            Gives::File(kind) => {
                let content = json!({ (*kind): { "schema": { "type": "string" } } });
                ("200", json!({ "description": "Done", "content": content }))
            }
        };
        responses.insert(status.to_owned(), answer);
        operation["responses"] = responses.into();
        operation["parameters"] = parameters.into();
        operation
    }

    /// The parameters of an address, from the type that reads them.
    fn parameters(&mut self, query: Describe) -> Vec<Value> {
        let named = query(&mut self.sent);
        let name = named.get("$ref").and_then(Value::as_str).and_then(|it| it.rsplit('/').next());
        let query =
            name.and_then(|name| self.sent.definitions_mut().remove(name)).unwrap_or_default();
        let required: Vec<&str> =
            query["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let each = query["properties"].as_object().into_iter().flatten();
        each.map(|(name, schema)| {
            let is_required = required.contains(&name.as_str());
            json!({ "name": name, "in": "query", "required": is_required, "schema": schema })
        })
        .collect()
    }

    /// All definitions; those of requests under names of their own.
    fn definitions(mut self) -> Value {
        let refusal = json!({
            "type": "object",
            "properties": {
                "error": { "type": "string", "description": "Why, for people" },
                "asked": { "type": "object", "description": "What has to be confirmed: repeat with `meant`" },
                "field": { "type": "string", "description": "The field at fault" },
            },
            "required": ["error"],
        });
        let mut all = Map::from_iter([("Refusal".to_owned(), refusal)]);
        for (name, schema) in self.sent.take_definitions(true) {
            all.insert(format!("{name}{SENT}"), renamed(schema));
        }
        all.extend(self.answered.take_definitions(true));
        all.into()
    }
}

/// What the names of requests' definitions end with.
const SENT: &str = "Sent";

/// A schema of a request, its references by their names in the document.
fn renamed(schema: impl Into<Value>) -> Value {
    let mut schema = schema.into();
    let refer = |value: &mut Value| {
        if let Value::String(path) = value {
            path.push_str(SENT);
        }
    };
    match &mut schema {
        Value::Object(fields) => {
            for (field, value) in fields {
                if field == "$ref" { refer(value) } else { *value = renamed(value.take()) }
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|value| *value = renamed(value.take())),
        _ => {}
    }
    schema
}

/// The OpenAPI document of all calls.
#[must_use]
pub fn document() -> Schema {
    let mut document = Document::new();
    let mut paths: Map<String, Value> = Map::new();
    for call in CALLS {
        let methods = paths.entry(call.path).or_insert_with(|| json!({}));
        methods[call.method] = document.operation(call);
    }
    json_schema!({
        "openapi": "3.1.0",
        "info": {
            "title": "Tilelens",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "The calls of a running server; docs/api.md says what they do.",
        },
        "paths": paths,
        "components": { "schemas": document.definitions() },
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::{calls::CALLS, routes};

    /// Routes of pages, which no program calls.
    const PAGES: &[&str] = &[
        "/",
        "/assets/{name}",
        "/faces/{name}",
        "/control",
        "/overlay",
        "/replay",
        "/replay/{name}",
        "/scoreboard",
        "/phone",
        "/tiles",
        "/pocket",
        "/pocket/",
        "/pocket/{*file}",
        "/user.css",
        "/theme/{name}",
        "/table/{table}",
        "/desk",
    ];

    #[test]
    fn every_route_is_described() {
        let described: BTreeSet<&str> =
            CALLS.iter().map(|call| call.path).chain(PAGES.iter().copied()).collect();
        let routes: BTreeSet<&str> = routes().map(|(path, _)| path).collect();
        assert_eq!(described, routes);
    }
}

//! The bodies of requests: JSON, whatever content type the request states.

use axum::{
    body::Bytes,
    extract::{FromRequest, Request},
    http::StatusCode,
};
use schemars::JsonSchema;
use serde::{Deserialize, de::DeserializeOwned};

use super::refused::Refused;

/// What a request says. An empty body says nothing, as `{}` does. A field that the call does not know is refused: its
/// sender would wait for an effect in vain.
pub(super) struct Words<T>(pub T);

/// The body of a call that needs no words.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Words<T> {
    type Rejection = Refused;

    async fn from_request(request: Request, at: &S) -> Result<Self, Refused> {
        let body = Bytes::from_request(request, at).await;
        let body = body.map_err(|error| Refused(error.status(), error.body_text()))?;
        read(&body).map(Self)
    }
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    let wrong = |why: String| Refused(StatusCode::UNPROCESSABLE_ENTITY, why);
    let body = if body.trim_ascii().is_empty() { b"{}" } else { body };
    // A list of values in the right order would do for serde.
    if body.trim_ascii_start().first() != Some(&b'{') {
        return Err(wrong("expected a JSON object".to_owned()));
    }
    let mut unknown = None;
    let mut text = serde_json::Deserializer::from_slice(body);
    let read = serde_ignored::deserialize(&mut text, |field| {
        unknown.get_or_insert_with(|| field.to_string());
    });
    let read = read.and_then(|read| text.end().map(|()| read));
    let read = read.map_err(|error| wrong(error.to_string()))?;
    match unknown {
        Some(field) => Err(wrong(format!("unknown field `{field}`"))),
        None => Ok(read),
    }
}

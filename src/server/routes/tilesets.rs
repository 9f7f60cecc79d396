//! Tile sets that are taught from photos.

use axum::{
    Extension, Json,
    extract::{Path, Query, Request, State},
    http::StatusCode,
    response::IntoResponse,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Answer, Served, photos::sent, refused::Refused, words::Words};
use crate::{
    server::{connections::Peer, preview, teaching::Answered},
    tileset::SetName,
};

/// The name of the set, and the number of the first photo for a second one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LaidOut {
    name: String,
    with: Option<u64>,
    ticket: Option<u64>,
}

/// A photo of a set that was laid out. Nothing is written.
pub(super) async fn laid_out(
    State(at): State<Served>,
    Extension(Peer(from)): Extension<Peer>,
    Query(query): Query<LaidOut>,
    request: Request,
) -> Answer {
    let sent = match sent(&at, from, query.ticket, request).await {
        Ok(sent) => sent,
        Err(answer) => return Ok(*answer),
    };
    // After the picture has come: who is answered while still sending sees a broken connection.
    let name: SetName = query.name.parse().map_err(|error: crate::tileset::ProfileError| {
        Refused(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    })?;
    let found = at.teaching.read_photo(sent, name, query.with).await;
    let found = found.inspect_err(|_| {
        at.hub.metrics.refused.inc();
    })?;
    at.hub.metrics.photos.inc();
    Ok(Json(found).into_response())
}

/// The last photo of a set that waits for its confirmation, for browsers that cannot show its kind of file.
pub(super) async fn laid_out_picture(State(at): State<Served>, Path(number): Path<u64>) -> Answer {
    Ok(preview::one(at.teaching.picture(number)?).await)
}

/// Writes the found tiles as confirmed by a person.
pub(super) async fn learn(
    State(at): State<Served>,
    Path(number): Path<u64>,
    Words(answered): Words<Answered>,
) -> Answer {
    let place = at.photos.place().await?;
    Ok(Json(at.teaching.learn(place, number, answered).await?).into_response())
}

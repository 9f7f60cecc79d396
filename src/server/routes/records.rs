//! The games of the folder of `--records`: their list, and each as a page.

use std::path::Path as FilePath;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::IntoResponse,
};

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Answer, Refused, Served, tile, words::Words};
use crate::{
    convert::log::{MendError, Mending},
    server::{
        Client, pages,
        records::{self, RecordError},
        replay,
    },
};

fn folder(at: &Served) -> Result<&FilePath, Refused> {
    let none = || {
        let why = "this server shows no games: start it with --records FOLDER";
        Refused(StatusCode::NOT_FOUND, why.to_owned())
    };
    at.records.as_deref().ok_or_else(none)
}

/// The games, the newest first.
pub(super) async fn games(State(at): State<Served>) -> Answer {
    let folder = folder(&at)?;
    let wrong = |error| {
        let why = format!("{} cannot be read: {error}", folder.display());
        Refused(StatusCode::INTERNAL_SERVER_ERROR, why)
    };
    Ok(Json(records::games(folder).map_err(wrong)?).into_response())
}

/// The page that replays a game.
pub(super) async fn game(State(at): State<Served>, Path(name): Path<String>) -> Answer {
    let folder = folder(&at)?.to_owned();
    let may_mend = matches!(at.client, Client::ThisMachine | Client::Operator);
    let made = tokio::task::spawn_blocking(move || records::page(&folder, &name, may_mend)).await;
    let made =
        made.map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(pages::file_of_page("replay.html", replay::POLICY, made?))
}

/// What the operator says of an event: its tile, where it is a discard that was recorded as another one; otherwise that it is
/// right as it stands.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MendedEvent {
    /// The deal, from 0.
    deal: usize,
    /// The number of the event in the deal, whose beginning is 0.
    event: usize,
    /// The tile that was discarded.
    tile: Option<String>,
}

/// Mends a record.
pub(super) async fn mend(
    State(at): State<Served>,
    Path(name): Path<String>,
    Words(said): Words<MendedEvent>,
) -> Answer {
    let folder = folder(&at)?.to_owned();
    let MendedEvent { deal, event, .. } = said;
    let mending = Mending { deal, event, tile: said.tile.as_deref().map(tile).transpose()? };
    let _one = at.deciding.lock().await;
    let done = tokio::task::spawn_blocking(move || records::mend(&folder, &name, mending)).await;
    done.map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))??;
    Ok(StatusCode::NO_CONTENT.into_response())
}

impl From<RecordError> for Refused {
    fn from(error: RecordError) -> Self {
        let status = match error {
            RecordError::None(_) => StatusCode::NOT_FOUND,
            RecordError::File(..) => StatusCode::INTERNAL_SERVER_ERROR,
            RecordError::Large(_) | RecordError::Log(..) => StatusCode::UNPROCESSABLE_ENTITY,
            RecordError::InUse(_) | RecordError::Mend(MendError::NoEvent { .. }) => {
                StatusCode::CONFLICT
            }
            RecordError::Mend(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self(status, error.to_string())
    }
}

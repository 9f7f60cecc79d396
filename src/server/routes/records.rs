//! The games of the folder of `--records` and of the ledger: their list, and each as a page.

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
        records::{RecordError, Records},
        replay,
    },
};

fn records(at: &Served) -> Result<&Records, Refused> {
    let none = || {
        let why = "this server shows no games: start it with --records FOLDER or --ledger FILE";
        Refused(StatusCode::NOT_FOUND, why.to_owned())
    };
    at.records.as_deref().ok_or_else(none)
}

/// The games, the newest first.
pub(super) async fn games(State(at): State<Served>) -> Answer {
    Ok(Json(records(&at)?.games().await?).into_response())
}

/// The page that replays a game.
pub(super) async fn game(State(at): State<Served>, Path(name): Path<String>) -> Answer {
    let may_mend = matches!(at.client, Client::ThisMachine | Client::Operator);
    let page = records(&at)?.page(name, may_mend).await?;
    Ok(pages::file_of_page("replay.html", replay::POLICY, page))
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
    let MendedEvent { deal, event, .. } = said;
    let mending = Mending { deal, event, tile: said.tile.as_deref().map(tile).transpose()? };
    let _one = at.deciding.lock().await;
    records(&at)?.mend(name, mending).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

impl From<RecordError> for Refused {
    fn from(error: RecordError) -> Self {
        let status = match error {
            RecordError::None(_) => StatusCode::NOT_FOUND,
            RecordError::File(..) | RecordError::Ledger(_) | RecordError::Broken(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            RecordError::Large(_) | RecordError::Log(..) => StatusCode::UNPROCESSABLE_ENTITY,
            RecordError::InUse(_) | RecordError::Mend(MendError::NoEvent { .. }) => {
                StatusCode::CONFLICT
            }
            RecordError::Mend(_) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self(status, error.to_string())
    }
}

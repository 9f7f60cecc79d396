//! The games of the folder of `--records`: their list, and each as a page.

use std::path::Path as FilePath;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::IntoResponse,
};

use super::{Answer, Refused, Served};
use crate::server::{
    pages,
    records::{self, RecordError},
    replay,
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
    let made = tokio::task::spawn_blocking(move || records::page(&folder, &name)).await;
    let made =
        made.map_err(|error| Refused(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(pages::file_of_page("replay.html", replay::POLICY, made?))
}

impl From<RecordError> for Refused {
    fn from(error: RecordError) -> Self {
        let status = match error {
            RecordError::None(_) => StatusCode::NOT_FOUND,
            RecordError::File(..) => StatusCode::INTERNAL_SERVER_ERROR,
            RecordError::Large(_) | RecordError::Log(..) => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self(status, error.to_string())
    }
}

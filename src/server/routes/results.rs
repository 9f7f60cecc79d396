//! Results of a tournament's tables, entered from paper.

use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;

use super::{Answer, Served, refused::Refused, words::Words};
use crate::{
    page::wording::labels,
    server::paper::{Paper, PaperError, TableResult},
};

fn paper(at: &Served) -> Result<&Paper, Refused> {
    let shown = at.paper.as_deref().filter(|_| at.hub.tournament().is_some());
    shown.ok_or_else(|| {
        let why = "there is no tournament in the ledger that is served";
        Refused(StatusCode::CONFLICT, why.to_owned())
    })
}

/// Who sits where in each round, and the results so far.
pub(super) async fn results(State(at): State<Served>) -> Answer {
    Ok(Json(paper(&at)?.tables().await?).into_response())
}

/// A table's result, or that it is taken back.
pub(super) async fn result(State(at): State<Served>, Words(said): Words<TableResult>) -> Answer {
    let _one = at.deciding.lock().await;
    match paper(&at)?.enter(&said).await {
        Ok(tables) => Ok(Json(tables).into_response()),
        Err(PaperError::Field(field, why)) => Ok(beside(&field, &why)),
        Err(PaperError::Entry(error)) => Err(error.into()),
    }
}

/// A refusal that names the field that it is about.
pub(super) fn beside(field: &str, why: &str) -> Response {
    let words = json!({ "error": labels(why), "field": field });
    (StatusCode::UNPROCESSABLE_ENTITY, Json(words)).into_response()
}

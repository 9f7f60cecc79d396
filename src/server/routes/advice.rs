//! Advice on a hand that somebody looks at on a page.

use axum::{Json, extract::State, response::IntoResponse};

use super::{Answer, Served, words::Words};
use crate::page::advice::AdviceRequest;

/// Advice as `tilelens advise --json` prints it.
pub(super) async fn advise(State(at): State<Served>, Words(asked): Words<AdviceRequest>) -> Answer {
    Ok(Json(asked.answer(at.hub.library())?).into_response())
}

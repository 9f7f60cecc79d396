//! Advice on a hand that somebody looks at on a page, and the settlement of a deal collected there.

use axum::{Json, extract::State, response::IntoResponse};

use super::{Answer, Served, words::Words};
use crate::page::{advice::AdviceRequest, four_hands::CollectedDeal};

/// Advice as `tilelens advise --json` prints it.
pub(super) async fn advise(State(at): State<Served>, Words(asked): Words<AdviceRequest>) -> Answer {
    Ok(Json(asked.answer(at.hub.library())?).into_response())
}

/// The worths of a deal's hands, and its payments.
pub(super) async fn four_hands(
    State(at): State<Served>,
    Words(deal): Words<CollectedDeal>,
) -> Answer {
    Ok(Json(deal.answer(at.hub.library())?).into_response())
}

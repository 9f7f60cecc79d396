//! Advice on a hand that somebody looks at on a page.

use axum::{Json, extract::State, http::StatusCode, response::IntoResponse};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Answer, Served, refused::Refused};
use crate::{
    advice::Weighed,
    hand::Reading,
    rules::{Circumstances, Win},
    server::Context,
    tile::{Face, Seat, SeenFace},
};

/// A hand of which advice is asked.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// As text.
    hand: String,
    /// Tiles that lie face up elsewhere, as text.
    #[serde(default)]
    seen: String,
    /// The rule set, its rulings, seats and round, and what the hand's player has declared.
    #[serde(default)]
    context: Map<String, Value>,
}

/// Advice as `tilelens advise --json` prints it.
pub(super) async fn advise(State(at): State<Served>, Json(asked): Json<Asked>) -> Answer {
    let wrong = |why: String| Refused::words(StatusCode::UNPROCESSABLE_ENTITY, &why);
    let context = Context::new("mmm").with(asked.context, at.hub.library())?;
    let seat = context.seat();
    let (rules, told) = context.of_seat(seat).told(at.hub.library())?;
    let hand: Reading = asked.hand.parse().map_err(|error| wrong(format!("{error}")))?;
    let seen: Reading = asked.seen.parse().map_err(|error| wrong(format!("{error}")))?;
    let seen: Vec<Face> = (seen.concealed.iter().chain(&seen.bonus))
        .filter_map(|seen| match seen {
            SeenFace::Tile(tile) => Some(tile.face()),
            SeenFace::Back | SeenFace::Unknown => None,
        })
        .collect();
    let plain = || Circumstances::new(seat, Seat::East, Win::SelfDraw);
    let at = told.at.unwrap_or_else(plain);
    let weighed =
        Weighed::new(&rules, &hand, &seen, &at).map_err(|error| wrong(error.to_string()))?;
    Ok(Json(weighed.json(&rules, &hand)).into_response())
}

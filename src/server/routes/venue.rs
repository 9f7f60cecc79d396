//! The pages of the hall: one for each table, and the desk's.

use std::sync::Arc;

use axum::{
    Extension, Json,
    extract::{Path, State, WebSocketUpgrade},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;
use tokio::sync::watch;

use super::{Answer, LARGEST_WORDS, Served, full, refused::Refused, words::Words};
use crate::{
    ledger::Opens,
    page::wording::joined,
    server::{
        EntryError, pages,
        paper::PaperError,
        socket,
        venue::{Answering, AskingDesk, Doing, Entering, PaperEntry, Venue},
    },
};

/// The target of the code in the address; `None` without a code.
pub(super) type Door = Option<Extension<Opens>>;

/// The ledger's tables, if the client may see this one.
fn at_table(at: &Served, door: Door, table: u32) -> Result<Arc<Venue>, Refused> {
    if door.is_some_and(|Extension(opens)| opens != Opens::Desk && opens != Opens::Table(table)) {
        let why = "this code opens another table's page: take the one that lies on this table";
        return Err(Refused(StatusCode::FORBIDDEN, why.to_owned()));
    }
    hall(at)
}

fn hall(at: &Served) -> Result<Arc<Venue>, Refused> {
    at.venue.clone().ok_or_else(|| {
        let why = "no ledger that can be written is served: start with --ledger FILE";
        Refused(StatusCode::CONFLICT, why.to_owned())
    })
}

/// The answer, or the question that needs confirmation.
fn answered(done: Result<serde_json::Value, EntryError>) -> Answer {
    match done {
        Ok(now) => Ok(Json(now).into_response()),
        Err(error) => match error.asked() {
            Some(asked) => {
                let words = json!({ "error": joined(&asked.doubts), "asked": asked });
                Ok((StatusCode::CONFLICT, Json(words)).into_response())
            }
            None => Err(error.into()),
        },
    }
}

pub(super) async fn table_page(
    State(at): State<Served>,
    door: Door,
    Path(table): Path<u32>,
) -> Answer {
    at_table(&at, door, table)?;
    Ok(pages::table_page())
}

pub(super) async fn table(State(at): State<Served>, door: Door, Path(table): Path<u32>) -> Answer {
    Ok(Json(at_table(&at, door, table)?.shown(table).await?).into_response())
}

pub(super) async fn table_socket(
    State(at): State<Served>,
    door: Door,
    Path(table): Path<u32>,
    upgrade: WebSocketUpgrade,
) -> Answer {
    let shown = at_table(&at, door, table)?.watch(table).await?;
    pushed(&at, shown, upgrade)
}

pub(super) async fn desk_socket(State(at): State<Served>, upgrade: WebSocketUpgrade) -> Answer {
    let shown = hall(&at)?.watch_desk().await?;
    pushed(&at, shown, upgrade)
}

/// Pushes the state to a page, now and after each change.
fn pushed(at: &Served, shown: watch::Receiver<Arc<str>>, upgrade: WebSocketUpgrade) -> Answer {
    let place = Arc::clone(&at.phones).try_acquire_owned().map_err(|_| full())?;
    Ok(upgrade.max_message_size(LARGEST_WORDS).max_frame_size(LARGEST_WORDS).on_upgrade(
        async move |socket| {
            socket::push(socket, shown, |shown| shown.to_string()).await;
            drop(place);
        },
    ))
}

pub(super) async fn enter(
    State(at): State<Served>,
    door: Door,
    Path(table): Path<u32>,
    Words(words): Words<Entering>,
) -> Answer {
    let venue = at_table(&at, door, table)?;
    answered(venue.enter(table, words, at.hub.library()).await)
}

pub(super) async fn confirm(
    State(at): State<Served>,
    door: Door,
    Path(table): Path<u32>,
    Words(words): Words<Answering>,
) -> Answer {
    let venue = at_table(&at, door, table)?;
    answered(venue.confirm(table, &words).await)
}

pub(super) async fn refuse(
    State(at): State<Served>,
    door: Door,
    Path(table): Path<u32>,
    Words(words): Words<Answering>,
) -> Answer {
    let venue = at_table(&at, door, table)?;
    answered(venue.refuse(table, &words).await)
}

pub(super) async fn ask_desk(
    State(at): State<Served>,
    door: Door,
    Path(table): Path<u32>,
    Words(words): Words<AskingDesk>,
) -> Answer {
    let venue = at_table(&at, door, table)?;
    answered(venue.ask_desk(table, &words).await)
}

pub(super) async fn desk_page() -> Response {
    pages::page("desk.html")
}

pub(super) async fn desk(State(at): State<Served>) -> Answer {
    Ok(Json(hall(&at)?.desk_shown().await?).into_response())
}

pub(super) async fn desk_does(State(at): State<Served>, Words(doing): Words<Doing>) -> Answer {
    answered(hall(&at)?.desk_does(doing).await)
}

pub(super) async fn desk_paper(State(at): State<Served>, Words(said): Words<PaperEntry>) -> Answer {
    match hall(&at)?.enter_paper(said).await {
        Ok(now) => Ok(Json(now).into_response()),
        Err(PaperError::Field(field, why)) => Ok(super::results::beside(&field, &why)),
        Err(PaperError::Entry(error)) => Err(error.into()),
    }
}

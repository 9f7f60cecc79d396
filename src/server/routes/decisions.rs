//! The operator's decisions.

use axum::{Json, extract::State, http::StatusCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Answer, Served, refused::Refused, tile};
use crate::{
    server::{Book, BookError, Drawn, Entered, Faulted, teaching::TeachingError},
    table::TableState,
};

pub(super) async fn context(
    State(at): State<Served>,
    Json(changes): Json<Map<String, Value>>,
) -> Answer {
    let _one = at.deciding.lock().await;
    if at.book.is_some() && ["rules", "rulings"].iter().any(|field| changes.contains_key(*field)) {
        let why = "the ledger's table says which rules are played: they cannot be changed here";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    at.hub.set_context(changes)?;
    Ok(at.state())
}

/// What a tile is; without `code` a correction is taken back.
#[derive(Deserialize)]
pub(super) struct Correction {
    tile: u64,
    code: Option<String>,
    /// The corrections of the hand on show are to be kept in the tile set in use.
    #[serde(default)]
    keep: bool,
}

/// Has the tile set in use learn the corrections of the hand on show, and forget those that were taken
/// back.
async fn keep_shown(at: &Served, keep: bool) -> Result<(), TeachingError> {
    match at.hub.corrected(keep) {
        Some(keeping) => at.teaching.keep_corrections(keeping).await,
        None => Ok(()),
    }
}

pub(super) async fn correct(
    State(at): State<Served>,
    Json(correction): Json<Correction>,
) -> Answer {
    let one = at.deciding.lock().await;
    let is = correction.code.as_deref().map(tile).transpose()?;
    if !at.hub.correct(correction.tile, is) {
        let why = format!(
            "no tile {} lies there any more, or a confirmed hand is on show",
            correction.tile
        );
        return Err(Refused(StatusCode::NOT_FOUND, why));
    }
    drop(one);
    keep_shown(&at, correction.keep).await?;
    Ok(at.state())
}

pub(super) async fn confirm(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    let Some(confirming) = at.hub.to_confirm() else {
        let why = "there is no scored hand to confirm: settle the doubts and say how it was won";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    };
    let Some(book) = &at.book else {
        at.hub.confirm(confirming.reading, None);
        return Ok(at.state());
    };
    let written = book.write(&confirming).await;
    decided(&at, book, confirming.reading, written).await
}

/// What was decided is on show once the ledger has it.
async fn decided(
    at: &Served,
    book: &Book,
    reading: Value,
    written: Result<TableState, BookError>,
) -> Answer {
    match written {
        Ok(table) => {
            at.hub.confirm(reading, Some(Entered::last_of(&table)));
            at.hub.set_table(table);
            Ok(at.state())
        }
        Err(error) => Err(shown_anew(at, book, error).await),
    }
}

/// The refusal of what could not be written. Somebody may have written meanwhile: the page shows the table as
/// it is now.
async fn shown_anew(at: &Served, book: &Book, error: BookError) -> Refused {
    if let Ok(table) = book.state().await {
        at.hub.set_table(table);
    }
    error.into()
}

/// The ledger, and its table as the pages show it, where a deal can be ended without a winner.
fn without_winner(at: &Served) -> Result<(&Book, TableState), Refused> {
    at.book.as_deref().zip(at.hub.to_draw()).ok_or_else(|| {
        let why = "this is entered at a ledger's table, before a hand is confirmed";
        Refused(StatusCode::CONFLICT, why.to_owned())
    })
}

/// Nobody won the deal.
pub(super) async fn draw(State(at): State<Served>, drawn: Option<Json<Drawn>>) -> Answer {
    let _one = at.deciding.lock().await;
    let (book, shown) = without_winner(&at)?;
    let drawn = drawn.map(|Json(drawn)| drawn).unwrap_or_default();
    let written = book.draw(&shown, &drawn, &at.hub.riichi_by()).await;
    decided(&at, book, json!({ "draw": true }), written).await
}

/// The deal is void for a fault.
pub(super) async fn chombo(State(at): State<Served>, Json(fault): Json<Faulted>) -> Answer {
    let _one = at.deciding.lock().await;
    let (book, shown) = without_winner(&at)?;
    let written = book.chombo(&shown, &fault).await;
    decided(&at, book, json!({ "chombo": true }), written).await
}

/// A player loses points for a fault; the deal goes on.
pub(super) async fn penalty(State(at): State<Served>, Json(fault): Json<Faulted>) -> Answer {
    let _one = at.deciding.lock().await;
    let (Some(book), Some(shown)) = (&at.book, at.hub.table_shown()) else {
        let why = "a penalty is entered at a ledger's table";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    };
    match book.penalty(&shown, &fault).await {
        Ok(table) => {
            at.hub.note(table.last_event);
            at.hub.set_table(table);
            Ok(at.state())
        }
        Err(error) => Err(shown_anew(&at, book, error).await),
    }
}

/// Another player has won on the same tile.
pub(super) async fn also(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    if !at.hub.also() {
        let why =
            "confirm the first winner's hand, won on another's tile at a ledger's table, first";
        return Err(Refused(StatusCode::CONFLICT, why.to_owned()));
    }
    Ok(at.state())
}

pub(super) async fn reject(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.reject()?;
    Ok(at.state())
}

pub(super) async fn next_hand(State(at): State<Served>) -> Answer {
    let _one = at.deciding.lock().await;
    at.hub.next();
    Ok(at.state())
}

pub(super) async fn undo(State(at): State<Served>) -> Answer {
    let one = at.deciding.lock().await;
    let table = match (&at.book, at.hub.undoes()) {
        // Somebody else may have taken it back already.
        (Some(book), Some(event)) if book.stands(event).await.map_err(BookError::from)? => {
            Some(book.take_back(event).await?)
        }
        _ => None,
    };
    if let Some(table) = table {
        at.hub.set_table(table);
    }
    if !at.hub.undo() {
        return Err(Refused(StatusCode::CONFLICT, "there is nothing to undo".to_owned()));
    }
    drop(one);
    keep_shown(&at, false).await?;
    Ok(at.state())
}

//! The table's ledger behind the pages: a confirmed hand becomes a deal, its undoing another event.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::Context;
use crate::{
    ledger::{Entry, Ledger, LedgerError},
    table::{Deal, Event, TableState, TileWas, WinBy, Winner},
    tile::Seat,
};

/// Who writes what comes from the control page.
const AUTHOR: &str = "control page";

/// One table of a ledger.
pub struct Book {
    ledger: Ledger,
    table: u32,
}

/// Why a deal was not written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The table does not take it.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Something is missing that a deal needs.
    #[error("{0}")]
    Missing(String),
}

impl Book {
    /// Opens a table that exists.
    ///
    /// # Errors
    /// Where the file or the table cannot be used.
    pub async fn open(path: &Path, table: u32) -> Result<(Self, TableState), LedgerError> {
        let ledger = Ledger::open(path).await?;
        let state = ledger.state(table).await?;
        Ok((Self { ledger, table }, state))
    }

    /// The table as it stands.
    ///
    /// # Errors
    /// Where the file cannot be read any more.
    pub async fn state(&self) -> Result<TableState, LedgerError> {
        self.ledger.state(self.table).await
    }

    /// The rulings with which the table was opened.
    ///
    /// # Errors
    /// Where the file cannot be read any more.
    pub async fn rulings(&self) -> Result<Vec<(String, String)>, LedgerError> {
        let events = self.ledger.events(self.table).await?;
        Ok(match events.into_iter().next().map(|first| first.event) {
            Some(Event::Opened(opened)) => opened.rulings,
            _ => Vec::new(),
        })
    }

    /// Writes a scored hand down as a deal, unless somebody else wrote meanwhile.
    ///
    /// # Errors
    /// What the table's rules have against it.
    pub async fn write(&self, context: &Context, hand: &str) -> Result<TableState, BookError> {
        let before = self.state().await?;
        let winner = winner(context, hand, &before)?;
        let deal = Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
        let entry = Entry::new(deal, AUTHOR).after(before.last_event);
        Ok(self.ledger.append(self.table, entry).await?)
    }

    /// Takes a deal back.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub async fn take_back(&self, event: u64) -> Result<TableState, BookError> {
        Ok(self.ledger.append(self.table, Entry::new(Event::Undone { event }, AUTHOR)).await?)
    }
}

fn winner(context: &Context, hand: &str, table: &TableState) -> Result<Winner, BookError> {
    let missing = |why: &str| BookError::Missing(why.to_owned());
    let player = |field: &str| -> Result<Option<usize>, BookError> {
        let Some(letter) = context.text(field).and_then(|text| text.chars().next()) else {
            return Ok(None);
        };
        let sits = Seat::from_letter(letter).and_then(|seat| table.at_seat(seat));
        sits.map(Some).ok_or_else(|| missing(&format!("nobody sits {letter} at this table")))
    };
    let win = match context.text("win") {
        Some("self_draw") => WinBy::SelfDraw,
        Some("discard") => WinBy::Discard,
        Some("rob_kong") => WinBy::RobKong,
        _ => return Err(missing("say how the hand was won")),
    };
    let tile = match context.text("tile") {
        Some("fresh") => Some(TileWas::Fresh),
        Some("own") => Some(TileWas::Own),
        Some("passed") => Some(TileWas::Passed),
        _ => None,
    };
    Ok(Winner {
        player: player("seat")?.ok_or_else(|| missing("say who won"))?,
        win,
        from: player("from")?,
        hand: Some(hand.to_owned()),
        last_tile: context.is("last_tile"),
        supplement: context.is("supplement"),
        kong_on_kong: context.is("kong_on_kong"),
        first_turn: context.is("first_turn"),
        last_visible: context.is("last_visible"),
        pao: player("pao")?,
        tile,
        scored: None,
    })
}

/// What a table says of the context: the round, and who sits where.
pub(super) fn seating(table: &TableState) -> Map<String, Value> {
    let names: Map<String, Value> = (table.players.iter())
        .map(|player| (player.seat.to_string(), player.name.clone().into()))
        .collect();
    let round = table.place.round.to_string();
    Map::from_iter([
        ("names".to_owned(), names.into()),
        ("round".to_owned(), round.into()),
        ("players".to_owned(), json!(table.players.len())),
    ])
}

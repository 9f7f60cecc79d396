//! The table's ledger behind the pages: a confirmed hand becomes a deal, its undoing another event.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{
    Context,
    hub::{Confirming, SeenDiscards},
};
use crate::{
    ledger::{Entry, Ledger, LedgerError},
    table::{Chombo, Deal, Draw, Event, Penalty, TableState, TileWas, WinBy, Winner},
    tile::{Face, Seat},
};

/// Who writes what comes from the control page.
const AUTHOR: &str = "control page";

/// One table of a ledger.
pub struct Book {
    ledger: Ledger,
    table: u32,
}

/// What is told of a draw, by winds; who declared riichi is told before.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Drawn {
    /// Who was tenpai, where the rules ask for it.
    pub tenpai: Option<Vec<Seat>>,
    /// Whose discards were terminals and honors alone, none of them claimed.
    pub nagashi: Vec<Seat>,
    /// What ended the deal before the wall did: one of the rule set's causes.
    pub abortive: Option<String>,
}

/// What is told of a fault.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Faulted {
    /// Whose, by his wind.
    pub seat: Seat,
    /// One of the rule set's causes.
    #[serde(default)]
    pub cause: Option<String>,
    /// What it costs, where it is not what the rules say.
    #[serde(default)]
    pub points: Option<u32>,
    /// For people.
    #[serde(default)]
    pub note: String,
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

    /// Closes the ledger, once what is being written is written; nothing is written afterwards.
    pub async fn close(&self) {
        self.ledger.close().await;
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

    /// Writes a confirmed hand down as a deal: the table must be as the page showed it, and count
    /// the hand as the page did.
    ///
    /// # Errors
    /// What the table's rules have against it, or what has changed meanwhile.
    pub async fn write(&self, confirming: &Confirming) -> Result<TableState, BookError> {
        let missing = |why: String| Err(BookError::Missing(why));
        let Some(shown) = &confirming.table else {
            return missing("the ledger's table has not been read yet: try again".to_owned());
        };
        if confirming.context.text("rules") != Some(&shown.rules) {
            let rules = &shown.rules_name;
            return missing(format!("this table plays {rules}: choose these rules"));
        }
        if let Some(event) = confirming.also {
            return self.add_winner(confirming, shown, event).await;
        }
        let seats: Vec<Seat> = shown.players.iter().map(|player| player.seat).collect();
        let winner = winner(&confirming.context, &confirming.hand, &seats)?;
        let said = winner.tile.is_some();
        let riichi = players(&confirming.context.riichi_by(), &seats)?;
        let deal = Event::Deal(Deal { winners: vec![winner], riichi, ..Deal::default() });
        let mut last = shown.last_event;
        // What a person says or has entered goes before what a camera saw.
        let seen = confirming.discards.as_ref().filter(|_| !said && !shown.discards.are_known());
        if let Some(seen) = seen {
            let entry = Entry::new(rows(seen), AUTHOR).after(last);
            last = self.ledger.append(self.table, entry).await?.last_event;
        }
        let entry = Entry::new(deal, AUTHOR).after(last);
        let after = match self.ledger.append(self.table, entry).await {
            Ok(after) => after,
            Err(error) => {
                if seen.is_some() {
                    self.undo(last).await?;
                }
                return Err(error.into());
            }
        };
        self.only_as_shown(after, confirming).await
    }

    /// Takes a deal back if its last winner is not paid what the page showed.
    async fn only_as_shown(
        &self,
        after: TableState,
        confirming: &Confirming,
    ) -> Result<TableState, BookError> {
        let payments = &confirming.reading["score"]["payments"];
        let as_shown = after.last_deal().is_some_and(|deal| {
            let scored = deal.winners.last().and_then(|winner| winner.scored.as_ref());
            let paid = scored.map_or(&deal.payments, |scored| &scored.payments);
            (deal.seats.iter().zip(paid))
                .all(|(seat, paid)| payments[seat.to_string()].as_str() == Some(&paid.to_string()))
        });
        if as_shown {
            return Ok(after);
        }
        self.take_back(after.last_event).await?;
        let why = "the table counts this hand otherwise than the page (a safe tile, a minimum \
                   of his own): say so on the page, or enter it with `tilelens table deal`";
        Err(BookError::Missing(why.to_owned()))
    }

    /// Writes down that a deal had another winner on the same tile.
    async fn add_winner(
        &self,
        confirming: &Confirming,
        shown: &TableState,
        event: u64,
    ) -> Result<TableState, BookError> {
        let gone = || {
            let why = "the deal of the first winner is not the last one any more: undo here, and \
                       enter it with `tilelens table deal`";
            BookError::Missing(why.to_owned())
        };
        let first = shown.last_deal().filter(|deal| deal.event == event).ok_or_else(gone)?;
        let mut winners = first.winners.clone();
        winners.push(winner(&confirming.context, &confirming.hand, &first.seats)?);
        let mut riichi = first.riichi.clone();
        riichi.extend(players(&confirming.context.riichi_by(), &first.seats)?);
        let with = Event::Deal(Deal { winners, riichi, ..Deal::default() });
        let entry = Entry::new(Event::Corrected { event, with: Box::new(with) }, AUTHOR);
        let after = self.ledger.append(self.table, entry.after(shown.last_event)).await?;
        self.only_as_shown(after, confirming).await
    }

    /// Writes down that nobody won the deal, for the table as the page showed it; `riichi`: the winds of
    /// those who declared it.
    ///
    /// # Errors
    /// What the table has against it, or what has changed meanwhile.
    pub async fn draw(
        &self,
        shown: &TableState,
        drawn: &Drawn,
        riichi: &[Seat],
    ) -> Result<TableState, BookError> {
        let seats: Vec<Seat> = shown.players.iter().map(|player| player.seat).collect();
        let draw = Draw {
            tenpai: drawn.tenpai.as_ref().map(|tenpai| players(tenpai, &seats)).transpose()?,
            riichi: players(riichi, &seats)?,
            abortive: drawn.abortive.clone(),
            nagashi: players(&drawn.nagashi, &seats)?,
            ..Draw::default()
        };
        self.add(Event::Draw(draw), shown).await
    }

    /// Writes down that the deal is void for a player's fault, for the table as the page showed it.
    ///
    /// # Errors
    /// What the table has against it, or what has changed meanwhile.
    pub async fn chombo(
        &self,
        shown: &TableState,
        fault: &Faulted,
    ) -> Result<TableState, BookError> {
        let (player, cause) = (player_at(shown, fault.seat)?, fault.cause.clone());
        let chombo = Chombo { player, cause, note: fault.note.clone(), ..Chombo::default() };
        self.add(Event::Chombo(chombo), shown).await
    }

    /// Writes down that a player loses points, for the table as the page showed it.
    ///
    /// # Errors
    /// What the table has against it, or what has changed meanwhile.
    pub async fn penalty(
        &self,
        shown: &TableState,
        fault: &Faulted,
    ) -> Result<TableState, BookError> {
        let (player, cause) = (player_at(shown, fault.seat)?, fault.cause.clone());
        let penalty = Penalty { player, cause, points: fault.points, note: fault.note.clone() };
        self.add(Event::Penalty(penalty), shown).await
    }

    async fn add(&self, event: Event, shown: &TableState) -> Result<TableState, BookError> {
        let entry = Entry::new(event, AUTHOR).after(shown.last_event);
        Ok(self.ledger.append(self.table, entry).await?)
    }

    /// Whether an event still stands.
    ///
    /// # Errors
    /// Where the file cannot be read any more.
    pub async fn stands(&self, event: u64) -> Result<bool, LedgerError> {
        Ok(self.ledger.table(self.table).await?.stands(event))
    }

    /// Takes a deal back, and the discards that were written with it.
    ///
    /// # Errors
    /// Where the file cannot be written.
    pub async fn take_back(&self, event: u64) -> Result<TableState, BookError> {
        let after = self.undo(event).await?;
        let rows = event.saturating_sub(1);
        let events = self.ledger.events(self.table).await?;
        let with_it = events.iter().any(|recorded| {
            let is_rows = matches!(recorded.event, Event::DiscardRows { .. });
            recorded.seq == rows && recorded.author == AUTHOR && is_rows
        });
        if with_it && self.stands(rows).await? { self.undo(rows).await } else { Ok(after) }
    }

    async fn undo(&self, event: u64) -> Result<TableState, BookError> {
        Ok(self.ledger.append(self.table, Entry::new(Event::Undone { event }, AUTHOR)).await?)
    }
}

/// What a camera saw of the discards, as it is written down.
fn rows(seen: &SeenDiscards) -> Event {
    let text = |tiles: &Vec<Face>| tiles.iter().map(ToString::to_string).collect();
    Event::DiscardRows {
        rows: seen.rows.iter().map(text).collect(),
        claimed: seen.claimed.iter().map(text).collect(),
    }
}

/// A winner, by who sits where.
fn winner(context: &Context, hand: &str, seats: &[Seat]) -> Result<Winner, BookError> {
    let missing = |why: &str| BookError::Missing(why.to_owned());
    let player = |field: &str| -> Result<Option<usize>, BookError> {
        let Some(letter) = context.text(field).and_then(|text| text.chars().next()) else {
            return Ok(None);
        };
        let sits = Seat::from_letter(letter)
            .and_then(|seat| seats.iter().position(|other| *other == seat));
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
        riichi: context.in_riichi(),
        double_riichi: context.is("double_riichi"),
        ippatsu: context.is("ippatsu"),
        first_draw: context.is("first_draw"),
        dora_indicators: context.text("dora_indicators").map(str::to_owned),
        ura_indicators: context.text("ura_indicators").map(str::to_owned),
        ..Winner::default()
    })
}

/// Those who sit at winds, each once, by the winds of a deal's players.
fn players(winds: &[Seat], seats: &[Seat]) -> Result<Vec<usize>, BookError> {
    let player = |wind: &Seat| {
        let sits = seats.iter().position(|seat| seat == wind);
        sits.ok_or_else(|| BookError::Missing(format!("nobody sits {wind} at this table")))
    };
    winds.iter().map(player).collect()
}

fn player_at(table: &TableState, wind: Seat) -> Result<usize, BookError> {
    let nobody = || BookError::Missing(format!("nobody sits {wind} at this table"));
    table.at_seat(wind).ok_or_else(nobody)
}

/// What a table says of the context: the round, and who sits where.
pub(super) fn seating(table: &TableState) -> Map<String, Value> {
    let names: Map<String, Value> = (table.players.iter())
        .map(|player| (player.seat.to_string(), player.name.as_str().into()))
        .collect();
    let round = table.place.round.to_string();
    let mut fields = Map::from_iter([
        ("names".to_owned(), names.into()),
        ("round".to_owned(), round.into()),
        ("players".to_owned(), json!(table.players.len())),
        ("dealer".to_owned(), table.dealer_place().to_string().into()),
    ]);
    // A request has room for 99 counters and 999 sticks.
    fields.extend(table.place.honba.map(|honba| ("honba".to_owned(), json!(honba.min(99)))));
    fields.extend(table.place.sticks.map(|sticks| ("sticks".to_owned(), json!(sticks.min(900)))));
    fields
}

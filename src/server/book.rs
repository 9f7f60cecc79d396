//! The table's ledger behind the pages: a confirmed hand becomes a deal, its undoing another event.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{
    Amended,
    hub::{Confirming, SeenDiscards},
};
use crate::{
    ledger::{Changes, Entry, Ledger, LedgerError},
    name::Name,
    page::{
        ContextError,
        deals::{Drawn, Said, payments, player_at, players, winner},
        wording,
    },
    points::Points,
    table::{self, Chombo, Deal, DealRecord, Event, Penalty, TableState},
    tile::{Face, Seat},
    words::{Say, say},
};

/// Who writes what comes from the control page.
pub(super) const AUTHOR: &str = "control page";

/// One table of a ledger.
pub struct Book {
    ledger: Arc<Ledger>,
    table: u32,
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
    /// What each received (negative: paid), where the rules do not say what a void deal costs.
    #[serde(default)]
    pub payments: Option<BTreeMap<Seat, Points>>,
    /// It is meant, however it looks.
    #[serde(default)]
    pub meant: bool,
}

/// A fault for which the deal goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It costs points.
    Penalty,
    /// The player cannot win the deal.
    DeadHand,
    /// A claim that is ignored.
    VoidClaim,
    /// The player is out.
    Disqualified,
}

/// Where something is written down: in the deal that is being played at the table as the pages show it, or in
/// an earlier one.
#[derive(Clone, Debug)]
pub struct On {
    /// The table as it is shown.
    pub table: TableState,
    /// The earlier deal.
    pub amends: Option<Amended>,
    /// It is meant, however it looks.
    pub meant: bool,
}

impl On {
    /// Who sits where in that deal, by player.
    fn seats(&self) -> Result<Vec<Seat>, BookError> {
        match self.amends {
            Some(Amended { event, .. }) => Ok(record(&self.table, event)?.seats.to_vec()),
            None => Ok(self.table.players.iter().map(|player| player.seat).collect()),
        }
    }
}

/// A player's total, and what it would be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Total {
    /// Whose.
    pub name: Name,
    /// As it stands.
    pub before: Points,
    /// As it would be.
    pub after: Points,
}

/// What is asked before something is written down.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// What looks like a slip.
    #[serde(flatten, serialize_with = "in_english_and_as_sentences")]
    pub doubts: Vec<Say>,
    /// The totals, where an earlier deal would be another.
    pub totals: Vec<Total>,
    /// What would not fit together any more.
    pub problems: Vec<String>,
}

fn in_english_and_as_sentences<S: Serializer>(
    doubts: &[Say],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let english: Vec<String> = doubts.iter().map(Say::english).collect();
    serializer.collect_map([("doubts", json!(english)), ("said", json!(doubts))])
}

impl std::fmt::Display for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.doubts.first() {
            Some(doubt) => write!(f, "{}: say that it is meant to write it down", doubt.english()),
            None => {
                write!(f, "an earlier deal changes: look at the totals, and say that it is meant")
            }
        }
    }
}

/// Why a deal was not written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The table does not take it.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// Something is missing that a page has to say.
    #[error(transparent)]
    Said(#[from] ContextError),
    /// Something is missing that a deal needs.
    #[error("{0}")]
    Missing(String),
    /// It is asked about first.
    #[error("{0}")]
    Asked(Asked),
}

impl BookError {
    /// What a page says of it.
    pub fn for_page(&self) -> String {
        match self {
            Self::Ledger(error) => wording::refusal(error, error.cure().as_ref()),
            error => error.to_string(),
        }
    }
}

impl Book {
    /// Opens a table that exists.
    ///
    /// # Errors
    /// Where the file or the table cannot be used.
    pub async fn open(path: &Path, table: u32) -> Result<(Self, TableState), LedgerError> {
        Self::of(Arc::new(Ledger::open(path).await?), table).await
    }

    /// A table of a ledger that is open.
    ///
    /// # Errors
    /// Where there is no such table.
    pub async fn of(ledger: Arc<Ledger>, table: u32) -> Result<(Self, TableState), LedgerError> {
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

    /// Tells when the table has to be read again.
    pub fn changes(&self) -> Changes {
        self.ledger.changes()
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

    /// Writes a confirmed hand down as a deal, or into an earlier one: the table must be as the page showed it,
    /// and count the hand as the page did.
    ///
    /// # Errors
    /// What the table's rules have against it, what is asked about first, or what has changed meanwhile.
    pub async fn write(
        &self,
        confirming: &Confirming,
        meant: bool,
    ) -> Result<TableState, BookError> {
        let missing = |why: String| Err(BookError::Missing(why));
        let Some(shown) = &confirming.table else {
            return missing("the ledger's table has not been read yet: try again".to_owned());
        };
        if confirming.context.text("rules") != Some(&shown.rules) {
            let rules = &shown.rules_name;
            return missing(format!("this table plays {rules}: choose these rules"));
        }
        let on = On { table: shown.clone(), amends: confirming.amends, meant };
        if let Some(event) = confirming.also {
            let gone = || {
                let why = "the deal of the first winner is not the last one any more: undo here, and say it anew \
                           in the list of deals, with another winner";
                BookError::Missing(why.to_owned())
            };
            let first = shown.last_deal().filter(|deal| deal.event == event).ok_or_else(gone)?;
            let winner = first.winners.len();
            return self.amend(confirming, &on, Amended { event, winner }).await;
        }
        if let Some(amended) = confirming.amends {
            return self.amend(confirming, &on, amended).await;
        }
        let seats = on.seats()?;
        let winner = winner(&confirming.context, &confirming.said, &seats)?;
        let said = winner.tile.is_some() || winner.hand.is_none();
        let deal = Event::Deal(Deal {
            winners: vec![winner],
            payments: payments(&confirming.said, &seats)?,
            riichi: players(&confirming.context.riichi_by(), &seats)?,
            ..Deal::default()
        });
        self.ask_about(&deal, &on).await?;
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
        let written = after.last_deal().map(|deal| deal.event).unwrap_or_default();
        self.only_as_shown(after, confirming, Amended { event: written, winner: 0 }).await
    }

    /// Takes what was written back if the winner is not paid what the page showed.
    async fn only_as_shown(
        &self,
        after: TableState,
        confirming: &Confirming,
        Amended { event, winner }: Amended,
    ) -> Result<TableState, BookError> {
        let payments = &confirming.reading["score"]["payments"];
        let as_shown = record(&after, event).is_ok_and(|deal| {
            let scored = deal.winners.get(winner).and_then(|winner| winner.scored.as_ref());
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

    /// Writes down that one of an earlier deal's winners won otherwise, or that it had another one.
    async fn amend(
        &self,
        confirming: &Confirming,
        on: &On,
        amended: Amended,
    ) -> Result<TableState, BookError> {
        let Amended { event, winner: place } = amended;
        let deal = record(&on.table, event)?;
        let new = winner(&confirming.context, &confirming.said, &deal.seats)?;
        let payments = payments(&confirming.said, &deal.seats)?;
        let mut winners = deal.winners.clone();
        for other in &mut winners {
            // They all win on one tile.
            (other.win, other.from) = (new.win, new.from);
            if payments.is_some() {
                (other.hand, other.worth) = (None, None);
            }
        }
        match winners.get_mut(place) {
            Some(winner) => *winner = new,
            None => winners.push(new),
        }
        let riichi = players(&confirming.context.riichi_by(), &deal.seats)?;
        let with = Event::Deal(Deal { winners, payments, riichi, ..Deal::default() });
        let event = Event::Corrected { event, with: Box::new(with) };
        let after = self.add(event, on).await?;
        self.only_as_shown(after, confirming, amended).await
    }

    /// Writes down that nobody won the deal; `riichi`: the winds of those who declared it.
    ///
    /// # Errors
    /// What the table has against it, what is asked about first, or what has changed meanwhile.
    pub async fn draw(
        &self,
        on: &On,
        drawn: &Drawn,
        riichi: &[Seat],
    ) -> Result<TableState, BookError> {
        let seats = on.seats()?;
        let draw = drawn.draw(riichi, &seats)?;
        self.ended(Event::Draw(draw), on).await
    }

    /// Writes down that the deal is void for a player's fault.
    ///
    /// # Errors
    /// What the table has against it, what is asked about first, or what has changed meanwhile.
    pub async fn chombo(&self, on: &On, fault: &Faulted) -> Result<TableState, BookError> {
        let seats = on.seats()?;
        let said = fault.payments.clone().map(Said::Payments);
        let chombo = Chombo {
            player: player_at(&seats, fault.seat)?,
            payments: said.map_or(Ok(None), |said| payments(&said, &seats))?,
            cause: fault.cause.clone(),
            note: fault.note.clone(),
            ..Chombo::default()
        };
        self.ended(Event::Chombo(chombo), on).await
    }

    /// A deal that ended without a winner, the one that is being played or an earlier one.
    async fn ended(&self, event: Event, on: &On) -> Result<TableState, BookError> {
        let event = match on.amends {
            Some(Amended { event: number, .. }) => {
                Event::Corrected { event: number, with: Box::new(event) }
            }
            None => event,
        };
        self.add(event, on).await
    }

    /// Writes down a fault for which the deal goes on, for the table as the page showed it.
    ///
    /// # Errors
    /// What the table has against it, or what has changed meanwhile.
    pub async fn fault(
        &self,
        table: TableState,
        kind: Fault,
        fault: &Faulted,
    ) -> Result<TableState, BookError> {
        let on = On { table, amends: None, meant: fault.meant };
        let (player, cause) = (player_at(&on.seats()?, fault.seat)?, fault.cause.clone());
        let note = fault.note.clone();
        let event = match kind {
            Fault::Penalty => Event::Penalty(Penalty { player, cause, points: fault.points, note }),
            Fault::DeadHand => Event::DeadHand(table::PlayerFault { player, cause, note }),
            Fault::VoidClaim => Event::VoidClaim(table::PlayerFault { player, cause, note }),
            Fault::Disqualified => Event::Disqualified(table::PlayerFault { player, cause, note }),
        };
        self.add(event, &on).await
    }

    /// Takes an earlier deal, or a penalty, out.
    ///
    /// # Errors
    /// Where there is no such one, what is asked about first, or what has changed meanwhile.
    pub async fn take_out(
        &self,
        table: TableState,
        event: u64,
        meant: bool,
    ) -> Result<TableState, BookError> {
        if !table.penalties.iter().any(|penalty| penalty.event == event) {
            record(&table, event)?;
        }
        let amends = Some(Amended { event, winner: 0 });
        self.add(Event::Undone { event }, &On { table, amends, meant }).await
    }

    async fn add(&self, event: Event, on: &On) -> Result<TableState, BookError> {
        self.ask_about(&event, on).await?;
        let entry = Entry::new(event, AUTHOR).after(on.table.last_event);
        Ok(self.ledger.append(self.table, entry).await?)
    }

    /// Asks about an event that is more likely a slip, and about every change of an earlier deal. What is
    /// refused is not asked about, nor what somebody else was quicker to write: the ledger says so.
    async fn ask_about(&self, event: &Event, on: &On) -> Result<(), BookError> {
        if on.meant {
            return Ok(());
        }
        let (table, now) = (self.ledger.table(self.table).await?, Timestamp::now());
        let told = |error: table::TableError| BookError::from(LedgerError::from(error));
        let before = table.state().map_err(told)?;
        let Ok(after) = table.with(event.clone(), now) else { return Ok(()) };
        if before.last_event != on.table.last_event {
            return Ok(());
        }
        let doubts = table.doubts(event, now).map_err(told)?;
        let mut asked = Asked {
            doubts: doubts.iter().map(table::EntryDoubt::sentence).collect(),
            ..Asked::default()
        };
        if on.amends.is_some() {
            let after = after.state().map_err(told)?;
            let total = |(was, is): (&table::PlayerState, &table::PlayerState)| Total {
                name: was.name.clone(),
                before: was.standing,
                after: is.standing,
            };
            asked.totals = before.players.iter().zip(&after.players).map(total).collect();
            let new = after.problems.iter().filter(|problem| !before.problems.contains(problem));
            asked.problems =
                new.map(|problem| format!("event {}: {}", problem.event, problem.what)).collect();
        }
        if asked == Asked::default() { Ok(()) } else { Err(BookError::Asked(asked)) }
    }

    /// Whether an event still stands.
    ///
    /// # Errors
    /// Where the file cannot be read any more.
    pub async fn stands(&self, event: u64) -> Result<bool, LedgerError> {
        Ok(self.ledger.table(self.table).await?.stands(event))
    }

    /// Asks about taking an event back that a deal stands on: `table` is as the page shows it.
    ///
    /// # Errors
    /// What is asked about first, or a file that cannot be read any more.
    pub async fn ask_to_take_back(&self, table: TableState, event: u64) -> Result<(), BookError> {
        let events = self.ledger.events(self.table).await?;
        let is_deal = |event: &Event| {
            matches!(event, Event::Deal(_) | Event::Draw(_) | Event::Chombo(_))
                || matches!(event, Event::Corrected { .. } | Event::Undone { .. })
        };
        if !events.iter().any(|written| written.seq == event && is_deal(&written.event)) {
            return Ok(());
        }
        let deal = table.history.iter().find(|deal| deal.event == event);
        let taken = deal.map_or_else(
            || say!("this takes back what was changed of an earlier deal"),
            |deal| say!("this takes deal {number} out of the ledger", number = deal.place.number),
        );
        let on = On { table, amends: Some(Amended { event, winner: 0 }), meant: false };
        self.ask_about(&Event::Undone { event }, &on).await.map_err(|error| match error {
            BookError::Asked(mut asked) => {
                asked.doubts.insert(0, taken);
                BookError::Asked(asked)
            }
            error => error,
        })
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

/// An earlier deal of a table.
fn record(table: &TableState, event: u64) -> Result<&DealRecord, BookError> {
    let gone = || BookError::Missing("this deal is no longer in the table as it was".to_owned());
    let found = table.history.iter().find(|record| record.event == event);
    found.map(AsRef::as_ref).ok_or_else(gone)
}

/// What a deal of the past says of the context: its round, who sat where, and how one of its winners won, or
/// nothing of that for one who is added.
pub(super) fn as_it_was(
    table: &TableState,
    Amended { event, winner }: Amended,
) -> Option<Map<String, Value>> {
    let deal = record(table, event).ok()?;
    let wind = |player: usize| json!(deal.seats.get(player));
    let winds = |some: &[usize]| -> Value { some.iter().map(|player| wind(*player)).collect() };
    let names: Map<String, Value> = (deal.seats.iter().zip(&table.players))
        .map(|(seat, player)| (seat.to_string(), player.name.as_str().into()))
        .collect();
    let mut fields = Map::from_iter([
        ("names".to_owned(), names.into()),
        ("round".to_owned(), json!(deal.place.round)),
        ("players".to_owned(), json!(table.players.len())),
    ]);
    fields.extend(deal.place.honba.map(|honba| ("honba".to_owned(), json!(honba.min(99)))));
    fields.extend(deal.place.sticks.map(|sticks| ("sticks".to_owned(), json!(sticks.min(900)))));
    if !deal.riichi.is_empty() {
        fields.insert("riichi_by".to_owned(), winds(&deal.riichi));
    }
    let first = deal.winners.first();
    let Some(won) = deal.winners.get(winner) else {
        // Whoever is added won on the same tile.
        for (field, value) in first
            .iter()
            .flat_map(|won| [("win", json!(won.win)), ("from", won.from.map_or(Value::Null, wind))])
        {
            fields.insert(field.to_owned(), value);
        }
        return Some(fields);
    };
    // A winner's entry has these under the same names.
    let mut entry = json!(won);
    for field in [
        "win",
        "hand",
        "last_tile",
        "supplement",
        "kong_on_kong",
        "first_turn",
        "last_visible",
        "double_riichi",
        "ippatsu",
        "first_draw",
        "dora_indicators",
        "ura_indicators",
        "tile",
    ] {
        fields.insert(field.to_owned(), entry[field].take());
    }
    fields.insert("seat".to_owned(), wind(won.player));
    fields.insert("from".to_owned(), won.from.map_or(Value::Null, wind));
    fields.insert("pao".to_owned(), won.pao.map_or(Value::Null, wind));
    fields.insert("worth".to_owned(), json!(won.worth.map(|worth| worth.to_string())));
    if won.scored.is_none() {
        let paid = deal.seats.iter().zip(&deal.payments);
        let paid: Map<String, Value> =
            paid.map(|(seat, paid)| (seat.to_string(), json!(paid.to_string()))).collect();
        fields.insert("payments".to_owned(), paid.into());
    }
    Some(fields)
}

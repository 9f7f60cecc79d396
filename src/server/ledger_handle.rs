//! The table's ledger behind the pages: a confirmed hand is written as a deal, its undoing as another event.

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
        reading::PageScore,
        wording,
    },
    points::Points,
    table::{
        self, Charged, Chombo, Deal, DealRecord, Event, Penalty, Table, TableError, TableState,
    },
    tile::{Face, Seat},
    words::{Say, say},
};

/// The author of entries from the control page.
pub(super) const AUTHOR: &str = "control page";

/// One table of a ledger.
pub struct LedgerHandle {
    ledger: Arc<Ledger>,
    table: u32,
}

/// A fault as the operator enters it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultReport {
    /// The wind of the player at fault.
    pub seat: Seat,
    /// One of the rule set's causes.
    #[serde(default)]
    pub cause: Option<String>,
    /// The points, where they differ from the rule set's.
    #[serde(default)]
    pub points: Option<u32>,
    /// A remark in words.
    #[serde(default)]
    pub note: String,
    /// The points that each player receives (negative: pays), where the rules set no payments for a void deal.
    #[serde(default)]
    pub payments: Option<BTreeMap<Seat, Points>>,
    /// The entry is intended, although it looks like a slip.
    #[serde(default)]
    pub meant: bool,
}

/// The kinds of faults after which the deal goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It costs points.
    Penalty,
    /// The player cannot win the deal.
    DeadHand,
    /// A claim that is ignored.
    VoidClaim,
    /// The player is out.
    Disqualified,
}

/// The deal that an entry belongs to: the current deal of the table as the page shows it, or an earlier one.
#[derive(Clone, Debug)]
pub struct EntryTarget {
    /// The table as it is shown.
    pub table: TableState,
    /// The event of the earlier deal.
    pub amends: Option<Amended>,
    /// The entry is intended, although it looks like a slip.
    pub meant: bool,
}

impl EntryTarget {
    /// The seat of each player in that deal.
    fn seats(&self) -> Result<Vec<Seat>, LedgerHandleError> {
        match self.amends {
            Some(Amended { event, .. }) => Ok(record(&self.table, event)?.seats.to_vec()),
            None => Ok(self.table.players.iter().map(|player| player.seat).collect()),
        }
    }
}

/// A player's total before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TotalChange {
    /// The player's name.
    pub name: Name,
    /// The total now.
    pub before: Points,
    /// The total after the change.
    pub after: Points,
}

/// What the operator has to confirm before an entry is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConfirmationRequest {
    /// Reasons why the entry looks like a slip.
    #[serde(flatten, serialize_with = "in_english_and_as_sentences")]
    pub doubts: Vec<Say>,
    /// The totals, where an earlier deal changes.
    pub totals: Vec<TotalChange>,
    /// New contradictions in the table after the change.
    pub problems: Vec<String>,
}

fn in_english_and_as_sentences<S: Serializer>(
    doubts: &[Say],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let english: Vec<String> = doubts.iter().map(Say::english).collect();
    serializer.collect_map([("doubts", json!(english)), ("said", json!(doubts))])
}

impl std::fmt::Display for ConfirmationRequest {
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
pub enum LedgerHandleError {
    /// The table rejects it, or the ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The page has to give more.
    #[error(transparent)]
    Said(#[from] ContextError),
    /// A deal needs more.
    #[error("{0}")]
    Missing(String),
    /// The operator has to confirm it first.
    #[error("{0}")]
    Unconfirmed(ConfirmationRequest),
}

impl From<TableError> for LedgerHandleError {
    fn from(error: TableError) -> Self {
        Self::Ledger(error.into())
    }
}

impl LedgerHandleError {
    /// The text that a page shows.
    pub fn for_page(&self) -> String {
        match self {
            Self::Ledger(error) => wording::refusal(error, error.cure().as_ref()),
            error => error.to_string(),
        }
    }
}

impl LedgerHandle {
    /// Opens an existing table.
    ///
    /// # Errors
    /// Where the file or the table cannot be used.
    pub async fn open(path: &Path, table: u32) -> Result<(Self, Table), LedgerError> {
        Self::of(Arc::new(Ledger::open(path).await?), table).await
    }

    /// A table of an open ledger.
    ///
    /// # Errors
    /// Where there is no such table.
    pub async fn of(ledger: Arc<Ledger>, table: u32) -> Result<(Self, Table), LedgerError> {
        // Its state refuses a table that was never opened.
        ledger.state(table).await?;
        let opened = ledger.table(table).await?;
        Ok((Self { ledger, table }, opened))
    }

    /// Finishes the current write and closes the ledger; nothing is written afterwards.
    pub async fn close(&self) {
        self.ledger.close().await;
    }

    /// The current state of the table.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub async fn state(&self) -> Result<TableState, LedgerError> {
        self.ledger.state(self.table).await
    }

    /// Yields when the table has to be read again.
    pub fn changes(&self) -> Changes {
        self.ledger.changes()
    }

    /// Writes a confirmed hand as a deal, or into an earlier one. The table must be as the page showed it and score the
    /// hand as the page did.
    ///
    /// # Errors
    /// Where the table rejects it, a confirmation is missing, or the table has changed meanwhile.
    pub async fn write(
        &self,
        confirming: &Confirming,
        meant: bool,
    ) -> Result<TableState, LedgerHandleError> {
        let missing = |why: String| Err(LedgerHandleError::Missing(why));
        let Some(shown) = &confirming.table else {
            return missing("the ledger's table has not been read yet: try again".to_owned());
        };
        if confirming.context.text("rules") != Some(&shown.rules) {
            let rules = &shown.rules_name;
            return missing(format!("this table plays {rules}: choose that rule set"));
        }
        let on = EntryTarget { table: shown.clone(), amends: confirming.amends, meant };
        if let Some(event) = confirming.also {
            let gone = || {
                let why = "the deal of the first winner is not the last one any more: undo here, and enter it again \
                           in the list of deals, with another winner";
                LedgerHandleError::Missing(why.to_owned())
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
        // Discards that a person entered take precedence over a camera's.
        let seen = confirming.discards.as_ref().filter(|_| !said && !shown.discards.are_known());
        let events = seen.map(rows).into_iter().chain([deal]).collect();
        self.add(events, &on, Some(ShownHand::of(confirming, None))).await
    }

    /// Replaces a winner of an earlier deal, or adds one.
    async fn amend(
        &self,
        confirming: &Confirming,
        on: &EntryTarget,
        amended: Amended,
    ) -> Result<TableState, LedgerHandleError> {
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
        self.add(vec![event], on, Some(ShownHand::of(confirming, Some(amended)))).await
    }

    /// Writes a draw; `riichi` has the winds of the players who declared it.
    ///
    /// # Errors
    /// Where the table rejects it, a confirmation is missing, or the table has changed meanwhile.
    pub async fn draw(
        &self,
        on: &EntryTarget,
        drawn: &Drawn,
        riichi: &[Seat],
    ) -> Result<TableState, LedgerHandleError> {
        let seats = on.seats()?;
        let draw = drawn.draw(riichi, &seats)?;
        self.ended(Event::Draw(draw), on).await
    }

    /// Writes that the deal is void for a player's fault.
    ///
    /// # Errors
    /// Where the table rejects it, a confirmation is missing, or the table has changed meanwhile.
    pub async fn chombo(
        &self,
        on: &EntryTarget,
        fault: &FaultReport,
    ) -> Result<TableState, LedgerHandleError> {
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

    /// Writes a deal without a winner, the current one or an earlier one.
    async fn ended(&self, event: Event, on: &EntryTarget) -> Result<TableState, LedgerHandleError> {
        let event = match on.amends {
            Some(Amended { event: number, .. }) => {
                Event::Corrected { event: number, with: Box::new(event) }
            }
            None => event,
        };
        self.add(vec![event], on, None).await
    }

    /// Writes a fault after which the deal goes on, for the table as the page showed it.
    ///
    /// # Errors
    /// Where the table rejects it or has changed meanwhile.
    pub async fn fault(
        &self,
        table: TableState,
        kind: FaultKind,
        fault: &FaultReport,
    ) -> Result<TableState, LedgerHandleError> {
        let on = EntryTarget { table, amends: None, meant: fault.meant };
        let (player, cause) = (player_at(&on.seats()?, fault.seat)?, fault.cause.clone());
        let note = fault.note.clone();
        let event = match kind {
            FaultKind::Penalty => {
                Event::Penalty(Penalty { player, cause, points: fault.points, note })
            }
            FaultKind::DeadHand => Event::DeadHand(table::PlayerFault { player, cause, note }),
            FaultKind::VoidClaim => Event::VoidClaim(table::PlayerFault { player, cause, note }),
            FaultKind::Disqualified => {
                Event::Disqualified(table::PlayerFault { player, cause, note })
            }
        };
        self.add(vec![event], &on, None).await
    }

    /// Takes out an earlier deal or a penalty.
    ///
    /// # Errors
    /// Where it does not exist, a confirmation is missing, or the table has changed meanwhile.
    pub async fn take_out(
        &self,
        table: TableState,
        event: u64,
        meant: bool,
    ) -> Result<TableState, LedgerHandleError> {
        if !table.penalties.iter().any(|penalty| penalty.event == event) {
            record(&table, event)?;
        }
        let amends = Some(Amended { event, winner: 0 });
        self.add(vec![Event::Undone { event }], &EntryTarget { table, amends, meant }, None).await
    }

    /// Writes events for the table as the page showed it, all of them or none. They are tried in memory first: a hand
    /// that the table counts otherwise than the page, and what has to be confirmed, is not written.
    async fn add(
        &self,
        events: Vec<Event>,
        on: &EntryTarget,
        shown: Option<ShownHand>,
    ) -> Result<TableState, LedgerHandleError> {
        let table = self.ledger.table(self.table).await?;
        // Where somebody has written meanwhile, the ledger refuses.
        if table.state()?.last_event == on.table.last_event {
            let now = Timestamp::now();
            let mut after = table.clone();
            for event in &events {
                after = after.with(event.clone(), now)?;
            }
            if let Some(shown) = shown {
                shown.is_counted_so(after.state()?)?;
            }
            if let Some(last) = events.last().filter(|_| !on.meant) {
                ask(&table, &after, last, on.amends.is_some(), now)?;
            }
        }
        let mut after = Some(on.table.last_event);
        let entry = |event| Entry { after: after.take(), ..Entry::new(event, AUTHOR) };
        let entries = events.into_iter().map(entry).collect();
        Ok(self.ledger.append_all(self.table, entries).await?)
    }

    /// Takes an event back, and the discards that were written with a deal. Where a deal depends on it, this has to be
    /// meant; `None` where somebody else has taken it back already. `shown` is the table as the page shows it.
    ///
    /// # Errors
    /// Where a confirmation is missing, the table has changed meanwhile, or the file cannot be written.
    pub async fn take_back(
        &self,
        shown: TableState,
        event: u64,
        meant: bool,
    ) -> Result<Option<TableState>, LedgerHandleError> {
        let table = self.ledger.table(self.table).await?;
        if !table.stands(event) {
            return Ok(None);
        }
        let written = |seq: u64| table.events().iter().find(|written| written.seq == seq);
        let is_deal = written(event).is_some_and(|written| {
            let changes = matches!(written.event, Event::Corrected { .. } | Event::Undone { .. });
            written.event.is_deal() || changes
        });
        let rows = event.saturating_sub(1);
        let has_rows = table.stands(rows)
            && written(rows).is_some_and(|written| {
                written.author == AUTHOR && matches!(written.event, Event::DiscardRows { .. })
            });
        let undone = [Some(event), has_rows.then_some(rows)];
        let undone = undone.into_iter().flatten().map(|event| Event::Undone { event }).collect();
        let deal = shown.history.iter().find(|deal| deal.event == event);
        let taken = deal.map_or_else(
            || say!("this takes back what was changed of an earlier deal"),
            |deal| say!("this takes deal {number} out of the ledger", number = deal.place.number),
        );
        let amends = Some(Amended { event, winner: 0 });
        let on = EntryTarget { table: shown, amends, meant: meant || !is_deal };
        self.add(undone, &on, None).await.map(Some).map_err(|error| match error {
            LedgerHandleError::Unconfirmed(mut asked) => {
                asked.doubts.insert(0, taken);
                LedgerHandleError::Unconfirmed(asked)
            }
            error => error,
        })
    }
}

/// Asks for confirmation of an event that is likely a slip, and of every change of an earlier deal; `after` is the table
/// with it.
fn ask(
    table: &Table,
    after: &Table,
    event: &Event,
    is_earlier: bool,
    now: Timestamp,
) -> Result<(), LedgerHandleError> {
    let (before, after) = (table.state()?, after.state()?);
    let doubts = table.doubts(event, now)?;
    let mut asked = ConfirmationRequest {
        doubts: doubts.iter().map(table::EntryDoubt::sentence).collect(),
        ..ConfirmationRequest::default()
    };
    if is_earlier {
        let total = |(was, is): (&table::PlayerState, &table::PlayerState)| TotalChange {
            name: was.name.clone(),
            before: was.standing,
            after: is.standing,
        };
        asked.totals = before.players.iter().zip(&after.players).map(total).collect();
        let new = after.problems.iter().filter(|problem| !before.problems.contains(problem));
        asked.problems =
            new.map(|problem| format!("event {}: {}", problem.event, problem.what)).collect();
    }
    if asked == ConfirmationRequest::default() {
        Ok(())
    } else {
        Err(LedgerHandleError::Unconfirmed(asked))
    }
}

/// The payments of a winner's hand, as a page showed them.
struct ShownHand {
    payments: BTreeMap<Seat, Points>,
    /// The deal and the winner's index in it; `None` for the first winner of a new deal.
    of: Option<Amended>,
}

impl ShownHand {
    fn of(confirming: &Confirming, of: Option<Amended>) -> Self {
        let score = confirming.reading.hand().and_then(|reading| reading.score.as_ref());
        Self { payments: score.map(PageScore::payments).unwrap_or_default(), of }
    }

    /// Refuses a hand for which the table pays otherwise; `after` is the table with it.
    fn is_counted_so(&self, after: &TableState) -> Result<(), LedgerHandleError> {
        let (deal, place) = match self.of {
            Some(Amended { event, winner }) => (Some(record(after, event)?), winner),
            None => (after.last_deal(), 0),
        };
        let as_shown = deal.is_some_and(|deal| {
            let scored = deal.winners.get(place).and_then(|winner| winner.scored.as_ref());
            let paid = scored.map_or(&deal.payments, |scored| &scored.payments);
            deal.seats.iter().zip(paid).all(|(seat, paid)| self.payments.get(seat) == Some(paid))
        });
        if as_shown {
            return Ok(());
        }
        let why = "the table counts this hand otherwise than the page (a safe tile, a minimum \
                   of his own): say so on the page, or enter it with `tilelens table deal`";
        Err(LedgerHandleError::Missing(why.to_owned()))
    }
}

/// The discards that a camera saw, as the ledger stores them.
fn rows(seen: &SeenDiscards) -> Event {
    let text = |tiles: &Vec<Face>| tiles.iter().map(ToString::to_string).collect();
    Event::DiscardRows {
        rows: seen.rows.iter().map(text).collect(),
        claimed: seen.claimed.iter().map(text).collect(),
    }
}

/// An earlier deal of a table.
fn record(table: &TableState, event: u64) -> Result<&DealRecord, LedgerHandleError> {
    let gone =
        || LedgerHandleError::Missing("this deal is no longer in the table as it was".to_owned());
    let found = table.history.iter().find(|record| record.event == event);
    found.map(AsRef::as_ref).ok_or_else(gone)
}

/// The context fields of an earlier deal: its round, the players' seats, and how one of its winners won; without the
/// latter for an added winner.
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
        // An added winner won on the same tile.
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
    let charged = won.responsible.map_or(Value::Null, |charged| match charged {
        Charged::Player(player) => wind(player),
        Charged::Nobody => json!("none"),
    });
    fields.insert("responsible".to_owned(), charged);
    fields.insert("worth".to_owned(), json!(won.worth.map(|worth| worth.to_string())));
    if won.scored.is_none() {
        let paid = deal.seats.iter().zip(&deal.payments);
        let paid: Map<String, Value> =
            paid.map(|(seat, paid)| (seat.to_string(), json!(paid.to_string()))).collect();
        fields.insert("payments".to_owned(), paid.into());
    }
    Some(fields)
}

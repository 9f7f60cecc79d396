//! The operator's decisions, each of which makes a new state and can be undone.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Hub, Inner, SeenDiscards};
use crate::{
    page::{TYPED, deals::seating},
    server::{
        Amended, Context, ContextError, Desk, Entered, On, Phase, Said, Typed, book,
        look::Look,
        teaching::{Keeping, numbered},
    },
    table::TableState,
    tile::{Seat, Tile},
};

impl Hub {
    /// Changes fields of the context.
    ///
    /// # Errors
    /// What is wrong with them, or a confirmed hand on show; nothing is changed then.
    pub fn set_context(&self, changes: Map<String, Value>) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        let context = inner.desk.context().with(changes, &self.library)?;
        inner.desk.set_context(context);
        self.read_again(&mut inner);
        inner.told_of = inner.hand_shown();
        self.push(&mut inner);
        Ok(())
    }

    /// How a hand was won goes with its tiles: where most of those that lie there are others, it is another
    /// hand. Whoever tells before a hand lies there tells of the first that does.
    pub(super) fn forget_what_has_gone(&self, inner: &mut Inner) {
        let is_told = inner.desk.context().text("win").is_some();
        let is_typed = inner.desk.context().is_typed();
        let is_shown = inner.photo().is_some() || is_typed;
        if !is_told || *inner.phase() != Phase::Watching || is_shown {
            return;
        }
        let Some(mut shown) = inner.hand_shown() else { return };
        let Some(told_of) = &inner.told_of else {
            inner.told_of = Some(shown);
            return;
        };
        let there = shown.len();
        for code in told_of {
            if let Some(place) = shown.iter().position(|other| other == code) {
                shown.swap_remove(place);
            }
        }
        if 2 * shown.len() <= there {
            return;
        }
        inner.told_of = None;
        // A context with fields taken away is still a good one.
        if let Ok(context) = inner.desk.context().with(over(), &self.library) {
            inner.desk.sit(context);
            self.read_again(inner);
        }
    }

    /// Puts a photo on show with what its taker told, as one decision. The rule set stays, and with a
    /// ledger the round and the names.
    ///
    /// # Errors
    /// What is wrong with the context, or a confirmed hand on show; nothing is changed then.
    pub fn put(
        &self,
        look: Look,
        mut told: Map<String, Value>,
        fixes: Vec<(u64, Tile)>,
    ) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        for field in ["rules", "rulings"] {
            told.remove(field);
        }
        // Whoever tells how it was won tells all of it.
        let mut over = if told.is_empty() { Map::new() } else { over() };
        // The photo shows it now.
        over.extend(TYPED.map(|field| (field.to_owned(), Value::Null)));
        over.extend(told);
        let seating = inner.table.as_ref().map(seating).unwrap_or_default();
        if inner.desk.also().is_some() || inner.desk.amends().is_some() {
            // Another winner of a deal that is written: its seats stay, the table has gone on.
            over.retain(|field, _| !seating.contains_key(field));
        } else {
            over.extend(seating);
        }
        let context = inner.desk.context().with(over, &self.library)?;
        let number = inner.photo.as_ref().map_or(1, |(number, _)| number + 1);
        inner.desk.put(context, fixes, number);
        inner.photo = Some((number, look));
        self.read_again(&mut inner);
        self.push(&mut inner);
        Ok(())
    }

    /// Says what a tile is; `None` takes a correction back. False where no such tile lies there, or
    /// a confirmed hand is on show.
    pub fn correct(&self, tile: u64, is: Option<Tile>) -> bool {
        let mut inner = self.lock();
        if inner.is_watching().is_err() {
            return false;
        }
        if !inner.lies_there(tile) {
            return false;
        }
        inner.desk.correct(tile, is);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// The corrections of the hand that is read, for the user's tile set that had a say in it.
    pub(in crate::server) fn corrected(&self, keep: bool) -> Option<Keeping> {
        let inner = self.lock();
        let look = inner.look_read()?;
        Some(Keeping {
            set: look.tileset.clone()?,
            picture: Arc::clone(&look.picture),
            tiles: numbered(inner.read.as_ref()?),
            fixes: inner.desk.fixes().to_vec(),
            keep,
        })
    }

    /// What there is to confirm, and the table as it is shown beside it.
    pub fn to_confirm(&self) -> Option<Confirming> {
        let inner = self.lock();
        if *inner.phase() != Phase::Watching {
            return None;
        }
        let reading = inner.read.clone().filter(|read| read["score"]["ok"] == json!(true))?;
        let (context, table) = (inner.desk.context().clone(), inner.table.clone());
        let (rules, _) = context.told(&self.library).ok()?;
        let said = match context.typed(&rules).ok()? {
            Some(Typed::Worth(worth)) => Said::Worth(worth),
            Some(Typed::Payments(payments)) => Said::Payments(payments),
            Some(Typed::Hand(_)) | None => Said::Hand(reading["scored_hand"].as_str()?.to_owned()),
        };
        let discards = if inner.photo().is_some() { None } else { inner.discards() };
        let (also, amends) = (inner.desk.also(), inner.desk.amends());
        let discards = discards.filter(|_| amends.is_none());
        Some(Confirming { context, said, reading, table, discards, also, amends })
    }

    /// Watches for another winner on the tile on which the confirmed hand was won; false where no hand
    /// of the ledger's is on show, or it was self-drawn.
    pub fn also(&self) -> bool {
        let mut inner = self.lock();
        let Phase::Confirmed { entered: Some(entered), .. } = inner.phase() else { return false };
        let event = entered.deal.as_ref().map_or(entered.event, |deal| deal.event);
        let context = inner.desk.context().clone();
        let (Some(seat), Some(from)) = (context.text("seat"), context.text("from")) else {
            return false;
        };
        // Whoever it is, it is neither of the two.
        let other = Seat::ALL.map(|seat| seat.to_string());
        let Some(other) = other.iter().find(|other| *other != seat && *other != from) else {
            return false;
        };
        let mut over = over();
        // What he himself had thrown or let pass is another matter: `tile` is asked anew.
        for field in ["win", "from", "last_tile"] {
            over.remove(field);
        }
        over.insert("seat".to_owned(), other.as_str().into());
        let Ok(context) = context.with(over, &self.library) else { return false };
        inner.desk.look_for_another(context, event);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// The deal that can be ended without a winner; `None` where there is no table, or a confirmed hand is on
    /// show.
    pub fn to_end(&self, meant: bool) -> Option<On> {
        let inner = self.lock();
        let free = inner.is_watching().is_ok() && inner.desk.also().is_none();
        let table = inner.table.clone().filter(|_| free)?;
        Some(On { table, amends: inner.desk.amends(), meant })
    }

    /// Says an earlier deal anew, with what was written of it; false where the table has none such.
    pub fn amend(&self, amended: Amended) -> bool {
        let mut inner = self.lock();
        let mut fields = deal_over();
        let Some(was) = inner.table.as_ref().and_then(|table| book::as_it_was(table, amended))
        else {
            return false;
        };
        fields.extend(was);
        let Ok(context) = inner.desk.context().with(fields, &self.library) else { return false };
        inner.desk.amend(context, amended);
        inner.told_of = None;
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// Goes on with the deal that is being played, after `event` has changed an earlier one.
    pub fn go_on(&self, event: u64) {
        self.turn_to_the_next(|desk, context| desk.go_on(context, event));
    }

    /// The winds of those who have declared riichi in the deal that is being played.
    pub fn riichi_by(&self) -> Vec<Seat> {
        self.lock().desk.context().riichi_by()
    }

    /// The ledger's table, as pages show it.
    pub fn table_shown(&self) -> Option<TableState> {
        self.lock().table.clone()
    }

    /// Keeps in mind, for undoing, what was written to the ledger beside the hands.
    pub fn note(&self, event: u64) {
        self.lock().desk.note(event);
    }

    /// Keeps a hand on show: its result goes on air. `entered` says where the ledger has it.
    pub fn confirm(&self, reading: Value, entered: Option<Entered>) {
        let mut inner = self.lock();
        inner.desk.confirm(reading, entered);
        self.push(&mut inner);
    }

    /// Shows nothing of what lies there until the tiles change.
    ///
    /// # Errors
    /// A confirmed hand on show: rejected, it could be confirmed a second time.
    pub fn reject(&self) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        let seen = inner.seen();
        inner.desk.reject(seen);
        self.push(&mut inner);
        Ok(())
    }

    /// Ends a hand: how it was won and the corrections are forgotten, seats and winds stay.
    pub fn next(&self) {
        self.turn_to_the_next(Desk::next);
    }

    fn turn_to_the_next(&self, turn: impl FnOnce(&mut Desk, Context)) {
        let mut inner = self.lock();
        let mut over = deal_over();
        over.extend(inner.table.as_ref().map(seating).unwrap_or_default());
        // A context with fields taken away is still a good one.
        if let Ok(context) = inner.desk.context().with(over, &self.library) {
            turn(&mut inner.desk, context);
            inner.told_of = None;
            self.read_again(&mut inner);
            self.push(&mut inner);
        }
    }

    /// The ledger's event that undoing the last decision would take back.
    pub fn undoes(&self) -> Option<u64> {
        self.lock().desk.undoes()
    }

    /// Takes the last decision back; false where there is none.
    pub fn undo(&self) -> bool {
        let mut inner = self.lock();
        let undone = inner.desk.undo();
        if undone {
            inner.drop_what_was_taken_back();
            self.sit(&mut inner, Map::new());
            self.read_again(&mut inner);
            inner.told_of = inner.hand_shown();
            self.push(&mut inner);
        }
        undone
    }
}

/// What is confirmed.
#[derive(Clone, Debug)]
pub struct Confirming {
    /// What the operator told.
    pub context: Context,
    /// The hand that was scored, or what is said in its place.
    pub said: Said,
    /// Its reading, as pages show it.
    pub reading: Value,
    /// The ledger's table, as pages show it.
    pub table: Option<TableState>,
    /// The discards, where a camera over the table has seen all of them.
    pub discards: Option<SeenDiscards>,
    /// The deal that this is another winner of.
    pub also: Option<u64>,
    /// The earlier deal that is said anew.
    pub amends: Option<Amended>,
}

/// Takes away what is told of one hand alone.
pub(super) fn over() -> Map<String, Value> {
    ["win", "from", "winning", "hidden", "last_tile", "supplement", "kong_on_kong"]
        .into_iter()
        .chain(["first_turn", "safe", "last_visible", "minimum", "pao", "tile", "flowers"])
        .chain(["riichi", "double_riichi", "ippatsu", "first_draw"])
        .chain(TYPED)
        .map(|field| (field.to_owned(), Value::Null))
        .collect()
}

/// Takes away what is told of one deal alone: of its hands, and of what lies on the table in it.
pub(super) fn deal_over() -> Map<String, Value> {
    let mut over = over();
    let of_deal = ["dora_indicators", "ura_indicators", "riichi_by", "honba", "sticks"];
    over.extend(of_deal.map(|field| (field.to_owned(), Value::Null)));
    over
}

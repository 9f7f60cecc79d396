//! The operator's decisions, each of which makes a new state and can be undone.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Hub, HubState};
use crate::{
    page::{
        SCORES, TYPED,
        deals::{Won, as_it_was, seating},
    },
    rules::Fact,
    server::{
        Amended, Context, ContextError, DealReading, EnteredDeal, EntryTarget, Phase, Said,
        TableSession, UndoRefusal,
        ledger_handle::AUTHOR,
        teaching::{Keeping, numbered},
        tracked_picture::TrackedPicture,
    },
    table::{Proposal, TableState},
    tile::{Seat, Tile},
};

impl Hub {
    /// Changes fields of the context.
    ///
    /// # Errors
    /// Invalid fields, or a confirmed hand on show; nothing is changed then.
    pub fn set_context(&self, changes: Map<String, Value>) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        let mut proposals = inner.proposals.clone();
        let mut over = proposals.overrule(&changes);
        over.extend(changes);
        let context = inner.session.context().with(over, &self.library)?;
        inner.session.set_context(context);
        inner.proposals = proposals;
        self.read_again(&mut inner);
        inner.won_hand = inner.hand_shown();
        self.push(&mut inner);
        Ok(())
    }

    /// Clears how a hand was won when most of its tiles have changed, since it is another hand. An entry made before
    /// any hand is shown belongs to the first one.
    pub(super) fn forget_what_has_gone(&self, inner: &mut HubState) {
        let has_win = inner.session.context().text("win").is_some();
        let is_typed = inner.session.context().is_typed();
        let is_shown = inner.photo().is_some() || is_typed;
        if !has_win || *inner.phase() != Phase::Watching || is_shown {
            return;
        }
        let Some(mut shown) = inner.hand_shown() else { return };
        let Some(won_hand) = &inner.won_hand else {
            inner.won_hand = Some(shown);
            return;
        };
        let there = shown.len();
        for code in won_hand {
            if let Some(place) = shown.iter().position(|other| other == code) {
                shown.swap_remove(place);
            }
        }
        if 2 * shown.len() <= there {
            return;
        }
        inner.won_hand = None;
        inner.proposals.forget();
        // A context stays valid without these fields.
        if let Ok(context) = inner.session.context().with(over(), &self.library) {
            inner.session.sit(context);
            self.read_again(inner);
            self.fill_in(inner);
        }
    }

    /// Shows a photo with the sender's context, as one decision. The rule set stays, and with a ledger the round and
    /// the names.
    ///
    /// # Errors
    /// An invalid context, or a confirmed hand on show; nothing is changed then.
    pub fn put(
        &self,
        tracked: TrackedPicture,
        given: Map<String, Value>,
        fixes: Vec<(u64, Tile)>,
    ) -> Result<(), ContextError> {
        let mut inner = self.lock();
        self.put_into(&mut inner, tracked, given, fixes)?;
        self.push(&mut inner);
        Ok(())
    }

    /// The same as a part of another decision, which pushes the state.
    pub(super) fn put_into(
        &self,
        inner: &mut HubState,
        tracked: TrackedPicture,
        mut given: Map<String, Value>,
        fixes: Vec<(u64, Tile)>,
    ) -> Result<(), ContextError> {
        inner.is_watching()?;
        for field in ["rules", "rulings"] {
            given.remove(field);
        }
        // A way of winning replaces all its fields.
        let mut over = if given.is_empty() { Map::new() } else { over() };
        // The photo shows it now.
        over.extend(TYPED.map(|field| (field.to_owned(), Value::Null)));
        over.extend(given);
        let seating = inner.table.as_ref().map(seating).unwrap_or_default();
        if inner.session.also().is_some() || inner.session.amends().is_some() {
            // Another winner of a deal that is written: its seats stay, the table has gone on.
            over.retain(|field, _| !seating.contains_key(field));
        } else {
            over.extend(seating);
        }
        let context = inner.session.context().with(over, &self.library)?;
        inner.proposals.set_aside();
        let number = inner.photo.as_ref().map_or(1, |(number, _)| number + 1);
        inner.session.put(context, fixes, number);
        inner.photo = Some((number, tracked));
        self.read_again(inner);
        Ok(())
    }

    /// Corrects a tile; `None` takes a correction back. False if the tile is not shown, or a confirmed hand is on show.
    pub fn correct(&self, tile: u64, is: Option<Tile>) -> bool {
        let mut inner = self.lock();
        if inner.is_watching().is_err() {
            return false;
        }
        if !inner.lies_there(tile) {
            return false;
        }
        inner.session.correct(tile, is);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// The corrections of the current hand, for the user's tile set that influenced the reading.
    pub(in crate::server) fn corrected(&self, keep: bool) -> Option<Keeping> {
        let inner = self.lock();
        let tracked = inner.picture_read()?;
        let mut tiles = numbered(inner.read.as_ref()?.hand()?);
        let mut fixes = inner.session.fixes().to_vec();
        if inner.photo().is_some() {
            (tiles, fixes) = (tracked.by_tracking(tiles), tracked.by_tracking(fixes));
        }
        let (set, picture) = (tracked.tileset.clone()?, Arc::clone(&tracked.picture));
        Some(Keeping { set, picture, tiles, fixes, keep })
    }

    /// The hand to confirm, and the table shown beside it.
    pub fn to_confirm(&self) -> Option<Confirming> {
        let inner = self.lock();
        if *inner.phase() != Phase::Watching {
            return None;
        }
        let reading = inner.read.clone()?;
        let read = reading.hand()?;
        let score = read.score.as_ref().filter(|score| score.is_ok())?;
        let context = inner.session.context().clone();
        let (rules, _) = context.resolve(&self.library).ok()?;
        let said = Said::of(&context, &rules, read.scored_hand.as_deref()).ok()??;
        let (also, amends) = (inner.session.also(), inner.session.amends());
        let discards = inner.photo().is_none().then(|| inner.discards()).flatten();
        let discards = discards.map(|seen| seen.event());
        let others = context.others(&rules).ok()?;
        let won = Won { context, said, others, shown: Some(score.payments()), discards };
        let target = inner
            .table
            .clone()
            .map(|table| EntryTarget { amends, ..EntryTarget::now(table, AUTHOR) });
        Some(Confirming { won, reading, target, also })
    }

    /// Watches for another winner on the same winning tile; false if no hand of the ledger is on show, or it was
    /// self-drawn.
    pub fn also(&self) -> bool {
        let mut inner = self.lock();
        let Phase::Confirmed { entered: Some(entered), .. } = inner.phase() else { return false };
        let event = entered.deal.as_ref().map_or(entered.event, |deal| deal.event);
        let context = inner.session.context().clone();
        let (Some(seat), Some(from)) = (context.text("seat"), context.text("from")) else {
            return false;
        };
        // The new winner is neither the first winner nor the giver.
        let other = Seat::ALL.map(|seat| seat.to_string());
        let Some(other) = other.iter().find(|other| *other != seat && *other != from) else {
            return false;
        };
        let mut over = over();
        // The new winner's own discards and passes differ, so `tile` is asked again.
        for field in ["win", "from", "last_tile"] {
            over.remove(field);
        }
        over.insert("seat".to_owned(), other.as_str().into());
        let Ok(context) = context.with(over, &self.library) else { return false };
        inner.session.look_for_another(context, event);
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// The deal that can be ended without a winner; `None` where there is no table, or a confirmed hand is on
    /// show.
    pub fn to_end(&self) -> Option<EntryTarget> {
        let inner = self.lock();
        let free = inner.is_watching().is_ok() && inner.session.also().is_none();
        let table = inner.table.clone().filter(|_| free)?;
        Some(EntryTarget { amends: inner.session.amends(), ..EntryTarget::now(table, AUTHOR) })
    }

    /// Opens an earlier deal for re-entry with its fields; false if the table has no such deal.
    pub fn amend(&self, amended: Amended) -> bool {
        let mut inner = self.lock();
        let mut fields = deal_over();
        let Some(was) = inner.table.as_ref().and_then(|table| as_it_was(table, amended)) else {
            return false;
        };
        fields.extend(was);
        let Ok(context) = inner.session.context().with(fields, &self.library) else { return false };
        inner.proposals.set_aside();
        inner.session.amend(context, amended);
        inner.won_hand = None;
        self.read_again(&mut inner);
        self.push(&mut inner);
        true
    }

    /// Returns to the current deal, after the last event of `table` has changed an earlier one.
    pub fn go_on(&self, table: TableState) {
        let mut inner = self.lock();
        let event = table.last_event;
        self.take_table(&mut inner, table);
        self.turn_to_the_next(&mut inner, |session, context| session.go_on(context, event));
        self.fill_in(&mut inner);
        self.push(&mut inner);
    }

    /// The winds of those who have declared riichi in the deal that is being played.
    pub fn riichi_by(&self) -> Vec<Seat> {
        self.lock().session.context().riichi_by()
    }

    /// The ledger's table, as pages show it.
    pub fn table_shown(&self) -> Option<TableState> {
        self.lock().table.clone()
    }

    /// Stores the event of an entry that is not a hand, for undo.
    pub fn note(&self, event: u64) {
        self.lock().session.note(event);
    }

    /// Keeps a hand on show: its result goes on air, with the ledger's table after it as one state. The last event of
    /// that table has the hand.
    pub fn confirm(&self, reading: Arc<DealReading>, table: Option<TableState>) {
        let mut inner = self.lock();
        inner.proposals.end();
        inner.session.confirm(reading, table.as_ref().map(EnteredDeal::last_of));
        if let Some(table) = table {
            self.take_table(&mut inner, table);
        }
        self.push(&mut inner);
    }

    /// Rejects the hand until the tiles change.
    ///
    /// # Errors
    /// A confirmed hand on show: rejected, it could be confirmed a second time.
    pub fn reject(&self) -> Result<(), ContextError> {
        let mut inner = self.lock();
        inner.is_watching()?;
        let seen = inner.seen();
        inner.proposals.end();
        inner.session.reject(seen);
        self.push(&mut inner);
        Ok(())
    }

    /// Ends a hand: how it was won and the corrections are cleared, seats and winds stay.
    pub fn next(&self) {
        let mut inner = self.lock();
        inner.proposals.end();
        self.turn_to_the_next(&mut inner, TableSession::next);
        self.push(&mut inner);
    }

    fn turn_to_the_next(
        &self,
        inner: &mut HubState,
        turn: impl FnOnce(&mut TableSession, Context),
    ) {
        let mut over = deal_over();
        over.extend(inner.table.as_ref().map(seating).unwrap_or_default());
        // A context stays valid without these fields.
        if let Ok(context) = inner.session.context().with(over, &self.library) {
            turn(&mut inner.session, context);
            inner.won_hand = None;
            self.read_again(inner);
        }
    }

    /// Checks that a request to undo names the last decision.
    ///
    /// # Errors
    /// As [`TableSession::check_undo`].
    pub fn check_undo(&self, decision: Option<u64>) -> Result<(), UndoRefusal> {
        self.lock().session.check_undo(decision)
    }

    /// The ledger's event that undo would take back.
    pub fn undoes(&self) -> Option<u64> {
        self.lock().session.undoes()
    }

    /// Takes the last decision back, if there is one, and shows the ledger's table without its deal.
    pub fn undo(&self, table: Option<TableState>) {
        let mut inner = self.lock();
        if inner.session.undo() {
            inner.drop_what_was_taken_back();
            inner.proposals.set_aside();
            self.sit(&mut inner, Map::new());
            self.read_again(&mut inner);
            inner.won_hand = inner.hand_shown();
        }
        if let Some(table) = table {
            self.take_table(&mut inner, table);
        }
        self.fill_in(&mut inner);
        self.push(&mut inner);
    }
}

/// A hand to confirm, with everything that its deal needs.
#[derive(Clone, Debug)]
pub struct Confirming {
    /// The hand, or the typed result in its place, and how it was won.
    pub won: Won,
    /// Its reading, as pages show it.
    pub reading: Arc<DealReading>,
    /// The deal of the ledger's table that it belongs to, once the table has been read.
    pub target: Option<EntryTarget>,
    /// The deal that gets another winner.
    pub also: Option<u64>,
}

impl Confirming {
    /// Whether an earlier deal is re-entered.
    pub fn is_earlier(&self) -> bool {
        self.target.as_ref().is_some_and(|target| target.amends.is_some())
    }

    /// The entry that the ledger's table takes it as.
    ///
    /// # Errors
    /// Where the table has not been read, the first winner's deal is no longer the last one, or a field is missing.
    pub fn entry(&self) -> Result<Proposal, ContextError> {
        let refused = |why: &str| ContextError(why.to_owned());
        let target = self
            .target
            .as_ref()
            .ok_or_else(|| refused("the ledger's table has not been read yet: try again"))?;
        let Some(event) = self.also else { return target.won(&self.won) };
        let first = target.table.last_deal().filter(|deal| deal.event == event).ok_or_else(|| {
            refused(
                "the deal of the first winner is not the last one any more: undo here, and enter it again in the \
                 list of deals, with another winner",
            )
        })?;
        let amends = Some(Amended { event, winner: first.winners.len() });
        let entry = EntryTarget { amends, ..target.clone() }.won(&self.won)?;
        // It is the same deal still, of which the totals have just been shown.
        Ok(Proposal { compares_totals: false, ..entry })
    }
}

/// Clears the fields of one hand.
pub(super) fn over() -> Map<String, Value> {
    [
        "win",
        "from",
        "winning",
        "hidden",
        "minimum",
        "pao",
        "tile",
        "flowers",
        "north",
        "responsible",
    ]
    .into_iter()
    .chain(Fact::ALL.iter().map(|fact| fact.name()))
    .chain(TYPED)
    .chain([SCORES, "others"])
    .map(|field| (field.to_owned(), Value::Null))
    .collect()
}

/// Clears the fields of one deal: of its hands and of the table in it.
pub(super) fn deal_over() -> Map<String, Value> {
    let mut over = over();
    let of_deal = ["dora_indicators", "ura_indicators", "riichi_by", "honba", "sticks"];
    over.extend(of_deal.map(|field| (field.to_owned(), Value::Null)));
    over
}

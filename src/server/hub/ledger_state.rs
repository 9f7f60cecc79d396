//! The ledger's part of the state: its table, its tournament, and the check of visible discards against it.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Hub, HubState, decisions::deal_over};
use crate::{
    page::{deals::seating, evening::context_at},
    rules::Win,
    server::{
        ContextError, TournamentShown,
        json::Made,
        on_air::seat_of,
        turn_check::{MissedDiscard, TurnCheck},
    },
    table::{Event, Table, TableState},
    tile::{Face, Seat},
};

impl Hub {
    /// Shows a ledger's table for the first time and plays by its rules from then on. They are the table's own, decided
    /// by nobody here: undo leaves them.
    ///
    /// # Errors
    /// A table that was not opened, or rules that the library does not have.
    pub fn open_table(&self, table: &Table) -> Result<(), ContextError> {
        let state = table.state()?.clone();
        let mut inner = self.lock();
        let context = inner.session.context().with(context_at(table)?, &self.library)?;
        inner.session.sit(context);
        drop(inner);
        self.set_table(state);
        Ok(())
    }

    /// Shows a ledger's table and takes names and winds of the next hand from it. When somebody else has entered the
    /// deal, the entered way of winning is cleared; when somebody else has taken back or corrected the confirmed hand,
    /// its result goes off the air.
    pub fn set_table(&self, table: TableState) {
        let mut inner = self.lock();
        if inner.table.as_ref() != Some(&table) {
            self.take_table(&mut inner, table);
            self.push(&mut inner);
        }
    }

    /// The same before the state is pushed.
    pub(super) fn take_table(&self, inner: &mut HubState, table: TableState) {
        let deals = inner.table.as_ref().map(|before| before.history.len());
        let is_over = deals.is_some_and(|before| table.history.len() > before);
        let rules = inner.session.context().resolve(&self.library).map(|(rules, _)| rules);
        let explained = table.last_deal().zip(rules.ok());
        let mut steps =
            explained.map_or_else(Vec::new, |(deal, rules)| table.explain(&rules, deal));
        steps.retain(|steps| !steps.is_empty());
        if is_over {
            inner.proposals.end();
        }
        inner.table_json = Some(Made::table(&table, &steps));
        inner.table = Some(table);
        inner.drop_what_was_taken_back();
        self.sit(inner, if is_over { deal_over() } else { Map::new() });
        self.read_again(inner);
    }

    /// Names and winds as the table has them, and other changes, unless a confirmed hand is on show.
    pub(super) fn sit(&self, inner: &mut HubState, mut sits: Map<String, Value>) {
        sits.extend(inner.table.as_ref().map(seating).unwrap_or_default());
        if inner.is_watching().is_ok()
            && inner.session.also().is_none()
            && inner.session.amends().is_none()
            && let Ok(context) = inner.session.context().with(sits, &self.library)
        {
            inner.session.sit(context);
        }
    }

    /// Shows a tournament's standings.
    pub fn set_tournament(&self, standings: Option<TournamentShown>) {
        let mut inner = self.lock();
        if inner.tournament.1.as_deref() != standings.as_ref() {
            inner.tournament = (inner.tournament.0 + 1, standings.map(Arc::new));
            self.push(&mut inner);
        }
    }

    /// A tournament's standings. They may be long, so states hold only the count of their changes.
    pub fn tournament(&self) -> Option<Arc<TournamentShown>> {
        self.lock().tournament.1.clone()
    }
}

impl HubState {
    /// Watches again where the confirmed hand is no longer in the table as it was entered.
    pub(super) fn drop_what_was_taken_back(&mut self) {
        if let Some(table) = &self.table {
            self.session.watch_unless_entered(table);
            self.session.amend_only_what_stands(table);
        }
    }

    /// The discards of the deal, where all of them are seen, known, and as many as there were turns.
    pub(super) fn discards(&self) -> Option<SeenDiscards> {
        let (discards, missed) = self.seen_discards()?;
        missed.is_none().then_some(discards)
    }

    /// A message for discards that are all recognised but cannot be all of them.
    pub(super) fn discards_missed(&self) -> Option<String> {
        let table = self.table.as_ref()?;
        let (_, missed) = self.seen_discards()?;
        let whose = match missed?.by.and_then(|wind| table.at_seat(Seat::ALL[wind])) {
            Some(player) => format!("one of {}'s is not seen", table.players[player].name),
            None => "some are not seen, or sets show a wrong giver".to_owned(),
        };
        Some(format!("the discards do not add up to the turns: {whose}, so they are not used"))
    }

    fn seen_discards(&self) -> Option<(SeenDiscards, Option<MissedDiscard>)> {
        let table = self.table.as_ref()?;
        let context = self.session.context();
        let mut discards = SeenDiscards {
            rows: vec![Vec::new(); table.players.len()],
            claimed: vec![Vec::new(); table.players.len()],
        };
        let (mut rows, mut claims) = (vec![0; table.players.len()], Vec::new());
        for (player, state) in table.players.iter().enumerate() {
            let (_, seen) = self.seats.get(&context.place_of(state.seat))?;
            if seen.unplaced {
                return None;
            }
            discards.rows[player] = seen.known_discards()?;
            *rows.get_mut(state.seat.index())? = discards.rows[player].len();
            for (side, tile) in seen.claimed()? {
                let giver = context.neighbour(state.seat, side)?;
                discards.claimed[table.at_seat(giver)?].push(tile);
                claims.push((giver.index(), state.seat.index()));
            }
        }
        let won = || {
            let winner = context.text("seat").and_then(seat_of)?;
            let from = || context.text("from").and_then(seat_of);
            Some((
                winner,
                match context.text("win")? {
                    "discard" => Win::Discard { from: from()? },
                    "rob_kong" => Win::RobKong { from: from()? },
                    _ => Win::SelfDraw,
                },
            ))
        };
        let turns = TurnCheck { rows: &rows, claims: &claims };
        let missed = won().and_then(|(winner, win)| turns.check(winner, win).err());
        Some((discards, missed))
    }
}

/// The visible discards of each player, and those that others have claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenDiscards {
    /// In the order in which they were discarded.
    pub rows: Vec<Vec<Face>>,
    /// The claimed discards, in no known order.
    pub claimed: Vec<Vec<Face>>,
}

impl SeenDiscards {
    /// The discards as the ledger stores them.
    pub(super) fn event(&self) -> Event {
        let text = |tiles: &Vec<Face>| tiles.iter().map(ToString::to_string).collect();
        Event::DiscardRows {
            rows: self.rows.iter().map(text).collect(),
            claimed: self.claimed.iter().map(text).collect(),
        }
    }
}

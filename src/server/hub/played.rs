//! What a ledger adds to what is shown: its table, its tournament, and what the discards on the table
//! tell it.

use serde_json::{Map, Value, json};

use super::{Hub, Inner, decisions::over};
use crate::{server::book, table::TableState, tile::Face};

impl Hub {
    /// Shows a ledger's table. Names and winds of the next hand are taken from it; where somebody else
    /// has entered the deal, what was told here of how it was won is forgotten with it.
    pub fn set_table(&self, table: TableState) {
        let mut inner = self.lock();
        if inner.table.as_ref() == Some(&table) {
            return;
        }
        let deals = inner.table.as_ref().map(|before| before.history.len());
        let is_over = deals.is_some_and(|before| table.history.len() > before);
        inner.table_json = json!(table);
        inner.table_json["last_deal"] = json!(table.last_deal());
        if let Some(fields) = inner.table_json.as_object_mut() {
            fields.remove("history");
        }
        inner.table = Some(table);
        self.sit(&mut inner, if is_over { over() } else { Map::new() });
        self.read_again(&mut inner);
        self.push(&mut inner);
    }

    /// The ledger's table with all its deals; null where there is none. States hold the last alone.
    pub fn table(&self) -> Value {
        json!(self.lock().table)
    }

    /// Names and winds as the table has them, and other changes, unless a confirmed hand is on show.
    pub(super) fn sit(&self, inner: &mut Inner, mut sits: Map<String, Value>) {
        sits.extend(inner.table.as_ref().map(book::seating).unwrap_or_default());
        if inner.is_watching().is_ok()
            && inner.desk.also().is_none()
            && let Ok(context) = inner.desk.context().with(sits, &self.library)
        {
            inner.desk.sit(context);
        }
    }

    /// Shows a tournament's standings.
    pub fn set_tournament(&self, standings: Value) {
        let mut inner = self.lock();
        if inner.tournament.1 != standings {
            inner.tournament = (inner.tournament.0 + 1, standings);
            self.push(&mut inner);
        }
    }

    /// A tournament's standings; null where there is none. They may be long, so states hold only
    /// how often they have changed.
    pub fn tournament(&self) -> Value {
        self.lock().tournament.1.clone()
    }
}

impl Inner {
    /// The discards of the deal, where all of them are seen and known.
    pub(super) fn discards(&self) -> Option<SeenDiscards> {
        let table = self.table.as_ref()?;
        let context = self.desk.context();
        let mut discards = SeenDiscards {
            rows: vec![Vec::new(); table.players.len()],
            claimed: vec![Vec::new(); table.players.len()],
        };
        for (player, state) in table.players.iter().enumerate() {
            let (_, seen) = self.seats.get(&context.place_of(state.seat))?;
            if seen.unplaced {
                return None;
            }
            discards.rows[player] = seen.known_discards()?;
            for (side, tile) in seen.claimed()? {
                let giver = table.at_seat(state.seat.neighbour(side))?;
                discards.claimed[giver].push(tile);
            }
        }
        Some(discards)
    }
}

/// What lies before each player, and what others have claimed from him; by player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenDiscards {
    /// In the order in which they were discarded.
    pub rows: Vec<Vec<Face>>,
    /// In no known order.
    pub claimed: Vec<Vec<Face>>,
}

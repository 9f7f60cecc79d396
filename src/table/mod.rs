//! A session at a table: who sits where, what each deal came to, the standings.
//!
//! Everything that happens is an [`Event`]; a [`Table`] is a list of them and the [`TableState`]
//! that they come to. Nothing is ever changed: to undo is an event, to correct a past deal is one,
//! and all later totals follow. [`Table::complete`] checks what somebody wants to write down and
//! scores its hands; [`Table::push`] adds it. How seats and winds move on, what costs a penalty and
//! what may not be won on stands in the rule files (`[session]`, docs/rule-files.md).
//!
//! Pure: no files, no clock. The feature `ledger` keeps tables in a file.

mod claims;
mod deal;
mod doubt;
mod ending;
mod entry;
mod error;
mod event;
mod explain;
mod export;
mod fold;
mod item_id;
mod per_player;
mod scoring;
mod stakes;
mod state;
#[allow(clippy::module_inception, reason = "the module's one main type has its name")]
mod table;

pub use claims::{Discards, Question, Verdict, WonTile, verdict};
pub use doubt::Doubt;
pub use error::TableError;
pub use event::{
    Chombo, Deal, Draw, Event, Fault, Opened, Penalty, Place, Recorded, Scored, Seated,
    SessionClock, Sitting, TileWas, WinBy, Winner,
};
#[cfg(feature = "ledger")]
pub(crate) use fold::UNPROVEN;
pub(crate) use fold::rules_of;
pub use item_id::ItemId;
pub use per_player::PerPlayer;
pub use state::{DealRecord, Loss, Over, PenaltyRecord, Placed, PlayerState, Problem, TableState};
pub use table::Table;

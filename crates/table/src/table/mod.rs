//! A session at a table: seats, results of deals, standings.
//!
//! Everything that happens is an [`Event`]; a [`Table`] is a list of them and the resulting
//! [`TableState`]. Nothing is ever changed: to undo is an event, to correct a past deal is one,
//! and all later totals follow. [`Table::complete`] checks a new event and scores its hands;
//! [`Table::push`] adds it. How seats and winds move on, which faults cost a penalty and which tiles
//! may not be won on is defined in the rule files (`[session]`, docs/rule-files.md).
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
mod moving_on;
mod opening;
mod others;
mod per_player;
mod played_on;
mod proposal;
mod scoring;
mod stakes;
mod state;
#[allow(clippy::module_inception, reason = "the module's one main type has its name")]
mod table;
mod words;

pub use claims::{Discards, Question, Verdict, WonTile, verdict};
pub use doubt::EntryDoubt;
pub use error::TableError;
pub use event::{
    Charged, Chombo, Deal, DealPlace, Draw, Event, OtherHand, Penalty, PlayerFault, Recorded,
    Scored, Seated, TileWas, WinBy, Winner,
};
#[cfg(feature = "ledger")]
pub(crate) use fold::UNPROVEN;
pub use item_id::ItemId;
pub(crate) use opening::rules_of;
pub use opening::{Opened, SessionClock, Sitting};
pub use per_player::PerPlayer;
pub use played_on::{Act, ActKind, AtEnd, PlayedOn, Settled};
pub use proposal::{ConfirmationRequest, Proposal, ShownPayments, TotalChange, taken_away};
pub use state::{
    Before, DealRecord, Loss, Over, PenaltyRecord, Placed, PlayerState, Problem, TableState,
};
pub use table::Table;
pub use words::DealWords;

//! Tournaments: rounds at tables, results, penalties, standings.
//!
//! A [`Log`] of dated [`Event`]s is all that is kept; [`Log::tournament`] computes how the [`Tournament`]
//! stands, [`Tournament::joined`] adds what was played at tables of the same ledger. Pure: no file, no
//! clock, no chance is touched here, and any rule set can be played.

mod apply;
mod clock;
mod draw;
mod event;
mod export;
mod format;
mod import;
mod log;
mod played;
mod refusal;
mod results;
mod roster;
mod schedule;
mod sheets;
mod spreadsheet;
mod standings;
mod state;

pub use clock::{ClockReading, MayPlay};
pub use draw::{draw, lot};
pub use event::{Event, Recorded, Wins};
pub use export::{PersonLine, SeatLine, StandingLine, to_csv};
pub use format::{Format, NoFormat};
pub use import::{Different, ImportError, Place, read_entrants};
pub use log::Log;
pub use played::Played;
pub use refusal::Refusal;
pub use results::{ReadResults, ResultLine, read_results};
pub use roster::{EnteredTwice, Entrant, Roster};
pub use schedule::{MostRounds, Number, Quality, Schedule, ScheduleError, Table, Why, WindCounts};
pub use standings::{Session, Standing};
pub use state::{Disqualification, Penalty, Seating, Sitter, Tournament};

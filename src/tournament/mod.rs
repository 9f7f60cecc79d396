//! Tournaments: rounds at tables, results, penalties, standings.
//!
//! A [`Log`] of dated [`Event`]s is all that is kept; [`Log::tournament`] computes how the [`Tournament`]
//! stands. Pure: no file, no clock, no chance is touched here, and any rule set can be played.

mod clock;
mod draw;
mod event;
mod export;
mod format;
mod import;
mod log;
mod points;
mod refusal;
mod roster;
mod schedule;
mod sheets;
mod spreadsheet;
mod standings;
mod state;

pub use clock::{ClockReading, MayPlay, SessionClock};
pub use draw::{draw, lot};
pub use event::{Event, What};
pub use export::{PersonLine, SeatLine, StandingLine, to_csv};
pub use format::{Format, FormatError, PenaltyCause, PenaltyFormat, SessionFormat};
pub use import::{ImportError, Place, ResultLine, read_entrants, read_results};
pub use log::{Log, LogError};
pub use points::{Points, PointsError};
pub use refusal::Refusal;
pub use roster::{EnteredTwice, Entrant, Name, NameError, Roster};
pub use schedule::{Number, Quality, Schedule, ScheduleError, Table, WindCounts};
pub use standings::{Session, Standing};
pub use state::{Disqualification, Penalty, Seating, Sitter, Tournament};

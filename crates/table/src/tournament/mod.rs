//! Tournaments: rounds at tables, results, penalties, standings.
//!
//! A [`Log`] of dated [`Event`]s is all that is kept; [`Log::tournament`] computes the [`Tournament`],
//! [`Tournament::joined`] adds the results of tables in the same ledger. Pure: no file, no
//! clock, no chance is touched here, and any rule set can be played.

mod apply;
mod clock;
mod draw;
mod error;
mod event;
mod export;
mod format;
mod import;
mod layout;
mod ledger_tables;
mod log;
mod opening;
mod publish;
mod quality;
mod report;
mod results;
mod roster;
mod schedule;
mod score_sheet;
mod season;
mod sheets;
mod spreadsheet;
mod standings;
mod state;
mod teams;

pub use clock::{ClockChanged, ClockReading, MayPlay};
pub use draw::{draw, lot};
pub use error::TournamentError;
pub use event::{By, Event, Paired, Plan, Recorded, Wins};
pub use export::{PersonLine, SeatLine, StandingLine, to_csv};
pub use format::{Format, NoFormat};
pub use import::{Different, ImportError, ImportPlace, read_entrants};
pub use layout::Pairing;
pub use ledger_tables::LedgerTable;
pub use log::Log;
pub use publish::CALENDAR;
pub use quality::{GroupMeetings, TournamentQuality};
pub use report::{Template, TemplateError};
pub use results::{ReadResults, ResultLine, read_results};
pub use roster::{EnteredTwice, Entrant, Group, PersonDetails, Roster};
pub use schedule::{MostRounds, Number, Quality, Schedule, ScheduleError, Table, Why, WindCounts};
pub use season::{Finish, SeasonBy, SeasonError, SeasonLine, Stage, season};
pub use standings::{SessionResult, Standing};
pub use state::{Disqualification, GivenPenalty, Seating, Sitter, Tournament};
pub use teams::TeamStanding;

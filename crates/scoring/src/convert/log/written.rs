//! The formats in which a record is written.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{LogError, mjai, tenhou_writer};
use crate::{
    convert::Converted,
    record::{Event, Record},
};

/// A format of whole games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// Our own lines of JSON.
    Jsonl,
    /// Events of the mjai protocol, one JSON object a line.
    Mjai,
    /// The JSON of tenhou.net/6.
    Tenhou,
}

/// A format that is not known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("no format `{0}`: expected one of {known}", known = LogFormat::ALL.map(LogFormat::name).join(", "))]
pub struct LogFormatError(pub String);

impl LogFormat {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Jsonl, Self::Mjai, Self::Tenhou];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Jsonl => "jsonl",
            Self::Mjai => "mjai",
            Self::Tenhou => "tenhou",
        }
    }

    /// Writes a record, and says what the format leaves out of it.
    ///
    /// # Errors
    /// [`LogError`] with the place, where the format cannot say an event.
    pub fn print(self, record: &Record) -> Result<Converted<String>, LogError> {
        let print = match self {
            Self::Jsonl => {
                return record
                    .json_lines()
                    .map(Converted::from)
                    .map_err(|error| LogError::new("the record", error.to_string()));
            }
            Self::Mjai => mjai::print,
            Self::Tenhou => tenhou_writer::print,
        };
        let mut converted = print(&record.corrected())?;
        if record.events.iter().any(|event| matches!(event, Event::Doubt { .. })) {
            converted.notes.push(format!("{self} has no doubts: those are left out"));
        }
        Ok(converted)
    }
}

impl fmt::Display for LogFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for LogFormat {
    type Err = LogFormatError;

    fn from_str(text: &str) -> Result<Self, LogFormatError> {
        (Self::ALL.into_iter())
            .find(|format| format.name() == text)
            .ok_or_else(|| LogFormatError(text.to_owned()))
    }
}

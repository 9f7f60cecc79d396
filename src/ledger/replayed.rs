//! What a ledger's logs are: a table's, or the tournament's.

use serde::{Serialize, de::DeserializeOwned};

use crate::{
    journal::Recorded,
    table::{self, Table},
    tournament,
};

/// The number of the tournament's log; every other number is a table's.
pub(super) const TOURNAMENT: u32 = 0;

/// A log that is replayed as it is read.
pub(super) trait Replayed: Sized {
    /// What it holds.
    type Event: Serialize + DeserializeOwned + Send;

    /// With nothing in it.
    fn empty(number: u32) -> Self;

    /// Everything that was written down.
    fn events(&self) -> &[Recorded<Self::Event>];

    /// The log with events that were written since; or the first that cannot be replayed, and why.
    fn extended(self, events: Vec<Recorded<Self::Event>>) -> Result<Self, (u64, String)>;

    /// Adds an event after a look at whether it fits what was before it, for an audit.
    fn audit(&mut self, recorded: Recorded<Self::Event>) -> Result<(), String>;

    /// How many deals were played, and what does not fit together since a correction.
    fn comes_to(&self) -> (usize, Vec<String>);
}

impl Replayed for Table {
    type Event = table::Event;

    fn empty(number: u32) -> Self {
        Self::new(number)
    }

    fn events(&self) -> &[table::Recorded] {
        self.events()
    }

    fn extended(self, events: Vec<table::Recorded>) -> Result<Self, (u64, String)> {
        self.extended(events).map_err(|(seq, error)| (seq, error.to_string()))
    }

    fn audit(&mut self, recorded: table::Recorded) -> Result<(), String> {
        self.fits(&recorded.event)?;
        self.push(recorded).map_err(|error| error.to_string())
    }

    fn comes_to(&self) -> (usize, Vec<String>) {
        let Ok(state) = self.state() else { return (0, Vec::new()) };
        let told = state.problems.iter().map(|one| format!("event {}: {}", one.event, one.what));
        (state.history.len(), told.collect())
    }
}

impl Replayed for tournament::Log {
    type Event = tournament::Event;

    fn empty(_number: u32) -> Self {
        Self::default()
    }

    fn events(&self) -> &[tournament::Recorded] {
        self.events()
    }

    fn extended(mut self, events: Vec<tournament::Recorded>) -> Result<Self, (u64, String)> {
        for recorded in events {
            let seq = recorded.seq;
            self.push(recorded).map_err(|error| (seq, error.to_string()))?;
        }
        Ok(self)
    }

    fn audit(&mut self, recorded: tournament::Recorded) -> Result<(), String> {
        self.push(recorded).map_err(|error| error.to_string())
    }

    fn comes_to(&self) -> (usize, Vec<String>) {
        (0, Vec::new())
    }
}

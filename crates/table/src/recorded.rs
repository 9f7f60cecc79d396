//! A log that is only ever appended to: events with their number, time and author, and which of
//! them were taken back.

use std::collections::HashSet;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// An event with its number, time and author.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recorded<Event> {
    /// Its number in its log, from 1.
    pub seq: u64,
    /// When it was written.
    pub at: Timestamp,
    /// Who wrote it.
    pub author: String,
    /// The event itself.
    pub event: Event,
}

/// An event that can be in a log.
pub trait Undoes {
    /// The number of the event that it takes back, if it takes one back.
    fn undoes(&self) -> Option<u64>;
}

/// The events that were taken back, found from the last to the first: an undone event takes nothing
/// back itself, so that undoing an undo restores the event.
pub fn taken_back<Event: Undoes>(events: &[Recorded<Event>]) -> HashSet<u64> {
    let mut void = HashSet::new();
    for recorded in events.iter().rev() {
        if let Some(event) = recorded.event.undoes()
            && event < recorded.seq
            && !void.contains(&recorded.seq)
        {
            void.insert(event);
        }
    }
    void
}

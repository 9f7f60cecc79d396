//! What a camera adds to an event: when it was seen, how clearly, and what about it is not certain.

use serde::{Deserialize, Serialize};

use super::Event;

/// An event as a camera has seen it: a line of the record that it writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeenEvent {
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// When it happened, in milliseconds since 1970.
    pub at: u64,
    /// The probability that its tiles are read right, 0-1; `None` where it has none that were seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f32>,
}

/// What about an event is not certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubtful {
    /// Its tiles were not seen clearly enough.
    Tile,
    /// More tiles of this face were seen than a set of tiles has.
    Count,
    /// Whether it was then, or somebody else's turn came first.
    Order,
    /// Who discarded the claimed tile.
    Giver,
    /// The discard was not seen where discards lie: the set that it is in shows it.
    Unseen,
    /// Of the deal: its round, dealer, counters and sticks.
    Place,
}

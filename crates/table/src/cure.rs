//! The remedy for a refusal. Front ends word it: a terminal by its options, a page by its fields.

use crate::name::Name;

/// The remedy for a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cure {
    /// Give everybody's payments.
    Payments,
    /// Give the cost of a fault.
    Cost,
    /// Give whether the winner discarded the tile himself, or let it pass.
    TileWas,
    /// Give the players who were tenpai.
    Tenpai,
    /// Give the whole deal: wins, kongs, and what the others had at its end.
    WholeDeal,
    /// Write an abortive draw down.
    AbortiveDraw,
    /// List the events.
    ListEvents,
    /// Lay rounds out by the meetings, which needs no results.
    ByMeetings,
    /// Give the points that penalties took from a table.
    Taken,
    /// Give the number of a player's wins.
    Wins(Name),
    /// End the session of a table of the same ledger.
    EndSession,
    /// Undo the end of the session of that table.
    UndoAtTable(u32),
}

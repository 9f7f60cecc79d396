//! What can be done about a refusal. Front ends word it: a terminal by its options, a page by its fields.

use crate::name::Name;

/// What can be done about a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cure {
    /// Give what everybody received and paid.
    Payments,
    /// Give what a fault costs.
    Cost,
    /// Give whether the winner discarded the tile himself, or let it pass.
    TileWas,
    /// Give who was tenpai.
    Tenpai,
    /// Write an abortive draw down.
    AbortiveDraw,
    /// Look at the events that there are.
    ListEvents,
    /// Lay rounds out by the meetings, which needs no results.
    ByMeetings,
    /// Give what penalties took from a table.
    Taken,
    /// Give how often a player has won.
    Wins(Name),
    /// End the session of a table of the same ledger.
    EndSession,
    /// Undo the end of the session of that table.
    UndoAtTable(u32),
}

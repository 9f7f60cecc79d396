//! What undo takes back, and why it does not.

use schemars::JsonSchema;
use serde::Serialize;

/// The decision that undo would take back, as pages show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Undoable {
    /// Its number, by which a page says that it means this one.
    pub decision: u64,
    /// The kind of decision.
    #[serde(flatten)]
    pub what: LastDecision,
}

/// Why a decision is not taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UndoRefusal {
    /// Nothing was decided.
    #[error("there is nothing to undo")]
    Nothing,
    /// The request does not say which decision it means.
    #[error("say which decision is to be taken back: `decision` of `undoes` in the state")]
    Unnamed,
    /// Somebody else was faster.
    #[error("this was taken back already")]
    TakenBack,
    /// It is not the last decision any more.
    #[error("something else was decided after it: look at what undo takes back now")]
    NotLast,
}

/// The kinds of decisions that can be undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum LastDecision {
    /// A hand, a draw or a void deal was confirmed.
    Confirm {
        /// The number of the ledger's deal.
        deal: Option<u32>,
    },
    /// Something else was written to the ledger: a fault, or an earlier deal otherwise.
    Write,
    /// The hand was ended, and the next one watched for.
    Next,
    /// A hand was rejected.
    Reject,
    /// A photo was put on show.
    Photo,
    /// Another winner was started.
    Also,
    /// An earlier deal was opened for re-entry.
    Amend,
    /// A tile was corrected.
    Correct {
        /// The corrected tile; null if a correction was taken back.
        tile: Option<String>,
    },
    /// Fields of the hand or of the table were changed.
    Tell {
        /// Their names.
        fields: Vec<String>,
    },
}

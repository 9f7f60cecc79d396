//! An entry as somebody proposes it, checked against the table and asked about before anything is written.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Serialize, Serializer};
use serde_json::json;

use super::{DealRecord, EntryDoubt, Event, PlayerState, Table, TableError, TableState};
use crate::{
    name::Name,
    points::Points,
    tile::Seat,
    words::{Say, say},
};

/// What somebody wants to write down at a table, whichever way it is entered.
#[derive(Clone, Debug, Default)]
pub struct Proposal {
    /// The events in their order; all of them are written, or none.
    pub events: Vec<Event>,
    /// The author's name.
    pub author: String,
    /// The author's own name for the entry. Sent again after a lost answer, it is not written twice.
    pub id: Option<String>,
    /// The table's last event as the author saw the table: where somebody wrote meanwhile, the entry is refused.
    pub seen: Option<u64>,
    /// The payments that the author was shown; the table has to come to the same.
    pub shown: Option<ShownPayments>,
    /// What has to be confirmed about the entry, beside what the table doubts.
    pub warning: Option<Say>,
    /// Whether the author confirms how the totals change, as they do with an earlier deal.
    pub compares_totals: bool,
    /// The entry is confirmed: it is intended, although it looks like a slip.
    pub meant: bool,
}

/// The payments of a winner's hand as a page showed them; a missing player received nothing.
#[derive(Clone, Debug)]
pub struct ShownPayments {
    /// The points by the winds of the deal.
    pub payments: BTreeMap<Seat, Points>,
    /// The event of the deal that is corrected; `None` for a new deal.
    pub event: Option<u64>,
    /// The winner's index in the deal.
    pub winner: usize,
}

/// What has to be confirmed before an entry is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConfirmationRequest {
    /// Reasons why the entry looks like a slip.
    #[serde(flatten, serialize_with = "in_english_and_as_sentences")]
    pub doubts: Vec<Say>,
    /// The totals, where an earlier deal changes.
    pub totals: Vec<TotalChange>,
    /// New contradictions in the table after the change.
    pub problems: Vec<String>,
}

/// A player's total before and after a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TotalChange {
    /// The player's name.
    pub name: Name,
    /// The total now.
    pub before: Points,
    /// The total after the change.
    pub after: Points,
}

fn in_english_and_as_sentences<S: Serializer>(
    doubts: &[Say],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let english: Vec<String> = doubts.iter().map(Say::english).collect();
    serializer.collect_map([("doubts", json!(english)), ("said", json!(doubts))])
}

impl std::fmt::Display for ConfirmationRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.doubts.first() {
            Some(doubt) => write!(f, "{}: say that it is meant to write it down", doubt.english()),
            None => {
                write!(f, "an earlier deal changes: look at the totals, and say that it is meant")
            }
        }
    }
}

impl Proposal {
    /// One event that is not confirmed yet.
    pub fn new(event: Event, author: impl Into<String>) -> Self {
        Self { events: vec![event], author: author.into(), ..Self::default() }
    }
}

impl Table {
    /// The table with a proposal's events, as it would be once they are written at that time.
    ///
    /// # Errors
    /// Why the table rejects them, or comes to other payments than were shown; then
    /// [`TableError::Unconfirmed`] where something has to be confirmed first.
    pub fn proposed(&self, proposal: &Proposal, at: Timestamp) -> Result<Self, TableError> {
        let mut after = self.clone();
        for event in &proposal.events {
            after = after.with(event.clone(), &proposal.author, at)?;
        }
        if let Some(shown) = &proposal.shown {
            shown.check(after.state()?)?;
        }
        // A table that is being opened has nothing that an entry could contradict.
        if let (Ok(before), false) = (self.state(), proposal.meant) {
            let mut asked = ConfirmationRequest::default();
            asked.doubts.extend(proposal.warning.clone());
            if let Some(last) = proposal.events.last() {
                asked.doubts.extend(self.doubts(last, at)?.iter().map(EntryDoubt::sentence));
            }
            if proposal.compares_totals {
                asked.compare(before, after.state()?);
            }
            if asked != ConfirmationRequest::default() {
                return Err(TableError::Unconfirmed(asked.into()));
            }
        }
        Ok(after)
    }
}

impl ConfirmationRequest {
    /// Adds the totals before and after a change, and the contradictions that it brings.
    fn compare(&mut self, before: &TableState, after: &TableState) {
        let total = |(was, is): (&PlayerState, &PlayerState)| TotalChange {
            name: was.name.clone(),
            before: was.standing,
            after: is.standing,
        };
        self.totals = before.players.iter().zip(&after.players).map(total).collect();
        let new = after.problems.iter().filter(|problem| !before.problems.contains(problem));
        self.problems =
            new.map(|problem| format!("event {}: {}", problem.event, problem.what)).collect();
    }
}

impl ShownPayments {
    /// Refuses a hand for which the table pays otherwise than was shown; `after`: the table with it.
    fn check(&self, after: &TableState) -> Result<(), TableError> {
        let deal = match self.event {
            Some(event) => after.record(event),
            None => after.last_deal(),
        };
        let is_as_shown = |deal: &DealRecord| {
            let scored = deal.winners.get(self.winner).and_then(|winner| winner.scored.as_ref());
            let paid = scored.map_or(&deal.payments, |scored| &scored.payments);
            let shown = |seat: &Seat| self.payments.get(seat).copied().unwrap_or_default();
            deal.seats.iter().zip(paid).all(|(seat, paid)| shown(seat) == *paid)
        };
        if deal.is_some_and(is_as_shown) { Ok(()) } else { Err(TableError::PaidOtherwise) }
    }
}

/// What undoing an event takes away, for its confirmation.
pub fn taken_away(table: &TableState, event: u64) -> Say {
    table.record(event).map_or_else(
        || say!("this takes back what was changed of an earlier deal"),
        |deal| say!("this takes deal {number} out of the ledger", number = deal.place.number),
    )
}

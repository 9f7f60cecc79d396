//! An entry as somebody proposes it, checked against the table and asked about before anything is written.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Deal, Opened, Seated, WinBy, Winner};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;

    /// A table of Ann, Bo, Cy and Di.
    fn table() -> Table {
        let players = ["Ann", "Bo", "Cy", "Di"].map(Seated::named).into();
        let opened = Event::Opened(Opened {
            title: None,
            rules: "ims".to_owned(),
            rule_file: None,
            rulings: Vec::new(),
            players,
            initial: None,
            sitting: None,
            penalties: None,
            clock: None,
        });
        Table::new(1).proposed(&Proposal::new(opened, "Ann"), NOW).unwrap()
    }

    /// Bo draws the winning tile himself, for which each of the others pays him that.
    fn won(each: &str) -> Proposal {
        let hand = Some("222p44p56p (1'23p) (7'89p) +7p".to_owned());
        let winner = Winner { player: 1, win: WinBy::SelfDraw, hand, ..Winner::default() };
        let deal = Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
        let each: Points = each.parse().unwrap();
        let payments = [(Seat::East, -each), (Seat::West, -each), (Seat::North, -each)];
        let payments = payments.into_iter().chain([(Seat::South, each + each + each)]).collect();
        let shown = Some(ShownPayments { payments, event: None, winner: 0 });
        Proposal { shown, ..Proposal::new(deal, "Bo") }
    }

    #[test]
    fn a_hand_is_paid_as_it_was_shown() {
        let after = table().proposed(&won("75/2"), NOW).unwrap();
        let written = after.events().last().unwrap();
        assert_eq!((written.seq, written.author.as_str()), (2, "Bo"));
        let meant = Proposal { meant: true, ..won("38") };
        assert_eq!(table().proposed(&meant, NOW).unwrap_err(), TableError::PaidOtherwise);
    }

    #[test]
    fn what_looks_like_a_slip_is_confirmed_first() {
        let once = table().proposed(&won("75/2"), NOW).unwrap();
        let again = Proposal { shown: None, ..won("75/2") };
        let TableError::Unconfirmed(asked) = once.proposed(&again, NOW).unwrap_err() else {
            panic!("an equal deal a moment later is asked about");
        };
        assert_eq!((asked.doubts.len(), asked.totals.len()), (1, 0));
        let meant = Proposal { meant: true, ..again };
        assert_eq!(once.proposed(&meant, NOW).unwrap().state().unwrap().history.len(), 2);
    }

    #[test]
    fn a_change_of_an_earlier_deal_shows_the_totals() {
        let once = table().proposed(&won("75/2"), NOW).unwrap();
        let undone = Proposal::new(Event::Undone { event: 2 }, "Bo");
        assert!(once.proposed(&undone, NOW).is_ok(), "a player's is confirmed by another player");
        let compared = Proposal { compares_totals: true, ..undone };
        let TableError::Unconfirmed(asked) = once.proposed(&compared, NOW).unwrap_err() else {
            panic!("the totals are looked at");
        };
        let bo = &asked.totals[1];
        assert_eq!([bo.before, bo.after].map(|total| total.to_string()), ["225/2", "0"]);
    }
}

//! What the operator has decided: corrections, seats and winds, confirmed or not; all of it undoable.

use std::sync::Arc;

use serde::Serialize;

use super::Context;
use crate::{
    table::{DealRecord, TableState},
    tile::Tile,
};

/// No more steps are remembered for undoing.
const REMEMBERED: usize = 200;

/// Where a hand stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// What the camera shows is shown.
    Watching,
    /// A hand was confirmed and stays on show, whatever happens on the table.
    Confirmed {
        /// Its reading, as JSON.
        reading: serde_json::Value,
        /// Where the ledger has it.
        entered: Option<Entered>,
    },
    /// What lies there was rejected: nothing of it is shown until the tiles change.
    Rejected {
        /// What there was to see when it was rejected.
        seen: Vec<u64>,
    },
}

/// An earlier deal of the ledger's that is said anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amended {
    /// The number of its event.
    pub event: u64,
    /// Which of its winners is another, by his place among them; a place more: one is added.
    pub winner: usize,
}

/// A confirmed hand as the ledger took it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The number of the event that wrote it.
    pub event: u64,
    /// The deal as it stood after that event.
    pub deal: Option<Arc<DealRecord>>,
}

impl Entered {
    /// The last event of a table, and its last deal.
    #[must_use]
    pub fn last_of(table: &TableState) -> Self {
        Self { event: table.last_event, deal: table.history.last().cloned() }
    }

    /// Whether a table still has the deal with these winners and payments, or without a winner as it was said. Totals do not count: an earlier
    /// deal that is corrected moves them too.
    #[must_use]
    pub fn stands_in(&self, table: &TableState) -> bool {
        self.deal.as_ref().is_none_or(|deal| {
            table.history.iter().any(|other| {
                (other.event, &other.winners, &other.payments, &other.draw, &other.chombo)
                    == (deal.event, &deal.winners, &deal.payments, &deal.draw, &deal.chombo)
            })
        })
    }
}

/// The decision that undoing takes back, for people to know before they do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Undoes {
    /// A hand, a draw or a void deal was confirmed.
    Confirm {
        /// The number of the ledger's deal.
        deal: Option<u32>,
    },
    /// Something else was written to the ledger: a fault, or an earlier deal otherwise.
    Write,
    /// The hand was ended, and the next one watched for.
    Next,
    /// What lay there was rejected.
    Reject,
    /// A photo was put on show.
    Photo,
    /// Another winner was looked for.
    Also,
    /// An earlier deal was taken up to be changed.
    Amend,
    /// A tile was corrected.
    Correct {
        /// What it was said to be; null: a correction was taken back.
        tile: Option<String>,
    },
    /// Fields of the hand or of the table were told.
    Tell {
        /// Their names.
        fields: Vec<String>,
    },
}

/// What can be undone as one.
#[derive(Clone, Debug, PartialEq)]
struct Decided {
    context: Context,
    fixes: Vec<(u64, Tile)>,
    phase: Phase,
    /// The photo on show, by its number.
    photo: Option<u64>,
    /// The ledger's deal of which another winner is looked for.
    also: Option<u64>,
    /// The ledger's deal that is said anew.
    amends: Option<Amended>,
    /// The ledger's event that was written last beside the hands: a penalty.
    beside: Option<u64>,
}

impl Decided {
    const fn watching(context: Context, fixes: Vec<(u64, Tile)>, photo: Option<u64>) -> Self {
        Self {
            context,
            fixes,
            phase: Phase::Watching,
            photo,
            also: None,
            amends: None,
            beside: None,
        }
    }
}

/// What the operator has decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Desk {
    now: Decided,
    before: Vec<Decided>,
}

impl Desk {
    /// Nothing decided yet.
    pub fn new(context: Context) -> Self {
        let now = Decided::watching(context, Vec::new(), None);
        Self { now, before: Vec::new() }
    }

    /// Seats, winds, how it was won.
    pub const fn context(&self) -> &Context {
        &self.now.context
    }

    /// Corrections: the number that a tile keeps while it lies there, and what it is.
    pub fn fixes(&self) -> &[(u64, Tile)] {
        &self.now.fixes
    }

    /// Where the hand stands, while there is that to see: a rejection holds until it changes.
    pub fn phase(&self, seen: &[u64]) -> &Phase {
        match &self.now.phase {
            Phase::Rejected { seen: rejected } if rejected != seen => &Phase::Watching,
            phase => phase,
        }
    }

    /// The photo on show, by its number.
    pub const fn photo(&self) -> Option<u64> {
        self.now.photo
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// What undoing would take back; `None` where there is nothing to undo.
    pub fn last_decision(&self) -> Option<Undoes> {
        let (now, before) = (&self.now, self.before.last()?);
        let is_confirmed = |decided: &Decided| matches!(decided.phase, Phase::Confirmed { .. });
        if now.beside.is_some() && now.beside != before.beside {
            return Some(Undoes::Write);
        }
        if let (Phase::Confirmed { entered, .. }, false) = (&now.phase, is_confirmed(before)) {
            let deal = entered.as_ref().and_then(|entered| entered.deal.as_ref());
            return Some(Undoes::Confirm { deal: deal.map(|deal| deal.place.number) });
        }
        if now.also.is_some() && now.also != before.also {
            return Some(Undoes::Also);
        }
        if now.amends.is_some() && now.amends != before.amends {
            return Some(Undoes::Amend);
        }
        if now.photo.is_some() && now.photo != before.photo {
            return Some(Undoes::Photo);
        }
        if matches!(now.phase, Phase::Rejected { .. }) && now.phase != before.phase {
            return Some(Undoes::Reject);
        }
        let was = |decided: &Decided| (decided.photo, decided.also, decided.amends);
        if is_confirmed(before) || was(before) != was(now) {
            return Some(Undoes::Next);
        }
        if now.fixes != before.fixes {
            let new = now.fixes.iter().find(|fix| !before.fixes.contains(fix));
            // Ending a hand forgets all that was told of it.
            if new.is_some() || now.context == before.context {
                return Some(Undoes::Correct { tile: new.map(|(_, is)| is.to_string()) });
            }
            return Some(Undoes::Next);
        }
        Some(Undoes::Tell { fields: now.context.changed_from(&before.context) })
    }

    fn decide(&mut self, change: impl FnOnce(&mut Decided)) {
        let mut next = self.now.clone();
        change(&mut next);
        if next == self.now {
            return;
        }
        if self.before.len() == REMEMBERED {
            self.before.remove(0);
        }
        self.before.push(std::mem::replace(&mut self.now, next));
    }

    /// Puts a checked context in place. What is typed on and on is one decision.
    pub fn set_context(&mut self, context: Context) {
        let was = &self.now.context;
        if was.is_typed() && context.is_typed() && was.without_typed() == context.without_typed() {
            self.now.context = context;
            return;
        }
        self.decide(|decided| decided.context = context);
    }

    /// Puts in place what the ledger says of the context: nobody decided it here, so it is not undone.
    pub fn sit(&mut self, context: Context) {
        self.now.context = context;
    }

    /// Says what a tile is; `None` takes a correction back.
    pub fn correct(&mut self, tile: u64, is: Option<Tile>) {
        self.decide(|decided| {
            decided.fixes.retain(|(fixed, _)| *fixed != tile);
            decided.fixes.extend(is.map(|is| (tile, is)));
        });
    }

    /// Keeps a hand on show.
    pub fn confirm(&mut self, reading: serde_json::Value, entered: Option<Entered>) {
        self.decide(|decided| decided.phase = Phase::Confirmed { reading, entered });
    }

    /// Watches again where the confirmed hand on show no longer stands in the table: somebody else took it
    /// back or corrected it. Nobody decided that here, so it is not undone.
    pub fn watch_unless_entered(&mut self, table: &TableState) {
        if let Phase::Confirmed { entered: Some(entered), .. } = &self.now.phase
            && !entered.stands_in(table)
        {
            self.now.phase = Phase::Watching;
        }
    }

    /// The ledger's deal of which another winner is looked for.
    pub const fn also(&self) -> Option<u64> {
        self.now.also
    }

    /// The ledger's deal that is said anew.
    pub const fn amends(&self) -> Option<Amended> {
        self.now.amends
    }

    /// Says an earlier deal anew.
    pub fn amend(&mut self, context: Context, amended: Amended) {
        self.decide(|decided| {
            *decided = Decided::watching(context, Vec::new(), None);
            decided.amends = Some(amended);
        });
    }

    /// Goes on with the deal that is being played, after `event` has changed an earlier one.
    pub fn go_on(&mut self, context: Context, event: u64) {
        self.decide(|decided| {
            *decided = Decided::watching(context, Vec::new(), None);
            decided.beside = Some(event);
        });
    }

    /// No longer says a deal anew that the table does not have any more. Nobody decided that here, so it is not
    /// undone.
    pub fn amend_only_what_stands(&mut self, table: &TableState) {
        let stands =
            |amended: &Amended| table.history.iter().any(|deal| deal.event == amended.event);
        self.now.amends = self.now.amends.filter(stands);
    }

    /// Looks for another winner of a deal.
    pub fn look_for_another(&mut self, context: Context, event: u64) {
        self.decide(|decided| {
            *decided = Decided::watching(context, Vec::new(), None);
            decided.also = Some(event);
        });
    }

    /// Keeps in mind what was written to the ledger beside the hands.
    pub fn note(&mut self, event: u64) {
        self.decide(|decided| decided.beside = Some(event));
    }

    /// Shows nothing of what lies there.
    pub fn reject(&mut self, seen: Vec<u64>) {
        self.decide(|decided| decided.phase = Phase::Rejected { seen });
    }

    /// Watches again, with how the last hand was won forgotten; seats and winds stay.
    pub fn next(&mut self, context: Context) {
        self.decide(|decided| *decided = Decided::watching(context, Vec::new(), None));
    }

    /// The ledger's event that undoing the last decision would take back.
    pub fn undoes(&self) -> Option<u64> {
        let before = self.before.last()?;
        if self.now.beside.is_some() && self.now.beside != before.beside {
            return self.now.beside;
        }
        let event = |decided: &Decided| match decided.phase {
            Phase::Confirmed { entered: Some(ref entered), .. } => Some(entered.event),
            Phase::Confirmed { .. } | Phase::Watching | Phase::Rejected { .. } => None,
        };
        if matches!(before.phase, Phase::Confirmed { .. }) { None } else { event(&self.now) }
    }

    /// Puts a photo on show with its context and corrections, as one decision.
    pub fn put(&mut self, context: Context, fixes: Vec<(u64, Tile)>, photo: u64) {
        self.decide(|decided| {
            let Decided { also, amends, .. } = *decided;
            *decided = Decided { also, amends, ..Decided::watching(context, fixes, Some(photo)) };
        });
    }

    /// Takes the last decision back; false where there is none.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.before.pop() else { return false };
        self.now = before;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_can_be_undone() {
        let mut desk = Desk::new(Context::new("mmm"));
        let start = desk.clone();
        desk.correct(7, Some("5p".parse().unwrap()));
        desk.set_context(Context::new("hkos"));
        desk.confirm(serde_json::Value::Null, Some(Entered { event: 9, deal: None }));
        desk.next(Context::new("hkos"));
        desk.reject(vec![3]);
        let mut steps = 0;
        while desk.undo() {
            steps += 1;
        }
        assert_eq!(steps, 5);
        assert_eq!(desk, start);
    }

    #[test]
    fn each_decision_says_what_undoing_it_takes_back() {
        let mut desk = Desk::new(Context::new("mmm"));
        assert_eq!(desk.last_decision(), None);
        let mut says = Vec::new();
        let mut then = |desk: &Desk| says.push(serde_json::json!(desk.last_decision()));
        desk.set_context(Context::new("hk"));
        then(&desk);
        desk.correct(7, Some("5p".parse().unwrap()));
        then(&desk);
        desk.correct(7, None);
        then(&desk);
        desk.correct(8, Some("9m".parse().unwrap()));
        desk.next(Context::new("mmm"));
        then(&desk);
        desk.reject(vec![3]);
        then(&desk);
        desk.put(Context::new("mmm"), Vec::new(), 2);
        then(&desk);
        desk.confirm(serde_json::Value::Null, Some(Entered { event: 9, deal: None }));
        then(&desk);
        desk.note(10);
        then(&desk);
        desk.look_for_another(Context::new("mmm"), 9);
        then(&desk);
        desk.amend(Context::new("mmm"), Amended { event: 4, winner: 0 });
        then(&desk);
        desk.next(Context::new("mmm"));
        then(&desk);
        let expected = serde_json::json!([
            { "what": "tell", "fields": ["rules"] },
            { "what": "correct", "tile": "5p" },
            { "what": "correct", "tile": null },
            { "what": "next" },
            { "what": "reject" },
            { "what": "photo" },
            { "what": "confirm", "deal": null },
            { "what": "write" },
            { "what": "also" },
            { "what": "amend" },
            { "what": "next" },
        ]);
        assert_eq!(serde_json::json!(says), expected);
    }

    #[test]
    fn only_undoing_the_confirmation_takes_its_event_back() {
        let mut desk = Desk::new(Context::new("mmm"));
        desk.confirm(serde_json::Value::Null, Some(Entered { event: 9, deal: None }));
        assert_eq!(desk.undoes(), Some(9));
        desk.next(Context::new("mmm"));
        assert_eq!(desk.undoes(), None);
        assert!(desk.undo());
        assert_eq!(desk.undoes(), Some(9));
    }

    #[test]
    fn undoing_a_penalty_takes_it_back_and_nothing_else() {
        let mut desk = Desk::new(Context::new("mmm"));
        desk.note(7);
        desk.confirm(serde_json::Value::Null, Some(Entered { event: 9, deal: None }));
        desk.note(10);
        desk.next(Context::new("mmm"));
        assert_eq!(desk.undoes(), None, "that of the next hand");
        for event in [Some(10), Some(9), Some(7), None] {
            assert!(desk.undo());
            assert_eq!(desk.undoes(), event);
        }
    }

    #[test]
    fn undoing_a_correction_takes_it_back_and_says_the_deal_anew_again() {
        let mut desk = Desk::new(Context::new("mmm"));
        let amended = Amended { event: 4, winner: 0 };
        desk.amend(Context::new("hk"), amended);
        desk.put(Context::new("hk"), Vec::new(), 2);
        assert_eq!(desk.amends(), Some(amended), "a photo may show what it was");
        desk.go_on(Context::new("mmm"), 9);
        assert_eq!((desk.amends(), desk.undoes()), (None, Some(9)));
        assert!(desk.undo());
        assert_eq!((desk.amends(), desk.undoes()), (Some(amended), None));
    }

    #[test]
    fn a_rejection_holds_until_there_is_something_else_to_see() {
        let mut desk = Desk::new(Context::new("mmm"));
        desk.reject(vec![3, 1]);
        assert!(matches!(desk.phase(&[3, 1]), Phase::Rejected { .. }));
        assert_eq!(desk.phase(&[3, 2]), &Phase::Watching);
        assert!(desk.undo() && !desk.can_undo(), "what changed on the table is no decision");
    }

    #[test]
    fn a_photo_is_on_show_until_the_next_hand() {
        let mut desk = Desk::new(Context::new("mmm"));
        desk.put(Context::new("mmm"), Vec::new(), 4);
        desk.correct(7, Some("5p".parse().unwrap()));
        desk.confirm(serde_json::Value::Null, None);
        assert_eq!(desk.photo(), Some(4));
        desk.next(Context::new("mmm"));
        assert_eq!(desk.photo(), None);
        assert!(desk.undo());
        assert_eq!(desk.photo(), Some(4));
    }

    #[test]
    fn saying_the_same_twice_is_one_decision() {
        let mut desk = Desk::new(Context::new("mmm"));
        desk.correct(7, Some("5p".parse().unwrap()));
        desk.correct(7, Some("5p".parse().unwrap()));
        assert!(desk.undo());
        assert!(!desk.can_undo());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut desk = Desk::new(Context::new("mmm"));
        for tile in 0..1000 {
            desk.correct(tile, Some("5p".parse().unwrap()));
        }
        assert_eq!(desk.before.len(), REMEMBERED);
    }
}

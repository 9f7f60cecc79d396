//! The operator's decisions at one table: corrections, seats and winds, confirmed or not; all can be undone.

use std::sync::Arc;

use super::{Amended, Context, DealReading, LastDecision, UndoRefusal, Undoable};
use crate::{
    table::{DealRecord, TableState},
    tile::Tile,
};

/// The most steps that can be undone.
const REMEMBERED: usize = 200;

/// The phase of a hand.
#[derive(Clone, Debug, PartialEq)]
pub enum Phase {
    /// The camera's hand is shown.
    Watching,
    /// A hand was confirmed and stays on show, whatever happens on the table.
    Confirmed {
        /// Its reading.
        reading: Arc<DealReading>,
        /// Its place in the ledger.
        entered: Option<EnteredDeal>,
    },
    /// The hand was rejected: nothing is shown until the tiles change.
    Rejected {
        /// The change counts of the sources when it was rejected.
        seen: Vec<u64>,
    },
}

/// A confirmed hand as written in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnteredDeal {
    /// The number of the event that wrote it.
    pub event: u64,
    /// The deal as it stood after that event.
    pub deal: Option<Arc<DealRecord>>,
}

impl EnteredDeal {
    /// The last event of a table, and its last deal.
    #[must_use]
    pub fn last_of(table: &TableState) -> Self {
        Self { event: table.last_event, deal: table.history.last().cloned() }
    }

    /// Whether a table still has the deal with these winners and payments. Totals do not count: a corrected earlier
    /// deal changes them too.
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

/// The state that one undo restores.
#[derive(Clone, Debug, PartialEq)]
struct Decided {
    /// The number of the decision that led to it; 0 before any.
    number: u64,
    context: Context,
    fixes: Vec<(u64, Tile)>,
    phase: Phase,
    /// The photo on show, by its number.
    photo: Option<u64>,
    /// The ledger's deal that gets another winner.
    also: Option<u64>,
    /// The ledger's deal that is being re-entered.
    amends: Option<Amended>,
    /// The ledger's last event that is not a hand, such as a penalty.
    beside: Option<u64>,
}

impl Decided {
    const fn watching(context: Context, fixes: Vec<(u64, Tile)>, photo: Option<u64>) -> Self {
        Self {
            number: 0,
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

/// The operator's decisions at one table, with their history.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSession {
    now: Decided,
    before: Vec<Decided>,
    /// The number of decisions made so far, those taken back included.
    made: u64,
}

impl TableSession {
    /// A session without decisions.
    pub fn new(context: Context) -> Self {
        let now = Decided::watching(context, Vec::new(), None);
        Self { now, before: Vec::new(), made: 0 }
    }

    /// The context: seats, winds, how the hand was won.
    pub const fn context(&self) -> &Context {
        &self.now.context
    }

    /// The corrections: tracking number and tile.
    pub fn fixes(&self) -> &[(u64, Tile)] {
        &self.now.fixes
    }

    /// The phase of the hand for the change counts `seen`: a rejection holds until they change.
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

    /// The decision that undo would take back; `None` without one.
    pub fn undoable(&self) -> Option<Undoable> {
        let what = self.last_decision()?;
        Some(Undoable { decision: self.now.number, what })
    }

    /// Checks that a request to undo names the last decision: of two operators who press at once, the second one takes
    /// back nothing more.
    ///
    /// # Errors
    /// The request names no decision, one that was taken back, or one that others followed.
    pub fn check_undo(&self, decision: Option<u64>) -> Result<(), UndoRefusal> {
        let stands = |number: u64| self.before.iter().any(|one| one.number == number);
        match decision {
            None if self.can_undo() => Err(UndoRefusal::Unnamed),
            None => Err(UndoRefusal::Nothing),
            Some(number) if self.can_undo() && number == self.now.number => Ok(()),
            Some(number) if stands(number) => Err(UndoRefusal::NotLast),
            Some(_) => Err(UndoRefusal::TakenBack),
        }
    }

    fn last_decision(&self) -> Option<LastDecision> {
        let (now, before) = (&self.now, self.before.last()?);
        let is_confirmed = |decided: &Decided| matches!(decided.phase, Phase::Confirmed { .. });
        if now.beside.is_some() && now.beside != before.beside {
            return Some(LastDecision::Write);
        }
        if let (Phase::Confirmed { entered, .. }, false) = (&now.phase, is_confirmed(before)) {
            let deal = entered.as_ref().and_then(|entered| entered.deal.as_ref());
            return Some(LastDecision::Confirm { deal: deal.map(|deal| deal.place.number) });
        }
        if now.also.is_some() && now.also != before.also {
            return Some(LastDecision::Also);
        }
        if now.amends.is_some() && now.amends != before.amends {
            return Some(LastDecision::Amend);
        }
        if now.photo.is_some() && now.photo != before.photo {
            return Some(LastDecision::Photo);
        }
        if matches!(now.phase, Phase::Rejected { .. }) && now.phase != before.phase {
            return Some(LastDecision::Reject);
        }
        let was = |decided: &Decided| (decided.photo, decided.also, decided.amends);
        if is_confirmed(before) || was(before) != was(now) {
            return Some(LastDecision::Next);
        }
        if now.fixes != before.fixes {
            let new = now.fixes.iter().find(|fix| !before.fixes.contains(fix));
            // Ending a hand clears all its fields.
            if new.is_some() || now.context == before.context {
                return Some(LastDecision::Correct { tile: new.map(|(_, is)| is.to_string()) });
            }
            return Some(LastDecision::Next);
        }
        Some(LastDecision::Tell { fields: now.context.changed_from(&before.context) })
    }

    fn decide(&mut self, change: impl FnOnce(&mut Decided)) {
        let mut next = self.now.clone();
        change(&mut next);
        next.number = self.now.number;
        if next == self.now {
            return;
        }
        self.made += 1;
        next.number = self.made;
        if self.before.len() == REMEMBERED {
            self.before.remove(0);
        }
        self.before.push(std::mem::replace(&mut self.now, next));
    }

    /// Sets a checked context. Successive edits of the same field are one decision.
    pub fn set_context(&mut self, context: Context) {
        let was = &self.now.context;
        if was.is_typed() && context.is_typed() && was.without_typed() == context.without_typed() {
            self.now.context = context;
            return;
        }
        self.decide(|decided| decided.context = context);
    }

    /// Sets the context fields that the ledger gives; not undoable, since nobody decided it here.
    pub fn sit(&mut self, context: Context) {
        self.now.context = context;
    }

    /// Corrects a tile; `None` takes a correction back.
    pub fn correct(&mut self, tile: u64, is: Option<Tile>) {
        self.decide(|decided| {
            decided.fixes.retain(|(fixed, _)| *fixed != tile);
            decided.fixes.extend(is.map(|is| (tile, is)));
        });
    }

    /// Keeps a hand on show.
    pub fn confirm(&mut self, reading: Arc<DealReading>, entered: Option<EnteredDeal>) {
        self.decide(|decided| decided.phase = Phase::Confirmed { reading, entered });
    }

    /// Watches again if the confirmed hand is no longer in the table, taken back or corrected by somebody else. The
    /// decision to confirm it goes too: there is nothing left of it to undo.
    pub fn watch_unless_entered(&mut self, table: &TableState) {
        let Phase::Confirmed { entered: Some(entered), .. } = &self.now.phase else { return };
        if entered.stands_in(table) {
            return;
        }
        let was_watching = |before: &mut Decided| !matches!(before.phase, Phase::Confirmed { .. });
        match self.before.pop_if(was_watching) {
            Some(before) => self.now = before,
            None => self.now.phase = Phase::Watching,
        }
    }

    /// The ledger's deal that gets another winner.
    pub const fn also(&self) -> Option<u64> {
        self.now.also
    }

    /// The ledger's deal that is being re-entered.
    pub const fn amends(&self) -> Option<Amended> {
        self.now.amends
    }

    /// Opens an earlier deal for re-entry.
    pub fn amend(&mut self, context: Context, amended: Amended) {
        self.decide(|decided| {
            *decided = Decided::watching(context, Vec::new(), None);
            decided.amends = Some(amended);
        });
    }

    /// Returns to the current deal, after `event` has changed an earlier one.
    pub fn go_on(&mut self, context: Context, event: u64) {
        self.decide(|decided| {
            *decided = Decided::watching(context, Vec::new(), None);
            decided.beside = Some(event);
        });
    }

    /// Ends the re-entry of a deal that the table no longer has. Not undoable, since nobody decided it here.
    pub fn amend_only_what_stands(&mut self, table: &TableState) {
        let stands =
            |amended: &Amended| table.history.iter().any(|deal| deal.event == amended.event);
        self.now.amends = self.now.amends.filter(stands);
    }

    /// Starts another winner of a deal.
    pub fn look_for_another(&mut self, context: Context, event: u64) {
        self.decide(|decided| {
            *decided = Decided::watching(context, Vec::new(), None);
            decided.also = Some(event);
        });
    }

    /// Stores the event of an entry that is not a hand, for undo.
    pub fn note(&mut self, event: u64) {
        self.decide(|decided| decided.beside = Some(event));
    }

    /// Rejects the hand.
    pub fn reject(&mut self, seen: Vec<u64>) {
        self.decide(|decided| decided.phase = Phase::Rejected { seen });
    }

    /// Watches for the next hand: how the last one was won is cleared, seats and winds stay.
    pub fn next(&mut self, context: Context) {
        self.decide(|decided| *decided = Decided::watching(context, Vec::new(), None));
    }

    /// The ledger's event that undo would take back.
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

    /// Shows a photo with its context and corrections, as one decision.
    pub fn put(&mut self, context: Context, fixes: Vec<(u64, Tile)>, photo: u64) {
        self.decide(|decided| {
            let Decided { also, amends, .. } = *decided;
            *decided = Decided { also, amends, ..Decided::watching(context, fixes, Some(photo)) };
        });
    }

    /// Takes the last decision back; false without one.
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
        let mut session = TableSession::new(Context::new("mmm"));
        let start = session.clone();
        session.correct(7, Some("5p".parse().unwrap()));
        session.set_context(Context::new("hkos"));
        session.confirm(Arc::new(DealReading::Draw), Some(EnteredDeal { event: 9, deal: None }));
        session.next(Context::new("hkos"));
        session.reject(vec![3]);
        let mut steps = 0;
        while session.undo() {
            steps += 1;
        }
        assert_eq!(steps, 5);
        assert_eq!((session.now, session.before), (start.now, start.before));
    }

    #[test]
    fn each_decision_says_what_undoing_it_takes_back() {
        let mut session = TableSession::new(Context::new("mmm"));
        assert_eq!(session.last_decision(), None);
        let mut says = Vec::new();
        let mut then =
            |session: &TableSession| says.push(serde_json::json!(session.last_decision()));
        session.set_context(Context::new("hk"));
        then(&session);
        session.correct(7, Some("5p".parse().unwrap()));
        then(&session);
        session.correct(7, None);
        then(&session);
        session.correct(8, Some("9m".parse().unwrap()));
        session.next(Context::new("mmm"));
        then(&session);
        session.reject(vec![3]);
        then(&session);
        session.put(Context::new("mmm"), Vec::new(), 2);
        then(&session);
        session.confirm(Arc::new(DealReading::Draw), Some(EnteredDeal { event: 9, deal: None }));
        then(&session);
        session.note(10);
        then(&session);
        session.look_for_another(Context::new("mmm"), 9);
        then(&session);
        session.amend(Context::new("mmm"), Amended { event: 4, winner: 0 });
        then(&session);
        session.next(Context::new("mmm"));
        then(&session);
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
        let mut session = TableSession::new(Context::new("mmm"));
        session.confirm(Arc::new(DealReading::Draw), Some(EnteredDeal { event: 9, deal: None }));
        assert_eq!(session.undoes(), Some(9));
        session.next(Context::new("mmm"));
        assert_eq!(session.undoes(), None);
        assert!(session.undo());
        assert_eq!(session.undoes(), Some(9));
    }

    #[test]
    fn undoing_a_penalty_takes_it_back_and_nothing_else() {
        let mut session = TableSession::new(Context::new("mmm"));
        session.note(7);
        session.confirm(Arc::new(DealReading::Draw), Some(EnteredDeal { event: 9, deal: None }));
        session.note(10);
        session.next(Context::new("mmm"));
        assert_eq!(session.undoes(), None, "that of the next hand");
        for event in [Some(10), Some(9), Some(7), None] {
            assert!(session.undo());
            assert_eq!(session.undoes(), event);
        }
    }

    #[test]
    fn undoing_a_correction_takes_it_back_and_says_the_deal_anew_again() {
        let mut session = TableSession::new(Context::new("mmm"));
        let amended = Amended { event: 4, winner: 0 };
        session.amend(Context::new("hk"), amended);
        session.put(Context::new("hk"), Vec::new(), 2);
        assert_eq!(session.amends(), Some(amended), "a photo may show what it was");
        session.go_on(Context::new("mmm"), 9);
        assert_eq!((session.amends(), session.undoes()), (None, Some(9)));
        assert!(session.undo());
        assert_eq!((session.amends(), session.undoes()), (Some(amended), None));
    }

    #[test]
    fn a_rejection_holds_until_there_is_something_else_to_see() {
        let mut session = TableSession::new(Context::new("mmm"));
        session.reject(vec![3, 1]);
        assert!(matches!(session.phase(&[3, 1]), Phase::Rejected { .. }));
        assert_eq!(session.phase(&[3, 2]), &Phase::Watching);
        assert!(session.undo() && !session.can_undo(), "what changed on the table is no decision");
    }

    #[test]
    fn a_photo_is_on_show_until_the_next_hand() {
        let mut session = TableSession::new(Context::new("mmm"));
        session.put(Context::new("mmm"), Vec::new(), 4);
        session.correct(7, Some("5p".parse().unwrap()));
        session.confirm(Arc::new(DealReading::Draw), None);
        assert_eq!(session.photo(), Some(4));
        session.next(Context::new("mmm"));
        assert_eq!(session.photo(), None);
        assert!(session.undo());
        assert_eq!(session.photo(), Some(4));
    }

    #[test]
    fn saying_the_same_twice_is_one_decision() {
        let mut session = TableSession::new(Context::new("mmm"));
        session.correct(7, Some("5p".parse().unwrap()));
        session.correct(7, Some("5p".parse().unwrap()));
        assert!(session.undo());
        assert!(!session.can_undo());
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut session = TableSession::new(Context::new("mmm"));
        for tile in 0..1000 {
            session.correct(tile, Some("5p".parse().unwrap()));
        }
        assert_eq!(session.before.len(), REMEMBERED);
    }
}

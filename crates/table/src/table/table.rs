//! A table as a fold over its events: seats, winds, totals, standings, history.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use jiff::Timestamp;

use super::{
    Event, Opened, Recorded, TableError, TableState,
    fold::{Folded, apply},
};
use crate::{recorded::taken_back, rules::RuleSet};

/// A table: its events and the resulting state.
#[derive(Clone, Debug)]
pub struct Table {
    number: u32,
    events: Vec<Recorded>,
    folded: Option<Folded>,
    /// Whether an event was lost to damage: later events that do not fit are passed over.
    lossy: bool,
}

impl Table {
    /// A table of which nothing is known yet. `number`: its number in the ledger.
    pub fn new(number: u32) -> Self {
        Self { number, events: Vec::new(), folded: None, lossy: false }
    }

    /// A table from its log.
    ///
    /// # Errors
    /// The first event that cannot be replayed.
    pub fn replay(
        number: u32,
        events: impl IntoIterator<Item = Recorded>,
    ) -> Result<Self, TableError> {
        let mut table = Self { events: events.into_iter().collect(), ..Self::new(number) };
        table.fold_anew()?;
        Ok(table)
    }

    /// Its number in the ledger.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The table with events that others have written meanwhile.
    ///
    /// # Errors
    /// The first event that cannot be replayed.
    #[cfg(feature = "ledger")]
    pub fn extended(mut self, events: Vec<Recorded>) -> Result<Self, (u64, TableError)> {
        let undoes =
            |event: &Event| matches!(event, Event::Undone { .. } | Event::Corrected { .. });
        // The undone events are looked up once for all.
        if events.iter().any(|recorded| undoes(&recorded.event)) {
            let last = events.last().map_or(0, |recorded| recorded.seq);
            self.events.extend(events);
            return self.fold_anew().map(|()| self).map_err(|error| (last, error));
        }
        for recorded in events {
            let seq = recorded.seq;
            self.push(recorded).map_err(|error| (seq, error))?;
        }
        Ok(self)
    }

    /// All events, taken back or not.
    pub fn events(&self) -> &[Recorded] {
        &self.events
    }

    /// The table's current state.
    ///
    /// # Errors
    /// Where it was never opened.
    pub fn state(&self) -> Result<&TableState, TableError> {
        self.folded().map(|folded| &folded.state)
    }

    /// The rules and the state.
    pub(super) fn folded(&self) -> Result<&Folded, TableError> {
        self.folded.as_ref().ok_or(if self.lossy {
            TableError::OpeningLost { table: self.number }
        } else {
            TableError::NotOpened
        })
    }

    /// The rule set that is played.
    ///
    /// # Errors
    /// Where the table was never opened.
    pub fn rules(&self) -> Result<&Arc<RuleSet>, TableError> {
        self.folded().map(|folded| &folded.rules)
    }

    /// The table's opening, corrections included.
    ///
    /// # Errors
    /// Where the table was never opened.
    pub fn opened(&self) -> Result<&Opened, TableError> {
        self.folded().map(|folded| &folded.opened)
    }

    /// Adds an event that was written down.
    ///
    /// # Errors
    /// Where it cannot be replayed; the table is then as before.
    pub fn push(&mut self, recorded: Recorded) -> Result<(), TableError> {
        if recorded.seq != self.events.len() as u64 + 1 {
            return Err(TableError::OutOfOrder { seq: recorded.seq });
        }
        if matches!(recorded.event, Event::Undone { .. } | Event::Corrected { .. }) {
            self.events.push(recorded);
            return self.fold_anew().inspect_err(|_| {
                self.events.pop();
            });
        }
        self.take(&recorded, &recorded.event, None)?;
        self.events.push(recorded);
        Ok(())
    }

    /// The table as it stood when only the first events had been written: a replay to any moment.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn after(&self, events: u64) -> Result<Self, TableError> {
        Self::replay(self.number, self.events.iter().take(events as usize).cloned())
    }

    /// The table as it stood at that time.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn at(&self, time: Timestamp) -> Result<Self, TableError> {
        let earlier = self.events.iter().take_while(|recorded| recorded.at <= time);
        Self::replay(self.number, earlier.cloned())
    }

    /// The table just before an event, under everything that was corrected since.
    ///
    /// # Errors
    /// As [`Table::replay`].
    pub fn before(&self, seq: u64) -> Result<Self, TableError> {
        let mut table = Self::new(self.number);
        let effects = Effects::of(&self.events);
        for recorded in self.events.iter().take_while(|recorded| recorded.seq < seq) {
            effects.apply(&mut table, recorded)?;
        }
        Ok(table)
    }

    /// Whether an event counts: it was not taken back.
    pub fn stands(&self, seq: u64) -> bool {
        (1..=self.events.len() as u64).contains(&seq)
            && !Effects::of(&self.events).void.contains(&seq)
    }

    /// The last event that counts, which is taken back first. The names and the clock of a
    /// tournament's table follow the tournament, and are taken back there.
    pub fn last_to_undo(&self) -> Option<&Recorded> {
        let void = self.taken_back();
        let follows = self.opened().is_ok_and(|opened| opened.sitting.is_some());
        self.events.iter().rev().find(|recorded| {
            let candidate = match recorded.event {
                Event::Opened(_) | Event::Undone { .. } | Event::Lost { .. } => false,
                Event::Corrected { event: 1, .. } => !follows,
                ref other => !(follows && other.is_of_the_clock()),
            };
            candidate && !void.contains(&recorded.seq)
        })
    }

    /// The event by which the table was closed before anything happened, if it was.
    pub fn closed_by(&self) -> Option<u64> {
        let void = self.taken_back();
        let ends = |recorded: &&Recorded| {
            matches!(recorded.event, Event::Ended { .. }) && !void.contains(&recorded.seq)
        };
        let closed = self.state().is_ok_and(TableState::is_closed);
        self.events.iter().rfind(ends).filter(|_| closed).map(|recorded| recorded.seq)
    }

    /// The events that were taken back.
    pub fn taken_back(&self) -> HashSet<u64> {
        Effects::of(&self.events).void
    }

    /// The events that were lost to damage and that nobody has entered again or taken back since.
    pub fn lost(&self) -> Vec<u64> {
        let effects = Effects::of(&self.events);
        let open = |recorded: &&Recorded| {
            let settled = |seq| effects.void.contains(seq) || effects.replaced.contains_key(seq);
            matches!(recorded.event, Event::Lost { .. }) && !settled(&recorded.seq)
        };
        self.events.iter().filter(open).map(|recorded| recorded.seq).collect()
    }

    /// Whether its opening was lost and not entered again.
    pub(super) fn lacks_opening(&self) -> bool {
        self.folded.is_none() && self.lossy
    }

    fn fold_anew(&mut self) -> Result<(), TableError> {
        let mut table = Self::new(self.number);
        let effects = Effects::of(&self.events);
        for recorded in &self.events {
            effects.apply(&mut table, recorded)?;
        }
        (self.folded, self.lossy) = (table.folded, table.lossy);
        Ok(())
    }

    /// Takes an event in, or its correction by the event `corrected_by`. After a loss, an event that
    /// does not fit is passed over: it may have built on a lost one.
    fn take(
        &mut self,
        recorded: &Recorded,
        event: &Event,
        corrected_by: Option<u64>,
    ) -> Result<(), TableError> {
        self.lossy |= matches!(recorded.event, Event::Lost { .. });
        match apply(&mut self.folded, self.number, recorded, event, corrected_by) {
            Err(why) if self.lossy => {
                if let Some(folded) = &mut self.folded {
                    folded.passed_over(recorded.seq, &why);
                }
                Ok(())
            }
            done => done,
        }
    }
}

/// The effects of later events on earlier ones.
struct Effects<'a> {
    void: HashSet<u64>,
    replaced: HashMap<u64, (u64, &'a Event)>,
}

impl<'a> Effects<'a> {
    /// Collects the effects; the last correction that was not taken back counts.
    fn of(events: &'a [Recorded]) -> Self {
        let void = taken_back(events);
        let mut replaced = HashMap::new();
        for recorded in events.iter().rev().filter(|recorded| !void.contains(&recorded.seq)) {
            if let Event::Corrected { event, with } = &recorded.event
                && *event < recorded.seq
            {
                replaced.entry(*event).or_insert((recorded.seq, &**with));
            }
        }
        Self { void, replaced }
    }

    fn apply(&self, table: &mut Table, recorded: &Recorded) -> Result<(), TableError> {
        if self.void.contains(&recorded.seq) {
            table.lossy |= matches!(recorded.event, Event::Lost { .. });
            if let Some(folded) = &mut table.folded {
                folded.state.last_event = recorded.seq;
            }
        } else {
            match self.replaced.get(&recorded.seq) {
                Some((by, event)) => table.take(recorded, event, Some(*by)),
                None => table.take(recorded, &recorded.event, None),
            }?;
        }
        // The entered replacement may not be the only loss: the next deal shows its place.
        if let (Event::Lost { .. }, Some(folded)) = (&recorded.event, &mut table.folded) {
            folded.state.adrift = true;
        }
        Ok(())
    }
}

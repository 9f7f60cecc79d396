//! A tournament's log: every event holds against those before it.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Event, Recorded, Refusal, Tournament};
use crate::journal::{Undoes, taken_back};

/// All events of a tournament, and what they come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    events: Vec<Recorded>,
    state: Option<Tournament>,
}

impl Log {
    /// A log from its events.
    ///
    /// # Errors
    /// The number of the first event that does not hold, and why not.
    pub fn replay(events: impl IntoIterator<Item = Recorded>) -> Result<Self, (u64, Refusal)> {
        let mut log = Self::default();
        for recorded in events {
            let seq = recorded.seq;
            log.push(recorded).map_err(|why| (seq, why))?;
        }
        Ok(log)
    }

    /// All events, those that are undone too.
    pub fn events(&self) -> &[Recorded] {
        &self.events
    }

    /// The events that were taken back.
    pub fn taken_back(&self) -> HashSet<u64> {
        taken_back(&self.events)
    }

    /// The tournament as its own events make it; what was played at tables of the ledger is joined
    /// to it by [`Tournament::joined`].
    ///
    /// # Errors
    /// Where nothing has begun.
    pub fn tournament(&self) -> Result<&Tournament, Refusal> {
        self.state.as_ref().ok_or(Refusal::NotBegun)
    }

    /// The last event that counts and is neither the beginning nor an undo.
    pub fn last_to_undo(&self) -> Option<&Recorded> {
        let void = self.taken_back();
        let counts = |recorded: &&Recorded| {
            !void.contains(&recorded.seq) && recorded.event.undoes().is_none()
        };
        self.events.iter().skip(1).rev().find(counts)
    }

    /// Adds what happened.
    ///
    /// # Errors
    /// Where it does not hold; the log is then as it was.
    pub fn append(
        &mut self,
        at: Timestamp,
        author: &str,
        event: Event,
    ) -> Result<&Tournament, Refusal> {
        let seq = self.events.len() as u64 + 1;
        let recorded = Recorded { seq, at, author: author.to_owned(), event };
        let mut next = self.clone();
        next.push(recorded.clone())?;
        if let (Some(before), Some(after)) = (&self.state, &next.state) {
            before.clone().holds(&recorded)?;
            after.counts_as(before)?;
        }
        *self = next;
        self.tournament()
    }

    /// Adds an event that was written down.
    ///
    /// # Errors
    /// Where it does not hold; the log is then as it was.
    pub fn push(&mut self, recorded: Recorded) -> Result<(), Refusal> {
        if recorded.seq != self.events.len() as u64 + 1 {
            return Err(Refusal::OutOfOrder(recorded.seq));
        }
        if let Some(event) = recorded.event.undoes() {
            self.check_undo(event)?;
            self.events.push(recorded);
            return match fold(&self.events) {
                Ok(state) => {
                    self.state = Some(state);
                    Ok(())
                }
                Err((later, why)) => {
                    self.events.pop();
                    Err(Refusal::BuiltOn { undone: event, later, why: Box::new(why) })
                }
            };
        }
        match &mut self.state {
            Some(state) => state.apply(&recorded)?,
            None => self.state = Some(Tournament::begin(&recorded.event)?),
        }
        self.events.push(recorded);
        Ok(())
    }

    /// Whether an undo names an earlier event that counts.
    fn check_undo(&self, event: u64) -> Result<(), Refusal> {
        if event == 1 {
            return Err(Refusal::UndoBeginning);
        }
        if event == 0 || event > self.events.len() as u64 {
            return Err(Refusal::NoEvent(event));
        }
        if self.taken_back().contains(&event) {
            return Err(Refusal::UndoneAlready(event));
        }
        Ok(())
    }
}

fn fold(events: &[Recorded]) -> Result<Tournament, (u64, Refusal)> {
    let Some((first, later)) = events.split_first() else { return Err((1, Refusal::NotBegun)) };
    let void = taken_back(events);
    let mut tournament = Tournament::begin(&first.event).map_err(|why| (1, why))?;
    for recorded in later {
        if !void.contains(&recorded.seq) && recorded.event.undoes().is_none() {
            tournament.apply(recorded).map_err(|why| (recorded.seq, why))?;
        }
    }
    Ok(tournament)
}

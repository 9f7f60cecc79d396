//! A tournament's log: every event is checked against those before it.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{Event, Recorded, Tournament, TournamentError};
use crate::recorded::{Undoes, taken_back};

/// All events of a tournament, and the resulting state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Log {
    events: Vec<Recorded>,
    state: Option<Tournament>,
    /// Events that do not count, as they do not fit the remains of a loss, and why.
    passed_over: Vec<(u64, TournamentError)>,
    /// Whether damage has destroyed an event.
    lossy: bool,
}

impl Log {
    /// A log from its events.
    ///
    /// # Errors
    /// The number of the first event that does not hold, and why not.
    pub fn replay(
        events: impl IntoIterator<Item = Recorded>,
    ) -> Result<Self, (u64, TournamentError)> {
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

    /// The tournament by its own events; results at tables of the ledger are added by
    /// [`Tournament::joined`].
    ///
    /// # Errors
    /// Where nothing has begun.
    pub fn tournament(&self) -> Result<&Tournament, TournamentError> {
        self.state.as_ref().ok_or(TournamentError::NotBegun)
    }

    /// The last event that counts and is neither the beginning nor an undo.
    pub fn last_to_undo(&self) -> Option<&Recorded> {
        let void = self.taken_back();
        let counts = |recorded: &&Recorded| {
            !void.contains(&recorded.seq)
                && recorded.event.undoes().is_none()
                && !matches!(recorded.event, Event::Lost { .. })
        };
        self.events.iter().skip(1).rev().find(counts)
    }

    /// Adds a new event.
    ///
    /// # Errors
    /// Where it does not hold; the log is then as it was.
    pub fn append(
        &mut self,
        at: Timestamp,
        author: &str,
        event: Event,
    ) -> Result<&Tournament, TournamentError> {
        let seq = self.events.len() as u64 + 1;
        let recorded = Recorded { seq, at, author: author.to_owned(), event };
        if let Some(event) = recorded.event.undoes() {
            self.check_undo(event)?;
        }
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
    pub fn push(&mut self, recorded: Recorded) -> Result<(), TournamentError> {
        if recorded.seq != self.events.len() as u64 + 1 {
            return Err(TournamentError::OutOfOrder(recorded.seq));
        }
        let lossy = self.lossy || matches!(recorded.event, Event::Lost { .. });
        if let Some(event) = recorded.event.undoes() {
            if !lossy {
                self.check_undo(event)?;
            }
        } else if !lossy {
            match &mut self.state {
                Some(state) => state.apply(&recorded)?,
                None => self.state = Some(Tournament::begin(&recorded.event)?),
            }
            self.events.push(recorded);
            return Ok(());
        }
        let undone = recorded.event.undoes();
        self.events.push(recorded);
        match fold(&self.events) {
            Ok((state, passed_over)) => {
                (self.state, self.passed_over, self.lossy) = (state, passed_over, lossy);
                Ok(())
            }
            Err((later, why)) => {
                self.events.pop();
                Err(undone.map_or(why.clone(), |undone| TournamentError::BuiltOn {
                    undone,
                    later,
                    why: Box::new(why),
                }))
            }
        }
    }

    /// The events that were lost to damage, unless somebody has taken them back since.
    pub fn lost(&self) -> Vec<u64> {
        let void = self.taken_back();
        let lost = |recorded: &&Recorded| {
            matches!(recorded.event, Event::Lost { .. }) && !void.contains(&recorded.seq)
        };
        self.events.iter().filter(lost).map(|recorded| recorded.seq).collect()
    }

    /// Events that do not count, as they do not fit the remains of a loss, and why.
    pub fn passed_over(&self) -> &[(u64, TournamentError)] {
        &self.passed_over
    }

    /// Whether an undo names an earlier event that counts.
    pub(crate) fn check_undo(&self, event: u64) -> Result<(), TournamentError> {
        if event == 1 {
            return Err(TournamentError::UndoBeginning);
        }
        if event == 0 || event > self.events.len() as u64 {
            return Err(TournamentError::NoEvent(event));
        }
        if self.taken_back().contains(&event) {
            return Err(TournamentError::UndoneAlready(event));
        }
        Ok(())
    }
}

/// The tournament that remains after a loss, and the events that do not fit it, with the reason.
type FoldedLog = (Option<Tournament>, Vec<(u64, TournamentError)>);

/// The tournament that events make. Once one was lost, those that do not fit are passed over: they may
/// have built on it.
fn fold(events: &[Recorded]) -> Result<FoldedLog, (u64, TournamentError)> {
    let void = taken_back(events);
    let (mut tournament, mut passed_over, mut lossy) = (None::<Tournament>, Vec::new(), false);
    for recorded in events {
        if matches!(recorded.event, Event::Lost { .. }) {
            lossy = true;
            continue;
        }
        if void.contains(&recorded.seq) || recorded.event.undoes().is_some() {
            continue;
        }
        let done = match &mut tournament {
            Some(tournament) => tournament.apply(recorded),
            None => Tournament::begin(&recorded.event).map(|begun| tournament = Some(begun)),
        };
        match done {
            Err(why) if lossy => passed_over.push((recorded.seq, why)),
            done => done.map_err(|why| (recorded.seq, why))?,
        }
    }
    Ok((tournament, passed_over))
}

//! The tournament's file: a JSON document that holds its events; everything else is computed.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{Event, Refusal, Tournament, What};

/// The file's version.
const VERSION: u32 = 1;

/// All events of a tournament, each of which holds against those before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    events: Vec<Event>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<Events> {
    /// Names the kind of file, and its version.
    tilelens_tournament: u32,
    events: Events,
}

/// Why a text is no tournament.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LogError {
    /// No JSON, or cut off.
    #[error("damaged, or no tournament's file: {0}")]
    Damaged(String),
    /// Written by a newer program.
    #[error(
        "version {0} of the file's format; this program reads up to {VERSION}: install a newer \
         tilelens"
    )]
    Newer(u32),
    /// Ids that do not count up.
    #[error("event {place} has the id {id}: events are missing or were changed by hand")]
    Order {
        /// Which, from 1.
        place: usize,
        /// Its id.
        id: usize,
    },
    /// An event that does not hold.
    #[error("event {id} does not hold: {why}; the file was changed by hand")]
    Event {
        /// Which.
        id: usize,
        /// Why not.
        why: Refusal,
    },
}

impl Log {
    /// A new tournament.
    ///
    /// # Errors
    /// Where the event begins none.
    pub fn begin(at: Timestamp, by: &str, what: What) -> Result<Self, Refusal> {
        let log = Self { events: vec![Event { id: 1, at, by: by.to_owned(), what }] };
        log.tournament()?;
        Ok(log)
    }

    /// Reads a tournament's file, and checks every event.
    ///
    /// # Errors
    /// Where it is damaged, newer than this program, or changed by hand.
    pub fn parse(text: &str) -> Result<Self, LogError> {
        #[derive(Deserialize)]
        struct Version {
            tilelens_tournament: u32,
        }
        let damaged = |error: serde_json::Error| LogError::Damaged(error.to_string());
        let version: Version = serde_json::from_str(text).map_err(damaged)?;
        if version.tilelens_tournament > VERSION {
            return Err(LogError::Newer(version.tilelens_tournament));
        }
        let document: Document<Vec<Event>> = serde_json::from_str(text).map_err(damaged)?;
        let log = Self { events: document.events };
        for (index, event) in log.events.iter().enumerate() {
            if event.id != index + 1 {
                return Err(LogError::Order { place: index + 1, id: event.id });
            }
        }
        log.fold().map_err(|(id, why)| LogError::Event { id, why })?;
        Ok(log)
    }

    /// The file's text; an event a line, so that a person can read it and a copy be compared.
    pub fn to_json(&self) -> String {
        let events: Vec<String> = self
            .events
            .iter()
            // Names, numbers and text: writing them to memory cannot fail.
            .filter_map(|event| serde_json::to_string(event).ok())
            .collect();
        let events = events.join(",\n");
        format!("{{\"tilelens_tournament\":{VERSION},\"events\":[\n{events}\n]}}\n")
    }

    /// All events, those that are undone too.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Which events count: those that no counting undo names.
    pub fn counts(&self) -> Vec<bool> {
        counts(&self.events)
    }

    /// The tournament as it stands.
    ///
    /// # Errors
    /// Never for a log that was read or appended to.
    pub fn tournament(&self) -> Result<Tournament, Refusal> {
        self.fold().map_err(|(_, why)| why)
    }

    fn fold(&self) -> Result<Tournament, (usize, Refusal)> {
        let Some((first, later)) = self.events.split_first() else {
            return Err((1, Refusal::NotBegun));
        };
        self.check_undos()?;
        let counts = self.counts();
        let mut tournament = Tournament::begin(&first.what).map_err(|why| (1, why))?;
        for event in later.iter().filter(|event| counts[event.id - 1]) {
            if !matches!(event.what, What::Undone { .. }) {
                tournament.apply(event).map_err(|why| (event.id, why))?;
            }
        }
        Ok(tournament)
    }

    /// Whether each undo names an earlier event that counted then.
    fn check_undos(&self) -> Result<(), (usize, Refusal)> {
        let mut undoes = self.events.iter().filter_map(|event| match event.what {
            What::Undone { undone } => Some((event.id, undone)),
            _ => None,
        });
        undoes.try_for_each(|(id, undone)| {
            let refused = |why| Err((id, why));
            if undone == 1 {
                return refused(Refusal::UndoBeginning);
            }
            if undone == 0 || undone >= id {
                return refused(Refusal::NoEvent(undone));
            }
            if !counts(&self.events[..id - 1])[undone - 1] {
                return refused(Refusal::UndoneAlready(undone));
            }
            Ok(())
        })
    }

    /// The last event that counts and is neither the beginning nor an undo.
    pub fn last_to_undo(&self) -> Option<&Event> {
        let counts = self.counts();
        self.events
            .iter()
            .skip(1)
            .rev()
            .find(|event| counts[event.id - 1] && !matches!(event.what, What::Undone { .. }))
    }

    /// Appends what happened, all of it or nothing; says how the tournament stands then.
    ///
    /// # Errors
    /// Where something of it does not hold; the log is then as it was.
    pub fn append(
        &mut self,
        at: Timestamp,
        by: &str,
        happened: impl IntoIterator<Item = What>,
    ) -> Result<Tournament, Refusal> {
        let before = self.events.len();
        for what in happened {
            let id = self.events.len() + 1;
            self.events.push(Event { id, at, by: by.to_owned(), what });
        }
        self.fold().map_err(|(id, why)| {
            let undone = self.events.drain(before..).find_map(|event| match event.what {
                What::Undone { undone } => Some(undone),
                _ => None,
            });
            match undone {
                // What was there before does not hold any more.
                Some(undone) if id <= before => {
                    Refusal::BuiltOn { undone, later: id, why: Box::new(why) }
                }
                _ => why,
            }
        })
    }
}

fn counts(events: &[Event]) -> Vec<bool> {
    let mut counts = vec![true; events.len()];
    for index in (0..events.len()).rev() {
        if let (true, What::Undone { undone }) = (counts[index], &events[index].what)
            && let Some(target) = undone.checked_sub(1).and_then(|at| counts.get_mut(at))
        {
            *target = false;
        }
    }
    counts
}

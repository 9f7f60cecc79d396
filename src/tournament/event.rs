//! What happens at a tournament: dated events with their author, only ever appended.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Entrant, Format, Name, Points, Schedule};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// From 1, in order.
    pub id: usize,
    /// When it was written down.
    pub at: Timestamp,
    /// Who wrote it down.
    pub by: String,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened. Rounds and tables count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum What {
    /// The tournament was set up; always the first event.
    Begun {
        /// For people.
        name: String,
        /// The rule set that hands are scored with: a preset's id or a path.
        rules: String,
        /// The values of the tournament's rules.
        format: Box<Format>,
    },
    /// Players and reserves were entered.
    Entered {
        /// Who.
        entrants: Vec<Entrant>,
    },
    /// Rounds were laid out and lots drawn.
    Seated {
        /// The seed of the draw.
        seed: String,
        /// Players in the order of their numbers.
        numbers: Vec<Name>,
        /// Who sits where.
        schedule: Schedule,
        /// When each session is to start; may be empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        starts: Vec<Timestamp>,
    },
    /// A session started.
    Started {
        /// Which.
        round: usize,
        /// When.
        start: Timestamp,
    },
    /// A table's session was over.
    Result {
        /// Which round.
        round: usize,
        /// Which table.
        table: usize,
        /// Final scores, in the order in which the four began: East, South, West, North.
        points: [Points; 4],
    },
    /// A player did not appear, and a reserve played.
    Absent {
        /// Who was missing.
        player: Name,
        /// In which round.
        round: usize,
        /// Who played instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserve: Option<Name>,
    },
    /// A player got point penalties.
    Penalty {
        /// Who.
        player: Name,
        /// The cause's id in the format.
        cause: String,
        /// How many point penalties it is.
        count: u32,
        /// In the referee's words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// A player was disqualified.
    Disqualified {
        /// Who.
        player: Name,
        /// The first round in which a reserve plays instead; one more than there are rounds where
        /// all are played.
        round: usize,
        /// In the referee's words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// An earlier event does not count any more. Undoing an undo brings the event back.
    Undone {
        /// Its id.
        undone: usize,
    },
}

impl What {
    /// As one line for people.
    pub fn summary(&self) -> String {
        match self {
            Self::Begun { name, rules, format } => {
                format!("begun: {name} (rules {rules}, format {})", format.id)
            }
            Self::Entered { entrants } => match entrants.as_slice() {
                [one] => format!("entered: {}", one.name),
                all => format!("entered: {} people", all.len()),
            },
            Self::Seated { seed, numbers, schedule, .. } => format!(
                "seated: {} players in {} rounds, seed {seed}",
                numbers.len(),
                schedule.rounds().len()
            ),
            Self::Started { round, .. } => format!("round {round} started"),
            Self::Result { round, table, points } => {
                let points = points.map(|points| points.to_string()).join(" ");
                format!("result of round {round}, table {table}: {points}")
            }
            Self::Absent { player, round, reserve } => match reserve {
                Some(reserve) => format!("{player} absent in round {round}, {reserve} plays"),
                None => format!("{player} absent in round {round}"),
            },
            Self::Penalty { player, cause, count, note } => {
                let times = if *count == 1 { String::new() } else { format!(" ×{count}") };
                format!("penalty{times} for {player}: {}", with_note(cause, note))
            }
            Self::Disqualified { player, round, note } => {
                with_note(&format!("{player} disqualified from round {round} on"), note)
            }
            Self::Undone { undone } => format!("event {undone} undone"),
        }
    }
}

fn with_note(text: &str, note: &str) -> String {
    if note.is_empty() { text.to_owned() } else { format!("{text} ({note})") }
}

//! The events of a tournament.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Entrant, Format, Group, Number, PersonDetails, Schedule};
use crate::{
    clock::ClockChange,
    name::Name,
    points::Points,
    recorded::{self, Undoes},
};

/// An event with its number, time and author.
pub type Recorded = recorded::Recorded<Event>;

/// The wins of each player at a table, in the order in which the four began, as far as known.
pub type Wins = [Option<u32>; 4];

fn nothing_said(wins: &Wins) -> bool {
    wins.iter().all(Option::is_none)
}

/// The way in which rounds are laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum By {
    /// As many players as possible meet.
    #[default]
    Meetings,
    /// Players of similar places in the standings meet, and nobody meets again where that is possible.
    Standings,
    /// By the standings, and the first four of them at one table, East first.
    Final,
}

/// The plan made at the draw, where it is more than to let as many as possible meet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The number of planned rounds, where not all are laid out yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u16>,
    /// Which groups are kept apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<Group>,
}

/// Rounds that were laid out after the draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paired {
    /// The first of them; rounds that were laid out from it on before are not any more.
    pub round: usize,
    /// The way in which they were laid out.
    pub by: By,
    /// Which groups are kept apart, here and later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub apart: Vec<Group>,
    /// The seed that chance was drawn from.
    pub seed: String,
    /// The seating, the earlier rounds as they were.
    pub schedule: Schedule,
    /// Players who do not play in these rounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub out: Vec<Name>,
    /// When sessions are to start that were not planned before; may be empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub starts: Vec<Timestamp>,
    /// Whether it was proven that no rounds have fewer repeated meetings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub proven: bool,
}

/// An event of a tournament. Rounds and tables count from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The tournament was set up; always the first event.
    Begun {
        /// The tournament's name.
        name: String,
        /// The rule set that hands are scored with.
        rules: String,
        /// The text of its rule file, where it is no preset.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule_file: Option<String>,
        /// Rulings chosen, ids and choices.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        rulings: Vec<(String, String)>,
        /// The values of the tournament's rules.
        format: Box<Format>,
    },
    /// Players and reserves were entered.
    Entered {
        /// The person.
        entrants: Vec<Entrant>,
    },
    /// Rounds were laid out and lots drawn.
    Seated {
        /// The seed of the draw.
        seed: String,
        /// Players in the order of their numbers.
        numbers: Vec<Name>,
        /// The seating.
        schedule: Schedule,
        /// When each session is to start; may be empty.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        starts: Vec<Timestamp>,
        /// The rest of the plan.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        plan: Option<Plan>,
    },
    /// A session started.
    Started {
        /// The round.
        round: usize,
        /// The time of the start.
        start: Timestamp,
    },
    /// The clock of a round, or of one of its tables, was stopped, goes on, or got more minutes.
    ClockChanged {
        /// The round.
        round: usize,
        /// The table; all of the round where this is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        table: Option<usize>,
        /// The change.
        change: ClockChange,
    },
    /// A table's session was over that was written down on paper.
    Result {
        /// Which round.
        round: usize,
        /// Which table.
        table: usize,
        /// Final scores, in the order in which the four began: East, South, West, North.
        points: [Points; 4],
        /// The wins of each of them, where given.
        #[serde(default, skip_serializing_if = "nothing_said")]
        wins: Wins,
        /// Points taken from the table's score and given to nobody: penalties, lost sticks.
        #[serde(default, skip_serializing_if = "no_points")]
        taken: Points,
    },
    /// A player did not appear, and a reserve played.
    Absent {
        /// The missing player.
        player: Name,
        /// The round.
        round: usize,
        /// The reserve who played instead.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reserve: Option<Name>,
    },
    /// A reserve was chosen for a seat without one: of an absent or disqualified player, or one
    /// that no player fills.
    Substituted {
        /// The round.
        round: usize,
        /// The seat's number.
        number: Number,
        /// The reserve who plays.
        reserve: Name,
    },
    /// A player got point penalties.
    Penalty {
        /// The person.
        player: Name,
        /// The cause's id in the format.
        cause: String,
        /// The number of point penalties.
        count: u32,
        /// Its cost, where that is not the format's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<u32>,
        /// The reason in the referee's words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// A player was disqualified.
    Disqualified {
        /// The person.
        player: Name,
        /// The first round in which a reserve plays instead; one more than there are rounds where
        /// all are played.
        round: usize,
        /// The reason in the referee's words.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// Players joined after the draw: they play from a round on, and the rounds from it on are laid out again.
    Joined {
        /// Who, in the order of their numbers, which follow the others'.
        entrants: Vec<Entrant>,
        /// Their first round.
        round: usize,
        /// The seating, the earlier rounds as they were.
        schedule: Schedule,
        /// Players who do not play in the rounds that were laid out again.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        out: Vec<Name>,
    },
    /// Rounds were laid out by the standings, or again.
    Paired(Box<Paired>),
    /// A person's details were entered.
    Described {
        /// The person.
        player: Name,
        /// All details.
        about: PersonDetails,
    },
    /// A player left: from a round on he is absent, and a reserve plays.
    Withdrawn {
        /// The person.
        player: Name,
        /// The first round that he does not play.
        round: usize,
        /// The reason.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        note: String,
    },
    /// Somebody is called otherwise from here on, in all that was written before too.
    Renamed {
        /// The old name.
        player: Name,
        /// The new name.
        name: Name,
    },
    /// An earlier event does not count any more. Undoing an undo brings the event back.
    Undone {
        /// Its number.
        event: u64,
    },
    /// Damage of the file has destroyed the event of this number. A repair put this in its place, so
    /// that later events keep their numbers.
    Lost {
        /// The number of events after it that nothing proves: people have to check whether they are
        /// unchanged.
        #[serde(default, skip_serializing_if = "no_events")]
        unproven: u64,
    },
}

fn no_points(points: &Points) -> bool {
    *points == Points::ZERO
}

fn no_events(count: &u64) -> bool {
    *count == 0
}

impl Undoes for Event {
    fn undoes(&self) -> Option<u64> {
        match self {
            Self::Undone { event } => Some(*event),
            _ => None,
        }
    }
}

impl Event {
    /// As one line for people.
    pub fn summary(&self) -> String {
        match self {
            Self::Begun { name, rules, rulings, format, .. } => {
                let chosen = rulings.iter().map(|(id, choice)| format!(", {id}={choice}"));
                let chosen: String = chosen.collect();
                format!("begun: {name} (rules {rules}{chosen}, run like {})", format.id)
            }
            Self::Entered { entrants } => match entrants.as_slice() {
                [one] if one.reserve => format!("entered: {}, a reserve", one.name),
                [one] => format!("entered: {}", one.name),
                all => format!("entered: {} people", all.len()),
            },
            Self::Seated { seed, numbers, schedule, .. } => format!(
                "seated: {} players in {} rounds, seed {seed}",
                numbers.len(),
                schedule.rounds().len()
            ),
            Self::Started { round, start } => format!("round {round} started at {start}"),
            Self::ClockChanged { round, table, change } => {
                let of = table.map_or(String::new(), |table| format!(", table {table}"));
                format!("clock of round {round}{of} {}", change.summary())
            }
            Self::Result { round, table, points, wins, taken } => {
                let scores = scores_summary(points, wins, taken);
                format!("result of round {round}, table {table}: {scores}")
            }
            Self::Absent { player, round, reserve } => match reserve {
                Some(reserve) => format!("{player} absent in round {round}, {reserve} plays"),
                None => format!("{player} absent in round {round}"),
            },
            Self::Substituted { round, number, reserve } => {
                format!("{reserve} plays for number {number} in round {round}")
            }
            Self::Penalty { player, cause, count, points, note } => {
                let times = if *count == 1 { String::new() } else { format!(" ×{count}") };
                let points = points.map_or(String::new(), |points| format!(" of {points}"));
                format!("penalty{times}{points} for {player}: {}", with_note(cause, note))
            }
            Self::Disqualified { player, round, note } => {
                with_note(&format!("{player} disqualified from round {round} on"), note)
            }
            Self::Joined { entrants, round, .. } => {
                let names: Vec<&str> = entrants.iter().map(|one| one.name.as_str()).collect();
                format!("{} joined, from round {round} on", names.join(", "))
            }
            Self::Paired(paired) => paired.summary(),
            Self::Described { player, about } => {
                format!("known of {player}: {}", details_summary(about))
            }
            Self::Withdrawn { player, round, note } => {
                with_note(&format!("{player} left before round {round}"), note)
            }
            Self::Renamed { player, name } => format!("{player} is called {name}"),
            Self::Undone { event } => format!("event {event} undone"),
            Self::Lost { .. } => "lost to damage of the file".to_owned(),
        }
    }
}

impl Paired {
    fn summary(&self) -> String {
        let Self { round, by, seed, schedule, .. } = self;
        let rounds = match schedule.rounds().len() {
            last if last == *round => format!("round {round}"),
            last => format!("rounds {round} to {last}"),
        };
        let by = match by {
            By::Meetings => "so that as many as possible meet",
            By::Standings => "by the standings",
            By::Final => "by the standings, with a final table",
        };
        format!("{rounds} laid out {by}, seed {seed}")
    }
}

fn scores_summary(points: &[Points; 4], wins: &Wins, taken: &Points) -> String {
    let mut text = points.map(|points| points.to_string()).join(" ");
    if !nothing_said(wins) {
        let won = wins.map(|wins| wins.map_or("·".to_owned(), |wins| wins.to_string()));
        text += &format!(", wins {}", won.join(" "));
    }
    if !no_points(taken) {
        text += &format!(", {taken} taken from the table");
    }
    text
}

fn details_summary(about: &PersonDetails) -> String {
    let fixed = about.fixed_table.map(|table| table.to_string());
    let all = [
        ("club", about.club.as_str()),
        ("country", &about.country),
        ("team", &about.team),
        ("member", &about.member),
        ("fixed table", fixed.as_deref().unwrap_or_default()),
    ];
    let known: Vec<String> = (all.iter())
        .filter(|(_, text)| !text.is_empty())
        .map(|(what, text)| format!("{what} {text}"))
        .collect();
    if known.is_empty() { "nothing".to_owned() } else { known.join(", ") }
}

fn with_note(text: &str, note: &str) -> String {
    if note.is_empty() { text.to_owned() } else { format!("{text} ({note})") }
}

//! `tilelens tournament`: an evening, or several, from the list of players to the standings.

mod entry;
mod show;
mod store;
mod text;

use std::{
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;

use super::Outcome;
use crate::tournament::{Event, Points};

const EXAMPLES: &str = "\
An evening:
  tilelens tournament new evening.json --name 'Club evening'
  tilelens tournament import evening.json players.csv
  tilelens tournament seat evening.json --rounds 4 --seed 'dice 3 5 2' --start 18:00
  tilelens tournament sheets evening.json > sheets.html
  tilelens tournament clock evening.json 1 --start
  tilelens tournament result evening.json 1 3 34 -12 -20 -2
  tilelens tournament standings evening.json

Players are named by number, name or the beginning of a name. docs/tournament.md goes through an
evening step by step.";

/// A tournament's name and standings, as JSON; empty standings where nobody is seated yet.
///
/// # Errors
/// A file that cannot be read.
#[cfg(feature = "server")]
pub(super) fn standings(file: &std::path::Path) -> anyhow::Result<serde_json::Value> {
    let (_, tournament) = store::Store::at(file).read()?;
    let standings = tournament.standings().unwrap_or_default();
    Ok(serde_json::json!({ "name": tournament.name, "standings": standings }))
}

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TournamentArgs {
    #[command(subcommand)]
    command: TournamentCommand,
    /// JSON instead of text for people
    #[arg(long, global = true)]
    json: bool,
    /// Who writes this down; the name of the account where it is left out
    #[arg(long, global = true, value_name = "NAME")]
    by: Option<String>,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Begin a tournament in a new file
    New {
        /// The tournament's file
        file: PathBuf,
        /// The tournament's name
        #[arg(long)]
        name: String,
        /// The rule set that hands are scored with: a preset's id or a rule file
        #[arg(long, default_value = "chumchu")]
        rules: String,
        /// Bonus, session and penalties: a preset's id or a file (see `format`); left out, chumchu's
        /// with the starting points of the rules
        #[arg(long)]
        format: Option<String>,
    },
    /// Print a format, to start a file of your own from
    Format {
        /// A preset's id or a file
        #[arg(default_value = "chumchu")]
        id: String,
    },
    /// Enter players and reserves, or results, from CSV or JSON
    #[command(after_help = "People: columns `name` and `reserve` (yes or no), or a JSON list of \
                            names.\nResults: columns `round`, `table`, `wind`, `player`, \
                            `points`, as `export results` writes them.")]
    Import {
        /// The tournament's file
        file: PathBuf,
        /// The CSV or JSON file, - for standard input
        source: PathBuf,
        /// It holds results
        #[arg(long)]
        results: bool,
    },
    /// Lay out the rounds so that as many as possible meet, and draw the numbers
    #[command(after_help = "Example: tilelens tournament seat evening.json --rounds 4 --seed \
                            'dice 3 5 2' --start 18:00 --start 20:15 ...")]
    Seat {
        /// The tournament's file
        file: PathBuf,
        /// How many sessions everybody plays
        #[arg(long, short)]
        rounds: u16,
        /// Any text, best one that all see come about: the same seed draws the same numbers
        #[arg(long)]
        seed: Option<String>,
        /// When a session starts, such as 18:00 or "2026-11-21 18:00"; once for the first, the
        /// others follow each other, or once for each
        #[arg(long, value_name = "TIME")]
        start: Vec<String>,
    },
    /// Who sits where
    Tables {
        /// The tournament's file
        file: PathBuf,
        /// One round
        round: Option<usize>,
    },
    /// Write down a table's final scores
    #[command(after_help = "Example, East won 34: tilelens tournament result evening.json 1 3 34 \
                            -12 -20 -2")]
    Result {
        /// The tournament's file
        file: PathBuf,
        /// The round
        round: usize,
        /// The table
        table: usize,
        /// The four scores in the order in which the players began: East, South, West, North
        #[arg(
            num_args = 4,
            required = true,
            allow_hyphen_values = true,
            value_parser = parse_points,
            value_names = ["EAST", "SOUTH", "WEST", "NORTH"],
        )]
        points: Vec<Points>,
    },
    /// A player does not appear: a reserve plays, the player gets 0 for the session
    Late {
        /// The tournament's file
        file: PathBuf,
        /// Who is missing
        player: String,
        /// The round
        #[arg(long, short)]
        round: usize,
        /// Who plays instead
        #[arg(long)]
        reserve: Option<String>,
    },
    /// Point penalties, taken from the standings
    #[command(after_help = "Causes and what they count stand in the format (`tilelens \
                            tournament format`).")]
    Penalty {
        /// The tournament's file
        file: PathBuf,
        /// Who
        player: String,
        /// The cause's id
        #[arg(default_value = "error")]
        cause: String,
        /// What happened
        #[arg(long, default_value = "")]
        note: String,
    },
    /// A player may not play on; a reserve takes the seat
    Disqualify {
        /// The tournament's file
        file: PathBuf,
        /// Who
        player: String,
        /// The first round that a reserve plays; the player's next without a result where it is
        /// left out
        #[arg(long, short)]
        round: Option<usize>,
        /// What happened
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Take an event back, the last one where none is named; undoing an undo brings it back
    Undo {
        /// The tournament's file
        file: PathBuf,
        /// Its number in the log
        event: Option<usize>,
    },
    /// Everything written down, when and by whom
    Log {
        /// The tournament's file
        file: PathBuf,
    },
    /// Ranks, points and penalties
    Standings {
        /// The tournament's file
        file: PathBuf,
    },
    /// What may still be played in a session
    Clock {
        /// The tournament's file
        file: PathBuf,
        /// The round
        round: usize,
        /// Start the session
        #[arg(long)]
        start: bool,
        /// At that moment instead of now
        #[arg(long, value_name = "TIME")]
        at: Option<String>,
        /// How many deals the table has started
        #[arg(long, default_value_t = 0)]
        deals: u32,
    },
    /// Pages to print as HTML: schedule, score sheets, standings
    Sheets {
        /// The tournament's file
        file: PathBuf,
        /// One round alone
        #[arg(long, short)]
        round: Option<usize>,
    },
    /// CSV for a spreadsheet, or JSON
    Export {
        /// The tournament's file
        file: PathBuf,
        /// What
        what: Export,
    },
}

/// What can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Export {
    /// Players and reserves
    People,
    /// Every seat of every round
    Schedule,
    /// Every result
    Results,
    /// The standings
    Standings,
}

fn parse_points(text: &str) -> Result<Points, String> {
    text.parse().map_err(|error: crate::tournament::PointsError| error.to_string())
}

pub(super) fn run(args: &TournamentArgs) -> anyhow::Result<Outcome> {
    let mut out = Out { json: args.json, to: io::stdout().lock() };
    let by = args.by.clone().unwrap_or_else(account);
    match &args.command {
        TournamentCommand::New { file, name, rules, format } => {
            entry::new(&mut out, &by, file, (name, rules, format.as_deref()))?;
        }
        TournamentCommand::Format { id } => show::format(&mut out, id)?,
        TournamentCommand::Import { file, source, results } => {
            entry::import(&mut out, &by, file, source, *results)?;
        }
        TournamentCommand::Seat { file, rounds, seed, start } => {
            entry::seat(&mut out, &by, file, (*rounds, seed.as_deref(), start))?;
        }
        TournamentCommand::Tables { file, round } => show::tables(&mut out, file, *round)?,
        TournamentCommand::Result { file, round, table, points } => {
            entry::result(&mut out, &by, file, (*round, *table, points))?;
        }
        TournamentCommand::Late { file, player, round, reserve } => {
            entry::late(&mut out, &by, file, (player, *round, reserve.as_deref()))?;
        }
        TournamentCommand::Penalty { file, player, cause, note } => {
            entry::penalty(&mut out, &by, file, (player, cause, note))?;
        }
        TournamentCommand::Disqualify { file, player, round, note } => {
            entry::disqualify(&mut out, &by, file, (player, *round, note))?;
        }
        TournamentCommand::Undo { file, event } => entry::undo(&mut out, &by, file, *event)?,
        TournamentCommand::Log { file } => show::log(&mut out, file)?,
        TournamentCommand::Standings { file } => show::standings(&mut out, file)?,
        TournamentCommand::Clock { file, round, start, at, deals } => {
            let at = at.as_deref().map(text::moment).transpose()?.unwrap_or_else(Timestamp::now);
            if *start {
                entry::start(&mut out, &by, file, (*round, at))?;
            } else {
                show::clock(&mut out, file, *round, (at, *deals))?;
            }
        }
        TournamentCommand::Sheets { file, round } => show::sheets(&mut out, file, *round)?,
        TournamentCommand::Export { file, what } => show::export(&mut out, file, *what)?,
    }
    Ok(Outcome::Found)
}

/// Where answers go, and as what.
struct Out<'a> {
    json: bool,
    to: io::StdoutLock<'a>,
}

impl Out<'_> {
    fn text(&mut self, text: &str) -> anyhow::Result<()> {
        self.to.write_all(text.as_bytes())?;
        Ok(())
    }

    fn as_json(&mut self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        serde_json::to_writer(&mut self.to, value)?;
        Ok(self.to.write_all(b"\n")?)
    }

    /// What was written down: the events, or what they mean for people.
    fn written(&mut self, events: &[Event], text: &str) -> anyhow::Result<()> {
        if self.json {
            return events.iter().try_for_each(|event| self.as_json(event));
        }
        self.text(text)?;
        let ids: Vec<String> = events.iter().map(|event| event.id.to_string()).collect();
        let ids = match ids.as_slice() {
            [first, .., last] => format!("events {first} to {last}"),
            _ => format!("event {}", ids.concat()),
        };
        self.text(&format!("Written down as {ids}.\n"))
    }
}

/// The name of the account.
fn account() -> String {
    let name = |variable| std::env::var(variable).ok().filter(|name| !name.is_empty());
    name("USER").or_else(|| name("USERNAME")).unwrap_or_else(|| "unknown".to_owned())
}

/// A file's bytes, or standard input's.
fn bytes_of(source: &Path) -> anyhow::Result<Vec<u8>> {
    const MOST: u64 = 16 << 20;
    let mut bytes = Vec::new();
    let told = || format!("cannot read {}", source.display());
    let read = if source == Path::new("-") {
        io::stdin().lock().take(MOST + 1).read_to_end(&mut bytes)
    } else {
        let file = std::fs::File::open(source).with_context(told)?;
        file.take(MOST + 1).read_to_end(&mut bytes)
    };
    if read.with_context(told)? as u64 > MOST {
        return Err(anyhow!("{} has more than {MOST} bytes", source.display()));
    }
    Ok(bytes)
}

//! `tilelens tournament`: an evening, or several, from the list of players to the standings.

mod cards;
mod entry;
mod hall;
mod out;
mod show;
mod text;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;
use out::Out;

use super::Outcome;
use crate::{
    cli::{circumstance_args::ruling, moment::moment},
    points::Points,
};

const EXAMPLES: &str = "\
An evening:
  tilelens tournament new evening.tlg --name 'Club evening'
  tilelens tournament import evening.tlg players.csv
  tilelens tournament seat evening.tlg --rounds 4 --seed 'dice 3 5 2' --start 18:00
  tilelens tournament sheets evening.tlg > sheets.html
  tilelens tournament open evening.tlg 1
  tilelens tournament clock evening.tlg 1 --start
  tilelens table deal evening.tlg --table 1003 -w W --from E --pay W=4,E=-2,S=-1,N=-1
  tilelens tournament result evening.tlg 1 2 34 -12 -20 -2
  tilelens tournament standings evening.tlg

Players are named by number, name or the beginning of a name. docs/tournament.md goes through an
evening step by step.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TournamentArgs {
    #[command(subcommand)]
    command: TournamentCommand,
    /// JSON instead of text for people
    #[arg(long, global = true)]
    json: bool,
    /// Who writes it down
    #[arg(long, global = true, env = "USER", hide_env = true, default_value = "organiser")]
    author: String,
}

#[derive(Args)]
struct NewArgs {
    /// The ledger
    file: PathBuf,
    /// The tournament's name
    #[arg(long)]
    name: String,
    /// The rule set that hands are scored with: a preset's id or a rule file
    #[arg(long, default_value = "chumchu")]
    rules: String,
    /// Decide a ruling, such as mmm.self_draw_share=east_half; may be given again
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    rulings: Vec<(String, String)>,
    /// The rule set or rule file that says how the tournament is run: placement bonus and sessions
    /// (its `[tournament]` table), clock and penalties. Where it is left out that is the rule set that
    /// is played, and chumchu for what that does not say
    #[arg(long, value_name = "RULES")]
    like: Option<String>,
    /// What everybody begins a session with; the rule set says it otherwise
    #[arg(long)]
    initial: Option<Points>,
}

/// The final scores of a table.
#[derive(Args, Clone, Copy)]
struct FourScores {
    /// The score of who began as East
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    east: Points,
    /// As South
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    south: Points,
    /// As West
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    west: Points,
    /// As North
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    north: Points,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Begin a tournament, in a new ledger or one that has none
    New(NewArgs),
    /// Enter players and reserves, or results, from CSV or JSON
    #[command(
        after_help = "People: columns `name`, `reserve` (yes or no) and `new` (yes, or how often a \
                            new player with a minimum of his own has won before), or a JSON list of \
                            names.\nResults: columns `round`, `table`, `wind`, `points` and, where \
                            they say something, `player`, `reserve` (who played instead, or yes), \
                            `wins` and `taken` (what penalties took from the table), as `export \
                            results` writes them."
    )]
    Import {
        /// The ledger
        file: PathBuf,
        /// The CSV or JSON file, - for standard input
        source: PathBuf,
        /// It holds results
        #[arg(long)]
        results: bool,
    },
    /// Lay out the rounds so that as many as possible meet, and draw the numbers
    #[command(after_help = "Example: tilelens tournament seat evening.tlg --rounds 4 --seed \
                            'dice 3 5 2' --start 18:00 --start 20:15 ...")]
    Seat {
        /// The ledger
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
        /// The ledger
        file: PathBuf,
        /// One round
        round: Option<usize>,
    },
    /// Open a round's tables in the ledger: players, rules, clock as the tournament has them
    Open {
        /// The ledger
        file: PathBuf,
        /// The round
        round: usize,
    },
    /// End the sessions of a round's tables that still go on
    End {
        /// The ledger
        file: PathBuf,
        /// The round
        round: usize,
    },
    /// Write down the final scores of a table that was played on paper
    #[command(after_help = "Example, East won 34: tilelens tournament result evening.tlg 1 3 34 \
                            -12 -20 -2")]
    Result {
        /// The ledger
        file: PathBuf,
        /// The round
        round: usize,
        /// The table
        table: usize,
        /// The scores of the four, each under the wind in which he began
        #[command(flatten)]
        points: FourScores,
        /// How often a player has won; asked of new players with a minimum of their own
        #[arg(long, value_name = "PLAYER=WINS", value_delimiter = ',')]
        wins: Vec<String>,
        /// What penalties and lost sticks took from the table's score, where the four do not add up
        /// for them
        #[arg(long, value_name = "POINTS", default_value = "0")]
        taken: Points,
    },
    /// A player does not appear: a reserve plays, the player gets 0 for the session
    Late {
        /// The ledger
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
    /// Name the reserve on a seat: of somebody absent or disqualified, or one that nobody fills
    #[command(
        after_help = "Examples: tilelens tournament reserve evening.tlg rita --round 2 --seat hans\n          \
                            tilelens tournament reserve evening.tlg rita --round 2 --seat 19"
    )]
    Reserve {
        /// The ledger
        file: PathBuf,
        /// Who plays
        reserve: String,
        /// The round
        #[arg(long, short)]
        round: usize,
        /// Whose seat: a player, or the seat's number
        #[arg(long, value_name = "PLAYER|NUMBER")]
        seat: String,
    },
    /// Point penalties, taken from the standings
    #[command(after_help = "Causes and what they count stand in the rules (`tilelens rules show \
                            chumchu --markdown`).")]
    Penalty {
        /// The ledger
        file: PathBuf,
        /// Who
        player: String,
        /// The cause's id
        #[arg(default_value = "error")]
        cause: String,
        /// What it costs, where it is not what the rules say
        #[arg(long)]
        points: Option<u32>,
        /// What happened
        #[arg(long, default_value = "")]
        note: String,
    },
    /// A player may not play on; a reserve takes the seat
    Disqualify {
        /// The ledger
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
    /// Players join after the draw: the rounds from their first one on are laid out anew, with the meetings so far
    #[command(after_help = "Example: tilelens tournament join evening.tlg 'Late Lars' --round 3")]
    Join {
        /// The ledger
        file: PathBuf,
        /// Who; a reserve becomes a player
        #[arg(required = true)]
        players: Vec<String>,
        /// The first round that they play; the first of which nothing has begun where it is left out
        #[arg(long, short)]
        round: Option<usize>,
        /// They are new players with a minimum of their own, and have won so often before
        #[arg(long, value_name = "WINS")]
        new: Option<u32>,
    },
    /// A player leaves: reserves play from then on, the player gets 0 for these sessions and keeps the rest
    Leave {
        /// The ledger
        file: PathBuf,
        /// Who
        player: String,
        /// The first round that the player does not play; the next without a result where it is left out
        #[arg(long, short)]
        round: Option<usize>,
        /// Why
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Call somebody otherwise, at any time; results, penalties and open tables follow
    #[command(after_help = "Example: tilelens tournament rename evening.tlg anna 'Anna Berg'")]
    Rename {
        /// The ledger
        file: PathBuf,
        /// Who: a player or a reserve
        player: String,
        /// The new name
        name: String,
    },
    /// Take an event back, the last one where none is named; undoing an undo brings it back
    Undo {
        /// The ledger
        file: PathBuf,
        /// Its number in the log
        event: Option<u64>,
    },
    /// Everything written down, when and by whom
    Log {
        /// The ledger
        file: PathBuf,
    },
    /// Ranks, points and penalties
    Standings {
        /// The ledger
        file: PathBuf,
        /// As they stood at that time: 20:15, or a date and time
        #[arg(long, value_name = "TIME", value_parser = moment)]
        moment: Option<Timestamp>,
    },
    /// What may still be played in a session
    Clock {
        /// The ledger
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
        /// The ledger
        file: PathBuf,
        /// One round alone
        #[arg(long, short)]
        round: Option<usize>,
        /// Cards for tables, desk and screens too, with new codes for their phones; the old codes are dead. What
        /// `tilelens serve --lan` answers at, such as http://192.168.1.5:7777/
        #[arg(long, value_name = "URL")]
        codes: Option<String>,
    },
    /// CSV for a spreadsheet, or JSON
    Export {
        /// The ledger
        file: PathBuf,
        /// What
        what: Export,
        /// Begin with a byte order mark, by which spreadsheets know the encoding
        #[arg(long)]
        bom: bool,
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
    text.parse().map_err(|error: crate::points::PointsError| error.to_string())
}

pub(super) fn run(args: &TournamentArgs) -> anyhow::Result<Outcome> {
    let mut out = Out::new(args.json);
    let by = args.author.as_str();
    match &args.command {
        TournamentCommand::New(args) => entry::new(&mut out, by, args)?,
        TournamentCommand::Open { file, round } => entry::open(&mut out, by, file, *round)?,
        TournamentCommand::End { file, round } => entry::end(&mut out, by, file, *round)?,
        TournamentCommand::Reserve { file, reserve, round, seat } => {
            entry::reserve(&mut out, by, file, (reserve, *round, seat))?;
        }
        TournamentCommand::Import { file, source, results } => {
            entry::import(&mut out, by, file, source, *results)?;
        }
        TournamentCommand::Seat { file, rounds, seed, start } => {
            entry::seat(&mut out, by, file, (*rounds, seed.as_deref(), start))?;
        }
        TournamentCommand::Tables { file, round } => show::tables(&mut out, file, *round)?,
        TournamentCommand::Result { file, round, table, points, wins, taken } => {
            let FourScores { east, south, west, north } = *points;
            let points = [east, south, west, north];
            entry::result(&mut out, by, file, (*round, *table, points, wins, *taken))?;
        }
        TournamentCommand::Late { file, player, round, reserve } => {
            entry::late(&mut out, by, file, (player, *round, reserve.as_deref()))?;
        }
        TournamentCommand::Penalty { file, player, cause, points, note } => {
            entry::penalty(&mut out, by, file, (player, cause, *points, note))?;
        }
        TournamentCommand::Disqualify { file, player, round, note } => {
            entry::disqualify(&mut out, by, file, (player, *round, note))?;
        }
        TournamentCommand::Join { file, players, round, new } => {
            entry::join(&mut out, by, file, (players, *round, *new))?;
        }
        TournamentCommand::Leave { file, player, round, note } => {
            entry::leave(&mut out, by, file, (player, *round, note))?;
        }
        TournamentCommand::Rename { file, player, name } => {
            entry::rename(&mut out, by, file, (player, name))?;
        }
        TournamentCommand::Undo { file, event } => entry::undo(&mut out, by, file, *event)?,
        TournamentCommand::Log { file } => show::log(&mut out, file)?,
        TournamentCommand::Standings { file, moment } => show::standings(&mut out, file, *moment)?,
        TournamentCommand::Clock { file, round, start, at, deals } => {
            let at = at.as_deref().map(moment).transpose()?.unwrap_or_else(Timestamp::now);
            if *start {
                entry::start(&mut out, by, file, (*round, at))?;
            } else {
                show::clock(&mut out, file, *round, (at, *deals))?;
            }
        }
        TournamentCommand::Sheets { file, round, codes } => {
            show::sheets(&mut out, file, *round, codes.as_deref())?;
        }
        TournamentCommand::Export { file, what, bom } => {
            show::export(&mut out, file, *what, *bom)?;
        }
    }
    Ok(Outcome::Found)
}

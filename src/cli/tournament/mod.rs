//! `tilelens tournament`: an evening, or several, from the list of players to the standings.

mod args;
mod cards;
mod entry;
mod hall;
mod out;
mod publish;
mod season;
mod show;
mod text;

use std::path::PathBuf;

use args::{
    AboutArgs, ClockAct, Export, KeepApart, NewTournamentArgs, PairArgs, SeasonArgs, SeatBy,
    parse_points,
};
use clap::{Args, Subcommand, builder::PossibleValuesParser};
use jiff::Timestamp;
use out::Out;

use super::Outcome;
use crate::{
    cli::moment::moment,
    points::Points,
    words::{LANGUAGES, Language},
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
  tilelens tournament pair evening.tlg --by final
  tilelens tournament season spring.tlg evening.tlg --best 4

Players are given by number, name or the beginning of a name. docs/tournament.md goes through an
evening step by step.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct TournamentArgs {
    #[command(subcommand)]
    command: TournamentCommand,
    /// Print JSON instead of text
    #[arg(long, global = true)]
    json: bool,
    /// The name of the person who makes the entry
    #[arg(long, global = true, env = "USER", hide_env = true, default_value = "organiser")]
    author: String,
}

/// The final scores of a table.
#[derive(Args, Clone, Copy)]
struct FourScores {
    /// The final score of the player who began as East
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    east: Points,
    /// The final score of the player who began as South
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    south: Points,
    /// The final score of the player who began as West
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    west: Points,
    /// The final score of the player who began as North
    #[arg(allow_hyphen_values = true, value_parser = parse_points)]
    north: Points,
}

#[derive(Subcommand)]
enum TournamentCommand {
    /// Begin a tournament in a new ledger, or in one that has no tournament yet
    New(NewTournamentArgs),
    /// Import players and reserves, or results, from CSV or JSON
    #[command(
        after_help = "People are a JSON list of names, or the columns `name`, `reserve` (yes or no), `new` (yes, or \
                            the earlier wins of a new player with a minimum of his own), `club`, `country`, \
                            `team`, `member` (the number in an association's list) and `fixed_table` \
                            (the table at which he always sits).\nResults are the columns `round`, `table`, `wind`, `points` and, \
                            if needed, `player`, `reserve` (the reserve who played, or yes), \
                            `wins` and `taken` (the points that penalties took from the table), as `export \
                            results` writes them."
    )]
    Import {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The CSV or JSON file, or - for standard input
        source: PathBuf,
        /// Import results instead of people
        #[arg(long)]
        results: bool,
    },
    /// Lay out the rounds so that as many players as possible meet, and draw the numbers
    #[command(
        after_help = "Examples: tilelens tournament seat evening.tlg --rounds 4 --seed 'dice 3 5 2' --start 18:00 \
                      --start 20:15 ...\n          \
                      tilelens tournament seat evening.tlg --rounds 6 --by standings --apart club"
    )]
    Seat {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of sessions that each player plays
        #[arg(long, short)]
        rounds: u16,
        /// Any text, best one that everybody sees being chosen. The same seed draws the same numbers
        #[arg(long)]
        seed: Option<String>,
        /// The time at which the first session starts, such as 18:00 or "2026-11-21 18:00". The others follow
        /// each other. Repeat the option to give a time for every session
        #[arg(long, value_name = "TIME")]
        start: Vec<String>,
        /// The way in which rounds are laid out. With `standings` only the first is laid out now, and `pair`
        /// lays out the others
        #[arg(long, value_enum, default_value = "meetings")]
        by: SeatBy,
        /// Keep players of one club or country apart as far as possible. Players of one team always are
        #[arg(long, value_enum, value_delimiter = ',')]
        apart: Vec<KeepApart>,
    },
    /// Lay out the next round by the standings, a final table, or all coming rounds again
    #[command(
        after_help = "Nobody meets again if that is possible. If it is not, the output says how many do, and whether \
                      it is proven that fewer are impossible. Players who left get no seat. Rounds \
                      after these are laid out later.\nExamples: tilelens tournament pair evening.tlg\n          \
                      tilelens tournament pair evening.tlg --by final\n          \
                      tilelens tournament pair evening.tlg --by meetings --round 3"
    )]
    Pair(PairArgs),
    /// Enter details of a person: club, country, team, number, fixed table
    #[command(
        after_help = "An empty text deletes a detail.\nExample: tilelens tournament about evening.tlg bo --club Aarhus \
                      --fixed-table 1"
    )]
    About(AboutArgs),
    /// Calculate a season's table or a rating over several tournaments, from ledgers or from standings as CSV
    #[command(
        after_help = "Examples: tilelens tournament season spring.tlg autumn.csv --best 4\n          \
                      tilelens tournament season *.tlg --scale 10,6,4,3,2,1\n          \
                      tilelens tournament season *.tlg --by rating --weight spring.tlg=2.5"
    )]
    Season(SeasonArgs),
    /// Show who sits at which table
    Tables {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// Show this round alone
        round: Option<usize>,
    },
    /// Open a round's tables in the ledger, with the players, rules and clock of the tournament
    Open {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of the round
        round: usize,
        /// Open them although tables of another round are still playing
        #[arg(long)]
        meant: bool,
    },
    /// Close the tables of a round that was opened too early. Nothing may have happened there yet
    Close {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of the round
        round: usize,
    },
    /// End the sessions that still go on at a round's tables
    End {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of the round
        round: usize,
    },
    /// Enter the final scores of a table that was played on paper
    #[command(after_help = "Example, East won 34: tilelens tournament result evening.tlg 1 3 34 \
                            -12 -20 -2")]
    Result {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of the round
        round: usize,
        /// The number of the table
        table: usize,
        /// The scores of the four, each under the wind in which he began
        #[command(flatten)]
        points: FourScores,
        /// The number of a player's wins. It is needed for new players with a minimum of their own
        #[arg(long, value_name = "PLAYER=WINS", value_delimiter = ',')]
        wins: Vec<String>,
        /// The points that penalties and lost sticks took from the table's score, if the four scores do not add
        /// up because of them
        #[arg(long, value_name = "POINTS", default_value = "0")]
        taken: Points,
    },
    /// Record that a player is absent: a reserve plays, and the player gets 0 for the session
    Late {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The absent player
        player: String,
        /// The number of the round
        #[arg(long, short)]
        round: usize,
        /// The reserve who plays instead
        #[arg(long)]
        reserve: Option<String>,
    },
    /// Name the reserve for a seat whose player is absent or disqualified, or for a seat that nobody fills
    #[command(
        after_help = "Examples: tilelens tournament reserve evening.tlg rita --round 2 --seat hans\n          \
                            tilelens tournament reserve evening.tlg rita --round 2 --seat 19"
    )]
    Reserve {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The reserve who plays
        reserve: String,
        /// The number of the round
        #[arg(long, short)]
        round: usize,
        /// The player whose seat it is, or the number of the seat
        #[arg(long, value_name = "PLAYER|NUMBER")]
        seat: String,
    },
    /// Give a player point penalties, which are taken from the standings
    #[command(after_help = "The rules list the causes and their points (`tilelens rules show \
                            chumchu --markdown`).")]
    Penalty {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The player
        player: String,
        /// The id of the cause
        #[arg(default_value = "error")]
        cause: String,
        /// The points, if they differ from those in the rules
        #[arg(long)]
        points: Option<u32>,
        /// A note on what happened
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Disqualify a player. A reserve takes the seat
    Disqualify {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The player
        player: String,
        /// The first round in which a reserve plays. The default is the player's next round without a result
        #[arg(long, short)]
        round: Option<usize>,
        /// A note on what happened
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Add players after the draw. The rounds from their first one on are laid out again, and earlier meetings
    /// count
    #[command(after_help = "Example: tilelens tournament join evening.tlg 'Late Lars' --round 3")]
    Join {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The names of the players. A reserve named here becomes a player
        #[arg(required = true)]
        players: Vec<String>,
        /// The first round that they play. The default is the first round of which nothing has begun
        #[arg(long, short)]
        round: Option<usize>,
        /// The number of their earlier wins, if they are new players with a minimum of their own
        #[arg(long, value_name = "WINS")]
        new: Option<u32>,
    },
    /// Record that a player leaves: reserves play from then on, and the player gets 0 for these sessions and
    /// keeps the earlier results
    Leave {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The player
        player: String,
        /// The first round that the player does not play. The default is the next round without a result
        #[arg(long, short)]
        round: Option<usize>,
        /// The reason
        #[arg(long, default_value = "")]
        note: String,
    },
    /// Rename a player or a reserve at any time. Results, penalties and open tables follow
    #[command(after_help = "Example: tilelens tournament rename evening.tlg anna 'Anna Berg'")]
    Rename {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The player or reserve
        player: String,
        /// The new name
        name: String,
    },
    /// Take back an event, by default the last one. Undoing an undo restores the event
    Undo {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of the event in the log
        event: Option<u64>,
    },
    /// List all entries with their times and authors
    Log {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
    },
    /// Show ranks, points and penalties
    Standings {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// Show them as they were at this time: 20:15, or a date and time
        #[arg(long, value_name = "TIME", value_parser = moment)]
        moment: Option<Timestamp>,
        /// Show the standings of teams, the sums of their players
        #[arg(long)]
        teams: bool,
    },
    /// Show whether another deal or round may start in a session
    Clock {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The number of the round
        round: usize,
        #[command(flatten)]
        act: ClockAct,
        /// Show or change the clock of this table alone
        #[arg(long, conflicts_with = "start")]
        table: Option<usize>,
        /// Use this time instead of now
        #[arg(long, value_name = "TIME", conflicts_with_all = ["pause", "resume", "add"])]
        at: Option<String>,
        /// The number of deals that the table has started
        #[arg(long, default_value_t = 0)]
        deals: u32,
    },
    /// Make pages to print, as HTML: schedule, score sheets, standings
    Sheets {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// Make the pages of this round alone
        #[arg(long, short)]
        round: Option<usize>,
        /// Make cards for tables, desk and screens too, with new codes for their phones. The old codes stop
        /// working. URL is the address of `tilelens serve --lan`, such as http://192.168.1.5:7777/
        #[arg(long, value_name = "URL")]
        codes: Option<String>,
        /// The language of everything except names
        #[arg(long, default_value = LANGUAGES[0], value_parser = PossibleValuesParser::new(LANGUAGES))]
        lang: String,
    },
    /// Write the standings and the seats as a page, and the rounds as a calendar, for any web server
    #[command(
        after_help = "Writes index.html and rounds.ics into the folder, each whole: a reader never gets half of one. Run \
                            it again to replace them, such as once a minute.\nExample: tilelens tournament publish evening.tlg /var/www/evening"
    )]
    Publish {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The folder. It is made if it is missing
        folder: PathBuf,
        /// The language of everything except names
        #[arg(long, default_value = LANGUAGES[0], value_parser = PossibleValuesParser::new(LANGUAGES))]
        lang: String,
    },
    /// Export a list as CSV for a spreadsheet, or as JSON
    Export {
        /// The ledger: a file, or the address of a database
        file: PathBuf,
        /// The list to export
        what: Export,
        /// Begin with a byte order mark, by which spreadsheets recognise the encoding
        #[arg(long)]
        bom: bool,
        /// A CSV file whose first line names the columns of the report
        #[arg(long, value_name = "FILE")]
        template: Option<PathBuf>,
    },
}

pub(super) fn run(args: &TournamentArgs) -> anyhow::Result<Outcome> {
    let mut out = Out::new(args.json);
    let by = args.author.as_str();
    match &args.command {
        TournamentCommand::New(args) => entry::new(&mut out, by, args)?,
        TournamentCommand::Open { file, round, meant } => {
            entry::open(&mut out, by, file, (*round, *meant))?;
        }
        TournamentCommand::Close { file, round } => entry::close(&mut out, by, file, *round)?,
        TournamentCommand::End { file, round } => entry::end(&mut out, by, file, *round)?,
        TournamentCommand::Reserve { file, reserve, round, seat } => {
            entry::reserve(&mut out, by, file, (reserve, *round, seat))?;
        }
        TournamentCommand::Import { file, source, results } => {
            entry::import(&mut out, by, file, source, *results)?;
        }
        TournamentCommand::Seat { file, rounds, seed, start, by: how, apart } => {
            let asked = (*rounds, (*how).into(), KeepApart::groups(apart));
            entry::seat(&mut out, by, file, asked, (seed.as_deref(), start))?;
        }
        TournamentCommand::Pair(args) => entry::pair(&mut out, by, args)?,
        TournamentCommand::About(args) => entry::about(&mut out, by, args)?,
        TournamentCommand::Season(args) => season::season(&mut out, args)?,
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
        TournamentCommand::Standings { file, moment, teams: true } => {
            show::teams(&mut out, file, *moment)?;
        }
        TournamentCommand::Standings { file, moment, teams: false } => {
            show::standings(&mut out, file, *moment)?;
        }
        TournamentCommand::Clock { file, round, act, table, at, deals } => {
            let at = at.as_deref().map(moment).transpose()?.unwrap_or_else(Timestamp::now);
            let of = (*round, *table);
            match act.event(of, at) {
                Some(event) => entry::clock(&mut out, by, file, of, event)?,
                None => show::clock(&mut out, file, of, (at, *deals))?,
            }
        }
        TournamentCommand::Sheets { file, round, codes, lang } => {
            let language = Language::named(lang).unwrap_or(Language::ENGLISH);
            show::sheets(&mut out, file, *round, codes.as_deref(), language)?;
        }
        TournamentCommand::Publish { file, folder, lang } => {
            let language = Language::named(lang).unwrap_or(Language::ENGLISH);
            publish::publish(&mut out, file, folder, language)?;
        }
        TournamentCommand::Export { file, what, bom, template } => {
            show::export(&mut out, file, *what, (*bom, template.as_deref()))?;
        }
    }
    Ok(Outcome::Found)
}

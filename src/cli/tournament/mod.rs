//! `tilelens tournament`: an evening, or several, from the list of players to the standings.

mod cards;
mod entry;
mod hall;
mod out;
mod publish;
mod season;
mod show;
mod text;

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, builder::PossibleValuesParser};
use jiff::Timestamp;
use out::Out;

use super::Outcome;
use crate::{
    cli::{circumstance_args::ruling, moment::moment},
    points::Points,
    tournament::{By, Group},
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
struct NewTournamentArgs {
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
    New(NewTournamentArgs),
    /// Enter players and reserves, or results, from CSV or JSON
    #[command(
        after_help = "People: columns `name`, `reserve` (yes or no), `new` (yes, or how often a \
                            new player with a minimum of his own has won before), `club`, `country`, \
                            `team`, `member` (the number in an association's list) and `fixed_table` \
                            (where he always sits), or a JSON list of names.\nResults: columns `round`, `table`, `wind`, `points` and, where \
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
    #[command(
        after_help = "Examples: tilelens tournament seat evening.tlg --rounds 4 --seed 'dice 3 5 2' --start 18:00 \
                      --start 20:15 ...\n          \
                      tilelens tournament seat evening.tlg --rounds 6 --by standings --apart club"
    )]
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
        /// `standings`: only the first round is laid out, `pair` lays out the others
        #[arg(long, value_enum, default_value = "meetings")]
        by: SeatBy,
        /// Keep those of one club or country apart as far as can be; teams always are
        #[arg(long, value_enum, value_delimiter = ',')]
        apart: Vec<KeepApart>,
    },
    /// Lay out the next round by the standings, a final table, or all rounds to come again
    #[command(
        after_help = "Nobody meets again where that is possible; where it is not it is said how many do, and \
                      whether it is proven that there are no fewer. Players who left get no seat, and \
                      rounds after these are laid out later.\nExamples: tilelens tournament pair evening.tlg\n          \
                      tilelens tournament pair evening.tlg --by final\n          \
                      tilelens tournament pair evening.tlg --by meetings --round 3"
    )]
    Pair(PairArgs),
    /// Details of a person: club, country, team, number, fixed table
    #[command(
        after_help = "An empty text forgets it.\nExample: tilelens tournament about evening.tlg bo --club Aarhus \
                      --fixed-table 1"
    )]
    About(AboutArgs),
    /// A season's table or a rating over several tournaments, from ledgers or standings as CSV
    #[command(
        after_help = "Examples: tilelens tournament season spring.tlg autumn.csv --best 4\n          \
                      tilelens tournament season *.tlg --scale 10,6,4,3,2,1\n          \
                      tilelens tournament season *.tlg --by rating --weight spring.tlg=2.5"
    )]
    Season(SeasonArgs),
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
        /// Although tables of another round still play
        #[arg(long)]
        meant: bool,
    },
    /// Close the tables of a round again that was opened too early: nothing may have happened there yet
    Close {
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
        /// The points, where they differ from the rules'
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
    /// Players join after the draw: the rounds from their first one on are laid out again, with the meetings so far
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
        /// They are new players with a minimum of their own; the number of their wins so far
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
    /// Take an event back, by default the last one; undoing an undo brings it back
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
        /// Of teams: the sums of their players
        #[arg(long)]
        teams: bool,
    },
    /// Whether another deal or round may start in a session
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
        /// Cards for tables, desk and screens too, with new codes for their phones; the old codes stop working. The address of
        /// `tilelens serve --lan`, such as http://192.168.1.5:7777/
        #[arg(long, value_name = "URL")]
        codes: Option<String>,
        /// The language of all but names
        #[arg(long, default_value = LANGUAGES[0], value_parser = PossibleValuesParser::new(LANGUAGES))]
        lang: String,
    },
    /// The standings and the seats as a page, and the rounds as a calendar, for any web server
    #[command(
        after_help = "Writes index.html and rounds.ics into the folder, each whole: a reader never gets half of one. Called \
                            again, such as once a minute, it replaces them.\nExample: tilelens tournament publish evening.tlg /var/www/evening"
    )]
    Publish {
        /// The ledger
        file: PathBuf,
        /// The folder, which is made where it is missing
        folder: PathBuf,
        /// The language of all but names
        #[arg(long, default_value = LANGUAGES[0], value_parser = PossibleValuesParser::new(LANGUAGES))]
        lang: String,
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
        /// A CSV file whose first line names the columns of a report
        #[arg(long, value_name = "FILE")]
        template: Option<PathBuf>,
    },
}

/// The reports that can be exported.
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
    /// The final standings as an association wants them: place, player number, name, country, points, or the
    /// columns of a template
    Report,
}

/// How the rounds are laid out when numbers are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SeatBy {
    /// As many as possible meet
    Meetings,
    /// Those of like places in the standings meet
    Standings,
}

/// How rounds are laid out after the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PairBy {
    /// Those of like places in the standings meet, and nobody again where that is possible
    Standings,
    /// By the standings, the first four at one table: the first begins as East, the fourth as North
    Final,
    /// A final table, and nobody else plays
    OnlyFinal,
    /// As many as possible meet: the rounds to come are laid out again
    Meetings,
}

/// Who is kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KeepApart {
    /// Of one club
    Club,
    /// Of one country
    Country,
    /// Nobody
    None,
}

impl KeepApart {
    fn groups(all: &[Self]) -> Vec<Group> {
        let group = |one: &Self| match one {
            Self::Club => Some(Group::Club),
            Self::Country => Some(Group::Country),
            Self::None => None,
        };
        all.iter().filter_map(group).collect()
    }
}

#[derive(Args)]
struct PairArgs {
    /// The ledger
    file: PathBuf,
    /// How
    #[arg(long, value_enum, default_value = "standings")]
    by: PairBy,
    /// The first round; the first of which nothing has begun where it is left out
    #[arg(long, short)]
    round: Option<usize>,
    /// How many rounds; one where it is left out, and by meetings all that are planned
    #[arg(long)]
    rounds: Option<usize>,
    /// Keep those of one club or country apart as far as can be, or none; as before where it is left out
    #[arg(long, value_enum, value_delimiter = ',')]
    apart: Option<Vec<KeepApart>>,
    /// Any text: the same seed lays out the same rounds
    #[arg(long)]
    seed: Option<String>,
    /// When the session starts, of rounds that were not planned before
    #[arg(long, value_name = "TIME")]
    start: Option<String>,
}

#[derive(Args)]
struct AboutArgs {
    /// The ledger
    file: PathBuf,
    /// Who: a player or a reserve
    player: String,
    /// The club
    #[arg(long)]
    club: Option<String>,
    /// The country
    #[arg(long)]
    country: Option<String>,
    /// The team
    #[arg(long)]
    team: Option<String>,
    /// The number in an association's list of players
    #[arg(long)]
    member: Option<String>,
    /// The table at which he always sits, 0 for none
    #[arg(long, value_name = "TABLE")]
    fixed_table: Option<u16>,
}

#[derive(Args)]
struct SeasonArgs {
    /// Ledgers, or CSV files as `export standings` and `export report` write them
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// What counts
    #[arg(long, value_enum, default_value = "places")]
    by: SeasonCount,
    /// Points for the first, the second, …: instead of --by
    #[arg(long, value_name = "POINTS,…", value_delimiter = ',', value_parser = parse_points, conflicts_with = "by")]
    scale: Option<Vec<Points>>,
    /// The number of each player's best results that count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    best: Option<u16>,
    /// How much a tournament counts in a rating; 1 where it is left out
    #[arg(long, value_name = "FILE=WEIGHT")]
    weight: Vec<String>,
    /// A tournament's last day, where its file does not say it
    #[arg(long, value_name = "FILE=DAY")]
    date: Vec<String>,
    /// The day of a rating; today where it is left out
    #[arg(long, value_name = "DAY")]
    on: Option<jiff::civil::Date>,
    /// CSV instead of text for people
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// How a season's results are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SeasonCount {
    /// Places: 1000 for the first, 0 for the last, the others evenly between them
    Places,
    /// The totals
    Points,
    /// Table points
    TablePoints,
    /// A rating, calculated as the European Mahjong Association's ranking
    Rating,
}

fn parse_points(text: &str) -> Result<Points, String> {
    text.parse().map_err(|error: crate::points::PointsError| error.to_string())
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
            let how = match how {
                SeatBy::Meetings => By::Meetings,
                SeatBy::Standings => By::Standings,
            };
            let asked = (*rounds, how, KeepApart::groups(apart));
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
        TournamentCommand::Clock { file, round, start, at, deals } => {
            let at = at.as_deref().map(moment).transpose()?.unwrap_or_else(Timestamp::now);
            if *start {
                entry::start(&mut out, by, file, (*round, at))?;
            } else {
                show::clock(&mut out, file, *round, (at, *deals))?;
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

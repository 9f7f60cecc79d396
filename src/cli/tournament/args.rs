//! What the commands of a tournament ask for: how rounds are laid out, who is kept apart, what a season counts, what is exported.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use jiff::{Timestamp, civil::Date};

use crate::{
    cli::circumstance_args::ruling,
    clock::ClockChange,
    points::{Points, PointsError},
    tournament::{By, Event, Group},
};

#[derive(Args)]
pub(super) struct NewTournamentArgs {
    /// The ledger: a file, or the address of a database
    pub file: PathBuf,
    /// The tournament's name
    #[arg(long)]
    pub name: String,
    /// The rule set to score hands with: the id of a preset, or a rule file
    #[arg(long, default_value = "chumchu")]
    pub rules: String,
    /// Decide a ruling, such as mmm.self_draw_share=east_half. Repeat the option for several rulings
    #[arg(long = "ruling", value_name = "ID=CHOICE", value_parser = ruling)]
    pub rulings: Vec<(String, String)>,
    /// Run the tournament as this rule set or rule file says: placement bonus and sessions (its `[tournament]`
    /// table), clock and penalties. The default is the rule set given by --rules, with chumchu for everything
    /// that it leaves open
    #[arg(long, value_name = "RULES")]
    pub like: Option<String>,
    /// The points with which each player begins a session. The rule set gives the default
    #[arg(long)]
    pub initial: Option<Points>,
}

/// What is done to a session's clock, if anything.
#[derive(Args)]
#[group(multiple = false)]
pub(super) struct ClockAct {
    /// Start the session
    #[arg(long)]
    pub start: bool,
    /// Stop the clock: nothing runs out meanwhile
    #[arg(long)]
    pub pause: bool,
    /// Let the clock go on
    #[arg(long)]
    pub resume: bool,
    /// Add minutes to the clock
    #[arg(long, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..))]
    pub add: Option<u32>,
}

impl ClockAct {
    /// The event of a round, or of one of its tables; a session starts at a time.
    pub fn event(&self, (round, table): (usize, Option<usize>), start: Timestamp) -> Option<Event> {
        let change = match self {
            Self { start: true, .. } => return Some(Event::Started { round, start }),
            Self { pause: true, .. } => ClockChange::Paused,
            Self { resume: true, .. } => ClockChange::Resumed,
            Self { add, .. } => ClockChange::Added((*add)?),
        };
        Some(Event::ClockChanged { round, table, change })
    }
}

/// The reports that can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Export {
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
pub(super) enum SeatBy {
    /// As many players as possible meet
    Meetings,
    /// Players of similar places in the standings meet
    Standings,
}

impl From<SeatBy> for By {
    fn from(by: SeatBy) -> Self {
        match by {
            SeatBy::Meetings => Self::Meetings,
            SeatBy::Standings => Self::Standings,
        }
    }
}

/// How rounds are laid out after the draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PairBy {
    /// Players of similar places in the standings meet, and nobody meets again if that is possible
    Standings,
    /// As with `standings`, but the first four sit at one table: the first begins as East, the fourth as North
    Final,
    /// Only the final table plays
    OnlyFinal,
    /// As many players as possible meet, and all coming rounds are laid out again
    Meetings,
}

/// Who is kept apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum KeepApart {
    /// Players of one club
    Club,
    /// Players of one country
    Country,
    /// Nobody
    None,
}

impl KeepApart {
    pub(super) fn groups(all: &[Self]) -> Vec<Group> {
        let group = |one: &Self| match one {
            Self::Club => Some(Group::Club),
            Self::Country => Some(Group::Country),
            Self::None => None,
        };
        all.iter().filter_map(group).collect()
    }
}

#[derive(Args)]
pub(super) struct PairArgs {
    /// The ledger: a file, or the address of a database
    pub file: PathBuf,
    /// The way in which the rounds are laid out
    #[arg(long, value_enum, default_value = "standings")]
    pub by: PairBy,
    /// The first round to lay out. The default is the first round of which nothing has begun
    #[arg(long, short)]
    pub round: Option<usize>,
    /// The number of rounds. The default is one; by meetings it is all planned rounds
    #[arg(long)]
    pub rounds: Option<usize>,
    /// Keep players of one club or country apart as far as possible. The default is the choice made before
    #[arg(long, value_enum, value_delimiter = ',')]
    pub apart: Option<Vec<KeepApart>>,
    /// Any text. The same seed lays out the same rounds
    #[arg(long)]
    pub seed: Option<String>,
    /// The time at which the session starts, for rounds that were not planned before
    #[arg(long, value_name = "TIME")]
    pub start: Option<String>,
}

#[derive(Args)]
pub(super) struct AboutArgs {
    /// The ledger: a file, or the address of a database
    pub file: PathBuf,
    /// The player or reserve
    pub player: String,
    /// The club
    #[arg(long)]
    pub club: Option<String>,
    /// The country
    #[arg(long)]
    pub country: Option<String>,
    /// The team
    #[arg(long)]
    pub team: Option<String>,
    /// The number in an association's list of players
    #[arg(long)]
    pub member: Option<String>,
    /// The number of the table at which the person always sits, or 0 for no fixed table
    #[arg(long, value_name = "TABLE")]
    pub fixed_table: Option<u16>,
}

#[derive(Args)]
pub(super) struct SeasonArgs {
    /// Ledgers, or CSV files as `export standings` and `export report` write them
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The results that are added up
    #[arg(long, value_enum, default_value = "places")]
    pub by: SeasonCount,
    /// The points for the first place, the second, and so on, instead of --by
    #[arg(long, value_name = "POINTS,…", value_delimiter = ',', value_parser = parse_points, conflicts_with = "by")]
    pub scale: Option<Vec<Points>>,
    /// The number of each player's best results that count
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub best: Option<u16>,
    /// The weight of a tournament in a rating. The default is 1
    #[arg(long, value_name = "FILE=WEIGHT")]
    pub weight: Vec<String>,
    /// The last day of a tournament, if its file does not give it
    #[arg(long, value_name = "FILE=DAY")]
    pub date: Vec<String>,
    /// The day for which the rating is calculated. The default is today
    #[arg(long, value_name = "DAY")]
    pub on: Option<Date>,
    /// Print CSV instead of text
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
}

/// How a season's results are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SeasonCount {
    /// Places: 1000 for the first, 0 for the last, the others evenly between them
    Places,
    /// The total points
    Points,
    /// Table points
    TablePoints,
    /// A rating, calculated as the European Mahjong Association's ranking
    Rating,
}

pub(super) fn parse_points(text: &str) -> Result<Points, String> {
    text.parse().map_err(|error: PointsError| error.to_string())
}

//! Why an event cannot be written, and the cure.

use thiserror::Error;

use super::{EnteredTwice, Number, Schedule, ScheduleError};
use crate::{
    cure::Cure,
    name::{Name, NameError},
    points::Points,
};

/// The most point penalties of one player, so that standings stay far from overflowing.
pub(super) const MOST_PENALTIES: u32 = 1000;

/// Why an event of a tournament cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TournamentError {
    /// The first event is no beginning, or a later one is.
    #[error("a tournament begins once, with its first event")]
    NotBegun,
    /// The tournament's name is missing.
    #[error("the tournament has no name")]
    NoName,
    /// A number is missing or occurs twice in the log.
    #[error("event {0} is out of order")]
    OutOfOrder(u64),
    /// The rule set is not known, or its file is wrong.
    #[error("{0}")]
    Rules(String),
    /// An invalid name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Names that are too similar.
    #[error(transparent)]
    EnteredTwice(#[from] EnteredTwice),
    /// A new player where the rules know no minimum of his own.
    #[error(
        "{player} is entered as a new player, but {rules} knows no minimum of a new player's own: leave the column `new` empty"
    )]
    NoHandicap {
        /// The person.
        player: Name,
        /// The rule set.
        rules: String,
    },
    /// Players after the draw.
    #[error(
        "{0} cannot be entered as a player after the draw by a list: let him join (tilelens tournament join), or undo the seating first"
    )]
    AfterDraw(Name),
    /// Seats drawn twice.
    #[error("players are seated already: undo the seating first")]
    SeatedAlready,
    /// Too few players.
    #[error("{0} players: a tournament needs at least four, import them first")]
    TooFew(usize),
    /// Too many players.
    #[error("{0} players: at most {most} can be seated", most = Schedule::MOST_SEATS)]
    TooMany(usize),
    /// Numbers that differ from the draw of the seed.
    #[error("the numbers are not those that the seed `{0}` draws")]
    Draw(String),
    /// Tables for another number of players.
    #[error("the schedule has {seats} seats for {players} players")]
    Seats {
        /// The seats of the schedule.
        seats: u16,
        /// The players of the roster.
        players: usize,
    },
    /// Rounds in which not everybody who plays sits once.
    #[error("round {round}: number {number} does not sit exactly once")]
    NotOnce {
        /// The round, from 1.
        round: usize,
        /// The player's number.
        number: Number,
    },
    /// Rounds that cannot be laid out.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// Somebody who has no seat in a round.
    #[error("number {number} has no seat in round {round}: the round was laid out without")]
    NoSeat {
        /// The player's number.
        number: Number,
        /// The round.
        round: usize,
    },
    /// Rounds that cannot follow.
    #[error(
        "round {round} cannot be laid out: the rounds before it are not, the next is round {next}"
    )]
    NotNext {
        /// The one concerned.
        round: usize,
        /// The first that is not laid out.
        next: usize,
    },
    /// A table that is not there.
    #[error(
        "{player} always sits at table {table}, and there are {tables} tables: tilelens tournament about says another table"
    )]
    FixedTable {
        /// The person.
        player: Name,
        /// His table.
        table: u16,
        /// The number or list of those that exist.
        tables: usize,
    },
    /// More than four at a table.
    #[error("{players} players always sit at table {table}: a table has four seats")]
    FixedTogether {
        /// The table.
        table: u16,
        /// The number of players.
        players: usize,
    },
    /// A final table that cannot be.
    #[error("no table for the final: {} always sit at different tables", named(.0))]
    FinalTables(Vec<Name>),
    /// Too few for a final table.
    #[error("a final table needs four players in the standings, and there are {0}")]
    NoFinal(usize),
    /// Nothing was played yet.
    #[error("there are no results yet to lay rounds out by")]
    NoStandings,
    /// A start for some of the rounds.
    #[error("{starts} starting times for {rounds} rounds: expected one for each, rising")]
    Starts {
        /// The number given.
        starts: usize,
        /// The number expected.
        rounds: usize,
    },
    /// Nothing drawn yet.
    #[error(
        "players are not seated yet: `tilelens tournament seat` lays out rounds and draws lots"
    )]
    NotSeated,
    /// No such round.
    #[error("there is no round {round}: the tournament has {rounds}")]
    NoRound {
        /// The one that was asked for.
        round: usize,
        /// The number or list of those that exist.
        rounds: usize,
    },
    /// No such table.
    #[error("there is no table {table}: round {round} has {tables}")]
    NoTable {
        /// The one that was asked for.
        table: usize,
        /// The round.
        round: usize,
        /// The number or list of those that exist.
        tables: usize,
    },
    /// Started twice.
    #[error("round {0} has started already: undo that first")]
    StartedAlready(usize),
    /// A clock that does not run yet.
    #[error("the clock of round {0} has not been started")]
    ClockNotStarted(usize),
    /// A clock that stands, or runs, already.
    #[error("the clock of round {round} {} already", if *.stands { "stands" } else { "runs" })]
    ClockIsSo {
        /// The round.
        round: usize,
        /// Whether it stands.
        stands: bool,
    },
    /// No minutes to add.
    #[error("say how many minutes the clock gets")]
    NoMinutes,
    /// Entered twice.
    #[error("table {table} has a result for round {round}: undo that first to correct it")]
    ResultAlready {
        /// The round.
        round: usize,
        /// The one concerned.
        table: usize,
    },
    /// A session that is over.
    #[error(
        "{player} has a result in round {round}, at table {table}: {}, or name a later round",
        result_first(*.number)
    )]
    PlayedAlready {
        /// The person.
        player: Name,
        /// The round.
        round: usize,
        /// The table.
        table: usize,
        /// Its number in the ledger, where it was played there.
        number: Option<u32>,
    },
    /// An undo after which a session would count for somebody else.
    #[error(
        "table {table} of round {round} has a result, and it would count {player} otherwise than it was played: {}, then this, then enter it again",
        result_first(*.number)
    )]
    WouldChange {
        /// The player whose session it is, or would be.
        player: Name,
        /// The round.
        round: usize,
        /// The table.
        table: usize,
        /// Its number in the ledger, where it was played there.
        number: Option<u32>,
    },
    /// A result on paper that does not say how often new players have won.
    #[error(
        "how often did {} win at table {table} of round {round}? A new player's minimum rises with every win",
        named(.names)
    )]
    Wins {
        /// The new players.
        names: Vec<Name>,
        /// The round.
        round: usize,
        /// The table.
        table: usize,
    },
    /// A result on paper for a table whose totals in the same file count.
    #[error(
        "table {table} of round {round} is table {number} of this file, and its totals count: end its session there"
    )]
    InTheLedger {
        /// The round.
        round: usize,
        /// The table.
        table: usize,
        /// Its number in the file.
        number: u32,
    },
    /// Tables of the file depend on the seating.
    #[error("tables of this file depend on the seating, such as table {0}: it stays")]
    TablesOpen(u32),
    /// A round of which no table is open.
    #[error("no table of round {0} is open")]
    NotOpen(usize),
    /// A round that cannot be closed again.
    #[error(
        "round {round} cannot be closed again: something has happened at {} (a deal, a penalty, a result); take that back first",
        at_tables(.tables)
    )]
    RoundPlayed {
        /// The round.
        round: usize,
        /// The tables at which something has happened.
        tables: Vec<usize>,
    },
    /// A table that has a result from paper already.
    #[error("table {table} of round {round} has a result from paper: undo that first")]
    OnPaper {
        /// The round.
        round: usize,
        /// The table.
        table: usize,
    },
    /// Points that do not add up.
    #[error(
        "the four scores add up to {sum}, not {expected}: together {} too {}, look at the score \
         sheet{}",
        off.abs(),
        if *off > Points::ZERO { "high" } else { "low" },
        if *may_be_taken { ", or say what penalties took from the table" } else { "" }
    )]
    Sum {
        /// The sum of the four scores.
        sum: Points,
        /// Four times the starting points.
        expected: Points,
        /// The difference.
        off: Points,
        /// Whether penalties may have taken it from the table's score.
        may_be_taken: bool,
    },
    /// A negative amount taken from a table.
    #[error("{0} taken from the table: expected what penalties or lost sticks took, 0 or more")]
    Taken(Points),
    /// A penalty without its amount.
    #[error("the rules set no cost for `{cause}`")]
    Cost {
        /// The cause.
        cause: String,
    },
    /// Nobody of that name plays.
    #[error("{0} is no player of this tournament")]
    NoPlayer(Name),
    /// A round that has begun, and cannot be laid out again.
    #[error("round {round} has begun: who joins now plays from round {open} on, if there is one")]
    RoundBegun {
        /// The one concerned.
        round: usize,
        /// The first round of which nothing has begun.
        open: usize,
    },
    /// Nobody of that name was entered.
    #[error("nobody is called {0}")]
    Nobody(Name),
    /// No reserve has that name.
    #[error("{0} is no reserve of this tournament: import reserves with `reserve` = yes")]
    NoReserve(Name),
    /// A seat on which somebody sits.
    #[error(
        "{player} sits on the seat of number {number} in round {round}: say first that he is absent (tilelens tournament late)"
    )]
    SeatTaken {
        /// The person.
        player: Name,
        /// The seat's number.
        number: Number,
        /// The round.
        round: usize,
    },
    /// A seat that has its reserve.
    #[error(
        "{reserve} plays on the seat of number {number} in round {round} already: undo that first"
    )]
    ReserveNamed {
        /// The person.
        reserve: Name,
        /// The seat's number.
        number: Number,
        /// The round.
        round: usize,
    },
    /// A number that the schedule does not have.
    #[error("there is no number {number}: the schedule has {seats}")]
    NoNumber {
        /// The one that was asked for.
        number: Number,
        /// The number or list of those that exist.
        seats: u16,
    },
    /// One reserve at two tables.
    #[error("{reserve} plays on the seat of number {number} in round {round} already")]
    ReserveTaken {
        /// The person.
        reserve: Name,
        /// The number of the seat.
        number: Number,
        /// The round.
        round: usize,
    },
    /// Not late yet.
    #[error("{player} has {minutes} min left to appear in round {round}")]
    NotLateYet {
        /// The person.
        player: Name,
        /// The round.
        round: usize,
        /// Whole or begun minutes.
        minutes: i64,
    },
    /// Absent twice.
    #[error("{player} is absent in round {round} already")]
    AbsentAlready {
        /// The person.
        player: Name,
        /// The round.
        round: usize,
    },
    /// A disqualified player cannot be absent, penalised or disqualified again.
    #[error("{0} is disqualified")]
    Disqualified(Name),
    /// A cause that the format does not have.
    #[error("no cause `{cause}`: {}", if .known.is_empty() { "the rules name no causes".to_owned() } else { format!("the rules have {known}") })]
    NoCause {
        /// The one that was asked for.
        cause: String,
        /// The number or list of those that exist.
        known: String,
    },
    /// No penalty, or more than a player can get.
    #[error("{0} point penalties: expected 1 to {MOST_PENALTIES} for one player in all")]
    Penalties(u32),
    /// No such event.
    #[error("there is no event {0} to undo")]
    NoEvent(u64),
    /// Undone twice.
    #[error("event {0} is undone already")]
    UndoneAlready(u64),
    /// The first event.
    #[error("the beginning cannot be undone: delete the file instead")]
    UndoBeginning,
    /// Later events depend on it.
    #[error("event {undone} cannot be undone: event {later} builds on it ({why})")]
    BuiltOn {
        /// The event to undo.
        undone: u64,
        /// The first event that would become invalid.
        later: u64,
        /// The reason.
        why: Box<TournamentError>,
    },
}

impl TournamentError {
    /// The remedy, where a front end offers one.
    pub fn cure(&self) -> Option<Cure> {
        Some(match self {
            Self::NoStandings => Cure::ByMeetings,
            Self::Wins { names, .. } => Cure::Wins(names.first()?.clone()),
            Self::Sum { may_be_taken: true, .. } => Cure::Taken,
            Self::Cost { .. } => Cure::Cost,
            Self::NoCause { known, .. } if known.is_empty() => Cure::Cost,
            Self::InTheLedger { .. } => Cure::EndSession,
            Self::PlayedAlready { number, .. } | Self::WouldChange { number, .. } => {
                Cure::UndoAtTable((*number)?)
            }
            _ => return None,
        })
    }
}

/// The thing to undo so that a table has no result.
const fn result_first(number: Option<u32>) -> &'static str {
    match number {
        Some(_) => "undo what ended its session first",
        None => "undo the result first",
    }
}

/// Tables of a round by their numbers: "table 3", "tables 1, 2 and 5".
fn at_tables(tables: &[usize]) -> String {
    let numbers: Vec<String> = tables.iter().map(usize::to_string).collect();
    match numbers.split_last() {
        Some((last, [])) => format!("table {last}"),
        Some((last, others)) => format!("tables {} and {last}", others.join(", ")),
        None => String::new(),
    }
}

fn named(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(Name::as_str).collect();
    names.join(" and ")
}

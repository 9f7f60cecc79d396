//! Why something cannot be written down, or a log cannot be replayed.

use jiff::Timestamp;
use thiserror::Error;

use super::{ConfirmationRequest, Question, TileWas};
use crate::{
    cure::Cure,
    name::{Name, NameError},
    points::Points,
    rules::{DealError, ScoreError, WorthError},
    tile::Face,
};

/// Why an event is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// Nothing can happen before the table is opened.
    #[error("there is no such table yet: open it first (tilelens table new)")]
    NotOpened,
    /// The event that opened the table was lost to damage.
    #[error(
        "what opened table {table} was lost to damage: open it again with `tilelens table new FILE --table {table}`, its rules and players as they were; what came after it counts then"
    )]
    OpeningLost {
        /// The table.
        table: u32,
    },
    /// A table is opened once.
    #[error("event {seq} opens a table that is open already: use another table number")]
    OpenedTwice {
        /// The event.
        seq: u64,
    },
    /// A number is missing or occurs twice in a log.
    #[error("event {seq} is out of order")]
    OutOfOrder {
        /// The event.
        seq: u64,
    },
    /// The rule set is not known, or its file is wrong.
    #[error("{0}")]
    Rules(String),
    /// A number of players that the rule set does not have.
    #[error("{seated} players: {rules} is played by {played_by}")]
    Players {
        /// The rule set.
        rules: String,
        /// The numbers of players that it has.
        played_by: &'static str,
        /// The number of players.
        seated: usize,
    },
    /// An invalid name.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Two players have the same name.
    #[error("two players are called {0}: names have to differ, add a letter to one of them")]
    Twins(Name),
    /// Nobody has that number.
    #[error("there is no player {player}: the {seated} at the table are 0 to {}", .seated - 1)]
    NoPlayer {
        /// The number.
        player: usize,
        /// The number of players at the table.
        seated: usize,
    },
    /// An event that lacks a required part.
    #[error("the event lacks {0}")]
    Shape(&'static str),
    /// A text that is not a list of tiles.
    #[error("`{0}` is not a list of tiles: expected codes such as 5p or 1m9m")]
    Tile(String),
    /// The hand is not legal.
    #[error("no legal hand: {0}")]
    Hand(String),
    /// It does not win.
    #[error(transparent)]
    NoWin(#[from] ScoreError),
    /// A value that no hand won this way can have.
    #[error(transparent)]
    Worth(#[from] WorthError),
    /// A claim without its giver.
    #[error("who gave the winning tile? a claimed tile comes from another player")]
    NoGiver,
    /// A giver with a self-draw.
    #[error("a self-drawn tile comes from nobody")]
    FromSelfDraw,
    /// The winner is also named as the giver.
    #[error("a winner cannot claim his own tile")]
    FromSelf,
    /// A win that the rules forbid for earlier discards.
    #[error(
        "{name} may not win on {}: {}; a self-draw is allowed",
        .tile.map_or_else(|| "that tile".to_owned(), |tile| tile.to_string()),
        match .was { TileWas::Own => "he has discarded one himself in this deal", _ => "one has been discarded since his last turn" }
    )]
    Forbidden {
        /// The winner.
        name: Name,
        /// The tile, where the hand says it.
        tile: Option<Face>,
        /// The history of the tile that forbids the win.
        was: TileWas,
    },
    /// The discards are not known well enough.
    #[error(
        "not known: {}",
        question_text(*.question, .name, *.tile)
    )]
    Ask {
        /// The winner.
        name: Name,
        /// The tile.
        tile: Face,
        /// The open question.
        question: Question,
    },
    /// The answer contradicts the entered discards.
    #[error(
        "{name}'s {tile} is said to be {said:?}, but by the discards that were entered it is {known:?}: correct one of them"
    )]
    Contradicted {
        /// The winner.
        name: Name,
        /// The tile.
        tile: Face,
        /// The history given by the person.
        said: TileWas,
        /// The history that the discards show.
        known: TileWas,
    },
    /// A winner who cannot win in this deal.
    #[error("{name} cannot win: {why}")]
    Barred {
        /// The player.
        name: Name,
        /// The reason.
        why: String,
    },
    /// More winners than the rules have.
    #[error("{rules}: {}", match .first {
        Some(first) => format!("of several only the next in turn after who gave the tile wins, and that is {first}"),
        None => format!("no more than {most} win on one tile: where more claim it the deal is drawn"),
    })]
    TooManyWinners {
        /// The rule set.
        rules: String,
        /// The largest number of winners.
        most: u8,
        /// The winner, where only one may win.
        first: Option<Name>,
    },
    /// What the others' hands are worth is not known.
    #[error(
        "what did {} have? every hand is scored: give each hand, or its worth",
        .0.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" and ")
    )]
    AskOthers(Vec<Name>),
    /// What the players had who had not won when the wall ran out is not known, or it is said of others.
    #[error("{}", end_text(.0))]
    AskEnd(Vec<Name>),
    /// A deal that goes on after a win, as the rules refuse it.
    #[error("{}: {why}", .name.as_ref().map_or("at the end", |name| name.as_str()))]
    InDeal {
        /// Whose win or kong it is; `None`: a hand at the end.
        name: Option<Name>,
        /// The reason.
        why: Box<DealError>,
    },
    /// A player who has not won has one hand, and the winner's is said apart.
    #[error("{0}'s hand is said twice")]
    OtherTwice(Name),
    /// Whether hands were tenpai is not known.
    #[error("who was tenpai in the draw?")]
    AskTenpai,
    /// A dead hand is not tenpai.
    #[error("{name} is not tenpai: a dead hand ({why})")]
    DeadTenpai {
        /// The player.
        name: Name,
        /// Why it is dead.
        why: String,
    },
    /// A deal that ended before the wall did is not paid for.
    #[error(
        "an abortive draw pays nothing: leave out who was tenpai, and whose discards they were"
    )]
    PaidAbortive,
    /// A player who cannot pay for a stick.
    #[error("{name} has {total} and cannot put down a stick of {stick}")]
    ShortOfPoints {
        /// The player.
        name: Name,
        /// His points.
        total: Points,
        /// The value of a stick.
        stick: u32,
    },
    /// A text that is not a list of indicators.
    #[error("{0}")]
    Indicators(String),
    /// A penalty without its amount.
    #[error("{rules} sets no cost for that")]
    Cost {
        /// The rule set.
        rules: String,
    },
    /// Winners that contradict each other.
    #[error("{0}")]
    Winners(&'static str),
    /// Payments that do not add up to zero.
    #[error("the payments add up to {sum}: what some receive others pay")]
    NotZero {
        /// Their sum.
        sum: Points,
    },
    /// A payment too large to be exact.
    #[error("the payment is too large to be kept exactly")]
    TooLarge,
    /// Both a hand and a worth.
    #[error("say either the hand or what it is worth: a hand says its worth itself")]
    HandAndWorth,
    /// Both hands and payments.
    #[error("say of every winner his hand or its worth, or say the payments, and not both")]
    HandsAndPayments,
    /// A player who did not win receives points.
    #[error(
        "{name} has not won the deal and would receive {paid}: what was said is not what was paid"
    )]
    Receives {
        /// The player.
        name: Name,
        /// The amount.
        paid: Points,
    },
    /// The only winner pays.
    #[error(
        "{name} has won the deal alone and would pay {paid}: what was said is not what was paid"
    )]
    WinnerPays {
        /// The player.
        name: Name,
        /// The amount.
        paid: Points,
    },
    /// A clock that was started before.
    #[error("the clock was started at {started} already: undo that first")]
    ClockRuns {
        /// The time of the start.
        started: Timestamp,
    },
    /// A clock that was not started.
    #[error("the clock was not started")]
    NoClock,
    /// An impossible time.
    #[error(
        "it cannot have been at {said}: {}",
        .last.map_or_else(|| "that is still to come".to_owned(), |last| format!("the last deal was at {last}, and nothing is played in the future"))
    )]
    NotThen {
        /// The given text or time.
        said: Timestamp,
        /// The last deal's time.
        last: Option<Timestamp>,
    },
    /// Nothing more is played.
    #[error("the session is over: {why}. Undo what ended it to go on, or open another table")]
    Over {
        /// The reason.
        why: String,
    },
    /// The clock ran out, and nothing may be finished.
    #[error("the clock has run out: nothing more may be played")]
    Time,
    /// A deal that was begun after the clock ran out.
    #[error(
        "its dice were rolled at {rolled}, and the clock had run out at {ends}: no deal is started then. If they were rolled before, say when"
    )]
    NotStarted {
        /// The given time of the dice.
        rolled: Timestamp,
        /// The time at which the clock ran out.
        ends: Timestamp,
    },
    /// A cause that the rule set does not have.
    #[error("{rules} knows no {what} `{cause}`: {}", known_causes(.known))]
    Cause {
        /// The rule set.
        rules: String,
        /// The kind of event: penalty, dead hand ...
        what: &'static str,
        /// The given text or time.
        cause: String,
        /// The causes that exist.
        known: Vec<String>,
    },
    /// A chombo without its payments.
    #[error(
        "{rules} knows no chombo: enter a penalty or a dead hand, or say what everybody received and paid"
    )]
    ChomboUnpaid {
        /// The rule set.
        rules: String,
    },
    /// Something that the rule set does not have.
    #[error("{rules} knows no {what}{hint}")]
    Unknown {
        /// The rule set.
        rules: String,
        /// The thing that is not in the rules.
        what: &'static str,
        /// The alternative.
        hint: &'static str,
    },
    /// No event with that number counts.
    #[error("there is no event {0} that could be taken back or corrected")]
    NoEvent(u64),
    /// A correction that is another kind of thing.
    #[error(
        "event {event} is no {with}: a deal or draw is corrected by a deal or draw, anything else by its like"
    )]
    OtherKind {
        /// The event.
        event: u64,
        /// The kind of the correction.
        with: &'static str,
    },
    /// The rule set cannot be exchanged in the middle.
    #[error(
        "the rule set, its rulings and the number of players stay as they were when the table was opened"
    )]
    RulesChanged,
    /// The payments differ from those that the author was shown.
    #[error(
        "the table counts this hand otherwise than the page (a safe tile, a minimum of his own): say on the page what \
         was different, or enter it with `tilelens table deal`"
    )]
    PaidOtherwise,
    /// The author has to confirm the entry first.
    #[error("{0}")]
    Unconfirmed(Box<ConfirmationRequest>),
}

impl TableError {
    /// Whether the rules refuse the event itself, rather than a mistake in its entry:
    /// the hand does not win, may not win, or nothing more is played.
    pub fn is_an_answer(&self) -> bool {
        matches!(
            self,
            Self::NoWin(ScoreError::NoWin(_))
                | Self::Worth(WorthError::NoWin(_))
                | Self::Forbidden { .. }
                | Self::Barred { .. }
                | Self::TooManyWinners { .. }
                | Self::ShortOfPoints { .. }
                | Self::DeadTenpai { .. }
                | Self::Over { .. }
                | Self::Time
                | Self::NotStarted { .. }
        ) || matches!(self, Self::InDeal { why, .. } if matches!(**why, DealError::Score(ScoreError::NoWin(_))))
    }
}

impl TableError {
    /// The remedy, where a front end offers one.
    pub fn cure(&self) -> Option<Cure> {
        Some(match self {
            Self::Ask { .. } => Cure::TileWas,
            Self::TooManyWinners { first: None, .. } => Cure::AbortiveDraw,
            Self::AskTenpai => Cure::Tenpai,
            Self::AskEnd(_) => Cure::WholeDeal,
            Self::Cost { .. } => Cure::Cost,
            Self::NoEvent(_) => Cure::ListEvents,
            Self::ChomboUnpaid { .. } | Self::Worth(WorthError::PartUnknown) => Cure::Payments,
            _ => return None,
        })
    }
}

fn question_text(question: Question, name: &Name, tile: Face) -> String {
    match question {
        Question::OwnOrPassed => format!(
            "has {name} discarded a {tile} himself in this deal, or has anyone since his last turn?"
        ),
        Question::Passed => format!("has anyone discarded a {tile} since {name}'s last turn?"),
        Question::LastIsAnother => format!(
            "the last discard that was entered is not the {tile} that was won on, so some are missing. Has {name} discarded a {tile}, or has anyone since his last turn?"
        ),
    }
}

fn end_text(names: &[Name]) -> String {
    let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    match names.is_empty() {
        true => {
            "the deal was over before the wall ran out: leave out what players had then".to_owned()
        }
        false => format!(
            "what did {} have when the wall ran out? give of each, and of nobody else, his hand, or that he is ready \
             with its worth, not ready, or a pig",
            names.join(" and ")
        ),
    }
}

fn known_causes(known: &[String]) -> String {
    if known.is_empty() {
        "it has none".to_owned()
    } else {
        format!("expected {}", known.join(", "))
    }
}

//! Whole games of riichi as other programs log them, read to their deals: who won with which hand and how, or how the
//! deal ended without a winner, and what everybody's points changed by. The tiles of all four players have to be in the
//! log, since hands are followed from the deal on.

mod majiang;
mod mjai;
mod play;
mod tenhou;

use serde_json::{Value, value::Index};
use thiserror::Error;

use super::ConvertError;
use crate::{
    hand::Reading,
    rules::Facts,
    tile::{Seat, Tile},
};

/// Players of a game; logs of three are not read.
pub const PLAYERS: usize = 4;
/// The price of a stick, which the logs count apart from the payments.
const STICK: i64 = 1000;

/// A game that was logged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameLog {
    /// The players, from the first dealer on; empty where the log has no names.
    pub names: Vec<String>,
    /// The deals in their order.
    pub deals: Vec<LoggedDeal>,
}

/// A deal of a log. Players are given by their place among [`GameLog::names`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedDeal {
    /// Where the log ends it, for messages.
    pub at: String,
    /// The wind of the round.
    pub round: Seat,
    /// The dealer.
    pub dealer: usize,
    /// Counters on the table.
    pub honba: u32,
    /// Sticks that earlier deals have left.
    pub sticks: u32,
    /// Those who put down a stick.
    pub riichi: Vec<usize>,
    /// How it ended.
    pub end: LoggedEnd,
    /// By how much everybody's points changed, sticks put down and won included.
    pub changes: [i64; PLAYERS],
}

/// The end of a logged deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoggedEnd {
    /// By one winner, or several on one tile.
    Won(Vec<LoggedWin>),
    /// Without a winner.
    Drawn {
        /// Who was ready, after an exhausted wall.
        tenpai: Option<Vec<usize>>,
        /// Why it ended before the wall did, by the name that rule files have for it.
        abortive: Option<&'static str>,
        /// Whose discards were terminals and honors alone.
        nagashi: Vec<usize>,
    },
}

/// A winner of a logged deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoggedWin {
    /// The winner.
    pub player: usize,
    /// Who gave the tile; `None` for a self-draw.
    pub from: Option<usize>,
    /// The tile was added to a pung.
    pub robbed: bool,
    /// The hand with its winning tile.
    pub hand: Reading,
    /// What was so when it won.
    pub facts: Facts,
    /// The dora indicators that were turned.
    pub dora: Vec<Tile>,
    /// Those below them, where the winner had declared riichi.
    pub ura: Vec<Tile>,
}

/// Why a log is not read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{at}: {problem}")]
pub struct LogError {
    /// The line, the deal or the event.
    pub at: String,
    /// The problem.
    pub problem: String,
}

impl LogError {
    fn new(at: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { at: at.into(), problem: problem.into() }
    }
}

impl GameLog {
    /// Reads a log: mjai events (a JSON object a line, or a list of them), the JSON of tenhou.net/6, or Majiang's JSON.
    ///
    /// # Errors
    /// [`LogError`] with the place, where the text is no such log, or plays what the tiles do not allow.
    ///
    /// ```
    /// use tilelens_scoring::convert::log::GameLog;
    ///
    /// let error = GameLog::read("{\"type\":\"start_game\"}\n{\"type\":\"tsumo\",\"actor\":0,\"pai\":\"1m\"}").unwrap_err();
    /// assert_eq!(error.to_string(), "line 2: a tsumo before start_kyoku");
    /// ```
    pub fn read(text: &str) -> Result<Self, LogError> {
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.starts_with('<') {
            let problem = "Tenhou's XML is not read: give the JSON that tenhou.net/6 shows";
            return Err(LogError::new("line 1", problem));
        }
        let mut log = match serde_json::from_str::<Value>(text) {
            Ok(Value::Object(game)) if game.contains_key("qijia") => majiang::read(&game)?,
            Ok(Value::Object(game)) if game.contains_key("log") => tenhou::read(&game)?,
            Ok(Value::Array(events)) => mjai::read(
                events
                    .into_iter()
                    .enumerate()
                    .map(|(place, event)| (format!("event {}", place + 1), Ok(event))),
            )?,
            _ => mjai::read(
                text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).map(
                    |(place, line)| (format!("line {}", place + 1), serde_json::from_str(line)),
                ),
            )?,
        };
        if log.deals.is_empty() {
            return Err(LogError::new("line 1", "no deal that was played to its end"));
        }
        log.see_who_was_ready();
        Ok(log)
    }

    /// Says who was ready after an exhausted wall where the payments do not: all or nobody where nothing was paid, the dealer
    /// where discards were paid for. The dealer stays where he was ready, and whoever has declared riichi was.
    fn see_who_was_ready(&mut self) {
        let next = self.deals.iter().skip(1).map(|next| Some(next.dealer)).chain([None]);
        let next: Vec<Option<usize>> = next.collect();
        for (deal, next) in self.deals.iter_mut().zip(next) {
            let LoggedEnd::Drawn { tenpai: tenpai @ None, abortive: None, nagashi } = &mut deal.end
            else {
                continue;
            };
            let stays = next == Some(deal.dealer);
            let mut ready = deal.riichi.clone();
            if nagashi.is_empty() && (stays || !ready.is_empty()) {
                ready = (0..PLAYERS).collect();
            } else if stays && !ready.contains(&deal.dealer) {
                ready.push(deal.dealer);
            }
            *tenpai = Some(ready);
        }
    }
}

/// The largest payment that is read; no rules come near it.
const MOST: i64 = 1_000_000_000;

/// Four payments of a list.
fn four(list: &Value) -> Option<[i64; PLAYERS]> {
    let payment = |paid: &Value| paid.as_i64().filter(|paid| (-MOST..=MOST).contains(paid));
    let paid: Vec<i64> = list.as_array()?.iter().map(payment).collect::<Option<_>>()?;
    paid.try_into().ok()
}

/// A number of a list or an object, such as a count of counters.
fn count(of: &Value, at: impl Index) -> Option<u32> {
    of.get(at)?.as_u64()?.try_into().ok()
}

/// A problem with a tile or a set, without the name of the format of hands in which it is read.
fn said(error: ConvertError) -> String {
    match error {
        ConvertError::Text { problem, .. } => problem,
        other => other.to_string(),
    }
}

/// The wind of a round by its number.
fn wind(round: u64) -> Option<Seat> {
    Seat::ALL.get(usize::try_from(round).ok()?).copied()
}

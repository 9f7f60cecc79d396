//! Whole games as other programs log them, read to a [`Record`], and written from one: mjai events, Tenhou's JSON and XML,
//! Majiang's JSON, and our own lines. [`GameLog`] is what a table enters of a record: who won with which hand and how, or how
//! the deal ended without a winner, and what everybody's points changed by.

mod building;
mod majiang;
mod mend;
mod mjai;
mod play;
mod tenhou;
mod tenhou_writer;
mod tenhou_xml;
mod written;

use serde_json::{Value, value::Index};
use thiserror::Error;

use self::{building::Building, play::Play};
pub use self::{
    mend::{MendError, Mended, Mending, mended},
    written::{LogFormat, LogFormatError},
};
use super::ConvertError;
use crate::{
    hand::Reading,
    record::{Event, MOST_PAID, NoWin, Record},
    rules::Facts,
    tile::{Seat, SeenFace, Tile},
};

/// Players of a game of riichi; logs of three are not read.
pub const PLAYERS: usize = 4;
/// The price of a stick, which the logs count apart from the payments.
const STICK: i64 = 1000;

/// A game of riichi that was logged.
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
    /// By how much everybody's points changed, sticks put down and won included; `None` where the log does not say.
    pub changes: Option<[i64; PLAYERS]>,
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

/// Why a log is not read or written.
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

/// Reads a log: mjai events (a JSON object a line, or a list of them), Tenhou's XML, the JSON of tenhou.net/6, Majiang's
/// JSON, or our own record.
///
/// # Errors
/// [`LogError`] with the place, where the text is no such log, or plays what the tiles do not allow.
///
/// ```
/// use tilelens_scoring::convert::log::read;
///
/// let error = read("{\"type\":\"start_game\"}\n{\"type\":\"tsumo\",\"actor\":0,\"pai\":\"1m\"}").unwrap_err();
/// assert_eq!(error.to_string(), "line 2: a tsumo before start_kyoku");
/// ```
pub fn read(text: &str) -> Result<Record, LogError> {
    let text = text.trim_start_matches('\u{feff}');
    if text.trim_start().starts_with('<') {
        return tenhou_xml::read(text);
    }
    match serde_json::from_str::<Value>(text) {
        Ok(Value::Object(game)) if game.contains_key("qijia") => majiang::read(&game),
        Ok(Value::Object(game)) if game.contains_key("log") => tenhou::read(&game),
        Ok(Value::Array(events)) => mjai::read(
            events
                .into_iter()
                .enumerate()
                .map(|(place, event)| (format!("event {}", place + 1), Ok(event))),
        ),
        _ => {
            let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
            let lines = lines.map(|(place, line)| (format!("line {}", place + 1), line));
            let is_own = |(_, line): &(String, &str)| {
                serde_json::from_str::<Value>(line).is_ok_and(|event| event["type"] == "game")
            };
            if lines.clone().next().as_ref().is_some_and(is_own) {
                return read_own(text);
            }
            mjai::read(lines.map(|(at, line)| (at, serde_json::from_str(line))))
        }
    }
}

/// Reads our own record alone, as [`read`] does.
///
/// # Errors
/// [`LogError`] with the line, where it is another log or damaged.
pub fn read_own(text: &str) -> Result<Record, LogError> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    Building::of_lines(&mut lines.map(|(place, line)| (format!("line {}", place + 1), line)))
}

impl GameLog {
    /// Reads a log as [`read`] does, and the deals of riichi that it has.
    ///
    /// # Errors
    /// [`LogError`] with the place, where the text is no log of riichi for four.
    pub fn read(text: &str) -> Result<Self, LogError> {
        Self::of(&read(text)?)
    }

    /// The deals of a record of riichi for four.
    ///
    /// # Errors
    /// [`LogError`] with the place, where it is another game, or is cut off.
    pub fn of(record: &Record) -> Result<Self, LogError> {
        let mut log = Self::default();
        let mut playing: Option<Play> = None;
        let record = record.corrected();
        let cut_off = "the deal before does not end: the log is cut off";
        for (event, at) in record.events.iter().zip(&record.places) {
            let wrong = |problem: String| LogError::new(at, problem);
            match (event, &mut playing) {
                (Event::Game { players }, None) => log.names.clone_from(players),
                (Event::Deal(begins), None) => playing = Some(Play::of(begins).map_err(wrong)?),
                (Event::Game { .. } | Event::Deal(_), Some(_)) => {
                    return Err(wrong(cut_off.into()));
                }
                (Event::End, Some(_)) => {
                    let ended = playing.take().map(|play| play.ended(at)).transpose();
                    log.deals.extend(ended.map_err(wrong)?);
                }
                (event, Some(play)) => play.take(event).map_err(wrong)?,
                (_, None) => return Err(wrong("no deal has begun".to_owned())),
            }
        }
        if playing.is_some() {
            return Err(LogError::new("the end", cut_off));
        }
        if log.deals.is_empty() {
            return Err(LogError::new("line 1", "no deal that was played to its end"));
        }
        log.see_who_was_ready();
        Ok(log)
    }

    /// Whether it has the payments of every deal. Those of a camera's record are not known, nor by which rules it was played.
    pub fn has_payments(&self) -> bool {
        self.deals.iter().all(|deal| deal.changes.is_some())
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

/// The players' names of a log's list, as many as play.
fn names(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let named = |player: usize| list.get(player).and_then(Value::as_str).unwrap_or_default();
    (0..PLAYERS).map(|player| named(player).to_owned()).collect()
}

/// Four payments of a list.
fn four(list: &Value) -> Option<Vec<i64>> {
    let payment =
        |paid: &Value| paid.as_i64().filter(|paid| (-MOST_PAID..=MOST_PAID).contains(paid));
    let paid: Vec<i64> = list.as_array()?.iter().map(payment).collect::<Option<_>>()?;
    (paid.len() == PLAYERS).then_some(paid)
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

/// Known tiles as a record has them.
fn seen<C: FromIterator<SeenFace>>(tiles: impl IntoIterator<Item = Tile>) -> C {
    tiles.into_iter().map(SeenFace::Tile).collect()
}

/// The end of a deal without a winner, by a format's names of it.
fn end_named(ends: &[(&str, NoWin)], name: &str) -> Option<NoWin> {
    ends.iter().find(|(known, _)| *known == name).map(|(_, why)| *why)
}

/// A format's first name of an end without a winner.
fn name_of_end<'a>(ends: &[(&'a str, NoWin)], end: NoWin) -> &'a str {
    ends.iter().find(|(_, why)| *why == end).map_or("", |(name, _)| name)
}

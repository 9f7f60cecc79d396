//! A game that another program has logged, played again at a table: hands, winners and draws are the log's, points are
//! counted by the table's rules and compared with the log's.

use jiff::Timestamp;

use crate::{
    name::Name,
    points::Points,
    table::{
        Deal, DealPlace, Draw, Event, Opened, Recorded, Seated, Table, TableError, TableState,
        WinBy, Winner,
    },
    tile::Tile,
};
use tilelens_scoring::convert::log::{GameLog, LoggedDeal, LoggedEnd, LoggedWin};

/// Who writes the entries of a log.
pub const AUTHOR: &str = "log";

/// A game that was played again.
#[derive(Debug)]
pub struct Replayed {
    /// The table after it.
    pub table: Table,
    /// The deals after which the table's points changed otherwise than the log's.
    pub differences: Vec<Difference>,
}

/// A deal whose payments differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its place at the table.
    pub place: DealPlace,
    /// Where the log ends it.
    pub at: String,
    /// By how much the log changes the players' points.
    pub logged: Vec<Points>,
    /// By how much the table's rules do.
    pub counted: Vec<Points>,
}

/// Why a game is not played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The table does not take an entry.
    #[error("{at}: {error}")]
    Entry {
        /// Where the log has it.
        at: String,
        /// The refusal.
        error: TableError,
    },
    /// The game goes on otherwise than the rules say.
    #[error(
        "{at}: the log plays {logged}, and by these rules it would be {counted}: choose the rules and rulings of the log (--rules, --ruling)"
    )]
    Place {
        /// Where the log has it.
        at: String,
        /// The log's round, dealer, counters and sticks.
        logged: String,
        /// The table's.
        counted: String,
    },
}

/// Plays a log at a table that is opened so, all at one time.
///
/// # Errors
/// [`ReplayError`] at the first deal that the table's rules do not allow there.
pub fn replay(log: &GameLog, opened: Opened, at: Timestamp) -> Result<Replayed, ReplayError> {
    let mut replayed = Replayed { table: Table::new(1), differences: Vec::new() };
    let begin = "the beginning".to_owned();
    replayed.enter(Event::Opened(opened), &begin, at)?;
    for deal in &log.deals {
        let state = replayed.state(&deal.at)?;
        let place = DealPlace {
            honba: state.place.honba.map(|_| deal.honba),
            sticks: state.place.sticks.map(|_| deal.sticks),
            round: deal.round,
            dealer: deal.dealer,
            ..state.place
        };
        if place != state.place {
            let (logged, counted) = (named(&place), named(&state.place));
            return Err(ReplayError::Place { at: deal.at.clone(), logged, counted });
        }
        replayed.enter(event(deal), &deal.at, at)?;
        let state = replayed.state(&deal.at)?;
        let (Some(record), Some(changes)) = (state.last_deal(), deal.changes) else { continue };
        let counted: Vec<Points> =
            (0..state.players.len()).map(|player| TableState::change(record, player)).collect();
        let logged = changes.map(Points::whole).to_vec();
        if counted != logged {
            replayed.differences.push(Difference { place, at: deal.at.clone(), logged, counted });
        }
    }
    Ok(replayed)
}

impl Replayed {
    fn state(&self, at: &str) -> Result<&TableState, ReplayError> {
        self.table.state().map_err(|error| ReplayError::Entry { at: at.to_owned(), error })
    }

    fn enter(&mut self, event: Event, at: &str, time: Timestamp) -> Result<(), ReplayError> {
        let refused = |error| ReplayError::Entry { at: at.to_owned(), error };
        let event = self.table.complete(event, time).map_err(refused)?;
        let seq = self.table.events().len() as u64 + 1;
        self.table.push(Recorded { seq, at: time, author: AUTHOR.into(), event }).map_err(refused)
    }
}

/// The players of a log, by their names or their numbers.
pub fn players(log: &GameLog) -> Vec<Seated> {
    let named = |player: usize| {
        let name = log.names.get(player).filter(|name| !name.trim().is_empty());
        let others =
            log.names.iter().enumerate().any(|(other, same)| other != player && Some(same) == name);
        match name {
            Some(name) if !others => Name::new(name.trim()).ok(),
            _ => None,
        }
    };
    (0..tilelens_scoring::convert::log::PLAYERS)
        .map(|player| {
            let number = || format!("Player {}", player + 1).as_str().into();
            Seated { name: named(player).unwrap_or_else(number), ..Seated::default() }
        })
        .collect()
}

fn named(place: &DealPlace) -> String {
    let counted = |count: Option<u32>, what: &str| {
        count.map_or(String::new(), |count| format!(", {count} {what}"))
    };
    let (honba, sticks) = (counted(place.honba, "counters"), counted(place.sticks, "sticks"));
    format!("{} {}{honba}{sticks}", place.round.name(), place.dealer + 1)
}

fn event(deal: &LoggedDeal) -> Event {
    let riichi = deal.riichi.clone();
    match &deal.end {
        LoggedEnd::Won(wins) => Event::Deal(Deal {
            winners: wins.iter().map(winner).collect(),
            riichi,
            ..Deal::default()
        }),
        LoggedEnd::Drawn { tenpai, abortive, nagashi } => Event::Draw(Draw {
            tenpai: tenpai.clone(),
            abortive: abortive.map(str::to_owned),
            nagashi: nagashi.clone(),
            riichi,
            ..Draw::default()
        }),
    }
}

fn winner(win: &LoggedWin) -> Winner {
    let text = |tiles: &[Tile]| {
        let text: String = tiles.iter().map(ToString::to_string).collect();
        Some(text).filter(|text| !text.is_empty())
    };
    let winner = Winner {
        player: win.player,
        win: match (win.from, win.robbed) {
            (None, _) => WinBy::SelfDraw,
            (Some(_), true) => WinBy::RobKong,
            (Some(_), false) => WinBy::Discard,
        },
        from: win.from,
        hand: Some(win.hand.to_string()),
        dora_indicators: text(&win.dora),
        ura_indicators: text(&win.ura),
        ..Winner::default()
    };
    winner.with_facts(win.facts)
}

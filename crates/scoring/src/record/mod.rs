//! The record of a game: what happened at the table, in order, as far as it is known. One [`Event`] is one line of JSON
//! (`docs/record.md`). Players are numbered from the first dealer on; tiles are hand text, `?` for a tile that nobody knows and
//! `x` for one that lies face down.

mod board;
mod compared;
mod known;
mod seen;
mod tiles;

use serde::{Deserialize, Serialize};

pub(crate) use board::MOST_PAID;
pub use board::{Board, Discarded, Held, Offered};
pub use compared::{Compared, Played};
pub use known::KnownEvent;
pub use seen::{Doubtful, SeenEvent};
pub use tiles::{Tiles, TilesError};

use crate::tile::{Seat, SeenFace, Tile};

/// One thing that happened at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    /// The game begins.
    Game {
        /// The players' names, from the first dealer on; empty where they are not known.
        players: Vec<String>,
    },
    /// A deal begins.
    Deal(DealBegins),
    /// A dora indicator is turned.
    Indicator {
        /// The tile.
        #[serde(with = "tiles::one")]
        tile: SeenFace,
    },
    /// A player draws a tile.
    Draw {
        /// The player.
        player: usize,
        /// The tile.
        #[serde(with = "tiles::one")]
        tile: SeenFace,
    },
    /// A player discards a tile.
    Discard {
        /// The player.
        player: usize,
        /// The tile.
        #[serde(with = "tiles::one")]
        tile: SeenFace,
        /// Whether it lies sideways, which declares riichi.
        #[serde(default, skip_serializing_if = "is_false")]
        sideways: bool,
        /// Whether it is the tile that was just drawn, where that is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        drawn: Option<bool>,
    },
    /// A player claims a discard.
    Claim {
        /// Who claims.
        player: usize,
        /// Who discarded the tile.
        from: usize,
        /// The set that it makes.
        kind: ClaimKind,
        /// The claimed tile.
        #[serde(with = "tiles::one")]
        tile: SeenFace,
        /// The tiles from the hand.
        own: Tiles,
    },
    /// A player lays down a concealed kong.
    ConcealedKong {
        /// The player.
        player: usize,
        /// Its four tiles.
        tiles: Tiles,
    },
    /// A player adds the fourth tile to a claimed pung.
    AddedKong {
        /// The player.
        player: usize,
        /// The tile.
        #[serde(with = "tiles::known")]
        tile: Tile,
    },
    /// A player sets a flower, a season or a North aside.
    SetOut {
        /// The player.
        player: usize,
        /// The tile.
        #[serde(with = "tiles::one")]
        tile: SeenFace,
    },
    /// A player opens the hand, without a tile that is claimed to win.
    Opened {
        /// The player.
        player: usize,
        /// The concealed tiles.
        hand: Tiles,
    },
    /// A player wins, on the tile just drawn or on the last discard or added tile. Several may follow each other.
    Win {
        /// The winner.
        player: usize,
        /// Who gave the tile; left out for a self-draw.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<usize>,
        /// The tiles below the dora indicators, where they were turned for this winner.
        #[serde(default, skip_serializing_if = "Tiles::is_empty")]
        below: Tiles,
        /// What each player receives (negative: pays), without the sticks put down in this deal; empty where it is not known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paid: Vec<i64>,
    },
    /// The deal ends without a winner.
    NoWin {
        /// Why.
        why: NoWin,
        /// What each player receives (negative: pays), without the sticks put down in this deal; empty where it is not known.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paid: Vec<i64>,
    },
    /// The deal is over: its last winner was paid.
    End,
    /// Nothing is known of a time: an arm hid the table, or a camera stopped. Tiles may have moved meanwhile.
    Gap {
        /// Its length.
        milliseconds: u64,
    },
    /// A discard that was written before is another tile.
    Correction {
        /// The number of the discard's event in the deal, whose beginning is 0.
        event: usize,
        /// The tile.
        #[serde(with = "tiles::one")]
        tile: SeenFace,
    },
    /// Something about an event that was written before is not certain.
    Doubt {
        /// The number of that event in the deal, whose beginning is 0.
        event: usize,
        /// What is not certain.
        why: Doubtful,
    },
    /// Somebody who knows has looked at an event that was written before: its doubts are settled.
    Settled {
        /// The number of that event in the deal, whose beginning is 0.
        event: usize,
    },
}

/// The beginning of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealBegins {
    /// The wind of the round.
    pub round: Seat,
    /// The dealer.
    pub dealer: usize,
    /// Counters on the table.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub counters: u32,
    /// Sticks that earlier deals have left.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sticks: u32,
    /// Each player's tiles.
    pub hands: Vec<Tiles>,
    /// Each player's points before the deal; empty where they are not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<i64>,
}

/// A set that is claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimKind {
    /// Three in a row.
    Chow,
    /// Three alike.
    Pung,
    /// Four alike, three of them from the hand.
    Kong,
}

impl ClaimKind {
    /// The number of tiles from the hand.
    pub const fn own(self) -> usize {
        match self {
            Self::Chow | Self::Pung => 2,
            Self::Kong => 3,
        }
    }
}

/// Why a deal ended without a winner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoWin {
    /// The wall is used up.
    Exhausted,
    /// The wall is used up, and somebody's discards were terminals and honors alone, none of them claimed.
    Nagashi,
    /// A player with nine different terminals and honors has ended it.
    NineTerminals,
    /// The four first discards were the same wind.
    FourWinds,
    /// All four have declared riichi.
    FourRiichi,
    /// Four kongs were made by more than one player.
    FourKongs,
    /// Three players would win on one tile.
    ThreeWinners,
}

impl NoWin {
    /// Why it ended before the wall did, by the name that rule files have for it.
    pub const fn abortive(self) -> Option<&'static str> {
        Some(match self {
            Self::Exhausted | Self::Nagashi => return None,
            Self::NineTerminals => "nine_terminals",
            Self::FourWinds => "four_winds",
            Self::FourRiichi => "four_riichi",
            Self::FourKongs => "four_kongs",
            Self::ThreeWinners => "three_winners",
        })
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A record as it was read: its events, and where each one is in the text.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The events in their order.
    pub events: Vec<Event>,
    /// The place of each event in the text that was read, for messages: `line 3`.
    pub places: Vec<String>,
}

impl Record {
    /// The record as JSON Lines.
    ///
    /// # Errors
    /// None that a record can cause.
    pub fn json_lines(&self) -> Result<String, serde_json::Error> {
        let mut text = String::new();
        for event in &self.events {
            text += &serde_json::to_string(event)?;
            text.push('\n');
        }
        Ok(text)
    }
}

//! What the operator sees of a table, as one value: the preview of camera and operator, the programme that viewers have
//! where it differs, and the facts around both.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::{
    Amended, Context, OnAir, OnAirSetting, ProposedWin, Undoable, feeds::Feed, json::Made,
};
use crate::{
    appraisal::{HandReading, TileReading},
    page::reading::{PageReading, PageWait},
    schema::described_as,
    tile::{Seat, Tile},
};

/// The phase of a hand, by its name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    #[default]
    Watching,
    /// A hand was confirmed and stays on show.
    Confirmed,
    Rejected,
}

/// The reading of a deal.
#[derive(Clone, Debug, PartialEq)]
pub enum DealReading {
    Hand(Box<PageReading>),
    Draw,
    /// A deal in which play went on after a win.
    Whole,
    /// The deal is void for a fault.
    Chombo,
    /// The context does not fit the rules: why.
    Trouble(String),
}

/// The reading of a deal as it is written.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum WrittenReading<'a> {
    Hand(&'a PageReading),
    Draw { draw: bool },
    Whole { whole: bool },
    Chombo { chombo: bool },
    Trouble { trouble: &'a str },
}

described_as!("DealReading", DealReading, WrittenReading<'static>);

impl DealReading {
    /// The reading of the hand, unless the deal has none.
    pub const fn hand(&self) -> Option<&PageReading> {
        match self {
            Self::Hand(reading) => Some(reading),
            Self::Draw | Self::Whole | Self::Chombo | Self::Trouble(_) => None,
        }
    }
}

impl Serialize for DealReading {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::Hand(reading) => WrittenReading::Hand(reading),
            Self::Draw => WrittenReading::Draw { draw: true },
            Self::Whole => WrittenReading::Whole { whole: true },
            Self::Chombo => WrittenReading::Chombo { chombo: true },
            Self::Trouble(trouble) => WrittenReading::Trouble { trouble },
        };
        written.serialize(serializer)
    }
}

/// What is shown of a hand and of the players' tiles; the operator has one, and the viewers theirs.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Preview {
    pub phase: PhaseName,
    /// The photo that is shown in place of the camera's hand.
    pub photo: Option<u64>,
    /// Some tiles of the hand have been out of sight for a while, or their source is lost.
    pub doubtful: bool,
    /// The tiles of the hand are gone.
    pub stale: bool,
    pub reading: Option<Arc<DealReading>>,
    /// Seats, winds, and how the hand was won.
    pub context: Context,
    /// Each player's tiles, by wind.
    pub seats: BTreeMap<Seat, SeatView>,
    /// The ledger's deal that gets another winner.
    pub also: Option<u64>,
}

impl Preview {
    /// The reading of the hand, unless the deal has none.
    pub fn read(&self) -> Option<&PageReading> {
        self.reading.as_ref()?.hand()
    }

    /// The hand.
    pub fn hand(&self) -> Option<&HandReading> {
        self.read()?.hand.as_ref()
    }

    /// Whether the hand is that of a camera, and so may be covered or taken away.
    pub fn is_live(&self) -> bool {
        self.phase == PhaseName::Watching && self.photo.is_none()
    }
}

/// The part of a player's tiles that is seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeatShows {
    Hand,
    /// Its open sets alone.
    Sets,
    #[default]
    Nothing,
}

/// A player's tiles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SeatView {
    /// The seat in the first deal of the round.
    pub place: Seat,
    pub name: Option<String>,
    pub shows: SeatShows,
    /// The hand or its open sets.
    pub hand: Option<SeatHand>,
    /// The numbers of the player's own tiles among the reading's.
    pub tiles: Vec<u64>,
    /// The tiles that the player's own camera sees.
    pub standing: Vec<TileReading>,
    pub waits: Vec<PageWait>,
    pub discards: Vec<String>,
    /// All discards are seen and recognised.
    pub discards_known: bool,
    /// The place among the discards of the one that lies sideways.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sideways: Option<usize>,
    /// One discard is sideways, under rules with riichi.
    pub riichi: bool,
    /// Something moves before the player.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub moving: bool,
    /// Some tiles have been out of sight for a while.
    pub doubtful: bool,
    /// The tiles are gone.
    pub stale: bool,
}

/// A player's hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct SeatHand {
    pub text: String,
    /// The probability that all of it is right, 0-1.
    pub confidence: f32,
    /// What is unsure or wrong, in English.
    pub doubts: Vec<String>,
}

/// The state of a table for the operator.
pub(super) struct State<'a> {
    pub revision: u64,
    /// The operator's preview.
    pub preview: Preview,
    /// The viewers' one, where it differs.
    pub programme: Option<Preview>,
    pub scene: Arc<OnAir>,
    pub feeds: &'a [Feed],
    pub played: Option<&'a Made>,
    /// Something moves before a source.
    pub moving: bool,
    /// The corrections: tracking number and tile.
    pub fixes: &'a [(u64, Tile)],
    /// The user's tile set that influenced the reading.
    pub tileset: Option<&'a str>,
    pub table: Option<&'a Made>,
    /// How often the tournament has changed.
    pub tournament: u64,
    /// Why recognised discards are not used.
    pub discards_missed: Option<String>,
    /// The earlier deal that is being re-entered, and its number.
    pub amends: Option<(Amended, Option<u32>)>,
    /// The decision that undo would take back.
    pub undoes: Option<Undoable>,
    pub on_air: OnAirSetting,
    /// What the record says of the win.
    pub proposed: Option<ProposedWin>,
    /// The photos that phones ask to show: number and hand.
    pub asks: Vec<(u64, Option<&'a str>)>,
    /// The connection to OBS; `None` without one.
    pub obs: Option<&'a ObsState>,
}

/// The state of the connection to OBS.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum ObsState {
    Connected,
    /// OBS is away, or has refused a switch.
    Lost {
        why: String,
    },
}

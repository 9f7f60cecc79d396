//! The tiles that a hand waits for, whether or not all its claimed sets are written, also as one JSON object.

use indexmap::IndexMap;
use serde::{Serialize, Serializer};

use super::{AdviceError, Help, Shape, Turn, advise, size};
use crate::{
    hand::Reading,
    rules::{
        Circumstances, ErrorKind, Field, Halves, NoWin, Payments, RuleSet, ScoreError, ScoredItem,
        UnitName, Value, Wait, WaitsError,
    },
    tile::{Face, Seat, Tile},
};

/// The tiles that complete a hand one tile short.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The rule set.
    pub rules: String,
    /// The tiles.
    pub tiles: WaitingTiles,
}

/// Tiles that complete a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitingTiles {
    /// Each with its value.
    Valued(Vec<Wait>),
    /// Those of a hand whose claimed sets are not written: without them no tile has a value.
    Partial {
        /// The number of claimed sets that are not written.
        unwritten_sets: usize,
        /// The tiles, and how many of each are left.
        helps: Vec<Help>,
    },
}

/// Why the waits of a hand are not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WaitingError {
    /// The hand is not one tile short, or not a hand.
    #[error(transparent)]
    Waits(#[from] WaitsError),
    /// The same of a hand whose claimed sets are not written.
    #[error(transparent)]
    Advice(#[from] AdviceError),
}

impl Waits {
    /// The waits of a hand. `seen`: tiles that are face up elsewhere, without indicators and Norths put aside, which
    /// `at` has. `at`: seats and round; every way to win is tried.
    ///
    /// # Errors
    /// The hand is not one tile short, or not a hand.
    pub fn of(
        rules: &RuleSet,
        hand: &Reading,
        seen: &[Face],
        at: &Circumstances,
    ) -> Result<Self, WaitingError> {
        let seen: Vec<Face> = seen.iter().copied().chain(shown_by(rules, at)).collect();
        let tiles = match rules.waits(hand, &seen, at) {
            Err(WaitsError::ClaimedSetsMissing { missing, .. }) => {
                let helps = match advise(hand, &seen, Shape::of(rules, size(hand)))?.turn {
                    Turn::Draw(outlook) if outlook.missing <= 1 => outlook.helps,
                    _ => Vec::new(),
                };
                WaitingTiles::Partial { unwritten_sets: missing, helps }
            }
            waits => WaitingTiles::Valued(waits?),
        };
        Ok(Self { rules: rules.id.clone(), tiles })
    }

    /// Whether no tile completes the hand.
    pub fn is_empty(&self) -> bool {
        match &self.tiles {
            WaitingTiles::Valued(waits) => waits.is_empty(),
            WaitingTiles::Partial { helps, .. } => helps.is_empty(),
        }
    }

    /// The number of claimed sets that are not written.
    pub const fn unwritten_sets(&self) -> usize {
        match self.tiles {
            WaitingTiles::Valued(_) => 0,
            WaitingTiles::Partial { unwritten_sets, .. } => unwritten_sets,
        }
    }
}

/// Tiles that lie face up by the circumstances: indicators, and Norths put aside.
fn shown_by(rules: &RuleSet, at: &Circumstances) -> Vec<Face> {
    let mut shown = Vec::new();
    if rules.uses(Field::DoraIndicators) {
        shown.extend(at.dora_indicators.iter().map(Tile::face));
    }
    if rules.uses(Field::North) {
        shown.extend(std::iter::repeat_n(Seat::North.wind(), at.north.into()));
    }
    shown
}

/// The JSON object of `waits --json`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Waits"))]
struct WaitsJson<'a> {
    /// The rule set.
    rules: &'a str,
    /// The number of claimed sets that the hand text leaves out; without them no tile has a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    unwritten_sets: Option<usize>,
    /// The tiles.
    waits: Vec<WaitJson<'a>>,
}

/// A tile, and its value self-drawn and claimed from each other player, where it is known.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Wait"))]
struct WaitJson<'a> {
    /// The tile.
    tile: Face,
    /// Copies that neither the hand nor the seen tiles hold.
    unseen: u8,
    /// Its worth self-drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    self_draw: Option<OutcomeJson<'a>>,
    /// Its worth claimed from each player.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<IndexMap<Seat, OutcomeJson<'a>>>,
}

/// What a win on a tile is worth, or why it is no win.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WaitOutcome"))]
struct OutcomeJson<'a> {
    /// Whether it wins.
    ok: bool,
    /// Why it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorKind>,
    /// The faan, also where they are too few.
    #[serde(skip_serializing_if = "Option::is_none")]
    faan: Option<Halves>,
    #[serde(flatten)]
    win: Option<WinJson<'a>>,
}

/// A win on a tile.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WaitWin"))]
struct WinJson<'a> {
    /// The points.
    score: Halves,
    /// The gain of each player (negative: the player pays).
    payments: &'a Payments,
    /// The items.
    items: Vec<ItemJson<'a>>,
}

/// An item without the tiles that earn it.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "WaitItem"))]
struct ItemJson<'a> {
    /// The item.
    id: &'a str,
    /// Its value.
    value: Halves,
    /// The unit of its value.
    unit: UnitName,
}

impl<'a> OutcomeJson<'a> {
    fn of(outcome: &'a Result<Value, ScoreError>, items: &'a [ScoredItem]) -> Self {
        let item =
            |item: &'a ScoredItem| ItemJson { id: &item.id, value: item.value, unit: item.unit };
        match outcome {
            Ok(value) => {
                let items = items.iter().map(item).collect();
                let win = WinJson { score: value.score, payments: &value.payments, items };
                Self { ok: true, error: None, faan: Some(value.faan), win: Some(win) }
            }
            Err(refusal) => {
                let faan = match refusal {
                    ScoreError::NoWin(NoWin::BelowMinimum { faan, .. }) => Some(*faan),
                    _ => None,
                };
                Self { ok: false, error: Some(refusal.into()), faan, win: None }
            }
        }
    }
}

impl<'a> WaitJson<'a> {
    fn valued(wait: &'a Wait) -> Self {
        let from = wait.claimed.iter();
        let from =
            from.map(|(seat, outcome)| (*seat, OutcomeJson::of(outcome, &wait.claimed_items)));
        Self {
            tile: wait.tile,
            unseen: wait.unseen,
            self_draw: Some(OutcomeJson::of(&wait.self_draw, &wait.self_draw_items)),
            from: Some(from.collect()),
        }
    }

    const fn partial(help: &Help) -> Self {
        Self { tile: help.tile, unseen: help.left, self_draw: None, from: None }
    }
}

impl Serialize for Waits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (unwritten_sets, waits) = match &self.tiles {
            WaitingTiles::Valued(waits) => (None, waits.iter().map(WaitJson::valued).collect()),
            WaitingTiles::Partial { unwritten_sets, helps } => {
                (Some(*unwritten_sets), helps.iter().map(WaitJson::partial).collect())
            }
        };
        WaitsJson { rules: &self.rules, unwritten_sets, waits }.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
crate::schema::described_as!("Waits", Waits, WaitsJson<'static>);

//! A deal with several winners, one after another: its rules, its events, and what it comes to.

use serde::{Deserialize, Serialize, Serializer};

use super::{
    Circumstances, Contradiction, Halves, ScoreError, ScoredItem, Worth, WorthError,
    answer::as_text,
};
use crate::{
    hand::TextError,
    tile::{Seat, Seats, Suit},
};

/// The `[deal]` table of a rule file: play goes on after a win.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DealRules {
    /// The number of winners after which the deal is over.
    pub winners: u8,
    /// What each payer of a kong pays.
    pub kong: KongPayments,
    /// Whether a kong is paid after which the discard was won on.
    pub shot_kong_kept: bool,
    /// Whether a player who is not ready at the end keeps what he got for kongs.
    pub kongs_stay: bool,
    /// What a false win costs to each player who has not won.
    pub false_win: u32,
    /// The points of the most fan.
    pub cap: u32,
    /// The fine for a tile of the missing suit.
    pub pig: PigRules,
    /// Whether players who are not ready pay those who are nothing.
    pub not_ready_pays_nothing: bool,
    /// Whether the last player is settled after the last win.
    pub checks_the_last: bool,
    /// Whether the dearest hand of a ready player counts his kongs as pungs.
    pub dearest_without_kongs: bool,
}

/// What each payer of a kong pays: of a kong added with a tile just drawn, or later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct KongPayments {
    pub concealed: u32,
    pub claimed: u32,
    pub added: u32,
    pub late: u32,
}

/// The fine of a player who holds a tile of the suit that he does not play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PigRules {
    pub fine: Fine,
    pub points: u32,
    pub to: FinedTo,
    /// Whether who is fined pays nothing for not being ready.
    pub only: bool,
}

/// The measure of a fine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Fine {
    /// Nothing.
    #[default]
    None,
    /// Its points to each.
    Points,
    /// Its points, which nobody gets.
    Lost,
    /// The points of the most fan to each.
    Cap,
    /// To each his dearest hand, and its points at least.
    Hand,
}

/// Who gets a fine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FinedTo {
    /// Every other player, those who have won too.
    #[default]
    Everybody,
    /// Those who have not won.
    Playing,
    /// Those who are ready.
    Ready,
}

/// How a kong was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KongKind {
    /// From four tiles of the hand.
    Concealed,
    /// With another player's discard.
    Claimed {
        /// Who gave it.
        from: Seat,
    },
    /// Added to a claimed pung.
    Added {
        /// Whether not with the tile just drawn.
        late: bool,
    },
}

/// An event of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DealEvent {
    /// A kong.
    Kong {
        /// Who made it.
        seat: Seat,
        /// How.
        kind: KongKind,
        /// Whether it was robbed.
        robbed: bool,
        /// Whether its discard was won on.
        shot: bool,
    },
    /// A player declared a win that was none: he pays, returns what he got for kongs, and plays on.
    FalseWin {
        /// Who.
        seat: Seat,
    },
    /// A win.
    Win {
        /// The hand.
        hand: WonHand,
        /// How it was won; who has won before follows from the events.
        at: Box<Circumstances>,
        /// A contradiction of the fields.
        contradiction: Option<Contradiction>,
        /// Whether on the same tile as the event before.
        same: bool,
    },
}

/// A hand that has won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WonHand {
    /// Its tiles, as text.
    Tiles(String),
    /// What it is worth.
    Worth(Worth),
}

/// A player who had not won when the wall ran out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndHand {
    /// His seat.
    pub seat: Seat,
    /// What he had.
    pub holding: Holding,
}

/// What a player had when the wall ran out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Holding {
    /// His hand.
    Hand {
        /// Its tiles, as text.
        hand: String,
        /// The suit that he does not play.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        missing: Option<Suit>,
        /// Whether all his discards were of that suit.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        only_missing: bool,
    },
    /// He is ready; what his dearest hand is worth.
    Ready(Worth),
    /// He is not ready.
    NotReady,
    /// He holds a tile of his missing suit.
    Pig,
}

/// A whole deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Its events in the order of play.
    pub events: Vec<DealEvent>,
    /// The players who had not won at the end, in the order of play.
    pub end: Vec<EndHand>,
}

/// The kind of a payment at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SettlementKind {
    /// The fine for a tile of the missing suit.
    Pig,
    /// A player who is not ready pays one who is.
    NotReady,
    /// A player who is not ready returns a kong's payment.
    KongReturned,
}

/// A payment at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettlementEntry {
    /// Its kind.
    pub kind: SettlementKind,
    /// Who pays.
    pub from: Seat,
    /// Who gets it; `None`: nobody.
    #[serde(serialize_with = "seat_or_nobody")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "String", regex(pattern = "^([ESWN]|nobody)$"))
    )]
    pub to: Option<Seat>,
    /// The amount.
    #[serde(serialize_with = "as_text")]
    #[cfg_attr(feature = "schema", schemars(with = "super::answer::AsText<i64>"))]
    pub points: i64,
}

fn seat_or_nobody<S: Serializer>(seat: &Option<Seat>, serializer: S) -> Result<S::Ok, S::Error> {
    match seat {
        Some(seat) => seat.serialize(serializer),
        None => serializer.serialize_str("nobody"),
    }
}

/// A win of a deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DealWin {
    /// Its event, from 0.
    pub step: usize,
    /// The winner.
    pub seat: Seat,
    /// The items.
    pub items: Vec<ScoredItem>,
    /// The fan.
    pub faan: Halves,
    /// The points.
    pub score: Halves,
}

/// What a deal comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DealOutcome {
    /// The payments of each event, by seats.
    pub steps: Vec<[i64; 4]>,
    /// Payments at the end.
    pub settlement: Vec<SettlementEntry>,
    /// All payments together.
    pub payments: [i64; 4],
    /// Who deals next.
    pub next_dealer: Seat,
}

/// Why a deal is not scored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DealError {
    /// The players of `end` are not those who had not won.
    #[error("`end` has to hold the players who had not won, and no others: {}", names(*.0))]
    End(Seats),
    /// A hand that cannot be read.
    #[error(transparent)]
    Hand(#[from] TextError),
    /// A hand at the end with too few or too many tiles.
    #[error("{found} tiles at the end, kongs counted as three: expected 13")]
    Size {
        /// The number of tiles.
        found: usize,
    },
    /// A hand that is refused or does not win.
    #[error(transparent)]
    Score(#[from] ScoreError),
    /// A worth that no hand has.
    #[error(transparent)]
    Worth(#[from] WorthError),
}

fn names(seats: Seats) -> String {
    let names: Vec<&str> = seats.iter().map(Seat::name).collect();
    if names.is_empty() { "nobody".to_owned() } else { names.join(", ") }
}

/// The event at which a deal failed, and why.
pub type FailedStep = (Option<usize>, DealError);

/// A ruling that, decided otherwise, changes what a deal comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DealEffect {
    /// The ruling.
    pub id: String,
    /// The other choice.
    pub choice: String,
    /// What the deal comes to under it.
    #[serde(flatten, serialize_with = "super::deal_request::written_effect")]
    #[cfg_attr(
        feature = "schema",
        schemars(with = "super::answer::WrittenEffect<super::deal_request::BySeat>")
    )]
    pub outcome: Result<[i64; 4], FailedStep>,
}

//! The events of a table. Players are given by their index in the list with which the table was
//! opened, so that a corrected deal may move every later wind.

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ItemId, Opened, PerPlayer, PlayedOn};
use crate::{
    name::Name,
    points::Points,
    recorded::{self, Undoes},
    rules::{Halves, Worth, each_fact, has_facts},
    tile::{Seat, Suit},
};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The table was set up; the first event of each.
    Opened(Opened),
    /// The session's clock was started.
    ClockStarted {
        /// Its length; the rule set's where this is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        minutes: Option<u32>,
        /// The time of the start; the time of writing where this is left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        started: Option<Timestamp>,
    },
    /// The clock was changed: a tournament's table follows its round.
    ClockSet {
        /// When it runs out.
        ends: Timestamp,
        /// When it was stopped, while it stands.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        paused: Option<Timestamp>,
    },
    /// A deal was won.
    Deal(Deal),
    /// A deal was played that nobody won.
    Draw(Draw),
    /// A deal was void for a fault that everybody is paid for, and is played again.
    Chombo(Chombo),
    /// A tile was discarded in the deal that is being played.
    Discarded {
        /// The player who discarded it.
        player: usize,
        /// The tile, `5p`.
        tile: String,
    },
    /// The discards of the current deal, by the rows before each player.
    DiscardRows {
        /// Each player's row, in his order, as hand text.
        rows: Vec<String>,
        /// The tiles claimed into others' sets, by the player who discarded them.
        claimed: Vec<String>,
    },
    /// A player lost points in the standings.
    Penalty(Penalty),
    /// A player cannot win the deal that is being played.
    DeadHand(PlayerFault),
    /// A claim was not valid and is ignored.
    VoidClaim(PlayerFault),
    /// A player was disqualified.
    Disqualified(PlayerFault),
    /// The session was ended before its time.
    Ended {
        /// The reason.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
    },
    /// An earlier event is taken back.
    Undone {
        /// Its number.
        event: u64,
    },
    /// An earlier event was something else.
    Corrected {
        /// Its number.
        event: u64,
        /// The corrected event.
        with: Box<Event>,
    },
    /// Damage of the file has destroyed the event of this number. A repair put this in its place, so
    /// that later events keep their numbers.
    Lost {
        /// The number of events after it that nothing proves: people have to check whether they are
        /// unchanged.
        #[serde(default, skip_serializing_if = "no_events")]
        unproven: u64,
    },
}

impl Event {
    /// A plain draw, without further details.
    pub const DRAW: Self = Self::Draw(Draw {
        place: None,
        rolled: None,
        tenpai: None,
        riichi: Vec::new(),
        abortive: None,
        nagashi: Vec::new(),
    });

    /// Whether it concerns the clock alone.
    pub(crate) const fn is_of_the_clock(&self) -> bool {
        matches!(self, Self::ClockStarted { .. } | Self::ClockSet { .. })
    }

    /// Its name in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Opened(_) => "opened",
            Self::ClockStarted { .. } => "clock started",
            Self::ClockSet { .. } => "clock set",
            Self::Deal(_) => "deal",
            Self::Draw(_) => "draw",
            Self::Chombo(_) => "chombo",
            Self::Discarded { .. } => "discard",
            Self::DiscardRows { .. } => "discards",
            Self::Penalty(_) => "penalty",
            Self::DeadHand(_) => "dead hand",
            Self::VoidClaim(_) => "void claim",
            Self::Disqualified(_) => "disqualified",
            Self::Ended { .. } => "ended",
            Self::Undone { .. } => "undone",
            Self::Corrected { .. } => "corrected",
            Self::Lost { .. } => "lost",
        }
    }

    /// Whether it ends a deal.
    pub fn is_deal(&self) -> bool {
        matches!(self, Self::Deal(_) | Self::Draw(_) | Self::Chombo(_))
    }
}

impl Undoes for Event {
    fn undoes(&self) -> Option<u64> {
        match self {
            Self::Undone { event } => Some(*event),
            _ => None,
        }
    }
}

/// An event with its number, time and author.
pub type Recorded = recorded::Recorded<Event>;

/// A player at the start of the session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Seated {
    /// His name.
    pub name: Name,
    /// A new player with a minimum of his own: how often he has won before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub new_player_wins: Option<u32>,
    /// Point penalties that he has had before, in earlier sessions of a tournament.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub penalties_before: u32,
}

impl Seated {
    /// A player without a handicap or earlier penalties.
    pub fn named(name: impl AsRef<str>) -> Self {
        Self { name: name.as_ref().into(), ..Self::default() }
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn no_events(count: &u64) -> bool {
    *count == 0
}

fn is_none_aside(count: &u8) -> bool {
    *count == 0
}

fn no_scores(scores: &PerPlayer<Halves>) -> bool {
    scores.is_empty()
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The place of a deal in its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DealPlace {
    /// The deal's number, from 1.
    pub number: u32,
    /// The wind of the round.
    pub round: Seat,
    /// The player who sits East.
    pub dealer: usize,
    /// The number of counters on the table, where the rules have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub honba: Option<u32>,
    /// The number of sticks left on the table by earlier deals, where the rules have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sticks: Option<u32>,
}

/// A deal that was won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Deal {
    /// Its place in the session; filled in when it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<DealPlace>,
    /// When its dice were rolled, where that was not just before it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled: Option<Timestamp>,
    /// The winners; several on one tile, or one after another where play goes on after a win.
    pub winners: Vec<Winner>,
    /// Each player's gain (negative: loss), where no hands and no values are given; otherwise the sum
    /// of the scored hands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<Vec<Points>>,
    /// The players who put down a stick in this deal (riichi), winners included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub riichi: Vec<usize>,
    /// What it had beside its wins, where play goes on after a win. Shared by the log and the history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_on: Option<Arc<PlayedOn>>,
}

/// A deal that nobody won.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Draw {
    /// Its place in the session; filled in when it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<DealPlace>,
    /// When its dice were rolled, where that was not just before it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled: Option<Timestamp>,
    /// The tenpai players, where the rules ask for them; a player who put down a stick is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tenpai: Option<Vec<usize>>,
    /// The players who put down a stick in this deal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub riichi: Vec<usize>,
    /// The cause that ended it before the wall did: one of the rule set's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abortive: Option<String>,
    /// The players whose discards were terminals and honors alone and never claimed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nagashi: Vec<usize>,
}

/// A fault for which a deal was void.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Chombo {
    /// The deal's place in the session; filled in when it is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<DealPlace>,
    /// When its dice were rolled, where that was not just before it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rolled: Option<Timestamp>,
    /// The player at fault.
    pub player: usize,
    /// Each player's gain (negative: loss), where it differs from the rule set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payments: Option<Vec<Points>>,
    /// One of the rule set's causes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// A note for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// The source of a winning tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WinBy {
    /// The wall.
    #[default]
    SelfDraw,
    /// Another's discard.
    Discard,
    /// Another's kong.
    RobKong,
}

/// The earlier discards of the tile that was won on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TileWas {
    /// Neither of the others.
    Fresh,
    /// The winner has discarded one himself in this deal.
    Own,
    /// Someone has discarded one since the winner's last turn.
    Passed,
}

/// The player who is charged for a winning tile, where that is not its giver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Charged {
    /// A player who discarded the same tile before.
    Player(usize),
    /// Nobody: each pays as for a self-draw.
    Nobody,
}

macro_rules! winner {
    (
        deal { $($(#[$meaning:meta])* $name:ident: $fact:ident, $of_deal:ident, $label:tt;)* }
        winner { $($(#[$own_meaning:meta])* $own:ident: $own_fact:ident, $of_winner:ident, $own_label:tt;)* }
        hand $others:tt
    ) => {
        /// A winner, his hand and how he won.
        #[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        pub struct Winner {
            /// The player.
            pub player: usize,
            /// The source of the winning tile.
            pub win: WinBy,
            /// The player who gave it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub from: Option<usize>,
            /// The hand, as text with its winning tile; left out where a worth or the payments are said.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub hand: Option<String>,
            /// The stated value of the hand, where its tiles are not given.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub worth: Option<Worth>,
            $($(#[$meaning])* #[serde(default, skip_serializing_if = "is_false")] pub $name: bool,)*
            $($(#[$own_meaning])* #[serde(default, skip_serializing_if = "is_false")] pub $own: bool,)*
            /// The face-up tiles of the dead wall, as hand text.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub dora_indicators: Option<String>,
            /// The tiles below the dora indicators, as hand text.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub ura_indicators: Option<String>,
            /// The number of Norths that the winner has put aside; they are not in the hand.
            #[serde(default, skip_serializing_if = "is_none_aside")]
            pub north: u8,
            /// The feeder of the last set of a hand with a liability, where no mark shows it.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub pao: Option<usize>,
            /// The player who is charged for the tile, where that is not its giver.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub responsible: Option<Charged>,
            /// The known earlier discards of the winning tile.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub tile: Option<TileWas>,
            /// The suit that the winner does not play, where the rules have one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub missing: Option<Suit>,
            /// Whether it is the tile on which the winner before has won, where play goes on after a win.
            #[serde(default, skip_serializing_if = "is_false")]
            pub same_tile: bool,
            /// The hands of the others, where the rules score them too.
            #[serde(default, skip_serializing_if = "Vec::is_empty")]
            pub others: Vec<OtherHand>,
            /// The scored value of the hand; filled in when it is written. Shared by the log and the
            /// history.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub scored: Option<Arc<Scored>>,
        }

        has_facts!(Winner: $($name $fact)* $($own $own_fact)*);
    };
}
each_fact!(winner);

/// The hand of a player who has not won: its tiles, or what it is worth.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OtherHand {
    /// The player.
    pub player: usize,
    /// The hand, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    /// Its stated worth, where its tiles are not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
    /// Whether it is dead: it scores nothing. Filled in by the table's dead hands when it is written.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dead: bool,
    /// Whether the player had not declared that he waits for a limit hand.
    #[serde(default, skip_serializing_if = "is_false")]
    pub not_fishing: bool,
}

/// A hand's scored value, and the circumstances for which it was scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Scored {
    /// Each player's seat.
    pub seats: PerPlayer<Seat>,
    /// The wind of the round.
    pub round: Seat,
    /// The winner's own minimum, where he has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Halves>,
    /// The counters that were paid with it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub honba: u32,
    /// Faan, doublings or point value.
    pub faan: Halves,
    /// Auxiliary points, where the rules have them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// The table's value.
    pub score: Halves,
    /// Items and their values.
    pub items: Vec<(ItemId, Halves)>,
    /// What each other player's hand scored, in the players' order, where the rules score them too; the winner's own
    /// place holds nothing.
    #[serde(default, skip_serializing_if = "no_scores")]
    pub others: PerPlayer<Halves>,
    /// Each player's gain for this hand.
    pub payments: PerPlayer<Points>,
}

/// A point penalty.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Penalty {
    /// The player.
    pub player: usize,
    /// One of the rule set's causes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Its cost, where that is not the rule set's next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// A note for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A fault of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayerFault {
    /// The player.
    pub player: usize,
    /// One of the rule set's causes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// A note for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

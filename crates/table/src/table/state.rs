//! The current state of a table, as shown on a page, a screen or a terminal, and sent as JSON.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Chombo, DealPlace, Discards, Draw, PerPlayer, PlayedOn, Seated, Sitting, Winner};
use crate::{
    clock::Clock,
    name::Name,
    points::Points,
    rules::{Halves, Terms},
    tile::Seat,
    words::Say,
};

/// A table: seats, the current deal, standings, and the history of deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableState {
    /// The table's number in its ledger.
    pub table: u32,
    /// The table's name.
    pub title: Option<String>,
    /// Its round and table in the ledger's tournament.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sitting: Option<Sitting>,
    /// The rule set's id.
    pub rules: String,
    /// The rule set's name, for people.
    pub rules_name: String,
    /// The words of those who play these rules, where they have their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Arc<Terms>>,
    /// The names of items that are not their ids with spaces.
    #[serde(skip)]
    pub item_names: Arc<BTreeMap<String, String>>,
    /// Everybody's starting points.
    pub initial: Points,
    /// The players, in the order in which they sat down: East, South, West, North of the first deal.
    pub players: Vec<PlayerState>,
    /// The deal that is being played, or would be: its number, round and dealer.
    #[serde(flatten)]
    pub place: DealPlace,
    /// The number of times the dealer has stayed, where the rules have counters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// Rounds that are over.
    pub rounds_played: u32,
    /// The number of rounds of a session.
    pub rounds: u32,
    /// The number of its deals, where there are no rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<u32>,
    /// Why nothing more is played.
    pub over: Option<Over>,
    /// Each player's share of the sticks that were left on the table at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leftover: Option<PerPlayer<Points>>,
    /// The session's clock, once it was started.
    pub clock: Option<Clock>,
    /// Tiles of the wall set aside (three players).
    pub tiles_aside: u8,
    /// The discards of the current deal.
    pub discards: Discards,
    /// The number of the last event.
    pub last_event: u64,
    /// Each deal, with the totals after it. Shared, so that a state is quick to hand on.
    pub history: Vec<Arc<DealRecord>>,
    /// Each penalty, in the order given.
    pub penalties: Vec<PenaltyRecord>,
    /// Contradictions since an event was corrected or lost.
    pub problems: Vec<Problem>,
    /// Events that were lost to damage, and that nobody has entered again or taken back since.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<Loss>,
    /// Whether events were lost and no later deal has shown its place yet.
    #[serde(skip)]
    pub(super) adrift: bool,
    /// The event that started the clock.
    #[serde(skip)]
    pub(crate) clock_event: Option<u64>,
    /// The number of times the deal has passed in this round.
    #[serde(skip)]
    pub(super) passes: usize,
}

/// A player at a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PlayerState {
    /// His name.
    pub name: Name,
    /// His seat, which is his wind, in the deal that is being played.
    pub seat: Seat,
    /// The table's score.
    pub total: Points,
    /// The number of point penalties, including earlier sessions.
    pub penalties: u32,
    /// The cost of this session's penalties.
    pub penalty_points: Points,
    /// The table's score less penalties, by which the standings are ordered.
    pub standing: Points,
    /// The rank; level players share it. `None` for a disqualified player.
    pub rank: Option<u32>,
    /// Deals won.
    pub wins: u32,
    /// A new player's own minimum.
    pub minimum: Option<Halves>,
    /// Why his hand is dead in this deal.
    pub dead_hand: Option<String>,
    /// Why he was disqualified.
    pub disqualified: Option<String>,
    /// The value of his place once the session is over, where the rules have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub placed: Option<Placed>,
    /// A new player's wins in earlier sessions.
    #[serde(skip)]
    pub(super) new_player_wins: Option<u32>,
}

/// The value of a player's place at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Placed {
    /// The placement bonus (uma), with the first's gain from everybody (oka).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Points>,
    /// Table points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table_points: Option<Points>,
    /// Points won and lost with the bonus, less penalties.
    pub result: Points,
}

/// A player's points and rank before a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Before {
    /// The points, less penalties.
    pub standing: Points,
    /// The rank; level players share it.
    pub rank: u32,
}

impl PlayerState {
    pub(super) fn new(seated: &Seated, seat: Seat, initial: Points) -> Self {
        Self {
            name: seated.name.clone(),
            seat,
            total: initial,
            penalties: seated.penalties_before,
            penalty_points: Points::ZERO,
            standing: initial,
            rank: Some(1),
            wins: 0,
            minimum: None,
            dead_hand: None,
            disqualified: None,
            placed: None,
            new_player_wins: seated.new_player_wins,
        }
    }
}

/// Point penalties that a player got at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PenaltyRecord {
    /// The number of its event.
    pub event: u64,
    /// When it was given.
    pub at: Timestamp,
    /// The player.
    pub player: usize,
    /// One of the rule set's causes.
    pub cause: Option<String>,
    /// The number of penalties as which it counts.
    pub count: u32,
    /// Its cost, where that does not grow with each penalty.
    pub points: Option<u32>,
    /// Whether it was taken from the table's score rather than from the standings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub in_table: bool,
    /// A note for people.
    pub note: String,
}

/// Why nothing more is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Over {
    /// All rounds were played.
    Played,
    /// The clock had run out.
    Time,
    /// Somebody has less than nothing.
    Bust {
        /// Who.
        player: usize,
    },
    /// The last dealer leads, and does not deal again.
    Leader,
    /// Somebody has the points that were played for after the last round, or that round is over too.
    Target,
    /// Somebody ended it.
    Ended {
        /// Why.
        note: String,
    },
}

/// A played deal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct DealRecord {
    /// The number of its event.
    pub event: u64,
    /// The time at which its dice were rolled, if given; else the time of writing.
    pub at: Timestamp,
    /// Its number, round and dealer.
    #[serde(flatten)]
    pub place: DealPlace,
    /// Each player's seat.
    pub seats: PerPlayer<Seat>,
    /// The deal in words: a sentence for each winner or for how it ended without any, then one for each of tenpai,
    /// nagashi and riichi that there was.
    pub said: Vec<Say>,
    /// The winners; empty in a draw.
    pub winners: Vec<Winner>,
    /// Each player's gain (negative: loss).
    pub payments: PerPlayer<Points>,
    /// Each player's gain or loss in sticks put down and taken; left out where none moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sticks_moved: Option<PerPlayer<Points>>,
    /// The players who put down a stick.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub riichi: Vec<usize>,
    /// The details of a draw.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub draw: Option<Arc<Draw>>,
    /// The fault for which it was void.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chombo: Option<Arc<Chombo>>,
    /// What it had beside its wins, where play goes on after a win.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub played_on: Option<Arc<PlayedOn>>,
    /// Everybody's total after it, for a chart.
    pub totals: PerPlayer<Points>,
    /// The event that corrected it.
    pub corrected_by: Option<u64>,
}

/// A contradiction since an earlier deal was corrected or undone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// The event that does not fit.
    pub event: u64,
    /// The fault and its cure.
    pub what: String,
}

/// Events in a row that were lost to damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Loss {
    /// The first one.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// The number of deals among them, once a later deal has shown its own number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<u32>,
}

impl TableState {
    /// The name of an item, as in a score.
    pub fn item_name(&self, id: &str) -> String {
        self.item_names.get(id).cloned().unwrap_or_else(|| id.replace('_', " "))
    }

    /// The last deal.
    pub fn last_deal(&self) -> Option<&DealRecord> {
        self.history.last().map(Arc::as_ref)
    }

    /// The deal of an event.
    pub fn record(&self, event: u64) -> Option<&DealRecord> {
        self.history.iter().find(|record| record.event == event).map(Arc::as_ref)
    }

    /// The player at a seat.
    pub fn at_seat(&self, seat: Seat) -> Option<usize> {
        self.players.iter().position(|player| player.seat == seat)
    }

    /// Where the dealer sits, by who sat there in the first deal of the round.
    pub fn dealer_place(&self) -> Seat {
        Seat::ALL[self.passes % self.players.len().max(1)]
    }

    /// Players in the order of play, the dealer first.
    pub fn order(&self) -> Vec<usize> {
        Seat::ALL.into_iter().filter_map(|seat| self.at_seat(seat)).collect()
    }

    /// Players by rank, those disqualified last.
    pub fn standings(&self) -> Vec<&PlayerState> {
        let mut players: Vec<&PlayerState> = self.players.iter().collect();
        players.sort_by_key(|player| (player.rank.unwrap_or(u32::MAX), player.seat));
        players
    }

    /// Whether nothing has happened yet: no deal, no penalty, nobody is out.
    pub fn is_untouched(&self) -> bool {
        self.history.is_empty()
            && self.penalties.is_empty()
            && self.players.iter().all(|player| player.disqualified.is_none())
    }

    /// Whether the table was closed again before anything happened: it is not played.
    pub fn is_closed(&self) -> bool {
        self.over.is_some() && self.is_untouched()
    }

    /// Whether the clock has run out at that time.
    pub fn time_is_up(&self, now: Timestamp) -> bool {
        self.clock.is_some_and(|clock| clock.is_up(now))
    }

    /// Seats everybody as in the first deal.
    pub(super) fn sit_as_at_first(&mut self) {
        for (player, seat) in self.players.iter_mut().zip(Seat::ALL) {
            player.seat = seat;
        }
        (self.passes, self.rounds_played) = (0, 0);
        self.place = DealPlace { number: 1, round: Seat::East, dealer: 0, ..self.place };
    }

    /// A player's gain or loss in a deal, sticks included.
    pub fn change(record: &DealRecord, player: usize) -> Points {
        let sticks = record.sticks_moved.iter().filter_map(|sticks| sticks.get(player)).copied();
        let paid = record.payments.get(player).copied();
        paid.into_iter().chain(sticks).sum()
    }

    /// What a player had before a deal, if that was the last one.
    pub fn before(&self, record: &DealRecord, player: usize) -> Before {
        let had = |(player, of): (usize, &PlayerState)| of.standing - Self::change(record, player);
        let standings: Vec<Points> = self.players.iter().enumerate().map(had).collect();
        let standing = standings.get(player).copied().unwrap_or(Points::ZERO);
        let above = standings.iter().filter(|other| **other > standing).count();
        Before { standing, rank: above as u32 + 1 }
    }

    /// Ranks by standing; level players share one, and the next takes its place after all of them.
    pub(super) fn rank(&mut self) {
        for player in &mut self.players {
            player.standing = player.total - player.penalty_points;
        }
        self.rank_by(|player| player.standing);
    }

    /// Ranks those who are not disqualified by a key.
    pub(super) fn rank_by(&mut self, by: impl Fn(&PlayerState) -> Points) {
        let in_it = self.players.iter().filter(|player| player.disqualified.is_none());
        let compared: Vec<Points> = in_it.map(&by).collect();
        for player in &mut self.players {
            let above = compared.iter().filter(|other| **other > by(player)).count();
            player.rank = player.disqualified.is_none().then_some(above as u32 + 1);
        }
    }
}

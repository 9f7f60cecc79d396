//! The `[session]` table of a rule file: how an evening at the table goes on between the hands.
//!
//! It defines the passing of the deal, the length of a session, seat changes, the play after the clock
//! has run out, the tiles that may not be won on, and the costs of faults.

use indexmap::IndexMap;
use num_rational::Ratio;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Halves, PlacementRules, RuleFileError, file::line_of};
use crate::{points::Points, tile::Seat};

/// The words of those who play a rule set, where they are not those of this program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Terms {
    /// A win by one's own draw: tsumo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_draw: Option<String>,
    /// A win on another's tile: ron.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discard: Option<String>,
    /// The unit of hands: han, fan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faan: Option<String>,
    /// Auxiliary points: fu.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<String>,
}

/// The end of a deal, as far as it affects the passing of the deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealEnd {
    /// Nobody won.
    Draw,
    /// Nobody won, and East was not tenpai.
    DealerNoten,
    /// East won, alone or among several.
    DealerWins,
    /// Others won, East did not.
    OtherWins,
}

/// The play that is allowed once the clock has run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AfterTime {
    /// The deal whose dice have been rolled.
    #[default]
    FinishDeal,
    /// All deals up to the end of the round.
    FinishRound,
    /// Nothing.
    Stop,
}

/// The effect of winning on a tile that was discarded before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeated {
    /// Nothing.
    #[default]
    Free,
    /// It cannot be won on.
    NoWin,
    /// It is a safe tile: everybody pays as for a self-draw.
    Safe,
}

/// Winning on tiles that have been discarded before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DiscardRules {
    /// A tile that the winner has discarded himself in this deal.
    pub own: Repeated,
    /// A tile that anyone has discarded since the winner's last turn.
    pub passed: Repeated,
}

impl DiscardRules {
    /// Whether earlier discards matter at all.
    pub fn matter(self) -> bool {
        self.own != Repeated::Free || self.passed != Repeated::Free
    }
}

/// Point penalties that grow: the first costs `first`, each further one `step` more. They are taken
/// from the standings, never from the table's score.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PenaltyRules {
    /// The cost of the first one; 0: the rules know no point penalties.
    pub first: u32,
    /// The extra cost of each further one.
    pub step: u32,
    /// Whether they are taken from the table's score in place of the standings.
    #[serde(skip_serializing_if = "is_false")]
    pub in_table: bool,
    /// Faults by id.
    pub causes: IndexMap<String, PenaltyCause>,
}

impl PenaltyRules {
    /// The cost of `count` further penalties for a player who has had `before` of them.
    pub fn cost(&self, before: u32, count: u32) -> u64 {
        let [first, step, before, count] = [self.first, self.step, before, count].map(u128::from);
        // Counted from the first one of all: 0, 1, 2 ... steps more.
        let steps = count * before + count * count.saturating_sub(1) / 2;
        u64::try_from(first * count + step * steps).unwrap_or(u64::MAX)
    }

    /// Whether the rules give the cost of any fault.
    pub fn are_known(&self) -> bool {
        self.first > 0 || self.causes.values().any(|cause| cause.points.is_some())
    }

    /// Whether a penalty for that cause is taken from the table's score.
    pub fn is_in_table(&self, cause: Option<&PenaltyCause>) -> bool {
        cause.and_then(|cause| cause.in_table).unwrap_or(self.in_table)
    }
}

/// A fault that costs points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PenaltyCause {
    /// The description for people.
    #[serde(default)]
    pub about: String,
    /// The number of penalties as which it counts.
    #[serde(default = "one")]
    pub counts: u32,
    /// Its cost, where that does not grow with each penalty.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// Whether it is taken from the table's score, where it differs from the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub in_table: Option<bool>,
    /// Whether the hand is dead, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub dead_hand: bool,
}

fn one() -> u32 {
    1
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// The winners, of several, who get something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaidWinners {
    /// Each of them.
    #[default]
    Each,
    /// The first in turn after the giver of the tile.
    First,
}

/// Counters on the table (honba). The value of one is in `[payment]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CounterRules {
    /// The ends of a deal after which there is one more; after others there are no counters. Empty: not played.
    pub after: Vec<DealEnd>,
    /// The winners, of several, who get them.
    pub several: PaidWinners,
}

/// The use of the sticks left on the table when the session is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Leftover {
    /// The first takes them.
    #[default]
    First,
    /// Nobody has them.
    Lost,
}

/// Sticks that players put on the table (riichi). The value of one is in `[payment]`; 0: not
/// played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StickRules {
    /// Whether each of several winners takes his own stick back; all others go to the first in turn
    /// after the giver of the tile.
    pub own_back: bool,
    /// Whether a player needs the points of the stick that he puts down.
    pub needs_points: bool,
    /// The use of those left at the end.
    pub leftover: Leftover,
}

impl Default for StickRules {
    fn default() -> Self {
        Self { own_back: true, needs_points: false, leftover: Leftover::First }
    }
}

/// Deals that nobody wins.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct DrawRules {
    /// The points that players who are not tenpai pay together to those who are; 0: nothing.
    pub tenpai_pot: u32,
    /// The score that a player gets, as for a self-draw, whose discards were all terminals and honors
    /// and none of them claimed; 0: not played.
    pub nagashi: u32,
    /// The causes that end a deal before the wall does, by id: nothing is paid and East stays. A file that extends
    /// another leaves out a cause of that by an empty description.
    #[serde(deserialize_with = "without_empty")]
    pub abortive: IndexMap<String, String>,
    /// The players who have declared riichi when a cause of `abortive` ends a deal, by its id; 0: it is no part of it.
    #[serde(deserialize_with = "without_empty")]
    pub riichi: IndexMap<String, usize>,
}

/// Entries without those that a file has emptied, as it cannot take them out of the one that it extends.
fn without_empty<'de, D, T>(deserializer: D) -> Result<IndexMap<String, T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default + PartialEq,
{
    let mut entries = IndexMap::<String, T>::deserialize(deserializer)?;
    entries.retain(|_, value| *value != T::default());
    Ok(entries)
}

impl DrawRules {
    /// What each tenpai player gets, and each other one pays, after the wall was used up; `None` where an amount is no
    /// number of points.
    pub fn paid(&self, tenpai: usize, players: usize) -> Option<(Points, Points)> {
        if !(1..players).contains(&tenpai) {
            return Some((Points::ZERO, Points::ZERO));
        }
        let part = |by: usize| Points::of(Ratio::new(i64::from(self.tenpai_pot), by as i64));
        Some((part(tenpai)?, part(players - tenpai)?))
    }
}

/// A fault for which the deal is void, and played again (chombo).
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChomboRules {
    /// Its cost in the standings, after the placement bonus.
    pub standings: u32,
    /// The score whose self-draw is paid the wrong way round, to all others.
    pub score: u32,
    /// Faults by id.
    pub causes: IndexMap<String, String>,
}

impl ChomboRules {
    /// Whether there are such faults.
    pub fn are_known(&self) -> bool {
        self.standings > 0 || self.score > 0
    }
}

/// The ends of a session besides its rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EndRules {
    /// Whether a last dealer who has kept the deal and leads does not deal again. A deal that is drawn before the
    /// wall is used up is always played again.
    pub leader_stops: bool,
    /// Whether the session ends when somebody has less than nothing.
    pub bust: bool,
    /// The most extra rounds, played while nobody has the points that `placement` compares with: they end when the
    /// deal passes and somebody has them, or when East keeps it and leads with them.
    pub extension: u32,
}

/// A new player's own minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandicapRules {
    /// The minimum before his first win.
    pub start: Halves,
    /// The rise after each of his wins, up to everybody's minimum.
    pub step: Halves,
}

/// The rules for three players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ThreePlayerRules {
    /// Tiles of the wall that are set aside.
    pub tiles_aside: u8,
}

/// Where everyone goes when seats change: from the seat that is the key.
pub type SeatChange = IndexMap<Seat, Seat>;

/// The rules of a session between the hands.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SessionRules {
    /// Whether a table under these rules can be kept: whether all that happens between the hands is
    /// known here.
    pub kept: bool,
    /// Each player's starting points.
    pub initial_points: u32,
    /// The ends of a deal after which it passes to the next player.
    pub deal_passes: Vec<DealEnd>,
    /// The number of the dealer's wins in a row after which the deal passes although he has won; left out: he keeps it.
    pub dealer_wins: Option<u32>,
    /// The number of rounds; in each, everybody deals until the deal passes.
    pub rounds: u32,
    /// The number of deals where there are no rounds: the first winner deals next, of several on one tile their giver,
    /// and without a winner the same player. Left out: `rounds` are played.
    pub deals: Option<u32>,
    /// Seat changes: the first after the first round, and so on. Winds, of four players.
    pub seat_changes: Vec<SeatChange>,
    /// The length of the clock in minutes; left out: no clock.
    pub clock_minutes: Option<u32>,
    /// The play that is allowed after that.
    pub after_time: AfterTime,
    /// Winning on tiles discarded before.
    pub discards: DiscardRules,
    /// The most winners on one tile.
    pub most_winners: u8,
    /// Counters on the table.
    pub counters: CounterRules,
    /// Sticks on the table.
    pub sticks: StickRules,
    /// Deals that nobody wins.
    pub draw: DrawRules,
    /// Faults for which a deal is void.
    pub chombo: ChomboRules,
    /// The ends of a session besides its rounds.
    pub end: EndRules,
    /// The values of places at the end.
    pub placement: Option<PlacementRules>,
    /// Point penalties.
    pub penalties: PenaltyRules,
    /// The causes of a dead hand, by id; empty: the rules know no dead hands.
    pub dead_hands: IndexMap<String, String>,
    /// The causes of a void claim, by id.
    pub void_claims: IndexMap<String, String>,
    /// New players' own minimum.
    pub handicap: Option<HandicapRules>,
    /// The rules for three players.
    pub three_players: ThreePlayerRules,
    /// The wall, for people: whether some of it stays, where replacements come from.
    pub wall: Option<String>,
}

impl Default for SessionRules {
    /// The session of a rule file without `[session]`: four rounds, the deal passes on a draw and when
    /// another than the dealer wins.
    fn default() -> Self {
        Self {
            kept: true,
            initial_points: 0,
            deal_passes: vec![DealEnd::Draw, DealEnd::OtherWins],
            dealer_wins: None,
            rounds: 4,
            deals: None,
            seat_changes: Vec::new(),
            clock_minutes: None,
            after_time: AfterTime::default(),
            discards: DiscardRules::default(),
            most_winners: 3,
            counters: CounterRules::default(),
            sticks: StickRules::default(),
            draw: DrawRules::default(),
            chombo: ChomboRules::default(),
            end: EndRules::default(),
            placement: None,
            penalties: PenaltyRules::default(),
            dead_hands: IndexMap::new(),
            void_claims: IndexMap::new(),
            handicap: None,
            three_players: ThreePlayerRules::default(),
            wall: None,
        }
    }
}

impl SessionRules {
    /// Whether the tenpai players of a draw have to be given.
    pub fn asks_for_tenpai(&self) -> bool {
        let ends = [&self.deal_passes, &self.counters.after];
        self.draw.tenpai_pot > 0 || ends.iter().any(|ends| ends.contains(&DealEnd::DealerNoten))
    }

    /// The most rounds that a file may ask for.
    const MOST_ROUNDS: u32 = 1_000;
    /// The most points of any cost or start.
    pub(super) const MOST_POINTS: u32 = 1_000_000;

    /// Checks the values for contradictions.
    pub(super) fn check(&self, text: &str) -> Result<(), RuleFileError> {
        let wrong = |key: &str, problem: &str| {
            Err(RuleFileError::Key {
                line: line_of(text, key),
                key: format!("session.{key}"),
                problem: problem.to_owned(),
            })
        };
        if !(1..=Self::MOST_ROUNDS).contains(&self.rounds) {
            return wrong("rounds", "must be 1 to 1000");
        }
        if self.deals.is_some_and(|deals| !(1..=Self::MOST_ROUNDS).contains(&deals)) {
            return wrong("deals", "must be 1 to 1000");
        }
        if self.deal_passes.is_empty() {
            return wrong("deal_passes", "names nothing: the deal would never pass");
        }
        if self.dealer_wins == Some(0) {
            return wrong("dealer_wins", "must be at least 1");
        }
        if self.initial_points > Self::MOST_POINTS {
            return wrong("initial_points", "is more than a million");
        }
        let PenaltyRules { first, step, in_table: _, ref causes } = self.penalties;
        let fixed = causes.values().filter_map(|cause| cause.points);
        if fixed.chain([first, step]).max() > Some(Self::MOST_POINTS) {
            return wrong("penalties", "costs more than a million");
        }
        if causes.values().any(|cause| !(1..=10).contains(&cause.counts)) {
            return wrong("counts", "must be 1 to 10");
        }
        if !(1..=3).contains(&self.most_winners) {
            return wrong("most_winners", "must be 1 to 3");
        }
        let DrawRules { tenpai_pot, nagashi, ref abortive, ref riichi } = self.draw;
        if riichi.iter().any(|(cause, count)| !abortive.contains_key(cause) || *count > 4) {
            return wrong("riichi", "names causes of `abortive` with at most 4 players each");
        }
        for (key, points) in [("tenpai_pot", tenpai_pot), ("nagashi", nagashi)] {
            if points > Self::MOST_POINTS {
                return wrong(key, "is more than a million");
            }
            // A pot is shared by one to three, and scores are halves.
            if points > 50_000 && key == "nagashi" {
                return wrong(key, "is more than 50000");
            }
        }
        if self.chombo.standings > Self::MOST_POINTS || self.chombo.score > 50_000 {
            return wrong("chombo", "costs more than a million, or scores more than 50000");
        }
        if self.end.extension > Self::MOST_ROUNDS {
            return wrong("extension", "must be 0 to 1000");
        }
        if self.end.extension > 0 && self.placement.is_none() {
            return wrong(
                "extension",
                "needs `placement`: its return_points are what is played for",
            );
        }
        if let Some((key, problem)) = self.placement.and_then(|it| it.wrong(self.initial_points)) {
            return wrong(key, problem);
        }
        if causes.values().any(|cause| cause.about.is_empty()) {
            return wrong("causes", "has one without `about`: say what it is");
        }
        let all_go_somewhere = |change: &SeatChange| {
            Seat::ALL
                .iter()
                .all(|seat| change.contains_key(seat) && change.values().any(|place| place == seat))
        };
        if !self.seat_changes.iter().all(all_go_somewhere) {
            return wrong(
                "seat_changes",
                "each must send E, S, W and N to different seats, such as { E = \"S\", S = \"E\", W = \"N\", N = \"W\" }",
            );
        }
        Ok(())
    }
}

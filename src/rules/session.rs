//! The `[session]` table of a rule file: how an evening at the table goes on between the hands.
//!
//! When the deal passes, how long a session is, who changes seats with whom, what a clock that runs
//! out leaves to be played, what tiles may not be won on, which faults cost what.

use std::fmt::Write as _;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{Halves, RuleFileError, file::line_of};
use crate::tile::Seat;

/// How a deal ended, as far as the passing of the deal goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DealEnd {
    /// Nobody won.
    Draw,
    /// East won, alone or among several.
    DealerWins,
    /// Others won, East did not.
    OtherWins,
}

/// What may be played once the clock has run out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
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

/// What it means to win on a discard that has been out already.
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
    /// Whether what has been discarded matters at all.
    pub fn matter(self) -> bool {
        self.own != Repeated::Free || self.passed != Repeated::Free
    }
}

/// Point penalties that grow: the first costs `first`, each further one `step` more. They are taken
/// from the standings, never from the table's score.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PenaltyRules {
    /// What the first one costs; 0: the rules know no point penalties.
    pub first: u32,
    /// What each further one costs more.
    pub step: u32,
    /// Faults by id.
    pub causes: IndexMap<String, PenaltyCause>,
}

impl PenaltyRules {
    /// What `count` further penalties cost one who has had `before` of them.
    pub fn cost(&self, before: u32, count: u32) -> u64 {
        let [first, step, before, count] = [self.first, self.step, before, count].map(u128::from);
        // Counted from the first one of all: 0, 1, 2 ... steps more.
        let steps = count * before + count * count.saturating_sub(1) / 2;
        u64::try_from(first * count + step * steps).unwrap_or(u64::MAX)
    }
}

/// A fault that costs points.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PenaltyCause {
    /// For people.
    pub about: String,
    /// As how many penalties it counts.
    #[serde(default = "one")]
    pub counts: u32,
}

fn one() -> u32 {
    1
}

/// A new player's own minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandicapRules {
    /// Before his first win.
    pub start: Halves,
    /// So much more after each of his wins, up to the minimum of all.
    pub step: Halves,
}

/// Three at the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ThreePlayerRules {
    /// Tiles of the wall that are set aside.
    pub tiles_aside: u8,
}

/// Where everyone goes when seats change: from the seat that is the key.
pub type SeatChange = IndexMap<Seat, Seat>;

/// How a session goes on between the hands.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SessionRules {
    /// Whether a table under these rules can be kept: whether all that happens between the hands is
    /// known here.
    pub kept: bool,
    /// What each player starts with.
    pub initial_points: u32,
    /// After what the deal passes to the next player.
    pub deal_passes: Vec<DealEnd>,
    /// How many rounds; in one, everybody deals until the deal passes.
    pub rounds: u32,
    /// Seat changes: the first after the first round, and so on. Winds, of four players.
    pub seat_changes: Vec<SeatChange>,
    /// How long the clock runs; none where this is left out.
    pub clock_minutes: Option<u32>,
    /// What may still be played then.
    pub after_time: AfterTime,
    /// Winning on tiles discarded before.
    pub discards: DiscardRules,
    /// Point penalties.
    pub penalties: PenaltyRules,
    /// What makes a hand dead, by id; none: the rules know no dead hands.
    pub dead_hands: IndexMap<String, String>,
    /// What makes a claim void, by id.
    pub void_claims: IndexMap<String, String>,
    /// New players' own minimum.
    pub handicap: Option<HandicapRules>,
    /// Three at the table.
    pub three_players: ThreePlayerRules,
}

impl Default for SessionRules {
    /// What a rule file plays that says nothing: four rounds, the deal passes on a draw and when
    /// another than the dealer wins.
    fn default() -> Self {
        Self {
            kept: true,
            initial_points: 0,
            deal_passes: vec![DealEnd::Draw, DealEnd::OtherWins],
            rounds: 4,
            seat_changes: Vec::new(),
            clock_minutes: None,
            after_time: AfterTime::default(),
            discards: DiscardRules::default(),
            penalties: PenaltyRules::default(),
            dead_hands: IndexMap::new(),
            void_claims: IndexMap::new(),
            handicap: None,
            three_players: ThreePlayerRules::default(),
        }
    }
}

impl SessionRules {
    /// The most rounds that a file may ask for.
    const MOST_ROUNDS: u32 = 1_000;
    /// The most points that anything may cost or begin with.
    const MOST_POINTS: u32 = 1_000_000;

    /// Looks for what makes no sense.
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
        if self.deal_passes.is_empty() {
            return wrong("deal_passes", "names nothing: the deal would never pass");
        }
        if self.initial_points > Self::MOST_POINTS {
            return wrong("initial_points", "is more than a million");
        }
        let PenaltyRules { first, step, ref causes } = self.penalties;
        if first.max(step) > Self::MOST_POINTS {
            return wrong("penalties", "costs more than a million");
        }
        if causes.values().any(|cause| !(1..=10).contains(&cause.counts)) {
            return wrong("counts", "must be 1 to 10");
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

    /// The section of a rule set's page.
    pub(super) fn write_page(&self, page: &mut String) -> std::fmt::Result {
        writeln!(page, "## Session\n")?;
        if !self.kept {
            return writeln!(
                page,
                "A table under these rules is not kept yet: hands are scored one by one.\n"
            );
        }
        let ends: Vec<&str> = (self.deal_passes.iter())
            .map(|end| match end {
                DealEnd::Draw => "a draw",
                DealEnd::DealerWins => "a win of East's",
                DealEnd::OtherWins => "a win of another's",
            })
            .collect();
        writeln!(
            page,
            "- Everybody starts with {}. {} rounds; the deal passes after {}.",
            self.initial_points,
            self.rounds,
            ends.join(", ")
        )?;
        for (round, change) in self.seat_changes.iter().enumerate() {
            let moves: Vec<String> =
                change.iter().map(|(from, to)| format!("{from} to {to}")).collect();
            writeln!(page, "- Seats after round {}: {}.", round + 1, moves.join(", "))?;
        }
        if let Some(minutes) = self.clock_minutes {
            let after = match self.after_time {
                AfterTime::FinishDeal => "the deal being played is finished, none is started",
                AfterTime::FinishRound => "the round is finished",
                AfterTime::Stop => "play stops",
            };
            writeln!(page, "- Clock: {minutes} minutes; then {after}.")?;
        }
        let repeated = |what: Repeated| match what {
            Repeated::Free => None,
            Repeated::NoWin => Some("cannot be won on"),
            Repeated::Safe => Some("is safe"),
        };
        if let Some(what) = repeated(self.discards.own) {
            writeln!(page, "- A tile that the winner discarded himself in this deal {what}.")?;
        }
        if let Some(what) = repeated(self.discards.passed) {
            writeln!(page, "- A tile discarded since the winner's last turn {what}.")?;
        }
        if let Some(handicap) = self.handicap {
            writeln!(
                page,
                "- A new player's minimum starts at {} and rises by {} with each of his wins.",
                handicap.start, handicap.step
            )?;
        }
        if self.three_players.tiles_aside > 0 {
            writeln!(page, "- Three players: {} tiles aside.", self.three_players.tiles_aside)?;
        }
        if self.penalties.first > 0 {
            writeln!(
                page,
                "- Point penalties, from the standings: {}, each further one {} more.",
                self.penalties.first, self.penalties.step
            )?;
        }
        for (id, cause) in &self.penalties.causes {
            let counts = if cause.counts == 1 {
                String::new()
            } else {
                format!(" (counts {} times)", cause.counts)
            };
            writeln!(page, "  - `{id}`: {}{counts}", cause.about)?;
        }
        for (title, causes) in [
            ("A dead hand cannot win", &self.dead_hands),
            ("A void claim is ignored", &self.void_claims),
        ] {
            if !causes.is_empty() {
                writeln!(page, "- {title}:")?;
            }
            for (id, about) in causes {
                writeln!(page, "  - `{id}`: {about}")?;
            }
        }
        writeln!(page)
    }
}

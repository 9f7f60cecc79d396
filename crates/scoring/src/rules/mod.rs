//! The value of a hand and its payments: rule sets as data, patterns as predicates.
//!
//! A [`RuleSet`] comes from a preset or a user's TOML file; [`RuleSet::value`] gives the totals of a
//! hand, [`RuleSet::score`] its items too.

mod answer;
mod auxiliary_points;
mod circumstances;
mod combining;
mod compiled;
mod counting;
mod deal;
mod deal_play;
mod deal_request;
mod evidence;
mod explain;
mod facts;
mod fan_kinds;
mod feeder;
mod file;
mod halves;
mod itemise;
mod liability;
mod library;
mod losers;
mod page;
mod page_score;
mod page_session;
mod page_whole_deal;
mod pattern;
mod payment;
mod placement;
mod points_listed;
mod request;
mod rule_set;
#[cfg(feature = "schema")]
mod schemas;
mod score;
mod scoring;
mod session;
mod settlement;
mod shapes;
mod steps;
mod sums;
mod tournament;
mod waits;
mod worth;

pub use answer::{Answer, ErrorKind, Explained, Failure};
pub use circumstances::{
    Circumstances, Contradiction, Indicators, IndicatorsError, Players, Responsible, Win,
};
pub use deal::{
    Deal, DealEffect, DealError, DealEvent, DealOutcome, DealWin, EndHand, FailedStep, Holding,
    KongKind, SettlementEntry, SettlementKind, WonHand,
};
pub use deal_request::{DealAnswer, DealFailure};
pub use explain::{RulingEffect, RunnerUp};
pub use facts::{Fact, Facts};
#[doc(hidden)]
pub use facts::{each_fact, has_facts};
pub use file::{Field, RuleFileError, UnitName};
pub use halves::{Halves, HalvesError};
pub use library::{Library, ReadFile, Reply};
pub use losers::{Loser, LoserScore};
#[doc(hidden)]
pub use page::{combinations, patterns};
pub use payment::Payments;
#[doc(hidden)]
pub use placement::{PlacementRules, Uma};
pub use points_listed::PointItem;
pub use request::{Request, RequestError};
pub use rule_set::{PRESETS, RuleSet, Ruling};
#[cfg(feature = "schema")]
pub use schemas::{hand_request, score_answer, score_request};
pub use score::{LeftOut, NoWin, Score, ScoreError, ScoredItem, Value};
#[doc(hidden)]
pub use session::{
    AfterTime, ChomboRules, CounterRules, DealEnd, DiscardRules, DrawRules, EndRules,
    HandicapRules, Leftover, PaidWinners, PenaltyCause, PenaltyRules, Repeated, SeatChange,
    SessionRules, StickRules, Terms, ThreePlayerRules,
};
pub use settlement::{LoserAnswer, LoserEffect, LosingHands};
pub use steps::{ScoreStep, StepKind};
#[doc(hidden)]
pub use tournament::{Level, RankBy, TournamentRules};
pub use waits::{Wait, WaitsError};
pub use worth::{Worth, WorthError};

//! A table that is opened: its players and rules, and its state before the first deal.

use std::sync::{Arc, LazyLock};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{DealPlace, Discards, PlayerState, Seated, TableError, TableState, fold::Folded};
use crate::{
    points::Points,
    rules::{AfterTime, Library, PenaltyRules, RuleSet},
    tile::Seat,
};

/// The players and rules of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Opened {
    /// A name for the table, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The rule set's id.
    pub rules: String,
    /// The text of the rule file, where it is no preset: a ledger needs no other file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_file: Option<String>,
    /// Rulings chosen, ids and choices.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rulings: Vec<(String, String)>,
    /// The players at East, South, West and North in the first deal.
    pub players: Vec<Seated>,
    /// Everybody's starting points; the rule set's points where this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Points>,
    /// Its round and table in the tournament of the same ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sitting: Option<Sitting>,
    /// The tournament's point penalties; the rule set's where this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub penalties: Option<PenaltyRules>,
    /// The tournament's clock; the rule set's where this is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<SessionClock>,
}

impl Opened {
    /// A table that begins under rules, with nothing else decided. A preset stays a name; `is_preset` is false for the rules
    /// of a file, which the ledger keeps as they are.
    pub fn under(
        rules: &RuleSet,
        is_preset: bool,
        rulings: Vec<(String, String)>,
        players: Vec<Seated>,
    ) -> Self {
        Self {
            title: None,
            rules: rules.id.clone(),
            rule_file: (!is_preset).then(|| rules.to_toml()),
            rulings,
            players,
            initial: None,
            sitting: None,
            penalties: None,
            clock: None,
        }
    }
}

/// The length of a session's clock, and the play allowed after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SessionClock {
    /// Its length in minutes.
    pub minutes: u32,
    /// The play that is allowed after that.
    pub then: AfterTime,
}

/// A table's place in a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sitting {
    /// The round, from 1.
    pub round: usize,
    /// The table in it, from 1.
    pub table: usize,
}

/// The rule set that a table was opened with.
pub(crate) fn rules_of(opened: &Opened) -> Result<Arc<RuleSet>, TableError> {
    static PRESETS: LazyLock<Library> = LazyLock::new(Library::default);
    let rulings = || opened.rulings.iter().map(|(id, choice)| (id.as_str(), choice.as_str()));
    let rules = match &opened.rule_file {
        Some(text) => RuleSet::parse(text)
            .and_then(|rules| rules.with_rulings(rulings()))
            .map(Arc::new)
            .map_err(|error| TableError::Rules(error.to_string())),
        None => {
            let rulings: Vec<_> = rulings()
                .map(|(id, choice)| (id.to_owned().into(), choice.to_owned().into()))
                .collect();
            PRESETS.rule_set(&opened.rules, &rulings).map_err(TableError::Rules)
        }
    }?;
    if !rules.session().kept {
        return Err(TableError::Rules(format!(
            "a table under `{}` is not kept yet: score its hands one by one with `tilelens score`, or \
             choose another rule set",
            rules.id
        )));
    }
    Ok(rules)
}

/// Checks the number of players against the rules.
pub(super) fn check_seats(seated: usize, rules: &RuleSet) -> Result<(), TableError> {
    let (four, three) = (rules.four_players(), rules.three_players());
    if (seated == 4 && four) || (seated == 3 && three) {
        return Ok(());
    }
    let played_by = match (four, three) {
        (true, true) => "four or three",
        (false, _) => "three only",
        (true, false) => "four only",
    };
    Err(TableError::Players { rules: rules.id.clone(), seated, played_by })
}

impl Folded {
    /// The state of a table once it is open.
    pub(super) fn new(table: u32, seq: u64, opened: &Opened) -> Result<Self, TableError> {
        let rules = rules_of(opened)?;
        let session = rules.session();
        let seated = opened.players.len();
        check_seats(seated, &rules)?;
        let initial = opened.initial.unwrap_or(Points::whole(session.initial_points));
        let players: Vec<PlayerState> = (opened.players.iter().zip(Seat::ALL))
            .map(|(player, seat)| PlayerState::new(player, seat, initial))
            .collect();
        let state = TableState {
            table,
            title: opened.title.clone(),
            sitting: opened.sitting,
            initial,
            rules: rules.id.clone(),
            rules_name: rules.name.clone(),
            terms: rules.terms().cloned(),
            item_names: rules.item_names().into(),
            players,
            place: DealPlace {
                number: 1,
                round: Seat::East,
                dealer: 0,
                honba: (!session.counters.after.is_empty()).then_some(0),
                sticks: (rules.stick() > 0).then_some(0),
            },
            repeat: (!session.counters.after.is_empty()).then_some(0),
            rounds_played: 0,
            rounds: if session.deals.is_some() { 1 } else { session.rounds },
            deals: session.deals,
            over: None,
            leftover: None,
            clock: None,
            tiles_aside: if seated == 3 { session.three_players.tiles_aside } else { 0 },
            discards: Discards::Unknown,
            last_event: seq,
            history: Vec::new(),
            penalties: Vec::new(),
            clock_event: None,
            problems: Vec::new(),
            lost: Vec::new(),
            adrift: false,
            passes: 0,
        };
        let mut folded = Self { opened: opened.clone(), rules, state, unproven_until: 0 };
        folded.set_minimums();
        Ok(folded)
    }
}

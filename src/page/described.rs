//! Rule sets as JSON for pages: their words, their rulings, and the fields of a hand, a draw or a fault.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{
    rules::{Fact, RuleSet, Terms},
    words::LANGUAGES,
};

/// The rule sets to choose from, with their rulings and the fields that they need, and the facts of a win that any of them
/// may count.
#[derive(Serialize, JsonSchema)]
pub struct RulesList<'a> {
    rules: Vec<DescribedRules<'a>>,
    facts: Vec<DescribedFact>,
}

/// A fact of a win that is true or false.
#[derive(Serialize, JsonSchema)]
struct DescribedFact {
    /// Its field in a request.
    name: &'static str,
    /// Its label, by language.
    label: BTreeMap<&'static str, &'static str>,
}

/// A rule set with its rulings as chosen. Lists keep the order of the rule file.
#[derive(Serialize, JsonSchema)]
pub struct DescribedRules<'a> {
    id: &'a str,
    name: &'a str,
    about: &'a str,
    rulings: Vec<DescribedRuling<'a>>,
    /// The unit of its items, of several.
    unit: &'static str,
    /// The words of those who play it, where they have their own.
    terms: Option<&'a Terms>,
    /// The fields of a request that it knows.
    fields: Vec<&'static str>,
    /// Whether it is played with flowers.
    bonus_tiles: bool,
    /// The value of a stick on the table; 0 where sticks are not played.
    stick: u32,
    /// Whether discards matter for a win.
    discards: bool,
    draw: DrawQuestions<'a>,
    /// Whether play goes on after a win.
    plays_on: bool,
    /// The causes for which a deal is void; null where none is.
    chombo: Option<Vec<Cause<'a>>>,
    /// The causes of penalties; null where there are none.
    penalties: Option<Vec<PenaltyFor<'a>>>,
    dead_hands: Vec<Cause<'a>>,
    void_claims: Vec<Cause<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct DescribedRuling<'a> {
    id: &'a str,
    about: &'a str,
    chosen: &'a str,
    /// Every choice, the default first.
    choices: &'a [String],
}

/// What is asked of a deal that nobody won.
#[derive(Serialize, JsonSchema)]
struct DrawQuestions<'a> {
    /// Who was tenpai.
    tenpai: bool,
    /// Whose discards were all unclaimed terminals and honors.
    nagashi: bool,
    /// The causes that end a deal early.
    abortive: Vec<Cause<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct Cause<'a> {
    id: &'a str,
    about: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct PenaltyFor<'a> {
    id: &'a str,
    about: &'a str,
    /// Its cost, where that does not grow with each penalty.
    points: Option<u32>,
}

fn causes(causes: &IndexMap<String, String>) -> Vec<Cause<'_>> {
    causes.iter().map(|(id, about)| Cause { id, about }).collect()
}

impl RulesList<'static> {
    /// The presets.
    #[must_use]
    pub fn presets() -> Self {
        let fact = |fact: &Fact| DescribedFact {
            name: fact.name(),
            label: LANGUAGES.into_iter().zip(fact.label()).collect(),
        };
        Self {
            rules: RuleSet::presets().map(DescribedRules::of).collect(),
            facts: Fact::ALL.iter().map(fact).collect(),
        }
    }
}

impl<'a> DescribedRules<'a> {
    /// The words, rulings and fields of a rule set.
    #[must_use]
    pub fn of(rules: &'a RuleSet) -> Self {
        let session = rules.session();
        let ruling = rules.rulings().iter().map(|ruling| DescribedRuling {
            id: &ruling.id,
            about: &ruling.about,
            chosen: &ruling.chosen,
            choices: &ruling.choices,
        });
        let penalties = session.penalties.causes.iter();
        let penalties = penalties.map(|(id, cause)| PenaltyFor {
            id,
            about: &cause.about,
            points: cause.points,
        });
        Self {
            id: &rules.id,
            name: &rules.name,
            about: &rules.about,
            rulings: ruling.collect(),
            unit: rules.unit.word(),
            terms: rules.terms().map(AsRef::as_ref),
            fields: rules.fields().collect(),
            bonus_tiles: rules.plays_bonus_tiles(),
            stick: rules.stick(),
            discards: session.discards.matter(),
            draw: DrawQuestions {
                tenpai: session.asks_for_tenpai(),
                nagashi: session.draw.nagashi > 0,
                abortive: causes(&session.draw.abortive),
            },
            plays_on: rules.plays_on(),
            chombo: session.chombo.are_known().then(|| causes(&session.chombo.causes)),
            penalties: session.penalties.are_known().then(|| penalties.collect()),
            dead_hands: causes(&session.dead_hands),
            void_claims: causes(&session.void_claims),
        }
    }
}

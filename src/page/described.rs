//! A rule set for pages: its words, its rulings, and the fields of a hand, a draw or a fault.

use indexmap::IndexMap;
use serde::Serialize;

use crate::rules::{RuleSet, Terms};

/// The rule set with its rulings as chosen. Lists keep the order of the rule file.
#[derive(Clone, Debug, Serialize)]
pub struct Described<'a> {
    id: &'a str,
    name: &'a str,
    about: &'a str,
    rulings: Vec<DescribedRuling<'a>>,
    unit: &'static str,
    terms: Option<&'a Terms>,
    fields: Vec<&'static str>,
    bonus_tiles: bool,
    stick: u32,
    discards: bool,
    draw: DescribedDraw<'a>,
    chombo: Option<Vec<Cause<'a>>>,
    penalties: Option<Vec<Cause<'a>>>,
    dead_hands: Vec<Cause<'a>>,
    void_claims: Vec<Cause<'a>>,
}

#[derive(Clone, Debug, Serialize)]
struct DescribedRuling<'a> {
    id: &'a str,
    about: &'a str,
    chosen: &'a str,
    choices: &'a [String],
}

/// What is asked about a draw.
#[derive(Clone, Debug, Serialize)]
struct DescribedDraw<'a> {
    tenpai: bool,
    nagashi: bool,
    abortive: Vec<Cause<'a>>,
}

/// A cause of a fault or of a draw; `points`: what a penalty costs, or null where they grow.
#[derive(Clone, Debug, Serialize)]
struct Cause<'a> {
    id: &'a str,
    about: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Option<u32>>,
}

impl<'a> Described<'a> {
    /// The rule set for a page.
    pub fn of(rules: &'a RuleSet) -> Self {
        let session = rules.session();
        let ruling = |ruling: &'a crate::rules::Ruling| DescribedRuling {
            id: &ruling.id,
            about: &ruling.about,
            chosen: &ruling.chosen,
            choices: &ruling.choices,
        };
        let penalties = session.penalties.causes.iter();
        let penalties = penalties.map(|(id, cause)| Cause {
            id,
            about: &cause.about,
            points: Some(cause.points),
        });
        Self {
            id: &rules.id,
            name: &rules.name,
            about: &rules.about,
            rulings: rules.rulings().iter().map(ruling).collect(),
            unit: rules.unit.word(),
            terms: rules.terms().map(AsRef::as_ref),
            fields: rules.fields().collect(),
            bonus_tiles: rules.plays_bonus_tiles(),
            stick: rules.stick(),
            discards: session.discards.matter(),
            draw: DescribedDraw {
                tenpai: session.asks_for_tenpai(),
                nagashi: session.draw.nagashi > 0,
                abortive: causes(&session.draw.abortive),
            },
            chombo: session.chombo.are_known().then(|| causes(&session.chombo.causes)),
            penalties: session.penalties.are_known().then(|| penalties.collect()),
            dead_hands: causes(&session.dead_hands),
            void_claims: causes(&session.void_claims),
        }
    }
}

fn causes(causes: &IndexMap<String, String>) -> Vec<Cause<'_>> {
    causes.iter().map(|(id, about)| Cause { id, about, points: None }).collect()
}

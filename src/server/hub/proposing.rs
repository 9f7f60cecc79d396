//! What the record of the table says of a win: filled in where it is certain, shown where it is not. What the operator says
//! overrules it, and nothing more is filled in for that deal then.

use std::time::Instant;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::{Hub, HubState, decisions::over};
use crate::{
    recorder::{Standing, TileBefore, WonHand},
    rules::{Fact, Library, RuleSet},
    server::{Context, Phase},
    tile::Seat,
};

/// A win as the record has it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ProposedWin {
    /// The fields of the context that say it.
    pub fields: Map<String, Value>,
    /// Nothing of it is in doubt.
    pub certain: bool,
    /// The context says the same.
    pub taken: bool,
}

/// What the record proposes, and what has become of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Proposals {
    /// How the deal at the table stands.
    standing: Option<Standing>,
    filled: Option<FilledIn>,
    /// The deal of which the operator has said how it was won.
    overruled: Option<u64>,
    /// The deal that is over for the operator.
    over: Option<u64>,
}

/// What was filled in.
#[derive(Clone, Debug)]
struct FilledIn {
    /// The recorder's number of the deal.
    deal: u64,
    fields: Map<String, Value>,
    /// The context's fields before.
    before: Map<String, Value>,
}

impl Proposals {
    fn deal(&self) -> Option<u64> {
        self.standing.as_ref().map(|standing| standing.deal)
    }

    /// The hand on show was entered, or rejected: it is not proposed again. A deal that has begun since is.
    pub fn end(&mut self) {
        let shown = self.standing.as_ref().filter(|standing| standing.won.is_some());
        let filled = self.filled.take().map(|filled| filled.deal);
        self.over = filled.or(shown.map(|standing| standing.deal)).or(self.over);
    }

    /// The hand that was filled in is gone.
    pub fn forget(&mut self) {
        let deal = self.filled.take().map(|filled| filled.deal);
        self.over = deal.or(self.over);
    }

    /// The context is another one: what was filled in is no longer followed.
    pub fn set_aside(&mut self) {
        self.filled = None;
    }

    /// Takes in what the operator says of the win; returns what was filled in and goes with it: where winner or way of winning
    /// are others, nothing that the record says of them holds.
    pub fn overrule(&mut self, changes: &Map<String, Value>) -> Map<String, Value> {
        let says_win = self.standing.as_ref().is_some_and(|standing| standing.won.is_some());
        let fields = over();
        let is_own = |field: &String| fields.contains_key(field) || (field == "seat" && says_win);
        if !changes.keys().any(is_own) {
            return Map::new();
        }
        self.overruled = self.deal().or(self.overruled);
        let Some(FilledIn { fields: filled, before, .. }) = self.filled.take() else {
            return Map::new();
        };
        let is_other = |field: &str| {
            changes
                .get(field)
                .is_some_and(|value| filled.get(field).unwrap_or(&Value::Null) != value)
        };
        if ["seat", "win", "from"].into_iter().any(is_other) {
            let kept = ["seat", "win", "from"];
            before.into_iter().filter(|(field, _)| !kept.contains(&field.as_str())).collect()
        } else {
            Map::new()
        }
    }
}

impl Hub {
    /// Takes in how the deal at the table stands by its record.
    pub(in crate::server) fn record_says(&self, standing: Option<Standing>) {
        let mut inner = self.lock();
        let of = |standing: &Option<Standing>| {
            standing.as_ref().map(|it| (it.deal, it.number, it.won.clone(), it.riichi.clone()))
        };
        let [was, is] = [of(&inner.proposals.standing), of(&standing)];
        if was == is {
            return;
        }
        // A table that was swept says nothing more of its deal.
        let says =
            |of: &Option<(_, _, Option<WonHand>, _)>| of.as_ref().is_some_and(|of| of.2.is_some());
        let is_news = says(&was) || says(&is);
        inner.proposals.standing = standing;
        if is_news {
            self.fill_in(&mut inner);
            self.push_seen(&mut inner, Instant::now());
        }
    }

    /// Fills in what is certain, and takes back what no longer is.
    pub(super) fn fill_in(&self, inner: &mut HubState) {
        let Some(deal) = inner.proposals.deal().filter(|deal| inner.may_fill_in(*deal)) else {
            return;
        };
        let filled = inner.proposals.filled.clone().filter(|filled| filled.deal == deal);
        let context = inner.session.context();
        let base = match &filled {
            Some(filled) => context.with(filled.before.clone(), &self.library),
            None => Ok(context.clone()),
        };
        let Ok(base) = base else { return };
        let proposed = inner.proposed(&self.library, &base).filter(|proposed| {
            proposed.certain && (filled.is_some() || base.text("win").is_none())
        });
        let fields = proposed.map(|proposed| proposed.fields);
        if fields.as_ref() == filled.as_ref().map(|filled| &filled.fields) {
            return;
        }
        let (context, filled) = match fields {
            Some(fields) => match base.with(fields.clone(), &self.library) {
                Ok(context) => {
                    let before = base.before(&fields);
                    (context, Some(FilledIn { deal, fields, before }))
                }
                Err(_) => (base, None),
            },
            None => (base, None),
        };
        inner.proposals.filled = filled;
        inner.session.sit(context);
        self.read_again(inner);
        inner.won_hand = inner.hand_shown();
    }
}

impl HubState {
    /// Whether the hand on show is that of the deal at the table, and the operator has not said how it was won.
    fn may_fill_in(&self, deal: u64) -> bool {
        let is_watching = *self.phase() == Phase::Watching;
        let is_free = self.session.also().is_none() && self.session.amends().is_none();
        let is_typed = self.session.context().is_typed();
        let is_open = self.proposals.overruled != Some(deal) && self.proposals.over != Some(deal);
        is_watching && is_free && is_open && !is_typed && self.photo().is_none()
    }

    /// The win as pages show it.
    pub(super) fn proposed_win(&self, library: &Library) -> Option<ProposedWin> {
        let is_watching = *self.phase() == Phase::Watching && self.photo().is_none();
        let is_free = self.session.also().is_none() && self.session.amends().is_none();
        let is_over = self.proposals.deal().is_some_and(|deal| self.proposals.over == Some(deal));
        (is_watching && is_free && !is_over)
            .then(|| self.proposed(library, self.session.context()))?
    }

    /// What the record says of the win under the rules of a context, in its fields.
    fn proposed(&self, library: &Library, context: &Context) -> Option<ProposedWin> {
        let standing = self.proposals.standing.as_ref()?;
        let won = standing.won.as_ref()?;
        let (rules, _) = context.resolve(library).ok()?;
        let number = self.table.as_ref().map(|table| table.place.number);
        // The deal before is still to be entered.
        if rules.plays_on()
            || (number.is_some() && standing.number.is_some() && standing.number != number)
        {
            return None;
        }
        let wind = |player: usize| context.wind_at(*Seat::ALL.get(player)?);
        let mut fields = Map::new();
        let mut set = |field: &str, value: Value| drop(fields.insert(field.to_owned(), value));
        set("seat", json!(wind(won.player)?));
        match won.from {
            Some(giver) => {
                set("win", "discard".into());
                set("from", json!(wind(giver)?));
            }
            None => set("win", "self_draw".into()),
        }
        if let Some(tile) = won.tile {
            set("winning", tile.to_string().into());
        }
        let mut certain = standing.number == number && won.is_known(|fact| uses(&rules, fact));
        for (fact, is) in &won.facts {
            if *is == Some(true) && uses(&rules, *fact) {
                set(fact.name(), true.into());
            }
        }
        if rules.session().discards.matter() && won.from.is_some() {
            let was = won.before.map(|before| match before {
                TileBefore::Own => "own",
                TileBefore::Passed => "passed",
                TileBefore::Fresh => "fresh",
            });
            certain &= was.is_some();
            was.into_iter().for_each(|was| set("tile", was.into()));
        }
        if self.table.is_some() && rules.stick() > 0 {
            let declares = |player: usize| standing.riichi[player] == Some(true);
            let declared: Vec<Seat> = (0..standing.riichi.len())
                .filter(|player| declares(*player))
                .filter_map(wind)
                .collect();
            let said = context.riichi_by();
            // Who has declared is the operator's to say, once somebody is ticked.
            let agrees = said.is_empty()
                || (said.len() == declared.len()
                    && said.iter().all(|wind| declared.contains(wind)));
            certain &= agrees && standing.riichi.iter().all(Option::is_some);
            fields.remove("riichi");
            if said.is_empty() && !declared.is_empty() {
                fields.insert("riichi_by".to_owned(), json!(declared));
            }
        }
        let taken = context.has(&fields);
        Some(ProposedWin { fields, certain, taken })
    }
}

/// Whether rules ask for a fact.
fn uses(rules: &RuleSet, fact: Fact) -> bool {
    rules.fields().any(|field| field == fact.name())
}

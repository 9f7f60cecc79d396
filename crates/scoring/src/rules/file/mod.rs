//! The text form of a rule set: the format of `presets/*.toml` and of a user's house rules.
//!
//! A file may `extends` a preset and change the given keys: tables are merged key by key, anything
//! else is replaced. A ruling's choice is such a change too, kept in the file that it changes.

mod amounts;
mod field;
mod items;

pub(crate) use amounts::{
    CountersFile, CountersPayer, DoublingFile, FishingFile, LosersFile, OpenConcealed, PaymentFile,
    PointsFile, ScoreShare, Split, Splits, StakesFile,
};
use indexmap::IndexMap;
use serde::Deserialize;
use thiserror::Error;
use toml::{Table, Value};

pub use field::Field;
pub(crate) use items::{
    Feeder, FormName, ItemFile, LiabilityFile, MoreFile, Repeats, SetFamily, Takes,
};

use super::{Halves, SessionRules, Terms, TournamentRules, deal::DealRules};

/// An error in a rule file, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RuleFileError {
    /// Not TOML, an unknown key, or a value of the wrong kind.
    #[error("{0}")]
    Syntax(String),
    /// `extends` names no preset.
    #[error("line {line}: extends = \"{name}\": no such rule set; there are {known}")]
    Extends {
        /// The line, from 1.
        line: usize,
        /// The given name.
        name: String,
        /// The presets that exist.
        known: String,
    },
    /// A required key is missing.
    #[error("`{0}` is missing: write it, or say extends = \"mmm\" to start from a preset")]
    Missing(&'static str),
    /// A value that is unknown or does not fit.
    #[error("line {line}, {key}: {problem}")]
    Key {
        /// The line, from 1; 0 where the key comes from the preset that the file extends.
        line: usize,
        /// The key.
        key: String,
        /// The problem and the expected value.
        problem: String,
    },
    /// A ruling or a choice that the set does not have.
    #[error("{0}")]
    Ruling(String),
}

/// A whole rule file. Every key may be left out where the file extends another.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RuleFile {
    pub extends: Option<String>,
    pub id: Option<String>,
    pub name: Option<String>,
    /// The family of rule sets that it belongs to, under which it is listed.
    pub tradition: Option<String>,
    pub about: Option<String>,
    pub source: Option<String>,
    pub unit: Option<UnitName>,
    pub bonus_tiles: Option<BonusTiles>,
    pub forms: Option<Vec<FormName>>,
    /// Forms that only a self-drawn tile completes.
    pub self_drawn_forms: Option<Vec<FormName>>,
    /// The most chows of sets and a pair.
    pub most_chows: Option<u8>,
    /// The most suits of a hand.
    pub most_suits: Option<u8>,
    /// Whether chows may be claimed; they may where this is left out.
    pub claimed_chows: Option<bool>,
    /// The number of sets of a hand beside its pair.
    pub sets: Option<u8>,
    pub minimum: Option<Halves>,
    pub maximum: Option<Halves>,
    pub limit_faan: Option<Halves>,
    /// The score of a limit hand of value 1; where this is given, values of limit hands are multiples.
    pub limit_score: Option<Halves>,
    /// Which limit hands of a hand count.
    pub limit_together: Option<LimitSum>,
    /// Whether the first of equal readings in the order of the items counts.
    pub listed_first: Option<bool>,
    /// The unit of limit hands.
    pub limit_unit: Option<UnitName>,
    /// Whether a limit hand's tiles never count as an ordinary hand, should that be worth more.
    pub limit_alone: Option<bool>,
    /// Whether flowers add their points, doubled for the items of flowers, to a limit hand worth less than the
    /// most, and to a sum of its own.
    pub limit_bonus: Option<bool>,
    /// Which groups the winning tile is tried in.
    pub winning_groups: Option<GroupsName>,
    /// Whether a tile that the winner holds four times counts among the tiles that he waited for.
    pub exhausted_waits: Option<bool>,
    /// Whether red fives are played.
    pub red_fives: Option<bool>,
    /// Whether a flower's replacement is a supplement tile.
    pub flower_supplement: Option<bool>,
    /// Whether a last tile counts for nothing beside a supplement tile or a robbed kong.
    pub last_tile_alone: Option<bool>,
    /// Whether nobody but the giver of the winning tile is liable.
    pub liable_giver: Option<bool>,
    /// The score of hands that have not won.
    pub losers: Option<LosersFile>,
    /// Whether the replacement of a North put aside counts as a supplement tile.
    pub north_supplement: Option<bool>,
    /// Tiles that are not played, as hand text.
    pub missing_tiles: Option<String>,
    /// Winds that everybody may count as his own, as hand text.
    pub shared_winds: Option<String>,
    /// The score of points and faan.
    pub doubling: Option<DoublingFile>,
    pub players: Option<Vec<u8>>,
    pub fields: Option<Vec<Field>>,
    pub table: Option<Vec<(Halves, Halves)>>,
    /// A score that rises evenly with the faan.
    pub stakes: Option<StakesFile>,
    pub points: Option<PointsFile>,
    pub payment: Option<PaymentFile>,
    pub liabilities: Option<IndexMap<String, LiabilityFile>>,
    pub terms: Option<Terms>,
    pub session: Option<SessionRules>,
    pub tournament: Option<TournamentRules>,
    /// A deal with several winners, one after another.
    pub deal: Option<DealRules>,
    pub items: Option<IndexMap<String, ItemFile>>,
    pub rulings: Option<IndexMap<String, RulingFile>>,
}

/// The unit of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum UnitName {
    /// Faan.
    Faan,
    /// Doublings.
    Doubling,
    /// Point values.
    Pv,
    /// Han.
    Han,
    /// Fan of the Mahjong Competition Rules.
    Fan,
    /// Tai of hands of sixteen tiles.
    Tai,
    /// A limit hand's score.
    Limit,
    /// Yakuman: a limit hand's multiple.
    Yakuman,
    /// Points, which are not doubled.
    Points,
}

impl UnitName {
    /// The unit's word beside a number of it; nothing for a limit hand's score.
    pub const fn counted(self, amount: Halves) -> &'static str {
        match self {
            Self::Doubling if amount.is_singular() => "doubling",
            _ => self.word(),
        }
    }

    /// The unit's word, of several; nothing for a limit hand's score.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Faan => "faan",
            Self::Doubling => "doublings",
            Self::Pv => "pv",
            Self::Han => "han",
            Self::Fan => "fan",
            Self::Tai => "tai",
            Self::Yakuman => "yakuman",
            Self::Points => "points",
            Self::Limit => "",
        }
    }
}

/// The limit hands that count where a hand is several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LimitSum {
    /// The first in the file.
    #[default]
    First,
    /// The dearest, of equals the first in the file.
    Best,
    /// All of them.
    Add,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GroupsName {
    /// Where one leaves a pung concealed and another does not.
    #[default]
    ByConcealment,
    /// All of them.
    Every,
}

/// Flowers and seasons: not in the set, in it and counted, in it and ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BonusTiles {
    None,
    Count,
    Ignore,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RulingFile {
    pub about: Option<String>,
    /// Where the choices come from.
    pub source: Option<String>,
    pub default: String,
    /// The changes of each choice in the file; a file that extends another may name a default alone.
    #[serde(default)]
    pub choices: IndexMap<String, Table>,
}

/// Lays changes over a document: tables key by key, anything else replaced. An item's new `value`
/// or `values` takes the place of the earlier value.
pub(crate) fn merge(document: &mut Table, changes: &Table) {
    if changes.contains_key("value") || changes.contains_key("values") {
        for old in ["value", "values", "open", "concealed"] {
            document.remove(old);
        }
    }
    for (key, change) in changes {
        match (document.get_mut(key), change) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            _ => {
                document.insert(key.clone(), change.clone());
            }
        }
    }
}

fn syntax(error: &toml::de::Error) -> RuleFileError {
    RuleFileError::Syntax(error.to_string().trim_end().to_owned())
}

/// The text as a document, checked key by key so that errors carry their line.
pub(crate) fn parse(text: &str) -> Result<(Table, RuleFile), RuleFileError> {
    let file: RuleFile = toml::from_str(text).map_err(|error| syntax(&error))?;
    for (id, ruling) in file.rulings.iter().flatten() {
        for (choice, changes) in &ruling.choices {
            let checked: Result<RuleFile, _> = changes.clone().try_into();
            checked.map_err(|error| RuleFileError::Key {
                line: line_of(text, &format!("\"{id}\"")),
                key: format!("rulings.\"{id}\".choices.{choice}"),
                problem: error.message().to_owned(),
            })?;
        }
    }
    let table = toml::from_str(text).map_err(|error| syntax(&error))?;
    Ok((table, file))
}

/// A merged document as a file.
pub(crate) fn from_table(table: &Table) -> Result<RuleFile, RuleFileError> {
    table.clone().try_into().map_err(|error: toml::de::Error| syntax(&error))
}

/// The line of a key or a name, from 1; 0 where the text does not contain it.
pub(crate) fn line_of(text: &str, needle: &str) -> usize {
    text.lines().position(|line| line.contains(needle)).map_or(0, |line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_value_replaces_the_old_worth() {
        let mut item: Table = toml::from_str("open = 0\nconcealed = 1\nname = \"x\"").unwrap();
        merge(&mut item, &toml::from_str("value = 2").unwrap());
        assert_eq!(item.keys().collect::<Vec<_>>(), ["name", "value"]);
        let mut item: Table = toml::from_str("open = 0\nconcealed = 1").unwrap();
        merge(&mut item, &toml::from_str("concealed = 2").unwrap());
        assert_eq!(item["open"].as_integer(), Some(0));
    }
}

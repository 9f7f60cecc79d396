//! The text form of a rule set: the format of `presets/*.toml` and of a user's house rules.
//!
//! A file may `extends` a preset and change the given keys: tables are merged key by key, anything
//! else is replaced. A ruling's choice is such a change too, kept in the file that it changes.

use std::{fmt, str::FromStr};

use indexmap::IndexMap;
use num_rational::Ratio;
use serde::{Deserialize, Deserializer};
use thiserror::Error;
use toml::{Table, Value};

use super::{Fact, Halves, SessionRules, Terms, TournamentRules, deal::DealRules, each_fact};

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

/// An exact share of a score, written `2` or `1/3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ScoreShare(pub Ratio<i64>);

impl Default for ScoreShare {
    fn default() -> Self {
        Self(Ratio::from_integer(1))
    }
}

impl FromStr for ScoreShare {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        /// The largest parts of a share, small so that the common denominator is.
        const SMALL: (i64, i64) = (1000, 12);
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        let plain = |digits: &str| -> Option<i64> {
            let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            if plain { digits.parse().ok() } else { None }
        };
        match (plain(above), plain(below)) {
            (Some(above), Some(below)) if above <= SMALL.0 && (1..=SMALL.1).contains(&below) => {
                Ok(Self(Ratio::new(above, below)))
            }
            _ => Err(format!("`{text}` is no share, such as 2 or 1/3 (at most 1000, twelfths)")),
        }
    }
}

impl<'de> Deserialize<'de> for ScoreShare {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = ScoreShare;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a share of the score, such as 2 or \"1/3\"")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<ScoreShare, E> {
                text.parse().map_err(E::custom)
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<ScoreShare, E> {
                number.to_string().parse().map_err(E::custom)
            }
        }
        deserializer.deserialize_any(Text)
    }
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

/// Points doubled once for each faan and `added` times more, up to `most`; steps from some faan on.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct DoublingFile {
    pub added: u32,
    pub most: u32,
    /// The score from which `most` is paid; left out: never.
    pub most_from: Option<u32>,
    /// Pairs of a number of faan and the score from there on.
    pub steps: Vec<(u32, u32)>,
    /// Whether of readings with equal scores the one counts whose points and faan come to more before `most`.
    pub greatest_sum: bool,
    /// The players' names of the steps, in their order; names beyond the steps are not used.
    pub names: Vec<String>,
}

/// Hands that have not won: they are scored by the points and the items of everybody.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LosersFile {
    /// Whether a hand of too few tiles scores nothing.
    pub short_is_dead: bool,
    /// A hand that one drawn tile would make a limit hand or a hand with a sum of its own.
    pub fishing: Option<FishingFile>,
}

/// The score of hands that wait for a limit hand.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FishingFile {
    /// The share of the limit hand's score; all of it where this is left out.
    #[serde(default)]
    pub share: ScoreShare,
    #[serde(default)]
    pub off: bool,
}

/// The score of a hand: `base`, and `unit` for each faan. What East pays and is paid has `dealer` faan
/// more, and `repeat` more for each time that he has stayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StakesFile {
    pub base: u32,
    pub unit: u32,
    pub dealer: u32,
    pub repeat: u32,
}

/// Flowers and seasons: not in the set, in it and counted, in it and ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum BonusTiles {
    None,
    Count,
    Ignore,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FormName {
    Sets,
    SevenPairs,
    SevenDifferentPairs,
    ThirteenOrphans,
    Knitted,
    HonorsAndKnitted,
    KnittedStraight,
    PairsAndPung,
    EightFlowers,
    MajorPairs,
    DifferentMajorPairs,
    KnittedPairs,
    KnittedThrees,
    Gates,
    Snake,
}

impl fmt::Display for FormName {
    /// Writes it as rule files do.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sets => "sets",
            Self::SevenPairs => "seven_pairs",
            Self::SevenDifferentPairs => "seven_different_pairs",
            Self::ThirteenOrphans => "thirteen_orphans",
            Self::Knitted => "knitted",
            Self::HonorsAndKnitted => "honors_and_knitted",
            Self::KnittedStraight => "knitted_straight",
            Self::PairsAndPung => "pairs_and_pung",
            Self::EightFlowers => "eight_flowers",
            Self::MajorPairs => "major_pairs",
            Self::DifferentMajorPairs => "different_major_pairs",
            Self::KnittedPairs => "knitted_pairs",
            Self::KnittedThrees => "knitted_threes",
            Self::Gates => "gates",
            Self::Snake => "snake",
        })
    }
}

macro_rules! fields {
    ($($group:ident { $($(#[$meaning:meta])* $name:ident: $fact:ident, $checked:ident, $label:tt;)* })*) => {
        /// Fields of a request that a rule set may use; those it does not name are ignored.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Field {
            $($($(#[$meaning])* $fact,)*)*
            /// The least that a hand must be worth at this table
            Minimum,
            /// The player who fed a liability's last set
            Pao,
            /// The face-up indicators of the dead wall
            DoraIndicators,
            /// The indicators below them
            UraIndicators,
            /// Counters of repeated deals
            Honba,
            /// Riichi sticks on the table
            Sticks,
            /// The player who is charged for the winning tile
            Responsible,
            /// How many Norths are set aside
            North,
            /// The players who won before in this deal
            Won,
            /// The suit that the winner may not hold
            Missing,
            /// The hands of the others
            Others,
        }

        impl Field {
            /// Each field with its name in a request.
            pub const ALL: &'static [(Self, &'static str)] = &[
                $($((Self::$fact, stringify!($name)),)*)*
                (Self::Minimum, "minimum"),
                (Self::Pao, "pao"),
                (Self::DoraIndicators, "dora_indicators"),
                (Self::UraIndicators, "ura_indicators"),
                (Self::Honba, "honba"),
                (Self::Sticks, "sticks"),
                (Self::Responsible, "responsible"),
                (Self::North, "north"),
                (Self::Won, "won"),
                (Self::Missing, "missing"),
                (Self::Others, "others"),
            ];
        }

        impl From<Fact> for Field {
            fn from(fact: Fact) -> Self {
                match fact { $($(Fact::$fact => Self::$fact,)*)* }
            }
        }
    };
}
each_fact!(fields);

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PointsFile {
    pub pung: OpenConcealed,
    pub kong: OpenConcealed,
    pub dragon_pair: u32,
    pub own_wind_pair: u32,
    pub round_wind_pair: u32,
    /// A pair that is own and round's wind at once, where that is not the sum.
    pub both_winds_pair: Option<u32>,
    pub self_drawn: u32,
    /// Patterns with which `self_drawn` does not count.
    pub self_drawn_unless: Vec<String>,
    pub bonus_tile: u32,
    /// The points of the winner's sets and pair.
    pub mah_jong: u32,
    /// The points of a pair that the winning tile completes: of simples, of majors.
    pub pair_completed: [u32; 2],
    /// The points of a winning tile that was the only one waited for.
    pub only_tile: u32,
    /// Whether an answer lists the points one by one, and items of single sets in the order of the sets.
    pub listed: bool,
    /// The points of every hand.
    pub base: u32,
    /// The extra points of a concealed hand that claimed its last tile.
    pub concealed_claimed: u32,
    /// The points of a winning tile in the middle of a chow, at its closed end, or in the pair.
    pub narrow_wait: u32,
    /// The points of seven pairs in all.
    pub seven_pairs: Option<u32>,
    /// The least points of a hand with claimed sets.
    pub open_least: u32,
    /// The multiple to which the sum is rounded up.
    pub rounded_up_to: Option<u32>,
    /// Pairs of a number of points and the faan from there on.
    pub steps: Vec<(u32, Halves)>,
}

/// Points as `[open, concealed]`, of simples and of majors.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OpenConcealed {
    pub simple: [u32; 2],
    pub major: [u32; 2],
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PaymentFile {
    pub discard: Option<Split>,
    pub self_draw: Option<Split>,
    pub safe: Option<Split>,
    pub liable: Option<Split>,
    /// The shares of a liable feeder for a self-draw, where they are not those for a claimed tile.
    pub liable_self_draw: Option<Split>,
    /// The shares for a robbed kong, where it is not paid like a discard.
    pub robbed: Option<Split>,
    /// The most that a player who did not give the tile pays; the rest is the giver's.
    pub others_at_most: Option<u32>,
    /// The shares that differ where East wins.
    pub east_winner: Splits,
    /// The shares that differ with three players.
    pub three_players: Splits,
    /// The multiple to which each payer's amount is rounded up.
    pub round_up_to: Option<u32>,
    /// The amount that each payer pays besides his share.
    pub plus: u32,
    /// The amount that each payer of a self-draw pays besides his share.
    pub plus_self_draw: u32,
    /// The shares of the difference that the lower of two losers pays the higher; East's where he is one of
    /// them.
    pub losers: Option<Split>,
    /// The amount that a counter on the table adds.
    pub counters: CountersFile,
    /// Whether the liable feeder and another giver of the tile pay half each.
    pub liable_shared: bool,
    /// The value of a stick on the table to the winner.
    pub stick: u32,
}

/// The amount that a counter adds: for the giver of the tile, and for each payer of a self-draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct CountersFile {
    pub claimed: u32,
    pub self_draw: u32,
    /// Who pays them where another than the giver of the tile is liable for the hand.
    pub with_liable: CountersPayer,
}

/// Who pays the counters of a hand that the liable player and the giver of the tile share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum CountersPayer {
    /// The giver of the tile.
    #[default]
    Giver,
    /// The liable player.
    Liable,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Splits {
    pub discard: Option<Split>,
    pub self_draw: Option<Split>,
    pub safe: Option<Split>,
    pub liable: Option<Split>,
    pub liable_self_draw: Option<Split>,
    pub robbed: Option<Split>,
}

/// Shares of the score: of the discarder (or feeder), of each other player, and of East in place
/// of that. Without a discarder's share he pays as the others do.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Split {
    pub discarder: Option<ScoreShare>,
    pub others: ScoreShare,
    pub east: Option<ScoreShare>,
    #[serde(default)]
    pub round_up: bool,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct LiabilityFile {
    pub about: Option<String>,
    /// A pattern that makes the feeder liable.
    pub pattern: Option<String>,
    /// The giver of the last of these sets: of three `dragons`, four `winds`, four `kongs`, four `claimed`
    /// sets of any kind.
    pub last_set_of: Option<SetFamily>,
    /// `left`: the player to the left; `giver`: whoever gave the last of the sets.
    pub feeder: Option<Feeder>,
    /// Whether it holds for a self-draw too; it does where this is left out.
    pub self_draw: Option<bool>,
    /// Whether it holds for a claimed tile too; it does where this is left out.
    pub claimed: Option<bool>,
    /// The limit hand without which nobody is liable; he is for its part of the score alone.
    pub item: Option<String>,
    /// Whether the feeder is liable for the whole hand, with `item`.
    pub whole: bool,
    /// Whether concealed kongs are among the sets; they are where this is left out.
    pub concealed_kongs: Option<bool>,
    pub off: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SetFamily {
    Dragons,
    Winds,
    Kongs,
    Claimed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Feeder {
    Left,
    Giver,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ItemFile {
    /// The name for people; the id with spaces where it is left out.
    pub name: Option<String>,
    /// The pattern; the item's id where it is left out.
    pub pattern: Option<String>,
    /// The item of the extended file that it is listed after.
    pub after: Option<String>,
    /// Its value.
    pub value: Option<Halves>,
    /// Its value in a hand with claimed sets.
    pub open: Option<Halves>,
    pub concealed: Option<Halves>,
    /// The values of one, two, three ... of it.
    pub values: Option<Vec<Halves>>,
    /// The way to count several of it: once, one item for each, or one multiplied item.
    pub several: Repeats,
    pub more: Vec<MoreFile>,
    pub forms: Option<Vec<FormName>>,
    pub when: Vec<String>,
    pub unless: Vec<String>,
    pub replaces: Vec<String>,
    pub r#box: Option<String>,
    /// Whether the value is the hand's score, to which nothing is added.
    pub limit: bool,
    /// The way to combine sets that it is, in place of a pattern.
    pub combines: Option<String>,
    /// Whether it counts only beside others, not towards the minimum.
    pub outside: bool,
    /// The sets that it takes away from `leftover` items.
    pub takes: Option<Takes>,
    /// Whether it counts only sets that no item with `takes` has.
    pub leftover: bool,
    /// Whether it counts only where nothing else does, apart from items outside the minimum.
    pub nothing_else: bool,
    /// Whether it counts in place of everything else where that scores less.
    pub instead: bool,
    /// Whether hands that have not won have it too.
    pub everybody: bool,
    /// Whether it makes a sum of its own of the points without flowers, which counts where it is the greater.
    pub own_sum: bool,
    /// The items that count in its own sum too.
    pub beside: Vec<String>,
    pub off: bool,
}

/// The sets that an item takes away from `leftover` items.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Takes {
    /// The pungs that it is made of.
    Sets,
    /// One set.
    One,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Repeats {
    #[default]
    Once,
    Each,
    Multiply,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoreFile {
    pub when: String,
    pub value: Halves,
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

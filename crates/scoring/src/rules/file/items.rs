//! What rule files say of items, forms and liabilities.

use std::fmt;

use serde::Deserialize;

use crate::rules::Halves;

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

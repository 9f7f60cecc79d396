//! What rule files say of points, scores and payments.

use std::{fmt, str::FromStr};

use num_rational::Ratio;
use serde::{Deserialize, Deserializer};

use crate::rules::Halves;

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

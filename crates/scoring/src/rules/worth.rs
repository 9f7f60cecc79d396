//! Hands given by their value alone, without tiles, and all payments that are possible for any hand.
//!
//! The payments follow from the rule set as they do for a hand that was entered: the same table, shares,
//! dealer's faan and counters.

use std::fmt;

use num_rational::Ratio;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    Circumstances, Contradiction, Halves, NoWin, Payments, Players, Responsible, RuleSet, Value,
    Win,
    compiled::{Core, Liability},
    file::{Feeder, Field, Repeats},
    liability::Liable,
    scoring::{Rank, ReadingValue},
    shapes::FewestFaan,
};
use crate::{points::read_fraction, tile::Seat, words::in_each_language};

/// The stated value of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// A counted value.
    Counted {
        /// The total in the rule set's unit, auxiliary points and items outside the minimum included.
        faan: Halves,
        /// Points that choose the score together with it (fu).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        points: Option<u32>,
    },
    /// A number of limit hands, where a rule set adds them up (yakuman).
    Limit(u8),
    /// The score itself, where players say that of every hand.
    Score(Halves),
}

/// A worth that cannot be read, or that no hand of the rule set has.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WorthError {
    /// A text that is not a value.
    #[error("`{text}` is not a worth: expected {expected}")]
    Unread {
        /// The given value.
        text: String,
        /// The values of the rule set, with an example.
        expected: String,
    },
    /// A score that is too large.
    #[error("that comes to {score}, and no score above {} is kept: check the worth", Halves::MAX)]
    TooMuch {
        /// The score of the value.
        score: Halves,
    },
    /// A score above the limit.
    #[error(
        "{score} is above the limit: no hand scores more than {limit}, and what East pays double is not in it"
    )]
    AboveLimit {
        /// The given score.
        score: Halves,
        /// The most that a hand scores.
        limit: Halves,
    },
    /// Half a faan where the rule set counts whole ones.
    #[error("{faan} {unit}: this rule set counts whole {unit}")]
    Halved {
        /// The given value.
        faan: Halves,
        /// The rule set's unit.
        unit: &'static str,
    },
    /// The points that choose the score are missing.
    #[error(
        "{faan} {unit} alone do not say the payments: give the {points} too, such as {faan}/30"
    )]
    PointsLacking {
        /// The given value.
        faan: Halves,
        /// The rule set's unit.
        unit: &'static str,
        /// The word for its points.
        points: String,
    },
    /// Points that no hand can have.
    #[error("no hand won like this has {said} {points}: expected {}", known.iter().map(u32::to_string).collect::<Vec<_>>().join(", "))]
    NoSuchPoints {
        /// The given value.
        said: u32,
        /// The word for the rule set's points.
        points: String,
        /// The points that hands can have.
        known: Vec<u32>,
    },
    /// A liable player where the rules have none for this win.
    #[error("nobody is liable for a hand won like this: leave out who is, or enter the hand")]
    NobodyLiable,
    /// Somebody is liable for a part that the worth does not show.
    #[error(
        "the worth does not say for which part of it a player is liable: enter the hand, or what everybody paid"
    )]
    PartUnknown,
    /// Circumstances that contradict each other.
    #[error(transparent)]
    NotAllowed(#[from] Contradiction),
    /// It does not win.
    #[error(transparent)]
    NoWin(#[from] NoWin),
}

impl fmt::Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Counted { faan, points: None } => fmt::Display::fmt(faan, f),
            Self::Counted { faan, points: Some(points) } => write!(f, "{faan}/{points}"),
            Self::Limit(1) => f.write_str("limit"),
            Self::Limit(count) => write!(f, "{count} limit"),
            Self::Score(score) => fmt::Display::fmt(score, f),
        }
    }
}

/// The most limit hands in one hand.
const MOST_LIMITS: u8 = 8;

/// The largest value that is tried: ten thousand faan.
const MOST_FAAN: Halves = Halves::whole(10_000);

/// The most times that a repeatable item is counted.
const MOST_TIMES: i32 = 8;

impl Core {
    /// Whether anything counts half a faan.
    fn counts_halves(&self) -> bool {
        let items = self.items.iter().chain(&self.instead).chain(&self.nothing_else);
        let amounts = items.flat_map(|item| {
            item.amounts.iter().flatten().copied().chain(item.more.iter().map(|(_, more)| *more))
        });
        let steps = self.points.iter().flat_map(|points| &points.steps).map(|(_, faan)| faan.0);
        let fans = self.combining.iter().flat_map(|all| all.fans.iter().flatten());
        amounts.chain(steps).chain(fans.map(|fan| fan.value)).any(|amount| amount % 2 != 0)
    }

    /// The faan beyond which the score does not rise, or which no hand exceeds.
    fn most_faan(&self) -> Halves {
        let most = if let Some(last) = self.table.len().checked_sub(1) {
            last as i32
        } else if let Some(doubling) = &self.doubling {
            2 * doubling.steps.last().map_or(0, |(from, _)| *from as i32)
        } else {
            let items = self.items.iter().map(|item| {
                let amounts = item.amounts.iter().flatten().max().copied().unwrap_or(0);
                let more: i32 = item.more.iter().map(|(_, more)| (*more).max(0)).sum();
                let once = item.several == Repeats::Once;
                (amounts + more).max(0).saturating_mul(if once { 1 } else { MOST_TIMES })
            });
            let fans = self.combining.iter().flat_map(|all| all.fans.iter().flatten());
            items.chain(fans.map(|fan| fan.value)).fold(0, i32::saturating_add)
        };
        Halves(most).min(self.maximum).min(MOST_FAAN)
    }

    /// Whether points choose the score at `faan` faan.
    fn needs_points(&self, faan: Halves) -> bool {
        self.doubling.is_some() && self.score(faan, 20) != self.score(faan, 110)
    }

    /// The liabilities that can hold for such a win.
    fn liabilities_of(&self, win: Win) -> impl Iterator<Item = &Liability> {
        let holds = move |it: &&Liability| if win.is_claim() { it.claimed } else { it.self_draw };
        self.liabilities.iter().filter(holds)
    }

    /// The players who are liable for all of a value, or for a part.
    fn liable_for(
        &self,
        worth: Worth,
        score: Halves,
        at: &Circumstances,
    ) -> Result<Liable, WorthError> {
        let Some(feeder) = at.pao.filter(|feeder| *feeder != at.seat) else {
            return Ok(Liable::NOBODY);
        };
        let mut all = self.liabilities_of(at.win).peekable();
        if all.peek().is_none() {
            return Err(WorthError::NobodyLiable);
        }
        // A part is only clear where the hand is one limit hand.
        let whole = all.any(|liability| liability.item.is_none() || liability.whole);
        if whole || worth == Worth::Limit(1) {
            return Ok(Liable::whole(feeder, score));
        }
        Err(WorthError::PartUnknown)
    }

    /// The value of a limit hand whose score is the faan, and more than other hands can have.
    fn limit_above_maximum(&self, faan: Halves) -> Option<ReadingValue> {
        let above = faan > self.maximum && self.limit_faan.is_none() && self.limit_score.is_none();
        let mut places = (0..self.limits.len()).filter(|_| above);
        let place = places.find(|place| self.limits[*place].amounts[1][0] == faan.0)?;
        self.appraise_limits(1 << place)
    }

    fn appraisal_of(&self, worth: Worth, minimum: Halves) -> ReadingValue {
        if let Worth::Counted { faan, .. } = worth
            && let Some(limit) = self.limit_above_maximum(faan)
        {
            return limit;
        }
        match worth {
            Worth::Counted { faan, points } => {
                let faan = faan.min(self.maximum);
                let points = points.unwrap_or(0);
                ReadingValue {
                    meets_minimum: faan >= minimum,
                    score: self.score(faan, points),
                    rank: Rank::Ordinary,
                    preference: 0,
                    faan,
                    points,
                    item_faan: faan,
                    limits: 0,
                }
            }
            Worth::Limit(count) => {
                let times = i32::from(count);
                let one = self.limit_score.unwrap_or(Halves::ZERO);
                let faan = Halves(self.limit_faan.unwrap_or(one).0 * times);
                ReadingValue {
                    meets_minimum: true,
                    score: Halves(one.0 * times),
                    rank: Rank::Limit(2 * times),
                    preference: 0,
                    faan,
                    points: 0,
                    item_faan: faan,
                    limits: 0,
                }
            }
            Worth::Score(score) => ReadingValue::of_score(score),
        }
    }

    /// The score of a worth, whether the hand has won or not.
    pub(super) fn score_of(&self, worth: Worth) -> Result<Halves, WorthError> {
        let score = self.appraisal_of(worth, Halves::ZERO).score;
        self.check_score(worth, score).map(|()| score)
    }

    /// The value of a win of which the worth alone is known, where nobody is liable and no points choose the score.
    pub(super) fn value_of_worth(
        &self,
        worth: Worth,
        at: &Circumstances,
    ) -> Result<Value, WorthError> {
        let at = self.used(at);
        let appraisal = self.appraisal_of(worth, at.minimum.unwrap_or(self.minimum));
        self.check_score(worth, appraisal.score)?;
        Ok(self.settled(&at, &appraisal, &Liable::NOBODY)?)
    }

    /// Refuses a score that is too large.
    fn check_score(&self, worth: Worth, score: Halves) -> Result<(), WorthError> {
        let limit = self.most();
        match worth {
            Worth::Score(score) if score > limit => Err(WorthError::AboveLimit { score, limit }),
            _ if score > Halves::MAX => Err(WorthError::TooMuch { score }),
            _ => Ok(()),
        }
    }

    /// The names of the steps of high totals, and where each begins.
    fn named_limits(&self) -> impl Iterator<Item = (&str, Halves)> {
        let steps = self.doubling.iter().flat_map(|it| it.names.iter().zip(&it.steps));
        steps.map(|(name, (from, _))| (name.as_str(), Halves::whole(*from as i32)))
    }

    /// The word for a limit hand.
    fn limit_word(&self) -> &'static str {
        match self.limit_unit.word() {
            "" => "limit",
            word => word,
        }
    }

    /// Everything that a hand can score, each once.
    fn possible_scores(&self, at: &Circumstances) -> Vec<Halves> {
        let least = at.minimum.unwrap_or(self.minimum).max(Halves::ZERO);
        let step = if self.counts_halves() { 1 } else { 2 };
        let pointless = FewestFaan::from([(0, Halves::ZERO)]);
        let fewest = self.fewest_faan(at.win.is_claim()).unwrap_or(&pointless);
        // Items may take the total below the minimum of a file without one; there is no score below zero.
        let most = self.most_faan().max(least);
        let scores_of = |(&points, &fewest): (&u32, &Halves)| {
            let faan = (least.max(fewest).0..=most.0).step_by(step);
            faan.map(move |faan| self.score(Halves(faan), points))
        };
        let mut scores: Vec<Halves> = fewest.iter().flat_map(scores_of).collect();
        match self.limit_score {
            Some(score) => {
                scores.extend((1..=i32::from(MOST_LIMITS)).map(|it| Halves(score.0 * it)))
            }
            None => scores.extend(self.limits.iter().map(|limit| Halves(limit.amounts[1][0]))),
        }
        scores.sort_unstable();
        scores.dedup();
        scores
    }
}

impl RuleSet {
    /// The limits that are worths of this rule set, by their names in its file, such as mangan and yakuman.
    pub fn limit_names(&self) -> impl Iterator<Item = &str> {
        let hand = Some(self.core.limit_word()).filter(|_| !self.core.limits.is_empty());
        self.core.named_limits().map(|(name, _)| name).chain(hand)
    }

    /// The worths of this rule set, with examples.
    fn expected_worth(&self) -> String {
        let unit = self.unit.word();
        let counted = match self.points_choose_score() {
            true if self.scores_losers() => {
                format!("a score such as 64, {unit}s and points such as 3/38")
            }
            true => format!("{unit} and {} such as 3/30", self.points_word()),
            false => format!("{unit} such as 7"),
        };
        let limits: Vec<&str> = self.limit_names().collect();
        if limits.is_empty() { counted } else { format!("{counted}, or {}", limits.join(", ")) }
    }

    /// The word for this rule set's points that choose the score.
    pub fn points_word(&self) -> String {
        let term = self.terms().and_then(|terms| terms.points.clone());
        term.unwrap_or_else(|| "points".to_owned())
    }

    /// Reads a worth as players of this rule set say it: `7`, `3½`; han and fu `3/30`; `mangan`, `yakuman`,
    /// `2 yakuman`; with the unit or without, words in any language of the pages.
    ///
    /// ```
    /// use tilelens_scoring::{rules::{Circumstances, RuleSet, Win}, tile::Seat};
    /// let rules = RuleSet::preset("riichi").unwrap();
    /// let at = Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::West });
    /// let value = rules.value_of(rules.read_worth("3 han 30 fu").unwrap(), &at).unwrap();
    /// assert_eq!(value.payments.of(Seat::West).unwrap().to_string(), "-3900");
    /// ```
    ///
    /// # Errors
    /// [`WorthError`] where it is not a value, or not one of this rule set.
    pub fn read_worth(&self, text: &str) -> Result<Worth, WorthError> {
        let core = &self.core;
        let unit = self.unit.word();
        let points_word = self.points_word();
        let unread =
            || WorthError::Unread { text: text.to_owned(), expected: self.expected_worth() };
        let mut said = text.trim().to_lowercase();
        // A limit's name may contain the unit's word.
        let is_said = |name: &str| in_each_language(name).any(|word| word == said);
        if let Some((_, faan)) = core.named_limits().find(|(name, _)| is_said(name)) {
            return Ok(Worth::Counted { faan, points: None });
        }
        let term = self.terms().and_then(|terms| terms.faan.clone());
        for word in [unit.to_owned(), points_word.clone()].into_iter().chain(term) {
            in_each_language(&word).for_each(|word| said = said.replace(&word, " "));
        }
        for word in [core.limit_word(), "limit"].into_iter().flat_map(in_each_language) {
            let Some(count) = said.strip_suffix(&word).map(str::trim) else { continue };
            let count = if count.is_empty() { 1 } else { count.parse().map_err(|_| unread())? };
            return match core.limit_score {
                Some(_) if (1..=MOST_LIMITS).contains(&count) => Ok(Worth::Limit(count)),
                None if count == 1 && self.scores_losers() => Ok(Worth::Score(core.most())),
                None if count == 1 && !core.limits.is_empty() => core
                    .limit_faan
                    .map(|faan| Worth::Counted { faan, points: None })
                    .ok_or_else(unread),
                _ => Err(unread()),
            };
        }
        let parts: Vec<&str> = match (self.points_choose_score(), said.contains('/')) {
            (true, true) => said.split('/').map(str::trim).collect(),
            (true, false) => said.split_whitespace().collect(),
            (false, _) => vec![said.trim()],
        };
        let (faan, points) = match parts[..] {
            [faan] => (faan, None),
            [faan, points] => (faan, Some(points.parse().map_err(|_| unread())?)),
            _ => return Err(unread()),
        };
        let halves = read_fraction(faan).map(|faan| faan * 2).filter(Ratio::is_integer);
        let faan = halves.and_then(|halves| i32::try_from(halves.to_integer()).ok());
        let faan = faan.map(Halves).filter(|faan| (Halves::ZERO..=Halves::MAX).contains(faan));
        let faan = faan.ok_or_else(unread)?;
        if faan.0 % 2 != 0 && !core.counts_halves() {
            return Err(WorthError::Halved { faan, unit });
        }
        // Where every hand is scored, a number alone is the score that its player calls.
        if points.is_none() && self.scores_losers() {
            let worth = Worth::Score(faan);
            return core.check_score(worth, faan).map(|()| worth);
        }
        if points.is_none() && core.needs_points(faan) {
            return Err(WorthError::PointsLacking { faan, unit, points: points_word });
        }
        Ok(Worth::Counted { faan, points })
    }

    /// Score and payments of a hand of which only the value is given. Of the circumstances those count that
    /// bear on payments: seats, the giver, a safe tile, counters, who is liable.
    ///
    /// # Errors
    /// [`WorthError`] where no hand won this way has that value.
    pub fn value_of(&self, worth: Worth, at: &Circumstances) -> Result<Value, WorthError> {
        let (at, appraisal, liable) = self.appraised(worth, at)?;
        let value = self.core.settled(&at, &appraisal, &liable)?;
        let points = match worth {
            Worth::Counted { points, .. } => points,
            Worth::Limit(_) | Worth::Score(_) => None,
        };
        Ok(Value { points, ..value })
    }

    /// The score of a worth, whether the hand has won or not.
    ///
    /// # Errors
    /// A score that is too large.
    pub fn score_of(&self, worth: Worth) -> Result<Halves, WorthError> {
        self.core.score_of(worth)
    }

    /// The circumstances that are used, the score of the value, and the liable players.
    pub(crate) fn appraised(
        &self,
        worth: Worth,
        at: &Circumstances,
    ) -> Result<(Circumstances, ReadingValue, Liable), WorthError> {
        let core = &self.core;
        core.check_giver_liable(at)?;
        if let Worth::Counted { points: Some(said), .. } = worth
            && let Some(fewest) = core.fewest_faan(at.win.is_claim())
            && !fewest.contains_key(&said)
        {
            let known = fewest.keys().copied().collect();
            return Err(WorthError::NoSuchPoints { said, points: self.points_word(), known });
        }
        let pao = at.pao;
        let at = Circumstances { pao, ..core.used(at) };
        let appraisal = core.appraisal_of(worth, at.minimum.unwrap_or(core.minimum));
        core.check_score(worth, appraisal.score)?;
        let liable = core.liable_for(worth, appraisal.score, &at)?;
        Ok((at, appraisal, liable))
    }

    /// All payments that are possible for one hand won this way, of any value, including safe tiles and
    /// liable players.
    pub fn possible_payments(&self, at: &Circumstances) -> Vec<Payments> {
        let core = &self.core;
        let at = core.used(at);
        let seated = if at.players == Players::Three { 3 } else { 4 };
        let others = || Seat::ALL.into_iter().take(seated).filter(|seat| *seat != at.seat);
        let is_left = |seat: Seat| Some(seat) == at.neighbour(crate::tile::Side::Left);
        let mut all = Vec::new();
        for score in core.possible_scores(&at) {
            for safe in [false, true] {
                let at = Circumstances { safe, ..at };
                all.push(core.scheme.payments(score, &at, &Liable::NOBODY));
            }
            if core.uses(Field::Responsible) && at.win.is_claim() {
                let nobody = [Responsible::Nobody];
                for responsible in others().map(Responsible::Player).chain(nobody) {
                    let at = Circumstances { responsible, ..at };
                    all.push(core.scheme.payments(score, &at, &Liable::NOBODY));
                }
            }
            for liability in core.liabilities_of(at.win) {
                let feeds = |seat: &Seat| liability.feeder == Feeder::Giver || is_left(*seat);
                for feeder in others().filter(feeds) {
                    let part = core.limit_score.filter(|_| liability.item.is_some());
                    let parts = match part {
                        Some(part) if !liability.whole => (1..=i32::from(MOST_LIMITS))
                            .map(|times| Halves(part.0 * times))
                            .filter(|part| *part < score)
                            .collect(),
                        _ => Vec::new(),
                    };
                    for part in parts.into_iter().chain([score]) {
                        let mut liable = Liable::NOBODY;
                        liable.add(feeder, part);
                        all.push(core.scheme.payments(score, &at, &liable));
                    }
                }
            }
        }
        all
    }
}

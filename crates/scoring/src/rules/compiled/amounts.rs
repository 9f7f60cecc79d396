//! The amounts of a rule file: its table, stakes, doubling and auxiliary points, checked so that no sum overflows.

use crate::rules::{
    Halves, RuleFileError,
    file::{DoublingFile, OpenConcealed, PointsFile, StakesFile, line_of},
    pattern::{Pattern, PatternSet},
};

/// The largest value of anything in points.
const MOST_POINTS: u32 = 10_000;
/// The highest faan, in halves, that a table may name.
const MOST_FAAN: i32 = 2_000;
/// The most faan that a dealer may have more.
const MOST_DEALER: u32 = 100;
/// The most that a doubled score may be.
const MOST_SCORE: u32 = 1_000_000;
/// The most doublings that a file may add.
const MOST_ADDED: u32 = 8;

/// Refuses amounts that could overflow.
pub(super) fn check_stakes(stakes: StakesFile, text: &str) -> Result<StakesFile, RuleFileError> {
    let StakesFile { base, unit, dealer, repeat } = stakes;
    if base.max(unit) > MOST_POINTS || dealer.max(repeat) > MOST_DEALER || unit == 0 {
        return Err(RuleFileError::Key {
            line: line_of(text, "[stakes]"),
            key: "stakes".to_owned(),
            problem: format!(
                "needs a unit, at most {MOST_POINTS} as the base is, and dealer and repeat at most {MOST_DEALER}"
            ),
        });
    }
    Ok(stakes)
}

impl StakesFile {
    /// The score of a total.
    #[inline]
    pub(super) fn score(self, faan: Halves) -> Halves {
        Halves(2 * self.base as i32 + self.unit as i32 * faan.0)
    }
}

/// Refuses amounts that could overflow, and steps that do not rise.
pub(super) fn check_doubling(
    file: DoublingFile,
    text: &str,
) -> Result<DoublingFile, RuleFileError> {
    let rising = file.steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
    let first = file.steps.first().map_or(1, |(from, _)| *from);
    let most = file.steps.iter().map(|(_, score)| *score).chain([file.most]).max();
    if !rising
        || most > Some(MOST_SCORE)
        || file.added > MOST_ADDED
        || !(1..=MOST_ADDED).contains(&first)
        || file.names.iter().any(|name| !name.starts_with(char::is_alphabetic))
    {
        return Err(RuleFileError::Key {
            line: line_of(text, "[doubling]"),
            key: "doubling".to_owned(),
            problem: format!(
                "needs rising steps, the first from 1 to {MOST_ADDED} faan, such as [[5, 2000]]; scores at most a million; names that begin with a letter"
            ),
        });
    }
    Ok(file)
}

impl DoublingFile {
    /// The points and faan together, before anything is cut.
    #[inline]
    pub(crate) fn sum(&self, faan: u32, points: u32) -> u64 {
        /// More doublings than any hand has.
        const MOST: u32 = 40;
        u64::from(points) << (self.added + faan).min(MOST)
    }

    /// The score of a hand by its faan and its points.
    #[inline]
    pub(super) fn score(&self, faan: u32, points: u32) -> u32 {
        if let Some((_, score)) = self.steps.iter().rev().find(|(from, _)| faan >= *from) {
            return *score;
        }
        // Below the first step, so that the shift is small.
        let doubled = self.sum(faan, points);
        let most = self.most_from.unwrap_or(self.most).min(self.most);
        if doubled >= u64::from(most) { self.most } else { doubled as u32 }
    }
}

/// Spreads the steps of a table over every half faan.
pub(super) fn table(steps: &[(Halves, Halves)], text: &str) -> Result<Vec<i32>, RuleFileError> {
    let Some(last) = steps.last() else { return Ok(Vec::new()) };
    let rising = steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 <= pair[1].1);
    if steps[0].0 != Halves::ZERO || !rising || last.0.0 > MOST_FAAN {
        return Err(RuleFileError::Key {
            line: line_of(text, "table"),
            key: "table".to_owned(),
            problem: "must begin with 0 faan and rise, such as [[0, 1], [1, 2]]".to_owned(),
        });
    }
    Ok((0..=last.0.0)
        .map(|faan| {
            let step = steps.iter().take_while(|(from, _)| from.0 <= faan).last();
            step.map_or(0, |(_, score)| score.0)
        })
        .collect())
}

/// The auxiliary points of sets, pairs, flowers and ways to win.
#[derive(Debug)]
pub(crate) struct Points {
    /// Open simple, concealed simple, open major, concealed major.
    pub pung: [u32; 4],
    pub kong: [u32; 4],
    pub dragon_pair: u32,
    pub own_wind_pair: u32,
    pub round_wind_pair: u32,
    /// A pair that is both winds at once.
    pub both_winds_pair: u32,
    pub self_drawn: u32,
    /// Patterns with which a self-draw brings nothing.
    pub self_drawn_unless: PatternSet,
    pub bonus_tile: u32,
    pub mah_jong: u32,
    /// Of simples, of majors.
    pub pair_completed: [u32; 2],
    pub only_tile: u32,
    pub listed: bool,
    pub base: u32,
    pub concealed_claimed: u32,
    pub narrow_wait: u32,
    pub seven_pairs: Option<u32>,
    pub open_least: u32,
    pub rounded_up_to: u32,
    pub steps: Vec<(u32, Halves)>,
}

impl Points {
    pub(super) fn new(file: PointsFile, text: &str) -> Result<Self, RuleFileError> {
        let four = |OpenConcealed { simple, major }| [simple[0], simple[1], major[0], major[1]];
        let both_winds_pair =
            file.both_winds_pair.unwrap_or(file.own_wind_pair.saturating_add(file.round_wind_pair));
        let rounded_up_to = file.rounded_up_to.unwrap_or(1);
        let [simple, major] = file.pair_completed;
        let single = [
            file.mah_jong,
            simple,
            major,
            file.only_tile,
            file.dragon_pair,
            file.own_wind_pair,
            file.round_wind_pair,
            both_winds_pair,
            file.self_drawn,
            file.bonus_tile,
            file.base,
            file.concealed_claimed,
            file.narrow_wait,
            file.seven_pairs.unwrap_or(0),
            file.open_least,
            rounded_up_to,
        ];
        let mut self_drawn_unless = 0;
        for name in &file.self_drawn_unless {
            let pattern = Pattern::condition(name).ok_or_else(|| RuleFileError::Key {
                line: line_of(text, "self_drawn_unless"),
                key: "points.self_drawn_unless".to_owned(),
                problem: format!("no pattern `{name}`; `tilelens rules patterns` lists them"),
            })?;
            self_drawn_unless |= pattern.bit();
        }
        let all = single.into_iter().chain(four(file.pung)).chain(four(file.kong));
        let rising = file.steps.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if all.max() > Some(MOST_POINTS) || !rising || rounded_up_to == 0 {
            return Err(RuleFileError::Key {
                line: line_of(text, "[points]"),
                key: "points".to_owned(),
                problem: format!("each at most {MOST_POINTS}, steps rising"),
            });
        }
        Ok(Self {
            pung: four(file.pung),
            kong: four(file.kong),
            dragon_pair: file.dragon_pair,
            own_wind_pair: file.own_wind_pair,
            round_wind_pair: file.round_wind_pair,
            both_winds_pair,
            self_drawn: file.self_drawn,
            self_drawn_unless,
            bonus_tile: file.bonus_tile,
            mah_jong: file.mah_jong,
            pair_completed: file.pair_completed,
            only_tile: file.only_tile,
            listed: file.listed,
            base: file.base,
            concealed_claimed: file.concealed_claimed,
            narrow_wait: file.narrow_wait,
            seven_pairs: file.seven_pairs,
            open_least: file.open_least,
            rounded_up_to,
            steps: file.steps,
        })
    }
}

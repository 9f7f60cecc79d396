//! Sums beside the ordinary one: limit hands to which flowers add, and an item with a sum of its own.

use super::{
    Circumstances, Halves,
    compiled::{Core, Item},
    counting::Counted,
    file::{FishingFile, LosersFile},
    pattern::{PatternSet, View},
    scoring::{Rank, ReadingValue},
};
use crate::{hand::Hand, tile::Suit};

/// What a rule file says of sums beside the ordinary one, and of hands that have not won.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// Items of hands that have not won too, by bit.
    pub everybody: u64,
    /// Items of flowers and seasons, by bit.
    pub of_flowers: u64,
    /// The item with a sum of its own, and the items that count in it too, by bit.
    pub own_sum: Option<Item>,
    pub beside: u64,
    /// Whether a limit hand's tiles never count as an ordinary hand.
    pub limit_alone: bool,
    /// Whether flowers add to limit hands and to sums of their own.
    pub limit_bonus: bool,
    /// How hands that have not won are scored; `None`: they are not.
    pub losers: Option<Losers>,
}

/// How hands that have not won are scored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Losers {
    /// Whether a hand of too few tiles scores nothing.
    pub short_is_dead: bool,
    /// The share of a limit hand's score for which a hand waits.
    pub fishing: Option<FishingFile>,
}

impl From<LosersFile> for Losers {
    fn from(file: LosersFile) -> Self {
        let fishing = file.fishing.filter(|fishing| !fishing.off);
        Self { short_is_dead: file.short_is_dead, fishing }
    }
}

impl Core {
    /// Whether of equal scores the greatest sum before any cut counts.
    pub(crate) fn greatest_sum(&self) -> bool {
        self.doubling.as_ref().is_some_and(|doubling| doubling.greatest_sum)
    }

    /// What makes a reading go before others of the same score.
    #[inline]
    pub(crate) fn preference(&self, faan: Halves, points: u32) -> u32 {
        match &self.doubling {
            Some(doubling) if doubling.greatest_sum => {
                let sum = doubling.sum(faan.0.max(0) as u32 / 2, points);
                u32::try_from(sum).unwrap_or(u32::MAX)
            }
            _ => 0,
        }
    }

    /// The most that a hand scores where points are doubled.
    pub(crate) fn most(&self) -> Halves {
        self.doubling.as_ref().map_or(Halves::MAX, |it| Halves::whole(it.most as i32))
    }

    /// The points of flowers.
    pub(crate) fn flower_points(&self, view: &View) -> u32 {
        self.points.as_ref().map_or(0, |points| points.bonus_tile * view.bonus.count_ones())
    }

    /// The points that flowers add to a special hand: theirs, doubled for the items of flowers.
    pub(crate) fn added_flowers(&self, view: &View, counted: &Counted) -> u32 {
        if !self.sums.limit_bonus {
            return 0;
        }
        let doublings = counted.sum(counted.counting & self.sums.of_flowers) / 2;
        self.flower_points(view) << doublings.clamp(0, 16)
    }

    /// A limit hand with its flowers, which add to what is below the most.
    #[inline(never)]
    pub(crate) fn with_flowers(
        &self,
        limit: ReadingValue,
        view: &View,
        held: PatternSet,
    ) -> ReadingValue {
        if view.bonus == 0 || limit.score >= self.most() {
            return limit;
        }
        let flowers = self.added_flowers(view, &self.count(view, held));
        let score = (limit.score + Halves::whole(flowers as i32)).min(self.most());
        ReadingValue { score, ..limit }
    }

    /// The value of the item with a sum of its own, where the reading has it. `points`: those of the whole
    /// reading.
    #[inline]
    pub(crate) fn own_sum(
        &self,
        view: &View,
        held: PatternSet,
        counted: &Counted,
        points: u32,
    ) -> Option<ReadingValue> {
        let item = self.sums.own_sum.as_ref().filter(|item| item.count_in(view, held) > 0)?;
        let beside = counted.sum(counted.counting & self.sums.beside);
        let faan = Halves(item.amounts[1][0] + beside);
        Some(self.own_sum_of(faan, points - self.flower_points(view), view, counted))
    }

    /// The value of a sum of its own: points without flowers, doubled, and the flowers.
    pub(crate) fn own_sum_of(
        &self,
        faan: Halves,
        points: u32,
        view: &View,
        counted: &Counted,
    ) -> ReadingValue {
        let flowers = self.added_flowers(view, counted);
        let preference = self.preference(faan, points).saturating_add(flowers);
        let score = Halves::whole(preference.min(self.most().0 as u32 / 2) as i32);
        ReadingValue {
            meets_minimum: true,
            score,
            rank: Rank::OwnSum,
            preference,
            faan,
            points,
            item_faan: faan,
            limits: 0,
        }
    }

    /// Whether a hand has no more suits than the rules allow, and no tile of the suit that its player does
    /// not play.
    #[inline]
    pub(crate) fn suits_fit(&self, hand: &Hand, at: &Circumstances) -> bool {
        if self.most_suits >= 3 && at.missing_suit.is_none() {
            return true;
        }
        let [a, b, c, _] = hand.tally().all;
        let suits = [(a, Suit::Characters), (b, Suit::Dots), (c, Suit::Bamboo)];
        let held = || suits.into_iter().filter(|(tiles, _)| *tiles != 0);
        held().count() <= usize::from(self.most_suits)
            && !held().any(|(_, suit)| Some(suit) == at.missing_suit)
    }
}

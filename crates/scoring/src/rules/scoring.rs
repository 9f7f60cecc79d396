//! Scores a hand: every reading is appraised, the best one kept.

use super::{
    Circumstances, Halves, NoWin, Payments, RuleSet, Value,
    auxiliary_points::points,
    compiled::{Core, Item},
    counting::{Counted, bits},
    file::{BonusTiles, LimitSum},
    liability::Liable,
    pattern::{HandContext, OF_WINNING_GROUP, PatternSet, View, held},
};
use crate::{
    hand::{Arrangement, Hand, WonGroup, for_each_reading},
    tile::Seat,
};

/// The value of one reading. Greater is better: it meets the minimum, then the score, then a
/// limit hand before others, then what the rule set prefers, then faan, then points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ReadingValue {
    pub meets_minimum: bool,
    pub score: Halves,
    pub rank: Rank,
    /// Where the greatest sum counts of equal scores: the sum before any cut; of limit hands more for an
    /// earlier one.
    pub preference: u32,
    pub faan: Halves,
    pub points: u32,
    /// Faan that count towards the minimum: without those of the points and of items outside it.
    pub item_faan: Halves,
    /// The limit hands that count, by bit, where more than one may.
    pub limits: u64,
}

impl ReadingValue {
    /// A hand of which the score alone is known.
    pub const fn of_score(score: Halves) -> Self {
        Self {
            meets_minimum: true,
            score,
            rank: Rank::Ordinary,
            preference: 0,
            faan: Halves::ZERO,
            points: 0,
            item_faan: Halves::ZERO,
            limits: 0,
        }
    }
}

/// Which of two readings of equal score goes first: the greater one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// An item in place of everything else.
    Instead,
    /// Items that add up.
    Ordinary,
    /// An item with a sum of its own.
    OwnSum,
    /// Limit hands of this worth, in halves.
    Limit(i32),
}

impl ReadingValue {
    pub(crate) const fn is_limit(&self) -> bool {
        matches!(self.rank, Rank::Limit(_))
    }

    /// Whether points are part of it.
    const fn has_points(&self) -> bool {
        matches!(self.rank, Rank::Ordinary | Rank::OwnSum)
    }
}

/// A reading as if nothing were known of the group which the winning tile completes.
const fn without_winning_group(arrangement: &Arrangement) -> Arrangement {
    Arrangement { won: WonGroup::Pung, ..*arrangement }
}

impl Core {
    /// The patterns of a reading that this rule set looks at.
    #[inline]
    pub(crate) fn held(&self, view: &View) -> PatternSet {
        if self.wanted & OF_WINNING_GROUP == 0 {
            return held(view, self.wanted);
        }
        // Readings that differ in the winning tile's group alone follow each other.
        let divided = without_winning_group(view.arrangement);
        let others = match view.deal.divided.get() {
            Some((last, found)) if last == divided => found,
            _ => {
                let found = held(view, self.wanted & !OF_WINNING_GROUP);
                view.deal.divided.set(Some((divided, found)));
                found
            }
        };
        let all = others | held(view, self.wanted & OF_WINNING_GROUP);
        debug_assert_eq!(all, held(view, self.wanted), "a pattern depends on the winning group");
        all
    }

    /// The limit hands of a reading that count, by bit.
    #[inline]
    pub(crate) fn limit_hands(&self, view: &View, held: PatternSet) -> u64 {
        if held & self.limit_patterns == 0 {
            return 0;
        }
        let is = |item: &Item| item.count_in(view, held) > 0;
        if self.limit_together == LimitSum::First {
            return self.limits.iter().position(is).map_or(0, |place| 1 << place);
        }
        let (mut found, mut replaced) = (0u64, 0u64);
        for (place, item) in self.limits.iter().enumerate().filter(|(_, item)| is(item)) {
            found |= 1 << place;
            replaced |= item.replaces;
        }
        found &= !replaced;
        if self.limit_together == LimitSum::Best {
            // The last of those that `max_by_key` takes for greatest: turned, the first in the file.
            let all = bits(found)
                .max_by_key(|&place| (self.limits[place].amounts[1][0], std::cmp::Reverse(place)));
            found = all.map_or(0, |place| 1 << place);
        }
        found
    }

    /// The score of a limit hand.
    pub(super) fn limit_score(&self, item: &Item) -> Halves {
        let value = item.amounts[1][0];
        self.limit_score.map_or(Halves(value), |score| Halves(value * score.0 / 2))
    }

    /// The value of limit hands, without the rest of the hand.
    pub(crate) fn appraise_limits(&self, limits: u64) -> Option<ReadingValue> {
        if limits == 0 {
            return None;
        }
        let values = || bits(limits).map(|place| &self.limits[place]);
        let multiple: i32 = values().map(|item| item.amounts[1][0]).sum();
        let score = values().fold(Halves::ZERO, |sum, item| sum + self.limit_score(item));
        let counted = self.limit_score.is_some();
        let shown = self.limit_faan.unwrap_or(score);
        let faan = if counted { Halves(shown.0 * multiple / 2) } else { shown };
        Some(ReadingValue {
            meets_minimum: true,
            score,
            rank: Rank::Limit(if counted { multiple } else { 1 }),
            preference: if self.greatest_sum() { u32::MAX - limits.trailing_zeros() } else { 0 },
            faan,
            points: 0,
            item_faan: faan,
            limits: if counted { limits } else { 0 },
        })
    }

    /// The most that items can score together; without a table or a maximum there is no bound.
    fn most_score(&self) -> Halves {
        match self.table.last() {
            Some(&top) => Halves(top),
            None if self.stakes.is_none() && self.doubling.is_none() => self.maximum,
            None => Halves::MAX,
        }
    }

    /// The value of the item that counts in place of everything else, where the hand has it.
    #[inline]
    fn appraise_instead(&self, view: &View, held: PatternSet) -> Option<ReadingValue> {
        let item = self.instead.as_ref().filter(|item| item.count_in(view, held) > 0)?;
        let faan = Halves(item.amounts[1][0]);
        Some(ReadingValue {
            meets_minimum: true,
            score: self.score(faan, 0),
            rank: Rank::Instead,
            preference: 0,
            faan,
            points: 0,
            item_faan: faan,
            limits: 0,
        })
    }

    /// The value of a reading.
    #[inline]
    pub(crate) fn appraise(&self, view: &View) -> ReadingValue {
        let held = self.held(view);
        // Where no points depend on the winning tile's group, readings with the same patterns are worth
        // the same.
        if self.points.is_none()
            && self.wanted & OF_WINNING_GROUP != 0
            && let Some((last, patterns, found)) = view.deal.appraised.get()
            && patterns == held
            && last == without_winning_group(view.arrangement)
        {
            return found;
        }
        let found = self.appraise_patterns(view, held);
        if self.points.is_none() && self.wanted & OF_WINNING_GROUP != 0 {
            let divided = without_winning_group(view.arrangement);
            view.deal.appraised.set(Some((divided, held, found)));
        }
        found
    }

    /// The value of a reading with these patterns.
    #[inline]
    fn appraise_patterns(&self, view: &View, held: PatternSet) -> ReadingValue {
        let limit = self.appraise_limits(self.limit_hands(view, held));
        if let Some(limit) = limit
            && self.sums.limit_alone
        {
            return self.with_flowers(limit, view, held);
        }
        if let Some(limit) = limit
            && (self.limit_score.is_some() || limit.score >= self.most_score())
        {
            return limit;
        }
        let mut counted = Counted::NOTHING;
        self.count_into(view, held, &mut counted);
        let outside = counted.sum(counted.counting & self.outside);
        let mut items = counted.total - outside + counted.combination.total;
        if items == 0
            && let Some(item) = &self.nothing_else
        {
            items = item.amounts[1][0];
        }
        let item_faan = Halves(items).min(self.maximum);
        let (points, bonus) = self.points.as_ref().map_or((0, Halves::ZERO), |rules| {
            let points = points(rules, view, held);
            (points, rules.faan(points))
        });
        let faan = (Halves(items + outside) + bonus).min(self.maximum);
        let minimum = view.at.minimum.unwrap_or(self.minimum);
        let ordinary = ReadingValue {
            meets_minimum: item_faan >= minimum,
            score: self.score(faan, points),
            rank: Rank::Ordinary,
            preference: self.preference(faan, points),
            faan,
            points,
            item_faan,
            limits: 0,
        };
        if limit.is_none()
            && let Some(own) = self.own_sum(view, held, &counted, points)
        {
            return own.max(ordinary);
        }
        // Nearly always there is nothing to choose from, and copies cost time.
        if limit.is_none() && self.instead.is_none() {
            return ordinary;
        }
        let best = limit.map_or(ordinary, |limit| limit.max(ordinary));
        self.appraise_instead(view, held).map_or(best, |instead| instead.max(best))
    }

    /// Flowers and seasons that count.
    #[inline]
    pub(crate) fn counted_bonus(&self, hand: &Hand) -> u8 {
        if self.bonus_tiles == BonusTiles::Count { hand.bonus() } else { 0 }
    }

    /// The facts that all readings of a hand share.
    #[inline]
    pub(crate) fn deal<'a>(&self, hand: &'a Hand, at: &'a Circumstances) -> HandContext<'a> {
        HandContext::new(hand, at, self.counted_bonus(hand), self.forms, self.facts)
    }

    /// Whether a reading goes before another of equal value, as its items come first in the file.
    fn is_listed_first(&self, view: &View, other: &View) -> bool {
        self.listed_first && self.items_in_order(view) > self.items_in_order(other)
    }

    /// Items that count, a bit each, the first of the file highest.
    fn items_in_order(&self, view: &View) -> u128 {
        let counted = self.count(view, self.held(view));
        let fans = counted
            .combination
            .iter()
            .filter_map(|made| Some(self.combining.as_ref()?.fan(made.kind)?.order));
        let items = bits(counted.counting).map(|place| self.items[place].order);
        items.chain(fans).fold(0, |all, order| all | 1 << (127 - u32::from(order).min(127)))
    }

    /// The best reading of a hand.
    #[inline]
    pub(crate) fn best(
        &self,
        hand: &Hand,
        at: &Circumstances,
    ) -> Option<(ReadingValue, Arrangement)> {
        let mut best: Option<(ReadingValue, Arrangement)> = None;
        self.each_reading(hand, at, |appraisal, view| {
            let better = best.as_ref().is_none_or(|(other, arrangement)| {
                appraisal > *other
                    || appraisal == *other
                        && self.is_listed_first(view, &View { arrangement, ..*view })
            });
            if better {
                best = Some((appraisal, *view.arrangement));
            }
        });
        best
    }

    /// Calls `visit` with every reading and its value.
    #[inline]
    pub(crate) fn each_reading(
        &self,
        hand: &Hand,
        at: &Circumstances,
        mut visit: impl FnMut(ReadingValue, &View),
    ) {
        // Hands of another number of sets are complete in other rule sets.
        if hand.sets() != self.sets || !self.suits_fit(hand, at) {
            return;
        }
        let deal = self.deal(hand, at);
        let claim = at.win.is_claim();
        let forms = if claim { self.claimed_forms } else { self.forms };
        for_each_reading(hand, claim, forms, self.won_groups, |arrangement| {
            if self.most_chows < self.sets && arrangement.number_of_chows() > self.most_chows {
                return;
            }
            let view = deal.view(arrangement);
            visit(self.appraise(&view), &view);
        });
    }

    /// Score and payments of the best reading. Keeps no more of it than who is liable: copying
    /// whole readings costs a tenth of the time.
    #[inline]
    pub(crate) fn value(&self, hand: &Hand, at: &Circumstances) -> Result<Value, NoWin> {
        let at = &self.used(at);
        let mut best: Option<ReadingValue> = None;
        let mut liable = Liable::NOBODY;
        self.each_reading(hand, at, |appraisal, view| {
            if best.as_ref().is_none_or(|other| appraisal > *other) {
                best = Some(appraisal);
                if !self.liabilities.is_empty() {
                    liable = self.liable(view, &appraisal);
                }
            }
        });
        let best = best.ok_or(NoWin::NotComplete)?;
        self.settled(at, &best, &liable)
    }

    /// The payments for a reading; refused below the minimum.
    #[inline]
    pub(crate) fn settle(
        &self,
        hand: &Hand,
        at: &Circumstances,
        best: &ReadingValue,
        arrangement: &Arrangement,
    ) -> Result<Value, NoWin> {
        let liable = self.liable(&self.deal(hand, at).view(arrangement), best);
        self.settled(at, best, &liable)
    }

    /// Score and payments of an appraised reading; refused below the minimum.
    #[inline]
    pub(crate) fn settled(
        &self,
        at: &Circumstances,
        best: &ReadingValue,
        liable: &Liable,
    ) -> Result<Value, NoWin> {
        if !best.meets_minimum {
            let minimum = at.minimum.unwrap_or(self.minimum);
            return Err(NoWin::BelowMinimum { faan: best.item_faan, minimum });
        }
        let sticks = at.sticks.map(|sticks| u32::from(sticks) * self.scheme.stick);
        let payments = self.payments(best.score, at, liable);
        Ok(Value {
            faan: best.faan,
            points: (self.points.is_some() && best.has_points()).then_some(best.points),
            score: best.score,
            limit: best.is_limit(),
            dealer_faan: self.dealer_faan(at, &payments),
            payments,
            liable: liable.is_anybody(),
            sticks,
        })
    }

    /// The faan by which the dealer pays or is paid more, where he does.
    fn dealer_faan(&self, at: &Circumstances, payments: &Payments) -> Option<u32> {
        self.stakes?;
        let pays = at.seat == Seat::East || payments.pays(Seat::East);
        let faan = self.scheme.dealer_faan(at);
        (pays && faan != 0).then_some(faan)
    }

    fn payments(&self, score: Halves, at: &Circumstances, liable: &Liable) -> Payments {
        self.scheme.payments(score, at, liable)
    }
}

impl RuleSet {
    /// The value of a hand and its payments: the best reading's total alone, without a list of items.
    /// Allocates nothing. The circumstances are taken as said; [`RuleSet::check`] looks for
    /// contradictions.
    ///
    /// ```
    /// use tilelens_scoring::{hand::Hand, rules::{Circumstances, RuleSet, Win}, tile::Seat};
    /// let hand: Hand = "123m456m789p23s55s +4s".parse().unwrap();
    /// let at = Circumstances::new(Seat::West, Seat::East, Win::Discard { from: Seat::South });
    /// let value = RuleSet::preset("mmm").unwrap().value(&hand, &at).unwrap();
    /// assert_eq!(value.score.to_string(), "20");
    /// ```
    ///
    /// # Errors
    /// Where the hand is not complete, or worth less than the minimum.
    #[inline]
    pub fn value(&self, hand: &Hand, at: &Circumstances) -> Result<Value, NoWin> {
        self.core.value(hand, at)
    }
}

//! Scores a hand: every reading is appraised, the best one kept.

use std::hint::select_unpredictable;

use super::{
    Circumstances, Halves, NoWin, Payments, RuleSet, Value,
    combining::Combination,
    compiled::{Condition, Core, Item, Liability, Points},
    file::{BonusTiles, Feeder, LimitSum, Repeats, SetFamily, Takes},
    pattern::{EarningTiles, HandContext, OF_WINNING_GROUP, PatternSet, View, held},
    payment::Liable,
};
use crate::{
    hand::{Arrangement, Form, Hand, MAJORS, Meld, MeldKind, WonGroup, for_each_reading},
    tile::{Face, Seat, Side},
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

/// The counted items of a reading, by their places in the file.
pub(crate) struct Counted {
    pub amounts: [i32; 64],
    /// The number of times the reading has each item.
    pub counts: [u8; 64],
    /// Items that the reading has, of any value.
    pub held: u64,
    /// Items that count.
    pub counting: u64,
    /// Items that others replace.
    pub replaced: u64,
    /// Pungs that items with `takes` have.
    pub taken: u64,
    /// The total value of the items that count.
    pub total: i32,
    /// Fans that combine sets, and those that items replace.
    pub combination: Combination,
    pub fans_replaced: u32,
}

impl Counted {
    pub(crate) const NOTHING: Self = Self {
        amounts: [0; 64],
        counts: [0; 64],
        held: 0,
        counting: 0,
        replaced: 0,
        taken: 0,
        total: 0,
        combination: Combination::NOTHING,
        fans_replaced: 0,
    };

    /// The total value of some of the items.
    pub(crate) fn sum(&self, items: u64) -> i32 {
        bits(items).map(|place| self.amounts[place]).sum()
    }
}

/// The bits of a mask, lowest first.
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}

/// A reading as if nothing were known of the group which the winning tile completes.
const fn without_winning_group(arrangement: &Arrangement) -> Arrangement {
    Arrangement { won: WonGroup::Pung, ..*arrangement }
}

impl Item {
    /// The number of times a reading with these patterns has the item; 0 where a condition fails.
    #[inline]
    pub(crate) fn count_in(&self, view: &View, held: PatternSet) -> u8 {
        if held & self.needs != self.needs
            || held & self.unless != 0
            || !self.forms.contains(view.arrangement.form)
        {
            return 0;
        }
        if self.several == Repeats::Once && self.amounts[0].len() == 1 && !self.is_counted {
            return 1;
        }
        (self.count)(view)
    }

    /// The pungs and kongs that it is made of.
    pub(crate) fn pungs(&self, view: &View) -> u64 {
        match self.evidence {
            EarningTiles::Pungs(pungs) | EarningTiles::PungsAndPair(pungs) => pungs(view),
            _ => 0,
        }
    }

    /// The total value of `count` of it.
    #[inline]
    fn amount(&self, view: &View, held: PatternSet, count: u8) -> i32 {
        let amounts = &self.amounts[usize::from(view.hand.tally().claimed == 0)];
        let place = (usize::from(count) - 1).min(amounts.len() - 1);
        let mut amount = amounts[place];
        if self.several != Repeats::Once {
            amount *= i32::from(count);
        }
        for (when, more) in &self.more {
            if held & when != 0 {
                amount += more;
            }
        }
        amount
    }
}

impl Core {
    /// Counts every item of a reading, then leaves out replaced items and all but the
    /// best of each box. An item that is replaced by one above it replaces nothing.
    pub(crate) fn count(&self, view: &View, held: PatternSet) -> Counted {
        let mut counted = Counted::NOTHING;
        self.count_into(view, held, &mut counted);
        counted
    }

    /// [`Self::count`] into the caller's value, without copies.
    #[inline]
    fn count_into(&self, view: &View, held: PatternSet, counted: &mut Counted) {
        let mut candidates = 0;
        let mut patterns = held & self.item_patterns;
        while patterns != 0 {
            candidates |= self.items_of[patterns.trailing_zeros() as usize];
            patterns &= patterns - 1;
        }
        candidates &= view.deal.items;
        let mut all_sets = false;
        if let Some(combining) = &self.combining
            && let Some((combination, fan)) = combining.of_four(view)
        {
            counted.combination = combination;
            counted.replaced = fan.replaces;
            all_sets = true;
        }
        let concealed = usize::from(view.hand.tally().claimed == 0);
        for place in bits(candidates) {
            let quick = &self.quick[place];
            if held & quick.needs != quick.needs
                || held & quick.unless != 0
                || !quick.forms.contains(view.arrangement.form)
            {
                continue;
            }
            let (count, amount) = if quick.once {
                (1, quick.amounts[concealed])
            } else {
                let item = &self.items[place];
                match item.count_in(view, held) {
                    0 => continue,
                    count => (count, item.amount(view, held, count)),
                }
            };
            counted.amounts[place] = amount;
            counted.counts[place] = count;
            counted.held |= 1 << place;
            let counts = amount > 0;
            counted.counting |= u64::from(counts) << place;
            counted.total += amount.max(0);
            let replaces = counts & (counted.replaced >> place & 1 == 0);
            counted.replaced |= select_unpredictable(replaces, quick.replaces, 0);
            counted.fans_replaced |= select_unpredictable(replaces, quick.replaces_fans, 0);
        }
        let replaced = counted.counting & counted.replaced;
        counted.counting &= !replaced;
        counted.total -= counted.sum(replaced);
        if !self.boxes.is_empty() {
            self.keep_best_of_boxes(counted);
        }
        if counted.counting & self.leftover != 0 {
            self.count_leftover(view, held, counted);
        }
        if let Some(combining) = &self.combining
            && !all_sets
        {
            counted.fans_replaced |= combining.excluded(held);
            counted.combination = combining.of_fewer(view, counted.fans_replaced);
        }
    }

    /// Counts of items that have only the sets which others leave.
    fn count_leftover(&self, view: &View, held: PatternSet, counted: &mut Counted) {
        let mut ones = 0;
        for place in bits(counted.counting & self.takers) {
            match self.items[place].takes {
                Some(Takes::Sets) => counted.taken |= self.items[place].pungs(view),
                Some(Takes::One) => ones += 1,
                None => {}
            }
        }
        for place in bits(counted.counting & self.leftover) {
            let item = &self.items[place];
            let left = (item.pungs(view) & !counted.taken).count_ones();
            let count = left.saturating_sub(ones) as u8;
            counted.counts[place] = count;
            if count == 0 {
                counted.counting &= !(1 << place);
            } else {
                counted.amounts[place] = item.amount(view, held, count);
            }
        }
        counted.total = counted.sum(counted.counting);
    }

    /// Keeps the most valuable item of each box, the first of equals.
    fn keep_best_of_boxes(&self, counted: &mut Counted) {
        let mut best = [None; 64];
        for place in bits(counted.counting) {
            let Some(r#box) = self.items[place].r#box else { continue };
            let best = &mut best[usize::from(r#box)];
            let worse = match *best {
                Some(other) if counted.amounts[other] >= counted.amounts[place] => place,
                Some(other) => {
                    *best = Some(place);
                    other
                }
                None => {
                    *best = Some(place);
                    continue;
                }
            };
            counted.counting &= !(1 << worse);
        }
        counted.total = counted.sum(counted.counting);
    }

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
    fn limit_score(&self, item: &Item) -> Halves {
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

    /// The players who are liable for everything or for a part. Of several who are liable for everything it is the
    /// one whose set was laid last: without his tile the hand would not have been as dear.
    pub(crate) fn liable(&self, view: &View, best: &ReadingValue) -> Liable {
        let mut parts = Liable::NOBODY;
        let mut whole: Option<(usize, Seat, usize)> = None;
        let mut over_another = false;
        for (place, liability) in self.liabilities.iter().enumerate() {
            let Some((laid, feeder)) = fed(liability, view, best) else { continue };
            if let Some(item) = liability.item.filter(|_| !liability.whole) {
                parts.add(feeder, self.limit_score(&self.limits[item]));
                parts = parts.because(place);
                continue;
            }
            over_another |= whole.is_some_and(|(_, other, _)| other != feeder);
            if whole.is_none_or(|(earlier, ..)| laid > earlier) {
                whole = Some((laid, feeder, place));
            }
        }
        let Some((_, feeder, place)) = whole else { return parts };
        Liable::whole(feeder, best.score).because(place).over_another(over_another)
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

/// Who is liable for such a hand, and the place among its open sets of the last one that makes him so.
fn fed(liability: &Liability, view: &View, best: &ReadingValue) -> Option<(usize, Seat)> {
    let at = view.at;
    let holds = if at.win.is_claim() { liability.claimed } else { liability.self_draw };
    let is_hand = liability.item.is_none_or(|item| best.limits >> item & 1 == 1);
    if !holds || !is_hand {
        return None;
    }
    let (laid, giver) = match liability.condition {
        Condition::Pattern(pattern) => {
            (pattern(view) > 0).then(|| (view.hand.melds().count(), None))
        }
        Condition::LastSetOf(family) => last_set(view.hand, family, liability.concealed_kongs),
    }?;
    let feeder = match liability.feeder {
        Feeder::Left => at.neighbour(Side::Left),
        Feeder::Giver => giver.and_then(|side| at.neighbour(side)).or(at.pao),
    };
    Some((laid, feeder.filter(|feeder| *feeder != at.seat)?))
}

/// Where the hand shows all sets of a family, the last one claimed: its place among the open sets, and who gave
/// it, if it shows that. `None` where the family is not complete or its last set was not claimed.
fn last_set(
    hand: &Hand,
    family: SetFamily,
    concealed_kongs: bool,
) -> Option<(usize, Option<Side>)> {
    let (belongs, needed): (fn(Meld) -> bool, usize) = match family {
        SetFamily::Dragons => (|meld| meld.face().is_dragon(), 3),
        SetFamily::Winds => (|meld| meld.face().is_wind(), 4),
        SetFamily::Kongs => (Meld::is_kong, 4),
        SetFamily::Claimed => (Meld::is_claimed, 4),
    };
    let chows = family == SetFamily::Claimed;
    let mut sets = (hand.melds().enumerate())
        .filter(|(_, meld)| (chows || meld.kind() != MeldKind::Chow) && belongs(*meld))
        .filter(|(_, meld)| concealed_kongs || meld.is_claimed());
    let (laid, last) = sets.nth(needed - 1)?;
    last.is_claimed().then(|| (laid, last.giver()))
}

impl Points {
    /// The faan that points are worth.
    pub(crate) fn faan(&self, points: u32) -> Halves {
        let step = self.steps.iter().rev().find(|(from, _)| points >= *from);
        step.map_or(Halves::ZERO, |(_, faan)| *faan)
    }
}

impl Points {
    /// The points of a pung or kong.
    #[inline]
    pub(crate) fn of_set(&self, view: &View, face: usize) -> u32 {
        let of = |mask: u64| (mask >> face & 1) as usize;
        let tally = view.hand.tally();
        let kongs = tally.open_kongs | tally.concealed_kongs;
        let values = if of(kongs) == 1 { &self.kong } else { &self.pung };
        values[2 * of(MAJORS) + of(view.arrangement.concealed_pungs)]
    }

    /// The points of a pair.
    #[inline]
    pub(crate) fn of_pair(&self, view: &View, face: Face) -> u32 {
        let own = face == view.at.seat.wind();
        let round = face == view.at.round.wind();
        let winds = match (own, round) {
            (true, true) => self.both_winds_pair,
            (true, false) => self.own_wind_pair,
            (false, true) => self.round_wind_pair,
            (false, false) if view.deal.facts.shared_winds >> face.index() & 1 == 1 => {
                self.own_wind_pair
            }
            (false, false) => 0,
        };
        u32::from(face.is_dragon()) * self.dragon_pair + winds
    }

    /// The points of a winner alone, without those of every hand.
    #[inline]
    pub(crate) fn of_completion(&self, view: &View) -> [u32; 2] {
        let pair = if view.arrangement.won == WonGroup::Pair {
            self.pair_completed[usize::from(view.arrangement.pair.is_major())]
        } else {
            0
        };
        let only = if self.only_tile != 0 && view.sole_wait() { self.only_tile } else { 0 };
        [pair, only]
    }

    /// The points of a self-draw.
    #[inline]
    pub(crate) fn of_self_draw(&self, view: &View, held: PatternSet) -> u32 {
        let self_drawn = !view.at.win.is_claim() & (held & self.self_drawn_unless == 0);
        select_unpredictable(self_drawn, self.self_drawn, 0)
    }

    /// The points of pairs of honors in hands that are no sets.
    fn of_pairs(&self, view: &View, form: Form) -> u32 {
        let honors = || (27..34).filter_map(Face::from_index);
        let held = |face: Face| u32::from(view.hand.concealed()[face.index()]);
        match form {
            Form::SevenPairs | Form::MajorPairs => {
                honors().map(|face| self.of_pair(view, face) * (held(face) / 2)).sum()
            }
            Form::PairsAndPung | Form::Unwon => (honors().filter(|face| held(*face) == 2))
                .map(|face| self.of_pair(view, face))
                .sum(),
            _ => 0,
        }
    }
}

/// Auxiliary points of a reading.
#[inline]
fn points(rules: &Points, view: &View, held: PatternSet) -> u32 {
    let Arrangement { form, pungs, pair, .. } = *view.arrangement;
    if form == Form::SevenPairs
        && let Some(all) = rules.seven_pairs
    {
        return all;
    }
    let sets = matches!(form, Form::Sets | Form::KnittedStraight);
    let pairs = if sets { rules.of_pair(view, pair) } else { rules.of_pairs(view, form) };
    let claim = view.at.win.is_claim();
    let concealed = view.hand.tally().claimed == 0;
    let mut sum = bits(pungs).map(|face| rules.of_set(view, face)).sum::<u32>()
        + pairs
        + rules.of_self_draw(view, held)
        + rules.bonus_tile * view.bonus.count_ones()
        + rules.base
        + select_unpredictable(concealed & claim, rules.concealed_claimed, 0);
    if rules.mah_jong != 0 && sets {
        sum += rules.mah_jong + rules.of_completion(view).iter().sum::<u32>();
    }
    if rules.narrow_wait != 0 && view.narrow_wait().is_some() {
        sum += rules.narrow_wait;
    }
    if !concealed {
        sum = sum.max(rules.open_least);
    }
    if rules.rounded_up_to > 1 { sum.next_multiple_of(rules.rounded_up_to) } else { sum }
}

impl Points {
    /// The points of a hand that has not won.
    pub(crate) fn of_unwon(&self, view: &View) -> u32 {
        bits(view.arrangement.pungs).map(|face| self.of_set(view, face)).sum::<u32>()
            + self.of_pairs(view, Form::Unwon)
            + self.bonus_tile * view.bonus.count_ones()
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

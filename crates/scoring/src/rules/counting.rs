//! Counts the items of a reading.

use std::hint::select_unpredictable;

use super::{
    combining::Combination,
    compiled::{Core, Item},
    file::{Repeats, Takes},
    pattern::{EarningTiles, PatternSet, View},
};

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
#[inline]
pub(crate) fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
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
    pub(super) fn count_into(&self, view: &View, held: PatternSet, counted: &mut Counted) {
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
}

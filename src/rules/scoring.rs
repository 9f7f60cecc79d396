//! What a hand is worth: every reading appraised, the best one kept.

use super::{
    Circumstances, Halves, NoWin, Payments, RuleSet, Value,
    compiled::{Condition, Core, Item, Points},
    file::{BonusTiles, Feeder, SetFamily, Several},
    pattern::{PatternSet, View, held},
};
use crate::{
    hand::{Arrangement, Form, Hand, MAJORS, MeldKind, for_each_arrangement},
    tile::{Face, Seat, Side},
};

/// What one reading is worth. Greater is better: it meets the minimum, then the score, then a
/// limit hand before others, then faan, then points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Appraisal {
    pub meets_minimum: bool,
    pub score: Halves,
    pub limit: bool,
    pub faan: Halves,
    pub points: u32,
    /// Faan without those of the points.
    pub item_faan: Halves,
}

/// What each item of a reading is worth, by its place in the file.
pub(crate) struct Counted {
    pub amounts: [i32; 64],
    /// How often the reading has it.
    pub counts: [u8; 64],
    /// Items that the reading has, whatever they are worth.
    pub held: u64,
    /// Items that count.
    pub counting: u64,
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

impl Item {
    /// How often a reading that has these patterns has the item; 0 where a condition fails.
    #[inline]
    pub(crate) fn count_in(&self, view: &View, held: PatternSet) -> u8 {
        if held & self.needs != self.needs
            || held & self.unless != 0
            || !self.forms.contains(view.arrangement.form)
        {
            return 0;
        }
        if self.several == Several::Once && self.amounts[0].len() == 1 {
            return 1;
        }
        (self.count)(view)
    }

    /// What so many of it are worth, together.
    #[inline]
    fn amount(&self, view: &View, held: PatternSet, count: u8) -> i32 {
        let amounts = &self.amounts[usize::from(view.hand.tally().claimed == 0)];
        let place = (usize::from(count) - 1).min(amounts.len() - 1);
        let mut amount = amounts[place];
        if self.several != Several::Once {
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
    /// Counts every item of a reading, then leaves out what others replace and what is not the
    /// best of its box.
    #[inline]
    pub(crate) fn count(&self, view: &View, held: PatternSet) -> Counted {
        let mut counted = Counted { amounts: [0; 64], counts: [0; 64], held: 0, counting: 0 };
        let mut candidates = 0;
        let mut patterns = held & self.item_patterns;
        while patterns != 0 {
            candidates |= self.items_of[patterns.trailing_zeros() as usize];
            patterns &= patterns - 1;
        }
        let mut replaced = 0;
        for place in bits(candidates) {
            let item = &self.items[place];
            let count = item.count_in(view, held);
            if count > 0 {
                let amount = item.amount(view, held, count);
                counted.amounts[place] = amount;
                counted.counts[place] = count;
                counted.held |= 1 << place;
                if amount > 0 {
                    counted.counting |= 1 << place;
                    replaced |= item.replaces;
                }
            }
        }
        counted.counting &= !replaced;
        if !self.boxes.is_empty() {
            self.keep_best_of_boxes(&mut counted);
        }
        counted
    }

    /// Of each box the item that is worth most, the first of equals.
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
    }

    /// The patterns of a reading that this rule set looks at.
    #[inline]
    pub(crate) fn held(&self, view: &View) -> PatternSet {
        held(view, self.wanted)
    }

    /// The first limit hand that a reading is.
    #[inline]
    pub(crate) fn limit_hand(&self, view: &View, held: PatternSet) -> Option<&Item> {
        if held & self.limit_patterns == 0 {
            return None;
        }
        self.limits.iter().find(|item| item.count_in(view, held) > 0)
    }

    /// What a limit hand is worth, whatever else it holds.
    fn appraise_limit(&self, item: &Item) -> Appraisal {
        Appraisal {
            meets_minimum: true,
            score: Halves(item.amounts[1][0]),
            limit: true,
            faan: self.limit_faan,
            points: 0,
            item_faan: self.limit_faan,
        }
    }

    /// What a reading is worth.
    #[inline]
    pub(crate) fn appraise(&self, view: &View) -> Appraisal {
        let held = self.held(view);
        let limit = self.limit_hand(view, held).map(|item| self.appraise_limit(item));
        if let Some(limit) = limit
            && self.table.last().is_some_and(|&top| limit.score.0 >= top)
        {
            return limit;
        }
        let counted = self.count(view, held);
        let items: i32 = bits(counted.counting).map(|place| counted.amounts[place]).sum();
        let item_faan = Halves(items).min(self.maximum);
        let (points, bonus) = self.points.as_ref().map_or((0, Halves::ZERO), |rules| {
            let points = points(rules, view);
            (points, rules.faan(points))
        });
        let faan = (Halves(items) + bonus).min(self.maximum);
        let minimum = view.at.minimum.unwrap_or(self.minimum);
        let ordinary = Appraisal {
            meets_minimum: item_faan >= minimum,
            score: self.score(faan),
            limit: false,
            faan,
            points,
            item_faan,
        };
        limit.map_or(ordinary, |limit| limit.max(ordinary))
    }

    /// Who has to pay for everything, if anybody.
    pub(crate) fn feeder(&self, view: &View) -> Option<Seat> {
        self.liabilities.iter().find_map(|liability| {
            if !liability.self_draw && !view.at.win.is_claim() {
                return None;
            }
            let giver = match liability.condition {
                Condition::Pattern(pattern) => (pattern(view) > 0).then_some(None)?,
                Condition::LastSetOf(family) => last_set_giver(view.hand, family)?,
            };
            match liability.feeder {
                Feeder::Left => Some(view.at.seat.neighbour(Side::Left)),
                Feeder::Giver => giver
                    .map(|side| view.at.seat.neighbour(side))
                    .or(view.at.pao)
                    .filter(|&feeder| feeder != view.at.seat),
            }
        })
    }

    /// Flowers and seasons that count.
    #[inline]
    pub(crate) fn counted_bonus(&self, hand: &Hand) -> u8 {
        if self.bonus_tiles == BonusTiles::Count { hand.bonus() } else { 0 }
    }

    /// The best reading of a hand.
    #[inline]
    pub(crate) fn best(&self, hand: &Hand, at: &Circumstances) -> Option<(Appraisal, Arrangement)> {
        let mut best: Option<(Appraisal, Arrangement)> = None;
        self.each_reading(hand, at, |appraisal, view| {
            if best.as_ref().is_none_or(|(other, _)| appraisal > *other) {
                best = Some((appraisal, *view.arrangement));
            }
        });
        best
    }

    /// Calls `visit` with every reading and what it is worth.
    #[inline]
    pub(crate) fn each_reading(
        &self,
        hand: &Hand,
        at: &Circumstances,
        mut visit: impl FnMut(Appraisal, &View),
    ) {
        let bonus = self.counted_bonus(hand);
        for_each_arrangement(hand, at.win.is_claim(), self.forms, |arrangement| {
            let view = View { hand, arrangement, at, bonus };
            visit(self.appraise(&view), &view);
        });
    }

    /// Score and payments of the best reading. Keeps no more of it than who is liable: copying
    /// whole readings costs a tenth of the time.
    #[inline]
    pub(crate) fn value(&self, hand: &Hand, at: &Circumstances) -> Result<Value, NoWin> {
        let at = &self.used(at);
        let mut best: Option<(Appraisal, Option<Seat>)> = None;
        self.each_reading(hand, at, |appraisal, view| {
            if best.as_ref().is_none_or(|(other, _)| appraisal > *other) {
                best = Some((appraisal, self.feeder(view)));
            }
        });
        let (best, feeder) = best.ok_or(NoWin::NotComplete)?;
        self.settled(at, &best, feeder)
    }

    /// Who pays what for a reading; refused below the minimum.
    #[inline]
    pub(crate) fn settle(
        &self,
        hand: &Hand,
        at: &Circumstances,
        best: &Appraisal,
        arrangement: &Arrangement,
    ) -> Result<Value, NoWin> {
        let feeder = self.feeder(&View { hand, arrangement, at, bonus: self.counted_bonus(hand) });
        self.settled(at, best, feeder)
    }

    #[inline]
    fn settled(
        &self,
        at: &Circumstances,
        best: &Appraisal,
        feeder: Option<Seat>,
    ) -> Result<Value, NoWin> {
        if !best.meets_minimum {
            let minimum = at.minimum.unwrap_or(self.minimum);
            return Err(NoWin::BelowMinimum { faan: best.item_faan, minimum });
        }
        Ok(Value {
            faan: best.faan,
            points: (self.points.is_some() && !best.limit).then_some(best.points),
            score: best.score,
            limit: best.limit,
            payments: self.payments(best.score, at, feeder),
        })
    }

    fn payments(&self, score: Halves, at: &Circumstances, feeder: Option<Seat>) -> Payments {
        self.scheme.payments(score, at, feeder)
    }
}

/// Where the hand shows all sets of a family, the last one claimed: who gave it, if it shows that.
/// `None` where the family is not complete or its last set was not claimed.
fn last_set_giver(hand: &Hand, family: SetFamily) -> Option<Option<Side>> {
    let (belongs, needed): (fn(Face) -> bool, usize) = match family {
        SetFamily::Dragons => (Face::is_dragon, 3),
        SetFamily::Winds => (Face::is_wind, 4),
    };
    let mut sets =
        hand.melds().filter(|meld| meld.kind() != MeldKind::Chow && belongs(meld.face()));
    sets.nth(needed - 1).filter(|last| last.is_claimed()).map(|last| last.giver())
}

impl Points {
    /// The faan that points are worth.
    fn faan(&self, points: u32) -> Halves {
        let step = self.steps.iter().rev().find(|(from, _)| points >= *from);
        step.map_or(Halves::ZERO, |(_, faan)| *faan)
    }
}

/// Auxiliary points of a reading.
fn points(rules: &Points, view: &View) -> u32 {
    let Arrangement { form, pungs, concealed_pungs, pair, .. } = *view.arrangement;
    let tally = view.hand.tally();
    let kongs = tally.open_kongs | tally.concealed_kongs;
    let of = |values: &[u32; 4], mask: u64| {
        let (open, concealed) = (mask & !concealed_pungs, mask & concealed_pungs);
        values[0] * (open & !MAJORS).count_ones()
            + values[1] * (concealed & !MAJORS).count_ones()
            + values[2] * (open & MAJORS).count_ones()
            + values[3] * (concealed & MAJORS).count_ones()
    };
    let pair_points = |face: Face| {
        let own = face == view.at.seat.wind();
        let round = face == view.at.round.wind();
        u32::from(face.is_dragon()) * rules.dragon_pair
            + u32::from(own) * rules.own_wind_pair
            + u32::from(round) * rules.round_wind_pair
    };
    let pairs = match form {
        Form::Sets => pair_points(pair),
        Form::SevenPairs => (27..34)
            .filter_map(Face::from_index)
            .map(|face| pair_points(face) * u32::from(view.hand.concealed()[face.index()] / 2))
            .sum(),
        Form::ThirteenOrphans | Form::Knitted => 0,
    };
    of(&rules.pung, pungs & !kongs)
        + of(&rules.kong, kongs)
        + pairs
        + rules.self_drawn * u32::from(!view.at.win.is_claim())
        + rules.bonus_tile * view.bonus.count_ones()
}

impl RuleSet {
    /// What a hand is worth and who pays: the best reading's total alone, without a list of items.
    /// Allocates nothing. The circumstances are taken as said; [`RuleSet::check`] looks for
    /// contradictions.
    ///
    /// ```
    /// use tilelens::{hand::Hand, rules::{Circumstances, RuleSet, Win}, tile::Seat};
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

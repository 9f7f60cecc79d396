//! The auxiliary points of a reading.

use std::hint::select_unpredictable;

use super::{
    Halves,
    compiled::Points,
    counting::bits,
    pattern::{PatternSet, View},
};
use crate::{
    hand::{Arrangement, Form, MAJORS, WonGroup},
    tile::Face,
};

impl Points {
    /// The faan that points are worth.
    pub(crate) fn faan(&self, points: u32) -> Halves {
        let step = self.steps.iter().rev().find(|(from, _)| points >= *from);
        step.map_or(Halves::ZERO, |(_, faan)| *faan)
    }

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

    /// The points of a hand that has not won.
    pub(crate) fn of_unwon(&self, view: &View) -> u32 {
        bits(view.arrangement.pungs).map(|face| self.of_set(view, face)).sum::<u32>()
            + self.of_pairs(view, Form::Unwon)
            + self.bonus_tile * view.bonus.count_ones()
    }
}

/// Auxiliary points of a reading.
#[inline]
pub(super) fn points(rules: &Points, view: &View, held: PatternSet) -> u32 {
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

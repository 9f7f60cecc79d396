//! A reading of a hand as patterns look at it.

use std::cell::Cell;

use super::{
    PatternSet,
    masks::{CHOW_UNITS, SUIT},
};
use crate::{
    hand::{Arrangement, Form, Forms, Hand, WonGroup, waits_for_winning_tile_alone},
    rules::{Circumstances, scoring::ReadingValue},
    tile::{Face, Seat},
};

/// What patterns look at of a rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleFacts {
    /// Whether a tile held four times counts as a wait.
    pub exhausted_waits: bool,
    /// Whether the replacement of a North put aside counts as a supplement tile.
    pub north_supplement: bool,
    /// Tiles that are not played, a bit each.
    pub missing: u64,
    /// Winds that everybody may count as his own, a bit each.
    pub shared_winds: u64,
}

/// The facts that all readings of a hand share, computed once.
pub(crate) struct HandContext<'a> {
    pub hand: &'a Hand,
    pub at: &'a Circumstances,
    /// Flowers and seasons that count, as [`Hand::bonus`].
    pub bonus: u8,
    /// The forms that win.
    pub forms: Forms,
    /// The items that may count, a bit each.
    pub items: u64,
    pub facts: RuleFacts,
    /// Whether the hand waited for its winning tile alone; found when first asked for.
    pub sole_wait: Cell<Option<bool>>,
    /// The last division of the hand, and its patterns that do not depend on the winning tile's group.
    pub divided: Cell<Option<(Arrangement, PatternSet)>>,
    /// The last appraised reading, without the winning tile's group, with its patterns and value.
    pub appraised: Cell<Option<(Arrangement, PatternSet, ReadingValue)>>,
}

impl<'a> HandContext<'a> {
    #[inline]
    pub(crate) const fn new(
        hand: &'a Hand,
        at: &'a Circumstances,
        bonus: u8,
        forms: Forms,
        facts: RuleFacts,
    ) -> Self {
        let (sole_wait, divided, appraised) = (Cell::new(None), Cell::new(None), Cell::new(None));
        Self { hand, at, bonus, forms, items: u64::MAX, facts, sole_wait, divided, appraised }
    }

    #[inline]
    pub(crate) const fn view(&'a self, arrangement: &'a Arrangement) -> View<'a> {
        View { hand: self.hand, arrangement, at: self.at, bonus: self.bonus, deal: self }
    }
}

/// A hand, one reading of it, and how it was won.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub hand: &'a Hand,
    pub arrangement: &'a Arrangement,
    pub at: &'a Circumstances,
    /// Flowers and seasons that count, as [`Hand::bonus`].
    pub bonus: u8,
    pub deal: &'a HandContext<'a>,
}

impl View<'_> {
    pub(super) const fn present(&self) -> u64 {
        self.hand.tally().present
    }

    pub(super) const fn chows(&self) -> u64 {
        self.arrangement.chows
    }

    pub(super) const fn pungs(&self) -> u64 {
        self.arrangement.pungs
    }

    pub(super) const fn kongs(&self) -> u64 {
        self.hand.tally().open_kongs | self.hand.tally().concealed_kongs
    }

    pub(super) const fn pair(&self) -> u64 {
        1 << self.arrangement.pair.index()
    }

    /// The copies of a face that are put aside.
    pub(crate) const fn aside(&self, face: Face) -> u8 {
        if face.index() == Seat::North.wind().index() { self.at.north } else { 0 }
    }

    pub(super) const fn is(&self, form: Form) -> bool {
        self.arrangement.form as u8 == form as u8
    }

    pub(super) const fn own_wind(&self) -> u64 {
        1 << self.at.seat.wind().index()
    }

    pub(super) const fn round_wind(&self) -> u64 {
        1 << self.at.round.wind().index()
    }

    pub(super) const fn shared_winds(&self) -> u64 {
        self.deal.facts.shared_winds
    }

    pub(super) const fn concealed(&self) -> bool {
        self.hand.tally().claimed == 0
    }

    /// Whether it was won on a supplement tile that counts.
    pub(super) const fn on_supplement(&self) -> bool {
        self.at.on_supplement() & (self.deal.facts.north_supplement | (self.kongs() != 0))
    }

    pub(super) const fn suits(&self) -> u8 {
        let present = self.present();
        (present & SUIT != 0) as u8
            + (present >> 9 & SUIT != 0) as u8
            + (present >> 18 & SUIT != 0) as u8
    }

    /// Chows of each kind, at least one: the units of the three-bit counts.
    pub(super) const fn chow_kinds(&self) -> u64 {
        let chows = self.chows();
        (chows | chows >> 1 | chows >> 2) & CHOW_UNITS
    }

    /// Kinds of chow that the hand has at least three times.
    pub(super) const fn chows_thrice(&self) -> u64 {
        let chows = self.chows();
        (chows & chows >> 1 | chows >> 2) & CHOW_UNITS
    }

    /// Kinds of chow that the hand has at least twice.
    pub(super) const fn chows_twice(&self) -> u64 {
        let chows = self.chows();
        (chows >> 1 | chows >> 2) & CHOW_UNITS
    }

    pub(super) const fn four_alike_chow(&self) -> bool {
        self.chows() >> 2 & CHOW_UNITS != 0
    }
}

/// The way the winning tile completes its group, where only one kind of tile does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NarrowWait {
    /// 3 to 12, 7 to 89.
    Edge,
    /// The middle tile of a chow.
    Closed,
    /// The second tile of the pair.
    Pair,
}

impl View<'_> {
    /// The narrow wait that the group of the winning tile shows, if it shows one.
    #[inline]
    pub(crate) const fn narrow_wait(&self) -> Option<NarrowWait> {
        let winning = self.hand.winning().number();
        match self.arrangement.won {
            WonGroup::Pair => Some(NarrowWait::Pair),
            WonGroup::Chow(lowest) => {
                let lowest = lowest.number();
                if winning == lowest + 1 {
                    Some(NarrowWait::Closed)
                } else if (lowest == 1 && winning == 3) || (lowest == 7 && winning == 7) {
                    Some(NarrowWait::Edge)
                } else {
                    None
                }
            }
            WonGroup::Pung | WonGroup::Single => None,
        }
    }

    /// Whether the winning tile completes a chow at an end where another tile would do at the other.
    pub(super) const fn two_sided_wait(&self) -> bool {
        matches!(self.arrangement.won, WonGroup::Chow(_)) && self.narrow_wait().is_none()
    }

    /// Whether the tiles before waited for the winning tile alone, in any form.
    pub(crate) fn sole_wait(&self) -> bool {
        let HandContext { hand, forms, facts, ref sole_wait, .. } = *self.deal;
        sole_wait.get().unwrap_or_else(|| {
            let found = waits_for_winning_tile_alone(hand, forms, facts.exhausted_waits);
            sole_wait.set(Some(found));
            found
        })
    }

    pub(super) fn sole(&self, wait: NarrowWait) -> bool {
        matches!(self.arrangement.form, Form::Sets | Form::KnittedStraight)
            && self.narrow_wait() == Some(wait)
            && self.sole_wait()
    }
}

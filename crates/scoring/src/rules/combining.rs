//! Fans of two, three or four sets, made by combining the sets of a reading.
//!
//! A rule file names such a fan by `combines`. A fan of all four sets goes before everything. Else the
//! best fan of three chows (or of three pungs), and the set left over makes one fan of two with any of
//! the three. Else fans of two: dearest first, each only if it brings in a set that is not yet connected
//! with the other, and no set makes the same fan twice.

use super::{
    fan_kinds::{
        FanKind, KINDS, four_chows, four_pungs, three_chows, three_pungs, two_chows, two_pungs,
    },
    pattern::{PatternSet, View},
};
use crate::hand::each_chow;

/// A fan of a rule file.
#[derive(Clone, Debug)]
pub(crate) struct Fan {
    pub id: String,
    pub name: String,
    /// Its place among all items of the file.
    pub order: u16,
    pub value: i32,
    /// Items, by bit, that do not count beside it; fans of four sets alone have any.
    pub replaces: u64,
    /// Patterns with which it does not count.
    pub unless: PatternSet,
}

/// The fans of a rule file that combine sets, by kind.
#[derive(Debug, Default)]
pub(crate) struct Combining {
    pub fans: [Option<Fan>; KINDS.len()],
    /// The worth of each kind; 0 where the file does not have it.
    values: [i32; KINDS.len()],
    /// Kinds that do not count with some patterns.
    conditional: Vec<(FanKind, PatternSet)>,
}

/// A fan that was made, and of which sets: a bit for each place in [`Sets`], the pungs after the chows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Made {
    pub kind: FanKind,
    pub sets: u8,
}

/// The fans that a reading makes of its sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Combination {
    made: [Option<Made>; 4],
    pub total: i32,
}

impl Combination {
    pub(crate) const NOTHING: Self = Self { made: [None; 4], total: 0 };

    fn add(&mut self, made: Made, value: i32) {
        if let Some(slot) = self.made.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(made);
            self.total += value;
        }
    }

    /// The fans made, in the order in which they were found.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Made> + '_ {
        self.made.iter().flatten().copied()
    }
}

/// Up to four sets of one kind: suit and number (a chow's lowest) from 0, sorted.
#[derive(Clone, Copy, Default)]
struct Few {
    sets: [(u8, u8); 4],
    count: usize,
}

impl Few {
    fn push(&mut self, suit: u8, number: u8) {
        if let Some(slot) = self.sets.get_mut(self.count) {
            *slot = (suit, number);
            self.count += 1;
        }
    }

    fn chows(view: &View) -> Self {
        let mut few = Self::default();
        let mut rest = view.arrangement.chows;
        while rest != 0 {
            let place = rest.trailing_zeros() / 3;
            let count = (rest >> (3 * place) & 7) as u8;
            rest &= !(7 << (3 * place));
            for _ in 0..count {
                few.push((place / 7) as u8, (place % 7) as u8);
            }
        }
        few
    }

    fn pungs(view: &View) -> Self {
        const SUITS: u64 = (1 << 27) - 1;
        let mut few = Self::default();
        let mut rest = view.arrangement.pungs & SUITS;
        while rest != 0 {
            let index = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            few.push(index / 9, index % 9);
        }
        few
    }

    fn all(&self) -> &[(u8, u8)] {
        &self.sets[..self.count]
    }
}

type Two = fn((u8, u8), (u8, u8)) -> Option<FanKind>;
type Three = fn([(u8, u8); 3]) -> Option<FanKind>;
/// A fan that was made, and its value.
type ValuedFan = (Made, i32);

impl Combining {
    /// The kind that a rule file names.
    pub(crate) fn kind(name: &str) -> Option<FanKind> {
        KINDS.iter().find(|(_, known, _)| *known == name).map(|(kind, ..)| *kind)
    }

    /// Whether a fan is one of all four sets.
    pub(crate) const fn takes_all_sets(kind: FanKind) -> bool {
        kind as u8 <= FanKind::FourPureShiftedPungs as u8
    }

    pub(crate) fn add(&mut self, kind: FanKind, fan: Fan) {
        self.values[kind as usize] = fan.value;
        if fan.unless != 0 {
            self.conditional.push((kind, fan.unless));
        }
        self.fans[kind as usize] = Some(fan);
    }

    /// Patterns that some fan asks for.
    pub(crate) fn wanted(&self) -> PatternSet {
        self.conditional.iter().fold(0, |set, (_, unless)| set | unless)
    }

    /// Kinds that do not count in a reading with these patterns, a bit each.
    #[inline]
    pub(crate) fn excluded(&self, held: PatternSet) -> u32 {
        let excluded = self.conditional.iter().filter(|(_, unless)| held & unless != 0);
        excluded.fold(0, |kinds, (kind, _)| kinds | 1 << *kind as u32)
    }

    pub(crate) fn fan(&self, kind: FanKind) -> Option<&Fan> {
        self.fans[kind as usize].as_ref()
    }

    /// The fan of all four sets, where the reading makes one.
    #[inline]
    pub(crate) fn of_four(&self, view: &View) -> Option<(Combination, &Fan)> {
        let kind = if view.arrangement.pungs == 0 {
            let few = Few::chows(view);
            (few.count == 4).then(|| four_chows(few.sets, view.arrangement.pair))?
        } else {
            let few = Few::pungs(view);
            (few.count == 4).then(|| four_pungs(few.sets))?
        }?;
        let fan = self.fan(kind)?;
        let mut combination = Combination::NOTHING;
        combination.add(Made { kind, sets: 0b1111 }, fan.value);
        Some((combination, fan))
    }

    /// The fans of three and of two sets. `left_out`: kinds that do not count, a bit each.
    #[inline]
    pub(crate) fn of_fewer(&self, view: &View, left_out: u32) -> Combination {
        let mut combination = Combination::NOTHING;
        let chows = Few::chows(view);
        let pungs = Few::pungs(view);
        if chows.count > 1 {
            self.combine(&chows, 0, two_chows, three_chows, left_out, &mut combination);
        }
        if pungs.count > 1 {
            self.combine(&pungs, chows.count, two_pungs, three_pungs, left_out, &mut combination);
        }
        combination
    }

    fn worth(&self, kind: Option<FanKind>, left_out: u32) -> Option<(FanKind, i32)> {
        let kind = kind?;
        let value = self.values[kind as usize];
        (value > 0 && left_out >> kind as u32 & 1 == 0).then_some((kind, value))
    }

    /// Sets of one sort, the first of them at `place`.
    fn combine(
        &self,
        few: &Few,
        place: usize,
        two: Two,
        three: Three,
        left_out: u32,
        found: &mut Combination,
    ) {
        if let Some((made, value, fourth)) = self.best_of_three(few, place, two, three, left_out) {
            found.add(made, value);
            if let Some((made, value)) = fourth {
                found.add(made, value);
            }
        } else {
            self.add_pairs(few, place, two, left_out, found);
        }
    }

    /// The best fan of three sets, with what the fourth set adds.
    #[inline]
    fn best_of_three(
        &self,
        few: &Few,
        place: usize,
        two: Two,
        three: Three,
        left_out: u32,
    ) -> Option<(Made, i32, Option<ValuedFan>)> {
        let sets = few.all();
        let bit = |i: usize| 1u8 << (place + i);
        let mut best: Option<(i32, Made, i32, Option<ValuedFan>)> = None;
        // The set that is left over; with three sets there is no such set, and the place after them stands for it.
        let leftover = match sets.len() {
            3 => 3..4,
            4 => 0..4,
            _ => 0..0,
        };
        for left in leftover {
            let mut of_three = [0usize; 3];
            let others = (0..sets.len()).filter(|&i| i != left);
            of_three.iter_mut().zip(others).for_each(|(slot, i)| *slot = i);
            let kind = three(of_three.map(|i| sets[i]));
            let Some((kind, value)) = self.worth(kind, left_out) else { continue };
            let made = Made { kind, sets: of_three.iter().fold(0, |bits, &i| bits | bit(i)) };
            let mut fourth: Option<ValuedFan> = None;
            if let Some(&single) = sets.get(left) {
                for i in of_three {
                    let Some((kind, value)) = self.worth(two(single, sets[i]), left_out) else {
                        continue;
                    };
                    let better = fourth.is_none_or(|(other, worth)| {
                        (value, other.kind as u8) > (worth, kind as u8)
                    });
                    if better {
                        fourth = Some((Made { kind, sets: bit(left) | bit(i) }, value));
                    }
                }
            }
            let total = value + fourth.map_or(0, |(_, value)| value);
            let named_first = |other: &Made| (made.kind as u8) < other.kind as u8;
            if best.as_ref().is_none_or(|(other, other_made, ..)| {
                total > *other || total == *other && named_first(other_made)
            }) {
                best = Some((total, made, value, fourth));
            }
        }
        best.map(|(_, made, value, fourth)| (made, value, fourth))
    }

    /// Fans of two sets, the dearest first; of equal ones the first kind.
    #[inline]
    fn add_pairs(&self, few: &Few, place: usize, two: Two, left_out: u32, found: &mut Combination) {
        let sets = few.all();
        let bit = |i: usize| 1u8 << (place + i);
        let mut connected: [u8; 4] = [0, 1, 2, 3];
        let mut has = [0u32; 4];
        loop {
            let mut next: Option<(i32, FanKind, usize, usize)> = None;
            for (one, &first) in sets.iter().enumerate() {
                for (other, &second) in sets.iter().enumerate().skip(one + 1) {
                    if connected[one] == connected[other] {
                        continue;
                    }
                    let Some((kind, value)) = self.worth(two(first, second), left_out) else {
                        continue;
                    };
                    if (has[one] | has[other]) >> kind as u32 & 1 == 1 {
                        continue;
                    }
                    let better = next.is_none_or(|(worth, named, ..)| {
                        value > worth || value == worth && (kind as u8) < named as u8
                    });
                    if better {
                        next = Some((value, kind, one, other));
                    }
                }
            }
            let Some((value, kind, one, other)) = next else { return };
            found.add(Made { kind, sets: bit(one) | bit(other) }, value);
            has[one] |= 1 << kind as u32;
            has[other] |= 1 << kind as u32;
            let (from, to) = (connected[other], connected[one]);
            connected.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
        }
    }

    /// Every kind that some sets of the reading would make if they were not combined otherwise.
    pub(crate) fn possible(&self, view: &View) -> u32 {
        let mut kinds = 0u32;
        let mut note = |kind: Option<FanKind>| {
            if let Some((kind, _)) = self.worth(kind, 0) {
                kinds |= 1 << kind as u32;
            }
        };
        for (few, two, three) in [
            (Few::chows(view), two_chows as Two, three_chows as Three),
            (Few::pungs(view), two_pungs as Two, three_pungs as Three),
        ] {
            let sets = few.all();
            for (place, &first) in sets.iter().enumerate() {
                for (next, &second) in sets.iter().enumerate().skip(place + 1) {
                    note(two(first, second));
                    sets[next + 1..].iter().for_each(|&third| note(three([first, second, third])));
                }
            }
        }
        kinds
    }
}

/// The chows and the pungs that a fan was made of: chows as counts in three bits, pungs as faces.
pub(crate) fn sets_of(view: &View, made: Made) -> (u64, u64) {
    let (mut chows, mut pungs) = (0u64, 0u64);
    let mut place = 0;
    for (lowest, count) in each_chow(view.arrangement.chows) {
        for _ in 0..count {
            if made.sets >> place & 1 == 1 {
                chows += 1 << crate::hand::chow_shift(lowest);
            }
            place += 1;
        }
    }
    const SUITS: u64 = (1 << 27) - 1;
    for face in crate::hand::each_face(view.arrangement.pungs & SUITS) {
        if made.sets >> place & 1 == 1 {
            pungs |= 1 << face.index();
        }
        place += 1;
    }
    (chows, pungs)
}

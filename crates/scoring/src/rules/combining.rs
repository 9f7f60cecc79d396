//! Fans of two, three or four sets, made by combining the sets of a reading.
//!
//! A rule file names such a fan by `combines`. A fan of all four sets goes before everything. Else the
//! best fan of three chows (or of three pungs), and the set left over makes one fan of two with any of
//! the three. Else fans of two: dearest first, each only if it brings in a set that is not yet connected
//! with the other, and no set makes the same fan twice.

use super::pattern::{PatternSet, View};
use crate::{
    hand::each_chow,
    tile::{Face, Suit},
};

/// A way to combine sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FanKind {
    QuadrupleChow,
    FourPureShiftedChows,
    PureTerminalChows,
    ThreeSuitedTerminalChows,
    FourPureShiftedPungs,
    PureTripleChow,
    PureStraight,
    PureShiftedChows,
    MixedStraight,
    MixedTripleChow,
    MixedShiftedChows,
    PureShiftedPungs,
    TriplePung,
    MixedShiftedPungs,
    PureDoubleChow,
    MixedDoubleChow,
    ShortStraight,
    TwoTerminalChows,
    DoublePung,
}

/// Every kind, its name in rule files and its description; the fans of four first, then of three, of two.
pub(crate) const KINDS: [(FanKind, &str, &str); 19] = [
    (FanKind::QuadrupleChow, "quadruple_chow", "four equal chows"),
    (
        FanKind::FourPureShiftedChows,
        "four_pure_shifted_chows",
        "four chows of a suit, each one higher, or each two higher",
    ),
    (
        FanKind::PureTerminalChows,
        "pure_terminal_chows",
        "123 twice and 789 twice, and a pair of fives, of one suit",
    ),
    (
        FanKind::ThreeSuitedTerminalChows,
        "three_suited_terminal_chows",
        "123 and 789 in two suits, and a pair of fives of the third",
    ),
    (
        FanKind::FourPureShiftedPungs,
        "four_pure_shifted_pungs",
        "pungs of four numbers in a row of a suit",
    ),
    (FanKind::PureTripleChow, "pure_triple_chow", "three equal chows"),
    (FanKind::PureStraight, "pure_straight", "123, 456 and 789 of one suit"),
    (
        FanKind::PureShiftedChows,
        "pure_shifted_chows",
        "three chows of a suit, each one higher, or each two higher",
    ),
    (FanKind::MixedStraight, "mixed_straight", "123, 456 and 789 in three suits"),
    (FanKind::MixedTripleChow, "mixed_triple_chow", "the same chow in three suits"),
    (
        FanKind::MixedShiftedChows,
        "mixed_shifted_chows",
        "three chows in three suits, each one higher",
    ),
    (FanKind::PureShiftedPungs, "pure_shifted_pungs", "pungs of three numbers in a row of a suit"),
    (FanKind::TriplePung, "triple_pung", "pungs of a number in three suits"),
    (
        FanKind::MixedShiftedPungs,
        "mixed_shifted_pungs",
        "three pungs in three suits, each one higher",
    ),
    (FanKind::PureDoubleChow, "pure_double_chow", "two equal chows"),
    (FanKind::MixedDoubleChow, "mixed_double_chow", "the same chow in two suits"),
    (
        FanKind::ShortStraight,
        "short_straight",
        "two chows of a suit that run on, such as 234 and 567",
    ),
    (FanKind::TwoTerminalChows, "two_terminal_chows", "123 and 789 of a suit"),
    (FanKind::DoublePung, "double_pung", "pungs of a number in two suits"),
];

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

fn two_chows(one: (u8, u8), other: (u8, u8)) -> Option<FanKind> {
    let apart = one.1.abs_diff(other.1);
    match (one.0 == other.0, apart) {
        (true, 0) => Some(FanKind::PureDoubleChow),
        (true, 3) => Some(FanKind::ShortStraight),
        (true, 6) => Some(FanKind::TwoTerminalChows),
        (false, 0) => Some(FanKind::MixedDoubleChow),
        _ => None,
    }
}

fn two_pungs(one: (u8, u8), other: (u8, u8)) -> Option<FanKind> {
    (one.0 != other.0 && one.1 == other.1).then_some(FanKind::DoublePung)
}

/// The numbers of three sets, sorted, where these are of one suit (`true`) or of three (`false`).
fn suits_of_three([a, b, c]: [(u8, u8); 3]) -> Option<(bool, [u8; 3])> {
    let pure = a.0 == b.0 && b.0 == c.0;
    if !pure && (a.0 == b.0 || b.0 == c.0 || a.0 == c.0) {
        return None;
    }
    let mut numbers = [a.1, b.1, c.1];
    numbers.sort_unstable();
    Some((pure, numbers))
}

fn three_chows(sets: [(u8, u8); 3]) -> Option<FanKind> {
    let (pure, [low, middle, high]) = suits_of_three(sets)?;
    let steps = (middle - low, high - middle);
    match (pure, steps) {
        (true, (0, 0)) => Some(FanKind::PureTripleChow),
        (true, (3, 3)) => Some(FanKind::PureStraight),
        (true, (1, 1) | (2, 2)) => Some(FanKind::PureShiftedChows),
        (false, (3, 3)) => Some(FanKind::MixedStraight),
        (false, (0, 0)) => Some(FanKind::MixedTripleChow),
        (false, (1, 1)) => Some(FanKind::MixedShiftedChows),
        _ => None,
    }
}

fn three_pungs(sets: [(u8, u8); 3]) -> Option<FanKind> {
    let (pure, [low, middle, high]) = suits_of_three(sets)?;
    match (pure, (middle - low, high - middle)) {
        (true, (1, 1)) => Some(FanKind::PureShiftedPungs),
        (false, (0, 0)) => Some(FanKind::TriplePung),
        (false, (1, 1)) => Some(FanKind::MixedShiftedPungs),
        _ => None,
    }
}

fn four_chows(sets: [(u8, u8); 4], pair: Face) -> Option<FanKind> {
    let suits = sets.map(|set| set.0);
    let numbers = sets.map(|set| set.1);
    let steps = [
        numbers[1].wrapping_sub(numbers[0]),
        numbers[2].wrapping_sub(numbers[1]),
        numbers[3].wrapping_sub(numbers[2]),
    ];
    let fives = pair.suit() != Suit::Honors && pair.number() == 5;
    let of_pair = (pair.index() / 9) as u8;
    if suits.iter().all(|&suit| suit == suits[0]) {
        return match steps {
            [0, 0, 0] => Some(FanKind::QuadrupleChow),
            [1, 1, 1] | [2, 2, 2] => Some(FanKind::FourPureShiftedChows),
            [0, 6, 0] if fives && of_pair == suits[0] => Some(FanKind::PureTerminalChows),
            _ => None,
        };
    }
    let two_suits = suits[0] == suits[1] && suits[2] == suits[3];
    (two_suits && numbers == [0, 6, 0, 6] && fives && !suits.contains(&of_pair))
        .then_some(FanKind::ThreeSuitedTerminalChows)
}

fn four_pungs(sets: [(u8, u8); 4]) -> Option<FanKind> {
    let shifted = sets.windows(2).all(|two| two[0].0 == two[1].0 && two[1].1 == two[0].1 + 1);
    shifted.then_some(FanKind::FourPureShiftedPungs)
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

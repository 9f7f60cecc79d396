//! Decides face by face which counts of tiles make a finished hand.

use crate::{
    hand::{Form, WholeHand},
    tile::Face,
};

/// Bit set of begun chows and the pair: a bit for each state (begun at the last face, at the one before, pair).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct SetStates(u64);

impl SetStates {
    const START: Self = Self(1);
    const fn bit(last: u8, before: u8, pair: u8) -> u64 {
        1 << ((last * 5 + before) * 2 + pair)
    }

    /// After `count` tiles of a face; chows may begin where `chow` says so.
    fn step(self, count: u8, chow: bool) -> Self {
        let mut next = 0;
        let mut left = self.0;
        while left != 0 {
            let state = left.trailing_zeros() as u8;
            left &= left - 1;
            let (last, before, pair) = (state / 10, state / 2 % 5, state % 2);
            let Some(rest) = count.checked_sub(last + before) else { continue };
            // No more chows begin with a face than there are copies; more may be seen where faces are misread.
            for begun in 0..=if chow { rest.min(Face::COPIES) } else { 0 } {
                match (rest - begun, pair) {
                    (0 | 3, pair) => next |= Self::bit(begun, last, pair),
                    (2, 0) => next |= Self::bit(begun, last, 1),
                    _ => {}
                }
            }
        }
        Self(next)
    }

    const fn whole(self) -> Self {
        Self(self.0 & (Self::bit(0, 0, 0) | Self::bit(0, 0, 1)))
    }

    const fn finished(self) -> bool {
        self.0 & Self::bit(0, 0, 1) != 0
    }
}

/// The forms of a finished hand that the counts of the faces so far still allow.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Prospect {
    sets: SetStates,
    pairs: Pairs,
    /// Orphans: 0 lost, 1 without a pair so far, 2 with one.
    orphans: u8,
    /// Knitted with doubled honors: a bit for each assignment of the three thirds that still fits.
    knitted: u8,
    /// Honors and knitted tiles, all different: bits as in `knitted`.
    scattered: u8,
    /// For the last two: different honors so far, and whether one is doubled.
    honors: (u8, bool),
    /// A set and the pair beside each way of a knitted straight.
    beside_straight: [SetStates; 6],
}

/// Seven pairs, in hands of 17 tiles with a pung.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Pairs {
    possible: bool,
    /// Whether four alike do not count as two pairs.
    differ: bool,
    /// Whether the pung is taken, or not needed.
    pung: bool,
}

impl Pairs {
    const fn step(self, count: u8) -> Self {
        match count {
            0 | 2 => self,
            4 if !self.differ => self,
            3 if !self.pung => Self { pung: true, ..self },
            _ => Self { possible: false, differ: false, pung: false },
        }
    }
}

/// Which third of a suit (remainder of number - 1) the suits take, in every order.
const KNITTED: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
/// All bits of the assignments in [`KNITTED`].
const EVERY_WAY: u8 = 0b11_1111;

impl Prospect {
    /// The state before the first face, with `apart` sets apart.
    pub fn start(whole: WholeHand, apart: usize) -> Self {
        let may = |form: Form| whole.forms.contains(form) && form.fits(whole.sets as u8);
        let alone = |form: Form| apart == 0 && may(form);
        let ways = |form: Form| if alone(form) { EVERY_WAY } else { 0 };
        let pung = may(Form::PairsAndPung);
        let pairs = Pairs {
            possible: alone(Form::SevenPairs) || alone(Form::PairsAndPung),
            differ: whole.forms.pairs_differ(),
            pung: !pung,
        };
        let straight = apart <= 1 && may(Form::KnittedStraight);
        Self {
            sets: if may(Form::Sets) { SetStates::START } else { SetStates::default() },
            pairs: if pairs.possible { pairs } else { Pairs::default() },
            orphans: u8::from(alone(Form::ThirteenOrphans)),
            knitted: ways(Form::Knitted),
            scattered: ways(Form::HonorsAndKnitted),
            honors: (0, false),
            beside_straight: [if straight { SetStates::START } else { SetStates::default() }; 6],
        }
    }

    pub fn step(mut self, face: u8, count: u8) -> Self {
        let place = face % 9;
        let suited = face < 27;
        let step = |sets: SetStates, count: u8| {
            let sets = sets.step(count, suited && place < 7);
            if !suited || place == 8 { sets.whole() } else { sets }
        };
        self.sets = step(self.sets, count);
        self.pairs = self.pairs.step(count);
        let major = !suited || place == 0 || place == 8;
        self.orphans = match (self.orphans, major, count) {
            (state, true, 1) | (state, false, 0) => state,
            (1, true, 2) => 2,
            _ => 0,
        };
        for (way, thirds) in KNITTED.iter().enumerate() {
            let due = u8::from(suited && thirds[usize::from(face / 9)] == place % 3);
            let beside = &mut self.beside_straight[way];
            *beside =
                count.checked_sub(due).map_or(SetStates::default(), |rest| step(*beside, rest));
            if suited && count != due {
                self.knitted &= !(1 << way);
            }
            if suited && count > due {
                self.scattered &= !(1 << way);
            }
        }
        if !suited && count > 0 {
            let (kinds, doubled) = self.honors;
            self.honors = (kinds + 1, doubled || count > 1);
            if count > 1 {
                self.scattered = 0;
            }
            if count > 2 || count == 2 && doubled {
                self.knitted = 0;
            }
        }
        if self.knitted | self.scattered == 0 {
            self.honors = (0, false);
        }
        self
    }

    /// Whether it is a whole hand, given that it has a whole hand's tiles.
    pub fn finished(self) -> bool {
        self.sets.finished()
            || self.pairs.possible && self.pairs.pung
            || self.orphans == 2
            || (self.knitted != 0 && self.honors == (4, true))
            // With fourteen tiles at least five of them are honors.
            || (self.scattered != 0 && !self.honors.1)
            || self.beside_straight.iter().any(|sets| sets.finished())
    }
}

/// Whether counts by [`Face::index`], beside a number of sets apart, make a whole hand.
pub fn is_finished(whole: WholeHand, counts: &[u8; Face::SET_FACES], apart: usize) -> bool {
    let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
    let start = Prospect::start(whole, apart);
    total + 3 * apart == whole.tiles()
        && (0u8..).zip(counts).fold(start, |prospect, (face, &n)| prospect.step(face, n)).finished()
}

/// Whether one more tile would finish it.
pub fn is_waiting(whole: WholeHand, counts: &[u8; Face::SET_FACES], apart: usize) -> bool {
    (0..Face::SET_FACES).any(|face| {
        let mut counts = *counts;
        counts[face] += 1;
        counts[face] <= Face::COPIES && is_finished(whole, &counts, apart)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts by face, from the number of each tile.
    fn counts(of: &[(&str, u8)]) -> [u8; Face::SET_FACES] {
        let mut counts = [0; Face::SET_FACES];
        for (face, count) in of {
            counts[face.parse::<Face>().expect("a face").index()] = *count;
        }
        counts
    }

    #[test]
    fn four_equal_chows_and_a_pair_are_a_hand() {
        assert!(is_finished(
            WholeHand::default(),
            &counts(&[("3m", 4), ("4m", 4), ("5m", 4), ("1z", 2)]),
            0
        ));
        assert!(!is_finished(
            WholeHand::default(),
            &counts(&[("3m", 4), ("4m", 4), ("5m", 3), ("1z", 2), ("2z", 1)]),
            0
        ));
    }

    #[test]
    fn more_of_a_face_than_there_are_is_no_panic() {
        for many in [5, 7, 9, 11, 13] {
            assert!(
                !is_finished(WholeHand::default(), &counts(&[("3m", many), ("1z", 14 - many)]), 0),
                "{many}"
            );
        }
    }
}

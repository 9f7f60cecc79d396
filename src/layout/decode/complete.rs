//! Which counts of tiles make a finished hand, face by face.

use crate::tile::Face;

/// Chows begun and the pair: a bit for each (begun at the last face, at the one before, pair).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
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

/// What the counts of the faces so far still allow.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prospect {
    sets: SetStates,
    pairs: bool,
    /// Orphans: 0 lost, 1 none doubled yet, 2 one doubled.
    orphans: u8,
    /// Knitted: a bit for each way to share out the three thirds that still fits.
    knitted: u8,
    /// Knitted: different honors so far, and whether one is doubled.
    honors: (u8, bool),
}

/// Which third of a suit (remainder of number - 1) the suits take, in every order.
const KNITTED: [[u8; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl Prospect {
    pub const fn start(apart: usize) -> Self {
        let alone = apart == 0;
        Self {
            sets: SetStates::START,
            pairs: alone,
            orphans: alone as u8,
            knitted: if alone { 0b11_1111 } else { 0 },
            honors: (0, false),
        }
    }

    pub fn step(mut self, face: u8, count: u8) -> Self {
        let place = face % 9;
        let suited = face < 27;
        self.sets = self.sets.step(count, suited && place < 7);
        if !suited || place == 8 {
            self.sets = self.sets.whole();
        }
        self.pairs &= count.is_multiple_of(2);
        let major = !suited || place == 0 || place == 8;
        self.orphans = match (self.orphans, major, count) {
            (state, true, 1) | (state, false, 0) => state,
            (1, true, 2) => 2,
            _ => 0,
        };
        if suited {
            for (way, thirds) in KNITTED.iter().enumerate() {
                let due = u8::from(thirds[usize::from(face / 9)] == place % 3);
                if count != due {
                    self.knitted &= !(1 << way);
                }
            }
        } else {
            match (count, self.honors) {
                (0, _) => {}
                (1, (kinds, doubled)) => self.honors = (kinds + 1, doubled),
                (2, (kinds, false)) => self.honors = (kinds + 1, true),
                _ => self.knitted = 0,
            }
        }
        if self.knitted == 0 {
            self.honors = (0, false);
        }
        self
    }

    pub fn finished(self) -> bool {
        self.sets.finished()
            || self.pairs
            || self.orphans == 2
            || (self.knitted != 0 && self.honors == (4, true))
    }
}

/// Whether counts by [`Face::index`], beside a number of sets apart, make a finished hand.
pub fn is_finished(counts: &[u8; Face::SET_FACES], apart: usize) -> bool {
    let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
    total + 3 * apart == 14
        && (0u8..).zip(counts).fold(Prospect::start(apart), |p, (f, &n)| p.step(f, n)).finished()
}

/// Whether one more tile would finish it.
pub fn is_waiting(counts: &[u8; Face::SET_FACES], apart: usize) -> bool {
    (0..Face::SET_FACES).any(|face| {
        let mut counts = *counts;
        counts[face] += 1;
        counts[face] <= Face::COPIES && is_finished(&counts, apart)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts by face of so many tiles of each.
    fn counts(of: &[(&str, u8)]) -> [u8; Face::SET_FACES] {
        let mut counts = [0; Face::SET_FACES];
        for (face, count) in of {
            counts[face.parse::<Face>().expect("a face").index()] = *count;
        }
        counts
    }

    #[test]
    fn four_equal_chows_and_a_pair_are_a_hand() {
        assert!(is_finished(&counts(&[("3m", 4), ("4m", 4), ("5m", 4), ("1z", 2)]), 0));
        assert!(!is_finished(&counts(&[("3m", 4), ("4m", 4), ("5m", 3), ("1z", 2), ("2z", 1)]), 0));
    }

    #[test]
    fn more_of_a_face_than_there_are_is_no_panic() {
        for many in [5, 7, 9, 11, 13] {
            assert!(!is_finished(&counts(&[("3m", many), ("1z", 14 - many)]), 0), "{many}");
        }
    }
}

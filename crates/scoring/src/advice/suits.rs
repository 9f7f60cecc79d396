//! The number of tiles that a suit lacks of each number of sets, with a pair and without: the smallest
//! part of the distance of a hand.
//!
//! Only 187 different answers exist for the 1,953,125 ways in which a suit's tiles can be held (83
//! for the honors), and only some 300 for two suits together. So a hand's answer is four look-ups of an
//! answer's number, two of the answers for two suits, and one for all four. The tables are made at
//! first use. A suit with sets laid apart, whose tiles are no longer to be had, is worked out
//! by itself ([`lacking`]).

use std::{collections::HashMap, hash::Hash, sync::LazyLock};

use crate::tile::Face;

/// The most sets of any hand.
pub(super) const MOST_SETS: usize = 5;

/// The tiles that a suit, or several together, lacks: of n sets at place n, of n sets and a pair
/// at place n + 6.
pub(super) type Lacks = [u8; LANES];

const LANES: usize = 2 * (MOST_SETS + 1);
/// The lane of no set and a pair.
const PAIR: usize = MOST_SETS + 1;
/// The number for tiles that cannot be had at all: more than any hand lacks.
pub(super) const NEVER: u8 = 60;

/// The number of sets, and whether there is a pair, of a lane of [`Lacks`].
const fn lane(place: usize) -> (usize, usize) {
    (place % PAIR, place / PAIR)
}

/// The lacks of two parts of a hand together.
pub(super) fn together(one: &Lacks, other: &Lacks) -> Lacks {
    let mut both = [NEVER; LANES];
    for (a, &lacks) in one.iter().enumerate() {
        for (b, &more) in other.iter().enumerate() {
            let ((sets, pair), (more_sets, more_pairs)) = (lane(a), lane(b));
            if sets + more_sets <= MOST_SETS && pair + more_pairs <= 1 {
                let place = a + b;
                both[place] = both[place].min(lacks + more);
            }
        }
    }
    both
}

/// The tiles that two halves of a hand lack of a number of sets and a pair.
pub(super) fn least(one: &Lacks, other: &Lacks, sets: usize) -> u8 {
    (0..=sets)
        .flat_map(|n| [one[n] + other[PAIR + sets - n], one[PAIR + n] + other[sets - n]])
        .min()
        .unwrap_or(NEVER)
}

/// The lacks of a suit, or the honors, where no more than `most` of a face may go into the hand's
/// sets and pair.
pub(super) fn lacking(held: &[u8], most: &[u8]) -> Lacks {
    let chows = held.len() == 9;
    // By the chows begun two numbers and one number ago. Three equal chows are three pungs, so
    // two are enough.
    let mut lacks = [[[NEVER; LANES]; 3]; 3];
    lacks[0][0][0] = 0;
    for (number, (&held, &most)) in held.iter().zip(most).enumerate() {
        let mut next = [[[NEVER; LANES]; 3]; 3];
        let begun = if chows && number < 7 { 2 } else { 0 };
        for (before, one_ago) in lacks.iter().enumerate() {
            for (ago, so_far) in one_ago.iter().enumerate() {
                for (place, &cost) in so_far.iter().enumerate().filter(|(_, cost)| **cost < NEVER) {
                    let (sets, pair) = lane(place);
                    for chow in 0..=begun {
                        for pung in 0..=1 {
                            for pairs in 0..=1 - pair {
                                let used = (before + ago + chow + 3 * pung + 2 * pairs) as u8;
                                if used > most || sets + chow + pung > MOST_SETS {
                                    continue;
                                }
                                let to = &mut next[ago][chow][place + chow + pung + PAIR * pairs];
                                *to = (*to).min(cost + used.saturating_sub(held));
                            }
                        }
                    }
                }
            }
        }
        lacks = next;
    }
    lacks[0][0]
}

/// A number for each different value, in the order in which they are met.
struct Numbered<T> {
    values: Vec<T>,
    numbers: HashMap<T, usize>,
}

impl<T: Copy + Eq + Hash> Numbered<T> {
    fn new() -> Self {
        Self { values: Vec::new(), numbers: HashMap::new() }
    }

    fn number(&mut self, value: T) -> usize {
        *self.numbers.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.values.len() - 1
        })
    }
}

/// Lacks as a row of ones for each place, one for each lacking tile: the least of two is their `&`.
/// A place needs as many bits as n sets and the pair have tiles, 102 in all.
struct Ones;

impl Ones {
    const fn tiles(place: usize) -> u32 {
        let (sets, pair) = lane(place);
        (3 * sets + 2 * pair) as u32
    }

    const fn start(place: usize) -> u32 {
        let (mut start, mut before) = (0, 0);
        while before < place {
            start += Self::tiles(before);
            before += 1;
        }
        start
    }

    /// All ones of the places in a mask.
    fn of(places: u16) -> u128 {
        (0..LANES)
            .filter(|place| places >> place & 1 == 1)
            .fold(0, |ones, place| ones | ((1 << Self::tiles(place)) - 1) << Self::start(place))
    }

    fn lacks(ones: u128) -> Lacks {
        std::array::from_fn(|place| (ones & Self::of(1 << place)).count_ones() as u8)
    }
}

/// Marks every way to hold just n sets, with a pair or without, in a table by [`index`].
fn mark_sets(held: &mut [u8], from: usize, place: usize, marks: &mut [u16]) {
    marks[index(held)] |= 1 << place;
    if place >= PAIR {
        return;
    }
    let numbers = held.len();
    // Chows, pungs and pairs by their lowest number, in this order, so that each choice is met once.
    for part in from..3 * numbers {
        let (kind, low) = (part / numbers, part % numbers);
        let (range, amount) = match kind {
            0 if numbers == 9 && low < 7 => (low..low + 3, 1),
            0 => continue,
            1 => (low..low + 1, 3),
            _ => (low..low + 1, 2),
        };
        let next = if kind == 2 { place + PAIR } else { place + 1 };
        if next == PAIR && kind != 2
            || range.clone().any(|number| held[number] + amount > Face::COPIES)
        {
            continue;
        }
        held[range.clone()].iter_mut().for_each(|held| *held += amount);
        mark_sets(held, part, next, marks);
        held[range].iter_mut().for_each(|held| *held -= amount);
    }
}

/// Held tiles, at most four of each, as a number in base five, the lowest face first.
#[inline]
fn index(held: &[u8]) -> usize {
    let (first, ninth) = held.split_at(held.len().min(8));
    let mut digits = [0; 8];
    digits[..first.len()].copy_from_slice(first);
    // Neighbours are put together, first digits, then pairs of these, then fours.
    let ones = u64::from_le_bytes(digits);
    let twos = (ones + (ones >> 8) * 5) & 0x00ff_00ff_00ff_00ff;
    let fours = (twos + (twos >> 16) * 25) & 0x0000_ffff_0000_ffff;
    let eight = (fours + (fours >> 32) * 625) & 0xffff_ffff;
    let ninth = ninth.first().map_or(0, |ninth| u64::from(*ninth) * 390_625);
    (eight + ninth) as usize
}

/// The lacks of one suit, or the honors, for every way to hold its tiles.
struct Suit {
    /// By [`index`]: the number of its lacks.
    held: Vec<u8>,
    lacks: Vec<Lacks>,
}

impl Suit {
    fn new(numbers: usize) -> Self {
        let steps: Vec<usize> = (0..numbers).map(|number| 5usize.pow(number as u32)).collect();
        let size = 5 * steps[numbers - 1];
        let mut marks = vec![0; size];
        mark_sets(&mut vec![0; numbers], 0, 0, &mut marks);
        // Whoever holds more than just the sets holds the sets, too.
        for &step in &steps {
            for ways in marks.chunks_exact_mut(5 * step) {
                for at in step..ways.len() {
                    ways[at] |= ways[at - step];
                }
            }
        }
        // Each way lacks one tile more than the best way with another tile. So the fullest go first.
        let every = (1 << LANES) - 1;
        let all = Ones::of(every);
        let first = (0..LANES)
            .filter(|place| Ones::tiles(*place) > 0)
            .fold(0, |ones, place| ones | 1u128 << Ones::start(place));
        let missing: Vec<u128> = (0..=every).map(|held| Ones::of(!held & every)).collect();
        let mut numbered = Numbered::new();
        let mut last = (0, 0);
        let mut held = vec![0u8; size];
        let mut digits = vec![Face::COPIES; numbers];
        for at in (0..size).rev() {
            let mut best = all;
            for (digit, step) in digits.iter().zip(&steps) {
                if *digit < Face::COPIES {
                    best &= numbered.values[usize::from(held[at + step])];
                }
            }
            let ones: u128 = (best << 1 | first) & missing[usize::from(marks[at])];
            if last.0 != ones || at + 1 == size {
                last = (ones, numbered.number(ones) as u8);
            }
            held[at] = last.1;
            count_down(&mut digits);
        }
        Self { held, lacks: numbered.values.into_iter().map(Ones::lacks).collect() }
    }
}

fn count_down(digits: &mut [u8]) {
    for digit in digits {
        *digit = digit.checked_sub(1).unwrap_or(Face::COPIES);
        if *digit != Face::COPIES {
            break;
        }
    }
}

struct Tables {
    suit: Suit,
    honors: Suit,
    /// For two suits' numbers, the number of their joint lacks.
    suits: Vec<u16>,
    /// For the numbers of a suit and the honors, the number of their joint lacks.
    with_honors: Vec<u16>,
    /// For each number of sets and both joint numbers, the tiles that the hand lacks of these sets and a pair.
    hand: [Vec<u8>; MOST_SETS + 1],
    /// The number of different values in `with_honors`.
    width: usize,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let (suit, honors) = (Suit::new(9), Suit::new(7));
    let pairs = |others: &[Lacks]| {
        let mut numbered = Numbered::new();
        let numbers: Vec<u16> = (suit.lacks.iter())
            .flat_map(|one| others.iter().map(move |other| together(one, other)))
            .map(|lacks| numbered.number(lacks) as u16)
            .collect();
        (numbers, numbered.values)
    };
    let (suits, two) = pairs(&suit.lacks);
    let (with_honors, last) = pairs(&honors.lacks);
    let hand = std::array::from_fn(|sets| {
        two.iter().flat_map(|one| last.iter().map(move |other| least(one, other, sets))).collect()
    });
    Tables { suit, honors, suits, with_honors, hand, width: last.len() }
});

/// The three suits and the honors of the counts of all faces.
pub(super) fn split(held: &[u8; Face::SET_FACES]) -> [&[u8]; 4] {
    [&held[..9], &held[9..18], &held[18..27], &held[27..]]
}

/// The tiles that a hand lacks of a number of sets and a pair. At most four of a face may be held.
#[inline]
pub(super) fn look_up(held: &[u8; Face::SET_FACES], sets: usize) -> u8 {
    let tables = &*TABLES;
    let number = |suit: &Suit, held: &[u8]| usize::from(suit.held[index(held)]);
    let [first, second, third, honors] = split(held);
    let first = number(&tables.suit, first) * tables.suit.lacks.len();
    let third = number(&tables.suit, third) * tables.honors.lacks.len();
    let two = tables.suits[first + number(&tables.suit, second)];
    let last = tables.with_honors[third + number(&tables.honors, honors)];
    tables.hand[sets][usize::from(two) * tables.width + usize::from(last)]
}

/// The lacks of one suit, or the honors, from the table.
pub(super) fn lacking_of_four(held: &[u8]) -> Lacks {
    let suit = if held.len() == 9 { &TABLES.suit } else { &TABLES.honors };
    suit.lacks[usize::from(suit.held[index(held)])]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_answers_are_different() {
        assert_eq!((TABLES.suit.lacks.len(), TABLES.honors.lacks.len()), (187, 83));
        assert_eq!(TABLES.hand[4].len(), 328 * 275);
    }

    #[test]
    fn a_full_suit_lacks_nothing_and_an_empty_one_everything() {
        let nothing = lacking_of_four(&[0; 9]);
        assert_eq!(nothing, [0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 17]);
        assert_eq!(lacking_of_four(&[4; 9]), [0; 12]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

        #[test]
        fn the_table_says_what_is_worked_out(held in prop::collection::vec(0u8..=4, 9)) {
            prop_assert_eq!(lacking_of_four(&held), lacking(&held, &[4; 9]));
            prop_assert_eq!(lacking_of_four(&held[..7]), lacking(&held[..7], &[4; 7]));
        }
    }
}

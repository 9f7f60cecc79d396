//! Every way to divide the concealed tiles of one suit into chows, pungs and at most one pair.
//!
//! Only some 21,700 count vectors of at most four sets and a pair divide at all; all their divisions are
//! in one table that fits the processor's cache, built once. Vectors of five sets, which few hands of five
//! sets have in one suit, have a table of their own.

use std::sync::LazyLock;

/// One division of one suit. Chows are counted in three bits for each lowest number 1-7, pungs
/// are a bit for each number 1-9.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SuitSets {
    /// The number of chows from each number: bits 3n..3n+3 for the number n + 1.
    pub chows: u32,
    /// Bit n: a pung of the number n + 1.
    pub pungs: u16,
    /// The pair's number less one; [`NO_PAIR`] where there is none.
    pub pair: u8,
}

/// No pair in this suit.
pub(crate) const NO_PAIR: u8 = 15;

/// Packed counts: three bits for each number.
pub(crate) type Packed = u32;

/// The lowest bit of each three that count a number.
pub(crate) const ONES: Packed = 0o111_111_111;

/// The number of tiles in a packed suit.
pub(crate) const fn size(packed: Packed) -> u32 {
    (packed & ONES).count_ones()
        + 2 * (packed >> 1 & ONES).count_ones()
        + 4 * (packed >> 2 & ONES).count_ones()
}

/// The most sets of the common table's vectors.
const COMMON_SETS: u8 = 4;
const MOST_SETS: u8 = 5;

/// Open addressing in slots of one word, so that a suit costs one access to a quarter of a megabyte. A slot
/// holds a vector, its packed counts lowest, and above them its only division; or, where it has several,
/// their place in `several` and how many there are.
struct DivisionTable {
    slots: Vec<u64>,
    several: Vec<SuitSets>,
}

const EMPTY: u64 = u64::MAX;
const KEY: u64 = (1 << 27) - 1;
/// The bit of vectors that have several divisions.
const SEVERAL: u64 = 1 << 63;

impl SuitSets {
    /// Above the key: chows in 21 bits, pungs in 9, the pair in 4.
    const fn word(self) -> u64 {
        (self.chows as u64) << 27 | (self.pungs as u64) << 48 | (self.pair as u64) << 57
    }

    const fn from_word(word: u64) -> Self {
        Self {
            chows: (word >> 27) as u32 & 0x1f_ffff,
            pungs: (word >> 48) as u16 & 0x1ff,
            pair: (word >> 57) as u8 & 0xf,
        }
    }
}

/// The divisions of one suit, one after the other.
#[derive(Clone)]
pub(crate) struct Divisions {
    next: Option<SuitSets>,
    others: std::slice::Iter<'static, SuitSets>,
}

impl Divisions {
    /// No division, or the only one.
    #[inline]
    fn one(next: Option<SuitSets>) -> Self {
        Self { next, others: [].iter() }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.next.is_none()
    }
}

impl Iterator for Divisions {
    type Item = SuitSets;

    #[inline]
    fn next(&mut self) -> Option<SuitSets> {
        let this = self.next?;
        self.next = self.others.next().copied();
        Some(this)
    }
}

/// Divides counts into sets, lowest tile first.
fn divide(counts: &mut [u8; 9], from: usize, so_far: SuitSets, found: &mut Vec<SuitSets>) {
    let Some(low) = (from..9).find(|&n| counts[n] > 0) else {
        found.push(so_far);
        return;
    };
    if counts[low] >= 3 {
        counts[low] -= 3;
        divide(counts, low, SuitSets { pungs: so_far.pungs | 1 << low, ..so_far }, found);
        counts[low] += 3;
    }
    if low < 7 && counts[low + 1] > 0 && counts[low + 2] > 0 {
        (low..low + 3).for_each(|n| counts[n] -= 1);
        let chows = so_far.chows + (1 << (3 * low));
        divide(counts, low, SuitSets { chows, ..so_far }, found);
        (low..low + 3).for_each(|n| counts[n] += 1);
    }
    if so_far.pair == NO_PAIR && counts[low] >= 2 {
        counts[low] -= 2;
        divide(counts, low, SuitSets { pair: low as u8, ..so_far }, found);
        counts[low] += 2;
    }
}

/// Puts together every vector of at most `most` further sets and a pair.
fn complete_vectors(counts: &mut [u8; 9], part: usize, most: u8, seen: &mut Vec<Packed>) {
    // Parts 0-6 are chows, 7-15 pungs, 16-24 pairs, in this order, so that each multiset of parts
    // is met once.
    seen.push(pack(counts));
    for next in part..25 {
        let (tiles, amount): (std::ops::Range<usize>, u8) = match next {
            0..=6 => (next..next + 3, 1),
            7..=15 => (next - 7..next - 6, 3),
            _ => (next - 16..next - 15, 2),
        };
        let is_pair = next >= 16;
        if (!is_pair && most == 0) || tiles.clone().any(|n| counts[n] + amount > 4) {
            continue;
        }
        tiles.clone().for_each(|n| counts[n] += amount);
        // After a pair nothing follows.
        complete_vectors(counts, if is_pair { 25 } else { next }, most - u8::from(!is_pair), seen);
        tiles.for_each(|n| counts[n] -= amount);
    }
}

pub(crate) fn pack(counts: &[u8]) -> Packed {
    counts.iter().rev().fold(0, |packed, &count| packed << 3 | Packed::from(count))
}

impl DivisionTable {
    /// All divisions of some vectors.
    fn new(vectors: &[Packed]) -> Self {
        // Half as many slots again, or more.
        let slots = (vectors.len() * 3 / 2).next_power_of_two();
        let mut table = Self { slots: vec![EMPTY; slots], several: Vec::new() };
        for &packed in vectors {
            let mut counts: [u8; 9] = std::array::from_fn(|n| (packed >> (3 * n) & 7) as u8);
            let none = SuitSets { pair: NO_PAIR, ..SuitSets::default() };
            let mut found = Vec::new();
            divide(&mut counts, 0, none, &mut found);
            // The same sets met in another order are one division.
            let mut unique: Vec<SuitSets> = Vec::new();
            for sets in found {
                if !unique.contains(&sets) {
                    unique.push(sets);
                }
            }
            let above = match unique[..] {
                [only] => only.word(),
                _ => {
                    let first = table.several.len() as u64;
                    table.several.extend_from_slice(&unique);
                    SEVERAL | (unique.len() as u64) << 51 | first << 27
                }
            };
            let mut slot = table.slot_of(packed);
            while table.slots[slot] != EMPTY {
                slot = (slot + 1) % slots;
            }
            table.slots[slot] = above | u64::from(packed);
        }
        table
    }

    #[inline]
    fn slot_of(&self, packed: Packed) -> usize {
        (packed.wrapping_mul(0x9E37_79B1) >> (32 - self.slots.len().trailing_zeros())) as usize
    }

    /// The divisions of a vector, from `otherwise` where the table does not have it.
    #[inline(always)]
    fn find(&'static self, packed: Packed, otherwise: fn(Packed) -> Divisions) -> Divisions {
        let mut slot = self.slot_of(packed);
        loop {
            let word = self.slots[slot];
            if word & KEY == u64::from(packed) {
                if word & SEVERAL == 0 {
                    return Divisions::one(Some(SuitSets::from_word(word)));
                }
                let (first, count) =
                    ((word >> 27) as usize & 0xff_ffff, (word >> 51) as usize & 0xfff);
                let mut others = self.several[first..first + count].iter();
                return Divisions { next: others.next().copied(), others };
            }
            if word == EMPTY {
                return otherwise(packed);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }
}

/// Every vector of at most `most` sets and a pair, each once.
fn vectors(most: u8) -> Vec<Packed> {
    let mut vectors = Vec::new();
    complete_vectors(&mut [0; 9], 0, most, &mut vectors);
    // The small ones, which hands have most often, are then found in their first slot.
    vectors.sort_unstable_by_key(|&packed| (size(packed), packed));
    vectors.dedup();
    vectors
}

static TABLE: LazyLock<DivisionTable> = LazyLock::new(|| DivisionTable::new(&vectors(COMMON_SETS)));

/// The tiles of the smallest vector of five sets.
const TILES_OF_FIVE_SETS: u32 = 3 * MOST_SETS as u32;

/// Vectors of five sets, with a pair or without.
static FIVE_SETS: LazyLock<DivisionTable> = LazyLock::new(|| {
    let mut vectors = vectors(MOST_SETS);
    vectors.retain(|packed| size(*packed) >= TILES_OF_FIVE_SETS);
    DivisionTable::new(&vectors)
});

/// Every division of a suit's packed counts; empty where there is none.
#[inline(always)]
pub(crate) fn divisions(packed: Packed) -> Divisions {
    TABLE.find(packed, of_five_sets)
}

/// [`divisions`] of a suit with five sets.
#[cold]
fn of_five_sets(packed: Packed) -> Divisions {
    if size(packed) < TILES_OF_FIVE_SETS {
        return Divisions::one(None);
    }
    FIVE_SETS.find(packed, |_| Divisions::one(None))
}

/// The one division of the honors, pungs and pairs only.
#[inline]
pub(crate) fn honor_division(packed: Packed) -> Option<SuitSets> {
    const ONES: u32 = 0o1111111;
    let (one, two, four) = (packed & ONES, packed >> 1 & ONES, packed >> 2 & ONES);
    let (pungs, pairs) = (one & two, two & !one);
    if four != 0 || one & !two != 0 || pairs & pairs.wrapping_sub(1) != 0 {
        return None;
    }
    // Every third bit, moved together two, four, then all at a time.
    let two = (pungs | pungs >> 2) & 0o3_03_03_03;
    let four = (two | two >> 4) & 0b1111_0000_0000_1111;
    let bits = ((four | four >> 8) & 0b111_1111) as u16;
    let pair = if pairs == 0 { NO_PAIR } else { (pairs.trailing_zeros() / 3) as u8 };
    Some(SuitSets { chows: 0, pungs: bits, pair })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_pungs_in_a_row_are_three_equal_chows_too() {
        let found = divisions(pack(&[3, 3, 3, 0, 0, 0, 0, 0, 0]));
        assert_eq!(found.clone().count(), 2);
        assert!(found.clone().any(|sets| sets.pungs == 0b111));
        assert!(found.clone().any(|sets| sets.chows == 3));
    }

    #[test]
    fn what_does_not_divide_is_not_there() {
        assert!(divisions(pack(&[1, 1, 0, 1, 0, 0, 0, 0, 0])).is_empty());
        assert!(divisions(pack(&[2, 2, 0, 0, 0, 0, 0, 0, 0])).is_empty());
        assert_eq!(divisions(0).count(), 1);
    }

    #[test]
    fn honors_have_one_division_or_none() {
        assert_eq!(honor_division(pack(&[3, 2, 0, 0, 0, 0, 3])).unwrap().pungs, 0b100_0001);
        assert_eq!(honor_division(pack(&[2, 2, 0, 0, 0, 0, 0])), None);
        assert_eq!(honor_division(pack(&[4, 0, 0, 0, 0, 0, 0])), None);
        assert_eq!(honor_division(pack(&[1, 0, 0, 0, 0, 0, 0])), None);
    }

    #[test]
    fn the_table_has_the_known_number_of_vectors() {
        let filled = TABLE.slots.iter().filter(|&&slot| slot != EMPTY).count();
        assert_eq!(filled, 21_743);
    }

    #[test]
    fn the_other_table_has_the_vectors_of_five_sets_and_no_others() {
        let filled = FIVE_SETS.slots.iter().filter(|&&slot| slot != EMPTY).count();
        assert!(filled <= FIVE_SETS.slots.len() * 2 / 3, "{filled}");
        // 111 123 345 567 789, and with a pair of nines.
        assert_eq!(divisions(pack(&[4, 1, 2, 1, 2, 1, 2, 1, 1])).count(), 1);
        assert!(divisions(pack(&[4, 1, 2, 1, 2, 1, 2, 1, 3])).any(|sets| sets.pair == 8));
        // Fifteen tiles without sets, and a suit that lacks a tile.
        assert!(divisions(pack(&[4, 4, 0, 0, 4, 0, 0, 0, 3])).is_empty());
        assert!(divisions(pack(&[4, 1, 2, 1, 2, 1, 2, 1, 2])).is_empty());
        assert!(divisions(pack(&[4, 4, 4, 2, 0, 0, 0, 0, 3])).count() > 1);
    }
}

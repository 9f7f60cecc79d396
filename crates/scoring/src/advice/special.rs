//! The distance of hands that are no sets, of sets with few chows, and of hands of few suits.

use super::{
    distance::{Counts, Target, Targets},
    suits::NEVER,
};
use crate::{hand::MAJORS, tile::Face};

/// The numbers of a suit.
const NUMBERS: usize = 9;
/// The tiles of a whole hand.
const TILES: u8 = 14;

/// How many tiles a hand lacks of a form.
type MissingTiles = fn(&Counts) -> u8;

/// The tiles that a hand of fourteen lacks of the nearest form of this module.
pub(super) fn whole_forms(held: &Counts, targets: Targets) -> u8 {
    let forms: [(Target, MissingTiles); 6] = [
        (Target::MajorPairs, |held| major_pairs(held, 2)),
        (Target::DifferentMajorPairs, |held| major_pairs(held, 1)),
        (Target::KnittedPairs, knitted_pairs),
        (Target::KnittedThrees, knitted_threes),
        (Target::Gates, gates),
        (Target::Snake, snake),
    ];
    let wanted = forms.into_iter().filter(|(target, _)| targets.contains(*target));
    wanted.map(|(_, missing)| missing(held)).min().unwrap_or(NEVER)
}

/// Seven pairs of terminals and honors, up to `most` of a face.
fn major_pairs(held: &Counts, most: u8) -> u8 {
    let majors = || held.iter().enumerate().filter(|(face, _)| MAJORS >> face & 1 == 1);
    let pairs = majors().map(|(_, held)| (held / 2).min(most)).sum::<u8>().min(7);
    let of_face = |held: u8| if held / 2 < most { held % 2 } else { 0 };
    let singles = majors().map(|(_, held)| of_face(*held)).sum::<u8>().min(7 - pairs);
    TILES - 2 * pairs - singles
}

/// The counts of a suit.
fn suit(held: &Counts, suit: usize) -> &[u8] {
    &held[NUMBERS * suit..NUMBERS * (suit + 1)]
}

/// Seven pairs of equal numbers, each from the same two suits.
fn knitted_pairs(held: &Counts) -> u8 {
    let of_suits = |(a, b): (usize, usize)| {
        let both = || suit(held, a).iter().zip(suit(held, b));
        let whole = both().map(|(a, b)| *a.min(b)).sum::<u8>().min(7);
        let halves = both().map(|(a, b)| a.abs_diff(*b)).sum::<u8>().min(7 - whole);
        TILES - 2 * whole - halves
    };
    [(0, 1), (0, 2), (1, 2)].into_iter().map(of_suits).min().unwrap_or(NEVER)
}

/// Four threes of equal numbers from the three suits, and a pair of equal numbers from two of them.
fn knitted_threes(held: &Counts) -> u8 {
    let mut least = NEVER;
    for without in 0..3 {
        for number in 0..NUMBERS {
            let mut rest = *held;
            let mut found = 0;
            for other in (0..3).filter(|other| *other != without) {
                let count = &mut rest[NUMBERS * other + number];
                found += u8::from(*count > 0);
                *count = count.saturating_sub(1);
            }
            // How much each further three of a number brings, the most first.
            let mut brought = [0u8; 4];
            for number in 0..NUMBERS {
                let counts = [0, 1, 2].map(|suit| rest[NUMBERS * suit + number]);
                for copy in 1..=Face::COPIES {
                    let tiles = counts.iter().filter(|count| **count >= copy).count();
                    brought[3 - tiles] += 1;
                }
            }
            let mut threes = 4;
            for (place, number) in brought.into_iter().enumerate() {
                let taken = number.min(threes);
                threes -= taken;
                found += taken * (3 - place as u8);
            }
            least = least.min(TILES - found);
        }
    }
    least
}

/// 111, 999 and 2 to 8 of one suit, one of 2 to 8 twice.
fn gates(held: &Counts) -> u8 {
    let of_suit = |place: usize| {
        let held = suit(held, place);
        let needed = |number: usize| if number == 0 || number == 8 { 3 } else { 1 };
        let found = (0..NUMBERS).map(|number| held[number].min(needed(number))).sum::<u8>();
        TILES - found - u8::from(held[1..8].iter().any(|held| *held > 1))
    };
    (0..3).map(of_suit).min().unwrap_or(NEVER)
}

/// 1 to 9 of one suit, a second 1, and the four winds.
fn snake(held: &Counts) -> u8 {
    let winds = held[27..31].iter().map(|held| (*held).min(1)).sum::<u8>();
    let of_suit = |place: usize| {
        let held = suit(held, place);
        let row = held.iter().map(|held| (*held).min(1)).sum::<u8>();
        TILES - winds - row - u8::from(held[0] > 1)
    };
    (0..3).map(of_suit).min().unwrap_or(NEVER)
}

/// Sets and a pair with a limited number of chows, and no more of a face than `most`.
pub(super) fn few_chows(held: &Counts, most: &Counts, sets: usize, chows: u8) -> u8 {
    with_chows(held, most, sets, chows, 0)
}

fn with_chows(held: &Counts, most: &Counts, sets: usize, chows: u8, from: usize) -> u8 {
    let mut least = pungs_and_pair(held, most, sets);
    if chows == 0 || sets == 0 {
        return least;
    }
    for lowest in (from..27).filter(|lowest| lowest % NUMBERS < 7) {
        let faces = lowest..lowest + 3;
        if faces.clone().any(|face| most[face] == 0) {
            continue;
        }
        let (mut rest, mut left, mut missing) = (*held, *most, 0);
        for face in faces {
            left[face] -= 1;
            missing += u8::from(rest[face] == 0);
            rest[face] = rest[face].saturating_sub(1);
        }
        least = least.min(missing + with_chows(&rest, &left, sets - 1, chows - 1, lowest));
    }
    least
}

/// Pungs and a pair of another face.
fn pungs_and_pair(held: &Counts, most: &Counts, sets: usize) -> u8 {
    // Faces that may make a pung, by the tiles that they lack of it.
    let mut lacking = [0usize; 4];
    let lacks = |face: usize| usize::from(3 - held[face].min(3));
    let may = |face: usize| most[face] >= 3;
    (0..held.len()).filter(|face| may(*face)).for_each(|face| lacking[lacks(face)] += 1);
    let mut least = NEVER;
    for pair in (0..held.len()).filter(|face| most[*face] >= 2) {
        let mut faces = lacking;
        if may(pair) {
            faces[lacks(pair)] -= 1;
        }
        let (mut missing, mut wanted) = (usize::from(2 - held[pair].min(2)), sets);
        for (lack, number) in faces.into_iter().enumerate() {
            let taken = number.min(wanted);
            wanted -= taken;
            missing += taken * lack;
        }
        if wanted == 0 {
            least = least.min(missing as u8);
        }
    }
    least
}

/// A hand with the tiles of some faces left out.
pub(super) fn without_faces(counts: &Counts, faces: u64) -> Counts {
    std::array::from_fn(|face| if faces >> face & 1 == 1 { 0 } else { counts[face] })
}

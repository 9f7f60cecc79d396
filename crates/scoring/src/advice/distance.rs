//! The number of tiles that a hand lacks of being complete, in any of several forms.

use super::{
    special,
    suits::{self, Lacks, NEVER, lacking, lacking_of_four, look_up, split, together},
};
use crate::{
    hand::{Form, Forms, MAJORS},
    tile::Face,
};

/// Counts of the faces that make sets, by [`Face::index`].
pub type Counts = [u8; Face::SET_FACES];

/// A shape that a complete hand may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// Sets and a pair: four sets in a hand of 14, five in a hand of 17.
    Sets,
    /// Seven pairs; four alike are two pairs.
    SevenPairs,
    /// Seven pairs of different faces.
    SevenDifferentPairs,
    /// One of each terminal and honor, and one more of these.
    ThirteenOrphans,
    /// 147, 258, 369 in the three suits, one each; four different honors and a second one of these.
    KnittedAndHonorPair,
    /// 14 different tiles: honors, and tiles of 147, 258, 369 in the three suits.
    HonorsAndKnitted,
    /// 147, 258, 369 in the three suits, one each; a set and a pair.
    KnittedStraight,
    /// Seven pairs and a pung, in a hand of 17; four alike are two pairs.
    PairsAndPung,
    /// Seven pairs of terminals and honors; four alike are two pairs.
    MajorPairs,
    /// Seven pairs of different terminals and honors.
    DifferentMajorPairs,
    /// Seven pairs of equal numbers, each from the same two suits.
    KnittedPairs,
    /// Four threes of equal numbers from the three suits, and a pair of equal numbers from two of them.
    KnittedThrees,
    /// 111, 999 and 2 to 8 of one suit, one of 2 to 8 twice.
    Gates,
    /// 1 to 9 of one suit, a second 1, and the four winds.
    Snake,
}

/// Several shapes, any of which completes a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Targets {
    shapes: u16,
    /// The most chows of sets and a pair.
    most_chows: u8,
    /// The most suits of a hand; where these are not all, hands have no honors.
    most_suits: u8,
    /// The faces that are not played, a bit each.
    missing: u64,
}

impl Default for Targets {
    fn default() -> Self {
        Self::NONE
    }
}

impl Targets {
    /// No shape.
    pub const NONE: Self = Self { shapes: 0, most_chows: u8::MAX, most_suits: 3, missing: 0 };

    /// With one more shape.
    #[must_use]
    pub const fn with(self, target: Target) -> Self {
        Self { shapes: self.shapes | 1 << target as u16, ..self }
    }

    /// Where sets and a pair have a limited number of chows.
    #[must_use]
    pub const fn with_most_chows(self, most_chows: u8) -> Self {
        Self { most_chows, ..self }
    }

    /// Where a hand has a limited number of suits.
    #[must_use]
    pub const fn with_most_suits(self, most_suits: u8) -> Self {
        Self { most_suits, ..self }
    }

    /// Where a face is not played: no hand needs it, and it is of no use.
    #[must_use]
    pub const fn without(self, face: Face) -> Self {
        Self { missing: self.missing | 1 << face.index(), ..self }
    }

    /// Whether a face is played.
    pub(super) const fn plays(self, face: Face) -> bool {
        self.missing >> face.index() & 1 == 0
    }

    /// Whether every face may be in a hand, together with any other.
    const fn take_every_face(self) -> bool {
        self.most_suits == 3 && self.missing == 0
    }

    /// The faces that a hand cannot have, a bit each, in each way to leave suits out.
    fn left_out(self) -> impl Iterator<Item = u64> {
        const SUIT: u64 = 0b1_1111_1111;
        const HONORS: u64 = 0b111_1111 << 27;
        let suits = (0..3).filter(move |_| self.most_suits < 3);
        let one_suit = suits.map(|suit| SUIT << (9 * suit) | HONORS);
        one_suit.chain((self.most_suits == 3).then_some(0)).map(move |faces| faces | self.missing)
    }

    /// The same where some chows are claimed already.
    pub(super) fn after_claimed_chows(self, claimed: u8) -> Self {
        match self.most_chows.checked_sub(claimed) {
            Some(most_chows) => Self { most_chows, ..self },
            None => Self { shapes: self.shapes & !(1 << Target::Sets as u16), ..self },
        }
    }

    /// Whether a shape is among them.
    #[inline]
    pub const fn contains(self, target: Target) -> bool {
        self.shapes >> target as u16 & 1 == 1
    }
}

impl From<Forms> for Targets {
    /// The shapes of the forms of a rule set.
    fn from(forms: Forms) -> Self {
        let target = |form| {
            Some(match form {
                // No tile brings a hand nearer to its flowers.
                Form::EightFlowers => return None,
                Form::PairsAndPung => Target::PairsAndPung,
                Form::Sets => Target::Sets,
                Form::SevenPairs if forms.pairs_differ() => Target::SevenDifferentPairs,
                Form::SevenPairs => Target::SevenPairs,
                Form::ThirteenOrphans => Target::ThirteenOrphans,
                Form::Knitted => Target::KnittedAndHonorPair,
                Form::HonorsAndKnitted => Target::HonorsAndKnitted,
                Form::KnittedStraight => Target::KnittedStraight,
                Form::MajorPairs if forms.pairs_differ() => Target::DifferentMajorPairs,
                Form::MajorPairs => Target::MajorPairs,
                Form::KnittedPairs => Target::KnittedPairs,
                Form::KnittedThrees => Target::KnittedThrees,
                Form::Gates => Target::Gates,
                Form::Snake => Target::Snake,
                Form::Unwon => return None,
            })
        };
        (Form::ALL.into_iter())
            .filter(|form| forms.contains(*form))
            .filter_map(target)
            .fold(Self::NONE, Self::with)
    }
}

/// The six ways to give 147, 258 and 369 to the suits.
const KNITTED: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The faces of one way, by their index.
fn knitted_faces(way: [usize; 3]) -> impl Iterator<Item = usize> {
    (way.into_iter().enumerate())
        .flat_map(|(suit, first)| (0..3).map(move |third| 9 * suit + first + 3 * third))
}

/// The number of tiles that a hand lacks of being complete: 0 for a complete one, 1 for one that
/// waits; its shanten is one less. `held`: its concealed tiles, 1, 2, 4, 5 … 16 or 17 of them; sets that
/// they have no room for are laid apart, and the tiles of these sets, as far as they are known, are `apart`, for they
/// cannot be had again. No more than four of a face count as to be had, the hand's own among them.
///
/// `None` where no complete hand has this number of tiles, or more than four of a face are held.
#[inline]
pub fn tiles_missing(held: &Counts, apart: &Counts, targets: Targets) -> Option<u8> {
    if *apart == [0; Face::SET_FACES] && targets.take_every_face() {
        return tiles_missing_of_concealed(held, targets);
    }
    let sets = sets_of(held)?;
    if held.iter().zip(apart).any(|(held, apart)| held.saturating_add(*apart) > Face::COPIES) {
        return None;
    }
    let most = apart.map(|apart| Face::COPIES - apart);
    if targets.take_every_face() {
        return in_sets(held, &most, sets, targets);
    }
    of_faces_left(held, &most, apart, sets, targets)
}

/// [`tiles_missing`] of a hand without sets laid apart.
#[inline]
pub fn tiles_missing_of_concealed(held: &Counts, targets: Targets) -> Option<u8> {
    if !targets.take_every_face() {
        return tiles_missing(held, &[0; Face::SET_FACES], targets);
    }
    let sets = sets_of(held)?;
    // All at once: looking at one after another takes longer.
    if held.iter().fold(0, |most, held| (*held).max(most)) > Face::COPIES {
        return None;
    }
    let mut missing = match targets.contains(Target::Sets) {
        false => NEVER,
        true if usize::from(targets.most_chows) < sets => {
            special::few_chows(held, &[Face::COPIES; Face::SET_FACES], sets, targets.most_chows)
        }
        true => look_up(held, sets),
    };
    if targets.contains(Target::KnittedStraight) {
        missing = missing.min(knitted_straight(held, &[Face::COPIES; Face::SET_FACES], sets));
    }
    missing = missing.min(in_other_forms(held, sets, targets));
    (missing < NEVER).then_some(missing)
}

/// The forms of a whole hand that are no sets.
#[inline]
fn in_other_forms(held: &Counts, sets: usize, targets: Targets) -> u8 {
    let mut missing = NEVER;
    if sets == 4 {
        if targets.contains(Target::SevenDifferentPairs) {
            let (faces, pairs) = (faces_held(held, 1), faces_held(held, 2).min(7));
            missing = missing.min(7 - pairs + 7u8.saturating_sub(faces));
        }
        if targets.contains(Target::SevenPairs) {
            missing = missing.min(seven_pairs(held));
        }
        if targets.contains(Target::ThirteenOrphans) {
            let mut majors = *held;
            majors.iter_mut().zip(IS_MAJOR).for_each(|(held, is_major)| *held &= is_major);
            let pair = faces_held(&majors, 2).min(1);
            missing = missing.min(14 - faces_held(&majors, 1) - pair);
        }
        if targets.contains(Target::HonorsAndKnitted) {
            let honors = held[27..].iter().filter(|held| **held > 0).count();
            missing = missing.min(14 - (honors + most_knitted(held)).min(14) as u8);
        }
        if targets.contains(Target::KnittedAndHonorPair) {
            missing = missing.min(knitted_and_honor_pair(held));
        }
        missing = missing.min(special::whole_forms(held, targets));
    }
    if sets == 5 && targets.contains(Target::PairsAndPung) {
        missing = missing.min(pairs_and_pung(held));
    }
    missing
}

/// [`tiles_missing`] as if there were any number of each face: below the real number only for a hand that
/// counts on tiles of which it holds all four.
pub(super) fn missing_without_end(held: &Counts, targets: Targets) -> Option<u8> {
    let (most, apart) = ([u8::MAX; Face::SET_FACES], [0; Face::SET_FACES]);
    if !targets.take_every_face() {
        return of_faces_left(held, &most, &apart, sets_of(held)?, targets);
    }
    in_sets(held, &most, sets_of(held)?, targets)
}

/// The number of sets that the concealed tiles have room for.
#[inline]
fn sets_of(held: &Counts) -> Option<usize> {
    let tiles = held.iter().fold(0u8, |sum, held| sum.wrapping_add(*held));
    (tiles % 3 != 0 && tiles <= 17).then_some(usize::from(tiles / 3))
}

/// The forms that have sets, with no more of a face than `most` in those that are not laid apart.
fn in_sets(held: &Counts, most: &Counts, sets: usize, targets: Targets) -> Option<u8> {
    let mut missing = NEVER;
    if targets.contains(Target::Sets) {
        missing = if usize::from(targets.most_chows) < sets {
            special::few_chows(held, most, sets, targets.most_chows)
        } else {
            of_suits(held, most, sets)
        };
    }
    if targets.contains(Target::KnittedStraight) {
        missing = missing.min(knitted_straight(held, most, sets));
    }
    (missing < NEVER).then_some(missing)
}

/// The forms of hands that leave some faces out, of which no set lies apart: tiles of these are of no use.
fn of_faces_left(
    held: &Counts,
    most: &Counts,
    apart: &Counts,
    sets: usize,
    targets: Targets,
) -> Option<u8> {
    let mut missing = NEVER;
    for faces in targets.left_out() {
        if special::without_faces(apart, !faces) != [0; Face::SET_FACES] {
            continue;
        }
        let [held, most] = [held, most].map(|counts| special::without_faces(counts, faces));
        missing = missing.min(in_sets(&held, &most, sets, targets).unwrap_or(NEVER));
        missing = missing.min(in_other_forms(&held, sets, targets));
    }
    (missing < NEVER).then_some(missing)
}

fn of_suits(held: &Counts, most: &Counts, sets: usize) -> u8 {
    let lacks = |suit: usize| -> Lacks {
        let (held, most) = (split(held)[suit], split(most)[suit]);
        // One set and the pair need no more than three of a face.
        let is_enough = |most: &u8| *most == Face::COPIES || sets <= 1 && *most == 3;
        let is_whole = most.iter().all(is_enough) && held.iter().all(|held| *held <= Face::COPIES);
        if is_whole { lacking_of_four(held) } else { lacking(held, most) }
    };
    suits::least(&together(&lacks(0), &lacks(1)), &together(&lacks(2), &lacks(3)), sets)
}

/// Nine tiles of the knitted straight, and the lacks of sets and pair beside them. At most one set may
/// be laid apart.
fn knitted_straight(held: &Counts, most: &Counts, sets: usize) -> u8 {
    let Some(sets @ 0..=1) = sets.checked_sub(3) else { return NEVER };
    (KNITTED.into_iter())
        .filter_map(|way| {
            let (mut rest, mut most, mut missing) = (*held, *most, 0);
            for face in knitted_faces(way) {
                most[face] = most[face].checked_sub(1)?;
                match rest[face].checked_sub(1) {
                    Some(left) => rest[face] = left,
                    None => missing += 1,
                }
            }
            Some(missing + of_suits(&rest, &most, sets))
        })
        .min()
        .unwrap_or(NEVER)
}

/// All bits for each terminal and honor.
const IS_MAJOR: Counts = {
    let mut majors = [0; Face::SET_FACES];
    let mut face = 0;
    while face < Face::SET_FACES {
        majors[face] = if MAJORS >> face & 1 == 1 { u8::MAX } else { 0 };
        face += 1;
    }
    majors
};

/// The number of faces that the hand holds at least `least` times.
#[inline]
fn faces_held(held: &Counts, least: u8) -> u8 {
    held.iter().map(|held| u8::from(*held >= least)).sum()
}

/// The most tiles of 147, 258, 369 that a hand holds.
fn most_knitted(held: &Counts) -> usize {
    (KNITTED.into_iter())
        .map(|way| knitted_faces(way).filter(|face| held[*face] > 0).count())
        .max()
        .unwrap_or(0)
}

fn knitted_and_honor_pair(held: &Counts) -> u8 {
    let honors = held[27..].iter().filter(|held| **held > 0).count().min(4);
    let pair = usize::from(held[27..].iter().any(|held| *held > 1));
    14 - (most_knitted(held) + honors + pair) as u8
}

/// The best choice of the pung's face, and seven pairs of the others.
fn pairs_and_pung(held: &Counts) -> u8 {
    let all = (
        held.iter().map(|held| held / 2).sum::<u8>(),
        held.iter().map(|held| held % 2).sum::<u8>(),
    );
    let missing_with = |pung: &u8| {
        let pairs = (all.0 - pung / 2).min(7);
        let singles = (all.1 - pung % 2).min(7 - pairs);
        17 - 2 * pairs - singles - (*pung).min(3)
    };
    held.iter().map(missing_with).min().unwrap_or(NEVER)
}

fn seven_pairs(held: &Counts) -> u8 {
    let pairs = held.iter().map(|held| held / 2).sum::<u8>().min(7);
    let singles = held.iter().map(|held| held % 2).sum::<u8>();
    14 - 2 * pairs - singles.min(7 - pairs)
}

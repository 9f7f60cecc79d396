//! Complete hands that are no sets: knitted pairs and threes, gates, the snake, pairs of terminals and
//! honors. All their tiles are concealed.

use super::{
    Form, Forms, Hand,
    suit_table::{ONES, Packed},
};
use crate::tile::Face;

/// 111, 999 and one each of 2 to 8, counted in three bits for each number.
const GATES: Packed = ONES + 2 + (2 << 24);
/// One of each number, and a second 1.
const SNAKE: Packed = ONES + 1;
/// One of each wind.
const WINDS: Packed = 0o1111;
/// The counts of 1 and 9.
const TERMINALS: Packed = 0o700_000_007;

/// The forms of this module.
pub(super) struct WholeForms;

impl WholeForms {
    pub const ALL: Forms = Forms::NONE
        .with(Form::MajorPairs)
        .with(Form::KnittedPairs)
        .with(Form::KnittedThrees)
        .with(Form::Gates)
        .with(Form::Snake);

    /// The forms, of those that are allowed, that these fourteen tiles have.
    pub fn of(packed: &[Packed; 4], forms: Forms) -> impl Iterator<Item = Form> {
        let different = forms.pairs_differ();
        let all = [
            (Form::MajorPairs, is_major_pairs(packed, different)),
            (Form::KnittedPairs, is_knitted_pairs(packed)),
            (Form::KnittedThrees, is_knitted_threes(packed)),
            (Form::Gates, is_gates(packed)),
            (Form::Snake, is_snake(packed)),
        ];
        all.into_iter().filter(move |(form, is)| *is && forms.contains(*form)).map(|(form, _)| form)
    }

    /// Whether thirteen tiles may be one tile short of one of the forms: a quick look that leaves out most
    /// hands.
    pub fn may_wait(packed: &[Packed; 4], forms: Forms) -> bool {
        let suits = packed[..3].iter().filter(|suit| **suit != 0).count();
        let honors = packed[3] != 0;
        let simples = packed[..3].iter().fold(0, |all, suit| all | suit & !TERMINALS) != 0;
        forms.contains(Form::MajorPairs) && !simples
            || forms.contains(Form::KnittedPairs) && suits == 2 && !honors
            || forms.contains(Form::KnittedThrees) && suits == 3 && !honors
            || forms.contains(Form::Gates) && suits == 1 && !honors
            || forms.contains(Form::Snake) && suits == 1 && honors
    }
}

/// The only suit with tiles, if there is one.
fn only_suit(packed: &[Packed; 4]) -> Option<Packed> {
    let mut suits = packed[..3].iter().filter(|suit| **suit != 0);
    suits.next().copied().filter(|_| suits.next().is_none())
}

fn is_major_pairs(packed: &[Packed; 4], different: bool) -> bool {
    let odd = packed.iter().fold(0, |all, suit| all | suit & ONES);
    let simples = packed[..3].iter().fold(0, |all, suit| all | suit & !TERMINALS);
    let fours = packed.iter().fold(0, |all, suit| all | suit >> 2 & ONES);
    odd | simples == 0 && !(different && fours != 0)
}

fn is_knitted_pairs(&[a, b, c, honors]: &[Packed; 4]) -> bool {
    // Fourteen tiles in two equal suits.
    honors == 0
        && match [a, b, c] {
            [0, one, other] | [one, 0, other] | [one, other, 0] => one == other,
            _ => false,
        }
}

/// The suit without the pair, and the place of the pair's number.
fn knitted_threes(&[a, b, c, honors]: &[Packed; 4]) -> Option<(usize, u32)> {
    let pair = |one: Packed, other: Packed, without: Packed| {
        let number = one.checked_sub(without).filter(|_| one == other && honors == 0)?;
        let place = number.trailing_zeros();
        (number.is_power_of_two() && place.is_multiple_of(3)).then_some(place / 3)
    };
    let ways = [pair(b, c, a), pair(a, c, b), pair(a, b, c)];
    ways.into_iter().enumerate().find_map(|(suit, place)| Some((suit, place?)))
}

fn is_knitted_threes(packed: &[Packed; 4]) -> bool {
    knitted_threes(packed).is_some()
}

fn is_gates(packed: &[Packed; 4]) -> bool {
    packed[3] == 0
        && only_suit(packed)
            .is_some_and(|suit| (1..8).any(|place| suit == GATES + (1 << (3 * place))))
}

fn is_snake(packed: &[Packed; 4]) -> bool {
    packed[3] == WINDS && only_suit(packed) == Some(SNAKE)
}

/// The groups of a hand of knitted pairs or threes, by their numbers.
pub(super) fn knitted_groups(hand: &Hand) -> Vec<Vec<Face>> {
    let counts = hand.concealed();
    let suits: Vec<usize> = (0..3)
        .filter(|suit| counts[9 * suit..9 * suit + 9].iter().any(|count| *count > 0))
        .collect();
    let mut groups = Vec::new();
    let mut pair = Vec::new();
    for number in 0..9 {
        let faces = |held: u8| -> Vec<Face> {
            let places = suits.iter().map(|suit| 9 * suit + number);
            places.filter(|face| counts[*face] >= held).filter_map(Face::from_index).collect()
        };
        for held in 1..=Face::COPIES {
            let group = faces(held);
            match group.len() {
                0 => break,
                of_all if of_all == suits.len() => groups.push(group),
                _ => pair.push(group),
            }
        }
    }
    groups.extend(pair);
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<Form> {
        let hand: Hand = text.parse().unwrap();
        WholeForms::of(&hand.tally().packed, WholeForms::ALL).collect()
    }

    #[test]
    fn each_form_and_its_near_miss() {
        for (form, has, lacks) in [
            (Form::MajorPairs, "1199m1199p11z44z5z +5z", "1199m1199p11z44z5z +6z"),
            (Form::MajorPairs, "1111m1199p11z44z5z +5z", "1122m1199p11z44z5z +5z"),
            (Form::KnittedPairs, "1134557m113455p +7p", "1134557m113455p +8p"),
            (Form::KnittedPairs, "1111222s111122p +2p", "1134557m113455s +7p"),
            (Form::KnittedThrees, "2237m2237p223s5m5p +7s", "2237m2237p223s5m6p +7s"),
            (Form::Gates, "1112345678999s +5s", "1112345678999s +1s"),
            (Form::Snake, "1123456789s234z +1z", "1223456789s234z +1z"),
        ] {
            assert_eq!(forms(has), [form], "{has}");
            assert!(forms(lacks).is_empty(), "{lacks}");
        }
    }

    #[test]
    fn groups_of_equal_numbers() {
        let hand: Hand = "2237m2237p223s5m5p +7s".parse().unwrap();
        assert_eq!(knitted_groups(&hand).len(), 5);
        let hand: Hand = "1134557m113455p +7p".parse().unwrap();
        assert!(knitted_groups(&hand).iter().all(|group| group.len() == 2));
    }
}

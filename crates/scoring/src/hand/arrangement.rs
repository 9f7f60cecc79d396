//! Every reading of a hand: four or five sets and a pair, seven pairs, orphans, knitted; and every choice
//! of the group that the winning tile completes.

use super::{
    Form, Forms, Hand,
    special::WholeForms,
    suit_table::{NO_PAIR, ONES, Packed, SuitSets, divisions, honor_division},
};
use crate::tile::Face;

/// The group that the winning tile completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WonGroup {
    /// A chow, by its lowest tile.
    Chow(Face),
    /// The pair, or one of seven.
    Pair,
    /// A pung.
    Pung,
    /// A single tile of orphans, of knitted tiles or of a knitted straight.
    Single,
}

/// The choice among several groups that the winning tile could complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WonGroups {
    /// The choices of which one counts a pung as concealed and another does not.
    ByConcealment,
    /// Every choice.
    Every,
}

/// One reading of a hand as groups. Faces are bits by [`Face::index`]; chows are counted in three
/// bits for each lowest tile, bit `21 * suit + 3 * (number - 1)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// Its shape.
    pub form: Form,
    /// All chows, claimed ones included.
    pub chows: u64,
    /// Chows among the concealed tiles.
    pub own_chows: u64,
    /// All pungs and kongs.
    pub pungs: u64,
    /// Three alike among the concealed tiles, whoever gave the last of them.
    pub own_pungs: u64,
    /// Concealed pungs and kongs; not a pung finished by a claimed tile.
    pub concealed_pungs: u64,
    /// The pair (of sets), or the doubled tile of orphans and knitted.
    pub pair: Face,
    /// The group that the winning tile completes.
    pub won: WonGroup,
}

impl Arrangement {
    /// The number of chows, claimed ones included.
    pub(crate) const fn number_of_chows(&self) -> u8 {
        const UNITS: u64 = 0o111_111_111_111_111_111_111;
        let twos = (self.chows >> 1 & UNITS).count_ones();
        let fours = (self.chows >> 2 & UNITS).count_ones();
        ((self.chows & UNITS).count_ones() + 2 * twos + 4 * fours) as u8
    }
}

/// The bit where chows of a lowest tile are counted.
pub(crate) const fn chow_shift(lowest: Face) -> u32 {
    (lowest.index() / 9 * 21 + lowest.index() % 9 * 3) as u32
}

/// Each lowest tile with chows, and how many.
pub(crate) fn each_chow(chows: u64) -> impl Iterator<Item = (Face, u8)> {
    (0..21u32).filter_map(move |place| {
        let count = (chows >> (3 * place) & 7) as u8;
        let face = Face::from_index((place / 7 * 9 + place % 7) as usize)?;
        (count > 0).then_some((face, count))
    })
}

/// Each face of a mask.
pub(crate) fn each_face(mut mask: u64) -> impl Iterator<Item = Face> {
    std::iter::from_fn(move || {
        let face = Face::from_index(mask.trailing_zeros() as usize)?;
        mask &= mask - 1;
        Some(face)
    })
}

/// Calls `visit` with every reading of a hand in one of the forms, always in the same order.
/// `claimed`: the winning tile came from another player, so a pung that it completes is not
/// concealed; each choice that makes a difference to that is visited.
#[inline]
pub fn for_each_arrangement(
    hand: &Hand,
    claimed: bool,
    forms: Forms,
    visit: impl FnMut(&Arrangement),
) {
    for_each_reading(hand, claimed, forms, WonGroups::ByConcealment, visit);
}

/// [`for_each_arrangement`] with the choices of the group that the winning tile completes.
#[inline]
pub fn for_each_reading(
    hand: &Hand,
    claimed: bool,
    forms: Forms,
    groups: WonGroups,
    mut visit: impl FnMut(&Arrangement),
) {
    let choices = Choices { winning: hand.winning(), claimed, groups };
    if hand.winning().is_bonus() {
        if forms.contains(Form::EightFlowers) && hand.bonus() == u8::MAX {
            visit(&whole(Form::EightFlowers, hand.winning(), WonGroup::Single));
        }
        return;
    }
    if forms.contains(Form::Sets) {
        for_each_sets(hand, choices, &mut visit);
    }
    if hand.sets() != 4 {
        if forms.contains(Form::PairsAndPung) && is_pairs_and_pung(hand) {
            let pung = hand.concealed()[hand.winning().index()] == 3;
            let won = if pung { WonGroup::Pung } else { WonGroup::Pair };
            visit(&whole(Form::PairsAndPung, hand.winning(), won));
        }
        return;
    }
    if forms.contains(Form::KnittedStraight) && hand.tally().melds <= 1 {
        for_each_knitted_straight(hand, choices, &mut visit);
    }
    let winning = hand.winning();
    let tally = hand.tally();
    if forms.contains(Form::SevenPairs)
        && tally.packed.iter().fold(0, |all, suit| all | suit) & ONES | u32::from(tally.melds) == 0
        && !(forms.pairs_differ() && tally.present.count_ones() != 7)
    {
        visit(&whole(Form::SevenPairs, winning, WonGroup::Pair));
    }
    // The other forms have thirteen different tiles, which leave no room for a set laid apart.
    let doubled = || Face::all().take(34).find(|face| hand.concealed()[face.index()] == 2);
    let single = |pair| if pair == winning { WonGroup::Pair } else { WonGroup::Single };
    if forms.contains(Form::ThirteenOrphans)
        && tally.present == crate::hand::MAJORS
        && let Some(pair) = doubled()
    {
        visit(&whole(Form::ThirteenOrphans, pair, single(pair)));
    }
    if forms.contains(Form::Knitted)
        && is_knitted(tally.present)
        && let Some(pair) = doubled().filter(|face| face.is_honor())
    {
        visit(&whole(Form::Knitted, pair, single(pair)));
    }
    if forms.contains(Form::HonorsAndKnitted)
        && tally.present.count_ones() == 14
        && is_honors_and_knitted(tally.present)
    {
        visit(&whole(Form::HonorsAndKnitted, winning, WonGroup::Single));
    }
    if forms.any_of(WholeForms::ALL) && tally.melds == 0 {
        for form in WholeForms::of(&tally.packed, forms) {
            let pairs = matches!(form, Form::MajorPairs | Form::KnittedPairs);
            visit(&whole(form, winning, if pairs { WonGroup::Pair } else { WonGroup::Single }));
        }
    }
}

/// An arrangement without sets.
pub(super) const fn whole(form: Form, pair: Face, won: WonGroup) -> Arrangement {
    Arrangement {
        form,
        chows: 0,
        own_chows: 0,
        pungs: 0,
        own_pungs: 0,
        concealed_pungs: 0,
        pair,
        won,
    }
}

/// Seven pairs and three of a face, nothing laid apart.
fn is_pairs_and_pung(hand: &Hand) -> bool {
    let odd = |count: &&u8| **count % 2 == 1;
    let mut singles = hand.concealed().iter().filter(odd);
    hand.tally().melds == 0 && singles.next() == Some(&3) && singles.next().is_none()
}

/// The three suits' thirds of each knitted straight: 0 for 147, 1 for 258, 2 for 369.
pub(super) const KNITTED_ORDERS: [[u32; 3]; 6] =
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The nine tiles of a knitted straight.
pub(super) const fn knitted_faces([a, b, c]: [u32; 3]) -> u64 {
    const THIRD: u64 = 0b001_001_001;
    THIRD << a | THIRD << (9 + b) | THIRD << (18 + c)
}

/// Whether all suit tiles belong to one knitted straight.
pub(super) fn is_honors_and_knitted(present: u64) -> bool {
    const SUITS: u64 = (1 << 27) - 1;
    KNITTED_ORDERS.iter().any(|&order| present & SUITS & !knitted_faces(order) == 0)
}

/// One of each tile of a third, counted in three bits for each number.
pub(super) const THIRD: Packed = 0o001_001_001;

/// Each knitted straight that the concealed tiles hold, and the rest of each suit.
pub(super) fn for_each_knitted(packed: [Packed; 4], mut visit: impl FnMut([Packed; 4])) {
    let present = [packed[0], packed[1], packed[2]].map(|p| (p | p >> 1 | p >> 2) & ONES);
    let holds = |suit: usize, third: u32| !present[suit] & THIRD << (3 * third) == 0;
    for [a, b, c] in KNITTED_ORDERS {
        if holds(0, a) && holds(1, b) && holds(2, c) {
            visit([
                packed[0] - (THIRD << (3 * a)),
                packed[1] - (THIRD << (3 * b)),
                packed[2] - (THIRD << (3 * c)),
                packed[3],
            ]);
        }
    }
}

/// Nine suit tiles in the knitted pattern, a different third of it in each suit, and four honors.
fn is_knitted(present: u64) -> bool {
    const THIRDS: [u64; 3] = [0b001_001_001, 0b010_010_010, 0b100_100_100];
    let third = |suit: u32| THIRDS.iter().position(|&third| present >> (9 * suit) & 0x1ff == third);
    let honors = present >> 27;
    honors.count_ones() == 4
        && matches!((third(0), third(1), third(2)), (Some(a), Some(b), Some(c)) if a != b && b != c && a != c)
}

/// The winning tile and how its group is chosen.
#[derive(Clone, Copy)]
struct Choices {
    winning: Face,
    claimed: bool,
    groups: WonGroups,
}

#[inline]
fn for_each_sets(hand: &Hand, choices: Choices, visit: &mut impl FnMut(&Arrangement)) {
    for_each_division(hand, hand.tally().packed, |arrangement| {
        for_each_group(hand, arrangement, choices, visit);
    });
}

#[inline(never)]
fn for_each_knitted_straight(hand: &Hand, choices: Choices, visit: &mut impl FnMut(&Arrangement)) {
    let bit = 1u64 << choices.winning.index();
    for_each_knitted(hand.tally().packed, |rest| {
        for_each_division(hand, rest, |arrangement| {
            arrangement.form = Form::KnittedStraight;
            if other_than_pung(arrangement, choices.winning).is_some()
                || arrangement.own_pungs & bit != 0
            {
                for_each_group(hand, arrangement, choices, visit);
            }
            if hand.concealed()[choices.winning.index()]
                > held_by_groups(arrangement, choices.winning)
            {
                arrangement.concealed_pungs = arrangement.own_pungs | hand.tally().concealed_kongs;
                arrangement.won = WonGroup::Single;
                visit(arrangement);
            }
        });
    });
}

/// Every division of concealed tiles, given packed, with the sets laid apart.
#[inline]
fn for_each_division(hand: &Hand, packed: [Packed; 4], mut visit: impl FnMut(&mut Arrangement)) {
    let tally = hand.tally();
    let Some(honors) = honor_division(packed[3]) else { return };
    let (seconds, thirds) = (divisions(packed[1]), divisions(packed[2]));
    for first in divisions(packed[0]) {
        for second in seconds.clone() {
            for third in thirds.clone() {
                let Some(pair) = only_pair([first, second, third, honors]) else { continue };
                let own_chows = u64::from(first.chows)
                    | u64::from(second.chows) << 21
                    | u64::from(third.chows) << 42;
                let own_pungs = u64::from(first.pungs)
                    | u64::from(second.pungs) << 9
                    | u64::from(third.pungs) << 18
                    | u64::from(honors.pungs) << 27;
                visit(&mut Arrangement {
                    form: Form::Sets,
                    chows: own_chows + tally.chows,
                    own_chows,
                    pungs: own_pungs | tally.pungs,
                    own_pungs,
                    concealed_pungs: own_pungs | tally.concealed_kongs,
                    pair,
                    won: WonGroup::Pung,
                });
            }
        }
    }
}

/// A division with each group that the winning tile may complete.
#[inline]
fn for_each_group(
    hand: &Hand,
    arrangement: &mut Arrangement,
    Choices { winning, claimed, groups }: Choices,
    visit: &mut impl FnMut(&Arrangement),
) {
    let winning_bit = 1u64 << winning.index();
    let in_pung = arrangement.own_pungs & winning_bit != 0;
    match groups {
        WonGroups::ByConcealment => {
            // Where the tile may complete another group, a pung of it stays concealed.
            if let Some(won) = other_than_pung(arrangement, winning) {
                arrangement.won = won;
                visit(arrangement);
                if !claimed || !in_pung {
                    return;
                }
                arrangement.won = WonGroup::Pung;
            }
        }
        WonGroups::Every => {
            if arrangement.pair == winning {
                arrangement.won = WonGroup::Pair;
                visit(arrangement);
            }
            for lowest in own_chows_with(arrangement, winning) {
                arrangement.won = WonGroup::Chow(lowest);
                visit(arrangement);
            }
            if !in_pung {
                return;
            }
            arrangement.won = WonGroup::Pung;
        }
    }
    if claimed {
        arrangement.concealed_pungs &= !winning_bit | hand.tally().concealed_kongs;
    }
    visit(arrangement);
}

/// The pair, if just one suit has one.
#[inline]
fn only_pair(suits: [SuitSets; 4]) -> Option<Face> {
    // Without branches, as the suit of the pair cannot be predicted.
    let (mut pairs, mut found) = (0, 0);
    for (suit, sets) in suits.iter().enumerate() {
        let has = usize::from(sets.pair != NO_PAIR);
        pairs += has;
        found += has * (suit * 9 + usize::from(sets.pair));
    }
    if pairs == 1 { Face::from_index(found) } else { None }
}

/// A chow or the pair that holds the winning tile.
#[inline]
fn other_than_pung(arrangement: &Arrangement, winning: Face) -> Option<WonGroup> {
    if arrangement.pair == winning {
        return Some(WonGroup::Pair);
    }
    own_chows_with(arrangement, winning).next().map(WonGroup::Chow)
}

/// The concealed chows that hold a tile, by their lowest tiles.
#[inline]
fn own_chows_with(arrangement: &Arrangement, tile: Face) -> impl Iterator<Item = Face> + use<> {
    /// The counts of the seven chows of a suit, three bits each.
    const CHOWS_OF_A_SUIT: u64 = 0o7_777_777;
    let (suit, place) = (tile.index() / 9, tile.index() % 9);
    // Three counts: of the chows that begin two tiles below, one below, and here. Honors have none.
    let of_suit = arrangement.own_chows >> (21 * suit) & CHOWS_OF_A_SUIT;
    let mut near = of_suit << 6 >> (3 * place) & 0o777;
    std::iter::from_fn(move || {
        let step = near.trailing_zeros() as usize / 3;
        let lowest = if near == 0 { None } else { Face::from_index(tile.index() + step - 2) };
        near &= !(7 << (3 * step));
        lowest
    })
}

/// The number of a face in the concealed sets and the pair of a reading.
pub(super) fn held_by_groups(arrangement: &Arrangement, face: Face) -> u8 {
    let chows = each_chow(arrangement.own_chows).filter(|(lowest, _)| {
        lowest.suit() == face.suit()
            && (lowest.number()..lowest.number() + 3).contains(&face.number())
    });
    let in_chows: u8 = chows.map(|(_, count)| count).sum();
    let in_pungs = 3 * (arrangement.own_pungs >> face.index() & 1) as u8;
    in_chows + in_pungs + 2 * u8::from(arrangement.pair == face)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::ArrangementText;

    fn readings(text: &str, claimed: bool) -> Vec<String> {
        let hand: Hand = text.parse().unwrap();
        let mut found = Vec::new();
        for_each_arrangement(&hand, claimed, Forms::ALL, |arrangement| {
            found.push(ArrangementText { hand: &hand, arrangement }.to_string());
        });
        found
    }

    #[test]
    fn a_discard_may_complete_the_chow_or_the_pung() {
        // 222 + 34 with a 2 that completes 234, or the pung of 2.
        let found = readings("22234s567m99p (7'77z) +2s", true);
        assert_eq!(found, ["567m +234s 222s 99p (7'77z)", "567m 234s +222s 99p (7'77z)"]);
        assert_eq!(readings("22234s567m99p (7'77z) +2s", false).len(), 1);
    }

    #[test]
    fn pungs_and_chows_are_both_read() {
        assert_eq!(readings("111222333m55p78s +9s", false).len(), 2);
    }

    #[test]
    fn seven_pairs_may_be_chows_too() {
        let found = readings("112233m445566p7z +7z", false);
        assert_eq!(found, ["123m 123m 456p 456p +77z", "11m 22m 33m 44p 55p 66p +77z"]);
    }

    #[test]
    fn orphans_and_knitted() {
        assert_eq!(readings("19m19p1s12345677z +9s", true), ["19m19p1s123456z +9s 77z"]);
        assert_eq!(readings("147m258p369s1234z +4z", true), ["147m258p369s123z +44z"]);
        assert!(readings("147m147p369s1234z +4z", true).is_empty());
        assert!(
            readings(
                "147m258p369s12344z".to_owned().as_str().replace("44z", "4z +1m").as_str(),
                true
            )
            .is_empty()
        );
    }

    #[test]
    fn seventeen_tiles_are_five_sets_or_seven_pairs_and_a_pung() {
        assert_eq!(
            readings("123m456p789s234s777z5z +5z", false),
            ["123m 456p 234s 789s 777z +55z"]
        );
        assert_eq!(
            readings("111m22m33m44p55p66p77s8s +8s", true),
            ["111m 22m 33m 44p 55p 66p 77s +88s"]
        );
        assert_eq!(
            readings("1111m22m33m44p55p666p8s +8s", true),
            ["11m 11m 22m 33m 44p 55p 666p +88s"]
        );
        assert!(readings("111m222m444m5577p66s1z +1z", true).is_empty());
        assert!(readings("19m19p1s11234567z456m +9s", true).is_empty());
    }

    #[test]
    fn the_eighth_flower_completes_any_hand() {
        assert_eq!(
            readings("1379m2468p359s12345z 1234567f +8f", false),
            ["1379m2468p359s12345z 1234567f +8f"]
        );
        assert!(readings("1379m2468p359s12345z 123456f +8f", false).is_empty());
    }

    #[test]
    fn near_misses_have_no_reading() {
        assert!(readings("123m456p789s1122z +3z", false).is_empty());
        assert!(readings("11223344m556p78s +8s", false).is_empty());
    }
}

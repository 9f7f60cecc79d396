//! Every reading of a hand: four sets and a pair, seven pairs, orphans, knitted; and every choice
//! of the group that the winning tile completes.

use std::fmt;

use super::{
    Hand, Meld,
    notation::write_tiles,
    suit_table::{NO_PAIR, SuitSets, divisions, honor_division},
};
use crate::{
    hand::SetTile,
    tile::{Face, SeenFace, Tile},
};

/// The shape of a winning hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Four sets and a pair.
    Sets,
    /// Seven pairs; four alike are two pairs.
    SevenPairs,
    /// One of each terminal and honor, and one more.
    ThirteenOrphans,
    /// 147, 258, 369 in the three suits, one each, four different honors and a second one of these.
    Knitted,
}

/// A set of forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Forms(u8);

impl Forms {
    /// No form.
    pub const NONE: Self = Self(0);
    /// Every form.
    pub const ALL: Self = Self(0b1111);

    /// With one more form.
    #[must_use]
    pub const fn with(self, form: Form) -> Self {
        Self(self.0 | 1 << form as u8)
    }

    /// Whether it holds a form.
    pub const fn contains(self, form: Form) -> bool {
        self.0 >> form as u8 & 1 == 1
    }
}

/// The group that the winning tile completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WonGroup {
    /// A chow, by its lowest tile.
    Chow(Face),
    /// The pair, or one of seven.
    Pair,
    /// A pung.
    Pung,
    /// A single tile of orphans or knitted tiles.
    Single,
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
    /// What the winning tile completes.
    pub won: WonGroup,
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
/// concealed; each choice that makes a difference is visited.
#[inline]
pub fn for_each_arrangement(
    hand: &Hand,
    claimed: bool,
    forms: Forms,
    mut visit: impl FnMut(&Arrangement),
) {
    if forms.contains(Form::Sets) {
        for_each_sets(hand, claimed, &mut visit);
    }
    if hand.tally().melds != 0 {
        return;
    }
    let whole = |form, pair, won| Arrangement {
        form,
        chows: 0,
        own_chows: 0,
        pungs: 0,
        own_pungs: 0,
        concealed_pungs: 0,
        pair,
        won,
    };
    let winning = hand.winning();
    if forms.contains(Form::SevenPairs) && hand.concealed().iter().all(|count| count % 2 == 0) {
        visit(&whole(Form::SevenPairs, winning, WonGroup::Pair));
    }
    let tally = hand.tally();
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
}

/// Nine suit tiles in the knitted pattern, a different third of it in each suit, and four honors.
fn is_knitted(present: u64) -> bool {
    const THIRDS: [u64; 3] = [0b001_001_001, 0b010_010_010, 0b100_100_100];
    let third = |suit: u32| THIRDS.iter().position(|&third| present >> (9 * suit) & 0x1ff == third);
    let honors = present >> 27;
    honors.count_ones() == 4
        && matches!((third(0), third(1), third(2)), (Some(a), Some(b), Some(c)) if a != b && b != c && a != c)
}

#[inline]
fn for_each_sets(hand: &Hand, claimed: bool, visit: &mut impl FnMut(&Arrangement)) {
    let tally = hand.tally();
    let Some(honors) = honor_division(tally.packed[3]) else { return };
    let winning = hand.winning();
    let winning_bit = 1u64 << winning.index();
    for first in divisions(tally.packed[0]) {
        for second in divisions(tally.packed[1]) {
            for third in divisions(tally.packed[2]) {
                let Some(pair) = only_pair([first, second, third, &honors]) else { continue };
                let own_chows = u64::from(first.chows)
                    | u64::from(second.chows) << 21
                    | u64::from(third.chows) << 42;
                let own_pungs = u64::from(first.pungs)
                    | u64::from(second.pungs) << 9
                    | u64::from(third.pungs) << 18
                    | u64::from(honors.pungs) << 27;
                let mut arrangement = Arrangement {
                    form: Form::Sets,
                    chows: own_chows + tally.chows,
                    own_chows,
                    pungs: own_pungs | tally.pungs,
                    own_pungs,
                    concealed_pungs: own_pungs | tally.concealed_kongs,
                    pair,
                    won: WonGroup::Pung,
                };
                // Where the tile may complete another group, a pung of it stays concealed.
                if let Some(won) = other_than_pung(&arrangement, winning) {
                    arrangement.won = won;
                    visit(&arrangement);
                    if !claimed || own_pungs & winning_bit == 0 {
                        continue;
                    }
                    arrangement.won = WonGroup::Pung;
                }
                if claimed {
                    arrangement.concealed_pungs &= !winning_bit | tally.concealed_kongs;
                }
                visit(&arrangement);
            }
        }
    }
}

/// The pair, if just one suit has one.
#[inline]
fn only_pair(suits: [&SuitSets; 4]) -> Option<Face> {
    let mut found = None;
    for (suit, sets) in suits.iter().enumerate() {
        if sets.pair != NO_PAIR {
            if found.is_some() {
                return None;
            }
            found = Face::from_index(suit * 9 + usize::from(sets.pair));
        }
    }
    found
}

/// A chow or the pair that holds the winning tile.
#[inline]
fn other_than_pung(arrangement: &Arrangement, winning: Face) -> Option<WonGroup> {
    if arrangement.pair == winning {
        return Some(WonGroup::Pair);
    }
    if winning.is_honor() {
        return None;
    }
    let number = winning.number();
    (number.saturating_sub(2).max(1)..=number.min(7)).find_map(|lowest| {
        let lowest = Face::new(winning.suit(), lowest)?;
        (arrangement.own_chows >> chow_shift(lowest) & 7 > 0).then_some(WonGroup::Chow(lowest))
    })
}

/// A reading of a hand as text: groups with spaces between, `+` before the one that the winning
/// tile completes.
pub struct Arranged<'a> {
    /// The hand.
    pub hand: &'a Hand,
    /// Its reading.
    pub arrangement: &'a Arrangement,
}

fn faces_text(
    f: &mut fmt::Formatter<'_>,
    faces: impl Iterator<Item = Face> + Clone,
) -> fmt::Result {
    write_tiles(
        f,
        faces.map(|face| SetTile { face: SeenFace::Tile(Tile::new(face)), sideways: false }),
    )
}

impl fmt::Display for Arranged<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (hand, arrangement) = (self.hand, self.arrangement);
        let winning = hand.winning();
        let mut space = "";
        let mut plus = |f: &mut fmt::Formatter<'_>, won: bool| {
            f.write_str(space)?;
            space = " ";
            f.write_str(if won { "+" } else { "" })
        };
        match arrangement.form {
            Form::Sets => {
                for (lowest, count) in each_chow(arrangement.own_chows) {
                    for i in 0..count {
                        plus(f, i == 0 && arrangement.won == WonGroup::Chow(lowest))?;
                        faces_text(f, Meld::chow(lowest, None).into_iter().flat_map(Meld::faces))?;
                    }
                }
                for face in each_face(arrangement.own_pungs) {
                    plus(f, face == winning && arrangement.won == WonGroup::Pung)?;
                    faces_text(f, std::iter::repeat_n(face, 3))?;
                }
                plus(f, arrangement.won == WonGroup::Pair)?;
                faces_text(f, std::iter::repeat_n(arrangement.pair, 2))?;
            }
            Form::SevenPairs => {
                let mut marked = false;
                for face in Face::all().take(34) {
                    for _ in 0..hand.concealed()[face.index()] / 2 {
                        let won = face == winning && !marked;
                        marked |= won;
                        plus(f, won)?;
                        faces_text(f, std::iter::repeat_n(face, 2))?;
                    }
                }
            }
            Form::ThirteenOrphans | Form::Knitted => {
                let singles = Face::all()
                    .take(34)
                    .filter(|face| hand.concealed()[face.index()] == 1 && *face != winning);
                plus(f, false)?;
                faces_text(f, singles)?;
                if arrangement.won == WonGroup::Single {
                    plus(f, true)?;
                    faces_text(f, std::iter::once(winning))?;
                }
                plus(f, arrangement.won == WonGroup::Pair)?;
                faces_text(f, std::iter::repeat_n(arrangement.pair, 2))?;
            }
        }
        for meld in hand.melds() {
            plus(f, false)?;
            meld.fmt(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn readings(text: &str, claimed: bool) -> Vec<String> {
        let hand: Hand = text.parse().unwrap();
        let mut found = Vec::new();
        for_each_arrangement(&hand, claimed, Forms::ALL, |arrangement| {
            found.push(Arranged { hand: &hand, arrangement }.to_string());
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
    fn near_misses_have_no_reading() {
        assert!(readings("123m456p789s1122z +3z", false).is_empty());
        assert!(readings("11223344m556p78s +8s", false).is_empty());
    }
}

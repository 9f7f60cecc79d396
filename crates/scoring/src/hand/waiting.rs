//! The tiles that thirteen tiles, or sixteen, wait for, and whether they waited for the winning tile alone.

use super::{
    Form, Forms, Hand, MAJORS, UnwonHand,
    arrangement::{KNITTED_ORDERS, THIRD, for_each_knitted, is_honors_and_knitted, knitted_faces},
    special::WholeForms,
    suit_table::{NO_PAIR, ONES, Packed, divisions, honor_division, size},
};

/// Whether no other tile than the winning one completes the hand in one of the forms. A tile of which
/// the hand, its melds included, holds all four completes it only where `exhausted` says so.
///
/// [`Form::Knitted`] is not considered: no rule set has both that form and such a wait.
pub(crate) fn waits_for_winning_tile_alone(hand: &Hand, forms: Forms, exhausted: bool) -> bool {
    let winning = hand.winning().index();
    let mut search =
        WaitSearch { hand, exhausted, winning: 1 << winning, every: false, completing: 0 };
    let mut packed = hand.tally().packed;
    packed[winning / 9] -= 1 << (3 * (winning % 9));
    search.run(packed, forms);
    search.completing == 0
}

/// The tiles, a bit each, that complete a hand one tile short in one of the forms, [`Form::Knitted`] left out. A
/// tile of which the hand holds all four completes nothing.
pub(crate) fn completing_tiles(hand: &UnwonHand, forms: Forms) -> u64 {
    let hand = hand.tiles();
    let mut search = WaitSearch { hand, exhausted: false, winning: 0, every: true, completing: 0 };
    search.run(hand.tally().packed, forms);
    search.completing
}

struct WaitSearch<'a> {
    hand: &'a Hand,
    exhausted: bool,
    /// The winning tile's bit, which is not looked for.
    winning: u64,
    /// Whether every tile is looked for; one is enough otherwise.
    every: bool,
    /// The tiles found.
    completing: u64,
}

/// Whether a suit (3: the honors) divides into sets, with a pair or without as its size says.
fn divides(suit: usize, packed: Packed) -> bool {
    if suit == 3 { honor_division(packed).is_some() } else { !divisions(packed).is_empty() }
}

/// Whether a suit that would hold five of one number divides; a table of real hands has no such suit.
fn divides_with_five(suit: usize, packed: Packed, shift: u32) -> bool {
    // Five alike are a pung and two more, or a pair and three more: a chow can take four at most.
    let without_pung = packed - (3 << shift);
    let without_pair = packed - (2 << shift);
    if suit == 3 {
        return honor_division(without_pung).is_some();
    }
    !divisions(without_pung).is_empty() || divisions(without_pair).any(|sets| sets.pair == NO_PAIR)
}

/// The kinds of tiles of a packed suit, a bit in each three.
const fn kinds(packed: Packed) -> Packed {
    (packed | packed >> 1 | packed >> 2) & ONES
}

/// The tiles that could complete a group of a suit: those that it holds, and those that make a chow of two.
const fn candidates(suit: usize, packed: Packed) -> Packed {
    let held = kinds(packed);
    if suit == 3 {
        return held;
    }
    let (one_up, two_up, one_down, two_down) = (held << 3, held << 6, held >> 3, held >> 6);
    (held | one_up & two_up | one_up & one_down | one_down & two_down) & ONES
}

/// Marks of tiles, a bit in each three, as bits by [`Face::index`](crate::tile::Face::index).
fn faces(marks: [Packed; 4]) -> u64 {
    let mut found = 0;
    for (suit, mut rest) in marks.into_iter().enumerate() {
        while rest != 0 {
            found |= 1 << (9 * suit + rest.trailing_zeros() as usize / 3);
            rest &= rest - 1;
        }
    }
    found
}

/// The tiles that make seven pairs and a pung of sixteen.
fn pairs_and_pung_waits(packed: [Packed; 4]) -> u64 {
    let odd = faces(packed.map(|suit| suit & ONES));
    let twos = faces(packed.map(|suit| suit >> 1 & ONES));
    let (threes, pairs) = (odd & twos, twos & !odd);
    match (odd.count_ones(), threes.count_ones()) {
        // Eight pairs, any of which may become the pung.
        (0, _) => pairs,
        // A pung and a tile without its fellow.
        (2, 1) => odd & !threes,
        // Either of two threes becomes two pairs, the other is the pung.
        (2, 2) => threes,
        _ => 0,
    }
}

/// The tiles that complete one of the forms of fourteen tiles that are no sets.
fn whole_form_waits(packed: [Packed; 4], forms: Forms) -> u64 {
    let completes = |face: &usize| {
        let (suit, shift) = (face / 9, 3 * (face % 9));
        let mut with = packed;
        with[suit] += 1 << shift;
        packed[suit] >> shift & 7 < 4 && WholeForms::of(&with, forms).next().is_some()
    };
    (0..34).filter(completes).fold(0, |all, face| all | 1 << face)
}

impl WaitSearch<'_> {
    /// Looks for the tiles that complete these concealed tiles.
    fn run(&mut self, packed: [Packed; 4], forms: Forms) {
        let melds = self.hand.tally().melds;
        if forms.contains(Form::Sets) {
            self.sets(packed);
        }
        if !self.is_done() && forms.contains(Form::KnittedStraight) && melds <= 1 {
            self.knitted_straight(packed);
        }
        if !self.is_done() && melds == 0 {
            self.singles(packed, forms);
        }
    }

    /// Whether all that was looked for is found.
    fn is_done(&self) -> bool {
        !self.every && self.completing != 0
    }

    /// A tile that completes the hand.
    fn completes(&mut self, face: usize) {
        if self.winning >> face & 1 == 1 || self.is_done() {
            return;
        }
        let held = self.hand.tally().all[face / 9] >> (3 * (face % 9)) & 7;
        self.completing |= u64::from(self.exhausted || held < 4) << face;
    }

    /// Sets and a pair, one tile short.
    fn sets(&mut self, packed: [Packed; 4]) {
        let sizes = packed.map(size);
        let fits: [bool; 4] =
            std::array::from_fn(|suit| sizes[suit] % 3 != 1 && divides(suit, packed[suit]));
        for (suit, &tiles) in packed.iter().enumerate() {
            let others = || (0..4).filter(|&other| other != suit);
            if others().any(|other| !fits[other]) {
                continue;
            }
            let pairs = others().filter(|&other| sizes[other] % 3 == 2).count();
            let wanted = match pairs {
                0 => 2,
                1 => 0,
                _ => continue,
            };
            if (sizes[suit] + 1) % 3 != wanted {
                continue;
            }
            let mut marks = candidates(suit, tiles);
            while marks != 0 {
                let shift = marks.trailing_zeros();
                marks &= marks - 1;
                let face = 9 * suit + shift as usize / 3;
                if self.winning >> face & 1 == 1 {
                    continue;
                }
                let held = tiles >> shift & 7;
                let with = tiles + (1 << shift);
                let complete = match held {
                    4 => self.exhausted && divides_with_five(suit, with, shift),
                    _ => divides(suit, with),
                };
                if complete {
                    self.completes(face);
                    if self.is_done() {
                        return;
                    }
                }
            }
        }
    }

    /// A knitted straight, a set and a pair, one tile short.
    fn knitted_straight(&mut self, packed: [Packed; 4]) {
        for_each_knitted(packed, |rest| self.sets(rest));
        for order in KNITTED_ORDERS {
            // The nine tiles but one.
            let missing: [Packed; 3] =
                std::array::from_fn(|suit| THIRD << (3 * order[suit]) & !kinds(packed[suit]));
            if missing.iter().map(|marks| marks.count_ones()).sum::<u32>() != 1 {
                continue;
            }
            let mut with = packed;
            with.iter_mut().zip(missing).for_each(|(suit, mark)| *suit += mark);
            let mut complete = false;
            for_each_knitted(with, |rest| {
                let pairs = rest.iter().filter(|suit| size(**suit) % 3 == 2).count();
                let whole = rest.iter().enumerate().all(|(suit, tiles)| divides(suit, *tiles));
                complete |= pairs == 1 && whole;
            });
            if complete {
                let [a, b, c] = missing;
                self.completes(faces([a, b, c, 0]).trailing_zeros() as usize);
            }
        }
    }

    /// The forms of single tiles and pairs: every tile is concealed.
    fn singles(&mut self, packed: [Packed; 4], forms: Forms) {
        let held = packed.map(kinds);
        let number: u32 = held.iter().map(|marks| marks.count_ones()).sum();
        let odd = packed.map(|suit| suit & ONES);
        let mut completing = 0u64;
        if forms.contains(Form::SevenPairs)
            && odd.iter().map(|marks| marks.count_ones()).sum::<u32>() == 1
            && !(forms.pairs_differ() && number != 7)
        {
            completing |= faces(odd);
        }
        if forms.contains(Form::PairsAndPung) && self.hand.sets() == 5 {
            completing |= pairs_and_pung_waits(packed);
        }
        let present = if number >= 12 { faces(held) } else { 0 };
        if forms.contains(Form::ThirteenOrphans) && present & !MAJORS == 0 {
            match number {
                13 => completing |= MAJORS,
                12 => completing |= MAJORS & !present,
                _ => {}
            }
        }
        if forms.contains(Form::HonorsAndKnitted) && number == 13 && is_honors_and_knitted(present)
        {
            const HONORS: u64 = 0b111_1111 << 27;
            for order in KNITTED_ORDERS {
                let all = HONORS | knitted_faces(order);
                if present & !all == 0 {
                    completing |= all & !present;
                }
            }
        }
        if forms.any_of(WholeForms::ALL) && WholeForms::may_wait(&packed, forms) {
            completing |= whole_form_waits(packed, forms);
        }
        while completing != 0 {
            self.completes(completing.trailing_zeros() as usize);
            completing &= completing - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone(text: &str, exhausted: bool) -> bool {
        let hand: Hand = text.parse().unwrap();
        waits_for_winning_tile_alone(&hand, Forms::ALL, exhausted)
    }

    #[test]
    fn one_tile_or_several() {
        assert!(alone("123m456p789s12s55z +3s", false));
        assert!(!alone("123m456p789s23s55z +4s", false));
        // 3 and 6 complete chows, 5 the pair.
        assert!(!alone("123m456p789s3455s +3s", false));
        assert!(alone("123m456p789s345s8p +8p", false));
        assert!(!alone("1112345678999s +5s", false));
    }

    #[test]
    fn a_tile_held_four_times() {
        // 7999s waits for 7 and for 8, all of which are in the kong.
        assert!(alone("345m7999s (1'11s) [8888s] +7s", false));
        assert!(!alone("345m7999s (1'11s) [8888s] +7s", true));
    }

    #[test]
    fn seven_pairs_and_a_pung() {
        // A pung, six pairs and a single tile; then eight pairs; then two threes.
        assert!(alone("111m3355m2288p4466s7z +7z", false));
        assert!(!alone("1133m5577m2288p4466s +4s", false));
        assert!(!alone("111m333m5577m2288p44s +1m", false));
    }

    #[test]
    fn sixteen_tiles_before_the_win() {
        assert!(alone("234m456p789s123456s5z +5z", false));
        assert!(!alone("234m456p789s23345s55z +1s", false));
        assert!(!alone("1112345678999s111z +5s", false));
    }

    #[test]
    fn all_forms_are_asked() {
        // Seven pairs on the 7z, and two chows twice over with the same pair.
        assert!(alone("112233m445566p7z +7z", false));
        // Orphans: thirteen different tiles wait for each of them.
        assert!(!alone("19m19p19s1234567z +1m", false));
        assert!(alone("19m19p19s1234566z +7z", false));
        assert!(!alone("147m258p369s1234z +5z", false));
        // 147 258 369, a chow, the pair.
        assert!(alone("147m258p3699s (5'67m) +9s", false));
        // The one of the nine that is missing.
        assert!(alone("147m258p36s56755m +9s", false));
        assert!(!alone("147m258p369s56m11p +7m", false));
    }
}

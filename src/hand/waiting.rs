//! Whether the tiles before a win, thirteen or sixteen, waited for the winning tile alone.

use super::{
    Form, Forms, Hand, MAJORS,
    arrangement::{KNITTED_ORDERS, for_each_knitted, is_honors_and_knitted, knitted_faces},
    suit_table::{NO_PAIR, Packed, divisions, honor_division, size},
};

/// Whether no other tile than the winning one completes the hand in one of the forms. A tile of which
/// the hand, its melds included, holds all four completes it only where `exhausted` says so.
///
/// [`Form::Knitted`] is not looked at: no rule set has both that form and such a wait.
pub(crate) fn waits_for_winning_tile_alone(hand: &Hand, forms: Forms, exhausted: bool) -> bool {
    let winning = hand.winning().index();
    let mut search = Search { hand, exhausted, winning: 1 << winning, others: false };
    let mut packed = hand.tally().packed;
    packed[winning / 9] -= 1 << (3 * (winning % 9));
    let melds = hand.tally().melds;
    if forms.contains(Form::Sets) {
        search.sets(packed);
    }
    if !search.others && forms.contains(Form::KnittedStraight) && melds <= 1 {
        search.knitted_straight(packed);
    }
    if !search.others && melds == 0 {
        search.singles(forms);
    }
    !search.others
}

/// The tiles that make seven pairs and a pung of sixteen.
fn pairs_and_pung_waits(counts: &[u8; 34]) -> u64 {
    let of = |wanted: fn(u8) -> bool| {
        let faces = counts.iter().enumerate().filter(|(_, count)| wanted(**count));
        faces.fold(0u64, |mask, (face, _)| mask | 1 << face)
    };
    let (odd, threes, pairs) =
        (of(|count| count % 2 == 1), of(|count| count == 3), of(|count| count == 2));
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

struct Search<'a> {
    hand: &'a Hand,
    exhausted: bool,
    /// The winning tile's bit.
    winning: u64,
    /// Another tile completes the hand too.
    others: bool,
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
    !divisions(without_pung).is_empty()
        || divisions(without_pair).iter().any(|sets| sets.pair == NO_PAIR)
}

impl Search<'_> {
    /// A tile that completes the hand.
    fn completes(&mut self, face: usize) {
        if self.winning >> face & 1 == 1 || self.others {
            return;
        }
        let all_held = || {
            let melded = self.hand.melds().flat_map(|meld| meld.faces());
            let melded = melded.filter(|other| other.index() == face).count();
            usize::from(self.hand.concealed()[face]) + melded >= 4
        };
        self.others = self.exhausted || !all_held();
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
            for number in 0..if suit == 3 { 7 } else { 9 } {
                let shift = 3 * number as u32;
                let held = tiles >> shift & 7;
                let with = tiles + (1 << shift);
                let complete = match held {
                    4 => self.exhausted && divides_with_five(suit, with, shift),
                    _ => divides(suit, with),
                };
                if complete {
                    self.completes(9 * suit + number);
                }
            }
        }
    }

    /// A knitted straight, a set and a pair, one tile short.
    fn knitted_straight(&mut self, packed: [Packed; 4]) {
        for_each_knitted(packed, |rest| self.sets(rest));
        for order in KNITTED_ORDERS {
            let present = |face: usize| packed[face / 9] >> (3 * (face % 9)) & 7 > 0;
            let missing = (0..27)
                .filter(|&face| knitted_faces(order) >> face & 1 == 1 && !present(face))
                .fold(0u64, |missing, face| missing | 1 << face);
            if missing.count_ones() != 1 {
                continue;
            }
            let face = missing.trailing_zeros() as usize;
            let mut with = packed;
            with[face / 9] += 1 << (3 * (face % 9));
            let mut complete = false;
            for_each_knitted(with, |rest| {
                let pairs = rest.iter().filter(|suit| size(**suit) % 3 == 2).count();
                let whole = rest.iter().enumerate().all(|(suit, tiles)| divides(suit, *tiles));
                complete |= pairs == 1 && whole;
            });
            if complete {
                self.completes(face);
            }
        }
    }

    /// The forms of single tiles and pairs: every tile is concealed.
    fn singles(&mut self, forms: Forms) {
        let mut counts = *self.hand.concealed();
        counts[self.hand.winning().index()] -= 1;
        let of = |wanted: fn(u8) -> bool| {
            let faces = counts.iter().enumerate().filter(|(_, count)| wanted(**count));
            faces.fold(0u64, |mask, (face, _)| mask | 1 << face)
        };
        let present = of(|count| count > 0);
        let odd = of(|count| count % 2 == 1);
        let mut completing = 0u64;
        if forms.contains(Form::SevenPairs)
            && odd.count_ones() == 1
            && !(forms.pairs_differ() && present.count_ones() != 7)
        {
            completing |= odd;
        }
        if forms.contains(Form::PairsAndPung) && self.hand.sets() == 5 {
            completing |= pairs_and_pung_waits(&counts);
        }
        if forms.contains(Form::ThirteenOrphans) && present & !MAJORS == 0 {
            match present.count_ones() {
                13 => completing |= MAJORS,
                12 => completing |= MAJORS & !present,
                _ => {}
            }
        }
        if forms.contains(Form::HonorsAndKnitted)
            && present.count_ones() == 13
            && is_honors_and_knitted(present)
        {
            const HONORS: u64 = 0b111_1111 << 27;
            for order in KNITTED_ORDERS {
                let all = HONORS | knitted_faces(order);
                if present & !all == 0 {
                    completing |= all & !present;
                }
            }
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
        // 7999s waits for 7 and for 8, all of which lie in the kong.
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

//! What the predicates of patterns count and look for, where it is more than an expression.

use super::{
    masks::{CHOW_SUIT, DRAGONS, HONORS, ORDERS, SUIT, count},
    view::View,
};
use crate::{
    hand::{Arrangement, Form},
    rules::{Indicators, Win},
    tile::{Face, Seat},
};

/// Chows of three kinds given by their lowest numbers' places in three suits, if the hand has them.
fn three_chows(view: &View, wanted: impl Fn([u32; 3], u32) -> [u32; 3], lowest: u32) -> u64 {
    let kinds = view.chow_kinds();
    let mut found = 0;
    for order in ORDERS {
        for low in 0..lowest {
            let bits = wanted(order, low).iter().fold(0, |bits, &place| bits | 1u64 << place);
            if kinds & bits == bits {
                found |= bits;
            }
        }
    }
    found
}

pub(super) fn mixed_triple_chow(view: &View) -> u64 {
    let kinds = view.chow_kinds();
    let all = kinds & kinds >> 21 & kinds >> 42 & CHOW_SUIT;
    all | all << 21 | all << 42
}

pub(super) fn pure_straight(view: &View) -> u64 {
    let kinds = view.chow_kinds();
    let starts = kinds & kinds >> 9 & kinds >> 18 & (1 | 1 << 21 | 1 << 42);
    starts | starts << 9 | starts << 18
}

pub(super) fn mixed_straight(view: &View) -> u64 {
    three_chows(view, |[a, b, c], _| [21 * a, 21 * b + 9, 21 * c + 18], 1)
}

pub(super) fn mixed_shifted_chows(view: &View) -> u64 {
    three_chows(view, |[a, b, c], n| [21 * a + 3 * n, 21 * b + 3 * n + 3, 21 * c + 3 * n + 6], 5)
}

pub(super) fn pure_shifted_chows(view: &View) -> u64 {
    // The lowest of the three is at most 5.
    const STARTS: u64 = 0o11_111 | 0o11_111 << 21 | 0o11_111 << 42;
    let kinds = view.chow_kinds();
    let starts = kinds & kinds >> 3 & kinds >> 6 & STARTS;
    starts | starts << 3 | starts << 6
}

pub(super) fn identical_chows(view: &View) -> u64 {
    view.chows() & (view.chows_twice() * 7)
}

pub(super) fn triple_pung(view: &View) -> u64 {
    let pungs = view.pungs();
    let all = pungs & pungs >> 9 & pungs >> 18 & SUIT;
    all | all << 9 | all << 18
}

pub(super) fn double_pung(view: &View) -> u64 {
    let [a, b, c] = suit_pungs(view);
    let both = a & b | a & c | b & c;
    a & both | (b & both) << 9 | (c & both) << 18
}

const fn suit_pungs(view: &View) -> [u64; 3] {
    let pungs = view.pungs();
    [pungs & SUIT, pungs >> 9 & SUIT, pungs >> 18 & SUIT]
}

pub(super) fn pure_shifted_pungs(view: &View) -> u64 {
    let mut found = 0;
    for (suit, pungs) in suit_pungs(view).into_iter().enumerate() {
        let starts = pungs & pungs >> 1 & pungs >> 2;
        found |= (starts | starts << 1 | starts << 2) << (9 * suit);
    }
    found
}

pub(super) fn four_pure_shifted_pungs(view: &View) -> u64 {
    let mut found = 0;
    for (suit, pungs) in suit_pungs(view).into_iter().enumerate() {
        let starts = pungs & pungs >> 1 & pungs >> 2 & pungs >> 3;
        found |= (starts * 0b1111) << (9 * suit);
    }
    found
}

/// Pungs of the pair's number in the two other suits.
pub(super) fn little_triple_pung(view: &View) -> u64 {
    let Arrangement { pair, .. } = *view.arrangement;
    if !view.is(Form::Sets) || pair.index() >= 27 {
        return 0;
    }
    let number = pair.index() % 9;
    let others = (1u64 << number | 1 << (number + 9) | 1 << (number + 18)) & !view.pair();
    if view.pungs() & others == others { others } else { 0 }
}

pub(super) fn mixed_shifted_pungs(view: &View) -> u64 {
    let pungs = suit_pungs(view);
    let mut found = 0;
    for [a, b, c] in ORDERS {
        let starts = pungs[a as usize] & pungs[b as usize] >> 1 & pungs[c as usize] >> 2;
        found |= starts << (9 * a) | starts << (9 * b + 1) | starts << (9 * c + 2);
    }
    found
}

/// One number in every set and the pair, which a hand of sets alone can have.
pub(super) fn all_connected(view: &View) -> bool {
    if !view.is(Form::Sets) || view.present() & HONORS != 0 {
        return false;
    }
    let Arrangement { pair, .. } = *view.arrangement;
    let number = u32::from(pair.number() - 1);
    let same = 1u64 << number | 1 << (number + 9) | 1 << (number + 18);
    let lows =
        (number.saturating_sub(2)..=number.min(6)).fold(0, |lows, low| lows | 1u64 << (3 * low));
    let lows = lows | lows << 21 | lows << 42;
    view.pungs() & !same == 0 && view.chow_kinds() & !lows == 0
}

/// Numbers that the hand uses, over all suits.
pub(super) const fn numbers(view: &View) -> u64 {
    let present = view.present();
    (present | present >> 9 | present >> 18) & SUIT
}

/// Faces of which the hand holds four, not in a kong.
pub(super) fn tile_hogs(view: &View) -> u64 {
    /// The highest of the three bits that count a tile.
    const FOURS: u32 = 0o444_444_444;
    let mut hogs = 0;
    for (suit, counts) in view.hand.tally().all.into_iter().enumerate() {
        let mut fours = counts & FOURS;
        while fours != 0 {
            hogs |= 1 << (9 * suit + fours.trailing_zeros() as usize / 3);
            fours &= fours - 1;
        }
    }
    hogs & !view.kongs()
}

/// 1112345678999 and one more tile of the suit, concealed, no kong; `exactly`: the thirteen
/// others are just these.
pub(super) fn gates(view: &View, nine_sided: bool) -> bool {
    let one_suit = view.suits() == 1 && view.present() & HONORS == 0;
    if !one_suit || view.hand.tally().melds != 0 || view.hand.sets() != 4 || !view.is(Form::Sets) {
        return false;
    }
    let suit = view.hand.winning().index() / 9 * 9;
    let counts = &view.hand.concealed()[suit..suit + 9];
    let needed = |n: usize| if n == 0 || n == 8 { 3 } else { 1 };
    let winning = view.hand.winning().index() - suit;
    counts.iter().enumerate().all(|(n, &tiles)| {
        let others = tiles - u8::from(nine_sided && n == winning);
        if nine_sided { others == needed(n) } else { others >= needed(n) }
    })
}

/// Whether three copies of the winning tile are in the winner's own claimed sets.
pub(super) fn shown_by_own_sets(view: &View) -> bool {
    // No concealed kong can be among the three.
    let winning = view.hand.winning();
    view.hand.count(winning) == 4 && view.hand.concealed()[winning.index()] == 1
}

/// The tiles that indicators point to.
fn each_dora(view: &View, indicators: &Indicators) -> impl Iterator<Item = Face> {
    let missing = view.deal.facts.missing;
    indicators.iter().map(move |tile| Indicators::dora(tile.face(), missing))
}

/// The number of dora: tiles of the hand or put aside, each counted once for every indicator that points to it.
pub(super) fn dora(view: &View, indicators: &Indicators) -> u8 {
    each_dora(view, indicators).map(|face| view.hand.count(face) + view.aside(face)).sum()
}

/// The dora that the hand has, in it or put aside, a bit each.
pub(super) fn dora_faces(view: &View, indicators: &Indicators) -> u64 {
    each_dora(view, indicators)
        .filter(|face| view.hand.count(*face) + view.aside(*face) != 0)
        .fold(0, |faces, face| faces | 1 << face.index())
}

/// Four chows, a pair of no value, and a two-sided wait, concealed.
pub(super) fn pinfu(view: &View) -> bool {
    view.is(Form::Sets)
        && view.pungs() == 0
        && view.concealed()
        && view.pair() & paid_pairs(view) == 0
        && view.two_sided_wait()
}

/// No honors, and no number but these (a bit each).
pub(super) const fn only_numbers(view: &View, allowed: u64) -> bool {
    view.present() & HONORS == 0 && numbers(view) & !allowed == 0
}

/// Pairs that have points in rule sets with such points.
pub(super) fn paid_pairs(view: &View) -> u64 {
    DRAGONS | view.own_wind() | view.round_wind() | view.shared_winds()
}

/// Kongs that were claimed for three concealed tiles.
pub(super) fn claimed_kongs(view: &View) -> u64 {
    let kongs = view.hand.melds().filter(|meld| meld.is_claimed_kong());
    kongs.fold(0, |faces, meld| faces | 1 << meld.face().index())
}

pub(super) fn concealed_pungs_or_claimed_kongs(view: &View) -> u64 {
    view.arrangement.concealed_pungs | claimed_kongs(view)
}

/// Pungs of 1 and 9 of the only suit, a pair of 2, 5 or 8, and two chows of the rest.
pub(super) fn squirming_snake(view: &View) -> bool {
    /// The chows beside a pair of 2, of 5, of 8, counted in three bits by their lowest numbers.
    const CHOWS: [(u8, u64); 3] =
        [(2, 1 << 6 | 1 << 15), (5, 1 << 3 | 1 << 15), (8, 1 << 3 | 1 << 12)];
    let suit = view.arrangement.pair.index() / 9;
    let pair = view.arrangement.pair.number();
    suit < 3
        && view.is(Form::Sets)
        && view.pungs() == 0b1_0000_0001 << (9 * suit)
        && CHOWS
            .iter()
            .any(|(number, chows)| *number == pair && view.chows() == chows << (21 * suit))
}

/// Faces of which the hand holds all four, kongs too.
pub(super) fn all_copies(view: &View) -> u64 {
    tile_hogs(view) | view.kongs()
}

/// Pairs of seven numbers in a row of one suit.
pub(super) fn seven_shifted_pairs(view: &View) -> bool {
    let numbers = numbers(view);
    view.is(Form::SevenPairs)
        && view.suits() == 1
        && view.present() & HONORS == 0
        && count(view.present()) == 7
        && numbers >> numbers.trailing_zeros() == 0b111_1111
}

/// Suit tiles of a hand of honors and knitted tiles.
pub(super) const fn knitted_tiles(view: &View) -> u8 {
    count(view.present() & !HONORS)
}

pub(super) const fn flower_of(seat: Seat) -> u8 {
    1 << seat.index()
}

/// Whether the hand was won in a way that has a pattern of its own, apart from drawn or claimed.
pub(super) fn is_rare_win(view: &View) -> bool {
    let at = view.at;
    at.last_tile
        | at.on_supplement()
        | at.first_turn
        | at.first_draw
        | at.last_visible
        | matches!(at.win, Win::RobKong { .. })
        | (view.hand.count(view.hand.winning()) == 4)
}

//! The patterns of hands, each a small predicate written once. The rule files give the value of a
//! pattern, its exclusions and its scope.

use std::cell::Cell;

use super::{Circumstances, Indicators, Win, scoring::ReadingValue};
use crate::{
    hand::{Arrangement, Form, Forms, Hand, MAJORS, WonGroup, waits_for_winning_tile_alone},
    tile::{Face, Seat},
};

/// What patterns look at of a rule set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct RuleFacts {
    /// Whether a tile held four times counts as a wait.
    pub exhausted_waits: bool,
    /// Whether the replacement of a North put aside counts as a supplement tile.
    pub north_supplement: bool,
    /// Tiles that are not played, a bit each.
    pub missing: u64,
    /// Winds that everybody may count as his own, a bit each.
    pub shared_winds: u64,
}

/// The facts that all readings of a hand share, computed once.
pub(crate) struct HandContext<'a> {
    pub hand: &'a Hand,
    pub at: &'a Circumstances,
    /// Flowers and seasons that count, as [`Hand::bonus`].
    pub bonus: u8,
    /// The forms that win.
    pub forms: Forms,
    /// The items that may count, a bit each.
    pub items: u64,
    pub facts: RuleFacts,
    /// Whether the hand waited for its winning tile alone; found when first asked for.
    pub sole_wait: Cell<Option<bool>>,
    /// The last division of the hand, and its patterns that do not depend on the winning tile's group.
    pub divided: Cell<Option<(Arrangement, PatternSet)>>,
    /// The last appraised reading, without the winning tile's group, with its patterns and value.
    pub appraised: Cell<Option<(Arrangement, PatternSet, ReadingValue)>>,
}

impl<'a> HandContext<'a> {
    #[inline]
    pub(crate) const fn new(
        hand: &'a Hand,
        at: &'a Circumstances,
        bonus: u8,
        forms: Forms,
        facts: RuleFacts,
    ) -> Self {
        let (sole_wait, divided, appraised) = (Cell::new(None), Cell::new(None), Cell::new(None));
        Self { hand, at, bonus, forms, items: u64::MAX, facts, sole_wait, divided, appraised }
    }

    #[inline]
    pub(crate) const fn view(&'a self, arrangement: &'a Arrangement) -> View<'a> {
        View { hand: self.hand, arrangement, at: self.at, bonus: self.bonus, deal: self }
    }
}

/// A hand, one reading of it, and how it was won.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub hand: &'a Hand,
    pub arrangement: &'a Arrangement,
    pub at: &'a Circumstances,
    /// Flowers and seasons that count, as [`Hand::bonus`].
    pub bonus: u8,
    pub deal: &'a HandContext<'a>,
}

/// The tiles that earn a pattern.
#[derive(Clone, Copy)]
pub(crate) enum EarningTiles {
    /// The whole hand.
    Whole,
    /// The winning tile.
    Winning,
    /// Chows, as a count of each in three bits.
    Chows(fn(&View) -> u64),
    /// Pungs and kongs, a bit for each face.
    Pungs(fn(&View) -> u64),
    /// Pungs and kongs, and the pair.
    PungsAndPair(fn(&View) -> u64),
    /// The pair.
    Pair,
    /// Flowers and seasons, a bit each.
    Bonus(fn(&View) -> u8),
    /// Loose tiles: all copies of these faces.
    Faces(fn(&View) -> u64),
    /// All copies of these faces, each face by itself.
    EachFace(fn(&View) -> u64),
    /// The red fives.
    RedFives,
    /// The Norths put aside.
    Norths,
}

/// Counts a pattern in a reading.
pub(crate) type Predicate = fn(&View) -> u8;

/// A pattern that rule files may name.
pub(crate) struct Pattern {
    /// The name in rule files.
    pub name: &'static str,
    /// The description for people.
    pub about: &'static str,
    /// The predicate that counts it in a reading.
    pub count: Predicate,
    /// The tiles that earn it.
    pub evidence: EarningTiles,
}

const WINDS: u64 = 0b1111 << 27;
const DRAGONS: u64 = 0b111 << 31;
const HONORS: u64 = WINDS | DRAGONS;
const TERMINALS: u64 = MAJORS & !HONORS;
const SUIT: u64 = 0x1ff;
/// The green tiles: 2 3 4 6 8 bamboo and the green dragon.
const GREENS: u64 = 0b010101110 << 18 | 1 << 32;
/// Tiles that look the same upside down.
const REVERSIBLE: u64 = 0b110_011_111 << 9 | 0b110_111_010 << 18 | 1 << 31;
/// The lowest bit of each three that count a chow.
const CHOW_UNITS: u64 = 0o1_111_111_111_111_111_111_111 & ((1 << 63) - 1);
/// The units of one suit.
const CHOW_SUIT: u64 = 0o1_111_111;
/// Chows that begin with 1 or 7.
const CHOW_ENDS: u64 = 0o1_000_001 | 0o1_000_001 << 21 | 0o1_000_001 << 42;
/// Every order of the three suits.
const ORDERS: [[u32; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

impl View<'_> {
    const fn present(&self) -> u64 {
        self.hand.tally().present
    }

    const fn chows(&self) -> u64 {
        self.arrangement.chows
    }

    const fn pungs(&self) -> u64 {
        self.arrangement.pungs
    }

    const fn kongs(&self) -> u64 {
        self.hand.tally().open_kongs | self.hand.tally().concealed_kongs
    }

    const fn pair(&self) -> u64 {
        1 << self.arrangement.pair.index()
    }

    /// The copies of a face that are put aside.
    pub(crate) const fn aside(&self, face: Face) -> u8 {
        if face.index() == Seat::North.wind().index() { self.at.north } else { 0 }
    }

    const fn is(&self, form: Form) -> bool {
        self.arrangement.form as u8 == form as u8
    }

    const fn own_wind(&self) -> u64 {
        1 << self.at.seat.wind().index()
    }

    const fn round_wind(&self) -> u64 {
        1 << self.at.round.wind().index()
    }

    const fn shared_winds(&self) -> u64 {
        self.deal.facts.shared_winds
    }

    const fn concealed(&self) -> bool {
        self.hand.tally().claimed == 0
    }

    /// Whether it was won on a supplement tile that counts.
    const fn on_supplement(&self) -> bool {
        self.at.on_supplement() & (self.deal.facts.north_supplement | (self.kongs() != 0))
    }

    const fn suits(&self) -> u8 {
        let present = self.present();
        (present & SUIT != 0) as u8
            + (present >> 9 & SUIT != 0) as u8
            + (present >> 18 & SUIT != 0) as u8
    }

    /// Chows of each kind, at least one: the units of the three-bit counts.
    const fn chow_kinds(&self) -> u64 {
        let chows = self.chows();
        (chows | chows >> 1 | chows >> 2) & CHOW_UNITS
    }

    /// Kinds of chow that the hand has at least three times.
    const fn chows_thrice(&self) -> u64 {
        let chows = self.chows();
        (chows & chows >> 1 | chows >> 2) & CHOW_UNITS
    }

    /// Kinds of chow that the hand has at least twice.
    const fn chows_twice(&self) -> u64 {
        let chows = self.chows();
        (chows >> 1 | chows >> 2) & CHOW_UNITS
    }

    const fn four_alike_chow(&self) -> bool {
        self.chows() >> 2 & CHOW_UNITS != 0
    }
}

const fn count(mask: u64) -> u8 {
    mask.count_ones() as u8
}

/// Whether a mask has at least `least` bits: quicker than to count them all where the processor has no
/// instruction for that.
const fn at_least(mut mask: u64, least: u32) -> bool {
    let mut cleared = 1;
    while cleared < least {
        mask &= mask.wrapping_sub(1);
        cleared += 1;
    }
    mask != 0
}

const fn byte_count(mask: u8) -> u8 {
    mask.count_ones() as u8
}

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

fn mixed_triple_chow(view: &View) -> u64 {
    let kinds = view.chow_kinds();
    let all = kinds & kinds >> 21 & kinds >> 42 & CHOW_SUIT;
    all | all << 21 | all << 42
}

fn pure_straight(view: &View) -> u64 {
    let kinds = view.chow_kinds();
    let starts = kinds & kinds >> 9 & kinds >> 18 & (1 | 1 << 21 | 1 << 42);
    starts | starts << 9 | starts << 18
}

fn mixed_straight(view: &View) -> u64 {
    three_chows(view, |[a, b, c], _| [21 * a, 21 * b + 9, 21 * c + 18], 1)
}

fn mixed_shifted_chows(view: &View) -> u64 {
    three_chows(view, |[a, b, c], n| [21 * a + 3 * n, 21 * b + 3 * n + 3, 21 * c + 3 * n + 6], 5)
}

fn pure_shifted_chows(view: &View) -> u64 {
    // The lowest of the three is at most 5.
    const STARTS: u64 = 0o11_111 | 0o11_111 << 21 | 0o11_111 << 42;
    let kinds = view.chow_kinds();
    let starts = kinds & kinds >> 3 & kinds >> 6 & STARTS;
    starts | starts << 3 | starts << 6
}

fn identical_chows(view: &View) -> u64 {
    view.chows() & (view.chows_twice() * 7)
}

fn triple_pung(view: &View) -> u64 {
    let pungs = view.pungs();
    let all = pungs & pungs >> 9 & pungs >> 18 & SUIT;
    all | all << 9 | all << 18
}

fn double_pung(view: &View) -> u64 {
    let [a, b, c] = suit_pungs(view);
    let both = a & b | a & c | b & c;
    a & both | (b & both) << 9 | (c & both) << 18
}

const fn suit_pungs(view: &View) -> [u64; 3] {
    let pungs = view.pungs();
    [pungs & SUIT, pungs >> 9 & SUIT, pungs >> 18 & SUIT]
}

fn pure_shifted_pungs(view: &View) -> u64 {
    let mut found = 0;
    for (suit, pungs) in suit_pungs(view).into_iter().enumerate() {
        let starts = pungs & pungs >> 1 & pungs >> 2;
        found |= (starts | starts << 1 | starts << 2) << (9 * suit);
    }
    found
}

fn four_pure_shifted_pungs(view: &View) -> u64 {
    let mut found = 0;
    for (suit, pungs) in suit_pungs(view).into_iter().enumerate() {
        let starts = pungs & pungs >> 1 & pungs >> 2 & pungs >> 3;
        found |= (starts * 0b1111) << (9 * suit);
    }
    found
}

/// Pungs of the pair's number in the two other suits.
fn little_triple_pung(view: &View) -> u64 {
    let Arrangement { pair, .. } = *view.arrangement;
    if !view.is(Form::Sets) || pair.index() >= 27 {
        return 0;
    }
    let number = pair.index() % 9;
    let others = (1u64 << number | 1 << (number + 9) | 1 << (number + 18)) & !view.pair();
    if view.pungs() & others == others { others } else { 0 }
}

fn mixed_shifted_pungs(view: &View) -> u64 {
    let pungs = suit_pungs(view);
    let mut found = 0;
    for [a, b, c] in ORDERS {
        let starts = pungs[a as usize] & pungs[b as usize] >> 1 & pungs[c as usize] >> 2;
        found |= starts << (9 * a) | starts << (9 * b + 1) | starts << (9 * c + 2);
    }
    found
}

/// One number in every set and the pair, which a hand of sets alone can have.
fn all_connected(view: &View) -> bool {
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
const fn numbers(view: &View) -> u64 {
    let present = view.present();
    (present | present >> 9 | present >> 18) & SUIT
}

/// Faces of which the hand holds four, not in a kong.
fn tile_hogs(view: &View) -> u64 {
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
fn gates(view: &View, nine_sided: bool) -> bool {
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
fn shown_by_own_sets(view: &View) -> bool {
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
fn dora(view: &View, indicators: &Indicators) -> u8 {
    each_dora(view, indicators).map(|face| view.hand.count(face) + view.aside(face)).sum()
}

/// The dora that the hand has, in it or put aside, a bit each.
fn dora_faces(view: &View, indicators: &Indicators) -> u64 {
    each_dora(view, indicators)
        .filter(|face| view.hand.count(*face) + view.aside(*face) != 0)
        .fold(0, |faces, face| faces | 1 << face.index())
}

/// The way the winning tile completes its group, where only one kind of tile does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum NarrowWait {
    /// 3 to 12, 7 to 89.
    Edge,
    /// The middle tile of a chow.
    Closed,
    /// The second tile of the pair.
    Pair,
}

impl View<'_> {
    /// The narrow wait that the group of the winning tile shows, if it shows one.
    #[inline]
    pub(crate) const fn narrow_wait(&self) -> Option<NarrowWait> {
        let winning = self.hand.winning().number();
        match self.arrangement.won {
            WonGroup::Pair => Some(NarrowWait::Pair),
            WonGroup::Chow(lowest) => {
                let lowest = lowest.number();
                if winning == lowest + 1 {
                    Some(NarrowWait::Closed)
                } else if (lowest == 1 && winning == 3) || (lowest == 7 && winning == 7) {
                    Some(NarrowWait::Edge)
                } else {
                    None
                }
            }
            WonGroup::Pung | WonGroup::Single => None,
        }
    }

    /// Whether the winning tile completes a chow at an end where another tile would do at the other.
    const fn two_sided_wait(&self) -> bool {
        matches!(self.arrangement.won, WonGroup::Chow(_)) && self.narrow_wait().is_none()
    }

    /// Whether the tiles before waited for the winning tile alone, in any form.
    pub(crate) fn sole_wait(&self) -> bool {
        let HandContext { hand, forms, facts, ref sole_wait, .. } = *self.deal;
        sole_wait.get().unwrap_or_else(|| {
            let found = waits_for_winning_tile_alone(hand, forms, facts.exhausted_waits);
            sole_wait.set(Some(found));
            found
        })
    }

    fn sole(&self, wait: NarrowWait) -> bool {
        matches!(self.arrangement.form, Form::Sets | Form::KnittedStraight)
            && self.narrow_wait() == Some(wait)
            && self.sole_wait()
    }
}

/// Four chows, a pair of no value, and a two-sided wait, concealed.
fn pinfu(view: &View) -> bool {
    view.is(Form::Sets)
        && view.pungs() == 0
        && view.concealed()
        && view.pair() & paid_pairs(view) == 0
        && view.two_sided_wait()
}

/// No honors, and no number but these (a bit each).
const fn only_numbers(view: &View, allowed: u64) -> bool {
    view.present() & HONORS == 0 && numbers(view) & !allowed == 0
}

/// Pairs that have points in rule sets with such points.
fn paid_pairs(view: &View) -> u64 {
    DRAGONS | view.own_wind() | view.round_wind() | view.shared_winds()
}

/// Kongs that were claimed for three concealed tiles.
fn claimed_kongs(view: &View) -> u64 {
    let kongs = view.hand.melds().filter(|meld| meld.is_claimed_kong());
    kongs.fold(0, |faces, meld| faces | 1 << meld.face().index())
}

fn concealed_pungs_or_claimed_kongs(view: &View) -> u64 {
    view.arrangement.concealed_pungs | claimed_kongs(view)
}

/// Pungs of 1 and 9 of the only suit, a pair of 2, 5 or 8, and two chows of the rest.
fn squirming_snake(view: &View) -> bool {
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
fn all_copies(view: &View) -> u64 {
    tile_hogs(view) | view.kongs()
}

/// Pairs of seven numbers in a row of one suit.
fn seven_shifted_pairs(view: &View) -> bool {
    let numbers = numbers(view);
    view.is(Form::SevenPairs)
        && view.suits() == 1
        && view.present() & HONORS == 0
        && count(view.present()) == 7
        && numbers >> numbers.trailing_zeros() == 0b111_1111
}

/// Suit tiles of a hand of honors and knitted tiles.
const fn knitted_tiles(view: &View) -> u8 {
    count(view.present() & !HONORS)
}

const fn flower_of(seat: Seat) -> u8 {
    1 << seat.index()
}

/// Whether the hand was won in a way that has a pattern of its own, apart from drawn or claimed.
fn is_rare_win(view: &View) -> bool {
    let at = view.at;
    at.last_tile
        | at.on_supplement()
        | at.first_turn
        | at.first_draw
        | at.last_visible
        | matches!(at.win, Win::RobKong { .. })
        | (view.hand.count(view.hand.winning()) == 4)
}

/// The bits of these patterns.
macro_rules! bits_of {
    ($($name:ident)*) => { (0 $(| 1 << Place::$name as u32)*) };
}

// Patterns are in groups. A group costs nothing where the rule set uses no pattern of it, and little where
// its condition, which all its patterns require, does not hold.
macro_rules! patterns {
    ($(if |$reading:ident| $may_have:expr => {
        $($name:ident $evidence:expr, $about:literal, |$view:ident| $count:expr;)*
    })*) => {
        #[expect(non_camel_case_types, reason = "named as the patterns are")]
        enum Place {
            $($($name,)*)*
        }

        /// Every pattern, by name.
        pub(crate) static PATTERNS: &[Pattern] = &[$($(
            Pattern {
                name: stringify!($name),
                about: $about,
                count: {
                    fn predicate($view: &View) -> u8 {
                        u8::from($count)
                    }
                    predicate
                },
                evidence: $evidence,
            },
        )*)*];

        /// Which of the wanted patterns a reading has: all predicates in one straight run, which
        /// is several times as fast as a call for each. Whether a pattern is wanted is the same for
        /// every hand, so that branch costs nothing; whether a hand has it varies, and takes no branch.
        #[inline]
        pub(crate) fn held(view: &View, wanted: PatternSet) -> PatternSet {
            let mut held = 0;
            $(
                let group: PatternSet = bits_of!($($name)*);
                if wanted & group != 0 && { let $reading = view; $may_have } {
                    $(
                        let bit: PatternSet = 1 << Place::$name as u32;
                        if wanted & bit != 0 {
                            let found = { let $view = view; u8::from($count) != 0 };
                            held |= PatternSet::from(found) << Place::$name as u32;
                        }
                    )*
                }
            )*
            held
        }
    };
}

/// Patterns that depend on the group which the winning tile completes.
pub(crate) const OF_WINNING_GROUP: PatternSet = bits_of!(
    pinfu completes_pair sole_edge_wait sole_closed_wait sole_single_wait
    two_sided_wait narrow_wait sole_narrow_wait
);

/// Patterns that follow from the kinds of a hand's sets, its pair and its wait, whatever its tiles are.
pub(crate) const CONCEALED: PatternSet = bits_of!(concealed);
pub(crate) const SELF_DRAWN: PatternSet = bits_of!(self_drawn);
pub(crate) const FULLY_CONCEALED: PatternSet = bits_of!(fully_concealed);
pub(crate) const PINFU: PatternSet = bits_of!(pinfu);
pub(crate) const CHOW_HAND: PatternSet = bits_of!(chow_hand);
pub(crate) const PUNG_HAND: PatternSet = bits_of!(pung_hand no_chows);
pub(crate) const THREE_CONCEALED_PUNGS: PatternSet = bits_of!(three_concealed_pungs);
pub(crate) const FOUR_CONCEALED_PUNGS: PatternSet = bits_of!(four_concealed_pungs);
pub(crate) const THREE_KONGS: PatternSet = bits_of!(three_kongs);
pub(crate) const FOUR_KONGS: PatternSet = bits_of!(four_kongs);
pub(crate) const SEVEN_PAIRS: PatternSet = bits_of!(seven_pairs no_chows);

/// Patterns as bits, by their place in [`PATTERNS`].
pub(crate) type PatternSet = u128;

use EarningTiles::{
    Bonus, Chows, EachFace, Faces, Norths, Pair, Pungs, PungsAndPair, RedFives, Whole, Winning,
};

patterns! {
    // Pungs and pairs of honors.
    if |v| (v.pungs() | v.pair()) & HONORS != 0 => {
        dragon_pung Pungs(|v| v.pungs() & DRAGONS), "pung or kong of a dragon",
            |v| count(v.pungs() & DRAGONS);
        wind_pung Pungs(|v| v.pungs() & WINDS), "pung or kong of a wind",
            |v| count(v.pungs() & WINDS);
        own_wind_pung Pungs(|v| v.pungs() & v.own_wind()), "pung or kong of the own wind",
            |v| count(v.pungs() & v.own_wind());
        round_wind_pung Pungs(|v| v.pungs() & v.round_wind()), "pung or kong of the round's wind",
            |v| count(v.pungs() & v.round_wind());
        little_three_dragons PungsAndPair(|v| v.pungs() & DRAGONS), "two dragon pungs and a pair of the third",
            |v| count(v.pungs() & DRAGONS) == 2 && v.pair() & DRAGONS != 0;
        big_three_dragons Pungs(|v| v.pungs() & DRAGONS), "pungs of all three dragons",
            |v| v.pungs() & DRAGONS == DRAGONS;
        little_four_winds PungsAndPair(|v| v.pungs() & WINDS), "three wind pungs and a pair of the fourth",
            |v| count(v.pungs() & WINDS) == 3 && v.pair() & WINDS != 0;
        big_four_winds Pungs(|v| v.pungs() & WINDS), "pungs of all four winds",
            |v| v.pungs() & WINDS == WINDS;
        own_wind_pair Pair, "a pair of the own wind", |v| v.is(Form::Sets) && v.pair() & v.own_wind() != 0;
        round_wind_pair Pair, "a pair of the round's wind", |v| v.is(Form::Sets) && v.pair() & v.round_wind() != 0;
        dragon_pair Pair, "a pair of dragons", |v| v.is(Form::Sets) && v.pair() & DRAGONS != 0;
        two_dragon_pungs Pungs(|v| v.pungs() & DRAGONS), "two or more dragon pungs",
            |v| at_least(v.pungs() & DRAGONS, 2);
        three_wind_pungs Pungs(|v| v.pungs() & WINDS), "three or more wind pungs",
            |v| at_least(v.pungs() & WINDS, 3);
    }
    // Chows.
    if |v| v.chows() != 0 => {
        same_chow_in_three_suits Chows(mixed_triple_chow), "the same chow in all three suits",
            |v| mixed_triple_chow(v) != 0;
        two_identical_chows Chows(identical_chows), "two chows alike", |v| v.chows_twice() != 0;
        two_identical_chows_twice Chows(identical_chows), "two chows alike, and two more; four alike too",
            |v| at_least(v.chows_twice(), 2) | v.four_alike_chow();
        identical_chow_pairs Chows(identical_chows), "each disjoint pair of equal chows",
            |v| count(v.chows_twice()) + u8::from(v.four_alike_chow());
        three_identical_chows Chows(|v| v.chows() & (v.chows_thrice() * 7)), "three chows alike", |v| v.chows_thrice() != 0;
        pure_straight Chows(pure_straight), "123, 456 and 789 of one suit", |v| pure_straight(v) != 0;
        mixed_straight Chows(mixed_straight), "123, 456 and 789 in three suits", |v| mixed_straight(v) != 0;
        mixed_shifted_chows Chows(mixed_shifted_chows), "three chows in three suits, each one higher",
            |v| mixed_shifted_chows(v) != 0;
        pure_shifted_chows Chows(pure_shifted_chows), "three chows of one suit, each one higher",
            |v| pure_shifted_chows(v) != 0;
        four_claimed_chows Chows(|v| v.hand.tally().chows), "four claimed chows",
            |v| v.is(Form::Sets) && v.arrangement.own_chows == 0 && v.pungs() == 0;
    }
    // Pungs and kongs.
    if |v| v.pungs() != 0 => {
        triple_pung Pungs(triple_pung), "pungs of the same number in all three suits", |v| triple_pung(v) != 0;
        double_pung Pungs(double_pung), "pungs of the same number in two suits", |v| double_pung(v) != 0;
        mixed_shifted_pungs Pungs(mixed_shifted_pungs), "three pungs in three suits, each one higher",
            |v| mixed_shifted_pungs(v) != 0;
        pure_shifted_pungs Pungs(pure_shifted_pungs), "three pungs of one suit, each one higher",
            |v| pure_shifted_pungs(v) != 0;
        concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "concealed pungs and kongs",
            |v| count(v.arrangement.concealed_pungs);
        three_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "three or more concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 3);
        four_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "four concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 4) & !at_least(v.arrangement.concealed_pungs, 5);
        five_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "five concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 5);
        two_concealed_pungs Pungs(|v| v.arrangement.concealed_pungs), "two or more concealed pungs",
            |v| at_least(v.arrangement.concealed_pungs, 2);
        terminal_or_wind_pung Pungs(|v| v.pungs() & (TERMINALS | WINDS)), "pung or kong of a 1, a 9 or a wind",
            |v| count(v.pungs() & (TERMINALS | WINDS));
    }
    // Kongs.
    if |v| v.kongs() != 0 => {
        kongs Pungs(|v| v.kongs()), "kongs", |v| count(v.kongs());
        three_kongs Pungs(|v| v.kongs()), "three or more kongs", |v| at_least(v.kongs(), 3);
        four_kongs Pungs(|v| v.kongs()), "four kongs", |v| count(v.kongs()) == 4;
        any_kong Pungs(|v| v.kongs()), "a kong", |v| v.kongs() != 0;
        melded_kong Pungs(|v| v.hand.tally().open_kongs), "a melded kong", |v| v.hand.tally().open_kongs != 0;
        concealed_kong Pungs(|v| v.hand.tally().concealed_kongs), "a concealed kong",
            |v| v.hand.tally().concealed_kongs != 0;
        two_melded_kongs Pungs(|v| v.kongs()), "two kongs, both melded",
            |v| count(v.kongs()) == 2 && v.hand.tally().concealed_kongs == 0;
        melded_and_concealed_kong Pungs(|v| v.kongs()), "two kongs, one melded and one concealed",
            |v| count(v.hand.tally().open_kongs) == 1 && count(v.hand.tally().concealed_kongs) == 1;
        two_concealed_kongs Pungs(|v| v.kongs()), "two kongs, both concealed",
            |v| count(v.kongs()) == 2 && v.hand.tally().open_kongs == 0;
    }
    // The kinds of groups.
    if |_view| true => {
        chow_hand Whole, "every set a chow, and a pair", |v| v.is(Form::Sets) & (v.pungs() == 0);
        pung_hand Whole, "every set a pung or kong, and a pair", |v| v.is(Form::Sets) & (v.chows() == 0);
        no_chows Whole, "no chow", |v| v.chows() == 0;
        chows_and_suit_pair Whole, "four chows, or a knitted straight and a chow, and a pair of a suit",
            |v| matches!(v.arrangement.form, Form::Sets | Form::KnittedStraight)
                && v.pungs() == 0 && v.pair() & HONORS == 0;
        any_hand Whole, "any complete hand", |_view| true;
    }
    // Terminals and honors in every group.
    if |v| v.chow_kinds() & !CHOW_ENDS == 0 => {
        terminal_or_honor_in_each_set Whole, "a terminal or honor in every set and the pair",
            |v| v.is(Form::Sets) && v.chow_kinds() & !CHOW_ENDS == 0 && (v.pungs() | v.pair()) & !MAJORS == 0;
        majors_in_each_group Whole, "a terminal or honor in every set and the pair, or in each of seven pairs",
            |v| match v.arrangement.form {
                Form::Sets => v.chow_kinds() & !CHOW_ENDS == 0 && (v.pungs() | v.pair()) & !MAJORS == 0,
                _ => v.present() & !MAJORS == 0,
            };
        terminal_in_each_set Whole, "a terminal in every set and the pair",
            |v| v.is(Form::Sets) && v.chow_kinds() & !CHOW_ENDS == 0 && (v.pungs() | v.pair()) & !TERMINALS == 0;
    }
    // Which tiles there are.
    if |_view| true => {
        no_honors Whole, "no honors", |v| v.present() & HONORS == 0;
        all_simples Whole, "no terminals, no honors", |v| v.present() & MAJORS == 0;
        all_terminals_and_honors Whole, "terminals and honors only", |v| v.present() & !MAJORS == 0;
        all_terminals Whole, "terminals only", |v| v.present() & !TERMINALS == 0;
        all_types Whole, "all three suits, winds and dragons",
            |v| v.suits() == 3 && v.present() & WINDS != 0 && v.present() & DRAGONS != 0;
        two_suits Whole, "two suits, no honors", |v| v.suits() == 2 && v.present() & HONORS == 0;
        one_suit_missing Whole, "two suits, with honors or without", |v| v.suits() == 2;
        tile_hog Faces(tile_hogs), "four alike, not in a kong", |v| tile_hogs(v) != 0;
        four_alike EachFace(tile_hogs), "each four alike, not in a kong", |v| count(tile_hogs(v));
        green_dragon Faces(|_| 1 << 32), "a green dragon", |v| v.present() >> 32 & 1 == 1;
        reversible_tiles Whole, "tiles that look the same upside down: 1234589 dots, 245689 bamboo, white dragon",
            |v| v.present() & !REVERSIBLE == 0;
    }
    // One suit at most.
    if |v| v.suits() <= 1 => {
        all_honors Whole, "honors only", |v| v.present() & !HONORS == 0;
        one_suit_and_honors Whole, "one suit and honors", |v| (v.suits() == 1) & (v.present() & HONORS != 0);
        one_suit_or_honors Whole, "honors, and at most one suit", |v| v.suits() <= 1 && v.present() & HONORS != 0;
        one_suit_only Whole, "one suit only", |v| (v.suits() == 1) & (v.present() & HONORS == 0);
        one_suit Whole, "one suit, with honors or without", |v| v.suits() == 1;
        all_green Whole, "2 3 4 6 8 bamboo and green dragon only", |v| v.present() & !GREENS == 0;
        nine_gates Whole, "1112345678999 and one more of the suit, concealed", |v| gates(v, false);
        nine_gates_nine_sided Whole, "1112345678999 of a suit, then any tile of it", |v| gates(v, true);
    }
    // No honors, few numbers.
    if |v| v.present() & HONORS == 0 => {
        all_connected Whole, "one number in every set and the pair", |v| all_connected(v);
        three_numbers Whole, "at most three numbers, no honors",
            |v| v.present() & HONORS == 0 && count(numbers(v)) <= 3;
        all_even_pungs Whole, "pungs and a pair of 2, 4, 6 and 8",
            |v| v.is(Form::Sets) && v.chows() == 0 && only_numbers(v, 0b010_101_010);
        all_fives Whole, "a five in every set and the pair",
            |v| all_connected(v) && v.arrangement.pair.number() == 5;
        upper_tiles Whole, "7, 8 and 9 only", |v| only_numbers(v, 0b111_000_000);
        middle_tiles Whole, "4, 5 and 6 only", |v| only_numbers(v, 0b000_111_000);
        lower_tiles Whole, "1, 2 and 3 only", |v| only_numbers(v, 0b000_000_111);
        upper_four Whole, "6 to 9 only", |v| only_numbers(v, 0b111_100_000);
        lower_four Whole, "1 to 4 only", |v| only_numbers(v, 0b000_001_111);
    }
    // Other forms than sets.
    if |v| !v.is(Form::Sets) => {
        seven_pairs Whole, "seven pairs", |v| v.is(Form::SevenPairs);
        thirteen_orphans Whole, "one of each terminal and honor, and one more", |v| v.is(Form::ThirteenOrphans);
        knitted Whole, "147, 258, 369 in three suits, four honors and a second one of these", |v| v.is(Form::Knitted);
        seven_shifted_pairs Whole, "seven pairs of numbers in a row of one suit", |v| seven_shifted_pairs(v);
        greens_or_terminals_in_pairs Whole, "seven pairs of green tiles alone, or of terminals alone",
            |v| v.is(Form::SevenPairs) && (v.present() & !GREENS == 0 || v.present() & !TERMINALS == 0);
        knitted_straight Whole, "147, 258, 369 in three suits, with a set and a pair or with honors",
            |v| v.is(Form::KnittedStraight) || v.is(Form::HonorsAndKnitted) && knitted_tiles(v) == 9;
        honors_and_knitted_tiles Whole, "five to seven honors and knitted tiles, all different",
            |v| v.is(Form::HonorsAndKnitted);
        seven_honors_and_knitted_tiles Whole, "all seven honors and seven knitted tiles",
            |v| v.is(Form::HonorsAndKnitted) && knitted_tiles(v) == 7;
        pairs_and_pung Whole, "seven pairs and a pung", |v| v.is(Form::PairsAndPung);
        eight_flowers Bonus(|v| v.bonus), "all flowers and seasons, the last of them just drawn or taken",
            |v| v.is(Form::EightFlowers);
    }
    // Going out.
    if |_view| true => {
        concealed Whole, "no claimed set", |v| v.concealed();
        fully_concealed Whole, "no claimed set, and self-drawn", |v| v.concealed() & !v.at.win.is_claim();
        fully_exposed Whole, "every set claimed, the last tile claimed too",
            |v| (v.hand.tally().claimed == v.hand.sets()) & v.at.win.is_claim();
        four_claimed_sets Whole, "four claimed sets, no concealed kong", |v| v.hand.tally().claimed == 4;
        every_set_claimed Whole, "every set claimed, no concealed kong",
            |v| v.hand.tally().claimed == v.hand.sets();
        self_drawn Winning, "the last tile self-drawn", |v| !v.at.win.is_claim();
        from_east Winning, "East gave the last tile", |v| v.at.win.from() == Some(Seat::East);
        won_by_east Whole, "East won", |v| v.at.seat == Seat::East;
    }
    // Going out in a rare way.
    if |v| is_rare_win(v) => {
        last_tile_of_wall Winning, "on the last tile of the wall", |v| v.at.last_tile && !v.at.win.is_claim();
        last_discard Winning, "on the last discard", |v| v.at.last_tile && v.at.win.is_claim();
        supplement Winning, "on a supplement tile", |v| v.on_supplement();
        kong_on_kong Winning, "on the supplement of a second kong in one turn", |v| v.at.kong_on_kong;
        robbing_a_kong Winning, "by robbing a kong", |v| matches!(v.at.win, Win::RobKong { .. });
        last_of_its_kind Winning, "on a tile whose other three are visible to all",
            |v| v.at.last_visible || matches!(v.at.win, Win::RobKong { .. }) || shown_by_own_sets(v);
        heavenly_hand Whole, "East, with the dealt tiles",
            |v| (v.at.first_turn || v.at.first_draw && v.at.seat == Seat::East) && !v.at.win.is_claim();
        earthly_hand Whole, "another seat, on the first discard", |v| v.at.first_turn && v.at.win.is_claim();
        earthly_draw Whole, "another seat than East, on the first draw",
            |v| v.at.first_draw && v.at.seat != Seat::East;
    }
    // Flowers and seasons.
    if |v| v.bonus != 0 => {
        own_flower Bonus(|v| v.bonus & flower_of(v.at.seat)), "the flower of the own wind",
            |v| v.bonus & flower_of(v.at.seat) != 0;
        own_season Bonus(|v| v.bonus & flower_of(v.at.seat) << 4), "the season of the own wind",
            |v| v.bonus & flower_of(v.at.seat) << 4 != 0;
        all_flowers Bonus(|v| v.bonus & 0x0f), "all four flowers", |v| byte_count(v.bonus & 0x0f) == 4;
        all_seasons Bonus(|v| v.bonus & 0xf0), "all four seasons", |v| byte_count(v.bonus & 0xf0) == 4;
        bonus_tiles Bonus(|v| v.bonus), "flowers and seasons", |v| byte_count(v.bonus);
    }
    // No flowers and seasons.
    if |_view| true => {
        no_bonus_tile Whole, "no flower or season", |v| v.bonus == 0;
    }
    // Riichi.
    if |v| v.at.in_riichi() || v.at.ippatsu => {
        riichi Whole, "riichi was declared", |v| v.at.in_riichi();
        double_riichi Whole, "riichi, or a ready hand, was declared in the first go-around", |v| v.at.double_riichi;
        ippatsu Whole, "within a go-around after riichi", |v| v.at.ippatsu;
    }
    // Dora.
    if |_view| true => {
        dora Faces(|v| dora_faces(v, &v.at.dora_indicators)), "tiles that indicators point to",
            |v| dora(v, &v.at.dora_indicators);
        ura_dora Faces(|v| dora_faces(v, &v.at.ura_indicators)), "tiles that the indicators below point to",
            |v| dora(v, &v.at.ura_indicators);
        red_five RedFives, "red fives", |v| v.hand.red_fives();
    }
    // Which group the winning tile completes.
    if |_view| true => {
        pinfu Whole, "concealed, four chows, a pair that pays nothing, a two-sided wait", |v| pinfu(v);
        completes_pair Pair, "the winning tile completes the pair", |v| v.arrangement.won == WonGroup::Pair;
        sole_edge_wait Winning, "3 to 12 or 7 to 89, the only tile waited for", |v| v.sole(NarrowWait::Edge);
        sole_closed_wait Winning, "the middle of a chow, the only tile waited for", |v| v.sole(NarrowWait::Closed);
        sole_single_wait Winning, "the pair, the only tile waited for", |v| v.sole(NarrowWait::Pair);
        two_sided_wait Winning, "the winning tile at an open end of a chow", |v| v.two_sided_wait();
        narrow_wait Winning, "3 to 12, 7 to 89, the middle of a chow, or the pair",
            |v| v.is(Form::Sets) && v.narrow_wait().is_some();
        sole_narrow_wait Winning, "3 to 12, 7 to 89, the middle of a chow, or the pair, the only tile waited for",
            |v| v.is(Form::Sets) && v.narrow_wait().is_some() && v.sole_wait();
    }
}

/// Patterns without a bit, which are counted for each item that has one: an item may be one, no condition may
/// name one.
pub(crate) static COUNTED: &[Pattern] = &[
    Pattern {
        name: "dragon_or_own_wind_pung",
        about: "pung or kong of a dragon or of the own wind",
        count: |v| count(v.pungs() & (DRAGONS | v.own_wind())),
        evidence: Pungs(|v| v.pungs() & (DRAGONS | v.own_wind())),
    },
    Pattern {
        name: "shared_wind_pung",
        about: "pung or kong of a wind that everybody may count as his own",
        count: |v| count(v.pungs() & v.shared_winds()),
        evidence: Pungs(|v| v.pungs() & v.shared_winds()),
    },
    Pattern {
        name: "little_three_winds",
        about: "two wind pungs and a pair of another wind",
        count: |v| {
            let two = v.is(Form::Sets) && count(v.pungs() & WINDS) == 2;
            u8::from(two && v.pair() & WINDS != 0)
        },
        evidence: PungsAndPair(|v| v.pungs() & WINDS),
    },
    Pattern {
        name: "four_identical_chows",
        about: "four chows alike",
        count: |v| u8::from(v.four_alike_chow()),
        evidence: Whole,
    },
    Pattern {
        name: "little_triple_pung",
        about: "pungs of the same number in two suits and a pair of it in the third",
        count: |v| u8::from(little_triple_pung(v) != 0),
        evidence: PungsAndPair(little_triple_pung),
    },
    Pattern {
        name: "four_pure_shifted_pungs",
        about: "four pungs of one suit, each one higher",
        count: |v| u8::from(four_pure_shifted_pungs(v) != 0),
        evidence: Pungs(four_pure_shifted_pungs),
    },
    Pattern {
        name: "two_kongs",
        about: "two or more kongs",
        count: |v| u8::from(at_least(v.kongs(), 2)),
        evidence: Pungs(|v| v.kongs()),
    },
    Pattern {
        name: "north_aside",
        about: "Norths put aside",
        count: |v| v.at.north,
        evidence: Norths,
    },
    Pattern {
        name: "own_flower_and_season",
        about: "the flower and the season of the own wind",
        count: |v| {
            let own = flower_of(v.at.seat) | flower_of(v.at.seat) << 4;
            u8::from(v.bonus & own == own)
        },
        evidence: Bonus(|v| v.bonus & (flower_of(v.at.seat) | flower_of(v.at.seat) << 4)),
    },
    Pattern {
        name: "concealed_or_claimed_kongs",
        about: "no claimed set but kongs claimed for three concealed tiles",
        count: |v| u8::from(v.hand.tally().claimed == count(claimed_kongs(v))),
        evidence: Whole,
    },
    Pattern {
        name: "three_concealed_pungs_or_claimed_kongs",
        about: "three or more concealed pungs, kongs claimed for three concealed tiles among them",
        count: |v| u8::from(at_least(concealed_pungs_or_claimed_kongs(v), 3)),
        evidence: Pungs(concealed_pungs_or_claimed_kongs),
    },
    Pattern {
        name: "four_concealed_pungs_or_claimed_kongs",
        about: "four concealed pungs, kongs claimed for three concealed tiles among them",
        count: |v| u8::from(at_least(concealed_pungs_or_claimed_kongs(v), 4)),
        evidence: Pungs(concealed_pungs_or_claimed_kongs),
    },
    Pattern {
        name: "no_points",
        about: "no pung or kong, and a pair without points",
        count: |v| u8::from(v.is(Form::Sets) && v.pungs() == 0 && v.pair() & paid_pairs(v) == 0),
        evidence: Whole,
    },
    Pattern {
        name: "squirming_snake",
        about: "one suit: pungs of 1 and 9, a pair of 2, 5 or 8, two chows of the others",
        count: |v| u8::from(squirming_snake(v)),
        evidence: Whole,
    },
    Pattern {
        name: "gates_of_heaven",
        about: "111, 999 and 2 to 8 of one suit, concealed, and one more of 2 to 8",
        count: |v| u8::from(v.is(Form::Gates)),
        evidence: Whole,
    },
    Pattern {
        name: "wriggling_snake",
        about: "1 to 9 of one suit, a second 1, and the four winds",
        count: |v| u8::from(v.is(Form::Snake)),
        evidence: Whole,
    },
    Pattern {
        name: "knitted_pairs",
        about: "seven pairs of equal numbers, each from the same two suits",
        count: |v| u8::from(v.is(Form::KnittedPairs)),
        evidence: Whole,
    },
    Pattern {
        name: "knitted_threes",
        about: "four threes of equal numbers from the three suits, and a pair from two",
        count: |v| u8::from(v.is(Form::KnittedThrees)),
        evidence: Whole,
    },
    Pattern {
        name: "major_pairs",
        about: "seven pairs of terminals and honors",
        count: |v| u8::from(v.is(Form::MajorPairs)),
        evidence: Whole,
    },
    Pattern {
        name: "won_on_one_dot",
        about: "the winning tile is the one of dots",
        count: |v| u8::from(v.hand.winning().index() == 9),
        evidence: Winning,
    },
    Pattern {
        name: "won_on_five_dots",
        about: "the winning tile is the five of dots",
        count: |v| u8::from(v.hand.winning().index() == 13),
        evidence: Winning,
    },
    Pattern {
        name: "won_on_two_bamboo",
        about: "the winning tile is the two of bamboo",
        count: |v| u8::from(v.hand.winning().index() == 19),
        evidence: Winning,
    },
    Pattern {
        name: "original_call",
        about: "a ready hand was declared before the first own discard, and kept",
        count: |v| u8::from(v.at.original_call),
        evidence: Whole,
    },
    Pattern {
        name: "ninth_east_win",
        about: "East's ninth win in a row",
        count: |v| u8::from(v.at.ninth_east_win && v.at.seat == Seat::East),
        evidence: Whole,
    },
    Pattern {
        name: "kong_discard",
        about: "on the discard that followed the giver's kong",
        count: |v| u8::from(v.at.kong_discard),
        evidence: Winning,
    },
    Pattern {
        name: "last_tile_or_discard",
        about: "on the last tile of the wall, or on the last discard",
        count: |v| u8::from(v.at.last_tile && !matches!(v.at.win, Win::RobKong { .. })),
        evidence: Winning,
    },
    Pattern {
        name: "all_copies",
        about: "each four of a tile, kongs too",
        count: |v| count(all_copies(v)),
        evidence: EachFace(all_copies),
    },
    Pattern {
        name: "every_set_laid_apart",
        about: "every set claimed or a declared kong",
        count: |v| u8::from(v.hand.tally().melds == v.hand.sets()),
        evidence: Whole,
    },
    Pattern {
        name: "pungs_of_258",
        about: "pungs and a pair of 2, 5 and 8",
        count: |v| u8::from(v.is(Form::Sets) && v.chows() == 0 && only_numbers(v, 0b010_010_010)),
        evidence: Whole,
    },
];

impl Pattern {
    /// The pattern of that name, for an item.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        Self::condition(name).or_else(|| COUNTED.iter().find(|pattern| pattern.name == name))
    }

    /// The pattern of that name, where it may be a condition.
    pub(crate) fn condition(name: &str) -> Option<&'static Self> {
        PATTERNS.iter().find(|pattern| pattern.name == name)
    }

    /// Its bit in a [`PatternSet`]. A pattern that is counted shares the bit that every hand has.
    pub(crate) fn bit(&self) -> PatternSet {
        let place = PATTERNS.iter().position(|pattern| pattern.name == self.name);
        1 << place.unwrap_or(Place::any_hand as usize)
    }

    /// Whether only its count shows that a hand has it.
    pub(crate) fn is_counted(&self) -> bool {
        COUNTED.iter().any(|pattern| pattern.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hand::{WonGroups, for_each_reading};

    /// Calls `visit` with every reading of the hands that have some item, won in several ways.
    fn each_view(mut visit: impl FnMut(&View)) {
        let mut ways = Vec::new();
        for (seat, from) in [(Seat::East, Seat::West), (Seat::South, Seat::East)] {
            for win in [Win::SelfDraw, Win::Discard { from }, Win::RobKong { from }] {
                ways.extend([(seat, win, false), (seat, win, true)]);
            }
        }
        for line in include_str!("../../../../tests/hands/items.txt").lines() {
            let texts = line.split(['|', ';']).map(str::trim);
            for hand in texts.filter_map(|text| text.parse::<Hand>().ok()) {
                for &(seat, win, rare) in &ways {
                    let mut at = Circumstances::new(seat, Seat::East, win);
                    at.dora_indicators = "1m5z".parse().unwrap();
                    if rare {
                        (at.last_tile, at.kong_on_kong, at.first_turn) = (true, true, true);
                        (at.first_draw, at.last_visible, at.ippatsu) = (true, true, true);
                        (at.riichi, at.double_riichi) = (true, true);
                        at.ura_indicators = at.dora_indicators;
                        at.north = 1;
                        (at.original_call, at.ninth_east_win, at.kong_discard) = (true, true, true);
                    }
                    let facts = RuleFacts {
                        exhausted_waits: rare,
                        north_supplement: rare,
                        shared_winds: 1 << Seat::North.wind().index(),
                        ..RuleFacts::default()
                    };
                    let deal = HandContext::new(&hand, &at, hand.bonus(), Forms::ALL, facts);
                    let claimed = win.is_claim();
                    for_each_reading(&hand, claimed, Forms::ALL, WonGroups::Every, |arrangement| {
                        visit(&deal.view(arrangement));
                    });
                }
            }
        }
    }

    #[test]
    fn the_condition_of_a_group_hides_no_pattern() {
        let mut seen = 0;
        each_view(|view| {
            let all = held(view, !0);
            for pattern in PATTERNS {
                let has = (pattern.count)(view) != 0;
                assert_eq!(all & pattern.bit() != 0, has, "{} in {}", pattern.name, view.hand);
            }
            seen |= all;
        });
        let never: Vec<&str> = (PATTERNS.iter())
            .filter(|pattern| seen & pattern.bit() == 0)
            .map(|pattern| pattern.name)
            .collect();
        assert!(never.is_empty(), "no hand has {never:?}");
    }

    #[test]
    fn counted_patterns_are_in_some_hand_with_the_tiles_that_make_them() {
        let mut seen = vec![false; COUNTED.len()];
        each_view(|view| {
            for (pattern, seen) in COUNTED.iter().zip(&mut seen) {
                if (pattern.count)(view) == 0 {
                    continue;
                }
                *seen = true;
                if let Pungs(tiles) | PungsAndPair(tiles) = pattern.evidence {
                    let shown = tiles(view);
                    assert!(shown != 0, "{} in {}", pattern.name, view.hand);
                    assert_eq!(shown & !view.pungs(), 0, "{} in {}", pattern.name, view.hand);
                }
            }
        });
        for (pattern, seen) in COUNTED.iter().zip(seen) {
            assert!(seen, "no hand has {}", pattern.name);
            assert!(Pattern::condition(pattern.name).is_none(), "{} has a bit", pattern.name);
        }
    }

    #[test]
    fn patterns_that_depend_on_the_winning_group_are_known() {
        each_view(|view| {
            for won in [WonGroup::Pung, WonGroup::Pair] {
                let other = Arrangement { won, ..*view.arrangement };
                let other = held(&View { arrangement: &other, ..*view }, !OF_WINNING_GROUP);
                assert_eq!(other, held(view, !OF_WINNING_GROUP), "{}", view.hand);
            }
        });
    }
}

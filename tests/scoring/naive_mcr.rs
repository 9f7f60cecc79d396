//! A second scorer for the Mahjong Competition Rules, written naively from the table of fans and its five
//! principles: every way to divide the tiles, every group that the winning tile may complete, every legal
//! choice of fans that combine sets. Slow, and without anything of the engine but its types of tiles.

use std::collections::BTreeSet;

use tilelens::{
    hand::{Hand, MeldKind},
    rules::{Circumstances, Win},
    tile::Seat,
};

/// Rulings of the rule set, as far as they change the fans.
#[derive(Clone, Copy, Debug)]
pub struct Rulings {
    pub kongs: Kongs,
    pub exhausted_wait: bool,
    pub knitted_wait: KnittedWait,
    pub forced_tile_hogs: bool,
    pub one_pung_beside_nine_gates: bool,
    pub all_terminals_double_pung: bool,
    pub terminals_triple_pung: bool,
    pub kongs_and_concealed_pungs: bool,
    pub flowers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kongs {
    Wmo,
    China,
    Of1998,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnittedWait {
    Rest,
    Single,
    None,
}

impl Rulings {
    pub const DEFAULT: Self = Self {
        kongs: Kongs::Wmo,
        exhausted_wait: false,
        knitted_wait: KnittedWait::Rest,
        forced_tile_hogs: false,
        one_pung_beside_nine_gates: false,
        all_terminals_double_pung: false,
        terminals_triple_pung: true,
        kongs_and_concealed_pungs: true,
        flowers: true,
    };
}

/// Counts of the 34 faces: characters, dots, bamboo, winds, dragons (white, green, red).
type Counts = [u8; 34];

/// The fans of a hand, each as often as it counts, in the order of the table; flowers last.
pub type Fans = Vec<(&'static str, i32)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Chow,
    Pung,
    Kong,
}

/// A set: `face` is the lowest of a chow.
#[derive(Clone, Copy, Debug)]
struct Set {
    sort: Sort,
    face: usize,
    /// Claimed, or a pung that a claimed tile completes.
    melded: bool,
}

impl Set {
    fn tiles(self) -> Vec<usize> {
        match self.sort {
            Sort::Chow => vec![self.face, self.face + 1, self.face + 2],
            Sort::Pung => vec![self.face; 3],
            Sort::Kong => vec![self.face; 4],
        }
    }

    fn is_chow(self) -> bool {
        self.sort == Sort::Chow
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Sets,
    SevenPairs,
    Orphans,
    HonorsAndKnitted,
    KnittedStraight,
}

/// The wait that the winning tile completes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Won {
    Set(usize),
    Pair,
    /// A tile of orphans, of knitted tiles, of seven pairs.
    Other,
}

/// One reading of a hand.
#[derive(Clone, Debug)]
struct Reading {
    form: Form,
    sets: Vec<Set>,
    pair: usize,
    won: Won,
}

const KNITTED: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

/// The nine tiles of a knitted straight: the suits begin at 1, 2 and 3 in this order.
fn knitted_straight(order: [usize; 3]) -> Vec<usize> {
    (0..3).flat_map(|suit| (0..3).map(move |step| 9 * suit + order[suit] + 3 * step)).collect()
}

fn is_honor(face: usize) -> bool {
    face >= 27
}

fn number(face: usize) -> usize {
    face % 9 + 1
}

fn is_terminal(face: usize) -> bool {
    !is_honor(face) && matches!(number(face), 1 | 9)
}

fn is_major(face: usize) -> bool {
    is_honor(face) || is_terminal(face)
}

fn is_wind(face: usize) -> bool {
    (27..31).contains(&face)
}

fn is_dragon(face: usize) -> bool {
    face >= 31
}

/// The suit, 3 for honors.
fn suit(face: usize) -> usize {
    (face / 9).min(3)
}

/// Every way to divide tiles into sets.
fn divide(counts: &mut Counts, sets: &mut Vec<Set>, found: &mut Vec<Vec<Set>>) {
    let Some(face) = (0..34).find(|&face| counts[face] > 0) else {
        found.push(sets.clone());
        return;
    };
    for sort in [Sort::Pung, Sort::Chow] {
        if sort == Sort::Chow && (is_honor(face) || number(face) > 7) {
            continue;
        }
        let set = Set { sort, face, melded: false };
        let mut rest = *counts;
        let fits = set.tiles().into_iter().all(|tile| {
            let held = rest[tile] > 0;
            rest[tile] = rest[tile].saturating_sub(1);
            held
        });
        if fits {
            sets.push(set);
            divide(&mut rest, sets, found);
            sets.pop();
        }
    }
}

/// Every way to divide tiles into sets and a pair.
fn sets_and_pair(counts: &Counts) -> Vec<(Vec<Set>, usize)> {
    let mut all = Vec::new();
    for pair in (0..34).filter(|&face| counts[face] >= 2) {
        let mut rest = *counts;
        rest[pair] -= 2;
        let mut found = Vec::new();
        divide(&mut rest, &mut Vec::new(), &mut found);
        all.extend(found.into_iter().map(|sets| (sets, pair)));
    }
    all
}

/// Whether 14 different tiles are honors and tiles of a knitted straight.
fn is_honors_and_knitted(counts: &Counts) -> bool {
    let held: Vec<usize> = (0..34).filter(|&face| counts[face] > 0).collect();
    held.len() == 14
        && KNITTED.iter().any(|&order| {
            let knitted = knitted_straight(order);
            held.iter().all(|face| is_honor(*face) || knitted.contains(face))
        })
}

/// The forms of the concealed tiles with each division into sets and a pair, `laid` sets lying apart.
fn forms(counts: &Counts, laid: usize) -> Vec<(Form, Vec<Set>, usize)> {
    let mut all = Vec::new();
    for (sets, pair) in sets_and_pair(counts) {
        if sets.len() + laid == 4 {
            all.push((Form::Sets, sets, pair));
        }
    }
    for order in KNITTED {
        let nine = knitted_straight(order);
        if laid <= 1 && nine.iter().all(|&face| counts[face] > 0) {
            let mut rest = *counts;
            nine.iter().for_each(|&face| rest[face] -= 1);
            for (sets, pair) in sets_and_pair(&rest) {
                if sets.len() + laid == 1 {
                    all.push((Form::KnittedStraight, sets, pair));
                }
            }
        }
    }
    if laid > 0 {
        return all;
    }
    let pairs: u8 = counts.iter().map(|count| count / 2).sum();
    if pairs == 7 {
        all.push((Form::SevenPairs, Vec::new(), 0));
    }
    let majors: Vec<usize> = (0..34).filter(|&face| is_major(face)).collect();
    let held: Vec<usize> = (0..34).filter(|&face| counts[face] > 0).collect();
    if held == majors {
        all.push((Form::Orphans, Vec::new(), 0));
    }
    if is_honors_and_knitted(counts) {
        all.push((Form::HonorsAndKnitted, Vec::new(), 0));
    }
    all
}

/// A hand as the scorer looks at it.
struct Deal<'a> {
    at: &'a Circumstances,
    rulings: Rulings,
    /// The concealed tiles, the winning one among them.
    concealed: Counts,
    winning: usize,
    laid: Vec<Set>,
    flowers: i32,
    /// All tiles of the hand, and how many of each.
    all: Counts,
}

impl<'a> Deal<'a> {
    fn new(hand: &Hand, at: &'a Circumstances, rulings: Rulings) -> Self {
        let mut concealed = [0; 34];
        concealed.copy_from_slice(&hand.concealed()[..34]);
        let laid: Vec<Set> = hand
            .melds()
            .map(|meld| Set {
                sort: match meld.kind() {
                    MeldKind::Chow => Sort::Chow,
                    MeldKind::Pung => Sort::Pung,
                    MeldKind::OpenKong | MeldKind::ConcealedKong => Sort::Kong,
                },
                face: meld.face().index(),
                melded: meld.kind() != MeldKind::ConcealedKong,
            })
            .collect();
        let mut all = concealed;
        laid.iter().flat_map(|set| set.tiles()).for_each(|face| all[face] += 1);
        let flowers = if rulings.flowers { hand.bonus().count_ones() as i32 } else { 0 };
        let winning = hand.winning().index();
        Self { at, rulings, concealed, winning, laid, flowers, all }
    }

    fn self_drawn(&self) -> bool {
        self.at.win == Win::SelfDraw
    }

    /// Every reading with every group that the winning tile may complete.
    fn readings(&self) -> Vec<Reading> {
        let mut all = Vec::new();
        for (form, own, pair) in forms(&self.concealed, self.laid.len()) {
            let sets: Vec<Set> = own.iter().chain(&self.laid).copied().collect();
            let reading = Reading { form, sets, pair, won: Won::Other };
            if !matches!(form, Form::Sets | Form::KnittedStraight) {
                all.push(reading);
                continue;
            }
            if pair == self.winning {
                all.push(Reading { won: Won::Pair, ..reading.clone() });
            }
            let mut in_groups = 2 * u8::from(pair == self.winning);
            for (place, set) in own.iter().enumerate() {
                let held = set.tiles().iter().filter(|&&face| face == self.winning).count() as u8;
                in_groups += held;
                if held > 0 {
                    let mut reading = Reading { won: Won::Set(place), ..reading.clone() };
                    reading.sets[place].melded = !set.is_chow() && !self.self_drawn();
                    all.push(reading);
                }
            }
            if form == Form::KnittedStraight && self.concealed[self.winning] > in_groups {
                all.push(reading);
            }
        }
        all
    }

    /// Whether the thirteen tiles before waited for the winning tile alone.
    fn sole_wait(&self) -> bool {
        let mut before = self.concealed;
        before[self.winning] -= 1;
        let waits = (0..34).filter(|&face| {
            let held = self.all[face] - u8::from(face == self.winning);
            let mut with = before;
            with[face] += 1;
            (held < 4 || self.rulings.exhausted_wait) && !forms(&with, self.laid.len()).is_empty()
        });
        waits.eq([self.winning])
    }

    /// The fans that count, of the reading that is worth most; `None` for an incomplete hand. Flowers
    /// are not among them.
    fn best(&self) -> Option<Fans> {
        let mut best: Option<(i32, Vec<usize>, Fans)> = None;
        for reading in self.readings() {
            for fans in self.fans(&reading) {
                let total = fans.iter().map(|(_, value)| value).sum();
                // Of equal totals the reading whose fans come first in the table.
                let places: Vec<usize> = fans.iter().map(|(id, _)| place(id)).collect();
                if best.as_ref().is_none_or(|(other, named, _)| {
                    total > *other || total == *other && places < *named
                }) {
                    best = Some((total, places, fans));
                }
            }
        }
        best.map(|(_, _, fans)| fans)
    }

    /// The fans of a reading: one list for each legal choice of those that combine sets; the chicken hand
    /// where no choice has a fan.
    fn fans(&self, reading: &Reading) -> Vec<Fans> {
        let counts = single_fans(self, reading);
        let lists: Vec<Fans> = choices(reading, &self.rulings, &counts)
            .into_iter()
            .map(|chosen| self.with_combinations(reading, counts.clone(), &chosen))
            .collect();
        if lists.iter().all(Vec::is_empty) { vec![vec![("chicken_hand", 8)]] } else { lists }
    }

    /// Leaves out what others imply, and adds the fans that combine sets.
    fn with_combinations(&self, reading: &Reading, counts: Vec<usize>, chosen: &[&str]) -> Fans {
        let mut counts = counts;
        for id in chosen {
            counts[place(id)] += 1;
        }
        let nine_gates = counts[place("nine_gates")] > 0;
        let mut left_out = BTreeSet::new();
        for (id, _, leaves_out) in TABLE {
            // What is left out itself leaves nothing out: the fans that do so come first in the table.
            if counts[place(id)] > 0 && !left_out.contains(id) {
                left_out.extend(leaves_out.split_whitespace());
            }
        }
        if counts[place("fully_concealed_hand")] > 0 && left_out.contains("concealed_hand") {
            // It becomes `self_drawn`.
            left_out.insert("fully_concealed_hand");
            left_out.remove("self_drawn");
        }
        if !self.rulings.forced_tile_hogs
            && reading.form == Form::SevenPairs
            && (counts[place("all_green")] > 0 || counts[place("all_terminals")] > 0)
        {
            left_out.insert("tile_hog");
        }
        let pungs = place("pung_of_terminals_or_honors");
        if nine_gates && self.rulings.one_pung_beside_nine_gates {
            left_out.remove("pung_of_terminals_or_honors");
            counts[pungs] = counts[pungs].saturating_sub(1);
        }
        if !self.rulings.kongs_and_concealed_pungs
            && (counts[place("three_concealed_pungs")] > 0
                || counts[place("four_concealed_pungs")] > 0)
        {
            left_out.extend(["two_concealed_kongs", "concealed_kong"]);
            if counts[place("melded_and_concealed_kong")] > 0 {
                // The melded one is the only kong that counts.
                left_out.insert("melded_and_concealed_kong");
                left_out.remove("melded_kong");
                counts[place("melded_kong")] = 1;
            }
        }
        // Both leave out `self_drawn` in whatever way it came about.
        if counts[place("last_tile_draw")] + counts[place("out_with_replacement_tile")] > 0 {
            left_out.insert("self_drawn");
        }
        let mut fans: Fans = Vec::new();
        for (id, value, _) in TABLE {
            let value = match (*id, self.rulings.kongs) {
                ("two_concealed_kongs", Kongs::China | Kongs::Of1998) => 6,
                ("melded_and_concealed_kong", Kongs::China) => 5,
                _ => *value,
            };
            if !left_out.contains(id) {
                fans.extend(std::iter::repeat_n((*id, value), counts[place(id)]));
            }
        }
        fans
    }
}

/// The table of fans: the value of each, and the fans that it excludes.
#[rustfmt::skip]
const TABLE: &[(&str, i32, &str)] = &[
    ("big_four_winds", 88, "all_pungs seat_wind prevalent_wind pung_of_terminals_or_honors big_three_winds"),
    ("big_three_dragons", 88, "dragon_pung two_dragon_pungs"),
    ("all_green", 88, "half_flush"),
    ("nine_gates", 88, "full_flush concealed_hand no_honors pung_of_terminals_or_honors"),
    ("four_kongs", 88, "all_pungs single_wait three_kongs two_concealed_kongs melded_and_concealed_kong two_melded_kongs concealed_kong melded_kong"),
    ("seven_shifted_pairs", 88, "seven_pairs full_flush concealed_hand no_honors edge_wait closed_wait single_wait"),
    ("thirteen_orphans", 88, "all_types all_terminals_and_honors concealed_hand edge_wait closed_wait single_wait"),
    ("all_terminals", 64, "all_terminals_and_honors all_pungs outside_hand pung_of_terminals_or_honors no_honors"),
    ("little_four_winds", 64, "big_three_winds pung_of_terminals_or_honors"),
    ("little_three_dragons", 64, "two_dragon_pungs dragon_pung"),
    ("all_honors", 64, "all_terminals_and_honors all_pungs outside_hand pung_of_terminals_or_honors"),
    ("four_concealed_pungs", 64, "all_pungs concealed_hand three_concealed_pungs two_concealed_pungs"),
    ("pure_terminal_chows", 64, "full_flush all_chows no_honors seven_pairs"),
    ("quadruple_chow", 48, "tile_hog"),
    ("four_pure_shifted_pungs", 48, "all_pungs"),
    ("four_pure_shifted_chows", 32, ""),
    ("three_kongs", 32, "two_concealed_kongs melded_and_concealed_kong two_melded_kongs concealed_kong melded_kong"),
    ("all_terminals_and_honors", 32, "all_pungs outside_hand pung_of_terminals_or_honors"),
    ("seven_pairs", 24, "concealed_hand edge_wait closed_wait single_wait"),
    ("greater_honors_and_knitted_tiles", 24, "all_types concealed_hand edge_wait closed_wait single_wait"),
    ("all_even_pungs", 24, "all_pungs all_simples no_honors"),
    ("full_flush", 24, "no_honors"),
    ("pure_triple_chow", 24, ""),
    ("pure_shifted_pungs", 24, ""),
    ("upper_tiles", 24, "no_honors upper_four"),
    ("middle_tiles", 24, "no_honors all_simples"),
    ("lower_tiles", 24, "no_honors lower_four"),
    ("pure_straight", 16, ""),
    ("three_suited_terminal_chows", 16, "all_chows no_honors"),
    ("pure_shifted_chows", 16, ""),
    ("all_fives", 16, "all_simples no_honors"),
    ("triple_pung", 16, ""),
    ("three_concealed_pungs", 16, "two_concealed_pungs"),
    ("lesser_honors_and_knitted_tiles", 12, "all_types concealed_hand edge_wait closed_wait single_wait"),
    ("knitted_straight", 12, ""),
    ("upper_four", 12, "no_honors"),
    ("lower_four", 12, "no_honors"),
    ("big_three_winds", 12, ""),
    ("mixed_straight", 8, ""),
    ("reversible_tiles", 8, "one_voided_suit"),
    ("mixed_triple_chow", 8, ""),
    ("mixed_shifted_pungs", 8, ""),
    ("chicken_hand", 8, ""),
    ("last_tile_draw", 8, "self_drawn"),
    ("last_tile_claim", 8, ""),
    ("out_with_replacement_tile", 8, "self_drawn"),
    ("robbing_the_kong", 8, "last_tile"),
    ("two_concealed_kongs", 8, "concealed_kong two_concealed_pungs"),
    ("all_pungs", 6, ""),
    ("half_flush", 6, ""),
    ("mixed_shifted_chows", 6, ""),
    ("all_types", 6, ""),
    ("melded_hand", 6, "single_wait"),
    ("two_dragon_pungs", 6, "dragon_pung"),
    ("melded_and_concealed_kong", 6, "melded_kong concealed_kong"),
    ("outside_hand", 4, ""),
    ("fully_concealed_hand", 4, "self_drawn"),
    ("two_melded_kongs", 4, "melded_kong"),
    ("last_tile", 4, ""),
    ("dragon_pung", 2, ""),
    ("prevalent_wind", 2, ""),
    ("seat_wind", 2, ""),
    ("concealed_hand", 2, ""),
    ("all_chows", 2, "no_honors"),
    ("tile_hog", 2, ""),
    ("double_pung", 2, ""),
    ("two_concealed_pungs", 2, ""),
    ("concealed_kong", 2, ""),
    ("all_simples", 2, "no_honors"),
    ("pure_double_chow", 1, ""),
    ("mixed_double_chow", 1, ""),
    ("short_straight", 1, ""),
    ("two_terminal_chows", 1, ""),
    ("pung_of_terminals_or_honors", 1, ""),
    ("melded_kong", 1, ""),
    ("one_voided_suit", 1, ""),
    ("no_honors", 1, ""),
    ("edge_wait", 1, ""),
    ("closed_wait", 1, ""),
    ("single_wait", 1, ""),
    ("self_drawn", 1, ""),
];

fn place(id: &str) -> usize {
    TABLE.iter().position(|(known, ..)| *known == id).unwrap_or_else(|| panic!("no fan {id}"))
}

/// How often a reading has each fan of the table, those that combine sets excepted.
fn single_fans(deal: &Deal, reading: &Reading) -> Vec<usize> {
    let (form, sets, pair) = (reading.form, &reading.sets, reading.pair);
    let of_sets = form == Form::Sets;
    let tiles: Vec<usize> = (0..34).filter(|&face| deal.all[face] > 0).collect();
    let all = |fits: &dyn Fn(usize) -> bool| tiles.iter().all(|&face| fits(face));
    let any = |fits: &dyn Fn(usize) -> bool| tiles.iter().any(|&face| fits(face));
    let numbers = |from: usize, to: usize| {
        all(&|face| !is_honor(face) && (from..=to).contains(&number(face)))
    };
    let pungs: Vec<Set> = sets.iter().copied().filter(|set| !set.is_chow()).collect();
    let pungs_of = |fits: fn(usize) -> bool| pungs.iter().filter(|set| fits(set.face)).count();
    let kongs = |melded: bool| {
        let kongs = pungs.iter().filter(|set| set.sort == Sort::Kong);
        kongs.filter(|set| set.melded == melded).count()
    };
    let (open_kongs, concealed_kongs) = (kongs(true), kongs(false));
    let all_kongs = open_kongs + concealed_kongs;
    let concealed_pungs = pungs.iter().filter(|set| !set.melded).count();
    let suits: BTreeSet<usize> =
        tiles.iter().map(|&face| suit(face)).filter(|&suit| suit < 3).collect();
    let has_honors = any(&is_honor);
    let claimed = deal.laid.iter().any(|set| set.melded);
    let at = deal.at;
    let each_group = |fits: &dyn Fn(usize) -> bool| {
        of_sets && fits(pair) && sets.iter().all(|set| set.tiles().into_iter().any(fits))
    };
    let own_wind = at.seat.wind().index();
    let round_wind = at.round.wind().index();
    let pung_of = |face: usize| pungs.iter().any(|set| set.face == face);
    let only = |digits: &str, suit_of: usize| {
        let digits: Vec<usize> = digits.bytes().map(|digit| usize::from(digit - b'0')).collect();
        move |face: usize| suit(face) == suit_of && digits.contains(&number(face))
    };
    let (dots, bamboo) = (only("1234589", 1), only("245689", 2));
    let green = only("23468", 2);
    const WHITE: usize = 31;
    const GREEN: usize = 32;
    let nine_gates = {
        let mut before = deal.concealed;
        before[deal.winning] -= 1;
        let gates = [3, 1, 1, 1, 1, 1, 1, 1, 3];
        deal.laid.is_empty()
            && (0..3).any(|of| suit(deal.winning) == of && before[9 * of..9 * of + 9] == gates)
    };
    let shifted_pairs = form == Form::SevenPairs
        && !has_honors
        && suits.len() == 1
        && tiles.len() == 7
        && tiles[6] - tiles[0] == 6;
    let hogs = tiles
        .iter()
        .filter(|&&face| {
            let in_kong = pungs.iter().any(|set| set.sort == Sort::Kong && set.face == face);
            deal.all[face] == 4 && !in_kong
        })
        .count();
    let shown = deal.laid.iter().filter(|set| set.melded).flat_map(|set| set.tiles());
    let shown_three = shown.filter(|&face| face == deal.winning).count() == 3;
    let winds = pungs_of(is_wind);
    // Pungs of terminals or winds that no other fan has.
    let single_pungs = pungs
        .iter()
        .filter(|set| is_terminal(set.face) || is_wind(set.face))
        .filter(|set| !(is_wind(set.face) && (winds >= 3)))
        .filter(|set| set.face != own_wind && set.face != round_wind)
        .count();
    let knitted = tiles.iter().filter(|&&face| !is_honor(face)).count();
    let wait = wait(deal, reading);

    let mut counts = vec![0; TABLE.len()];
    let mut set = |id: &str, count: usize| counts[place(id)] = count;
    let mut is = |id: &str, holds: bool| set(id, usize::from(holds));
    is("big_four_winds", winds == 4);
    is("big_three_dragons", pungs_of(is_dragon) == 3);
    is("all_green", all(&|face| green(face) || face == GREEN));
    is("nine_gates", nine_gates);
    is("four_kongs", all_kongs == 4);
    is("seven_shifted_pairs", shifted_pairs);
    is("thirteen_orphans", form == Form::Orphans);
    is("all_terminals", all(&is_terminal));
    is("little_four_winds", of_sets && winds == 3 && is_wind(pair));
    is("little_three_dragons", of_sets && pungs_of(is_dragon) == 2 && is_dragon(pair));
    is("all_honors", all(&is_honor));
    is("four_concealed_pungs", concealed_pungs == 4);
    is("three_kongs", all_kongs == 3);
    is("all_terminals_and_honors", all(&is_major) && form != Form::Orphans);
    is("seven_pairs", form == Form::SevenPairs);
    let honors_and_knitted = form == Form::HonorsAndKnitted;
    is("greater_honors_and_knitted_tiles", honors_and_knitted && knitted == 7);
    is("lesser_honors_and_knitted_tiles", honors_and_knitted && knitted != 7);
    is("knitted_straight", form == Form::KnittedStraight || honors_and_knitted && knitted == 9);
    let even = |face: usize| !is_honor(face) && number(face).is_multiple_of(2);
    is("all_even_pungs", of_sets && pungs.len() == 4 && all(&even));
    is("full_flush", suits.len() == 1 && !has_honors);
    is("upper_tiles", numbers(7, 9));
    is("middle_tiles", numbers(4, 6));
    is("lower_tiles", numbers(1, 3));
    is("all_fives", each_group(&|face| !is_honor(face) && number(face) == 5));
    is("three_concealed_pungs", concealed_pungs == 3);
    is("upper_four", numbers(6, 9));
    is("lower_four", numbers(1, 4));
    is("big_three_winds", winds == 3);
    is("reversible_tiles", all(&|face| dots(face) || bamboo(face) || face == WHITE));
    is("last_tile_draw", at.last_tile && deal.self_drawn());
    is("last_tile_claim", at.last_tile && !deal.self_drawn());
    let replacement = at.supplement || at.kong_on_kong;
    is("out_with_replacement_tile", replacement && deal.self_drawn());
    is("robbing_the_kong", matches!(at.win, Win::RobKong { .. }));
    is("two_concealed_kongs", concealed_kongs == 2 && open_kongs == 0);
    is("all_pungs", of_sets && pungs.len() == 4);
    is("half_flush", suits.len() == 1 && has_honors);
    is("all_types", suits.len() == 3 && any(&is_wind) && any(&is_dragon));
    is("melded_hand", deal.laid.iter().filter(|set| set.melded).count() == 4 && !deal.self_drawn());
    is("two_dragon_pungs", pungs_of(is_dragon) == 2);
    let one_of_each = concealed_kongs == 1 && open_kongs == 1;
    is("melded_and_concealed_kong", one_of_each && deal.rulings.kongs != Kongs::Of1998);
    is("outside_hand", each_group(&is_major));
    is("fully_concealed_hand", !claimed && deal.self_drawn());
    is("two_melded_kongs", open_kongs == 2 && concealed_kongs == 0);
    is("last_tile", at.last_visible || shown_three);
    is("prevalent_wind", pung_of(round_wind));
    is("seat_wind", pung_of(own_wind));
    is("concealed_hand", !claimed && !deal.self_drawn());
    let chows = sets.iter().all(|set| set.is_chow());
    is("all_chows", matches!(form, Form::Sets | Form::KnittedStraight) && chows && !is_honor(pair));
    is("two_concealed_pungs", concealed_pungs == 2);
    is("all_simples", !any(&is_major));
    is("one_voided_suit", suits.len() == 2);
    is("no_honors", !has_honors);
    is("edge_wait", wait == Some("edge_wait"));
    is("closed_wait", wait == Some("closed_wait"));
    is("single_wait", wait == Some("single_wait"));
    is("self_drawn", deal.self_drawn());
    // One kong alone; as printed in 1998 one of each kind too.
    let alone = all_kongs == 1 || deal.rulings.kongs == Kongs::Of1998 && one_of_each;
    is("concealed_kong", alone && concealed_kongs == 1);
    is("melded_kong", alone && open_kongs == 1);
    set("dragon_pung", pungs_of(is_dragon));
    set("tile_hog", hogs);
    set("pung_of_terminals_or_honors", single_pungs);
    counts
}

/// The wait that counts, if there is one.
fn wait(deal: &Deal, reading: &Reading) -> Option<&'static str> {
    let knitted = reading.form == Form::KnittedStraight;
    if !knitted && reading.form != Form::Sets {
        return None;
    }
    let wait = match reading.won {
        Won::Pair => "single_wait",
        Won::Set(place) if reading.sets[place].is_chow() => {
            let lowest = reading.sets[place].face;
            match (deal.winning - lowest, number(lowest)) {
                (1, _) => "closed_wait",
                (2, 1) | (0, 7) => "edge_wait",
                _ => return None,
            }
        }
        Won::Set(_) | Won::Other => return None,
    };
    let counts = match deal.rulings.knitted_wait {
        _ if !knitted => true,
        KnittedWait::Rest => true,
        KnittedWait::Single => wait == "single_wait",
        KnittedWait::None => false,
    };
    (counts && deal.sole_wait()).then_some(wait)
}

/// The fan that four sets of a sort make.
fn four_sets(sets: &[Set], pair: usize) -> Option<&'static str> {
    let mut faces: Vec<usize> = sets.iter().map(|set| set.face).collect();
    faces.sort_unstable();
    let of_one_suit = faces.iter().all(|&face| suit(face) == suit(faces[0]) && !is_honor(face));
    let steps: Vec<usize> = faces.windows(2).map(|two| two[1] - two[0]).collect();
    let five = !is_honor(pair) && number(pair) == 5;
    if !sets[0].is_chow() {
        return (of_one_suit && steps == [1, 1, 1]).then_some("four_pure_shifted_pungs");
    }
    match steps[..] {
        [0, 0, 0] => Some("quadruple_chow"),
        [1, 1, 1] | [2, 2, 2] if of_one_suit => Some("four_pure_shifted_chows"),
        [0, 6, 0] if of_one_suit && five && suit(pair) == suit(faces[0]) => {
            Some("pure_terminal_chows")
        }
        _ => {
            // 123 and 789 of two suits, the fives of the third.
            let numbers: Vec<usize> = faces.iter().map(|&face| number(face)).collect();
            let suits: BTreeSet<usize> =
                faces.iter().chain([&pair]).map(|&face| suit(face)).collect();
            let ends = numbers == [1, 7, 1, 7] && suit(faces[0]) == suit(faces[1]);
            (ends && five && suits.len() == 3).then_some("three_suited_terminal_chows")
        }
    }
}

/// The fan that three sets of a sort make.
fn three_sets(sets: &[Set]) -> Option<&'static str> {
    if sets.iter().any(|set| is_honor(set.face)) {
        return None;
    }
    let suits: BTreeSet<usize> = sets.iter().map(|set| suit(set.face)).collect();
    let mut numbers: Vec<usize> = sets.iter().map(|set| number(set.face)).collect();
    numbers.sort_unstable();
    let steps = (numbers[1] - numbers[0], numbers[2] - numbers[1]);
    match (sets[0].is_chow(), suits.len(), steps) {
        (true, 1, (0, 0)) => Some("pure_triple_chow"),
        (true, 1, (3, 3)) => Some("pure_straight"),
        (true, 1, (1, 1) | (2, 2)) => Some("pure_shifted_chows"),
        (true, 3, (0, 0)) => Some("mixed_triple_chow"),
        (true, 3, (3, 3)) => Some("mixed_straight"),
        (true, 3, (1, 1)) => Some("mixed_shifted_chows"),
        (false, 1, (1, 1)) => Some("pure_shifted_pungs"),
        (false, 3, (0, 0)) => Some("triple_pung"),
        (false, 3, (1, 1)) => Some("mixed_shifted_pungs"),
        _ => None,
    }
}

/// The fan that two sets of a sort make.
fn two_sets(one: Set, other: Set) -> Option<&'static str> {
    if is_honor(one.face) || is_honor(other.face) {
        return None;
    }
    let same_suit = suit(one.face) == suit(other.face);
    let apart = number(one.face).abs_diff(number(other.face));
    match (one.is_chow(), same_suit, apart) {
        (true, true, 0) => Some("pure_double_chow"),
        (true, true, 3) => Some("short_straight"),
        (true, true, 6) => Some("two_terminal_chows"),
        (true, false, 0) => Some("mixed_double_chow"),
        (false, false, 0) => Some("double_pung"),
        _ => None,
    }
}

/// Every fan of two or three sets of a sort, with the places of these.
fn combinations(
    reading: &Reading,
    rulings: &Rulings,
    counts: &[usize],
) -> Vec<(&'static str, Vec<usize>)> {
    let all_terminals = counts[place("all_terminals")] > 0;
    let mut found = Vec::new();
    let sets = &reading.sets;
    for a in 0..sets.len() {
        for b in a + 1..sets.len() {
            if sets[a].is_chow() != sets[b].is_chow() {
                continue;
            }
            if let Some(id) = two_sets(sets[a], sets[b]) {
                found.push((id, vec![a, b]));
            }
            for c in b + 1..sets.len() {
                if sets[c].is_chow() == sets[a].is_chow()
                    && let Some(id) = three_sets(&[sets[a], sets[b], sets[c]])
                {
                    found.push((id, vec![a, b, c]));
                }
            }
        }
    }
    found.retain(|(id, _)| match *id {
        "double_pung" => !all_terminals || rulings.all_terminals_double_pung,
        "triple_pung" => !all_terminals || rulings.terminals_triple_pung,
        _ => true,
    });
    found
}

/// Every legal choice of fans that combine sets. A fan of all four sets stands alone. Else a choice is
/// legal where each fan combines sets that are not yet combined with each other (so fans of k sets bring
/// k - 1 of them together, and none closes a circle), and where no set makes the same fan twice.
fn choices(reading: &Reading, rulings: &Rulings, counts: &[usize]) -> Vec<Vec<&'static str>> {
    let sets = &reading.sets;
    let of_a_sort = sets.len() == 4 && sets.iter().all(|set| set.is_chow() == sets[0].is_chow());
    if of_a_sort && let Some(id) = four_sets(sets, reading.pair) {
        return vec![vec![id]];
    }
    let fans = combinations(reading, rulings, counts);
    let mut legal = Vec::new();
    for choice in 0u32..1 << fans.len() {
        let chosen = || (0..fans.len()).filter(|i| choice >> i & 1 == 1).map(|i| &fans[i]);
        let mut group: Vec<usize> = (0..sets.len()).collect();
        let joins = chosen().all(|(_, of)| {
            let groups: BTreeSet<usize> = of.iter().map(|&set| group[set]).collect();
            let first = group[of[0]];
            for other in &mut group {
                if groups.contains(other) {
                    *other = first;
                }
            }
            groups.len() == of.len()
        });
        let same_twice = chosen().enumerate().any(|(i, (id, of))| {
            chosen()
                .skip(i + 1)
                .any(|(other, sets)| id == other && of.iter().any(|set| sets.contains(set)))
        });
        if joins && !same_twice {
            legal.push(chosen().map(|(id, _)| *id).collect());
        }
    }
    legal
}

/// What a hand is worth: its fans without flowers, and the flowers; `None` for an incomplete hand.
pub fn fans(hand: &Hand, at: &Circumstances, rulings: Rulings) -> Option<(Fans, i32)> {
    let deal = Deal::new(hand, at, rulings);
    deal.best().map(|fans| (fans, deal.flowers))
}

/// Who receives what for a total: each loser pays 8, and the total from who gave the tile, or from all.
pub fn payments(total: i32, at: &Circumstances) -> [i64; 4] {
    let mut amounts = [0; 4];
    for seat in Seat::ALL.into_iter().filter(|seat| *seat != at.seat) {
        let whole = at.win.from().is_none_or(|giver| giver == seat);
        let amount = 8 + if whole { i64::from(total) } else { 0 };
        amounts[seat.index()] -= amount;
        amounts[at.seat.index()] += amount;
    }
    amounts
}

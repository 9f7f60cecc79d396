//! Zung Jung scored naively: the table of patterns, each tried on every reading of the hand.

use tilelens::{
    hand::Hand,
    rules::{Circumstances, Responsible, Win},
    tile::Seat,
};

use super::naive_sets::{
    Divided, Sort, is_major, is_seven_pairs, is_thirteen, present, readings, suits, waits_on_nine,
};

/// Series, pattern, value; in the order of the table.
const TABLE: [(&str, &str, i64); 45] = [
    ("1.1", "all_sequences", 5),
    ("1.2", "concealed_hand", 5),
    ("1.3", "no_terminals", 5),
    ("2.1", "mixed_one_suit", 40),
    ("2.1", "pure_one_suit", 80),
    ("2.2", "nine_gates", 480),
    ("3.1", "value_honor", 10),
    ("3.2", "small_three_dragons", 40),
    ("3.2", "big_three_dragons", 130),
    ("3.3", "small_three_winds", 30),
    ("3.3", "big_three_winds", 120),
    ("3.3", "small_four_winds", 320),
    ("3.3", "big_four_winds", 400),
    ("3.4", "all_honors", 320),
    ("4.1", "all_triplets", 30),
    ("4.2", "two_concealed_triplets", 5),
    ("4.2", "three_concealed_triplets", 30),
    ("4.2", "four_concealed_triplets", 125),
    ("4.3", "one_kong", 5),
    ("4.3", "two_kong", 20),
    ("4.3", "three_kong", 120),
    ("4.3", "four_kong", 480),
    ("5.1", "two_identical_sequences", 10),
    ("5.1", "two_identical_sequences_twice", 60),
    ("5.1", "three_identical_sequences", 120),
    ("5.1", "four_identical_sequences", 480),
    ("6.1", "three_similar_sequences", 35),
    ("6.2", "small_three_similar_triplets", 30),
    ("6.2", "three_similar_triplets", 120),
    ("7.1", "nine_tile_straight", 40),
    ("7.2", "three_consecutive_triplets", 100),
    ("7.2", "four_consecutive_triplets", 200),
    ("8.1", "mixed_lesser_terminals", 40),
    ("8.1", "pure_lesser_terminals", 50),
    ("8.1", "mixed_greater_terminals", 100),
    ("8.1", "pure_greater_terminals", 400),
    ("9.1", "final_draw", 10),
    ("9.1", "final_discard", 10),
    ("9.2", "win_on_kong", 10),
    ("9.3", "robbing_a_kong", 10),
    ("9.4", "blessing_of_heaven", 155),
    ("9.4", "blessing_of_earth", 155),
    ("10.1", "thirteen_terminals", 160),
    ("10.2", "seven_pairs", 30),
    ("", "chicken_hand", 1),
];

const LIMIT: i64 = 320;

/// Patterns with their values.
pub type Items = Vec<(&'static str, i64)>;

/// The patterns of category 9.
fn luck(hand: &Hand, at: &Circumstances) -> Vec<&'static str> {
    let drawn = at.win == Win::SelfDraw;
    let kong = hand.melds().any(|meld| meld.is_kong());
    let discarder = match at.win {
        Win::Discard { from } => Some(from),
        _ => None,
    };
    let first = at.first_turn && !kong;
    let all = [
        ("final_draw", at.last_tile && drawn),
        ("final_discard", at.last_tile && discarder.is_some()),
        ("win_on_kong", drawn && (at.supplement || at.kong_on_kong)),
        ("robbing_a_kong", matches!(at.win, Win::RobKong { .. })),
        ("blessing_of_heaven", first && drawn && at.seat == Seat::East),
        ("blessing_of_earth", first && discarder == Some(Seat::East)),
    ];
    all.into_iter().filter(|(_, has)| *has).map(|(id, _)| id).collect()
}

/// The patterns of the tiles, whatever their sets.
fn of_tiles(hand: &Hand) -> Vec<&'static str> {
    let faces = present(hand);
    let suits = suits(&faces);
    let honors = faces.iter().any(|face| *face >= 27);
    let majors = faces.iter().all(|face| is_major(*face));
    let all = [
        ("no_terminals", !faces.iter().any(|face| is_major(*face))),
        ("mixed_one_suit", suits == 1 && honors),
        ("pure_one_suit", suits == 1 && !honors),
        ("all_honors", suits == 0),
        ("mixed_greater_terminals", majors && honors && suits > 0),
        ("pure_greater_terminals", majors && !honors),
    ];
    all.into_iter().filter(|(_, has)| *has).map(|(id, _)| id).collect()
}

fn most_in_a_row(triplets: &[usize]) -> usize {
    let row = |start: usize| {
        (start..27).take_while(|face| face / 9 == start / 9 && triplets.contains(face)).count()
    };
    (0..27).map(row).max().unwrap_or(0)
}

/// The patterns of the sets.
fn of_sets(hand: &Hand, at: &Circumstances, reading: &Divided) -> Vec<&'static str> {
    let (runs, alike, pair) = (reading.runs(), reading.alike(), reading.pair);
    let number = |of: std::ops::Range<usize>| alike.iter().filter(|face| of.contains(face)).count();
    let (winds, dragons) = (number(27..31), number(31..34));
    let pair_of = |of: std::ops::Range<usize>| of.contains(&pair);
    let kongs = reading.of(Sort::Kong).len();
    let concealed = reading.concealed_alike();
    let times = |run: &usize| runs.iter().filter(|other| *other == run).count();
    let most = runs.iter().map(times).max().unwrap_or(0);
    let mut kinds = runs.clone();
    kinds.sort();
    kinds.dedup();
    let twins = kinds.iter().map(|run| times(run) / 2).sum::<usize>();
    let suit = |face: usize, suit: usize| 9 * suit + face % 9;
    let in_suits = |sets: &[usize], face: usize| {
        (0..3).filter(|other| sets.contains(&suit(face, *other))).count()
    };
    let suited: Vec<usize> = alike.iter().copied().filter(|face| *face < 27).collect();
    let in_row = most_in_a_row(&alike);
    let straight = |suit: usize| [0, 3, 6].iter().all(|low| runs.contains(&(9 * suit + low)));
    let terminal = |face: usize| face < 27 && is_major(face);
    let all = [
        ("all_sequences", runs.len() == 4),
        ("concealed_hand", !hand.melds().any(|meld| meld.is_claimed())),
        ("nine_gates", hand.melds().next().is_none() && waits_on_nine(hand)),
        ("small_three_dragons", dragons == 2 && pair_of(31..34)),
        ("big_three_dragons", dragons == 3),
        ("small_three_winds", winds == 2 && pair_of(27..31)),
        ("big_three_winds", winds == 3),
        ("small_four_winds", winds == 3 && pair_of(27..31)),
        ("big_four_winds", winds == 4),
        ("all_triplets", alike.len() == 4),
        ("two_concealed_triplets", concealed == 2),
        ("three_concealed_triplets", concealed == 3),
        ("four_concealed_triplets", concealed == 4),
        ("one_kong", kongs == 1),
        ("two_kong", kongs == 2),
        ("three_kong", kongs == 3),
        ("four_kong", kongs == 4),
        ("two_identical_sequences", twins == 1),
        ("two_identical_sequences_twice", twins == 2),
        ("three_identical_sequences", most == 3),
        ("four_identical_sequences", most == 4),
        ("three_similar_sequences", runs.iter().any(|run| in_suits(&runs, *run) == 3)),
        ("small_three_similar_triplets", pair < 27 && in_suits(&suited, pair) == 2),
        ("three_similar_triplets", suited.iter().any(|face| in_suits(&suited, *face) == 3)),
        ("nine_tile_straight", (0..3).any(straight)),
        ("three_consecutive_triplets", in_row == 3),
        ("four_consecutive_triplets", in_row == 4),
        ("mixed_lesser_terminals", reading.each_has(is_major)),
        ("pure_lesser_terminals", reading.each_has(terminal)),
    ];
    let own = at.seat.wind().index();
    let values = alike.iter().filter(|face| **face >= 31 || **face == own);
    (all.into_iter().filter(|(_, has)| *has).map(|(id, _)| id))
        .chain(values.map(|_| "value_honor"))
        .collect()
}

/// What counts of the patterns that a reading has.
fn counted(found: &[&'static str]) -> Items {
    let held = || TABLE.iter().filter(|(_, id, _)| found.contains(id));
    let dearest = held().map(|(.., value)| *value).max().unwrap_or(0);
    if dearest >= LIMIT {
        let listed = held().find(|(.., value)| *value == dearest);
        return listed.map(|(_, id, value)| (*id, *value)).into_iter().collect();
    }
    let mut items = Items::new();
    for (series, id, value) in held() {
        let others = held().filter(|(other, ..)| other == series);
        if *id == "value_honor" {
            items.extend(found.iter().filter(|other| *other == id).map(|_| (*id, *value)));
        } else if others.map(|(.., value)| value).max() == Some(value) {
            items.push((id, *value));
        }
    }
    if items.is_empty() { vec![("chicken_hand", 1)] } else { items }
}

pub fn value(items: &Items) -> i64 {
    match items[..] {
        [(_, listed)] if listed >= LIMIT => listed,
        _ => items.iter().map(|(_, value)| value).sum::<i64>().min(LIMIT),
    }
}

/// What counts of the dearest reading; `None`: the hand is not complete.
pub fn items(hand: &Hand, at: &Circumstances) -> Option<Items> {
    let luck = luck(hand, at);
    let mut all: Vec<Items> = Vec::new();
    for reading in readings(hand, at.win.is_claim()) {
        all.push(counted(&[of_sets(hand, at, &reading), of_tiles(hand), luck.clone()].concat()));
    }
    if is_seven_pairs(hand, true) {
        all.push(counted(&[vec!["seven_pairs"], of_tiles(hand), luck.clone()].concat()));
    }
    if is_thirteen(hand) {
        all.push(counted(&[vec!["thirteen_terminals"], luck].concat()));
    }
    // Of equal ones a listed limit, then the reading whose patterns come first in the table.
    all.into_iter().max_by_key(|items| {
        let listed = items.iter().any(|(_, value)| *value >= LIMIT);
        let has = |id: &str| items.iter().any(|(other, _)| *other == id);
        (value(items), listed, TABLE.map(|(_, id, _)| has(id)))
    })
}

/// Who gets and who pays. `standard`: the most that each pays who is not responsible; `None`: all pay the same.
pub fn payments(value: i64, at: &Circumstances, standard: Option<i64>) -> [i64; 4] {
    let responsible = match (at.win.from(), at.responsible) {
        (None, _) | (_, Responsible::Nobody) => None,
        (from, Responsible::Giver) => from,
        (_, Responsible::Player(seat)) => Some(seat),
    };
    let mut paid = [-value; 4];
    if let (Some(responsible), Some(standard)) = (responsible, standard)
        && value > standard
    {
        paid = [-standard; 4];
        paid[responsible.index()] = -(3 * value - 2 * standard);
    }
    paid[at.seat.index()] = 3 * value;
    paid
}

//! Distances against a naive search, on random hands of every size and form; and the advice on a
//! hand.

use crate::support::random::Dice;
use assert_cmd::Command;
use tilelens::{
    advice::{
        Advice, Counts, Shape, Target, Targets, Turn, advise, size, tiles_missing,
        tiles_missing_of_concealed, without, worth,
    },
    hand::Reading,
    rules::{Circumstances, RuleSet, Win},
    tile::{Face, Seat},
};

/// Every pung and chow, as the faces of its tiles.
fn all_sets() -> Vec<[usize; 3]> {
    let chows = (0..27).filter(|low| low % 9 < 7).map(|low| [low, low + 1, low + 2]);
    (0..34).map(|face| [face; 3]).chain(chows).collect()
}

/// The least number of tiles that sets (from a place of the list on) and a pair need beside those held: every choice of
/// sets is tried, as long as it can be better than the best so far. Each set comes with its own lacks, and the
/// list rises by that.
fn search(
    sets: &[([usize; 3], u8)],
    wanted: usize,
    used: &mut Counts,
    (held, most): (&Counts, &Counts),
    so_far: u8,
    best: &mut u8,
) {
    if wanted == 0 {
        for face in 0..34 {
            if used[face] + 2 <= most[face] {
                let pair = (used[face] + 2).saturating_sub(held[face].max(used[face]));
                *best = (*best).min(so_far + pair);
            }
        }
        return;
    }
    for (place, (set, alone)) in sets.iter().enumerate() {
        if so_far + wanted as u8 * alone >= *best {
            return;
        }
        let mut lacks = 0;
        let mut fits = true;
        for &face in set {
            used[face] += 1;
            fits &= used[face] <= most[face];
            lacks += u8::from(used[face] > held[face]);
        }
        if fits {
            search(&sets[place..], wanted - 1, used, (held, most), so_far + lacks, best);
        }
        for &face in set {
            used[face] -= 1;
        }
    }
}

/// Sets and a pair, of each face at most the number in `most`.
fn naive_sets(held: &Counts, most: &Counts, wanted: usize) -> u8 {
    let mut sets: Vec<([usize; 3], u8)> =
        all_sets().into_iter().map(|set| (set, lacks(held, &counts(set)))).collect();
    sets.sort_by_key(|(_, alone)| *alone);
    // Pungs that lack all three tiles are interchangeable; a few are enough.
    let near = sets.iter().filter(|(_, alone)| *alone < 3).count();
    let far = sets.split_off(near).into_iter();
    sets.extend(far.filter(|(set, _)| set[0] == set[1] && most[set[0]] >= 3).take(8));
    let mut best = 3 * wanted as u8 + 3;
    search(&sets, wanted, &mut [0; 34], (held, most), 0, &mut best);
    best
}

const WAYS: [[usize; 3]; 6] = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];

fn way_faces(way: [usize; 3]) -> Vec<usize> {
    (0..9).map(|n| 9 * (n / 3) + way[n / 3] + 3 * (n % 3)).collect()
}

/// The tiles that a hand lacks of given ones.
fn lacks(held: &Counts, wanted: &Counts) -> u8 {
    held.iter().zip(wanted).map(|(held, wanted)| wanted.saturating_sub(*held)).sum()
}

fn counts(faces: impl IntoIterator<Item = usize>) -> Counts {
    let mut counts = [0; 34];
    faces.into_iter().for_each(|face| counts[face] += 1);
    counts
}

/// The choices of `wanted` faces out of those in a list.
fn choices(faces: &[usize], wanted: usize) -> Vec<Vec<usize>> {
    if wanted == 0 {
        return vec![Vec::new()];
    }
    (0..faces.len())
        .flat_map(|place| {
            choices(&faces[place + 1..], wanted - 1).into_iter().map(move |mut rest| {
                rest.push(faces[place]);
                rest
            })
        })
        .collect()
}

/// Every complete hand of a shape that has few of them; of the knitted straight with a set beside it, or with
/// none.
fn complete_hands(target: Target, sets: usize) -> Vec<Counts> {
    let majors = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
    let honors: Vec<usize> = (27..34).collect();
    let mut hands = Vec::new();
    match target {
        Target::ThirteenOrphans => {
            hands.extend(majors.map(|pair| counts(majors.into_iter().chain([pair]))));
        }
        Target::HonorsAndKnitted => {
            for way in WAYS {
                let all: Vec<usize> = way_faces(way).into_iter().chain(27..34).collect();
                for left_out in choices(&all, 2) {
                    let kept = all.iter().copied().filter(|face| !left_out.contains(face));
                    hands.push(counts(kept));
                }
            }
        }
        Target::KnittedAndHonorPair => {
            for way in WAYS {
                for four in choices(&honors, 4) {
                    for pair in &four {
                        let faces = way_faces(way).into_iter().chain(four.clone()).chain([*pair]);
                        hands.push(counts(faces));
                    }
                }
            }
        }
        Target::KnittedStraight => {
            let beside: Vec<Vec<usize>> = match sets {
                0 => vec![Vec::new()],
                _ => all_sets().into_iter().map(Vec::from).collect(),
            };
            for way in WAYS {
                for set in &beside {
                    for pair in 0..34 {
                        let faces = way_faces(way).into_iter().chain(set.clone());
                        hands.push(counts(faces.chain([pair, pair])));
                    }
                }
            }
            hands.retain(|hand| hand.iter().all(|count| *count <= 4));
        }
        Target::MajorPairs | Target::DifferentMajorPairs => {
            let most = if target == Target::MajorPairs { 2 } else { 1 };
            hands.extend(
                multisets(13, 7, most)
                    .into_iter()
                    .map(|pairs| counts(pairs.into_iter().flat_map(|place| [majors[place]; 2]))),
            );
        }
        Target::KnittedPairs => {
            for (one, other) in [(0, 9), (0, 18), (9, 18)] {
                hands.extend(multisets(9, 7, 4).into_iter().map(|pairs| {
                    counts(pairs.into_iter().flat_map(|number| [one + number, other + number]))
                }));
            }
        }
        Target::KnittedThrees => {
            for threes in multisets(9, 4, 4) {
                let three = |number: usize| [number, 9 + number, 18 + number];
                let threes: Vec<usize> = threes.into_iter().flat_map(three).collect();
                for without in 0..3 {
                    for number in 0..9 {
                        let pair = three(number).into_iter().filter(|face| face / 9 != without);
                        hands.push(counts(threes.iter().copied().chain(pair)));
                    }
                }
            }
            hands.retain(|hand| hand.iter().all(|count| *count <= 4));
        }
        Target::Gates => {
            for suit in [0, 9, 18] {
                for twice in 1..8 {
                    let row = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, twice];
                    hands.push(counts(row.map(|number| suit + number)));
                }
            }
        }
        Target::Snake => {
            for suit in [0, 9, 18] {
                hands.push(counts((0..9).chain([0]).map(|number| suit + number).chain(27..31)));
            }
        }
        Target::Sets | Target::SevenPairs | Target::SevenDifferentPairs | Target::PairsAndPung => {
            panic!("too many")
        }
    }
    hands
}

/// The choices of `wanted` out of what is there, each at most `most` times.
fn multisets(of: usize, wanted: usize, most: usize) -> Vec<Vec<usize>> {
    match of.checked_sub(1) {
        None if wanted == 0 => vec![Vec::new()],
        None => Vec::new(),
        Some(last) => (0..=wanted.min(most))
            .flat_map(|times| {
                let rest = multisets(last, wanted - times, most).into_iter();
                rest.map(move |rest| [rest, vec![last; times]].concat())
            })
            .collect(),
    }
}

/// Sets and a pair with at most one chow: every chow is tried, and none.
fn naive_one_chow(held: &Counts, most: &Counts, wanted: usize) -> u8 {
    let pungs: Vec<([usize; 3], u8)> =
        (0..34).map(|face| ([face; 3], lacks(held, &counts([face; 3])))).collect();
    let sorted = |mut sets: Vec<([usize; 3], u8)>| {
        sets.sort_by_key(|(_, alone)| *alone);
        sets
    };
    let mut best = 3 * wanted as u8 + 3;
    search(&sorted(pungs.clone()), wanted, &mut [0; 34], (held, most), 0, &mut best);
    for chow in all_sets().into_iter().filter(|set| set[0] != set[1] && wanted > 0) {
        let mut used = counts(chow);
        if (0..34).all(|face| used[face] <= most[face]) {
            let lacks = lacks(held, &used);
            search(&sorted(pungs.clone()), wanted - 1, &mut used, (held, most), lacks, &mut best);
        }
    }
    best
}

/// The fullest pairs, one after another.
fn naive_pairs(held: &Counts, different: bool) -> u8 {
    let (mut left, mut taken, mut found) = (*held, [false; 34], 0);
    for _ in 0..7 {
        let best = (0..34)
            .filter(|face| !different || !taken[*face])
            .max_by_key(|face| left[*face].min(2))
            .unwrap();
        found += left[best].min(2);
        left[best] -= left[best].min(2);
        taken[best] = true;
    }
    14 - found
}

/// Tiles drawn from a wall; `near`: from one or two suits, so that they belong together.
fn draw(dice: &mut Dice, tiles: usize, near: bool) -> Counts {
    let suits = [dice.below(3), dice.below(4)];
    let mut wall: Vec<usize> =
        (0..136).map(|tile| tile / 4).filter(|face| !near || suits.contains(&(face / 9))).collect();
    counts((0..tiles).map(|_| wall.swap_remove(dice.below(wall.len()))).collect::<Vec<_>>())
}

const SIZES: [usize; 12] = [1, 2, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17];

#[test]
fn distances_in_sets_are_those_of_a_naive_search() {
    let mut dice = Dice(51);
    for round in 0..12_000 {
        let tiles = SIZES[round % SIZES.len()];
        let held = draw(&mut dice, tiles, round % 5 < 3);
        let found = tiles_missing_of_concealed(&held, Targets::NONE.with(Target::Sets));
        assert_eq!(found, Some(naive_sets(&held, &[4; 34], tiles / 3)), "{held:?}");
    }
}

#[test]
fn sets_of_few_chows_and_hands_of_two_suits() {
    let mut dice = Dice(56);
    let sets = Targets::NONE.with(Target::Sets);
    for round in 0..2_000 {
        let tiles = [4, 5, 7, 8, 10, 11, 13, 14][round % 8];
        let held = draw(&mut dice, tiles, round % 5 < 3);
        let found = tiles_missing_of_concealed(&held, sets.with_most_chows(1));
        assert_eq!(found, Some(naive_one_chow(&held, &[4; 34], tiles / 3)), "{held:?}");
        let of_two_suits = |without: usize| {
            let out = |face: usize| face / 9 == without || face >= 27;
            let kept: Counts = std::array::from_fn(|face| if out(face) { 0 } else { held[face] });
            let most: Counts = std::array::from_fn(|face| if out(face) { 0 } else { 4 });
            naive_sets(&kept, &most, tiles / 3)
        };
        let found = tiles_missing(&held, &[0; 34], sets.with_most_suits(2));
        assert_eq!(found, (0..3).map(of_two_suits).min(), "{held:?}");
    }
}

#[test]
fn distances_without_some_tiles_are_those_of_a_naive_search() {
    let mut dice = Dice(57);
    let targets = (1..8)
        .map(|face| Face::from_index(face).unwrap())
        .fold(Targets::NONE.with(Target::Sets).with(Target::SevenDifferentPairs), Targets::without);
    for round in 0..2_000 {
        let tiles = [4, 5, 7, 8, 10, 11, 13, 14][round % 8];
        let held = draw(&mut dice, tiles, round % 5 < 3);
        let out = |face: usize| (1..8).contains(&face);
        let kept: Counts = std::array::from_fn(|face| if out(face) { 0 } else { held[face] });
        let most: Counts = std::array::from_fn(|face| if out(face) { 0 } else { 4 });
        let in_sets = naive_sets(&kept, &most, tiles / 3);
        let in_pairs = if tiles > 12 { naive_pairs(&kept, true) } else { in_sets };
        let expected = Some(in_sets.min(in_pairs));
        assert_eq!(tiles_missing_of_concealed(&held, targets), expected, "{held:?}");
    }
}

#[test]
fn distances_in_pairs_are_those_of_the_fullest_pairs() {
    let mut dice = Dice(52);
    for round in 0..20_000 {
        let held = draw(&mut dice, 13 + round % 2, round % 3 != 0);
        for target in [Target::SevenPairs, Target::SevenDifferentPairs] {
            let found = tiles_missing_of_concealed(&held, Targets::NONE.with(target));
            let naive = naive_pairs(&held, target == Target::SevenDifferentPairs);
            assert_eq!(found, Some(naive), "{target:?} {held:?}");
        }
    }
}

#[test]
fn distances_in_other_forms_are_those_to_the_nearest_complete_hand() {
    let mut dice = Dice(55);
    for (target, sets, rounds) in [
        (Target::ThirteenOrphans, 4, 10_000),
        (Target::KnittedAndHonorPair, 4, 1_000),
        (Target::HonorsAndKnitted, 4, 1_000),
        (Target::KnittedStraight, 1, 200),
        (Target::MajorPairs, 4, 400),
        (Target::DifferentMajorPairs, 4, 1_000),
        (Target::KnittedPairs, 4, 400),
        (Target::KnittedThrees, 4, 400),
        (Target::Gates, 4, 4_000),
        (Target::Snake, 4, 4_000),
        (Target::KnittedStraight, 0, 1_000),
    ] {
        let complete = complete_hands(target, sets);
        for round in 0..rounds {
            let tiles = if sets == 0 { 10 } else { 13 } + round % 2;
            // From all tiles, or from those of a complete hand and a few others.
            let held = if round % 2 == 0 {
                draw(&mut dice, tiles, false)
            } else {
                let near = complete[dice.below(complete.len())];
                let mut held = draw(&mut dice, 2, false);
                for face in (0..34).filter(|face| near[*face] > 0) {
                    let room = tiles - held.iter().map(|held| usize::from(*held)).sum::<usize>();
                    held[face] += (near[face].min(4 - held[face])).min(room as u8);
                }
                let room = tiles - held.iter().map(|held| usize::from(*held)).sum::<usize>();
                (0..room).for_each(|_| *held.iter_mut().find(|held| **held < 4).unwrap() += 1);
                held
            };
            let found = tiles_missing_of_concealed(&held, Targets::NONE.with(target));
            let naive = complete.iter().map(|wanted| lacks(&held, wanted)).min();
            assert_eq!(found, naive, "{target:?} {held:?}");
        }
    }
}

#[test]
fn several_forms_are_as_near_as_the_nearest() {
    let mut dice = Dice(53);
    let all = [Target::Sets, Target::SevenDifferentPairs, Target::ThirteenOrphans];
    let targets = all.into_iter().fold(Targets::NONE, Targets::with);
    for round in 0..2_000 {
        let held = draw(&mut dice, 13 + round % 2, round % 2 == 0);
        let nearest = all
            .map(|target| tiles_missing_of_concealed(&held, Targets::NONE.with(target)))
            .into_iter()
            .min()
            .unwrap();
        assert_eq!(tiles_missing_of_concealed(&held, targets), nearest);
    }
}

#[test]
fn tiles_of_claimed_sets_cannot_be_had_again() {
    let mut dice = Dice(54);
    let sets = all_sets();
    for round in 0..6_000 {
        let claimed = 1 + dice.below(3);
        let tiles = [4, 5, 7, 8, 10, 11][round % 6];
        let mut apart = [0; 34];
        for _ in 0..claimed {
            // Often the same suit, so that the limits matter.
            let set = sets[34 + dice.below(7)];
            let set = if dice.chance(40) { [dice.below(9); 3] } else { set };
            set.iter().for_each(|face| apart[*face] += 1);
        }
        let held = draw(&mut dice, tiles, true);
        let found = tiles_missing(&held, &apart, Targets::NONE.with(Target::Sets));
        if held.iter().zip(&apart).any(|(held, apart)| held + apart > 4) {
            assert!(found.is_none() || apart == [0; 34]);
            continue;
        }
        let most = apart.map(|apart| 4 - apart);
        assert_eq!(found, Some(naive_sets(&held, &most, tiles / 3)), "{held:?} {apart:?}");
    }
}

#[test]
fn other_sizes_and_five_of_a_face_have_no_distance() {
    let targets = Targets::NONE.with(Target::Sets);
    for tiles in [0, 3, 9, 12, 15, 18] {
        assert_eq!(tiles_missing_of_concealed(&draw(&mut Dice(1), tiles, false), targets), None);
    }
    let mut five = counts([0, 0, 0, 0, 0]);
    assert_eq!(tiles_missing_of_concealed(&five, targets), None);
    five[0] = 4;
    // Three alike, and a fifth cannot be had for the pair.
    assert_eq!(tiles_missing_of_concealed(&five, targets), Some(2));
}

fn advice(text: &str, rules: &str, seen: &str) -> Result<Advice, String> {
    let reading: Reading = text.parse().unwrap();
    let seen: Reading = seen.parse().unwrap();
    let seen: Vec<Face> =
        seen.concealed.iter().map(|seen| seen.to_string().parse().unwrap()).collect();
    let rules = RuleSet::preset(rules).unwrap();
    advise(&reading, &seen, Shape::of(rules, size(&reading))).map_err(|error| error.to_string())
}

/// The shanten of a hand that draws, the helping tiles and the number left.
fn draws(text: &str, rules: &str, seen: &str) -> (i8, String, u32) {
    match advice(text, rules, seen).unwrap().turn {
        Turn::Draw(standing) => {
            let helps: Vec<_> = standing.helps.iter().map(|help| help.tile.to_string()).collect();
            (standing.shanten(), helps.join(" "), standing.left())
        }
        Turn::Discard { .. } => panic!("{text} has to discard"),
    }
}

#[test]
fn a_hand_of_13_says_what_helps_and_how_many_are_left() {
    assert_eq!(draws("123m456p78s99s (7'77z)", "mmm", ""), (0, "6s 9s".into(), 6));
    assert_eq!(draws("123m456p78s99s (7'77z)", "mmm", "666s9s"), (0, "6s 9s".into(), 2));
    assert_eq!(draws("123m456p78s99s777z", "mmm", "6666s99s"), (0, "6s 9s".into(), 0));
    assert_eq!(draws("123m456p4679s99s1z", "mmm", "").0, 1);
    assert_eq!(draws("19m19p19s1234567z", "mmm", "").2, 39);
    assert_eq!(draws("1122m3344p5566s7z", "mmm", ""), (0, "7z".into(), 3));
    // Four alike are two pairs in today's rule sets.
    assert_eq!(draws("1111m3344p5566s7z", "mmm", ""), (0, "7z".into(), 3));
}

/// Riichi for three is played without 2m to 8m.
#[test]
fn a_tile_that_is_not_played_helps_nowhere_and_is_no_wait() {
    let is_played = |tile: &str| !("2m"..="8m").contains(&tile) || !tile.ends_with('m');
    for hand in ["19m234p567p678s35z", "1111m234p567p678s", "19m123789p47z [1111s]", "199m1z"] {
        let [three, four] = ["riichi-sanma", "riichi"].map(|rules| draws(hand, rules, ""));
        let played: Vec<&str> = four.1.split(' ').filter(|tile| is_played(tile)).collect();
        assert_eq!((three.0, three.1.as_str()), (four.0, played.join(" ").as_str()), "{hand}");
    }
    // Tiles that are not played are of no use, and the hand with them waits for nothing.
    let (shanten, helps, _) = draws("34m234p567p678s99s", "riichi-sanma", "");
    assert_eq!((shanten, helps.contains('m')), (2, true), "{helps}");
    assert!(helps.split(' ').all(is_played), "{helps}");
    let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
    for (hand, waits) in [
        ("34m234p567p678s99s", ""),
        ("11m234p567p678s99s", "1m 9s"),
        ("19m19p19s1234567z", "1m 9m 1p 9p 1s 9s 1z 2z 3z 4z 5z 6z 7z"),
    ] {
        let rules = RuleSet::preset("riichi-sanma").unwrap();
        let found = rules.waits(&hand.parse().unwrap(), &[], &at).unwrap();
        let tiles: Vec<String> = found.iter().map(|wait| wait.tile.to_string()).collect();
        assert_eq!(tiles.join(" "), waits, "{hand}");
    }
}

#[test]
fn a_set_of_tiles_that_are_not_played_is_named() {
    for (hand, rules, named) in [
        ("234p567p678s99s (222m)", "riichi-sanma", "2m is not played"),
        ("123m456p78s99s (1'11z)", "sichuan", "1z is not played"),
    ] {
        let error = advice(hand, rules, "").unwrap_err().to_string();
        assert!(error.contains(named), "{error}");
        assert!(advice(hand, "mmm", "").is_ok(), "{hand}");
    }
}

#[test]
fn norths_put_aside_and_indicators_are_no_longer_to_be_drawn() {
    let unseen = |more: &[&str]| {
        let hand = ["waits", "123p456p789s11z44z", "--json", "--rules"];
        let answer = json(&[&hand[..], more].concat());
        let waits = answer["waits"].as_array().unwrap().clone();
        waits.iter().map(|wait| wait["unseen"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(unseen(&["riichi-sanma"]), [2, 2]);
    assert_eq!(unseen(&["riichi-sanma", "--north", "1", "--dora", "1z"]), [1, 1]);
    assert_eq!(unseen(&["riichi-sanma", "--north", "1", "--seen", "4z"]), [2, 0]);
    // Where neither is played, they are ignored.
    assert_eq!(unseen(&["mmm", "--north", "1", "--dora", "1z"]), [2, 2]);
}

#[test]
fn a_hand_that_waits_for_a_fifth_tile_is_named() {
    let held_out = |text: &str| match advice(text, "mmm", "").unwrap().turn {
        Turn::Draw(standing) => (
            standing.shanten(),
            standing.held_out.iter().map(Face::to_string).collect::<Vec<_>>(),
            standing.waits_for_a_fifth(),
        ),
        Turn::Discard { .. } => panic!(),
    };
    assert_eq!(held_out("123456789m1111z"), (1, vec!["1z".to_owned()], true));
    // The other three are claimed.
    assert_eq!(held_out("123456789m1z (1'11z)"), (1, vec!["1z".to_owned()], true));
    assert_eq!(held_out("123m456p789s2z [1111z]").1, Vec::<String>::new());
    assert_eq!(held_out("1111z"), (1, vec!["1z".to_owned()], true));
    // Two tiles it waits for, one of them held four times: it waits.
    assert!(!held_out("1111m23m456p789s1z").2);
    assert_eq!(held_out("123m456p78s99s777z"), (0, vec![], false));
}

#[test]
fn each_discard_says_what_it_leaves_and_the_best_comes_first() {
    let advice = advice("123m456p45s99s1z (7'77z)", "mmm", "6s").unwrap();
    let Turn::Discard { missing, discards } = advice.turn else { panic!() };
    assert_eq!((missing, advice.unwritten_sets), (1, 0));
    assert_eq!(discards[0].tile.to_string(), "1z");
    assert_eq!((discards[0].after.shanten(), discards[0].after.left()), (0, 7));
    assert!(discards[1..].iter().all(|discard| discard.after.shanten() == 1));
    assert_eq!(discards.len(), 10);
}

#[test]
fn a_red_five_is_a_discard_of_its_own() {
    let advice = advice("123m4056p78s99s777z", "mmm", "").unwrap();
    let Turn::Discard { discards, .. } = advice.turn else { panic!() };
    let tiles: Vec<_> = discards.iter().map(|discard| discard.tile.to_string()).collect();
    assert!(tiles.contains(&"0p".to_owned()) && tiles.contains(&"5p".to_owned()));
}

#[test]
fn hands_of_other_sizes_say_that_the_rest_lies_claimed_or_are_refused() {
    for (text, sets) in [
        ("1z", 4),
        ("4477z", 3),
        ("123m55p67s", 2),
        ("123m123p55p67s", 1),
        ("123m55p678s", 2),
        ("123m55p67s (7'77z)", 1),
        ("123m456p55p67s (7'77z)", 0),
        ("123m456p55p67s [7777z]", 0),
        ("123456789m123p5566s", 0),
        ("123456789m123p55667s", 0),
    ] {
        assert_eq!(advice(text, "mmm", "").unwrap().unwritten_sets, sets, "{text}");
    }
    for (text, why) in [
        ("123m456p789s", "9 tiles"),
        ("123m456p789s112233z", "15 tiles"),
        ("123456789m123456789p", "18 tiles"),
        ("", "0 tiles"),
        ("11111m", "5 1m"),
        ("111m11p (1'11m)", "6 1m"),
        ("123m456p789s11x2z", "`x`"),
        ("123m45p (124m)", "neither a chow"),
        ("1z11f", "1f twice"),
    ] {
        let error = advice(text, "mmm", "").unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
    let error = advice("123m456p78s99s777z", "mmm", "77z").unwrap_err();
    assert!(error.contains("5 7z in the hand and among the seen tiles"), "{error}");
}

#[test]
fn worth_runs_from_the_least_win_to_the_best_of_those_left() {
    let rules = RuleSet::preset("mmm").unwrap();
    let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
    let reading: Reading = "123m456p78s99s1z (7'77z)".parse().unwrap();
    let waiting = without(&reading, "1z".parse().unwrap());
    let found = worth(rules, &waiting, &[], &at).unwrap();
    let waits = rules.waits(&waiting, &[], &at).unwrap();
    let gains = waits
        .iter()
        .flat_map(|wait| wait.claimed.iter().map(|(_, outcome)| outcome).chain([&wait.self_draw]))
        .map(|outcome| outcome.unwrap().payments.of(Seat::South).unwrap());
    assert_eq!(found.least.payments.of(Seat::South), gains.clone().min());
    assert_eq!(found.most.payments.of(Seat::South), gains.max());
    assert!(!found.some_refused);
    // Nothing is left to wait for.
    let gone: Vec<Face> = ["6s", "9s"]
        .iter()
        .flat_map(|tile| vec![tile.parse().unwrap(); if *tile == "6s" { 4 } else { 2 }])
        .collect();
    assert_eq!(worth(rules, &waiting, &gone, &at), None);
}

fn tilelens(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("tilelens").unwrap().args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let (code, out, err) = tilelens(arguments);
    assert_eq!(code, 0, "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn the_command_lists_each_discard_with_what_it_leaves_and_its_worth() {
    let hand = "123m456p78s99s1z (7'77z)";
    let (code, out, _) = tilelens(&["advise", hand, "--seat", "S", "--seen", "6s"]);
    assert_eq!(code, 0);
    let line = out.lines().find(|line| line.contains("discard 1z")).unwrap();
    assert!(line.contains("waiting") && line.contains("5 left: 6s 3, 9s 2"), "{out}");
    assert!(line.contains("faan, +"), "{out}");
    let answer = json(&["advise", hand, "--seat", "S", "--seen", "6s", "--json"]);
    assert_eq!(answer["shanten"], 0);
    assert_eq!(answer["discards"][0]["discard"], "1z");
    assert_eq!(answer["discards"][0]["helps"][0], serde_json::json!({ "tile": "6s", "left": 3 }));
    assert!(answer["discards"][0]["worth"]["least"]["payments"]["S"].is_string());
    // A hand that does not wait has no range of values.
    let far = answer["discards"].as_array().unwrap().last().unwrap();
    assert_eq!((&far["shanten"], far.get("worth")), (&serde_json::json!(1), None));
}

#[test]
fn the_command_says_that_the_rest_lies_claimed_and_so_does_waits() {
    for command in ["advise", "waits"] {
        let (code, out, err) = tilelens(&[command, "123m55p67s"]);
        assert_eq!(code, 0, "{err}");
        assert!(out.contains("7 tiles: 2 more sets lie claimed"), "{out}");
        assert!(out.contains("5s") && out.contains("8s"), "{out}");
        assert!(!out.contains("faan"), "{out}");
        let (_, out, _) = tilelens(&[command, "123m456p78s99s (7'77z)"]);
        assert!(!out.contains("lie claimed"), "{out}");
    }
    assert_eq!(json(&["waits", "123m55p67s", "--json"])["unwritten_sets"], 2);
    assert_eq!(json(&["advise", "123m55p678s", "--json"])["shanten"], -1);
    // No tile completes the seven.
    assert_eq!(tilelens(&["waits", "147m55p67s"]).0, 1);
    // A hand of 14 still has no waits.
    let (code, _, err) = tilelens(&["waits", "123m456p789s11222z"]);
    assert!(code == 2 && err.contains("one tile short"), "{err}");
}

#[test]
fn both_commands_name_a_hand_that_waits_for_a_fifth_tile() {
    for command in ["advise", "waits"] {
        let (_, out, _) = tilelens(&[command, "123456789m1111z"]);
        assert!(out.contains("only for 1z, of which it holds all four: not ready"), "{out}");
        // Riichi has a word of its own.
        let (_, out, _) = tilelens(&[command, "123456789m1111z", "--rules", "riichi"]);
        assert!(out.contains("only for 1z, of which it holds all four: noten"), "{out}");
    }
    assert_eq!(tilelens(&["waits", "123456789m1111z"]).0, 1);
    let answer = json(&["advise", "123456789m1111z", "--json"]);
    assert_eq!((&answer["shanten"], &answer["not_ready"]), (&1.into(), &true.into()));
}

#[test]
fn five_of_a_tile_among_hand_and_seen_tiles_is_named_whatever_it_waits_for() {
    for command in ["advise", "waits"] {
        let (code, _, err) = tilelens(&[command, "1111m23m456p789s1z", "--seen", "1m"]);
        assert!(code == 2 && err.contains("5 1m in the hand and among the seen tiles"), "{err}");
    }
}

#[test]
fn neither_text_nor_a_picture_is_an_error() {
    let (code, _, err) = tilelens(&["advise", "nowhere.jpg"]);
    assert!(code == 2 && err.contains("neither hand text nor a picture"), "{err}");
}

#[test]
fn hands_of_five_sets_draw_with_16_tiles_and_discard_with_17() {
    assert_eq!(draws("123m456p78s99s777z234s", "taiwan", ""), (0, "6s 9s".into(), 6));
    // Set by set the rest is claimed.
    assert_eq!(draws("123m456p78s99s (7'77z) (2'34s)", "taiwan", "66s"), (0, "6s 9s".into(), 4));
    let unwritten = |text: &str| advice(text, "taiwan", "").unwrap().unwritten_sets;
    assert_eq!(unwritten("123m456p78s99s777z"), 1);
    assert_eq!(unwritten("1z"), 5);
    assert_eq!(unwritten("123m456p55p67s (7'77z)"), 1);
    let found = advice("123m456p45s99s1z777z678m", "taiwan", "6s").unwrap();
    let Turn::Discard { missing, discards } = found.turn else { panic!() };
    assert_eq!((missing, found.unwritten_sets), (1, 0));
    assert_eq!(discards[0].tile.to_string(), "1z");
    assert_eq!((discards[0].after.shanten(), discards[0].after.left()), (0, 7));
    let refused = advice("123456789m123456789p", "taiwan", "").unwrap_err();
    assert!(refused.contains("18 tiles"), "{refused}");
    // Seven pairs and a pung are a ruling.
    assert!(draws("1133m5577m2288p4466s", "taiwan", "").0 > 0);
    let rules = RuleSet::preset("taiwan").unwrap();
    let pairs = rules.with_rulings([("taiwan.seven_pairs_and_pung", "eight")]).unwrap();
    let reading: Reading = "1133m5577m2288p4466s".parse().unwrap();
    let Turn::Draw(standing) =
        advise(&reading, &[], Shape::of(&pairs, size(&reading))).unwrap().turn
    else {
        panic!()
    };
    assert_eq!((standing.shanten(), standing.left()), (0, 16));
}

#[test]
fn the_worth_of_sixteen_tiles_is_that_of_their_waits() {
    let rules = RuleSet::preset("taiwan").unwrap();
    let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
    let waiting: Reading = "123m456p78s99p234s456m".parse().unwrap();
    let found = worth(rules, &waiting, &[], &at).unwrap();
    let gain =
        |value: &tilelens::rules::Value| value.payments.of(Seat::South).unwrap().to_integer();
    // Claimed: all chows and concealed, 3 tai, from East one more. Self-drawn: 3 tai from each.
    assert_eq!((gain(&found.least), gain(&found.most)), (160, 500));
    let waits = rules.waits(&waiting, &[], &at).unwrap();
    assert_eq!(waits.iter().map(|wait| wait.tile.to_string()).collect::<Vec<_>>(), ["6s", "9s"]);
    let error = rules.waits(&"123m456p78s99p234s".parse().unwrap(), &[], &at).unwrap_err();
    assert!(error.to_string().contains("13 tiles mean that 1 of the sets are claimed"), "{error}");
    let error = rules.waits(&"123m456p789s99p234s4m".parse().unwrap(), &[], &at).unwrap_err();
    assert!(error.to_string().contains("15 tiles, expected 16"), "{error}");
}

#[test]
fn distances_to_seven_pairs_and_a_pung_are_those_of_single_steps() {
    let targets = Targets::NONE.with(Target::PairsAndPung);
    let distance = |held: &Counts| tiles_missing_of_concealed(held, targets).unwrap();
    let complete = |held: &Counts| {
        let odd: Vec<&u8> = held.iter().filter(|held| **held % 2 == 1).collect();
        odd == [&3]
    };
    let mut dice = Dice(56);
    for round in 0..3_000 {
        let mut held = draw(&mut dice, 16, round % 2 == 0);
        if round % 3 != 0 {
            // Near ones: pairs, and a few tiles besides.
            held = [0; 34];
            for _ in 0..7 {
                let face = dice.below(34);
                held[face] = 2.max(held[face]);
            }
            while held.iter().sum::<u8>() < 16 {
                let face = dice.below(34);
                held[face] = (held[face] + 1).min(4);
            }
        }
        let with = |face: usize| {
            let mut held = held;
            held[face] += 1;
            held
        };
        let drawn = || (0..34).filter(|face| held[*face] < 4).map(with);
        let nearest = drawn().map(|held| distance(&held)).min().unwrap();
        assert_eq!(distance(&held), nearest + 1, "{held:?}");
        for held in drawn().take(3) {
            let left = (0..34).filter(|face| held[*face] > 0).map(|face| {
                let mut held = held;
                held[face] -= 1;
                distance(&held)
            });
            assert_eq!(distance(&held) == 0, complete(&held), "{held:?}");
            if !complete(&held) {
                assert_eq!(Some(distance(&held)), left.min(), "{held:?}");
            }
        }
    }
}

//! Properties of every hand: payments sum to zero, order does not matter, a second and slower
//! way of dividing hands agrees, raising an item's value never lowers a score.

use std::collections::BTreeSet;

use crate::support::random::{
    Dice, allowed_hand, circumstances, complete_hand, complete_hand_of, with_flowers,
};
use proptest::prelude::*;
use tilelens::{
    hand::{Arrangement, Form, Forms, Hand, Meld, Reading, for_each_arrangement},
    rules::{Circumstances, Halves, PRESETS, Payments, RuleSet, Score},
    tile::{Face, Seat},
};

fn sum(payments: &Payments) -> String {
    let mut total = num_rational::Ratio::from_integer(0);
    for (_, amount) in payments.iter() {
        total += amount;
    }
    total.to_string()
}

/// A hand that a rule set allows, and how it was won; the same for a seed.
fn random_hand(rules: &RuleSet, seed: u64) -> (Hand, Circumstances) {
    let mut dice = Dice(seed);
    let claims = dice.chance(50);
    allowed_hand(&mut dice, rules, claims)
}

/// Every preset with a hand that it allows, and with flowers where they count.
fn each_preset(seed: u64) -> impl Iterator<Item = (&'static RuleSet, Hand, Circumstances)> {
    RuleSet::presets().map(move |rules| {
        let (hand, at) = random_hand(rules, seed);
        let flowers = rules.plays_bonus_tiles() && seed.is_multiple_of(2);
        let hand = if flowers { with_flowers(&mut Dice(!seed), &hand) } else { hand };
        (rules, hand, at)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn payments_sum_to_zero(seed: u64) {
        for (rules, hand, at) in each_preset(seed) {
            if let Ok(value) = rules.value(&hand, &at) {
                prop_assert_eq!(sum(&value.payments), "0", "{} {}", &rules.id, hand);
            }
        }
    }

    #[test]
    fn the_full_score_has_the_totals_of_the_quick_one(seed: u64) {
        for (rules, hand, at) in each_preset(seed) {
            let full = rules.score(&hand, &at);
            match (full, rules.value(&hand, &at)) {
                (Ok(full), Ok(quick)) => {
                    prop_assert_eq!(full.value, quick);
                    // Yakuman are listed as multiples, points may be worth faan.
                    let listed = !quick.limit && (quick.points.is_none() || rules.points_choose_score());
                    if listed {
                        // The flowers of a sum of its own are listed as points.
                        let in_faan = full.items.iter().filter(|item| item.unit == rules.unit);
                        let items = in_faan.fold(Halves::ZERO, |sum, item| sum + item.value);
                        prop_assert_eq!(items.min(rules.maximum()), quick.faan, "{} {}", &rules.id, hand);
                    }
                }
                (Err(full), Err(quick)) => prop_assert_eq!(full, quick.into()),
                (full, quick) => prop_assert!(false, "{full:?} {quick:?}"),
            }
        }
    }

    #[test]
    fn the_order_of_tiles_does_not_matter(seed: u64) {
        for (rules, hand, at) in each_preset(seed) {
            let mut reading = Reading::from(&hand);
            let mut dice = Dice(!seed);
            for last in (1..reading.concealed.len()).rev() {
                reading.concealed.swap(last, dice.below(last + 1));
            }
            let shuffled: Hand = reading.to_string().parse().unwrap();
            prop_assert_eq!(rules.value(&hand, &at), rules.value(&shuffled, &at));
        }
    }

    #[test]
    fn the_order_of_sets_does_not_matter_where_no_liability_depends_on_it(seed: u64) {
        for (rules, hand, at) in each_preset(seed) {
            let mut turned: Vec<Meld> = hand.melds().collect();
            turned.reverse();
            let other = Hand::new(*hand.concealed(), &turned, hand.bonus(), hand.winning()).unwrap();
            let (one, two) = (rules.value(&hand, &at), rules.value(&other, &at));
            if rules.fields().any(|field| field == "pao") {
                // The last of the dragon or wind sets, or of all, names who pays.
                prop_assert_eq!(one.map(|v| (v.faan, v.score)), two.map(|v| (v.faan, v.score)));
            } else {
                prop_assert_eq!(one, two, "{} {}", &rules.id, hand);
            }
        }
    }

    #[test]
    fn text_and_hand_agree(seed: u64) {
        for (_, hand, _) in each_preset(seed) {
            prop_assert_eq!(hand.to_string().parse::<Hand>(), Ok(hand));
        }
    }

    #[test]
    fn a_hand_of_another_number_of_tiles_is_refused(seed: u64) {
        for rules in RuleSet::presets() {
            let mut dice = Dice(seed);
            let claims = dice.chance(50);
            let hand = complete_hand_of(&mut dice, 9 - rules.sets(), claims);
            let at = circumstances(&mut dice, &hand);
            prop_assert!(rules.value(&hand, &at).is_err());
            let refusal = rules.score(&hand, &at).unwrap_err();
            prop_assert!(refusal.is_bad_hand(), "{} {}: {}", &rules.id, hand, refusal);
        }
    }

    #[test]
    fn no_hand_is_worth_more_than_the_limit(seed: u64) {
        let hk = RuleSet::preset("hk").unwrap();
        let taiwan = RuleSet::preset("taiwan").unwrap();
        for (rules, limits) in [
            (hk, [("hk.limit", "8"), ("hk.limit", "13")]),
            (taiwan, [("taiwan.limit", "40"), ("taiwan.limit", "81")]),
        ] {
            for limit in limits {
                let limited = rules.with_rulings([limit]).unwrap();
                let (hand, at) = random_hand(rules, seed);
                let (Ok(free), Ok(held)) = (rules.score(&hand, &at), limited.score(&hand, &at)) else {
                    continue;
                };
                let items = |score: &Score| {
                    score.items.iter().fold(Halves::ZERO, |sum, item| sum + item.value)
                };
                prop_assert_eq!(held.value.faan, items(&held).min(limited.maximum()));
                // A higher limit may make another reading of the hand the best.
                prop_assert!(held.value.faan >= items(&free).min(limited.maximum()));
            }
        }
    }

    #[test]
    fn the_dealer_of_taiwan_pays_his_tai_and_others_do_not(seed: u64) {
        let taiwan = RuleSet::preset("taiwan").unwrap();
        let (hand, at) = random_hand(taiwan, seed);
        let Ok(value) = taiwan.value(&hand, &at) else { return Ok(()) };
        for (seat, amount) in value.payments.iter().filter(|(seat, _)| *seat != at.seat) {
            let pays = at.win.from().is_none_or(|from| from == seat);
            let with_dealer = Seat::East == seat || Seat::East == at.seat;
            let tai = i64::from(value.faan.0 / 2)
                + if with_dealer { 1 + 2 * i64::from(at.honba) } else { 0 };
            let expected = if pays { 100 + 20 * tai } else { 0 };
            prop_assert_eq!(amount, num_rational::Ratio::from_integer(-expected), "{} {}", hand, seat);
        }
    }
}

#[test]
fn a_default_ruling_named_equals_one_left_out() {
    for rules in RuleSet::presets() {
        let named: Vec<RuleSet> = (rules.rulings().iter())
            .map(|ruling| (ruling.id.as_str(), ruling.chosen.as_str()))
            .map(|chosen| rules.with_rulings([chosen]).unwrap())
            .collect();
        for seed in 0..2_000 {
            let (hand, at) = random_hand(rules, seed);
            let value = rules.value(&hand, &at);
            for named in &named {
                assert_eq!(value, named.value(&hand, &at), "{} {hand}", rules.id);
            }
        }
    }
}

/// Each preset, and it with one item's value raised, as a user's file would have it.
fn raised() -> Vec<(&'static RuleSet, Vec<(String, RuleSet)>)> {
    let mut all = Vec::new();
    for (id, text) in PRESETS.iter().filter(|(_, text)| !text.contains("extends =")) {
        let mut houses = Vec::new();
        let document: toml::Table = toml::from_str(text).unwrap();
        for (item, keys) in document["items"].as_table().unwrap() {
            let mut raised = toml::Table::new();
            for key in ["value", "open", "concealed"] {
                if let Some(value) = keys.get(key).and_then(toml::Value::as_integer) {
                    raised.insert(key.to_owned(), (value + 3).into());
                }
            }
            if let Some(values) = keys.get("values").and_then(toml::Value::as_array) {
                let values: Vec<i64> = values.iter().map(|v| v.as_integer().unwrap() + 3).collect();
                raised.insert("values".to_owned(), values.into());
            }
            let mut items = toml::Table::new();
            items.insert(item.clone(), raised.into());
            let mut file = toml::Table::new();
            file.insert("extends".to_owned(), (*id).into());
            file.insert("id".to_owned(), "raised".into());
            file.insert("items".to_owned(), items.into());
            let house = RuleSet::parse(&file.to_string())
                .unwrap_or_else(|error| panic!("{id} {item}: {error}"));
            houses.push((item.clone(), house));
        }
        all.push((RuleSet::preset(id).unwrap(), houses));
    }
    all
}

#[test]
fn raising_an_item_never_lowers_a_score() {
    let mut dice = Dice(7);
    for (rules, houses) in raised() {
        for round in 0..400 {
            let (hand, at) = allowed_hand(&mut dice, rules, round % 2 == 0);
            let Ok(before) = rules.value(&hand, &at) else { continue };
            for (item, house) in &houses {
                let after = house.value(&hand, &at);
                let after =
                    after.unwrap_or_else(|why| panic!("{} {item}: {hand}: {why}", rules.id));
                assert!(after.score >= before.score, "{} {item}: {hand}", rules.id);
            }
        }
    }
}

/// The groups of a reading, sorted, as text.
fn groups(hand: &Hand, arrangement: &Arrangement) -> Vec<String> {
    let text = tilelens::hand::ArrangementText { hand, arrangement }.to_string();
    let mut groups: Vec<String> =
        text.split(' ').map(|group| group.trim_start_matches('+').to_owned()).collect();
    groups.sort();
    groups
}

/// Divides concealed tiles into sets and one pair by trying every group at every tile.
fn brute(
    counts: &mut [u8; 34],
    pair: bool,
    so_far: &mut Vec<String>,
    found: &mut BTreeSet<Vec<String>>,
) {
    if counts.iter().all(|&count| count == 0) {
        if pair {
            let mut groups = so_far.clone();
            groups.sort();
            found.insert(groups);
        }
        return;
    }
    for start in 0..34 {
        let number = Face::from_index(start).unwrap().number();
        let letter = Face::from_index(start).unwrap().suit().letter();
        let mut shapes: Vec<(Vec<usize>, bool)> = vec![(vec![start; 3], false)];
        if start < 27 && number <= 7 {
            shapes.push((vec![start, start + 1, start + 2], false));
        }
        if !pair {
            shapes.push((vec![start; 2], true));
        }
        for (tiles, is_pair) in shapes {
            let mut left = *counts;
            let fits = tiles.iter().all(|&tile| {
                let there = left[tile] > 0;
                left[tile] = left[tile].saturating_sub(1);
                there
            });
            // Every division is met in every order; one that begins with the lowest tile is enough.
            let lowest = counts.iter().position(|&count| count > 0).unwrap();
            if fits && tiles[0] == lowest {
                let digits: String = tiles
                    .iter()
                    .map(|&tile| Face::from_index(tile).unwrap().number().to_string())
                    .collect();
                so_far.push(format!("{digits}{letter}"));
                brute(&mut left, pair || is_pair, so_far, found);
                so_far.pop();
            }
        }
    }
}

/// Seven pairs and a pung, by trying every face for the pung.
fn pairs_and_pung(counts: &[u8; 34]) -> Option<Vec<String>> {
    (0..34).find_map(|pung| {
        let mut rest = *counts;
        rest[pung] = rest[pung].checked_sub(3)?;
        let text = |index: usize, count: usize| {
            let face = Face::from_index(index).unwrap();
            face.number().to_string().repeat(count) + &face.suit().letter().to_string()
        };
        let mut groups = vec![text(pung, 3)];
        for (index, count) in rest.iter().enumerate() {
            groups.extend(std::iter::repeat_n(text(index, 2), usize::from(count / 2)));
        }
        groups.sort();
        (rest.iter().all(|count| count % 2 == 0) && groups.len() == 8).then_some(groups)
    })
}

#[test]
fn a_second_way_of_dividing_hands_agrees() {
    let mut dice = Dice(42);
    let mut divided = 0;
    for round in 0..14_000 {
        let sets = if round < 10_000 { 4 } else { 5 };
        let hand = complete_hand_of(&mut dice, sets, round % 2 == 0);
        let at = circumstances(&mut dice, &hand);
        let mut by_table = BTreeSet::new();
        for_each_arrangement(&hand, at.win.is_claim(), Forms::ALL, |arrangement| {
            by_table.insert(groups(&hand, arrangement));
        });
        let melds: Vec<String> = hand.melds().map(|meld| meld.seen().to_string()).collect();
        let mut by_force = BTreeSet::new();
        brute(&mut hand.concealed().clone(), false, &mut melds.clone(), &mut by_force);
        if melds.is_empty() && hand.concealed().iter().all(|count| count % 2 == 0) {
            let mut pairs = Vec::new();
            for (tile, count) in hand.concealed().iter().enumerate() {
                let face = Face::from_index(tile).unwrap();
                let text = format!("{0}{0}{1}", face.number(), face.suit().letter());
                pairs.extend(std::iter::repeat_n(text, usize::from(count / 2)));
            }
            pairs.sort();
            by_force.insert(pairs);
        }
        if sets == 5 && melds.is_empty() {
            by_force.extend(pairs_and_pung(hand.concealed()));
        }
        assert_eq!(by_table, by_force, "{hand}");
        divided += by_table.len();
    }
    assert!(divided > 14_000, "some hands divide in several ways");
}

/// The groups that the winning tile may complete, by trying every group of a reading that holds it.
#[test]
fn every_group_that_the_winning_tile_can_complete_is_tried() {
    let mut dice = Dice(3);
    let mut both = 0;
    for _ in 0..10_000 {
        let hand = complete_hand(&mut dice, false);
        let winning = hand.winning();
        // Of each division: whether the tile's pung was seen concealed, and finished by a discard.
        let mut seen: std::collections::BTreeMap<Vec<String>, (bool, bool, bool)> =
            Default::default();
        for_each_arrangement(&hand, true, Forms::NONE.with(Form::Sets), |arrangement| {
            let bit = 1u64 << winning.index();
            let entry = seen.entry(groups(&hand, arrangement)).or_default();
            let concealed = arrangement.concealed_pungs & bit != 0;
            if arrangement.own_pungs & bit != 0 {
                entry.0 |= concealed;
                entry.1 |= !concealed;
            }
            entry.2 = arrangement.own_pungs & bit != 0;
        });
        for (groups, (concealed, finished, has_pung)) in seen {
            let text = winning.to_string();
            let (digit, letter) = text.split_at(1);
            let holds = |group: &&String| group.ends_with(letter) && group.contains(digit);
            let others = groups
                .iter()
                .filter(holds)
                .filter(|group| group.chars().filter(|&c| c.to_string() == digit).count() < 3);
            let elsewhere = others.count() > 0;
            assert_eq!(finished, has_pung, "{hand}: {groups:?}");
            assert_eq!(concealed, has_pung && elsewhere, "{hand}: {groups:?}");
            both += u32::from(concealed);
        }
    }
    assert!(both > 50, "the choice is met: {both}");
}

//! Every item of every rule set: a hand that has it, and a near miss that has not.

use std::collections::BTreeSet;

use crate::lines::score;
use tilelens::rules::RuleSet;

/// Items that only losers are given: a winner's hand with them is a limit hand.
const OF_LOSERS: [(&str, &str); 2] =
    [("classical-dmjl", "big_three_dragons"), ("classical-dmjl", "big_four_winds")];

/// Items of a set that its tiles cannot make: without 2 to 8 of characters no chow is in three suits.
const IMPOSSIBLE: [(&str, &str); 1] = [("riichi-sanma", "sanshoku_doujun")];

const TABLE: &str = include_str!("../hands/items.txt");

/// Rule set, item, its value where one is given, a hand that has it, a near miss.
fn rows()
-> impl Iterator<Item = (&'static str, &'static str, Option<&'static str>, [&'static str; 2])> {
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).flat_map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [sets, item, has, lacks] = fields[..] else { panic!("four fields: {line}") };
        let (item, value) =
            item.split_once(" =").map_or((item, None), |(item, value)| (item, Some(value)));
        sets.split_whitespace().map(move |set| (set, item, value, [has, lacks]))
    })
}

/// The values of an item in a hand; `Err`: the hand does not win, with its value.
fn values(set: &str, item: &str, hand: &str) -> Result<Vec<String>, String> {
    let score = score(&set.replace('+', " "), hand).map_err(|refusal| refusal.to_string())?;
    let of_it = score.items.iter().filter(|scored| scored.id == item);
    Ok(of_it.map(|scored| scored.value.to_string()).collect())
}

#[test]
fn each_item_is_in_its_hand_and_not_in_the_near_miss() {
    let mut wrong = Vec::new();
    for (set, item, value, [has, lacks]) in rows() {
        match values(set, item, has) {
            Ok(found) if !found.is_empty() && value.is_none_or(|value| found == [value]) => {}
            found => wrong.push(format!("{set} {item} {value:?}: {has} has {found:?}")),
        }
        match values(set, item, lacks) {
            Ok(found) if found.is_empty() => {}
            Ok(found) if value.is_some_and(|value| !found.contains(&value.to_owned())) => {}
            Ok(found) => wrong.push(format!("{set} {item}: the near miss {lacks} has {found:?}")),
            // A near miss may be no winning hand at all, but it must be a hand that is allowed.
            Err(why) => assert!(
                why.contains("not a complete hand") || why.contains("minimum"),
                "{set} {item}: {lacks}: {why}"
            ),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_item_of_a_preset_is_without_a_hand() {
    let tried: BTreeSet<(&str, &str)> = rows().map(|(set, item, ..)| (set, item)).collect();
    for set in [
        "mmm",
        "ims",
        "mmm-dk",
        "hkos",
        "chumchu",
        "riichi-ema",
        "riichi",
        "mcr",
        "hk",
        "taiwan",
        "classical-bmja",
        "classical-dmjl",
        "sichuan",
        "zung-jung",
        "riichi-sanma",
    ] {
        let without = [&OF_LOSERS[..], &IMPOSSIBLE].concat();
        let items = RuleSet::preset(set).unwrap();
        for item in items.item_ids().filter(|item| !without.contains(&(set, item))) {
            assert!(tried.contains(&(set, item)), "{set} {item} has no hand in the table");
        }
    }
}

//! Every ruling of the rulebook, every way: a hand on which it matters, and who pays then.

use std::collections::BTreeSet;

use crate::lines::{payments, score};
use tilelens::rules::RuleSet;

/// Ruling, choice, hand, outcome.
const TABLE: &str = include_str!("../hands/rulings.txt");

fn rows() -> impl Iterator<Item = [&'static str; 4]> {
    TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        fields.try_into().unwrap_or_else(|_| panic!("four fields: {line}"))
    })
}

/// The rule set whose name a ruling has, or else the first that has the ruling.
fn set_of(ruling: &str) -> &'static RuleSet {
    let named = ruling.split('.').next().and_then(RuleSet::preset);
    let has = |set: &&RuleSet| set.rulings().iter().any(|known| known.id == ruling);
    named.or_else(|| RuleSet::presets().find(has)).unwrap_or_else(|| panic!("no set: {ruling}"))
}

fn outcome(rules: &str, hand: &str) -> String {
    match score(rules, hand) {
        Ok(score) => format!("{}: {}", score.value.faan, payments(&score)),
        Err(refusal) => refusal.to_string(),
    }
}

#[test]
fn every_choice_pays_as_worked_out_by_hand() {
    let mut wrong = Vec::new();
    for [ruling, choice, hand, expected] in rows() {
        let set = &set_of(ruling).id;
        let found = outcome(&format!("{set} {ruling}={choice}"), hand);
        if found != expected {
            wrong.push(format!(
                "{ruling}={choice} {hand}\n    expected {expected}\n    found    {found}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_scheme_and_liability_pays_as_worked_out_by_hand() {
    let lines = include_str!("../hands/payments.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [set, hand, expected] = fields[..] else { panic!("three fields: {line}") };
        assert_eq!(outcome(set, hand), expected, "{line}");
    }
}

#[test]
fn hands_on_which_public_programs_say_otherwise() {
    let lines = include_str!("../hands/peers.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [set, hand, here, _program, _why] = fields[..] else { panic!("five fields: {line}") };
        let score = score(set, hand).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
        assert_eq!(score.value.faan.to_string(), here, "{line}");
    }
}

#[test]
fn every_choice_of_every_ruling_is_tried() {
    let tried: BTreeSet<(&str, &str)> =
        rows().map(|[ruling, choice, ..]| (ruling, choice)).collect();
    for rules in [
        "mmm",
        "ims",
        "mmm-dk",
        "hkos",
        "chumchu",
        "riichi",
        "mcr",
        "hk",
        "taiwan",
        "zung-jung",
        "riichi-sanma",
    ]
    .map(|id| RuleSet::preset(id).unwrap())
    {
        for ruling in rules.rulings() {
            for choice in &ruling.choices {
                assert!(tried.contains(&(&ruling.id, choice)), "{} {choice}", ruling.id);
            }
        }
    }
}

#[test]
fn a_default_named_equals_one_left_out() {
    for [ruling, choice, hand, expected] in rows() {
        let rules = set_of(ruling);
        let found = rules.rulings().iter().find(|known| known.id == ruling).unwrap();
        assert_eq!(found.choices[0], found.chosen, "{ruling}: the default stands first");
        if *choice == *found.chosen {
            assert_eq!(outcome(&rules.id, hand), expected, "{ruling}");
        }
    }
}

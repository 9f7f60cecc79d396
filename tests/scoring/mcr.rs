//! The Mahjong Competition Rules by the engine and by a second, naive scorer (`naive_mcr.rs`) on
//! random hands. `TILELENS_NAIVE_HANDS=50000` tries more than the few of every run.

use crate::naive_mcr::{KnittedWait, Kongs, Rulings, fans, payments};
use crate::support::random::{Dice, varied_circumstances, varied_hand};
use num_rational::Ratio;
use tilelens::{
    hand::Hand,
    rules::{Circumstances, Halves, NoWin, RuleSet, ScoreError},
};

const HANDS: usize = 2_000;

/// How many hands are tried.
fn hands() -> usize {
    let given = std::env::var("TILELENS_NAIVE_HANDS").ok();
    given.map_or(HANDS, |number| number.parse().expect("TILELENS_NAIVE_HANDS is a number"))
}

/// Random choices of every ruling, and the engine's rule set under them.
fn rulings(dice: &mut Dice) -> (Rulings, RuleSet) {
    let mut naive = Rulings::DEFAULT;
    let kongs = dice.below(3);
    let waits = dice.below(3);
    naive.kongs = [Kongs::Wmo, Kongs::China, Kongs::Of1998][kongs];
    naive.knitted_wait = [KnittedWait::Rest, KnittedWait::Single, KnittedWait::None][waits];
    let mut chosen = vec![
        ("mcr.kongs", ["wmo", "china", "1998"][kongs]),
        ("mcr.knitted_wait", ["rest", "single", "none"][waits]),
    ];
    let switches: [(&mut bool, &str, [&str; 2]); 7] = [
        (&mut naive.exhausted_wait, "mcr.exhausted_wait", ["no", "yes"]),
        (&mut naive.forced_tile_hogs, "mcr.seven_pairs_tile_hog", ["not_forced", "all"]),
        (&mut naive.one_pung_beside_nine_gates, "mcr.nine_gates_pung", ["none", "one"]),
        (&mut naive.all_terminals_double_pung, "mcr.all_terminals_double_pung", ["no", "yes"]),
        (&mut naive.terminals_triple_pung, "mcr.terminals_triple_pung", ["no", "yes"]),
        (
            &mut naive.kongs_and_concealed_pungs,
            "mcr.kongs_and_concealed_pungs",
            ["pungs_only", "both"],
        ),
        (&mut naive.flowers, "mcr.flowers", ["not_used", "used"]),
    ];
    for (switch, ruling, choices) in switches {
        let choice = dice.below(2);
        *switch = choice == 1;
        chosen.push((ruling, choices[choice]));
    }
    let rules = RuleSet::preset("mcr").unwrap().with_rulings(chosen).unwrap();
    (naive, rules)
}

/// Fans as text, the one-point pairs of chows under one name: which of equal ones is named is free.
fn named<'a>(fans: impl Iterator<Item = (&'a str, i32)>) -> String {
    let pairs = ["pure_double_chow", "mixed_double_chow", "short_straight", "two_terminal_chows"];
    let mut all: Vec<String> = fans
        .map(|(id, value)| format!("{} {value}", if pairs.contains(&id) { "chows" } else { id }))
        .collect();
    all.sort();
    all.join(", ")
}

/// Where the engine and the naive scorer differ on a hand; nothing where they agree.
fn difference(hand: &Hand, at: &Circumstances, naive: Rulings, rules: &RuleSet) -> Option<String> {
    let (fans, flowers) = fans(hand, at, naive).expect("a complete hand");
    let worth: i32 = fans.iter().map(|(_, value)| value).sum();
    let total = worth + flowers;
    let differs = |what: String| Some(format!("{hand} {at:?} {naive:?}: {what}"));
    match rules.score(hand, at) {
        Err(ScoreError::NoWin(NoWin::BelowMinimum { faan, .. })) => {
            let same = worth < 8 && faan == Halves::whole(worth);
            if same { None } else { differs(format!("refused at {faan}; here {fans:?}")) }
        }
        Err(refusal) => differs(format!("{refusal}")),
        Ok(score) => {
            let value = score.value;
            let amounts = payments(total, at).map(Ratio::from_integer);
            let here =
                named(fans.into_iter().chain((flowers > 0).then_some(("flower_tiles", flowers))));
            let there = named(score.items.iter().map(|item| (item.id.as_str(), item.value.0 / 2)));
            let same = worth >= 8
                && value.faan == Halves::whole(total)
                && value.payments.iter().map(|(_, amount)| amount).eq(amounts)
                && here == there;
            if same { None } else { differs(format!("\n  engine {there}\n  naive  {here}")) }
        }
    }
}

fn compare(seed: u64, any_rulings: bool) {
    let mut dice = Dice(seed);
    let (mut naive, mut rules) =
        (Rulings::DEFAULT, RuleSet::preset("mcr").unwrap().with_rulings([]).unwrap());
    let mut different = Vec::new();
    for tried in 0..hands() / 2 {
        if any_rulings && tried % 50 == 0 {
            (naive, rules) = rulings(&mut dice);
        }
        let hand = varied_hand(&mut dice);
        let at = varied_circumstances(&mut dice, &hand);
        if rules.check(&hand, &at).is_ok() {
            different.extend(difference(&hand, &at, naive, &rules));
        }
    }
    assert!(
        different.is_empty(),
        "{} differ:\n{}",
        different.len(),
        different[..different.len().min(20)].join("\n")
    );
}

#[test]
fn a_naive_scorer_finds_the_same_fans() {
    compare(51, false);
}

#[test]
fn a_naive_scorer_finds_the_same_fans_under_any_rulings() {
    compare(52, true);
}

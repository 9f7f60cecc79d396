//! Rule files: read or refused, and one that reads scores a hand.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::{
    hand::Hand,
    rules::{Circumstances, RuleSet, Win},
    tile::Seat,
};

fuzz_target!(|text: &str| {
    if let Ok(rules) = RuleSet::parse(text) {
        let hand: Hand = "123m456m789p23s55s +4s".parse().expect("a hand");
        let at = Circumstances::new(Seat::East, Seat::East, Win::SelfDraw);
        let _ = rules.explain(&hand, &at, None, false);
        let _ = (rules.markdown(), rules.check_choices());
    }
});

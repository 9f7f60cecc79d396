//! What a hand is said to be worth, and numbers as people write them: read or refused, and what is read is
//! paid or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::{
    points::{Points, read_fraction},
    rules::{Circumstances, RuleSet, Win},
    tile::Seat,
};

fuzz_target!(|text: &str| {
    if let Ok(points) = text.parse::<Points>() {
        assert_eq!(points.to_string().parse(), Ok(points));
        assert_eq!(points.mixed().parse(), Ok(points));
    }
    let _ = read_fraction(text);
    let at = Circumstances::new(Seat::South, Seat::East, Win::Discard { from: Seat::North });
    for rules in RuleSet::presets() {
        if let Ok(worth) = rules.read_worth(text) {
            let _ = (rules.value_of(worth, &at), rules.steps_of(worth, &at));
        }
    }
});

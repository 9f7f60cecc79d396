//! Hand text and named sets: what reads prints and reads back the same; a legal hand too.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::{
    appraisal::NamedSet,
    hand::{Hand, Reading},
};

fuzz_target!(|text: &str| {
    if let Ok(reading) = text.parse::<Reading>() {
        assert_eq!(reading.to_string().parse(), Ok(reading.clone()));
        if let Ok(hand) = Hand::try_from(&reading) {
            assert_eq!(hand.to_string().parse(), Ok(hand));
        }
    }
    if let Ok(set) = text.parse::<NamedSet>() {
        assert_eq!(set.to_string().parse(), Ok(set));
    }
});

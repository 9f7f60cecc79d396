//! Requests: any line has an answer, and whoever is paid is paid by the others.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::rules::{Library, Reply};

fuzz_target!(|line: &str| {
    let Reply::Win(answer) = Library::default().answer(line, false) else { return };
    if let Ok(score) = &answer.explained.outcome {
        let amounts = score.value.payments.iter().map(|(_, amount)| amount);
        let sum = amounts.reduce(|a, b| a + b).expect("somebody sits there");
        assert_eq!(*sum.numer(), 0);
    }
});

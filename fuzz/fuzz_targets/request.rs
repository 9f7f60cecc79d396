//! Requests: any line has an answer, and whoever is paid is paid by the others.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::rules::Library;

fuzz_target!(|line: &str| {
    let answer = Library::default().answer(line, false);
    if let Ok(score) = &answer.explained.outcome {
        let sum = score.value.payments.iter().map(|(_, amount)| amount).fold(0.into(), |a, b| a + b);
        assert_eq!(sum, 0.into());
    }
});

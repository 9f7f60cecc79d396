//! Tournaments' files: read or refused; one that reads has standings and pages, and is the same when
//! written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::tournament::{Log, What};

fuzz_target!(|text: &str| {
    let Ok(mut log) = Log::parse(text) else { return };
    assert_eq!(Log::parse(&log.to_json()).as_ref(), Ok(&log));
    let state = log.tournament().expect("it stands");
    let _ = (state.standings(), state.result_lines(), state.sheets(None, &jiff::tz::TimeZone::UTC));
    if let Some(last) = log.last_to_undo().map(|event| event.id) {
        let what = What::Undone { undone: last };
        let _ = log.append(jiff::Timestamp::UNIX_EPOCH, "fuzz", [what]);
    }
});

//! Tournaments' logs: replayed or refused; one that holds has standings and pages, and is the same when
//! written and read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::tournament::{Event, Log, Recorded};

fuzz_target!(|text: &str| {
    let Ok(events) = serde_json::from_str::<Vec<Recorded>>(text) else { return };
    let Ok(mut log) = Log::replay(events) else { return };
    let text = serde_json::to_string(log.events()).expect("JSON");
    let again = Log::replay(serde_json::from_str::<Vec<Recorded>>(&text).expect("its own JSON"));
    assert_eq!(again.as_ref(), Ok(&log));
    let Ok(state) = log.tournament() else { return };
    let _ = (state.standings(), state.result_lines(), state.sheets(None, &jiff::tz::TimeZone::UTC, tilelens::words::Language::ENGLISH));
    if let Some(event) = log.last_to_undo().map(|last| last.seq) {
        let _ = log.append(jiff::Timestamp::UNIX_EPOCH, "fuzz", Event::Undone { event });
    }
});

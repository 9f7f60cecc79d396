//! Any log is replayed or refused, and so is whatever comes next.
#![no_main]

use libfuzzer_sys::fuzz_target;
use jiff::tz::TimeZone;
use tilelens::table::{Recorded, Table};

fuzz_target!(|text: &str| {
    let Ok(events) = serde_json::from_str::<Vec<Recorded>>(text) else { return };
    let mut table = Table::new(1);
    for recorded in events {
        let _ = table.fits(&recorded.event);
        let _ = table.doubts(&recorded.event, recorded.at);
        let _ = table.complete(recorded.event.clone(), recorded.at);
        let _ = table.push(recorded);
    }
    if let Ok(state) = table.state() {
        let _ = (state.to_csv(&TimeZone::UTC), serde_json::to_string(state));
    }
});

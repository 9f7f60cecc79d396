//! Lists of people, CSV or JSON: read or refused, and what reads survives a spreadsheet.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::tournament::{Format, Log, What, read_entrants, read_results, to_csv};

fuzz_target!(|bytes: &[u8]| {
    let format = Box::new(Format::preset("chumchu").expect("a preset"));
    let begun = What::Begun { name: "Fuzz".into(), rules: "chumchu".into(), format };
    let mut log = Log::begin(jiff::Timestamp::UNIX_EPOCH, "fuzz", begun).expect("it begins");
    let begun = log.tournament().expect("it stands");
    let _ = read_results(bytes, &begun);
    if let Ok(entrants) = read_entrants(bytes) {
        let what = What::Entered { entrants: entrants.clone() };
        let state = log.append(jiff::Timestamp::UNIX_EPOCH, "fuzz", [what]).expect("names differ");
        let csv = to_csv(&state.person_lines()).expect("CSV");
        assert_eq!(read_entrants(csv.as_bytes()).expect("its own CSV"), entrants);
        assert_eq!(Log::parse(&log.to_json()).expect("its own file"), log);
    }
});

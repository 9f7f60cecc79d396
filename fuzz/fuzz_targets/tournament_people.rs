//! Lists of people, CSV or JSON: read or refused, and what reads survives a spreadsheet.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tilelens::{
    rules::RuleSet,
    tournament::{Event, Format, Log, read_entrants, read_results, to_csv},
};

fuzz_target!(|bytes: &[u8]| {
    let chumchu = RuleSet::preset("chumchu").expect("a preset");
    let begun = Event::Begun {
        name: "Fuzz".into(),
        rules: "chumchu".into(),
        rule_file: None,
        rulings: Vec::new(),
        format: Box::new(Format::of(chumchu, chumchu).expect("it says how")),
    };
    let mut log = Log::default();
    let at = jiff::Timestamp::UNIX_EPOCH;
    let begun = log.append(at, "fuzz", begun).expect("it begins");
    let _ = read_results(bytes, begun);
    if let Ok(entrants) = read_entrants(bytes) {
        let event = Event::Entered { entrants: entrants.clone() };
        let state = log.append(at, "fuzz", event).expect("names differ");
        let csv = to_csv(&state.person_lines()).expect("CSV");
        assert_eq!(read_entrants(csv.as_bytes()).expect("its own CSV"), entrants);
        assert_eq!(Log::replay(log.events().to_vec()).expect("its own log"), log);
    }
});

//! Any text is a game's log or is refused with its place; its record reads as the same events again, and a log of riichi is played
//! again or refused.
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use tilelens::{
    convert::log::{GameLog, LogFormat, read},
    game_log, page,
    rules::RuleSet,
    table::{Opened, Seated},
};

fuzz_target!(|text: &str| {
    let Ok(record) = read(text) else { return };
    for format in LogFormat::ALL {
        let Ok(written) = format.print(&record) else { continue };
        let again = read(&written.value);
        if format == LogFormat::Jsonl {
            assert_eq!(again.map(|again| again.events), Ok(record.events.clone()));
        }
    }
    let rules = RuleSet::preset("riichi").expect("a preset");
    let _ = page::replay::replay(&record, rules, None);
    let Ok(log) = GameLog::of(&record) else { return };
    let players = game_log::names(&log).into_iter();
    let opened = Opened {
        title: None,
        rules: "riichi".to_owned(),
        rule_file: None,
        rulings: Vec::new(),
        players: players.map(|name| Seated { name, ..Seated::default() }).collect(),
        initial: None,
        sitting: None,
        penalties: None,
        clock: None,
    };
    let _ = game_log::replay(&log, opened, Timestamp::UNIX_EPOCH);
});

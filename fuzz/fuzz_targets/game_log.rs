//! Any text is a game's log or is refused with its place, and a log is played again or refused.
#![no_main]

use jiff::Timestamp;
use libfuzzer_sys::fuzz_target;
use tilelens::{
    convert::log::GameLog,
    game_log,
    table::{Opened, Seated},
};

fuzz_target!(|text: &str| {
    let Ok(log) = GameLog::read(text) else { return };
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

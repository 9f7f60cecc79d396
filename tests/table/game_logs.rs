//! Games that other programs have logged, imported. `logs/calls.mjson` was played by RiichiEnv 0.4.11, and has every kind
//! of call, and `tests/peers/mjlog.py` has written `logs/calls.mjlog` from it; `logs/majiang.json` by Majiang's programs, whose `tenhou-url-log` 1.x has written `logs/tenhou.json` from it.

use std::path::PathBuf;

use serde_json::Value;
use tilelens::{
    convert::log::{GameLog, LoggedEnd},
    rules::Fact,
};

use crate::support::organiser::Evening;

pub fn text(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/table/logs");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// Imports a log into a new ledger; exit code, standard output, standard error.
fn import(evening: &Evening, log: &str, more: &[&str]) -> (i32, String, String) {
    evening.write("game.log", log.as_bytes());
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
    command.current_dir(evening.folder.path()).args(["table", "import", "games.tlg", "game.log"]);
    let output = command.args(more).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn empty() -> Evening {
    Evening { folder: tempfile::tempdir().unwrap() }
}

#[test]
fn a_game_reads_the_same_in_majiangs_and_in_tenhous_form() {
    let majiang = GameLog::read(&text("majiang.json")).unwrap();
    let tenhou = GameLog::read(&text("tenhou.json")).unwrap();
    assert_eq!(majiang.names.len(), 4);
    assert_eq!(majiang, tenhou);
    let wins = majiang.deals.iter().filter_map(|deal| match &deal.end {
        LoggedEnd::Won(wins) => Some(wins),
        LoggedEnd::Drawn { .. } => None,
    });
    let wins: Vec<_> = wins.flatten().collect();
    assert!(wins.iter().any(|win| win.facts.has(Fact::Riichi)), "somebody has declared riichi");
    assert!(wins.iter().any(|win| !win.hand.sets.is_empty()), "somebody has claimed");
}

#[test]
fn each_form_is_paid_by_our_rules_as_its_program_paid_it() {
    for (name, deals) in
        [("calls.mjson", 4), ("calls.mjlog", 4), ("majiang.json", 5), ("tenhou.json", 5)]
    {
        let evening = empty();
        let (code, out, error) = import(&evening, &text(name), &[]);
        assert_eq!(code, 0, "{name}: {error}");
        let said = format!("{deals} deals, paid otherwise in the log: 0");
        assert!(out.starts_with(&said), "{name}: {out}");
        // It is a table like every other.
        let table = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"))
            .current_dir(evening.folder.path())
            .args(["table", "export", "games.tlg", "--format", "json"])
            .output()
            .unwrap();
        let table: Value = serde_json::from_slice(&table.stdout).unwrap();
        assert_eq!(table["table"]["history"].as_array().unwrap().len(), deals, "{name}");
    }
}

#[test]
fn what_a_log_paid_otherwise_is_listed_with_both_payments() {
    let log = text("calls.mjson");
    let line = log.lines().find(|line| line.contains("\"hora\"")).unwrap();
    let mut event: Value = serde_json::from_str(line).unwrap();
    let paid: Vec<i64> =
        event["deltas"].as_array().unwrap().iter().map(|paid| paid.as_i64().unwrap()).collect();
    event["deltas"] = paid.iter().map(|paid| 2 * paid).collect();
    let (code, out, error) = import(&empty(), &log.replacen(line, &event.to_string(), 1), &[]);
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("paid otherwise in the log: 1\n"), "{out}");
    let number = log.lines().take_while(|other| *other != line).count() + 2;
    assert!(out.contains(&format!("(line {number}): the log ")), "{out}");
}

#[test]
fn a_log_that_does_not_hold_is_refused_with_its_place_and_leaves_no_file() {
    let log = text("calls.mjson");
    let lines: Vec<&str> = log.lines().collect();
    let start = lines.iter().position(|line| line.contains("start_kyoku")).unwrap();
    let discard = lines.iter().position(|line| line.contains("dahai")).unwrap();
    let with = |place: usize, line: &str| {
        let mut changed = lines.clone();
        changed[place] = line;
        changed.join("\n")
    };
    let without = |event: &str| {
        let others = lines.iter().filter(|line| !line.contains(event));
        others.copied().collect::<Vec<_>>().join("\n")
    };
    let honba = lines[start].replace("\"honba\": 0", "\"honba\": 3");
    let won = lines.iter().position(|line| line.contains("\"hora\"")).unwrap();
    let mut much: Value = serde_json::from_str(lines[won]).unwrap();
    much["deltas"] = serde_json::json!([i64::MAX, 0, 0, i64::MIN]);
    let much = much.to_string();
    let majiang = text("majiang.json");
    for (log, says) in [
        (
            lines[..lines.len() / 2].join("\n"),
            "the end: the deal before does not end: the log is cut off",
        ),
        (without("\"hora\""), "the deal before does not end"),
        (with(discard, r#"{"type":"dahai","actor":0,"pai":"?"}"#), "nobody has ? here"),
        (with(discard, r#"{"type":"dahai","actor":0,"pai":"5q"}"#), "`5q` is no tile"),
        (with(discard, r#"{"type":"dahai","actor":4,"pai":"1m"}"#), "no player from 0 to 3"),
        (with(discard, r#"{"type":"nukidora","actor":0,"pai":"N"}"#), "no event `nukidora`"),
        (with(discard, "{"), "no mjai event"),
        (with(start, &honba), "the log plays East 1, 3 counters"),
        (with(won, &much), "`deltas` are not four numbers"),
        ("<mjloggm ver=\"2.3\">".to_owned(), "the XML: the root node was opened but never closed"),
        ("<html/>".to_owned(), "<html> instead of Tenhou's <mjloggm>"),
        (text("calls.mjlog").replacen("<T21", "<X21", 1), "no tag X21 is known"),
        ("{\"log\":[]}".to_owned(), "no deal that was played to its end"),
        ("{\"log\":[[[0,0,0]]]}".to_owned(), "deal 1: a deal of too few parts"),
        (majiang.replacen("\"zimo\"", "\"zimu\"", 1), "deal 1, event 2: no event `zimu`"),
    ] {
        let evening = empty();
        let (code, _, error) = import(&evening, &log, &[]);
        assert!(code == 2 && error.contains(says), "{says}: {code} {error}");
        assert!(!evening.path("games.tlg").exists(), "{says}");
    }
    let (_, _, error) =
        import(&empty(), &with(discard, r#"{"type":"dahai","actor":4,"pai":"1m"}"#), &[]);
    assert!(error.contains(&format!("line {}", discard + 1)), "{error}");
}

#[test]
fn a_log_of_four_is_refused_by_rules_for_three() {
    let evening = empty();
    let (code, _, error) = import(&evening, &text("calls.mjson"), &["--rules", "riichi-sanma"]);
    assert!(code == 2 && error.contains("the beginning"), "{code} {error}");
    assert!(!evening.path("games.tlg").exists());
}

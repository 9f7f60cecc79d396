//! Reports about entries at the prompt of an evening that were taken for something else.

#![cfg(feature = "ledger")]

use assert_cmd::Command;

fn tilelens() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tilelens"))
}

/// An evening of riichi of these players, East first, with these lines at the prompt; the table, or the refusal.
fn evening(players: &str, lines: &str) -> Result<String, String> {
    evening_of("riichi", players, lines)
}

/// The same under other rules.
fn evening_of(rules: &str, players: &str, lines: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let mut new = tilelens();
    new.args(["table", "new"]).arg(&file).args(["--rules", rules, "--players", players]);
    new.assert().success();
    let mut prompt = tilelens();
    prompt.args(["table", "evening"]).arg(&file).write_stdin(lines.to_owned());
    let out = prompt.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if out.status.success() { Ok(text(&out.stdout)) } else { Err(text(&out.stderr)) }
}

/// `e t 3/30` with Emil on South was East's win.
#[test]
fn a_letter_that_may_be_a_seat_or_a_name_is_refused() {
    let players = "Ann,Emil,Cy,Sven";
    let refused = evening(players, "e cy 3/30\n").unwrap_err();
    assert!(refused.contains("`e` may be Ann, who sits East, or Emil"), "{refused}");
    assert!(refused.contains("write east"), "{refused}");
    for line in ["east cy 3/30", "em cy 3/30", "a cy 3/30", "w a 3/30"] {
        assert!(evening(players, line).is_ok(), "{line}");
    }
    // Emil sits East: both readings are the same player.
    assert!(evening("Emil,Bo,Cy,Di", "e cy 3/30\n").is_ok());
}

#[test]
fn a_beginning_that_two_players_share_names_both() {
    let refused = evening("Anna,Anders,Cy,Di", "an cy 3/30\n").unwrap_err();
    assert!(refused.contains("`an` begins Anna and Anders: write more of the name"), "{refused}");
    // A whole name is a player although another name begins with it.
    assert!(evening("Ann,Anna,Cy,Di", "ann cy 3/30\n").is_ok());
}

#[test]
fn a_cause_after_d_is_an_abortive_draw() {
    assert!(evening("Ann,Bo,Cy,Di", "d four_winds\n").is_ok());
    let refused = evening("Ann,Bo,Cy,Di", "d five_winds\n").unwrap_err();
    assert!(refused.contains("who is `five_winds`"), "{refused}");
}

/// `e s mangan` was no entry.
#[test]
fn a_limit_is_entered_by_its_name() {
    let players = "Ann,Bo,Cy,Di";
    for (line, paid) in [
        ("e s mangan", "37000"),
        ("bo di Mangan cy baiman", "41000"),
        ("bo di kazoe yakuman", "57000"),
        ("bo di 2 yakuman", "89000"),
        ("bo di 満貫", "33000"),
    ] {
        let table = evening(players, &format!("{line}\n")).unwrap();
        assert!(table.contains(paid), "{line}: {table}");
    }
    let refused = evening_of("mmm", players, "e s mangan\n").unwrap_err();
    assert!(refused.contains("`mangan` is not a worth: expected faan such as 7"), "{refused}");
    let refused = evening(players, "e s half a limit\n").unwrap_err();
    assert!(refused.contains("`half a limit` is not a worth"), "{refused}");
    let refused = evening(players, "penality bo --cause late\n").unwrap_err();
    assert!(refused.contains("help"), "{refused}");
}

/// With three in riichi `--abortive four_riichi` was written, and the prompt could not say who they were.
#[test]
fn four_riichi_are_entered_with_their_players() {
    let players = "Ann,Bo,Cy,Di";
    let table = evening(players, "d four_riichi r ann bo cy di\n").unwrap();
    assert!(table.contains("four riichi") && table.contains("riichi: Ann, Bo, Cy, Di"), "{table}");
    for line in ["d four_riichi r ann bo cy", "draw --abortive four_riichi --riichi ann,bo,cy"] {
        let refused = evening(players, &format!("{line}\n")).unwrap_err();
        assert!(refused.contains("4 players are in riichi then, and 3 are given"), "{refused}");
        assert!(evening(players, &format!("{line}!\n")).is_ok(), "{line}");
    }
}

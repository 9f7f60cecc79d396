//! Reports about entries at the prompt of an evening that were taken for something else.
#![cfg(feature = "ledger")]

use assert_cmd::Command;

fn tilelens() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tilelens"))
}

/// An evening of these players, East first, with these lines at the prompt; the table, or the refusal.
fn evening(players: &str, lines: &str) -> Result<String, String> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let mut new = tilelens();
    new.args(["table", "new"]).arg(&file).args(["--rules", "riichi", "--players", players]);
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

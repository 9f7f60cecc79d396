//! The program as people and other programs call it: output, errors, exit codes.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process,
    sync::mpsc,
    thread,
    time::Duration,
};

use assert_cmd::Command;
use serde_json::Value as Json;

/// Runs the program: exit code, standard output, standard error.
fn tilelens(arguments: &[&str], input: &str) -> (i32, String, String) {
    let mut command = Command::cargo_bin("tilelens").expect("the program is built");
    let output = command.args(arguments).write_stdin(input).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

const HAND: &str = "123m456m789p23s55s +4s";

/// A bot asks, looks at the answer, and asks again.
#[test]
fn each_request_of_a_bot_is_answered_before_the_next_one_comes() {
    let mut program = process::Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["score", "--batch", "-", "--brief"])
        .stdin(process::Stdio::piped())
        .stdout(process::Stdio::piped())
        .spawn()
        .unwrap();
    let (mut asks, answers) = (program.stdin.take().unwrap(), program.stdout.take().unwrap());
    let (came, answered) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in BufReader::new(answers).lines().map_while(Result::ok) {
            came.send(line).unwrap();
        }
    });
    let request = |hand: &str| {
        format!(r#"{{"rules":"mmm","hand":"{hand}","seat":"W","round":"E","win":"self_draw"}}"#)
    };
    for (hand, ok) in [(HAND, true), ("1m", false), (HAND, true)] {
        writeln!(asks, "{}", request(hand)).unwrap();
        let answer = answered.recv_timeout(Duration::from_secs(60)).expect("an answer");
        assert_eq!(serde_json::from_str::<Json>(&answer).unwrap()["ok"], ok, "{answer}");
    }
    // Several lines at once, the last one in two parts.
    let (first, rest) = (request(HAND), request("1m"));
    let (start, end) = rest.split_at(20);
    write!(asks, "{first}\n{start}").unwrap();
    assert!(
        answered.recv_timeout(Duration::from_secs(60)).expect("an answer").contains(r#""ok":true"#)
    );
    writeln!(asks, "{end}").unwrap();
    assert!(
        answered.recv_timeout(Duration::from_secs(60)).expect("an answer").contains("bad_hand")
    );
    drop(asks);
    assert!(program.wait().unwrap().success());
    reader.join().unwrap();
}

#[test]
fn a_person_sees_items_and_payments() {
    let (code, out, _) = tilelens(
        &["score", "12345678m111z44z +9m", "--rules", "mmm", "--seat", "E", "--self-draw"],
        "",
    );
    assert_eq!(code, 0);
    for text in ["own wind pung", "one suit and honors", "score 440", "receives 660", "pays 220"] {
        assert!(out.contains(text), "{text} in\n{out}");
    }
}

/// The list of all commands does not show where to begin.
#[test]
fn without_a_command_the_first_steps_are_said_and_they_are_right() {
    let (code, out, _) = tilelens(&[], "");
    assert_eq!(code, 0, "{out}");
    let commands: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix("    tilelens ")).collect();
    assert!((3..=5).contains(&commands.len()), "{out}");
    for command in commands {
        // A file that is not there is what stops those that name one; nothing of them is misspelt.
        let words: Vec<&str> = command.split_whitespace().collect();
        let folder = tempfile::tempdir().unwrap();
        let mut program = Command::cargo_bin("tilelens").unwrap();
        let words = if words[0] == "live" { vec!["live", "--help"] } else { words };
        let output = program.args(&words).current_dir(folder.path()).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            !message.contains("Usage:") && !message.contains("unexpected argument"),
            "{command}: {message}"
        );
        let names_a_file = command.contains("hand.jpg") || command.starts_with("serve");
        assert_eq!(
            output.status.code(),
            Some(if names_a_file { 2 } else { 0 }),
            "{command}: {message}"
        );
    }
    let (code, ..) = tilelens(&["--nonsense"], "");
    assert_eq!(code, 2);
}

#[test]
fn glyphs_are_shown_when_asked_for() {
    let (_, out, _) = tilelens(&["score", HAND, "--from", "S", "--glyphs", "always"], "");
    assert!(out.contains('🀇'));
    let (_, out, _) = tilelens(&["score", HAND, "--from", "S"], "");
    assert!(out.contains("123m") && !out.contains('🀇'), "no terminal, no glyphs");
}

#[test]
fn json_is_the_answer_of_the_format() {
    let (code, out, _) = tilelens(&["score", HAND, "--seat", "W", "--from", "S", "--json"], "");
    let answer: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, 0);
    assert_eq!(answer["payments"]["W"], "20");
    assert_eq!(answer["items"][0]["id"], "chow_hand");
    assert!(answer["rulings"].is_array() && answer["left_out"].is_array());
    let (_, out, _) =
        tilelens(&["score", HAND, "--seat", "W", "--from", "S", "--json", "--brief"], "");
    assert!(serde_json::from_str::<Json>(&out).expect("JSON").get("rulings").is_none());
}

#[test]
fn no_win_is_one_and_says_what_it_lacks() {
    let (code, out, _) = tilelens(&["score", "123m456m789p23s55s +9m", "--self-draw"], "");
    assert_eq!(code, 1);
    assert!(out.contains("1s for 9m"), "{out}");
    let (code, out, _) = tilelens(
        &[
            "score",
            "67s22p (2'34m) (5'67m) (3'45p) +8s",
            "--rules",
            "chumchu",
            "--seat",
            "S",
            "--from",
            "W",
        ],
        "",
    );
    assert_eq!(code, 1);
    assert!(out.contains("worth 2") && out.contains("minimum is 3"), "{out}");
}

#[test]
fn errors_are_two_and_name_the_cause() {
    for (arguments, cause) in [
        (vec!["score", "11111m345p678s99s +9s", "--self-draw"], "5 1m"),
        (vec!["score", "123m456m789p23s5s +4s", "--self-draw"], "13 tiles"),
        (vec!["score", "123m456m789p23s555s +4s", "--self-draw"], "15 tiles"),
        (vec!["score", "456m789p23s55s (123z) +4s", "--self-draw"], "(123z)"),
        (vec!["score", "123m456m789p234s55s", "--self-draw"], "+5p"),
        (vec!["score", "456m789p23s55s (1'2'3m) +4s", "--self-draw"], "two tiles are marked"),
        (vec!["score", HAND, "--from", "E"], "own seat"),
        (vec!["score", HAND, "--self-draw", "--supplement"], "without a kong"),
        (vec!["score", HAND], "--self-draw"),
        (vec!["score", HAND, "--self-draw", "--rules", "nobody"], "no rule set `nobody`"),
        (vec!["score", HAND, "--self-draw", "--ruling", "mmm.nonsense=1"], "no ruling"),
        (vec!["score", HAND, "--self-draw", "--ruling", "mmm.major_points=9"], "8_32 or 6_24"),
        (vec!["score", HAND, "--from", "X"], "E, S, W or N"),
        (vec!["score", HAND, "--self-draw", "--rules", "absent.toml"], "cannot read the rule file"),
        (vec!["score", "--batch", "absent.jsonl"], "cannot open"),
        (vec!["waits", HAND], "one tile short"),
        (vec!["rules", "show", "nobody"], "no rule set"),
    ] {
        let (code, _, error) = tilelens(&arguments, "");
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(cause), "{arguments:?}: {error}");
    }
}

#[test]
fn rulings_change_what_is_paid() {
    let hand = ["score", "123m456m789p23s55s +4s", "--seat", "W", "--self-draw", "--json"];
    let paid = |choice: &str| {
        let ruling = format!("mmm.self_draw_share={choice}");
        let (_, out, _) = tilelens(&[&hand[..], &["--ruling", &ruling]].concat(), "");
        serde_json::from_str::<Json>(&out).expect("JSON")["payments"]["E"].clone()
    };
    assert_eq!(paid("thirds"), "-40/3");
    assert_eq!(paid("one_and_a_half"), "-20");
    assert_eq!(paid("east_half"), "-20");
}

#[test]
fn a_batch_answers_every_line_in_order() {
    let good = format!(
        r#"{{"rules":"mmm","hand":"{HAND}","seat":"W","round":"E","win":"discard","from":"S"}}"#
    );
    let bad = good.replace("mmm", "nobody");
    let input = format!("{good}\n{{\n{bad}\n{good}\n");
    let (code, out, _) = tilelens(&["score", "--batch", "-"], &input);
    let answers: Vec<Json> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(code, 0);
    assert_eq!(
        answers.iter().map(|answer| answer["ok"] == true).collect::<Vec<_>>(),
        [true, false, false, true]
    );
    assert_eq!(answers[1]["error"], "bad_request");
}

#[test]
fn waits_tell_what_is_left_and_what_it_pays() {
    let (code, out, _) = tilelens(
        &["waits", "123m456p78s99s (7'77z)", "--seen", "66s", "--seat", "S", "--json"],
        "",
    );
    let answer: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(code, 0);
    assert_eq!(answer["waits"][0]["tile"], "6s");
    assert_eq!(answer["waits"][0]["unseen"], 2);
    assert_eq!(answer["waits"][0]["from"]["E"]["ok"], true);
    let (code, _, _) = tilelens(&["waits", "147m258p369s1122z"], "");
    assert_eq!(code, 1);
}

#[test]
fn house_rules_are_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("house.toml");
    let path = file.to_str().expect("a path");
    fs::write(
        &file,
        "extends = \"mmm\"\nid = \"house\"\nname = \"House\"\n[items.chow_hand]\nconcealed = 2\n",
    )
    .expect("written");
    let (code, out, error) = tilelens(&["rules", "check", path], "");
    assert_eq!(code, 0, "{error}");
    assert!(out.contains("a rule set"));
    let (_, out, _) =
        tilelens(&["score", HAND, "--rules", path, "--seat", "W", "--from", "S", "--json"], "");
    assert_eq!(serde_json::from_str::<Json>(&out).expect("JSON")["faan"], "2");

    for (text, cause) in [
        ("extends = \"mmm\"\nid = \"h\"\n[items.chow_hand]\nvalu = 2\n", "line 4"),
        ("extends = \"mmn\"\n", "no such rule set"),
        ("extends = \"mmm\"\nid = \"h\"\n[items.mine]\nvalue = 2\n", "line 3, items.mine.pattern"),
        (
            "extends = \"mmm\"\nid = \"h\"\n[items.chow_hand]\nreplaces = [\"x\"]\n",
            "items.chow_hand.replaces",
        ),
        ("extends = \"mmm\"\nid = \"h\"\ntable = [[1, 1]]\n", "line 3, table"),
        ("extends = \"mmm\"\nid = \"h\"\nminimum = \"1/3\"\n", "line 3"),
        ("id = \"h\"\nname = \"H\"\n", "missing"),
        ("[", "line 1"),
    ] {
        fs::write(&file, text).expect("written");
        let (code, _, error) = tilelens(&["rules", "check", path], "");
        assert_eq!(code, 2, "{text}");
        assert!(error.contains(cause), "{text}: {error}");
    }
}

#[test]
fn a_rule_set_that_is_shown_is_a_rule_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for id in ["mmm", "mmm-dk", "ims", "hkos", "chumchu", "hkos-heavy", "hkos-faan"] {
        let (_, out, _) = tilelens(&["rules", "show", id], "");
        let file = folder.path().join("shown.toml");
        fs::write(&file, out).expect("written");
        let (code, _, error) = tilelens(&["rules", "check", file.to_str().expect("a path")], "");
        assert_eq!(code, 0, "{id}: {error}");
    }
}

#[test]
fn the_pages_of_the_docs_are_what_the_program_says() {
    let (_, list, _) = tilelens(&["rules", "list"], "");
    let listed = list.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    let listed: Vec<&str> = listed.collect();
    assert_eq!(listed.len(), tilelens::rules::PRESETS.len(), "{list}");
    for id in listed {
        let (_, page, _) = tilelens(&["rules", "show", id, "--markdown"], "");
        let path = format!("{}/docs/rules/{id}.md", env!("CARGO_MANIFEST_DIR"));
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(page, committed, "{path} is old: write it again");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let program = assert_cmd::cargo::cargo_bin("tilelens");
    let mut child = std::process::Command::new(program)
        .args(["rules", "show", "mmm"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_demo_scores_its_hand_under_every_rule_set() {
    let output = std::process::Command::new("bash")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/demo.sh"))
        .arg(assert_cmd::cargo::cargo_bin("tilelens"))
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(text.matches("→ score ").count(), 5, "{text}");
}

#[test]
fn bash_completes_commands_and_options() {
    let (_, script, _) = tilelens(&["completions", "bash"], "");
    let complete = |words: &str, at: usize| {
        let test = "source /dev/stdin; COMP_WORDS=($WORDS); COMP_CWORD=$AT; _tilelens tilelens \
                    \"${COMP_WORDS[$AT]}\" \"${COMP_WORDS[$AT-1]}\"; echo \"${COMPREPLY[*]}\"";
        let mut bash = Command::new("bash");
        bash.args(["-c", test]).env("WORDS", words).env("AT", at.to_string());
        let output = bash.write_stdin(script.clone()).output().expect("it runs");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    };
    assert_eq!(complete("tilelens sco", 1), "score");
    assert_eq!(complete("tilelens score --self", 2), "--self-draw");
    assert_eq!(complete("tilelens score --nothing", 2), "");
}

#[test]
fn every_shell_has_completions_and_every_command_a_manual_page() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let (code, script, _) = tilelens(&["completions", shell], "");
        assert!(code == 0 && script.contains("waits"), "{shell}");
    }
    assert_eq!(tilelens(&["completions", "cmd"], "").0, 2);
    let folder = std::env::temp_dir().join(format!("tilelens-man-{}", std::process::id()));
    let (code, _, why) = tilelens(&["man", folder.to_str().expect("a path")], "");
    assert_eq!(code, 0, "{why}");
    let page = |name: &str| fs::read_to_string(folder.join(name)).unwrap_or_default();
    assert!(page("tilelens.1").contains("tilelens\\-score(1)"));
    assert!(page("tilelens-score.1").contains("self\\-draw"));
    assert!(page("tilelens-rules-show.1").contains("markdown"));
    let file = folder.join("tilelens.1/more");
    let (code, _, why) = tilelens(&["man", file.to_str().expect("a path")], "");
    assert!(code == 2 && why.contains("cannot write pages to"), "{code} {why}");
    fs::remove_dir_all(folder).expect("it is there");
}

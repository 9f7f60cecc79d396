//! Corrections of a tournament's entries (seats, wins, deals) once results and later rounds depend on
//! them.

use crate::support::organiser::{Evening, standing, table};
use serde_json::Value as Json;

/// A player's line of a table's page.
fn at_table(evening: &Evening, number: &str, name: &str) -> Json {
    let state = table(evening, &["show", "--table", number]);
    let players = state["players"].as_array().expect("a list").clone();
    players.iter().find(|player| player["name"] == name).cloned().expect("he sits there")
}

fn names(evening: &Evening, number: &str) -> Vec<String> {
    let state = table(evening, &["show", "--table", number]);
    let players = state["players"].as_array().expect("a list").clone();
    players.iter().map(|player| player["name"].as_str().expect("a name").to_owned()).collect()
}

/// Everything of a table's log, as the program prints it.
fn log(evening: &Evening, number: &str) -> String {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
    command.current_dir(evening.folder.path()).env("TZ", "UTC");
    let output = command.args(["table", "log", "evening.tlg", "--table", number]).output();
    String::from_utf8(output.expect("it runs").stdout).expect("UTF-8")
}

/// A tournament of four of whom two are new players, and a reserve who is one too.
fn with_new_players(rounds: &str) -> Evening {
    let evening = Evening::begun();
    evening.write("people.csv", b"name,reserve,new\nAnn,,\nBo,,yes\nCy,,2\nDi,,\nRita,yes,yes\n");
    evening.ok(&["import", "@", "people.csv"]);
    evening.ok(&["seat", "@", "--rounds", rounds, "--seed", "x"]);
    evening
}

#[test]
fn results_go_out_and_come_back_with_who_played_for_whom() {
    // Two seats that reserves fill, and one player who did not come.
    let begun = || Evening::seated(7, "2");
    let evening = begun();
    evening.ok(&["reserve", "@", "rita", "--round", "1", "--seat", "8"]);
    evening.ok(&["late", "@", "3", "--round", "1", "--reserve", "quentin"]);
    evening.ok(&["late", "@", "4", "--round", "2"]);
    for (round, table) in [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2")] {
        evening.ok(&["result", "@", round, table, "34", "-12", "-20", "-2"]);
    }
    let csv = evening.ok(&["export", "@", "results"]);
    assert!(csv.starts_with("round,table,wind,player,reserve,wins,points\n"), "{csv}");
    let json = evening.ok(&["export", "@", "results", "--json"]);
    for (name, results) in [("results.csv", &csv), ("results.json", &json)] {
        let again = begun();
        again.write(name, results.as_bytes());
        let out = again.ok(&["import", "@", name, "--results"]);
        assert!(out.contains("Tables read: 4"), "{out}");
        assert!(out.contains("absent in round 1, Quentin"), "{out}");
        for shown in [&["standings", "@"][..], &["tables", "@"], &["export", "@", "results"]] {
            assert_eq!(again.json(shown), evening.json(shown), "{name}: {shown:?}");
        }
    }
    // A contradiction to earlier entries is reported with its line, and nothing is written.
    let other = begun();
    other.ok(&["late", "@", "3", "--round", "1", "--reserve", "rita"]);
    other.write("results.csv", csv.as_bytes());
    let refused = other.refused(&["import", "@", "results.csv", "--results"]);
    assert!(refused.contains("line ") && refused.contains("Rita plays there"), "{refused}");
    let there = csv.replace("\"Quentin \"\"Q\"\" <b>&amp;</b>, Jr.\"", "");
    other.write("results.csv", there.as_bytes());
    let refused = other.refused(&["import", "@", "results.csv", "--results"]);
    assert!(refused.contains("did not play in round 1, as was noted"), "{refused}");
    let other = begun();
    let unknown = csv.replace("Rita", "Ruth");
    other.write("results.csv", unknown.as_bytes());
    let refused = other.refused(&["import", "@", "results.csv", "--results"]);
    assert!(refused.contains("nobody of that name stands by"), "{refused}");
    // A file of four columns keeps its meaning.
    let plain = begun();
    plain.write("r.csv", b"round,table,wind,points\n1,1,E,4\n1,1,S,0\n1,1,W,-2\n1,1,N,-2\n");
    assert!(plain.ok(&["import", "@", "r.csv", "--results"]).contains("Tables read: 1"));
}

#[test]
fn who_was_absent_is_not_changed_under_a_result_from_paper() {
    let evening = Evening::seated(8, "2");
    evening.ok(&["late", "@", "3", "--round", "1", "--reserve", "rita"]);
    for table in ["1", "2"] {
        evening.ok(&["result", "@", "1", table, "34", "-12", "-20", "-2"]);
    }
    let before = evening.ok(&["standings", "@"]);
    let refused = evening.refused(&["undo", "@", "4"]);
    assert!(
        refused.contains("has a result") && refused.contains("undo the result first"),
        "{refused}"
    );
    assert_eq!(evening.ok(&["standings", "@"]), before);
    // The cure that it names: the result taken back, then the absence, then entered again.
    evening.ok(&["undo", "@", "5"]);
    evening.ok(&["undo", "@", "6"]);
    evening.ok(&["undo", "@", "4"]);
    for table in ["1", "2"] {
        evening.ok(&["result", "@", "1", table, "34", "-12", "-20", "-2"]);
    }
    assert!(!evening.ok(&["standings", "@"]).contains("absent"));
    // Nor does the undo of the undo come in between.
    let log = evening.json(&["standings", "@"]);
    let refused = evening.refused(&["undo", "@", "9"]);
    assert!(refused.contains("has a result"), "{refused}");
    assert_eq!(evening.json(&["standings", "@"]), log);
}

#[test]
fn who_was_absent_is_not_changed_under_a_session_that_is_over() {
    let evening = Evening::seated(4, "2");
    evening.ok(&["late", "@", "3", "--round", "1", "--reserve", "rita"]);
    evening.ok(&["open", "@", "1"]);
    table(
        &evening,
        &["deal", "-w", "Rita", "--self-draw", "--pay", "E=-1,S=-1,W=-1,N=-1,Rita=4", "--meant"],
    );
    // While it is played the table follows.
    evening.ok(&["undo", "@", "4"]);
    assert!(!names(&evening, "1001").contains(&"Rita".to_owned()));
    evening.ok(&["undo", "@", "5"]);
    assert!(names(&evening, "1001").contains(&"Rita".to_owned()));
    table(&evening, &["end"]);
    let refused = evening.refused(&["undo", "@", "4"]);
    assert!(refused.contains("tilelens table undo --table 1001"), "{refused}");
    // As it says.
    table(&evening, &["undo"]);
    evening.ok(&["undo", "@", "4"]);
    table(&evening, &["end"]);
    assert!(!evening.ok(&["standings", "@"]).contains("absent"));
    let refused = evening.refused(&["late", "@", "2", "--round", "1"]);
    assert!(refused.contains("tilelens table undo --table 1001"), "{refused}");
}

#[test]
fn wins_on_paper_raise_a_new_players_minimum() {
    let evening = with_new_players("4");
    let result = ["result", "@", "1", "1", "34", "-12", "-20", "-2"];
    let refused = evening.refused(&result);
    assert!(refused.contains("how often did"), "{refused}");
    assert!(
        refused.contains("Bo") && refused.contains("Cy") && !refused.contains("Ann"),
        "{refused}"
    );
    assert!(refused.contains("--wins"), "{refused}");
    let refused = evening.refused(&[&result[..], &["--wins", "Bo=2"]].concat());
    assert!(refused.contains("Cy") && !refused.contains("Bo and"), "{refused}");
    let refused = evening.refused(&[&result[..], &["--wins", "Bo=2,Rita=0"]].concat());
    assert!(refused.contains("Rita does not sit at table 1"), "{refused}");
    evening.ok(&[&result[..], &["--wins", "Bo=2,Cy=1"]].concat());
    evening.ok(&["open", "@", "2"]);
    let minimum = |number: &str, name: &str| at_table(&evening, number, name)["minimum"].clone();
    assert_eq!((minimum("2001", "Bo"), minimum("2001", "Cy")), ("2".into(), "3".into()));
    // Entered otherwise, the open table follows.
    evening.ok(&["undo", "@", "4"]);
    assert_eq!((minimum("2001", "Bo"), minimum("2001", "Cy")), ("0".into(), "2".into()));
    evening.ok(&[&result[..], &["--wins", "Bo=1,Cy=0"]].concat());
    assert_eq!((minimum("2001", "Bo"), minimum("2001", "Cy")), ("1".into(), "2".into()));
    assert!(evening.ok(&["log", "@"]).contains(", wins "));
    // Whose minimum is everybody's is not asked about any more.
    let pay = ["--pay", "Bo=3,Ann=-1,Cy=-1,Di=-1", "--meant"];
    let deal = ["deal", "--table", "2001", "-w", "Bo", "--self-draw"];
    for _ in 0..2 {
        table(&evening, &[&deal[..], &pay].concat());
    }
    evening.ok(&["end", "@", "2"]);
    let third = ["result", "@", "3", "1", "4", "0", "-2", "-2"];
    let refused = evening.refused(&third);
    assert!(refused.contains("Cy") && !refused.contains("Bo"), "{refused}");
    // A spreadsheet says it in a column of its own, and a table of the ledger knows it.
    evening.ok(&[&third[..], &["--wins", "Cy=1"]].concat());
    let csv = evening.ok(&["export", "@", "results"]);
    let again = with_new_players("4");
    again.write("results.csv", csv.as_bytes());
    again.ok(&["import", "@", "results.csv", "--results"]);
    again.ok(&["open", "@", "4"]);
    assert_eq!(at_table(&again, "4001", "Bo")["minimum"], "3");
    assert_eq!(at_table(&again, "4001", "Cy")["minimum"], "3");
    let silent = csv.replace("wins", "won");
    let again = with_new_players("4");
    again.write("results.csv", silent.as_bytes());
    let refused = again.refused(&["import", "@", "results.csv", "--results"]);
    assert!(refused.contains("how often did"), "{refused}");
}

#[test]
fn a_rule_file_of_ones_own_runs_the_clock_at_the_tables() {
    let own = "extends = \"chumchu\"\nid = \"own\"\n[session]\nclock_minutes = 65\nafter_time = \"stop\"\n\
               [session.penalties]\nfirst = 5\nstep = 5\n";
    for rules in ["mmm", "chumchu"] {
        let evening = Evening { folder: tempfile::tempdir().expect("a folder") };
        evening.write("own.toml", own.as_bytes());
        evening.write("people.csv", b"name\nAnn\nBo\nCy\nDi\n");
        evening.ok(&["new", "@", "--name", "Own", "--rules", rules, "--like", "own.toml"]);
        evening.ok(&["import", "@", "people.csv"]);
        evening.ok(&["seat", "@", "--rounds", "1", "--seed", "x"]);
        evening.ok(&["open", "@", "1"]);
        let start = ["clock", "@", "1", "--start", "--at", "2026-01-01T18:00:00Z"];
        evening.ok(&start);
        let clock = table(&evening, &["show"])["clock"].clone();
        assert_eq!(
            (&clock["ends"], &clock["then"]),
            (&"2026-01-01T19:05:00Z".into(), &"stop".into())
        );
        table(&evening, &["draw", "--at", "2026-01-01T19:04:00Z"]);
        // Nothing is finished once it has run out.
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
        command.current_dir(evening.folder.path()).args(["table", "draw", "evening.tlg"]);
        let output = command.output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{rules}: {error}");
        assert!(error.contains("nothing more may be played"), "{rules}: {error}");
        assert!(table(&evening, &["penalty", "Ann"])["penalties"][0]["player"].is_u64());
        assert_eq!(standing(&evening, "Ann")["penalty"], "5", "{rules}");
        // A clock started at the table itself runs as the tournament's does.
        evening.ok(&["undo", "@"]);
        let clock = table(&evening, &["clock", "--at", "2026-01-01T18:30:00Z"])["clock"].clone();
        assert_eq!(
            (&clock["ends"], &clock["then"]),
            (&"2026-01-01T19:35:00Z".into(), &"stop".into())
        );
    }
}

/// The rule set that is played overrides defaults.
#[test]
fn the_played_rule_set_runs_its_own_clock_where_nothing_is_said() {
    let evening = Evening { folder: tempfile::tempdir().expect("a folder") };
    let house = "extends = \"mmm\"\nid = \"house\"\n[session]\nclock_minutes = 90\nafter_time = \"finish_round\"\n";
    evening.write("house.toml", house.as_bytes());
    evening.ok(&["new", "@", "--name", "House", "--rules", "house.toml"]);
    let format = evening.json(&["log", "@"])["event"]["begun"]["format"].clone();
    assert_eq!(
        (&format["clock_minutes"], &format["after_time"]),
        (&90.into(), &"finish_round".into())
    );
    assert_eq!(format["bonus"], serde_json::json!(["80", "50", "30", "10"]));
    assert_eq!(format["penalties"]["first"], 10);
}

#[test]
fn a_deal_corrected_in_a_finished_session_is_followed_by_what_stands_on_it() {
    let evening = with_new_players("2");
    evening.ok(&["open", "@", "1"]);
    evening.ok(&["open", "@", "2", "--meant"]);
    let paid = |winner: &str| -> Vec<String> {
        let others = ["Ann", "Bo", "Cy", "Di"].into_iter().filter(|name| *name != winner);
        let others: Vec<String> = others.map(|name| format!("{name}=-1")).collect();
        vec![
            "-w".into(),
            winner.into(),
            "--self-draw".into(),
            "--pay".into(),
            format!("{winner}=3,{}", others.join(",")),
            // Less than any hand is paid.
            "--meant".into(),
        ]
    };
    let play = |winner: &str| {
        let paid = paid(winner);
        let paid: Vec<&str> = paid.iter().map(String::as_str).collect();
        table(&evening, &[&["deal", "--table", "1001"][..], &paid].concat());
    };
    play("Bo");
    // The table of the next round is open already: it hears of it at once.
    assert_eq!(at_table(&evening, "2001", "Bo")["minimum"], "1");
    for winner in ["Ann", "Cy", "Di"].into_iter().cycle().take(15) {
        play(winner);
    }
    assert_eq!(table(&evening, &["show", "--table", "1001"])["over"]["why"], "played");
    table(&evening, &["penalty", "Ann", "--table", "1001", "--cause", "language"]);
    assert_eq!(at_table(&evening, "2001", "Ann")["penalties"], 1);
    assert_eq!(standing(&evening, "Bo")["earned"], "-12");
    // The session is over and the next one open; then the first deal turns out to have been Ann's.
    let paid = paid("Ann");
    let paid: Vec<&str> = paid.iter().map(String::as_str).collect();
    table(&evening, &[&["correct", "--table", "1001", "--deal", "1"][..], &paid].concat());
    assert_eq!(standing(&evening, "Bo")["earned"], "-16");
    assert_eq!(standing(&evening, "Ann")["earned"], "8");
    assert_eq!(at_table(&evening, "2001", "Bo")["minimum"], "0");
    // Both logs show the change.
    let first = log(&evening, "1001");
    assert!(first.contains("corrected: event 2 from deal 1: Bo wins"), "{first}");
    assert!(first.contains("to deal 1: Ann wins"), "{first}");
    let second = log(&evening, "2001");
    assert!(second.contains("Bo's wins as a new player: 0, not 1"), "{second}");
    // Taken back: as before.
    table(&evening, &["undo", "--table", "1001"]);
    assert_eq!(standing(&evening, "Bo")["earned"], "-12");
    assert_eq!(at_table(&evening, "2001", "Bo")["minimum"], "1");
    // Who is disqualified at one table sits at no later one.
    table(&evening, &["disqualify", "Di", "--table", "1001", "--note", "threats"]);
    assert!(names(&evening, "2001").iter().any(|name| name.starts_with("Reserve")));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
    command.current_dir(evening.folder.path()).args(["table", "verify", "evening.tlg"]);
    assert!(command.output().expect("it runs").status.success());
}

#[test]
fn standings_are_shown_as_they_were_at_any_moment() {
    let evening = Evening::seated(4, "1");
    evening.ok(&["open", "@", "1"]);
    table(&evening, &["deal", "-w", "E", "--self-draw", "--pay", "E=3,S=-1,W=-1,N=-1", "--meant"]);
    table(&evening, &["end"]);
    let east = names(&evening, "1001")[0].clone();
    let before = jiff::Timestamp::now();
    std::thread::sleep(std::time::Duration::from_millis(5));
    table(&evening, &["correct", "--deal", "1", "--draw"]);
    evening.ok(&["penalty", "@", &east]);
    let now = standing(&evening, &east);
    assert_eq!((&now["earned"], &now["penalty"]), (&"0".into(), &"10".into()));
    let then = evening.json(&["standings", "@", "--moment", &before.to_string()]);
    assert_eq!((&then[0]["name"], &then[0]["earned"]), (&east.as_str().into(), &"3".into()));
    assert_eq!(then[0]["penalty"], "0");
    let refused = evening.refused(&["standings", "@", "--moment", "2020-01-01 12:00"]);
    assert!(refused.contains("had not begun"), "{refused}");
}

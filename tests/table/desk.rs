//! An organiser's corrections, and people who come late or leave: names, results from files, lists in
//! other languages.

use crate::support::organiser::{Evening, standing, table};

/// Results of round 1, two tables, as a spreadsheet may have them.
const RESULTS: &str = "\
round;table;wind;points
1;1;East;34
1;1;South;-12
1;1;West;-20,5
1;1;North;-1,5
1;2;E;1 000
1;2;S;-1 000
1;2;W;½
1;2;N;-½
";

#[test]
fn results_that_are_there_are_passed_over_and_others_are_listed() {
    let evening = Evening::seated(8, "2");
    evening.write("results.csv", RESULTS.as_bytes());
    let first: String = RESULTS.lines().take(5).map(|line| format!("{line}\n")).collect();
    evening.write("first.csv", first.as_bytes());
    assert!(evening.ok(&["import", "@", "first.csv", "--results"]).contains("Tables read: 1"));
    let page = evening.ok(&["import", "@", "results.csv", "--results"]);
    assert!(page.contains("Tables read: 1") && page.contains("already for 1 of"), "{page}");
    // All of it is there: nothing is written.
    let before = evening.ok(&["log", "@"]);
    let page = evening.ok(&["import", "@", "results.csv", "--results"]);
    assert!(page.contains("Tables read: 0") && page.contains("already for 2 of"), "{page}");
    assert_eq!(evening.ok(&["log", "@"]), before);
    // Others are listed, all of them.
    let other = RESULTS.replace("34", "33").replace("-12", "-11").replace("1 000", "900");
    evening.write("other.csv", other.as_bytes());
    let error = evening.refused(&["import", "@", "other.csv", "--results"]);
    assert!(
        error.contains("round 1, table 1: 34 -12 -20½ -1½, the file 33 -11 -20½ -1½"),
        "{error}"
    );
    assert!(error.contains("round 1, table 2: 1000"), "{error}");
    assert_eq!(evening.ok(&["log", "@"]), before);
}

#[test]
fn results_that_do_not_add_up_name_file_line_round_and_table() {
    let evening = Evening::seated(8, "2");
    let wrong = RESULTS.replace("1;2;W;½", "1;2;W;7½").replace('\n', "\r\n");
    evening.write("results.csv", wrong.as_bytes());
    let error = evening.refused(&["import", "@", "results.csv", "--results"]);
    for said in ["results.csv", "line 6", "round 1, table 2", "together 7 too high"] {
        assert!(error.contains(said), "{said} in {error}");
    }
    // In the words of another language, with an invalid line.
    let danish = "Runde;Bord;Vind;Point\r\n1;1;Øst;34\r\n1;1;Syd;x\r\n";
    evening.write("danish.csv", danish.as_bytes());
    let error = evening.refused(&["import", "@", "danish.csv", "--results"]);
    assert!(
        error.contains("danish.csv") && error.contains("line 3") && error.contains("`x`"),
        "{error}"
    );
    for (name, text) in [
        (
            "danish.csv",
            "Runde;Bord;Vind;Point\r\n1;1;Øst;3\r\n1;1;Syd;-1\r\n1;1;Vest;-1\r\n1;1;Nord;-1\r\n",
        ),
        ("german.csv", "Runde,Tisch,Platz,Punkte\n1,2,Ost,3\n1,2,Süd,-1\n1,2,W,-1\n1,2,N,-1\n"),
        ("chinese.csv", "轮,桌,风,得分\n2,1,东,3\n2,1,南,-1\n2,1,西,-1\n2,1,北,-1\n"),
        ("japanese.csv", "回戦,卓,席,点数\n2,2,東家,3\n2,2,南家,-1\n2,2,西家,-1\n2,2,北家,-1\n"),
    ] {
        evening.write(name, text.as_bytes());
        evening.ok(&["import", "@", name, "--results"]);
    }
    assert!(evening.ok(&["standings", "@"]).contains("So far"));
}

#[test]
fn anybody_is_renamed_at_any_time() {
    let evening = Evening::seated(8, "2");
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    evening.ok(&["open", "@", "1"]);
    let lines = evening.json(&["tables", "@", "1"]);
    let at_two =
        lines["seats"].as_array().unwrap().iter().find(|line| line["table"] == 2).unwrap().clone();
    let name = at_two["player"].as_str().unwrap().to_owned();
    let first = lines["seats"].as_array().unwrap().iter().find(|line| line["table"] == 1).unwrap();
    let first = first["player"].as_str().unwrap().to_owned();
    evening.ok(&["penalty", "@", &first, "language"]);
    evening.ok(&["disqualify", "@", &name, "--round", "2", "--note", "left the hall"]);
    evening.ok(&["reserve", "@", "rita", "--round", "2", "--seat", &name]);
    let before = standing(&evening, &first);
    for (was, is) in
        [(first.as_str(), "Åse Berg"), (name.as_str(), "Åse Dahl"), ("rita", "Rita Holm")]
    {
        evening.ok(&["rename", "@", was, is]);
    }
    let after = standing(&evening, "Åse Berg");
    assert_eq!((&after["total"], &after["rank"]), (&before["total"], &before["rank"]));
    assert_eq!(after["penalty"], before["penalty"]);
    // The open table follows.
    let page = table(&evening, &["show", "--table", "1002"]);
    let names: Vec<&str> =
        page["players"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"Åse Dahl") && !names.contains(&name.as_str()), "{names:?}");
    let people = evening.ok(&["export", "@", "people"]);
    assert!(people.contains("Åse Dahl,false,,") && people.contains(",2,left the hall"), "{people}");
    assert!(
        evening
            .ok(&["export", "@", "standings"])
            .lines()
            .any(|it| it.contains("Åse Dahl") && it.ends_with(",2"))
    );
    assert!(evening.ok(&["tables", "@", "2"]).contains("Rita Holm for Åse Dahl"));
    // Names still differ; undoing brings the old one back.
    assert!(evening.refused(&["rename", "@", "Åse Berg", "åse dahl"]).contains("entered already"));
    assert!(evening.refused(&["rename", "@", "Åse Berg", "East"]).contains("seat"));
    assert!(evening.refused(&["rename", "@", "Nobody", "Bo"]).contains("no player is called"));
    evening.ok(&["undo", "@"]);
    assert!(evening.ok(&["tables", "@", "2"]).contains("Rita for Åse Dahl"));
    evening.ok(&["rename", "@", "Åse Berg", "ÅSE BERG"]);
    assert!(evening.ok(&["standings", "@"]).contains("ÅSE BERG"));
    assert_eq!(evening.run(&["log", "@"]).0, 0);
}

#[test]
fn a_name_at_a_table_that_is_over_is_mended_too() {
    let evening = Evening::seated(4, "1");
    evening.ok(&["open", "@", "1"]);
    table(&evening, &["deal", "--table", "1001", "-w", "S", "--from", "E", "--worth", "5"]);
    evening.ok(&["end", "@", "1"]);
    let name = table(&evening, &["show", "--table", "1001"])["players"][1]["name"].clone();
    evening.ok(&["rename", "@", name.as_str().unwrap(), "Bo Berg"]);
    let page = table(&evening, &["show", "--table", "1001"]);
    assert_eq!(page["players"][1]["name"], "Bo Berg");
    assert_eq!(standing(&evening, "Bo Berg")["rank"], 1);
}

#[test]
fn exports_have_a_mark_and_local_times() {
    let evening = Evening::begun();
    evening.write("people.csv", "name\nÅse\nBo\nCy\nDi\n".as_bytes());
    evening.ok(&["import", "@", "people.csv"]);
    evening.ok(&["seat", "@", "--rounds", "1", "--start", "2026-11-21T19:00:00Z"]);
    let plain = evening.ok(&["export", "@", "people"]);
    assert_eq!(evening.ok(&["export", "@", "people", "--bom"]), format!("\u{feff}{plain}"));
    // The re-read list keeps the marks.
    let mut command = evening.command(&["export", "@", "schedule"]);
    let output = command.env("TZ", "CET-1").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("2026-11-21T20:00:00+01:00"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_written_but_cannot_be_shown_says_so() {
    let full = || std::fs::File::options().write(true).open("/dev/full").unwrap();
    let evening = Evening::seated(8, "2");
    let mut command = evening.command(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    let output = command.stdout(full()).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{error}");
    assert!(error.contains("written as event 4, but not shown"), "{error}");
    assert!(evening.ok(&["log", "@"]).contains("result of round 1, table 1"));
    evening.ok(&["open", "@", "2"]);
    for (arguments, event) in [(&["draw"][..], 2), (&["undo"], 3)] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"));
        command.current_dir(evening.folder.path()).args(["table", arguments[0], "evening.tlg"]);
        let output = command.args(["--table", "2001"]).stdout(full()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(3), "{error}");
        assert!(error.contains(&format!("written as event {event}, but not shown")), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_ledger_that_cannot_be_written_is_not_left_behind_empty() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "table new evening.tlg --players Ann,Bo,Cy,Di",
        "tournament new evening.tlg --name Evening",
    ] {
        let program = env!("CARGO_BIN_EXE_tilelens");
        // No file may grow beyond two blocks: as on a disk that is full.
        let script = format!("trap '' XFSZ; ulimit -f 2; {program} {line}");
        let output = std::process::Command::new("bash")
            .current_dir(folder.path())
            .args(["-c", &script])
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{line}");
    }
}

/// Pairs who meet, each with how often, by the seats of all rounds.
fn meetings(seats: &[serde_json::Value]) -> std::collections::BTreeMap<(String, String), usize> {
    let mut met = std::collections::BTreeMap::new();
    for one in seats {
        for other in seats {
            let together = (&one["round"], &one["table"]) == (&other["round"], &other["table"]);
            if let (true, Some(a), Some(b)) =
                (together, one["player"].as_str(), other["player"].as_str())
                && a < b
            {
                *met.entry((a.to_owned(), b.to_owned())).or_insert(0) += 1;
            }
        }
    }
    met
}

fn seats(evening: &Evening) -> Vec<serde_json::Value> {
    evening.json(&["tables", "@"])["seats"].as_array().unwrap().clone()
}

#[test]
fn who_joins_after_the_draw_plays_from_the_next_round_on() {
    let evening = Evening::seated(16, "3");
    let before = seats(&evening);
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    let page = evening.ok(&["join", "@", "Late Lars"]);
    assert!(page.contains("Late Lars joined, from round 2 on"), "{page}");
    let after = seats(&evening);
    let of = |seats: &[serde_json::Value], round: usize| -> Vec<serde_json::Value> {
        seats.iter().filter(|seat| seat["round"] == round).cloned().collect()
    };
    // Played rounds stay; from then on there are five tables, each number once.
    assert_eq!(of(&before, 1), of(&after, 1));
    for round in [2, 3] {
        let mut numbers: Vec<u64> =
            of(&after, round).iter().map(|seat| seat["number"].as_u64().unwrap()).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=20).collect::<Vec<_>>(), "round {round}");
        assert!(of(&after, round).iter().any(|seat| seat["player"] == "Late Lars"));
    }
    // Twenty seats in three rounds: nobody needs to meet again, whoever met in the first.
    assert_eq!(meetings(&after).values().max(), Some(&1));
    // He is ranked.
    let table_of = |name: &str, round: usize| {
        let mine = of(&after, round).into_iter().find(|seat| seat["player"] == name).unwrap();
        mine["table"].to_string()
    };
    evening.ok(&["result", "@", "2", &table_of("Late Lars", 2), "8", "8", "-8", "-8"]);
    let lars = standing(&evening, "Late Lars");
    assert_eq!(lars["number"], 17);
    assert!(lars["rank"].is_number());
    // Once a round has begun it is not laid out again.
    let error = evening.refused(&["join", "@", "Later Liv", "--round", "2"]);
    assert!(error.contains("round 2 has begun") && error.contains("round 3"), "{error}");
    assert!(evening.refused(&["join", "@", "late lars"]).contains("entered already"));
    // A reserve becomes a player, on a seat that a reserve had.
    evening.ok(&["join", "@", "rita"]);
    let third: Vec<serde_json::Value> =
        seats(&evening).into_iter().filter(|seat| seat["round"] == 3).collect();
    assert!(third.iter().any(|seat| seat["player"] == "Rita" && seat["number"] == 18), "{third:?}");
    let second: Vec<serde_json::Value> =
        seats(&evening).into_iter().filter(|seat| seat["round"] == 2).collect();
    assert!(second.iter().all(|seat| seat["player"] != "Rita"));
    evening.ok(&["undo", "@"]);
    evening.ok(&["rename", "@", "late", "Lars Lund"]);
    assert_eq!(standing(&evening, "Lars Lund")["total"], lars["total"]);
    assert!(evening.ok(&["sheets", "@"]).contains("Lars Lund"));
    evening.ok(&["result", "@", "3", "1", "0", "0", "0", "0"]);
    assert!(evening.refused(&["join", "@", "Later Liv"]).contains("there is no round 4"));
}

#[test]
fn who_leaves_keeps_what_he_has_and_a_reserve_plays() {
    let evening = Evening::seated(8, "3");
    let name = seats(&evening)[0]["player"].as_str().unwrap().to_owned();
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    let before = standing(&evening, &name);
    let page = evening.ok(&["leave", "@", &name, "--note", "the last train"]);
    assert!(page.contains(&format!("{name} left before round 2 (the last train)")), "{page}");
    for round in ["2", "3"] {
        assert!(evening.ok(&["tables", "@", round]).contains(&format!("reserve for {name}")));
        evening.ok(&["reserve", "@", "rita", "--round", round, "--seat", &name]);
    }
    let table = seats(&evening)
        .into_iter()
        .find(|seat| seat["round"] == 2 && seat["player"] == name.as_str());
    let table = table.unwrap()["table"].to_string();
    evening.ok(&["result", "@", "2", &table, "10", "10", "-10", "-10"]);
    let after = standing(&evening, &name);
    assert_eq!(after["total"], before["total"]);
    assert!(after["rank"].is_number());
    // He has played the first round, which still counts.
    let error = evening.refused(&[
        "leave",
        "@",
        seats(&evening)[1]["player"].as_str().unwrap(),
        "--round",
        "1",
    ]);
    assert!(error.contains("round 1"), "{error}");
    evening.ok(&["undo", "@"]);
}

#[test]
fn reserves_are_kept_apart_when_rounds_are_laid_out_anew() {
    let evening = Evening::seated(14, "3");
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    evening.ok(&["join", "@", "Late Lars", "Late Liv", "Late Lo"]);
    let all = seats(&evening);
    for round in [2, 3] {
        for number in 1..=5 {
            let reserves = all.iter().filter(|seat| {
                seat["round"] == round && seat["table"] == number && seat["player"].is_null()
            });
            assert!(reserves.count() <= 1, "round {round}, table {number}");
        }
    }
    assert_eq!(meetings(&all).values().max(), Some(&1));
    // Number 15 was a reserve's before Lars had it.
    let before = all.iter().find(|seat| seat["round"] == 1 && seat["number"] == 15).unwrap();
    assert!(before["player"].is_null(), "{before}");
}

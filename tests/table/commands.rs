//! `tilelens table` as people and other programs call it.

use std::{fs, path::PathBuf};

use assert_cmd::Command;
use serde_json::Value as Json;

pub struct Evening {
    _folder: tempfile::TempDir,
    pub file: PathBuf,
}

impl Evening {
    pub fn of(rules: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("evening.tlg");
        let evening = Self { _folder: folder, file };
        let (code, _, error) = evening.run("new", &["--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
        assert_eq!(code, 0, "{error}");
        evening
    }

    /// Exit code, standard output, standard error.
    pub fn run(&self, command: &str, arguments: &[&str]) -> (i32, String, String) {
        let mut program = Command::cargo_bin("tilelens").unwrap();
        program.args(["table", command]).arg(&self.file).args(arguments).env("TZ", "UTC");
        let output = program.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    pub fn done(&self, command: &str, arguments: &[&str]) -> String {
        let (code, out, error) = self.run(command, arguments);
        assert_eq!(code, 0, "{command} {arguments:?}: {error}");
        out
    }

    pub fn totals(&self) -> Vec<String> {
        let state: Json = serde_json::from_str(&self.done("show", &["--json"])).unwrap();
        let players = state["players"].as_array().unwrap();
        players.iter().map(|player| player["total"].as_str().unwrap().to_owned()).collect()
    }
}

const HAND: &str = "123m567p34s678s22p +5s";

#[test]
fn an_evening_from_the_command_line() {
    let evening = Evening::of("mmm-dk");
    let won = "34p777p99p (7'77z) (1'23p) +5p";
    let page = evening.done("deal", &[won, "--winner", "Cy", "--self-draw"]);
    for text in ["Deal 2", "Bo deals", "Cy by self-draw, 80", "Ann -40"] {
        assert!(page.contains(text), "{text} in\n{page}");
    }
    // By seat; asked for unknown facts.
    let (code, _, error) = evening.run("deal", &[HAND, "-w", "W", "--from", "E"]);
    assert_eq!(code, 2);
    assert!(error.contains("not known: has Di discarded a 5s himself"), "{error}");
    evening.done("deal", &[HAND, "-w", "W", "--from", "E", "--tile", "fresh"]);
    assert_eq!(evening.totals(), ["-40", "-40", "80", "0"]);
    evening.done("deal", &["-w", "Bo", "--from", "Cy", "--pay", "Bo=80,Cy=-80"]);
    evening.done("draw", &[]);
    assert_eq!(evening.totals(), ["-40", "40", "0", "0"]);
    evening.done("undo", &[]);
    let history = evening.done("show", &["--history"]);
    assert!(
        history.contains("Deal 4") && history.contains("  3 E Bo on Cy's discard"),
        "{history}"
    );
    // The first deal was a draw after all.
    evening.done("correct", &["--deal", "1", "--draw"]);
    assert_eq!(evening.totals(), ["0", "60", "-80", "20"]);
    let log = evening.done("log", &["--json"]);
    let lines: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 7);
    assert_eq!(lines[6]["event"]["corrected"]["event"], 2);
    assert!(evening.done("log", &[]).contains("(taken back)"));
    let then: Json =
        serde_json::from_str(&evening.done("show", &["--moment", "2", "--json"])).unwrap();
    assert_eq!(then["players"][2]["total"], "80");
    assert!(evening.done("verify", &[]).contains("intact"));
}

#[test]
fn several_winners_and_a_new_player() {
    let evening = Evening::of("mmm");
    let also = format!("Di={HAND}");
    evening.done("deal", &[HAND, "-w", "Cy", "--from", "Bo", "--also", &also, "--tile", "fresh"]);
    assert_eq!(evening.totals(), ["2000", "1960", "2020", "2020"]);
    let (code, _, error) = evening.run(
        "deal",
        &[HAND, "-w", "Cy", "--from", "Bo", "--also", &also, "--tile", "Di=own", "--tile", "fresh"],
    );
    assert_eq!(code, 1, "a win that the rules forbid is no win");
    assert!(error.contains("Di may not win on 5s"), "{error}");
    let file = evening.file.with_file_name("chumchu.tlg");
    let mut program = Command::cargo_bin("tilelens").unwrap();
    let out = program
        .args(["table", "new"])
        .arg(&file)
        .args(["--rules", "chumchu", "--players", "Ann,Bo,Cy", "--new-player", "Bo=1"])
        .output()
        .unwrap();
    let page = String::from_utf8(out.stdout).unwrap();
    assert!(page.contains("minimum 1") && page.contains("13 tiles aside"), "{page}");
}

#[test]
fn errors_name_the_cause_and_change_nothing() {
    let evening = Evening::of("mmm");
    for (command, arguments, expected) in [
        ("deal", vec![HAND, "--winner", "Eve", "--self-draw"], "who is `Eve`?"),
        ("deal", vec![HAND, "--self-draw"], "the winner is missing"),
        ("deal", vec![HAND, "--winner", "Ann"], "the way of winning is missing"),
        ("deal", vec!["--winner", "Ann", "--self-draw"], "what was it worth?"),
        ("deal", vec!["--winner", "Ann", "--self-draw", "--pay", "Ann=3"], "add up to 3"),
        ("deal", vec!["123m", "--winner", "Ann", "--self-draw"], "no legal hand"),
        ("penalty", vec!["Ann"], "say what it costs"),
        ("dead-hand", vec!["Ann", "--note", "x"], "no dead hands"),
        ("undo", vec![], "nothing has happened"),
        ("undo", vec!["1"], "no event 1"),
        ("correct", vec!["--deal", "3", "--draw"], "no deal 3"),
        ("show", vec!["--moment", "9"], "no event 9"),
        ("show", vec!["--table", "7"], "no table 7"),
        ("clock", vec![], "knows no clock"),
        ("new", vec!["--table", "1", "--players", "A,B,C,D"], "open already"),
        ("new", vec!["--players", "A,B,C,a"], "names have to differ"),
        ("new", vec!["--players", "A,B,C"], "three players"),
    ] {
        let (code, _, error) = evening.run(command, &arguments);
        assert_eq!(code, 2, "{command} {arguments:?}: {error}");
        let expected = expected.replace("three players", "3 players");
        assert!(error.contains(&expected), "{command} {arguments:?}: {error}");
    }
    let (code, _, error) =
        evening.run("deal", &["123m456m789p23s55s +9m", "-w", "Ann", "--self-draw"]);
    assert_eq!(code, 1, "a hand that does not win");
    assert!(error.contains("not a complete hand"), "{error}");
    assert_eq!(evening.done("log", &["--json"]).lines().count(), 1);
}

#[test]
fn what_the_rules_refuse_is_an_answer_and_no_mistake() {
    let evening = Evening::of("chumchu");
    evening.done("dead-hand", &["Ann", "--cause", "too_many_tiles"]);
    let hand = "123m456m789m23s55s +4s";
    let (code, _, error) = evening.run("deal", &[hand, "-w", "Ann", "--self-draw"]);
    assert!(code == 1 && error.contains("a dead hand in this deal"), "{error}");
    let (code, _, error) = evening.run("deal", &["-w", "Bo", "--self-draw", "--pay", "Bo=-3,Cy=3"]);
    assert!(code == 2 && error.contains("Bo has won the deal alone and would pay 3"), "{error}");
    evening.done("end", &["--why", "late"]);
    let (code, _, error) = evening.run("draw", &[]);
    assert!(code == 1 && error.contains("the session is over"), "{error}");
}

#[test]
fn a_table_that_is_refused_leaves_no_file() {
    let evening = Evening::of("chumchu");
    let file = evening.file.with_file_name("other.tlg");
    for (arguments, expected) in [
        (["--players", "A,B,C,D", "--new-player", "B"], "minimum of a new player's own"),
        (["--players", "A,B,C,D", "--ruling", "mmm.x=y"], "no ruling"),
        (["--players", "A,B,C,D", "--table", "0"], "numbered from 1"),
        (["--players", "A,B,C", "--title", "three"], "played by four"),
        (["--players", "A,B,C,D,E", "--title", "five"], "played by four"),
    ] {
        let mut program = Command::cargo_bin("tilelens").unwrap();
        let new = program.args(["table", "new", "--rules", "mmm"]).arg(&file).args(arguments);
        let out = new.output().unwrap();
        let error = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{error}");
        assert!(error.contains(expected), "{error}");
        assert!(!file.exists(), "{arguments:?}");
    }
}

#[test]
fn the_log_says_what_changed() {
    let evening = Evening::of("chumchu");
    evening.done("clock", &["--at", "2026-01-01 18:00"]);
    evening.done("draw", &["--at", "2026-01-01 18:05"]);
    let pay = ["-w", "Bo", "--from", "Di", "--pay", "Bo=10,Di=-6,Ann=-2,Cy=-2"];
    evening.done("correct", &[&["--deal", "1"][..], &pay].concat());
    evening.done("correct", &["--names", "Anna,Bo,Cy,Di"]);
    evening.done("undo", &["--author", "Eve"]);
    let log = evening.done("log", &[]);
    for line in [
        "clock started: 2026-01-01 18:00:00",
        "corrected: event 3 from draw: deal 1, at 2026-01-01 18:05:00 to deal 1, at 2026-01-01 \
         18:05:00: Bo wins on Di's discard",
        "corrected: event 1, Ann is Anna",
        "Eve         undone: event 5, corrected: event 1, Ann is Anna",
    ] {
        assert!(log.contains(line), "{line} in\n{log}");
    }
}

#[test]
fn a_tournaments_tables_in_one_file() {
    let evening = Evening::of("chumchu");
    evening
        .done("new", &["--rules", "chumchu", "--players", "Eva,Finn,Gus,Hal", "--title", "Hall B"]);
    let (code, _, error) = evening.run("draw", &[]);
    assert_eq!(code, 2);
    assert!(error.contains("several tables: give --table") && error.contains("1, 2"), "{error}");
    evening.done("draw", &["--table", "2"]);
    let pages = evening.done("show", &[]);
    assert!(pages.contains("Table 1") && pages.contains("Table 2, Hall B"), "{pages}");
    assert!(evening.done("show", &["-t", "1"]).contains("Deal 1"));
    assert!(evening.done("show", &["-t", "2"]).contains("Deal 2"));
}

#[test]
fn exports_are_read_by_others() {
    let evening = Evening::of("mmm");
    evening.done("deal", &[HAND, "-w", "Cy", "--self-draw"]);
    evening.done("draw", &[]);
    let csv = evening.done("export", &[]);
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("deal,time,round,dealer,winners,win,from,hands,Ann,Ann total"));
    // Fully concealed and chow hand, 40: a third from each.
    assert!(lines[1].contains("Cy,self-draw,,123m567p34s678s22p +5s,-40/3,5960/3"), "{}", lines[1]);
    assert!(lines[2].contains(",draw,,,0,5960/3"), "{}", lines[2]);
    let to = evening.file.with_extension("json");
    evening.done("export", &["--format", "json", "-o", to.to_str().unwrap()]);
    let json: Json = serde_json::from_str(&fs::read_to_string(&to).unwrap()).unwrap();
    assert_eq!(json["table"]["history"].as_array().unwrap().len(), 2);
    assert_eq!(json["events"][1]["event"]["deal"]["winners"][0]["hand"], HAND);
    // A name that a spreadsheet would take for a formula is invalid; one with quotes stays whole.
    let (code, _, error) = evening.run("correct", &["--names", "=SUM(A1),Bo,Cy,Di"]);
    assert!(code == 2 && error.contains("takes for a formula"), "{error}");
    evening.done("correct", &["--names", "Ann \"x\",Bo,Cy,Di"]);
    let csv = evening.done("export", &[]);
    let heads = "deal,time,round,dealer,winners,win,from,hands,\"Ann \"\"x\"\"\"";
    assert!(csv.starts_with(heads), "{csv}");
}

#[test]
fn a_damaged_ledger_is_repaired() {
    let evening = Evening::of("chumchu");
    for _ in 0..8 {
        // One after the other within a second.
        evening.done("draw", &["--meant"]);
    }
    let bytes = fs::read(&evening.file).unwrap();
    // A seat in the last event's text.
    let text = br#""number":8,"round":"S","dealer""#;
    let place = bytes.windows(text.len()).position(|window| window == text).unwrap();
    let mut damaged = bytes.clone();
    damaged[place + 9] = b'9';
    fs::write(&evening.file, &damaged).unwrap();
    let (code, out, _) = evening.run("verify", &[]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("8 of 9 events intact") && out.contains("--repair"), "{out}");
    let (code, _, error) = evening.run("show", &[]);
    assert_eq!(code, 2);
    assert!(error.contains("damaged at event 9"), "{error}");
    // Its journal has every event. A ledger that was copied without one keeps what its file still has.
    let out = evening.done("verify", &["--repair"]);
    assert!(out.contains("every event was kept") && out.contains(".damaged-1"), "{out}");
    let journal = format!("{}.journal", evening.file.display());
    fs::remove_file(&journal).unwrap();
    fs::write(&evening.file, damaged).unwrap();
    let out = evening.done("verify", &["--repair"]);
    assert!(out.contains("lost: event 9") && out.contains(".damaged-2"), "{out}");
    assert!(evening.done("show", &[]).contains("Deal 8"));
    let (code, out, _) = evening.run("verify", &["--repair"]);
    assert!(code == 1 && out.contains("repaired, with gaps"), "nothing more to repair: {out}");
    evening.done("undo", &["9"]);
    assert!(
        evening.done("verify", &["--repair"]).contains("intact"),
        "nothing is missing any more"
    );
    // A copy that broke off.
    fs::write(&evening.file, &bytes[..bytes.len() - 4096]).unwrap();
    let (code, out, _) = evening.run("verify", &[]);
    assert!(code == 1 && out.contains("damaged") && out.contains("--repair"), "{code}: {out}");
    fs::write(&evening.file, &bytes[..50]).unwrap();
    fs::remove_file(&journal).unwrap();
    let (code, _, error) = evening.run("verify", &["--repair"]);
    assert_eq!(code, 2);
    assert!(error.contains("no event in"), "{error}");
}

/// Neither a file nor a tournament is left behind where a table cannot be kept.
#[test]
fn rule_sets_whose_tables_cannot_be_kept_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let refused = |arguments: &[&str]| {
        let mut program = Command::cargo_bin("tilelens").unwrap();
        let (first, rest) = arguments.split_at(2);
        let output = program.args(first).arg(&file).args(rest).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains("is not kept yet") && error.contains("choose another"), "{error}");
        assert!(!file.exists(), "{arguments:?}");
    };
    let rules = folder.path().join("house.toml");
    let unkept = "extends = \"riichi\"\nid = \"house\"\n[session]\nkept = false\n";
    fs::write(&rules, unkept).unwrap();
    let rules = rules.to_str().unwrap();
    for players in ["Ann,Bo,Cy,Di", "Ann,Bo,Cy"] {
        refused(&["table", "new", "--rules", rules, "--players", players]);
    }
    refused(&["tournament", "new", "--name", "Cup", "--rules", rules]);
}

#[test]
fn an_evening_of_zung_jung_charges_another_than_the_giver() {
    let evening = Evening::of("zung-jung");
    evening.done("deal", &["-w", "Bo", "--from", "Cy", "--worth", "70"]);
    evening.done("deal", &["-w", "Bo", "--from", "Cy", "--worth", "70", "--responsible", "Ann"]);
    assert_eq!(evening.totals(), ["-185", "420", "-185", "-50"]);
    let page = evening
        .done("deal", &["-w", "Bo", "--from", "Cy", "--worth", "70", "--responsible", "none"]);
    assert!(page.contains("nobody is responsible for the tile"), "{page}");
    let page = evening.done("draw", &[]);
    assert_eq!(evening.totals(), ["-255", "630", "-255", "-120"]);
    assert!(page.contains("Deal 5, round 2 of 4: South; Ann deals"), "each deal passes on: {page}");
}

/// Sixteen deals as they stand on paper: who wins on whose tile (`None`: self-drawn), and the scores of all four by the
/// players in their order; `None`: a draw.
type Sheet = [Option<(usize, Option<usize>, [i64; 4])>; 16];

const SHEET: Sheet = [
    Some((2, Some(3), [64, 200, 152, 152])),
    Some((1, None, [2, 38, 16, 0])),
    Some((1, Some(0), [4, 88, 64, 8])),
    None,
    Some((2, None, [24, 12, 304, 0])),
    Some((3, Some(2), [128, 2, 8, 500])),
    Some((0, Some(1), [26, 4, 6, 52])),
    Some((0, Some(3), [26, 40, 64, 6])),
    Some((1, Some(3), [0, 160, 80, 16])),
    None,
    None,
    Some((0, None, [64, 2, 4, 8])),
    Some((0, Some(1), [44, 2, 4, 8])),
    Some((3, Some(2), [256, 4, 18, 36])),
    Some((0, None, [120, 12, 500, 0])),
    Some((2, Some(0), [16, 32, 20, 64])),
];

/// Who deals after each deal of a sheet, and everybody's totals.
fn played(sheet: &Sheet) -> (usize, [i64; 4]) {
    sheet.iter().flatten().fold((0, [0; 4]), |(east, totals), (winner, _, scores)| {
        let gains = crate::all_hands::settled(east, *winner, *scores, None);
        let passed = if *winner == east { east } else { (east + 1) % 4 };
        (passed, std::array::from_fn(|player| totals[player] + gains[player]))
    })
}

/// Every hand is scored after each deal; four rounds are long, as East keeps the deal.
#[test]
fn an_evening_of_classical_rules_is_typed_from_a_sheet() {
    const NAMES: [&str; 4] = ["ann", "bo", "cy", "di"];
    for rules in ["classical-bmja", "classical-dmjl"] {
        let evening = Evening::of(rules);
        let line = |deal: &Option<(usize, Option<usize>, [i64; 4])>| match deal {
            None => "d".to_owned(),
            Some((winner, from, scores)) => {
                let from = from.map_or("*", |from| NAMES[from]);
                let others = (0..4).filter(|other| other != winner);
                let others: String =
                    others.map(|other| format!(" {} {}", NAMES[other], scores[other])).collect();
                format!("{} {from} {}{others}", NAMES[*winner], scores[*winner])
            }
        };
        // Equal deals one after another are meant.
        let lines: String = SHEET.iter().map(|deal| line(deal) + "!\n").collect();
        let mut program = Command::cargo_bin("tilelens").unwrap();
        let typed = program.args(["table", "evening"]).arg(&evening.file).write_stdin(lines);
        let output = typed.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (east, totals) = played(&SHEET);
        assert_eq!(evening.totals(), totals.map(|total| total.to_string()), "{rules}");
        assert_eq!(totals.iter().sum::<i64>(), 0);
        let state: Json = serde_json::from_str(&evening.done("show", &["--json"])).unwrap();
        assert_eq!(
            state["place"]["dealer"].as_u64().or(state["dealer"].as_u64()),
            Some(east as u64)
        );
        assert!(evening.done("verify", &[]).contains("intact"));
        // What each hand scored is in the table of the deals, and in the log.
        let csv = evening.done("export", &[]);
        let mut rows = csv.lines();
        assert!(rows.next().unwrap().ends_with(",Ann hand,Bo hand,Cy hand,Di hand"), "{csv}");
        assert!(rows.next().unwrap().ends_with(",64,200,152,152"), "{csv}");
        assert!(evening.done("log", &[]).contains("worth 152; Ann 64; Bo 200; Di 152"));
        // The fourth deal was no draw: another East plays on.
        let mut corrected = SHEET;
        corrected[3] = Some((3, Some(0), [8, 0, 6, 52]));
        let dealt =
            ["--deal", "4", "-w", "Di", "--from", "Ann", "--worth", "52", "--other", "Ann=8"];
        let others = ["--other", "Bo=0", "--other", "Cy=6", "--meant"];
        evening.done("correct", &[&dealt[..], &others[..]].concat());
        let (_, totals) = played(&corrected);
        assert_eq!(evening.totals(), totals.map(|total| total.to_string()), "{rules}, corrected");
        evening.done("undo", &[]);
        evening.done("undo", &["17"]);
        let (_, totals) = played(&{
            let mut undone = SHEET;
            undone[15] = None;
            undone
        });
        assert_eq!(evening.totals(), totals.map(|total| total.to_string()), "{rules}, undone");
    }
}

#[test]
fn what_is_typed_of_all_hands_is_refused_with_a_reason() {
    let evening = Evening::of("classical-bmja");
    let won = ["-w", "Bo", "--from", "Di", "--worth"];
    for (more, said) in [
        (&["1002", "--other", "Ann=64"][..], "1002 is above the limit"),
        (&["152", "--other", "Ann=1002"], "1002 is above the limit"),
        (&["152", "--other", "Ann=64"], "what did Cy and Di have?"),
        (&["152", "--other", "Ann=much"], "`much` is not a worth: expected a score such as 64"),
        (&["152", "--other", "Ann"], "expected PLAYER=HAND or PLAYER=WORTH"),
        (&["152", "--other", "Bo=64"], "Bo's hand is said twice"),
    ] {
        let (code, _, error) = evening.run("deal", &[&won[..], more].concat());
        assert!(code == 2 && error.contains(said), "{more:?}: {error}");
    }
    // Hands are read as hands, a flower of each once among all four.
    let hands = [
        "111z 333s 678s (2'22s) 9s 2f +9s",
        "-w",
        "W",
        "--from",
        "N",
        "--other",
        "S=1134557m 113455p",
        "--other",
        "N=[6666z] 44z 38p 67m 2458s 4f",
        "--other",
    ];
    let (code, _, error) =
        evening.run("deal", &[&hands[..], &["E=(5'55z) 999m 22p 4s 16p 78p 2f"]].concat());
    assert!(code == 2 && error.contains("2f"), "{error}");
    let page = evening.done("deal", &[&hands[..], &["E=(5'55z) 999m 22p 4s 16p 78p 1f"]].concat());
    assert_eq!(evening.totals(), ["-752", "168", "608", "-24"]);
    assert!(page.contains("the others' hands: Ann 64, Bo 200, Di 152"), "{page}");
    assert!(page.contains("Bo receives 272: (200 − 64) × 2: from East"), "{page}");
    assert!(page.contains("Ann pays 272: (200 − 64) × 2: to South"), "{page}");
    let not_fishing = [&hands[..], &["E=64", "--not-fishing", "S", "--meant"]].concat();
    evening.done("undo", &[]);
    let page = evening.done("deal", &not_fishing);
    assert!(!page.contains("Bo 200"), "{page}");
}

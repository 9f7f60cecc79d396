//! `tilelens table` and `tilelens tournament` under these rules, as people call them.

use std::fs;

use assert_cmd::Command;
use serde_json::Value as Json;
use tempfile::TempDir;

struct Place {
    folder: TempDir,
}

impl Place {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Four at a table.
    fn sitting(rules: &str) -> Self {
        let place = Self::new();
        place.done(&["table", "new", "@", "--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
        place
    }

    /// Exit code, standard output, standard error; `@` is the ledger.
    fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        let mut program = Command::cargo_bin("tilelens").unwrap();
        program.current_dir(self.folder.path()).env("TZ", "UTC");
        program.args(arguments.iter().map(|one| if *one == "@" { "evening.tlg" } else { one }));
        let output = program.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn done(&self, arguments: &[&str]) -> String {
        let (code, out, error) = self.run(arguments);
        assert_eq!(code, 0, "{arguments:?}: {error}");
        out
    }

    fn json(&self, arguments: &[&str]) -> Json {
        serde_json::from_str(&self.done(&[arguments, &["--json"]].concat())).unwrap()
    }

    fn totals(&self) -> Vec<String> {
        let state = self.json(&["table", "show", "@"]);
        let players = state["players"].as_array().unwrap();
        players.iter().map(|player| player["total"].as_str().unwrap().to_owned()).collect()
    }
}

const SIMPLE: &str = "234567m34p678s55s +5p";
const SIMPLE_TOO: &str = "234567s34p678m55m +5p";

#[test]
fn an_evening_of_riichi_is_typed() {
    let place = Place::sitting("riichi");
    let (code, _, error) = place.run(&["table", "draw", "@"]);
    assert_eq!((code, error.contains("--tenpai Ann,Bo, or --noten")), (2, true), "{error}");
    let page = place.done(&["table", "draw", "@", "--tenpai", "Ann,S", "--riichi", "Cy"]);
    for text in
        ["Deal 2", "Ann deals, 1 counter, 1 stick", "a draw, tenpai: Ann, Bo, Cy; riichi: Cy"]
    {
        assert!(page.contains(text), "{text} in\n{page}");
    }
    // 3000 among three: 1000 each.
    assert_eq!(place.totals(), ["26000", "26000", "25000", "22000"]);
    // Bo's hand needs its dora; Cy's is not asked for one.
    let page = place.done(&[
        "table",
        "deal",
        "@",
        SIMPLE,
        "-w",
        "Bo",
        "--from",
        "Di",
        "--also",
        &format!("Cy={SIMPLE_TOO}"),
        "--riichi",
        "Bo,Ann",
        "--ippatsu",
        "Bo",
        "--dora",
        "1p",
        "--ura",
        "9s",
    ]);
    // Riichi, ippatsu, pinfu, all simples: 4 han 30 fu, 7700, his own stick again. Cy is the first in turn
    // after Di only if Ann and Bo do not win: that is Bo, who has the counter and both sticks.
    assert!(page.contains("Bo by ron on Di's discard, 4 han 30 fu (riichi, ippatsu"), "{page}");
    assert!(
        page.contains("; Cy by ron on Di's discard, 2 han 30 fu")
            && page.contains("; riichi: Ann, Bo"),
        "{page}"
    );
    assert_eq!(place.totals(), ["25000", "36000", "27000", "12000"]);
    let (code, _, error) =
        place.run(&["table", "deal", "@", SIMPLE, "-w", "Bo", "--self-draw", "--ura", "1p"]);
    assert_eq!((code, error.contains("counts for a winner in riichi")), (2, true), "{error}");
    let (code, _, error) =
        place.run(&["table", "deal", "@", SIMPLE, "-w", "Bo", "--self-draw", "--ippatsu", "Cy"]);
    assert_eq!((code, error.contains("Cy is no winner")), (2, true), "{error}");

    let page = place.done(&["table", "chombo", "@", "Di", "--cause", "false_win"]);
    assert!(page.contains("chombo of Di (false win): Ann +2000, Bo +4000"), "{page}");
    let (code, _, error) = place.run(&["table", "chombo", "@", "Di", "--cause", "whim"]);
    assert_eq!(
        (code, error.contains("knows no chombo `whim`: expected false_win")),
        (2, true),
        "{error}"
    );
    let page = place.done(&["table", "draw", "@", "--abortive", "nine_terminals"]);
    assert!(page.contains("a draw (nine terminals)"), "{page}");
    place.done(&["table", "draw", "@", "--noten", "--nagashi", "Ann"]);

    // The written events, once more.
    let log = place.done(&["table", "log", "@"]);
    for text in [
        "draw: deal 1, tenpai: Ann, Bo, Cy; riichi: Cy",
        "chombo: deal 3, Di false_win",
        "nagashi: Ann",
    ] {
        assert!(log.contains(text), "{text} in\n{log}");
    }
    assert!(place.done(&["table", "verify", "@"]).contains("intact: sums are zero"));
    let csv = place.done(&["table", "export", "@"]);
    let header = "deal,time,round,dealer,winners,win,from,hands,Ann,Ann total,Bo,Bo total,Cy,Cy total,Di,Di total,counters,sticks,riichi,tenpai";
    assert!(csv.starts_with(header), "{csv}");
    assert!(csv.contains(",chombo,,,2000,27000,4000,40000,2000,29000,-8000,4000,0,0,,"), "{csv}");
    let state = place.json(&["table", "show", "@"]);
    assert_eq!(
        (&state["honba"], &state["sticks"], &state["repeat"]),
        (&2.into(), &0.into(), &0.into())
    );
    assert_eq!(
        (&state["terms"]["discard"], &state["terms"]["points"]),
        (&"ron".into(), &"fu".into())
    );

    // The first draw was not one: Bo was noten after all, and Cy had not declared riichi.
    place.done(&["table", "correct", "@", "--deal", "1", "--draw", "--tenpai", "Ann,Cy"]);
    let first = &place.json(&["table", "show", "@"])["history"][0];
    assert_eq!(first["payments"], serde_json::json!(["1500", "-1500", "1500", "-1500"]));
    place.done(&[
        "table",
        "correct",
        "@",
        "--deal",
        "1",
        "--chombo",
        "Bo",
        "--cause",
        "dead_claim",
    ]);
    assert_eq!(place.json(&["table", "show", "@"])["history"][0]["chombo"]["player"], 1);
    let (code, _, error) = place.run(&["table", "correct", "@", "--deal", "1", "--tenpai", "Ann"]);
    assert_eq!((code, error.contains("give --draw")), (2, true), "{error}");
    place.done(&["table", "undo", "@"]);
    place.done(&["table", "undo", "@"]);
    assert_eq!(place.json(&["table", "show", "@"])["history"][0]["riichi"], serde_json::json!([2]));
}

#[test]
fn rules_of_before_have_nothing_new() {
    let place = Place::sitting("mmm");
    place.done(&["table", "draw", "@"]);
    let state = place.json(&["table", "show", "@"]);
    for key in ["honba", "sticks", "repeat", "terms", "leftover"] {
        assert!(state.get(key).is_none() && state["history"][0].get(key).is_none(), "{key}");
    }
    assert!(state["players"][0].get("placed").is_none());
    let event = place.done(&["table", "log", "@", "--json"]);
    let draw = event.lines().last().unwrap();
    assert!(
        draw.contains("{\"draw\":{\"place\":{\"number\":1,\"round\":\"E\",\"dealer\":0}}}"),
        "{draw}"
    );
    for wrong in [
        &["table", "draw", "@", "--tenpai", "Ann"][..],
        &["table", "draw", "@", "--riichi", "Ann"],
        &["table", "draw", "@", "--abortive", "four_winds"],
        &["table", "draw", "@", "--nagashi", "Ann"],
        &["table", "chombo", "@", "Ann"],
        &["table", "deal", "@", SIMPLE, "-w", "Ann", "--self-draw", "--riichi", "Bo"],
    ] {
        let (code, _, error) = place.run(wrong);
        assert_eq!((code, error.contains("mmm knows no ")), (2, true), "{wrong:?}: {error}");
    }
    assert_eq!(place.totals(), ["2000"; 4]);
}

#[test]
fn a_session_of_mcr_is_typed() {
    let straight = "12345678m234p55p +9m";
    let place = Place::sitting("mcr");
    let page = place.done(&["table", "deal", "@", straight, "-w", "Bo", "--from", "Ann"]);
    assert!(page.contains("Bo on Ann's discard, 21 fan (pure straight"), "{page}");
    let page = place.done(&["table", "penalty", "@", "Cy", "--cause", "false_win"]);
    assert!(page.contains("penalty off the score") && page.contains("dead hand"), "{page}");
    assert_eq!(place.totals(), ["-29", "45", "-28", "-8"]);
    let (code, _, error) = place.run(&["table", "penalty", "@", "Di", "--cause", "grave_fault"]);
    assert_eq!((code, error.contains("say what it costs (--points")), (2, true), "{error}");
    place.done(&["table", "penalty", "@", "Di", "--cause", "grave_fault", "--points", "30"]);
    let (code, _, error) = place.run(&["table", "deal", "@", straight, "-w", "Cy", "--self-draw"]);
    assert_eq!((code, error.contains("dead hand")), (1, true), "{error}");
    let page = place.done(&["table", "end", "@", "--why", "time"]);
    for text in ["table points 4", "table points 2", "table points 1", "table points 0"] {
        assert!(page.contains(text), "{text} in\n{page}");
    }
    // Bo 45, Cy -28, Ann -29, Di -38.
    let state = place.json(&["table", "show", "@"]);
    let points: Vec<&Json> =
        (0..4).map(|place| &state["players"][place]["placed"]["table_points"]).collect();
    assert_eq!(points, ["1", "4", "2", "0"]);
    assert!(place.done(&["table", "verify", "@"]).contains("intact"));
}

/// Every hand is scored at the tables, and the sheet for paper has a column for it beside what is paid.
#[test]
fn a_tournament_of_classical_rules_scores_every_hand() {
    let place = Place::new();
    place.done(&["tournament", "new", "@", "--name", "Cup", "--rules", "classical-bmja"]);
    let people: String = (0..8).map(|number| format!("Player {number}\n")).collect();
    fs::write(place.folder.path().join("people.csv"), format!("name\n{people}")).unwrap();
    place.done(&["tournament", "import", "@", "people.csv"]);
    place.done(&["tournament", "seat", "@", "--rounds", "1", "--seed", "dice"]);
    place.done(&["tournament", "open", "@", "1"]);
    let others = ["--other", "E=64", "--other", "S=200", "--other", "N=152"];
    let won = ["table", "deal", "@", "-t", "1001", "-w", "W", "--from", "N", "--worth", "152"];
    place.done(&[&won[..], &others[..]].concat());
    place.done(&["tournament", "end", "@", "1"]);
    place.done(&["tournament", "result", "@", "1", "2", "30", "20", "-10", "-40"]);
    let standings = place.json(&["tournament", "standings", "@"]);
    let mut earned: Vec<String> = (standings.as_array().unwrap().iter())
        .map(|standing| standing["earned"].as_str().unwrap().to_owned())
        .collect();
    earned.sort();
    assert_eq!(earned, ["-10", "-24", "-40", "-752", "168", "20", "30", "608"]);
    let sheets = place.done(&["tournament", "sheets", "@"]);
    assert!(sheets.contains("<small>Hand</small>") && sheets.contains("<small>Paid</small>"));
    // Where three play, nothing is written.
    let (code, _, error) =
        place.run(&["tournament", "new", "other.tlg", "--name", "Cup", "--rules", "riichi-sanma"]);
    assert!(code == 2 && error.contains("tournaments seat four at a table"), "{error}");
}

#[test]
fn a_tournament_of_mcr_at_tables_of_the_ledger_and_on_paper() {
    let place = Place::new();
    place.done(&["tournament", "new", "@", "--name", "Cup", "--rules", "mcr"]);
    let people: String = (0..8).map(|number| format!("Player {number}\n")).collect();
    fs::write(place.folder.path().join("people.csv"), format!("name\n{people}")).unwrap();
    place.done(&["tournament", "import", "@", "people.csv"]);
    place.done(&["tournament", "seat", "@", "--rounds", "1", "--seed", "dice"]);
    place.done(&["tournament", "open", "@", "1"]);
    let straight = "12345678m234p55p +9m";
    // Table 1: East wins 93 and is fined 20 there; the others are level.
    place.done(&["table", "deal", "@", "-t", "1001", straight, "-w", "E", "--self-draw"]);
    // The winner sits North now.
    place.done(&["table", "penalty", "@", "N", "-t", "1001", "--cause", "false_win"]);
    place.done(&["tournament", "end", "@", "1"]);
    // Table 2 was written on paper; ten were taken from North.
    let (code, _, error) =
        place.run(&["tournament", "result", "@", "1", "2", "40", "10", "-10", "-50"]);
    assert_eq!((code, error.contains("together 10 too low")), (2, true), "{error}");
    assert!(error.contains("--taken 20"), "{error}");
    place.done(&["tournament", "result", "@", "1", "2", "40", "10", "-10", "-50", "--taken", "10"]);
    let page = place.done(&["tournament", "standings", "@"]);
    assert!(page.contains("Table points") && page.contains("4 (+73)"), "{page}");
    let standings = place.json(&["tournament", "standings", "@"]);
    let line = |standing: &Json| {
        let text = |key: &str| standing[key].as_str().unwrap().to_owned();
        format!("{} {} {}", standing["rank"], text("table_points"), text("total"))
    };
    let lines: Vec<String> = standings.as_array().unwrap().iter().map(line).collect();
    assert_eq!(
        lines,
        ["1 4 73", "2 4 40", "3 2 10", "4 1 -10", "5 1 -31", "5 1 -31", "5 1 -31", "8 0 -50"]
    );
    // The penalty was taken at the table, and not once more.
    assert!(standings.as_array().unwrap().iter().all(|standing| standing["penalty"] == "0"));
    let csv = place.done(&["tournament", "export", "@", "standings"]);
    assert!(csv.starts_with("rank,number,player,earned,bonus,table_points,penalty,total"), "{csv}");
    assert!(csv.contains(",73,0,4,0,73,1"), "{csv}");
    let results = place.done(&["tournament", "export", "@", "results"]);
    assert!(results.contains(",taken\n"), "{results}");
    let sheets = place.done(&["tournament", "sheets", "@"]);
    assert!(sheets.contains("Table points"));
}

#[test]
fn a_chombo_after_uma_comes_off_a_tournaments_standings() {
    let place = Place::new();
    place.done(&["tournament", "new", "@", "--name", "Cup", "--rules", "riichi-ema"]);
    fs::write(place.folder.path().join("people.csv"), "name\nAnn\nBo\nCy\nDi\n").unwrap();
    place.done(&["tournament", "import", "@", "people.csv"]);
    place.done(&["tournament", "seat", "@", "--rounds", "1", "--seed", "dice"]);
    place.done(&["tournament", "open", "@", "1"]);
    // Who sits East is tenpai alone; North has a chombo.
    place.done(&["table", "chombo", "@", "N", "--cause", "noten_riichi"]);
    place.done(&["table", "draw", "@", "--tenpai", "E"]);
    place.done(&["tournament", "end", "@", "1"]);
    let standings = place.json(&["tournament", "standings", "@"]);
    let line = |standing: &Json| {
        let text = |key: &str| standing[key].as_str().unwrap().to_owned();
        [text("earned"), text("bonus"), text("penalty"), text("total")].join(" ")
    };
    let lines: Vec<String> = standings.as_array().unwrap().iter().map(line).collect();
    // Second to fourth are level and share 5000, -5000 and -15,000.
    assert_eq!(
        lines,
        [
            "3000 15000 0 18000",
            "-1000 -5000 0 -6000",
            "-1000 -5000 0 -6000",
            "-1000 -5000 20000 -26000",
        ]
    );
    let state = place.json(&["table", "show", "@"]);
    let results: Vec<&Json> =
        (0..4).map(|seat| &state["players"][seat]["placed"]["result"]).collect();
    assert_eq!(results, ["18000", "-6000", "-6000", "-26000"], "the table says the same");
}

/// An organiser under house rules without penalties read "the rules have " and nothing more.
#[test]
fn penalties_under_rules_without_any_cost_what_is_said() {
    let place = Place::new();
    let own = "extends = \"mmm\"\nid = \"own\"\n[tournament]\ndeals = 8\n";
    fs::write(place.folder.path().join("own.toml"), own).unwrap();
    let begin = ["tournament", "new", "@", "--name", "Cup", "--rules", "own.toml"];
    place.done(&[&begin[..], &["--like", "own.toml"]].concat());
    fs::write(place.folder.path().join("people.csv"), "name\nAnn\nBo\nCy\nDi\n").unwrap();
    place.done(&["tournament", "import", "@", "people.csv"]);
    place.done(&["tournament", "seat", "@", "--rounds", "1", "--seed", "dice"]);
    let (code, _, error) = place.run(&["tournament", "penalty", "@", "Bo", "slow"]);
    let said = "no cause `slow`: the rules name no causes: say what it costs (--points 10)";
    assert_eq!((code, error.contains(said)), (2, true), "{error}");
    let page = place.done(&["tournament", "penalty", "@", "Bo", "slow", "--points", "15"]);
    assert!(page.contains("penalty of 15 for Bo: slow"), "{page}");
    assert!(page.contains("-15 in the standings"), "{page}");
}

/// No stick is put down for it, and the repeats go into the payment.
#[test]
fn a_ready_hand_of_taiwan_is_named_by_the_option_of_riichi() {
    let place = Place::sitting("taiwan");
    place.done(&["table", "draw", "@"]);
    let hand = "123m456p789s234s34m77z +5m";
    let deal = ["table", "deal", "@", hand, "-w", "Bo", "--from", "Ann", "--double-riichi", "Bo"];
    let page = place.done(&deal);
    assert!(page.contains("(ready with the first discard)"), "{page}");
    // Four tai, the dealer's one, and two as he has stayed.
    assert_eq!(place.totals(), ["-240", "240", "0", "0"], "{page}");
}

//! `tilelens tournament` as an organiser and other programs call it.

use std::{collections::BTreeMap, fs, path::PathBuf, process::Stdio};

use crate::support::organiser::{Evening, standing, table};
use serde_json::Value as Json;

/// Totals of the standings by number.
fn totals(standings: &Json) -> Vec<(u64, String)> {
    let rows = standings.as_array().expect("a list");
    rows.iter()
        .map(|row| {
            let number = row["number"].as_u64().expect("a number");
            (number, row["total"].as_str().expect("points").to_owned())
        })
        .collect()
}

#[test]
fn an_evening_from_the_list_of_players_to_the_standings() {
    let evening = Evening::seated(8, "2");
    let tables = evening.ok(&["tables", "@", "1"]);
    assert!(tables.contains("East") && tables.contains("Player 0"), "{tables}");
    let out = evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    for text in ["+114", "+18", "-10", "+48", "So far results: 1 of 4 tables", "event 4"] {
        assert!(out.contains(text), "{text} in\n{out}");
    }
    evening.ok(&["result", "@", "1", "2", "10/3", "10/3", "-20/3", "0"]);
    let seats = evening.json(&["tables", "@", "1"]);
    let east = seats["seats"][0]["number"].as_u64().expect("a number");
    evening.ok(&["penalty", "@", &east.to_string(), "knocked_over_four", "--note", "deal 7"]);
    let standings = evening.json(&["standings", "@"]);
    assert!(totals(&standings).contains(&(east, "84".to_owned())), "{standings}");
    assert_eq!(standings[0]["sessions"][1], Json::Null);
    let out = evening.ok(&["standings", "@"]);
    assert!(out.contains("Rank") && out.contains("-30") && out.contains("+68⅓"), "{out}");
    let out = evening.ok(&["undo", "@", "--author", "Anna"]);
    assert!(out.contains("Undone: event 6, penalty ×2"), "{out}");
    assert!(totals(&evening.json(&["standings", "@"])).contains(&(east, "114".to_owned())));
    let log = evening.ok(&["log", "@"]);
    assert!(log.contains("undone") && log.contains("Anna"), "{log}");
}

#[test]
fn a_late_player_is_replaced() {
    let evening = Evening::seated(8, "1");
    evening.ok(&["clock", "@", "1", "--start"]);
    let refused = evening.refused(&["late", "@", "3", "--round", "1", "--reserve", "rita"]);
    assert!(refused.contains("10 min left to appear"), "{refused}");
    evening.ok(&["undo", "@"]);
    evening.ok(&["clock", "@", "1", "--start", "--at", "2026-01-01 18:00"]);
    let out = evening.ok(&["late", "@", "3", "--round", "1", "--reserve", "rita"]);
    assert!(out.contains("3 Rita for Player"), "{out}");
    evening.ok(&["result", "@", "1", "1", "0", "0", "0", "0"]);
    evening.ok(&["result", "@", "1", "2", "0", "0", "0", "0"]);
    let standings = evening.json(&["standings", "@"]);
    let absent = totals(&standings).into_iter().find(|(number, _)| *number == 3);
    assert_eq!(absent, Some((3, "0".to_owned())));
}

#[test]
fn the_clock_tells_what_may_be_played() {
    let evening = Evening::seated(4, "1");
    assert_eq!(evening.json(&["clock", "@", "1"]), Json::Null);
    evening.ok(&["clock", "@", "1", "--start", "--at", "2026-01-01T18:00:00Z"]);
    for (at, deals, says) in [
        ("2026-01-01 17:59", "0", "Starts in 0:01:00"),
        ("2026-01-01 18:05", "0", "0:05:00 left to appear"),
        ("2026-01-01 19:54:59", "9", "0:00:01 left: deals may be started"),
        ("2026-01-01 19:55", "9", "the deal being played is finished, none is started"),
        ("2026-01-01 19:00", "16", "All 16 deals are started"),
    ] {
        let out = evening.ok(&["clock", "@", "1", "--at", at, "--deals", deals]);
        assert!(out.contains(says), "{at}: {out}");
    }
    let reading = evening.json(&["clock", "@", "1", "--at", "2026-01-01 19:00"]);
    assert_eq!(
        (&reading["may_play"], &reading["left_seconds"]),
        (&"start_deals".into(), &3300.into())
    );
}

/// A fire alarm stops the hall; one table had to wait for its referee.
#[test]
fn a_clock_is_stopped_goes_on_and_gets_minutes_for_all_or_one_table() {
    let evening = Evening::seated(8, "2");
    let refused = evening.refused(&["clock", "@", "1", "--pause"]);
    assert!(refused.contains("the clock of round 1 has not been started"), "{refused}");
    evening.ok(&["open", "@", "1"]);
    evening.ok(&["clock", "@", "1", "--start"]);
    let clock = |number: &str| table(&evening, &["show", "--table", number])["clock"].clone();
    let ends = |number: &str| -> jiff::Timestamp {
        clock(number)["ends"].as_str().expect("a time").parse().expect("a time")
    };
    let began = ends("1001");
    let out = evening.ok(&["clock", "@", "1", "--pause"]);
    assert!(out.contains("The clock stands since"), "{out}");
    assert!(clock("1001")["paused"].is_string() && clock("1002")["paused"].is_string());
    let again = evening.refused(&["clock", "@", "1", "--pause"]);
    assert!(again.contains("stands already"), "{again}");
    let out = evening.ok(&["clock", "@", "1", "--resume"]);
    assert!(!out.contains("stands"), "{out}");
    assert!(clock("1001")["paused"].is_null() && ends("1001") >= began);
    let again = evening.refused(&["clock", "@", "1", "--resume"]);
    assert!(again.contains("runs already"), "{again}");
    let shared = ends("1001");
    evening.ok(&["clock", "@", "1", "--add", "5", "--table", "2"]);
    let five = jiff::SignedDuration::from_mins(5);
    assert_eq!((ends("1001"), ends("1002")), (shared, shared + five));
    let reading = evening.json(&["clock", "@", "1", "--table", "2"]);
    assert_eq!(reading["ends"], clock("1002")["ends"]);
    // A table's own minutes stay when all get some; an undo takes back what came last.
    evening.ok(&["clock", "@", "1", "--add", "5"]);
    assert_eq!((ends("1001"), ends("1002")), (shared + five, shared + five + five));
    evening.ok(&["undo", "@"]);
    assert_eq!((ends("1001"), ends("1002")), (shared, shared + five));
    let (_, _, error) = evening.run(&["clock", "@", "1", "--add", "0"]);
    assert!(error.contains("not in 1.."), "{error}");
    let refused = evening.refused(&["clock", "@", "1", "--pause", "--table", "7"]);
    assert!(refused.contains("there is no table 7"), "{refused}");
    let log = evening.ok(&["log", "@"]);
    assert!(log.contains("clock of round 1, table 2 got 5 more minutes"), "{log}");
    // Closed again, the round has no clock, and one that is started later is as long as ever.
    evening.ok(&["close", "@", "1"]);
    assert_eq!(evening.json(&["clock", "@", "1"]), Json::Null);
    evening.ok(&["open", "@", "1"]);
    evening.ok(&["clock", "@", "1", "--start"]);
    assert_eq!(ends("1001"), ends("1002"));
}

#[test]
fn too_few_reserves_are_named_with_what_to_do_and_that_helps() {
    let evening = Evening::begun();
    let people: String = (0..10).map(|place| format!("Player {place}\n")).collect();
    evening.write("people.csv", format!("name\n{people}").as_bytes());
    evening.ok(&["import", "@", "people.csv"]);
    let out = evening.ok(&["seat", "@", "--rounds", "3"]);
    let cure = "needs 2 reserves, and 0 are entered. Import 2 more at any time (`tilelens tournament import`";
    assert!(out.contains(cure), "{out}");
    assert!(out.contains("Round 3 has too few reserves: 2 needed, 0 free"), "{out}");
    evening.write("more.csv", b"name,reserve\nRita,yes\nQuentin,yes\n");
    evening.ok(&["import", "@", "more.csv"]);
    let out = evening.ok(&["tables", "@"]);
    assert!(out.contains("2 reserves play in every round"), "{out}");
    assert!(!out.contains("too few"), "{out}");
}

#[test]
fn players_that_do_not_fill_their_tables_sit_with_reserves() {
    let evening = Evening::seated(18, "3");
    let out = evening.ok(&["tables", "@"]);
    assert!(out.contains("2 reserves play in every round"), "{out}");
    let seats = evening.json(&["export", "@", "schedule"]);
    let seats = seats.as_array().expect("a list");
    assert_eq!(seats.len(), 60);
    assert_eq!(seats.iter().filter(|seat| seat["player"].is_null()).count(), 6);
    assert_eq!(evening.json(&["standings", "@"]).as_array().map(Vec::len), Some(18));
}

#[test]
fn spreadsheets_go_out_and_come_back() {
    let evening = Evening::seated(8, "1");
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    evening.ok(&["result", "@", "1", "2", "1/2", "-1/2", "0", "0"]);
    let results = evening.ok(&["export", "@", "results"]);
    let standings = evening.json(&["standings", "@"]);
    evening.ok(&["undo", "@"]);
    evening.ok(&["undo", "@"]);
    evening.write("results.csv", format!("\u{feff}{}", results.replace(',', ";")).as_bytes());
    let out = evening.ok(&["import", "@", "results.csv", "--results"]);
    assert!(out.contains("Tables read: 2") && out.contains("events 8 to 9"), "{out}");
    assert_eq!(evening.json(&["standings", "@"]), standings);
    let people = evening.ok(&["export", "@", "people"]);
    assert!(people.contains("\"Quentin \"\"Q\"\" <b>&amp;</b>, Jr.\",true,"), "{people}");
    let lines = evening.ok(&["export", "@", "standings"]);
    assert!(lines.starts_with("rank,number,player,earned,bonus,penalty,total,sessions\n1,"));
    // A table is written down whole or not at all.
    evening.ok(&["undo", "@"]);
    evening.ok(&["undo", "@"]);
    let lost = results.lines().take(8).collect::<Vec<_>>().join("\n");
    evening.write("results.csv", lost.as_bytes());
    let before = evening.ok(&["log", "@"]);
    let refused = evening.refused(&["import", "@", "results.csv", "--results"]);
    assert!(refused.contains("table 2 of round 1 needs four lines"), "{refused}");
    assert_eq!(evening.ok(&["log", "@"]), before);
}

#[test]
fn printed_pages_escape_names_and_load_nothing() {
    let evening = Evening::seated(7, "2");
    evening.ok(&["late", "@", "1", "--round", "1", "--reserve", "quentin"]);
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    let page = evening.ok(&["sheets", "@"]);
    assert!(page.starts_with("<!DOCTYPE html>"));
    assert!(page.contains("Evening &lt;i&gt;&amp; Co&lt;/i&gt;"));
    assert!(page.contains("Quentin &quot;Q&quot; &lt;b&gt;&amp;amp;&lt;/b&gt;, Jr. for Player"));
    for foreign in
        ["<b>&amp;", "<i>", "http:", "https:", "<script", "<link", "<img", "url(", "@import"]
    {
        assert!(!page.contains(foreign), "{foreign}");
    }
    // The schedule, two tables in two rounds, the standings.
    assert_eq!(page.matches("<section>").count(), 6);
    assert_eq!(page.matches("Signatures").count(), 4);
    assert_eq!(page.matches(": standings").count(), 1);
    let one = evening.ok(&["sheets", "@", "--round", "2"]);
    assert_eq!(one.matches("Signatures").count(), 2);
}

/// Words of another language in the printed pages, and no English ones.
#[test]
fn printed_pages_speak_other_languages() {
    let evening = Evening::seated(7, "2");
    evening.ok(&["late", "@", "1", "--round", "1", "--reserve", "rita"]);
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (language, said) in [
        ("da", ["Bord 1, Runde 1", "→ Syd", "afkast eller selvtræk", "Rita for Player", "1 Ø<"]),
        ("de", ["Tisch 1, Runde 1", "→ Süd", "Abwurf oder Selbstzug", "Rita für Player", "1 O<"]),
        ("ja", ["1卓、第1回戦", "→ 南", "出和了り・ツモ", "Rita（Player", "1 東<"]),
        ("zh", ["1 号桌，第 1 轮", "→ 南", "点和或自摸", "Rita（替 Player", "1 东<"]),
    ] {
        let page = evening.ok(&["sheets", "@", "--lang", language]);
        for said in said {
            assert!(page.contains(said), "{language}: {said} in {page}");
        }
        // All words that are not the same in English are in this language.
        let file = root.join(format!("crates/scoring/src/words/{language}.json"));
        let words: BTreeMap<String, String> =
            serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("words");
        let body = page.split_once("</style>").expect("a head").1;
        let texts = body.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text);
        for text in texts.filter(|text| !text.trim().is_empty()) {
            let is = words.get(text.trim()).is_none_or(|word| word == text.trim());
            assert!(is, "{language}: {text}");
        }
    }
    assert!(evening.run(&["sheets", "@", "--lang", "fr"]).2.contains("possible values"));
}

/// The cells of a page's rows that contain a text, without their tags.
fn rows(page: &str, containing: &str) -> Vec<Vec<String>> {
    let rows = page.split("<tr").filter(|row| row.contains(containing));
    let cells = |row: &str| -> Vec<String> {
        let cells = row.split("<td").skip(1).filter_map(|cell| cell.split_once('>'));
        cells
            .map(|(_, cell)| {
                let cell = cell.split("</td>").next().unwrap_or_default();
                cell.replace("<b>", "").replace("</b>", "")
            })
            .collect()
    };
    rows.map(cells).collect()
}

#[test]
fn score_sheets_say_who_changes_seats_when() {
    let page = Evening::seated(4, "1").ok(&["sheets", "@"]);
    // Of who began as East, South, West, North, as the rules of the session say.
    for (change, winds) in [
        ("Round 2: seats change", ["→ South", "→ East", "→ North", "→ West"]),
        ("Round 3: seats change", ["→ North", "→ West", "→ East", "→ South"]),
        ("Round 4: seats change", ["→ West", "→ North", "→ South", "→ East"]),
    ] {
        assert_eq!(rows(&page, change), [[&[change], &winds[..]].concat()], "{change}");
    }
    assert!(page.contains("discard or self-draw") && page.contains("<small>pv</small>"));
    // After the fourth deal, before the fifth.
    let deals: Vec<&str> = page.split("<tr class=\"").skip(1).collect();
    assert!(deals[4].starts_with("change") && deals[5].contains(">5<"), "{}", deals[4]);
    // Seats do not change in riichi; its words are its players'.
    let evening = Evening::begun_with(&["--rules", "riichi", "--like", "chumchu"]);
    evening.write("four.csv", b"name\nAnna\nBo\nCarla\nDan\n");
    evening.ok(&["import", "@", "four.csv"]);
    evening.ok(&["seat", "@", "--rounds", "1", "--seed", "x"]);
    let page = evening.ok(&["sheets", "@"]);
    assert!(!page.contains("seats change") && !page.contains("Seats change"));
    assert!(page.contains("ron or tsumo") && page.contains("<small>han, fu</small>"));
}

/// A tournament of rules in which play goes on after a win: the sheet has room for all wins of a deal, and tables of the
/// ledger are its results.
#[test]
fn a_tournament_goes_on_after_a_win() {
    let evening = Evening::begun_with(&["--rules", "sichuan"]);
    evening.write("four.csv", b"name\nAnna\nBo\nCarla\nDan\n");
    evening.ok(&["import", "@", "four.csv"]);
    evening.ok(&["seat", "@", "--rounds", "1", "--seed", "x"]);
    let page = evening.ok(&["sheets", "@"]);
    assert!(page.contains("Wins<small>winner, from, fan</small>"), "{page}");
    assert!(page.contains("Kongs and the end") && !page.contains("Value"), "{page}");
    // Sixteen deals, each with a number, its wins, its kongs, and the four.
    assert_eq!(page.matches("<tr class=\"deal\">").count(), 16);
}

#[test]
fn players_are_listed_by_name_with_their_tables() {
    let evening = Evening::seated(7, "2");
    evening.ok(&["late", "@", "1", "--round", "1", "--reserve", "rita"]);
    let page = evening.ok(&["sheets", "@"]);
    let (_, list) = page.split_once("players by name").expect("a list");
    let list = list.split_once("</section>").expect("an end").0;
    let listed = rows(list, "<td");
    let names: Vec<&str> = listed.iter().map(|row| row[0].as_str()).collect();
    assert!(names.is_sorted() && names.len() == 8 && names[7] == "Rita", "{names:?}");
    let seats = evening.json(&["export", "@", "schedule"]);
    for row in listed.iter().filter(|row| row[0] != "Rita") {
        for round in [1, 2] {
            let mut all = seats.as_array().expect("seats").iter();
            let own = all.find(|seat| seat["round"] == round && seat["player"] == row[0].as_str());
            let own = own.expect("a seat");
            let wind = own["wind"].as_str().expect("a wind");
            let expected = if own["number"] == 1 && round == 1 {
                "–".to_owned()
            } else {
                format!("{} {wind}", own["table"])
            };
            assert_eq!(row[1 + round as usize], expected, "{row:?}");
        }
    }
    // Who plays for another is listed with his table.
    assert!(listed[7][2].ends_with(['E', 'S', 'W', 'N']) && listed[7][3] == "–", "{:?}", listed[7]);
}

#[test]
fn errors_are_two_and_name_the_cause() {
    let evening = Evening::seated(8, "1");
    evening.ok(&["result", "@", "1", "1", "0", "0", "0", "0"]);
    evening.write("unkept.toml", b"extends = \"riichi\"\nid = \"x\"\n[session]\nkept = false\n");
    for (arguments, cause) in [
        (vec!["new", "@", "--name", "x"], "has a tournament already"),
        (vec!["new", "x.tlg", "--name", " "], "no name"),
        (vec!["new", "x.tlg", "--name", "x", "--rules", "nobody"], "no rule set `nobody`"),
        (vec!["new", "x.tlg", "--name", "x", "--rules", "unkept.toml"], "is not kept yet"),
        (vec!["new", "x.tlg", "--name", "x", "--like", "ims"], "says nothing of tournaments"),
        (vec!["new", "x.tlg", "--name", "x", "--like", "no.toml"], "cannot read the rule file"),
        (vec!["new", "x.tlg", "--name", "x", "--ruling", "ims.x=y"], "no ruling `ims.x`"),
        (vec!["new", "absent/x.tlg", "--name", "x"], "cannot open"),
        (vec!["standings", "absent.tlg"], "there is no ledger"),
        (vec!["standings", "people.csv"], "is not a Tilelens ledger"),
        (vec!["import", "@", "people.csv"], "after the draw"),
        (vec!["import", "@", "absent.csv"], "cannot read absent.csv"),
        (vec!["seat", "@", "--rounds", "2"], "seated already"),
        (vec!["tables", "@", "2"], "there is no round 2: the tournament has 1"),
        (vec!["result", "@", "1", "3", "0", "0", "0", "0"], "there is no table 3"),
        (vec!["result", "@", "1", "2", "1", "0", "0", "0"], "together 1 too high"),
        (vec!["result", "@", "1", "2", "0", "-7", "0", "0"], "together 7 too low"),
        (vec!["result", "@", "1", "1", "0", "0", "0", "0"], "has a result for round 1"),
        (vec!["result", "@", "1", "2", "1.5.5", "0", "0", "0"], "`1.5.5` is no number of points"),
        (vec!["penalty", "@", "Player"], "type more of the name"),
        (vec!["penalty", "@", "9"], "no player has the number 9"),
        (vec!["penalty", "@", "Nobody"], "no player is called"),
        (vec!["penalty", "@", "1", "sneezing"], "the rules have error, knocked_over"),
        (vec!["late", "@", "1", "--round", "1", "--reserve", "x"], "no reserve is called"),
        (vec!["clock", "@", "1", "--at", "soon"], "`soon` is not a time"),
        (vec!["undo", "@", "1"], "delete the file instead"),
        (vec!["undo", "@", "2"], "event 3 builds on it"),
        (vec!["undo", "@", "77"], "no event 77"),
    ] {
        let before = evening.ok(&["log", "@"]);
        let error = evening.refused(&arguments);
        assert!(error.contains(cause), "{arguments:?}: {error}");
        assert_eq!(evening.ok(&["log", "@"]), before);
        assert!(!evening.path("x.tlg").exists(), "{arguments:?} leaves a file behind");
    }
    let begun = Evening::begun();
    assert!(begun.refused(&["standings", "@"]).contains("not seated yet"));
    assert!(begun.refused(&["seat", "@", "--rounds", "2"]).contains("at least four"));
    assert!(begun.refused(&["undo", "@"]).contains("nothing to undo"));
    begun.write("people.csv", b"name\nBo\nEva\nBO\n");
    assert!(begun.refused(&["import", "@", "people.csv"]).contains("line 4: BO is in line 2"));
}

#[test]
fn many_writers_lose_nothing() {
    let evening = Evening::seated(48, "1");
    let writers: Vec<_> = (1..=12)
        .map(|table| {
            let table = table.to_string();
            let mut command = evening.command(&["result", "@", "1", &table, "3", "-1", "-1", "-1"]);
            command.stdout(Stdio::null()).spawn().expect("it starts")
        })
        .collect();
    for mut writer in writers {
        assert!(writer.wait().expect("it ends").success());
    }
    assert!(evening.ok(&["standings", "@"]).contains("results: 12 of 12 tables"));
}

#[test]
fn a_killed_writer_leaves_a_whole_file() {
    let evening = Evening::seated(8, "1");
    let mut acknowledged = 3;
    for microseconds in (0..40).map(|step| step * 700) {
        let mut writer = evening
            .command(&["penalty", "@", "1"])
            .stdout(Stdio::null())
            .spawn()
            .expect("it starts");
        std::thread::sleep(std::time::Duration::from_micros(microseconds));
        let done = writer.try_wait().expect("it can be asked").is_some_and(|code| code.success());
        writer.kill().expect("it can be killed");
        writer.wait().expect("it ends");
        let events = evening.ok(&["log", "@", "--json"]).lines().count();
        let least = acknowledged + usize::from(done);
        assert!(events == least || (!done && events == least + 1), "{events} after {least}");
        acknowledged = events;
    }
}

#[test]
fn a_rule_file_of_ones_own_says_how_the_tournament_is_run() {
    let evening = Evening::begun();
    let own = "extends = \"chumchu\"\nid = \"own\"\n\
               [tournament]\nbonus = [30, 10, -10, \"-30\"]\ndeals = 8\n";
    evening.write("own.toml", own.as_bytes());
    evening.ok(&["new", "own.tlg", "--name", "Own", "--rules", "mmm", "--like", "own.toml"]);
    let begun = evening.json(&["log", "own.tlg"])["event"]["begun"]["format"].clone();
    assert_eq!(begun["bonus"], serde_json::json!(["30", "10", "-10", "-30"]));
    assert_eq!((&begun["deals"], &begun["starting_points"]), (&8.into(), &"2000".into()));
    evening.write("own.toml", own.replace("deals = 8", "deals = 0").as_bytes());
    let refused = evening.refused(&["new", "x.tlg", "--name", "x", "--like", "own.toml"]);
    assert!(refused.contains("tournament.deals"), "{refused}");
}

/// Runs every command of the guide, in one folder, and compares its output.
#[cfg(unix)]
#[test]
fn the_guide_shows_what_the_program_prints() {
    let guide = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/tournament.md"));
    let guide = guide.expect("the guide");
    let folder = tempfile::tempdir().expect("a folder");
    let program = PathBuf::from(env!("CARGO_BIN_EXE_tilelens"));
    let path = std::env::join_paths(
        program
            .parent()
            .map(PathBuf::from)
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").expect("a path"))),
    );
    let path = path.expect("a path");
    let mut commands = 0;
    for block in guide.split("```console\n").skip(1) {
        let block = block.split("```").next().expect("a block");
        for shown in block.strip_prefix("$ ").expect("a command").split("\n$ ") {
            let (command, expected) = shown.split_once('\n').unwrap_or((shown, ""));
            if command == "cat players.csv" {
                fs::write(folder.path().join("players.csv"), format!("{expected}\n"))
                    .expect("it can be written");
            }
            let output = std::process::Command::new("sh")
                .args(["-c", command])
                .current_dir(folder.path())
                .env("PATH", &path)
                .env("TZ", "UTC")
                .output()
                .expect("it runs");
            let printed = [output.stdout, output.stderr].concat();
            let printed = String::from_utf8(printed).expect("UTF-8");
            assert_eq!(printed.trim_end(), expected.trim_end(), "$ {command}");
            commands += 1;
        }
    }
    assert!(commands > 12, "{commands} commands");
}

#[test]
fn tables_of_the_same_file_are_the_tournaments_results() {
    let evening = Evening::seated(8, "2");
    let out = evening.ok(&["open", "@", "1"]);
    assert!(out.contains("tables 1001, 1002: opened"), "{out}");
    assert!(evening.ok(&["open", "@", "1"]).contains("is open or has a result"));
    let state = table(&evening, &["show", "--table", "1001"]);
    let names: Vec<String> = (state["players"].as_array().expect("four").iter())
        .map(|player| player["name"].as_str().expect("a name").to_owned())
        .collect();
    let [east, south, west, _] = names.as_slice() else { panic!("{names:?}") };
    assert_eq!((&state["rules"], &state["sitting"]["table"]), (&"chumchu".into(), &1.into()));
    // The clock is the tournament's, at all its tables.
    evening.ok(&["clock", "@", "1", "--start", "--at", "2026-01-01T18:00:00Z"]);
    let clock = table(&evening, &["show", "--table", "1002"])["clock"].clone();
    assert_eq!(clock["ends"], "2026-01-01T19:55:00Z");
    // The table's events count without being typed again.
    let roll = ["--at", "2026-01-01T18:10:00Z"];
    let deal =
        ["--table", "1001", "-w", "W", "--from", "E", "--pay", "W=8,E=-4,S=-2,N=-2", "--meant"];
    table(&evening, &[&["deal"][..], &deal, &roll].concat());
    assert_eq!(standing(&evening, west)["total"], "0", "its session goes on");
    assert!(evening.refused(&["result", "@", "1", "1", "0", "0", "0", "0"]).contains("table 1001"));
    table(&evening, &["penalty", east, "--table", "1001", "--cause", "language"]);
    table(&evening, &["end", "--table", "1001"]);
    assert_eq!(standing(&evening, west)["total"], "88");
    assert_eq!(standing(&evening, south)["total"], "38");
    assert_eq!((&standing(&evening, east)["penalty"]), "10");
    // A correction at the table is one of the standings.
    let correct = ["--table", "1001", "--deal", "1", "-w", "S", "--from", "E"];
    table(
        &evening,
        &[&["correct"][..], &correct, &["--pay", "S=8,E=-4,W=-2,N=-2", "--meant"]].concat(),
    );
    assert_eq!(standing(&evening, south)["total"], "88");
    // Paper goes on beside it: nothing was played at the other table.
    evening.ok(&["result", "@", "1", "2", "3", "-1", "-1", "-1"]);
    assert!(evening.ok(&["standings", "@"]).contains("results: 2 of 4 tables"));
    // Played sessions depend on the seating.
    assert!(evening.refused(&["undo", "@", "3"]).contains("builds on it"));
    // Penalties rise over the sessions: the second costs 20, at the next table and after it.
    evening.ok(&["open", "@", "2"]);
    evening.ok(&["penalty", "@", east, "comment"]);
    assert_eq!(standing(&evening, east)["penalty"], "30");
    let own = [2001, 2002].map(|number| number.to_string()).into_iter().find(|number| {
        table(&evening, &["show", "--table", number])["players"].to_string().contains(east)
    });
    let own = own.expect("everybody sits in the next round");
    let state = table(&evening, &["penalty", east, "--table", &own, "--cause", "error"]);
    let players = state["players"].as_array().expect("four");
    let player = players.iter().find(|player| player["name"] == **east).expect("he sits there");
    assert_eq!((&player["penalties"], &player["penalty_points"]), (&3.into(), &"30".into()));
    assert_eq!(standing(&evening, east)["penalty"], "60");
}

#[test]
fn tables_follow_who_sits_there() {
    let evening = Evening::seated(7, "2");
    evening.ok(&["open", "@", "1"]);
    let names = |number: &str| {
        let state = table(&evening, &["show", "--table", number]);
        let players = state["players"].as_array().expect("four").clone();
        players.iter().map(|player| player["name"].as_str().expect("one").to_owned()).collect()
    };
    let both = || -> Vec<String> { [names("1001"), names("1002")].concat() };
    assert!(both().contains(&"Reserve 8".to_owned()), "{:?}", both());
    evening.ok(&["reserve", "@", "rita", "--round", "1", "--seat", "8"]);
    assert!(both().contains(&"Rita".to_owned()), "{:?}", both());
    // Who is late is replaced at the table too, and comes back where that was a mistake.
    let before: Vec<String> = both();
    evening.ok(&["late", "@", "3", "--round", "1", "--reserve", "quentin"]);
    assert!(both().iter().any(|name| name.starts_with("Quentin")), "{:?}", both());
    evening.ok(&["undo", "@"]);
    assert_eq!(both(), before);
    let refused = evening.refused(&["undo", "@", "3"]);
    assert!(refused.contains("builds on it") || refused.contains("depend on the seating"));
    // A clock that was started by mistake stops at the tables too.
    evening.ok(&["clock", "@", "1", "--start"]);
    assert_ne!(table(&evening, &["show", "--table", "1001"])["clock"], Json::Null);
    evening.ok(&["undo", "@"]);
    assert_eq!(table(&evening, &["show", "--table", "1001"])["clock"], Json::Null);
    // Who is disqualified at a table plays no more.
    let out: Vec<String> = names("1001");
    let out = out.iter().find(|name| name.starts_with("Player")).expect("a player");
    table(&evening, &["disqualify", out, "--table", "1001", "--note", "threats"]);
    assert_eq!(standing(&evening, out)["rank"], Json::Null);
    let second = evening.json(&["export", "@", "schedule"]);
    assert!(second.to_string().contains(out.as_str()), "the seat keeps his number");
    let tables = evening.ok(&["tables", "@", "2"]);
    assert!(tables.contains(&format!("reserve for {out}")), "{tables}");
    evening.ok(&["reserve", "@", "quentin", "--round", "2", "--seat", out]);
    assert!(evening.ok(&["tables", "@", "2"]).contains(&format!("Jr. for {out}")));
}

#[test]
fn rounds_end_at_all_tables_at_once() {
    let evening = Evening::seated(8, "1");
    evening.ok(&["open", "@", "1"]);
    let deal = ["--table", "1002", "-w", "E", "--self-draw", "--pay", "E=9,S=-3,W=-3,N=-3"];
    table(&evening, &[&["deal"][..], &deal].concat());
    let out = evening.ok(&["end", "@", "1"]);
    // At table 1001 nothing was played: that is no result.
    assert!(out.contains("results: 1 of 2 tables") && out.contains("1001, 1002: ended"), "{out}");
}

#[test]
fn tables_fine_as_the_tournament_does_where_their_rules_know_no_penalties() {
    let evening = Evening::begun_with(&["--rules", "mmm"]);
    evening.write("people.csv", b"name\nAnn\nBo\nCy\nDi\n");
    evening.ok(&["import", "@", "people.csv"]);
    evening.ok(&["seat", "@", "--rounds", "1", "--seed", "x"]);
    evening.ok(&["open", "@", "1"]);
    evening.ok(&["penalty", "@", "bo"]);
    table(&evening, &["penalty", "bo", "--table", "1001", "--cause", "knocked_over_four"]);
    assert_eq!(standing(&evening, "Bo")["penalty"], "60");
    let state = table(&evening, &["penalty", "cy", "--table", "1001"]);
    let players = state["players"].as_array().expect("four");
    let points = |name: &str| {
        players.iter().find(|player| player["name"] == name).expect("him")["penalty_points"].clone()
    };
    assert_eq!((points("Cy"), points("Bo")), ("10".into(), "50".into()), "20 and 30 after a first");
}

#[test]
fn new_players_have_their_own_minimum_at_the_tournaments_tables() {
    let evening = Evening::begun();
    evening.write("people.csv", b"name,reserve,new\nAnn,,\nBo,,yes\nCy,,2\nDi,,\nRita,yes,yes\n");
    evening.ok(&["import", "@", "people.csv"]);
    evening.ok(&["seat", "@", "--rounds", "2", "--seed", "x"]);
    evening.ok(&["open", "@", "1"]);
    let minimum = |number: &str, name: &str| {
        let state = table(&evening, &["show", "--table", number]);
        let players = state["players"].as_array().expect("four").clone();
        players.iter().find(|player| player["name"] == name).expect("him")["minimum"].clone()
    };
    let nobody = Json::Null;
    assert_eq!(minimum("1001", "Ann"), nobody);
    assert_eq!((minimum("1001", "Bo"), minimum("1001", "Cy")), ("0".into(), "2".into()));
    let pay = ["--pay", "Bo=3,Ann=-1,Cy=-1,Di=-1", "--meant"];
    table(&evening, &[&["deal", "--table", "1001", "-w", "Bo", "--self-draw"][..], &pay].concat());
    assert_eq!(minimum("1001", "Bo"), "1");
    // Wins count in the next session; a reserve who is new plays with a minimum of his own too.
    let error = evening.refused(&["open", "@", "2"]);
    assert!(error.contains("Table 1 still plays round 1") && error.contains("--meant"), "{error}");
    evening.ok(&["open", "@", "2", "--meant"]);
    assert_eq!(minimum("2001", "Bo"), "1");
    evening.ok(&["late", "@", "di", "--round", "2", "--reserve", "rita"]);
    assert_eq!((minimum("2001", "Rita"), minimum("2001", "Bo")), ("0".into(), "1".into()));
    // The list comes back as it went out.
    let people = evening.ok(&["export", "@", "people"]);
    let again = Evening::begun();
    again.write("people.csv", people.as_bytes());
    again.ok(&["import", "@", "people.csv"]);
    let new = |evening: &Evening| -> Vec<Json> {
        let people = evening.json(&["export", "@", "people"]);
        people.as_array().expect("a list").iter().map(|one| one["new"].clone()).collect()
    };
    assert_eq!(new(&again), new(&evening));
    assert_eq!(new(&again), [nobody.clone(), 0.into(), 2.into(), nobody, 0.into()]);
    // Where the rules know no such minimum, that is said at once.
    let other = Evening::begun_with(&["--rules", "mmm"]);
    other.write("people.csv", people.as_bytes());
    assert!(other.refused(&["import", "@", "people.csv"]).contains("mmm knows no minimum"));
}

#[test]
fn a_round_that_was_opened_too_early_is_closed_and_opened_again() {
    let evening = Evening::seated(8, "2");
    let error = evening.refused(&["close", "@", "1"]);
    assert!(error.contains("no table of round 1 is open"), "{error}");
    evening.ok(&["open", "@", "1"]);
    evening.ok(&["clock", "@", "1", "--start"]);
    evening.ok(&["close", "@", "1"]);
    // Its clock is taken back too, and the round can be laid out again.
    assert!(evening.ok(&["clock", "@", "1"]).contains("has not started"));
    evening.ok(&["pair", "@", "--by", "meetings", "--round", "1"]);
    evening.ok(&["open", "@", "1"]);
    let shown = table(&evening, &["show", "--table", "1001"]);
    assert_eq!((&shown["over"], &shown["clock"]), (&Json::Null, &Json::Null), "{shown}");
    let seats = evening.json(&["tables", "@", "1"])["seats"].clone();
    assert_eq!(shown["players"][0]["name"], seats[0]["player"]);
    // Once anything has happened at a table, it stays open.
    table(&evening, &["deal", "--table", "1002", "-w", "S", "--from", "E", "--worth", "5"]);
    let error = evening.refused(&["close", "@", "1"]);
    assert!(error.contains("has happened at table 2"), "{error}");
}

//! Records of games: read from other programs' logs, written for them, and our own lines with what nobody has seen.

use std::process::Command;

use serde_json::Value;
use tilelens::{
    convert::log::{GameLog, LogFormat, read},
    record::{Event, Record},
};

use super::game_logs::text;

fn printed(record: &Record, format: LogFormat) -> String {
    format.print(record).unwrap_or_else(|error| panic!("{format}: {error}")).value
}

fn lines(events: &[&str]) -> String {
    events.join("\n")
}

/// Three players of whom a camera has seen the discards; one has opened the hand.
const SEEN: [&str; 12] = [
    r#"{"type":"game","players":["Ann","Bo","Cy"]}"#,
    r#"{"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????","?????????????"]}"#,
    r#"{"type":"draw","player":0,"tile":"?"}"#,
    r#"{"type":"set_out","player":0,"tile":"3f"}"#,
    r#"{"type":"draw","player":0,"tile":"?"}"#,
    r#"{"type":"discard","player":0,"tile":"5p"}"#,
    r#"{"type":"claim","player":1,"from":0,"kind":"pung","tile":"5p","own":"05p"}"#,
    r#"{"type":"discard","player":1,"tile":"?"}"#,
    r#"{"type":"gap","milliseconds":1800}"#,
    r#"{"type":"discard","player":2,"tile":"9s"}"#,
    r#"{"type":"opened","player":1,"hand":"123m45678s22z"}"#,
    r#"{"type":"win","player":1,"from":2}"#,
];

#[test]
fn each_form_says_the_same_events() {
    let (mjai, xml) = (read(&text("calls.mjson")).unwrap(), read(&text("calls.mjlog")).unwrap());
    // The first log has no names.
    assert_eq!(mjai.events[1..], xml.events[1..]);
    let (majiang, tenhou) =
        (read(&text("majiang.json")).unwrap(), read(&text("tenhou.json")).unwrap());
    assert_eq!(majiang.events, tenhou.events);
    for kind in ["claim", "concealed_kong", "added_kong", "indicator", "win", "no_win"] {
        let json = mjai.json_lines().unwrap();
        assert!(json.contains(&format!("\"type\":\"{kind}\"")), "{kind}");
    }
}

#[test]
fn tenhous_xml_names_players_and_says_which_game_it_is() {
    let log = text("calls.mjlog");
    // It names who comes back once more.
    let named = log.replacen("n1=\"B\"", "n1=\"%E3%81%82%25\"", 1).replacen(
        "<T21/>",
        "<BYE who=\"1\"/><UN n1=\"B\"/><T21/>",
        1,
    );
    let record = read(&named).unwrap();
    let Event::Game { players } = &record.events[0] else { panic!("{:?}", record.events[0]) };
    assert_eq!(players, &["A", "あ%", "C", "D"]);
    assert_eq!(record.events[1..], read(&log).unwrap().events[1..]);
    let three = log.replacen("type=\"9\"", "type=\"25\"", 1);
    let refused = read(&three).unwrap_err().to_string();
    assert_eq!(refused, "line 1, column 45: a game of three players, which is not read");
    // Without red fives the same numbers are plain ones.
    let plain =
        printed(&read(&log.replacen("type=\"9\"", "type=\"11\"", 1)).unwrap(), LogFormat::Jsonl);
    let is_red = |line: &str| line.contains("\"tile\":\"0");
    assert!(printed(&read(&log).unwrap(), LogFormat::Jsonl).lines().any(is_red));
    assert!(!plain.lines().any(is_red));
}

#[test]
fn what_is_written_reads_as_the_same_events() {
    for name in ["calls.mjson", "calls.mjlog", "majiang.json", "tenhou.json"] {
        let record = read(&text(name)).unwrap();
        for format in LogFormat::ALL {
            let written = format.print(&record).unwrap();
            assert_eq!(written.notes, Vec::<String>::new(), "{name}: {format}");
            let again = read(&written.value).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(again.events, record.events, "{name}: {format}");
        }
    }
}

#[test]
fn a_tile_that_nobody_saw_stays_unknown() {
    // The log of a player who sees only the own hand.
    let log = text("calls.mjson");
    let mut hidden = Vec::new();
    for line in log.lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if event["type"] == "start_kyoku" {
            for hand in event["tehais"].as_array_mut().unwrap().iter_mut().skip(1) {
                *hand = vec!["?"; 13].into();
            }
        } else if event["type"] == "tsumo" && event["actor"] != 0 {
            event["pai"] = "?".into();
        }
        hidden.push(event.to_string());
    }
    let record = read(&hidden.join("\n")).unwrap();
    for format in [LogFormat::Jsonl, LogFormat::Mjai] {
        assert_eq!(read(&printed(&record, format)).unwrap().events, record.events, "{format}");
    }
    let refused = LogFormat::Tenhou.print(&record).unwrap_err().to_string();
    assert!(refused.contains("a tile that is not known"), "{refused}");
}

#[test]
fn a_record_of_what_a_camera_saw_holds_gaps_and_flowers() {
    let record = read(&lines(&SEEN)).unwrap();
    assert_eq!(printed(&record, LogFormat::Jsonl).trim_end(), lines(&SEEN));
    for (format, says) in [(LogFormat::Mjai, "games of four"), (LogFormat::Tenhou, "games of four")]
    {
        let refused = format.print(&record).unwrap_err().to_string();
        assert!(refused.contains(says), "{refused}");
    }
    let refused = GameLog::of(&record).unwrap_err().to_string();
    assert_eq!(refused, "line 2: 3 players: only games of four are played again");
    // Fields of later programs are passed over; other events are not.
    let later = lines(&SEEN).replacen("\"tile\":\"3f\"", "\"tile\":\"3f\",\"sure\":0.9", 1);
    assert_eq!(read(&later).unwrap().events, record.events);
}

#[test]
fn a_record_that_the_tiles_do_not_allow_is_refused_with_its_line() {
    let with = |place: usize, line: &'static str| {
        let mut changed = SEEN;
        changed[place] = line;
        lines(&changed)
    };
    for (record, says) in [
        (with(0, r#"{"type":"game"}"#), "line 1: no event of a record: missing field `players`"),
        (with(5, r#"{"type":"discard","player":3,"tile":"5p"}"#), "line 6: there is no player 3"),
        (
            with(
                6,
                r#"{"type":"claim","player":1,"from":0,"kind":"pung","tile":"6p","own":"66p"}"#,
            ),
            "line 7: 5p was discarded, and is not claimed",
        ),
        (
            with(
                6,
                r#"{"type":"claim","player":1,"from":0,"kind":"chow","tile":"5p","own":"55p"}"#,
            ),
            "line 7: (5'55p) is another kind of set",
        ),
        (
            with(
                6,
                r#"{"type":"claim","player":2,"from":0,"kind":"chow","tile":"5p","own":"46p"}"#,
            ),
            "line 7: a chow of a tile that is not of the player before",
        ),
        (with(6, r#"{"type":"sung","player":1}"#), "line 7: no event of a record: unknown variant"),
        (with(7, r#"{"type":"end"}"#), "line 8: the deal before does not end"),
        (
            with(11, r#"{"type":"win","player":1,"from":2,"paid":[1,2,3,4]}"#),
            "line 12: 4 payments, and 3 play",
        ),
        (
            with(11, r#"{"type":"win","player":1,"from":2,"paid":[1,2,9223372036854775807]}"#),
            "line 12: no rules pay",
        ),
        (with(1, r#"{"type":"deal","round":"E","dealer":3,"hands":["","",""]}"#), "no player 3"),
    ] {
        let error = read(&record).unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
}

/// Runs the program in a folder; exit code, standard output, standard error.
fn run(folder: &std::path::Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    let output = command.current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn commands_take_a_log_to_a_record_and_back() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.mjlog"), text("calls.mjlog")).unwrap();
    let (code, out, error) =
        run(folder.path(), &["record", "import", "game.mjlog", "-o", "game.jsonl"]);
    assert_eq!((code, out.as_str()), (0, ""), "{error}");
    assert_eq!(error, "4 deals, paid otherwise in the log: 0\n");
    let (code, mjai, error) =
        run(folder.path(), &["record", "export", "game.jsonl", "--to", "mjai"]);
    assert_eq!((code, error.as_str()), (0, ""));
    assert_eq!(read(&mjai).unwrap().events, read(&text("calls.mjlog")).unwrap().events);
    let (code, table, error) = run(folder.path(), &["table", "import", "games.tlg", "game.jsonl"]);
    assert_eq!(code, 0, "{error}");
    assert!(table.starts_with("4 deals, paid otherwise in the log: 0\n"), "{table}");
    // A game of which nothing was dealt has nothing to show.
    #[cfg(feature = "server")]
    {
        std::fs::write(folder.path().join("empty.jsonl"), SEEN[0]).unwrap();
        let (code, _, error) =
            run(folder.path(), &["record", "replay", "empty.jsonl", "-o", "empty.html"]);
        assert!(code == 2 && error.contains("no deal has begun"), "{error}");
        std::fs::write(folder.path().join("seen.jsonl"), lines(&SEEN)).unwrap();
        let (code, _, error) =
            run(folder.path(), &["record", "replay", "seen.jsonl", "-o", "seen.html"]);
        assert!(code == 0 && error.contains("results not counted"), "{error}");
    }
    // Near misses: the input as the output, an unknown format, a log that is cut off.
    let (code, _, error) =
        run(folder.path(), &["record", "import", "game.mjlog", "-o", "game.mjlog"]);
    assert!(code == 2 && error.contains("is read here"), "{error}");
    let (code, _, error) = run(folder.path(), &["record", "export", "game.jsonl", "--to", "pgn"]);
    assert!(code == 2 && error.contains("jsonl, mjai, tenhou"), "{error}");
    let half = mjai.lines().take(40).collect::<Vec<_>>().join("\n");
    std::fs::write(folder.path().join("half.mjson"), half).unwrap();
    let (code, _, error) =
        run(folder.path(), &["record", "import", "half.mjson", "-o", "half.jsonl"]);
    assert!(code == 2 && error.contains("the log is cut off"), "{error}");
    assert!(!folder.path().join("half.jsonl").exists());
}

#[test]
fn corrections_are_taken_into_account_and_doubts_are_left_out() {
    let seen = |more: &[&str]| lines(&[&SEEN[..2], more].concat());
    let draw = r#"{"type":"draw","player":0,"tile":"?"}"#;
    let discard = r#"{"type":"discard","player":0,"tile":"5p"}"#;
    let correction = r#"{"type":"correction","event":2,"tile":"6p"}"#;
    let claim = r#"{"type":"claim","player":1,"from":0,"kind":"pung","tile":"6p","own":"66p"}"#;
    let doubt = r#"{"type":"doubt","event":4,"why":"giver"}"#;
    let gap = r#"{"type":"gap","milliseconds":900}"#;
    let end = r#"{"type":"end"}"#;
    let record = read(&seen(&[draw, discard, correction, claim, doubt, gap, end])).unwrap();
    let corrected = record.corrected();
    assert!(matches!(corrected.events[3], Event::Discard { tile, .. } if tile.to_string() == "6p"));
    let kept: Vec<&str> =
        SEEN[..2].iter().copied().chain([draw, discard, claim, gap, end]).collect();
    let kept = lines(&kept).replace("5p", "6p");
    assert_eq!(corrected.events, read(&kept).unwrap().events);
    // The record itself keeps what was written first.
    assert_eq!(read(&printed(&record, LogFormat::Jsonl)).unwrap().events, record.events);
    // Near misses: the claimed tile before the correction, no discard, an event to come, an end that nobody has seen.
    for (events, said) in [
        (&[draw, discard, claim][..], "5p was discarded"),
        (&[draw, r#"{"type":"correction","event":1,"tile":"6p"}"#][..], "no discard to correct"),
        (&[draw, doubt][..], "no event 4 yet"),
        (&[draw, discard, end][..], "does not end"),
    ] {
        let error = read(&seen(events)).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}

/// What the schema of `docs` says of an event: its required fields, and all of them.
fn described(schema: &Value, kind: &str) -> Option<(Vec<String>, Vec<String>)> {
    let is_kind = |one: &&Value| one["properties"]["type"]["const"] == kind;
    let one = schema["oneOf"].as_array()?.iter().find(is_kind)?;
    let required = one["required"].as_array()?.iter();
    let required = required.filter_map(Value::as_str).map(str::to_owned).collect();
    Some((required, one["properties"].as_object()?.keys().cloned().collect()))
}

#[test]
fn the_schema_describes_each_event_of_the_docs_and_of_every_log() {
    let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let schema = std::fs::read_to_string(docs.join("record.schema.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let page = std::fs::read_to_string(docs.join("record.md")).unwrap();
    let examples: Vec<&str> = page.lines().filter(|line| line.starts_with("{\"type\"")).collect();
    let logged = ["calls.mjson", "majiang.json"]
        .map(|name| printed(&read(&text(name)).unwrap(), LogFormat::Jsonl));
    let mut kinds = std::collections::BTreeSet::new();
    for line in
        examples.iter().copied().chain(SEEN).chain(logged.iter().flat_map(|log| log.lines()))
    {
        let event: Event =
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let written = serde_json::to_value(&event).unwrap();
        let read: Value = serde_json::from_str(line).unwrap();
        assert_eq!(written, read, "an example is written as the program writes it");
        let kind = read["type"].as_str().unwrap();
        let (required, all) =
            described(&schema, kind).unwrap_or_else(|| panic!("{kind} has no schema"));
        let fields: Vec<&String> = read.as_object().unwrap().keys().collect();
        assert!(
            required.iter().all(|field| fields.contains(&field)),
            "{line} lacks one of {required:?}"
        );
        assert!(fields.iter().all(|field| all.contains(field)), "{line} has more than {all:?}");
        // Fields that the schema requires are required by the program too, and no others.
        for field in fields.iter().filter(|field| field.as_str() != "type") {
            let mut less = read.clone();
            less.as_object_mut().unwrap().remove(*field);
            let is_required = serde_json::from_value::<Event>(less).is_err();
            assert_eq!(is_required, required.contains(field), "{kind}: {field}");
        }
        kinds.insert(kind.to_owned());
    }
    let of_schema = schema["oneOf"].as_array().unwrap().iter();
    let of_schema = of_schema.filter_map(|one| one["properties"]["type"]["const"].as_str());
    assert_eq!(kinds, of_schema.map(str::to_owned).collect(), "each event has an example");
}

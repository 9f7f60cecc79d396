//! Phones at the tables of a hall, and its desk: who may enter what, who confirms it, and what the desk sees and does.

use std::{collections::BTreeMap, path::Path, process::Command};

use crate::support::browser::{CUT_OFF, STICKS_OUT, browser, devtools, keep, latin_words, until};
use crate::support::postgres::Server;
use crate::support::served::{Served, tilelens};
use fantoccini::Locator;
use serde_json::{Value, json};

/// The codes of a ledger, made now, by what they open: `desk`, `screen`, `table 3`.
fn codes(ledger: &str, more: &[&str]) -> BTreeMap<String, String> {
    let made = tilelens(&[&["ledger", "codes", ledger, "--json"], more].concat());
    let made: Vec<Value> = serde_json::from_str(&made).unwrap();
    let called = |opens: &Value| match opens {
        Value::String(word) => word.clone(),
        table => format!("table {}", table["table"]),
    };
    made.iter()
        .map(|one| (called(&one["opens"]), one["code"].as_str().unwrap().to_owned()))
        .collect()
}

/// An evening with a table of four, in a folder.
fn evening(folder: &Path, rules: &str) -> String {
    let file = folder.join("evening.tlg").display().to_string();
    tilelens(&["table", "new", &file, "--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
    file
}

/// A player with a phone, at a table whose code it knows.
struct Phone<'a> {
    served: &'a Served,
    code: &'a str,
    table: u32,
    by: usize,
    device: &'a str,
}

impl Phone<'_> {
    fn path(&self, more: &str) -> String {
        format!("{}/api/table/{}{more}", self.code, self.table)
    }

    fn shown(&self) -> Value {
        self.served.get(&self.path("")).json()
    }

    fn says(&self, path: &str, words: Value) -> (u16, Value) {
        let mut said = json!({ "by": self.by, "device": self.device });
        said.as_object_mut().unwrap().extend(words.as_object().unwrap().clone());
        let reply = self.served.post(&self.path(path), &said);
        (reply.status, reply.json())
    }

    fn enters(&self, id: &str, now: Value) -> (u16, Value) {
        self.says("/enter", json!({ "id": id, "now": now }))
    }
}

/// Bo wins a worth by self-draw.
fn won(worth: &str) -> Value {
    json!({ "won": { "context": { "rules": "mmm", "seat": "S", "win": "self_draw", "worth": worth } } })
}

/// The totals of 2,000 each after Bo has won 10 faan by himself.
const BO_WON: [&str; 4] = ["5480/3", "2520", "5480/3", "5480/3"];

fn totals(shown: &Value) -> Vec<&str> {
    let players = shown["table"]["players"].as_array().unwrap();
    players.iter().map(|player| player["total"].as_str().unwrap()).collect()
}

#[test]
fn an_entry_counts_once_another_player_has_confirmed_it_on_another_phone() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = evening(folder.path(), "mmm");
    let code = codes(&ledger, &[])["table 1"].clone();
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let at = |by, device| Phone { served: &served, code: &code, table: 1, by, device };
    let (ann, bo) = (at(0, "phone-a"), at(1, "phone-b"));
    let before = totals(&ann.shown()).iter().map(ToString::to_string).collect::<Vec<_>>();
    let (status, shown) = ann.enters("one", won("10"));
    assert_eq!(status, 200, "{shown}");
    assert_eq!(totals(&shown), before, "nothing is written down yet");
    let waiting = bo.shown()["waiting"].clone();
    assert_eq!((&waiting["id"], &waiting["by"]), (&json!("one"), &json!(0)));
    assert_eq!(waiting["deal"]["payments"].as_array().unwrap().len(), 4);
    // Sent again it waits once; another entry has to wait.
    assert_eq!(ann.enters("one", won("10")).0, 200);
    let (status, other) = bo.enters("two", json!({ "drawn": {} }));
    assert_eq!(status, 409);
    assert!(other["error"].as_str().unwrap().contains("Ann has entered waits"), "{other}");
    // Neither by himself, nor on the phone on which it was entered, nor by a stranger.
    for not_so in [at(0, "phone-b"), at(1, "phone-a"), at(4, "phone-c")] {
        let (status, why) = not_so.says("/confirm", json!({ "id": "one" }));
        assert_eq!(status, 409, "{why}");
    }
    let (status, shown) = bo.says("/confirm", json!({ "id": "one" }));
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["waiting"], Value::Null);
    assert_eq!(totals(&shown), BO_WON);
    let (status, again) = bo.says("/confirm", json!({ "id": "one" }));
    assert_eq!(status, 409, "it is written once: {again}");
    let log = tilelens(&["table", "log", &ledger, "--json"]);
    let last: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["author"], "Ann, confirmed by Bo");
    // Taking it back needs the table's consent too, and anybody of it may refuse.
    let undo = json!({ "undo": { "event": shown["undo"] } });
    let (_, shown) = bo.enters("three", undo.clone());
    assert_eq!(shown["waiting"]["undoes"]["payments"][1], "520");
    let (_, shown) = ann.says("/refuse", json!({ "id": "three" }));
    assert_eq!(shown["waiting"], Value::Null);
    assert_eq!(totals(&shown), BO_WON);
    bo.enters("four", undo);
    let (_, shown) = ann.says("/confirm", json!({ "id": "four" }));
    assert_eq!(totals(&shown), ["2000"; 4]);
}

#[test]
fn what_waits_outlives_the_server_and_is_stale_once_somebody_else_has_written() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = evening(folder.path(), "mmm");
    let code = codes(&ledger, &[])["table 1"].clone();
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let enters = Phone { served: &served, code: &code, table: 1, by: 0, device: "a" };
    assert_eq!(enters.enters("one", won("10")).0, 200);
    drop(served);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let bo = Phone { served: &served, code: &code, table: 1, by: 1, device: "b" };
    assert_eq!(bo.shown()["waiting"]["stale"], false);
    tilelens(&["table", "draw", &ledger]);
    assert_eq!(bo.shown()["waiting"]["stale"], true);
    let (status, why) = bo.says("/confirm", json!({ "id": "one" }));
    assert_eq!(status, 409);
    assert!(why["error"].as_str().unwrap().contains("meanwhile"), "{why}");
    assert_eq!(bo.shown()["table"]["history"].as_array().unwrap().len(), 1);
}

#[test]
fn where_the_table_trusts_each_other_an_entry_counts_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = evening(folder.path(), "mmm");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger, "--unconfirmed"]);
    // On this machine no code is needed.
    let said = json!({ "by": 2, "device": "a", "id": "one", "now": won("10") });
    let shown = served.post("api/table/1/enter", &said).json();
    assert_eq!(totals(&shown), BO_WON);
    let twice = served.post("api/table/1/enter", &said).json();
    let history = twice["table"]["history"].as_array().map(Vec::len);
    assert!(history.is_none_or(|deals| deals == 1), "{twice}");
    assert_eq!(totals(&served.get("api/table/1").json()), BO_WON);
}

#[test]
fn what_looks_like_a_slip_or_is_against_the_rules_is_said_to_who_enters_it() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = evening(folder.path(), "mmm");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let ann = Phone { served: &served, code: "", table: 1, by: 0, device: "a" };
    let enter = |words: Value| {
        let reply = served.post("api/table/1/enter", &words);
        (reply.status, reply.json())
    };
    let said = |now: Value| json!({ "by": ann.by, "device": "a", "id": "x", "now": now });
    for (now, why) in [
        (won("a lot"), "worth"),
        (
            json!({ "won": { "context": { "rules": "mmm", "seat": "S", "win": "self_draw" } } }),
            "what was won",
        ),
        (
            json!({ "won": { "context": { "rules": "ims", "seat": "S", "win": "self_draw", "worth": "10" } } }),
            "choose that rule set",
        ),
        (json!({ "undo": { "event": 7 } }), "taken back already"),
        (json!({ "open": { "rules": "mmm", "players": ["A", "B", "C", "D"] } }), "open already"),
    ] {
        let (status, answer) = enter(said(now));
        assert!((400..500).contains(&status), "{answer}");
        assert!(answer["error"].as_str().unwrap().contains(why), "{why}: {answer}");
    }
    // No hand of these rules is worth that: it is asked about, and entered where it is meant.
    let paid = json!({ "E": "-1", "S": "3", "W": "-1", "N": "-1" });
    let odd = json!({ "won": { "context": { "rules": "mmm", "seat": "S", "win": "self_draw", "payments": paid } } });
    let (status, answer) = enter(said(odd.clone()));
    assert_eq!(status, 409);
    assert!(answer["asked"]["doubts"][0].is_string(), "{answer}");
    let mut meant = said(odd);
    meant["meant"] = json!(true);
    assert_eq!(enter(meant).0, 200);
}

#[test]
fn a_code_opens_its_own_page_alone_and_is_dead_once_it_is_renewed() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = evening(folder.path(), "mmm");
    tilelens(&["table", "new", &ledger, "--players", "Eva,Fay,Gus,Hal"]);
    let codes_of = codes(&ledger, &[]);
    let names: Vec<&str> = codes_of.keys().map(String::as_str).collect();
    assert_eq!(names, ["desk", "screen", "table 1", "table 2"]);
    let bytes = std::fs::read(&ledger).unwrap();
    for code in codes_of.values() {
        for text in [code.clone(), code.replace('-', "")] {
            assert!(
                !bytes.windows(text.len()).any(|part| part == text.as_bytes()),
                "{text} is in the file"
            );
        }
    }
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger, "--table", "1"]);
    let status = |path: &str| served.get(path).status;
    let [one, desk, screen] = ["table 1", "desk", "screen"].map(|of| codes_of[of].clone());
    for path in ["table/1", "api/table/1", "assets/seats.js", "faces/5p.svg", "api/rules"] {
        assert_eq!(status(&format!("{one}/{path}")), 200, "{path}");
        // As somebody types it.
        assert_eq!(
            status(&format!("{}/{path}", one.to_lowercase().replace('-', ""))),
            200,
            "{path}"
        );
    }
    for path in ["table/2", "api/table/2"] {
        assert_eq!(status(&format!("{one}/{path}")), 403, "{path}");
        assert_eq!(status(&format!("{desk}/{path}")), 200, "{path}");
    }
    for path in ["desk", "api/desk", "control", "overlay", "api/table", "metrics", "phone"] {
        assert_eq!(status(&format!("{one}/{path}")), 404, "{path}");
    }
    for path in ["scoreboard", "api/table"] {
        assert_eq!(status(&format!("{screen}/{path}")), 200, "{path}");
    }
    for path in ["desk", "table/1", "api/table/1", "control"] {
        assert_eq!(status(&format!("{screen}/{path}")), 404, "{path}");
    }
    assert_eq!(status("AAAA-AAAA-AAAA/table/1"), 404);
    let renewed = codes(&ledger, &["--table", "1"]);
    assert_eq!(renewed.len(), 1);
    assert_eq!(status(&format!("{one}/table/1")), 404, "the old code is dead");
    assert_eq!(status(&format!("{}/table/1", renewed["table 1"])), 200);
    assert_eq!(status(&format!("{desk}/desk")), 200, "the others are not");
}

/// A tournament of eight in a folder, seated for two rounds.
fn tournament(folder: &Path) -> String {
    let file = folder.join("open.tlg").display().to_string();
    let players = folder.join("players.csv");
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\nEva\nFay\nGus\nHal\n").unwrap();
    tilelens(&["tournament", "new", &file, "--name", "Open"]);
    tilelens(&["tournament", "import", &file, players.to_str().unwrap()]);
    tilelens(&["tournament", "seat", &file, "--rounds", "2", "--seed", "dice"]);
    file
}

#[test]
fn the_desk_opens_rounds_and_sees_what_waits_and_what_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = tournament(folder.path());
    let codes = codes(&ledger, &[]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let desk = &codes["desk"];
    let does = |does: Value| {
        let reply = served.post(&format!("{desk}/api/desk"), &json!({ "does": does }));
        (reply.status, reply.json())
    };
    let phone = Phone { served: &served, code: &codes["table 2"], table: 2, by: 1, device: "b" };
    assert_eq!(phone.shown()["table"], Value::Null, "no round is open yet");
    let (status, shown) = does(json!({ "open": { "round": 1 } }));
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["tables"].as_array().unwrap().len(), 2);
    assert_eq!(does(json!({ "open": { "round": 1 } })).0, 409, "it is open");
    assert_eq!(phone.shown()["table"]["table"], 1002);
    let rules = phone.shown()["table"]["rules"].clone();
    let draw = json!({ "drawn": {} });
    phone.enters("one", draw.clone());
    phone.says("/ask", json!({ "id": "q", "text": "A tile was shown" }));
    let shown = served.get(&format!("{desk}/api/desk")).json();
    let table = &shown["tables"][1];
    assert_eq!((&table["waiting"]["by"], &table["number"]), (&json!(1), &json!(1002)), "{rules}");
    assert_eq!(table["asked"][0]["asked"]["text"], "A tile was shown");
    let name = table["asked"][0]["name"].clone();
    let (_, shown) = does(json!({ "answered": { "name": name } }));
    assert_eq!(shown["tables"][1]["asked"], json!([]));
    let (_, shown) = does(json!({ "refused": { "number": 1002, "id": "one" } }));
    assert_eq!(shown["tables"][1]["waiting"], Value::Null);
    // A penalty from the desk is in the standings; a clock that is started is on every phone.
    let player = shown["tables"][1]["players"][0]["name"].clone();
    let (status, shown) = does(
        json!({ "tournament": { "penalty": { "player": player, "cause": "error", "count": 1 } } }),
    );
    assert_eq!(status, 200, "{shown}");
    let (status, shown) = does(
        json!({ "tournament": { "started": { "round": 1, "start": "2026-05-01T10:00:00Z" } } }),
    );
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["tournament"]["clock"]["round"], 1);
    assert!(phone.shown()["table"]["clock"].is_object());
    // It is stopped for one table. What a phone has begun before is not refused for it.
    let seen = phone.shown()["table"]["last_event"].clone();
    let pause = json!({ "round": 1, "table": 2, "change": "paused" });
    let (status, shown) = does(json!({ "tournament": { "clock_changed": pause } }));
    assert_eq!(status, 200, "{shown}");
    let stands = |table: usize| shown["tables"][table]["clock"]["paused"].is_string();
    assert_eq!((stands(0), stands(1)), (false, true));
    assert!(phone.shown()["table"]["clock"]["paused"].is_string());
    let (status, begun) = phone.says("/enter", json!({ "id": "late", "after": seen, "now": draw }));
    assert_eq!(status, 200, "{begun}");
    // A refusal by the tournament is reported, and nothing is written.
    let events = shown["tournament"]["events"].clone();
    let (status, why) = does(
        json!({ "tournament": { "started": { "round": 9, "start": "2026-05-01T10:00:00Z" } } }),
    );
    assert_eq!(status, 409, "{why}");
    assert_eq!(served.get(&format!("{desk}/api/desk")).json()["tournament"]["events"], events);
}

#[test]
fn a_round_is_opened_over_another_only_if_it_is_meant_and_phones_stay_where_they_play() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = tournament(folder.path());
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger, "--unconfirmed"]);
    let asks = |words: Value| {
        let reply = served.post("api/desk", &words);
        (reply.status, reply.json())
    };
    let does = |does: Value| asks(json!({ "does": does }));
    let session =
        |table: u32| served.get(&format!("api/table/{table}")).json()["table"]["table"].clone();
    does(json!({ "open": { "round": 1 } }));
    let (status, asked) = does(json!({ "open": { "round": 2 } }));
    assert_eq!(status, 409, "{asked}");
    let said = asked["asked"]["doubts"][0].as_str().unwrap();
    assert!(said.starts_with("Tables 1, 2 still play round 1"), "{said}");
    assert_eq!(session(1), 1001);
    let (_, shown) = does(json!({ "end": { "round": 2 } }));
    assert_eq!(shown["playing"], json!({ "1": [1, 2] }));
    // Meant, both rounds are on the desk, and phones stay at the session that they play.
    let (status, shown) = asks(json!({ "does": { "open": { "round": 2 } }, "meant": true }));
    assert_eq!((status, shown["tables"].as_array().unwrap().len()), (200, 4), "{shown}");
    assert_eq!((session(1), session(2)), (json!(1001), json!(1002)));
    // Closed again, the desk is back where it was.
    let (_, shown) = does(json!({ "close": { "round": 2 } }));
    assert_eq!((&shown["round"], shown["tables"].as_array().unwrap().len()), (&json!(1), 2));
    asks(json!({ "does": { "open": { "round": 2 } }, "meant": true }));
    // A table whose session has ended goes on with the next round.
    let event = json!({ "ended": { "why": "" } });
    let draw = json!({ "by": 0, "device": "a", "id": "d", "now": { "drawn": {} } });
    let played = served.post("api/table/1/enter", &draw).json();
    let after = played["table"]["last_event"].clone();
    does(json!({ "table": { "number": 1001, "event": event, "after": after } }));
    assert_eq!((session(1), session(2)), (json!(2001), json!(1002)));
    // The server's clock starts a round.
    let before = jiff::Timestamp::now();
    let (_, shown) = does(json!({ "start": { "round": 2 } }));
    let started = shown["tournament"]["clock"]["started"].as_str().unwrap();
    let started: jiff::Timestamp = started.parse().unwrap();
    assert!((started - before).get_seconds().abs() < 60, "{started}");
}

#[test]
fn who_comes_late_joins_at_the_desk_and_rounds_go_by_the_standings() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = tournament(folder.path());
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let does = |does: Value| {
        let reply = served.post("api/desk", &json!({ "does": does }));
        (reply.status, reply.json())
    };
    let seated =
        |shown: &Value| shown["tournament"]["seating"]["tables"].as_array().map_or(0, Vec::len);
    assert_eq!(does(json!("pair")).0, 409, "there are no standings yet");
    for table in 1..=2 {
        let points = json!({ "E": "30", "S": "-30", "W": "10", "N": "-10" });
        let words = json!({ "round": 1, "table": table, "points": points });
        assert_eq!(served.post("api/result", &words).status, 200);
    }
    let (status, shown) = does(json!({ "join": { "players": ["Ivo", "Jo", "Kai", "Lea"] } }));
    assert_eq!(status, 200, "{shown}");
    assert_eq!((seated(&shown), &shown["tournament"]["seating"]["round"]), (3, &json!(2)));
    assert_eq!(does(json!({ "join": { "players": ["Ivo"] } })).0, 409, "he is there");
    assert_eq!(does(json!({ "join": { "players": [" "] } })).0, 409);
    let events = shown["tournament"]["events"].as_u64().unwrap();
    let (status, shown) = does(json!("pair"));
    assert_eq!(status, 200, "{shown}");
    assert_eq!((seated(&shown), shown["tournament"]["events"].as_u64()), (3, Some(events + 1)));
    // A round that has begun is not laid out again: another one follows it.
    does(json!({ "open": { "round": 2 } }));
    assert_eq!(does(json!("pair")).1["tournament"]["seating"]["round"], 3);
}

#[test]
fn a_sheet_counts_once_two_people_have_entered_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = tournament(folder.path());
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let start: f64 = 0.0;
    let enter = |by: &str, east: f64| {
        let points = json!({ "E": (start + east).to_string(), "S": (start - east).to_string(), "W": start.to_string(), "N": start.to_string() });
        let words = json!({ "by": by, "round": 1, "table": 1, "points": points });
        let reply = served.post("api/desk/paper", &words);
        (reply.status, reply.json())
    };
    let (status, shown) = enter("Ida", 30.0);
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["paper"][0]["entered"].as_array().unwrap().len(), 1);
    let results = |shown: &Value| shown["tournament"]["results"].clone();
    let none = results(&shown);
    // The same person again is no second one, nor is one who reads another number.
    assert_eq!(results(&enter("ida", 30.0).1), none);
    let (_, shown) = enter("Jo", 40.0);
    assert_eq!(shown["paper"][0]["entered"].as_array().unwrap().len(), 2, "they differ");
    assert_eq!(results(&shown), none);
    let (status, shown) = enter("Jo", 30.0);
    assert_eq!(status, 200, "{shown}");
    assert_eq!(shown["paper"], json!([]));
    assert_ne!(results(&shown), none);
    // What does not add up is refused to the first already.
    let words = json!({ "by": "Ida", "round": 1, "table": 2, "points": { "E": "1", "S": "2", "W": "3", "N": "4" } });
    assert_eq!(served.post("api/desk/paper", &words).status, 409);
    let words = json!({ "by": "Ida", "round": 1, "table": 2, "points": { "E": "x", "S": "2", "W": "3", "N": "4" } });
    let reply = served.post("api/desk/paper", &words);
    assert_eq!((reply.status, &reply.json()["field"]), (422, &json!("E")));
}

/// Cards with codes that open what they say.
#[test]
fn a_table_goes_on_without_its_database_and_the_desk_chooses_where_others_wrote() {
    let Some(database) = Server::new() else { return };
    let address = database.database().0;
    let ledger = address.to_str().unwrap();
    tilelens(&["table", "new", ledger, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let codes = codes(ledger, &[]);
    let home = tempfile::tempdir().unwrap();
    let serve = || {
        let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
        let arguments = ["serve", "--port", "0", "--ledger", ledger, "--unconfirmed"];
        Served::spawn(program.args(arguments).env("XDG_STATE_HOME", home.path()))
    };
    let served = serve();
    fn at_table<'a>(served: &'a Served, code: &'a str) -> Phone<'a> {
        Phone { served, code, table: 1, by: 1, device: "b" }
    }
    let code = codes["table 1"].as_str();
    let desk = |served: &Served| served.get(&format!("{}/api/desk", codes["desk"])).json();
    let until = |served: &Served, is_so: &dyn Fn(&Value) -> bool| {
        for _ in 0..600 {
            let shown = desk(served);
            if is_so(&shown) {
                return shown;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("never came true: {}", desk(served));
    };
    let (status, shown) = at_table(&served, code).enters("one", won("10"));
    assert_eq!((status, &shown["unsent"]), (200, &Value::Null), "{shown}");
    assert_eq!(desk(&served)["cut"], Value::Null);
    database.kill();
    let (status, shown) = at_table(&served, code).enters("two", won("10"));
    assert_eq!((status, &shown["unsent"]), (200, &json!(1)), "{shown}");
    assert_eq!(desk(&served)["unsent"], 1);
    let opens = json!({ "does": { "open": { "round": 1 } } });
    let refused = served.post(&format!("{}/api/desk", codes["desk"]), &opens);
    assert!(refused.text().contains("has to wait"), "{}", refused.text());
    database.start();
    until(&served, &|shown| shown["cut"].is_null() && shown["unsent"] == 0);
    let log = tilelens(&["table", "log", ledger, "--json"]);
    assert_eq!(log.lines().count(), 3, "{log}");
    // Again; and before this machine comes back, somebody writes at another one.
    database.kill();
    drop(served);
    let served = serve();
    assert_eq!(at_table(&served, code).enters("three", won("10")).0, 200);
    drop(served);
    database.start();
    tilelens(&["table", "draw", ledger]);
    let served = serve();
    let shown =
        until(&served, &|shown| shown["branches"].as_array().is_some_and(|all| !all.is_empty()));
    let branch = &shown["branches"][0];
    assert_eq!(
        (&branch["number"], &branch["table"]["events"][0]["author"]),
        (&json!(1), &json!("Bo"))
    );
    for (version, winners) in [("table", 1), ("database", 0)] {
        let deals = branch[version]["deals"].as_array().unwrap();
        assert_eq!(deals.len(), 1, "{branch}");
        assert_eq!(deals[0]["winners"].as_array().unwrap().len(), winners);
    }
    let choice = json!({ "does": { "choose": { "branch": branch["name"], "keep": "table" } } });
    let chosen = served.post(&format!("{}/api/desk", codes["desk"]), &choice);
    assert_eq!(chosen.status, 200, "{}", chosen.text());
    assert_eq!(chosen.json()["branches"], json!([]));
    let shown = at_table(&served, code).shown();
    assert_eq!(shown["table"]["history"].as_array().unwrap().len(), 3);
    let players = shown["table"]["players"].as_array().unwrap();
    let wins: u64 = players.iter().map(|player| player["wins"].as_u64().unwrap()).sum();
    assert_eq!(wins, 3, "the draw was taken back: {players:?}");
    let again = served.post(&format!("{}/api/desk", codes["desk"]), &choice);
    assert!(again.text().contains("decided already"), "{}", again.text());
    tilelens(&["table", "verify", ledger]);
}

#[test]
fn sheets_print_cards_with_codes() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = tournament(folder.path());
    let before = codes(&ledger, &[]);
    let page = tilelens(&["tournament", "sheets", &ledger, "--codes", "http://10.0.0.5:7777/"]);
    assert_eq!(page.matches("<svg").count(), 4, "desk, screens, two tables");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let addresses: Vec<&str> =
        page.split("http://10.0.0.5:7777/").skip(1).map(|rest| &rest[..12]).collect();
    assert_eq!(addresses.len(), 4);
    assert_eq!(served.get(&format!("{}/desk", addresses[0])).status, 200);
    assert_eq!(served.get(&format!("{}/table/2", addresses[3])).status, 200);
    assert_eq!(
        served.get(&format!("{}/desk", before["desk"])).status,
        404,
        "the old ones are dead"
    );
    let without = tilelens(&["tournament", "sheets", &ledger]);
    assert!(
        !without.contains("<svg") && served.get(&format!("{}/desk", addresses[0])).status == 200
    );
}

#[tokio::test]
async fn a_phone_at_the_table_enters_another_confirms_and_the_desk_sees_it() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let ledger = tournament(folder.path());
    let codes = codes(&ledger, &[]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger]);
    let desk = format!("{}api/desk", served.address);
    let opened = ureq::post(&desk).send_json(json!({ "does": { "open": { "round": 1 } } }));
    assert!(opened.is_ok());
    // The code alone leads to the table's page.
    page.goto(&format!("{}{}/", served.address, codes["table 1"])).await.unwrap();
    for width in [390, 320] {
        let params =
            json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": true });
        devtools(&page, "Emulation.setDeviceMetricsOverride", params).await;
        until(
            &page,
            &format!(
                "innerWidth === {width} && document.querySelectorAll('#who button').length === 4"
            ),
        )
        .await;
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(
            page.execute(&format!("return {fits}"), vec![]).await.unwrap(),
            json!(true),
            "{width}"
        );
    }
    page.find(Locator::Css("#who button")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#won').checkVisibility()").await;
    keep(&page, "table-begun").await;
    for css in ["#won .pick", "#by .pick:has([value=self_draw])"] {
        page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    }
    page.find(Locator::Css("#worth")).await.unwrap().send_keys("10").await.unwrap();
    page.find(Locator::Css("#write")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#waits').checkVisibility()").await;
    until(&page, "document.querySelectorAll('#waits .pay span').length === 4 && !document.querySelector('#waits .main')").await;
    keep(&page, "table-waits").await;
    let players = served.get("api/table/1").json()["table"]["players"].clone();
    // The desk, in a window of its own, sees who waits.
    let phone = page.window().await.unwrap();
    let window = page.new_window(true).await.unwrap();
    page.switch_to_window(window.handle).await.unwrap();
    page.goto(&format!("{}{}/", served.address, codes["desk"])).await.unwrap();
    until(&page, "document.querySelectorAll('#tables .waits').length === 1").await;
    page.find(Locator::Css("#tables .waits")).await.unwrap().click().await.unwrap();
    keep(&page, "desk-waits").await;
    // In every language, on a wide screen and a narrow one.
    for language in ["en", "da", "de", "ja", "zh"] {
        page.goto(&format!("{}{}/desk?lang={language}", served.address, codes["desk"]))
            .await
            .unwrap();
        until(&page, "document.querySelectorAll('#tables .waits').length === 1").await;
        page.find(Locator::Css("#tables .waits")).await.unwrap().click().await.unwrap();
        for width in [1366, 390] {
            let params =
                json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false });
            devtools(&page, "Emulation.setDeviceMetricsOverride", params).await;
            until(&page, &format!("innerWidth === {width} && {STICKS_OUT}.length === 0")).await;
            keep(&page, &format!("desk-{language}-{width}")).await;
            let cut = page.execute(&format!("return {CUT_OFF}"), vec![]).await.unwrap();
            assert_eq!(cut, json!([]), "{language} {width}");
        }
        let html = "return document.documentElement.lang";
        assert_eq!(page.execute(html, vec![]).await.unwrap(), json!(language));
        if ["ja", "zh"].contains(&language) {
            let script = format!("return {}", latin_words("#results, #title, #one-title"));
            let latin = page.execute(&script, vec![]).await.unwrap();
            assert_eq!(latin, json!([]), "{language}");
        }
    }
    // Another player, on another phone.
    let by = Phone { served: &served, code: &codes["table 1"], table: 1, by: 1, device: "another" };
    let id = by.shown()["waiting"]["id"].clone();
    assert_eq!(by.says("/confirm", json!({ "id": id })).0, 200);
    until(&page, "document.querySelectorAll('#tables .waits').length === 0").await;
    page.switch_to_window(phone).await.unwrap();
    until(&page, "!document.querySelector('#waits').checkVisibility() && document.querySelectorAll('#deals li').length === 1").await;
    let shown = page
        .execute("return document.querySelector('#deals li').textContent", vec![])
        .await
        .unwrap();
    assert!(shown.as_str().unwrap().contains(players[0]["name"].as_str().unwrap()), "{shown}");
    // A second deal draws the chart; the server's going is said.
    let again = Phone { by: 2, device: "a third", ..by };
    again.enters("second", json!({ "drawn": {} }));
    until(&page, "document.querySelector('#waits .main')").await;
    page.find(Locator::Css("#waits .main")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelectorAll('#chart polyline').length === 4").await;
    keep(&page, "table-played").await;
    drop(served);
    until(&page, "document.querySelector('#lost-touch').checkVisibility()").await;
}

/// The fields of a draw under riichi.
#[tokio::test]
async fn a_draw_has_the_fields_that_the_rules_need() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let ledger = evening(folder.path(), "riichi");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &ledger, "--unconfirmed"]);
    page.goto(&format!("{}table/1", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#who button').length === 4").await;
    let click =
        async |css: &str| page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    click("#who button").await;
    let nobody = "#won .pick:has([value=nobody])";
    click(nobody).await;
    until(&page, "document.querySelectorAll('#ended option').length > 3").await;
    click("input[name=tenpai][value=S]").await;
    click("#write").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    click(nobody).await;
    let ended = page.find(Locator::Css("#ended")).await.unwrap();
    ended.select_by_value("four_winds").await.unwrap();
    // A second tap is meant for the first entry.
    until(&page, "!document.querySelector('#write').disabled").await;
    click("#write").await;
    until(&page, "document.querySelectorAll('#deals li').length === 2").await;
    let history = served.get("api/table/1").json()["table"]["history"].clone();
    assert_eq!(history[0]["draw"]["tenpai"], json!([1]), "{history}");
    assert_eq!(history[1]["draw"]["abortive"], "four_winds", "{history}");
}

/// Two machines of a hall, one database.
#[test]
fn what_is_entered_at_one_machine_is_shown_at_the_other() {
    let Some(server) = Server::of_this_program() else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = tournament(folder.path());
    let (owner, name) = server.database();
    let owner = owner.to_str().unwrap();
    server.psql(&name, "CREATE ROLE tables LOGIN; CREATE ROLE screens LOGIN");
    let said = tilelens(&["ledger", "prepare", owner, "--writer", "tables", "--reader", "screens"]);
    assert!(said.contains("tables may read it and add events"), "{said}");
    let writer = server.address("tables", &name).display().to_string();
    let copied = tilelens(&["ledger", "copy", &file, &writer]);
    assert!(copied.contains("copied to postgres://tables@localhost/"), "{copied}");
    tilelens(&["tournament", "open", &writer, "1"]);
    let codes = codes(&writer, &[]);
    let [one, other] =
        [(); 2].map(|()| Served::start(&["serve", "--port", "0", "--ledger", &writer]));
    let at = |served, by, device| Phone { served, code: &codes["table 2"], table: 2, by, device };
    let (status, shown) = at(&one, 0, "a").enters("one", json!({ "drawn": {} }));
    assert_eq!(status, 200, "{shown}");
    // Entered at one machine, confirmed at the other.
    let (status, shown) = at(&other, 1, "b").says("/confirm", json!({ "id": "one" }));
    assert_eq!(status, 200, "{shown}");
    assert_eq!(at(&one, 0, "a").shown()["table"]["history"].as_array().unwrap().len(), 1);
    // A screen's machine has a role that only reads.
    let reader = server.address("screens", &name).display().to_string();
    let screen = Served::start(&["serve", "--port", "0", "--ledger", &reader]);
    screen.until(|state| state["tournament"] != json!(0));
    assert_eq!(screen.get("api/tournament").json()["name"], "Open");
    assert_eq!(screen.get("api/desk").status, 409);
    assert!(tilelens(&["table", "verify", &reader]).contains("intact"));
}

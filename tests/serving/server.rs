//! The server as a program sees it: state, photos, corrections, and everything it must refuse.

use std::time::{Duration, Instant};

use crate::support::connections::{Page, connect, next_state, raw};
use crate::support::served::{Served, Watched, table, tilelens};
use serde_json::{Value, json};
use tungstenite::Message;

#[test]
fn a_photo_is_read_scored_and_corrected() {
    let served = Served::serve();
    let reading = served.send("api/photo", &table("row-sorted")).json();
    assert_eq!(reading["hand"]["text"], "123m456p789s11155z");
    assert_eq!(reading["score"], Value::Null, "nobody said how it was won");
    let photo = &reading["photo"];
    let words = json!({ "context": { "win": "self_draw" }, "fixes": [] });
    let scored = served.post(&format!("api/photo/{photo}"), &words).json();
    assert_eq!(scored["score"]["payments"]["E"], "180");
    assert_eq!(scored["item_names"]["own_wind_pung"], "own wind pung");
    // The three tiles of the east wind, said to be of the south wind, are worth less to East.
    let east = scored["tiles"].as_array().unwrap().iter().filter(|tile| tile["code"] == "1z");
    let fixes: Vec<Value> = east.map(|tile| json!([tile["id"], "2z"])).collect();
    assert_eq!(fixes.len(), 3);
    let words = json!({ "context": { "win": "self_draw" }, "fixes": fixes });
    let corrected = served.post(&format!("api/photo/{photo}"), &words).json();
    assert_eq!(corrected["hand"]["text"], "123m456p789s22255z");
    assert!(corrected["score"]["payments"]["E"] != "180");
}

#[test]
fn a_correction_is_of_one_tile_and_comes_along_to_the_stream() {
    let served = Served::serve();
    let first = served.show("row-sorted");
    served.post("api/correct", &json!({ "tile": first["tiles"][0]["id"], "code": "9p" }));
    let second = served.send("api/photo", &table("row-opposite")).json();
    let show = format!("api/photo/{}/show", second["photo"]);
    let words = json!({
        "context": { "win": "discard", "from": "S", "seat": "W" },
        "fixes": [[second["tiles"][0]["id"], "1m"]],
    });
    let shown = served.post(&show, &words).json();
    assert_eq!(shown["reading"]["tiles"][0]["code"], "1m");
    assert_eq!(shown["reading"]["tiles"][1]["code"], second["tiles"][1]["code"]);
    assert_eq!(shown["context"]["seat"], "W");
    assert_eq!(served.undo().status, 200);
    served.post("api/context", &json!({ "win": "self_draw" }));
    served.post("api/confirm", &json!({}));
    if served.state()["phase"] == "confirmed" {
        assert_eq!(served.post(&show, &words).status, 422, "a confirmed hand stays on show");
    }
}

#[test]
fn pages_get_the_whole_state_on_connect_and_on_change() {
    let served = Served::serve();
    let mut page = connect(&served);
    let first = next_state(&mut page);
    assert_eq!(first["reading"], Value::Null);
    served.show("row-sorted");
    let shown = next_state(&mut page);
    assert_eq!(shown["reading"]["hand"]["text"], "123m456p789s11155z");
    served.post("api/context", &json!({ "win": "discard", "from": "W" }));
    let scored = next_state(&mut page);
    assert_eq!(scored["reading"]["score"]["ok"], true);
    assert_eq!(scored, served.state());
    assert_eq!(next_state(&mut connect(&served)), scored);
}

#[test]
fn what_is_confirmed_stays_and_every_action_can_be_undone() {
    let served = Served::serve();
    let reading = served.show("row-sorted");
    assert_eq!(served.post("api/confirm", &json!({})).status, 409, "no score yet");
    served.post("api/context", &json!({ "win": "self_draw" }));
    let tile = &reading["tiles"][0]["id"];
    let corrected = served.post("api/correct", &json!({ "tile": tile, "code": "9p" })).json();
    assert!(corrected["reading"]["hand"]["text"].as_str().unwrap().contains('9'));
    assert_eq!(served.undo().json()["fixes"], json!({}));
    assert_eq!(served.post("api/confirm", &json!({})).json()["phase"], "confirmed");
    let twice = served.post("api/reject", &json!({}));
    assert_eq!(twice.status, 422, "rejected, it could be confirmed a second time");
    let other = served.send("api/photo", &table("row-opposite")).json();
    let show = format!("api/photo/{}/show", other["photo"]);
    assert_eq!(served.post(&show, &json!({})).status, 422, "what is confirmed stays on show");
    assert_eq!(served.state()["reading"]["hand"]["text"], "123m456p789s11155z");
    let next = served.post("api/next", &json!({})).json();
    assert_eq!(next["phase"], "watching");
    assert_eq!(next["context"]["win"], Value::Null);
    assert_eq!(served.undo().json()["phase"], "confirmed");
    assert_eq!(served.undo().json()["phase"], "watching");
    assert_eq!(served.undo().json()["context"]["win"], Value::Null);
    assert_eq!(served.undo().json()["reading"], Value::Null, "nothing shown");
    assert_eq!(served.undo().status, 409);
    served.show("row-sorted");
    let rejected = served.post("api/reject", &json!({})).json();
    assert_eq!(rejected["reading"], Value::Null);
    served.show("row-sorted");
    assert_eq!(served.state()["phase"], "watching", "new tiles are looked at again");
}

#[test]
fn invalid_fields_change_nothing_and_are_reported() {
    let served = Served::serve();
    let before = served.state();
    for (path, words, status, named) in [
        ("api/context", json!({ "rules": "nobody" }), 422, "nobody"),
        ("api/context", json!({ "rules": "/etc/passwd" }), 422, "no rule set"),
        ("api/context", json!({ "win": "discard" }), 422, "from"),
        ("api/context", json!({ "rulings": { "mmm.none": "x" } }), 422, "mmm.none"),
        ("api/correct", json!({ "tile": 1, "code": "5p" }), 404, "tile 1"),
        ("api/correct", json!({ "tile": 1, "code": "99" }), 422, "99"),
        ("api/photo/7", json!({}), 404, "no longer kept"),
        ("api/confirm", json!({}), 409, "no scored hand"),
        ("api/undo", json!({}), 409, "nothing to undo"),
    ] {
        let reply = served.post(path, &words);
        assert_eq!(reply.status, status, "{path} {words}: {}", reply.text());
        let error = reply.json()["error"].as_str().unwrap_or_default().to_owned();
        assert!(error.contains(named), "{path} {words}: {error}");
    }
    assert_eq!(served.state(), before);
}

#[test]
fn bad_pictures_are_refused_and_the_next_one_is_read() {
    let served = Served::serve();
    let whole = table("row-sorted");
    for (bytes, named) in [
        (&b"<svg/>"[..], "not a picture"),
        (&whole[..whole.len() / 3], "truncated"),
        (&b""[..], "not a picture"),
    ] {
        let reply = served.send("api/photo", bytes);
        assert_eq!(reply.status, 422, "{}", reply.text());
        let error = reply.json()["error"].as_str().unwrap().to_owned();
        assert!(!error.is_empty(), "{named}");
    }
    assert_eq!(served.send("api/photo", &whole).status, 200);
}

#[test]
fn an_upload_of_100_megabytes_is_refused_and_not_kept() {
    let served = Served::serve();
    let before = served.memory();
    let large = vec![0u8; 100 << 20];
    let head = "POST /api/photo HTTP/1.1\r\nHost: 127.0.0.1\r\n";
    let request = format!("{head}Content-Length: {}\r\n\r\n", large.len());
    let answer = raw(&served, &[request.as_bytes(), &large].concat());
    assert!(answer.starts_with("HTTP/1.1 413") || answer.is_empty(), "{answer}");
    // The same without saying how much comes.
    let mut chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for part in large.chunks(1 << 20) {
        chunked.extend(format!("{:x}\r\n", part.len()).into_bytes());
        chunked.extend(part);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    let answer = raw(&served, &chunked);
    assert!(answer.starts_with("HTTP/1.1 413") || answer.is_empty(), "{answer}");
    assert_eq!(served.get("health").text(), "ok\n");
    let grown = served.memory().saturating_sub(before);
    assert!(grown < 48 << 20, "{grown} bytes more than before");
    assert_eq!(served.send("api/photo", &table("row-sorted")).status, 200);
}

#[test]
fn an_address_may_send_so_many_photos_and_no_more() {
    let served = Served::serve();
    // No picture: refused at once, but counted.
    let port = served.port();
    let request = format!(
        "POST /api/photo HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
    );
    let send = || raw(&served, request.as_bytes());
    let refused = (0..60).map(|_| send()).find(|answer| !answer.starts_with("HTTP/1.1 422"));
    let refused = refused.expect("60 at once are too many");
    assert!(refused.starts_with("HTTP/1.1 429"), "{refused}");
    assert!(refused.to_lowercase().contains("retry-after: 1\r\n"), "{refused}");
    assert_eq!(served.get("health").text(), "ok\n", "all else is answered");
    // Then one a second again.
    let began = Instant::now();
    while send().starts_with("HTTP/1.1 429") {
        assert!(began.elapsed() < Duration::from_secs(60), "never again");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn two_hundred_pages_get_the_same_state() {
    let served = Served::serve();
    let mut pages: Vec<Page> = (0..200).map(|_| connect(&served)).collect();
    served.post("api/context", &json!({ "title": "all" }));
    let last = served.state();
    for page in &mut pages {
        while next_state(page) != last {}
    }
    drop(pages);
    while !served.get("metrics").text().contains("tilelens_pages 0") {}
}

#[test]
fn pages_of_other_sites_get_no_answer() {
    let served = Served::serve();
    let port = served.port();
    let ask = |host: &str, origin: &str| {
        raw(&served, format!("GET /api/state HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: close\r\n\r\n").as_bytes())
    };
    let own = format!("127.0.0.1:{port}");
    assert!(ask(&own, &format!("http://{own}")).starts_with("HTTP/1.1 200"));
    assert!(ask(&own, "http://elsewhere.example").starts_with("HTTP/1.1 403"));
    let rebound = format!("elsewhere.example:{port}");
    assert!(ask(&rebound, &format!("http://{rebound}")).starts_with("HTTP/1.1 403"));
}

#[test]
fn garbage_and_strange_paths_harm_nothing() {
    let served = Served::serve();
    raw(&served, b"\x16\x03\x01\x00garbage\r\n\r\n");
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2f..%2fCargo.toml",
        "/assets/%2fetc%2fpasswd",
        "/faces/%00.svg",
        "/faces/5p.svg/x",
    ] {
        let answer = raw(
            &served,
            format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                .as_bytes(),
        );
        assert!(!answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
    let mut page = connect(&served);
    next_state(&mut page);
    let _ = page.send(Message::Binary(vec![7; 200_000].into()));
    let _ = page.send(Message::Text("not json".into()));
    assert_eq!(served.get("health").text(), "ok\n");
    next_state(&mut connect(&served));
}

#[test]
fn a_page_that_never_reads_holds_nobody_up() {
    let served = Served::serve();
    let deaf: Vec<Page> = (0..3).map(|_| connect(&served)).collect();
    let pages: Vec<_> = (0..17)
        .map(|_| {
            let mut page = connect(&served);
            std::thread::spawn(move || {
                loop {
                    let state = next_state(&mut page);
                    if state["context"]["title"] == "the last" {
                        return state;
                    }
                }
            })
        })
        .collect();
    served.show("row-sorted");
    // More than any socket's buffer holds.
    for turn in 0..300 {
        served.post("api/context", &json!({ "title": format!("{turn} {}", "x".repeat(3000)) }));
    }
    let last = served.post("api/context", &json!({ "title": "the last" })).json();
    for page in pages {
        assert_eq!(page.join().unwrap(), last);
    }
    drop(deaf);
}

#[test]
fn too_many_pages_are_sent_away_and_those_before_stay() {
    let served = Served::serve();
    let mut pages: Vec<Page> = (0..256).map(|_| connect(&served)).collect();
    let surplus = raw(&served, b"GET /api/socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
    assert!(surplus.starts_with("HTTP/1.1 503"), "{surplus}");
    served.post("api/context", &json!({ "title": "all" }));
    for page in &mut pages {
        while next_state(page)["context"]["title"] != "all" {}
    }
    let metrics = served.get("metrics").text();
    assert!(metrics.contains("tilelens_pages 256"), "{metrics}");
}

#[test]
fn a_taken_port_is_reported() {
    let served = Served::serve();
    let port = served.port().to_string();
    let second = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["serve", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let message = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(message.contains(&port) && message.contains("--port"), "{message}");
}

#[test]
fn a_confirmed_hand_becomes_a_deal_and_its_undoing_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let first = served.state();
    assert_eq!(first["context"]["names"]["W"], "Cy");
    assert_eq!(first["table"]["number"], 1);
    served.show("won-sideways");
    served.post("api/context", &json!({ "seat": "S", "win": "discard", "from": "W" }));
    let state = served.state();
    assert_eq!(state["reading"]["score"]["ok"], true, "{state}");
    let refused = served.post("api/confirm", &json!({}));
    assert_eq!(refused.status, 409, "nobody said whether the tile had been passed");
    assert_eq!(served.state()["phase"], "watching");
    let answer = served.post("api/context", &json!({ "tile": "fresh" }));
    assert_eq!(answer.status, 200, "{}", answer.text());
    let confirmed = served.post("api/confirm", &json!({}));
    assert_eq!(confirmed.status, 200, "{}", confirmed.text());
    let confirmed = confirmed.json();
    assert_eq!(confirmed["phase"], "confirmed");
    let deals = served.get("api/table").json()["history"].as_array().unwrap().clone();
    assert_eq!(deals, [confirmed["table"]["last_deal"].clone()]);
    assert_eq!(confirmed["table"]["history"], Value::Null, "states stay short");
    let paid: Vec<&str> =
        deals[0]["payments"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let scored = ["E", "S", "W", "N"]
        .map(|seat| state["reading"]["score"]["payments"][seat].as_str().unwrap());
    assert_eq!(paid, scored, "what the page showed is what was written");
    assert!(tilelens(&["table", "log", file]).contains("deal"));
    assert_eq!(
        served.post("api/context", &json!({ "seat": "N" })).status,
        422,
        "it stays as it is"
    );
    let deal_1 = served.last_decision();
    let asked = served.post("api/undo", &json!({ "decision": deal_1 }));
    assert_eq!(asked.status, 409);
    let asked = asked.json()["asked"].clone();
    assert_eq!(asked["doubts"], json!(["this takes deal 1 out of the ledger"]));
    assert_eq!(asked["totals"].as_array().unwrap().len(), 4);
    assert!(served.state()["table"]["last_deal"].is_object(), "asked about first");
    let undone = served.undo().json();
    assert_eq!(undone["phase"], "watching");
    assert_eq!(undone["table"]["last_deal"], Value::Null);
    assert_eq!(served.post("api/context", &json!({ "rules": "ims" })).status, 409);
    // A clerk writes by hand meanwhile: South is another player now, and the entered fields are not hers.
    let entered = served.state()["context"].clone();
    tilelens(&["table", "draw", file]);
    let confirmed = served.post("api/confirm", &json!({}));
    assert_eq!(confirmed.status, 409, "{}", confirmed.text());
    let state = served.state();
    assert_eq!(state["context"]["names"]["S"], "Cy");
    assert_eq!(state["context"]["win"], Value::Null);
    tilelens(&["table", "undo", file]);
    while served.state()["context"]["names"]["S"] != "Bo" {}
    let fields = ["seat", "win", "from", "winning", "tile"];
    let entered: serde_json::Map<String, Value> =
        fields.iter().map(|field| ((*field).to_owned(), entered[*field].clone())).collect();
    assert_eq!(served.post("api/context", &Value::Object(entered)).status, 200);
    let again = served.post("api/confirm", &json!({}));
    assert_eq!(again.status, 200, "{}", again.text());
    // Taken back by the clerk: undoing it here takes nothing more.
    let decision = served.last_decision();
    tilelens(&["table", "undo", file]);
    let undone = served.post("api/undo", &json!({ "decision": decision, "meant": true }));
    assert_eq!(undone.status, 409);
    assert!(undone.text().contains("taken back already"), "{}", undone.text());
    while served.state()["table"]["last_deal"] != Value::Null {}
    let again = served.post("api/confirm", &json!({}));
    assert_eq!(again.status, 200, "{}", again.text());
    let next = served.post("api/next", &json!({})).json();
    assert_eq!(next["table"]["number"], 2);
    assert_eq!(next["context"]["names"]["E"], "Bo", "the deal has passed to Bo");
    tilelens(&["table", "verify", file]);
}

#[test]
fn a_draw_and_a_second_winner_are_entered_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let post = |path: &str, words: &Value| {
        let reply = served.post(path, words);
        assert_eq!(reply.status, 200, "{path}: {}", reply.text());
        reply.json()
    };
    assert_eq!(served.post("api/also", &json!({})).status, 409, "nobody has won yet");
    let drawn = post("api/draw", &json!({}));
    assert_eq!(drawn["phase"], "confirmed");
    assert_eq!(drawn["table"]["last_deal"]["winners"], json!([]));
    assert_eq!(served.post("api/draw", &json!({})).status, 409, "once");
    assert_eq!(served.undo().json()["table"]["last_deal"], Value::Null);
    let won = json!({ "seat": "S", "win": "discard", "from": "W", "tile": "fresh" });
    served.show("won-sideways");
    post("api/context", &won);
    let first = post("api/confirm", &json!({}));
    // North wins on the same tile, with the same hand as it happens.
    let looking = post("api/also", &json!({}));
    assert_eq!(looking["context"]["from"], "W");
    assert_eq!(looking["context"]["tile"], Value::Null, "that was said of the first winner");
    assert!(looking["context"]["seat"] != "S" && looking["context"]["seat"] != "W");
    served.show("won-sideways");
    post("api/context", &json!({ "seat": "N", "win": "discard", "from": "W", "tile": "fresh" }));
    let both = post("api/confirm", &json!({}));
    let deal = &both["table"]["last_deal"];
    let winners: Vec<u64> = (deal["winners"].as_array().unwrap().iter())
        .filter_map(|winner| winner["player"].as_u64())
        .collect();
    assert_eq!(winners, [1, 3], "Bo and Di, as they sat in that deal");
    assert_eq!(served.get("api/table").json()["history"].as_array().unwrap().len(), 1);
    assert!(deal["payments"] != first["table"]["last_deal"]["payments"]);
    // Undone, the first one alone has won.
    let undone = served.undo().json();
    assert_eq!(undone["table"]["last_deal"]["winners"], first["table"]["last_deal"]["winners"]);
}

#[test]
fn a_full_disk_is_reported_on_the_page_and_no_deal_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::on_a_small_disk(64, &["serve", "--port", "0", "--ledger", file]);
    let mut written = 0;
    let full = loop {
        let drawn = served.post("api/draw", &json!({ "meant": true }));
        if drawn.status != 200 {
            break drawn;
        }
        written += 1;
        assert!(written < 1000, "the file reaches its limit");
        assert_eq!(served.post("api/next", &json!({})).status, 200);
    };
    assert!(full.text().contains("disk is full"), "{}", full.text());
    let state = served.state();
    assert_eq!(state["phase"], "watching", "what was not written is not shown as confirmed");
    assert_eq!(served.get("api/table").json()["history"].as_array().unwrap().len(), written);
    assert!(written > 5, "{written}");
    drop(served);
    tilelens(&["table", "verify", file]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    assert_eq!(served.get("api/table").json()["history"].as_array().unwrap().len(), written);
    let meant = json!({ "meant": true });
    assert_eq!(served.post("api/draw", &meant).status, 200, "with room again it goes on");
}

#[test]
fn the_fields_of_a_deal_are_cleared_when_somebody_else_enters_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    let given = json!({ "seat": "S", "win": "self_draw", "hidden": "5p", "pao": "W" });
    assert_eq!(served.post("api/context", &given).json()["context"]["win"], "self_draw");
    tilelens(&["table", "draw", file]);
    for _ in 0..100 {
        if served.state()["table"]["number"] == 2 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    let state = served.state();
    assert_eq!(state["table"]["number"], 2);
    for field in ["win", "hidden", "pao"] {
        assert_eq!(state["context"][field], Value::Null, "{field}");
    }
}

#[test]
fn a_photo_stays_on_show_until_the_next_hand() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("in");
    std::fs::create_dir(&at).unwrap();
    let put = |name: &str, to: &str| std::fs::write(at.join(to), table(name)).unwrap();
    put("row-opposite", "a.jpg");
    let served = Served::start(&["live", "--port", "0", "--source", at.to_str().unwrap()]);
    let text = || served.state()["reading"]["hand"]["text"].clone();
    let until = |wanted: &str| {
        served.until(|state| state["reading"]["hand"]["text"] == wanted);
    };
    until("112233m789p55s777z");
    served.show("row-sorted");
    assert_eq!(text(), "123m456p789s11155z");
    // The camera sees another hand meanwhile.
    let settled = || served.state()["sources"][0]["changed"].clone();
    let before = settled();
    put("won-apart", "b.jpg");
    while settled() == before {}
    assert_eq!(text(), "123m456p789s11155z");
    served.post("api/next", &json!({}));
    until("111222333p44s67m +5m");
    assert_eq!(served.undo().status, 200);
    assert_eq!(text(), "123m456p789s11155z");
}

#[test]
fn how_a_hand_was_won_goes_with_its_tiles() {
    let seen = Watched::new("row-sorted");
    let served = Served::start(&["live", "--port", "0", "--source", seen.path()]);
    let hand = |text: &'static str| move |state: &Value| state["reading"]["hand"]["text"] == text;
    served.until(hand("123m456p789s11155z"));
    let names = json!({ "E": "Ann" });
    let won = served.post("api/context", &json!({ "win": "self_draw", "names": names })).json();
    assert_eq!(won["reading"]["score"]["ok"], true, "{}", won["reading"]["score"]);
    seen.put("row-opposite");
    let next = served.until(hand("112233m789p55s777z"));
    assert_eq!((&next["context"]["win"], &next["reading"]["score"]), (&Value::Null, &Value::Null));
    assert_eq!(next["context"]["names"], names, "who sits where stays");
    // Fields entered before a hand is shown belong to the first hand.
    let served = Served::start(&["live", "--port", "0", "--source", seen.path()]);
    served.post("api/context", &json!({ "win": "self_draw" }));
    let first = served.until(hand("112233m789p55s777z"));
    assert_eq!(first["reading"]["score"]["ok"], true);
}

#[test]
fn a_hand_that_a_lost_camera_saw_is_stale_after_a_while() {
    let seen = Watched::new("row-sorted");
    let served = Served::start(&["live", "--port", "0", "--source", seen.path()]);
    let state = served.until(|state| !state["reading"]["hand"].is_null());
    assert_eq!(state["stale"], false);
    let aside = format!("{}.aside", seen.path());
    std::fs::rename(seen.path(), &aside).unwrap();
    let lost = served.until(|state| state["stale"] == true);
    assert_eq!(lost["sources"][0]["state"], "lost");
    assert!(!lost["reading"]["hand"].is_null(), "the operator may still confirm it");
    std::fs::rename(&aside, seen.path()).unwrap();
    seen.put("row-opposite");
    served.until(|state| state["stale"] == false);
    served.post("api/context", &json!({ "win": "self_draw" }));
    served.until(|state| state["reading"]["hand"]["text"] == "112233m789p55s777z");
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    std::fs::remove_dir_all(seen.path()).unwrap();
    let lost = served.until(|state| state["sources"][0]["stale"] == true);
    assert_eq!(lost["stale"], false, "what was confirmed stays on show");
}

#[test]
fn an_invalid_ledger_is_reported() {
    let out = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["serve", "--port", "0", "--ledger", "/nowhere/evening.tlg"])
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&out.stderr).contains("evening.tlg"));
}

/// A table of Ann, Bo, Cy and Di, and the server that serves it.
fn sitting(folder: &tempfile::TempDir, rules: &str) -> (String, Served) {
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    (file, served)
}

/// The server's answer to an accepted request.
fn taken(served: &Served, path: &str, words: &Value) -> Value {
    let reply = served.post(path, words);
    assert_eq!(reply.status, 200, "{path} {words}: {}", reply.text());
    reply.json()
}

/// Why the server refused words. Nothing of it is a word of the command line.
fn refused(served: &Served, path: &str, words: &Value, status: u16) -> String {
    let reply = served.post(path, words);
    assert_eq!(reply.status, status, "{path} {words}: {}", reply.text());
    let why = reply.json()["error"].as_str().unwrap().to_owned();
    assert!(!why.contains("--") && !why.contains('_'), "{why}");
    why
}

fn texts(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[test]
fn an_evening_of_riichi_is_entered_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "riichi");
    let next = || taken(&served, "api/next", &json!({}));
    let why = refused(&served, "api/draw", &json!({}), 409);
    assert_eq!(why, "who was tenpai in the draw? Tick them under “a draw”");
    assert_eq!(served.post("api/draw", &json!({ "tenpai": ["X"] })).status, 422);
    // Cy has declared riichi, so he is tenpai: 3000 among three of four.
    taken(&served, "api/context", &json!({ "riichi_by": ["W"] }));
    let drawn = taken(&served, "api/draw", &json!({ "tenpai": ["E", "S"] }));
    let last = &drawn["table"]["last_deal"];
    assert_eq!(texts(&last["payments"]), ["1000", "1000", "1000", "-3000"]);
    assert_eq!(texts(&last["sticks_moved"]), ["0", "0", "-1000", "0"]);
    assert_eq!((&drawn["table"]["honba"], &drawn["table"]["sticks"]), (&json!(1), &json!(1)));
    assert_eq!(drawn["reading"], json!({ "draw": true }));
    let now = next();
    assert_eq!(now["context"]["riichi_by"], Value::Null, "that was of the last deal");
    assert_eq!((&now["context"]["honba"], &now["context"]["sticks"]), (&json!(1), &json!(1)));
    let unknown = served.post("api/draw", &json!({ "abortive": "four_whims" }));
    assert_eq!(unknown.status, 409);
    assert!(unknown.text().contains("knows no abortive draw"), "{}", unknown.text());
    let drawn = taken(&served, "api/draw", &json!({ "abortive": "four_winds" }));
    assert_eq!(texts(&drawn["table"]["last_deal"]["payments"]), ["0", "0", "0", "0"]);
    assert_eq!(drawn["table"]["honba"], 2);
    // Undone, the table is as it was before; nobody's discards are paid for in its place.
    assert_eq!(served.undo().json()["table"]["honba"], 1);
    let drawn = taken(&served, "api/draw", &json!({ "tenpai": ["E"], "nagashi": ["S"] }));
    let paid = ["-4000", "8000", "-2000", "-2000"];
    assert_eq!(texts(&drawn["table"]["last_deal"]["payments"]), paid, "a mangan for Bo's discards");
    assert_eq!(served.undo().status, 200);
    // A mangan the wrong way round, from Di. The deal is played again.
    let chombo = json!({ "seat": "N", "cause": "false_win" });
    let void = taken(&served, "api/chombo", &chombo);
    assert_eq!(void["reading"], json!({ "chombo": true }));
    let last = &void["table"]["last_deal"];
    assert_eq!(texts(&last["payments"]), ["4000", "2000", "2000", "-8000"]);
    assert_eq!(
        (&void["table"]["honba"], &void["context"]["names"]["E"]),
        (&json!(1), &json!("Ann"))
    );
    refused(&served, "api/chombo", &chombo, 409);
    next();
    let why = refused(&served, "api/penalty", &json!({ "seat": "E" }), 409);
    assert!(why.contains("sets no cost for that: say what it costs under “points”"), "{why}");
    // Ann in riichi draws her tile: riichi, a concealed self-draw, the east wind twice, and three dora. Seven
    // han are 6000 from each and 100 for the counter; Cy's stick lies there, and Bo's from this deal.
    served.show("row-sorted");
    let won = json!({ "seat": "E", "win": "self_draw", "winning": "5z", "riichi_by": ["E", "S"] });
    taken(&served, "api/context", &won);
    let why = refused(&served, "api/context", &json!({ "dora_indicators": "9q" }), 422);
    assert!(why.contains("“dora indicators” is \"9q\": expected one to five tiles"), "{why}");
    let given = json!({ "dora_indicators": "4z", "ippatsu": true, "ura_indicators": "9p" });
    let shown = taken(&served, "api/context", &given);
    assert_eq!(shown["reading"]["score"]["sticks"], "2000", "Ann's own comes back to her");
    assert_eq!(shown["reading"]["score"]["faan"], "8", "with ippatsu");
    taken(&served, "api/context", &json!({ "ippatsu": null }));
    let confirmed = taken(&served, "api/confirm", &json!({}));
    let last = &confirmed["table"]["last_deal"];
    assert_eq!(texts(&last["payments"]), ["18300", "-6100", "-6100", "-6100"]);
    assert_eq!(texts(&last["sticks_moved"]), ["2000", "-1000", "0", "0"]);
    assert_eq!(last["riichi"], json!([0, 1]));
    assert_eq!(last["winners"][0]["scored"]["faan"], "7");
    assert_eq!(last["winners"][0]["dora_indicators"], "4z");
    let page = tilelens(&["table", "show", &file]);
    assert!(page.contains("Ann by tsumo, 7 han"), "{page}");
    tilelens(&["table", "verify", &file]);
    let now = next();
    for field in ["dora_indicators", "ura_indicators", "riichi_by", "win"] {
        assert_eq!(now["context"][field], Value::Null, "{field} is of one deal");
    }
}

#[test]
fn what_contradicts_itself_under_riichi_is_said_in_the_words_of_the_page() {
    let served = Served::start(&["serve", "--port", "0", "--rules", "riichi"]);
    served.show("row-sorted");
    let won = json!({ "win": "self_draw", "winning": "5z", "ippatsu": true });
    let shown = taken(&served, "api/context", &won);
    assert_eq!(shown["reading"]["score"], Value::Null);
    let doubts = shown["reading"]["hand"]["doubts"].as_array().unwrap();
    let said =
        |text: &str| doubts.iter().any(|doubt| doubt["why"].as_str().unwrap().contains(text));
    assert!(said("“ippatsu” without “riichi” or “double riichi”"), "{doubts:?}");
    // By hand, where there is no table: two counters and a stick.
    let given = json!({ "riichi": true, "honba": 2, "sticks": 1 });
    let score = taken(&served, "api/context", &given)["reading"]["score"].clone();
    assert_eq!((&score["sticks"], &score["faan"]), (&json!("1000"), &json!("5")));
    assert_eq!(score["payments"]["S"], "-4200", "a mangan of East's, and 100 for each counter");
}

#[test]
fn an_evening_of_mcr_is_entered_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mcr");
    let played = served.state()["played"].clone();
    assert_eq!((&played["unit"], &played["draw"]["tenpai"]), (&json!("fan"), &json!(false)));
    assert_eq!(played["chombo"], Value::Null);
    // Mixed straight 8, all types 6, the east wind 2 and 2, concealed 2, single wait 1: 21; each pays 8 besides.
    served.show("row-sorted");
    taken(&served, "api/context", &json!({ "win": "discard", "from": "S", "winning": "5z" }));
    let payments = |state: &Value| {
        ["E", "S", "W", "N"].map(|seat| state["reading"]["score"]["payments"][seat].clone())
    };
    assert_eq!(payments(&served.state()), ["45", "-29", "-8", "-8"]);
    // Two flowers lie apart.
    let why = refused(&served, "api/context", &json!({ "flowers": "5p" }), 422);
    assert!(why.contains("expected flowers and seasons"), "{why}");
    let shown = taken(&served, "api/context", &json!({ "flowers": "1f5f" }));
    assert_eq!(payments(&shown), ["47", "-31", "-8", "-8"]);
    assert_eq!(
        (&shown["reading"]["unit"], &shown["reading"]["terms"]["faan"]),
        (&json!("fan"), &json!("fan"))
    );
    let confirmed = taken(&served, "api/confirm", &json!({}));
    let paid = ["47", "-31", "-8", "-8"];
    assert_eq!(texts(&confirmed["table"]["last_deal"]["payments"]), paid);
    let next = taken(&served, "api/next", &json!({}));
    assert_eq!(next["context"]["flowers"], Value::Null);
    assert_eq!(next["context"]["names"]["E"], "Bo");
    // A false win costs Ann, who is North now, 20 and her hand; taken back by the next undo alone.
    let why = refused(&served, "api/penalty", &json!({ "seat": "N", "cause": "late" }), 409);
    assert!(why.contains("say what it costs under “points”"), "{why}");
    let false_win = json!({ "seat": "N", "cause": "false_win" });
    let after = taken(&served, "api/penalty", &false_win);
    assert_eq!((&after["phase"], &after["table"]["number"]), (&json!("watching"), &json!(2)));
    assert_eq!(after["table"]["players"][0]["total"], "27");
    let undone = served.undo().json();
    assert_eq!(undone["table"]["players"][0]["total"], "47");
    assert_eq!(undone["table"]["number"], 2);
    taken(&served, "api/penalty", &false_win);
    let drawn = taken(&served, "api/draw", &json!({}));
    assert_eq!(drawn["table"]["number"], 3);
    refused(&served, "api/chombo", &json!({ "seat": "E" }), 409);
    tilelens(&["table", "verify", &file]);
}

#[test]
fn counters_of_several_winners_are_shown_as_the_table_pays_them() {
    // Bo deals after a draw. Ann, North now, gives the tile to Bo and to Di, West: Bo is the first in turn.
    for (first, second, counters) in [("W", "E", [0, 1]), ("E", "W", [1, 0])] {
        let folder = tempfile::tempdir().unwrap();
        let (file, served) = sitting(&folder, "riichi");
        tilelens(&["table", "draw", &file, "--noten"]);
        served.until(|state| state["table"]["number"] == 2);
        let won = |seat: &str| {
            served.show("row-sorted");
            let won = json!({ "seat": seat, "win": "discard", "from": "N", "winning": "5z" });
            taken(&served, "api/context", &won);
            taken(&served, "api/confirm", &json!({}))["table"]["last_deal"].clone()
        };
        assert_eq!(won(first)["winners"][0]["scored"]["honba"], 1);
        taken(&served, "api/also", &json!({}));
        let both = won(second);
        let paid = |place: usize| both["winners"][place]["scored"]["honba"].as_u64().unwrap_or(0);
        assert_eq!([paid(0), paid(1)], counters, "{first} and {second}");
    }
}

#[test]
fn a_page_gets_the_advice_that_the_terminal_prints() {
    let served = Served::serve();
    for (rules, hand, seen) in [
        ("riichi", "123m456p4678s99s11z", "5s9s"),
        ("riichi", "123456789m1111z", ""),
        ("taiwan", "123m456p789s111z5z22m3m", "6z"),
    ] {
        let words =
            json!({ "hand": hand, "seen": seen, "context": { "rules": rules, "seat": "S" } });
        let advice = taken(&served, "api/advise", &words);
        let printed =
            tilelens(&["advise", hand, "--seen", seen, "--rules", rules, "--seat", "S", "--json"]);
        assert_eq!(advice, serde_json::from_str::<Value>(&printed).unwrap(), "{rules} {hand}");
    }
    let why = refused(&served, "api/advise", &json!({ "hand": "123m" }), 422);
    assert!(why.contains("3 tiles"), "{why}");
}

#[test]
fn pages_learn_what_each_rule_set_asks() {
    let served = Served::serve();
    let sets = served.get("api/rules").json()["rules"].clone();
    let set =
        |id: &str| sets.as_array().unwrap().iter().find(|set| set["id"] == id).unwrap().clone();
    let knows = |id: &str, field: &str| texts(&set(id)["fields"]).contains(&field);
    assert!(knows("riichi", "dora_indicators") && knows("riichi", "riichi"));
    assert!(!knows("mcr", "dora_indicators") && knows("mcr", "last_visible"));
    assert!(knows("taiwan", "double_riichi") && !knows("taiwan", "riichi"));
    assert_eq!(set("riichi")["terms"]["discard"], "ron");
    assert_eq!(
        (&set("riichi")["draw"]["tenpai"], &set("hk")["draw"]["tenpai"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&set("mcr")["bonus_tiles"], &set("riichi")["bonus_tiles"]),
        (&json!(true), &json!(false))
    );
    let abortive = set("riichi")["draw"]["abortive"].clone();
    assert!(abortive.as_array().unwrap().iter().any(|of| of["id"] == "four_winds"), "{abortive}");
    // The help names every set.
    let help = tilelens(&["serve", "--help"]);
    for set in sets.as_array().unwrap() {
        let id = set["id"].as_str().unwrap();
        assert!(help.contains(&format!("{id},")), "{id} in\n{help}");
    }
}

/// The questions before an entry is written.
fn asked(served: &Served, path: &str, words: &Value) -> Value {
    let reply = served.post(path, words);
    assert_eq!(reply.status, 409, "{path} {words}: {}", reply.text());
    let answer = reply.json();
    assert!(!answer["error"].as_str().unwrap().contains("--"), "{answer}");
    answer["asked"].clone()
}

#[test]
fn deals_are_entered_by_worth_by_hand_and_by_what_was_paid() {
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm");
    let totals = |state: &Value| -> Vec<String> {
        let players = state["table"]["players"].as_array().unwrap();
        players.iter().map(|player| player["total"].as_str().unwrap().to_owned()).collect()
    };
    let next = || taken(&served, "api/next", &json!({}));
    // Nothing is scored before the way of winning is given.
    let shown = taken(&served, "api/context", &json!({ "worth": "7" }));
    assert_eq!(shown["reading"]["score"], Value::Null);
    let won = json!({ "seat": "S", "win": "discard", "from": "N" });
    let shown = taken(&served, "api/context", &won);
    assert_eq!(shown["reading"]["score"]["payments"]["N"], "-400");
    assert_eq!(shown["reading"]["score"]["steps"][1]["text"], "400: gave the tile");
    let why = refused(&served, "api/context", &json!({ "worth": "much" }), 422);
    assert!(why.contains("“much” is not a worth"), "{why}");
    let entered = taken(&served, "api/confirm", &json!({}));
    assert_eq!(totals(&entered), ["2000", "2400", "2000", "1600"]);
    assert_eq!(entered["table"]["last_deal_steps"][0][1]["text"], "400: gave the tile");
    assert_eq!(next()["context"]["worth"], Value::Null);
    // The same once more is asked about: Bo deals now, and Di is West.
    let again = json!({ "seat": "E", "win": "discard", "from": "W", "worth": "7" });
    taken(&served, "api/context", &again);
    let asks = asked(&served, "api/confirm", &json!({}));
    assert!(
        asks["doubts"][0].as_str().unwrap().starts_with("deal 1 was entered like that"),
        "{asks}"
    );
    assert_eq!(served.state()["phase"], "watching", "nothing was written");
    taken(&served, "api/confirm", &json!({ "meant": true }));
    next();
    taken(&served, "api/draw", &json!({}));
    next();
    asked(&served, "api/draw", &json!({}));
    // A hand as text, with what the table asks of its tile.
    let hand =
        json!({ "seat": "W", "win": "discard", "from": "S", "hand": "123m567p34s678s22p +5s" });
    let shown = taken(&served, "api/context", &hand);
    assert_eq!(shown["reading"]["hand"]["text"], "123m567p34678s22p +5s");
    assert_eq!(shown["reading"]["score"]["ok"], true, "{shown}");
    let why = refused(&served, "api/confirm", &json!({}), 409);
    assert!(why.contains("Say it under “that tile had been”"), "{why}");
    taken(&served, "api/context", &json!({ "tile": "fresh" }));
    let entered = taken(&served, "api/confirm", &json!({}));
    let last = entered["table"]["last_deal"]["winners"][0].clone();
    assert_eq!(last["hand"], "123m22567p34678s +5s");
    next();
    for (hand, said) in [("123q", "q"), ("123m567p34s678s22p", "name it under “winning tile”")]
    {
        let words = json!({ "seat": "W", "win": "self_draw", "from": null, "hand": hand });
        let reply = served.post("api/context", &words);
        assert!(reply.text().contains(said), "{hand}: {}", reply.text());
    }
    // Payments that no hand gives are asked about, those that do not add up are said to.
    let paid = json!({ "seat": "W", "win": "discard", "from": "S", "hand": null });
    taken(&served, "api/context", &paid);
    let shown = taken(&served, "api/context", &json!({ "payments": { "W": "81", "S": "-80" } }));
    assert_eq!(shown["reading"]["score"]["message"], "the payments add up to 1");
    taken(&served, "api/context", &json!({ "payments": { "W": "81", "S": "-81" } }));
    let asks = asked(&served, "api/confirm", &json!({}));
    assert!(asks["doubts"][0].as_str().unwrap().contains("no hand of"), "{asks}");
    taken(&served, "api/confirm", &json!({ "meant": true }));
    tilelens(&["table", "verify", &file]);
}

#[test]
fn an_earlier_deal_is_said_anew_or_taken_out() {
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm");
    let deals: [&[&str]; 3] = [
        &["deal", &file, "-w", "Bo", "--from", "Di", "--worth", "7"],
        &["deal", &file, "-w", "Bo", "--from", "Di", "--worth", "2"],
        &["deal", &file, "-w", "Cy", "--from", "Bo", "--worth", "1", "--also", "Di=2"],
    ];
    for deal in deals {
        tilelens(&[&["table"], deal].concat());
    }
    let state = served.until(|state| state["table"]["number"] == 4);
    let total = |state: &Value, player: usize| state["table"]["players"][player]["total"].clone();
    // East pays and is paid half as much again.
    assert_eq!(total(&state, 1), "2400", "{state}");
    // The first deal: its seats and what was written of it are there again.
    let was = taken(&served, "api/amend", &json!({ "event": 2 }));
    assert_eq!(was["amends"], json!({ "event": 2, "winner": 0, "number": 1 }));
    let context = &was["context"];
    assert_eq!(
        (&context["seat"], &context["from"], &context["worth"]),
        (&json!("S"), &json!("N"), &json!("7"))
    );
    assert_eq!(context["names"]["E"], "Ann");
    taken(&served, "api/context", &json!({ "worth": "1", "seat": "E" }));
    let asks = asked(&served, "api/confirm", &json!({}));
    // Ann keeps the deal: Bo is South in the second, and East no more.
    assert_eq!(asks["totals"][0], json!({ "name": "Ann", "before": "2000", "after": "2030" }));
    let changed = taken(&served, "api/confirm", &json!({ "meant": true }));
    assert_eq!((&changed["phase"], &changed["amends"]), (&json!("watching"), &Value::Null));
    assert_eq!(total(&changed, 0), "2030");
    assert_eq!(
        changed["context"]["names"]["E"],
        changed["table"]["players"]
            .as_array()
            .unwrap()
            .iter()
            .find(|player| player["seat"] == "E")
            .unwrap()["name"]
    );
    // Undone as one: the deal is being re-entered again.
    let undone = served.undo().json();
    assert_eq!((total(&undone, 0), &undone["amends"]["event"]), (json!("2000"), &json!(2)));
    // It was a draw.
    asked(&served, "api/draw", &json!({}));
    let drawn = taken(&served, "api/draw", &json!({ "meant": true }));
    assert_eq!(drawn["amends"], Value::Null);
    assert_eq!(served.get("api/table").json()["history"][0]["winners"], json!([]));
    assert_eq!(served.undo().status, 200);
    taken(&served, "api/next", &json!({}));
    // The second winner of the third deal, the first one as he was.
    let was = taken(&served, "api/amend", &json!({ "event": 4, "winner": 1 }));
    assert_eq!(was["context"]["worth"], "2");
    taken(&served, "api/context", &json!({ "worth": "3" }));
    taken(&served, "api/confirm", &json!({ "meant": true }));
    let winners = served.get("api/table").json()["history"][2]["winners"].clone();
    assert_eq!(winners[0]["worth"]["counted"]["faan"], "1");
    assert_eq!(winners[1]["worth"]["counted"]["faan"], "3");
    // Taken out, and brought back.
    let out = json!({ "event": 2 });
    let asks = asked(&served, "api/take-out", &out);
    assert_eq!(asks["totals"][1]["name"], "Bo");
    taken(&served, "api/take-out", &json!({ "event": 2, "meant": true }));
    let history = || served.get("api/table").json()["history"].as_array().unwrap().len();
    assert_eq!(history(), 2);
    assert_eq!(served.undo().status, 200);
    assert_eq!(history(), 3);
    assert_eq!(
        served.post("api/take-out", &json!({ "event": 1 })).status,
        409,
        "the opening stays"
    );
    assert_eq!(served.post("api/amend", &json!({ "event": 99 })).status, 404);
    // A penalty is taken out the same way.
    let fined = taken(&served, "api/penalty", &json!({ "seat": "E", "points": 10 }));
    let event = fined["table"]["penalties"][0]["event"].clone();
    asked(&served, "api/take-out", &json!({ "event": event }));
    let free = taken(&served, "api/take-out", &json!({ "event": event, "meant": true }));
    assert_eq!(free["table"]["penalties"], json!([]));
    tilelens(&["table", "verify", &file]);
}

#[test]
fn faults_that_the_rules_know_and_those_they_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "chumchu");
    let played = served.state()["played"].clone();
    let cause = played["dead_hands"][0]["id"].clone();
    let dead = taken(&served, "api/dead-hand", &json!({ "seat": "S", "cause": cause }));
    assert!(dead["table"]["players"][1]["dead_hand"].is_string(), "{dead}");
    taken(&served, "api/context", &json!({ "seat": "S", "win": "self_draw", "worth": "7" }));
    let why = refused(&served, "api/confirm", &json!({}), 409);
    assert!(why.contains("cannot win"), "{why}");
    let out = taken(&served, "api/disqualify", &json!({ "seat": "N", "note": "left" }));
    assert!(out["table"]["players"][3]["disqualified"].is_string());
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mmm");
    let why = refused(&served, "api/chombo", &json!({ "seat": "S" }), 409);
    assert!(why.contains("say what everybody received and paid"), "{why}");
    let paid = json!({ "seat": "S", "payments": { "S": "-120", "E": "40", "W": "40", "N": "40" } });
    let void = taken(&served, "api/chombo", &paid);
    assert_eq!(texts(&void["table"]["last_deal"]["payments"]), ["40", "-120", "40", "40"]);
}

#[test]
fn results_from_paper_are_entered_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.tlg").to_str().unwrap().to_owned();
    let players = folder.path().join("players.csv");
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\n").unwrap();
    tilelens(&["tournament", "new", &file, "--name", "Club evening"]);
    tilelens(&["tournament", "import", &file, players.to_str().unwrap()]);
    tilelens(&["tournament", "seat", &file, "--rounds", "2", "--seed", "7"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    let tables = served.get("api/result").json();
    assert_eq!(tables["rounds"].as_array().unwrap().len(), 2);
    assert_eq!(tables["rounds"][0][0]["points"], Value::Null);
    let result = |points: [&str; 4]| {
        let [east, south, west, north] = points;
        json!({ "round": 1, "table": 1, "points": { "E": east, "S": south, "W": west, "N": north } })
    };
    let reply = served.post("api/result", &result(["34", "-12", "x", "-2"]));
    assert_eq!((reply.status, &reply.json()["field"]), (422, &json!("W")), "{}", reply.text());
    let reply = served.post("api/result", &result(["34", "-12", "", "-2"]));
    assert_eq!((reply.status, &reply.json()["field"]), (422, &json!("W")), "{}", reply.text());
    let why = refused(&served, "api/result", &result(["34", "-12", "-20", "-1"]), 409);
    assert!(why.contains("add up to 1, not 0"), "{why}");
    let entered = taken(&served, "api/result", &result(["34", "-12", "-20½", "-1.5"]));
    assert_eq!(texts(&entered["rounds"][0][0]["points"]), ["34", "-12", "-41/2", "-3/2"]);
    let why = refused(&served, "api/result", &result(["34", "-12", "-20", "-2"]), 409);
    assert!(why.contains("has a result"), "{why}");
    served.until(|state| state["tournament"] == 2);
    let back = taken(&served, "api/result", &json!({ "round": 1, "table": 1 }));
    assert_eq!(back["rounds"][0][0]["points"], Value::Null);
    refused(&served, "api/result", &json!({ "round": 1, "table": 1 }), 409);
    let served = Served::serve();
    assert_eq!(served.get("api/result").status, 409, "there is no tournament");
}

#[test]
fn the_pocket_page_is_served_from_its_folder_and_nothing_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page");
    std::fs::create_dir_all(page.join("assets")).unwrap();
    for (name, text) in [
        ("secret", "secret"),
        ("page/index.html", "the page"),
        ("page/tilelens.wasm", "wasm"),
        ("page/assets/worker.js", "worker"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let served = Served::start(&["serve", "--port", "0", "--pocket", page.to_str().unwrap()]);
    let get = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        raw(&served, head.as_bytes())
    };
    assert!(get("/pocket").contains("location: pocket/\r\n"), "{}", get("/pocket"));
    assert!(get("/pocket/").ends_with("the page"));
    let wasm = get("/pocket/tilelens.wasm");
    assert!(wasm.contains("application/wasm") && wasm.contains("'wasm-unsafe-eval'"), "{wasm}");
    assert!(get("/pocket/assets/worker.js").ends_with("worker"));
    for beside in ["/pocket/../secret", "/pocket/%2e%2e/secret", "/pocket/%2Fetc%2Fpasswd"] {
        assert!(get(beside).starts_with("HTTP/1.1 404"), "{beside}: {}", get(beside));
    }
    let without = Served::serve().get("pocket/");
    assert_eq!(without.status, 404);
    assert!(without.text().contains("make web"), "{}", without.text());
}

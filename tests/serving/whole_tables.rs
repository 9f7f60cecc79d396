//! Deals of which more than the winner's hand counts, as pages send them to a table: four hands collected one by one, and deals
//! that go on after a win.

use crate::support::served::{Served, tilelens};
use serde_json::{Value, json};

/// An evening of Ann, Bo, Cy and Di, served.
fn served(folder: &tempfile::TempDir, rules: &str) -> Served {
    let file = folder.path().join("evening.tlg").display().to_string();
    tilelens(&["table", "new", &file, "--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
    Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"])
}

fn totals(served: &Served) -> Vec<String> {
    let table = served.get("api/table/1").json()["table"].clone();
    let players = table["players"].as_array().unwrap();
    players.iter().map(|player| player["total"].as_str().unwrap().to_owned()).collect()
}

/// Enters something at the table as its page does; the status and the answer.
fn enter(served: &Served, id: &str, now: Value) -> (u16, Value) {
    let words = json!({ "by": 0, "device": "phone", "id": id, "now": now });
    let reply = served.post("api/table/1/enter", &words);
    (reply.status, reply.json())
}

/// What a phone has collected: the hands as photos show them, without a mark on sets that were claimed.
fn collected(answers: &Value) -> Value {
    json!({
        "context": {
            "rules": "classical-bmja", "round": "E", "win": "discard", "from": "N", "winning": "9s",
        },
        "winner": "W",
        "hands": {
            "E": "(555z) 999m 22p 4s 16p 78p 1f", "S": "1134557m 113455p",
            "W": "111z 333s 678s (222s) 99s 2f", "N": "[6666z] 44z 38p 67m 2458s 4f",
        },
        "answers": answers,
    })
}

#[test]
fn four_hands_of_photos_are_paid_at_the_table_as_the_page_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&folder, "classical-bmja");
    let mut sums = [0_i64; 4];
    let mut seen = Vec::new();
    for (place, answers) in [
        json!([]),
        json!([{ "ask": "claimed", "seat": "W", "set": "2s", "yes": false }]),
        json!([{ "ask": "claimed", "seat": "E", "set": "5z", "yes": false }]),
        json!([{ "ask": "fishing", "seat": "S", "yes": false }]),
    ]
    .into_iter()
    .enumerate()
    {
        let shown = served.post("api/four-hands", &collected(&answers)).json();
        let paid = shown["score"]["payments"].clone();
        assert!(!seen.contains(&paid), "each answer changes what is paid: {shown}");
        seen.push(paid.clone());
        let mut settled = shown["settled"].as_object().unwrap().clone();
        let hand = settled.remove("W").unwrap();
        let mut context = json!({
            "rules": "classical-bmja", "seat": "W", "round": "E", "win": "discard", "from": "N",
            "winning": "9s", "others": settled, "scores": {},
        });
        if answers[0]["ask"] == "fishing" {
            context["fishing"] = json!(["E", "W", "N"]);
        }
        let won = json!({ "won": { "context": context, "hand": hand, "payments": paid } });
        let (status, answer) = enter(&served, &format!("deal {place}"), won);
        assert_eq!(status, 200, "{answers}: {answer}");
        for (sum, seat) in sums.iter_mut().zip(["E", "S", "W", "N"]) {
            *sum += paid[seat].as_str().unwrap().parse::<i64>().unwrap();
        }
        assert_eq!(totals(&served), sums.map(|sum| sum.to_string()), "{answers}");
        // Everybody sits as before, for the next answer.
        let undo = json!({ "undo": { "event": answer["undo"] } });
        assert_eq!(enter(&served, &format!("undo {place}"), undo).0, 200);
        sums = [0; 4];
    }
}

#[test]
fn a_deal_goes_on_after_a_win_until_it_is_entered_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    let served = served(&folder, "sichuan");
    let played = served.state()["played"].clone();
    assert_eq!(played["plays_on"], true);
    let deal = json!([
        { "win": { "seat": "S", "win": "discard", "from": "N", "worth": "2" } },
        { "kong": "concealed", "seat": "E" },
        { "win": { "seat": "W", "win": "self_draw", "hand": "123m456m78m234p99p +9m", "missing": "s" } },
    ]);
    let end = json!({ "E": { "ready": "1" }, "N": { "pig": true } });
    let whole = json!({ "deal": deal, "end": end });
    let written = served.post("api/whole-deal", &whole);
    assert_eq!(written.status, 200, "{}", written.text());
    assert_eq!(written.json()["reading"], json!({ "whole": true }));
    // Bo 4 of Di; Ann 2 of Cy and of Di; Cy 2 of Ann and of Di; Di 16 to each, and 2 to Ann.
    assert_eq!(totals(&served), ["20", "20", "18", "-58"]);
    let table = served.get("api/table/1").json()["table"].clone();
    let said: Vec<&str> = table["history"][0]["said"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it[0].as_str().unwrap())
        .collect();
    assert!(said.last().unwrap().contains("at the end"), "{said:?}");
    let reasons = served.state()["table"]["last_deal_steps"].to_string();
    assert!(reasons.contains("concealed kong") && reasons.contains("a pig"), "{reasons}");
    // Once it is confirmed nothing more ends it; the next one is Bo's deal.
    assert_eq!(served.post("api/whole-deal", &whole).status, 409);
    served.post("api/next", &json!({}));
    assert_eq!(served.state()["table"]["dealer"], 1);
    // The same deal was another: it is entered as a whole again, and asked about as any correction.
    let event = table["history"][0]["event"].clone();
    served.post("api/amend", &json!({ "event": event }));
    let other = json!({ "deal": [deal[0]], "end": { "E": { "ready": false }, "W": { "ready": false }, "N": { "ready": false } } });
    let asked = served.post("api/whole-deal", &other);
    assert_eq!(
        (asked.status, asked.json()["asked"]["totals"].as_array().map(Vec::len)),
        (409, Some(4))
    );
    let mut meant = other.clone();
    meant["meant"] = true.into();
    assert_eq!(served.post("api/whole-deal", &meant).status, 200);
    assert_eq!(totals(&served), ["0", "4", "0", "-4"]);
    // A win alone is no deal yet, on either page.
    let context =
        json!({ "rules": "sichuan", "seat": "E", "round": "E", "win": "self_draw", "worth": "1" });
    let (status, answer) = enter(&served, "one win", json!({ "won": { "context": context } }));
    assert_eq!(status, 409, "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("enter the whole deal"), "{answer}");
    let (status, answer) = enter(&served, "a draw", json!({ "drawn": {} }));
    assert!(status == 409 && answer["error"].as_str().unwrap().contains("what did"), "{answer}");
    // The table's page enters the same as the control page.
    let (status, answer) = enter(&served, "whole", json!({ "whole": other }));
    assert_eq!(status, 200, "{answer}");
    assert_eq!(totals(&served).iter().map(|it| it.parse::<i64>().unwrap()).sum::<i64>(), 0);
    let (status, answer) =
        enter(&served, "wrong", json!({ "whole": { "deal": [{ "kong": "big", "seat": "E" }] } }));
    assert!(
        status >= 400 && answer["error"].as_str().unwrap().contains("expected one of “concealed”"),
        "{answer}"
    );
}

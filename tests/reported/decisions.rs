//! Reports about decisions that were lost, made twice, or made by a key that was meant for something else.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::time::Duration;

use fantoccini::{Client, Locator, key::Key};
use serde_json::{Value, json};

use crate::support::{
    browser::{browser, until, until_within},
    served::{Reply, Served, table_path, tilelens},
};

/// A table of Ann, Bo, Cy and Di, and the server that serves it.
fn sitting(folder: &tempfile::TempDir, rules: &str, more: &[&str]) -> (String, Served) {
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&[&["serve", "--port", "0", "--ledger", &file], more].concat());
    (file, served)
}

fn deals(served: &Served) -> usize {
    served.get("api/table").json()["history"].as_array().unwrap().len()
}

/// The number of deals as the table's phones have it.
fn at_table(served: &Served) -> usize {
    served.get("api/table/1").json()["table"]["history"].as_array().unwrap().len()
}

/// Asserts that a request is refused; the reason.
fn refused(reply: &Reply, status: u16) -> String {
    assert_eq!(reply.status, status, "{}", reply.text());
    reply.json()["error"].as_str().unwrap().to_owned()
}

fn done(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.json()
}

/// Bo's self-draw, typed by its worth.
fn worth(worth: &str) -> Value {
    json!({ "seat": "S", "win": "self_draw", "worth": worth })
}

async fn control(page: &Client, served: &Served) {
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(page, "document.querySelectorAll('#who input').length === 4").await;
}

/// Presses keys wherever the focus is.
async fn press(page: &Client, keys: &str) {
    page.active_element().await.unwrap().send_keys(keys).await.unwrap();
}

fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// One `U` before the first deal, and the table played other rules: every confirmation was refused.
#[test]
fn undo_leaves_the_rules_of_the_table() {
    for rules in ["riichi", "taiwan"] {
        let folder = tempfile::tempdir().unwrap();
        let (_, served) = sitting(&folder, rules, &[]);
        let begun = served.state();
        assert_eq!((&begun["can_undo"], &begun["undoes"]), (&json!(false), &Value::Null));
        assert!(refused(&served.undo(), 409).contains("nothing to undo"));
        let typed = if rules == "riichi" { "3/30" } else { "5" };
        for _ in 0..2 {
            done(&served.post("api/context", &worth(typed)));
            done(&served.post("api/confirm", &json!({})));
            assert_eq!(deals(&served), 1, "the first deal can be entered, and entered again");
            while served.state()["can_undo"] == true {
                done(&served.undo());
            }
            refused(&served.undo(), 409);
            let state = served.state();
            assert_eq!(deals(&served), 0);
            assert_eq!(state["context"]["rules"], rules);
            assert_eq!(state["context"]["names"], begun["context"]["names"]);
        }
    }
}

/// Two operators undid one deal each, though both meant the last one.
#[test]
fn a_decision_is_taken_back_once_whoever_asks() {
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm", &[]);
    for _ in 0..2 {
        done(&served.post("api/draw", &json!({ "meant": true })));
        done(&served.post("api/next", &json!({})));
    }
    done(&served.undo());
    let last = served.last_decision();
    let both = json!({ "decision": last, "meant": true });
    let unnamed = refused(&served.post("api/undo", &json!({ "meant": true })), 422);
    assert!(unnamed.contains("say which decision"), "{unnamed}");
    done(&served.post("api/undo", &both));
    let late = refused(&served.post("api/undo", &both), 409);
    assert!(late.contains("taken back already"), "{late}");
    assert_eq!(deals(&served), 1);
    // What was decided since is not what was meant.
    let before = served.last_decision();
    done(&served.post("api/context", &json!({ "seat": "W" })));
    let other = refused(&served.post("api/undo", &json!({ "decision": before })), 409);
    assert!(other.contains("decided after it"), "{other}");
    // So is a penalty, which asks nothing, also where a clerk has taken it back.
    done(&served.post("api/penalty", &json!({ "seat": "N", "points": 30 })));
    tilelens(&["table", "undo", &file]);
    let gone = refused(&served.undo(), 409);
    assert!(gone.contains("taken back already"), "{gone}");
    assert_eq!(served.state()["undoes"]["what"], "tell", "the penalty is no decision any more");
    assert_eq!(deals(&served), 1);
}

/// Screens saw a confirmed hand before its payments, and one that was taken back beside its deal: each decision sends one
/// state, with the hand and the table together.
#[test]
fn a_decision_and_its_table_are_one_state() {
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mmm", &[]);
    let mut revision = served.state()["revision"].as_u64().unwrap();
    let mut step = |call: &str, words: &Value, has_deal: bool| {
        let state = done(&served.post(call, words));
        revision += 1;
        assert_eq!(state["revision"], revision, "{call}");
        assert_eq!(state["table"]["last_deal"].is_object(), has_deal, "{call}");
        state
    };
    step("api/context", &worth("7"), false);
    let entered = step("api/confirm", &json!({}), true);
    let undone = json!({ "decision": entered["undoes"]["decision"], "meant": true });
    step("api/undo", &undone, false);
    let entered = step("api/confirm", &json!({}), true);
    step("api/next", &json!({}), true);
    let drawn = step("api/draw", &json!({ "meant": true }), true);
    assert_eq!(drawn["table"]["last_deal"]["number"], 2);
    step("api/next", &json!({}), true);
    let first = &entered["table"]["last_deal"]["event"];
    step("api/amend", &json!({ "event": first }), true);
    step("api/context", &worth("9"), true);
    step("api/confirm", &json!({ "meant": true }), true);
}

/// Players took back two deals by two taps, and a tap that came too late got no answer.
#[test]
fn a_phone_takes_back_the_deal_that_it_shows() {
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm", &["--unconfirmed"]);
    let enter = |id: &str, after: &Value, now: Value| {
        let words = json!({ "by": 0, "device": "a", "id": id, "after": after, "now": now });
        served.post("api/table/1/enter", &words)
    };
    let draw = json!({ "drawn": {} });
    let opened = served.get("api/table/1").json()["table"]["last_event"].clone();
    done(&enter("one", &opened, draw.clone()));
    let late = refused(&enter("two", &opened, draw.clone()), 409);
    assert!(
        late.contains("wrote event 2 meanwhile, so nothing was written"),
        "of the deal that the phone shows, not of the next: {late}"
    );
    let shown = done(&served.post(
        "api/table/1/enter",
        &json!({ "by": 0, "device": "a", "id": "three", "now": draw, "meant": true }),
    ));
    // A penalty is the desk's: players take back deals.
    tilelens(&["table", "penalty", &file, "Di", "--points", "30"]);
    let undo = json!({ "undo": { "event": shown["undo"] } });
    let undone = done(&enter("four", &Value::Null, undo.clone()));
    assert_eq!(undone["table"]["history"].as_array().unwrap().len(), 1);
    assert_eq!(undone["table"]["players"][3]["penalties"], 1);
    let again = refused(&enter("five", &Value::Null, undo), 409);
    assert!(again.contains("taken back already"), "{again}");
    assert_eq!(at_table(&served), 1);
}

/// *Take it away* came after the other player had confirmed, and the page said nothing.
#[test]
fn taking_away_what_waits_no_more_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mmm", &[]);
    let says = |path: &str, by: usize, device: &str, id: &str| {
        let mut words = json!({ "by": by, "device": device, "id": id });
        if path == "enter" {
            words["now"] = json!({ "drawn": {} });
        }
        served.post(&format!("api/table/1/{path}"), &words)
    };
    done(&says("enter", 0, "a", "one"));
    assert_eq!(done(&says("refuse", 0, "a", "one"))["waiting"], Value::Null);
    done(&says("enter", 0, "a", "two"));
    done(&says("confirm", 1, "b", "two"));
    let late = refused(&says("refuse", 0, "a", "two"), 409);
    assert!(late.contains("does not wait any more"), "{late}");
    let desk = json!({ "does": { "refused": { "number": 1, "id": "two" } } });
    let late = refused(&served.post("api/desk", &desk), 409);
    assert!(late.contains("does not wait any more"), "{late}");
    assert_eq!(at_table(&served), 1);
}

/// `U`, `Enter`, `Enter` took the deal back and wrote it again.
#[tokio::test]
async fn a_key_that_answers_a_question_does_nothing_else() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mmm", &[]);
    let confirmed = "document.querySelector('.phase')?.textContent === 'confirmed'";
    done(&served.post("api/context", &worth("7")));
    done(&served.post("api/confirm", &json!({})));
    control(&page, &served).await;
    until(&page, confirmed).await;
    press(&page, "u").await;
    until(&page, "!document.querySelector('#asked').hidden").await;
    press(&page, &key(Key::Enter).repeat(2)).await;
    until(&page, "!document.querySelector('.phase') && document.querySelector('#score h2')").await;
    press(&page, &key(Key::Enter)).await;
    // Another key is heard at once, and by its answer the one before has been ignored.
    press(&page, "a").await;
    served.until(|state| state["on_air"]["auto"] == false);
    assert_eq!(served.state()["phase"], "watching");
    assert_eq!(deals(&served), 0);
    // A second later it confirms as ever.
    tokio::time::sleep(Duration::from_millis(1100)).await;
    press(&page, &key(Key::Enter)).await;
    until(&page, confirmed).await;
    assert_eq!(deals(&served), 1);
    page.close().await.unwrap();
}

/// Two operators pressed `U`, `Enter`: the second `Enter` found no question any more, and confirmed.
#[tokio::test]
async fn an_answer_to_a_question_that_was_settled_elsewhere_does_nothing() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mmm", &[]);
    done(&served.post("api/context", &worth("7")));
    done(&served.post("api/confirm", &json!({})));
    control(&page, &served).await;
    until(&page, "document.querySelector('.phase')").await;
    press(&page, "u").await;
    until(&page, "!document.querySelector('#asked').hidden").await;
    done(&served.undo());
    until(&page, "document.querySelector('#asked').hidden").await;
    press(&page, &key(Key::Enter)).await;
    until(&page, "document.querySelector('#error').textContent === 'Already taken back.'").await;
    press(&page, "a").await;
    served.until(|state| state["on_air"]["auto"] == false);
    assert_eq!((served.state()["phase"].clone(), deals(&served)), (json!("watching"), 0));
    // What is said of it goes as the operators go on.
    done(&served.post("api/context", &worth("8")));
    until(&page, "document.querySelector('#error').textContent === ''").await;
    page.close().await.unwrap();
}

/// `D`, `Tab`, `Enter` wrote that nobody was tenpai.
#[tokio::test]
async fn the_keys_of_an_open_form_are_its_own() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "riichi", &[]);
    control(&page, &served).await;
    let ticked =
        "[...document.querySelectorAll('#tenpai input:checked')].map((box) => box.value).join('')";
    press(&page, "d").await;
    until(&page, "document.activeElement.name === 'abortive'").await;
    press(&page, &format!("{}{}", key(Key::Tab), key(Key::Enter))).await;
    until(&page, &format!("{ticked} === 'E'")).await;
    press(&page, "134").await;
    until(&page, &format!("{ticked} === 'WN'")).await;
    // A clicked box loses the focus; the keys stay the form's.
    page.find(Locator::Css("#tenpai [value=S]")).await.unwrap().click().await.unwrap();
    until(&page, "document.activeElement === document.body").await;
    press(&page, "4x").await;
    until(&page, &format!("{ticked} === 'SW'")).await;
    assert_eq!(served.state()["context"]["seat"], "E", "no winner was chosen");
    assert_eq!((deals(&served), &served.state()["phase"]), (0, &json!("watching")));
    press(&page, &key(Key::Enter)).await;
    let state = served.until(|state| state["phase"] == "confirmed");
    assert_eq!(state["table"]["last_deal"]["draw"]["tenpai"], json!([1, 2]));
    // Whose fault it was is chosen in the same way.
    press(&page, "nf").await;
    until(&page, "document.activeElement.name === 'cause'").await;
    press(&page, "3").await;
    until(&page, "document.querySelector('#faulting [name=seat]').value === 'W'").await;
    press(&page, &key(Key::Escape)).await;
    until(&page, "document.querySelector('#faulting').hidden").await;
    page.close().await.unwrap();
}

/// Without the server the page said "Failed to fetch" beside "camera: running", and keys ran later.
#[tokio::test]
async fn without_the_server_no_key_is_taken_and_none_is_kept() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mmm", &[]);
    done(&served.post("api/context", &worth("7")));
    control(&page, &served).await;
    until(&page, "document.querySelector('#confirm').matches('.main')").await;
    served.signal("STOP");
    press(&page, "3").await;
    until(&page, "document.querySelector('#link').textContent.startsWith('Waiting')").await;
    press(&page, &format!("1{}n", key(Key::Enter))).await;
    let lost = "document.querySelector('#link').textContent.startsWith('Not connected')";
    until_within(&page, lost, Duration::from_secs(20)).await;
    let shown = "['main', '#foot'].every((css) => document.querySelector(css).inert) && !document.querySelector('#source').textContent && !document.querySelector('#error').textContent && !document.querySelector('#confirm').matches('.main')";
    assert_eq!(page.execute(&format!("return {shown}"), vec![]).await.unwrap(), json!(true));
    press(&page, &format!("4{}", key(Key::Enter))).await;
    served.signal("CONT");
    let back = "!document.querySelector('#link').textContent && !document.querySelector('main').inert && document.querySelector('#source').textContent";
    until_within(&page, back, Duration::from_secs(30)).await;
    // The first key was on its way; no other one is done.
    press(&page, "a").await;
    let state = served.until(|state| state["on_air"]["auto"] == false);
    assert_eq!(state["context"]["win"], "self_draw");
    assert!(["S", "W"].contains(&state["context"]["seat"].as_str().unwrap()), "{state}");
    assert_eq!((&state["phase"], deals(&served)), (&json!("watching"), 0));
    assert_eq!(
        page.execute("return document.querySelector('#error').textContent", vec![]).await.unwrap(),
        json!("")
    );
    page.close().await.unwrap();
}

/// *Confirm* was green though it had to fail, and its refusal outlived its cause.
#[tokio::test]
async fn a_refusal_goes_with_its_cause() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm", &[]);
    let green = "document.querySelector('#confirm').matches('.main')";
    control(&page, &served).await;
    until(&page, &format!("!{green}")).await;
    press(&page, &key(Key::Enter)).await;
    until(&page, "document.querySelector('#error').textContent.includes('how it was won')").await;
    // Later than states that were on their way when it was refused.
    tokio::time::sleep(Duration::from_millis(500)).await;
    done(&served.post("api/context", &worth("7")));
    until(&page, &format!("{green} && !document.querySelector('#error').textContent")).await;
    tilelens(&["table", "end", &file]);
    until(&page, &format!("!{green}")).await;
    page.close().await.unwrap();
}

/// Whoever pressed *A draw* before the server had answered the tick of a riichi got a form in which that player was not
/// tenpai.
#[tokio::test]
async fn the_form_of_a_draw_ticks_a_riichi_that_comes_after_it() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "riichi", &[]);
    control(&page, &served).await;
    // The server's news are held back until they are let through, in their order.
    let held = "const send = window.fetch; let let_through; const gate = new Promise((done) => (let_through = done));
        window.let_through = let_through;
        window.fetch = (path, words) => String(path).includes('api/context') ? gate.then(() => send(path, words)) : send(path, words);";
    page.execute(held, vec![]).await.unwrap();
    let click = async |css: &str| {
        page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    };
    until(&page, "document.querySelector('#declared input[value=W]')?.checkVisibility()").await;
    click("#declared input[value=W]").await;
    click("#draw").await;
    let ticked =
        |wind: &str| format!("document.querySelector('#tenpai input[value={wind}]').checked");
    let fixed =
        |wind: &str| format!("document.querySelector('#tenpai input[value={wind}]').disabled");
    until(&page, "document.querySelector('#tenpai input[value=W]')?.checkVisibility()").await;
    until(&page, &format!("!{}", ticked("W"))).await;
    click("#tenpai input[value=S]").await;
    page.execute("window.let_through()", vec![]).await.unwrap();
    until(&page, &format!("{} && {}", ticked("W"), fixed("W"))).await;
    until(&page, &format!("{} && !{} && !{}", ticked("S"), fixed("S"), ticked("E"))).await;
    click("#drawing .main").await;
    until(&page, "document.querySelector('.phase')?.textContent === 'confirmed: a draw'").await;
    let deal = &served.get("api/table").json()["history"][0];
    assert_eq!((&deal["riichi"], &deal["draw"]["tenpai"]), (&json!([2]), &json!([1, 2])));
}

/// An ordinary hand became "1 han: riichi", since the phone kept what was said of the photo before.
#[tokio::test]
async fn a_photo_inherits_nothing_of_the_photo_before() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    let send = async |picture: &str| {
        let file = page.find(Locator::Css("#file")).await.unwrap();
        file.send_keys(&table_path(picture)).await.unwrap();
    };
    let choose = async |name: &str, value: &str| {
        let field = page.find(Locator::Css(&format!("#context [name={name}]"))).await.unwrap();
        field.select_by_value(value).await.unwrap();
    };
    send("row-sorted").await;
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    choose("rules", "riichi").await;
    choose("round", "S").await;
    choose("seat", "S").await;
    choose("how", "discard:W").await;
    let winning = page.find(Locator::Css("#context [name=winning]")).await.unwrap();
    winning.send_keys("5z").await.unwrap();
    page.find(Locator::Css("#context [name=riichi]")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#counts')?.textContent.includes('riichi')").await;
    send("row-gaps").await;
    until(&page, "document.querySelector('#hand .tile') && !document.querySelector('#score h2') && document.querySelector('#status').textContent.startsWith('Read with')").await;
    let fields = "const { rules, round, seat, how, winning, riichi } = document.querySelector('#context').elements; return [rules.value, round.value, seat.value, how.value, winning.value, riichi.checked]";
    assert_eq!(
        page.execute(fields, vec![]).await.unwrap(),
        json!(["riichi", "S", "E", "", "", false]),
        "the game's own stays"
    );
    page.close().await.unwrap();
}

//! Reports about what went on air, or did not reach the operator, without anybody having decided it.

#![cfg(all(feature = "server", target_os = "linux"))]

use fantoccini::Client;
use serde_json::{Value, json};

use crate::support::{
    browser::{browser, keep, until, until_within},
    served::{Served, Watched},
};

/// What stands above claimed sets on the overlay.
const GIVERS: &str =
    "[...document.querySelectorAll('#hand .from')].map((from) => from.textContent.trim())";

/// Waits until the overlay says this above the claimed sets of its hand.
async fn givers(page: &Client, expected: &[&str]) {
    let said = json!(expected);
    until(page, &format!("JSON.stringify({GIVERS}) === {}", json!(said.to_string()))).await;
}

/// Before a winner was chosen the overlay named those from whom sets had been claimed, as if East had won.
#[tokio::test]
async fn claimed_sets_have_arrows_until_it_is_known_who_won() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let names = json!({ "E": "Ann", "S": "Bo", "W": "Cy", "N": "Di" });
    assert_eq!(served.post("api/context", &json!({ "names": names })).status, 200);
    served.show("pung-from-left");
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    givers(&page, &["◀"]).await;
    keep(&page, "overlay-arrows").await;
    // South sits there now, but whether he won is not said yet.
    assert_eq!(served.post("api/context", &json!({ "seat": "S" })).status, 200);
    givers(&page, &["◀"]).await;
    assert_eq!(served.post("api/context", &json!({ "win": "self_draw" })).status, 200);
    givers(&page, &["◀ Ann"]).await;
    assert_eq!(served.post("api/context", &json!({ "seat": "N" })).status, 200);
    givers(&page, &["◀ Cy"]).await;
    page.close().await.unwrap();
}

/// What screens get of the hand on air.
fn on_air(served: &Served) -> Value {
    let state = served.state();
    let own = &state["programme"]["reading"];
    let is_own = state["programme"].is_object();
    (if is_own { own } else { &state["reading"] })["hand"]["text"].clone()
}

/// A hand that was typed went on air key by key, before anybody had confirmed it.
#[test]
fn a_typed_hand_is_on_air_when_it_is_shown_or_confirmed() {
    let served = Served::serve();
    let typed = |text: &str| served.post("api/context", &json!({ "hand": text }));
    for text in ["123m", "123m456p789s1115z", "123m456p789s1115z +5z"] {
        assert_eq!(typed(text).status, 200);
        assert!(served.state()["reading"]["hand"].is_object(), "the operator sees it");
        assert_eq!(on_air(&served), Value::Null, "{text}");
    }
    assert_eq!(served.post("api/show", &json!({})).status, 200);
    assert_eq!(on_air(&served), "123m456p789s1115z +5z");
    assert_eq!(typed("234m456p789s1115z +5z").status, 200);
    assert_eq!(on_air(&served), Value::Null, "another one than was shown");
    let won = json!({ "seat": "S", "win": "discard", "from": "W" });
    assert_eq!(served.post("api/context", &won).status, 200);
    assert_eq!(on_air(&served), Value::Null, "a trial");
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    assert_eq!(on_air(&served), "234m456p789s1115z +5z");
    assert_eq!(served.undo().status, 200);
    assert_eq!(on_air(&served), Value::Null, "taken back");
    // A photo is on air by itself, as before.
    served.show("row-sorted");
    assert!(on_air(&served).is_string());
}

/// Eighteen tiles of nonsense were taken for a hand.
#[test]
fn a_typed_hand_that_no_hand_can_be_is_refused() {
    let served = Served::serve();
    for (text, why) in [
        ("123456789m123456789p", "18 tiles"),
        ("11111m", "5 1m"),
        ("123m (12z3p)", "neither a chow"),
        ("123m 1f1f", "1f twice"),
        ("123m456m789m (1'11z) (222'z) 55p", "17 tiles"),
    ] {
        let refused = served.post("api/context", &json!({ "hand": text }));
        assert_eq!(refused.status, 422, "{text}: {}", refused.text());
        assert!(refused.text().contains(why), "{text}: {}", refused.text());
        assert_eq!(served.state()["reading"], Value::Null, "{text}");
    }
    // Unfinished ones are no nonsense, nor is what lies face down, nor five sets where they are played.
    for text in ["", "1", "123m456p", "123m456p (7'77z) [xxxx]", "123m456p (1111'z) [2222z] 55z"] {
        let said = if text.is_empty() { Value::Null } else { json!(text) };
        let taken = served.post("api/context", &json!({ "hand": said }));
        assert_eq!(taken.status, if text == "1" { 422 } else { 200 }, "{text}: {}", taken.text());
    }
    let five = json!({ "hand": "123m456p789s222s1115z +5z", "rules": "taiwan" });
    assert_eq!(served.post("api/context", &five).status, 200);
}

/// The control page's preview stayed black where the source was a folder, until something moved.
#[tokio::test]
async fn a_picture_that_stands_still_is_shown_at_once() {
    let Some((_driver, page)) = browser().await else { return };
    let seen = Watched::new("row-sorted");
    let served = Served::start(&["live", "--port", "0", "--source", seen.path()]);
    let running = |state: &Value| state["reading"]["hand"].is_object();
    served.until(running);
    page.goto(&format!("{}control", served.address)).await.unwrap();
    // What is painted, in few pixels; null before there is anything.
    let pixels = "(() => { const picture = document.getElementById('preview');
      if (!picture.naturalWidth) return null;
      const canvas = Object.assign(document.createElement('canvas'), { width: 32, height: 24 }).getContext('2d');
      canvas.drawImage(picture, 0, 0, 32, 24);
      const { data } = canvas.getImageData(0, 0, 32, 24);
      return data.some((part, place) => place % 4 < 3 && part > 40) ? data.join() : null; })()";
    let painted = format!("window.first = {pixels}");
    until_within(&page, &painted, std::time::Duration::from_secs(60)).await;
    keep(&page, "control-still").await;
    // And so is the next one.
    let read = served.state()["reading"]["hand"]["text"].clone();
    seen.put("row-gaps");
    served.until(|state| running(state) && state["reading"]["hand"]["text"] != read);
    until(&page, &format!("{pixels} && {pixels} !== first")).await;
    page.close().await.unwrap();
}

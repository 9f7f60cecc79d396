//! Reports about pages on narrow phones.

#![cfg(all(feature = "server", target_os = "linux"))]

use fantoccini::Client;
use serde_json::{Value, json};

use crate::support::{
    browser::{STICKS_OUT, browser, devtools, keep, until},
    served::{Served, tilelens},
};

const LANGUAGES: [&str; 5] = ["en", "da", "de", "ja", "zh"];
const WIDTHS: [u32; 2] = [320, 390];

/// The pages, each with what is there once it is filled.
const PAGES: [(&str, &str); 7] = [
    ("control", "document.querySelectorAll('#who input').length >= 3"),
    ("overlay?layout=table", "document.querySelectorAll('.player').length === 4"),
    ("scoreboard", "document.querySelectorAll('#standings tr').length >= 4"),
    ("phone", "document.querySelectorAll('#rules option').length >= 5"),
    ("tiles", "document.querySelectorAll('#order .tile').length === 42"),
    ("desk", "document.querySelectorAll('#tables button').length === 1"),
    ("table/1", "document.querySelectorAll('#waits .pay span').length === 4"),
];

/// Texts that leave the box in which they stand; what is cut off there with an ellipsis does not.
const LEAVES_ITS_BOX: &str = "[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && !one.closest('svg, option')).flatMap((one) => [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).flatMap((text) => {
  let box = one;
  while (getComputedStyle(box).display === 'inline') box = box.parentElement;
  if (getComputedStyle(box).overflowX !== 'visible') return [];
  const range = document.createRange();
  range.selectNodeContents(text);
  const [lies, of] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
  return lies.width && of.width && (lies.right > of.right + 1 || lies.left < of.left - 1) ? [`${text.data}: ${box.outerHTML.slice(0, 90)}`] : [];
}))";

/// Names of players that are cut off on their phones.
const CUT_NAMES: &str = "[...document.querySelectorAll('#won .pick span, #who bdi')].filter((one) => one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible')).map((one) => one.textContent)";

async fn size(page: &Client, width: u32) {
    let params = json!({ "width": width, "height": 844, "deviceScaleFactor": 1, "mobile": false });
    devtools(page, "Emulation.setDeviceMetricsOverride", params).await;
    until(page, &format!("innerWidth === {width}")).await;
}

/// What is wrong with a page at each width: it is wider than the phone, a text leaves its box, a name is cut off.
async fn faults(page: &Client, what: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for width in WIDTHS {
        size(page, width).await;
        // A page that has been resized lays its panels out before it paints again.
        let painted = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))";
        page.execute_async(painted, vec![]).await.unwrap();
        until(page, "document.getAnimations().every((one) => one.playState === 'finished')").await;
        let wide = format!("document.documentElement.scrollWidth > {width} ? {STICKS_OUT} : []");
        for script in [wide.as_str(), LEAVES_ITS_BOX, CUT_NAMES] {
            let found = page.execute(&format!("return {script}"), vec![]).await.unwrap();
            let found = found.as_array().cloned().unwrap_or_default();
            faults.extend(found.iter().map(|fault| format!("{what} at {width}: {fault}")));
        }
    }
    faults
}

/// A table with two deals, at which a third waits to be confirmed, of the most that is paid.
fn waiting(folder: &std::path::Path, rules: &str) -> Served {
    let file = folder.join(format!("{rules}.tlg")).to_str().unwrap().to_owned();
    let names = "Konstantinos Papadopoulos,Long-Name Bo,Cy,Di";
    tilelens(&["table", "new", &file, "--rules", rules, "--players", names]);
    for paid in ["Di=400,Cy=-400", "Cy=-400,Di=400"] {
        let deal = ["--winner", "Di", "--from", "Cy", "--pay", paid, "--meant"];
        tilelens(&[&["table", "deal", &file][..], &deal].concat());
    }
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    let players = served.get("api/table/1").json()["table"]["players"].clone();
    let [winner, giver] = [0, 1].map(|player| players[player]["seat"].as_str().unwrap().to_owned());
    let payments = json!({ &winner: "32000", &giver: "-32000" });
    let context = json!({ "rules": rules, "seat": winner, "win": "discard", "from": giver, "payments": payments });
    let entry = json!({ "by": 1, "device": "another", "id": "one", "now": { "won": { "context": context } }, "meant": true });
    let entered = served.post("api/table/1/enter", &entry);
    assert_eq!(entered.status, 200, "{}", entered.text());
    served
}

/// A table's page was 552 pixels wide on a phone of 390, names of players were cut off at "Lon…", and −32000 left its
/// box at 320.
#[tokio::test]
async fn no_page_is_wider_than_a_narrow_phone_and_no_text_leaves_its_box() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for rules in ["riichi", "mcr", "taiwan", "mmm"] {
        let served = waiting(folder.path(), rules);
        page.goto(&format!("{}health", served.address)).await.unwrap();
        let me = "localStorage['player 1'] = 'Konstantinos Papadopoulos'";
        page.execute(me, vec![]).await.unwrap();
        for (path, is_filled) in PAGES {
            for language in LANGUAGES {
                let also = if path.contains('?') { "&" } else { "?" };
                let address = format!("{}{path}{also}lang={language}", served.address);
                page.goto(&address).await.unwrap();
                until(&page, is_filled).await;
                let unfold = "for (const part of document.querySelectorAll('details')) part.open = true; for (const form of document.querySelectorAll('form#context, #deal, #won-how')) form.hidden = false";
                page.execute(unfold, vec![]).await.unwrap();
                found.extend(faults(&page, &format!("{path} in {language} under {rules}")).await);
            }
            let name = path.replace(['/', '?', '='], "-");
            keep(&page, &format!("narrow-{rules}-{name}")).await;
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    page.close().await.unwrap();
}

/// The amounts of a hand's score on a phone, as its page draws them.
#[tokio::test]
async fn large_amounts_stay_in_their_boxes() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    for paid in ["−32000", "−1234567½"] {
        let four = format!("<span><small>E</small>{paid}</span>").repeat(4);
        let put =
            "document.getElementById('score').innerHTML = `<div class='pay'>${arguments[0]}</div>`";
        page.execute(put, vec![json!(four)]).await.unwrap();
        assert_eq!(faults(&page, paid).await, [""; 0]);
        let wide: Value = page.execute("return [...document.querySelectorAll('.pay span')].filter((one) => one.scrollWidth > one.clientWidth).length", vec![]).await.unwrap();
        assert_eq!(wide, json!(0), "{paid}");
    }
    page.close().await.unwrap();
}

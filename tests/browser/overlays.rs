//! The overlay on the control page, as viewers have it and as it will be. Screenshots are kept under `target/screenshots`.

use crate::support::browser::{STICKS_OUT, browser, keep, until};
use crate::support::served::{Served, tilelens};
use fantoccini::Locator;
use serde_json::{Value, json};

/// Something of the overlay on air (1) or after *Confirm* (2), as long as it is there.
fn of(frame: usize, css: &str) -> String {
    format!(
        "document.querySelector('#overlays figure:nth-child({frame}) iframe').contentDocument?.querySelector('{css}')"
    )
}

/// The operator saw the result on the overlay once it was on air.
#[tokio::test]
async fn the_control_page_shows_the_overlay_as_it_is_and_as_it_will_be() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    assert_eq!(served.get("api/after-confirm").json(), Value::Null, "nothing can be confirmed yet");
    served.show("row-sorted");
    let given = json!({ "seat": "S", "win": "discard", "from": "W", "winning": "5z", "riichi_by": ["S"], "dora_indicators": "4z" });
    assert_eq!(served.post("api/context", &given).status, 200);
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "document.querySelector('#overlays')").await;
    assert_eq!(
        page.execute(&format!("return {}", of(1, "#stage")), vec![]).await.unwrap(),
        Value::Null,
        "nothing of it is loaded while it is folded"
    );
    page.find(Locator::Css("#overlays summary")).await.unwrap().click().await.unwrap();
    until(&page, &format!("{}?.textContent === 'Bo wins'", of(2, "#winner"))).await;
    until(&page, &format!("{}.textContent.startsWith('8000')", of(2, "#points"))).await;
    // The totals are those after the deal, its stick included.
    let has = |frame: usize, total: &str| {
        format!(
            "[...{}.querySelectorAll('*')].some((one) => one.childElementCount === 0 && one.textContent.trim() === '{total}')",
            of(frame, "#stage")
        )
    };
    until(&page, &has(2, "33000")).await;
    until(&page, &has(1, "25000")).await;
    let on_air =
        page.execute(&format!("return {}.checkVisibility()", of(1, "#score-panel")), vec![]).await;
    assert_eq!(on_air.unwrap(), json!(false), "viewers have not seen the result");
    until(&page, &format!("{STICKS_OUT}.length === 0")).await;
    keep(&page, "control-overlays").await;
    let state: Value = served.state();
    assert!(state["table"]["last_deal"].is_null(), "nothing is written");
    // Another giver is another scene; then it is on air.
    assert_eq!(served.post("api/context", &json!({ "from": "N" })).status, 200);
    until(&page, &format!("{}.textContent.includes('Di')", of(2, "#how"))).await;
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    until(&page, &format!("{}?.textContent === 'Bo wins'", of(1, "#winner"))).await;
    until(&page, &has(1, "33000")).await;
    // A correction of an earlier deal does not go on air.
    served.post("api/next", &json!({}));
    let event = served.get("api/table").json()["history"][0]["event"].clone();
    assert_eq!(served.post("api/amend", &json!({ "event": event })).status, 200);
    assert_eq!(served.get("api/after-confirm").json(), Value::Null);
    page.close().await.unwrap();
}

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

/// A club wants its own colours and its sponsors on the stream, and has nobody who writes style sheets.
#[tokio::test]
async fn a_theme_of_ones_own_has_colours_a_logo_and_pictures_of_players() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='240' height='80'><rect width='240' height='80' fill='#c33'/></svg>";
    std::fs::write(at("logo.svg"), drawing).unwrap();
    let face = image::RgbImage::from_pixel(60, 60, image::Rgb([90, 140, 200]));
    face.save(at("ann.png")).unwrap();
    let theme = "logo = \"logo.svg\"\nsponsors = [\"logo.svg\", \"logo.svg\"]\n\
                 [colours]\npanel = \"#200030\"\nloss = \"#802020\"\n\
                 [players.Ann]\npicture = \"ann.png\"\nflag = \"logo.svg\"\n";
    std::fs::write(at("club.toml"), theme).unwrap();
    tilelens(&[
        "table",
        "new",
        &at("evening.tlg"),
        "--rules",
        "riichi",
        "--players",
        "Ann,Bo,Cy,Di",
    ]);
    let arguments = [
        "serve",
        "--port",
        "0",
        "--ledger",
        &at("evening.tlg"),
        "--overlay-theme",
        &at("club.toml"),
    ];
    let served = Served::start(&arguments);
    page.set_window_size(1920, 1080).await.unwrap();
    page.goto(&format!("{}overlay?theme=light", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('.player').length === 4").await;
    until(&page, "document.querySelectorAll('#logo img').length === 3 && [...document.images].every((one) => one.naturalWidth > 0)").await;
    until(
        &page,
        "document.querySelector('.at-E .portrait') && document.querySelector('.at-E .flag')",
    )
    .await;
    let colour =
        "getComputedStyle(document.querySelector('.player')).backgroundColor === 'rgb(32, 0, 48)'";
    until(&page, colour).await;
    until(&page, &format!("{STICKS_OUT}.length === 0")).await;
    keep(&page, "overlay-own-theme").await;
    assert_eq!(served.get("theme/9.png").status, 404);
    // Without a theme the overlay is as ever.
    let plain = Served::serve();
    assert_eq!(
        plain.get("theme.json").json(),
        json!({ "logo": null, "sponsors": [], "players": {} })
    );
}

#[test]
fn a_theme_with_a_fault_is_refused_before_the_stream() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.toml");
    std::fs::write(&file, "logo = \"gone.svg\"").unwrap();
    let arguments = ["serve", "--port", "0", "--overlay-theme", file.to_str().unwrap()];
    let refused = std::process::Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("gone.svg"), "{said}");
}

//! The pages in a real browser: Chromium, driven through its WebDriver. Screenshots are kept under
//! `target/screenshots`.

mod desk;
mod whole_deals;

use std::{process::Command, time::Duration};

use crate::support::browser::{browser, devtools, keep, until, until_within};
use crate::support::served::{Served, four_players, layout_path, table, table_path, tilelens};
use fantoccini::{Client, Locator, key::Key};
use serde_json::json;
use tilelens::rules::RuleSet;

/// Every animation of the overlay has been shown to its end.
const ITEMS_HAVE_COME: &str =
    "document.getAnimations().every((one) => one.playState === 'finished')";

/// The overlay is as large as its source, whatever that is.
const FITS: &str = "const { scrollWidth, scrollHeight } = document.documentElement; return scrollWidth === innerWidth && scrollHeight === innerHeight";

/// Presses a key on the page, as a person without a mouse does.
async fn press(page: &Client, keys: &str) {
    page.find(Locator::Css("body")).await.unwrap().send_keys(keys).await.unwrap();
}

#[tokio::test]
async fn a_correction_on_the_control_page_changes_the_overlay() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    served.show("row-sorted");
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    page.find(Locator::Css("#confirm")).await.unwrap().click().await.unwrap();
    until(&page, "document.getElementById('error').textContent.includes('how it was won')").await;
    won(&page, "self_draw").await;
    until(&page, "document.querySelector('#score h2')?.textContent.startsWith('120')").await;
    keep(&page, "control").await;
    // By keys alone: the first tile, a 1m, is said to be a 9m, and that is taken back.
    page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    press(&page, &Key::Right.to_string()).await;
    until(&page, "document.querySelector('#hand .chosen')?.dataset.code === '1m'").await;
    press(&page, "9m").await;
    until(&page, "document.querySelector('#hand .tile').dataset.code === '9m'").await;
    assert_eq!(served.state()["fixes"].as_object().unwrap().len(), 1);
    let control = page.window().await.unwrap();
    let second = page.new_window(true).await.unwrap();
    page.switch_to_window(second.handle).await.unwrap();
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    until(&page, "document.querySelector('#hand .tile')?.dataset.code !== '1m'").await;
    let overlay = page.window().await.unwrap();
    page.switch_to_window(control).await.unwrap();
    press(&page, "u").await;
    until(&page, "document.querySelector('#hand .tile').dataset.code === '1m'").await;
    press(&page, &Key::Enter.to_string()).await;
    until(&page, "document.querySelector('.phase')?.textContent === 'confirmed'").await;
    page.switch_to_window(overlay).await.unwrap();
    until(&page, "document.querySelector('#total')?.textContent.startsWith('120')").await;
    let pay = "return [...document.querySelectorAll('#payments .row')].map((row) => ['.wind', '.paid'].map((css) => row.querySelector(css).textContent))";
    assert_eq!(
        page.execute(pay, vec![]).await.unwrap(),
        json!([["E", "+180"], ["S", "−60"], ["W", "−60"], ["N", "−60"]])
    );
    page.close().await.unwrap();
}

/// Tab did nothing on a doubt that chooses its tile: who works by keys alone came no further.
#[tokio::test]
async fn the_keyboard_passes_a_doubt_and_chooses_its_tile() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    served.show("kong-concealed-four-backs");
    page.goto(&format!("{}control", served.address)).await.unwrap();
    let doubt = "document.querySelector('#doubts [tabindex]')";
    until(&page, doubt).await;
    page.execute(&format!("{doubt}.focus()"), vec![]).await.unwrap();
    page.active_element().await.unwrap().send_keys(&Key::Tab.to_string()).await.unwrap();
    until(&page, &format!("document.activeElement !== {doubt}")).await;
    page.execute(&format!("{doubt}.focus()"), vec![]).await.unwrap();
    page.active_element().await.unwrap().send_keys(&Key::Enter.to_string()).await.unwrap();
    until(
        &page,
        "document.querySelector('#hand .chosen') && !document.querySelector('#palette').hidden",
    )
    .await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn the_overlay_is_transparent_and_comes_back_after_a_restart() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let port = served.port().to_string();
    served.post("api/context", &json!({ "win": "discard", "from": "S", "names": { "E": "Ann" } }));
    served.show("row-sorted");
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    page.issue_transparency().await;
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    until(&page, "document.querySelector('#total')?.textContent").await;
    until(&page, ITEMS_HAVE_COME).await;
    let picture = keep(&page, "overlay").await;
    let picture = image::load_from_memory(&picture).unwrap().to_rgba8();
    assert_eq!(page.execute(FITS, vec![]).await.unwrap(), json!(true));
    assert_eq!(picture.get_pixel(960, 300).0[3], 0, "the middle lets the video through");
    let panel = page.execute("const r = document.querySelector('#score-panel').getBoundingClientRect(); return [r.x + 8, r.y + r.height / 2]", vec![]).await.unwrap();
    let at = |place: usize| panel[place].as_f64().unwrap() as u32;
    if at(0) < picture.width() && at(1) < picture.height() {
        assert_eq!(picture.get_pixel(at(0), at(1)).0[3], 255, "panels are opaque");
    }
    drop(served);
    let again = Served::start(&["serve", "--port", &port]);
    again.post("api/context", &json!({ "win": "self_draw" }));
    again.show("row-gaps");
    until(&page, "[...document.querySelectorAll('#hand .tile')].map((tile) => tile.dataset.code).join('') .startsWith('2m3m4m5m6m7m')").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn a_hand_that_a_lost_camera_saw_leaves_the_overlay() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let seen = folder.path().join("seen");
    std::fs::create_dir(&seen).unwrap();
    std::fs::copy(table_path("row-sorted"), seen.join("a.jpg")).unwrap();
    let served = Served::start(&["live", "--port", "0", "--source", seen.to_str().unwrap()]);
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    let shown = "document.querySelectorAll('#hand .tile').length === 14 && !document.querySelector('#hand-panel').hidden";
    until_within(&page, shown, Duration::from_secs(60)).await;
    std::fs::remove_dir_all(&seen).unwrap();
    let gone = "document.querySelector('#hand-panel').hidden";
    until_within(&page, gone, Duration::from_secs(30)).await;
    let control = page.new_window(true).await.unwrap();
    let overlay = page.window().await.unwrap();
    page.switch_to_window(control.handle).await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "document.querySelector('#score').innerText.includes('no longer on the overlay')")
        .await;
    keep(&page, "control-lost").await;
    // Back again, and then the program itself is gone.
    std::fs::create_dir(&seen).unwrap();
    std::fs::copy(table_path("row-gaps"), seen.join("a.jpg")).unwrap();
    page.switch_to_window(overlay).await.unwrap();
    until_within(&page, shown, Duration::from_secs(60)).await;
    drop(served);
    until_within(&page, gone, Duration::from_secs(30)).await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn a_photo_from_the_phone_is_scored() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    page.set_window_size(420, 900).await.unwrap();
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    let file = page.find(Locator::Css("#photo")).await.unwrap();
    file.send_keys(&table_path("row-sorted")).await.unwrap();
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    let how = page.find(Locator::Css("select[name=how]")).await.unwrap();
    how.select_by_value("self_draw").await.unwrap();
    until(&page, "document.querySelector('#score h2')?.textContent === '120'").await;
    keep(&page, "phone").await;
    let wide = page
        .execute("return document.documentElement.scrollWidth <= innerWidth", vec![])
        .await
        .unwrap();
    assert_eq!(wide, json!(true), "nothing sticks out sideways");
    page.find(Locator::Css("#hand .tile")).await.unwrap().click().await.unwrap();
    page.find(Locator::Css("#palette [data-code='9m']")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#hand .tile.fixed')?.dataset.code === '9m'").await;
    page.find(Locator::Css("#show")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#status').textContent === 'On the stream.'").await;
    assert_eq!(served.state()["context"]["win"], "self_draw");
    page.close().await.unwrap();
}

#[tokio::test]
async fn a_set_is_taught_from_the_phone() {
    let Some((_driver, page)) = browser().await else { return };
    let home = tempfile::tempdir().unwrap();
    let served = Served::at_home(home.path());
    page.set_window_size(420, 900).await.unwrap();
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    page.find(Locator::Css("a[href=tiles]")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelectorAll('#order .tile').length === 42").await;
    keep(&page, "tiles-order").await;
    let send = async |name: &str| {
        let file = page.find(Locator::Css("#file")).await.unwrap();
        file.send_keys(&layout_path(name)).await.unwrap();
    };
    send("mirrored").await;
    until(&page, "document.querySelector('#status.loss')?.textContent.includes('mirrored')").await;
    until(&page, "document.querySelector('#buttons').hidden").await;
    send("in-order").await;
    // 42 faces and the red five.
    until(&page, "document.querySelectorAll('#order .found, #order .doubt').length === 43").await;
    until(&page, "document.querySelectorAll('#boxes polygon').length === 43").await;
    let wide = page
        .execute("return document.documentElement.scrollWidth <= innerWidth", vec![])
        .await
        .unwrap();
    assert_eq!(wide, json!(true), "nothing sticks out sideways");
    page.execute("window.scrollTo(0, 0)", vec![]).await.unwrap();
    keep(&page, "tiles-found").await;
    let file = home.path().join("tilelens/tilesets/my-set.toml");
    assert!(!file.exists(), "nothing is written before it is confirmed");
    for question in page.find_all(Locator::Css("#doubts [id^=sure-]")).await.unwrap() {
        question.click().await.unwrap();
    }
    page.find(Locator::Css("#learn")).await.unwrap().click().await.unwrap();
    let learnt = "document.querySelector('#status.gain')?.textContent.includes('is learnt')";
    until_within(&page, learnt, Duration::from_secs(60)).await;
    assert!(file.exists());
    keep(&page, "tiles-learnt").await;
    // A correction of a hand of these tiles is kept in the set where that is ticked, and taken back.
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    let photo = page.find(Locator::Css("#file")).await.unwrap();
    photo.send_keys(&table_path("row-sorted")).await.unwrap();
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    until(&page, "document.querySelector('#keeping').innerText.includes('my-set')").await;
    until(&page, "!document.querySelector('#keep').checked").await;
    page.find(Locator::Css("#keep")).await.unwrap().click().await.unwrap();
    page.find(Locator::Css("#hand .tile")).await.unwrap().click().await.unwrap();
    page.find(Locator::Css("#palette [data-code='9m']")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#hand .tile.fixed')?.dataset.code === '9m'").await;
    let taught = || {
        let profile = tilelens::tileset::read(&file).unwrap();
        profile.exemplars().iter().filter(|shown| shown.taught).count()
    };
    assert_eq!(taught(), 1);
    page.find(Locator::Css("#hand .tile.fixed")).await.unwrap().click().await.unwrap();
    keep(&page, "phone-keeps").await;
    page.find(Locator::Css("#take-back")).await.unwrap().click().await.unwrap();
    until(&page, "!document.querySelector('#hand .tile.fixed')").await;
    assert_eq!(taught(), 0);
    // The control page asks the same.
    page.find(Locator::Css("#show")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#status').textContent === 'On the stream.'").await;
    page.goto(&format!("{}control", served.address)).await.unwrap();
    page.find(Locator::Css("#more summary")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#keeping').innerText.includes('my-set')").await;
    page.find(Locator::Css("#keep")).await.unwrap().click().await.unwrap();
    page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    press(&page, &Key::Right.to_string()).await;
    until(&page, "document.querySelector('#hand .chosen')").await;
    press(&page, "9m").await;
    until(&page, "document.querySelector('#hand .tile.fixed')?.dataset.code === '9m'").await;
    keep(&page, "control-keeps").await;
    page.find(Locator::Css("#undo")).await.unwrap().click().await.unwrap();
    until(&page, "!document.querySelector('#hand .tile.fixed')").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn four_clicks_mark_the_table_and_the_overlay_shows_its_players() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (picture, truth) = four_players();
    std::fs::copy(&picture, folder.path().join("table.jpg")).unwrap();
    let source = folder.path().to_str().unwrap();
    let served = Served::start(&["live", "--port", "0", "--source", source]);
    page.goto(&format!("{}control", served.address)).await.unwrap();
    let preview = "document.getElementById('preview').naturalWidth > 0";
    until_within(&page, preview, Duration::from_secs(60)).await;
    page.find(Locator::Css("#calibrate summary")).await.unwrap().click().await.unwrap();
    page.find(Locator::Css("#mark")).await.unwrap().click().await.unwrap();
    // The preview is smaller than the picture: corners are given in the picture's pixels.
    for corner in truth["corners"].as_array().unwrap() {
        let part = [0, 1]
            .map(|axis| corner[axis].as_f64().unwrap() / truth["picture"][axis].as_f64().unwrap());
        let click = format!(
            "const a = document.getElementById('boxes').getBoundingClientRect();
             document.getElementById('boxes').dispatchEvent(new MouseEvent('click', {{ bubbles: true,
               clientX: a.left + {} * a.width, clientY: a.top + {} * a.height }}))",
            part[0], part[1]
        );
        page.execute(&click, vec![]).await.unwrap();
    }
    let seats = "document.querySelectorAll('#seats .seat .hand').length === 4";
    until_within(&page, seats, Duration::from_secs(120)).await;
    let names = json!({ "E": "Ann", "S": "Bo", "W": "Cy", "N": "Di" });
    served.post("api/context", &json!({ "names": names, "win": "discard", "from": "W" }));
    until(&page, "document.querySelector('#score h2')").await;
    keep(&page, "control-table").await;
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    page.issue_transparency().await;
    page.goto(&format!("{}overlay?layout=table", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('.player').length === 4").await;
    until(&page, "document.querySelector('.at-E.wins .paid.gain')").await;
    until(&page, "document.querySelector('.at-W .waits, .at-W .hand')").await;
    let west = "[...document.querySelectorAll('.at-W .hand .tile')].map((tile) => tile.dataset.code).join('')";
    until(&page, &format!("{west} === '3p4p5p6p7p8p2s3s4s5m6m7m2z'")).await;
    until(&page, ITEMS_HAVE_COME).await;
    let seen = image::load_from_memory(&keep(&page, "overlay-table").await).unwrap().to_rgba8();
    // The winner's tiles are below, and their score above.
    let below = seen.get_pixel(seen.width() / 2, seen.height() * 3 / 4);
    assert_eq!(below.0[3], 0, "the video is seen where the winner's tiles lie");
    assert_eq!(page.execute(FITS, vec![]).await.unwrap(), json!(true));
    // Before anyone has won, what is waited for is shown where all 13 tiles are seen.
    assert_eq!(served.undo().status, 200);
    served.post("api/context", &json!({ "win": null, "from": null }));
    until(&page, "document.querySelector('.at-W .waits .tile')?.dataset.code === '2z'").await;
    until(&page, "!document.querySelector('.at-S .waits .tile')").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn the_scoreboard_shows_the_ledger() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    for arguments in [
        &["new", file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"][..],
        &["deal", file, "123m456p789s111z5z +5z", "--winner", "Ann", "--self-draw"],
        &["draw", file],
        &["deal", file, "--winner", "Cy", "--from", "Di", "--pay", "Cy=100,Di=-100", "--meant"],
    ] {
        let out =
            Command::new(env!("CARGO_BIN_EXE_tilelens")).arg("table").args(arguments).output();
        let out = out.unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    }
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    page.goto(&format!("{}scoreboard", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#standings tr').length === 4").await;
    until(&page, "document.querySelectorAll('#chart polyline').length === 4").await;
    let first = page.find(Locator::Css("#standings tr")).await.unwrap().text().await.unwrap();
    assert!(first.contains("Ann"), "{first}");
    // Nobody scrolls a screen in the hall.
    until(&page, "document.querySelector('#chart').getBoundingClientRect().bottom <= innerHeight")
        .await;
    keep(&page, "scoreboard").await;
    let tournament = folder.path().join("club.tlg");
    let tournament = tournament.to_str().unwrap();
    let players = folder.path().join("players.csv");
    std::fs::write(&players, "name\nAnn\nBo <b>\nCy\nDi\n").unwrap();
    let run = |arguments: &[&str]| {
        let out =
            Command::new(env!("CARGO_BIN_EXE_tilelens")).arg("tournament").args(arguments).output();
        let out = out.unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    };
    run(&["new", tournament, "--name", "Club evening"]);
    run(&["import", tournament, players.to_str().unwrap()]);
    run(&["seat", tournament, "--rounds", "1", "--seed", "7"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", tournament]);
    page.goto(&format!("{}scoreboard", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#ranks tr').length === 4").await;
    until(&page, "document.querySelector('#ranks').innerText.includes('Bo <b>')").await;
    // The hall's clock, as soon as the session starts.
    until(&page, "document.querySelector('#hall-clock').hidden").await;
    run(&["clock", tournament, "1", "--start"]);
    until(
        &page,
        "/^Round 1 · 1:5[45]:\\d\\d$/.test(document.querySelector('#hall-clock').innerText)",
    )
    .await;
    run(&["result", tournament, "1", "1", "34", "-12", "-20", "-2"]);
    until(&page, "document.querySelector('#ranks tr').innerText.includes('+114')").await;
    page.close().await.unwrap();
}

/// Whether nothing on the page is wider than the window.
const NOTHING_STICKS_OUT: &str = "document.documentElement.scrollWidth <= innerWidth";

/// Who plays by some rules.
fn players(rules: &str) -> &'static str {
    match RuleSet::preset(rules).unwrap().four_players() {
        true => "Ann,Bo,Cy,Di",
        false => "Ann,Bo,Cy",
    }
}

/// A table of Ann, Bo, Cy and Di, and the server that serves it.
fn sitting(folder: &tempfile::TempDir, rules: &str) -> (String, Served) {
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", rules, "--players", players(rules)]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    (file, served)
}

async fn click(page: &Client, css: &str) {
    page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
}

/// Says on the control page how the hand was won.
async fn won(page: &Client, how: &str) {
    click(page, &format!("#by label:has([value='{how}'])")).await;
}

async fn choose(page: &Client, css: &str, value: &str) {
    page.find(Locator::Css(css)).await.unwrap().select_by_value(value).await.unwrap();
}

/// Types into a field and leaves it.
async fn fill(page: &Client, css: &str, text: &str) {
    let field = page.find(Locator::Css(css)).await.unwrap();
    field.send_keys(&format!("{text}{}", Key::Tab)).await.unwrap();
}

/// Waits until an element says something.
async fn says(page: &Client, css: &str, text: &str) {
    until(page, &format!("document.querySelector('{css}')?.innerText.includes({})", json!(text)))
        .await;
}

/// Whether the overlay's panels lie within the picture, none on another.
const PANELS_LIE_APART: &str = "(() => {
  const panels = [...document.querySelectorAll('.panel')].map((panel) => panel.getBoundingClientRect()).filter((panel) => panel.width);
  const inside = panels.every((panel) => panel.left >= 0 && panel.top >= 0 && panel.right <= 1920 && panel.bottom <= 1080);
  return inside && panels.every((one, place) => panels.slice(place + 1).every((other) =>
    one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top));
})()";

/// Looks at a page in a window of its own: it says what it should, and nothing sticks out.
async fn look_at(page: &Client, address: &str, said: &[(&str, &str)], name: &str) {
    let back = page.window().await.unwrap();
    let other = page.new_window(true).await.unwrap();
    page.switch_to_window(other.handle).await.unwrap();
    page.goto(address).await.unwrap();
    for (css, text) in said {
        until(page, &format!("document.querySelector('{css}')")).await;
        says(page, css, text).await;
    }
    until(page, ITEMS_HAVE_COME).await;
    if address.contains("overlay") {
        page.set_window_size(1920, 1080).await.unwrap();
        until(page, PANELS_LIE_APART).await;
    } else {
        page.set_window_size(1366, 768).await.unwrap();
        until(page, NOTHING_STICKS_OUT).await;
    }
    keep(page, name).await;
    page.close_window().await.unwrap();
    page.switch_to_window(back).await.unwrap();
    page.set_window_size(1366, 768).await.unwrap();
}

#[tokio::test]
async fn an_evening_of_riichi_is_entered_on_the_control_page() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "riichi");
    page.set_window_size(1366, 768).await.unwrap();
    let overlay = format!("{}overlay?layout=hand", served.address);
    let table = format!("{}overlay?layout=table", served.address);
    let scoreboard = format!("{}scoreboard", served.address);
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "!document.querySelector('#declared').hidden").await;
    let hidden = "['safe', 'minimum', 'flowers', 'honba', 'sticks', 'riichi'].every((name) => document.querySelector(`#context [name=${name}]`).closest('label').hidden)";
    until(&page, hidden).await;
    // Two are tenpai, one of them in riichi.
    click(&page, "#declared [value=W]").await;
    says(&page, "#undoes", "who declared riichi").await;
    click(&page, "#draw").await;
    until(&page, "document.querySelector('#tenpai [value=W]').disabled").await;
    click(&page, "#tenpai [value=E]").await;
    keep(&page, "control-draw").await;
    until(&page, NOTHING_STICKS_OUT).await;
    click(&page, "#drawing .main").await;
    says(&page, "#play", "E1 · 1 counter · Ann deals · 1 stick").await;
    says(
        &page,
        "#play",
        "a draw · tenpai: Ann, Cy · riichi: Cy · Ann +1500, Bo −1500, Cy +500, Di −1500",
    )
    .await;
    let drawn = [
        ("#round", "E1 · 1 counter · 1 stick"),
        ("#banner", "tenpai: Ann, Cy"),
        ("#payments", "+1500"),
    ];
    look_at(&page, &overlay, &drawn, "overlay-draw").await;
    look_at(&page, &table, &drawn[..2], "overlay-draw-table").await;
    let shown =
        [("#place", "1 counter · 1 stick"), ("#last", "tenpai: Ann, Cy"), ("#standings", "+500")];
    look_at(&page, &scoreboard, &shown, "scoreboard-draw").await;
    click(&page, "#next").await;
    // What ended it before the wall did: nobody is asked who was tenpai.
    until(&page, "!document.querySelector('#draw').hidden").await;
    click(&page, "#draw").await;
    choose(&page, "#drawing [name=abortive]", "nine_terminals").await;
    until(&page, "document.querySelector('#tenpai').hidden").await;
    click(&page, "#drawing .main").await;
    says(&page, "#play", "a draw (nine terminals)").await;
    says(&page, "#play", "E1 · 2 counters · Ann deals · 1 stick").await;
    click(&page, "#next").await;
    until(&page, "!document.querySelector('#draw').hidden").await;
    click(&page, "#fault").await;
    choose(&page, "#faulting [name=seat]", "N").await;
    keep(&page, "control-chombo").await;
    click(&page, "#faulting .main").await;
    says(&page, "#play", "chombo of Di (false win)").await;
    look_at(
        &page,
        &overlay,
        &[("#banner", "Chombo of Di (false win)"), ("#payments", "−8000")],
        "overlay-chombo",
    )
    .await;
    click(&page, "#next").await;
    // Ann wins in riichi with three dora. A wrong indicator is refused beside its field.
    served.show("row-sorted");
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    until(&page, "!document.querySelector('#declared [value=E]').checked").await;
    click(&page, "#declared [value=E]").await;
    won(&page, "self_draw").await;
    click(&page, "#more summary").await;
    fill(&page, "#context [name=winning]", "5z").await;
    fill(&page, "#context [name=dora_indicators]", "9q").await;
    until(&page, "document.querySelector('[name=dora_indicators]').closest('label').nextElementSibling.id === 'error'").await;
    says(&page, "#error", "“dora indicators” is \"9q\"").await;
    keep(&page, "control-refusal").await;
    fill(&page, "#context [name=dora_indicators]", "4z").await;
    says(&page, "#score h2", "7 han").await;
    says(&page, "#score", "tsumo · 40 fu").await;
    says(&page, "#score", "+1000 sticks from the table").await;
    let words = page.execute("return ['self_draw', 'discard:S'].map((how) => document.querySelector(`#by [value='${how}']`).ariaLabel)", vec![]).await.unwrap();
    assert_eq!(words, json!(["tsumo", "ron on Bo’s discard"]));
    keep(&page, "control-riichi").await;
    until(&page, NOTHING_STICKS_OUT).await;
    click(&page, "#confirm").await;
    until(&page, "document.querySelector('.phase')?.textContent === 'confirmed'").await;
    says(&page, "#play", "Ann by tsumo").await;
    // 6000 and two counters from each, and the stick that lay there.
    let won =
        [("#total", "tsumo"), ("#total", "7 han"), ("#payments", "+19600"), ("#payments", "−6200")];
    look_at(&page, &overlay, &won, "overlay-riichi").await;
    look_at(&page, &table, &won[..2], "overlay-riichi-table").await;
    let shown = [
        ("#standings", "+19600"),
        ("#last", "Ann by tsumo"),
        ("#last", "7 han"),
        ("#last", "fully concealed hand"),
    ];
    look_at(&page, &scoreboard, &shown, "scoreboard-riichi").await;
    page.set_window_size(390, 844).await.unwrap();
    until(&page, NOTHING_STICKS_OUT).await;
    keep(&page, "control-narrow").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn the_end_of_an_evening_says_why_and_what_places_are_worth() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "riichi");
    tilelens(&["table", "draw", &file, "--tenpai", "Ann,Cy", "--riichi", "Cy"]);
    tilelens(&["table", "draw", &file, "--noten", "--riichi", "Di"]);
    let paid = "Bo=32000,Ann=-32000";
    tilelens(&[
        "table", "deal", &file, "--winner", "Bo", "--from", "Ann", "--pay", paid, "--meant",
    ]);
    page.set_window_size(1366, 768).await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "!document.querySelector('#play').hidden").await;
    says(&page, "#play", "The session is over: Ann has less than nothing").await;
    says(&page, "#play", "1. Bo").await;
    says(&page, "#play", "for the place").await;
    until(&page, NOTHING_STICKS_OUT).await;
    keep(&page, "control-over").await;
    let address = |name: &str| format!("{}{name}", served.address);
    let over = [("#round", "Ann has less than nothing"), ("#payments", "result +")];
    look_at(&page, &address("overlay?layout=hand"), &over, "overlay-over").await;
    let over = [("#round", "Ann has less than nothing"), ("#players", "")];
    look_at(&page, &address("overlay?layout=table"), &over, "overlay-over-table").await;
    let over = [("#place", "Ann has less than nothing"), ("#standings", "for the place")];
    look_at(&page, &address("scoreboard"), &over, "scoreboard-over").await;
    // The chart begins where the players began, sticks or none.
    page.goto(&address("scoreboard")).await.unwrap();
    until(&page, "document.querySelectorAll('#chart polyline').length === 4").await;
    let starts = page.execute("return [...new Set([...document.querySelectorAll('#chart polyline')].map((line) => line.getAttribute('points').split(' ')[0]))].length", vec![]).await.unwrap();
    assert_eq!(starts, json!(1));
    page.set_window_size(390, 844).await.unwrap();
    until(&page, NOTHING_STICKS_OUT).await;
    keep(&page, "scoreboard-narrow").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn an_mcr_hand_and_its_faults_are_entered_on_the_control_page() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "mcr");
    page.set_window_size(1366, 768).await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    served.show("row-sorted");
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    let hidden = "['riichi', 'ippatsu', 'dora_indicators', 'first_turn'].every((name) => document.querySelector(`#context [name=${name}]`).closest('label').hidden) && document.querySelector('#declared').hidden";
    until(&page, hidden).await;
    click(&page, "#more summary").await;
    fill(&page, "#context [name=winning]", "5z").await;
    fill(&page, "#context [name=flowers]", "1f5f").await;
    won(&page, "discard:S").await;
    says(&page, "#score h2", "23 fan").await;
    says(&page, "#score", "+47").await;
    keep(&page, "control-mcr").await;
    click(&page, "#confirm").await;
    until(&page, "document.querySelector('.phase')?.textContent === 'confirmed'").await;
    let won = [("#total", "23 fan"), ("#payments", "−31")];
    look_at(&page, &format!("{}overlay?layout=hand", served.address), &won, "overlay-mcr").await;
    click(&page, "#next").await;
    until(&page, "!document.querySelector('#draw').hidden").await;
    // A draw asks nothing here; a fault that has no price of its own asks for one, beside its form.
    click(&page, "#fault").await;
    let late = "[...document.querySelectorAll('#faulting option')].find((option) => option.text.includes('late')).value";
    let late = page.execute(&format!("return {late}"), vec![]).await.unwrap();
    choose(&page, "#faulting [name=cause]", late.as_str().unwrap()).await;
    click(&page, "#faulting .main").await;
    until(
        &page,
        "document.querySelector('#faulting #error')?.innerText.includes('say what it costs under “points”')",
    )
    .await;
    fill(&page, "#faulting [name=points]", "10").await;
    click(&page, "#faulting .main").await;
    until(&page, "document.querySelector('#faulting').hidden").await;
    assert_eq!(served.state()["table"]["players"][1]["total"], "-41", "Bo deals, and was late");
    click(&page, "#draw").await;
    says(&page, "#play", "Last deal: a draw").await;
    page.close().await.unwrap();
}

/// Brings the advice into the picture.
const SHOW_ADVICE: &str = "document.querySelector('#advice').scrollIntoView()";

#[tokio::test]
async fn each_rule_set_counts_in_its_own_words() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    page.goto(&format!("{}scoreboard", served.address)).await.unwrap();
    let words = async |call: &str, given: serde_json::Value| {
        let script = format!(
            "const [given, done] = arguments; import('/assets/words.js').then((words) => done({call}))"
        );
        page.execute_async(&script, vec![given]).await.unwrap()
    };
    let thirteen_orphans = "19m19p19s1234567z +1m";
    let seventeen = "123m456p789s222s1115z +5z";
    let plain = "234567m34p678s55s +5p";
    for (rules, hand, expected, more) in [
        ("riichi", plain, json!(["3 han", "tsumo · 20 fu"]), json!([])),
        ("riichi", thirteen_orphans, json!(["2 yakuman", "tsumo"]), json!([])),
        ("mcr", thirteen_orphans, json!(["89 fan", ""]), json!([])),
        (
            "taiwan",
            seventeen,
            json!(["220", "6 tai"]),
            json!(["1 tai more for what East pays or is paid"]),
        ),
    ] {
        let printed = tilelens(&["score", hand, "--rules", rules, "--self-draw", "--json"]);
        let score: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let sets = served.get("api/rules").json()["rules"].clone();
        let set = sets.as_array().unwrap().iter().find(|set| set["id"] == rules).unwrap().clone();
        let given = json!({
            "score": score, "unit": set["unit"], "terms": set["terms"], "win": "self_draw",
        });
        let said = words("words.worth(given)", given.clone()).await;
        assert_eq!(said, expected, "{rules} {hand}");
        assert_eq!(words("words.beside(given.score, given.unit)", given).await, more, "{rules}");
    }
    // A deal of riichi is named by its dealer and the counters; elsewhere counters are how often he has stayed.
    let place = |more: serde_json::Value| {
        let mut place = json!({ "round": "S", "number": 9, "dealer": 2 });
        place.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        place
    };
    for (more, named, lies) in [
        (
            json!({ "honba": 1, "sticks": 2, "repeat": 3 }),
            "S3 · 1 counter",
            json!(["2 sticks", "the dealer has stayed 3 times"]),
        ),
        (json!({ "honba": 2, "sticks": 0, "repeat": 2 }), "S3 · 2 counters", json!([])),
        (json!({ "honba": 0, "sticks": 0, "repeat": 0 }), "S3", json!([])),
        (
            json!({ "honba": 1, "repeat": 1 }),
            "S round · deal 9",
            json!(["the dealer has stayed once"]),
        ),
        (json!({}), "S round · deal 9", json!([])),
    ] {
        let given = place(more);
        assert_eq!(words("words.dealNamed(given)", given.clone()).await, json!(named));
        assert_eq!(words("words.onTable(given)", given).await, lies, "{named}");
    }
    let left =
        json!({ "leftover": ["1000", "0"], "players": [{ "name": "Ann" }, { "name": "Bo" }] });
    let left = words("words.leftover(given)", left).await;
    assert_eq!(left, json!("sticks left on the table: Ann +1000"));
    page.close().await.unwrap();
}

#[tokio::test]
async fn advice_is_given_on_demand() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::start(&["serve", "--port", "0", "--rules", "riichi"]);
    page.set_window_size(390, 844).await.unwrap();
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    let file = page.find(Locator::Css("#photo")).await.unwrap();
    file.send_keys(&table_path("row-waiting-13")).await.unwrap();
    until(&page, "document.querySelectorAll('#hand .tile').length === 13").await;
    click(&page, "#advice summary").await;
    says(&page, "#advice", "waiting").await;
    until(&page, "document.querySelector('#advice .helps .tile')").await;
    until(&page, NOTHING_STICKS_OUT).await;
    page.execute(SHOW_ADVICE, vec![]).await.unwrap();
    keep(&page, "phone-advice").await;
    let file = page.find(Locator::Css("#photo")).await.unwrap();
    file.send_keys(&table_path("row-sorted")).await.unwrap();
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    says(&page, "#advice", "complete").await;
    until(&page, "document.querySelectorAll('#advice li').length > 0").await;
    // The hand counts in the words of the game, and a refusal stands beside its field.
    choose(&page, "#context [name=how]", "self_draw").await;
    fill(&page, "#context [name=winning]", "5z").await;
    click(&page, "#context [name=riichi]").await;
    says(&page, "#score h2", "4 han").await;
    says(&page, "#score", "tsumo · 40 fu").await;
    fill(&page, "#context [name=dora_indicators]", "zz").await;
    until(&page, "document.querySelector('[name=dora_indicators]').closest('label').nextElementSibling.id === 'error'").await;
    says(&page, "#error", "“dora indicators”").await;
    until(&page, NOTHING_STICKS_OUT).await;
    keep(&page, "phone-riichi").await;
    click(&page, "#show").await;
    // The same on the control page, where one tile is said to be another.
    let context = json!({ "riichi": null, "winning": null, "win": null, "dora_indicators": null });
    let photo = served.send("api/photo", &table("row-sorted")).json();
    let words = json!({ "context": {}, "fixes": [[photo["tiles"][0]["id"], "9p"]] });
    assert_eq!(served.post(&format!("api/photo/{}/show", photo["photo"]), &words).status, 200);
    assert_eq!(served.post("api/context", &context).status, 200);
    page.set_window_size(1366, 768).await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "!document.querySelector('#advice').hidden").await;
    click(&page, "#advice summary").await;
    until(&page, "document.querySelectorAll('#advice li').length > 0").await;
    says(&page, "#advice", "left:").await;
    until(&page, NOTHING_STICKS_OUT).await;
    page.execute(SHOW_ADVICE, vec![]).await.unwrap();
    keep(&page, "control-advice").await;
    page.close().await.unwrap();
}

/// Chromium paints pages white by default; OBS sets its own Chromium otherwise.
trait Transparency {
    async fn issue_transparency(&self);
}

impl Transparency for Client {
    async fn issue_transparency(&self) {
        let colour = json!({ "color": { "r": 0, "g": 0, "b": 0, "a": 0 } });
        devtools(self, "Emulation.setDefaultBackgroundColorOverride", colour).await;
    }
}

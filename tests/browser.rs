//! The pages in a real browser: Chromium, driven through its WebDriver. Screenshots are kept under
//! `target/screenshots`.
#![cfg(feature = "server")]

#[path = "support/browser.rs"]
mod browser;
#[path = "support/served.rs"]
mod served;

use std::{process::Command, time::Duration};

use browser::{browser, keep, until, until_within};
use fantoccini::{Client, Locator, key::Key};
use serde_json::json;
use served::{Served, four_players, layout_path, table_path};

/// Every animation of the overlay has been shown to its end.
const ITEMS_HAVE_COME: &str =
    "document.getAnimations().every((one) => one.playState === 'finished')";

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
    let how = page.find(Locator::Css("select[name=how]")).await.unwrap();
    how.select_by_value("self_draw").await.unwrap();
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
    let pay = page.find(Locator::Css("#payments")).await.unwrap().text().await.unwrap();
    assert_eq!(
        pay.split_whitespace().collect::<Vec<_>>(),
        ["E", "+180", "S", "−60", "W", "−60", "N", "−60"]
    );
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
    let fits = page
        .execute(
            "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]",
            vec![],
        )
        .await
        .unwrap();
    assert_eq!(fits, json!([1920, 1080]));
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
    page.find(Locator::Css("#mark")).await.unwrap().click().await.unwrap();
    // The preview is smaller than the picture: corners are told in its own pixels.
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
    assert_eq!(seen.get_pixel(960, 300).0[3], 0, "the middle lets the video through");
    let fits =
        "return [document.documentElement.scrollWidth, document.documentElement.scrollHeight]";
    assert_eq!(page.execute(fits, vec![]).await.unwrap(), json!([1920, 1080]));
    // Before anyone has won, what is waited for is shown where all 13 tiles are seen.
    served.post("api/undo", &json!({}));
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

/// Chromium paints pages white unless it is told otherwise; OBS tells its own.
trait Transparency {
    async fn issue_transparency(&self);
}

impl Transparency for Client {
    async fn issue_transparency(&self) {
        self.issue_cmd(Transparent).await.unwrap();
    }
}

#[derive(Debug)]
struct Transparent;

impl fantoccini::wd::WebDriverCompatibleCommand for Transparent {
    fn endpoint(
        &self,
        base: &url::Url,
        session: Option<&str>,
    ) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        let colour = json!({ "color": { "r": 0, "g": 0, "b": 0, "a": 0 } });
        let command = json!({
            "cmd": "Emulation.setDefaultBackgroundColorOverride", "params": colour,
        });
        (http::Method::POST, Some(command.to_string()))
    }
}

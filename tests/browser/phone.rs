//! The phone page in a real browser, with a camera that shows what the test wants. Screenshots are kept under
//! `target/screenshots`.

use std::process::Command;

use crate::support::browser::{
    Driver, MOVES, MOVES_FRAMES, STICKS_OUT, UNCLEAR, browser, browser_with, camera, devtools,
    keep, until, until_within,
};
use crate::support::served::{Served, table_path};
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

/// Far longer than a debug build takes for a photo.
const READ: std::time::Duration = std::time::Duration::from_secs(120);

async fn size(page: &Client, [width, height]: [u32; 2]) {
    let params =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
    devtools(page, "Emulation.setDeviceMetricsOverride", params).await;
    until(page, &format!("innerWidth === {width}")).await;
}

async fn get(page: &Client, script: &str) -> Value {
    page.execute(&format!("return {script}"), vec![]).await.unwrap()
}

async fn run(page: &Client, script: &str) {
    page.execute(script, vec![]).await.unwrap();
}

async fn click(page: &Client, css: &str) {
    page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
}

/// The score lay two screens below the photo, and on a narrow phone amounts stuck out.
#[tokio::test]
async fn the_score_is_in_the_first_screen_and_nothing_sticks_out() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    for [width, height] in [[390, 844], [320, 640]] {
        page.goto(&format!("{}phone", served.address)).await.unwrap();
        size(&page, [width, height]).await;
        until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
        assert_eq!(get(&page, STICKS_OUT).await, json!([]), "{width}: at first");
        keep(&page, &format!("phone-first-{width}")).await;
        let file = page.find(Locator::Css("#photo")).await.unwrap();
        file.send_keys(&table_path("row-sorted")).await.unwrap();
        until_within(&page, "document.querySelectorAll('#hand .tile').length === 14", READ).await;
        let how = page.find(Locator::Css("select[name=how]")).await.unwrap();
        how.select_by_value("self_draw").await.unwrap();
        until(&page, "document.querySelector('#score h2')?.textContent === '120'").await;
        page.execute("scrollTo(0, 0)", vec![]).await.unwrap();
        let below = "['#score h2', '#score .pay', '#status', '#show'].filter((css) => document.querySelector(css).getBoundingClientRect().bottom > innerHeight)";
        assert_eq!(get(&page, below).await, json!([]), "{width}");
        assert_eq!(get(&page, STICKS_OUT).await, json!([]), "{width}: with a score");
        assert_eq!(
            get(&page, "document.documentElement.scrollWidth <= innerWidth").await,
            json!(true)
        );
        keep(&page, &format!("phone-score-{width}")).await;
    }
    page.close().await.unwrap();
}

/// The page with a camera that shows a film; the readings that it asks for are counted.
async fn before_a_camera(camera: &[String]) -> Option<(Driver, Client, Served)> {
    let camera: Vec<&str> = camera.iter().map(String::as_str).collect();
    let (driver, page) = browser_with(&camera).await?;
    let served = Served::serve();
    let counts = "window.sent = 0; const { open } = XMLHttpRequest.prototype; \
        XMLHttpRequest.prototype.open = function (...of) { window.sent += 1; return open.apply(this, of); }";
    devtools(&page, "Page.addScriptToEvaluateOnNewDocument", json!({ "source": counts })).await;
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    size(&page, [390, 844]).await;
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    until(&page, "document.querySelector('#find').checkVisibility()").await;
    Some((driver, page, served))
}

const IS_OFF: &str = "!document.querySelector('#finder video').srcObject && document.querySelector('#finder').hidden";

/// Players sent dark photos of far tables, and learnt it from the answer. What is not sure is not taken by itself.
#[tokio::test]
async fn the_finder_says_what_to_do_and_shows_what_is_in_doubt() {
    let folder = tempfile::tempdir().unwrap();
    let fit = "scale=1280:960";
    let far = "scale=450:338,pad=1280:960:(ow-iw)/2:(oh-ih)/2:color=0x3d7a5a";
    for (name, picture, filter, hint) in [
        ("dark", "row-gaps", format!("{fit},lutyuv=y=val/6"), "light"),
        ("far", "row-gaps", far.to_owned(), "closer"),
        ("unsure", "row-gaps", UNCLEAR.to_owned(), "doubt"),
        // The first tile is cut off.
        ("part", "row-sorted", format!("{fit},crop=1100:825:128:70,{fit}"), "whole"),
    ] {
        let film = camera(folder.path(), picture, &filter, 10);
        let Some((_driver, page, _served)) = before_a_camera(&film).await else { return };
        // The hand has won by self-draw, as the player said before.
        run(&page, "document.querySelector('[name=how]').value = 'self_draw'").await;
        click(&page, "#find").await;
        assert_eq!(get(&page, "document.querySelector('#next-how').value").await, "self_draw");
        let hinted = format!("document.querySelector('#finder').dataset.hint === '{hint}'");
        until_within(&page, &hinted, READ).await;
        assert_eq!(get(&page, STICKS_OUT).await, json!([]));
        // The frame lies in the middle of the picture, as wide as the hints take it to be.
        let frame = "(() => { const of = (css) => document.querySelector(css).getBoundingClientRect(); const [video, frame] = [of('#finder video'), of('#frame')];
          return [Math.round(frame.width / video.width * 100), Math.abs(frame.top + frame.height / 2 - video.height / 2) < 2]; })()";
        assert_eq!(get(&page, frame).await, json!([92, true]));
        keep(&page, &format!("phone-finder-{name}")).await;
        let shown = "[!!document.querySelector('#score').textContent, document.querySelectorAll('#outlines polygon').length > 5, document.querySelectorAll('#outlines .doubt').length > 0]";
        let is_read = hint == "doubt" || hint == "whole";
        let found = get(&page, shown).await;
        assert_eq!(found, json!([false, is_read, hint == "doubt"]), "{name}");
        if hint == "doubt" {
            // Its player may take it all the same: as a photo, with its doubts.
            click(&page, "#shoot").await;
            until_within(&page, "document.querySelectorAll('#hand .tile').length === 14", READ)
                .await;
            until(&page, "document.querySelector('#doubts li')").await;
        } else {
            click(&page, "#close-finder").await;
        }
        until(&page, IS_OFF).await;
        page.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_still_hand_has_its_score_without_a_press() {
    let folder = tempfile::tempdir().unwrap();
    let film = camera(folder.path(), "row-sorted", "scale=1280:960", 10);
    let Some((_driver, page, _served)) = before_a_camera(&film).await else { return };
    run(&page, "document.querySelector('[name=how]').value = 'self_draw'").await;
    click(&page, "#find").await;
    until_within(&page, "document.querySelector('#score h2')?.textContent === '120'", READ).await;
    assert!(get(&page, IS_OFF).await == json!(true), "the camera is off again");
    assert_eq!(get(&page, "document.querySelectorAll('#boxes polygon').length").await, 14);
    assert_eq!(get(&page, "document.querySelector('[name=how]').value").await, "self_draw");
    assert_eq!(get(&page, STICKS_OUT).await, json!([]));
    keep(&page, "phone-by-itself").await;
    // The next hand is another one: nothing is said of it yet, so it has no score before its way of winning is chosen.
    click(&page, "#find").await;
    assert_eq!(get(&page, "document.querySelector('#next-how').value").await, "");
    until_within(&page, "document.querySelector('[name=how]').value === ''", READ).await;
    let shown = "[document.querySelector('#score').textContent, document.querySelectorAll('#hand .tile').length]";
    assert_eq!(get(&page, shown).await, json!(["", 14]));
    page.close().await.unwrap();
}

#[tokio::test]
async fn a_hand_that_moves_is_not_read_and_a_hidden_page_uses_no_camera() {
    let folder = tempfile::tempdir().unwrap();
    let film = camera(folder.path(), "row-sorted", MOVES, MOVES_FRAMES);
    let Some((_driver, page, _served)) = before_a_camera(&film).await else { return };
    run(&page, "document.querySelector('[name=how]').value = 'self_draw'").await;
    click(&page, "#find").await;
    until(&page, "document.querySelector('#finder').dataset.hint === 'still'").await;
    keep(&page, "phone-finder-still").await;
    until(&page, "document.querySelector('#finder video').currentTime > 3").await;
    let seen = "[document.querySelector('#finder').hidden, document.querySelector('#score').textContent, document.querySelectorAll('#hand .tile').length]";
    assert_eq!(get(&page, seen).await, json!([false, "", 0]));
    run(&page, "Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))").await;
    until(&page, IS_OFF).await;
    page.close().await.unwrap();
}

/// Where the page may not use the camera, as in a network without https, the pickers are what there is.
#[tokio::test]
async fn without_a_camera_the_pickers_stay() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let script = "Object.defineProperty(window, 'isSecureContext', { value: false })";
    devtools(&page, "Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    let shown = "['#find', '#take', '#file'].map((css) => document.querySelector(css).closest('button, label').checkVisibility())";
    assert_eq!(get(&page, shown).await, json!([false, true, true]));
    let why = "document.querySelector('#no-finder').checkVisibility() && document.querySelector('#no-finder').textContent";
    let why = get(&page, why).await;
    assert!(why.as_str().is_some_and(|text| text.contains("https")), "{why}");
    page.close().await.unwrap();
}

/// One player's hand out of a picture of all four, upright as he sees it.
fn cut_out(folder: &std::path::Path, name: &str, filter: &str) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let table = format!("{root}/datasets/four-hands/photos/tables/unmarked.jpg");
    let file = folder.join(format!("{name}.jpg")).to_str().unwrap().to_owned();
    let out = Command::new("ffmpeg")
        .args(["-v", "error", "-i", &table, "-vf", filter, "-q:v", "2", &file])
        .status();
    assert!(out.unwrap().success());
    file
}

/// What the page says of the deal: the players' worths, and what each is paid.
async fn deal(page: &Client) -> Value {
    get(
        page,
        "({ worths: [...document.querySelectorAll('#four output')].map((one) => one.textContent),
            paid: [...document.querySelectorAll('#settled .pay span')].map((one) => one.lastChild.textContent) })",
    )
    .await
}

/// Photographs a hand and keeps it for a player.
async fn photograph(page: &Client, photo: &str, seat: &str, tiles: usize) {
    let file = page.find(Locator::Css("#photo")).await.unwrap();
    file.send_keys(photo).await.unwrap();
    let read = format!("document.querySelectorAll('#hand .tile').length === {tiles}");
    until_within(page, &read, READ).await;
    let keep = format!("#four [data-seat={seat}] .keep");
    until(page, &format!("document.querySelector('{keep}').checkVisibility()")).await;
    click(page, &keep).await;
    until(page, &format!("!!document.querySelector('#four [data-seat={seat}] .hand')")).await;
}

/// Losers settle among themselves by hands that nobody keeps in his head: the page collects the four.
#[tokio::test]
async fn four_photos_one_after_another_make_a_deal() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = Served::serve();
    page.goto(&format!("{}phone?lang=en", served.address)).await.unwrap();
    size(&page, [390, 844]).await;
    until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
    assert_eq!(get(&page, "document.querySelector('#four').checkVisibility()").await, false);
    page.execute("document.querySelector('#context').hidden = false", vec![]).await.unwrap();
    let rules = page.find(Locator::Css("#rules")).await.unwrap();
    rules.select_by_value("classical-dmjl").await.unwrap();
    until(&page, "document.querySelector('#four').checkVisibility()").await;
    for (seat, filter, tiles) in [
        ("S", "crop=330:880:1720:420,transpose=1", 15),
        ("W", "crop=820:200:720:80,hflip,vflip", 13),
        ("E", "crop=1010:280:600:1490", 15),
        ("N", "crop=270:870:240:430,transpose=2", 14),
    ] {
        photograph(&page, &cut_out(folder.path(), seat, filter), seat, tiles).await;
    }
    assert_eq!(deal(&page).await["paid"], json!([]), "nobody has said how it was won");
    let won = "document.querySelector('#four input[name=winner]:checked')?.value";
    assert_eq!(get(&page, won).await, "E", "the hand of fourteen tiles");
    page.find(Locator::Css("#won-by")).await.unwrap().select_by_value("discard:S").await.unwrap();
    until(&page, "document.querySelectorAll('#settled .pay span').length === 4").await;
    let settled =
        json!({ "worths": ["60", "24", "2", "6"], "paid": ["+360", "−80", "−146", "−134"] });
    assert_eq!(deal(&page).await, settled);
    assert_eq!(get(&page, STICKS_OUT).await, json!([]));
    page.execute("document.querySelector('#four').scrollIntoView()", vec![]).await.unwrap();
    keep(&page, "phone-four-hands").await;
    // East's red dragons lie apart: they are taken for claimed until somebody says that they were not.
    let asked = "document.querySelector('#settled .asked li').textContent";
    assert!(get(&page, asked).await.as_str().unwrap().contains("pung"));
    click(&page, "#settled .asked li [aria-pressed=false]").await;
    until(&page, "document.querySelector('#four output').textContent === '68'").await;
    assert_eq!(deal(&page).await["paid"], json!(["+408", "−96", "−162", "−150"]));

    // The next deal by worths alone.
    click(&page, "#next-deal").await;
    until(&page, "!document.querySelector('#settled').textContent").await;
    for (seat, worth) in [("E", "64"), ("S", "200"), ("W", "152"), ("N", "152")] {
        let field = format!("#four [data-seat={seat}] input[type=text]");
        page.find(Locator::Css(&field)).await.unwrap().send_keys(worth).await.unwrap();
    }
    click(&page, "#four [data-seat=W] input[type=radio]").await;
    page.find(Locator::Css("#won-by")).await.unwrap().select_by_value("discard:N").await.unwrap();
    until(&page, "document.querySelectorAll('#settled .pay span').length === 4").await;
    assert_eq!(deal(&page).await["paid"], json!(["−752", "+168", "+608", "−24"]));
    // Rules that score the winner alone collect nothing.
    rules.select_by_value("mmm").await.unwrap();
    until(&page, "!document.querySelector('#four').checkVisibility()").await;
    for language in ["da", "de", "ja", "zh"] {
        page.goto(&format!("{}phone?lang={language}", served.address)).await.unwrap();
        size(&page, [320, 640]).await;
        until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
        page.execute("document.querySelector('#context').hidden = false", vec![]).await.unwrap();
        let rules = page.find(Locator::Css("#rules")).await.unwrap();
        rules.select_by_value("classical-bmja").await.unwrap();
        until(&page, "document.querySelector('#four').checkVisibility()").await;
        click(&page, "#four [data-seat=S] input[type=radio]").await;
        until(&page, "document.querySelector('#won-by').checkVisibility()").await;
        assert_eq!(get(&page, STICKS_OUT).await, json!([]), "{language}");
        page.execute("document.querySelector('#four').scrollIntoView()", vec![]).await.unwrap();
        keep(&page, &format!("phone-four-hands-{language}")).await;
    }
    page.close().await.unwrap();
}

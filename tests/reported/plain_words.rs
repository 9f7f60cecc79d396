//! Reports about pages that spoke in notation, or said what was not so.

#![cfg(all(feature = "server", target_os = "linux"))]

use std::time::Duration;

use fantoccini::{Client, Locator};
use serde_json::json;

use crate::support::{
    browser::{browser, keep, until, until_within},
    served::{Served, table_path, tilelens},
};

/// Far longer than a debug build takes for a photo.
const READ: Duration = Duration::from_secs(120);

/// Sends a picture from a phone's page, whose tiles are then shown.
async fn send(page: &Client, picture: &str, tiles: usize) {
    until(page, "document.querySelectorAll('#rules option').length >= 5").await;
    let file = page.find(Locator::Css("#photo")).await.unwrap();
    file.send_keys(&table_path(picture)).await.unwrap();
    let read = format!("document.querySelectorAll('#hand .tile').length === {tiles}");
    until_within(page, &read, READ).await;
}

/// Says on a phone's page that the hand was drawn.
async fn drew(page: &Client) {
    let how = page.find(Locator::Css("select[name=how]")).await.unwrap();
    how.select_by_value("self_draw").await.unwrap();
}

/// Says at a table that the first player drew the tile that won.
async fn first_drew(page: &Client) {
    for css in ["#won .pick", "#by .pick:has([value=self_draw])"] {
        page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    }
}

/// A player's phone said "[xxxx] holds a tile that is not known" and "it may be 4z0m2350p…".
#[tokio::test]
async fn doubts_on_phones_draw_the_tiles_that_they_are_about() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    page.goto(&format!("{}phone", served.address)).await.unwrap();
    send(&page, "kong-concealed-four-backs", 15).await;
    drew(&page).await;
    until(&page, "document.querySelector('#doubts').innerText.includes('four backs')").await;
    until(&page, "document.querySelectorAll('#doubts li').length === 1").await;
    let notation = "/x{2}|\\d[mpsz]/.test(document.querySelector('#doubts').innerText)";
    until(&page, &format!("!({notation})")).await;
    page.find(Locator::Css("#advice summary")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#advice').innerText.includes('4 of them are face down')")
        .await;
    keep(&page, "phone-doubts-kong").await;
    // Another hand that it may be is drawn whole.
    send(&page, "four-claimed", 14).await;
    drew(&page).await;
    until(&page, "document.querySelectorAll('#doubts .within .tile').length === 14").await;
    until(&page, &format!("!({notation})")).await;
    keep(&page, "phone-doubts-layout").await;
    page.close().await.unwrap();
}

/// A hand that was written was scored once more, as one of the next deal, and could be entered again.
#[tokio::test]
async fn a_hand_that_was_written_is_not_scored_again() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    page.goto(&format!("{}table/1", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#who button').length === 4").await;
    page.find(Locator::Css("#who button")).await.unwrap().click().await.unwrap();
    send(&page, "row-sorted", 14).await;
    first_drew(&page).await;
    until(&page, "!document.querySelector('#write').disabled").await;
    // The dealer wins, so that the next deal has a counter.
    let watch = "window.scores = new Set(); new MutationObserver(() => { const one = document.querySelector('#score .pay')?.innerText; if (one) scores.add(one); }).observe(document.querySelector('#score'), { childList: true })";
    page.execute(watch, vec![]).await.unwrap();
    page.find(Locator::Css("#write")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    until(&page, "document.querySelector('[name=honba]').value === '1'").await;
    until(&page, "!document.querySelector('#score .pay')").await;
    until(&page, "document.querySelector('#write').disabled").await;
    let scores = page.execute("return [...scores]", vec![]).await.unwrap();
    assert_eq!(scores, json!([]), "it was scored anew");
    // Whoever says how the next hand was won has it scored with the counter.
    first_drew(&page).await;
    until(
        &page,
        "document.querySelector('#score .pay') && !document.querySelector('#write').disabled",
    )
    .await;
    page.close().await.unwrap();
}

/// The scoreboard of a tournament said "start with --ledger FILE" although one was given.
#[tokio::test]
async fn a_view_without_content_says_what_its_ledger_lacks() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let [club, evening, players] = ["club.tlg", "evening.tlg", "players.csv"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\n").unwrap();
    tilelens(&["tournament", "new", &club, "--name", "Club evening"]);
    tilelens(&["tournament", "import", &club, &players]);
    tilelens(&["table", "new", &evening, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    for (ledger, view, says) in [
        (Some(&club), "table", "No table of this ledger is shown here: start with --table N."),
        (Some(&evening), "standings", "There is no tournament in this ledger."),
        (Some(&evening), "clock", "No clock runs."),
        (None, "table", "Nothing to show: start with --ledger FILE."),
    ] {
        let with: Vec<&str> = ledger.map_or_else(Vec::new, |file| vec!["--ledger", file.as_str()]);
        let served = Served::start(&[&["serve", "--port", "0"][..], &with].concat());
        page.goto(&format!("{}scoreboard?show={view}", served.address)).await.unwrap();
        let said = format!("document.querySelector('#place').textContent === {}", json!(says));
        until(&page, &said).await;
    }
    page.close().await.unwrap();
}

/// `serve` printed the address of neither the desk nor the pocket page.
#[test]
fn the_terminal_prints_the_address_of_each_page_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let printed = |more: &[&str]| {
        let served = Served::start(&[&["serve", "--port", "0"][..], more].concat());
        let starts = |page: &&str| {
            let address = format!("{}{page}", served.address);
            served.greeting.lines().any(|line| line.split_whitespace().eq([*page, &address]))
        };
        let pages = ["control", "overlay", "scoreboard", "phone", "desk", "pocket"];
        pages.into_iter().filter(starts).collect::<Vec<_>>()
    };
    let always = ["control", "overlay", "scoreboard", "phone"];
    assert_eq!(printed(&[]), always);
    let pocket = folder.path().to_str().unwrap();
    let all = printed(&["--ledger", &file, "--pocket", pocket]);
    assert_eq!(all, [&always[..], &["desk", "pocket"]].concat());
}

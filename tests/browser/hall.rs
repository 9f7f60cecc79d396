//! The pages of a hall, the desk and the scoreboard, over a tournament whose tables play. Screenshots are kept under
//! `target/screenshots`.

use crate::support::browser::{CUT_OFF, STICKS_OUT, browser, devtools, keep, until};
use crate::support::served::{Served, tilelens};
use fantoccini::{Client, Locator};
use serde_json::{Value, json};

/// A tournament of two rounds, drawn.
fn hall(folder: &std::path::Path, players: usize) -> String {
    let path = |name: &str| folder.join(format!("{players}-{name}")).to_str().unwrap().to_owned();
    let (file, list) = (path("open.tlg"), path("players.csv"));
    let names: String = (1..=players).map(|number| format!("Player {number:03}\n")).collect();
    std::fs::write(&list, format!("name\n{names}")).unwrap();
    for arguments in [
        &["new", &file, "--name", "Nordic Open"][..],
        &["import", &file, &list],
        &["seat", &file, "--rounds", "2", "--seed", "7"],
    ] {
        tilelens(&[&["tournament"], arguments].concat());
    }
    file
}

async fn get(page: &Client, script: &str) -> Value {
    page.execute(&format!("return {script}"), vec![]).await.unwrap()
}

async fn says(page: &Client, css: &str, text: &str) {
    let what = format!("document.querySelector('{css}').innerText.includes({})", json!(text));
    until(page, &what).await;
}

async fn size(page: &Client, [width, height]: [u32; 2]) {
    let params =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    devtools(page, "Emulation.setDeviceMetricsOverride", params).await;
    until(page, &format!("innerWidth === {width}")).await;
}

/// A button opened a round over tables that played, and nothing beside it said so.
#[tokio::test]
async fn each_button_of_a_round_says_what_it_does_to_the_tables_that_play() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = hall(folder.path(), 8);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    page.goto(&format!("{}desk", served.address)).await.unwrap();
    says(&page, "#open-round", "No table plays.").await;
    let click =
        async |css: &str| page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    click("#open-round").await;
    until(&page, "document.querySelectorAll('#tables button').length === 2").await;
    says(&page, "#close-round", "Nothing was dealt at its 2 tables.").await;
    tilelens(&[
        "table", "deal", &file, "--table", "1001", "-w", "W", "--from", "E", "--worth", "7",
    ]);
    says(&page, "#start-clock", "It runs at 2 tables; already dealt: 1.").await;
    let stay = "Tables 1, 2 still play round 1: their phones stay there until they end";
    says(&page, "#open-round", stay).await;
    says(&page, "#end-round", "Tables that stop: 1, 2.").await;
    assert_eq!(
        get(&page, "document.querySelector('#close-round').hidden").await,
        true,
        "something was dealt"
    );
    // Opened all the same, both rounds are in sight, and the way back is there.
    click("#open-round").await;
    says(&page, "#error", "Tables 1, 2 still play round 1").await;
    click("#error button").await;
    until(&page, "document.querySelectorAll('#tables h3').length === 2 && document.querySelectorAll('#tables button').length === 4").await;
    for language in ["en", "da", "de", "ja", "zh"] {
        page.goto(&format!("{}desk?lang={language}", served.address)).await.unwrap();
        until(&page, "document.querySelectorAll('#tables button').length === 4").await;
        for width in [1366, 390] {
            size(&page, [width, 800]).await;
            until(&page, &format!("{STICKS_OUT}.length === 0")).await;
            assert_eq!(get(&page, CUT_OFF).await, json!([]), "{language} {width}");
            keep(&page, &format!("desk-rounds-{language}-{width}")).await;
        }
    }
    page.goto(&format!("{}desk", served.address)).await.unwrap();
    says(&page, "#close-round", "Nothing was dealt at its 2 tables.").await;
    click("#close-round").await;
    page.accept_alert().await.unwrap();
    until(&page, "document.querySelectorAll('#tables button').length === 2").await;
    assert_eq!(served.get("api/desk").json()["round"], 1);
    page.close().await.unwrap();
}

/// Of few players the standings filled a quarter of the screen, and tables at play were not in them.
#[tokio::test]
async fn standings_fill_the_screen_and_mark_what_tables_at_play_have_so_far() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut letters = f64::INFINITY;
    for players in [4, 12, 40] {
        let file = hall(folder.path(), players);
        tilelens(&["tournament", "open", &file, "1"]);
        let deal = ["-w", "W", "--from", "E", "--worth", "7"];
        tilelens(&[&["table", "deal", &file, "--table", "1001"][..], &deal].concat());
        let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
        page.goto(&format!("{}scoreboard?show=standings", served.address)).await.unwrap();
        size(&page, [1920, 1080]).await;
        let rows = players.min(20);
        until(&page, &format!("document.querySelectorAll('#ranks tr').length === {rows}")).await;
        keep(&page, &format!("hall-plays-{players}")).await;
        let shape = "(() => { const table = document.querySelector('#ranks table'); const row = table.querySelector('.who');
          return [table.getBoundingClientRect().height / innerHeight, parseFloat(getComputedStyle(row).fontSize), document.documentElement.scrollHeight <= innerHeight]; })()";
        let shape = get(&page, shape).await;
        let (filled, size) = (shape[0].as_f64().unwrap(), shape[1].as_f64().unwrap());
        assert!((0.5..0.8).contains(&filled), "{players}: {shape}");
        assert!(size < letters && shape[2] == true, "{players}: {shape}");
        letters = size;
        if players > 20 {
            continue;
        }
        // All play the first round; no total has any of it yet.
        let marks = "[...document.querySelectorAll('#ranks .plays')].map((one) => one.textContent)";
        let marks = get(&page, marks).await;
        let marks: Vec<&str> = marks.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(marks.len(), players, "{marks:?}");
        assert!(marks.iter().any(|mark| mark.starts_with("plays: +")), "{marks:?}");
        assert!(marks.iter().any(|mark| mark.starts_with("plays: −")), "{marks:?}");
        let totals = "[...document.querySelectorAll('#ranks .number')].every((one) => one.textContent === '0')";
        assert_eq!(get(&page, totals).await, true);
        tilelens(&["tournament", "end", &file, "1"]);
        until(&page, "document.querySelectorAll('#ranks .plays').length === 0").await;
        until(&page, "document.querySelector('#ranks .number').textContent.startsWith('+')").await;
    }
    page.close().await.unwrap();
}

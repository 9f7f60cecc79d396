//! Browsers whose clocks differ from the server's, and countdowns over midnight.

#![cfg(all(feature = "server", target_os = "linux"))]

use fantoccini::{Client, Locator};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::support::{
    browser::{browser, devtools, until},
    served::{Served, tilelens},
};

/// Lets the pages that are opened from now on take the time from a clock that is `fast` milliseconds fast: a JavaScript
/// expression, in which `real` is the true clock.
async fn set_clock(page: &Client, fast: &str) {
    let source = format!(
        "const real = Date;
        const fast = {fast};
        window.Date = class extends real {{
            constructor(...moment) {{ moment.length ? super(...moment) : super(real.now() + fast); }}
            static now() {{ return real.now() + fast; }}
        }};"
    );
    let script = json!({ "source": source });
    devtools(page, "Page.addScriptToEvaluateOnNewDocument", script).await;
}

async fn text(page: &Client, css: &str) -> String {
    page.find(Locator::Css(css)).await.unwrap().text().await.unwrap()
}

/// Seconds of "1:54:58".
fn seconds(clock: &str) -> i64 {
    clock.split(':').fold(0, |sum, part| 60 * sum + part.parse::<i64>().unwrap())
}

/// A desk whose browser was ten minutes fast started the round ten minutes late, and counted it down wrongly.
#[tokio::test]
async fn a_desk_with_a_fast_clock_starts_rounds_by_the_servers() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("open.tlg").display().to_string();
    let players = folder.path().join("players.csv");
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\n").unwrap();
    tilelens(&["tournament", "new", &file, "--name", "Open"]);
    tilelens(&["tournament", "import", &file, players.to_str().unwrap()]);
    tilelens(&["tournament", "seat", &file, "--rounds", "1", "--seed", "dice"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    let opened = served.post("api/desk", &json!({ "does": { "open": { "round": 1 } } }));
    assert_eq!(opened.status, 200, "{}", opened.text());

    set_clock(&page, "600_000").await;
    page.goto(&format!("{}desk", served.address)).await.unwrap();
    until(&page, "(({ disabled, offsetParent }) => !disabled && offsetParent)(document.querySelector('#start-clock'))").await;
    let before = Timestamp::now();
    page.find(Locator::Css("#start-clock")).await.unwrap().click().await.unwrap();
    until(
        &page,
        "/^Round 1: \\d+:\\d\\d:\\d\\d$/.test(document.querySelector('#clock').textContent)",
    )
    .await;
    let shown = text(&page, "#clock").await;
    let clock: Value = served.get("api/desk").json()["tournament"]["clock"].clone();
    let time = |key: &str| clock[key].as_str().unwrap().parse::<Timestamp>().unwrap();
    assert!((before..=Timestamp::now()).contains(&time("started")), "{clock}");
    let left = time("ends").duration_since(Timestamp::now()).as_secs();
    let counted = seconds(shown.strip_prefix("Round 1: ").unwrap());
    assert!((counted - left).abs() < 60, "{shown}, but {left} s are left");
    page.close().await.unwrap();
}

/// An overlay that was loaded after midnight counted almost a day down to five to twelve.
#[tokio::test]
async fn a_countdown_to_a_time_before_midnight_is_over_after_it() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::start(&["serve", "--port", "0"]);
    set_clock(&page, "new real().setHours(0, 5, 0, 0) - real.now()").await;
    for (time, heading, left) in [
        ("23:55", "Starting now", ""),
        ("00:00", "Starting now", ""),
        ("00:30", "Starting in", "2[45]:\\d\\d"),
        ("06:30", "Starting in", "6:2[45]:\\d\\d"),
        // More than six hours before: of the coming evening.
        ("18:00", "Starting in", "17:5[45]:\\d\\d"),
    ] {
        let address = format!("{}overlay?part=countdown&until={time}", served.address);
        page.goto(&address).await.unwrap();
        let slate = "document.querySelector('#slate')";
        let shows = format!(
            "{slate}.querySelector('h1').textContent === '{heading}' && /^{left}$/.test({slate}.querySelector('p').textContent)"
        );
        until(&page, &shows).await;
    }
    page.close().await.unwrap();
}

//! The page of a table's players on a phone: what is asked of a deal, in which order, and with how many taps. Screenshots
//! are kept under `target/screenshots`.

use std::time::Duration;

use crate::support::browser::{
    CUT_OFF, HARD_TO_READ, STICKS_OUT, browser, by, devtools, keep, latin_words, until,
    until_within,
};
use crate::support::served::{Served, table_path, tilelens};
use fantoccini::{Client, Locator, key::Key};
use serde_json::{Value, json};

/// Far longer than a debug build takes for a photo.
const READ: Duration = Duration::from_secs(120);
const LANGUAGES: [&str; 5] = ["en", "da", "de", "ja", "zh"];

async fn get(page: &Client, script: &str) -> Value {
    page.execute(&format!("return {script}"), vec![]).await.unwrap()
}

async fn click(page: &Client, css: &str) {
    page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
}

async fn size(page: &Client, [width, height]: [u32; 2]) {
    let params =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": true });
    devtools(page, "Emulation.setDeviceMetricsOverride", params).await;
    until(page, &format!("innerWidth === {width}")).await;
}

/// An evening of a rule set, served, and the page of its table as the first player sees it.
async fn seated(page: &Client, served: &Served, language: &str) {
    page.goto(&format!("{}table/1?lang={language}", served.address)).await.unwrap();
    until(
        page,
        "document.body.dataset.ready && document.querySelectorAll('#who button').length >= 3",
    )
    .await;
    if get(page, "document.querySelector('#who').checkVisibility()").await == true {
        page.find(Locator::Css("#who button")).await.unwrap().click().await.unwrap();
    }
    until(page, "document.querySelector('#won').checkVisibility()").await;
}

fn evening(folder: &tempfile::TempDir, rules: &str, names: &str) -> String {
    let file = folder.path().join(format!("{rules}.tlg")).to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", rules, "--players", names]);
    file
}

/// Where an element is that a thumb is to hit: its middle, if it is in sight and nothing lies over it.
fn in_sight(css: &str) -> String {
    format!(
        "(() => {{ const one = document.querySelector(\"{css}\"); const {{ left, top, width, height }} = one.getBoundingClientRect();
          const [x, y] = [left + width / 2, top + height / 2];
          const hit = width && document.elementFromPoint(x, y);
          return hit && (one.contains(hit) || hit.contains(one)) && top >= 0 && top + height <= innerHeight ? {{ x, y }} : null; }})()"
    )
}

/// A thumb on what it sees, without scrolling.
struct Thumb<'a> {
    page: &'a Client,
    taps: usize,
}

impl Thumb<'_> {
    async fn tap(&mut self, css: &str) {
        let before = get(self.page, "scrollY").await;
        let place = get(self.page, &in_sight(css)).await;
        assert!(place.is_object(), "{css} is not in sight, or something lies over it");
        for kind in ["mousePressed", "mouseReleased"] {
            let at = json!({ "type": kind, "x": place["x"], "y": place["y"], "button": "left", "clickCount": 1 });
            devtools(self.page, "Input.dispatchMouseEvent", at).await;
        }
        assert_eq!(get(self.page, "scrollY").await, before, "{css} scrolled the page");
        self.taps += 1;
    }
}

/// The winner was the fourth field of a form below a photo, and "Enter" two screens above it.
#[tokio::test]
async fn a_deal_is_five_taps_after_its_photo_and_another_player_sees_its_tiles() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = evening(&folder, "riichi", "Ann,Bo,Cy,Di");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    seated(&page, &served, "en").await;
    size(&page, [390, 844]).await;
    keep(&page, "at-table-begun").await;
    let photo = page.find(Locator::Css("#photo")).await.unwrap();
    photo.send_keys(&table_path("row-sorted")).await.unwrap();
    until_within(&page, "document.querySelectorAll('#hand .tile').length === 14", READ).await;
    assert_eq!(get(&page, "document.querySelector('#so-far').textContent").await, "Who won?");
    let mut thumb = Thumb { page: &page, taps: 0 };
    thumb.tap("#won .pick:nth-child(2)").await;
    until(&page, "document.querySelector('#so-far').textContent === 'Bo wins · How was it won?'")
        .await;
    assert_eq!(get(&page, "document.querySelector('#write').disabled").await, true);
    thumb.tap("#by .pick:nth-child(4)").await;
    thumb.tap("#declared label:has([value=S])").await;
    keep(&page, "at-table-asked").await;
    // A row of tiles does not show which of them won.
    thumb.tap("#which .tile[data-code='5z']").await;
    until(&page, "!document.querySelector('#write').disabled").await;
    let said = get(&page, "document.querySelector('#so-far').textContent").await;
    assert_eq!(said, "Bo wins by ron on Di’s discard");
    // The worth, the payments and the tiles are in the same screen.
    for css in ["#score h2", "#score .pay", "#hand", "#write"] {
        let seen = get(&page, &in_sight(css)).await;
        assert!(seen.is_object(), "{css} is not in sight");
    }
    assert_eq!(get(&page, "scrollY").await, 0);
    keep(&page, "at-table-said").await;
    let shown = get(&page, "document.querySelector('#score .pay').innerText").await;
    thumb.tap("#write").await;
    until(&page, "document.querySelector('#waits').checkVisibility()").await;
    assert!(thumb.taps <= 5, "{}", thumb.taps);
    // Nothing can be entered now; the totals stay in sight.
    let sums = get(&page, "document.querySelector('#sums').innerText").await;
    assert_eq!(sums, "Ann 25000 · Bo 25000 · Cy 25000 · Di 25000");
    assert!(get(&page, &in_sight("#sums")).await.is_object());
    keep(&page, "at-table-waits").await;
    // What another player confirms: the tiles, and the payments that the first one saw.
    page.execute("localStorage.device = 'another'; localStorage['player 1'] = 'Cy'", vec![])
        .await
        .unwrap();
    seated_again(&page).await;
    until(&page, "document.querySelectorAll('#waits .tile').length === 14").await;
    for css in ["#waits .hand", "#waits .pay", "#waits .main"] {
        assert!(get(&page, &in_sight(css)).await.is_object(), "{css}");
    }
    keep(&page, "at-table-confirms").await;
    let paid = get(
        &page,
        "[...document.querySelectorAll('#waits .pay span')].map((one) => one.lastChild.data)",
    )
    .await;
    for amount in paid.as_array().unwrap().iter().filter_map(Value::as_str) {
        // A stick goes from Bo to Bo; without it the payments are those that were shown.
        assert!(shown.as_str().unwrap().contains(amount), "{amount}: {shown}");
    }
    let mut thumb = Thumb { page: &page, taps: 0 };
    thumb.tap("#waits .main").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    let deal = served.get("api/table/1").json()["table"]["history"][0].clone();
    assert_eq!(deal["riichi"], json!([1]), "{deal}");
    page.close().await.unwrap();
}

/// The same page after a reload, which is another phone's by now.
async fn seated_again(page: &Client) {
    page.refresh().await.unwrap();
    until(page, "document.body.dataset.ready").await;
}

/// A worth is typed without a photo; what was chosen goes with the deal, and the winner's own draw with another winner.
#[tokio::test]
async fn a_worth_and_a_draw_are_entered_by_the_same_button() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = evening(&folder, "riichi", "Ann,Bo,Cy,Di");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    seated(&page, &served, "en").await;
    size(&page, [390, 844]).await;
    let mut thumb = Thumb { page: &page, taps: 0 };
    thumb.tap("#won .pick:nth-child(3)").await;
    thumb.tap("#by .pick:nth-child(3)").await;
    let chosen = "document.querySelector('#by :checked')?.value";
    assert_eq!(get(&page, chosen).await, "self_draw");
    thumb.tap("#won .pick:nth-child(1)").await;
    assert_eq!(get(&page, chosen).await, Value::Null, "Cy has not drawn Ann's tile");
    thumb.tap("#by .pick:nth-child(2)").await;
    thumb.tap("#won .pick:nth-child(3)").await;
    assert_eq!(get(&page, chosen).await, "discard:S", "Bo gives the tile, whoever wins");
    thumb.tap("#worth").await;
    let worth = page.find(Locator::Css("#worth")).await.unwrap();
    worth.send_keys("3/30").await.unwrap();
    thumb.tap("#write").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    let table = served.get("api/table/1").json()["table"].clone();
    assert_eq!(table["players"][2]["total"], "28900", "{table}");
    assert_eq!(get(&page, "document.querySelector('#won :checked')").await, Value::Null);
    assert_eq!(get(&page, "document.querySelector('#worth').value").await, "");
    // A draw with two who were ready, one of them in riichi.
    until(&page, "document.querySelector('#so-far').textContent === 'Who won?'").await;
    thumb.tap("#won .pick:nth-child(5)").await;
    assert_eq!(get(&page, "document.querySelector('#won-how').checkVisibility() || document.querySelector('#worth').checkVisibility()").await, false);
    thumb.tap("#declared label:nth-of-type(1)").await;
    thumb.tap("#tenpai label:nth-of-type(2)").await;
    until(&page, "!document.querySelector('#write').disabled").await;
    keep(&page, "at-table-draw").await;
    thumb.tap("#write").await;
    until(&page, "document.querySelectorAll('#deals li').length === 2").await;
    let draw = served.get("api/table/1").json()["table"]["history"][1]["draw"].clone();
    assert_eq!(draw["tenpai"].as_array().unwrap().len(), 2, "{draw}");
    page.close().await.unwrap();
}

/// Every hand is scored: the rows take what each is worth, and show who pays what before it is entered.
#[tokio::test]
async fn the_worths_of_four_hands_are_entered_together() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = evening(&folder, "classical-bmja", "Ann,Bo,Cy,Di");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    seated(&page, &served, "en").await;
    size(&page, [390, 844]).await;
    click(&page, "#won .pick:nth-child(3)").await;
    click(&page, "#by .pick:nth-child(4)").await;
    until(&page, "document.querySelector('#four').checkVisibility()").await;
    assert_eq!(get(&page, "document.querySelector('#worth').checkVisibility()").await, false);
    let row = "document.querySelector('#four [data-seat=S] b').textContent";
    assert_eq!(get(&page, row).await, "Bo");
    for (seat, worth) in [("E", "64"), ("S", "200"), ("W", "152"), ("N", "152")] {
        let field = format!("#four [data-seat={seat}] input[type=text]");
        let field = page.find(Locator::Css(&field)).await.unwrap();
        field.send_keys(worth).await.unwrap();
        field.send_keys(&Key::Tab.to_string()).await.unwrap();
    }
    until(&page, "document.querySelectorAll('#settled .pay span').length === 4").await;
    keep(&page, "at-table-four-worths").await;
    until(&page, "!document.querySelector('#write').disabled").await;
    click(&page, "#write").await;
    until(&page, "document.querySelectorAll('#deals li').length === 1").await;
    let table = served.get("api/table/1").json()["table"].clone();
    let totals: Vec<&str> = (table["players"].as_array().unwrap().iter())
        .map(|player| player["total"].as_str().unwrap())
        .collect();
    assert_eq!(totals, ["-752", "168", "608", "-24"], "{table}");
    // The next deal begins empty, and nobody has won it.
    until(&page, "document.querySelector('#so-far').textContent === 'Who won?'").await;
    until(
        &page,
        "[...document.querySelectorAll('#four input[type=text]')].every((one) => !one.value)",
    )
    .await;
    click(&page, "#won .pick:nth-child(5)").await;
    until(&page, "!document.querySelector('#four').checkVisibility()").await;
    until(&page, "!document.querySelector('#write').disabled").await;
    click(&page, "#write").await;
    until(&page, "document.querySelectorAll('#deals li').length === 2").await;
    page.close().await.unwrap();
}

/// Small phones, phones on their side, five languages, long names: all is reached, and the button stays in sight.
#[tokio::test]
async fn small_phones_and_phones_on_their_side_have_the_whole_page() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = evening(&folder, "riichi", "Konstantinos Papadopoulos,עמית בן־דוד,Bo,Di");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    for language in LANGUAGES {
        seated(&page, &served, language).await;
        for (won, part) in [(2, "#by .pick:nth-child(4)"), (5, "#tenpai label:nth-of-type(4)")] {
            page.execute(&format!("document.querySelector('#won .pick:nth-child({won})').click(); document.querySelector(\"{part}\").click()"), vec![]).await.unwrap();
            for [width, height] in [[390, 844], [320, 568], [844, 390], [568, 320]] {
                size(&page, [width, height]).await;
                let what = format!("{language}, winner {won}, {width} x {height}");
                until(&page, &format!("{STICKS_OUT}.length === 0")).await;
                assert_eq!(get(&page, CUT_OFF).await, json!([]), "{what}");
                assert!(get(&page, &in_sight("#write")).await.is_object(), "{what}");
                page.execute(
                    &format!(
                        "document.querySelector(\"{part}\").scrollIntoView({{ block: 'center' }})"
                    ),
                    vec![],
                )
                .await
                .unwrap();
                assert!(get(&page, &in_sight(part)).await.is_object(), "{what}: {part}");
                page.execute("scrollTo(0, 0)", vec![]).await.unwrap();
                keep(&page, &format!("at-table-{language}-{won}-{width}")).await;
            }
        }
        if ["ja", "zh"].contains(&language) {
            let latin = get(&page, &latin_words("#now, #won, #by, .ticks, #so-far, #me")).await;
            assert_eq!(latin, json!([]), "{language}");
        }
    }
    for time in ["day", "night"] {
        by(&page, time).await;
        assert_eq!(get(&page, HARD_TO_READ).await, json!([]), "by {time}");
    }
    page.close().await.unwrap();
}

/// A phone in a corner of the hall lost its network for a moment, and with it the deal that was entered.
#[tokio::test]
async fn an_entry_is_kept_while_there_is_no_network_and_sent_once() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = evening(&folder, "mmm", "Ann,Bo,Cy,Di");
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    seated(&page, &served, "en").await;
    let kept = "localStorage['entry 1']";
    served.signal("STOP");
    for css in ["#won .pick", "#by .pick:has([value=self_draw])"] {
        page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    }
    page.find(Locator::Css("#worth")).await.unwrap().send_keys("10").await.unwrap();
    page.find(Locator::Css("#write")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelector('#said').textContent.startsWith('Kept on this phone')")
        .await;
    assert_eq!(get(&page, "document.querySelector('#write').disabled").await, json!(true));
    assert!(!get(&page, kept).await.is_null(), "it outlives the page");
    // What was on its way comes too, and counts once.
    served.signal("CONT");
    let written =
        format!("!{kept} && document.querySelector('#said').textContent === 'Written down.'");
    until(&page, &written).await;
    assert_eq!(served.get("api/table").json()["history"].as_array().unwrap().len(), 1);
    page.close().await.unwrap();
}

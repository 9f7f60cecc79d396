//! What viewers see, in a real browser: the overlay, its parts, and the scoreboard of a hall. Screenshots are kept under
//! `target/screenshots`.

use std::{collections::BTreeSet, process::Command};

use crate::support::browser::{
    CUT_OFF, STICKS_OUT, browser, browser_with, devtools, keep, latin_words, until,
};
use crate::support::served::{Served, table, tilelens};
use fantoccini::{Client, Locator, key::Key};
use serde_json::{Value, json};
use tilelens::{
    rules::{PRESETS, RuleSet},
    tile::Seat,
};

/// Names that are too long, and two that are written from right to left.
const NAMES: [(&str, &str); 4] = [
    ("E", "Konstantinos Papadopoulos-Alexandropoulos the Younger of Thessaloniki"),
    ("S", "עמית בן־דוד"),
    ("W", "محمد عبد الله الطويل جدا جدا جدا جدا جدا جدا"),
    ("N", "Di"),
];
/// The players of a scene, with what the deal on show has brought them.
fn players(paid: [Option<&str>; 4]) -> Value {
    let player = |((seat, name), paid): ((&str, &str), Option<&str>)| {
        json!({
            "seat": seat, "name": name, "standing": null, "rank": null, "before": null, "placed": null, "riichi": false, "paid": paid,
            "won": seat == "S" && paid.is_some(),
        })
    };
    let names = ["Ann", "Bo", "Cy", "Di"];
    NAMES.map(|(seat, _)| seat).into_iter().zip(names).zip(paid).map(player).collect()
}

/// Their seats, without tiles.
fn seats() -> Value {
    let seat = |(seat, _)| {
        json!({
            "place": seat, "wind": seat, "text": null, "wins": false, "doubtful": false, "live": true, "waits": [],
        })
    };
    NAMES.map(seat).into()
}

/// A state in which Bo has won and nothing else is known; tests change what they are about.
fn won() -> Value {
    let text = "456p5z (2'34s) (77'7z) (333'm) +5z";
    let items = json!([
        { "id": "riichi", "unit": "han", "value": "1" },
        { "id": "round_wind", "unit": "han", "value": "1" },
        { "id": "dora", "unit": "han", "value": "3" },
    ]);
    let steps = json!([
        { "kind": "score", "said": ["{faan} {unit}: {score} from {from} {unit} on", { "faan": "5", "unit": ["han"], "score": "2000", "from": "5" }] },
        { "kind": "share", "seat": "W", "amount": "8000", "said": ["{part}: {why}", { "part": "2000 × 4", "why": ["gave the tile"] }] },
    ]);
    let story = json!({
        "winner": "S", "win": "discard", "from": "W", "deal": null, "unit": "han", "rules_name": "Riichi (common Japanese)",
        "terms": { "discard": "ron", "faan": "han", "points": "fu", "self_draw": "tsumo" },
        "item_names": { "round_wind": "prevalent wind" },
        "score": {
            "ok": true, "items": items, "points": 50, "faan": "5", "score": "2000", "steps": steps,
            "payments": { "E": "0", "S": "8000", "W": "-8000", "N": "0" },
        },
    });
    let hand = json!({ "text": text, "seat": "S", "doubtful": false, "live": false, "waits": [], "lies": null });
    let mut seats = seats();
    (seats[1]["text"], seats[1]["wins"], seats[1]["live"]) =
        (json!(text), json!(true), json!(false));
    let scene = json!({
        "phase": "confirmed", "title": null, "place": null, "round": "E", "dora": null, "of": {}, "notices": [], "pays": true,
        "names": { "E": "Ann", "S": "Bo", "W": "Cy", "N": "Di" }, "hand": hand, "story": story, "seats": seats,
        "players": players([Some("0"), Some("8000"), Some("-8000"), Some("0")]),
    });
    json!({ "revision": 1, "scene": scene, "table": null, "tournament": 0 })
}

/// The same before anybody has won.
fn watching() -> Value {
    let mut state = won();
    let scene = &mut state["scene"];
    (scene["phase"], scene["story"], scene["pays"]) =
        (json!("watching"), Value::Null, json!(false));
    (scene["names"], scene["players"], scene["seats"]) = (json!({}), json!([]), json!([]));
    (scene["hand"]["seat"], scene["hand"]["live"]) = (Value::Null, json!(true));
    state
}

/// The same where it is known who plays.
fn named() -> Value {
    let mut state = watching();
    let scene = &mut state["scene"];
    scene["names"] = won()["scene"]["names"].clone();
    (scene["players"], scene["seats"]) = (players([None; 4]), seats());
    state
}

/// Opens a page whose states come from the test, and says the first. Answers and the time may come from the test too
/// (`answers`, `later`).
async fn open(page: &Client, served: &Served, path: &str, state: &Value) {
    // The page's socket says what the test does.
    let socket = "window.answers = {}; const [ask, now] = [fetch, Date.now]; Date.now = () => now() + (window.later || 0);
        window.fetch = (path, ...more) => path in answers ? Promise.resolve(new Response(JSON.stringify(answers[path]))) : ask(path, ...more);
        window.WebSocket = class { constructor() { window.say = (state) => this.onmessage({ data: JSON.stringify(state) }); setTimeout(() => this.onopen()); } send() { this.onmessage({ data: \"\" }); } close() {} };";
    let script =
        devtools(page, "Page.addScriptToEvaluateOnNewDocument", json!({ "source": socket })).await;
    page.goto(&format!("{}{path}", served.address)).await.unwrap();
    devtools(page, "Page.removeScriptToEvaluateOnNewDocument", script).await;
    until(page, "window.say").await;
    say(page, state).await;
}

async fn say(page: &Client, state: &Value) {
    page.execute("window.say(arguments[0])", vec![state.clone()]).await.unwrap();
}

async fn get(page: &Client, script: &str) -> Value {
    page.execute(&format!("return {script}"), vec![]).await.unwrap()
}

async fn size(page: &Client, [width, height]: [u32; 2]) {
    let params =
        json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
    devtools(page, "Emulation.setDeviceMetricsOverride", params).await;
    until(page, &format!("innerWidth === {width} && innerHeight === {height}")).await;
}

/// Whether all that was to come has come.
const ALL_HAS_COME: &str = "document.getAnimations().every((one) => one.playState === 'finished')";

/// The panels that are seen, as rectangles.
const PANELS: &str = "[...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility()).map((panel) => panel.getBoundingClientRect())";

/// Whether the panels lie within the page, none on another, and nothing in them is cut off.
async fn lies_well(page: &Client, what: &str) {
    let script = format!(
        "(() => {{ const panels = {PANELS}; const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
          const outside = panels.filter((one) => one.left < -.5 || one.top < -.5 || one.right > innerWidth + .5 || one.bottom > innerHeight + .5).length;
          const crossed = panels.filter((one, place) => panels.slice(place + 1).some((other) => over(one, other))).length;
          const cut = [...document.querySelectorAll('.panel, .panel td, .panel p, .panel .row')].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline').map((one) => one.outerHTML.slice(0, 200));
          const scrolls = document.documentElement.scrollWidth > innerWidth || document.documentElement.scrollHeight > innerHeight;
          return [panels.length > 0, outside, crossed, cut, scrolls]; }})()"
    );
    // A page that has been resized lays its panels out before it paints again.
    for _ in 0..100 {
        if get(page, &script).await == json!([true, 0, 0, [], false]) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    assert_eq!(get(page, &script).await, json!([true, 0, 0, [], false]), "{what}");
}

/// Viewers saw a score without learning who had won, how, or on whose tile, in which deal.
#[tokio::test]
async fn the_overlay_tells_who_won_and_how_then_item_by_item() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    served.show("row-sorted");
    let given = json!({
        "seat": "S", "win": "discard", "from": "W", "winning": "5z", "riichi_by": ["S"], "dora_indicators": "4z",
    });
    assert_eq!(served.post("api/context", &given).status, 200);
    page.goto(&format!("{}overlay?layout=hand", served.address)).await.unwrap();
    until(&page, "document.querySelector('#hand .tile')?.checkVisibility()").await;
    assert_eq!(get(&page, "document.querySelector('#score-panel').hidden").await, json!(true));
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    until(&page, "document.querySelectorAll('#items tr').length === 3").await;
    // Each row comes after the one before it, then the total, then what it brings everybody.
    let times = "(() => { const delay = (element) => Math.max(...element.getAnimations().map((one) => one.effect.getTiming().delay));
      return [...document.querySelectorAll('#score-panel, #items tr, #total, #payments .winner .paid')].sort((a, b) => a.matches('.paid') - b.matches('.paid')).map(delay); })()";
    let times = get(&page, times).await;
    let times: Vec<f64> = times.as_array().unwrap().iter().filter_map(Value::as_f64).collect();
    assert_eq!(times.len(), 6);
    assert!(times.is_sorted_by(|before, after| before < after), "{times:?}");
    until(&page, ALL_HAS_COME).await;
    for (css, text) in [
        ("#winner", "Bo wins"),
        ("#how", "by ron on Cy’s discard"),
        ("#when", "E1"),
        ("#items", "prevalent wind1 han"),
        ("#items", "dora3 han"),
        ("#points", "8000"),
        ("#total", "5 han"),
        ("#total", "ron · 50 fu"),
        ("#total", "5 han: 2000 from 5 han on"),
        ("#payments", "Bo"),
        ("#payments", "2000 × 4: gave the tile"),
    ] {
        let said = get(&page, &format!("document.querySelector('{css}').textContent")).await;
        assert!(said.as_str().unwrap().contains(text), "{css}: {said}");
    }
    lies_well(&page, "after the story").await;
    keep(&page, "stage-story").await;
    // Something else changes: what is on air stays as it is, and nothing comes again.
    get(&page, "(window.kept = [...document.querySelectorAll('#items tr, #hand .tile, #payments .row')]).length").await;
    tilelens(&["table", "penalty", file, "Di", "--points", "1000"]);
    served.until(|state| state["table"]["players"][3]["penalties"] == 1);
    say_elsewhere(&page).await;
    let same = "kept.every((one) => one.isConnected) && document.getAnimations().every((one) => one.playState === 'finished')";
    assert_eq!(get(&page, same).await, json!(true));
    page.close().await.unwrap();
}

/// Waits until a page has had the state that the server has.
async fn say_elsewhere(page: &Client) {
    let script = "const done = arguments[0]; const socket = new WebSocket(new URL('api/socket', location.href.replace('http', 'ws'))); socket.onmessage = () => setTimeout(done, 100);";
    page.execute_async(script, vec![]).await.unwrap();
}

/// Tiles on air flickered as fast as the camera changed its mind.
#[tokio::test]
async fn what_is_on_air_changes_at_most_once_a_second_and_replays_nothing() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let mut state = watching();
    open(&page, &served, "overlay", &state).await;
    until(&page, "document.querySelector('#hand .tile')").await;
    let record = "window.changes = []; new MutationObserver(() => changes.push(performance.now())).observe(document.getElementById('hand'), { childList: true })";
    page.execute(record, vec![]).await.unwrap();
    // Six changes at once, of which the last one holds.
    for number in 1..=6 {
        state["revision"] = json!(number + 1);
        state["scene"]["hand"]["text"] =
            json!(format!("456p5z (2'34s) (77'7z) (333'm) +{number}m"));
        say(&page, &state).await;
    }
    until(&page, "document.querySelector('#hand .winning .tile')?.dataset.code === '6m'").await;
    assert_eq!(get(&page, "changes.length").await, json!(1), "the last one alone is shown");
    // And on, one after the other.
    for number in [7, 8, 9] {
        state["scene"]["hand"]["text"] =
            json!(format!("456p5z (2'34s) (77'7z) (333'm) +{number}m"));
        say(&page, &state).await;
        until(
            &page,
            &format!("document.querySelector('#hand .winning .tile').dataset.code === '{number}m'"),
        )
        .await;
    }
    let apart = "changes.slice(1).map((time, place) => time - changes[place])";
    let apart = get(&page, apart).await;
    let least = apart.as_array().unwrap().iter().filter_map(Value::as_f64).fold(f64::MAX, f64::min);
    assert!(least >= 950.0, "{apart}");
    // A decision waits for nothing, although the hand has only just changed.
    let mut state = won();
    let both = "const [hand, story, done] = arguments; say(hand); say(story); setTimeout(() => done(document.querySelector('#score-panel').hidden), 100)";
    let is_late = page.execute_async(both, vec![watching(), state.clone()]).await.unwrap();
    assert_eq!(is_late, json!(false));
    // A running story stays as it is while other things change.
    until(&page, "document.querySelectorAll('#items tr').length === 3").await;
    until(&page, ALL_HAS_COME).await;
    get(&page, "(window.kept = [...document.querySelectorAll('#items tr, #hand .tile, #payments .row')]).length").await;
    state["revision"] = json!(20);
    state["scene"]["title"] = json!("Club evening");
    say(&page, &state).await;
    until(&page, "document.querySelector('#title').textContent === 'Club evening'").await;
    let same = "kept.every((one) => one.isConnected && one.getAnimations().every((of) => of.playState === 'finished'))";
    assert_eq!(get(&page, same).await, json!(true));
    // What leaves is eased out, and gone then.
    say(&page, &watching()).await;
    until(&page, "document.querySelector('#score-panel').getAnimations().some((one) => one.playState === 'running')").await;
    until(&page, "document.querySelector('#score-panel').hidden").await;
    page.close().await.unwrap();
}

/// Whoever wants less motion gets none, and nothing is half seen through before a colour that is keyed out.
#[tokio::test]
async fn entrances_heed_what_the_viewer_and_the_keyer_want() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let of = "[...new Set(document.getAnimations().flatMap((one) => one.effect.getKeyframes()).flatMap(Object.keys))].filter((name) => ['transform', 'opacity'].includes(name)).sort()";
    open(&page, &served, "overlay", &won()).await;
    until(&page, "document.querySelector('#items tr')").await;
    assert_eq!(get(&page, of).await, json!(["opacity", "transform"]));
    open(&page, &served, "overlay?background=green", &won()).await;
    until(&page, "document.querySelector('#items tr')").await;
    assert_eq!(get(&page, of).await, json!(["transform"]));
    assert_eq!(
        get(&page, "getComputedStyle(document.body).backgroundColor").await,
        json!("rgb(0, 255, 0)")
    );
    until(&page, ALL_HAS_COME).await;
    let keyed = image::load_from_memory(&keep(&page, "stage-keyed").await).unwrap().to_rgb8();
    assert_eq!(keyed.get_pixel(960, 300).0, [0, 255, 0]);
    let feature = json!([{ "name": "prefers-reduced-motion", "value": "reduce" }]);
    devtools(&page, "Emulation.setEmulatedMedia", json!({ "features": feature })).await;
    open(&page, &served, "overlay", &won()).await;
    until(&page, "document.querySelector('#items tr')").await;
    assert_eq!(get(&page, of).await, json!(["opacity"]));
    page.close().await.unwrap();
}

/// Names of eighty letters pushed amounts off their panels or were cut off, and an Arabic one turned a hand around.
#[tokio::test]
async fn long_names_are_fitted_and_none_turns_a_hand_around() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let mut state = won();
    for (place, (wind, name)) in NAMES.into_iter().enumerate() {
        state["scene"]["names"][wind] = json!(name);
        state["scene"]["players"][place]["name"] = json!(name);
    }
    let tiles =
        json!(["4p", "5p", "6p", "5z", "2s", "3s", "4s", "7z", "7z", "7z", "3m", "3m", "3m", "5z"]);
    for layout in ["hand", "table"] {
        open(&page, &served, &format!("overlay?layout={layout}"), &state).await;
        until(&page, "document.querySelectorAll('#items tr').length === 3").await;
        until(&page, ALL_HAS_COME).await;
        // As they are seen: by where they lie.
        let order = "[...document.querySelectorAll('.hand .tile')].filter((tile) => tile.checkVisibility()).map((tile) => [tile.getBoundingClientRect(), tile.dataset.code]).sort(([a], [b]) => a.x - b.x).map(([, code]) => code)";
        assert_eq!(get(&page, order).await, tiles, "{layout}");
        let cut = "[...document.querySelectorAll('.name')].filter((name) => name.checkVisibility() && (name.scrollWidth > name.clientWidth + 1 || name.scrollHeight > name.clientHeight + 1)).map((name) => name.textContent)";
        assert_eq!(get(&page, cut).await, json!([]), "{layout}");
        let names = "[...document.querySelectorAll('.row .name')].filter((name) => name.checkVisibility()).map((name) => name.textContent)";
        let names = get(&page, names).await;
        let names: Vec<&str> = names.as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(names.iter().any(|name| name.starts_with("K.")), "{layout}: {names:?}");
        assert!(names.contains(&"Di"), "{layout}: what has room stays whole: {names:?}");
        lies_well(&page, layout).await;
        keep(&page, &format!("stage-names-{layout}")).await;
    }
    page.close().await.unwrap();
}

/// Places of tiles in a row, so far down the picture.
fn lying(top: f32) -> Value {
    let tile = |tile: u8| {
        let left = 200.0 + 70.0 * f32::from(tile);
        [left, top, left + 66.0, top + 90.0]
    };
    let tiles: Vec<[f32; 4]> = (0..14).map(tile).collect();
    json!({ "width": 1920, "height": 1080, "tiles": tiles })
}

/// The panel lay over the very tiles that it showed.
#[tokio::test]
async fn panels_are_at_their_given_place_or_where_no_tiles_are() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let place = "Object.fromEntries(['hand-panel', 'score-panel', 'payments'].map((id) => [id, document.getElementById(id).parentElement.classList[1]]))";
    let usual = json!({ "hand-panel": "bottom-left", "score-panel": "bottom-right", "payments": "top-right" });
    let mut state = won();
    for (top, expected) in [(500.0, Some(&usual)), (900.0, None), (60.0, None)] {
        state["scene"]["hand"]["lies"] = lying(top);
        open(&page, &served, "overlay", &state).await;
        until(&page, "document.querySelectorAll('#items tr').length === 3").await;
        until(&page, ALL_HAS_COME).await;
        let places = get(&page, place).await;
        if let Some(expected) = expected {
            assert_eq!(&places, expected);
        }
        let free = format!(
            "{PANELS}.every(({{ left, right, top, bottom }}) => right <= 200 || left >= 1176 || bottom <= {top} || top >= {top} + 90)"
        );
        assert_eq!(get(&page, &free).await, json!(true), "{top}: {places}");
        lies_well(&page, &format!("{top}")).await;
        keep(&page, &format!("stage-tiles-at-{top}")).await;
    }
    // A photo lies nowhere in the camera's picture.
    state["scene"]["hand"]["lies"] = Value::Null;
    open(&page, &served, "overlay", &state).await;
    until(&page, "document.querySelector('#payments').checkVisibility()").await;
    assert_eq!(get(&page, place).await, usual);
    // As the address says, also two of them in one corner.
    open(&page, &served, "overlay?place=hand:top-left,score:bottom,standings:top-left", &state)
        .await;
    until(&page, "document.querySelector('#payments').checkVisibility()").await;
    let placed =
        json!({ "hand-panel": "top-left", "score-panel": "bottom", "payments": "top-left" });
    assert_eq!(get(&page, place).await, placed);
    until(&page, ALL_HAS_COME).await;
    lies_well(&page, "placed").await;
    keep(&page, "stage-places").await;
    page.close().await.unwrap();
}

/// A source of another size cut the panels off, and a hand of many items ran into the players.
#[tokio::test]
async fn the_overlay_fits_sources_of_any_size() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let mut state = won();
    let items: Vec<Value> = (0..14)
        .map(|item| json!({ "id": format!("four_concealed_pungs_{item}"), "unit": "han", "value": "1" }))
        .collect();
    state["scene"]["story"]["score"]["items"] = json!(items);
    for layout in ["hand", "table"] {
        open(&page, &served, &format!("overlay?layout={layout}"), &state).await;
        until(&page, "document.querySelectorAll('#items tr').length === 14").await;
        until(&page, ALL_HAS_COME).await;
        for [width, height] in [[800, 600], [1280, 720], [1920, 1080], [1080, 1920], [3840, 2160]] {
            size(&page, [width, height]).await;
            lies_well(&page, &format!("{layout} {width} x {height}")).await;
            keep(&page, &format!("stage-{layout}-{width}x{height}")).await;
        }
        let tall = get(
            &page,
            "document.querySelector('.hand .tile').getBoundingClientRect().height / innerHeight",
        )
        .await;
        assert!(tall.as_f64().unwrap() > 0.035, "{layout}: tiles grow with the source: {tall}");
        size(&page, [1920, 1080]).await;
    }
    page.close().await.unwrap();
}

/// `?theme=drak` showed the usual page without a word.
#[tokio::test]
async fn a_misspelt_option_is_said_on_the_page_and_in_the_terminal() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let terminal = folder.path().join("stderr.txt");
    let mut program = Command::new(env!("CARGO_BIN_EXE_tilelens"));
    program.args(["serve", "--port", "0"]).stderr(std::fs::File::create(&terminal).unwrap());
    let served = Served::spawn(&mut program);
    page.goto(&format!("{}overlay?plce=%3Cb%3E&theme=drak", served.address)).await.unwrap();
    let said = get(&page, "document.querySelector('#wrong').innerText").await;
    let said = said.as_str().unwrap();
    assert!(
        said.contains("no option “plce”")
            && said.contains("“theme” takes dark, light, felt, ink, not “drak”"),
        "{said}"
    );
    let printed = std::fs::read_to_string(&terminal).unwrap();
    assert!(printed.contains("overlay: There is no option “plce”"), "{printed}");
    page.goto(&format!("{}overlay?theme=light&delay=3", served.address)).await.unwrap();
    assert_eq!(get(&page, "document.querySelector('#wrong')").await, Value::Null);
    assert_eq!(get(&page, "document.documentElement.dataset.theme").await, json!("light"));
    page.close().await.unwrap();
}

/// With one camera and no ledger the table's layout showed nothing at all.
#[tokio::test]
async fn the_tables_layout_shows_the_hand_of_one_camera() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    open(&page, &served, "overlay?layout=table", &watching()).await;
    until(&page, "[...document.querySelectorAll('.hand .tile')].filter((tile) => tile.checkVisibility()).length === 14").await;
    // With names, who has it is not known before he has won, and then it is in his own panel.
    say(&page, &named()).await;
    until(&page, "document.querySelectorAll('.player').length === 4").await;
    until(&page, ALL_HAS_COME).await;
    lies_well(&page, "beside four players").await;
    assert_eq!(get(&page, "document.querySelector('#hand-panel').hidden").await, json!(false));
    say(&page, &won()).await;
    // The winner's hand is shown large, and once.
    until(&page, "document.querySelectorAll('.at-S .tile').length === 0").await;
    let large = "document.querySelectorAll('#hand .tile').length === 14 && document.querySelector('#hand-panel').checkVisibility()";
    until(&page, large).await;
    page.close().await.unwrap();
}

/// A table of four after a deal, as a ledger's state has it.
fn with_table(mut state: Value) -> Value {
    let player = |(place, name): (usize, &str)| json!({ "name": name, "seat": NAMES[place].0, "standing": "25000", "rank": 1 });
    let players: Vec<Value> =
        ["Ann", "Bo", "Cy", "Di"].into_iter().enumerate().map(player).collect();
    let ends = (jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)).to_string();
    let winner = json!({
        "player": 1, "win": "discard", "from": 2, "hand": "456p5z (2'34s) (77'7z) (333'm) +5z",
        "scored": { "faan": "5", "points": 50, "items": [["dora", "3"], ["riichi", "2"]] },
    });
    (state["scene"]["title"], state["scene"]["notices"]) =
        (json!("Final table"), json!(["playing"]));
    for player in state["scene"]["players"].as_array_mut().unwrap() {
        player["standing"] = json!("25000");
    }
    state["table"] = json!({
        "title": "Final table", "rules_name": "Riichi", "terms": { "discard": "ron", "faan": "han", "points": "fu", "self_draw": "tsumo" },
        "players": players, "round": "E", "number": 2, "honba": 1, "sticks": 0, "repeat": 1, "over": null, "dealer": 0, "initial": "25000",
        "clock": { "started": "2020-01-01T10:00:00Z", "ends": ends, "then": "finish_deal" },
        "last_event": 3, "item_names": {},
        "last_deal": {
            "event": 3, "number": 1, "round": "E", "seats": ["E", "S", "W", "N"], "dealer": 0, "winners": [winner],
            "said": [["Bo {how}, 5 han 50 fu", { "how": ["by {how} on {name}’s discard", { "how": ["ron"], "name": "Cy" }] }], ["riichi: {names}", { "names": "Bo" }]],
            "payments": ["0", "8000", "-8000", "0"], "riichi": [1],
        },
    });
    state
}

/// Riichi was a word in a corner, and payments stood in place of the totals just when people wanted both.
#[tokio::test]
async fn what_happens_has_a_banner_and_points_are_counted_to_what_they_are() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let mut state = with_table(named());
    state["scene"]["dora"] = json!("4z");
    // With a ledger the four players are shown, whatever the address says.
    open(&page, &served, "overlay", &state).await;
    until(&page, "document.querySelectorAll('.player').length === 4").await;
    until(&page, "document.querySelector('#round .dora .tile')?.dataset.code === '4z'").await;
    assert_eq!(get(&page, "document.querySelector('#banner').hidden").await, json!(true));
    state["scene"]["players"][1]["riichi"] = json!(true);
    say(&page, &state).await;
    until(&page, "document.querySelector('#banner').textContent === 'RiichiBo'").await;
    until(&page, "document.querySelector('.at-S .riichi')").await;
    until(&page, "document.querySelector('#banner').hidden").await;
    let mut state = with_table(won());
    for (player, standing, rank) in [(0, "25000", 1), (1, "17000", 4)] {
        let player = &mut state["scene"]["players"][player];
        player["rank"] = json!(1);
        player["before"] = json!({ "standing": standing, "rank": rank });
    }
    say(&page, &state).await;
    let row = |text: &str| format!("document.querySelector('.at-S .row').textContent === '{text}'");
    until(&page, &row("4▲SBo+800017000")).await;
    until(&page, &row("1▲SBo+800025000")).await;
    let same = "document.querySelector('.at-E .rank').textContent";
    assert_eq!(get(&page, same).await, json!("1"), "who keeps his rank has no arrow");
    page.close().await.unwrap();
}

/// A producer who lays the scene out himself had one page with everything on it.
#[tokio::test]
async fn each_part_is_a_source_of_its_own() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let clear = json!({ "color": { "r": 0, "g": 0, "b": 0, "a": 0 } });
    devtools(&page, "Emulation.setDefaultBackgroundColorOverride", clear).await;
    let won = with_table(won());
    let mut waiting = with_table(named());
    waiting["scene"]["hand"]["waits"] = json!([{ "tile": "5z", "unseen": 2, "wins": true }, { "tile": "1m", "unseen": 1, "wins": false }]);
    for (part, state, ids, text) in [
        ("hand", &won, vec!["hand-panel"], ""),
        ("score", &won, vec!["score-panel", "payments"], "gave the tile"),
        ("seats", &won, vec!["E", "S", "W", "N"], "25000"),
        ("waits", &waiting, vec!["waits-panel"], "waits for"),
        ("standings", &won, vec!["payments"], "25000"),
        ("clock", &won, vec!["clock-panel"], ":"),
        ("title", &waiting, vec!["title-panel"], "Final table"),
        ("last-deal", &waiting, vec!["last-panel"], "Bo by ron on Cy’s discard, 5 han 50 fu"),
    ] {
        open(&page, &served, &format!("overlay?part={part}"), state).await;
        for [width, height] in [[320, 320], [800, 600], [3840, 2160]] {
            size(&page, [width, height]).await;
            until(
                &page,
                "[...document.querySelectorAll('.panel')].some((panel) => panel.checkVisibility())",
            )
            .await;
            until(&page, ALL_HAS_COME).await;
            lies_well(&page, &format!("{part} {width} x {height}")).await;
            let seen = "[...document.querySelectorAll('.panel')].filter((panel) => panel.checkVisibility()).map((panel) => panel.id || panel.dataset.wind)";
            assert_eq!(get(&page, seen).await, json!(ids), "{part}");
            let said = get(&page, "document.querySelector('main').innerText").await;
            assert!(said.as_str().unwrap().contains(text), "{part}: {said}");
        }
        let wide =
            get(&page, &format!("Math.max(...{PANELS}.map(({{ right }}) => right)) / innerWidth"))
                .await;
        assert!(wide.as_f64().unwrap() > 0.3, "{part} is as large as its source: {wide}");
        size(&page, [800, 600]).await;
        let seen = image::load_from_memory(&keep(&page, &format!("part-{part}")).await)
            .unwrap()
            .to_rgba8();
        assert_eq!(seen.get_pixel(799, 599).0[3], 0, "{part}: beside it the page is transparent");
    }
    size(&page, [1280, 720]).await;
    let heading = "document.querySelector('#slate h1').textContent";
    open(&page, &served, "overlay?part=countdown&until=2099-01-01T20:30", &waiting).await;
    until(&page, "/^\\d+:\\d\\d:\\d\\d$/.test(document.querySelector('#slate p').textContent)")
        .await;
    assert_eq!(get(&page, heading).await, json!("Starting in"));
    let first = get(&page, "document.querySelector('#slate p').textContent").await;
    until(&page, &format!("document.querySelector('#slate p').textContent !== {first}")).await;
    keep(&page, "part-countdown").await;
    open(&page, &served, "overlay?part=countdown&until=2020-01-01T20:30", &waiting).await;
    until(&page, &format!("{heading} === 'Starting now'")).await;
    open(&page, &served, "overlay?part=break&text=Tea%20%3Cb%3E", &waiting).await;
    until(&page, &format!("{heading} === 'Tea <b>'")).await;
    until(&page, "document.querySelector('#slate').innerText.includes('Final table')").await;
    until(&page, "document.documentElement.scrollHeight <= innerHeight").await;
    keep(&page, "part-break").await;
    page.close().await.unwrap();
}

/// Scene software that reads files had nothing to read.
#[test]
fn the_score_is_kept_in_files_too() {
    let folder = tempfile::tempdir().unwrap();
    let [file, out] =
        ["evening.tlg", "score"].map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    tilelens(&["table", "new", &file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--out", &out]);
    let says = |name: &str, text: &str| {
        let file = std::path::Path::new(&out).join(name);
        let is_so = || std::fs::read_to_string(&file).is_ok_and(|now| now == text);
        assert!(
            (0..600).any(|_| is_so() || {
                std::thread::sleep(std::time::Duration::from_millis(50));
                false
            }),
            "{name}: {text}"
        );
    };
    says("E-name.txt", "Ann\n");
    says("E-points.txt", "2000\n");
    says("winner.txt", "");
    served.show("row-sorted");
    let given =
        json!({ "seat": "S", "win": "discard", "from": "W", "winning": "5z", "tile": "fresh" });
    assert_eq!(served.post("api/context", &given).status, 200);
    let hand = served.state()["reading"]["hand"]["text"].as_str().unwrap().to_owned();
    says("hand.txt", &format!("{hand}\n"));
    says("total.txt", "");
    assert_eq!(served.post("api/confirm", &json!({})).status, 200);
    says("winner.txt", "Bo\n");
    says(
        "S-paid.txt",
        &std::fs::read_to_string(std::path::Path::new(&out).join("total.txt")).unwrap(),
    );
    let all: Value = serde_json::from_slice(
        &std::fs::read(std::path::Path::new(&out).join("score.json")).unwrap(),
    )
    .unwrap();
    assert_eq!(
        (&all["result"]["name"], &all["players"]["S"]["name"]),
        (&json!("Bo"), &json!("Bo"))
    );
    let rest: Vec<_> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .filter(|name| name.to_str().unwrap().contains(".part"))
        .collect();
    assert!(rest.is_empty(), "{rest:?}");
    drop(served);
    // The same folder again is good; one with a file of somebody else's is not, and that file stays.
    drop(Served::start(&["serve", "--port", "0", "--out", &out]));
    let other = folder.path().join("other");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("title.txt"), "mine").unwrap();
    let tried = Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .args(["serve", "--port", "0", "--out", other.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(tried.status.code(), Some(2));
    let said = String::from_utf8_lossy(&tried.stderr).into_owned();
    assert!(said.contains("holds title.txt, which Tilelens did not write"), "{said}");
    assert_eq!(std::fs::read_to_string(other.join("title.txt")).unwrap(), "mine");
}

/// A tournament with a number of players, as `api/tournament` has it.
fn tournament(players: usize) -> Value {
    let name = |number: usize| format!("{} {}", NAMES[number % 4].1, number + 1);
    let session = json!({ "earned": "1", "bonus": "0", "absent": false });
    let standings: Vec<Value> = (0..players)
        .map(|number| json!({ "rank": number + 1, "name": name(number), "sessions": [session], "penalty": if number % 7 == 0 { "10" } else { "0" }, "total": (900 - 3 * number as i64).to_string() }))
        .collect();
    let tables: Vec<Value> = (0..players / 4)
        .map(|table| json!({ "table": table + 1, "seats": [name(4 * table), name(4 * table + 1), null, name(4 * table + 3)] }))
        .collect();
    let now = jiff::Timestamp::now();
    let [started, ends] =
        [-60, 55 * 60].map(|seconds| (now + jiff::SignedDuration::from_secs(seconds)).to_string());
    json!({
        "name": "Nordic Open", "results": "2 of 4 rounds", "standings": standings, "running": { name(1): "12", name(2): "-1/2" }, "seating": { "round": 3, "tables": tables },
        "clock": { "round": 2, "started": started, "ends": ends, "then": "finish_deal" },
    })
}

/// Opens the scoreboard of a tournament.
async fn open_hall(page: &Client, served: &Served, path: &str, hall: &Value) {
    open(page, served, path, &json!({ "table": null, "tournament": 0 })).await;
    page.execute("answers['api/tournament'] = arguments[0]", vec![hall.clone()]).await.unwrap();
    say(page, &json!({ "table": null, "tournament": 1 })).await;
    until(page, "document.querySelector('#title').textContent === 'Nordic Open'").await;
}

/// Whether nobody has to scroll, all that is shown lies above the page's foot, and the smallest letters are no smaller than a
/// forty-fifth of the screen's height, names and points than a thirtieth.
const READ_FROM_AFAR: &str = "(() => {
  const seen = [...document.querySelectorAll('main *')].filter((one) => one.checkVisibility() && !one.closest('svg') && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const letters = (some) => Math.min(...some.map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerHeight;
  const foot = document.querySelector('#turns').checkVisibility() ? document.querySelector('#turns').getBoundingClientRect().top : innerHeight;
  const low = seen.filter((one) => !one.closest('.from') && one.id !== 'turns').filter((one) => one.getBoundingClientRect().bottom > foot + 1 || one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 120));
  const main = seen.filter((one) => one.matches('.who, .ranks .number, .name'));
  const scrolls = document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth;
  return [seen.length >= 3, low, letters(seen.filter((one) => !one.closest('.from'))) >= 1 / 45, main.length === 0 || letters(main) >= 1 / 30, scrolls];
})()";

/// Of fifty tables only the first eight could be seen, in letters for one who stands before the screen.
#[tokio::test]
async fn a_hall_reads_the_scoreboard_without_scrolling() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    for players in [4, 12, 40, 200] {
        let hall = tournament(players);
        for show in ["standings", "seating", "names", "clock"] {
            open_hall(&page, &served, &format!("scoreboard?show={show}"), &hall).await;
            for [width, height] in [[1280, 720], [1920, 1080], [3840, 2160]] {
                size(&page, [width, height]).await;
                let what = format!("{show} of {players} at {width} x {height}");
                assert_eq!(
                    get(&page, READ_FROM_AFAR).await,
                    json!([true, [], true, true, false]),
                    "{what}"
                );
            }
            size(&page, [1920, 1080]).await;
            keep(&page, &format!("hall-{show}-{players}")).await;
        }
    }
    let said = get(&page, "document.querySelector('#big-clock').innerText").await;
    assert!(said.as_str().unwrap().contains("Round 2"), "{said}");
    // All pages have their turn, each player is seen, and the order is kept.
    open_hall(&page, &served, "scoreboard?turn=1", &tournament(200)).await;
    let watch = "window.seen = new Set(); window.tables = new Set(); window.names = new Set(); setInterval(() => { for (const row of document.querySelectorAll('#ranks tr')) if (row.checkVisibility()) (row.cells.length === 5 ? seen : names).add(row.cells[0].textContent); for (const card of document.querySelectorAll('#seating h2')) if (card.checkVisibility()) tables.add(card.textContent); }, 100)";
    page.execute(watch, vec![]).await.unwrap();
    until(&page, "seen.size === 200 && tables.size === 50 && names.size === 150").await;
    assert_eq!(
        get(&page, "document.querySelector('#turns').textContent.split(' of ')[1]").await,
        json!("22")
    );
    page.close().await.unwrap();
}

/// Nobody in the hall saw that the time was up.
#[tokio::test]
async fn the_halls_clock_gives_a_signal() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    open_hall(&page, &served, "scoreboard", &tournament(12)).await;
    until(
        &page,
        "/^Round 2 · 0:5[45]:\\d\\d$/.test(document.querySelector('#hall-clock').textContent)",
    )
    .await;
    assert_eq!(
        get(&page, "document.querySelector('#signal').hidden").await,
        json!(true),
        "no signal of what has been"
    );
    page.execute("window.later = 51 * 60000", vec![]).await.unwrap();
    until(&page, "document.querySelector('#signal').checkVisibility() && document.querySelector('#signal').textContent === '5 minutes left'").await;
    assert_eq!(get(&page, "document.querySelector('#hall-clock').className").await, json!("soon"));
    page.execute("window.later = 56 * 60000", vec![]).await.unwrap();
    until(&page, "document.querySelector('#signal').textContent === 'time is up: finish the deal, start none'").await;
    let covers = "(() => { const { width, height } = document.querySelector('#signal').getBoundingClientRect(); return width === innerWidth && height === innerHeight; })()";
    assert_eq!(get(&page, covers).await, json!(true));
    keep(&page, "hall-signal").await;
    until(&page, "document.querySelector('#signal').hidden").await;
    until(
        &page,
        "document.querySelector('#hall-clock').textContent.includes('finish the deal, start none')",
    )
    .await;
    page.close().await.unwrap();
}

/// The last deals stood there as text such as `456p5z (2'34s)`.
#[tokio::test]
async fn the_scoreboard_draws_the_last_deals_and_seats_the_next_round() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let [file, club, players] = ["evening.tlg", "club.tlg", "players.csv"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    tilelens(&["table", "new", &file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    for winner in ["Ann", "Bo", "Cy", "Di"] {
        tilelens(&[
            "table",
            "deal",
            &file,
            "123m456p789s111z5z +5z",
            "--winner",
            winner,
            "--self-draw",
            "--riichi",
            winner,
            "--dora",
            "4z",
        ]);
    }
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    page.goto(&format!("{}scoreboard?show=table", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#last article').length >= 2").await;
    until(&page, "document.querySelectorAll('#last .tile').length >= 28").await;
    let said = get(&page, "document.querySelector('#last').innerText").await;
    let said = said.as_str().unwrap();
    assert!(
        said.contains("E3") && said.contains("Di by tsumo") && !said.contains("123m"),
        "{said}"
    );
    for [width, height] in [[1280, 720], [1920, 1080], [3840, 2160]] {
        size(&page, [width, height]).await;
        assert_eq!(
            get(&page, READ_FROM_AFAR).await,
            json!([true, [], true, true, false]),
            "{width} x {height}"
        );
    }
    size(&page, [1920, 1080]).await;
    keep(&page, "hall-table").await;
    for [width, height] in [[320, 640], [390, 844]] {
        size(&page, [width, height]).await;
        until(&page, "document.documentElement.scrollWidth <= innerWidth").await;
    }
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\nEm\nFi\nGo\nHa\n").unwrap();
    for arguments in [
        &["new", &club, "--name", "Club evening"][..],
        &["import", &club, &players],
        &["seat", &club, "--rounds", "2", "--seed", "7"],
    ] {
        tilelens(&[&["tournament"], arguments].concat());
    }
    let served = Served::start(&["serve", "--port", "0", "--ledger", &club]);
    page.goto(&format!("{}scoreboard?show=seating", served.address)).await.unwrap();
    until(&page, "document.querySelector('#place').textContent === 'Round 1: who sits where'")
        .await;
    let seated = "[...document.querySelectorAll('#seating .name')].map((name) => name.textContent).sort().join()";
    assert_eq!(get(&page, seated).await, json!("Ann,Bo,Cy,Di,Em,Fi,Go,Ha"));
    // Once it is played, the next one is shown, and after the last one none.
    for (round, says) in
        [("1", "Round 2: who sits where"), ("2", "No round is drawn that is still to be played.")]
    {
        tilelens(&["tournament", "clock", &club, round, "--start"]);
        until(&page, &format!("document.querySelector('#place').textContent === '{says}'")).await;
    }
    page.close().await.unwrap();
}

/// Viewers saw each draft of the operator's as he made it.
#[tokio::test]
async fn a_hand_goes_on_air_when_it_is_shown_and_its_result_when_it_is_confirmed() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let post = |path: &str, words: Value, status: u16| {
        let reply = served.post(path, &words);
        assert_eq!(reply.status, status, "{path} {words}: {}", reply.text());
    };
    assert_eq!(served.state()["on_air"], json!({ "auto": true, "least": 0.0, "unsure": "off" }));
    for wrong in [
        json!({ "least": 90 }),
        json!({ "least": "high" }),
        json!({ "unsure": "hide" }),
        json!({ "automatic": true }),
    ] {
        post("api/auto", wrong, 422);
    }
    post("api/show", json!({}), 409);
    post("api/auto", json!({ "auto": false }), 200);
    served.show("row-sorted");
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    let off = "document.querySelector('#hand-panel').hidden";
    let on = "document.querySelector('#hand .tile')?.checkVisibility()";
    // It is read, and on the operator's page alone.
    served.until(|state| !state["reading"]["hand"].is_null());
    say_elsewhere(&page).await;
    assert_eq!(get(&page, off).await, json!(true));
    post("api/show", json!({}), 200);
    until(&page, on).await;
    // A correction is a draft until it is shown.
    let first = "document.querySelector('#hand .tile').dataset.code";
    assert_eq!(get(&page, first).await, json!("1m"));
    let tile = served.state()["reading"]["tiles"]
        .as_array()
        .unwrap()
        .iter()
        .find(|tile| tile["code"] == "1m")
        .unwrap()["id"]
        .clone();
    post("api/correct", json!({ "tile": tile, "code": "4m" }), 200);
    say_elsewhere(&page).await;
    assert_eq!(get(&page, first).await, json!("1m"));
    post("api/correct", json!({ "tile": tile }), 200);
    post("api/context", json!({ "win": "self_draw" }), 200);
    post("api/hide", json!({}), 200);
    until(&page, off).await;
    post("api/confirm", json!({}), 200);
    until(&page, "document.querySelector('#total')?.textContent.startsWith('120')").await;
    until(&page, on).await;
    post("api/next", json!({}), 200);
    until(&page, off).await;
    // Automatic again, and only certain hands.
    post("api/auto", json!({ "auto": true, "least": 1 }), 200);
    served.show("row-gaps");
    served.until(|state| !state["reading"]["hand"].is_null());
    say_elsewhere(&page).await;
    assert_eq!(get(&page, off).await, json!(true));
    post("api/auto", json!({ "unsure": "mark" }), 200);
    until(&page, "document.querySelector('#hand-panel.doubtful')?.checkVisibility()").await;
    post("api/show", json!({}), 200);
    until(&page, "document.querySelector('#hand-panel:not(.doubtful)')?.checkVisibility()").await;
    page.close().await.unwrap();
}

/// Nobody could say what goes on air without writing to the server by hand.
#[tokio::test]
async fn the_operator_puts_hands_on_air_by_keys_and_by_clicks() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    let control = page.window().await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    let second = page.new_window(true).await.unwrap();
    let overlay = second.handle;
    page.switch_to_window(overlay.clone()).await.unwrap();
    page.goto(&format!("{}overlay", served.address)).await.unwrap();
    let off = "document.querySelector('#hand-panel').hidden";
    let on = "document.querySelector('#hand .tile')?.checkVisibility()";
    let air =
        |text: &'static str| format!("document.querySelector('#seen').innerText === {text:?}");
    let keys = async |keys: &str| {
        page.find(Locator::Css("body")).await.unwrap().send_keys(keys).await.unwrap();
    };
    let click = async |css: &str| {
        page.find(Locator::Css(css)).await.unwrap().click().await.unwrap();
    };
    // At first by itself.
    page.switch_to_window(control.clone()).await.unwrap();
    until(&page, &air("nothing")).await;
    until(&page, "document.querySelector('#auto').checked").await;
    assert_eq!(get(&page, "document.querySelector('#put').disabled").await, json!(true));
    served.show("row-sorted");
    until(&page, "document.querySelectorAll('#seen .tile').length === 14").await;
    until(&page, &air("")).await;
    page.switch_to_window(overlay.clone()).await.unwrap();
    until(&page, on).await;
    // With that switched off, by a capital, what is there stays; the next one is not on air until it is shown.
    page.switch_to_window(control.clone()).await.unwrap();
    keys("A").await;
    served.until(|state| state["on_air"]["auto"] == false);
    served.show("row-gaps");
    until(&page, &air("nothing\nThe hand on this page is not on air.")).await;
    page.switch_to_window(overlay.clone()).await.unwrap();
    until(&page, off).await;
    page.switch_to_window(control.clone()).await.unwrap();
    keys("O").await;
    until(&page, "document.querySelectorAll('#seen .tile').length === 14").await;
    page.switch_to_window(overlay.clone()).await.unwrap();
    until(&page, on).await;
    // A correction is a draft until it is shown.
    page.switch_to_window(control.clone()).await.unwrap();
    let tile = served.state()["reading"]["tiles"][0]["id"].clone();
    served.post("api/correct", &json!({ "tile": tile, "code": "9p" }));
    until(&page, "document.querySelector('#seen .draft')").await;
    click("#put").await;
    until(&page, &air("")).await;
    keys("h").await;
    until(&page, &air("nothing\nThe hand on this page is not on air.")).await;
    page.switch_to_window(overlay.clone()).await.unwrap();
    until(&page, off).await;
    // The least confidence is a percentage here, and what is typed there chooses no winner.
    page.switch_to_window(control.clone()).await.unwrap();
    let least = page.find(Locator::Css("#least")).await.unwrap();
    least.clear().await.unwrap();
    least.send_keys(&format!("12{}", char::from(Key::Enter))).await.unwrap();
    page.find(Locator::Css("#unsure")).await.unwrap().select_by_value("mark").await.unwrap();
    click("#auto").await;
    let state = served.until(|state| state["on_air"]["auto"] == true);
    assert_eq!(state["on_air"], json!({ "auto": true, "least": 0.12, "unsure": "mark" }));
    assert_eq!((&state["context"]["seat"], &state["phase"]), (&json!("E"), &json!("watching")));
    // A confirmed hand is on air with its result, until the next one.
    served.post("api/correct", &json!({ "tile": tile }));
    served.post("api/context", &json!({ "win": "self_draw" }));
    click("#confirm").await;
    until(
        &page,
        "document.querySelector('#seen').innerText.startsWith('East wins by self-draw: ')",
    )
    .await;
    let decided = "['put', 'take'].every((id) => document.getElementById(id).disabled)";
    assert_eq!(get(&page, decided).await, json!(true));
    page.close().await.unwrap();
}

/// The languages of the pages.
const LANGUAGES: [&str; 5] = ["en", "da", "de", "ja", "zh"];

/// Fields that are rarely used were scrolled to, and what decides was in sight in English alone.
#[tokio::test]
async fn what_decides_is_in_sight_in_every_language_and_the_rest_folds() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().unwrap();
    tilelens(&["table", "new", file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", file]);
    served.show("row-sorted");
    served.post("api/context", &json!({ "seat": "S", "win": "self_draw" }));
    let decides = "#air, #air button, #air label, #buttons button, #who .pick, #by .pick, #hand .tile, #said input, #score h2, #score .pay, #declared label, #desk summary";
    let scrolls = "['#desk', '#foot', '#doubts'].filter((css) => { const one = document.querySelector(css); return one.scrollHeight > one.clientHeight + 1; })";
    let enter = char::from(Key::Enter).to_string();
    let control = |language: &str| format!("{}control?lang={language}", served.address);
    for language in LANGUAGES {
        page.goto(&control(language)).await.unwrap();
        until(&page, "document.querySelector('#score h2') && document.querySelectorAll('#hand .tile').length === 14").await;
        assert_eq!(get(&page, "document.documentElement.lang").await, json!(language));
        for [width, height] in [[1366, 768], [400, 900]] {
            size(&page, [width, height]).await;
            until(&page, "document.getAnimations().length === 0").await;
            keep(&page, &format!("stage-control-{language}-{width}")).await;
            for script in [&out_of_sight(decides), STICKS_OUT, CUT_OFF, scrolls] {
                assert_eq!(get(&page, script).await, json!([]), "{language} {width}: {script}");
            }
        }
        if ["ja", "zh"].contains(&language) {
            let server = "#doubts, #playing, h2 small";
            assert_eq!(get(&page, &latin_words(server)).await, json!([]), "{language}");
        }
        // With a refusal as well.
        served.post("api/context", &json!({ "win": null, "from": null }));
        until(&page, "!document.querySelector('#score h2')").await;
        page.find(Locator::Css("body")).await.unwrap().send_keys(&enter).await.unwrap();
        until(&page, "document.querySelector('#error').textContent").await;
        for [width, height] in [[1366, 768], [400, 900]] {
            size(&page, [width, height]).await;
            keep(&page, &format!("stage-control-refused-{language}-{width}")).await;
            let said = decides.replace("#declared label, #desk summary", "#doubts li, #error");
            assert_eq!(get(&page, &out_of_sight(&said)).await, json!([]), "{language} {width}");
        }
        served.post("api/context", &json!({ "win": "self_draw" }));
    }
    // How a part was left is kept, by whichever way it was folded.
    page.goto(&control("en")).await.unwrap();
    until(&page, "document.querySelector('#score h2')").await;
    let is_open = "document.querySelector('#more').open";
    assert_eq!(get(&page, is_open).await, json!(false));
    let summary = page.find(Locator::Css("#more summary")).await.unwrap();
    summary.click().await.unwrap();
    page.goto(&control("de")).await.unwrap();
    until(&page, is_open).await;
    page.execute("document.querySelector('#more summary').focus()", vec![]).await.unwrap();
    page.active_element().await.unwrap().send_keys(&enter).await.unwrap();
    until(&page, "!document.querySelector('#more').open").await;
    page.goto(&control("en")).await.unwrap();
    until(&page, "document.querySelector('#score h2')").await;
    assert_eq!(get(&page, is_open).await, json!(false));
    assert_eq!(served.state()["phase"], "watching", "the key folded, and confirmed nothing");
    // What is set elsewhere is not out of sight, and folded again it stays so while nothing more is set.
    served.post("api/context", &json!({ "last_tile": true }));
    until(&page, is_open).await;
    page.find(Locator::Css("#more summary")).await.unwrap().click().await.unwrap();
    served.post("api/context", &json!({ "win": "discard", "from": "W" }));
    until(&page, "document.querySelector('#by [value=\"discard:W\"]').checked").await;
    assert_eq!(get(&page, is_open).await, json!(false));
    // A refusal opens the part of its field.
    let wrong = "const field = document.querySelector('[name=dora_indicators]'); field.value = '9q'; field.dispatchEvent(new Event('change', { bubbles: true }))";
    page.execute(wrong, vec![]).await.unwrap();
    until(&page, "document.querySelector('#more').open && document.querySelector('#more #error').checkVisibility()").await;
    page.close().await.unwrap();
}

/// Those elements of a selector that are shown and cannot be seen whole: beyond the window or what scrolls, or under something
/// else.
fn out_of_sight(css: &str) -> String {
    format!(
        "[...document.querySelectorAll('{css}')].filter((one) => one.checkVisibility()).filter((one) => {{
          const {{ left, right, top, bottom }} = one.getBoundingClientRect();
          const within = (of) => left >= of.left - .5 && right <= of.right + .5 && top >= of.top - .5 && bottom <= of.bottom + .5;
          const scrolls = (of) => of && (getComputedStyle(of).overflowY === 'auto' ? [of] : []).concat(scrolls(of.parentElement) || []);
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          const over = !(one.contains(hit) || hit?.contains(one));
          return over || !within({{ left: 0, top: 0, right: innerWidth, bottom: innerHeight }}) || scrolls(one.parentElement).some((of) => !within(of.getBoundingClientRect()));
        }}).map((one) => one.outerHTML.slice(0, 80))"
    )
}

/// A mouse and a tall monitor were needed to confirm a hand.
#[tokio::test]
async fn from_a_settled_hand_of_the_replay_to_its_deal_it_is_four_keys() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let [file, clip] = ["evening.tlg", "clip.mp4"]
        .map(|name| folder.path().join(name).to_str().unwrap().to_owned());
    // The first hand of the recorded session, and the second before it was laid down; it stays on its last frame.
    let video = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/replay/table.mp4");
    let cut = [
        "-v", "error", "-ss", "24.5", "-i", video, "-t", "6.5", "-c:v", "mpeg4", "-q:v", "2", &clip,
    ];
    assert!(Command::new("ffmpeg").args(cut).status().unwrap().success());
    tilelens(&["table", "new", &file, "--rules", "mmm", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["live", "--port", "0", "--source", &clip, "--ledger", &file]);
    page.goto(&format!("{}control", served.address)).await.unwrap();
    served.until(|state| state["reading"]["hand"]["text"] == "123m456p789s1115z +5z");
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    // Bo, on Di's discard, which nobody had thrown or passed: this rule set asks.
    let began = std::time::Instant::now();
    let keys = format!("24E{}", char::from(Key::Enter));
    page.find(Locator::Css("body")).await.unwrap().send_keys(&keys).await.unwrap();
    until(&page, "document.querySelector('.phase')?.textContent === 'confirmed'").await;
    println!("{} keys, {:.2} s", keys.chars().count(), began.elapsed().as_secs_f64());
    assert!(keys.chars().count() <= 5);
    let deal = served.state()["table"]["last_deal"].clone();
    assert_eq!(deal["winners"][0]["player"], 1);
    assert_eq!(deal["winners"][0]["from"], 3);
    assert_eq!(deal["winners"][0]["hand"], "123m456p789s1115z +5z");
    page.close().await.unwrap();
}

/// Enter in a box confirmed the deal, and Esc did nothing.
#[tokio::test]
async fn enter_and_escape_do_what_the_field_with_the_focus_suggests() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::serve();
    served.show("row-sorted");
    served.post("api/context", &json!({ "win": "self_draw" }));
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "document.querySelector('#score h2')").await;
    let keys = async |keys: String| {
        page.active_element().await.unwrap().send_keys(&keys).await.unwrap();
    };
    let [enter, escape] = [Key::Enter, Key::Escape].map(|key| char::from(key).to_string());
    // A field is taken over by Enter, and given back by Esc; then the keys are the page's again.
    page.find(Locator::Css("#more summary")).await.unwrap().click().await.unwrap();
    page.execute("document.querySelector('[name=winning]').focus()", vec![]).await.unwrap();
    keys(format!("5z{enter}")).await;
    served.until(|state| state["context"]["winning"] == "5z");
    until(&page, "document.activeElement === document.body").await;
    page.execute("document.querySelector('[name=winning]').select()", vec![]).await.unwrap();
    keys(format!("1z{escape}")).await;
    until(&page, "document.querySelector('[name=winning]').value === '5z' && document.activeElement === document.body").await;
    // Esc gives back what was typed, which had been shown as it was typed.
    keys("t".to_owned()).await;
    keys("7".to_owned()).await;
    served.until(|state| state["context"]["worth"] == "7");
    keys(escape.clone()).await;
    served.until(|state| state["context"]["worth"].is_null());
    // A box is ticked, and nothing is confirmed.
    page.execute("document.querySelector('[name=last_tile]').focus()", vec![]).await.unwrap();
    keys(enter.clone()).await;
    let state = served.until(|state| state["context"]["last_tile"] == true);
    assert_eq!(state["phase"], "watching");
    assert_eq!(state["context"]["winning"], "5z");
    // The keys are said by one, which takes them away again; meanwhile they do nothing.
    page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    keys("?".to_owned()).await;
    until(&page, "document.querySelector('#keys').open").await;
    keep(&page, "stage-control-keys").await;
    keys("x".to_owned()).await;
    keys(escape.clone()).await;
    until(&page, "!document.querySelector('#keys').open").await;
    assert_eq!(served.state()["phase"], "watching");
    // A clicked element does not keep the focus.
    page.find(Locator::Css("#take")).await.unwrap().click().await.unwrap();
    keys(enter).await;
    served.until(|state| state["phase"] == "confirmed");
    page.close().await.unwrap();
}

/// Whoever had the phone page's address put photos on the stream, whatever was on it.
#[tokio::test]
async fn the_operator_decides_what_phones_show() {
    let Some((_driver, page)) = browser().await else { return };
    let served = Served::start(&["serve", "--port", "0", "--lan", "--no-token-here"]);
    let line = served.greeting.lines().find(|line| line.starts_with("phone")).unwrap();
    let token = line.rsplit('/').nth(1).unwrap();
    let phone = format!("http://127.0.0.1:{}/{token}/api/photo", served.port());
    let sent = ureq::post(&phone).send(table("row-sorted")).unwrap().body_mut().read_json();
    let photo: Value = sent.unwrap();
    let show = format!("{phone}/{}/show", photo["photo"]);
    let stage = || -> Value {
        ureq::get(&show).call().unwrap().body_mut().read_json::<Value>().unwrap()["stage"].clone()
    };
    let press = async |key: &str| {
        page.find(Locator::Css("body")).await.unwrap().send_keys(key).await.unwrap();
    };
    for (key, becomes) in [("k", "refused"), ("Y", "shown")] {
        ureq::post(&show).send_json(json!({})).unwrap();
        assert_eq!(stage(), "asked");
        // A page that has just been opened answers at once: it was deaf in its first second.
        if becomes == "refused" {
            page.goto(&format!("http://127.0.0.1:{}/control", served.port())).await.unwrap();
        }
        // The tiles of the one before stay in the hidden dialogue.
        let asked = "!document.querySelector('#asks').hidden && \
                     document.querySelectorAll('#asked-hand .tile').length === 14";
        until(&page, asked).await;
        assert_eq!(get(&page, "document.querySelectorAll('#hand .tile').length").await, json!(0));
        if becomes == "shown" {
            keep(&page, "stage-control-asked").await;
        }
        press(key).await;
        until(&page, "document.querySelector('#asks').hidden").await;
        assert_eq!(stage(), becomes);
    }
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    page.close().await.unwrap();
}

/// Without a camera there was a black box.
#[tokio::test]
async fn without_a_picture_the_control_page_says_what_to_do() {
    let Some((_driver, page)) = browser().await else { return };
    let none = Served::start(&["live", "--port", "0", "--source", "camera:9"]);
    let photos = Served::serve();
    for (served, title, steps) in [
        (&none, "there is no camera 9", ["Plug the camera in", "tilelens cameras"]),
        (&photos, "No camera is read", ["tilelens live", "type what it was worth"]),
    ] {
        page.goto(&format!("{}control", served.address)).await.unwrap();
        let says =
            |text: &str| format!("document.querySelector('#none').innerText.includes({text:?})");
        until(&page, &says(title)).await;
        for step in steps {
            until(&page, &says(step)).await;
        }
        let black = "getComputedStyle(document.querySelector('#picture')).backgroundColor === 'rgb(0, 0, 0)'";
        assert_eq!(get(&page, black).await, json!(false));
        size(&page, [1366, 768]).await;
        keep(&page, if title.starts_with("No") { "stage-no-camera" } else { "stage-lost-camera" })
            .await;
    }
    page.close().await.unwrap();
}

/// What a page says in English: its texts and what its elements are called, but for keys, code and names.
fn said_on(html: &str) -> impl Iterator<Item = &str> {
    let is_said = |text: &str| {
        text.as_bytes().windows(2).any(|two| two.iter().all(u8::is_ascii_alphabetic))
            || ["E", "S", "W", "N"].contains(&text)
    };
    let texts = html.split('<').skip(1).flat_map(|part| {
        let (tag, text) = part.split_once('>').unwrap();
        let name = tag.split_whitespace().next().unwrap_or_default();
        let stays = ["kbd", "code", "script"].contains(&name) || tag.contains(r#" translate="no""#);
        let called = ["alt", "aria-label", "placeholder", "title"].map(|attribute| {
            let (_, value) = tag.split_once(&format!(" {attribute}=\""))?;
            value.split('"').next()
        });
        (!stays).then(|| called.into_iter().flatten().chain([text.trim()])).into_iter().flatten()
    });
    texts.filter(move |text| is_said(text))
}

/// The files below a folder.
fn files(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let below = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.unwrap().path();
        if path.is_dir() { files(&path) } else { vec![path] }
    };
    std::fs::read_dir(folder).unwrap().flat_map(below).collect()
}

/// What pages, printed sheets and explanations say in English, by which the files of the other languages are sorted.
fn said_in_english() -> BTreeSet<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut said: BTreeSet<String> = winds_and_words();
    for file in ["src", "crates", "web/page"].iter().flat_map(|folder| files(&root.join(folder))) {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let open = match file.extension().and_then(|kind| kind.to_str()) {
            Some("js") => "t(\"",
            Some("rs") if !file.ends_with("src/words.rs") => "say!(",
            // A page whose body names no languages is English alone, and so is a picture's own page (`tiles --inside`).
            Some("html") if !text.contains("<body>") && !file.ends_with("src/cli/inside.html") => {
                said.extend(said_on(&text).map(str::to_owned));
                continue;
            }
            _ => continue,
        };
        for (place, _) in text.match_indices(open) {
            let before = text[..place].chars().next_back().unwrap_or(' ');
            if before.is_alphanumeric() || before == '.' {
                continue;
            }
            let rest = text[place + open.len()..].trim_start().trim_start_matches('"');
            said.insert(rest[..rest.find('"').unwrap()].trim().to_owned());
        }
    }
    said
}

/// What the rule sets say that viewers and players see: their names, items, units, terms, who is liable, why a deal ended.
fn winds_and_words() -> BTreeSet<String> {
    let mut said: BTreeSet<String> = items().into_iter().map(|(_, name)| name).collect();
    said.extend(Seat::ALL.iter().flat_map(|wind| [wind.to_string(), wind.name().to_owned()]));
    // What an item is worth is in one unit, what a hand is worth in several.
    said.extend(["points", "self-draw", "yakuman", "limit", "doubling"].map(str::to_owned));
    // Items of hands that no rule file lists.
    said.extend(["bonus tiles", "dead hand", "long hand", "short hand"].map(str::to_owned));
    for (_, text) in PRESETS {
        said_by(&text.parse().unwrap(), &mut said);
    }
    for rules in RuleSet::presets() {
        said.extend([rules.name.clone(), rules.unit.word().to_owned()]);
        said.extend(rules.limit_names().map(str::to_owned));
        let terms = rules.terms().map(|terms| (**terms).clone()).unwrap_or_default();
        said.extend(
            [terms.self_draw, terms.discard, terms.faan, terms.points].into_iter().flatten(),
        );
    }
    said
}

/// Liabilities, causes of draws and faults, in a rule file and in the choices of its rulings.
fn said_by(table: &toml::Table, said: &mut BTreeSet<String>) {
    let word = |id: &String| id.replace('_', " ");
    for (key, value) in table {
        let toml::Value::Table(value) = value else { continue };
        match key.as_str() {
            "liabilities" => {
                let about = |of: &toml::Value| of.get("about")?.as_str().map(str::to_owned);
                said.extend(value.values().filter_map(about));
            }
            // An empty description leaves an inherited cause out.
            "abortive" => said.extend(
                (value.iter().filter_map(|(id, about)| Some((id, about.as_str()?))))
                    .filter(|(_, about)| !about.is_empty())
                    .flat_map(|(id, about)| [word(id), about.to_owned()]),
            ),
            "chombo" => {
                let causes = value.get("causes").and_then(toml::Value::as_table);
                said.extend(causes.into_iter().flatten().map(|(id, _)| word(id)));
            }
            _ => said_by(value, said),
        }
    }
}

/// Every item of every rule set, however its rulings are decided: its id and its name.
fn items() -> BTreeSet<(String, String)> {
    let decided = |rules: &'static RuleSet| {
        let choices = rules.rulings().iter().flat_map(|ruling| {
            ruling.choices.iter().map(move |choice| Some((ruling.id.as_str(), choice.as_str())))
        });
        choices.chain([None]).map(|choice| rules.with_rulings(choice).unwrap())
    };
    (RuleSet::presets().flat_map(decided))
        .flat_map(|rules| {
            let names = rules.item_names();
            let named = move |id: &str| {
                let name = names.get(id).cloned().unwrap_or_else(|| id.replace('_', " "));
                (id.to_owned(), name)
            };
            rules.item_ids().map(named).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn every_language_has_a_word_for_all_that_is_said() {
    let said = said_in_english();
    assert!(said.len() > 700, "{said:?}");
    let items: BTreeSet<String> =
        items().iter().map(|(id, name)| format!("{id}: {name}")).collect();
    let values = |text: &str| {
        let mut values: Vec<String> = text
            .split('{')
            .skip(1)
            .map(|part| part.split('}').next().unwrap().to_owned())
            .collect();
        values.sort();
        values
    };
    for language in ["da", "de", "ja", "zh"] {
        let file =
            format!("{}/crates/scoring/src/words/{language}.json", env!("CARGO_MANIFEST_DIR"));
        let words: std::collections::BTreeMap<String, String> =
            serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
        let known: BTreeSet<String> = words.keys().cloned().collect();
        let missing: Vec<_> = said.difference(&known).collect();
        // A tradition's own word for an item stands by the item's id there.
        let unsaid: Vec<_> =
            known.difference(&said).filter(|word| !items.contains(*word)).collect();
        assert!(missing.is_empty() && unsaid.is_empty(), "{language}: {missing:?} {unsaid:?}");
        for (english, word) in &words {
            assert!(!word.trim().is_empty(), "{language}: {english}");
            assert_eq!(values(english), values(word), "{language}: {english}");
        }
    }
}

/// Viewers in Odense read English.
#[tokio::test]
async fn pages_speak_the_language_of_who_reads_them() {
    let Some((_driver, page)) = browser_with(&["--accept-lang=de-DE,de"]).await else { return };
    let served = Served::serve();
    for (asked, wins, how, item, gave) in [
        ("?lang=en", "Bo wins", "by ron on Cy’s discard", "prevalent wind1 han", "gave the tile"),
        (
            "?lang=da",
            "Bo vinder",
            "ved ron på Cys afkast",
            "bakaze (rundens vind)1 han",
            "gav brikken",
        ),
        (
            "",
            "Bo gewinnt",
            "durch Ron auf den Abwurf von Cy",
            "Bakaze (Rundenwind)1 Han",
            "gab den Stein",
        ),
        ("?lang=ja", "Boの和了", "ロン（Cyの捨て牌）", "場風1 翻", "放銃"),
        ("?lang=zh", "Bo 和牌", "荣和（Cy 打出）", "场风1 番", "点炮"),
    ] {
        for layout in ["hand", "table"] {
            let also = if asked.is_empty() { "?" } else { "&" };
            open(&page, &served, &format!("overlay{asked}{also}layout={layout}"), &won()).await;
            until(&page, "document.querySelectorAll('#items tr').length === 3").await;
            until(&page, ALL_HAS_COME).await;
            let text = |id: &str| format!("document.querySelector('#{id}').textContent");
            assert_eq!(get(&page, &text("winner")).await, json!(wins));
            assert_eq!(get(&page, &text("how")).await, json!(how));
            let second = "document.querySelectorAll('#items tr')[1].textContent";
            assert_eq!(get(&page, second).await, json!(item));
            let said = "[...document.querySelectorAll('.row small, .placed')].map((of) => of.textContent).join()";
            let said = get(&page, said).await;
            assert!(layout == "table" || said.as_str().unwrap().contains(gave), "{said}");
            lies_well(&page, &format!("{asked} {layout}")).await;
        }
        keep(&page, &format!("stage-words{}", asked.replace("?lang=", "-"))).await;
        let also = if asked.is_empty() { "?" } else { "&" };
        open_hall(&page, &served, &format!("scoreboard{asked}{also}show=seating"), &tournament(40))
            .await;
        assert_eq!(
            get(&page, READ_FROM_AFAR).await,
            json!([true, [], true, true, false]),
            "{asked}"
        );
        page.goto(&format!("{}phone{asked}", served.address)).await.unwrap();
        until(&page, "document.querySelectorAll('#rules option').length >= 5").await;
        size(&page, [320, 640]).await;
        let wide = "document.documentElement.scrollWidth > innerWidth";
        assert_eq!(get(&page, wide).await, json!(false), "{asked}");
        keep(&page, &format!("phone-words{}", asked.replace("?lang=", "-"))).await;
        size(&page, [1920, 1080]).await;
    }
    let page_language = "document.documentElement.lang";
    assert_eq!(get(&page, page_language).await, json!("zh"));
    page.close().await.unwrap();
}

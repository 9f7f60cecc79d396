//! The page that replays a game, opened from its file as whoever was sent it does.

use std::process::Command;

use fantoccini::{Client, Locator, key::Key};
use serde_json::{Value, json};

use crate::support::{
    browser::{STICKS_OUT, browser, browser_with, keep, latin_words, until},
    served::Served,
};

/// Names that would run as a script if they were not written as text.
const NAMES: [&str; 4] = [
    "Ann</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "Çağla & “Bo”",
    "ديمة",
];

/// Writes the replay of a log; its address.
fn replay(folder: &std::path::Path, log: &str) -> String {
    std::fs::write(folder.join("game.log"), log).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tilelens"))
        .current_dir(folder)
        .args(["record", "replay", "game.log", "-o", "game.html"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    format!("file://{}", folder.join("game.html").display())
}

fn logged() -> String {
    let logs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/table/logs/calls.mjson");
    let names = json!({ "type": "start_game", "names": NAMES }).to_string();
    std::fs::read_to_string(logs).unwrap().replacen(r#"{"type": "start_game"}"#, &names, 1)
}

async fn text(page: &Client, css: &str) -> String {
    let script = format!("return document.querySelector({}).innerText", json!(css));
    page.execute(&script, vec![]).await.unwrap().as_str().unwrap().to_owned()
}

async fn press(page: &Client, key: Key) {
    page.find(Locator::Css("body")).await.unwrap().send_keys(&key.to_string()).await.unwrap();
}

/// The discards on the table, and the step and deal that are shown.
async fn at(page: &Client) -> (usize, String) {
    let count = "return document.querySelectorAll('.river .tile').length";
    let count = page.execute(count, vec![]).await.unwrap().as_u64().unwrap();
    let place = page.execute("return location.hash", vec![]).await.unwrap();
    (count as usize, place.as_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_game_is_replayed_from_one_file_by_keys_and_touch() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    page.goto(&replay(folder.path(), &logged())).await.unwrap();
    until(&page, "document.querySelectorAll('#game-board .concealed .tile').length === 52").await;
    assert_eq!(page.title().await.unwrap(), "Tilelens replay");
    let players = text(&page, "#game-players").await;
    assert!(NAMES.iter().all(|name| players.contains(name)), "{players}");
    // Two steps by keys: the first indicator, a draw; then the first discard.
    assert_eq!(at(&page).await, (0, "#1.0".to_owned()));
    for _ in 0..3 {
        press(&page, Key::Right).await;
    }
    assert_eq!(at(&page).await, (1, "#1.3".to_owned()));
    assert_eq!(text(&page, "#game-outlook").await, "");
    press(&page, Key::Left).await;
    assert_eq!(at(&page).await, (0, "#1.2".to_owned()));
    // With a tile drawn, what each discard would leave.
    let ahead = text(&page, "#game-outlook").await;
    assert!(ahead.contains("4 tiles away from waiting") && ahead.contains("78 left:"), "{ahead}");
    keep(&page, "replay-outlook").await;
    // A turn begins with a draw.
    press(&page, Key::Down).await;
    assert_eq!(at(&page).await, (1, "#1.4".to_owned()));
    // A tap on the right half goes on, one on the left half goes back.
    let tap = "const board = document.getElementById('game-board'); const { left, top, width, height } = board.getBoundingClientRect(); for (const kind of ['pointerdown', 'pointerup']) board.dispatchEvent(new PointerEvent(kind, { clientX: left + width * arguments[0], clientY: top + height / 2 }))";
    page.execute(tap, vec![json!(0.9)]).await.unwrap();
    assert_eq!(at(&page).await, (2, "#1.5".to_owned()));
    page.execute(tap, vec![json!(0.1)]).await.unwrap();
    assert_eq!(at(&page).await, (1, "#1.4".to_owned()));
    keep(&page, "replay-begin").await;
    press(&page, Key::End).await;
    keep(&page, "replay-result").await;
    let result = text(&page, "#game-result").await;
    for part in ["by ron on ", "+2600", "−2600", "riichi"] {
        assert!(result.contains(part), "{part}: {result}");
    }
    press(&page, Key::PageDown).await;
    assert!(at(&page).await.1.starts_with("#2.0"));
    // The name of a player turns the table: then his tiles are below.
    let below = "return document.querySelector('[style*=\"--turns: 0\"] .name').textContent";
    assert_eq!(page.execute(below, vec![]).await.unwrap(), json!(NAMES[0]));
    page.execute("document.querySelectorAll('#game-players button')[2].click()", vec![])
        .await
        .unwrap();
    assert_eq!(page.execute(below, vec![]).await.unwrap(), json!(NAMES[2]));
    // Nothing is loaded from anywhere.
    let loaded = "return performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => !name.startsWith('data:'))";
    assert_eq!(page.execute(loaded, vec![]).await.unwrap(), json!([]));
    assert_eq!(page.title().await.unwrap(), "Tilelens replay");
    page.close().await.unwrap();
}

/// The list of the server leads to a game, whose page loads nothing from the server.
#[tokio::test]
async fn a_game_is_chosen_from_the_servers_folder() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("Bo & Cy.mjson"), logged()).unwrap();
    let served =
        Served::start(&["serve", "--port", "0", "--records", folder.path().to_str().unwrap()]);
    page.goto(&format!("{}replay", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#games a').length === 1").await;
    keep(&page, "replay-list").await;
    page.find(Locator::Css("#games a")).await.unwrap().click().await.unwrap();
    until(&page, "document.querySelectorAll('#game-board .concealed .tile').length === 52").await;
    assert_eq!(page.title().await.unwrap(), "Tilelens replay");
    std::fs::remove_file(folder.path().join("Bo & Cy.mjson")).unwrap();
    page.goto(&format!("{}replay?lang=da", served.address)).await.unwrap();
    until(
        &page,
        "document.getElementById('games-none').textContent === 'Her er endnu intet spil.'",
    )
    .await;
    page.close().await.unwrap();
}

const DOUBTED: &str = r#"{"type":"game","players":["Ann","Bo"]}
{"type":"deal","round":"E","dealer":0,"hands":["?????????????","?????????????"]}
{"type":"draw","player":0,"tile":"?"}
{"type":"discard","player":0,"tile":"5m"}
{"type":"draw","player":1,"tile":"?"}
{"type":"discard","player":1,"tile":"7z"}
{"type":"doubt","event":2,"why":"tile"}
{"type":"doubt","event":4,"why":"order"}
{"type":"no_win","why":"exhausted"}
{"type":"end"}
"#;

/// The operator goes from doubt to doubt, and says what he knows; whoever is sent the page sees the doubts alone.
#[tokio::test]
async fn what_a_record_does_not_know_is_shown_and_mended() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    page.goto(&replay(folder.path(), DOUBTED)).await.unwrap();
    until(&page, "document.getElementById('game-doubts').textContent.includes('certain: 2')").await;
    press(&page, Key::Down).await;
    press(&page, Key::Right).await;
    assert_eq!(text(&page, "#game-mend").await, "");

    let file = folder.path().join("evening.jsonl");
    std::fs::write(&file, DOUBTED).unwrap();
    let served =
        Served::start(&["serve", "--port", "0", "--records", folder.path().to_str().unwrap()]);
    page.goto(&format!("{}replay/evening.jsonl", served.address)).await.unwrap();
    until(&page, "document.getElementById('game-doubts').textContent.includes('certain: 2')").await;
    page.find(Locator::Css("body")).await.unwrap().send_keys("d").await.unwrap();
    assert_eq!(at(&page).await, (1, "#1.2".to_owned()));
    let doubts = text(&page, "#game-doubts").await;
    assert!(doubts.contains("Not certain: which tile it is"), "{doubts}");
    page.execute("document.querySelector('#game-mend details').open = true", vec![]).await.unwrap();
    keep(&page, "replay-mend").await;
    let said = "document.querySelector('#game-mend [data-code=\"3p\"]').click()";
    page.execute(said, vec![]).await.unwrap();
    until(&page, "document.getElementById('game-step').textContent.includes('Ann') && document.getElementById('game-doubts').textContent.includes('certain: 1')").await;
    assert!(std::fs::read_to_string(&file).unwrap().contains(r#""event":2,"tile":"3p""#));
    // The place is kept; the other step is right as it stands.
    assert_eq!(at(&page).await, (1, "#1.2".to_owned()));
    page.find(Locator::Css("body")).await.unwrap().send_keys("d").await.unwrap();
    page.find(Locator::Css("#game-mend .main")).await.unwrap().click().await.unwrap();
    until(&page, "document.getElementById('game-doubts').hidden").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn on_a_phone_nothing_sticks_out_in_any_language() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let named = replay(folders[0].path(), &logged());
    let mut local = logged();
    for (name, is) in NAMES.iter().zip(["東野", "南野", "西野", "北野"]) {
        local = local.replacen(&json!(name).to_string(), &json!(is).to_string(), 1);
    }
    let local = replay(folders[1].path(), &local);
    let Some((_driver, page)) = browser_with(&["--window-size=500,900"]).await else { return };
    for language in ["en", "da", "de", "ja", "zh"] {
        let is_latin = !["ja", "zh"].contains(&language);
        let address = if is_latin { &named } else { &local };
        for place in ["1.0", "2.80", "2.999", "4.90"] {
            page.goto("about:blank").await.unwrap();
            page.goto(&format!("{address}?lang={language}#{place}")).await.unwrap();
            until(&page, "document.querySelectorAll('#game-board .tile').length > 40").await;
            press(&page, Key::End).await;
            let out = page.execute(&format!("return {STICKS_OUT}"), vec![]).await.unwrap();
            assert_eq!(out, Value::from(Vec::<Value>::new()), "{language} {place}");
            keep(&page, &format!("replay-phone-{language}")).await;
            if !is_latin {
                let latin = page
                    .execute(&format!("return {}", latin_words("#game-keys")), vec![])
                    .await
                    .unwrap();
                assert_eq!(latin, json!([]), "{language} {place}");
            }
        }
    }
    page.close().await.unwrap();
}

//! Deals in which play goes on after a win, typed on the control page and on a table's own page.

use serde_json::Value;

use super::*;

/// A deal as a command has it, and as the form has it: what happens, who, from whom, the fan, what is said of a kong; then what
/// each player has at the end, with the fan.
type Typed = (&'static str, &'static [[&'static str; 5]], &'static [[&'static str; 3]]);

const SHEET: [Typed; 3] = [
    (
        "bo di 2 cy 1, kong ann, di t 3",
        &[
            ["win", "Bo", "discard:Di", "2", ""],
            ["win", "Cy", "same", "1", ""],
            ["concealed", "Ann", "", "", ""],
            ["win", "Di", "self_draw", "3", ""],
        ],
        &[],
    ),
    (
        "kong bo cy, kong cy +, end ann pig bo no cy 1 di 0",
        &[["claimed", "Bo", "discard:Cy", "", ""], ["added", "Cy", "", "", ""]],
        &[["Ann", "pig", ""], ["Bo", "not", ""], ["Cy", "ready", "1"], ["Di", "ready", "0"]],
    ),
    (
        "kong di + shot, ann di 2, false bo, cy bo 0 kong, end bo no di 1",
        &[
            ["added", "Di", "", "", "shot"],
            ["win", "Ann", "discard:Di", "2", ""],
            ["false", "Bo", "", "", ""],
            ["win", "Cy", "rob_kong:Bo", "0", ""],
        ],
        &[["Bo", "not", ""], ["Di", "ready", "1"]],
    ),
];

fn totals(file: &str) -> Value {
    let shown: Value = serde_json::from_str(&tilelens(&["table", "show", file, "--json"])).unwrap();
    let players = shown["players"].as_array().unwrap();
    players.iter().map(|player| player["total"].clone()).collect()
}

/// Fills the form in for the players as they sit.
async fn type_in(page: &Client, table: &Value, happens: &[[&str; 5]], end: &[[&str; 3]]) {
    let wind = |name: &str| {
        let players = table["players"].as_array().unwrap();
        let player = players.iter().find(|player| player["name"] == name).unwrap();
        player["seat"].as_str().unwrap().to_owned()
    };
    let choose = async |name: &str, value: &str| {
        let option = format!("#whole [name={name}] option[value='{value}']");
        page.find(Locator::Css(&option)).await.unwrap().click().await.unwrap();
    };
    let write = async |name: &str, value: &str| {
        let css = format!("#whole [name={name}]");
        page.find(Locator::Css(&css)).await.unwrap().send_keys(value).await.unwrap();
    };
    for (place, [kind, who, from, fan, note]) in happens.iter().enumerate() {
        choose("kind", kind).await;
        choose("who", &wind(who)).await;
        match from.split_once(':') {
            Some((win, giver)) => choose("from", &format!("{win}:{}", wind(giver))).await,
            None if !from.is_empty() => choose("from", from).await,
            None => {}
        }
        if !fan.is_empty() {
            write("fan", fan).await;
        }
        if !note.is_empty() {
            choose("note", note).await;
        }
        click(page, "#whole .choices button").await;
        until(page, &format!("document.querySelectorAll('#whole li').length === {}", place + 1))
            .await;
    }
    for [who, holding, fan] in end {
        choose(&format!("had{}", wind(who)), holding).await;
        if !fan.is_empty() {
            write(&format!("worth{}", wind(who)), fan).await;
        }
    }
    click(page, "#whole .main").await;
}

#[tokio::test]
async fn whole_deals_are_typed_as_commands_enter_them() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "sichuan");
    let by_command = folder.path().join("command.tlg").to_str().unwrap().to_owned();
    let new = ["table", "new", &by_command, "--rules", "sichuan", "--players", "Ann,Bo,Cy,Di"];
    tilelens(&new);
    page.set_window_size(1366, 768).await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(&page, "!document.querySelector('#whole-deal').hidden").await;
    assert!(
        page.execute("return document.querySelector('#draw').hidden", vec![]).await.unwrap()
            == true
    );
    for (line, happens, end) in SHEET {
        tilelens(&["table", "deal", &by_command, "--play", line]);
        page.execute("document.activeElement.blur()", vec![]).await.unwrap();
        press(&page, "d").await;
        until(&page, "!document.querySelector('#whole').hidden").await;
        let table = served.state()["table"].clone();
        type_in(&page, &table, happens, end).await;
        says(&page, ".phase", "confirmed: the whole deal").await;
        assert_eq!(totals(&file), totals(&by_command), "{line}");
        page.execute("document.activeElement.blur()", vec![]).await.unwrap();
        press(&page, "n").await;
        until(&page, "!document.querySelector('.phase')").await;
    }
    keep(&page, "control-whole-deal").await;
    until(&page, NOTHING_STICKS_OUT).await;
    // What is missing is said beside the form, and nothing is written.
    press(&page, "d").await;
    until(&page, "!document.querySelector('#whole').hidden").await;
    click(&page, "#whole .main").await;
    until(&page, "document.querySelector('#error').textContent.includes('when the wall ran out')")
        .await;
    assert_eq!(totals(&file), totals(&by_command));
    tilelens(&["table", "verify", &file]);
    page.close().await.unwrap();
}

#[tokio::test]
async fn a_whole_deal_is_typed_on_a_phone_at_its_table() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", "sichuan", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    for (language, (_, happens, end)) in [("en", SHEET[0]), ("zh", SHEET[1])] {
        page.set_window_size(420, 900).await.unwrap();
        page.goto(&format!("{}table/1?lang={language}", served.address)).await.unwrap();
        until(&page, "document.body.dataset.ready").await;
        if language == "en" {
            until(&page, "document.querySelectorAll('#who button').length >= 4").await;
            click(&page, "#who button").await;
        }
        until(&page, "document.querySelector('#whole').checkVisibility()").await;
        let table = served.get("api/table").json();
        let before = totals(&file);
        type_in(&page, &table, happens, end).await;
        // The form is empty again for the next deal.
        until(&page, "document.querySelector('#said').textContent").await;
        until(&page, "!document.querySelector('#whole li')").await;
        assert_ne!(totals(&file), before, "{language}");
        keep(&page, &format!("table-whole-deal-{language}")).await;
        until(&page, NOTHING_STICKS_OUT).await;
    }
    page.close().await.unwrap();
}

/// A photo of the winner's hand fills in its fan; tiles that it shows wrongly are corrected, as anywhere.
#[tokio::test]
async fn a_photo_counts_the_fan_of_a_win() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg").to_str().unwrap().to_owned();
    tilelens(&["table", "new", &file, "--rules", "sichuan", "--players", "Ann,Bo,Cy,Di"]);
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file, "--unconfirmed"]);
    page.set_window_size(420, 900).await.unwrap();
    page.goto(&format!("{}table/1?lang=en", served.address)).await.unwrap();
    until(&page, "document.querySelectorAll('#who button').length >= 4").await;
    click(&page, "#who button").await;
    until(&page, "document.querySelector('#whole').checkVisibility()").await;
    choose(&page, "#whole [name=who]", "S").await;
    choose(&page, "#whole [name=from]", "discard:N").await;
    let photo = page.find(Locator::Css("#photo")).await.unwrap();
    photo.send_keys(&table_path("row-sorted")).await.unwrap();
    let read = "document.querySelectorAll('#hand .tile').length === 14";
    until_within(&page, read, Duration::from_secs(120)).await;
    // 123m456p789s1115z 5z, with no honors and one suit: a flush.
    for (place, code) in
        ["1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p", "1p", "1p", "1p", "5p", "5p"]
            .into_iter()
            .enumerate()
    {
        let tile = format!("document.querySelectorAll('#hand .tile')[{place}]");
        page.execute(&format!("{tile}.click()"), vec![]).await.unwrap();
        until(&page, "!document.querySelector('#palette').hidden").await;
        let choice =
            format!("document.querySelector('#palette hr ~ [data-code=\"{code}\"]').click()");
        page.execute(&choice, vec![]).await.unwrap();
        until(&page, &format!("{tile}?.dataset.code === '{code}'")).await;
    }
    // A flush of two fan, and the root of four 1p; whichever tile won.
    until(&page, "document.querySelector('#whole [name=fan]').value === '3'").await;
    click(&page, "#whole .choices button").await;
    until(&page, "document.querySelector('#whole li')?.textContent.includes('3 fan')").await;
    keep(&page, "table-whole-deal-photo").await;
    page.close().await.unwrap();
}

//! Evenings and tournaments that are typed on the control page from paper.

use serde_json::Value;

use super::*;

/// Presses and clicks on a page, as many as there were.
struct Hands<'a> {
    page: &'a Client,
    presses: usize,
}

impl Hands<'_> {
    async fn click(&mut self, css: &str) {
        self.presses += 1;
        click(self.page, css).await;
    }

    /// Presses keys one after the other, wherever the page has put the focus.
    async fn keys(&mut self, keys: &str) {
        self.presses += keys.chars().count();
        self.page.active_element().await.unwrap().send_keys(keys).await.unwrap();
    }

    /// Types a number, which is not counted.
    async fn number(&mut self, text: &str) {
        self.page.active_element().await.unwrap().send_keys(text).await.unwrap();
    }
}

const CONFIRMED: &str = "document.querySelector('.phase')?.textContent === 'confirmed'";
const WATCHING: &str = "!document.querySelector('.phase') && document.querySelector('#who input')";

fn enter() -> String {
    Key::Enter.to_string()
}

async fn open(page: &Client, served: &Served) {
    page.set_window_size(1366, 768).await.unwrap();
    page.goto(&format!("{}control", served.address)).await.unwrap();
    until(page, "document.querySelectorAll('#who input').length >= 3").await;
    // Fields that are rarely used fold; this browser keeps them open.
    if page.execute("return !document.querySelector('#more').open", vec![]).await.unwrap() == true {
        click(page, "#more summary").await;
    }
}

fn totals(file: &str) -> Vec<String> {
    let shown: Value = serde_json::from_str(&tilelens(&["table", "show", file, "--json"])).unwrap();
    let players = shown["players"].as_array().unwrap();
    players.iter().map(|player| player["total"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_deal_by_worth_is_five_presses_and_its_number() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm");
    open(&page, &served).await;
    // By keys: Bo, who is South, on North's discard.
    let mut hands = Hands { page: &page, presses: 0 };
    hands.keys("2").await;
    hands.keys("4").await;
    hands.number("7").await;
    until(&page, "!!document.querySelector('#score summary')").await;
    click(&page, "#score summary").await;
    says(&page, "#score", "Di pays 400: 400: gave the tile").await;
    keep(&page, "control-worth").await;
    hands.keys(&enter()).await;
    until(&page, CONFIRMED).await;
    assert!(hands.presses <= 5, "{}", hands.presses);
    assert_eq!(totals(&file), ["2000", "2400", "2000", "1600"]);
    says(&page, "#play", "Last deal: Bo on Di’s discard, worth 7 · Bo +400, Di −400").await;
    click(&page, "#play summary").await;
    says(&page, "#play", "Di pays 400: 400: gave the tile").await;
    // By clicks, from the page as the last deal left it: Cy, who is South now, draws his tile himself.
    let mut hands = Hands { page: &page, presses: 0 };
    hands.click("#next").await;
    until(&page, WATCHING).await;
    hands.click("#who label:nth-child(2)").await;
    until(
        &page,
        "document.querySelector('#by [value=self_draw]').closest('label').matches(':nth-child(2)')",
    )
    .await;
    hands.click("#by label:nth-child(2)").await;
    hands.number("3½").await;
    hands.keys(&enter()).await;
    until(&page, CONFIRMED).await;
    assert!(hands.presses <= 5, "{}", hands.presses);
    assert_eq!(totals(&file), ["1960", "2360", "2120", "1560"]);
    // All at once, faster than any answer comes.
    let mut hands = Hands { page: &page, presses: 0 };
    page.find(Locator::Css("body")).await.unwrap().send_keys("n24").await.unwrap();
    hands.number(&format!("1{}", enter())).await;
    until(&page, CONFIRMED).await;
    until(&page, "document.querySelector('#deals .deal b').textContent.endsWith('3')").await;
    assert_eq!(served.get("api/table").json()["history"].as_array().unwrap().len(), 3);
    // One undo takes the deal back, once it is said that it is meant.
    says(&page, "#undo", "Undo: deal 3").await;
    page.find(Locator::Css("body")).await.unwrap().send_keys("u").await.unwrap();
    says(&page, "#asked", "This takes deal 3 out of the ledger.").await;
    assert_eq!(served.get("api/table").json()["history"].as_array().unwrap().len(), 3);
    hands.keys(&enter()).await;
    until(&page, "document.querySelectorAll('#deals .deal').length === 2").await;
    until(&page, NOTHING_STICKS_OUT).await;
    page.close().await.unwrap();
}

/// The worths of all four hands, which the page settles: West wins by North's tile in the deal of CLASSICAL.md.
#[tokio::test]
async fn a_deal_of_four_hands_is_twenty_keys_by_worths() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "classical-bmja");
    open(&page, &served).await;
    let mut hands = Hands { page: &page, presses: 0 };
    let tab = Key::Tab.to_string();
    hands.keys("34").await;
    hands.keys("152").await;
    for worth in ["64", "200", "152"] {
        hands.keys(&tab).await;
        hands.keys(worth).await;
    }
    until(&page, "document.querySelector('#score summary')?.checkVisibility()").await;
    says(&page, "#score", "−752").await;
    keep(&page, "control-four-worths").await;
    hands.keys(&enter()).await;
    until(&page, CONFIRMED).await;
    assert!(hands.presses <= 20, "{}", hands.presses);
    assert_eq!(totals(&file), ["-752", "168", "608", "-24"]);
    says(&page, "#play", "the others’ hands: Ann 64, Bo 200, Di 152").await;
    // The next deal begins with empty fields; a score above the limit and a missing one are refused beside them.
    page.find(Locator::Css("body")).await.unwrap().send_keys("n").await.unwrap();
    until(&page, WATCHING).await;
    until(&page, "[...document.querySelectorAll('#said input')].every((one) => !one.value)").await;
    hands.keys("12").await;
    hands.number(&format!("20{tab}1002{}", enter())).await;
    says(&page, "#error", "1002 is above the limit").await;
    page.execute("document.activeElement.select()", vec![]).await.unwrap();
    hands.number(&format!("64{}", enter())).await;
    says(&page, "#error", "what did").await;
    assert_eq!(totals(&file), ["-752", "168", "608", "-24"]);
    until(&page, NOTHING_STICKS_OUT).await;
    page.close().await.unwrap();
}

/// Keys alone, from a page that nobody has clicked into: a settled hand, a worth, a draw, and the deal before last.
#[tokio::test]
async fn deals_draws_and_corrections_are_few_keys_each() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_, served) = sitting(&folder, "riichi");
    open(&page, &served).await;
    served.show("row-sorted");
    assert_eq!(served.post("api/context", &json!({ "winning": "5z" })).status, 200);
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    let mut hands = Hands { page: &page, presses: 0 };
    hands.keys(&format!("24{}", enter())).await;
    until(&page, CONFIRMED).await;
    assert_eq!(hands.presses, 3, "a settled hand");
    let next = async || {
        press(&page, "n").await;
        until(&page, WATCHING).await;
        page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    };
    next().await;
    let mut hands = Hands { page: &page, presses: 0 };
    hands.keys("24").await;
    hands.number("3/30").await;
    hands.keys(&enter()).await;
    until(&page, CONFIRMED).await;
    assert_eq!(hands.presses, 3, "a worth, and its number");
    next().await;
    let mut hands = Hands { page: &page, presses: 0 };
    hands.keys("d").await;
    hands.keys(&format!("13{}", enter())).await;
    until(&page, "document.querySelectorAll('#deals .deal').length === 3").await;
    assert_eq!(hands.presses, 4, "a draw with two who were ready");
    // The key that wrote the form answers nothing else for a second.
    page.execute("window.written = performance.now()", vec![]).await.unwrap();
    until(&page, "performance.now() - written > 1000").await;
    let deal = |number: usize| served.get("api/table").json()["history"][number].clone();
    assert_eq!(deal(2)["draw"]["tenpai"].as_array().unwrap().len(), 2);
    let (winner, giver) =
        (deal(1)["winners"][0]["player"].clone(), deal(1)["winners"][0]["from"].clone());
    next().await;
    let mut hands = Hands { page: &page, presses: 0 };
    hands.keys("bb").await;
    says(&page, "#amending", "Deal 2 was another").await;
    hands.keys(&format!("23{}", enter())).await;
    says(&page, "#asked", "The totals change").await;
    hands.keys(&enter()).await;
    until(&page, "document.querySelector('#amending').hidden").await;
    assert_eq!(hands.presses, 6, "the deal before last, by keys");
    assert_eq!(deal(1)["winners"][0]["player"], winner);
    assert_ne!(deal(1)["winners"][0]["from"], giver);
    assert!(deal(2)["draw"].is_object(), "the last one stays");
    page.close().await.unwrap();
}

/// The answers to an invalid worth, a worth below the minimum, and a likely slip.
#[tokio::test]
async fn slips_are_refused_or_asked_about_beside_the_entry() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "chumchu");
    open(&page, &served).await;
    let mut hands = Hands { page: &page, presses: 0 };
    hands.keys("24").await;
    hands.number(&format!("7x{}", enter())).await;
    until(&page, "document.querySelector('#said').nextElementSibling.id === 'error'").await;
    says(&page, "#error", "`7x` is not a worth").await;
    let typed = "document.activeElement.name === 'worth' && document.activeElement.value === '7x'";
    until(&page, typed).await;
    keep(&page, "control-worth-refused").await;
    // Nothing of it counts, whatever is pressed.
    click(&page, "#confirm").await;
    until(&page, "document.querySelector('#error').textContent").await;
    assert_eq!(served.state()["phase"], "watching");
    // Too little for these rules.
    let field = page.find(Locator::Css("[name=worth]")).await.unwrap();
    field.clear().await.unwrap();
    field.send_keys("2").await.unwrap();
    says(&page, "#score", "No win").await;
    field.send_keys(&format!("2{}", enter())).await.unwrap();
    until(&page, CONFIRMED).await;
    // The same deal once more, a moment later: Cy is South now, Ann North.
    let body = page.find(Locator::Css("body")).await.unwrap();
    body.send_keys("n").await.unwrap();
    until(&page, WATCHING).await;
    let winner = served.state()["table"]["players"][1]["seat"].as_str().unwrap().to_owned();
    click(&page, &format!("#who label:has([value='{winner}'])")).await;
    let giver = served.state()["table"]["players"][3]["seat"].as_str().unwrap().to_owned();
    until(&page, &format!("document.querySelector(\"#by [value='discard:{giver}']\")")).await;
    click(&page, &format!("#by label:has([value='discard:{giver}'])")).await;
    hands.number(&format!("22{}", enter())).await;
    until(&page, "!document.querySelector('#asked').hidden").await;
    says(&page, "#asked", "Deal 1 was entered like that").await;
    until(&page, "!document.body.innerText.includes('--')").await;
    keep(&page, "control-asked").await;
    assert_eq!(totals(&file).len(), 4);
    assert_eq!(served.state()["table"]["number"], 2, "nothing was written");
    // The answer has the focus.
    hands.keys(&enter()).await;
    until(&page, CONFIRMED).await;
    assert_eq!(served.state()["table"]["number"], 3);
    body.send_keys("n").await.unwrap();
    until(&page, WATCHING).await;
    // What was paid, in place of a worth.
    choose(&page, "#as", "payments").await;
    click(&page, "#who label:nth-child(1)").await;
    until(&page, "document.querySelector('#who [value=E]').checked").await;
    click(&page, "#by label:nth-child(2)").await;
    for (field, amount) in [("paidE", "21"), ("paidS", "-21")] {
        fill(&page, &format!("[name={field}]"), amount).await;
    }
    says(&page, "#score .pay", "+21").await;
    click(&page, "#confirm").await;
    says(&page, "#asked", "No hand of").await;
    keep(&page, "control-asked-paid").await;
    click(&page, "#asked button:last-child").await;
    until(&page, "document.querySelector('#asked').hidden").await;
    assert_eq!(served.state()["table"]["number"], 3);
    page.close().await.unwrap();
}

#[tokio::test]
async fn a_hand_is_typed_with_all_that_its_rules_ask() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "riichi");
    open(&page, &served).await;
    choose(&page, "#as", "hand").await;
    click(&page, "#declared [value=S]").await;
    until(&page, "document.querySelector('#declared [value=S]').checked").await;
    click(&page, "#who label:nth-child(2)").await;
    until(&page, "document.querySelector('#who [value=S]').checked").await;
    click(&page, "#by label:nth-child(4)").await;
    fill(&page, "[name=hand]", "234m567p234678s5m +5m").await;
    until(&page, "document.querySelectorAll('#hand .tile').length === 14").await;
    fill(&page, "#context [name=dora_indicators]", "4p").await;
    // What it counts has come, and moves nothing any more.
    says(&page, "#score h2", "3 han").await;
    click(&page, "#context [name=ippatsu]").await;
    says(&page, "#score h2", "4 han").await;
    click(&page, "#score summary").await;
    says(&page, "#score .steps", "Di pays 8000").await;
    keep(&page, "control-hand").await;
    until(&page, NOTHING_STICKS_OUT).await;
    click(&page, "#confirm").await;
    until(&page, CONFIRMED).await;
    let (by_hand, by_command) = (totals(&file), folder.path().join("command.tlg"));
    let by_command = by_command.to_str().unwrap();
    tilelens(&["table", "new", by_command, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"]);
    let hand = ["table", "deal", by_command, "234m567p234678s5m +5m", "-w", "Bo", "--from", "Di"];
    let more = ["--riichi", "Bo", "--ippatsu", "Bo", "--dora", "4p"];
    tilelens(&[&hand[..], &more].concat());
    assert_eq!(by_hand, totals(by_command));
    let won = [("#total", "4 han"), ("#payments", "+8000"), ("#winner", "Bo")];
    look_at(&page, &format!("{}overlay?layout=hand", served.address), &won, "overlay-typed").await;
    page.close().await.unwrap();
}

#[tokio::test]
async fn an_old_deal_is_corrected_and_taken_out_with_its_totals_in_sight() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, served) = sitting(&folder, "mmm");
    for (winner, giver, worth) in [("Bo", "Di", "7"), ("Cy", "Ann", "3"), ("Di", "Cy", "2")] {
        tilelens(&["table", "deal", &file, "-w", winner, "--from", giver, "--worth", worth]);
    }
    let before = totals(&file);
    open(&page, &served).await;
    until(&page, "document.querySelectorAll('#deals .deal').length === 3").await;
    click(&page, "#deals .deal[data-event='2']").await;
    says(&page, "#amending", "Deal 1 was another").await;
    says(&page, "#confirm", "Correct deal 1").await;
    until(&page, "document.querySelector('#who [value=S]').checked && document.querySelector('#by [value=\"discard:N\"]').checked").await;
    until(&page, "document.querySelector('[name=worth]').value === '7'").await;
    let field = page.find(Locator::Css("[name=worth]")).await.unwrap();
    field.clear().await.unwrap();
    field.send_keys(&format!("8{}", enter())).await.unwrap();
    says(&page, "#asked", "The totals change").await;
    keep(&page, "control-correction").await;
    until(&page, NOTHING_STICKS_OUT).await;
    assert_eq!(totals(&file), before, "nothing was written");
    click(&page, "#asked .main").await;
    until(&page, "document.querySelector('#amending').hidden").await;
    tilelens(&["table", "verify", &file]);
    let by_command = folder.path().join("command.tlg");
    std::fs::copy(&file, &by_command).unwrap();
    let after = totals(&file);
    assert_ne!(after, before);
    // Undone, and the same said by a command.
    click(&page, "#undo").await;
    says(&page, "#asked", "This takes back what was changed of an earlier deal.").await;
    assert_eq!(totals(&file), after);
    click(&page, "#asked .main").await;
    says(&page, "#amending", "Deal 1 was another").await;
    assert_eq!(totals(&file), before);
    click(&page, "#next").await;
    tilelens(&[
        "table", "correct", &file, "--deal", "1", "-w", "Bo", "--from", "Di", "--worth", "8",
    ]);
    assert_eq!(totals(&file), after);
    // The second deal did not happen.
    until(&page, "document.querySelector('#deals').innerText.includes('corrected')").await;
    click(&page, "#deals .deal[data-event='3']").await;
    says(&page, "#amending", "Deal 2 was another").await;
    says(&page, "#play", "deal 4 · Di deals").await;
    // A penalty is one of the deal that is being played, in which Di is East; a void deal may be this one.
    click(&page, "#fault").await;
    let east = async |fault: &str, name: &str| {
        let place = format!(
            "[...document.querySelectorAll('#faulting [name=cause] option')].find((option) => option.text.startsWith('{fault}')).value"
        );
        let place = page.execute(&format!("return {place}"), vec![]).await.unwrap();
        choose(&page, "#faulting [name=cause]", place.as_str().unwrap()).await;
        until(
            &page,
            &format!(
                "document.querySelector('#faulting [name=seat]').options[0].text === 'E {name}'"
            ),
        )
        .await;
    };
    east("Penalty", "Di").await;
    east("Chombo", "Bo").await;
    click(&page, "#faulting > button[type=button]").await;
    click(&page, "#amending .choices button:nth-last-child(2)").await;
    says(&page, "#asked", "The totals change").await;
    click(&page, "#asked .main").await;
    until(&page, "document.querySelectorAll('#deals .deal').length === 2").await;
    until(&page, "document.querySelector('#amending').hidden").await;
    // It was a draw, by the key of draws.
    click(&page, "#deals .deal[data-event='4']").await;
    says(&page, "#amending", "Deal 2 was another").await;
    page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    press(&page, "d").await;
    says(&page, "#asked", "The totals change").await;
    click(&page, "#asked .main").await;
    until(&page, "document.querySelector('#deals').innerText.includes('a draw')").await;
    tilelens(&["table", "verify", &file]);
    page.close().await.unwrap();
}

#[tokio::test]
async fn results_of_a_round_are_typed_from_score_sheets() {
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("club.tlg").to_str().unwrap().to_owned();
    let players = folder.path().join("players.csv");
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\nEla\nFin\nGro\nHal\n").unwrap();
    for arguments in [
        &["new", &file, "--name", "Club evening"][..],
        &["import", &file, players.to_str().unwrap()],
        &["seat", &file, "--rounds", "2", "--seed", "7"],
    ] {
        tilelens(&[&["tournament"], arguments].concat());
    }
    let served = Served::start(&["serve", "--port", "0", "--ledger", &file]);
    open(&page, &served).await;
    until(&page, "!document.querySelector('#result').hidden").await;
    press(&page, "r").await;
    until(&page, "document.activeElement.name === 'E'").await;
    let type_four = async |points: [&str; 4]| {
        for (seat, points) in ["E", "S", "W", "N"].into_iter().zip(points) {
            let field = page.find(Locator::Css(&format!("#finals [name={seat}]"))).await.unwrap();
            field.clear().await.unwrap();
            field.send_keys(points).await.unwrap();
        }
        click(&page, "#resulting .main").await;
    };
    // A score that is none is refused beside its field, one sheet that does not add up beneath the form.
    type_four(["34", "-12", "-20x", "-2"]).await;
    until(&page, "document.querySelector('#finals [name=W]').closest('label').nextElementSibling?.id === 'error'").await;
    says(&page, "#error", "`-20x` is no number of points").await;
    keep(&page, "control-result").await;
    type_four(["34", "-12", "-20", "-1"]).await;
    says(&page, "#resulting #error", "add up to 1, not 0").await;
    type_four(["34", "-12", "-20", "-2"]).await;
    until(&page, "document.querySelector('#resulting [name=table]').value === '2'").await;
    until(&page, "document.querySelector('#finals [name=E]').value === ''").await;
    type_four(["-20½", "1 000", "-980", "½"]).await;
    until(&page, "document.querySelector('#resulting [name=round]').value === '2'").await;
    let log = tilelens(&["tournament", "log", &file]);
    assert!(log.contains("result of round 1, table 2: -41/2 1000 -980 1/2"), "{log}");
    // One of them is taken back.
    choose(&page, "#resulting [name=round]", "1").await;
    until(&page, "!document.querySelector('#retract').hidden").await;
    click(&page, "#retract").await;
    until(&page, "document.querySelector('#retract').hidden").await;
    assert!(tilelens(&["tournament", "log", &file]).contains("undone"));
    until(&page, NOTHING_STICKS_OUT).await;
    page.close().await.unwrap();
}

/// Deals as commands say them, for a rule set's evening.
fn sheet(rules: &str) -> (&'static [&'static str], usize) {
    match rules {
        "mmm" => (
            &[
                "deal -w Bo --from Di --worth 7",
                "deal -w Ann --self-draw --worth 2",
                "deal -w Cy --from Bo --worth 3/2",
                "draw",
                "deal -w Di --from Ann --worth 3 --also Cy=1",
            ],
            16,
        ),
        "riichi" | "riichi-ema" => (
            &[
                "deal -w Bo --from Di --worth 3/30 --riichi Bo",
                "draw --tenpai Bo,Cy --riichi Ann",
                "deal -w Ann --self-draw --worth 1/30",
                "deal -w Di --from Cy --worth 2/30",
            ],
            if rules == "riichi" { 8 } else { 4 },
        ),
        "riichi-sanma" => (
            &[
                "deal -w Bo --from Cy --worth 3/30 --riichi Bo",
                "draw --tenpai Bo,Cy --riichi Cy",
                "deal -w Cy --self-draw --worth mangan",
                "deal -w Ann --from Cy --worth 2/30",
            ],
            4,
        ),
        "classical-bmja" | "classical-dmjl" => (
            &[
                "deal -w Cy --from Di --worth 152 --other Ann=64,Bo=200,Di=152",
                "deal -w Bo --self-draw --worth 38 --other Ann=2,Cy=16,Di=0",
                "draw",
                "deal -w Ann --rob-kong Cy --worth limit --other Bo=4,Cy=256,Di=2/20",
            ],
            16,
        ),
        "chumchu" => (
            &[
                "deal -w Bo --from Di --worth 7",
                "deal -w Cy --from Ann --worth 12 --tile own",
                "deal -w Ann --self-draw --worth 4",
                "draw",
            ],
            4,
        ),
        _ => (
            &[
                "deal -w Bo --from Di --worth 8",
                "deal -w Cy --self-draw --worth 9",
                "deal -w Ann --rob-kong Cy --worth 10",
                "draw",
            ],
            4,
        ),
    }
}

/// The words after an option, parted by commas.
fn said<'a>(words: &[&'a str], option: &str) -> Vec<&'a str> {
    let place = words.iter().position(|word| *word == option);
    place.map_or_else(Vec::new, |place| words[place + 1].split(',').collect())
}

/// Types what a command says on the control page, with the seats as they are.
async fn type_in(page: &Client, served: &Served, command: &str) {
    let words: Vec<&str> = command.split(' ').collect();
    let table = served.state()["table"].clone();
    let wind = |name: &str| {
        let players = table["players"].as_array().unwrap();
        let player = players.iter().find(|player| player["name"] == name).unwrap();
        player["seat"].as_str().unwrap().to_owned()
    };
    let key = |name: &str| ("ESWN".find(&wind(name)).unwrap() + 1).to_string();
    let tick = async |group: &str, names: Vec<&str>| {
        for name in names {
            let css = format!("{group} [value={}]", wind(name));
            click(page, &css).await;
            until(page, &format!("document.querySelector('{css}').checked")).await;
        }
    };
    let number = served.state()["table"]["history"].as_array().map_or(0, Vec::len);
    assert_eq!(number, 0, "states hold the last deal alone");
    tick("#declared", said(&words, "--riichi")).await;
    page.execute("document.activeElement.blur()", vec![]).await.unwrap();
    if words[0] == "draw" {
        press(page, "d").await;
        if words.contains(&"--tenpai") {
            until(page, "!document.querySelector('#drawing').hidden").await;
            tick("#tenpai", said(&words, "--tenpai")).await;
            click(page, "#drawing .main").await;
        }
        says(page, ".phase", "confirmed: a draw").await;
        return;
    }
    let winner = said(&words, "-w")[0];
    let givers = [said(&words, "--from"), said(&words, "--rob-kong")].concat();
    press(page, &key(winner)).await;
    press(page, &key(givers.first().copied().unwrap_or(winner))).await;
    if words.contains(&"--rob-kong") {
        until(page, "!document.querySelector('[name=robbed]').disabled").await;
        click(page, "[name=robbed]").await;
        until(page, "document.querySelector('[name=robbed]').checked").await;
    }
    if words.contains(&"--tile") {
        click(page, "[name=safe]").await;
    }
    let mut field = page.find(Locator::Css("[name=worth]")).await.unwrap();
    field.send_keys(said(&words, "--worth")[0]).await.unwrap();
    for other in said(&words, "--other") {
        let (name, worth) = other.split_once('=').unwrap();
        let css = format!("[name=score{}]", wind(name));
        field = page.find(Locator::Css(&css)).await.unwrap();
        field.send_keys(worth).await.unwrap();
    }
    field.send_keys(&enter()).await.unwrap();
    until(page, CONFIRMED).await;
    for also in said(&words, "--also") {
        let (name, value) = also.split_once('=').unwrap();
        click(page, "#also").await;
        until(page, WATCHING).await;
        let css = format!("#who label:has([value='{}'])", wind(name));
        click(page, &css).await;
        let worth = page.find(Locator::Css("[name=worth]")).await.unwrap();
        worth.send_keys(&format!("{value}{}", enter())).await.unwrap();
        until(page, CONFIRMED).await;
    }
}

#[tokio::test]
async fn evenings_of_every_rule_set_are_typed_as_commands_enter_them() {
    let Some((_driver, page)) = browser().await else { return };
    // Where play goes on after a win another form is filled in.
    let kept = |rules: &&RuleSet| rules.session().kept && !rules.plays_on();
    for rules in RuleSet::presets().filter(kept) {
        let rules = rules.id.as_str();
        let folder = tempfile::tempdir().unwrap();
        let (file, served) = sitting(&folder, rules);
        let by_command = folder.path().join("command.tlg").to_str().unwrap().to_owned();
        let seated = players(rules);
        tilelens(&["table", "new", &by_command, "--rules", rules, "--players", seated]);
        open(&page, &served).await;
        let (deals, count) = sheet(rules);
        for (number, command) in deals.iter().cycle().take(count).enumerate() {
            let words: Vec<&str> = command.split(' ').collect();
            tilelens(&[&["table", words[0], &by_command], &words[1..]].concat());
            type_in(&page, &served, command).await;
            assert_eq!(totals(&file), totals(&by_command), "{rules} {number}: {command}");
            if number + 1 < count {
                page.execute("document.activeElement.blur()", vec![]).await.unwrap();
                press(&page, "n").await;
                until(&page, WATCHING).await;
            }
        }
        keep(&page, &format!("control-evening-{rules}")).await;
        until(&page, NOTHING_STICKS_OUT).await;
        tilelens(&["table", "verify", &file]);
    }
    page.close().await.unwrap();
}

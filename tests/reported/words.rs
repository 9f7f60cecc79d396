//! The words of each tradition, and sentences that are said once.

use tilelens::{
    rules::{Circumstances, RuleSet, ScoreStep, Win},
    tile::Seat,
    words::Language,
};

/// The steps to the score of a hand of that worth, in a language.
fn said(rules: &str, worth: &str, language: &str) -> String {
    let rules = RuleSet::preset(rules).unwrap();
    let won = Win::Discard { from: Seat::West };
    let at = Circumstances::new(Seat::South, Seat::East, won);
    let steps = rules.steps_of(rules.read_worth(worth).unwrap(), &at).unwrap();
    let of_score = steps.iter().filter(|step| step.seat.is_none());
    let say = |step: &ScoreStep| Language::named(language).unwrap().say(&step.text);
    of_score.map(say).collect::<Vec<_>>().join("; ")
}

/// "1 doublings score 20 by the table".
#[test]
fn one_is_in_the_singular() {
    for (rules, worth, language, expected) in [
        ("mmm-dk", "1", "en", "1 doubling scores 20 by the table"),
        ("mmm-dk", "1", "da", "1 fordobling giver 20 efter tabellen"),
        ("mmm-dk", "1", "de", "1 Verdopplung ergibt 20 nach der Tabelle"),
        ("mmm-dk", "3/2", "en", "1½ doublings score 28 by the table"),
        ("mmm-dk", "2", "en", "2 doublings score 40 by the table"),
        ("mmm-dk", "2", "de", "2 Verdopplungen ergeben 40 nach der Tabelle"),
        ("mmm", "1", "en", "1 faan scores 20 by the table"),
        ("mmm", "2", "en", "2 faan score 40 by the table"),
    ] {
        assert_eq!(said(rules, worth, language), expected);
    }
}

/// A yakuman was called by the word for a mangan in Japanese and Chinese.
#[test]
fn a_limit_has_its_traditions_name() {
    for (language, yakuman, limit) in [
        ("en", "yakuman: 8000 × 2", "limit hand: 600"),
        ("da", "yakuman: 8000 × 2", "limithånd: 600"),
        ("de", "Yakuman: 8000 × 2", "Limithand: 600"),
        ("ja", "役満：8000 × 2", "満貫：600"),
        ("zh", "役满：8000 × 2", "满贯：600"),
    ] {
        assert_eq!(said("riichi", "2 yakuman", language), yakuman);
        let rules = RuleSet::preset("mmm").unwrap();
        let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
        let hand = "555z666z777z2344m +1m".parse().unwrap();
        let step = &rules.steps(&hand, &at).unwrap()[0];
        assert_eq!(Language::named(language).unwrap().say(&step.text), limit);
    }
}

#[cfg(all(feature = "server", target_os = "linux"))]
mod on_pages {
    use fantoccini::Client;
    use serde_json::{Value, json};

    use super::{Circumstances, RuleSet, Seat, Win};
    use crate::support::{
        browser::{browser, until},
        served::{Served, tilelens},
    };

    /// Serves the ledger of a table, with the entries that these commands make.
    fn served(folder: &tempfile::TempDir, rules: &str, entries: &[&[&str]]) -> Served {
        let file = folder.path().join(rules).to_str().unwrap().to_owned();
        tilelens(&["table", "new", &file, "--rules", rules, "--players", "Ann,Bo,Cy,Di"]);
        for entry in entries {
            let (command, options) = entry.split_first().unwrap();
            tilelens(&[&["table", command, &file], options].concat());
        }
        Served::start(&["serve", "--port", "0", "--ledger", &file])
    }

    async fn text(page: &Client, css: &str) -> String {
        let script = "return document.querySelector(arguments[0]).innerText";
        let found = page.execute(script, vec![json!(css)]).await.unwrap();
        found.as_str().unwrap_or_default().to_owned()
    }

    async fn open(page: &Client, served: &Served, path: &str, shown: &str) {
        page.goto(&format!("{}{path}", served.address)).await.unwrap();
        until(page, &format!("document.querySelector('{shown}')?.innerText")).await;
    }

    /// A deal is called by its round and dealer, 東2局1本場, and not by how many there have been; a draw of the whole
    /// wall is no tie.
    #[tokio::test]
    async fn a_deal_is_called_as_its_players_call_it() {
        let Some((_driver, page)) = browser().await else { return };
        let folder = tempfile::tempdir().unwrap();
        let riichi = served(&folder, "riichi", &[&["draw", "--noten"]]);
        let mcr = served(&folder, "mcr", &[&["draw"]]);
        let taiwan = served(&folder, "taiwan", &[&["draw"]]);
        for (language, of_riichi, of_mcr, of_taiwan, drawn) in [
            ("en", "E2 · 1 counter", "E round", "E round · the dealer has stayed once", "a draw"),
            ("da", "Ø2 · 1 tæller", "Ø-runde", "Ø-runde", "uden vinder"),
            ("de", "O2 · 1 Zähler", "O-Runde", "O-Runde", "ohne Gewinner"),
            ("ja", "東2局1本場", "東場", "東場 · 連荘1回", "流局"),
            ("zh", "东2局1本场", "东圈", "东圈 · 连庄 1 次", "流局"),
        ] {
            let overlay = format!("overlay?lang={language}");
            for (served, place) in [(&riichi, of_riichi), (&mcr, of_mcr), (&taiwan, of_taiwan)] {
                open(&page, served, &overlay, "#round").await;
                let found = text(&page, "#round").await;
                assert!(found.starts_with(place), "{language}: {found}");
                let last = format!("{overlay}&part=last-deal");
                open(&page, served, &last, "#last-panel").await;
                let found = text(&page, "#last-panel").await;
                assert!(found.contains(drawn), "{language}: {found}");
            }
            let scoreboard = format!("scoreboard?lang={language}");
            open(&page, &riichi, &scoreboard, "#place").await;
            assert_eq!(text(&page, "#place").await, of_riichi);
        }
        page.close().await.unwrap();
    }

    /// What the pages say of the payments of a worth, self-drawn by South.
    async fn explained(page: &Client, rules: &str, worth: &str) -> Value {
        let rules = RuleSet::preset(rules).unwrap();
        let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
        let steps = rules.steps_of(rules.read_worth(worth).unwrap(), &at).unwrap();
        let script = "const [steps, done] = arguments; import('/assets/words.js').then((words) => done(words.explained(steps, { E: 'Ann' })))";
        page.execute_async(script, vec![json!(steps)]).await.unwrap()
    }

    /// The list of payments of the control page and of a phone had a line for each payer and reason.
    #[tokio::test]
    async fn who_pay_the_same_for_the_same_share_a_line() {
        let Some((_driver, page)) = browser().await else { return };
        let served = Served::serve();
        page.goto(&format!("{}scoreboard", served.address)).await.unwrap();
        let of_mcr = [
            "Ann, W, N pay 18 each: 18: a self-draw, for which each pays",
            "Ann, W, N pay 8 each: each pays that besides",
        ];
        assert_eq!(explained(&page, "mcr", "18").await, json!(of_mcr));
        let of_riichi = [
            "5 han: 2000 from 5 han on",
            "Ann pays 4000: 2000 × 2: a self-draw, for which each pays, East pays another share",
            "W, N pay 2000 each: 2000: a self-draw, for which each pays",
        ];
        assert_eq!(explained(&page, "riichi", "5/30").await, json!(of_riichi));
        page.close().await.unwrap();
    }

    /// How often a text stands on the overlay.
    async fn times(page: &Client, text: &str) -> Value {
        let script = "return document.body.innerText.split(arguments[0]).length - 1";
        page.execute(script, vec![json!(text)]).await.unwrap()
    }

    /// "18: a self-draw, for which each pays · 8: each pays that besides" stood on air three times.
    #[tokio::test]
    async fn what_several_pay_for_is_said_once() {
        let Some((_driver, page)) = browser().await else { return };
        let folder = tempfile::tempdir().unwrap();
        let of_mcr = ["18: a self-draw, for which each pays · 8: each pays that besides"];
        let of_riichi = [
            "Cy, Di: 2000: a self-draw, for which each pays",
            "2000 × 2: a self-draw, for which each pays, East pays another share",
        ];
        for (rules, worth, once) in [("mcr", "18", &of_mcr[..]), ("riichi", "5/30", &of_riichi)] {
            let served = served(&folder, rules, &[]);
            let won = json!({ "seat": "S", "win": "self_draw", "worth": worth });
            for (path, words) in [("api/context", won), ("api/confirm", json!({}))] {
                let reply = served.post(path, &words);
                assert_eq!(reply.status, 200, "{path}: {}", reply.text());
            }
            for layout in ["hand", "table"] {
                open(&page, &served, &format!("overlay?lang=en&layout={layout}"), "#total").await;
                for line in once {
                    until(&page, &format!("document.body.innerText.includes({})", json!(line)))
                        .await;
                    assert_eq!(times(&page, line).await, json!(1), "{layout}: {line}");
                }
                let all = times(&page, "for which each pays").await;
                assert_eq!(all, json!(once.len()), "{rules} {layout}");
            }
        }
        page.close().await.unwrap();
    }
}

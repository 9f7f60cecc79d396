//! Every page under axe-core: names, roles, contrast, structure, as by day and by night. Without its package
//! (`scripts/node-packages.sh`) the test says that it is skipped.

use crate::support::browser::{browser, by, until};
use crate::support::served::{Served, tilelens};
use fantoccini::Client;
use serde_json::Value;

/// The pages, each with what is there once it is filled, and what opens more of it.
const PAGES: [(&str, &str, &str); 8] = [
    (
        "control",
        "document.querySelectorAll('#who input').length >= 3",
        "for (const part of document.querySelectorAll('details')) part.open = true; document.querySelector('#fault').click()",
    ),
    ("overlay?layout=table", "document.querySelectorAll('.player').length === 4", ""),
    ("scoreboard", "document.querySelectorAll('.ranks tr').length >= 4", ""),
    ("scoreboard?show=seating", "document.querySelectorAll('#seating article').length === 1", ""),
    (
        "phone",
        "document.querySelectorAll('#rules option').length >= 5",
        "document.querySelector('#context').hidden = false",
    ),
    ("tiles", "document.querySelectorAll('#order .tile').length === 42", ""),
    (
        "desk",
        "document.querySelectorAll('#tables button').length === 1",
        "document.querySelector('#tables button').click(); for (const part of document.querySelectorAll('details')) part.open = true",
    ),
    (
        "table/1",
        "document.querySelectorAll('#who button').length === 4",
        "document.querySelector('#who button').click(); document.querySelector('#won input').click(); document.querySelector('#by input').click(); for (const part of document.querySelectorAll('details')) part.open = true",
    ),
];

/// A tournament of two rounds, the first of which is open.
fn hall(folder: &std::path::Path) -> String {
    let [file, players] = ["open.tlg", "players.csv"].map(|name| folder.join(name));
    std::fs::write(&players, "name\nAnn\nBo\nCy\nDi\n").unwrap();
    let [file, players] = [file, players].map(|path| path.to_str().unwrap().to_owned());
    for arguments in [
        &["new", &file, "--name", "Nordic Open", "--rules", "riichi-ema"][..],
        &["import", &file, &players],
        &["seat", &file, "--rounds", "2", "--seed", "7"],
        &["open", &file, "1"],
    ] {
        tilelens(&[&["tournament"], arguments].concat());
    }
    file
}

/// Where players and organisers read figures, which have a contrast of 7 to 1 (4.5 to 1 in large type).
const FIGURES: &str =
    ".pay span, .pick small, .ranks td, #tables .name, #clock, #standings li, #waits .pay span";

/// What axe-core finds: each rule with the first of the elements that break it.
async fn violations(page: &Client, axe: &str) -> Value {
    page.execute(axe, vec![]).await.unwrap();
    let run = "const [figures, done] = arguments;
        const said = ({ violations }) => violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 120)).slice(0, 3).join(' | ')}`);
        const some = [...document.querySelectorAll(figures)];
        const enhanced = { resultTypes: ['violations'], runOnly: ['color-contrast-enhanced'], rules: { 'color-contrast-enhanced': { enabled: true } } };
        axe.run(document, { resultTypes: ['violations'] })
          .then(async (all) => done([...said(all), ...(some.length ? said(await axe.run(some, enhanced)) : [])]))
          .catch((error) => done([String(error)]))";
    page.execute_async(run, vec![FIGURES.into()]).await.unwrap()
}

#[tokio::test]
async fn no_page_breaks_a_rule_of_axe() {
    let package = concat!(env!("CARGO_MANIFEST_DIR"), "/node_modules/axe-core/axe.min.js");
    let Ok(axe) = std::fs::read_to_string(package) else {
        eprintln!("skipped: there is no axe-core (scripts/node-packages.sh installs it)");
        return;
    };
    let Some((_driver, page)) = browser().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let served = Served::start(&[
        "serve",
        "--port",
        "0",
        "--ledger",
        &hall(folder.path()),
        "--table",
        "1001",
    ]);
    let mut found = Vec::new();
    for time in ["day", "night"] {
        by(&page, time).await;
        for (path, is_filled, more) in PAGES {
            page.goto(&format!("{}{path}", served.address)).await.unwrap();
            until(&page, is_filled).await;
            page.execute(more, vec![]).await.unwrap();
            until(&page, "document.getAnimations().every((one) => one.playState === 'finished')")
                .await;
            let broken = violations(&page, &axe).await;
            let broken = broken.as_array().unwrap().iter();
            found.extend(broken.map(|one| format!("{path} by {time}: {one}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    page.close().await.unwrap();
}

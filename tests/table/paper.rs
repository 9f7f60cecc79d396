//! An organiser's prints, as a browser prints them: pages full enough, heads of tables on each.

use std::{fs, path::PathBuf, process::Command};

use crate::support::browser::browser;
use crate::support::organiser::Evening;
use fantoccini::{
    Client,
    wd::{PrintConfigurationBuilder, PrintMargins, PrintSize},
};

/// A printed page: its words, each with its lowest point as a share of the page's height.
struct Page(Vec<(String, f64)>);

impl Page {
    fn text(&self) -> String {
        self.0.iter().map(|(word, _)| word.as_str()).collect::<Vec<_>>().join(" ")
    }

    /// How far down something is printed.
    fn used(&self) -> f64 {
        self.0.iter().map(|(_, low)| *low).fold(0.0, f64::max)
    }

    /// A score sheet, the list by name, the standings or the schedule.
    fn kind(&self) -> &'static str {
        let text = self.text();
        match () {
            () if text.contains("Final score") => "score sheet",
            () if text.contains("Player No. R1") => "by name",
            () if text.contains("Rank No. Player") => "standings",
            () if text.contains("Table East South West North") => "schedule",
            () => "without a head",
        }
    }
}

/// The pages of an evening, printed and kept as `target/screenshots/NAME.pdf`.
async fn printed(page: &Client, evening: &Evening, name: &str) -> Vec<Page> {
    evening.write("sheets.html", evening.ok(&["sheets", "@"]).as_bytes());
    page.goto(&format!("file://{}", evening.path("sheets.html").display())).await.unwrap();
    let margins = PrintMargins { top: 1.2, bottom: 1.2, left: 1.2, right: 1.2 };
    let a4 = PrintConfigurationBuilder::default().size(PrintSize::A4).margins(margins);
    let a4 = a4.background(true).build().unwrap();
    // The driver gives a page ten seconds to print, which sheets for 200 players may take beside other work.
    let mut pdf = page.print(a4.clone()).await;
    for _ in 0..3 {
        if pdf.as_ref().is_err_and(|error| error.to_string().contains("imeout")) {
            pdf = page.print(a4.clone()).await;
        }
    }
    let pdf = pdf.unwrap();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    fs::create_dir_all(&folder).unwrap();
    let kept = folder.join(format!("{name}.pdf"));
    fs::write(&kept, pdf).unwrap();
    let output = Command::new("pdftotext").arg("-bbox").arg(kept).arg("-").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let number = |line: &str, key: &str| -> f64 {
        let (_, rest) = line.split_once(&format!("{key}=\"")).unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    let mut pages: Vec<(f64, Page)> = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("<page") {
            pages.push((number(line, "height"), Page(Vec::new())));
        } else if line.starts_with("<word") {
            let (height, page) = pages.last_mut().unwrap();
            let word = line.split_once('>').unwrap().1.trim_end_matches("</word>");
            page.0.push((word.to_owned(), number(line, "yMax") / *height));
        }
    }
    pages.into_iter().map(|(_, page)| page).collect()
}

#[tokio::test]
async fn sheets_fill_their_pages() {
    let Some((_driver, page)) = browser().await else { return };
    if Command::new("pdftotext").arg("-v").output().is_err() {
        eprintln!(
            "skipped: there is no pdftotext (scripts/install-packages.sh --for-tests installs it)"
        );
        return;
    }
    // Reported: sheets for 120 began with an almost empty page and had heads on first pages only.
    for (players, rounds, rules) in
        [(4_usize, 2, "riichi"), (37, 3, "chumchu"), (120, 3, "mcr"), (200, 2, "chumchu")]
    {
        let evening = Evening::begun_with(&["--rules", rules, "--like", "chumchu"]);
        let mut people = String::from("name,reserve\n");
        (0..players).for_each(|one| people += &format!("Firstname{one:03} Longer-Lastname,\n"));
        (0..4).for_each(|one| people += &format!("Reserve {one},yes\n"));
        evening.write("people.csv", people.as_bytes());
        evening.ok(&["import", "@", "people.csv"]);
        evening.ok(&[
            "seat",
            "@",
            "--rounds",
            &rounds.to_string(),
            "--seed",
            "x",
            "--start",
            "2026-01-10 18:00",
        ]);
        let scores = if rules == "riichi" {
            ["40000", "30000", "20000", "10000"]
        } else {
            ["34", "-12", "-20", "-2"]
        };
        evening.ok(&[&["result", "@", "1", "1"][..], &scores].concat());
        let pages = printed(&page, &evening, &format!("sheets-{players}")).await;
        let kinds: Vec<&str> = pages.iter().map(Page::kind).collect();
        let tables = players.div_ceil(4);
        let count = |kind| kinds.iter().filter(|one| **one == kind).count();
        assert_eq!(count("score sheet"), tables * rounds, "{players}: {kinds:?}");
        assert_eq!(count("without a head"), 0, "{players}: {kinds:?}");
        assert!(count("standings") > 0, "{players}: {kinds:?}");
        for (number, sheet) in (1..).zip(&pages) {
            let last = kinds.get(number).is_none_or(|next| *next != sheet.kind());
            assert!(
                last || sheet.used() > 1.0 / 3.0,
                "{players}: page {number} is used to {:.2}: {}",
                sheet.used(),
                sheet.text()
            );
            assert!(
                sheet.kind() != "score sheet" || sheet.used() > 0.8,
                "{players}: page {number}"
            );
        }
        // Everybody is listed by name.
        let listed: String = pages
            .iter()
            .filter(|page| page.text().contains("Player No. R1"))
            .map(Page::text)
            .collect();
        for one in 0..players {
            assert!(listed.contains(&format!("Firstname{one:03}")), "{players}: {one}");
        }
    }
}

//! `tilelens tournament publish`: what everybody outside the hall reads.

use std::{
    collections::BTreeSet,
    fs,
    sync::atomic::{AtomicBool, Ordering},
};

use crate::support::organiser::Evening;

/// A tournament of two rounds with times, of which one table has a result.
fn evening() -> Evening {
    let evening = Evening::begun();
    let people: String = (0..8).map(|place| format!("Player {place:02}\n")).collect();
    evening.write("people.csv", format!("name\n{people}").as_bytes());
    evening.ok(&["import", "@", "people.csv"]);
    evening.ok(&["seat", "@", "--rounds", "2", "--start", "2030-11-21 18:00"]);
    evening.ok(&["result", "@", "1", "1", "34", "-12", "-20", "-2"]);
    evening
}

/// The values of a property of a calendar, lines that were folded put together again.
fn values(calendar: &str, property: &str) -> Vec<String> {
    let whole = calendar.replace("\r\n ", "");
    let lines =
        whole.split("\r\n").filter_map(|line| line.strip_prefix(property)?.strip_prefix(':'));
    lines.map(str::to_owned).collect()
}

#[test]
fn the_standings_and_the_rounds_are_files_for_any_web_server() {
    let evening = evening();
    let said = evening.ok(&["publish", "@", "www/open"]);
    assert!(said.contains("index.html") && said.contains("rounds.ics"), "{said}");
    let page = fs::read_to_string(evening.path("www/open/index.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"), "{page}");
    for said in [
        "Evening &lt;i&gt;&amp; Co&lt;/i&gt;: standings",
        "results: 1 of 4 tables",
        "Player 07",
        "Round 2, 2030-11-21",
        "href=\"rounds.ics\"",
    ] {
        assert!(page.contains(said), "{said} in {page}");
    }
    assert!(page.find(": standings") < page.find("Round 1,"), "the standings come first");
    for foreign in ["http:", "https:", "<script", "<link", "<img", "url(", "<i>"] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    let names: BTreeSet<String> = fs::read_dir(evening.path("www/open"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names, ["index.html", "rounds.ics"].map(str::to_owned).into());
    // What has happened since is in the next ones.
    evening.ok(&["result", "@", "1", "2", "0", "0", "0", "0"]);
    evening.ok(&["publish", "@", "www/open", "--lang", "da"]);
    let page = fs::read_to_string(evening.path("www/open/index.html")).unwrap();
    assert!(page.contains("<html lang=\"da\">") && page.contains("2 af 4 borde"), "{page}");
}

#[test]
fn calendars_have_each_round_once_however_often_they_are_read() {
    let evening = evening();
    let calendar = || {
        evening.ok(&["publish", "@", "www"]);
        fs::read_to_string(evening.path("www/rounds.ics")).unwrap()
    };
    let first = calendar();
    assert!(first.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:"), "{first}");
    assert!(first.ends_with("END:VCALENDAR\r\n"), "{first}");
    assert!(first.split_inclusive('\n').all(|line| line.ends_with("\r\n")), "{first:?}");
    assert!(first.split("\r\n").all(|line| line.len() <= 75), "{first}");
    assert_eq!(values(&first, "BEGIN"), ["VCALENDAR", "VEVENT", "VEVENT"]);
    assert_eq!(values(&first, "DTSTART")[0], "20301121T180000Z");
    assert_eq!(values(&first, "DTEND")[0], "20301121T200000Z", "a session of chumchu is two hours");
    assert_eq!(values(&first, "SUMMARY")[1], "Evening <i>& Co</i>: Round 2");
    let ids = values(&first, "UID");
    assert_ne!(ids[0], ids[1]);
    // A round that began later is the same entry at its own time.
    evening.ok(&["clock", "@", "1", "--start", "--at", "2030-11-21 18:25"]);
    let later = calendar();
    assert_eq!(values(&later, "UID"), ids);
    assert_eq!(values(&later, "DTSTART")[0], "20301121T182500Z");
    // Rounds without times are in no calendar, and nothing links an empty one.
    let untimed = Evening::seated(8, "2");
    untimed.ok(&["publish", "@", "www"]);
    let calendar = fs::read_to_string(untimed.path("www/rounds.ics")).unwrap();
    assert_eq!(values(&calendar, "BEGIN"), ["VCALENDAR"]);
    let page = fs::read_to_string(untimed.path("www/index.html")).unwrap();
    assert!(!page.contains("href="), "{page}");
}

#[test]
fn a_reader_never_gets_half_a_page() {
    let evening = evening();
    evening.ok(&["publish", "@", "www"]);
    let (page, ends) = (evening.path("www/index.html"), AtomicBool::new(false));
    std::thread::scope(|scope| {
        let reads = scope.spawn(|| {
            let mut reads = 0;
            while !ends.load(Ordering::Relaxed) {
                let text = fs::read_to_string(&page).unwrap();
                assert!(text.ends_with("</html>"), "{text}");
                reads += 1;
            }
            reads
        });
        for _ in 0..5 {
            evening.ok(&["publish", "@", "www"]);
        }
        ends.store(true, Ordering::Relaxed);
        assert!(reads.join().unwrap() > 5);
    });
}

#[test]
fn what_cannot_be_published_is_refused_and_nothing_is_lost() {
    let evening = evening();
    evening.write("file", b"mine");
    let refused = evening.refused(&["publish", "@", "file"]);
    assert!(refused.contains("file"), "{refused}");
    assert_eq!(fs::read(evening.path("file")).unwrap(), b"mine");
    let undrawn = Evening::begun();
    let refused = undrawn.refused(&["publish", "@", "www"]);
    assert!(refused.contains("seat"), "{refused}");
    assert!(!undrawn.path("www").exists());
}

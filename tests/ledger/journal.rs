//! The journal beside a ledger: what it has, and what a repair makes of it.

use std::{fs, path::Path, process::Command};

use crate::support::kept::{
    DRAW, UNGUARDED, append, endless, evening, journal, meddle, opened, paid, seated, with_hand,
    without_journal,
};
use sqlx::{Connection, SqliteConnection};
use tilelens::{
    ledger::{self, Ledger, LedgerError, repair},
    table::Recorded,
};

/// Something that is done to a file.
type Deed = fn(&Path);

/// The ways in which a ledger's file is lost as a whole.
const LOST: [(&str, Deed); 3] = [
    ("removed", |file| fs::remove_file(file).unwrap()),
    ("emptied", |file| fs::write(file, "").unwrap()),
    ("overwritten", |file| {
        let size = fs::metadata(file).unwrap().len() as usize;
        fs::write(file, vec![0xA5; size]).unwrap();
    }),
];

/// All rows of a ledger, as SQLite has them.
async fn rows(file: &Path) -> Vec<(i64, i64, String, Vec<u8>)> {
    let mut file = SqliteConnection::connect(file.to_str().unwrap()).await.unwrap();
    let sql = "SELECT log, seq, body, hash FROM events ORDER BY log, seq";
    sqlx::query_as(sql).fetch_all(&mut file).await.unwrap()
}

async fn events(file: &Path) -> Vec<Recorded> {
    let ledger = Ledger::read(file).await.unwrap();
    let events = ledger.events(1).await.unwrap();
    ledger.close().await;
    events
}

/// Repairs a ledger of which every event is left.
async fn repaired_whole(file: &Path) {
    let done = repair(file).await.unwrap();
    assert!(done.logs.iter().all(|log| log.intact == log.events && log.problems.is_empty()));
    let ledger = Ledger::read(file).await.unwrap();
    assert!(ledger.verify().await.unwrap().is_intact());
    ledger.close().await;
}

/// Tables and their tournament, also a name that an entry was sent by, and text of every kind.
#[tokio::test]
async fn of_a_file_that_is_lost_the_journal_has_every_row() {
    let folder = tempfile::tempdir().unwrap();
    for (how, lose) in LOST {
        let file = folder.path().join(format!("{how}.tlg"));
        let hall = seated(&file, 8, 1).await;
        append(&hall, 1001, with_hand(1)).await.unwrap();
        let named = ledger::Entry::new(DRAW, "Zoë \"麻\"\\").once("a name\n\u{1f}");
        hall.append(1002, named.clone()).await.unwrap();
        hall.close().await;
        let before = rows(&file).await;
        lose(&file);
        for opened in [Ledger::open(&file).await, Ledger::create(&file).await] {
            let error = opened.unwrap_err();
            assert!(error.may_be_damage(), "{how}: {error}");
            assert!(error.to_string().contains("verify --repair"), "{how}: {error}");
        }
        let done = Command::new(env!("CARGO_BIN_EXE_tilelens"))
            .args(["table", "verify", "--repair"])
            .arg(&file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success() && said.contains("every event was kept"), "{how}: {done:?}");
        assert_eq!(rows(&file).await, before, "{how}");
        // It goes on, knows what was sent again, and has a journal of its own.
        let hall = Ledger::open(&file).await.unwrap();
        assert_eq!(hall.append(1002, named).await.unwrap().history.len(), 1);
        append(&hall, 1001, DRAW).await.unwrap();
        hall.close().await;
        let before = rows(&file).await;
        lose(&file);
        repaired_whole(&file).await;
        assert_eq!(rows(&file).await, before, "{how}");
    }
}

/// A ledger from before there were journals has one once it is opened to be written to, not when it is looked at.
#[tokio::test]
async fn an_old_ledger_gets_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    evening(&file, 6).await.close().await;
    let whole = fs::read(journal(&file)).unwrap();
    without_journal(&file);
    Ledger::read(&file).await.unwrap().close().await;
    assert!(!journal(&file).exists(), "looking makes none");
    Ledger::open(&file).await.unwrap().close().await;
    assert_eq!(fs::read(journal(&file)).unwrap(), whole);
    Ledger::open(&file).await.unwrap().close().await;
    assert_eq!(fs::read(journal(&file)).unwrap(), whole, "and nothing twice");
    // A damaged journal is completed, too.
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(journal(&file), damaged).unwrap();
    Ledger::open(&file).await.unwrap().close().await;
    let before = rows(&file).await;
    fs::remove_file(&file).unwrap();
    repaired_whole(&file).await;
    assert_eq!(rows(&file).await, before);
}

/// An empty file without a journal is a new ledger, and nothing is left where the first entry is refused.
#[tokio::test]
async fn a_refused_ledger_leaves_no_journal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    // What cannot be a journal stands in its place.
    fs::create_dir(journal(&file)).unwrap();
    let refused = Ledger::create(&file).await.unwrap_err();
    assert!(refused.to_string().contains("evening.tlg.journal"), "{refused}");
    fs::remove_dir(journal(&file)).unwrap();
    fs::write(&file, "").unwrap();
    let ledger = Ledger::create(&file).await.unwrap();
    assert!(!journal(&file).exists());
    assert!(append(&ledger, 1, DRAW).await.is_err(), "no table is open");
    assert!(!journal(&file).exists());
    append(&ledger, 1, opened("mmm")).await.unwrap();
    assert!(journal(&file).exists());
}

/// Nothing is written that its journal would lack.
#[tokio::test]
async fn an_entry_that_the_journal_cannot_take_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let ledger = evening(&file, 2).await;
    let away = folder.path().join("away");
    fs::rename(journal(&file), &away).unwrap();
    fs::create_dir(journal(&file)).unwrap();
    for _ in 0..2 {
        let refused = append(&ledger, 1, DRAW).await.unwrap_err();
        assert!(matches!(refused, LedgerError::Full { .. }), "{refused:?}");
        assert!(refused.to_string().contains("evening.tlg.journal"), "{refused}");
    }
    assert_eq!(ledger.events(1).await.unwrap().len(), 3);
    fs::remove_dir(journal(&file)).unwrap();
    fs::rename(away, journal(&file)).unwrap();
    append(&ledger, 1, DRAW).await.unwrap();
    ledger.close().await;
    fs::remove_file(&file).unwrap();
    repaired_whole(&file).await;
    assert_eq!(events(&file).await.len(), 4);
}

/// Two who write in turns, each with the file open all the time.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_journal_of_several_writers_is_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let ledger = Ledger::create(&file).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    let mut writers = Vec::new();
    for _ in 0..4 {
        let ledger = Ledger::open(&file).await.unwrap();
        writers.push(tokio::spawn(async move {
            for _ in 0..10 {
                append(&ledger, 1, DRAW).await.unwrap();
            }
        }));
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let before = rows(&file).await;
    assert_eq!(before.len(), 41);
    let lines = fs::read_to_string(journal(&file)).unwrap().lines().count();
    assert_eq!(lines, 42, "its title, and each row once");
    fs::remove_file(&file).unwrap();
    repaired_whole(&file).await;
    assert_eq!(rows(&file).await, before);
}

/// What damage has made of a file does not come into its journal, also where somebody opens it to write.
#[tokio::test]
async fn damage_does_not_spread_to_the_journal() {
    for sql in [
        "UPDATE events SET author = 'Eve' WHERE seq = 6",
        "DELETE FROM events WHERE seq = 4",
        "DELETE FROM events WHERE seq >= 7",
        "DELETE FROM events",
        "DELETE FROM heads",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("evening.tlg");
        evening(&file, 8).await.close().await;
        let before = events(&file).await;
        meddle(&file, UNGUARDED).await;
        meddle(&file, sql).await;
        Ledger::open(&file).await.unwrap().close().await;
        repaired_whole(&file).await;
        assert_eq!(events(&file).await, before, "{sql}");
    }
}

/// Half of each is lost, and all is there.
#[tokio::test]
async fn what_the_file_and_the_journal_have_is_put_together() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let ledger = Ledger::create(&file).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    for deal in 0..30 {
        append(&ledger, 1, with_hand(deal % 4)).await.unwrap();
    }
    ledger.close().await;
    let before = events(&file).await;
    meddle(&file, UNGUARDED).await;
    meddle(&file, "DELETE FROM events WHERE seq % 2 = 0").await;
    let text = fs::read_to_string(journal(&file)).unwrap();
    let is_odd = |line: &&str| {
        let (_, seq) = line.split_once("\"seq\":").unwrap_or_default();
        seq.split(',').next().and_then(|seq| seq.parse().ok()).is_some_and(|seq: u64| seq % 2 == 1)
    };
    let damaged: Vec<String> = text
        .lines()
        .map(|line| line.replacen("\"at\"", if is_odd(&line) { "\"et\"" } else { "\"at\"" }, 1))
        .collect();
    fs::write(journal(&file), damaged.join("\n")).unwrap();
    repaired_whole(&file).await;
    assert_eq!(events(&file).await, before);
}

/// A ledger goes on from an older copy: what was written after the copy comes back neither by itself nor among what is
/// written instead, and still stands in the text.
#[tokio::test]
async fn a_ledger_goes_on_from_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let (file, copy) = (folder.path().join("evening.tlg"), folder.path().join("copy.tlg"));
    let ledger = evening(&file, 3).await;
    ledger::backup(&file, &copy).await.unwrap();
    assert!(!journal(&copy).exists(), "a backup is one file");
    for winner in 0..3 {
        append(&ledger, 1, paid(winner)).await.unwrap();
    }
    ledger.close().await;
    let text = fs::read_to_string(journal(&file)).unwrap();
    fs::copy(&copy, &file).unwrap();
    let ledger = Ledger::open(&file).await.unwrap();
    assert_eq!(ledger.events(1).await.unwrap().len(), 4);
    append(&ledger, 1, DRAW).await.unwrap();
    ledger.close().await;
    assert!(fs::read_to_string(journal(&file)).unwrap().starts_with(&text));
    let before = events(&file).await;
    fs::write(&file, "").unwrap();
    repaired_whole(&file).await;
    assert_eq!(events(&file).await, before);
    // Another ledger in the file's place: its rows are the journal's from then on.
    fs::remove_file(&file).unwrap();
    fs::remove_file(journal(&copy)).ok();
    let other = Ledger::create(&folder.path().join("other.tlg")).await.unwrap();
    append(&other, 1, endless()).await.unwrap();
    append(&other, 1, paid(3)).await.unwrap();
    other.close().await;
    fs::rename(folder.path().join("other.tlg"), &file).unwrap();
    Ledger::open(&file).await.unwrap().close().await;
    let before = events(&file).await;
    fs::remove_file(&file).unwrap();
    repaired_whole(&file).await;
    assert_eq!(events(&file).await, before);
}

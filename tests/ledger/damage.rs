//! Damaged ledgers: their verification, and the events and report of a repair.

use std::{fs, path::Path};

use crate::support::kept::{
    DRAW, UNGUARDED, append, endless, evening, first_format, journal, meddle, opened, paid,
    with_hand, without_journal,
};
use sqlx::{Connection, SqliteConnection};
use tilelens::{
    ledger::{Ledger, LedgerError, repair},
    table::{Event, Loss},
};

#[tokio::test]
async fn a_changed_event_is_found_and_it_alone_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    evening(&path, 8).await.close().await;
    without_journal(&path);
    meddle(&path, UNGUARDED).await;
    // Somebody writes himself a better deal.
    meddle(&path, "UPDATE events SET body = replace(body, '\"24\"', '\"96\"') WHERE seq = 6").await;
    let ledger = Ledger::open(&path).await.unwrap();
    let error = ledger.state(1).await.unwrap_err();
    assert!(matches!(error, LedgerError::Log { seq: 6, .. }));
    assert!(error.to_string().contains("verify --repair"), "{error}");
    assert!(append(&ledger, 1, DRAW).await.is_err(), "nothing is added to a broken chain");
    let found = ledger.verify().await.unwrap();
    let (seq, what) = found.logs[0].fault.clone().unwrap();
    assert_eq!((seq, found.logs[0].intact, found.logs[0].events), (6, 5, 9));
    assert!(what.contains("hash"), "{what}");
    ledger.close().await;
    let done = repair(&path).await.unwrap();
    assert_eq!((done.logs[0].intact, done.logs[0].events), (8, 9));
    assert_eq!(done.logs[0].lost, [Loss { first: 6, last: 6, deals: Some(1) }]);
    assert!(done.backup.exists());
    let ledger = Ledger::open(&path).await.unwrap();
    let found = ledger.verify().await.unwrap();
    assert!(found.is_intact() && found.has_losses());
    assert_eq!(ledger.state(1).await.unwrap().history.len(), 7);
    append(&ledger, 1, DRAW).await.unwrap();
    // The damaged file is unchanged.
    let damaged = Ledger::read(&done.backup).await.unwrap();
    assert_eq!(damaged.verify().await.unwrap().logs[0].events, 9);
}

#[tokio::test]
async fn what_is_missing_in_the_middle_or_at_the_end_is_found() {
    for (sql, fault) in [
        ("DELETE FROM events WHERE seq = 4", 4),
        ("DELETE FROM events WHERE seq >= 7", 7),
        ("DELETE FROM events", 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.tlg");
        evening(&path, 8).await.close().await;
        meddle(&path, UNGUARDED).await;
        meddle(&path, sql).await;
        let ledger = Ledger::read(&path).await.unwrap();
        let found = ledger.verify().await.unwrap();
        assert_eq!(found.logs[0].fault.as_ref().unwrap().0, fault, "{sql}: {found:?}");
    }
}

/// Written on, the log would look whole again.
#[tokio::test]
async fn a_log_whose_end_is_missing_is_not_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    evening(&path, 8).await.close().await;
    meddle(&path, UNGUARDED).await;
    meddle(&path, "DELETE FROM events WHERE seq >= 7").await;
    let ledger = Ledger::open(&path).await.unwrap();
    let refused = append(&ledger, 1, DRAW).await.unwrap_err().to_string();
    assert!(refused.contains("events 7 to 9 of table 1 are missing"), "{refused}");
    assert_eq!(ledger.events(1).await.unwrap().len(), 6);
}

/// The note of the last event shows a truncation; where it alone is lost, no event is.
#[tokio::test]
async fn a_lost_note_of_the_last_event_costs_no_event() {
    for sql in ["DELETE FROM heads", "UPDATE heads SET seq = 8", "UPDATE heads SET hash = x'00'"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.tlg");
        evening(&path, 8).await.close().await;
        without_journal(&path);
        meddle(&path, sql).await;
        let ledger = Ledger::read(&path).await.unwrap();
        let found = ledger.verify().await.unwrap();
        ledger.close().await;
        assert!(!found.is_intact(), "{sql}");
        let log = &found.logs[0];
        assert_eq!((log.intact, log.events, &log.fault), (9, 9, &None), "{sql}");
        assert!(log.note.is_some(), "{sql}");
        assert_eq!(repair(&path).await.unwrap().logs[0].intact, 9, "{sql}");
        let mended = Ledger::read(&path).await.unwrap();
        assert!(mended.verify().await.unwrap().is_intact(), "{sql}");
        assert_eq!(mended.state(1).await.unwrap().history.len(), 8, "{sql}");
    }
}

#[tokio::test]
async fn a_damaged_file_of_the_first_format_is_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    first_format(&path).await;
    meddle(&path, UNGUARDED).await;
    meddle(&path, "UPDATE events SET author = 'Eve' WHERE seq = 3").await;
    let done = repair(&path).await.unwrap();
    assert_eq!((done.logs[0].intact, done.logs[0].events), (3, 4));
    let ledger = Ledger::open(&path).await.unwrap();
    assert_eq!(ledger.state(1).await.unwrap().history.len(), 2);
}

/// A ledger of one table, closed, and its bytes.
async fn sixty_deals(path: &Path) -> Vec<u8> {
    let ledger = Ledger::create(path).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    for deal in 0..60 {
        append(&ledger, 1, with_hand(deal % 4)).await.unwrap();
    }
    ledger.close().await;
    fs::read(path).unwrap()
}

/// Repairs a file and returns the number of kept events; the result is intact.
async fn kept_of(path: &Path) -> u64 {
    let done = repair(path).await.unwrap_or_else(|error| panic!("{error}"));
    let repaired = Ledger::open(path).await.unwrap();
    assert!(repaired.verify().await.unwrap().is_intact());
    let events = repaired.events(1).await.unwrap();
    assert_eq!(events.len() as u64, done.logs[0].events);
    let whole = events.iter().filter(|one| !matches!(one.event, Event::Lost { .. })).count();
    assert_eq!(whole as u64, done.logs[0].intact);
    repaired.close().await;
    done.logs[0].intact
}

#[tokio::test]
async fn of_a_file_that_was_cut_off_what_is_left_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = sixty_deals(&folder.path().join("whole.tlg")).await;
    let mut kept = Vec::new();
    for share in [40, 70, 95] {
        let path = folder.path().join(format!("cut-{share}.tlg"));
        let cut = &bytes[..bytes.len() * share / 100 + 57];
        fs::write(&path, cut).unwrap();
        // The beginning of the log need not be at the beginning of the file.
        if let Err(LedgerError::NothingLeft(_)) = repair(&path).await {
            kept.push(0);
            continue;
        }
        without_journal(&path);
        fs::write(&path, cut).unwrap();
        kept.push(kept_of(&path).await);
        // Where the damaged one went it is as it was.
        let backup = folder.path().join(format!("cut-{share}.tlg.damaged-1"));
        assert!(fs::read(backup).unwrap() == cut);
    }
    assert!(kept.is_sorted() && (20..61).contains(&kept[2]), "{kept:?}");
}

/// The header, the schema and the top of the tree are not needed for the events in the other pages.
#[tokio::test]
async fn a_broken_beginning_costs_no_events_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let bytes = sixty_deals(&folder.path().join("whole.tlg")).await;
    for (name, damaged) in [("header", 0..100), ("first page", 0..4096), ("sixteen bytes", 0..16)] {
        for filling in [0, 0xA5] {
            let path = folder.path().join(format!("{name} {filling}.tlg"));
            let mut bytes = bytes.clone();
            bytes[damaged.clone()].fill(filling);
            fs::write(&path, bytes).unwrap();
            let error = Ledger::open(&path).await.unwrap_err();
            assert!(error.may_be_damage(), "{name}: {error}");
            assert!(error.to_string().contains("verify --repair"), "{name}: {error}");
            assert_eq!(kept_of(&path).await, 61, "{name}");
        }
    }
}

/// Whatever byte of the header is wrong: the file is read as it was, or a repair loses nothing.
#[tokio::test]
async fn no_byte_of_the_header_costs_an_event() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.tlg");
    evening(&whole, 8).await.close().await;
    let bytes = fs::read(&whole).unwrap();
    let path = folder.path().join("damaged.tlg");
    for place in 0..100 {
        for wrong in [0x00, 0x01, 0xA5, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[place] = wrong;
            fs::write(&path, damaged).unwrap();
            let opened = Ledger::read(&path).await;
            match opened {
                Ok(ledger) => {
                    let found = ledger.verify().await.unwrap();
                    ledger.close().await;
                    if found.is_intact() {
                        assert_eq!(found.logs[0].events, 9, "byte {place}: {wrong:#x}");
                        continue;
                    }
                }
                // A number that a later format may have.
                Err(LedgerError::Newer { .. }) => continue,
                Err(error) => assert!(error.may_be_damage(), "byte {place}: {wrong:#x}: {error}"),
            }
            assert_eq!(kept_of(&path).await, 9, "byte {place}: {wrong:#x}");
        }
    }
}

/// A connection closed later would remove the write-ahead log of a file that may be repaired by then.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_file_that_cannot_be_opened_is_closed_before_the_error_returns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    evening(&path, 1).await.close().await;
    meddle(&path, "PRAGMA user_version = 7").await;
    let held = || {
        let open = fs::read_dir("/proc/self/fd").unwrap().flatten();
        open.filter_map(|fd| fs::read_link(fd.path()).ok()).any(|file| file.starts_with(&path))
    };
    for _ in 0..20 {
        for opened in [Ledger::read(&path).await, Ledger::open(&path).await] {
            assert!(matches!(opened, Err(LedgerError::Newer { .. })));
            assert!(!held());
        }
    }
}

/// The last acknowledged events may be in the write-ahead log alone.
#[tokio::test]
async fn the_write_ahead_log_is_part_of_what_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = evening(&path, 5).await;
    // As after a crash: nobody has moved the log into the file.
    let copied = |name: &str, header: &dyn Fn(Vec<u8>) -> Vec<u8>| {
        let copy = folder.path().join(name);
        fs::write(&copy, header(fs::read(&path).unwrap())).unwrap();
        let log = fs::read(folder.path().join("evening.tlg-wal")).unwrap();
        assert!(log.len() > 4096, "there is a log");
        fs::write(folder.path().join(format!("{name}-wal")), log).unwrap();
        copy
    };
    let zeroed = copied("zeroed.tlg", &|mut file| {
        file.iter_mut().take(100).for_each(|byte| *byte = 0);
        file
    });
    assert_eq!(kept_of(&zeroed).await, 6);
    let empty = copied("empty.tlg", &|_| Vec::new());
    let error = Ledger::read(&empty).await.unwrap_err();
    assert!(matches!(error, LedgerError::Damaged { .. }), "{error}");
    assert_eq!(kept_of(&empty).await, 6);
    // A frame that was torn ends the log, as it does for SQLite.
    let torn = copied("torn.tlg", &|mut file| {
        file.iter_mut().take(100).for_each(|byte| *byte = 0);
        file
    });
    let log = folder.path().join("torn.tlg-wal");
    let mut bytes = fs::read(&log).unwrap();
    let last = bytes.len() - 100;
    bytes[last] ^= 0xFF;
    fs::write(&log, bytes).unwrap();
    assert_eq!(kept_of(&torn).await, 5);
    ledger.close().await;
}

#[tokio::test]
async fn a_file_that_never_was_a_ledger_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("diary.txt");
    let diary = "Dear diary, today we played mahjong. ".repeat(400);
    fs::write(&path, &diary).unwrap();
    let error = repair(&path).await.unwrap_err();
    assert!(matches!(error, LedgerError::NothingLeft(_)), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), diary);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// With its journal a ledger loses nothing; without, what the page holds.
#[tokio::test]
async fn broken_pages_lose_no_more_than_they_hold() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole.tlg");
    let ledger = Ledger::create(&whole).await.unwrap();
    for table in 1..=4 {
        append(&ledger, table, endless()).await.unwrap();
        for deal in 0..40 {
            append(&ledger, table, with_hand(deal % 4)).await.unwrap();
        }
    }
    let events = ledger.events(2).await.unwrap();
    ledger.close().await;
    let bytes = fs::read(&whole).unwrap();
    let (mut whole_ones, mut all_lost) = (0, 0);
    let pages = bytes.len() / 4096;
    for (page, has_journal) in (1..pages).flat_map(|page| [(page, true), (page, false)]) {
        let path = folder.path().join(format!("damaged-{page}-{has_journal}.tlg"));
        if has_journal {
            fs::copy(journal(&whole), journal(&path)).unwrap();
        }
        let mut damaged = bytes.clone();
        damaged[page * 4096..page * 4096 + 600].fill(0xA5);
        fs::write(&path, damaged).unwrap();
        let found = match Ledger::read(&path).await {
            Ok(ledger) => {
                let found = ledger.verify().await.unwrap();
                ledger.close().await;
                assert!(!found.is_intact(), "page {page}");
                true
            }
            Err(error) => {
                assert!(matches!(error, LedgerError::Damaged { .. }), "page {page}: {error}");
                false
            }
        };
        let done = repair(&path).await.unwrap();
        assert!(found || done.backup.exists());
        let ledger = Ledger::open(&path).await.unwrap();
        assert!(ledger.verify().await.unwrap().is_intact(), "page {page}");
        if ledger.tables().await.unwrap().contains(&2) {
            for kept in ledger.events(2).await.unwrap() {
                let lost = matches!(kept.event, Event::Lost { .. });
                assert!(lost || kept == events[kept.seq as usize - 1], "page {page}");
            }
        }
        let lost: u64 = done.logs.iter().map(|table| table.events - table.intact).sum();
        // No more than a page holds.
        let most = if has_journal { 0 } else { 20 };
        assert!(lost <= most, "page {page}: {lost} events lost");
        whole_ones += usize::from(lost == 0);
        all_lost += lost;
    }
    println!("{} broken pages: {all_lost} events lost without a journal", pages - 1);
    assert!(whole_ones > pages, "some pages hold no events");
}

#[tokio::test]
async fn a_truncated_file_is_reported_as_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = Ledger::create(&path).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    for deal in 0..60 {
        append(&ledger, 1, with_hand(deal % 4)).await.unwrap();
    }
    ledger.close().await;
    let bytes = fs::read(&path).unwrap();
    fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    let intact = match Ledger::read(&path).await {
        Ok(ledger) => ledger.verify().await.unwrap().is_intact(),
        Err(error) => {
            assert!(error.to_string().contains("damaged"), "{error}");
            false
        }
    };
    assert!(!intact);
}

/// An intact chain with impossible events: sums and winds are checked too.
#[tokio::test]
async fn an_audit_looks_at_sums_and_winds() {
    use sha2::{Digest, Sha256};
    for (from, to, what) in [
        (r#"["3","-1","-1","-1"]"#, r#"["9","-1","-1","-1"]"#, "add up to 6"),
        (r#""number":2,"round":"E","dealer":1"#, r#""number":2,"round":"S","dealer":1"#, "round S"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.tlg");
        let ledger = Ledger::create(&path).await.unwrap();
        append(&ledger, 1, opened("chumchu")).await.unwrap();
        append(&ledger, 1, paid(0)).await.unwrap();
        append(&ledger, 1, paid(0)).await.unwrap();
        ledger.close().await;
        // Rewrites the last event with a hash that fits.
        let mut file = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
        sqlx::raw_sql(UNGUARDED).execute(&mut file).await.unwrap();
        let before: Vec<u8> = sqlx::query_scalar("SELECT hash FROM events WHERE seq = 2")
            .fetch_one(&mut file)
            .await
            .unwrap();
        let (at, author, body): (String, String, String) =
            sqlx::query_as("SELECT at, author, body FROM events WHERE seq = 3")
                .fetch_one(&mut file)
                .await
                .unwrap();
        assert!(body.contains(from), "{body}");
        let body = body.replace(from, to);
        let mut hash = Sha256::new();
        hash.update(&before);
        hash.update(1u32.to_be_bytes());
        hash.update(3u64.to_be_bytes());
        for text in [&at, &author, "", &body] {
            hash.update((text.len() as u64).to_be_bytes());
            hash.update(text);
        }
        let hash = hash.finalize().to_vec();
        sqlx::query("UPDATE events SET body = ?, hash = ? WHERE seq = 3")
            .bind(&body)
            .bind(&hash)
            .execute(&mut file)
            .await
            .unwrap();
        sqlx::query("UPDATE heads SET hash = ?").bind(&hash).execute(&mut file).await.unwrap();
        file.close().await.unwrap();
        let found = Ledger::read(&path).await.unwrap().verify().await.unwrap();
        let fault = found.logs[0].fault.clone().unwrap();
        assert_eq!(fault.0, 3);
        assert!(fault.1.contains(what), "{}", fault.1);
    }
}

//! The promises of a ledger, in a file and in a database: each test is run in both.

use std::path::Path;

use crate::support::kept::{
    DRAW, append, endless, entry, evening, opened, paid, seated, with_hand,
};
use crate::support::postgres::{Place, Server, places};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tilelens::{
    ledger::{self, Act, Entry, Ledger, LedgerError, Role},
    table::{Event, TableError},
    tournament,
};

#[tokio::test]
async fn what_was_written_is_there_when_it_is_opened_again() {
    for Place { path, .. } in &places() {
        let ledger = evening(path, 7).await;
        let state = ledger.state(1).await.unwrap();
        let events = ledger.events(1).await.unwrap();
        ledger.close().await;
        let ledger = Ledger::open(path).await.unwrap();
        assert_eq!(ledger.state(1).await.unwrap(), state);
        assert_eq!(ledger.events(1).await.unwrap(), events);
        assert_eq!(ledger.tables().await.unwrap(), [1]);
        assert!(ledger.verify().await.unwrap().is_intact());
        assert!(matches!(ledger.state(2).await, Err(LedgerError::NoTable(2))));
    }
}

#[tokio::test]
async fn what_the_rules_refuse_is_not_written() {
    for Place { path, .. } in &places() {
        let ledger = evening(path, 2).await;
        let before = ledger.events(1).await.unwrap();
        let undo = Event::Undone { event: 40 };
        let refused = append(&ledger, 1, undo).await;
        assert!(matches!(refused, Err(LedgerError::Table(TableError::NoEvent(40)))));
        let refused = append(&ledger, 2, DRAW).await;
        assert!(matches!(refused, Err(LedgerError::Table(TableError::NotOpened))));
        assert_eq!(ledger.events(1).await.unwrap(), before);
        assert_eq!(ledger.tables().await.unwrap(), [1]);
    }
}

#[tokio::test]
async fn an_entry_that_is_sent_twice_is_written_once() {
    for Place { path, .. } in &places() {
        let ledger = evening(path, 2).await;
        let sent = || entry(with_hand(1)).once("deal-3");
        let first = ledger.append(1, sent()).await.unwrap();
        let second = ledger.append(1, sent()).await.unwrap();
        assert_eq!(first, second);
        // By another program too.
        let other = Ledger::open(path).await.unwrap();
        assert_eq!(other.append(1, sent()).await.unwrap(), first);
        assert_eq!(first.history.len(), 3);
        let another = ledger.append(1, entry(DRAW).once("deal-3")).await;
        assert!(matches!(another, Err(LedgerError::IdTaken { seq: 4, .. })));
    }
}

#[tokio::test]
async fn a_name_that_is_used_for_another_deal_is_refused() {
    for Place { path, .. } in &places() {
        let ledger = Ledger::create(path).await.unwrap();
        ledger.append(1, entry(opened("mmm"))).await.unwrap();
        ledger.append(1, entry(paid(0)).once("7")).await.unwrap();
        let again = ledger.append(1, entry(paid(0)).once("7")).await.unwrap();
        assert_eq!(again.history.len(), 1);
        let another = ledger.append(1, entry(paid(1)).once("7")).await;
        assert!(matches!(another, Err(LedgerError::IdTaken { .. })), "{another:?}");
        // A taken-back event is not acknowledged as if it counted.
        ledger.append(1, entry(Event::Undone { event: 2 })).await.unwrap();
        let undone = ledger.append(1, entry(paid(0)).once("7")).await;
        assert!(matches!(undone, Err(LedgerError::IdTaken { .. })), "{undone:?}");
    }
}

#[tokio::test]
async fn two_who_write_the_same_deal_write_it_once() {
    for Place { path, .. } in &places() {
        let one = evening(path, 2).await;
        let other = Ledger::open(path).await.unwrap();
        let seen = one.state(1).await.unwrap().last_event;
        assert_eq!(other.state(1).await.unwrap().last_event, seen);
        one.append(1, Entry::new(with_hand(1), "Ann").after(seen)).await.unwrap();
        let refused =
            other.append(1, Entry::new(with_hand(1), "Bo").after(seen)).await.unwrap_err();
        assert!(matches!(&refused, LedgerError::Meanwhile { author, .. } if author == "Ann"));
        assert_eq!(other.state(1).await.unwrap().history.len(), 3);
        // Having looked, he may go on.
        let seen = other.state(1).await.unwrap().last_event;
        other.append(1, Entry::new(DRAW, "Bo").after(seen)).await.unwrap();
        assert_eq!(one.state(1).await.unwrap().history.len(), 4);
    }
}

/// One writer at each of two hundred tables of a tournament, and its organiser, all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_tables_lose_and_double_nothing() {
    for Place { path, .. } in &places() {
        const TABLES: u32 = 200;
        const DEALS: usize = 16;
        const FINES: usize = 10;
        seated(path, 4 * TABLES as usize, 1).await.close().await;
        // Eight open files, so that the file's own lock is tried too.
        let mut ledgers = Vec::new();
        for _ in 0..8 {
            ledgers.push(std::sync::Arc::new(Ledger::open(path).await.unwrap()));
        }
        let mut writers = Vec::new();
        for table in 1001..=1000 + TABLES {
            let ledger = ledgers[table as usize % ledgers.len()].clone();
            writers.push(tokio::spawn(async move {
                for deal in 0..DEALS {
                    let sent =
                        entry(paid((deal + table as usize) % 4)).once(format!("deal-{deal}"));
                    let state = ledger.append(table, sent).await.unwrap();
                    assert_eq!(state.history.len(), deal + 1);
                }
            }));
        }
        let ledger = ledgers[0].clone();
        writers.push(tokio::spawn(async move {
            for fine in 0..FINES {
                let fined = ledger.organise("Ann", |hall| {
                    let player = hall.tournament()?.seated()?.numbers[fine / 2].clone();
                    let (cause, note) = ("error".into(), String::new());
                    let event =
                        tournament::Event::Penalty { player, cause, count: 1, points: None, note };
                    Ok::<_, LedgerError>(vec![Act::Tournament(event)])
                });
                fined.await.unwrap();
            }
        }));
        for writer in writers {
            writer.await.unwrap();
        }
        drop(ledgers);
        let ledger = Ledger::open(path).await.unwrap();
        assert_eq!(ledger.tables().await.unwrap(), (1001..=1000 + TABLES).collect::<Vec<_>>());
        for table in 1001..=1000 + TABLES {
            let state = ledger.state(table).await.unwrap();
            assert_eq!(state.history.len(), DEALS);
            // Everybody has won as often as the others: sixteen deals, four each.
            let first = &state.players[0];
            assert!(state.players.iter().all(|one| one.wins == 4 && one.total == first.total));
        }
        // Sixteen deals are a session: each table is a result, and nobody typed it.
        let hall = ledger.tournament_ledger().await.unwrap().tournament().unwrap();
        assert_eq!((hall.results.len(), hall.penalties.len()), (TABLES as usize, FINES));
        let standings = hall.standings().unwrap();
        let totals = standings.iter().map(|standing| standing.total.to_string());
        let fined = totals.filter(|total| total == "25/2").count();
        assert_eq!(fined, FINES / 2, "all are level at 85/2; two penalties each cost 10 and 20");
        assert!(ledger.verify().await.unwrap().is_intact());
    }
}

/// Logs are read a thousand events at a time, joined; names that look like the joints are kept apart.
#[tokio::test]
async fn a_long_log_is_read_as_it_was_written() {
    for Place { path, .. } in &places() {
        let ledger = seated(path, 4, 1).await;
        let discard = |turn: usize| Event::Discarded { player: turn % 4, tile: "5p".into() };
        let named = |name: &str, turn| entry(discard(turn)).once(name);
        let several = |count: usize| -> Vec<Act> {
            (0..count).map(|turn| Act::Table(1001, discard(turn))).collect()
        };
        // The first thousand ends where the events with names begin, which are read alone.
        ledger.organise("Ann", |_| Ok::<_, LedgerError>(several(998))).await.unwrap();
        ledger.append(1001, named("a\u{1f}b", 1)).await.unwrap();
        ledger.append(1001, named("\u{1f}", 2)).await.unwrap();
        ledger.append(1001, named("c", 3)).await.unwrap();
        ledger.organise("Ann", |_| Ok::<_, LedgerError>(several(1999))).await.unwrap();
        let written = ledger.events(1001).await.unwrap();
        assert_eq!(written.len(), 3001);
        for _ in 0..2 {
            let other = Ledger::open(path).await.unwrap();
            assert_eq!(other.events(1001).await.unwrap(), written);
            assert!(other.verify().await.unwrap().is_intact());
            // Sent again, each is known by its name.
            let again = other.append(1001, named("a\u{1f}b", 1)).await.unwrap();
            assert_eq!(again.last_event, 3001);
        }
    }
}

/// A web server drops what it was doing when the browser goes away: at every point where the entry
/// waits for the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_is_dropped_half_way_is_written_whole_or_not_at_all() {
    for Place { path, .. } in &places() {
        use std::{future::poll_fn, pin::pin, task::Poll};
        let ledger = Ledger::create(path).await.unwrap();
        append(&ledger, 1, endless()).await.unwrap();
        // The number of times that a whole entry waits depends on the store and on the machine.
        let mut waits = 0;
        {
            let mut entry = pin!(append(&ledger, 1, with_hand(0)));
            poll_fn(|context| {
                waits += 1;
                entry.as_mut().poll(context)
            })
            .await
            .unwrap();
        }
        let (mut written, mut dropped) = (0, 0);
        for round in 0..300 {
            let before = ledger.events(1).await.unwrap().len();
            let polls = round % (2 * waits);
            {
                let mut entry = pin!(append(&ledger, 1, with_hand(round % 4)));
                let mut left = polls;
                let finished = poll_fn(|context| match entry.as_mut().poll(context) {
                    Poll::Ready(state) => Poll::Ready(Some(state)),
                    Poll::Pending if left == 0 => Poll::Ready(None),
                    Poll::Pending => {
                        left -= 1;
                        Poll::Pending
                    }
                })
                .await;
                match finished {
                    Some(state) => {
                        state.unwrap();
                        written += 1;
                    }
                    None => dropped += 1,
                }
            }
            let after = ledger.events(1).await.unwrap().len();
            assert!((before..=before + 1).contains(&after), "{before} to {after}");
        }
        assert!(
            written > 20 && dropped > 20,
            "{written} written, {dropped} dropped, {waits} waits"
        );
        // The state in memory equals the file.
        let kept = ledger.events(1).await.unwrap();
        let other = Ledger::open(path).await.unwrap();
        assert_eq!(other.events(1).await.unwrap(), kept);
        assert!(other.verify().await.unwrap().is_intact());
    }
}

/// As the clock of a small computer does that finds the network's time late.
#[tokio::test]
async fn a_clock_that_is_set_back_loses_and_disorders_nothing() {
    for Place { path, .. } in &places() {
        let ledger = evening(path, 2).await;
        let last = ledger.events(1).await.unwrap().last().unwrap().at;
        let back = last - jiff::SignedDuration::from_hours(30);
        let entry = Entry { at: Some(back), ..entry(with_hand(1)) };
        let set_back = ledger.append(1, entry).await.unwrap();
        assert_eq!(set_back.history.len(), 3);
        let after = append(&ledger, 1, DRAW).await.unwrap();
        assert_eq!(after.history.len(), 4);
        let events = ledger.events(1).await.unwrap();
        assert_eq!(events[3].at, back);
        ledger.close().await;
        let ledger = Ledger::open(path).await.unwrap();
        assert_eq!(ledger.events(1).await.unwrap(), events);
        assert!(ledger.verify().await.unwrap().is_intact());
        // Taken back, it is as if it had not been.
        let undone = append(&ledger, 1, Event::Undone { event: 4 }).await.unwrap();
        assert_eq!(undone.history.len(), 3);
    }
}

/// Every event and hash of a file, as it goes into a database and comes back.
#[tokio::test]
async fn a_ledger_is_copied_to_a_database_and_back_unchanged() {
    let Some(server) = Server::of_this_program() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (file, back) = (folder.path().join("hall.tlg"), folder.path().join("back.tlg"));
    let hall = seated(&file, 8, 1).await;
    append(&hall, 1001, with_hand(1)).await.unwrap();
    hall.append(1002, entry(DRAW).once("a name")).await.unwrap();
    hall.close().await;
    let (database, name) = server.database();
    let found = ledger::copy(&file, &database).await.unwrap();
    assert!(found.is_intact() && found.logs.len() == 3, "{found:?}");
    ledger::copy(&database, &back).await.unwrap();
    let sql = "SELECT log || ' ' || seq || ' ' || at || author || coalesce(id, '-') || body || lower(hex(hash))
        FROM events ORDER BY log, seq";
    let rows = async |file: &Path| -> Vec<String> {
        let mut file = SqliteConnection::connect(file.to_str().unwrap()).await.unwrap();
        sqlx::query_scalar(sql).fetch_all(&mut file).await.unwrap()
    };
    let before = rows(&file).await;
    assert_eq!(rows(&back).await, before);
    let there = server.psql(
        &name,
        &sql.replace("hex(hash)", "encode(hash, 'hex')").replace("FROM ", "FROM tilelens."),
    );
    let there = String::from_utf8(there.stdout).unwrap();
    assert_eq!(there.lines().collect::<Vec<_>>(), before);
    // Nothing is copied over anything.
    for (from, to) in [(&file, &database), (&database, &back)] {
        let refused = ledger::copy(from, to).await;
        assert!(matches!(refused, Err(LedgerError::Exists(_))), "{refused:?}");
    }
    // Entries made there are in the next copy.
    let venue = Ledger::open(&database).await.unwrap();
    let state = append(&venue, 1001, DRAW).await.unwrap();
    let nightly = folder.path().join("nightly.tlg");
    ledger::backup(&database, &nightly).await.unwrap();
    let copy = Ledger::read(&nightly).await.unwrap();
    assert_eq!(copy.state(1001).await.unwrap(), state);
}

/// A client that has the writer's password and means harm.
#[tokio::test]
async fn a_writer_adds_and_reads_and_cannot_change_or_delete() {
    let Some(server) = Server::of_this_program() else { return };
    let (owner, name) = server.database();
    server.psql(
        &name,
        "CREATE ROLE \"Club phones\" LOGIN; CREATE ROLE screens LOGIN; CREATE ROLE nobody LOGIN",
    );
    let roles = [(Role::Writer, "Club phones".to_owned()), (Role::Reader, "screens".to_owned())];
    ledger::prepare(&owner, &roles).await.unwrap();
    ledger::prepare(&owner, &roles).await.unwrap();
    let as_writer = server.address("Club%20phones", &name);
    let venue = evening(&as_writer, 3).await;
    let before = venue.events(1).await.unwrap();
    let mut client = PgConnection::connect(as_writer.to_str().unwrap()).await.unwrap();
    for harm in [
        "UPDATE tilelens.events SET author = 'x'",
        "DELETE FROM tilelens.events",
        "TRUNCATE tilelens.events",
        "UPDATE tilelens.heads SET seq = 1",
        "DELETE FROM tilelens.heads",
        "INSERT INTO tilelens.heads VALUES (1, 9, '')",
        "DROP TRIGGER events_stay ON tilelens.events",
        "ALTER TABLE tilelens.events DISABLE TRIGGER ALL",
        "DROP TABLE tilelens.events",
    ] {
        assert!(sqlx::raw_sql(harm).execute(&mut client).await.is_err(), "{harm}");
    }
    assert_eq!(venue.events(1).await.unwrap(), before);
    assert!(venue.verify().await.unwrap().is_intact());
    // Not even the owner does by a slip.
    let slip = server.psql(&name, "DELETE FROM tilelens.events");
    assert!(String::from_utf8_lossy(&slip.stderr).contains("append-only"));
    // A screen reads, and a stranger does not.
    let as_screen = server.address("screens", &name);
    let screen = Ledger::read(&as_screen).await.unwrap();
    assert_eq!(screen.state(1).await.unwrap().last_event, 4);
    let refused = Ledger::open(&as_screen).await;
    assert!(matches!(refused, Err(LedgerError::NotAllowed { .. })), "{refused:?}");
    let stranger = Ledger::read(&server.address("nobody", &name)).await;
    assert!(stranger.is_err(), "{stranger:?}");
}

/// Tampering is detected, as in a file.
#[tokio::test]
async fn a_database_that_was_changed_by_its_owner_is_not_intact() {
    let Some(server) = Server::of_this_program() else { return };
    for (harm, whole) in [
        ("UPDATE tilelens.events SET author = 'Eve' WHERE seq = 3", false),
        ("DELETE FROM tilelens.events WHERE seq = 5", false),
        ("DELETE FROM tilelens.events WHERE seq = 3", false),
        ("SELECT 1", true),
    ] {
        let (address, name) = server.database();
        evening(&address, 4).await.close().await;
        let done =
            server.psql(&name, &format!("ALTER TABLE tilelens.events DISABLE TRIGGER ALL; {harm}"));
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let venue = Ledger::read(&address).await.unwrap();
        assert_eq!(venue.verify().await.unwrap().is_intact(), whole, "{harm}");
        let folder = tempfile::tempdir().unwrap();
        let copied = ledger::backup(&address, &folder.path().join("copy.tlg")).await;
        assert_eq!(copied.is_ok(), whole, "{harm}: {copied:?}");
    }
}

/// The database is killed in the middle of an evening and started again: acknowledged events are there, and what was
/// sent again is there once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_is_killed_loses_nothing_that_was_acknowledged() {
    let Some(server) = Server::new() else { return };
    let (address, _) = server.database();
    seated(&address, 16, 1).await.close().await;
    let mut writers = Vec::new();
    for table in 1001..=1004 {
        let venue = Ledger::open(&address).await.unwrap();
        writers.push(tokio::spawn(async move {
            let mut tries = 0;
            for deal in 0..16 {
                // As a phone does: the same entry by the same name, until somebody says that it is there.
                loop {
                    tries += 1;
                    let sent =
                        entry(paid((deal + table as usize) % 4)).once(format!("deal-{deal}"));
                    match venue.append(table, sent).await {
                        Ok(state) => {
                            assert_eq!(state.history.len(), deal + 1);
                            break;
                        }
                        Err(LedgerError::Unreachable { .. } | LedgerError::Busy(_)) => {}
                        Err(error) => panic!("{error}"),
                    }
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
            tries
        }));
    }
    for _ in 0..2 {
        tokio::time::sleep(std::time::Duration::from_millis(120)).await;
        server.kill();
        server.start();
    }
    let mut tries = 0;
    for writer in writers {
        tries += writer.await.unwrap();
    }
    assert!(tries > 64, "nobody noticed");
    let venue = Ledger::read(&address).await.unwrap();
    assert!(venue.verify().await.unwrap().is_intact());
    for table in 1001..=1004 {
        let state = venue.state(table).await.unwrap();
        assert_eq!(state.history.len(), 16);
        assert!(state.players.iter().all(|player| player.wins == 4));
    }
}

#[tokio::test]
async fn an_address_that_leads_nowhere_says_so_without_the_password() {
    let nowhere = Path::new("postgres://ann:secret@127.0.0.1:9/venue");
    for opened in [Ledger::open(nowhere).await, Ledger::create(nowhere).await] {
        let error = opened.unwrap_err();
        assert!(matches!(error, LedgerError::Unreachable { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("ann@127.0.0.1:9/venue") && !text.contains("secret"), "{text}");
    }
    let Some(server) = Server::of_this_program() else { return };
    let (empty, _) = server.database();
    assert!(matches!(Ledger::open(&empty).await, Err(LedgerError::Absent(_))));
    let repaired = ledger::repair(&empty).await;
    assert!(matches!(repaired, Err(LedgerError::NotRepaired(_))), "{repaired:?}");
}

/// Whoever looks at a ledger hears that somebody has written, also after the database was away.
#[tokio::test]
async fn a_database_says_that_it_has_been_written_to() {
    let Some(server) = Server::new() else { return };
    let (address, _) = server.database();
    let (writes, looks) = (evening(&address, 0).await, Ledger::read(&address).await.unwrap());
    let mut changes = looks.changes();
    for deals in 1..=2 {
        // Connected, and nothing new.
        changes.next().await;
        append(&writes, 1, DRAW).await.unwrap();
        while looks.state(1).await.unwrap().history.len() < deals {
            changes.next().await;
        }
        server.kill();
        // Without a database there is nothing to tell, and nothing ends.
        changes.next().await;
        server.start();
    }
}

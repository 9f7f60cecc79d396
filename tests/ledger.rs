//! Tables kept in a file: several programs, lost answers, files that are read-only, newer,
//! damaged or full.
#![cfg(feature = "ledger")]

#[path = "support/kept.rs"]
mod kept;

use std::{fs, path::Path};

use kept::{DRAW, append, endless, entry, evening, first_format, meddle, opened, paid, with_hand};
use sqlx::{Connection, SqliteConnection};
use tilelens::{
    ledger::{Act, Entry, Ledger, LedgerError, repair},
    table::{Event, TableError},
    tournament,
};

#[tokio::test]
async fn what_was_written_is_there_when_it_is_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = evening(&path, 7).await;
    let state = ledger.state(1).await.unwrap();
    let events = ledger.events(1).await.unwrap();
    ledger.close().await;
    let ledger = Ledger::open(&path).await.unwrap();
    assert_eq!(ledger.state(1).await.unwrap(), state);
    assert_eq!(ledger.events(1).await.unwrap(), events);
    assert_eq!(ledger.tables().await.unwrap(), [1]);
    assert!(ledger.verify().await.unwrap().is_intact());
    assert!(matches!(ledger.state(2).await, Err(LedgerError::NoTable(2))));
}

#[tokio::test]
async fn what_the_rules_refuse_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = evening(&path, 2).await;
    let before = ledger.events(1).await.unwrap();
    let undo = Event::Undone { event: 40 };
    let refused = append(&ledger, 1, undo).await;
    assert!(matches!(refused, Err(LedgerError::Table(TableError::NoEvent(40)))));
    let refused = append(&ledger, 2, DRAW).await;
    assert!(matches!(refused, Err(LedgerError::Table(TableError::NotOpened))));
    assert_eq!(ledger.events(1).await.unwrap(), before);
    assert_eq!(ledger.tables().await.unwrap(), [1]);
}

#[tokio::test]
async fn an_entry_that_is_sent_twice_is_written_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = evening(&path, 2).await;
    let sent = || entry(with_hand(1)).once("deal-3");
    let first = ledger.append(1, sent()).await.unwrap();
    let second = ledger.append(1, sent()).await.unwrap();
    assert_eq!(first, second);
    // By another program too.
    let other = Ledger::open(&path).await.unwrap();
    assert_eq!(other.append(1, sent()).await.unwrap(), first);
    assert_eq!(first.history.len(), 3);
    let another = ledger.append(1, entry(DRAW).once("deal-3")).await;
    assert!(matches!(another, Err(LedgerError::IdTaken { seq: 4, .. })));
}

#[tokio::test]
async fn a_name_that_is_used_for_another_deal_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    let ledger = Ledger::create(&file).await.unwrap();
    ledger.append(1, entry(opened("mmm"))).await.unwrap();
    ledger.append(1, entry(paid(0)).once("7")).await.unwrap();
    let again = ledger.append(1, entry(paid(0)).once("7")).await.unwrap();
    assert_eq!(again.history.len(), 1);
    let another = ledger.append(1, entry(paid(1)).once("7")).await;
    assert!(matches!(another, Err(LedgerError::IdTaken { .. })), "{another:?}");
    // What was taken back is not acknowledged as if it stood.
    ledger.append(1, entry(Event::Undone { event: 2 })).await.unwrap();
    let undone = ledger.append(1, entry(paid(0)).once("7")).await;
    assert!(matches!(undone, Err(LedgerError::IdTaken { .. })), "{undone:?}");
}

#[tokio::test]
async fn players_are_not_called_like_seats() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::create(&folder.path().join("evening.tlg")).await.unwrap();
    for name in ["W", "east", "n"] {
        let Event::Opened(mut event) = opened("mmm") else { panic!("an opening") };
        event.players[2].name = name.into();
        assert!(ledger.append(1, entry(Event::Opened(event))).await.is_err(), "{name}");
    }
}

#[tokio::test]
async fn two_who_write_the_same_deal_write_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let one = evening(&path, 2).await;
    let other = Ledger::open(&path).await.unwrap();
    let seen = one.state(1).await.unwrap().last_event;
    assert_eq!(other.state(1).await.unwrap().last_event, seen);
    one.append(1, Entry::new(with_hand(1), "Ann").after(seen)).await.unwrap();
    let refused = other.append(1, Entry::new(with_hand(1), "Bo").after(seen)).await.unwrap_err();
    assert!(matches!(&refused, LedgerError::Meanwhile { author, .. } if author == "Ann"));
    assert_eq!(other.state(1).await.unwrap().history.len(), 3);
    // Having looked, he may go on.
    let seen = other.state(1).await.unwrap().last_event;
    other.append(1, Entry::new(DRAW, "Bo").after(seen)).await.unwrap();
    assert_eq!(one.state(1).await.unwrap().history.len(), 4);
}

#[tokio::test]
async fn no_ledger_and_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    assert!(matches!(Ledger::open(&path).await, Err(LedgerError::Absent(_))));
    assert!(!path.exists(), "looking makes no file");
    fs::write(&path, "Dear diary, today we played mahjong. ".repeat(100)).unwrap();
    assert!(matches!(Ledger::open(&path).await, Err(LedgerError::NotALedger(_))));
    fs::remove_file(&path).unwrap();
    let options = format!("sqlite://{}?mode=rwc", path.display());
    let mut other = SqliteConnection::connect(&options).await.unwrap();
    sqlx::raw_sql("CREATE TABLE recipes (x)").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    for opened in [Ledger::open(&path).await, Ledger::create(&path).await] {
        assert!(matches!(opened, Err(LedgerError::NotALedger(_))));
    }
    let absent = folder.path().join("no/such/folder.tlg");
    let error = Ledger::create(&absent).await.unwrap_err();
    assert!(error.to_string().contains("Is the folder there"), "{error}");
}

#[tokio::test]
async fn a_newer_format_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    evening(&path, 2).await.close().await;
    meddle(&path, "PRAGMA user_version = 99").await;
    let before = fs::read(&path).unwrap();
    for opened in
        [Ledger::open(&path).await, Ledger::create(&path).await, Ledger::read(&path).await]
    {
        let error = opened.unwrap_err();
        assert!(matches!(error, LedgerError::Newer { found: 99, .. }));
        assert!(error.to_string().contains("update Tilelens"), "{error}");
    }
    assert!(matches!(repair(&path).await, Err(LedgerError::Newer { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
}

/// A file as the first format was published: whatever comes later has to read it.
#[tokio::test]
async fn the_first_format_is_read_and_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    first_format(&path).await;
    let ledger = Ledger::open(&path).await.unwrap();
    let state = ledger.state(1).await.unwrap();
    let totals: Vec<String> = state.players.iter().map(|player| player.total.to_string()).collect();
    assert_eq!(totals, ["5960/3", "5960/3", "2040", "5960/3"]);
    append(&ledger, 1, DRAW).await.unwrap();
    let found = ledger.verify().await.unwrap();
    assert!(found.is_intact(), "{found:?}");
}

#[tokio::test]
async fn a_read_only_file_is_read_and_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    evening(&path, 3).await.close().await;
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let error = Ledger::open(&path).await.unwrap_err();
    assert!(matches!(error, LedgerError::ReadOnly(_)));
    assert!(error.to_string().contains("chmod u+w"), "{error}");
    let ledger = Ledger::read(&path).await.unwrap();
    assert_eq!(ledger.state(1).await.unwrap().history.len(), 3);
    assert!(ledger.verify().await.unwrap().is_intact());
    assert!(matches!(append(&ledger, 1, DRAW).await, Err(LedgerError::ReadOnly(_))));
}

#[tokio::test]
async fn a_file_that_somebody_has_open_is_not_repaired_under_him() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let open = evening(&path, 4).await;
    let refused = tilelens::ledger::repair(&path).await;
    assert!(matches!(refused, Err(LedgerError::Busy(_))), "{refused:?}");
    append(&open, 1, paid(0)).await.unwrap();
    open.close().await;
    let done = tilelens::ledger::repair(&path).await.unwrap();
    assert_eq!(done.logs[0].intact, 6);
}

#[tokio::test]
async fn a_tournament_begins_in_a_file_of_the_first_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    first_format(&path).await;
    let ledger = Ledger::open(&path).await.unwrap();
    assert!(ledger.hall().await.unwrap().tournament().is_err(), "there is none yet");
    let chumchu = tilelens::rules::RuleSet::preset("chumchu").unwrap();
    let begun = tournament::Event::Begun {
        name: "Club".into(),
        rules: "chumchu".into(),
        rule_file: None,
        rulings: vec![],
        format: Box::new(tournament::Format::of(chumchu, chumchu).unwrap()),
    };
    let done = ledger
        .organise("Ann", |_| Ok::<_, LedgerError>(vec![Act::Tournament(begun.clone())]))
        .await
        .unwrap();
    assert_eq!(done.events[0].seq, 1);
    // Refused as a whole, and the log goes on where it was.
    let twice = ledger
        .organise("Ann", |_| Ok::<_, LedgerError>(vec![Act::Tournament(begun.clone())]))
        .await;
    assert!(matches!(twice, Err(LedgerError::Tournament(_))));
    assert!(ledger.append(0, entry(DRAW)).await.is_err(), "log 0 is no table");
    append(&ledger, 1, DRAW).await.unwrap();
    assert_eq!(ledger.tables().await.unwrap(), [1]);
    let found = ledger.verify().await.unwrap();
    assert!(found.is_intact() && found.logs[0].table.is_none(), "{found:?}");
}

/// A tournament's tables, a writer each, all at once, in one file.
/// The tournament's own events in a file: so many players seated in one round, with its tables open.
async fn seated(path: &Path, players: usize) -> Ledger {
    let ledger = Ledger::create(path).await.unwrap();
    let chumchu = tilelens::rules::RuleSet::preset("chumchu").unwrap();
    let begun = tournament::Event::Begun {
        name: "Hall".into(),
        rules: "chumchu".into(),
        rule_file: None,
        rulings: vec![],
        format: Box::new(tournament::Format::of(chumchu, chumchu).unwrap()),
    };
    let name = |player| tilelens::name::Name::new(&format!("Player number {player:03}")).unwrap();
    let entrants: Vec<_> = (0..players)
        .map(|player| tournament::Entrant { name: name(player), ..Default::default() })
        .collect();
    let seated = tournament::Event::Seated {
        seed: "seed".into(),
        numbers: tournament::draw("seed", entrants.iter().map(|entrant| &entrant.name)),
        schedule: tournament::Schedule::new(players as u16, 1).unwrap(),
        starts: vec![],
        plan: None,
    };
    let events = [begun, tournament::Event::Entered { entrants }, seated];
    let tables = (1..=players / 4).map(|table| Act::Open { round: 1, table });
    let acts = events.map(Act::Tournament).into_iter().chain(tables).collect();
    ledger.organise("Ann", |_| Ok::<_, LedgerError>(acts)).await.unwrap();
    ledger
}

/// One writer at each of two hundred tables of a tournament, and its organiser, all at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_hundred_tables_lose_and_double_nothing() {
    const TABLES: u32 = 200;
    const DEALS: usize = 16;
    const FINES: usize = 10;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tournament.tlg");
    seated(&path, 4 * TABLES as usize).await.close().await;
    // Eight open files, so that the file's own lock is tried too.
    let mut ledgers = Vec::new();
    for _ in 0..8 {
        ledgers.push(std::sync::Arc::new(Ledger::open(&path).await.unwrap()));
    }
    let mut writers = Vec::new();
    for table in 1001..=1000 + TABLES {
        let ledger = ledgers[table as usize % ledgers.len()].clone();
        writers.push(tokio::spawn(async move {
            for deal in 0..DEALS {
                let sent = entry(paid((deal + table as usize) % 4)).once(format!("deal-{deal}"));
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
    let ledger = Ledger::open(&path).await.unwrap();
    assert_eq!(ledger.tables().await.unwrap(), (1001..=1000 + TABLES).collect::<Vec<_>>());
    for table in 1001..=1000 + TABLES {
        let state = ledger.state(table).await.unwrap();
        assert_eq!(state.history.len(), DEALS);
        // Everybody has won as often as the others: sixteen deals, four each.
        let first = &state.players[0];
        assert!(state.players.iter().all(|one| one.wins == 4 && one.total == first.total));
    }
    // Sixteen deals are a session: each table is a result, and nobody typed it.
    let hall = ledger.hall().await.unwrap().tournament().unwrap();
    assert_eq!((hall.results.len(), hall.penalties.len()), (TABLES as usize, FINES));
    let standings = hall.standings().unwrap();
    let totals = standings.iter().map(|standing| standing.total.to_string());
    let fined = totals.filter(|total| total == "25/2").count();
    assert_eq!(fined, FINES / 2, "all are level at 85/2; two penalties each cost 10 and 20");
    assert!(ledger.verify().await.unwrap().is_intact());
}

/// Logs are read a thousand events at a time, joined; names that look like the joints are told apart.
#[tokio::test]
async fn a_long_log_is_read_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.tlg");
    let ledger = seated(&path, 4).await;
    let discard = |turn: usize| Event::Discarded { player: turn % 4, tile: "5p".into() };
    let named = |name: &str, turn| entry(discard(turn)).once(name);
    let several = |count: usize| -> Vec<Act> {
        (0..count).map(|turn| Act::Table(1001, discard(turn))).collect()
    };
    // The first thousand ends where the named ones begin, which are read alone.
    ledger.organise("Ann", |_| Ok::<_, LedgerError>(several(998))).await.unwrap();
    ledger.append(1001, named("a\u{1f}b", 1)).await.unwrap();
    ledger.append(1001, named("\u{1f}", 2)).await.unwrap();
    ledger.append(1001, named("c", 3)).await.unwrap();
    ledger.organise("Ann", |_| Ok::<_, LedgerError>(several(1999))).await.unwrap();
    let written = ledger.events(1001).await.unwrap();
    assert_eq!(written.len(), 3001);
    for _ in 0..2 {
        let other = Ledger::open(&path).await.unwrap();
        assert_eq!(other.events(1001).await.unwrap(), written);
        assert!(other.verify().await.unwrap().is_intact());
        // Sent again, each is known by its name.
        let again = other.append(1001, named("a\u{1f}b", 1)).await.unwrap();
        assert_eq!(again.last_event, 3001);
    }
}

/// A web server drops what it was doing when the browser goes away: at every point where the entry
/// waits for the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_is_dropped_half_way_is_written_whole_or_not_at_all() {
    use std::{future::poll_fn, pin::pin, task::Poll};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = Ledger::create(&path).await.unwrap();
    append(&ledger, 1, endless()).await.unwrap();
    let (mut written, mut dropped) = (0, 0);
    for round in 0..300 {
        let before = ledger.events(1).await.unwrap().len();
        let polls = round % 8;
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
    assert!(written > 20 && dropped > 20, "{written} written, {dropped} dropped");
    // What is kept in memory is what lies in the file.
    let kept = ledger.events(1).await.unwrap();
    let other = Ledger::open(&path).await.unwrap();
    assert_eq!(other.events(1).await.unwrap(), kept);
    assert!(other.verify().await.unwrap().is_intact());
}

/// As the clock of a small computer does that finds the network's time late.
#[tokio::test]
async fn a_clock_that_is_set_back_loses_and_disorders_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evening.tlg");
    let ledger = evening(&path, 2).await;
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
    let ledger = Ledger::open(&path).await.unwrap();
    assert_eq!(ledger.events(1).await.unwrap(), events);
    assert!(ledger.verify().await.unwrap().is_intact());
    // Taken back, it is as if it had not been.
    let undone = append(&ledger, 1, Event::Undone { event: 4 }).await.unwrap();
    assert_eq!(undone.history.len(), 3);
}

//! Tables kept in a file: files that are read-only, newer or of another format. What databases
//! share is tested in stores.rs.

use std::fs;

use crate::support::kept::{DRAW, append, entry, evening, first_format, meddle, opened, paid};
use sqlx::{Connection, SqliteConnection};
use tilelens::{
    ledger::{Act, Ledger, LedgerError, LogKind, repair},
    table::Event,
    tournament,
};

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
    assert!(
        ledger.tournament_ledger().await.unwrap().tournament().is_err(),
        "there is no tournament yet"
    );
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
    assert!(found.is_intact() && found.logs[0].log == LogKind::Tournament, "{found:?}");
}

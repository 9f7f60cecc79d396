//! Tables kept in files, in a test.

use std::path::{Path, PathBuf};

use sqlx::{Connection, SqliteConnection};
use tilelens::{
    ledger::{Act, Entry, Ledger, LedgerError},
    points::Points,
    table::{Deal, Event, Opened, Seated, TableState, WinBy, Winner},
    tournament,
};

pub const NAMES: [&str; 4] = ["Ann", "Bo", "Cy", "Di"];

pub fn opened(rules: &str) -> Event {
    Event::Opened(Opened {
        title: None,
        rules: rules.to_owned(),
        rule_file: None,
        rulings: Vec::new(),
        players: NAMES.map(Seated::named).into(),
        initial: None,
        sitting: None,
        penalties: None,
        clock: None,
    })
}

/// A deal without a hand: `winner` gets three points, one from each.
pub fn paid(winner: usize) -> Event {
    let mut payments = vec![-Points::whole(1); 4];
    payments[winner] = Points::whole(3);
    let winner = Winner { player: winner, win: WinBy::SelfDraw, ..Winner::default() };
    Event::Deal(Deal { winners: vec![winner], payments: Some(payments), ..Deal::default() })
}

/// A deal with a hand that any seat may win with in every rule set.
pub fn with_hand(winner: usize) -> Event {
    let hand = Some("123m456m789m23s55s +4s".to_owned());
    let winner = Winner { player: winner, win: WinBy::SelfDraw, hand, ..Winner::default() };
    Event::Deal(Deal { winners: vec![winner], ..Deal::default() })
}

pub fn entry(event: Event) -> Entry {
    Entry::new(event, "test")
}

/// Ends a session's end, so that it goes on: for logs of many deals. The rules are a house file.
pub fn endless() -> Event {
    let file = "extends = \"chumchu\"\nid = \"endless\"\n[session]\nrounds = 1000\n";
    let Event::Opened(opened) = opened("endless") else { unreachable!() };
    Event::Opened(Opened { rule_file: Some(file.to_owned()), ..opened })
}

pub async fn append(ledger: &Ledger, table: u32, event: Event) -> Result<TableState, LedgerError> {
    ledger.append(table, entry(event)).await
}

pub const DRAW: Event = Event::DRAW;

/// A ledger with a table of some deals.
pub async fn evening(path: &Path, deals: usize) -> Ledger {
    let ledger = Ledger::create(path).await.unwrap();
    append(&ledger, 1, opened("chumchu")).await.unwrap();
    for deal in 0..deals {
        append(&ledger, 1, if deal % 3 == 2 { DRAW } else { with_hand(deal % 4) }).await.unwrap();
    }
    ledger
}

/// A tournament with the tables of all its rounds open.
pub async fn seated(path: &Path, players: usize, rounds: usize) -> Ledger {
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
        schedule: tournament::Schedule::new(players as u16, rounds as u16).unwrap(),
        starts: vec![],
        plan: None,
    };
    let events = [begun, tournament::Event::Entered { entrants }, seated];
    let of_round = |round| (1..=players / 4).map(move |table| Act::Open { round, table });
    let tables = (1..=rounds).flat_map(of_round);
    let acts = events.map(Act::Tournament).into_iter().chain(tables).collect();
    ledger.organise("Ann", |_| Ok::<_, LedgerError>(acts)).await.unwrap();
    ledger
}

/// Runs SQL behind the ledger's back.
pub async fn meddle(path: &Path, sql: &'static str) {
    let mut file = SqliteConnection::connect(path.to_str().unwrap()).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut file).await.unwrap();
    file.close().await.unwrap();
}

/// The journal beside a ledger's file.
pub fn journal(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.journal", path.display()))
}

/// Takes a ledger's journal away: what is left is a ledger from before there were any.
pub fn without_journal(path: &Path) {
    std::fs::remove_file(journal(path)).unwrap();
}

/// Without the guard against changes.
pub const UNGUARDED: &str = "DROP TRIGGER events_stay; DROP TRIGGER events_are_kept;";

/// A file as the first format was published.
pub async fn first_format(path: &Path) {
    let options = format!("sqlite://{}?mode=rwc", path.display());
    let mut file = SqliteConnection::connect(&options).await.unwrap();
    sqlx::raw_sql(include_str!("../ledger/format-1.sql")).execute(&mut file).await.unwrap();
    file.close().await.unwrap();
}

//! Tables kept in files, in a test.

#![allow(dead_code, reason = "each test file uses a part of it")]

use tilelens::{
    ledger::{Entry, Ledger, LedgerError},
    points::Points,
    table::{Deal, Event, Opened, Seated, TableState, WinBy, Winner},
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
    })
}

/// A deal without a hand: `winner` gets three points, one from each.
pub fn paid(winner: usize) -> Event {
    let mut payments = vec![-Points::whole(1); 4];
    payments[winner] = Points::whole(3);
    let winner = Winner { player: winner, win: WinBy::SelfDraw, ..Winner::default() };
    Event::Deal(Deal { place: None, rolled: None, winners: vec![winner], payments: Some(payments) })
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

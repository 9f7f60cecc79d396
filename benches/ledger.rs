//! A long log: standings from a file just opened, a replay of everything, the file's size.
//!
//! `cargo bench --bench ledger`

#[path = "../tests/support/random.rs"]
mod random;

use std::{hint::black_box, path::Path};

use criterion::{Criterion, criterion_group, criterion_main};
use random::{Dice, complete_hand};
use tilelens::{
    ledger::{Entry, Ledger},
    table::{Deal, Event, Opened, Seated, Table, WinBy, Winner},
};
use tokio::runtime::{Builder, Runtime};

const DEALS: usize = 10_000;

/// An evening that does not end, of deals with random hands.
async fn write(path: &Path) {
    let rules = "extends = \"chumchu\"\nid = \"endless\"\nminimum = 0\n[session]\nrounds = 1000\n";
    // A thousand rounds are 4,000 deals: everybody wins as East now and then and stays.
    let rules = rules.to_owned() + "deal_passes = [\"draw\"]\n";
    let opened = Opened {
        title: None,
        rules: "endless".to_owned(),
        rule_file: Some(rules),
        rulings: Vec::new(),
        players: ["Ann", "Bo", "Cy", "Di"].map(Seated::named).into(),
        initial: None,
        sitting: None,
        penalties: None,
        clock: None,
    };
    let ledger = Ledger::create(path).await.unwrap();
    ledger.append(1, Entry::new(Event::Opened(opened), "bench")).await.unwrap();
    let mut dice = Dice(2026);
    let mut deals = 0;
    while deals < DEALS {
        let winner = Winner {
            player: dice.below(4),
            win: WinBy::SelfDraw,
            hand: Some(complete_hand(&mut dice, deals % 2 == 0).to_string()),
            ..Winner::default()
        };
        let deal = Event::Deal(Deal { winners: vec![winner], ..Deal::default() });
        let event = if dice.chance(10) { Event::DRAW } else { deal };
        deals += usize::from(ledger.append(1, Entry::new(event, "bench")).await.is_ok());
    }
    ledger.close().await;
}

fn long_log(c: &mut Criterion) {
    let runtime: Runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.tlg");
    runtime.block_on(write(&path));
    let size = std::fs::metadata(&path).unwrap().len();
    println!("{DEALS} deals: a file of {:.1} MB", size as f64 / 1e6);
    let events = runtime.block_on(async {
        let ledger = Ledger::read(&path).await.unwrap();
        let events = ledger.events(1).await.unwrap();
        ledger.close().await;
        events
    });
    let mut group = c.benchmark_group("10,000 deals");
    group.sample_size(20);
    group.bench_function("standings, from opening the file", |bench| {
        bench.iter(|| {
            runtime.block_on(async {
                let ledger = Ledger::read(&path).await.unwrap();
                let state = ledger.state(1).await.unwrap();
                assert_eq!(state.history.len(), DEALS);
                ledger.close().await;
                black_box(state);
            });
        });
    });
    group.bench_function("standings, of a file that is open", |bench| {
        let ledger = runtime.block_on(Ledger::read(&path)).unwrap();
        runtime.block_on(ledger.state(1)).unwrap();
        bench.iter(|| black_box(runtime.block_on(ledger.state(1)).unwrap()));
    });
    group.bench_function("replay of the log", |bench| {
        bench.iter(|| black_box(Table::replay(1, events.iter().cloned()).unwrap()));
    });
    group.bench_function("verify", |bench| {
        let ledger = runtime.block_on(Ledger::read(&path)).unwrap();
        bench.iter(|| assert!(runtime.block_on(ledger.verify()).unwrap().is_intact()));
    });
    group.finish();
}

criterion_group!(benches, long_log);
criterion_main!(benches);

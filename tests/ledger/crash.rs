//! Programs killed at random moments, disks that are full, two programs on one file: never is an
//! acknowledged event lost, never one doubled.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use crate::support::kept::{append, endless, entry, opened, with_hand};
use crate::support::random::Dice;
use tilelens::{
    ledger::{self, Ledger},
    table::Event,
};

const KILLS: usize = 500;
/// Where the child finds its file and its table.
const FILE: &str = "TILELENS_CRASH_FILE";
const TABLE: &str = "TILELENS_CRASH_TABLE";

/// Not a test of its own: the program that is killed. It writes deals and reports those that have been
/// acknowledged.
#[test]
fn killed_child() {
    let (Ok(file), Ok(table)) = (std::env::var(FILE), std::env::var(TABLE)) else { return };
    let table: u32 = table.parse().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ledger = Ledger::create(file.as_ref()).await.unwrap();
        if !ledger.tables().await.unwrap().contains(&table) {
            append(&ledger, table, endless()).await.unwrap();
        }
        println!();
        for deal in 0.. {
            let event = if deal % 5 == 4 { Event::DRAW } else { with_hand(deal % 4) };
            let state = append(&ledger, table, event).await.unwrap();
            println!("written {}", state.last_event);
        }
    });
}

/// Starts the child and kills it after a while; the last event that it said was written.
fn run_and_kill(file: &Path, table: u32, dice: &mut Dice) -> u64 {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::killed_child", "--nocapture"])
        .env(FILE, file)
        .env(TABLE, table.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let output = child.stdout.take().unwrap();
    let (ready, is_writing) = mpsc::channel();
    let reader = thread::spawn(move || {
        let mut last = 0;
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(number) = line.strip_prefix("written ") {
                last = number.parse().unwrap_or(last);
                let _ = ready.send(());
            }
        }
        last
    });
    // One in five while the file is being opened, the others in the midst of writing.
    if dice.chance(80) {
        let _ = is_writing.recv();
        thread::sleep(Duration::from_micros(dice.below(60_000) as u64));
    } else {
        thread::sleep(Duration::from_micros(dice.below(150_000) as u64));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    reader.join().unwrap()
}

/// Kills `kills` children on one file: the events written, and those that had not been acknowledged.
fn kill_on(file: &Path, kills: usize, seed: u64) -> (u64, u64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut dice = Dice(seed);
    let (mut in_flight, mut total, mut before) = (0, 0, 0);
    for kill in 0..kills {
        // A new table now and then, so that looking at it stays quick.
        let table = (kill / 10) as u32 + 1;
        if kill % 10 == 0 {
            before = 0;
        }
        let reported = run_and_kill(file, table, &mut dice);
        let there = runtime.block_on(async {
            let ledger = Ledger::create(file).await.unwrap();
            let events = ledger.events(table).await.unwrap();
            ledger.close().await;
            events.len() as u64
        });
        let acknowledged = reported.max(before);
        assert!(there >= acknowledged, "kill {kill}: {acknowledged} acknowledged, {there} there");
        // Opening the table is an event that is not reported.
        let most = acknowledged.max(1) + 1;
        assert!(there <= most, "kill {kill}: {acknowledged} acknowledged, {there} there");
        in_flight += there.saturating_sub(acknowledged);
        total += there - before;
        before = there;
    }
    let found =
        runtime.block_on(async { Ledger::open(file).await.unwrap().verify().await.unwrap() });
    assert!(found.is_intact(), "{found:?}");
    runtime.block_on(is_in_the_journal(file));
    (total, in_flight)
}

/// Loses a ledger's file: the journal has every event, and at most the one after them that was being written.
async fn is_in_the_journal(file: &Path) {
    let read = async || {
        let ledger = Ledger::read(file).await.unwrap();
        let mut tables = BTreeMap::new();
        for table in ledger.tables().await.unwrap() {
            tables.insert(table, ledger.events(table).await.unwrap());
        }
        ledger.close().await;
        tables
    };
    let before = read().await;
    std::fs::remove_file(file).unwrap();
    ledger::repair(file).await.unwrap();
    let after = read().await;
    for (table, events) in before {
        assert!(after[&table].starts_with(&events), "table {table}");
        assert!(after[&table].len() <= events.len() + 1, "table {table}");
    }
}

#[test]
fn five_hundred_kills_lose_no_acknowledged_event() {
    const FILES: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let sums = thread::scope(|scope| {
        let workers: Vec<_> = (0..FILES)
            .map(|number| {
                let file = folder.path().join(format!("evening-{number}.tlg"));
                scope.spawn(move || kill_on(&file, KILLS / FILES, number as u64))
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<_>>()
    });
    let total: u64 = sums.iter().map(|(total, _)| total).sum();
    let in_flight: u64 = sums.iter().map(|(_, in_flight)| in_flight).sum();
    println!("{KILLS} kills, {total} events written, {in_flight} of them not yet acknowledged");
    assert!(total > 2 * KILLS as u64, "the children had time to write");
}

fn tilelens() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tilelens"))
}

/// A ledger with a table, made in the test's own process.
fn made(file: &Path, event: Event) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ledger = Ledger::create(file).await.unwrap();
        append(&ledger, 1, event).await.unwrap();
        ledger.close().await;
    });
}

fn deals(file: &Path) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ledger = Ledger::read(file).await.unwrap();
        assert!(ledger.verify().await.unwrap().is_intact());
        ledger.state(1).await.unwrap().history.len()
    })
}

#[test]
fn the_program_killed_keeps_what_it_has_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    made(&file, endless());
    let mut dice = Dice(60);
    let mut before = 0;
    for _ in 0..60 {
        let mut child = tilelens()
            .args(["table", "draw", "--meant"])
            .arg(&file)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_micros(dice.below(60_000) as u64));
        let _ = child.kill();
        let output = child.wait_with_output().unwrap();
        let there = deals(&file);
        // Once the table was shown it was written.
        if !output.stdout.is_empty() {
            assert_eq!(there, before + 1);
        }
        assert!(there <= before + 1);
        before = there;
    }
}

#[test]
fn two_programs_take_turns() {
    const EACH: usize = 20;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    made(&file, endless());
    thread::scope(|scope| {
        for writer in ["Ann", "Bo"] {
            let file = &file;
            scope.spawn(move || {
                for deal in 0..EACH {
                    // Each entry twice, as after a lost answer.
                    for _ in 0..2 {
                        let id = format!("{writer}-{deal}");
                        let done = tilelens()
                            .args(["table", "draw", "--author", writer, "--id", &id])
                            .arg(file)
                            .output()
                            .unwrap();
                        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
                    }
                }
            });
        }
    });
    assert_eq!(deals(&file), 2 * EACH, "none lost, none doubled");
}

#[test]
fn without_a_name_of_its_own_a_late_entry_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    made(&file, opened("mmm"));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let ledger = Ledger::open(&file).await.unwrap();
        let draw = || Event::DRAW;
        ledger.append(1, entry(draw()).after(1)).await.unwrap();
        let late = ledger.append(1, entry(draw()).after(1)).await.unwrap_err();
        assert!(late.to_string().contains("meanwhile"), "{late}");
    });
    assert_eq!(deals(&file), 1);
}

/// The file may not grow beyond a limit, as on a full disk.
#[test]
fn a_full_disk_is_reported_and_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("evening.tlg");
    made(&file, endless());
    let draw = |limit: &str| {
        // The signal is ignored, so that the write itself fails.
        let script = "trap '' XFSZ; ulimit -f $LIMIT; exec \"$@\"";
        Command::new("bash")
            .args(["-c", script, "tilelens", env!("CARGO_BIN_EXE_tilelens"), "table", "draw"])
            .args(["--meant".as_ref(), file.as_os_str()])
            .env("LIMIT", limit)
            .output()
            .unwrap()
    };
    let mut written = 0;
    let full = loop {
        let done = draw("48");
        if !done.status.success() {
            break done;
        }
        written += 1;
        assert!(written < 1000, "the file reaches its limit");
    };
    let message = String::from_utf8_lossy(&full.stderr).into_owned();
    assert_eq!(full.status.code(), Some(2), "{message}");
    assert!(message.contains("disk is full") && message.contains("Make room"), "{message}");
    assert!(written > 5, "{written}");
    assert_eq!(deals(&file), written);
    // With room again it goes on.
    assert!(draw("unlimited").status.success());
    assert_eq!(deals(&file), written + 1);
}

//! Minutes of a recorded session through twenty connected pages, one of which never reads: how the
//! server's memory goes, whether every page has the last state 200 ms later, and how long it takes from a
//! frame's coming to the state of it on a page.
//!
//! `make endurance MINUTES=30`, or `cargo run --release --example endurance -- PROGRAM MINUTES`, where
//! PROGRAM is the built `tilelens`. Ends with 1 where a bound was missed.

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    process::{Child, Command, ExitCode, Stdio},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use tilelens::evaluation::median_and_p95;
use tungstenite::{Message, stream::MaybeTlsStream};

/// Pages, of which one never reads.
const PAGES: usize = 20;
/// Memory may grow by this part of what it was when it had warmed up.
const FLAT: f64 = 0.05;
/// Every page has the server's state after this.
const BEHIND: Duration = Duration::from_millis(200);
/// Part of the time after which memory is taken to have warmed up.
const WARM: f64 = 0.2;
const BEAT: Duration = Duration::from_secs(1);
/// From a frame's coming to the page, median and 95th percentile, in milliseconds.
const SHOWN: [f64; 2] = [60.0, 120.0];

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Memory that it holds, in MiB.
    fn memory(&self) -> anyhow::Result<f64> {
        let about = std::fs::read_to_string(format!("/proc/{}/status", self.0.id()))?;
        let line = about.lines().find(|line| line.starts_with("VmRSS:"));
        let kib = line.and_then(|line| line.split_whitespace().nth(1)).context("no VmRSS")?;
        Ok(kib.parse::<f64>()? / 1024.0)
    }
}

/// What a page looks at in a state.
#[derive(Deserialize)]
struct Shown {
    revision: u64,
    context: Title,
    timing: Option<Came>,
}

#[derive(Deserialize)]
struct Title {
    title: Option<String>,
}

#[derive(Deserialize)]
struct Came {
    /// When the last frame that was looked at came, in milliseconds since 1970.
    came: f64,
}

/// A page that takes every state.
#[derive(Default)]
struct Page {
    /// The revision of the last.
    seen: AtomicU64,
    /// From frames' coming to the states that they made, in milliseconds.
    after: Mutex<Vec<f64>>,
}

impl Page {
    fn open(self: &Arc<Self>, address: &str, port: u16) -> anyhow::Result<()> {
        let mut socket = connect(address, port)?;
        let page = Arc::clone(self);
        thread::spawn(move || {
            let mut title = None;
            while let Ok(message) = socket.read() {
                let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let Message::Text(text) = message else { continue };
                let Ok(shown) = serde_json::from_str::<Shown>(&text) else { continue };
                page.seen.store(shown.revision, Ordering::Relaxed);
                // What the operator said made the others.
                if title == shown.context.title
                    && let Some(Came { came }) = shown.timing
                {
                    let mut after = page.after.lock().unwrap_or_else(PoisonError::into_inner);
                    after.push(1e3 * now.as_secs_f64() - came);
                }
                title = shown.context.title;
            }
            page.seen.store(u64::MAX, Ordering::Relaxed);
        });
        Ok(())
    }

    /// Waits until it has a revision that it does not have in time: how late it is.
    fn lateness(&self, revision: u64) -> Duration {
        let began = Instant::now();
        while self.seen.load(Ordering::Relaxed) < revision && began.elapsed() < 30 * BEAT {
            thread::sleep(Duration::from_millis(1));
        }
        began.elapsed()
    }
}

type Socket = tungstenite::WebSocket<MaybeTlsStream<TcpStream>>;

fn connect(address: &str, port: u16) -> anyhow::Result<Socket> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    let address = format!("{}api/socket", address.replacen("http", "ws", 1));
    Ok(tungstenite::client(address, MaybeTlsStream::Plain(stream))?.0)
}

fn run(program: &str, minutes: f64) -> anyhow::Result<bool> {
    let video = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/replay/table.mp4?loop");
    let arguments = ["live", "--port", "0", "--source", video];
    let mut child = Command::new(program).args(arguments).stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().context("the program prints its addresses")?;
    let server = Server(child);
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    let control = line.split_whitespace().nth(1).context("the control page's address")?;
    let address = control.trim_end_matches("control").to_owned();
    let port = address.split([':', '/']).nth(4).context("a port")?.parse()?;
    let deaf = connect(&address, port)?;
    let pages: Vec<Arc<Page>> = (1..PAGES).map(|_| Arc::default()).collect();
    for page in &pages {
        page.open(&address, port)?;
    }
    let state = || -> anyhow::Result<u64> {
        let text = ureq::get(format!("{address}api/state")).call()?.body_mut().read_to_string()?;
        let state: Value = serde_json::from_str(&text)?;
        state["revision"].as_u64().context("a revision")
    };
    let (start, length) = (Instant::now(), Duration::from_secs_f64(60.0 * minutes));
    let (mut memory, mut late, mut checks) = (Vec::new(), 0usize, 0usize);
    let mut turn = 0u64;
    while start.elapsed() < length {
        thread::sleep(BEAT);
        turn += 1;
        // Beside what the video changes, the operator does something every second.
        let words = json!({ "title": format!("{turn} {}", "x".repeat(2000)) });
        ureq::post(format!("{address}api/context")).send_json(&words)?;
        let revision = state()?;
        thread::sleep(BEHIND);
        let seen: Vec<u64> = pages.iter().map(|page| page.seen.load(Ordering::Relaxed)).collect();
        for (page, seen) in pages.iter().zip(seen) {
            if seen == u64::MAX {
                bail!("a page was cut off after {:.0} s", start.elapsed().as_secs_f64());
            }
            checks += 1;
            if seen < revision {
                late += 1;
                let by = page.lateness(revision).as_millis();
                eprintln!(
                    "{:6.0} s  a page is late by {by} ms more",
                    start.elapsed().as_secs_f64()
                );
            }
        }
        memory.push((start.elapsed().as_secs_f64(), server.memory()?));
        if turn.is_multiple_of(30) {
            let (at, now) = memory[memory.len() - 1];
            eprintln!("{at:6.0} s  {now:7.1} MiB  revision {revision}  late {late} of {checks}");
        }
    }
    drop(deaf);
    let warm: Vec<f64> = (memory.iter())
        .filter(|(at, _)| *at >= WARM * length.as_secs_f64())
        .map(|(_, mib)| *mib)
        .collect();
    let part = (warm.len() / 8).max(1);
    let mean = |some: &[f64]| some.iter().sum::<f64>() / some.len().max(1) as f64;
    let (first, last) =
        (mean(&warm[..part.min(warm.len())]), mean(&warm[warm.len().saturating_sub(part)..]));
    let grown = last / first - 1.0;
    println!(
        "{minutes} minutes, {PAGES} pages of which one never reads: memory {first:.1} MiB after it \
         had warmed up, {last:.1} MiB at the end ({:+.1} %); {late} of {checks} states were later \
         than {} ms",
        100.0 * grown,
        BEHIND.as_millis()
    );
    // The others have the same, one after another.
    let after = pages[0].after.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let [median, p95] = median_and_p95(&after).context("no state was made by a frame")?;
    println!(
        "from a frame's coming to its state on a page: median {median:.0} ms, p95 {p95:.0} ms, n {}",
        after.len()
    );
    Ok(grown <= FLAT && late == 0 && median <= SHOWN[0] && p95 <= SHOWN[1])
}

fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().context("the built program, such as target/release/tilelens")?;
    let minutes: f64 = arguments.next().as_deref().unwrap_or("30").parse()?;
    Ok(if run(&program, minutes)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

//! How long it takes from *confirm* to the programme's change on twenty pages, with the deal written to a ledger, and how much
//! of a core pages take while nothing changes.
//!
//! `cargo run --release --example onair -- PROGRAM`, where PROGRAM is the built `tilelens`. The second part needs chromedriver,
//! and is left out where there is none. Ends with 1 where a bound was missed.

#[path = "../support/browser.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod browser;

use std::{
    io::{BufRead, BufReader},
    net::TcpStream,
    process::{Child, Command, ExitCode, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, bail};
use browser::{browser, devtools};
use serde_json::{Value, json};
use tilelens::evaluation::median_and_p95;
use tungstenite::{Message, stream::MaybeTlsStream};

const PAGES: usize = 20;
const DEALS: usize = 60;
/// From confirm to the page, at the 95th percentile, in milliseconds.
const SHOWN: f64 = 100.0;
/// Of a core, in percent.
const IDLE: f64 = 2.0;
/// How long pages are watched while nothing changes.
const WATCHED: Duration = Duration::from_secs(20);
const LONG: Duration = Duration::from_secs(30);

struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A page: says when what viewers see has become a confirmed hand.
fn open(address: &str, port: u16, tell: Sender<Instant>) -> anyhow::Result<()> {
    let stream = TcpStream::connect(("127.0.0.1", port))?;
    let address = format!("{}api/socket", address.replacen("http", "ws", 1));
    let mut socket = tungstenite::client(address, MaybeTlsStream::Plain(stream))?.0;
    thread::spawn(move || {
        let mut before = false;
        while let Ok(message) = socket.read() {
            let now = Instant::now();
            let Message::Text(text) = message else { continue };
            let state: Value = serde_json::from_str(&text).unwrap_or_default();
            let view = if state["programme"].is_null() { &state } else { &state["programme"] };
            let is_confirmed = view["phase"] == "confirmed";
            if is_confirmed && !before && tell.send(now).is_err() {
                return;
            }
            before = is_confirmed;
        }
    });
    Ok(())
}

fn post(address: &str, path: &str, words: &Value) -> anyhow::Result<()> {
    ureq::post(format!("{address}{path}")).send_json(words)?;
    Ok(())
}

/// Milliseconds from asking for the confirmation to each page's having it.
fn confirmed(address: &str, told: &Receiver<Instant>) -> anyhow::Result<Vec<f64>> {
    let mut after = Vec::new();
    for _ in 0..DEALS {
        let hand = json!({ "hand": "123m456p789s1115z +5z", "seat": "E", "win": "self_draw" });
        post(address, "api/context", &hand)?;
        let began = Instant::now();
        post(address, "api/confirm", &json!({ "meant": true }))?;
        for _ in 0..PAGES {
            let at = told.recv_timeout(LONG).context("a page has not got it")?;
            after.push(1e3 * at.duration_since(began).as_secs_f64());
        }
        // The deal is taken back, so that the evening does not end.
        let state: Value =
            ureq::get(format!("{address}api/state")).call()?.body_mut().read_json()?;
        let decision = &state["undoes"]["decision"];
        post(address, "api/undo", &json!({ "decision": decision, "meant": true }))?;
        thread::sleep(Duration::from_millis(50));
    }
    Ok(after)
}

/// What a page's process takes of a core while nothing changes, in percent; `None` without chromedriver.
async fn idle(address: &str, page: &str) -> anyhow::Result<Option<f64>> {
    let Some((_driver, client)) = browser().await else { return Ok(None) };
    client.goto(&format!("{address}{page}")).await?;
    devtools(&client, "Performance.enable", json!({})).await;
    let busy = async || -> anyhow::Result<f64> {
        let metrics = devtools(&client, "Performance.getMetrics", json!({})).await;
        let task = metrics["metrics"].as_array().into_iter().flatten();
        let task = task.clone().find(|metric| metric["name"] == "TaskDuration");
        task.and_then(|metric| metric["value"].as_f64()).context("no TaskDuration")
    };
    tokio::time::sleep(Duration::from_secs(5)).await;
    let (before, began) = (busy().await?, Instant::now());
    tokio::time::sleep(WATCHED).await;
    let share = 100.0 * (busy().await? - before) / began.elapsed().as_secs_f64();
    client.close().await?;
    Ok(Some(share))
}

fn run(program: &str) -> anyhow::Result<bool> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("evening.tlg");
    let file = file.to_str().context("a path in UTF-8")?;
    let new = ["table", "new", file, "--rules", "riichi", "--players", "Ann,Bo,Cy,Di"];
    if !Command::new(program).args(new).stdout(Stdio::null()).status()?.success() {
        bail!("no ledger could be made");
    }
    let arguments = ["serve", "--port", "0", "--ledger", file];
    let mut child = Command::new(program).args(arguments).stdout(Stdio::piped()).spawn()?;
    let out = child.stdout.take().context("the program prints its addresses")?;
    let _server = Server(child);
    let mut line = String::new();
    BufReader::new(out).read_line(&mut line)?;
    let control = line.split_whitespace().nth(1).context("the control page's address")?;
    let address = control.trim_end_matches("control").to_owned();
    let port = address.split([':', '/']).nth(4).context("a port")?.parse()?;
    let (tell, told) = channel();
    for _ in 0..PAGES {
        open(&address, port, tell.clone())?;
    }
    let after = confirmed(&address, &told)?;
    let [median, p95] = median_and_p95(&after).context("nothing was measured")?;
    println!(
        "confirm to the programme on {PAGES} pages: {median:.0} ms in the median, {p95:.0} at the 95th percentile, n {}",
        after.len()
    );
    let mut holds = p95 <= SHOWN;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for page in ["overlay", "overlay?layout=table", "scoreboard", "control"] {
        if let Some(share) = runtime.block_on(idle(&address, page))? {
            println!("/{page} while nothing changes: {share:.2} % of a core");
            holds &= share <= IDLE;
        }
    }
    Ok(holds)
}

fn main() -> anyhow::Result<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().context("say where the program is")?;
    Ok(if run(&program)? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

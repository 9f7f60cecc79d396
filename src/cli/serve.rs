//! `tilelens serve` and `tilelens live`: the pages, without and with a source.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::Args;
use qrcode::{QrCode, render::unicode};
use serde_json::{Value, json};

use super::{
    Outcome,
    fed::{FedBy, ToShow},
    library,
    pictures::{self, NetworkArgs},
    tournament::standings,
};
use crate::{
    calibration::table::TableProfile,
    capture::{Capture, SourceState},
    live::{Live, Snapshot},
    server::{Book, Hub, Look, Options, Server, Shows},
    vision::Reader,
};

/// How often the source is asked how it is.
const ASK: Duration = Duration::from_millis(500);

#[derive(Args)]
#[command(
    after_help = "Example: tilelens serve --lan   then point the phone at the code that it prints"
)]
pub(super) struct ServeArgs {
    #[command(flatten)]
    pages: PageArgs,
}

#[derive(Args)]
#[command(
    after_help = "Examples: tilelens live --source camera:0\n          tilelens live --source game.mp4 --rules mmm-dk\n          tilelens live --source rtsp://192.168.1.20/table --lan\n          tilelens live --source table.toml=camera:0 --source south=camera:1\n\nIn OBS: add a browser source of 1920x1080 with the overlay's address."
)]
pub(super) struct LiveArgs {
    /// camera:0, a video file, an rtsp:// or http:// stream, screen:, or a folder of pictures; shows
    /// one hand, or with table.toml=SOURCE a whole table (tilelens calibrate table), or with
    /// south=SOURCE the standing hand of whoever sits south in the first deal of a round. Given
    /// several times, all feed one table
    #[arg(long = "source", value_name = "SOURCE", required = true)]
    sources: Vec<FedBy>,
    #[command(flatten)]
    pages: PageArgs,
}

#[derive(Args)]
struct PageArgs {
    /// Rule set to begin with: mmm, mmm-dk, ims, hkos, chumchu, hkos-heavy, hkos-faan, or a rule file
    #[arg(long, default_value = "mmm")]
    rules: String,
    /// The port of the pages; 0 for any that is free
    #[arg(long, default_value_t = 7777)]
    port: u16,
    /// Answer in the local network too, for phones; the address then holds a secret token
    #[arg(long)]
    lan: bool,
    /// A table's ledger (tilelens table new): confirmed hands become its deals
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// The table's number in the ledger
    #[arg(long, default_value_t = 1, requires = "ledger")]
    table: u32,
    /// A tournament's file (tilelens tournament): its standings on the scoreboard, as they change
    #[arg(long, value_name = "FILE")]
    tournament: Option<PathBuf>,
    /// A style sheet of your own for the overlay
    #[arg(long, value_name = "FILE")]
    overlay_css: Option<PathBuf>,
    #[command(flatten)]
    networks: NetworkArgs,
}

impl PageArgs {
    fn hub(&self) -> anyhow::Result<Arc<Hub>> {
        // Pages choose among the presets and the one file that was named here, and read no other.
        let (allowed, files) = (self.rules.clone(), library());
        let library = crate::rules::Library::new(Box::new(move |name| {
            (name == allowed).then(|| files.text(name)).flatten()
        }));
        Ok(Hub::new(library, &self.rules)?)
    }

    /// Opens the ledger's table, where one is named, and puts it on the pages.
    async fn book(&self, hub: &Hub) -> anyhow::Result<Option<Book>> {
        let Some(file) = &self.ledger else { return Ok(None) };
        let (book, state) = Book::open(file, self.table).await?;
        let rulings: serde_json::Map<String, Value> =
            book.rulings().await?.into_iter().map(|(id, choice)| (id, choice.into())).collect();
        let played = [("rules", json!(state.rules)), ("rulings", rulings.into())];
        hub.set_context(
            played.map(|(field, value)| (field.to_owned(), value)).into_iter().collect(),
        )
        .with_context(|| format!("{}: give its rule file with --rules too", file.display()))?;
        hub.set_table(state);
        Ok(Some(book))
    }

    fn options(
        &self,
        book: Option<Book>,
        profiles: Vec<Option<PathBuf>>,
    ) -> anyhow::Result<Options> {
        let overlay_css = self.overlay_css.as_ref().map(|file| {
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
        });
        let networks = self.networks.clone();
        let make = move || match &networks.models {
            Some(folder) => Reader::from_folder(folder, networks.threads),
            None => Reader::builtin(networks.threads),
        };
        Ok(Options {
            port: self.port,
            lan: self.lan,
            overlay_css: overlay_css.transpose()?,
            profiles,
            book,
            reader: Box::new(make),
        })
    }
}

pub(super) fn serve(args: ServeArgs) -> anyhow::Result<Outcome> {
    run(&args.pages, &args.pages.hub()?, Vec::new())
}

pub(super) fn live(args: LiveArgs) -> anyhow::Result<Outcome> {
    let hub = args.pages.hub()?;
    let networks = &args.pages.networks;
    let (mut running, mut profiles) = (Vec::new(), Vec::new());
    let shown: Vec<Shows> =
        args.sources.iter().map(|fed| shows(&fed.shows)).collect::<anyhow::Result<_>>()?;
    no_seat_twice(&shown)?;
    for (fed, shows) in args.sources.into_iter().zip(shown) {
        let reader = pictures::reader(networks.models.as_deref(), networks.threads)?;
        let name = fed.source.to_string();
        let number = hub.add_source(&name, shows);
        profiles.push(match fed.shows {
            ToShow::Table(file) => Some(file),
            ToShow::Hand | ToShow::Standing(_) => None,
        });
        let shown = Arc::clone(&hub);
        let live = Live::start(Capture::start(fed.source), reader, move |snapshot| {
            see(&shown, number, snapshot);
        });
        running.push((number, name, Arc::new(live)));
    }
    let watched: Vec<_> = (running.iter())
        .map(|(number, name, live)| (*number, name.clone(), Arc::downgrade(live)))
        .collect();
    let telling = Arc::clone(&hub);
    thread::Builder::new().name("sources".to_owned()).spawn(move || {
        loop {
            for (number, name, live) in &watched {
                let Some(live) = live.upgrade() else { return };
                telling.tell_source(*number, source(name, &live.source()), live.trouble());
            }
            thread::sleep(ASK);
        }
    })?;
    run(&args.pages, &hub, profiles)
}

/// Two sources that show the same would contradict each other.
fn no_seat_twice(shown: &[Shows]) -> anyhow::Result<()> {
    let (mut lying, mut standing) = (Vec::new(), Vec::new());
    for shows in shown {
        let (before, now, cure) = match shows {
            Shows::Hand => continue,
            Shows::Standing(seat) => (&mut standing, vec![*seat], "name another seat"),
            Shows::Table(profile) => {
                let seats = profile.seats.keys().copied().collect();
                (&mut lying, seats, "leave its [seats] out of one of the table files")
            }
        };
        if let Some(seat) = now.iter().find(|seat| before.contains(*seat)) {
            bail!("two sources show {}: {cure}", seat.name());
        }
        before.extend(now);
    }
    Ok(())
}

fn shows(to_show: &ToShow) -> anyhow::Result<Shows> {
    Ok(match to_show {
        ToShow::Hand => Shows::Hand,
        ToShow::Standing(seat) => Shows::Standing(*seat),
        ToShow::Table(file) if !file.exists() => {
            let file = file.display();
            eprintln!("{file} is not there yet: mark the table's corners on the control page");
            Shows::Hand
        }
        ToShow::Table(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let profile = TableProfile::parse(&text).with_context(|| file.display().to_string())?;
            Shows::Table(profile)
        }
    })
}

fn see(hub: &Hub, number: usize, snapshot: Snapshot) {
    let timing = json!({
        "tracked_ms": snapshot.timing.tracked_ms.round(),
        "read_ms": snapshot.timing.read_ms.round(),
        "fps": (f64::from(snapshot.timing.fps) * 10.0).round() / 10.0,
    });
    let look = Look {
        picture: Arc::clone(&snapshot.frame.picture),
        at: snapshot.frame.at,
        tiles: snapshot.tiles,
        ids: snapshot.ids,
        settled: snapshot.settled,
        changed: snapshot.changed,
    };
    hub.see(number, look, timing);
}

fn source(name: &str, state: &SourceState) -> Value {
    match state {
        SourceState::Starting => json!({ "name": name, "state": "starting" }),
        SourceState::Running { width, height, .. } => {
            json!({ "name": name, "state": "running", "width": width, "height": height })
        }
        SourceState::Lost { why, .. } => json!({ "name": name, "state": "lost", "why": why }),
        SourceState::Ended => json!({ "name": name, "state": "ended" }),
    }
}

fn run(args: &PageArgs, hub: &Arc<Hub>, profiles: Vec<Option<PathBuf>>) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the server cannot start")?;
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    if let Some(file) = &args.tournament {
        follow_tournament(file.clone(), Arc::clone(hub))?;
    }
    let served: anyhow::Result<()> = runtime.block_on(async {
        let options = args.options(args.book(hub).await?, profiles)?;
        let server = Server::bind(Arc::clone(hub), options).await?;
        greet(&server.address, args.lan);
        server.run(interrupted()).await?;
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(2));
    served?;
    Ok(Outcome::Found)
}

/// Shows a tournament's standings, and again each time its file was written. What is wrong with it
/// at the start is told; later it may be in the middle of a repair, and what was read before stays.
fn follow_tournament(file: PathBuf, hub: Arc<Hub>) -> anyhow::Result<()> {
    let written = |file: &Path| std::fs::metadata(file).and_then(|about| about.modified()).ok();
    let mut shown = written(&file);
    hub.set_tournament(standings(&file)?);
    thread::Builder::new().name("tournament".to_owned()).spawn(move || {
        loop {
            thread::sleep(ASK);
            let now = written(&file);
            if now != shown
                && let Ok(standings) = standings(&file)
            {
                hub.set_tournament(standings);
                shown = now;
            }
        }
    })?;
    Ok(())
}

async fn interrupted() {
    let mut terminated =
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(signal) => signal,
            Err(_) => return std::future::pending().await,
        };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminated.recv() => {}
    }
}

/// Where the pages are. Whoever started it may not listen: that is no reason to stop.
fn greet(address: &str, lan: bool) {
    let mut text = String::new();
    for page in ["control", "overlay", "scoreboard", "phone"] {
        text += &format!("{page:10} {address}{page}\n");
    }
    if lan {
        if let Ok(code) = QrCode::new(format!("{address}phone")) {
            text += &code.render::<unicode::Dense1x2>().quiet_zone(true).build();
        }
        text += "\nWhoever has this address can use the pages: keep it off the stream.\n";
    }
    text += "Ctrl-C ends it.\n";
    let _ = std::io::stdout().write_all(text.as_bytes());
}

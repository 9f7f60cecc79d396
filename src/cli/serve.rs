//! `tilelens serve` and `tilelens live`: the pages, without and with a source.

use std::{
    io::{self, IsTerminal as _, Write as _},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, bail};
use clap::Args;
use qrcode::{QrCode, render::unicode};
use serde_json::{Value, json};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{
    Outcome,
    circumstance_args::rule_sets,
    ledger::{listed, renewed},
    library,
    obs::{Cue, Obs, ObsAddress},
    pictures::{self, NetworkArgs, TilesetArgs},
    score_folder::ScoreFolder,
    source_args::{SourceArg, SourceReporter, SourceShows},
    wishes::{QUOTES, WishArgs},
};
use crate::{
    calibration::table::TableProfile,
    capture::{Capture, SourceState},
    ledger::{Code, Ledger, LedgerError, Opens},
    live::{Live, Snapshot},
    server::{
        Certificate, Client, Hub, Lan, Options, ServedLedger, Server, Shows, TilesetsChanged,
        TrackedPicture, own_addresses, tournament_shown,
    },
    tileset::Folder,
    vision::{ModelError, Reader},
};

/// The interval between checks of a source's state.
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
    after_help = format!("Examples: tilelens live --source camera:0 --size 1280x720\n          tilelens live --source game.mp4 --rules mmm-dk\n          tilelens live --source rtsp://192.168.1.20/table --lan\n          tilelens live --source table.toml=camera:0 --source south=camera:1\n\n{QUOTES}\n\nIn OBS: add a browser source of 1920x1080 with the overlay's address.")
)]
pub(super) struct LiveArgs {
    /// camera:0, a video file, an rtsp:// or http:// stream, screen:, or a folder of pictures; shows
    /// one hand, or with table.toml=SOURCE a whole table (tilelens calibrate table), or with
    /// south=SOURCE the upright hand of the player who sits south in the first deal of a round. Given
    /// several times, all feed one table
    #[arg(long = "source", value_name = "SOURCE", default_value = "camera:0")]
    sources: Vec<SourceArg>,
    #[command(flatten)]
    wishes: WishArgs,
    #[command(flatten)]
    pages: PageArgs,
}

#[derive(Args)]
struct PageArgs {
    #[arg(long, default_value = "mmm", help = rule_sets("Rule set to begin with"))]
    rules: String,
    /// The port of the pages; 0 for any that is free
    #[arg(long, default_value_t = 7777)]
    port: u16,
    /// Answer in the local network too, for phones and other machines; their addresses hold a secret
    /// token, the same at each start: one for the operator, one for phones, one for screens
    #[arg(long)]
    lan: bool,
    /// The address of this machine for the printed addresses and the code; the likeliest of those that
    /// are listed where none is given
    #[arg(long, value_name = "ADDRESS", requires = "lan")]
    host: Option<IpAddr>,
    /// Programs on this machine need no token, as without --lan. Not behind a reverse proxy: whoever asks it would be the
    /// operator
    #[arg(long, requires = "lan")]
    no_token_here: bool,
    /// Make new tokens: addresses that were printed before stop working
    #[arg(long, requires = "lan")]
    new_tokens: bool,
    /// Encrypt what goes through the local network (https), so that phones may use their camera on the page: with a
    /// self-signed certificate, about which browsers warn, or with one of your own
    #[arg(long, requires = "lan")]
    tls: bool,
    /// Your own certificate for --tls, in PEM, with those that it was signed by
    #[arg(long, value_name = "FILE", requires_all = ["tls", "tls_key"])]
    tls_cert: Option<PathBuf>,
    /// The private key of that certificate, in PEM
    #[arg(long, value_name = "FILE", requires_all = ["tls", "tls_cert"])]
    tls_key: Option<PathBuf>,
    /// A ledger (tilelens table new, tilelens tournament new): confirmed hands, and what is typed on the
    /// control page, become a table's deals; the scoreboard shows the table and the tournament in the file
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// The table's number in the ledger; not needed where it has one
    #[arg(long, requires = "ledger")]
    table: Option<u32>,
    /// A player's entry at /table/N counts at once; else another player of the table has to confirm it
    #[arg(long, requires = "ledger")]
    unconfirmed: bool,
    /// The page that reads by itself, as `make web` makes it (target/pocket): served as /pocket
    #[arg(long, value_name = "FOLDER")]
    pocket: Option<PathBuf>,
    /// A style sheet of your own for the overlay
    #[arg(long, value_name = "FILE")]
    overlay_css: Option<PathBuf>,
    /// Keep the score in this folder too, as text and JSON files for programs that read files
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Switch OBS, whose WebSocket server is here (Tools, WebSocket Server Settings); its password is read from the
    /// environment: TILELENS_OBS_PASSWORD
    #[arg(long, value_name = "ws://HOST:PORT")]
    obs: Option<ObsAddress>,
    /// A switch and its moment: settled (a hand comes on air), confirmed (its result does) or next; to a scene
    /// (settled=scene:Table), or a source of a scene on or off (confirmed=show:Table/Score). May be given several times
    #[arg(long, value_name = "MOMENT=SWITCH", requires = "obs")]
    obs_on: Vec<Cue>,
    #[command(flatten)]
    networks: NetworkArgs,
    #[command(flatten)]
    tileset: TilesetArgs,
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

    /// The ledger that is served, whose table and tournament the pages show from the beginning.
    async fn served_ledger(&self, hub: &Hub) -> anyhow::Result<Option<ServedLedger>> {
        let Some(file) = &self.ledger else { return Ok(None) };
        let ledger = self.open_ledger(file).await?;
        let tournament = tournament_shown(&ledger.tournament_ledger().await?);
        let tables = ledger.tables().await?;
        let table = match (self.table, tables.as_slice()) {
            (Some(table), _) => Some(table),
            (None, [only]) => Some(*only),
            // A screen in the hall shows the tournament alone.
            (None, _) if !tournament.is_null() => None,
            (None, []) => bail!("{} is empty: tilelens table new", file.display()),
            (None, several) => {
                let numbers: Vec<String> = several.iter().map(u32::to_string).collect();
                bail!("several tables: give --table with one of {}", numbers.join(", "))
            }
        };
        hub.set_tournament(tournament);
        if let Some(table) = table {
            if !ledger.is_writable() {
                // The control page enters the table's deals.
                Ledger::open(file).await?.close().await;
            }
            // Its state refuses a table that was never opened.
            ledger.state(table).await?;
            hub.open_table(&ledger.table(table).await?).with_context(|| {
                format!("{}: give its rule file with --rules too", file.display())
            })?;
        }
        Ok(Some(ServedLedger { ledger, table, four_eyes: !self.unconfirmed }))
    }

    /// The file of tokens: beside the ledger, or in the user's state folder.
    fn local_network(&self) -> anyhow::Result<Lan> {
        let tokens: PathBuf = match &self.ledger {
            Some(ledger) if !Ledger::is_database(ledger) => beside(ledger, ".tokens"),
            _ => remembered()
                .context("no place for the tokens of the addresses")?
                .join("tokens.toml"),
        };
        let certificate = self.tls.then(|| match (&self.tls_cert, &self.tls_key) {
            (Some(certificate), Some(key)) => {
                Certificate::Own { certificate: certificate.clone(), key: key.clone() }
            }
            _ => Certificate::Made(beside(&tokens, ".pem")),
        });
        Ok(Lan {
            host: self.host,
            tokens,
            renew: self.new_tokens,
            is_open_here: self.no_token_here,
            certificate,
        })
    }

    /// The ledger, to be read alone where it may not be written.
    async fn open_ledger(&self, file: &Path) -> anyhow::Result<Arc<Ledger>> {
        let opened = if Ledger::is_database(file) {
            self.database(file).await?
        } else {
            Ledger::open(file).await
        };
        match opened {
            Err(
                error @ (LedgerError::ReadOnly(_)
                | LedgerError::Shared { .. }
                | LedgerError::NotAllowed { .. }),
            ) => {
                eprintln!("No pages for tables and the desk: {error}");
                Ok(Arc::new(Ledger::read(file).await?))
            }
            opened => Ok(Arc::new(opened?)),
        }
    }

    /// Opens a database with a local file, in which tables go on while the database cannot be reached. The file is
    /// named after the database and the port, since programs that run at the same time need one each.
    async fn database(&self, place: &Path) -> anyhow::Result<Result<Ledger, LedgerError>> {
        use sha2::{Digest as _, Sha256};
        let name = Ledger::name(place);
        let hash = format!("{:x}", Sha256::digest(name.as_os_str().as_encoded_bytes()));
        let folder = remembered().context("no place for what cannot be sent to the database")?;
        let beside = folder.join("venues").join(format!("{}-{}", &hash[..16], self.port));
        let ledger = match Ledger::open_beside(place, &beside).await {
            Ok(ledger) => ledger,
            Err(error) => {
                // If only the file fails, the database is used without it.
                let Ok(plain) = Ledger::open(place).await else { return Ok(Err(error)) };
                eprintln!(
                    "While the database cannot be reached, nothing can be entered on this machine: {error}"
                );
                return Ok(Ok(plain));
            }
        };
        if ledger.unsent().await.is_ok_and(|unsent| unsent.cut.is_some()) {
            eprintln!(
                "{} cannot be reached: what is entered at tables is kept in {} and sent later.",
                name.display(),
                beside.display()
            );
        }
        Ok(Ok(ledger))
    }

    /// The pages whose addresses are printed; `writable` says that entries can be written to the ledger.
    fn page_names(&self, writable: bool) -> Vec<PageName> {
        let mut pages = vec![
            ("control", Client::Operator),
            ("overlay", Client::Screen),
            ("scoreboard", Client::Screen),
            ("phone", Client::Phone),
        ];
        if writable {
            pages.push(("desk", Client::Operator));
        }
        if self.pocket.is_some() {
            pages.push(("pocket", Client::Phone));
        }
        pages
    }

    fn options(
        &self,
        ledger: Option<ServedLedger>,
        profiles: Vec<Option<PathBuf>>,
        tilesets_changed: TilesetsChanged,
    ) -> anyhow::Result<Options> {
        let overlay_css = self.overlay_css.as_ref().map(|file| {
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
        });
        let (networks, tileset) = (self.networks.clone(), self.tileset.clone());
        let make = move || {
            let mut reader = match &networks.models {
                Some(folder) => Reader::from_folder(folder, networks.threads),
                None => Reader::builtin(networks.threads),
            }?;
            pictures::give_sets(&mut reader, &tileset)
                .map_err(|error| ModelError::File("tile sets".to_owned(), format!("{error:#}")))?;
            Ok(reader)
        };
        Ok(Options {
            port: self.port,
            lan: self.lan.then(|| self.local_network()).transpose()?,
            overlay_css: overlay_css.transpose()?,
            pocket: self.pocket.clone(),
            profiles,
            ledger,
            tilesets: Folder::of_user().ok(),
            reader: Box::new(make),
            tilesets_changed,
        })
    }
}

/// A page's name in its address, and who uses it.
type PageName = (&'static str, Client);

/// The user's state folder.
fn remembered() -> anyhow::Result<PathBuf> {
    use etcetera::BaseStrategy as _;
    let base = etcetera::choose_base_strategy().context("there is no home folder")?;
    Ok(base.state_dir().unwrap_or_else(|| base.data_dir()).join("tilelens"))
}

/// The file beside another that has its name and more.
fn beside(file: &Path, more: &str) -> PathBuf {
    let mut beside = file.to_owned().into_os_string();
    beside.push(more);
    beside.into()
}

pub(super) fn serve(args: ServeArgs) -> anyhow::Result<Outcome> {
    run(&args.pages, &args.pages.hub()?, Vec::new(), Sources::default())
}

/// A source that is read: its number on the pages, its name, and what reads it.
type Running = (usize, String, Arc<Live>);

/// The sources that are read.
#[derive(Clone, Default)]
struct Sources(Arc<Mutex<Vec<Running>>>);

impl Sources {
    fn all(&self) -> MutexGuard<'_, Vec<Running>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The callback for a taught tile set: each source's reader reloads the sets.
    fn tilesets_changed(&self, tileset: TilesetArgs) -> TilesetsChanged {
        let sources = self.clone();
        Box::new(move || {
            for (_, _, live) in sources.all().iter() {
                let tileset = tileset.clone();
                live.with_reader(move |reader| {
                    if let Err(error) = pictures::give_sets(reader, &tileset) {
                        tracing::warn!("the tile sets stay as they were: {error:#}");
                    }
                });
            }
        })
    }

    /// Stops them and the programs that they run. One that does not stop, such as a camera that hangs, does not block
    /// the end.
    fn stop(&self) {
        const PATIENCE: Duration = Duration::from_secs(5);
        let running = std::mem::take(&mut *self.all());
        let (stopped, waits) = mpsc::channel();
        thread::spawn(move || {
            drop(running);
            stopped.send(())
        });
        let _ = waits.recv_timeout(PATIENCE);
    }
}

pub(super) fn live(mut args: LiveArgs) -> anyhow::Result<Outcome> {
    args.wishes.ask(args.sources.iter_mut().map(|fed| &mut fed.source))?;
    let hub = args.pages.hub()?;
    let networks = &args.pages.networks;
    let own = Folder::of_user().ok();
    let (mut running, mut profiles) = (Vec::new(), Vec::new());
    let shown: Vec<Shows> =
        args.sources.iter().map(|fed| shows(&fed.shows)).collect::<anyhow::Result<_>>()?;
    no_seat_twice(&shown)?;
    for (fed, shows) in args.sources.into_iter().zip(shown) {
        let reader = pictures::reader_of_sets(networks, &args.pages.tileset)?;
        let name = fed.source.to_string();
        let number = hub.add_source(&name, shows);
        profiles.push(match fed.shows {
            SourceShows::Table(file) => Some(file),
            SourceShows::Hand | SourceShows::Standing(_) => None,
        });
        let (shown, own) = (Arc::clone(&hub), own.clone());
        let live = Live::start(Capture::start(fed.source), reader, move |snapshot| {
            see(&shown, number, snapshot, own.as_ref());
        });
        running.push((number, name, Arc::new(live)));
    }
    let mut watched: Vec<_> = (running.iter())
        .map(|(number, name, live)| {
            (*number, name.clone(), Arc::downgrade(live), SourceReporter::default())
        })
        .collect();
    let telling = Arc::clone(&hub);
    thread::Builder::new().name("sources".to_owned()).spawn(move || {
        loop {
            for (number, name, live, report) in &mut watched {
                let Some(live) = live.upgrade() else { return };
                let (state, trouble) = (live.source(), live.trouble());
                telling.tell_source(*number, source(name, &state), trouble.clone());
                for line in report.lines(name, state, trouble) {
                    // A closed standard error is no reason to stop.
                    let _ = writeln!(std::io::stderr(), "{line}");
                }
            }
            thread::sleep(ASK);
        }
    })?;
    run(&args.pages, &hub, profiles, Sources(Arc::new(Mutex::new(running))))
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

fn shows(to_show: &SourceShows) -> anyhow::Result<Shows> {
    Ok(match to_show {
        SourceShows::Hand => Shows::Hand,
        SourceShows::Standing(seat) => Shows::Standing(*seat),
        SourceShows::Table(file) if !file.exists() => {
            let file = file.display();
            eprintln!("{file} is not there yet: mark the table's corners on the control page");
            Shows::Hand
        }
        SourceShows::Table(file) => {
            let text = std::fs::read_to_string(file)
                .with_context(|| format!("cannot read {}", file.display()))?;
            let profile = TableProfile::parse(&text).with_context(|| file.display().to_string())?;
            Shows::Table(profile)
        }
    })
}

fn see(hub: &Hub, number: usize, snapshot: Snapshot, own: Option<&Folder>) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let came = now.saturating_sub(snapshot.frame.at.elapsed());
    let timing = json!({
        "came": (1e4 * came.as_secs_f64()).round() / 10.0,
        "tracked_ms": snapshot.timing.tracked_ms.round(),
        "read_ms": snapshot.timing.read_ms.round(),
        "fps": (f64::from(snapshot.timing.fps) * 10.0).round() / 10.0,
    });
    let look = TrackedPicture {
        picture: Arc::clone(&snapshot.frame.picture),
        at: snapshot.at,
        tiles: snapshot.tiles,
        ids: snapshot.ids,
        unseen: snapshot.unseen,
        settled: snapshot.settled,
        changed: snapshot.changed,
        tileset: snapshot.tileset.filter(|set| own.is_some_and(|own| own.path(set).exists())),
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

fn run(
    args: &PageArgs,
    hub: &Arc<Hub>,
    profiles: Vec<Option<PathBuf>>,
    sources: Sources,
) -> anyhow::Result<Outcome> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the server cannot start")?;
    tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
        .init();
    let mut ending = None;
    let served: anyhow::Result<()> = runtime.block_on(async {
        // From here on a signal ends the program in order.
        let mut signals = Signals::expected().context("the server cannot start")?;
        let obs = Obs::asked(args.obs.as_ref(), &args.obs_on)?;
        let score = args.out.as_deref().map(ScoreFolder::at).transpose()?;
        let ledger = args.served_ledger(hub).await?;
        let tilesets_changed = sources.tilesets_changed(args.tileset.clone());
        let written = ledger.as_ref().map(|served| &served.ledger).filter(|it| it.is_writable());
        let codes = match written {
            Some(ledger) if args.lan => Some(codes_for_all(ledger).await?),
            _ => None,
        };
        let pages = args.page_names(written.is_some());
        let options = args.options(ledger, profiles, tilesets_changed)?;
        let server = Server::bind(Arc::clone(hub), options).await?;
        ending = Some(server.ending());
        if let Some(score) = score {
            tokio::spawn(score.follow(Arc::clone(hub)));
        }
        if let Some(obs) = obs {
            tokio::spawn(obs.follow(Arc::clone(hub)));
        }
        greet(&server, &pages, args.lan, codes);
        server.run(async move { signals.come().await }).await?;
        Ok(())
    });
    // In this order: the sources, then the ledger, whose log is merged into it.
    sources.stop();
    if let Some(ending) = ending {
        runtime.block_on(ending.end());
    }
    runtime.shutdown_timeout(Duration::from_secs(2));
    served?;
    Ok(Outcome::Found)
}

/// The signals that end the program: Ctrl-C, a polite kill, a terminal that was closed.
struct Signals([Option<Signal>; 3]);

impl Signals {
    fn expected() -> io::Result<Self> {
        let expected = |kind| signal(kind).map(Some);
        // Under `nohup` a closed terminal is to end nothing.
        let hangup = if ignores_hangup() { None } else { expected(SignalKind::hangup())? };
        Ok(Self([expected(SignalKind::interrupt())?, expected(SignalKind::terminate())?, hangup]))
    }

    /// Returns once a signal has come, also one from before the call.
    async fn come(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.0;
        tokio::select! {
            () = comes(interrupt) => {}
            () = comes(terminate) => {}
            () = comes(hangup) => {}
        }
    }
}

async fn comes(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}

/// Whether the program was started to ignore that its terminal closes; false where the system does not report it.
fn ignores_hangup() -> bool {
    /// The number of SIGHUP, whose bit is the lowest.
    const HANGUP: u64 = 1;
    let about = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = about.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (HANGUP - 1) & 1 == 1)
}

/// A QR code for a terminal of any colours: blocks are drawn in the letters' colour, which would be the lighter one on
/// a dark ground.
fn on_white(code: &str) -> String {
    const BLACK_ON_WHITE: &str = "\x1b[30;107m";
    const AS_BEFORE: &str = "\x1b[0m";
    let lines: Vec<String> =
        code.lines().map(|line| format!("{BLACK_ON_WHITE}{line}{AS_BEFORE}")).collect();
    lines.join("\n")
}

/// The codes of a ledger.
enum Codes {
    /// New codes, for a ledger without any.
    New(Vec<(Opens, Code)>),
    /// The number of existing codes, of which only hashes are stored.
    Known(usize),
}

/// The codes of a ledger; made if there are none.
async fn codes_for_all(ledger: &Ledger) -> Result<Codes, LedgerError> {
    match ledger.codes().await?.len() {
        0 => Ok(Codes::New(renewed(ledger).await?)),
        count => Ok(Codes::Known(count)),
    }
}

/// Where the pages are. A closed standard output is no reason to stop.
fn greet(server: &Server, pages: &[PageName], lan: bool, codes: Option<Codes>) {
    let mut text = String::new();
    for (page, client) in pages {
        text += &format!("{page:10} {}{page}\n", server.address(*client));
    }
    if lan {
        if let Ok(code) = QrCode::new(format!("{}phone", server.address(Client::Phone))) {
            let code = code.render::<unicode::Dense1x2>().quiet_zone(true).build();
            text += &if io::stdout().is_terminal() { on_white(&code) } else { code };
        }
        text += "\nThe code is the phone page's.\n";
        let own = own_addresses();
        text += match own.is_empty() {
            true => {
                "This machine is in no network: connect it to the one that the phones are in, and start again.\n"
            }
            false => "This machine has these addresses (--host ADDRESS chooses):\n",
        };
        for address in own {
            let (ip, interface) = (address.ip.to_string(), address.interface);
            let is_used = server.host() == IpAddr::V4(address.ip);
            let used = if is_used { ", used above" } else { "" };
            let about = if address.is_virtual { ", a tunnel or virtual network" } else { "" };
            text += &format!("  {ip:15} {interface}{about}{used}\n");
        }
        text += if server.is_open_here() {
            "On this machine no token is needed:\n"
        } else {
            "On this machine, as for OBS (--no-token-here: without a token):\n"
        };
        for (page, client) in &pages[..2] {
            text += &format!("  {}{page}\n", server.address_here(*client));
        }
        if let Some(fingerprint) = server.made_certificate() {
            text += &format!(
                "The certificate was made here: browsers warn of it once. Go on if it is this one (SHA-256):\n  {fingerprint}\n"
            );
        }
        text += &codes.map_or_else(String::new, |codes| match codes {
            Codes::New(new) => {
                let root = server.root();
                format!(
                    "Codes for the phones at the tables, the desk and screens, this once; `tilelens ledger codes` makes new ones:\n{}",
                    listed(&new, Some(&root))
                )
            }
            Codes::Known(count) => format!(
                "{count} codes of tables, desk and screens are valid: {}CODE/ (new ones: tilelens ledger codes)\n",
                server.root()
            ),
        });
        text += "Whoever has an address can use its pages: keep them off the stream.\n";
    }
    text += "Ctrl-C ends it.\n";
    let _ = std::io::stdout().write_all(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dark half cells of a code in a terminal. `letters` and `ground` say which of its own colours are dark.
    fn shown(text: &str, letters: bool, ground: bool) -> Vec<Vec<bool>> {
        let mut rows = Vec::new();
        for line in text.lines() {
            let (mut upper, mut lower) = (Vec::new(), Vec::new());
            let (mut fore, mut back) = (letters, ground);
            let mut rest = line;
            while let Some(letter) = rest.chars().next() {
                if let Some(colours) = rest.strip_prefix("\x1b[") {
                    let (codes, after) = colours.split_once('m').unwrap();
                    for code in codes.split(';') {
                        match code {
                            "0" => (fore, back) = (letters, ground),
                            "30" => fore = true,
                            "107" => back = false,
                            other => panic!("{other}"),
                        }
                    }
                    rest = after;
                    continue;
                }
                let [top, bottom] = match letter {
                    ' ' => [back, back],
                    '\u{2588}' => [fore, fore],
                    '\u{2580}' => [fore, back],
                    '\u{2584}' => [back, fore],
                    other => panic!("{other}"),
                };
                upper.push(top);
                lower.push(bottom);
                rest = &rest[letter.len_utf8()..];
            }
            rows.extend([upper, lower]);
        }
        rows
    }

    #[test]
    fn a_code_is_dark_on_light_in_dark_terminals_too() {
        let code = QrCode::new("http://192.168.1.20:7777/0123456789abcdef/phone").unwrap();
        let text = code.render::<unicode::Dense1x2>().quiet_zone(true).build();
        let width = code.width();
        let colours = code.to_colors();
        for (letters, ground) in [(true, false), (false, true)] {
            let rows = shown(&on_white(&text), letters, ground);
            for (y, row) in rows.iter().enumerate() {
                for (x, is_dark) in row.iter().enumerate() {
                    // Four light cells all around.
                    let at = |place: usize| place.checked_sub(4).filter(|place| *place < width);
                    let of_code = at(x).zip(at(y)).map(|(x, y)| colours[y * width + x]);
                    assert_eq!(*is_dark, of_code == Some(qrcode::Color::Dark), "{x} {y}");
                }
            }
            assert!(rows.len() >= width + 8);
        }
        assert_ne!(
            shown(&text, false, true),
            shown(&text, true, false),
            "without colours it differs"
        );
    }
}

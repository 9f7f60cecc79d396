//! `tilelens serve` and `tilelens live`: the arguments of a session, and what it prints.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, bail};
use clap::Args;

use super::{
    Outcome,
    circumstance_args::rule_sets,
    greeting::{Codes, PageName, greet},
    lan_args::{LanArgs, remembered},
    library,
    pictures::{self, NetworkArgs, TilesetArgs},
    source_args::{SourceArg, SourceShows, no_seat_twice, shows},
    wishes::{QUOTES, WishArgs},
};
use crate::{
    ledger::Ledger,
    server::{
        Client, Cue, LedgerOptions, Obs, ObsAddress, PASSWORD, PageOptions, RecordPlace, Session,
        SessionError, SessionOptions, SessionSource, Shows, Theme, WEBHOOK_KEY, Webhook,
    },
    tileset::Folder,
    vision::{ModelError, Reader},
};

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
    /// The source to read: camera:0, a video file, an rtsp:// or http:// stream, screen:, or a folder of
    /// pictures. It shows one hand. With table.toml=SOURCE it shows a whole table (`tilelens calibrate table`),
    /// with south=SOURCE the upright hand of the player who sits south in the first deal of a round. Repeat the
    /// option for several sources of one table
    #[arg(long = "source", value_name = "SOURCE", default_value = "camera:0")]
    sources: Vec<SourceArg>,
    /// Record the game as it is played (docs/record.md): into the table of --ledger, or to this file, a line of JSON for
    /// each event. One source has to show the whole table. A record that is there already is continued
    #[arg(long, value_name = "FILE")]
    record: Option<Option<PathBuf>>,
    #[command(flatten)]
    wishes: WishArgs,
    #[command(flatten)]
    pages: PageArgs,
}

#[derive(Args)]
struct PageArgs {
    #[arg(long, default_value = "mmm", help = rule_sets("Rule set to begin with"))]
    rules: String,
    /// The port of the pages, or 0 for any free port
    #[arg(long, default_value_t = 7777)]
    port: u16,
    #[command(flatten)]
    lan: LanArgs,
    /// The ledger (`tilelens table new`, `tilelens tournament new`). Confirmed hands, and those typed on the
    /// control page, become deals of a table; the scoreboard shows the table and the tournament in the ledger
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,
    /// The number of the table in the ledger. It is not needed if the ledger has only one
    #[arg(long, requires = "ledger")]
    table: Option<u32>,
    /// Count a player's entry at /table/N at once. Without this option another player of the table has to
    /// confirm it
    #[arg(long, requires = "ledger")]
    unconfirmed: bool,
    /// The folder of the pocket page, as `make web` makes it (target/pocket). It is served as /pocket
    #[arg(long, value_name = "FOLDER")]
    pocket: Option<PathBuf>,
    /// A folder of games' logs and records. The page /replay lists and replays them
    #[arg(long, value_name = "FOLDER")]
    records: Option<PathBuf>,
    /// A theme of your own for the overlay, a TOML file: colours, letters, a logo, sponsors, pictures and flags of players
    #[arg(long, value_name = "FILE")]
    overlay_theme: Option<PathBuf>,
    /// A style sheet of your own for the overlay
    #[arg(long, value_name = "FILE")]
    overlay_css: Option<PathBuf>,
    /// Write the score to this folder too, as text and JSON files for programs that read files
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Switch OBS, whose WebSocket server is at this address (Tools, WebSocket Server Settings). The password
    /// is read from the environment variable TILELENS_OBS_PASSWORD
    #[arg(long, value_name = "ws://HOST:PORT")]
    obs: Option<ObsAddress>,
    /// The moment of a switch and the switch itself. Moments are settled (a hand comes on air), confirmed (its
    /// result does) and next. A switch goes to a scene (settled=scene:Table), or turns a source of a scene on
    /// or off (confirmed=show:Table/Score). Repeat the option for several switches
    #[arg(long, value_name = "MOMENT=SWITCH", requires = "obs")]
    obs_on: Vec<Cue>,
    /// Send what is written to the ledger to this address, each event in one signed request (docs/api.md). The key is
    /// read from the environment variable TILELENS_WEBHOOK_KEY
    #[arg(long, value_name = "URL", requires = "ledger")]
    webhook: Option<String>,
    #[command(flatten)]
    networks: NetworkArgs,
    #[command(flatten)]
    tileset: TilesetArgs,
}

pub(super) fn serve(args: ServeArgs) -> anyhow::Result<Outcome> {
    args.pages.run(Vec::new(), None)
}

pub(super) fn live(mut args: LiveArgs) -> anyhow::Result<Outcome> {
    args.wishes.ask(args.sources.iter_mut().map(|fed| &mut fed.source))?;
    let shown: Vec<Shows> =
        args.sources.iter().map(|fed| shows(&fed.shows)).collect::<anyhow::Result<_>>()?;
    no_seat_twice(&shown)?;
    if args.record.is_some() && shown.iter().filter(|shows| !is_standing(shows)).count() != 1 {
        bail!("--record needs one source that shows the whole table: --source table.toml=camera:0");
    }
    let source = |(fed, shows): (SourceArg, Shows)| -> anyhow::Result<SessionSource> {
        let profile = match fed.shows {
            SourceShows::Table(file) => Some(file),
            SourceShows::Hand | SourceShows::Standing(_) => None,
        };
        let reader = pictures::reader_of_sets(&args.pages.networks, &args.pages.tileset)?;
        Ok(SessionSource { spec: fed.source, shows, profile, reader })
    };
    let sources = args.sources.into_iter().zip(shown).map(source).collect::<anyhow::Result<_>>()?;
    args.pages
        .run(sources, args.record.map(|file| file.map_or(RecordPlace::Ledger, RecordPlace::File)))
}

const fn is_standing(shows: &Shows) -> bool {
    matches!(shows, Shows::Standing(_))
}

impl PageArgs {
    /// Serves the pages until a signal comes; `record` is where the table's record is written.
    fn run(
        &self,
        sources: Vec<SessionSource>,
        record: Option<RecordPlace>,
    ) -> anyhow::Result<Outcome> {
        let shows_games = self.records.is_some() || matches!(record, Some(RecordPlace::Ledger));
        let options = SessionOptions { record, ..self.options(sources)? };
        tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .with_env_filter(tracing_subscriber::EnvFilter::from_default_env())
            .init();
        let session = Session::start(options).map_err(|error| match error {
            // As it is, since the terminal says its cure.
            SessionError::Ledger(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
        let codes = match session.ledger() {
            Some(ledger) if self.lan.lan => Some(session.wait(Codes::of(ledger))?),
            _ => None,
        };
        let pages = self.page_names(session.ledger().is_some(), shows_games);
        greet(session.server(), &pages, self.lan.lan, codes);
        session.run()?;
        Ok(Outcome::Found)
    }

    /// The folder of games, which has to be one.
    fn records(&self) -> anyhow::Result<Option<PathBuf>> {
        let folder = self.records.clone();
        if let Some(folder) = folder.as_deref().filter(|folder| !folder.is_dir()) {
            bail!("--records {}: there is no such folder", folder.display());
        }
        Ok(folder)
    }

    /// The theme of the overlay. Colours that are hardly read are reported.
    fn theme(&self) -> anyhow::Result<Theme> {
        let Some(file) = &self.overlay_theme else { return Ok(Theme::default()) };
        let theme = Theme::read(file)?;
        for (name, contrast) in &theme.faint {
            eprintln!(
                "{}: `{name}` has a contrast of {contrast:.1} to 1 on the panel; small figures need 7",
                file.display()
            );
        }
        Ok(theme)
    }

    fn options(&self, sources: Vec<SessionSource>) -> anyhow::Result<SessionOptions> {
        // Pages choose among the presets and the one file that was named here, and read no other.
        let (allowed, files) = (self.rules.clone(), library());
        let library = crate::rules::Library::new(Box::new(move |name| {
            (name == allowed).then(|| files.text(name)).flatten()
        }));
        let overlay_css = self.overlay_css.as_ref().map(|file| {
            std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))
        });
        let (networks, tileset) = (self.networks.clone(), self.tileset.clone());
        let reader = move || {
            let mut reader = match &networks.models {
                Some(folder) => Reader::from_folder(folder, networks.threads),
                None => Reader::builtin(networks.threads),
            }?;
            pictures::give_sets(&mut reader, &tileset)
                .map_err(|error| ModelError::File("tile sets".to_owned(), format!("{error:#}")))?;
            Ok(reader)
        };
        let tileset = self.tileset.clone();
        Ok(SessionOptions {
            library,
            rules: self.rules.clone(),
            sources,
            ledger: self.ledger.as_deref().map(|place| self.ledger_options(place)).transpose()?,
            score: self.out.clone(),
            record: None,
            obs: self.obs()?,
            webhook: self.webhook()?,
            pages: PageOptions {
                port: self.port,
                lan: self.lan.lan(self.ledger.as_deref())?,
                overlay_css: overlay_css.transpose()?,
                theme: self.theme()?,
                pocket: self.pocket.clone(),
                records: self.records()?,
                tilesets: Folder::of_user().ok(),
                reader: Box::new(reader),
            },
            give_tilesets: Arc::new(move |reader| {
                pictures::give_sets(reader, &tileset).map_err(|error| format!("{error:#}"))
            }),
            // A closed standard error is no reason to stop.
            report: Arc::new(|line| drop(writeln!(std::io::stderr(), "{line}"))),
        })
    }

    fn ledger_options(&self, place: &Path) -> anyhow::Result<LedgerOptions> {
        let unsent = if Ledger::is_database(place) {
            remembered().context("no place for what cannot be sent to the database")?.join("venues")
        } else {
            PathBuf::new()
        };
        let (place, four_eyes) = (place.to_owned(), !self.unconfirmed);
        Ok(LedgerOptions { place, table: self.table, four_eyes, unsent })
    }

    /// The connection to OBS. Its password comes from the environment, since a list of processes does not show it.
    fn obs(&self) -> anyhow::Result<Option<Obs>> {
        let Some(address) = &self.obs else { return Ok(None) };
        if self.obs_on.is_empty() {
            bail!("--obs needs a switch: give --obs-on, such as --obs-on settled=scene:Table");
        }
        let password = std::env::var(PASSWORD).ok().filter(|password| !password.is_empty());
        Ok(Some(Obs::new(address.clone(), self.obs_on.clone(), password)))
    }

    /// The program that gets what is written. The key comes from the environment, as OBS's password does.
    fn webhook(&self) -> anyhow::Result<Option<Webhook>> {
        let Some(address) = &self.webhook else { return Ok(None) };
        let key = std::env::var(WEBHOOK_KEY).unwrap_or_default();
        Ok(Some(Webhook::new(address, &key)?))
    }

    /// The pages whose addresses are printed; `writable` says that entries can be written to the ledger, `shows_games` that
    /// there are games to replay.
    fn page_names(&self, writable: bool, shows_games: bool) -> Vec<PageName> {
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
        if shows_games {
            pages.push(("replay", Client::Phone));
        }
        pages
    }
}

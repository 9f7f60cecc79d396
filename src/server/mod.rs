//! The pages: one small server for the overlay, the control page and the phones.
//!
//! [`Hub`] holds the picture of a camera or a photo and the operator's decisions ([`TableSession`]). Each change makes
//! one whole state, which is pushed to every page; a page is a function of it. [`Server`] answers on loopback only, or
//! also in the local network, where each kind of [`Client`] has a token in its address.

mod access;
mod addresses;
mod connections;
mod feeds;
#[cfg(test)]
mod fixture;
mod following;
mod hub;
mod json;
mod ledger_handle;
mod metrics;
mod obs;
mod on_air;
mod page_query;
mod pages;
mod paper;
mod photo_queue;
mod photos;
mod pocket;
mod preview;
mod programme;
mod rate_limiter;
mod reading;
mod record_writer;
mod recording;
mod records;
mod replay;
mod routes;
mod score_files;
mod score_folder;
mod seats;
mod session;
mod settled_areas;
mod socket;
mod state;
mod table_session;
mod teaching;
mod theme;
mod tls;
mod tokens;
mod tournament_state;
mod tracked_picture;
mod turn_check;
mod undo;
mod venue;
mod visibility;
mod webhook;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

pub use crate::page::{
    Context, ContextError, Typed,
    deals::{Amended, Drawn, EntryTarget, FaultKind, FaultReport, Said, Won},
};
pub use access::Client;
pub use addresses::{OwnAddress, own_addresses};
pub use feeds::{FrameTiming, Shows, SourceStatus};
use following::ServedLedger;
pub use hub::{Confirming, Hub, ProposedWin, SeenDiscards};
pub use json::{States, state_schema};
pub use ledger_handle::{EntryError, LedgerHandle};
pub use obs::{Cue, Obs, ObsAddress, PASSWORD};
use on_air::OnAir;
pub use photos::{ReaderMaker, TilesetsChanged};
pub use programme::{OnAirSetting, Unsure};
pub use record_writer::{RecordWriter, RecordingError};
pub use recording::Recording;
pub use replay::replay_page;
pub use routes::{api_schema, routes};
pub use score_folder::ScoreFolderError;
pub use session::{
    GiveTilesets, LedgerOptions, RecordPlace, Report, Session, SessionError, SessionOptions,
    SessionSource,
};
pub use state::DealReading;
use state::{ObsState, PhaseName, Preview, SeatView};
pub use table_session::{EnteredDeal, Phase, TableSession};
pub use theme::{Theme, ThemeError};
pub use tls::{Certificate, TlsError};
pub use tokens::TokensError;
use tournament_state::TournamentShown;
pub use tracked_picture::TrackedPicture;
pub use undo::{LastDecision, UndoRefusal, Undoable};
pub use webhook::{WEBHOOK_KEY, Webhook, WebhookError};

use self::{
    following::Follower, paper::Paper, photos::Photos, records::Records, teaching::Teaching,
    tls::Tls, tokens::Tokens, venue::Venue,
};
use crate::{ledger::Ledger, tileset::Folder};

/// How the pages are to be served.
pub struct PageOptions {
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Answer in the local network too; `None`: this machine alone.
    pub lan: Option<Lan>,
    /// A style sheet of the user's for the overlay.
    pub overlay_css: Option<String>,
    /// A theme of the user's for the overlay.
    pub theme: Theme,
    /// The folder of the page that reads by itself.
    pub pocket: Option<PathBuf>,
    /// The folder of games that are replayed.
    pub records: Option<PathBuf>,
    /// Where tile sets are kept; `None` where there is no home folder.
    pub tilesets: Option<Folder>,
    /// Makes the reader of photos, when the first one comes.
    pub reader: ReaderMaker,
}

/// How the local network is answered.
pub struct Lan {
    /// This machine's address in the pages' addresses; `None` for the likeliest.
    pub host: Option<IpAddr>,
    /// The file that keeps the tokens.
    pub tokens: PathBuf,
    /// Make new tokens, so that earlier addresses stop working.
    pub renew: bool,
    /// Programs on this machine need no token either.
    pub is_open_here: bool,
    /// The certificate for https; `None` for http.
    pub certificate: Option<Certificate>,
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is taken or not allowed.
    #[error("cannot answer on port {0}: {1}; choose another with --port")]
    Port(u16, std::io::Error),
    /// The tokens cannot be read or written.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// The certificate cannot be used.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// This machine does not have that address.
    #[error("this machine does not have the address {0}; it has: {1}")]
    Host(IpAddr, String),
    /// Another system error.
    #[error("the server stopped: {0}")]
    Io(#[from] std::io::Error),
}

/// A server that has its port and is about to answer.
pub struct Server {
    listener: tokio::net::TcpListener,
    router: axum::Router,
    host: IpAddr,
    port: u16,
    tokens: Option<Tokens>,
    is_open_here: bool,
    tls: Option<Tls>,
    ending: Ending,
}

impl Server {
    /// Takes the port. `profiles` are the files that keep the tables marked on the control page, by source number.
    ///
    /// # Errors
    /// [`ServerError::Port`] where it is taken, [`ServerError::Host`] for an address of another machine, and
    /// [`ServerError::Tokens`] where none can be kept.
    async fn bind(
        hub: Arc<Hub>,
        options: PageOptions,
        profiles: Vec<Option<PathBuf>>,
        ledger: Option<ServedLedger>,
        tilesets_changed: TilesetsChanged,
    ) -> Result<Self, ServerError> {
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let (host, ip) = match &options.lan {
            Some(lan) => (host(lan.host, &own_addresses())?, IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            None => (local, local),
        };
        let listener = tokio::net::TcpListener::bind(SocketAddr::new(ip, options.port))
            .await
            .map_err(|error| ServerError::Port(options.port, error))?;
        let port = listener.local_addr()?.port();
        // After the port, so that a server that fails to start leaves the tokens of a running one unchanged.
        let tokens = match &options.lan {
            Some(lan) => Some(Tokens::kept_in(&lan.tokens, lan.renew)?),
            None => None,
        };
        let certificate = options.lan.as_ref().and_then(|lan| lan.certificate.as_ref());
        let tls = certificate.map(|certificate| certificate.ready(&own_names())).transpose()?;
        let photos = Photos::new(options.reader, options.tilesets.clone(), tilesets_changed);
        let deciding = routes::Deciding::default();
        let mut kept = routes::RouteOptions {
            overlay_css: options.overlay_css,
            theme: options.theme,
            pocket: options.pocket,
            records: Records::of(options.records, ledger.as_ref().map(|served| &served.ledger)),
            profiles,
            table_ledger: None,
            paper: None,
            venue: None,
            teaching: Teaching::new(Arc::clone(&photos), options.tilesets),
        };
        let mut ending = Ending { ledger: None, deciding: Arc::clone(&deciding) };
        if let Some(ServedLedger { ledger, table, four_eyes }) = ledger {
            let entered = Arc::default();
            kept.venue = ledger
                .is_writable()
                .then(|| Venue::new(Arc::clone(&ledger), four_eyes, Arc::clone(&entered)));
            kept.table_ledger = table.map(|table| LedgerHandle::new(Arc::clone(&ledger), table));
            kept.paper = Some(Arc::new(Paper::new(Arc::clone(&ledger))));
            let (hub, deciding) = (Arc::clone(&hub), Arc::clone(&deciding));
            let follower = Follower { hub, table, venue: kept.venue.clone(), deciding, entered };
            tokio::spawn(follower.follow(Arc::downgrade(&ledger)));
            ending.ledger = Some(ledger);
        }
        let is_open_here = options.lan.as_ref().is_none_or(|lan| lan.is_open_here);
        let doors = routes::Doors { tokens: tokens.as_ref(), is_open_here };
        let router = routes::router(hub, photos, kept, deciding, doors);
        Ok(Self { listener, router, host, port, tokens, is_open_here, tls, ending })
    }

    /// The start of the addresses of a client's pages, such as `http://127.0.0.1:7777/`; in the local network it
    /// holds his token.
    #[must_use]
    pub fn address(&self, client: Client) -> String {
        match &self.tokens {
            Some(tokens) => format!("{}{}/", self.origin(), tokens.prefix(client)),
            None => self.address_here(client),
        }
    }

    /// The same for programs on this machine, which need no encryption and, without the local network or where it is
    /// opened to them, no token.
    #[must_use]
    pub fn address_here(&self, client: Client) -> String {
        let tokens = self.tokens.as_ref().filter(|_| !self.is_open_here);
        let prefix = tokens.map_or_else(String::new, |tokens| tokens.prefix(client));
        format!("http://{}:{}{prefix}/", Ipv4Addr::LOCALHOST, self.port)
    }

    /// Whether programs on this machine need no token.
    #[must_use]
    pub const fn is_open_here(&self) -> bool {
        self.is_open_here
    }

    /// The start of the addresses with a code, such as `http://192.168.1.5:7777/`.
    #[must_use]
    pub fn root(&self) -> String {
        format!("{}/", self.origin())
    }

    fn origin(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}:{}", self.host, self.port)
    }

    /// The SHA-256 fingerprint of a self-signed certificate, about which browsers warn.
    #[must_use]
    pub fn made_certificate(&self) -> Option<&str> {
        self.tls.as_ref().filter(|tls| tls.is_made).map(|tls| tls.fingerprint.as_str())
    }

    /// The address of this machine that is in the pages' addresses.
    #[must_use]
    pub const fn host(&self) -> IpAddr {
        self.host
    }

    /// The work left when the server has stopped.
    pub fn ending(&self) -> Ending {
        self.ending.clone()
    }

    /// Answers until `stop` comes.
    ///
    /// # Errors
    /// Where the machine takes the port away.
    pub async fn run(
        self,
        stop: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), ServerError> {
        let stopping = async move {
            stop.await;
            tracing::info!("stopping");
        };
        // Open sockets and previews never end by themselves: the stop ends the server, not the wait.
        tokio::select! {
            () = connections::answer(self.listener, self.router, self.tls) => Ok(()),
            () = stopping => Ok(()),
        }
    }
}

/// The host in the pages' addresses: the requested address, or the likeliest; loopback without a network.
fn host(asked: Option<IpAddr>, own: &[OwnAddress]) -> Result<IpAddr, ServerError> {
    let has = |ip: IpAddr| own.iter().any(|address| IpAddr::V4(address.ip) == ip);
    match asked {
        Some(ip) if has(ip) => Ok(ip),
        Some(ip) => {
            let own = own.iter().map(|own| format!("{} ({})", own.ip, own.interface));
            let own = own.collect::<Vec<_>>().join(", ");
            let own = if own.is_empty() { "only loopback".to_owned() } else { own };
            Err(ServerError::Host(ip, own))
        }
        None => Ok(IpAddr::V4(own.first().map_or(Ipv4Addr::LOCALHOST, |likeliest| likeliest.ip))),
    }
}

/// The names and addresses of this machine's certificate.
fn own_names() -> Vec<String> {
    let own = own_addresses().into_iter().map(|own| own.ip.to_string());
    own.chain(["127.0.0.1".to_owned(), "localhost".to_owned()]).collect()
}

/// Closes the ledger of a stopped server.
#[derive(Clone)]
pub struct Ending {
    ledger: Option<Arc<Ledger>>,
    deciding: routes::Deciding,
}

impl Ending {
    /// Waits for the current write and closes the ledger; later requests are refused.
    pub async fn end(self) {
        /// The longest wait for the disk.
        const PATIENCE: Duration = Duration::from_secs(10);
        let _none_in_between = tokio::time::timeout(PATIENCE, self.deciding.lock()).await;
        if let Some(ledger) = self.ledger {
            ledger.close().await;
        }
    }
}

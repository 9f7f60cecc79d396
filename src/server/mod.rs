//! The pages: one small server for the overlay, the control page and the phones.
//!
//! [`Hub`] holds what is shown: what the camera or a photo shows, and what the operator said of it
//! ([`Desk`]). Each change makes one whole state, pushed to every page; a page is a function of it.
//! [`Server`] answers on loopback alone, or in the local network too behind a token in the address, one for each
//! kind of [`Client`].

mod access;
mod addresses;
mod asked;
mod book;
mod connections;
mod desk;
mod feeds;
mod hall;
mod hub;
mod line;
mod look;
mod metrics;
mod pages;
mod paper;
mod photos;
mod pocket;
mod preview;
mod programme;
mod rate;
mod reading;
mod routes;
mod score_files;
mod seats;
mod settling;
mod sight;
mod socket;
mod states;
mod teaching;
mod tls;
mod tokens;
mod turns;
mod venue;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, Weak},
    time::Duration,
};

pub use crate::page::{
    Context, ContextError, Typed,
    deals::{Drawn, Said},
};
pub use access::Client;
pub use addresses::{OwnAddress, own_addresses};
pub use book::{Asked, Book, BookError, Fault, Faulted, On, Total};
pub use desk::{Amended, Desk, Entered, Phase, Undoes};
pub use feeds::Shows;
pub use hall::tournament_shown;
pub use hub::{Confirming, Hub, SeenDiscards};
pub use look::Look;
pub use photos::{ReaderMaker, TilesetsChanged};
pub use programme::{OnAirSetting, Unsure};
pub use routes::routes;
pub use score_files::{SCORE_JSON, is_score_json, score_files};
pub use states::States;
pub use tls::{Certificate, TlsError};
pub use tokens::TokensError;

use self::{photos::Photos, teaching::Teaching, tls::Tls, tokens::Tokens, venue::Venue};
use crate::{ledger::Ledger, tileset::Folder};

/// How the server is to run.
pub struct Options {
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Answer in the local network too; `None`: this machine alone.
    pub lan: Option<Lan>,
    /// A style sheet of the user's for the overlay.
    pub overlay_css: Option<String>,
    /// The folder of the page that reads by itself.
    pub pocket: Option<PathBuf>,
    /// Where to keep what is marked of a table on the control page, by the number of the source.
    pub profiles: Vec<Option<PathBuf>>,
    /// The table's ledger, where there is one.
    pub book: Option<Book>,
    /// The ledger, in which a tournament may lie.
    pub ledger: Option<PathBuf>,
    /// The same ledger for the pages of its tables and of the desk, where it may be written; and whether an entry is
    /// confirmed by another player.
    pub venue: Option<(Arc<Ledger>, bool)>,
    /// Where tile sets are kept; `None` where there is no home folder.
    pub tilesets: Option<Folder>,
    /// Makes the reader of photos, when the first one comes.
    pub reader: ReaderMaker,
    /// Is told when a tile set has been taught on a page, for sources that are being read.
    pub tilesets_changed: TilesetsChanged,
}

/// How the local network is answered.
pub struct Lan {
    /// The address of this machine that goes into the pages' addresses; the likeliest where none is said.
    pub host: Option<IpAddr>,
    /// The file that keeps the tokens.
    pub tokens: PathBuf,
    /// Make new tokens: the addresses before are dead then.
    pub renew: bool,
    /// Encrypt connections with this certificate; `None`: none of them.
    pub certificate: Option<Certificate>,
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is taken or not allowed.
    #[error("cannot answer on port {0}: {1}; choose another with --port")]
    Port(u16, std::io::Error),
    /// There are no tokens.
    #[error(transparent)]
    Tokens(#[from] TokensError),
    /// Nothing can be encrypted.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// This machine does not have that address.
    #[error("this machine does not have the address {0}; it has: {1}")]
    Host(IpAddr, String),
    /// Anything else of the machine's.
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
    tls: Option<Tls>,
    ending: Ending,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// [`ServerError::Port`] where it is taken, [`ServerError::Host`] for an address of another machine, and
    /// [`ServerError::Tokens`] where none can be kept.
    pub async fn bind(hub: Arc<Hub>, options: Options) -> Result<Self, ServerError> {
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let (host, ip) = match &options.lan {
            Some(lan) => (host(lan.host, &own_addresses())?, IpAddr::V4(Ipv4Addr::UNSPECIFIED)),
            None => (local, local),
        };
        let listener = tokio::net::TcpListener::bind(SocketAddr::new(ip, options.port))
            .await
            .map_err(|error| ServerError::Port(options.port, error))?;
        let port = listener.local_addr()?.port();
        // After the port: who does not come to answer leaves the tokens of a server that does as they are.
        let tokens = match &options.lan {
            Some(lan) => Some(Tokens::kept_in(&lan.tokens, lan.renew)?),
            None => None,
        };
        let certificate = options.lan.as_ref().and_then(|lan| lan.certificate.as_ref());
        let tls = certificate.map(|certificate| certificate.ready(&own_names())).transpose()?;
        let photos =
            Photos::new(options.reader, options.tilesets.clone(), options.tilesets_changed);
        let book = options.book.map(Arc::new);
        let deciding = routes::Deciding::default();
        let venue = options.venue.map(|(ledger, four_eyes)| Venue::new(ledger, four_eyes));
        if let Some(book) = &book {
            tokio::spawn(follow(Arc::downgrade(book), Arc::clone(&hub), Arc::clone(&deciding)));
        }
        let kept = routes::Kept {
            overlay_css: options.overlay_css,
            pocket: options.pocket,
            profiles: options.profiles,
            ledger: options.ledger,
            venue: venue.clone(),
            teaching: Teaching::new(Arc::clone(&photos), options.tilesets),
        };
        let ending = Ending { book: book.clone(), venue, deciding: Arc::clone(&deciding) };
        let router = routes::router(hub, photos, book, kept, deciding, tokens.as_ref());
        Ok(Self { listener, router, host, port, tokens, tls, ending })
    }

    /// The start of the addresses of a client's pages, such as `http://127.0.0.1:7777/`; in the local network it
    /// holds his token.
    #[must_use]
    pub fn address(&self, client: Client) -> String {
        let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        let (scheme, host, prefix) = match &self.tokens {
            Some(tokens) if client != Client::ThisMachine => {
                (scheme, self.host, tokens.prefix(client))
            }
            _ => ("http", local, String::new()),
        };
        format!("{scheme}://{host}:{}{prefix}/", self.port)
    }

    /// What the addresses of those begin with who have a code, such as `http://192.168.1.5:7777/`.
    #[must_use]
    pub fn root(&self) -> String {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        format!("{scheme}://{}:{}/", self.host, self.port)
    }

    /// The SHA-256 fingerprint of a certificate that was made here, of which browsers warn.
    #[must_use]
    pub fn made_certificate(&self) -> Option<&str> {
        self.tls.as_ref().filter(|tls| tls.is_made).map(|tls| tls.fingerprint.as_str())
    }

    /// The address of this machine that is in the pages' addresses.
    #[must_use]
    pub const fn host(&self) -> IpAddr {
        self.host
    }

    /// What is left to do when the server has stopped.
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

/// The address that goes into the pages' addresses: the one that is asked for, or the likeliest; this machine's own
/// for itself where it is in no network.
fn host(asked: Option<IpAddr>, own: &[OwnAddress]) -> Result<IpAddr, ServerError> {
    let has = |ip: IpAddr| own.iter().any(|address| IpAddr::V4(address.ip) == ip);
    match asked {
        Some(ip) if has(ip) => Ok(ip),
        Some(ip) => {
            let own = own.iter().map(|own| format!("{} ({})", own.ip, own.interface));
            let own = own.collect::<Vec<_>>().join(", ");
            let own = if own.is_empty() { "no other than for itself".to_owned() } else { own };
            Err(ServerError::Host(ip, own))
        }
        None => Ok(IpAddr::V4(own.first().map_or(Ipv4Addr::LOCALHOST, |likeliest| likeliest.ip))),
    }
}

/// What a certificate for this machine is for.
fn own_names() -> Vec<String> {
    let own = own_addresses().into_iter().map(|own| own.ip.to_string());
    own.chain(["127.0.0.1".to_owned(), "localhost".to_owned()]).collect()
}

/// The end of a server: of what it writes.
#[derive(Clone)]
pub struct Ending {
    book: Option<Arc<Book>>,
    venue: Option<Arc<Venue>>,
    deciding: routes::Deciding,
}

impl Ending {
    /// Waits for the decision that is being written down, and closes the table's ledger: whoever
    /// still asks is refused.
    pub async fn end(self) {
        /// Whoever waits for the disk for longer has failed.
        const PATIENCE: Duration = Duration::from_secs(10);
        let _none_in_between = tokio::time::timeout(PATIENCE, self.deciding.lock()).await;
        if let Some(book) = self.book {
            book.close().await;
        }
        if let Some(venue) = self.venue {
            venue.close().await;
        }
    }
}

/// Others write to the ledger too: the pages show it as it is.
async fn follow(book: Weak<Book>, hub: Arc<Hub>, deciding: routes::Deciding) {
    let Some(mut changes) = book.upgrade().map(|book| book.changes()) else { return };
    loop {
        changes.next().await;
        let Some(book) = book.upgrade() else { return };
        let _none_in_between = deciding.lock().await;
        // A file that cannot be read for a moment is read the next time.
        if let Ok(table) = book.state().await {
            hub.set_table(table);
        }
    }
}

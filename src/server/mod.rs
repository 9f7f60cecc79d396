//! The pages: one small server for the overlay, the control page and the phones.
//!
//! [`Hub`] holds what is shown: what the camera or a photo shows, and what the operator said of it
//! ([`Desk`]). Each change makes one whole state, pushed to every page; a page is a function of it.
//! [`Server`] answers on loopback alone, or in the local network behind a token in the address.

mod access;
mod book;
mod connections;
mod context;
mod desk;
mod feeds;
mod hub;
mod line;
mod look;
mod metrics;
mod pages;
mod photos;
mod preview;
mod rate;
mod reading;
mod routes;
mod seats;
mod settling;
mod sight;
mod socket;
mod teaching;
mod turns;
mod wording;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, Weak},
    time::Duration,
};

pub use book::{Book, BookError};
pub use context::{Context, ContextError};
pub use desk::{Desk, Entered, Phase};
pub use feeds::Shows;
pub use hub::{Confirming, Hub, SeenDiscards};
pub use look::Look;
pub use photos::{ReaderMaker, TilesetsChanged};

use self::{access::Access, photos::Photos, teaching::Teaching};
use crate::tileset::Folder;

/// How the server is to run.
pub struct Options {
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Answer in the local network too, behind a token.
    pub lan: bool,
    /// A style sheet of the user's for the overlay.
    pub overlay_css: Option<String>,
    /// Where to keep what is marked of a table on the control page, by the number of the source.
    pub profiles: Vec<Option<PathBuf>>,
    /// The table's ledger, where there is one.
    pub book: Option<Book>,
    /// Where tile sets are kept; `None` where there is no home folder.
    pub tilesets: Option<Folder>,
    /// Makes the reader of photos, when the first one comes.
    pub reader: ReaderMaker,
    /// Is told when a tile set has been taught on a page, for sources that are being read.
    pub tilesets_changed: TilesetsChanged,
}

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The port is taken or not allowed.
    #[error("cannot answer on port {0}: {1}; choose another with --port")]
    Port(u16, std::io::Error),
    /// No randomness for the token.
    #[error("no token could be made: {0}")]
    Token(String),
    /// Anything else of the machine's.
    #[error("the server stopped: {0}")]
    Io(#[from] std::io::Error),
}

/// A server that has its port and is about to answer.
pub struct Server {
    listener: tokio::net::TcpListener,
    router: axum::Router,
    /// The start of every address, such as `http://127.0.0.1:7777/`; it holds the token.
    pub address: String,
}

impl Server {
    /// Takes the port.
    ///
    /// # Errors
    /// [`ServerError::Port`] where it is taken.
    pub async fn bind(hub: Arc<Hub>, options: Options) -> Result<Self, ServerError> {
        let access = if options.lan { Access::with_token()? } else { Access::Loopback };
        let ip = if options.lan { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listener = tokio::net::TcpListener::bind(SocketAddr::new(IpAddr::V4(ip), options.port))
            .await
            .map_err(|error| ServerError::Port(options.port, error))?;
        let port = listener.local_addr()?.port();
        let host = if options.lan {
            local_ip_address::local_ip().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
        } else {
            IpAddr::V4(Ipv4Addr::LOCALHOST)
        };
        let address = format!("http://{host}:{port}{}", access.prefix());
        let photos =
            Photos::new(options.reader, options.tilesets.clone(), options.tilesets_changed);
        let book = options.book.map(Arc::new);
        let deciding = routes::Deciding::default();
        if let Some(book) = &book {
            tokio::spawn(follow(Arc::downgrade(book), Arc::clone(&hub), Arc::clone(&deciding)));
        }
        let kept = routes::Kept {
            overlay_css: options.overlay_css,
            profiles: options.profiles,
            teaching: Teaching::new(Arc::clone(&photos), options.tilesets),
        };
        let router = routes::router(hub, photos, book, kept, deciding, &access);
        Ok(Self { listener, router, address })
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
            () = connections::answer(self.listener, self.router) => Ok(()),
            () = stopping => Ok(()),
        }
    }
}

/// Others write to the ledger too: the pages show it as it is.
async fn follow(book: Weak<Book>, hub: Arc<Hub>, deciding: routes::Deciding) {
    let mut beat = tokio::time::interval(Duration::from_millis(500));
    loop {
        beat.tick().await;
        let Some(book) = book.upgrade() else { return };
        let _none_in_between = deciding.lock().await;
        // A file that cannot be read for a moment is read the next time.
        if let Ok(table) = book.state().await {
            hub.set_table(table);
        }
    }
}

//! A session: the sources, the ledger and the pages of one table, from its arguments until a signal ends it. It owns
//! the threads, and closes everything in order.

mod ledger;
mod signals;
mod sources;

use std::{future::Future, io, path::PathBuf, sync::Arc, time::Duration};

use tokio::runtime::{self, Runtime};

pub use self::{
    ledger::LedgerOptions,
    sources::{GiveTilesets, SessionSource},
};
use self::{signals::Signals, sources::Sources};
use super::{
    ContextError, Hub, Obs, PageOptions, RecordWriter, Recording, RecordingError, ScoreFolderError,
    ServedLedger, Server, ServerError, Webhook, WebhookError, score_folder::ScoreFolder,
};
use crate::{
    ledger::{Ledger, LedgerError},
    rules::Library,
};

/// Reports to the person at the terminal, a line each.
pub type Report = Arc<dyn Fn(&str) + Send + Sync>;

/// Where a record is written.
pub enum RecordPlace {
    /// The session's ledger.
    Ledger,
    /// A file.
    File(PathBuf),
}

/// What a session serves.
pub struct SessionOptions {
    /// The rule sets, and the one to begin with.
    pub library: Library,
    /// Its id or its file.
    pub rules: String,
    /// The sources to read.
    pub sources: Vec<SessionSource>,
    /// The ledger.
    pub ledger: Option<LedgerOptions>,
    /// The folder that keeps the score.
    pub score: Option<PathBuf>,
    /// Where the record of the table is written, if it is.
    pub record: Option<RecordPlace>,
    /// The OBS to switch.
    pub obs: Option<Obs>,
    /// The program that gets what is written to the ledger.
    pub webhook: Option<Webhook>,
    /// How the pages are served.
    pub pages: PageOptions,
    /// Gives a source's reader the tile sets again, after one was taught.
    pub give_tilesets: GiveTilesets,
    /// Reports what happens to the sources and the ledger.
    pub report: Report,
}

/// Why a session cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// No threads, or no signals.
    #[error("the server cannot start")]
    Runtime(#[from] io::Error),
    /// The rule set to begin with.
    #[error(transparent)]
    Rules(#[from] ContextError),
    /// The ledger.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The ledger has no table and no tournament.
    #[error("{} is empty: tilelens table new", .0.display())]
    Empty(PathBuf),
    /// The ledger has several tables, of which none was chosen.
    #[error("several tables: give --table with one of {0}")]
    SeveralTables(String),
    /// The ledger's table plays by rules that the library does not have.
    #[error("{}: give its rule file with --rules too", .0.display())]
    RulesOfTable(PathBuf, #[source] ContextError),
    /// The folder of the score.
    #[error(transparent)]
    Score(#[from] ScoreFolderError),
    /// The record.
    #[error(transparent)]
    Record(#[from] RecordingError),
    /// The program that gets events.
    #[error(transparent)]
    Webhook(#[from] WebhookError),
    /// The pages.
    #[error(transparent)]
    Server(#[from] ServerError),
}

/// A session whose pages are about to answer.
pub struct Session {
    runtime: Runtime,
    signals: Signals,
    sources: Sources,
    server: Server,
    ledger: Option<Arc<Ledger>>,
}

impl RecordPlace {
    fn writer(
        &self,
        ledger: Option<&ServedLedger>,
        runtime: &runtime::Handle,
        report: &Report,
    ) -> Result<RecordWriter, RecordingError> {
        if let Self::File(file) = self {
            return RecordWriter::to_file(file, report);
        }
        let served = ledger.filter(|served| served.ledger.is_writable());
        let served = served.and_then(|served| Some((&served.ledger, served.table?)));
        let (ledger, table) = served.ok_or(RecordingError::NoTable)?;
        RecordWriter::to_ledger(Arc::clone(ledger), table, runtime.clone(), report)
    }
}

impl Session {
    /// Opens the ledger, starts the sources and takes the port. From here on a signal ends the session in order.
    ///
    /// # Errors
    /// Where a part cannot begin; the sources are stopped again then.
    pub fn start(options: SessionOptions) -> Result<Self, SessionError> {
        let runtime =
            runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let hub = Hub::new(options.library, &options.rules)?;
        let own = options.pages.tilesets.clone();
        let report = &options.report;
        let (signals, ledger) = runtime.block_on(async {
            let signals = Signals::expected()?;
            let ledger = match options.ledger {
                Some(ledger) => Some(ledger.served(&hub, options.pages.port, report).await?),
                None => None,
            };
            Ok::<_, SessionError>((signals, ledger))
        })?;
        let writer = match &options.record {
            Some(place) => Some(place.writer(ledger.as_ref(), runtime.handle(), report)?),
            None => None,
        };
        let recording = Recording::new(writer);
        let sources = Sources::start(&hub, options.sources, own, recording, report)?;
        let opened = runtime.block_on(async {
            let score = options.score.as_deref().map(ScoreFolder::at).transpose()?;
            let written = ledger.as_ref().map(|served| Arc::clone(&served.ledger));
            let written = written.filter(|ledger| ledger.is_writable());
            if options.webhook.is_some() && written.is_none() {
                return Err(WebhookError::ReadOnly.into());
            }
            let profiles = sources.profiles();
            let changed = sources.tilesets_changed(options.give_tilesets);
            let server =
                Server::bind(Arc::clone(&hub), options.pages, profiles, ledger, changed).await?;
            if let Some(score) = score {
                tokio::spawn(score.follow(Arc::clone(&hub)));
            }
            if let Some(obs) = options.obs {
                tokio::spawn(obs.follow(hub));
            }
            if let Some((webhook, ledger)) = options.webhook.zip(written.as_ref()) {
                tokio::spawn(webhook.follow(Arc::downgrade(ledger)));
            }
            Ok((server, written))
        });
        match opened {
            Ok((server, ledger)) => Ok(Self { runtime, signals, sources, server, ledger }),
            Err(error) => {
                sources.stop();
                Err(error)
            }
        }
    }

    /// The server of its pages.
    pub const fn server(&self) -> &Server {
        &self.server
    }

    /// The ledger, if entries can be written to it.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_deref()
    }

    /// Waits for work on the ledger.
    pub fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Serves the pages until a signal comes, then ends in order.
    ///
    /// # Errors
    /// Where the machine takes the port away.
    pub fn run(self) -> Result<(), ServerError> {
        let Self { runtime, mut signals, sources, server, ledger: _ } = self;
        let ending = server.ending();
        let served = runtime.block_on(server.run(async move { signals.come().await }));
        // In this order: the sources, then the ledger, whose log is merged into it.
        sources.stop();
        runtime.block_on(ending.end());
        runtime.shutdown_timeout(Duration::from_secs(2));
        served
    }
}

//! The games of a folder and the records of a ledger, which `/replay` lists and replays.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Component, Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::{ledger_handle::AUTHOR, replay::replay_page};
use crate::{
    convert::log::{self, GameLog, MendError, Mending},
    game_log,
    ledger::{Ledger, LedgerError, MendRecordError, TableRecord},
    output::{self, Inputs},
    page,
    rules::RuleSet,
    table::Opened,
};

/// What the names of tables' records begin with.
const TABLE: &str = "table ";
/// The rules by which games of the folder are counted again: the logs of other programs are of riichi.
const RULES: &str = "riichi";
/// A game of two hours takes about 200 KB.
const LARGEST: u64 = 16 << 20;

/// A file of the folder, or the record of a table.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct KeptGame {
    /// When it was last written, in milliseconds since 1970.
    written: i64,
    /// The name of its file; of a record, `table` and the number.
    name: String,
    /// The table whose record it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<u32>,
}

/// Why a game is not shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    #[error("there is no game {0:?} here")]
    None(String),
    #[error("{0} cannot be read: {1}")]
    File(String, io::Error),
    #[error("{0} is larger than {max} MB, which no record of a game is", max = LARGEST >> 20)]
    Large(String),
    #[error("{0}: {1}")]
    Log(String, String),
    #[error("{0} is being written by `live --record`: mend it when that session is over")]
    InUse(String),
    #[error(transparent)]
    Mend(#[from] MendError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    #[error("{0}")]
    Broken(String),
}

impl From<MendRecordError> for RecordError {
    fn from(error: MendRecordError) -> Self {
        match error {
            MendRecordError::Mend(error) => error.into(),
            MendRecordError::Ledger(error) => error.into(),
        }
    }
}

/// The games that a server shows: the files of a folder, and the records of its ledger's tables.
pub(super) struct Records {
    folder: Option<PathBuf>,
    ledger: Option<Arc<Ledger>>,
}

/// A game that is replayed.
enum Game {
    File(PathBuf),
    Table(Arc<Ledger>, u32, TableRecord),
}

impl Records {
    /// The games of both; `None` where there is neither.
    pub fn of(folder: Option<PathBuf>, ledger: Option<&Arc<Ledger>>) -> Option<Self> {
        (folder.is_some() || ledger.is_some()).then(|| Self { folder, ledger: ledger.cloned() })
    }

    /// The games, the newest first.
    ///
    /// # Errors
    /// A folder or a ledger that cannot be read.
    pub async fn games(&self) -> Result<Vec<KeptGame>, RecordError> {
        let mut games = match &self.folder {
            Some(folder) => files(folder)
                .map_err(|error| RecordError::File(folder.display().to_string(), error))?,
            None => Vec::new(),
        };
        if let Some(ledger) = &self.ledger {
            let recorded = ledger.records().await?.into_iter().map(|(table, at)| {
                let (written, name) = (at.as_millisecond(), name_of(table));
                KeptGame { written, name, table: Some(table) }
            });
            let recorded: Vec<KeptGame> = recorded.collect();
            games.retain(|file| !recorded.iter().any(|table| table.name == file.name));
            games.extend(recorded);
        }
        games.sort_by(|a, b| b.cmp(a));
        Ok(games)
    }

    /// The page that replays a game. `may_mend`: whether whoever asks may mend a record of ours.
    ///
    /// # Errors
    /// [`RecordError`].
    pub async fn page(&self, name: String, may_mend: bool) -> Result<String, RecordError> {
        let game = self.find(&name).await?;
        let (rules, may_mend) = match &game {
            Game::Table(ledger, table, _) => {
                let rules =
                    Arc::clone(ledger.table(*table).await?.rules().map_err(LedgerError::from)?);
                (Some(rules), may_mend && ledger.is_writable())
            }
            Game::File(_) => (None, may_mend),
        };
        in_background(move || {
            let text = match game {
                Game::Table(_, _, record) => record.text(),
                Game::File(file) => text_of(&file, &name)?,
            };
            let mends = (may_mend && log::read_own(&text).is_ok()).then_some(&*name);
            page_of(&text, mends, rules.as_deref())
                .map_err(|why| RecordError::Log(name.clone(), why))
        })
        .await
    }

    /// Mends a record.
    ///
    /// # Errors
    /// [`RecordError`]; it is then as it was.
    pub async fn mend(&self, name: String, mending: Mending) -> Result<(), RecordError> {
        match self.find(&name).await? {
            Game::Table(ledger, table, _) => Ok(ledger.mend_record(table, mending, AUTHOR).await?),
            Game::File(file) => in_background(move || mend_file(&file, &name, mending)).await,
        }
    }

    async fn find(&self, name: &str) -> Result<Game, RecordError> {
        let table = name.strip_prefix(TABLE).and_then(|table| table.parse().ok());
        if let Some((ledger, table)) =
            self.ledger.as_ref().zip(table).filter(|(_, table)| name_of(*table) == name)
        {
            let record = ledger.record(table).await?;
            if !record.is_empty() {
                return Ok(Game::Table(Arc::clone(ledger), table, record));
            }
        }
        let none = || RecordError::None(name.to_owned());
        let path = PathBuf::from(name);
        let mut parts = path.components();
        if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
            return Err(none());
        }
        Ok(Game::File(self.folder.as_ref().ok_or_else(none)?.join(path)))
    }
}

/// The name of the record of a table among the games.
fn name_of(table: u32) -> String {
    format!("{TABLE}{table}")
}

/// Work that a server does beside its answers.
async fn in_background<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RecordError> + Send + 'static,
) -> Result<T, RecordError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| RecordError::Broken(error.to_string()))?
}

/// The files of a folder; hidden ones are left out.
fn files(folder: &Path) -> io::Result<Vec<KeptGame>> {
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else {
            continue;
        };
        if about.is_file() && !name.starts_with('.') {
            let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let written = Timestamp::try_from(written).map_or(0, Timestamp::as_millisecond);
            games.push(KeptGame { written, name, table: None });
        }
    }
    Ok(games)
}

fn mend_file(file: &Path, name: &str, mending: Mending) -> Result<(), RecordError> {
    let text = text_of(file, name)?;
    let wrong = |error| RecordError::File(name.to_owned(), error);
    let in_use = File::open(file).map_err(wrong)?.try_lock();
    if matches!(in_use, Err(TryLockError::WouldBlock)) {
        return Err(RecordError::InUse(name.to_owned()));
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mended = log::mended(&text, mending, now)?.text;
    output::write(file, mended.as_bytes(), &Inputs::default()).map_err(wrong)
}

/// What is in a file of the folder.
fn text_of(file: &Path, name: &str) -> Result<String, RecordError> {
    let wrong = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => RecordError::None(name.to_owned()),
        _ => RecordError::File(name.to_owned(), error),
    };
    if std::fs::metadata(file).map_err(wrong)?.len() > LARGEST {
        return Err(RecordError::Large(name.to_owned()));
    }
    std::fs::read_to_string(file).map_err(wrong)
}

/// The page of a game, which is counted by the rules of its table where it has one.
fn page_of(text: &str, mends: Option<&str>, rules: Option<&RuleSet>) -> Result<String, String> {
    let record = log::read(text).map_err(|error| error.to_string())?;
    let riichi = || RuleSet::preset(RULES).ok_or("the rules of riichi are missing");
    let rules = rules.map_or_else(riichi, Ok)?;
    // A game that these rules do not count again is shown with its own payments, if it has any.
    let counted = GameLog::of(&record).ok().filter(GameLog::has_payments).and_then(|log| {
        let opened = Opened::under(rules, true, Vec::new(), game_log::players(&log));
        game_log::replay(&log, opened, Timestamp::now()).ok()
    });
    let game = page::replay::replay(&record, rules, counted.as_ref().map(|game| &game.table))?;
    replay_page(&game, mends).ok_or_else(|| "a part of the page is missing".to_owned())
}

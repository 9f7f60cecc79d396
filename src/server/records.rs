//! The games of a folder, which `/replay` lists and replays.

use std::{
    fs::{File, TryLockError},
    io,
    path::{Component, Path, PathBuf},
    time::SystemTime,
};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::replay::replay_page;
use crate::{
    convert::log::{self, GameLog, MendError, Mending},
    game_log,
    output::{self, Inputs},
    page,
    rules::RuleSet,
    table::Opened,
};

/// The rules by which games are counted again: the logs of other programs are of riichi.
const RULES: &str = "riichi";
/// A game of two hours takes about 200 KB.
const LARGEST: u64 = 16 << 20;

/// A file of the folder.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct KeptGame {
    /// When it was last written, in milliseconds since 1970.
    written: i64,
    /// The name of its file.
    name: String,
}

/// Why a game is not shown.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    #[error("there is no game {0:?} in the folder of --records")]
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
}

/// The files of the folder, the newest first; hidden ones are left out.
///
/// # Errors
/// A folder that cannot be read.
pub(super) fn games(folder: &Path) -> io::Result<Vec<KeptGame>> {
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let (Ok(name), Ok(about)) = (entry.file_name().into_string(), entry.metadata()) else {
            continue;
        };
        if about.is_file() && !name.starts_with('.') {
            let written = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let written = Timestamp::try_from(written).map_or(0, Timestamp::as_millisecond);
            games.push(KeptGame { written, name });
        }
    }
    games.sort_by(|a, b| b.cmp(a));
    Ok(games)
}

/// The page that replays a file of the folder. `may_mend`: whether whoever asks may mend a record of ours.
///
/// # Errors
/// [`RecordError`].
pub(super) fn page(folder: &Path, name: &str, may_mend: bool) -> Result<String, RecordError> {
    let (_, text) = text_of(folder, name)?;
    let mends = (may_mend && log::read_own(&text).is_ok()).then_some(name);
    page_of(&text, mends).map_err(|why| RecordError::Log(name.to_owned(), why))
}

/// Mends a record of the folder.
///
/// # Errors
/// [`RecordError`]; the file is then as it was.
pub(super) fn mend(folder: &Path, name: &str, mending: Mending) -> Result<(), RecordError> {
    let (file, text) = text_of(folder, name)?;
    let wrong = |error| RecordError::File(name.to_owned(), error);
    let in_use = File::open(&file).map_err(wrong)?.try_lock();
    if matches!(in_use, Err(TryLockError::WouldBlock)) {
        return Err(RecordError::InUse(name.to_owned()));
    }
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let mended = log::mended(&text, mending, now)?.text;
    output::write(&file, mended.as_bytes(), &Inputs::default()).map_err(wrong)
}

/// A file of the folder and what is in it.
fn text_of(folder: &Path, name: &str) -> Result<(PathBuf, String), RecordError> {
    let none = || RecordError::None(name.to_owned());
    let path = PathBuf::from(name);
    let mut parts = path.components();
    if !matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None)) {
        return Err(none());
    }
    let file = folder.join(path);
    let wrong = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => none(),
        _ => RecordError::File(name.to_owned(), error),
    };
    if std::fs::metadata(&file).map_err(wrong)?.len() > LARGEST {
        return Err(RecordError::Large(name.to_owned()));
    }
    let text = std::fs::read_to_string(&file).map_err(wrong)?;
    Ok((file, text))
}

fn page_of(text: &str, mends: Option<&str>) -> Result<String, String> {
    let record = log::read(text).map_err(|error| error.to_string())?;
    let rules = RuleSet::preset(RULES).ok_or("the rules of riichi are missing")?;
    // A game that these rules do not count again is shown with its own payments, if it has any.
    let counted = GameLog::of(&record).ok().filter(GameLog::has_payments).and_then(|log| {
        let opened = Opened::under(rules, true, Vec::new(), game_log::players(&log));
        game_log::replay(&log, opened, Timestamp::now()).ok()
    });
    let game = page::replay::replay(&record, rules, counted.as_ref().map(|game| &game.table))?;
    replay_page(&game, mends).ok_or_else(|| "a part of the page is missing".to_owned())
}

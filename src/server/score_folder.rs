//! The score in files of a folder, updated with the scene that viewers see.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use super::{
    Hub, OnAir,
    score_files::{SCORE_JSON, is_score_json, score_files},
};
use crate::output::{Inputs, write};

/// The shortest time between writes.
const PAUSE: Duration = Duration::from_secs(1);

/// Why the score is not kept in a folder.
#[derive(Debug, thiserror::Error)]
pub enum ScoreFolderError {
    /// The folder cannot be made.
    #[error("--out: cannot make the folder {}: {error}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The folder holds a file of one of these names that this program did not write.
    #[error("--out: {} holds {name}, which Tilelens did not write: name another folder. Nothing was written", .folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The file.
        name: String,
    },
    /// A file cannot be written.
    #[error("--out: cannot write {}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// A folder that holds the score.
#[derive(Debug)]
pub struct ScoreFolder {
    folder: PathBuf,
    written: BTreeMap<String, String>,
}

impl ScoreFolder {
    /// Makes the folder if it is missing.
    ///
    /// # Errors
    /// Where it cannot be made, or holds files of these names that this program did not write.
    pub fn at(folder: &Path) -> Result<Self, ScoreFolderError> {
        let folder = folder.to_owned();
        if let Err(error) = fs::create_dir_all(&folder) {
            return Err(ScoreFolderError::Folder { folder, error });
        }
        let is_own =
            fs::read_to_string(folder.join(SCORE_JSON)).is_ok_and(|text| is_score_json(&text));
        let mut names = score_files(&OnAir::default()).into_keys();
        if let Some(name) = names.find(|name| !is_own && folder.join(name).exists()) {
            return Err(ScoreFolderError::Foreign { folder, name });
        }
        Ok(Self { folder, written: BTreeMap::new() })
    }

    /// Writes the changed files; true if any changed.
    fn write(&mut self, files: BTreeMap<String, String>) -> Result<bool, ScoreFolderError> {
        let mut news = false;
        for (name, text) in files {
            if self.written.get(&name) == Some(&text) {
                continue;
            }
            let file = self.folder.join(&name);
            if let Err(error) = write(&file, text.as_bytes(), &Inputs::default()) {
                return Err(ScoreFolderError::File { file, error });
            }
            self.written.insert(name, text);
            news = true;
        }
        Ok(news)
    }

    /// Keeps the files equal to the scene that viewers see. A failed write is reported once and repeated with the next
    /// change.
    pub async fn follow(mut self, hub: Arc<Hub>) {
        let mut states = hub.states();
        let mut said = None;
        loop {
            let scene = Arc::clone(states.borrow_and_update().scene());
            let task = tokio::task::spawn_blocking(move || {
                let written = self.write(score_files(&scene));
                (self, written)
            });
            let Ok((folder, written)) = task.await else { return };
            self = folder;
            match written {
                Ok(false) => {}
                Ok(true) => {
                    said = None;
                    tokio::time::sleep(PAUSE).await;
                }
                Err(error) => {
                    let text = error.to_string();
                    if said.as_ref() != Some(&text) {
                        tracing::error!("{text}");
                        said = Some(text);
                    }
                    tokio::time::sleep(PAUSE).await;
                }
            }
            if states.changed().await.is_err() {
                return;
            }
        }
    }
}

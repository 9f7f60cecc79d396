//! `--out FOLDER`: the score in files, updated with the programme.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::{
    output::{Inputs, write},
    server::{Client, Hub, SCORE_JSON, is_score_json, score_files},
};

/// The shortest time between writes.
const PAUSE: Duration = Duration::from_secs(1);

/// A folder that holds the score.
pub(super) struct ScoreFolder {
    folder: PathBuf,
    written: BTreeMap<String, String>,
}

impl ScoreFolder {
    /// Makes the folder if it is missing.
    ///
    /// # Errors
    /// Where it cannot be made, or holds files of these names that this program did not write.
    pub(super) fn at(folder: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("--out: cannot make the folder {}", folder.display()))?;
        let is_own =
            fs::read_to_string(folder.join(SCORE_JSON)).is_ok_and(|text| is_score_json(&text));
        let mut names = score_files(&Value::Null).into_keys();
        if let Some(name) = names.find(|name| !is_own && folder.join(name).exists()) {
            bail!(
                "--out: {} holds {name}, which Tilelens did not write: name another folder. Nothing was written",
                folder.display()
            );
        }
        Ok(Self { folder: folder.to_owned(), written: BTreeMap::new() })
    }

    /// Writes the changed files; true if any changed.
    fn write(&mut self, files: BTreeMap<String, String>) -> anyhow::Result<bool> {
        let mut news = false;
        for (name, text) in files {
            if self.written.get(&name) == Some(&text) {
                continue;
            }
            let file = self.folder.join(&name);
            write(&file, text.as_bytes(), &Inputs::default())
                .with_context(|| format!("--out: cannot write {}", file.display()))?;
            self.written.insert(name, text);
            news = true;
        }
        Ok(news)
    }

    /// Keeps the files equal to the viewers' state. A failed write is reported once and repeated with the next change.
    pub(super) async fn follow(mut self, hub: Arc<Hub>) {
        let mut states = hub.states();
        let mut said = None;
        loop {
            let state: Value = serde_json::from_str(states.borrow_and_update().of(Client::Screen))
                .unwrap_or_default();
            let task = tokio::task::spawn_blocking(move || {
                let written = self.write(score_files(&state));
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
                    let text = format!("{error:#}");
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

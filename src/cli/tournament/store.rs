//! A tournament's file on disk: read whole, written whole, one writer at a time. A crash leaves the
//! file as it was before or as it is after, never between.

use std::{
    fs::{self, File},
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow, bail};
use jiff::Timestamp;

use crate::tournament::{Event, Log, Tournament, What};

/// No tournament's file is larger, in bytes.
const MOST: u64 = 64 << 20;

/// A tournament's file.
pub(super) struct Store {
    path: PathBuf,
}

impl Store {
    /// The file at a path, which may be a link.
    pub(super) fn at(path: &Path) -> Self {
        Self { path: fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()) }
    }

    /// Reads it.
    pub(super) fn read(&self) -> anyhow::Result<(Log, Tournament)> {
        let shown = self.path.display();
        let about = fs::metadata(&self.path).with_context(|| {
            format!("cannot read {shown}: `tilelens tournament new` begins a tournament")
        })?;
        if about.len() > MOST {
            bail!("{shown} has {} bytes: a tournament's file has at most {MOST}", about.len());
        }
        let text =
            fs::read_to_string(&self.path).with_context(|| format!("cannot read {shown}"))?;
        let log = Log::parse(&text).map_err(|error| anyhow!("{shown}: {error}"))?;
        let tournament = log.tournament()?;
        Ok((log, tournament))
    }

    /// Writes a new tournament; an existing file stays.
    pub(super) fn create(&self, log: &Log) -> anyhow::Result<()> {
        let _lock = self.lock()?;
        if self.path.exists() {
            bail!("{} exists already: choose another name", self.path.display());
        }
        self.replace(log, None)
    }

    /// Appends what happened, one event or several; all or none is written.
    pub(super) fn append(
        &self,
        by: &str,
        what: impl FnOnce(&Log, &Tournament) -> anyhow::Result<Vec<What>>,
    ) -> anyhow::Result<(Vec<Event>, Tournament)> {
        let _lock = self.lock()?;
        let (mut log, tournament) = self.read()?;
        let about = fs::metadata(&self.path)?;
        if about.permissions().readonly() {
            bail!("{} may not be written: change its permissions", self.path.display());
        }
        let before = log.events().len();
        let happened = what(&log, &tournament)?;
        let tournament = log.append(Timestamp::now(), by, happened)?;
        self.replace(&log, Some(about.permissions()))?;
        Ok((log.events()[before..].to_vec(), tournament))
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// Puts the log in the place of what is there, on the disk. Only under the lock: the file
    /// that is written first has a fixed name, and one that a crash left is written anew.
    fn replace(&self, log: &Log, permissions: Option<fs::Permissions>) -> anyhow::Result<()> {
        let draft = self.hidden("new");
        let write = || -> io::Result<()> {
            if let Err(error) = fs::remove_file(&draft)
                && error.kind() != io::ErrorKind::NotFound
            {
                return Err(error);
            }
            let mut file = File::create_new(&draft)?;
            file.write_all(log.to_json().as_bytes())?;
            if let Some(permissions) = permissions {
                file.set_permissions(permissions)?;
            }
            file.sync_all()?;
            fs::rename(&draft, &self.path)?;
            // On Unix the new name lasts once the folder is written too.
            #[cfg(unix)]
            File::open(self.folder())?.sync_all()?;
            Ok(())
        };
        write().with_context(|| {
            format!("cannot write {}; the tournament is as it was before", self.path.display())
        })
    }

    /// A file beside the tournament's that listings do not show.
    fn hidden(&self, purpose: &str) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        self.folder().join(format!(".{name}.{purpose}"))
    }

    /// Keeps other writers of this tournament waiting until it is dropped.
    fn lock(&self) -> anyhow::Result<File> {
        let path = self.hidden("lock");
        let told = || format!("cannot lock {}", path.display());
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .with_context(told)?;
        file.lock().with_context(told)?;
        Ok(file)
    }
}

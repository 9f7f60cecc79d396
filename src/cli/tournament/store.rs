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
        let written = self.beside(log)?;
        written.persist_noclobber(&self.path).map_err(|error| {
            if error.error.kind() == io::ErrorKind::AlreadyExists {
                anyhow!("{} exists already: choose another name", self.path.display())
            } else {
                anyhow!(error.error).context(format!("cannot write {}", self.path.display()))
            }
        })?;
        self.folder_written()
    }

    /// Appends what happened, one event or several; all or none is written.
    pub(super) fn append(
        &self,
        by: &str,
        what: impl FnOnce(&Log, &Tournament) -> anyhow::Result<Vec<What>>,
    ) -> anyhow::Result<(Vec<Event>, Tournament)> {
        let _lock = self.lock()?;
        let (mut log, mut tournament) = self.read()?;
        if fs::metadata(&self.path)?.permissions().readonly() {
            bail!("{} may not be written: change its permissions", self.path.display());
        }
        let before = log.events().len();
        for what in what(&log, &tournament)? {
            tournament = log.append(Timestamp::now(), by, what)?;
        }
        let written = self.beside(&log)?;
        if let Ok(about) = fs::metadata(&self.path) {
            fs::set_permissions(written.path(), about.permissions())?;
        }
        written.persist(&self.path).map_err(|error| {
            anyhow!(error.error).context(format!("cannot write {}", self.path.display()))
        })?;
        self.folder_written()?;
        Ok((log.events()[before..].to_vec(), tournament))
    }

    fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        }
    }

    /// The log in a file of its own beside the tournament's, on the disk.
    fn beside(&self, log: &Log) -> anyhow::Result<tempfile::NamedTempFile> {
        let write = || -> io::Result<tempfile::NamedTempFile> {
            let mut builder = tempfile::Builder::new();
            builder.prefix(".tilelens-").suffix(".tmp");
            // As any new file, not for its writer alone.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
            let mut file = builder.tempfile_in(self.folder())?;
            file.write_all(log.to_json().as_bytes())?;
            file.as_file().sync_all()?;
            Ok(file)
        };
        write().with_context(|| {
            let folder = self.folder().display();
            format!("cannot write in {folder}; the tournament is as it was before")
        })
    }

    /// Makes the new name last: on Unix the folder is written too.
    fn folder_written(&self) -> anyhow::Result<()> {
        #[cfg(unix)]
        File::open(self.folder())?.sync_all()?;
        Ok(())
    }

    /// Keeps other writers of this tournament waiting until it is dropped.
    fn lock(&self) -> anyhow::Result<File> {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let path = self.folder().join(format!(".{name}.lock"));
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

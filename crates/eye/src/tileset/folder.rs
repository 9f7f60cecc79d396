//! Profiles as files of a folder: the user's own, and the built-in samples.

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{Profile, ProfileError, SetName};
use crate::output::{self, Inputs};

/// Built-in profiles, for trying out: read by name only, never chosen automatically.
pub const SHIPPED: &[(&str, &str)] =
    &[("tilelens-artwork", include_str!("../../calibration/tilesets/tilelens-artwork.toml"))];

/// Largest size of a profile's file, in bytes.
const MOST_BYTES: u64 = 4 << 20;

/// Why a profile cannot be read or saved.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// The system names no folder for a user's data.
    #[error("there is no home folder to keep tile sets in: {0}")]
    Home(String),
    /// The system's error for a file.
    #[error("{0}: {1}")]
    Io(PathBuf, #[source] io::Error),
    /// The file is not a profile.
    #[error("{0}: {1}")]
    Profile(PathBuf, #[source] ProfileError),
    /// There is no set of that name.
    #[error("no tile set `{0}` (known: {1}); `tilelens calibrate tiles PHOTO --name {0}` makes it")]
    Unknown(SetName, String),
}

/// The folder of a user's profiles.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// The user's own folder: `tilelens/tilesets` in the system's folder for data (`XDG_DATA_HOME`).
    ///
    /// # Errors
    /// There is no home folder.
    pub fn of_user() -> Result<Self, FolderError> {
        use etcetera::BaseStrategy as _;
        let base =
            etcetera::choose_base_strategy().map_err(|e| FolderError::Home(e.to_string()))?;
        Ok(Self(base.data_dir().join("tilelens").join("tilesets")))
    }

    /// Any folder.
    #[must_use]
    pub const fn at(path: PathBuf) -> Self {
        Self(path)
    }

    /// The path of a set's file, existing or not.
    #[must_use]
    pub fn path(&self, name: &SetName) -> PathBuf {
        self.0.join(format!("{name}.toml"))
    }

    /// The names in the folder, sorted; empty if the folder does not exist.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn names(&self) -> Result<Vec<SetName>, FolderError> {
        let io_error = |error| FolderError::Io(self.0.clone(), error);
        let entries = match std::fs::read_dir(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(io_error)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            let file = entry.map_err(io_error)?.file_name();
            names.extend(file.to_str().and_then(|f| f.strip_suffix(".toml")?.parse().ok()));
        }
        names.sort();
        Ok(names)
    }

    /// The profile of a name: the user's, or the built-in one.
    ///
    /// # Errors
    /// There is no such profile, or its file is damaged.
    pub fn load(&self, name: &SetName) -> Result<Profile, FolderError> {
        let path = self.path(name);
        if path.exists() {
            return read(&path);
        }
        match SHIPPED.iter().find(|(shipped, _)| *shipped == name.as_str()) {
            Some((_, text)) => Profile::parse(text).map_err(|e| FolderError::Profile(path, e)),
            None => {
                let names = self.names()?;
                let known = names.iter().map(SetName::as_str).chain(SHIPPED.iter().map(|s| s.0));
                let known = known.collect::<Vec<_>>().join(", ");
                Err(FolderError::Unknown(name.clone(), known))
            }
        }
    }

    /// Writes a profile under its name, completely or not at all. Returns its path.
    ///
    /// # Errors
    /// The system's error.
    pub fn save(&self, profile: &Profile) -> Result<PathBuf, FolderError> {
        std::fs::create_dir_all(&self.0).map_err(|error| FolderError::Io(self.0.clone(), error))?;
        let path = self.path(&profile.about.name);
        write(profile, &path)?;
        Ok(path)
    }

    /// Deletes a set's file.
    ///
    /// # Errors
    /// There is no such file, or the system refuses.
    pub fn remove(&self, name: &SetName) -> Result<(), FolderError> {
        let path = self.path(name);
        std::fs::remove_file(&path).map_err(|error| FolderError::Io(path, error))
    }
}

/// Reads a profile's file at any path.
///
/// # Errors
/// It cannot be read, or is not a profile.
pub fn read(path: &Path) -> Result<Profile, FolderError> {
    let io_error = |error| FolderError::Io(path.to_owned(), error);
    let size = std::fs::metadata(path).map_err(io_error)?.len();
    if size > MOST_BYTES {
        let why = ProfileError::Format(format!("{size} bytes, at most {MOST_BYTES} are read"));
        return Err(FolderError::Profile(path.to_owned(), why));
    }
    let text = std::fs::read_to_string(path).map_err(io_error)?;
    Profile::parse(&text).map_err(|error| FolderError::Profile(path.to_owned(), error))
}

/// Writes a profile's file at any path, completely or not at all.
///
/// # Errors
/// The system's error.
pub fn write(profile: &Profile, path: &Path) -> Result<(), FolderError> {
    output::write(path, profile.to_string().as_bytes(), &Inputs::default())
        .map_err(|error| FolderError::Io(path.to_owned(), error))
}

//! Writes files whole or not at all, and never over a file that was read for them.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

/// An output that is one of the inputs, under this name or another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} is {}, which is read here: name another file to write to. Nothing was written", .to.display(), same_file(.to, .input))]
pub struct IsInput {
    /// The output's name as given.
    pub to: PathBuf,
    /// The input's name as given.
    pub input: PathBuf,
}

fn same_file(to: &Path, input: &Path) -> String {
    if to == input {
        "one of the inputs".to_owned()
    } else {
        format!("the same file as {}", input.display())
    }
}

/// The files that a command reads.
#[derive(Clone, Debug, Default)]
pub struct Inputs(Vec<(PathBuf, FileId)>);

impl Inputs {
    /// The files with these names, and those in folders with these names; `-` is standard input. A name without a file,
    /// such as a camera's, is skipped.
    pub fn of<P: AsRef<Path>>(names: impl IntoIterator<Item = P>) -> Self {
        let mut inputs = Self::default();
        for name in names {
            let name = name.as_ref();
            inputs.add(name);
            for entry in fs::read_dir(name).into_iter().flatten().flatten() {
                inputs.add(&entry.path());
            }
        }
        inputs
    }

    fn add(&mut self, name: &Path) {
        let about = if name == Path::new("-") { standard(io::stdin()) } else { fs::metadata(name) };
        if let Some(id) = about.ok().and_then(|about| FileId::of(name, &about)) {
            self.0.push((name.to_owned(), id));
        }
    }

    /// Checks that an output is not one of these files under any name; links are followed.
    ///
    /// # Errors
    /// [`IsInput`] where it is.
    pub fn refuse(&self, to: &Path) -> Result<(), IsInput> {
        let id = fs::metadata(to).ok().and_then(|about| FileId::of(to, &about));
        self.refuse_id(id, to)
    }

    /// Checks that standard output is not one of these files, as with `program FILE >> FILE`.
    ///
    /// # Errors
    /// [`IsInput`] where it is.
    pub fn refuse_stdout(&self) -> Result<(), IsInput> {
        let to = Path::new("standard output");
        let about = standard(io::stdout()).ok();
        self.refuse_id(about.and_then(|about| FileId::of(to, &about)), to)
    }

    fn refuse_id(&self, id: Option<FileId>, to: &Path) -> Result<(), IsInput> {
        match self.0.iter().find(|(_, input)| Some(input) == id.as_ref()) {
            Some((input, _)) => Err(IsInput { to: to.to_owned(), input: input.clone() }),
            None => Ok(()),
        }
    }
}

/// The metadata of standard input or output.
#[cfg(unix)]
fn standard(stream: impl std::os::fd::AsFd) -> io::Result<fs::Metadata> {
    File::from(stream.as_fd().try_clone_to_owned()?).metadata()
}

#[cfg(not(unix))]
fn standard(_stream: impl Sized) -> io::Result<fs::Metadata> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The identity of a file under any name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FileId(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] PathBuf);

impl FileId {
    /// The identity of a regular file; other kinds hold nothing that could be lost.
    fn of(name: &Path, about: &fs::Metadata) -> Option<Self> {
        #[cfg(unix)]
        let id = {
            use std::os::unix::fs::MetadataExt as _;
            let _ = name;
            Some(Self((about.dev(), about.ino())))
        };
        #[cfg(not(unix))]
        let id = dunce::canonicalize(name).ok().map(Self);
        id.filter(|_| about.is_file())
    }
}

/// The system's command that makes a file writable.
pub const MAKE_WRITABLE: &str = if cfg!(windows) { "attrib -r" } else { "chmod u+w" };

/// Writes a file: beside its place first, on the disk, then renamed, so that nobody ever sees half of
/// it and a file that was there stays as it was when something fails. A link is written through; a
/// pipe or a device gets the bytes as they are.
///
/// # Errors
/// [`IsInput`], as an [`io::Error`], if it is one of `inputs`, or the system's error.
pub fn write(to: &Path, bytes: &[u8], inputs: &Inputs) -> io::Result<()> {
    inputs.refuse(to).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let before = fs::metadata(to).ok();
    if before.as_ref().is_some_and(|about| !about.is_file()) {
        // A folder is refused here by the system itself.
        return File::options().write(true).open(to)?.write_all(bytes);
    }
    if before.as_ref().is_some_and(|about| about.permissions().readonly()) {
        let why = format!("it may only be read ({MAKE_WRITABLE} makes it writable)");
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
    }
    let place = if before.is_some() { dunce::canonicalize(to)? } else { to.to_owned() };
    let mut part = part_of(&place)?;
    part.write_all(bytes)?;
    if let Some(about) = before {
        part.as_file().set_permissions(about.permissions())?;
    }
    part.as_file().sync_all()?;
    part.persist(place)?;
    Ok(())
}

/// A temporary file in the target's folder; removed unless it is finished.
pub fn part_of(place: &Path) -> io::Result<tempfile::NamedTempFile> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut part = tempfile::Builder::new();
    part.prefix(".tilelens-").suffix(".part");
    // The usual permissions under the user's umask.
    #[cfg(unix)]
    part.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    part.tempfile_in(folder.unwrap_or(Path::new(".")))
}

//! Recognises the storage of a ledger: a disk of this machine, or one to which other machines write unseen.
//!
//! Programs that have one SQLite file open agree through shared memory, which two machines do not
//! share: each then overwrites the acknowledged events of the other. Services that synchronise folders
//! do the same with whole files.

use std::{
    fmt, fs, io,
    path::{Component, Path, PathBuf, Prefix},
};

/// The storage of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Storage {
    /// A disk or memory of this machine, as far as anybody can tell.
    Local,
    /// A file system that other machines may write to, or one of unknown origin.
    Network {
        /// Its kind, as the system calls it: `nfs4`, `fuse.sshfs`.
        kind: String,
        /// Where it is mounted.
        mounted: PathBuf,
    },
    /// A folder that a service synchronises with other machines.
    Synchronised {
        /// The service.
        by: &'static str,
        /// The outermost folder that is known to be synchronised.
        folder: PathBuf,
    },
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str("on a disk of this machine"),
            Self::Network { kind, mounted } => {
                write!(f, "on a network or foreign file system ({kind} at {})", mounted.display())
            }
            Self::Synchronised { by, folder } => {
                write!(f, "in a folder that {by} synchronises ({})", folder.display())
            }
        }
    }
}

/// File systems of the kernel's that other machines may write to. Those of a virtual machine's host
/// and of clusters are among them.
const SHARED: &[&str] = &[
    "9p",
    "acfs",
    "afs",
    "beegfs",
    "beegfs_nodev",
    "ceph",
    "cifs",
    "coda",
    "drvfs",
    "fuse",
    "gfs",
    "gfs2",
    "gpfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "ocfs2",
    "orangefs",
    "prl_fs",
    "pvfs2",
    "smb2",
    "smb3",
    "smbfs",
    "vboxsf",
    "virtiofs",
    "vmhgfs",
];

/// File systems outside the kernel that keep their files on a disk of this machine; all others
/// (sshfs, rclone, gvfs, s3fs …) count as shared. `fuseblk` is NTFS or exFAT on a disk.
const LOCAL_FUSE: &[&str] = &[
    "fuse.bindfs",
    "fuse.encfs",
    "fuse.exfat",
    "fuse.exfat-fuse",
    "fuse.ext2",
    "fuse.fuse-overlayfs",
    "fuse.fuse2fs",
    "fuse.gocryptfs",
    "fuse.mergerfs",
    "fuse.ntfs-3g",
    "fuse.zfs",
];

impl Storage {
    /// The storage of a file, whether or not the file exists yet. A system that does not report it counts as local.
    ///
    /// # Errors
    /// Its folder cannot be found.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = real(path)?;
        if let Some(mounted) = windows_share(&path) {
            return Ok(Self::Network { kind: "a Windows share".to_owned(), mounted });
        }
        let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
        Ok(match Self::by_mounts(&String::from_utf8_lossy(&mounts), &path) {
            Self::Local => Self::by_marks(&path),
            shared => shared,
        })
    }

    /// The storage of a file, by the system's list of mounts (`/proc/self/mountinfo`
    /// of Linux) and the file's absolute path without links.
    pub fn by_mounts(mountinfo: &str, path: &Path) -> Self {
        // A later mount at the same path hides the earlier one.
        let nearest = mountinfo
            .lines()
            .filter_map(mount)
            .filter(|(mounted, _)| path.starts_with(mounted))
            .max_by_key(|(mounted, _)| mounted.components().count());
        match nearest {
            Some((mounted, kind)) if is_shared(kind) => {
                Self::Network { kind: kind.to_owned(), mounted }
            }
            _ => Self::Local,
        }
    }

    /// The storage of a file, by the marks that services leave in folders that they synchronise.
    fn by_marks(path: &Path) -> Self {
        let marked =
            path.ancestors().skip(1).filter_map(|folder| Some((synchroniser(folder)?, folder)));
        marked.last().map_or(Self::Local, |(by, folder)| Self::Synchronised {
            by,
            folder: folder.to_owned(),
        })
    }
}

/// The share of Windows on which an absolute path lies, `\\server\share`; drive letters of shares are resolved before.
fn windows_share(path: &Path) -> Option<PathBuf> {
    match path.components().next()? {
        Component::Prefix(prefix)
            if matches!(prefix.kind(), Prefix::UNC(..) | Prefix::VerbatimUNC(..)) =>
        {
            Some(prefix.as_os_str().into())
        }
        _ => None,
    }
}

fn is_shared(kind: &str) -> bool {
    SHARED.contains(&kind) || (kind.starts_with("fuse.") && !LOCAL_FUSE.contains(&kind))
}

/// The place and the kind of a mount, from its line.
fn mount(line: &str) -> Option<(PathBuf, &str)> {
    let (about, kind) = line.split_once(" - ")?;
    Some((unescaped(about.split(' ').nth(4)?), kind.split(' ').next()?))
}

/// A path of the list: blanks, line ends and backslashes are written as `\` and three octal digits.
fn unescaped(text: &str) -> PathBuf {
    let (bytes, mut path, mut at) = (text.as_bytes(), Vec::new(), 0);
    while let Some(byte) = bytes.get(at) {
        let digits = text.get(at + 1..at + 4).filter(|_| *byte == b'\\');
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(escaped) => {
                path.push(escaped);
                at += 4;
            }
            None => {
                path.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&path).into_owned().into()
}

/// The service that synchronises a folder, if the folder is the outermost of that service.
fn synchroniser(folder: &Path) -> Option<&'static str> {
    let name = folder.file_name().map_or_else(Default::default, |name| name.to_string_lossy());
    let within = folder.parent().and_then(Path::file_name).unwrap_or_default();
    if name == "OneDrive" || name.starts_with("OneDrive - ") {
        return Some("OneDrive");
    }
    if within == "CloudStorage" {
        return Some("a cloud service");
    }
    if name == "Mobile Documents" {
        return Some("iCloud");
    }
    let mark = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let name = name.to_str()?;
        let is_database = |start: &str| name.starts_with(start) && name.ends_with(".db");
        match name {
            ".stfolder" => Some("Syncthing"),
            ".dropbox.cache" => Some("Dropbox"),
            // A folder of this name in somebody's home holds the client's own settings.
            ".dropbox" if entry.file_type().is_ok_and(|kind| kind.is_file()) => Some("Dropbox"),
            ".tmp.driveupload" | ".tmp.drivedownload" => Some("Google Drive"),
            ".849C9593-D756-4E56-8D6E-42412F2A707B" => Some("OneDrive"),
            ".megaignore" => Some("MEGA"),
            ".nextcloudsync.log" => Some("Nextcloud"),
            ".owncloudsync.log" => Some("ownCloud"),
            _ if is_database(".sync_") || is_database("._sync_") => Some("Nextcloud or ownCloud"),
            _ => None,
        }
    };
    fs::read_dir(folder).ok()?.flatten().find_map(mark)
}

/// The file's absolute path without links; the file itself need not be there.
pub(super) fn real(path: &Path) -> io::Result<PathBuf> {
    match dunce::canonicalize(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        done => return done,
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = dunce::canonicalize(folder.unwrap_or(Path::new(".")))?;
    Ok(path.file_name().map_or_else(|| folder.clone(), |name| folder.join(name)))
}

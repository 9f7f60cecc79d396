//! What can go wrong with a ledger, with its cure.

use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{database, file::FORMAT, storage::Storage};
use crate::{cure::Cure, table::TableError, tournament::Refusal};

/// Why nothing was written or read.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// The rules of the table do not allow it.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The tournament does not allow it.
    #[error(transparent)]
    Tournament(#[from] Refusal),
    /// No file.
    #[error("there is no ledger {}: `tilelens table new` or `tilelens tournament new` makes one", .0.display())]
    Absent(PathBuf),
    /// The file cannot be made or opened.
    #[error("cannot open {}: {cause}. Is the folder there, and may you write in it?", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: String,
    },
    /// The file may only be read.
    #[error("{} may only be read, so nothing was written. Make it writable (chmod u+w), or write to a copy", .0.display())]
    ReadOnly(PathBuf),
    /// No SQLite file, or one of another program's.
    #[error("{} is no ledger of Tilelens. If it was one, its beginning is damaged: `tilelens table verify --repair {}` keeps what is intact", .0.display(), .0.display())]
    NotALedger(PathBuf),
    /// A file in which no event can be found.
    #[error("there is not one event in {} that can be kept, so it was left as it is. If it was a ledger of Tilelens, go back to a copy", .0.display())]
    NothingLeft(PathBuf),
    /// From a later version of this program.
    #[error("{} was made by a newer Tilelens (format {found}, this one knows {FORMAT}): update Tilelens. Nothing was changed", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
    },
    /// The file lies where nobody may write to it safely.
    #[error("{} lies {storage}, where programs on two machines do not see each other's entries and one overwrites the other's, so nothing was written. Copy it to a disk of this machine and use the copy, or run `tilelens serve` on the machine that has the disk; reading works here too", .path.display())]
    Shared {
        /// The file.
        path: PathBuf,
        /// What it lies on.
        storage: Storage,
    },
    /// A file that may only be read changes while it is copied, to be read as it is.
    #[error("{} may only be read here, and another program is writing to it: try again, or copy it with `tilelens table backup` where it may be written", .0.display())]
    Changing(PathBuf),
    /// Something is there already.
    #[error("{} is there already, and a backup overwrites nothing: name another file", .0.display())]
    Exists(PathBuf),
    /// A damaged ledger that was to be copied.
    #[error("{} is damaged, so no backup was made: `tilelens table verify {}` says where", .0.display(), .0.display())]
    NotIntact(PathBuf),
    /// The program is ending.
    #[error("{} has been closed, since the program is ending: nothing was written", .0.display())]
    Closed(PathBuf),
    /// The file's pages are broken.
    #[error("{} is damaged ({cause}). `tilelens table verify --repair {}` keeps what is intact", .path.display(), .path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        cause: String,
    },
    /// A log that cannot be replayed.
    #[error("{log} in {} is damaged at event {seq}: {what}. `tilelens table verify --repair {}` keeps every event that is whole", .path.display(), .path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// The table, or the tournament.
        log: String,
        /// The event.
        seq: u64,
        /// What is wrong.
        what: String,
    },
    /// No room.
    #[error("{} cannot grow, so nothing was written: the disk is full, or the file has reached a limit ({cause}). Make room and enter it again; what was acknowledged is safe", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        cause: String,
    },
    /// The database does not answer.
    #[error("the database {} cannot be reached ({cause}). Is it running, and the network there? What was acknowledged is safe; look whether the last entry is there before you enter it again", .path.display())]
    Unreachable {
        /// Its address.
        path: PathBuf,
        /// What was said.
        cause: String,
    },
    /// Something that concerns everybody, while the database does not answer.
    #[error("the database {} cannot be reached, so this has to wait, as it concerns more than one table: nothing was written. Tables that are open go on: their entries are kept here and sent later", .0.display())]
    Cut(PathBuf),
    /// The file beside the database belongs to another program that runs.
    #[error("another program that runs here keeps in {} what it cannot send", .0.display())]
    MirrorInUse(PathBuf),
    /// Nobody has to choose any more.
    #[error("{0} has been decided already: look at the table")]
    NoBranch(String),
    /// The database does not let this role do it.
    #[error("the database {} does not allow it ({cause}), so nothing was written: use a role that may, or let `tilelens ledger prepare` grant it", .path.display())]
    NotAllowed {
        /// Its address.
        path: PathBuf,
        /// What was said.
        cause: String,
    },
    /// A database that was to be repaired.
    #[error("{} is a database, which is not repaired here: copy the last file that `tilelens ledger copy` made of it into an empty one", .0.display())]
    NotRepaired(PathBuf),
    /// Another program writes for too long.
    #[error("another program keeps writing to {}, so nothing was written: try again", .0.display())]
    Busy(PathBuf),
    /// Somebody was quicker.
    #[error(
        "{author} wrote event {seq} meanwhile, so nothing was written: look at the table and enter it again if it is still to be entered"
    )]
    Meanwhile {
        /// The last event.
        seq: u64,
        /// Who wrote it.
        author: String,
    },
    /// Two different events with one name.
    #[error(
        "the name `{id}` stands for event {seq} already, which is another one: nothing was written"
    )]
    IdTaken {
        /// The name.
        id: String,
        /// The event that has it.
        seq: u64,
    },
    /// No such table.
    #[error("there is no table {0} in this ledger")]
    NoTable(u32),
    /// Anything else that SQLite or the system says.
    #[error("{}: {cause}", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What was said.
        cause: String,
    },
}

impl LedgerError {
    /// What can be done about a refusal of the rules, where a front end has a way.
    pub fn cure(&self) -> Option<Cure> {
        match self {
            Self::Table(error) => error.cure(),
            Self::Tournament(error) => error.cure(),
            _ => None,
        }
    }

    /// Whether a file that cannot be opened may be a damaged ledger, which [`repair`](super::repair)
    /// makes whole.
    pub fn may_be_damage(&self) -> bool {
        matches!(
            self,
            Self::Damaged { .. } | Self::NotALedger(_) | Self::ReadOnly(_) | Self::Other { .. }
        )
    }

    /// What an error of SQLite's or of the database's means for the person who has to act.
    pub(super) fn of(path: &Path, error: sqlx::Error) -> Self {
        if let Some(meaning) = database::meaning(path, &error) {
            return meaning;
        }
        /// Primary result codes: <https://www.sqlite.org/rescode.html>.
        const BUSY: i32 = 5;
        const LOCKED: i32 = 6;
        const READONLY: i32 = 8;
        const IOERR: i32 = 10;
        const CORRUPT: i32 = 11;
        const FULL: i32 = 13;
        const CANTOPEN: i32 = 14;
        const NOTADB: i32 = 26;
        /// Extended ones: a write, a sync, a truncation that failed.
        const IOERR_WRITES: [i32; 4] = [778, 1034, 1290, 1546];
        let path = path.to_owned();
        let code = match &error {
            sqlx::Error::Database(error) => {
                error.code().and_then(|code| code.parse::<i32>().ok()).unwrap_or(0)
            }
            _ => 0,
        };
        let cause = error.to_string();
        match code & 0xff {
            BUSY | LOCKED => Self::Busy(path),
            READONLY => Self::ReadOnly(path),
            FULL => Self::Full { path, cause },
            IOERR if IOERR_WRITES.contains(&code) => Self::Full { path, cause },
            CORRUPT => Self::Damaged { path, cause },
            NOTADB => Self::NotALedger(path),
            CANTOPEN => Self::Open { path, cause },
            _ => Self::Other { path, cause },
        }
    }
}

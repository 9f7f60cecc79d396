//! The errors of a ledger, with their cures.

use std::path::{Path, PathBuf};

use thiserror::Error;
use tilelens_files::output::MAKE_WRITABLE;

use super::{database, file::FORMAT, journal::Unwritten, storage::Storage};
use crate::{cure::Cure, table::TableError, tournament::TournamentError};

/// Why nothing was written or read.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// The rules of the table do not allow it.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The tournament does not allow it.
    #[error(transparent)]
    Tournament(#[from] TournamentError),
    /// The ledger file does not exist.
    #[error("there is no ledger {}: `tilelens table new` or `tilelens tournament new` makes one", .0.display())]
    Absent(PathBuf),
    /// The file cannot be made or opened.
    #[error("cannot open {}: {cause}. Is the folder there, and may you write in it?", .path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The system's message.
        cause: String,
    },
    /// The file may only be read.
    #[error("{} may only be read, so nothing was written. Make it writable ({MAKE_WRITABLE}), or write to a copy", .0.display())]
    ReadOnly(PathBuf),
    /// The file is not an SQLite file, or belongs to another program.
    #[error("{} is not a Tilelens ledger. If it was one, its beginning is damaged: `tilelens table verify --repair {}` keeps what is intact", .0.display(), .0.display())]
    NotALedger(PathBuf),
    /// A file in which no event can be found.
    #[error("no event in {} can be kept, so the file was left unchanged. If it was a Tilelens ledger, go back to a copy", .0.display())]
    NothingLeft(PathBuf),
    /// The file was written by a later version of this program.
    #[error("{} was made by a newer Tilelens (format {found}, this one knows {FORMAT}): update Tilelens. Nothing was changed", .path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: i64,
    },
    /// The file is on storage that cannot be written to safely.
    #[error("{} is {storage}, where programs on two machines do not see each other's entries and one overwrites the other's, so nothing was written. Copy it to a disk of this machine and use the copy, or run `tilelens serve` on the machine that has the disk; reading works here too", .path.display())]
    Shared {
        /// The file.
        path: PathBuf,
        /// The storage that holds the file.
        storage: Storage,
    },
    /// A read-only file changes while it is copied for reading.
    #[error("{} may only be read here, and another program is writing to it: try again, or copy it with `tilelens table backup` where it may be written", .0.display())]
    Changing(PathBuf),
    /// The backup's file name is already taken.
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
        /// SQLite's message.
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
        /// The fault.
        what: String,
    },
    /// The disk is full, or the file has reached a size limit.
    #[error("{} cannot grow, so nothing was written: the disk is full, or the file has reached a limit ({cause}). Make room and enter it again; what was acknowledged is safe", .path.display())]
    Full {
        /// The file.
        path: PathBuf,
        /// SQLite's message.
        cause: String,
    },
    /// The database does not answer.
    #[error("the database {} cannot be reached ({cause}). Is it running, and the network there? What was acknowledged is safe; look whether the last entry is there before you enter it again", .path.display())]
    Unreachable {
        /// Its address.
        path: PathBuf,
        /// The message of the system or the database.
        cause: String,
    },
    /// A program that shares sessions among its clients stands between.
    #[error("the database {} is reached through a connection pooler such as pgbouncer, which does not keep what a session needs ({cause}), so nothing was written: give the address of PostgreSQL itself", .path.display())]
    Pooled {
        /// Its address.
        path: PathBuf,
        /// The message of the pooler or the database.
        cause: String,
    },
    /// Something that concerns everybody, while the database does not answer.
    #[error("the database {} cannot be reached, so this has to wait, as it concerns more than one table: nothing was written. Tables that are open go on: their entries are kept here and sent later", .0.display())]
    Cut(PathBuf),
    /// The file beside the database belongs to another program that runs.
    #[error("another program that runs here keeps in {} what it cannot send", .0.display())]
    MirrorInUse(PathBuf),
    /// A table that waits for that choice.
    #[error(
        "table {0} was written apart on two machines while the database could not be reached: the desk has to choose which of the two was played, and nothing is written until then"
    )]
    Apart(u32),
    /// The choice between two versions of a table has been made already.
    #[error("{0} has been decided already: look at the table")]
    NoBranch(String),
    /// The database does not let this role do it.
    #[error("the database {} does not allow it ({cause}), so nothing was written: use a role that may, or let `tilelens ledger prepare` grant it", .path.display())]
    NotAllowed {
        /// Its address.
        path: PathBuf,
        /// The message of the system or the database.
        cause: String,
    },
    /// A database that was to be repaired.
    #[error("{} is a database, which is not repaired here: copy the last file that `tilelens ledger copy` made of it into an empty one", .0.display())]
    NotRepaired(PathBuf),
    /// Another program writes for too long.
    #[error("another program keeps writing to {}, so nothing was written: try again", .0.display())]
    Busy(PathBuf),
    /// Somebody else wrote an event first.
    #[error(
        "{author} wrote event {seq} meanwhile, so nothing was written: look at the table and enter it again if it is still to be entered"
    )]
    Meanwhile {
        /// The last event.
        seq: u64,
        /// The author of that event.
        author: String,
    },
    /// Two different events carry the same name.
    #[error(
        "the name `{id}` already belongs to event {seq}, which is a different event: nothing was written"
    )]
    IdTaken {
        /// The name.
        id: String,
        /// The event that has it.
        seq: u64,
    },
    /// The ledger has no table with that number.
    #[error("there is no table {0} in this ledger")]
    NoTable(u32),
    /// Any other error of SQLite or the system.
    #[error("{}: {cause}", .path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// The message of the system or the database.
        cause: String,
    },
}

impl LedgerError {
    /// The remedy for a refusal by the rules, where a front end offers one.
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

    /// Turns an error of SQLite or of the database into its meaning for the person who has to act.
    pub(super) fn of(path: &Path, error: sqlx::Error) -> Self {
        if let Some(unwritten) = Unwritten::of(&error) {
            return Self::Full { path: path.to_owned(), cause: unwritten.to_string() };
        }
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
        /// Extended result codes of a failed write, sync or truncation.
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

//! The store of a ledger's rows: a file of this machine, or a database that several machines share. Both take the
//! same statements (`rows`), inside a transaction.

use std::path::{Path, PathBuf};

use super::{
    LedgerError,
    database::{self, Database},
    file,
    mirror::Mirrored,
    rows::Row,
};

/// The access with which a ledger is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    Create,
}

/// The purpose of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum For {
    /// All reads see one moment.
    Reading,
    /// Nobody else writes until it is done.
    Writing,
}

/// The place that keeps the rows.
#[derive(Debug)]
pub(super) enum Store {
    File(file::OpenFile),
    Database(Box<Database>),
    Mirrored(Box<Mirrored>),
}

/// A transaction, which is rolled back unless it is committed.
pub(super) enum Begun<'a> {
    File(file::Transaction<'a>),
    Database(database::Transaction<'a>),
}

/// Runs the same code on either: `$connection` is the connection of whichever it is. A database that does not answer in time
/// has failed.
macro_rules! either {
    ($begun:expr, $connection:ident => $work:expr) => {
        match $begun {
            $crate::ledger::store::Begun::File(begun) => {
                let $connection = &mut **begun;
                $work.await
            }
            $crate::ledger::store::Begun::Database(begun) => {
                let $connection = &mut **begun;
                $crate::ledger::database::in_time($work).await
            }
        }
    };
}
pub(super) use either;

impl Store {
    /// Opens a file, or a database by its address.
    pub async fn open(place: &Path, access: Access) -> Result<Self, LedgerError> {
        match database::address(place) {
            Some(address) => Ok(Self::Database(Box::new(Database::open(address?, access).await?))),
            None => Ok(Self::File(file::open(place, access).await?)),
        }
    }

    /// Whether a copy of the file, made when it was opened, is read.
    pub const fn is_copy(&self) -> bool {
        matches!(self, Self::File(file::OpenFile { copy: Some(_), .. }))
    }

    /// Begins a transaction.
    pub async fn begin(&mut self, what_for: For) -> Result<Begun<'_>, sqlx::Error> {
        match self {
            Self::File(file) => file.begin(what_for).await,
            Self::Mirrored(both) => both.begin(what_for).await,
            Self::Database(database) => Ok(Begun::Database(database.begin(what_for).await?)),
        }
    }

    /// Whether a file is in use: there is no database, or it cannot be reached.
    pub const fn uses_file(&self) -> bool {
        match self {
            Self::File(_) => true,
            Self::Database(_) => false,
            Self::Mirrored(both) => both.cut.is_some(),
        }
    }

    /// Closes it.
    pub async fn close(self) {
        match self {
            Self::File(file) => file.close().await,
            Self::Database(database) => database.close().await,
            Self::Mirrored(both) => both.close().await,
        }
    }

    /// Closes it without an async caller; it is closed when this returns.
    pub fn close_now(self) {
        match self {
            Self::File(file) => file.close_now(),
            Self::Mirrored(both) => both.close_now(),
            Self::Database(_) => {}
        }
    }
}

impl Begun<'_> {
    /// Whether the transaction writes to a file.
    pub const fn is_file(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// Remembers a written row for the file's journal, or for the file beside the database.
    pub fn has_written(&mut self, log: u32, row: &Row<'_>) {
        match self {
            Self::File(transaction) => transaction.has_written(log, row),
            Self::Database(session) => session.has_written(log, row),
        }
    }

    /// Commits the transaction: when this returns, its events are on the disk.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        match self {
            Self::File(transaction) => transaction.commit().await,
            Self::Database(session) => session.commit().await,
        }
    }
}

/// A ledger's name for people: its path, or its address without the password.
pub(super) fn name_of(place: &Path) -> PathBuf {
    database::address(place).map_or_else(
        || place.to_owned(),
        |address| address.map_or_else(|_| "the database".into(), |address| address.name),
    )
}

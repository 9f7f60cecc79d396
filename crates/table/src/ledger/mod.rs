//! Tables kept in a file: an append-only log of events in SQLite, everything else computed.
//!
//! One file holds an evening's table or all tables of a tournament. Every event is chained to the
//! one before it by a hash, written with a full sync before it is acknowledged, and never changed.
//! Several programs may have the file open: one writes at a time, the others wait. A venue of many machines has a database
//! in its place, and beside it on each machine a file in which tables go on while the database cannot be reached.
//!
//! ```no_run
//! use tilelens_table::{ledger::{Entry, Ledger}, table::{Event, Opened, Seated}};
//! # async fn evening() -> Result<(), Box<dyn std::error::Error>> {
//! let ledger = Ledger::create("evening.tlg".as_ref()).await?;
//! let opened = Opened {
//!     title: None,
//!     rules: "mmm".into(),
//!     rule_file: None,
//!     rulings: vec![],
//!     players: ["Ann", "Bo", "Cy", "Di"].map(Seated::named).into(),
//!     initial: None,
//!     sitting: None,
//!     penalties: None,
//!     clock: None,
//! };
//! ledger.append(1, Entry::new(Event::Opened(opened), "Ann")).await?;
//! let state = ledger.append(1, Entry::new(Event::DRAW, "Ann")).await?;
//! assert_eq!(state.place.number, 2);
//! # Ok(())
//! # }
//! ```

mod backup;
mod chain;
mod changes;
mod codes;
mod copy;
mod database;
mod error;
mod file;
mod journal;
mod mirror;
mod proof;
mod reading;
mod record;
mod repair;
mod replayed;
mod rounds;
mod rows;
mod salvage;
mod storage;
mod store;
mod tournament_ledger;
mod verify;
mod writing;

use std::path::{Path, PathBuf};

pub use backup::backup;
pub use changes::Changes;
pub use codes::{Code, Opens};
pub use copy::copy;
pub use database::{Role, prepare};
pub use error::LedgerError;
pub use mirror::{Branch, Keep, Unsent};
pub use repair::{Repair, repair};
use sqlx::sqlite::SqliteError;
pub use storage::Storage;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard};
pub use tournament_ledger::{Act, Organised, TournamentLedger};
pub use verify::{LogReport, Verification};
pub use writing::Entry;

use crate::table::{Recorded, Table, TableState};
use reading::{ReadLog, ReadLogs};
pub use record::{MendRecordError, RecordEnd, TableRecord};
pub use replayed::LogKind;
use store::{Access, For, Store};
use writing::{is_sent_again, printable, whole_milliseconds};

/// A ledger file, open. It is closed when it is dropped, too.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    writable: bool,
    is_copy: bool,
    /// Where it is a database.
    address: Option<database::DatabaseAddress>,
    /// The file that takes the database's place while it cannot be reached.
    beside: Option<PathBuf>,
    /// The open store; `None` once it is closed.
    inner: Mutex<Option<OpenStore>>,
}

#[derive(Debug)]
struct OpenStore {
    store: Store,
    kept: ReadLogs,
}

impl OpenStore {
    /// Begins a transaction in the database, or in the file that takes its place. Logs read from one are
    /// forgotten on a change to the other.
    async fn begin(
        &mut self,
        what_for: For,
    ) -> Result<(store::Begun<'_>, &mut ReadLogs), sqlx::Error> {
        let Self { store, kept } = self;
        let was_file = store.uses_file();
        let begun = store.begin(what_for).await?;
        if begun.is_file() != was_file {
            *kept = ReadLogs::default();
        }
        Ok((begun, kept))
    }
}

impl Drop for Ledger {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.get_mut().take() {
            inner.store.close_now();
        }
    }
}

impl Ledger {
    /// Opens a ledger that exists, to write to it.
    ///
    /// # Errors
    /// Where there is none, it cannot be written, is damaged, or comes from a newer Tilelens.
    pub async fn open(path: &Path) -> Result<Self, LedgerError> {
        Ok(Self::of(path, Store::open(path, Access::Write).await?, true))
    }

    /// Opens a ledger, made first where there is none.
    ///
    /// # Errors
    /// As [`Ledger::open`], and where the file cannot be made.
    pub async fn create(path: &Path) -> Result<Self, LedgerError> {
        Ok(Self::of(path, Store::open(path, Access::Create).await?, true))
    }

    /// Opens a ledger to look at it; the file may be read-only.
    ///
    /// # Errors
    /// As [`Ledger::open`].
    pub async fn read(path: &Path) -> Result<Self, LedgerError> {
        Ok(Self::of(path, Store::open(path, Access::Read).await?, false))
    }

    fn of(place: &Path, store: Store, writable: bool) -> Self {
        let is_copy = store.is_copy();
        let (address, beside) = match &store {
            Store::Database(database) => (Some(database.address.clone()), None),
            Store::Mirrored(both) => {
                (Some(both.database.address.clone()), Some(both.path().to_owned()))
            }
            Store::File(_) => (None, None),
        };
        let inner = Mutex::new(Some(OpenStore { store, kept: ReadLogs::default() }));
        Self { path: store::name_of(place), writable, is_copy, address, beside, inner }
    }

    /// Whether that is the address of a database; else it is a file's path.
    pub fn is_database(place: &Path) -> bool {
        database::address(place).is_some()
    }

    /// Whether that is the address of a database, or a file that is one of SQLite.
    pub fn is_one(place: &Path) -> bool {
        Self::is_database(place) || file::is_of_sqlite(place)
    }

    /// A ledger's name for people: its file's path, or its address without the password.
    pub fn name(place: &Path) -> PathBuf {
        store::name_of(place)
    }

    /// Waits for changes by anybody, after which the ledger has to be read again.
    pub fn changes(&self) -> Changes {
        Changes::of(self.address.clone())
    }

    /// The names of the files that make up a ledger; not all need be there.
    pub fn files(path: &Path) -> [PathBuf; 4] {
        ["", "-wal", "-shm", ".journal"].map(|part| file::beside(path, part))
    }

    /// Whether none of a ledger's files is there yet.
    pub fn is_new(path: &Path) -> bool {
        !Self::files(path).iter().any(|file| file.exists())
    }

    /// Removes a ledger that was made just now, and in which nothing could be written: no empty file is left
    /// behind. `new`: whether it [was new](Self::is_new) before.
    pub fn remove_new(path: &Path, new: bool) {
        if new && !Self::is_database(path) {
            // A file that cannot be removed is left; the reported error says what was wrong.
            Self::files(path).iter().for_each(|file| drop(std::fs::remove_file(file)));
        }
    }

    /// Whether a copy of a file that must not be touched is read: later events are seen once it is read again.
    pub fn is_copy(&self) -> bool {
        self.is_copy
    }

    /// Whether events can be written to it.
    pub fn is_writable(&self) -> bool {
        self.writable
    }

    /// Copies a file again of which a copy is read.
    ///
    /// # Errors
    /// Where it cannot be read; the last copy stays in use.
    pub async fn read_again(&self) -> Result<(), LedgerError> {
        if !self.is_copy {
            return Ok(());
        }
        let store = Store::open(&self.path, Access::Read).await?;
        let mut inner = self.inner().await?;
        let before = std::mem::replace(&mut *inner, OpenStore { store, kept: ReadLogs::default() });
        before.store.close().await;
        Ok(())
    }

    async fn inner(&self) -> Result<MappedMutexGuard<'_, OpenStore>, LedgerError> {
        let open = MutexGuard::try_map(self.inner.lock().await, Option::as_mut);
        open.map_err(|_| LedgerError::Closed(self.path.clone()))
    }

    /// The path of the file, or the address of the database.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The current state of a table.
    ///
    /// # Errors
    /// Where there is no such table, or its log cannot be replayed.
    pub async fn state(&self, table: u32) -> Result<TableState, LedgerError> {
        self.with_table(table, |table| table.state().cloned()).await?.map_err(|error| match error {
            crate::table::TableError::NotOpened => LedgerError::NoTable(table),
            other => other.into(),
        })
    }

    /// All events of a table.
    ///
    /// # Errors
    /// As [`Ledger::state`].
    pub async fn events(&self, table: u32) -> Result<Vec<Recorded>, LedgerError> {
        self.with_table(table, |table| table.events().to_vec()).await
    }

    /// A table with its events, to replay it to any moment.
    ///
    /// # Errors
    /// As [`Ledger::state`].
    pub async fn table(&self, table: u32) -> Result<Table, LedgerError> {
        self.with_table(table, Table::clone).await
    }

    /// The numbers of the tables in the file.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub async fn tables(&self) -> Result<Vec<u32>, LedgerError> {
        let mut inner = self.inner().await?;
        let (mut begun, _) =
            inner.begin(For::Reading).await.map_err(|error| self.error_of(error))?;
        let logs = rows::logs(&mut begun).await.map_err(|error| self.error_of(error))?;
        begun.commit().await.map_err(|error| self.error_of(error))?;
        Ok(logs.into_iter().filter_map(LogKind::table).collect())
    }

    /// The notes whose names begin with `start`: permissions to enter, entries to be confirmed. Notes
    /// belong to no log and never count.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn notes(&self, start: &str) -> Result<Vec<(String, String)>, LedgerError> {
        let mut inner = self.inner().await?;
        let (mut begun, _) =
            inner.begin(For::Reading).await.map_err(|error| self.error_of(error))?;
        let mut notes =
            rows::notes(&mut begun, start).await.map_err(|error| self.error_of(error))?;
        if self.is_cut(&begun) {
            mirror::only_shared(&mut notes);
        }
        begun.commit().await.map_err(|error| self.error_of(error))?;
        Ok(notes)
    }

    /// Writes notes, each in place of the one that has its name; `None`: takes it away. All of them or none, and
    /// nothing where `decide`, who sees all notes of names that begin so, has nothing to write.
    ///
    /// # Errors
    /// Those of `decide`, and why it could not be written.
    pub async fn note<E: From<LedgerError>>(
        &self,
        start: &str,
        decide: impl FnOnce(Vec<(String, String)>) -> Result<Vec<(String, Option<String>)>, E>,
    ) -> Result<(), E> {
        if !self.writable {
            return Err(LedgerError::ReadOnly(self.path.clone()).into());
        }
        let failed = |error| E::from(self.error_of(error));
        let mut inner = self.inner().await?;
        let (mut begun, _) = inner.begin(For::Writing).await.map_err(failed)?;
        let is_cut = self.is_cut(&begun);
        let mut known = rows::notes(&mut begun, start).await.map_err(failed)?;
        if is_cut {
            mirror::only_shared(&mut known);
        }
        for (name, text) in decide(known)? {
            if is_cut {
                mirror::note_not_sent(&mut begun, &name).await.map_err(failed)?;
            }
            rows::note(&mut begun, &name, text.as_deref()).await.map_err(failed)?;
        }
        begun.commit().await.map_err(failed)
    }

    /// The number of events of the tournament and all tables. Records are not counted: nothing follows from them.
    ///
    /// # Errors
    /// Where the file cannot be read.
    pub async fn written(&self) -> Result<u64, LedgerError> {
        let mut inner = self.inner().await?;
        let (mut begun, _) =
            inner.begin(For::Reading).await.map_err(|error| self.error_of(error))?;
        let heads = rows::heads(&mut begun).await.map_err(|error| self.error_of(error))?;
        begun.commit().await.map_err(|error| self.error_of(error))?;
        let counts = heads.into_iter().filter(|(log, _)| LogKind::recorded_table(*log).is_none());
        Ok(counts.map(|(_, seq)| seq).sum())
    }

    /// Verifies everything: the file, each table's chain, sums and winds.
    ///
    /// # Errors
    /// Where nothing can be read at all.
    pub async fn verify(&self) -> Result<Verification, LedgerError> {
        let mut inner = self.inner().await?;
        let (mut begun, _) =
            inner.begin(For::Reading).await.map_err(|error| self.error_of(error))?;
        let found = verify::verify(&mut begun, &self.path).await;
        // Nothing was written: where the file is too damaged for an end, all is said already.
        let _ = begun.commit().await;
        found
    }

    /// Closes the file once pending writes are done, and merges the write-ahead log into it.
    /// Nothing can be read or written afterwards.
    pub async fn close(&self) {
        let inner = self.inner.lock().await.take();
        if let Some(inner) = inner {
            inner.store.close().await;
        }
    }

    fn cut_off(&self, log: u32, written: u64, noted: u64) -> LedgerError {
        let log = LogKind::of(log);
        let cause = format!("events {} to {noted} of {log} are missing", written + 1);
        LedgerError::Damaged { path: self.path.clone(), cause }
    }

    fn error_of(&self, error: sqlx::Error) -> LedgerError {
        LedgerError::of(self.place_of(&error), error)
    }

    /// The place that an error concerns: for an error of SQLite or the journal, the file beside a database.
    fn place_of(&self, error: &sqlx::Error) -> &Path {
        let said = error.as_database_error();
        let is_sqlite = said.is_some_and(|said| said.try_downcast_ref::<SqliteError>().is_some());
        let is_file = is_sqlite || journal::Unwritten::of(error).is_some();
        self.beside.as_deref().filter(|_| is_file).unwrap_or(&self.path)
    }

    /// Whether entries stay in the file for now, as the database cannot be reached.
    fn is_cut(&self, begun: &store::Begun<'_>) -> bool {
        self.beside.is_some() && begun.is_file()
    }

    /// Refuses an entry that concerns more than one table while the database cannot be reached.
    fn only_together(&self, begun: &store::Begun<'_>) -> Result<(), LedgerError> {
        if self.is_cut(begun) { Err(LedgerError::Cut(self.path.clone())) } else { Ok(()) }
    }

    async fn with_table<T>(
        &self,
        number: u32,
        use_it: impl FnOnce(&Table) -> T,
    ) -> Result<T, LedgerError> {
        LogKind::table(number).ok_or(LedgerError::NoTable(number))?;
        let mut inner = self.inner().await?;
        let begun = inner.begin(For::Reading).await;
        let (mut begun, ReadLogs { tables, .. }) = begun.map_err(|error| self.error_of(error))?;
        let kept = tables.remove(&number);
        let kept = self.catch_up(&mut begun, number, kept).await?;
        begun.commit().await.map_err(|error| self.error_of(error))?;
        let used = use_it(&kept.replayed);
        tables.insert(number, kept);
        Ok(used)
    }
}

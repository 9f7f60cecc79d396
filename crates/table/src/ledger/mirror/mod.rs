//! A database, and a file beside it in which a table goes on while the database cannot be reached.
//!
//! The file is a ledger like any other and has all that the database is known to have, hash for hash. While the database
//! cannot be reached, what is written at a table goes on from there, and a note says from which event on the database has
//! not got it. When it is back these events are sent. The chains prove what was there before: where the database's log ends
//! as the file's did, the events follow as they are; where they are there already, as after an answer that was lost, they
//! are not sent again; where somebody else has written at that table, they become a branch between which and the database's
//! own events the desk chooses.

mod branch;
mod unsent;

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

pub(super) use branch::is_apart;
pub use branch::{Branch, Keep};
use futures_util::future::BoxFuture;
pub use unsent::Unsent;
use unsent::{OF_LOG, OF_NOTE};
pub(super) use unsent::{not_sent, note_not_sent};

use super::{
    Ledger, LedgerError, OpenStore, ReadLogs,
    chain::Link,
    database::{self, Database},
    file,
    rows::{self, Row},
    store::{Access, Begun, For, Store},
};
use crate::words::say;

/// The note saying that the file once had everything that the database had.
const WHOLE: &str = "mirror";
/// The most files kept side by side.
const MOST: u32 = 1_000;

/// A database, and the file beside it.
#[derive(Debug)]
pub(super) struct Mirrored {
    pub database: Database,
    file: file::OpenFile,
    /// The file's name without its number: a file in which is more than the database took is kept, and another one made.
    base: PathBuf,
    number: u32,
    /// Held as long as this program uses the files.
    _alone: File,
    /// Why the file takes the database's place; `None`: the database is used.
    pub cut: Option<String>,
    /// Whether the file has everything that the database had at the last update.
    whole: bool,
}

/// The file beside the database, with the events to add to it after a commit.
pub(super) struct MirrorFile<'a> {
    file: &'a mut file::OpenFile,
    whole: &'a mut bool,
    pub written: Vec<(u32, Row<'static>)>,
}

impl<'a> MirrorFile<'a> {
    /// Copies the events that the database has committed. A file that fails is unusable while it is incomplete; the
    /// database has everything.
    pub fn take_over(self) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if !self.written.is_empty() && insert_all(self.file, &self.written).await.is_err() {
                *self.whole = false;
            }
        })
    }
}

async fn insert_all(
    file: &mut file::OpenFile,
    written: &[(u32, Row<'static>)],
) -> Result<(), sqlx::Error> {
    let mut begun = file.begin(For::Writing).await?;
    for (log, row) in written {
        rows::insert(&mut begun, *log, row).await?;
    }
    begun.commit().await
}

/// The outcome of updating the file from the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PullOutcome {
    /// The file has all that the database has.
    Whole,
    /// The file could not be read or written.
    Broken,
    /// The file's contents differ from the database's.
    Other,
}

fn numbered(base: &Path, number: u32) -> PathBuf {
    file::beside(base, &format!(".{number}.tlg"))
}

/// Removes the notes that concern the file alone.
pub(super) fn only_shared(notes: &mut Vec<(String, String)>) {
    let is_own =
        |name: &str| name == WHOLE || name.starts_with(OF_LOG) || name.starts_with(OF_NOTE);
    notes.retain(|(name, _)| !is_own(name));
}

/// Copies to the file the events that only the database has. An error is the database's; a failing file is an outcome.
async fn pull(
    begun: &mut Begun<'_>,
    file: &mut file::OpenFile,
) -> Result<PullOutcome, sqlx::Error> {
    let theirs = rows::ends(begun).await?;
    let own = async {
        let mut own = file.begin(For::Reading).await?;
        let ends = rows::ends(&mut own).await?;
        own.commit().await?;
        Ok::<_, sqlx::Error>(ends)
    };
    let Ok(own) = own.await else { return Ok(PullOutcome::Broken) };
    let own: HashMap<u32, (u64, Vec<u8>)> =
        own.into_iter().map(|(log, seq, hash)| (log, (seq, hash))).collect();
    let known = theirs.iter().filter(|(log, ..)| own.contains_key(log)).count();
    if known < own.len() {
        return Ok(PullOutcome::Other);
    }
    let mut new = Vec::new();
    for (log, seq, hash) in theirs {
        let (known, mut last) = match own.get(&log) {
            Some((known, hash)) => (*known, hash.as_slice().try_into().map_or(Link::START, Link)),
            None => (0, Link::START),
        };
        if known == seq && last.0 == *hash {
            continue;
        }
        if known >= seq {
            return Ok(PullOutcome::Other);
        }
        for row in rows::all_after(begun, log, known).await? {
            if row.link(log, last) != row.hash {
                return Ok(PullOutcome::Other);
            }
            last = row.hash;
            new.push((log, row));
        }
    }
    if new.is_empty() {
        return Ok(PullOutcome::Whole);
    }
    let taken = insert_all(file, &new).await;
    Ok(if taken.is_ok() { PullOutcome::Whole } else { PullOutcome::Broken })
}

/// Gives the file the notes as the database has them, and that it is whole.
async fn pull_notes(
    notes: Vec<(String, String)>,
    file: &mut file::OpenFile,
    name: &Path,
) -> Result<(), sqlx::Error> {
    let mut begun = file.begin(For::Reading).await?;
    let known: BTreeMap<String, String> = rows::notes(&mut begun, "").await?.into_iter().collect();
    begun.commit().await?;
    let whole = (WHOLE.to_owned(), name.display().to_string());
    let theirs: BTreeMap<String, String> = notes.into_iter().chain([whole]).collect();
    if known == theirs {
        return Ok(());
    }
    let mut begun = file.begin(For::Writing).await?;
    for gone in known.keys().filter(|name| !theirs.contains_key(*name)) {
        rows::note(&mut begun, gone, None).await?;
    }
    for (name, text) in theirs.iter().filter(|(name, text)| known.get(*name) != Some(text)) {
        rows::note(&mut begun, name, Some(text)).await?;
    }
    begun.commit().await
}

impl Mirrored {
    /// Reaches a database, with a file beside it; where it cannot be reached, the file has to have been beside it before.
    async fn open(address: database::DatabaseAddress, base: &Path) -> Result<Store, LedgerError> {
        let reached = Database::open(address.clone(), Access::Write).await;
        let (database, mut cut) = match reached {
            Ok(database) => (database, None),
            Err(LedgerError::Unreachable { cause, .. }) => {
                (Database::unreached(address.clone()), Some(cause))
            }
            Err(error) => return Err(error),
        };
        let failed = |error: &dyn std::fmt::Display| LedgerError::Open {
            path: base.to_owned(),
            cause: error.to_string(),
        };
        if let Some(folder) = base.parent() {
            fs::create_dir_all(folder).map_err(|error| failed(&error))?;
        }
        let alone = File::create(file::beside(base, ".lock")).map_err(|error| failed(&error))?;
        alone.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => LedgerError::MirrorInUse(base.to_owned()),
            TryLockError::Error(error) => failed(&error),
        })?;
        let there = |number: &u32| numbered(base, *number).exists();
        let number = (1..=MOST).take_while(there).last().unwrap_or(1);
        let path = numbered(base, number);
        let mut file = file::open(&path, Access::Create).await?;
        let of_file = |error| LedgerError::of(&path, error);
        let mut begun = file.begin(For::Reading).await.map_err(of_file)?;
        let whole = !rows::notes(&mut begun, WHOLE).await.map_err(of_file)?.is_empty();
        let unsent = rows::notes(&mut begun, "unsent ").await.map_err(of_file)?;
        begun.commit().await.map_err(of_file)?;
        if let Some(cause) = cut.clone().filter(|_| !whole) {
            file.close().await;
            return Err(LedgerError::Unreachable { path: address.name, cause });
        }
        if cut.is_none() && !unsent.is_empty() {
            cut = Some(say!("what was written without it has to be sent first").english());
        }
        Ok(Store::Mirrored(Box::new(Self {
            database,
            file,
            base: base.to_owned(),
            number,
            _alone: alone,
            cut,
            whole,
        })))
    }

    /// The path of the files, without their numbers.
    pub fn path(&self) -> &Path {
        &self.base
    }

    /// Begins a transaction in the database, or in the file where that takes its place.
    pub async fn begin(&mut self, what_for: For) -> Result<Begun<'_>, sqlx::Error> {
        let Self { database, file, cut, whole, .. } = self;
        let mut reached = None;
        if cut.is_none() {
            let name = database.address.name.clone();
            // One time limit covers both the existing connection and a new one.
            let begun = match database::in_time(database.begin(what_for)).await {
                // Others' events are in the file before anything is added to it.
                Ok(session) if what_for == For::Writing => {
                    let mut begun = Begun::Database(session);
                    pull(&mut begun, file).await.map(|pulled| {
                        *whole = pulled == PullOutcome::Whole;
                        begun
                    })
                }
                done => done.map(Begun::Database),
            };
            match begun {
                Ok(begun) => reached = Some(begun),
                Err(error) => match database::meaning(&name, &error) {
                    Some(LedgerError::Unreachable { cause, .. }) if *whole => *cut = Some(cause),
                    _ => return Err(error),
                },
            }
        }
        match reached {
            Some(Begun::Database(session)) if what_for == For::Writing && *whole => {
                let beside = MirrorFile { file, whole, written: Vec::new() };
                Ok(Begun::Database(session.beside(beside)))
            }
            Some(begun) => Ok(begun),
            None => file.begin(what_for).await,
        }
    }

    /// Closes both.
    pub async fn close(self) {
        self.file.close().await;
        self.database.close().await;
    }

    /// Closes both without an async caller.
    pub fn close_now(self) {
        self.file.close_now();
    }

    /// Brings the file up to date.
    async fn update(&mut self) -> Result<(), LedgerError> {
        let name = self.database.address.name.clone();
        // Twice, where another file has to be made first.
        for _ in 0..2 {
            let Self { database, file, .. } = self;
            let looked = async {
                let mut begun = Begun::Database(database.begin(For::Reading).await?);
                let pulled = pull(&mut begun, file).await?;
                let notes = rows::notes(&mut begun, "").await?;
                begun.commit().await?;
                Ok::<_, sqlx::Error>((pulled, notes))
            };
            let (pulled, notes) = match looked.await {
                Ok(looked) => looked,
                Err(error) => {
                    let failed = LedgerError::of(&name, error);
                    if let LedgerError::Unreachable { cause, .. } = &failed
                        && self.whole
                    {
                        self.cut = Some(cause.clone());
                    }
                    return Err(failed);
                }
            };
            self.whole = false;
            match pulled {
                PullOutcome::Whole => {
                    self.whole = pull_notes(notes, &mut self.file, &name).await.is_ok();
                    return Ok(());
                }
                PullOutcome::Broken => return Ok(()),
                PullOutcome::Other => self.renew().await?,
            }
        }
        Ok(())
    }

    /// Continues with another file; the current one stays unchanged.
    async fn renew(&mut self) -> Result<(), LedgerError> {
        self.whole = false;
        let number = self.number + 1;
        let new = file::open(&numbered(&self.base, number), Access::Create).await?;
        self.number = number;
        std::mem::replace(&mut self.file, new).close().await;
        Ok(())
    }
}

impl Ledger {
    /// Opens a ledger in a database, with files beside it whose names begin so: in the last of them is all that the
    /// database is known to have, and what is written at tables while it cannot be reached. [`send_unsent`] has to be
    /// called whenever [`changes`] says so. One program at a time uses the files. A place that is no database, or in which
    /// whoever asks may not write, is opened without.
    ///
    /// [`send_unsent`]: Self::send_unsent
    /// [`changes`]: Self::changes
    ///
    /// # Errors
    /// As [`Ledger::open`]; where the files are another program's, or cannot be used.
    pub async fn open_beside(place: &Path, base: &Path) -> Result<Self, LedgerError> {
        let Some(address) = database::address(place) else { return Self::open(place).await };
        let ledger = Self::of(place, Mirrored::open(address?, base).await?, true);
        // Whether it can be reached shows later, too.
        let _ = ledger.send_unsent().await;
        Ok(ledger)
    }

    /// Switches to the file in the database's place, and returns whether it can be used.
    pub(super) async fn cut(&self, cause: &str) -> Result<bool, LedgerError> {
        let mut inner = self.inner().await?;
        let OpenStore { store, kept } = &mut *inner;
        let Store::Mirrored(both) = store else { return Ok(false) };
        if both.whole {
            both.cut.get_or_insert_with(|| cause.to_owned());
            *kept = ReadLogs::default();
        }
        Ok(both.cut.is_some())
    }
}

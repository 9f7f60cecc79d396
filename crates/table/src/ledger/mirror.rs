//! A database, and a file beside it in which a table goes on while the database cannot be reached.
//!
//! The file is a ledger like any other and has all that the database is known to have, hash for hash. While the database
//! cannot be reached, what is written at a table goes on from there, and a note says from which event on the database has
//! not got it. When it is back these events are sent. The chains prove what was there before: where the database's log ends
//! as the file's did, the events follow as they are; where they are there already, as after an answer that was lost, they
//! are not sent again; where somebody else has written at that table, they become a branch between which and the database's
//! own events the desk chooses.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
};

use futures_util::future::BoxFuture;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use super::{
    Ledger, LedgerError, OpenStore, ReadLogs,
    chain::{Link, hex},
    database::{self, Database},
    file, is_sent_again, printable,
    replayed::TOURNAMENT,
    rows::{self, Row},
    store::{Access, Begun, For, Store},
    whole_milliseconds,
};
use crate::{
    table::{Event, Recorded, Table},
    words::say,
};

/// The prefix of the file's own notes that hold, for a log, its first unsent event.
const OF_LOG: &str = "unsent log ";
const OF_NOTE: &str = "unsent note ";
/// The note saying that the file once had everything that the database had.
const WHOLE: &str = "mirror";
/// The prefix of notes that hold a branch on which the desk has to decide.
const BRANCH: &str = "branch ";
const CHOSEN: &str = "chosen ";
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

/// Events of a table that could not be sent before somebody else wrote there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// Its name, by which it is chosen.
    pub name: String,
    /// The table's number in the ledger.
    pub table: u32,
    /// The last event that both have.
    pub after: u64,
    /// The machine on which the table went on.
    pub machine: String,
    /// The events that the database has since.
    pub database: Vec<Recorded>,
    /// The events that were written at the table since.
    pub at_table: Vec<Recorded>,
}

/// Which of two versions of a table stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Keep {
    /// The database's version.
    Database,
    /// The table's own version.
    Table,
}

/// The events that have not been sent to the database.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Unsent {
    /// Why the database is not used just now.
    pub cut: Option<String>,
    /// The number of events of each table that are kept here.
    pub tables: BTreeMap<u32, u64>,
}

/// A branch as its note keeps it.
#[derive(Debug, Deserialize, Serialize)]
struct BranchNote {
    after: u64,
    machine: String,
    events: Vec<BranchEvent>,
    /// The version that the desk has chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept: Option<Keep>,
}

#[derive(Debug, Deserialize, Serialize)]
struct BranchEvent {
    recorded: Recorded,
    id: String,
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

/// Notes that a log's events from this one on have not been sent, unless earlier ones have not either.
pub(super) async fn not_sent(begun: &mut Begun<'_>, log: u32, seq: u64) -> Result<(), sqlx::Error> {
    let name = format!("{OF_LOG}{log}");
    let known = rows::notes(begun, &name).await?;
    if known.iter().any(|(other, _)| *other == name) {
        return Ok(());
    }
    rows::note(begun, &name, Some(&seq.to_string())).await
}

/// Whether a table was written apart on two machines, between which the desk has not chosen yet.
pub(super) async fn is_apart(begun: &mut Begun<'_>, table: u32) -> Result<bool, sqlx::Error> {
    Ok(!rows::notes(begun, &format!("{BRANCH}{table} ")).await?.is_empty())
}

/// Records the database's text of a note that is about to change.
pub(super) async fn note_not_sent(begun: &mut Begun<'_>, of: &str) -> Result<(), sqlx::Error> {
    let name = format!("{OF_NOTE}{of}");
    let find = |notes: Vec<(String, String)>, name: &str| {
        notes.into_iter().find(|(other, _)| other == name).map(|(_, text)| text)
    };
    if find(rows::notes(begun, &name).await?, &name).is_some() {
        return Ok(());
    }
    let before = find(rows::notes(begun, of).await?, of);
    let text = serde_json::to_string(&before).unwrap_or_default();
    rows::note(begun, &name, Some(&text)).await
}

/// The logs with events that were not sent, and the first of these.
async fn unsent_logs(begun: &mut Begun<'_>) -> Result<Vec<(u32, u64)>, sqlx::Error> {
    let notes = rows::notes(begun, OF_LOG).await?;
    let read = notes.iter().filter_map(|(name, first)| {
        Some((name.strip_prefix(OF_LOG)?.parse().ok()?, first.parse().ok()?))
    });
    Ok(read.collect())
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

/// Whether an event is the same as another, were it written at another time.
fn is_same(log: u32, one: &Row<'_>, other: &Row<'_>) -> bool {
    if one.hash == other.hash {
        return true;
    }
    let event = |row: &Row<'_>| serde_json::from_str::<Event>(&row.body).ok();
    log != TOURNAMENT
        && !one.id.is_empty()
        && one.id == other.id
        && event(one).zip(event(other)).is_some_and(|(one, other)| is_sent_again(&one, &other))
}

/// The outcome of sending events.
#[derive(Default)]
struct SendOutcome {
    /// The author and time of the last event in the database.
    last: Option<(Timestamp, String)>,
    /// Whether the database's log differs from the file's.
    differs: bool,
}

/// The hash of the event with that number, if it is the first of these, and the events after it.
fn since(rows: Vec<Row<'static>>, after: u64) -> Option<(Link, Vec<Row<'static>>)> {
    if after == 0 {
        return Some((Link::START, rows));
    }
    let mut rows = rows.into_iter();
    let first = rows.next().filter(|row| row.seq == after)?;
    Some((first.hash, rows.collect()))
}

/// Sends a log's events from that one on.
async fn send(
    begun: &mut Begun<'_>,
    own: &mut Begun<'_>,
    (log, first): (u32, u64),
    sent: &mut SendOutcome,
) -> Result<(), sqlx::Error> {
    let after = first.saturating_sub(1);
    let from = after.saturating_sub(1);
    let Some((end, mine)) = since(rows::all_after(own, log, from).await?, after) else {
        // The event of the note no longer exists.
        sent.differs = true;
        return Ok(());
    };
    let found = since(rows::all_after(begun, log, from).await?, after);
    let theirs = found.filter(|(last, _)| *last == end);
    let is_known = theirs.is_some();
    let (_, theirs) = theirs.unwrap_or((end, Vec::new()));
    let common = mine.iter().zip(&theirs).take_while(|(a, b)| is_same(log, a, b)).count();
    if is_known && common == theirs.len() {
        let mut last = theirs.last().map_or(end, |row| row.hash);
        sent.differs |= common.checked_sub(1).is_some_and(|place| mine[place].hash != last);
        for row in &mine[common..] {
            let hash = row.link(log, last);
            rows::insert(begun, log, &Row { hash, ..row.clone() }).await?;
            sent.last = row.at.parse().ok().map(|at| (at, row.author.to_string()));
            last = hash;
        }
        return Ok(());
    }
    let (known, mut left) = mine.split_at(common);
    sent.differs |= known.iter().zip(&theirs).any(|(one, other)| one.hash != other.hash);
    // A phone may have entered all of it at another machine too.
    if left.iter().all(|row| theirs.iter().any(|other| is_same(log, row, other))) {
        sent.differs |= !left.is_empty();
        left = &[];
    }
    let Some(end) = left.last() else { return Ok(()) };
    sent.differs = true;
    let name = format!("{log} {}", hex(&end.hash.0[..8]));
    // An answer may have been lost, and the desk may have chosen since.
    if !rows::notes(begun, &format!("{CHOSEN}{name}")).await?.is_empty() {
        return Ok(());
    }
    let events = left.iter().filter_map(|row| {
        let recorded = Recorded {
            seq: row.seq,
            at: row.at.parse().ok()?,
            author: row.author.to_string(),
            event: serde_json::from_str(&row.body).ok()?,
        };
        Some(BranchEvent { recorded, id: row.id.to_string() })
    });
    let noted = BranchNote {
        after: after + common as u64,
        machine: machine(),
        events: events.collect(),
        kept: None,
    };
    let text = serde_json::to_string(&noted).map_err(|error| sqlx::Error::Encode(error.into()))?;
    rows::note(begun, &format!("{BRANCH}{name}"), Some(&text)).await
}

/// This machine's name.
fn machine() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = printable(name.trim());
    if name.is_empty() { "another machine".to_owned() } else { name }
}

/// Sends notes that were written without the database, where nobody has changed them there.
async fn send_notes(begun: &mut Begun<'_>, own: &mut Begun<'_>) -> Result<(), sqlx::Error> {
    let mine: BTreeMap<String, String> = rows::notes(own, "").await?.into_iter().collect();
    let theirs: BTreeMap<String, String> = rows::notes(begun, "").await?.into_iter().collect();
    for (name, before) in &mine {
        let Some(name) = name.strip_prefix(OF_NOTE) else { continue };
        let before: Option<String> = serde_json::from_str(before).unwrap_or_default();
        if theirs.get(name) == before.as_ref() && mine.get(name) != before.as_ref() {
            rows::note(begun, name, mine.get(name).map(String::as_str)).await?;
        }
    }
    Ok(())
}

/// The numbers that events of a branch refer to, as they become where the branch is written down again.
fn renumbered(event: Event, numbers: &HashMap<u64, u64>) -> Event {
    let new = |seq: u64| numbers.get(&seq).copied().unwrap_or(seq);
    match event {
        Event::Undone { event } => Event::Undone { event: new(event) },
        Event::Corrected { event, with } => Event::Corrected { event: new(event), with },
        other => other,
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

    /// Sends the events written while the database could not be reached, if it can be now; keeps the file beside it up to
    /// date where nothing is to be sent.
    ///
    /// # Errors
    /// Why the database does not take it; events go on into the file then.
    pub async fn send_unsent(&self) -> Result<(), LedgerError> {
        let (Some(address), Some(_)) = (&self.address, &self.beside) else { return Ok(()) };
        if !self.inner().await?.store.uses_file() {
            let mut inner = self.inner().await?;
            return match &mut inner.store {
                Store::Mirrored(both) if both.cut.is_none() => both.update().await,
                _ => Ok(()),
            };
        }
        // Nobody who writes waits for a network that is cut.
        let mut connection = database::connect(address).await?;
        database::ready(address, &mut connection, Access::Write).await?;
        let sent = self.send_over(connection).await;
        if let Err(error) = &sent
            && let Store::Mirrored(both) = &mut self.inner().await?.store
            && let Some(cut) = &mut both.cut
        {
            *cut = match error {
                LedgerError::Unreachable { cause, .. } => cause.clone(),
                error => error.to_string(),
            };
        }
        sent
    }

    async fn send_over(&self, connection: PgConnection) -> Result<(), LedgerError> {
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let OpenStore { store: Store::Mirrored(both), kept } = &mut *inner else { return Ok(()) };
        both.database.reached(connection);
        let Mirrored { database, file, .. } = &mut **both;
        let mut own = file.begin(For::Reading).await.map_err(failed)?;
        let mut begun = Begun::Database(database.begin(For::Writing).await.map_err(failed)?);
        let mut sent = SendOutcome::default();
        for unsent in unsent_logs(&mut own).await.map_err(failed)? {
            send(&mut begun, &mut own, unsent, &mut sent).await.map_err(failed)?;
        }
        send_notes(&mut begun, &mut own).await.map_err(failed)?;
        if let Some((at, author)) = &sent.last {
            self.others_follow(&mut begun, &mut ReadLogs::default(), (*at, author)).await?;
        }
        own.commit().await.map_err(failed)?;
        begun.commit().await.map_err(failed)?;
        *kept = ReadLogs::default();
        both.cut = None;
        if sent.differs {
            both.renew().await?;
        } else {
            let forgotten = async {
                let mut own = both.file.begin(For::Writing).await?;
                for (name, _) in rows::notes(&mut own, "unsent ").await? {
                    rows::note(&mut own, &name, None).await?;
                }
                own.commit().await
            };
            // Sent again, it would be there already.
            if forgotten.await.is_err() {
                both.whole = false;
                return Ok(());
            }
        }
        both.update().await
    }

    /// The events that have not been sent to the database.
    ///
    /// # Errors
    /// Where the file beside it cannot be read.
    pub async fn unsent(&self) -> Result<Unsent, LedgerError> {
        let mut inner = self.inner().await?;
        let Store::Mirrored(both) = &mut inner.store else { return Ok(Unsent::default()) };
        let Some(cut) = both.cut.clone() else { return Ok(Unsent::default()) };
        let failed = |error| self.error_of(error);
        let mut own = both.file.begin(For::Reading).await.map_err(failed)?;
        let ends = rows::heads(&mut own).await.map_err(failed)?;
        let ends: HashMap<u32, u64> = ends.into_iter().collect();
        let unsent = unsent_logs(&mut own).await.map_err(failed)?;
        own.commit().await.map_err(failed)?;
        let count = |(log, first): (u32, u64)| {
            let end = ends.get(&log).copied().unwrap_or_default();
            (log, (end + 1).saturating_sub(first))
        };
        Ok(Unsent { cut: Some(cut), tables: unsent.into_iter().map(count).collect() })
    }

    /// The tables with two versions between which the desk has to choose: the database's, and one written elsewhere
    /// while it could not be reached.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn branches(&self) -> Result<Vec<Branch>, LedgerError> {
        let mut branches = Vec::new();
        for (name, text) in self.notes(BRANCH).await? {
            let (name, table, noted) = self.noted(&name, &text)?;
            let events = self.events(table).await?;
            branches.push(Branch {
                name,
                table,
                after: noted.after,
                machine: noted.machine,
                database: events.into_iter().filter(|event| event.seq > noted.after).collect(),
                at_table: noted.events.into_iter().map(|event| event.recorded).collect(),
            });
        }
        Ok(branches)
    }

    /// Whether a table was written apart on two machines, and the desk has to choose what was played.
    ///
    /// # Errors
    /// Where the ledger cannot be read.
    pub async fn is_apart(&self, table: u32) -> Result<bool, LedgerError> {
        Ok(!self.notes(&format!("{BRANCH}{table} ")).await?.is_empty())
    }

    fn noted(&self, name: &str, text: &str) -> Result<(String, u32, BranchNote), LedgerError> {
        let name = name.strip_prefix(BRANCH).unwrap_or(name).to_owned();
        let table = name.split(' ').next().and_then(|table| table.parse().ok());
        let noted = serde_json::from_str(text).ok();
        table.zip(noted).map(|(table, noted)| (name.clone(), table, noted)).ok_or_else(|| {
            let cause = format!("the note of branch {name} cannot be read");
            LedgerError::Damaged { path: self.path.clone(), cause }
        })
    }

    /// Chooses the version of a table that stays. Where it is the table's, the database's later events are taken back,
    /// and the table's events are written after them.
    ///
    /// # Errors
    /// Where it was chosen before, the table's events do not fit any more, or the database cannot be reached.
    pub async fn choose(&self, branch: &str, keep: Keep, author: &str) -> Result<(), LedgerError> {
        if !self.writable {
            return Err(LedgerError::ReadOnly(self.path.clone()));
        }
        let failed = |error| self.error_of(error);
        let mut inner = self.inner().await?;
        let (mut begun, all) = inner.begin(For::Writing).await.map_err(failed)?;
        self.only_together(&begun)?;
        // An interrupted write is read again.
        let mut known = std::mem::take(all);
        let note = format!("{BRANCH}{branch}");
        let notes = rows::notes(&mut begun, &note).await.map_err(failed)?;
        let text = notes.into_iter().find(|(name, _)| *name == note).map(|(_, text)| text);
        let text = text.ok_or_else(|| LedgerError::NoBranch(branch.to_owned()))?;
        let (_, table, mut noted) = self.noted(&note, &text)?;
        let at = whole_milliseconds(Timestamp::now());
        if keep == Keep::Table {
            let mut kept = self.catch_up::<Table>(&mut begun, table, None).await?;
            let last = kept.replayed.events().len() as u64;
            let undoes = (noted.after + 1..=last).rev().map(|event| {
                let undone = Event::Undone { event };
                (Recorded { seq: 0, at, author: printable(author), event: undone }, String::new())
            });
            let mut numbers = HashMap::new();
            let again = noted.events.iter().map(|event| (event.recorded.clone(), event.id.clone()));
            for (recorded, id) in undoes.chain(again).collect::<Vec<_>>() {
                let seq = kept.replayed.events().len() as u64 + 1;
                if recorded.seq > 0 {
                    numbers.insert(recorded.seq, seq);
                }
                let event = renumbered(recorded.event, &numbers);
                let recorded = Recorded { seq, event, ..recorded };
                let is_taken =
                    rows::seq_of_id(&mut begun, table, &id).await.map_err(failed)?.is_some();
                let id = Some(id).filter(|id| !id.is_empty() && !is_taken);
                let row = Row::of(table, &recorded, id, kept.last)?;
                kept.replayed.push(recorded)?;
                kept.last = row.hash;
                rows::insert(&mut begun, table, &row).await.map_err(failed)?;
            }
            known.tables.insert(table, kept);
            self.others_follow(&mut begun, &mut known, (at, author)).await?;
        }
        noted.kept = Some(keep);
        let text = serde_json::to_string(&noted).unwrap_or(text);
        let chosen = format!("{CHOSEN}{branch}");
        rows::note(&mut begun, &chosen, Some(&text)).await.map_err(failed)?;
        rows::note(&mut begun, &note, None).await.map_err(failed)?;
        begun.commit().await.map_err(failed)
    }
}

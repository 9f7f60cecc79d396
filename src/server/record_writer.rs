//! Writes the record of a table down, to a file or into its ledger, in a thread of its own: a camera waits for neither. Lines
//! that cannot be written wait until they can.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use serde_json::Value;
use tokio::runtime::Handle;

use super::{Report, recording::since_1970};
use crate::{
    convert::log::{self, LogError},
    ledger::{Ledger, LedgerError, RecordEnd},
    record::{Event, SeenEvent},
};

/// The author of its lines in a ledger.
const AUTHOR: &str = "camera";
/// The time until lines that could not be written are tried again.
const AGAIN: Duration = Duration::from_secs(2);

/// Why a record cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be opened or read.
    #[error("--record: cannot write {}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is something else, or damaged.
    #[error(
        "--record: {place} is no record to go on with ({error}): name another file. Nothing was written"
    )]
    Foreign {
        /// The file, or the record in the ledger.
        place: String,
        /// What is wrong with it.
        error: LogError,
    },
    /// Another program has it open.
    #[error("--record: another program writes {}: name another file", .0.display())]
    InUse(PathBuf),
    /// It cannot be written.
    #[error("--record: cannot write {place}: {why}")]
    Unwritten {
        /// The file, or the record in the ledger.
        place: String,
        /// Why.
        why: String,
    },
    /// The ledger cannot be read.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// No table of a ledger that can be written.
    #[error(
        "--record without a file needs the table of a ledger that can be written: give --ledger FILE and --table N, or name a file, such as --record game.jsonl"
    )]
    NoTable,
}

/// A record's place, and what it is called.
struct Place {
    name: String,
    kept: Kept,
}

enum Kept {
    File {
        file: File,
        /// The length of the file without a line that was cut off.
        length: u64,
    },
    Ledger {
        ledger: Arc<Ledger>,
        table: u32,
        /// Its end, as this writer has left it.
        end: RecordEnd,
        /// What waits for the ledger.
        runtime: Handle,
    },
}

/// Why lines were not written.
enum Unwritten {
    /// They may be written later.
    Yet(String),
    /// They never will be.
    Ever(String),
}

impl Place {
    /// Writes lines, all of them or none.
    fn write(&mut self, lines: &[SeenEvent]) -> Result<(), Unwritten> {
        match &mut self.kept {
            Kept::File { file, length } => {
                // An event is always JSON.
                let lines = lines.iter().filter_map(|line| serde_json::to_string(line).ok());
                let text: String = lines.map(|line| line + "\n").collect();
                let mut written = || {
                    // What failed half-way is cut off again.
                    file.set_len(*length)?;
                    file.seek(SeekFrom::End(0))?;
                    file.write_all(text.as_bytes())
                };
                written().map_err(|error: io::Error| Unwritten::Yet(error.to_string()))?;
                *length += text.len() as u64;
            }
            Kept::Ledger { ledger, table, end, runtime } => {
                let written = ledger.append_record(*table, *end, lines.to_vec(), AUTHOR);
                *end = runtime.block_on(written).map_err(|error| match error {
                    LedgerError::Meanwhile { .. } => {
                        Unwritten::Ever("another program records this table".to_owned())
                    }
                    error => Unwritten::Yet(error.to_string()),
                })?;
            }
        }
        Ok(())
    }
}

/// Reports trouble once, and that it is over.
struct Trouble {
    name: String,
    report: Report,
    told: Option<String>,
}

impl Trouble {
    fn tell(&mut self, trouble: Option<String>) {
        if trouble != self.told {
            let why = trouble.as_deref().unwrap_or("is written again");
            (self.report)(&format!("{}: {why}", self.name));
            self.told = trouble;
        }
    }
}

/// Writes a record down until it is dropped, which waits for the last line.
pub struct RecordWriter {
    /// The lines to write; `None` at the end.
    lines: Option<Sender<Vec<SeenEvent>>>,
    thread: Option<JoinHandle<()>>,
    /// The number of players of the record, once it has its first line.
    players: Option<usize>,
    trouble: Trouble,
}

impl Drop for RecordWriter {
    fn drop(&mut self) {
        self.lines = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl RecordWriter {
    /// Writes to a file, which may hold a record already: this one goes on behind it, and a deal that was cut off ends there.
    ///
    /// # Errors
    /// Where the file cannot be written, another program writes it, or it is no record.
    pub fn to_file(path: &Path, report: &Report) -> Result<Self, RecordingError> {
        let wrong = |error| RecordingError::File { file: path.to_owned(), error };
        let options = OpenOptions::new().read(true).append(true).create(true).clone();
        let mut file = options.open(path).map_err(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RecordingError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(wrong(error)),
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(wrong)?;
        // A line that a killed program has cut off is no event.
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let kept = Kept::File { file, length: text.len() as u64 };
        Self::behind(&text, Place { name: path.display().to_string(), kept }, report)
    }

    /// Writes to a ledger, behind the record that its table has already.
    ///
    /// # Errors
    /// Where the ledger cannot be read or written.
    pub fn to_ledger(
        ledger: Arc<Ledger>,
        table: u32,
        runtime: Handle,
        report: &Report,
    ) -> Result<Self, RecordingError> {
        let record = runtime.block_on(ledger.record(table))?;
        let kept = Kept::Ledger { ledger, table, end: record.end(), runtime };
        let name = format!("the record of table {table}");
        Self::behind(&record.text(), Place { name, kept }, report)
    }

    fn behind(text: &str, mut place: Place, report: &Report) -> Result<Self, RecordingError> {
        let name = place.name.clone();
        let foreign = |error| RecordingError::Foreign { place: name.clone(), error };
        let unwritten = |why| RecordingError::Unwritten { place: name.clone(), why };
        let (players, cut_off) = resumed(text, since_1970()).map_err(foreign)?;
        match place.write(&cut_off) {
            Ok(()) => {}
            Err(Unwritten::Yet(why) | Unwritten::Ever(why)) => return Err(unwritten(why)),
        }
        let trouble = || Trouble { name: name.clone(), report: Arc::clone(report), told: None };
        let (lines, came) = mpsc::channel();
        let (begin, mut told) = (trouble(), trouble());
        let thread = thread::Builder::new().name("record".to_owned()).spawn(move || {
            write_down(&mut place, &came, &mut told);
        });
        let thread = thread.map_err(|error| unwritten(error.to_string()))?;
        Ok(Self { lines: Some(lines), thread: Some(thread), players, trouble: begin })
    }

    /// The number of players of the record, once it has begun.
    pub(super) const fn players(&self) -> Option<usize> {
        self.players
    }

    /// Reports that other players sit at the table than those of the record.
    pub(super) fn other_players(&mut self) {
        let why = "the table file does not show the players of the record";
        self.trouble.tell(Some(format!("nothing is recorded: {why}")));
    }

    /// Writes new lines, of as many players with these names.
    pub(super) fn take(
        &mut self,
        mut new: Vec<SeenEvent>,
        names: &[String],
        players: usize,
        at: Duration,
    ) {
        if new.is_empty() {
            return;
        }
        if self.players.is_none() {
            self.players = Some(players);
            let names = names.iter().cloned().chain(std::iter::repeat(String::new()));
            let event = Event::Game { players: names.take(players).collect() };
            new.insert(0, line(event, at));
        }
        if let Some(lines) = &self.lines {
            // Where nothing more can be written, that was reported.
            let _ = lines.send(new);
        }
    }
}

/// Writes what comes until no more will.
fn write_down(place: &mut Place, lines: &Receiver<Vec<SeenEvent>>, trouble: &mut Trouble) {
    let mut waiting = Vec::new();
    let mut is_over = false;
    loop {
        if !waiting.is_empty() {
            match place.write(&waiting) {
                Ok(()) => {
                    waiting.clear();
                    trouble.tell(None);
                }
                Err(Unwritten::Ever(why)) => {
                    return trouble.tell(Some(format!("{why}: nothing more is recorded here")));
                }
                Err(Unwritten::Yet(why)) if is_over => {
                    let why = format!("{why}: {} events are lost", waiting.len());
                    return trouble.tell(Some(why));
                }
                Err(Unwritten::Yet(why)) => {
                    trouble.tell(Some(format!("{why}: what comes now is kept")));
                }
            }
        }
        if is_over {
            return;
        }
        let came = match &waiting[..] {
            [] => lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
            _ => lines.recv_timeout(AGAIN),
        };
        is_over = came == Err(RecvTimeoutError::Disconnected);
        waiting.extend(came.into_iter().chain(lines.try_iter()).flatten());
    }
}

fn line(event: Event, at: Duration) -> SeenEvent {
    let at = u64::try_from(at.as_millis()).unwrap_or(u64::MAX);
    SeenEvent { event, at, confidence: None }
}

/// The number of players of a record, if it has begun, and the lines that end its last deal where it was cut off.
fn resumed(text: &str, now: Duration) -> Result<(Option<usize>, Vec<SeenEvent>), LogError> {
    if text.trim().is_empty() {
        return Ok((None, Vec::new()));
    }
    let record = log::read_own(text)?;
    let players = record.events.first().and_then(|event| match event {
        Event::Game { players } => Some(players.len()),
        _ => None,
    });
    if matches!(record.events.last(), Some(Event::Game { .. } | Event::End) | None) {
        return Ok((players, Vec::new()));
    }
    let last = text.lines().next_back().and_then(|line| serde_json::from_str::<Value>(line).ok());
    let last = last.and_then(|line| line["at"].as_u64());
    let now_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
    let milliseconds = last.map_or(0, |last| now_ms.saturating_sub(last));
    let gap = Event::Gap { milliseconds };
    Ok((players, vec![line(gap, now), line(Event::End, now)]))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::record::DealBegins;
    use crate::tile::Seat;

    fn reports() -> (Report, Arc<Mutex<Vec<String>>>) {
        let told = Arc::new(Mutex::new(Vec::new()));
        let to = Arc::clone(&told);
        (Arc::new(move |line: &str| to.lock().unwrap().push(line.to_owned())), told)
    }

    fn deal(at: Duration) -> Vec<SeenEvent> {
        let hands = vec!["?????????????".parse().unwrap(); 2];
        let begins = DealBegins {
            round: Seat::East,
            dealer: 0,
            counters: 0,
            sticks: 0,
            hands,
            points: vec![],
        };
        vec![line(Event::Deal(begins), at)]
    }

    fn write(mut writer: RecordWriter, seconds: u64) {
        let at = Duration::from_secs(seconds);
        writer.take(deal(at), &["Ann".to_owned()], 2, at);
    }

    fn types(text: &str) -> Vec<String> {
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.map(|line| line["type"].as_str().unwrap().to_owned()).collect()
    }

    const TWICE: [&str; 6] = ["game", "deal", "gap", "end", "deal", "gap"];

    #[test]
    fn a_file_goes_on_behind_a_deal_that_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let (path, (report, told)) = (folder.path().join("game.jsonl"), reports());
        let open = || RecordWriter::to_file(&path, &report);
        write(open().unwrap(), 5);
        // A killed program has left half a line.
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text + "{\"type\":\"dis").unwrap();
        write(open().unwrap(), 5);
        let held = open().unwrap();
        assert!(matches!(open(), Err(RecordingError::InUse(_))));
        drop(held);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(types(&text)[..6], TWICE);
        log::read_own(&text).unwrap();
        assert!(told.lock().unwrap().is_empty());
    }

    #[test]
    fn a_ledger_takes_what_waits_and_one_program_records() {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("evening.tlg");
        let ledger = Arc::new(runtime.block_on(Ledger::create(&path)).unwrap());
        let (report, told) = reports();
        let open = || {
            let ledger = Arc::clone(&ledger);
            RecordWriter::to_ledger(ledger, 3, runtime.handle().clone(), &report).unwrap()
        };
        write(open(), 5);
        write(open(), 6);
        // Two at once: the one that writes last finds the other's lines.
        let (one, other) = (open(), open());
        write(one, 7);
        assert!(told.lock().unwrap().is_empty());
        write(other, 8);
        assert_eq!(
            *told.lock().unwrap(),
            [
                "the record of table 3: another program records this table: nothing more is recorded here"
            ]
        );
        let text = runtime.block_on(ledger.record(3)).unwrap().text();
        assert_eq!(types(&text)[..6], TWICE);
        log::read_own(&text).unwrap();
        // Closed, it takes nothing: that is said.
        let last = open();
        runtime.block_on(ledger.close());
        write(last, 9);
        let told = told.lock().unwrap();
        assert!(told.last().unwrap().ends_with("1 events are lost"), "{told:?}");
    }
}

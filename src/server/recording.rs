//! The record of a session's table: it says how the deal stands, and is written to a file where one is given, lines of JSON at
//! its end, each as soon as it is known.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::Value;

use super::{Report, TrackedPicture};
use crate::{
    calibration::table::TableProfile,
    convert::log::{self, LogError},
    hand::WholeHand,
    record::{Event, SeenEvent},
    recorder::{DealPlace, Look, Recorder, Standing},
    tile::Seat,
};

/// Why a record cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be opened or written.
    #[error("--record: cannot write {}: {error}", .file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// The system's error.
        error: io::Error,
    },
    /// The file is something else, or damaged.
    #[error("--record: {} is no record to go on with ({error}): name another file. Nothing was written", .file.display())]
    Foreign {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: LogError,
    },
    /// Another program has it open.
    #[error("--record: another program writes {}: name another file", .0.display())]
    InUse(PathBuf),
}

/// The table as a session knows it.
#[derive(Clone, Debug)]
pub(super) struct RecordedTable {
    /// Where its corners are.
    pub profile: TableProfile,
    /// The players' names by seat, empty where they are not known.
    pub names: Vec<String>,
    /// The deal that is played, where a ledger says it.
    pub place: Option<DealPlace>,
    /// The hands of its rules.
    pub whole: WholeHand,
}

/// The record of a table.
pub struct Recording {
    recorder: Recorder,
    /// A moment, and the same since 1970: the clock may be set while the record grows.
    began: (Instant, Duration),
    /// Where it is written.
    file: Option<RecordFile>,
}

impl Recording {
    /// A record that is written to a file, if one is given.
    pub fn new(file: Option<RecordFile>) -> Self {
        Self { recorder: Recorder::default(), began: (Instant::now(), since_1970()), file }
    }

    /// Takes in a picture of the table, and writes what it shows that is new. Returns how the deal stands.
    pub(super) fn take(
        &mut self,
        tracked: &TrackedPicture,
        table: &RecordedTable,
    ) -> Option<Standing> {
        let size = [tracked.picture.width(), tracked.picture.height()];
        let view = table.profile.view(size);
        let seats: Vec<Seat> = view.seats().collect();
        let is_whole = (2..=4).contains(&seats.len()) && seats[..] == Seat::ALL[..seats.len()];
        let written = self.file.as_ref().and_then(|file| file.players);
        if !is_whole || written.is_some_and(|players| players != seats.len()) {
            if let Some(file) = &mut self.file {
                let why = "the table file does not show the players of the record";
                file.tell(Some(format!("nothing is recorded: {why}")));
            }
            return None;
        }
        let at = self.began.1 + tracked.at.saturating_duration_since(self.began.0);
        let TrackedPicture { tiles, ids, unseen, .. } = tracked;
        let look = Look { at, tiles, ids, unseen };
        let lines = self.recorder.observe(&look, &view, table.place, table.whole);
        if let Some(file) = &mut self.file {
            file.take(&lines, &table.names, seats.len(), at);
        }
        self.recorder.standing()
    }
}

/// The time since 1970.
fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

/// A file that a record is written to.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// The length of the file without a line that was cut off.
    length: u64,
    /// The number of players that the file is of, once it has its first line.
    players: Option<usize>,
    /// Lines that the disk had no room for.
    unwritten: String,
    report: Report,
    /// The trouble that was reported.
    trouble: Option<String>,
}

impl RecordFile {
    /// Opens a file, which may hold a record already: this one goes on behind it, and a deal that was cut off ends there.
    ///
    /// # Errors
    /// Where the file cannot be written, another program writes it, or it is no record.
    pub fn open(path: &Path, report: Report) -> Result<Self, RecordingError> {
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
        let (players, cut_off) = resumed(&text, since_1970())
            .map_err(|error| RecordingError::Foreign { file: path.to_owned(), error })?;
        let mut record = Self {
            path: path.to_owned(),
            file,
            length: text.len() as u64,
            players,
            unwritten: String::new(),
            report,
            trouble: None,
        };
        record.add(&cut_off);
        record.write().map_err(wrong)?;
        Ok(record)
    }

    /// Writes new lines, of as many players with these names.
    fn take(&mut self, lines: &[SeenEvent], names: &[String], players: usize, at: Duration) {
        if self.players.is_none() && !lines.is_empty() {
            self.players = Some(players);
            let names = names.iter().cloned().chain(std::iter::repeat(String::new()));
            let event = Event::Game { players: names.take(players).collect() };
            self.add(&[line(event, at)]);
        }
        self.add(lines);
        if !self.unwritten.is_empty() {
            let written = self.write();
            let trouble = written.err().map(|error| format!("{error}: what comes now is kept"));
            self.tell(trouble);
        }
    }

    fn add(&mut self, lines: &[SeenEvent]) {
        for line in lines {
            // An event is always JSON.
            self.unwritten.extend(serde_json::to_string(line));
            self.unwritten.push('\n');
        }
    }

    /// Writes the lines that wait. Where it fails, the file keeps whole lines alone.
    fn write(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::End(0))?;
        self.file.write_all(self.unwritten.as_bytes())?;
        self.length += self.unwritten.len() as u64;
        self.unwritten.clear();
        Ok(())
    }

    /// Reports trouble once, and that it is over.
    fn tell(&mut self, trouble: Option<String>) {
        if trouble != self.trouble {
            let why = trouble.as_deref().unwrap_or("is written again");
            (self.report)(&format!("{}: {why}", self.path.display()));
            self.trouble = trouble;
        }
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

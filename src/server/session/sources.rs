//! The sources of a session: each is read by a thread of its own, and one more thread reports their states.

use std::{
    io,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use super::Report;
use crate::{
    capture::{Capture, SourceSpec, SourceState},
    live::{Live, Snapshot},
    server::{FrameTiming, Hub, Recording, Shows, SourceStatus, TilesetsChanged, TrackedPicture},
    tileset::Folder,
    vision::Reader,
};

/// The interval between checks of a source's state.
const ASK: Duration = Duration::from_millis(500);

/// Gives a reader the current tile sets; the error says why it keeps those that it has.
pub type GiveTilesets = Arc<dyn Fn(&mut Reader) -> Result<(), String> + Send + Sync>;

/// A source to read.
pub struct SessionSource {
    /// Where its frames come from.
    pub spec: SourceSpec,
    /// What it shows.
    pub shows: Shows,
    /// The file of its table, which the control page marks.
    pub profile: Option<PathBuf>,
    /// What reads it.
    pub reader: Reader,
}

/// The sources that are read.
#[derive(Clone)]
pub(super) struct Sources {
    running: Arc<Mutex<Vec<Arc<Live>>>>,
    profiles: Vec<Option<PathBuf>>,
}

impl Sources {
    /// Starts them; `own` are the user's tile sets, `recording` follows the first one that shows a table, or may yet.
    ///
    /// # Errors
    /// Where the thread that reports their states cannot be started.
    pub fn start(
        hub: &Arc<Hub>,
        sources: Vec<SessionSource>,
        own: Option<Folder>,
        recording: Recording,
        report: &Report,
    ) -> io::Result<Self> {
        let (mut running, mut watched, mut profiles) = (Vec::new(), Vec::new(), Vec::new());
        // A table that is not marked yet is taken for a hand.
        let first = |is_it: fn(&Shows) -> bool| sources.iter().position(|of| is_it(&of.shows));
        let followed = first(|shows| matches!(shows, Shows::Table(_)))
            .or_else(|| first(|shows| matches!(shows, Shows::Hand)));
        let mut recording = Some(recording);
        for (place, source) in sources.into_iter().enumerate() {
            let SessionSource { spec, shows, profile, reader } = source;
            let name = spec.to_string();
            let mut recording = recording.take_if(|_| followed == Some(place));
            let number = hub.add_source(&name, shows);
            let (shown, own) = (Arc::clone(hub), own.clone());
            let live = Arc::new(Live::start(Capture::start(spec), reader, move |snapshot| {
                see(&shown, number, snapshot, own.as_ref(), recording.as_mut());
            }));
            let reporter = SourceReporter::default();
            watched.push(Watched { number, name, live: Arc::downgrade(&live), reporter });
            running.push(live);
            profiles.push(profile);
        }
        if !watched.is_empty() {
            let (hub, report) = (Arc::clone(hub), Arc::clone(report));
            thread::Builder::new().name("sources".to_owned()).spawn(move || {
                while watched.iter_mut().all(|source| source.report(&hub, &report)) {
                    thread::sleep(ASK);
                }
            })?;
        }
        Ok(Self { running: Arc::new(Mutex::new(running)), profiles })
    }

    fn all(&self) -> MutexGuard<'_, Vec<Arc<Live>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The files of their tables, by source number.
    pub fn profiles(&self) -> Vec<Option<PathBuf>> {
        self.profiles.clone()
    }

    /// The callback for a taught tile set: each source's reader reloads the sets.
    pub fn tilesets_changed(&self, give: GiveTilesets) -> TilesetsChanged {
        let sources = self.clone();
        Box::new(move || {
            for live in sources.all().iter() {
                let give = Arc::clone(&give);
                live.with_reader(move |reader| {
                    if let Err(why) = give(reader) {
                        tracing::warn!("the tile sets stay as they were: {why}");
                    }
                });
            }
        })
    }

    /// Stops them and the programs that they run. One that does not stop, such as a camera that hangs, does not block
    /// the end.
    pub fn stop(&self) {
        const PATIENCE: Duration = Duration::from_secs(5);
        let running = std::mem::take(&mut *self.all());
        let (stopped, waits) = mpsc::channel();
        thread::spawn(move || {
            drop(running);
            stopped.send(())
        });
        let _ = waits.recv_timeout(PATIENCE);
    }
}

/// A source whose state is reported.
struct Watched {
    number: usize,
    name: String,
    live: Weak<Live>,
    reporter: SourceReporter,
}

impl Watched {
    /// Reports the state of the source to the pages and the terminal; false once it is stopped.
    fn report(&mut self, hub: &Hub, report: &Report) -> bool {
        let Some(live) = self.live.upgrade() else { return false };
        let (state, trouble) = (live.source(), live.trouble());
        hub.tell_source(self.number, SourceStatus::from(&state), trouble.clone());
        for line in self.reporter.lines(&self.name, state, trouble) {
            report(&line);
        }
        true
    }
}

fn see(
    hub: &Hub,
    number: usize,
    snapshot: Snapshot,
    own: Option<&Folder>,
    recording: Option<&mut Recording>,
) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let came = now.saturating_sub(snapshot.frame.at.elapsed());
    let timing = FrameTiming {
        came: (1e4 * came.as_secs_f64()).round() / 10.0,
        tracked_ms: f64::from(snapshot.timing.tracked_ms.round()),
        read_ms: f64::from(snapshot.timing.read_ms.round()),
        fps: (f64::from(snapshot.timing.fps) * 10.0).round() / 10.0,
    };
    let tracked = TrackedPicture {
        picture: Arc::clone(&snapshot.frame.picture),
        at: snapshot.at,
        tiles: snapshot.tiles,
        ids: snapshot.ids,
        unseen: snapshot.unseen,
        settled: snapshot.settled,
        changed: snapshot.changed,
        tileset: snapshot.tileset.filter(|set| own.is_some_and(|own| own.path(set).exists())),
    };
    if let Some((recording, table)) = recording.zip(hub.recorded_table(number)) {
        hub.record_says(recording.take(&tracked, &table));
    }
    hub.see(number, tracked, Some(timing));
}

/// The lines to report about a source, once for each change.
#[derive(Default)]
struct SourceReporter {
    state: Option<SourceState>,
    trouble: Option<String>,
}

impl SourceReporter {
    /// Lines to print about a source as it is now.
    fn lines(&mut self, name: &str, state: SourceState, trouble: Option<String>) -> Vec<String> {
        let mut lines = Vec::new();
        let was_lost = matches!(self.state, Some(SourceState::Lost { .. }));
        match (&state, &self.state) {
            (SourceState::Lost { why, .. }, Some(SourceState::Lost { why: before, .. }))
                if why == before => {}
            (SourceState::Lost { why, .. }, _) if why.starts_with(name) => lines.push(why.clone()),
            (SourceState::Lost { why, .. }, _) => lines.push(format!("{name}: {why}")),
            (SourceState::Running { .. }, _) if was_lost => lines.push(format!("{name} is back")),
            (SourceState::Ended, before) if *before != Some(SourceState::Ended) => {
                lines.push(format!("{name} has been shown to its end"));
            }
            _ => {}
        }
        if trouble != self.trouble
            && let Some(trouble) = &trouble
        {
            lines.push(format!("{name}: {trouble}"));
        }
        (self.state, self.trouble) = (Some(state), trouble);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_of_a_source_is_reported_once() {
        let mut report = SourceReporter::default();
        let running = |fps| SourceState::Running { width: 640, height: 480, fps };
        let lost = |why: &str, seconds| SourceState::Lost {
            why: why.to_owned(),
            retry_in: Duration::from_secs(seconds),
        };
        let mut lines = |state: SourceState, trouble: Option<&str>| {
            report.lines("camera:0", state, trouble.map(str::to_owned)).join("\n")
        };
        assert_eq!(lines(SourceState::Starting, None), "");
        assert_eq!(lines(lost("there is no camera 0", 1), None), "camera:0: there is no camera 0");
        assert_eq!(lines(lost("there is no camera 0", 2), None), "");
        assert_eq!(lines(lost("camera 0 is in use", 2), None), "camera:0: camera 0 is in use");
        assert_eq!(lines(running(0.0), None), "camera:0 is back");
        assert_eq!(lines(running(9.0), Some("a damaged picture")), "camera:0: a damaged picture");
        assert_eq!(lines(running(8.0), Some("a damaged picture")), "");
        assert_eq!(lines(running(8.0), None), "");
        assert_eq!(lines(lost("camera:0: gone", 2), None), "camera:0: gone");
        assert_eq!(lines(SourceState::Ended, None), "camera:0 has been shown to its end");
        assert_eq!(lines(SourceState::Ended, None), "");
    }
}

//! Keeps a source running: retries it after each failure, at growing intervals.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use super::{Frame, SourceSpec, SourceState, ffmpeg, folder, newest::Newest};

/// Time limits of a capture, and its video program.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The `ffmpeg` program that reads files, streams and screens.
    pub ffmpeg: PathBuf,
    /// Time after opening within which the first frame has to come.
    pub first_frame: Duration,
    /// Time after a frame within which the next one has to come.
    pub stall: Duration,
    /// The pause after a failure: the shortest, doubled each time up to the longest.
    pub pauses: [Duration; 2],
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            ffmpeg: ffmpeg::PROGRAM.into(),
            first_frame: Duration::from_secs(15),
            stall: Duration::from_secs(5),
            pauses: [Duration::from_millis(250), Duration::from_secs(8)],
        }
    }
}

/// How an attempt at a source ended.
#[derive(Debug, PartialEq)]
pub(super) enum End {
    /// The capture stops.
    Stopped,
    /// The source is at its end.
    Ended,
    /// It failed: the reason, for the person at the table.
    Failed(String),
}

/// A source being read. Dropping it stops its threads and the programs they run.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::time::Duration;
/// use tilelens_eye::capture::Capture;
/// let capture = Capture::start("camera:0".parse()?);
/// let mut last = 0;
/// while let Some(frame) = capture.newest(last, Duration::from_secs(20)) {
///     last = frame.number;
///     println!("{} x {}", frame.picture.width(), frame.picture.height());
/// }
/// # Ok(()) }
/// ```
pub struct Capture {
    spec: SourceSpec,
    newest: Arc<Newest>,
    thread: Option<JoinHandle<()>>,
}

impl Capture {
    /// Starts reading a source. Its faults are in [`Capture::state`].
    #[must_use]
    pub fn start(spec: SourceSpec) -> Self {
        Self::with_settings(spec, Settings::default())
    }

    /// Starts reading a source with other settings.
    #[must_use]
    pub fn with_settings(spec: SourceSpec, settings: Settings) -> Self {
        let newest = Arc::new(Newest::new(spec.clone()));
        let (shared, source) = (Arc::clone(&newest), spec.clone());
        let started = thread::Builder::new()
            .name("capture".to_owned())
            .spawn(move || supervise(&source, &settings, &shared));
        if let Err(error) = &started {
            let why = format!("no thread could be started: {error}");
            newest.set_state(SourceState::Lost { why, retry_in: Duration::MAX });
        }
        Self { spec, newest, thread: started.ok() }
    }

    /// The newest frame with a number above `after` (0: any), after waiting at most `timeout`.
    #[must_use]
    pub fn newest(&self, after: u64, timeout: Duration) -> Option<Arc<Frame>> {
        self.newest.newest(after, timeout)
    }

    /// The state of the source.
    #[must_use]
    pub fn state(&self) -> SourceState {
        self.newest.state()
    }

    /// The last fault that did not stop the source, such as a damaged frame.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.newest.trouble()
    }

    /// The source.
    #[must_use]
    pub fn spec(&self) -> &SourceSpec {
        &self.spec
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        self.newest.stop();
        if let Some(thread) = self.thread.take() {
            // A panic has already been printed; nothing more can be done.
            let _ = thread.join();
        }
    }
}

fn supervise(spec: &SourceSpec, settings: &Settings, newest: &Arc<Newest>) {
    #[cfg(feature = "camera")]
    let mut hung = None;
    keep_going(settings, newest, || match spec {
        #[cfg(feature = "camera")]
        SourceSpec::Camera(wish) => super::grab::attempt(wish, settings, newest, &mut hung),
        #[cfg(not(feature = "camera"))]
        SourceSpec::Camera(_) => End::Failed(
            "this program was built without cameras: build it with the feature `camera`".to_owned(),
        ),
        SourceSpec::Folder(path) => folder::watch(path, newest),
        SourceSpec::Stream(address) => {
            match (ffmpeg::attempt(spec, settings, newest), address.advice()) {
                (End::Failed(why), Some(advice)) => End::Failed(format!("{why}; {advice}")),
                (end, _) => end,
            }
        }
        SourceSpec::File { .. } | SourceSpec::Screen(_) => ffmpeg::attempt(spec, settings, newest),
    });
}

/// Attempts the source again until it has ended or the capture stops.
fn keep_going(settings: &Settings, newest: &Newest, mut attempt: impl FnMut() -> End) {
    let mut pause = settings.pauses[0];
    loop {
        let before = newest.frames();
        // A decoder's panic on a damaged picture must not end the reading for the rest of the evening.
        let end = catch_unwind(AssertUnwindSafe(&mut attempt))
            .unwrap_or_else(|_| End::Failed("reading the source failed unexpectedly".to_owned()));
        let why = match end {
            End::Stopped => return,
            End::Ended => {
                newest.set_state(SourceState::Ended);
                return;
            }
            End::Failed(why) => why,
        };
        if newest.frames() > before {
            pause = settings.pauses[0];
        }
        newest.set_state(SourceState::Lost { why, retry_in: pause });
        if newest.pause(pause) {
            return;
        }
        pause = (2 * pause).min(settings.pauses[1]);
    }
}

/// Waits for a thread that is about to end; returns it if it does not end in time.
pub(super) fn finish(thread: JoinHandle<()>, within: Duration) -> Option<JoinHandle<()>> {
    let deadline = Instant::now() + within;
    while !thread.is_finished() {
        if Instant::now() > deadline {
            return Some(thread);
        }
        thread::sleep(Duration::from_millis(2));
    }
    let _ = thread.join();
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Picture;

    fn source() -> SourceSpec {
        "rtsp://camera.invalid/live".parse().unwrap()
    }

    type Attempt = fn(&Newest) -> End;

    /// The states after each of these attempts.
    fn states_after(attempts: &[Attempt]) -> Vec<SourceState> {
        let [first, longest] = [1, 4].map(Duration::from_millis);
        let settings = Settings { pauses: [first, longest], ..Settings::default() };
        let (newest, mut states) = (Newest::new(source()), Vec::new());
        let mut attempts = attempts.iter();
        keep_going(&settings, &newest, || {
            states.push(newest.state());
            attempts.next().map_or(End::Stopped, |attempt| attempt(&newest))
        });
        states.remove(0);
        states
    }

    fn lost(why: &str, ms: u64) -> SourceState {
        SourceState::Lost { why: why.to_owned(), retry_in: Duration::from_millis(ms) }
    }

    #[test]
    fn pauses_grow_up_to_the_longest_and_begin_again_once_a_frame_has_come() {
        let fails: Attempt = |_| End::Failed("gone".to_owned());
        let shows: Attempt = |newest| {
            let picture = Picture::from_rgb(image::RgbImage::new(32, 32)).unwrap();
            newest.show(picture, Instant::now());
            End::Failed("cut".to_owned())
        };
        let expected = [1, 2, 4, 4].map(|ms| lost("gone", ms));
        let states = states_after(&[fails, fails, fails, fails, shows, fails]);
        assert_eq!(states[..4], expected);
        assert_eq!(states[4..], [lost("cut", 1), lost("gone", 2)]);
    }

    #[test]
    fn a_decoder_that_panics_is_a_failure_like_any_other() {
        let states = states_after(&[|_| panic!("in the decoder")]);
        assert_eq!(states, [lost("reading the source failed unexpectedly", 1)]);
    }
}

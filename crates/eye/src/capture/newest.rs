//! Holds the newest frame of a source, which replaces the one before.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{Frame, SourceSpec, SourceState};
use crate::picture::Picture;

/// Weight of the last interval in the mean that gives the frame rate.
const RECENT: f32 = 0.1;

/// State shared by the threads of a capture.
pub(super) struct Newest {
    /// The source; messages about it are masked by its address.
    spec: SourceSpec,
    inner: Mutex<SharedState>,
    /// Notified of a frame, of a change of the state, and of the end.
    changed: Condvar,
}

struct SharedState {
    frame: Option<Arc<Frame>>,
    frames: u64,
    /// Mean interval between frames in seconds, within one attempt.
    interval: Option<f32>,
    last: Option<Instant>,
    state: SourceState,
    trouble: Option<String>,
    stop: bool,
}

impl Newest {
    pub fn new(spec: SourceSpec) -> Self {
        let inner = SharedState {
            frame: None,
            frames: 0,
            interval: None,
            last: None,
            state: SourceState::Starting,
            trouble: None,
            stop: false,
        };
        Self { spec, inner: Mutex::new(inner), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, SharedState> {
        // Every change leaves it consistent, so a panic elsewhere does no harm.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in a picture.
    pub fn show(&self, picture: Picture, at: Instant) {
        let mut inner = self.lock();
        if inner.stop {
            return;
        }
        if let Some(last) = inner.last {
            let passed = at.saturating_duration_since(last).as_secs_f32();
            inner.interval =
                Some(inner.interval.map_or(passed, |mean| mean + RECENT * (passed - mean)));
        }
        inner.last = Some(at);
        let fps = inner.interval.map_or(0.0, |interval| 1.0 / interval.max(1e-3));
        let (width, height) = (picture.width(), picture.height());
        inner.state = SourceState::Running { width, height, fps };
        inner.frames += 1;
        let number = inner.frames;
        inner.frame = Some(Arc::new(Frame { picture: Arc::new(picture), at, number }));
        drop(inner);
        self.changed.notify_all();
    }

    /// Sets a fault that does not stop the source, such as a frame that could not be decoded; `None` when it is
    /// gone.
    pub fn complain(&self, trouble: Option<String>) {
        self.lock().trouble = trouble.map(|trouble| self.mask(&trouble));
    }

    /// A text without the secrets of the source's address.
    pub fn mask(&self, text: &str) -> String {
        self.spec.mask(text)
    }

    pub fn trouble(&self) -> Option<String> {
        self.lock().trouble.clone()
    }

    pub fn set_state(&self, mut state: SourceState) {
        if let SourceState::Lost { why, .. } = &mut state {
            *why = self.spec.mask(why);
        }
        let mut inner = self.lock();
        inner.state = state;
        (inner.last, inner.interval) = (None, None);
        drop(inner);
        self.changed.notify_all();
    }

    pub fn state(&self) -> SourceState {
        self.lock().state.clone()
    }

    /// Frames so far.
    pub fn frames(&self) -> u64 {
        self.lock().frames
    }

    pub fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }

    pub fn is_stopped(&self) -> bool {
        self.lock().stop
    }

    /// The newest frame with a number above `after`, after waiting at most `timeout`.
    pub fn newest(&self, after: u64, timeout: Duration) -> Option<Arc<Frame>> {
        let newer = |inner: &SharedState| {
            inner.frame.as_ref().filter(|frame| frame.number > after).cloned()
        };
        let inner = self.wait(timeout, |inner| newer(inner).is_some() || inner.stop);
        newer(&inner)
    }

    /// Sleeps until the time is over or the capture stops; returns whether it stops.
    pub fn pause(&self, duration: Duration) -> bool {
        self.wait(duration, |inner| inner.stop).stop
    }

    fn wait(
        &self,
        timeout: Duration,
        enough: impl Fn(&SharedState) -> bool,
    ) -> MutexGuard<'_, SharedState> {
        let inner = self.lock();
        let waited = self.changed.wait_timeout_while(inner, timeout, |inner| !enough(inner));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

//! The one place where a frame waits: a newer one takes its place.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{Frame, SourceSpec, SourceState};
use crate::picture::Picture;

/// Weight of the last interval in the mean that gives the frame rate.
const RECENT: f32 = 0.1;

/// What the threads of a capture share.
pub(super) struct Newest {
    /// Whatever is said of the source is said without the secrets of its address.
    spec: SourceSpec,
    inner: Mutex<Inner>,
    /// A frame came, the state changed, or it is time to stop.
    changed: Condvar,
}

struct Inner {
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
        let inner = Inner {
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

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Every change leaves it whole, so a panic elsewhere does not spoil it.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A picture has come.
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

    /// What is wrong without stopping the source, such as a frame that could not be decoded; `None`
    /// once it is right again.
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

    /// The newest frame with a number above `after`, waited for no longer than `timeout`.
    pub fn newest(&self, after: u64, timeout: Duration) -> Option<Arc<Frame>> {
        let newer =
            |inner: &Inner| inner.frame.as_ref().filter(|frame| frame.number > after).cloned();
        let inner = self.wait(timeout, |inner| newer(inner).is_some() || inner.stop);
        newer(&inner)
    }

    /// Sleeps, or less when it is time to stop; whether it is.
    pub fn pause(&self, duration: Duration) -> bool {
        self.wait(duration, |inner| inner.stop).stop
    }

    fn wait(&self, timeout: Duration, enough: impl Fn(&Inner) -> bool) -> MutexGuard<'_, Inner> {
        let inner = self.lock();
        let waited = self.changed.wait_timeout_while(inner, timeout, |inner| !enough(inner));
        waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

//! Figures for whoever watches the server, in Prometheus' text form.

use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// What is counted.
pub(super) struct Metrics {
    registry: Registry,
    /// Frames that were looked at.
    pub frames: Counter,
    /// States that were made.
    pub states: Counter,
    /// Pages that are connected.
    pub pages: Gauge,
    /// Photos that were read.
    pub photos: Counter,
    /// Requests that were refused.
    pub refused: Counter,
    /// From a frame's coming to the state that shows it, in seconds.
    pub frame_to_state: Histogram,
}

impl Default for Metrics {
    fn default() -> Self {
        let bounds = [0.005, 0.01, 0.02, 0.03, 0.04, 0.06, 0.08, 0.12, 0.2, 0.5, 1.0, 2.0];
        let mut registry = Registry::with_prefix("tilelens");
        let (frames, states, photos, refused) =
            (Counter::default(), Counter::default(), Counter::default(), Counter::default());
        let pages = Gauge::default();
        let frame_to_state = Histogram::new(bounds);
        registry.register("frames", "Frames that were looked at", frames.clone());
        registry.register("states", "States that were made", states.clone());
        registry.register("pages", "Pages that are connected", pages.clone());
        registry.register("photos", "Photos that were read", photos.clone());
        registry.register("refused", "Requests that were refused", refused.clone());
        let about = "Seconds from a frame's coming to the state that shows it";
        registry.register("frame_to_state_seconds", about, frame_to_state.clone());
        Self { registry, frames, states, pages, photos, refused, frame_to_state }
    }
}

impl Metrics {
    /// All of it as text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

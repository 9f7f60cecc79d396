//! Metrics of the server, as OpenMetrics or in Prometheus' older text form.

use axum::http::HeaderValue;
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};

/// The metrics.
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

/// A form in which scrapers take figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// OpenMetrics 1.0, for clients that accept it.
    OpenMetrics,
    /// Prometheus' text form 0.0.4, which all read.
    Text,
}

impl Form {
    /// The form for these headers of `Accept`.
    pub fn accepted<'a>(accept: impl IntoIterator<Item = &'a HeaderValue>) -> Self {
        let names = |header: &HeaderValue| {
            header.to_str().is_ok_and(|kinds| kinds.contains("application/openmetrics-text"))
        };
        if accept.into_iter().any(names) { Self::OpenMetrics } else { Self::Text }
    }

    pub const fn content_type(self) -> &'static str {
        match self {
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
            Self::Text => "text/plain; version=0.0.4; charset=utf-8",
        }
    }
}

impl Metrics {
    /// All of it as text.
    pub fn text(&self, form: Form) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        match form {
            Form::OpenMetrics => text,
            Form::Text => plain(&text),
        }
    }
}

/// OpenMetrics in the older form: there a counter's lines of help and type name it with the `_total` that its values
/// have, and the end is not marked.
fn plain(open: &str) -> String {
    let counters: Vec<&str> = (open.lines())
        .filter_map(|line| line.strip_prefix("# TYPE ")?.strip_suffix(" counter"))
        .collect();
    let mut plain = String::new();
    for line in open.lines().filter(|line| *line != "# EOF") {
        let about = line.strip_prefix("# ").and_then(|line| line.split_once(' '));
        let about = about.and_then(|(what, line)| Some((what, line.split_once(' ')?)));
        match about {
            Some((what, (name, rest))) if counters.contains(&name) => {
                plain.push_str(&format!("# {what} {name}_total {rest}"));
            }
            _ => plain.push_str(line),
        }
        plain.push('\n');
    }
    plain
}

//! The face of one tile over time: probabilities accumulated over frames, and the face that is shown.
//!
//! Views are pooled by the mean of their logarithms, and recent ones count more. Frames of a still table have the
//! same light and the same scratches, so equal views do not make a face surer than one of them.

use std::time::Duration;

use crate::{
    sight::{Corners, SeenTile, quad},
    tile::Face,
};

/// Number of classes: faces, then the back, then no tile.
const CLASSES: usize = Face::COUNT + 2;
const BACK: usize = Face::COUNT;
/// Time constant with which views lose weight, in seconds.
const MEMORY: f32 = 0.45;
/// Least probability that a single view gives a class.
const FLOOR: f32 = 1e-4;
/// Least probability of the shown face, as a share of the likeliest one's, in a view that may show it.
const MAY_BE: f32 = 0.05;
/// Ratio of probabilities by which another face has to lead for [`LASTING`] to replace the shown one.
const LEADS: f32 = 1.25;
/// Time for which another face has to lead by [`LEADS`].
const LASTING: Duration = Duration::from_millis(1500);
/// Least probability of another face that replaces the shown one after [`BRIEFLY`].
const CLEAR: f32 = 0.6;
/// Ratio of probabilities by which such a clear face has to lead.
const CLEARLY: f32 = 4.0;
/// Time for which such a clear face has to lead.
const BRIEFLY: Duration = Duration::from_millis(300);
/// Number of first views in which any lead is enough.
const FIRST: u32 = 8;

/// The accumulated views of one tile.
#[derive(Clone, Debug)]
pub(super) struct FaceEvidence {
    logs: [f32; CLASSES],
    /// Probabilities that the logarithms give; their sum is one.
    classes: [f32; CLASSES],
    turns: [f32; 4],
    red: f32,
    found: f32,
    /// Number of views so far.
    views: u32,
    shown: usize,
    /// Another class that is clearly likelier, and since when.
    rival: Option<(usize, Duration)>,
}

impl FaceEvidence {
    /// The first view. `start`: the corner of the track's quad that is the seen tile's first.
    pub fn new(seen: &SeenTile, start: usize) -> Self {
        let logs = classes(seen).map(log);
        let classes = normalised(logs);
        Self {
            logs,
            classes,
            turns: turned(seen, start).map(log),
            red: seen.red,
            found: seen.found,
            views: 1,
            shown: best(&classes),
            rival: None,
        }
    }

    /// Adds a view, `passed` seconds after the one before. Returns, where the shown face changes, since when the
    /// new one has been likelier.
    pub fn add(
        &mut self,
        seen: &SeenTile,
        start: usize,
        passed: f32,
        at: Duration,
    ) -> Option<Duration> {
        self.views = self.views.saturating_add(1);
        let share = (1.0 / self.views as f32).max(1.0 - (-passed / MEMORY).exp());
        // A view that hardly shows a tile counts little.
        let share = share * seen.found.clamp(0.2, 1.0);
        let mix = |sum: &mut f32, new: f32| *sum += share * (new - *sum);
        for (sum, p) in self.logs.iter_mut().zip(classes(seen)) {
            mix(sum, log(p));
        }
        self.classes = normalised(self.logs);
        for (sum, p) in self.turns.iter_mut().zip(turned(seen, start)) {
            mix(sum, log(p));
        }
        mix(&mut self.red, seen.red);
        mix(&mut self.found, seen.found);
        self.decide(at)
    }

    fn decide(&mut self, at: Duration) -> Option<Duration> {
        let likeliest = best(&self.classes);
        let (rival, shown) = (self.classes[likeliest], self.classes[self.shown]);
        let since = match self.rival {
            _ if likeliest == self.shown => None,
            // After it has led by enough it stays a rival while it leads at all: the shown face is in dispute,
            // and the table does not settle.
            Some((rival, since)) if rival == likeliest => Some(since),
            _ => (rival >= LEADS * shown).then_some(at),
        };
        let Some(since) = since else {
            self.rival = None;
            return None;
        };
        self.rival = Some((likeliest, since));
        let lasting = at.saturating_sub(since);
        let clear = rival >= CLEAR && rival >= CLEARLY * shown;
        if self.views > FIRST && lasting < LASTING && !(clear && lasting >= BRIEFLY) {
            return None;
        }
        (self.shown, self.rival) = (likeliest, None);
        Some(since)
    }

    /// The tile was turned where it lies: its earlier turns no longer count.
    pub fn turn(&mut self, seen: &SeenTile, start: usize) {
        self.turns = turned(seen, start).map(log);
    }

    /// The probability of a tile.
    pub fn found(&self) -> f32 {
        self.found
    }

    /// The number of frames in which it was seen.
    pub fn views(&self) -> u32 {
        self.views
    }

    /// Whether another face is about to replace the shown one.
    pub fn is_contested(&self) -> bool {
        self.rival.is_some()
    }

    /// Whether a seen tile may show the shown face.
    pub fn is_shown_by(&self, seen: &SeenTile) -> bool {
        let seen = classes(seen);
        seen[self.shown] >= MAY_BE * seen[best(&seen)]
    }

    /// Agreement of a seen tile with the accumulated face, 0-1.
    pub fn agrees(&self, seen: &SeenTile) -> f32 {
        let other = classes(seen);
        self.classes.iter().zip(other).map(|(a, b)| (a * b).sqrt()).sum()
    }

    /// The accumulated tile, in the given place.
    pub fn tile(&self, place: &Corners) -> SeenTile {
        let mut classes = self.classes;
        let likeliest = best(&classes);
        if likeliest != self.shown {
            // Not clear enough for a change, and no longer clear: both get equal shares, the shown one first.
            let both = (classes[likeliest] + classes[self.shown]) / 2.0;
            classes[likeliest] = both * 0.999;
            classes[self.shown] = both * 1.001;
        }
        let turns = normalised(self.turns);
        let start = best(&turns);
        let mut faces = [0.0; Face::COUNT];
        faces.copy_from_slice(&classes[..Face::COUNT]);
        SeenTile {
            corners: quad::from_corner(place, start),
            found: self.found,
            faces,
            back: classes[BACK],
            reject: classes[BACK + 1],
            red: self.red,
            turns: [0, 1, 2, 3].map(|k| turns[(k + start) % 4]),
        }
    }
}

fn classes(seen: &SeenTile) -> [f32; CLASSES] {
    let mut classes = [0.0; CLASSES];
    classes[..Face::COUNT].copy_from_slice(&seen.faces);
    classes[BACK] = seen.back;
    classes[BACK + 1] = seen.reject;
    classes
}

/// Turns counted from the track's first corner. `start`: the track's corner that is the seen tile's first.
fn turned(seen: &SeenTile, start: usize) -> [f32; 4] {
    let mut turns = [0.0; 4];
    for (k, p) in seen.turns.iter().enumerate() {
        turns[(k + start) % 4] = *p;
    }
    turns
}

fn log(p: f32) -> f32 {
    // NaN counts as unknown.
    if p.is_nan() { FLOOR.ln() } else { p.clamp(FLOOR, 1.0).ln() }
}

fn normalised<const N: usize>(logs: [f32; N]) -> [f32; N] {
    let most = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exp = logs.map(|log| (log - most).exp());
    let sum: f32 = exp.iter().sum();
    exp.map(|e| e / sum)
}

fn best(values: &[f32]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0)
}

//! What is known of one tile's face: probabilities accumulated over frames, and the face that is shown.
//!
//! Views are pooled by the mean of their logarithms, recent ones counting more. Frames of a table
//! that lies still show the same light and the same scratch, so many equal views make a face no
//! surer than one of them.

use std::time::Duration;

use crate::{
    sight::{Corners, SeenTile, quad},
    tile::Face,
};

/// Faces, then the back, then what is no tile.
const CLASSES: usize = Face::COUNT + 2;
const BACK: usize = Face::COUNT;
/// Views lose weight with this time constant, in seconds.
const MEMORY: f32 = 0.45;
/// A single view says no more than this against a class.
const FLOOR: f32 = 1e-4;
/// A view in which the face that is shown has less than this share of the likeliest one's probability shows
/// something else.
const MAY_BE: f32 = 0.05;
/// The face that is shown changes when another one leads, once by so many times its probability,
const LEADS: f32 = 1.25;
/// for so long,
const LASTING: Duration = Duration::from_millis(1500);
/// or sooner where it is at least this probable,
const CLEAR: f32 = 0.6;
/// leads by so many times,
const CLEARLY: f32 = 4.0;
/// for so long.
const BRIEFLY: Duration = Duration::from_millis(300);
/// In the first views any lead will do.
const FIRST: u32 = 8;

/// The accumulated views of one tile.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    logs: [f32; CLASSES],
    /// What the logarithms come to: sums to one.
    classes: [f32; CLASSES],
    turns: [f32; 4],
    red: f32,
    found: f32,
    /// Views so far.
    views: u32,
    shown: usize,
    /// Another class that has been clearly likelier, since when.
    rival: Option<(usize, Duration)>,
}

impl Evidence {
    /// The first view. `start`: which corner of the track's quad is the seen tile's first.
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

    /// Another view, `passed` seconds after the one before. Where the shown face changes with it:
    /// since when the new one has been the likelier.
    pub fn add(
        &mut self,
        seen: &SeenTile,
        start: usize,
        passed: f32,
        at: Duration,
    ) -> Option<Duration> {
        self.views = self.views.saturating_add(1);
        let share = (1.0 / self.views as f32).max(1.0 - (-passed / MEMORY).exp());
        // A view that hardly shows a tile hardly counts.
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
            // Once it has led by enough it is a rival for as long as it leads at all: what is shown
            // meanwhile is in dispute, and nothing settles with it.
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

    /// The tile was turned where it lies: how it was turned before says nothing any more.
    pub fn turn(&mut self, seen: &SeenTile, start: usize) {
        self.turns = turned(seen, start).map(log);
    }

    /// How surely it was found.
    pub fn found(&self) -> f32 {
        self.found
    }

    /// How many frames it was seen in.
    pub fn views(&self) -> u32 {
        self.views
    }

    /// Whether another face is about to take the place of the shown one.
    pub fn is_contested(&self) -> bool {
        self.rival.is_some()
    }

    /// Whether what is seen may be the face that is shown.
    pub fn is_shown_by(&self, seen: &SeenTile) -> bool {
        let seen = classes(seen);
        seen[self.shown] >= MAY_BE * seen[best(&seen)]
    }

    /// How much what is seen speaks for the same face: 0-1.
    pub fn agrees(&self, seen: &SeenTile) -> f32 {
        let other = classes(seen);
        self.classes.iter().zip(other).map(|(a, b)| (a * b).sqrt()).sum()
    }

    /// The tile as accumulated, in the place given.
    pub fn tile(&self, place: &Corners) -> SeenTile {
        let mut classes = self.classes;
        let likeliest = best(&classes);
        if likeliest != self.shown {
            // Not clear enough for a change, and no longer clear: both alike, the shown one first.
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

/// Turns counted from the track's first corner. `start`: the track's corner that is the seen first.
fn turned(seen: &SeenTile, start: usize) -> [f32; 4] {
    let mut turns = [0.0; 4];
    for (k, p) in seen.turns.iter().enumerate() {
        turns[(k + start) % 4] = *p;
    }
    turns
}

fn log(p: f32) -> f32 {
    // Not a number counts as nothing known.
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

//! What lies on the table, as one picture shows it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{picture::Picture, sight::SeenTile, tileset::SetName};

/// A corner that has moved less, in pixels, has not moved.
pub(super) const STIRRED: f32 = 4.0;

/// The likeliest face of a tile; `None` for a back.
pub(super) fn face(tile: &SeenTile) -> Option<usize> {
    let (best, p) = tile.faces.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    (tile.back < *p).then_some(best)
}

/// Whether a tile lies elsewhere, by more than so many pixels.
pub(super) fn stirred(before: &SeenTile, now: &SeenTile, pixels: f32) -> bool {
    let moved = |from: [f32; 2], to: [f32; 2]| (from[0] - to[0]).hypot(from[1] - to[1]);
    before.corners.iter().zip(now.corners).any(|(from, to)| moved(*from, to) > pixels)
}

/// What lies on the table, as a camera or a photo shows it.
#[derive(Clone)]
pub struct Look {
    /// The picture.
    pub picture: Arc<Picture>,
    /// When it came, or was looked at again.
    pub at: Instant,
    /// Its tiles.
    pub tiles: Vec<SeenTile>,
    /// For each tile a number that stays with it while it lies there.
    pub ids: Vec<u64>,
    /// For each tile how long it has not been seen, as of this picture; empty where all of them are seen.
    pub unseen: Vec<Duration>,
    /// Whether it all lies still.
    pub settled: bool,
    /// Counts changes of the tiles.
    pub changed: u64,
    /// The user's tile set that had a say in it.
    pub tileset: Option<SetName>,
}

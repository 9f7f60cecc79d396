//! One picture with its tiles, each with a number that tracks it.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use crate::{page::reading::numbers, picture::Picture, sight::SeenTile, tileset::SetName};

/// The largest movement of a corner that still counts as noise, in pixels.
pub(super) const STIRRED: f32 = 4.0;

/// The likeliest face of a tile; `None` for a back.
pub(super) fn face(tile: &SeenTile) -> Option<usize> {
    let (best, p) = tile.faces.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    (tile.back < *p).then_some(best)
}

/// Whether a corner of a tile has moved by more than `pixels`.
pub(super) fn stirred(before: &SeenTile, now: &SeenTile, pixels: f32) -> bool {
    let moved = |from: [f32; 2], to: [f32; 2]| (from[0] - to[0]).hypot(from[1] - to[1]);
    before.corners.iter().zip(now.corners).any(|(from, to)| moved(*from, to) > pixels)
}

/// A picture of a camera or a photo, with its tracked tiles.
#[derive(Clone)]
pub struct TrackedPicture {
    /// The picture.
    pub picture: Arc<Picture>,
    /// When it arrived or was read again.
    pub at: Instant,
    /// Its tiles.
    pub tiles: Vec<SeenTile>,
    /// For each tile the number that it keeps while it stays on the table.
    pub ids: Vec<u64>,
    /// For each tile how long it has been hidden; empty if all are seen.
    pub unseen: Vec<Duration>,
    /// Whether no tile moves.
    pub settled: bool,
    /// The number of changes of the tiles so far.
    pub changed: u64,
    /// The user's tile set that influenced the reading.
    pub tileset: Option<SetName>,
}

impl TrackedPicture {
    /// What a photo's reading says of tiles, by the numbers that track them: no two photos share one.
    pub(super) fn by_tracking<T>(&self, of_photo: Vec<(u64, T)>) -> Vec<(u64, T)> {
        let numbers = numbers(&self.tiles);
        let id = |number| Some(self.ids[numbers.iter().position(|other| *other == number)?]);
        of_photo.into_iter().filter_map(|(number, of)| Some((id(number)?, of))).collect()
    }
}

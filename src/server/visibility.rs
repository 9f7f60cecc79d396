//! Whether the last shown tiles are still in sight, in doubt, or gone. A removed hand must leave the viewers' pages,
//! however long the picture takes to settle again.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::tracked_picture::{TrackedPicture, face};

/// A tile that has been hidden for this time is in doubt; a passing arm takes less.
const DOUBT: Duration = Duration::from_secs(1);
/// A tile that has been hidden for this time is gone. Viewers are promised five seconds; the rest is for the next frame
/// and the transfer to the page.
const GONE: Duration = Duration::from_millis(4500);

/// The visibility of shown tiles, best first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Visibility {
    /// Seen now or a moment ago.
    #[default]
    Seen,
    /// Not seen for a while, or covered.
    Doubtful,
    /// Removed, or hidden for too long.
    Gone,
}

/// One shown tile.
struct WatchedTile {
    face: Option<usize>,
    /// When it was last seen with this face.
    seen: Instant,
    /// Something may cover it: it is followed and not seen.
    followed: bool,
}

/// The tiles that were shown, by their numbers.
#[derive(Default)]
pub(super) struct VisibilityTracker {
    tiles: BTreeMap<u64, WatchedTile>,
    now: Option<Instant>,
}

impl VisibilityTracker {
    /// Watches the tiles of a settled picture. Tiles already watched with the same face keep their last time of sight.
    pub fn watch(&mut self, settled: &TrackedPicture) {
        let mut before = std::mem::take(&mut self.tiles);
        for (id, tile) in settled.ids.iter().zip(&settled.tiles) {
            let face = face(tile);
            let known = before.remove(id).filter(|known| known.face == face);
            let new = || WatchedTile { face, seen: settled.at, followed: true };
            self.tiles.insert(*id, known.unwrap_or_else(new));
        }
        self.now = Some(settled.at);
    }

    /// Takes a picture in, settled or not.
    pub fn see(&mut self, tracked: &TrackedPicture) {
        self.now = Some(tracked.at);
        self.tiles.values_mut().for_each(|watched| watched.followed = false);
        for (place, (id, tile)) in tracked.ids.iter().zip(&tracked.tiles).enumerate() {
            let Some(watched) = self.tiles.get_mut(id) else { continue };
            if watched.face != face(tile) {
                continue;
            }
            watched.followed = true;
            let unseen = tracked.unseen.get(place).copied().unwrap_or_default();
            if let Some(seen) = tracked.at.checked_sub(unseen) {
                watched.seen = watched.seen.max(seen);
            }
        }
    }

    /// The visibility of tiles that were shown together. If one of them is no longer followed, or has another face, the
    /// hand is gone; also if most of them have been hidden too long.
    pub fn of(&self, ids: impl Iterator<Item = u64>) -> Visibility {
        let (mut count, mut hidden, mut worst) = (0usize, 0usize, Visibility::Seen);
        for watched in ids.filter_map(|id| self.tiles.get(&id)) {
            count += 1;
            let unseen =
                self.now.map_or(Duration::ZERO, |now| now.saturating_duration_since(watched.seen));
            if unseen >= GONE && !watched.followed {
                return Visibility::Gone;
            }
            hidden += usize::from(unseen >= GONE);
            if unseen >= DOUBT {
                worst = Visibility::Doubtful;
            }
        }
        if 2 * hidden > count { Visibility::Gone } else { worst }
    }
}

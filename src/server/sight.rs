//! Whether the tiles that a source last showed still lie there: in sight, in doubt, or gone. Viewers are not
//! to see a hand that was taken away, however long the picture takes to settle again.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use super::look::{Look, face};

/// A tile that has not been seen for this long is in doubt: an arm that only passes takes less.
const DOUBT: Duration = Duration::from_secs(1);
/// One that has not been seen for this long is gone. Viewers are promised five seconds; the rest is for the
/// next frame and the way to the page.
const GONE: Duration = Duration::from_millis(4500);

/// Whether something that was shown still lies there, the better first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sight {
    /// It is seen, or was a moment ago.
    #[default]
    Seen,
    /// It has not been seen for a while, or is covered.
    Doubtful,
    /// It lies there no more, or cannot be vouched for any longer.
    Gone,
}

/// One tile of what was shown.
struct Watched {
    face: Option<usize>,
    /// When it was last seen with this face.
    seen: Instant,
    /// Something may cover it: it is followed and not seen.
    followed: bool,
}

/// The tiles that were shown, by their numbers.
#[derive(Default)]
pub(super) struct InSight {
    tiles: BTreeMap<u64, Watched>,
    now: Option<Instant>,
}

impl InSight {
    /// Watches the tiles of a look that has settled from now on. Tiles that were watched with the same face
    /// were last seen when they were.
    pub fn watch(&mut self, settled: &Look) {
        let mut before = std::mem::take(&mut self.tiles);
        for (id, tile) in settled.ids.iter().zip(&settled.tiles) {
            let face = face(tile);
            let known = before.remove(id).filter(|known| known.face == face);
            let new = || Watched { face, seen: settled.at, followed: true };
            self.tiles.insert(*id, known.unwrap_or_else(new));
        }
        self.now = Some(settled.at);
    }

    /// Takes a look in, settled or not.
    pub fn see(&mut self, look: &Look) {
        self.now = Some(look.at);
        self.tiles.values_mut().for_each(|watched| watched.followed = false);
        for (place, (id, tile)) in look.ids.iter().zip(&look.tiles).enumerate() {
            let Some(watched) = self.tiles.get_mut(id) else { continue };
            if watched.face != face(tile) {
                continue;
            }
            watched.followed = true;
            let unseen = look.unseen.get(place).copied().unwrap_or_default();
            if let Some(seen) = look.at.checked_sub(unseen) {
                watched.seen = watched.seen.max(seen);
            }
        }
    }

    /// Whether tiles that were shown together still lie there. Where one of them is no longer followed, or
    /// another face is seen in its place, it is another hand; where most of them are covered for as long,
    /// nobody knows what lies there.
    pub fn of(&self, ids: impl Iterator<Item = u64>) -> Sight {
        let (mut count, mut hidden, mut worst) = (0usize, 0usize, Sight::Seen);
        for watched in ids.filter_map(|id| self.tiles.get(&id)) {
            count += 1;
            let unseen =
                self.now.map_or(Duration::ZERO, |now| now.saturating_duration_since(watched.seen));
            if unseen >= GONE && !watched.followed {
                return Sight::Gone;
            }
            hidden += usize::from(unseen >= GONE);
            if unseen >= DOUBT {
                worst = Sight::Doubtful;
            }
        }
        if 2 * hidden > count { Sight::Gone } else { worst }
    }
}

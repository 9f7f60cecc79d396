//! How the places of tiles look: whether one that the reader does not see lies there still.

use std::{collections::HashMap, time::Duration};

use crate::vision::{Corners, Picture, SAMPLES, look, same_look};

/// A place that has looked the same for so long is still.
const STILL: Duration = Duration::from_millis(300);
/// A tile is looked for so many pixels beside its place: the movement of all tiles together is known
/// to about that.
const BESIDE: f32 = 2.0;

type Samples = [f32; SAMPLES * SAMPLES];

/// The places of the tiles that are followed.
#[derive(Default)]
pub(super) struct Places(HashMap<u64, Known>);

struct Known {
    /// When the tile was seen and nothing moved over it.
    with_tile: Samples,
    /// Since it last changed.
    recent: Samples,
    since: Duration,
}

/// How a place looks in which a tile was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Looks {
    /// As it did with the tile.
    AsWithTile,
    /// It changes.
    Changing,
    /// Nothing changes, and it is not as it was with the tile.
    Otherwise,
}

impl Places {
    /// Takes a frame in: each tile's number, where it lies, whether it is seen.
    pub fn watch(
        &mut self,
        picture: &Picture,
        tiles: impl Iterator<Item = (u64, Corners, bool)>,
        at: Duration,
    ) {
        let mut before = std::mem::take(&mut self.0);
        for (id, corners, seen) in tiles {
            let now = look(picture, &corners);
            let known = match before.remove(&id) {
                None => Known { with_tile: now, recent: now, since: at },
                Some(known) if !same_look(&known.recent, &now) => {
                    Known { recent: now, since: at, ..known }
                }
                Some(known) if seen && at.saturating_sub(known.since) >= STILL => {
                    Known { with_tile: now, ..known }
                }
                Some(known) => known,
            };
            self.0.insert(id, known);
        }
    }

    /// How the place of a tile looks in a frame.
    pub fn looks(&self, picture: &Picture, id: u64, place: &Corners, at: Duration) -> Looks {
        let Some(known) = self.0.get(&id) else { return Looks::Changing };
        let now = look(picture, place);
        let beside = || {
            let steps = [-BESIDE, 0.0, BESIDE];
            let shifts = steps.into_iter().flat_map(move |x| steps.map(|y| [x, y]));
            shifts.map(|[x, y]| place.map(|[u, v]| [u + x, v + y]))
        };
        if same_look(&known.with_tile, &now)
            || beside().any(|place| same_look(&known.with_tile, &look(picture, &place)))
        {
            Looks::AsWithTile
        } else if same_look(&known.recent, &now) && at.saturating_sub(known.since) >= STILL {
            Looks::Otherwise
        } else {
            Looks::Changing
        }
    }
}

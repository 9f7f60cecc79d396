//! The discards before one player. A tile that was nudged, put straight or lost from sight stays the same discard.

use std::{collections::BTreeMap, time::Duration};

use super::rest::{HIDDEN, Resting, Spot};
use crate::tile::SeenFace;

/// Distance from its place, in short sides, at which a discard no longer lies there.
const TAKEN: f32 = 1.5;
/// Largest distance, in short sides, of a discard that is followed again from where it lay.
const NEAR: f32 = 2.0;
/// The same for one with another face, and the longest time between: two tiles that lie there are farther apart.
const SAME_PLACE: f32 = 0.8;
const LATELY: Duration = Duration::from_millis(1500);
/// Time out of sight after which a discard that goes may still lie there, under an arm.
const LOST: Duration = Duration::from_secs(3);
/// Time for which a discard has to show another face before it is corrected.
const CORRECTED: Duration = Duration::from_millis(1500);

/// A discard.
#[derive(Clone, Debug)]
pub(super) struct PondTile {
    id: u64,
    spot: Spot,
    pub face: SeenFace,
    pub confidence: f32,
    pub sideways: bool,
    /// Since when it no longer lies there.
    gone: Option<Duration>,
    hidden: bool,
    /// For how long it had been out of sight when it was last followed.
    unseen: Duration,
    /// The number of its event in the deal, once it was written.
    pub event: Option<usize>,
    /// Whether a set has it.
    pub claimed: bool,
}

impl PondTile {
    /// Whether a tile that lies still is where this one is still followed.
    fn is_at(&self, rest: &Resting) -> bool {
        self.gone.is_none() && self.spot.away(rest.spot.at) <= SAME_PLACE
    }

    /// Whether it is seen where it was put.
    pub const fn lies_there(&self) -> bool {
        self.gone.is_none() && !self.hidden
    }

    /// Whether it was taken away, as far as can be seen.
    pub const fn is_gone(&self) -> bool {
        self.gone.is_some()
    }

    /// Whether its place was seen to be bare, and it is not just lost from sight.
    pub fn was_taken(&self) -> bool {
        self.gone.is_some() && self.unseen < LOST
    }

    /// The time since which it is gone.
    pub fn gone_for(&self, now: Duration) -> Duration {
        self.gone.map_or(Duration::ZERO, |gone| now.saturating_sub(gone))
    }
}

/// What is new about a player's discards.
pub(super) enum PondNews {
    /// A discard, by its place in the pond, and since when it lies there.
    Discarded(usize, Duration),
    /// Another face of a discard.
    Corrected(usize),
}

/// A player's discards, claimed ones included, in order of appearance.
#[derive(Debug, Default)]
pub(super) struct Pond(pub Vec<PondTile>);

impl Pond {
    /// Takes in where all tiles are, and this player's discards that lie still, each with whether it lies sideways.
    pub fn take(
        &mut self,
        spots: &BTreeMap<u64, Spot>,
        resting: &[(Resting, bool)],
        now: Duration,
    ) -> Vec<PondNews> {
        let mut news = Vec::new();
        for (rest, sideways) in resting {
            let known = self.0.iter().position(|tile| tile.id == rest.id);
            match known.or_else(|| self.lost(rest, now)) {
                // Two tiles do not lie in one place: something covers the one that is known, or it is misread.
                None if self.0.iter().any(|tile| tile.is_at(rest)) => {}
                Some(place) => {
                    let tile = &mut self.0[place];
                    // A part of it, beside an arm, is smaller.
                    let short = tile.spot.short.max(rest.spot.short);
                    (tile.id, tile.spot) = (rest.id, Spot { short, ..rest.spot });
                    if tile.event.is_none() {
                        (tile.face, tile.sideways) = (rest.face, *sideways);
                    }
                    let corrects = matches!(rest.face, SeenFace::Tile(_))
                        && now.saturating_sub(rest.since) >= CORRECTED;
                    if tile.face == rest.face || corrects {
                        tile.confidence = rest.confidence;
                    }
                    if tile.face != rest.face && corrects {
                        tile.face = rest.face;
                        news.push(PondNews::Corrected(place));
                    }
                }
                None => {
                    self.0.push(PondTile {
                        id: rest.id,
                        spot: rest.spot,
                        face: rest.face,
                        confidence: rest.confidence,
                        sideways: *sideways,
                        gone: None,
                        hidden: false,
                        unseen: Duration::ZERO,
                        event: None,
                        claimed: false,
                    });
                    news.push(PondNews::Discarded(self.0.len() - 1, rest.since));
                }
            }
        }
        for tile in &mut self.0 {
            match spots.get(&tile.id) {
                Some(spot) if spot.away(tile.spot.at) <= TAKEN => {
                    (tile.gone, tile.hidden) = (None, spot.unseen >= HIDDEN);
                    tile.unseen = spot.unseen;
                }
                _ => drop(tile.gone.get_or_insert(now)),
            }
        }
        news
    }

    /// The discard that is followed again as this tile.
    fn lost(&self, rest: &Resting, now: Duration) -> Option<usize> {
        let is_lost = |tile: &PondTile| {
            // In its own sides: a part of a tile is smaller.
            let away = tile.spot.away(rest.spot.at);
            let is_found = tile.gone.is_some_and(|gone| {
                let lately = away <= SAME_PLACE && now.saturating_sub(gone) <= LATELY;
                !tile.claimed && (lately || (away <= NEAR && tile.face == rest.face))
            });
            is_found || (tile.is_at(rest) && tile.face == rest.face)
        };
        self.0.iter().rposition(is_lost)
    }

    /// The last discard of a face that was taken away and is in no set.
    pub fn taken(&self, face: SeenFace) -> Option<usize> {
        let is_taken = |tile: &PondTile| tile.face == face && tile.is_gone() && !tile.claimed;
        self.0.iter().rposition(is_taken)
    }

    /// The number of discards in no set, of those that still lie there, and of those that are seen there.
    pub fn count(&self) -> [usize; 3] {
        let own = || self.0.iter().filter(|tile| !tile.claimed);
        let left = own().filter(|tile| !tile.is_gone()).count();
        [own().count(), left, own().filter(|tile| tile.lies_there()).count()]
    }
}

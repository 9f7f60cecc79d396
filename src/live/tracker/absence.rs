//! Tiles that are not seen: gone, or under something?

use std::time::Duration;

use super::{Place, SETTLED, Track, Tracker, distance, is_part};
use crate::{
    live::motion::Mark,
    sight::{
        Corners,
        quad::{centre, overlap, sides},
    },
};

/// Two tiles do not share more than this of both: where another lies, the one before is gone.
const SHARED: f32 = 0.12;
/// A tile that is seen in another one's place in so many frames lies there.
const OFTEN: u32 = 6;
/// One that is not yet believed in is forgotten when it is not seen for so long.
const FORGOTTEN: Duration = Duration::from_millis(300);
/// When a tile has gone, nothing is settled for so long.
const AFTER_LEAVING: Duration = Duration::from_millis(300);
/// Tiles nearer than this, in long sides, are neighbours.
const NEIGHBOURS: f32 = 1.5;
/// Seconds for which a place has to be seen empty: where another tile lies there now,
const OTHER_THERE: f32 = 0.4;
/// where its surroundings are as they were with the tile,
const BARE: f32 = 0.3;
/// where they are not: a hand may rest there,
const COVERED: f32 = 4.0;
/// and where nothing but the tiles tells: its neighbours are seen,
const ALONE: f32 = 0.9;
/// a few tiles are missing together between others that are seen,
const FEW: f32 = 1.5;
/// many are missing together.
const MANY: f32 = 8.0;
/// Seconds for tiles of a hand in whose stead another hand lies there.
const REPLACED: f32 = 0.5;
/// What has been seen for no longer than this is new.
const NEW: Duration = Duration::from_millis(2500);
/// Most of the tiles are missing: more than this share; and so many new ones, of those missing, are
/// seen.
const MOST: f32 = 0.5;
/// A few tiles.
const A_FEW: usize = 3;

impl Tracker {
    /// Weighs for each track that was not seen whether it is gone or covered.
    pub(super) fn judge_missing(
        &mut self,
        seen: &[Mark],
        step: f32,
        at: Duration,
        look: &impl Fn(u64, &Corners) -> Option<Place>,
    ) {
        let missing: Vec<usize> = (0..self.tracks.len())
            .filter(|k| self.tracks[*k].believed && self.tracks[*k].last < at)
            .collect();
        let replaced = self.is_replaced(&missing, at);
        for group in self.groups(&missing) {
            let beside = self.seen_beside(&group, at);
            for &number in &group {
                let (taken, outdone) = self.taken(number, at);
                let track = &mut self.tracks[number];
                let other = seen.iter().any(|mark| {
                    overlap(&track.corners, &mark.corners)[0] > SHARED
                        && !is_part(&mark.corners, &track.corners)
                });
                let needed = match (look(track.id, &track.corners), group.len()) {
                    _ if outdone => OTHER_THERE,
                    (Some(Place::AsBefore), _) => {
                        (track.last, track.vouched, track.empty) = (at, at, 0.0);
                        continue;
                    }
                    _ if replaced => REPLACED,
                    _ if taken => OTHER_THERE,
                    (Some(Place::Moving), _) => continue,
                    _ if other => OTHER_THERE,
                    (Some(Place::Covered), _) => COVERED,
                    (Some(Place::Bare), _) => BARE,
                    (None, 1) if beside >= 1 => ALONE,
                    (None, 2..=A_FEW) if beside >= 2 => FEW,
                    (None, _) => MANY,
                };
                track.empty += step / needed;
            }
        }
        let (tracks, gone): (Vec<Track>, Vec<Track>) =
            std::mem::take(&mut self.tracks).into_iter().partition(|track| {
                let missed = at.saturating_sub(track.last);
                if track.believed { track.empty < 1.0 } else { missed <= FORGOTTEN }
            });
        self.tracks = tracks;
        let lately = at.saturating_sub(SETTLED - AFTER_LEAVING);
        for track in gone.iter().filter(|track| track.believed) {
            self.change(track.last.max(lately));
        }
    }

    /// Whether another tile is seen in a track's place, again and again: what moves beside it or over it is
    /// no reason to doubt that; and whether the one before may have been what something left free of it: it
    /// is a part of it, or was found less surely.
    fn taken(&self, number: usize, at: Duration) -> (bool, bool) {
        let own = &self.tracks[number];
        let others = || {
            self.tracks.iter().filter(|track| {
                track.last == at
                    && track.evidence.views() >= OFTEN
                    && overlap(&own.corners, &track.corners)[0] > SHARED
                    && !is_part(&track.corners, &own.corners)
            })
        };
        let is_whole = |track: &Track| {
            is_part(&own.corners, &track.corners) || track.evidence.found() >= own.evidence.found()
        };
        (others().next().is_some(), others().any(is_whole))
    }

    /// Whether most of what lay there is missing and new tiles have come since: an arm hides tiles,
    /// but brings few; another hand, or a camera that looks elsewhere, brings many.
    fn is_replaced(&self, missing: &[usize], at: Duration) -> bool {
        let mut lost: Vec<Duration> = missing.iter().map(|k| self.tracks[*k].last).collect();
        lost.sort_unstable();
        let Some(lost) = lost.get(lost.len() / 2) else { return false };
        let since = at.saturating_sub(NEW).max(*lost);
        let seen = || self.tracks.iter().filter(|track| track.last == at);
        let new = seen().filter(|track| track.first > since && track.evidence.views() > 1).count();
        // New ones that are believed by now are no part of what lay there.
        let stayed = seen().filter(|track| track.believed && track.first <= since).count();
        missing.len() as f32 > MOST * (missing.len() + stayed) as f32
            && new as f32 >= (MOST * missing.len() as f32).max(2.0)
    }

    /// Missing tracks, those that lie beside each other together.
    fn groups(&self, missing: &[usize]) -> Vec<Vec<usize>> {
        let mut left = missing.to_vec();
        let mut groups = Vec::new();
        while let Some(first) = left.pop() {
            let mut group = vec![first];
            let mut next = 0;
            while let Some(&here) = group.get(next) {
                let (near, far) = left.into_iter().partition(|k| self.are_neighbours(here, *k));
                group.extend::<Vec<usize>>(near);
                left = far;
                next += 1;
            }
            groups.push(group);
        }
        groups
    }

    /// How many tiles that are seen lie beside a group.
    fn seen_beside(&self, group: &[usize], at: Duration) -> usize {
        (0..self.tracks.len())
            .filter(|k| self.tracks[*k].believed && self.tracks[*k].last == at)
            .filter(|k| group.iter().any(|missing| self.are_neighbours(*missing, *k)))
            .count()
    }

    fn are_neighbours(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|k| &self.tracks[k].corners);
        distance(centre(a), centre(b)) < NEIGHBOURS * sides(a)[1].max(sides(b)[1])
    }
}

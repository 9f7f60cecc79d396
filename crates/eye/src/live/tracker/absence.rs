//! Decides whether unseen tiles are gone or covered.

use std::time::Duration;

use super::{SETTLED, Track, TrackedSlot, Tracker, distance, is_part};
use crate::{
    live::motion::Mark,
    sight::{
        Corners,
        quad::{centre, overlap, sides},
    },
};

/// Largest overlap (intersection over union) of two tiles: where another one lies, the one before is gone.
const SHARED: f32 = 0.12;
/// Number of frames after which a tile in another one's place has replaced it.
const OFTEN: u32 = 6;
/// Time unseen after which an unconfirmed tile is forgotten.
const FORGOTTEN: Duration = Duration::from_millis(300);
/// Time after a tile has gone during which the table is not settled.
const AFTER_LEAVING: Duration = Duration::from_millis(300);
/// Largest distance of neighbours, in long sides.
const NEIGHBOURS: f32 = 1.5;
/// Time unseen after which a tile is gone, in seconds, if another tile lies there.
const OTHER_THERE: f32 = 0.4;
/// Time unseen after which a tile is gone, in seconds, if its place is still and its surroundings are unchanged.
const BARE: f32 = 0.3;
/// Time unseen after which a tile is gone, in seconds, if its surroundings have changed: a hand may rest there.
const COVERED: f32 = 4.0;
/// Time unseen after which a tile is gone, in seconds, if only its seen neighbours give evidence.
const ALONE: f32 = 0.9;
/// Time unseen after which a few tiles missing together between seen ones are gone, in seconds.
const FEW: f32 = 1.5;
/// Time unseen after which a larger group of missing tiles is gone, in seconds.
const MANY: f32 = 8.0;
/// Time unseen after which the tiles of a hand that another hand replaces are gone, in seconds.
const REPLACED: f32 = 0.5;
/// Longest age of a new tile.
const NEW: Duration = Duration::from_millis(2500);
/// Share of tiles above which most are missing, and least number of new tiles, as a share of the missing ones,
/// that replace them.
const MOST: f32 = 0.5;
/// Most tiles of a small group.
const A_FEW: usize = 3;

impl Tracker {
    /// Weighs for each unseen track whether it is gone or covered.
    pub(super) fn judge_missing(
        &mut self,
        seen: &[Mark],
        step: f32,
        at: Duration,
        look: &impl Fn(u64, &Corners) -> Option<TrackedSlot>,
    ) {
        let missing: Vec<usize> = (0..self.tracks.len())
            .filter(|k| self.tracks[*k].confirmed && self.tracks[*k].last < at)
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
                    (Some(TrackedSlot::AsBefore), _) => {
                        (track.last, track.vouched, track.empty) = (at, at, 0.0);
                        continue;
                    }
                    _ if replaced => REPLACED,
                    _ if taken => OTHER_THERE,
                    (Some(TrackedSlot::Moving), _) => continue,
                    _ if other => OTHER_THERE,
                    (Some(TrackedSlot::Covered), _) => COVERED,
                    (Some(TrackedSlot::Bare), _) => BARE,
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
                if track.confirmed { track.empty < 1.0 } else { missed <= FORGOTTEN }
            });
        self.tracks = tracks;
        let lately = at.saturating_sub(SETTLED - AFTER_LEAVING);
        for track in gone.iter().filter(|track| track.confirmed) {
            self.change(track.last.max(lately));
        }
    }

    /// Whether another tile is seen repeatedly in a track's place, which counts even if something moves there;
    /// and whether the earlier tile may have been only a visible part of it: it is a part of it, or had a lower
    /// score.
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

    /// Whether most of the earlier tiles are missing and new tiles have come since. An arm hides tiles but brings
    /// few; another hand, or a moved camera, brings many.
    fn is_replaced(&self, missing: &[usize], at: Duration) -> bool {
        let mut lost: Vec<Duration> = missing.iter().map(|k| self.tracks[*k].last).collect();
        lost.sort_unstable();
        let Some(lost) = lost.get(lost.len() / 2) else { return false };
        let since = at.saturating_sub(NEW).max(*lost);
        let seen = || self.tracks.iter().filter(|track| track.last == at);
        let new = seen().filter(|track| track.first > since && track.evidence.views() > 1).count();
        // New tiles that are confirmed by now were not there before.
        let stayed = seen().filter(|track| track.confirmed && track.first <= since).count();
        missing.len() as f32 > MOST * (missing.len() + stayed) as f32
            && new as f32 >= (MOST * missing.len() as f32).max(2.0)
    }

    /// Groups of missing tracks beside each other.
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

    /// Number of seen tiles beside a group.
    fn seen_beside(&self, group: &[usize], at: Duration) -> usize {
        (0..self.tracks.len())
            .filter(|k| self.tracks[*k].confirmed && self.tracks[*k].last == at)
            .filter(|k| group.iter().any(|missing| self.are_neighbours(*missing, *k)))
            .count()
    }

    fn are_neighbours(&self, a: usize, b: usize) -> bool {
        let [a, b] = [a, b].map(|k| &self.tracks[k].corners);
        distance(centre(a), centre(b)) < NEIGHBOURS * sides(a)[1].max(sides(b)[1])
    }
}

//! Tracks the tiles on the table over the frames of a source.

mod absence;

use std::{cmp::Ordering, time::Duration};

use super::{
    evidence::FaceEvidence,
    motion::{Mark, Motion, of_size, start_beside},
};
use crate::sight::{
    Corners, SeenTile,
    quad::{centre, from_corner, overlap, sides, signed_area},
};

/// Largest distance of a tile from its track, as a share of the short side.
const REACH: f32 = 0.5;
/// Distance, as a share of the short side, from which on a tile of the track also has to have a similar face.
const FACE_NEEDED: f32 = 0.25;
/// Least agreement (Bhattacharyya, 0-1) of a similar face.
const SAME_FACE: f32 = 0.2;
/// Least agreement of two views of one tile when the whole picture moves.
const ALIKE: f32 = 0.3;
/// Cost of an unlike face, in short sides of distance.
const UNLIKE: f32 = 0.4;
/// Share of the distance by which corners follow the seen tile in each frame.
const FOLLOW: f32 = 0.3;
/// Distance, as a share of the short side, from which on corners jump instead, after [`STAYS_AWAY`].
const SNAP: f32 = 0.2;
/// Time away from its place after which a tile has moved: half a tile that a hand leaves free looks like another
/// one beside it.
const STAYS_AWAY: Duration = Duration::from_millis(200);
/// Time away from its place after which a tile has moved although something moves beside it.
const STAYS_THOUGH_MOVING: Duration = Duration::from_millis(500);
/// Least overlap of a tile with its former quad if it has not been turned.
const TURNED: f32 = 0.7;
/// Distance, in short sides, by which a tile has to move among the others to count as moved.
const MOVED: f32 = 0.3;
/// Time constant with which slower moves are forgotten, in seconds.
const FORGETS_MOVES: f32 = 1.0;
/// Movement of all tiles in one frame, in short sides, that counts as a change.
const MOVED_ALL: f32 = 0.15;
/// Overlap with an unseen tile from which on a new tile has to wait until that one is gone.
const IN_THE_WAY: f32 = 0.05;
/// Largest area of a part of a tile, as a share of the tile's, and least share of the part inside the tile.
const PART: [f32; 2] = [0.85, 0.7];
/// Share of tiles suddenly unseen from which on something has changed.
const MANY_MISSED: f32 = 0.25;
/// Overlap with a seen tile, of both and of the smaller, from which on a detection is a duplicate.
const SECOND_LOOK: [f32; 2] = [0.2, 0.4];
/// Fewest frames that confirm a tile.
const VIEWS: u32 = 3;
/// Shortest time that confirms a tile.
const CONFIRMED: Duration = Duration::from_millis(150);
/// Time without a move or a change after which the table is settled.
const SETTLED: Duration = Duration::from_millis(800);
/// Time after which a tile that the reader missed may be gone, so that the table is not settled.
const MISSED: Duration = Duration::from_millis(300);
/// Longest time between two frames that counts, in seconds.
const LONGEST_STEP: f32 = 0.5;

/// The look of the place of a tile that is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackedSlot {
    /// As with the tile: the reader missed it.
    AsBefore,
    /// Something moves there, such as a hand.
    Moving,
    /// Still, and its surroundings have changed.
    Covered,
    /// Still, and its surroundings are unchanged.
    Bare,
}

/// Tracks the tiles of a table from frame to frame. It has no clock and no threads: the caller gives the time.
///
/// ```
/// use std::time::Duration;
/// use tilelens_eye::live::Tracker;
/// let mut tracker = Tracker::default();
/// for frame in 0..30u64 {
///     tracker.observe(&[], Duration::from_millis(33 * frame));
/// }
/// assert!(tracker.tiles().is_empty() && tracker.settled(Duration::from_secs(1)));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Tracker {
    tracks: Vec<Track>,
    next: u64,
    changed: u64,
    last_change: Duration,
    /// The time of the last frame, if any.
    last: Option<Duration>,
}

/// A tracked tile.
#[derive(Clone, Debug)]
struct Track {
    id: u64,
    /// Corners, clockwise, always from the same corner of the tile.
    corners: Corners,
    evidence: FaceEvidence,
    first: Duration,
    last: Duration,
    /// The last time that a frame showed its face there, or that its place looked as it did with it.
    vouched: Duration,
    /// Whether it is confirmed, and shown.
    confirmed: bool,
    /// Evidence that its place is empty; it is gone at 1.
    empty: f32,
    /// Its centre at the last reported change, moved along with the others.
    reported_at: [f32; 2],
    /// Since when it has been seen away from its place.
    away: Option<Duration>,
}

impl Tracker {
    /// Takes in the tiles of a frame, in any order, at a time that does not go back.
    pub fn observe(&mut self, seen: &[SeenTile], at: Duration) {
        self.observe_where(seen, at, |_, _| None);
    }

    /// Takes in a frame as [`Tracker::observe`] does; `look` gives the pixels' evidence on the place of an unseen
    /// tile, by its number ([`Tracker::ids`]) and corners.
    pub fn observe_where(
        &mut self,
        seen: &[SeenTile],
        at: Duration,
        look: impl Fn(u64, &Corners) -> Option<TrackedSlot>,
    ) {
        let at = self.last.map_or(at, |last| at.max(last));
        let passed = self.last.map_or(0.0, |last| (at - last).as_secs_f32());
        if self.last.is_none() {
            self.last_change = at;
        }
        self.last = Some(at);
        let seen = in_fixed_order(seen);
        let marks: Vec<Mark> = seen.iter().map(|tile| Mark::new(&tile.corners)).collect();
        let agreement = self.agreement(&seen);
        self.move_together(&marks, &agreement, at);
        let pairs = self.pairs(&marks, &agreement);
        let mut matched = vec![None; seen.len()];
        for (track, found) in pairs {
            matched[found] = Some(track);
            self.follow(track, seen[found], passed, at, &look);
        }
        let there: Vec<Corners> =
            matched.iter().flatten().map(|track| self.tracks[*track].corners).collect();
        self.judge_missing(&marks, passed.min(LONGEST_STEP), at, &look);
        let new = seen.iter().zip(matched).filter(|(_, matched)| matched.is_none());
        self.begin(new.map(|(tile, _)| *tile), &there, at);
    }

    /// Agreement of the faces of each track and each seen tile.
    fn agreement(&self, seen: &[&SeenTile]) -> Vec<Vec<f32>> {
        let of = |track: &Track| seen.iter().map(|tile| track.evidence.agrees(tile)).collect();
        self.tracks.iter().map(of).collect()
    }

    /// Moves every track, including unseen ones, with most of the tiles.
    fn move_together(&mut self, seen: &[Mark], agreement: &[Vec<f32>], at: Duration) {
        let tracks: Vec<Mark> = self.tracks.iter().map(|track| Mark::new(&track.corners)).collect();
        let alike = |track: usize, found: usize| agreement[track][found] >= ALIKE;
        if let Some(motion) = Motion::between(&tracks, seen, alike) {
            let mut farthest = 0.0f32;
            for (track, mark) in self.tracks.iter_mut().zip(&tracks) {
                track.corners = motion.quad(&track.corners);
                track.reported_at = motion.point(track.reported_at);
                let moved = distance(centre(&track.corners), mark.centre);
                farthest = farthest.max(moved / mark.short.max(1e-3));
            }
            if farthest > MOVED_ALL {
                self.change(at);
            }
        }
    }

    /// Pairs of tracks and seen tiles, the surest first.
    fn pairs(&self, seen: &[Mark], agreement: &[Vec<f32>]) -> Vec<(usize, usize)> {
        let mut candidates = Vec::new();
        for (number, track) in self.tracks.iter().enumerate() {
            let mark = Mark::new(&track.corners);
            for (k, found) in seen.iter().enumerate() {
                let away = distance(mark.centre, found.centre) / mark.short.max(1e-3);
                let agrees = agreement[number][k];
                let near = away < REACH && (away < FACE_NEEDED || agrees >= SAME_FACE);
                if near && of_size(&mark, found) {
                    candidates.push((away + UNLIKE * (1.0 - agrees), number, k));
                }
            }
        }
        candidates.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (mut tracks, mut taken) = (vec![false; self.tracks.len()], vec![false; seen.len()]);
        candidates.retain(|(_, track, found)| {
            let free = !tracks[*track] && !taken[*found];
            tracks[*track] |= free;
            taken[*found] |= free;
            free
        });
        candidates.into_iter().map(|(_, track, found)| (track, found)).collect()
    }

    /// Updates a track that is seen again.
    fn follow(
        &mut self,
        number: usize,
        seen: &SeenTile,
        passed: f32,
        at: Duration,
        look: &impl Fn(u64, &Corners) -> Option<TrackedSlot>,
    ) {
        let in_the_way = !self.tracks[number].confirmed && self.is_in_the_way(number, at);
        let track = &mut self.tracks[number];
        (track.last, track.empty) = (at, 0.0);
        if track.evidence.is_shown_by(seen) {
            track.vouched = at;
        }
        let start = start_beside(&track.corners, &seen.corners);
        let place = from_corner(&seen.corners, start);
        // The track's corner that is the seen tile's first.
        let first = (4 - start) % 4;
        let short = sides(&track.corners)[0].max(1e-3);
        let away = |(a, b): (&[f32; 2], &[f32; 2])| distance(*a, *b) / short;
        let farthest = track.corners.iter().zip(&place).map(away).fold(0.0, f32::max);
        let mut change = None;
        if farthest > SNAP {
            let since = *track.away.get_or_insert(at);
            let moving = look(track.id, &track.corners) == Some(TrackedSlot::Moving);
            let stays = if moving { STAYS_THOUGH_MOVING } else { STAYS_AWAY };
            if track.confirmed && at - since < stays {
                return;
            }
            if overlap(&track.corners, &place)[0] < TURNED {
                track.evidence.turn(seen, first);
                change = Some(since);
            }
            track.corners = place;
        } else {
            for (corner, to) in track.corners.iter_mut().zip(place) {
                *corner = [0, 1].map(|axis| corner[axis] + FOLLOW * (to[axis] - corner[axis]));
            }
        }
        let here = centre(&track.corners);
        if distance(here, track.reported_at) > MOVED * short {
            track.reported_at = here;
            change = Some(track.away.unwrap_or(at));
        } else {
            // Trembling, and errors of the common movement, must not add up to a move.
            let share = 1.0 - (-passed / FORGETS_MOVES).exp();
            track.reported_at = [0, 1].map(|axis| {
                track.reported_at[axis] + share * (here[axis] - track.reported_at[axis])
            });
        }
        track.away = None;
        if let Some(since) = track.evidence.add(seen, first, passed, at) {
            change = Some(change.map_or(since, |change| change.max(since)));
        }
        let old_enough = at.saturating_sub(track.first) >= CONFIRMED;
        if !track.confirmed && !in_the_way && old_enough && track.evidence.views() >= VIEWS {
            track.confirmed = true;
            change = Some(change.unwrap_or(track.first));
        }
        if let (true, Some(since)) = (track.confirmed, change) {
            self.change(since);
        }
    }

    /// Whether a new track overlaps a known tile that may still be there.
    fn is_in_the_way(&self, number: usize, at: Duration) -> bool {
        let place = &self.tracks[number].corners;
        self.missing(at).any(|track| overlap(&track.corners, place)[0] > IN_THE_WAY)
    }

    /// The tracks that the frame of this time does not show.
    fn missing(&self, at: Duration) -> impl Iterator<Item = &Track> {
        self.confirmed().filter(move |track| track.last < at)
    }

    /// Records a change at a time.
    fn change(&mut self, since: Duration) {
        self.changed += 1;
        self.last_change = self.last_change.max(since);
    }

    /// Begins a track for each new tile. A detection over a seen tile is a duplicate, and one smaller than an
    /// unseen tile a part of it. An unseen tile that is kept only by its look does not block another one: it may
    /// itself be the part.
    fn begin<'t>(
        &mut self,
        new: impl Iterator<Item = &'t SeenTile>,
        there: &[Corners],
        at: Duration,
    ) {
        for tile in new {
            let part = |track: &Track| is_part(&tile.corners, &track.corners);
            if self.confirmed().any(part)
                || there.iter().any(|other| is_second_look(other, &tile.corners))
            {
                continue;
            }
            self.tracks.push(Track {
                id: self.next,
                corners: tile.corners,
                evidence: FaceEvidence::new(tile, 0),
                first: at,
                last: at,
                vouched: at,
                confirmed: false,
                empty: 0.0,
                reported_at: centre(&tile.corners),
                away: None,
            });
            self.next += 1;
        }
    }

    /// The tiles on the table, oldest first, with accumulated probabilities, including covered ones.
    #[must_use]
    pub fn tiles(&self) -> Vec<SeenTile> {
        self.confirmed().map(|track| track.evidence.tile(&track.corners)).collect()
    }

    /// A number for each of [`Tracker::tiles`], constant while it is on the table.
    #[must_use]
    pub fn ids(&self) -> Vec<u64> {
        self.confirmed().map(|track| track.id).collect()
    }

    /// For each of [`Tracker::tiles`], the time up to the last frame since its face was last seen in its place:
    /// it may be covered, gone, or replaced. Zero while it is seen.
    #[must_use]
    pub fn unseen(&self) -> Vec<Duration> {
        let last = self.last.unwrap_or_default();
        self.confirmed().map(|track| last.saturating_sub(track.vouched)).collect()
    }

    /// For each tile its number, its corners, and whether the last frame showed it.
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, Corners, bool)> {
        self.confirmed().map(|track| (track.id, track.corners, Some(track.last) == self.last))
    }

    /// For each tile, whether the last frame showed it.
    pub(super) fn all_seen(&self) -> bool {
        self.confirmed().all(|track| Some(track.last) == self.last)
    }

    fn confirmed(&self) -> impl Iterator<Item = &Track> {
        self.tracks.iter().filter(|track| track.confirmed)
    }

    /// Whether nothing has moved or changed for a while, and nothing is covered or about to change.
    #[must_use]
    pub fn settled(&self, now: Duration) -> bool {
        let Some(last) = self.last else { return false };
        let there = self.confirmed().count() as f32;
        let coming =
            |track: &Track| !track.confirmed && track.last == last && track.evidence.views() > 1;
        now.saturating_sub(self.last_change) >= SETTLED
            && self.missing(last).count() as f32 <= MANY_MISSED * there
            && !self.tracks.iter().any(coming)
            && self.confirmed().all(|track| {
                last.saturating_sub(track.last) < MISSED && !track.evidence.is_contested()
            })
    }

    /// Number of changes: a tile came, went, moved, or changed its face.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.changed
    }
}

/// The possible tiles, in an order that depends only on the tiles.
fn in_fixed_order(seen: &[SeenTile]) -> Vec<&SeenTile> {
    let mut seen: Vec<&SeenTile> = seen
        .iter()
        .filter(|tile| tile.corners.iter().flatten().all(|value| value.is_finite()))
        .filter(|tile| sides(&tile.corners)[0] > 1.0)
        .collect();
    let key = |tile: &SeenTile| {
        let [x, y] = centre(&tile.corners);
        [y, x, tile.found, tile.faces.iter().copied().fold(0.0, f32::max)]
    };
    seen.sort_by(|a, b| {
        let pairs = key(a).into_iter().zip(key(b));
        pairs.fold(Ordering::Equal, |order, (a, b)| order.then(a.total_cmp(&b)))
    });
    seen
}

/// Whether a seen quad is a part of a tile that something covers.
fn is_part(seen: &Corners, tile: &Corners) -> bool {
    let smaller = signed_area(seen).abs() < PART[0] * signed_area(tile).abs();
    smaller && overlap(seen, tile)[1] > PART[1]
}

fn is_second_look(a: &Corners, b: &Corners) -> bool {
    let [both, smaller] = overlap(a, b);
    both >= SECOND_LOOK[0] || smaller >= SECOND_LOOK[1]
}

fn distance([x, y]: [f32; 2], [u, v]: [f32; 2]) -> f32 {
    (x - u).hypot(y - v)
}

//! Which tiles lie on the table, from what each frame shows of them.

mod absence;

use std::{cmp::Ordering, time::Duration};

use super::{
    evidence::Evidence,
    motion::{Mark, Motion, of_size, start_beside},
};
use crate::sight::{
    Corners, SeenTile,
    quad::{centre, from_corner, overlap, sides, signed_area},
};

/// A tile is where its track is when its centre is within this share of the short side,
const REACH: f32 = 0.5;
/// beyond this share only if it is likely the same face,
const SURELY_IT: f32 = 0.25;
/// by this measure of agreement (Bhattacharyya, 0-1).
const SAME_FACE: f32 = 0.2;
/// Faces that agree less are not two views of one tile when the whole picture moves.
const ALIKE: f32 = 0.3;
/// What an unlike face costs, in short sides of distance.
const UNLIKE: f32 = 0.4;
/// Corners follow what is seen by this share a frame,
const FOLLOW: f32 = 0.3;
/// but where it is farther away than this share of the short side
const SNAP: f32 = 0.2;
/// only after so long: half a tile that a hand leaves free looks like another one beside it.
const STAYS_AWAY: Duration = Duration::from_millis(200);
/// or where something still moves beside it, after so long.
const STAYS_THOUGH_MOVING: Duration = Duration::from_millis(500);
/// A quad that shares less than this with what it was has been turned.
const TURNED: f32 = 0.7;
/// A tile that has moved among the others by this share of its short side has moved.
const MOVED: f32 = 0.3;
/// A slower move than that in so many seconds is none.
const FORGETS_MOVES: f32 = 1.0;
/// All of them together have moved when one frame takes them farther than this share.
const MOVED_ALL: f32 = 0.15;
/// A new tile that shares this much with one not seen waits until that one has gone.
const IN_THE_WAY: f32 = 0.05;
/// What is smaller than a tile by this, and lies within it by this, is a part of it.
const PART: [f32; 2] = [0.85, 0.7];
/// Where more of the tiles than this are suddenly not seen, something has changed.
const MANY_MISSED: f32 = 0.25;
/// What shares this much with one that is seen, of both or of the smaller, is a second look at it.
const SECOND_LOOK: [f32; 2] = [0.2, 0.4];
/// A tile is believed in after so many frames,
const VIEWS: u32 = 3;
/// and so long.
const BELIEVED: Duration = Duration::from_millis(150);
/// Nothing has moved or changed for so long: settled.
const SETTLED: Duration = Duration::from_millis(800);
/// A tile that the reader missed for so long may be gone: not settled.
const MISSED: Duration = Duration::from_millis(300);
/// Time between two frames counts for no more than this, in seconds.
const LONGEST_STEP: f32 = 0.5;

/// What the pixels say of a place in which a tile was and is not seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It looks as it did with the tile: the reader missed it.
    AsBefore,
    /// Something moves there, such as a hand over it.
    Moving,
    /// Nothing moves there, and around it there is something that was not there before.
    Covered,
    /// Nothing moves there, and around it all is as it was.
    Bare,
}

/// Follows the tiles of a table from frame to frame. No clock, no threads: time is handed in.
///
/// ```
/// use std::time::Duration;
/// use tilelens::live::Tracker;
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
    /// When the last frame was, once there was one.
    last: Option<Duration>,
}

/// One tile.
#[derive(Clone, Debug)]
struct Track {
    id: u64,
    /// Clockwise, beginning at the same corner of the tile all the time.
    corners: Corners,
    evidence: Evidence,
    first: Duration,
    last: Duration,
    /// When a frame last showed its face there, or its place looked as it did with it.
    vouched: Duration,
    /// Whether it is shown.
    believed: bool,
    /// Grows to 1 while its place is seen empty.
    empty: f32,
    /// Where it was when a change was last told, moved along with the others.
    told: [f32; 2],
    /// Since when it has been seen away from its place.
    away: Option<Duration>,
}

impl Tracker {
    /// What a frame shows, at a time that does not go back. The order of the tiles does not matter.
    pub fn observe(&mut self, seen: &[SeenTile], at: Duration) {
        self.observe_where(seen, at, |_, _| None);
    }

    /// The same, where the pixels tell more of the places of tiles that are not seen: of each by its
    /// number ([`Tracker::ids`]) and its corners.
    pub fn observe_where(
        &mut self,
        seen: &[SeenTile],
        at: Duration,
        look: impl Fn(u64, &Corners) -> Option<Place>,
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

    /// How much each track and each seen tile speak for one face.
    fn agreement(&self, seen: &[&SeenTile]) -> Vec<Vec<f32>> {
        let of = |track: &Track| seen.iter().map(|tile| track.evidence.agrees(tile)).collect();
        self.tracks.iter().map(of).collect()
    }

    /// Moves every track, those not seen among them, as most of the tiles moved.
    fn move_together(&mut self, seen: &[Mark], agreement: &[Vec<f32>], at: Duration) {
        let tracks: Vec<Mark> = self.tracks.iter().map(|track| Mark::new(&track.corners)).collect();
        let alike = |track: usize, found: usize| agreement[track][found] >= ALIKE;
        if let Some(motion) = Motion::between(&tracks, seen, alike) {
            let mut farthest = 0.0f32;
            for (track, mark) in self.tracks.iter_mut().zip(&tracks) {
                track.corners = motion.quad(&track.corners);
                track.told = motion.point(track.told);
                let moved = distance(centre(&track.corners), mark.centre);
                farthest = farthest.max(moved / mark.short.max(1e-3));
            }
            if farthest > MOVED_ALL {
                self.change(at);
            }
        }
    }

    /// Which track each seen tile is, the surest pairs first.
    fn pairs(&self, seen: &[Mark], agreement: &[Vec<f32>]) -> Vec<(usize, usize)> {
        let mut candidates = Vec::new();
        for (number, track) in self.tracks.iter().enumerate() {
            let mark = Mark::new(&track.corners);
            for (k, found) in seen.iter().enumerate() {
                let away = distance(mark.centre, found.centre) / mark.short.max(1e-3);
                let agrees = agreement[number][k];
                let near = away < REACH && (away < SURELY_IT || agrees >= SAME_FACE);
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

    /// A track is seen again.
    fn follow(
        &mut self,
        number: usize,
        seen: &SeenTile,
        passed: f32,
        at: Duration,
        look: &impl Fn(u64, &Corners) -> Option<Place>,
    ) {
        let in_the_way = !self.tracks[number].believed && self.is_in_the_way(number, at);
        let track = &mut self.tracks[number];
        (track.last, track.empty) = (at, 0.0);
        if track.evidence.is_shown_by(seen) {
            track.vouched = at;
        }
        let start = start_beside(&track.corners, &seen.corners);
        let place = from_corner(&seen.corners, start);
        // The seen tile's first corner is this one of the track's.
        let first = (4 - start) % 4;
        let short = sides(&track.corners)[0].max(1e-3);
        let away = |(a, b): (&[f32; 2], &[f32; 2])| distance(*a, *b) / short;
        let farthest = track.corners.iter().zip(&place).map(away).fold(0.0, f32::max);
        let mut change = None;
        if farthest > SNAP {
            let since = *track.away.get_or_insert(at);
            let moving = look(track.id, &track.corners) == Some(Place::Moving);
            let stays = if moving { STAYS_THOUGH_MOVING } else { STAYS_AWAY };
            if track.believed && at - since < stays {
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
        if distance(here, track.told) > MOVED * short {
            track.told = here;
            change = Some(track.away.unwrap_or(at));
        } else {
            // What trembles, and errors of the common movement, must not add up to a move.
            let share = 1.0 - (-passed / FORGETS_MOVES).exp();
            track.told =
                [0, 1].map(|axis| track.told[axis] + share * (here[axis] - track.told[axis]));
        }
        track.away = None;
        if let Some(since) = track.evidence.add(seen, first, passed, at) {
            change = Some(change.map_or(since, |change| change.max(since)));
        }
        let old_enough = at.saturating_sub(track.first) >= BELIEVED;
        if !track.believed && !in_the_way && old_enough && track.evidence.views() >= VIEWS {
            track.believed = true;
            change = Some(change.unwrap_or(track.first));
        }
        if let (true, Some(since)) = (track.believed, change) {
            self.change(since);
        }
    }

    /// Whether a new track lies where a tile is known that may still be there.
    fn is_in_the_way(&self, number: usize, at: Duration) -> bool {
        let place = &self.tracks[number].corners;
        self.missing(at).any(|track| overlap(&track.corners, place)[0] > IN_THE_WAY)
    }

    /// The tiles that the frame of this time does not show.
    fn missing(&self, at: Duration) -> impl Iterator<Item = &Track> {
        self.believed().filter(move |track| track.last < at)
    }

    /// Something changed; it has been so since then.
    fn change(&mut self, since: Duration) {
        self.changed += 1;
        self.last_change = self.last_change.max(since);
    }

    /// Begins a track for what is none of those there are; what lies over a tile that is seen is a
    /// second look at it, and what is less than a tile that is not, a part of it. One that is not seen, and
    /// is kept by its looks, does not keep another one away: it may itself be the part.
    fn begin<'t>(
        &mut self,
        new: impl Iterator<Item = &'t SeenTile>,
        there: &[Corners],
        at: Duration,
    ) {
        for tile in new {
            let part = |track: &Track| is_part(&tile.corners, &track.corners);
            if self.believed().any(part)
                || there.iter().any(|other| is_second_look(other, &tile.corners))
            {
                continue;
            }
            self.tracks.push(Track {
                id: self.next,
                corners: tile.corners,
                evidence: Evidence::new(tile, 0),
                first: at,
                last: at,
                vouched: at,
                believed: false,
                empty: 0.0,
                told: centre(&tile.corners),
                away: None,
            });
            self.next += 1;
        }
    }

    /// The tiles that lie there, those first that were found first: their probabilities accumulated
    /// over the frames, covered ones among them.
    #[must_use]
    pub fn tiles(&self) -> Vec<SeenTile> {
        self.believed().map(|track| track.evidence.tile(&track.corners)).collect()
    }

    /// A number for each of [`Tracker::tiles`] that stays with it while it lies there.
    #[must_use]
    pub fn ids(&self) -> Vec<u64> {
        self.believed().map(|track| track.id).collect()
    }

    /// For each of [`Tracker::tiles`], for how long as of the last frame no frame has shown its face in its
    /// place: it is covered, gone, or something else is seen there. Zero while it is seen.
    #[must_use]
    pub fn unseen(&self) -> Vec<Duration> {
        let last = self.last.unwrap_or_default();
        self.believed().map(|track| last.saturating_sub(track.vouched)).collect()
    }

    /// Where they lie: the number of each, its corners, and whether the last frame showed it.
    #[cfg(feature = "vision")]
    pub(super) fn places(&self) -> impl Iterator<Item = (u64, Corners, bool)> {
        self.believed().map(|track| (track.id, track.corners, Some(track.last) == self.last))
    }

    /// Whether the last frame showed each of them.
    #[cfg(feature = "vision")]
    pub(super) fn all_seen(&self) -> bool {
        self.believed().all(|track| Some(track.last) == self.last)
    }

    fn believed(&self) -> impl Iterator<Item = &Track> {
        self.tracks.iter().filter(|track| track.believed)
    }

    /// Whether nothing has moved or changed for a while, and nothing is covered or about to change.
    #[must_use]
    pub fn settled(&self, now: Duration) -> bool {
        let Some(last) = self.last else { return false };
        let there = self.believed().count() as f32;
        let coming =
            |track: &Track| !track.believed && track.last == last && track.evidence.views() > 1;
        now.saturating_sub(self.last_change) >= SETTLED
            && self.missing(last).count() as f32 <= MANY_MISSED * there
            && !self.tracks.iter().any(coming)
            && self.believed().all(|track| {
                last.saturating_sub(track.last) < MISSED && !track.evidence.is_contested()
            })
    }

    /// Counts changes: a tile came, went, moved, or shows another face.
    #[must_use]
    pub fn changed(&self) -> u64 {
        self.changed
    }
}

/// What can be a tile, in an order that depends on nothing but the tiles.
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

/// Whether what is seen is what something leaves free of a tile.
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

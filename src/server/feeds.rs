//! The sources of one table: what each shows, its state and the picture that last settled.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    settled_areas::SettledAreas,
    tracked_picture::{STIRRED, TrackedPicture, stirred},
    visibility::{Visibility, VisibilityTracker},
};
use crate::{calibration::table::TableProfile, capture::SourceState, tile::Seat};

/// The view of a source.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// One player's hand, or a table of which only one hand is read.
    Hand,
    /// A table with all its players, or some of them.
    Table(TableProfile),
    /// The upright hand of the player who had this seat in the first deal of the round.
    Standing(Seat),
}

/// The last picture of a source is no longer shown as current once the source has been lost for this long.
const LOST: Duration = Duration::from_secs(5);
/// The distance between the first tile numbers of two sources.
pub(super) const APART: u64 = 1 << 32;

/// How a source is, as far as pages say it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceStatus {
    /// It is being opened; no frame has come yet.
    Starting,
    /// Frames are coming.
    Running {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
    },
    /// It is missing or lost, and retried.
    Lost {
        /// The fault and its cure.
        why: String,
    },
    /// A file has been shown to its end.
    Ended,
}

impl From<&SourceState> for SourceStatus {
    fn from(state: &SourceState) -> Self {
        match state {
            SourceState::Starting => Self::Starting,
            SourceState::Running { width, height, .. } => {
                Self::Running { width: *width, height: *height }
            }
            SourceState::Lost { why, .. } => Self::Lost { why: why.clone() },
            SourceState::Ended => Self::Ended,
        }
    }
}

/// When a frame came, and how long its reading took.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FrameTiming {
    /// When it came, in milliseconds since 1970, to a tenth.
    pub came: f64,
    /// From there to its tiles on the table, in milliseconds.
    pub tracked_ms: f64,
    /// The part of it that reading took.
    pub read_ms: f64,
    /// Frames read in a second, to a tenth.
    pub fps: f64,
}

pub(super) struct Feed {
    pub name: String,
    pub shows: Shows,
    pub status: SourceStatus,
    pub trouble: Option<String>,
    /// Of the last frame.
    pub timing: Option<FrameTiming>,
    /// The last settled picture.
    pub settled: Option<TrackedPicture>,
    /// Whether the tiles of that picture are still in sight.
    in_sight: VisibilityTracker,
    /// When the source was lost; `None` once a picture has settled again.
    lost: Option<Instant>,
    /// Whether the source has been lost for too long to trust its last picture.
    pub stale: bool,
    moving: bool,
    settling: SettledAreas,
}

impl Feed {
    pub fn new(name: &str, shows: Shows) -> Self {
        Self {
            name: name.to_owned(),
            shows,
            status: SourceStatus::Starting,
            trouble: None,
            timing: None,
            settled: None,
            in_sight: VisibilityTracker::default(),
            lost: None,
            stale: false,
            moving: false,
            settling: SettledAreas::default(),
        }
    }

    /// Stores the source's state at a moment; true if pages must be updated.
    pub fn tell(&mut self, status: SourceStatus, trouble: Option<String>, now: Instant) -> bool {
        if matches!(status, SourceStatus::Lost { .. }) {
            self.lost.get_or_insert(now);
        } else if !self.stale {
            self.lost = None;
        }
        let stale = self.stale
            || self.lost.is_some_and(|since| now.saturating_duration_since(since) >= LOST);
        let news = (&self.status, &self.trouble, self.stale) != (&status, &trouble, stale);
        (self.status, self.trouble, self.stale) = (status, trouble, stale);
        news
    }

    /// Shows something else from now on.
    pub fn show(&mut self, shows: Shows) {
        (self.shows, self.moving) = (shows, false);
        // The next settled picture counts as changed, even if no tile moved.
        let counted = self.settled.as_ref().map_or(0, |tracked| tracked.changed);
        self.settling = SettledAreas::counting_from(counted + 1);
    }

    /// Takes a picture in; returns whether tiles settled, and whether pages must be updated.
    pub fn take(&mut self, mut tracked: TrackedPicture, number: usize) -> [bool; 2] {
        for id in &mut tracked.ids {
            *id += APART * number as u64;
        }
        let was_stale = self.stale;
        // The areas of a table settle separately; until then their last settled tiles are shown. Frames from before a
        // loss are repeated with each attempt to reconnect and are no news.
        let is_later = self.lost.is_none_or(|since| tracked.at > since);
        if is_later && (tracked.settled || matches!(self.shows, Shows::Table(_))) {
            (self.lost, self.stale) = (None, false);
        }
        let back = was_stale && !self.stale;
        if let Shows::Table(profile) = &self.shows {
            let view = profile.view([tracked.picture.width(), tracked.picture.height()]);
            let before = self.settled.as_ref().map(|tracked| tracked.changed);
            let news = self.settling.take(&tracked, &view);
            let settled = self.settling.picture(&tracked);
            let is_new = before != Some(settled.changed);
            self.in_sight.see(&tracked);
            if is_new {
                self.in_sight.watch(&settled);
                self.settled = Some(settled);
            }
            return [is_new, news || is_new || back];
        }
        let moving = !tracked.settled;
        let is_new =
            !moving && self.settled.as_ref().is_none_or(|before| differs(before, &tracked));
        let news = is_new || back || moving != self.moving;
        self.moving = moving;
        self.in_sight.see(&tracked);
        if is_new {
            self.in_sight.watch(&tracked);
            self.settled = Some(tracked);
        }
        [is_new, news]
    }

    /// The visibility of some of the last shown tiles, by number. Tiles of a lost source are in doubt at once.
    pub fn sight(&self, tiles: impl Iterator<Item = u64>) -> Visibility {
        match (self.stale, &self.lost) {
            (true, _) => Visibility::Gone,
            (false, Some(_)) => self.in_sight.of(tiles).max(Visibility::Doubtful),
            (false, None) => self.in_sight.of(tiles),
        }
    }

    /// Whether something moves.
    pub fn is_moving(&self) -> bool {
        self.moving || !self.settling.moving().is_empty()
    }

    /// The players before whom something moves.
    pub fn moving_seats(&self) -> Vec<Seat> {
        match self.shows {
            Shows::Standing(seat) if self.moving => vec![seat],
            _ => self.settling.moving(),
        }
    }
}

/// Whether the tiles of two pictures differ or have moved.
fn differs(before: &TrackedPicture, now: &TrackedPicture) -> bool {
    before.changed != now.changed
        || before.ids != now.ids
        || before.tileset != now.tileset
        || before.tiles.iter().zip(&now.tiles).any(|(a, b)| stirred(a, b, STIRRED))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::picture::Picture;

    fn tracked(settled: bool, at: Instant) -> TrackedPicture {
        let picture = Arc::new(Picture::from_rgb(image::RgbImage::new(64, 64)).unwrap());
        let (tiles, ids) = (Vec::new(), Vec::new());
        TrackedPicture {
            picture,
            at,
            tiles,
            ids,
            unseen: Vec::new(),
            settled,
            changed: 1,
            tileset: None,
        }
    }

    #[test]
    fn what_a_lost_camera_saw_goes_after_a_while_and_comes_back_when_something_has_settled() {
        let mut feed = Feed::new("camera:0", Shows::Hand);
        let start = Instant::now();
        let running = || SourceStatus::Running { width: 64, height: 64 };
        let lost = || SourceStatus::Lost { why: "unplugged".to_owned() };
        let tell = |feed: &mut Feed, status: SourceStatus, seconds: u64| {
            feed.tell(status, None, start + Duration::from_secs(seconds))
        };
        assert!(tell(&mut feed, running(), 0));
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(feed.take(tracked(true, at(0)), 0), [true, true]);
        assert_eq!(feed.sight([].into_iter()), Visibility::Seen);
        assert!(tell(&mut feed, lost(), 1), "the operator sees it at once");
        assert_eq!(feed.sight([].into_iter()), Visibility::Doubtful, "and the viewers");
        feed.take(tracked(true, at(0)), 0);
        assert!(!tell(&mut feed, lost(), 5) && !feed.stale, "what it saw before is no news");
        assert!(tell(&mut feed, lost(), 6) && feed.stale);
        assert!(tell(&mut feed, running(), 20));
        assert!(feed.stale, "nothing has been seen yet");
        feed.take(tracked(false, at(20)), 0);
        assert!(feed.stale, "something moves");
        assert_eq!(
            feed.take(tracked(true, at(21)), 0),
            [false, true],
            "unchanged, but pages must be updated"
        );
        assert!(!feed.stale);
        // Found again in time: nothing goes.
        tell(&mut feed, lost(), 30);
        tell(&mut feed, running(), 33);
        tell(&mut feed, lost(), 34);
        assert!(!tell(&mut feed, lost(), 37) && !feed.stale);
    }
}

//! The sources that feed one table: what each shows, how it is doing, what it last saw.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{
    look::{Look, STIRRED, stirred},
    settling::Settling,
    sight::{InSight, Sight},
};
use crate::{calibration::table::TableProfile, tile::Seat};

/// What a source shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Shows {
    /// One player's hand, or a table of which only one hand is read.
    Hand,
    /// A table with all its players, or some of them.
    Table(TableProfile),
    /// The standing hand of whoever sat at that seat in the first deal of the round.
    Standing(Seat),
}

/// What a source that was lost so long ago last saw is not shown as what lies there any more.
const LOST: Duration = Duration::from_secs(5);
/// Numbers of tiles of different sources differ by this.
pub(super) const APART: u64 = 1 << 32;

pub(super) struct Feed {
    pub shows: Shows,
    pub source: Value,
    pub trouble: Option<String>,
    pub timing: Value,
    /// What it showed when it last was settled.
    pub settled: Option<Look>,
    /// Whether the tiles of that still lie there.
    in_sight: InSight,
    /// Since when it has been lost; until something has settled again.
    lost: Option<Instant>,
    /// It has been lost for so long that what it saw last may lie there no more.
    pub stale: bool,
    moving: bool,
    settling: Settling,
}

impl Feed {
    pub fn new(name: &str, shows: Shows) -> Self {
        Self {
            source: json!({ "name": name, "state": "starting" }),
            shows,
            trouble: None,
            timing: Value::Null,
            settled: None,
            in_sight: InSight::default(),
            lost: None,
            stale: false,
            moving: false,
            settling: Settling::default(),
        }
    }

    /// Takes in how the source is doing at a moment; whether that is to be told.
    pub fn tell(&mut self, state: Value, trouble: Option<String>, now: Instant) -> bool {
        if state["state"] == "lost" {
            self.lost.get_or_insert(now);
        } else if !self.stale {
            self.lost = None;
        }
        let stale = self.stale
            || self.lost.is_some_and(|since| now.saturating_duration_since(since) >= LOST);
        let news = (&self.source, &self.trouble, self.stale) != (&state, &trouble, stale);
        (self.source, self.trouble, self.stale) = (state, trouble, stale);
        news
    }

    /// Shows something else from now on.
    pub fn show(&mut self, shows: Shows) {
        (self.shows, self.moving) = (shows, false);
        // What settles from now on is something else, also where nothing lies otherwise.
        let counted = self.settled.as_ref().map_or(0, |look| look.changed);
        self.settling = Settling::counting_from(counted + 1);
    }

    /// Takes a look in: whether something settled anew, and whether anything is to be told.
    pub fn take(&mut self, mut look: Look, number: usize) -> [bool; 2] {
        for id in &mut look.ids {
            *id += APART * number as u64;
        }
        let was_stale = self.stale;
        // A table's parts settle each by itself, and are shown as they were until then. What was seen before it
        // was lost is handed on again with each attempt to open it, and is no news.
        let is_later = self.lost.is_none_or(|since| look.at > since);
        if is_later && (look.settled || matches!(self.shows, Shows::Table(_))) {
            (self.lost, self.stale) = (None, false);
        }
        let back = was_stale && !self.stale;
        if let Shows::Table(profile) = &self.shows {
            let view = profile.view([look.picture.width(), look.picture.height()]);
            let before = self.settled.as_ref().map(|look| look.changed);
            let news = self.settling.take(&look, &view);
            let settled = self.settling.look(&look);
            let is_new = before != Some(settled.changed);
            self.in_sight.see(&look);
            if is_new {
                self.in_sight.watch(&settled);
                self.settled = Some(settled);
            }
            return [is_new, news || is_new || back];
        }
        let moving = !look.settled;
        let is_new = !moving && self.settled.as_ref().is_none_or(|before| differs(before, &look));
        let news = is_new || back || moving != self.moving;
        self.moving = moving;
        self.in_sight.see(&look);
        if is_new {
            self.in_sight.watch(&look);
            self.settled = Some(look);
        }
        [is_new, news]
    }

    /// Whether some of the tiles that it last showed still lie there, by their numbers. What a lost source saw
    /// is in doubt at once.
    pub fn sight(&self, tiles: impl Iterator<Item = u64>) -> Sight {
        match (self.stale, &self.lost) {
            (true, _) => Sight::Gone,
            (false, Some(_)) => self.in_sight.of(tiles).max(Sight::Doubtful),
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

    /// As pages get it.
    pub fn json(&self) -> Value {
        let mut told = self.source.clone();
        let (shows, seat) = match &self.shows {
            Shows::Hand => ("hand", None),
            Shows::Table(_) => ("table", None),
            Shows::Standing(seat) => ("standing", Some(seat)),
        };
        told["shows"] = json!(shows);
        told["trouble"] = json!(self.trouble);
        told["stale"] = json!(self.stale);
        told["changed"] = json!(self.settled.as_ref().map(|look| look.changed));
        told["timing"] = self.timing.clone();
        if let Some(seat) = seat {
            told["seat"] = json!(seat);
        }
        if let Shows::Table(profile) = &self.shows {
            told["corners"] = json!(profile.corners);
            told["picture"] = json!(profile.picture);
            let edges = profile.seats.iter().map(|(seat, at)| (seat.to_string(), json!(at.edge)));
            told["seats"] = edges.collect::<serde_json::Map<_, _>>().into();
        }
        told
    }
}

/// Whether the tiles of a look are others than before, or lie elsewhere.
fn differs(before: &Look, now: &Look) -> bool {
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

    fn look(settled: bool, at: Instant) -> Look {
        let picture = Arc::new(Picture::from_rgb(image::RgbImage::new(64, 64)).unwrap());
        let (tiles, ids) = (Vec::new(), Vec::new());
        Look { picture, at, tiles, ids, unseen: Vec::new(), settled, changed: 1, tileset: None }
    }

    #[test]
    fn what_a_lost_camera_saw_goes_after_a_while_and_comes_back_when_something_has_settled() {
        let mut feed = Feed::new("camera:0", Shows::Hand);
        let start = Instant::now();
        let tell = |feed: &mut Feed, state: &str, seconds: u64| {
            let at = start + Duration::from_secs(seconds);
            feed.tell(json!({ "state": state }), None, at)
        };
        assert!(tell(&mut feed, "running", 0));
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        assert_eq!(feed.take(look(true, at(0)), 0), [true, true]);
        assert_eq!(feed.sight([].into_iter()), Sight::Seen);
        assert!(tell(&mut feed, "lost", 1), "the operator is told at once");
        assert_eq!(feed.sight([].into_iter()), Sight::Doubtful, "and the viewers");
        feed.take(look(true, at(0)), 0);
        assert!(!tell(&mut feed, "lost", 5) && !feed.stale, "what it saw before is no news");
        assert!(tell(&mut feed, "lost", 6) && feed.stale);
        assert!(tell(&mut feed, "running", 20));
        assert!(feed.stale, "nothing has been seen yet");
        feed.take(look(false, at(20)), 0);
        assert!(feed.stale, "something moves");
        assert_eq!(
            feed.take(look(true, at(21)), 0),
            [false, true],
            "the same as before, and to be told"
        );
        assert!(!feed.stale);
        // Found again in time: nothing goes.
        tell(&mut feed, "lost", 30);
        tell(&mut feed, "running", 33);
        tell(&mut feed, "lost", 34);
        assert!(!tell(&mut feed, "lost", 37) && !feed.stale);
    }
}

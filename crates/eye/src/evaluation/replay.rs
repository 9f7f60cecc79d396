//! Compares a recorded session, read live, with the tiles that were on the table.

use std::collections::HashMap;

use serde::Deserialize;

use super::{
    dataset::HandTruth,
    figures::{Share, median_and_p95},
    hands::compare_hand,
};
use crate::{
    hand::Reading,
    sight::{Corners, quad},
    tile::Face,
};

/// Least overlap (intersection over union) of a shown tile with the place of the true one.
const THERE: f32 = 0.5;
/// Shortest time, in seconds, in which a table can settle.
const LONG_ENOUGH: f32 = 1.5;

/// The tiles on the table of a recorded session over time.
#[derive(Clone, Debug, Deserialize)]
pub struct Replay {
    /// The video's file, beside this description.
    pub video: String,
    /// Pixels across and down.
    pub size: [u32; 2],
    /// Frames a second.
    pub fps: f32,
    /// The finished hands one after another.
    #[serde(default)]
    pub hands: Vec<ReplayHand>,
    /// The tiles on the table whenever nothing is moved.
    #[serde(default)]
    pub lies: Vec<StillTable>,
    /// Movement of the camera in each frame: pixels to the right and down, and degrees counter-clockwise about
    /// the picture's middle.
    #[serde(default)]
    pub camera: Vec<[f32; 3]>,
    /// The whole deals that are played, where it shows a table.
    pub game: Option<ReplayGame>,
}

impl Replay {
    /// Maps a point, as seen at a second of the video, to the picture of a camera that does not move.
    fn seen(&self, [x, y]: [f32; 2], at: f32) -> [f32; 2] {
        let frame = (at * self.fps).round().max(0.0) as usize;
        let last = self.camera.len().saturating_sub(1);
        let [dx, dy, angle] = self.camera.get(frame.min(last)).copied().unwrap_or_default();
        let [u, v] = self.size.map(|side| side as f32 / 2.0);
        let (sin, cos) = angle.to_radians().sin_cos();
        [cos * (x - u) + sin * (y - v) + u + dx, -sin * (x - u) + cos * (y - v) + v + dy]
    }
}

/// A table on which whole deals are played.
#[derive(Clone, Debug, Deserialize)]
pub struct ReplayGame {
    /// The file of its record, beside the video.
    pub record: String,
    /// The table's corners in the picture, as in a table file; the first dealer sits at the lower edge.
    pub corners: Corners,
}

/// The tiles on the table while nothing is moved; arms may reach over it.
#[derive(Clone, Debug, Deserialize)]
pub struct StillTable {
    /// From this second of the video on.
    pub from: f32,
    /// Until this one.
    pub to: f32,
    /// The tiles.
    pub tiles: Vec<StillTile>,
}

/// A tile on the table.
#[derive(Clone, Debug, Deserialize)]
pub struct StillTile {
    /// Its face.
    pub code: String,
    /// Its corners in the picture of a camera that does not move.
    pub corners: Corners,
}

/// A hand on the table for a while.
#[derive(Clone, Debug, Deserialize)]
pub struct ReplayHand {
    /// Second of the video from which on it does not move.
    pub from: f32,
    /// Until this one.
    pub to: f32,
    /// The hand, as text.
    pub text: String,
}

/// The state shown as of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplayMoment {
    /// Seconds of the video.
    pub at: f32,
    /// Whether the table had settled.
    pub settled: bool,
    /// The tiles: the constant number of each, its face, its corners.
    pub tiles: Vec<(u64, Face, Corners)>,
    /// The hand, if one was read.
    pub reading: Option<Reading>,
    /// Whether it was finished and sure enough to be scored unasked.
    pub scored: bool,
    /// Time from the frame's arrival to its tiles, in milliseconds.
    pub tracked_ms: f32,
}

/// The figures of a replay.
#[derive(Clone, Debug, Default)]
pub struct ReplayTally {
    /// Hands whose tiles a settled reading had right before they were cleared.
    pub settled_right: Share,
    /// Hands with a wrong settled reading that would have been scored unasked.
    pub wrong_and_scored: Share,
    /// Time from the last movement to the first right settled reading, in seconds, one for each hand.
    pub delays: Vec<f64>,
    /// Tables, still for a while, that a settled picture had right, tile for tile.
    pub tables_right: Share,
    /// Time from the last movement to that, in seconds.
    pub table_delays: Vec<f64>,
    /// Tiles on the table in settled frames that were shown with the right face.
    pub tiles_right: Share,
    /// Tiles shown in settled frames where none was.
    pub extra: Share,
    /// Number of times that a settled tile changed its shown face while nothing was moved.
    pub changes: usize,
    /// Minutes during which nothing was moved.
    pub minutes: f64,
    /// Times from a frame's arrival to its tiles, in milliseconds.
    pub latencies: Vec<f64>,
    /// Frames read.
    pub frames: usize,
    /// Seconds from the first frame to the last.
    pub seconds: f64,
}

impl ReplayTally {
    /// Counts a whole replay.
    ///
    /// # Errors
    /// A hand of the truth is not hand text.
    pub fn count(replay: &Replay, moments: &[ReplayMoment]) -> Result<Self, String> {
        let mut tally = Self {
            frames: moments.len(),
            latencies: moments.iter().map(|moment| f64::from(moment.tracked_ms)).collect(),
            ..Self::default()
        };
        if let (Some(first), Some(last)) = (moments.first(), moments.last()) {
            tally.seconds = f64::from(last.at - first.at);
        }
        for hand in &replay.hands {
            let reading: Reading =
                hand.text.parse().map_err(|error| format!("{}: {error}", hand.text))?;
            let truth = HandTruth { reading, kong_by_count: false, side_open: false };
            let right = |moment: &ReplayMoment| {
                moment.reading.as_ref().is_some_and(|read| compare_hand(&truth, read).0)
            };
            let during: Vec<&ReplayMoment> = (moments.iter())
                .filter(|moment| hand.from <= moment.at && moment.at < hand.to && moment.settled)
                .collect();
            let first = during.iter().find(|moment| right(moment));
            tally.settled_right.add(first.is_some());
            tally.delays.extend(first.map(|moment| f64::from(moment.at - hand.from)));
            tally.wrong_and_scored.add(during.iter().any(|moment| moment.scored && !right(moment)));
        }
        for lying in &replay.lies {
            tally.add_table(replay, lying, moments)?;
        }
        Ok(tally)
    }

    fn add_table(
        &mut self,
        replay: &Replay,
        lying: &StillTable,
        moments: &[ReplayMoment],
    ) -> Result<(), String> {
        let mut truth: Vec<(Face, Corners)> = Vec::with_capacity(lying.tiles.len());
        for tile in &lying.tiles {
            let face = tile.code.parse().map_err(|error| format!("{}: {error}", tile.code))?;
            truth.push((face, tile.corners));
        }
        let (mut shown, mut first) = (HashMap::<u64, Face>::new(), None);
        let during = (moments.iter())
            .filter(|moment| lying.from <= moment.at && moment.at < lying.to && moment.settled);
        for moment in during {
            let mut right = 0;
            for (face, corners) in &truth {
                let there = corners.map(|corner| replay.seen(corner, moment.at));
                let is_shown = moment.tiles.iter().any(|(_, shown, place)| {
                    shown == face && quad::overlap(place, &there)[0] > THERE
                });
                right += usize::from(is_shown);
                self.tiles_right.add(is_shown);
            }
            for (_, _, place) in &moment.tiles {
                let lies = |(_, corners): &(Face, Corners)| {
                    let there = corners.map(|corner| replay.seen(corner, moment.at));
                    quad::overlap(place, &there)[0] > THERE
                };
                self.extra.add(!truth.iter().any(lies));
            }
            if right == truth.len() && moment.tiles.len() == right {
                first.get_or_insert(moment.at);
            }
            for (id, face, _) in &moment.tiles {
                let before = shown.insert(*id, *face);
                self.changes += usize::from(before.is_some_and(|before| before != *face));
            }
        }
        if lying.to - lying.from >= LONG_ENOUGH && !truth.is_empty() {
            self.tables_right.add(first.is_some());
            self.table_delays.extend(first.map(|at| f64::from(at - lying.from)));
        }
        self.minutes += f64::from(lying.to - lying.from) / 60.0;
        Ok(())
    }

    /// The figures as text.
    #[must_use]
    pub fn text(&self) -> String {
        let of = |values: &[f64], unit: &str| {
            median_and_p95(values).map_or_else(
                || "none".to_owned(),
                |[median, p95]| {
                    format!("median {median:.2}, p95 {p95:.2} {unit}, n {}", values.len())
                },
            )
        };
        let rate = |count: usize, per: f64| if per > 0.0 { count as f64 / per } else { 0.0 };
        format!(
            "  finished hands settled right        {}\n  wrong, settled and scored           {}\n  \
             from lying still to settled right   {}\n  tables settled right, each tile     {}\n  \
             from lying still to that            {}\n  tiles that lie there, shown right   {}\n  \
             tiles shown where none lies         {}\n  changes of a face                   {:.2} a \
             minute, {} in {:.2} minutes\n  frame to tiles                      {}\n  frames \
             looked at                    {:.1} a second, {} in {:.0} s\n",
            self.settled_right,
            self.wrong_and_scored,
            of(&self.delays, "s"),
            self.tables_right,
            of(&self.table_delays, "s"),
            self.tiles_right,
            self.extra,
            rate(self.changes, self.minutes),
            self.changes,
            self.minutes,
            of(&self.latencies, "ms"),
            rate(self.frames, self.seconds),
            self.frames,
            self.seconds,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(at: f32, settled: bool, text: &str, scored: bool) -> ReplayMoment {
        let reading = (!text.is_empty()).then(|| text.parse().expect("a reading"));
        ReplayMoment { at, settled, reading, scored, tracked_ms: 10.0, tiles: Vec::new() }
    }

    fn replay(hands: Vec<ReplayHand>, lies: Vec<StillTable>) -> Replay {
        let camera = vec![[0.0; 3], [0.0; 3], [10.0, -4.0, 0.0]];
        Replay { video: String::new(), size: [640, 360], fps: 1.0, hands, lies, camera, game: None }
    }

    fn square(x: f32) -> Corners {
        [[x, 0.0], [x + 30.0, 0.0], [x + 30.0, 40.0], [x, 40.0]]
    }

    #[test]
    fn tiles_count_where_they_lie_and_the_camera_takes_them_along() {
        let tile = |code: &str, x| StillTile { code: code.to_owned(), corners: square(x) };
        let tiles = vec![tile("1m", 100.0), tile("2m", 131.0)];
        let replay = replay(Vec::new(), vec![StillTable { from: 0.0, to: 3.0, tiles }]);
        let face = |code: &str| code.parse::<Face>().expect("a face");
        let shown = |at, tiles: &[(u64, &str, f32, f32)]| {
            let tiles = tiles
                .iter()
                .map(|(id, code, x, y)| (*id, face(code), square(*x).map(|[u, v]| [u, v + y])));
            ReplayMoment { tiles: tiles.collect(), ..moment(at, true, "", false) }
        };
        let moments = [
            // One is missed and one shown where none is; then a wrong face; then all right, nudged.
            shown(0.0, &[(1, "1m", 100.0, 0.0), (2, "2m", 200.0, 0.0)]),
            shown(1.0, &[(1, "1m", 100.0, 0.0), (3, "3m", 131.0, 0.0)]),
            shown(2.0, &[(1, "1m", 110.0, -4.0), (3, "2m", 141.0, -4.0)]),
            ReplayMoment { settled: false, ..shown(2.5, &[]) },
        ];
        let tally = ReplayTally::count(&replay, &moments).expect("faces");
        assert_eq!((tally.tiles_right.good, tally.tiles_right.of), (4, 6));
        assert_eq!((tally.extra.good, tally.extra.of), (1, 6));
        assert_eq!((tally.tables_right.good, tally.tables_right.of), (1, 1));
        assert_eq!((tally.table_delays.as_slice(), tally.changes), (&[2.0][..], 1));
        assert!((tally.minutes - 0.05).abs() < 1e-6);
    }

    #[test]
    fn a_turned_camera_turns_what_is_seen_about_the_middle() {
        let mut replay = replay(Vec::new(), Vec::new());
        replay.camera = vec![[0.0, 0.0, 90.0]];
        let [x, y] = replay.seen([420.0, 180.0], 0.0);
        assert!((x - 320.0).abs() < 1e-3 && (y - 80.0).abs() < 1e-3, "counter-clockwise");
    }

    #[test]
    fn only_what_has_settled_counts_and_a_late_reading_is_late() {
        let hands = vec![
            ReplayHand { from: 1.0, to: 5.0, text: "123m55z".to_owned() },
            ReplayHand { from: 6.0, to: 9.0, text: "123p55z".to_owned() },
        ];
        let replay = replay(hands, Vec::new());
        let moments = [
            moment(1.1, false, "123m55p", true),
            moment(2.5, true, "123m55z", true),
            moment(4.0, true, "123m55z", true),
            moment(5.5, true, "9m", true),
            moment(7.0, true, "124p55z", true),
            moment(8.0, true, "123p55z", false),
        ];
        let tally = ReplayTally::count(&replay, &moments).expect("hands");
        assert_eq!((tally.settled_right.good, tally.settled_right.of), (2, 2));
        assert_eq!(tally.wrong_and_scored.good, 1);
        assert!((tally.delays[0] - 1.5).abs() < 1e-6 && (tally.delays[1] - 2.0).abs() < 1e-6);
        let none = ReplayTally::count(&replay, &[]).expect("hands");
        assert_eq!(none.settled_right.good, 0);
        assert!(none.text().contains("none"));
    }
}

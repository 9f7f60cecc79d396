//! A recorded session read live, against what lay on the table when.

use serde::Deserialize;

use super::{
    dataset::HandTruth,
    figures::{Share, median_and_p95},
    hands::compare_hand,
};
use crate::hand::Reading;

/// What lies on the table of a recorded session, and when.
#[derive(Clone, Debug, Deserialize)]
pub struct Replay {
    /// The video's file, beside this description.
    pub video: String,
    /// The hands one after another.
    pub hands: Vec<ReplayHand>,
}

/// One hand that lies there for a while.
#[derive(Clone, Debug, Deserialize)]
pub struct ReplayHand {
    /// From this second of the video on it lies still.
    pub from: f32,
    /// Until this one.
    pub to: f32,
    /// The hand, as text.
    pub text: String,
}

/// What was shown as of one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// Seconds of the video.
    pub at: f32,
    /// Whether what lay there had settled.
    pub settled: bool,
    /// The hand, where one was read.
    pub reading: Option<Reading>,
    /// Whether it was finished and sure enough to be scored unasked.
    pub scored: bool,
    /// From the frame's coming to the tiles, in milliseconds.
    pub tracked_ms: f32,
}

/// How a replay went.
#[derive(Clone, Debug, Default)]
pub struct ReplayTally {
    /// Hands of whose tiles a settled reading was right before they went.
    pub settled_right: Share,
    /// Hands of which a settled reading was ever wrong and would have been scored unasked.
    pub wrong_and_scored: Share,
    /// From lying still to the first settled reading that is right, in seconds, one for each hand.
    pub delays: Vec<f64>,
    /// How often the settled hand became another one while the same tiles lay there.
    pub changes: usize,
    /// Minutes during which hands lay there.
    pub minutes: f64,
    /// From a frame's coming to its tiles, in milliseconds.
    pub latencies: Vec<f64>,
    /// Frames looked at.
    pub frames: usize,
    /// Seconds from the first frame to the last.
    pub seconds: f64,
}

impl ReplayTally {
    /// Counts a whole replay.
    ///
    /// # Errors
    /// A hand of the truth that is no hand text.
    pub fn count(replay: &Replay, moments: &[Moment]) -> Result<Self, String> {
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
            let right = |moment: &Moment| {
                moment.reading.as_ref().is_some_and(|read| compare_hand(&truth, read).0)
            };
            let during: Vec<&Moment> = (moments.iter())
                .filter(|moment| hand.from <= moment.at && moment.at < hand.to && moment.settled)
                .collect();
            let first = during.iter().find(|moment| right(moment));
            tally.settled_right.add(first.is_some());
            tally.delays.extend(first.map(|moment| f64::from(moment.at - hand.from)));
            tally.wrong_and_scored.add(during.iter().any(|moment| moment.scored && !right(moment)));
            tally.changes +=
                during.windows(2).filter(|pair| pair[0].reading != pair[1].reading).count();
            tally.minutes += f64::from(hand.to - hand.from) / 60.0;
        }
        Ok(tally)
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
            "  tiles of the hand settled right    {}\n  wrong, settled and scored          {}\n  \
             from lying still to settled right  {}\n  changes while it lies there        {:.2} a \
             minute, {} in {:.2} minutes\n  frame to tiles                     {}\n  frames \
             looked at                   {:.1} a second, {} in {:.0} s\n",
            self.settled_right,
            self.wrong_and_scored,
            of(&self.delays, "s"),
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

    fn moment(at: f32, settled: bool, text: &str, scored: bool) -> Moment {
        let reading = (!text.is_empty()).then(|| text.parse().expect("a reading"));
        Moment { at, settled, reading, scored, tracked_ms: 10.0 }
    }

    #[test]
    fn only_what_has_settled_counts_and_a_late_reading_is_late() {
        let hands = vec![
            ReplayHand { from: 1.0, to: 5.0, text: "123m55z".to_owned() },
            ReplayHand { from: 6.0, to: 9.0, text: "123p55z".to_owned() },
        ];
        let replay = Replay { video: String::new(), hands };
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
        assert_eq!(tally.changes, 1);
        assert!((tally.delays[0] - 1.5).abs() < 1e-6 && (tally.delays[1] - 2.0).abs() < 1e-6);
        assert!((tally.minutes - 7.0 / 60.0).abs() < 1e-6);
        let none = ReplayTally::count(&replay, &[]).expect("hands");
        assert_eq!(none.settled_right.good, 0);
        assert!(none.text().contains("none"));
    }
}

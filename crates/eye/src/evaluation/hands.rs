//! Compares hands read from photos with a person's readings.

use super::{dataset::HandTruth, figures::Share};
use crate::{
    hand::Reading,
    layout::{Doubt, PictureLayout},
    tile::{SeenFace, Tile},
};

/// Counts over photos of hands.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandTally {
    /// Hands with the same tiles, in any place.
    pub hand: Share,
    /// Hands with the same sets and givers, concealed tiles in order, and winning tile.
    pub layout: Share,
    /// Hands not sure enough to be scored unasked.
    pub abstained: Share,
    /// Finished hands, sure enough to be scored, with other tiles, sets, givers or another winning tile; the
    /// order of the concealed tiles changes no score.
    pub sure_and_wrong: Share,
    /// Photos without one hand that get no score unasked.
    pub refused: Share,
}

impl HandTally {
    /// Adds other counts.
    pub fn merge(&mut self, other: &Self) {
        self.hand += other.hand;
        self.layout += other.layout;
        self.abstained += other.abstained;
        self.sure_and_wrong += other.sure_and_wrong;
        self.refused += other.refused;
    }

    /// Counts one photo; returns whether its layout is right.
    pub fn add(&mut self, truth: &HandTruth, shown: &PictureLayout, sure_enough: f32) -> bool {
        let empty = Reading::default();
        let (read, confidence) = match &shown.hand {
            Some(hand) => (&hand.reading, hand.confidence),
            None => (&empty, 0.0),
        };
        let (hand, layout) = compare_hand(truth, read);
        // Without a side of its own, a row read from the other side is right.
        let from_opposite = || {
            let turned = |doubt: &Doubt| {
                doubt.otherwise.as_ref().is_some_and(|other| compare_hand(truth, other).1)
            };
            truth.side_open
                && (shown.hand.as_ref().is_some_and(|hand| hand.doubts.iter().any(turned))
                    || compare_hand(truth, &reversed(read)).1)
        };
        let layout = layout || from_opposite();
        self.hand.add(hand);
        self.layout.add(layout);
        self.abstained.add(confidence < sure_enough);
        let scored =
            confidence >= sure_enough && shown.hand.as_ref().is_some_and(|hand| hand.finished);
        self.sure_and_wrong.add(scored && !compare_hand(&sorted(truth), &in_order(read)).1);
        layout
    }
}

/// Whether the tiles are equal, and whether the whole layout is.
///
/// Red fives count as plain ones: some labels do not distinguish them.
#[must_use]
pub fn compare_hand(truth: &HandTruth, read: &Reading) -> (bool, bool) {
    let (truth_tiles, read_tiles) = (all_tiles(&truth.reading), all_tiles(read));
    let hand = truth_tiles == read_tiles;
    let winning = truth.reading.winning.map(plain) == read.winning.map(plain);
    if truth.kong_by_count {
        return (hand, hand && winning);
    }
    let concealed = |reading: &Reading| -> Vec<SeenFace> {
        reading.concealed.iter().copied().map(plain).collect()
    };
    let sets = |reading: &Reading| {
        let mut sets: Vec<String> =
            reading.sets.iter().map(|set| set.to_string().replace('0', "5")).collect();
        sets.sort();
        sets
    };
    let layout = concealed(&truth.reading) == concealed(read)
        && sets(&truth.reading) == sets(read)
        && winning;
    (hand, hand && layout)
}

fn sorted(truth: &HandTruth) -> HandTruth {
    HandTruth { reading: in_order(&truth.reading), ..truth.clone() }
}

fn in_order(reading: &Reading) -> Reading {
    let mut reading = reading.clone();
    reading.concealed.sort_by_key(|tile| plain(*tile));
    reading
}

fn plain(tile: SeenFace) -> SeenFace {
    match tile {
        SeenFace::Tile(tile) => SeenFace::Tile(Tile::new(tile.face())),
        other => other,
    }
}

fn reversed(reading: &Reading) -> Reading {
    let mut reading = reading.clone();
    reading.concealed.reverse();
    reading
}

fn all_tiles(reading: &Reading) -> Vec<SeenFace> {
    let sets = reading.sets.iter().flat_map(|set| set.tiles.iter().map(|tile| tile.face));
    let rest = reading.concealed.iter().chain(&reading.bonus).chain(&reading.winning).copied();
    let mut tiles: Vec<SeenFace> = sets.chain(rest).map(plain).collect();
    tiles.sort();
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(text: &str) -> HandTruth {
        let reading = text.parse().expect("a reading");
        HandTruth { reading, kong_by_count: false, side_open: false }
    }

    #[test]
    fn sets_compare_as_sets_and_a_wrong_giver_is_a_wrong_layout() {
        let of = |truth_text: &str, read: &str| {
            compare_hand(&truth(truth_text), &read.parse().expect("a reading"))
        };
        let hand = "123m55p (7'77z) (2'34s) +9m";
        assert_eq!(of(hand, "123m55p (2'34s) (7'77z) +9m"), (true, true));
        assert_eq!(of(hand, "123m55p (2'34s) (77'7z) +9m"), (true, false));
        assert_eq!(of(hand, "123m55p9m (2'34s) (7'77z)"), (true, false));
        assert_eq!(of(hand, "123m05p (7'77z) (2'34s) +9m"), (true, true));
        assert_eq!(of(hand, "123m56p (7'77z) (2'34s) +9m"), (false, false));
    }
}

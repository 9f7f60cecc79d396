//! The tiles that complete a hand one tile short.

use thiserror::Error;

use super::{Circumstances, RuleSet, ScoreError, ScoredItem, Value, Win};
use crate::{
    hand::{Hand, HandError, Reading, RemainingTiles, RemainingTilesError, SeenError},
    tile::{Face, Seat, SeenFace, Side},
};

/// A tile that completes the hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The tile.
    pub tile: Face,
    /// Copies that neither the hand nor the seen tiles hold.
    pub unseen: u8,
    /// The value when self-drawn.
    pub self_draw: Result<Value, ScoreError>,
    /// The value when claimed from each other player.
    pub claimed: Vec<(Seat, Result<Value, ScoreError>)>,
    /// The items when self-drawn; empty where it does not win.
    pub self_draw_items: Vec<ScoredItem>,
    /// The items when claimed, from any giver; empty where it does not win.
    pub claimed_items: Vec<ScoredItem>,
}

/// Why the waits cannot be given.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WaitsError {
    /// A hand that is not one tile short.
    #[error("{found} tiles, expected {expected}: waits need a hand one tile short, without +")]
    Size {
        /// The number of tiles.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A hand of 4, 7 or 10 tiles (13 where hands have five sets), whose claimed sets were not
    /// given.
    #[error(
        "{found} tiles mean that {missing} of the sets are claimed, and a wait's worth depends on these: write them too, such as (7'77z)"
    )]
    ClaimedSetsMissing {
        /// The number of tiles.
        found: usize,
        /// The number of missing sets.
        missing: usize,
    },
    /// More of a face than there are, with those seen.
    #[error(transparent)]
    Seen(#[from] SeenError),
    /// A winning tile is marked.
    #[error("the hand has a winning tile ({0}): waits need a hand one tile short")]
    HasWinning(SeenFace),
    /// Any other fault of the hand.
    #[error(transparent)]
    Hand(#[from] HandError),
}

impl From<RemainingTilesError> for WaitsError {
    fn from(error: RemainingTilesError) -> Self {
        match error {
            RemainingTilesError::Hand(error) => Self::Hand(error),
            RemainingTilesError::Seen(error) => Self::Seen(error),
        }
    }
}

impl RuleSet {
    /// Each tile that completes a hand one tile short, and its value. `seen`: tiles that are
    /// face up elsewhere. `at`: seats and round; every way to win is tried.
    ///
    /// # Errors
    /// [`WaitsError`] where the reading is not a legal hand less its winning tile.
    pub fn waits(
        &self,
        reading: &Reading,
        seen: &[Face],
        at: &Circumstances,
    ) -> Result<Vec<Wait>, WaitsError> {
        if let Some(winning) = reading.winning {
            return Err(WaitsError::HasWinning(winning));
        }
        let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
        let found =
            reading.concealed.len() + reading.sets.iter().map(|set| set.tiles.len()).sum::<usize>();
        let sets = self.sets();
        let expected = 3 * sets + 1 + kongs;
        let missing =
            (1..=sets.saturating_sub(reading.sets.len())).find(|sets| found + 3 * sets == expected);
        if let Some(missing) = missing {
            return Err(WaitsError::ClaimedSetsMissing { found, missing });
        }
        if found != expected {
            return Err(WaitsError::Size { found, expected });
        }
        let held = RemainingTiles::new(reading, seen)?;
        let mut waits = Vec::new();
        for tile in Face::all().take(Face::SET_FACES) {
            let mut reading = reading.clone();
            reading.winning = Some(SeenFace::Tile(tile.into()));
            let hand = match Hand::try_from(&reading) {
                Ok(hand) => hand,
                // A fifth copy is no wait; anything else is wrong whatever the tile.
                Err(HandError::TooMany { face, count: 5 }) if face == tile => continue,
                Err(error) => return Err(error.into()),
            };
            let value = |win: Win| {
                let at = Circumstances { win, ..*at };
                self.core.outcome(&hand, &at)
            };
            let self_draw = value(Win::SelfDraw);
            // A flower where the rules have none is wrong whatever the tile.
            if self_draw.as_ref().is_err_and(|refusal| {
                *refusal == ScoreError::NoWin(super::NoWin::NotComplete) || refusal.is_bad_hand()
            }) {
                continue;
            }
            let items = |win: Win| {
                let at = Circumstances { win, ..*at };
                self.score(&hand, &at).map_or_else(|_| Vec::new(), |score| score.items)
            };
            let from = self.core.declared(at).neighbour(Side::Right);
            let self_draw_items = items(Win::SelfDraw);
            let claimed_items = from.map(|from| items(Win::Discard { from })).unwrap_or_default();
            let claimed = (self.seats(at))
                .filter(|&seat| seat != at.seat)
                .map(|from| (from, value(Win::Discard { from })))
                .collect();
            waits.push(Wait {
                tile,
                unseen: held.left[tile.index()],
                self_draw,
                claimed,
                self_draw_items,
                claimed_items,
            });
        }
        Ok(waits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(text: &str, seen: &str) -> Result<Vec<(String, u8)>, WaitsError> {
        let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
        let seen: Reading = seen.parse().unwrap();
        let seen: Vec<Face> = (seen.concealed.iter())
            .filter_map(|seen| match seen {
                SeenFace::Tile(tile) => Some(tile.face()),
                _ => None,
            })
            .collect();
        let waits = RuleSet::preset("mmm").unwrap().waits(&text.parse().unwrap(), &seen, &at)?;
        Ok(waits.iter().map(|wait| (wait.tile.to_string(), wait.unseen)).collect())
    }

    #[test]
    fn a_two_sided_wait_less_what_is_seen() {
        let found = waits("123m456p78s99s (7'77z)", "66s9s").unwrap();
        assert_eq!(found, [("6s".to_owned(), 2), ("9s".to_owned(), 1)]);
    }

    #[test]
    fn nine_gates_waits_for_nine_tiles() {
        assert_eq!(waits("1112345678999m", "").unwrap().len(), 9);
    }

    #[test]
    fn a_hand_with_a_flower_that_the_rules_do_not_have_waits_for_nothing() {
        assert_eq!(waits("111m333p55s77z789s 6f", "").unwrap(), []);
    }

    #[test]
    fn a_fifth_tile_is_no_wait() {
        assert_eq!(waits("1111m456p789s234s", "").unwrap(), [("1m".to_owned(), 0)][..0]);
    }

    #[test]
    fn a_hand_of_ten_tiles_lacks_its_claimed_sets() {
        for (hand, found, missing) in [
            ("123m456p78s99s", 10, 1),
            ("123m78s99s", 7, 2),
            ("1m99s2s", 4, 3),
            ("1m", 1, 4),
            ("78s99s (7'77z)", 7, 2),
        ] {
            let expected = WaitsError::ClaimedSetsMissing { found, missing };
            assert_eq!(waits(hand, "").unwrap_err(), expected, "{hand}");
        }
        assert!(matches!(waits("12m", ""), Err(WaitsError::Size { .. })));
    }

    #[test]
    fn each_wait_says_what_it_brings_and_whether_the_minimum_is_reached() {
        let at = Circumstances::new(Seat::South, Seat::East, Win::SelfDraw);
        let mcr = RuleSet::preset("mcr").unwrap();
        let waits = mcr.waits(&"123m78m678p33s (4'56m)".parse().unwrap(), &[], &at).unwrap();
        let [six, nine] = &waits[..] else { panic!("{waits:?}") };
        let ids = |items: &[ScoredItem]| -> Vec<String> {
            items.iter().map(|item| item.id.clone()).collect()
        };
        assert_eq!(ids(&nine.claimed_items)[..2], ["pure_straight", "all_chows"]);
        assert!(nine.claimed.iter().all(|(_, outcome)| outcome.is_ok()));
        // The 6 makes no straight.
        assert!(six.claimed.iter().all(|(_, outcome)| matches!(
            outcome,
            Err(ScoreError::NoWin(super::super::NoWin::BelowMinimum { .. }))
        )));
        assert!(six.claimed_items.is_empty());
    }

    #[test]
    fn fourteen_tiles_wait_for_nothing() {
        let error = waits("123m456p789s11222z", "").unwrap_err();
        assert_eq!(error, WaitsError::Size { found: 14, expected: 13 });
    }
}

//! The patterns of hands, each a small predicate written once. The rule files give the value of a
//! pattern, its exclusions and its scope.

mod counted;
mod masks;
mod predicates;
mod table;
mod view;

pub(crate) use counted::COUNTED;
use table::Place;
pub(crate) use table::{
    CHOW_HAND, CONCEALED, FOUR_CONCEALED_PUNGS, FOUR_KONGS, FULLY_CONCEALED, OF_WINNING_GROUP,
    PATTERNS, PINFU, PUNG_HAND, SELF_DRAWN, SEVEN_PAIRS, THREE_CONCEALED_PUNGS, THREE_KONGS, held,
};
pub(crate) use view::{HandContext, RuleFacts, View};

/// Patterns as bits, by their place in [`PATTERNS`].
pub(crate) type PatternSet = u128;

/// The tiles that earn a pattern.
#[derive(Clone, Copy)]
pub(crate) enum EarningTiles {
    /// The whole hand.
    Whole,
    /// The winning tile.
    Winning,
    /// Chows, as a count of each in three bits.
    Chows(fn(&View) -> u64),
    /// Pungs and kongs, a bit for each face.
    Pungs(fn(&View) -> u64),
    /// Pungs and kongs, and the pair.
    PungsAndPair(fn(&View) -> u64),
    /// The pair.
    Pair,
    /// Flowers and seasons, a bit each.
    Bonus(fn(&View) -> u8),
    /// Loose tiles: all copies of these faces.
    Faces(fn(&View) -> u64),
    /// All copies of these faces, each face by itself.
    EachFace(fn(&View) -> u64),
    /// The red fives.
    RedFives,
    /// The Norths put aside.
    Norths,
}

/// Counts a pattern in a reading.
pub(crate) type Predicate = fn(&View) -> u8;

/// A pattern that rule files may name.
pub(crate) struct Pattern {
    /// The name in rule files.
    pub name: &'static str,
    /// The description for people.
    pub about: &'static str,
    /// The predicate that counts it in a reading.
    pub count: Predicate,
    /// The tiles that earn it.
    pub evidence: EarningTiles,
}

impl Pattern {
    /// The pattern of that name, for an item.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        Self::condition(name).or_else(|| COUNTED.iter().find(|pattern| pattern.name == name))
    }

    /// The pattern of that name, where it may be a condition.
    pub(crate) fn condition(name: &str) -> Option<&'static Self> {
        PATTERNS.iter().find(|pattern| pattern.name == name)
    }

    /// Its bit in a [`PatternSet`]. A pattern that is counted shares the bit that every hand has.
    pub(crate) fn bit(&self) -> PatternSet {
        let place = PATTERNS.iter().position(|pattern| pattern.name == self.name);
        1 << place.unwrap_or(Place::any_hand as usize)
    }

    /// Whether only its count shows that a hand has it.
    pub(crate) fn is_counted(&self) -> bool {
        COUNTED.iter().any(|pattern| pattern.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::{
        EarningTiles::{Pungs, PungsAndPair},
        *,
    };
    use crate::{
        hand::{Arrangement, Forms, Hand, WonGroup, WonGroups, for_each_reading},
        rules::{Circumstances, Win},
        tile::Seat,
    };

    /// Calls `visit` with every reading of the hands that have some item, won in several ways.
    fn each_view(mut visit: impl FnMut(&View)) {
        let mut ways = Vec::new();
        for (seat, from) in [(Seat::East, Seat::West), (Seat::South, Seat::East)] {
            for win in [Win::SelfDraw, Win::Discard { from }, Win::RobKong { from }] {
                ways.extend([(seat, win, false), (seat, win, true)]);
            }
        }
        for line in include_str!("../../../../../tests/hands/items.txt").lines() {
            let texts = line.split(['|', ';']).map(str::trim);
            for hand in texts.filter_map(|text| text.parse::<Hand>().ok()) {
                for &(seat, win, rare) in &ways {
                    let mut at = Circumstances::new(seat, Seat::East, win);
                    at.dora_indicators = "1m5z".parse().unwrap();
                    if rare {
                        (at.last_tile, at.kong_on_kong, at.first_turn) = (true, true, true);
                        (at.first_draw, at.last_visible, at.ippatsu) = (true, true, true);
                        (at.riichi, at.double_riichi) = (true, true);
                        at.ura_indicators = at.dora_indicators;
                        at.north = 1;
                        (at.original_call, at.ninth_east_win, at.kong_discard) = (true, true, true);
                    }
                    let facts = RuleFacts {
                        exhausted_waits: rare,
                        north_supplement: rare,
                        shared_winds: 1 << Seat::North.wind().index(),
                        ..RuleFacts::default()
                    };
                    let deal = HandContext::new(&hand, &at, hand.bonus(), Forms::ALL, facts);
                    let claimed = win.is_claim();
                    for_each_reading(&hand, claimed, Forms::ALL, WonGroups::Every, |arrangement| {
                        visit(&deal.view(arrangement));
                    });
                }
            }
        }
    }

    #[test]
    fn the_condition_of_a_group_hides_no_pattern() {
        let mut seen = 0;
        each_view(|view| {
            let all = held(view, !0);
            for pattern in PATTERNS {
                let has = (pattern.count)(view) != 0;
                assert_eq!(all & pattern.bit() != 0, has, "{} in {}", pattern.name, view.hand);
            }
            seen |= all;
        });
        let never: Vec<&str> = (PATTERNS.iter())
            .filter(|pattern| seen & pattern.bit() == 0)
            .map(|pattern| pattern.name)
            .collect();
        assert!(never.is_empty(), "no hand has {never:?}");
    }

    #[test]
    fn counted_patterns_are_in_some_hand_with_the_tiles_that_make_them() {
        let mut seen = vec![false; COUNTED.len()];
        each_view(|view| {
            for (pattern, seen) in COUNTED.iter().zip(&mut seen) {
                if (pattern.count)(view) == 0 {
                    continue;
                }
                *seen = true;
                if let Pungs(tiles) | PungsAndPair(tiles) = pattern.evidence {
                    let shown = tiles(view);
                    assert!(shown != 0, "{} in {}", pattern.name, view.hand);
                    assert_eq!(shown & !view.pungs(), 0, "{} in {}", pattern.name, view.hand);
                }
            }
        });
        for (pattern, seen) in COUNTED.iter().zip(seen) {
            assert!(seen, "no hand has {}", pattern.name);
            assert!(Pattern::condition(pattern.name).is_none(), "{} has a bit", pattern.name);
        }
    }

    #[test]
    fn patterns_that_depend_on_the_winning_group_are_known() {
        each_view(|view| {
            for won in [WonGroup::Pung, WonGroup::Pair] {
                let other = Arrangement { won, ..*view.arrangement };
                let other = held(&View { arrangement: &other, ..*view }, !OF_WINNING_GROUP);
                assert_eq!(other, held(view, !OF_WINNING_GROUP), "{}", view.hand);
            }
        });
    }
}

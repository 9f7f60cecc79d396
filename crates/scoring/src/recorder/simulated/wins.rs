//! Who has won, on what and how, with what comes near to it.

use super::near_misses::Watched;
use crate::{
    recorder::{TileBefore, WonHand},
    rules::Fact,
    tile::Face,
};

/// A hand that waits for 5s, and that tile apart.
const HAND: &str = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 5s _ 5s";
/// The same beside a set.
const SHORT: &str = "1m 2m 3m 4m 5m 6m 7m 8m 9m 5s _ 5s";
/// Where a hand lies, and the first set beside it.
const LIES: [f32; 2] = [250.0, 965.0];
const SET: [f32; 2] = [890.0, 965.0];

/// A table at which each player discards in turn, East first, with 2z, 3z and so on first.
fn played(discards: &[&str]) -> Watched {
    let mut table = Watched::new();
    for (turn, text) in discards.iter().enumerate() {
        table.discard(turn as u64 + 1, turn % 4, text, (turn / 4) as u8);
    }
    table
}

fn opens(table: &mut Watched, player: usize, hand: &str) {
    table.put(100 * (player as u64 + 1), player, hand, LIES);
    table.wait(3.0);
}

fn won(table: &Watched) -> Option<WonHand> {
    table.recorder.standing().and_then(|standing| standing.won)
}

/// The winner, the giver and whether that is certain.
fn said(table: &Watched) -> Option<(usize, Option<usize>, bool)> {
    won(table).map(|won| (won.player, won.from, won.is_certain))
}

#[test]
fn the_last_discard_is_with_the_winner_or_lies_there_after_a_self_draw() {
    // What becomes of West's 5s, who opens a hand, and what is said of it.
    let cases = [
        (true, 0, Some((0, Some(2), true))),
        (true, 3, Some((3, Some(2), true))),
        // Nobody wins on his own discard.
        (true, 2, None),
        (false, 3, Some((3, None, true))),
        // It is North's turn: somebody's discard was not seen.
        (false, 0, None),
    ];
    for (taken, winner, expected) in cases {
        let mut table = played(&["2z", "3z", "5s"]);
        if taken {
            table.take(3..4);
        }
        opens(&mut table, winner, HAND);
        assert_eq!(said(&table), expected, "{taken} {winner}");
    }
}

#[test]
fn what_is_in_doubt_makes_no_certain_win() {
    let ron = || {
        let mut table = played(&["2z", "3z", "5s"]);
        table.take(3..4);
        table
    };
    // The discard was not clear.
    let mut table = played(&["2z", "3z"]);
    table.put(3, 2, "5s", super::script::FIRST);
    let unclear = table.tile(3);
    let [five, eight] = ["5s", "8s"].map(|code| code.parse::<Face>().unwrap().index());
    (unclear.faces[five], unclear.faces[eight]) = (0.8, 0.2);
    table.wait(1.6);
    table.take(3..4);
    opens(&mut table, 0, HAND);
    assert_eq!(said(&table), Some((0, Some(2), false)), "not clear");
    // An arm lies over the discards.
    let mut table = ron();
    table.covered = vec![1, 2];
    opens(&mut table, 0, HAND);
    assert_eq!(said(&table), Some((0, Some(2), false)), "under an arm");
    table.covered.clear();
    table.wait(1.0);
    assert_eq!(said(&table), Some((0, Some(2), true)), "seen again");
    // The tile is put back.
    table.put(3, 2, "5s", super::script::FIRST);
    table.wait(2.0);
    assert_eq!(said(&table).filter(|(.., is_certain)| *is_certain), None, "put back");
    // Another hand is complete too.
    let mut table = ron();
    opens(&mut table, 0, HAND);
    opens(&mut table, 1, HAND);
    assert_eq!(said(&table), None, "two");
    // A hand that waits is no second one, and what was certain stays while the table is swept.
    let mut table = ron();
    opens(&mut table, 0, HAND);
    opens(&mut table, 1, "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 3p 4p");
    assert_eq!(said(&table), Some((0, Some(2), true)), "one waits");
    table.take(1..2);
    table.wait(0.6);
    assert_eq!(said(&table), Some((0, Some(2), true)), "swept");
    // The tile that lies apart is another one.
    let mut table = ron();
    opens(&mut table, 0, "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 2p 5s 5s _ 3p");
    assert_eq!(said(&table), Some((0, Some(2), false)), "another one apart");
    // A discard waits for its turn.
    let mut table = ron();
    table.put(50, 1, "9p", [super::script::FIRST[0] + 28.0, super::script::FIRST[1]]);
    opens(&mut table, 0, HAND);
    assert_eq!(said(&table).filter(|(.., is_certain)| *is_certain), None, "one waits for its turn");
}

#[test]
fn riichi_holds_and_its_first_go_around_ends_with_a_claim_or_the_next_discard() {
    let facts = |table: &Watched| {
        let won = won(table).unwrap();
        [Fact::Riichi, Fact::DoubleRiichi, Fact::Ippatsu].map(|fact| won.is(fact))
    };
    let yes = [true, false].map(Some);
    let cases: [(&[&str], [Option<bool>; 3]); 5] = [
        // South declares in the second go-around; East wins, North gives.
        (&["1z", "2z", "3z", "4z", "9m", "9p'", "1z", "5s"], [yes[0], yes[1], yes[0]]),
        (
            &["1z", "2z", "3z", "4z", "9m", "9p'", "1z", "3z", "2z", "4z", "1z", "5s"],
            [yes[0], yes[1], yes[1]],
        ),
        (&["1z", "2z'", "3z", "5s"], [yes[1], yes[0], yes[0]]),
        (&["1z", "2z", "3z", "5s"], [yes[1], yes[1], yes[1]]),
        // Whoever lays two sideways means nothing by it.
        (&["1z", "2z'", "3z", "4z", "9m", "9p'", "1z", "5s"], [None, yes[1], yes[1]]),
    ];
    for (discards, expected) in cases {
        let mut table = played(discards);
        let last = discards.len() as u64;
        table.take(last..last + 1);
        opens(&mut table, 1, HAND);
        let found = facts(&table);
        if expected[0].is_some() {
            assert_eq!(found, expected, "{discards:?}");
        } else {
            assert_eq!(found[0], None, "{discards:?}");
        }
    }
    // West's claim of North's tile breaks it.
    let mut table = played(&["1z", "2z", "3z", "4z", "9m", "9p'", "1z", "7z"]);
    table.take(8..9);
    table.put(20, 2, "7z 7z 7z'", SET);
    table.wait(2.0);
    table.put(9, 2, "9s", [super::script::FIRST[0] + 56.0, super::script::FIRST[1]]);
    table.wait(1.6);
    table.put(10, 3, "5s", [super::script::FIRST[0] + 28.0, super::script::FIRST[1]]);
    table.wait(1.6);
    table.take(10..11);
    opens(&mut table, 1, HAND);
    assert_eq!(facts(&table), [Some(true), Some(false), Some(false)], "claimed");
}

#[test]
fn a_tile_drawn_after_a_kong_is_a_supplement() {
    for (kong, expected) in [(true, true), (false, false)] {
        let mut table = played(&["2z", "3z", "4z"]);
        if kong {
            table.put(20, 3, "1z 1z 1z 1z", [870.0, 965.0]);
            for id in [20, 23] {
                let tile = table.tile(id);
                (tile.back, tile.faces) = (1.0, [0.0; Face::COUNT]);
            }
            table.wait(2.0);
        }
        opens(&mut table, 3, if kong { SHORT } else { HAND });
        assert_eq!(said(&table), Some((3, None, true)));
        let won = won(&table).unwrap();
        assert_eq!(won.is(Fact::Supplement), Some(expected));
        assert_eq!([Fact::KongOnKong, Fact::LastTile].map(|fact| won.is(fact)), [Some(false); 2]);
    }
}

#[test]
fn the_winning_tile_was_thrown_before_passed_or_neither() {
    let cases: [(&[&str], TileBefore); 3] = [
        (&["5s", "2z", "3z", "4z", "1z", "2z", "5s"], TileBefore::Own),
        (&["1z", "2z", "3z", "4z", "1z", "5s", "5s"], TileBefore::Passed),
        (&["1z", "5s", "3z", "4z", "1z", "2z", "5s"], TileBefore::Fresh),
    ];
    for (discards, expected) in cases {
        let mut table = played(discards);
        table.take(7..8);
        opens(&mut table, 0, HAND);
        let won = won(&table).unwrap();
        assert_eq!((won.from.unwrap(), won.before), (2, Some(expected)), "{discards:?}");
        assert!(won.is_certain);
    }
}

#[test]
fn a_deal_says_how_it_stands() {
    let mut table = played(&["2z", "3z'", "4z", "7z"]);
    let standing = table.recorder.standing().unwrap();
    assert_eq!(
        (standing.last, standing.number, standing.drawn),
        (Some((3, true)), Some(1), Some(4))
    );
    assert_eq!(standing.riichi, [false, true, false, false].map(Some));
    assert_eq!(standing.discards[1][0].tile.to_string(), "3z");
    assert!(standing.discards[1][0].is_certain && standing.won.is_none());
    table.take(4..5);
    table.put(20, 0, "7z 7z 7z'", SET);
    table.wait(2.0);
    let standing = table.recorder.standing().unwrap();
    let claims: Vec<String> =
        standing.claims.iter().map(|(by, from, tile)| format!("{by} from {from} {tile}")).collect();
    assert_eq!((claims, standing.last), (vec!["0 from 3 7z".to_owned()], None));
    // The claimed tile completes the hand: nobody has drawn.
    opens(&mut table, 0, SHORT);
    assert_eq!(said(&table), None);
}

#[test]
fn a_pair_beside_four_claimed_sets_makes_no_other_the_winner() {
    let mut table = Watched::new();
    let mut id = 1;
    for (set, discards) in
        ["1m 2m 3m 1z", "4m 5m 6m 2z", "7m 8m 9m 3z", "1p 2p 3p 4z"].iter().enumerate()
    {
        for (player, text) in discards.split(' ').enumerate() {
            table.discard(id, player, text, set as u8);
            id += 1;
        }
        table.take(id - 1..id);
        let wind = format!("{}z", set + 1);
        let at = [890.0 - 100.0 * set as f32, 965.0];
        table.put(100 + 10 * set as u64, 0, &format!("{wind}' {wind} {wind}"), at);
        table.wait(2.0);
    }
    for (player, text) in ["4p", "6p", "5s"].iter().enumerate() {
        table.discard(id, player, text, 4);
        id += 1;
    }
    table.take(id - 1..id);
    opens(&mut table, 0, "5s _ 5s");
    assert!(said(&table).is_none_or(|(winner, from, _)| (winner, from) == (0, Some(2))));
}

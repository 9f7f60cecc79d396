//! Rounds made by rotating one round, so that nobody meets anybody twice, for the largest possible
//! number of rounds.
//!
//! The players are three circles of `places` places and one, two or three who stay. Each further
//! round moves every circle on by one place, so that two players meet again only where the first
//! round has the same difference between the same circles twice. Where n players make n - 1 a
//! multiple of three, everybody meets everybody once (a resolvable design: Hanani, Ray-Chaudhuri
//! and Wilson 1972); elsewhere each has one or two left whom he never meets (a resolvable
//! group-divisible design, of groups of two or three).
//!
//! The first rounds were searched for by exact cover, among those that look the same when every
//! circle becomes the next one and its places are multiplied by `factor`; the tests count that no
//! two players meet twice.

use super::Round;

/// A first round: seats, factor, and one table, as four players, of each three that become each
/// other. 12 and 20 players have none (`bound.rs` says why), 68, 92 and 100 as many rounds as are
/// played by the transversal construction.
const FIRST: [(u16, u16, &[u16]); 17] = [
    (16, 1, &[3, 8, 13, 15, 0, 1, 12, 14]),
    (24, 1, &[0, 9, 20, 23, 1, 3, 4, 19]),
    (28, 4, &[7, 10, 22, 27, 0, 5, 14, 15, 1, 4, 12, 17]),
    (36, 1, &[4, 18, 27, 34, 0, 2, 10, 28, 1, 8, 14, 20]),
    (40, 1, &[3, 16, 29, 39, 0, 6, 14, 18, 7, 12, 35, 36, 2, 4, 34, 37]),
    (44, 9, &[11, 15, 37, 42, 10, 20, 40, 43, 0, 6, 22, 25, 5, 7, 19, 32, 1, 2, 12, 33]),
    (48, 1, &[10, 28, 41, 47, 0, 4, 5, 38, 2, 18, 21, 42, 1, 7, 14, 24]),
    (52, 1, &[16, 33, 50, 51, 0, 35, 41, 48, 2, 5, 10, 38, 3, 29, 42, 43, 6, 28, 30, 49]),
    (
        56,
        7,
        &[11, 23, 53, 54, 3, 21, 39, 55, 4, 37, 45, 48, 8, 14, 34, 43, 1, 5, 33, 44, 0, 22, 24, 29],
    ),
    (60, 1, &[1, 22, 46, 58, 4, 45, 47, 55, 0, 37, 50, 54, 2, 14, 48, 51, 5, 6, 11, 53]),
    (
        64,
        1,
        &[18, 39, 60, 63, 1, 4, 14, 26, 0, 20, 30, 45, 2, 17, 28, 37, 8, 12, 36, 52, 6, 11, 13, 40],
    ),
    (
        72,
        1,
        &[0, 26, 51, 70, 7, 16, 36, 68, 2, 37, 61, 64, 1, 9, 19, 20, 4, 11, 52, 58, 8, 10, 44, 63],
    ),
    (
        76,
        1,
        &[
            18, 43, 68, 75, 0, 63, 65, 73, 1, 56, 69, 70, 2, 22, 41, 74, 5, 9, 58, 67, 3, 21, 32,
            62, 4, 10, 61, 64,
        ],
    ),
    (
        80,
        3,
        &[
            6, 44, 54, 78, 12, 36, 56, 79, 1, 5, 7, 34, 2, 37, 46, 62, 13, 23, 45, 58, 0, 8, 9, 66,
            3, 14, 33, 67, 10, 17, 22, 69,
        ],
    ),
    (
        84,
        1,
        &[
            5, 49, 62, 83, 0, 20, 53, 78, 2, 13, 41, 63, 3, 7, 45, 48, 1, 10, 11, 16, 12, 25, 44,
            46, 4, 23, 33, 69,
        ],
    ),
    (
        88,
        1,
        &[
            18, 47, 76, 87, 0, 11, 48, 62, 5, 20, 55, 79, 2, 10, 74, 86, 7, 37, 38, 41, 8, 9, 12,
            65, 14, 27, 75, 81, 1, 25, 61, 71, 6, 44, 51, 53,
        ],
    ),
    (
        96,
        1,
        &[
            11, 61, 87, 93, 1, 26, 55, 76, 8, 41, 52, 54, 4, 49, 77, 81, 9, 17, 51, 75, 2, 5, 89,
            90, 3, 12, 22, 29, 0, 16, 38, 68,
        ],
    ),
];

/// 32 players are four groups of eight, who have no such first round (two who stay would share a
/// difference). Each round is these tables and what becomes of them when one number from 0 to 7 is
/// added without carry to everybody's place in his group.
const THIRTY_TWO: [&[[u16; 4]]; 10] = [
    &[[0, 8, 16, 24]],
    &[[0, 11, 18, 25]],
    &[[0, 12, 19, 26]],
    &[[0, 14, 20, 27]],
    &[[0, 13, 17, 28]],
    &[[0, 9, 23, 29]],
    &[[0, 5, 10, 15], [16, 18, 28, 30]],
    &[[0, 3, 21, 22], [8, 12, 27, 31]],
    &[[0, 1, 30, 31], [8, 14, 19, 21]],
    &[[0, 2, 4, 6], [8, 9, 10, 11], [16, 17, 20, 21], [24, 27, 29, 30]],
];

/// 20 players in twelve rounds, in which nobody meets anybody three times: three rounds whose players
/// are five circles of four places, each turned by one place three times. A search by exchanges
/// found them.
const TWENTY: [[u16; 20]; 3] = [
    [3, 13, 10, 8, 7, 12, 4, 11, 18, 14, 16, 15, 19, 9, 0, 5, 6, 1, 17, 2],
    [13, 15, 1, 11, 6, 12, 19, 18, 17, 10, 9, 4, 16, 2, 0, 8, 3, 7, 14, 5],
    [7, 4, 14, 1, 15, 3, 0, 11, 9, 18, 8, 6, 2, 5, 19, 16, 13, 17, 12, 10],
];

/// Rounds in which nobody meets anybody oftener than twice, where the search does not reach that.
pub(super) fn at_most_twice(seats: u16, rounds: u16) -> Option<Vec<Round>> {
    if seats != 20 || !(11..=12).contains(&rounds) {
        return None;
    }
    let on = |player: u16, steps: u16| player / 4 * 4 + (player % 4 + steps) % 4;
    let turned = |round: &[u16; 20], steps| {
        round.as_chunks().0.iter().map(|table| table.map(|player| on(player, steps))).collect()
    };
    let all = TWENTY.iter().flat_map(|round| (0..4).map(move |steps| turned(round, steps)));
    Some(all.take(rounds.into()).collect())
}

/// All rounds of the design for a number of seats; empty where there is no design here.
pub(super) fn rounds(seats: u16) -> Vec<Round> {
    if seats == 32 {
        let add = |table: &[u16; 4], number: u16| table.map(|player| player ^ number);
        let round = |tables: &&[[u16; 4]]| {
            different(tables.iter().flat_map(|table| (0..8).map(move |number| add(table, number))))
        };
        return THIRTY_TWO.iter().map(round).collect();
    }
    let Some((_, factor, tables)) = FIRST.iter().find(|first| first.0 == seats) else {
        return Vec::new();
    };
    let places = (seats - 1) / 3;
    let circles = 3 * places;
    let stay = seats - circles;
    let next_circle = |player: u16| match player.checked_sub(circles) {
        Some(stays) if stay == 3 => circles + (stays + 1) % stay,
        Some(_) => player,
        None => (player / places + 1) % 3 * places + player % places * factor % places,
    };
    let first = different(tables.as_chunks().0.iter().flat_map(|table| {
        let turned = std::iter::successors(Some(*table), |table| Some(table.map(next_circle)));
        turned.take(3)
    }));
    let on = |player: u16, steps: u16| match player.checked_sub(circles) {
        Some(_) => player,
        None => player / places * places + (player % places + steps) % places,
    };
    let turned = |steps| first.iter().map(|table| table.map(|player| on(player, steps))).collect();
    (0..places).map(turned).collect()
}

/// The tables with different players, each once.
fn different(tables: impl Iterator<Item = [u16; 4]>) -> Round {
    let mut round = Round::new();
    for mut table in tables {
        table.sort_unstable();
        if !round.contains(&table) {
            round.push(table);
        }
    }
    round
}

//! Four groups of as many players as there are tables, one of each group at every table: rounds
//! without a repeated meeting from a difference matrix over Z_t (t tables).
//!
//! In round r the table x has player `x + a_g(r)` (mod t) of group g. Two players of different
//! groups g, h meet once where the differences `a_g(r) - a_h(r)` of the rounds are all different;
//! players of one group never meet. With t prime to 6, `a = 0, r, 2r, 3r` serves for all t rounds (the
//! classical construction for 4t players); elsewhere the offsets are chosen greedily, which
//! always serves for t/3 rounds.

use super::Round;

/// Up to `rounds` rounds, as far as the construction goes.
pub(super) fn rounds(seats: u16, rounds: u16) -> Vec<Round> {
    let tables = seats / 4;
    offsets(tables, rounds.min(tables))
        .into_iter()
        .map(|offsets| {
            (0..tables)
                .map(|table| {
                    let mut seated = [0; 4];
                    for (group, offset) in offsets.into_iter().enumerate() {
                        seated[group] = group as u16 * tables + (table + offset) % tables;
                    }
                    seated
                })
                .collect()
        })
        .collect()
}

/// The offset of each group in each round.
fn offsets(tables: u16, rounds: u16) -> Vec<[u16; 4]> {
    if !tables.is_multiple_of(2) && !tables.is_multiple_of(3) {
        let times =
            |factor: u32, round: u16| (factor * u32::from(round) % u32::from(tables)) as u16;
        return (0..rounds).map(|round| [0, 1, 2, 3].map(|factor| times(factor, round))).collect();
    }
    let mut chosen: Vec<[u16; 4]> = Vec::new();
    // used[g][h][d]: the difference d of groups g < h has been.
    let mut used = vec![[[false; 4]; 4]; usize::from(tables)];
    'rounds: while chosen.len() < usize::from(rounds) {
        let mut next = [0_u16; 4];
        for group in 1..4 {
            let free = (0..tables).find(|offset| {
                (0..group)
                    .all(|other| !used[difference(*offset, next[other], tables)][other][group])
            });
            match free {
                Some(offset) => next[group] = offset,
                None => break 'rounds,
            }
        }
        for group in 1..4 {
            for other in 0..group {
                used[difference(next[group], next[other], tables)][other][group] = true;
            }
        }
        chosen.push(next);
    }
    chosen
}

fn difference(a: u16, b: u16, tables: u16) -> usize {
    usize::from((a + tables - b) % tables)
}

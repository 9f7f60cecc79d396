//! Seats within the tables: in each block of four rounds everybody begins once in every wind.
//!
//! Tables and players of a block are the two sides of a graph, seats its edges; no player has more
//! than four in a block and no table more than four, so that four colours (winds) always suffice
//! (Kőnig 1916, on graphs and their use in determinant theory). A last block of fewer rounds has
//! different winds for everybody.

use super::{Number, Round, Table};

/// Winds of the edges at one player or table: which edge has each.
type Winds = [Option<usize>; 4];

/// Later rounds in which everybody begins about equally often in each wind, counting the earlier rounds, which
/// stay as they are: at each table the best of all orders, as long as that helps.
pub(super) fn evened(earlier: &[Vec<Table>], mut seated: Vec<Vec<Table>>) -> Vec<Vec<Table>> {
    const PASSES: usize = 20;
    let all = earlier.iter().chain(&seated).flatten();
    let most = all.clone().flatten().map(|number| number.index()).max().unwrap_or(0);
    let mut begun = vec![[0_i32; 4]; most + 1];
    for table in all {
        (0..4).for_each(|wind| begun[table[wind].index()][wind] += 1);
    }
    for _ in 0..PASSES {
        let mut better = false;
        for table in seated.iter_mut().flatten() {
            (0..4).for_each(|wind| begun[table[wind].index()][wind] -= 1);
            // Half the table's contribution to the sum of squares.
            let cost = |order: &[usize; 4]| -> i32 {
                (0..4).map(|wind| begun[table[order[wind]].index()][wind]).sum()
            };
            let now = [0, 1, 2, 3];
            let best = orders().min_by_key(cost).filter(|best| cost(best) < cost(&now));
            if let Some(order) = best {
                *table = order.map(|seat| table[seat]);
                better = true;
            }
            (0..4).for_each(|wind| begun[table[wind].index()][wind] += 1);
        }
        if !better {
            break;
        }
    }
    seated
}

/// All orders of four.
fn orders() -> impl Iterator<Item = [usize; 4]> {
    let order = |code: usize| std::array::from_fn(|seat| code >> (2 * seat) & 3);
    let is_one = |order: &[usize; 4]| order.iter().fold(0, |seen, seat| seen | 1 << seat) == 15;
    (0..256).map(order).filter(is_one)
}

struct Edge {
    table: usize,
    player: usize,
    wind: usize,
}

/// The rounds with winds dealt.
pub(super) fn dealt(rounds: &[Round]) -> Vec<Vec<Table>> {
    rounds.chunks(4).flat_map(block).collect()
}

fn block(rounds: &[Round]) -> Vec<Vec<Table>> {
    let tables = rounds.first().map_or(0, Vec::len);
    let mut at_table: Vec<Winds> = vec![[None; 4]; tables * rounds.len()];
    let mut at_player: Vec<Winds> = vec![[None; 4]; tables * 4];
    let mut edges: Vec<Edge> = Vec::new();
    for (table, player) in rounds
        .iter()
        .flatten()
        .enumerate()
        .flat_map(|(table, seated)| seated.map(|player| (table, usize::from(player))))
    {
        // Both have fewer than four edges so far, so that each lacks a wind.
        let lacks = |winds: &Winds| winds.iter().position(Option::is_none).unwrap_or(0);
        let (wind, other) = (lacks(&at_table[table]), lacks(&at_player[player]));
        if at_player[player][wind].is_some() {
            // Along the path of the two winds from the player, each becomes the other. It cannot
            // end at the table, which has no edge of `wind`.
            let mut path = Vec::new();
            let (mut next, mut looks_for, mut from_player) = (at_player[player][wind], wind, true);
            while let Some(edge) = next {
                path.push(edge);
                looks_for = if looks_for == wind { other } else { wind };
                next = if from_player {
                    at_table[edges[edge].table][looks_for]
                } else {
                    at_player[edges[edge].player][looks_for]
                };
                from_player = !from_player;
            }
            for edge in &path {
                let Edge { table, player, wind } = edges[*edge];
                at_table[table][wind] = None;
                at_player[player][wind] = None;
            }
            for edge in path {
                let flipped = if edges[edge].wind == wind { other } else { wind };
                edges[edge].wind = flipped;
                at_table[edges[edge].table][flipped] = Some(edge);
                at_player[edges[edge].player][flipped] = Some(edge);
            }
        }
        at_table[table][wind] = Some(edges.len());
        at_player[player][wind] = Some(edges.len());
        edges.push(Edge { table, player, wind });
    }
    let mut seated = vec![vec![[Number::at(0); 4]; tables]; rounds.len()];
    for edge in edges {
        seated[edge.table / tables][edge.table % tables][edge.wind] =
            Number::at(u16::try_from(edge.player).unwrap_or_default());
    }
    seated
}

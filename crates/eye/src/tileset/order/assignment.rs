//! The likeliest faces of all tiles of a lay-out together, where a set has a limited number of each.

use super::chain::Chances;
use crate::tile::{Face, Suit, Tile};

/// Cost, in nats, of a tile that is left without a face.
const WITHOUT: f64 = 14.0;

/// Most tiles of a face in a box, with red fives beside plain ones.
fn copies(face: Face) -> usize {
    let copies = usize::from(Face::COPIES);
    let has_red = Tile::red_five(face.suit()).is_some_and(|red| red.face() == face);
    match face.suit() {
        Suit::Bonus => 1,
        _ if has_red => 2 * copies,
        _ => copies,
    }
}

/// The face of each tile in the likeliest assignment; `None` where more tiles look like a face than a set has.
pub(super) fn likeliest(chances: &[Chances]) -> Vec<Option<Face>> {
    let slots: Vec<Face> =
        Face::all().flat_map(|face| std::iter::repeat_n(face, copies(face))).collect();
    let cost = |tile: usize, column: usize| {
        let p = slots.get(column).map(|face| chances[tile].faces[face.index()]);
        p.map_or(WITHOUT, |p| -p.max(f64::MIN_POSITIVE).ln())
    };
    let columns = cheapest(chances.len(), slots.len() + chances.len(), cost);
    columns.into_iter().map(|column| slots.get(column).copied()).collect()
}

/// The likeliest other face of a tile, of those that no surer tiles use up, with its share against the tile's own.
pub(super) fn other(
    tile: usize,
    chances: &[Chances],
    faces: &[Option<Face>],
) -> Option<(Face, f64)> {
    let own = faces[tile]?;
    let free = |face: &Face| {
        let used = faces.iter().filter(|used| **used == Some(*face)).count();
        *face != own && used < copies(*face)
    };
    let p = |face: Face| chances[tile].faces[face.index()];
    let other = Face::all().filter(free).max_by(|a, b| p(*a).total_cmp(&p(*b)))?;
    Some((other, p(other) / (p(other) + p(own))))
}

/// The column of each row, each column once, so that the sum of costs is least: shortest augmenting paths (Kuhn, 1955;
/// Jonker and Volgenant, 1987). There are at least as many columns as rows.
fn cheapest(rows: usize, columns: usize, cost: impl Fn(usize, usize) -> f64) -> Vec<usize> {
    let (mut of_row, mut of_column) = (vec![0.0; rows], vec![0.0; columns]);
    // The row of each column so far.
    let mut taken: Vec<Option<usize>> = vec![None; columns];
    for start in 0..rows {
        let mut least = vec![f64::INFINITY; columns];
        let mut before: Vec<Option<usize>> = vec![None; columns];
        let mut done = vec![false; columns];
        let (mut row, mut column) = (start, None);
        let last = loop {
            let mut next = (f64::INFINITY, 0);
            for at in (0..columns).filter(|at| !done[*at]) {
                let reduced = cost(row, at) - of_row[row] - of_column[at];
                if reduced < least[at] {
                    (least[at], before[at]) = (reduced, column);
                }
                if least[at] < next.0 {
                    next = (least[at], at);
                }
            }
            let (step, nearest) = next;
            of_row[start] += step;
            for at in 0..columns {
                match taken[at] {
                    Some(row) if done[at] => {
                        of_row[row] += step;
                        of_column[at] -= step;
                    }
                    _ => least[at] -= step,
                }
            }
            done[nearest] = true;
            match taken[nearest] {
                Some(other) => (row, column) = (other, Some(nearest)),
                None => break nearest,
            }
        };
        let mut at = last;
        while let Some(previous) = before[at] {
            taken[at] = taken[previous];
            at = previous;
        }
        taken[at] = Some(start);
    }
    let mut assigned = vec![0; rows];
    for (column, row) in taken.into_iter().enumerate() {
        if let Some(row) = row {
            assigned[row] = column;
        }
    }
    assigned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cheapest_assignment_is_that_of_trying_all() {
        let mut random = 7u32;
        for _ in 0..200 {
            let costs: [[f64; 5]; 4] = std::array::from_fn(|_| {
                std::array::from_fn(|_| {
                    random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    f64::from(random >> 24)
                })
            });
            let all =
                (0..5usize.pow(4)).map(|code| [code % 5, code / 5 % 5, code / 25 % 5, code / 125]);
            let sum = |columns: &[usize]| -> f64 {
                columns.iter().enumerate().map(|(row, column)| costs[row][*column]).sum()
            };
            let differ = |c: &[usize; 4]| (0..4).all(|a| (0..a).all(|b| c[a] != c[b]));
            let least = all.filter(differ).map(|c| sum(&c)).fold(f64::INFINITY, f64::min);
            let found = cheapest(4, 5, |row, column| costs[row][column]);
            assert!(differ(&[found[0], found[1], found[2], found[3]]));
            assert!((sum(&found) - least).abs() < 1e-9);
        }
    }
}

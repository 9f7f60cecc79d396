//! Reads the open sets and flowers of a player whose hand stands concealed.

use super::{
    arrange::{ArrangedHand, Laid, set_cost, unstack},
    read::{Judged, finish, read},
    rows::Run,
    scene::Scene,
    shown::{Hints, PictureLayout},
};
use crate::{
    hand::Reading,
    sight::{SeenTile, frame::length},
};

/// Cost of a tile that is left out, in nats.
const LEFT_OUT: f32 = 3.0;
/// Cost of a set without a sideways tile, in nats.
const WITHOUT_MARK: f32 = 1.0;
/// Least distance of the next row below the last, in its largest height.
const NEXT_ROW: f32 = 0.6;

/// The least number of concealed tiles of an open hand that lacks more than one tile.
const MOST_OF_IT: usize = 5;

/// Reads what lies open before a player: the whole hand, or while it stands its open sets and flowers alone, as
/// [`read_sets`] does. Also returns whether it is the hand.
pub fn read_open(seen: &[SeenTile], hints: &Hints) -> (PictureLayout, bool) {
    let shown = read(seen, hints);
    let is_hand = shown.hand.as_ref().is_some_and(|hand| {
        let Reading { concealed, sets, winning, .. } = &hand.reading;
        let size = concealed.len() + usize::from(winning.is_some()) + 3 * sets.len();
        size + 1 >= hints.whole.tiles() || concealed.len() >= MOST_OF_IT
    });
    if is_hand { (shown, true) } else { (read_sets(seen, hints), false) }
}

/// Reads the open sets and flowers among the tiles and leaves all other tiles out. The hand of [`PictureLayout`] then
/// holds only these; it is `None` if nothing lies open.
pub fn read_sets(seen: &[SeenTile], hints: &Hints) -> PictureLayout {
    let mut scene = Scene::new(seen, hints);
    let runs = in_reading_order(std::mem::take(&mut scene.runs));
    let appearances = &scene.appearances;
    let mut arranged = ArrangedHand { whole: hints.whole, ..ArrangedHand::default() };
    for run in &runs {
        let (line, stacked) = unstack(run);
        // best[at]: the cost of the tiles before it, and the set that ends there.
        let mut best: Vec<(f32, Option<Laid>)> = vec![(0.0, None)];
        for end in 1..=line.len() {
            let bonus = appearances[line[end - 1].tile].bonus;
            let mut cheapest = (best[end - 1].0 + if bonus { 0.0 } else { LEFT_OUT }, None);
            for size in [3, 4] {
                let Some(window) = end.checked_sub(size).map(|start| &line[start..end]) else {
                    continue;
                };
                let marked = set_cost(window, &stacked, appearances, false);
                let plain = || {
                    let (form, cost) = set_cost(window, &stacked, appearances, true)?;
                    Some((form, cost + WITHOUT_MARK))
                };
                let Some((form, cost)) = marked.or_else(plain) else { continue };
                let cost = best[end - size].0 + cost;
                if cost < cheapest.0 {
                    let on = |base: usize| stacked.iter().find(move |(under, _)| *under == base);
                    let tiles = (window.iter())
                        .flat_map(|placed| {
                            let upper = on(placed.tile).map(|(_, upper)| (*upper, true));
                            std::iter::once((placed.tile, placed.sideways)).chain(upper)
                        })
                        .collect();
                    cheapest = (cost, Some(Laid { tiles, form, by_count: false }));
                }
            }
            best.push(cheapest);
        }
        let (mut at, mut sets) = (line.len(), Vec::new());
        while at > 0 {
            match best[at].1.take() {
                Some(set) => {
                    let stacked =
                        set.tiles.iter().filter(|tile| !line.iter().any(|p| p.tile == tile.0));
                    at -= set.tiles.len() - stacked.count();
                    sets.insert(0, set);
                }
                None => {
                    at -= 1;
                    arranged
                        .bonus
                        .extend(Some(line[at].tile).filter(|&tile| appearances[tile].bonus));
                }
            }
        }
        arranged.sets.extend(sets);
    }
    if arranged.sets.is_empty() && arranged.bonus.is_empty() {
        return PictureLayout { tiles: scene.tiles, ..PictureLayout::default() };
    }
    arranged.sets.truncate(hints.whole.sets);
    let only = [Judged::new(arranged, appearances)];
    finish(scene, &only, 1.0, false)
}

/// Far rows first, each from the left.
fn in_reading_order(runs: Vec<Run>) -> Vec<Run> {
    let middle = |run: &Run, axis: usize| {
        let along: f32 = run.tiles.iter().map(|placed| placed.frame.centre[axis]).sum();
        along / run.tiles.len().max(1) as f32
    };
    let heights = runs.iter().flat_map(|run| &run.tiles).map(|placed| length(placed.frame.down));
    let height = heights.fold(0.0, f32::max);
    let mut runs: Vec<([f32; 2], Run)> =
        runs.into_iter().map(|run| ([0, 1].map(|axis| middle(&run, axis)), run)).collect();
    runs.sort_by(|(a, _), (b, _)| a[1].total_cmp(&b[1]));
    let (mut row, mut last) = (0, f32::MIN);
    let mut placed: Vec<(i32, f32, Run)> = Vec::new();
    for ([x, y], run) in runs {
        row += i32::from(y - last > NEXT_ROW * height);
        last = y;
        placed.push((row, x, run));
    }
    placed.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    placed.into_iter().map(|(_, _, run)| run).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sight::laid;

    /// Tiles as their player sees them.
    fn tiles(text: &str) -> Vec<SeenTile> {
        laid::row(text, [100.0, 940.0], [30.0, 40.0])
    }

    fn read(text: &str) -> Option<String> {
        let hints = Hints { seated_below: true, ..Hints::default() };
        let hand = read_sets(&tiles(text), &hints).hand?;
        assert!(hand.doubts.is_empty(), "{:?}", hand.doubts);
        Some(hand.reading.to_string())
    }

    #[test]
    fn one_open_set_is_read() {
        assert_eq!(read("7z' 7z 7z").as_deref(), Some("(7'77z)"));
        assert_eq!(read("7z 7z 7z'").as_deref(), Some("(777'z)"));
        assert_eq!(read("3s' 2s 4s").as_deref(), Some("(3'24s)"));
    }

    #[test]
    fn several_sets_and_flowers_are_read_in_one_row() {
        let text = "7z' 7z 7z _ 5p 5p' 5p 5p _ 1f _ 2m 3m 4m";
        assert_eq!(read(text).as_deref(), Some("(7'77z) (55'55p) (234m) 1f"));
    }

    #[test]
    fn what_makes_no_set_is_left_out() {
        assert_eq!(read("1m 9p 5s 2z"), None);
        assert_eq!(read("7z' 7z 7z _ 1m 9p").as_deref(), Some("(7'77z)"));
    }

    #[test]
    fn a_symmetric_set_is_seen_from_its_players_side() {
        // White dragons look the same both ways up: only the player's seat separates left from right.
        let mut upside_down = tiles("5z' 5z 5z");
        for tile in &mut upside_down {
            tile.turns = [0.5, 0.0, 0.5, 0.0];
            tile.corners.rotate_left(2);
        }
        let hints = Hints { seated_below: true, ..Hints::default() };
        let hand = read_sets(&upside_down, &hints).hand.unwrap();
        assert_eq!(hand.reading.to_string(), "(5'55z)");
    }
}

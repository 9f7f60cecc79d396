//! Kongs that only the number of tiles shows.

use super::{ArrangedHand, Laid, TileAppearance};
use crate::{hand::SetForm, layout::decode::is_finished, tile::Face};

/// Takes four alike beside each other as kongs where the hand has that many tiles too many.
pub fn kongs_by_count(arranged: &mut ArrangedHand, appearances: &[TileAppearance], surplus: usize) {
    let fours: Vec<usize> = (0..arranged.concealed.len().saturating_sub(3))
        .filter(|&at| {
            let four = &arranged.concealed[at..at + 4];
            !appearances[four[0]].back
                && !appearances[four[0]].bonus
                && four.iter().all(|&tile| appearances[tile].face() == appearances[four[0]].face())
        })
        .collect();
    if fours.len() < surplus || surplus > arranged.whole.sets {
        return;
    }
    // Where there are more than are needed, those that leave a finished hand.
    let mut best: Option<(bool, Vec<usize>)> = None;
    for mask in 0u32..1 << fours.len().min(5) {
        if mask.count_ones() as usize != surplus {
            continue;
        }
        let some: Vec<usize> = fours
            .iter()
            .enumerate()
            .filter(|(i, _)| mask >> i & 1 == 1)
            .map(|(_, &at)| at)
            .collect();
        let mut counts = [0u8; Face::SET_FACES];
        let mut sound = some.windows(2).all(|pair| pair[1] >= pair[0] + 4);
        for (place, &tile) in arranged.concealed.iter().enumerate() {
            if !some.iter().any(|&at| (at..at + 4).contains(&place)) {
                match counts.get_mut(appearances[tile].face()) {
                    Some(count) => *count += 1,
                    None => sound = false,
                }
            }
        }
        if let Some(winning) = arranged.winning
            && let Some(count) = counts.get_mut(appearances[winning].face())
        {
            *count += 1;
        }
        // Five alike are two fours that share tiles: not both of them are kongs.
        if !sound {
            continue;
        }
        let whole = is_finished(arranged.whole, &counts, arranged.sets.len() + surplus);
        if best.as_ref().is_none_or(|(so_far, _)| whole && !so_far) {
            best = Some((whole, some));
        }
    }
    let Some((_, some)) = best else { return };
    for &at in some.iter().rev() {
        let tiles: Vec<(usize, bool)> =
            arranged.concealed.drain(at..at + 4).map(|tile| (tile, false)).collect();
        arranged.sets.insert(0, Laid { tiles, form: SetForm::ConcealedKong, by_count: true });
    }
}

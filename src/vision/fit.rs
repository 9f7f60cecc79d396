//! A look at each find alone and at what lies around it: corners moved from where the detector saw them onto
//! the tile's (the better they lie on the face, the more surely it is named), and whether it is one at all.

use super::{
    Corners, ModelError, Reader,
    judgement::{BLANK, white},
    models::{BACK, CROP, Named, REJECT},
    pixels::Pixels,
    quad::{from_unit_square, grown, overlap, signed_area},
};

/// A find is shown so many times as large.
const GROWN: f32 = 1.5;
/// What moves so far that it shares less than this of both with the find was not about the find.
const STAYS: f32 = 0.6;
/// Surroundings less like a tile's than this logit speak against one, the more so the less,
const DOUBTFUL: f32 = -1.5;
/// by these odds at most (natural logarithm).
const MOST: f32 = 5.0;
/// Crops in one run.
const BATCH: usize = 64;

impl Reader {
    /// Moves the corners of finds onto the tiles'; each begins where it began. Gives for each the logit of the
    /// probability that a whole tile lies there, 0 where no network says.
    ///
    /// # Errors
    /// The runtime fails.
    pub(super) fn fit(
        &mut self,
        pixels: &Pixels<'_>,
        quads: &mut [Corners],
    ) -> Result<Vec<f32>, ModelError> {
        const SIZE: usize = 3 * CROP * CROP;
        if !self.models.has_corners() {
            return Ok(vec![0.0; quads.len()]);
        }
        let mut tiles = Vec::with_capacity(quads.len());
        for batch in quads.chunks_mut(BATCH) {
            let mut crops = vec![0.0; batch.len() * SIZE];
            for (quad, crop) in batch.iter().zip(crops.chunks_exact_mut(SIZE)) {
                pixels.upright(&grown(quad, GROWN), crop)?;
            }
            for (quad, fitted) in batch.iter_mut().zip(self.models.fitted(&crops)?) {
                // Of a tile cut by the picture's edge the found part is what can be named.
                let tile = moved(quad, &fitted.offsets).filter(|tile| pixels.shows(tile));
                *quad = tile.unwrap_or(*quad);
                tiles.push(fitted.tile);
            }
        }
        Ok(tiles)
    }
}

/// Weighs in what the surroundings of a find say: `tile` is the logit of the probability that a whole tile lies there.
///
/// They make it less likely, and never likelier: what a face is cannot be seen from around it.
pub(super) fn weigh_surroundings(named: &mut Named, tile: f32) {
    if tile.is_nan() {
        return;
    }
    let odds = (tile - DOUBTFUL).clamp(-MOST, 0.0).exp();
    let before = 1.0 - named.classes[REJECT];
    let mut after = before * odds / (before * odds + named.classes[REJECT]);
    let white = white().map_or(0.0, |white| named.classes[white]);
    if white + named.classes[BACK] + named.classes[REJECT] > BLANK {
        // Within its edges a blank looks like any other: what lies around is all that tells.
        after = after.min(odds);
    }
    let shrink = after / before.max(f32::MIN_POSITIVE);
    named.classes.iter_mut().for_each(|p| *p *= shrink);
    named.classes[REJECT] = 1.0 - after;
    named.around = odds;
}

/// A find with its corners moved; `None` where that makes no tile of it.
fn moved(quad: &Corners, offsets: &[[f32; 2]; 4]) -> Option<Corners> {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let mut corners = *quad;
    for ((corner, at), offset) in corners.iter_mut().zip(square).zip(offsets) {
        *corner = from_unit_square(quad, [at[0] + offset[0], at[1] + offset[1]])?;
    }
    let convex = (0..4).all(|k| {
        let three = [k, k + 1, k + 2].map(|k| corners[k % 4]);
        signed_area(&three) > 0.0
    });
    (convex && overlap(quad, &corners)[0] >= STAYS).then_some(corners)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::models::CLASSES;

    const FIND: Corners = [[10.0, 10.0], [40.0, 10.0], [40.0, 50.0], [10.0, 50.0]];

    #[test]
    fn corners_move_by_shares_of_the_find() {
        let offsets = [[-0.1, 0.0], [0.0, 0.0], [0.1, 0.1], [0.0, 0.05]];
        let tile = [[7.0, 10.0], [40.0, 10.0], [43.0, 54.0], [10.0, 52.0]];
        let corners = moved(&FIND, &offsets).expect("a tile");
        let off = corners.iter().flatten().zip(tile.iter().flatten());
        assert!(off.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-3, "{corners:?}");
    }

    fn named(bird: f32, reject: f32) -> Named {
        let mut classes = [0.0; CLASSES];
        (classes[18], classes[REJECT]) = (bird, reject);
        Named { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0, around: 1.0 }
    }

    #[test]
    fn surroundings_unlike_a_tile_s_make_it_less_likely_and_others_never_likelier() {
        let after = |tile: f32| {
            let mut named = named(0.8, 0.2);
            weigh_surroundings(&mut named, tile);
            assert!((named.classes.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{tile}");
            named.classes[REJECT]
        };
        for likely in [0.0, 9.0, DOUBTFUL, f32::NAN] {
            assert!((after(likely) - 0.2).abs() < 1e-6, "{likely}");
        }
        assert!(after(-3.0) > 0.5 && after(-4.0) > after(-3.0));
        assert_eq!(after(-40.0), after(-20.0), "not beyond all doubt");
        assert!(after(-40.0) < 0.99);
    }

    #[test]
    fn a_blank_is_no_likelier_a_tile_than_its_surroundings_say() {
        let after = |tile: f32, face: usize| {
            let mut named = named(0.0, 0.0);
            named.classes[face] = 1.0;
            weigh_surroundings(&mut named, tile);
            assert!((named.classes.iter().sum::<f32>() - 1.0).abs() < 1e-5, "{tile}");
            named.classes[face]
        };
        let white = white().expect("a white dragon");
        for blank in [BACK, white] {
            assert!(after(DOUBTFUL, blank) > 0.99);
            assert!(after(DOUBTFUL - 1.0, blank) < 0.5 && after(-20.0, blank) < 0.01);
        }
        assert!(after(-20.0, 18) > 0.99, "a face that can be named");
    }

    #[test]
    fn what_is_surely_a_tile_or_none_stays_it() {
        for (bird, reject) in [(1.0, 0.0), (0.0, 1.0)] {
            let mut named = named(bird, reject);
            weigh_surroundings(&mut named, -20.0);
            assert_eq!((named.classes[18], named.classes[REJECT]), (bird, reject));
        }
    }

    #[test]
    fn what_is_no_outline_or_another_tile_s_is_not_believed() {
        let crossed = [[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0], [0.0, 0.0]];
        assert_eq!(moved(&FIND, &crossed), None);
        assert_eq!(moved(&FIND, &[[0.6, 0.0]; 4]), None, "a neighbour");
        assert_eq!(moved(&FIND, &[[f32::NAN, 0.0]; 4]), None);
        assert_eq!(moved(&[[3.0, 3.0]; 4], &[[0.0, 0.0]; 4]), None);
    }
}

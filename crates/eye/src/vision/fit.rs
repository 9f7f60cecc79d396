//! Runs the corner network on each detection: moves its corners onto the tile's, which makes the classifier surer, and
//! gives the probability that a tile lies there.

use super::{ModelError, Reader, networks::CROP, pixels::Pixels};
use crate::sight::{
    Corners,
    quad::{from_unit_square, grown, overlap, signed_area},
};

/// Side of the crop around a detection, in sides of the detection.
const GROWN: f32 = 1.5;
/// A fit is discarded where its overlap (intersection over union) with the detection is below this: it found
/// another tile.
const STAYS: f32 = 0.6;
/// Crops in one run.
const BATCH: usize = 64;

impl Reader {
    /// Moves the corners of detections onto the tiles' corners, keeping their order. Returns, for each, the logit of
    /// the probability that a whole tile lies there; 0 without a corner network.
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
            return Ok(vec![f32::NAN; quads.len()]);
        }
        let mut tiles = Vec::with_capacity(quads.len());
        self.work.fitted += quads.len();
        for batch in quads.chunks_mut(BATCH) {
            let mut crops = vec![0.0; batch.len() * SIZE];
            for (quad, crop) in batch.iter().zip(crops.chunks_exact_mut(SIZE)) {
                pixels.upright(&grown(quad, GROWN), crop)?;
            }
            for (quad, fitted) in batch.iter_mut().zip(self.models.fitted(&crops)?) {
                // Of a tile that the picture's edge cuts, the detected part is classified.
                let tile = moved(quad, &fitted.offsets).filter(|tile| pixels.shows(tile));
                *quad = tile.unwrap_or(*quad);
                tiles.push(fitted.tile);
            }
        }
        Ok(tiles)
    }
}

/// A detection with its corners moved; `None` if the result is not a tile.
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

    const FIND: Corners = [[10.0, 10.0], [40.0, 10.0], [40.0, 50.0], [10.0, 50.0]];

    #[test]
    fn corners_move_by_shares_of_the_find() {
        let offsets = [[-0.1, 0.0], [0.0, 0.0], [0.1, 0.1], [0.0, 0.05]];
        let tile = [[7.0, 10.0], [40.0, 10.0], [43.0, 54.0], [10.0, 52.0]];
        let corners = moved(&FIND, &offsets).expect("a tile");
        let off = corners.iter().flatten().zip(tile.iter().flatten());
        assert!(off.map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) < 1e-3, "{corners:?}");
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

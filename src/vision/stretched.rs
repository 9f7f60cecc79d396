//! Pictures that were pulled out of shape: a row that was cut out and made square, as collections of photos often
//! are, shows its tiles several times as high as wide. They are brought down and looked at again.

use image::imageops::thumbnail;

use super::{
    ModelError, Picture, Reader, SeenTile,
    judgement::{SURE_FACE, in_reading_order},
    quad::bounding_box,
};

/// So many times a picture is brought down, in height or in width, where no tile tells how far.
const SQUEEZE: f32 = 3.0;
/// Tiles so many times as high as wide, or as wide as high, are out of shape,
const OUT_OF_SHAPE: f32 = 1.75;
/// and are brought down by how much they are beyond this: a face upright.
const UPRIGHT: f32 = 4.0 / 3.0;
/// A picture brought down is enlarged until its long side has so many pixels, up to what it had.
const LONG: f32 = 1024.0;
/// Fewer faces that are sure, in a picture brought down, may be anything.
const ROW: usize = 4;

impl Reader {
    /// Every tile of a picture, from the top to the bottom, in each row from the left; none where
    /// none shows its face. Where there is none, or where tiles are out of shape, it is brought down in height and in
    /// width, in case it was stretched.
    ///
    /// # Errors
    /// The runtime fails, as for want of memory.
    pub fn read(&mut self, picture: &Picture) -> Result<Vec<SeenTile>, ModelError> {
        let mut best = self.read_as_taken(picture)?;
        for (axis, mut by) in stretched(&best) {
            for _ in 0..2 {
                let Some((down, scale)) = squeezed(picture, axis, by) else { break };
                let tileset = self.tilesets.choice.clone();
                let mut tiles = self.read_as_taken(&down)?;
                if sure(&tiles) < ROW || told(&tiles) <= told(&best) {
                    self.tilesets.choice = tileset;
                    break;
                }
                let again = stretched(&tiles).into_iter().find(|(still, _)| *still == axis);
                for corner in tiles.iter_mut().flat_map(|tile| &mut tile.corners) {
                    *corner = [0, 1].map(|k| corner[k] * scale[k]);
                }
                best = in_reading_order(tiles);
                let Some((_, more)) = again else { break };
                by *= more;
            }
        }
        Ok(best)
    }
}

/// The axes (0 across, 1 down) in which a picture may have been stretched, and how many times, by the tiles that it
/// shows as it is.
fn stretched(tiles: &[SeenTile]) -> Vec<(usize, f32)> {
    match shape(tiles) {
        None => vec![(1, SQUEEZE), (0, SQUEEZE)],
        Some(shape) if shape > OUT_OF_SHAPE => vec![(1, shape / UPRIGHT)],
        Some(shape) if shape < 1.0 / OUT_OF_SHAPE => vec![(0, 1.0 / shape / UPRIGHT)],
        Some(_) => Vec::new(),
    }
}

/// How many times as high as wide most tiles are, or not quite so much.
fn shape(tiles: &[SeenTile]) -> Option<f32> {
    let mut shapes: Vec<f32> = (tiles.iter())
        .map(|tile| {
            let [left, top, right, bottom] = bounding_box(&tile.corners);
            (bottom - top) / (right - left)
        })
        .collect();
    shapes.sort_by(f32::total_cmp);
    shapes.get(shapes.len() / 2).copied()
}

/// A picture brought down so many times along an axis, and how many pixels one of its own is then, across and down;
/// `None` where that leaves too little to see.
fn squeezed(picture: &Picture, axis: usize, by: f32) -> Option<(Picture, [f32; 2])> {
    let before = [picture.width() as f32, picture.height() as f32];
    let mut after = before;
    after[axis] /= by;
    let larger = (LONG / after[0].max(after[1])).clamp(1.0, by.max(1.0));
    let after = after.map(|side| (side * larger) as u32);
    if after.contains(&0) {
        return None;
    }
    let down = thumbnail(picture.rgb(), after[0], after[1]);
    let scale = [0, 1].map(|axis| before[axis] / after[axis] as f32);
    Some((Picture::from_rgb(down).ok()?, scale))
}

/// How much is read: the sum of how sure each name is.
fn told(tiles: &[SeenTile]) -> f32 {
    tiles.iter().map(|tile| tile.named().1).sum()
}

/// How many tiles show a face surely.
fn sure(tiles: &[SeenTile]) -> usize {
    tiles.iter().filter(|tile| tile.faces.iter().any(|p| *p > SURE_FACE)).count()
}

#[cfg(test)]
mod tests {
    use image::RgbImage;

    use super::{super::laid, *};
    use crate::tile::Face;

    #[test]
    fn tiles_out_of_shape_tell_in_which_direction() {
        let one = Face::all().next().expect("a face");
        let of = |[width, height]: [f32; 2]| {
            laid::tile(one, [[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]])
        };
        let row = |size: [f32; 2]| stretched(&[of(size), of(size), of([30.0, 40.0])]);
        assert_eq!(row([30.0, 40.0]), [], "upright");
        assert_eq!(row([40.0, 30.0]), [], "sideways");
        assert_eq!(row([30.0, 22.0]), [], "seen low");
        assert_eq!(row([30.0, 120.0]), [(1, 3.0)]);
        assert_eq!(row([120.0, 30.0]), [(0, 3.0)]);
        assert_eq!(stretched(&[]).len(), 2, "nobody knows");
    }

    #[test]
    fn a_picture_is_brought_down_in_one_direction_if_enough_is_left() {
        let size = |width, height, axis| {
            let picture = Picture::from_rgb(RgbImage::new(width, height)).expect("a picture");
            let (down, scale) = squeezed(&picture, axis, 3.0)?;
            Some(([down.width(), down.height()], scale))
        };
        assert_eq!(size(1500, 1500, 1), Some(([1500, 500], [1.0, 3.0])));
        let enlarged = Some(([512, 1024], [1.5, 0.5]));
        assert_eq!(size(768, 512, 0), enlarged, "not smaller than need be");
        assert_eq!(size(32, 4000, 0), None);
    }
}

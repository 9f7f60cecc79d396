//! What the eye hands on: one tile found in a picture.

use crate::tile::Face;

/// Four corners of a face in pixels of the picture (x to the right, y down, the centre of the
/// first pixel at 0.5, 0.5), clockwise from the face's own top left.
pub type Corners = [[f32; 2]; 4];

/// A tile found in a picture, not yet judged.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenTile {
    /// Where it lies and how it is turned.
    pub corners: Corners,
    /// How sure the finder is that a whole tile lies here, 0-1.
    pub found: f32,
    /// Calibrated probability of each face by [`Face::index`].
    pub faces: [f32; Face::COUNT],
    /// Probability that it lies face down.
    pub back: f32,
    /// Probability that it is no tile. `faces`, `back` and `reject` sum to one.
    pub reject: f32,
    /// Probability that it is a red five, given that it is a five.
    pub red: f32,
    /// Probability of each turn: `turns[k]`, that the face's own top left is `corners[k]`. Faces
    /// that look the same both ways up share it between 0 and 2.
    pub turns: [f32; 4],
}

//! What the eye hands on: one tile found in a picture.

use crate::tile::{Face, SeenFace, Tile};

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

/// A face less likely than this, given that one shows, is no name.
const NAMED: f32 = 0.4;

impl SeenTile {
    /// Probability that its face shows, whichever it is.
    #[must_use]
    pub fn shows_face(&self) -> f32 {
        self.faces.iter().sum()
    }

    /// The likeliest faces first, each with its probability.
    #[must_use]
    pub fn likeliest_faces(&self) -> Vec<(Face, f32)> {
        let mut faces: Vec<(Face, f32)> = Face::all().zip(self.faces).collect();
        faces.sort_by(|a, b| b.1.total_cmp(&a.1));
        faces
    }

    /// What it is read as, and how likely that is: a face that is likely enough given that one shows, else
    /// [`SeenFace::Unknown`]. That it may be no tile at all makes it less likely, but gives it no other name.
    ///
    /// ```
    /// use tilelens::{tile::Face, sight::SeenTile};
    /// let mut seen = SeenTile {
    ///     corners: [[0.0, 0.0], [30.0, 0.0], [30.0, 40.0], [0.0, 40.0]],
    ///     found: 0.9,
    ///     faces: [0.0; Face::COUNT],
    ///     back: 0.0,
    ///     reject: 0.6,
    ///     red: 0.0,
    ///     turns: [1.0, 0.0, 0.0, 0.0],
    /// };
    /// seen.faces[0] = 0.3;
    /// seen.faces[1] = 0.1;
    /// let (face, p) = seen.named();
    /// assert_eq!((face.to_string().as_str(), p), ("1m", 0.3));
    /// seen.faces[..4].fill(0.1); // one of four, none likelier than the others
    /// assert_eq!(seen.named().0.to_string(), "?");
    /// ```
    #[must_use]
    pub fn named(&self) -> (SeenFace, f32) {
        if self.back > self.shows_face() {
            return (SeenFace::Back, self.back);
        }
        match self.likeliest_faces().first() {
            Some(&(face, p)) if p >= NAMED * self.shows_face() => {
                (SeenFace::Tile(self.coloured(face)), p)
            }
            Some(&(_, p)) => (SeenFace::Unknown, p),
            None => (SeenFace::Unknown, 0.0),
        }
    }

    /// A face as this tile shows it: the red five where red is likelier than not.
    #[must_use]
    pub fn coloured(&self, face: Face) -> Tile {
        match Tile::red_five(face.suit()) {
            Some(five) if five.face() == face && self.red > 0.5 => five,
            _ => face.into(),
        }
    }
}

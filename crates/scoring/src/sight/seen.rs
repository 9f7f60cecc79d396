//! One tile seen in a picture.

use crate::tile::{Face, SeenFace, Tile};

/// Four corners of a face in pixels of the picture (x to the right, y down, the centre of the
/// first pixel at 0.5, 0.5), clockwise from the face's own top left.
pub type Corners = [[f32; 2]; 4];

/// A tile seen in a picture, before any judgement.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenTile {
    /// Its corners, from the face's own top left.
    pub corners: Corners,
    /// Probability that a whole tile is here, 0-1.
    pub found: f32,
    /// Calibrated probability of each face by [`Face::index`].
    pub faces: [f32; Face::COUNT],
    /// Probability that it is face down.
    pub back: f32,
    /// Probability that it is not a tile. `faces`, `back` and `reject` sum to one.
    pub reject: f32,
    /// Probability that it is a red five, given that it is a five.
    pub red: f32,
    /// Probability of each turn: `turns[k]`, that the face's own top left is `corners[k]`. Faces
    /// that look the same both ways up share it between 0 and 2.
    pub turns: [f32; 4],
}

/// Least probability of a recognised face, given that one shows.
const NAMED: f32 = 0.4;

impl SeenTile {
    /// Probability that it shows any face.
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

    /// The class that it is read as, and its probability: a face that is likely enough given that one shows, else
    /// [`SeenFace::Unknown`]. The probability of no tile lowers the result's, but does not change the class.
    ///
    /// ```
    /// use tilelens_scoring::{tile::Face, sight::SeenTile};
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
    /// let (face, p) = seen.classified();
    /// assert_eq!((face.to_string().as_str(), p), ("1m", 0.3));
    /// seen.faces[..4].fill(0.1); // one of four, none likelier than the others
    /// assert_eq!(seen.classified().0.to_string(), "?");
    /// ```
    #[must_use]
    pub fn classified(&self) -> (SeenFace, f32) {
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

    /// A face as on this tile: the red five if red is likelier than plain.
    #[must_use]
    pub fn coloured(&self, face: Face) -> Tile {
        match Tile::red_five(face.suit()) {
            Some(five) if five.face() == face && self.red > 0.5 => five,
            _ => face.into(),
        }
    }
}

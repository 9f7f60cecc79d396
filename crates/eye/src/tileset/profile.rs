//! The profile of a tile set.

use std::{fmt, str::FromStr};

use super::ProfileError;
use crate::tile::{Face, Suit, Tile};

/// The classifier's last layer for a crop, of length one.
pub type Embedding = Vec<f32>;

/// Most exemplars of a profile: 45 tiles of two photos, and corrections.
pub const MOST_EXEMPLARS: usize = 400;
/// Least cosine of an embedding with its rounded copy in a file.
const SAME: f32 = 0.999;
/// Most numbers of an embedding.
pub(super) const MOST_NUMBERS: usize = 1024;

/// A name that can be a file's: 1-40 small letters, digits and hyphens, not beginning or ending with one.
///
/// ```
/// use tilelens_eye::tileset::SetName;
/// assert!("my-set".parse::<SetName>().is_ok());
/// assert!("../passwd".parse::<SetName>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetName(String);

impl SetName {
    /// As text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SetName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for SetName {
    type Err = ProfileError;

    fn from_str(text: &str) -> Result<Self, ProfileError> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let framed = text.starts_with('-') || text.ends_with('-');
        // `none` turns profiles off.
        if text.is_empty()
            || text.len() > 40
            || !text.chars().all(plain)
            || framed
            || text == "none"
        {
            return Err(ProfileError::Name(text.chars().take(60).collect()));
        }
        Ok(Self(text.to_owned()))
    }
}

/// The white dragon of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum White {
    /// A plain body.
    Blank,
    /// A frame or a letter.
    Framed,
}

/// Facts about a set besides the look of its faces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetInfo {
    /// Its name.
    pub name: SetName,
    /// Identifier of the network of the embeddings: another network cannot use them.
    pub network: String,
    /// The white dragon, if it was photographed.
    pub white: Option<White>,
    /// Colour of the backs, red green blue, if one was photographed.
    pub back: Option<[u8; 3]>,
    /// Colour of the bodies in the photo's light, red green blue: its white balance.
    pub body: Option<[u8; 3]>,
}

/// One tile of the set: its embeddings by the corner of the crop at the face's own top left (top left, top right,
/// bottom right, bottom left).
#[derive(Clone, Debug, PartialEq)]
pub struct Exemplar {
    /// Its face; a red five is one of its own.
    pub tile: Tile,
    /// Whether it is from a correction, not from the photo of the set.
    pub taught: bool,
    pub(super) turns: [Embedding; 4],
}

impl Exemplar {
    /// From embeddings of any length but zero, which are scaled to length one.
    ///
    /// # Errors
    /// The four have different numbers of numbers, or cannot be compared.
    pub fn new(tile: Tile, taught: bool, mut turns: [Embedding; 4]) -> Result<Self, ProfileError> {
        let numbers = turns[0].len();
        let even = turns.iter().all(|turn| turn.len() == numbers);
        if !even
            || !(1..=MOST_NUMBERS).contains(&numbers)
            || !turns.iter_mut().all(|turn| normalise(turn))
        {
            return Err(ProfileError::Embedding(tile));
        }
        Ok(Self { tile, taught, turns })
    }

    /// Number of numbers in each embedding.
    pub(super) fn numbers(&self) -> usize {
        self.turns[0].len()
    }
}

/// Scales a vector to length one; returns false if that is impossible.
pub(super) fn normalise(vector: &mut [f32]) -> bool {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if !length.is_finite() || length < 1e-12 {
        return false;
    }
    vector.iter_mut().for_each(|x| *x /= length);
    true
}

/// A tile set that was photographed.
#[derive(Clone, Debug, PartialEq)]
pub struct Profile {
    /// Facts about the set.
    pub about: SetInfo,
    exemplars: Vec<Exemplar>,
}

impl Profile {
    /// A profile from its exemplars.
    ///
    /// # Errors
    /// There are no exemplars or too many, or their embeddings are of different networks.
    pub fn new(about: SetInfo, exemplars: Vec<Exemplar>) -> Result<Self, ProfileError> {
        let Some(first) = exemplars.first() else { return Err(ProfileError::Empty) };
        if exemplars.len() > MOST_EXEMPLARS {
            return Err(ProfileError::TooMany(exemplars.len()));
        }
        if let Some(other) = exemplars.iter().find(|other| other.numbers() != first.numbers()) {
            return Err(ProfileError::Embedding(other.tile));
        }
        Ok(Self { about, exemplars })
    }

    /// All exemplars, corrections last.
    #[must_use]
    pub fn exemplars(&self) -> &[Exemplar] {
        &self.exemplars
    }

    /// Whether a face has an exemplar, red or plain.
    #[must_use]
    pub fn has(&self, face: Face) -> bool {
        self.exemplars.iter().any(|shown| shown.tile.face() == face)
    }

    /// The red fives among the exemplars.
    #[must_use]
    pub fn red_fives(&self) -> Vec<Tile> {
        let mut red: Vec<Tile> = (self.exemplars.iter())
            .filter(|shown| shown.tile.is_red() && !shown.taught)
            .map(|shown| shown.tile)
            .collect();
        red.sort_unstable();
        red.dedup();
        red
    }

    /// Number of tiles in the set, four of each face and one of each flower and season, if faces without an
    /// exemplar are left out.
    #[must_use]
    pub fn tiles(&self) -> usize {
        let each = |face: Face| if face.suit() == Suit::Bonus { 1 } else { 4 };
        Face::all().filter(|face| self.has(*face)).map(each).sum()
    }

    /// Adds a tile that a person corrected.
    ///
    /// # Errors
    /// The profile is full, or the embedding is another network's.
    pub fn teach(&mut self, tile: Tile, turns: [Embedding; 4]) -> Result<(), ProfileError> {
        let taught = Exemplar::new(tile, true, turns)?;
        if self.exemplars.len() == MOST_EXEMPLARS {
            return Err(ProfileError::TooMany(MOST_EXEMPLARS + 1));
        }
        if self.exemplars.iter().any(|shown| shown.numbers() != taught.numbers()) {
            return Err(ProfileError::Embedding(tile));
        }
        self.exemplars.push(taught);
        Ok(())
    }

    /// Takes one correction back; false if the profile no longer has it.
    pub fn forget_this(&mut self, taught: &Exemplar) -> bool {
        // A file keeps its numbers in steps.
        let same = |shown: &Exemplar| {
            let cosine: f32 = shown.turns[0].iter().zip(&taught.turns[0]).map(|(a, b)| a * b).sum();
            shown.taught && shown.tile == taught.tile && cosine > SAME
        };
        let place = self.exemplars.iter().rposition(same);
        place.map(|place| self.exemplars.remove(place)).is_some()
    }

    /// Takes the last correction back, and returns its face.
    pub fn forget(&mut self) -> Option<Tile> {
        self.exemplars.pop_if(|shown| shown.taught).map(|shown| shown.tile)
    }
}

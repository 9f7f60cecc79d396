//! Measures how much a tile set's profile helps: it learns one labelled tile of each face, and all others are
//! read without it, with it, and with another set's.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Photo, Share, TileTruth};
use crate::{
    sight::{Corners, quad::sides},
    tile::{Face, SeenFace, Suit},
};

/// A physical set of tiles and the sessions (`SOURCE/GROUP`) that show only it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileSet {
    /// Its name in the figures.
    pub name: String,
    /// Its sessions.
    pub sessions: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sets: BTreeMap<String, Vec<String>>,
}

impl TileSet {
    /// Reads a file that names sets: `[sets]`, then `name = ["SOURCE/GROUP", …]`.
    ///
    /// # Errors
    /// The text is malformed.
    pub fn parse(text: &str) -> Result<Vec<Self>, toml::de::Error> {
        let file: File = toml::from_str(text)?;
        let sets = file.sets.into_iter().map(|(name, sessions)| Self { name, sessions });
        Ok(sets.collect())
    }

    /// Each session as a set of its own.
    #[must_use]
    pub fn each(photos: &[Photo]) -> Vec<Self> {
        let mut names: Vec<String> = photos.iter().map(session).collect();
        names.sort();
        names.dedup();
        names.into_iter().map(|name| Self { sessions: vec![name.clone()], name }).collect()
    }

    /// Whether a photo shows it.
    #[must_use]
    pub fn has(&self, photo: &Photo) -> bool {
        self.sessions.contains(&session(photo))
    }
}

fn session(photo: &Photo) -> String {
    format!("{}/{}", photo.source, photo.group)
}

/// A labelled tile: the index of its photo, and its index in that.
pub type TilePlace = (usize, usize);

/// The tile of each face that is learnt: the largest with labelled corners and turn, as a person would photograph
/// it.
#[must_use]
pub fn to_be_shown(photos: &[Photo], set: &TileSet) -> BTreeMap<Face, TilePlace> {
    let mut shown: BTreeMap<Face, (f32, TilePlace)> = BTreeMap::new();
    for (number, photo) in photos.iter().enumerate().filter(|(_, photo)| set.has(photo)) {
        for (place, tile) in photo.tiles.iter().enumerate() {
            let (SeenFace::Tile(named), Some(corners)) = (tile.face, tile.corners) else {
                continue;
            };
            let face = named.face();
            if tile.ignore || (tile.turn.is_none() && !face.looks_alike_upside_down()) {
                continue;
            }
            let [size, _] = sides(&corners);
            if shown.get(&face).is_none_or(|(largest, _)| size > *largest) {
                shown.insert(face, (size, (number, place)));
            }
        }
    }
    shown.into_iter().map(|(face, (_, place))| (face, place)).collect()
}

/// The corners of a tile, or its box.
#[must_use]
pub fn quad(tile: &TileTruth) -> Corners {
    let [left, top, right, bottom] = tile.bounds;
    tile.corners.unwrap_or([[left, top], [right, top], [right, bottom], [left, bottom]])
}

/// Faces read right by one reader.
#[derive(Clone, Debug)]
pub struct FaceTally {
    /// The 34 faces that make sets.
    pub sets: Share,
    /// Flowers and seasons.
    pub bonus: Share,
    /// By [`Face::index`].
    pub faces: [Share; Face::COUNT],
}

impl Default for FaceTally {
    fn default() -> Self {
        Self {
            sets: Share::default(),
            bonus: Share::default(),
            faces: [Share::default(); Face::COUNT],
        }
    }
}

impl FaceTally {
    /// Counts a tile read as a class (faces by their index).
    pub fn add(&mut self, face: Face, read: usize) {
        let right = read == face.index();
        let part = if face.suit() == Suit::Bonus { &mut self.bonus } else { &mut self.sets };
        part.add(right);
        self.faces[face.index()].add(right);
    }

    /// All faces together.
    #[must_use]
    pub fn all(&self) -> Share {
        let mut all = self.sets;
        all += self.bonus;
        all
    }
}

impl std::ops::AddAssign<&Self> for FaceTally {
    fn add_assign(&mut self, other: &Self) {
        self.sets += other.sets;
        self.bonus += other.bonus;
        self.faces.iter_mut().zip(&other.faces).for_each(|(sum, more)| *sum += *more);
    }
}

/// The faces with at least `least` tiles that one reading has right less often than another, with the difference
/// of the shares.
#[must_use]
pub fn worse(before: &FaceTally, after: &FaceTally, least: usize) -> Vec<(Face, f64)> {
    Face::all()
        .filter_map(|face| {
            let (was, is) = (before.faces[face.index()], after.faces[face.index()]);
            let loss = was.value()? - is.value()?;
            (was.of >= least && loss > 0.0).then_some((face, loss))
        })
        .collect()
}

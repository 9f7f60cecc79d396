//! Identifies the faces in a photo of a tile set, laid out in rows or lying in the trays of its box.
//!
//! The usual order: characters 1-9, dots 1-9, bamboo 1-9; east south west north; red green white; plum orchid
//! chrysanthemum bamboo; spring summer autumn winter. It is a help and not a condition: a row may be missing, have a gap,
//! run the other way or lie beside another one, faces may lie there several times, and the photo may be taken from any
//! side. Rows are found by the tiles' places. The network's classes and the order give the chances of each tile's faces, and
//! with the number of tiles that a set has of each the likeliest faces of all together. So a tile with a face
//! unknown to the network gets it from its place.

mod assignment;
mod chain;
mod pieces;

use self::{
    assignment::{likeliest, other},
    chain::{Chances, chances, is_makers_own, probability},
    pieces::{Piece, best, pieces},
};
use crate::{
    sight::{Corners, SeenTile},
    tile::{Face, Suit, Tile},
};

/// Least probability of another face with which the network strongly contradicts a tile's place.
const OTHER: f32 = 0.8;
/// Largest probability of the place's own face with which the network strongly contradicts it.
const OWN: f32 = 0.05;
/// Probability of the place's own face below which another tile may lie there, whatever it looks like. Makers
/// draw one of bamboo, white dragons and flowers in their own ways.
const UNCLEAR: f32 = 0.02;
/// Share of another face against the tile's own from which on a person is asked.
const OPEN: f64 = 0.15;
/// Probability from which on a five is red.
const RED: f32 = 0.5;

/// A tile of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowTile {
    /// Its face, by what it looks like and by its place.
    pub tile: Tile,
    /// Its index among the given tiles.
    pub seen: usize,
    /// Its corners from the top left of a face in the photo's common direction.
    pub corners: Corners,
    /// Probability of that face, by the network.
    pub probability: f32,
    /// The other face that it may be, with its probability: a person has to be asked.
    pub instead: Option<(Face, f32)>,
}

/// Tiles in a line. Of a face that lies there several times only the surest tile is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// In the order of faces where the row has it.
    pub places: Vec<RowTile>,
    /// Whether it runs from right to left.
    pub reversed: bool,
}

/// Why a photo shows no set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderRefusal {
    /// There is no row.
    #[error("no row of tiles was found: lay them side by side and let them fill the picture")]
    NoRows,
    /// The picture is mirrored.
    #[error(
        "the photo is mirrored, as the front camera of a phone may do it: its faces read as mirror images; take it with the other camera"
    )]
    Mirrored,
}

/// Names the tiles of a photo by their looks and places.
///
/// # Errors
/// There is no row of tiles.
pub fn laid_out(seen: &[SeenTile]) -> Result<Vec<Row>, OrderRefusal> {
    let pieces = pieces(seen);
    if pieces.is_empty() {
        return Err(OrderRefusal::NoRows);
    }
    let chances = chances(&pieces, seen);
    let faces = likeliest(&chances);
    let mut from = 0;
    let mut rows: Vec<Row> = (pieces.iter())
        .map(|piece| {
            let row = row(piece, from, seen, &chances, &faces);
            from += piece.tiles.len();
            row
        })
        .collect();
    keep_the_surest(&mut rows, seen);
    rows.retain(|row| !row.places.is_empty());
    Ok(rows)
}

impl Row {
    /// Whether it is four flowers or four seasons, which only a person can tell.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let other = |place: &RowTile| {
            other_bonus(place.tile.face())
                .is_some_and(|other| place.instead.is_some_and(|(face, _)| face == other))
        };
        !self.places.is_empty() && self.places.iter().all(other)
    }
}

impl RowTile {
    /// Its face, where a person said that the tiles `instead`, by the names of their places, are the faces that
    /// they look like.
    #[must_use]
    pub fn answered(&self, instead: &[Tile]) -> Tile {
        match self.instead {
            Some((face, _)) if instead.contains(&self.tile) => face.into(),
            _ => self.tile,
        }
    }
}

/// The row of a piece whose first tile is the `from`th of all.
fn row(
    piece: &Piece,
    from: usize,
    seen: &[SeenTile],
    chances: &[Chances],
    faces: &[Option<Face>],
) -> Row {
    let mut places: Vec<RowTile> = (piece.tiles.iter().zip(from..))
        .filter_map(|((index, frame), at)| {
            let face = faces[at]?;
            let one = &seen[*index];
            let probability = probability(one, face);
            let (looks, p) = best(one);
            let strange = probability < UNCLEAR && !is_makers_own(face);
            let contradicts = looks != face && (p >= OTHER && probability < OWN || strange);
            let open = || other(at, chances, faces).filter(|(_, p)| *p >= OPEN);
            let open = || open().map(|(face, p)| (face, p as f32));
            let instead = if contradicts { Some((looks, p)) } else { open() };
            let red = Tile::red_five(face.suit()).filter(|red| red.face() == face && one.red > RED);
            let tile = red.unwrap_or(Tile::new(face));
            Some(RowTile { tile, seen: *index, corners: frame.corners, probability, instead })
        })
        .collect();
    let reversed = chances[from].reversed;
    if reversed {
        places.reverse();
    }
    Row { places, reversed }
}

/// Keeps of each tile that lies there several times the surest: one that nobody has to be asked about.
fn keep_the_surest(rows: &mut [Row], seen: &[SeenTile]) {
    let all: Vec<RowTile> = rows.iter().flat_map(|row| row.places.clone()).collect();
    let sure = |place: &RowTile| {
        let one = &seen[place.seen];
        one.found * one.faces[place.tile.face().index()]
    };
    let is_surest = |place: &RowTile| {
        let same = all.iter().filter(|other| other.tile == place.tile);
        let best = same.max_by(|a, b| {
            let settled = a.instead.is_none().cmp(&b.instead.is_none());
            settled.then(sure(a).total_cmp(&sure(b)))
        });
        best.is_some_and(|best| best.seen == place.seen)
    };
    for row in rows {
        row.places.retain(is_surest);
    }
}

/// The season in a flower's place, or the flower in a season's.
fn other_bonus(face: Face) -> Option<Face> {
    let number = face.number();
    let other = if number > 4 { number - 4 } else { number + 4 };
    Face::new(Suit::Bonus, other).filter(|_| face.suit() == Suit::Bonus)
}

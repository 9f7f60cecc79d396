//! Which face is which in a photo of one of each, laid out in rows.
//!
//! The order: characters 1-9, dots 1-9, bamboo 1-9; east south west north; red green white; plum
//! orchid chrysanthemum bamboo; spring summer autumn winter. A row may be missing, have a gap, go
//! the other way round or lie beside another one, and the photo may be taken from any side. A red
//! five lies beside its five, or in its place. Rows are found by how tiles lie to each other, and
//! named by what the network says of all their tiles together, so that single tiles that it has never
//! seen the like of are named by their places.

mod namings;
mod pieces;
mod search;

use std::fmt;

use self::{
    namings::{LEAST_BONUS, Naming, best, namings_of, probability},
    pieces::{Piece, pieces},
    search::likeliest,
};
use crate::{
    sight::{Corners, SeenTile},
    tile::{Face, Suit, Tile},
};

/// Most pieces of rows.
const MOST_PIECES: usize = 14;
/// Mean log probability of a piece that the network reads well.
const CLEAR: f32 = -1.0;
/// And of one that is no row of the order, however its places are named.
const NOTHING: f32 = -3.2;
/// The network disagrees strongly with a tile's place when it gives another face this much
const OTHER: f32 = 0.8;
/// and the face of the place less than this.
const OWN: f32 = 0.05;
/// Where the face of the place gets less than this, something else may lie there, whatever it looks like.
/// Makers draw one of bamboo, white dragons and flowers in ways of their own.
const UNCLEAR: f32 = 0.02;
/// Nats by which flowers have to be likelier than seasons, or the other way round, not to be asked about.
const OPEN: f32 = 4.0;
/// Of a row of so many tiles more than a third cannot look like others.
const LONG: usize = 5;

/// A tile of a row that was laid out.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// What it is, by its place.
    pub tile: Tile,
    /// Its index among the tiles that were given.
    pub seen: usize,
    /// Its corners from the top left of a face that stands as all of the photo do.
    pub corners: Corners,
    /// Probability that the network gives the face.
    pub probability: f32,
    /// What the network strongly believes it is instead, with its probability.
    pub instead: Option<(Face, f32)>,
}

/// Tiles in a line, in the order of their faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// From the least face to the greatest.
    pub places: Vec<Place>,
    /// Laid from right to left.
    pub reversed: bool,
}

/// Why a photo shows no set that was laid out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// No row at all.
    #[error(
        "no row of tiles was found: lay them side by side, one of each face, and let them fill the picture"
    )]
    NoRows,
    /// Too many pieces.
    #[error("{0} separate pieces of rows: lay each row's tiles close together")]
    Scattered(usize),
    /// A row that is none of the order.
    #[error(
        "{0} are no row of the order: characters 1-9, dots 1-9, bamboo 1-9, winds, dragons, flowers, seasons, one of each"
    )]
    NoSuchRow(RowName),
    /// Two rows of the same faces.
    #[error("{0} and {1} show the same faces: lay each face out once")]
    Doubled(RowName, RowName),
    /// The picture is mirrored.
    #[error(
        "the photo is mirrored, as the front camera of a phone may do it: its faces read as mirror images; take it with the other camera"
    )]
    Mirrored,
}

/// A row as a person finds it: which one from the top, and how the network reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowName {
    /// Which piece of a row, from 1, from the top as the faces stand.
    pub number: usize,
    /// What the network sees, tile by tile.
    pub read: String,
}

impl fmt::Display for RowName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the tiles of row {} ({})", self.number, self.read)
    }
}

/// Names the tiles of a photo by their places.
///
/// # Errors
/// What was laid out is not the order, or not to be told from it.
pub fn laid_out(seen: &[SeenTile]) -> Result<Vec<Row>, Refusal> {
    let pieces = pieces(seen);
    if pieces.is_empty() {
        return Err(Refusal::NoRows);
    }
    if pieces.len() > MOST_PIECES {
        return Err(Refusal::Scattered(pieces.len()));
    }
    let name = |number: usize| RowName {
        number: number + 1,
        read: (pieces[number].tiles.iter())
            .map(|(tile, _)| best(&seen[*tile]).0.to_string())
            .collect::<Vec<_>>()
            .join(" "),
    };
    let mut namings = Vec::with_capacity(pieces.len());
    for (number, piece) in pieces.iter().enumerate() {
        let all = namings_of(piece, seen);
        let mean = |naming: &Naming| naming.likelihood / piece.tiles.len() as f32;
        // Flowers and seasons may be unlike all that the network knows, other faces are not.
        let bonus = |naming: &Naming| naming.tiles.iter().all(|t| t.face().suit() == Suit::Bonus);
        let fits = all.first().is_some_and(|best| mean(best) > NOTHING) || all.iter().any(bonus);
        if !fits {
            return Err(Refusal::NoSuchRow(name(number)));
        }
        namings.push(all);
    }
    for (one, a) in namings.iter().enumerate() {
        for (other, b) in namings.iter().enumerate().skip(one + 1) {
            let clear = |n: &Naming| n.likelihood / n.tiles.len() as f32 > CLEAR;
            if a[0].faces & b[0].faces != 0 && clear(&a[0]) && clear(&b[0]) {
                return Err(Refusal::Doubled(name(one), name(other)));
            }
        }
    }
    let Some(chosen) = likeliest(&namings) else {
        // Some piece has no faces left: the one that overlaps its likeliest rival.
        let worst = |n: usize| namings[n][0].likelihood / namings[n][0].tiles.len() as f32;
        let number = (0..namings.len()).min_by(|a, b| worst(*a).total_cmp(&worst(*b))).unwrap_or(0);
        return Err(Refusal::NoSuchRow(name(number)));
    };
    let rows = pieces.iter().zip(chosen).map(|(piece, naming)| row(piece, naming, seen));
    let mut rows: Vec<Row> = rows.collect();
    if let Some((one, other)) = shown_twice(&rows) {
        return Err(Refusal::Doubled(name(other), name(one)));
    }
    // A tile laid twice shifts all that follow: most of the row is still read well.
    let shifted = |row: &Row| {
        let odd = row.places.iter().filter(|place| place.strongly().is_some()).count();
        row.places.len() >= LONG && odd * 3 > row.places.len()
    };
    match rows.iter().position(shifted) {
        Some(number) => Err(Refusal::NoSuchRow(name(number))),
        None => {
            ask_about_open_bonus(&mut rows, seen);
            Ok(rows)
        }
    }
}

impl Row {
    /// Whether it is four flowers or four seasons, and only a person can say which.
    #[must_use]
    pub fn is_open(&self) -> bool {
        let other = |place: &Place| {
            other_bonus(place.tile.face())
                .is_some_and(|other| place.instead.is_some_and(|(face, _)| face == other))
        };
        !self.places.is_empty() && self.places.iter().all(other)
    }
}

impl Place {
    /// What it is, where a person said that the tiles `instead`, by the names of their places, are what they look like.
    #[must_use]
    pub fn answered(&self, instead: &[Tile]) -> Tile {
        match self.instead {
            Some((face, _)) if instead.contains(&self.tile) => face.into(),
            _ => self.tile,
        }
    }

    /// The other face that it strongly looks like.
    fn strongly(&self) -> Option<Face> {
        self.instead.filter(|(_, p)| *p >= OTHER).map(|(face, _)| face)
    }
}

/// A row of which every tile looks like one of another row, and that other row: a row laid twice, of which
/// the second one can only be named as something that the network does not know.
fn shown_twice(rows: &[Row]) -> Option<(usize, usize)> {
    (0..rows.len()).find_map(|number| {
        let looks: Option<Vec<Face>> = rows[number].places.iter().map(Place::strongly).collect();
        let looks = looks?;
        let shows =
            |row: &Row| looks.iter().all(|face| row.places.iter().any(|p| p.tile.face() == *face));
        let other = (0..rows.len()).find(|&other| other != number && shows(&rows[other]));
        other.map(|other| (other, number))
    })
}

/// One row of four may be flowers or seasons; where the network does not tell which, a person has to.
fn ask_about_open_bonus(rows: &mut [Row], seen: &[SeenTile]) {
    let shown: Vec<Face> = rows.iter().flat_map(|row| &row.places).map(|p| p.tile.face()).collect();
    for row in rows {
        let others: Option<Vec<Face>> =
            row.places.iter().map(|place| other_bonus(place.tile.face())).collect();
        let Some(others) = others.filter(|faces| !faces.iter().any(|face| shown.contains(face)))
        else {
            continue;
        };
        let log =
            |place: &Place, face: Face| probability(&seen[place.seen], face).max(LEAST_BONUS).ln();
        let lead: f32 = (row.places.iter().zip(&others))
            .map(|(place, other)| log(place, place.tile.face()) - log(place, *other))
            .sum();
        if lead < OPEN {
            // The row is asked about as a whole, whatever each of its tiles looks like.
            for (place, other) in row.places.iter_mut().zip(others) {
                place.instead = Some((other, probability(&seen[place.seen], other)));
            }
        }
    }
}

/// The season in a flower's place, and the other way round.
fn other_bonus(face: Face) -> Option<Face> {
    let number = face.number();
    let other = if number > 4 { number - 4 } else { number + 4 };
    Face::new(Suit::Bonus, other).filter(|_| face.suit() == Suit::Bonus)
}

/// The row that a naming of a piece makes.
fn row(piece: &Piece, naming: &Naming, seen: &[SeenTile]) -> Row {
    let mut places: Vec<Place> = (piece.tiles.iter().zip(&naming.tiles))
        .map(|((index, frame), tile)| {
            let probability = probability(&seen[*index], tile.face());
            let (face, p) = best(&seen[*index]);
            let strange = probability < UNCLEAR && !is_makers_own(tile.face());
            let instead = (face != tile.face() && (p >= OTHER && probability < OWN || strange))
                .then_some((face, p));
            Place { tile: *tile, seen: *index, corners: frame.corners, probability, instead }
        })
        .collect();
    if naming.reversed {
        places.reverse();
    }
    Row { places, reversed: naming.reversed }
}

/// Faces that each maker draws in a way of his own.
fn is_makers_own(face: Face) -> bool {
    let is = |suit, number| Face::new(suit, number) == Some(face);
    face.suit() == Suit::Bonus || is(Suit::Bamboo, 1) || is(Suit::Honors, 5)
}

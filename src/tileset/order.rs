//! Identifies the faces in a photo of one tile of each, in rows.
//!
//! The order: characters 1-9, dots 1-9, bamboo 1-9; east south west north; red green white; plum orchid
//! chrysanthemum bamboo; spring summer autumn winter. A row may be missing, have a gap, run the other way or lie
//! beside another one, and the photo may be taken from any side. A red five lies beside its five, or in its
//! place. Rows are found by the tiles' places, and identified by the network's classes of all their tiles
//! together, so that a tile with a face unknown to the network gets it from its place.

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

/// Most pieces of rows in a photo.
const MOST_PIECES: usize = 14;
/// Least mean log probability of a piece that the network reads well.
const CLEAR: f32 = -1.0;
/// Largest mean log probability of a piece that is not a row of the order.
const NOTHING: f32 = -3.2;
/// Least probability of another face with which the network strongly contradicts a tile's place.
const OTHER: f32 = 0.8;
/// Largest probability of the place's own face with which the network strongly contradicts it.
const OWN: f32 = 0.05;
/// Probability of the place's own face below which another tile may lie there, whatever it looks like. Makers
/// draw one of bamboo, white dragons and flowers in their own ways.
const UNCLEAR: f32 = 0.02;
/// Least difference in likelihood between flowers and seasons, in nats, with which a person is not asked.
const OPEN: f32 = 4.0;
/// Least number of tiles of a row in which at most a third may look like others.
const LONG: usize = 5;

/// A tile of a row in the order.
#[derive(Clone, Debug, PartialEq)]
pub struct RowTile {
    /// Its face, by its place.
    pub tile: Tile,
    /// Its index among the given tiles.
    pub seen: usize,
    /// Its corners from the top left of a face in the photo's common direction.
    pub corners: Corners,
    /// Probability of that face, by the network.
    pub probability: f32,
    /// The face that the network strongly sees instead, with its probability.
    pub instead: Option<(Face, f32)>,
}

/// Tiles in a line, in the order of their faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// From the least face to the greatest.
    pub places: Vec<RowTile>,
    /// Whether it runs from right to left.
    pub reversed: bool,
}

/// Why a photo does not show a set in order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderRefusal {
    /// There is no row.
    #[error(
        "no row of tiles was found: lay them side by side, one of each face, and let them fill the picture"
    )]
    NoRows,
    /// There are too many pieces.
    #[error("{0} separate pieces of rows: lay each row's tiles close together")]
    Scattered(usize),
    /// A row is not in the order.
    #[error(
        "{0} are not a row of the order: characters 1-9, dots 1-9, bamboo 1-9, winds, dragons, flowers, seasons, one of each"
    )]
    NoSuchRow(RowName),
    /// Two rows have the same faces.
    #[error("{0} and {1} show the same faces: lay each face out once")]
    Doubled(RowName, RowName),
    /// The picture is mirrored.
    #[error(
        "the photo is mirrored, as the front camera of a phone may do it: its faces read as mirror images; take it with the other camera"
    )]
    Mirrored,
}

/// A row for a person: its number from the top, and the network's reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowName {
    /// Number of its piece, from 1, from the top by the direction of the faces.
    pub number: usize,
    /// The network's reading, tile by tile.
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
/// The tiles are not in the order, or it cannot be recognised.
pub fn laid_out(seen: &[SeenTile]) -> Result<Vec<Row>, OrderRefusal> {
    let pieces = pieces(seen);
    if pieces.is_empty() {
        return Err(OrderRefusal::NoRows);
    }
    if pieces.len() > MOST_PIECES {
        return Err(OrderRefusal::Scattered(pieces.len()));
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
        // Flowers and seasons may be unlike all that the network knows; other faces are not.
        let bonus = |naming: &Naming| naming.tiles.iter().all(|t| t.face().suit() == Suit::Bonus);
        let fits = all.first().is_some_and(|best| mean(best) > NOTHING) || all.iter().any(bonus);
        if !fits {
            return Err(OrderRefusal::NoSuchRow(name(number)));
        }
        namings.push(all);
    }
    for (one, a) in namings.iter().enumerate() {
        for (other, b) in namings.iter().enumerate().skip(one + 1) {
            let clear = |n: &Naming| n.likelihood / n.tiles.len() as f32 > CLEAR;
            if a[0].faces & b[0].faces != 0 && clear(&a[0]) && clear(&b[0]) {
                return Err(OrderRefusal::Doubled(name(one), name(other)));
            }
        }
    }
    let Some(chosen) = likeliest(&namings) else {
        // Some piece has no faces left: the one that overlaps its likeliest rival.
        let worst = |n: usize| namings[n][0].likelihood / namings[n][0].tiles.len() as f32;
        let number = (0..namings.len()).min_by(|a, b| worst(*a).total_cmp(&worst(*b))).unwrap_or(0);
        return Err(OrderRefusal::NoSuchRow(name(number)));
    };
    let rows = pieces.iter().zip(chosen).map(|(piece, naming)| row(piece, naming, seen));
    let mut rows: Vec<Row> = rows.collect();
    if let Some((one, other)) = shown_twice(&rows) {
        return Err(OrderRefusal::Doubled(name(other), name(one)));
    }
    // A tile laid twice shifts all that follow: most of the row is still read well.
    let shifted = |row: &Row| {
        let odd = row.places.iter().filter(|place| place.strongly().is_some()).count();
        row.places.len() >= LONG && odd * 3 > row.places.len()
    };
    match rows.iter().position(shifted) {
        Some(number) => Err(OrderRefusal::NoSuchRow(name(number))),
        None => {
            ask_about_open_bonus(&mut rows, seen);
            Ok(rows)
        }
    }
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

    /// The other face that it strongly looks like.
    fn strongly(&self) -> Option<Face> {
        self.instead.filter(|(_, p)| *p >= OTHER).map(|(face, _)| face)
    }
}

/// A row of which every tile looks like one of another row, and that other row: a row laid twice, of which the
/// second can only be identified as faces unknown to the network.
fn shown_twice(rows: &[Row]) -> Option<(usize, usize)> {
    (0..rows.len()).find_map(|number| {
        let looks: Option<Vec<Face>> = rows[number].places.iter().map(RowTile::strongly).collect();
        let looks = looks?;
        let shows =
            |row: &Row| looks.iter().all(|face| row.places.iter().any(|p| p.tile.face() == *face));
        let other = (0..rows.len()).find(|&other| other != number && shows(&rows[other]));
        other.map(|other| (other, number))
    })
}

/// One row of four may be flowers or seasons; if the network does not settle it, a person has to.
fn ask_about_open_bonus(rows: &mut [Row], seen: &[SeenTile]) {
    let shown: Vec<Face> = rows.iter().flat_map(|row| &row.places).map(|p| p.tile.face()).collect();
    for row in rows {
        let others: Option<Vec<Face>> =
            row.places.iter().map(|place| other_bonus(place.tile.face())).collect();
        let Some(others) = others.filter(|faces| !faces.iter().any(|face| shown.contains(face)))
        else {
            continue;
        };
        let log = |place: &RowTile, face: Face| {
            probability(&seen[place.seen], face).max(LEAST_BONUS).ln()
        };
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

/// The season in a flower's place, or the flower in a season's.
fn other_bonus(face: Face) -> Option<Face> {
    let number = face.number();
    let other = if number > 4 { number - 4 } else { number + 4 };
    Face::new(Suit::Bonus, other).filter(|_| face.suit() == Suit::Bonus)
}

/// The row of a piece with a naming.
fn row(piece: &Piece, naming: &Naming, seen: &[SeenTile]) -> Row {
    let mut places: Vec<RowTile> = (piece.tiles.iter().zip(&naming.tiles))
        .map(|((index, frame), tile)| {
            let probability = probability(&seen[*index], tile.face());
            let (face, p) = best(&seen[*index]);
            let strange = probability < UNCLEAR && !is_makers_own(tile.face());
            let instead = (face != tile.face() && (p >= OTHER && probability < OWN || strange))
                .then_some((face, p));
            RowTile { tile: *tile, seen: *index, corners: frame.corners, probability, instead }
        })
        .collect();
    if naming.reversed {
        places.reverse();
    }
    Row { places, reversed: naming.reversed }
}

/// Whether each maker draws the face in his own way.
fn is_makers_own(face: Face) -> bool {
    let is = |suit, number| Face::new(suit, number) == Some(face);
    face.suit() == Suit::Bonus || is(Suit::Bamboo, 1) || is(Suit::Honors, 5)
}

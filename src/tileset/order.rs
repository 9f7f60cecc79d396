//! Which face is which in a photo of one of each, laid out in rows.
//!
//! The order: characters 1-9, dots 1-9, bamboo 1-9; east south west north; red green white; plum
//! orchid chrysanthemum bamboo; spring summer autumn winter. A row may be missing, have a gap, go
//! the other way round or lie beside another one, and the photo may be taken from any side. A red
//! five lies beside its five, or in its place. Rows are found by how tiles lie to each other, and
//! named by what the network says of all their tiles together, so that single tiles that it has never
//! seen the like of are named by their places.

use std::fmt;

use crate::{
    layout::frame::{Frame, Point, cosine},
    tile::{Face, Suit, Tile},
    vision::{Corners, SeenTile},
};

/// Probability that the network grants to any face, however sure it is of another: flowers and seasons
/// are drawn by each maker in a way of his own.
const LEAST: f32 = 0.004;
const LEAST_BONUS: f32 = 0.02;
/// Neighbours of a row are at most so many widths from middle to middle, and so much out of line, in heights.
const APART: f32 = 1.65;
const OUT_OF_LINE: f32 = 0.4;
/// Finds nearer than this to each other, in widths and heights, are one tile and something beside it.
const SAME_PLACE: [f32; 2] = [0.65, 0.5];
/// A step so much wider than is usual in its row is a gap where a tile was not found or does not lie,
const GAP: f32 = 1.5;
/// in rows of so many tiles.
const ENOUGH_STEPS: usize = 4;
/// Most pieces of rows.
const MOST_PIECES: usize = 14;
/// Readings of one piece that are followed up.
const READINGS: usize = 12;
/// What speaks against a row of which only a part is there, in nats.
const PART: f32 = 3.0;
/// What speaks for a row in the usual place or direction, in nats.
const USUAL: f32 = 2.5;
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
/// A five is a red one from this probability on.
const RED: f32 = 0.5;

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

/// One piece of a row, from the left as the faces stand.
struct Piece {
    tiles: Vec<(usize, Frame)>,
    centre: Point,
}

/// A naming of a piece's tiles.
struct Naming {
    tiles: Vec<Tile>,
    reversed: bool,
    likelihood: f32,
    faces: u64,
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
    let Some(chosen) = Search::new(&namings).best() else {
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

impl Place {
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
            for (place, other) in row.places.iter_mut().zip(others) {
                place.instead.get_or_insert((other, probability(&seen[place.seen], other)));
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

/// The likeliest face of a tile.
fn best(tile: &SeenTile) -> (Face, f32) {
    Face::all()
        .map(|face| (face, tile.faces[face.index()]))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .unwrap_or((Face::FIRST, 0.0))
}

/// Probability of a face; a white dragon may look like nothing but the body of a tile.
fn probability(tile: &SeenTile, face: Face) -> f32 {
    let blank = if Face::new(Suit::Honors, 5) == Some(face) {
        0.5 * (tile.back + tile.reject)
    } else {
        0.0
    };
    tile.faces[face.index()] + blank
}

/// Tiles side by side, from the top and from the left as the faces stand.
fn pieces(seen: &[SeenTile]) -> Vec<Piece> {
    let named: Vec<usize> = (0..seen.len())
        .filter(|tile| seen[*tile].back < 0.5 && Frame::new(seen[*tile].corners).is_sound())
        .collect();
    let Some(&first) = named.first() else { return Vec::new() };
    // All faces stand the same way: which, they say together.
    let reference = Frame::new(seen[first].corners).right;
    let mut up = [0.0f32; 4];
    for &tile in &named {
        let (quarters, _) = Frame::new(seen[tile].corners).facing(reference);
        for (k, sum) in up.iter_mut().enumerate() {
            *sum += seen[tile].turns[(quarters + k) % 4].max(0.02).ln();
        }
    }
    let turn = (0..4).max_by(|a, b| up[*a].total_cmp(&up[*b])).unwrap_or(0);
    let frames: Vec<(usize, Frame)> = (named.iter())
        .map(|&tile| (tile, Frame::new(seen[tile].corners).facing(reference).1.turned(turn)))
        .collect();
    let frames = distinct(frames, seen);
    let beside = |from: usize, side: f32| {
        let own = frames[from].1;
        (0..frames.len())
            .filter(|other| *other != from)
            .filter_map(|other| {
                let [x, y] = own.local(frames[other].1.centre);
                let level = cosine(own.right, frames[other].1.right) > 0.8;
                (level && (0.5..APART).contains(&(side * x)) && y.abs() < OUT_OF_LINE)
                    .then_some((other, side * x))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(other, _)| other)
    };
    let right: Vec<Option<usize>> = (0..frames.len()).map(|from| beside(from, 1.0)).collect();
    let left: Vec<Option<usize>> = (0..frames.len()).map(|from| beside(from, -1.0)).collect();
    let mutual = |from: usize| right[from].filter(|to| left[*to] == Some(from));
    let begins = |at: usize| left[at].is_none_or(|before| right[before] != Some(at));
    let mut pieces = Vec::new();
    for start in (0..frames.len()).filter(|at| begins(*at)) {
        let mut tiles = vec![frames[start]];
        let mut at = start;
        while let Some(next) = mutual(at) {
            tiles.push(frames[next]);
            at = next;
            if tiles.len() > frames.len() {
                break;
            }
        }
        for tiles in parted(&tiles).into_iter().filter(|tiles| tiles.len() > 1) {
            let count = tiles.len() as f32;
            let sum = tiles.iter().fold([0.0; 2], |sum, (_, frame)| {
                [sum[0] + frame.centre[0], sum[1] + frame.centre[1]]
            });
            pieces.push(Piece { tiles: tiles.to_vec(), centre: sum.map(|x| x / count) });
        }
    }
    // From the top, as a tile in the middle of all sees it; what lies level, from the left.
    if let Some(middle) = frames.get(frames.len() / 2).map(|(_, frame)| *frame) {
        let place = |piece: &Piece| {
            let [x, y] = middle.local(piece.centre);
            ((y / 0.6).round() as i32, x)
        };
        pieces.sort_by(|a, b| {
            let ((row, x), (other, y)) = (place(a), place(b));
            row.cmp(&other).then(x.total_cmp(&y))
        });
    }
    pieces
}

/// Finds without those that lie half over a better one: what is between two tiles is none.
fn distinct(mut frames: Vec<(usize, Frame)>, seen: &[SeenTile]) -> Vec<(usize, Frame)> {
    let good = |tile: usize| seen[tile].found + best(&seen[tile]).1;
    frames.sort_by(|a, b| good(b.0).total_cmp(&good(a.0)));
    let mut kept: Vec<(usize, Frame)> = Vec::with_capacity(frames.len());
    for (tile, frame) in frames {
        let twice = kept.iter().any(|(_, other)| {
            let [x, y] = other.local(frame.centre);
            x.abs() < SAME_PLACE[0] && y.abs() < SAME_PLACE[1]
        });
        if !twice {
            kept.push((tile, frame));
        }
    }
    kept.sort_unstable_by_key(|(tile, _)| *tile);
    kept
}

/// Tiles side by side, parted where a step is much wider than the others.
fn parted(tiles: &[(usize, Frame)]) -> Vec<&[(usize, Frame)]> {
    let steps: Vec<f32> =
        tiles.windows(2).map(|pair| pair[0].1.local(pair[1].1.centre)[0]).collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f32::total_cmp);
    let usual = match sorted.get(sorted.len() / 2) {
        Some(usual) if steps.len() >= ENOUGH_STEPS => *usual,
        _ => return vec![tiles],
    };
    let mut parts = Vec::new();
    let mut start = 0;
    for (at, step) in steps.iter().enumerate() {
        if *step > GAP * usual {
            parts.push(&tiles[start..=at]);
            start = at + 1;
        }
    }
    parts.push(&tiles[start..]);
    parts
}

/// What can be laid side by side, from left to right; of rows that begin alike the shorter first.
fn lines() -> Vec<Vec<Tile>> {
    let run = |suit: Suit, numbers: &[u8]| -> Vec<Tile> {
        numbers.iter().filter_map(|n| Face::new(suit, *n).map(Tile::new)).collect()
    };
    let mut lines = Vec::new();
    for suit in [Suit::Characters, Suit::Dots, Suit::Bamboo] {
        let plain = run(suit, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        for place in [4, 5] {
            let mut with_red = plain.clone();
            if let Some(red) = Tile::red_five(suit) {
                with_red.insert(place, red);
                lines.push(with_red);
            }
        }
        lines.push(plain);
    }
    let honors: [&[u8]; 4] =
        [&[1, 2, 3, 4], &[7, 6, 5], &[1, 2, 3, 4, 7, 6, 5], &[1, 2, 3, 4, 5, 6, 7]];
    lines.extend(honors.map(|numbers| run(Suit::Honors, numbers)));
    let bonus: [&[u8]; 3] = [&[1, 2, 3, 4], &[5, 6, 7, 8], &[1, 2, 3, 4, 5, 6, 7, 8]];
    lines.extend(bonus.map(|numbers| run(Suit::Bonus, numbers)));
    lines
}

/// The likeliest namings of a piece, the likeliest first.
fn namings_of(piece: &Piece, seen: &[SeenTile]) -> Vec<Naming> {
    let count = piece.tiles.len();
    let mut namings: Vec<Naming> = Vec::new();
    for line in lines() {
        for part in line.windows(count) {
            for reversed in [false, true] {
                let mut tiles = part.to_vec();
                if reversed {
                    tiles.reverse();
                }
                let mut likelihood = if part.len() < line.len() { -PART } else { 0.0 };
                for ((index, _), tile) in piece.tiles.iter().zip(&mut tiles) {
                    let one = &seen[*index];
                    let bonus = tile.face().suit() == Suit::Bonus;
                    let least = if bonus { LEAST_BONUS } else { LEAST };
                    likelihood += probability(one, tile.face()).max(least).ln();
                    let five =
                        Tile::red_five(tile.face().suit()).filter(|red| red.face() == tile.face());
                    if let Some(red) = five {
                        let beside =
                            part.iter().filter(|other| other.face() == red.face()).count() > 1;
                        if beside {
                            let p = if tile.is_red() { one.red } else { 1.0 - one.red };
                            likelihood += p.max(0.1).ln();
                        } else if one.red > RED {
                            *tile = red;
                        }
                    }
                }
                let faces = tiles.iter().fold(0, |faces, tile| faces | 1u64 << tile.face().index());
                let naming = Naming { tiles, reversed, likelihood, faces };
                match namings.iter_mut().find(|other| other.tiles == naming.tiles) {
                    Some(other) if other.likelihood < naming.likelihood => *other = naming,
                    Some(_) => {}
                    None => namings.push(naming),
                }
            }
        }
    }
    namings.sort_by(|a, b| b.likelihood.total_cmp(&a.likelihood));
    namings.truncate(READINGS);
    namings
}

/// Looks for the likeliest namings of all pieces together: no face twice, rows from the top down or
/// from the bottom up in the order, and all in one direction if they can be.
struct Search<'n> {
    namings: &'n [Vec<Naming>],
    /// Most that the pieces from here on can add.
    hope: Vec<f32>,
    best: Option<(f32, Vec<usize>)>,
    chosen: Vec<usize>,
}

impl<'n> Search<'n> {
    fn new(namings: &'n [Vec<Naming>]) -> Self {
        let mut hope = vec![0.0; namings.len() + 1];
        for at in (0..namings.len()).rev() {
            let most = namings[at].first().map_or(0.0, |naming| naming.likelihood);
            hope[at] = hope[at + 1] + most + 2.0 * USUAL;
        }
        Self { namings, hope, best: None, chosen: Vec::new() }
    }

    fn best(mut self) -> Option<Vec<&'n Naming>> {
        self.follow(0, 0.0);
        let namings = self.namings;
        let (_, chosen) = self.best?;
        Some(chosen.iter().zip(namings).map(|(which, all)| &all[*which]).collect())
    }

    fn follow(&mut self, taken: u64, sum: f32) {
        let at = self.chosen.len();
        if at == self.namings.len() {
            let total = sum + self.usual();
            if self.best.as_ref().is_none_or(|(most, _)| total > *most) {
                self.best = Some((total, self.chosen.clone()));
            }
            return;
        }
        // What is usual is worth something for each row chosen so far, too.
        let bound = sum + 2.0 * USUAL * at as f32 + self.hope[at];
        if self.best.as_ref().is_some_and(|(most, _)| bound <= *most) {
            return;
        }
        let namings = self.namings;
        for (which, naming) in namings[at].iter().enumerate() {
            if naming.faces & taken == 0 {
                self.chosen.push(which);
                self.follow(taken | naming.faces, sum + naming.likelihood);
                self.chosen.pop();
            }
        }
    }

    /// What speaks for the order and the directions of the rows.
    fn usual(&self) -> f32 {
        let chosen = || self.chosen.iter().zip(self.namings).map(|(which, all)| &all[*which]);
        let reversed = chosen().filter(|naming| naming.reversed).count();
        let least: Vec<u32> = chosen().map(|naming| naming.faces.trailing_zeros()).collect();
        let down = least.windows(2).filter(|pair| pair[0] < pair[1]).count();
        let steps = least.len() - 1;
        let alike = |some: usize, all: usize| some.max(all - some) as f32;
        USUAL * (alike(reversed, self.chosen.len()) + alike(down, steps))
    }
}

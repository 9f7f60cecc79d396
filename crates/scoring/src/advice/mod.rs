//! Advice on a hand: its distance from complete, the tiles that help, and the result of each discard.
//!
//! Takes a [`Reading`], the tiles that are face up elsewhere and the shapes that count; knows neither
//! pictures nor how the answer is shown. A [`RuleSet`] decides which shapes count, and the value of a
//! waiting hand.

mod distance;
mod special;
mod suits;
mod waits;
mod weighed;

use thiserror::Error;

pub use distance::{Counts, Target, Targets, tiles_missing, tiles_missing_of_concealed};
pub use waits::{WaitingError, WaitingTiles, Waits};
pub use weighed::{AdviceJson, Weighed};

use crate::{
    hand::{HandError, Meld, MeldKind, Reading, RemainingTiles, RemainingTilesError, SeenError},
    rules::{Circumstances, RuleSet, Value, Wait},
    tile::{Face, SeenFace, Tile},
};

/// The make-up of a complete hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Four sets and a pair (14 tiles) or five (17).
    pub sets: usize,
    /// The shapes that count.
    pub targets: Targets,
}

impl Shape {
    /// The shape of a rule set's hands, for a hand of a number of tiles. Where a rule set plays hands of 14,
    /// 16 or 17 tiles are taken for a hand of five sets and a pair all the same.
    pub fn of(rules: &RuleSet, tiles: usize) -> Self {
        let core = &rules.core;
        let targets = Targets::from(core.forms)
            .with_most_chows(core.most_chows)
            .with_most_suits(core.most_suits);
        let missing = Face::all().take(Face::SET_FACES).filter(|face| !rules.plays(*face));
        let own = Self { sets: rules.sets(), targets: missing.fold(targets, Targets::without) };
        if tiles > own.tiles() {
            return Self { sets: 5, targets: Targets::NONE.with(Target::Sets) };
        }
        own
    }

    /// The tiles of a complete hand, kongs counted as three.
    pub const fn tiles(self) -> usize {
        3 * self.sets + 2
    }
}

/// A tile that brings a hand nearer to being complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help {
    /// The tile.
    pub tile: Face,
    /// Copies that neither the hand nor the seen tiles hold.
    pub left: u8,
}

/// The outlook of a hand that has to draw a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// The number of tiles that it lacks, at least 1.
    pub missing: u8,
    /// The tiles that help, in the order of the notation.
    pub helps: Vec<Help>,
    /// Tiles of which the hand holds all four, and of which a fifth would bring it nearer: it may look one tile
    /// nearer than it is.
    pub held_out: Vec<Face>,
}

impl Outlook {
    /// Tiles away from waiting: 0 for a hand that waits.
    pub const fn shanten(&self) -> i8 {
        self.missing as i8 - 1
    }

    /// The number of helping tiles that are left.
    pub fn left(&self) -> u32 {
        self.helps.iter().map(|help| u32::from(help.left)).sum()
    }

    /// Whether it would wait, but only for tiles of which it holds all four. Such a hand is
    /// not ready (riichi: noten).
    pub fn waits_for_a_fifth(&self) -> bool {
        self.missing == 2 && !self.held_out.is_empty()
    }
}

/// A discard and the hand after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discard {
    /// The tile to discard.
    pub tile: Tile,
    /// The hand without it.
    pub after: Outlook,
}

/// The next step of the player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The hand draws next: 13 tiles, or 16.
    Draw(Outlook),
    /// The hand has drawn: 14 tiles, or 17.
    Discard {
        /// The number of tiles that it lacks; 0: it is complete.
        missing: u8,
        /// Each discard, the best first: the nearest hand, then the most tiles left that help.
        discards: Vec<Discard>,
    },
}

/// Advice on a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Its tiles, each kong counted as three.
    pub tiles: usize,
    /// The number of claimed sets that the reading lacks: the rest of a hand of 4, 7 or 10 tiles.
    pub unwritten_sets: usize,
    /// The next step of the player.
    pub turn: Turn,
}

/// Why there is no advice.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AdviceError {
    /// No hand has this number of tiles.
    #[error(
        "{found} tiles, kongs counted as three: give 13 or 14 (16 or 17 for hands of five sets), or 1, 2, 4, 5, 7, 8, 10 or 11 where the rest is claimed"
    )]
    Size {
        /// The number of tiles.
        found: usize,
    },
    /// The hand is not legal.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// More of a face than there are, with those seen.
    #[error(transparent)]
    Seen(#[from] SeenError),
    /// A set of tiles that are not played, which no hand has.
    #[error("{0} is not played under these rules, and lies in a set: correct the set")]
    NotPlayed(Face),
}

impl From<RemainingTilesError> for AdviceError {
    fn from(error: RemainingTilesError) -> Self {
        match error {
            RemainingTilesError::Hand(error) => Self::Hand(error),
            RemainingTilesError::Seen(error) => Self::Seen(error),
        }
    }
}

/// The tiles of a reading, each set laid apart counted as three; the winning tile is one of them.
pub fn size(reading: &Reading) -> usize {
    reading.concealed.len() + usize::from(reading.winning.is_some()) + 3 * reading.sets.len()
}

/// Advises on a hand. `seen`: tiles that are face up elsewhere. `shape`: the complete hand of the rules. Kongs
/// that could be declared are not considered.
///
/// # Errors
/// [`AdviceError`] where the reading is no hand, or has the wrong number of tiles.
pub fn advise(reading: &Reading, seen: &[Face], shape: Shape) -> Result<Advice, AdviceError> {
    let found = size(reading);
    if found.is_multiple_of(3) || found > shape.tiles() {
        return Err(AdviceError::Size { found });
    }
    let hand = RemainingTiles::new(reading, seen)?;
    let faces = Face::all().take(Face::SET_FACES);
    let mut unplayed = faces.filter(|face| hand.apart[face.index()] > 0);
    if let Some(face) = unplayed.find(|&face| !shape.targets.plays(face)) {
        return Err(AdviceError::NotPlayed(face));
    }
    let chows = (reading.sets.iter())
        .filter(|set| Meld::try_from(*set).is_ok_and(|meld| meld.kind() == MeldKind::Chow))
        .count();
    let targets = shape.targets.after_claimed_chows(u8::try_from(chows).unwrap_or(u8::MAX));
    let standing = |held: &Counts| Outlook::new(held, &hand, targets);
    let size_error = || AdviceError::Size { found };
    let turn = if found % 3 == 1 {
        Turn::Draw(standing(&hand.concealed).ok_or_else(size_error)?)
    } else {
        let missing =
            tiles_missing(&hand.concealed, &hand.apart, targets).ok_or_else(size_error)?;
        let mut tiles: Vec<Tile> = (reading.concealed.iter().chain(&reading.winning))
            .filter_map(|seen| match seen {
                SeenFace::Tile(tile) => Some(*tile),
                SeenFace::Back | SeenFace::Unknown => None,
            })
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        let mut discards = Vec::new();
        for tile in tiles {
            let mut held = hand.concealed;
            held[tile.face().index()] -= 1;
            discards.push(Discard { tile, after: standing(&held).ok_or_else(size_error)? });
        }
        discards.sort_by_key(|discard| {
            (discard.after.missing, std::cmp::Reverse(discard.after.left()))
        });
        Turn::Discard { missing, discards }
    };
    Ok(Advice { tiles: found, unwritten_sets: shape.sets - found / 3, turn })
}

impl Outlook {
    /// `None` where no hand has this number of tiles.
    fn new(held: &Counts, hand: &RemainingTiles, targets: Targets) -> Option<Self> {
        let missing = tiles_missing(held, &hand.apart, targets)?;
        let with = |face: Face| {
            let mut held = *held;
            held[face.index()] += 1;
            held
        };
        let faces = || Face::all().take(Face::SET_FACES);
        let all_held = |face: Face| held[face.index()] + hand.apart[face.index()] == Face::COPIES;
        let helps = faces()
            .filter(|&face| {
                !all_held(face)
                    && tiles_missing(&with(face), &hand.apart, targets)
                        .is_some_and(|nearer| nearer < missing)
            })
            .map(|tile| Help { tile, left: hand.left[tile.index()] })
            .collect();
        let without_end = distance::missing_without_end(held, targets).unwrap_or(missing);
        let held_out = faces()
            .filter(|&face| {
                without_end < missing
                    && all_held(face)
                    && distance::missing_without_end(&with(face), targets)
                        .is_some_and(|nearer| nearer < without_end)
            })
            .collect();
        Some(Self { missing, helps, held_out })
    }
}

/// The range of a waiting hand's values, over every tile that is left and every way to win on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorthRange {
    /// The win that brings the winner the least.
    pub least: Value,
    /// The win that brings the most.
    pub most: Value,
    /// Whether some tile, or some way to win, has too low a value.
    pub some_refused: bool,
}

/// The range of values of a hand one tile short. `at`: seats and round; every way to win is tried.
///
/// `None` where it does not wait, nothing it waits for is left, no way to win is worth enough, or the rules
/// play another number of tiles.
pub fn worth(
    rules: &RuleSet,
    reading: &Reading,
    seen: &[Face],
    at: &Circumstances,
) -> Option<WorthRange> {
    let waits = rules.waits(reading, seen, at).ok()?;
    let outcomes = || {
        (waits.iter().filter(|wait| wait.unseen > 0)).flat_map(|wait: &Wait| {
            std::iter::once(&wait.self_draw).chain(wait.claimed.iter().map(|(_, outcome)| outcome))
        })
    };
    let gain = |value: &&Value| value.payments.of(at.seat);
    let wins = || outcomes().filter_map(|outcome| outcome.as_ref().ok());
    Some(WorthRange {
        least: *wins().min_by_key(gain)?,
        most: *wins().max_by_key(gain)?,
        some_refused: outcomes().any(Result::is_err),
    })
}

/// A hand less one of its tiles.
pub fn without(reading: &Reading, tile: Tile) -> Reading {
    let mut rest = reading.clone();
    rest.concealed.extend(rest.winning.take());
    let place = rest.concealed.iter().position(|seen| *seen == SeenFace::Tile(tile));
    if let Some(place) = place {
        rest.concealed.remove(place);
    }
    rest
}

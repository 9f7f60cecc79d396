//! The tiles of each face that are left: neither in a hand nor seen elsewhere.

use thiserror::Error;

use super::{HandError, Meld, Reading, legal::concealed_counts};
use crate::tile::Face;

/// The tiles of a hand of any size, and those that are left, counted by [`Face::index`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemainingTiles {
    /// The concealed tiles, the winning one among them.
    pub concealed: [u8; Face::SET_FACES],
    /// The tiles of sets laid apart.
    pub apart: [u8; Face::SET_FACES],
    /// The copies that neither the hand nor the seen tiles hold.
    pub left: [u8; Face::SET_FACES],
}

/// More of a face than there are in the hand and among the tiles seen elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{count} {face} in the hand and among the seen tiles: there are four of each")]
pub struct SeenError {
    /// The face.
    pub face: Face,
    /// The number of copies there would be.
    pub count: u8,
}

/// Why the tiles that are left cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RemainingTilesError {
    /// The hand is not legal.
    #[error(transparent)]
    Hand(#[from] HandError),
    /// The hand is legal, but not together with the seen tiles.
    #[error(transparent)]
    Seen(#[from] SeenError),
}

impl RemainingTiles {
    /// Counts a hand of any size. `seen`: tiles that are face up elsewhere; flowers among them do not
    /// matter.
    ///
    /// # Errors
    /// Where a tile or set of the hand is wrong or not known, or there are more than four of a face.
    pub fn new(reading: &Reading, seen: &[Face]) -> Result<Self, RemainingTilesError> {
        let concealed = concealed_counts(reading)?;
        super::legal::bonus_bits(reading)?;
        let mut apart = [0u8; Face::SET_FACES];
        for set in &reading.sets {
            for face in Meld::try_from(set).map_err(HandError::from)?.faces() {
                apart[face.index()] = apart[face.index()].saturating_add(1);
            }
        }
        let mut left = [0; Face::SET_FACES];
        for face in Face::all().take(Face::SET_FACES) {
            let at = face.index();
            let held = concealed[at].saturating_add(apart[at]);
            if held > Face::COPIES {
                return Err(HandError::TooMany { face, count: held }.into());
            }
            let elsewhere = seen.iter().filter(|other| **other == face).count();
            let count = held.saturating_add(u8::try_from(elsewhere).unwrap_or(u8::MAX));
            left[at] = Face::COPIES.checked_sub(count).ok_or(SeenError { face, count })?;
        }
        Ok(Self { concealed, apart, left })
    }
}

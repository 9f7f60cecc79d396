//! The values of the places at a table once its session is over.

use serde::Deserialize;

use super::{Level, SessionRules};
use crate::points::Points;

/// The points of the places of three or four players, from the first on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Uma {
    /// Of four.
    Four([Points; 4]),
    /// Of three.
    Three([Points; 3]),
}

impl Default for Uma {
    fn default() -> Self {
        Self::Four([Points::ZERO; 4])
    }
}

impl Uma {
    /// The points from the first place on.
    pub fn places(&self) -> &[Points] {
        match self {
            Self::Four(places) => places,
            Self::Three(places) => places,
        }
    }
}

/// The values of places once a session is over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlacementRules {
    /// The points of each place.
    pub uma: Uma,
    /// The points that final scores are compared with. The first gets the difference to everybody's starting points.
    pub return_points: u32,
    /// The rule for level players.
    pub level: Level,
}

impl PlacementRules {
    /// The bonus of the places of `N` players beside the points that they have won or lost, including the first's gain
    /// from the starting points; `None` where the rules have the places of another number.
    pub fn bonus<const N: usize>(&self, initial_points: u32) -> Option<[Points; N]> {
        let each = Points::whole(i64::from(self.return_points) - i64::from(initial_points));
        let mut places: [Points; N] = self.uma.places().try_into().ok()?;
        let (first, others) = places.split_first_mut()?;
        *first += each * others.len() as i64;
        others.iter_mut().for_each(|place| *place += -each);
        Some(places)
    }

    /// A key whose value does not fit the others, and why.
    pub(super) fn wrong(&self, initial_points: u32) -> Option<(&'static str, &'static str)> {
        if self.return_points > SessionRules::MOST_POINTS {
            return Some(("return_points", "is more than a million"));
        }
        let uma = self.uma.places();
        let falls = uma.is_sorted_by(|higher, lower| higher >= lower);
        let small = uma.iter().all(|uma| uma.abs() <= Points::whole(1_000_000));
        if !falls || !small || uma.iter().copied().sum::<Points>() != Points::ZERO {
            return Some(("uma", "names each place from the first on, falling, zero together"));
        }
        (self.return_points < initial_points)
            .then_some(("return_points", "is less than initial_points"))
    }
}

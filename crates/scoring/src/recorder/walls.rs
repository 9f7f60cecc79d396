//! The rows of tiles that lie or stand face down: walls, and concealed hands. They are where players lay their sets too.

use std::{collections::BTreeMap, time::Duration};

use super::rest::{Resting, Spot};
use crate::{layout::turned_in_walls, sight::SeenTile, tile::SeenFace};

/// Most tiles that lie face down beside each other and are a kong.
const KONG: usize = 4;
/// Largest distance of the middles of two tiles beside each other, in short sides.
const BESIDE: f32 = 1.3;
/// Largest distance of a tile from one of the row, when that was seen, in short sides.
const SAME_PLACE: f32 = 0.6;

/// An indicator that was turned: its face, how clear it is, and when.
pub(super) type Indicator = (SeenFace, f32, Duration);

/// The rows of a deal.
#[derive(Debug, Default)]
pub(super) struct Walls {
    /// Face-up tiles by number, and whether each one lies in a wall.
    turned: BTreeMap<u64, bool>,
    /// Where tiles of long rows have been: the last ones of a row are no longer one.
    places: Vec<[f32; 2]>,
}

impl Walls {
    /// Takes in where all tiles are, and those that lie still. Returns the indicators that are new.
    pub fn take(
        &mut self,
        spots: &BTreeMap<u64, Spot>,
        resting: &[Resting],
        now: Duration,
    ) -> Vec<Indicator> {
        self.find_rows(resting);
        self.turned.retain(|id, _| spots.contains_key(id));
        let is_face = |rest: &&Resting| matches!(rest.face, SeenFace::Tile(_));
        if resting.iter().filter(is_face).all(|rest| self.turned.contains_key(&rest.id)) {
            return Vec::new();
        }
        let tiles: Vec<SeenTile> = resting.iter().map(|rest| rest.tile.clone()).collect();
        let turned = turned_in_walls(&tiles);
        let mut new = Vec::new();
        for (place, rest) in resting.iter().enumerate().filter(|(_, rest)| is_face(rest)) {
            let is_turned = turned.contains(&place);
            if self.turned.insert(rest.id, is_turned).is_none() && is_turned {
                new.push((rest.face, rest.confidence, now));
            }
        }
        new
    }

    /// Whether a tile is in a row.
    pub fn has(&self, rest: &Resting) -> bool {
        match rest.face {
            SeenFace::Back => self.was_at(&rest.spot),
            _ => self.turned.get(&rest.id) == Some(&true),
        }
    }

    fn was_at(&self, spot: &Spot) -> bool {
        self.places.iter().any(|place| spot.away(*place) <= SAME_PLACE)
    }

    /// Remembers where more tiles lie face down beside each other than a kong has.
    fn find_rows(&mut self, resting: &[Resting]) {
        let backs = resting.iter().filter(|rest| rest.face == SeenFace::Back);
        let mut left: Vec<Spot> = backs.map(|rest| rest.spot).collect();
        while let Some(new) = left.iter().position(|spot| !self.was_at(spot)) {
            let (mut row, mut next) = (vec![left.swap_remove(new)], 0);
            while let Some(&here) = row.get(next) {
                let (beside, far) = left.into_iter().partition(|spot| here.away(spot.at) <= BESIDE);
                row.extend::<Vec<Spot>>(beside);
                (left, next) = (far, next + 1);
            }
            if row.len() > KONG {
                row.retain(|spot| !self.was_at(spot));
                self.places.extend(row.iter().map(|spot| spot.at));
            }
        }
    }
}

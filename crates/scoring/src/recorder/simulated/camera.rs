//! A camera that follows the tiles of a deal, as the tracker does: arms cover tiles, some are lost from sight and followed with another number.

use std::{collections::BTreeMap, time::Duration};

use super::{
    Dice, Noise,
    script::{Lying, Script},
};
use crate::{
    sight::{SeenTile, laid},
    tile::Face,
};

/// The camera that follows the tiles of a script.
#[derive(Default)]
pub(super) struct Camera {
    next: u64,
    /// For each tile of the script its number, and whether it is followed since it was nudged.
    ids: BTreeMap<usize, (u64, bool)>,
    /// For each tile when it was last seen.
    seen: BTreeMap<usize, f32>,
}

impl Camera {
    /// The table is another one.
    pub fn forget(&mut self) {
        (self.ids, self.seen) = Default::default();
    }

    pub fn look(&mut self, script: &Script, now: f32, dice: &mut Dice, noise: Noise) -> Followed {
        let mut followed = Followed::default();
        let covered = |area: usize, now: f32| {
            script.arms.iter().any(|(arm, from, to)| *arm == area && (*from..*to).contains(&now))
        };
        for (place, lying) in script.lying.iter().enumerate() {
            let lies = (lying.from..lying.to).contains(&now);
            let is_covered = noise.level > 0.0 && covered(lying.area, now);
            let known = self.ids.get(&place).copied();
            if lies && !is_covered {
                let moved = lying.nudged.is_some_and(|(at, ..)| now >= at);
                let lost = lying.nudged.is_some_and(|(.., kept)| moved && !kept);
                // Now and then a tile is lost from sight and followed with another number.
                let slips = dice.happens(0.0004 * noise.level);
                let id = match known {
                    Some((id, was)) if was == lost && !slips => id,
                    _ => {
                        self.next += 1;
                        self.next
                    }
                };
                self.ids.insert(place, (id, lost));
                self.seen.insert(place, now);
                followed.push(id, lying, now, 0.0, dice, noise);
            } else if let Some((id, _)) = known {
                // A bare place is noticed soon, one under an arm is not.
                let unseen = now - self.seen[&place];
                let patience = if is_covered { 4.0 } else { 0.4 };
                if unseen > patience {
                    self.ids.remove(&place);
                } else {
                    followed.push(id, lying, now, unseen, dice, noise);
                }
            }
        }
        followed
    }
}

#[derive(Default)]
pub(super) struct Followed {
    pub tiles: Vec<SeenTile>,
    pub ids: Vec<u64>,
    pub unseen: Vec<Duration>,
}

impl Followed {
    fn push(
        &mut self,
        id: u64,
        lying: &Lying,
        now: f32,
        unseen: f32,
        dice: &mut Dice,
        noise: Noise,
    ) {
        let mut corners = lying.corners;
        if let Some((_, [x, y], _)) = lying.nudged.filter(|(at, ..)| now >= *at) {
            corners = corners.map(|corner| [corner[0] + x, corner[1] + y]);
        }
        let [x, y] = [0, 1].map(|_| dice.between(-0.8, 0.8) * noise.level);
        corners = corners.map(|corner| [corner[0] + x, corner[1] + y]);
        let mut tile = laid::tile(lying.face.unwrap_or(Face::FIRST), corners);
        match (lying.face, lying.wrong) {
            (None, _) => (tile.back, tile.faces) = (1.0, [0.0; Face::COUNT]),
            (Some(face), Some((wrong, until, sure))) if now < until => {
                tile.faces[face.index()] = 1.0 - sure;
                tile.faces[wrong.index()] = sure.max(1.0 - sure);
            }
            (Some(face), _) => {
                tile.faces[face.index()] = lying.sure;
                tile.faces[(face.index() + 1) % 34] += 1.0 - lying.sure;
            }
        }
        self.tiles.push(tile);
        self.ids.push(id);
        self.unseen.push(Duration::from_secs_f32(unseen));
    }
}

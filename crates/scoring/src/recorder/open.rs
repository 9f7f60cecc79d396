//! What lies open before one player: sets, flowers, at the end the hand.

use std::{collections::BTreeMap, time::Duration};

use super::rest::{HIDDEN, Resting, Spot};
use crate::{
    hand::{Form, Forms, Meld, Reading, SeenSet, SetForm, WholeHand},
    layout::{Hints, PictureLayout, Role, ShownHand, read_open, read_sets},
    record::Tiles,
    sight::SeenTile,
    tile::{SeenFace, Tile},
};

/// Time without a change after which a player's tiles are read: a set is laid down tile by tile.
const STEADY: Duration = Duration::from_millis(600);
/// Time for which tiles may have lain there before they were read, or since something covered the place.
const UNDER: Duration = Duration::from_secs(3);
/// Fewest tiles beside the known sets that are no new set: the hand is being opened.
const OPENED: usize = 5;
/// Fewest tiles that two views of a set have in common.
const SAME_SET: usize = 2;

/// Something new before a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Opened {
    pub news: OpenNews,
    /// The probability that its tiles are read right.
    pub clear: f32,
    /// Whether it may have lain there for a while, covered or not read: nobody knows in which turn it came.
    pub is_late: bool,
}

/// What is new before a player.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OpenNews {
    /// A set with a tile of another player.
    Claimed(SeenSet),
    /// A kong of four own tiles.
    ConcealedKong(Tiles),
    /// The fourth tile on a pung.
    Added(Tile),
    /// A flower, a season or a North.
    SetOut(SeenFace),
    /// The hand, which is open now, and whether it is complete.
    Hand {
        /// The hand.
        hand: Reading,
        /// Whether it is complete.
        finished: bool,
    },
}

/// A tile of a player that lies still.
pub(super) struct OwnTile<'a> {
    pub rest: Resting<'a>,
    /// As the player sees it.
    pub seen: SeenTile,
    /// Whether it lies where open sets do, not the hand.
    pub among_sets: bool,
}

/// A set that is known, with the tiles' numbers.
#[derive(Debug)]
struct KnownSet {
    ids: Vec<u64>,
    set: SeenSet,
}

/// The open tiles of one player.
#[derive(Debug, Default)]
pub(super) struct OpenTiles {
    /// The tiles at their last change, and when that was.
    tiles: Vec<(u64, SeenFace)>,
    since: Duration,
    /// Whether they were read since.
    read: bool,
    /// Whether they were a hand then.
    is_hand: bool,
    /// When something last covered one of them.
    covered: Option<Duration>,
    sets: Vec<KnownSet>,
    aside: Vec<SeenFace>,
}

impl OpenTiles {
    /// Takes the player's own tiles that lie still. Returns what is new.
    pub fn take(&mut self, own: &[OwnTile], hints: &Hints, now: Duration) -> Vec<Opened> {
        let tiles: Vec<(u64, SeenFace)> =
            own.iter().map(|own| (own.rest.id, own.rest.face)).collect();
        if tiles != self.tiles {
            (self.tiles, self.since, self.read) = (tiles, now, false);
        }
        if own.iter().any(|own| own.rest.spot.unseen >= HIDDEN) {
            self.covered = Some(now);
        }
        if self.read || now.saturating_sub(self.since) < STEADY {
            return Vec::new();
        }
        (self.read, self.is_hand) = (true, false);
        if let Some(hand) = self.hand(own, hints) {
            self.is_hand = !hand.is_empty();
            return hand;
        }
        let seen: Vec<SeenTile> = own.iter().map(|own| own.seen.clone()).collect();
        let shown = read_sets(&seen, hints);
        let Some(hand) = &shown.hand else { return Vec::new() };
        let covered = self.covered.is_some_and(|covered| now.saturating_sub(covered) <= UNDER);
        let is_late = |tiles: &[usize]| {
            let newest = tiles.iter().map(|tile| own[shown.tiles[*tile].seen].rest.first).max();
            covered || newest.is_some_and(|newest| now.saturating_sub(newest) > UNDER)
        };
        let mut opened = Vec::new();
        for group in shown.groups.iter().filter(|group| group.role == Role::Meld) {
            let Some(set) = group.set.and_then(|set| hand.reading.sets.get(set)) else { continue };
            let tiles = || group.tiles.iter().map(|tile| &own[shown.tiles[*tile].seen]);
            let is_dark = tiles().all(|own| own.rest.face == SeenFace::Back);
            if is_dark && tiles().any(|own| !own.among_sets) {
                // A part of the hand, which stands concealed.
                continue;
            }
            let ids = tiles().map(|own| own.rest.id).collect();
            let clear = confidence(&shown, &group.tiles);
            let is_late = is_late(&group.tiles);
            opened.extend(self.set(set, ids).into_iter().map(|news| Opened {
                news,
                clear,
                is_late,
            }));
        }
        for face in hand.reading.bonus.iter().filter(|face| matches!(face, SeenFace::Tile(_))) {
            if !self.aside.contains(face) {
                self.aside.push(*face);
                let is_it = |tile: &usize| shown.tiles[*tile].face == *face;
                let tiles: Vec<usize> = (0..shown.tiles.len()).filter(is_it).collect();
                let (clear, is_late) = (confidence(&shown, &tiles), is_late(&tiles));
                opened.push(Opened { news: OpenNews::SetOut(*face), clear, is_late });
            }
        }
        opened
    }

    /// Whether the hand lies open there, and nothing covers it.
    pub fn shows_hand(&self, now: Duration) -> bool {
        let covered = self.covered == Some(now);
        self.read && self.is_hand && !covered
    }

    /// The hand beside the known sets, if more tiles lie there than a new set has: it is being opened. Empty until it is read.
    fn hand(&self, own: &[OwnTile], hints: &Hints) -> Option<Vec<Opened>> {
        let WholeHand { sets, forms } = hints.whole;
        let whole = WholeHand {
            sets: sets.saturating_sub(self.sets.len()),
            forms: if self.sets.is_empty() { forms } else { Forms::NONE.with(Form::Sets) },
        };
        let is_known = |rest: &Resting| self.sets.iter().any(|known| known.ids.contains(&rest.id));
        let is_of_hand = |face| matches!(face, SeenFace::Tile(tile) if !tile.face().is_bonus());
        let faces = own.iter().filter(|own| is_of_hand(own.rest.face));
        let of_sets = self.sets.iter().flat_map(|known| &known.set.tiles);
        let of_sets = of_sets.filter(|tile| is_of_hand(tile.face)).count();
        if faces.clone().count() < of_sets + OPENED.min(whole.tiles()) {
            return None;
        }
        let beside = faces.filter(|own| !is_known(&own.rest)).map(|own| own.seen.clone());
        let beside: Vec<SeenTile> = beside.collect();
        let (shown, is_hand) = read_open(&beside, &Hints { whole, ..hints.clone() });
        let hand = shown.hand.filter(|_| is_hand);
        let opened =
            hand.map(|ShownHand { reading: hand, finished, confidence: clear, .. }| Opened {
                news: OpenNews::Hand { hand, finished },
                clear,
                is_late: false,
            });
        Some(opened.into_iter().collect())
    }

    /// Takes a set that lies there.
    fn set(&mut self, set: &SeenSet, ids: Vec<u64>) -> Vec<OpenNews> {
        let common = |known: &KnownSet| known.ids.iter().filter(|id| ids.contains(id)).count();
        let faces = |set: &SeenSet| {
            let mut faces: Vec<SeenFace> = set.tiles.iter().map(|tile| tile.face).collect();
            faces.sort_unstable();
            faces
        };
        // Another set of the same tiles is no view of one that is still followed.
        let is_lost = |known: &KnownSet| self.tiles.iter().all(|(id, _)| !known.ids.contains(id));
        let kind = Meld::try_from(set).ok();
        let same = (self.sets.iter()).position(|known| common(known) >= SAME_SET).or_else(|| {
            self.sets.iter().position(|known| is_lost(known) && faces(&known.set) == faces(set))
        });
        if let Some(known) = same.map(|place| &mut self.sets[place]) {
            let grows = known.set.tiles.len() == 3 && set.tiles.len() == 4;
            known.ids = ids;
            let added = kind.filter(|kind| grows && kind.is_kong());
            if added.is_some() {
                known.set = set.clone();
            }
            // A red five may be the one that was added; which of the four it is cannot be seen.
            return added.map(|kong| OpenNews::Added(kong.face().into())).into_iter().collect();
        }
        let is_concealed = set.form == SetForm::ConcealedKong;
        let has_backs = set.tiles.iter().any(|tile| tile.face == SeenFace::Back);
        if !(kind.is_some() || (is_concealed && has_backs)) {
            return Vec::new();
        }
        self.sets.push(KnownSet { ids, set: set.clone() });
        if is_concealed {
            return vec![OpenNews::ConcealedKong(set.tiles.iter().map(|tile| tile.face).collect())];
        }
        let mut pung = set.clone();
        let marks = set.tiles.iter().filter(|tile| tile.sideways).count();
        let Some(kong) = kind.filter(|_| marks == 2) else {
            return vec![OpenNews::Claimed(pung)];
        };
        // The fourth tile was added before the pung was read.
        let added = pung.tiles.iter().position(|tile| tile.sideways).unwrap_or_default();
        pung.tiles.remove(added);
        vec![OpenNews::Claimed(pung), OpenNews::Added(kong.face().into())]
    }

    /// The number of tiles in sets, of those that still lie there, and of those that are seen there.
    pub fn count(&self, spots: &BTreeMap<u64, Spot>) -> [usize; 3] {
        let ids = || self.sets.iter().flat_map(|known| &known.ids);
        let left = || ids().filter_map(|id| spots.get(id));
        [ids().count(), left().count(), left().filter(|spot| spot.unseen < HIDDEN).count()]
    }
}

/// The probability of the least clear one of some tiles.
fn confidence(shown: &PictureLayout, tiles: &[usize]) -> f32 {
    tiles.iter().map(|tile| shown.tiles[*tile].confidence).fold(1.0, f32::min)
}

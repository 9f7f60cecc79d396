//! How a deal ended, as far as the opened hands show it: a complete hand has won, on the last discard if that was gone from its
//! place and is among its tiles, on the tile just drawn if the last discard still lay there.

use std::{collections::BTreeMap, time::Duration};

use super::{deal::Deal, pond::Pond, turns::Turns};
use crate::{
    hand::Reading,
    record::{Event, Tiles},
    tile::SeenFace,
};

/// A hand that its player has opened.
#[derive(Clone, Debug)]
pub(super) struct OpenHand {
    pub hand: Reading,
    /// Whether it is complete.
    pub finished: bool,
    /// The probability that all of it is read right.
    pub clear: f32,
    pub at: Duration,
    /// The last discard when the hand was read, by player and place, and whether it was gone.
    pub last: Option<(usize, usize, bool)>,
}

impl OpenHand {
    /// Its tiles, without open sets.
    pub fn tiles(&self) -> Vec<SeenFace> {
        self.hand.concealed.iter().chain(&self.hand.winning).copied().collect()
    }
}

/// Writes the opened hands and who has won with them. A hand that does not have the tiles that it should is left out.
pub(super) fn write(
    deal: &mut Deal,
    hands: &BTreeMap<usize, OpenHand>,
    ponds: &[Pond],
    turns: &Turns,
) {
    for (&player, open) in hands {
        let mut tiles = open.tiles();
        let Some(missing) = deal.missing(player, tiles.len()) else { continue };
        // Whoever has just claimed has not drawn.
        let is_won = missing == 0 && open.finished && !deal.has_just_claimed(player);
        let wins = if is_won { won(player, open, ponds, turns) } else { None };
        match wins {
            Some(Some((_, tile))) => {
                if let Some(place) = tiles.iter().rposition(|other| *other == tile) {
                    tiles.remove(place);
                }
            }
            Some(None) => deal.draw(player, open.at),
            None if missing == 1 => {}
            None => continue,
        }
        let event = Event::Opened { player, hand: Tiles(tiles) };
        deal.write(event, open.at, Some(open.clear));
        if let Some(from) = wins {
            let from = from.map(|(giver, _)| giver);
            let (below, paid) = (Tiles::default(), Vec::new());
            deal.write(Event::Win { player, from, below, paid }, open.at, Some(open.clear));
        }
    }
}

/// Who gave the tile that completes a hand, and the tile; `None` for the player's own draw. Nothing where neither is certain.
fn won(
    player: usize,
    open: &OpenHand,
    ponds: &[Pond],
    turns: &Turns,
) -> Option<Option<(usize, SeenFace)>> {
    let (next, last) = turns.standing();
    if last != open.last.map(|(giver, place, _)| (giver, place)) {
        return None;
    }
    match open.last {
        Some((giver, place, true)) => {
            let tile = ponds.get(giver)?.0.get(place)?.face;
            let has_it = open.tiles().contains(&tile);
            (giver != player && has_it).then_some(Some((giver, tile)))
        }
        _ => (next == Some(player)).then_some(None),
    }
}

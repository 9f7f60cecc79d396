//! Readings of the server's sources.

use std::sync::Arc;

use super::{
    seats::SeatSeen,
    state::{SeatHand, SeatShows, SeatView},
    tracked_picture::TrackedPicture,
};
use crate::{
    appraisal::{ImageSize, Input, TileReading, appraise_shown},
    layout::{Doubt, Role, Uncertainty, Unread},
    page::{
        Context, ContextError,
        reading::{self, Fixes, NumberedTiles, PageReading, printed, waits},
        wording,
    },
    rules::{Circumstances, Field, RuleSet},
    tile::Seat,
};

/// The hand of a photo, whose tiles are numbered by their places.
pub(super) fn of_photo(
    tracked: &TrackedPicture,
    rules: &Arc<RuleSet>,
    input: Input,
    fixes: Fixes,
    context: &Context,
) -> Result<PageReading, ContextError> {
    let NumberedTiles { image, tiles, .. } = shown_by(tracked);
    reading::of_photo(image, tiles, rules, input, fixes, context)
}

/// The hand of a picture of one hand.
pub(super) fn of_picture(
    tracked: &TrackedPicture,
    rules: &Arc<RuleSet>,
    input: Input,
    fixes: Fixes,
) -> PageReading {
    reading::of_picture(shown_by(tracked), rules, input, fixes)
}

/// The hand of one player at a table.
pub(super) fn of_seat(
    tracked: &TrackedPicture,
    rules: &Arc<RuleSet>,
    input: &Input,
    seen: &SeatSeen,
) -> PageReading {
    let mut shown = seen.shown.clone();
    if !seen.hand_seen {
        // Open sets alone cannot be scored.
        shown.hand = None;
        shown.refusal = Some(Unread::Standing);
        for tile in &mut shown.tiles {
            (tile.role, tile.group) = (Role::Other, None);
        }
        shown.groups.clear();
    }
    let declares = seen.sideways.is_some() && rules.uses(Field::Riichi);
    if let Some(hand) = &mut shown.hand
        && declares
        && input.at.is_some_and(|at| !at.in_riichi())
    {
        hand.doubts.push(Doubt::of_hand(Uncertainty::RiichiUnsaid));
    }
    printed(shown_by(tracked), rules, &appraise_shown(shown, rules, input), input)
}

fn shown_by(tracked: &TrackedPicture) -> NumberedTiles<'_> {
    let image = ImageSize { width: tracked.picture.width(), height: tracked.picture.height() };
    NumberedTiles { image, tiles: &tracked.tiles, ids: &tracked.ids }
}

/// A player at a table: tiles, waits and discards.
pub(super) fn seat(
    tracked: &TrackedPicture,
    place: Seat,
    seen: &SeatSeen,
    rules: &RuleSet,
    at: Option<Circumstances>,
) -> SeatView {
    let hand = seen.shown.hand.as_ref();
    let whole = hand.filter(|_| seen.hand_seen).map(|hand| &hand.reading);
    let code = |&tile: &usize| seen.shown.tiles[tile].face.to_string();
    let own = seen.shown.tiles.iter().filter(|tile| tile.role != Role::Other);
    let sentences = |doubt: &Doubt| wording::joined(&wording::doubt(doubt));
    SeatView {
        place,
        shows: match (hand, seen.hand_seen) {
            (Some(_), true) => SeatShows::Hand,
            (Some(_), false) => SeatShows::Sets,
            (None, _) => SeatShows::Nothing,
        },
        hand: hand.map(|hand| SeatHand {
            text: hand.reading.to_string(),
            confidence: hand.confidence,
            doubts: hand.doubts.iter().map(sentences).collect(),
        }),
        tiles: own.filter_map(|tile| tracked.ids.get(tile.seen).copied()).collect(),
        standing: seen.standing.iter().map(|(id, tile)| TileReading::of(*id, tile)).collect(),
        waits: waits(whole, &seen.elsewhere(), rules, at),
        discards: seen.discards.iter().map(code).collect(),
        discards_known: seen.discards_known,
        sideways: seen.sideways,
        riichi: seen.sideways.is_some() && rules.uses(Field::Riichi),
        ..SeatView::default()
    }
}

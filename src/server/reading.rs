//! Readings of the server's sources as JSON for pages.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{seats::SeatSeen, tracked_picture::TrackedPicture};
use crate::{
    appraisal::{ImageSize, Input, TilesReading, appraise_shown},
    layout::{Doubt, Role, Uncertainty, Unread},
    page::{
        ContextError,
        reading::{self, Fixes, NumberedTiles, printed, waits},
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
) -> Result<Value, ContextError> {
    let NumberedTiles { image, tiles, .. } = shown_by(tracked);
    reading::of_photo(image, tiles, rules, input, fixes)
}

/// The hand of a picture of one hand.
pub(super) fn of_picture(
    tracked: &TrackedPicture,
    rules: &Arc<RuleSet>,
    input: Input,
    fixes: Fixes,
) -> Value {
    reading::of_picture(shown_by(tracked), rules, input, fixes)
}

/// The hand of one player at a table.
pub(super) fn of_seat(
    tracked: &TrackedPicture,
    rules: &Arc<RuleSet>,
    input: &Input,
    seen: &SeatSeen,
) -> Value {
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
    let declares = seen.riichi && rules.core.uses(Field::Riichi);
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

/// A player at a table as JSON: tiles, waits and discards.
pub(super) fn seat(
    tracked: &TrackedPicture,
    place: Seat,
    seen: &SeatSeen,
    rules: &RuleSet,
    at: Option<Circumstances>,
) -> Value {
    let hand = seen.shown.hand.as_ref();
    let shows = match (hand, seen.hand_seen) {
        (Some(_), true) => "hand",
        (Some(_), false) => "sets",
        (None, _) => "nothing",
    };
    let hand_json = hand.map(|hand| {
        let doubts: Vec<String> =
            (hand.doubts.iter()).map(|doubt| wording::joined(&wording::doubt(doubt))).collect();
        json!({ "text": hand.reading.to_string(), "confidence": hand.confidence, "doubts": doubts })
    });
    let whole = hand.filter(|_| seen.hand_seen).map(|hand| &hand.reading);
    let code = |&tile: &usize| seen.shown.tiles[tile].face.to_string();
    let id = |shown: usize| tracked.ids.get(seen.shown.tiles[shown].seen).copied();
    let own: Vec<u64> = (0..seen.shown.tiles.len())
        .filter(|&tile| seen.shown.tiles[tile].role != Role::Other)
        .filter_map(id)
        .collect();
    let (numbers, standing): (Vec<u64>, Vec<_>) = seen.standing.iter().cloned().unzip();
    let standing = serde_json::to_value(TilesReading {
        file: None,
        image: ImageSize::default(),
        tiles: &standing,
        ids: Some(&numbers),
        work: None,
    })
    .map_or(Value::Null, |mut printed| printed["tiles"].take());
    json!({
        "place": place,
        "shows": shows,
        "hand": hand_json,
        "tiles": own,
        "standing": standing,
        "waits": waits(whole, &seen.elsewhere(), rules, at),
        "discards": seen.discards.iter().map(code).collect::<Vec<_>>(),
        "discards_known": seen.discards_known,
        "riichi": seen.riichi && rules.core.uses(Field::Riichi),
    })
}

//! Readings as pages get them: FORMATS' objects, the tiles' numbers, names of the items, the waits.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    look::Look,
    seats::{Fixes, SeatSeen, places},
    wording::for_pages,
};
use crate::{
    appraisal::{
        Appraisal, ImageSize, PictureReading, TilesReading, Told, appraise, appraise_shown,
    },
    hand::Reading,
    layout::{Doubt, Role},
    rules::{Circumstances, Field, RuleSet, Wait, Win},
    tile::{Face, Seat},
};

/// The hand of a picture of one hand.
pub(super) fn of_picture(look: &Look, rules: &Arc<RuleSet>, mut told: Told, fixes: Fixes) -> Value {
    told.hints.fixes = places(&look.tiles, &look.ids, fixes);
    let appraisal = appraise(&look.tiles, rules, &told);
    printed(look, rules, &appraisal, &told)
}

/// The hand of one player at a table.
pub(super) fn of_seat(look: &Look, rules: &Arc<RuleSet>, told: &Told, seen: &SeatSeen) -> Value {
    let mut shown = seen.shown.clone();
    if !seen.hand_seen {
        // Open sets alone are no hand that could be scored.
        shown.hand = None;
        shown.refusal = Some("this player's hand is not seen: it stands, or is hidden".to_owned());
        for tile in &mut shown.tiles {
            (tile.role, tile.group) = (Role::Other, None);
        }
        shown.groups.clear();
    }
    let declares = seen.riichi && rules.core.uses(Field::Riichi);
    if let Some(hand) = &mut shown.hand
        && declares
        && told.at.is_some_and(|at| !at.in_riichi())
    {
        let why = "one of this player's discards lies sideways: say whether riichi was declared";
        hand.doubts.push(Doubt::of_hand(why.to_owned()));
    }
    printed(look, rules, &appraise_shown(shown, rules, told), told)
}

fn printed(look: &Look, rules: &Arc<RuleSet>, appraisal: &Appraisal, told: &Told) -> Value {
    let image = ImageSize { width: look.picture.width(), height: look.picture.height() };
    let printed = PictureReading { file: None, image, appraisal };
    let mut reading = serde_json::to_value(printed)
        .unwrap_or_else(|error| json!({ "trouble": error.to_string() }));
    if let Some(tiles) = reading["tiles"].as_array_mut() {
        for (tile, shown) in tiles.iter_mut().zip(&appraisal.shown.tiles) {
            tile["id"] = json!(look.ids.get(shown.seen));
        }
    }
    for why in ["/refusal", "/score/message"] {
        if let Some(Value::String(why)) = reading.pointer_mut(why) {
            *why = for_pages(why);
        }
    }
    let doubts = reading.pointer_mut("/hand/doubts").and_then(Value::as_array_mut);
    for doubt in doubts.into_iter().flatten() {
        doubt["why"] = json!(for_pages(doubt["why"].as_str().unwrap_or_default()));
    }
    reading["rules_name"] = json!(rules.name);
    reading["unit"] = json!(rules.unit.word());
    reading["terms"] = json!(rules.terms());
    reading["scored_hand"] = json!(appraisal.hand.as_ref().map(ToString::to_string));
    reading["item_names"] = names(appraisal);
    let elsewhere = appraisal.shown.elsewhere();
    let hand = appraisal.shown.hand.as_ref().map(|hand| &hand.reading);
    reading["waits"] = waits(hand, &elsewhere, rules, told.at);
    reading
}

/// A player at a table: what he shows, what he waits for, what he has discarded.
pub(super) fn seat(
    look: &Look,
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
        let doubts: Vec<String> = hand.doubts.iter().map(|doubt| for_pages(&doubt.why)).collect();
        json!({ "text": hand.reading.to_string(), "confidence": hand.confidence, "doubts": doubts })
    });
    let whole = hand.filter(|_| seen.hand_seen).map(|hand| &hand.reading);
    let code = |&tile: &usize| seen.shown.tiles[tile].face.to_string();
    let id = |shown: usize| look.ids.get(seen.shown.tiles[shown].seen).copied();
    let own: Vec<u64> = (0..seen.shown.tiles.len())
        .filter(|&tile| seen.shown.tiles[tile].role != Role::Other)
        .filter_map(id)
        .collect();
    let (numbers, standing): (Vec<u64>, Vec<_>) = seen.standing.iter().cloned().unzip();
    let mut standing = serde_json::to_value(TilesReading {
        file: None,
        image: ImageSize::default(),
        tiles: &standing,
        work: None,
    })
    .map_or(Value::Null, |mut printed| printed["tiles"].take());
    for (tile, number) in standing.as_array_mut().into_iter().flatten().zip(numbers) {
        tile["id"] = json!(number);
    }
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

fn names(appraisal: &Appraisal) -> Value {
    let score = appraisal.answer.as_ref().and_then(|answer| answer.explained.outcome.as_ref().ok());
    let items = score.map_or(&[][..], |score| &score.items);
    items
        .iter()
        .map(|item| (item.id.to_string(), Value::from(item.name.to_string())))
        .collect::<Map<_, _>>()
        .into()
}

/// What completes a hand that is one tile short; `seen` lies face up elsewhere.
fn waits(
    hand: Option<&Reading>,
    seen: &[Face],
    rules: &RuleSet,
    at: Option<Circumstances>,
) -> Value {
    let Some(hand) = hand else { return json!([]) };
    let at = at.unwrap_or_else(|| Circumstances::new(Seat::East, Seat::East, Win::SelfDraw));
    // Too many of a face were seen: one was misread, and how many are left is not known.
    let waits = rules.waits(hand, seen, &at).or_else(|_| rules.waits(hand, &[], &at));
    let wins = |wait: &Wait| {
        wait.self_draw.is_ok() || wait.claimed.iter().any(|(_, outcome)| outcome.is_ok())
    };
    // A hand that is not one tile short waits for nothing.
    (waits.unwrap_or_default().iter())
        .map(|wait| {
            let best = wait.self_draw.as_ref().ok().map(|value| value.score);
            json!({
                "tile": wait.tile.to_string(), "unseen": wait.unseen,
                "score": best, "wins": wins(wait),
            })
        })
        .collect()
}

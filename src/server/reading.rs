//! Readings as pages get them: FORMATS' objects, the tiles' numbers, names of the items, the waits.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{
    context::Typed,
    look::Look,
    seats::{Fixes, SeatSeen, places},
    wording::for_pages,
};
use crate::{
    appraisal::{
        Appraisal, ImageSize, PictureReading, TilesReading, Told, appraise, appraise_shown,
    },
    hand::Reading,
    layout::{Doubt, Role, Shown, ShownHand},
    points::Points,
    rules::{Circumstances, Field, Players, RuleSet, Wait, Win, Worth},
    tile::{Face, Seat, SeenFace},
};

/// The hand of a picture of one hand.
pub(super) fn of_picture(look: &Look, rules: &Arc<RuleSet>, mut told: Told, fixes: Fixes) -> Value {
    told.hints.fixes = places(&look.tiles, &look.ids, fixes);
    let appraisal = appraise(&look.tiles, rules, &told);
    of_look(look, rules, &appraisal, &told)
}

/// What was typed in place of a picture.
pub(super) fn of_typed(typed: Typed, rules: &Arc<RuleSet>, told: &Told) -> Value {
    match typed {
        Typed::Hand(reading) => of_text(reading, rules, told),
        Typed::Worth(worth) => of_worth(worth, rules, told.at),
        Typed::Payments(payments) => {
            let sum: Points = payments.values().copied().sum();
            let score = told.at.map(|at| {
                if sum != Points::ZERO {
                    let why = format!("the payments add up to {}", sum.mixed());
                    return json!({ "ok": false, "message": why });
                }
                let seated = if at.players == Players::Three { 3 } else { 4 };
                let amount = |seat: Seat| payments.get(&seat).copied().unwrap_or_default();
                let amounts: Map<String, Value> = (Seat::ALL.into_iter().take(seated))
                    .map(|seat| (seat.to_string(), amount(seat).to_string().into()))
                    .collect();
                json!({ "ok": true, "items": [], "payments": amounts })
            });
            without_hand(score, rules)
        }
    }
}

/// A hand that was typed: there is nothing in it to be unsure of.
fn of_text(mut reading: Reading, rules: &Arc<RuleSet>, told: &Told) -> Value {
    if let (None, Some(winning)) = (reading.winning, told.hints.winning) {
        let winning = SeenFace::Tile(winning);
        if let Some(place) = reading.concealed.iter().rposition(|tile| *tile == winning) {
            reading.concealed.remove(place);
        }
        reading.winning = Some(winning);
    }
    let hand = ShownHand {
        reading,
        confidence: 1.0,
        log_likelihood: 0.0,
        price: 0.0,
        finished: true,
        doubts: Vec::new(),
    };
    let shown = Shown { hand: Some(hand), ..Shown::default() };
    printed(ImageSize::default(), &[], rules, &appraise_shown(shown, rules, told), told)
}

/// The score of a worth, with nothing of the hand but that.
fn of_worth(worth: Worth, rules: &RuleSet, at: Option<Circumstances>) -> Value {
    let score = at.map(|at| match rules.value_of(worth, &at) {
        Ok(value) => {
            let mut score = json!({
                "ok": true,
                "items": [],
                "faan": value.faan,
                "score": value.score,
                "payments": value.payments,
                "steps": rules.steps_of(worth, &at).unwrap_or_default(),
            });
            // As an answer has them: where there are any.
            if let Some(points) = value.points {
                score["points"] = json!(points);
            }
            for (field, number) in [("dealer_faan", value.dealer_faan), ("sticks", value.sticks)] {
                if let Some(number) = number {
                    score[field] = json!(number.to_string());
                }
            }
            score
        }
        Err(why) => json!({ "ok": false, "message": why.to_string() }),
    });
    without_hand(score, rules)
}

fn without_hand(score: Option<Value>, rules: &RuleSet) -> Value {
    let refusal = score.is_none().then_some("choose the winner and how it was won");
    let mut reading = json!({ "tiles": [], "hand": null, "score": score, "refusal": refusal });
    say_rules(&mut reading, rules);
    reading
}

fn say_rules(reading: &mut Value, rules: &RuleSet) {
    reading["rules_name"] = json!(rules.name);
    reading["unit"] = json!(rules.unit.word());
    reading["terms"] = json!(rules.terms());
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
    of_look(look, rules, &appraise_shown(shown, rules, told), told)
}

fn of_look(look: &Look, rules: &Arc<RuleSet>, appraisal: &Appraisal, told: &Told) -> Value {
    let image = ImageSize { width: look.picture.width(), height: look.picture.height() };
    printed(image, &look.ids, rules, appraisal, told)
}

/// `ids`: the number of each tile that was seen.
fn printed(
    image: ImageSize,
    ids: &[u64],
    rules: &RuleSet,
    appraisal: &Appraisal,
    told: &Told,
) -> Value {
    let printed = PictureReading { file: None, image, appraisal };
    let mut reading = serde_json::to_value(printed)
        .unwrap_or_else(|error| json!({ "trouble": error.to_string() }));
    if let Some(tiles) = reading["tiles"].as_array_mut() {
        for (tile, shown) in tiles.iter_mut().zip(&appraisal.shown.tiles) {
            tile["id"] = json!(ids.get(shown.seen));
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
    say_rules(&mut reading, rules);
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

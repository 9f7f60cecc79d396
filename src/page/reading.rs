//! Readings as JSON for pages: FORMATS' objects, tile numbers, item names and waits.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{ContextError, context::Typed, wording};
use crate::{
    appraisal::{Appraisal, ImageSize, Input, PictureReading, Withheld, appraise, appraise_shown},
    hand::Reading,
    layout::{self, PictureLayout, ShownHand, ShownTile},
    points::Points,
    rules::{Circumstances, Players, RuleSet, Wait, Win, Worth},
    sight::SeenTile,
    tile::{Face, Seat, SeenFace, Tile},
    words::Say,
};

/// Tiles as one picture shows them.
#[derive(Clone, Copy, Debug)]
pub struct NumberedTiles<'a> {
    /// The picture's size.
    pub image: ImageSize,
    /// The tiles.
    pub tiles: &'a [SeenTile],
    /// The tracking number of each tile.
    pub ids: &'a [u64],
}

/// Corrections: a tile's number and its right face.
pub type Fixes<'a> = &'a [(u64, Tile)];

/// The numbers of a photo's tiles: their places in its reading; tiles that the reading leaves out come after.
pub fn numbers(tiles: &[SeenTile]) -> Vec<u64> {
    let kept = layout::tiles(tiles);
    let place = |seen: usize| kept.iter().position(|shown| shown.seen == seen);
    (0..tiles.len()).map(|seen| place(seen).unwrap_or(kept.len() + seen) as u64).collect()
}

/// The hand of a photo, whose tiles are numbered by their places in the reading.
///
/// # Errors
/// A correction of a tile that the reading does not have.
pub fn of_photo(
    image: ImageSize,
    tiles: &[SeenTile],
    rules: &Arc<RuleSet>,
    input: Input,
    fixes: Fixes,
) -> Result<Value, ContextError> {
    let count = layout::tiles(tiles).len();
    if let Some((number, _)) = fixes.iter().find(|(number, _)| *number >= count as u64) {
        let why = format!("`fixes` names tile {number}, and the reading has {count}, from 0 on");
        return Err(ContextError(why));
    }
    let ids = numbers(tiles);
    Ok(of_picture(NumberedTiles { image, tiles, ids: &ids }, rules, input, fixes))
}

/// The hand of a picture of one hand.
pub fn of_picture(
    seen: NumberedTiles,
    rules: &Arc<RuleSet>,
    mut input: Input,
    fixes: Fixes,
) -> Value {
    input.hints.fixes = places(seen.tiles, seen.ids, fixes);
    printed(seen, rules, &appraise(seen.tiles, rules, &input), &input)
}

/// Corrections by the places that the tiles have in the reading.
pub fn places(tiles: &[SeenTile], ids: &[u64], fixes: Fixes) -> Vec<(usize, Tile)> {
    let kept = layout::tiles(tiles);
    (fixes.iter())
        .filter_map(|(id, is)| {
            let seen = ids.iter().position(|other| other == id)?;
            Some((kept.iter().position(|place| place.seen == seen)?, *is))
        })
        .collect()
}

/// No picture.
const NOTHING_SEEN: NumberedTiles<'static> =
    NumberedTiles { image: ImageSize { width: 0, height: 0 }, tiles: &[], ids: &[] };

/// The reading of typed input in place of a picture.
pub fn of_typed(typed: Typed, rules: &Arc<RuleSet>, input: &Input) -> Value {
    match typed {
        Typed::Hand(reading) => of_text(reading, rules, input),
        Typed::Worth(worth) => of_worth(worth, rules, input.at),
        Typed::Payments(payments) => {
            let sum: Points = payments.values().copied().sum();
            let score = input.at.map(|at| {
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

/// The reading of a typed hand, which has no doubts.
fn of_text(mut reading: Reading, rules: &Arc<RuleSet>, input: &Input) -> Value {
    if let (None, Some(winning)) = (reading.winning, input.hints.winning) {
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
    let shown = PictureLayout { hand: Some(hand), ..PictureLayout::default() };
    printed(NOTHING_SEEN, rules, &appraise_shown(shown, rules, input), input)
}

/// The reading of a typed worth, without a hand.
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
            // As in an answer: only if there are any.
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
    let refusal = score.is_none().then(|| wording::withheld(&Withheld::WinUnknown));
    let mut reading = json!({ "tiles": [], "hand": null, "score": score });
    say_refusal(&mut reading, refusal);
    say_rules(&mut reading, rules);
    reading
}

/// Why there is no hand or no score: in English, and as sentences for a page's language.
fn say_refusal(reading: &mut Value, refusal: Option<Vec<Say>>) {
    if let Some(said) = refusal {
        reading["refusal"] = json!(wording::joined(&said));
        reading["refusal_said"] = json!(said);
    }
}

fn say_rules(reading: &mut Value, rules: &RuleSet) {
    reading["rules_name"] = json!(rules.name);
    reading["unit"] = json!(rules.unit.word());
    reading["terms"] = json!(rules.terms());
}

/// An appraisal as pages get it.
pub fn printed(
    seen: NumberedTiles,
    rules: &RuleSet,
    appraisal: &Appraisal,
    input: &Input,
) -> Value {
    let number = |shown: &ShownTile| seen.ids.get(shown.seen).copied().unwrap_or_default();
    let ids: Vec<u64> = appraisal.shown.tiles.iter().map(number).collect();
    let (image, ids) = (seen.image, Some(ids.as_slice()));
    let printed = PictureReading { file: None, image, appraisal, ids, words: wording::WORDS };
    let mut reading = serde_json::to_value(printed)
        .unwrap_or_else(|error| json!({ "trouble": error.to_string() }));
    say_refusal(&mut reading, appraisal.shown.refusal.map(|unread| vec![unread.sentence()]));
    let answer = appraisal.answer.as_ref().map(|answer| &answer.explained.outcome);
    if let Some(Err(failure)) = answer {
        reading["score"]["message"] = json!(wording::labels(&failure.message.english()));
        reading["score"]["message_said"] = json!(failure.message);
    }
    // In the order of the JSON: the doubts, then the reason for no score.
    let hand = appraisal.shown.hand.as_ref();
    let said = hand.into_iter().flat_map(|hand| &hand.doubts).map(wording::doubt);
    let said = said.chain(appraisal.withheld.as_ref().map(wording::withheld));
    let doubts = reading.pointer_mut("/hand/doubts").and_then(Value::as_array_mut);
    for (doubt, said) in doubts.into_iter().flatten().zip(said) {
        doubt["said"] = json!(said);
    }
    say_rules(&mut reading, rules);
    reading["scored_hand"] = json!(appraisal.hand.as_ref().map(ToString::to_string));
    reading["item_names"] = names(appraisal);
    let elsewhere = appraisal.shown.elsewhere();
    let hand = appraisal.shown.hand.as_ref().map(|hand| &hand.reading);
    reading["waits"] = waits(hand, &elsewhere, rules, input.at);
    reading
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

/// The tiles that complete a hand one tile short; `seen` has the face-up tiles elsewhere.
pub fn waits(
    hand: Option<&Reading>,
    seen: &[Face],
    rules: &RuleSet,
    at: Option<Circumstances>,
) -> Value {
    let Some(hand) = hand else { return json!([]) };
    let at = at.unwrap_or_else(|| Circumstances::new(Seat::East, Seat::East, Win::SelfDraw));
    // More than four tiles of a face were seen: one is misread, and the number left is unknown.
    let waits = rules.waits(hand, seen, &at).or_else(|_| rules.waits(hand, &[], &at));
    let wins = |wait: &Wait| {
        wait.self_draw.is_ok() || wait.claimed.iter().any(|(_, outcome)| outcome.is_ok())
    };
    // A hand that is not one tile short has no waits.
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

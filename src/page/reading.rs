//! Readings as pages get them: objects of docs/formats.md, tile numbers, item names and waits.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Context, ContextError,
    context::Typed,
    score::{Counted, PageScore, TypedPayments},
    wording,
};
use crate::{
    appraisal::{
        Appraisal, DealEnded, HandReading, ImageSize, Input, OpenedHands, TileReading, Withheld,
        appraise, appraise_shown, known, score_unwon,
    },
    hand::Reading,
    layout::{self, PictureLayout, ShownHand, ShownTile},
    points::Points,
    rules::{Circumstances, Halves, LoserScore, Players, RuleSet, Terms, Wait, Win, Worth},
    sight::SeenTile,
    table::OtherHand,
    tile::{Face, Seat, SeenFace, Tile},
    words::Say,
};

/// A hand as pages get it: of a picture, or typed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct PageReading {
    /// The picture's size; `None` for a typed worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ImageSize>,
    /// The picture's tiles.
    pub tiles: Vec<TileReading>,
    /// The hand, where there is one.
    pub hand: Option<HandReading>,
    /// Its score, or why it has none.
    pub score: Option<PageScore>,
    /// Why there is no hand or no score.
    #[serde(flatten)]
    pub refusal: Option<Refusal>,
    /// The rules and their words.
    #[serde(flatten)]
    pub rules: RulesWords,
    /// The hand that was scored.
    pub scored_hand: Option<String>,
    /// The names of the score's items, by their ids.
    pub item_names: BTreeMap<String, String>,
    /// The tiles that complete a hand one tile short.
    pub waits: Vec<PageWait>,
    /// The score of a hand that has not won, where the rules score it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unwon: Option<LoserScore>,
}

/// Why there is no hand or no score.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    /// In English.
    pub refusal: String,
    /// As sentences for a page's language.
    #[serde(rename = "refusal_said")]
    pub said: Vec<Say>,
}

/// The words of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RulesWords {
    /// Its name.
    #[serde(rename = "rules_name")]
    pub name: String,
    /// The unit of its items, of several.
    pub unit: &'static str,
    /// The words of those who play it, where they have their own.
    pub terms: Option<Arc<Terms>>,
}

impl RulesWords {
    /// The words of these rules.
    pub fn of(rules: &RuleSet) -> Self {
        Self { name: rules.name.clone(), unit: rules.unit.word(), terms: rules.terms().cloned() }
    }
}

impl PageReading {
    /// With what the others' hands change of the payments, where the rules score them too.
    #[must_use]
    pub fn settled(
        mut self,
        others: &BTreeMap<Seat, OtherHand>,
        rules: &RuleSet,
        at: &Circumstances,
    ) -> Self {
        let (value, steps) = match &mut self.score {
            _ if others.is_empty() => return self,
            Some(PageScore::Worth(counted)) => (&mut counted.value, &mut counted.steps),
            Some(PageScore::Hand { answer, .. }) => {
                let Ok(score) = &mut answer.explained.outcome else { return self };
                (&mut score.value, &mut answer.explained.steps)
            }
            _ => return self,
        };
        match OtherHand::as_losers(others.iter().map(|(seat, other)| (*seat, other)), rules) {
            Ok(losers) => {
                steps.extend(rules.settlement_steps(*value, at, &losers));
                *value = rules.with_losers(*value, at, &losers);
            }
            Err(error) => self.score = Some(PageScore::refused(error)),
        }
        self
    }
}

/// A tile that completes a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PageWait {
    /// Its code.
    pub tile: String,
    /// Copies that are not in sight.
    pub unseen: u8,
    /// The score if it is self-drawn.
    pub score: Option<Halves>,
    /// Whether the hand is worth enough with it.
    pub wins: bool,
}

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
    context: &Context,
) -> Result<PageReading, ContextError> {
    let count = layout::tiles(tiles).len();
    if let Some((number, _)) = fixes.iter().find(|(number, _)| *number >= count as u64) {
        let why = format!("`fixes` names tile {number}, and the reading has {count}, from 0 on");
        return Err(ContextError(why));
    }
    let ids = numbers(tiles);
    let seen = NumberedTiles { image, tiles, ids: &ids };
    Ok(match rules.scores_losers() {
        true => of_opened(seen, rules, input, fixes, context),
        false => of_picture(seen, rules, input, fixes),
    })
}

/// The hand of a photo where all players' hands are scored: it has won if it has a winner's tiles.
fn of_opened(
    seen: NumberedTiles,
    rules: &Arc<RuleSet>,
    mut input: Input,
    fixes: Fixes,
    context: &Context,
) -> PageReading {
    input.hints.fixes = places(seen.tiles, seen.ids, fixes);
    let opened = OpenedHands::of_pictures([seen.tiles], &input.hints, DealEnded::Won);
    let has_won = opened.winner.is_some();
    let Some(hand) = opened.hands.into_iter().next() else {
        return of_picture(seen, rules, input, fixes);
    };
    if has_won {
        return printed(seen, rules, &appraise_shown(hand.shown, rules, &input), &input);
    }
    let appraisal = Appraisal::of_unwon(hand.shown, &input);
    let reading = appraisal.shown.hand.as_ref().map(|hand| &hand.reading);
    let scored = reading.and_then(|reading| {
        let known = known(reading, &input);
        Some((known.to_string(), score_unwon(&known, rules, context.seat(), context.round()).ok()?))
    });
    let mut page = printed(seen, rules, &appraisal, &input);
    let names = scored.iter().flat_map(|(_, score)| &score.items);
    page.item_names = names.map(|item| (item.id.clone(), item.name.clone())).collect();
    (page.scored_hand, page.unwon) = scored.unzip();
    page
}

/// The hand of a picture of one hand.
pub fn of_picture(
    seen: NumberedTiles,
    rules: &Arc<RuleSet>,
    mut input: Input,
    fixes: Fixes,
) -> PageReading {
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
pub fn of_typed(typed: Typed, rules: &Arc<RuleSet>, input: &Input) -> PageReading {
    match typed {
        Typed::Hand(reading) => of_text(reading, rules, input),
        Typed::Worth(worth) => {
            without_hand(input.at.map(|at| score_of_worth(worth, rules, &at)), rules)
        }
        Typed::Payments(paid) => {
            without_hand(input.at.map(|at| score_of_payments(&paid, &at)), rules)
        }
    }
}

/// The reading of a typed hand, which has no doubts.
fn of_text(mut reading: Reading, rules: &Arc<RuleSet>, input: &Input) -> PageReading {
    if let Some(winning) = input.hints.winning {
        name_winning(&mut reading, winning);
    }
    printed(NOTHING_SEEN, rules, &appraise_shown(shown(reading), rules, input), input)
}

/// Makes a tile the winning one of a typed hand that does not say which it is.
pub(super) fn name_winning(reading: &mut Reading, winning: Tile) {
    if reading.winning.is_some() {
        return;
    }
    let winning = SeenFace::Tile(winning);
    if let Some(place) = reading.concealed.iter().rposition(|tile| *tile == winning) {
        reading.concealed.remove(place);
    }
    reading.winning = Some(winning);
}

/// A typed hand, which has no doubts, as a picture would show it.
pub(super) fn shown(reading: Reading) -> PictureLayout {
    let hand = ShownHand {
        reading,
        confidence: 1.0,
        log_likelihood: 0.0,
        price: 0.0,
        finished: true,
        doubts: Vec::new(),
    };
    PictureLayout { hand: Some(hand), ..PictureLayout::default() }
}

fn score_of_worth(worth: Worth, rules: &RuleSet, at: &Circumstances) -> PageScore {
    match rules.value_of(worth, at) {
        Ok(value) => {
            let steps = rules.steps_of(worth, at).unwrap_or_default();
            PageScore::Worth(Box::new(Counted { items: Vec::new(), value, steps }))
        }
        Err(why) => PageScore::refused(why),
    }
}

fn score_of_payments(paid: &BTreeMap<Seat, Points>, at: &Circumstances) -> PageScore {
    let sum: Points = paid.values().copied().sum();
    if sum != Points::ZERO {
        return PageScore::refused(format!("the payments add up to {}", sum.mixed()));
    }
    let seated = if at.players == Players::Three { 3 } else { 4 };
    let amount = |seat: Seat| (seat, paid.get(&seat).copied().unwrap_or_default());
    PageScore::Payments(TypedPayments::new(
        Seat::ALL.into_iter().take(seated).map(amount).collect(),
    ))
}

fn without_hand(score: Option<PageScore>, rules: &RuleSet) -> PageReading {
    let refusal = score.is_none().then(|| refusal(wording::withheld(&Withheld::WinUnknown)));
    PageReading {
        image: None,
        tiles: Vec::new(),
        hand: None,
        score,
        refusal,
        rules: RulesWords::of(rules),
        scored_hand: None,
        item_names: BTreeMap::new(),
        waits: Vec::new(),
        unwon: None,
    }
}

fn refusal(said: Vec<Say>) -> Refusal {
    Refusal { refusal: wording::joined(&said), said }
}

/// An appraisal as pages get it.
pub fn printed(
    seen: NumberedTiles,
    rules: &RuleSet,
    appraisal: &Appraisal,
    input: &Input,
) -> PageReading {
    let number = |shown: &ShownTile| seen.ids.get(shown.seen).copied().unwrap_or_default();
    let ids: Vec<u64> = appraisal.shown.tiles.iter().map(number).collect();
    let elsewhere = appraisal.shown.elsewhere();
    let hand = appraisal.shown.hand.as_ref().map(|hand| &hand.reading);
    let unread = appraisal.shown.refusal.map(|unread| refusal(vec![unread.sentence()]));
    PageReading {
        image: Some(seen.image),
        tiles: TileReading::in_hand(&appraisal.shown.tiles, Some(&ids)),
        hand: HandReading::of(appraisal, Some(&ids), wording::WORDS),
        score: appraisal.answer.clone().map(PageScore::of_hand),
        refusal: unread,
        rules: RulesWords::of(rules),
        scored_hand: appraisal.hand.as_ref().map(ToString::to_string),
        item_names: names(appraisal),
        waits: waits(hand, &elsewhere, rules, input.at),
        unwon: None,
    }
}

fn names(appraisal: &Appraisal) -> BTreeMap<String, String> {
    let score = appraisal.answer.as_ref().and_then(|answer| answer.explained.outcome.as_ref().ok());
    let items = score.into_iter().flat_map(|score| &score.items);
    items.map(|item| (item.id.clone(), item.name.clone())).collect()
}

/// The tiles that complete a hand one tile short; `seen` has the face-up tiles elsewhere.
pub fn waits(
    hand: Option<&Reading>,
    seen: &[Face],
    rules: &RuleSet,
    at: Option<Circumstances>,
) -> Vec<PageWait> {
    let Some(hand) = hand else { return Vec::new() };
    let at = at.unwrap_or_else(|| Circumstances::new(Seat::East, Seat::East, Win::SelfDraw));
    // More than four tiles of a face were seen: one is misread, and the number left is unknown.
    let waits = rules.waits(hand, seen, &at).or_else(|_| rules.waits(hand, &[], &at));
    let wins = |wait: &Wait| {
        wait.self_draw.is_ok() || wait.claimed.iter().any(|(_, outcome)| outcome.is_ok())
    };
    // A hand that is not one tile short has no waits.
    (waits.unwrap_or_default().iter())
        .map(|wait| PageWait {
            tile: wait.tile.to_string(),
            unseen: wait.unseen,
            score: wait.self_draw.as_ref().ok().map(|value| value.score),
            wins: wins(wait),
        })
        .collect()
}

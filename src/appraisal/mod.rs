//! From what a picture shows and what a person tells to a score, or to why there is none.
//!
//! The last step, shared by photos and the live feed. A score is given only where the reading is
//! sure enough, or where nothing that it may be instead would change the payments.

mod json;

use std::sync::Arc;

pub use json::{ImageSize, PictureReading, TilesReading};

use crate::{
    hand::{Hand, Reading, SetForm},
    layout::{BY_COUNT, Doubt, Hints, Matter, Shown, ShownHand, read},
    rules::{Answer, Circumstances, ErrorKind, Explained, Field, Halves, Payments, RuleSet},
    sight::SeenTile,
    tile::{Face, SeenFace, Tile},
};

/// Below this confidence a score is given only if no doubt changes it.
pub const SURE_ENOUGH: f32 = 0.85;
/// Below this one none is given at all.
pub const TOO_UNSURE: f32 = 0.4;

/// What a person tells beside the picture.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Corrections and the winning tile.
    pub hints: Hints,
    /// What concealed kongs of four backs hide, in their order.
    pub hidden: Vec<Tile>,
    /// Flowers and seasons of the hand that lie where the picture does not show them.
    pub flowers: Vec<Tile>,
    /// Whether kongs that only the number of tiles shows were claimed.
    pub kongs_claimed: Option<bool>,
    /// Seats, and how it was won; `None` where that was not told.
    pub at: Option<Circumstances>,
}

/// What there is to say about a picture.
#[derive(Clone, Debug)]
pub struct Appraisal {
    /// The tiles and the hand, its doubts with what they would change.
    pub shown: Shown,
    /// The hand that was scored.
    pub hand: Option<Hand>,
    /// The score.
    pub answer: Option<Answer>,
    /// Why there is no score.
    pub withheld: Option<String>,
}

/// What one reading of the hand comes to.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Win(Halves, Payments),
    NoWin,
    NoHand,
}

/// Reads, scores, and weighs what is in doubt.
pub fn appraise(seen: &[SeenTile], rules: &Arc<RuleSet>, input: &Input) -> Appraisal {
    appraise_shown(read(seen, &input.hints), rules, input)
}

/// Scores what was read before, and weighs what is in doubt.
pub fn appraise_shown(mut shown: Shown, rules: &Arc<RuleSet>, input: &Input) -> Appraisal {
    let shown_indicators = shown.indicators();
    let Some(found) = shown.hand.as_mut() else {
        let withheld = shown.refusal.clone();
        return Appraisal { shown, hand: None, answer: None, withheld };
    };
    if let Some(claimed) = input.kongs_claimed {
        settle_kongs(found, claimed);
    }
    if !input.hidden.is_empty() {
        found.doubts.retain(|doubt| doubt.matter != Matter::Hidden);
    }
    add_flowers(&mut found.reading, input);
    let reading = found.reading.clone();
    if !rules.plays_bonus_tiles() {
        found.doubts.retain(|doubt| !adds_bonus_tile(doubt, &reading));
    }
    let confidence = found.confidence;
    let price = found.price;
    let Some(at) = input.at else {
        let why = "who won how was not told: say --seat, --round, and --self-draw or --from";
        return Appraisal { shown, hand: None, answer: None, withheld: Some(why.to_owned()) };
    };
    let whole = rules.whole_hand().tiles();
    let choices = winning_choices(&reading, whole, input);
    let outcomes: Vec<(Tile, Outcome)> = choices
        .iter()
        .map(|(tile, reading)| (*tile, outcome(reading, rules, &at, input)))
        .collect();
    let same = outcomes.windows(2).all(|pair| pair[0].1 == pair[1].1);
    let scored = match (&reading.winning, choices.first()) {
        (Some(_), _) => known(&reading, input),
        (None, Some((_, first)))
            if same && input.hints.winning.is_none() && reading_size(&reading) == whole =>
        {
            known(first, input)
        }
        _ => known(&reading, input),
    };
    let hand = Hand::try_from(&scored);
    let contradicted = input.hints.winning.is_some() && reading.winning.is_none();
    if reading.winning.is_none() && !contradicted {
        say_what_winning_changes(found, &outcomes, whole, same);
    }
    let base = outcome(&scored, rules, &at, input);
    if let Some((indicators, with)) = unnamed_indicators(&shown_indicators, rules, &at) {
        let effect = match outcome(&scored, rules, &with, input) {
            other if other == base => String::new(),
            other => effect(&other),
        };
        found.doubts.push(Doubt::of_hand(format!(
            "{indicators} lies face up in the wall: a dora indicator is to be named, such as --dora \
             {indicators}{effect}"
        )));
    }
    let mut changing = false;
    for doubt in &mut found.doubts {
        let Some(other) = &doubt.otherwise else { continue };
        let other = best_outcome(other, rules, &at, input);
        if other != base {
            changing = true;
            doubt.why.push_str(&effect(&other));
        } else {
            match base {
                Outcome::Win(..) => doubt.why.push_str("; the score stays the same"),
                Outcome::NoWin => doubt.why.push_str("; it does not win either way"),
                Outcome::NoHand => {}
            }
        }
    }
    let no = |shown: Shown, why: String| Appraisal {
        shown,
        hand: None,
        answer: None,
        withheld: Some(why),
    };
    let hand = match hand {
        Ok(hand) => hand,
        Err(_) if reading.winning.is_none() => {
            let why = without_winning(&reading, whole, &shown, &outcomes, contradicted);
            return no(shown, why);
        }
        Err(error) => return no(shown, error.to_string()),
    };
    if !price.is_finite() {
        return no(shown, "the tiles make no legal hand".to_owned());
    }
    if confidence < TOO_UNSURE || (confidence < SURE_ENOUGH && changing) {
        let why = format!(
            "not sure enough for a score ({:.0} %): settle the doubts, such as --fix 3=5p",
            100.0 * confidence
        );
        return no(shown, why);
    }
    let explained: Explained = rules.explain(&hand, &at, None, false);
    if let Err(failure) = &explained.outcome
        && failure.kind != ErrorKind::BelowMinimum
    {
        let why = failure.message.clone();
        return Appraisal { shown, hand: Some(hand), answer: None, withheld: Some(why) };
    }
    let answer = Answer { rules: Some(rules.id.clone()), explained, brief: false };
    Appraisal { shown, hand: Some(hand), answer: Some(answer), withheld: None }
}

/// Tiles that count towards those of a whole hand, fourteen or seventeen.
fn reading_size(reading: &Reading) -> usize {
    reading.concealed.len() + usize::from(reading.winning.is_some()) + 3 * reading.sets.len()
}

/// Indicators that the picture shows and nobody named, where the rules count them.
fn unnamed_indicators(
    shown: &[Tile],
    rules: &RuleSet,
    at: &Circumstances,
) -> Option<(String, Circumstances)> {
    if !rules.core.uses(Field::DoraIndicators) || !at.dora_indicators.is_empty() {
        return None;
    }
    let text: String = shown.iter().map(ToString::to_string).collect();
    let dora_indicators = text.parse().ok()?;
    Some((text, Circumstances { dora_indicators, ..*at }))
}

/// Whether a doubt is only about a flower or season more.
fn adds_bonus_tile(doubt: &Doubt, reading: &Reading) -> bool {
    doubt.otherwise.as_ref().is_some_and(|other| {
        let without = Reading { bonus: reading.bonus.clone(), ..other.clone() };
        other.bonus.len() > reading.bonus.len() && without == *reading
    })
}

fn settle_kongs(found: &mut ShownHand, claimed: bool) {
    let by_count = |doubt: &Doubt| doubt.matter == Matter::Kongs;
    if claimed && found.doubts.iter().any(by_count) {
        for set in &mut found.reading.sets {
            if set.form == SetForm::ConcealedKong
                && set.tiles.iter().all(|tile| matches!(tile.face, SeenFace::Tile(_)))
            {
                set.form = SetForm::Claimed;
            }
        }
    }
    if found.doubts.iter().any(by_count) {
        found.confidence = (found.confidence / BY_COUNT).min(1.0);
    }
    found.doubts.retain(|doubt| !by_count(doubt));
}

/// Adds the flowers and seasons that were told; there is one of each.
fn add_flowers(reading: &mut Reading, input: &Input) {
    for tile in input.flowers.iter().copied().map(SeenFace::Tile) {
        if !reading.bonus.contains(&tile) {
            reading.bonus.push(tile);
        }
    }
}

/// The reading with what is hidden put in, as far as it is known.
fn known(reading: &Reading, input: &Input) -> Reading {
    let mut reading = reading.clone();
    add_flowers(&mut reading, input);
    let mut hidden = input.hidden.iter();
    for set in reading.sets.iter_mut().filter(|set| set.form == SetForm::ConcealedKong) {
        let seen = set.tiles.iter().map(|tile| tile.face).find(|face| *face != SeenFace::Back);
        let face = match seen {
            Some(SeenFace::Tile(tile)) => Some(SeenFace::Tile(tile.face().into())),
            Some(_) => None,
            None => hidden.next().map(|tile| SeenFace::Tile(*tile)),
        };
        if let Some(face) = face {
            for tile in &mut set.tiles {
                if tile.face == SeenFace::Back {
                    tile.face = face;
                }
            }
        }
    }
    reading
}

/// Every tile that may have been the winning one, and the hand with it. `whole`: the tiles of a whole hand.
fn winning_choices(reading: &Reading, whole: usize, input: &Input) -> Vec<(Tile, Reading)> {
    let mut choices: Vec<(Tile, Reading)> = Vec::new();
    if reading.winning.is_some() {
        return choices;
    }
    let mut add = |tile: Tile, reading: Reading| {
        if !choices.iter().any(|(other, _)| other.face() == tile.face()) {
            choices.push((tile, reading));
        }
    };
    match reading_size(reading) {
        size if size == whole => {
            for (place, seen) in reading.concealed.iter().enumerate() {
                if let SeenFace::Tile(tile) = seen {
                    let mut with = reading.clone();
                    with.winning = Some(with.concealed.remove(place));
                    add(*tile, with);
                }
            }
        }
        size if size + 1 == whole => {
            for face in Face::all().take(Face::SET_FACES) {
                let mut with = reading.clone();
                with.winning = Some(SeenFace::Tile(face.into()));
                if crate::hand::Hand::try_from(&known(&with, input)).is_ok() {
                    add(face.into(), with);
                }
            }
        }
        _ => {}
    }
    choices
}

fn outcome(reading: &Reading, rules: &RuleSet, at: &Circumstances, input: &Input) -> Outcome {
    let Ok(hand) = Hand::try_from(&known(reading, input)) else { return Outcome::NoHand };
    match rules.score(&hand, at) {
        Ok(score) => Outcome::Win(score.value.score, score.value.payments),
        Err(_) => Outcome::NoWin,
    }
}

/// The same, with the best winning tile where none is marked.
fn best_outcome(reading: &Reading, rules: &RuleSet, at: &Circumstances, input: &Input) -> Outcome {
    if reading.winning.is_some() {
        return outcome(reading, rules, at, input);
    }
    let mut best = Outcome::NoHand;
    for (_, with) in winning_choices(reading, rules.whole_hand().tiles(), input) {
        match (outcome(&with, rules, at, input), &best) {
            (Outcome::Win(score, _), Outcome::Win(so_far, _)) if score <= *so_far => {}
            (other @ Outcome::Win(..), _) => best = other,
            (Outcome::NoWin, Outcome::NoHand) => best = Outcome::NoWin,
            _ => {}
        }
    }
    best
}

/// What an alternative would make of the score, as the end of a sentence.
fn effect(other: &Outcome) -> String {
    match other {
        Outcome::Win(score, _) => format!("; then the score is {score}"),
        Outcome::NoWin => "; then it does not win".to_owned(),
        Outcome::NoHand => "; then there is no score".to_owned(),
    }
}

/// Why a hand without a winning tile has no score.
fn without_winning(
    reading: &Reading,
    whole: usize,
    shown: &Shown,
    outcomes: &[(Tile, Outcome)],
    contradicted: bool,
) -> String {
    let said = |matter: Matter| {
        let mut doubts = shown.hand.iter().flat_map(|hand| &hand.doubts);
        doubts.find(|doubt| doubt.matter == matter && doubt.tile.is_none())
    };
    if let Some(doubt) = said(Matter::Winning).filter(|_| contradicted) {
        return doubt.why.clone();
    }
    let wins = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Win(..)));
    let size = reading_size(reading);
    match whole.checked_sub(size) {
        Some(0 | 1) if wins => {
            "which tile won is not known: name it, such as --winning 5p".to_owned()
        }
        Some(0) => "no tile makes it a win, whichever won".to_owned(),
        Some(1) => format!("{size} tiles, and no other tile makes them a win"),
        // The number of tiles is in doubt, and said.
        _ => said(Matter::Hand)
            .map_or_else(|| "the tiles make no legal hand".to_owned(), |doubt| doubt.why.clone()),
    }
}

fn say_what_winning_changes(
    found: &mut ShownHand,
    outcomes: &[(Tile, Outcome)],
    whole: usize,
    same: bool,
) {
    let size = reading_size(&found.reading);
    let wins: Vec<String> = outcomes
        .iter()
        .filter_map(|(tile, outcome)| match outcome {
            Outcome::Win(score, _) => Some(format!("{tile} {score}")),
            _ => None,
        })
        .collect();
    if wins.is_empty() {
        // Whichever it was, it does not win: what else is wrong counts.
        found.doubts.retain(|doubt| doubt.matter != Matter::Winning || size > whole);
        return;
    }
    let Some(doubt) = found.doubts.iter_mut().find(|doubt| doubt.matter == Matter::Winning) else {
        return;
    };
    if same && size == whole {
        doubt.why =
            "no tile is marked as the winning one: the score is the same for any".to_owned();
    } else {
        doubt.why.push_str(&format!(" (score: {})", wins.join(", ")));
    }
}

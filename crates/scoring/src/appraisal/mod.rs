//! Turns the tiles of a picture and a person's input into a score, or the reason why there is no score.
//!
//! The last step, shared by photos and the live feed. A score is given only where the reading is
//! sure enough, or where no other possible reading would change the payments.

mod claimed_sets;
mod deal;
mod exhausted;
mod json;
mod opened;

use std::{fmt, sync::Arc};

pub use claimed_sets::{NamedSet, NoSet, UnmarkedSet};
pub use deal::{
    AskedOfDeal, DealAppraisal, DealDoubt, DealInput, DealQuestion, Otherwise, Unsettled, settle,
};
pub use exhausted::{DrawAppraisal, HandAtDraw, after_draw};
pub use json::{
    DoubtReading, HandReading, ImageSize, PictureReading, TilePlace, TileReading, TilesReading,
    Worded, Words,
};
pub use opened::{DealEnded, OpenedHand, OpenedHands, score_unwon};

use crate::{
    hand::{Hand, HandError, MeldError, Reading, SeenSet, SetForm},
    layout::{BY_COUNT, Doubt, Effect, Hints, PictureLayout, ShownHand, Uncertainty, Unread, read},
    points::Points,
    rules::{
        Answer, Circumstances, ErrorKind, Explained, Failure, Field, Halves, Payments, RuleSet,
    },
    sight::SeenTile,
    tile::{Face, SeenFace, Tile},
    words::{Say, say},
};

/// The confidence below which a score is given only if no doubt changes it.
pub const SURE_ENOUGH: f32 = 0.85;
/// The confidence below which no score is given at all.
pub const TOO_UNSURE: f32 = 0.4;

/// A person's input beside the picture.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// Corrections and the winning tile.
    pub hints: Hints,
    /// The tiles of concealed kongs of four backs, in their order.
    pub hidden: Vec<Tile>,
    /// Flowers and seasons of the hand that the picture does not show.
    pub flowers: Vec<Tile>,
    /// Whether kongs that only the number of tiles shows were claimed.
    pub kongs_claimed: Option<bool>,
    /// Seats and the way of winning; `None` where not given.
    pub at: Option<Circumstances>,
}

/// The result for a picture.
#[derive(Clone, Debug)]
pub struct Appraisal {
    /// The tiles and the hand, and its doubts with their effects.
    pub shown: PictureLayout,
    /// The hand that was scored.
    pub hand: Option<Hand>,
    /// The score.
    pub answer: Option<Answer>,
    /// Why there is no score.
    pub withheld: Option<Withheld>,
}

/// Why there is no score.
#[derive(Clone, Debug, PartialEq)]
pub enum Withheld {
    /// No hand is shown.
    NoHand(Unread),
    /// The winner's seat, or the way of winning, was not given.
    WinUnknown,
    /// A doubt has to be settled first.
    Doubted(Uncertainty),
    /// The tiles are not a hand that can be scored.
    BadHand(HandError),
    /// The confidence of the reading, 0-1, is too low for a score.
    TooUnsure(f32),
    /// The rules refuse the hand or the way of winning.
    Refused(Failure),
    /// The winning tile is unknown and matters.
    WinningUnknown,
    /// None of the tiles can be the winning tile of a win.
    NoTileWins,
    /// No further tile completes a win.
    NoOtherTileWins {
        /// The number of tiles, a kong counting as three.
        tiles: usize,
    },
}

impl Appraisal {
    /// The hand of a player who has not won, which is read and has no score of a win.
    pub fn of_unwon(mut shown: PictureLayout, input: &Input) -> Self {
        if let Some(hand) = &mut shown.hand {
            add_flowers(&mut hand.reading, input);
        }
        Self { shown, hand: None, answer: None, withheld: None }
    }
}

impl Withheld {
    /// The reason, without a cure that depends on the front end.
    pub fn sentence(&self) -> Say {
        match self {
            Self::NoHand(unread) => unread.sentence(),
            Self::WinUnknown => say!("who won, and how, is not known yet"),
            Self::Doubted(why) => why.sentence(),
            Self::BadHand(error) => Say::from(error),
            Self::TooUnsure(confidence) => {
                let percent = format!("{:.0}", 100.0 * confidence);
                say!("not sure enough for a score ({percent} %)", percent)
            }
            Self::Refused(failure) => failure.message.clone(),
            Self::WinningUnknown => say!("which tile won is not known"),
            Self::NoTileWins => say!("no tile makes it a win, whichever won"),
            Self::NoOtherTileWins { tiles } => {
                say!("{tiles} tiles, and no other tile makes them a win", tiles)
            }
        }
    }

    /// Whether a doubt has the same meaning.
    pub fn is(&self, doubt: &Doubt) -> bool {
        matches!(self, Self::Doubted(why) if *why == doubt.why)
    }
}

impl fmt::Display for Withheld {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence().english())
    }
}

/// The result of one reading of the hand.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
    Win(Halves, Payments),
    NoWin,
    NoHand,
}

impl Outcome {
    /// The effect on a hand with another result.
    fn effect(&self) -> Effect {
        match self {
            Self::Win(score, _) => Effect::Score((*score).into()),
            Self::NoWin => Effect::NoWin,
            Self::NoHand => Effect::NoScore,
        }
    }
}

/// Reads and scores the tiles, and weighs the doubts.
pub fn appraise(seen: &[SeenTile], rules: &Arc<RuleSet>, input: &Input) -> Appraisal {
    appraise_shown(read(seen, &input.hints), rules, input)
}

/// Scores an earlier reading, and weighs its doubts.
pub fn appraise_shown(mut shown: PictureLayout, rules: &Arc<RuleSet>, input: &Input) -> Appraisal {
    let shown_indicators = shown.indicators();
    let Some(found) = shown.hand.as_mut() else {
        let withheld = shown.refusal.map(Withheld::NoHand);
        return Appraisal { shown, hand: None, answer: None, withheld };
    };
    settle_given(found, rules, input);
    let reading = found.reading.clone();
    let confidence = found.confidence;
    let price = found.price;
    let Some(at) = input.at else {
        return Appraisal { shown, hand: None, answer: None, withheld: Some(Withheld::WinUnknown) };
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
        let other = outcome(&scored, rules, &with, input);
        let effect = (other != base).then(|| other.effect());
        let why = Uncertainty::UnnamedIndicators(indicators);
        found.doubts.push(Doubt { effect, ..Doubt::of_hand(why) });
    }
    let changing = weigh_doubts(found, &base, |other| best_outcome(other, rules, &at, input));
    let no = |shown: PictureLayout, why: Withheld| Appraisal {
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
        Err(error) => {
            let why = match doubt_of(&error, &scored, whole) {
                Some(doubt) => Withheld::Doubted(doubt),
                None => Withheld::BadHand(error),
            };
            return no(shown, why);
        }
    };
    if !price.is_finite() {
        return no(shown, Withheld::Doubted(Uncertainty::NoLegalHand));
    }
    if confidence < TOO_UNSURE || (confidence < SURE_ENOUGH && changing) {
        return no(shown, Withheld::TooUnsure(confidence));
    }
    let explained: Explained = rules.explain(&hand, &at, None, false);
    if let Err(failure) = &explained.outcome
        && failure.kind != ErrorKind::BelowMinimum
    {
        let why = Withheld::Refused(failure.clone());
        return Appraisal { shown, hand: Some(hand), answer: None, withheld: Some(why) };
    }
    let answer = Answer { rules: Some(rules.id.clone()), explained, brief: false };
    Appraisal { shown, hand: Some(hand), answer: Some(answer), withheld: None }
}

/// Settles what a person gave, and drops the doubts that it answers.
fn settle_given(found: &mut ShownHand, rules: &RuleSet, input: &Input) {
    if let Some(claimed) = input.kongs_claimed {
        settle_kongs(found, claimed);
    }
    if !input.hidden.is_empty() {
        found.doubts.retain(|doubt| doubt.why != Uncertainty::FourBacks);
    }
    add_flowers(&mut found.reading, input);
    if !rules.plays_bonus_tiles() {
        let reading = &found.reading;
        found.doubts.retain(|doubt| !adds_bonus_tile(doubt, reading));
    }
}

/// Notes the effects of other readings; whether one of them has another outcome than `base`.
fn weigh_doubts(
    found: &mut ShownHand,
    base: &Outcome,
    outcome: impl Fn(&Reading) -> Outcome,
) -> bool {
    let mut changing = false;
    for doubt in &mut found.doubts {
        let Some(other) = &doubt.otherwise else { continue };
        let other = outcome(other);
        changing |= other != *base;
        doubt.effect = match base {
            _ if other != *base => Some(other.effect()),
            Outcome::Win(..) => Some(Effect::Same),
            Outcome::NoWin => Some(Effect::NoWinEither),
            Outcome::NoHand => None,
        };
    }
    changing
}

/// The doubt that says of a picture what an error says of hand text. `whole`: the tiles of a whole hand.
fn doubt_of(error: &HandError, reading: &Reading, whole: usize) -> Option<Uncertainty> {
    let is_hidden = |set: &SeenSet| set.tiles.iter().all(|tile| tile.face == SeenFace::Back);
    Some(match *error {
        HandError::Meld(MeldError::Unknown { .. }) if reading.sets.iter().any(is_hidden) => {
            Uncertainty::FourBacks
        }
        HandError::Meld(MeldError::Unknown { .. }) | HandError::NotKnown(_) => {
            Uncertainty::UnknownFace
        }
        HandError::Meld(_) => Uncertainty::BrokenSet,
        HandError::TooMany { face, count } => {
            Uncertainty::TooMany { count: usize::from(count), face }
        }
        HandError::BonusTwice(face) => Uncertainty::TooMany { count: 2, face },
        HandError::Size { found, .. } => {
            let kongs = reading.sets.iter().filter(|set| set.tiles.len() == 4).count();
            Uncertainty::WrongCount { tiles: found, kongs, whole: whole + kongs }
        }
        _ => return None,
    })
}

/// Tiles that count towards those of a whole hand, fourteen or seventeen.
fn reading_size(reading: &Reading) -> usize {
    reading.concealed.len() + usize::from(reading.winning.is_some()) + 3 * reading.sets.len()
}

/// Indicators in the picture that nobody entered, where the rules count them.
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

/// Whether a doubt only concerns one more flower or season.
fn adds_bonus_tile(doubt: &Doubt, reading: &Reading) -> bool {
    doubt.otherwise.as_ref().is_some_and(|other| {
        let without = Reading { bonus: reading.bonus.clone(), ..other.clone() };
        other.bonus.len() > reading.bonus.len() && without == *reading
    })
}

fn settle_kongs(found: &mut ShownHand, claimed: bool) {
    let by_count = |doubt: &Doubt| matches!(doubt.why, Uncertainty::KongsByCount { .. });
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

/// Adds the entered flowers and seasons; there is one of each.
fn add_flowers(reading: &mut Reading, input: &Input) {
    for tile in input.flowers.iter().copied().map(SeenFace::Tile) {
        if !reading.bonus.contains(&tile) {
            reading.bonus.push(tile);
        }
    }
}

/// The reading with the hidden tiles filled in, as far as they are known.
pub fn known(reading: &Reading, input: &Input) -> Reading {
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

/// The result of a reading, with the best winning tile where no tile is marked.
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

/// Why a hand without a winning tile has no score.
fn without_winning(
    reading: &Reading,
    whole: usize,
    shown: &PictureLayout,
    outcomes: &[(Tile, Outcome)],
    contradicted: bool,
) -> Withheld {
    let doubt = |fits: fn(&Uncertainty) -> bool| {
        let mut doubts = shown.hand.iter().flat_map(|hand| &hand.doubts);
        let doubt = doubts.find(|doubt| doubt.tile.is_none() && fits(&doubt.why));
        doubt.map(|doubt| Withheld::Doubted(doubt.why.clone()))
    };
    if let Some(doubt) = doubt(Uncertainty::is_of_winning).filter(|_| contradicted) {
        return doubt;
    }
    let wins = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Win(..)));
    let tiles = reading_size(reading);
    match whole.checked_sub(tiles) {
        Some(0 | 1) if wins => Withheld::WinningUnknown,
        Some(0) => Withheld::NoTileWins,
        Some(1) => Withheld::NoOtherTileWins { tiles },
        // The number of tiles is in doubt, and a doubt says so.
        _ => doubt(Uncertainty::is_of_hand).unwrap_or(Withheld::Doubted(Uncertainty::NoLegalHand)),
    }
}

fn say_what_winning_changes(
    found: &mut ShownHand,
    outcomes: &[(Tile, Outcome)],
    whole: usize,
    same: bool,
) {
    let size = reading_size(&found.reading);
    let wins: Vec<(Tile, Points)> = (outcomes.iter())
        .filter_map(|(tile, outcome)| match outcome {
            Outcome::Win(score, _) => Some((*tile, (*score).into())),
            _ => None,
        })
        .collect();
    if wins.is_empty() {
        // No choice wins, so the other faults decide.
        found.doubts.retain(|doubt| !doubt.why.is_of_winning() || size > whole);
        return;
    }
    if let Some(doubt) = found.doubts.iter_mut().find(|doubt| doubt.why.is_of_winning()) {
        let any = same && size == whole;
        doubt.effect = Some(if any { Effect::SameForAny } else { Effect::ByWinning(wins) });
    }
}

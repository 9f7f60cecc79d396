//! Four opened hands become the settlement of a deal: what a picture does not show is asked, and each doubt says what
//! it would change.

use std::sync::Arc;

use thiserror::Error;

use super::{Input, SURE_ENOUGH, TOO_UNSURE, known, winning_choices};
use crate::{
    hand::{Hand, HandError, Reading, SeenSet, SetForm, SetTile, UnwonHand},
    layout::{Doubt, PictureLayout, ShownHand},
    rules::{Answer, Circumstances, Field, LosingHands, Payments, RuleSet},
    tile::{Face, Seat, Seats, SeenFace, Tile},
};

/// A person's input about a deal, beside its picture.
#[derive(Clone, Debug, Default)]
pub struct DealInput {
    /// The tiles of concealed kongs of four backs, in their order.
    pub hidden: Vec<Tile>,
    /// Seats, round and the way of winning.
    pub at: Option<Circumstances>,
    /// Players whose hands are dead.
    pub dead: Seats,
    /// Whether losers had declared that they wait for a limit hand, where that is known.
    pub fishing: Vec<(Seat, bool)>,
    /// Whether pungs and kongs, by owner and face, were claimed, where that is known and the picture does not show it.
    pub claimed: Vec<(Seat, Face, bool)>,
    /// Whether it is known that there was an original call, or none.
    pub original_call_known: bool,
}

impl DealInput {
    /// A loser of whom nothing is known is taken to have declared.
    fn is_fishing(&self, seat: Seat) -> bool {
        !self.fishing.contains(&(seat, false))
    }
}

/// A fact that the picture does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealQuestion {
    /// Whether a pung or kong was claimed.
    Claimed {
        /// Its owner.
        seat: Seat,
        /// Its face.
        face: Face,
        /// The number of its tiles.
        count: usize,
        /// Whether it lies apart from the other tiles.
        apart: bool,
    },
    /// Whether a loser had declared that he waits for a limit hand.
    Fishing(Seat),
    /// Whether the winner had declared a ready hand before his first discard.
    OriginalCall(Seat),
}

/// What comes of the other answer to a question, or of the other reading of a doubt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// The same payments.
    Same,
    /// Other payments.
    Paid(Payments),
    /// No settlement.
    Unsettled,
}

/// A question with its likeliest answer, which is taken until a person gives another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedOfDeal {
    /// The question.
    pub question: DealQuestion,
    /// The answer that was taken.
    pub taken: bool,
    /// The effect of the other answer.
    pub otherwise: Otherwise,
}

/// A doubt about one of the hands.
#[derive(Clone, Debug, PartialEq)]
pub struct DealDoubt {
    /// Whose hand.
    pub seat: Seat,
    /// The doubt.
    pub doubt: Doubt,
    /// The effect of the other reading; `None` where there is none, or nothing could be settled.
    pub otherwise: Option<Otherwise>,
}

/// Why a deal is not settled.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum Unsettled {
    /// Fewer than all hands are seen.
    #[error("{0} opened hands are seen: all four are needed")]
    Hands(usize),
    /// No hand has the tiles of a whole one, or several have.
    #[error("no single hand has the tiles of a winner: 14, and one more for each kong")]
    NoWinner,
    /// The seats are not known.
    #[error("where East sits is not known")]
    Seats,
    /// The round or the way of winning is not known.
    #[error("who gave the winning tile, and the round, are not known")]
    Win,
    /// Which tile won is not known, and matters.
    #[error("which tile won is not known")]
    Winning(Vec<Tile>),
    /// A hand is not read well enough.
    #[error("{}'s hand: {why}", seat.name())]
    Hand {
        /// Whose.
        seat: Seat,
        /// The fault.
        why: HandError,
    },
    /// Something is wrong with a hand.
    #[error("{}'s hand: {why}", seat.name())]
    Doubted {
        /// Whose.
        seat: Seat,
        /// The fault.
        why: String,
    },
    /// Too many of a tile in the four hands together.
    #[error("in all four hands: {0}")]
    Together(HandError),
    /// The rules refuse the winner's hand, or the way of winning.
    #[error("{0}")]
    Refused(String),
    /// The reading is too unsure, by its confidence, 0-1.
    #[error("not sure enough to settle ({:.0} %)", 100.0 * .0)]
    TooUnsure(f32),
}

/// The settlement of a deal.
#[derive(Clone, Debug)]
pub struct DealAppraisal {
    /// The probability that all four hands are read right, 0-1.
    pub confidence: f32,
    /// The winner's hand.
    pub hand: Option<Hand>,
    /// The score and the payments, the losers' hands among them.
    pub answer: Option<Answer>,
    /// Questions of which the other answer changes the payments.
    pub asked: Vec<AskedOfDeal>,
    /// Doubts about the hands.
    pub doubts: Vec<DealDoubt>,
    /// Why there are no payments.
    pub unsettled: Option<Unsettled>,
}

impl DealAppraisal {
    /// Nothing but the reason why there is no settlement.
    pub const fn unsettled(why: Unsettled) -> Self {
        Self {
            confidence: 0.0,
            hand: None,
            answer: None,
            asked: Vec::new(),
            doubts: Vec::new(),
            unsettled: Some(why),
        }
    }
}

/// The readings of all four hands.
type Readings = [(Seat, Reading)];

/// A deal that is being settled.
struct Table<'a> {
    rules: &'a RuleSet,
    at: Circumstances,
    input: &'a DealInput,
}

impl Table<'_> {
    /// The hands of the deal.
    fn hands(&self, readings: &Readings) -> Result<(Hand, LosingHands), Unsettled> {
        let input = Input { hidden: self.input.hidden.clone(), ..Input::default() };
        let mut winner = None;
        let mut hands = Vec::new();
        for (seat, reading) in readings {
            let reading = known(reading, &input);
            let fault = |why| Unsettled::Hand { seat: *seat, why };
            if *seat == self.at.seat {
                winner = Some(Hand::try_from(&reading).map_err(fault)?);
            } else {
                hands.push((*seat, UnwonHand::try_from(&reading).map_err(fault)?));
            }
        }
        let winner = winner.ok_or(Unsettled::NoWinner)?;
        let fishing = Seat::ALL.into_iter().filter(|seat| self.input.is_fishing(*seat)).collect();
        let losers = LosingHands { hands, dead: self.input.dead, fishing };
        losers.check(&winner).map_err(Unsettled::Together)?;
        Ok((winner, losers))
    }

    fn payments(&self, readings: &Readings) -> Result<Payments, Unsettled> {
        let (winner, losers) = self.hands(readings)?;
        let refused = |why: String| Unsettled::Refused(why);
        self.rules.check(&winner, &self.at).map_err(|why| refused(why.to_string()))?;
        let value = self.rules.table_value(&winner, &self.at, &losers);
        value.map(|value| value.payments).map_err(|why| refused(why.to_string()))
    }

    fn otherwise(&self, base: &Payments, readings: &Readings) -> Otherwise {
        match self.payments(readings) {
            Ok(payments) if payments == *base => Otherwise::Same,
            Ok(payments) => Otherwise::Paid(payments),
            Err(_) => Otherwise::Unsettled,
        }
    }
}

/// The face of three or four alike.
fn alike(set: &SeenSet) -> Option<Face> {
    let face = |tile: &SetTile| match tile.face {
        SeenFace::Tile(tile) => Some(tile.face()),
        SeenFace::Back | SeenFace::Unknown => None,
    };
    let first = face(set.tiles.first()?)?;
    set.tiles.iter().all(|tile| face(tile) == Some(first)).then_some(first)
}

/// The sets of a reading of which nothing shows whether they were claimed.
fn open_questions(seat: Seat, reading: &Reading) -> Vec<DealQuestion> {
    let unmarked = |set: &&SeenSet| {
        set.form == SetForm::Claimed && !set.tiles.iter().any(|tile| tile.sideways)
    };
    let mut questions: Vec<DealQuestion> = (reading.sets.iter().filter(unmarked))
        .filter_map(|set| {
            let face = alike(set)?;
            Some(DealQuestion::Claimed { seat, face, count: set.tiles.len(), apart: true })
        })
        .collect();
    // Where nothing lies apart, a claimed set may lie in the row.
    if reading.sets.is_empty() {
        let tile = |face: Face| move |seen: &&SeenFace| is_face(seen, face);
        let pungs = Face::all()
            .take(Face::SET_FACES)
            .filter(|&face| reading.concealed.iter().filter(tile(face)).count() >= 3);
        questions.extend(pungs.map(|face| DealQuestion::Claimed {
            seat,
            face,
            count: 3,
            apart: false,
        }));
    }
    questions
}

fn is_face(seen: &SeenFace, face: Face) -> bool {
    matches!(seen, SeenFace::Tile(tile) if tile.face() == face)
}

/// The reading with a pung or kong claimed, or concealed.
fn with_set(reading: &Reading, face: Face, claimed: bool) -> Reading {
    let mut reading = reading.clone();
    let apart = reading.sets.iter().position(|set| alike(set) == Some(face));
    match (apart, claimed) {
        (Some(place), false) => {
            if reading.sets[place].tiles.len() == 4 {
                let set = &mut reading.sets[place];
                set.form = SetForm::ConcealedKong;
                set.tiles.iter_mut().for_each(|tile| tile.sideways = false);
            } else {
                let set = reading.sets.remove(place);
                reading.concealed.extend(set.tiles.into_iter().map(|tile| tile.face));
            }
        }
        (Some(place), true) => reading.sets[place].form = SetForm::Claimed,
        (None, true) => {
            let places: Vec<usize> = (0..reading.concealed.len())
                .filter(|&place| is_face(&reading.concealed[place], face))
                .take(3)
                .collect();
            if places.len() == 3 {
                let taken = places.iter().rev().map(|&place| reading.concealed.remove(place));
                let tiles = taken.map(|face| SetTile { face, sideways: false }).collect();
                reading.sets.push(SeenSet { tiles, form: SetForm::Claimed });
            }
        }
        (None, false) => {}
    }
    reading
}

/// The hands with the answers about their sets.
fn answered(hands: &[(Seat, PictureLayout)], input: &DealInput) -> Option<Vec<(Seat, Reading)>> {
    let one = |(seat, shown): &(Seat, PictureLayout)| {
        let reading = shown.hand.as_ref()?.reading.clone();
        let own = input.claimed.iter().filter(|(owner, ..)| owner == seat);
        Some((
            *seat,
            own.fold(reading, |hand, (_, face, claimed)| with_set(&hand, *face, *claimed)),
        ))
    };
    hands.iter().map(one).collect()
}

fn replaced(readings: &Readings, seat: Seat, with: Reading) -> Vec<(Seat, Reading)> {
    let one = |(owner, reading): &(Seat, Reading)| {
        let reading = if *owner == seat { &with } else { reading };
        (*owner, reading.clone())
    };
    readings.iter().map(one).collect()
}

/// Marks the winning tile where it is the only one, or where it changes nothing.
fn mark_winning(table: &Table, readings: &mut Vec<(Seat, Reading)>) -> Result<(), Unsettled> {
    let seat = table.at.seat;
    let Some((_, reading)) = readings.iter().find(|(owner, _)| *owner == seat) else {
        return Err(Unsettled::NoWinner);
    };
    if reading.winning.is_some() {
        return Ok(());
    }
    let input = Input { hidden: table.input.hidden.clone(), ..Input::default() };
    // The last tile of the row is the likeliest.
    let choices = winning_choices(reading, table.rules.whole_hand().tiles(), &input);
    let wins: Vec<(Tile, Vec<(Seat, Reading)>, Payments)> = (choices.into_iter().rev())
        .filter_map(|(tile, with)| {
            let readings = replaced(readings, seat, with);
            let payments = table.payments(&readings).ok()?;
            Some((tile, readings, payments))
        })
        .collect();
    let Some((_, first, payments)) = wins.first() else {
        return Err(Unsettled::Winning(Vec::new()));
    };
    if wins.iter().any(|(.., other)| other != payments) {
        return Err(Unsettled::Winning(wins.iter().map(|(tile, ..)| *tile).collect()));
    }
    *readings = first.clone();
    Ok(())
}

/// Settles a deal from all of its hands.
pub fn settle(
    hands: &[(Seat, PictureLayout)],
    rules: &Arc<RuleSet>,
    input: &DealInput,
) -> DealAppraisal {
    let shown = || hands.iter().filter_map(|(seat, shown)| Some((*seat, shown.hand.as_ref()?)));
    let confidences: Vec<f32> = shown().map(|(_, hand)| hand.confidence).collect();
    let mut appraisal = DealAppraisal {
        confidence: confidences.iter().product(),
        doubts: shown().flat_map(|(seat, hand)| doubts_of(seat, hand)).collect(),
        ..DealAppraisal::unsettled(Unsettled::Win)
    };
    let least = confidences.iter().copied().fold(1.0, f32::min);
    appraisal.unsettled = match (input.at, answered(hands, input)) {
        (None, _) => Some(Unsettled::Win),
        (Some(at), Some(readings)) if readings.len() == Seat::ALL.len() => {
            let table = Table { rules, at, input };
            appraisal.settle(&table, readings, least).err()
        }
        (Some(_), _) => Some(Unsettled::Hands(confidences.len())),
    };
    appraisal
}

impl DealAppraisal {
    /// Finds the payments, and what each doubt and each question would change. `least`: the least confidence of a hand.
    fn settle(
        &mut self,
        table: &Table,
        mut readings: Vec<(Seat, Reading)>,
        least: f32,
    ) -> Result<(), Unsettled> {
        mark_winning(table, &mut readings)?;
        let base = table.payments(&readings)?;
        let mut changing = false;
        for doubt in &mut self.doubts {
            let Some(other) = &doubt.doubt.otherwise else { continue };
            let mut other = replaced(&readings, doubt.seat, other.clone());
            let marked = mark_winning(table, &mut other);
            let effect = marked.map_or(Otherwise::Unsettled, |()| table.otherwise(&base, &other));
            changing |= effect != Otherwise::Same;
            doubt.otherwise = Some(effect);
        }
        self.asked = asked(table, &readings, &base);
        // A wrong number of tiles, say, of which nothing says how the hand reads otherwise.
        let wrong = |it: &&DealDoubt| it.doubt.why.is_of_hand() && it.doubt.otherwise.is_none();
        if let Some(DealDoubt { seat, doubt, .. }) = self.doubts.iter().find(wrong) {
            return Err(Unsettled::Doubted { seat: *seat, why: doubt.why.to_string() });
        }
        if least < TOO_UNSURE || (self.confidence < SURE_ENOUGH && changing) {
            return Err(Unsettled::TooUnsure(self.confidence));
        }
        let (hand, losers) = table.hands(&readings)?;
        let explained = table.rules.explain_table(&hand, &table.at, &losers, None, false);
        let rules = Some(table.rules.id.clone());
        self.hand = Some(hand);
        self.answer = Some(Answer { rules, explained, brief: false });
        Ok(())
    }
}

fn doubts_of(seat: Seat, hand: &ShownHand) -> impl Iterator<Item = DealDoubt> + '_ {
    let doubts = hand.doubts.iter().filter(|doubt| !doubt.why.is_of_winning());
    doubts.map(move |doubt| DealDoubt { seat, doubt: doubt.clone(), otherwise: None })
}

/// The questions of which the other answer changes the payments.
fn asked(table: &Table, readings: &Readings, base: &Payments) -> Vec<AskedOfDeal> {
    let mut all = Vec::new();
    for (seat, reading) in readings {
        for question in open_questions(*seat, reading) {
            let DealQuestion::Claimed { face, apart, .. } = question else { continue };
            if table.input.claimed.iter().any(|(owner, known, _)| owner == seat && *known == face) {
                continue;
            }
            let other = replaced(readings, *seat, with_set(reading, face, !apart));
            all.push((question, apart, table.otherwise(base, &other)));
        }
    }
    let input = table.input;
    for (seat, _) in readings.iter().filter(|(seat, _)| *seat != table.at.seat) {
        if input.fishing.iter().any(|(known, _)| known == seat) {
            continue;
        }
        let fishing = input.fishing.iter().copied().chain([(*seat, false)]).collect();
        let other = DealInput { fishing, ..input.clone() };
        let other = Table { input: &other, ..*table };
        all.push((DealQuestion::Fishing(*seat), true, other.otherwise(base, readings)));
    }
    if table.rules.core.uses(Field::OriginalCall) && !input.original_call_known {
        let at = Circumstances { original_call: true, ..table.at };
        let other = Table { at, ..*table }.otherwise(base, readings);
        if other != Otherwise::Unsettled {
            all.push((DealQuestion::OriginalCall(table.at.seat), false, other));
        }
    }
    (all.into_iter())
        .filter(|(.., otherwise)| *otherwise != Otherwise::Same)
        .map(|(question, taken, otherwise)| AskedOfDeal { question, taken, otherwise })
        .collect()
}

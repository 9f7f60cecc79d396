//! Four opened hands become the settlement of a deal: what a picture does not show is asked, and each doubt says what
//! it would change.

use std::sync::Arc;

use thiserror::Error;

use super::{
    Input, SURE_ENOUGH, TOO_UNSURE,
    claimed_sets::{NamedSet, UnmarkedSet, unmarked_sets, with_set},
    known, winning_choices,
};
use crate::{
    hand::{Hand, HandError, Reading, UnwonHand},
    layout::{Doubt, PictureLayout, ShownHand},
    rules::{
        Answer, Circumstances, Explained, Field, Halves, LosingHands, Payments, RuleSet, Worth,
    },
    tile::{Seat, Seats, Tile},
    words::{Say, say},
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
    /// Whether sets were claimed, by their owners, where that is known and the picture does not show it.
    pub claimed: Vec<(Seat, NamedSet, bool)>,
    /// Scores of hands of which nothing else is known.
    pub scores: Vec<(Seat, Halves)>,
    /// Whether it is known that there was an original call, or none.
    pub original_call_known: bool,
}

impl DealInput {
    /// A loser of whom nothing is known is taken to have declared.
    fn is_fishing(&self, seat: Seat) -> bool {
        !self.fishing.contains(&(seat, false))
    }

    /// Whether it is known that a set was claimed, or not. All chows of a hand in one row are one question.
    fn knows(&self, owner: Seat, asked: UnmarkedSet) -> bool {
        self.claimed.iter().any(|(seat, set, _)| {
            let are_chows = matches!((set, asked.set), (NamedSet::Chow(_), NamedSet::Chow(_)));
            *seat == owner && (*set == asked.set || are_chows && !asked.apart)
        })
    }

    fn score_of(&self, seat: Seat) -> Option<Halves> {
        self.scores.iter().find(|(owner, _)| *owner == seat).map(|(_, score)| *score)
    }
}

/// A fact that the picture does not show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealQuestion {
    /// Whether a player's set was claimed.
    Claimed(Seat, UnmarkedSet),
    /// Whether a loser had declared that he waits for a limit hand.
    Fishing(Seat),
    /// Whether the winner had declared a ready hand before his first discard.
    OriginalCall(Seat),
}

impl DealQuestion {
    /// The question, to be answered by yes or no.
    pub fn sentence(self) -> Say {
        let of = |seat: Seat| Say::of(seat.name());
        match self {
            Self::Claimed(seat, UnmarkedSet { set, count, apart }) => {
                let tiles = Say::tiles(set);
                match set {
                    NamedSet::Alike(_) if count == 4 => {
                        say!("{seat}: was the kong of {tiles} claimed?", seat = of(seat), tiles)
                    }
                    NamedSet::Alike(_) => {
                        say!("{seat}: was the pung of {tiles} claimed?", seat = of(seat), tiles)
                    }
                    NamedSet::Chow(_) if apart => {
                        say!("{seat}: was the chow {tiles} claimed?", seat = of(seat), tiles)
                    }
                    NamedSet::Chow(_) => {
                        say!("{seat}: was a chow claimed, such as {tiles}?", seat = of(seat), tiles)
                    }
                }
            }
            Self::Fishing(seat) => {
                say!("{seat}: had the player declared to wait for a limit hand?", seat = of(seat))
            }
            Self::OriginalCall(seat) => say!(
                "{seat}: had the player declared a ready hand before the first own discard?",
                seat = of(seat)
            ),
        }
    }
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
#[error("{}", self.sentence().english())]
pub enum Unsettled {
    /// Fewer than all hands are seen.
    Hands(usize),
    /// No hand has the tiles of a whole one, or several have.
    NoWinner,
    /// The seats are not known.
    Seats,
    /// The round or the way of winning is not known.
    Win,
    /// Which tile won is not known, and matters.
    Winning(Vec<Tile>),
    /// A hand is not read well enough.
    Hand {
        /// Whose.
        seat: Seat,
        /// The fault.
        why: HandError,
    },
    /// Something is wrong with a hand.
    Doubted {
        /// Whose.
        seat: Seat,
        /// The fault.
        why: String,
    },
    /// Too many of a tile in the four hands together.
    Together(HandError),
    /// The rules refuse the winner's hand, or the way of winning.
    Refused(String),
    /// The reading is too unsure, by its confidence, 0-1.
    TooUnsure(f32),
}

impl Unsettled {
    /// The reason, without a cure that depends on the front end.
    pub fn sentence(&self) -> Say {
        let of = |seat: &Seat| Say::of(seat.name());
        match self {
            Self::Hands(count) => say!("{count} opened hands are seen: all four are needed", count),
            Self::NoWinner => {
                say!("no single hand has the tiles of a winner: 14, and one more for each kong")
            }
            Self::Seats => say!("where East sits is not known"),
            Self::Win => say!("who gave the winning tile, and the round, are not known"),
            Self::Winning(_) => say!("which tile won is not known"),
            Self::Hand { seat, why } => say!("{seat}’s hand: {why}", seat = of(seat), why),
            Self::Doubted { seat, why } => say!("{seat}’s hand: {why}", seat = of(seat), why),
            Self::Together(why) => say!("in all four hands: {why}", why),
            Self::Refused(why) => Say::from(why),
            Self::TooUnsure(confidence) => {
                let percent = format!("{:.0}", 100.0 * confidence);
                say!("not sure enough to settle ({percent} %)", percent)
            }
        }
    }
}

/// The settlement of a deal.
#[derive(Clone, Debug)]
pub struct DealAppraisal {
    /// The probability that all four hands are read right, 0-1.
    pub confidence: f32,
    /// The winner's hand.
    pub hand: Option<Hand>,
    /// The hands as they were settled: with the answers about their sets, and with the winning tile marked.
    pub readings: Vec<(Seat, Reading)>,
    /// The score and the payments, the losers' hands among them.
    pub answer: Option<Answer>,
    /// Questions of which the other answer changes the payments.
    pub asked: Vec<AskedOfDeal>,
    /// Doubts about the hands.
    pub doubts: Vec<DealDoubt>,
    /// Why there are no payments.
    pub unsettled: Option<Unsettled>,
}

/// What is known of the winner.
enum Winner {
    Hand(Hand),
    Score(Halves),
}

impl DealAppraisal {
    /// Nothing but the reason why there is no settlement.
    pub const fn unsettled(why: Unsettled) -> Self {
        Self {
            confidence: 0.0,
            hand: None,
            readings: Vec::new(),
            answer: None,
            asked: Vec::new(),
            doubts: Vec::new(),
            unsettled: Some(why),
        }
    }
}

/// The readings of all four hands.
type Readings = [(Seat, Reading)];

fn refused(why: impl ToString) -> Unsettled {
    Unsettled::Refused(why.to_string())
}

/// A deal that is being settled.
struct Table<'a> {
    /// The hands as they were read.
    hands: &'a [(Seat, PictureLayout)],
    rules: &'a RuleSet,
    at: Circumstances,
    input: &'a DealInput,
}

impl Table<'_> {
    /// What is known of the winner, and the losers' hands.
    fn hands(&self, readings: &Readings) -> Result<(Winner, LosingHands), Unsettled> {
        let input = Input { hidden: self.input.hidden.clone(), ..Input::default() };
        let mut winner = self.input.score_of(self.at.seat).map(Winner::Score);
        let mut hands = Vec::new();
        for (seat, reading) in readings {
            let reading = known(reading, &input);
            let fault = |why| Unsettled::Hand { seat: *seat, why };
            if *seat == self.at.seat {
                winner = Some(Winner::Hand(Hand::try_from(&reading).map_err(fault)?));
            } else {
                hands.push((*seat, UnwonHand::try_from(&reading).map_err(fault)?));
            }
        }
        let winner = winner.ok_or(Unsettled::NoWinner)?;
        let fishing = Seat::ALL.into_iter().filter(|seat| self.input.is_fishing(*seat)).collect();
        let scores = self.input.scores.iter().copied();
        let scores = scores.filter(|(seat, _)| *seat != self.at.seat).collect();
        let losers = LosingHands { hands, scores, dead: self.input.dead, fishing };
        let hand = match &winner {
            Winner::Hand(hand) => Some(hand),
            Winner::Score(_) => None,
        };
        losers.check(hand).map_err(Unsettled::Together)?;
        Ok((winner, losers))
    }

    /// The winner's hand, where it is known, and the payments with their explanation.
    fn explained(&self, readings: &Readings) -> Result<(Option<Hand>, Explained), Unsettled> {
        let (winner, losers) = self.hands(readings)?;
        Ok(match winner {
            Winner::Hand(hand) => {
                let explained = self.rules.explain_table(&hand, &self.at, &losers, None, false);
                (Some(hand), explained)
            }
            Winner::Score(score) => {
                let worth = Worth::Score(score);
                let explained = self.rules.explain_scores(worth, &self.at, &losers);
                (None, explained.map_err(refused)?)
            }
        })
    }

    fn payments(&self, readings: &Readings) -> Result<Payments, Unsettled> {
        let (winner, losers) = self.hands(readings)?;
        let value = match winner {
            Winner::Hand(hand) => {
                self.rules.check(&hand, &self.at).map_err(refused)?;
                self.rules.value(&hand, &self.at).map_err(refused)
            }
            Winner::Score(score) => {
                self.rules.value_of(Worth::Score(score), &self.at).map_err(refused)
            }
        };
        Ok(self.rules.with_losers(value?, &self.at, &losers).payments)
    }

    fn otherwise(&self, base: &Payments, readings: &Readings) -> Otherwise {
        match self.payments(readings) {
            Ok(payments) if payments == *base => Otherwise::Same,
            Ok(payments) => Otherwise::Paid(payments),
            Err(_) => Otherwise::Unsettled,
        }
    }
}

/// The hands with the answers about their sets.
fn answered(hands: &[(Seat, PictureLayout)], input: &DealInput) -> Option<Vec<(Seat, Reading)>> {
    let one = |(seat, shown): &(Seat, PictureLayout)| {
        let reading = shown.hand.as_ref()?.reading.clone();
        let own = input.claimed.iter().filter(|(owner, ..)| owner == seat);
        Some((*seat, own.fold(reading, |hand, (_, set, claimed)| with_set(&hand, *set, *claimed))))
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
    if table.input.score_of(seat).is_some() {
        return Ok(());
    }
    let Some((_, reading)) = readings.iter().find(|(owner, _)| *owner == seat) else {
        return Err(Unsettled::NoWinner);
    };
    if reading.winning.is_some() {
        return Ok(());
    }
    let input = Input { hidden: table.input.hidden.clone(), ..Input::default() };
    // The last tile of the row is the likeliest.
    let choices = winning_choices(reading, table.rules.whole_hand().tiles(), &input);
    let wins: Vec<_> = (choices.into_iter().rev())
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
        (Some(at), Some(readings)) if readings.len() + input.scores.len() == Seat::ALL.len() => {
            let table = Table { hands, rules, at, input };
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
        let (hand, explained) = table.explained(&readings)?;
        let rules = Some(table.rules.id.clone());
        self.hand = hand;
        self.readings = readings;
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
        let mut chows = 0;
        // A set that is claimed by an answer lies where it lay: the others of its row are still asked about.
        let read = table.hands.iter().find(|(owner, _)| owner == seat);
        let read = read.and_then(|(_, shown)| Some(&shown.hand.as_ref()?.reading));
        for unmarked in read.map(unmarked_sets).unwrap_or_default() {
            // Whichever chow of a row was claimed, the hand was no longer concealed: one question is enough.
            let in_row = matches!(unmarked.set, NamedSet::Chow(_)) && !unmarked.apart;
            if table.input.knows(*seat, unmarked) || in_row && chows > 0 {
                continue;
            }
            let other = replaced(readings, *seat, with_set(reading, unmarked.set, !unmarked.apart));
            let otherwise = table.otherwise(base, &other);
            // In a row, a set without which the hand is none was not claimed.
            if unmarked.apart || matches!(otherwise, Otherwise::Paid(_)) {
                chows += usize::from(in_row);
                all.push((DealQuestion::Claimed(*seat, unmarked), unmarked.apart, otherwise));
            }
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

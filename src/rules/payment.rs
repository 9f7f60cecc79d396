//! Who pays what: exact shares of the score, over the seats at the table.

use num_rational::Ratio;

use super::{
    Circumstances, Halves, Players, Win,
    file::{PaymentFile, Split, Splits},
};
use crate::tile::Seat;

/// What every seat receives; negative: pays. Counted in a common fraction.
#[derive(Clone, Copy, Debug)]
pub struct Payments {
    amounts: [i64; 4],
    denominator: i64,
    players: Players,
}

impl PartialEq for Payments {
    /// The same amounts, whatever they are counted in.
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&i64, &i64)| a * other.denominator == b * self.denominator;
        self.players == other.players && self.amounts.iter().zip(&other.amounts).all(same)
    }
}

impl Eq for Payments {}

impl Payments {
    /// What a seat receives (negative: pays); `None` where nobody sits.
    pub fn of(&self, seat: Seat) -> Option<Ratio<i64>> {
        (self.players == Players::Four || seat != Seat::North)
            .then(|| Ratio::new(self.amounts[seat.index()], self.denominator))
    }

    /// Each seat and what it receives.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, Ratio<i64>)> + '_ {
        Seat::ALL.into_iter().filter_map(|seat| Some((seat, self.of(seat)?)))
    }
}

/// What one kind of win costs whom.
#[derive(Clone, Copy, Debug, Default)]
struct Bill {
    /// The discarder or feeder.
    discarder: i64,
    others: i64,
    east: i64,
    round_up: bool,
}

/// A payment scheme with its shares brought to one denominator.
#[derive(Clone, Debug)]
pub(crate) struct Scheme {
    denominator: i64,
    /// By number of players (three, four), winner (other, East), kind.
    bills: [[[Bill; 4]; 2]; 2],
    /// A safe tile has a bill of its own.
    safe: bool,
}

#[derive(Clone, Copy)]
enum Kind {
    Discard,
    SelfDraw,
    Safe,
    Liable,
}

const KINDS: [Kind; 4] = [Kind::Discard, Kind::SelfDraw, Kind::Safe, Kind::Liable];

fn split_of(splits: &Splits, kind: Kind) -> Option<Split> {
    match kind {
        Kind::Discard => splits.discard,
        Kind::SelfDraw => splits.self_draw,
        Kind::Safe => splits.safe,
        Kind::Liable => splits.liable,
    }
}

impl Scheme {
    pub(crate) fn new(file: &PaymentFile) -> Self {
        let always = Splits {
            discard: file.discard,
            self_draw: file.self_draw,
            safe: file.safe,
            liable: file.liable,
        };
        let chosen = |three: bool, east: bool, kind: Kind| {
            (three.then(|| split_of(&file.three_players, kind)).flatten())
                .or_else(|| east.then(|| split_of(&file.east_winner, kind)).flatten())
                .or_else(|| split_of(&always, kind))
        };
        let mut all = Vec::new();
        for three in [true, false] {
            for east in [false, true] {
                all.extend(KINDS.map(|kind| chosen(three, east, kind)));
            }
        }
        let shares = |split: &Split| {
            let zero = Ratio::from_integer(0);
            let others = split.others.0;
            let east = split.east.map_or(others, |share| share.0);
            [split.discarder.map_or(zero, |share| share.0), others, east]
        };
        // Scores are halves, so the denominator is twice that of the shares.
        let denominator = all
            .iter()
            .flatten()
            .flat_map(shares)
            .fold(1, |common: i64, share| common / gcd(common, *share.denom()) * share.denom());
        let units = |share: Ratio<i64>| (share * denominator).to_integer();
        let bill = |split: Option<Split>| {
            let Some(split) = split else { return Bill::default() };
            let [discarder, others, east] = shares(&split).map(units);
            Bill { discarder, others, east, round_up: split.round_up }
        };
        let mut bills = [[[Bill::default(); 4]; 2]; 2];
        for (i, split) in all.into_iter().enumerate() {
            bills[i / 8][i / 4 % 2][i % 4] = bill(split);
        }
        Self { denominator: denominator * 2, bills, safe: file.safe.is_some() }
    }

    /// Divides a score among the payers. `feeder`: who is liable for all of it.
    #[inline]
    pub(crate) fn payments(
        &self,
        score: Halves,
        at: &Circumstances,
        feeder: Option<Seat>,
    ) -> Payments {
        let kind = match (feeder, at.win) {
            (Some(_), _) => Kind::Liable,
            (None, Win::SelfDraw) => Kind::SelfDraw,
            (None, _) if at.safe && self.safe => Kind::Safe,
            (None, _) => Kind::Discard,
        };
        let four = usize::from(at.players == Players::Four);
        let bill = &self.bills[four][usize::from(at.seat == Seat::East)][kind as usize];
        let first = match kind {
            Kind::Safe => None,
            _ => feeder.or(at.win.from()),
        };
        let score = i64::from(score.0);
        let mut amounts = [0; 4];
        let seats = if at.players == Players::Four { 4 } else { 3 };
        for payer in &Seat::ALL[..seats] {
            if *payer == at.seat {
                continue;
            }
            let share = match payer {
                _ if first == Some(*payer) => bill.discarder,
                Seat::East => bill.east,
                _ => bill.others,
            };
            let mut amount = share * score;
            if bill.round_up {
                amount = (amount + self.denominator - 1) / self.denominator * self.denominator;
            }
            amounts[payer.index()] = -amount;
            amounts[at.seat.index()] += amount;
        }
        Payments { amounts, denominator: self.denominator, players: at.players }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

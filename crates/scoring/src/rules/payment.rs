//! Payments: exact shares of the score, over the seats at the table.

use std::hint::select_unpredictable;

use num_rational::Ratio;

use super::{
    Circumstances, Halves, Players, Win,
    file::{CountersFile, CountersPayer, PaymentFile, Split, Splits, StakesFile},
    liability::Liable,
};
use crate::tile::Seat;

/// The gain of every seat (negative: it pays), counted in a common fraction.
#[derive(Clone, Copy, Debug)]
pub struct Payments {
    amounts: [i64; 4],
    denominator: i64,
    players: Players,
}

impl PartialEq for Payments {
    /// Compares the amounts, whatever their fractions.
    fn eq(&self, other: &Self) -> bool {
        let same = |(a, b): (&i64, &i64)| a * other.denominator == b * self.denominator;
        self.players == other.players && self.amounts.iter().zip(&other.amounts).all(same)
    }
}

impl Eq for Payments {}

impl Payments {
    /// The gain of a seat (negative: it pays); `None` where nobody sits.
    pub fn of(&self, seat: Seat) -> Option<Ratio<i64>> {
        (self.players == Players::Four || seat != Seat::North)
            .then(|| Ratio::new(self.amounts[seat.index()], self.denominator))
    }

    /// Whether a seat pays.
    pub(crate) const fn pays(&self, seat: Seat) -> bool {
        self.amounts[seat.index()] < 0
    }

    /// Each seat and its gain.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, Ratio<i64>)> + '_ {
        Seat::ALL.into_iter().filter_map(|seat| Some((seat, self.of(seat)?)))
    }
}

/// The shares of the payers for one kind of win.
#[derive(Clone, Copy, Debug, Default)]
struct Bill {
    /// The discarder or feeder.
    discarder: i64,
    /// Whether the discarder has a share of his own.
    has_discarder: bool,
    others: i64,
    east: i64,
    round_up: bool,
}

/// A payment scheme with its shares brought to one denominator.
#[derive(Clone, Debug)]
pub(crate) struct Scheme {
    denominator: i64,
    /// The bills by number of players (three, four), winner (other, East) and kind.
    bills: [[[Bill; KINDS.len()]; 2]; 2],
    /// The multiple to which amounts are rounded up.
    round_up_to: i64,
    /// The amount that each payer pays besides.
    plus: i64,
    counters: CountersFile,
    /// Whether the liable player shares with another giver of the tile.
    liable_shared: bool,
    /// The most that a player who did not give the tile pays.
    others_at_most: i64,
    /// The shares of the difference between two losers.
    losers: Option<Bill>,
    /// The amount that each payer of a self-draw pays besides.
    plus_self_draw: i64,
    /// The value of a stick on the table.
    pub stick: u32,
    /// Whether a safe tile, and a robbed kong, have a bill of their own.
    safe: bool,
    robbed: bool,
    /// The dealer's extra stakes, where there are any.
    stakes: Option<StakesFile>,
}

/// The kind of win of a bill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaymentKind {
    Discard,
    SelfDraw,
    Safe,
    Liable,
    LiableSelfDraw,
    Robbed,
}

/// The reason for a part of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaidFor {
    /// A share of the score, or of a part of it.
    Share {
        /// The score, or the part of it.
        score: Halves,
        /// The share of it, in units of the scheme's shares.
        share: i64,
        kind: PaymentKind,
        /// Whether the payer has the share of a discarder or feeder.
        first: bool,
        /// The number of players who pay it together.
        divisor: i64,
        /// Whether this is East and East's share differs.
        as_east: bool,
        /// Whether an East winner is paid another share.
        east_wins: bool,
        /// The amount before it is rounded up, in units of the scheme's amounts.
        exact: i64,
    },
    /// The amount that every player pays besides.
    Plus,
    /// The counters on the table.
    Counters {
        /// Whether the payer pays them as he is liable.
        liable: bool,
    },
    /// The dealer's faan.
    Dealer,
    /// What a player who did not give the tile would pay beyond the most: less for him, more for the giver.
    Excess,
}

/// A payment between two losers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    /// The loser with less, who pays, and his score.
    pub payer: (Seat, Halves),
    /// The loser with more, and his score.
    pub payee: (Seat, Halves),
    /// The share of the difference, in units of the scheme's shares.
    pub share: i64,
    /// The amount, in units of the scheme's amounts.
    pub amount: i64,
}

/// A payer, the reason and the amount, in units of the scheme's amounts.
pub(crate) type Paid = (Seat, PaidFor, i64);

const KINDS: [PaymentKind; 6] = [
    PaymentKind::Discard,
    PaymentKind::SelfDraw,
    PaymentKind::Safe,
    PaymentKind::Liable,
    PaymentKind::LiableSelfDraw,
    PaymentKind::Robbed,
];

fn split_of(splits: &Splits, kind: PaymentKind) -> Option<Split> {
    match kind {
        PaymentKind::Discard => splits.discard,
        PaymentKind::SelfDraw => splits.self_draw,
        PaymentKind::Safe => splits.safe,
        PaymentKind::Liable => splits.liable,
        PaymentKind::LiableSelfDraw => splits.liable_self_draw.or(splits.liable),
        PaymentKind::Robbed => splits.robbed,
    }
}

impl Scheme {
    /// An amount or twice a share in the scheme's units as a fraction.
    pub(crate) fn ratio(&self, units: i64) -> Ratio<i64> {
        Ratio::new(units, self.denominator)
    }

    /// The multiple to which amounts are rounded up.
    pub(crate) fn rounded_up_to(&self) -> i64 {
        self.round_up_to / self.denominator
    }

    /// The most that a player who did not give the tile pays.
    pub(crate) fn others_at_most(&self) -> Ratio<i64> {
        self.ratio(self.others_at_most)
    }

    pub(crate) fn new(file: &PaymentFile, stakes: Option<StakesFile>) -> Self {
        let always = Splits {
            discard: file.discard,
            self_draw: file.self_draw,
            safe: file.safe,
            liable: file.liable,
            liable_self_draw: file.liable_self_draw,
            robbed: file.robbed,
        };
        let chosen = |three: bool, east: bool, kind: PaymentKind| {
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
            .chain(&file.losers)
            .flat_map(shares)
            .fold(1, |common: i64, share| common / gcd(common, *share.denom()) * share.denom());
        let units = |share: Ratio<i64>| (share * denominator).to_integer();
        let bill = |split: Option<Split>| {
            let Some(split) = split else { return Bill::default() };
            let [discarder, others, east] = shares(&split).map(units);
            let has_discarder = split.discarder.is_some();
            Bill { discarder, has_discarder, others, east, round_up: split.round_up }
        };
        let mut bills = [[[Bill::default(); KINDS.len()]; 2]; 2];
        for (i, split) in all.into_iter().enumerate() {
            bills[i / (2 * KINDS.len())][i / KINDS.len() % 2][i % KINDS.len()] = bill(split);
        }
        let denominator = denominator * 2;
        Self {
            denominator,
            bills,
            round_up_to: denominator * i64::from(file.round_up_to.unwrap_or(1)),
            plus: denominator * i64::from(file.plus),
            counters: file.counters,
            liable_shared: file.liable_shared,
            others_at_most: (file.others_at_most)
                .map_or(i64::MAX, |most| denominator * i64::from(most)),
            losers: file.losers.map(|split| bill(Some(split))),
            plus_self_draw: denominator * i64::from(file.plus_self_draw),
            stick: file.stick,
            safe: file.safe.is_some(),
            robbed: file.robbed.is_some(),
            stakes,
        }
    }

    /// Divides a score among the payers; `liable`: the liable players with their parts.
    #[inline]
    pub(crate) fn payments(&self, score: Halves, at: &Circumstances, liable: &Liable) -> Payments {
        self.payments_noted(score, at, liable, &mut |_| {})
    }

    /// Divides a score among the payers, and notes each part.
    #[inline]
    pub(crate) fn payments_noted(
        &self,
        score: Halves,
        at: &Circumstances,
        liable: &Liable,
        note: &mut impl FnMut(Paid),
    ) -> Payments {
        let mut amounts = [0; 4];
        if liable.count == 0 {
            let giver = at.charged();
            let claimed = match at.win {
                _ if at.safe && self.safe => PaymentKind::Safe,
                Win::RobKong { .. } if self.robbed => PaymentKind::Robbed,
                _ => PaymentKind::Discard,
            };
            let kind = select_unpredictable(giver.is_some(), claimed, PaymentKind::SelfDraw);
            self.pay(score, at, kind, giver, 1, &mut amounts, note);
            if at.honba != 0 {
                self.pay_counters(at, None, &mut amounts, note);
            }
        } else {
            self.pay_with_liable(score, at, liable, &mut amounts, note);
        }
        if self.stakes.is_some() {
            self.pay_dealer(at, &mut amounts, note);
        }
        Payments { amounts, denominator: self.denominator, players: at.players }
    }

    /// Charges the liable players first; the rest of the score is paid as usual, the counters with
    /// it. Without a rest, one player pays the counters: of a self-draw the first liable one, else he or
    /// the giver of the tile, as the rules say.
    #[cold]
    fn pay_with_liable(
        &self,
        score: Halves,
        at: &Circumstances,
        liable: &Liable,
        amounts: &mut [i64; 4],
        note: &mut impl FnMut(Paid),
    ) {
        let giver = at.charged();
        let (usual, kind) = match giver {
            Some(_) => (PaymentKind::Discard, PaymentKind::Liable),
            None => (PaymentKind::SelfDraw, PaymentKind::LiableSelfDraw),
        };
        let mut rest = score;
        for &(feeder, part) in &liable.parts[..liable.count] {
            rest = rest - part;
            match giver.filter(|&giver| self.liable_shared && giver != feeder) {
                Some(giver) => {
                    self.pay(part, at, kind, Some(feeder), 2, amounts, note);
                    self.pay(part, at, kind, Some(giver), 2, amounts, note);
                }
                None => self.pay(part, at, kind, Some(feeder), 1, amounts, note),
            }
        }
        let first = liable.parts[0].0;
        if rest > Halves::ZERO {
            self.pay(rest, at, usual, giver, 1, amounts, note);
            self.pay_counters(at, None, amounts, note);
        } else {
            let payer = match self.counters.with_liable {
                CountersPayer::Giver => giver.unwrap_or(first),
                CountersPayer::Liable => first,
            };
            self.pay_counters(at, Some(payer), amounts, note);
        }
    }

    /// Charges one bill, each payer's amount divided by `divisor` and rounded; `first`: the payer of
    /// the discarder's share, where the bill has one, and of what the others would pay beyond the most.
    #[inline]
    #[allow(clippy::too_many_arguments, reason = "the parts of a bill, each of another type")]
    fn pay(
        &self,
        score: Halves,
        at: &Circumstances,
        kind: PaymentKind,
        first: Option<Seat>,
        divisor: i64,
        amounts: &mut [i64; 4],
        note: &mut impl FnMut(Paid),
    ) {
        let four = usize::from(at.players == Players::Four);
        let bill = &self.bills[four][usize::from(at.seat == Seat::East)][kind as usize];
        let usual = &self.bills[four][0][kind as usize];
        let first = first.filter(|_| bill.has_discarder);
        let most = if first.is_some() { self.others_at_most } else { i64::MAX };
        let score = i64::from(score.0);
        let self_drawn = kind == PaymentKind::SelfDraw;
        let plus = self.plus + if self_drawn { self.plus_self_draw } else { 0 };
        let seats = if at.players == Players::Four { 4 } else { 3 };
        let (mut sum, mut excess) = (0, 0);
        // The winner pays himself too, which changes nothing: a branch on the winner cannot be predicted.
        for &payer in &Seat::ALL[..seats] {
            if at.won.contains(payer) {
                continue;
            }
            let is_first = first == Some(payer);
            let pays = payer != at.seat;
            let usual_share = if payer == Seat::East { bill.east } else { bill.others };
            let share = select_unpredictable(is_first, bill.discarder, usual_share);
            let mut amount = share * score;
            if divisor != 1 {
                amount /= divisor;
            }
            let exact = amount;
            if bill.round_up {
                amount = (amount + self.denominator - 1) / self.denominator * self.denominator;
            }
            if self.round_up_to != self.denominator {
                amount = (amount + self.round_up_to - 1) / self.round_up_to * self.round_up_to;
            }
            if pays && amount != 0 {
                let part = PaidFor::Share {
                    score: Halves(score as i32),
                    share,
                    kind,
                    first: is_first,
                    divisor,
                    as_east: payer == Seat::East && !is_first && bill.east != bill.others,
                    east_wins: at.seat == Seat::East
                        && share != if is_first { usual.discarder } else { usual.others },
                    exact,
                };
                note((payer, part, amount));
            }
            if pays && plus != 0 {
                note((payer, PaidFor::Plus, plus));
            }
            if amount > most && pays && !is_first {
                note((payer, PaidFor::Excess, most - amount));
                excess += amount - most;
                amount = most;
            }
            amounts[payer.index()] -= amount + plus;
            sum += amount + plus;
        }
        if let Some(first) = first.filter(|_| excess != 0) {
            note((first, PaidFor::Excess, excess));
            amounts[first.index()] -= excess;
            sum += excess;
        }
        amounts[at.seat.index()] += sum;
    }

    /// Adds what the losers pay each other: the lower of two pays a share of the difference.
    pub(crate) fn settle_losers(
        &self,
        payments: Payments,
        winner: Seat,
        scores: [Halves; 4],
        note: &mut impl FnMut(Settled),
    ) -> Payments {
        let Some(bill) = &self.losers else { return payments };
        let mut settled = payments;
        let losers = || Seat::ALL.into_iter().filter(|seat| *seat != winner);
        for payer in losers() {
            for payee in losers() {
                let [less, more] = [payer, payee].map(|seat| scores[seat.index()]);
                if less >= more {
                    continue;
                }
                let share =
                    if [payer, payee].contains(&Seat::East) { bill.east } else { bill.others };
                let amount = share * i64::from((more - less).0);
                settled.amounts[payer.index()] -= amount;
                settled.amounts[payee.index()] += amount;
                note(Settled { payer: (payer, less), payee: (payee, more), share, amount });
            }
        }
        settled
    }

    /// The extra faan that the dealer pays and is paid: a fixed number, and more for each time that he
    /// has stayed.
    pub(crate) fn dealer_faan(&self, at: &Circumstances) -> u32 {
        self.stakes.map_or(0, |stakes| stakes.dealer + stakes.repeat * u32::from(at.honba))
    }

    /// Charges the dealer's extra amount, or each payer's extra amount to the dealer.
    fn pay_dealer(&self, at: &Circumstances, amounts: &mut [i64; 4], note: &mut impl FnMut(Paid)) {
        let unit = self.stakes.map_or(0, |stakes| i64::from(stakes.unit));
        let more = i64::from(self.dealer_faan(at)) * unit * self.denominator;
        for payer in Seat::ALL.into_iter().filter(|seat| *seat != at.seat) {
            let with_dealer = payer == Seat::East || at.seat == Seat::East;
            if with_dealer && amounts[payer.index()] < 0 && more != 0 {
                note((payer, PaidFor::Dealer, more));
                amounts[payer.index()] -= more;
                amounts[at.seat.index()] += more;
            }
        }
    }

    /// The counters on the table: from one who pays those of all, else from the giver or from each.
    fn pay_counters(
        &self,
        at: &Circumstances,
        payer: Option<Seat>,
        amounts: &mut [i64; 4],
        note: &mut impl FnMut(Paid),
    ) {
        let CountersFile { claimed, self_draw, .. } = self.counters;
        let of = |worth: u32| i64::from(worth) * i64::from(at.honba) * self.denominator;
        let payers = if at.players == Players::Four { 3 } else { 2 };
        let giver = at.charged();
        let all = if giver.is_some() { of(claimed) } else { of(self_draw) * payers };
        let seats = payers as usize + 1;
        for seat in Seat::ALL.into_iter().take(seats).filter(|seat| *seat != at.seat) {
            let amount = match payer.or(giver) {
                None => of(self_draw),
                Some(payer) if payer == seat => all,
                Some(_) => 0,
            };
            if amount != 0 {
                let liable = payer.is_some_and(|payer| Some(payer) != giver);
                note((seat, PaidFor::Counters { liable }, amount));
            }
            amounts[seat.index()] -= amount;
            amounts[at.seat.index()] += amount;
        }
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

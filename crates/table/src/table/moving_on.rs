//! Winds, seats, counters and rounds from one deal to the next.

use std::sync::Arc;

use jiff::Timestamp;

use super::{
    DealRecord, TableState,
    ending::{NextDeal, over},
    stakes::is_among,
};
use crate::{
    rules::{DealEnd, SessionRules},
    tile::Seat,
};

/// The end of a deal, as far as it affects the next one.
#[derive(Clone, Copy)]
pub(super) enum Ended {
    /// It is played again.
    Void,
    /// Nobody won; whether the dealer was tenpai, and whether it ended before the wall did.
    Drawn { tenpai: bool, aborted: bool },
    /// Somebody won; whether the dealer did.
    Won { dealer: bool },
}

/// Winds, seats, counters and rounds after a deal; `winner`: who deals next where a winner does.
pub(super) fn move_on(
    state: &mut TableState,
    session: &SessionRules,
    (end, winner): (Ended, Option<usize>),
    at: Timestamp,
) {
    state.place.number = state.place.number.saturating_add(1);
    let (deal_end, tenpai, stays) = match end {
        Ended::Void => (None, false, true),
        Ended::Drawn { tenpai, aborted } => (Some(DealEnd::Draw), tenpai, aborted),
        Ended::Won { dealer: true } => (Some(DealEnd::DealerWins), false, false),
        Ended::Won { dealer: false } => (Some(DealEnd::OtherWins), false, false),
    };
    let happened = |ends: &[DealEnd]| deal_end.is_some_and(|end| is_among(ends, end, tenpai));
    if let (Some(honba), Some(_)) = (&mut state.place.honba, deal_end) {
        let more = happened(&session.counters.after);
        *honba = if more { honba.saturating_add(1) } else { 0 };
    }
    let enough = session.dealer_wins.is_some_and(|most| dealer_wins(state) >= most as usize);
    let passed_on = !stays && (happened(&session.deal_passes) || enough);
    if let (Some(repeat), Some(_)) = (&mut state.repeat, deal_end) {
        *repeat = if passed_on { 0 } else { repeat.saturating_add(1) };
    }
    let round_ended = match session.deals {
        Some(deals) => {
            winner.into_iter().for_each(|next| deal_goes_to(state, next));
            end_after(state, deals)
        }
        None => passed_on && pass(state),
    };
    let run_out = state.clock.filter(|clock| clock.is_up(at)).map(|clock| clock.then);
    let next = match end {
        Ended::Void => NextDeal::Void,
        Ended::Drawn { aborted: true, .. } => NextDeal::Aborted,
        _ if round_ended => NextDeal::RoundEnded,
        _ if passed_on => NextDeal::Passed,
        _ => NextDeal::Kept,
    };
    let over = over(state, session, next, run_out);
    if over.is_some() {
        state.over = state.over.take().or(over);
    } else if round_ended {
        begin_round(state, session);
    }
    state.place.dealer = state.at_seat(Seat::East).unwrap_or(0);
}

/// The dealer's wins in a row up to now; a deal that was void does not count.
fn dealer_wins(state: &TableState) -> usize {
    let dealer = state.place.dealer;
    let played = state.history.iter().rev().filter(|record| record.chombo.is_none());
    let won = |record: &&Arc<DealRecord>| {
        record.place.dealer == dealer && record.winners.iter().any(|it| it.player == dealer)
    };
    played.take_while(won).count()
}

/// Whether this player's win is the dealer's one after which the deal passes all the same.
pub(super) fn is_last_dealer_win(
    session: &SessionRules,
    state: &TableState,
    winner: usize,
) -> bool {
    let last = session.dealer_wins.map(|most| most as usize);
    winner == state.place.dealer && last == Some(dealer_wins(state) + 1)
}

/// A player deals next: the seats turn until he sits East.
fn deal_goes_to(state: &mut TableState, next: usize) {
    let seated = state.players.len();
    let turns = state.players.get(next).map_or(0, |player| player.seat.index());
    (0..turns).for_each(|_| rotate(state));
    state.passes = next % seated.max(1);
}

/// Whether the session has had its deals; those that were void are played again.
fn end_after(state: &mut TableState, deals: u32) -> bool {
    let void = state.history.iter().filter(|record| record.chombo.is_some()).count();
    let played = (state.place.number as usize).saturating_sub(1 + void);
    let ended = played >= deals as usize;
    state.rounds_played = u32::from(ended);
    ended
}

/// The deal passes; whether that ends the round.
pub(super) fn pass(state: &mut TableState) -> bool {
    rotate(state);
    state.passes += 1;
    let round_ended = state.passes == state.players.len();
    if round_ended {
        state.passes = 0;
        state.rounds_played += 1;
    }
    round_ended
}

/// The next round's wind, and who changes seats for it.
pub(super) fn begin_round(state: &mut TableState, session: &SessionRules) {
    state.place.round = Seat::ALL[state.rounds_played as usize % 4];
    let change = session.seat_changes.get(state.rounds_played as usize - 1);
    // Seat changes name four seats; three players keep theirs.
    if let Some(change) = change
        && state.players.len() == 4
    {
        for player in &mut state.players {
            player.seat = change.get(&player.seat).copied().unwrap_or(player.seat);
        }
    }
}

/// The deal passes: who sat South is East, and East sits where play ends.
fn rotate(state: &mut TableState) {
    let seated = state.players.len();
    for player in &mut state.players {
        player.seat = Seat::ALL[(player.seat.index() + seated - 1) % seated];
    }
}

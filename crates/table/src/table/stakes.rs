//! Payments without a hand, and the stakes on the table: draws, chombo, counters, sticks.

use super::{Draw, PerPlayer, TableError, TableState, Winner, scoring::paid_by};
use crate::{
    points::Points,
    rules::{
        Circumstances, DealEnd, Halves, PaidWinners, Players, RuleSet, SessionRules, StickRules,
        Win,
    },
};

/// Whether one of `ends` has happened: the end of a deal, or a draw in which the dealer was not tenpai.
pub(super) fn is_among(ends: &[DealEnd], end: DealEnd, dealer_tenpai: bool) -> bool {
    let noten = end == DealEnd::Draw && !dealer_tenpai;
    ends.contains(&end) || (noten && ends.contains(&DealEnd::DealerNoten))
}

/// The winner who is first in turn after who gave the tile: his place among `winners`.
pub(super) fn first_in_turn(state: &TableState, winners: &[Winner]) -> usize {
    let seated = state.players.len();
    let seat = |player: usize| state.players.get(player).map_or(0, |player| player.seat.index());
    let turns = |winner: &Winner| match winner.from {
        Some(from) => (seat(winner.player) + seated - seat(from)) % seated.max(1),
        None => 0,
    };
    (0..winners.len()).min_by_key(|&place| turns(&winners[place])).unwrap_or(0)
}

/// The counters that one of the winners is paid; `winner`: his place among them.
pub(super) fn honba(
    session: &SessionRules,
    state: &TableState,
    winners: &[Winner],
    winner: usize,
) -> u32 {
    let is_paid = match session.counters.several {
        PaidWinners::Each => true,
        PaidWinners::First => winner == first_in_turn(state, winners),
    };
    state.place.honba.filter(|_| is_paid).unwrap_or(0)
}

/// Each player's change in sticks by a deal: those that he takes less the one that he put
/// down. Where nobody won they stay.
pub(super) fn sticks_moved(
    rules: StickRules,
    state: &TableState,
    winners: &[Winner],
    riichi: &[usize],
) -> PerPlayer<i64> {
    let mut moved = [0_i64; 4];
    let mut pool = i64::from(state.place.sticks.unwrap_or(0));
    for &player in riichi {
        moved[player] -= 1;
        if rules.own_back && winners.iter().any(|winner| winner.player == player) {
            moved[player] += 1;
        } else {
            pool += 1;
        }
    }
    if let Some(first) = winners.get(first_in_turn(state, winners)) {
        moved[first.player] += pool;
    }
    moved.into_iter().take(state.players.len()).collect()
}

/// The payments of a score as for a player's self-draw, without counters.
fn as_self_drawn(
    rules: &RuleSet,
    state: &TableState,
    player: usize,
    score: u32,
) -> Result<PerPlayer<Points>, TableError> {
    let seat = state.players[player].seat;
    let players = if state.players.len() == 3 { Players::Three } else { Players::Four };
    let at =
        Circumstances { players, ..Circumstances::new(seat, state.place.round, Win::SelfDraw) };
    let score = i32::try_from(score).map_err(|_| TableError::TooLarge)?;
    paid_by(state, &rules.payments(Halves::whole(score), &at))
}

/// Everybody's gain in a draw.
pub(super) fn draw_payments(
    rules: &RuleSet,
    state: &TableState,
    draw: &Draw,
) -> Result<PerPlayer<Points>, TableError> {
    let seated = state.players.len();
    let mut paid = vec![Points::ZERO; seated];
    let session = &rules.session().draw;
    for &player in &draw.nagashi {
        let own = as_self_drawn(rules, state, player, session.nagashi)?;
        paid.iter_mut().zip(&own).for_each(|(paid, own)| *paid += *own);
    }
    let tenpai = draw.tenpai.as_deref().unwrap_or_default();
    if draw.nagashi.is_empty() && draw.abortive.is_none() {
        let (gets, pays) = session.paid(tenpai.len(), seated).ok_or(TableError::TooLarge)?;
        for (player, paid) in paid.iter_mut().enumerate() {
            *paid = if tenpai.contains(&player) { gets } else { -pays };
        }
    }
    Ok(paid.into_iter().collect())
}

/// Everybody's gain for a player's chombo.
pub(super) fn chombo_payments(
    rules: &RuleSet,
    state: &TableState,
    player: usize,
) -> Result<PerPlayer<Points>, TableError> {
    let paid = as_self_drawn(rules, state, player, rules.session().chombo.score)?;
    Ok(paid.iter().map(|amount| -*amount).collect())
}

/// Checks who put down a stick, and puts them into the order of the players.
pub(super) fn complete_riichi(
    rules: &RuleSet,
    state: &TableState,
    riichi: &[usize],
) -> Result<Vec<usize>, TableError> {
    let all = complete_players(state, riichi)?;
    let stick = rules.stick();
    if !all.is_empty() && stick == 0 {
        let (rules, what) = (rules.id.clone(), "riichi");
        return Err(TableError::Unknown { rules, what, hint: "" });
    }
    if rules.session().sticks.needs_points {
        for &player in &all {
            let player = &state.players[player];
            if player.total < Points::whole(stick) {
                let (name, total) = (player.name.clone(), player.total);
                return Err(TableError::ShortOfPoints { name, total, stick });
            }
        }
    }
    Ok(all)
}

/// The given players, each once, in their order.
fn complete_players(state: &TableState, players: &[usize]) -> Result<Vec<usize>, TableError> {
    let seated = state.players.len();
    if let Some(&player) = players.iter().find(|player| **player >= seated) {
        return Err(TableError::NoPlayer { player, seated });
    }
    Ok((0..seated).filter(|player| players.contains(player)).collect())
}

/// A draw checked against the table and completed.
pub(super) fn complete_draw(
    rules: &RuleSet,
    state: &TableState,
    draw: &Draw,
) -> Result<Draw, TableError> {
    let known = &rules.session().draw;
    let unknown = |what, hint| TableError::Unknown { rules: rules.id.clone(), what, hint };
    if rules.plays_on() {
        let all = state.order().into_iter().map(|player| state.players[player].name.clone());
        return Err(TableError::AskEnd(all.collect()));
    }
    let mut draw = Draw { place: Some(state.place), ..draw.clone() };
    draw.riichi = complete_riichi(rules, state, &draw.riichi)?;
    draw.nagashi = complete_players(state, &draw.nagashi)?;
    if !draw.nagashi.is_empty() && known.nagashi == 0 {
        return Err(unknown("payment for discards (nagashi mangan)", ""));
    }
    if let Some(cause) = &draw.abortive {
        if known.abortive.is_empty() {
            return Err(unknown("abortive draws", ""));
        }
        if !known.abortive.contains_key(cause) {
            return Err(TableError::Cause {
                rules: rules.id.clone(),
                what: "abortive draw",
                cause: cause.clone(),
                known: known.abortive.keys().cloned().collect(),
            });
        }
        if draw.tenpai.is_some() || !draw.nagashi.is_empty() {
            return Err(TableError::PaidAbortive);
        }
        return Ok(draw);
    }
    if !rules.session().asks_for_tenpai() {
        return match draw.tenpai {
            Some(_) => Err(unknown("tenpai in a draw", "")),
            None => Ok(draw),
        };
    }
    let tenpai = draw.tenpai.as_ref().ok_or(TableError::AskTenpai)?;
    let tenpai = complete_players(state, &[&tenpai[..], &draw.riichi].concat())?;
    for &player in &tenpai {
        let player = &state.players[player];
        if let Some(why) = &player.dead_hand {
            let (name, why) = (player.name.clone(), why.clone());
            return Err(TableError::DeadTenpai { name, why });
        }
    }
    draw.tenpai = Some(tenpai);
    Ok(draw)
}

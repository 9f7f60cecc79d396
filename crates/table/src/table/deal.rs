//! A deal that somebody wants to write down: its winners, its hands or payments.

use super::{
    Deal, PerPlayer, TableError, TableState, WinBy, Winner,
    moving_on::is_last_dealer_win,
    others::complete_others,
    played_on,
    scoring::{hand_of, score, tile_history},
    stakes::{complete_riichi, first_in_turn, honba},
};
use crate::{points::Points, rules::RuleSet};

/// A deal checked against the table and completed: hands scored, payments looked at.
pub(super) fn complete_deal(
    rules: &RuleSet,
    state: &TableState,
    deal: &Deal,
) -> Result<Deal, TableError> {
    let seated = state.players.len();
    let mut deal = Deal { place: Some(state.place), ..deal.clone() };
    if deal.played_on.is_some() && !rules.plays_on() {
        let (rules, what) = (rules.id.clone(), "play after a win");
        return Err(TableError::Unknown { rules, what, hint: "" });
    }
    check_winners(rules, state, &deal)?;
    check_number(rules, state, &deal)?;
    // A winner in riichi put down a stick, too. Where sticks are not played this says nothing of a hand.
    let declared = deal.winners.iter().filter(|winner| winner.riichi || winner.double_riichi);
    let declared = declared.filter(|_| rules.stick() > 0).map(|winner| winner.player);
    let declared: Vec<usize> = declared.chain(deal.riichi.iter().copied()).collect();
    deal.riichi = complete_riichi(rules, state, &declared)?;
    for winner in &mut deal.winners {
        winner.riichi |= !winner.double_riichi && deal.riichi.contains(&winner.player);
    }
    if deal.winners.iter().any(|winner| winner.hand.is_some() && winner.worth.is_some()) {
        return Err(TableError::HandAndWorth);
    }
    let said = |winner: &&Winner| winner.hand.is_some() || winner.worth.is_some();
    let hands = deal.winners.iter().filter(said).count();
    if rules.plays_on() && deal.payments.is_none() {
        played_on::pay(rules, state, &mut deal)?;
        zero_sums(&deal)?;
        return Ok(deal);
    }
    if hands == 0 {
        let payments = deal.payments.as_ref();
        let payments =
            payments.ok_or(TableError::Shape("the winner's hand, its worth, or the payments"))?;
        if payments.len() != seated {
            return Err(TableError::Shape("a payment for each player"));
        }
        let settled = deal.winners.iter().any(|winner| !winner.others.is_empty());
        if settled || deal.played_on.is_some() {
            return Err(TableError::HandsAndPayments);
        }
        for winner in &mut deal.winners {
            winner.scored = None;
        }
        zero_sums(&deal)?;
        check_paid(rules, state, &deal)?;
        return Ok(deal);
    }
    if hands < deal.winners.len() || deal.payments.is_some() {
        return Err(TableError::HandsAndPayments);
    }
    for place in 0..deal.winners.len() {
        let honba = honba(rules.session(), state, &deal.winners, place);
        let winner = &mut deal.winners[place];
        winner.tile = tile_history(rules, state, &state.discards, winner)?;
        winner.ninth_east_win |= is_last_dealer_win(rules.session(), state, winner.player);
        complete_others(rules, state, winner)?;
        winner.scored = Some(score(rules, state, winner, honba)?.into());
    }
    zero_sums(&deal)?;
    Ok(deal)
}

/// Checks that entered payments can be those of the deal: only winners receive anything, unless the others' hands are
/// settled too, and a lone winner pays nothing. Several winners may pay each other.
fn check_paid(rules: &RuleSet, state: &TableState, deal: &Deal) -> Result<(), TableError> {
    let name = |player: usize| state.players[player].name.clone();
    for (player, paid) in deal.payments.iter().flatten().enumerate() {
        let wins = deal.winners.iter().any(|winner| winner.player == player);
        if *paid > Points::ZERO && !wins && rules.pays_winners_alone() {
            return Err(TableError::Receives { name: name(player), paid: *paid });
        }
        let is_alone = deal.winners.len() == 1 && !rules.plays_on();
        if *paid < Points::ZERO && wins && is_alone {
            return Err(TableError::WinnerPays { name: name(player), paid: -*paid });
        }
    }
    Ok(())
}

/// Checks the number of winners against the rules.
fn check_number(rules: &RuleSet, state: &TableState, deal: &Deal) -> Result<(), TableError> {
    let most = rules.session().most_winners;
    if deal.winners.len() <= usize::from(most) {
        return Ok(());
    }
    let first = &deal.winners[first_in_turn(state, &deal.winners)];
    let first = (most == 1).then(|| state.players[first.player].name.clone());
    Err(TableError::TooManyWinners { rules: rules.id.clone(), most, first })
}

fn check_winners(rules: &RuleSet, state: &TableState, deal: &Deal) -> Result<(), TableError> {
    if deal.winners.is_empty() && !rules.plays_on() {
        return Err(TableError::Shape("a winner in a deal that was won"));
    }
    let seated = state.players.len();
    for (place, winner) in deal.winners.iter().enumerate() {
        let player = winner.player;
        let found = state.players.get(player).ok_or(TableError::NoPlayer { player, seated })?;
        winner.giver(state)?;
        let barred = match (&found.disqualified, &found.dead_hand) {
            (Some(why), _) => Some(format!("disqualified ({why})")),
            (None, Some(why)) => {
                Some(format!("a dead hand in this deal ({})", why.replace('_', " ")))
            }
            (None, None) => None,
        };
        if let Some(why) = barred {
            return Err(TableError::Barred { name: found.name.clone(), why });
        }
        if deal.winners[..place].iter().any(|other| other.player == player) {
            return Err(TableError::Winners("a player wins a deal once"));
        }
    }
    let on_one_tile = |winner: &Winner| winner.same_tile || !rules.plays_on();
    deal.winners.chunk_by(|_, next| on_one_tile(next)).try_for_each(check_same_tile)
}

/// Checks winners on one tile against each other.
fn check_same_tile(winners: &[Winner]) -> Result<(), TableError> {
    let [first, others @ ..] = winners else { return Ok(()) };
    if others.iter().any(|winner| (winner.win, winner.from) != (first.win, first.from)) {
        return Err(TableError::Winners("several winners win on one tile from one player"));
    }
    if !others.is_empty() && first.win == WinBy::SelfDraw {
        return Err(TableError::Winners("only one player draws the winning tile himself"));
    }
    let mut tiles = Vec::new();
    for hand in winners.iter().filter_map(|winner| winner.hand.as_deref()) {
        tiles.push(hand_of(hand)?.winning());
    }
    if tiles.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(TableError::Winners("several winners win on the same tile"));
    }
    Ok(())
}

/// Everybody's gain in a deal that was written down.
pub(super) fn paid_in(deal: &Deal, seated: usize) -> Result<PerPlayer<Points>, TableError> {
    let lacking = || TableError::Shape("a payment for each player");
    let scored = || deal.winners.iter().filter_map(|winner| winner.scored.as_ref());
    let is_scored = scored().count() == deal.winners.len();
    match &deal.payments {
        Some(said) if !is_scored || deal.winners.is_empty() => {
            if said.len() != seated {
                return Err(lacking());
            }
            Ok(said.iter().copied().collect())
        }
        _ if is_scored => {
            if scored().any(|scored| scored.payments.len() != seated) {
                return Err(lacking());
            }
            let beside = deal.played_on.as_ref().map(|it| it.paid(seated)).transpose()?;
            let of = |player: usize| {
                let won = scored().map(|scored| scored.payments[player]);
                won.chain(beside.iter().map(|paid| paid[player])).sum()
            };
            Ok((0..seated).map(of).collect())
        }
        _ => Err(TableError::Shape("hands or payments in a deal")),
    }
}

/// Checks that the payments balance.
pub(super) fn zero_sums(deal: &Deal) -> Result<(), TableError> {
    let scored = deal.winners.iter().filter_map(|winner| winner.scored.as_ref());
    for payments in scored.map(|scored| &*scored.payments).chain(deal.payments.as_deref()) {
        check_zero(payments)?;
    }
    deal.played_on.as_ref().map_or(Ok(()), |played_on| played_on.zero_sums())
}

/// Checks that the payments add up to zero.
pub(super) fn check_zero(payments: &[Points]) -> Result<(), TableError> {
    let sum: Points = payments.iter().copied().sum();
    if sum == Points::ZERO { Ok(()) } else { Err(TableError::NotZero { sum }) }
}

//! The hands of those who have not won, where the rules score and settle them too.

use super::{OtherHand, PerPlayer, TableError, TableState, Winner, scoring::unwon_of};
use crate::{
    hand::Hand,
    rules::{Halves, LosingHands, RuleSet, Worth},
    tile::Seat,
};

/// Checks the others' hands of a winner whose hand is scored: each other player has one, unless the winner's liable giver
/// pays for all.
pub(super) fn complete_others(
    rules: &RuleSet,
    state: &TableState,
    winner: &mut Winner,
) -> Result<(), TableError> {
    if !rules.scores_losers() {
        return match winner.others.is_empty() {
            true => Ok(()),
            false => Err(TableError::Unknown {
                rules: rules.id.clone(),
                what: "worth of a hand that has not won",
                hint: "",
            }),
        };
    }
    let seated = state.players.len();
    for (place, other) in winner.others.iter().enumerate() {
        let player = other.player;
        let found = state.players.get(player).ok_or(TableError::NoPlayer { player, seated })?;
        let twice = winner.others[..place].iter().any(|earlier| earlier.player == player);
        if twice || player == winner.player {
            return Err(TableError::OtherTwice(found.name.clone()));
        }
        if other.hand.is_some() == other.worth.is_some() {
            return Err(TableError::Shape("either the tiles of another's hand, or its worth"));
        }
    }
    // A dead hand scores nothing, whatever was said of it.
    for (player, about) in state.players.iter().enumerate() {
        let dead = about.dead_hand.is_some() && player != winner.player;
        match winner.others.iter_mut().find(|other| other.player == player) {
            Some(other) => other.dead |= dead,
            None if dead => {
                let worth = Some(Worth::Score(Halves::ZERO));
                winner.others.push(OtherHand { player, worth, dead, ..OtherHand::default() });
            }
            None => {}
        }
    }
    let is_known = |player| winner.others.iter().any(|other| other.player == player);
    let unknown = (0..seated).filter(|&player| player != winner.player && !is_known(player));
    let names: Vec<_> = unknown.map(|player| state.players[player].name.clone()).collect();
    if names.is_empty() || winner.pao.is_some() {
        Ok(())
    } else {
        Err(TableError::AskOthers(names))
    }
}

/// A winner's others' hands as they are settled; `None` where the rules score the winner alone. `won`: the winner's hand,
/// where it is known.
pub(super) fn losing_hands(
    rules: &RuleSet,
    state: &TableState,
    winner: &Winner,
    won: Option<&Hand>,
) -> Result<Option<LosingHands>, TableError> {
    if !rules.scores_losers() {
        return Ok(None);
    }
    let others = winner.others.iter().map(|other| (state.players[other.player].seat, other));
    let losers = OtherHand::as_losers(others, rules)?;
    losers.check(won).map_err(|error| TableError::Hand(error.to_string()))?;
    Ok(Some(losers))
}

impl OtherHand {
    /// The hands as they are settled, by seats.
    ///
    /// # Errors
    /// A hand that is not legal, or a score above the limit.
    pub fn as_losers<'a>(
        others: impl Iterator<Item = (Seat, &'a Self)>,
        rules: &RuleSet,
    ) -> Result<LosingHands, TableError> {
        let mut losers = LosingHands::default();
        for (seat, other) in others {
            match (&other.hand, other.worth) {
                (Some(hand), _) => losers.hands.push((seat, unwon_of(hand)?)),
                (None, Some(worth)) => losers.scores.push((seat, rules.score_of(worth)?)),
                (None, None) => {}
            }
            if other.dead {
                losers.dead = losers.dead.with(seat);
            }
            if !other.not_fishing {
                losers.fishing = losers.fishing.with(seat);
            }
        }
        Ok(losers)
    }
}

/// What the others' hands score, in the players' order.
pub(super) fn scores(
    rules: &RuleSet,
    state: &TableState,
    losers: &LosingHands,
) -> Result<PerPlayer<Halves>, TableError> {
    let scores = rules.losing_scores(losers, state.place.round)?;
    Ok(state.players.iter().map(|player| scores[player.seat.index()]).collect())
}

//! Decides when a session is over, and the values of its places.

use super::{Over, Placed, TableState};
use crate::{
    points::Points,
    rules::{AfterTime, Leftover, Level, RuleSet, SessionRules},
};

/// The effect of the last deal on the round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passed {
    /// Whether the deal has passed to the next player.
    pub deal: bool,
    /// Whether the round has ended with it.
    pub round: bool,
    /// Whether the deal was void.
    pub void: bool,
    /// The play that is allowed, if the clock had run out.
    pub run_out: Option<AfterTime>,
}

/// Why nothing more is played after a deal, if so.
pub(super) fn over(state: &TableState, session: &SessionRules, passed: Passed) -> Option<Over> {
    let end = session.end;
    let totals = || state.players.iter().map(|player| player.total);
    if end.bust
        && let Some(player) = state.players.iter().position(|player| player.total < Points::ZERO)
    {
        return Some(Over::Bust { player });
    }
    if passed.void {
        return None;
    }
    // Extension rounds are those beyond `rounds`.
    let target = session.placement.map(|placement| Points::whole(placement.return_points));
    let reached = target.is_none_or(|target| totals().any(|total| total >= target));
    let most = state.rounds.saturating_add(end.extension);
    if state.rounds_played >= most || (state.rounds_played >= state.rounds && reached) {
        return Some(if state.rounds_played > state.rounds || !passed.round {
            Over::Target
        } else {
            Over::Played
        });
    }
    let last_dealer = state.rounds_played + 1 == state.rounds
        && state.passes + 1 == state.players.len()
        && !passed.deal;
    if end.leader_stops && last_dealer && (end.extension == 0 || reached) {
        let own = state.players.get(state.place.dealer).map(|dealer| dealer.total);
        let others =
            state.players.iter().enumerate().filter(|(place, _)| *place != state.place.dealer);
        if own.is_some_and(|own| others.clone().all(|(_, other)| other.total < own)) {
            return Some(Over::Leader);
        }
    }
    let finishing = |then| then == AfterTime::FinishRound && !passed.round;
    passed.run_out.filter(|then| !finishing(*then)).map(|_| Over::Time)
}

impl TableState {
    /// Once the session is over: gives away the sticks that are left, and values the places.
    pub(super) fn close(&mut self, rules: &RuleSet) {
        let session = rules.session();
        let Ok(totals) = <[Points; 4]>::try_from(
            self.players.iter().map(|player| player.total).collect::<Vec<_>>(),
        ) else {
            return;
        };
        let level = session.placement.map_or(Level::Share, |placement| placement.level);
        let left = self.place.sticks.unwrap_or(0);
        if left > 0 && session.sticks.leftover == Leftover::First {
            let all = Points::whole(rules.stick()) * i64::from(left);
            let to = level.share(&[all, Points::ZERO, Points::ZERO, Points::ZERO], totals);
            self.players.iter_mut().zip(to).for_each(|(player, points)| player.total += points);
            let was = self.leftover.unwrap_or_default();
            let more = |(place, to)| was.get(place).copied().unwrap_or_default() + to;
            self.leftover = Some(to.into_iter().enumerate().map(more).collect());
            self.place.sticks = Some(0);
            self.rank();
        }
        let tournament = rules.tournament().filter(|tournament| tournament.has_table_points());
        if session.placement.is_none() && tournament.is_none() {
            return;
        }
        let totals: [Points; 4] = std::array::from_fn(|player| self.players[player].total);
        let bonus = session.placement.map(|placement| {
            let worth = placement.bonus(session.initial_points);
            placement.level.share(&worth, totals)
        });
        let table_points =
            tournament.map(|tournament| tournament.level.share(&tournament.table_points, totals));
        let initial = self.initial;
        for (place, player) in self.players.iter_mut().enumerate() {
            let bonus = bonus.map(|bonus| bonus[place]);
            let result = player.standing - initial + bonus.unwrap_or_default();
            let table_points = table_points.map(|points| points[place]);
            player.placed = Some(Placed { bonus, table_points, result });
        }
        if bonus.is_some() {
            self.rank_by(|player| player.placed.map_or(player.standing, |placed| placed.result));
        }
    }
}

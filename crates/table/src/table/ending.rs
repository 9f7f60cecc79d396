//! Decides when a session is over, and the values of its places.

use super::{Over, Placed, TableState};
use crate::{
    points::Points,
    rules::{AfterTime, Leftover, Level, RuleSet, SessionRules},
};

/// Who deals after a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextDeal {
    /// The same player, as the deal was void.
    Void,
    /// The same player, as the deal was drawn before the wall was used up.
    Aborted,
    /// The same player, who has kept the deal by what was played.
    Kept,
    /// The next player.
    Passed,
    /// The next player, in a new round.
    RoundEnded,
}

/// Why nothing more is played after a deal, if so; `run_out`: the play that is allowed, if the clock had run out.
pub(super) fn over(
    state: &TableState,
    session: &SessionRules,
    next: NextDeal,
    run_out: Option<AfterTime>,
) -> Option<Over> {
    if session.end.bust
        && let Some(player) = state.players.iter().position(|player| player.total < Points::ZERO)
    {
        return Some(Over::Bust { player });
    }
    let played = match next {
        NextDeal::Void => return None,
        // The deal is played again, whoever leads.
        NextDeal::Aborted => None,
        NextDeal::Kept => dealer_stops(state, session),
        NextDeal::Passed | NextDeal::RoundEnded => rounds_over(state, session, next),
    };
    let finishing = |then| then == AfterTime::FinishRound && next != NextDeal::RoundEnded;
    played.or_else(|| run_out.filter(|then| !finishing(*then)).map(|_| Over::Time))
}

/// Why nothing more is played after the deal has passed on: the rounds are over, those beyond `rounds` as soon as
/// somebody has the target.
fn rounds_over(state: &TableState, session: &SessionRules, next: NextDeal) -> Option<Over> {
    let played = state.rounds_played;
    let most = state.rounds.saturating_add(session.end.extension);
    let over = played >= most || (played >= state.rounds && is_target_reached(state, session));
    over.then_some(if played > state.rounds || next != NextDeal::RoundEnded {
        Over::Target
    } else {
        Over::Played
    })
}

/// Why nothing more is played although East has kept the deal: he leads, in the last deal or in an extra round.
fn dealer_stops(state: &TableState, session: &SessionRules) -> Option<Over> {
    let end = session.end;
    let reached = is_target_reached(state, session);
    if !dealer_leads(state, session) {
        return None;
    }
    if state.rounds_played >= state.rounds {
        return reached.then_some(Over::Target);
    }
    let last = state.rounds_played + 1 == state.rounds && state.passes + 1 == state.players.len();
    (end.leader_stops && last && (end.extension == 0 || reached)).then_some(Over::Leader)
}

/// Whether somebody has the points that extra rounds are played for; true where the rules name none.
fn is_target_reached(state: &TableState, session: &SessionRules) -> bool {
    let target = session.placement.map(|placement| Points::whole(placement.return_points));
    target.is_none_or(|target| state.players.iter().any(|player| player.total >= target))
}

/// Whether East is first alone, by the rule for level players.
fn dealer_leads(state: &TableState, session: &SessionRules) -> bool {
    let dealer = state.place.dealer;
    let Some(own) = state.players.get(dealer).map(|player| player.total) else { return false };
    let by_seats = session.placement.is_some_and(|it| it.level == Level::SeatOrder);
    (state.players.iter().enumerate()).all(|(place, other)| {
        place == dealer || other.total < own || (by_seats && other.total == own && dealer < place)
    })
}

impl TableState {
    /// Once the session is over: gives away the sticks that are left, and values the places.
    pub(super) fn close(&mut self, rules: &RuleSet) {
        match self.players.len() {
            3 => self.close_of::<3>(rules),
            _ => self.close_of::<4>(rules),
        }
    }

    /// The same of `N` players.
    fn close_of<const N: usize>(&mut self, rules: &RuleSet) {
        let session = rules.session();
        let totals = || self.players.iter().map(|player| player.total).collect::<Vec<_>>();
        let Ok(at_end) = <[Points; N]>::try_from(totals()) else { return };
        let level = session.placement.map_or(Level::Share, |placement| placement.level);
        let left = self.place.sticks.unwrap_or(0);
        if left > 0 && session.sticks.leftover == Leftover::First {
            let mut places = [Points::ZERO; N];
            places[0] = Points::whole(rules.stick()) * i64::from(left);
            let to = level.share(&places, at_end);
            self.players.iter_mut().zip(to).for_each(|(player, points)| player.total += points);
            let was = self.leftover.unwrap_or_default();
            let more = |(place, to)| was.get(place).copied().unwrap_or_default() + to;
            self.leftover = Some(to.into_iter().enumerate().map(more).collect());
            self.place.sticks = Some(0);
            self.rank();
        }
        let totals: [Points; N] = std::array::from_fn(|player| self.players[player].total);
        let bonus = session.placement.and_then(|placement| {
            Some(placement.level.share(&placement.bonus(session.initial_points)?, totals))
        });
        let table_points = rules.tournament().filter(|it| it.has_table_points()).and_then(|it| {
            let places: &[Points; N] = it.table_points.as_slice().try_into().ok()?;
            Some(it.level.share(places, totals))
        });
        if bonus.is_none() && table_points.is_none() {
            return;
        }
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

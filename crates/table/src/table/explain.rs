//! Explains the payments of a deal, for the seats and counters of that deal.

use super::{
    DealRecord, DealWords, Table, TableError, TableState, Winner,
    others::losing_hands,
    scoring::{circumstances, hand_of},
};
use crate::rules::{Circumstances, RuleSet, ScoreStep};

impl Table {
    /// The steps of a deal as [`TableState::explain`] gives them.
    ///
    /// # Errors
    /// Where the table was never opened.
    pub fn explain(&self, record: &DealRecord) -> Result<Vec<Vec<ScoreStep>>, TableError> {
        Ok(self.state()?.explain(self.rules()?, record))
    }
}

impl TableState {
    /// The steps from each winner's total to everybody's payments to him, a list for each winner, empty where the
    /// payments were given, or a hand kept its recorded ones; then one for what was paid beside wins, where play went on
    /// after one.
    pub fn explain(&self, rules: &RuleSet, record: &DealRecord) -> Vec<Vec<ScoreStep>> {
        let mut then = Self { place: record.place, history: Vec::new(), ..self.clone() };
        for (player, seat) in then.players.iter_mut().zip(&record.seats) {
            player.seat = *seat;
        }
        let plays_on = rules.plays_on();
        let steps = record.winners.iter().enumerate().map(|(place, winner)| {
            let Some(scored) = &winner.scored else { return Vec::new() };
            if let Some(player) = then.players.get_mut(winner.player) {
                player.minimum = scored.minimum;
            }
            let Ok(at) = circumstances(rules, &then, winner, scored.honba) else {
                return Vec::new();
            };
            let before = record.winners.iter().take(place).filter(|_| plays_on);
            let before = before.filter_map(|other| record.seats.get(other.player).copied());
            let at = Circumstances { won: before.collect(), ..at };
            let steps = steps(rules, &then, winner, &at);
            // The recorded payments stay, even where these rules would give others today.
            let steps = steps.unwrap_or_default();
            let same = (then.players.iter().zip(&scored.payments)).enumerate().all(
                |(player, (state, paid))| {
                    let own = steps.iter().filter(|step| step.seat == Some(state.seat));
                    let sum: num_rational::Ratio<i64> = own.filter_map(|step| step.amount).sum();
                    player == winner.player || -paid.ratio() == sum
                },
            );
            if same { steps } else { Vec::new() }
        });
        let mut steps: Vec<Vec<ScoreStep>> = steps.collect();
        let words = DealWords { players: &then.players, terms: then.terms.as_deref() };
        steps.extend(record.played_on.iter().map(|played_on| words.paid_beside(played_on)));
        steps
    }
}

/// The steps from a winner's total to everybody's payments, what the others settle among them.
fn steps(
    rules: &RuleSet,
    state: &TableState,
    winner: &Winner,
    at: &Circumstances,
) -> Option<Vec<ScoreStep>> {
    let hand = winner.hand.as_deref().map(hand_of).transpose().ok()?;
    let (value, mut steps) = match (winner.worth, &hand) {
        (Some(worth), _) => (rules.value_of(worth, at).ok()?, rules.steps_of(worth, at).ok()?),
        (None, Some(hand)) => (rules.value(hand, at).ok()?, rules.steps(hand, at).ok()?),
        (None, None) => return None,
    };
    if let Some(losers) = losing_hands(rules, state, winner, hand.as_ref()).ok()? {
        steps.extend(rules.settlement_steps(value, at, &losers));
    }
    Some(steps)
}

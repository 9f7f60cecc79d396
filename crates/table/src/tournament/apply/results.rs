//! Results of tables, and what may not change any more once they are there.

use crate::{
    name::Name,
    points::Points,
    tournament::{LedgerTable, Sitter, Table, Tournament, TournamentError},
};

impl Tournament {
    /// A table's session is over, with final scores that have to add up.
    pub(in crate::tournament) fn result(
        &mut self,
        (round, table): (usize, usize),
        points: [Points; 4],
        taken: Points,
    ) -> Result<(), TournamentError> {
        self.table(round, table)?;
        if let Some(played) = self.played.get(&(round, table)).filter(|played| played.deals > 0) {
            return Err(TournamentError::InTheLedger { round, table, number: played.number });
        }
        if self.results.contains_key(&(round, table)) {
            return Err(TournamentError::ResultAlready { round, table });
        }
        if taken < Points::ZERO {
            return Err(TournamentError::Taken(taken));
        }
        let expected = self.format.starting_points * 4 - taken;
        let sum: Points = points.into_iter().sum();
        if sum != expected {
            let rules = &self.format.penalties;
            let mut all = rules.causes.values().map(Some).chain([None]);
            let may_be_taken = sum < expected && all.any(|cause| rules.is_in_table(cause));
            return Err(TournamentError::Sum { sum, expected, off: sum - expected, may_be_taken });
        }
        let earned = points.map(|points| points - self.format.starting_points);
        self.results.insert((round, table), earned);
        Ok(())
    }

    /// Checks that after an undo every played session still counts for the same players.
    pub(crate) fn counts_as(&self, before: &Self) -> Result<(), TournamentError> {
        let dealt = |(_, played): &(&(usize, usize), &LedgerTable)| played.deals > 0;
        let played = before.played.iter().filter(dealt).map(|(at, _)| at);
        let all = before.results.keys().chain(played).filter(|_| self.seating.is_some());
        for (round, table) in all {
            let at = |tournament: &Self| -> Option<Table> {
                tournament.round(*round).ok()?.get(table.checked_sub(1)?).copied()
            };
            // Other numbers sit at the table: the session belongs to others.
            if let (Some(was), is) = (at(before), at(self))
                && Some(was) != is
                && let Some(seating) = &before.seating
            {
                let moved = was
                    .iter()
                    .enumerate()
                    .find(|(seat, number)| is.is_none_or(|is| is[*seat] != **number));
                let name = moved.and_then(|(_, number)| seating.numbers.get(number.index()));
                let (player, round, table) = (name.cloned().unwrap_or_default(), *round, *table);
                let number = before.number_in_ledger(round, table);
                return Err(TournamentError::WouldChange { player, round, table, number });
            }
        }
        for (round, table) in self.results.keys().filter(|at| before.results.contains_key(at)) {
            let seats = before.table(*round, *table)?.into_iter().zip(self.table(*round, *table)?);
            for (was, is) in seats {
                let player = match (was, is) {
                    (Sitter::Player(player), Sitter::Reserve { .. }) => player,
                    (Sitter::Reserve { .. }, Sitter::Player(player)) => player,
                    _ => continue,
                };
                let (player, round, table) = (player.clone(), *round, *table);
                let number = self.number_in_ledger(round, table);
                return Err(TournamentError::WouldChange { player, round, table, number });
            }
        }
        Ok(())
    }

    /// Refuses to give a played session to another player.
    pub(super) fn no_result_yet(&self, player: &Name, round: usize) -> Result<(), TournamentError> {
        for ((_, table), _) in self.results.range((round, 0)..=(round, usize::MAX)) {
            let sits = |sitter: &Sitter| matches!(sitter, Sitter::Player(name) if *name == player);
            if self.table(round, *table)?.iter().any(sits) {
                let (player, table) = (player.clone(), *table);
                let number = self.number_in_ledger(round, table);
                return Err(TournamentError::PlayedAlready { player, round, table, number });
            }
        }
        Ok(())
    }

    /// Refuses to give played sessions to another player, from a round on.
    pub(super) fn no_result_from(
        &self,
        player: &Name,
        round: usize,
    ) -> Result<(), TournamentError> {
        let rounds = self.seated()?.schedule.rounds().len();
        (round..=rounds).try_for_each(|round| self.no_result_yet(player, round))
    }

    /// The number in the ledger of a table whose result was played there.
    fn number_in_ledger(&self, round: usize, table: usize) -> Option<u32> {
        let paper = self.paper_wins.contains_key(&(round, table));
        self.played.get(&(round, table)).filter(|_| !paper).map(|played| played.number)
    }
}

//! Whether a round can begin: the tables that still play another one, and seats that no reserve fills.

use super::{Sitter, Tournament, TournamentError};
use crate::{
    name::Name,
    words::{Say, say},
};

impl Tournament {
    /// What an organiser has to confirm before a round is opened: tables that still play another round, and a lack of
    /// reserves.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn doubts_of_opening(&self, round: usize) -> Result<Vec<Say>, TournamentError> {
        let lack = self.lack_of_reserves(round)?;
        Ok(self.still_playing(round).into_iter().chain(lack).collect())
    }

    /// The tables that still play a round other than this one, a sentence for each round.
    pub fn still_playing(&self, round: usize) -> Vec<Say> {
        let others = self.playing().into_iter().filter(|(other, _)| *other != round);
        let sentence = |(round, tables): (usize, Vec<usize>)| match tables[..] {
            [table] => say!(
                "Table {table} still plays round {round}: its phones stay there until it ends",
                table,
                round
            ),
            _ => {
                let numbers: Vec<String> = tables.iter().map(usize::to_string).collect();
                say!(
                    "Tables {tables} still play round {round}: their phones stay there until they end",
                    tables = numbers.join(", "),
                    round
                )
            }
        };
        others.map(sentence).collect()
    }

    /// That too few reserves stand by for the seats of a round that nobody fills, if so.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn lack_of_reserves(&self, round: usize) -> Result<Option<Say>, TournamentError> {
        let seating = self.seated()?;
        let sitters = self.round(round)?.iter().flatten();
        let sitters = sitters.map(|number| self.sitter(seating, round, *number));
        let is_empty =
            |sitter: &Sitter<'_>| matches!(sitter, Sitter::Reserve { reserve: None, .. });
        let needed = sitters.filter(is_empty).count();
        let plays = |name: &Name| {
            self.substitutes.iter().any(|((of, _), reserve)| *of == round && reserve == name)
        };
        let free = self.roster.reserves().filter(|name| !plays(name)).count();
        Ok((needed > free).then(|| {
            say!(
                "Round {round} has too few reserves: {needed} needed, {free} free. Enter more with tilelens tournament import (column reserve)",
                round,
                needed,
                free
            )
        }))
    }
}

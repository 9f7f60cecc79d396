//! The tables of a tournament's round: opened, ended and closed together.

use super::{Act, TournamentLedger};
use crate::{
    table::{Event, TableState},
    tournament::{self, Tournament, TournamentError},
};

impl TournamentLedger {
    /// Opens the tables of a round that are not open yet and have no result from paper.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn open_round(&self, round: usize) -> Result<Vec<Act>, TournamentError> {
        let tournament = self.tournament()?;
        let is_open = |table: &usize| {
            let at = (round, *table);
            tournament.played.contains_key(&at) || tournament.results.contains_key(&at)
        };
        let tables = (1..=tournament.round(round)?.len()).filter(|table| !is_open(table));
        Ok(tables.map(|table| Act::Open { round, table }).collect())
    }

    /// Ends the sessions of a round that still go on.
    ///
    /// # Errors
    /// Where there is no such round.
    pub fn end_round(&self, round: usize) -> Result<Vec<Act>, TournamentError> {
        let tournament = self.tournament()?;
        tournament.round(round)?;
        Ok(ended(&tournament, round, &format!("the end of round {round}")))
    }

    /// Closes the tables of a round that were opened too early, and takes its clock back. They can be opened again.
    ///
    /// # Errors
    /// Where nothing of the round is open, or something has happened at one of its tables.
    pub fn close_round(&self, round: usize) -> Result<Vec<Act>, TournamentError> {
        let tournament = self.tournament()?;
        tournament.round(round)?;
        let of_round = |state: &&TableState| {
            state.sitting.is_some_and(|sitting| sitting.round == round) && !state.is_closed()
        };
        let states = self.tables.iter().filter_map(|table| table.state().ok()).filter(of_round);
        let began = states.filter(|state| state.over.is_some() || !state.is_untouched());
        let began = began.filter_map(|state| state.sitting).map(|sitting| sitting.table);
        let on_paper = tournament.results.range((round, 0)..=(round, usize::MAX));
        let mut tables: Vec<usize> = began.chain(on_paper.map(|((_, table), _)| *table)).collect();
        tables.sort_unstable();
        tables.dedup();
        if !tables.is_empty() {
            return Err(TournamentError::RoundPlayed { round, tables });
        }
        let closed = ended(&tournament, round, &format!("round {round} was closed again"));
        if closed.is_empty() {
            return Err(TournamentError::NotOpen(round));
        }
        Ok(self.clock_taken_back(round).into_iter().chain(closed).collect())
    }

    /// Takes the start of a round's clock back, after its changes.
    fn clock_taken_back(&self, round: usize) -> Vec<Act> {
        let void = self.log.taken_back();
        let clocks = self.log.events().iter().rev().filter(|recorded| {
            let (tournament::Event::Started { round: of, .. }
            | tournament::Event::ClockChanged { round: of, .. }) = recorded.event
            else {
                return false;
            };
            of == round && !void.contains(&recorded.seq)
        });
        let undone = |seq| Act::Tournament(tournament::Event::Undone { event: seq });
        clocks.map(|recorded| undone(recorded.seq)).collect()
    }
}

/// Ends the sessions of a round's tables.
fn ended(tournament: &Tournament, round: usize, why: &str) -> Vec<Act> {
    let tables = tournament.played.range((round, 0)..=(round, usize::MAX));
    let going_on = tables.map(|(_, played)| played).filter(|played| played.over.is_none());
    going_on.map(|played| Act::Table(played.number, Event::Ended { why: why.to_owned() })).collect()
}

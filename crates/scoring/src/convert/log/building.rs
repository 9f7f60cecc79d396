//! A record as a reader builds it: each event is checked against the table as the events before leave it.

use super::LogError;
use crate::record::{Board, Event, Offered, Record};

/// The record so far.
#[derive(Default)]
pub(super) struct Building {
    record: Record,
    /// The deal that is played.
    board: Option<Board>,
    players: Option<usize>,
}

impl Building {
    /// The record of our own lines.
    pub fn of_lines<'a>(
        lines: &mut impl Iterator<Item = (String, &'a str)>,
    ) -> Result<Record, LogError> {
        let mut building = Self::default();
        for (at, line) in lines {
            let event = serde_json::from_str(line)
                .map_err(|error| LogError::new(&at, format!("no event of a record: {error}")))?;
            building.push(&at, event)?;
        }
        Ok(building.record)
    }

    /// The deal that is played.
    pub const fn board(&self) -> Option<&Board> {
        self.board.as_ref()
    }

    /// The last discard or added tile.
    pub fn offered(&self) -> Result<Offered, String> {
        let offered = self.board().and_then(|board| board.offered);
        offered.ok_or_else(|| "a claim without a discard before it".to_owned())
    }

    /// Adds an event that is at a place of the text.
    pub fn push(&mut self, at: &str, event: Event) -> Result<(), LogError> {
        self.take(&event).map_err(|problem| LogError::new(at, problem))?;
        self.record.events.push(event);
        self.record.places.push(at.to_owned());
        Ok(())
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        match (event, &mut self.board) {
            (Event::Game { players }, None) => self.players = Some(players.len()),
            (Event::Deal(begins), None) => {
                let board = Board::new(begins)?;
                match self.players {
                    Some(named) if named == board.players.len() => self.board = Some(board),
                    Some(named) => {
                        let dealt = board.players.len();
                        return Err(format!("{named} players are named, and {dealt} are dealt to"));
                    }
                    None => return Err("a deal before the game begins".to_owned()),
                }
            }
            (_, None) => return Err("no deal has begun".to_owned()),
            (event, Some(board)) => {
                board.apply(event)?;
                if *event == Event::End {
                    self.board = None;
                }
            }
        }
        Ok(())
    }

    /// The record once the text is read to its end.
    pub fn done(self) -> Record {
        self.record
    }
}

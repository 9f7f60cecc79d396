//! Who sits where at a table.

use anyhow::bail;

use super::{DealPictures, Setting};
use crate::{appraisal::OpenedHands, calibration::table::Edge, tile::Seat};

/// The seats at the edges of a table.
#[derive(Clone, Copy)]
pub(super) struct Seating {
    /// Where East sits, where that is known.
    pub east: Option<Edge>,
    /// Where East is the likeliest to sit.
    pub likely: Edge,
    /// Whether one picture shows the table, so that edges mean something.
    pub at_table: bool,
}

/// The number of seats from one edge to another in the order of play.
fn steps(from: Edge, to: Edge) -> usize {
    let place = |edge| Edge::IN_PLAY.iter().position(|other| *other == edge).unwrap_or_default();
    (place(to) + 4 - place(from)) % 4
}

impl Seating {
    pub fn new(
        setting: &Setting,
        pictures: &DealPictures,
        opened: &OpenedHands,
    ) -> anyhow::Result<Self> {
        let args = &setting.args;
        let at_table = pictures.table.is_some();
        // One a picture, they are in the order of play from East.
        let mut east = if at_table { args.deal.east } else { Some(Edge::Bottom) };
        if let (Some(winner), Some(seat)) = (opened.winner, args.seat) {
            let edge = opened.hands[winner].edge;
            let by_winner = Edge::IN_PLAY[(steps(Edge::Bottom, edge) + 4 - seat.index()) % 4];
            match east {
                Some(east) if east != by_winner => bail!(
                    "{} has won by the picture, not {}",
                    Seat::ALL[steps(east, edge)].name(),
                    seat.name()
                ),
                _ => east = Some(by_winner),
            }
        }
        Ok(Self {
            east,
            likely: pictures.table.as_ref().and_then(|it| it.east).unwrap_or(Edge::Bottom),
            at_table,
        })
    }

    /// The seat at an edge.
    pub fn seat(&self, edge: Edge) -> Option<Seat> {
        Some(Seat::ALL[steps(self.east?, edge)])
    }

    /// A player in words, such as "South (right)".
    pub fn player(&self, edge: Edge) -> String {
        match (self.seat(edge), self.at_table) {
            (Some(seat), true) => format!("{} ({})", seat.name(), edge.name()),
            (Some(seat), false) => seat.name().to_owned(),
            (None, _) => edge.name().to_owned(),
        }
    }
}

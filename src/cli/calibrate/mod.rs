//! `tilelens calibrate`: what is learnt once, of a place or of a set of tiles, and kept in a file.

mod table;
mod tiles;

use clap::Subcommand;

use super::Outcome;

#[derive(Subcommand)]
pub(super) enum Calibrate {
    /// Where the table lies in the camera's picture, and whose tiles lie where
    Table(table::TableArgs),
    /// A set of tiles, from one photo of one of each face in rows
    Tiles(tiles::TilesArgs),
}

pub(super) fn run(what: &Calibrate) -> anyhow::Result<Outcome> {
    match what {
        Calibrate::Table(args) => table::run(args),
        Calibrate::Tiles(args) => tiles::run(args),
    }
}

//! `tilelens calibrate`: profiles of a table or of a set of tiles, learnt once and kept in a file.

mod table;
mod tiles;

use clap::Subcommand;

use super::Outcome;

#[derive(Subcommand)]
pub(super) enum Calibrate {
    /// Record where the table is in the camera's picture, and each player's areas
    Table(table::CalibrateTableArgs),
    /// Learn a set of tiles from one photo that shows one of each face in rows
    Tiles(tiles::CalibrateTilesArgs),
}

pub(super) fn run(what: &Calibrate) -> anyhow::Result<Outcome> {
    match what {
        Calibrate::Table(args) => table::run(args),
        Calibrate::Tiles(args) => tiles::run(args),
    }
}

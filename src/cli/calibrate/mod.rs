//! `tilelens calibrate`: what is measured once in a place and kept in a file.

mod table;

use clap::Subcommand;

use super::Outcome;

#[derive(Subcommand)]
pub(super) enum Calibrate {
    /// Where the table lies in the camera's picture, and whose tiles lie where
    Table(table::TableArgs),
}

pub(super) fn run(what: &Calibrate) -> anyhow::Result<Outcome> {
    match what {
        Calibrate::Table(args) => table::run(args),
    }
}

//! `tilelens calibrate`: what the program learns of the things in front of it.

mod tiles;

use clap::{Args, Subcommand};

use super::Outcome;

#[derive(Args)]
pub(super) struct CalibrateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// A set of tiles, from one photo of one of each face in rows
    Tiles(tiles::TilesArgs),
}

pub(super) fn run(args: CalibrateArgs) -> anyhow::Result<Outcome> {
    match args.what {
        What::Tiles(args) => tiles::run(&args),
    }
}

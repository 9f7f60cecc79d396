//! Measures how well pictures are read: labels in, figures with their intervals out. Labels are read from files;
//! the counting is pure.

mod dataset;
mod figures;
mod hands;
mod replay;
pub mod sets;
mod tally;

pub use dataset::{Dataset, DatasetError, HandTruth, LabelPatch, Photo, TileTruth, parse_labels};
pub use figures::{Share, median_and_p95, reliability};
pub use hands::{HandTally, compare_hand};
pub use replay::{
    Replay, ReplayGame, ReplayHand, ReplayMoment, ReplayTally, StillTable, StillTile,
};
pub use tally::{ErrorKind, TileError, TileTally};

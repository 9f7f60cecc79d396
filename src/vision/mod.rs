//! From a picture to the tiles in it.
//!
//! [`Picture`] decodes, [`Reader`] looks (`views`): at the whole picture, then at the tiles' own scale where small
//! ones are (`looks`), pulled into shape (`out_of_shape`) or with light and dark exchanged (`dark_bodies`) where that is needed, finds quads at each (`finds`), takes those of one tile together over
//! scales (`agreement`), moves their corners onto the tile's (`fit`), sets each upright (`pixels`), names it, keeps what is a tile (`judgement`, `surroundings`, `blanks`, `plain_faces`), and looks again where neighbours leave a gap (`gaps`); or, where frame follows frame, it looks once
//! and names only what is new (`glance`). Profiles of tile sets have a say in the names where one fits
//! the picture (`tilesets`), and are made of pictures here too (`examples`). [`SeenTile`] is what it hands on. That and its
//! geometry ([`quad`]) need no native library; the rest is the feature `vision`.

mod agreement;
mod bodies;
mod company;
mod dark_bodies;
mod ends;
mod examples;
mod features;
mod finds;
mod fit;
mod glance;
mod halves;
mod inside;
mod judge;
mod judgement;
mod looks;
mod networks;
mod out_of_shape;
mod pixels;
mod reader;
mod rules;
mod tilesets;
mod views;
mod whites;

#[cfg(not(any(feature = "onnxruntime", feature = "rten")))]
compile_error!("the feature `vision` needs one of `onnxruntime` and `rten` to run its networks");

pub use glance::LiveMemory;
pub(crate) use glance::{SAMPLES, look, same_look};
pub use inside::{CropInside, Inside, JudgedInside, LookInside, StepInside};
pub use networks::Models;
pub use reader::{Reader, Step, Watcher, Work};
pub use rules::Rule;
pub use tilesets::{InUse, Opinion};

/// Why the networks cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// ONNX Runtime cannot be had.
    #[error("{0}")]
    Runtime(String),
    /// A file of the models is missing or wrong: which, and why.
    #[error("model file {0}: {1}")]
    File(String, String),
    /// A run failed.
    #[error("reading the picture failed: {0}")]
    Run(String),
    /// Whoever watched the reader stopped it.
    #[error("reading the picture was stopped")]
    Stopped,
}

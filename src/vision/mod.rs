//! From a picture to the tiles in it.
//!
//! [`Reader`] shows a [`Picture`](crate::picture::Picture) to the detector: the whole of it, then small tiles at their own scale (`looks`),
//! pulled into shape (`out_of_shape`) or with light and dark exchanged (`dark_bodies`) where that is needed (`views`). Detections of one tile are
//! taken together over scales (`agreement`), their corners moved onto the tile's (`fit`), and each is classified. A learned judge says which are
//! tiles (`features`, `judge`, `judgement`); places where one may have been overlooked are named too (`propose`), and a second judge says
//! which blanks are white dragons (`whites`). Where frame follows frame, one view is enough and only what is new is classified (`glance`). Profiles of tile sets have a
//! say in the names where one fits the picture (`tilesets`), and are made of pictures here too (`examples`).
//! [`SeenTile`](crate::sight::SeenTile) is what it hands on.

#![warn(clippy::too_many_lines)]

mod agreement;
mod bodies;
mod company;
mod dark_bodies;
mod examples;
mod features;
mod finds;
mod fit;
mod glance;
mod inside;
mod judge;
mod judgement;
mod looks;
mod networks;
mod out_of_shape;
mod pixels;
mod propose;
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

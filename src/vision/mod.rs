//! From a picture to the tiles in it.
//!
//! [`Picture`] decodes, [`Reader`] looks (`views`): at the whole picture, then at the tiles' own scale where small
//! ones are (`looks`), pulled into shape (`out_of_shape`) or with light and dark exchanged (`dark_bodies`) where that is needed, finds quads at each (`finds`), takes those of one tile together over
//! scales (`agreement`), moves their corners onto the tile's (`fit`), sets each upright (`pixels`), names it, keeps what is a tile (`judgement`, `surroundings`, `blanks`, `plain_faces`), and looks again where neighbours leave a gap (`gaps`); or, where frame follows frame, it looks once
//! and names only what is new (`glance`). Profiles of tile sets have a say in the names where one fits
//! the picture (`tilesets`), and are made of pictures here too (`examples`). [`SeenTile`] is what it hands on. That and its
//! geometry ([`quad`]) need no native library; the rest is the feature `vision`.

#[cfg(feature = "vision")]
mod agreement;
#[cfg(feature = "vision")]
mod blanks;
#[cfg(feature = "vision")]
mod classifier;
#[cfg(feature = "vision")]
mod company;
#[cfg(feature = "vision")]
mod dark_bodies;
#[cfg(feature = "vision")]
mod examples;
mod file_name;
#[cfg(feature = "vision")]
mod finds;
#[cfg(feature = "vision")]
mod fit;
#[cfg(feature = "vision")]
mod gaps;
#[cfg(feature = "vision")]
mod glance;
#[cfg(feature = "vision")]
mod halves;
#[cfg(feature = "vision")]
mod heif;
#[cfg(feature = "vision")]
mod inside;
#[cfg(feature = "vision")]
mod jpeg;
#[cfg(feature = "vision")]
mod judgement;
#[cfg(feature = "vision")]
mod kinds;
#[cfg(test)]
pub(crate) mod laid;
#[cfg(feature = "vision")]
mod looks;
#[cfg(feature = "vision")]
mod models;
#[cfg(all(feature = "vision", feature = "rten"))]
#[path = "rten.rs"]
mod network;
#[cfg(all(feature = "vision", not(feature = "rten")))]
#[path = "onnxruntime.rs"]
mod network;
#[cfg(feature = "vision")]
mod out_of_shape;
#[cfg(feature = "vision")]
mod pairs;
#[cfg(feature = "vision")]
mod picture;
#[cfg(feature = "vision")]
mod pixels;
#[cfg(feature = "vision")]
mod plain_faces;
pub mod quad;
#[cfg(feature = "vision")]
mod reader;
#[cfg(feature = "vision")]
mod rules;
mod seen;
#[cfg(feature = "vision")]
mod strays;
#[cfg(feature = "vision")]
mod surroundings;
#[cfg(feature = "vision")]
mod tiff;
#[cfg(feature = "vision")]
mod tilesets;
#[cfg(feature = "vision")]
mod views;
#[cfg(feature = "vision")]
mod whites;

#[cfg(all(feature = "vision", not(any(feature = "onnxruntime", feature = "rten"))))]
compile_error!("the feature `vision` needs one of `onnxruntime` and `rten` to run its networks");

pub use file_name::{is_listed_picture, is_picture_name};
#[cfg(feature = "vision")]
pub use glance::LiveMemory;
#[cfg(feature = "vision")]
pub(crate) use glance::{SAMPLES, look, same_look};
#[cfg(feature = "vision")]
pub use inside::{BlankInside, CropInside, Inside, LookInside, StepInside};
#[cfg(feature = "vision")]
pub use models::Models;
#[cfg(feature = "vision")]
pub use picture::{MOST_BYTES, MOST_PIXELS, Picture, PictureError};
#[cfg(feature = "vision")]
pub use reader::{Reader, Step, Watcher, Work};
#[cfg(feature = "vision")]
pub use rules::Rule;
pub use seen::{Corners, SeenTile};
#[cfg(feature = "vision")]
pub use tilesets::{InUse, Opinion};

/// Why the networks cannot be used.
#[cfg(feature = "vision")]
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

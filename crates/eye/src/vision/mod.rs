//! From a picture to the tiles in it.
//!
//! [`Reader`] shows a [`Picture`](crate::picture::Picture) to the detector: the whole of it, then small tiles at their own scale (`passes`),
//! stretched into shape (`out_of_shape`) or with light and dark exchanged where needed (`views`). Detections of one tile are
//! merged over scales (`agreement`), their corners moved onto the tile's (`fit`), and each is classified. A learned judge decides which are
//! tiles (`features`, `judge`, `verdicts`); places where one may have been overlooked are classified too (`propose`), and a second judge
//! decides which blanks are white dragons (`whites`). On live frames one pass is enough, and only new places are classified
//! (`live_memory`). Profiles of tile sets weigh the classes where one fits the picture (`tilesets`), and are made here (`examples`).
//! The result is a list of [`SeenTile`](crate::sight::SeenTile).

mod agreement;
mod bodies;
mod detections;
mod examples;
mod features;
mod fit;
mod inside;
mod judge;
mod live_memory;
mod neighbours;
mod networks;
mod out_of_shape;
mod passes;
mod pixels;
mod propose;
mod reader;
mod rules;
mod tilesets;
mod verdicts;
mod views;
mod whites;

#[cfg(not(any(feature = "onnxruntime", feature = "rten")))]
compile_error!("the feature `vision` needs one of `onnxruntime` and `rten` to run its networks");

#[doc(hidden)]
pub use inside::{CropInside, Inside, JudgedInside, PassInside, StepInside};
#[doc(hidden)]
pub use live_memory::LiveMemory;
pub(crate) use live_memory::{SAMPLES, grey_samples, is_same_pattern};
pub use networks::Models;
pub use reader::{Reader, Step, Watcher, Work};
pub use rules::Rule;
pub use tilesets::{InUse, Opinion};

/// Why the networks cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// ONNX Runtime is missing or cannot be loaded.
    #[error("{0}")]
    Runtime(String),
    /// A file of the models is missing or wrong: which, and why.
    #[error("model file {0}: {1}")]
    File(String, String),
    /// A run failed.
    #[error("reading the picture failed: {0}")]
    Run(String),
    /// The watcher stopped the reading.
    #[error("reading the picture was stopped")]
    Stopped,
}

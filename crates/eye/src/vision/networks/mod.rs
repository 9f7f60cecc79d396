//! The networks of the reader behind one trait, which a runtime implements.

pub(super) mod classifier;
mod load;
#[cfg(test)]
pub(super) mod painted;
#[cfg(feature = "rten")]
#[path = "rten.rs"]
mod runtime;
#[cfg(not(feature = "rten"))]
#[path = "onnxruntime.rs"]
mod runtime;

use super::ModelError;
use crate::tileset::Embedding;
use classifier::Classifier;
pub(super) use classifier::{BACK, CLASSES, CROP, Classified, REJECT, WHITE};

/// An output of a network: its shape, and its values row-major.
pub(super) type Output = (Vec<usize>, Vec<f32>);

/// One network, ready to run.
pub(super) trait Network: Send {
    /// The name of its first input, and that input's width in pixels if the file gives it.
    fn input(&self) -> Option<(String, Option<usize>)>;

    /// The channels of an output, if the network has one of this name and the file gives them.
    fn output(&self, name: &str) -> Option<Option<usize>>;

    /// Runs it on one tensor (row-major) and gives the requested outputs with their shapes.
    ///
    /// # Errors
    /// The runtime fails.
    fn run(
        &mut self,
        shape: [usize; 4],
        values: &[f32],
        outputs: &[&str],
    ) -> Result<Vec<Output>, String>;
}

/// A value that is loaded on first use: a picture without a tile needs the detector alone.
struct Lazy<T> {
    load: Box<dyn Fn() -> Result<T, ModelError> + Send>,
    loaded: Option<T>,
}

impl<T> Lazy<T> {
    fn new(load: impl Fn() -> Result<T, ModelError> + Send + 'static) -> Self {
        Self { load: Box::new(load), loaded: None }
    }

    fn get(&mut self) -> Result<&mut T, ModelError> {
        match &mut self.loaded {
            Some(loaded) => Ok(loaded),
            none => Ok(none.insert((self.load)()?)),
        }
    }
}

/// The corner network's output for one detection.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// Distances of the tile's corners from the detection's, across and down, in sides of the detection.
    pub offsets: [[f32; 2]; 4],
    /// Logit of the probability that a whole tile lies there, face up or down.
    pub tile: f32,
}

/// The networks, ready to run.
pub struct Models {
    detector: Box<dyn Network>,
    classifier: Lazy<Classifier>,
    corners: Option<Lazy<Box<dyn Network>>>,
    fingerprint: String,
}

/// The detector's output for one picture: ten maps, row-major, a cell for every four pixels.
pub struct Maps {
    /// Cells across.
    pub width: usize,
    /// Cells down.
    pub height: usize,
    /// Scores of faces and of backs (logits), then the x and the y of four corners.
    pub values: Vec<f32>,
}

impl Models {
    /// Identifier of this classifier; tile-set profiles belong to one.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.fingerprint
    }

    /// Runs the detector.
    ///
    /// `image`: 3 x `height` x `width`, BGR, 0-255; both sides multiples of 32.
    ///
    /// # Errors
    /// The runtime fails, or the model gives another shape than it said.
    pub fn detect(
        &mut self,
        image: &[f32],
        width: usize,
        height: usize,
    ) -> Result<Maps, ModelError> {
        let found = self.detector.run([1, 3, height, width], image, &["map"]).map_err(run)?;
        let (width, height) = (width / 4, height / 4);
        match found.into_iter().next() {
            Some((shape, values)) if shape == [1, 10, height, width] => {
                Ok(Maps { width, height, values })
            }
            other => {
                let shape = other.map(|(shape, _)| shape);
                Err(run(format!("the detector gave a map of shape {shape:?}")))
            }
        }
    }

    /// Whether the corner network is loaded, for [`Models::fitted`].
    #[must_use]
    pub fn has_corners(&self) -> bool {
        self.corners.is_some()
    }

    /// Runs the corner network.
    ///
    /// `crops`: n x 3 x 64 x 64, BGR, 0-255: detections with their surroundings.
    ///
    /// # Errors
    /// The runtime fails, the model gives another shape than it said, or there is no corner network.
    pub fn fitted(&mut self, crops: &[f32]) -> Result<Vec<Fitted>, ModelError> {
        let network = self.corners.as_mut().ok_or_else(|| run("there is no network of corners"))?;
        let network = network.get()?;
        let count = crops.len() / (3 * CROP * CROP);
        if count == 0 {
            return Ok(Vec::new());
        }
        let found =
            network.run([count, 3, CROP, CROP], crops, &["offsets", "tile"]).map_err(run)?;
        match found.as_slice() {
            [(_, offsets), (_, tiles)] if offsets.len() == 8 * count && tiles.len() == count => {
                let one = |(offsets, tile): (&[f32], &f32)| Fitted {
                    offsets: [0, 1, 2, 3].map(|k| [offsets[2 * k], offsets[2 * k + 1]]),
                    tile: *tile,
                };
                Ok(offsets.chunks_exact(8).zip(tiles).map(one).collect())
            }
            other => {
                let shapes: Vec<&Vec<usize>> = other.iter().map(|(shape, _)| shape).collect();
                Err(run(format!("the network of corners gave shapes {shapes:?}")))
            }
        }
    }

    /// Runs the classifier.
    ///
    /// `crops`: n x 3 x 64 x 64, BGR, 0-255.
    ///
    /// # Errors
    /// The runtime fails, or the model gives another shape than it said.
    pub fn classify(&mut self, crops: &[f32]) -> Result<Vec<Classified>, ModelError> {
        self.classifier.get()?.classify(crops)
    }

    /// Runs the classifier, and gives the last layer's output for each crop.
    ///
    /// # Errors
    /// As [`Models::classify`]; or this classifier has no embeddings.
    pub fn embed(&mut self, crops: &[f32]) -> Result<Vec<(Classified, Embedding)>, ModelError> {
        self.classifier.get()?.embed(crops)
    }
}

fn run(error: impl ToString) -> ModelError {
    ModelError::Run(error.to_string())
}

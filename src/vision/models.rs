//! The networks: loaded from the program itself or from a folder, checked before use.

use std::path::Path;

use serde::Deserialize;

use sha2::{Digest, Sha256};

use super::{ModelError, network::Network};
use crate::{
    tile::Face,
    tileset::{self, Embedding},
};

/// Side in pixels of the crops that the classifier and the network of corners are shown.
pub const CROP: usize = 64;
/// Classes of the classifier: 42 faces, the back, and what is no tile.
pub const CLASSES: usize = tileset::CLASSES;
/// Place of the back among the classes.
pub const BACK: usize = Face::COUNT;
/// Place of what is no tile among the classes.
pub const REJECT: usize = Face::COUNT + 1;

const DETECTOR: &[u8] = include_bytes!("../../models/detector.onnx");
const CLASSIFIER: &[u8] = include_bytes!("../../models/classifier.onnx");
const CORNERS: &[u8] = include_bytes!("../../models/corners.onnx");
const CONFIDENCE: &str = include_str!("../../calibration/confidence.toml");

/// What `sha256sum` makes of the files of a folder.
const SUMS: &str = "SHA256SUMS";

/// How the outputs of a pair of models are to be read: `reader.toml` beside them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Manifest {
    /// Codes of the classes in the order of the output, 42 faces, then the back and no tile.
    faces: Vec<String>,
    /// `turns[k]`: which output says that the face's own top left is corner `k` of the crop.
    turns: [usize; 4],
}

impl Default for Manifest {
    fn default() -> Self {
        let faces = Face::all().map(|face| face.to_string());
        let rest = ["x", "reject"].map(str::to_owned);
        Self { faces: faces.chain(rest).collect(), turns: [0, 1, 2, 3] }
    }
}

/// Figures that were measured: see the file itself.
#[derive(Deserialize)]
struct Confidence {
    temperature: f32,
}

/// The bytes of the networks' files.
struct Files<'b> {
    detector: &'b [u8],
    classifier: &'b [u8],
    corners: Option<&'b [u8]>,
}

/// An output of a network: its shape, and its values row-major.
pub(super) type Output = (Vec<usize>, Vec<f32>);

/// What the classifier says of one crop.
#[derive(Clone, Debug)]
pub struct Named {
    /// Probability of each class: faces by [`Face::index`], [`BACK`], [`REJECT`].
    pub classes: [f32; CLASSES],
    /// Probability that the face's own top left is the crop's top left, top right, bottom right,
    /// bottom left.
    pub turns: [f32; 4],
    /// Probability of red, given a five.
    pub red: f32,
    /// Odds that what lies around it leaves to a tile, 0-1: 1 where nothing speaks against one.
    pub around: f32,
}

/// What the network of corners says of one find.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// How far the tile's corners lie from the find's, across and down, where the find is a square of side one.
    pub offsets: [[f32; 2]; 4],
    /// Logit of the probability that a whole tile lies there, face up or down.
    pub tile: f32,
}

/// The networks, ready to run.
pub struct Models {
    detector: Network,
    classifier: Network,
    corners: Option<Network>,
    /// For each output of the classifier, its class.
    classes: [usize; CLASSES],
    turns: [usize; 4],
    has_red: bool,
    has_embedding: bool,
    temperature: f32,
    fingerprint: String,
}

/// The detector's output for one picture: ten maps, row-major, a cell for every four pixels.
pub struct Maps {
    /// Cells across.
    pub width: usize,
    /// Cells down.
    pub height: usize,
    /// Heat of faces and of backs (logits), then the x and the y of four corners.
    pub values: Vec<f32>,
}

/// SHA-256, in hexadecimal digits.
fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a file has the checksum that a list of them gives for its name, if it gives one.
fn is_as_told(sums: &str, name: &str, bytes: &[u8]) -> bool {
    let told = sums.lines().find_map(|line| {
        let (sum, file) = line.split_once(' ')?;
        (file.trim_start_matches([' ', '*']).trim_end() == name).then_some(sum)
    });
    told.is_none_or(|told| told.eq_ignore_ascii_case(&sum(bytes)))
}

impl Models {
    /// The networks inside the program.
    ///
    /// # Errors
    /// ONNX Runtime is missing.
    pub fn builtin(threads: usize) -> Result<Self, ModelError> {
        let files = Files { detector: DETECTOR, classifier: CLASSIFIER, corners: Some(CORNERS) };
        Self::from_bytes(&files, Manifest::default(), CONFIDENCE, threads, None)
    }

    /// The networks of a folder: `detector.onnx`, `classifier.onnx`, `corners.onnx` (without it corners stay where
    /// the detector saw them, and what lies around a find says nothing), and where they differ from the built-in ones `reader.toml` (`faces`, `turns`) and
    /// `confidence.toml` (`temperature`; without it that of the built-in classifier, for the built-in classifier, and 1 for another).
    /// Where `SHA256SUMS` is beside them, files must be as it tells: damage among a network's weights shows in nothing else.
    ///
    /// # Errors
    /// A file is missing, damaged, or another kind of network.
    pub fn from_folder(folder: &Path, threads: usize) -> Result<Self, ModelError> {
        let whole = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path)
                .map_err(|error| ModelError::File(path.display().to_string(), error.to_string()))
        };
        let sums = match folder.join(SUMS).exists() {
            true => String::from_utf8_lossy(&whole(SUMS)?).into_owned(),
            false => String::new(),
        };
        let read = |name: &str| {
            let bytes = whole(name)?;
            if is_as_told(&sums, name, &bytes) {
                return Ok(bytes);
            }
            let why = format!(
                "it is not the file that {SUMS} tells of: copy it again, or remove {SUMS} if it was changed on purpose"
            );
            Err(ModelError::File(folder.join(name).display().to_string(), why))
        };
        let text = |name: &str| -> Result<Option<String>, ModelError> {
            if !folder.join(name).exists() {
                return Ok(None);
            }
            let told = |error: std::string::FromUtf8Error| {
                ModelError::File(folder.join(name).display().to_string(), error.to_string())
            };
            Ok(Some(String::from_utf8(read(name)?).map_err(told)?))
        };
        let manifest = match text("reader.toml")? {
            Some(text) => toml::from_str(&text).map_err(|error| {
                ModelError::File(
                    folder.join("reader.toml").display().to_string(),
                    error.to_string(),
                )
            })?,
            None => Manifest::default(),
        };
        let (detector, classifier) = (read("detector.onnx")?, read("classifier.onnx")?);
        let confidence = match text("confidence.toml")? {
            Some(text) => text,
            None if classifier == CLASSIFIER => CONFIDENCE.to_owned(),
            None => "temperature = 1.0".to_owned(),
        };
        let corners = match folder.join("corners.onnx").exists() {
            true => Some(read("corners.onnx")?),
            false => None,
        };
        let files =
            Files { detector: &detector, classifier: &classifier, corners: corners.as_deref() };
        Self::from_bytes(&files, manifest, &confidence, threads, Some(folder))
    }

    fn from_bytes(
        files: &Files<'_>,
        manifest: Manifest,
        confidence: &str,
        threads: usize,
        folder: Option<&Path>,
    ) -> Result<Self, ModelError> {
        let name = |file: &str| match folder {
            Some(folder) => folder.join(file).display().to_string(),
            None => format!("built-in {file}"),
        };
        let told = |file: &str, why: &str| ModelError::File(name(file), why.to_owned());
        let classes = classes(&manifest.faces).map_err(|why| told("reader.toml", &why))?;
        if (0..4).any(|k| !manifest.turns.contains(&k)) {
            return Err(told("reader.toml", "turns must hold 0, 1, 2 and 3, each once"));
        }
        let confidence: Confidence =
            toml::from_str(confidence).map_err(|error| told("confidence.toml", error.message()))?;
        if !(0.05..=20.0).contains(&confidence.temperature) {
            return Err(told("confidence.toml", "temperature must lie between 0.05 and 20"));
        }
        // Embeddings of one classifier mean nothing to another: its bytes tell which it is.
        let fingerprint = sum(files.classifier).chars().take(16).collect();
        let detector = Network::load(files.detector, threads)?
            .and_then(|network| checked(network, ("image", None), &[("map", 10)]))
            .map_err(|why| told("detector.onnx", &why))?;
        let outputs = [("faces", CLASSES), ("turn", 4)];
        let classifier = Network::load(files.classifier, threads)?
            .and_then(|network| checked(network, ("crops", Some(CROP)), &outputs))
            .map_err(|why| told("classifier.onnx", &why))?;
        let told_of_corners = [("offsets", 8), ("tile", 1)];
        let corners = match files.corners {
            Some(bytes) => Some(
                Network::load(bytes, threads)?
                    .and_then(|network| checked(network, ("crops", Some(CROP)), &told_of_corners))
                    .map_err(|why| told("corners.onnx", &why))?,
            ),
            None => None,
        };
        let has_red = classifier.output("red").is_some();
        let has_embedding = classifier.output("embedding").is_some();
        Ok(Self {
            detector,
            classifier,
            corners,
            classes,
            turns: manifest.turns,
            has_red,
            has_embedding,
            temperature: confidence.temperature,
            fingerprint,
        })
    }

    /// Which classifier this is: tile-set profiles are of one.
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

    /// Whether there is a network for [`Models::fitted`].
    #[must_use]
    pub fn has_corners(&self) -> bool {
        self.corners.is_some()
    }

    /// How far a tile's corners lie from those of a find, and whether there is one.
    ///
    /// `crops`: n x 3 x 64 x 64, BGR, 0-255: finds with some of what lies around them.
    ///
    /// # Errors
    /// The runtime fails, the model gives another shape than it said, or there is none.
    pub fn fitted(&mut self, crops: &[f32]) -> Result<Vec<Fitted>, ModelError> {
        let network = self.corners.as_mut().ok_or_else(|| run("there is no network of corners"))?;
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
    pub fn classify(&mut self, crops: &[f32]) -> Result<Vec<Named>, ModelError> {
        Ok(self.outputs(crops, false)?.0)
    }

    /// The same, and how its last layer sees each crop.
    ///
    /// # Errors
    /// As [`Models::classify`]; or this classifier does not tell.
    pub fn embed(&mut self, crops: &[f32]) -> Result<Vec<(Named, Embedding)>, ModelError> {
        if !self.has_embedding {
            return Err(run("this classifier has no output `embedding`, which tile sets need"));
        }
        let (named, mut embeddings) = self.outputs(crops, true)?;
        let numbers = embeddings.len().checked_div(named.len()).unwrap_or(0).max(1);
        for one in embeddings.chunks_mut(numbers) {
            let length = one.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            one.iter_mut().for_each(|x| *x /= length);
        }
        Ok(named.into_iter().zip(embeddings.chunks(numbers).map(<[f32]>::to_vec)).collect())
    }

    /// What the classifier says of crops, and the embeddings one after another where they are wanted.
    fn outputs(
        &mut self,
        crops: &[f32],
        embeddings: bool,
    ) -> Result<(Vec<Named>, Vec<f32>), ModelError> {
        let count = crops.len() / (3 * CROP * CROP);
        if count == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut names = vec!["faces", "turn"];
        names.extend(self.has_red.then_some("red"));
        names.extend(embeddings.then_some("embedding"));
        let found = self.classifier.run([count, 3, CROP, CROP], crops, &names).map_err(run)?;
        let values = |name: &str| {
            let place = names.iter().position(|other| *other == name)?;
            found.get(place).map(|(_, values)| values.as_slice())
        };
        let sized = |name: &str, each: usize| match values(name) {
            Some(values) if values.len() == count * each => Ok(values),
            other => {
                let given = other.map_or(0, <[f32]>::len);
                Err(run(format!("the classifier gave {given} values as `{name}`")))
            }
        };
        let (faces, turns) = (sized("faces", CLASSES)?, sized("turn", 4)?);
        let red = if self.has_red { Some(sized("red", 1)?) } else { None };
        let named = faces.chunks_exact(CLASSES).zip(turns.chunks_exact(4)).enumerate();
        let named = named
            .map(|(n, (faces, turns))| {
                let by_output = softmax(faces, self.temperature);
                let mut classes = [0.0; CLASSES];
                for (output, class) in self.classes.iter().enumerate() {
                    classes[*class] = by_output[output];
                }
                weigh_by_copies(&mut classes);
                let by_output = softmax(turns, 1.0);
                Named {
                    classes,
                    turns: self.turns.map(|output| by_output[output]),
                    red: red.map_or(0.0, |red| 1.0 / (1.0 + (-red[n]).exp())),
                    around: 1.0,
                }
            })
            .collect();
        Ok((named, values("embedding").unwrap_or_default().to_vec()))
    }
}

fn run(error: impl ToString) -> ModelError {
    ModelError::Run(error.to_string())
}

/// For each output its class.
fn classes(codes: &[String]) -> Result<[usize; CLASSES], String> {
    let mut classes = [0; CLASSES];
    if codes.len() != CLASSES {
        return Err(format!("faces has {} entries, {CLASSES} are needed", codes.len()));
    }
    for (class, code) in classes.iter_mut().zip(codes) {
        *class = match code.as_str() {
            "x" => BACK,
            "reject" => REJECT,
            code => code.parse::<Face>().map_err(|error| error.to_string())?.index(),
        };
    }
    let mut sorted = classes;
    sorted.sort_unstable();
    if sorted.iter().enumerate().any(|(k, class)| k != *class) {
        return Err("faces must name every face once".to_owned());
    }
    Ok(classes)
}

/// A network of the right kind: its input's name and width in pixels, its outputs' names and channels.
fn checked(
    network: Network,
    (input, width): (&str, Option<usize>),
    outputs: &[(&str, usize)],
) -> Result<Network, String> {
    let given = match network.input() {
        Some((name, given)) if name == input => given,
        _ => return Err(format!("another kind of network: it has no input `{input}`")),
    };
    if let (Some(width), Some(given)) = (width, given)
        && width != given
    {
        return Err(format!("input `{input}` is {given} pixels wide, not {width}"));
    }
    for (name, channels) in outputs {
        match network.output(name) {
            None => return Err(format!("another kind of network: it has no output `{name}`")),
            Some(Some(given)) if given != *channels => {
                return Err(format!("output `{name}` has {given} channels, not {channels}"));
            }
            _ => {}
        }
    }
    Ok(network)
}

/// The classifier was shown every face about as often; among the tiles of a set there are four of each
/// suit tile and honor and one of each flower. What is no face keeps its probability.
fn weigh_by_copies(classes: &mut [f32; CLASSES]) {
    const BONUS: f32 = 1.0 / 4.0;
    let faces = &mut classes[..Face::COUNT];
    let before: f32 = faces.iter().sum();
    faces[Face::SET_FACES..].iter_mut().for_each(|p| *p *= BONUS);
    let after: f32 = faces.iter().sum();
    if after > 0.0 {
        faces.iter_mut().for_each(|p| *p *= before / after);
    }
}

fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let exp: Vec<f32> = logits.iter().map(|logit| ((logit - most) / temperature).exp()).collect();
    let sum: f32 = exp.iter().sum();
    exp.iter().map(|e| e / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flower_has_to_be_four_times_as_likely_and_what_is_no_face_stays() {
        let mut classes = [0.0; CLASSES];
        let bird = Face::new(crate::tile::Suit::Bamboo, 1).expect("a face").index();
        (classes[bird], classes[Face::SET_FACES], classes[REJECT]) = (0.3, 0.5, 0.2);
        weigh_by_copies(&mut classes);
        assert!((classes[bird] - 0.8 * 0.3 / 0.425).abs() < 1e-6);
        assert!((classes[REJECT] - 0.2).abs() < 1e-6);
        assert!((classes.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let mut flower = [0.0; CLASSES];
        (flower[Face::SET_FACES + 3], flower[REJECT]) = (0.9, 0.1);
        weigh_by_copies(&mut flower);
        assert!((flower[Face::SET_FACES + 3] - 0.9).abs() < 1e-6);
    }
    #[test]
    fn a_network_for_another_work_or_another_size_of_crop_is_refused_and_told_apart() {
        let why = |input, outputs: &[(&str, usize)]| -> Option<String> {
            let network = Network::load(CLASSIFIER, 1).ok()?.expect("a network");
            Some(checked(network, input, outputs).err().unwrap_or_default())
        };
        let faces = [("faces", CLASSES)];
        let Some(taken) = why(("crops", Some(CROP)), &faces) else {
            return eprintln!("skipped: built without ONNX Runtime");
        };
        assert_eq!(taken, "");
        let told = |input, outputs| why(input, outputs).unwrap_or_default();
        assert_eq!(told(("crops", Some(80)), &faces), "input `crops` is 64 pixels wide, not 80");
        let kind = "another kind of network: it has no";
        assert_eq!(told(("image", None), &faces), format!("{kind} input `image`"));
        assert_eq!(told(("crops", None), &[("map", 10)]), format!("{kind} output `map`"));
        let channels = told(("crops", None), &[("faces", 9)]);
        assert_eq!(channels, format!("output `faces` has {CLASSES} channels, not 9"));
    }
}

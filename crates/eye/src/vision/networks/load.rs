//! Loading the networks: from the program itself or from a folder, checked before use.

use std::{borrow::Cow, path::Path};

use serde::Deserialize;

use sha2::{Digest, Sha256};

use super::{
    CLASSES, CROP, Lazy, ModelError, Models, Network,
    classifier::{Classifier, Outputs},
    runtime::{self, adds_exactly},
};
use crate::tile::Face;

/// A built-in network as the runtime of this build loads it fastest; ONNX Runtime needs another one on processors that do not
/// add up exactly: see `tilelens_training.export.runtime_networks`.
macro_rules! network {
    ($file:literal) => {
        if cfg!(feature = "rten") {
            include_bytes!(concat!("../../../models/", $file)).as_slice()
        } else if adds_exactly() {
            include_bytes!(concat!("../../../models/runtime/vnni/", $file)).as_slice()
        } else {
            include_bytes!(concat!("../../../models/runtime/exact/", $file)).as_slice()
        }
    };
}

/// SHA-256 of `models/classifier.onnx`, of which the built-in one was made.
const CLASSIFIER_SUM: &str = include_str!("../../../models/runtime/classifier.sha256");
const CONFIDENCE: &str = include_str!("../../../calibration/confidence.toml");

/// The file of checksums that `sha256sum` writes for a folder.
const SUMS: &str = "SHA256SUMS";

/// `reader.toml`: how the outputs of the models beside it are read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Manifest {
    /// Codes of the classes in the order of the output: 42 faces, then the back and no tile.
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

/// Measured figures: see the file itself.
#[derive(Deserialize)]
struct Confidence {
    temperature: f32,
}

/// The bytes of the networks' files.
struct Files {
    detector: Cow<'static, [u8]>,
    classifier: Cow<'static, [u8]>,
    corners: Option<Cow<'static, [u8]>>,
}

/// SHA-256, in hexadecimal digits.
fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Whether a file matches its checksum in a list, or the list has none for it.
fn matches_checksum(sums: &str, name: &str, bytes: &[u8]) -> bool {
    let listed = sums.lines().find_map(|line| {
        let (sum, file) = line.split_once(' ')?;
        (file.trim_start_matches([' ', '*']).trim_end() == name).then_some(sum)
    });
    listed.is_none_or(|listed| listed.eq_ignore_ascii_case(&sum(bytes)))
}

impl Models {
    /// The networks inside the program.
    ///
    /// # Errors
    /// ONNX Runtime is missing.
    pub fn builtin(threads: usize) -> Result<Self, ModelError> {
        let files = Files {
            detector: network!("detector.onnx").into(),
            classifier: network!("classifier.onnx").into(),
            corners: Some(network!("corners.onnx").into()),
        };
        Self::from_bytes(files, Manifest::default(), CONFIDENCE, threads, None)
    }

    /// The networks of a folder: `detector.onnx`, `classifier.onnx`, `corners.onnx`, and where they differ from the
    /// built-in ones `reader.toml` (`faces`, `turns`) and `confidence.toml` (`temperature`). Without `corners.onnx`
    /// corners stay as detected, and the corner network's logit is 0. Without `confidence.toml` the temperature is the
    /// built-in classifier's for that classifier, and 1 for another. Where `SHA256SUMS` is beside them, files must
    /// match it: nothing else shows damaged weights.
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
            if matches_checksum(&sums, name, &bytes) {
                return Ok(bytes);
            }
            let why = format!(
                "Checksum does not match {SUMS}: copy the file again, or delete {SUMS} if the change is intended."
            );
            Err(ModelError::File(folder.join(name).display().to_string(), why))
        };
        let text = |name: &str| -> Result<Option<String>, ModelError> {
            if !folder.join(name).exists() {
                return Ok(None);
            }
            let fault = |error: std::string::FromUtf8Error| {
                ModelError::File(folder.join(name).display().to_string(), error.to_string())
            };
            Ok(Some(String::from_utf8(read(name)?).map_err(fault)?))
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
            None if sum(&classifier) == CLASSIFIER_SUM.trim_end() => CONFIDENCE.to_owned(),
            None => "temperature = 1.0".to_owned(),
        };
        let one_may_miss = |name: &str| match folder.join(name).exists() {
            true => read(name).map(Some),
            false => Ok(None),
        };
        let corners = one_may_miss("corners.onnx")?;
        let files = Files {
            detector: detector.into(),
            classifier: classifier.into(),
            corners: corners.map(Cow::from),
        };
        let mut models = Self::from_bytes(files, manifest, &confidence, threads, Some(folder))?;
        // Loaded now, so that a wrong file is reported before any picture is read.
        models.classifier.get()?;
        models.corners.as_mut().map(Lazy::get).transpose()?;
        Ok(models)
    }

    fn from_bytes(
        files: Files,
        manifest: Manifest,
        confidence: &str,
        threads: usize,
        folder: Option<&Path>,
    ) -> Result<Self, ModelError> {
        let is_ready = folder.is_none();
        let folder = folder.map(Path::to_owned);
        let fault = move |file: &str, why: &str| {
            let name = match &folder {
                Some(folder) => folder.join(file).display().to_string(),
                None => format!("built-in {file}"),
            };
            ModelError::File(name, why.to_owned())
        };
        let outputs = Outputs::new(&manifest.faces, manifest.turns)
            .map_err(|why| fault("reader.toml", &why))?;
        let confidence: Confidence = toml::from_str(confidence)
            .map_err(|error| fault("confidence.toml", error.message()))?;
        if !(0.05..=20.0).contains(&confidence.temperature) {
            return Err(fault("confidence.toml", "temperature must lie between 0.05 and 20"));
        }
        // Embeddings of one classifier mean nothing to another: its checksum identifies it.
        let sum = if is_ready { CLASSIFIER_SUM.to_owned() } else { sum(&files.classifier) };
        let fingerprint = sum.chars().take(16).collect();
        let load = move |bytes: &[u8], file: &str, input, outputs: &[(&str, usize)]| {
            runtime::load(bytes, threads, is_ready)?
                .and_then(|network| checked(network, input, outputs))
                .map_err(|why| fault(file, &why))
        };
        let detector = load(&files.detector, "detector.onnx", ("image", None), &[("map", 10)])?;
        let crops = ("crops", Some(CROP));
        let (load_file, bytes) = (load.clone(), files.classifier);
        let classifier = Lazy::new(move || {
            let outputs_of = [("faces", CLASSES), ("turn", 4)];
            let network = load_file(&bytes, "classifier.onnx", crops, &outputs_of)?;
            Ok(Classifier::new(network, outputs.clone(), confidence.temperature))
        });
        let corners = files.corners.map(|bytes| {
            Lazy::new(move || load(&bytes, "corners.onnx", crops, &[("offsets", 8), ("tile", 1)]))
        });
        Ok(Self { detector, classifier, corners, fingerprint })
    }
}

/// A network of the right kind: its input's name and width in pixels, its outputs' names and channels.
fn checked(
    network: Box<dyn Network>,
    (input, width): (&str, Option<usize>),
    outputs: &[(&str, usize)],
) -> Result<Box<dyn Network>, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_another_kind_or_crop_size_is_refused() {
        let why = |input, outputs: &[(&str, usize)]| -> Option<String> {
            let network =
                runtime::load(network!("classifier.onnx"), 1, true).ok()?.expect("a network");
            Some(checked(network, input, outputs).err().unwrap_or_default())
        };
        let faces = [("faces", CLASSES)];
        let Some(taken) = why(("crops", Some(CROP)), &faces) else {
            return eprintln!("skipped: built without ONNX Runtime");
        };
        assert_eq!(taken, "");
        let fault = |input, outputs| why(input, outputs).unwrap_or_default();
        assert_eq!(fault(("crops", Some(80)), &faces), "input `crops` is 64 pixels wide, not 80");
        let kind = "another kind of network: it has no";
        assert_eq!(fault(("image", None), &faces), format!("{kind} input `image`"));
        assert_eq!(fault(("crops", None), &[("map", 10)]), format!("{kind} output `map`"));
        let channels = fault(("crops", None), &[("faces", 9)]);
        assert_eq!(channels, format!("output `faces` has {CLASSES} channels, not 9"));
    }
}

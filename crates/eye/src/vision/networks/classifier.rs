//! The network that classifies crops: which output is which face, and how sure it is.

use super::{ModelError, Network};
use crate::{
    tile::{Face, Suit},
    tileset::{self, Embedding},
};

/// Side in pixels of the crops that the classifier and the network of corners are shown.
pub const CROP: usize = 64;
/// Classes of the classifier: 42 faces, the back, and no tile.
pub const CLASSES: usize = tileset::CLASSES;
/// Place of the white dragon among the classes.
pub const WHITE: usize = match Face::new(Suit::Honors, 5) {
    Some(face) => face.index(),
    None => panic!("the white dragon is a face"),
};
/// Place of the back among the classes.
pub const BACK: usize = Face::COUNT;
/// Place of the class "no tile" among the classes.
pub const REJECT: usize = Face::COUNT + 1;

/// The classifier's output for one crop.
#[derive(Clone, Debug)]
pub struct Classified {
    /// Probability of each class: faces by [`Face::index`], [`BACK`], [`REJECT`].
    pub classes: [f32; CLASSES],
    /// Probability that the face's own top left is the crop's top left, top right, bottom right,
    /// bottom left.
    pub turns: [f32; 4],
    /// Probability of red, given a five.
    pub red: f32,
}

/// The order of the classifier's outputs.
#[derive(Clone)]
pub(super) struct Outputs {
    /// For each output its class.
    classes: [usize; CLASSES],
    /// `turns[k]`: which output says that the face's own top left is corner `k` of the crop.
    turns: [usize; 4],
}

impl Outputs {
    /// From a manifest: codes of the classes in the order of the output, and the turns.
    ///
    /// # Errors
    /// A class or a turn is missing or given twice.
    pub fn new(codes: &[String], turns: [usize; 4]) -> Result<Self, String> {
        if (0..4).any(|k| !turns.contains(&k)) {
            return Err("turns must hold 0, 1, 2 and 3, each once".to_owned());
        }
        Ok(Self { classes: classes(codes)?, turns })
    }
}

/// A network that classifies crops.
pub(super) struct Classifier {
    network: Box<dyn Network>,
    outputs: Outputs,
    has_red: bool,
    has_embedding: bool,
    temperature: f32,
}

impl Classifier {
    /// Logits of faces are divided by the temperature.
    pub fn new(network: Box<dyn Network>, outputs: Outputs, temperature: f32) -> Self {
        let has = |output| network.output(output).is_some();
        let (has_red, has_embedding) = (has("red"), has("embedding"));
        Self { network, outputs, has_red, has_embedding, temperature }
    }

    /// Runs the classifier.
    ///
    /// `crops`: n x 3 x 64 x 64, BGR, 0-255.
    ///
    /// # Errors
    /// The runtime fails, or the model gives another shape than it said.
    pub fn classify(&mut self, crops: &[f32]) -> Result<Vec<Classified>, ModelError> {
        Ok(self.said_of(crops, false)?.0)
    }

    /// Runs the classifier, and gives the last layer's output for each crop.
    ///
    /// # Errors
    /// As [`Models::classify`]; or this classifier has no embeddings.
    pub fn embed(&mut self, crops: &[f32]) -> Result<Vec<(Classified, Embedding)>, ModelError> {
        if !self.has_embedding {
            return Err(ModelError::Run(
                "this classifier has no output `embedding`, which tile sets need".to_owned(),
            ));
        }
        let (classified, mut embeddings) = self.said_of(crops, true)?;
        let numbers = embeddings.len().checked_div(classified.len()).unwrap_or(0).max(1);
        for one in embeddings.chunks_mut(numbers) {
            let length = one.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            one.iter_mut().for_each(|x| *x /= length);
        }
        Ok(classified.into_iter().zip(embeddings.chunks(numbers).map(<[f32]>::to_vec)).collect())
    }

    /// The classifier's output for crops, and the embeddings one after another if they are wanted.
    fn said_of(
        &mut self,
        crops: &[f32],
        embeddings: bool,
    ) -> Result<(Vec<Classified>, Vec<f32>), ModelError> {
        let count = crops.len() / (3 * CROP * CROP);
        if count == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut names = vec!["faces", "turn"];
        names.extend(self.has_red.then_some("red"));
        names.extend(embeddings.then_some("embedding"));
        let found =
            self.network.run([count, 3, CROP, CROP], crops, &names).map_err(ModelError::Run)?;
        let values = |name: &str| {
            let place = names.iter().position(|other| *other == name)?;
            found.get(place).map(|(_, values)| values.as_slice())
        };
        let sized = |name: &str, each: usize| match values(name) {
            Some(values) if values.len() == count * each => Ok(values),
            other => {
                let given = other.map_or(0, <[f32]>::len);
                Err(ModelError::Run(format!("the classifier gave {given} values as `{name}`")))
            }
        };
        let (faces, turns) = (sized("faces", CLASSES)?, sized("turn", 4)?);
        let red = if self.has_red { Some(sized("red", 1)?) } else { None };
        let classified = faces.chunks_exact(CLASSES).zip(turns.chunks_exact(4)).enumerate();
        let classified = classified
            .map(|(n, (faces, turns))| {
                let by_output = softmax(faces, self.temperature);
                let mut classes = [0.0; CLASSES];
                for (output, class) in self.outputs.classes.iter().enumerate() {
                    classes[*class] = by_output[output];
                }
                weigh_by_copies(&mut classes);
                let by_output = softmax(turns, 1.0);
                Classified {
                    classes,
                    turns: self.outputs.turns.map(|output| by_output[output]),
                    red: red.map_or(0.0, |red| 1.0 / (1.0 + (-red[n]).exp())),
                }
            })
            .collect();
        Ok((classified, values("embedding").unwrap_or_default().to_vec()))
    }
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

/// Weighs faces by their copies: training showed the classifier every face about equally often, while a set has four
/// of each suit tile and honor and one of each flower. The classes that are not a face keep their probability.
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
}

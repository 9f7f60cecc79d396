//! A learned judge: features of a candidate, scaled, one hidden layer, and the logit of a probability.

use std::sync::LazyLock;

use serde::Deserialize;

/// The weights of a judge, as `tilelens_training.train.judges` writes them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Judge {
    mean: Vec<f32>,
    scale: Vec<f32>,
    hidden: Vec<Vec<f32>>,
    hidden_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: f32,
}

/// Judges which candidates are tiles (`models/tile_judge.md`).
pub(super) static TILES: LazyLock<Judge> =
    LazyLock::new(|| Judge::builtin(include_str!("../../models/tile_judge.json")));
/// Judges which blanks are plain white dragons (`models/white_judge.md`).
pub(super) static WHITES: LazyLock<Judge> =
    LazyLock::new(|| Judge::builtin(include_str!("../../models/white_judge.json")));

impl Judge {
    /// A judge whose file is part of the program; a test reads each of them.
    #[allow(clippy::expect_used)]
    fn builtin(json: &str) -> Self {
        serde_json::from_str(json).expect("the judge's file is part of the program")
    }

    /// The logit of the probability.
    pub fn logit(&self, features: &[f32]) -> f32 {
        let scaled = features.iter().zip(&self.mean).zip(&self.scale);
        let scaled: Vec<f32> =
            scaled.map(|((value, mean), scale)| (value - mean) / scale).collect();
        let hidden = self.hidden.iter().zip(&self.hidden_bias).map(|(weights, bias)| {
            (weights.iter().zip(&scaled).map(|(w, x)| w * x).sum::<f32>() + bias).tanh()
        });
        hidden.zip(&self.out).map(|(h, w)| h * w).sum::<f32>() + self.out_bias
    }

    /// The probability, 0-1.
    pub fn says(&self, features: &[f32]) -> f32 {
        probability(self.logit(features))
    }
}

/// The probability of a logit.
pub(super) fn probability(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{features, whites},
        *,
    };

    #[test]
    fn a_built_in_judge_has_a_weight_for_every_feature() {
        for (judge, features) in [(&TILES, features::FEATURES), (&WHITES, whites::FEATURES)] {
            assert_eq!((judge.mean.len(), judge.scale.len()), (features, features));
            assert!(judge.hidden.iter().all(|weights| weights.len() == features));
            let hidden = judge.hidden.len();
            assert_eq!((judge.hidden_bias.len(), judge.out.len()), (hidden, hidden));
        }
    }

    #[test]
    fn a_blank_of_the_faces_colour_is_likelier_a_white_dragon_than_a_coloured_one() {
        let mut blank = WHITES.mean.clone();
        (blank[8], blank[9]) = (0.02, 0.0);
        let alike = WHITES.says(&blank);
        (blank[8], blank[9]) = (0.5, 0.5);
        assert!(WHITES.says(&blank) < alike);
    }
}

//! Records how a picture was read, for `--inside`.

use image::{Rgb, RgbImage};

use super::{
    Reader, agreement::Cluster, features::FEATURES, judge::TILES, networks::CROP,
    passes::DetectorPass, pixels::ScaledPatch, reader::Crop, whites::Blank,
};
use crate::{
    sight::{Corners, SeenTile},
    tile::Face,
};
/// Every step of reading one picture, in order.
#[derive(Debug, Default)]
pub struct Inside {
    /// The detector's passes, each with its image and detections.
    pub passes: Vec<PassInside>,
    /// The crops that were classified.
    pub crops: Vec<CropInside>,
    /// The candidates for tiles.
    pub candidates: Vec<JudgedInside>,
    /// The candidates for plain white dragons.
    pub blanks: Vec<JudgedInside>,
    /// The tiles left after each step.
    pub steps: Vec<StepInside>,
}

/// One pass of the detector.
#[derive(Debug)]
pub struct PassInside {
    /// Left and top in pixels of the picture.
    pub low: [i32; 2],
    /// Right and bottom.
    pub high: [i32; 2],
    /// Pixels shown for one of the picture.
    pub scale: f32,
    /// Whether it was stretched into another shape.
    pub pulled: bool,
    /// The image that the detector was shown.
    pub shown: RgbImage,
    /// The detections: corners in pixels of the picture, score (0-1), and whether the map of backs has the higher
    /// score.
    pub detections: Vec<(Corners, f32, bool)>,
}

/// One crop as the classifier saw it.
#[derive(Debug)]
pub struct CropInside {
    /// Where it lies, in pixels of the picture.
    pub corners: Corners,
    /// The crop, 64 x 64 pixels.
    pub shown: RgbImage,
    /// Probability of each face by [`Face::index`].
    pub faces: [f32; Face::COUNT],
    /// Probability that it lies face down.
    pub back: f32,
    /// Probability that it is no tile.
    pub reject: f32,
    /// Probability that the face's own top left is the first, second, third, fourth corner.
    pub turns: [f32; 4],
}

/// A candidate, and what a judge answered.
#[derive(Debug)]
pub struct JudgedInside {
    /// Where it lies, in pixels of the picture.
    pub corners: Corners,
    /// The judge's features, in the order of its card (`models/tile_judge.md`, `models/white_judge.md`).
    pub features: Vec<f32>,
    /// The probability that the judge gives.
    pub p: f32,
}

/// The tiles that one step left.
#[derive(Debug)]
pub struct StepInside {
    /// The rule's name; `judged` for the tiles that all rules begin with.
    pub step: &'static str,
    /// All tiles after it.
    pub tiles: Vec<SeenTile>,
}

impl Reader {
    /// Starts or stops recording. Earlier records are discarded.
    pub fn keep_inside(&mut self, keep: bool) {
        self.inside = keep.then(Inside::default);
    }

    /// The records since [`Reader::keep_inside`] or the last call; empty if nothing is recorded.
    pub fn take_inside(&mut self) -> Inside {
        self.inside.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn keep_pass(
        &mut self,
        pass: &DetectorPass,
        patch: &ScaledPatch,
        detections: Vec<(Corners, f32, bool)>,
    ) {
        if let Some(inside) = &mut self.inside {
            inside.passes.push(PassInside {
                low: pass.low,
                high: pass.high,
                scale: pass.scale,
                pulled: pass.pull.is_some(),
                shown: from_planes(&patch.values, patch.width, patch.height),
                detections,
            });
        }
    }

    pub(super) fn keep_crops(&mut self, quads: &[Corners], values: &[f32], crops: &[Crop]) {
        let Some(inside) = &mut self.inside else { return };
        let shown = values.chunks_exact(3 * CROP * CROP);
        for ((quad, values), Crop { classified, .. }) in quads.iter().zip(shown).zip(crops) {
            let (faces, others) = classified.classes.split_at(Face::COUNT);
            inside.crops.push(CropInside {
                corners: *quad,
                shown: from_planes(values, CROP, CROP),
                faces: std::array::from_fn(|face| faces[face]),
                back: others[0],
                reject: others[1],
                turns: classified.turns,
            });
        }
    }

    pub(super) fn keep_blanks(&mut self, judged: &[(f32, Blank)]) {
        if let Some(inside) = &mut self.inside {
            inside.blanks.extend(judged.iter().map(|(p, blank)| JudgedInside {
                corners: blank.quad,
                features: blank.features.to_vec(),
                p: *p,
            }));
        }
    }

    pub(super) fn keep_candidates(&mut self, clusters: &[Cluster], all: &[[f32; FEATURES]]) {
        if let Some(inside) = &mut self.inside {
            inside.candidates.extend(clusters.iter().zip(all).map(|(one, features)| {
                JudgedInside {
                    corners: one.quad,
                    features: features.to_vec(),
                    p: TILES.says(features),
                }
            }));
        }
    }

    pub(super) fn keep_step(&mut self, step: &'static str, tiles: &[SeenTile]) {
        if let Some(inside) = &mut self.inside {
            inside.steps.push(StepInside { step, tiles: tiles.to_vec() });
        }
    }
}

/// A picture from planes of blue, green and red, 0-255, row-major.
fn from_planes(values: &[f32], width: usize, height: usize) -> RgbImage {
    let plane = width * height;
    RgbImage::from_fn(width as u32, height as u32, |x, y| {
        let at = y as usize * width + x as usize;
        Rgb([2, 1, 0].map(|colour| values[colour * plane + at].round() as u8))
    })
}

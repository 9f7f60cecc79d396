//! What happens while a picture is read, kept for whoever wants to see why it was read so.

use image::{Rgb, RgbImage};

use super::{
    Reader, agreement::Cluster, features::FEATURES, judge::TILES, looks::Look, networks::CROP,
    pixels::Patch, reader::Crop, whites::Blank,
};
use crate::{
    sight::{Corners, SeenTile},
    tile::Face,
};
/// All that was done for one picture, in the order in which it was done.
#[derive(Debug, Default)]
pub struct Inside {
    /// What the detector was shown, and what it found.
    pub looks: Vec<LookInside>,
    /// What was named.
    pub crops: Vec<CropInside>,
    /// What may be a tile.
    pub candidates: Vec<JudgedInside>,
    /// What may be a white dragon that shows nothing.
    pub blanks: Vec<JudgedInside>,
    /// The tiles that each step left.
    pub steps: Vec<StepInside>,
}

/// One look of the detector.
#[derive(Debug)]
pub struct LookInside {
    /// Left and top in pixels of the picture.
    pub low: [i32; 2],
    /// Right and bottom.
    pub high: [i32; 2],
    /// Pixels shown for one of the picture.
    pub scale: f32,
    /// Whether it was pulled into another shape.
    pub pulled: bool,
    /// What the detector saw.
    pub shown: RgbImage,
    /// What it found: corners in pixels of the picture, how sure it is (0-1), and whether it takes it for a tile that
    /// lies face down.
    pub finds: Vec<(Corners, f32, bool)>,
}

/// One crop as the classifier saw it.
#[derive(Debug)]
pub struct CropInside {
    /// Where it lies, in pixels of the picture.
    pub corners: Corners,
    /// What the classifier saw, 64 x 64 pixels.
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

/// A place, and what a judge said of it.
#[derive(Debug)]
pub struct JudgedInside {
    /// Where it lies, in pixels of the picture.
    pub corners: Corners,
    /// What the judge is given, in the order of its card (`models/tile_judge.md`, `models/white_judge.md`).
    pub features: Vec<f32>,
    /// The probability that the judge gives.
    pub p: f32,
}

/// What one step left.
#[derive(Debug)]
pub struct StepInside {
    /// The rule's name; `judged` for the tiles that all rules begin with.
    pub step: &'static str,
    /// All tiles after it.
    pub tiles: Vec<SeenTile>,
}

impl Reader {
    /// Keeps from now on what happens inside, or nothing any more. What was kept so far is given up.
    pub fn keep_inside(&mut self, keep: bool) {
        self.inside = keep.then(Inside::default);
    }

    /// What happened since [`Reader::keep_inside`] or since this was asked the last time; nothing where it is not kept.
    pub fn take_inside(&mut self) -> Inside {
        self.inside.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(super) fn keep_look(
        &mut self,
        look: &Look,
        patch: &Patch,
        finds: Vec<(Corners, f32, bool)>,
    ) {
        if let Some(inside) = &mut self.inside {
            inside.looks.push(LookInside {
                low: look.low,
                high: look.high,
                scale: look.scale,
                pulled: look.pull.is_some(),
                shown: from_planes(&patch.values, patch.width, patch.height),
                finds,
            });
        }
    }

    pub(super) fn keep_crops(&mut self, quads: &[Corners], values: &[f32], crops: &[Crop]) {
        let Some(inside) = &mut self.inside else { return };
        let shown = values.chunks_exact(3 * CROP * CROP);
        for ((quad, values), Crop { named, .. }) in quads.iter().zip(shown).zip(crops) {
            let (faces, others) = named.classes.split_at(Face::COUNT);
            inside.crops.push(CropInside {
                corners: *quad,
                shown: from_planes(values, CROP, CROP),
                faces: std::array::from_fn(|face| faces[face]),
                back: others[0],
                reject: others[1],
                turns: named.turns,
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

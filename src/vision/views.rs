//! Runs the detector's passes over a picture and pools them: detections of one tile together, each classified
//! once.

use super::{
    ModelError, Reader,
    agreement::{Cluster, LIKELY, SAME, warm_and_cold},
    detections::{Detection, detections},
    passes::{self, DetectorPass},
    pixels::Pixels,
    reader::Crop,
    rules::Rule,
    verdicts::{IS_FACE, best, shows_face},
};
use crate::{
    picture::Picture,
    sight::{
        Corners,
        quad::{bounding_box, from_corner, overlap},
    },
};

/// Least score of a detection.
pub(super) const COLDEST: f32 = 0.15;

/// The detections of all passes so far.
#[derive(Default)]
pub(super) struct PassResults {
    /// Detections in pixels of the picture, each with its pass.
    pub detections: Vec<(Detection, DetectorPass)>,
    /// All passes.
    pub passes: Vec<DetectorPass>,
    /// Whether the picture shows any detail.
    pub has_detail: bool,
}

impl PassResults {
    /// The level of the next pass.
    pub fn next_level(&self) -> usize {
        self.passes.iter().map(|pass| pass.level + 1).max().unwrap_or(0)
    }

    /// The detections with at least this score.
    pub fn warm(&self, least: f32) -> Vec<Detection> {
        let detections = self.detections.iter().map(|(detection, _)| *detection);
        detections.filter(|detection| detection.score >= least).collect()
    }
}

/// The classified candidates so far.
#[derive(Default)]
pub(super) struct Pool {
    /// Detections of all passes, those of one tile together.
    pub clusters: Vec<Cluster>,
    /// The crop of each cluster.
    pub crops: Vec<Crop>,
    /// Clusters that cannot be kept, whatever the classifier says.
    pub cold: Vec<Cluster>,
}

impl Pool {
    /// The recognisable faces, each from its own top left.
    pub fn shown(&self) -> Vec<Corners> {
        (self.clusters.iter().zip(&self.crops))
            .filter(|(_, crop)| shows_face(&crop.classified, IS_FACE))
            .map(|(cluster, crop)| from_corner(&cluster.quad, best(&crop.classified.turns)))
            .collect()
    }
}

impl Reader {
    /// The detections of a picture, at all scales.
    pub(super) fn see(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
    ) -> Result<PassResults, ModelError> {
        let (width, height) = (picture.width(), picture.height());
        let first = passes::whole(width, height);
        let mut seen = PassResults::default();
        self.run_passes(pixels, picture, vec![first], &mut seen)?;
        if !seen.has_detail {
            return Ok(seen);
        }
        if self.heeds(Rule::Afar) {
            let afar = passes::afar(width, height, &first, &seen.warm(LIKELY));
            self.run_passes(pixels, picture, afar, &mut seen)?;
        }
        if self.heeds(Rule::Closer) && seen.warm(LIKELY).is_empty() {
            let closer = passes::closer(width, height, seen.next_level());
            self.run_passes(pixels, picture, closer, &mut seen)?;
        }
        if self.heeds(Rule::Near) {
            let largest = seen.passes.iter().map(|pass| pass.scale).fold(first.scale, f32::max);
            let level = seen.next_level();
            let near = passes::near(width, height, largest, &seen.warm(COLDEST), LIKELY, level);
            self.run_passes(pixels, picture, near, &mut seen)?;
        }
        Ok(seen)
    }

    /// Runs passes and adds their detections.
    ///
    /// # Errors
    /// The runtime fails.
    pub(super) fn run_passes(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
        passes: Vec<DetectorPass>,
        seen: &mut PassResults,
    ) -> Result<(), ModelError> {
        for pass in &passes {
            seen.has_detail |= self.run_pass(pixels, pass, picture, &mut seen.detections)?;
        }
        seen.passes.extend(passes);
        Ok(())
    }

    /// Adds the detections of one pass, in pixels of the picture; returns whether it shows any detail.
    pub(super) fn run_pass(
        &mut self,
        pixels: &Pixels<'_>,
        pass: &DetectorPass,
        picture: &Picture,
        seen: &mut Vec<(Detection, DetectorPass)>,
    ) -> Result<bool, ModelError> {
        self.step(false)?;
        let patch = pixels.patch(pass)?;
        if !patch.has_detail {
            return Ok(false);
        }
        self.work.detector_pixels += patch.width * patch.height;
        let maps = self.models.detect(&patch.values, patch.width, patch.height)?;
        let mut found = detections(&maps, COLDEST);
        for corner in found.iter_mut().flat_map(|detection| &mut detection.quad) {
            *corner = patch.place(*corner);
        }
        let kept = found
            .iter()
            .map(|detection| (detection.quad, detection.score, detection.back))
            .collect();
        self.keep_pass(pass, &patch, kept);
        for detection in found {
            if is_whole(&detection.quad, pass, [picture.width(), picture.height()]) {
                seen.push((detection, *pass));
            }
        }
        Ok(true)
    }

    /// Clusters detections and classifies the new clusters; known ones keep their crops.
    pub(super) fn pool(
        &mut self,
        pixels: &Pixels<'_>,
        seen: &PassResults,
        before: Pool,
    ) -> Result<Pool, ModelError> {
        let (mut clusters, cold) = warm_and_cold(&seen.detections, &seen.passes);
        let mut before: Vec<Option<(Cluster, Crop)>> =
            before.clusters.into_iter().zip(before.crops).map(Some).collect();
        let mut known: Vec<Option<Crop>> = Vec::new();
        for cluster in &mut clusters {
            let same = before.iter_mut().find(|old| {
                old.as_ref().is_some_and(|(old, _)| overlap(&old.quad, &cluster.quad)[0] > SAME)
            });
            known.push(same.and_then(Option::take).map(|(old, crop)| {
                (cluster.quad, cluster.tile) = (old.quad, old.tile);
                crop
            }));
        }
        let is_new: Vec<bool> = known.iter().map(Option::is_none).collect();
        let mut quads: Vec<Corners> = (clusters.iter().zip(&is_new))
            .filter(|(_, is_new)| **is_new)
            .map(|(cluster, _)| cluster.quad)
            .collect();
        let tiles = self.fit(pixels, &mut quads)?;
        let mut fresh = self.classify(pixels, &quads)?.into_iter();
        let mut fitted = quads.into_iter().zip(tiles);
        let mut crops = Vec::with_capacity(clusters.len());
        for (cluster, known) in clusters.iter_mut().zip(known) {
            if known.is_none()
                && let Some(fit) = fitted.next()
            {
                (cluster.quad, cluster.tile) = fit;
            }
            match known.or_else(|| fresh.next()) {
                Some(crop) => crops.push(crop),
                None => return Err(ModelError::Run("a crop was not classified".to_owned())),
            }
        }
        Ok(Pool { clusters, crops, cold })
    }
}

/// Whether a detection is well inside its pass, or at the picture's own edge: a tile that one pass cuts in two,
/// another one shows whole.
fn is_whole(quad: &Corners, pass: &DetectorPass, picture: [u32; 2]) -> bool {
    let [left, top, right, bottom] = bounding_box(quad);
    let slack = 2.0 / pass.scale;
    (pass.low[0] <= 0 || left > pass.low[0] as f32 - slack)
        && (pass.low[1] <= 0 || top > pass.low[1] as f32 - slack)
        && (pass.high[0] >= picture[0] as i32 || right < pass.high[0] as f32 + slack)
        && (pass.high[1] >= picture[1] as i32 || bottom < pass.high[1] as f32 + slack)
}

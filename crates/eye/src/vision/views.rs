//! Runs the detector's passes over a picture and pools them: detections of one tile together, each classified
//! once.

use super::{
    ModelError, Reader,
    agreement::{Cluster, LIKELY, SAME, warm_and_cold},
    detections::{Detection, detections},
    networks::{BACK, REJECT},
    passes::{self, DetectorPass},
    pixels::{Lights, Pixels},
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

    /// How many likely tiles the first pass shows.
    fn likely_at_first(&self) -> usize {
        let likely = |(detection, pass): &&(Detection, DetectorPass)| {
            pass.level == 0 && detection.score >= LIKELY
        };
        self.detections.iter().filter(likely).count()
    }

    /// The detections in one light with at least this score.
    pub fn warm(&self, least: f32, exchanged: bool) -> Vec<Detection> {
        (self.detections.iter())
            .filter(|(detection, pass)| detection.score >= least && pass.exchanged == exchanged)
            .map(|(detection, _)| *detection)
            .collect()
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
        self.faces()
            .map(|(cluster, crop)| from_corner(&cluster.quad, best(&crop.classified.turns)))
            .collect()
    }

    fn faces(&self) -> impl Iterator<Item = (&Cluster, &Crop)> {
        (self.clusters.iter().zip(&self.crops))
            .filter(|(_, crop)| shows_face(&crop.classified, IS_FACE))
    }

    /// Whether at most half of the candidates have a known face or lie face down: those of black tiles have none
    /// before light and dark are exchanged.
    fn is_strange(&self) -> bool {
        let is_known =
            |crop: &&Crop| crop.classified.classes[..REJECT].iter().any(|p| *p > IS_FACE);
        2 * self.crops.iter().filter(is_known).count() <= self.crops.len()
    }

    /// The candidates without those that show less of a tile than one seen in the other light.
    fn in_the_better_light(mut self) -> Self {
        let shown: Vec<(Corners, bool, f32)> = (self.clusters.iter().zip(&self.crops))
            .map(|(cluster, crop)| {
                let faces = &crop.classified.classes[..BACK];
                (cluster.quad, cluster.exchanged, faces.iter().copied().fold(0.0, f32::max))
            })
            .collect();
        let is_better = |(quad, exchanged, p): &(Corners, bool, f32)| {
            !shown.iter().any(|(other, light, more)| {
                light != exchanged && more > p && overlap(other, quad)[0] > SAME
            })
        };
        let mut kept = shown.iter().map(is_better);
        self.clusters.retain(|_| kept.next().unwrap_or(true));
        let mut kept = shown.iter().map(is_better);
        self.crops.retain(|_| kept.next().unwrap_or(true));
        self
    }

    /// Whether most of the recognisable faces are seen with light and dark exchanged.
    pub fn is_exchanged(&self) -> bool {
        let exchanged = self.faces().filter(|(cluster, _)| cluster.exchanged).count();
        2 * exchanged > self.faces().count()
    }
}

impl Reader {
    /// The detections of a picture at all scales, and the candidates that they make. Where those are strange, the
    /// picture is seen with light and dark exchanged as well.
    pub(super) fn see(
        &mut self,
        lights: &Lights<'_>,
        picture: &Picture,
    ) -> Result<(PassResults, Pool), ModelError> {
        let mut seen = self.see_in_light(lights, picture, false, 0)?;
        let mut pool = self.pool(lights, &seen, Pool::default())?;
        if self.heeds(Rule::Dark) && seen.has_detail && pool.is_strange() {
            let exchanged = self.see_in_light(lights, picture, true, seen.likely_at_first())?;
            seen.detections.extend(exchanged.detections);
            seen.passes.extend(exchanged.passes);
            pool = self.pool(lights, &seen, pool)?;
            // Among light tiles nothing is seen better in the other light.
            if !pool.is_exchanged() {
                seen.detections.retain(|(_, pass)| !pass.exchanged);
                seen.passes.retain(|pass| !pass.exchanged);
                pool = self.pool(lights, &seen, pool)?;
            }
        }
        Ok((seen, pool))
    }

    /// The detections at all scales in one light. Where the first pass shows fewer likely tiles than `least`, it is the only one.
    fn see_in_light(
        &mut self,
        lights: &Lights<'_>,
        picture: &Picture,
        exchanged: bool,
        least: usize,
    ) -> Result<PassResults, ModelError> {
        let (width, height) = (picture.width(), picture.height());
        let first = passes::whole(width, height);
        let mut seen = PassResults::default();
        let run = |reader: &mut Self, passes, seen: &mut PassResults| {
            reader.run_passes(lights, picture, passes, exchanged, seen)
        };
        run(self, vec![first], &mut seen)?;
        if !seen.has_detail || seen.likely_at_first() < least {
            return Ok(seen);
        }
        if self.heeds(Rule::Afar) {
            let afar = passes::afar(width, height, &first, &seen.warm(LIKELY, exchanged));
            run(self, afar, &mut seen)?;
        }
        if self.heeds(Rule::Closer) && seen.warm(LIKELY, exchanged).is_empty() {
            let closer = passes::closer(width, height, seen.next_level());
            run(self, closer, &mut seen)?;
        }
        if self.heeds(Rule::Near) {
            let largest = seen.passes.iter().map(|pass| pass.scale).fold(first.scale, f32::max);
            let (level, known) = (seen.next_level(), seen.warm(COLDEST, exchanged));
            let near = passes::near(width, height, largest, &known, LIKELY, level);
            run(self, near, &mut seen)?;
        }
        Ok(seen)
    }

    /// Runs passes in one light and adds their detections.
    ///
    /// # Errors
    /// The runtime fails.
    pub(super) fn run_passes(
        &mut self,
        lights: &Lights<'_>,
        picture: &Picture,
        passes: Vec<DetectorPass>,
        exchanged: bool,
        seen: &mut PassResults,
    ) -> Result<(), ModelError> {
        for pass in passes {
            let pass = DetectorPass { exchanged, ..pass };
            let pixels = lights.pixels(exchanged);
            seen.has_detail |= self.run_pass(pixels, &pass, picture, &mut seen.detections)?;
            seen.passes.push(pass);
        }
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

    /// Clusters detections and classifies the new clusters, each in its light; known ones keep their crops.
    pub(super) fn pool(
        &mut self,
        lights: &Lights<'_>,
        seen: &PassResults,
        before: Pool,
    ) -> Result<Pool, ModelError> {
        let (mut clusters, cold) = warm_and_cold(&seen.detections, &seen.passes);
        let mut before: Vec<Option<(Cluster, Crop)>> =
            before.clusters.into_iter().zip(before.crops).map(Some).collect();
        let mut known: Vec<Option<Crop>> = Vec::new();
        for cluster in &mut clusters {
            let same = before.iter_mut().find(|old| {
                old.as_ref().is_some_and(|(old, _)| {
                    old.exchanged == cluster.exchanged
                        && overlap(&old.quad, &cluster.quad)[0] > SAME
                })
            });
            known.push(same.and_then(Option::take).map(|(old, crop)| {
                (cluster.quad, cluster.tile) = (old.quad, old.tile);
                crop
            }));
        }
        for exchanged in [false, true] {
            let new: Vec<usize> = (0..clusters.len())
                .filter(|at| known[*at].is_none() && clusters[*at].exchanged == exchanged)
                .collect();
            let mut quads: Vec<Corners> = new.iter().map(|at| clusters[*at].quad).collect();
            let tiles = self.fit(lights.pixels(exchanged), &mut quads)?;
            let crops = self.classify(lights.pixels(exchanged), &quads)?;
            for (at, ((quad, tile), crop)) in
                new.into_iter().zip(quads.into_iter().zip(tiles).zip(crops))
            {
                (clusters[at].quad, clusters[at].tile) = (quad, tile);
                known[at] = Some(crop);
            }
        }
        let (clusters, crops) = (clusters.into_iter().zip(known))
            .filter_map(|(cluster, crop)| Some((cluster, crop?)))
            .unzip();
        Ok(Pool { clusters, crops, cold }.in_the_better_light())
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

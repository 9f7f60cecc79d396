//! What a picture is looked at, and what is pooled of it: finds of all looks, those of one tile together, each named once.

use super::{
    ModelError, Reader,
    agreement::{Cluster, LIKELY, SAME, warm_and_cold},
    finds::{Find, finds},
    judgement::{IS_FACE, best, shows_face},
    looks::{self, Look},
    pixels::Pixels,
    reader::Crop,
    rules::Rule,
};
use crate::{
    picture::Picture,
    sight::{
        Corners,
        quad::{bounding_box, from_corner, overlap},
    },
};

/// Heat from which on a peak is looked at at all.
pub(super) const COLDEST: f32 = 0.15;

/// What may be a tile, and what was looked at.
#[derive(Default)]
pub(super) struct Seen {
    /// Finds in pixels of the picture, each with its look.
    pub finds: Vec<(Find, Look)>,
    /// All looks.
    pub looks: Vec<Look>,
    /// Whether the picture shows anything at all.
    pub has_detail: bool,
}

impl Seen {
    /// The level of the next look.
    pub fn next_level(&self) -> usize {
        self.looks.iter().map(|look| look.level + 1).max().unwrap_or(0)
    }

    /// The finds that are at least so hot.
    pub fn warm(&self, least: f32) -> Vec<Find> {
        let finds = self.finds.iter().map(|(find, _)| *find);
        finds.filter(|find| find.heat >= least).collect()
    }
}

/// What was found so far.
#[derive(Default)]
pub(super) struct Pool {
    /// Finds of all looks, those of one tile together,
    pub clusters: Vec<Cluster>,
    /// what each shows,
    pub crops: Vec<Crop>,
    /// and those that cannot be kept, however they are named.
    pub cold: Vec<Cluster>,
}

impl Pool {
    /// Where faces are shown that can be told, each from its own top left.
    pub fn shown(&self) -> Vec<Corners> {
        (self.clusters.iter().zip(&self.crops))
            .filter(|(_, crop)| shows_face(&crop.named, IS_FACE))
            .map(|(cluster, crop)| from_corner(&cluster.quad, best(&crop.named.turns)))
            .collect()
    }
}

impl Reader {
    /// What may be a tile, at all scales.
    pub(super) fn see(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
    ) -> Result<Seen, ModelError> {
        let (width, height) = (picture.width(), picture.height());
        let first = looks::whole(width, height);
        let mut seen = Seen::default();
        self.look_at(pixels, picture, vec![first], &mut seen)?;
        if !seen.has_detail {
            return Ok(seen);
        }
        if self.heeds(Rule::Afar) {
            let afar = looks::afar(width, height, &first, &seen.warm(LIKELY));
            self.look_at(pixels, picture, afar, &mut seen)?;
        }
        if self.heeds(Rule::Closer) && seen.warm(LIKELY).is_empty() {
            let closer = looks::closer(width, height, seen.next_level());
            self.look_at(pixels, picture, closer, &mut seen)?;
        }
        if self.heeds(Rule::Near) {
            let largest = seen.looks.iter().map(|look| look.scale).fold(first.scale, f32::max);
            let level = seen.next_level();
            let near = looks::near(width, height, largest, &seen.warm(COLDEST), LIKELY, level);
            self.look_at(pixels, picture, near, &mut seen)?;
        }
        Ok(seen)
    }

    /// Looks, and adds what is found.
    ///
    /// # Errors
    /// The runtime fails.
    pub(super) fn look_at(
        &mut self,
        pixels: &Pixels<'_>,
        picture: &Picture,
        looks: Vec<Look>,
        seen: &mut Seen,
    ) -> Result<(), ModelError> {
        for look in &looks {
            seen.has_detail |= self.look(pixels, look, picture, &mut seen.finds)?;
        }
        seen.looks.extend(looks);
        Ok(())
    }

    /// Finds of one look, in pixels of the picture; and whether there is anything to be seen.
    pub(super) fn look(
        &mut self,
        pixels: &Pixels<'_>,
        look: &Look,
        picture: &Picture,
        seen: &mut Vec<(Find, Look)>,
    ) -> Result<bool, ModelError> {
        self.step(false)?;
        let patch = pixels.patch(look)?;
        if !patch.has_detail {
            return Ok(false);
        }
        self.work.detector_pixels += patch.width * patch.height;
        let maps = self.models.detect(&patch.values, patch.width, patch.height)?;
        let mut found = finds(&maps, COLDEST);
        for corner in found.iter_mut().flat_map(|find| &mut find.quad) {
            *corner = patch.place(*corner);
        }
        let kept = found.iter().map(|find| (find.quad, find.heat, find.back)).collect();
        self.keep_look(look, &patch, kept);
        for find in found {
            if is_whole(&find.quad, look, [picture.width(), picture.height()]) {
                seen.push((find, *look));
            }
        }
        Ok(true)
    }

    /// Takes finds together, and names those that were not in the pool before; what was is not looked at again.
    pub(super) fn pool(
        &mut self,
        pixels: &Pixels<'_>,
        seen: &Seen,
        before: Pool,
    ) -> Result<Pool, ModelError> {
        let (mut clusters, cold) = warm_and_cold(&seen.finds, &seen.looks);
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
                None => return Err(ModelError::Run("a crop was not named".to_owned())),
            }
        }
        Ok(Pool { clusters, crops, cold })
    }
}

/// Whether a find lies well inside its look, or at the picture's own edge: what a look cuts in
/// two, another one shows whole.
fn is_whole(quad: &Corners, look: &Look, picture: [u32; 2]) -> bool {
    let [left, top, right, bottom] = bounding_box(quad);
    let slack = 2.0 / look.scale;
    (look.low[0] <= 0 || left > look.low[0] as f32 - slack)
        && (look.low[1] <= 0 || top > look.low[1] as f32 - slack)
        && (look.high[0] >= picture[0] as i32 || right < look.high[0] as f32 + slack)
        && (look.high[1] >= picture[1] as i32 || bottom < look.high[1] as f32 + slack)
}

//! Merges the detections of one tile over several detector passes: the more passes agree, the surer the tile.

use super::{detections::Detection, passes::DetectorPass};
use crate::sight::{
    Corners,
    quad::{centre, from_corner, nearest_start, overlap, sides},
};

/// Score from which on a detection says how large tiles are in this picture.
pub(super) const LIKELY: f32 = 0.4;
/// Detections whose overlap (intersection over union) exceeds this show one tile at two scales.
pub(super) const SAME: f32 = 0.6;
/// Clusters with a lower supported score are left out.
pub(super) const KEPT: f32 = 0.25;
/// Shortest and longest short side, in pixels as shown, at which the detector is reliable.
const AT_HOME: [f32; 2] = [14.0, 105.0];
/// Exponent by which a score loses weight outside of [`AT_HOME`].
const AWAY: f32 = 0.7;
/// Short side, in pixels as shown, of the most exact corners; larger tiles give less exact ones.
const EXACT: f32 = 60.0;

/// One tile as several passes see it.
pub(super) struct Cluster {
    /// The quad of the detection with the greatest weight; others are compared with it.
    leader: Corners,
    /// Mean of the detections' quads, weighted by score and exactness.
    pub(super) quad: Corners,
    /// Sum of those weights.
    exact: f32,
    /// Sum of the detections' weights by score.
    weight: f32,
    /// Sum of the weights of detections in the map of backs.
    back: f32,
    /// Largest damped score.
    pub(super) score: f32,
    /// Logit of the probability of a tile, by the corner network; NaN without one.
    pub(super) tile: f32,
    /// Whether it was seen with light and dark exchanged.
    pub(super) exchanged: bool,
    /// Largest score at each level.
    levels: Vec<f32>,
}

impl Cluster {
    /// Whether the detector takes it for a face-down tile.
    pub(super) fn is_back(&self) -> bool {
        self.share_of_backs() > 0.5
    }

    /// The share of its detections that take it for a back, weighted by their scores, 0-1.
    pub(super) fn share_of_backs(&self) -> f32 {
        self.back / self.weight.max(f32::MIN_POSITIVE)
    }
}

/// How far a detection is trusted, 0-1, by its short side as shown.
fn at_home(shown: f32) -> f32 {
    (AT_HOME[1] / shown).min(1.0).min(shown / AT_HOME[0]).powf(AWAY)
}

/// Weight of a quad of this short side as shown. Corners are off by a pixel or two of the shown image, and a mean is
/// best when each quad counts by the inverse square of its error.
fn exactness(shown: f32) -> f32 {
    shown.min(EXACT * EXACT / shown.max(1.0)).powi(2)
}

/// Clusters of detections over all scales, best score first: those that may be kept, and those that may not,
/// whatever the classifier says. Each is of one light.
pub(super) fn warm_and_cold(
    seen: &[(Detection, DetectorPass)],
    passes: &[DetectorPass],
) -> (Vec<Cluster>, Vec<Cluster>) {
    let is_warm = |cluster: &Cluster| {
        cluster.score >= LIKELY || cluster.score * support(cluster, passes) >= KEPT
    };
    together(seen, passes).into_iter().partition(is_warm)
}

/// The clusters that may be kept.
pub(super) fn clusters(
    seen: &[(Detection, DetectorPass)],
    passes: &[DetectorPass],
) -> Vec<Cluster> {
    warm_and_cold(seen, passes).0
}

fn together(seen: &[(Detection, DetectorPass)], passes: &[DetectorPass]) -> Vec<Cluster> {
    let levels = passes.iter().map(|pass| pass.level + 1).max().unwrap_or(0);
    let mut weighed: Vec<(f32, Detection, DetectorPass)> = seen
        .iter()
        .map(|(detection, pass)| {
            (detection.score * at_home(pass.shown(&detection.quad)), *detection, *pass)
        })
        .collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut clusters: Vec<Cluster> = Vec::new();
    for (score, detection, pass) in weighed {
        let [x, y] = centre(&detection.quad);
        let short = sides(&detection.quad)[0];
        let mine = clusters.iter_mut().find(|cluster| {
            let [cx, cy] = centre(&cluster.leader);
            cluster.exchanged == pass.exchanged
                && (x - cx).abs().max((y - cy).abs()) < short
                && overlap(&cluster.leader, &detection.quad)[0] >= SAME
        });
        let weight = score * score;
        let exact = weight * exactness(pass.shown(&detection.quad));
        let back = if detection.back { weight } else { 0.0 };
        match mine {
            Some(cluster) => {
                let start = nearest_start(&cluster.leader, &detection.quad);
                let aligned = from_corner(&detection.quad, start);
                let share = exact / (cluster.exact + exact);
                for (mean, corner) in cluster.quad.iter_mut().zip(aligned) {
                    for axis in 0..2 {
                        mean[axis] += share * (corner[axis] - mean[axis]);
                    }
                }
                cluster.exact += exact;
                cluster.weight += weight;
                cluster.back += back;
                let at = &mut cluster.levels[pass.level];
                *at = at.max(detection.score);
            }
            None => {
                let mut at = vec![0.0; levels];
                at[pass.level] = detection.score;
                clusters.push(Cluster {
                    leader: detection.quad,
                    quad: detection.quad,
                    exact,
                    weight,
                    back,
                    score,
                    tile: f32::NAN,
                    exchanged: pass.exchanged,
                    levels: at,
                });
            }
        }
    }
    clusters
}

/// The share of the support that a cluster gets from the passes in its light: a real tile is seen at each scale,
/// upright or turned.
pub(super) fn support(cluster: &Cluster, passes: &[DetectorPass]) -> f32 {
    let [x, y] = centre(&cluster.quad);
    let mut levels: Vec<usize> = Vec::new();
    for pass in passes.iter().filter(|pass| pass.exchanged == cluster.exchanged) {
        let shown = pass.shown(&cluster.quad);
        let inside = (pass.low[0] as f32..pass.high[0] as f32).contains(&x)
            && (pass.low[1] as f32..pass.high[1] as f32).contains(&y);
        if inside && (AT_HOME[0]..=AT_HOME[1]).contains(&shown) && !levels.contains(&pass.level) {
            levels.push(pass.level);
        }
    }
    if levels.len() < 2 {
        return 1.0;
    }
    let most = cluster.levels.iter().copied().fold(1e-3, f32::max);
    let sum: f32 = levels.iter().map(|level| cluster.levels[*level]).sum();
    sum / levels.len() as f32 / most
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tile 30 by 40 with its top left here.
    fn tile(x: f32, y: f32) -> Corners {
        [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]]
    }

    fn detection(quad: Corners, score: f32) -> Detection {
        Detection { quad, score, back: false }
    }

    /// A pass over all of a picture of 400 by 300 pixels.
    fn pass(level: usize, scale: f32) -> DetectorPass {
        DetectorPass { low: [0, 0], high: [400, 300], scale, level, pull: None, exchanged: false }
    }

    #[test]
    fn two_scales_see_one_tile_and_tiles_that_touch_stay_two() {
        let passes = [pass(0, 1.0), pass(1, 2.0)];
        let seen = vec![
            (detection(tile(100.0, 100.0), 0.8), passes[0]),
            (detection(tile(102.0, 101.0), 0.9), passes[1]),
            (detection(tile(130.0, 100.0), 0.7), passes[0]),
        ];
        let found = clusters(&seen, &passes);
        assert_eq!(found.len(), 2);
        assert!(found[0].score > found[1].score, "the surest first");
        let [x, _] = found[0].quad[0];
        assert!((100.0..102.0).contains(&x), "a mean of both: {x}");
        assert!(x > 101.0, "nearer to the look that shows it larger: {x}");
    }

    #[test]
    fn where_corners_start_does_not_matter() {
        let passes = [pass(0, 1.0), pass(1, 1.0)];
        let turned = from_corner(&tile(100.0, 100.0), 2);
        let seen = vec![
            (detection(tile(100.0, 100.0), 0.8), passes[0]),
            (detection(turned, 0.8), passes[1]),
        ];
        let found = clusters(&seen, &passes);
        assert_eq!(found.len(), 1);
        for (corner, meant) in found[0].quad.iter().zip(tile(100.0, 100.0)) {
            assert!((corner[0] - meant[0]).abs() + (corner[1] - meant[1]).abs() < 1e-3);
        }
    }

    #[test]
    fn a_scale_that_should_see_a_tile_and_does_not_takes_half() {
        let passes = [pass(0, 1.0), pass(1, 2.0)];
        let once = clusters(&[(detection(tile(100.0, 100.0), 0.8), passes[0])], &passes);
        assert!((support(&once[0], &passes) - 0.5).abs() < 1e-3);
        // Shown 150 pixels wide, the tile is too large for the detector: its silence in that pass does not
        // count.
        let larger = [pass(0, 1.0), pass(1, 5.0)];
        let once = clusters(&[(detection(tile(100.0, 100.0), 0.8), larger[0])], &larger);
        assert!((support(&once[0], &larger) - 1.0).abs() < 1e-3);
        // Nor does the silence of a pass over another part of the picture.
        let elsewhere = [pass(0, 1.0), DetectorPass { low: [300, 0], ..pass(1, 2.0) }];
        let once = clusters(&[(detection(tile(100.0, 100.0), 0.8), elsewhere[0])], &elsewhere);
        assert!((support(&once[0], &elsewhere) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_cannot_be_kept_is_not_named() {
        let passes = [pass(0, 1.0), pass(1, 2.0)];
        let seen = |score| vec![(detection(tile(100.0, 100.0), score), passes[0])];
        assert_eq!(
            clusters(&seen(0.39), &passes).len(),
            0,
            "0.39 at one of two scales: less than 0.25"
        );
        assert_eq!(clusters(&seen(0.41), &passes).len(), 1);
    }

    #[test]
    fn a_tile_is_a_back_where_the_surer_finds_say_so() {
        let passes = [pass(0, 1.0), pass(1, 1.0)];
        let seen = |back_score, face_score| {
            let back = Detection { back: true, ..detection(tile(100.0, 100.0), back_score) };
            vec![(back, passes[0]), (detection(tile(100.0, 100.0), face_score), passes[1])]
        };
        assert!(clusters(&seen(0.9, 0.6), &passes)[0].is_back());
        assert!(!clusters(&seen(0.6, 0.9), &passes)[0].is_back());
    }
}

//! What several looks say of one tile: finds that show the same are one, the more looks agree the surer.

use super::{finds::Find, looks::Look};
use crate::sight::{
    Corners,
    quad::{centre, from_corner, nearest_start, overlap, sides},
};

/// Heat of a find that tells how large tiles are in this picture.
pub(super) const LIKELY: f32 = 0.4;
/// Finds that share this much of both together show one tile from two scales.
pub(super) const SAME: f32 = 0.6;
/// What scores less is left out.
pub(super) const KEPT: f32 = 0.25;
/// Short sides in pixels as shown between which the detector is at home.
const AT_HOME: [f32; 2] = [14.0, 105.0];
/// How fast its heat loses weight outside of them.
const AWAY: f32 = 0.7;
/// The larger a tile is shown, up to this short side in pixels, the more exactly its corners are told; beyond, less.
const EXACT: f32 = 60.0;

/// One tile as several scales see it.
pub(super) struct Cluster {
    /// The weightiest find's quad: others are compared with it.
    leader: Corners,
    /// Mean of the finds' quads, weighted by how sure and how exact they are.
    pub(super) quad: Corners,
    /// Sum of those weights.
    exact: f32,
    /// Sum of the weights by how sure the finds are.
    weight: f32,
    /// Weight of the finds in the map of backs.
    back: f32,
    /// Largest damped heat.
    pub(super) heat: f32,
    /// Logit of the probability that it is a tile, by what lies around it; NaN where nobody says.
    pub(super) tile: f32,
    /// Largest heat at each level.
    levels: Vec<f32>,
}

impl Cluster {
    /// Whether the detector takes it for a tile that lies face down.
    pub(super) fn is_back(&self) -> bool {
        self.share_of_backs() > 0.5
    }

    /// The share of its detections that take it for a back, weighted by their scores, 0-1.
    pub(super) fn share_of_backs(&self) -> f32 {
        self.back / self.weight.max(f32::MIN_POSITIVE)
    }
}

/// How much a find of this size, as shown, is to be trusted.
fn at_home(shown: f32) -> f32 {
    (AT_HOME[1] / shown).min(1.0).min(shown / AT_HOME[0]).powf(AWAY)
}

/// How much a quad of this size, as shown, counts: corners are off by a share of a pixel or two of what was
/// shown, and a mean is best when each counts by the inverse square of its error.
fn exactness(shown: f32) -> f32 {
    shown.min(EXACT * EXACT / shown.max(1.0)).powi(2)
}

/// Finds of all scales, those of one tile together, the surest first; those that cannot be kept, however they are named, apart.
pub(super) fn warm_and_cold(seen: &[(Find, Look)], looks: &[Look]) -> (Vec<Cluster>, Vec<Cluster>) {
    let is_warm = |cluster: &Cluster| {
        cluster.heat >= LIKELY || cluster.heat * support(cluster, looks) >= KEPT
    };
    together(seen, looks).into_iter().partition(is_warm)
}

/// Those alone that may be kept.
pub(super) fn clusters(seen: &[(Find, Look)], looks: &[Look]) -> Vec<Cluster> {
    warm_and_cold(seen, looks).0
}

fn together(seen: &[(Find, Look)], looks: &[Look]) -> Vec<Cluster> {
    let levels = looks.iter().map(|look| look.level + 1).max().unwrap_or(0);
    let mut weighed: Vec<(f32, Find, Look)> = seen
        .iter()
        .map(|(find, look)| (find.heat * at_home(look.shown(&find.quad)), *find, *look))
        .collect();
    weighed.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut clusters: Vec<Cluster> = Vec::new();
    for (heat, find, look) in weighed {
        let [x, y] = centre(&find.quad);
        let short = sides(&find.quad)[0];
        let mine = clusters.iter_mut().find(|cluster| {
            let [cx, cy] = centre(&cluster.leader);
            (x - cx).abs().max((y - cy).abs()) < short
                && overlap(&cluster.leader, &find.quad)[0] >= SAME
        });
        let weight = heat * heat;
        let exact = weight * exactness(look.shown(&find.quad));
        let back = if find.back { weight } else { 0.0 };
        match mine {
            Some(cluster) => {
                let start = nearest_start(&cluster.leader, &find.quad);
                let aligned = from_corner(&find.quad, start);
                let share = exact / (cluster.exact + exact);
                for (mean, corner) in cluster.quad.iter_mut().zip(aligned) {
                    for axis in 0..2 {
                        mean[axis] += share * (corner[axis] - mean[axis]);
                    }
                }
                cluster.exact += exact;
                cluster.weight += weight;
                cluster.back += back;
                let at = &mut cluster.levels[look.level];
                *at = at.max(find.heat);
            }
            None => {
                let mut at = vec![0.0; levels];
                at[look.level] = find.heat;
                clusters.push(Cluster {
                    leader: find.quad,
                    quad: find.quad,
                    exact,
                    weight,
                    back,
                    heat,
                    tile: f32::NAN,
                    levels: at,
                });
            }
        }
    }
    clusters
}

/// How much of what the scales at which it should be seen say of it: a real tile is seen at each, as it is or turned.
pub(super) fn support(cluster: &Cluster, looks: &[Look]) -> f32 {
    let [x, y] = centre(&cluster.quad);
    let mut levels: Vec<usize> = Vec::new();
    for look in looks {
        let shown = look.shown(&cluster.quad);
        let inside = (look.low[0] as f32..look.high[0] as f32).contains(&x)
            && (look.low[1] as f32..look.high[1] as f32).contains(&y);
        if inside && (AT_HOME[0]..=AT_HOME[1]).contains(&shown) && !levels.contains(&look.level) {
            levels.push(look.level);
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

    fn find(quad: Corners, heat: f32) -> Find {
        Find { quad, heat, back: false }
    }

    /// A look at all of a picture of 400 by 300 pixels.
    fn look(level: usize, scale: f32) -> Look {
        Look { low: [0, 0], high: [400, 300], scale, level, pull: None }
    }

    #[test]
    fn two_scales_see_one_tile_and_tiles_that_touch_stay_two() {
        let looks = [look(0, 1.0), look(1, 2.0)];
        let seen = vec![
            (find(tile(100.0, 100.0), 0.8), looks[0]),
            (find(tile(102.0, 101.0), 0.9), looks[1]),
            (find(tile(130.0, 100.0), 0.7), looks[0]),
        ];
        let told = clusters(&seen, &looks);
        assert_eq!(told.len(), 2);
        assert!(told[0].heat > told[1].heat, "the surest first");
        let [x, _] = told[0].quad[0];
        assert!((100.0..102.0).contains(&x), "a mean of both: {x}");
        assert!(x > 101.0, "nearer to the look that shows it larger: {x}");
    }

    #[test]
    fn where_corners_start_does_not_matter() {
        let looks = [look(0, 1.0), look(1, 1.0)];
        let turned = from_corner(&tile(100.0, 100.0), 2);
        let seen = vec![(find(tile(100.0, 100.0), 0.8), looks[0]), (find(turned, 0.8), looks[1])];
        let told = clusters(&seen, &looks);
        assert_eq!(told.len(), 1);
        for (corner, meant) in told[0].quad.iter().zip(tile(100.0, 100.0)) {
            assert!((corner[0] - meant[0]).abs() + (corner[1] - meant[1]).abs() < 1e-3);
        }
    }

    #[test]
    fn a_scale_that_should_see_a_tile_and_does_not_takes_half() {
        let looks = [look(0, 1.0), look(1, 2.0)];
        let once = clusters(&[(find(tile(100.0, 100.0), 0.8), looks[0])], &looks);
        assert!((support(&once[0], &looks) - 0.5).abs() < 1e-3);
        // Shown 150 pixels wide it is larger than what the detector is at home with: that look's silence says nothing.
        let larger = [look(0, 1.0), look(1, 5.0)];
        let once = clusters(&[(find(tile(100.0, 100.0), 0.8), larger[0])], &larger);
        assert!((support(&once[0], &larger) - 1.0).abs() < 1e-3);
        // Nor does that of a look at another part of the picture.
        let elsewhere = [look(0, 1.0), Look { low: [300, 0], ..look(1, 2.0) }];
        let once = clusters(&[(find(tile(100.0, 100.0), 0.8), elsewhere[0])], &elsewhere);
        assert!((support(&once[0], &elsewhere) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn what_cannot_be_kept_is_not_named() {
        let looks = [look(0, 1.0), look(1, 2.0)];
        let seen = |heat| vec![(find(tile(100.0, 100.0), heat), looks[0])];
        assert_eq!(
            clusters(&seen(0.39), &looks).len(),
            0,
            "0.39 at one of two scales: less than 0.25"
        );
        assert_eq!(clusters(&seen(0.41), &looks).len(), 1);
    }

    #[test]
    fn a_tile_is_a_back_where_the_surer_finds_say_so() {
        let looks = [look(0, 1.0), look(1, 1.0)];
        let seen = |back_heat, face_heat| {
            let back = Find { back: true, ..find(tile(100.0, 100.0), back_heat) };
            vec![(back, looks[0]), (find(tile(100.0, 100.0), face_heat), looks[1])]
        };
        assert!(clusters(&seen(0.9, 0.6), &looks)[0].is_back());
        assert!(!clusters(&seen(0.6, 0.9), &looks)[0].is_back());
    }
}

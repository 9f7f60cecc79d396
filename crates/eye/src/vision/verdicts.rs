//! Decides which candidates are tiles, by the judge of tiles, and how sure their faces then are.

use super::{
    agreement::Cluster,
    features::{FEATURES, logit as logit_of},
    judge::{TILES, probability},
    networks::{BACK, CLASSES, Classified, REJECT, WHITE},
};
use crate::{
    sight::{
        Corners, SeenTile,
        quad::{centre, from_corner, overlap, sides},
        rank::quantile,
    },
    tile::Face,
};

/// Largest overlap of two tiles: intersection over union, and share of the smaller one. Of two that overlap more,
/// one goes.
const COVERS: [f32; 2] = [0.4, 0.6];
/// A face with a higher probability than this is likelier than not, whatever the score.
pub(super) const IS_FACE: f32 = 0.6;
/// A face with a higher probability than this makes its candidate a tile.
pub(super) const SURE_FACE: f32 = 0.8;
/// A crop is blank where white dragon, back and no tile together have a higher probability than this.
pub(super) const BLANK: f32 = 0.8;
/// Logit of the corner network from which on a candidate is a tile, whatever it shows.
pub(super) const TILE_AROUND: f32 = 2.0;
/// Probability given to some face where the judge sees a tile and the classifier does not, so that no single face
/// is surer.
const STRANGE: f32 = 0.5;

/// Probability from which on a candidate with a recognisable face is a tile; one without has to reach
/// [`SURE_FACE`].
const IS_TILE: f32 = 0.5;

/// Keeps the tiles, in reading order. Of overlapping ones the likelier stays.
pub(super) fn judged(
    clusters: &[Cluster],
    classified: Vec<Classified>,
    all: &[[f32; FEATURES]],
) -> Vec<SeenTile> {
    let mut judged: Vec<(f32, &Cluster, Classified)> = (clusters.iter().zip(classified).zip(all))
        .map(|((cluster, classified), features)| (TILES.logit(features), cluster, classified))
        .filter(|(logit, _, classified)| {
            let shows_face = classified.classes[..BACK].iter().sum::<f32>() > 0.5;
            *logit > logit_of(if shows_face { IS_TILE } else { SURE_FACE })
        })
        .collect();
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Corners> = Vec::new();
    let mut tiles = Vec::new();
    for (logit, cluster, mut classified) in judged {
        if !kept.iter().any(|other| covers(other, &cluster.quad)) {
            kept.push(cluster.quad);
            let p = probability(logit);
            weigh(&mut classified, p, cluster.share_of_backs());
            tiles.push(seen_tile(p, &cluster.quad, &classified));
        }
    }
    in_reading_order(tiles)
}

/// Scales the classes by the probability of a tile. Where the judge sees a tile and the classifier does not, the tile
/// is face down by the detector's share of backs, or has an unknown face: no face then gets more than half of the
/// rest.
fn weigh(classified: &mut Classified, tile: f32, backs: f32) {
    let classes = &mut classified.classes;
    classes[BACK] += classes[REJECT] * backs;
    classes[REJECT] *= 1.0 - backs;
    let shown = 1.0 - classes[REJECT];
    let times = tile * shown.max(STRANGE) / shown.max(f32::MIN_POSITIVE);
    classes.iter_mut().for_each(|p| *p *= times);
    classes[REJECT] = 1.0 - tile * shown.max(STRANGE);
}

/// Whether it is blank: a white dragon, a back or no tile.
pub(super) fn is_blank(classified: &Classified) -> bool {
    [WHITE, BACK, REJECT].map(|class| classified.classes[class]).iter().sum::<f32>() > BLANK
}

/// The classes of a crop where tiles were laid out: some face, however strange, unless the detector takes it for
/// a face-down tile.
pub(super) fn laid_out(mut classified: Classified, is_back: bool) -> Classified {
    let rest = (1.0 - classified.classes[REJECT]).max(1e-6);
    classified.classes[REJECT] = 0.0;
    classified.classes.iter_mut().for_each(|p| *p /= rest);
    let is_face = classified.classes[..BACK].iter().any(|p| *p > IS_FACE);
    if is_back && !is_face {
        classified.classes = [0.0; CLASSES];
        classified.classes[BACK] = 1.0;
    }
    classified
}

/// Whether a tile in one place excludes one in the other.
fn covers(one: &Corners, other: &Corners) -> bool {
    let [both, smaller] = overlap(one, other);
    both >= COVERS[0] || smaller >= COVERS[1]
}

/// Row by row: a tile belongs to a row when its centre is less than a tile's length below the row's first.
pub(super) fn in_reading_order(mut tiles: Vec<SeenTile>) -> Vec<SeenTile> {
    let long = quantile(tiles.iter().map(|tile| sides(&tile.corners)[1]), 0.5);
    let reach = long.unwrap_or(1.0).max(1.0);
    let at = |tile: &SeenTile| centre(&tile.corners);
    tiles.sort_by(|a, b| at(a)[1].total_cmp(&at(b)[1]));
    let mut first = f32::NEG_INFINITY;
    let mut row = 0usize;
    let mut placed: Vec<(usize, SeenTile)> = Vec::with_capacity(tiles.len());
    for tile in tiles {
        let [_, y] = at(&tile);
        if y - first > 0.8 * reach {
            (first, row) = (y, row + 1);
        }
        placed.push((row, tile));
    }
    placed.sort_by(|(a, s), (b, t)| a.cmp(b).then(at(s)[0].total_cmp(&at(t)[0])));
    placed.into_iter().map(|(_, tile)| tile).collect()
}

/// Whether a tile shows a face surely.
pub(super) fn is_sure_face(tile: &SeenTile) -> bool {
    tile.faces.iter().any(|p| *p > SURE_FACE)
}

/// Whether a tile is likelier face down than showing any face.
pub(super) fn lies_face_down(tile: &SeenTile) -> bool {
    tile.faces.iter().all(|p| *p < tile.back)
}

/// Whether the likeliest class is a face other than the white dragon, with a higher probability than `sure`.
pub(super) fn shows_face(classified: &Classified, sure: f32) -> bool {
    let best = best(&classified.classes);
    best < BACK && best != WHITE && classified.classes[best] > sure
}

pub(super) fn best(values: &[f32]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0)
}

pub(super) fn seen_tile(score: f32, quad: &Corners, classified: &Classified) -> SeenTile {
    let start = best(&classified.turns);
    let mut faces = [0.0; Face::COUNT];
    faces.copy_from_slice(&classified.classes[..Face::COUNT]);
    debug_assert_eq!(classified.classes.len(), CLASSES);
    SeenTile {
        corners: from_corner(quad, start),
        found: score.min(1.0),
        faces,
        back: classified.classes[BACK],
        reject: classified.classes[REJECT],
        red: classified.red,
        turns: [0, 1, 2, 3].map(|k| classified.turns[(k + start) % 4]),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            agreement::clusters, detections::Detection, features::features, passes::DetectorPass,
        },
        *,
    };
    use crate::tile::SeenFace;

    const PASS: DetectorPass = DetectorPass {
        low: [0, 0],
        high: [640, 480],
        scale: 1.0,
        level: 0,
        pull: None,
        exchanged: false,
    };

    fn tile(x: f32) -> Corners {
        [[x, 100.0], [x + 30.0, 100.0], [x + 30.0, 140.0], [x, 140.0]]
    }

    fn classified(class: usize, sure: f32) -> Classified {
        let mut classes = [0.0; CLASSES];
        classes[REJECT] = 1.0 - sure;
        classes[class] += sure;
        Classified { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 }
    }

    /// A row of `count` sure faces and one more candidate: its place, its score, its classes, the corner
    /// network's logit of a tile.
    fn beside(
        count: usize,
        (quad, score, is_back): (Corners, f32, bool),
        shows: Classified,
        around: f32,
    ) -> Vec<SeenTile> {
        let row = (0..count).map(|at| (tile(100.0 + 31.0 * at as f32), 0.9, false));
        let detections: Vec<(Detection, DetectorPass)> = (row.chain([(quad, score, is_back)]))
            .map(|(quad, score, back)| (Detection { quad, score, back }, PASS))
            .collect();
        let mut clusters = clusters(&detections, &[PASS]);
        let is_more = |cluster: &Cluster| overlap(&cluster.quad, &quad)[0] > 0.9;
        let all: Vec<Classified> = (clusters.iter().enumerate())
            .map(
                |(at, cluster)| {
                    if is_more(cluster) { shows.clone() } else { classified(at, 0.999) }
                },
            )
            .collect();
        for cluster in &mut clusters {
            cluster.tile = if is_more(cluster) { around } else { 7.0 };
        }
        let features = features(&clusters, &all, &[PASS], [640, 480]);
        judged(&clusters, all, &features)
    }

    #[test]
    fn a_sure_face_in_a_row_is_surely_a_tile() {
        let tiles = beside(12, (tile(472.0), 0.9, false), classified(20, 0.999), 7.0);
        assert_eq!(tiles.len(), 13);
        assert!(tiles.iter().all(|tile| tile.found > 0.95 && tile.reject < 0.1));
    }

    #[test]
    fn print_like_a_face_far_from_tiles_that_lies_like_none_is_not_kept() {
        let speck = [[600.0, 400.0], [606.0, 400.0], [606.0, 408.0], [600.0, 408.0]];
        assert_eq!(beside(12, (speck, 0.3, false), classified(20, 0.5), -5.0).len(), 12);
        assert_eq!(beside(0, (speck, 0.3, false), classified(20, 0.5), -5.0), []);
    }

    #[test]
    fn half_a_face_is_no_tile_of_its_own() {
        // The upper two of four dots, with some of the tile's body around them.
        let half = [[98.0, 98.0], [132.0, 98.0], [132.0, 119.0], [98.0, 119.0]];
        assert_eq!(beside(12, (half, 0.6, false), classified(10, 0.9), -2.0).len(), 12);
    }

    #[test]
    fn a_back_in_a_row_is_taken_on_the_detector_s_word_unless_its_surroundings_speak_against_it() {
        let kept = |around: f32| {
            beside(6, (tile(286.0), 0.9, true), classified(BACK, 0.6), around)
                .iter()
                .filter(|tile| lies_face_down(tile))
                .count()
        };
        assert_eq!((kept(7.0), kept(-5.0)), (1, 0));
    }

    #[test]
    fn a_tile_whose_face_is_not_known_has_no_sure_name() {
        let mut strange = classified(REJECT, 0.9);
        strange.classes[..10].fill(0.01);
        strange.classes[REJECT] = 0.9;
        let tiles = beside(12, (tile(472.0), 0.95, false), strange, 7.0);
        let unknown: Vec<&SeenTile> =
            tiles.iter().filter(|tile| tile.classified().0 == SeenFace::Unknown).collect();
        assert_eq!((tiles.len(), unknown.len()), (13, 1));
        assert!(unknown[0].shows_face() <= 0.5 + 1e-6);
    }

    #[test]
    fn probabilities_sum_to_one_whatever_the_judge_says() {
        for (tile, backs) in [(0.9, 0.0), (0.5, 1.0), (1.0, 0.3)] {
            let mut shows = classified(3, 0.4);
            weigh(&mut shows, tile, backs);
            let sum: f32 = shows.classes.iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            assert!(shows.classes[REJECT] >= 1.0 - tile - 1e-6);
        }
    }
}

//! Which candidates are tiles, by the judge of tiles, and how sure their names then are.

use super::{
    agreement::Cluster,
    features::{FEATURES, logit as logit_of},
    judge::{TILES, probability},
    networks::{BACK, CLASSES, Named, REJECT, WHITE},
};
use crate::{
    sight::{
        Corners, SeenTile,
        quad::{centre, from_corner, overlap, sides},
        rank::quantile,
    },
    tile::Face,
};

/// Of tiles that share this much of both together, or this much of the smaller, one goes.
const COVERS: [f32; 2] = [0.4, 0.6];
/// A face named more surely than this is one more likely than not, whatever the detector says.
pub(super) const IS_FACE: f32 = 0.6;
/// A face named more surely than this is a tile whatever else is.
pub(super) const SURE_FACE: f32 = 0.8;
/// What is more surely than this a white dragon, a back or no tile, whichever, is blank.
pub(super) const BLANK: f32 = 0.8;
/// What lies around a find says that it is a tile, whatever it shows, from this logit on.
pub(super) const TILE_AROUND: f32 = 2.0;
/// What the judge takes for a tile and the classifier does not shows some face with this probability, so that no name is surer.
const STRANGE: f32 = 0.5;

/// Probability from which a candidate with a face that can be named is a tile; without one it has to be as sure as a sure face is.
const IS_TILE: f32 = 0.5;

/// Keeps what is a tile, in reading order. Of what covers one another the likelier stays.
pub(super) fn judged(
    clusters: &[Cluster],
    named: Vec<Named>,
    all: &[[f32; FEATURES]],
) -> Vec<SeenTile> {
    let mut judged: Vec<(f32, &Cluster, Named)> = (clusters.iter().zip(named).zip(all))
        .map(|((cluster, named), features)| (TILES.logit(features), cluster, named))
        .filter(|(logit, _, named)| {
            let shows_face = named.classes[..BACK].iter().sum::<f32>() > 0.5;
            *logit > logit_of(if shows_face { IS_TILE } else { SURE_FACE })
        })
        .collect();
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<Corners> = Vec::new();
    let mut tiles = Vec::new();
    for (logit, cluster, mut named) in judged {
        if !kept.iter().any(|other| covers(other, &cluster.quad)) {
            kept.push(cluster.quad);
            let p = probability(logit);
            weigh(&mut named, p, cluster.share_of_backs());
            tiles.push(seen_tile(p, &cluster.quad, &named));
        }
    }
    in_reading_order(tiles)
}

/// Weighs names by the probability of a tile. What the classifier takes for no tile and the judge for one lies face down, as far as the
/// detector says so, or shows a face that nobody can name: of the others none gets more than half.
fn weigh(named: &mut Named, tile: f32, backs: f32) {
    let classes = &mut named.classes;
    classes[BACK] += classes[REJECT] * backs;
    classes[REJECT] *= 1.0 - backs;
    let shown = 1.0 - classes[REJECT];
    let times = tile * shown.max(STRANGE) / shown.max(f32::MIN_POSITIVE);
    classes.iter_mut().for_each(|p| *p *= times);
    classes[REJECT] = 1.0 - tile * shown.max(STRANGE);
}

/// Whether nothing is to be seen on it: it is a white dragon, a back or no tile, whichever.
pub(super) fn is_blank(named: &Named) -> bool {
    [WHITE, BACK, REJECT].map(|class| named.classes[class]).iter().sum::<f32>() > BLANK
}

/// What a crop shows where tiles were laid out: some face, however strange, unless the detector takes it for a tile that lies face down.
pub(super) fn laid_out(mut named: Named, is_back: bool) -> Named {
    let rest = (1.0 - named.classes[REJECT]).max(1e-6);
    named.classes[REJECT] = 0.0;
    named.classes.iter_mut().for_each(|p| *p /= rest);
    let is_face = named.classes[..BACK].iter().any(|p| *p > IS_FACE);
    if is_back && !is_face {
        named.classes = [0.0; CLASSES];
        named.classes[BACK] = 1.0;
    }
    named
}

/// Whether one place cannot hold a tile beside another's.
fn covers(one: &Corners, other: &Corners) -> bool {
    let [both, smaller] = overlap(one, other);
    both >= COVERS[0] || smaller >= COVERS[1]
}

/// Row by row: a tile is of a row when its centre is not a tile's length below the row's first.
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

/// Whether a tile likelier lies face down than shows any face.
pub(super) fn lies_face_down(tile: &SeenTile) -> bool {
    tile.faces.iter().all(|p| *p < tile.back)
}

/// Whether the likeliest of all is a face that can be told, surer than this; a white dragon's might be any blank.
pub(super) fn shows_face(named: &Named, sure: f32) -> bool {
    let best = best(&named.classes);
    best < BACK && best != WHITE && named.classes[best] > sure
}

pub(super) fn best(values: &[f32]) -> usize {
    (0..values.len()).max_by(|a, b| values[*a].total_cmp(&values[*b])).unwrap_or(0)
}

pub(super) fn seen_tile(score: f32, quad: &Corners, named: &Named) -> SeenTile {
    let start = best(&named.turns);
    let mut faces = [0.0; Face::COUNT];
    faces.copy_from_slice(&named.classes[..Face::COUNT]);
    debug_assert_eq!(named.classes.len(), CLASSES);
    SeenTile {
        corners: from_corner(quad, start),
        found: score.min(1.0),
        faces,
        back: named.classes[BACK],
        reject: named.classes[REJECT],
        red: named.red,
        turns: [0, 1, 2, 3].map(|k| named.turns[(k + start) % 4]),
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{agreement::clusters, features::features, finds::Find, looks::Look},
        *,
    };
    use crate::tile::SeenFace;

    const LOOK: Look = Look { low: [0, 0], high: [640, 480], scale: 1.0, level: 0, pull: None };

    fn tile(x: f32) -> Corners {
        [[x, 100.0], [x + 30.0, 100.0], [x + 30.0, 140.0], [x, 140.0]]
    }

    fn named(class: usize, sure: f32) -> Named {
        let mut classes = [0.0; CLASSES];
        classes[REJECT] = 1.0 - sure;
        classes[class] += sure;
        Named { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 }
    }

    /// A row of `count` sure faces, and one more candidate: its place, its score, what it shows, the logit of a tile by what lies around it.
    fn beside(
        count: usize,
        (quad, score, is_back): (Corners, f32, bool),
        shows: Named,
        around: f32,
    ) -> Vec<SeenTile> {
        let row = (0..count).map(|at| (tile(100.0 + 31.0 * at as f32), 0.9, false));
        let finds: Vec<(Find, Look)> = (row.chain([(quad, score, is_back)]))
            .map(|(quad, heat, back)| (Find { quad, heat, back }, LOOK))
            .collect();
        let mut clusters = clusters(&finds, &[LOOK]);
        let is_more = |cluster: &Cluster| overlap(&cluster.quad, &quad)[0] > 0.9;
        let all: Vec<Named> = (clusters.iter().enumerate())
            .map(|(at, cluster)| if is_more(cluster) { shows.clone() } else { named(at, 0.999) })
            .collect();
        for cluster in &mut clusters {
            cluster.tile = if is_more(cluster) { around } else { 7.0 };
        }
        let features = features(&clusters, &all, &[LOOK], [640, 480]);
        judged(&clusters, all, &features)
    }

    #[test]
    fn a_sure_face_in_a_row_is_surely_a_tile() {
        let tiles = beside(12, (tile(472.0), 0.9, false), named(20, 0.999), 7.0);
        assert_eq!(tiles.len(), 13);
        assert!(tiles.iter().all(|tile| tile.found > 0.95 && tile.reject < 0.1));
    }

    #[test]
    fn print_like_a_face_far_from_tiles_that_lies_like_none_is_not_kept() {
        let speck = [[600.0, 400.0], [606.0, 400.0], [606.0, 408.0], [600.0, 408.0]];
        assert_eq!(beside(12, (speck, 0.3, false), named(20, 0.5), -5.0).len(), 12);
        assert_eq!(beside(0, (speck, 0.3, false), named(20, 0.5), -5.0), []);
    }

    #[test]
    fn half_a_face_is_no_tile_of_its_own() {
        // The upper two of four dots, with some of the tile's body around them.
        let half = [[98.0, 98.0], [132.0, 98.0], [132.0, 119.0], [98.0, 119.0]];
        assert_eq!(beside(12, (half, 0.6, false), named(10, 0.9), -2.0).len(), 12);
    }

    #[test]
    fn a_back_in_a_row_is_taken_on_the_detector_s_word_unless_its_surroundings_speak_against_it() {
        let kept = |around: f32| {
            beside(6, (tile(286.0), 0.9, true), named(BACK, 0.6), around)
                .iter()
                .filter(|tile| lies_face_down(tile))
                .count()
        };
        assert_eq!((kept(7.0), kept(-5.0)), (1, 0));
    }

    #[test]
    fn a_tile_whose_face_is_not_known_has_no_sure_name() {
        let mut strange = named(REJECT, 0.9);
        strange.classes[..10].fill(0.01);
        strange.classes[REJECT] = 0.9;
        let tiles = beside(12, (tile(472.0), 0.95, false), strange, 7.0);
        let unknown: Vec<&SeenTile> =
            tiles.iter().filter(|tile| tile.named().0 == SeenFace::Unknown).collect();
        assert_eq!((tiles.len(), unknown.len()), (13, 1));
        assert!(unknown[0].shows_face() <= 0.5 + 1e-6);
    }

    #[test]
    fn probabilities_sum_to_one_whatever_the_judge_says() {
        for (tile, backs) in [(0.9, 0.0), (0.5, 1.0), (1.0, 0.3)] {
            let mut shows = named(3, 0.4);
            weigh(&mut shows, tile, backs);
            let sum: f32 = shows.classes.iter().sum();
            assert!((sum - 1.0).abs() < 1e-5, "{sum}");
            assert!(shows.classes[REJECT] >= 1.0 - tile - 1e-6);
        }
    }
}

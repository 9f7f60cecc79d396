//! Which finds are tiles, once they are named: by their heat, their names, their size among the others
//! and what lies beside them.

use super::{
    agreement::{Cluster, KEPT, LIKELY, support},
    blanks::{Doubted, doubt_blanks},
    company::{companions, ends_row, has_company},
    looks::Look,
    networks::{BACK, CLASSES, Named, REJECT},
    surroundings::doubt_back,
};
use crate::{
    sight::{
        Corners, SeenTile,
        quad::{centre, from_corner, overlap, sides, signed_area},
    },
    tile::{Face, Suit},
};
/// Of tiles that share this much of both together, or this much of the smaller, one goes.
pub(super) const COVERS: [f32; 2] = [0.4, 0.6];
/// A tile's own probability counts for this power beside the heat.
const NAMED: f32 = 0.6;
/// A tile shorter than this share of the picture's median is suspect.
const DWARF: f32 = 0.5;
/// Backs are between these many times as wide as the faces of the picture.
const SIZES: [f32; 2] = [0.55, 1.6];
/// And so many times where one of each face is laid out.
const LAID_OUT: [f32; 2] = [0.7, 1.4];
/// What lies this far in a face at least twice as large is printed on it.
const INSIDE: f32 = 0.75;
/// A face named more surely than this is one more likely than not, whatever the detector says.
pub(super) const IS_FACE: f32 = 0.6;
/// A face named more surely than this is a tile whatever else is.
pub(super) const SURE_FACE: f32 = 0.8;
/// What is more surely than this a white dragon, a back or no tile, whichever, is blank.
pub(super) const BLANK: f32 = 0.8;
/// What is left of the probability that a blank is no tile when it lies beside a face of its size.
const IN_COMPANY: f32 = 0.12;
/// A back is not taken on the detector's word where its surroundings make a tile less likely than this.
const BACK_AROUND: f32 = 0.1;
/// What scores less, and shows no face, has to lie beside one.
const ALONE: f32 = 0.45;

/// What is named more surely than this, found with some heat at one scale, and no less a tile by its surroundings than not,
const NAMED_AT_ONE: f32 = 0.95;
/// scores at least as if so much of what the other scales say supported it: they may show the two halves of it instead.
const AT_ONE: f32 = 0.6;

/// What lies around a find says that it is a tile, whatever it shows, from this logit on.
pub(super) const TILE_AROUND: f32 = 2.0;
/// What shows no face that is known is a tile all the same where its surroundings are more like a tile's than this logit: where
/// no face of its size lies right beside it, where one does, and where more do;
const STRANGE_AROUND: [f32; 3] = [7.0, 4.0, TILE_AROUND];
/// it shows some face with this probability, so that no name is surer.
const STRANGE: f32 = 0.5;

/// Keeps what is a tile, in reading order.
pub(super) fn judged(clusters: Vec<Cluster>, named: Vec<Named>, looks: &[Look]) -> Vec<SeenTile> {
    let printed = printed(&clusters, &named);
    let (clusters, named): (Vec<Cluster>, Vec<Named>) = (clusters.into_iter().zip(named))
        .zip(printed)
        .filter_map(|(tile, printed)| (!printed).then_some(tile))
        .unzip();
    let others = Others::of(&clusters, &named);
    let mut judged: Vec<(f32, &Cluster, Named)> = (clusters.iter().zip(named))
        .filter_map(|(cluster, named)| {
            let mut weighed = others.weighed(cluster, named)?;
            let score = others.score(cluster, &weighed.named, looks)?;
            let is_tile = weighed.is_strange || others.bear_out(cluster, &weighed, score);
            let is_tile = is_tile && (!is_back(&weighed.named) || doubt_back(&mut weighed.named));
            is_tile.then_some((score, cluster, weighed.named))
        })
        .collect();
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<(f32, &Cluster, Named)> = Vec::new();
    for (score, cluster, named) in judged {
        if !kept.iter().any(|(_, other, _)| covers(&other.quad, &cluster.quad)) {
            kept.push((score, cluster, named));
        }
    }
    let mut blanks: Vec<Doubted<'_>> = (kept.iter_mut())
        .map(|(_, cluster, named)| Doubted { quad: cluster.quad, named, back: cluster.is_back() })
        .collect();
    let none = doubt_blanks(&mut blanks);
    let tiles = kept.iter().enumerate().filter(|(place, _)| !none.contains(place));
    let tiles = tiles.map(|(_, (score, cluster, named))| seen_tile(*score, &cluster.quad, named));
    in_reading_order(tiles.collect())
}

/// A find with what lies around it taken into account.
struct Weighed {
    named: Named,
    /// How surely it is a white dragon by its face alone.
    white: f32,
    /// Whether it is taken for a tile in spite of its face.
    is_strange: bool,
}

/// What the picture's other finds tell of one.
struct Others {
    /// Median short side of its faces; `None` where there are too few.
    typical: Option<f32>,
    /// Sure faces,
    faces: Vec<Corners>,
    /// and sure backs.
    backs: Vec<Corners>,
}

impl Others {
    fn of(clusters: &[Cluster], named: &[Named]) -> Self {
        let quads = |is_one: fn(&Cluster, &Named) -> bool| {
            let both = clusters.iter().zip(named);
            both.filter(|(cluster, named)| is_one(cluster, named))
                .map(|(one, _)| one.quad)
                .collect()
        };
        Self {
            typical: typical(clusters, named),
            faces: quads(|_, named| named.classes[..BACK].iter().any(|p| *p > SURE_FACE)),
            backs: quads(|cluster, named| named.classes[BACK] > SURE_FACE && cluster.heat > LIKELY),
        }
    }

    /// What a find shows, by the classifier and by what lies around it; `None` for what shows no tile.
    fn weighed(&self, cluster: &Cluster, mut named: Named) -> Option<Weighed> {
        let white = white().map_or(0.0, |white| named.classes[white]);
        let blank = white > 0.05 && is_blank(&named);
        if blank && has_company(&cluster.quad, &self.faces) {
            let shrink = 1.0 / (1.0 - named.classes[REJECT] * (1.0 - IN_COMPANY));
            named.classes[REJECT] *= IN_COMPANY;
            named.classes.iter_mut().for_each(|p| *p *= shrink);
        }
        let mut is_strange = false;
        let best = best(&named.classes[..REJECT + 1]);
        let is_face = best < BACK && named.classes[best] > IS_FACE;
        if cluster.is_back() && !is_face && named.around > BACK_AROUND {
            // The detector knows backs by what lies around them, which the crop does not show.
            let doubtful = named.classes[BACK] + named.classes[REJECT] + white;
            let back = named.classes[BACK].max(0.5 * doubtful);
            let rest = (1.0 - named.classes[BACK]).max(1e-6);
            let shrink = (1.0 - back) / rest;
            named.classes.iter_mut().for_each(|p| *p *= shrink);
            named.classes[BACK] = back;
        } else if best == REJECT {
            if blank || !self.surround(cluster) {
                return None;
            }
            make_strange(&mut named);
            is_strange = true;
        }
        Some(Weighed { named, white, is_strange })
    }

    /// Whether all but its face says that a find is a tile: its heat, what lies around it, and that there are faces, of its size
    /// and beside it above all.
    fn surround(&self, cluster: &Cluster) -> bool {
        let beside = companions(&cluster.quad, &self.faces).min(STRANGE_AROUND.len() - 1);
        !cluster.is_back()
            && !self.faces.is_empty()
            && cluster.heat >= LIKELY
            && cluster.tile >= STRANGE_AROUND[beside]
    }

    /// How much speaks for a tile; `None` for backs of another size than the faces.
    fn score(&self, cluster: &Cluster, named: &Named, looks: &[Look]) -> Option<f32> {
        let likely = likeliest(named);
        let of_size = |typical: f32| (SIZES[0]..SIZES[1]).contains(&(cluster.short / typical));
        if is_back(named) && self.typical.is_some_and(|typical| !of_size(typical)) {
            return None;
        }
        let dwarf = match self.typical {
            Some(typical) if cluster.short < DWARF * typical => {
                (cluster.short / (DWARF * typical)).powf(1.5)
            }
            _ => 1.0,
        };
        // What has no print looks like much else, the more so the oftener one looks.
        let unprinted =
            is_back(named) || white().is_some_and(|white| named.classes[white] >= likely);
        let at_one = cluster.heat > LIKELY && cluster.tile > 0.0 && likely > NAMED_AT_ONE;
        let least = if at_one && !unprinted { AT_ONE } else { 0.0 };
        let supported = support(cluster, looks).max(least);
        // Which face it is may be in doubt where it is plain that it is a tile, above all a flower.
        let is_plain = !unprinted && cluster.tile >= TILE_AROUND;
        let shows_face = if is_plain { named.classes[..BACK].iter().sum() } else { likely };
        Some(cluster.heat * supported * dwarf * shows_face.powf(NAMED))
    }

    /// Whether a find that scores so much is a tile: by itself, or by what lies beside it.
    fn bear_out(&self, cluster: &Cluster, weighed: &Weighed, score: f32) -> bool {
        let Weighed { named, white, .. } = weighed;
        let (likely, white, back) = (likeliest(named), *white, is_back(named));
        // A face that can be named; or some face, or flower, whichever: each maker draws his own.
        let flower: f32 = named.classes[Face::SET_FACES..BACK].iter().sum();
        let face = named.classes[..BACK].iter().sum::<f32>() - white;
        let is_face =
            !back && (likely > IS_FACE && likely > white || flower > IS_FACE || face > SURE_FACE);
        let stands_alone = score >= ALONE || is_face;
        let beside = |tiles: &[Corners]| has_company(&cluster.quad, tiles);
        let apart = || !back && ends_row(&cluster.quad, &self.faces);
        score >= KEPT
            && (stands_alone || beside(&self.faces) || back && beside(&self.backs) || apart())
    }
}

/// Whether it shows no face that is known, and is not blank for all that.
pub(super) fn shows_strange_print(named: &Named) -> bool {
    let blank = white().map_or(0.0, |white| named.classes[white]) + named.classes[BACK];
    best(&named.classes) == REJECT && blank <= BLANK * (1.0 - named.classes[REJECT])
}

/// What lies there is a tile by all but its face: better one that nobody can name than a hand that lacks one.
pub(super) fn make_strange(named: &mut Named) {
    let shrink = STRANGE / (1.0 - named.classes[REJECT]).max(1e-6);
    named.classes.iter_mut().for_each(|p| *p *= shrink);
    named.classes[REJECT] = 1.0 - STRANGE;
}

fn likeliest(named: &Named) -> f32 {
    named.classes[..REJECT].iter().copied().fold(0.0, f32::max)
}

/// Whether nothing is to be seen on it: it is a white dragon, a back or no tile, whichever.
pub(super) fn is_blank(named: &Named) -> bool {
    let white = white().map_or(0.0, |white| named.classes[white]);
    white + named.classes[BACK] + named.classes[REJECT] > BLANK
}

fn is_back(named: &Named) -> bool {
    named.classes[BACK] >= likeliest(named)
}

/// Keeps what is a tile where tiles were laid out: what is found to be one, and is as large as the faces
/// that are known, is one, whatever it shows.
pub(super) fn laid_out(clusters: &[Cluster], named: Vec<Named>) -> Vec<SeenTile> {
    let Some(typical) = typical(clusters, &named) else { return Vec::new() };
    let printed = printed(clusters, &named);
    let mut tiles: Vec<(SeenTile, Corners)> = Vec::new();
    // The surest come first.
    for ((cluster, mut named), printed) in clusters.iter().zip(named).zip(printed) {
        let of_size = (LAID_OUT[0]..LAID_OUT[1]).contains(&(cluster.short / typical));
        let covered = tiles.iter().any(|(_, other)| covers(other, &cluster.quad));
        if printed || !of_size || covered || cluster.heat < LIKELY {
            continue;
        }
        let rest = (1.0 - named.classes[REJECT]).max(1e-6);
        named.classes[REJECT] = 0.0;
        named.classes.iter_mut().for_each(|p| *p /= rest);
        let is_face = named.classes[..BACK].iter().any(|p| *p > IS_FACE);
        if cluster.is_back() && !is_face {
            named.classes = [0.0; CLASSES];
            named.classes[BACK] = 1.0;
        }
        tiles.push((seen_tile(cluster.heat, &cluster.quad, &named), cluster.quad));
    }
    in_reading_order(tiles.into_iter().map(|(tile, _)| tile).collect())
}

/// Whether one place cannot hold a tile beside another's.
pub(super) fn covers(one: &Corners, other: &Corners) -> bool {
    let [both, smaller] = overlap(one, other);
    both >= COVERS[0] || smaller >= COVERS[1]
}

/// Which finds are only a part of what a larger face shows, as one dot of nine.
fn printed(clusters: &[Cluster], named: &[Named]) -> Vec<bool> {
    let area = |cluster: &Cluster| signed_area(&cluster.quad).abs();
    let large: Vec<(&Cluster, f32)> = (clusters.iter().zip(named))
        .filter(|(cluster, named)| {
            let face = best(&named.classes);
            let white = Some(face) == white();
            face < BACK && !white && cluster.heat > LIKELY && named.classes[face] > IS_FACE
        })
        .map(|(cluster, _)| (cluster, area(cluster)))
        .collect();
    (clusters.iter())
        .map(|small| {
            let [x, y] = centre(&small.quad);
            let size = area(small);
            large.iter().any(|(face, larger)| {
                let [cx, cy] = centre(&face.quad);
                *larger > 2.0 * size
                    && face.heat > 0.8 * small.heat
                    && (x - cx).hypot(y - cy) < 1.5 * face.short
                    && overlap(&face.quad, &small.quad)[1] >= INSIDE
            })
        })
        .collect()
}

/// Median short side of what is surely a face, weighted by how sure.
fn typical(clusters: &[Cluster], named: &[Named]) -> Option<f32> {
    let mut sure: Vec<(f32, f32)> = clusters
        .iter()
        .zip(named)
        .filter_map(|(cluster, named)| {
            let score = cluster.heat * likeliest(named).powf(NAMED);
            let is_face = !cluster.is_back();
            (is_face && score > 0.45).then_some((cluster.short, score))
        })
        .collect();
    if sure.len() < 2 {
        return None;
    }
    sure.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half: f32 = sure.iter().map(|(_, score)| score).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    sure.iter().find_map(|(short, score)| {
        sum += score;
        (sum >= half).then_some(*short)
    })
}

/// Row by row: a tile is of a row when its centre is not a tile's length below the row's first.
pub(super) fn in_reading_order(mut tiles: Vec<SeenTile>) -> Vec<SeenTile> {
    let mut long: Vec<f32> = tiles.iter().map(|tile| sides(&tile.corners)[1]).collect();
    long.sort_by(f32::total_cmp);
    let reach = long.get(long.len() / 2).copied().unwrap_or(1.0).max(1.0);
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

/// The class of the white dragon.
pub(super) fn white() -> Option<usize> {
    Face::new(Suit::Honors, 5).map(Face::index)
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
        super::{agreement::clusters, finds::Find},
        *,
    };
    use crate::tile::SeenFace;

    fn tile(x: f32) -> Corners {
        [[x, 100.0], [x + 30.0, 100.0], [x + 30.0, 140.0], [x, 140.0]]
    }

    fn named(class: usize, around: f32) -> Named {
        let mut classes = [0.0; CLASSES];
        classes[class] = 1.0;
        Named { classes, turns: [1.0, 0.0, 0.0, 0.0], red: 0.0, around }
    }

    #[test]
    fn a_back_beside_faces_is_taken_on_the_detector_s_word_unless_its_surroundings_speak_against_it()
     {
        let look = Look { low: [0, 0], high: [640, 480], scale: 1.0, level: 0, pull: None };
        let find = |x: f32, heat: f32, back: bool| (Find { quad: tile(x), heat, back }, look);
        let kept = |around: f32| {
            let seen =
                vec![find(100.0, 0.9, false), find(131.0, 0.8, false), find(162.0, 0.7, true)];
            let names = vec![named(3, 1.0), named(4, 1.0), named(REJECT, around)];
            judged(clusters(&seen, &[look]), names, &[look]).len()
        };
        assert_eq!((kept(1.0), kept(0.1)), (3, 2));
    }

    #[test]
    fn half_a_face_is_no_tile_of_its_own_and_a_tile_half_hidden_behind_another_is() {
        let look = Look { low: [0, 0], high: [640, 480], scale: 1.0, level: 0, pull: None };
        let kept = |other: Corners| {
            let find = |quad: Corners, heat: f32| (Find { quad, heat, back: false }, look);
            let found = clusters(&[find(tile(100.0), 0.9), find(other, 0.8)], &[look]);
            judged(found, vec![named(12, 1.0), named(10, 1.0)], &[look]).len()
        };
        // The upper two of four dots, with some of the tile's body around them.
        assert_eq!(kept([[98.0, 94.0], [132.0, 94.0], [132.0, 117.0], [98.0, 117.0]]), 1);
        assert_eq!(kept(tile(115.0)), 2);
    }

    #[test]
    fn what_shows_no_known_face_is_a_tile_if_its_surroundings_say_so_the_less_the_more_faces_lie_beside_it()
     {
        let look = Look { low: [0, 0], high: [640, 480], scale: 1.0, level: 0, pull: None };
        let kept_at = |x: f32, heat: f32, second: f32, around: f32| {
            let find = |x: f32, heat: f32| (Find { quad: tile(x), heat, back: false }, look);
            let mut strange = named(REJECT, 1.0);
            strange.classes[REJECT] = 0.96;
            strange.classes[..4].fill(0.01);
            let names = vec![named(3, 1.0), strange, named(4, 1.0)];
            let seen = [find(100.0, 0.9), find(x, heat), find(second, 0.9)];
            let mut found = clusters(&seen, &[look]);
            found.iter_mut().for_each(|cluster| cluster.tile = around);
            found.sort_by(|a, b| a.quad[0][0].total_cmp(&b.quad[0][0]));
            judged(found, names, &[look])
        };
        let kept = |second: f32, around: f32| kept_at(131.0, 0.8, second, around);
        let row = kept(162.0, 3.0);
        assert_eq!(row.len(), 3);
        assert_eq!(row[1].named().0, SeenFace::Unknown);
        assert!((row[1].reject - 0.5).abs() < 1e-6);
        assert_eq!(kept(162.0, 1.0).len(), 2, "surroundings that tell little");
        assert_eq!(kept(300.0, 3.0).len(), 2, "one face beside it");
        assert_eq!(
            kept(300.0, 5.0).len(),
            3,
            "one face beside it, and surroundings that tell much"
        );
        let apart = |heat: f32, around: f32| kept_at(200.0, heat, 300.0, around).len();
        assert_eq!((apart(0.8, 5.0), apart(0.8, 8.0)), (2, 3), "no face beside it");
        assert_eq!(apart(0.3, 8.0), 2, "hardly found");
    }

    #[test]
    fn a_flower_that_may_be_any_is_as_surely_a_tile_as_one_that_can_be_told() {
        let looks = [1.0, 1.5, 0.7].map(|scale| {
            let (low, high) = ([0, 0], [640, 480]);
            Look { low, high, scale, level: 0, pull: None }
        });
        let looks: Vec<Look> =
            looks.into_iter().enumerate().map(|(level, look)| Look { level, ..look }).collect();
        let kept = |around: f32| {
            let find = Find { quad: tile(100.0), heat: 0.7, back: false };
            let mut found = clusters(&[(find, looks[0]), (find, looks[1])], &looks);
            found.iter_mut().for_each(|cluster| cluster.tile = around);
            let mut flower = named(REJECT, 1.0);
            flower.classes[REJECT] = 0.1;
            flower.classes[Face::SET_FACES..BACK].fill(0.9 / 8.0);
            judged(found, vec![flower], &looks).len()
        };
        assert_eq!((kept(3.0), kept(1.0)), (1, 0));
    }

    #[test]
    fn a_face_that_one_scale_alone_shows_is_a_tile_if_it_is_named_surely_and_lies_like_one() {
        let look = |level: usize, scale: f32| {
            let (low, high) = ([0, 0], [640, 480]);
            Look { low, high, scale, level, pull: None }
        };
        let looks = [look(0, 1.0), look(1, 1.5), look(2, 0.7)];
        let kept = |class: usize, sure: f32, around: f32| {
            let find = Find { quad: tile(100.0), heat: 0.5, back: false };
            let mut found = clusters(&[(find, looks[0])], &looks);
            found.iter_mut().for_each(|cluster| cluster.tile = around);
            let mut face = named(class, 1.0);
            (face.classes[class], face.classes[REJECT]) = (sure, 1.0 - sure);
            judged(found, vec![face], &looks).len()
        };
        assert_eq!(kept(3, 0.99, 2.0), 1);
        assert_eq!(kept(3, 0.9, 2.0), 0, "not so sure");
        assert_eq!(kept(3, 0.99, -1.0), 0, "nothing around it is a tile's");
        assert_eq!(kept(white().expect("a white dragon"), 0.99, 2.0), 0, "no print");
    }

    #[test]
    fn a_blank_apart_from_faces_is_believed_where_it_was_found_surely_and_never_is_sure() {
        let look = Look { low: [0, 0], high: [640, 480], scale: 1.0, level: 0, pull: None };
        let white = white().expect("a white dragon");
        let find = |quad: Corners, heat: f32| (Find { quad, heat, back: false }, look);
        let kept = |heat: f32| {
            let seen = [find(tile(100.0), 0.9), find(tile(131.0), 0.8), find(tile(400.0), heat)];
            let mut blank = named(white, 1.0);
            (blank.classes[white], blank.classes[REJECT]) = (0.8, 0.2);
            let mut found = clusters(&seen, &[look]);
            found.iter_mut().for_each(|cluster| cluster.tile = 6.0);
            judged(found, vec![named(3, 1.0), named(4, 1.0), blank], &[look])
        };
        let told = kept(0.7);
        assert_eq!(told.len(), 3);
        assert!(told[2].faces[white] < SURE_FACE, "never surely");
        assert_eq!(kept(0.4).len(), 2, "what faces around look like has to bear it out");
    }

    #[test]
    fn print_that_nobody_can_name_is_strange_and_a_blank_or_a_known_face_is_not() {
        let white = white().expect("a face");
        let shows = |class: usize, sure: f32| {
            let mut named = named(REJECT, 1.0);
            named.classes[REJECT] = 1.0 - sure;
            named.classes[class] = sure;
            named
        };
        assert!(shows_strange_print(&shows(3, 0.1)));
        assert!(!shows_strange_print(&shows(3, 0.6)), "a face");
        assert!(!shows_strange_print(&shows(white, 0.1)), "nothing is printed on it");
        assert!(!shows_strange_print(&shows(BACK, 0.1)));
        let mut strange = shows(3, 0.1);
        make_strange(&mut strange);
        assert!(
            (strange.classes[3] - 0.5).abs() < 1e-6 && (strange.classes[REJECT] - 0.5).abs() < 1e-6
        );
    }
}

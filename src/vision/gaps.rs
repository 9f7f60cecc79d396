//! Places among tiles that hold a tile which was not found.
//!
//! Tiles that touch leave a place of exactly a tile only where there is one, or was one. What the
//! detector overlooks there is above all the plain white dragon: without a print it is a gap between
//! its neighbours. What lies around it tells it from cloth, and that it is as flat as their bodies and of their colour from
//! tiles that lie face down; how flat and how alike goes by how dark their print is, so that it holds in poor light.
//! Where a row of faces ends it may go on, too: a hand has more tiles than two.

use super::{judgement::covers, networks::CROP};
use crate::sight::{
    Corners,
    quad::{centre, from_corner, moved, nearest_start, overlap, sides, step},
};

/// From the middle of a face to that of the next is so many of its widths or heights.
const PITCH: f32 = 1.06;
/// Two tiles speak of one place when what they tell shares this much of both.
const AGREE: f32 = 0.6;
/// A place is taken where a tile covers this much of the smaller.
const TAKEN: f32 = 0.25;
/// Tiles lie to two sides of a place when the cosine between the ways to it is below this.
const OTHER_SIDE: f32 = 0.3;
/// Most places of one picture.
const MOST: usize = 48;

/// How much more than the place [`holds_blank`] is shown.
pub const ROOM: f32 = 1.4;
/// A place holds a tile where what speaks for one exceeds this logit: in 88 photos of `val`, made worse, blanks began at 3.5 but
/// for one, and what else is as plain ended at 3.1;
const IS_TILE: f32 = 3.3;
/// or where it exceeds this one, or nobody says, and an edge is to be seen on every side, by so many levels (0-255) at least.
const MAY_BE_TILE: f32 = -1.0;
const EDGE: f32 = 7.0;
/// A blank beyond a row's end, of which a single face tells, is one where what lies around exceeds this logit: sides of tiles and light backs lie there
/// too, and without colour look like it.
pub const BLANK_AT_END: f32 = 7.0;
/// What it shows itself counts so much beside what lies around it, as the classifier takes many a blank for no tile.
const ITSELF: f32 = 0.5;
/// In shares of the contrast of faces around, what is brightest on them less what is darkest: a blank is so much brighter
/// than their bodies at most,
const BRIGHTER: f32 = 0.35;
/// or so much darker,
const DARKER: f32 = 0.3;
/// of another tint by so much at most,
const TINT: f32 = 0.22;
/// which with how much darker it is makes so much at most, as what is coloured is darker too,
const TINT_AND_DARKER: f32 = 0.35;
/// and so much four pixels of five differ from its median at most;
const ROUGH: f32 = 0.2;
/// all of them by so many levels more, to which light is told.
const STEP: f32 = 1.0;

/// A place of one tile, and the tiles around it.
pub struct Place {
    /// Its corners, beginning anywhere.
    pub quad: Corners,
    /// Which of the faces lie around it.
    pub around: Vec<usize>,
}

/// The free places of a tile's size with `faces` to two sides at least; `taken`: every tile there is.
pub fn places(faces: &[Corners], taken: &[Corners]) -> Vec<Place> {
    struct Told {
        by: usize,
        way: [f32; 2],
        quad: Corners,
    }
    let mut told: Vec<Told> = Vec::new();
    for (by, face) in faces.iter().enumerate() {
        for step in steps(face) {
            let [x, y] = step;
            let (long, quad) = (x.hypot(y), moved(face, step));
            if long >= 1.0 && is_free(&quad, taken) {
                told.push(Told { by, way: [x / long, y / long], quad });
            }
        }
    }
    let mut places: Vec<Place> = Vec::new();
    while let Some(first) = told.pop() {
        if places.len() == MOST {
            break;
        }
        let mut quads = vec![first.quad];
        let mut around = vec![first.by];
        told.retain(|other| {
            let cosine = first.way[0] * other.way[0] + first.way[1] * other.way[1];
            let agrees = cosine < OTHER_SIDE
                && !around.contains(&other.by)
                && near(&first.quad, &other.quad)
                && overlap(&first.quad, &other.quad)[0] > AGREE;
            if agrees {
                quads.push(from_corner(&other.quad, nearest_start(&first.quad, &other.quad)));
                around.push(other.by);
            }
            !agrees
        });
        if around.len() > 1 {
            let share = 1.0 / quads.len() as f32;
            let quad = [0, 1, 2, 3].map(|corner| {
                [0, 1].map(|k| share * quads.iter().map(|quad| quad[corner][k]).sum::<f32>())
            });
            // Rows and columns that are a little shifted may tell of one place apart from one another.
            match places.iter_mut().find(|place| covers(&place.quad, &quad)) {
                Some(place) => place.around.extend(around),
                None => places.push(Place { quad, around }),
            }
        }
    }
    places
}

/// The free places beyond the ends of rows of `faces`, two at least, as large as the last of each, which alone lies around it; `taken`: every
/// tile there is.
pub fn ends(faces: &[Corners], taken: &[Corners]) -> Vec<Place> {
    let is_face = |quad: &Corners| {
        faces.iter().any(|face| near(face, quad) && overlap(face, quad)[0] > AGREE)
    };
    let ends = faces.iter().enumerate().flat_map(|(last, face)| {
        steps(face).map(|[x, y]| {
            let place = Place { quad: moved(face, [x, y]), around: vec![last] };
            (place, moved(face, [-x, -y]))
        })
    });
    ends.filter(|(place, before)| is_free(&place.quad, taken) && is_face(before))
        .map(|(place, _)| place)
        .take(MOST)
        .collect()
}

/// Whether no tile lies in a place.
pub fn is_free(quad: &Corners, taken: &[Corners]) -> bool {
    !taken.iter().any(|tile| near(tile, quad) && overlap(tile, quad)[1] > TAKEN)
}

/// The ways from a face's middle to those of its neighbours.
fn steps(face: &Corners) -> [[f32; 2]; 4] {
    [1, 3, 2, 0].map(|edge| step(face, edge).map(|way| PITCH * way))
}

fn near(a: &Corners, b: &Corners) -> bool {
    let ([ax, ay], [bx, by]) = (centre(a), centre(b));
    (ax - bx).hypot(ay - by) < sides(a)[1] + sides(b)[1]
}

/// What a face's body looks like, and how dark what is printed on it.
#[derive(Clone, Copy, Debug)]
pub struct Shade {
    /// Of the brightest fifth: print that is not sharp darkens what is round it.
    body: [f32; 3],
    ink: f32,
}

impl Shade {
    /// Of a face as in [`body`].
    pub fn of(crop: &[f32]) -> Self {
        let pixels = by_brightness(crop, CROP / 8);
        let body = median(&pixels[pixels.len() * 4 / 5..]);
        Self { body, ink: mean(pixels[pixels.len() / 20]) }
    }

    /// How much darker its print is than its body.
    pub fn print(&self) -> f32 {
        mean(self.body) - self.ink
    }
}

/// Whether a place holds a tile by what lies around it, a logit, NaN where nobody says; `reject`: the probability of none
/// by what it shows.
pub fn holds_tile(around: f32, reject: f32) -> bool {
    speaks(around, reject) > IS_TILE
}

/// What speaks for a tile, as a logit.
fn speaks(around: f32, reject: f32) -> f32 {
    let reject = reject.clamp(1e-3, 1.0 - 1e-3);
    around + ITSELF * ((1.0 - reject) / reject).ln()
}

/// Whether a place holds a blank face among such faces. `crop`: the place with [`ROOM`] around it, 3 x [`CROP`] x [`CROP`],
/// BGR, 0-255; `around` and `reject` as in [`holds_tile`].
pub fn holds_blank(crop: &[f32], faces: &[Shade], around: f32, reject: f32) -> bool {
    let speaks = speaks(around, reject);
    let is_tile =
        speaks > IS_TILE || (speaks > MAY_BE_TILE || speaks.is_nan()) && weakest_edge(crop) >= EDGE;
    is_tile && is_plain(crop, faces)
}

/// Pixels of a crop that the room around the place takes, along each edge.
fn margin() -> usize {
    (CROP as f32 * (1.0 - 1.0 / ROOM) / 2.0) as usize
}

/// How a place looks beside the bodies of faces, in levels (0-255).
#[derive(Clone, Copy, Debug)]
pub struct Beside {
    /// How much darker their print is than their bodies.
    pub contrast: f32,
    /// How much brighter the place is.
    pub brighter: f32,
    /// How much its tint differs.
    pub tinted: f32,
    /// How much yellower it is.
    pub yellower: f32,
    /// How much four pixels of five differ from its median at most.
    pub rough: f32,
}

/// Compares a place with faces, of which there is one at least; `crop` as in [`holds_blank`].
pub fn beside(crop: &[f32], faces: &[Shade]) -> Beside {
    let bodies: Vec<[f32; 3]> = faces.iter().map(|face| face.body).collect();
    let body = median(&bodies);
    // Of that with most print: another one may be a white dragon.
    let contrast = faces.iter().map(Shade::print).fold(0.0, f32::max);
    let inside = by_brightness(crop, margin() + 6);
    let colour = median(&inside);
    let mut off: Vec<f32> = inside.iter().map(|pixel| differ(*pixel, colour)).collect();
    off.sort_by(f32::total_cmp);
    let rough = off[off.len() * 4 / 5];
    let brighter = mean(colour) - mean(body);
    let tint = |colour: [f32; 3]| colour.map(|value| value - mean(colour));
    let (own, theirs) = (tint(colour), tint(body));
    let (tinted, yellower) = (differ(own, theirs), theirs[0] - own[0]);
    Beside { contrast, brighter, tinted, yellower, rough }
}

/// Whether a place is as flat as a blank and of the light and tint of these faces; `crop` as in [`holds_blank`].
pub fn is_plain(crop: &[f32], faces: &[Shade]) -> bool {
    if faces.is_empty() {
        return false;
    }
    let Beside { contrast, brighter, tinted, rough, .. } = beside(crop, faces);
    let within = |value: f32, share: f32| value <= share * contrast + STEP;
    within(brighter, BRIGHTER)
        && within(-brighter, DARKER)
        && within(tinted, TINT)
        && within(tinted - brighter, TINT_AND_DARKER)
        && within(rough, ROUGH)
}

/// Of the edges of a place that which differs least from what is within, in levels.
pub fn weakest_edge(crop: &[f32]) -> f32 {
    let edge = margin();
    // The lines along each side, from outside of it to within.
    let line = |side: usize, depth: usize| -> [f32; 3] {
        let pixels: Vec<[f32; 3]> = (edge + 6..CROP - edge - 6)
            .map(|along| match side {
                0 => pixel(crop, along, depth),
                1 => pixel(crop, CROP - 1 - depth, along),
                2 => pixel(crop, along, CROP - 1 - depth),
                _ => pixel(crop, depth, along),
            })
            .collect();
        median(&pixels)
    };
    let edges = (0..4).map(|side| {
        let within: Vec<[f32; 3]> = (edge + 7..edge + 14).map(|depth| line(side, depth)).collect();
        let within = median(&within);
        (edge - 7..edge + 5).map(|depth| differ(line(side, depth), within)).fold(0.0, f32::max)
    });
    edges.fold(f32::INFINITY, f32::min)
}

/// The pixels of a crop but for a margin, the darkest first.
fn by_brightness(crop: &[f32], margin: usize) -> Vec<[f32; 3]> {
    let inside = margin..CROP - margin;
    let mut pixels: Vec<[f32; 3]> = inside
        .clone()
        .flat_map(|y| inside.clone().map(move |x| (x, y)))
        .map(|(x, y)| pixel(crop, x, y))
        .collect();
    pixels.sort_by(|a, b| mean(*a).total_cmp(&mean(*b)));
    pixels
}

fn pixel(crop: &[f32], x: usize, y: usize) -> [f32; 3] {
    [0, 1, 2].map(|plane| crop[plane * CROP * CROP + y * CROP + x])
}

fn mean(colour: [f32; 3]) -> f32 {
    colour.iter().sum::<f32>() / 3.0
}

/// The largest difference of one channel.
fn differ(a: [f32; 3], b: [f32; 3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

/// Of each channel by itself.
pub fn median(pixels: &[[f32; 3]]) -> [f32; 3] {
    [0, 1, 2].map(|k| {
        let mut values: Vec<f32> = pixels.iter().map(|pixel| pixel[k]).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tile(x: f32, y: f32) -> Corners {
        [[x, y], [x + 30.0, y], [x + 30.0, y + 40.0], [x, y + 40.0]]
    }

    #[test]
    fn a_gap_of_one_tile_in_a_row_is_a_place() {
        let row = [0.0, 32.0, 96.0, 128.0].map(|x| tile(x, 0.0));
        let found = places(&row, &row);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].around.len(), 2);
        assert!(overlap(&found[0].quad, &tile(64.0, 0.0))[0] > 0.9);
        // Whichever corner a tile begins with.
        let turned = [row[0], from_corner(&row[1], 2), from_corner(&row[2], 1), row[3]];
        assert_eq!(places(&turned, &turned).len(), 1);
    }

    #[test]
    fn a_corner_of_a_grid_is_a_place_and_the_ends_of_a_row_are_none() {
        let grid = [tile(0.0, 0.0), tile(32.0, 0.0), tile(0.0, 42.0)];
        let found = places(&grid, &grid);
        assert_eq!(found.len(), 1);
        assert!(overlap(&found[0].quad, &tile(32.0, 42.0))[0] > 0.9);
        let row = [0.0, 32.0, 64.0].map(|x| tile(x, 0.0));
        assert!(places(&row, &row).is_empty());
    }

    #[test]
    fn a_hole_in_rows_whose_columns_are_shifted_is_one_place() {
        let beside = [tile(0.0, 0.0), tile(64.0, 0.0)];
        let above_and_below = [tile(41.0, -42.0), tile(41.0, 42.0)];
        let both = [beside, above_and_below].concat();
        let around = places(&both, &both).into_iter().map(|place| place.around.len());
        assert_eq!(around.collect::<Vec<_>>(), [4]);
    }

    #[test]
    fn a_row_may_go_on_at_both_ends_and_not_to_its_sides() {
        let row = [0.0, 32.0, 64.0].map(|x| tile(x, 0.0));
        let mut found = ends(&row, &row);
        found.sort_by(|a, b| a.quad[0][0].total_cmp(&b.quad[0][0]));
        assert_eq!(found.len(), 2);
        for (place, x) in found.iter().zip([-32.0, 96.0]) {
            assert!(overlap(&place.quad, &tile(x, 0.0))[0] > 0.9);
        }
        let turned = [row[0], from_corner(&row[1], 2), from_corner(&row[2], 1)];
        assert_eq!(ends(&turned, &turned).len(), 2, "whichever corner a tile begins with");
        let with_next: Vec<Corners> = row.iter().copied().chain([tile(98.0, 6.0)]).collect();
        assert_eq!(ends(&row, &with_next).len(), 1, "one end is taken");
        assert!(ends(&row[..1], &row[..1]).is_empty(), "one tile is no row");
        let apart = [tile(0.0, 0.0), tile(50.0, 0.0)];
        assert!(ends(&apart, &apart).is_empty());
    }

    #[test]
    fn narrower_and_wider_gaps_and_what_is_taken_are_no_places() {
        for gap in [40.0, 52.0, 84.0, 110.0] {
            let row = [0.0, 32.0, 32.0 + gap, 64.0 + gap].map(|x| tile(x, 0.0));
            assert!(places(&row, &row).is_empty(), "{gap}");
        }
        let row = [0.0, 32.0, 96.0, 128.0].map(|x| tile(x, 0.0));
        let all: Vec<Corners> = row.iter().copied().chain([tile(66.0, 3.0)]).collect();
        assert!(places(&row, &all).is_empty());
    }

    /// A crop of one colour, with `print` in its middle.
    fn crop(colour: [f32; 3], print: f32) -> Vec<f32> {
        let middle = 20..44;
        let value = |of: f32, at: usize| {
            let (x, y) = (at % CROP, at / CROP);
            if middle.contains(&x) && middle.contains(&y) { print } else { of }
        };
        colour.iter().flat_map(|of| (0..CROP * CROP).map(|at| value(*of, at))).collect()
    }

    #[test]
    fn a_blank_is_as_bright_as_the_faces_around_and_of_their_tint_by_any_light() {
        // As it is, in a fifth of the light, and through a veil.
        for light in [|level: f32| level, |level| 0.2 * level, |level| 130.0 + 0.3 * level] {
            let of = |colour: [f32; 3], print: f32| crop(colour.map(light), light(print));
            let faces = [Shade::of(&of([195.0; 3], 45.0)); 2];
            let is = |colour: [f32; 3], print: f32| is_plain(&of(colour, print), &faces);
            assert!(is([207.0; 3], 207.0));
            assert!(is([190.0; 3], 186.0), "a little darker, with a mark");
            assert!(!is([140.0; 3], 140.0), "darker: another thing");
            assert!(!is([255.0; 3], 255.0), "paper in the light");
            assert!(!is([160.0, 205.0, 235.0], 205.0), "a back, or wood");
            assert!(is([195.0, 218.0, 225.0], 212.0), "warmer, and no darker: the light");
            assert!(!is([132.0, 170.0, 178.0], 160.0), "as much warmer, and darker: a back");
            let one_is_white = [faces[0], faces[0], Shade::of(&of([200.0; 3], 200.0))];
            let dim = of([160.0; 3], 160.0);
            assert!(
                is_plain(&dim, &one_is_white),
                "a white dragon tells nothing of how dark print is"
            );
            assert!(!is([205.0; 3], 60.0), "something is printed on it");
        }
        assert!(!is_plain(&crop([200.0; 3], 200.0), &[]), "nothing to compare it with");
    }

    #[test]
    fn a_place_holds_a_tile_by_what_lies_around_it_and_by_what_it_shows() {
        assert!(holds_tile(5.0, 0.5), "nothing speaks against it");
        assert!(holds_tile(2.5, 0.01) && !holds_tile(2.5, 0.5), "what it shows counts a little");
        assert!(!holds_tile(-1.0, 0.0), "and not for all");
        assert!(!holds_tile(f32::NAN, 0.0), "nobody says");
    }

    #[test]
    fn what_lies_around_a_place_or_its_edges_tell_of_a_tile() {
        let faces = [Shade::of(&crop([200.0; 3], 50.0)); 2];
        let flat = crop([200.0; 3], 200.0);
        let is = |around: f32, reject: f32| holds_blank(&flat, &faces, around, reject);
        assert!(is(8.0, 0.98), "a plain blank looks like no tile");
        assert!(is(2.4, 0.08), "one that looks like a tile in dim surroundings");
        assert!(!is(2.8, 0.36) && !is(1.3, 0.97), "cloth, and sides of tiles");
        assert!(!is(-2.0, 0.0), "the surest face does not outweigh cloth all around");
        assert!(!is(f32::NAN, 0.0), "nobody says, and no edge does");
        // A line around the place, and one that leaves a side of it open.
        let edge = margin();
        let lined = |from: usize| {
            let mut crop = flat.clone();
            for plane in crop.chunks_exact_mut(CROP * CROP) {
                for (at, value) in plane.iter_mut().enumerate() {
                    let (x, y) = (at % CROP, at / CROP);
                    let out = x.min(y).min(CROP - 1 - x).min(CROP - 1 - y);
                    if out + 1 == edge && y >= from {
                        *value = 150.0;
                    }
                }
            }
            crop
        };
        assert!(holds_blank(&lined(0), &faces, 0.3, 0.05), "an edge on every side");
        assert!(!holds_blank(&lined(edge), &faces, 0.3, 0.05), "one side has none");
        assert!(!holds_blank(&lined(0), &faces, -3.0, 0.3), "among cloth");
        assert!(holds_blank(&lined(0), &faces, f32::NAN, 0.3), "nobody says, the edges do");
    }
}

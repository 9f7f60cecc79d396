//! Places among tiles that hold a tile which was not found.
//!
//! Tiles that touch leave a place of exactly a tile only where there is one, or was one. What the
//! detector overlooks there is above all the plain white dragon: without a print it is a gap between
//! its neighbours. It tells itself from cloth by being as flat and as bright as their bodies, with an edge on
//! every side; in 1,450 photos with 56 such places this was so for 52, and for five side walls.

use super::{
    Corners,
    classifier::CROP,
    quad::{centre, from_corner, nearest_start, overlap, sides},
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

/// How much more than the place [`is_blank`] is shown.
pub const ROOM: f32 = 1.4;
/// Levels (0-255) by which the flat inside differs from its median, at most, for four pixels of five;
/// under a glare more, up to this share of what the weakest edge differs by.
const FLAT: f32 = 10.0;
const FLAT_BY_EDGE: f32 = 1.0 / 3.0;
/// Levels by which each edge differs from the inside, at least.
const EDGE: f32 = 7.0;
/// Levels by which a blank is brighter than the bodies of faces: print darkens what is round it.
const BRIGHTER: [f32; 2] = [-6.0, 55.0];
/// Levels by which its tint differs from theirs, at most.
const TINT: f32 = 12.0;

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
        let edge = |a: usize, b: usize, c: usize, d: usize| {
            [0, 1].map(|k| (face[b][k] - face[a][k] + face[c][k] - face[d][k]) / 2.0)
        };
        for [x, y] in [edge(0, 1, 2, 3), edge(1, 0, 3, 2), edge(0, 3, 2, 1), edge(3, 0, 1, 2)] {
            let long = x.hypot(y);
            if long < 1.0 {
                continue;
            }
            let quad = face.map(|corner| [corner[0] + PITCH * x, corner[1] + PITCH * y]);
            if !taken.iter().any(|tile| near(tile, &quad) && overlap(tile, &quad)[1] > TAKEN) {
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
            places.push(Place { quad, around });
        }
    }
    places
}

fn near(a: &Corners, b: &Corners) -> bool {
    let ([ax, ay], [bx, by]) = (centre(a), centre(b));
    (ax - bx).hypot(ay - by) < sides(a)[1] + sides(b)[1]
}

/// The colour of a face's body: of the brighter half of its pixels. `crop`: 3 x [`CROP`] x [`CROP`].
pub fn body(crop: &[f32]) -> [f32; 3] {
    let margin = CROP / 8;
    let inside = margin..CROP - margin;
    let mut pixels: Vec<[f32; 3]> = inside
        .clone()
        .flat_map(|y| inside.clone().map(move |x| (x, y)))
        .map(|(x, y)| pixel(crop, x, y))
        .collect();
    pixels.sort_by(|a, b| mean(*a).total_cmp(&mean(*b)));
    median(&pixels[pixels.len() * 11 / 20..])
}

/// Whether a place looks like a blank face among faces of these bodies. `crop`: the place with
/// [`ROOM`] around it, 3 x [`CROP`] x [`CROP`], BGR, 0-255.
pub fn is_blank(crop: &[f32], bodies: &[[f32; 3]]) -> bool {
    if bodies.is_empty() {
        return false;
    }
    let side = CROP as f32;
    let edge = (side * (1.0 - 1.0 / ROOM) / 2.0) as usize;
    let inner = edge + 6..CROP - edge - 6;
    let inside: Vec<[f32; 3]> = inner
        .clone()
        .flat_map(|y| inner.clone().map(move |x| (x, y)))
        .map(|(x, y)| pixel(crop, x, y))
        .collect();
    let colour = median(&inside);
    let mut off: Vec<f32> = inside.iter().map(|pixel| differ(*pixel, colour)).collect();
    off.sort_by(f32::total_cmp);
    let rough = off[off.len() * 4 / 5];
    let share = 1.0 / bodies.len() as f32;
    let body = [0, 1, 2].map(|k| share * bodies.iter().map(|body| body[k]).sum::<f32>());
    let brighter = mean(colour) - mean(body);
    let tint = |colour: [f32; 3]| colour.map(|value| value - mean(colour));
    if !(BRIGHTER[0]..BRIGHTER[1]).contains(&brighter) || differ(tint(colour), tint(body)) > TINT {
        return false;
    }
    // The lines along each side, from outside of it to within.
    let line = |side: usize, depth: usize| -> [f32; 3] {
        let pixels: Vec<[f32; 3]> = inner
            .clone()
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
    let weakest = edges.fold(f32::INFINITY, f32::min);
    weakest >= EDGE && rough <= FLAT.max(FLAT_BY_EDGE * weakest)
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
    fn narrower_and_wider_gaps_and_what_is_taken_are_no_places() {
        for gap in [40.0, 52.0, 84.0, 110.0] {
            let row = [0.0, 32.0, 32.0 + gap, 64.0 + gap].map(|x| tile(x, 0.0));
            assert!(places(&row, &row).is_empty(), "{gap}");
        }
        let row = [0.0, 32.0, 96.0, 128.0].map(|x| tile(x, 0.0));
        let all: Vec<Corners> = row.iter().copied().chain([tile(66.0, 3.0)]).collect();
        assert!(places(&row, &all).is_empty());
    }

    /// A place of `inside` with a line of `edge` round it, on `around`.
    fn crop(inside: f32, edge: f32, around: f32) -> Vec<f32> {
        let value = |x: usize, y: usize| match x.min(y).min(CROP - 1 - x).min(CROP - 1 - y) {
            0..8 => around,
            8..10 => edge,
            _ => inside,
        };
        let plane = (0..CROP * CROP).map(|at| value(at % CROP, at / CROP));
        plane.clone().chain(plane.clone()).chain(plane).collect()
    }

    #[test]
    fn a_blank_is_as_bright_as_its_neighbours_and_has_an_edge_on_every_side() {
        let bodies = [[200.0; 3]; 2];
        assert!(is_blank(&crop(205.0, 150.0, 200.0), &bodies));
        assert!(is_blank(&crop(205.0, 205.0, 60.0), &bodies), "on dark cloth");
        assert!(!is_blank(&crop(205.0, 205.0, 203.0), &bodies), "white cloth runs on");
        assert!(!is_blank(&crop(150.0, 100.0, 200.0), &bodies), "darker");
        assert!(!is_blank(&crop(205.0, 150.0, 200.0), &[]));
        let mut open = crop(205.0, 150.0, 200.0);
        for plane in open.chunks_exact_mut(CROP * CROP) {
            plane[..16 * CROP].fill(205.0);
        }
        assert!(!is_blank(&open, &bodies), "one side has no edge");
        let mut printed = crop(205.0, 150.0, 200.0);
        for plane in printed.chunks_exact_mut(CROP * CROP) {
            (20..44).for_each(|y| plane[y * CROP + 20..y * CROP + 40].fill(60.0));
        }
        assert!(!is_blank(&printed, &bodies), "something is printed on it");
        let tinted: Vec<f32> = [160.0, 205.0, 235.0]
            .iter()
            .flat_map(|of| crop(*of, 90.0, 80.0)[..CROP * CROP].to_vec())
            .collect();
        assert!(!is_blank(&tinted, &bodies), "wood");
    }

    #[test]
    fn the_body_of_a_face_is_what_is_not_printed() {
        let mut face = vec![210.0; 3 * CROP * CROP];
        for plane in face.chunks_exact_mut(CROP * CROP) {
            plane[CROP * 20..CROP * 36].fill(30.0);
        }
        assert_eq!(body(&face), [210.0; 3]);
    }
}

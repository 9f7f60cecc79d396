//! Finds where a picture changes, from a small grey copy that is cheap enough for every frame.

use std::time::Duration;

use crate::{
    picture::Picture,
    sight::{Corners, quad},
};
/// Cells across the longer side.
const CELLS: u32 = 96;
/// Least change of a cell's mean that is not noise, in grey levels.
const CHANGE: f32 = 6.0;
/// Distance by which an edge in a cell may tremble, in pixels.
const TREMBLES: f32 = 0.6;
/// Least share of the picture that changes at once where something moves; a smaller share is also what a video's
/// compression changes.
const MOVES: f32 = 0.004;
/// Share of changed surroundings from which on something lies or rests there.
const OTHER: f32 = 0.25;
/// One in this number of rows of a cell is sampled.
const ROWS: usize = 2;
/// Time without change after which nothing moves in a cell.
const CALM: Duration = Duration::from_millis(300);
/// Largest distance, in cells, between changed cells that belong together.
const TOGETHER: u32 = 3;

/// When each part of the picture last changed.
#[derive(Default)]
pub(super) struct Changes {
    width: u32,
    height: u32,
    columns: u32,
    /// Grey of each cell at its last change, so that a slow change adds up.
    grey: Vec<f32>,
    changed: Vec<Duration>,
    /// Largest change of each cell's grey by a trembling edge.
    trembles: Vec<f32>,
    /// Grey of each cell when it was last calm, without a missing tile nearby.
    calm: Vec<Option<f32>>,
    /// Grey of each cell when it was last calm and without a tile.
    without: Vec<Option<f32>>,
    last: Duration,
    last_move: Duration,
}

impl Changes {
    /// Takes in a frame; returns whether any part of it changed.
    pub fn watch(&mut self, picture: &Picture, at: Duration) -> bool {
        let (width, height) = (picture.width(), picture.height());
        let side = width.max(height).div_ceil(CELLS).max(1);
        if (width, height) != (self.width, self.height) {
            let (columns, rows) = (width.div_ceil(side), height.div_ceil(side));
            let cells = (columns * rows) as usize;
            // Far from any grey: in the first frame everything changes.
            let (grey, changed, calm) = (vec![-1e3; cells], vec![at; cells], vec![None; cells]);
            let (without, trembles) = (calm.clone(), vec![0.0; cells]);
            *self = Self {
                width,
                height,
                columns,
                grey,
                changed,
                trembles,
                calm,
                without,
                last: at,
                last_move: at,
            };
        }
        let mut count = 0;
        let now = means(picture, side, self.columns);
        let known = self.grey.iter_mut().zip(&mut self.changed).zip(&mut self.trembles);
        for ((now, range), ((grey, changed), trembles)) in now.into_iter().zip(known) {
            *trembles = range * TREMBLES / side as f32;
            if (now - *grey).abs() > CHANGE + *trembles {
                (*grey, *changed, count) = (now, at, count + 1);
            }
        }
        if count > 0 {
            self.last = at;
        }
        if count as f32 > MOVES * self.grey.len() as f32 {
            self.last_move = at;
        }
        count > 0
    }

    /// Boxes (left, top, right, bottom, in pixels) around the changes in the frame of this time.
    pub fn boxes(&self, at: Duration) -> Vec<[f32; 4]> {
        let columns = self.columns.max(1);
        // In cells, including the last ones.
        let mut boxes: Vec<[u32; 4]> = Vec::new();
        for (cell, _) in self.changed.iter().enumerate().filter(|(_, changed)| **changed == at) {
            let (x, y) = (cell as u32 % columns, cell as u32 / columns);
            let mut all = [x, y, x, y];
            // The merged box may join others.
            while let Some(near) = boxes.iter().position(|other| are_near(other, &all)) {
                let [l, t, r, b] = boxes.swap_remove(near);
                all = [l.min(all[0]), t.min(all[1]), r.max(all[2]), b.max(all[3])];
            }
            boxes.push(all);
        }
        let side = self.side() as f32;
        let pixels = |[l, t, r, b]: [u32; 4]| [l, t, r + 1, b + 1].map(|cell| cell as f32 * side);
        boxes.into_iter().map(pixels).collect()
    }

    /// Pixels across and down a cell.
    fn side(&self) -> u32 {
        self.width.max(self.height).div_ceil(CELLS).max(1)
    }

    /// How long nothing has changed anywhere.
    pub fn quiet(&self, now: Duration) -> Duration {
        now.saturating_sub(self.last)
    }

    /// When something last moved: a change of more than a few cells.
    pub fn moved(&self) -> Duration {
        self.last_move
    }

    /// Records the calm look of the cells beside visible tiles and where there is no tile; not near a missing
    /// tile, since something that covers it may rest there.
    pub fn remember(&mut self, seen: &[Corners], missing: &[Corners], at: Duration) {
        let mask = |boxes: &mut dyn Iterator<Item = [f32; 4]>| {
            let mut mask = vec![false; self.grey.len()];
            boxes.flat_map(|place| self.cells(place)).for_each(|cell| mask[cell] = true);
            mask
        };
        let under = mask(&mut seen.iter().map(quad::bounding_box));
        let near = mask(&mut missing.iter().map(around));
        for cell in 0..self.grey.len() {
            if near[cell] || at.saturating_sub(self.changed[cell]) < CALM {
                continue;
            }
            self.calm[cell] = Some(self.grey[cell]);
            if !under[cell] {
                self.without[cell] = self.calm[cell];
            }
        }
    }

    /// Whether a place looks as it did without a tile.
    pub fn is_as_without(&self, place: &Corners) -> bool {
        let as_without = |cell: usize| {
            self.without[cell].is_some_and(|without| (self.grey[cell] - without).abs() <= CHANGE)
        };
        !self.grey.is_empty() && self.cells(quad::bounding_box(place)).all(as_without)
    }

    fn is_other(&self, cell: usize) -> bool {
        let differs = |calm: f32| (self.grey[cell] - calm).abs() > CHANGE + self.trembles[cell];
        self.calm[cell].is_some_and(differs)
    }

    /// Whether the surroundings of a place, to a tile's length, differ from their calm look. Cells under `tiles`
    /// do not count: those tiles may be gone as well.
    pub fn is_other_around(&self, place: &Corners, tiles: &[Corners]) -> bool {
        let mut around: Vec<usize> = self.cells(around(place)).collect();
        for tile in tiles.iter().chain([place]) {
            let under: Vec<usize> = self.cells(quad::bounding_box(tile)).collect();
            around.retain(|cell| !under.contains(cell));
        }
        let count = around.iter().filter(|cell| self.is_other(**cell)).count();
        !around.is_empty() && count as f32 > OTHER * around.len() as f32
    }

    /// The cells that a box (left, top, right, bottom, in pixels) touches.
    fn cells(&self, [left, top, right, bottom]: [f32; 4]) -> impl Iterator<Item = usize> + use<> {
        let side = self.side() as f32;
        let columns = self.columns;
        let rows = (self.grey.len() as u32).checked_div(columns).unwrap_or(0);
        let span = move |from: f32, to: f32, most: u32| {
            let cell = |value: f32| (value / side).clamp(0.0, most.saturating_sub(1) as f32) as u32;
            if most == 0 { 0..0 } else { cell(from)..cell(to) + 1 }
        };
        span(top, bottom, rows).flat_map(move |row| {
            span(left, right, columns).map(move |column| (row * columns + column) as usize)
        })
    }
}

/// A box around a place, with a tile's length of room.
fn around(place: &Corners) -> [f32; 4] {
    let reach = quad::sides(place)[1];
    let [left, top, right, bottom] = quad::bounding_box(place);
    [left - reach, top - reach, right + reach, bottom + reach]
}

fn are_near(a: &[u32; 4], b: &[u32; 4]) -> bool {
    let apart = |axis: usize| a[axis].max(b[axis]).saturating_sub(a[axis + 2].min(b[axis + 2]));
    apart(0) <= TOGETHER && apart(1) <= TOGETHER
}

/// Mean grey of each cell, row by row, and the difference between its brightest and its darkest pixel.
fn means(picture: &Picture, side: u32, columns: u32) -> Vec<(f32, f32)> {
    let rgb = picture.rgb();
    let (side, columns) = (side as usize, columns as usize);
    let band = |rows: &[u8]| {
        let mut cells = vec![(0u32, 0u32, u8::MAX, u8::MIN); columns];
        for row in rows.chunks_exact(3 * rgb.width() as usize).step_by(ROWS) {
            for (values, (sum, count, least, most)) in row.chunks(3 * side).zip(&mut cells) {
                *sum += values.iter().map(|value| u32::from(*value)).sum::<u32>();
                *count += values.len() as u32;
                // Green alone: bright red beside dark blue is not an edge.
                for pixel in values.chunks_exact(3) {
                    (*least, *most) = ((*least).min(pixel[1]), (*most).max(pixel[1]));
                }
            }
        }
        cells.into_iter().map(|(sum, count, least, most)| {
            (sum as f32 / count.max(1) as f32, f32::from(most.saturating_sub(least)))
        })
    };
    rgb.as_raw().chunks(3 * rgb.width() as usize * side).flat_map(band).collect()
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    fn picture(grey: u8, square: Option<[u32; 2]>) -> Picture {
        let inside = |x: u32, y: u32| {
            square.is_some_and(|[u, v]| (u..u + 30).contains(&x) && (v..v + 40).contains(&y))
        };
        // Noise of a few levels, different in each frame.
        let noise = |x: u32, y: u32| ((x * 7 + y * 13 + u32::from(grey)) % 5) as u8;
        Picture::from_rgb(RgbImage::from_fn(640, 360, |x, y| {
            Rgb([if inside(x, y) { 230 } else { 90 + noise(x, y) }; 3])
        }))
        .unwrap()
    }

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn noise_is_no_change_and_a_tile_is_one_where_it_lies() {
        let mut changes = Changes::default();
        assert!(changes.watch(&picture(0, None), ms(0)));
        assert!(!changes.watch(&picture(1, None), ms(100)));
        assert!(changes.watch(&picture(2, Some([300, 100])), ms(200)));
        assert!(!changes.watch(&picture(3, Some([300, 100])), ms(300)));
        assert_eq!(changes.quiet(ms(400)), ms(200));
    }

    #[test]
    fn a_picture_of_another_size_is_all_new() {
        let mut changes = Changes::default();
        for (frame, [width, height]) in [[640, 360], [480, 640], [640, 360]].into_iter().enumerate()
        {
            let at = ms(100 * frame as u64);
            let grey = RgbImage::from_pixel(width, height, Rgb([90; 3]));
            assert!(changes.watch(&Picture::from_rgb(grey).unwrap(), at));
            let [left, top, right, bottom] = changes.boxes(at)[0];
            assert_eq!([left, top], [0.0; 2]);
            assert!(right >= width as f32 && bottom >= height as f32, "{right} x {bottom}");
        }
    }

    #[test]
    fn a_hand_shows_around_a_tile_and_a_tile_taken_away_does_not() {
        let tile = [[300.0, 100.0], [330.0, 100.0], [330.0, 140.0], [300.0, 140.0]];
        let mut changes = Changes::default();
        changes.watch(&picture(0, Some([300, 100])), ms(0));
        changes.remember(&[tile], &[], ms(300));
        changes.watch(&picture(1, None), ms(400));
        changes.remember(&[], &[tile], ms(400));
        assert!(!changes.is_other_around(&tile, &[tile]));
        let arm = |x: u32, y: u32| if (280..420).contains(&x) && y > 60 { 200 } else { 91 };
        let hand = RgbImage::from_fn(640, 360, |x, y| Rgb([arm(x, y); 3]));
        changes.watch(&Picture::from_rgb(hand).unwrap(), ms(500));
        for seconds in 1..10 {
            changes.remember(&[], &[tile], ms(1000 * seconds));
            assert!(changes.is_other_around(&tile, &[tile]), "however long it rests");
        }
    }

    #[test]
    fn a_place_that_looks_as_it_did_before_the_tile_came_is_empty() {
        let tile = [[300.0, 100.0], [330.0, 100.0], [330.0, 140.0], [300.0, 140.0]];
        let mut changes = Changes::default();
        changes.watch(&picture(0, Some([300, 100])), ms(0));
        changes.remember(&[tile], &[], ms(300));
        changes.watch(&picture(1, None), ms(400));
        assert!(!changes.is_as_without(&tile), "nobody knows how it looks there");
        changes.remember(&[], &[], ms(700));
        // A tile, and an arm that rests beside it, which goes with it.
        let arm = |x: u32, y: u32| (250..420).contains(&x) && y > 60;
        let with_arm =
            RgbImage::from_fn(640, 360, |x, y| Rgb([if arm(x, y) { 200 } else { 91 }; 3]));
        changes.watch(&Picture::from_rgb(with_arm).unwrap(), ms(800));
        assert!(!changes.is_as_without(&tile));
        changes.remember(&[tile], &[], ms(1100));
        changes.watch(&picture(2, None), ms(1200));
        assert!(changes.is_other_around(&tile, &[tile]) && changes.is_as_without(&tile));
    }

    #[test]
    fn an_edge_that_trembles_is_no_change_and_one_that_moves_is() {
        // A tile's edge by shares of a pixel, as a camera that shakes in the wind shows it.
        let edge = |at: f32| {
            let value = |x: u32| 60.0 + 180.0 * (x as f32 + 1.0 - at).clamp(0.0, 1.0);
            let rgb = RgbImage::from_fn(1280, 720, |x, _| Rgb([value(x) as u8; 3]));
            Picture::from_rgb(rgb).unwrap()
        };
        let mut changes = Changes::default();
        changes.watch(&edge(600.0), ms(0));
        for (k, at) in [600.3, 599.6, 600.5, 600.1].into_iter().enumerate() {
            assert!(!changes.watch(&edge(at), ms(33 * (k as u64 + 1))), "{at}");
        }
        assert!(changes.watch(&edge(602.0), ms(200)));
    }

    #[test]
    fn a_few_cells_that_flicker_are_a_change_and_no_movement() {
        let flicker = |at: u32, size: u32| {
            let inside =
                |x: u32, y: u32| (at..at + size).contains(&x) && (20..20 + size).contains(&y);
            let rgb =
                RgbImage::from_fn(1280, 720, |x, y| Rgb([if inside(x, y) { 130 } else { 90 }; 3]));
            Picture::from_rgb(rgb).unwrap()
        };
        let mut changes = Changes::default();
        changes.watch(&flicker(100, 20), ms(0));
        for k in 1..20u64 {
            assert!(changes.watch(&flicker(100 + 60 * k as u32, 20), ms(33 * k)));
        }
        assert_eq!(changes.moved(), ms(0));
        changes.watch(&flicker(200, 90), ms(700));
        assert_eq!(changes.moved(), ms(700));
    }

    #[test]
    fn what_changes_apart_has_boxes_of_its_own() {
        let two = |first: bool, second: bool| {
            let inside = |x: u32, y: u32, [u, v]: [u32; 2]| {
                (u..u + 30).contains(&x) && (v..v + 40).contains(&y)
            };
            Picture::from_rgb(RgbImage::from_fn(640, 360, |x, y| {
                let there = first && inside(x, y, [70, 70]) || second && inside(x, y, [490, 210]);
                Rgb([if there { 230 } else { 90 }; 3])
            }))
            .unwrap()
        };
        let mut changes = Changes::default();
        changes.watch(&two(false, false), ms(0));
        assert_eq!(changes.boxes(ms(0)), [[0.0, 0.0, 644.0, 364.0]], "the first frame is all new");
        changes.watch(&two(true, true), ms(33));
        let boxes = changes.boxes(ms(33));
        assert_eq!(boxes.len(), 2, "{boxes:?}");
        for [x, y] in [[85.0, 90.0], [505.0, 230.0]] {
            let inside = |[l, t, r, b]: &[f32; 4]| *l < x && x < *r && *t < y && y < *b;
            assert!(boxes.iter().any(inside), "{boxes:?}");
        }
        assert!(!changes.watch(&two(true, true), ms(66)) && changes.boxes(ms(66)).is_empty());
    }

    #[test]
    fn a_slow_change_adds_up() {
        let plain = |grey| Picture::from_rgb(RgbImage::from_pixel(64, 64, Rgb([grey; 3]))).unwrap();
        let mut changes = Changes::default();
        let seen: Vec<bool> =
            (0..10).map(|k| changes.watch(&plain(100 + k), ms(u64::from(k)))).collect();
        assert_eq!(seen.iter().filter(|change| **change).count(), 2);
    }
}

//! Chooses the detector's passes: which parts of a picture it is shown, and at which scale. The whole picture comes
//! first, then smaller scales for tiles that may fill it, and larger ones where small tiles were detected.

use super::{detections::Detection, pixels::Linear};
use crate::sight::{
    Corners,
    quad::{bounding_box, sides},
    rank::quantile,
};

/// Long side of the whole picture in the first pass, in pixels as shown.
const WHOLE: f32 = 640.0;
/// Long sides of the whole picture for tiles too large for the first pass, in pixels as shown.
const AFAR: [f32; 2] = [288.0, 144.0];
/// Short side, in pixels as shown, from which on the detector is unreliable.
const LARGE: f32 = 90.0;
/// Least score of a detection that shows that all tiles are small: cloth and print look a little like tiles of
/// few pixels.
const TELLS_SMALL: f32 = 0.6;
/// Long sides of additional passes over a picture of laid out tiles, in pixels as shown.
const LAID_OUT: [f32; 3] = [384.0, 1024.0, 1600.0];
/// Long side of the closer pass over a large picture without detections, in pixels as shown.
const CLOSER: f32 = 1600.0;
/// Largest enlargement of a picture.
const MOST_ENLARGED: f32 = 2.5;
/// Short side of tiles in a closer pass, in pixels as shown.
const COMFORTABLE: f32 = 48.0;
/// Least short side of tiles in a closer pass, where [`COMFORTABLE`] would exceed the budget.
const SMALLEST: f32 = 22.0;
/// Pixels that the closer passes over a picture take, about.
const BUDGET: f32 = 1.0e6;
/// Least enlargement of a closer pass over the pass before.
const WORTH_IT: f32 = 1.2;
/// Room around detections in a closer pass, in short sides of a tile.
const ROOM: f32 = 3.0;
/// Most pixels of one pass, which bounds the memory.
const MOST_PIXELS: f32 = 2.4e6;

/// Short side of tiles in a pass over a live frame, in pixels as shown.
const LIVE: f32 = 26.0;
/// Least short side of tiles in a live pass, where [`LIVE`] would exceed [`LIVE_PIXELS`].
const LIVE_LEAST: f32 = 18.0;
/// Pixels of a live pass, about.
const LIVE_PIXELS: f32 = 0.5e6;
/// Room around a change in a live pass, in short sides of a tile.
const LIVE_ROOM: f32 = 2.5;
/// Windows are merged if the result is at most this many times as large as both together.
const MERGED: f32 = 1.15;
/// Share of changed area from which on the whole frame is read.
const LIVE_WHOLE: f32 = 0.7;

/// One pass of the detector: a part of the picture at a scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DetectorPass {
    /// Left and top in pixels of the picture.
    pub low: [i32; 2],
    /// Right and bottom.
    pub high: [i32; 2],
    /// Pixels shown for one of the picture.
    pub scale: f32,
    /// Number of its scale: several parts may share one scale.
    pub level: usize,
    /// Linear map that stretches it into another shape.
    pub pull: Option<Linear>,
    /// Whether light and dark are exchanged in it.
    pub exchanged: bool,
}

impl DetectorPass {
    /// The shorter side of a quad in pixels as it is shown.
    pub fn shown(&self, quad: &Corners) -> f32 {
        let quad = self.pull.map_or(*quad, |pull| pulled(quad, pull));
        self.scale * sides(&quad)[0]
    }
}

fn pulled(quad: &Corners, [[a, b], [c, d]]: Linear) -> Corners {
    quad.map(|[x, y]| [a * x + b * y, c * x + d * y])
}

/// Passes over the detections, stretched by `pull`; over the whole picture without detections.
pub fn in_shape(
    width: u32,
    height: u32,
    detections: &[Detection],
    pull: Linear,
    level: usize,
) -> Vec<DetectorPass> {
    let shorts: Vec<f32> =
        detections.iter().map(|detection| sides(&pulled(&detection.quad, pull))[0]).collect();
    let comfortable = typical(&shorts).map(|short| COMFORTABLE / short);
    let boxes =
        detections.iter().map(|detection| with_room(&detection.quad, sides(&detection.quad)[1]));
    let mut windows = merged(width, height, boxes);
    if detections.is_empty() {
        windows.push([0.0, 0.0, width as f32, height as f32]);
    }
    let [[a, b], [c, d]] = pull.map(|row| row.map(f32::abs));
    let size = |[left, top, right, bottom]: [f32; 4]| {
        let (across, down) = (right - left, bottom - top);
        [a * across + b * down, c * across + d * down]
    };
    let all: f32 = windows.iter().map(|window| size(*window).iter().product::<f32>()).sum();
    let long = windows.iter().flat_map(|window| size(*window)).fold(1.0, f32::max);
    let scale = comfortable.unwrap_or(WHOLE / long).min((BUDGET / all.max(1.0)).sqrt());
    let pass = |[left, top, right, bottom]: [f32; 4]| {
        let (low, high) = ([left as i32, top as i32], [right as i32, bottom as i32]);
        DetectorPass { low, high, scale, level, pull: Some(pull), exchanged: false }
    };
    windows.into_iter().map(pass).collect()
}

/// The first pass: the whole picture.
#[must_use]
pub fn whole(width: u32, height: u32) -> DetectorPass {
    let long = width.max(height) as f32;
    let high = [width as i32, height as i32];
    DetectorPass {
        low: [0, 0],
        high,
        scale: (WHOLE / long).min(MOST_ENLARGED),
        level: 0,
        pull: None,
        exchanged: false,
    }
}

/// Passes at smaller scales; empty where the first pass showed only tiles that are too small for them.
#[must_use]
pub fn afar(
    width: u32,
    height: u32,
    first: &DetectorPass,
    detections: &[Detection],
) -> Vec<DetectorPass> {
    let long = width.max(height) as f32;
    let surest = detections.iter().map(|detection| detection.score).fold(0.0, f32::max);
    let large = |detection: &Detection| sides(&detection.quad)[0] * first.scale > LARGE;
    if surest >= TELLS_SMALL && !detections.iter().any(large) {
        return Vec::new();
    }
    let scales = AFAR.iter().map(|side| side / long).filter(|scale| *scale < first.scale);
    scales.zip(1..).map(|(scale, level)| DetectorPass { scale, level, ..*first }).collect()
}

/// Closer passes over small detections; `before`: the largest scale so far.
#[must_use]
pub fn near(
    width: u32,
    height: u32,
    before: f32,
    detections: &[Detection],
    likely: f32,
    level: usize,
) -> Vec<DetectorPass> {
    let scaled: Vec<([f32; 4], f32)> = (windows(width, height, detections).into_iter())
        .filter_map(|window| {
            let within =
                || detections.iter().filter(|detection| is_inside(&detection.quad, &window));
            let shorts = |least: f32| -> Vec<f32> {
                let detections = within().filter(|detection| detection.score >= least);
                detections.map(|detection| sides(&detection.quad)[0]).collect()
            };
            let short = typical(&shorts(likely)).or_else(|| typical(&shorts(0.0)))?;
            Some((window, short))
        })
        .collect();
    let pixels = |(window, short): &([f32; 4], f32)| area(*window) * (COMFORTABLE / short).powi(2);
    let all: f32 = scaled.iter().map(pixels).sum();
    let shown = (COMFORTABLE * (BUDGET / all.max(1.0)).sqrt().min(1.0)).max(SMALLEST);
    let passes = scaled.into_iter().flat_map(|(window, short)| {
        let scale = (shown / short).min(MOST_ENLARGED);
        if scale >= WORTH_IT * before { parts(window, scale, level) } else { Vec::new() }
    });
    passes.collect()
}

/// A closer pass over the whole of a large picture.
#[must_use]
pub fn closer(width: u32, height: u32, level: usize) -> Vec<DetectorPass> {
    let long = width.max(height) as f32;
    if long <= WORTH_IT * WHOLE {
        return Vec::new();
    }
    parts([0.0, 0.0, width as f32, height as f32], (CLOSER / long).min(1.0), level)
}

/// Passes over a picture of laid out tiles, at several scales.
#[must_use]
pub fn laid_out(width: u32, height: u32, level: usize) -> Vec<DetectorPass> {
    let first = whole(width, height);
    let long = width.max(height) as f32;
    let sides = LAID_OUT.iter().filter(|side| **side <= MOST_ENLARGED * long);
    (sides.enumerate())
        .map(|(place, side)| DetectorPass { scale: side / long, level: level + place, ..first })
        .collect()
}

fn is_inside(quad: &Corners, [l, t, r, b]: &[f32; 4]) -> bool {
    let [left, top, right, bottom] = bounding_box(quad);
    left < *r && right > *l && top < *b && bottom > *t
}

/// Boxes around detections, with room for tiles that were missed beside them.
fn windows(width: u32, height: u32, detections: &[Detection]) -> Vec<[f32; 4]> {
    merged(
        width,
        height,
        detections.iter().map(|detection| with_room(&detection.quad, sides(&detection.quad)[0])),
    )
}

/// The box round a tile with room for others beside it, each of which takes `side` pixels.
fn with_room(quad: &Corners, side: f32) -> [f32; 4] {
    let [l, t, r, b] = bounding_box(quad);
    let room = ROOM * side;
    [l - room, t - room, r + room, b + room]
}

fn area([l, t, r, b]: [f32; 4]) -> f32 {
    (r - l).max(0.0) * (b - t).max(0.0)
}

/// Boxes within a picture; boxes that nearly fill their common box are merged, which is cheaper.
fn merged(width: u32, height: u32, boxes: impl Iterator<Item = [f32; 4]>) -> Vec<[f32; 4]> {
    let mut windows: Vec<[f32; 4]> = Vec::new();
    for [l, t, r, b] in boxes {
        let low = [l, t].map(|side| side.max(0.0).floor());
        let mut window = [low[0], low[1], r.min(width as f32).ceil(), b.min(height as f32).ceil()];
        while let Some((near, both)) = windows.iter().enumerate().find_map(|(near, other)| {
            let [l, t, r, b] = *other;
            let both = [l.min(window[0]), t.min(window[1]), r.max(window[2]), b.max(window[3])];
            (area(both) <= MERGED * (area(*other) + area(window))).then_some((near, both))
        }) {
            windows.swap_remove(near);
            window = both;
        }
        windows.push(window);
    }
    windows
}

/// The passes over a live frame: over the changed boxes (left, top, right, bottom) with room for tiles that reach out
/// of them; `None` without known tiles.
#[must_use]
pub fn live(
    width: u32,
    height: u32,
    short_sides: &[f32],
    changed: &[[f32; 4]],
) -> Option<Vec<DetectorPass>> {
    let short = typical(short_sides)?;
    let room = LIVE_ROOM * short;
    let boxes = changed.iter().map(|[l, t, r, b]| [l - room, t - room, r + room, b + room]);
    let mut windows = merged(width, height, boxes);
    let all: f32 = windows.iter().map(|window| area(*window)).sum::<f32>().max(1.0);
    let whole = width as f32 * height as f32;
    if all > LIVE_WHOLE * whole {
        windows = vec![[0.0, 0.0, width as f32, height as f32]];
    }
    let all = all.min(whole);
    let scale = (LIVE / short).min((LIVE_PIXELS / all).sqrt().max(LIVE_LEAST / short));
    let scale = scale.min(MOST_ENLARGED).min((MOST_PIXELS / all).sqrt());
    let pass = |[l, t, r, b]: [f32; 4]| DetectorPass {
        low: [l as i32, t as i32],
        high: [r as i32, b as i32],
        scale,
        level: 0,
        pull: None,
        exchanged: false,
    };
    Some(windows.into_iter().map(pass).collect())
}

/// The lower quartile of the short sides: the small tiles count.
fn typical(short_sides: &[f32]) -> Option<f32> {
    quantile(short_sides.iter().copied(), 0.25)
}

/// A box at a scale, in parts that overlap and are not too large.
fn parts([l, t, r, b]: [f32; 4], scale: f32, level: usize) -> Vec<DetectorPass> {
    let low = [l, t];
    let size = [r - l, b - t];
    if size[0] <= 0.0 || size[1] <= 0.0 {
        return Vec::new();
    }
    let most = MOST_PIXELS.sqrt();
    let overlap = (6.0 * COMFORTABLE / scale).min(size[0].min(size[1]) / 2.0);
    let count = size.map(|side| ((side * scale - 1.0) / most).floor().max(0.0) as i32 + 1);
    let step = [0, 1].map(|axis| size[axis] / count[axis] as f32);
    let mut passes = Vec::new();
    for row in 0..count[1] {
        for column in 0..count[0] {
            let place = [column as f32, row as f32];
            let from = [0, 1].map(|axis| low[axis] + place[axis] * step[axis] - overlap / 2.0);
            let to =
                [0, 1].map(|axis| low[axis] + (place[axis] + 1.0) * step[axis] + overlap / 2.0);
            passes.push(DetectorPass {
                low: [0, 1].map(|axis| from[axis].max(low[axis]).floor() as i32),
                high: [0, 1].map(|axis| to[axis].min(low[axis] + size[axis]).ceil() as i32),
                scale,
                level,
                pull: None,
                exchanged: false,
            });
        }
    }
    passes
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIKELY: f32 = 0.4;

    fn detection(x: f32, y: f32, side: f32, score: f32) -> Detection {
        let quad = [[x, y], [x + side, y], [x + side, y + 1.3 * side], [x, y + 1.3 * side]];
        Detection { quad, score, back: false }
    }

    fn row(side: f32) -> Vec<Detection> {
        (0..14).map(|k| detection(1000.0 + k as f32 * side, 1000.0, side, 0.9)).collect()
    }

    fn pixels(passes: &[DetectorPass]) -> f32 {
        let side = |pass: &DetectorPass, axis: usize| (pass.high[axis] - pass.low[axis]) as f32;
        passes.iter().map(|pass| side(pass, 0) * side(pass, 1) * pass.scale.powi(2)).sum()
    }

    #[test]
    fn the_first_look_is_at_all_of_the_picture_and_blows_none_up() {
        let pass = whole(4000, 3000);
        assert_eq!((pass.low, pass.high), ([0, 0], [4000, 3000]));
        assert!((pass.scale - 0.16).abs() < 1e-6);
        assert!((whole(200, 150).scale - MOST_ENLARGED).abs() < 1e-6);
    }

    #[test]
    fn the_looks_from_afar_are_left_out_where_all_are_small() {
        let first = whole(4000, 3000);
        assert_eq!(afar(4000, 3000, &first, &row(100.0)), []);
        assert_eq!(afar(4000, 3000, &first, &[]).len(), 2, "a tile may fill the picture");
        assert_eq!(afar(4000, 3000, &first, &[detection(0.0, 0.0, 900.0, 0.9)]).len(), 2);
        let unsure = [detection(0.0, 0.0, 100.0, 0.5)];
        assert_eq!(afar(4000, 3000, &first, &unsure).len(), 2, "cloth may look like small tiles");
    }

    #[test]
    fn small_tiles_are_looked_at_where_they_are_as_large_as_is_comfortable() {
        let first = whole(4000, 3000);
        let passes = near(4000, 3000, first.scale, &row(80.0), LIKELY, 3);
        assert_eq!(passes.len(), 1);
        assert_eq!((passes[0].low, passes[0].high), ([760, 760], [2360, 1344]));
        assert!((passes[0].scale - COMFORTABLE / 80.0).abs() < 1e-6);
        assert_eq!(near(4000, 3000, first.scale, &row(280.0), LIKELY, 3), [], "as large already");
        assert_eq!(near(4000, 3000, first.scale, &[], LIKELY, 3), []);
    }

    #[test]
    fn two_rows_far_apart_are_two_looks_each_at_its_scale() {
        let first = whole(4000, 3000);
        let far = (0..8).map(|k| detection(100.0 + k as f32 * 30.0, 100.0, 30.0, 0.9));
        let detections: Vec<Detection> = row(80.0).into_iter().chain(far).collect();
        let passes = near(4000, 3000, first.scale, &detections, LIKELY, 3);
        assert_eq!(passes.len(), 2);
        assert!((passes[0].scale - passes[1].scale).abs() > 0.5);
    }

    #[test]
    fn a_table_full_of_tiny_tiles_costs_no_more_than_the_budget_unless_they_were_too_small() {
        let first = whole(4000, 3000);
        let table = |side: f32| -> Vec<Detection> {
            let each =
                |k: usize| detection((k % 40) as f32 * 95.0, (k / 40) as f32 * 95.0, side, 0.9);
            (0..1200).map(each).collect()
        };
        let passes = near(4000, 3000, first.scale, &table(60.0), LIKELY, 3);
        assert!(pixels(&passes) < 2.0 * BUDGET, "{}", pixels(&passes));
        let passes = near(4000, 3000, first.scale, &table(20.0), LIKELY, 3);
        assert!(passes.iter().all(|pass| pass.scale * 20.0 >= SMALLEST - 1e-3));
    }

    #[test]
    fn a_pulled_look_shows_tiles_in_shape_as_large_as_is_comfortable() {
        let flat: Vec<Detection> = (0..6)
            .map(|k| {
                let x = 1000.0 + 42.0 * k as f32;
                let quad = [[x, 500.0], [x + 40.0, 500.0], [x + 40.0, 515.0], [x, 515.0]];
                Detection { quad, score: 0.5, back: false }
            })
            .collect();
        let pull = [[1.0, 0.0], [0.0, 3.5]];
        let passes = in_shape(4000, 3000, &flat, pull, 3);
        assert_eq!(passes.len(), 1);
        assert!((passes[0].shown(&flat[0].quad) - COMFORTABLE).abs() < 0.1);
        let blind = in_shape(4000, 3000, &[], pull, 3);
        assert_eq!((blind.len(), blind[0].high), (1, [4000, 3000]));
    }

    #[test]
    fn the_parts_of_a_huge_picture_cover_it_and_stay_small() {
        let passes = parts([0.0, 0.0, 12_000.0, 8_000.0], 1.0, 4);
        let mut covered = vec![false; 120 * 80];
        for pass in &passes {
            assert!(pixels(&[*pass]) < 2.0 * MOST_PIXELS);
            for y in pass.low[1] / 100..(pass.high[1] + 99) / 100 {
                for x in pass.low[0] / 100..(pass.high[0] + 99) / 100 {
                    covered[(y * 120 + x) as usize] = true;
                }
            }
        }
        assert!(covered.iter().all(|is| *is));
    }
}

//! Decodes the detector's maps into quads: the peaks of the score maps, with corners relative to a peak's cell. Of
//! overlapping detections only the one with the best score stays.

use super::networks::Maps;
use crate::sight::{
    Corners,
    quad::{centre, from_corner, nearest_start, overlap, sides, signed_area},
};

/// Pixels of the input for each cell of the maps.
pub const STRIDE: f32 = 4.0;
/// Pixels for each unit of a corner's distance from the cell's centre.
const UNIT: f32 = 16.0;
/// Quads with a shorter side are noise.
const SHORTEST: f32 = 4.0;
/// Two detections of one pass whose overlap (intersection over union) exceeds this are one tile.
const SAME: f32 = 0.35;
/// Cells on each side of a peak that take part in its corners.
const AROUND: usize = 3;
/// Least overlap of such a cell's quad with the peak's.
const ALIKE: f32 = 0.7;
/// Most detections of one pass.
const MOST: usize = 800;

/// One detection, in pixels of the image that the detector was shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Detection {
    /// Corners, clockwise, from any of them.
    pub quad: Corners,
    /// Score, 0-1.
    pub score: f32,
    /// Whether the map of backs has the higher score.
    pub back: bool,
}

/// The detections of one pass, best score first.
#[must_use]
pub fn detections(maps: &Maps, threshold: f32) -> Vec<Detection> {
    let cells = maps.width * maps.height;
    let logit = (threshold / (1.0 - threshold)).ln();
    let mut peaks = Vec::new();
    for back in [false, true] {
        let score = &maps.values[usize::from(back) * cells..][..cells];
        for y in 0..maps.height {
            for x in 0..maps.width {
                let here = score[y * maps.width + x];
                if here > logit && is_peak(score, maps.width, maps.height, x, y) {
                    peaks.push((here, back, x, y));
                }
            }
        }
    }
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    peaks.truncate(2 * MOST);
    let mut kept: Vec<Detection> = Vec::new();
    for (logit, back, x, y) in peaks {
        let Some(quad) = agreed(maps, back, x, y) else { continue };
        let reach = sides(&quad)[1];
        let [cx, cy] = centre(&quad);
        let taken = kept.iter().any(|detection| {
            let [x, y] = centre(&detection.quad);
            (x - cx).abs().max((y - cy).abs()) < 2.0 * reach
                && overlap(&detection.quad, &quad)[0] > SAME
        });
        if !taken {
            kept.push(Detection { quad, score: 1.0 / (1.0 + (-logit).exp()), back });
            if kept.len() == MOST {
                break;
            }
        }
    }
    kept
}

/// Whether no neighbouring cell has a higher logit; among equals the first is the peak.
fn is_peak(score: &[f32], width: usize, height: usize, x: usize, y: usize) -> bool {
    let here = score[y * width + x];
    (y.saturating_sub(1)..=(y + 1).min(height - 1)).all(|v| {
        (x.saturating_sub(1)..=(x + 1).min(width - 1)).all(|u| {
            let other = score[v * width + u];
            other < here || (other == here && (v, u) >= (y, x))
        })
    })
}

/// The quad of a peak: the mean over its cell and similar ones nearby, weighted by score, which averages their
/// errors out.
fn agreed(maps: &Maps, back: bool, x: usize, y: usize) -> Option<Corners> {
    let peak = quad(maps, x, y)?;
    let cells = maps.width * maps.height;
    let score = &maps.values[usize::from(back) * cells..][..cells];
    let hot = |u: usize, v: usize| 1.0 / (1.0 + (-score[v * maps.width + u]).exp());
    let (mut sum, mut weight) = ([[0.0; 2]; 4], 0.0);
    for v in y.saturating_sub(AROUND)..=(y + AROUND).min(maps.height - 1) {
        for u in x.saturating_sub(AROUND)..=(x + AROUND).min(maps.width - 1) {
            let Some(other) = quad(maps, u, v) else { continue };
            if overlap(&peak, &other)[0] < ALIKE {
                continue;
            }
            let other = from_corner(&other, nearest_start(&peak, &other));
            let share = hot(u, v);
            weight += share;
            for (sum, corner) in sum.iter_mut().zip(other) {
                sum[0] += share * corner[0];
                sum[1] += share * corner[1];
            }
        }
    }
    Some(sum.map(|[x, y]| [x / weight, y / weight]))
}

/// The quad that a cell encodes; `None` if it is too small or not convex.
fn quad(maps: &Maps, x: usize, y: usize) -> Option<Corners> {
    let cells = maps.width * maps.height;
    let at = |channel: usize| maps.values[channel * cells + y * maps.width + x];
    let middle = [(x as f32 + 0.5) * STRIDE, (y as f32 + 0.5) * STRIDE];
    let mut quad =
        [0, 1, 2, 3].map(|k| [middle[0] + UNIT * at(2 + k), middle[1] + UNIT * at(6 + k)]);
    if quad.iter().flatten().any(|value| !value.is_finite()) {
        return None;
    }
    if signed_area(&quad) < 0.0 {
        quad.reverse();
    }
    let convex = (0..4).all(|k| {
        let (a, b, c) = (quad[k], quad[(k + 1) % 4], quad[(k + 2) % 4]);
        (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0.0
    });
    (convex && sides(&quad)[0] >= SHORTEST).then_some(quad)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Maps of 16 x 12 cells without a score, whose corners are squares of `side` pixels.
    fn empty(side: f32) -> Maps {
        let (width, height) = (16, 12);
        let mut values = vec![-9.0; 10 * width * height];
        let half = side / 2.0 / UNIT;
        let corners = [-half, half, half, -half, -half, -half, half, half];
        for (channel, corner) in corners.iter().enumerate() {
            values[(2 + channel) * width * height..][..width * height].fill(*corner);
        }
        Maps { width, height, values }
    }

    fn score(maps: &mut Maps, back: bool, x: usize, y: usize, logit: f32) {
        let at = usize::from(back) * maps.width * maps.height + y * maps.width + x;
        maps.values[at] = logit;
    }

    #[test]
    fn a_peak_gives_its_quad_in_pixels() {
        let mut maps = empty(12.0);
        score(&mut maps, false, 5, 4, 2.0);
        score(&mut maps, false, 6, 4, 1.0);
        let found = detections(&maps, 0.2);
        assert_eq!(found.len(), 1);
        let expected = [[16.0, 12.0], [28.0, 12.0], [28.0, 24.0], [16.0, 24.0]];
        for (corner, expected) in found[0].quad.iter().zip(expected) {
            assert!((corner[0] - expected[0]).abs().max((corner[1] - expected[1]).abs()) < 1e-3);
        }
        assert!((found[0].score - 0.8808).abs() < 1e-3 && !found[0].back);
    }

    #[test]
    fn touching_tiles_stay_apart_and_covering_ones_do_not() {
        let mut maps = empty(12.0);
        score(&mut maps, false, 5, 4, 2.0);
        score(&mut maps, false, 8, 4, 1.5);
        assert_eq!(detections(&maps, 0.2).len(), 2);
        let mut maps = empty(24.0);
        score(&mut maps, false, 5, 4, 2.0);
        score(&mut maps, false, 7, 4, 1.5);
        assert_eq!(detections(&maps, 0.2).len(), 1);
    }

    #[test]
    fn the_hotter_map_says_whether_it_is_a_back() {
        let mut maps = empty(12.0);
        score(&mut maps, false, 5, 4, 1.0);
        score(&mut maps, true, 5, 4, 2.0);
        let found = detections(&maps, 0.2);
        assert_eq!((found.len(), found[0].back), (1, true));
    }

    #[test]
    fn a_flat_plateau_is_one_find_and_cold_maps_none() {
        let mut maps = empty(12.0);
        for x in 4..7 {
            score(&mut maps, false, x, 4, 3.0);
        }
        assert_eq!(detections(&maps, 0.2).len(), 1);
        assert_eq!(detections(&empty(12.0), 0.2), []);
        let mut broken = empty(12.0);
        broken.values[2 * 16 * 12..].fill(f32::NAN);
        score(&mut broken, false, 5, 4, 2.0);
        assert_eq!(detections(&broken, 0.2), []);
    }
}

//! The detector's maps as quads: peaks of the heat, corners relative to the peak's cell, and of
//! finds that cover one another only the hottest.

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
/// Two finds of one look that share more than this of both together are one tile.
const SAME: f32 = 0.35;
/// Cells to each side of a peak that have a say in its corners, where their quads share this much.
const AROUND: usize = 3;
const ALIKE: f32 = 0.7;
/// Most finds that one look gives.
const MOST: usize = 800;

/// One find, in pixels of what the detector was shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Find {
    /// Clockwise, beginning anywhere.
    pub quad: Corners,
    /// Heat, 0-1.
    pub heat: f32,
    /// Whether the map of backs was the hotter.
    pub back: bool,
}

/// The finds of one look, hottest first.
#[must_use]
pub fn finds(maps: &Maps, threshold: f32) -> Vec<Find> {
    let cells = maps.width * maps.height;
    let logit = (threshold / (1.0 - threshold)).ln();
    let mut peaks = Vec::new();
    for back in [false, true] {
        let heat = &maps.values[usize::from(back) * cells..][..cells];
        for y in 0..maps.height {
            for x in 0..maps.width {
                let here = heat[y * maps.width + x];
                if here > logit && is_peak(heat, maps.width, maps.height, x, y) {
                    peaks.push((here, back, x, y));
                }
            }
        }
    }
    peaks.sort_by(|a, b| b.0.total_cmp(&a.0));
    peaks.truncate(2 * MOST);
    let mut kept: Vec<Find> = Vec::new();
    for (logit, back, x, y) in peaks {
        let Some(quad) = agreed(maps, back, x, y) else { continue };
        let reach = sides(&quad)[1];
        let [cx, cy] = centre(&quad);
        let taken = kept.iter().any(|find| {
            let [x, y] = centre(&find.quad);
            (x - cx).abs().max((y - cy).abs()) < 2.0 * reach && overlap(&find.quad, &quad)[0] > SAME
        });
        if !taken {
            kept.push(Find { quad, heat: 1.0 / (1.0 + (-logit).exp()), back });
            if kept.len() == MOST {
                break;
            }
        }
    }
    kept
}

/// Whether no cell around is hotter; of equals the first counts.
fn is_peak(heat: &[f32], width: usize, height: usize, x: usize, y: usize) -> bool {
    let here = heat[y * width + x];
    (y.saturating_sub(1)..=(y + 1).min(height - 1)).all(|v| {
        (x.saturating_sub(1)..=(x + 1).min(width - 1)).all(|u| {
            let other = heat[v * width + u];
            other < here || (other == here && (v, u) >= (y, x))
        })
    })
}

/// The quad of a peak: what its cell and the hot ones around tell, by their heat. Their errors
/// differ, and the mean has less of them.
fn agreed(maps: &Maps, back: bool, x: usize, y: usize) -> Option<Corners> {
    let peak = quad(maps, x, y)?;
    let cells = maps.width * maps.height;
    let heat = &maps.values[usize::from(back) * cells..][..cells];
    let hot = |u: usize, v: usize| 1.0 / (1.0 + (-heat[v * maps.width + u]).exp());
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

/// The quad that a cell tells of; `None` where it is too small, or no convex outline.
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

    /// Maps of 16 x 12 cells without heat, whose corners tell of squares of `side` pixels.
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

    fn heat(maps: &mut Maps, back: bool, x: usize, y: usize, logit: f32) {
        let at = usize::from(back) * maps.width * maps.height + y * maps.width + x;
        maps.values[at] = logit;
    }

    #[test]
    fn a_peak_gives_its_quad_in_pixels() {
        let mut maps = empty(12.0);
        heat(&mut maps, false, 5, 4, 2.0);
        heat(&mut maps, false, 6, 4, 1.0);
        let found = finds(&maps, 0.2);
        assert_eq!(found.len(), 1);
        let told = [[16.0, 12.0], [28.0, 12.0], [28.0, 24.0], [16.0, 24.0]];
        for (corner, told) in found[0].quad.iter().zip(told) {
            assert!((corner[0] - told[0]).abs().max((corner[1] - told[1]).abs()) < 1e-3);
        }
        assert!((found[0].heat - 0.8808).abs() < 1e-3 && !found[0].back);
    }

    #[test]
    fn touching_tiles_stay_apart_and_covering_ones_do_not() {
        let mut maps = empty(12.0);
        heat(&mut maps, false, 5, 4, 2.0);
        heat(&mut maps, false, 8, 4, 1.5);
        assert_eq!(finds(&maps, 0.2).len(), 2);
        let mut maps = empty(24.0);
        heat(&mut maps, false, 5, 4, 2.0);
        heat(&mut maps, false, 7, 4, 1.5);
        assert_eq!(finds(&maps, 0.2).len(), 1);
    }

    #[test]
    fn the_hotter_map_says_whether_it_is_a_back() {
        let mut maps = empty(12.0);
        heat(&mut maps, false, 5, 4, 1.0);
        heat(&mut maps, true, 5, 4, 2.0);
        let found = finds(&maps, 0.2);
        assert_eq!((found.len(), found[0].back), (1, true));
    }

    #[test]
    fn a_flat_plateau_is_one_find_and_cold_maps_none() {
        let mut maps = empty(12.0);
        for x in 4..7 {
            heat(&mut maps, false, x, 4, 3.0);
        }
        assert_eq!(finds(&maps, 0.2).len(), 1);
        assert_eq!(finds(&empty(12.0), 0.2), []);
        let mut broken = empty(12.0);
        broken.values[2 * 16 * 12..].fill(f32::NAN);
        heat(&mut broken, false, 5, 4, 2.0);
        assert_eq!(finds(&broken, 0.2), []);
    }
}
